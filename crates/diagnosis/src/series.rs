//! Several reports as a time series: by database and instance, instances added at equal times,
//! the peak named, gaps, overlaps and files given twice found.

use crate::outcome::{Diagnosis, IoFigure, ResponseSide};
use crate::words;
use serde::Serialize;
use spindle_facts::{Identity, Kind, Metric, Report, Scope, epoch_s, other_host};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Snapshots of instances that belong together are taken within this; also what a gap must exceed.
const TOLERANCE_S: i64 = spindle_facts::SNAPSHOTS_APART_S;

/// Intervals shorter than this are the same only if begin and end are: snapshots may be taken every few minutes.
const SHORTEST_NEAR_S: i64 = 4 * TOLERANCE_S;

/// One interval of one instance, or of all instances of a database at that time.
///
/// Shape: sorted by database, instance (`None`, all of them, first) and time. Unit: see the names;
/// times are ISO 8601 without zone. Missing: `None` where a report (or, in a sum, one of its
/// instances) does not print it. Source: the diagnosis of each report; a mean latency of several
/// instances is weighted by waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SeriesRow {
    /// Begin of the interval.
    pub begin_time: Option<String>,
    /// End of the interval.
    pub end_time: Option<String>,
    /// Instance; `None` for the whole database.
    pub instance_number: Option<u32>,
    /// Instances that the row adds up.
    pub instances: u32,
    /// Database.
    pub db_name: Option<String>,
    /// Container, for reports of a pluggable database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// DB time.
    pub db_time_s: Option<f64>,
    /// Elapsed time.
    pub elapsed_s: Option<f64>,
    /// Average active sessions.
    pub average_active_sessions: Option<f64>,
    /// CPU of foreground sessions.
    pub cpu_s: Option<f64>,
    /// Foreground waits of class User I/O.
    pub user_io_wait_s: Option<f64>,
    /// Read requests a second.
    pub read_iops: Option<f64>,
    /// Write requests a second, redo included.
    pub write_iops: Option<f64>,
    /// MB (10^6 bytes) read a second.
    pub read_mbps: Option<f64>,
    /// MB (10^6 bytes) written a second.
    pub write_mbps: Option<f64>,
    /// Mean foreground single-block read.
    pub single_block_read_us: Option<f64>,
    /// Mean write of the log writer.
    pub log_write_us: Option<f64>,
    /// Is it the interval with the most active sessions of its database?
    pub is_peak: bool,
    /// Sources of the reports.
    pub sources: Vec<String>,
    #[serde(skip)]
    read_waits: Option<f64>,
    #[serde(skip)]
    log_waits: Option<f64>,
    #[serde(skip)]
    seen: Seen,
}

/// Does a report speak of a part of the load alone: of one statement, of samples, of findings?
#[must_use]
pub fn is_of_a_part(id: &Identity) -> bool {
    matches!(id.kind, Kind::AwrSql | Kind::Ash | Kind::Addm)
}

/// What tells two intervals of one name and time apart.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// Is it a report on a part of the load, as of one statement? Beside one on all of it, it goes.
    of_a_part: bool,
    host: Option<String>,
    snapshots: Option<Snapshots>,
}

/// Numbers of the first and the last snapshot, and whether Statspack numbered them: AWR has numbers of its own.
type Snapshots = (bool, u64, u64);

impl Seen {
    fn of(id: &Identity) -> Self {
        let numbers = id.begin_snap.zip(id.end_snap).filter(|_| id.kind != Kind::Unknown);
        Self {
            of_a_part: is_of_a_part(id),
            host: id.host.clone(),
            snapshots: numbers.map(|(begin, end)| (id.kind == Kind::Statspack, begin, end)),
        }
    }

