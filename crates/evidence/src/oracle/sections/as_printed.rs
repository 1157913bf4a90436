//! Sections that are kept as printed: shown and searched, their columns differ by release.
//!
//! Buffer pools, waits for buffers, advice on the SGA, PGA use, instance recovery, enqueues, undo,
//! latches, services, reads of files by duration, global cache and interconnect of an instance, mutexes,
//! limits, shared servers, queues, Streams, sampled activity. Units
//! end the keys, which are made of the headings. Traps: labels and values of the global cache stand
//! without headings; two tables of one section have different keys.

use super::labels::labelled;
use super::sampled_headings;
use super::sql_ordered;
use super::summary::value;
use crate::Kept;
use crate::cell::{Unit, looks_numeric, trimmed};
use crate::grid::Grid;
use crate::oracle::context::{Context, instance, printed_keys, shared_keys, snake_case};
use crate::oracle::printed;
use spindle_facts::{Cells, Kind, PrintedRow, SmolStr, Tables, Value};
use std::borrow::Cow;
use std::sync::Arc;

pub(crate) const POOL_TITLES: &[&str] = &["bufferpoolstatistics"];
pub(crate) const BUFFER_WAIT_TITLES: &[&str] = &["bufferwaitstatistics"];
pub(crate) const SGA_TITLES: &[&str] = &["sgatargetadvisory"];
pub(crate) const PGA_TITLES: &[&str] = &["pgaaggrsummary", "pgaaggrtargetstats", "pgaaggrtargethistogram"];
pub(crate) const RECOVERY_TITLES: &[&str] = &["instancerecoverystats", "checkpointactivity"];
pub(crate) const ENQUEUE_TITLES: &[&str] = &["enqueueactivity"];
pub(crate) const UNDO_TITLES: &[&str] =
    &["undosegmentsummary", "undosegmentstats", "rollbacksegmentstats", "rollbacksegmentstorage"];
pub(crate) const LATCH_TITLES: &[&str] = &[
    "latchactivity",
    "latchsleepbreakdown",
    "latchmisssources",
    "latchwaittimebreakdown",
    "parentlatchstatistics",
    "childlatchstatistics",
];
pub(crate) const SERVICE_TITLES: &[&str] =
    &["servicestatistics", "servicestatisticsrac", "servicewaitclassstats"];
pub(crate) const FILE_HISTOGRAM_TITLES: &[&str] = &["filereadhistogramstats"];
pub(crate) const CACHE_TITLES: &[&str] = &[
    "racstatistics",
    // Statspack of 9i.
    "clusterstatistics",
    "globalcacheloadprofile",
    "globalcacheefficiencypercentages*",
    "globalcacheandenqueueservices*",
    "globalcrserve*",
    "globalcurrentserve*",
    "globalcachetransfer*",
    "globalcachetimes*",
    "globalenqueuestatistics",
    "globalenqueuestats",
    "gesstatistics",
    "globalmessagingstatistics",
    "dynamicremasteringstat*",
];
pub(crate) const MUTEX_TITLES: &[&str] = &["mutexsleepsummary", "mutexsleep"];
pub(crate) const LIMIT_TITLES: &[&str] =
    &["resourcelimitstats", "databaseresourcelimits", "openpluggabledatabasecounts"];
