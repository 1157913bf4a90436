//! Waits for writes that another process does: their class is Configuration, Application or Other, and
//! storage is what they wait for all the same, unless those writes are known to be fast.
//!
//! A session that finds no free buffer waits for the database writer, one without room in the log buffer
//! for the log writer, one whose flashback data finds no room for the recovery writer. How slow the
//! writes are stands in the background's waits. Where it is not printed, nothing acquits storage. The
//! same holds of events that neither report nor dictionary puts into a class.

use crate::bars::Bars;
use crate::case::Case;
use crate::events::UNKNOWN_CLASS;
use crate::outcome::EventTime;
use crate::rules::{AT_THE_BAR, log_writes, mean_within};
use std::collections::BTreeSet;

/// Who writes, so what tells how slow the writes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Writer {
    /// The background's events that tell how slow it writes.
    fn told_by(self) -> &'static str {
        match self {
            Self::Log => "`log file parallel write`",
            Self::Data => "`db file parallel write`",
            Self::Archiver => "the archive destinations",
            Self::Flashback => "`flashback log file write`",
            Self::ControlFile => "`control file parallel write`",
            Self::Backup => "the backup media",
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
            Self::Archiver | Self::Backup | Self::Unknown => false,
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
    /// Its seconds in a wait class.
    pub(crate) fn of_class_s(&self, wait_class: &str) -> f64 {
        self.events.iter().filter(|e| e.0 == wait_class).map(|e| e.1.time_s).sum()
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
    let classes = &case.response_time.foreground.classes;
    for class in classes.iter().filter(|c| !answered_by_storage.contains(&c.wait_class.as_str())) {
        for event in &class.events {
            let unknown = (class.wait_class == UNKNOWN_CLASS).then_some(Writer::Unknown);
            let Some(writer) = writer_of(&event.event).or(unknown).filter(|w| !w.is_fast(case)) else {
                continue;
            };
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
            hour = hour.foreground(&format!("ev{number}"), 10.0, 5.0);
        }
        let hour = hour.with(|r| r.tables.wait_event.iter_mut().for_each(|e| e.wait_class = None));
        let diagnosis = crate::diagnose(&hour.report, &Options::default());
        assert_eq!(diagnosis.storage_is_the_problem, None, "{}", diagnosis.answer);
        assert!(diagnosis.response_time.foreground.classes.iter().any(|c| c.events.len() == 100_000));
    }

    #[test]
    fn the_writer_by_the_event() {
        assert_eq!(writer_of("log file switch (checkpoint incomplete)"), Some(Writer::Data));
        assert_eq!(writer_of("log file switch (private strand flush incomplete)"), Some(Writer::Log));
        assert_eq!(writer_of("log file switch (archiving needed)"), Some(Writer::Archiver));
        assert_eq!(writer_of("enq: TX - row lock contention"), None);
    }
}