    /// Do hosts or snapshots contradict that both are one interval? A copy of a database runs on another host, and the
    /// hour that comes twice when clocks are set back has other snapshots.
    fn is_another(&self, other: &Self) -> bool {
        let apart =
            self.snapshots.zip(other.snapshots).is_some_and(|((by, begin, end), (other_by, from, to))| {
                by == other_by && (end <= from || to <= begin)
            });
        apart || other_host(self.host.as_deref(), other.host.as_deref())
    }
}

/// Something wrong with the time axis, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeriesRemark {
    /// `gap`, `overlap` or `duplicate`.
    pub kind: &'static str,
    /// Database.
    pub db_name: Option<String>,
    /// Instance.
    pub instance_number: Option<u32>,
    /// Where it begins.
    pub begin_time: Option<String>,
    /// Where it ends.
    pub end_time: Option<String>,
    /// What a DBA would say.
    pub message: String,
}

/// A time series over any number of databases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Series {
    /// Intervals.
    pub rows: Vec<SeriesRow>,
    /// Gaps, overlaps, duplicates.
    pub remarks: Vec<SeriesRemark>,
}

/// Which database: its identifier and name, its container.
type Database = (Option<u64>, Option<String>, Option<String>);

/// The time series of some diagnosed reports. Reports without times or database take no part.
#[must_use]
pub fn series(reports: &[(&Report, &Diagnosis)]) -> Series {
    let mut databases: BTreeMap<Database, Vec<SeriesRow>> = BTreeMap::new();
    for (report, diagnosis) in reports {
        let id = &report.identity;
        if id.begin_time.is_some() && (id.db_id.is_some() || id.db_name.is_some()) {
            let key = (id.db_id, id.db_name.clone(), id.container.clone());
            databases.entry(key).or_default().push(row(report, diagnosis));
        }
    }
    let mut series = Series::default();
    for mut rows in databases.into_values() {
        let order = |row: &SeriesRow| {
            (row.instance_number, row.begin_time.clone(), row.end_time.clone(), row.seen.of_a_part)
        };
        rows.sort_by_cached_key(order);
        let mut rows = without_duplicates(rows, &mut series.remarks);
        time_axis(&rows, &mut series.remarks);
        let (mut sums, printed) = over_instances(&rows);
        for (at, sum) in printed {
            fill(&mut rows[at], &sum);
        }
        sums.extend(rows);
        mark_peak(&mut sums);
        series.rows.extend(sums);
    }
    series
}

fn row(report: &Report, diagnosis: &Diagnosis) -> SeriesRow {
    let id = &report.identity;
    let side = &diagnosis.response_time.foreground;
    let io = &diagnosis.io_profile;
    let value = |f: &Option<IoFigure>| f.as_ref().map(|f| f.value);
    let waits = |side: &ResponseSide, names: &[&str]| {
        side.wait_s?;
        let events = side.classes.iter().flat_map(|c| &c.events);
        let named = events.filter(|e| names.iter().any(|n| e.event.split(": ").next() == Some(*n)));
        named.map(|e| e.waits).sum::<Option<f64>>()
    };
    let user_io = side.classes.iter().find(|c| c.wait_class == "User I/O").map(|c| c.printed_s);
    SeriesRow {
        begin_time: id.begin_time.clone(),
        end_time: id.end_time.clone(),
        instance_number: if id.scope == Scope::Database { None } else { id.instance_number },
        instances: if id.scope == Scope::Database { id.instances.unwrap_or(1) } else { 1 },
        db_name: id.db_name.clone(),
        container: id.container.clone(),
        db_time_s: side.db_time_s,
        elapsed_s: id.elapsed_s,
        average_active_sessions: average_active_sessions(report, side.db_time_s),
        cpu_s: side.cpu_s,
        // No User I/O among printed waits is none at all; among the few that lead it is unknown.
        user_io_wait_s: user_io.or(side.wait_s.filter(|_| !side.leaders_alone).map(|_| 0.0)),
        read_iops: value(&io.read_iops),
        write_iops: value(&io.write_iops),
        read_mbps: value(&io.read_mbps),
        write_mbps: value(&io.write_mbps),
        single_block_read_us: value(&io.single_block_read_us),
        log_write_us: value(&io.log_write_us),
        is_peak: false,
        sources: vec![id.source.clone()],
        read_waits: waits(side, crate::io_profile::SINGLE_BLOCK_READS),
        log_waits: waits(&diagnosis.response_time.background, &["log file parallel write"]),
        seen: Seen::of(id),
    }
}

