//! A tier answers every request and moves every byte: what is read in large requests, past the cache, or before
//! anybody waits for it, is not free.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "shared with other tests")]
mod made;

use made::{Hour, Segment, report, tier};
use spindle_facts::{IoActivity, Report, TablespaceIo};
use spindle_planning::{Candidate, PlaceOptions, Plan, Planner, Reduced, Tier};

const ELAPSED_S: f64 = 3_600.0;

fn hour(segments: Vec<Segment>, single: (f64, f64), multi: (f64, f64), direct: (f64, f64)) -> Hour {
    Hour { number: 0, instance: 1, cpu_s: 1_000.0, single, multi, direct, temp: (0.0, 0.0), segments }
}

/// One-block reads a second and their mean, all reads, their mean and blocks a read.
fn space(name: &str, (one_s, one_us): (f64, f64), (reads, us, blocks): (f64, f64, f64)) -> TablespaceIo {
    TablespaceIo {
        line: 40,
        tablespace: name.into(),
        reads: Some(reads),
        avg_read_us: Some(us),
        blocks_per_read: Some(blocks),
        one_block_reads_per_s: Some(one_s),
        one_block_avg_us: Some(one_us),
        ..TablespaceIo::default()
    }
}

fn planned(report: &Report, tier: &Tier, spaces: &[&str]) -> Plan {
    let mut planner = Planner::default();
    planner.add(Reduced::of(report));
    let sizes = spaces.iter().map(|name| ((*name).to_owned(), 1e11)).collect();
    planner.plan(std::slice::from_ref(tier), &[], &PlaceOptions { sizes, ..PlaceOptions::default() }).unwrap()
}

fn named<'p>(plan: &'p Plan, object: &str) -> &'p Candidate {
    plan.candidates.iter().find(|c| c.object == object).unwrap()
}

/// Seconds of the only tablespace's reads on a tier, by hand: latency for each request, bandwidth for each byte.
fn then_s(reads: f64, blocks: f64, tier: &Tier) -> f64 {
    (reads * tier.read_latency_us + reads * blocks * 8_192.0 / tier.mbps.unwrap()) / 1e6
}

#[test]
fn a_narrow_tier_saved_most_of_what_is_read_in_large_requests() {
    // 200 of 220 reads a second are of one block, in 0.5 ms; the others bring 101 blocks each, in 3 ms, half of
    // them past the cache.
    let single = 200.0 * ELAPSED_S;
    let large = 20.0 * ELAPSED_S;
    let reads = single + large;
    let blocks = (single + 101.0 * large) / reads;
    let seconds = single * 0.000_5 + large * 0.003;
    let mut made = report(&hour(
        Vec::new(),
        (single, single * 0.000_5),
        (large / 2.0, large / 2.0 * 0.003),
        (large / 2.0, large / 2.0 * 0.003),
    ));
    for (name, total) in [
        ("physical reads", reads * blocks),
        ("physical reads direct", large / 2.0 * 101.0),
        ("physical reads direct temporary tablespace", 0.0),
    ] {
        let stat = made.tables.instance_stat.iter_mut().find(|s| s.statistic == name).unwrap();
        stat.total = Some(total);
    }
    made.tables.tablespace_io.push(space("DATA", (200.0, 500.0), (reads, seconds * 1e6 / reads, blocks)));
    for mbps in [200.0, 500.0, 2_000.0, 20_000.0] {
        let tier = Tier { mbps: Some(mbps), ..tier(1e13, 50.0) };
        let saves = named(&planned(&made, &tier, &["DATA"]), "tablespace DATA").saves_s.unwrap();
        let by_hand = (seconds - then_s(reads, blocks, &tier)).max(0.0);
        assert!((saves.mid - by_hand).abs() < 0.03 * seconds, "{mbps} MB/s: {saves:?} and {by_hand}");
    }
}

#[test]
fn direct_reads_that_nobody_waits_for_yet_went_to_a_slow_tier_for_free() {
    // 10,000 of 1,000,000 direct reads were waited for, 0.5 ms each: the others were done in time.
    let made_reads = 1e6;
    let segment = Segment {
        name: "BIG".into(),
        is_index: false,
        tablespace: 0,
        reads: 128.0 * made_reads,
        request_share: Some(1.0 / 128.0),
        direct_share: Some(1.0),
        bytes: 1e10,
    };
    let hour = hour(vec![segment], (1e6, 2_000.0), (0.0, 0.0), (10_000.0, 5.0));
    let mut made = report(&hour);
    made.tables.tablespace_io.clear();
    made.tables.io_function.push(IoActivity {
        function: Some("Direct Reads".into()),
        reads_per_s: Some(made_reads / ELAPSED_S),
        read_bytes: Some(made_reads * 1_048_576.0),
        large_read_us: None,
        ..IoActivity::default()
    });
    let saves = |mbps: f64| {
        let tier = Tier { mbps: Some(mbps), ..tier(1e13, 200.0) };
        let mut planner = Planner::default();
        planner.add(Reduced::of(&made));
        let plan =
            planner.plan(&[tier], &[made::sizes(std::slice::from_ref(&hour))], &PlaceOptions::default());
        let plan = plan.unwrap();
        let big = plan.candidates.iter().find(|c| c.name == "BIG").unwrap();
        (big.tier.clone(), big.saves_s.map_or(0.0, |s| s.mid))
    };
    assert!(saves(1e6).1 > 0.0);
    // 105 ms a request and a million of them: nothing that it waits for pays for that.
    assert_eq!(saves(10.0), (None, 0.0));
}

