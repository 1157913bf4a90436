//! Seconds of the leading events in text of 11.2.0.4, whose column (`Tota Time`) is four characters wide: what is
//! printed there is cut off behind the fourth, and `12.3` may be 12.3 s, or 12.3K with its unit cut.
//!
//! Waits with their printed mean, and the share with DB time, tell which: a row is read where one scale agrees with
//! them, and is unknown elsewhere.
//! Source: AWR reports of 11.2.0.4 in text and HTML of the same snapshots.

use crate::cell::{Cell, Habits, Printed, Unit, read as read_cell};

/// The key of the column's heading.
pub(super) const HEADING: &str = "totatime";

/// How many characters are left of a cell.
const WIDTH: usize = 4;

/// What a row says of its seconds elsewhere.
pub(super) struct Beside {
    pub(super) waits: Option<Printed>,
    /// In microseconds.
    pub(super) mean: Option<Printed>,
    pub(super) share_pct: Option<f64>,
    /// DB time in seconds, at least and at most.
    pub(super) db_time: Option<(f64, f64)>,
}

impl Beside {
    /// The ranges that the seconds must lie in.
    fn ranges(&self) -> impl Iterator<Item = (f64, f64)> {
        let by_mean = self.waits.zip(self.mean).map(|(w, m)| (w.low * m.low / 1e6, w.high * m.high / 1e6));
        // Shares have one digit behind the point, as printed or cut off.
        let by_share = self.share_pct.zip(self.db_time).map(|(share, (low, high))| {
            ((share - 0.05).max(0.0) * low / 100.0, (share + 0.1) * high / 100.0)
        });
        by_mean.into_iter().chain(by_share)
    }
}

/// The seconds of a cell, where what stands beside it leaves one scale.
pub(super) fn seconds(cell: &str, habits: Habits, beside: &Beside) -> Option<Printed> {
    let cell = cell.trim();
    let is_cut = cell.len() >= WIDTH;
    // A point without digits behind it is where the cell was cut.
    let number = cell.strip_suffix(['.', ',']).unwrap_or(cell);
    let Cell::Number(printed) = read_cell(number, Unit::Count, habits) else { return None };
    // Tenths are printed, but for a 0 and for what was cut off.
    let has_unit = number.ends_with(|c: char| c.is_ascii_alphabetic());
    let printed = if number.contains(['.', ',']) || has_unit {
        let digit = 2.0 * (printed.value - printed.low);
        Printed { high: if is_cut { printed.value + digit } else { printed.high }, ..printed }
    } else if is_cut {
        Printed { low: printed.value, high: printed.value + 1.0, ..printed }
    } else {
        let value = printed.value;
        Printed { value, low: (value - 0.05).max(0.0), high: value + 0.05 }
    };
    // A unit stands there already, or there was room for one.
    if has_unit || !is_cut {
        return Some(printed);
    }
    let agrees =
        |scaled: &Printed| beside.ranges().all(|(low, high)| scaled.high >= low && scaled.low <= high);
    beside.ranges().next()?;
    let mut left = [1.0, 1e3, 1e6].into_iter().map(|scale| printed.scaled(scale)).filter(agrees);
    left.next().filter(|_| left.next().is_none())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn exact(value: f64, half: f64) -> Printed {
        Printed { value, low: value - half, high: value + half }
    }

    fn event(waits: f64, mean_ms: f64) -> Beside {
        let mean = exact(mean_ms * 1e3, 500.0);
        Beside { waits: Some(exact(waits, 0.0)), mean: Some(mean), share_pct: None, db_time: None }
    }

    fn read(cell: &str, beside: &Beside) -> Option<(f64, f64, f64)> {
        seconds(cell, Habits::default(), beside).map(|p| (p.low, p.value, p.high))
    }

    /// 14,959 waits of 1 ms printed with 12.7 had no seconds.
    #[test]
    fn waits_and_their_mean_tell_the_scale() {
        let (low, value, high) = read("12.7", &event(14_959.0, 1.0)).unwrap();
        assert!((value - 12.7).abs() < 1e-9 && (low - 12.65).abs() < 1e-9 && (high - 12.8).abs() < 1e-9);
        let (_, thousands, _) = read("12.7", &event(14_959_000.0, 1.0)).unwrap();
        assert!((thousands - 12_700.0).abs() < 1e-6);
        assert_eq!(read("12.7", &event(100.0, 1.0)), None, "neither agrees");
    }

    #[test]
    fn db_time_tells_the_scale_of_cpu() {
        let cpu = |db_time| Beside { waits: None, mean: None, share_pct: Some(88.7), db_time };
        assert_eq!(read("747.", &cpu(Some((842.1, 842.7)))), Some((747.0, 747.0, 748.0)));
        assert_eq!(read("747.", &cpu(Some((500.0, 501.0)))), None);
        assert_eq!(read("747.", &cpu(None)), None, "nothing tells whether a unit was cut off");
        assert_eq!(read("1.2K", &cpu(None)).map(|p| p.1), Some(1_200.0));
        assert_eq!(read("1", &cpu(None)), Some((0.95, 1.0, 1.05)));
        assert_eq!(read("7862", &cpu(Some((8_800.0, 8_900.0)))), Some((7_862.0, 7_862.0, 7_863.0)));
    }

    #[test]
    fn an_overprinted_cell_is_unknown() {
        assert_eq!(read("####", &event(10.0, 1.0)), None);
    }
}
