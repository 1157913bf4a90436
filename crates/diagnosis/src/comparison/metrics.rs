//! Load, rates and work: a second, a transaction, an execution.

use super::amount::Amount;
use super::digest::{IoAmount, IoBy, TIME_MODEL};
use super::side::SideTotal;
use super::statements::Pair;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// I/O rows kept of each kind.
const KEPT: usize = 12;

/// One figure on both sides.
///
/// Shape: one a figure, in printed order of the load profile. Unit: `unit`. Missing: `None` where a
/// side does not print it. Source: totals over all intervals of a side, over their length, their
/// transactions or executions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricChange {
    /// Name, with what it is per.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// `second`, `transaction`, `execution`, `share`.
    pub per: &'static str,
    /// Before.
    pub before: Option<f64>,
    /// After.
    pub after: Option<f64>,
    /// After over before; of a compare-period report by the difference that it prints, where it prints one.
    pub ratio: Option<f64>,
    /// Least that rounding allows.
    pub ratio_low: Option<f64>,
    /// Most that rounding allows; unbounded where the figure before rounds to nothing.
    pub ratio_high: Option<f64>,
}

/// I/O of a function, file type, tablespace or segment on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IoChange {
    /// `function`, `filetype`, `tablespace`, `segment`.
    pub by: &'static str,
    /// Its name.
    pub name: String,
    /// Read requests a second; of a segment, blocks a second.
    pub reads_per_s: Pair,
    /// Write requests a second; of a segment, blocks a second.
    pub writes_per_s: Pair,
    /// Mean read, microseconds.
    pub avg_read_us: Pair,
}

/// Totals that are shown a second, and those also a transaction.
const BY_TIME: &[(&str, &str, bool)] = &[
    ("redo bytes", "bytes", true),
    ("logical reads", "blocks", true),
    ("block changes", "blocks", true),
    ("physical reads", "blocks", true),
    ("physical writes", "blocks", true),
    ("read requests", "requests", true),
    ("write requests", "requests", false),
    ("redo writes", "writes", true),
    ("MB read", "MB", false),
    ("MB written", "MB", false),
    ("user calls", "calls", true),
    ("parses", "parses", false),
    ("hard parses", "parses", false),
    ("logons", "logons", false),
    ("executions", "executions", true),
    ("rollbacks", "rollbacks", false),
    ("transactions", "transactions", false),
];

/// Behind a figure that one side has of fewer processes than the other.
const OF_SOME: &str = " (without redo, control files or backup)";

/// Totals that are shown an execution.
const BY_EXECUTION: &[(&str, &str)] = &[("logical reads", "blocks"), ("physical reads", "blocks")];

/// A figure of both sides with the bounds of its rounding, where it has them.
type Both = (Option<Amount>, Option<Amount>);

fn metric(
    name: String,
    unit: &'static str,
    per: &'static str,
    (before, after): Both,
) -> Option<MetricChange> {
    if before.is_none() && after.is_none() {
        return None;
    }
    let pair = Pair { before: before.map(|b| b.value), after: after.map(|a| a.value) };
    let ratio = pair.ratio();
    let bounds = ratio.and_then(|value| {
        let bounds = after?.per(before?)?;
        Some((bounds.low.min(value), bounds.high.max(value)))
    });
    Some(MetricChange {
        name,
        unit,
        per,
        before: pair.before,
        after: pair.after,
        ratio,
        ratio_low: bounds.map(|b| b.0),
        ratio_high: bounds.map(|b| b.1),
    })
}

impl MetricChange {
    /// Is its ratio further from 1 than this many percent, and for certain on that side of it?
    pub(crate) fn differs(&self, pct: f64) -> bool {
        let far = self.ratio.is_some_and(|r| 100.0 * (r - 1.0).abs() >= pct);
        let open =
            self.ratio_low.is_some_and(|low| low <= 1.0) && self.ratio_high.is_some_and(|high| high >= 1.0);
        far && !open
    }

    /// The larger of both figures.
    pub(crate) fn most(&self) -> Option<f64> {
        self.before.zip(self.after).map(|(b, a)| b.max(a))
    }

    /// A ratio that is printed, within the bounds of what the rounded figures make of it.
    fn by_print(&mut self, printed: Amount) {
        let (Some(low), Some(high)) = (self.ratio_low, self.ratio_high) else { return };
        let (low, high) = (low.max(printed.low), high.min(printed.high));
        // What is far from its own rates is of something else.
        if low <= high {
            self.ratio = Some(printed.value.clamp(low, high));
            (self.ratio_low, self.ratio_high) = (Some(low), Some(high));
        }
    }
}