pub(crate) const SHARED_SERVER_TITLES: &[&str] = &["sharedservers*"];
pub(crate) const QUEUE_TITLES: &[&str] = &[
    "streamscapture",
    "streamsapply",
    "propagationsender",
    "propagationreceiver",
    "streamscpu/iousage",
    "streamsbycputime",
    "streamsbyiotime",
    "advancedqueuecpu/iousage",
    "persistentqueues*",
    "persistentqueuesubscribers",
    "persistentsubscribers",
    "bufferedqueues*",
    "bufferedqueuesubscribers",
    "bufferedsubscribers",
    "ruleset",
    "rulesets",
];
pub(crate) const CHANNEL_TITLES: &[&str] = &["top10channelwaits"];
pub(crate) const PROCESS_TITLES: &[&str] = &["topprocesstypesby*"];
/// Sampled sessions, in ASH reports and, from 12.1, behind AWR.
pub(crate) const ASH_TITLES: &[&str] = &[
    "activityovertime",
    "topevents",
    "topbackgroundevents",
    "topeventp1/p2/p3values",
    "topservice/module",
    "topclientids",
    "topcontainers",
    "topsqlcommandtypes",
    "topphasesofexecution",
    "topsqlwithtopevents",
    "topsqlwithtoprowsources",
    "topsqlusingliterals",
    "topparsingmodule/action",
    "toppl/sqlprocedures",
    "topjavaworkload",
    "topcalltypes",
    "topsessions",
    "topsessionsrunningpqs",
    "topblockingsessions",
    "topdbobjects",
    "topdbfiles",
    "toplatches",
];
pub(crate) const INTERCONNECT_TITLES: &[&str] = &["interconnect*", "clusterinterconnect"];

macro_rules! printed_sections {
    ($($reader:ident => $table:ident),+ $(,)?) => {$(
        pub(crate) fn $reader(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
            shown(grid, context, None, |tables| &mut tables.$table)
        }
    )+};
}

printed_sections! {
    read_pools => buffer_pool,
    read_buffer_waits => buffer_wait,
    read_sga => sga_advice,
    read_recovery => instance_recovery,
    read_undo => undo,
    read_latches => latch,
    read_services => service,
    read_mutexes => mutex_sleep,
}

/// Statspack names a tablespace once, above all of its files.
pub(crate) fn read_file_histograms(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut named = Cow::Borrowed(grid);
    let tablespace = grid.column(&["tablespace", "tablespacename"]);
    for row in 1..grid.len() {
        if let Some(column) = tablespace
            && named.row(row)[column].is_empty()
            && !named.row(row - 1)[column].is_empty()
        {
            let above = named.row(row - 1)[column].clone();
            named.to_mut().row_mut(row)[column] = above;
        }
    }
    shown(&named, context, None, |tables| &mut tables.file_read_histogram)
}

pub(crate) fn read_pga(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    rows(grid, context, None, |tables| &mut tables.pga_aggregate)
}

pub(crate) fn read_enqueues(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    rows(grid, context, None, |tables| &mut tables.enqueue)
}

/// Rows of sections that share a table name their section first.
pub(crate) fn keep_group(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    table: fn(&mut Tables) -> &mut Vec<PrintedRow>,
) -> u32 {
    group_with(grid, context, table, shown)
}

/// Keeps rows in a table, behind the name of their section where there is one.
type Keep = fn(&Grid<'_>, &mut Context<'_>, Option<&SmolStr>, Table) -> u32;
type Table = fn(&mut Tables) -> &mut Vec<PrintedRow>;

fn group_with(grid: &Grid<'_>, context: &mut Context<'_>, table: Table, keep: Keep) -> u32 {
    // Headings that ran together head no column.
    if grid.columns.iter().any(|c| c.name.len() > 80) {
        return 0;
    }
    let group: SmolStr = context.report.section_title(context.section).into();
    keep(grid, context, Some(&group), table)
}

/// Keeps rows that are shown and that no rule reads, or counts them.
fn shown(grid: &Grid<'_>, context: &mut Context<'_>, group: Option<&SmolStr>, table: Table) -> u32 {
    if context.kept == Kept::All {
        return rows(grid, context, group, table);
    }
    if is_headed(grid) { context.count_rows(grid, grid.columns.len()) } else { 0 }
}

pub(crate) fn read_cache(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    // Rules name rows of it, by their place among all.
    cluster(grid, context, |tables| &mut tables.rac_cache, rows)
}

pub(crate) fn read_interconnect(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    cluster(grid, context, |tables| &mut tables.rac_interconnect, shown)
}

