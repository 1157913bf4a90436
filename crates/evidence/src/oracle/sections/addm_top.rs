//! Findings of ADDM in the AWR summary.
//!
//! Printed as `Top ADDM Findings by Average Active Sessions`, AWR from 12.1. Columns: finding, average
//! active sessions of the task, percent of them that the finding concerns, task. Trap: text clips the
//! headings (`Avg act`, `Percen`).

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::AddmFinding;

pub(crate) const TITLES: &[&str] = &["topaddmfindings*"];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column_starting(&["finding"]);
    let percent = grid.column_starting(&["percen"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(finding), true) = (context.text(grid, row, name), percent.is_some()) else {
            continue;
        };
        let line = AddmFinding {
            line: grid.row_line(row),
            section: context.section,
            finding,
            impact_pct: context.count(grid, row, percent),
            impact_sessions: None,
            impact_s: None,
            description: None,
            recommendation: None,
        };
        context.tables().addm_finding.push(line);
        rows += 1;
    }
    rows
}
