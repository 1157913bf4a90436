//! The same statement before and after: how often it ran, what one execution took, its plan.
//!
//! Statements are matched by sql_id, else by old hash (Statspack), else by their text where one side has
//! only the one and the other only the other; plans by plan hash. A report lists only the top of each
//! ranking, so a statement that lacks on one side is not new or gone: it took at most what the last one
//! listed took, unless it may stand there under an identifier of the other kind.
//!
//! A statement may run by several plans on both sides. With shares p and one execution u by each, what
//! one takes changes by `(p' - p) (u + u') / 2` over the plans because others ran (the plan), and by
//! `(u' - u) (p + p') / 2` because the same ones took longer (no plan).

use super::amount::Amount;
use super::basis::Basis;
use super::side::SideTotal;
use serde::Serialize;
use spindle_facts::{Interval, Report, SectionId, SqlStat};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Statements kept of a report, by elapsed time.
const KEPT: usize = 60;
/// Letters of a text, blanks left out, below which two statements may begin alike.
const SAME_TEXT: usize = 40;
/// One execution has to take this much more or less to be said to have changed.
const MARKED: f64 = 1.25;
/// Or this much, where it makes `LARGE_PART` of what the statement took more or less.
const NOTICED: f64 = 1.05;
/// Share of executions that went to other plans from which on the plan changed; and what that has to make of one
/// execution where it is less: one of thousands may take hours.
const OTHER_PLAN: f64 = 0.1;
/// So few executions are no rate.
const HANDFUL: f64 = 5.0;
/// All but this share of executions went to other plans: the statement has another one.
const WHOLLY: f64 = 0.995;
/// Share of the change of a statement from which on a part of it is said.
const LARGE_PART: f64 = 0.2;

/// By sql_id, else by old hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Id(String),
    Hash(u64),
}

/// What a statement took by one of its plans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanAmount {
    pub(crate) plan: u64,
    executions: Option<f64>,
    elapsed_s: Option<f64>,
    cpu_s: Option<f64>,
    io_wait_s: Option<f64>,
}

impl PlanAmount {
    fn add(&mut self, more: &Self) {
        let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
        self.executions = sum(self.executions, more.executions);
        self.elapsed_s = sum(self.elapsed_s, more.elapsed_s);
        self.cpu_s = sum(self.cpu_s, more.cpu_s);
        self.io_wait_s = sum(self.io_wait_s, more.io_wait_s);
    }
}

/// One statement over an interval; each number the largest that any ranking prints.
#[derive(Clone, Debug)]
pub(crate) struct StatementAmount {
    pub(crate) key: Key,
    pub(crate) sql_id: Option<String>,
    pub(crate) old_hash: Option<u64>,
    pub(crate) plans: BTreeSet<u64>,
    /// What it took by each of them, in their order.
    pub(crate) by_plan: Vec<PlanAmount>,
    pub(crate) executions: Option<f64>,
    pub(crate) elapsed_s: Option<f64>,
    pub(crate) cpu_s: Option<f64>,
    pub(crate) io_wait_s: Option<f64>,
    pub(crate) buffer_gets: Option<f64>,
    pub(crate) physical_reads: Option<f64>,
    pub(crate) rows: Option<f64>,
    /// What rounding hides of its elapsed time at most.
    pub(crate) half_s: f64,
    pub(crate) module: Option<String>,
    pub(crate) text: Option<String>,
}

impl StatementAmount {
    fn numbers(&mut self) -> [&mut Option<f64>; 7] {
        [
            &mut self.executions,
            &mut self.elapsed_s,
            &mut self.cpu_s,
            &mut self.io_wait_s,
            &mut self.buffer_gets,
            &mut self.physical_reads,
            &mut self.rows,
        ]
    }

    /// The seconds among its numbers.
    fn seconds(&mut self) -> [&mut Option<f64>; 3] {
        [&mut self.elapsed_s, &mut self.cpu_s, &mut self.io_wait_s]
    }

