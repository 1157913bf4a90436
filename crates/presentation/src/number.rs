//! Numbers as a person reads them. The only place where a value is rounded.
//!
//! Three significant digits, thousands separated, one unit a column: latencies are milliseconds
//! wherever they are shown, so that no reader ever compares `900 us` with `1 ms` by the digits.

use spindle_facts::Interval;

/// What stands where nothing is known.
pub const UNKNOWN: &str = "-";

/// Digits in groups of three: `1,234,567`.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A value with a fixed number of decimals and grouped thousands.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return UNKNOWN.to_owned();
    }
    let text = if decimals == 0 && value.fract() == 0.0 && value.abs() < 1e15 {
        // A whole number needs no rounding.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and small")]
        let whole = value.abs() as u64;
        whole.to_string()
    } else {
        format!("{:.decimals$}", value.abs())
    };
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), None), |(w, r)| (w, Some(r)));
    let zero = text.bytes().all(|b| b == b'0' || b == b'.');
    let mut out = String::with_capacity(text.len() + 4);
    if value < 0.0 && !zero {
        out.push('-');
    }
    out.push_str(&grouped(whole));
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// Decimals that leave three significant digits; whole digits are never rounded away, so that a
/// reader finds the report's own figure again.
fn decimals(value: f64) -> usize {
    let size = value.abs();
    if size == 0.0 || !size.is_finite() {
        return 0;
    }
    // Rounding may carry into the next decade: 9.999 is 10.0, not 10.00.
    let of = |v: f64| {
        #[allow(clippy::cast_possible_truncation, reason = "a decade fits any integer")]
        let decade = v.log10().floor() as i32;
        (2 - decade).clamp(0, 6)
    };
    let first = of(size);
    let step = 10f64.powi(first);
    usize::try_from(of((size * step).round() / step).min(first)).unwrap_or(0)
}

/// Three significant digits: `11.2`, `0.400`, `7,200`.
#[must_use]
pub fn measure(value: f64) -> String {
    if value != 0.0 && value.abs() < 5e-7 {
        return "<0.000001".to_owned();
    }
    fixed(value, decimals(value))
}

/// As [`measure`], without zeros that say nothing: `10`, `0.5`.
#[must_use]
pub fn plain(value: f64) -> String {
    let text = measure(value);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A count, every digit of it.
#[must_use]
pub fn count(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { measure(value) }
}

/// Percent, to a tenth; what is smaller but not nothing says so.
#[must_use]
pub fn percent(value: f64) -> String {
    if value > 0.0 && value < 0.05 { "<0.1".to_owned() } else { fixed(value, 1) }
}

/// A share as a report prints it, to a hundredth: `3.25`, `94.5`.
#[must_use]
pub fn share_as_printed(value: f64) -> String {
    let text = fixed(value, 2);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Microseconds as milliseconds.
#[must_use]
pub fn ms(us: f64) -> String {
    measure(us / 1000.0)
}

/// A mean as milliseconds; one printed as 0 took something: `<0.5`.
#[must_use]
pub fn mean_ms(mean_us: Option<f64>, bounds: Option<Interval>) -> String {
    match (mean_us, bounds) {
        (Some(0.0), Some(bounds)) if bounds.high > 0.0 && bounds.high.is_finite() => {
            format!("<{}", ms(bounds.high))
        }
        _ => or_unknown(mean_us, ms),
    }
}

/// [`ms`] as printed: no zeros that the report does not print.
#[must_use]
pub fn ms_plain(us: f64) -> String {
    plain(us / 1000.0)
}

/// Bounds with one unit: `2.1-2.9 ms`, `over 1,024 ms`, `2.1 ms` where both print alike.
#[must_use]
pub fn range_ms(us: Interval) -> String {
    let low = plain(us.low / 1000.0);
    if !us.high.is_finite() {
        return format!("over {low} ms");
    }
    let high = plain(us.high / 1000.0);
    if low == high {
        format!("{low} ms")
    } else if us.low <= 0.0 {
        format!("under {high} ms")
    } else {
        format!("{low}-{high} ms")
    }
}

/// Bounds of one quantity: `7,055-7,103`, `over 7,055`, one number where both print alike.
#[must_use]
pub fn range(low: f64, high: f64) -> String {
    let from = measure(low);
    if high.is_nan() || low.is_nan() {
        return UNKNOWN.to_owned();
    }
    if high.is_infinite() {
        return format!("over {from}");
    }
    let to = measure(high);
    if from == to {
        from
    } else if low < 0.0 {
        format!("{from} to {to}")
    } else {
        format!("{from}-{to}")
    }
}

/// As [`range`], of which either end may be open: `at least 7,055`, `at most 52.8`.
#[must_use]
pub fn open_range(low: f64, high: f64) -> String {
    match (low.is_infinite(), high.is_infinite()) {
        (false, false) => range(low, high),
        (false, true) => format!("at least {}", measure(low)),
        (true, false) => format!("at most {}", measure(high)),
        (true, true) => UNKNOWN.to_owned(),
    }
}

/// Bytes as GiB, for columns that keep one unit; what is smaller than shown says so.
#[must_use]
pub fn gib(bytes: f64) -> String {
    let gib = bytes / f64::from(1 << 30);
    if gib > 0.0 && gib < 0.001 { "<0.001".to_owned() } else { measure(gib) }
}

/// Bytes with a binary unit: `8.00 KiB`.
#[must_use]
pub fn bytes(value: f64) -> String {
    let mut size = value;
    for unit in ["bytes", "KiB", "MiB", "GiB", "TiB"] {
        if size.abs() < 1024.0 {
            return format!("{} {unit}", if unit == "bytes" { count(size) } else { measure(size) });
        }
        size /= 1024.0;
    }
    format!("{} PiB", measure(size))
}

/// A length of time: `59 s`, `60.0 min`, `24.0 h`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{} s", plain(seconds))
    } else if seconds < 3.0 * 3600.0 {
        format!("{} min", measure(seconds / 60.0))
    // What is shown as 72.0 h is three days, whether some seconds are missing or too many.
    } else if seconds < 71.95 * 3600.0 {
        format!("{} h", measure(seconds / 3600.0))
    } else {
        format!("{} days", measure(seconds / 86_400.0))
    }
}