#[test]
fn single_blocks_printed_apart_were_passed_over_where_all_reads_agree() {
    // Both tablespaces read 12 of their 100 reads a second in several blocks; those of A are slow, its single
    // blocks are not.
    let spaces = [("A", 500.0, 20_000.0), ("B", 1_500.0, 4_000.0)];
    let (single, large) = (88.0 * ELAPSED_S, 12.0 * ELAPSED_S);
    let of = |us: fn(&(&str, f64, f64)) -> f64, n: f64| spaces.iter().map(|s| n * us(s) / 1e6).sum::<f64>();
    let mut made = report(&hour(
        Vec::new(),
        (2.0 * single, of(|s| s.1, single)),
        (2.0 * large, of(|s| s.2, large)),
        (0.0, 0.0),
    ));
    for (name, one_us, more_us) in spaces {
        let us = 0.88 * one_us + 0.12 * more_us;
        made.tables.tablespace_io.push(space(name, (88.0, one_us), (100.0 * ELAPSED_S, us, 2.0)));
    }
    let plan = planned(&made, &tier(1e13, 100.0), &["A", "B"]);
    for (name, one_us, _) in spaces {
        let c = named(&plan, &format!("tablespace {name}"));
        let of_single =
            c.waits_by_component.iter().find(|(k, _)| *k == spindle_planning::Component::SingleBlockRead);
        let (right, found) = (single * one_us / 1e6, of_single.unwrap().1.mid);
        assert!((found / right - 1.0).abs() < 0.05, "{name}: {found} s, printed {right} s");
    }
}

#[test]
fn the_frontier_of_todays_tier_ended_above_the_plan() {
    let segment = |n: usize, reads: f64| Segment {
        name: format!("T{n}"),
        is_index: n.is_multiple_of(2),
        tablespace: n % 3,
        reads,
        request_share: None,
        direct_share: None,
        bytes: 4e9,
    };
    let segments = (0..12).map(|n| segment(n, 1e5 / (n + 1) as f64)).collect();
    let hour = hour(segments, (2e5, 1_500.0), (3_000.0, 60.0), (1_000.0, 20.0));
    for capacity in [5e9, 2e10, 1e11] {
        let plan =
            made::plan(std::slice::from_ref(&hour), &[tier(capacity, 300.0)], &PlaceOptions::default());
        let plan = plan.unwrap();
        let whole = plan.frontier.iter().map(|p| p.capacity_bytes).fold(0.0, f64::max);
        let own = plan.frontier.iter().find(|p| p.capacity_bytes == capacity.min(whole)).unwrap();
        assert_eq!(own.saves_s, plan.saves_s, "{capacity}");
    }
}

/// The seconds that a tablespace prints beyond what was waited counted as reads that nobody waits for, though as many
/// waits as reads are printed: its rest saved most of its wait on a tier as slow as today's storage.
#[test]
fn reads_were_taken_for_fewer_than_their_waits_where_tablespaces_print_longer_ones() {
    let segment = Segment {
        name: "ORDERS".into(),
        is_index: false,
        tablespace: 0,
        reads: 1e6,
        request_share: Some(1.0),
        direct_share: None,
        bytes: 1e9,
    };
    // 1.2 million reads of one block, a million of them of one table. Sessions waited 1 ms for each, and the
    // tablespace prints 4 ms.
    let (reads, waited_us) = (1.2e6, 1_000.0);
    let hour = hour(vec![segment], (reads, reads * waited_us / 1e6), (0.0, 0.0), (0.0, 0.0));
    let mut made = report(&hour);
    for row in &mut made.tables.tablespace_io {
        (row.reads, row.blocks_per_read, row.avg_read_us) = (Some(reads), Some(1.0), Some(4_000.0));
    }
    for tier_us in [250.0, 500.0, 1_000.0, 3_000.0] {
        let tier = Tier { mbps: Some(1e6), ..tier(1e13, tier_us) };
        let plan = planned(&made, &tier, &["ORDERS", "DATA0"]);
        let by_hand = (reads * (waited_us - tier_us)).max(0.0) / 1e6;
        assert!(
            (plan.saves_s.mid - by_hand).abs() <= 0.02 * reads * waited_us / 1e6,
            "{tier_us}: {:?}",
            plan.saves_s
        );
        // Where the table is no candidate, the tablespace stands as a whole.
        let rest = plan.candidates.iter().find(|c| c.object.ends_with("tablespace DATA0")).unwrap();
        let left = (1.0 - tier_us / waited_us).max(0.0) * rest.waits_s.mid;
        assert!(rest.saves_s.map_or(0.0, |s| s.mid) <= left + 2.0, "{tier_us}: {:?} of {left}", rest.saves_s);
    }
}

