//! Waits for writes that another process does: their class is Configuration, Application or Other, and
//! storage is what they wait for all the same, unless those writes are known to be fast.
//!
//! A session that finds no free buffer waits for the database writer, one without room in the log buffer
//! for the log writer, one whose flashback data finds no room for the recovery writer. How slow the
//! writes are stands in the background's waits. Where it is not printed, nothing acquits storage. The
//! same holds of waits for a block that another session may be reading (`gc buffer busy`, before 10g `buffer busy
//! waits`), whose class is Cluster or Concurrency, where no read is printed, and of events that neither report nor
//! dictionary puts into a class.

use crate::bars::Bars;
use crate::case::Case;
use crate::events::{EventTotal, UNKNOWN_CLASS};
use crate::latency::bar_us;
use crate::lost_rows::lost_waits;
use crate::outcome::EventTime;
use crate::rules::{
    AT_THE_BAR, CACHED_READS, MAYBE_READS, is_event, is_like_a_read, log_writes, mean_within,
};
use spindle_facts::{Kind, Report, Side};
use std::collections::{BTreeMap, BTreeSet};

/// Who writes, so what tells how slow the writes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Writer {
    /// The log writer: `log file parallel write`.
    Log,
    /// The database writer: `db file parallel write`, `db file async I/O submit`.
    Data,
    /// The archiver; its waits are for much at a time, which no bar fits.
    Archiver,
    /// The recovery writer: `flashback log file write`.
    Flashback,
    /// Whoever holds the control file: `control file parallel write`.
    ControlFile,
    /// A backup and its media.
    Backup,
    /// No writer: another session that may be reading the block, so the waits for reads tell.
    Reader,
    /// Nobody knows.
    Unknown,
}

/// Whose writes an event waits for, by its name; `None` where for none.
pub(crate) fn writer_of(event: &str) -> Option<Writer> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| event.starts_with(p));
    Some(if starts(&["log file switch (archiving needed)", "log switch/archive"]) {
        Writer::Archiver
    } else if starts(&[
        "log file switch (checkpoint incomplete)",
        "free buffer waits",
        "write complete waits",
        "checkpoint completed",
        "enq: KO - fast object checkpoint",
        "enq: RO - fast object reuse",
        "enq: CR - block range reuse ckpt",
        "enq: TC - contention",
    ]) {
        Writer::Data
    } else if starts(&[
        "log buffer space",
        "log file switch",
        "switch logfile command",
        "redo log switch request completion",
    ]) {
        Writer::Log
    } else if starts(&["flashback ", "enq: FL - "]) {
        Writer::Flashback
    } else if starts(&["enq: CF - ", "control file "]) {
        Writer::ControlFile
    } else if starts(&["Backup: ", "sbt", "RMAN "]) {
        Writer::Backup
    } else {
        return None;
    })
}

/// Does an event wait for a block that another session may be reading? Before 10g that was `buffer busy waits` too.
pub(crate) fn may_be_a_read(event: &str, report: &Report) -> bool {
    let before_10g = || match report.identity.release() {
        Some((major, _)) => major < 10,
        // Without its header a Statspack report may be of any release.
        None => report.identity.kind == Kind::Statspack,
    };
    MAYBE_READS.iter().any(|name| is_event(event, name))
        || ["global cache busy", "buffer busy global"].iter().any(|name| event.starts_with(name))
        || event == "buffer busy waits" && before_10g()
}

/// What is printed of reads into the cache, which tells of waits for blocks that other sessions may be reading.
struct Reads<'c> {
    /// Were all waits read, and are reads hardly any of them?
    are_hardly_any: bool,
    /// Where most time went, and whether that is within its bar.
    longest: Option<(&'c EventTotal, bool)>,
}

impl<'c> Reads<'c> {
    fn of(case: &'c Case<'_>) -> Self {
        let reads = case.events.iter().filter(|e| e.side == Side::Foreground && e.time_s > 0.0);
        let reads = reads.filter(|e| CACHED_READS.iter().any(|name| is_event(&e.event, name)));
        let seconds: f64 = reads.clone().map(|e| e.time_s).sum();
        let longest = reads.max_by(|a, b| a.time_s.total_cmp(&b.time_s));
        let is_fast = |e: &EventTotal| {
            bar_us(&e.event, &case.bars).is_some_and(|bar_us| mean_within(e, AT_THE_BAR * bar_us))
        };
        Self {
            are_hardly_any: case.prints_wait_events()
                && lost_waits(case.report).is_none()
                && case.unreadable_events.is_empty()
                && case.share_pct(seconds).is_some_and(|pct| pct < HARDLY_PCT),
            longest: longest.map(|e| (e, is_fast(e))),
        }
    }

    /// Do they say that storage is not what a wait is for: hardly any, within their bar, or far longer or shorter than
    /// the wait?
    fn acquit(&self, waited: &EventTime) -> bool {
        let unlike = |longest: &EventTotal| {
            waited.avg_us.zip(longest.avg_us).is_some_and(|(wait, read)| !is_like_a_read(wait, read))
        };
        self.are_hardly_any || self.longest.is_some_and(|(longest, is_fast)| is_fast || unlike(longest))
    }
}

