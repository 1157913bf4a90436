//! Which database, which interval, how much was read: the first lines of every view.

use crate::{Subject, number};
use spindle_diagnosis::comparison::SideHead;
use spindle_diagnosis::{Evidence, Finding, IoFigure, ResponseSide, Sampled, addm_named, parts_of_interval};
use spindle_facts::{Identity, Kind, Layout, Period, Report, Scope, Section, SectionStatus, Side};

/// Name of a kind of report, as a DBA says it.
#[must_use]
pub fn kind(identity: &Identity) -> String {
    let name = match identity.kind {
        Kind::Awr => "AWR report",
        Kind::Statspack => "Statspack report",
        Kind::AwrCompare => "AWR compare-period report",
        Kind::AwrSql => "AWR SQL report",
        Kind::Addm => "ADDM report",
        Kind::Ash => "ASH report",
        Kind::AwrMiner => "AWR-miner file",
        Kind::History => "history of snapshots",
        Kind::Fio => "result of fio",
        Kind::Orion => "result of Orion",
        Kind::CalibrateIo => "I/O calibration",
        Kind::Iostat => "output of iostat",
        Kind::Sar => "output of sar",
        Kind::Slob => "file of SLOB",
        Kind::Measure => "measurement of Spindle",
        Kind::Unknown => "a performance report (AWR or Statspack)",
    };
    let mut out = name.to_owned();
    match identity.scope {
        Scope::Instance => {}
        Scope::Database => out.push_str(" of the whole database"),
        Scope::Container => out.push_str(" of a pluggable database"),
    }
    match identity.period {
        Some(Period::First) => out.push_str(", first period"),
        Some(Period::Second) => out.push_str(", second period"),
        None => {}
    }
    out.push_str(match identity.layout {
        Layout::Text => " (text)",
        Layout::Html => " (HTML)",
    });
    out
}

/// Database, container and instance: `ORCL / PDB1, instance orcl1`.
#[must_use]
pub fn name(identity: &Identity) -> String {
    let by_id = || identity.db_id.map(|id| format!("database {id}"));
    let mut out = identity.db_name.clone().or_else(by_id).unwrap_or_else(|| "database not named".to_owned());
    if let Some(container) = &identity.container {
        out.push_str(" / ");
        out.push_str(container);
    }
    if let Some(instance) = &identity.instance {
        out.push_str(", instance ");
        out.push_str(instance);
    } else if let Some(n) = identity.instance_number {
        out.push_str(&format!(", instance {n}"));
    } else if let Some(n) = identity.instances {
        out.push_str(&format!(", {n} instance{}", if n == 1 { "" } else { "s" }));
    } else if identity.scope == Scope::Database {
        out.push_str(", all instances");
    }
    out
}

/// A side of a comparison; all its databases where it is a sum of several.
#[must_use]
pub fn side_name(side: &SideHead) -> String {
    if side.databases.len() < 2 {
        return name(&side.identity);
    }
    side.databases.join(", ")
}

/// Both sides of a comparison: one name where they are of one thing.
#[must_use]
pub fn both(before: &SideHead, after: &SideHead) -> String {
    let (b, a) = (side_name(before), side_name(after));
    let (before, after) = (&before.identity, &after.identity);
    if b == a {
        return b;
    }
    let scope = |i: &Identity| if i.scope == Scope::Database { " (the whole database)" } else { "" };
    let (whole_b, whole_a) = (scope(before), scope(after));
    let (b, a) = if before.scope == after.scope { (b, a) } else { (b + whole_b, a + whole_a) };
    format!("{b} against {a}")
}

/// `1 CPU`, `8 CPUs`.
fn counted(number: f64, what: &str) -> String {
    let several = if number == 1.0 { "" } else { "s" };
    format!("{} {what}{several}", number::count(number))
}

/// Release, platform, host and CPUs, as far as printed.
#[must_use]
pub fn machine(identity: &Identity) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(version) = &identity.version {
        parts.push(format!("Oracle {version}"));
    }
    if let Some(host) = &identity.host {
        parts.push(format!("host {host}"));
    }
    if let Some(platform) = &identity.platform {
        parts.push(platform.clone());
    }
    match (identity.cpus, identity.cores) {
        (Some(cpus), Some(cores)) => {
            parts.push(format!("{}, {}", counted(cpus, "CPU"), counted(cores, "core")));
        }
        (Some(cpus), None) => parts.push(counted(cpus, "CPU")),
        _ => {}
    }
    if let Some(memory) = identity.memory_bytes {
        parts.push(format!("{} memory", number::bytes(memory)));
    }
    parts
}