/// Every figure that a side prints.
pub(crate) fn compare(before: &SideTotal, after: &SideTotal) -> Vec<MetricChange> {
    let both = |of: &dyn Fn(&SideTotal) -> Option<Amount>| (of(before), of(after));
    let over = |n: Option<Amount>, d: Option<Amount>| n?.per(d?);
    let exact = |of: Option<f64>| of.map(Amount::exact);
    // As long as it was; a side of times unknown has the rates that it prints.
    let a_second = |s: &SideTotal, name: &'static str, total: Option<Amount>| match s.elapsed_s {
        Some(_) => over(total, exact(s.elapsed_s)),
        None => s.rates.get(name).copied(),
    };
    let mut found = Vec::new();
    let db_time = both(&|s| a_second(s, "DB time", s.db_time_s));
    found.extend(metric("DB time a second".into(), "s", "second", db_time));
    found.extend(metric("DB CPU a second".into(), "s", "second", both(&|s| a_second(s, "DB CPU", s.cpu_s))));
    // Requests of all processes are held against no part of them.
    let apart = |name: &str, said: String, unit: &'static str, per: &'static str, pair: Both| {
        if !before.counts_other(after, name) {
            return metric(said, unit, per, pair).into_iter().collect::<Vec<_>>();
        }
        let (earlier, later) = ((pair.0, None), (None, pair.1));
        let (part, whole) = if before.partial.contains(name) { (earlier, later) } else { (later, earlier) };
        let parts = metric(format!("{said}{OF_SOME}"), unit, per, part);
        metric(said, unit, per, whole).into_iter().chain(parts).collect()
    };
    for (name, unit, _) in BY_TIME {
        let pair = both(&|s| a_second(s, name, s.bounded(name)));
        found.extend(apart(name, format!("{name} a second"), unit, "second", pair));
    }
    for name in TIME_MODEL {
        let pair = both(&|s| over(s.bounded(name), exact(s.elapsed_s)));
        // Many are 0 everywhere.
        if (pair.0.map(|b| b.value), pair.1.map(|a| a.value)) != (Some(0.0), Some(0.0)) {
            found.extend(metric(format!("{name} a second"), "s", "second", pair));
        }
    }
    let transactions = |s: &SideTotal| s.bounded("transactions");
    let executions = |s: &SideTotal| s.bounded("executions");
    let a_transaction = |of: fn(&SideTotal) -> Option<Amount>| both(&|s| over(of(s), transactions(s)));
    found.extend(metric("DB time a transaction".into(), "s", "transaction", a_transaction(|s| s.db_time_s)));
    found.extend(metric("DB CPU a transaction".into(), "s", "transaction", a_transaction(|s| s.cpu_s)));
    for (name, unit, _) in BY_TIME.iter().filter(|m| m.2) {
        let pair = both(&|s| over(s.bounded(name), transactions(s)));
        found.extend(apart(name, format!("{name} a transaction"), unit, "transaction", pair));
    }
    let an_execution = |of: fn(&SideTotal) -> Option<Amount>| both(&|s| over(of(s), executions(s)));
    found.extend(metric("DB time an execution".into(), "s", "execution", an_execution(|s| s.db_time_s)));
    found.extend(metric("DB CPU an execution".into(), "s", "execution", an_execution(|s| s.cpu_s)));
    for (name, unit) in BY_EXECUTION {
        let pair = both(&|s| over(s.bounded(name), executions(s)));
        found.extend(metric(format!("{name} an execution"), unit, "execution", pair));
    }
    let share = |s: &SideTotal| Some(over(s.bounded("rollbacks"), transactions(s))?.times(100.0));
    found.extend(metric("rollbacks among transactions".into(), "%", "share", both(&share)));
    found.extend(metric("host CPU busy".into(), "%", "share", both(&|s| exact(s.host_busy_pct))));
    if let Some(printed) = before.printed_ratios(after) {
        by_print(&mut found, printed);
    }
    found
}

/// Two periods of one report: what it prints of their rates is taken from figures that are not rounded.
fn by_print(found: &mut [MetricChange], printed: &BTreeMap<&'static str, Amount>) {
    let transactions = printed.get("transactions").copied();
    for change in found {
        let a_second = change.name.strip_suffix(" a second").and_then(|name| printed.get(name).copied());
        let a_transaction = || {
            let name = change.name.strip_suffix(" a transaction")?;
            printed.get(name)?.per(transactions?)
        };
        if let Some(ratio) = a_second.or_else(a_transaction) {
            change.by_print(ratio);
        }
    }
}

/// A figure by its name.
pub(crate) fn of<'m>(metrics: &'m [MetricChange], name: &str) -> Option<&'m MetricChange> {
    metrics.iter().find(|m| m.name == name)
}

