//! Where a value stands on an axis, and which values are written beside it.

use crate::number;

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// From 0 to `max`.
    Linear {
        /// Largest value drawn.
        max: f64,
    },
    /// Logarithmic, both bounds above 0.
    Log {
        /// Smallest value drawn.
        low: f64,
        /// Largest value drawn.
        high: f64,
    },
    /// Seconds since 1970 as printed, without zone, in stretches with breaks between them.
    Time(Vec<Stretch>),
}

/// Part of a time axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// First second.
    pub begin: f64,
    /// Last second.
    pub end: f64,
    /// Position of the first second, 0 to 1.
    pub from: f64,
    /// Position of the last second.
    pub to: f64,
}

/// Width of a break of the time axis, as a share of what is covered.
const BREAK: f64 = 0.035;

/// Numbers within a decade of a logarithmic axis, the fewest first.
const MARKS: [&[f64]; 4] = [
    &[1.0],
    &[1.0, 2.0, 5.0],
    &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
    &[1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0],
];

impl Scale {
    /// From 0 to a round number not below `max`.
    #[must_use]
    pub fn linear_to(max: f64) -> Self {
        let max = if max.is_finite() && max > 0.0 { max } else { 1.0 };
        let step = step(max, 4);
        Self::Linear { max: (max / step - 1e-9).ceil().max(1.0) * step }
    }

    /// Room for all positive values, a little more on each side.
    #[must_use]
    pub fn log_around(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for value in values.filter(|v| v.is_finite() && *v > 0.0) {
            low = low.min(value);
            high = high.max(value);
        }
        (high > 0.0).then(|| Self::Log { low: low / 1.6, high: high * 1.6 })
    }

    /// Position from 0 to 1; what lies outside is put on the edge.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        let share = match *self {
            Self::Linear { max } => value / max,
            Self::Log { low, high } => (value.max(low) / low).ln() / (high / low).ln(),
            Self::Time(ref stretches) => {
                let at = stretches.iter().find(|s| value <= s.end).or(stretches.last());
                at.map_or(0.0, |s| {
                    let share = ((value - s.begin) / (s.end - s.begin)).clamp(0.0, 1.0);
                    s.from + share * (s.to - s.from)
                })
            }
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// A time axis over intervals (begin, end). A gap much longer than all that is covered is
    /// broken, so that a few reports of different weeks can still be seen.
    #[must_use]
    pub fn time_over(spans: &[(f64, f64)]) -> Option<Self> {
        let mut spans: Vec<(f64, f64)> = spans.iter().copied().filter(|(b, e)| b < e).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut merged: Vec<(f64, f64)> = Vec::new();
        for (begin, end) in spans {
            match merged.last_mut() {
                Some(last) if begin <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((begin, end)),
            }
        }
        let covered: f64 = merged.iter().map(|(b, e)| e - b).sum();
        let mut stretches: Vec<(f64, f64)> = Vec::new();
        for (begin, end) in merged {
            match stretches.last_mut() {
                Some(last) if begin - last.1 <= covered * 0.75 => last.1 = end,
                _ => stretches.push((begin, end)),
            }
        }
        let drawn: f64 = stretches.iter().map(|(b, e)| e - b).sum();
        let pause = drawn * BREAK;
        let total = drawn + pause * stretches.len().saturating_sub(1) as f64;
        let mut from = 0.0;
        let mut out = Vec::with_capacity(stretches.len());
        for (begin, end) in stretches {
            let to = from + (end - begin) / total;
            out.push(Stretch { begin, end, from, to });
            from = to + pause / total;
        }
        (!out.is_empty()).then_some(Self::Time(out))
    }

