//! A table that moves with its indexes takes the room of all of them.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "shared with other tests")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{Collected, CollectedFile, CollectedIndex, CollectedSegment};
use spindle_planning::{PlaceOptions, Plan, Planner, Reduced};

const GIB: f64 = 1_073_741_824.0;

fn segment(name: &str, is_index: bool, reads: f64) -> Segment {
    Segment {
        name: name.into(),
        is_index,
        tablespace: 0,
        reads,
        request_share: Some(1.0),
        direct_share: None,
        bytes: 10.0 * GIB,
    }
}

/// Two indexes in the report; their table and a third index, of 500 GiB, in the list alone.
fn plan(capacity_bytes: f64) -> Plan {
    let hour = Hour {
        number: 0,
        instance: 1,
        cpu_s: 100.0,
        single: (1e6, 8_000.0),
        multi: (1.0, 0.01),
        direct: (1.0, 0.01),
        temp: (1.0, 0.01),
        segments: vec![segment("ORDERS_PK", true, 6e5), segment("OTHER", false, 2e5)],
    };
    let mut list: Collected = sizes(std::slice::from_ref(&hour));
    for (name, kind, bytes) in [("ORDERS", "TABLE", 100.0 * GIB), ("ORDERS_BIG_IX", "INDEX", 500.0 * GIB)] {
        list.segments.push(CollectedSegment {
            owner: Some("APP".into()),
            segment: name.into(),
            segment_type: Some(kind.into()),
            bytes: Some(bytes),
            ..CollectedSegment::default()
        });
    }
    for index in ["ORDERS_PK", "ORDERS_BIG_IX"] {
        list.indexes.push(CollectedIndex {
            owner: "APP".into(),
            index: index.into(),
            table_owner: Some("APP".into()),
            table: Some("ORDERS".into()),
            ..CollectedIndex::default()
        });
    }
    let mut planner = Planner::default();
    planner.add(Reduced::of(&report(&hour)));
    let options = PlaceOptions { keep_indexes: true, ..PlaceOptions::default() };
    planner.plan(&[tier(capacity_bytes, 200.0)], &[list], &options).unwrap()
}

#[test]
fn parts_that_no_report_lists_take_their_room() {
    let whole = plan(40.0 * GIB);
    let orders = whole.candidates.iter().find(|c| c.name == "ORDERS").unwrap();
    assert_eq!(orders.size_bytes, Some(610.0 * GIB));
    assert_eq!(orders.tier, None, "{}", orders.why);
    assert!(whole.chosen.iter().any(|c| c == "APP.OTHER"), "{:?}", whole.chosen);
    assert!(plan(700.0 * GIB).chosen.iter().any(|c| c.starts_with("APP.ORDERS")));
}

/// A table in one tablespace and its index in another, both with files of known size; `change` sets options.
fn two_spaces(change: impl FnOnce(&mut PlaceOptions)) -> Plan {
    let index = Segment { tablespace: 1, ..segment("ORDERS_PK", true, 6e5) };
    let hour = Hour {
        number: 0,
        instance: 1,
        cpu_s: 100.0,
        single: (1e6, 8_000.0),
        multi: (1.0, 0.01),
        direct: (1.0, 0.01),
        temp: (1.0, 0.01),
        segments: vec![segment("ORDERS", false, 2e5), index, segment("OTHER", false, 1e5)],
    };
    let mut list: Collected = sizes(std::slice::from_ref(&hour));
    list.indexes.push(CollectedIndex {
        owner: "APP".into(),
        index: "ORDERS_PK".into(),
        table_owner: Some("APP".into()),
        table: Some("ORDERS".into()),
        ..CollectedIndex::default()
    });
    let spaces: std::collections::BTreeSet<String> =
        list.segments.iter().filter_map(|s| s.tablespace.clone()).collect();
    for (n, space) in spaces.into_iter().enumerate() {
        list.files.push(CollectedFile {
            tablespace: space,
            file: format!("/data/{n}.dbf"),
            bytes: Some(50.0 * GIB),
            ..CollectedFile::default()
        });
    }
    let mut planner = Planner::default();
    planner.add(Reduced::of(&report(&hour)));
    let mut options = PlaceOptions { keep_indexes: true, ..PlaceOptions::default() };
    change(&mut options);
    planner.plan(&[tier(500.0 * GIB, 200.0)], &[list], &options).unwrap()
}

