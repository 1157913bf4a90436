//! The disk by hand: one small disk, one rule each.

use super::*;
use crate::{Seeded, closed_loop};
use proptest::prelude::*;

fn ms(ms: f64) -> Picoseconds {
    Picoseconds::from_us(ms * 1e3)
}

/// A turn of 10 ms; an outer zone of 10 cylinders with 2 tracks of 100 sectors, an inner one of 50.
fn spec() -> HardDiskSpec {
    let zone = |first, last, sectors, track_skew, cylinder_skew| ZoneSpec {
        first_cylinder: first,
        last_cylinder: last,
        sectors_per_track: sectors,
        offset: Skew::Sectors(0),
        unused_blocks: 0,
        track_skew: Skew::Sectors(track_skew),
        cylinder_skew: Skew::Sectors(cylinder_skew),
        spares: 0,
        slips: Vec::new(),
    };
    HardDiskSpec {
        block_bytes: 512,
        turn: ms(10.0),
        layout: LayoutSpec {
            surfaces: 2,
            sparing: Sparing::None,
            heads: HeadOrder::Ascending,
            zones: vec![zone(0, 9, 100, 10, 20), zone(10, 19, 50, 5, 10)],
        },
        arm: ArmSpec {
            curve: SeekCurve::new(vec![(1, ms(1.0)), (11, ms(2.0)), (19, ms(3.0))]).unwrap(),
            head_switch: ms(0.5),
            write_settle_ps: 200_000_000,
        },
        cache: CacheSpec {
            segments: 2,
            segment_blocks: 64,
            enabled: true,
            read_ahead: ReadAhead::Blocks { blocks: 32 },
            restart_on_hit: false,
            stops_in_sector: true,
            almost_hits: false,
            write_back: true,
            written_readable: true,
            joins_writes: true,
            gathers_writes: false,
        },
        bus: BusSpec {
            read_block: ms(0.01),
            write_block: ms(0.01),
            never_disconnects: false,
            held_by_reads: false,
            read_water_mark: 0.0,
            water_mark_of_request: true,
            write_waits_for_ten: false,
        },
        overheads: OverheadSpec {
            read_hit: After { read: ms(0.1), write: ms(0.15) },
            read_miss: After { read: ms(0.3), write: ms(0.35) },
            write_hit: After { read: ms(0.2), write: ms(0.25) },
            write_miss: After::both(ms(0.4)),
            ..OverheadSpec::default()
        },
        order: ServiceOrder::Fcfs,
        queue_depth: 1,
    }
}

fn changed(change: impl FnOnce(&mut HardDiskSpec)) -> HardDiskSpec {
    let mut spec = spec();
    change(&mut spec);
    spec
}

/// When requests are done that come at these times (ms), and not before the one before is done.
fn done_at(spec: &HardDiskSpec, requests: &[(f64, char, u64, u32)]) -> Vec<f64> {
    let mut disk = HardDisk::new(spec).unwrap();
    let mut completed = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    for &(at, operation, block, blocks) in requests {
        let at = ms(at);
        assert!(completed.last().is_none_or(|last: &Completion| last.at <= at), "one at a time");
        let operation = if operation == 'W' { Operation::Write } else { Operation::Read };
        disk.submit(at, 0, Request { operation, offset: block * 512, bytes: blocks * 512 });
        disk.advance(Picoseconds(u64::MAX), &mut completed);
        // The clock of the test goes back, since nothing has begun after the last completion.
        disk.now = completed.last().map_or(0, |last| last.at.0);
        times.extend(completed.last().map(|last| last.at.as_us() / 1e3));
    }
    times
}

