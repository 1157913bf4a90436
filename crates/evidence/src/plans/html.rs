//! Plan tables of AWR SQL reports in HTML: a table of its own for each plan, the depth of an operation
//! as non-breaking blanks before it, which the common reader of tables takes for padding.

use super::text::plan_hash_of;
use super::{Plan, Plans};
use crate::layout::html_table::{squeeze, unescape};
use memchr::memchr_iter;

/// All plans of a page.
pub(crate) fn read(page: &str) -> Plans {
    let mut plans = Plans::default();
    let (mut sql_id, mut plan_hash) = (None, None);
    let mut plan: Option<Plan> = None;
    let (mut at, mut counted, mut line) = (0, 0, 1_u32);
    let mut cells: Vec<String> = Vec::new();
    let mut in_head = false;
    while let Some(found) = memchr::memchr(b'<', &page.as_bytes()[at..]) {
        let open = at + found;
        let Some(length) = memchr::memchr(b'>', &page.as_bytes()[open..]) else { break };
        let (tag, behind) = (&page[open + 1..open + length], open + length + 1);
        at = behind;
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let end = || memchr::memchr(b'<', &page.as_bytes()[behind..]).map_or(page.len(), |e| behind + e);
        if name.eq_ignore_ascii_case("h2") || name.eq_ignore_ascii_case("h3") {
            let heading = squeeze(&unescape(&page[behind..end()]));
            if let Some(id) = heading.strip_prefix("SQL ID:") {
                (sql_id, plan_hash) = (Some(id.trim().to_owned()), None);
            } else if let Some(hash) = plan_hash_of(&heading) {
                plan_hash = Some(hash);
            }
        } else if name.eq_ignore_ascii_case("tr") {
            row(&mut plans, &mut plan, &mut cells, in_head, (&sql_id, plan_hash), line);
            let lines = memchr_iter(b'\n', &page.as_bytes()[counted..open]).count();
            line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            counted = open;
            in_head = false;
        } else if name.eq_ignore_ascii_case("td") || name.eq_ignore_ascii_case("th") {
            in_head |= name.eq_ignore_ascii_case("th");
            if cells.len() < 64 {
                cells.push(with_indent(&page[behind..end()]));
            }
        } else if tag.eq_ignore_ascii_case("/table") {
            row(&mut plans, &mut plan, &mut cells, in_head, (&sql_id, plan_hash), line);
            if let Some(plan) = plan.take() {
                plans.add(plan);
            }
        }
    }
    plans
}

fn row(
    plans: &mut Plans,
    plan: &mut Option<Plan>,
    cells: &mut Vec<String>,
    in_head: bool,
    (sql_id, plan_hash): (&Option<String>, Option<u64>),
    line: u32,
) {
    if in_head {
        if let Some(plan) = plan.take() {
            plans.add(plan);
        }
        *plan = Plan::begin(cells, sql_id.clone(), plan_hash);
    } else if let Some(plan) = plan {
        plan.row(line, cells);
    }
    cells.clear();
}

/// A cell with the blanks before it, non-breaking ones too.
fn with_indent(cell: &str) -> String {
    let mut rest = cell;
    let mut indent = 0;
    loop {
        let blank = ["&#160;", "&nbsp;", " ", "\u{a0}"].iter().find_map(|b| rest.strip_prefix(b));
        let Some(behind) = blank else { break };
        indent += 1;
        rest = behind;
    }
    let words = unescape(rest);
    if words.trim().is_empty() { String::new() } else { format!("{}{}", " ".repeat(indent), words.trim()) }
}
