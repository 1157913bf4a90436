//! Too many commits.
//!
//! # What it detects
//! Sessions wait a noticeable part of DB time for commits, many times a second, and each commit
//! carries very little work.
//!
//! # Why it costs response time
//! A commit costs a write and a switch of processes whether it carries one row or a thousand. Work
//! that commits each row pays that price per row.
//!
//! # Facts needed
//! Foreground `log file sync`; commits, rollbacks, user calls, executions and redo (instance
//! activity, else load profile).
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | `log file sync` | 5 % of DB time | the field: worth a look |
//! | user calls a commit | under 30 | Oracle Support's rule for commits that are too frequent (note 1376916.1), which counts rollbacks with them |
//! | statements executed a commit | at most 5, recursive ones included | ours: a row or two and a commit; without it every OLTP system would be accused (17-25 is usual there) |
//! | commits | 50 a second | ours: fewer cannot be called many |
//!
//! What was rolled back counts as if commits had carried it: most rollbacks are those of connections that go back to
//! their pool, and are empty.
//!
//! # When it is wrong
//! Short transactions may be what users need: then only faster commits help. Work inside PL/SQL
//! makes few user calls. `commit_write` or asynchronous commits hide commits from `log file sync`.
//!
//! # What to do
//! Find the modules that commit most (sessions by `user commits`). Batches: commit each thousand
//! rows. Applications with autocommit: commit at the end of the user's action.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat
//! where  name in ('user commits', 'user rollbacks', 'user calls', 'execute count', 'redo size');
//! select * from (
//!   select s.sid, s.module, st.value as commits
//!   from   v$sesstat st join v$statname n on n.statistic# = st.statistic#
//!          join v$session s on s.sid = st.sid
//!   where  n.name = 'user commits' order by st.value desc) where rownum <= 20;
//! ```

use super::material::{Waits, Weight, foreground_waits, of_db_time, share_pct, weight};
use crate::{Case, Finding, Verdict, words};
use spindle_facts::Metric;

const SYNC: &str = "log file sync";

const LEAST_SHARE_PCT: f64 = 5.0;
const MOST_CALLS: f64 = 30.0;
const MOST_EXECUTIONS: f64 = 5.0;
const LEAST_COMMITS_PER_S: f64 = 50.0;

/// Are there many commits that carry little?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let Some(sync) = case.foreground_event(SYNC) else {
        return match foreground_waits(case, &[SYNC]) {
            Waits::Unknown(missing) => Verdict::CannotTell(missing),
            _ => Verdict::NotFound,
        };
    };
    let seconds = case.event_time_s(SYNC);
    match (weight(case, seconds), share_pct(case, seconds)) {
        (Weight::Unknown, _) | (_, None) => return Verdict::CannotTell("DB time".to_owned()),
        (Weight::Material, Some(pct)) if pct >= LEAST_SHARE_PCT => {}
        _ => return Verdict::NotFound,
    }
    let Some(rates) = rates(case) else {
        return Verdict::CannotTell("commits and rollbacks (load profile or instance activity)".to_owned());
    };
    if rates.commits_per_s < LEAST_COMMITS_PER_S
        || rates.calls_a_commit.is_some_and(|calls| calls >= MOST_CALLS)
        || rates.executions_a_commit.is_some_and(|n| n > MOST_EXECUTIONS)
    {
        return Verdict::NotFound;
    }
    let (Some(calls), Some(executions)) = (rates.calls_a_commit, rates.executions_a_commit) else {
        return Verdict::CannotTell(
            "user calls and executions (load profile or instance activity)".to_owned(),
        );
    };
    let mut evidence = vec![case.event_evidence(sync)];
    for name in ["user commits", "user rollbacks", "user calls", "execute count", "redo size"] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    for metric in [Metric::Transactions, Metric::Rollbacks, Metric::UserCalls, Metric::Executes] {
        evidence.extend(super::proof::load_profile(case, metric));
    }
    Verdict::Found(Finding {
        title: format!(
            "{} commits a second, each after {} executions and {} user calls: commits wait {}{}",
            words::significant(rates.commits_per_s),
            words::significant(executions),
            words::significant(calls),
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        storage: false,
        claims: vec![case.claim_event(SYNC)],
        evidence,
        actions: vec![
            "Find who commits (V$SESSTAT, `user commits` by module): let batches commit each thousand rows instead of \
             each row, and switch autocommit off where one action of a user is several statements."
                .to_owned(),
            "Where each commit must be: make it faster (redo on its own fast devices), or COMMIT WRITE BATCH NOWAIT for \
             work that may be lost in a crash."
                .to_owned(),
        ],
        caveat: "Short transactions may be what users need. PL/SQL does much work in few user calls, so calls say little \
                 there."
            .to_owned(),
        ..Finding::default()
    })
}