/// The command that is next, and whether the arm goes up then: the rules as they read, with a look at all that wait. Held
/// against what the disk chose whenever a test lets it choose.
pub(super) fn chosen_plainly(disk: &HardDisk, start: &Start) -> (Command, bool) {
    let (commands, mut upward) = disk.waiting.plainly();
    let chosen = if disk.spec.order == ServiceOrder::Sptf {
        let cost = |c: &&Command| {
            let overlaps = disk.spec.overheads.overlaps_waiting;
            let known = if overlaps { start.at.max(c.ready) } else { start.at };
            if !c.write {
                let reads_on = match (disk.segments.find(c.first, c.end), disk.media) {
                    (Found::All(_), _) => Some(0),
                    (Found::Part(into), Media::Reading { segment, pass, .. }) if into == segment => {
                        let end = disk.segments.get(segment).end;
                        Some(if c.first < end { 0 } else { pass.passed(end - pass.first) })
                    }
                    _ => None,
                };
                if let Some(there) = reads_on {
                    return known.max(there);
                }
            }
            let from = match overlaps {
                true => start.free.max(c.ready),
                false => start.free + disk.overhead(start.at, c, disk.platter_overhead(c)),
            };
            disk.mechanism.reach(start.arm, c.first, from, c.write, 0).begin
        };
        *commands.iter().min_by_key(cost).unwrap()
    } else {
        let cylinders = commands.iter().map(|c| disk.mechanism.layout.place(c.first).cylinder);
        commands[order::by_cylinder(disk.spec.order, start.arm.cylinder, &mut upward, cylinders)]
    };
    (chosen, upward)
}

fn near(times: &[f64], expected: &[f64]) {
    assert_eq!(times.len(), expected.len());
    for (number, (time, by_hand)) in times.iter().zip(expected).enumerate() {
        assert!((time - by_hand).abs() < 1e-6, "request {number}: {time}, by hand {by_hand}; all {times:?}");
    }
}

#[test]
fn a_read_takes_overhead_rotation_and_a_block_and_the_bus_follows_the_head() {
    // Overhead 0.3, block 0 comes round at 10, four blocks of 0.1, and the last over the bus.
    near(&done_at(&spec(), &[(0.0, 'R', 0, 4)]), &[10.41]);
    // A bus slower than the platter decides: one block, then four over the bus.
    let slow = changed(|s| s.bus.read_block = ms(0.25));
    near(&done_at(&slow, &[(0.0, 'R', 0, 4)]), &[10.1 + 1.0]);
}

#[test]
fn a_seek_goes_by_the_curve_and_blocks_of_an_inner_zone_take_longer() {
    // Cylinder 11 from 0: 2 ms. Its angle: (5 x 1 + 10 x 1) of 50 sectors, 3 ms; 0.2 ms a block.
    near(&done_at(&spec(), &[(0.0, 'R', 2_100, 2)]), &[3.0 + 0.4 + 0.01]);
}

#[test]
fn skew_hides_a_head_switch_and_too_little_of_it_costs_a_turn() {
    // The first track ends at 20, the head is switched at 20.5, and skew has the next block come at 21.
    near(&done_at(&spec(), &[(0.0, 'R', 0, 200)]), &[31.01]);
    let tight = changed(|s| s.layout.zones[0].track_skew = Skew::Sectors(4));
    near(&done_at(&tight, &[(0.0, 'R', 0, 200)]), &[30.4 + 10.01]);
    // A write settles for 0.2 ms more: 7 sectors are enough, 6 are not.
    let write_over = |skew| {
        let spec = changed(|s| {
            s.cache.write_back = false;
            s.layout.zones[0].track_skew = Skew::Sectors(skew);
        });
        done_at(&spec, &[(0.0, 'W', 0, 200)])[0]
    };
    assert_eq!((write_over(7), write_over(6)), (30.7, 40.6));
}

#[test]
fn a_change_of_cylinders_seeks_and_takes_the_cylinder_skew() {
    // Track 1 is read from 1.0 (its skew) to 11.0, a seek of 1 ms ends at 12.0, and the next block lies at 10 + 20
    // sectors: 13.0.
    near(&done_at(&spec(), &[(0.0, 'R', 100, 200)]), &[23.01]);
}

#[test]
fn tracks_without_skew_or_switch_follow_each_other() {
    // An angle that is cut to whole picoseconds must not cost a turn.
    let spec = changed(|s| {
        s.turn = Picoseconds(9_999_999_999);
        s.arm.head_switch = Picoseconds::ZERO;
        s.layout.zones[0].sectors_per_track = 97;
        s.layout.zones[0].track_skew = Skew::Sectors(0);
    });
    let times = done_at(&spec, &[(0.0, 'R', 0, 194)]);
    assert!((times[0] - 30.01).abs() < 1e-4, "{times:?}");
}

