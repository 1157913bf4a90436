//! Plan tables of AWR SQL reports as a browser copies them: a tab between cells, and before an operation the blanks
//! that do not break, which indent it.

use super::html::{Table, end};
use super::text::plan_hash_of;
use super::{Plan, Plans};

/// All plans of a text.
pub(crate) fn read<'a>(lines: impl Iterator<Item = (u32, &'a str)>) -> Plans {
    let mut plans = Plans::default();
    let (mut sql_id, mut plan_hash) = (None, None);
    let mut table: Option<Table> = None;
    for (number, line) in lines {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        if cells.len() < 2 {
            end(&mut plans, &mut table);
            if let Some(id) = line.trim().strip_prefix("SQL ID:") {
                (sql_id, plan_hash) = (Some(id.trim().to_owned()), None);
            } else if let Some(hash) = plan_hash_of(line.trim()) {
                plan_hash = Some(hash);
            }
            continue;
        }
        match &mut table {
            Some(table) => table.push_whole(number, cells),
            None => {
                let headings: Vec<String> = cells.iter().map(|cell| cell.trim().to_owned()).collect();
                let plan = Plan::begin(&headings, sql_id.clone(), plan_hash);
                table = plan.map(Table::new);
            }
        }
    }
    end(&mut plans, &mut table);
    plans
}
