//! Where a series of intervals changed level: change points of DB time, load and latency, and what
//! else changed there.
//!
//! Binary segmentation on ranks (the largest standardised rank sum of all cuts), each cut held against
//! the same cut of the series with its blocks shuffled, from one seed. Load goes by the hour and hours
//! that follow each other are alike, so the usual level of the hour is taken out first where the series
//! is long enough, and whole blocks are shuffled, the longer the more alike neighbours are.
//!
//! Sources: Pettitt 1979 (rank cut); Vostrikova 1981 (binary segmentation); Kovacs and others 2020
//! (windows); Kunsch 1989 (blocks).

use super::beside::{Elsewhen, Intervals, PlanSwitch};
use super::changes::Changed;
use super::digest::Digest;
use super::levels;
use super::noise::{Noise, about, median, noise, trimmed_square};
use super::points::{MEASURES, Point, points};
use super::side::{by_identity, copies_of, same_interval, without_overlaps, without_parts};
use super::slope;
use super::two_days::{Dated, Pairs};
use super::weekends::{self, Step, Weekend};
use crate::words;
use serde::Serialize;
use spindle_facts::{Identity, epoch_s};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Fewest intervals on either side of a change.
const LEAST: usize = 4;
/// Fewest intervals of a series.
pub(crate) const SERIES: usize = 12;
/// Probability below which a cut is a change.
const LEVEL: f64 = 0.005;
/// Shuffled series that a cut is held against.
const SHUFFLES: usize = 999;
/// Seed of the shuffles.
const SEED: u64 = 0x005e_ed0f_7e57;
/// A change of level smaller than this is not named, percent.
const NAMED_PCT: f64 = 10.0;

/// One change of level.
///
/// Shape: one a measure and cut, in time. Unit: `unit`. Missing: none. Source: see the module; levels
/// are medians of what the intervals from the change before to the change after print; where the series is long
/// enough, the one before is that of the hours that both sides have, each counted once, and the one after is that
/// times the median change of one hour (`levels`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangePoint {
    /// What changed.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Begin of the first interval after it.
    pub at: Option<String>,
    /// Its place in the series, from 0.
    pub interval: usize,
    /// Level before.
    pub before: f64,
    /// Level after.
    pub after: f64,
    /// After over before.
    pub ratio: Option<f64>,
    /// Begin of another interval that it may lie before as well, as far as two days tell.
    pub or_at: Option<String>,
    /// A steady rise or fall of the whole series would leave about as much of it as these steps.
    pub steady: bool,
    /// Share of the shuffled series that cut as well; where its size alone makes a step plain, the most that is.
    pub p_value: f64,
    /// Parameters, release, host and sizes that changed there: between the intervals on either side of it.
    pub changed: Vec<Changed>,
    /// Statements that ran on either side of it by other plans.
    pub plans: Vec<PlanSwitch>,
    /// What differs before and after it and changed at another time, nearest first.
    pub elsewhen: Vec<Elsewhen>,
    /// Does it go with a Saturday or come back with a Monday? `None` where it is no edge of a weekend.
    pub weekend: Option<Weekend>,
}

/// One interval of a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrendPoint {
    /// Begin.
    pub begin_time: Option<String>,
    /// By measure.
    pub values: BTreeMap<&'static str, f64>,
}

/// A series and its changes.
#[derive(Clone, Debug, Serialize)]
pub struct Trend {
    /// The changes in a sentence or two.
    pub answer: String,
    /// Identity of the first report; begin and end of the series.
    #[serde(flatten)]
    pub identity: Identity,
    /// Intervals.
    pub intervals: usize,
    /// Changes, in time.
    pub change_points: Vec<ChangePoint>,
    /// The series.
    pub points: Vec<TrendPoint>,
    /// What the reader must know.
    pub warnings: Vec<String>,
}

/// Which database: its identifier and name, its container.
/// And which of those that share it at one time.
type Database = (Option<u64>, Option<String>, Option<String>, usize);

/// SplitMix64: small, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn shuffle<T>(&mut self, of: &mut [T]) {
        for i in (1..of.len()).rev() {
            let j = usize::try_from(self.next() % (i as u64 + 1)).unwrap_or(0);
            of.swap(i, j);
        }
    }
}

/// Ranks about their mean.
fn centred_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let mut to = from + 1;
        while to < order.len() && values[order[to]] == values[order[from]] {
            to += 1;
        }
        let rank = (from + to + 1) as f64 / 2.0 - (values.len() as f64 + 1.0) / 2.0;
        for &i in &order[from..to] {
            ranks[i] = rank;
        }
        from = to;
    }
    ranks
}