#[test]
fn what_was_read_ahead_answers_and_the_next_block_does_not() {
    // The head reads on to block 36, by 13.6.
    let times = done_at(&spec(), &[(0.0, 'R', 0, 4), (20.0, 'R', 4, 8), (30.0, 'R', 36, 1)]);
    // Without a restart block 36 is a miss: the head is past it, and it comes round at 33.6.
    near(&times, &[10.41, 20.0 + 0.1 + 0.08, 33.6 + 0.1 + 0.01]);
    let restarts = changed(|s| s.cache.restart_on_hit = true);
    let times = done_at(&restarts, &[(0.0, 'R', 0, 4), (20.0, 'R', 4, 8), (30.0, 'R', 36, 1)]);
    near(&times[2..], &[30.11]);
}

#[test]
fn reading_ahead_goes_as_far_as_its_kind_says() {
    // Is this block of the next read a hit, long after a read of blocks 90 to 94?
    let hit = |read_ahead, block| {
        let spec = changed(|s| {
            s.cache.read_ahead = read_ahead;
            s.cache.segment_blocks = 1_000;
        });
        done_at(&spec, &[(0.0, 'R', 90, 4), (100.0, 'R', block, 1)])[1] < 100.2
    };
    let far = |read_ahead| (94..600).take_while(|block| hit(read_ahead, *block)).count();
    assert_eq!(far(ReadAhead::None), 0);
    assert_eq!(far(ReadAhead::Blocks { blocks: 20 }), 20);
    assert_eq!(far(ReadAhead::Track { blocks: 500 }), 6);
    assert_eq!(far(ReadAhead::Track { blocks: 3 }), 3);
    assert_eq!(far(ReadAhead::Cylinder { blocks: 500 }), 106);
    assert_eq!(far(ReadAhead::TrackAndNext), 6);
    let disabled = changed(|s| s.cache.enabled = false);
    assert!(done_at(&disabled, &[(0.0, 'R', 90, 4), (100.0, 'R', 94, 1)])[1] > 100.2);
}

#[test]
fn the_track_after_a_segment_that_began_before_it_is_read_on_further() {
    let spec = changed(|s| {
        s.cache.read_ahead = ReadAhead::TrackAndNext;
        s.cache.segment_blocks = 1_000;
    });
    // The second read ends on the second track; the segment began on the first, so a track more is read: to 300.
    let times = done_at(
        &spec,
        &[(0.0, 'R', 90, 4), (100.0, 'R', 94, 10), (200.0, 'R', 299, 1), (300.0, 'R', 300, 1)],
    );
    assert!(times[2] < 200.2 && times[3] > 300.2, "{times:?}");
}

#[test]
fn a_partial_hit_waits_for_what_is_being_read() {
    // At 10.75 blocks 4 to 6 are there; the last one comes at 11.2.
    near(&done_at(&spec(), &[(0.0, 'R', 0, 4), (10.75, 'R', 4, 8)]), &[10.41, 11.21]);
    // The block under the head is no hit: at 10.45 block 4 comes round again.
    near(&done_at(&spec(), &[(0.0, 'R', 0, 4), (10.45, 'R', 4, 1)]), &[10.41, 20.51]);
    // Unless the drive catches up: the block is there at 10.5, the answer begins at 10.55.
    let almost = changed(|s| s.cache.almost_hits = true);
    near(&done_at(&almost, &[(0.0, 'R', 0, 4), (10.45, 'R', 4, 1)]), &[10.41, 10.56]);
}

#[test]
fn the_least_recently_used_segment_is_taken_and_a_full_one_loses_its_oldest() {
    let spec = changed(|s| s.cache.read_ahead = ReadAhead::None);
    let read = |reads: &[u64]| {
        let requests: Vec<_> = reads.iter().enumerate().map(|(i, b)| (i as f64 * 50.0, 'R', *b, 4)).collect();
        done_at(&spec, &requests)
            .iter()
            .enumerate()
            .map(|(i, t)| t - i as f64 * 50.0 < 0.2)
            .collect::<Vec<_>>()
    };
    // Two segments: 0 was used last when 400 comes, so 200 goes.
    assert_eq!(read(&[0, 200, 0, 400, 0, 200]), [false, false, true, false, true, false]);
    // A segment of 64 blocks holds the last 64 of 100.
    let times = done_at(&spec, &[(0.0, 'R', 0, 100), (50.0, 'R', 36, 64), (100.0, 'R', 35, 1)]);
    assert!(times[1] < 51.0 && times[2] > 101.0, "{times:?}");
}

