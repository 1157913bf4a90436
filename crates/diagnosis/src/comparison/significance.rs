//! Is it real? With several intervals on each side, a rank test; with one each, only what rounding and
//! the spread within the intervals allow one to say.

use super::amount::Amount;
use super::latency::LatencyChange;
use super::points::{MEASURES, Point, runs};
use super::rank;
use super::side::SideTotal;
use crate::words;
use serde::Serialize;
use spindle_facts::Interval;

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
    /// Too few intervals to show anything at this level.
    TooFew,
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
    /// Change: Hodges-Lehmann shift, or the difference of the two.
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
    /// Intervals before and after.
    pub intervals: (usize, usize),
    /// What follows.
    pub verdict: Outcome,
    /// Why, in a sentence.
    pub because: String,
}

/// A probability in words: what is very small is not nothing.
pub(crate) fn p_said(p: f64) -> String {
    if p < LEAST_SAID { format!("p < {LEAST_SAID}") } else { format!("p = {}", words::significant(p)) }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n => f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
    }
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
        if b.is_empty() || a.is_empty() {
            continue;
        }
        found.push(if b.len() == 1 && a.len() == 1 {
            one_each(name, unit, b[0], a[0], before.1, after.1, latency)
        } else {
            let mut all = runs(before.0, name);
            all.extend(runs(after.0, name));
            several(name, unit, &b, &a, &all)
        });
    }
    found
}

fn several(name: &str, unit: &'static str, before: &[f64], after: &[f64], runs: &[Vec<f64>]) -> Test {
    let inflation = rank::inflation(runs);
    let shift = rank::shift(before, after, inflation.unwrap_or(1.0));
    let (n, m) = (before.len(), after.len());
    // The most uneven ranks that there can be.
    let draws = (0..n.min(m)).fold(1.0, |c, i| c * (n + m - i) as f64 / (i + 1) as f64);
    let least_p = 2.0 / draws;
    let (verdict, mut because) = match shift {
        None => (Outcome::TooFew, "no values".to_owned()),
        Some(_) if least_p > LEVEL => (
            Outcome::TooFew,
            format!(
                "{n} and {m} intervals cannot reach p < {LEVEL}, whatever they show (at best {})",
                words::significant(least_p)
            ),
        ),
        Some(s) if s.p_value < LEVEL => (
            if s.shift > 0.0 { Outcome::Rose } else { Outcome::Fell },
            format!("{} over {n} and {m} intervals", p_said(s.p_value)),
        ),
        Some(s) => (
            Outcome::NotShown,
            format!(
                "{} over {n} and {m} intervals: sides between which nothing changed differ as much in {:.0} of 100 cases",
                p_said(s.p_value),
                (100.0 * s.p_value).max(1.0)
            ),
        ),
    };
    match inflation {
        Some(f) if f > 1.0 => because.push_str(&format!(
            "; consecutive intervals are alike, so {} count as about {}",
            n + m,
            words::significant((n + m) as f64 / f)
        )),
        Some(_) => {}
        None => because
            .push_str("; too few consecutive intervals to see how alike they are: taken as independent"),
    }
    Test {
        metric: name.to_owned(),
        unit,
        before: median(before),
        after: median(after),
        effect: shift.map_or(f64::NAN, |s| s.shift),
        interval: shift.map_or(Interval::exact(f64::NAN), |s| s.interval),
        confidence_pct: shift.map(|s| s.confidence_pct),
        p_value: shift.map(|s| s.p_value),
        superiority: shift.map(|s| s.superiority),
        least_p: Some(least_p),
        likeness_measured: inflation.is_some(),
        intervals: (n, m),
        verdict,
        because,
    }
}

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
            "DB time a transaction" => Some(side.db_time_s?.over(Amount::exact(side.total("transactions")?))),
            _ => None,
        }
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
        && let (Some(b), Some(a)) = (l.before.avg_us_bounds, l.after.avg_us_bounds)
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
        intervals: (1, 1),
        verdict,
        because,
    }
}