#[test]
fn an_index_to_stay_moved_with_its_table() {
    for name in ["ORDERS_PK", "APP.ORDERS_PK", "app.orders"] {
        let plan = two_spaces(|o| o.banned.push(name.into()));
        assert!(!plan.warnings.iter().any(|w| w.contains("--ban")), "{:?}", plan.warnings);
        let orders = plan.candidates.iter().find(|c| c.object == "APP.ORDERS with its indexes").unwrap();
        assert!(orders.tier.is_none() && orders.excluded_because.is_some(), "{orders:?}");
        // Neither do the files that they lie in.
        for rest in plan.candidates.iter().filter(|c| c.object.contains("tablespace")) {
            assert_eq!(rest.tier, None, "{}: {}", rest.object, rest.why);
        }
    }
    let pinned = two_spaces(|o| o.pinned.push(("ORDERS_PK".into(), None)));
    assert!(pinned.chosen.iter().any(|c| c == "APP.ORDERS with its indexes"), "{:?}", pinned.chosen);
}

#[test]
fn bytes_of_a_table_with_its_indexes_were_left_in_their_tablespaces() {
    let plan = two_spaces(|_| ());
    let bytes: f64 =
        plan.candidates.iter().filter(|c| plan.chosen.contains(&c.object)).filter_map(|c| c.size_bytes).sum();
    assert!(bytes <= 100.0 * GIB + 1.0, "{} GiB of 100: {:?}", bytes / GIB, plan.chosen);
}

#[test]
fn a_size_given_for_a_table_was_not_used_with_its_indexes() {
    let plan = two_spaces(|o| o.sizes.push(("APP.ORDERS".into(), 300.0 * GIB)));
    let orders = plan.candidates.iter().find(|c| c.object == "APP.ORDERS with its indexes").unwrap();
    assert_eq!(orders.size_bytes, Some(310.0 * GIB));
}

#[test]
fn a_size_given_against_the_lists_was_taken_in_silence() {
    let plan = two_spaces(|o| o.sizes.push(("APP.ORDERS".into(), 1024.0)));
    assert!(
        plan.warnings.iter().any(|w| w.contains("`APP.ORDERS` is taken to be of 1 KiB")),
        "{:?}",
        plan.warnings
    );
}

#[test]
fn a_small_table_in_two_tablespaces_held_both_back() {
    let index = Segment { tablespace: 1, bytes: 1e6, ..segment("SMALL_PK", true, 2.0) };
    let small = Segment { bytes: 1e6, ..segment("SMALL", false, 2.0) };
    let big = |name: &str, tablespace| Segment { tablespace, ..segment(name, false, 3e5) };
    let hour = Hour {
        number: 0,
        instance: 1,
        cpu_s: 100.0,
        single: (1e6, 8_000.0),
        multi: (1.0, 0.01),
        direct: (1.0, 0.01),
        temp: (1.0, 0.01),
        segments: vec![small, index, big("ORDERS", 0), big("LINES", 1)],
    };
    let mut list: Collected = sizes(std::slice::from_ref(&hour));
    list.indexes.push(CollectedIndex {
        owner: "APP".into(),
        index: "SMALL_PK".into(),
        table_owner: Some("APP".into()),
        table: Some("SMALL".into()),
        ..CollectedIndex::default()
    });
    for (n, space) in ["DATA0", "DATA1"].into_iter().enumerate() {
        list.files.push(CollectedFile {
            tablespace: space.into(),
            file: format!("/data/{n}.dbf"),
            bytes: Some(50.0 * GIB),
            ..CollectedFile::default()
        });
    }
    let of = |keep_indexes: bool| {
        let mut planner = Planner::default();
        planner.add(Reduced::of(&report(&hour)));
        let options = PlaceOptions { keep_indexes, ..PlaceOptions::default() };
        planner.plan(&[tier(500.0 * GIB, 200.0)], std::slice::from_ref(&list), &options).unwrap()
    };
    let (kept, apart) = (of(true), of(false));
    assert!(
        (kept.saves_s.mid / apart.saves_s.mid - 1.0).abs() < 1e-3,
        "{:?} {:?}",
        kept.saves_s,
        apart.saves_s
    );
    let small = kept.candidates.iter().find(|c| c.object == "APP.SMALL with its indexes").unwrap();
    assert!(small.tier.is_some() && small.why.contains("with the tablespaces"), "{small:?}");
    let bytes: f64 =
        kept.candidates.iter().filter(|c| kept.chosen.contains(&c.object)).filter_map(|c| c.size_bytes).sum();
    assert!((bytes - 100.0 * GIB).abs() < 10.0, "{} GiB: {:?}", bytes / GIB, kept.chosen);
}