/// A time to the minute: snapshots are never exact, and the elapsed time is given beside it.
fn minute(iso: &str) -> String {
    number::time(iso).chars().take(16).collect()
}

/// Begin and end: `2024-01-31 10:00 to 11:00`; the day is not repeated.
#[must_use]
pub fn interval(identity: &Identity) -> Option<String> {
    match (&identity.begin_time, &identity.end_time) {
        (Some(begin), Some(end)) => {
            let (begin, end) = (minute(begin), minute(end));
            let same_day = begin.len() > 10 && begin.get(..10) == end.get(..10);
            let end = if same_day { end.get(11..).unwrap_or(&end).to_owned() } else { end };
            Some(format!("{begin} to {end}"))
        }
        (Some(begin), None) => Some(format!("from {}", minute(begin))),
        (None, Some(end)) => Some(format!("to {}", minute(end))),
        (None, None) => match (identity.begin_snap, identity.end_snap) {
            (Some(begin), Some(end)) => Some(format!("snapshots {begin} to {end}")),
            _ => None,
        },
    }
}

/// When a report was, or where it stands if it does not say: of several of one file with the line that it begins on.
#[must_use]
pub fn when(subject: Subject<'_>, all: &[Subject<'_>]) -> String {
    interval(&subject.report.identity).unwrap_or_else(|| {
        let id = &subject.report.identity;
        match first_line_among(subject, all) {
            Some(line) => format!("{}, line {line}", id.source),
            None => id.source.clone(),
        }
    })
}

/// The line that a report begins on, where others stand in its file.
pub(crate) fn first_line_among(subject: Subject<'_>, all: &[Subject<'_>]) -> Option<u32> {
    let source = &subject.report.identity.source;
    let several = all.iter().filter(|s| s.report.identity.source == *source).nth(1).is_some();
    several.then(|| subject.report.sections.iter().map(|s| s.line).filter(|line| *line > 0).min()).flatten()
}

/// DB time: printed, or else what the diagnosis derives it from.
#[must_use]
pub fn db_time_s(subject: Subject<'_>) -> Option<f64> {
    subject.report.identity.db_time_s.or(subject.diagnosis.response_time.foreground.db_time_s)
}

/// What DB time was derived from, where the report does not print it.
fn derived_from(subject: Subject<'_>) -> Option<&'static str> {
    let report = subject.report;
    let printed = report.identity.db_time_s.is_some();
    // A miner file prints sessions, or centiseconds a second, which is the same.
    let is_miner = report.identity.kind == Kind::AwrMiner && report.tables.time_model.is_empty();
    if printed && is_miner {
        return Some("average active sessions");
    }
    subject.diagnosis.response_time.foreground.db_time_from.filter(|_| !printed)
}

/// Is the mean read that of tablespaces or files, as no waits were read?
pub(crate) fn reads_are_of_places(subject: Subject<'_>) -> bool {
    subject.diagnosis.io_profile.single_block_read_us.as_ref().is_some_and(IoFigure::is_of_places)
}

/// Mean number of sessions in a call: DB time over elapsed time, else as the load profile prints it.
#[must_use]
pub fn average_active_sessions(subject: Subject<'_>) -> Option<f64> {
    spindle_diagnosis::average_active_sessions(subject.report, db_time_s(subject))
}

/// Why no profile of I/O is shown.
#[must_use]
pub fn no_profile(report: &Report) -> &'static str {
    if report.identity.spans_restart {
        "the instance restarted between the snapshots, and its counters began again at zero"
    } else {
        "no section that was read prints requests, bytes or latencies of I/O"
    }
}

/// What the busiest interval of a database is called: those whose load is not known cannot be ranked.
pub(crate) fn busiest(peak: Subject<'_>, all: &[Subject<'_>]) -> String {
    let id = &peak.report.identity;
    let own = all.iter().filter(|subject| {
        let other = &subject.report.identity;
        other.db_name == id.db_name && other.db_id.zip(id.db_id).is_none_or(|(other, own)| other == own)
    });
    let (mut known, mut unknown) = (0, 0);
    own.for_each(|own| {
        *(if average_active_sessions(*own).is_some() { &mut known } else { &mut unknown }) += 1;
    });
    match (known, unknown) {
        (0, _) | (_, 0) => "Busiest".to_owned(),
        (1, _) => "The only one whose load is known".to_owned(),
        (some, _) => format!("Busiest of the {some} whose load is known"),
    }
}

