//! Waits for space in the log buffer.
//!
//! # What it detects
//! Sessions wait a material part of DB time for `log buffer space`: they make redo faster than the
//! log writer takes it out of the log buffer.
//!
//! # Why it costs response time
//! A session that cannot put its redo into the buffer cannot go on changing data. All sessions that
//! change data stop at once.
//!
//! # Facts needed
//! Foreground wait events; the mean of `log file parallel write` and the redo rate tell whether the
//! writes or the buffer are to blame; the parameter `log_buffer`.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//! | the log writes are to blame | their mean is more than 5 % above the bar for log writes (10 ms disk, 2 ms flash) | see slow_redo_writes |
//!
//! # When it is wrong
//! During a log switch, or while the archiver is behind, the buffer fills because nothing can be
//! written: then the log switch is the cause.
//!
//! # What to do
//! With slow log writes: move or free the log's storage first. With fast ones: enlarge `log_buffer`
//! (to some tens of megabytes; more only delays), or write less redo (direct path loads with
//! NOLOGGING where recovery allows it, fewer indexes, smaller commits do not help here).
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat
//! where  name in ('redo buffer allocation retries', 'redo log space requests', 'redo entries', 'redo size');
//! select event, total_waits, time_waited_micro / 1e6 as time_s from v$system_event
//! where  event in ('log buffer space', 'log file parallel write');
//! ```

use super::material::{Waits, foreground_waits, is_slow, of_db_time};
use super::since::{awr_prints_since, is_since};
use crate::{Case, Finding, Verdict, words};

/// Do sessions wait for room in the log buffer?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = match foreground_waits(case, &["log buffer space"]) {
        Waits::Material(events) => events,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let write = case.background_event("log file parallel write");
    let slow_write = write.filter(|w| is_slow(w, super::slow_redo_writes::write_bar_us(case)));
    let redo_mbps = case.stat_per_second("redo size").map(|bytes| bytes / 1e6);
    let buffer = case.parameter("log_buffer");
    let mut evidence: Vec<_> = events.iter().map(|e| case.event_evidence(e)).collect();
    evidence.extend(write.map(|w| case.event_evidence(w)));
    for name in ["redo buffer allocation retries", "redo log space requests", "redo size"] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    if let crate::Setting::Set(parameter) = buffer {
        evidence.push(case.parameter_evidence(parameter));
    }
    let rate = redo_mbps.map_or(String::new(), |r| format!(" at {} MB/s of redo", words::significant(r)));
    let because = slow_write.and_then(|w| w.avg_us).map_or(String::new(), |mean_us| {
        format!(
            ", since log writes take {} (bar {})",
            words::latency(mean_us),
            words::latency(super::slow_redo_writes::write_bar_us(case))
        )
    });
    let first = match (slow_write.and_then(|w| w.avg_us), write.and_then(|w| w.avg_us)) {
        (Some(mean_us), _) => format!(
            "The log writes are slow ({} on average): speed up or free the storage of the redo logs first.",
            words::latency(mean_us)
        ),
        (None, Some(mean_us)) => format!(
            "The log writes are fast enough ({} on average): enlarge log_buffer{}, to some tens of megabytes.",
            words::latency(mean_us),
            buffer.value().map_or(String::new(), |v| format!(" (now {v})"))
        ),
        (None, None) => {
            "Look at the mean of log file parallel write: slow writes are a matter of storage, fast ones \
                         of a log_buffer that is too small."
                .to_owned()
        }
    };
    let by_segment = match () {
        () if awr_prints_since(case, (11, 1)) => "`Segments by DB Blocks Changes`, ",
        () if is_since(case, (9, 2)) => "V$SEGMENT_STATISTICS by `db block changes`, ",
        () => "",
    };
    Verdict::Found(Finding {
        title: format!(
            "Sessions wait for room in the log buffer{rate}{because}: {}{}",
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        storage: slow_write.is_some(),
        claims: events.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence,
        actions: vec![
            first,
            format!(
                "Find who writes the redo ({by_segment}sessions by `redo size`): bulk changes can load by direct path, \
                 drop indexes meanwhile, or run apart from users."
            ),
        ],
        caveat: "While a log switch or the archiver blocks, the buffer fills too: then that is the cause."
            .to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    fn hour(seconds: f64, write_s: f64) -> Hour {
        Hour::new(10_000.0)
            .device(DeviceClass::Disk)
            .foreground("log buffer space", 5_000.0, seconds)
            .background("log file parallel write", 100_000.0, write_s)
            .stat("redo size", 36e9)
            .parameter("log_buffer", "7340032")
    }

    #[test]
    fn slow_writes_are_storage_fast_ones_are_the_buffer() {
        let slow = hour(400.0, 1_100.0).found(run);
        assert!(slow.storage && slow.actions[0].contains("11 ms"), "{}", slow.actions[0]);
        assert!(slow.title.contains("10 MB/s"), "{}", slow.title);
        // Log writes of 440 ms were named nowhere in the headline.
        assert!(slow.title.contains("since log writes take 11 ms (bar"), "{}", slow.title);
        let fast = hour(400.0, 900.0).found(run);
        assert!(!fast.storage && fast.actions[0].contains("now 7340032"));
    }

    #[test]
    fn little_time_is_no_finding() {
        hour(301.0, 900.0).found(run);
        hour(299.0, 900.0).not_found(run);
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