    /// Takes what another ranking of the same report prints: counts that are larger, and seconds that are finer
    /// (11.1 prints whole ones where it ranks by them, hundredths elsewhere).
    fn join(&mut self, mut other: Self) {
        let finer = self.half_s.total_cmp(&other.half_s);
        let before = self.seconds().map(|v| *v);
        let half_s = match (self.elapsed_s, other.elapsed_s) {
            (_, None) => self.half_s,
            (None, _) => other.half_s,
            _ => self.half_s.min(other.half_s),
        };
        for (old, new) in self.numbers().into_iter().zip(other.numbers()) {
            *old = match (*old, *new) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            };
        }
        for ((joined, own), new) in self.seconds().into_iter().zip(before).zip(other.seconds()) {
            match finer {
                Ordering::Less => *joined = own.or(*new),
                Ordering::Greater => *joined = new.or(own),
                Ordering::Equal => {}
            }
        }
        self.half_s = half_s;
        self.module = self.module.take().or(other.module);
    }

    /// Elapsed seconds of one execution, and the least and most that print like them.
    fn one(&self) -> Option<Amount> {
        let executions = self.executions.filter(|n| *n > 0.0)?;
        let elapsed_s = self.elapsed_s?;
        let bounds = Interval { low: (elapsed_s - self.half_s).max(0.0), high: elapsed_s + self.half_s };
        Some(Amount::within(elapsed_s, bounds).times(1.0 / executions))
    }

    /// Equal as far as the layouts print them: text rounds seconds to tenths, HTML to hundredths.
    fn same_figures(&self, other: &Self) -> bool {
        let counts = |s: &Self| (s.executions, s.buffer_gets, s.physical_reads, s.rows);
        let within = |a: Option<f64>, b: Option<f64>| match a.zip(b) {
            Some((a, b)) if self.half_s != other.half_s => (a - b).abs() <= self.half_s + other.half_s + 1e-9,
            _ => a == b,
        };
        counts(self) == counts(other)
            && self.plans == other.plans
            && within(self.elapsed_s, other.elapsed_s)
            && within(self.cpu_s, other.cpu_s)
            && within(self.io_wait_s, other.io_wait_s)
    }

    /// Share of its executions by each plan; `None` where a part of them has no plan or no number.
    fn shares(&self) -> Option<Vec<(f64, &PlanAmount)>> {
        let executions = self.executions.filter(|n| *n > 0.0)?;
        let by_plan = self.by_plan.iter().map(|p| p.executions).sum::<Option<f64>>()?;
        let all = (by_plan - executions).abs() <= 1e-6 * executions;
        all.then(|| self.by_plan.iter().map(|p| (p.executions.unwrap_or(0.0) / executions, p)).collect())
    }

    /// Adds another interval or instance: unknown in one is unknown in the sum.
    pub(crate) fn add(&mut self, mut other: Self) {
        for (sum, more) in self.numbers().into_iter().zip(other.numbers()) {
            *sum = sum.zip(*more).map(|(a, b)| a + b);
        }
        self.half_s += other.half_s;
        self.plans.append(&mut other.plans);
        for part in &other.by_plan {
            match self.by_plan.binary_search_by_key(&part.plan, |own| own.plan) {
                Ok(at) => self.by_plan[at].add(part),
                Err(at) => self.by_plan.insert(at, *part),
            }
        }
        self.module = self.module.take().or(other.module);
        self.text = self.text.take().or(other.text);
    }
}

/// Half of the last digit that all of these seconds are printed with; 0 where they are finer than any report's.
fn half_of(seconds: impl Iterator<Item = f64> + Clone) -> f64 {
    let whole = |v: f64, a_second: f64| {
        let steps = v * a_second;
        (steps - steps.round()).abs() <= 1e-9 * steps.max(1.0)
    };
    let all = |a_second: &&f64| seconds.clone().all(|v| whole(v, **a_second));
    [1.0, 10.0, 100.0].iter().find(all).map_or(0.0, |a_second| 0.5 / a_second)
}

/// Half of the last digit of the seconds of each section that lists statements.
fn halves(report: &Report) -> BTreeMap<SectionId, f64> {
    let mut sections: BTreeMap<SectionId, Vec<f64>> = BTreeMap::new();
    for row in &report.tables.sql_stat {
        let seconds = [row.elapsed_s, row.cpu_s, row.io_wait_s];
        sections
            .entry(row.section)
            .or_default()
            .extend(seconds.into_iter().flatten().filter(|v| v.is_finite()));
    }
    sections.into_iter().map(|(section, seconds)| (section, half_of(seconds.iter().copied()))).collect()
}

/// What rounding hides of a share of DB time that is printed to hundredths of a percent.
const SHARE_HALF: f64 = 0.005 / 100.0;

fn of_row(row: &SqlStat, key: Key, half_s: f64) -> StatementAmount {
    let known = |v: Option<f64>| v.filter(|v| v.is_finite() && *v >= 0.0);
    StatementAmount {
        key,
        half_s: match (row.elapsed_s, row.section_total) {
            (None, Some(total)) => SHARE_HALF * total,
            _ => half_s,
        },
        sql_id: row.sql_id.as_ref().map(ToString::to_string),
        old_hash: row.old_hash,
        // Blocks of PL/SQL have the plan 0, which is none.
        plans: row.plan_hash.filter(|h| *h != 0).into_iter().collect(),
        by_plan: Vec::new(),
        executions: known(row.executions),
        // Compare-period reports print the share of DB time alone.
        elapsed_s: known(row.elapsed_s.or_else(|| {
            let by_elapsed = row.ranked_by == "elapsed_time";
            row.share_pct
                .zip(row.section_total)
                .filter(|_| by_elapsed)
                .map(|(pct, total)| pct / 100.0 * total)
        })),
        cpu_s: known(row.cpu_s),
        io_wait_s: known(row.io_wait_s),
        buffer_gets: known(row.buffer_gets),
        physical_reads: known(row.physical_reads),
        rows: known(row.rows_processed),
        module: row.module.as_ref().map(ToString::to_string),
        text: None,
    }
}