/// Elapsed, DB time, active sessions, with what is missing said.
#[must_use]
pub fn load(subject: Subject<'_>) -> Vec<String> {
    let elapsed = subject.report.identity.elapsed_s;
    let in_part = spindle_diagnosis::is_read_in_part(subject.report);
    let lacking = if in_part { "not read" } else { "not printed" };
    let mut parts = vec![
        elapsed.map_or_else(
            || format!("elapsed time {lacking}"),
            |s| format!("{} elapsed", number::duration(s)),
        ),
        db_time_s(subject).map_or_else(
            || format!("DB time {lacking}"),
            |s| match derived_from(subject) {
                Some(from) => match subject.diagnosis.response_time.foreground.db_time_bounds {
                    Some(bounds) => format!(
                        "DB time {} to {} s (from {from})",
                        number::measure(bounds.low),
                        number::measure(bounds.high)
                    ),
                    None => format!("DB time about {} s (from {from})", number::measure(s)),
                },
                None => format!("DB time {} s", number::measure(s)),
            },
        ),
    ];
    if let Some(sessions) = average_active_sessions(subject) {
        let about = if derived_from(subject).is_some() { "about " } else { "" };
        parts.push(format!("{about}{} average active sessions", number::measure(sessions)));
    } else if let Some(sessions) = subject.report.identity.sampled_sessions {
        parts.push(format!("{} average active sessions by its samples", number::measure(sessions)));
    }
    parts
}

/// `28.67 %: statement 7x1abcdefgh2k, 28.2 % in db file sequential read`, shares as printed
#[must_use]
pub fn sampled(sampled: &Sampled) -> String {
    let what = if sampled.what == "statement" { "statement " } else { "" };
    let event = sampled.event.as_ref().zip(sampled.event_share_pct);
    let event = event.map_or_else(String::new, |(event, share)| {
        format!(", {} % in {event}", number::share_as_printed(share))
    });
    format!("{} %: {what}{}{event}", number::share_as_printed(sampled.share_pct), sampled.name)
}