/// I/O by function, file type, tablespace and segment; the busiest of each kind.
pub(crate) fn io(before: &SideTotal, after: &SideTotal) -> Vec<IoChange> {
    let keys: BTreeSet<&(IoBy, String)> = before.io.keys().chain(after.io.keys()).collect();
    let has = |side: &SideTotal, by: IoBy| side.io.keys().any(|k| k.0 == by);
    let mut rows: Vec<(IoBy, f64, IoChange)> = Vec::new();
    for key in keys {
        // A kind that only one side prints says nothing of the other.
        if !(has(before, key.0) && has(after, key.0)) {
            continue;
        }
        let rate = |side: &SideTotal, of: fn(&IoAmount) -> Option<f64>| {
            Some(side.io.get(key).and_then(of)? / side.elapsed_s.filter(|s| *s > 0.0)?)
        };
        let pair =
            |of: fn(&IoAmount) -> Option<f64>| Pair { before: rate(before, of), after: rate(after, of) };
        let mean = |side: &SideTotal| {
            let (time, reads) = side.io.get(key)?.timed.filter(|t| t.1 > 0.0)?;
            Some(time / reads)
        };
        let (reads, writes) = (pair(|i| i.reads), pair(|i| i.writes));
        let size = [reads.before, reads.after, writes.before, writes.after].into_iter().flatten().sum();
        let row = IoChange {
            by: key.0.name(),
            name: key.1.clone(),
            reads_per_s: reads,
            writes_per_s: writes,
            avg_read_us: Pair { before: mean(before), after: mean(after) },
        };
        rows.push((key.0, size, row));
    }
    rows.sort_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)).then_with(|| a.2.name.cmp(&b.2.name))
    });
    let mut kept: Vec<IoChange> = Vec::new();
    for (_, size, row) in rows {
        if size > 0.0 && kept.iter().filter(|k| k.by == row.by).count() < KEPT {
            kept.push(row);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::{CompareOptions, Comparison, Digest, compare};
    use super::*;
    use crate::rules::testing::Hour;
    use spindle_facts::{LoadProfileRow, Metric, Period};

    fn period(which: Period, source: &str, rates: &[(Metric, f64, Option<f64>)]) -> Digest {
        let db_time_s = if which == Period::First { 2_000.0 } else { 2_100.0 };
        let hour = Hour::new(db_time_s).cpu(1_500.0).with(|r| {
            r.identity.source = source.to_owned();
            r.identity.period = Some(which);
            r.identity.elapsed_s = Some(300.0);
            r.tables.load_profile = rates
                .iter()
                .map(|(metric, per_second, diff)| LoadProfileRow {
                    line: 1,
                    section: 0,
                    instance_number: None,
                    metric: format!("{metric:?}"),
                    known: Some(*metric),
                    per_second: Some(*per_second),
                    per_transaction: None,
                    per_exec: None,
                    per_call: None,
                    per_second_half_unit: 0.05,
                    per_second_diff_pct: *diff,
                })
                .collect();
        });
        Digest::of(&hour.report)
    }

    fn compared(source: [&str; 2], reads: [f64; 2], diff: Option<f64>) -> Comparison {
        let rates = |reads: f64, transactions: f64, diffs: [Option<f64>; 2]| {
            [(Metric::PhysicalReads, reads, diffs[0]), (Metric::Transactions, transactions, diffs[1])]
        };
        let before = period(Period::First, source[0], &rates(reads[0], 1_109.1, [None; 2]));
        let after = [diff, diff.map(|_| -5.2)];
        let after = period(Period::Second, source[1], &rates(reads[1], 1_051.7, after));
        compare(&[before], &[after], &CompareOptions::default()).unwrap()
    }

    /// 0.2 and 0.3 blocks a second: "one does other work than before: physical reads +58 %".
    #[test]
    fn rounding_of_small_rates_was_other_work() {
        let c = compared(["c", "d"], [0.2, 0.3], None);
        let reads = of(&c.metrics, "physical reads a transaction").unwrap();
        assert!((1.04..1.06).contains(&reads.ratio_low.unwrap()), "{reads:?}");
        assert!((2.4..2.5).contains(&reads.ratio_high.unwrap()), "{reads:?}");
        assert!(!c.says.join(" ").contains("physical reads"), "{:?}", c.says);
        // Which way a rate of tenths went is known, and how far is not.
        let c = compared(["c", "d"], [1.2, 2.2], None);
        assert!(c.says.join(" ").contains("physical reads +81 % to +106 %"), "{:?}", c.says);
        // Of a rate that rounds to nothing nobody knows how many times it grew.
        let c = compared(["c", "d"], [0.0, 2.2], None);
        assert_eq!(of(&c.metrics, "physical reads a second").unwrap().ratio, None);
    }

    #[test]
    fn the_difference_that_a_report_of_two_periods_prints_was_not_used() {
        let c = compared(["c", "c"], [0.2, 0.3], Some(52.4));
        let reads = of(&c.metrics, "physical reads a second").unwrap();
        assert!((reads.ratio.unwrap() - 1.524).abs() < 1e-9, "{reads:?}");
        assert!((reads.ratio_low.unwrap() - 1.5235).abs() < 1e-9, "{reads:?}");
        let each = of(&c.metrics, "physical reads a transaction").unwrap();
        assert!((each.ratio.unwrap() - 1.524 / 0.948).abs() < 1e-9, "{each:?}");
        // Of two reports nothing is a difference, and one that its own rates exclude is of something else.
        let other = compared(["c", "d"], [0.2, 0.3], Some(52.4));
        assert!((of(&other.metrics, "physical reads a second").unwrap().ratio.unwrap() - 1.5).abs() < 1e-9);
        let far = compared(["c", "c"], [10.2, 10.3], Some(52.4));
        assert!(of(&far.metrics, "physical reads a second").unwrap().ratio.unwrap() < 1.02);
    }
}
