//! What screen and page of a simulated scenario say alike.

use crate::number;
use spindle_workload::{
    Beside, FigureUnit, GivenParameter, PublishedRow, SimulatedFigure, SimulatedFound, SimulatedPoint,
};

/// A figure's value without its unit.
pub(crate) fn value(unit: FigureUnit, value: Option<f64>) -> String {
    let show = |v: f64| match unit {
        FigureUnit::Count => number::count(v),
        FigureUnit::Microseconds => number::ms(v),
        _ => number::measure(unit.shown(v)),
    };
    value.map_or_else(|| number::UNKNOWN.to_owned(), show)
}

/// An interval's bounds without their unit, with a word or sign between.
pub(crate) fn bounds(unit: FigureUnit, (low, high): (f64, f64), between: &str) -> String {
    format!("{}{between}{}", value(unit, Some(low)), value(unit, Some(high)))
}

/// A figure's heading: its name, and its unit where it has one that the name does not say.
pub(crate) fn heading(figure: &SimulatedFigure) -> String {
    match figure.unit.name() {
        "" => figure.name.clone(),
        unit => {
            let said = figure.name.to_lowercase();
            let by_name = said.contains(unit) || (unit == "a second" && said.ends_with("iops"));
            if by_name { figure.name.clone() } else { format!("{}, {unit}", figure.name) }
        }
    }
}

/// A point in few words: its values.
pub(crate) fn point(point: &SimulatedPoint) -> String {
    match point.at.as_slice() {
        [] => "all".to_owned(),
        at => at.iter().map(|v| v.text.as_str()).collect::<Vec<_>>().join(", "),
    }
}

/// A point as published numbers name theirs: a word for itself, a number with what it is of.
pub(crate) fn place(found: &SimulatedFound, point: &SimulatedPoint) -> String {
    let words = found.keys.iter().zip(&point.at).map(|(key, value)| match value.number {
        Some(_) => format!("{} {}", key.label, value.text),
        None => value.text.clone(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// What the words of [`point`] are.
pub(crate) fn keys(found: &SimulatedFound) -> String {
    let labels: Vec<&str> = found.keys.iter().map(|k| k.label.as_str()).collect();
    labels.join(", ")
}

/// Where it comes from, in a line.
pub(crate) fn source(found: &SimulatedFound) -> String {
    let repeats = found.experiment.as_ref().map(|e| format!("Repeats: {e}"));
    let parts: Vec<String> = repeats.into_iter().chain(found.source.clone()).collect();
    parts.join(" - ")
}

/// What was run, in a line.
pub(crate) fn ran(found: &SimulatedFound, done: usize) -> String {
    let points = match found.points.len() {
        all if done < all => format!("{done} of {all}"),
        all => all.to_string(),
    };
    let sweep = match found.keys.as_slice() {
        [] => "one run".to_owned(),
        _ => format!("{points} points over {}", keys(found)),
    };
    format!("Simulated: {sweep}, seed {}. The same seed gives the same figures on any machine.", found.seed)
}

/// What is said of a published number.
pub(crate) fn judged(row: &PublishedRow) -> String {
    let what = match row.beside {
        _ if !row.fitted.is_empty() => "fitted",
        Beside::Published => "",
        Beside::Formula => "formula",
        Beside::Input => "put in",
    };
    let held = match (row.holds(), row.within_pct, row.simulated) {
        (_, _, None) => "not run here".to_owned(),
        (Some(false), Some(pct), _) => format!("NOT within {} %", number::plain(pct)),
        _ if what == "fitted" => "no prediction".to_owned(),
        (Some(true), Some(pct), _) => format!("within {} %", number::plain(pct)),
        _ => "no bound".to_owned(),
    };
    match what {
        "" => held,
        what => format!("{what}, {held}"),
    }
}

/// The difference, signed.
pub(crate) fn difference(row: &PublishedRow) -> String {
    match row.difference_pct {
        Some(pct) if pct.abs() < 0.05 => "0.0 %".to_owned(),
        Some(pct) => format!("{pct:+.1} %"),
        None => number::UNKNOWN.to_owned(),
    }
}

/// Parameters that were fitted, with what they were fitted to.
pub(crate) fn fitted(found: &SimulatedFound) -> Vec<(&GivenParameter, &str)> {
    found.parameters.iter().filter_map(|p| Some((p, p.fitted_to()?))).collect()
}
