//! What a comparison needs of one report: small enough to keep thousands.
//!
//! Made on the threads that read. Everything is a total over the interval and all instances of the
//! report, so that intervals and instances add up; rates and means are taken from the sums.

use super::amount::Amount;
use super::complete::finer_within;
use super::keep::Histogram;
use super::statements::{StatementAmount, statements};
use crate::case::{Case, Options, rank_of_container};
use crate::response_time::{bounds_of_derived, db_cpu_s, load_profile_s, time_model_s};
use crate::richness::Richness;
use spindle_facts::{
    Identity, Interval, IoActivity, Kind, Layout, LoadProfileRow, Metric, Parameter, Report, SegmentStat,
    Side, SmolStr, WaitEvent, clock, epoch_s,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What a total counts, by the statistic that gives it exactly, else the line of the load profile.
/// Names are ours and stay the same over all releases.
const COUNTED: &[(&str, &[&str], Metric)] = &[
    ("redo bytes", &["redo size"], Metric::RedoSize),
    ("logical reads", &["session logical reads"], Metric::LogicalReads),
    ("block changes", &["db block changes"], Metric::BlockChanges),
    ("physical reads", &["physical reads"], Metric::PhysicalReads),
    ("physical writes", &["physical writes"], Metric::PhysicalWrites),
    ("user calls", &["user calls"], Metric::UserCalls),
    ("parses", &["parse count (total)"], Metric::Parses),
    ("hard parses", &["parse count (hard)"], Metric::HardParses),
    ("logons", &["logons cumulative"], Metric::Logons),
    ("executions", &["execute count"], Metric::Executes),
    ("rollbacks", &["user rollbacks"], Metric::Rollbacks),
    ("transactions", &["user commits", "user rollbacks"], Metric::Transactions),
];

/// Behind the name of a compare-period report.
const FIRST_PERIOD: &str = " (first period)";
const SECOND_PERIOD: &str = " (second period)";

/// Waits of one side for one event.
#[derive(Clone, Debug)]
pub(crate) struct EventAmount {
    pub(crate) event: SmolStr,
    pub(crate) side: Side,
    pub(crate) wait_class: SmolStr,
    pub(crate) waits: Option<Amount>,
    pub(crate) time_s: Amount,
    /// Waits of sessions and of the background are printed together, and nothing tells them apart.
    pub(crate) of_both: bool,
}

/// What a row of I/O is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IoBy {
    Function,
    FileType,
    Tablespace,
    Segment,
}

impl IoBy {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::FileType => "filetype",
            Self::Tablespace => "tablespace",
            Self::Segment => "segment",
        }
    }
}

/// Reads and writes over the interval; of a segment, blocks read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IoAmount {
    pub(crate) reads: Option<f64>,
    pub(crate) writes: Option<f64>,
    /// Time of the reads that have a mean, and their number.
    pub(crate) timed: Option<(f64, f64)>,
}