/// Statements of a report, and what one that its ranking by elapsed time does not list took at most.
pub(crate) fn statements(report: &Report) -> (Vec<StatementAmount>, Option<f64>) {
    // Rankings repeat a statement; instances, plans and containers add up.
    type Part<'a> = (Key, Option<u32>, Option<u64>, Option<&'a str>);
    let mut parts: BTreeMap<Part<'_>, StatementAmount> = BTreeMap::new();
    let halves = halves(report);
    for row in &report.tables.sql_stat {
        let key = match (&row.sql_id, row.old_hash) {
            (Some(id), _) => Key::Id(id.to_string()),
            (None, Some(hash)) => Key::Hash(hash),
            (None, None) => continue,
        };
        let part = (key.clone(), row.instance_number, row.plan_hash, row.container.as_deref());
        let new = of_row(row, key, halves.get(&row.section).copied().unwrap_or(0.0));
        match parts.get_mut(&part) {
            None => {
                parts.insert(part, new);
            }
            Some(known) => known.join(new),
        }
    }
    let mut sums: BTreeMap<Key, StatementAmount> = BTreeMap::new();
    for mut part in parts.into_values() {
        let (executions, elapsed_s) = (part.executions, part.elapsed_s);
        let (cpu_s, io_wait_s) = (part.cpu_s, part.io_wait_s);
        let of = |plan: &u64| PlanAmount { plan: *plan, executions, elapsed_s, cpu_s, io_wait_s };
        part.by_plan = part.plans.iter().map(of).collect();
        match sums.get_mut(&part.key) {
            Some(sum) => sum.add(part),
            None => {
                sums.insert(part.key.clone(), part);
            }
        }
    }
    for text in &report.tables.sql_text {
        let keys = [text.sql_id.as_ref().map(|id| Key::Id(id.to_string())), text.old_hash.map(Key::Hash)];
        for key in keys.into_iter().flatten() {
            if let Some(statement) = sums.get_mut(&key) {
                statement.text = Some(text.text.chars().take(400).collect());
            }
        }
    }
    let listed = report.tables.sql_stat.iter().filter(|s| s.ranked_by == "elapsed_time");
    let most = |s: &SqlStat| Some(s.elapsed_s? + halves.get(&s.section).copied().unwrap_or(0.0));
    let least = listed.filter_map(most).min_by(f64::total_cmp);
    let mut all: Vec<StatementAmount> = sums.into_values().collect();
    all.sort_by(|a, b| {
        b.elapsed_s.unwrap_or(0.0).total_cmp(&a.elapsed_s.unwrap_or(0.0)).then_with(|| a.key.cmp(&b.key))
    });
    all.truncate(KEPT);
    (all, least)
}

/// A number on both sides; `None` where a side does not print it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Before.
    pub before: Option<f64>,
    /// After.
    pub after: Option<f64>,
}

impl Pair {
    /// After over before.
    #[must_use]
    pub fn ratio(self) -> Option<f64> {
        let (before, after) = (self.before.filter(|b| *b > 0.0)?, self.after?);
        Some(after / before)
    }
}

/// One statement on both sides.
///
/// Shape: one a statement, largest change of its elapsed time first. Unit: `delta_s`, `volume_s`,
/// `unit_s` as `unit` of the comparison says; the pairs are totals over the sides, those of one
/// execution (or row) seconds and blocks. Missing: `None` where a side does not list the statement or
/// prints no such column. Source: `SQL ordered by ...`.
#[derive(Clone, Debug, Serialize)]
pub struct StatementChange {
    /// SQL identifier.
    pub sql_id: Option<String>,
    /// Old hash value (Statspack).
    pub old_hash: Option<u64>,
    /// Change of its elapsed time.
    pub delta_s: Option<f64>,
    /// Part of it from running more or less often, split at the midpoint; `None` too where the seconds are printed
    /// too coarsely to tell whether one execution takes more or less.
    pub volume_s: Option<f64>,
    /// Part of it from what one execution takes.
    pub unit_s: Option<f64>,
    /// Executions.
    pub executions: Pair,
    /// Elapsed time.
    pub elapsed_s: Pair,
    /// Elapsed time of one execution.
    pub elapsed_s_per_execution: Pair,
    /// CPU of one execution.
    pub cpu_s_per_execution: Pair,
    /// User I/O wait of one execution.
    pub io_wait_s_per_execution: Pair,
    /// Buffer gets of one execution.
    pub buffer_gets_per_execution: Pair,
    /// Blocks read by one execution.
    pub physical_reads_per_execution: Pair,
    /// Elapsed time of one row.
    pub elapsed_s_per_row: Pair,
    /// Plans before.
    pub plans_before: Vec<u64>,
    /// Plans after.
    pub plans_after: Vec<u64>,
    /// Share of its executions by each of `plans_before`, percent; empty where they are not known by plan.
    pub plan_shares_before_pct: Vec<f64>,
    /// The same of `plans_after`.
    pub plan_shares_after_pct: Vec<f64>,
    /// Did the plan change? Where shares are known: did a tenth of the executions go to other plans, or
    /// did that make a tenth of what one takes? `None` where a side prints no plan hash.
    pub plan_changed: Option<bool>,
    /// Elapsed time of one execution after over that before, with what rounding allows.
    #[serde(skip)]
    pub(crate) longer: Option<Amount>,
    /// What one execution takes more or less because other plans ran.
    #[serde(skip)]
    pub(crate) by_plans: ByPlans,
    /// Where only one side lists it: what it took there, negative where that was before.
    pub one_sided_s: Option<f64>,
    /// Where only one side lists it: what it took on the other side at most, seconds.
    pub at_most_s: Option<f64>,
    /// What happened to it, in a sentence.
    pub what: String,
    /// Module.
    pub module: Option<String>,
    /// Its text, the first 400 characters.
    pub text: Option<String>,
}