/// How often is committed, and how much at a time.
pub(super) struct Rates {
    pub(super) commits_per_s: f64,
    pub(super) rollbacks_per_s: f64,
    calls_a_commit: Option<f64>,
    executions_a_commit: Option<f64>,
}

/// Commits, rollbacks and the work between them: instance activity, else load profile (whose
/// transactions are commits and rollbacks together).
pub(super) fn rates(case: &Case<'_>) -> Option<Rates> {
    let stat = |name: &str, metric| case.stat_per_second(name).or_else(|| case.load_per_second(metric));
    let rollbacks_per_s = case
        .stat_total_or_zero("user rollbacks")
        .zip(case.elapsed_s())
        .map(|(n, s)| n / s)
        .or_else(|| case.load_per_second(Metric::Rollbacks))?;
    let commits_per_s = case
        .stat_per_second("user commits")
        .or_else(|| Some(case.load_per_second(Metric::Transactions)? - rollbacks_per_s))?;
    (commits_per_s + rollbacks_per_s > 0.0).then_some(())?;
    let a_commit = |per_s: f64| (commits_per_s > 0.0).then(|| per_s / commits_per_s);
    Some(Rates {
        commits_per_s,
        rollbacks_per_s,
        calls_a_commit: stat("user calls", Metric::UserCalls).and_then(a_commit),
        executions_a_commit: stat("execute count", Metric::Executes).and_then(a_commit),
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    fn hour(sync_s: f64, commits: f64, calls: f64, executions: f64) -> Hour {
        Hour::new(10_000.0)
            .foreground("log file sync", commits, sync_s)
            .stat("user commits", commits)
            .stat("user rollbacks", 0.0)
            .stat("user calls", commits * calls)
            .stat("execute count", commits * executions)
    }

    #[test]
    fn a_commit_a_row() {
        let finding = hour(600.0, 720_000.0, 2.0, 1.5).found(run);
        let start = "200 commits a second, each after 1.5 executions and 2 user calls: commits wait 600 s";
        assert!(finding.title.starts_with(start), "{}", finding.title);
        assert!(!finding.storage);
    }

    /// Of 1,283 transactions a second 1,067 were rolled back, and what lay between two of them was said of each commit.
    #[test]
    fn work_between_commits_was_counted_by_transactions_that_were_rolled_back() {
        // 8.5 and 4 a commit; 1.4 and 0.7 a transaction.
        let executing = |n: f64| {
            Hour::new(10_000.0)
                .foreground("log file sync", 216.0 * 3_600.0, 790.0)
                .stat("user commits", 216.0 * 3_600.0)
                .stat("user rollbacks", 1_067.0 * 3_600.0)
                .stat("user calls", 5_630.0 * 3_600.0)
                .stat("execute count", n * 3_600.0)
        };
        executing(1_842.0).not_found(run);
        let finding = executing(864.0).found(run);
        let start = "216 commits a second, each after 4 executions and 26.1 user calls";
        assert!(finding.title.starts_with(start), "{}", finding.title);
    }

    #[test]
    fn each_condition_counts() {
        hour(500.0, 180_000.0, 29.0, 5.0).found(run);
        hour(490.0, 180_000.0, 29.0, 5.0).not_found(run);
        hour(500.0, 179_000.0, 29.0, 5.0).not_found(run);
        hour(500.0, 180_000.0, 30.0, 5.0).not_found(run);
        hour(500.0, 180_000.0, 29.0, 5.1).not_found(run);
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(Hour::new(10_000.0).missing(run).contains("wait events"));
        let hour = || Hour::new(10_000.0).foreground("log file sync", 720_000.0, 600.0);
        assert!(hour().missing(run).contains("commits"));
        let commits = hour().stat("user commits", 720_000.0).stat("user rollbacks", 0.0);
        assert!(commits.missing(run).contains("user calls"));
    }
}