#[test]
fn a_write_back_is_done_in_the_cache_and_the_next_request_waits_for_the_head() {
    // 0.2 + 4 x 0.01; the head writes block 50 at 5.0 to 5.4. The read comes at 1: it waits until then, then seeks
    // no cylinder and waits for block 0 at 10.
    near(&done_at(&spec(), &[(0.0, 'W', 50, 4), (1.0, 'R', 0, 1)]), &[0.24, 10.11]);
    // What was written is read from the cache, over the bus again when the head is free.
    near(&done_at(&spec(), &[(0.0, 'W', 50, 4), (1.0, 'R', 50, 4)]), &[0.24, 5.44]);
    let unreadable = changed(|s| s.cache.written_readable = false);
    near(&done_at(&unreadable, &[(0.0, 'W', 50, 4), (1.0, 'R', 50, 4)]), &[0.24, 15.41]);
    // Later the overhead is that after a write.
    near(&done_at(&spec(), &[(0.0, 'W', 50, 4), (7.0, 'R', 50, 4)]), &[0.24, 7.15 + 0.04]);
}

#[test]
fn a_write_goes_to_the_platter_before_it_is_done_where_it_is_not_written_back() {
    let through = changed(|s| s.cache.write_back = false);
    // 0.4, block 50 at 5.0, four blocks; the bus was faster.
    near(&done_at(&through, &[(0.0, 'W', 50, 4)]), &[5.4]);
    // A seek settles: 1 + 0.2 after 0.4.
    near(&done_at(&through, &[(0.0, 'W', 200, 4)]), &[3.4]);
}

#[test]
fn a_block_that_comes_late_over_the_bus_is_waited_for_a_turn() {
    let slow = changed(|s| {
        s.cache.write_back = false;
        s.overheads.write_miss = After::both(ms(0.2));
        s.bus.write_block = ms(0.5);
    });
    // Block 10 is there at 0.7 and written at 1.0; block 11 is there at 1.2, and passes at 1.1.
    near(&done_at(&slow, &[(0.0, 'W', 10, 4)]), &[11.4]);
    // Where ten have to be there first, that is at 0.2 + 10 x 0.1: block 11, at 1.1, comes too early.
    let ten = |waits| {
        let spec = changed(|s| {
            s.cache.write_back = false;
            s.overheads.write_miss = After::both(ms(0.2));
            s.bus.write_block = ms(0.1);
            s.bus.write_waits_for_ten = waits;
        });
        done_at(&spec, &[(0.0, 'W', 11, 12)])[0]
    };
    assert_eq!((ten(false), ten(true)), (2.3, 12.3));
}

#[test]
fn a_write_that_goes_on_joins_the_one_before() {
    // The head writes blocks 50 to 54 from 5.0 on, and 54 to 58 right behind, by 5.8; then it is free.
    let requests = [(0.0, 'W', 50, 4), (1.0, 'W', 54, 4), (6.0, 'R', 90, 1)];
    let joined = done_at(&spec(), &requests);
    near(&joined, &[0.24, 1.25 + 0.04, 9.11]);
    // Apart, the second is taken off the bus until the first is written, and its block has gone by.
    let apart = done_at(&changed(|s| s.cache.joins_writes = false), &requests);
    near(&apart[1..], &[5.44, 19.11]);
}

#[test]
fn what_was_written_over_is_in_no_other_segment() {
    let spec = changed(|s| {
        s.cache.read_ahead = ReadAhead::None;
        s.cache.segments = 3;
    });
    // Two segments hold blocks 0 to 8; the write takes one of them and empties the other.
    let times = done_at(
        &spec,
        &[(0.0, 'R', 4, 4), (50.0, 'R', 0, 8), (100.0, 'W', 6, 1), (150.0, 'R', 0, 4), (200.0, 'R', 4, 1)],
    );
    assert!(times[3] > 150.2 && times[4] > 200.2, "{times:?}");
}