/// One report, reduced to what a comparison and a trend need.
#[derive(Clone, Debug)]
pub struct Digest {
    pub(crate) identity: Identity,
    /// Begin and end on an axis that runs on when the clock is put back.
    pub(crate) span: Option<(i64, i64)>,
    /// Why the clock leaves its length, or its place, in doubt.
    pub(crate) clock: Option<&'static str>,
    /// Of two reports of one interval the one that says more, as `spindle size` has it.
    pub(crate) richness: Richness,
    pub(crate) db_time_s: Option<Amount>,
    /// What DB time was derived from, where the report prints none.
    pub(crate) db_time_from: Option<&'static str>,
    /// The note that its header prints another DB time than its time model.
    pub(crate) db_time_doubt: Option<String>,
    /// CPU and waits by class, of AWR-miner files: finer than the rounded metric, and without queues.
    pub(crate) classes_s: Option<f64>,
    pub(crate) cpu_s: Option<Amount>,
    /// The metric of single-block reads, where the file prints it: microseconds times reads, and reads.
    pub(crate) single_block: Option<(f64, f64)>,
    /// Instances that were added up to it.
    pub(crate) instances: usize,
    /// Stands for its database while it was printed for one instance.
    pub(crate) of_one: bool,
    pub(crate) events: Vec<EventAmount>,
    /// A whole section of waits is printed for the side, so an event that lacks was not waited for.
    pub(crate) whole_foreground: bool,
    pub(crate) whole_background: bool,
    pub(crate) histograms: Vec<Histogram>,
    /// Totals by our names (`COUNTED`, and I/O).
    pub(crate) totals: BTreeMap<&'static str, f64>,
    /// Of them those that leave out requests of some processes, since the report counts no others.
    pub(crate) partial: BTreeSet<&'static str>,
    /// What rounding hides of a total, where it is known.
    pub(crate) slack: BTreeMap<&'static str, f64>,
    /// Rates a second of the load profile, where the length is not known that would make totals of them.
    pub(crate) rates: BTreeMap<&'static str, Amount>,
    /// Of a second period: its rates over those of the first, by the differences in percent that are printed.
    pub(crate) over_first: BTreeMap<&'static str, Amount>,
    pub(crate) host_busy_pct: Option<f64>,
    pub(crate) statements: Vec<StatementAmount>,
    /// Least elapsed time among the statements listed by it: one that lacks took no more.
    pub(crate) least_listed_s: Option<f64>,
    /// Statements that lead the samples in the report, by their share of them, percent: one that has not ended may be
    /// counted nowhere else.
    pub(crate) sampled: BTreeMap<String, f64>,
    pub(crate) io: BTreeMap<(IoBy, String), IoAmount>,
    /// Values at the end of the interval; `None` where no parameters are printed.
    pub(crate) parameters: Option<Arc<BTreeMap<String, String>>>,
    /// Parts of values that the column of a text report may have cut, in printed order.
    pub(crate) cut_parameters: BTreeMap<String, Vec<String>>,
    /// What the advice says: present sizes, and what the double would save.
    pub(crate) advice: BTreeMap<&'static str, f64>,
}