/// Something or [`UNKNOWN`].
#[must_use]
pub fn or_unknown(value: Option<f64>, show: fn(f64) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), show)
}

/// ISO 8601 time as people write it: `2024-01-31 10:00`.
#[must_use]
pub fn time(iso: &str) -> String {
    let iso = iso.replacen('T', " ", 1);
    match iso.strip_suffix(":00") {
        Some(minutes) if minutes.len() >= 16 => minutes.to_owned(),
        _ => iso,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_printed_as_nothing_was_nothing() {
        let rounded = Some(Interval { low: 0.0, high: 500.0 });
        assert_eq!(mean_ms(Some(0.0), rounded), "<0.500");
        assert_eq!(mean_ms(Some(0.0), Some(Interval::exact(0.0))), "0");
        assert_eq!(mean_ms(Some(2_000.0), rounded), "2.00");
        assert_eq!(mean_ms(None, None), UNKNOWN);
    }

    #[test]
    fn three_significant_digits_and_no_whole_digit_lost() {
        for (value, text) in [
            (0.0, "0"),
            (0.39, "0.390"),
            (11.24, "11.2"),
            (9.999, "10.0"),
            (0.0999, "0.0999"),
            (0.09996, "0.100"),
            (99.96, "100"),
            (1.234, "1.23"),
            (12_345.6, "12,346"),
            (1_234_567.0, "1,234,567"),
            (-1234.0, "-1,234"),
            (-0.000_000_1, "<0.000001"),
        ] {
            assert_eq!(measure(value), text, "{value}");
        }
    }

    #[test]
    fn ranges_keep_one_unit() {
        assert_eq!(range_ms(Interval { low: 2100.0, high: 2900.0 }), "2.1-2.9 ms");
        assert_eq!(range_ms(Interval { low: 1024e3, high: f64::INFINITY }), "over 1,024 ms");
        assert_eq!(range_ms(Interval { low: 0.0, high: 1024.0 }), "under 1.02 ms");
        assert_eq!(range_ms(Interval::exact(390.0)), "0.39 ms");
    }

    #[test]
    fn ranges_of_any_quantity() {
        assert_eq!(range(7055.2, 7102.9), "7,055-7,103");
        assert_eq!(range(3.0, 3.001), "3.00");
        assert_eq!(range(-5.0, 10.0), "-5.00 to 10.0");
        assert_eq!(range(1.0, f64::INFINITY), "over 1.00");
        assert_eq!(range(f64::NAN, 2.0), "-");
    }

    #[test]
    fn small_but_not_nothing() {
        assert_eq!(gib(65_536.0), "<0.001");
        assert_eq!(gib(0.0), "0");
        assert_eq!(gib(40.0 * 1024.0 * 1024.0 * 1024.0), "40.0");
        assert_eq!(percent(0.01), "<0.1");
        assert_eq!(percent(0.0), "0.0");
        assert_eq!(percent(41.24), "41.2");
        assert_eq!(fixed(-0.01, 1), "0.0");
        assert_eq!(measure(f64::INFINITY), "-");
    }

    #[test]
    fn lengths_and_times() {
        assert_eq!(duration(3600.0), "60.0 min");
        assert_eq!(duration(59.0), "59 s");
        assert_eq!((duration(259_195.0), duration(259_204.0)), ("3.00 days".into(), "3.00 days".into()));
        assert_eq!(duration(258_000.0), "71.7 h");
        assert_eq!(bytes(8192.0), "8.00 KiB");
        assert_eq!(time("2024-01-31T10:00:00"), "2024-01-31 10:00");
        assert_eq!(time("2024-01-31T10:00:07"), "2024-01-31 10:00:07");
    }
}
