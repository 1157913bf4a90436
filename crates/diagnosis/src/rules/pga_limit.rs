//! Sessions held back because the instance is at its PGA limit.
//!
//! # What it detects
//! Waits for `acknowledge over PGA limit` (from 12.1 on) as a material part of DB time.
//!
//! # Why it costs response time
//! Once the private memory of all processes exceeds `pga_aggregate_limit`, the database makes the
//! sessions with the largest work areas wait before they may take more, and ends calls if that does
//! not help (ORA-04036). What they wait is not work.
//!
//! # Facts needed
//! Foreground wait events; `pga_aggregate_limit` and `pga_aggregate_target` where listed; the memory
//! allocated at the snapshots (`PGA Aggr Target Stats`).
//!
//! # Thresholds
//! 3 % of DB time, or 1 % where it holds up half a session on average: ours. However little DB time
//! there is: the next step of the limit ends calls. Under half of the limit is allocated (as set, else
//! twice the target, which its default is at least): a defect is the first thing to look for; ours.
//!
//! # When it is wrong
//! Some releases wait here although the PGA is far below the limit: compare the memory allocated
//! with the limit first, and search for defects of the release if it is far below.
//!
//! # What to do
//! See who allocates (`V$PROCESS_MEMORY`), then raise `pga_aggregate_limit` (0 means no limit) if the
//! host has the memory, or make fewer sessions take less. The limit's default follows the target,
//! the number of processes and the host's memory.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, round(value / 1048576) as mb from v$pgastat
//!  where name in ('total PGA allocated', 'maximum PGA allocated', 'aggregate PGA target parameter');
//! select * from (select pid, category, allocated, max_allocated from v$process_memory order by allocated desc)
//!  where rownum <= 10;
//! ```

use super::material::{SHARE_PCT, Waits, foreground_waits, of_db_time, share_pct};
use super::proof;
use crate::{Case, Finding, Setting, Verdict, words};

const EVENT: &str = "acknowledge over PGA limit";

/// Do sessions wait for the PGA limit?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    // A limit that stops calls is worth a line on a small database too.
    let share_pct = share_pct(case, case.event_time_s(EVENT));
    let stopped = case.foreground_event(EVENT).filter(|_| share_pct.is_some_and(|p| p >= SHARE_PCT));
    let events = match (foreground_waits(case, &[EVENT]), stopped) {
        (Waits::Material(events), _) => events,
        (_, Some(event)) => vec![event],
        (Waits::Trivial, None) => return Verdict::NotFound,
        (Waits::Unknown(missing), None) => return Verdict::CannotTell(missing),
    };
    let seconds = case.event_time_s(EVENT);
    let mut evidence = proof::largest(case, &events);
    for name in ["pga_aggregate_limit", "pga_aggregate_target", "processes"] {
        if let Setting::Set(parameter) = case.parameter(name) {
            evidence.push(case.parameter_evidence(parameter));
        }
    }
    let defect = far_below(case);
    let mut actions = vec![
        "See which processes hold the memory (V$PROCESS_MEMORY, V$PGASTAT), then raise `pga_aggregate_limit` if the \
         host has it, or let fewer sessions sort at once"
            .to_owned(),
    ];
    let search = "search for defects of the release with this event";
    match &defect {
        Some((allocated, limit)) => actions.insert(
            0,
            format!(
                "At most {} of PGA were allocated, and the limit is {} or more: {search}; a higher limit will not help",
                words::bytes(*allocated),
                words::bytes(*limit)
            ),
        ),
        None => actions.push(format!("If much less is allocated than the limit, {search}")),
    }
    Verdict::Found(Finding {
        title: format!(
            "Sessions were held back at the PGA limit for {}{}",
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        claims: proof::claims(case, &events),
        evidence,
        actions,
        caveat: "Some releases wait here although the PGA is far below its limit".to_owned(),
        ..Finding::default()
    })
}

/// PGA allocated at the snapshots, at most, and the limit, at least, in bytes, where the one is under half of the
/// other: `pga_aggregate_limit` as set, else the default, which is never under twice the target.
fn far_below(case: &Case<'_>) -> Option<(f64, f64)> {
    const FAR: f64 = 0.5;
    const MB: f64 = 1_048_576.0;
    let bytes = |name: &str| case.parameter(name).value()?.trim().parse::<f64>().ok().filter(|b| *b > 0.0);
    let limit = bytes("pga_aggregate_limit").or_else(|| Some(2.0 * bytes("pga_aggregate_target")?))?;
    let rows = case.report.tables.pga_aggregate.iter();
    let allocated = rows.filter_map(|r| r.number("pga_mem_alloc_mb")).max_by(f64::total_cmp)? * MB;
    (allocated > 0.0 && allocated < FAR * limit).then_some((allocated, limit))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    /// 354 MB were allocated under a limit of 4 GB or more, and the first advice was to raise it.
    #[test]
    fn a_limit_far_above_what_is_allocated_was_to_be_raised() {
        let hour = |mb: f64| {
            Hour::new(7200.0)
                .cpu(6_000.0)
                .foreground("acknowledge over PGA limit", 3_600.0, 720.0)
                .parameter("pga_aggregate_target", "2147483648")
                .with(|r| {
                    r.tables.pga_aggregate.push(spindle_facts::PrintedRow {
                        line: 9,
                        section: 0,
                        instance_number: None,
                        cells: vec![("pga_mem_alloc_mb", spindle_facts::Value::Number(mb))].into(),
                    });
                })
        };
        let found = hour(354.12).found(run);
        assert!(found.actions[0].contains("a higher limit will not help"), "{:?}", found.actions);
        assert!(hour(3_900.0).found(run).actions[0].contains("then raise"));
    }

    #[test]
    fn a_tenth_of_db_time_at_the_limit() {
        let hour = |s| Hour::new(7200.0).cpu(6_000.0).foreground("acknowledge over PGA limit", 3_600.0, s);
        let found = hour(720.0).parameter("pga_aggregate_target", "2147483648").found(run);
        assert_eq!(found.title, "Sessions were held back at the PGA limit for 720 s (10 % of DB time)");
        assert!(!found.storage && found.evidence.iter().any(|e| e.text.starts_with("pga_aggregate_target")));
        hour(30.0).not_found(run);
        Hour::new(350.0).cpu(300.0).foreground("acknowledge over PGA limit", 3_600.0, 35.0).found(run);
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