impl Digest {
    /// Reduces a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let case = Case::new(report, &Options::default());
        let side = &case.response_time.foreground;
        let bounds = time_model_s(report, "DB time").map(|t| t.bounds);
        let bounds = bounds.or(match (report.identity.db_time_s_low, report.identity.db_time_s_high) {
            (Some(low), Some(high)) => Some(Interval::between(low, high)),
            _ => load_profile_s(report, Metric::DbTime).map(|t| t.bounds),
        });
        // Printed as 0 where less rounds to it: an idle instance has its share of an interval too.
        let rounded_to_zero = || {
            let (zero, high) = (report.identity.db_time_s?, report.identity.db_time_s_high?);
            (zero == 0.0 && high > 0.0).then_some(zero)
        };
        let classes_s = classes_s(report);
        let db_time_s =
            side.db_time_s.or_else(rounded_to_zero).filter(|s| s.is_finite() && *s >= 0.0).map(|s| {
                // Of some derived DB times nobody can say how uncertain they are; their bounds are themselves.
                let bounds = match side.db_time_from {
                    Some(_) => bounds_of_derived(report, side, &case.events),
                    None => bounds,
                };
                let printed = Amount::within(s, bounds.unwrap_or(Interval::exact(s)));
                // A metric in tenths: what it hides is in the waits by class.
                if report.identity.kind == Kind::AwrMiner {
                    finer_within(printed, classes_s)
                } else {
                    printed
                }
            });
        let mut identity = report.identity.clone();
        // A file name tells reports apart, and never two periods of one.
        if let Some(period) = identity.period {
            let which = if period == spindle_facts::Period::First { FIRST_PERIOD } else { SECOND_PERIOD };
            identity.source.push_str(which);
        }
        let (statements, least_listed_s) = statements(report);
        let of_history = report.identity.kind == Kind::History;
        let (totals, mut slack) = totals(&case);
        let (partial, hidden) = accounts(&case);
        slack.extend(hidden);
        Self {
            span: epoch_s(identity.begin_time.as_deref()).zip(epoch_s(identity.end_time.as_deref())),
            clock: clock::put_inside(report).filter(|_| !of_history).map(|put_s| match put_s {
                1.. => "the clock was put back inside it, and it counts time by the clock",
                _ => "the clock was put forward inside it, and it counts time by the clock",
            }),
            richness: Richness::of(report, &case.io),
            db_time_s,
            db_time_from: side.db_time_from,
            db_time_doubt: crate::response_time::header_denies_model(report),
            classes_s,
            single_block: single_block(report, &case),
            instances: 1,
            of_one: false,
            cpu_s: db_cpu_s(report).map(|t| Amount::within(t.seconds, t.bounds)),
            events: events(&case),
            whole_foreground: prints_all_waits(&case, Side::Foreground) && !report.identity.excerpt,
            whole_background: prints_all_waits(&case, Side::Background) && !report.identity.excerpt,
            histograms: histograms(&case),
            totals,
            partial,
            slack,
            rates: rates(report),
            over_first: over_first(report),
            host_busy_pct: case.host_cpu_busy_pct().filter(|p| (0.0..=100.0).contains(p)),
            statements,
            least_listed_s,
            sampled: crate::sampled(report)
                .into_iter()
                .filter(|s| s.what == "statement")
                .map(|s| (s.name, s.share_pct))
                .collect(),
            io: io(report),
            cut_parameters: cut_parameters(report),
            parameters: parameters(report).map(Arc::new),
            advice: advice(report),
            identity,
        }
    }

    /// Drops what only two sides need, and no series of intervals: a year of hours is kept.
    pub fn slim(&mut self) {
        self.histograms = Vec::new();
        self.io = BTreeMap::new();
        let measured = |e: &EventAmount| {
            crate::is_single_block_read(&e.event)
                || matches!(e.event.as_str(), "log file parallel write" | "log file sync")
        };
        self.events.retain(measured);
        self.events.shrink_to_fit();
        self.statements.retain(|s| !s.plans.is_empty());
        for statement in &mut self.statements {
            (statement.text, statement.module) = (None, None);
            statement.by_plan = Vec::new();
        }
        self.statements.shrink_to_fit();
    }

    /// Is it a period of a compare-period report?
    #[must_use]
    pub fn is_period(&self) -> bool {
        self.identity.period.is_some()
    }

    /// The name of its file, without the period.
    pub(crate) fn of_file(&self) -> &str {
        let source = self.identity.source.as_str();
        let bare = |words: &str| source.strip_suffix(words);
        bare(FIRST_PERIOD).or_else(|| bare(SECOND_PERIOD)).unwrap_or(source)
    }

    /// Begin, also where no end is printed.
    pub(crate) fn begin_s(&self) -> Option<i64> {
        self.span.map(|s| s.0).or_else(|| epoch_s(self.identity.begin_time.as_deref()))
    }

    /// Elapsed time, where it can be divided by.
    pub(crate) fn elapsed_s(&self) -> Option<f64> {
        self.identity.elapsed_s.filter(|s| *s > 0.0 && s.is_finite())
    }

    /// Does the report carry response time at all? ASH, ADDM and SQL reports do not.
    pub(crate) fn is_comparable(&self) -> bool {
        !matches!(self.identity.kind, Kind::Ash | Kind::Addm | Kind::AwrSql)
            && (self.db_time_s.is_some() || self.cpu_s.is_some() || !self.events.is_empty())
    }
}

/// CPU and waits of all classes, of an AWR-miner file.
fn classes_s(report: &Report) -> Option<f64> {
    let rows = &report.tables.wait_class;
    if report.identity.kind != Kind::AwrMiner || rows.is_empty() {
        return None;
    }
    rows.iter().filter(|r| r.wait_class != "Idle").map(|r| r.time_s).sum()
}

/// `s_blk_r_lat` of AWR-miner: `Average Synchronous Single-Block Read Latency`, milliseconds in tenths, by the reads
/// of its instance. One that rounds to nothing is unknown.
fn single_block(report: &Report, case: &Case<'_>) -> Option<(f64, f64)> {
    if report.identity.kind != Kind::AwrMiner {
        return None;
    }
    let row = report.tables.load_profile.iter().find(|r| r.metric.eq_ignore_ascii_case("s_blk_r_lat"))?;
    let reads = case.io.read_iops.as_ref()?.value * case.elapsed_s()?;
    let us = row.per_second.filter(|ms| *ms > 0.0)? * 1e3;
    (reads > 0.0).then_some((us * reads, reads))
}

/// Does the report print a section of all waits of a side? The global report of 11.2 prints lists of the
/// first ten alone, as tables like any other; AWR-miner those that lead a snapshot (`TOP-N-TIMED-EVENTS`).
fn prints_all_waits(case: &Case<'_>, side: Side) -> bool {
    let title = |section| case.report.section_title(section).to_ascii_lowercase();
    let printed = case.events.iter().filter(|e| e.side == side && e.table == "wait_event");
    printed.map(|e| title(e.section)).any(|title| !title.starts_with("top ") && !title.starts_with("top-"))
}

