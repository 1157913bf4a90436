//! Levels that go with Saturday and come back with Monday: a weekend, and no other state.
//!
//! Over three weeks the usual level of the hour of the week is taken out before changes are looked for (`trend`);
//! under that the calendar alone tells a weekend, so it is called one with what that leaves open.

use super::levels::is_weekend as is_weekend_day;
use super::noise::median;
use super::points::Point;
use super::trend::{ChangePoint, level};
use serde::Serialize;
use spindle_facts::epoch_s;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The series begins or ends in it, or does not show that it comes back.
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
    // A part of a weekend has intervals in it: noon on a Monday is the end of none that the series holds nothing of.
    let holds = |saturday: i64| {
        points.iter().filter_map(|p| p.begin_s).any(|t| (saturday..saturday + 2 * DAY_S).contains(&t))
    };
    let begins = |monday: i64| {
        begun.is_some_and(|begun| monday - begun <= 2 * DAY_S + NEAR_S) && holds(monday - 2 * DAY_S)
    };
    let ends =
        |saturday: i64| last.is_some_and(|last| last - saturday <= 2 * DAY_S + NEAR_S) && holds(saturday);
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

/// What goes at one time goes for one reason: a change by a midnight of a weekend is one where another measure has
/// its weekend within so many seconds, the same way and about as far.
const AT_ONCE_S: i64 = 6 * 3_600;

/// Which changes of one measure are edges of weekends by what other measures do there.
pub(crate) fn of_others(
    changes: &[&ChangePoint],
    all: &[ChangePoint],
    points: &[Point],
) -> Vec<Option<Weekend>> {
    let time = |c: &ChangePoint| points.get(c.interval).and_then(|p| p.begin_s);
    let far = |c: &ChangePoint| c.ratio.filter(|r| *r > 0.0).map(f64::ln);
    let is_alike = |one: &ChangePoint, other: &ChangePoint| {
        let times = time(one).zip(time(other));
        let sizes = far(one).zip(far(other));
        times.is_some_and(|(a, b)| (a - b).abs() <= AT_ONCE_S)
            && sizes.is_some_and(|(a, b)| a / b <= BACK.1 && b / a <= BACK.1 && a * b > 0.0)
    };
    let of = |change: &&ChangePoint| -> Option<Weekend> {
        near(time(change), 2).or_else(|| near(time(change), 4))?;
        let others = || all.iter().filter(|o| o.metric != change.metric && is_alike(change, o));
        others().find(|o| o.weekend == Some(Weekend::Whole)).map(|_| Weekend::Whole)
    };
    changes.iter().map(of).collect()
}

/// What Saturdays and Sundays differ by from the working days beside them, in logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step(f64);

/// Edges of weekends of which a series has to have so many: three stand beside one that a change moved.
const EDGES: usize = 3;
/// Hours of a day that its level needs.
const HOURS: usize = 8;
/// What weekends differ by is more than so many times what a day differs from the next.
const OF_DAYS: f64 = 2.0;
/// And more than this, in logarithms.
const LEAST: f64 = 0.1;

impl Step {
    /// Of heights without the usual level of the hour. Each edge compares a weekend with the two working days on that
    /// side of it, so that a change of level at an edge, or near it, is in that one alone: most of them tell.
    pub(crate) fn of(times: &[Option<i64>], heights: &[f64]) -> Option<Self> {
        let mut days: BTreeMap<i64, (BTreeSet<i64>, Vec<f64>)> = BTreeMap::new();
        for (time, height) in times.iter().zip(heights) {
            if let Some(time) = time {
                let day = days.entry(time.div_euclid(DAY_S)).or_default();
                day.0.insert(time.rem_euclid(DAY_S) / 3_600);
                day.1.push(*height);
            }
        }
        days.retain(|_, (hours, _)| hours.len() >= HOURS);
        let level = |of: [i64; 2]| {
            let held = of.iter().filter_map(|day| days.get(day)).flat_map(|(_, of)| of.iter().copied());
            median(&held.collect::<Vec<_>>())
        };
        let is_off = |day: i64| is_weekend_day(day * DAY_S);
        let (mut edges, mut others) = (Vec::new(), Vec::new());
        for day in days.keys().copied().filter(|day| days.contains_key(&(day + 1))) {
            match (is_off(day), is_off(day + 1)) {
                (false, true) => edges.push(level([day + 1, day + 2]) - level([day - 1, day])),
                (true, false) => edges.push(level([day - 1, day]) - level([day + 1, day + 2])),
                _ => others.push((level([day + 1, day + 1]) - level([day, day])).abs()),
            }
        }
        let step = median(&edges);
        let agree = edges.iter().filter(|e| (**e - step).abs() <= BACK.0 * step.abs()).count();
        let usual = if others.is_empty() { 0.0 } else { median(&others) };
        let stands =
            edges.len() >= EDGES && 2 * agree > edges.len() && step.abs() > LEAST.max(OF_DAYS * usual);
        stands.then_some(Self(step))
    }

    /// Values as those of working days.
    pub(crate) fn taken_out(self, times: &[Option<i64>], values: &[f64]) -> Vec<f64> {
        let of = |time: &Option<i64>| time.is_some_and(is_weekend_day);
        times.iter().zip(values).map(|(t, v)| if of(t) { v * (-self.0).exp() } else { *v }).collect()
    }

    /// Is a change at this time, down or up, an edge of a weekend?
    pub(crate) fn edge(self, time: i64, down: bool, points: &[Point]) -> Option<Weekend> {
        let falls = self.0 < 0.0;
        let saturday = near(Some(time), 2).filter(|_| down == falls);
        let monday = near(Some(time), 4).filter(|_| down != falls);
        let saturday = saturday.or(monday.map(|m| m - 2 * DAY_S))?;
        let begun = points.iter().filter_map(|p| p.begin_s).min()?;
        let ended = points.iter().filter_map(|p| p.end_s.or(p.begin_s)).max()?;
        let whole = begun <= saturday && saturday + 2 * DAY_S <= ended;
        Some(if whole { Weekend::Whole } else { Weekend::Part })
    }
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
        "{lie} where a weekend begins or ends, and the series does not show both of its ends: whether that is the weekend or a change that stays cannot be told."
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
            "{} where a weekend begins or ends: {levels}. Of one weekend that is likely and not certain, and whether each of them is like that cannot be told.",
            if many == 1 { "1 change lies".to_owned() } else { format!("{many} changes lie") }
        )
    })
}
