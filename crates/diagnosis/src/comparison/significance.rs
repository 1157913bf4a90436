//! Is it real? With several intervals on each side, a rank test within the hours that they share; with one
//! each, only what rounding and the spread within the intervals allow one to say.
//!
//! Load goes by the hour. Where both sides have the same hours, each interval is held against those of its
//! hour: what the day does to both is no difference, and no likeness of neighbours either.

use super::amount::Amount;
use super::latency::LatencyChange;
use super::levels::is_weekend;
use super::noise::{Noise, about, height, median, noise};
use super::points::{MEASURES, Point, runs};
use super::rank::{self, Stratum};
use super::side::SideTotal;
use crate::words;
use serde::Serialize;
use spindle_facts::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// Probability below which a change is said to be shown.
const LEVEL: f64 = 0.05;
/// Probabilities below this are said to be below it.
const LEAST_SAID: f64 = 0.0001;

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// More after than before, beyond the variation of the intervals.
    Rose,
    /// Less after than before, beyond the variation of the intervals.
    Fell,
    /// What is seen is within what varies anyway.
    NotShown,
    /// One interval a side: they differ beyond rounding (and beyond the spread within them, where it is
    /// known), but how much such intervals vary is not known.
    OneEach,
    /// Too few intervals, or too much alike, to show anything at this level.
    TooFew,
    /// They differ, and so do the days of the week that they are of: which of the two it is cannot be told.
    OtherDays,
}

/// One measure held against itself.
///
/// Shape: one a measure that both sides have. Unit: `unit`. Missing: `p_value`, `superiority` where
/// there is one interval each. Source: ranks of the intervals; else bounds of rounding and, for a
/// latency, 1.96 standard errors from its histogram.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Test {
    /// What is measured of each interval.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Median of the intervals before.
    pub before: f64,
    /// Median of the intervals after.
    pub after: f64,
    /// Change: Hodges-Lehmann shift, the difference of the means where ties leave it none, or of the two.
    pub effect: f64,
    /// Interval of the change.
    pub interval: Interval,
    /// Confidence of that interval, percent; `None` where it holds rounding only.
    pub confidence_pct: Option<f64>,
    /// Probability of ranks so uneven where nothing changed.
    pub p_value: Option<f64>,
    /// Share of pairs of intervals in which after is larger.
    pub superiority: Option<f64>,
    /// Least probability that so many intervals can reach, whatever they show.
    pub least_p: Option<f64>,
    /// Was the likeness of consecutive intervals measured? Else they are taken as independent.
    pub likeness_measured: bool,
    /// As how many independent ones the intervals count, at the least; `None` where likeness was not measured.
    pub independent: Option<f64>,
    /// Intervals before and after.
    pub intervals: (usize, usize),
    /// What follows.
    pub verdict: Outcome,
    /// Why, in a sentence.
    pub because: String,
}

impl Test {
    /// Is its probability the least that so many intervals can reach?
    pub(crate) fn is_least_p(&self) -> bool {
        self.p_value.zip(self.least_p).is_some_and(|(p, least)| p <= least * 1.000_001)
    }
}

/// A probability in words: what is very small is not nothing.
pub(crate) fn p_said(p: f64) -> String {
    if p < LEAST_SAID { format!("p < {LEAST_SAID}") } else { format!("p = {}", words::significant(p)) }
}

/// Tests of every measure.
pub(crate) fn tests(
    before: (&[Point], &SideTotal),
    after: (&[Point], &SideTotal),
    latency: &[LatencyChange],
) -> Vec<Test> {
    let mut found = Vec::new();
    for (name, unit) in MEASURES {
        let of = |points: &[Point]| -> Vec<f64> {
            points.iter().filter_map(|p| p.values.get(name).copied()).collect()
        };
        let (b, a) = (of(before.0), of(after.0));
        let counted = name.trim_end_matches(" a second");
        if b.is_empty() || a.is_empty() || before.1.counts_other(after.1, counted) {
            continue;
        }
        found.push(if b.len() == 1 && a.len() == 1 {
            one_each(name, unit, b[0], a[0], before.1, after.1, latency)
        } else {
            over_intervals(name, unit, before.0, after.0)
        });
    }
    found
}

/// Seconds of a day.
const DAY_S: i64 = 86_400;
/// Hours are held against each other only where that can show this: few pairs show more all together.
const OF_HOURS: f64 = 0.01;
/// Sides of so many days have the hours of the week.
const WEEKS_S: i64 = 14 * DAY_S;

