//! Numbers with units as people write them for storage.

/// Larger than any of these quantities; beyond it products could overflow.
const LARGEST: f64 = 1e18;

/// A number, nought or more, and the unit behind it, in small letters without blanks.
#[must_use]
pub fn number_and_unit(text: &str) -> Option<(f64, String)> {
    as_written(text).map(|(number, unit)| (number, unit.to_lowercase()))
}

/// The same with the unit as it is written: `b` and `B` differ by a factor of eight.
fn as_written(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    (0.0..LARGEST).contains(&number).then(|| (number, unit.trim()))
}

/// A number above zero and its unit.
#[must_use]
pub fn split(text: &str) -> Option<(f64, String)> {
    number_and_unit(text).filter(|(number, _)| *number > 1e-9)
}

/// Why a text is none of the quantities here, where it is none.
#[must_use]
pub fn why_not(text: &str) -> String {
    match number_and_unit(text) {
        None => "it does not begin with a number from 0 to 1e18".to_owned(),
        Some((number, _)) if number <= 1e-9 => "it has to be above zero".to_owned(),
        Some((_, unit)) if unit.is_empty() => "its unit is missing".to_owned(),
        Some((_, unit)) => format!("its unit, `{unit}`, is not known or gives too much"),
    }
}

/// Bytes: `400G`, `1.5T`, `300GB`, `2TiB`. K, M, G, T, P, alone or with `iB`, are powers of 1,024, as
/// databases count; with `B` powers of 1,000, as devices are sold.
#[must_use]
pub fn bytes(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let (prefix, base) = match (unit.strip_suffix("ib"), unit.strip_suffix('b')) {
        (Some(prefix), _) => (prefix, 1024_f64),
        (None, Some(prefix)) => (prefix, 1000.0),
        (None, None) => (unit.as_str(), 1024.0),
    };
    let power = ["k", "m", "g", "t", "p"].iter().position(|p| *p == prefix)?;
    let bytes = number * base.powi(i32::try_from(power).ok()? + 1);
    (bytes < 2_f64.powi(62)).then_some(bytes)
}

/// Microseconds: `200us`, `0.2ms`, `305ns`, `0.01s`, `2min`, `1h`.
#[must_use]
pub fn microseconds(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    us_of(number, &unit)
}

/// Microseconds of so many units of time; `m` alone may be minutes or milliseconds and is none.
pub(crate) fn us_of(number: f64, unit: &str) -> Option<f64> {
    let us = number * us_of_one(unit)?;
    (us < LARGEST * 1e6).then_some(us)
}

fn us_of_one(unit: &str) -> Option<f64> {
    match unit {
        "ns" => Some(1e-3),
        "us" | "\u{b5}s" | "\u{3bc}s" => Some(1.0),
        "ms" => Some(1e3),
        "s" => Some(1e6),
        "min" => Some(60e6),
        "h" => Some(3_600e6),
        "d" | "day" | "days" => Some(86_400e6),
        _ => None,
    }
}

/// MB (10^6 bytes) a second: `500MB/s`, `2GBps`, `125MiB/s`; bits are none.
#[must_use]
pub fn mbps(text: &str) -> Option<f64> {
    bytes_a_second(text).map(|bytes| bytes / 1e6).filter(|mb| *mb > 1e-9)
}

/// Prefixes of rates, each a step above the one before.
const PREFIXES: [&str; 3] = ["k", "m", "g"];

/// Bytes a second, nought or more: `500MB/s`, `2GBps`, `125 MiB/s`. `None` for bits, which [`bits`] tells.
#[must_use]
pub fn bytes_a_second(text: &str) -> Option<f64> {
    let (number, unit) = as_written(text)?;
    let (prefix, base) = prefix_and_base(a_second(unit)?.strip_suffix('B')?);
    let step = PREFIXES.iter().position(|p| *p == prefix)?;
    Some(number * base.powi(i32::try_from(step).ok()? + 1))
}

/// What is counted a second.
fn a_second(unit: &str) -> Option<&str> {
    let ends = ["/s", "/S", "ps", "PS", "pS", "Ps"];
    ends.iter().find_map(|end| unit.strip_suffix(end)).map(str::trim_end)
}

