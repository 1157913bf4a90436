//! One interval of a history: differences of its two snapshots to the tables of a report.

use super::Interval;
use super::samples::{Sample, Samples};
use crate::names;
use spindle_facts::{
    FileIo, HistogramBucket, InstanceStat, IoActivity, OsStat, Parameter, SegmentStat, Side, SqlStat,
    SysMetric, TablespaceIo, TimeModelRow, WaitEvent, WaitHistogram,
};
use std::collections::{BTreeMap, HashMap};

const US_PER_S: f64 = 1e6;
const US_PER_MS: f64 = 1e3;
const US_PER_CS: f64 = 1e4;
const MIB: f64 = 1_048_576.0;

/// Statistics that are no counters.
const ABSOLUTE: &[&str] = &[
    "logons current",
    "opened cursors current",
    "session cursor cache count",
    "session pga memory",
    "session pga memory max",
    "session uga memory",
    "session uga memory max",
    "workarea memory allocated",
];

/// What a row that the earlier snapshot does not have counts there.
#[derive(Clone, Copy, PartialEq)]
enum Absent {
    /// The view lists only what has happened.
    Nothing,
    /// Cannot be known.
    Unknown,
}

pub(super) fn fill(interval: &mut Interval, samples: &Samples) {
    if interval.same_start {
        time_model(interval, samples);
        instance_stat(interval, samples);
        wait_event(interval, samples);
        wait_histogram(interval, samples);
        io(interval, samples, "iostat_function");
        io(interval, samples, "iostat_filetype");
        file_io(interval, samples);
    }
    os_stat(interval, samples);
    if interval.adjoining {
        sysmetric(interval, samples);
        segment_stat(interval, samples);
        sql_stat(interval, samples);
    }
    parameter(interval, samples);
}

/// Rows of the later snapshot with their differences; `None` where a counter went back, and where it had gone
/// back just before and is now beyond where it fell from: nobody can tell what of that it did, and what it
/// only made up.
fn differences<'a>(
    interval: &Interval,
    samples: &'a Samples,
    section: &str,
    absent: Absent,
) -> Vec<(Sample<'a>, Vec<Option<f64>>)> {
    let earlier = samples.rows(section, interval.instance, interval.before);
    if earlier.is_empty() {
        return Vec::new();
    }
    let mut by_name: HashMap<u32, Option<Sample<'_>>> = HashMap::with_capacity(earlier.len());
    for sample in earlier {
        // Two rows of one name: which is which cannot be told.
        by_name.entry(sample.name).and_modify(|s| *s = None).or_insert(Some(sample));
    }
    let before_that = interval.earlier.map_or_else(Vec::new, |s| samples.rows(section, interval.instance, s));
    let before_that: HashMap<u32, Sample<'_>> = before_that.into_iter().map(|s| (s.name, s)).collect();
    let later = samples.rows(section, interval.instance, interval.snap);
    let mut count: HashMap<u32, u32> = HashMap::with_capacity(later.len());
    later.iter().for_each(|s| *count.entry(s.name).or_default() += 1);
    let mut found = Vec::with_capacity(later.len());
    for sample in later.into_iter().filter(|s| count.get(&s.name) == Some(&1)) {
        let before = by_name.get(&sample.name);
        let deltas = sample.values().enumerate().map(|(at, now)| {
            let then = match before {
                Some(Some(before)) => before.value(at),
                Some(None) => None,
                None if absent == Absent::Nothing => Some(0.0),
                None => None,
            };
            let fell_from = before_that.get(&sample.name).and_then(|s| s.value(at));
            let (now, then) = (now?, then?);
            let climbs_back = fell_from.is_some_and(|top| top > then && now >= top);
            Some(now - then).filter(|d| *d >= 0.0 && !climbs_back)
        });
        let deltas = deltas.collect();
        found.push((sample, deltas));
    }
    found
}

