//! A table that moves with its indexes takes the room of all of them.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "shared with other tests")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{Collected, CollectedIndex, CollectedSegment};
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