/// Do two reports of one instance cover the same interval? Two of its snapshots are the same, or those of
/// AWR and of Statspack were taken at almost the same time.
#[must_use]
pub fn is_same_interval(a: &Identity, b: &Identity) -> bool {
    let same = (&a.db_name, a.instance_number, &a.instance, &a.container, a.scope)
        == (&b.db_name, b.instance_number, &b.instance, &b.container, b.scope);
    let differ = a.db_id.zip(b.db_id).is_some_and(|(a, b)| a != b);
    let differ = differ || Seen::of(a).is_another(&Seen::of(b));
    same && !differ && times_agree((&a.begin_time, &a.end_time), (&b.begin_time, &b.end_time))
}

type Times<'a> = (&'a Option<String>, &'a Option<String>);

/// The same begin and end; of intervals that are long enough for it, as far as snapshots are apart.
fn times_agree(a: Times<'_>, b: Times<'_>) -> bool {
    if a == b {
        return a.0.is_some() && a.1.is_some();
    }
    let at = |time: &Option<String>| epoch_s(time.as_deref());
    let (Some(begin), Some(end), Some(other_begin), Some(other_end)) = (at(a.0), at(a.1), at(b.0), at(b.1))
    else {
        return false;
    };
    let near = |a: i64, b: i64| (a - b).abs() <= TOLERANCE_S;
    near(begin, other_begin) && near(end, other_end) && end - begin >= SHORTEST_NEAR_S
}

/// Keeps the first of the reports of one instance and interval.
fn without_duplicates(rows: Vec<SeriesRow>, remarks: &mut Vec<SeriesRemark>) -> Vec<SeriesRow> {
    let mut kept: Vec<SeriesRow> = Vec::with_capacity(rows.len());
    for row in rows {
        match kept.last() {
            Some(first)
                if first.instance_number == row.instance_number
                    && !first.seen.is_another(&row.seen)
                    && times_agree(
                        (&first.begin_time, &first.end_time),
                        (&row.begin_time, &row.end_time),
                    ) =>
            {
                let message = format!("{} covers the same interval as {}", row.sources[0], first.sources[0]);
                remarks.push(remark(
                    "duplicate",
                    &row,
                    row.begin_time.clone(),
                    row.end_time.clone(),
                    message,
                ));
            }
            _ => kept.push(row),
        }
    }
    kept
}

/// Gaps and overlaps of each instance; `rows` are sorted by instance and begin.
fn time_axis(rows: &[SeriesRow], remarks: &mut Vec<SeriesRemark>) {
    let mut latest: Option<&SeriesRow> = None;
    for row in rows {
        let before = latest.filter(|b| b.instance_number == row.instance_number);
        if let Some(before) = before
            && let (Some(end), Some(begin)) =
                (epoch_s(before.end_time.as_deref()), epoch_s(row.begin_time.as_deref()))
        {
            if begin > end + TOLERANCE_S {
                let message = format!("no report covers {}", words::seconds((begin - end) as f64));
                remarks.push(remark("gap", row, before.end_time.clone(), row.begin_time.clone(), message));
            } else if begin < end - TOLERANCE_S {
                let message = format!(
                    "{} and {} overlap; their loads do not add up",
                    before.sources[0], row.sources[0]
                );
                remarks.push(remark(
                    "overlap",
                    row,
                    row.begin_time.clone(),
                    before.end_time.clone(),
                    message,
                ));
            }
        }
        if before.is_none_or(|b| b.end_time <= row.end_time) {
            latest = Some(row);
        }
    }
}