#[test]
fn reading_ahead_gives_way_at_once_or_at_the_end_of_its_sector() {
    // At 10.45 the head is in the middle of block 4; block 70 comes at 17.0 either way.
    let at_once = changed(|s| s.overheads.read_miss = After::both(ms(0.31)));
    let at_end = HardDiskSpec {
        cache: CacheSpec { stops_in_sector: false, ..at_once.cache.clone() },
        ..at_once.clone()
    };
    let requests = [(0.0, 'R', 0, 4), (10.45, 'R', 70, 1)];
    near(&done_at(&at_end, &requests), &[10.41, 17.11]);
    // A seek that has to wait shows what stopping cost: block 200 lies at 3.0 of a turn, and 0.31 + 1.0 from 11.685
    // on just reach 13.0; 0.015 more for the sector's end do not.
    let requests = [(0.0, 'R', 0, 4), (11.685, 'R', 200, 1)];
    near(&done_at(&at_once, &requests), &[10.41, 13.11]);
    near(&done_at(&at_end, &requests), &[10.41, 23.11]);
}

#[test]
fn a_short_seek_of_a_write_is_stretched() {
    let spec = changed(|s| {
        s.cache.write_back = false;
        s.overheads.least_write_seek = ms(0.6);
    });
    // 0.4 + 0.6 is past block 8, at 0.8, and not past block 10.
    near(&done_at(&spec, &[(0.0, 'W', 8, 1)]), &[10.9]);
    near(&done_at(&spec, &[(0.0, 'W', 10, 1)]), &[1.1]);
}

#[test]
fn a_disk_off_the_bus_comes_back_when_enough_is_there() {
    let spec = changed(|s| {
        s.bus.read_water_mark = 0.75;
        s.overheads.reselect = ms(0.05);
        s.overheads.data_preparation = ms(0.02);
        s.overheads.read_disconnect = After::both(ms(0.04));
        s.bus.read_block = ms(0.004);
    });
    // Blocks 0 to 7 pass from 10.0 on; six are there at 10.6, the disk is back at 10.67 and sends these. The two
    // that lack are waited for off the bus, from 10.694 + 0.04 to 10.8; then it comes back.
    near(&done_at(&spec, &[(0.0, 'R', 0, 8)]), &[10.8 + 0.07 + 0.008]);
    // It holds the bus instead: the last block comes at 10.8.
    let holds = HardDiskSpec { bus: BusSpec { held_by_reads: true, ..spec.bus.clone() }, ..spec };
    near(&done_at(&holds, &[(0.0, 'R', 0, 8)]), &[10.804]);
}

/// Blocks in the order in which they are served, all asked for at time 0 behind a read of block 0.
fn served(order: ServiceOrder, queue_depth: usize, blocks: &[u64]) -> Vec<u64> {
    let spec = changed(|s| {
        s.order = order;
        s.queue_depth = queue_depth;
        s.cache.read_ahead = ReadAhead::None;
    });
    let mut disk = HardDisk::new(&spec).unwrap();
    for block in std::iter::once(&0).chain(blocks) {
        let request = Request { operation: Operation::Read, offset: block * 512, bytes: 512 };
        disk.submit(Picoseconds::ZERO, *block, request);
    }
    let mut completed = Vec::new();
    disk.advance(Picoseconds::SECOND, &mut completed);
    assert!(completed.windows(2).all(|pair| pair[0].at < pair[1].at));
    completed.iter().skip(1).map(|c| c.tag).collect()
}