/// The cut with the largest standardised rank sum, over the whole and over windows of a half and a
/// quarter: a level that came and went shows in a window, and hardly in the whole.
fn best_cut(ranks: &[f64]) -> (usize, f64) {
    let n = ranks.len();
    let mut sums = Vec::with_capacity(n + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    for rank in ranks {
        sum += rank;
        sums.push(sum);
    }
    let mut best = (0, 0.0);
    for size in [n, n / 2, n / 4] {
        if size < 2 * LEAST || (size < 4 * LEAST && size < n) {
            break;
        }
        let mut begin = 0;
        loop {
            let to = (begin + size).min(n);
            let from = to - size;
            let (whole, length) = (sums[to] - sums[from], size as f64);
            for cut in from + LEAST..=to - LEAST {
                let k = (cut - from) as f64;
                let distance = (sums[cut] - sums[from] - whole * k / length).abs();
                let standard = distance / (k * (length - k) / length).sqrt();
                if standard > best.1 {
                    best = (cut, standard);
                }
            }
            if to == n {
                break;
            }
            begin += (size / 2).max(1);
        }
    }
    best
}

/// Squares of the differences over so many intervals; what differs in its last digits alone is equal.
fn squares(values: &[f64], lag: usize) -> Vec<f64> {
    let grain = GRAIN * values.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let pairs = values.iter().zip(values.iter().skip(lag));
    pairs.map(|(a, b)| if (a - b).abs() <= grain { 0.0 } else { (a - b) * (a - b) }).collect()
}

/// Differences below this part of the largest value are those of its last digits.
const GRAIN: f64 = 1e-9;

/// Blocks to shuffle: long enough to hold what makes neighbours alike.
///
/// How alike they are is read from differences over one and over two intervals, whose mean squares are
/// as 1 to 1 + r; the tenth largest are left out, among them those across a change. Levels without any
/// spread have nothing that neighbours could share: the more perfect a step, the less was seen of it.
fn block(ranks: &[f64]) -> usize {
    let square = |lag: usize| trimmed_square(&squares(ranks, lag));
    let (one, two) = (square(1), square(2));
    if one <= 0.0 {
        return 1;
    }
    // A short series shows too little of it.
    let r = (two / one - 1.0 + 2.0 / ranks.len() as f64).clamp(0.0, 0.9);
    if r < 0.15 {
        return 1;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 38")]
    let wanted = (2.0 * (1.0 + r) / (1.0 - r)).ceil() as usize;
    wanted.min(ranks.len() / 6).max(1)
}

/// A step of so many standard errors needs no shuffled series: blocks of few intervals in a short series leave
/// hardly an order in which it does not come about. Of 1,000 series of 24 to 336 intervals without a change, at
/// most 2 pass it where neighbours correlate by up to 0.6, and at most 12 by up to 0.9.
const PLAIN: f64 = 7.0;
/// Intervals on either side of a cut that such a step has to have at least; the cut may lie a little off.
const NEAR: (usize, usize) = (11, 12);

/// How large a step is: the difference of the medians of the nearest 12, 24 or 48 intervals of each side, in
/// standard errors that allow for the likeness of neighbours. The spread is that of most neighbours: a database
/// that is idle but for bursts differs little from one interval to the next, and a level that holds for half a
/// day is none of its bursts.
fn standard_errors(values: &[f64], cut: usize) -> f64 {
    let room = cut.min(values.len() - cut);
    if room < NEAR.0 {
        return 0.0;
    }
    let positive = values.iter().all(|v| *v > 0.0);
    let heights = heights(values);
    let side = |range: Range<usize>| about(&heights[range.clone()], median(&heights[range]), positive);
    // All of both sides say more of the likeness of neighbours, the nearest more of the spread there.
    let of_all = noise(&[side(0..cut), side(cut..heights.len())]);
    let of_nearest = |n: usize| {
        let (b, a) = (median(&heights[cut - n..cut]), median(&heights[cut..cut + n]));
        // Levels without spread differ for certain, or not at all.
        if (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) {
            return 0.0;
        }
        let error =
            |noise: Noise| noise.usual * (2.0 * (noise.inflation.unwrap_or(1.0) / n as f64).min(1.0)).sqrt();
        let nearest = noise(&[side(cut - n..cut), side(cut..cut + n)]);
        (a - b).abs() / error(nearest).min(error(of_all))
    };
    let sizes = [room.min(NEAR.1), 2 * NEAR.1, 4 * NEAR.1];
    sizes.into_iter().filter(|n| *n <= room).map(of_nearest).fold(0.0, f64::max)
}

/// Sides that lie so many times farther apart than either of them is wide differ, however few they are: chance,
/// or neighbours that are alike, does not leap that far between two stretches that stay.
const APART: f64 = 2.0;
/// Intervals of the longest series that this is for.
const SHORT: usize = 30;

/// The cut whose sides lie farthest apart, measured in the width of the wider of them; `None` where none of them
/// lies [`APART`]. It is for series so short that no shuffle shows a step in them.
fn apart(heights: &[f64]) -> Option<usize> {
    let n = heights.len();
    let widths = |values: &mut dyn Iterator<Item = f64>| -> Vec<(f64, f64)> {
        let mut so_far = (f64::INFINITY, f64::NEG_INFINITY);
        let widen = |v: f64| {
            so_far = (so_far.0.min(v), so_far.1.max(v));
            so_far
        };
        values.map(widen).collect()
    };
    let from_left = widths(&mut heights.iter().copied());
    let mut from_right = widths(&mut heights.iter().rev().copied());
    from_right.reverse();
    let gap = |cut: usize| -> f64 {
        let ((low, high), (other_low, other_high)) = (from_left[cut - 1], from_right[cut]);
        let width = (high - low).max(other_high - other_low);
        let between = (other_low - high).max(low - other_high);
        // Levels without any spread are for the shuffles: nothing says how much they vary.
        if width > 0.0 { between / width } else { 0.0 }
    };
    let cuts = LEAST..(n + 1).saturating_sub(LEAST).max(LEAST);
    let best = cuts.map(|cut| (cut, gap(cut))).reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    (best.1 >= APART).then_some(best.0)
}

/// Cuts of a series with their p-values, ascending.
pub(crate) fn cuts(values: &[f64]) -> Vec<(usize, f64)> {
    let mut random = Random(SEED);
    let mut found = Vec::new();
    let mut open = vec![(0, values.len())];
    while let Some((from, to)) = open.pop() {
        let part = from..to;
        if part.len() < 2 * LEAST {
            continue;
        }
        let ranks = centred_ranks(&values[part.clone()]);
        let (cut, size) = best_cut(&ranks);
        if cut == 0 {
            continue;
        }
        let block = block(&ranks);
        let mut blocks: Vec<&[f64]> = ranks.chunks(block).collect();
        let mut as_large = 0;
        let mut shuffled = Vec::with_capacity(ranks.len());
        for _ in 0..SHUFFLES {
            random.shuffle(&mut blocks);
            shuffled.clear();
            blocks.iter().for_each(|b| shuffled.extend_from_slice(b));
            as_large += usize::from(best_cut(&shuffled).1 >= size);
        }
        let mut p = (as_large + 1) as f64 / (SHUFFLES + 1) as f64;
        let mut at = cut;
        if p > LEVEL {
            // A step near an end stands out by its size, and hardly by its ranks.
            let heights = heights(&values[part.clone()]);
            let middle = median(&heights);
            let by_size = best_cut(&heights.iter().map(|v| v - middle).collect::<Vec<_>>()).0;
            let plain = |at: &usize| *at > 0 && standard_errors(&values[part.clone()], *at) >= PLAIN;
            let found = [cut, by_size].into_iter().find(plain).or_else(|| {
                // A long series has its hours and its shuffles.
                Some(&heights).filter(|_| values.len() <= SHORT).and_then(|heights| apart(heights))
            });
            let Some(found) = found else { continue };
            (at, p) = (found, LEVEL);
        }
        found.push((part.start + at, p));
        open.push((part.start, part.start + at));
        open.push((part.start + at, part.end));
    }
    found.sort_by_key(|f| f.0);
    found
}

/// A series to find cuts by and not to show: no interval may have had its values.
struct Levelled {
    values: Vec<f64>,
    /// The usual level of the hour was taken out.
    by_hours: bool,
}

/// Seconds of a day.
const DAY_S: i64 = 86_400;
/// Days, or weeks, that have an hour, below which it has no usual level.
const OF_AN_HOUR: usize = 3;
/// The hour has to tell a level at least this much better than the level of all does.
const TOLD: f64 = 0.9;

/// From the first begin to the last one, seconds.
fn length_s(times: &[Option<i64>]) -> i64 {
    let known = || times.iter().flatten();
    known().max().zip(known().min()).map_or(0, |(last, first)| last - first)
}

/// Has each hour its like in the day before, and none a usual level?
fn of_few_days(times: &[Option<i64>]) -> bool {
    (DAY_S..3 * DAY_S).contains(&length_s(times))
}

/// What the level of an hour repeats by: the week over three weeks and more, the day over three days and more.
fn period(times: &[Option<i64>]) -> Option<i64> {
    let known = times.iter().flatten().count();
    // From begin to begin: the last interval ends one later.
    let one = |s: i64| s / i64::try_from(known.max(2) - 1).unwrap_or(1);
    match length_s(times) {
        s if s + one(s) >= 21 * DAY_S => Some(7 * DAY_S),
        s if s >= 3 * DAY_S => Some(DAY_S),
        _ => None,
    }
}

/// Logarithms where there are any, since load multiplies.
fn heights(values: &[f64]) -> Vec<f64> {
    let positive = values.iter().all(|v| *v > 0.0);
    values.iter().map(|v| if positive { v.ln() } else { *v }).collect()
}

/// An hour of the day, or of the week; that of Saturdays and Sundays is one of its own where they are known.
type Hour = (bool, i64);

/// What the hours of a series usually differ by.
struct Usual {
    period: i64,
    /// Saturdays and Sundays have hours of their own.
    weekends: bool,
    by_hour: BTreeMap<Hour, f64>,
}

impl Usual {
    fn hour(&self, time: i64) -> Hour {
        hour_of(time, self.period, self.weekends)
    }

    /// Of an interval; an hour seen less often keeps the level of all.
    fn of(&self, time: Option<i64>) -> f64 {
        let Some(time) = time else { return 0.0 };
        let (_, hour) = self.hour(time);
        let own = self.by_hour.get(&self.hour(time)).or_else(|| self.by_hour.get(&(false, hour)));
        own.copied().unwrap_or(0.0)
    }
}

fn hour_of(time: i64, period: i64, weekends: bool) -> Hour {
    (weekends && levels::is_weekend(time), time.rem_euclid(period) / 3600)
}

/// How far the level of each hour lies from that of all.
///
/// Only where the hours tell: the level of an hour in the other days has to be nearer than that of all.
/// Three days of which one ran a test all day long have no cycle, and taking one out takes the test out.
fn usual(times: &[Option<i64>], heights: &[f64], weekends: bool) -> Option<Usual> {
    let period = period(times)?;
    // One level an hour and day, however many intervals it has.
    let mut held: BTreeMap<Hour, BTreeMap<i64, Vec<f64>>> = BTreeMap::new();
    for (time, value) in times.iter().zip(heights) {
        if let Some(t) = time {
            let hour = hour_of(*t, period, weekends);
            held.entry(hour).or_default().entry(t.div_euclid(period)).or_default().push(*value);
        }
    }
    let hours: BTreeMap<Hour, Vec<f64>> = held
        .into_iter()
        .filter(|(_, days)| days.len() >= OF_AN_HOUR)
        .map(|(hour, days)| (hour, days.into_values().map(|v| median(&v)).collect()))
        .collect();
    let all = median(heights);
    let (mut by_hour, mut by_all) = (0.0, 0.0);
    for days in hours.values() {
        for (at, level) in days.iter().enumerate() {
            let others: Vec<f64> =
                days.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, level)| *level).collect();
            by_hour += (level - median(&others)).abs();
            by_all += (level - all).abs();
        }
    }
    let told = by_all > 0.0 && by_hour <= TOLD * by_all;
    let by_hour = || hours.iter().map(|(hour, days)| (*hour, median(days) - all)).collect();
    match told {
        true => Some(Usual { period, weekends, by_hour: by_hour() }),
        // Where the weekends are known the days are told apart, whether or not their hours are.
        false => weekends.then(|| Usual { period, weekends, by_hour: BTreeMap::new() }),
    }
}

/// Takes out the usual level of the hour, as it is once the `levels` of the intervals' own time are taken out:
/// a step in the middle of a series would else stand in the hours of it. What is left is the level at the
/// usual hour, in the unit of the values.
fn without_hours(times: &[Option<i64>], values: &[f64], levels: Option<&[f64]>, weekends: bool) -> Levelled {
    let heights = heights(values);
    let known = match levels {
        Some(levels) => {
            let rests: Vec<f64> = heights.iter().zip(levels).map(|(v, l)| v - l).collect();
            usual(times, &rests, weekends)
        }
        None => usual(times, &heights, weekends),
    };
    let Some(usual) = known else {
        return Levelled { values: values.to_vec(), by_hours: false };
    };
    let left = times.iter().zip(&heights).map(|(t, v)| v - usual.of(*t));
    let positive = values.iter().all(|v| *v > 0.0);
    Levelled { values: if positive { left.map(f64::exp).collect() } else { left.collect() }, by_hours: true }
}

/// The level about each interval: the median of the day, or the week, that it is in the middle of; at the ends
/// of the first and of the last.
fn around(times: &[Option<i64>], heights: &[f64]) -> Vec<f64> {
    let known = || times.iter().flatten().copied();
    let (Some(first), Some(last), Some(period)) = (known().min(), known().max(), period(times)) else {
        return vec![0.0; heights.len()];
    };
    let (mut from, mut to) = (0, 0);
    let beyond = |at: usize, time: i64| times.get(at).is_some_and(|t| t.is_none_or(|t| t < time));
    times
        .iter()
        .map(|time| {
            let Some(time) = time else { return median(heights) };
            let begin = (time - period / 2).clamp(first, (last - period + 1).max(first));
            while beyond(from, begin) {
                from += 1;
            }
            to = to.max(from);
            while beyond(to, begin + period) {
                to += 1;
            }
            median(&heights[from..to])
        })
        .collect()
}

/// The level of the stretch between two cuts, for each interval in it.
fn between(heights: &[f64], cuts: &[usize]) -> Vec<f64> {
    let mut edges = vec![0];
    edges.extend(cuts);
    edges.push(heights.len());
    let levels = edges.windows(2).map(|w| std::iter::repeat_n(median(&heights[w[0]..w[1]]), w[1] - w[0]));
    levels.flatten().collect()
}

