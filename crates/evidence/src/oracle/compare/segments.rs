//! Segments of a period.
//!
//! Printed as `Top Segments Comparison by ...`: the value, its share of the total and of what the
//! section captured; totals of both periods are said above the table.

use super::statements::of_period;
use crate::grid::{Column, Grid, fold};
use crate::oracle::context::Context;
use crate::oracle::sections::segments;
use spindle_facts::{Period, SegmentStat};

const NAMES: &[&str] =
    &["owner", "tablespace", "tablespacename", "objectname", "subobjectname", "type", "objtype"];

pub(super) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = context.title;
    let Some((ranked_by, _)) = segments::ranking(&super::ordinary_title(folded)) else { return 0 };
    let at = |keys: &[&str]| grid.column(keys);
    let object = at(&["objectname"]);
    let is_value = |c: &Column| !NAMES.contains(&c.key()) && !c.key().is_empty() && !c.key().starts_with('%');
    let mut values = (0..grid.columns.len()).filter(|at| is_value(&grid.columns[*at]));
    let (value, other) = (values.next(), values.next());
    if object.is_none() || value.is_none() {
        return 0;
    }
    if other.is_some() && !grid.is_empty() {
        let message = "a column that no known release prints stands beside the values".to_owned();
        context.note(Some(grid.row_line(0)), message, "the values are taken as unknown");
    }
    let value = value.filter(|_| other.is_none());
    let share = grid.columns.iter().position(|c| c.key().starts_with("%oftotal"));
    let second = context.report.identity.period == Some(Period::Second);
    let said = |wanted: &dyn Fn(&str) -> bool| {
        let remark = grid.remarks.iter().find(|(_, t)| wanted(&fold(t.trim_start_matches("->"))))?;
        of_period(&remark.1, second)
    };
    let section_total = said(&|t| t.starts_with("total") && !t.contains("time") && t.contains("first"));
    let captured_pct = said(&|t| t.starts_with("captured") && t.contains("as%oftotal"));
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = SegmentStat {
            line: grid.row_line(row),
            section: context.section,
            ranked_by,
            owner: context.name(grid, row, at(&["owner"])),
            tablespace: context.name(grid, row, at(&["tablespacename", "tablespace"])),
            object: context.name(grid, row, object),
            subobject: context.name(grid, row, at(&["subobjectname"])),
            object_type: context.name(grid, row, at(&["objtype", "type"])),
            value: context.count(grid, row, value),
            share_pct: context.count(grid, row, share),
            captured_pct,
            section_total,
            ..SegmentStat::default()
        };
        context.tables().segment_stat.push(line);
        rows += 1;
    }
    rows
}