/// What one execution takes more or less because other plans ran, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ByPlans {
    pub(crate) cpu_s: Option<f64>,
    pub(crate) io_wait_s: Option<f64>,
}

impl StatementChange {
    /// How many times as long one execution takes, unless rounding alone may make it so.
    pub(crate) fn each(&self) -> Option<Amount> {
        self.longer.filter(|r| r.low > 1.0 || r.high < 1.0)
    }

    /// Share of the executions that went from plans to others; `None` where not known by plan.
    fn shifted(&self) -> Option<f64> {
        let known = !self.plan_shares_before_pct.is_empty() && !self.plan_shares_after_pct.is_empty();
        let gained: f64 = self.by_share().iter().map(|(_, b, a)| (a - b).max(0.0)).sum();
        known.then_some(gained / 100.0)
    }

    /// Each plan with its share of the executions before and after, percent.
    fn by_share(&self) -> Vec<(u64, f64, f64)> {
        let share = |plans: &[u64], shares: &[f64], plan: u64| {
            plans.iter().zip(shares).find(|(p, _)| **p == plan).map_or(0.0, |(_, share)| *share)
        };
        let plans: BTreeSet<u64> = self.plans_before.iter().chain(&self.plans_after).copied().collect();
        let of = |plan: u64| {
            let before = share(&self.plans_before, &self.plan_shares_before_pct, plan);
            (plan, before, share(&self.plans_after, &self.plan_shares_after_pct, plan))
        };
        plans.into_iter().map(of).collect()
    }

    /// The plan that more executions went to, where that is not all of them: `plan 222 in 20 % of its executions
    /// before, 90 % after`.
    pub(crate) fn partly(&self) -> Option<String> {
        self.shifted().filter(|s| *s > 0.0 && *s < WHOLLY)?;
        let (plan, before, after) = self
            .by_share()
            .into_iter()
            .max_by(|x, y| (x.2 - x.1).total_cmp(&(y.2 - y.1)).then_with(|| y.0.cmp(&x.0)))?;
        let said = crate::words::percent;
        Some(match before {
            0.0 => format!("plan {plan} in {} of its executions after, none before", said(after)),
            _ => format!("plan {plan} in {} of its executions before, {} after", said(before), said(after)),
        })
    }
}

/// What other plans make of one execution: of its elapsed time, and by part. Where the shares of the plans are not
/// known and none is on both sides, all of it.
fn by_plans(b: &StatementAmount, a: &StatementAmount) -> (Option<f64>, ByPlans) {
    type Of = fn(&PlanAmount) -> Option<f64>;
    let (Some(shares_before), Some(shares_after)) = (b.shares(), a.shares()) else {
        let one = |s: &StatementAmount, of: fn(&StatementAmount) -> Option<f64>| {
            Some(of(s)? / s.executions.filter(|n| *n > 0.0)?)
        };
        let apart = b.plans.is_disjoint(&a.plans);
        let change = |of| Some(one(a, of)? - one(b, of)?).filter(|_| apart);
        return (
            change(|s| s.elapsed_s),
            ByPlans { cpu_s: change(|s| s.cpu_s), io_wait_s: change(|s| s.io_wait_s) },
        );
    };
    let plans: BTreeSet<u64> = b.plans.union(&a.plans).copied().collect();
    let of_plan = |shares: &[(f64, &PlanAmount)], plan: u64| -> Option<(f64, PlanAmount)> {
        shares.iter().find(|(share, p)| p.plan == plan && *share > 0.0).map(|(share, p)| (*share, **p))
    };
    let change = |of: Of| -> Option<f64> {
        let mut sum = 0.0;
        for plan in &plans {
            let (before, after) = (of_plan(&shares_before, *plan), of_plan(&shares_after, *plan));
            // What one takes by a plan that one side alone ran is known there.
            let one = |side: &Option<(f64, PlanAmount)>| {
                side.map(|(_, p)| Some(of(&p)? / p.executions.filter(|n| *n > 0.0)?))
            };
            let each = match (one(&before), one(&after)) {
                (Some(b), Some(a)) => f64::midpoint(b?, a?),
                (Some(one), None) | (None, Some(one)) => one?,
                (None, None) => continue,
            };
            sum += (after.map_or(0.0, |a| a.0) - before.map_or(0.0, |b| b.0)) * each;
        }
        Some(sum)
    };
    (change(|p| p.elapsed_s), ByPlans { cpu_s: change(|p| p.cpu_s), io_wait_s: change(|p| p.io_wait_s) })
}