pub(crate) fn read_limits(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    keep_group(grid, context, |tables| &mut tables.resource_limit)
}

pub(crate) fn read_database_sizes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    keep_group(grid, context, |tables| &mut tables.database_size)
}

pub(crate) fn read_shared_servers(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    keep_group(grid, context, |tables| &mut tables.shared_server)
}

pub(crate) fn read_queues(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    keep_group(grid, context, |tables| &mut tables.queue)
}

/// Channel waits carry the unit cell by cell.
pub(crate) fn read_channels(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    printed::keep(grid, context, |tables| &mut tables.channel_wait)
}

pub(crate) fn read_process_types(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    keep_group(grid, context, |tables| &mut tables.process_activity)
}

pub(crate) fn read_ash(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    if !context.is_html() && context.kind() == Kind::Ash {
        // Pages, and AWR, list the texts of their statements elsewhere, in full.
        sql_ordered::read_texts(grid, context);
    }
    let Some(grid) = sampled_headings::in_place(grid) else {
        return 0;
    };
    let grid: &Grid<'_> = &grid;
    // 12.2 prints some rows over two lines in text, which later rows of the same name do not all fill:
    // what then stands in the wrong column is left out.
    let is_share = |key: &str| key.starts_with('%') || key == "planhash";
    let moved = |row: usize| {
        grid.columns.iter().zip(grid.row(row)).any(|(column, cell)| {
            let quoted = column.key().starts_with("parameter") && cell.starts_with('"');
            quoted || is_share(column.key()) && !cell.is_empty() && !looks_numeric(cell)
        })
    };
    let left_out: Vec<usize> = (0..grid.len()).filter(|row| moved(*row)).collect();
    let Some(first) = left_out.first() else {
        return keep_shares(grid, context);
    };
    context.lose(left_out.len());
    context.note(
        Some(grid.row_line(*first)),
        format!("{} rows are left out: wrapped, their cells cannot be told apart", left_out.len()),
        "sampled activity is shown without them",
    );
    let mut kept = grid.clone();
    kept.clear_rows();
    for row in (0..grid.len()).filter(|row| !left_out.contains(row)) {
        grid.row(row).iter().for_each(|cell| kept.push_cell(cell.clone()));
        kept.end_row(grid.row_line(row));
    }
    keep_shares(&kept, context)
}

/// Percent of a whole: no more than all of it, but for rounding.
pub(crate) const WHOLE_PCT: f64 = 100.5;

/// Rows of sampled activity. Their percentages are all shares of the samples: what is over a hundred, or
/// below nought, lost its decimal point or another digit.
pub(crate) fn keep_shares(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let before = context.tables().ash_activity.len();
    let count = group_with(grid, context, |tables| &mut tables.ash_activity, rows);
    let (mut cells, mut first) = (0_u32, None);
    for row in context.tables().ash_activity.iter_mut().skip(before) {
        let amiss = |key: &str, value: &Value| {
            key.starts_with("pct_") && matches!(value, Value::Number(n) if !(0.0..=WHOLE_PCT).contains(n))
        };
        if !row.cells.iter().any(|(key, value)| amiss(key, value)) {
            continue;
        }
        for (_, value) in row.cells.iter_mut().filter(|(key, value)| amiss(key, value)) {
            *value = Value::Null;
            cells += 1;
            first = first.or(Some(row.line));
        }
    }
    impossible_shares(cells, first, context);
    count
}

/// Says that shares were over a hundred percent.
fn impossible_shares(cells: u32, first: Option<u32>, context: &mut Context<'_>) {
    if cells > 0 {
        let what = if cells == 1 { "1 share is" } else { "shares are" };
        let count = if cells == 1 { String::new() } else { format!("{cells} ") };
        let message = format!("{count}{what} over 100 % of the whole, or below nought");
        context.note(first, message, "taken as unknown");
    }
}