fn time_model(interval: &mut Interval, samples: &Samples) {
    let rows = differences(interval, samples, "time_model", Absent::Unknown);
    let Some(line) = rows.first().map(|(s, _)| s.line) else { return };
    let section = interval.section("time_model", line, rows.len());
    let db_time = rows.iter().find(|(s, _)| samples.text(s, 0) == Some("DB time")).and_then(|(_, d)| d[0]);
    for (sample, deltas) in rows {
        let Some(statistic) = samples.text(sample, 0) else { continue };
        let time_s = deltas[0].map(|us| us / US_PER_S);
        let share =
            deltas[0].zip(db_time).filter(|(_, all)| *all > 0.0 && !statistic.starts_with("background"));
        interval.report.tables.time_model.push(TimeModelRow {
            line: sample.line,
            section,
            instance_number: None,
            statistic: statistic.to_owned(),
            time_s,
            time_s_low: time_s,
            time_s_high: time_s,
            share_db_time_pct: share.map(|(us, all)| 100.0 * us / all),
        });
    }
    let identity = &mut interval.report.identity;
    identity.db_time_s = db_time.map(|us| us / US_PER_S);
    (identity.db_time_s_low, identity.db_time_s_high) = (identity.db_time_s, identity.db_time_s);
}

fn instance_stat(interval: &mut Interval, samples: &Samples) {
    let rows = differences(interval, samples, "sysstat", Absent::Unknown);
    let Some(line) = rows.first().map(|(s, _)| s.line) else { return };
    let section = interval.section("sysstat", line, rows.len());
    let total =
        |name: &str| rows.iter().find(|(s, _)| samples.text(s, 0) == Some(name)).and_then(|(_, d)| d[0]);
    let transactions =
        total("user commits").zip(total("user rollbacks")).map(|(c, r)| c + r).filter(|t| *t > 0.0);
    let earlier: HashMap<u32, Option<f64>> = samples
        .rows("sysstat", interval.instance, interval.before)
        .iter()
        .map(|s| (s.name, s.value(0)))
        .collect();
    for (sample, deltas) in &rows {
        let Some(statistic) = samples.text(sample, 0) else { continue };
        let is_absolute = ABSOLUTE.contains(&statistic);
        let total = deltas[0].filter(|_| !is_absolute);
        interval.report.tables.instance_stat.push(InstanceStat {
            line: sample.line,
            section,
            instance_number: None,
            statistic: statistic.into(),
            printed_as: None,
            total,
            per_second: total.zip(interval.elapsed_s).map(|(t, s)| t / s),
            per_transaction: total.zip(transactions).map(|(t, n)| t / n),
            begin_value: earlier.get(&sample.name).copied().flatten().filter(|_| is_absolute),
            end_value: sample.value(0).filter(|_| is_absolute),
        });
    }
}

fn wait_event(interval: &mut Interval, samples: &Samples) {
    let rows = differences(interval, samples, "system_event", Absent::Nothing);
    let Some(line) = rows.first().map(|(s, _)| s.line) else { return };
    let section = interval.section("system_event", line, rows.len());
    let db_time = interval.report.identity.db_time_s.filter(|s| *s > 0.0);
    for (sample, d) in rows {
        let Some(event) = samples.text(sample, 0) else { continue };
        let wait_class = samples.text(sample, 1).or_else(|| names::wait_class(event)).map(str::to_owned);
        let mut push = |side: Side, waits: Option<f64>, us: Option<f64>| {
            // Events that nobody waited for in the interval are not printed in reports either.
            if waits == Some(0.0) && us.is_none_or(|us| us == 0.0) {
                return;
            }
            let time_s = us.map(|us| us / US_PER_S);
            let average = us.zip(waits).filter(|(_, w)| *w > 0.0).map(|(us, w)| us / w);
            let share =
                time_s.zip(db_time).filter(|_| side == Side::Foreground).map(|(t, all)| 100.0 * t / all);
            interval.report.tables.wait_event.push(WaitEvent {
                line: sample.line,
                section,
                instance_number: None,
                event: event.into(),
                printed_as: None,
                side,
                is_idle: wait_class.as_deref() == Some("Idle"),
                wait_class: wait_class.as_deref().map(Into::into),
                waits,
                waits_low: waits,
                waits_high: waits,
                timeouts: None,
                timeouts_pct: None,
                time_s,
                time_s_low: time_s,
                time_s_high: time_s,
                avg_wait_us: average,
                avg_wait_us_low: average,
                avg_wait_us_high: average,
                waits_per_txn: None,
                share_pct: share,
                share_of: share.map(|_| spindle_facts::ShareOf::DbTime),
            });
        };
        // Before 11.1 the view does not tell foreground from background.
        if sample.value(2).is_none() && sample.value(3).is_none() {
            push(Side::All, d[0], d[1]);
            continue;
        }
        push(Side::Foreground, d[2], d[3]);
        let rest = |all: Option<f64>, fg: Option<f64>| Some(all? - fg?).filter(|n| *n >= 0.0);
        push(Side::Background, rest(d[0], d[2]), rest(d[1], d[3]));
    }
}