/// Statements of both sides, largest change first; those that did not change are left out.
pub(crate) fn compare(before: &SideTotal, after: &SideTotal, basis: &Basis) -> Vec<StatementChange> {
    let by_text = same_texts(before, after);
    let keys: BTreeSet<&Key> = before.statements.keys().chain(after.statements.keys()).collect();
    let mut changes: Vec<StatementChange> = keys
        .into_iter()
        .filter(|key| !by_text.values().any(|after| after == key))
        .filter_map(|key| {
            let of_after = by_text.get(key).copied().unwrap_or(key);
            change(before.statements.get(key), after.statements.get(of_after), before, after, basis)
        })
        .collect();
    let size = |c: &StatementChange| {
        let one_side =
            || c.elapsed_s.before.or(c.elapsed_s.after).unwrap_or(0.0) - c.at_most_s.unwrap_or(0.0);
        c.delta_s.map_or_else(|| basis.one(one_side()).abs(), f64::abs)
    };
    changes.sort_by(|a, b| {
        size(b).total_cmp(&size(a)).then_with(|| (&a.sql_id, a.old_hash).cmp(&(&b.sql_id, b.old_hash)))
    });
    changes
}

/// Statements that one side knows by sql_id and the other by old hash, by their text: those of before, and
/// which of after each is. A text that fits several is left out.
fn same_texts<'s>(before: &'s SideTotal, after: &'s SideTotal) -> BTreeMap<&'s Key, &'s Key> {
    let words = |side: &'s SideTotal, others: &SideTotal| -> Vec<(&'s Key, String)> {
        let strangers = side.statements.iter().filter(|(key, _)| !names_alike(others, key));
        // Lines are broken anywhere, within words too.
        let text = |s: &StatementAmount| Some(s.text.as_ref()?.split_whitespace().collect::<String>());
        strangers.filter_map(|(key, s)| Some((key, text(s)?))).collect()
    };
    let (of_before, of_after) = (words(before, after), words(after, before));
    let fits = |a: &str, b: &str| {
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        short.len() >= SAME_TEXT && long.starts_with(short)
    };
    let mut found = BTreeMap::new();
    for (key, text) in &of_before {
        let mut same = of_after.iter().filter(|(_, other)| fits(text, other));
        if let (Some((other, theirs)), None) = (same.next(), same.next())
            && of_before.iter().filter(|(_, one)| fits(one, theirs)).count() == 1
        {
            found.insert(*key, *other);
        }
    }
    found
}

/// Does a side list any statement by an identifier of this kind?
fn names_alike(side: &SideTotal, key: &Key) -> bool {
    side.statements.keys().any(|other| std::mem::discriminant(other) == std::mem::discriminant(key))
}