    /// The breaks of a time axis: position of begin and end, seconds left out.
    #[must_use]
    pub fn breaks(&self) -> Vec<(f64, f64, f64)> {
        match self {
            Self::Time(stretches) => {
                stretches.windows(2).map(|w| (w[0].to, w[1].from, w[1].begin - w[0].end)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a time axis counts: names the day where there is only one.
    #[must_use]
    pub fn time_unit(&self) -> String {
        let Self::Time(stretches) = self else { return String::new() };
        let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else { return String::new() };
        let (from, to) = (civil(first.begin), civil(last.end - 1.0));
        if (from.0, from.1, from.2) == (to.0, to.1, to.2) {
            format!("time on {}-{:02}-{:02}", from.0, from.1, from.2)
        } else if from.0 == to.0 {
            format!("time, {}", from.0)
        } else {
            "time".to_owned()
        }
    }

    /// About `wanted` positions with their labels, ascending.
    #[must_use]
    pub fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        match *self {
            Self::Linear { max } => {
                let step = step(max, wanted);
                let mut out = Vec::new();
                let mut n = 0.0;
                while n * step <= max * 1.000_001 {
                    out.push((self.position(n * step), number::plain(n * step)));
                    n += 1.0;
                }
                out
            }
            Self::Log { low, high } => {
                let decades = (high / low).log10();
                let skip = if decades > wanted as f64 { 2 } else { 1 };
                let with = |marks: &[f64]| {
                    let first = low.log10().floor();
                    let mut out = Vec::new();
                    let mut decade = first;
                    while 10f64.powf(decade) <= high {
                        for mark in marks {
                            let value = mark * 10f64.powf(decade);
                            if value >= low * 0.999
                                && value <= high * 1.001
                                && (decade - first) % f64::from(skip) == 0.0
                            {
                                out.push((self.position(value), number::plain(value)));
                            }
                        }
                        decade += 1.0;
                    }
                    out
                };
                let coarse = if decades < 1.3 { 1 } else { 0 };
                let mut best = Vec::new();
                for marks in MARKS.iter().skip(coarse) {
                    let found = with(marks);
                    if found.len() > best.len() {
                        best = found;
                    }
                    // One number says nothing of an axis, and two little.
                    if best.len() > 2 {
                        break;
                    }
                }
                best
            }
            Self::Time(ref stretches) => {
                let mut out: Vec<(f64, String)> = Vec::new();
                let days = stretches.len() > 1;
                for stretch in stretches {
                    let width = stretch.to - stretch.from;
                    let mut candidates = time_ticks(stretch, wanted as f64 * width);
                    if days {
                        candidates.insert(0, stretch.begin);
                    }
                    for t in candidates {
                        let p = self.position(t);
                        // Labels with a date are wider.
                        if out.last().is_none_or(|last| p - last.0 > if days { 0.105 } else { 0.03 }) {
                            let span = stretch.end - stretch.begin;
                            out.push((
                                p,
                                if days {
                                    date_and_time(t)
                                } else {
                                    label(t, step_for(span, wanted as f64), span)
                                },
                            ));
                        }
                    }
                }
                out
            }
        }
    }
}

/// A round step of time that gives at most `wanted` parts.
fn step_for(span: f64, wanted: f64) -> f64 {
    [
        60.0,
        300.0,
        600.0,
        900.0,
        1800.0,
        3600.0,
        7200.0,
        10_800.0,
        14_400.0,
        21_600.0,
        43_200.0,
        86_400.0,
        172_800.0,
        604_800.0,
        1_209_600.0,
        2_592_000.0,
        7_776_000.0,
        31_536_000.0,
    ]
    .into_iter()
    .find(|s| span / s <= wanted)
    .unwrap_or(span)
}

/// Round times inside a stretch.
fn time_ticks(stretch: &Stretch, wanted: f64) -> Vec<f64> {
    let step = step_for(stretch.end - stretch.begin, wanted.max(1.0));
    let mut out = Vec::new();
    let mut t = (stretch.begin / step).ceil() * step;
    while t <= stretch.end && out.len() < 20 {
        out.push(t);
        t += step;
    }
    out
}

/// `03-05 10:00`.
fn date_and_time(t: f64) -> String {
    let (_, month, day, hour, minute) = civil(t);
    format!("{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// A round step that gives about `wanted` parts.
fn step(max: f64, wanted: usize) -> f64 {
    let raw = max / wanted.max(1) as f64;
    let decade = 10f64.powf(raw.log10().floor());
    let lead = raw / decade;
    decade
        * if lead <= 1.0 {
            1.0
        } else if lead <= 2.0 {
            2.0
        } else if lead <= 5.0 {
            5.0
        } else {
            10.0
        }
}

/// Time of day, with the date where the axis spans days.
fn label(t: f64, step: f64, span: f64) -> String {
    let (year, month, day, hour, minute) = civil(t);
    if step >= 86_400.0 {
        if span > 300.0 * 86_400.0 {
            format!("{year}-{month:02}-{day:02}")
        } else {
            format!("{month:02}-{day:02}")
        }
    } else if span > 86_400.0 && hour == 0 && minute == 0 {
        format!("{month:02}-{day:02}")
    } else {
        format!("{hour:02}:{minute:02}")
    }
}

/// Days since 1970-01-01 of a date (H. Hinnant, "chrono-compatible low-level date algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y - era * 400;
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month, day, hour and minute of seconds since 1970.
fn civil(t: f64) -> (i64, i64, i64, i64, i64) {
    #[allow(clippy::cast_possible_truncation, reason = "seconds of a calendar")]
    let seconds = t.floor() as i64;
    let z = seconds.div_euclid(86_400) + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z - era * 146_097;
    let of_year_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_year_era + of_year_era / 4 - of_year_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = of_year_era + era * 400 + i64::from(month <= 2);
    let rest = seconds.rem_euclid(86_400);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1, rest / 3600, rest % 3600 / 60)
}

/// Seconds since 1970 of `2024-01-31T10:00:00`; `None` where it is no such time.
#[must_use]
pub fn seconds_of(iso: &str) -> Option<f64> {
    let number = |range: std::ops::Range<usize>| iso.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute) = (number(11..13)?, number(14..16)?);
    let second = number(17..19).unwrap_or(0);
    ((1..=12).contains(&month) && (1..=31).contains(&day))
        .then(|| (days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second) as f64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn round_numbers_on_the_axes() {
        let labels = |s: Scale, n| s.ticks(n).into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(Scale::linear_to(37.0), 4), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(Scale::Log { low: 0.05, high: 200.0 }, 7), ["0.1", "1", "10", "100"]);
        let t = |s| seconds_of(s).unwrap();
        let day = Scale::time_over(&[(t("2024-02-28T22:00:00"), t("2024-03-01T03:00:00"))]).unwrap();
        assert_eq!(labels(day, 7), ["02-29", "06:00", "12:00", "18:00", "03-01"]);
    }

    #[test]
    fn an_axis_of_few_points_had_one_number_or_none() {
        let labels =
            |low, high| Scale::Log { low, high }.ticks(7).into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(1.6, 4.1), ["2", "3", "4"]);
        assert!(labels(2.1, 4.9).len() > 2 && labels(5.5, 9.0).len() > 2);
        assert!(labels(1.1, 1.9).len() > 2, "{:?}", labels(1.1, 1.9));
        // Where there are enough they stay few.
        assert_eq!(labels(0.05, 200.0), ["0.1", "1", "10", "100"]);
    }

    #[test]
    fn long_gaps_are_broken_and_short_ones_drawn() {
        let hour = 3600.0;
        let axis = Scale::time_over(&[(0.0, hour), (1.5 * hour, 2.5 * hour), (1000.0 * hour, 1001.0 * hour)])
            .unwrap();
        let breaks = axis.breaks();
        assert_eq!(breaks.len(), 1);
        assert!((breaks[0].2 - 997.5 * hour).abs() < 1.0);
        assert_eq!(axis.position(0.0), 0.0);
        assert!((axis.position(1001.0 * hour) - 1.0).abs() < 1e-9);
        assert!(axis.position(2.5 * hour) < axis.position(1000.0 * hour));
        assert!(Scale::time_over(&[(5.0, 5.0)]).is_none());
    }

    #[test]
    fn positions_stay_on_the_axis() {
        let log = Scale::Log { low: 1.0, high: 100.0 };
        assert!((log.position(10.0) - 0.5).abs() < 1e-12);
        assert_eq!(log.position(0.0), 0.0);
        assert_eq!(log.position(1e9), 1.0);
        assert_eq!(Scale::linear_to(0.0), Scale::Linear { max: 1.0 });
        assert!(Scale::log_around([0.0, f64::NAN].into_iter()).is_none());
    }

    #[test]
    fn calendar_and_seconds_agree() {
        assert_eq!(seconds_of("1970-01-02T00:00:00"), Some(86_400.0));
        assert_eq!(seconds_of("2024-02-29T12:30:00"), Some(1_709_209_800.0));
        assert_eq!(civil(1_709_209_800.0), (2024, 2, 29, 12, 30));
        assert_eq!(seconds_of("29-FEB-24 12:30"), None);
    }
}
