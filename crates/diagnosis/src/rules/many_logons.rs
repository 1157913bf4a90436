//! Sessions that log on again and again.
//!
//! # What it detects
//! Logging on and off takes a material part of DB time.
//!
//! # Why it costs response time
//! Each logon starts a process, allocates its memory, reads the dictionary and writes the audit trail, before the
//! session does any work. A storm of them after an outage keeps CPUs busy with nothing else.
//!
//! # Facts needed
//! The time model (`connection management call elapsed time`); `logons cumulative` for the rate.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | `connection management call elapsed time` | 5 % of DB time | ours: the first share at which halving it can be felt |
//!
//! # When it is wrong
//! With saturated CPUs or a slow audit trail logons take long without being many: see the rate. Logon triggers are part
//! of it.
//!
//! # What to do
//! Use a connection pool that keeps its sessions, with as many at least as at most, in place of a connection for each
//! request. Batches that start a client for each step: one session for all of them. Then look at logon triggers and the
//! audit of logons.
//!
//! # SQL to see the evidence
//! ```sql
//! select stat_name, value / 1e6 as seconds from v$sys_time_model
//!  where stat_name in ('DB time', 'connection management call elapsed time');
//! select machine, program, count(*) as sessions, max(logon_time) as last_logon from v$session
//!  group by machine, program order by 4 desc;
//! ```

use super::{material, proof};
use crate::{Case, Claim, Finding, Verdict, words};

/// Time-model row of logging on and off.
const LOGONS: &str = "connection management call elapsed time";
/// Share of DB time from which it matters, percent.
const LOGON_PCT: f64 = 5.0;

/// Logging on and off as a material part of DB time.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let Some(seconds) = case.time_model_s(LOGONS) else {
        return Verdict::CannotTell(format!("the time spent logging on (time model: {LOGONS})"));
    };
    let Some(pct) = material::share_pct(case, seconds) else {
        return Verdict::CannotTell(material::unweighed(case));
    };
    if pct < LOGON_PCT {
        return Verdict::NotFound;
    }
    if let Some(verdict) = material::not_worth(case, "logging on", seconds) {
        return verdict;
    }
    let logons = case.stat("logons cumulative");
    let rate = case.stat_per_second("logons cumulative").filter(|rate| *rate > 0.0);
    let of_rate =
        rate.map_or(String::new(), |rate| format!(", {} logons a second", words::significant(rate)));
    // What of it is CPU is not printed; its waits are those of other causes.
    let cpu_pct =
        case.response_time.foreground.cpu_s.and_then(|s| material::share_pct(case, s)).unwrap_or(0.0);
    let mut evidence: Vec<_> = proof::time_model(case, LOGONS).into_iter().collect();
    evidence.extend(logons.map(|stat| case.stat_evidence(stat)));
    Verdict::Found(Finding {
        title: format!(
            "Logging on and off took {}{}{of_rate}",
            words::seconds(seconds),
            material::of_db_time(case, seconds)
        ),
        touches_s: seconds,
        claims: vec![Claim { of: "cpu".to_owned(), seconds: seconds * cpu_pct.min(100.0) / 100.0 }],
        evidence,
        actions: vec![
            "Find who connects again and again (V$SESSION by MACHINE and PROGRAM, the listener's log), and keep the \
             connections: a pool of constant size, one session for all steps of a batch"
                .to_owned(),
            "See what a logon does: logon triggers, and the audit of logons".to_owned(),
        ],
        caveat: "With saturated CPUs or a slow audit trail logons take long without being many".to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    fn hour(logon_s: f64) -> Hour {
        Hour::new(10_000.0)
            .cpu(4_000.0)
            .time_model("connection management call elapsed time", logon_s)
            .stat("logons cumulative", 36_000.0)
    }

    /// 11 % of DB time in logons, which ADDM named, was in no finding.
    #[test]
    fn a_storm_of_logons_was_no_finding() {
        let found = hour(1_125.0).found(run);
        let title = "Logging on and off took 1,125 s (11 % of DB time), 10 logons a second";
        assert_eq!(found.title, title);
        assert!((found.claims[0].seconds - 450.0).abs() < 0.01, "{:?}", found.claims);
        assert!(!found.storage);
    }

    #[test]
    fn under_a_twentieth_of_db_time_is_no_finding() {
        hour(501.0).found(run);
        hour(499.0).not_found(run);
    }

    #[test]
    fn without_the_time_model_it_cannot_tell() {
        assert!(Hour::new(7200.0).missing(run).contains("connection management"));
    }
}
