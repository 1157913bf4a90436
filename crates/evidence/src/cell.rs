//! One printed cell to a number with the bounds that rounding leaves.

/// How numbers are printed in a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Habits {
    /// `1.234,5` instead of `1,234.5`.
    pub(crate) decimal_comma: bool,
    /// `13,879` prints as `13K` (Statspack, AWR 11.1) instead of `13.9K`: suffixed values are cut,
    /// not rounded.
    pub(crate) suffix_cuts: bool,
}

/// A number as printed: its value and every value that would have been printed the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Printed {
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Nothing, or `N/A`.
    Blank,
    /// `####`: wider than the column.
    Overprinted,
    /// Not of the expected form.
    Other,
    /// A number in the asked unit.
    Number(Printed),
}

impl Cell {
    #[cfg(test)]
    fn printed(self) -> Option<Printed> {
        match self {
            Self::Number(p) => Some(p),
            _ => None,
        }
    }
}

/// What suffixes mean in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unit {
    /// `K M G T P` are powers of 1000.
    Count,
    /// `K M G T P` are powers of 1024; a number without suffix is this many bytes.
    Bytes(f64),
    /// `ns us ms s` to microseconds; a number without suffix is this many microseconds.
    Microseconds(f64),
}

/// Milliseconds, for [`Unit::Microseconds`].
pub(crate) const MS: f64 = 1_000.0;

const POWERS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

/// Reads a cell; see [`Unit`] for suffixes.
pub(crate) fn read(text: &str, unit: Unit, habits: Habits) -> Cell {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Cell::Blank;
    }
    let Some((number, rest)) = split_number(text, habits.decimal_comma) else {
        let bytes = text.as_bytes();
        if bytes.iter().all(|b| *b == b'#') {
            return Cell::Overprinted;
        }
        return match text {
            "N/A" | "n/a" | "-" | "\u{a0}" | "null" | "(null)" => Cell::Blank,
            _ => Cell::Other,
        };
    };
    let rest = rest.trim_ascii();
    let (factor, suffixed) = match (unit, rest) {
        (Unit::Count, "") => (1.0, false),
        (Unit::Bytes(default), "") => (default, false),
        (Unit::Microseconds(default), "") => (default, false),
        (Unit::Count, _) => match thousands(rest, 1000.0) {
            Some(f) => (f, true),
            None => return Cell::Other,
        },
        (Unit::Bytes(_), _) => match thousands(rest, 1024.0) {
            Some(f) => (f, true),
            None => return Cell::Other,
        },
        (Unit::Microseconds(_), _) => match duration(rest) {
            Some(f) => (f, false),
            None => return Cell::Other,
        },
    };
    let half = 0.5 * factor / POWERS[usize::from(number.decimals.min(18))];
    let value = number.times(factor);
    let (low, high) = if suffixed && habits.suffix_cuts {
        (value, value + 2.0 * half)
    } else if number.negative {
        (value - half, value + half)
    } else {
        // `0` can stand for anything below half a unit, never for less than nothing.
        ((value - half).max(0.0), value + half)
    };
    // A whole count without suffix is exact; a scaled or fractional one is rounded.
    let exact = matches!(unit, Unit::Count) && !suffixed && number.decimals == 0;
    let printed =
        if exact { Printed { value, low: value, high: value } } else { Printed { value, low, high } };
    Cell::Number(printed)
}

fn thousands(suffix: &str, base: f64) -> Option<f64> {
    Some(match suffix {
        "B" | "b" => 1.0,
        "K" | "k" | "KB" | "k " => base,
        "M" | "m" | "MB" => base * base,
        "G" | "g" | "GB" => base * base * base,
        "T" | "t" | "TB" => base.powi(4),
        "P" | "p" | "PB" => base.powi(5),
        _ => return None,
    })
}

fn duration(suffix: &str) -> Option<f64> {
    Some(match suffix {
        "ns" => 0.001,
        "us" | "\u{b5}s" => 1.0,
        "ms" => 1_000.0,
        "cs" => 10_000.0,
        "s" | "sec" => 1_000_000.0,
        "m" | "min" | "mi" => 60_000_000.0,
        "h" | "hr" => 3_600_000_000.0,
        _ => return None,
    })
}

/// A decimal number before scaling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal {
    mantissa: u64,
    decimals: u8,
    negative: bool,
    /// Digits dropped from the right because the mantissa was full.
    dropped: u8,
}

impl Decimal {
    pub(crate) fn value(self) -> f64 {
        self.times(1.0)
    }

    /// The value in another unit; `32.3K` is 32,300 to the last bit, as the factor comes first.
    pub(crate) fn times(self, factor: f64) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "printed numbers have at most 18 digits")]
        let v = self.mantissa as f64 * factor / POWERS[usize::from(self.decimals.min(18))]
            * POWERS[usize::from(self.dropped.min(18))];
        if self.negative { -v } else { v }
    }
}