/// Without the usual level of the hour, before any change is known.
fn levelled(times: &[Option<i64>], values: &[f64], weekends: bool) -> Levelled {
    let about = without_hours(times, values, Some(&around(times, &heights(values))), weekends);
    if about.by_hours { about } else { without_hours(times, values, None, weekends) }
}

/// Intervals of both sides of a cut in the hours of the day that both have.
fn shared(times: &[Option<i64>], one: Range<usize>, other: Range<usize>) -> (Vec<usize>, Vec<usize>) {
    let hour = |i: usize| times[i].map(|t| t.rem_euclid(DAY_S) / 3600);
    let hours = |of: &Range<usize>| of.clone().map(hour).collect::<BTreeSet<_>>();
    let both: BTreeSet<_> = hours(&one).intersection(&hours(&other)).copied().collect();
    let of_both = |of: Range<usize>| -> Vec<usize> { of.filter(|i| both.contains(&hour(*i))).collect() };
    (of_both(one), of_both(other))
}

/// How much the levels of two days that follow each other differ, as a median; of days other than that of the
/// cut, which has both levels.
fn from_day_to_day(times: &[Option<i64>], values: &[f64], cut: usize) -> f64 {
    let mut days: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for (time, value) in times.iter().zip(values) {
        if let Some(t) = time {
            days.entry(t.div_euclid(DAY_S)).or_default().push(*value);
        }
    }
    let of_cut = times.get(cut).copied().flatten().map(|t| t.div_euclid(DAY_S));
    let means: Vec<(i64, f64)> =
        days.iter().map(|(day, v)| (*day, v.iter().sum::<f64>() / v.len() as f64)).collect();
    let differences: Vec<f64> = means
        .windows(2)
        .filter(|pair| pair.iter().all(|(day, _)| Some(*day) != of_cut))
        .map(|pair| (pair[1].1 - pair[0].1).abs())
        .collect();
    if differences.is_empty() { 0.0 } else { median(&differences) }
}

/// A change of level is this many times what one day differs from the next.
const OF_DAYS: f64 = 2.0;

/// A cut that stands: its place and p-value, the level before and after.
type Level = (usize, f64, f64, f64);

/// Times that the usual level of the hour is taken anew from between the changes found so far.
const ROUNDS: usize = 4;

/// The changes of level. A step stands in the usual level of the hours that lie on one side of it, and would make
/// changes of them that there are none of: that level is taken anew from between the changes, until these stay.
fn standing(times: &[Option<i64>], values: &[f64], weekends: bool) -> Vec<Level> {
    let mut levelled = levelled(times, values, weekends);
    let mut found = of_levelled(times, values, &levelled);
    for _ in 0..ROUNDS {
        if found.is_empty() {
            break;
        }
        let cuts: Vec<usize> = found.iter().map(|c| c.0).collect();
        let levels = between(&heights(&levelled.values), &cuts);
        levelled = without_hours(times, values, Some(&levels), weekends);
        found = of_levelled(times, values, &levelled);
        if found.iter().map(|c| c.0).eq(cuts) {
            break;
        }
    }
    if levelled.by_hours && !found.is_empty() {
        placed_among_hours(times, values, &levelled, found, weekends)
    } else {
        found
    }
}

/// Intervals that a cut by ranks may lie off, and time where there are more of them in it.
const OFF: usize = 8;
const OFF_S: i64 = 6 * 3600;

/// Puts each cut where the values themselves change from one level to the other: ranks know no distance, so a
/// cut by them may lie some intervals off. Where the shorter side is the higher one, most of its ranks are far
/// from the middle, and those of the longer side lie about it: of these the last before the change that happen to
/// be above the middle were taken for the change.
///
/// `weights` are how much a distance from a level says: a night may vary by factors and a day by a tenth.
fn placed(times: &[Option<i64>], heights: &[f64], weights: &[f64], cuts: &mut [(usize, f64)]) {
    for n in 0..cuts.len() {
        let cut = cuts[n].0;
        let from = if n == 0 { 0 } else { cuts[n - 1].0 };
        let to = cuts.get(n + 1).map_or(heights.len(), |next| next.0);
        let (before, after) = reach(times, cut);
        let (first, last) = ((from + LEAST).max(cut - before.min(cut)), (to - LEAST).min(cut + after));
        if !(first..=last).contains(&cut) || first == last || to - from < 2 * LEAST {
            continue;
        }
        // Levels of what surely lies on either side, as far as there is enough of it.
        let left = if first >= from + LEAST && first - from >= 2 * LEAST { from..first } else { from..cut };
        let right = if to - last >= 2 * LEAST { last..to } else { cut..to };
        let (left, right) = (median(&heights[left]), median(&heights[right]));
        let off = |at: usize| -> f64 {
            let of = |range: Range<usize>, level: f64| -> f64 {
                heights[range.clone()].iter().zip(&weights[range]).map(|(v, w)| w * (v - level).abs()).sum()
            };
            of(first..at, left) + of(at..last, right)
        };
        let best = (first..=last).map(|at| (at, off(at)));
        let best = best.reduce(|a, b| if b.1 < a.1 - 1e-12 { b } else { a });
        if let Some((at, _)) = best.filter(|(_, sum)| *sum < off(cut) - 1e-12) {
            cuts[n].0 = at;
        }
    }
}

/// Intervals before and after a cut that it may lie off.
fn reach(times: &[Option<i64>], cut: usize) -> (usize, usize) {
    let Some(at) = times.get(cut).copied().flatten() else { return (OFF, OFF) };
    let near = |t: &&Option<i64>| t.is_some_and(|t| (t - at).abs() <= OFF_S);
    (
        times[..cut].iter().rev().take_while(near).count().max(OFF),
        times[cut..].iter().take_while(near).count().max(OFF),
    )
}

/// How much the distance of an interval from its level says: the less, the farther those of its hour of the day
/// usually lie from theirs.
fn weights(times: &[Option<i64>], heights: &[f64], levels: &[f64]) -> Vec<f64> {
    let off: Vec<f64> = heights.iter().zip(levels).map(|(v, l)| (v - l).abs()).collect();
    let of_all = median(&off);
    if of_all.is_nan() || of_all <= 0.0 {
        return vec![1.0; heights.len()];
    }
    let hour = |t: Option<i64>| t.map(|t| t.rem_euclid(DAY_S) / 3600);
    let mut hours: BTreeMap<Option<i64>, Vec<f64>> = BTreeMap::new();
    times.iter().zip(&off).for_each(|(t, off)| hours.entry(hour(*t)).or_default().push(*off));
    // Few days say little of an hour.
    let spread: BTreeMap<Option<i64>, f64> = hours
        .into_iter()
        .map(|(hour, off)| {
            (hour, if off.len() < OF_AN_HOUR { of_all } else { median(&off).max(of_all / 2.0) })
        })
        .collect();
    times.iter().map(|t| of_all / spread.get(&hour(*t)).copied().unwrap_or(of_all)).collect()
}

/// Which cuts are changes of level. Where the hours tell, a cut between a night and the day that follows
/// says nothing: both sides have to have hours in common, to differ in those, and by more than days differ.
/// What does not stand is no border for its neighbours either.
fn of_levelled(times: &[Option<i64>], values: &[f64], levelled: &Levelled) -> Vec<Level> {
    let mut cuts = cuts(&levelled.values);
    let height = heights(&levelled.values);
    // Where the hours tell, the usual level of the hour is known once the changes stay.
    if !levelled.by_hours {
        placed(times, &height, &vec![1.0; height.len()], &mut cuts);
    }
    loop {
        let mut edges: Vec<usize> = cuts.iter().map(|c| c.0).collect();
        edges.insert(0, 0);
        edges.push(values.len());
        let sides = |n: usize| (edges[n]..edges[n + 1], edges[n + 1]..edges[n + 2]);
        let in_common = |n: usize| {
            let (one, other) = sides(n);
            let (one, other) = shared(times, one, other);
            one.len().min(other.len())
        };
        if levelled.by_hours
            && let Some(least) = (0..cuts.len()).min_by_key(|n| in_common(*n))
            && in_common(least) < LEAST
        {
            cuts.remove(least);
            continue;
        }
        let level = |n: usize| level_at(times, values, &height, levelled.by_hours, cuts[n], sides(n));
        let levels: Vec<Option<Level>> = (0..cuts.len()).map(level).collect();
        match levels.iter().position(Option::is_none).filter(|_| levelled.by_hours) {
            Some(fallen) => {
                cuts.remove(fallen);
            }
            None => return levels.into_iter().flatten().collect(),
        }
    }
}

/// The levels on both sides of a cut, `None` where it is no change of them.
fn level_at(
    times: &[Option<i64>],
    values: &[f64],
    height: &[f64],
    by_hours: bool,
    cut: (usize, f64),
    (one, other): (Range<usize>, Range<usize>),
) -> Option<Level> {
    let shift = median(&height[other.clone()]) - median(&height[one.clone()]);
    let (before, after) = if by_hours {
        levels::of_hours(times, values, &one, &other)?
    } else {
        (median(&values[one]), median(&values[other]))
    };
    let days = if by_hours { OF_DAYS * from_day_to_day(times, height, cut.0) } else { 0.0 };
    let stands = shift * (after - before) > 0.0 && shift.abs() > days;
    let named = 100.0 * (after - before).abs() >= NAMED_PCT * before.abs();
    (stands && named).then_some((cut.0, cut.1, before, after))
}

