//! Statements by what they cost, and their text.
//!
//! Printed as `SQL ordered by Elapsed Time`, `CPU Time` (Statspack `CPU`), `User I/O Wait Time`,
//! `Gets`, `Reads`, `Physical Reads (UnOptimized)`, `Executions`, `Parse Calls`, `Sharable Memory`,
//! `Version Count`, `Cluster Wait Time`; every release; and `Complete List of SQL Text` (HTML). Columns
//! vary with ranking and release. Units: seconds, blocks, requests, bytes (Statspack: KB). Traps: a
//! statement is known by `SQL Id` in AWR and by an old hash in Statspack, which Statspack heads `Hash
//! Value` in places; `% Total DB Time` of 10.2 and 11.1 is the share of DB time, `% Total` that of the
//! ranked quantity; captured shares exceed 100; HTML clips the text beside the statement; text prints it
//! in pieces that a page break can part.

use super::captured::captured;
use super::wait_events::MovedPoints;
use crate::cell::Unit;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{SmolStr, SqlStat, SqlText};

pub(crate) const TITLES: &[&str] = &[
    "sqlorderedbyelapsedtime",
    "sqlorderedbyelapsed",
    "sqlorderedbycputime",
    "sqlorderedbycpu",
    "sqlorderedbyuseri/owaittime",
    "sqlorderedbygets",
    "sqlorderedbyreads",
    // As people write them.
    "sqlorderedbybuffergets",
    "sqlorderedbylogicalreads",
    "sqlorderedbyphysicalreads",
    "sqlorderedbydiskreads",
    "sqlorderedbyphysicalreadsunoptimized",
    "sqlorderedbyexecutions",
    "sqlorderedbyparsecalls",
    "sqlorderedbysharablememory",
    "sqlorderedbyversioncount",
    "sqlorderedbyclusterwaittime",
    "topsqlstatementsbyelapsedtime",
    "topsqlstatementsbycputime",
    "topsqlbyelapsedtime",
    "topsqlbycputime",
];
pub(crate) const TEXT_TITLES: &[&str] = &["completelistofsqltext"];