/// Buckets of an event: upper bound in milliseconds, waits, line; `None` where the counts are unknown.
type Counts = Option<Vec<(f64, f64, u32)>>;

fn wait_histogram(interval: &mut Interval, samples: &Samples) {
    let counts_at = |snap: u64| {
        let mut events: BTreeMap<u32, Vec<(f64, f64, u32)>> = BTreeMap::new();
        for s in samples.rows("event_histogram", interval.instance, snap) {
            // A bucket without bound or count spoils its event: NaN never becomes a count.
            let (bound, waits) = (s.value(0).unwrap_or(f64::NAN), s.value(1).unwrap_or(f64::NAN));
            events.entry(s.name).or_default().push((bound, waits, s.line));
        }
        events
    };
    let (earlier, later) = (counts_at(interval.before), counts_at(interval.snap));
    if earlier.is_empty() {
        return;
    }
    let finest = samples.finest_bucket(interval.instance, interval.snap);
    // As Oracle counts: powers of two of microseconds from 12.2, of milliseconds before.
    let us =
        if interval.report.identity.release().is_some_and(|r| r >= (12, 2)) { 1_024.0 } else { US_PER_MS };
    let rows = samples.rows("event_histogram", interval.instance, interval.snap);
    let mut found = Vec::new();
    for (name, buckets) in &later {
        let before = earlier.get(name).map_or(&[][..], Vec::as_slice);
        let counts: Counts = buckets
            .iter()
            .map(|(bound, waits, line)| {
                let mut then = before.iter().filter(|(b, ..)| b == bound);
                let first = then.next().map_or(0.0, |(_, w, _)| *w);
                let delta = waits - first;
                (then.next().is_none() && delta >= 0.0).then_some((*bound, delta, *line))
            })
            .collect();
        let event = rows.iter().find(|s| s.name == *name);
        if let Some(event) = event.and_then(|s| samples.text(s, 0))
            && let Some(buckets) = counts.and_then(|counts| filled(counts, finest, us))
        {
            found.push((event.to_owned(), buckets));
        }
    }
    let Some(line) = found.first().and_then(|(_, b)| b.first()).map(|b| b.line) else { return };
    let section = interval.section("event_histogram", line, found.len());
    for (event, buckets) in found {
        interval.report.tables.wait_histogram.push(WaitHistogram {
            line: buckets[0].line,
            section,
            instance_number: None,
            event: event.into(),
            side: Side::All,
            waits: Some(buckets.iter().map(|b| b.waits).sum()),
            buckets,
        });
    }
}

/// Buckets without gaps from 0; `None` where the bounds are no doublings, repeat, or nobody waited.
fn filled(mut counts: Vec<(f64, f64, u32)>, finest: f64, us: f64) -> Option<Vec<HistogramBucket>> {
    /// More doublings than any wait takes.
    const MOST: u32 = 64;
    /// Milliseconds from which on a bound is no time that a wait takes: eleven days.
    const NO_WAIT_MS: f64 = 1e9;
    counts.sort_by(|a, b| a.0.total_cmp(&b.0));
    if counts.iter().any(|c| c.0 >= NO_WAIT_MS || !c.1.is_finite())
        || counts.iter().all(|c| c.1 == 0.0)
        || counts.windows(2).any(|w| w[0].0 == w[1].0)
    {
        return None;
    }
    let line = counts.first()?.2;
    let mut left = counts.iter().peekable();
    let (mut low, mut high) = (0.0, finest);
    let mut found = Vec::with_capacity(counts.len());
    for _ in 0..MOST {
        let (waits, own) = match left.next_if(|c| c.0 == high) {
            Some((_, waits, own)) => (*waits, *own),
            None => (0.0, line),
        };
        found.push(HistogramBucket {
            low_us: low * us,
            high_us: Some(high * us),
            waits,
            waits_low: waits,
            waits_high: waits,
            share_pct: None,
            share_bounds_pct: None,
            line: own,
        });
        if left.peek().is_none() {
            return Some(found);
        }
        (low, high) = (high, high * 2.0);
    }
    None
}

