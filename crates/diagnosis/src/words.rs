//! Numbers in sentences: three significant digits, thousands separated, one unit.
//!
//! For titles, answers and evidence only; every computed value stays unrounded.

/// A duration as a DBA says it: `110 us`, `0.39 ms`, `11.2 ms`, `1.25 s`.
#[must_use]
pub fn latency(us: f64) -> String {
    if us < 100.0 {
        format!("{} us", significant(us))
    } else if us < 1_000_000.0 {
        format!("{} ms", significant(us / 1e3))
    } else {
        format!("{} s", significant(us / 1e6))
    }
}

/// A range of durations: `0.39 ms to 1.6 ms`, `0.39 ms and more`.
#[must_use]
pub fn between(us: spindle_facts::Interval) -> String {
    if us.high.is_finite() {
        format!("{} to {}", latency(us.low), latency(us.high))
    } else {
        format!("{} and more", latency(us.low))
    }
}

/// Seconds of DB time: `2,963 s`, `0.42 s`.
#[must_use]
pub fn seconds(s: f64) -> String {
    format!("{} s", significant(s))
}

/// Seconds that follow from rounded figures, two digits: `about 6,200 s`.
#[must_use]
pub fn about_seconds(s: f64) -> String {
    let unit = 10_f64.powf(s.abs().max(1.0).log10().floor() - 1.0);
    format!("about {}", seconds((s / unit).round() * unit))
}

/// A share: `41 %`, `0.4 %`, `under 0.1 %`.
#[must_use]
pub fn percent(pct: f64) -> String {
    if pct > 0.0 && pct < 0.05 {
        "under 0.1 %".to_owned()
    } else if pct < 9.95 {
        format!("{} %", trimmed(format!("{pct:.1}")))
    } else {
        format!("{pct:.0} %")
    }
}

/// A share between two: `50 to 53 %`, `41 %` where both read the same.
#[must_use]
pub fn percent_between(low: f64, high: f64) -> String {
    let (low, high) = (percent(low), percent(high));
    if low == high { low } else { format!("{} to {high}", low.trim_end_matches(" %")) }
}

/// A count with thousands separated: `314,903`.
#[must_use]
pub fn count(n: f64) -> String {
    separated(&format!("{n:.0}"))
}

/// Bytes in binary units: `8 KiB`, `1.5 GiB`.
#[must_use]
pub fn bytes(n: f64) -> String {
    const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let (mut value, mut unit) = (n, 0);
    while value.abs() >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", significant(value), UNITS[unit])
}

/// A number by itself, three significant digits, whole above 100: `0.0142`, `7.4`, `12,384`.
#[must_use]
pub fn significant(n: f64) -> String {
    let size = n.abs();
    if !n.is_finite() {
        return "unbounded".to_owned();
    }
    if size >= 99.95 {
        return separated(&format!("{n:.0}"));
    }
    let decimals = match size {
        s if s >= 9.995 => 1,
        s if s >= 0.9995 => 2,
        s if s >= 0.09995 => 3,
        s if s >= 0.009_995 => 4,
        s if s > 0.0 => 5,
        _ => 0,
    };
    trimmed(format!("{n:.decimals$}"))
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn separated(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |d| ("-", d));
    let mut out = String::from(sign);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Two ends of a range that a reader would tell apart: more than a twentieth.
#[must_use]
pub fn differ(least: f64, most: f64) -> bool {
    least < 0.95 * most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_one_unit() {
        assert_eq!(latency(390.6), "0.391 ms");
        assert_eq!(latency(11_200.0), "11.2 ms");
        assert_eq!(latency(64.2), "64.2 us");
        assert_eq!(latency(1_250_000.0), "1.25 s");
        assert_eq!(seconds(2963.0), "2,963 s");
        assert_eq!(about_seconds(6_204.0), "about 6,200 s");
        assert_eq!(percent(40.9), "41 %");
        assert_eq!(percent_between(50.4, 53.2), "50 to 53 %");
        assert_eq!(percent_between(40.9, 41.2), "41 %");
        assert_eq!(percent(0.04), "under 0.1 %");
        assert_eq!(percent(0.0786), "0.1 %", "as reports print it");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(2.0), "2 %");
        assert_eq!(count(314_903.0), "314,903");
        assert_eq!(count(-1_000.0), "-1,000");
        assert_eq!(bytes(8192.0), "8 KiB");
        assert_eq!(significant(f64::INFINITY), "unbounded");
        assert_eq!(significant(0.0), "0");
    }
}
