//! The database writer does not keep up.
//!
//! # What it detects
//! Sessions wait a material part of DB time for `free buffer waits` or `write complete waits`: the
//! cache holds too many changed blocks, and the database writer does not free buffers fast enough.
//!
//! # Why it costs response time
//! A session that must read a block needs a free buffer. If all it finds are changed, it waits for
//! the database writer: reading slows down because writing is slow.
//!
//! # Facts needed
//! Foreground wait events; background `db file parallel write` and `db file async I/O submit`; the
//! parameters `disk_asynch_io`, `filesystemio_options`, `db_writer_processes`, `cpu_count`.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//! | writers | one for every 8 CPUs | Oracle's default for db_writer_processes |
//! | mean of `db file parallel write`, or of `db file async I/O submit` where that takes more time | 20 ms disk, 5 ms flash | ours; a batch, not one write |
//!
//! # When it is wrong
//! `db file parallel write` is the wait for a batch and no latency of a write. A cache that is far
//! too small, or a sudden mass change, makes the same waits with storage that is fine.
//!
//! # What to do
//! In this order: asynchronous I/O on; slow writes found and moved; enough writers; a larger cache;
//! fewer changes at once.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / 1e6 as time_s from v$system_event
//! where  event in ('free buffer waits', 'write complete waits', 'db file parallel write');
//! select name, value from v$parameter
//! where  name in ('disk_asynch_io', 'filesystemio_options', 'db_writer_processes', 'dbwr_io_slaves', 'cpu_count');
//! ```

use super::material::{Waits, foreground_waits, is_slow, of_db_time};
use crate::{Case, EventTotal, Finding, Setting, Verdict, words};

const EVENTS: &[&str] = &["free buffer waits", "write complete waits"];

const BATCH: &str = "db file parallel write";
const SUBMIT: &str = "db file async I/O submit";

/// One writer for so many CPUs is Oracle's default.
const CPUS_A_WRITER: f64 = 8.0;

/// Do sessions wait for the database writer?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = match foreground_waits(case, EVENTS) {
        Waits::Material(events) => events,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let writes = [BATCH, SUBMIT].map(|name| case.background_event(name));
    let mut evidence: Vec<_> = events.iter().map(|e| case.event_evidence(e)).collect();
    evidence.extend(writes.into_iter().flatten().map(|e| case.event_evidence(e)));
    for name in ["disk_asynch_io", "filesystemio_options", "db_writer_processes", "dbwr_io_slaves"] {
        if let Setting::Set(parameter) = case.parameter(name) {
            evidence.push(case.parameter_evidence(parameter));
        }
    }
    Verdict::Found(Finding {
        title: format!(
            "Sessions wait for the database writer{}: {}{}",
            slow_write(case).map_or(String::new(), |(event, mean_us)| format!(
                ", whose {} take {} (bar {})",
                if event.event == SUBMIT { "submitted writes" } else { "batches" },
                words::latency(mean_us),
                words::latency(case.bars.db_write_us)
            )),
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        storage: slow_write(case).is_some(),
        claims: events.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence,
        actions: actions(case),
        caveat: "The mean of db file parallel write is that of a batch, not of one write. A mass change through a small \
                 cache makes these waits on storage that is fine."
            .to_owned(),
        ..Finding::default()
    })
}

/// The writes of the database writer, where their mean is above the bar: of the two events the one
/// with more time.
fn slow_write<'c>(case: &'c Case<'_>) -> Option<(&'c EventTotal, f64)> {
    let writes = [BATCH, SUBMIT].into_iter().filter_map(|name| case.background_event(name));
    let longest = writes.max_by(|a, b| a.time_s.total_cmp(&b.time_s))?;
    is_slow(longest, case.bars.db_write_us).then_some((longest, longest.avg_us?))
}

fn actions(case: &Case<'_>) -> Vec<String> {
    let mut actions = Vec::new();
    let is = |name: &str, value: &str| {
        case.parameter(name).value().is_some_and(|v| v.trim().eq_ignore_ascii_case(value))
    };
    if is("disk_asynch_io", "false") {
        actions.push(
            "disk_asynch_io is FALSE: set it to TRUE; each writer now does one write at a time.".to_owned(),
        );
    }
    if is("filesystemio_options", "none") || is("filesystemio_options", "directio") {
        actions.push(
            "filesystemio_options switches asynchronous I/O off for files on a file system: set it to SETALL.".to_owned(),
        );
    }
    if let Some((event, mean_us)) = slow_write(case) {
        let what = if event.event == SUBMIT {
            "Write requests wait already when they are handed over (db file async I/O submit): on a file system without \
             asynchronous I/O that is the write itself. They take"
        } else {
            "Write batches take"
        };
        actions.push(format!(
            "{what} {} on average, more than the {} expected of this storage: compare with the operating system's write \
             times (RAID 5 or 6, a full write cache, replication).",
            words::latency(mean_us),
            words::latency(case.bars.db_write_us)
        ));
    }
    let writers = case.parameter("db_writer_processes").value().and_then(|v| v.trim().parse::<f64>().ok());
    let cpus = case.report.identity.cpus;
    if let (Some(writers), Some(cpus)) = (writers, cpus) {
        let usual = (cpus / CPUS_A_WRITER).ceil().max(1.0);
        if writers < usual {
            actions.push(format!(
                "db_writer_processes is {} on {} CPUs; the default would be {}.",
                words::count(writers),
                words::count(cpus),
                words::count(usual)
            ));
        }
    }
    actions.push(
        "Look at the buffer cache advice: a cache that is too small makes the writer work on demand. Then look for \
         what changes so many blocks at once."
            .to_owned(),
    );
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    fn hour(seconds: f64, batch_s: f64) -> Hour {
        Hour::new(10_000.0)
            .device(DeviceClass::Disk)
            .foreground("free buffer waits", 20_000.0, seconds)
            .background("db file parallel write", 10_000.0, batch_s)
    }

    #[test]
    fn the_reason_comes_first() {
        let finding = hour(500.0, 220.0).parameter("disk_asynch_io", "FALSE").found(run);
        assert!(finding.actions[0].contains("disk_asynch_io"));
        assert!(finding.actions[1].contains("22 ms"), "{}", finding.actions[1]);
        assert!(finding.title.contains("5 % of DB time"), "{}", finding.title);
    }

    #[test]
    fn batches_within_the_bar_are_not_blamed() {
        let finding = hour(500.0, 190.0).found(run);
        assert!(!finding.actions.iter().any(|a| a.contains("batches")));
    }

    #[test]
    fn writes_that_wait_when_handed_over_are_slow() {
        let finding = hour(500.0, 10.0).background("db file async I/O submit", 24_000.0, 820.0).found(run);
        assert!(finding.storage && finding.actions[0].contains("34.2 ms"), "{}", finding.actions[0]);
        assert!(!hour(500.0, 10.0).found(run).storage);
    }

    #[test]
    fn too_few_writers_are_named() {
        let few = hour(500.0, 190.0).parameter("db_writer_processes", "1").found(run);
        assert!(few.actions.iter().any(|a| a.contains("default would be 2")));
        let enough = hour(500.0, 190.0).parameter("db_writer_processes", "2").found(run);
        assert!(!enough.actions.iter().any(|a| a.contains("default would be")));
    }

    #[test]
    fn little_time_is_no_finding() {
        hour(301.0, 1.0).found(run);
        hour(299.0, 1.0).not_found(run);
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
