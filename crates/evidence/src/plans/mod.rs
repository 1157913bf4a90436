//! Execution plans as people have them: what `DBMS_XPLAN` prints, and the plan tables of AWR SQL
//! reports, to rows as `V$SQL_PLAN` keeps them.
//!
//! Columns are found by heading. The indent of the operation tells depth and parent. Rows, costs and
//! reads have suffixes of base 1000, bytes and temporary space of base 1024. What is measured (`Starts`,
//! `Reads`) is there only where the statement ran with row-source statistics.

pub(crate) mod copied;
pub(crate) mod html;
pub(crate) mod operation;
pub(crate) mod text;

use crate::cell::{Cell, Habits, Unit, read};
use crate::grid::fold;
use spindle_facts::PlanRow;

/// Plan lines of one file that are kept: bounds memory, far above what anybody pastes.
const MOST_ROWS: usize = 500_000;

/// A plan being read.
pub(crate) struct Plan {
    columns: Columns,
    sql_id: Option<String>,
    plan_hash: Option<u64>,
    rows: Vec<PlanRow>,
    /// Indents of the open rows, with their place in `rows`.
    open: Vec<(usize, usize)>,
}

#[derive(Debug, Default)]
struct Columns {
    count: usize,
    id: usize,
    operation: usize,
    name: Option<usize>,
    starts: Option<usize>,
    rows: Option<usize>,
    bytes: Option<usize>,
    temp: Option<usize>,
    cost: Option<usize>,
    time: Option<usize>,
    queue: Option<usize>,
    in_out: Option<usize>,
    distribution: Option<usize>,
    reads: Option<usize>,
    buffers: Option<usize>,
    partition_start: Option<usize>,
    partition_stop: Option<usize>,
}

impl Columns {
    /// Columns of a heading; `None` where it is not that of a plan.
    fn of<S: AsRef<str>>(headings: &[S]) -> Option<Self> {
        let keys: Vec<String> = headings.iter().map(|h| fold(h.as_ref())).collect();
        let find = |names: &[&str]| keys.iter().position(|k| names.contains(&k.as_str()));
        Some(Self {
            count: keys.len(),
            id: find(&["id"])?,
            operation: find(&["operation"])?,
            name: find(&["name", "objectname", "object"]),
            starts: find(&["starts"]),
            rows: find(&["rows", "erows"]),
            bytes: find(&["bytes", "ebytes"]),
            temp: find(&["tempspc", "etemp"]),
            cost: find(&["cost%cpu", "cost"]),
            time: find(&["time"]),
            queue: find(&["tq"]),
            in_out: find(&["inout"]),
            distribution: find(&["pqdistrib"]),
            reads: find(&["reads"]),
            buffers: find(&["buffers"]),
            partition_start: find(&["pstart"]),
            partition_stop: find(&["pstop"]),
        })
    }
}

impl Plan {
    /// A plan with this heading; `None` where it is not that of a plan.
    fn begin<S: AsRef<str>>(headings: &[S], sql_id: Option<String>, plan_hash: Option<u64>) -> Option<Self> {
        let columns = Columns::of(headings)?;
        Some(Self { columns, sql_id, plan_hash, rows: Vec::new(), open: Vec::new() })
    }