fn io(interval: &mut Interval, samples: &Samples, section_name: &str) {
    let rows = differences(interval, samples, section_name, Absent::Unknown);
    let Some(line) = rows.first().map(|(s, _)| s.line) else { return };
    let section = interval.section(section_name, line, rows.len());
    let of_function = section_name == "iostat_function";
    let sum = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
    let rate = |total: Option<f64>| total.zip(interval.elapsed_s).map(|(t, s)| t / s);
    let mut found = Vec::with_capacity(rows.len());
    for (sample, d) in rows {
        let name = samples.text(sample, 0).map(str::to_owned);
        let read_bytes = sum(d[0], d[2]).map(|mb| mb * MIB);
        let write_bytes = sum(d[1], d[3]).map(|mb| mb * MIB);
        found.push(IoActivity {
            line: sample.line,
            section,
            function: name.clone().filter(|_| of_function),
            filetype: name.filter(|_| !of_function),
            read_bytes,
            write_bytes,
            reads_per_s: rate(sum(d[4], d[6])),
            read_bytes_per_s: rate(read_bytes),
            writes_per_s: rate(sum(d[5], d[7])),
            write_bytes_per_s: rate(write_bytes),
            waits: d[8],
            avg_wait_us: d[9].zip(d[8]).filter(|(_, w)| *w > 0.0).map(|(ms, w)| ms * US_PER_MS / w),
            small_read_requests: d[4],
            large_read_requests: d[6],
            small_write_requests: d[5],
            large_write_requests: d[7],
            ..IoActivity::default()
        });
    }
    let tables = &mut interval.report.tables;
    if of_function { tables.io_function = found } else { tables.io_filetype = found }
}

fn file_io(interval: &mut Interval, samples: &Samples) {
    let rows = differences(interval, samples, "file_io", Absent::Unknown);
    let Some(line) = rows.first().map(|(s, _)| s.line) else { return };
    let section = interval.section("file_io", line, rows.len());
    let elapsed = interval.elapsed_s;
    let mut spaces: BTreeMap<String, (u32, Vec<Option<f64>>)> = BTreeMap::new();
    for (sample, d) in rows {
        let (Some(tablespace), Some(file)) = (samples.text(sample, 0), samples.text(sample, 1)) else {
            continue;
        };
        let io = measures(sample.line, section, tablespace, &d, elapsed);
        interval.report.tables.file_io.push(FileIo { file: file.to_owned(), io });
        let (_, sums) =
            spaces.entry(tablespace.to_owned()).or_insert_with(|| (sample.line, vec![Some(0.0); d.len()]));
        for (sum, delta) in sums.iter_mut().zip(d) {
            *sum = sum.zip(delta).map(|(a, b)| a + b);
        }
    }
    for (tablespace, (line, sums)) in spaces {
        let row = measures(line, section, &tablespace, &sums, elapsed);
        interval.report.tables.tablespace_io.push(row);
    }
}

fn measures(
    line: u32,
    section: u16,
    tablespace: &str,
    d: &[Option<f64>],
    elapsed: Option<f64>,
) -> TablespaceIo {
    let rate = |total: Option<f64>| total.zip(elapsed).map(|(t, s)| t / s);
    let per = |a: Option<f64>, b: Option<f64>, factor: f64| {
        a.zip(b).filter(|(_, n)| *n > 0.0).map(|(a, n)| a * factor / n)
    };
    TablespaceIo {
        line,
        section,
        tablespace: tablespace.to_owned(),
        reads: d[0],
        reads_per_s: rate(d[0]),
        avg_read_us: per(d[1], d[0], US_PER_CS),
        blocks_per_read: per(d[2], d[0], 1.0),
        one_block_reads_per_s: rate(d[3]),
        one_block_avg_us: per(d[4], d[3], US_PER_CS),
        writes: d[5],
        writes_per_s: rate(d[5]),
        avg_write_us: per(d[6], d[5], US_PER_CS),
        ..TablespaceIo::default()
    }
}

