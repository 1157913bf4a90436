//! Numbers with units as people write them for storage.

/// Larger than any of these quantities; beyond it products could overflow.
const LARGEST: f64 = 1e18;

/// A positive number and the unit behind it, in small letters without blanks.
fn split(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    (number > 1e-9 && number < LARGEST).then(|| (number, unit.trim().to_lowercase()))
}

/// Bytes: `400G`, `1.5T`, `300GB`, `2TiB`. As databases count: K, M, G, T, P are powers of 1,024, with
/// or without `B` or `iB`.
pub(crate) fn bytes(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let prefix = unit.strip_suffix("ib").or(unit.strip_suffix('b')).unwrap_or(&unit);
    let power = ["k", "m", "g", "t", "p"].iter().position(|p| *p == prefix)?;
    let bytes = number * 1024_f64.powi(i32::try_from(power).ok()? + 1);
    (bytes < 2_f64.powi(62)).then_some(bytes)
}

/// Microseconds: `200us`, `0.2ms`, `305ns`, `0.01s`.
pub(crate) fn microseconds(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let factor = match unit.as_str() {
        "ns" => 1e-3,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1.0,
        "ms" => 1e3,
        "s" => 1e6,
        _ => return None,
    };
    Some(number * factor)
}

/// MB (10^6 bytes) a second: `500MB/s`, `2GBPS`, `125MiB/s`.
pub(crate) fn mbps(text: &str) -> Option<f64> {
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
pub(crate) fn iops(text: &str) -> Option<f64> {
    split(text).filter(|(_, unit)| unit == "iops").map(|(number, _)| number)
}

/// A price with its currency: `$1200`, `1200EUR`, `1200 $`.
pub(super) fn price(text: &str) -> Option<f64> {
    let text = text.trim();
    let bare = text.trim_start_matches(['$', '\u{20ac}', '\u{a3}']);
    let (number, unit) = split(bare)?;
    let named = ["$", "\u{20ac}", "\u{a3}", "usd", "eur", "gbp", "chf"].contains(&unit.as_str());
    ((bare.len() < text.len() && unit.is_empty()) || named).then_some(number)
}

/// Days over which a drive write per day is rated: five years.
const RATED_DAYS: f64 = 5.0 * 365.0;

/// Bytes that may be written: `3.5PBW`, `1000TBW` (powers of 1,000, as data sheets have it), `3DWPD`
/// (the capacity so many times a day over five years).
pub(super) fn endurance(text: &str, capacity_bytes: f64) -> Option<f64> {
    let (number, unit) = split(text)?;
    match unit.as_str() {
        "tbw" => Some(number * 1e12),
        "pbw" => Some(number * 1e15),
        "dwpd" => Some(number * capacity_bytes * RATED_DAYS),
        _ => None,
    }
}

/// A number without a unit.
pub(crate) fn plain(text: &str) -> Option<f64> {
    split(text).filter(|(_, unit)| unit.is_empty()).map(|(number, _)| number)
}
