//! What holds of every plan, whatever the reports say.

#![allow(clippy::unwrap_used)]

mod made;

use made::{Hour, Segment, plan, tier};
use proptest::prelude::*;
use spindle_planning::{PlaceOptions, Plan};

fn segment() -> impl Strategy<Value = Segment> {
    (
        any::<bool>(),
        0_usize..3,
        1.0_f64..2e6,
        prop::option::of(0.02_f64..1.0),
        prop::option::of(0.0_f64..0.9),
        16.0_f64..42.0,
    )
        .prop_map(|(is_index, tablespace, reads, request_share, direct_share, log_bytes)| Segment {
            name: String::new(),
            is_index,
            tablespace,
            reads: reads.floor(),
            request_share,
            direct_share,
            bytes: log_bytes.exp2().floor(),
        })
}

fn hours() -> impl Strategy<Value = Vec<Hour>> {
    let waits = |most: f64| (1.0..most, 0.0002_f64..0.03).prop_map(|(n, s): (f64, f64)| (n.floor(), n * s));
    let hour = (
        1.0_f64..20_000.0,
        waits(5e6),
        waits(3e5),
        waits(3e5),
        waits(2e5),
        prop::collection::vec(segment(), 1..14),
    );
    prop::collection::vec(hour, 1..4).prop_map(|all| {
        let mut hours: Vec<Hour> = Vec::new();
        for (number, (cpu_s, single, multi, direct, temp, mut segments)) in all.into_iter().enumerate() {
            for (n, s) in segments.iter_mut().enumerate() {
                s.name = format!("OBJECT_{n}");
                // An object keeps its kind, place and size over the hours.
                if let Some(first) = hours.iter().find_map(|h| h.segments.get(n)) {
                    (s.is_index, s.tablespace, s.bytes) = (first.is_index, first.tablespace, first.bytes);
                }
            }
            hours.push(Hour { number, instance: 1, cpu_s, single, multi, direct, temp, segments });
        }
        hours
    })
}

fn options() -> PlaceOptions {
    PlaceOptions { sizes: vec![("temp".into(), 8e9)], ..PlaceOptions::default() }
}

fn used(plan: &Plan) -> f64 {
    plan.candidates.iter().filter(|c| c.tier.is_some()).filter_map(|c| c.size_bytes).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_plan_never_exceeds_its_capacity(hours in hours(), log_capacity in 20.0_f64..44.0) {
        let capacity = log_capacity.exp2();
        let plan = plan(&hours, &[tier(capacity, 200.0)], &options()).unwrap();
        prop_assert!(used(&plan) <= capacity);
        for point in &plan.frontier {
            prop_assert!(point.saves_s.low <= point.saves_s.mid && point.saves_s.mid <= point.saves_s.high);
        }
        for pair in plan.frontier.windows(2) {
            prop_assert!(pair[0].saves_s.mid <= pair[1].saves_s.mid + 1e-6, "{:?}", plan.frontier);
        }
    }

    #[test]
    fn a_bigger_tier_never_saves_less(hours in hours(), log_capacity in 20.0_f64..42.0, more in 1.0_f64..8.0) {
        let small = plan(&hours, &[tier(log_capacity.exp2(), 200.0)], &options()).unwrap();
        let big = plan(&hours, &[tier(more * log_capacity.exp2(), 200.0)], &options()).unwrap();
        prop_assert!(big.saves_s.mid >= small.saves_s.mid - 1e-6);
    }

    #[test]
    fn a_slower_tier_never_saves_more(hours in hours(), log_capacity in 20.0_f64..42.0, slower in 1.0_f64..50.0) {
        let fast = plan(&hours, &[tier(log_capacity.exp2(), 150.0)], &options()).unwrap();
        let slow = plan(&hours, &[tier(log_capacity.exp2(), 150.0 * slower)], &options()).unwrap();
        prop_assert!(slow.saves_s.mid <= fast.saves_s.mid + 1e-6);
    }

    #[test]
    fn savings_stay_within_the_waits_and_db_time_above_cpu(hours in hours()) {
        let plan = plan(&hours, &[tier(1e15, 1.0)], &options()).unwrap();
        let waits: f64 = hours.iter().map(|h| h.single.1 + h.multi.1 + h.direct.1 + h.temp.1).sum();
        let cpu: f64 = hours.iter().map(|h| h.cpu_s).sum();
        let sum: f64 = plan
            .candidates
            .iter()
            .filter(|c| c.tier.is_some())
            .filter_map(|c| Some(c.saves_s?.mid))
            .sum();
        prop_assert!(sum <= waits * (1.0 + 1e-9), "{sum} of {waits}");
        prop_assert!(plan.db_time_s.then_low >= cpu - 1e-6);
        prop_assert!(plan.db_time_s.then_low <= plan.db_time_s.then);
        prop_assert!(plan.db_time_s.then <= plan.db_time_s.then_high);
        prop_assert!(plan.db_time_s.then_high <= plan.db_time_s.now + 1e-6);
        for c in &plan.candidates {
            let saves = c.saves_s.unwrap_or_default();
            prop_assert!(saves.low <= saves.mid && saves.mid <= saves.high, "{c:?}");
            prop_assert!(saves.mid <= c.waits_s.mid * (1.0 + 1e-9) + 1e-9, "{c:?}");
            prop_assert!(saves.high <= c.waits_s.high * (1.0 + 1e-9) + 1e-9, "{c:?}");
        }
        for s in &plan.statements {
            prop_assert!(s.then_s.high <= s.now_s && s.then_s.low > 0.0 && s.gain.low >= 1.0);
        }
    }

    #[test]
    fn names_decide_nothing(hours in hours(), log_capacity in 24.0_f64..40.0) {
        let renamed: Vec<Hour> = hours
            .iter()
            .map(|h| Hour {
                segments: h
                    .segments
                    .iter()
                    .map(|s| Segment { name: format!("zz \"& {}", s.name.replace("OBJECT", "O'B")), ..s.clone() })
                    .collect(),
                ..h.clone()
            })
            .collect();
        let tiers = [tier(log_capacity.exp2(), 200.0)];
        let (a, b) = (plan(&hours, &tiers, &options()).unwrap(), plan(&renamed, &tiers, &options()).unwrap());
        prop_assert!((a.saves_s.mid - b.saves_s.mid).abs() <= 1e-9 * a.saves_s.mid.max(1.0));
        prop_assert_eq!(a.chosen.len(), b.chosen.len());
        let back: Vec<String> =
            b.chosen.iter().map(|n| n.replace("zz \"& ", "").replace("O'B", "OBJECT")).collect();
        prop_assert_eq!(a.chosen, back);
    }

    #[test]
    fn the_order_of_the_reports_decides_nothing(hours in hours(), log_capacity in 24.0_f64..40.0) {
        let mut reversed = hours.clone();
        reversed.reverse();
        let tiers = [tier(log_capacity.exp2(), 200.0)];
        let forward = serde_json::to_string(&plan(&hours, &tiers, &options()).unwrap()).unwrap();
        let backward = serde_json::to_string(&plan(&reversed, &tiers, &options()).unwrap()).unwrap();
        prop_assert_eq!(forward, backward);
    }
}