/// What repeats, of both sides: intervals of one hour are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    All,
    HourOfDay,
    HourOfWeek,
}

impl By {
    /// Which hour an interval belongs to.
    fn hour(self, point: &Point) -> Option<i64> {
        match self {
            Self::All => Some(0),
            Self::HourOfDay => Some(point.begin_s?.rem_euclid(DAY_S) / 3600),
            Self::HourOfWeek => Some(point.begin_s?.rem_euclid(7 * DAY_S) / 3600),
        }
    }
}

/// Values of both sides, in the hours that they share.
struct Held {
    by: By,
    strata: Vec<Stratum>,
    noise: Noise,
    /// By how much neighbours are alike, whatever the number of intervals.
    alike: f64,
    /// Intervals that count, before and after.
    intervals: (usize, usize),
    /// Medians of those.
    levels: (f64, f64),
}

impl Held {
    /// By the hour of the week or of the day where both sides have enough in common, else all together.
    fn of(name: &str, before: &[Point], after: &[Point]) -> Self {
        let long = |points: &[Point]| {
            let times = || points.iter().filter_map(|p| p.begin_s);
            times().max().zip(times().min()).is_some_and(|(a, b)| a - b >= WEEKS_S - DAY_S)
        };
        let by_week = (long(before) && long(after)).then_some(By::HourOfWeek);
        let mut few = None;
        for by in by_week.into_iter().chain([By::HourOfDay]) {
            let held = Self::by(by, name, before, after);
            let having = |points: &[Point]| points.iter().filter(|p| p.values.contains_key(name)).count();
            let enough = |shared: usize, points: &[Point]| 2 * shared >= having(points);
            if !enough(held.intervals.0, before) || !enough(held.intervals.1, after) {
                continue;
            }
            match rank::least_p(&held.strata) {
                least if least <= OF_HOURS => return held,
                least if least <= LEVEL => few = Some(held),
                _ => {}
            }
        }
        let all = Self::by(By::All, name, before, after);
        // What a morning does to neighbours is no likeness of theirs once hours are held against each other.
        match few {
            Some(few) if few.alike <= all.alike => few,
            _ => all,
        }
    }

    fn by(by: By, name: &str, before: &[Point], after: &[Point]) -> Self {
        let mut hours: BTreeMap<i64, Stratum> = BTreeMap::new();
        let valued = |p: &Point| Some((by.hour(p)?, *p.values.get(name)?));
        for (hour, value) in before.iter().filter_map(valued) {
            hours.entry(hour).or_default().before.push(value);
        }
        for (hour, value) in after.iter().filter_map(valued) {
            hours.entry(hour).or_default().after.push(value);
        }
        hours.retain(|_, s| !s.before.is_empty() && !s.after.is_empty());
        let all = |of: fn(&Stratum) -> &Vec<f64>| hours.values().flat_map(of).copied().collect::<Vec<f64>>();
        let (b, a) = (all(|s| &s.before), all(|s| &s.after));
        let mut noise = residues(by, name, before, after, &hours);
        // However alike they are, the sides are two.
        let most = (b.len() + a.len()) as f64 / 2.0;
        let alike = noise.inflation.unwrap_or(1.0);
        noise.inflation = noise.inflation.map(|factor| factor.min(most.max(1.0)));
        Self {
            by,
            noise,
            alike,
            intervals: (b.len(), a.len()),
            levels: (median(&b), median(&a)),
            strata: hours.into_values().collect(),
        }
    }
}

/// Half hours and quarters of an hour have levels of their own where both sides have such intervals.
struct Slots {
    by: By,
    /// Length of one, seconds: that of most intervals of the side of the longer ones, an hour at most.
    width_s: i64,
}

impl Slots {
    fn of(by: By, before: &[Point], after: &[Point]) -> Self {
        let usual = |points: &[Point]| -> i64 {
            let mut lengths: Vec<i64> =
                points.iter().filter_map(|p| Some(p.end_s? - p.begin_s?)).filter(|l| *l > 0).collect();
            lengths.sort_unstable();
            lengths.get(lengths.len() / 2).copied().unwrap_or(HOUR_S)
        };
        Self { by, width_s: usual(before).max(usual(after)).clamp(1, HOUR_S) }
    }