fn change(
    b: Option<&StatementAmount>,
    a: Option<&StatementAmount>,
    before: &SideTotal,
    after: &SideTotal,
    basis: &Basis,
) -> Option<StatementChange> {
    let either = b.or(a)?;
    let pair =
        |of: fn(&StatementAmount) -> Option<f64>| Pair { before: b.and_then(of), after: a.and_then(of) };
    let per = |of: fn(&StatementAmount) -> Option<f64>, by: fn(&StatementAmount) -> Option<f64>| {
        let one = |s: &StatementAmount| Some(of(s)? / by(s).filter(|n| *n > 0.0)?);
        Pair { before: b.and_then(one), after: a.and_then(one) }
    };
    let executions = pair(|s| s.executions);
    let elapsed_s = pair(|s| s.elapsed_s);
    let per_execution = per(|s| s.elapsed_s, |s| s.executions);
    let both = elapsed_s.before.zip(elapsed_s.after).filter(|_| basis.comparable);
    let normal = both.map(|(b, a)| (b / basis.before.value, a / basis.after.value));
    let delta_s = normal.map(|(b, a)| a - b);
    if let (Some(b), Some(a)) = (b, a)
        && b.same_figures(a)
    {
        return None;
    }
    if delta_s == Some(0.0) {
        return None;
    }
    let longer = b.and_then(StatementAmount::one).zip(a.and_then(StatementAmount::one));
    let longer = longer.filter(|(b, _)| b.value > 0.0).map(|(b, a)| a.over(b));
    let coarse = longer.is_some_and(|r| r.low <= 1.0 && r.high >= 1.0 && is_wide(r));
    let split = if coarse || !basis.comparable {
        None
    } else {
        executions.before.zip(executions.after).zip(per_execution.before.zip(per_execution.after)).map(
            |((nb, na), (ub, ua))| {
                let (nb, na) = (nb / basis.before.value, na / basis.after.value);
                ((na - nb) * (ub + ua) / 2.0, (ua - ub) * (na + nb) / 2.0)
            },
        )
    };
    let plans = |s: Option<&StatementAmount>| {
        s.map(|s| s.plans.iter().copied().collect::<Vec<_>>()).unwrap_or_default()
    };
    let (plans_before, plans_after) = (plans(b), plans(a));
    let known = !plans_before.is_empty() && !plans_after.is_empty();
    let shares = |s: Option<&StatementAmount>| -> Vec<f64> {
        s.and_then(StatementAmount::shares)
            .map(|shares| shares.into_iter().map(|(share, _)| 100.0 * share).collect())
            .unwrap_or_default()
    };
    let (of_one, by_plans) = b.zip(a).map(|(b, a)| by_plans(b, a)).unwrap_or_default();
    // Under an identifier of the other kind it may be among those listed.
    let other = if b.is_some() { after } else { before };
    let nameable = other.statements.is_empty() || names_alike(other, &either.key);
    let one_sided = b.is_some() != a.is_some();
    // Of one that runs on, what it took is counted when a call of it ends.
    let sampled_pct =
        either.sql_id.as_ref().and_then(|id| other.sampled.get(id.as_str())).copied().filter(|_| one_sided);
    let at_most_s = other.least_listed_s.filter(|_| nameable && one_sided && sampled_pct.is_none());
    let mut change = StatementChange {
        sql_id: either.sql_id.clone().or_else(|| a?.sql_id.clone()),
        old_hash: either.old_hash.or_else(|| a?.old_hash),
        delta_s,
        volume_s: split.map(|s| s.0),
        unit_s: split.map(|s| s.1),
        executions,
        elapsed_s,
        elapsed_s_per_execution: per_execution,
        cpu_s_per_execution: per(|s| s.cpu_s, |s| s.executions),
        io_wait_s_per_execution: per(|s| s.io_wait_s, |s| s.executions),
        buffer_gets_per_execution: per(|s| s.buffer_gets, |s| s.executions),
        physical_reads_per_execution: per(|s| s.physical_reads, |s| s.executions),
        elapsed_s_per_row: per(|s| s.elapsed_s, |s| s.rows),
        plans_before,
        plans_after,
        plan_shares_before_pct: shares(b),
        plan_shares_after_pct: shares(a),
        plan_changed: None,
        longer,
        by_plans,
        one_sided_s: match (b, a) {
            _ if !basis.comparable => None,
            (Some(_), None) => elapsed_s.before.map(|s| -s / basis.before.value),
            (None, Some(_)) => elapsed_s.after.map(|s| s / basis.after.value),
            _ => None,
        },
        at_most_s,
        what: String::new(),
        module: b.and_then(|s| s.module.clone()).or_else(|| a.and_then(|s| s.module.clone())),
        text: b.and_then(|s| s.text.clone()).or_else(|| a.and_then(|s| s.text.clone())),
    };
    // Two plans that take turns are no other plan; one of them that took over is.
    change.plan_changed = known.then(|| match change.shifted() {
        Some(shifted) => {
            let one = per_execution.before.zip(per_execution.after).map(|(b, a)| f64::midpoint(b, a));
            let much = of_one.zip(one).is_some_and(|(part, one)| part.abs() >= OTHER_PLAN * one);
            shifted >= OTHER_PLAN || (shifted > 0.0 && much)
        }
        None => change.plans_before != change.plans_after,
    });
    change.what = match sampled_pct {
        Some(pct) => format!(
            "listed only {}; on the other side it is {} of the samples, and was not counted: it may not have ended",
            if a.is_some() { "after" } else { "before" },
            crate::words::percent(pct)
        ),
        None => what(&change, b.is_some(), a.is_some(), nameable, basis),
    };
    Some(change)
}

/// Bounds further apart than this part are said themselves.
const WIDE: f64 = 1.1;

/// Are the bounds of a ratio too far apart for its value to be said alone?
fn is_wide(ratio: Amount) -> bool {
    ratio.high > WIDE * ratio.low
}

