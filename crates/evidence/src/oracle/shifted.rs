//! Rows whose cells stand under the headings of others: an editor took one out of the row, or put an empty one in.
//!
//! Such a row has as many cells as all others, and each holds a number. What tells it are figures that belong together:
//! seconds over waits are the mean, what is printed a second and a transaction differ by one factor in all rows, reads
//! and writes add up to both, and the activity of the instance prints the same rates once more. Proven to be shifted, a
//! row tells nothing: nobody can say how far its cells moved.

use super::context::Context;
use crate::cell::Printed;
use crate::grid::Grid;
use spindle_facts::{
    InstanceStat, LoadProfileRow, Metric, Note, Report, Scope, SectionId, ShareOf, SmolStr, WaitEvent,
};

/// Two figures of one row, which differ by the same factor in all rows of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) whole: Printed,
    pub(super) part: Printed,
}

/// What is left to digits that were cut instead of rounded.
const SLACK: f64 = 1.05;

impl Pair {
    pub(super) fn new(whole: Option<Printed>, part: Option<Printed>) -> Option<Self> {
        Some(Self { whole: whole?, part: part? })
    }

    /// Can the factor between the two be this one?
    fn agrees(&self, factor: f64) -> bool {
        factor * self.part.high * SLACK >= self.whole.low && factor * self.part.low <= self.whole.high * SLACK
    }

    /// The factor, and how little rounding leaves open of it; `None` where it says hardly anything.
    fn factor(&self) -> Option<(f64, f64)> {
        let open = self.part.high / self.part.low * (self.whole.high / self.whole.low);
        (self.part.low > 0.0 && self.whole.low > 0.0 && open < 1.3)
            .then(|| (self.whole.value / self.part.value, open))
    }
}

/// The factor that most rows of a table agree on; `None` where too few tell it, or they do not agree.
pub(super) fn factor(pairs: impl Iterator<Item = Pair> + Clone) -> Option<f64> {
    /// So many rows are asked for a factor: one of them was hardly ever shifted.
    const ASKED: usize = 8;
    const FEWEST: usize = 3;
    let telling = || pairs.clone().filter_map(|pair| Some((pair, pair.factor()?)));
    let rows = telling().count();
    if rows < FEWEST {
        return None;
    }
    let agreed = |factor: f64| telling().filter(|(pair, _)| pair.agrees(factor)).count();
    // Nearly always the first one that is exact is that of all.
    let exact = telling().min_by(|a, b| a.1.1.total_cmp(&b.1.1)).map(|(_, (factor, _))| factor)?;
    if agreed(exact) == rows {
        return Some(exact);
    }
    let asked = std::iter::once(exact).chain(telling().take(ASKED).map(|(_, (factor, _))| factor));
    let (most, found) = asked
        .map(|factor| (agreed(factor), factor))
        .fold((0, exact), |best, next| if next.0 > best.0 { next } else { best });
    (most >= FEWEST && most * 3 >= rows * 2).then_some(found)
}

/// A share or rate printed with one or two decimals, and what it may stand for.
pub(super) fn with_tenths(value: Option<f64>) -> Option<Printed> {
    // Megabytes are rounded before they are divided, too.
    const HALF: f64 = 0.06;
    value.map(|value| Printed { value, low: (value - HALF).max(0.0), high: value + HALF })
}

/// Is a cell empty that all rows of a table fill? `####` is not.
pub(super) fn is_empty_cell(grid: &Grid<'_>, row: usize, column: Option<usize>) -> bool {
    column.is_some() && grid.cell(row, column).is_none()
}

/// The figures of a row of waits, which say the same in three ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// Its place among the waits.
    pub(super) at: usize,
    pub(super) waits: Option<Printed>,
    pub(super) seconds: Option<Printed>,
    /// Is no number of waits printed, where the table has such a column?
    pub(super) uncounted: bool,
    /// Is the printed mean that of seconds and waits? `None` where it says nothing.
    pub(super) mean_holds: Option<bool>,
}

