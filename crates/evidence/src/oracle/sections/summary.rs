//! Labelled values of the report's summary pages.
//!
//! Printed as `Instance Efficiency Percentages` (AWR, old Statspack), `Instance Efficiency
//! Indicators` (Statspack 11g and later), `Shared Pool Statistics`, `Memory Statistics` (Begin,
//! End), `Cache Sizes` (Begin, End; `(end)` up to 10g). Units: percent; MB in memory statistics;
//! cache sizes carry `K`, `M`, `G` in multiples of 1024, those of 8i are bytes and a number of buffers. Traps: a blank End means unchanged; the shared
//! pool's lines stand inside the efficiency section of Statspack and of 11.2.0.3 text; the block
//! size and log buffer share lines with other caches; labels vary in blanks.

use super::labels::{Labelled, labelled};
use crate::cell::{Cell, Habits, Unit, looks_numeric, read as read_cell};
use crate::grid::{Grid, fold};
use crate::layout::html_table::squeeze;
use crate::oracle::context::Context;
use spindle_facts::{PrintedRow, SmolStr, Value};

pub(crate) const EFFICIENCY_TITLES: &[&str] =
    &["instanceefficiencypercentages*", "instanceefficiencyindicators", "sharedpoolstatistics"];
pub(crate) const CACHE_TITLES: &[&str] = &["cachesizes", "cachesizesend"];
pub(crate) const MEMORY_TITLES: &[&str] = &["memorystatistics"];

pub(crate) const CURSOR_TITLES: &[&str] = &["sqlmemorystatistics"];

/// `SQL Memory Statistics` (Statspack): cursors, their number and size.
pub(crate) fn read_cursors(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for found in begins_and_ends(grid).iter().filter(|found| found.values >= 2) {
        rows += memory(found, context);
    }
    rows
}

pub(crate) fn read_efficiency(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    let mut all = labelled(grid);
    if all.is_empty() && matches!(grid.columns.len(), 2 | 4) {
        // Ratio and value in columns of their own, without the colon.
        for row in 0..grid.len() {
            for pair in grid.row(row).chunks(2) {
                if let [label, value] = pair
                    && !label.is_empty()
                    && !value.is_empty()
                    && !looks_numeric(label)
                    && looks_numeric(value)
                    && is_share(label, value, context.habits)
                {
                    all.push(Labelled {
                        line: grid.row_line(row),
                        label: label.trim().to_owned(),
                        values: vec![value.trim().into()],
                    });
                }
            }
        }
    }
    if all.iter().any(|found| is_shared_pool(&found.label)) {
        // In text the labels reach under the headings.
        let headed = context.is_html() && grid.column(&["begin"]).or(grid.column(&["end"])).is_some();
        let (pool, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|f| is_shared_pool(&f.label));
        all = others;
        let pool = if headed {
            let pool = begins_and_ends(grid).into_iter().filter(|found| is_shared_pool(&found.label));
            without_moved(pool.collect(), grid, context)
        } else {
            pool.into_iter().map(BeginEnd::by_place).collect::<Vec<_>>()
        };
        rows += pool.iter().map(|found| memory(found, context)).sum::<u32>();
    }
    // A copy may lose the title of the snapshots that stand below.
    let of_snapshots =
        |label: &str| matches!(fold(label).as_str(), "beginsnap" | "endsnap" | "elapsed" | "dbtime");
    let mut torn = Torn::default();
    for mut found in all.into_iter().filter(|found| !of_snapshots(&found.label)) {
        if context.is_html() {
            torn.look(&mut found);
        }
        if let Some(first) = found.values.first() {
            let mut pct = value(first, Unit::Count, context);
            if found.label.contains('%') && matches!(pct, Value::Number(pct) if pct > MOST_PCT) {
                let message = format!("`{}` is {first}, which no share is", found.label);
                context.note(Some(found.line), message, "taken as unknown");
                pct = Value::Null;
            }
            let row = printed(&found, context, vec![("ratio", name(&found)), ("pct", pct)]);
            context.tables().efficiency.push(row);
            rows += 1;
        }
    }
    if rows == 0 && context.is_html() {
        torn.count(grid);
    }
    torn.tell(context);
    rows
}

/// No ratio is as large, in percent: some are over a hundred, of times that two clocks took.
const MOST_PCT: f64 = 1_000.0;

/// Ratios as releases print them, without the mark of percent: Statspack of 9i has none in pages, and people drop it.
const RATIOS: &[&str] = &[
    "buffernowait",
    "redonowait",
    "bufferhit",
    "inmemorysort",
    "libraryhit",
    "softparse",
    "executetoparse",
    "latchhit",
    "parsecputoparseelapsd",
    "parsecputoparseelapsed",
    "nonparsecpu",
    "flashcachehit",
    "optimalw/aexec",
    "memoryusage",
    "sqlwithexecutions>1",
    "memoryforsqlw/exec>1",
];