fn prefix_and_base(prefix: &str) -> (String, f64) {
    let prefix = prefix.to_lowercase();
    match prefix.strip_suffix('i') {
        Some(binary) => (binary.to_owned(), 1024.0),
        None => (prefix, 1000.0),
    }
}

/// What to write in place of bits a second: networks are sold in `Gb/s`, and taken for bytes that is eight times too
/// much. `None` where the text counts no bits.
///
/// Shape: a clause without a full stop. Source: by IEC 80000-13 and IEEE 1541 `B` are bytes, `b` and `bit` bits; so all
/// small letters (`mb/s`) are refused too, for nobody knows what is meant.
#[must_use]
pub fn bits(text: &str) -> Option<String> {
    let (number, unit) = as_written(text)?;
    let counted = a_second(unit)?;
    let prefix = ["bits", "bit", "Bits", "Bit", "b"].iter().find_map(|end| counted.strip_suffix(end))?;
    let shown = prefix;
    let (prefix, base) = prefix_and_base(prefix);
    let step = PREFIXES.iter().position(|p| *p == prefix)?;
    let infix = if base > 1000.0 { "i" } else { "" };
    let (mut bytes, mut at) = (number / 8.0, step);
    while bytes < 1.0 && at > 0 {
        (bytes, at) = (bytes * base, at - 1);
    }
    let named = |step: usize| match PREFIXES.get(step).copied().unwrap_or_default() {
        "k" if infix.is_empty() => "k".to_owned(),
        prefix => format!("{}{infix}", prefix.to_uppercase()),
    };
    Some(format!(
        "{shown}b counts bits, eight to a byte: write {bytes} {}B/s for so many, or {number} {}B/s where bytes are meant",
        named(at),
        named(step)
    ))
}

/// Requests a second: `16000IOPS`.
#[must_use]
pub fn iops(text: &str) -> Option<f64> {
    split(text).filter(|(_, unit)| unit == "iops").map(|(number, _)| number)
}

/// A number without a unit.
#[must_use]
pub fn plain(text: &str) -> Option<f64> {
    split(text).filter(|(_, unit)| unit.is_empty()).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bits_a_second_were_taken_for_bytes() {
        for (text, write, meant) in [
            ("4Gb/s", "write 500 MB/s", "or 4 GB/s"),
            ("4000Mbps", "write 500 MB/s", "or 4000 MB/s"),
            ("1 Gbps", "write 125 MB/s", "or 1 GB/s"),
            ("8Mb/s", "write 1 MB/s", "or 8 MB/s"),
            ("1 Mbps", "write 125 kB/s", "or 1 MB/s"),
            ("10Gbit/s", "write 1.25 GB/s", "or 10 GB/s"),
            ("8 Gib/s", "write 1 GiB/s", "or 8 GiB/s"),
            ("200mb/s", "write 25 MB/s", "or 200 MB/s"),
        ] {
            assert_eq!((mbps(text), bytes_a_second(text)), (None, None), "{text}");
            let why = bits(text).unwrap();
            assert!(why.contains("bits") && why.contains(write) && why.contains(meant), "{text}: {why}");
        }
    }

    #[test]
    fn minutes_and_hours_were_no_time() {
        assert_eq!((microseconds("2min"), microseconds("0.5 h")), (Some(120e6), Some(1_800e6)));
        for text in ["2m", "2mins", "999999999999999999h", "999999999999999999 d", "0min", "-1h", "min"] {
            assert_eq!(microseconds(text), None, "{text}");
        }
    }

    #[test]
    fn bytes_a_second_are_read_however_they_are_written() {
        for (text, mb) in [
            ("500MB/s", 500.0),
            ("2GBps", 2_000.0),
            ("2GBPS", 2_000.0),
            ("0.5 GB/s", 500.0),
            ("125MiB/s", 131.072),
            ("800 kB/s", 0.8),
            ("1 KiB/s", 0.001_024),
        ] {
            assert!((mbps(text).unwrap() - mb).abs() < 1e-9, "{text}");
            assert_eq!(bits(text), None, "{text}");
        }
        for text in ["500", "500MB", "3ps", "10ms", "5b", "0MB/s", "Gb/s", "-4Gb/s", "4TB/s"] {
            assert_eq!((mbps(text), bits(text)), (None, None), "{text}");
        }
    }
}
