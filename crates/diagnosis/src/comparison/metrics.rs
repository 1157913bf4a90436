//! Load, rates and work: a second, a transaction, an execution.

use super::digest::{IoAmount, IoBy, TIME_MODEL};
use super::side::SideTotal;
use super::statements::Pair;
use serde::Serialize;
use std::collections::BTreeSet;

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
    /// After over before.
    pub ratio: Option<f64>,
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

fn metric(name: String, unit: &'static str, per: &'static str, pair: Pair) -> Option<MetricChange> {
    if pair.before.is_none() && pair.after.is_none() {
        return None;
    }
    Some(MetricChange { name, unit, per, before: pair.before, after: pair.after, ratio: pair.ratio() })
}

/// Every figure that a side prints.
pub(crate) fn compare(before: &SideTotal, after: &SideTotal) -> Vec<MetricChange> {
    let both = |of: &dyn Fn(&SideTotal) -> Option<f64>| Pair { before: of(before), after: of(after) };
    let over = |n: Option<f64>, d: Option<f64>| Some(n? / d.filter(|d| *d > 0.0)?);
    let db_time = |s: &SideTotal| s.db_time_s.map(|t| t.value);
    let cpu = |s: &SideTotal| s.cpu_s.map(|t| t.value);
    let mut found = Vec::new();
    found.extend(metric("DB time a second".into(), "s", "second", both(&|s| over(db_time(s), s.elapsed_s))));
    found.extend(metric("DB CPU a second".into(), "s", "second", both(&|s| over(cpu(s), s.elapsed_s))));
    // Requests of all processes are held against no part of them.
    let apart = |name: &str, said: String, unit: &'static str, per: &'static str, pair: Pair| {
        if !before.counts_other(after, name) {
            return metric(said, unit, per, pair).into_iter().collect::<Vec<_>>();
        }
        let (earlier, later) =
            (Pair { before: pair.before, after: None }, Pair { before: None, after: pair.after });
        let (part, whole) = if before.partial.contains(name) { (earlier, later) } else { (later, earlier) };
        let parts = metric(format!("{said}{OF_SOME}"), unit, per, part);
        metric(said, unit, per, whole).into_iter().chain(parts).collect()
    };
    for (name, unit, _) in BY_TIME {
        let pair = both(&|s| over(s.total(name), s.elapsed_s));
        found.extend(apart(name, format!("{name} a second"), unit, "second", pair));
    }
    for name in TIME_MODEL {
        let pair = both(&|s| over(s.total(name), s.elapsed_s));
        // Many are 0 everywhere.
        if pair != (Pair { before: Some(0.0), after: Some(0.0) }) {
            found.extend(metric(format!("{name} a second"), "s", "second", pair));
        }
    }
    let transactions = |s: &SideTotal| s.total("transactions");
    let executions = |s: &SideTotal| s.total("executions");
    found.extend(metric(
        "DB time a transaction".into(),
        "s",
        "transaction",
        both(&|s| over(db_time(s), transactions(s))),
    ));
    found.extend(metric(
        "DB CPU a transaction".into(),
        "s",
        "transaction",
        both(&|s| over(cpu(s), transactions(s))),
    ));
    for (name, unit, _) in BY_TIME.iter().filter(|m| m.2) {
        let pair = both(&|s| over(s.total(name), transactions(s)));
        found.extend(apart(name, format!("{name} a transaction"), unit, "transaction", pair));
    }
    found.extend(metric(
        "DB time an execution".into(),
        "s",
        "execution",
        both(&|s| over(db_time(s), executions(s))),
    ));
    found.extend(metric(
        "DB CPU an execution".into(),
        "s",
        "execution",
        both(&|s| over(cpu(s), executions(s))),
    ));
    for (name, unit) in BY_EXECUTION {
        found.extend(metric(
            format!("{name} an execution"),
            unit,
            "execution",
            both(&|s| over(s.total(name), executions(s))),
        ));
    }
    let rollbacks = both(&|s| over(s.total("rollbacks"), transactions(s)).map(|r| 100.0 * r));
    found.extend(metric("rollbacks among transactions".into(), "%", "share", rollbacks));
    found.extend(metric("host CPU busy".into(), "%", "share", both(&|s| s.host_busy_pct)));
    found
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