/// Changes among hours whose usual level is taken out, each put where the values change. None is added and none goes:
/// one whose levels would no longer stand stays where it was.
fn placed_among_hours(
    times: &[Option<i64>],
    values: &[f64],
    levelled: &Levelled,
    found: Vec<Level>,
    weekends: bool,
) -> Vec<Level> {
    let mut cuts: Vec<(usize, f64)> = found.iter().map(|c| (c.0, c.1)).collect();
    let mut height = heights(&levelled.values);
    for _ in 0..2 {
        let at: Vec<usize> = cuts.iter().map(|c| c.0).collect();
        let levels = between(&height, &at);
        let levelled = without_hours(times, values, Some(&levels), weekends);
        if !levelled.by_hours {
            return found;
        }
        height = heights(&levelled.values);
        let weights = weights(times, &height, &between(&height, &at));
        placed(times, &height, &weights, &mut cuts);
    }
    let mut edges: Vec<usize> = cuts.iter().map(|c| c.0).collect();
    edges.insert(0, 0);
    edges.push(values.len());
    let moved: Option<Vec<Level>> = (0..cuts.len())
        .map(|n| {
            let sides = (edges[n]..edges[n + 1], edges[n + 1]..edges[n + 2]);
            level_at(times, values, &height, true, cuts[n], sides)
        })
        .collect();
    moved.unwrap_or(found)
}

/// Times of a whole day or two before and after are the same hour within this.
const SAME_HOUR_S: i64 = 1_800;

/// The same hour of the day before and of the one before that, as near as there is.
fn partners(times: &[Option<i64>]) -> Vec<[Option<usize>; 2]> {
    let mut order: Vec<(i64, usize)> =
        times.iter().enumerate().filter_map(|(i, t)| Some(((*t)?, i))).collect();
    order.sort_unstable();
    let nearest = |wanted: i64| {
        let at = order.partition_point(|(t, _)| *t < wanted);
        let near = order[at.saturating_sub(1)..order.len().min(at + 1)].iter();
        near.min_by_key(|(t, _)| (t - wanted).abs())
            .filter(|(t, _)| (t - wanted).abs() <= SAME_HOUR_S)
            .map(|(_, i)| *i)
    };
    times.iter().map(|t| [1, 2].map(|days| t.and_then(|t| nearest(t - days * DAY_S)))).collect()
}