/// Reads of less than this part of DB time, percent, are not what much more of it waits for.
const HARDLY_PCT: f64 = 3.0;

impl Writer {
    /// The events that tell how slow it writes.
    fn told_by(self) -> &'static str {
        match self {
            Self::Log => "`log file parallel write`",
            Self::Data => "`db file parallel write`",
            Self::Archiver => "the archive destinations",
            Self::Flashback => "`flashback log file write`",
            Self::ControlFile => "`control file parallel write`",
            Self::Backup => "the backup media",
            Self::Reader => "the waits for reads (`db file sequential read` and the like)",
            Self::Unknown => "what these events are",
        }
    }

    /// Are its writes known to be within their bar?
    fn is_fast(self, case: &Case<'_>) -> bool {
        let bars: &Bars = &case.bars;
        let longest = |names: &[&str]| {
            let written = names.iter().filter_map(|name| case.background_event(name));
            written.max_by(|a, b| a.time_s.total_cmp(&b.time_s))
        };
        let within =
            |names: &[&str], bar_us: f64| longest(names).is_some_and(|e| mean_within(e, AT_THE_BAR * bar_us));
        match self {
            Self::Log => log_writes(case).is_some_and(|(_, _, within)| within),
            Self::Data => within(&["db file parallel write", "db file async I/O submit"], bars.db_write_us),
            Self::Flashback => within(&["flashback log file write"], bars.log_write_us),
            Self::ControlFile => within(&["control file parallel write"], bars.log_write_us),
            Self::Archiver | Self::Backup | Self::Reader | Self::Unknown => false,
        }
    }
}

/// Foreground waits for writes of which nothing printed says that they are fast, beside the classes that
/// storage answers itself.
#[derive(Debug, Default)]
pub(crate) struct Undecided<'c> {
    /// The events with their class and who writes, largest first.
    pub(crate) events: Vec<(&'c str, &'c EventTime, Writer)>,
    /// Their time as printed, seconds.
    pub(crate) seconds: f64,
    /// Their names: a damaged report may hold very many.
    names: BTreeSet<&'c str>,
}

impl Undecided<'_> {
    /// The reads that were waited for longest, where these sessions wait for reads of others alone and that one is slow.
    pub(crate) fn slow_reads<'e>(&self, case: &'e Case<'_>) -> Option<&'e EventTotal> {
        let reads = case.events.iter().filter(|e| e.side == Side::Foreground && e.time_s > 0.0);
        let reads = reads.filter(|e| CACHED_READS.iter().any(|name| is_event(&e.event, name)));
        let longest = reads.max_by(|a, b| a.time_s.total_cmp(&b.time_s))?;
        let bar_us = bar_us(&longest.event, &case.bars)?;
        let is_slow = longest.avg_us.is_some_and(|us| us > AT_THE_BAR * bar_us);
        (is_slow && self.events.iter().all(|e| e.2 == Writer::Reader)).then_some(longest)
    }

    /// Its seconds in a wait class.
    pub(crate) fn of_class_s(&self, wait_class: &str) -> f64 {
        self.events.iter().filter(|e| e.0 == wait_class).map(|e| e.1.time_s).sum()
    }

    /// What these sessions wait for.
    pub(crate) fn what(&self) -> &'static str {
        let all = |is: &dyn Fn(&(&str, &EventTime, Writer)) -> bool| self.events.iter().all(is);
        if all(&|e| e.0 == UNKNOWN_CLASS) {
            "events that are not known"
        } else if all(&|e| e.2 == Writer::Reader) {
            "blocks that other sessions may be reading"
        } else if all(&|e| e.2 != Writer::Reader) {
            "writes of other processes"
        } else {
            "writes or reads of others"
        }
    }

    /// Is this event one of them?
    pub(crate) fn holds(&self, event: &str) -> bool {
        self.names.contains(event)
    }

    /// What to look at, `log file parallel write` and the like, each once.
    pub(crate) fn told_by(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for (_, _, writer) in &self.events {
            if !names.contains(&writer.told_by()) {
                names.push(writer.told_by());
            }
        }
        names.join(", ")
    }
}