#[test]
fn waiting_commands_are_served_in_the_order_of_the_drive() {
    // Cylinders 5, 1, 9, 3.
    let blocks = [1_000, 200, 1_800, 600];
    assert_eq!(served(ServiceOrder::Fcfs, 8, &blocks), blocks);
    assert_eq!(served(ServiceOrder::Sstf, 8, &blocks), [200, 600, 1_000, 1_800]);
    assert_eq!(served(ServiceOrder::CLook, 8, &blocks), [200, 600, 1_000, 1_800]);
    // Of the first two that wait, one is chosen; the rest is not seen yet.
    assert_eq!(served(ServiceOrder::Sstf, 2, &blocks), [200, 1_000, 600, 1_800]);
    assert_eq!(served(ServiceOrder::Sstf, 1, &blocks), blocks);
    // On one cylinder the platter decides: from block 0 on, 30 comes before 60, whichever came first.
    assert_eq!(served(ServiceOrder::Sptf, 8, &[90, 60, 30]), [30, 60, 90]);
    assert_eq!(served(ServiceOrder::Sstf, 8, &[90, 60, 30]), [90, 60, 30]);
}

#[test]
fn an_order_by_position_serves_more() {
    let iops = |order| {
        let spec = changed(|s| {
            s.order = order;
            s.queue_depth = 16;
            s.cache.read_ahead = ReadAhead::None;
        });
        let mut disk = HardDisk::new(&spec).unwrap();
        let mut random = Seeded::new(7, 0);
        let requests = (0..5_000).map(|_| Request {
            operation: Operation::Read,
            offset: random.below(2_990) * 512,
            bytes: 512,
        });
        let run = closed_loop(&mut disk, 16, requests).unwrap();
        assert_eq!(run.served.len(), 5_000);
        run.iops().unwrap()
    };
    let (fcfs, sstf, sptf) = (iops(ServiceOrder::Fcfs), iops(ServiceOrder::Sstf), iops(ServiceOrder::Sptf));
    assert!(fcfs * 1.1 < sstf && sstf * 1.2 < sptf, "{fcfs} {sstf} {sptf}");
}

#[test]
fn a_command_that_waited_pays_no_overhead_where_the_controller_takes_it_up_meanwhile() {
    let time = |overlaps| {
        let spec = changed(|s| {
            s.overheads.overlaps_waiting = overlaps;
            s.cache.read_ahead = ReadAhead::None;
        });
        let mut disk = HardDisk::new(&spec).unwrap();
        for tag in 0..2 {
            // Block 0 until 10.1 + 0.01; then block 3 passes at 10.3, too early after 0.3 of overhead.
            let request = Request { operation: Operation::Read, offset: tag * 3 * 512, bytes: 512 };
            disk.submit(Picoseconds::ZERO, tag, request);
        }
        let mut completed = Vec::new();
        disk.advance(Picoseconds::SECOND, &mut completed);
        completed[1].at
    };
    assert_eq!((time(false), time(true)), (ms(20.41), ms(10.41)));
}

#[test]
fn waiting_follows_pollaczek_and_khinchine() {
    // Random reads that come by themselves: the mean wait of M/G/1 follows from the first two moments of the service.
    let spec = changed(|s| {
        s.cache.read_ahead = ReadAhead::None;
        s.cache.enabled = false;
    });
    let mut disk = HardDisk::new(&spec).unwrap();
    let (mut places, mut gaps) = (Seeded::new(11, 0), Seeded::new(11, 1));
    let mut now = 0.0;
    let count = 400_000;
    let (mut came, mut completed) = (Vec::new(), Vec::new());
    for _ in 0..count {
        // An exponential gap with a mean of 15 ms.
        let uniform = (gaps.bits() >> 11) as f64 / (1u64 << 53) as f64;
        now += -libm::log(1.0 - uniform) * 15_000.0;
        let offset = places.below(3_000) * 512;
        disk.advance(Picoseconds::from_us(now), &mut completed);
        disk.submit(Picoseconds::from_us(now), 0, Request { operation: Operation::Read, offset, bytes: 512 });
        came.push(now);
    }
    disk.advance(Picoseconds::MAX, &mut completed);
    let (mut waits, mut services, mut squares, mut free) = (0.0, 0.0, 0.0, 0.0);
    for (came, done) in came.iter().zip(&completed) {
        let (start, done) = (f64::max(*came, free), done.at.as_us());
        (waits, services) = (waits + start - came, services + done - start);
        squares += (done - start) * (done - start);
        free = done;
    }
    let n = f64::from(count);
    let rate = n / now;
    let by_formula = rate * (squares / n) / (2.0 * (1.0 - rate * services / n));
    let ratio = waits / n / by_formula;
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}, busy {}", rate * services / n);
}