/// Rows of the tables that share `rac_cache` or `rac_interconnect` name their section first.
fn cluster(grid: &Grid<'_>, context: &mut Context<'_>, table: Table, keep: Keep) -> u32 {
    let group: SmolStr = context.report.section_title(context.section).into();
    let is_labels = grid.columns.is_empty()
        || !grid.is_empty()
            && (0..grid.len()).all(|r| grid.cell(r, Some(0)).is_some_and(|c| c.ends_with(':')));
    if !is_labels {
        return keep(grid, context, Some(&group), table);
    }
    let headings: Vec<String> = grid.columns.iter().skip(1).map(|c| snake_case(&c.name)).collect();
    let mut count = 0;
    for found in labelled(grid) {
        let profile = group.ends_with("Load Profile");
        if headings.is_empty() && (found.values.len() > 1 || profile) {
            // An excerpt lost the headings: which value is which cannot be told.
            continue;
        }
        let mut cells: Vec<(Arc<str>, Value)> = vec![
            ("group".into(), Value::Text(group.clone())),
            ("metric".into(), Value::Text(found.label.as_str().into())),
        ];
        for (index, text) in found.values.iter().enumerate() {
            let key = match (headings.get(index).filter(|h| !h.is_empty()), index) {
                (Some(heading), _) => heading.clone(),
                (None, 0) => "value".to_owned(),
                (None, n) => format!("value_{}", n + 1),
            };
            cells.push((key.into(), value(text, Unit::Count, context)));
        }
        if found.values.is_empty() && !grid.is_empty() {
            cells.push(("value".into(), Value::Null));
        }
        if cells.len() > 2 {
            let (line, section, cells) = (found.line, context.section, cells.into());
            let row = PrintedRow { line, section, instance_number: None, cells };
            table(context.tables()).push(row);
            count += 1;
        }
    }
    count
}

pub(super) fn rows(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    group: Option<&SmolStr>,
    table: fn(&mut Tables) -> &mut Vec<PrintedRow>,
) -> u32 {
    if !is_headed(grid) {
        return 0;
    }
    let keys = printed_keys(grid);
    let shared = shared_keys(&keys, group.map(|_| "group"));
    table(context.tables()).reserve(grid.len());
    let mut values = Vec::with_capacity(grid.len() * shared.len());
    let mut kept = Vec::with_capacity(grid.len());
    for row in 0..grid.len() {
        if grid.row(row).iter().all(|c| trimmed(c).is_empty()) {
            continue;
        }
        let (before, strange) = (values.len(), context.strange_cells());
        context.printed_cells(grid, row, &keys, group, &mut values);
        if context.strange_cells() > strange {
            // Behind a cell with the numbers of two columns, nobody knows which column a number is of.
            values.truncate(before);
            context.lose(1);
            continue;
        }
        kept.push((row, values.len()));
    }
    let cells = Cells::of_rows(&shared, values, kept.iter().map(|(_, end)| *end));
    let (section, numbered) = (context.section, grid.instance_column().is_some());
    table(context.tables()).extend(kept.iter().zip(cells).map(|((row, _), cells)| PrintedRow {
        line: grid.row_line(*row),
        section,
        instance_number: if numbered { instance(grid, *row) } else { None },
        cells,
    }));
    u32::try_from(kept.len()).unwrap_or(u32::MAX)
}

/// Do headings say what stands in the columns?
fn is_headed(grid: &Grid<'_>) -> bool {
    // Values without headings say nothing: an excerpt lost them.
    let unnamed = grid.columns.iter().skip(1).filter(|c| trimmed(&c.name).is_empty()).count();
    let first = grid.columns.first().is_some_and(|c| matches!(trimmed(&c.name), "" | "Name"));
    let again = |at: usize| grid.columns[..at].iter().any(|c| c.name == grid.columns[at].name);
    let upper_lost = first && grid.columns.len() > 2 && (1..grid.columns.len()).any(again);
    !(grid.columns.is_empty() || unnamed * 2 > grid.columns.len() || upper_lost)
}