/// `1.53 times`, `0.6 to 1.4 times` where rounding leaves as much, `65 %`.
fn said(ratio: Amount) -> String {
    use crate::words::significant;
    let pct = |r: f64| crate::words::percent(100.0 * r);
    match (is_wide(ratio), ratio.value >= 1.0) {
        (true, true) if ratio.high.is_finite() => {
            format!("{} to {} times", significant(ratio.low), significant(ratio.high))
        }
        (true, true) => format!("at least {} times", significant(ratio.low)),
        (true, false) if ratio.low > 0.0 => {
            format!("{} to {}", pct(ratio.low).trim_end_matches(" %"), pct(ratio.high))
        }
        (true, false) => format!("at most {}", pct(ratio.high)),
        (false, true) => format!("{} times", significant(ratio.value)),
        (false, false) => pct(ratio.value),
    }
}

fn what(
    c: &StatementChange,
    listed_before: bool,
    listed_after: bool,
    nameable: bool,
    basis: &Basis,
) -> String {
    if listed_before != listed_after {
        let which = if listed_after { "after" } else { "before" };
        if !nameable {
            return format!("listed only {which}, or on the other side by another kind of identifier");
        }
        let most = c.at_most_s.map_or(String::new(), |s| {
            format!("; on the other side it took at most {}", crate::words::seconds(s))
        });
        return format!("listed only {which}{most}");
    }
    let mut parts = Vec::new();
    if let Some(partly) =
        c.partly().filter(|_| c.plan_changed == Some(true) || c.plans_before != c.plans_after)
    {
        parts.push(partly);
    } else if c.plan_changed == Some(true) {
        parts.push("another plan".to_owned());
    }
    let marked = |r: f64| r >= MARKED || r <= 1.0 / MARKED;
    let of_before = |r: f64, what: &str| {
        if r >= 1.0 {
            format!("{} times the {what} of before", crate::words::significant(r))
        } else {
            format!("{} of the {what} of before", crate::words::percent(100.0 * r))
        }
    };
    let times = |r: f64| {
        if r >= 1.0 {
            format!("{} times", crate::words::significant(r))
        } else {
            format!("{} of", crate::words::percent(100.0 * r))
        }
    };
    // A small difference that makes much of the change is said too.
    let much = |part: Option<f64>, r: f64| {
        let large = part.zip(c.delta_s).is_some_and(|(part, all)| part.abs() >= LARGE_PART * all.abs());
        large && !(1.0 / NOTICED..=NOTICED).contains(&r)
    };
    if let Some(longer) = c.each().filter(|r| marked(r.value) || much(c.unit_s, r.value)) {
        let r = longer.value;
        let work = c.buffer_gets_per_execution.ratio();
        let reads = c.physical_reads_per_execution.ratio();
        let same_work = work.is_some_and(|w| !marked(w));
        let why = match (work, reads) {
            (Some(w), _) if marked(w) && (w > 1.0) == (r > 1.0) => format!(", {} the buffer gets", times(w)),
            (_, Some(p)) if marked(p) && (p > 1.0) == (r > 1.0) => format!(", {} the blocks read", times(p)),
            _ if same_work => ", same work".to_owned(),
            _ => String::new(),
        };
        parts.push(format!("each {} as long{why}", said(longer)));
    }
    let divisors = basis.before.value / basis.after.value;
    // Of times unknown nobody knows how often one ran a second.
    let executions = c.executions.ratio().filter(|_| basis.comparable).map(|r| r * divisors);
    // A handful that ran as often is no more a second because one side is shorter.
    let as_often =
        c.executions.before == c.executions.after && c.executions.after.is_some_and(|n| n <= HANDFUL);
    let per = match basis.name {
        "second" => "executions a second",
        "transaction" => "executions a transaction",
        _ => "executions",
    };
    if let Some(r) = executions.filter(|r| !as_often && (marked(*r) || much(c.volume_s, *r))) {
        parts.push(of_before(r, per));
    }
    // Of one execution rounding was thought of.
    if parts.is_empty()
        && c.longer.is_none()
        && basis.comparable
        && let Some(r) = c.elapsed_s.ratio().map(|r| r * divisors).filter(|r| marked(*r))
    {
        parts.push(of_before(r, "time"));
    }
    match parts.as_slice() {
        [] if !basis.comparable => "how often a second is not known".to_owned(),
        [] => "much as before".to_owned(),
        _ => parts.join("; "),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp)]
mod tests {
    use super::super::{CompareOptions, Comparison, Digest, compare};
    use super::*;
    use crate::rules::testing::Hour;