#[test]
fn what_is_no_disk_says_why() {
    let why = |change: &dyn Fn(&mut HardDiskSpec)| {
        let mut spec = spec();
        change(&mut spec);
        HardDisk::new(&spec).unwrap_err().to_string()
    };
    assert!(why(&|s| s.turn = Picoseconds::ZERO).contains("a turn takes 0.1 ms to 1 s"));
    assert!(why(&|s| s.block_bytes = 0).contains("0 bytes"));
    assert!(why(&|s| s.cache.segments = 0).contains("segments, not 0"));
    assert!(why(&|s| s.cache.segment_blocks = 0).contains("0 blocks"));
    assert!(why(&|s| s.queue_depth = 0).contains("0 commands"));
    assert!(why(&|s| s.bus.read_water_mark = f64::NAN).contains("NaN"));
    assert!(why(&|s| s.overheads.reselect = Picoseconds::MAX).contains("nothing that a disk does takes"));
}

#[test]
fn a_clock_at_its_end_and_requests_beyond_the_disk_are_served() {
    let mut disk = HardDisk::new(&spec()).unwrap();
    disk.submit(
        Picoseconds::MAX,
        1,
        Request { operation: Operation::Write, offset: u64::MAX, bytes: u32::MAX },
    );
    disk.submit(
        Picoseconds::MAX,
        2,
        Request { operation: Operation::Read, offset: 1_535_999, bytes: u32::MAX },
    );
    disk.submit(Picoseconds::MAX, 3, Request { operation: Operation::Read, offset: 0, bytes: 0 });
    let mut completed = Vec::new();
    disk.advance(Picoseconds::MAX, &mut completed);
    assert_eq!(completed.iter().map(|c| c.tag).collect::<Vec<_>>(), [1, 2, 3]);
}

prop_compose! {
    fn any_spec()(
        order in prop::sample::select(vec![
            ServiceOrder::Fcfs, ServiceOrder::Sstf, ServiceOrder::Look, ServiceOrder::CLook, ServiceOrder::Sptf,
        ]),
        read_ahead in prop::sample::select(vec![
            ReadAhead::None, ReadAhead::Track { blocks: 40 }, ReadAhead::Cylinder { blocks: 300 },
            ReadAhead::Blocks { blocks: 90 }, ReadAhead::TrackAndNext,
        ]),
        flags in prop::array::uniform10(any::<bool>()),
        segments in 1usize..4,
        segment_blocks in 1u64..200,
        bus in 0.0f64..0.6,
        mark in 0.0f64..=1.0,
        queue_depth in 1usize..10,
        times in prop::array::uniform5(0.0f64..1.0),
    ) -> HardDiskSpec {
        changed(|s| {
            (s.order, s.queue_depth) = (order, queue_depth);
            s.cache = CacheSpec {
                segments, segment_blocks, read_ahead, enabled: flags[0], restart_on_hit: flags[1],
                stops_in_sector: flags[2], almost_hits: flags[8], write_back: flags[3], written_readable: flags[4], joins_writes: flags[5],
                gathers_writes: flags[6] != flags[9],
            };
            s.bus = BusSpec {
                read_block: ms(bus), write_block: ms(bus), never_disconnects: flags[6], held_by_reads: flags[7],
                read_water_mark: mark, water_mark_of_request: flags[8], write_waits_for_ten: flags[9],
            };
            s.overheads.reselect = ms(times[0]);
            s.overheads.data_preparation = ms(times[1]);
            s.overheads.read_disconnect = After::both(ms(times[2]));
            s.overheads.write_disconnect = ms(times[3]);
            s.overheads.least_write_seek = ms(times[4]);
            s.overheads.overlaps_waiting = flags[0] != flags[9];
        })
    }
}