/// Splits a leading number off; `None` where the text does not start with one.
pub(crate) fn split_number(text: &str, decimal_comma: bool) -> Option<(Decimal, &str)> {
    let bytes = text.as_bytes();
    let (group, point) = if decimal_comma { (b'.', b',') } else { (b',', b'.') };
    let mut d = Decimal { mantissa: 0, decimals: 0, negative: false, dropped: 0 };
    let mut i = 0;
    let mut digits = 0_u32;
    let mut in_fraction = false;
    if let Some(sign @ (b'-' | b'+')) = bytes.first() {
        d.negative = *sign == b'-';
        i = 1;
    }
    while let Some(&b) = bytes.get(i) {
        if b.is_ascii_digit() {
            digits += 1;
            if d.mantissa < 100_000_000_000_000_000 {
                d.mantissa = d.mantissa * 10 + u64::from(b - b'0');
                d.decimals += u8::from(in_fraction);
            } else if !in_fraction {
                d.dropped = d.dropped.saturating_add(1);
            }
        } else if b == point && !in_fraction {
            in_fraction = true;
        } else if b == group
            && !in_fraction
            && digits > 0
            && bytes.get(i + 1..i + 4).is_some_and(|g| g.iter().all(u8::is_ascii_digit))
            && !bytes.get(i + 4).is_some_and(u8::is_ascii_digit)
        {
            // A group separator stands before exactly three digits.
        } else {
            break;
        }
        i += 1;
    }
    if digits == 0 {
        return None;
    }
    // `1.02E+09`: SQL*Plus prints wide numbers so.
    if let Some(rest) = text[i..].strip_prefix(['E', 'e'])
        && let Some(end) = exponent_end(rest)
        && let Ok(exponent) = rest[..end].trim_start_matches('+').parse::<i32>()
        && exponent.abs() < 300
    {
        let digits_kept = f64::from(exponent) - f64::from(d.decimals);
        if (0.0..=18.0).contains(&digits_kept) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 18")]
            let dropped = digits_kept as u8;
            return Some((Decimal { decimals: 0, dropped, ..d }, &rest[end..]));
        }
        if (-18.0..0.0).contains(&digits_kept) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 18")]
            let decimals = -digits_kept as u8;
            return Some((Decimal { decimals, ..d }, &rest[end..]));
        }
        return None;
    }
    Some((d, &text[i..]))
}

fn exponent_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let end = start + bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    (end > start).then_some(end)
}

/// Could this be the cell of a number column: a number with at most a short suffix, `#`, blank or
/// `N/A`?
pub(crate) fn looks_numeric(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text == "N/A" || text.bytes().all(|b| b == b'#') {
        return true;
    }
    let comma = split_number(text, true).is_some_and(|(_, r)| short_suffix(r));
    comma || split_number(text, false).is_some_and(|(_, r)| short_suffix(r))
}

fn short_suffix(rest: &str) -> bool {
    let rest = rest.trim();
    rest.len() <= 2 && rest.bytes().all(|b| b.is_ascii_alphabetic() || b == b'%')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn value(text: &str, unit: Unit) -> f64 {
        read(text, unit, Habits::default()).printed().unwrap().value
    }

    #[test]
    fn suffixes_use_the_base_of_their_column() {
        assert_eq!(value("1,234.5K", Unit::Count), 1_234_500.0);
        assert_eq!(value("12,384M", Unit::Bytes(1.0)), 12_384.0 * 1_048_576.0);
        assert_eq!(value(".801M", Unit::Bytes(1.0)), 0.801 * 1_048_576.0);
        assert_eq!(value("0M", Unit::Bytes(1.0)), 0.0);
        assert_eq!(value("109.72us", Unit::Microseconds(MS)), 109.72);
        assert_eq!(value(".00ns", Unit::Microseconds(MS)), 0.0);
        assert_eq!(value("10.35 s", Unit::Microseconds(MS)), 10_350_000.0);
        assert_eq!(value("1000.11ms", Unit::Microseconds(MS)), 1_000_110.0);
        assert_eq!(value("4.0", Unit::Microseconds(MS)), 4_000.0);
        assert_eq!(value("32.3K", Unit::Count), 32_300.0);
        assert_eq!(value(".5", Unit::Count), 0.5);
    }

    #[test]
    fn blanks_overflows_and_words_are_not_numbers() {
        for blank in ["", "  ", "N/A", "\u{a0}"] {
            assert_eq!(read(blank, Unit::Count, Habits::default()), Cell::Blank);
        }
        assert_eq!(read("######", Unit::Count, Habits::default()), Cell::Overprinted);
        assert_eq!(read("SYSTEM", Unit::Count, Habits::default()), Cell::Other);
        assert_eq!(read("12xyz", Unit::Count, Habits::default()), Cell::Other);
    }

    #[test]
    fn bounds_follow_the_last_digit() {
        let p = |t, h| read(t, Unit::Count, h).printed().unwrap();
        let rounds = Habits::default();
        let cuts = Habits { suffix_cuts: true, ..rounds };
        assert_eq!(p("13K", cuts), Printed { value: 13_000.0, low: 13_000.0, high: 14_000.0 });
        let rounded = p("13.9K", rounds);
        assert!((rounded.low - 13_850.0).abs() < 1e-6 && (rounded.high - 13_950.0).abs() < 1e-6);
        assert_eq!(p("314,903", rounds).low, 314_903.0);
        assert_eq!(p("0.0", rounds), Printed { value: 0.0, low: 0.0, high: 0.05 });
    }

    #[test]
    fn decimal_commas() {
        let h = Habits { decimal_comma: true, suffix_cuts: false };
        assert_eq!(read("1.234,5", Unit::Count, h).printed().unwrap().value, 1_234.5);
        assert_eq!(read(",05", Unit::Count, h).printed().unwrap().value, 0.05);
        assert_eq!(read("12.345.678", Unit::Count, h).printed().unwrap().value, 12_345_678.0);
    }

    #[test]
    fn wide_numbers_in_scientific_notation() {
        assert_eq!(value("1.02E+09", Unit::Count), 1_020_000_000.0);
        assert_eq!(value("5.1E-02", Unit::Count), 0.051);
    }
}
