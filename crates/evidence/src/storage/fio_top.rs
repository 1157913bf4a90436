//! Percentiles at the top of fio's histogram, which holds no longer latency: they are no values.
//!
//! fio counts what took longer in its last bucket and prints its middle: 17,112,760,320 ns in 3.x, 16,711,680 us in 2.x
//! (source: its groups of 64 buckets, 29 of nanoseconds and 19 of microseconds). Least, mean and maximum do not come from
//! the histogram, so they tell: a maximum above the last bucket, or a least latency above a percentile.

use super::build::{Build, percentile};
use spindle_workload::LatencyUs;

/// The last bucket, microseconds: where it begins, its middle, where it ends. 3.x and 2.x.
const LAST: [[f64; 3]; 2] =
    [[17_045_651.456, 17_112_760.32, 17_179_869.184], [16_646_144.0, 16_711_680.0, 16_777_216.0]];
/// A bucket is so wide at most, as a share of its value.
const WIDTH: f64 = 1.0 / 64.0;

/// Percentiles as printed, and what else is printed of the latencies that they are of, microseconds.
pub(super) struct Printed<'a> {
    /// By their number, rising.
    pub(super) percentiles: &'a [(f64, f64)],
    /// How far a printed percentile may be from the one that was meant.
    pub(super) slack_us: f64,
    pub(super) least_us: Option<f64>,
    pub(super) most_us: Option<f64>,
}

impl Printed<'_> {
    /// What the percentile is at least, where it is no value.
    fn at_least(&self, us: f64) -> Option<f64> {
        let top = LAST.iter().find(|[_, middle, _]| (us - middle).abs() <= self.slack_us);
        let top = top.filter(|[_, _, end]| self.most_us.is_none_or(|most| most > *end));
        let least = self.least_us.unwrap_or(0.0);
        if let Some([begin, ..]) = top {
            return Some(begin.max(least));
        }
        (us + self.slack_us < least * (1.0 - WIDTH)).then_some(least)
    }

    /// Sets the percentiles that are values; of the others what is known, which is said.
    pub(super) fn set(&self, build: &mut Build, line: u32, name: &str, latency: &mut LatencyUs) {
        let mut clipped: Vec<(f64, f64, f64)> = Vec::new();
        for (pct, us) in self.percentiles {
            let Some(at_least) = self.at_least(*us) else {
                percentile(latency, *pct, *us);
                continue;
            };
            clipped.push((*pct, *us, at_least));
            let key = [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("p999", 99.9)];
            let key = key.into_iter().find(|(_, p)| (p - pct).abs() < 1e-9);
            if let Some(((key, _), most)) = key.zip(self.most_us.filter(|most| *most >= at_least)) {
                latency.intervals.insert(key.to_owned(), (at_least, most));
            }
        }
        let (Some((first, us, at_least)), Some((last, ..))) = (clipped.first(), clipped.last()) else {
            return;
        };
        let which = if clipped.len() == 1 {
            format!("the percentile {first} is printed")
        } else {
            format!("the percentiles {first} to {last} are printed")
        };
        let beside = match (self.least_us.filter(|least| us < least), self.most_us) {
            (Some(least), _) => format!("no request took less than {} s", seconds(least)),
            (None, Some(most)) => format!("the longest request took {} s", seconds(most)),
            (None, None) => "no maximum is printed beside it".to_owned(),
        };
        build.note(
            Some(line),
            format!("`{name}`: {which} as {} s, where fio's histogram ends, and {beside}", seconds(*us)),
            &format!("unknown, at least {} s: no percentile from there on is compared", seconds(*at_least)),
        );
    }
}

fn seconds(us: f64) -> String {
    format!("{:.1}", us / 1e6)
}

/// Does the last bucket of nanoseconds hold a latency longer than it is?
pub(super) fn holds_longer(bins: &[(u64, u64)], most_us: Option<f64>) -> bool {
    let [_, middle, end] = LAST[0];
    let is_last = |ns: u64| (ns as f64 / 1e3 - middle).abs() < 1.0;
    bins.iter().any(|(ns, n)| *n > 0 && is_last(*ns)) && most_us.is_none_or(|most| most > end)
}
