//! Parameters of two periods, of which only what differs is printed.
//!
//! The begin value is blank where it is the end value; the second period is blank where it is as the
//! first. `(DEFAULT)` and `(NULL)` say that the parameter was not set.

use crate::grid::{Column, Grid};
use std::borrow::Cow;

pub(super) fn are_parameters(grid: &Grid<'_>) -> bool {
    grid.columns.iter().any(|c| c.key() == "parametername")
        && grid.columns.iter().any(|c| c.key() == "endsnapvalue")
}

/// Replaces both parts by tables with every value in place.
pub(super) fn fill<'a>(grid: &Grid<'a>, parts: &mut [Grid<'a>; 2]) {
    let at = |group: &str, key: &str| {
        grid.columns.iter().position(|c| c.group_key().starts_with(group) && c.key() == key)
    };
    let name = grid.column(&["parametername"]);
    let columns = [
        [at("1st", "beginsnapvalue"), at("1st", "endsnapvalue")],
        [at("2nd", "beginsnapvalue"), at("2nd", "endsnapvalue")],
    ];
    for part in parts.iter_mut() {
        part.clear_rows();
        part.columns = ["Parameter Name", "Begin value", "End value (if different)"]
            .iter()
            .map(|heading| Column::new("", heading))
            .collect();
    }
    for row in 0..grid.len() {
        let Some(parameter) = name.and_then(|n| grid.row(row).get(n)) else { continue };
        if parameter.trim().is_empty() {
            continue;
        }
        let value = |column: Option<usize>| grid.cell(row, column).map(str::to_owned);
        let mut end_of_first = None;
        for (period, [begin, end]) in columns.iter().enumerate() {
            let end = value(*end).or_else(|| end_of_first.clone());
            let begin = value(*begin).or_else(|| end.clone());
            if period == 0 {
                end_of_first.clone_from(&end);
            }
            let set = |v: &String| v != "(DEFAULT)" && v != "(NULL)";
            let (begin, end) = (begin.filter(set), end.filter(set));
            if begin.is_none() && end.is_none() {
                continue;
            }
            let part = &mut parts[period];
            part.push_cell(parameter.clone());
            let changed = if begin == end { None } else { end };
            part.push_cell(Cow::Owned(begin.unwrap_or_default()));
            part.push_cell(Cow::Owned(changed.unwrap_or_default()));
            part.end_row(grid.row_line(row));
        }
    }
}