fn remark(
    kind: &'static str,
    row: &SeriesRow,
    begin_time: Option<String>,
    end_time: Option<String>,
    message: String,
) -> SeriesRemark {
    SeriesRemark {
        kind,
        db_name: row.db_name.clone(),
        instance_number: row.instance_number,
        begin_time,
        end_time,
        message,
    }
}

/// Requests and bytes of the whole database, where its own row lacks them and all instances have them.
fn fill(row: &mut SeriesRow, sum: &SeriesRow) {
    if row.instances != sum.instances {
        return;
    }
    row.read_iops = row.read_iops.or(sum.read_iops);
    row.write_iops = row.write_iops.or(sum.write_iops);
    row.read_mbps = row.read_mbps.or(sum.read_mbps);
    row.write_mbps = row.write_mbps.or(sum.write_mbps);
}

/// One row for each time at which several instances were reported, by begin; and where a row of the whole
/// database is printed for that time, its place with the sum.
fn over_instances(rows: &[SeriesRow]) -> (Vec<SeriesRow>, Vec<(usize, SeriesRow)>) {
    let mut by_time: Vec<&SeriesRow> = rows.iter().filter(|r| r.instance_number.is_some()).collect();
    by_time.sort_by(|a, b| (&a.begin_time, &a.end_time).cmp(&(&b.begin_time, &b.end_time)));
    let near = |a: &Option<String>, b: &Option<String>| {
        epoch_s(a.as_deref()).zip(epoch_s(b.as_deref())).is_some_and(|(a, b)| (a - b).abs() <= TOLERANCE_S)
    };
    let mut groups: Vec<Vec<&SeriesRow>> = Vec::new();
    for row in by_time {
        // Instances of one time stand next to each other, but intervals of two lengths may mix.
        let group = groups.iter_mut().rev().take(16).find(|g| {
            near(&g[0].begin_time, &row.begin_time)
                && near(&g[0].end_time, &row.end_time)
                && g.iter().all(|r| r.instance_number != row.instance_number)
        });
        match group {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    // A row of the whole database says the same, and says it at first hand.
    let whole = rows.iter().take_while(|r| r.instance_number.is_none()).count();
    let printed = |g: &[&SeriesRow]| {
        rows[..whole]
            .iter()
            .position(|r| near(&g[0].begin_time, &r.begin_time) && near(&g[0].end_time, &r.end_time))
    };
    let (mut sums, mut beside) = (Vec::new(), Vec::new());
    for group in groups.iter().filter(|g| g.len() > 1) {
        match printed(group) {
            Some(at) => beside.push((at, added(group))),
            None => sums.push(added(group)),
        }
    }
    (sums, beside)
}

fn added(rows: &[&SeriesRow]) -> SeriesRow {
    let sum = |value: fn(&SeriesRow) -> Option<f64>| rows.iter().map(|r| value(r)).sum::<Option<f64>>();
    let weighted = |value: fn(&SeriesRow) -> Option<f64>, waits: fn(&SeriesRow) -> Option<f64>| {
        // An instance without waits has no mean and no weight.
        let parts = rows.iter().filter(|r| waits(r) != Some(0.0) || value(r).is_some());
        let (mut time, mut count) = (0.0, 0.0);
        for row in parts {
            let n = waits(row)?;
            time += n * value(row)?;
            count += n;
        }
        (count > 0.0).then(|| time / count)
    };
    let longest = rows
        .iter()
        .filter_map(|r| r.elapsed_s)
        .fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.max(b))));
    SeriesRow {
        begin_time: rows.iter().map(|r| &r.begin_time).min().cloned().flatten(),
        end_time: rows.iter().map(|r| &r.end_time).max().cloned().flatten(),
        instance_number: None,
        instances: rows.iter().map(|r| r.instances).sum(),
        db_name: rows[0].db_name.clone(),
        container: rows[0].container.clone(),
        db_time_s: sum(|r| r.db_time_s),
        elapsed_s: longest,
        average_active_sessions: sum(|r| r.average_active_sessions),
        cpu_s: sum(|r| r.cpu_s),
        user_io_wait_s: sum(|r| r.user_io_wait_s),
        read_iops: sum(|r| r.read_iops),
        write_iops: sum(|r| r.write_iops),
        read_mbps: sum(|r| r.read_mbps),
        write_mbps: sum(|r| r.write_mbps),
        single_block_read_us: weighted(|r| r.single_block_read_us, |r| r.read_waits),
        log_write_us: weighted(|r| r.log_write_us, |r| r.log_waits),
        is_peak: false,
        sources: rows.iter().flat_map(|r| r.sources.clone()).collect(),
        read_waits: sum(|r| r.read_waits),
        log_waits: sum(|r| r.log_waits),
        seen: Seen::default(),
    }
}