    /// A row of `SQL ordered by Elapsed Time`: identifier, executions, seconds.
    type Row = (&'static str, f64, f64);

    fn hour(name: &str, rows: &[(&'static str, Row)]) -> Digest {
        let hour = Hour::new(5_000.0).cpu(1_000.0).with(|r| {
            r.identity.source = name.to_owned();
            r.identity.db_name = Some("SHOP".to_owned());
            for (ranked_by, (id, executions, elapsed_s)) in rows {
                r.tables.sql_stat.push(SqlStat {
                    section: u16::from(*ranked_by != "elapsed_time"),
                    ranked_by,
                    sql_id: Some((*id).into()),
                    executions: Some(*executions),
                    elapsed_s: Some(*elapsed_s),
                    ..SqlStat::default()
                });
            }
        });
        Digest::of(&hour.report)
    }

    fn by_elapsed(rows: &[Row]) -> Vec<(&'static str, Row)> {
        rows.iter().map(|row| ("elapsed_time", *row)).collect()
    }

    fn compared(before: &[(&'static str, Row)], after: &[(&'static str, Row)]) -> Comparison {
        compare(&[hour("b", before)], &[hour("a", after)], &CompareOptions::default()).unwrap()
    }

    fn of<'c>(c: &'c Comparison, id: &str) -> &'c StatementChange {
        c.statements.iter().find(|s| s.sql_id.as_deref() == Some(id)).unwrap()
    }

    /// 11.1 prints whole seconds: 2 s over 52 executions and 3 s over 60 may be 0.048 and 0.042 s.
    #[test]
    fn whole_seconds_of_a_handful_told_how_much_longer_one_takes() {
        let before = by_elapsed(&[("busy", 50.0, 400.0), ("short", 52.0, 2.0)]);
        let after = by_elapsed(&[("busy", 50.0, 800.0), ("short", 60.0, 3.0)]);
        let c = compared(&before, &after);
        assert!(of(&c, "busy").what.contains("each 2 times as long"), "{}", of(&c, "busy").what);
        let short = of(&c, "short");
        assert!(!short.what.contains("each"), "{}", short.what);
        assert_eq!((short.unit_s, short.volume_s), (None, None));
        // Where it did change for all that rounding hides, but by how much is open, both ends are said.
        let after = by_elapsed(&[("busy", 50.0, 400.0), ("short", 52.0, 8.0)]);
        let what = of(&compared(&before, &after), "short").what.clone();
        assert!(what.contains("each 3 to 5.67 times as long"), "{what}");
    }

    #[test]
    fn an_execution_of_a_thousandth_of_the_time_took_no_time() {
        let before = by_elapsed(&[("busy", 50.0, 400.0), ("short", 10.0, 900.25)]);
        let after = by_elapsed(&[("busy", 50.0, 400.0), ("short", 10.0, 3.11)]);
        let what = of(&compared(&before, &after), "short").what.clone();
        assert_eq!(what, "each 0.3 % as long");
    }

    #[test]
    fn seconds_of_the_column_with_more_digits_are_taken_and_not_the_larger_ones() {
        let rows = |whole: f64, fine: f64| {
            vec![
                ("elapsed_time", ("7frqszzdu8sgg", 100.0, whole)),
                ("elapsed_time", ("other", 10.0, 900.0)),
                ("buffer_gets", ("7frqszzdu8sgg", 100.0, fine)),
            ]
        };
        let c = compared(&rows(4.0, 3.66), &rows(3.0, 3.31));
        let found = of(&c, "7frqszzdu8sgg");
        assert_eq!((found.elapsed_s.before, found.elapsed_s.after), (Some(3.66), Some(3.31)));
        assert!(found.what.contains("each 90 % as long"), "{}", found.what);
    }

    #[test]
    fn what_the_other_side_does_not_list_took_at_most_what_rounds_to_the_last_listed() {
        let before = by_elapsed(&[("busy", 10.0, 400.0), ("last", 1.0, 0.0)]);
        let after = by_elapsed(&[("busy", 10.0, 410.0), ("last", 1.0, 0.0), ("new", 5.0, 9.0)]);
        let c = compared(&before, &after);
        assert_eq!(of(&c, "new").at_most_s, Some(0.5));
        assert!(!of(&c, "new").what.contains("at most 0 s"), "{}", of(&c, "new").what);
    }

    #[test]
    fn one_execution_on_each_side_of_another_length_was_half_as_many_executions_again() {
        let side = |name: &str, minutes: f64, elapsed_s: f64| {
            let row = SqlStat {
                ranked_by: "elapsed_time",
                sql_id: Some("49wmcd9h21j2t".into()),
                executions: Some(1.0),
                elapsed_s: Some(elapsed_s),
                ..SqlStat::default()
            };
            let hour = Hour::new(500.0).cpu(100.0).with(|r| {
                r.identity.source = name.to_owned();
                r.identity.elapsed_s = Some(60.0 * minutes);
                r.tables.sql_stat.push(row);
            });
            Digest::of(&hour.report)
        };
        let options = CompareOptions::default();
        let c = compare(&[side("b", 3.95, 20.25)], &[side("a", 2.6, 40.75)], &options).unwrap();
        assert_eq!(c.statements[0].what, "each 2.01 times as long");
    }
}