/// Under three days no hour has a usual level. A change of level is then what differs from the same hours of the
/// day before by more than the stretch before the change did; what goes up and down by the hour is none. Under a
/// day there is no such hour.
fn beyond_the_hours(times: &[Option<i64>], values: &[f64], found: Vec<Level>) -> Vec<Level> {
    if !of_few_days(times) {
        return found;
    }
    let height = heights(values);
    let partners = partners(times);
    // So few have such an hour that the rule says nothing: as under a day, with the warning of it.
    if partners.iter().filter(|of| of.iter().any(Option::is_some)).count() < LEAST {
        return found;
    }
    let earlier = |i: usize, before: usize| partners[i].into_iter().flatten().find(|j| *j < before);
    let more = |of: Range<usize>, before: usize| -> Option<f64> {
        let differences: Vec<f64> =
            of.filter_map(|i| Some(height[i] - height[earlier(i, before)?])).collect();
        (differences.len() >= LEAST).then(|| median(&differences))
    };
    let mut cuts: Vec<(usize, f64)> = found.iter().map(|c| (c.0, c.1)).collect();
    // A smooth day hides a step in it, and what differs from the day before does not.
    let (later, from_day_to_day): (Vec<usize>, Vec<f64>) =
        (0..values.len()).filter_map(|i| Some((i, height[i] - height[earlier(i, i)?]))).unzip();
    for (cut, p) in self::cuts(&from_day_to_day) {
        if cuts.iter().all(|c| c.0.abs_diff(later[cut]) >= LEAST) {
            cuts.push((later[cut], p));
        }
    }
    cuts.sort_by_key(|c| c.0);
    loop {
        let mut edges: Vec<usize> = cuts.iter().map(|c| c.0).collect();
        edges.insert(0, 0);
        edges.push(values.len());
        let levels: Vec<Result<Level, f64>> = (0..cuts.len())
            .map(|n| {
                let (one, other) = (edges[n]..edges[n + 1], edges[n + 1]..edges[n + 2]);
                let shift = median(&height[other.clone()]) - median(&height[one.clone()]);
                let (before, after) = (median(&values[one.clone()]), median(&values[other.clone()]));
                let jump = more(other, cuts[n].0).map(|d| d - more(one.clone(), one.start).unwrap_or(0.0));
                let share = jump.map_or(0.0, |jump| if shift == 0.0 { 0.0 } else { jump / shift });
                let named = 100.0 * (after - before).abs() >= NAMED_PCT * before.abs();
                if share >= OF_HOUR && named { Ok((cuts[n].0, cuts[n].1, before, after)) } else { Err(share) }
            })
            .collect();
        let least = levels
            .iter()
            .enumerate()
            .filter_map(|(n, l)| l.as_ref().err().map(|share| (n, *share)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        match least {
            Some((n, _)) => {
                cuts.remove(n);
            }
            None => return levels.into_iter().flatten().collect(),
        }
    }
}

/// So much of a change has to be beyond what the same hours had.
const OF_HOUR: f64 = 0.5;

/// A change of one measure before anything else is known of it.
struct Found {
    level: Level,
    or: Option<usize>,
    steady: bool,
    weekend: Option<Weekend>,
}

impl Found {
    fn of(level: Level) -> Self {
        Self { level, or: None, steady: false, weekend: None }
    }
}

/// What the last digits of two sums differ by is nothing, as a part of it.
const LAST_DIGITS: f64 = 1e-6;

/// Changes of one measure over intervals in time, and whether its weekends are known.
fn changes_of(points: &[Point], metric: &str, unit: &'static str) -> (Vec<ChangePoint>, bool) {
    let having: Vec<(usize, &Point, f64)> =
        points.iter().enumerate().filter_map(|(i, p)| Some((i, p, *p.values.get(metric)?))).collect();
    if having.len() < SERIES {
        return (Vec::new(), false);
    }
    let values: Vec<f64> = having.iter().map(|h| h.2).collect();
    let times: Vec<Option<i64>> = having.iter().map(|h| h.1.begin_s).collect();
    // A level that is rounded does not change by what rounding hides of it before and after.
    let hidden = |part: &[(usize, &Point, f64)]| {
        let hidden: Vec<f64> = part.iter().filter_map(|h| h.1.slack.get(metric).copied()).collect();
        if hidden.is_empty() { 0.0 } else { median(&hidden) }
    };
    let beyond = |level: &Level| {
        let (before, after) = having.split_at(level.0.min(having.len()));
        (level.3 - level.2).abs() > (hidden(before) + hidden(after)) * (1.0 + LAST_DIGITS)
    };
    let plain = beyond_the_hours(&times, &values, standing(&times, &values, false));
    let known = known_weekends(&times, &values);
    let found = match &known {
        Some(known) => beside_weekends(&times, &values, known, plain, points),
        None => of_series(&times, &values, plain),
    };
    let changes = found
        .into_iter()
        .filter(|f| beyond(&f.level))
        .map(|Found { level: (cut, p_value, before, after), or, steady, weekend }| ChangePoint {
            metric: metric.to_owned(),
            unit,
            at: having[cut].1.begin_time.clone(),
            interval: having[cut].0,
            before,
            after,
            ratio: (before > 0.0).then(|| after / before),
            or_at: or.and_then(|or| having.get(or)?.1.begin_time.clone()),
            steady,
            p_value,
            changed: Vec::new(),
            plans: Vec::new(),
            elsewhen: Vec::new(),
            weekend,
        })
        .collect();
    (changes, known.is_some())
}

/// Changes of a series of which no weekends are known: under three days by the other day, over that with a look at
/// what a steady rise would leave.
fn of_series(times: &[Option<i64>], values: &[f64], found: Vec<Level>) -> Vec<Found> {
    if found.is_empty() {
        return Vec::new();
    }
    if of_few_days(times) {
        let (height, partners) = (heights(values), partners(times));
        let of_day_before = |i: usize| partners.get(i).and_then(|of| of[0]);
        let pairs = Pairs::of(times, values, &height, of_day_before, LEAST);
        let cuts: Vec<usize> = found.iter().map(|c| c.0).collect();
        let p = found.iter().map(|c| c.1).fold(0.0, f64::max);
        if let Some(dated) = pairs.dated(&cuts) {
            let named = |d: &Dated| 100.0 * (d.after - d.before).abs() >= NAMED_PCT * d.before.abs();
            return dated
                .into_iter()
                .filter(named)
                .map(|d| Found { or: d.or, steady: d.steady, ..Found::of((d.cut, p, d.before, d.after)) })
                .collect();
        }
        return found.into_iter().map(Found::of).collect();
    }
    let steady = is_steady(times, values, &found, false);
    found.into_iter().map(|level| Found { steady, ..Found::of(level) }).collect()
}

/// Would a line leave about as much as these steps do, of a series without its hours?
fn is_steady(times: &[Option<i64>], values: &[f64], found: &[Level], weekends: bool) -> bool {
    let cuts: Vec<usize> = found.iter().map(|c| c.0).collect();
    let mut height = heights(&levelled(times, values, weekends).values);
    let levels = between(&height, &cuts);
    let by_hours = without_hours(times, values, Some(&levels), weekends);
    if by_hours.by_hours {
        height = heights(&by_hours.values);
    }
    let one_way = found.iter().all(|c| c.3 > c.2) || found.iter().all(|c| c.3 < c.2);
    one_way && slope::fits_as_well(&height, &cuts)
}

/// Changes of a series whose weekends are known: those of what is left without them, and the edges of the weekends
/// themselves, as far as they are found.
fn beside_weekends(
    times: &[Option<i64>],
    values: &[f64],
    known: &Step,
    plain: Vec<Level>,
    points: &[Point],
) -> Vec<Found> {
    let flat = known.taken_out(times, values);
    let changes = standing(times, &flat, true);
    let steady = !changes.is_empty() && is_steady(times, &flat, &changes, true);
    let time = |cut: usize| times.get(cut).copied().flatten();
    let is_change = |cut: usize| {
        let near =
            |other: usize| time(other).zip(time(cut)).is_some_and(|(a, b)| (a - b).abs() <= HALF_DAY_S);
        changes.iter().any(|c| near(c.0))
    };
    let mut found: Vec<Found> = plain
        .into_iter()
        .filter(|c| !is_change(c.0))
        .filter_map(|level| {
            let weekend = known.edge(time(level.0)?, level.3 < level.2, points)?;
            Some(Found { weekend: Some(weekend), ..Found::of(level) })
        })
        .collect();
    found.extend(changes.into_iter().map(|level| Found { steady, ..Found::of(level) }));
    found.sort_by_key(|f| f.level.0);
    found
}

/// What Saturdays and Sundays differ by from the working days beside them, where a series says so: over three days,
/// whose hours have a usual level, and under three weeks, where that of the week takes its place.
fn known_weekends(times: &[Option<i64>], values: &[f64]) -> Option<Step> {
    if period(times) != Some(DAY_S) || !values.iter().all(|v| *v > 0.0) {
        return None;
    }
    Step::of(times, &heights(&levelled(times, values, false).values))
}

/// A change lies at an edge of a weekend within this.
const HALF_DAY_S: i64 = 12 * 3_600;

/// Is there a second day to hold the first against?
pub(crate) fn over_a_day(points: &[Point]) -> bool {
    let first = points.iter().filter_map(|p| p.begin_s).min();
    let last = points.iter().filter_map(|p| p.begin_s).max();
    first.zip(last).is_some_and(|(a, b)| b - a >= DAY_S) && hours_of_the_day_before(points)
}

/// Change points of sorted reports of one database, with what else changed at each.
pub(crate) fn change_points(sorted: &[&Digest], points: &[Point]) -> Vec<ChangePoint> {
    let mut found = Vec::new();
    let mut without_known_weekends = Vec::new();
    for (name, unit) in MEASURES {
        let (changes, weekends_known) = changes_of(points, name, unit);
        found.extend(changes);
        if !weekends_known {
            without_known_weekends.push(*name);
        }
    }
    found.sort_by_key(|c| c.interval);
    let edges: BTreeSet<usize> = found.iter().map(|c| c.interval).collect();
    let intervals = if found.is_empty() { None } else { Some(Intervals::of(sorted, points)) };
    for (change, intervals) in found.iter_mut().filter_map(|c| Some((c, intervals.as_ref()?))) {
        if points.get(change.interval).is_none_or(|p| p.begin_s.is_none()) {
            continue;
        }
        // From the change before to the change after: what holds on one side and not on the other.
        let from = edges.range(..change.interval).next_back().copied().unwrap_or(0);
        let to = edges.range(change.interval + 1..).next().copied().unwrap_or(points.len());
        let beside = intervals.beside(from..to, change.interval);
        (change.changed, change.plans, change.elsewhen) = (beside.changed, beside.plans, beside.elsewhen);
    }
    // Each measure has weekends of its own.
    for name in without_known_weekends {
        let own: Vec<usize> = (0..found.len()).filter(|n| found[*n].metric == name).collect();
        let of_measure: Vec<&ChangePoint> = own.iter().map(|n| &found[*n]).collect();
        let weekends = weekends::weekends(&of_measure, points);
        let by_others = weekends::of_others(&of_measure, &found, points);
        for ((n, weekend), by_other) in own.into_iter().zip(weekends).zip(by_others) {
            found[n].weekend = weekend.or(by_other);
        }
    }
    found
}

fn left_out(n: usize) -> String {
    if n == 1 { "1 report is left out".to_owned() } else { format!("{n} reports are left out") }
}

/// Why intervals are no series, and what lacks.
fn too_few(intervals: usize, reports: usize, silent: usize) -> String {
    let lacking = match silent {
        0 => String::new(),
        _ => format!(
            ": {silent} of {reports} reports print neither DB time nor DB CPU nor wait events, and nothing else says where response time went"
        ),
    };
    let instead = if intervals == 0 { "" } else { "; give --before and --after" };
    format!(
        "{intervals} intervals of one database are too few for change points ({SERIES} are needed){lacking}{instead}"
    )
}

/// The trend of a series of reports.
///
/// # Errors
/// A sentence, where there are too few intervals.
pub fn trend(digests: &[Digest]) -> Result<Trend, String> {
    let mut warnings = Vec::new();
    let mut sorted: Vec<&Digest> = digests
        .iter()
        .filter(|d| d.is_comparable() && !d.identity.spans_restart && d.clock.is_none())
        .collect();
    let of_clock = digests.iter().filter(|d| !d.identity.spans_restart && d.clock.is_some()).count();
    let restarts = digests.iter().filter(|d| d.identity.spans_restart).count();
    // What a file says of all its instances at once, beside a report of each, is no report left out.
    let of_instances: BTreeSet<&str> = sorted
        .iter()
        .filter(|s| s.identity.scope == spindle_facts::Scope::Instance)
        .map(|s| s.identity.source.as_str())
        .collect();
    let of_all = |d: &&Digest| {
        d.identity.scope == spindle_facts::Scope::Database
            && of_instances.contains(d.identity.source.as_str())
    };
    let silent =
        digests.iter().filter(|d| !d.identity.spans_restart && d.clock.is_none() && !d.is_comparable());
    let silent = silent.filter(|d| !of_all(d)).count();
    for (n, why) in [
        (silent, "no response time is printed"),
        (restarts, "the instance restarted inside"),
        (of_clock, "the clock was put back or forward inside, or showed the hour twice"),
    ] {
        if n > 0 {
            warnings.push(format!("{}: {why}.", left_out(n)));
        }
    }
    sorted.sort_by(|a, b| by_identity(a, b));
    let all = sorted.len();
    // The one that says more stays.
    sorted.dedup_by(|a, b| {
        let same = same_interval(a, b);
        if same && a.richness > b.richness {
            *b = *a;
        }
        same
    });
    if sorted.len() < all {
        warnings.push(format!("{}: another one covers the same interval.", left_out(all - sorted.len())));
    }
    let parts = without_parts(&mut sorted).len();
    if parts > 0 {
        warnings.push(format!(
            "{}: reports of the whole database hold what {} of its instances say.",
            left_out(parts),
            if parts == 1 { "one" } else { "those" }
        ));
    }
    let overlaps = without_overlaps(&mut sorted).len();
    if overlaps > 0 {
        let whose = if overlaps == 1 { "its" } else { "their" };
        warnings.push(format!("{}: shorter reports hold part of {whose} time already.", left_out(overlaps)));
    }
    // The database with most reports; another one is another series.
    let mut databases: BTreeMap<Database, usize> = BTreeMap::new();
    let key = |d: &Digest, copy: usize| {
        let id = &d.identity;
        (id.db_id, id.db_name.clone(), id.container.clone(), copy)
    };
    let copies = copies_of(&sorted);
    for (digest, copy) in sorted.iter().zip(&copies) {
        *databases.entry(key(digest, *copy)).or_default() += 1;
    }
    if databases.len() > 1
        && let Some((most, _)) = databases.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)))
    {
        let mut copies = copies.iter();
        sorted.retain(|d| key(d, copies.next().copied().unwrap_or(0)) == *most);
        // Of one identifier only the host, or the start, says which.
        let host = || sorted.first().and_then(|d| d.identity.host.as_deref());
        let several = databases.keys().any(|d| d.3 > 0);
        let on = host().filter(|_| several).map(|host| format!(" on {host}")).unwrap_or_default();
        warnings.insert(0, format!(
            "DIFFERENT DATABASES: {} in one list; only {}{on} is followed, with most reports. Give the others on their own.",
            databases.len(),
            most.1.as_deref().unwrap_or("the unnamed one")
        ));
    }
    let points = points(&sorted);
    if points.len() < SERIES {
        return Err(too_few(points.len(), digests.len(), silent));
    }
    let change_points = change_points(&sorted, &points);
    let mut identity = sorted.first().map(|d| d.identity.clone()).ok_or("no report was read")?;
    // What stands for the whole database is none of its instances.
    let instances: BTreeSet<u32> = sorted.iter().filter_map(|d| d.identity.instance_number).collect();
    if instances.len() > 1 {
        (identity.instance, identity.instance_number, identity.host) = (None, None, None);
        identity.instances = u32::try_from(instances.len()).ok();
    }
    identity.begin_time = points.first().and_then(|p| p.begin_time.clone());
    identity.end_time = sorted.iter().filter_map(|d| d.identity.end_time.clone()).max();
    identity.elapsed_s = super::side::all(sorted.iter().map(|d| d.elapsed_s()), |a, b| a + b);
    identity.db_time_s = super::side::all(sorted.iter().map(|d| d.db_time_s.map(|t| t.value)), |a, b| a + b);
    (identity.db_time_s_low, identity.db_time_s_high) = (None, None);
    let (first, last) = (points.first().and_then(|p| p.begin_s), points.last().and_then(|p| p.begin_s));
    warnings.extend(instances_of(&sorted));
    let end = points.last().and_then(|p| p.end_s.or(p.begin_s));
    if !change_points.is_empty()
        && first.zip(last).is_some_and(|(a, b)| b - a >= 3 * DAY_S)
        && first.zip(end).is_some_and(|(a, b)| b - a < 21 * DAY_S)
    {
        warnings.push(
            "Under three weeks: what the day of the week does cannot be told from a change.".to_owned(),
        );
    }
    match first.zip(last).map(|(a, b)| b - a) {
        Some(s) if s >= 3 * DAY_S => {}
        Some(s) if s >= DAY_S && hours_of_the_day_before(&points) => warnings.push(
            "Under three days: a change of level is only what differs from the same hours of the day before."
                .to_owned(),
        ),
        _ => warnings.push(
            "A day, or hardly more: what the hour of the day does cannot be told from a change.".to_owned(),
        ),
    }
    Ok(Trend {
        answer: answer(&change_points, points.len(), may_be_missed(&points).as_deref()),
        identity,
        intervals: points.len(),
        change_points,
        points: points
            .into_iter()
            .map(|p| TrendPoint { begin_time: p.begin_time, values: p.values })
            .collect(),
        warnings,
    })
}