/// Blocks in all, and of them those read past the cache.
fn set_blocks(made: &mut Report, all: f64, direct: f64) {
    for (name, total) in [("physical reads", all), ("physical reads direct", direct)] {
        let stat = made.tables.instance_stat.iter_mut().find(|s| s.statistic == name).unwrap();
        stat.total = Some(total);
    }
}

/// Sessions that wait for half of each direct read wait for all that it takes longer; half of it was charged.
#[test]
fn half_of_what_direct_reads_take_longer_was_charged() {
    // A million reads of one block in 4 ms; 200,000 of 128 in 10 ms, of which sessions waited for 5 ms.
    let (single, direct) = (1e6, 2e5);
    let mut made = report(&hour(Vec::new(), (single, single * 0.004), (0.0, 0.0), (direct, direct * 0.005)));
    let blocks = single + 128.0 * direct;
    set_blocks(&mut made, blocks, 128.0 * direct);
    let reads = single + direct;
    let us = (single * 4_000.0 + direct * 10_000.0) / reads;
    made.tables.tablespace_io.push(space("DATA", (single / ELAPSED_S, 4_000.0), (reads, us, blocks / reads)));
    let saves = |mbps: f64| {
        let tier = Tier { mbps: Some(mbps), ..tier(1e13, 100.0) };
        named(&planned(&made, &tier, &["DATA"]), "tablespace DATA").saves_s.unwrap().mid
    };
    for mbps in [50.0, 60.0, 80.0] {
        let (one_s, many_s) = (1e-4 + 8_192.0 / (mbps * 1e6), 1e-4 + 1_048_576.0 / (mbps * 1e6));
        let by_hand = single * (0.004 - one_s) - direct * (many_s - 0.010);
        assert!((saves(mbps) - by_hand).abs() < 0.03 * by_hand, "{mbps} MB/s: {} and {by_hand}", saves(mbps));
    }
}

/// A direct read was taken to run four times as long as its wait at most, whatever time its tablespace printed.
#[test]
fn direct_reads_that_tablespaces_print_longer_could_gain_nothing() {
    // 200,000 reads of 1 MiB in 10 ms, of which sessions waited for 1 ms; 1 MiB takes 5.5 ms there.
    let (single, direct) = (1e6, 2e5);
    let of = |name: &str, requests: f64, blocks: f64, direct: f64| Segment {
        name: name.into(),
        is_index: false,
        tablespace: 0,
        reads: requests * blocks,
        request_share: Some(1.0 / blocks),
        direct_share: Some(direct),
        bytes: 1e11,
    };
    let segments = vec![of("SMALL", single, 1.0, 0.0), of("BIG", direct, 128.0, 1.0)];
    let mut made = report(&hour(segments, (single, single * 0.004), (0.0, 0.0), (direct, direct * 0.001)));
    let blocks = single + 128.0 * direct;
    set_blocks(&mut made, blocks, 128.0 * direct);
    let reads = single + direct;
    let us = (single * 4_000.0 + direct * 10_000.0) / reads;
    for row in &mut made.tables.tablespace_io {
        (row.reads, row.blocks_per_read, row.avg_read_us) = (Some(reads), Some(blocks / reads), Some(us));
    }
    let tier = Tier { mbps: Some(200.0), ..tier(1e13, 300.0) };
    let plan = planned(&made, &tier, &["SMALL", "BIG", "DATA0"]);
    // BIG stands by itself, or moves along with the rest.
    let others = plan.candidates.iter().filter(|c| c.name != "SMALL");
    let most: f64 = others.filter_map(|c| Some(c.saves_s?.high)).sum();
    assert!(most > 0.9 * direct * 0.001, "{:?}", plan.candidates);
}

