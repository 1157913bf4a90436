//! Levels that go with Saturday and come back with Monday: a weekend, and no other state.
//!
//! Over three weeks the usual level of the hour of the week is taken out before changes are looked for (`trend`);
//! under that the calendar alone tells a weekend, so it is called one with what that leaves open.

use super::points::Point;
use super::trend::{ChangePoint, level};
use serde::Serialize;
use spindle_facts::epoch_s;
use std::collections::BTreeSet;

const DAY_S: i64 = 86_400;
/// A weekend begins and ends within this of its midnights: Friday evening is its own, and Monday's night.
const NEAR_S: i64 = 12 * 3600;
/// What comes back is nearer to what it was than this part of the step, and than this ratio: else something else
/// changed over the weekend, when changes are made.
const BACK: (f64, f64) = (0.4, 1.6);

/// How much of a weekend a series shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weekend {
    /// From its Saturday to its Monday.
    Whole,
    /// The series begins or ends in it.
    Part,
}

/// One edge of a weekend, or a change that is none.
struct Edge {
    /// Saturday or Monday whose midnight it lies by, seconds.
    saturday_s: Option<i64>,
    monday_s: Option<i64>,
    before: f64,
    after: f64,
    /// Changes that make it: an evening may be a level of its own.
    changes: Vec<usize>,
}

impl Edge {
    fn down(&self) -> bool {
        self.after < self.before
    }
}

/// The midnight of such a day (0 is Thursday, as 1 January 1970 was) that a time lies near.
fn near(begin_s: Option<i64>, day: i64) -> Option<i64> {
    let since = begin_s? - day * DAY_S + NEAR_S;
    let midnight = since.div_euclid(7 * DAY_S) * 7 * DAY_S + day * DAY_S;
    (since.rem_euclid(7 * DAY_S) <= 2 * NEAR_S).then_some(midnight)
}

/// A level that goes in two steps by one midnight goes once.
fn edges(changes: &[&ChangePoint], begin_s: impl Fn(&ChangePoint) -> Option<i64>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        let begin = begin_s(change);
        let edge = Edge {
            saturday_s: near(begin, 2),
            monday_s: near(begin, 4),
            before: change.before,
            after: change.after,
            changes: vec![at],
        };
        let is_edge = edge.saturday_s.is_some() || edge.monday_s.is_some();
        match edges.last_mut().filter(|last| {
            is_edge
                && (last.saturday_s, last.monday_s, last.down())
                    == (edge.saturday_s, edge.monday_s, edge.down())
        }) {
            Some(last) => {
                last.after = edge.after;
                last.changes.push(at);
            }
            None => edges.push(edge),
        }
    }
    edges
}

/// Do two edges make a weekend? The level is about the same after it as before it.
fn is_weekend(first: &Edge, second: &Edge) -> bool {
    let days = first.saturday_s.zip(second.monday_s).is_some_and(|(s, m)| m == s + 2 * DAY_S);
    let levels = [first.before, first.after, second.before, second.after];
    let back = if levels.iter().all(|v| *v > 0.0) {
        let step = (first.before / first.after).ln().abs();
        (second.after / first.before).ln().abs() <= (BACK.0 * step).min(BACK.1.ln())
    } else {
        (second.after - first.before).abs() <= BACK.0 * (first.before - first.after).abs()
    };
    days && first.down() != second.down() && back
}

/// Which changes of one measure are edges of weekends.
pub(crate) fn weekends(changes: &[&ChangePoint], points: &[Point]) -> Vec<Option<Weekend>> {
    let edges = edges(changes, |change| points.get(change.interval).and_then(|p| p.begin_s));
    let begun = points.iter().filter_map(|p| p.begin_s).min();
    let last = points.iter().filter_map(|p| p.end_s).max();
    let begins = |monday: i64| begun.is_some_and(|begun| monday - begun <= 2 * DAY_S + NEAR_S);
    let ends = |saturday: i64| last.is_some_and(|last| last - saturday <= 2 * DAY_S + NEAR_S);
    let of = |at: usize| -> Option<Weekend> {
        let edge = edges.get(at)?;
        if let Some(saturday) = edge.saturday_s {
            return match edges.get(at + 1) {
                Some(next) => is_weekend(edge, next).then_some(Weekend::Whole),
                None => ends(saturday).then_some(Weekend::Part),
            };
        }
        let monday = edge.monday_s?;
        match at.checked_sub(1).and_then(|n| edges.get(n)) {
            Some(last) => is_weekend(last, edge).then_some(Weekend::Whole),
            None => begins(monday).then_some(Weekend::Part),
        }
    };
    let mut found = vec![None; changes.len()];
    for (at, edge) in edges.iter().enumerate() {
        let weekend = of(at);
        edge.changes.iter().for_each(|change| found[*change] = weekend);
    }
    found
}