proptest! {
    /// Whatever the drive and however many wait: what is chosen is what the rules say, at each choice, as long as
    /// commands that were there first go before those beyond the depth of the queue.
    #[test]
    fn the_command_chosen_is_the_one_that_a_look_at_all_finds(
        spec in any_spec(),
        order in prop::sample::select(vec![
            ServiceOrder::Sstf, ServiceOrder::Look, ServiceOrder::CLook, ServiceOrder::Sptf, ServiceOrder::Sptf,
        ]),
        depth in 2usize..80,
        segments in 1usize..20,
        turned in any::<bool>(),
        heads in prop::sample::select(vec![HeadOrder::Ascending, HeadOrder::TurnsInZone, HeadOrder::TurnsOnOdd]),
        curve in prop::collection::vec((1u64..8, 0.0f64..4.0), 1..5),
        settle in -2_000_000_000i64..2_000_000_000,
        together in prop_oneof![Just(0u64), 0u64..20_000_000_000],
        // Few places, so that commands are equal, overlap and find each other's blocks in the cache.
        requests in prop::collection::vec(
            (prop_oneof![Just(0u64), 0u64..30_000_000_000], prop::bool::weighted(0.3), 0u64..3_000, 0u64..40, 1u32..80),
            1..250,
        ),
        few in 1u64..3_000,
    ) {
        let mut spec = spec;
        (spec.order, spec.queue_depth, spec.cache.segments) = (order, depth, segments);
        spec.layout.heads = heads;
        if turned {
            // Blocks begin on the inner cylinders.
            spec.layout.zones.reverse();
        }
        let mut way = 0;
        let points = curve.iter().map(|(step, time)| { way += step; (way, ms(*time)) });
        spec.arm.curve = SeekCurve::new(points.collect()).unwrap();
        spec.arm.write_settle_ps = settle;
        let mut disk = HardDisk::new(&spec).unwrap();
        let (mut completed, mut now) = (Vec::new(), 0);
        for (tag, (gap, write, block, beside, blocks)) in (0..).zip(&requests) {
            now += gap.min(&together);
            let operation = if *write { Operation::Write } else { Operation::Read };
            let offset = (block % few + beside) * 512;
            disk.submit(Picoseconds(now), tag, Request { operation, offset, bytes: blocks * 512 });
        }
        disk.advance(Picoseconds(u64::MAX), &mut completed);
        let mut tags: Vec<u64> = completed.iter().map(|c| c.tag).collect();
        tags.sort_unstable();
        prop_assert_eq!(tags, (0..requests.len() as u64).collect::<Vec<_>>());
    }

    /// Whatever the drive: each request is done once, later than it came by what the bus takes at least, and
    /// however often the disk is told the time.
    #[test]
    fn every_request_is_done_once_however_often_the_disk_is_told_the_time(
        spec in any_spec(),
        requests in prop::collection::vec((0u64..30_000_000_000, any::<bool>(), 0u64..3_000, 1u32..150), 1..60),
        steps in 1u64..40,
    ) {
        let run = |steps: u64| {
            let mut disk = HardDisk::new(&spec).unwrap();
            let mut completed = Vec::new();
            let mut now = 0;
            for (tag, (gap, write, block, blocks)) in requests.iter().enumerate() {
                for step in 1..steps {
                    disk.advance(Picoseconds(now + gap * step / steps), &mut completed);
                }
                now += gap;
                let operation = if *write { Operation::Write } else { Operation::Read };
                let request = Request { operation, offset: block * 512, bytes: blocks * 512 };
                disk.submit(Picoseconds(now), tag as u64, request);
            }
            while let Some(next) = disk.next_event() {
                disk.advance(next, &mut completed);
            }
            completed
        };
        let completed = run(1);
        prop_assert_eq!(&run(steps), &completed);
        prop_assert!(completed.windows(2).all(|pair| pair[0].at <= pair[1].at));
        let mut tags: Vec<u64> = completed.iter().map(|c| c.tag).collect();
        tags.sort_unstable();
        prop_assert_eq!(tags, (0..requests.len() as u64).collect::<Vec<_>>());
        let mut came = 0;
        let times: Vec<u64> = requests.iter().map(|r| { came += r.0; came }).collect();
        for done in &completed {
            let number = done.tag as usize;
            let blocks = u64::from(requests[number].3).min(3_000 - requests[number].2);
            prop_assert!(done.at.0 >= times[number] + blocks * spec.bus.read_block.0);
        }
    }
}