/// Have enough intervals their hour in the day before?
fn hours_of_the_day_before(points: &[Point]) -> bool {
    let begins: BTreeSet<i64> = points.iter().filter_map(|p| p.begin_s).collect();
    let near = |t: i64| begins.range(t - SAME_HOUR_S..=t + SAME_HOUR_S).next().is_some();
    begins.iter().filter(|t| near(**t - DAY_S)).count() >= LEAST
}

/// Says where intervals hold fewer instances than others: what they lack is no change of the load.
fn instances_of(sorted: &[&Digest]) -> Option<String> {
    let groups = super::side::intervals(sorted);
    // First report of each instance, and when the instance started.
    let database = |d: &Digest| (d.identity.db_id, d.identity.db_name.clone());
    let mut first: BTreeMap<_, (i64, Option<i64>)> = BTreeMap::new();
    for digest in sorted {
        if let Some((number, begin)) = digest.identity.instance_number.zip(digest.begin_s()) {
            let started = epoch_s(digest.identity.startup_time.as_deref());
            let known = first.entry((database(digest), number)).or_insert((begin, started));
            if begin < known.0 {
                *known = (begin, started);
            }
        }
    }
    // One that starts after an interval has begun and has no report before it had no part in it.
    let not_started = |group: &[&Digest]| -> usize {
        let Some((one, begin)) = group.first().and_then(|d| Some((database(d), d.begin_s()?))) else {
            return 0;
        };
        // Starts are by the clock.
        let clock = group.first().and_then(|d| epoch_s(d.identity.begin_time.as_deref())).unwrap_or(begin);
        let lacks = |number: u32| group.iter().all(|d| d.identity.instance_number != Some(number));
        let later = first.iter().filter(|((of, number), _)| *of == one && lacks(*number));
        later.filter(|(_, (from, started))| *from > begin && started.is_some_and(|s| s > clock)).count()
    };
    let held = |g: &Vec<&Digest>| g.iter().map(|d| d.instances).sum::<usize>();
    let most = groups.iter().map(held).max()?;
    let lacking: Vec<&Vec<&Digest>> = groups.iter().filter(|g| held(g) + not_started(g) < most).collect();
    let least = lacking.iter().map(|g| held(g)).min()?;
    let begin = |g: &&Vec<&Digest>| g.first().and_then(|d| d.identity.begin_time.clone());
    let since = lacking.iter().filter_map(begin).min()?;
    Some(format!(
        "{} of {} intervals hold fewer than {most} instances (down to {least}), the first from {}: what those lack is not in their figures.",
        lacking.len(),
        groups.len(),
        since.replacen('T', " ", 1)
    ))
}

/// How much farther than DB time another measure has to go to be named beside it, in logarithms.
const FARTHER: f64 = 1.5;

/// Steps of this size and more are not named as what may be missed: so few intervals show nothing for sure.
const MISSED: f64 = 4.0;

/// Over less than three days: how large a step has to be to be seen for certain, by the spread of the intervals and the
/// likeness of neighbours.
fn may_be_missed(points: &[Point]) -> Option<String> {
    let of = |name: &str| -> Option<f64> {
        let having = || points.iter().filter_map(|p| Some((p.begin_s, *p.values.get(name)?)));
        let (times, values): (Vec<Option<i64>>, Vec<f64>) = having().unzip();
        let short = times.iter().any(Option::is_some) && length_s(&times) < 3 * DAY_S;
        if !short || values.len() < 2 * NEAR.0 || !values.iter().all(|v| *v > 0.0) {
            return None;
        }
        let height = heights(&values);
        let noise = noise(&[about(&height, median(&height), true)]);
        let near = (values.len() / 2).min(4 * NEAR.1) as f64;
        let error = noise.usual * (2.0 * (noise.inflation? / near).min(1.0)).sqrt();
        Some((PLAIN * error).exp()).filter(|times| *times > 1.0 + NAMED_PCT / 100.0)
    };
    let named = [("DB time a second", "DB time"), ("single-block read", "the latency of single-block reads")];
    let said: Vec<String> = named
        .into_iter()
        .filter_map(|(name, subject)| {
            let times = of(name)?;
            let size = if times > MISSED {
                format!("even {} times", words::significant(MISSED))
            } else {
                format!("up to {} times", words::significant(times))
            };
            Some(format!("{subject} by {size}"))
        })
        .collect();
    (!said.is_empty())
        .then(|| format!(" Over less than three days a change of {} may be missed.", said.join(", of ")))
}

fn answer(changes: &[ChangePoint], intervals: usize, missed: Option<&str>) -> String {
    let weekends = weekends::said(changes);
    let all = changes;
    let changes: Vec<&ChangePoint> = all.iter().filter(|c| !weekends::is_by_weekend(c, all)).collect();
    // Of DB time by its seconds: a hundred times next to nothing is no change to look at first.
    let by_seconds = |c: &&ChangePoint| (c.after - c.before).abs();
    let of_db_time = changes
        .iter()
        .copied()
        .filter(|c| c.metric == "DB time a second")
        .max_by(|a, b| by_seconds(a).total_cmp(&by_seconds(b)));
    let size = |c: &&ChangePoint| c.ratio.map_or(0.0, |r| r.ln().abs());
    let of_any = || changes.iter().copied().max_by(|a, b| size(a).total_cmp(&size(b)));
    let Some(largest) = of_db_time.or_else(of_any) else {
        if let Some(weekends) = weekends {
            return format!(
                "No change of level but by weekends is shown over {intervals} intervals. {weekends}"
            );
        }
        let few = if intervals < 2 * NEAR.0 {
            " So few show only levels that lie far apart: what is smaller cannot be told."
        } else {
            ""
        };
        let missed = missed.filter(|_| few.is_empty()).unwrap_or_default();
        return format!("No change of level is shown over {intervals} intervals.{few}{missed}");
    };
    let cuts: BTreeSet<&String> = changes.iter().filter_map(|c| c.at.as_ref()).collect();
    let mut said = format!(
        "{} change{} of level over {intervals} intervals{}. The largest: {} went from {} to {}",
        changes.len(),
        if changes.len() == 1 { "" } else { "s" },
        if weekends.is_some() { ", beside those by weekends" } else { "" },
        largest.metric,
        level(largest.before, largest.unit),
        level(largest.after, largest.unit)
    );
    let when = |c: &ChangePoint| {
        c.at.as_ref().map_or(String::new(), |at| format!(" at {}", at.replacen('T', " ", 1)))
    };
    said.push_str(&format!("{}.", when(largest)));
    if let Some(or) = &largest.or_at {
        said.push_str(&format!(" So few days do not tell that from {}.", or.replacen('T', " ", 1)));
    }
    if largest.steady {
        said.push_str(&format!(
            " Or it {} steadily: that leaves about as much unexplained as steps do, and nothing need have happened at that time.",
            if largest.after > largest.before { "grew" } else { "fell" }
        ));
    }
    // A step of reads or of latency that says more than that of DB time.
    if let Some(other) = of_any().filter(|c| c.metric != largest.metric && size(c) > FARTHER * size(&largest))
    {
        said.push_str(&format!(
            " By its ratio, the largest is {}: {} to {}{}.",
            other.metric,
            level(other.before, other.unit),
            level(other.after, other.unit),
            when(other)
        ));
    }
    let names: Vec<&str> = largest.changed.iter().take(3).map(|c| c.name.as_str()).collect();
    if !names.is_empty() {
        said.push_str(&format!(" What else changed there: {}.", names.join(", ")));
    } else if !largest.plans.is_empty() {
        said.push_str(&match largest.plans.len() {
            1 => " 1 statement changed its plan there.".to_owned(),
            n => format!(" {n} statements changed their plans there."),
        });
    } else if let Some(other) = largest.elsewhen.first() {
        said.push_str(&format!(
            " No parameter, release or plan that is printed changed there; {}{} changed {}.",
            if largest.elsewhen.len() > 1 { "the nearest, " } else { "" },
            other.name,
            other.when()
        ));
    } else if cuts.len() > 1 {
        said.push_str(" No parameter, release or plan that is printed changed there.");
    }
    said.extend(weekends::open(all).iter().chain(&weekends).flat_map(|more| [" ", more.as_str()]));
    said
}