/// Ranking of a folded title, and what its total is called.
pub(super) fn ranking(folded: &str) -> Option<(&'static str, &'static str)> {
    let by = ["sqlorderedby", "topsqlstatementsby", "topsqlby"];
    Some(match by.iter().find_map(|words| folded.strip_prefix(words))? {
        "elapsedtime" | "elapsed" => ("elapsed_time", "dbtime"),
        "cputime" | "cpu" => ("cpu_time", "cpu"),
        "useri/owaittime" => ("user_io_wait_time", "waittime"),
        "gets" | "buffergets" | "logicalreads" => ("buffer_gets", "buffergets"),
        "reads" | "physicalreads" | "diskreads" => ("physical_reads", "reads"),
        "physicalreadsunoptimized" => ("unoptimized_reads", "unoptimized"),
        "executions" => ("executions", "executions"),
        "parsecalls" => ("parse_calls", "parsecalls"),
        "sharablememory" => ("sharable_memory", "sharable"),
        "versioncount" => ("version_count", "version"),
        "clusterwaittime" => ("cluster_wait_time", "waittime"),
        _ => return None,
    })
}

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = context.title;
    let Some((ranked_by, wanted)) = ranking(folded) else {
        return 0;
    };
    let beginnings = grid.beginnings();
    let at = |keys: &[&str]| grid.column_among(&beginnings, keys);
    let sql_id = at(&["sqlid"]);
    let hash = at(&["oldhashvalue", "hashvalue"]);
    if sql_id.is_none() && hash.is_none() {
        return 0;
    }
    let plan = at(&["planhashvalue", "planhash"]);
    // `Elap per Exec (s)` ends as `Execs` does.
    let executions = at(&["executions"]).or_else(|| grid.columns.iter().position(|c| c.key() == "execs"));
    let elapsed = at(&["elapsedtimes", "elapsdtimes", "elapsedtime", "elapseds"]);
    let cpu = at(&["cputimes", "cputime"]);
    let user_io = at(&["useri/otimes", "useri/owaittimes", "useriotimes", "useriowaittimes"]);
    let cluster = at(&["clusterwaittimes"]);
    let gets = at(&["buffergets", "gets"]);
    let reads = at(&["physicalreads", "physicalrds", "diskreads", "reads"]);
    let requests = at(&["physicalreadreqs"]);
    let unoptimized = at(&["unoptimizedreadreqs"]);
    let processed = at(&["rowsprocessed"]);
    let parses = at(&["parsecalls"]);
    let memory = at(&["sharablememb"]);
    let memory_kb = at(&["maxsharablememorykb"]);
    let versions = at(&["versioncount", "maxversioncount"]);
    let pct_cpu = at(&["%cpu"]);
    let pct_io = at(&["%io"]);
    // Beside CPU time, `% Total DB Time` (10.2, 11.1) is the share of the elapsed time: not of what ranks.
    let of_ranked: &[&str] =
        if ranked_by == "cpu_time" { &["%total"] } else { &["%total", "%totalparses", "%totaldbtime"] };
    let pct_total = at(of_ranked);
    let module = at(&["sqlmodule"]);
    let text = at(&["sqltext"]);
    let container = at(&["pdbname"]);
    let taken = [
        sql_id,
        hash,
        plan,
        executions,
        elapsed,
        cpu,
        user_io,
        cluster,
        gets,
        reads,
        requests,
        unoptimized,
        processed,
        parses,
        memory,
        memory_kb,
        versions,
        pct_cpu,
        pct_io,
        pct_total,
        module,
        text,
        container,
    ];
    context.tell_strange_columns(grid, &taken, is_derived);
    // A report ranks its statements in up to eleven ways, with as many rows each.
    let sections = if context.tables().sql_stat.is_empty() { 11 } else { 1 };
    context.tables().sql_stat.reserve(sections * grid.len());
    let measures = [
        ("elapsed_time", elapsed),
        ("cpu_time", cpu),
        ("user_io_wait_time", user_io),
        ("cluster_wait_time", cluster),
        ("buffer_gets", gets),
        ("physical_reads", reads),
        ("executions", executions),
        ("parse_calls", parses),
        ("unoptimized_reads", unoptimized),
        ("sharable_memory", memory.or(memory_kb)),
        ("version_count", versions),
    ];
    let (share, total) = captured(grid, wanted, context.habits.decimal_comma, context.is_html());
    // Without what its title ranks by, the list is another one: its title got lost, as with a page.
    let is_titled = measures.iter().any(|(name, column)| *name == ranked_by && column.is_some());
    let first = || measures.iter().find(|(_, column)| *column == Some(0)).filter(|_| !is_titled);
    let own = told_ranking(grid, context, ranked_by, &measures).or_else(|| first().map(|(name, _)| *name));
    let (ranked_by, share, total) = match own {
        Some(own) => {
            context.note(
                Some(grid.line),
                "the list does not descend by what its title says, but by its first column".to_owned(),
                "read as ranked by that; what the list captured of all is unknown",
            );
            (own, None, None)
        }
        None => (ranked_by, share, total),
    };
    let (mut rows, mut unnamed) = (0, Unnamed::default());
    let mut moved_points = MovedPoints::default();
    for row in 0..grid.len() {
        // Words with blanks between them are a line of prose, or of a statement, that crosses no gap of the ruler.
        let id = context.name(grid, row, sql_id).filter(|id| !holds_blank(id));
        let old_hash = context.id(grid, row, hash);
        if id.is_none() && old_hash.is_none() {
            unnamed.add(grid, row);
            continue;
        }
        // Half an execution is none: somebody's points stand for commas.
        let mut whole = |context: &mut Context<'_>, column: Option<usize>| {
            let count = context.count(grid, row, column)?;
            if count.fract() == 0.0 {
                return Some(count);
            }
            let printed = context.number(grid, row, column, Unit::Count);
            moved_points.whole(grid.row_line(row), printed).map(|printed| printed.value)
        };
        let line = SqlStat {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            ranked_by,
            plan_hash: context.id(grid, row, plan),
            executions: whole(context, executions),
            elapsed_s: context.count(grid, row, elapsed),
            cpu_s: context.count(grid, row, cpu),
            io_wait_s: context.count(grid, row, user_io),
            cluster_wait_s: context.count(grid, row, cluster),
            buffer_gets: whole(context, gets),
            physical_reads: whole(context, reads),
            read_requests: whole(context, requests),
            unoptimized_read_requests: whole(context, unoptimized),
            rows_processed: whole(context, processed),
            parse_calls: whole(context, parses),
            sharable_memory_bytes: context
                .bytes(grid, row, memory, 1.0)
                .or(context.bytes(grid, row, memory_kb, 1_024.0)),
            version_count: context.count(grid, row, versions),
            cpu_pct: context.count(grid, row, pct_cpu),
            io_pct: context.count(grid, row, pct_io),
            share_pct: context.count(grid, row, pct_total),
            captured_pct: share,
            section_total: total,
            module: grid.cell(row, module).map(|m| without_label(m).into()),
            container: context.name(grid, row, container),
            sql_id: id.clone(),
            old_hash,
            ..SqlStat::default()
        };
        context.tables().sql_stat.push(line);
        if let Some(text) = grid.cell(row, text) {
            keep_text(id, old_hash, text, grid.row_line(row), context);
        }
        rows += 1;
    }
    unnamed.tell(context);
    moved_points.tell(context);
    rows
}