/// What ADDM and the samples in a report of something else name, in a sentence each; `None` where it prints neither.
#[must_use]
pub fn named_beside(report: &Report) -> Option<String> {
    /// Of each, the largest.
    const MOST: usize = 3;
    /// Statements with less of the samples lead nothing, percent.
    const LEADS_PCT: f64 = 10.0;
    /// Between two snapshots lies an hour by default.
    const LONGER_THAN_A_TASK_S: f64 = 5_400.0;
    if report.identity.kind != Kind::Awr {
        return None;
    }
    let addm = addm_named(report);
    let findings: Vec<String> = addm
        .iter()
        .take(MOST)
        .map(|f| format!("{} {} %", f.finding, number::share_as_printed(f.share_pct)))
        .collect();
    let sampled = spindle_diagnosis::sampled(report);
    let leading = || sampled.iter().filter(|s| s.what == "statement" && s.share_pct >= LEADS_PCT);
    let statements: Vec<String> = leading()
        .take(MOST)
        .map(|s| format!("{} {} %", s.name, number::share_as_printed(s.share_pct)))
        .collect();
    let mut said = Vec::new();
    if let Some(first) = addm.first() {
        // It analyses from one snapshot to the next.
        let long = report.identity.elapsed_s.is_some_and(|s| s > LONGER_THAN_A_TASK_S);
        let of_part = if long { " in a part of this interval" } else { "" };
        said.push(format!(
            "ADDM in this report (line {}), by share of the activity it analysed{of_part}: {}.",
            first.line,
            findings.join(", ")
        ));
    }
    if let Some(first) = leading().next() {
        said.push(format!(
            "Statements by share of its samples (line {}): {}.",
            first.line,
            statements.join(", ")
        ));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// `29 known causes were looked for and not found`
#[must_use]
pub fn looked_for(count: usize) -> String {
    match count {
        0 => "no known cause could be ruled out".to_owned(),
        1 => "1 known cause was looked for and not found".to_owned(),
        n => format!("{n} known causes were looked for and not found"),
    }
}

/// Was any part of DB time read? Where neither CPU nor waits were, all of it is unexplained, and a bar of it
/// shows nothing; nor does one of CPU alone, where what it is a part of is not known.
#[must_use]
pub fn is_read(side: &ResponseSide) -> bool {
    side.cpu_s.is_some() && side.db_time_s.is_some() || !side.classes.is_empty() || side.wait_s.is_some()
}

/// What an answer leaves open that is an average over a day and more; it belongs beside the answer.
#[must_use]
pub fn averages_over(subject: Subject<'_>) -> Option<String> {
    let elapsed_s = subject.report.identity.elapsed_s?;
    let hidden = subject.diagnosis.cannot_tell.iter().any(|r| r.rule == "too_long_an_interval");
    hidden.then(|| {
        let over = number::duration(elapsed_s);
        match parts_of_interval(subject.report) {
            Some(parts) => {
                format!("All of this is an average over {over}; of its peaks {parts} alone tells.")
            }
            None => {
                format!(
                    "All of this is an average over {over}: neither peaks nor their causes can be seen in it."
                )
            }
        }
    })
}

/// What a bar without DB time calls waits that are printed in no row of their own.
pub const UNLISTED: &str = "not listed or of the background";

/// Seconds of waits that the top events leave out, where their shares tell of how much and DB time does not: the bar
/// is of all of them, as the shares in the answer are.
#[must_use]
pub fn unlisted_waits_s(side: &ResponseSide) -> Option<f64> {
    let listed: f64 = side.classes.iter().map(|c| c.time_s).sum();
    let rest = side.wait_s? - listed;
    (side.db_time_s.is_none() && side.unread_s.is_none() && rest > 0.001 * listed).then_some(rest)
}

/// Why there is nothing to show of what sections with these words in their titles print: absent,
/// unreadable, not interpreted, or no such section at all.
#[must_use]
pub fn why_missing(report: &Report, titles: &[&str], what: &str) -> String {
    let named = |s: &&Section| {
        let title = s.title.to_ascii_lowercase();
        titles.iter().any(|t| title.contains(t))
    };
    let rank = |s: &&Section| match s.status {
        SectionStatus::Unreadable => 0,
        SectionStatus::Unknown => 1,
        SectionStatus::Read => 2,
        SectionStatus::Absent => 3,
    };
    let Some(section) = report.sections.iter().filter(named).min_by_key(rank) else {
        let input = if report.identity.excerpt { "The excerpt" } else { "The report" };
        return format!("{input} has no section with {what}.");
    };
    let place = format!("\"{}\" (line {})", section.title, section.line);
    match section.status {
        SectionStatus::Unreadable => format!("{place} is printed, but could not be read: the notes say why."),
        SectionStatus::Unknown => {
            format!("{place} is printed, but not interpreted; `spindle facts` shows it as it stands.")
        }
        SectionStatus::Read => format!("{place} was read, but holds no row with {what}."),
        SectionStatus::Absent => format!("{place} is printed without data."),
    }
}

/// How many sections became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Read.
    pub read: usize,
    /// Printed without data.
    pub absent: usize,
    /// Not made out.
    pub unreadable: usize,
    /// Kept raw.
    pub unknown: usize,
}

impl Ledger {
    /// Counts the sections of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let mut ledger = Self::default();
        for section in &report.sections {
            match section.status {
                SectionStatus::Read => ledger.read += 1,
                SectionStatus::Absent => ledger.absent += 1,
                SectionStatus::Unreadable => ledger.unreadable += 1,
                SectionStatus::Unknown => ledger.unknown += 1,
            }
        }
        ledger
    }

    /// `61 sections read, 2 unreadable, 14 printed without data`.
    #[must_use]
    pub fn sentence(self) -> String {
        let mut out = format!("{} section{} read", self.read, if self.read == 1 { "" } else { "s" });
        for (n, what) in [
            (self.unreadable, "unreadable"),
            (self.absent, "printed without data"),
            (self.unknown, "not interpreted"),
        ] {
            if n > 0 {
                out.push_str(&format!(", {n} {what}"));
            }
        }
        out
    }
}