/// Is it a ratio of any release by its label, and a share by its value? `Execute to Parse %` may be far below nought.
fn is_share(label: &str, value: &str, habits: Habits) -> bool {
    let key = fold(label);
    let named = key.contains('%') && key.contains(|c: char| c.is_alphabetic());
    (named || RATIOS.contains(&key.as_str()))
        && match read_cell(value.trim(), Unit::Count, habits) {
            Cell::Number(printed) => printed.value <= MOST_PCT,
            Cell::Overprinted => true,
            Cell::Blank | Cell::Other => false,
        }
}

/// Is a table one of something else than ratios: rows of numbers, no cell of which is the label of a ratio or another?
pub(super) fn is_of_another(grid: &Grid<'_>) -> bool {
    let is_label = |cell: &str| {
        let key = fold(cell);
        key.contains('%') || cell.contains(':') || RATIOS.contains(&key.as_str())
    };
    let rows = || (0..grid.len()).map(|row| grid.row(row));
    rows().any(|cells| cells.iter().any(|cell| !cell.is_empty() && looks_numeric(cell)))
        && !rows().flatten().any(|cell| is_label(cell))
        // Copies take a row of labels for the headings.
        && !grid.columns.iter().any(|column| RATIOS.contains(&column.key().trim_matches('%')))
}

pub(crate) fn read_memory(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    begins_and_ends(grid).iter().map(|found| memory(found, context)).sum()
}

/// Labels of a page that lost their value, and values that lost their label.
#[derive(Default)]
struct Torn {
    cells: usize,
    line: u32,
}

impl Torn {
    /// Looks at a label that nothing stands behind, at more than one value, and at values before it.
    fn look(&mut self, found: &mut Labelled) {
        let Labelled { line, label, values } = found;
        let before = label.split(' ').take_while(|word| word.len() > 1 && looks_numeric(word)).count();
        if before > 0 {
            *label = label.split(' ').skip(before).collect::<Vec<_>>().join(" ");
        }
        self.add(*line, before + values.len().abs_diff(1));
    }

    fn add(&mut self, line: u32, cells: usize) {
        if cells > 0 && self.cells == 0 {
            self.line = line;
        }
        self.cells += cells;
    }

    /// Counts the rows of a table that is all numbers.
    fn count(&mut self, grid: &Grid<'_>) {
        for row in 0..grid.len() {
            let cells = grid.row(row);
            if self.cells == 0 && !cells.is_empty() && cells.iter().all(|cell| looks_numeric(cell)) {
                self.add(grid.row_line(row), 1);
            }
        }
    }

    fn tell(self, context: &mut Context<'_>) {
        if self.cells == 0 {
            return;
        }
        context.lose(self.cells);
        let stand = if self.cells == 1 {
            "1 label or value stands".to_owned()
        } else {
            format!("{} labels or values stand", self.cells)
        };
        context.note(
            Some(self.line),
            format!("{stand} alone: the cell beside is missing"),
            "which value is whose cannot be told; they are left out",
        );
    }
}

/// The values of a page without those whose begin or end is missing, where the table prints both: a value then stands
/// under the heading of the other as likely as under its own.
fn without_moved(all: Vec<BeginEnd>, grid: &Grid<'_>, context: &mut Context<'_>) -> Vec<BeginEnd> {
    let both = grid.column(&["begin"]).is_some() && grid.column(&["end"]).is_some();
    if !both || !context.is_html() {
        return all;
    }
    let ends = all.iter().any(|found| found.headed && found.end.is_some());
    let moved = |found: &BeginEnd| {
        found.values == 0
            || found.headed && (found.begin.is_none() || ends && found.end.is_none())
            || found.label.split(' ').next().is_some_and(|word| word.len() > 1 && looks_numeric(word))
    };
    let mut torn = Torn::default();
    all.iter().filter(|found| moved(found)).for_each(|found| torn.add(found.line, 1));
    torn.tell(context);
    all.into_iter().filter(|found| !moved(found)).collect()
}

fn memory(found: &BeginEnd, context: &mut Context<'_>) -> u32 {
    let (begin, end) = pair(found, Unit::Count, context);
    let cells = vec![("statistic", Value::Text(found.label.as_str().into())), ("begin", begin), ("end", end)];
    let row = printed_at(found.line, context, cells);
    context.tables().memory_stat.push(row);
    1
}