/// Makes the figures of rows unknown whose cells stand under the headings of others, as those beside them prove.
/// Returns the lines of these rows.
pub(super) fn leave_out_waits(context: &mut Context<'_>, rows: &[Waits]) -> Vec<u32> {
    let events = &context.report.tables.wait_event;
    let per_txn = |row: &Waits| with_tenths(events.get(row.at)?.waits_per_txn);
    let share = |row: &Waits| with_tenths(events.get(row.at)?.share_pct);
    let of_waits = |row: &Waits| Pair::new(row.waits, per_txn(row));
    let of_time = |row: &Waits| Pair::new(row.seconds, share(row));
    let tell = |pair: &dyn Fn(&Waits) -> Option<Pair>| {
        rows.iter().filter(|row| pair(row).and_then(|pair| pair.factor()).is_some()).count()
    };
    let (mut transactions, mut hundredth) =
        (factor(rows.iter().filter_map(of_waits)), factor(rows.iter().filter_map(of_time)));
    // Rows of a sound table always agree on a factor.
    let no_rates = transactions.is_none() && tell(&of_waits) >= MANY;
    let no_shares = hundredth.is_none() && tell(&of_time) >= MANY;
    if no_rates || no_shares {
        let known = Known::of(context.report, rows);
        transactions = transactions.or(known.transactions.filter(|_| no_rates));
        hundredth = hundredth.or(known.hundredth.filter(|_| no_shares));
    }
    let holds = |pair: Option<Pair>, factor: Option<f64>| Some(pair?.agrees(factor?));
    let confirms = |pair: Option<Pair>, factor: Option<f64>| {
        pair.zip(factor).is_some_and(|(pair, factor)| pair.factor().is_some() && pair.agrees(factor))
    };
    // Where most means are wrong, a column lacks in all rows.
    let doubted = rows.iter().filter(|row| row.mean_holds == Some(false)).count();
    let means = rows.iter().filter(|row| row.mean_holds.is_some()).count();
    let whole = doubted >= 3 && doubted * 2 >= means
        || rows.len() > 2 && rows.iter().filter(|row| row.uncounted).count() * 2 > rows.len();
    let judged = rows.iter().map(|row| {
        let waits_hold = holds(of_waits(row), transactions);
        let time_holds = holds(of_time(row), hundredth);
        let denied = usize::from(waits_hold == Some(false)) + usize::from(time_holds == Some(false));
        let nothing = row.seconds.is_some_and(|seconds| seconds.value == 0.0);
        let untold = (transactions.is_some() || hundredth.is_some())
            && !(confirms(of_waits(row), transactions) && confirms(of_time(row), hundredth));
        let shifted = match row.mean_holds {
            _ if whole || row.uncounted => true,
            Some(true) => denied == 2 && nothing,
            Some(false) => denied > 0 || nothing || untold,
            None => denied > 0,
        };
        let rate = no_rates && waits_hold.is_none() || waits_hold == Some(false);
        let share = no_shares && time_holds.is_none() || time_holds == Some(false);
        (shifted, rate && per_txn(row).is_some(), share && of_time(row).is_some())
    });
    let judged: Vec<(bool, bool, bool)> = judged.collect();
    // Nearly all tables end here.
    if judged.iter().all(|row| *row == (false, false, false)) {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let (mut first, mut behind): (Option<SmolStr>, Option<(u32, u32)>) = (None, None);
    for (row, (shifted, rate, share)) in rows.iter().zip(judged) {
        let Some(wait) = context.report.tables.wait_event.get_mut(row.at) else { continue };
        if shifted {
            lines.push(wait.line);
            first.get_or_insert_with(|| wait.event.clone());
            forget(wait);
        } else if rate || share {
            behind.get_or_insert((wait.line, 0)).1 += 1;
            wait.waits_per_txn = wait.waits_per_txn.filter(|_| !rate);
            wait.share_pct = wait.share_pct.filter(|_| !share);
        }
    }
    if let Some(name) = first {
        let of = match lines.len() {
            1 => format!("the cells of `{name}` stand under the headings of others"),
            n => format!("the cells of {n} rows, as of `{name}`, stand under the headings of others"),
        };
        let message = format!("{of}: what they say of waits, times and shares cannot all be");
        let effect =
            "their figures are taken as unknown, and sums over the rows of this section are too small";
        context.note(lines.first().copied(), message, effect);
    }
    if let Some((line, rows)) = behind {
        let rows = if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") };
        let message = format!(
            "in {rows} the waits a transaction or the share of time are not those of waits and seconds"
        );
        context.note(Some(line), message, "what waits and seconds deny is taken as unknown");
    }
    lines
}

/// What other parts of a report say of the factors of its waits, for tables whose rows do not agree on them.
struct Known {
    /// Transactions of the interval.
    transactions: Option<f64>,
    /// A hundredth of DB time, seconds.
    hundredth: Option<f64>,
}

impl Known {
    fn of(report: &Report, rows: &[Waits]) -> Self {
        let identity = &report.identity;
        let ended =
            |row: &&LoadProfileRow| row.known == Some(Metric::Transactions) && row.instance_number.is_none();
        let rate = report.tables.load_profile.iter().find(ended).and_then(|row| row.per_second);
        // Printed to a tenth.
        let rate = rate.filter(|rate| *rate >= 2.0);
        let of_one_instance = identity.instances.is_none() && identity.scope != Scope::Database;
        let first = rows.first().and_then(|row| report.tables.wait_event.get(row.at));
        let of_db_time = first.is_some_and(|wait| wait.share_of == Some(ShareOf::DbTime));
        Self {
            transactions: rate
                .zip(identity.elapsed_s)
                .map(|(rate, elapsed)| rate * elapsed)
                .filter(|_| of_one_instance),
            hundredth: identity
                .db_time_s
                .filter(|s| *s > 60.0 && of_db_time && of_one_instance)
                .map(|s| s / 100.0),
        }
    }
}

/// Rows of a table that agree on nothing are many enough to say so.
const MANY: usize = 3;

fn forget(wait: &mut WaitEvent) {
    (wait.waits, wait.waits_low, wait.waits_high) = (None, None, None);
    (wait.timeouts, wait.timeouts_pct) = (None, None);
    (wait.time_s, wait.time_s_low, wait.time_s_high) = (None, None, None);
    (wait.avg_wait_us, wait.avg_wait_us_low, wait.avg_wait_us_high) = (None, None, None);
    (wait.waits_per_txn, wait.share_pct) = (None, None);
}

/// What a statistic comes to a second and a transaction, as far as the report prints it in another place.
#[derive(Clone, Copy, Default)]
struct Rates {
    second: Option<f64>,
    transaction: Option<f64>,
}

/// What the activity of the instance says of a line of the load profile.
fn rates(report: &Report, metric: Metric) -> Rates {
    let names: &[&str] = match metric {
        Metric::RedoSize => &["redo size"],
        Metric::LogicalReads => &["session logical reads"],
        Metric::BlockChanges => &["db block changes"],
        Metric::PhysicalReads => &["physical reads"],
        Metric::PhysicalWrites => &["physical writes"],
        Metric::ReadRequests => &["physical read IO requests"],
        Metric::WriteRequests => &["physical write IO requests"],
        Metric::UserCalls => &["user calls"],
        Metric::Parses => &["parse count (total)"],
        Metric::HardParses => &["parse count (hard)"],
        Metric::Sorts => &["sorts (memory)", "sorts (disk)"],
        Metric::Logons => &["logons cumulative"],
        Metric::Executes => &["execute count"],
        Metric::Rollbacks => &["user rollbacks"],
        Metric::Transactions => &["user commits", "user rollbacks"],
        Metric::DbTime | Metric::DbCpu => return of_time(report, metric),
        _ => return Rates::default(),
    };
    let mut all = Rates { second: Some(0.0), transaction: Some(0.0) };
    for name in names {
        let Some(stat) = activity(report, name) else { return Rates::default() };
        all.second = all.second.zip(stat.per_second).map(|(sum, own)| sum + own);
        all.transaction = all.transaction.zip(stat.per_transaction).map(|(sum, own)| sum + own);
    }
    if metric == Metric::Transactions {
        all.transaction = None;
    }
    all
}

fn activity<'r>(report: &'r Report, name: &str) -> Option<&'r InstanceStat> {
    let is_it = |s: &&InstanceStat| s.instance_number.is_none() && s.statistic == name && s.total.is_some();
    report.tables.instance_stat.iter().find(is_it)
}