fn os_stat(interval: &mut Interval, samples: &Samples) {
    let later = samples.rows("osstat", interval.instance, interval.snap);
    let Some(line) = later.first().map(|s| s.line) else { return };
    let section = interval.section("osstat", line, later.len());
    let earlier: HashMap<u32, Option<f64>> = samples
        .rows("osstat", interval.instance, interval.before)
        .iter()
        .map(|s| (s.name, s.value(0)))
        .collect();
    for sample in later {
        let Some(statistic) = samples.text(sample, 0) else { continue };
        let (then, now) = (earlier.get(&sample.name).copied().flatten(), sample.value(0));
        let identity = &mut interval.report.identity;
        match statistic {
            "NUM_CPUS" => identity.cpus = now,
            "NUM_CPU_CORES" => identity.cores = now,
            "NUM_CPU_SOCKETS" => identity.sockets = now,
            "PHYSICAL_MEMORY_BYTES" => identity.memory_bytes = now,
            _ => {}
        }
        // Counters of the host since its own start.
        let counts = statistic.ends_with("_TIME") || statistic.starts_with("VM_");
        let difference = now.zip(then).map(|(n, t)| n - t).filter(|d| *d >= 0.0);
        interval.report.tables.os_stat.push(OsStat {
            line: sample.line,
            section,
            instance_number: None,
            statistic: statistic.to_owned(),
            value: if counts { difference } else { then },
            end_value: if counts { None } else { now.filter(|n| Some(*n) != then) },
        });
    }
}

fn sysmetric(interval: &mut Interval, samples: &Samples) {
    let rows = samples.rows("sysmetric", interval.instance, interval.snap);
    let Some(line) = rows.first().map(|s| s.line) else { return };
    let section = interval.section("sysmetric", line, rows.len());
    for sample in rows {
        let Some(metric) = samples.text(sample, 0) else { continue };
        interval.report.tables.sysmetric.push(SysMetric {
            line: sample.line,
            section,
            instance_number: None,
            metric: metric.to_owned(),
            unit: samples.text(sample, 1).map(str::to_owned),
            average: sample.value(0),
            maximum: sample.value(1),
        });
    }
}

fn segment_stat(interval: &mut Interval, samples: &Samples) {
    const RANKINGS: [&str; 8] = [
        "physical_reads",
        "physical_read_requests",
        "direct_reads",
        "physical_writes",
        "physical_write_requests",
        "direct_writes",
        "table_scans",
        "logical_reads",
    ];
    let rows = samples.rows("seg_stat", interval.instance, interval.snap);
    let Some(line) = rows.first().map(|s| s.line) else { return };
    let section = interval.section("seg_stat", line, rows.len());
    for (at, ranked_by) in RANKINGS.into_iter().enumerate() {
        for sample in &rows {
            let Some(value) = sample.value(at).filter(|v| *v > 0.0) else { continue };
            let text = |at| samples.text(sample, at).map(str::to_owned);
            interval.report.tables.segment_stat.push(SegmentStat {
                line: sample.line,
                section,
                ranked_by,
                container: text(0).map(Into::into),
                owner: text(1).map(Into::into),
                tablespace: text(2).map(Into::into),
                object: text(3).map(Into::into),
                subobject: text(4).map(Into::into),
                object_type: text(5).map(Into::into),
                value: Some(value),
                ..SegmentStat::default()
            });
        }
    }
}

fn sql_stat(interval: &mut Interval, samples: &Samples) {
    let rows = samples.rows("sqlstat", interval.instance, interval.snap);
    let Some(line) = rows.first().map(|s| s.line) else { return };
    let section = interval.section("sqlstat", line, rows.len());
    for sample in rows {
        let value = |at: usize| sample.value(at).filter(|v| *v >= 0.0);
        let seconds = |at: usize| value(at).map(|us| us / US_PER_S);
        interval.report.tables.sql_stat.push(SqlStat {
            line: sample.line,
            section,
            ranked_by: "elapsed_time",
            sql_id: samples.text(sample, 0).map(Into::into),
            module: samples.text(sample, 1).map(Into::into),
            plan_hash: samples.text(sample, 2).and_then(|h| h.parse().ok()),
            executions: value(0),
            physical_reads: value(1),
            read_requests: value(2),
            buffer_gets: value(3),
            elapsed_s: seconds(4),
            cpu_s: seconds(5),
            io_wait_s: seconds(6),
            ..SqlStat::default()
        });
    }
}

fn parameter(interval: &mut Interval, samples: &Samples) {
    let of_instance = |number: &Option<u32>| number.is_none_or(|n| n == interval.instance);
    let rows: Vec<_> = samples.parameters.iter().filter(|(_, number, ..)| of_instance(number)).collect();
    let Some(line) = rows.first().map(|r| r.0) else { return };
    let section = interval.section("parameters", line, rows.len());
    for (line, _, name, value) in rows {
        interval.report.tables.parameter.push(Parameter {
            line: *line,
            section,
            name: name.as_str().into(),
            begin_value: value.as_deref().map(Into::into),
            ..Parameter::default()
        });
    }
}
