//! Rows kept as printed, with the section they stand in: several sections share one table.

use super::context::{Context, Key, printed_keys};
use crate::Kept;
use crate::cell::split_number;
use crate::grid::Grid;
use spindle_facts::{PrintedRow, SmolStr, Tables, Value};
use std::sync::Arc;

/// Keeps all rows of a table that is shown and that no rule reads, or counts them.
pub(crate) fn keep(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    table: fn(&mut Tables) -> &mut Vec<PrintedRow>,
) -> u32 {
    if context.kept == Kept::ForDiagnosis {
        return context.count_rows(grid, usize::MAX);
    }
    keep_always(grid, context, table)
}

/// Keeps all rows of a table that a rule reads.
pub(crate) fn keep_always(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    table: fn(&mut Tables) -> &mut Vec<PrintedRow>,
) -> u32 {
    let rows = rows(grid, context);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    table(context.tables()).extend(rows);
    count
}

/// All rows of a table.
///
/// A cell that spans columns leaves blanks under the same heading: they are dropped. A marker `*`
/// (outlier) before a number under the same heading gives way to the number. A blank name repeats
/// the one above.
pub(crate) fn rows(grid: &Grid<'_>, context: &mut Context<'_>) -> Vec<PrintedRow> {
    let mut keys = printed_keys(grid);
    let width = (0..grid.len()).map(|r| grid.row(r).len()).max().unwrap_or(0);
    for column in keys.len()..width {
        keys.push(match (column, width) {
            (0, _) => Key::new("name"),
            (1, 2) => Key::new("value"),
            _ => Key::new(format!("column_{}", column + 1)),
        });
    }
    // Durations that carry their unit cell by cell become microseconds.
    for (column, key) in keys.iter_mut().enumerate().take(grid.columns.len()) {
        if !key.text.ends_with("_us")
            && !key.text.ends_with("_ms")
            && is_duration(grid, column, context.habits.decimal_comma)
        {
            *key = Key::new(format!("{}_us", key.text));
        }
    }
    let same = |a: usize, b: usize| {
        let (a, b) = (&grid.columns[a], &grid.columns[b]);
        a.name == b.name && a.group == b.group && !a.name.is_empty()
    };
    let spanned: Vec<usize> = (1..grid.columns.len()).filter(|c| same(c - 1, *c)).collect();
    for column in &spanned {
        let (before, key) = keys.split_at_mut(*column);
        if let (Some(before), Some(key)) = (before.last(), key.first_mut()) {
            key.clone_from(before);
        }
    }
    let title: SmolStr = context.report.section_title(context.section).into();
    let names: Vec<usize> = (0..grid.columns.len().min(3))
        .filter(|c| matches!(grid.columns[*c].key(), "cellname" | "disktype" | "devicetype" | "cell"))
        .collect();
    let mut above: Vec<Option<Value>> = vec![None; names.len()];
    let mut kept = Vec::with_capacity(grid.len());
    let section: Arc<str> = "section".into();
    let mut values = Vec::new();
    for row in 0..grid.len() {
        if grid.row(row).iter().all(|c| c.trim().is_empty()) {
            continue;
        }
        context.printed_cells(grid, row, &keys, None, &mut values);
        let mut cells: Vec<(Arc<str>, Value)> =
            keys.iter().map(|key| key.text.clone()).zip(values.drain(..)).collect();
        for (slot, column) in above.iter_mut().zip(&names) {
            if let Some((_, value)) = cells.get_mut(*column) {
                match (&*value, &slot) {
                    (Value::Null, Some(name)) => *value = name.clone(),
                    _ => *slot = Some(value.clone()),
                }
            }
        }
        for column in spanned.iter().rev() {
            if *column >= cells.len() {
                continue;
            }
            let (key, value) = cells.remove(*column);
            let (_, before) = &mut cells[column - 1];
            let marker = matches!(before, Value::Text(t) if t == "*");
            if value != Value::Null && (marker || *before == Value::Null) {
                *before = value;
            } else if value != Value::Null {
                // The heading spans columns of their own, whose names a page lost.
                let nth = spanned
                    .iter()
                    .filter(|c| *c <= column && keys.get(**c).is_some_and(|k| k.text == key))
                    .count()
                    + 1;
                cells.insert(*column, (format!("{key}_{nth}").into(), value));
            }
        }
        cells.insert(0, (section.clone(), Value::Text(title.clone())));
        let (line, section) = (grid.row_line(row), context.section);
        let instance_number = context.instance(grid, row);
        kept.push(PrintedRow { line, section, instance_number, cells: cells.into() });
    }
    kept
}

/// Does every filled cell of a column carry a unit of time?
fn is_duration(grid: &Grid<'_>, column: usize, decimal_comma: bool) -> bool {
    let mut cells =
        (0..grid.len()).filter_map(|row| grid.cell(row, Some(column))).filter(|c| *c != "*").peekable();
    cells.peek().is_some()
        && cells.all(|cell| {
            split_number(cell, decimal_comma)
                .is_some_and(|(_, rest)| matches!(rest.trim(), "ns" | "us" | "ms" | "s"))
        })
}