/// DB time and CPU, which the header and the time model print.
fn of_time(report: &Report, metric: Metric) -> Rates {
    let identity = &report.identity;
    let total = if metric == Metric::DbTime {
        identity.db_time_s
    } else {
        let is_cpu =
            |r: &&spindle_facts::TimeModelRow| r.instance_number.is_none() && r.statistic == "DB CPU";
        report.tables.time_model.iter().find(is_cpu).and_then(|r| r.time_s)
    };
    let second = total.zip(identity.elapsed_s.filter(|s| *s > 0.0)).map(|(total, elapsed)| total / elapsed);
    let ended = rates(report, Metric::Transactions).second.filter(|rate| *rate > 0.0);
    Rates { second, transaction: second.zip(ended).map(|(second, ended)| second / ended) }
}

/// Is a printed rate that of another place? `None` where it stands in one of the two alone.
fn is_same(printed: Option<f64>, elsewhere: Option<f64>) -> Option<bool> {
    let (printed, elsewhere) = (printed?, elsewhere?);
    Some((printed - elsewhere).abs() <= 0.16 + 0.02 * elsewhere.abs())
}

/// Rates of the load profile under the headings of others.
pub(super) fn load_profile(report: &mut Report, empty_rates: &[u32]) {
    // Every report has these few lines; of several instances, each has its own.
    let rows = &report.tables.load_profile;
    if rows.is_empty()
        || rows.iter().any(|row| row.instance_number.is_some())
        || report.identity.spans_restart
    {
        return;
    }
    let second = |row: &LoadProfileRow| {
        let half = row.per_second_half_unit.max(0.05);
        let printed = |value| Printed { value, low: f64::max(value - half, 0.0), high: value + half };
        row.per_second.map(printed)
    };
    let transaction = |row: &LoadProfileRow| with_tenths(row.per_transaction);
    let pair = |row: &LoadProfileRow| Pair::new(second(row), transaction(row));
    let transactions = factor(rows.iter().filter_map(pair));
    let is_empty = |row: &LoadProfileRow| empty_rates.contains(&row.line);
    let misplaced = |row: &LoadProfileRow| {
        let of_time = matches!(row.known, Some(Metric::DbTime | Metric::DbCpu | Metric::BackgroundCpu));
        !of_time && (row.per_exec.is_some() || row.per_call.is_some())
            || row.known == Some(Metric::Transactions) && row.per_transaction.is_some()
    };
    let agrees = |row: &LoadProfileRow| {
        if row.known == Some(Metric::Transactions) {
            return is_same(row.per_second, transactions);
        }
        pair(row).zip(transactions).map(|(pair, factor)| pair.agrees(factor))
    };
    // A column of the first two that was cleared lacks in nearly all rows.
    let lacks = |row: &&LoadProfileRow| row.per_second.is_none() || row.per_transaction.is_none();
    let lacking = rows.iter().filter(lacks).count() * 2 > rows.len();
    let amiss = |row: &LoadProfileRow| is_empty(row) || misplaced(row) || agrees(row) == Some(false);
    // Nearly all reports end here.
    if !lacking && !rows.iter().any(amiss) {
        return;
    }
    let told: Vec<(Option<bool>, Option<bool>)> = rows
        .iter()
        .map(|row| {
            let there = row.known.map_or_else(Rates::default, |metric| rates(report, metric));
            (is_same(row.per_second, there.second), is_same(row.per_transaction, there.transaction))
        })
        .collect();
    let denied = |told: &(Option<bool>, Option<bool>)| told.0 == Some(false) || told.1 == Some(false);
    let confirmed = |told: &(Option<bool>, Option<bool>)| !denied(told) && *told != (None, None);
    let (no, yes) = (told.iter().filter(|t| denied(t)).count(), told.iter().filter(|t| confirmed(t)).count());
    let whole = lacking && no > 2 && no > yes;
    let doubted: Vec<bool> =
        rows.iter().map(|row| amiss(row) || whole && agrees(row) != Some(true)).collect();
    let mut found: Option<(u32, SectionId, u32, String)> = None;
    for ((row, told), _) in report.tables.load_profile.iter_mut().zip(told).zip(doubted).filter(|(_, d)| *d) {
        let before = [row.per_second, row.per_transaction, row.per_exec, row.per_call];
        // Of small figures any may be the same.
        let keeps = |value: &f64, told| told == Some(true) && (!whole || *value > 2.0);
        row.per_second = row.per_second.filter(|value| keeps(value, told.0));
        row.per_transaction = row.per_transaction.filter(|value| keeps(value, told.1));
        (row.per_exec, row.per_call) = (None, None);
        if before != [row.per_second, row.per_transaction, row.per_exec, row.per_call] {
            let (_, _, rows, _) = found.get_or_insert_with(|| (row.line, row.section, 0, row.metric.clone()));
            *rows += 1;
        }
    }
    let Some((line, section, rows, metric)) = found else { return };
    let of = if rows == 1 { format!("`{metric}`") } else { format!("{rows} rows, as of `{metric}`,") };
    report.notes.push(Note {
        line: Some(line),
        section: Some(report.section_title(section).to_owned()),
        message: format!(
            "the cells of {of} stand under the headings of others: what they say a second and a transaction cannot both be"
        ),
        effect: "what nothing else in the report confirms of them is taken as unknown".to_owned(),
    });
}