/// The first of these changes of one measure that is no weekend.
pub(crate) fn beyond_weekends<'c>(changes: &[&'c ChangePoint], points: &[Point]) -> Option<&'c ChangePoint> {
    let odd = weekends(changes, points).iter().position(Option::is_none)?;
    changes.get(odd).copied()
}

/// Is a change one of a weekend? A part of one says so only beside whole ones of the same measure: alone it may as
/// well be a change that stays.
pub(crate) fn is_by_weekend(change: &ChangePoint, changes: &[ChangePoint]) -> bool {
    let whole = |c: &ChangePoint| c.metric == change.metric && c.weekend == Some(Weekend::Whole);
    change.weekend.is_some() && changes.iter().any(whole)
}

/// What is not sure of changes that lie by a weekend of which the series holds a part alone.
pub(crate) fn open(changes: &[ChangePoint]) -> Option<String> {
    let open = changes.iter().filter(|c| c.weekend.is_some() && !is_by_weekend(c, changes)).count();
    let lie = match open {
        0 => return None,
        1 if changes.len() == 1 => "It lies".to_owned(),
        n if n == changes.len() => "All of them lie".to_owned(),
        1 => "1 of them lies".to_owned(),
        n => format!("{n} of them lie"),
    };
    Some(format!(
        "{lie} where a weekend begins or ends that the series does not hold whole: whether that is the weekend or a change that stays cannot be told."
    ))
}

/// What the changes by weekends are, and what is not sure of them.
pub(crate) fn said(changes: &[ChangePoint]) -> Option<String> {
    let begin = |c: &ChangePoint| epoch_s(c.at.as_deref());
    let all: Vec<&ChangePoint> = changes.iter().filter(|c| is_by_weekend(c, changes)).collect();
    // DB time where it has weekends, else what goes farthest.
    let size = |c: &ChangePoint| c.ratio.filter(|r| *r > 0.0).map_or(0.0, |r| r.ln().abs());
    let lead = all
        .iter()
        .find(|c| c.metric == "DB time a second")
        .or_else(|| all.iter().max_by(|a, b| size(a).total_cmp(&size(b))))?;
    let of_lead: Vec<&ChangePoint> = all.iter().filter(|c| c.metric == lead.metric).copied().collect();
    let edges = edges(&of_lead, begin);
    let (mut working, mut off, mut whole) = (Vec::new(), Vec::new(), BTreeSet::new());
    for edge in &edges {
        let is_whole = edge.changes.iter().all(|c| of_lead[*c].weekend == Some(Weekend::Whole));
        match edge.saturday_s {
            Some(saturday) => {
                working.push(edge.before);
                off.push(edge.after);
                whole.extend(Some(saturday).filter(|_| is_whole));
            }
            None => {
                working.push(edge.after);
                off.push(edge.before);
            }
        }
    }
    let range = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = (level(low, lead.unit), level(high, lead.unit));
        if low == high { low } else { format!("{low} to {high}") }
    };
    let levels =
        format!("{} {} on working days, {} at the weekend", lead.metric, range(&working), range(&off));
    let many = all.len();
    Some(if whole.len() > 1 {
        format!(
            "{many} changes lie where weekends begin or end: {levels}, {} weekends alike. In so few weeks that is likely and not certain.",
            whole.len()
        )
    } else {
        format!(
            "{many} changes lie where a weekend begins or ends: {levels}. Of one weekend that is likely and not certain, and whether each of them is like that cannot be told."
        )
    })
}
