//! Output of the AWR-miner scripts: blocks of rows by snapshot to one report an interval.
//!
//! `~~BEGIN-X~~` to `~~END-X~~` hold one table each. Where a block prints instance numbers, its rows go
//! to the report of that instance and snapshot; the rest goes to the report of the whole database at
//! that snapshot, or to the instance's where the file knows only one. What does not belong to a
//! snapshot (host, parameters) stands in the first report, with the blocks that nothing reads.

mod blocks;
mod intervals;
mod metrics;
mod waits;

use crate::layout::text_sections::Line;
use blocks::Block;
use intervals::Intervals;
use rustc_hash::FxHashMap;
use spindle_facts::{Note, Parameter, PrintedRow, RawTable, Report, Section, SectionStatus, Value};

/// Reads a whole file: the output of one run, or of several behind each other.
pub(crate) fn read(source: &str, lines: &[Line<'_>]) -> Vec<Report> {
    let mut blocks = blocks::split(lines);
    let mut reports = Vec::new();
    while !blocks.is_empty() {
        // Each run tells of the system, before all else.
        let next = blocks.iter().skip(1).position(|block| block.name == SYSTEM);
        let behind = next.map_or_else(Vec::new, |next| blocks.split_off(next + 1));
        reports.extend(read_run(source, &blocks));
        blocks = behind;
    }
    reports
}

/// The block that a run begins with.
const SYSTEM: &str = "OS-INFORMATION";

/// The blocks of one run.
fn read_run(source: &str, blocks: &[Block<'_>]) -> Vec<Report> {
    let mut intervals = Intervals::new(source, blocks);
    if let Some(metrics) = blocks.iter().find(|b| b.name == "MAIN-METRICS") {
        metrics::read(metrics, &mut intervals);
    }
    let mut unread: Vec<(usize, SectionStatus)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let rows = match block.name {
            _ if block.rows.is_empty() && !block.misfits.is_empty() => 0,
            "MAIN-METRICS" | SYSTEM => 1,
            "MEMORY" => metrics::read_memory(block, &mut intervals),
            "MEMORY-PGA-ADVICE" => metrics::read_pga_advice(block, &mut intervals),
            "MEMORY-SGA-ADVICE" => metrics::read_sga_advice(block, &mut intervals),
            "SYSSTAT" => metrics::read_rates(block, &mut intervals),
            "OSSTAT" => metrics::read_os(block, &mut intervals),
            "IOSTAT-BY-FUNCTION" => metrics::read_functions(block, &mut intervals),
            "IO-OBJECT-TYPE" | "SIZE-ON-DISK" => metrics::read_printed(block, &mut intervals),
            "AVERAGE-ACTIVE-SESSIONS" => waits::read_classes(block, &mut intervals),
            "IO-WAIT-HISTOGRAM" => waits::read_histograms(block, &mut intervals),
            "TOP-N-TIMED-EVENTS" => waits::read_events(block, &mut intervals),
            "TOP-SQL-BY-SNAPID" => waits::read_statements(block, &mut intervals),
            "DATABASE-PARAMETERS" | "TOP-SQL-SUMMARY" => block.rows.len(),
            _ => 0,
        };
        if rows == 0 {
            let nothing = block.rows.is_empty() || block.is_absent();
            unread.push((index, if nothing { SectionStatus::Absent } else { SectionStatus::Unknown }));
        }
    }
    let mut reports = intervals.finish();
    if reports.is_empty() {
        return reports;
    }
    let first = &mut reports[0];
    parameters(blocks, first);
    statements(blocks, first);
    for (index, status) in unread {
        keep(&blocks[index], status, first);
    }
    let system = blocks.iter().find(|b| b.name == SYSTEM);
    if let Some(block) = system.filter(|b| b.misfits.is_empty() || !b.rows.is_empty()) {
        let rows = u32::try_from(block.rows.len()).unwrap_or(u32::MAX);
        first.sections.push(Section {
            title: block.name.to_owned(),
            line: block.line,
            status: SectionStatus::Read,
            rows,
            lost: 0,
        });
    }
    leave_out(blocks, first);
    unfinished(blocks, first);
    reports
}

/// Says which blocks do not hold all their rows.
fn unfinished(blocks: &[Block<'_>], report: &mut Report) {
    for (index, block) in blocks.iter().enumerate() {
        let (line, message, effect) = match block.error {
            Some(line) => (
                line,
                "the query of the block ended with an error",
                "rows behind it were not printed; sums over this block are too small",
            ),
            None if block.complete => continue,
            None if index + 1 == blocks.len() => (
                block.line,
                "the block has no end: the file is cut",
                "snapshots and blocks behind the cut are missing",
            ),
            None => {
                (block.line, "the block has no end, and others follow", "rows of this block may be missing")
            }
        };
        report.notes.push(Note {
            line: Some(line),
            section: Some(block.name.to_owned()),
            message: message.to_owned(),
            effect: effect.to_owned(),
        });
    }
}

/// Parameters of the whole file: of its first instance, or of each where it prints whose they are.
fn parameters(blocks: &[Block<'_>], report: &mut Report) {
    let Some(block) = blocks.iter().find(|b| b.name == "DATABASE-PARAMETERS") else { return };
    let section = intervals::section(report, block);
    for row in &block.rows {
        let Some(name) = block.text(row, "PARAMETER_NAME") else { continue };
        report.tables.parameter.push(Parameter {
            line: row.line,
            section,
            instance_number: block.id(row, "INSTANCE_NUMBER").and_then(|n| u32::try_from(n).ok()),
            name: name.into(),
            begin_value: block.text(row, "VALUE").map(Into::into),
            ..Parameter::default()
        });
        report.sections[usize::from(section)].rows += 1;
    }
}

/// Statements of the whole file with their ranks; the dearest ones of a snapshot stand by snapshot.
fn statements(blocks: &[Block<'_>], report: &mut Report) {
    let Some(block) = blocks.iter().find(|b| b.name == "TOP-SQL-SUMMARY" && !b.rows.is_empty()) else {
        return;
    };
    let section = intervals::section(report, block);
    let keys: Vec<std::sync::Arc<str>> = block.headings.iter().map(|h| h.to_lowercase().into()).collect();
    for row in &block.rows {
        let cells = keys.iter().enumerate().map(|(column, key)| {
            let text = block.cell(row, column);
            // An identifier of digits alone is a name all the same.
            let number = block.printed_at(row, column).filter(|_| &**key != "sql_id");
            let value = match number {
                Some(printed) => Value::Number(printed.value),
                None if text.is_empty() || text.bytes().all(|b| b == b'#') => Value::Null,
                None => Value::Text(text.into()),
            };
            (key.clone(), value)
        });
        let cells = cells.collect();
        report.tables.sql_summary.push(PrintedRow { line: row.line, section, instance_number: None, cells });
        report.sections[usize::from(section)].rows += 1;
    }
}

/// Says which rows of the blocks do not stand under their rulers, and counts them as lost.
fn leave_out(blocks: &[Block<'_>], report: &mut Report) {
    let sections: FxHashMap<u32, usize> =
        report.sections.iter().enumerate().map(|(at, section)| (section.line, at)).collect();
    for block in blocks {
        let Some(line) = block.misfits.first() else { continue };
        let lost = u32::try_from(block.misfits.len()).unwrap_or(u32::MAX);
        let section = sections.get(&block.line).and_then(|at| report.sections.get_mut(*at));
        if let Some(section) = section {
            section.lost = section.lost.saturating_add(lost);
            if section.rows == 0 {
                section.status = SectionStatus::Unreadable;
            }
        }
        let rows = if lost == 1 { "1 row does".to_owned() } else { format!("{lost} rows do") };
        report.notes.push(Note {
            line: Some(*line),
            section: Some(block.name.to_owned()),
            message: format!("{rows} not stand under the ruler of the block: the cells cannot be told apart"),
            effect: "they are left out; sums over the rows of this block are too small".to_owned(),
        });
    }
}

/// A block that nothing reads, as printed.
fn keep(block: &Block<'_>, status: SectionStatus, report: &mut Report) {
    let absent = status == SectionStatus::Absent;
    let rows = if absent { 0 } else { u32::try_from(block.rows.len()).unwrap_or(u32::MAX) };
    report.sections.push(Section { title: block.name.to_owned(), line: block.line, status, rows, lost: 0 });
    if absent {
        return;
    }
    report.raw_tables.push(RawTable {
        title: block.name.to_owned(),
        line: block.line,
        headings: block.headings.iter().map(|h| (*h).to_owned()).collect(),
        rows: block
            .rows
            .iter()
            .map(|row| {
                let cell = |column| Some(block.cell(row, column)).filter(|text| !text.is_empty());
                (0..block.headings.len()).map(cell)
            })
            .collect(),
    });
}
