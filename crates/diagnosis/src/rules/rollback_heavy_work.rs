//! Rollback-heavy work.
//!
//! # What it detects
//! A large part of the transactions is rolled back, with changes to undo, and users feel the
//! commit path.
//!
//! # Why it costs response time
//! The changes were made, written as redo, undone and written as redo again: twice the work for
//! nothing, and all of it through the same log writer that others commit through.
//!
//! # Facts needed
//! Commits and rollbacks (instance activity, else load profile); `rollback changes - undo records
//! applied` tells real rollbacks from empty ones.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | rollbacks of all transactions | 25 % | ours; a published case had 62 % |
//! | rollbacks | 1 a second | ours |
//! | undo records applied a rollback | 1 | a rollback without any undid nothing |
//! | effect: `log file sync` | 1 % of DB time, or undo applied is 10 % of all block changes | ours |
//!
//! # When it is wrong
//! Connection pools and drivers roll back after each read to be clean: such rollbacks are empty and
//! cost next to nothing. Where the undo records are not printed this cannot be told apart.
//!
//! # What to do
//! Find who rolls back and why: constraint errors used as a check, time-outs, optimistic locking
//! that collides, tests for existence by inserting.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat
//! where  name in ('user commits', 'user rollbacks', 'transaction rollbacks',
//!                 'rollback changes - undo records applied', 'db block changes');
//! ```

use super::material::{EFFECT_SHARE_PCT, has_effect, of_db_time, waits_without_effect};
use super::too_many_commits::rates;
use crate::{Case, Finding, Verdict, words};
use spindle_facts::Metric;

const APPLIED: &str = "rollback changes - undo records applied";

const LEAST_SHARE: f64 = 0.25;
const LEAST_PER_S: f64 = 1.0;
const LEAST_RECORDS: f64 = 1.0;
const LEAST_SHARE_OF_CHANGES: f64 = 0.10;

/// Is much work thrown away?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let Some(rates) = rates(case) else {
        return Verdict::CannotTell("commits and rollbacks (load profile or instance activity)".to_owned());
    };
    let share = rates.rollbacks_per_s / (rates.commits_per_s + rates.rollbacks_per_s);
    if share < LEAST_SHARE || rates.rollbacks_per_s < LEAST_PER_S {
        return Verdict::NotFound;
    }
    let records_per_s = case.stat_total_or_zero(APPLIED).zip(case.elapsed_s()).map(|(n, s)| n / s);
    if records_per_s.is_some_and(|r| r < LEAST_RECORDS * rates.rollbacks_per_s) {
        return Verdict::NotFound;
    }
    let changes =
        case.stat_per_second("db block changes").or_else(|| case.load_per_second(Metric::BlockChanges));
    let undone = records_per_s.zip(changes).filter(|(_, c)| *c > 0.0).map(|(r, c)| r / c);
    let sync_s = case.event_time_s("log file sync");
    if !(has_effect(case, sync_s) || undone.is_some_and(|u| u >= LEAST_SHARE_OF_CHANGES)) {
        let lacking = usize::from(case.foreground_event("log file sync").is_none());
        return match waits_without_effect(case, "the waits for log file sync", lacking, sync_s) {
            Verdict::NotFound if undone.is_none() => Verdict::CannotTell(format!(
                "how much was undone: {APPLIED} and db block changes (Instance Activity Stats)"
            )),
            verdict => verdict,
        };
    }
    let mut evidence = Vec::new();
    for name in ["user commits", "user rollbacks", "transaction rollbacks", APPLIED, "db block changes"] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    for metric in [Metric::Transactions, Metric::Rollbacks] {
        evidence.extend(super::proof::load_profile(case, metric));
    }
    evidence.extend(case.foreground_event("log file sync").map(|e| case.event_evidence(e)));
    let undo = match records_per_s {
        Some(r) => format!(", {} undo records each", words::significant(r / rates.rollbacks_per_s)),
        None => String::new(),
    };
    let behind = if 100.0 * sync_s >= EFFECT_SHARE_PCT * case.db_time_s().unwrap_or(f64::INFINITY) {
        format!("; {}{} waits for commits", words::seconds(sync_s), of_db_time(case, sync_s))
    } else {
        String::new()
    };
    Verdict::Found(Finding {
        title: format!(
            "{} of the transactions are rolled back ({} of {} a second{undo}){behind}",
            words::percent(100.0 * share),
            words::significant(rates.rollbacks_per_s),
            words::significant(rates.commits_per_s + rates.rollbacks_per_s),
        ),
        storage: false,
        touches_s: sync_s,
        evidence,
        actions: vec![
            "Find who rolls back and why (V$SESSTAT, `user rollbacks` by module): failing constraints, time-outs, \
             collisions of optimistic locking, inserts used as a test."
                .to_owned(),
            "Redo and undo of that work are written for nothing: each rollback avoided also frees the log writer.".to_owned(),
        ],
        caveat: if records_per_s.is_some() {
            "What share of the redo these rollbacks made is not printed, so no DB time is claimed for them."
        } else {
            "The report does not say how many undo records were applied: the rollbacks of a connection pool after reads \
             are empty and cost next to nothing."
        }
        .to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    fn hour(rollbacks: f64, records: Option<f64>) -> Hour {
        let hour = Hour::new(10_000.0)
            .foreground("log file sync", 100_000.0, 300.0)
            .stat("user commits", 360_000.0)
            .stat("user rollbacks", rollbacks)
            .stat("user calls", 1e6)
            .stat("redo size", 1e9)
            .stat("db block changes", 20e6);
        records.into_iter().fold(hour, |h, r| h.stat("rollback changes - undo records applied", r))
    }

    #[test]
    fn a_quarter_of_the_transactions() {
        let finding = hour(121_000.0, Some(800_000.0)).found(run);
        assert!(finding.title.starts_with("25 % of the transactions are rolled back"), "{}", finding.title);
        assert!(finding.claims.is_empty());
        hour(119_000.0, Some(800_000.0)).not_found(run);
    }

    #[test]
    fn empty_rollbacks_undo_nothing() {
        hour(360_000.0, Some(361_000.0)).found(run);
        hour(360_000.0, Some(359_000.0)).not_found(run);
        let unknown = hour(360_000.0, None).found(run);
        assert!(unknown.caveat.contains("connection pool"));
    }

    #[test]
    fn someone_must_feel_it() {
        let quiet = |seconds, records| {
            Hour::new(10_000.0)
                .foreground("log file sync", 1_000.0, seconds)
                .stat("user commits", 360_000.0)
                .stat("user rollbacks", 360_000.0)
                .stat("user calls", 1e6)
                .stat("redo size", 1e9)
                .stat("db block changes", 20e6)
                .stat("rollback changes - undo records applied", records)
        };
        quiet(110.0, 1e6).found(run);
        quiet(90.0, 1e6).not_found(run);
        quiet(90.0, 2.1e6).found(run);
    }

    #[test]
    fn without_rates_it_cannot_tell() {
        assert!(Hour::new(7200.0).missing(run).contains("rollbacks"));
    }
}
