//! Histories that `spindle collect history` spools: one report for each snapshot interval of each
//! instance.
//!
//! Counters are kept as the views keep them, since the start of the instance: differences are taken
//! within one start only. An interval over a restart is a report that says so, without them. Statements,
//! segments and metrics are differences or rates already, of the interval that the database knows: where
//! snapshots between two of the file lack they are left out.

mod fill;
mod samples;

use crate::collected::spool;
use jiff::civil::DateTime;
use samples::Samples;
use spindle_facts::{Identity, Kind, Layout, Note, Report, Scope, Section, SectionStatus};
use std::collections::BTreeMap;

/// Reports of one file that are made: years of hourly snapshots of a cluster.
const MOST_INTERVALS: usize = 200_000;

/// Metadata of a snapshot.
#[derive(Clone, Debug)]
struct Snapshot {
    startup: Option<DateTime>,
    begin: Option<DateTime>,
    end: Option<DateTime>,
}

/// One interval while its report is filled.
pub(super) struct Interval {
    pub(super) instance: u32,
    pub(super) before: u64,
    pub(super) snap: u64,
    pub(super) elapsed_s: Option<f64>,
    /// Both snapshots are of one start of the instance: differences hold.
    pub(super) same_start: bool,
    /// No snapshot between the two is missing.
    pub(super) adjoining: bool,
    pub(super) report: Report,
}

impl Interval {
    /// The section of the report for a section of the file, counting rows.
    pub(super) fn section(&mut self, title: &str, line: u32, rows: usize) -> spindle_facts::SectionId {
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        self.report.sections.push(Section {
            title: title.to_owned(),
            line,
            status: SectionStatus::Read,
            rows,
        });
        spindle_facts::SectionId::try_from(self.report.sections.len() - 1)
            .unwrap_or(spindle_facts::SectionId::MAX)
    }
}

/// Reads a history; no reports where the text is none.
pub(crate) fn read(source: &str, text: &str) -> Vec<Report> {
    let outlines = spool::outline(text);
    if outlines.databases.len() > 1 || !outlines.sections.iter().any(|s| s.name == "snapshots") {
        return Vec::new();
    }
    let samples = Samples::read(text, &outlines);
    let mut intervals = intervals(source, &outlines, &samples);
    for interval in &mut intervals {
        fill::fill(interval, &samples);
    }
    let mut reports: Vec<Report> = intervals.into_iter().map(|i| i.report).collect();
    if let Some(first) = reports.first_mut() {
        first.notes.extend(outlines.notes.iter().cloned());
        first.notes.extend(samples.notes(&outlines));
    }
    reports
}

fn intervals(source: &str, outlines: &spool::Outlines, samples: &Samples) -> Vec<Interval> {
    let mut snapshots: BTreeMap<(u32, u64), Snapshot> = BTreeMap::new();
    for (key, times) in &samples.snapshots {
        let time = |at: usize| times.get(at).and_then(|t| t.as_deref()).and_then(spool::time);
        snapshots.insert(*key, Snapshot { startup: time(0), begin: time(1), end: time(2) });
    }
    let instances = outlines.header("instances").and_then(|n| n.parse::<u32>().ok());
    let mut base = Identity::unknown(source, Kind::History, Layout::Text);
    let text = |key: &str| outlines.header(key).map(str::to_owned);
    base.db_name = text("db_name");
    base.db_id = outlines.header("db_id").and_then(|v| v.parse().ok());
    base.version = text("version");
    base.platform = text("platform");
    base.block_size_bytes = outlines.header("block_size").and_then(|v| v.parse().ok());
    base.rac = instances.map(|n| n > 1);
    base.instances = instances;
    base.container = text("container").filter(|c| c != "CDB$ROOT");
    base.scope = if base.container.is_some() { Scope::Container } else { Scope::Instance };
    let of_host = outlines.header("instance").and_then(|v| v.parse::<u32>().ok());
    let mut found = Vec::new();
    let mut last: Option<((u32, u64), Snapshot)> = None;
    for (key, snapshot) in snapshots {
        let (instance, snap) = key;
        let Some(((_, before), earlier)) =
            last.replace((key, snapshot.clone())).filter(|((i, _), _)| *i == instance)
        else {
            continue;
        };
        if found.len() >= MOST_INTERVALS {
            break;
        }
        let mut identity = base.clone();
        identity.instance_number = Some(instance);
        // The host is that of the instance which the script was connected to.
        if of_host.is_none_or(|i| i == instance) {
            identity.host = outlines.header("host").map(str::to_owned);
        }
        identity.begin_snap = Some(before);
        identity.end_snap = Some(snap);
        let iso = |time: Option<DateTime>| time.map(|t| t.to_string());
        identity.begin_time = iso(earlier.end);
        identity.end_time = iso(snapshot.end);
        identity.startup_time = iso(snapshot.startup);
        #[allow(clippy::cast_precision_loss, reason = "seconds between two dates")]
        let between = |a: DateTime, b: DateTime| a.duration_until(b).as_secs() as f64;
        let elapsed_s = earlier.end.zip(snapshot.end).map(|(a, b)| between(a, b)).filter(|s| *s > 0.0);
        // Start-up times differ by a second now and then.
        let same_start =
            earlier.startup.zip(snapshot.startup).is_some_and(|(a, b)| between(a, b).abs() <= 60.0);
        let adjoining =
            snapshot.begin.zip(earlier.end).map_or(snap == before + 1, |(a, b)| between(a, b).abs() <= 60.0);
        identity.elapsed_s = elapsed_s;
        identity.spans_restart = !same_start;
        let mut report = Report::new(identity);
        let mut note = |message: &str, effect: &str| {
            report.notes.push(Note {
                line: None,
                section: Some("snapshots".to_owned()),
                message: message.to_owned(),
                effect: effect.to_owned(),
            });
        };
        if !same_start {
            note(
                "the instance started between the two snapshots, or its start is not known",
                "no differences are taken: what it did in this interval is unknown",
            );
        }
        if !adjoining && same_start {
            note(
                "snapshots between the two are missing",
                "statements, segments and metrics are left out: they cover only the last part of the interval",
            );
        }
        if elapsed_s.is_none() {
            note("the length of the interval is not known", "there are no rates");
        }
        found.push(Interval { instance, before, snap, elapsed_s, same_start, adjoining, report });
    }
    found
}