pub(crate) fn read_caches(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    let all = without_moved(begins_and_ends(grid), grid, context);
    // 8i counts the buffers, and prints their size beside them.
    let block = all.iter().find(|found| fold(&found.label) == "dbblocksize").and_then(|found| {
        match value(found.begin.as_deref()?, Unit::Bytes(1.0), context) {
            Value::Number(bytes) => Some(bytes),
            _ => None,
        }
    });
    // Statspack of 9i prints the sizes at the end alone: `Cache Sizes (end)`.
    let at_end = context.report.section_title(context.section).to_ascii_lowercase().contains("(end)");
    for found in all.into_iter().filter(|found| found.values > 0) {
        let whole = |size: Option<SmolStr>| size.map(|size| whole_number(&size));
        let found = BeginEnd { begin: whole(found.begin), end: whole(found.end), ..found };
        let (mut begin, mut end) = pair(&found, Unit::Bytes(1.0), context);
        if let (true, Value::Number(buffers)) = (fold(&found.label) == "dbblockbuffers", &begin) {
            begin = block.map_or(Value::Null, |bytes| Value::Number(buffers * bytes));
        }
        if let (true, Value::Number(bytes)) = (fold(&found.label) == "stdblocksize", &begin) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
            if (512.0..=65_536.0).contains(bytes) {
                context.report.identity.block_size_bytes.get_or_insert(*bytes as u64);
            }
        }
        // The size of a block is no size of a cache.
        if at_end && matches!(end, Value::Null) && fold(&found.label) != "stdblocksize" {
            std::mem::swap(&mut begin, &mut end);
        }
        let name = Value::Text(found.label.as_str().into());
        let cells = vec![("name", name), ("begin_bytes", begin), ("end_bytes", end)];
        let row = printed_at(found.line, context, cells);
        context.tables().cache_size.push(row);
        rows += 1;
    }
    rows
}

/// A size whose digits a mark parts by three, without it: sizes are whole numbers or have one or two decimals, and
/// the summary stands before numbers that tell which mark is the decimal point.
fn whole_number(size: &str) -> SmolStr {
    let (number, unit) = size.split_at(size.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
    let parts = number.split_once(['.', ',']).filter(|(before, behind)| {
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        (1..=3).contains(&before.len())
            && behind.len() == 3
            && !before.starts_with('0')
            && digits(before)
            && digits(behind)
    });
    parts.map_or_else(|| size.into(), |(before, behind)| format!("{before}{behind}{unit}").into())
}

fn is_shared_pool(label: &str) -> bool {
    matches!(fold(label).as_str(), "memoryusage%" | "%sqlwithexecutions>1" | "%memoryforsqlw/exec>1")
}

fn name(found: &Labelled) -> Value {
    Value::Text(found.label.as_str().into())
}

/// A label, and what is printed for the begin and the end of the interval.
struct BeginEnd {
    line: u32,
    label: String,
    /// How many values stand behind the label, those of other columns too.
    values: usize,
    /// Does it stand before the headings `Begin` and `End`?
    headed: bool,
    begin: Option<SmolStr>,
    end: Option<SmolStr>,
}

impl BeginEnd {
    /// Where no headings tell which is which: begin stands first.
    fn by_place(found: Labelled) -> Self {
        let Labelled { line, label, values } = found;
        let count = values.len();
        let mut values = values.into_iter();
        Self { line, label, values: count, headed: false, begin: values.next(), end: values.next() }
    }
}

/// The labelled values of a table, by the headings `Begin` and `End` where they head its columns.
fn begins_and_ends(grid: &Grid<'_>) -> Vec<BeginEnd> {
    let columns = (grid.column(&["begin"]), grid.column(&["end"]));
    let all = labelled(grid);
    if columns == (None, None) {
        return all.into_iter().map(BeginEnd::by_place).collect();
    }
    let mut found = Vec::with_capacity(all.len());
    let mut rest = all.into_iter().peekable();
    for row in 0..grid.len() {
        let line = grid.row_line(row);
        let by_heading = under_headings(grid, row, columns);
        // A row that is no row of cells is read by place.
        while let Some(labelled) = rest.next_if(|labelled| labelled.line == line) {
            if by_heading.is_none() {
                found.push(BeginEnd::by_place(labelled));
            }
        }
        found.extend(by_heading.into_iter().flatten());
    }
    found.extend(rest.map(BeginEnd::by_place));
    found
}

/// The values of a row by the headings over them: `None` where a cell holds more than a label or a value.
fn under_headings(
    grid: &Grid<'_>,
    row: usize,
    (begin, end): (Option<usize>, Option<usize>),
) -> Option<Vec<BeginEnd>> {
    let mut found: Vec<BeginEnd> = Vec::new();
    // Labels of other values follow in columns that have no heading.
    let headed = begin.max(end).unwrap_or(0);
    let mut own = 0;
    for (column, cell) in grid.row(row).iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty()) {
        let cell = cell.trim();
        if let Some(label) = cell.strip_suffix(':') {
            own = column;
            let (line, label) = (grid.row_line(row), squeeze(label.trim_end()));
            found.push(BeginEnd { line, label, values: 0, headed: column < headed, begin: None, end: None });
            continue;
        }
        let is_value = cell.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(cell)
            || cell == "N/A"
            || cell.bytes().all(|b| b == b'#');
        let last = found.last_mut().filter(|_| is_value && !cell.contains(' '))?;
        last.values += 1;
        if Some(column) == begin || own > headed && last.begin.is_none() {
            last.begin = Some(cell.into());
        } else if Some(column) == end || own > headed && last.end.is_none() {
            last.end = Some(cell.into());
        }
    }
    Some(found)
}

