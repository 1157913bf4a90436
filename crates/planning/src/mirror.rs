//! A mirror of which reads take the faster half (experiment E8): how many times faster by the times
//! that somebody measured, by the rates that he states, and how far the two are apart.
//!
//! A rate quoted beside a time is often rounded, or a peak. What the times and the number of I/Os imply
//! is the mean; where a stated rate is another, both are shown and neither is taken for the other.

/// What was reported of one half: its time for all I/Os, and its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Reported {
    pub elapsed_s: f64,
    pub stated_iops: f64,
}

/// One half, with what its time implies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half {
    /// As reported.
    pub reported: Reported,
    /// I/Os over the time.
    pub implied_iops: f64,
    /// Time that the stated rate would take.
    pub time_at_stated_s: f64,
    /// Stated rate above (below: negative) the implied one, percent of the implied one.
    pub stated_off_pct: f64,
}

/// How much faster the fast half is, by times and by rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// Time on the slow half over time on the fast half.
    pub by_times: f64,
    /// Stated rate of the fast half over that of the slow half.
    pub by_rates: f64,
    /// The slow half.
    pub slow: Half,
    /// The fast half.
    pub fast: Half,
}

impl std::fmt::Display for Speedup {
    /// Times and rates side by side, and what they disagree by.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use spindle_diagnosis::words::count;
        let row = |f: &mut std::fmt::Formatter<'_>, what: &str, cells: [String; 3]| {
            let [slow, fast, times] = cells;
            writeln!(f, "{}", format!("{what:<36}{slow:>12}{fast:>12}{times:>14}").trim_end())
        };
        let both = |of: fn(&Half) -> String| [of(&self.slow), of(&self.fast)];
        let of = |of: fn(&Half) -> String, times: Option<f64>| {
            let [slow, fast] = both(of);
            [slow, fast, times.map_or(String::new(), |t| format!("{t:.1}"))]
        };
        row(f, "", ["slow half".into(), "fast half".into(), "times faster".into()])?;
        let by_times = Some(self.by_times);
        row(f, "reported time, s", of(|h| format!("{:.1}", h.reported.elapsed_s), by_times))?;
        row(f, "I/Os a second by that time", of(|h| count(h.implied_iops), by_times))?;
        row(f, "stated I/Os a second", of(|h| count(h.reported.stated_iops), Some(self.by_rates)))?;
        row(
            f,
            "time at the stated rate, s",
            of(|h| format!("{:.1}", h.time_at_stated_s), Some(self.by_rates)),
        )?;
        row(f, "stated rate against that of the time", of(|h| format!("{:+.1} %", h.stated_off_pct), None))
    }
}

/// Seconds that so many I/Os take at a rate; `None` without a rate.
#[must_use]
pub fn elapsed_s(ios: f64, iops: f64) -> Option<f64> {
    positive(ios).zip(positive(iops)).map(|(ios, iops)| ios / iops)
}

/// Mean rate of so many I/Os in a time; `None` without a time.
#[must_use]
pub fn iops(ios: f64, elapsed_s: f64) -> Option<f64> {
    positive(ios).zip(positive(elapsed_s)).map(|(ios, s)| ios / s)
}

/// Both ratios and their disagreement, from the same number of I/Os on either half.
///
/// Missing: `None` where a figure is not above zero.
#[must_use]
pub fn speedup(ios: f64, slow: Reported, fast: Reported) -> Option<Speedup> {
    let half = |reported: Reported| {
        let implied_iops = iops(ios, reported.elapsed_s)?;
        Some(Half {
            reported,
            implied_iops,
            time_at_stated_s: elapsed_s(ios, reported.stated_iops)?,
            stated_off_pct: 100.0 * (reported.stated_iops / implied_iops - 1.0),
        })
    };
    Some(Speedup {
        by_times: slow.elapsed_s / fast.elapsed_s,
        by_rates: fast.stated_iops / slow.stated_iops,
        slow: half(slow)?,
        fast: half(fast)?,
    })
}

fn positive(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}
