//! Histories that `spindle collect history` spools: one report for each snapshot interval of each
//! instance.
//!
//! Counters are kept as the views keep them, since the start of the instance: differences are taken
//! within one start only. An interval over a restart is a report that says so, without them. Statements,
//! segments and metrics are differences or rates already, of the interval that the database knows: where
//! snapshots between two of the file lack they are left out.

mod clock;
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
    /// The snapshot before these two, of the same start.
    pub(super) earlier: Option<u64>,
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
            lost: 0,
        });
        spindle_facts::SectionId::try_from(self.report.sections.len() - 1)
            .unwrap_or(spindle_facts::SectionId::MAX)
    }
}

/// Reads a history, one report after the other, as long as they are wanted: thousands of intervals are never
/// held at once. How many there were, and what is missing where the file broke off.
pub(crate) fn read(
    source: &str,
    text: &str,
    emit: &mut dyn FnMut(Report) -> bool,
) -> (usize, Option<String>) {
    let outlines = spool::outline(text);
    if outlines.databases.len() > 1 || !outlines.sections.iter().any(|s| s.name == "snapshots") {
        return (0, None);
    }
    let samples = Samples::read(text, &outlines);
    let base = base(source, &outlines);
    let of_host = outlines.header("instance").and_then(|v| v.parse::<u32>().ok());
    let mut count = 0;
    for pair in pairs(&samples).into_iter().take(MOST_INTERVALS) {
        let mut interval = interval(&base, &pair);
        // The host is that of the instance which the script was connected to.
        if of_host.is_none_or(|i| i == pair.instance) {
            interval.report.identity.host = outlines.header("host").map(str::to_owned);
        }
        fill::fill(&mut interval, &samples);
        let mut report = interval.report;
        if count == 0 {
            report.notes.extend(outlines.notes.iter().cloned());
            report.notes.extend(samples.notes(&outlines));
        }
        count += 1;
        if !emit(report) {
            break;
        }
    }
    (count, outlines.broken_off().filter(|_| count > 0))
}

/// What holds for every interval.
fn base(source: &str, outlines: &spool::Outlines) -> Identity {
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
    base.utc_offset_s = utc_offset_s(outlines);
    base.scope = if base.container.is_some() { Scope::Container } else { Scope::Instance };
    base
}

/// Seconds that the clock of the host was ahead of UTC when the file was made: zones are whole quarters of an hour,
/// and both times were taken a moment apart.
fn utc_offset_s(outlines: &spool::Outlines) -> Option<i64> {
    const QUARTER_S: i64 = 900;
    /// Seconds that the two may be apart.
    const APART_S: i64 = 120;
    /// The furthest that any zone is from UTC.
    const FURTHEST_S: i64 = 14 * 3600;
    let time = |key: &str| outlines.header(key).and_then(spool::time);
    let ahead = between(time("now_utc")?, time("now_local")?);
    let whole = (ahead + QUARTER_S / 2).div_euclid(QUARTER_S) * QUARTER_S;
    (whole.abs() <= FURTHEST_S && (ahead - whole).abs() <= APART_S).then_some(whole)
}

/// Two snapshots of an instance that follow each other.
struct Pair {
    instance: u32,
    /// The snapshot before these two, of the same start.
    before: Option<u64>,
    snaps: (u64, u64),
    earlier: Snapshot,
    later: Snapshot,
    /// Seconds between them by the clock of the host.
    local_s: Option<i64>,
    same_start: bool,
    adjoining: bool,
    /// Seconds that the time between them really was longer, since the clock was put back or forward.
    put_s: i64,
}

/// Seconds between two times.
fn between(a: DateTime, b: DateTime) -> i64 {
    a.duration_until(b).as_secs()
}

fn pairs(samples: &Samples) -> Vec<Pair> {
    let mut snapshots: BTreeMap<(u32, u64), Snapshot> = BTreeMap::new();
    for (key, times) in &samples.snapshots {
        let time = |at: usize| times.get(at).and_then(|t| t.as_deref()).and_then(spool::time);
        snapshots.insert(*key, Snapshot { startup: time(0), begin: time(1), end: time(2) });
    }
    let mut found: Vec<Pair> = Vec::new();
    let mut last: Option<((u32, u64), Snapshot)> = None;
    for (key, later) in snapshots {
        let (instance, snap) = key;
        let Some(((_, before), earlier)) =
            last.replace((key, later.clone())).filter(|((i, _), _)| *i == instance)
        else {
            continue;
        };
        // Start-up times differ by a second now and then.
        let same_start = earlier.startup.zip(later.startup).is_some_and(|(a, b)| between(a, b).abs() <= 60);
        let adjoining =
            later.begin.zip(earlier.end).map_or(snap == before + 1, |(a, b)| between(a, b).abs() <= 60);
        let local_s = earlier.end.zip(later.end).map(|(a, b)| between(a, b));
        let snaps = (before, snap);
        let before = found.last().filter(|p| p.instance == instance && p.same_start).map(|p| p.snaps.0);
        found.push(Pair {
            instance,
            before,
            snaps,
            earlier,
            later,
            local_s,
            same_start,
            adjoining,
            put_s: 0,
        });
    }
    for put in clock::changes(&found, samples) {
        found[put.0].put_s = put.1;
    }
    found
}

fn interval(base: &Identity, pair: &Pair) -> Interval {
    let mut identity = base.clone();
    identity.instance_number = Some(pair.instance);
    identity.begin_snap = Some(pair.snaps.0);
    identity.end_snap = Some(pair.snaps.1);
    let iso = |time: Option<DateTime>| time.map(|t| t.to_string());
    identity.begin_time = iso(pair.earlier.end);
    identity.end_time = iso(pair.later.end);
    identity.startup_time = iso(pair.later.startup);
    #[allow(clippy::cast_precision_loss, reason = "seconds between two dates")]
    let elapsed_s = pair.local_s.map(|s| (s + pair.put_s) as f64).filter(|s| *s > 0.0);
    identity.elapsed_s = elapsed_s;
    identity.spans_restart = !pair.same_start;
    let mut report = Report::new(identity);
    let mut note = |message: &str, effect: &str| {
        report.notes.push(Note {
            line: None,
            section: Some("snapshots".to_owned()),
            message: message.to_owned(),
            effect: effect.to_owned(),
        });
    };
    if !pair.same_start {
        note(
            "the instance started between the two snapshots, or its start is not known",
            "no differences are taken: what it did in this interval is unknown",
        );
    }
    if !pair.adjoining && pair.same_start {
        note(
            "snapshots between the two are missing",
            "statements, segments and metrics are left out: they cover only the last part of the interval",
        );
    }
    match pair.put_s {
        0 => {}
        1.. => note(
            "the clock of the host was put back an hour between the two snapshots",
            "rates are of the true length, an hour more than between the printed times",
        ),
        _ => note(
            "the clock of the host was put forward an hour between the two snapshots",
            "rates are of the true length, an hour less than between the printed times",
        ),
    }
    if elapsed_s.is_none() {
        note("the length of the interval is not known", "there are no rates");
    }
    Interval {
        instance: pair.instance,
        earlier: pair.before,
        before: pair.snaps.0,
        snap: pair.snaps.1,
        elapsed_s,
        same_start: pair.same_start,
        adjoining: pair.adjoining,
        report,
    }
}