    /// Which one an interval belongs to; snapshots are seconds early or late.
    fn slot(&self, point: &Point) -> Option<i64> {
        match self.by {
            By::All => Some(0),
            _ if self.width_s >= HOUR_S => self.by.hour(point),
            By::HourOfDay => Some(self.nearest(point.begin_s?).rem_euclid(DAY_S)),
            By::HourOfWeek => Some(self.nearest(point.begin_s?).rem_euclid(7 * DAY_S)),
        }
    }

    fn nearest(&self, time: i64) -> i64 {
        (time + self.width_s / 2).div_euclid(self.width_s) * self.width_s
    }

    /// The day (or week) of an interval: what is of one day is neighbours, and tells nothing of the hour's level.
    fn day(&self, point: &Point) -> Option<i64> {
        let begin = point.begin_s?;
        let begin = if self.width_s >= HOUR_S { begin } else { self.nearest(begin) };
        Some(match self.by {
            By::All => begin,
            By::HourOfDay => begin.div_euclid(DAY_S),
            By::HourOfWeek => begin.div_euclid(7 * DAY_S),
        })
    }
}

/// Seconds of an hour.
const HOUR_S: i64 = 3_600;

/// Levels of one hour, or of a part of it: a median of each of its days, before and after.
#[derive(Default)]
struct OfDays {
    sides: [BTreeMap<Option<i64>, Vec<f64>>; 2],
}

impl OfDays {
    fn levels(&self, side: usize) -> Vec<f64> {
        self.sides.get(side).into_iter().flatten().map(|(_, values)| median(values)).collect()
    }

    /// Has each side so many days of it?
    fn days(&self, least: usize) -> bool {
        self.sides.iter().all(|days| days.len() >= least)
    }

    /// The level of each side, of its own days or of those of both.
    fn of_sides(&self, own: bool) -> [f64; 2] {
        let both = || median(&[self.levels(0), self.levels(1)].concat());
        if own { [0, 1].map(|side| median(&self.levels(side))) } else { [both(); 2] }
    }
}

/// What the intervals vary by about the level of their hour and side. Where a side has the hours of one day alone,
/// their level is that of both sides, and what they differ by all together is taken out: two half hours of one day
/// are neighbours, and a level taken from them would take out all that makes them alike.
fn residues(by: By, name: &str, before: &[Point], after: &[Point], hours: &BTreeMap<i64, Stratum>) -> Noise {
    let all = || hours.values().flat_map(|s| s.before.iter().chain(&s.after)).copied();
    let positive = all().all(|v| v > 0.0);
    let slots = Slots::of(by, before, after);
    let (mut of_hours, mut of_slots) = (BTreeMap::<i64, OfDays>::new(), BTreeMap::<i64, OfDays>::new());
    for (side, points) in [before, after].into_iter().enumerate() {
        for point in points {
            let (Some(hour), Some(slot), Some(value)) =
                (by.hour(point).filter(|h| hours.contains_key(h)), slots.slot(point), point.values.get(name))
            else {
                continue;
            };
            for of in [of_hours.entry(hour).or_default(), of_slots.entry(slot).or_default()] {
                if let Some(days) = of.sides.get_mut(side) {
                    days.entry(slots.day(point)).or_default().push(height(*value, positive));
                }
            }
        }
    }
    let days = |side: usize| {
        let of = |o: &OfDays| o.sides.get(side).map_or(0, BTreeMap::len);
        of_hours.values().map(of).sum::<usize>() >= 2 * of_hours.len()
    };
    let own = days(0) && days(1);
    let least = if own { 2 } else { 1 };
    let levels = |of: &BTreeMap<i64, OfDays>| -> BTreeMap<i64, [f64; 2]> {
        of.iter().map(|(key, days)| (*key, days.of_sides(own))).collect()
    };
    let by_slot = of_slots.iter().filter(|(_, days)| days.days(least)).map(|(slot, _)| *slot);
    let known: BTreeSet<i64> = by_slot.collect();
    let (of_hours, of_slots) = (levels(&of_hours), levels(&of_slots));
    let side = |points: &[Point], side: usize| -> Vec<Vec<f64>> {
        let left = |p: &Point| -> Option<f64> {
            let slot = slots.slot(p).filter(|slot| known.contains(slot));
            let of_slot = slot.and_then(|slot| of_slots.get(&slot));
            let of_hour = of_hours.get(&by.hour(p)?)?;
            Some(height(*p.values.get(name)?, positive) - of_slot.unwrap_or(of_hour).get(side)?)
        };
        let known: Vec<f64> = points.iter().filter_map(left).collect();
        let mut rounded = about(&known, median(&known), positive).into_iter();
        let of_points: Vec<Option<f64>> =
            points.iter().map(|p| left(p).and_then(|_| rounded.next())).collect();
        runs(points, |at| of_points[at])
    };
    let mut found = side(before, 0);
    found.extend(side(after, 1));
    noise(&found)
}