/// Reads and writes under the headings of each other, as the activity of the instance says.
pub(super) fn io_profile(report: &mut Report) {
    const MIB: f64 = 1_048_576.0;
    if report.tables.io_profile.is_empty() || report.identity.spans_restart {
        return;
    }
    let of =
        |name: &str, unit: f64| activity(report, name).and_then(|s| s.per_second).map(|rate| rate / unit);
    let mut turned: Vec<u32> = Vec::new();
    let mut sound = 0;
    for row in report.tables.io_profile.iter().filter(|row| row.instance_number.is_none()) {
        let (reads, writes, unit) = match row.metric.as_str() {
            "Total Requests" => ("physical read total IO requests", "physical write total IO requests", 1.0),
            "Database Requests" => ("physical read IO requests", "physical write IO requests", 1.0),
            "Total (MB)" => ("physical read total bytes", "physical write total bytes", MIB),
            "Database (MB)" => ("physical read bytes", "physical write bytes", MIB),
            _ => continue,
        };
        let (reads, writes) = (of(reads, unit), of(writes, unit));
        let holds = is_same(row.reads_per_s, reads).zip(is_same(row.writes_per_s, writes));
        let crossed = is_same(row.reads_per_s, writes).zip(is_same(row.writes_per_s, reads));
        if holds == Some((true, true)) {
            sound += 1;
        } else if holds == Some((false, false)) && crossed == Some((true, true)) {
            turned.push(row.line);
        }
    }
    let Some(first) = turned.first().copied() else { return };
    let whole = sound == 0;
    let mut section = None;
    for row in report.tables.io_profile.iter_mut().filter(|row| whole || turned.contains(&row.line)) {
        section = section.or(Some(row.section));
        (row.reads_per_s, row.writes_per_s) = (None, None);
    }
    report.notes.push(Note {
        line: Some(first),
        section: section.map(|section| report.section_title(section).to_owned()),
        message: "reads stand under the heading of writes, and writes under that of reads: the activity of the instance says so"
            .to_owned(),
        effect: if whole { "they are taken as unknown in all rows of this table" } else { "they are taken as unknown" }
            .to_owned(),
    });
}