/// A level in words.
#[must_use]
pub fn level(value: f64, unit: &str) -> String {
    if unit == "us" { words::latency(value) } else { format!("{} {unit}", words::significant(value)) }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Noise whose neighbours are alike by `r`, from a seed.
    pub(in super::super) fn noise(n: usize, r: f64, seed: u64) -> Vec<f64> {
        let mut random = Random(seed);
        let mut last = 0.0;
        (0..n)
            .map(|_| {
                // Sum of twelve even numbers: near enough to normal.
                let e: f64 =
                    (0..12).map(|_| (random.next() >> 11) as f64 / (1u64 << 53) as f64).sum::<f64>() - 6.0;
                last = r * last + (1.0 - r * r).sqrt() * e;
                last
            })
            .collect()
    }

    #[test]
    fn series_without_a_change_have_a_plain_step_no_oftener_than_is_said() {
        for (r, most) in [(0.0, 1), (0.6, 5), (0.9, 14)] {
            for n in [24, 100, 168, 336] {
                let plain = |seed: &u64| {
                    let values: Vec<f64> =
                        noise(n, r, 700_000 + seed).iter().map(|e| (0.1 * e).exp()).collect();
                    let heights = heights(&values);
                    let middle = median(&heights);
                    let about: Vec<f64> = heights.iter().map(|v| v - middle).collect();
                    [best_cut(&centred_ranks(&values)).0, best_cut(&about).0]
                        .into_iter()
                        .any(|cut| cut > 0 && standard_errors(&values, cut) >= PLAIN)
                };
                // What is said of 1,000, and three standard errors.
                let found = (0..500).filter(plain).count();
                assert!(found <= most, "{n} alike by {r}: {found} of 500");
            }
        }
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        let mut values = noise(120, 0.3, 1);
        values[70..].iter_mut().for_each(|v| *v += 4.0);
        let found = cuts(&values);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((69..=71).contains(&found[0].0) && found[0].1 <= LEVEL, "{found:?}");
    }

    /// Hours from a Monday on.
    fn hours(n: usize) -> Vec<Option<i64>> {
        (0..n).map(|h| Some(4 * DAY_S + 3600 * i64::try_from(h).unwrap())).collect()
    }

    fn found_in(values: &[f64]) -> Vec<usize> {
        let times = hours(values.len());
        beyond_the_hours(&times, values, standing(&times, values, false)).iter().map(|c| c.0).collect()
    }

    #[test]
    fn a_fourfold_latency_of_12_to_27_hours_was_not_seen() {
        for n in 12..=30 {
            for (spread, times) in [(0.02, 4.0), (0.05, 4.0)] {
                let missed = (0..20).filter(|seed| {
                    let level = |h: usize| if h < n / 2 { 5_000.0 } else { 5_000.0 * times };
                    let values: Vec<f64> = noise(n, 0.0, 4_000 + seed)
                        .iter()
                        .enumerate()
                        .map(|(h, e)| level(h) * (spread * e).exp())
                        .collect();
                    found_in(&values) != [n / 2]
                });
                let missed = missed.count();
                assert!(missed <= 1, "{n} hours, spread {spread}: {missed} of 20 missed");
            }
        }
    }

    #[test]
    fn stretches_that_lie_apart_are_none_of_chance() {
        for r in [0.0, 0.6, 0.9] {
            for n in [8, 12, 20, 27] {
                let wrong = (0..500).filter(|seed| apart(&noise(n, r, 60_000 + seed)).is_some()).count();
                assert!(wrong <= 2, "{n} alike by {r}: {wrong} of 500");
            }
        }
    }

    #[test]
    fn a_day_of_slow_reads_was_cut_hours_early() {
        let off = (0..10).filter(|seed| {
            let level = |h: usize| if (100..124).contains(&h) { 12.0 } else { 5.0 };
            let values: Vec<f64> = noise(240, 0.0, 7_000 + seed)
                .iter()
                .enumerate()
                .map(|(h, e)| level(h) * (0.05 * e).exp())
                .collect();
            found_in(&values) != [100, 124]
        });
        let off = off.count();
        assert!(off <= 1, "{off} of 10");
    }

    #[test]
    fn a_step_among_the_hours_of_a_day_was_cut_up_to_nine_hours_early() {
        // Four days and a week, busy by day, up after four fifths: half of the hours before lie above the middle.
        let wave = |h: usize| 4.0 + 3.0 * (h as f64 / 24.0 * std::f64::consts::TAU).sin();
        let office = |h: usize| if (8..18).contains(&(h % 24)) { 8.0 } else { 1.0 };
        for (n, r) in [(96, 0.0), (96, 0.3), (168, 0.3)] {
            for load in [&wave as &dyn Fn(usize) -> f64, &office] {
                let (mut found, mut off) = (0, 0);
                for seed in 0..12 {
                    let at = n * 4 / 5 + seed - 6;
                    let values: Vec<f64> = noise(n, r, 90_000 + seed as u64)
                        .iter()
                        .enumerate()
                        .map(|(h, e)| load(h) * (0.15 * e).exp() * if h < at { 1.0 } else { 2.5 })
                        .collect();
                    let cuts = standing(&hours(n), &values, false);
                    found += usize::from(cuts.iter().any(|c| c.0.abs_diff(at) <= 12));
                    off += cuts.iter().filter(|c| (2..=12).contains(&c.0.abs_diff(at))).count();
                }
                assert!(found >= 8 && off <= 1, "{n} hours alike by {r}: {off} of {found} off");
            }
        }
    }

    #[test]
    fn a_distance_in_an_idle_hour_says_as_little_as_that_hour_varies() {
        let times = hours(240);
        let spread = |h: usize| if h % 24 < 8 { 1.0 } else { 0.1 };
        let heights: Vec<f64> =
            noise(240, 0.0, 9).iter().enumerate().map(|(h, e)| 3.0 + spread(h) * e).collect();
        let of = weights(&times, &heights, &[3.0; 240]);
        assert!(of[3] < 0.4 && of[15] > 0.8, "{} and {}", of[3], of[15]);
        // Levels without any spread: every distance says the same.
        assert_eq!(weights(&times, &[3.0; 240], &[3.0; 240]), [1.0; 240]);
    }

    #[test]
    fn three_whole_weeks_were_under_three_weeks() {
        assert_eq!(period(&hours(504)), Some(7 * DAY_S));
        assert_eq!(period(&hours(503)), Some(DAY_S));
    }

    #[test]
    fn two_steps_and_the_way_back_are_found() {
        let mut values = noise(150, 0.0, 2);
        values[50..100].iter_mut().for_each(|v| *v += 5.0);
        let at: Vec<usize> = cuts(&values).iter().map(|c| c.0).collect();
        assert!(at.len() == 2 && at[0].abs_diff(50) <= 1 && at[1].abs_diff(100) <= 1, "{at:?}");
    }

    #[test]
    fn noise_whose_neighbours_are_alike_is_no_change() {
        let wrong = |r: f64| (0..100).filter(|seed| !cuts(&noise(100, r, 1000 + seed)).is_empty()).count();
        assert!(wrong(0.0) <= 4, "{}", wrong(0.0));
        assert!(wrong(0.6) <= 8, "{}", wrong(0.6));
    }

    #[test]
    fn the_hours_of_the_day_are_no_change_and_a_change_among_them_is() {
        let times: Vec<Option<i64>> = (0..240).map(|h| Some(h * 3600)).collect();
        let days = |seed: u64| -> Vec<f64> {
            let busy = (0..240).map(|h| if h % 24 < 9 { 1.0 } else { 8.0 });
            noise(240, 0.2, seed).iter().zip(busy).map(|(e, load)| (0.1 * e).exp() * load).collect()
        };
        let wrong =
            (0..30).filter(|seed| !cuts(&levelled(&times, &days(*seed), false).values).is_empty()).count();
        assert!(wrong <= 4, "{wrong}");
        let mut values = days(3);
        values[150..].iter_mut().for_each(|v| *v *= 2.0);
        let found = cuts(&levelled(&times, &values, false).values);
        assert!(found.iter().any(|c| (148..=152).contains(&c.0)), "{found:?}");
    }

    #[test]
    fn levels_that_no_interval_had_were_shown() {
        // Three days and a half, busy by day, and a step after two and a half.
        let points: Vec<Point> = (0..84)
            .map(|h: i64| {
                let load = if (8..18).contains(&(h % 24)) { 80.0 } else { 0.5 };
                let step = if h < 60 { 1.0 } else { 3.0 };
                let value = load * step * (1.0 + 0.01 * (h * 7 % 5) as f64);
                Point {
                    begin_time: Some(h.to_string()),
                    begin_s: Some(h * 3600),
                    end_s: Some((h + 1) * 3600),
                    values: BTreeMap::from([("DB time a second", value)]),
                    slack: BTreeMap::new(),
                }
            })
            .collect();
        let (found, _) = changes_of(&points, "DB time a second", "s");
        assert!(!found.is_empty());
        for change in &found {
            for level in [change.before, change.after] {
                let printed = |h: std::ops::RangeInclusive<f64>| {
                    points.iter().any(|p| h.contains(&p.values["DB time a second"]))
                };
                assert!(printed(0.5..=level) && printed(level..=1e9), "{change:?}");
            }
        }
        // What falls to nothing has no level below it.
        let times: Vec<Option<i64>> = (0..100).map(|h| Some(h * 3600)).collect();
        let values: Vec<f64> =
            (0..100).map(|h| if h < 50 { 90.0 + f64::from(h * 37 % 61) / 10.0 } else { 0.0 }).collect();
        let found = standing(&times, &values, false);
        assert!(
            matches!(found.as_slice(), [(50, _, before, after)] if (90.0..=96.0).contains(before) && *after == 0.0),
            "{found:?}"
        );
    }

    /// An idle database: its CPU prints as 0.01 for a week, and as 0 from then on.
    #[test]
    fn a_last_digit_that_rounding_may_have_made_was_the_largest_change() {
        let series = |unit: f64| -> Vec<Point> {
            let point = |h: i64| {
                let (value, slack) = if h < 168 { (0.01, 0.5 * unit) } else { (0.0025, 0.25 * unit) };
                // A third of the hours print the other.
                let value = if h % 3 == 0 { 0.0125 - value } else { value };
                Point {
                    begin_time: None,
                    begin_s: Some(4 * DAY_S + h * 3600),
                    end_s: Some(4 * DAY_S + (h + 1) * 3600),
                    values: BTreeMap::from([("DB CPU a second", value)]),
                    slack: BTreeMap::from([("DB CPU a second", slack)]),
                }
            };
            (0..336).map(point).collect()
        };
        assert!(changes_of(&series(0.01), "DB CPU a second", "s").0.is_empty());
        // With a digit more it is a change.
        assert!(!changes_of(&series(0.001), "DB CPU a second", "s").0.is_empty());
    }

    /// Half an hour each, from a Monday at midnight, for so many days.
    fn half_hours(days: i64) -> Vec<Option<i64>> {
        (0..48 * days).map(|i| Some(4 * DAY_S + i * 1800)).collect()
    }

    #[test]
    fn a_step_among_the_hours_of_four_days_was_missed() {
        // Smooth by day and night, doubled after two days: the hours before noon had two days of each level.
        let times: Vec<Option<i64>> = (0..96).map(|h| Some(4 * DAY_S + h * 3600)).collect();
        let found = (0..20).filter(|seed| {
            let values: Vec<f64> = noise(96, 0.3, 1 + seed)
                .iter()
                .enumerate()
                .map(|(h, e)| {
                    let load = 4.0 + 3.0 * (h as f64 / 24.0 * std::f64::consts::TAU).sin();
                    load * (0.15 * e).exp() * if h < 48 { 1.0 } else { 2.0 }
                })
                .collect();
            standing(&times, &values, false).iter().any(|c| c.0.abs_diff(48) <= 3)
        });
        assert!(found.count() >= 14);
    }

    #[test]
    fn a_step_made_changes_of_the_hours_beside_it() {
        // Three weeks and a half by the week, of which the hours of the step have two weeks of each level.
        let times: Vec<Option<i64>> = (0..600).map(|h| Some(4 * DAY_S + h * 3600)).collect();
        let (mut found, mut wrong) = (0, 0);
        for seed in 0..6 {
            let values: Vec<f64> = noise(600, 0.3, 1 + seed)
                .iter()
                .enumerate()
                .map(|(h, e)| {
                    let (day, hour) = ((h / 24) % 7, h % 24);
                    let load = if day >= 5 || !(8..18).contains(&hour) { 1.0 } else { 8.0 };
                    load * (0.15 * e).exp() * if h < 320 { 1.0 } else { 2.0 }
                })
                .collect();
            let cuts = standing(&times, &values, false);
            found += usize::from(cuts.iter().any(|c| c.0.abs_diff(320) <= 3));
            wrong += cuts.iter().filter(|c| c.0.abs_diff(320) > 12).count();
        }
        assert!(found >= 5 && wrong <= 3, "{found} found, {wrong} wrong");
    }

    #[test]
    fn a_night_and_the_day_after_it_were_two_levels() {
        // Busy by night and more so in some nights: no hour lies on both sides of noon and midnight.
        let times = half_hours(15);
        for seed in 0..6 {
            let values: Vec<f64> = noise(times.len(), 0.3, 70 + seed)
                .iter()
                .zip(&times)
                .map(|(e, t)| {
                    let (day, hour) = (t.unwrap() / DAY_S, t.unwrap() % DAY_S / 3600);
                    let night = if hour < 13 { 1.0 + 0.25 * (day * 7 % 5) as f64 } else { 0.0 };
                    (0.15 * e + night).exp()
                })
                .collect();
            let found = standing(&times, &values, false);
            assert!(found.is_empty(), "{seed}: {found:?}");
        }
    }

    #[test]
    fn half_a_day_of_hundreds_of_times_the_load_was_no_change() {
        let missed = (0..20).filter(|seed| {
            let mut values: Vec<f64> = noise(96, 0.2, 40 + seed).iter().map(|e| (0.3 * e).exp()).collect();
            values[67..81].iter_mut().for_each(|v| *v *= 400.0);
            let at = |wanted: usize, found: &[(usize, f64)]| found.iter().any(|c| c.0.abs_diff(wanted) <= 4);
            let found = cuts(&values);
            !at(67, &found) && !at(81, &found)
        });
        assert!(missed.count() <= 6);
    }

    #[test]
    fn a_test_that_ran_all_day_was_taken_for_the_hours_of_the_day() {
        // Idle but for two days of load in the same hours, the second one to the end.
        let times: Vec<Option<i64>> = (0..320).map(|i| Some(12 * 3600 + i * 900)).collect();
        let loaded = |i: usize| (170..190).contains(&i) || i >= 264;
        let values: Vec<f64> = noise(320, 0.2, 5)
            .iter()
            .enumerate()
            .map(|(i, e)| (0.1 * e).exp() * if loaded(i) { 90.0 } else { 0.04 })
            .collect();
        assert!(!levelled(&times, &values, false).by_hours);
        let found = standing(&times, &values, false);
        assert!(found.iter().any(|c| c.0.abs_diff(264) <= 4 && c.3 > 80.0), "{found:?}");
    }

    #[test]
    fn the_largest_change_was_the_one_of_idle_hours() {
        let change = |before: f64, after: f64| ChangePoint {
            metric: "DB time a second".into(),
            unit: "s",
            at: None,
            interval: 0,
            before,
            after,
            ratio: Some(after / before),
            or_at: None,
            steady: false,
            p_value: 0.001,
            changed: Vec::new(),
            plans: Vec::new(),
            elsewhen: Vec::new(),
            weekend: None,
        };
        let said = answer(&[change(0.000_06, 0.009_92), change(2.0, 93.0)], 100, None);
        assert!(said.contains("from 2 s to 93 s"), "{said}");
    }

    #[test]
    fn the_more_perfect_a_step_the_less_was_seen_of_it() {
        for (before, after) in [(7, 7), (24, 24), (30, 30), (100, 12), (12, 100)] {
            let values: Vec<f64> = (0..before + after).map(|i| if i < before { 4.0 } else { 9.0 }).collect();
            let found = cuts(&values);
            assert!(
                matches!(found.as_slice(), [(at, p)] if *at == before && *p <= LEVEL),
                "{before}: {found:?}"
            );
        }
        let times: Vec<Option<i64>> = (0..336).map(|h| Some(h * 3600)).collect();
        let level = |h: i64| {
            if h < 100 {
                4.0
            } else if h < 240 {
                9.0
            } else {
                5.0
            }
        };
        let values: Vec<f64> = (0..336).map(level).collect();
        let at: Vec<usize> = standing(&times, &values, false).iter().map(|c| c.0).collect();
        assert_eq!(at, [100, 240]);
        assert!(cuts(&[3.0; 60]).is_empty() && cuts(&[0.0; 60]).is_empty());
    }

    #[test]
    fn steps_anywhere_and_before_the_last_twelve_intervals_are_found() {
        for (r, step) in [(0.0, 8.0), (0.6, 25.0)] {
            for at in [12, 30, 50, 70, 88] {
                let found = (0..10).filter(|seed| {
                    let values: Vec<f64> = noise(100, r, 900 + seed)
                        .iter()
                        .enumerate()
                        .map(|(i, e)| (0.05 * (e + if i < at { 0.0 } else { step })).exp())
                        .collect();
                    cuts(&values).iter().any(|c| c.0.abs_diff(at) <= 3)
                });
                let found = found.count();
                assert!(found >= 9, "{r} at {at}: {found} of 10");
            }
        }
    }

    #[test]
    fn thirteen_hours_of_four_thousand_times_the_reads_were_no_change() {
        // Idle for three days but for bursts that have a shape of their own, then a ramp and a level that stays.
        let times: Vec<Option<i64>> = (0..312).map(|i| Some(12 * 3600 + i * 900)).collect();
        let burst = |i: usize| match i {
            38..=45 => 100.0,
            120..=128 => 1500.0,
            150..=172 => 27_000.0,
            190..=200 => 500.0,
            235..=250 => 300.0,
            251..=262 => [36_000.0, 18_000.0, 20_000.0, 900.0, 12_000.0][i % 5],
            263.. => 40_000.0,
            _ => 8.0,
        };
        let values: Vec<f64> =
            noise(312, 0.3, 11).iter().enumerate().map(|(i, e)| (0.01 * e).exp() * burst(i)).collect();
        let found = standing(&times, &values, false);
        assert!(found.iter().any(|c| c.0.abs_diff(263) <= 14 && c.3 > 30_000.0), "{found:?}");
    }

    #[test]
    fn two_days_of_a_daily_cycle_were_a_list_of_changes() {
        let times: Vec<Option<i64>> = (0..192).map(|i| Some(i * 900)).collect();
        let day = |i: usize| 1.0 + 0.8 * ((i as f64 / 96.0 - 0.4) * std::f64::consts::TAU).cos();
        let made = |seed: u64, from: usize| -> Vec<f64> {
            let of = |(i, e): (usize, &f64)| day(i) * (0.1 * e).exp() * if i < from { 1.0 } else { 8.0 };
            noise(192, 0.3, seed).iter().enumerate().map(of).collect()
        };
        for seed in 0..6 {
            let cycle = made(300 + seed, 192);
            let found = beyond_the_hours(&times, &cycle, standing(&times, &cycle, false));
            assert!(found.is_empty(), "{found:?}");
            // A change among the hours stays one.
            let step = made(300 + seed, 140);
            let found = beyond_the_hours(&times, &step, standing(&times, &step, false));
            assert!(found.iter().any(|c| c.0.abs_diff(140) <= 3), "{found:?}");
            assert!(found.len() <= 2, "{found:?}");
        }
    }

    #[test]
    fn the_same_series_gives_the_same_cuts() {
        let values = noise(200, 0.5, 4);
        assert_eq!(cuts(&values), cuts(&values));
    }
}