/// Begin and end; a blank end is unchanged, not unknown, yet the report does not print it.
fn pair(found: &BeginEnd, unit: Unit, context: &Context<'_>) -> (Value, Value) {
    let at = |text: &Option<SmolStr>| text.as_ref().map_or(Value::Null, |v| value(v, unit, context));
    (at(&found.begin), at(&found.end))
}

pub(super) fn value(text: &str, unit: Unit, context: &Context<'_>) -> Value {
    match read_cell(text, unit, context.habits) {
        Cell::Number(printed) => Value::Number(printed.value),
        _ => Value::Null,
    }
}

pub(super) fn printed(found: &Labelled, context: &Context<'_>, cells: Vec<(&str, Value)>) -> PrintedRow {
    printed_at(found.line, context, cells)
}

fn printed_at(line: u32, context: &Context<'_>, cells: Vec<(&str, Value)>) -> PrintedRow {
    PrintedRow { line, section: context.section, instance_number: None, cells: cells.into() }
}

#[cfg(test)]
mod tests {
    use super::super::tried::page as read;

    fn stat(report: &spindle_facts::Report, name: &str) -> Vec<Option<f64>> {
        let rows = report.tables.memory_stat.iter().chain(&report.tables.cache_size);
        let row = rows.filter(|row| ["statistic", "name"].iter().any(|key| row.text(key) == Some(name)));
        row.flat_map(|row| {
            let either = |keys: [&str; 2]| keys.iter().find_map(|key| row.number(key));
            [either(["begin", "begin_bytes"]), either(["end", "end_bytes"])]
        })
        .collect()
    }

    fn page(title: &str, heads: &[&str], row: &[&str]) -> String {
        let cells = |name: &str, cells: &[&str]| -> String {
            cells.iter().map(|cell| format!("<{name}>{cell}</{name}>")).collect()
        };
        format!("<h3>{title}</h3><table><tr>{}</tr><tr>{}</tr></table>", cells("th", heads), cells("td", row))
    }

    #[test]
    fn begin_and_end_were_read_by_place_whatever_the_headings_said() {
        let memory = |heads: &[&str], row: &[&str]| {
            stat(&read(&page("Memory Statistics", heads, row)), "PGA use (MB)")
        };
        let label = "PGA use (MB):";
        assert_eq!(memory(&["", "Begin", "End"], &[label, "100.0", "200.0"]), [Some(100.0), Some(200.0)]);
        assert_eq!(memory(&["", "End", "Begin"], &[label, "200.0", "100.0"]), [Some(100.0), Some(200.0)]);
        assert_eq!(memory(&["", "End"], &[label, "200.0"]), [None, Some(200.0)]);
        assert_eq!(memory(&["", "Begin", "% Diff"], &[label, "100.0", "2.5"]), [Some(100.0), None]);
        let pool = ["Memory Usage %:", "74.71", "75.38"];
        let report = read(&page("Shared Pool Statistics", &["", "End", "Begin"], &pool));
        assert_eq!(stat(&report, "Memory Usage %"), [Some(75.38), Some(74.71)]);
        let heads = ["", "End", "Begin", "", ""];
        let row = ["Buffer Cache:", "800M", "700M", "Std Block Size:", "8K"];
        let report = read(&page("Cache Sizes", &heads, &row));
        let mega = 1_048_576.0;
        assert_eq!(stat(&report, "Buffer Cache"), [Some(700.0 * mega), Some(800.0 * mega)]);
        assert_eq!(stat(&report, "Std Block Size"), [Some(8_192.0), None]);
    }

    #[test]
    fn blanks_that_a_browser_saved_as_characters_were_values() {
        let cells = |blank: &str| {
            let report = read(&format!(
                "<h3>init.ora Parameters</h3><table><tr><th>Parameter{blank}Name</th><th>Begin value</th>\
                 <th>End value (if different)</th></tr><tr><td>audit_trail</td><td>DB{blank}</td><td>{blank}</td></tr>\
                 </table>"
            ));
            format!("{:?}", report.tables.parameter)
        };
        assert!(cells(" ").contains("audit_trail"));
        for blank in ["&nbsp;", "&#160;", "&#xA0;", "\u{a0}"] {
            assert_eq!(cells(blank), cells(" "), "{blank}");
        }
    }
}
