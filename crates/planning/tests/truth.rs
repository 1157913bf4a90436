//! Databases drawn at random: what their objects would save is known, and lies in the ranges that the plan prints.

#![allow(clippy::unwrap_used)]

mod drawn;

use drawn::Database;
use spindle_planning::{CandidateKind, PlaceOptions, Plan, Planner, Range, Reduced};

fn plan(database: &Database) -> Plan {
    let read = spindle_evidence::read("drawn", database.printed().as_bytes());
    let mut planner = Planner::default();
    read.reports.iter().for_each(|r| planner.add(Reduced::of(r)));
    let (collected, sizes) = database.sizes();
    let options = PlaceOptions { sizes, ..PlaceOptions::default() };
    planner.plan(std::slice::from_ref(&database.tier), &[collected], &options).unwrap()
}

/// What ranges miss: name, what is true, what is printed.
fn missed(database: &Database, plan: &Plan) -> Vec<(String, CandidateKind, f64, Range)> {
    let of = |name: &str| {
        plan.candidates.iter().find(|c| c.kind != CandidateKind::RestOfTablespace && c.name == name)
    };
    let mut missed = Vec::new();
    for c in &plan.candidates {
        let Some(saves) = c.saves_s else { continue };
        let true_s: f64 = match c.kind {
            CandidateKind::RestOfTablespace | CandidateKind::Tablespace => {
                // What is no candidate of its own moves along.
                let along = database.objects.iter().filter(|o| database.space(o) == c.name);
                let along = along.filter(|o| of(&o.name).is_none_or(|own| own.excluded_because.is_some()));
                along.map(|o| database.saves_s(o)).sum()
            }
            _ => database.objects.iter().filter(|o| o.name == c.name).map(|o| database.saves_s(o)).sum(),
        };
        let true_s = true_s.max(0.0);
        let slack = 0.5 + 0.002 * true_s;
        if true_s < saves.low - slack || true_s > saves.high + slack {
            missed.push((c.object.clone(), c.kind, true_s, saves));
        }
    }
    missed
}

#[test]
fn ranges_hold_what_is_true() {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(usual);
    let (first, count) = (number("TRUTH_FIRST", 0), number("TRUTH_CASES", 150));
    let (mut all, mut cases) = (0, 0);
    for seed in first..first + count {
        let database = Database::drawn(seed);
        let plan = plan(&database);
        let missed = missed(&database, &plan);
        all += missed.len();
        cases += usize::from(!missed.is_empty());
        for (object, kind, true_s, saves) in missed {
            println!(
                "{seed} {:?} {:?} {object} {kind:?}: {true_s:.1} not in {:.1} {:.1} {:.1}",
                database.release, database.layout, saves.low, saves.mid, saves.high
            );
        }
    }
    assert_eq!(all, 0, "in {cases} of {count} databases");
}
