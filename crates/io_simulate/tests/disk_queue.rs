//! Several commands in a disk from its data sheet: reads ahead, the write cache and the one controller, by hand.
#![allow(clippy::unwrap_used)]

use spindle_io_simulate::{
    DataSheet, Device, HardDisk, Operation, Picoseconds, Request, Seeded, ServiceOrder, closed_loop,
};

/// 100 MB/s everywhere, 7,200 turns a minute; 0.1 ms a command, a sector in 1.707 us over the bus.
fn sheet() -> DataSheet {
    DataSheet {
        capacity_bytes: 100e9,
        rpm: 7_200.0,
        surfaces: 2,
        zones: 1,
        outer_mbps: 100.0,
        inner_mbps: 100.0,
        track_seek_ms: 0.8,
        average_seek_ms: 8.5,
        full_seek_ms: 17.0,
        write_settle_ms: 0.3,
        head_switch_ms: 0.8,
        overhead_ms: 0.1,
        bus_mbps: 300.0,
        cache_bytes: 8_388_608.0,
        segments: 16,
        write_back: true,
        queue_depth: 64,
        order: ServiceOrder::Sptf,
    }
}

fn disk(sheet: &DataSheet) -> HardDisk {
    HardDisk::new(&sheet.spec().unwrap()).unwrap()
}

/// MB/s of so many requests one behind the other.
fn in_sequence(sheet: &DataSheet, operation: Operation, bytes: u32, depth: usize, count: u64) -> f64 {
    let requests = (0..count).map(|i| Request { operation, offset: i * u64::from(bytes), bytes });
    closed_loop(&mut disk(sheet), depth, requests).unwrap().bytes_per_s().unwrap() / 1e6
}

fn random_iops(sheet: &DataSheet, depth: usize, count: u64) -> f64 {
    let mut random = Seeded::new(3, 0);
    let requests = (0..count).map(|_| Request {
        operation: Operation::Read,
        offset: random.below(12_000_000) * 8_192,
        bytes: 8_192,
    });
    closed_loop(&mut disk(sheet), depth, requests).unwrap().iops().unwrap()
}

#[track_caller]
fn near(found: f64, by_hand: f64, share: f64) {
    assert!((found / by_hand - 1.0).abs() <= share, "{found}, by hand {by_hand}");
}

#[test]
fn a_sequential_reader_with_several_commands_left_what_was_being_read_ahead() {
    for depth in [1, 2, 3, 4, 8, 16, 32, 64] {
        near(in_sequence(&sheet(), Operation::Read, 65_536, depth, 4_000), 100.0, 0.02);
    }
}

#[test]
fn the_write_cache_held_one_write_whatever_its_size() {
    let mut disk = disk(&sheet());
    for tag in 0..40 {
        let offset = (tag * 7_919 % 12_000) * 8_192_000;
        disk.submit(Picoseconds::ZERO, tag, Request { operation: Operation::Write, offset, bytes: 8_192 });
    }
    let mut completed = Vec::new();
    while let Some(next) = disk.next_event() {
        disk.advance(next, &mut completed);
    }
    assert_eq!(completed.len(), 40);
    // One command after the other is taken up for 0.1 ms, and its 16 sectors follow in 0.0273 ms.
    for (number, done) in (1..=16).zip(&completed) {
        near(done.at.as_us(), 100.0 * f64::from(number) + 27.307, 1e-4);
    }
    // Sixteen runs and the one that is being written are all that it holds.
    assert!(completed[17].at.as_us() > 100.0 * 18.0 + 27.4, "{}", completed[17].at);
    assert!(completed[39].at.as_us() > 20_000.0, "{}", completed[39].at);
}

#[test]
fn sequential_writes_lost_a_turn_for_each_segment_of_the_cache() {
    for segments in [1, 2, 4, 16, 64] {
        let sheet = DataSheet { segments, ..sheet() };
        // At the end 8 MiB of 1.3 GB are in the cache.
        for depth in [1, 4] {
            near(in_sequence(&sheet, Operation::Write, 65_536, depth, 20_000), 100.6, 0.02);
        }
    }
}

#[test]
fn sequential_writes_that_wait_in_the_disk_lost_a_turn_each() {
    let through = DataSheet { write_back: false, ..sheet() };
    near(in_sequence(&through, Operation::Write, 65_536, 32, 4_000), 100.0, 0.02);
    // Alone each waits for its block to come round again: a turn of 8.333 ms, and 65,536 bytes at 100 MB/s.
    near(in_sequence(&through, Operation::Write, 65_536, 1, 1_000), 0.065_536 / 0.008_989, 0.03);
}

#[test]
fn the_controller_took_up_any_number_of_commands_at_once() {
    let fcfs = |overhead_ms| DataSheet { overhead_ms, order: ServiceOrder::Fcfs, ..sheet() };
    // 20 ms a command are 50 a second, however many wait; 100 ms are 10.
    near(random_iops(&fcfs(20.0), 16, 2_000), 50.0, 0.01);
    near(random_iops(&fcfs(100.0), 64, 1_000), 10.0, 0.01);
    // 0.3 ms a command are 3,333 a second of what is read ahead: 13.7 MB/s of 4 KiB.
    for depth in [2, 4] {
        near(in_sequence(&fcfs(0.3), Operation::Read, 4_096, depth, 20_000), 4_096.0 / 300.0, 0.01);
    }
    // It works while the arm does: 1 ms of it is not felt.
    near(random_iops(&fcfs(1.0), 16, 2_000), random_iops(&fcfs(0.1), 16, 2_000), 0.02);
}

#[test]
fn reads_and_what_the_write_cache_holds_take_turns_where_it_is_full() {
    // Writes at any time fill it; a reader must go on at half of what it has alone, or more.
    let mut random = Seeded::new(5, 0);
    let requests = (0..4_000).map(|i| Request {
        operation: if i % 4 == 0 { Operation::Read } else { Operation::Write },
        offset: random.below(12_000_000) * 8_192,
        bytes: 8_192,
    });
    let run = closed_loop(&mut disk(&sheet()), 32, requests).unwrap();
    let longest = run.served.iter().map(|s| s.latency().as_us()).fold(0.0, f64::max);
    assert!(longest < 2e6, "{longest} us");
}
