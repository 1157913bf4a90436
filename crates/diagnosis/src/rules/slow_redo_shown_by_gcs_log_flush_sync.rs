//! Slow redo, shown by `gcs log flush sync`.
//!
//! # What it detects
//! In RAC the block server processes spend a good part of background time on `gcs log flush sync`,
//! the log writes are slow, and sessions wait for busy blocks of other instances or for commits.
//!
//! # Why it costs response time
//! A changed block may only be sent to another instance when its redo is on disk. So the block
//! server waits for the log writer, and the session on the other side waits for both: slow redo of
//! one instance slows all of them.
//!
//! # Facts needed
//! Background wait events of a RAC instance; foreground `gc ... busy` events and `log file sync`.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | share of background time | 10 % | a published case had 11.4 % before and 5.7 % after redo moved to flash |
//! | log writes | slow by the rule for slow redo writes | see there |
//! | effect on users | 1 % of DB time | ours |
//!
//! # When it is wrong
//! It is a symptom and a competing demand on the log writer, never a part of `log file sync` to
//! subtract; so it claims no DB time of its own. A hot block that instances change in turn makes
//! many such waits with fast redo too.
//!
//! # What to do
//! As for slow redo writes, on the instance that sends the blocks. Besides, keep instances from
//! changing the same blocks (services by application, hash-partitioned hot indexes).
//!
//! # SQL to see the evidence
//! ```sql
//! select inst_id, event, total_waits, total_timeouts,
//!        time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//! from   gv$system_event
//! where  event in ('gcs log flush sync', 'log file parallel write', 'gc cr block busy',
//!                  'gc current block busy') order by inst_id, event;
//! ```

use super::material::{
    BACKGROUND_SHARE_PCT, background_share_pct, has_effect, of_db_time, waits_without_effect,
};
use super::slow_redo_writes::{Slowness, slowness};
use crate::{Case, EventTotal, Finding, Verdict, words};

const FLUSH: &str = "gcs log flush sync";
const SERVED_LATE: &[&str] = &[
    "gc cr block busy",
    "gc current block busy",
    "gc buffer busy",
    "gc buffer busy acquire",
    "gc buffer busy release",
    "log file sync",
];

/// Does the block server wait for slow redo?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let Some(flush) = case.background_event(FLUSH) else {
        let background = case.prints_background_events();
        return if background || case.report.identity.rac == Some(false) {
            Verdict::NotFound
        } else {
            Verdict::CannotTell("the background wait events".to_owned())
        };
    };
    let late: Vec<&EventTotal> = SERVED_LATE.iter().filter_map(|e| case.foreground_event(e)).collect();
    let late_s: f64 = late.iter().map(|e| case.event_time_s(&e.event)).sum();
    if !has_effect(case, late_s) {
        let what = "the waits for blocks that another instance ships late";
        let lacking = SERVED_LATE.len() - late.len();
        return waits_without_effect(case, what, lacking, late_s);
    }
    let Some(share_pct) = background_share_pct(case, flush.time_s) else {
        return Verdict::CannotTell("background elapsed time".to_owned());
    };
    if share_pct < BACKGROUND_SHARE_PCT {
        // Processes wait at the same time, so that the sum of their waits is no measure of their time.
        return if case.response_time.background.db_time_s.is_some() {
            Verdict::NotFound
        } else {
            Verdict::CannotTell("background elapsed time (time model)".to_owned())
        };
    }
    let Some(write) = case.background_event("log file parallel write") else {
        return Verdict::CannotTell("log file parallel write (section Background Wait Events)".to_owned());
    };
    match slowness(case, write) {
        Slowness::No => return Verdict::NotFound,
        Slowness::Unknown(missing) => return Verdict::CannotTell(missing),
        Slowness::Mean | Slowness::Tail { .. } => {}
    }
    let mut evidence = vec![case.event_evidence(flush), case.event_evidence(write)];
    evidence.extend(late.iter().map(|e| case.event_evidence(e)));
    Verdict::Found(Finding {
        title: format!(
            "Slow redo{} holds back blocks for other instances: {FLUSH} takes {} of background time",
            write.avg_us.map_or(String::new(), |us| format!(" ({} a write)", words::latency(us))),
            words::percent(share_pct),
        ),
        storage: true,
        touches_s: late_s,
        evidence,
        actions: vec![
            "Speed up or isolate the redo of the instances that send the blocks (see slow redo writes).".to_owned(),
            "Keep instances from changing the same blocks: services by application, hash partitions for hot indexes."
                .to_owned(),
        ],
        caveat: format!(
            "A symptom, counted in background time: it is no slice of log file sync, and no DB time is claimed for it; \
             {}{} of busy-block and commit waits stand behind it. Hot blocks that instances change in turn make such \
             waits too.",
            words::seconds(late_s),
            of_db_time(case, late_s)
        ),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    /// The published redo case, before and after the move.
    fn hour(flush_s: f64, write_s: f64, busy_s: f64) -> Hour {
        Hour::new(29_000.0)
            .device(DeviceClass::Disk)
            .time_model("background elapsed time", 6_625.0)
            .foreground("gc current block busy", 50_000.0, busy_s)
            .background("gcs log flush sync", 258_054.0, flush_s)
            .background("log file parallel write", 193_830.0, write_s)
    }

    #[test]
    fn slow_redo_delays_blocks() {
        let finding = hour(758.0, 2_067.0, 400.0).found(run);
        assert!(finding.title.contains("11 % of background time"), "{}", finding.title);
        assert!(finding.claims.is_empty(), "a symptom claims nothing");
        assert_eq!(finding.touches_s, 400.0);
    }

    #[test]
    fn each_condition_counts() {
        hour(663.0, 2_067.0, 400.0).found(run);
        hour(662.0, 2_067.0, 400.0).not_found(run);
        hour(758.0, 1_930.0, 400.0).not_found(run);
        hour(758.0, 2_067.0, 280.0).not_found(run);
    }

    #[test]
    fn without_background_waits_it_cannot_tell() {
        let rac = |rac| Hour::new(7200.0).with(move |r| r.identity.rac = rac);
        assert!(rac(Some(true)).missing(run).contains("background"));
        rac(Some(false)).not_found(run);
    }
}