fn events(case: &Case<'_>) -> Vec<EventAmount> {
    // By name, since a report may print thousands.
    let mut rows: HashMap<&str, Vec<&WaitEvent>> = HashMap::new();
    for row in &case.report.tables.wait_event {
        rows.entry(row.event.as_str()).or_default().push(row);
    }
    let mut sides: HashMap<&str, Vec<Side>> = HashMap::new();
    for event in &case.events {
        sides.entry(event.event.as_str()).or_default().push(event.side);
    }
    let whole_background = prints_all_waits(case, Side::Background);
    case.events
        .iter()
        .filter(|e| !e.is_idle)
        .map(|e| {
            let printed = rows.get(e.event.as_str()).map_or(&[][..], Vec::as_slice);
            let together = !printed.is_empty() && printed.iter().all(|r| r.side == Side::All);
            // Printed counts such as `13K` have bounds of their own; derived ones are taken as they are.
            let of_name = || rows.get(e.event.as_str()).into_iter().flatten();
            let of_event = || of_name().filter(|r| r.side == e.side);
            let exact = e.waits.map(Amount::exact);
            let sum = |of: fn(&WaitEvent) -> Option<f64>| of_event().map(|r| of(r)).sum::<Option<f64>>();
            let bounded = match (e.waits, sum(|r| r.waits_low), sum(|r| r.waits_high)) {
                (Some(waits), Some(low), Some(high)) if low <= waits && waits <= high => {
                    Some(Amount::within(waits, Interval::between(low, high)))
                }
                _ => exact,
            };
            let waits = bounded.or_else(|| {
                // Compare-period reports bound the waits by time and mean, both sides in one row.
                let other = || sides.get(e.event.as_str()).is_some_and(|of| of.iter().any(|s| *s != e.side));
                let row = of_name().find(|r| matches!(r.side, s if s == e.side || s == Side::All))?;
                if e.waits.is_some() || other() {
                    return None;
                }
                let (low, high) = row.waits_low.zip(row.waits_high)?;
                Some(Amount { value: f64::midpoint(low, high), low, high })
            });
            let time_s = Amount::within(e.time_s, e.time_s_bounds);
            EventAmount {
                event: e.event.as_str().into(),
                side: e.side,
                wait_class: e.wait_class.as_str().into(),
                time_s: finer(time_s, waits, e.avg_us, e.avg_us_bounds),
                waits,
                of_both: together && !whole_background,
            }
        })
        .collect()
}

/// Time from waits and mean, where the mean carries more digits (`0 s` beside `2.3us`).
fn finer(time_s: Amount, waits: Option<Amount>, mean_us: Option<f64>, bounds: Option<Interval>) -> Amount {
    let refined = waits.zip(mean_us).map(|(waits, us)| {
        let value = waits.value * us / 1e6;
        match bounds {
            Some(us_bounds) => Amount {
                value,
                low: (waits.low * us_bounds.low / 1e6).max(time_s.low),
                high: (waits.high * us_bounds.high / 1e6).min(time_s.high),
            },
            // How a mean among the leading events is rounded is not told.
            None => Amount { value, ..time_s },
        }
    });
    match refined {
        Some(t)
            if t.low <= t.value
                && t.value <= t.high
                && (t.value - time_s.value).abs() > 1e-9 * time_s.value.abs() =>
        {
            t
        }
        _ => time_s,
    }
}

/// Histograms of events that are waited for: I/O and commits, and whatever takes 2 % of DB time.
fn histograms(case: &Case<'_>) -> Vec<Histogram> {
    let matters = |e: &&crate::EventTotal| {
        !e.is_idle
            && (matches!(e.wait_class.as_str(), "User I/O" | "System I/O" | "Commit")
                || case.share_pct(e.time_s).is_some_and(|pct| pct >= 2.0))
    };
    let events: HashSet<&str> = case.events.iter().filter(matters).map(|e| e.event.as_str()).collect();
    let of_these = case.histograms.iter().filter(|h| events.contains(h.event.as_str()));
    of_these.filter(|h| h.counted_waits() > 0.0).map(Histogram::of).collect()
}

