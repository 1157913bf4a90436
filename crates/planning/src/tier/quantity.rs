//! What tiers need beside the quantities of load: prices, and what may be written.

use spindle_workload::quantity::split;
pub(crate) use spindle_workload::quantity::{bits, bytes, iops, mbps, microseconds, plain, why_not};

/// The number at the end of the text taken for 1, whatever it is: so a unit is known apart from the range. `None` where
/// the text holds no number.
pub(super) fn with_one(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let bare = text.trim_start_matches(['$', '\u{20ac}', '\u{a3}']);
    let currency = text.get(..text.len() - bare.len())?;
    let end =
        bare.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(bare.len());
    let (number, unit) = bare.split_at(end);
    Some((number.parse().ok()?, format!("{currency}1{unit}")))
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