/// Several intervals against several.
pub(super) fn over_intervals(name: &str, unit: &'static str, before: &[Point], after: &[Point]) -> Test {
    let other_days = weekends(before, after).is_some();
    let held = Held::of(name, before, after);
    let inflation = held.noise.inflation;
    let shift = rank::shift(&held.strata, held.noise);
    let (n, m) = held.intervals;
    let least_p = rank::least_p(&held.strata);
    let hours = match held.by {
        By::All => "",
        By::HourOfDay => ", each against those of its hour of the day",
        By::HourOfWeek => ", each against those of its hour of the week",
    };
    let (verdict, mut because) = match shift {
        None => (Outcome::TooFew, "no values".to_owned()),
        Some(_) if least_p > LEVEL => (
            Outcome::TooFew,
            format!(
                "{n} and {m} intervals cannot reach p < {LEVEL}, whatever they show (at best {})",
                words::significant(least_p)
            ),
        ),
        Some(s) if s.p_value < LEVEL && other_days => (
            Outcome::OtherDays,
            format!(
                "{} over {n} and {m} intervals{hours}, of other days of the week: a change is not told apart from what these do",
                p_said(s.p_value)
            ),
        ),
        Some(s) if s.p_value < LEVEL => (
            if s.shift > 0.0 { Outcome::Rose } else { Outcome::Fell },
            format!("{} over {n} and {m} intervals{hours}", p_said(s.p_value)),
        ),
        // Apart in every pair, and so alike that no ranks could have shown it.
        Some(s) if s.most_p >= LEVEL && (s.superiority <= 0.0 || s.superiority >= 1.0) => (
            Outcome::TooFew,
            format!(
                "{n} and {m} intervals{hours} differ in every pair, and are so alike among neighbours that they cannot reach p < {LEVEL}, whatever they show ({})",
                p_said(s.p_value)
            ),
        ),
        Some(s) => (
            Outcome::NotShown,
            format!(
                "{} over {n} and {m} intervals{hours}: sides between which nothing changed differ as much in up to {:.0} of 100 cases",
                p_said(s.p_value),
                (100.0 * s.p_value).max(1.0).ceil().min(100.0)
            ),
        ),
    };
    if shift.is_some_and(|s| s.by_means) {
        because
            .push_str("; so many intervals are equal that the change and its bounds are those of the means");
    }
    match inflation {
        Some(f) if f > 1.0 => because.push_str(&format!(
            "; consecutive intervals may be alike, so {} count as at least {}",
            n + m,
            words::significant((n + m) as f64 / f)
        )),
        Some(_) => {}
        None => because
            .push_str("; too few consecutive intervals to see how alike they are: taken as independent"),
    }
    // What is not shown may be nothing: its interval says so, too.
    let interval = shift.map_or(Interval::exact(f64::NAN), |s| match verdict {
        Outcome::NotShown | Outcome::TooFew | Outcome::OtherDays => {
            Interval::between(s.interval.low.min(0.0), s.interval.high.max(0.0))
        }
        _ => s.interval,
    });
    Test {
        metric: name.to_owned(),
        unit,
        before: held.levels.0,
        after: held.levels.1,
        effect: shift.map_or(f64::NAN, |s| s.shift),
        interval,
        confidence_pct: shift.map(|s| s.confidence_pct),
        p_value: shift.map(|s| s.p_value),
        superiority: shift.map(|s| s.superiority),
        least_p: Some(least_p),
        likeness_measured: inflation.is_some(),
        independent: inflation.map(|f| (n + m) as f64 / f.max(1.0)),
        intervals: (n, m),
        verdict,
        because,
    }
}

