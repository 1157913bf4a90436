//! Plan tables of AWR SQL reports in HTML: a table of its own for each plan, the depth of an operation
//! as non-breaking blanks before it, which the common reader of tables takes for padding. Programs that save pages
//! anew end lines within cells, put paragraphs there and make headings of cells.

use super::text::plan_hash_of;
use super::{Columns, Plan, Plans};
use crate::grid::without_dash;
use crate::layout::html_table::{squeeze, unescape};
use memchr::memchr_iter;
use std::borrow::Cow;

/// All plans of a page.
pub(crate) fn read(page: &str) -> Plans {
    let mut plans = Plans::default();
    let (mut sql_id, mut plan_hash) = (None, None);
    let mut table: Option<Table> = None;
    let (mut at, mut counted, mut line) = (0, 0, 1_u32);
    let mut cells: Vec<String> = Vec::new();
    let mut in_head = false;
    // Where the text of the open cell goes on.
    let mut cell: Option<usize> = None;
    while let Some(found) = memchr::memchr(b'<', &page.as_bytes()[at..]) {
        let open = at + found;
        let Some(length) = memchr::memchr(b'>', &page.as_bytes()[open..]) else { break };
        let (tag, behind) = (&page[open + 1..open + length], open + length + 1);
        at = behind;
        if let (Some(from), Some(last)) = (cell, cells.last_mut()) {
            last.push_str(&page[from..open]);
            cell = Some(behind);
        }
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or_default();
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted);
        let opens = !tag.starts_with('/');
        if (is("h2") || is("h3")) && opens {
            let end = memchr::memchr(b'<', &page.as_bytes()[behind..]).map_or(page.len(), |e| behind + e);
            let heading = squeeze(&unescape(&page[behind..end]));
            if let Some(id) = heading.strip_prefix("SQL ID:") {
                (sql_id, plan_hash) = (Some(id.trim().to_owned()), None);
            } else if let Some(hash) = plan_hash_of(&heading) {
                plan_hash = Some(hash);
            }
        } else if is("tr") || is("table") {
            cell = None;
            row(&mut plans, &mut table, &mut cells, in_head, (&sql_id, plan_hash), line);
            in_head = false;
            if is("table") {
                end(&mut plans, &mut table);
            } else if opens {
                let lines = memchr_iter(b'\n', &page.as_bytes()[counted..open]).count();
                line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
                counted = open;
            }
        } else if is("td") || is("th") {
            cell = None;
            if opens {
                in_head |= is("th");
                if cells.len() < MOST_CELLS {
                    cells.push(String::new());
                    cell = Some(behind);
                }
            }
        } else if let (Some(_), true, Some(last)) = (cell, is("br") || is("p") || is("div"), cells.last_mut())
        {
            last.push('\n');
        }
    }
    end(&mut plans, &mut table);
    plans
}

/// Plans have fewer columns.
const MOST_CELLS: usize = 64;

/// The table of a plan: rows are read when all are known, since all together tell which blanks indent them.
pub(super) struct Table {
    plan: Plan,
    rows: Vec<(u32, Vec<String>)>,
}

impl Table {
    pub(super) fn new(plan: Plan) -> Self {
        Self { plan, rows: Vec::new() }
    }

    /// Adds the cells of a row, with the blanks before them.
    pub(super) fn push(&mut self, line: u32, cells: Vec<String>) {
        if self.rows.len() < MOST_ROWS {
            self.rows.push((line, cells));
        }
    }

    /// The same where blank cells at the end of a line are lost.
    pub(super) fn push_whole(&mut self, line: u32, mut cells: Vec<String>) {
        if cells.len() < self.plan.columns.count {
            cells.resize(self.plan.columns.count, String::new());
        }
        self.push(line, cells);
    }
}

/// More rows than any plan has.
const MOST_ROWS: usize = 10_000;

fn row(
    plans: &mut Plans,
    table: &mut Option<Table>,
    cells: &mut Vec<String>,
    in_head: bool,
    (sql_id, plan_hash): (&Option<String>, Option<u64>),
    line: u32,
) {
    let cells = std::mem::take(cells);
    if cells.is_empty() {
        return;
    }
    if in_head {
        let headings: Vec<String> = cells.iter().map(|cell| squeeze(&unescape(cell))).collect();
        if Columns::of(&headings).is_some() || table.is_none() {
            end(plans, table);
            *table = Plan::begin(&headings, sql_id.clone(), plan_hash).map(Table::new);
            return;
        }
    }
    if let Some(table) = table.as_mut() {
        table.push(line, cells);
    }
}

/// Ends the table of a plan.
pub(super) fn end(plans: &mut Plans, table: &mut Option<Table>) {
    let Some(Table { mut plan, rows }) = table.take() else { return };
    let operation = plan.columns.operation;
    // Where operations have blanks that do not break, only those indent them: others a browser does not show.
    let unbroken = rows.iter().any(|(_, cells)| cells.get(operation).is_some_and(|cell| indent(cell).0 > 0));
    for (line, cells) in rows {
        let cells: Vec<String> = cells.iter().map(|cell| with_indent(cell, unbroken)).collect();
        plan.row(line, &cells);
    }
    plans.add(plan);
}

/// The blanks before a cell, those that do not break and others since the last end of a line; and what follows.
fn indent(cell: &str) -> (usize, usize, &str) {
    let (mut unbroken, mut plain) = (0, 0);
    let mut rest = cell;
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = ["&#160;", "&nbsp;", "&#xa0;", "&#xA0;", "\u{a0}"]
            .iter()
            .find_map(|blank| rest.strip_prefix(blank))
        {
            unbroken += 1;
            rest = behind;
            continue;
        }
        match first {
            '\n' | '\r' => plain = 0,
            first if first.is_whitespace() => plain += 1,
            _ => break,
        }
        rest = &rest[first.len_utf8()..];
    }
    (unbroken, plain, rest)
}

/// A cell with the blanks before it that indent it, in one line.
fn with_indent(cell: &str, unbroken: bool) -> String {
    let (own, plain, rest) = indent(cell);
    let words = unescape(rest);
    let words: Cow<'_, str> = if words.contains(['\n', '\r']) { squeeze(&words).into() } else { words };
    let words = without_dash(words.trim().into());
    if words.is_empty() {
        return String::new();
    }
    format!("{}{words}", " ".repeat(if unbroken { own } else { plain }))
}
