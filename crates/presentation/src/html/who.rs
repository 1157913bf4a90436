//! Who causes the I/O: statements and segments with the running share, tablespaces and files by
//! load and latency.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::chart::{Dot, Scatter, put};
use crate::escape::{clip, push_html};
use crate::{Subject, head, number, palette};
use spindle_diagnosis::counts_its_statements;
use spindle_facts::{Report, SegmentStat, SqlStat, SqlText, TablespaceIo};
use std::collections::HashMap;

/// Statements and segments listed.
const LISTED: usize = 20;
/// Tablespaces and files listed.
const PLACES: usize = 20;
/// Characters of a statement that the page carries; `spindle facts` has the rest.
const SQL_TEXT: usize = 4_000;
/// Characters of all statements of a report.
const ALL_SQL_TEXT: usize = 40_000;

pub(super) fn render(subject: Subject<'_>, prefix: &str) -> String {
    let mut out = section(prefix, "who", "Who causes it");
    samples(&mut out, subject);
    statements(&mut out, subject);
    segments(&mut out, subject);
    places(&mut out, subject);
    out.push_str("</section>");
    out
}

/// A ranking of statements: its name in the facts, the measure, and what it is called.
type Ranking = (&'static str, fn(&SqlStat) -> Option<f64>, &'static str, &'static str);

const RANKINGS: [Ranking; 4] = [
    ("physical_reads", |s| s.physical_reads, "Which statements read most?", "Blocks read"),
    ("user_io_wait_time", |s| s.io_wait_s, "Which statements wait most for I/O?", "I/O wait (s)"),
    ("elapsed_time", |s| s.elapsed_s, "Which statements take most time?", "Elapsed (s)"),
    ("buffer_gets", |s| s.buffer_gets, "Which statements get most buffers?", "Buffer gets"),
];

/// Adds shares up and marks the row that reaches 80 %.
#[derive(Default)]
struct Running {
    sum: Option<f64>,
    begun: bool,
    marked: bool,
}

impl Running {
    /// Adds a share; the row is marked that makes 80 %, or the one that the diagnosis names.
    fn add(&mut self, share: Option<f64>, named: Option<bool>) -> (Option<f64>, &'static str) {
        let before = if self.begun { self.sum } else { Some(0.0) };
        self.begun = true;
        self.sum = before.zip(share).map(|(a, b)| a + b);
        let reached = named.unwrap_or_else(|| self.sum.is_some_and(|s| s >= 80.0)) && !self.marked;
        self.marked |= reached;
        (self.sum, if reached { "m80" } else { "" })
    }
}

/// Statements and objects by their share of the samples, where the report prints samples.
fn samples(out: &mut String, subject: Subject<'_>) {
    let rows = spindle_diagnosis::sampled(subject.report);
    if rows.is_empty() {
        return;
    }
    out.push_str("<h3>Which statements and objects have most of the samples?</h3>");
    let mut table = Table::new(
        "From \"Top SQL with Top Events\" and \"Top DB Objects\", shares of all samples as printed.",
        &["", "Name", ">Share (%)", "Most of it in", ">Share (%)", "Line"],
        LISTED,
    );
    for row in &rows {
        let share = |pct: f64| Cell::Number(number::share_as_printed(pct));
        table.row(
            "",
            &[
                Cell::Text(row.what),
                Cell::Text(&row.name),
                share(row.share_pct),
                Cell::Text(row.event.as_deref().unwrap_or("")),
                Cell::Number(number::or_unknown(row.event_share_pct, number::share_as_printed)),
                Cell::Number(row.line.to_string()),
            ],
        );
    }
    table.finish(out);
}

fn statements(out: &mut String, subject: Subject<'_>) {
    let report = subject.report;
    let found = RANKINGS.iter().find_map(|r| {
        let rows: Vec<&SqlStat> =
            report.tables.sql_stat.iter().filter(|s| s.ranked_by == r.0 && r.1(s).is_some()).collect();
        (!rows.is_empty()).then_some((r, rows))
    });
    let Some(((rank, measure, question, unit), mut rows)) = found else {
        out.push_str("<h3>Which statements read most?</h3>");
        empty(
            out,
            &head::why_missing(
                report,
                &["sql ordered by reads", "sql ordered by physical reads", "sql ordered by"],
                "statements by reads, I/O wait, elapsed time or buffer gets",
            ),
        );
        return;
    };
    rows.sort_by(|a, b| measure(b).unwrap_or(0.0).total_cmp(&measure(a).unwrap_or(0.0)));
    put!(out, "<h3>{question}</h3>");
    let c = &subject.diagnosis.concentration;
    if *rank == "physical_reads" {
        out.push_str("<p>");
        match c.statements_for_80_pct {
            Some(n) => {
                put!(
                    out,
                    "<b>{n} statement{} 80 % of the physical reads.",
                    if n == 1 { "</b> causes" } else { "s</b> cause" }
                );
            }
            None if c.unseen_sql_pct.is_none() => {
                out.push_str("What part of the physical reads the statements printed make cannot be told.");
            }
            None => out.push_str("The statements printed do not reach 80 % of the physical reads."),
        }
        if let Some(unseen) = c.unseen_sql_pct {
            put!(out, " {} % are by statements that the report does not print.", number::percent(unseen));
        }
        out.push_str("</p>");
    } else {
        empty(out, "The report has no ranking by physical reads; the next best one is shown.");
    }
    let section = report.section_title(rows[0].section);
    let heading = format!(">{unit}");
    let mut table = Table::new(
        &format!("From \"{section}\". 80 % lies above the line."),
        &[
            "Statement",
            &heading,
            ">Share (%)",
            ">Running (%)",
            ">Executions",
            ">per run",
            ">Elapsed (s)",
            ">I/O (%)",
            "Module",
            "Line",
        ],
        LISTED,
    );
    let texts = texts(report);
    let mut room = ALL_SQL_TEXT;
    let mut running = Running::default();
    let instances = rows.iter().any(|r| r.instance_number.is_some());
    // The same statements as the sentence above counts: no callers where their statements are listed.
    let is_caller: Vec<bool> = rows.iter().map(|r| counts_its_statements(report, r)).collect();
    let callers = is_caller.contains(&true) && is_caller.contains(&false);
    let mut counted: Vec<(Option<&str>, Option<u64>)> = Vec::new();
    let enough = c.statements_for_80_pct.filter(|_| *rank == "physical_reads");
    for (row, is_caller) in rows.iter().zip(is_caller) {
        let value = measure(row);
        let share = row.share_pct.or_else(|| Some(100.0 * value? / row.section_total.filter(|t| *t > 0.0)?));
        let left_out = callers && is_caller;
        let (sum, class) = if left_out {
            (None, "")
        } else {
            let statement = (row.sql_id.as_deref(), row.old_hash);
            if !counted.contains(&statement) {
                counted.push(statement);
            }
            let named =
                (*rank == "physical_reads").then(|| enough.is_some_and(|n| counted.len() >= n as usize));
            running.add(share, named)
        };
        if table.full() {
            table.row("", &[]);
            continue;
        }
        let io_pct =
            row.io_pct.or_else(|| Some(100.0 * row.io_wait_s? / row.elapsed_s.filter(|e| *e > 0.0)?));
        let runs = row.executions.filter(|e| *e > 0.0);
        table.row(
            class,
            &[
                Cell::Html(statement(row, &texts, instances, &mut room)),
                Cell::known(value, number::measure),
                Cell::known(share, number::percent),
                if left_out { Cell::Number("caller".to_owned()) } else { Cell::known(sum, number::percent) },
                Cell::known(row.executions, number::count),
                Cell::known(value.zip(runs).map(|(v, n)| v / n), number::measure),
                Cell::known(row.elapsed_s, number::measure),
                Cell::known(io_pct, number::percent),
                Cell::Text(row.module.as_deref().unwrap_or("")),
                Cell::Place(section, row.line),
            ],
        );
    }
    table.finish(out);
    if callers {
        out.push_str("<p class=q>PL/SQL blocks and calls (caller) repeat what the statements that they run read, so the running share leaves them out.</p>");
    }
}

/// Texts by identifier.
fn texts(report: &Report) -> HashMap<(Option<&str>, Option<u64>), &SqlText> {
    report.tables.sql_text.iter().map(|t| ((t.sql_id.as_deref(), t.old_hash), t)).collect()
}

/// Identifier and text: short texts as they are, long ones folded, never cut below [`SQL_TEXT`].
fn statement(
    row: &SqlStat,
    texts: &HashMap<(Option<&str>, Option<u64>), &SqlText>,
    instances: bool,
    room: &mut usize,
) -> String {
    let mut out = String::from("<code>");
    match (&row.sql_id, row.old_hash) {
        (Some(id), _) => push_html(&mut out, &clip(id, 40)),
        (None, Some(hash)) => {
            put!(out, "{hash}");
        }
        (None, None) => out.push('-'),
    }
    out.push_str("</code>");
    if let Some(n) = row.instance_number.filter(|_| instances) {
        put!(out, " instance {n}");
    }
    if let Some(container) = &row.container {
        out.push(' ');
        push_html(&mut out, &clip(container, 40));
    }
    let key = (row.sql_id.as_deref(), row.old_hash);
    let text = texts.get(&key).or_else(|| texts.get(&(key.0, None))).or_else(|| texts.get(&(None, key.1)));
    let Some(text) = text else {
        out.push_str(" <span class=q>text not printed</span>");
        return out;
    };
    let sql = clip(&text.text, SQL_TEXT.min(*room));
    *room = room.saturating_sub(sql.len());
    if sql.chars().count() <= 70 {
        out.push_str(" <span class=sql>");
        push_html(&mut out, &sql);
        out.push_str("</span>");
    } else {
        out.push_str(" <details class=sqd><summary class=sql>");
        push_html(&mut out, &clip(&sql, 60));
        out.push_str("</summary><pre>");
        push_html(&mut out, &sql);
        put!(out, "</pre><span class=q>line {}</span></details>", text.line);
    }
    out
}

fn segments(out: &mut String, subject: Subject<'_>) {
    let report = subject.report;
    let order = [
        ("physical_reads", "Which segments are read most?", "Blocks read"),
        ("physical_read_requests", "Which segments are read most often?", "Read requests"),
        ("unoptimized_reads", "Which segments are read past the flash cache?", "Unoptimized reads"),
        ("logical_reads", "Which segments are got from the cache most?", "Logical reads"),
    ];
    let found = order.iter().find_map(|o| {
        let rows: Vec<&SegmentStat> =
            report.tables.segment_stat.iter().filter(|s| s.ranked_by == o.0).collect();
        (!rows.is_empty()).then_some((o, rows))
    });
    let Some(((rank, question, unit), mut rows)) = found else {
        out.push_str("<h3>Which segments are read most?</h3>");
        empty(
            out,
            &head::why_missing(
                report,
                &["segments by physical reads", "segments by logical reads"],
                "segments by reads (Statspack needs level 7)",
            ),
        );
        return;
    };
    rows.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
    put!(out, "<h3>{question}</h3>");
    if *rank == "physical_reads" {
        let c = &subject.diagnosis.concentration;
        out.push_str("<p>");
        match c.segments_for_80_pct {
            Some(n) => {
                put!(
                    out,
                    "<b>{n} segment{} 80 % of the physical reads.",
                    if n == 1 { "</b> takes" } else { "s</b> take" }
                );
            }
            None if c.unseen_segment_pct.is_none() => {
                out.push_str("What part of the physical reads the segments printed take cannot be told.");
            }
            None => out.push_str("The segments printed do not reach 80 % of the physical reads."),
        }
        if let Some(unseen) = c.unseen_segment_pct {
            put!(
                out,
                " <b>{} % go to segments that nobody can see</b> in this report.",
                number::percent(unseen)
            );
        }
        out.push_str("</p>");
    } else {
        empty(out, "The report has no ranking by physical reads; the next best one is shown.");
    }
    let section = report.section_title(rows[0].section);
    let heading = format!(">{unit}");
    let mut table = Table::new(
        &format!("From \"{section}\". 80 % lies above the line."),
        &["Segment", "Type", "Tablespace", &heading, ">Share (%)", ">Running (%)", "Line"],
        LISTED,
    );
    let mut running = Running::default();
    let (mut listed, enough) = (0, subject.diagnosis.concentration.segments_for_80_pct);
    for row in &rows {
        let share =
            row.share_pct.or_else(|| Some(100.0 * row.value? / row.section_total.filter(|t| *t > 0.0)?));
        listed += 1;
        let named = (*rank == "physical_reads").then(|| enough.is_some_and(|n| listed >= n));
        let (sum, class) = running.add(share, named);
        let mut name: Vec<&str> =
            [&row.owner, &row.object, &row.subobject].into_iter().filter_map(|p| p.as_deref()).collect();
        let number = row.object_number.map(|n| format!("object {n}"));
        if name.is_empty() {
            name.extend(number.as_deref());
        }
        let mut name = name.join(".");
        if let Some(n) = row.instance_number {
            name.push_str(&format!(", instance {n}"));
        }
        table.row(
            class,
            &[
                Cell::Text(&name),
                Cell::Text(row.object_type.as_deref().unwrap_or("")),
                Cell::Text(row.tablespace.as_deref().unwrap_or("")),
                Cell::known(row.value, number::count),
                Cell::known(share, number::percent),
                Cell::known(sum, number::percent),
                Cell::Place(section, row.line),
            ],
        );
    }
    table.finish(out);
}

/// Seconds a second that sessions spend in reads here; orders by what matters.
fn read_load(io: &TablespaceIo) -> f64 {
    io.reads_per_s.or(io.reads).unwrap_or(0.0) * io.avg_read_us.unwrap_or(1.0)
}

fn places(out: &mut String, subject: Subject<'_>) {
    let tables = &subject.report.tables;
    let bar_us =
        subject.diagnosis.latency.iter().find(|l| l.event.contains("sequential read")).and_then(|l| l.bar_us);
    let tablespaces: Vec<(&str, &TablespaceIo)> =
        tables.tablespace_io.iter().map(|t| (t.tablespace.as_str(), t)).collect();
    let files: Vec<(&str, &TablespaceIo)> = tables.file_io.iter().map(|f| (f.file.as_str(), &f.io)).collect();
    for (question, titles, mut rows, is_file) in [
        (
            "Which tablespaces are busy, which are slow?",
            ["tablespace io", "tablespace i/o"],
            tablespaces,
            false,
        ),
        ("Which files are busy, which are slow?", ["file io stats", "file i/o stats"], files, true),
    ] {
        if rows.is_empty() {
            put!(out, "<h3>{question}</h3>");
            let what = if is_file { "I/O by file" } else { "I/O by tablespace" };
            empty(out, &head::why_missing(subject.report, &titles, what));
            continue;
        }
        rows.sort_by(|a, b| read_load(b.1).total_cmp(&read_load(a.1)).then(a.0.cmp(b.0)));
        let short = |name: &'_ str| -> String {
            if is_file { name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned() } else { name.to_owned() }
        };
        let names: Vec<String> = rows.iter().map(|r| short(r.0)).collect();
        let dots: Vec<Dot<'_>> = rows
            .iter()
            .zip(&names)
            .filter_map(|((name, io), short)| {
                let (x, us) = (io.reads_per_s?, io.avg_read_us?);
                let hover = format!(
                    "{}: {} reads/s at {} ms (line {})",
                    clip(name, 120),
                    number::measure(x),
                    number::ms(us),
                    io.line
                );
                Some(Dot { name: short, x, y: us / 1000.0, hover })
            })
            .take(200)
            .collect();
        let picture = Scatter {
            question,
            x_unit: "reads a second (logarithmic)",
            y_unit: "average read, ms (logarithmic)",
            css: palette::of("User I/O").css,
            dots: &dots,
            bar: bar_us.map(|us| us / 1000.0),
        };
        match picture.render() {
            Some(svg) if dots.len() > 1 => out.push_str(&svg),
            _ => {
                put!(out, "<h3>{question}</h3>");
                if dots.is_empty() {
                    empty(out, "Not drawn: no row has both a read rate and an average read time.");
                }
            }
        }
        place_table(out, subject.report, &rows, is_file);
    }
}