/// Are there blanks in a text, of whatever kind?
fn holds_blank(text: &str) -> bool {
    // Hardly any identifier holds another character.
    !text.bytes().all(|b| matches!(b, b'!'..=b'~')) && text.contains(char::is_whitespace)
}

/// Rows of a list that name no statement.
#[derive(Default)]
struct Unnamed {
    rows: usize,
    first: Option<u32>,
}

impl Unnamed {
    fn add(&mut self, grid: &Grid<'_>, row: usize) {
        self.rows += 1;
        self.first.get_or_insert(grid.row_line(row));
    }

    fn tell(self, context: &mut Context<'_>) {
        if self.rows == 0 {
            return;
        }
        let message = match self.rows {
            1 => "a line stands among the rows that names no statement".to_owned(),
            rows => format!("{rows} lines stand among the rows that name no statement"),
        };
        context.note(self.first, message, "left out, what else is in it with it");
        context.lose(self.rows);
    }
}

/// What ranks a list that does not descend by what its title says, and does by another measure which stands first:
/// its title moved, as where titles stand below their tables.
fn told_ranking(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    ranked_by: &str,
    measures: &[(&'static str, Option<usize>)],
) -> Option<&'static str> {
    /// Fewer rows may descend by chance.
    const FEWEST: usize = 4;
    if grid.len() < FEWEST || grid.instance_column().is_some() {
        return None;
    }
    let (_, titled) = measures.iter().find(|(name, _)| *name == ranked_by)?;
    let (first, column) =
        measures.iter().filter_map(|(name, column)| Some((*name, (*column)?))).min_by_key(|(_, at)| *at)?;
    // Where what the title says has no column, what ranks stands before all others.
    if *titled == Some(column) || titled.is_none() && column > 0 {
        return None;
    }
    let mut descends = |column: usize| {
        let known: Vec<f64> =
            (0..grid.len()).filter_map(|row| context.count(grid, row, Some(column))).collect();
        (known.len() == grid.len()).then(|| known.windows(2).all(|pair| pair[0] >= pair[1]))
    };
    let denied = titled.is_none_or(|titled| descends(titled) == Some(false));
    (denied && descends(column) == Some(true)).then_some(first)
}

/// Does a heading of some release say that its figures follow from others that are read, or that they are of the
/// last snapshot?
fn is_derived(key: &str) -> bool {
    key == "rank"
        || key.contains(['/', '%'])
        || key.contains("per")
        || key.contains("ratio")
        || key.starts_with("end")
        || key.starts_with("delta")
}

/// A module without `Module:` before it.
fn without_label(module: &str) -> &str {
    let mut module = module;
    while let Some(rest) = module.strip_prefix("Module:") {
        module = rest;
    }
    module.trim()
}

pub(crate) fn read_texts(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let sql_id = grid.column(&["sqlid"]);
    let text = grid.column(&["sqltext"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        if let (Some(id), Some(text)) = (context.name(grid, row, sql_id), grid.cell(row, text)) {
            keep_text(Some(id), None, text, grid.row_line(row), context);
            rows += 1;
        }
    }
    rows
}

/// About so many statements stand in a report.
const TEXTS: usize = 56;

/// Keeps the longest text of a statement; one that ends in `...` was clipped.
pub(super) fn keep_text(
    id: Option<SmolStr>,
    old_hash: Option<u64>,
    text: &str,
    line: u32,
    context: &mut Context<'_>,
) {
    let section = context.section;
    let key = (id.clone(), old_hash);
    let known = context.scratch.sql_texts.get(&key).copied();
    let clipped = |t: &str| t.ends_with("...");
    match known.and_then(|at| context.report.tables.sql_text.get_mut(at)) {
        Some(old) => {
            let better = (clipped(&old.text), text.len()) > (clipped(text), old.text.len())
                || old.text.len() < text.len();
            if better {
                *old = SqlText { line, section, sql_id: id, old_hash, text: text.to_owned() };
            }
        }
        None => {
            if context.scratch.sql_texts.is_empty() {
                context.scratch.sql_texts.reserve(TEXTS);
                context.report.tables.sql_text.reserve(TEXTS);
            }
            context.scratch.sql_texts.insert(key, context.report.tables.sql_text.len());
            let new = SqlText { line, section, sql_id: id, old_hash, text: text.to_owned() };
            context.report.tables.sql_text.push(new);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("SQL ordered by Reads  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "-> Total Disk Reads:      59,763,724\n\
             -> Captured SQL account for   93.7% of Total\n\
             \n\
             \x20  Physical              Reads              Elapsed\n\
             \x20     Reads  Executions per Exec   %Total   Time (s)   %CPU    %IO    SQL Id\n\
             ----------- ----------- ---------- ------ ---------- ------ ------ -------------\n";
    const NORMAL: &str = "\x2035,858,234          61  587,839.9   60.0    5,066.3   15.4   84.0 3hqz71c0vd8mn\n\
             Module: till\n\
             select 1 from receipts\n";
    const WIDE: &str = "###########          61  587,839.9   60.0    5,066.3   15.4   84.0 3hqz71c0vd8mn\n\
             Module: till\n\
             select 1 from receipts\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.sql_stat.as_slice() else { panic!("{:?}", report.tables.sql_stat) };
        assert_eq!((row.ranked_by, row.sql_id.as_deref()), ("physical_reads", Some("3hqz71c0vd8mn")));
        assert_eq!((row.physical_reads, row.executions), (Some(35_858_234.0), Some(61.0)));
        assert_eq!((row.elapsed_s, row.share_pct), (Some(5_066.3), Some(60.0)));
        assert_eq!((row.captured_pct, row.section_total), (Some(93.7), Some(59_763_724.0)));
        assert_eq!((row.module.as_deref(), row.buffer_gets), (Some("till"), None));
        assert_eq!(report.tables.sql_text[0].text, "select 1 from receipts");
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.sql_stat.as_slice() else { panic!("{:?}", report.tables.sql_stat) };
        assert_eq!((row.physical_reads, row.executions), (None, Some(61.0)));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("SQL Id", "Cursor"));
        assert!(report.tables.sql_stat.is_empty(), "{:?}", report.tables.sql_stat);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