    /// Adds a row; blanks before the operation are its indent. `false` where it is no row of the plan.
    fn row<S: AsRef<str>>(&mut self, line: u32, cells: &[S]) -> bool {
        let columns = &self.columns;
        if cells.len() != columns.count {
            return false;
        }
        let marked = cells[columns.id].as_ref().trim();
        let Ok(id) = marked.trim_start_matches(['*', '-', ' ']).parse::<u32>() else { return false };
        let printed = cells[columns.operation].as_ref();
        let words = printed.trim_start();
        let indent = printed.chars().count() - words.chars().count();
        let words = words.trim_end();
        if words.is_empty() || self.rows.last().is_some_and(|last| last.id >= Some(id)) {
            return false;
        }
        // A part of an adaptive plan that was not used.
        if marked.contains('-') {
            return true;
        }
        self.open.retain(|(other, _)| *other < indent);
        let parent = self.open.last().and_then(|(_, at)| self.rows.get(*at));
        let (operation, options) = operation::split(words);
        let cell = |column: Option<usize>| column.map(|c| cells[c].as_ref().trim()).filter(|c| !c.is_empty());
        let figure = |text: &str, unit| match read(
            text,
            unit,
            Habits { suffix_cuts: Some(false), ..Habits::default() },
        ) {
            Cell::Number(printed) if printed.value >= 0.0 => Some(printed.value),
            _ => None,
        };
        // `302K(100)`: the share of CPU stands behind the cost.
        let number = |column, unit| figure(cell(column)?.split('(').next()?, unit);
        let behind_cost = cell(columns.cost).and_then(|c| c.split_once('(')).map(|(_, pct)| pct);
        let words = |column| cell(column).map(str::to_owned);
        let row = PlanRow {
            line,
            sql_id: self.sql_id.clone(),
            plan_hash: self.plan_hash,
            children: None,
            id: Some(id),
            parent_id: parent.and_then(|p| p.id),
            depth: Some(parent.and_then(|p| p.depth).map_or(0, |d| d + 1)),
            operation: operation.to_owned(),
            options: options.map(str::to_owned),
            object: cell(columns.name).map(str::to_owned),
            cardinality: number(columns.rows, Unit::Count),
            bytes: number(columns.bytes, Unit::Bytes(1.0)),
            cost: number(columns.cost, Unit::Count),
            temp_bytes: number(columns.temp, Unit::Bytes(1.0)),
            cost_cpu_pct: behind_cost.and_then(|pct| figure(pct.trim_end_matches(')'), Unit::Count)),
            time_s: cell(columns.time).and_then(clock),
            table_queue: words(columns.queue),
            in_out: words(columns.in_out),
            distribution: words(columns.distribution),
            partition_start: words(columns.partition_start),
            partition_stop: words(columns.partition_stop),
            measured_reads: number(columns.reads, Unit::Count),
            measured_starts: number(columns.starts, Unit::Count),
            ..PlanRow::default()
        };
        self.open.push((indent, self.rows.len()));
        self.rows.push(row);
        true
    }

    /// Ends the plan: depths count from the statement's own line (id 0), which some formats leave out; the
    /// starts of the first line are the executions that the measurements cover.
    fn end(mut self) -> Vec<PlanRow> {
        let without_statement = self.rows.first().is_some_and(|r| r.id == Some(1));
        // The column of reads is left out where no line read anything.
        let measured = self.columns.reads.is_some() || self.columns.buffers.is_some();
        let executions = self.rows.first().and_then(|r| r.measured_starts);
        // All but one line stand below another: the blanks that indent them are lost.
        let flat = self.rows.len() > 1 && self.rows.iter().all(|r| r.depth == Some(0));
        for row in &mut self.rows {
            if flat && row.id != Some(0) {
                row.depth = None;
            } else if without_statement {
                row.depth = row.depth.map(|d| d + 1);
                row.parent_id = row.parent_id.or(Some(0));
            }
            row.executions = executions;
            // A line that read nothing has a blank.
            if measured && row.measured_starts.is_some() && row.measured_reads.is_none() {
                row.measured_reads = Some(0.0);
            }
        }
        self.rows
    }
}

/// Seconds of `01:00:29`.
fn clock(text: &str) -> Option<f64> {
    text.split(':').try_fold(0.0, |total, part| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        Some(total * 60.0 + part.parse::<f64>().ok().filter(|_| digits)?)
    })
}

/// Plans read so far, the same plan of several child cursors once.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    pub(crate) rows: Vec<PlanRow>,
    /// Where the plan of a statement begins in `rows`, and its length.
    known: std::collections::HashMap<(String, u64), (usize, usize)>,
    /// Plans.
    pub(crate) count: u32,
    /// Was the bound on rows reached?
    pub(crate) full: bool,
}

impl Plans {
    fn add(&mut self, plan: Plan) {
        let rows = plan.end();
        if rows.is_empty() {
            return;
        }
        if self.rows.len() + rows.len() > MOST_ROWS {
            self.full = true;
            return;
        }
        self.count += 1;
        let begin = self.rows.len();
        if let (Some(sql_id), Some(hash)) = (rows[0].sql_id.clone(), rows[0].plan_hash) {
            let length = rows.len();
            if let Some((at, known)) = self.known.get(&(sql_id.clone(), hash))
                && *known == length
            {
                let sum = |a: &mut Option<f64>, b: Option<f64>| {
                    *a = match (*a, b) {
                        (Some(x), Some(y)) => Some(x + y),
                        (x, y) => x.or(y),
                    };
                };
                for (row, again) in self.rows[*at..*at + length].iter_mut().zip(rows) {
                    sum(&mut row.executions, again.executions);
                    sum(&mut row.measured_reads, again.measured_reads);
                    sum(&mut row.measured_starts, again.measured_starts);
                    row.children = row.children.map(|c| c + 1.0);
                }
                return;
            }
            self.known.insert((sql_id, hash), (begin, length));
        }
        self.rows.extend(rows);
        for row in &mut self.rows[begin..] {
            row.children = row.sql_id.is_some().then_some(1.0);
        }
    }
}