fn place_table(out: &mut String, report: &Report, rows: &[(&str, &TablespaceIo)], is_file: bool) {
    let section = report.section_title(rows[0].1.section);
    let fold = is_file && rows.len() > 6;
    if fold {
        put!(out, "<details><summary>{} files</summary>", rows.len());
    }
    let first = if is_file { "File" } else { "Tablespace" };
    let one_block = rows.iter().any(|(_, io)| io.one_block_avg_us.is_some());
    let mut headings = vec![first, ">Reads/s", ">Read (ms)"];
    if one_block {
        headings.push(">1-block read (ms)");
    }
    headings.extend([">Blocks/read", ">Writes/s"]);
    let writes = rows.iter().any(|(_, io)| io.avg_write_us.is_some());
    if writes {
        headings.push(">Write (ms)");
    }
    headings.extend([">Buffer waits", ">Buffer wait (ms)", "Line"]);
    let mut table = Table::new(&format!("From \"{section}\", by read time"), &headings, PLACES);
    for (name, io) in rows {
        if table.full() {
            table.row("", &[]);
            continue;
        }
        let mut label = (*name).to_owned();
        if let Some(n) = io.instance_number {
            label.push_str(&format!(", instance {n}"));
        }
        let mut cells = vec![
            Cell::Text(&label),
            Cell::known(io.reads_per_s, number::plain),
            Cell::known(io.avg_read_us, number::ms_plain),
        ];
        if one_block {
            cells.push(Cell::known(io.one_block_avg_us, number::ms_plain));
        }
        cells.push(Cell::known(io.blocks_per_read, number::plain));
        cells.push(Cell::known(io.writes_per_s, number::plain));
        if writes {
            cells.push(Cell::known(io.avg_write_us, number::ms_plain));
        }
        cells.push(Cell::known(io.buffer_waits, number::count));
        cells.push(Cell::known(io.avg_buffer_wait_us, number::ms_plain));
        cells.push(Cell::Place(section, io.line));
        table.row("", &cells);
    }
    table.finish(out);
    if fold {
        out.push_str("</details>");
    }
}