/// Shares of the time of each side that lie on Saturdays and Sundays, percent, where these differ by more than
/// [`OTHER_DAYS_PCT`]; `None` where they do not, or both sides have two weeks, whose hours are held against
/// each other.
pub(super) fn weekends(before: &[Point], after: &[Point]) -> Option<(f64, f64)> {
    let times = |points: &[Point]| -> Vec<(i64, i64)> {
        points.iter().filter_map(|p| Some((p.begin_s?, p.end_s?))).filter(|(b, e)| b < e).collect()
    };
    let (before, after) = (times(before), times(after));
    let long = |of: &[(i64, i64)]| {
        let (first, last) = (of.iter().map(|s| s.0).min(), of.iter().map(|s| s.1).max());
        first.zip(last).is_some_and(|(a, b)| b - a >= WEEKS_S - DAY_S)
    };
    if before.is_empty() || after.is_empty() || long(&before) && long(&after) {
        return None;
    }
    let share = |of: &[(i64, i64)]| {
        let (mut weekend, mut all) = (0, 0);
        for (begin, end) in of {
            all += end - begin;
            for day in begin.div_euclid(DAY_S)..=(end - 1).div_euclid(DAY_S) {
                if is_weekend(day * DAY_S) {
                    weekend += (*end).min((day + 1) * DAY_S) - (*begin).max(day * DAY_S);
                }
            }
        }
        100.0 * weekend as f64 / all.max(1) as f64
    };
    let (b, a) = (share(&before), share(&after));
    ((b - a).abs() >= OTHER_DAYS_PCT).then_some((b, a))
}

/// Sides whose shares of weekends differ by as much are of other days.
const OTHER_DAYS_PCT: f64 = 25.0;

/// Half of a tenth of a millisecond.
const TENTH_US: f64 = 50.0;

fn one_each(
    name: &str,
    unit: &'static str,
    before: f64,
    after: f64,
    sb: &SideTotal,
    sa: &SideTotal,
    latency: &[LatencyChange],
) -> Test {
    let rounding = |side: &SideTotal| -> Option<Amount> {
        let length = side.elapsed_s.map(|s| Amount { value: s, low: (s - 1.0).max(s / 2.0), high: s + 1.0 });
        match name {
            "DB time a second" => Some(side.db_time_s?.over(length?)),
            "DB CPU a second" => Some(side.cpu_s?.over(length?)),
            "read requests a second" | "write requests a second" => {
                let counted = name.trim_end_matches(" a second");
                let (total, hidden) = (side.total(counted)?, *side.slack.get(counted)?);
                Some(Amount { value: total, low: total - hidden, high: total + hidden }.over(length?))
            }
            "DB time a transaction" => Some(side.db_time_s?.over(Amount::exact(side.total("transactions")?))),
            _ => None,
        }
    };
    // A metric is printed in tenths of a millisecond.
    let mean_of = |value: f64, side: &SideTotal, printed: Option<Interval>| {
        let by_metric = name == "single-block read" && side.reads_by_metric;
        if by_metric { Some(Interval::between(value - TENTH_US, value + TENTH_US)) } else { printed }
    };
    let event = match name {
        "single-block read" => latency.iter().find(|l| crate::is_single_block_read(&l.event)),
        "log write" => latency.iter().find(|l| l.event == "log file parallel write"),
        "commit wait" => latency.iter().find(|l| l.event == "log file sync"),
        _ => None,
    };
    let effect = after - before;
    let mut interval = Interval::exact(effect);
    let mut confidence_pct = None;
    let mut because = String::from("one interval each: how much such intervals vary is not known");
    let mut known = false;
    if let (Some(b), Some(a)) = (rounding(sb), rounding(sa)) {
        interval = Interval { low: a.low - b.high, high: a.high - b.low };
        because.push_str("; the bounds are those of rounding");
        known = true;
    }
    if let Some(l) = event
        && let (Some(b), Some(a)) =
            (mean_of(before, sb, l.before.avg_us_bounds), mean_of(after, sa, l.after.avg_us_bounds))
    {
        let errors = l.before.standard_error_us.zip(l.after.standard_error_us);
        let slack = errors.map_or(0.0, |(b, a)| 1.96 * b.hypot(a));
        interval = Interval { low: a.low - b.high - slack, high: a.high - b.low + slack };
        confidence_pct = errors.map(|_| 95.0);
        because.push_str(if errors.is_some() {
            "; the bounds are those of rounding and of the spread of the waits, taken as independent"
        } else {
            "; the bounds are those of rounding"
        });
        known = true;
    }
    if !known {
        because.push_str("; the printed rates are taken as exact");
    }
    let verdict =
        if interval.low <= 0.0 && interval.high >= 0.0 { Outcome::NotShown } else { Outcome::OneEach };
    Test {
        metric: name.to_owned(),
        unit,
        before,
        after,
        effect,
        interval,
        confidence_pct,
        p_value: None,
        superiority: None,
        least_p: None,
        likeness_measured: false,
        independent: None,
        intervals: (1, 1),
        verdict,
        because,
    }
}