/// A figure of the I/O profile; what rounding printed as 0 is shown as less than it can be, the mean read of
/// tablespaces or files, told apart by blocks a read, as `~`.
#[must_use]
pub fn figure(figure: Option<&IoFigure>, show: fn(f64) -> String) -> String {
    match figure {
        None => number::UNKNOWN.to_owned(),
        Some(figure) if figure.is_of_places() => format!("~{}", show(figure.value)),
        Some(IoFigure { value, bounds: Some(bounds), .. }) if *value == 0.0 && bounds.high > 0.0 => {
            format!("<{}", show(bounds.high))
        }
        Some(figure) => show(figure.value),
    }
}

/// Where the report rounds much of a figure away, what it lies between: `0.00411 to 0.0123`.
#[must_use]
pub fn coarse(figure: &IoFigure, show: fn(f64) -> String) -> Option<String> {
    /// What lies this far apart, as a part of the figure, nobody takes for exact by its digits.
    const WORTH_SAYING: f64 = 0.2;
    let bounds = figure.bounds.as_ref().filter(|_| figure.value > 0.0)?;
    let apart = bounds.high - bounds.low > WORTH_SAYING * figure.value;
    apart.then(|| format!("{} to {}", show(bounds.low), show(bounds.high)))
}

/// Seconds of a finding, or their share, as the range that is known of them: `673 to 1,485`.
#[must_use]
pub fn range(finding: &Finding, most: f64, show: fn(f64) -> String) -> String {
    match finding.impact_low_s.filter(|_| finding.impact_s > 0.0) {
        Some(low_s) => format!("{} to {}", show(most * low_s / finding.impact_s), show(most)),
        None => show(most),
    }
}

/// Accounts of one quantity that are further apart than this are worth a line on the first screen:
/// snapshots that take seconds, and processes that one account leaves out, make a few percent.
pub const WORTH_SAYING_PCT: f64 = 5.0;

/// Word for what became of a section.
#[must_use]
pub fn status(status: SectionStatus) -> &'static str {
    match status {
        SectionStatus::Read => "read",
        SectionStatus::Absent => "absent",
        SectionStatus::Unreadable => "unreadable",
        SectionStatus::Unknown => "unknown",
    }
}

/// Word for whose waits are counted.
#[must_use]
pub fn side(side: Side) -> &'static str {
    match side {
        Side::Foreground => "foreground",
        Side::Background => "background",
        Side::All => "foreground and background",
    }
}

/// Where a proof stands; of rows that are added up, that of the first and how many more.
#[must_use]
pub fn place_of(proof: &Evidence) -> String {
    format!("{}{}", place(&proof.section, proof.line), and_more(proof))
}

/// ` and 3 more`, of a proof that adds up the rows of instances.
#[must_use]
pub fn and_more(proof: &Evidence) -> String {
    match proof.more_rows {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

/// Where something stands: `"Wait Events", line 12`, or what is known of it.
#[must_use]
pub fn place(section: &str, line: u32) -> String {
    match (section.is_empty(), line) {
        (true, 0) => "derived".to_owned(),
        (true, line) => format!("line {line}"),
        (false, 0) => section.to_owned(),
        (false, line) => format!("{section}, line {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, unlisted_waits_s};
    use spindle_diagnosis::{ClassTime, ResponseSide};

    /// The answer counted of 6,881 s of waits, the bar below it of the 6,551 s that are listed.
    #[test]
    fn a_bar_without_db_time_was_of_the_listed_waits_alone() {
        let class = ClassTime {
            wait_class: "User I/O".into(),
            time_s: 6_551.0,
            printed_s: 6_551.0,
            share_pct: None,
            events: Vec::new(),
        };
        let side = |db_time_s, wait_s| ResponseSide {
            db_time_s,
            wait_s: Some(wait_s),
            classes: vec![class.clone()],
            ..ResponseSide::default()
        };
        assert_eq!(unlisted_waits_s(&side(None, 6_881.0)), Some(330.0));
        assert_eq!(unlisted_waits_s(&side(None, 6_551.0)), None);
        assert_eq!(unlisted_waits_s(&side(Some(9_000.0), 6_881.0)), None);
    }

    /// `1 CPUs, 1 cores` stood in the head.
    #[test]
    fn one_is_not_told_as_several() {
        assert_eq!([counted(1.0, "CPU"), counted(8.0, "CPU")], ["1 CPU", "8 CPUs"]);
    }
}
