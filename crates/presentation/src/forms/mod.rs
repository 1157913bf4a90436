//! What a form of a measurement found, as tables that screen and page share.

pub(crate) mod hosts;
mod log;
mod rates;
mod scan;
mod slob;
mod trace;
mod zones;

use crate::number;
use spindle_workload::{Figure, Measured};

/// A cell: on a screen, and on a page, where there is room for bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shown {
    pub(crate) short: String,
    pub(crate) long: String,
}

/// A table: the first column names a row, the others hold numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listing {
    pub(crate) title: String,
    /// Heading of the first column.
    pub(crate) what: &'static str,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<(String, Vec<Shown>)>,
    /// The row that is named in what was found.
    pub(crate) marked: Option<usize>,
    /// Sentences below it.
    pub(crate) notes: Vec<String>,
}

/// The tables of a form, most important first; empty where it has none of its own.
pub(crate) fn listings(m: &Measured) -> Vec<Listing> {
    let log = m.log.as_ref().map(log::listings);
    let zones = m.zones.as_ref().map(zones::listings);
    let slob = m.slob.as_ref().map(slob::listings);
    let rates = m.rates.as_ref().map(rates::listings);
    let own = log.or(rates).or(zones).or(slob).or(m.scan.as_ref().map(scan::listings));
    own.unwrap_or_else(|| trace::listings(m))
}

/// Headings of columns.
fn headings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// A text that is the same in both.
fn text(text: String) -> Shown {
    Shown { short: text.clone(), long: text }
}

/// A number without bounds.
fn known(value: Option<f64>, show: fn(f64) -> String) -> Shown {
    text(number::or_unknown(value, show))
}

/// A figure with its bounds.
fn figure(figure: Option<Figure>, show: fn(f64) -> String) -> Shown {
    let short = number::or_unknown(figure.map(|f| f.value), show);
    let long = match figure.and_then(|f| f.bounds()) {
        Some((low, high)) => format!("{short} ({}-{})", show(low), show(high)),
        None => short.clone(),
    };
    Shown { short, long }
}

/// Half of the width of a figure's bounds.
fn half(figure: Option<Figure>) -> Shown {
    known(figure.and_then(|f| f.half_pct()), number::measure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_where_there_is_room() {
        let of = Figure::new(1_500.0, Some((1_400.0, 1_600.0)));
        let shown = figure(Some(of), number::ms);
        assert_eq!((shown.short.as_str(), shown.long.as_str()), ("1.50", "1.50 (1.40-1.60)"));
        assert_eq!(half(Some(of)).short, "6.67");
        assert_eq!(figure(None, number::ms).long, number::UNKNOWN);
        assert_eq!(figure(Some(Figure::new(2.0, None)), number::measure).long, "2.00");
    }
}