/// Average active sessions of an interval with such a DB time, seconds.
///
/// Shape: one a report. Unit: sessions. Missing: `None` where neither DB time and elapsed time are known nor the load
/// profile prints DB time a second, and where its counters began anew. Source: DB time over elapsed time, else the load
/// profile.
#[must_use]
pub fn average_active_sessions(report: &Report, db_time_s: Option<f64>) -> Option<f64> {
    let id = &report.identity;
    let counted = db_time_s.zip(id.elapsed_s).filter(|(_, elapsed)| *elapsed > 0.0);
    let printed = || report.tables.load_per_second(Metric::DbTime).filter(|_| !id.spans_restart);
    counted.map(|(time, elapsed)| time / elapsed).or_else(printed)
}

/// How busy an interval was, for comparing: average active sessions; where DB time is not printed, less than
/// those that have it, by requests a second.
///
/// Shape: larger is busier. Unit: sessions, then requests a second. Missing: `None` in both places sorts
/// last. Source: the diagnosis.
#[must_use]
pub fn load(report: &Report, diagnosis: &Diagnosis) -> (Option<f64>, Option<f64>) {
    let id = &report.identity;
    // Its figures are differences of two countings, of which one began anew.
    if id.spans_restart {
        return (None, None);
    }
    let db_time_s = id.db_time_s.or(diagnosis.response_time.foreground.db_time_s);
    let sessions = average_active_sessions(report, db_time_s);
    let value = |f: &Option<IoFigure>| f.as_ref().map(|f| f.value);
    let (reads, writes) = (value(&diagnosis.io_profile.read_iops), value(&diagnosis.io_profile.write_iops));
    let requests = reads.map_or(writes, |r| Some(r + writes.unwrap_or(0.0)));
    (sessions, requests)
}

/// Orders loads, the busier greater.
#[must_use]
pub fn by_load(a: (Option<f64>, Option<f64>), b: (Option<f64>, Option<f64>)) -> Ordering {
    let number = |load: Option<f64>| load.unwrap_or(-1.0);
    number(a.0).total_cmp(&number(b.0)).then(number(a.1).total_cmp(&number(b.1)))
}