/// Statistics of the time model that are compared beside DB time and DB CPU. They overlap: parsing is part of
/// calls, hard parses of parses.
pub(crate) const TIME_MODEL: &[&str] = &[
    "sql execute elapsed time",
    "parse time elapsed",
    "hard parse elapsed time",
    "hard parse (sharing criteria) elapsed time",
    "hard parse (bind mismatch) elapsed time",
    "failed parse elapsed time",
    "PL/SQL execution elapsed time",
    "PL/SQL compilation elapsed time",
    "Java execution elapsed time",
    "connection management call elapsed time",
    "sequence load elapsed time",
    "repeated bind elapsed time",
    "inbound PL/SQL rpc elapsed time",
    "background elapsed time",
    "background cpu time",
    "RMAN cpu time (backup/restore)",
];

/// Lines of the load profile by our names.
fn profile(report: &Report) -> impl Iterator<Item = (&'static str, &LoadProfileRow)> {
    let times = [("DB time", Metric::DbTime), ("DB CPU", Metric::DbCpu)];
    let counts = COUNTED.iter().map(|(name, _, metric)| (*name, *metric));
    let row = |metric| {
        let rows = report.tables.load_profile.iter();
        rows.filter(|r| r.instance_number.is_none()).find(|r| r.known == Some(metric))
    };
    times.into_iter().chain(counts).filter_map(move |(name, metric)| Some((name, row(metric)?)))
}

fn rates(report: &Report) -> BTreeMap<&'static str, Amount> {
    if report.identity.elapsed_s.is_some_and(|s| s > 0.0) {
        return BTreeMap::new();
    }
    let around = |row: &LoadProfileRow| {
        let (rate, half) = (row.per_second?, row.per_second_half_unit.max(0.0));
        Some(Amount { value: rate, low: (rate - half).max(0.0), high: rate + half })
    };
    profile(report).filter_map(|(name, row)| Some((name, around(row)?))).collect()
}

/// Half of the last digit of a difference in percent.
const HALF_TENTH_PCT: f64 = 0.05;

fn over_first(report: &Report) -> BTreeMap<&'static str, Amount> {
    let ratio = |pct: f64| Amount {
        value: 1.0 + pct / 100.0,
        low: (1.0 + (pct - HALF_TENTH_PCT) / 100.0).max(0.0),
        high: 1.0 + (pct + HALF_TENTH_PCT) / 100.0,
    };
    // Nothing after is -100 %, and of nothing before there is no percentage: Oracle prints 0 or 100 then.
    let told = |row: &LoadProfileRow| {
        row.per_second_diff_pct.filter(|pct| *pct > -100.0 && *pct != 0.0 && *pct != 100.0)
    };
    profile(report).filter_map(|(name, row)| Some((name, ratio(told(row)?)))).collect()
}

/// Totals, and what rounding hides of those that are rates over the interval; a statistic is exact.
fn totals(case: &Case<'_>) -> (BTreeMap<&'static str, f64>, BTreeMap<&'static str, f64>) {
    let (mut totals, mut slack) = (BTreeMap::new(), BTreeMap::new());
    let elapsed_s = case.elapsed_s();
    for (name, statistics, metric) in COUNTED {
        let exact = statistics.iter().map(|s| case.stat_total(s)).sum::<Option<f64>>();
        let from_rate = || Some(case.load_per_second(*metric)? * elapsed_s?);
        if let Some(total) = exact.or_else(from_rate).filter(|t| t.is_finite() && *t >= 0.0) {
            totals.insert(*name, total);
        }
        let rows = || case.report.tables.load_profile.iter().filter(|r| r.known == Some(*metric));
        let hidden = match (exact, elapsed_s) {
            (Some(_), _) => Some(0.0),
            (None, Some(s)) => {
                let for_all = rows().any(|r| r.instance_number.is_none());
                let counts = |r: &&LoadProfileRow| r.instance_number.is_none() == for_all;
                Some(rows().filter(counts).map(|r| r.per_second_half_unit * s).sum())
            }
            (None, None) => None,
        };
        if let Some(hidden) = hidden.filter(|_| totals.contains_key(name)) {
            slack.insert(*name, hidden);
        }
    }
    // Centiseconds; of several hosts the sum.
    let waited = case.report.tables.os_stat.iter().filter(|s| s.statistic == "OS_CPU_WAIT_TIME");
    if let Some(total) = waited.map(|s| s.value).sum::<Option<f64>>().filter(|t| *t > 0.0) {
        totals.insert("CPU waited for", total / 100.0);
    }
    for statistic in TIME_MODEL {
        if let Some(time) = time_model_s(case.report, statistic) {
            totals.insert(statistic, time.seconds);
        }
    }
    let figures = [
        ("read requests", &case.io.read_iops),
        ("write requests", &case.io.write_iops),
        ("redo writes", &case.io.redo_write_iops),
        ("MB read", &case.io.read_mbps),
        ("MB written", &case.io.write_mbps),
    ];
    for (name, figure) in figures {
        // Writes of every log member are not those that another interval counts once.
        let figure = figure.as_ref().filter(|f| !f.is_of_every_member());
        if let Some(total) = figure.and_then(|f| Some(f.value * elapsed_s?)).filter(|t| t.is_finite()) {
            totals.insert(name, total);
        }
    }
    (totals, slack)
}