/// Waits for writes that nothing says to be fast.
pub(crate) fn undecided<'c>(case: &'c Case<'_>, answered_by_storage: &[&str]) -> Undecided<'c> {
    let mut found = Undecided::default();
    let reads = Reads::of(case);
    // A damaged report may hold very many events of one writer.
    let mut fast: BTreeMap<Writer, bool> = BTreeMap::new();
    let classes = &case.response_time.foreground.classes;
    for class in classes.iter().filter(|c| !answered_by_storage.contains(&c.wait_class.as_str())) {
        for event in &class.events {
            let unknown = (class.wait_class == UNKNOWN_CLASS).then_some(Writer::Unknown);
            let reader = || may_be_a_read(&event.event, case.report).then_some(Writer::Reader);
            let Some(writer) = writer_of(&event.event).or_else(reader).or(unknown) else { continue };
            let acquitted = match writer {
                Writer::Reader => reads.acquit(event),
                writer => *fast.entry(writer).or_insert_with(|| writer.is_fast(case)),
            };
            if acquitted {
                continue;
            }
            found.seconds += event.time_s;
            found.names.insert(event.event.as_str());
            found.events.push((class.wait_class.as_str(), event, writer));
        }
    }
    found.events.sort_by(|a, b| b.1.time_s.total_cmp(&a.1.time_s));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::Hour;
    use crate::{DeviceClass, Options};

    fn undecided_s(hour: &Hour) -> f64 {
        let options = Options { device_class: Some(DeviceClass::Disk), ..Options::default() };
        undecided(&Case::new(&hour.report, &options), &["User I/O"]).seconds
    }

    #[test]
    fn writes_known_to_be_fast_decide_it() {
        let waits = || Hour::new(1000.0).cpu(200.0).foreground("free buffer waits", 1e5, 500.0);
        assert_eq!(undecided_s(&waits()), 500.0);
        assert_eq!(undecided_s(&waits().background("db file parallel write", 1e4, 190.0)), 0.0);
        assert_eq!(undecided_s(&waits().background("db file parallel write", 1e4, 300.0)), 500.0);
        assert_eq!(
            undecided_s(&waits().background("log file parallel write", 1e4, 1.0)),
            500.0,
            "another's writes"
        );
    }

    /// Each of n rows was sought among all others: 40,000 took seven seconds, and so many as here minutes.
    #[test]
    fn rows_of_unknown_events_cost_their_square() {
        let mut hour = Hour::new(1e6).cpu(1e5);
        for number in 0..100_000 {
            // Each of the latter was held against all reads.
            let name = if number % 2 == 0 { "ev" } else { "buffer busy global " };
            hour = hour.foreground(&format!("{name}{number}"), 10.0, 5.0);
        }
        let hour = hour.with(|r| r.tables.wait_event.iter_mut().for_each(|e| e.wait_class = None));
        let diagnosis = crate::diagnose(&hour.report, &Options::default());
        assert_eq!(diagnosis.storage_is_the_problem, None, "{}", diagnosis.answer);
        assert!(diagnosis.response_time.foreground.classes.iter().any(|c| c.events.len() == 100_000));
    }

    /// `gc buffer busy` of 65 % of DB time, and no read printed: "Storage is not the problem: 65 % of DB time is Cluster
    /// waits"; before 10g `buffer busy waits` likewise.
    #[test]
    fn waits_for_reads_of_others_acquitted_storage_though_no_read_was_printed() {
        let excerpt = |event: &str, version: &str| {
            let version = Some(version.to_owned());
            let hour = Hour::new(10_000.0).cpu(2_500.0).top(event, Some(8e4), 6_500.0);
            hour.top("enq: TX - row lock contention", Some(100.0), 900.0)
                .with(|r| r.identity.version = version)
        };
        let verdict = |hour: &Hour| {
            let diagnosis = crate::diagnose(&hour.report, &Options::default());
            (diagnosis.storage_is_the_problem, diagnosis.answer)
        };
        for (event, version) in [
            ("gc buffer busy", "10.2.0.4.0"),
            ("gc buffer busy acquire", "19.0.0.0.0"),
            ("gc buffer busy release", "11.2.0.4.0"),
            ("buffer busy waits", "9.2.0.6.0"),
        ] {
            let (blamed, answer) = verdict(&excerpt(event, version));
            assert_eq!(blamed, None, "{answer}");
            assert!(
                answer
                    .starts_with("Whether storage is the problem cannot be told: 65 % of DB time waits for")
            );
            assert!(answer.contains("other sessions may be reading") && answer.contains(event), "{answer}");
            // Reads that are printed and fast decide it, and reads of another length.
            let (blamed, answer) =
                verdict(&excerpt(event, version).top("db file sequential read", Some(1e5), 90.0));
            assert_eq!(blamed, Some(false), "{answer}");
        }
        // From 10g on these are contention.
        let (blamed, answer) = verdict(&excerpt("buffer busy waits", "10.2.0.4.0"));
        assert_eq!(blamed, Some(false), "{answer}");
    }

    #[test]
    fn a_whole_list_of_waits_without_reads_decides_it() {
        let waits = || Hour::new(1000.0).cpu(200.0).foreground("gc buffer busy acquire", 5e4, 500.0);
        assert_eq!(undecided_s(&waits()), 0.0);
        // Slow reads of about the same length may be what they wait for.
        assert_eq!(undecided_s(&waits().foreground("db file sequential read", 1e4, 150.0)), 500.0);
        assert_eq!(undecided_s(&waits().foreground("db file sequential read", 1e3, 150.0)), 0.0);
    }

    #[test]
    fn the_writer_by_the_event() {
        assert_eq!(writer_of("log file switch (checkpoint incomplete)"), Some(Writer::Data));
        assert_eq!(writer_of("log file switch (private strand flush incomplete)"), Some(Writer::Log));
        assert_eq!(writer_of("log file switch (archiving needed)"), Some(Writer::Archiver));
        assert_eq!(writer_of("enq: TX - row lock contention"), None);
    }
}
