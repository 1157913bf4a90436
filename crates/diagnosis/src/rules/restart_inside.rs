//! A restart between the two snapshots.
//!
//! # What it detects
//! The instance was started after the first snapshot and before the last.
//!
//! # Why it costs response time
//! It costs the answer: the counters began again at zero when the instance started. A difference of
//! two snapshots on either side is not what happened in between, and can even be negative.
//!
//! # Facts needed
//! The report's own words (`span an instance shutdown`), or startup and snapshot times.
//!
//! # Thresholds
//! None: one restart is enough.
//!
//! # When it is wrong
//! A clock set back between the snapshots looks like a restart.
//!
//! # What to do
//! Take two snapshots on the same side of the restart: up to the last one before it, or from the
//! first one after it.
//!
//! # SQL to see the evidence
//! ```sql
//! select startup_time from v$instance;
//! select snap_id, startup_time, end_interval_time from dba_hist_snapshot order by snap_id; -- needs the Diagnostics Pack
//! ```

use crate::{Case, Verdict};
use spindle_facts::{Kind, Scope};

/// Did the instance restart between the snapshots?
///
/// Never a finding: numbers across a restart prove nothing, so there is nothing to blame with.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let identity = &case.report.identity;
    if !identity.spans_restart {
        // The scripts refuse snapshots on either side of a restart and say so before the header; its times tell where
        // one was made all the same.
        let lacks = match identity.kind {
            Kind::Awr | Kind::Statspack => identity.begin_time.is_none(),
            Kind::Unknown => identity.begin_time.is_none() || identity.startup_time.is_none(),
            _ => false,
        };
        return if lacks && identity.scope == Scope::Instance {
            Verdict::CannotTell(
                "when the instance started and the first snapshot was taken (header)".to_owned(),
            )
        } else {
            Verdict::NotFound
        };
    }
    let when = identity.startup_time.as_deref().map_or(String::new(), |t| format!(" (started {t})"));
    Verdict::CannotTell(format!(
        "two snapshots on the same side of the restart{when}: the counters began again at zero between these, so \
         totals, averages and shares of this report are not what happened"
    ))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    #[test]
    fn counters_that_began_again_answer_nothing() {
        let missing = Hour::new(7200.0)
            .with(|r| {
                r.identity.spans_restart = true;
                r.identity.startup_time = Some("2026-03-01T10:12:00".to_owned());
            })
            .missing(run);
        assert!(missing.contains("(started 2026-03-01T10:12:00)"), "{missing}");
        // The instance of a 10.2 report, which prints no startup time.
        let begin =
            |r: &mut spindle_facts::Report| r.identity.begin_time = Some("2026-03-01T10:00:00".to_owned());
        Hour::new(7200.0).with(begin).not_found(run);
        assert!(Hour::new(7200.0).missing(run).contains("when the instance started"));
    }

    #[test]
    fn nothing_is_found_in_counters_that_began_again() {
        let hour = |restart| {
            let hour = Hour::new(7200.0).cpu(7000.0).with(|r| r.identity.spans_restart = restart);
            crate::diagnose(&hour.report, &crate::Options::default())
        };
        assert!(hour(false).findings.iter().any(|f| f.rule == "cpu_bound"));
        let void = hour(true);
        assert!(void.findings.is_empty() && void.storage_is_the_problem.is_none());
        assert!(void.answer.contains("restarted"), "{}", void.answer);
        assert!(hour(false).response_time.foreground.cpu_s.is_some());
        assert!(void.response_time.foreground.cpu_s.is_none() && void.latency.is_empty());
        assert!(void.cannot_tell.iter().any(|c| c.rule == "cpu_bound"));
    }
}
