//! Numbers with units as people write them for storage.

/// Larger than any of these quantities; beyond it products could overflow.
const LARGEST: f64 = 1e18;

/// A number, nought or more, and the unit behind it, in small letters without blanks.
#[must_use]
pub fn number_and_unit(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    (0.0..LARGEST).contains(&number).then(|| (number, unit.trim().to_lowercase()))
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

/// Microseconds: `200us`, `0.2ms`, `305ns`, `0.01s`.
#[must_use]
pub fn microseconds(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    Some(number * us_of(&unit)?)
}

/// Microseconds of a unit of time.
pub(crate) fn us_of(unit: &str) -> Option<f64> {
    match unit {
        "ns" => Some(1e-3),
        "us" | "\u{b5}s" | "\u{3bc}s" => Some(1.0),
        "ms" => Some(1e3),
        "s" => Some(1e6),
        _ => None,
    }
}

/// MB (10^6 bytes) a second: `500MB/s`, `2GBPS`, `125MiB/s`.
#[must_use]
pub fn mbps(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let unit = unit.strip_suffix("/s").or(unit.strip_suffix("ps"))?;
    let factor = match unit {
        "mb" => 1.0,
        "gb" => 1e3,
        "mib" => 1.048_576,
        "gib" => 1_073.741_824,
        _ => return None,
    };
    Some(number * factor)
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