/// Large reads of a tablespace behind a cache take much longer than its small ones; the range of an object held what
/// its own tablespace prints for both together, divided as in all others.
#[test]
fn large_reads_behind_a_cache_lay_above_their_range() {
    // DATA0: 12 and 30 ms. DATA1: 0.4 and 2 ms.
    let of = |name: &str, tablespace, reads: f64, blocks: f64| Segment {
        name: name.into(),
        is_index: false,
        tablespace,
        reads: reads * blocks,
        request_share: Some(1.0 / blocks),
        direct_share: None,
        bytes: 1e9,
    };
    let segments =
        vec![of("A", 0, 1e6, 1.0), of("AA", 0, 1e5, 32.0), of("B", 1, 4e6, 1.0), of("C", 1, 1e5, 32.0)];
    let mut made = report(&hour(segments, (5e6, 12_000.0 + 1_600.0), (2e5, 3_000.0 + 200.0), (0.0, 0.0)));
    set_blocks(&mut made, 5e6 + 2e5 * 32.0, 0.0);
    for row in &mut made.tables.tablespace_io {
        let (reads, blocks, s) =
            if row.tablespace == "DATA0" { (1.1e6, 4.2e6, 15_000.0) } else { (4.1e6, 7.2e6, 1_800.0) };
        (row.reads, row.blocks_per_read, row.avg_read_us) =
            (Some(reads), Some(blocks / reads), Some(s * 1e6 / reads));
    }
    let plan = planned(&made, &tier(1e13, 100.0), &["A", "AA", "B", "C", "DATA0", "DATA1"]);
    for (name, waited_s) in [("A", 12_000.0), ("AA", 3_000.0), ("B", 1_600.0), ("C", 200.0)] {
        let c = plan.candidates.iter().find(|c| c.name == name).unwrap();
        assert!(
            c.waits_s.low <= waited_s && waited_s <= c.waits_s.high,
            "{name}: {waited_s} in {:?}",
            c.waits_s
        );
    }
}

/// Kinds of read are likely ones, of objects and of their tablespace; where they fit each other badly, a tablespace
/// of which every read is listed had a rest that saved hundreds of seconds.
#[test]
fn a_rest_that_reads_nothing_saved_large_reads() {
    let of = |name: &str, tablespace, requests: f64, blocks: f64| Segment {
        name: name.into(),
        is_index: false,
        tablespace,
        reads: blocks,
        request_share: Some(requests / blocks),
        direct_share: None,
        bytes: 1e9,
    };
    // A: 1.3 million single blocks and 100,000 reads of 16. C: 7,000 reads of 64, so that the mean is 19.
    let segments =
        vec![of("A", 0, 1.4e6, 2.9e6), of("B", 0, 450_000.0, 450_000.0), of("C", 1, 7_000.0, 448_000.0)];
    let mut made = report(&hour(segments, (2.25e6, 18_000.0), (107_000.0, 3_100.0), (0.0, 0.0)));
    set_blocks(&mut made, 4.298e6, 0.0);
    for row in &mut made.tables.tablespace_io {
        let (reads, blocks, us) = if row.tablespace == "DATA0" {
            (1.85e6, 3.35e6, 10_800.0)
        } else {
            (507_000.0, 948_000.0, 3_100.0)
        };
        (row.reads, row.blocks_per_read, row.avg_read_us) = (Some(reads), Some(blocks / reads), Some(us));
    }
    let plan = planned(&made, &tier(1e13, 500.0), &["A", "B", "C", "DATA0", "DATA1"]);
    let rest = plan.candidates.iter().find(|c| c.object == "rest of tablespace DATA0");
    let most = rest.and_then(|c| c.saves_s).map_or(0.0, |s| s.mid);
    assert!(most < 0.001 * 21_100.0, "{rest:?}");
}

#[test]
fn a_tablespace_that_prints_fewer_reads_than_its_objects_saved_the_waits_of_all() {
    let segment = Segment {
        name: "BIG".into(),
        is_index: false,
        tablespace: 0,
        reads: 1e6,
        request_share: Some(1.0),
        direct_share: None,
        bytes: 1e9,
    };
    let mut made = report(&hour(vec![segment], (1e6, 5_000.0), (0.0, 0.0), (0.0, 0.0)));
    for row in &mut made.tables.tablespace_io {
        (row.reads, row.blocks_per_read, row.avg_read_us) = (Some(1e4), Some(1.0), Some(5_000.0));
    }
    let plan = planned(&made, &tier(1e13, 500.0), &["BIG", "DATA0"]);
    for c in &plan.candidates {
        let saves = c.saves_s.unwrap_or_default();
        assert!(saves.mid <= c.waits_s.mid && saves.mid <= saves.high, "{c:?}");
    }
    assert!(
        plan.saves_s.low <= plan.saves_s.mid && plan.saves_s.mid <= plan.saves_s.high,
        "{:?}",
        plan.saves_s
    );
}