/// The busiest interval of the database: of its instances those count that stand in no row of the whole database.
fn mark_peak(rows: &mut [SeriesRow]) {
    let wholes: Vec<(Option<i64>, Option<i64>)> = rows
        .iter()
        .filter(|r| r.instance_number.is_none() && r.average_active_sessions.is_some())
        .map(|r| (epoch_s(r.begin_time.as_deref()), epoch_s(r.end_time.as_deref())))
        .collect();
    let is_part = |row: &SeriesRow| {
        let (begin, end) = (epoch_s(row.begin_time.as_deref()), epoch_s(row.end_time.as_deref()));
        row.instance_number.is_some()
            && wholes.iter().any(|(from, to)| {
                begin.zip(*to).is_none_or(|(begin, to)| begin < to - TOLERANCE_S)
                    && end.zip(*from).is_none_or(|(end, from)| end > from + TOLERANCE_S)
            })
    };
    let load = |r: &SeriesRow| r.average_active_sessions.unwrap_or(-1.0);
    let busiest = (0..rows.len())
        .filter(|at| !is_part(&rows[*at]))
        .max_by(|a, b| load(&rows[*a]).total_cmp(&load(&rows[*b])));
    if let Some(at) = busiest {
        rows[at].is_peak = rows[at].average_active_sessions.is_some();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Options, diagnose};
    use spindle_facts::{Kind, Layout, LoadProfileRow, Metric, Side, WaitEvent};

    fn report(instance: u32, begin: &str, end: &str, db_time_s: f64, reads: (f64, f64)) -> Report {
        let mut id = Identity::unknown(&format!("{instance}-{begin}"), Kind::Awr, Layout::Text);
        id.db_name = Some("PROD".into());
        id.instance_number = Some(instance);
        id.begin_time = Some(format!("2024-02-29T{begin}:00"));
        id.end_time = Some(format!("2024-02-29T{end}:00"));
        id.elapsed_s = Some(3600.0);
        id.db_time_s = Some(db_time_s);
        let mut report = Report::new(id);
        report.tables.wait_event.push(WaitEvent {
            line: 1,
            section: 0,
            instance_number: None,
            event: "db file sequential read".into(),
            printed_as: None,
            side: Side::Foreground,
            wait_class: Some("User I/O".into()),
            is_idle: false,
            waits: Some(reads.0),
            waits_low: None,
            waits_high: None,
            timeouts: None,
            timeouts_pct: None,
            time_s: Some(reads.0 * reads.1 / 1e6),
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: Some(reads.1),
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            waits_per_txn: None,
            share_pct: None,
            share_of: None,
        });
        report
    }

    fn of(reports: &[Report]) -> Series {
        let diagnosed: Vec<_> = reports.iter().map(|r| (r, diagnose(r, &Options::default()))).collect();
        series(&diagnosed.iter().map(|(r, d)| (*r, d)).collect::<Vec<_>>())
    }

    /// The hour that comes twice when clocks are set back, and a copy of the database on another host, were "the interval
    /// of another" and left out.
    #[test]
    fn intervals_of_one_time_that_snapshots_or_hosts_tell_apart_are_two() {
        let hour = || report(1, "02:00", "03:00", 3600.0, (1000.0, 2000.0));
        let with = |snaps: (u64, u64), host: &str, kind: Kind| {
            let mut report = hour();
            let id = &mut report.identity;
            (id.begin_snap, id.end_snap) = (Some(snaps.0), Some(snaps.1));
            (id.host, id.kind) = (Some(host.to_owned()), kind);
            report
        };
        let first = with((100, 101), "a", Kind::Awr);
        let rows = |other: &Report| of(&[first.clone(), other.clone()]).rows.len();
        assert_eq!(rows(&with((101, 102), "a", Kind::Awr)), 2, "clocks were set back");
        assert_eq!(rows(&with((100, 101), "b", Kind::Awr)), 2, "a copy");
        assert_eq!(rows(&with((100, 101), "a.example.org", Kind::Awr)), 1);
        assert_eq!(rows(&with((7, 8), "a", Kind::Statspack)), 1, "Statspack numbers its own");
        assert_eq!(rows(&hour()), 1);
        let mut statement = with((100, 101), "a", Kind::AwrSql);
        statement.identity.source = "a statement".into();
        let both = of(&[statement, first.clone()]).rows;
        assert_eq!((both.len(), both[0].sources.as_slice()), (1, &[first.identity.source.clone()][..]));
        assert!(!is_same_interval(&first.identity, &with((101, 102), "a", Kind::Awr).identity));
    }

    /// Sums of all instances alone were looked at, where one hour has the report of one instance only.
    #[test]
    fn the_busiest_hour_was_no_peak_where_an_instance_had_no_report() {
        let s = of(&[
            report(1, "10:00", "11:00", 3600.0, (1000.0, 2000.0)),
            report(2, "10:00", "11:00", 3600.0, (1000.0, 2000.0)),
            report(1, "11:00", "12:00", 36_000.0, (1000.0, 1000.0)),
        ]);
        let peaks: Vec<_> = s.rows.iter().filter(|r| r.is_peak).collect();
        assert_eq!(peaks.len(), 1);
        assert_eq!((peaks[0].instance_number, peaks[0].average_active_sessions), (Some(1), Some(10.0)));
    }

    #[test]
    fn instances_add_up_at_equal_times_and_latency_is_weighted_by_waits() {
        let s = of(&[
            report(1, "10:00", "11:00", 3600.0, (1000.0, 2000.0)),
            report(2, "10:01", "11:01", 7200.0, (3000.0, 6000.0)),
            report(1, "11:00", "12:00", 1800.0, (1000.0, 1000.0)),
        ]);
        assert_eq!(s.rows.len(), 4, "one sum and three instances");
        let sum = &s.rows[0];
        assert_eq!((sum.instance_number, sum.instances), (None, 2));
        assert_eq!(sum.db_time_s, Some(10_800.0));
        assert_eq!(sum.average_active_sessions, Some(3.0));
        assert_eq!(sum.single_block_read_us, Some(5000.0));
        assert!(sum.is_peak);
        assert_eq!(s.remarks, []);
    }

    /// Five events that lead, and no read among them: "User I/O 0.0 %" beside tablespaces that were read for hours.
    #[test]
    fn a_class_that_no_leading_event_is_of_was_none_at_all() {
        let commits = || crate::rules::testing::Hour::new(1000.0);
        let leading = commits().top("log file sync", Some(1e5), 300.0).report;
        let all = commits().foreground("log file sync", 1e5, 300.0).report;
        let user_io = |waits: Report| {
            let mut hour = report(1, "10:00", "11:00", 1000.0, (0.0, 0.0));
            hour.tables = waits.tables;
            of(&[hour]).rows[0].user_io_wait_s
        };
        assert_eq!((user_io(leading), user_io(all)), (None, Some(0.0)));
    }

    #[test]
    fn a_printed_row_of_the_database_is_not_added_to_its_instances() {
        let mut whole = report(1, "10:00", "11:00", 11_000.0, (4000.0, 2000.0));
        (whole.identity.scope, whole.identity.instance_number) = (Scope::Database, None);
        let s = of(&[
            whole,
            report(1, "10:00", "11:00", 3600.0, (1000.0, 2000.0)),
            report(2, "10:00", "11:00", 7200.0, (3000.0, 6000.0)),
        ]);
        let all: Vec<_> = s.rows.iter().filter(|r| r.instance_number.is_none()).collect();
        assert_eq!((s.rows.len(), all.len()), (3, 1));
        assert_eq!(all[0].db_time_s, Some(11_000.0), "as printed");
    }

    /// AWR-miner prints requests by instance alone: those of all had none, beside both instances of the same time.
    #[test]
    fn a_row_of_the_database_without_requests_has_those_of_its_instances() {
        let with = |mut report: Report, requests| {
            report.tables.load_profile.push(LoadProfileRow {
                line: 1,
                section: 0,
                instance_number: report.identity.instance_number,
                metric: "read_iops".to_owned(),
                known: Some(Metric::TotalReadRequests),
                per_second: Some(requests),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: 0.05,
                per_second_diff_pct: None,
            });
            report
        };
        let of = |instances| {
            let mut whole = report(1, "10:00", "11:00", 11_000.0, (4000.0, 2000.0));
            (whole.identity.scope, whole.identity.instance_number) = (Scope::Database, None);
            whole.identity.instances = Some(instances);
            let s = of(&[
                whole,
                with(report(1, "10:00", "11:00", 3600.0, (1000.0, 2000.0)), 17_212.0),
                with(report(2, "10:00", "11:00", 7200.0, (3000.0, 6000.0)), 17_088.0),
            ]);
            s.rows[0].read_iops
        };
        assert_eq!((of(2), of(3)), (Some(34_300.0), None));
    }

    #[test]
    fn gaps_overlaps_and_duplicates_are_found() {
        let s = of(&[
            report(1, "08:00", "09:00", 1.0, (1.0, 1.0)),
            report(1, "08:00", "09:00", 1.0, (1.0, 1.0)),
            report(1, "10:00", "11:00", 1.0, (1.0, 1.0)),
            report(1, "10:30", "11:30", 1.0, (1.0, 1.0)),
        ]);
        let kinds: Vec<&str> = s.remarks.iter().map(|r| r.kind).collect();
        assert_eq!(kinds, ["duplicate", "gap", "overlap"]);
        assert_eq!(s.rows.len(), 3);
        assert_eq!(s.remarks[1].message, "no report covers 3,600 s");
    }

    /// AWR takes its snapshot some seconds after Statspack: two reports of one hour were two hours.
    #[test]
    fn the_same_hour_of_awr_and_statspack_was_two_intervals() {
        let mut late = report(1, "10:01", "11:01", 3600.0, (1.0, 1.0));
        late.identity.kind = Kind::Statspack;
        let s = of(&[report(1, "10:00", "11:00", 3600.0, (1.0, 1.0)), late]);
        assert_eq!(s.remarks.iter().map(|r| r.kind).collect::<Vec<_>>(), ["duplicate"]);
        assert_eq!(s.rows.len(), 1);
        let s = of(&[
            report(1, "10:00", "10:02", 3600.0, (1.0, 1.0)),
            report(1, "10:02", "10:04", 3600.0, (1.0, 1.0)),
        ]);
        assert_eq!((s.rows.len(), s.remarks.len()), (2, 0), "a snapshot every two minutes");
    }

    /// Sessions of the load profile stood for those of an interval without DB time in one place and not in another, and
    /// those of a restart, whose differences are of two countings, would have been a peak.
    #[test]
    fn sessions_of_the_load_profile_are_those_of_an_interval_without_db_time() {
        let mut hour = crate::rules::testing::Hour::new(100.0).with(|report| {
            (report.identity.db_time_s, report.identity.elapsed_s) = (None, None);
            report.tables.load_profile = vec![spindle_facts::LoadProfileRow {
                line: 1,
                section: 0,
                instance_number: None,
                metric: "DB Time(s)".to_owned(),
                known: Some(Metric::DbTime),
                per_second: Some(8.9),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: 0.05,
                per_second_diff_pct: None,
            }];
        });
        assert_eq!(average_active_sessions(&hour.report, None), Some(8.9));
        assert_eq!(average_active_sessions(&hour.report, Some(7_200.0)), Some(8.9), "of an unknown length");
        hour.report.identity.elapsed_s = Some(3_600.0);
        assert_eq!(average_active_sessions(&hour.report, Some(7_200.0)), Some(2.0));
        hour.report.identity.spans_restart = true;
        assert_eq!(average_active_sessions(&hour.report, None), None);
    }

    #[test]
    fn days_are_counted_over_leap_years() {
        let at = |t: &str| epoch_s(Some(t)).unwrap();
        assert_eq!(at("1970-01-01T00:00:00"), 0);
        assert_eq!(at("2024-03-01T00:00:00") - at("2024-02-28T00:00:00"), 2 * 86_400);
        assert_eq!(at("2000-01-01 00:00"), 946_684_800);
        assert_eq!(epoch_s(Some("nonsense")), None);
    }
}