/// Which figures count fewer processes than there are, and what rounding hides of each, over the interval.
fn accounts(case: &Case<'_>) -> (BTreeSet<&'static str>, BTreeMap<&'static str, f64>) {
    let figures = [
        ("read requests", &case.io.read_iops),
        ("write requests", &case.io.write_iops),
        ("MB read", &case.io.read_mbps),
        ("MB written", &case.io.write_mbps),
    ];
    let (mut partial, mut slack) = (BTreeSet::new(), BTreeMap::new());
    for (name, figure) in figures {
        let Some(figure) = figure else { continue };
        if figure.is_of_some_processes() {
            partial.insert(name);
        }
        if let Some((bounds, elapsed_s)) = figure.bounds.zip(case.elapsed_s()) {
            slack.insert(name, (bounds.high - bounds.low).max(0.0) / 2.0 * elapsed_s);
        }
    }
    (partial, slack)
}

/// Requests over the interval: the rate times its length where the count is the coarser of them (`1.6E+06` in a
/// narrow column).
fn requests(count: Option<f64>, per_s: Option<f64>, elapsed_s: Option<f64>) -> Option<f64> {
    let by_rate = per_s.zip(elapsed_s).map(|(rate, s)| (rate * s, s));
    match (count, by_rate) {
        // Rates are printed to ones at least.
        (Some(count), Some((by_rate, s))) if (count - by_rate).abs() > 0.51 * s => Some(by_rate),
        _ => count,
    }
}

fn io(report: &Report) -> BTreeMap<(IoBy, String), IoAmount> {
    let mut io: BTreeMap<(IoBy, String), IoAmount> = BTreeMap::new();
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0);
    let add = |sum: &mut Option<f64>, more: Option<f64>| {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or(0.0) + more);
        }
    };
    let mut activity = |by: IoBy, rows: &[IoActivity], name: fn(&IoActivity) -> Option<&String>| {
        // Of a report over all instances a row for all, or one an instance.
        let for_all = rows.iter().any(|r| !r.is_total && r.instance_number.is_none());
        let counts = |r: &&IoActivity| !r.is_total && (!for_all || r.instance_number.is_none());
        for row in rows.iter().filter(counts) {
            let Some(name) = name(row) else { continue };
            let entry = io.entry((by, name.clone())).or_default();
            let over = |rate: Option<f64>| Some(rate? * elapsed_s?);
            add(&mut entry.reads, over(row.reads_per_s));
            add(&mut entry.writes, over(row.writes_per_s));
        }
    };
    activity(IoBy::Function, &report.tables.io_function, |r| r.function.as_ref());
    activity(IoBy::FileType, &report.tables.io_filetype, |r| r.filetype.as_ref());
    for row in &report.tables.tablespace_io {
        let entry = io.entry((IoBy::Tablespace, row.tablespace.clone())).or_default();
        let reads = requests(row.reads, row.reads_per_s, elapsed_s);
        add(&mut entry.reads, reads);
        add(&mut entry.writes, requests(row.writes, row.writes_per_s, elapsed_s));
        if let (Some(reads), Some(us)) = (reads, row.avg_read_us) {
            let (time, timed) = entry.timed.unwrap_or((0.0, 0.0));
            entry.timed = Some((time + reads * us, timed + reads));
        }
    }
    for row in &report.tables.segment_stat {
        let name = segment_name(row);
        if name.is_empty() {
            continue;
        }
        let of_segment = (IoBy::Segment, name);
        match row.ranked_by {
            "physical_reads" => add(&mut io.entry(of_segment).or_default().reads, row.value),
            "physical_writes" => add(&mut io.entry(of_segment).or_default().writes, row.value),
            _ => {}
        }
    }
    io
}

fn segment_name(row: &SegmentStat) -> String {
    let mut name =
        [row.owner.as_deref(), row.object.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(".");
    if let Some(part) = row.subobject.as_deref().filter(|p| !p.is_empty()) {
        name.push_str(&format!(" ({part})"));
    }
    name
}

/// The parameters that hold for the database of the report, by name. Of the values of several containers those of the
/// nearest do, and none of another pluggable database's.
fn parameters_in_force(report: &Report) -> BTreeMap<String, Vec<&Parameter>> {
    let mut nearest: BTreeMap<String, (u8, Vec<&Parameter>)> = BTreeMap::new();
    for row in &report.tables.parameter {
        let Some(rank) = rank_of_container(report, row) else { continue };
        let name = row.name.trim().to_ascii_lowercase();
        let (best, rows) = nearest.entry(name).or_insert_with(|| (rank, Vec::new()));
        if rank < *best {
            (*best, *rows) = (rank, Vec::new());
        }
        if rank == *best {
            rows.push(row);
        }
    }
    nearest.into_iter().map(|(name, (_, rows))| (name, rows)).collect()
}

fn parameters(report: &Report) -> Option<BTreeMap<String, String>> {
    if report.tables.parameter.is_empty() || report.identity.excerpt {
        return None;
    }
    let values = parameters_in_force(report).into_iter().map(|(name, rows)| {
        let mut of_name: Vec<&str> = Vec::new();
        for row in rows {
            // Several instances print a row each; equal values are one.
            let value = row.end_value.as_deref().or(row.begin_value.as_deref()).unwrap_or("");
            // One report prints a list in one cell, another a row each.
            for part in value.split(',').map(str::trim) {
                if !of_name.contains(&part) {
                    of_name.push(part);
                }
            }
        }
        of_name.sort_unstable();
        (name, of_name.join(", "))
    });
    Some(values.collect())
}

/// Letters that text leaves for a value at the begin, and for one at the end, less one.
const COLUMNS: (usize, usize) = (32, 13);

/// Values that fill the column of a text report: what did not fit is lost.
fn cut_parameters(report: &Report) -> BTreeMap<String, Vec<String>> {
    let mut cut = BTreeMap::new();
    if report.identity.layout != Layout::Text {
        return cut;
    }
    for (name, row) in
        parameters_in_force(report).iter().flat_map(|(name, rows)| rows.iter().map(move |row| (name, *row)))
    {
        let (value, column) = match (&row.end_value, &row.begin_value) {
            (Some(end), _) => (end, COLUMNS.1),
            (None, Some(begin)) => (begin, COLUMNS.0),
            (None, None) => continue,
        };
        if value.chars().count() >= column {
            let parts = value.split(',').map(|part| part.trim().to_owned()).collect();
            cut.insert(name.clone(), parts);
        }
    }
    cut
}

fn advice(report: &Report) -> BTreeMap<&'static str, f64> {
    let mut advice = BTreeMap::new();
    let at = |factor: Option<f64>, wanted: f64| factor.is_some_and(|f| (f - wanted).abs() < 0.02);
    let cache = &report.tables.db_cache_advice;
    let default = |pool: &Option<String>| pool.as_deref().is_none_or(|p| p.starts_with('D'));
    let one_instance = |n: Option<u32>| n.is_none() || n == report.identity.instance_number;
    let rows = || cache.iter().filter(|r| default(&r.pool) && one_instance(r.instance_number));
    if let Some(size) = rows().find(|r| at(r.size_factor, 1.0)).and_then(|r| r.size_bytes) {
        advice.insert("buffer cache, bytes", size);
    }
    if let Some(factor) = rows().find(|r| at(r.size_factor, 2.0)).and_then(|r| r.read_factor) {
        advice.insert("reads with twice the buffer cache, % of now", 100.0 * factor);
    }
    let pga = report.tables.pga_advice.iter().filter(|r| one_instance(r.instance_number));
    if let Some(target) = pga.clone().find(|r| at(r.size_factor, 1.0)).and_then(|r| r.target_bytes) {
        advice.insert("PGA target, bytes", target);
    }
    advice
}
