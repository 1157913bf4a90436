//! Statements by each ranking, and their texts.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report, SqlStat};

/// What differs from ranking to ranking.
pub(super) struct Ranking {
    pub(super) ranked_by: &'static str,
    pub(super) title: &'static str,
    pub(super) summary: &'static str,
    /// Lines under the title before the captured share.
    pub(super) notes: &'static [&'static str],
    /// Words of the captured-share line: what the total is of.
    pub(super) captured: Captured,
    pub(super) ruled: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) cells: fn(&SqlStat, &Style) -> Vec<Cell>,
}

pub(super) enum Captured {
    /// No line.
    Nothing,
    /// `-> Captured SQL account for 95.3% of Total DB Time (s): 6,405`.
    OneLine(&'static str),
    /// `-> Total Disk Reads: 522,880` and `-> Captured SQL account for 99.7% of Total`.
    TwoLines(&'static str),
    /// The same, and once more for what PL/SQL took.
    WithPlsql(&'static str),
}

const CPU_IO_NOTES: [&str; 2] = [
    "-> %CPU   - CPU Time      as a percentage of Elapsed Time",
    "-> %IO    - User I/O Time as a percentage of Elapsed Time",
];

const RANKINGS: &[Ranking] = &[
    Ranking {
        ranked_by: "elapsed_time",
        title: "SQL ordered by Elapsed Time",
        summary: "This table displays top SQL by elapsed time",
        notes: &[
            "-> Resources reported for PL/SQL code includes the resources used by all SQL",
            "   statements called by the code.",
            "-> % Total DB Time is the Elapsed Time of the SQL statement divided",
            "   into the Total Database Time multiplied by 100",
            "-> %Total - Elapsed Time  as a percentage of Total DB time",
            CPU_IO_NOTES[0],
            CPU_IO_NOTES[1],
        ],
        captured: Captured::OneLine("DB Time (s)"),
        ruled: "        Elapsed                  Elapsed Time\n\
                \x20       Time (s)    Executions  per Exec (s)  %Total   %CPU    %IO    SQL Id\n\
                ---------------- -------------- ------------- ------ ------ ------ -------------",
        columns: &[
            "Elapsed Time (s)",
            "Executions",
            "Elapsed Time per Exec (s)",
            "%Total",
            "%CPU",
            "%IO",
            "SQL Id",
            "SQL Module",
            "SQL Text",
        ],
        cells: |s, st| {
            vec![
                st.fine(s.elapsed_s, 1),
                st.int(s.executions),
                st.num(per(s.elapsed_s, s.executions), 2),
                st.short_pct(s.share_pct),
                st.short_pct(s.cpu_pct),
                st.short_pct(s.io_pct),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
    Ranking {
        ranked_by: "cpu_time",
        title: "SQL ordered by CPU Time",
        summary: "This table displays top SQL by CPU time",
        notes: &[
            "-> Resources reported for PL/SQL code includes the resources used by all SQL",
            "   statements called by the code.",
            "-> %Total - CPU Time      as a percentage of Total DB CPU",
            CPU_IO_NOTES[0],
            CPU_IO_NOTES[1],
        ],
        captured: Captured::OneLine("CPU Time (s)"),
        ruled: "    CPU                   CPU per           Elapsed\n\
                \x20 Time (s)  Executions    Exec (s) %Total   Time (s)   %CPU    %IO    SQL Id\n\
                ---------- ------------ ---------- ------ ---------- ------ ------ -------------",
        columns: &[
            "CPU Time (s)",
            "Executions",
            "CPU per Exec (s)",
            "%Total",
            "Elapsed Time (s)",
            "%CPU",
            "%IO",
            "SQL Id",
            "SQL Module",
            "SQL Text",
        ],
        cells: |s, st| {
            vec![
                st.fine(s.cpu_s, 1),
                st.int(s.executions),
                st.num(per(s.cpu_s, s.executions), 2),
                st.short_pct(s.share_pct),
                st.fine(s.elapsed_s, 1),
                st.short_pct(s.cpu_pct),
                st.short_pct(s.io_pct),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
    Ranking {
        ranked_by: "user_io_wait_time",
        title: "SQL ordered by User I/O Wait Time",
        summary: "This table displays top SQL by user I/O time",
        notes: &[
            "-> Resources reported for PL/SQL code includes the resources used by all SQL",
            "   statements called by the code.",
            "-> %Total - User I/O Time as a percentage of Total User I/O Wait time",
            CPU_IO_NOTES[0],
            CPU_IO_NOTES[1],
        ],
        captured: Captured::OneLine("User I/O Wait Time (s)"),
        ruled: "  User I/O                UIO per           Elapsed\n\
                \x20 Time (s)  Executions    Exec (s) %Total   Time (s)   %CPU    %IO    SQL Id\n\
                ---------- ------------ ---------- ------ ---------- ------ ------ -------------",
        columns: &[
            "User I/O Time (s)",
            "Executions",
            "UIO per Exec (s)",
            "%Total",
            "Elapsed Time (s)",
            "%CPU",
            "%IO",
            "SQL Id",
            "SQL Module",
            "SQL Text",
        ],
        cells: |s, st| {
            vec![
                st.fine(s.io_wait_s, 1),
                st.int(s.executions),
                st.num(per(s.io_wait_s, s.executions), 2),
                st.short_pct(s.share_pct),
                st.fine(s.elapsed_s, 1),
                st.short_pct(s.cpu_pct),
                st.short_pct(s.io_pct),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
    Ranking {
        ranked_by: "buffer_gets",
        title: "SQL ordered by Gets",
        summary: "This table displays top SQL by buffer gets",
        notes: &[
            "-> Resources reported for PL/SQL code includes the resources used by all SQL",
            "   statements called by the code.",
            "-> %Total - Buffer Gets   as a percentage of Total Buffer Gets",
            CPU_IO_NOTES[0],
            CPU_IO_NOTES[1],
        ],
        captured: Captured::TwoLines("Buffer Gets"),
        ruled: "     Buffer                 Gets              Elapsed\n\
                \x20     Gets   Executions   per Exec   %Total   Time (s)  %CPU   %IO    SQL Id\n\
                ----------- ----------- ------------ ------ ---------- ----- ----- -------------",
        columns: &[
            "Buffer Gets",
            "Executions",
            "Gets per Exec",
            "%Total",
            "Elapsed Time (s)",
            "%CPU",
            "%IO",
            "SQL Id",
            "SQL Module",
            "SQL Text",
        ],
        cells: |s, st| {
            vec![
                st.wide_int(s.buffer_gets, 11),
                st.int(s.executions),
                st.fine(per(s.buffer_gets, s.executions), 1),
                st.short_pct(s.share_pct),
                st.fine(s.elapsed_s, 1),
                st.short_pct(s.cpu_pct),
                st.short_pct(s.io_pct),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
    Ranking {
        ranked_by: "physical_reads",
        title: "SQL ordered by Reads",
        summary: "This table displays top SQL by physical reads",
        notes: &[
            "-> %Total - Physical Reads as a percentage of Total Disk Reads",
            CPU_IO_NOTES[0],
            CPU_IO_NOTES[1],
        ],
        captured: Captured::TwoLines("Disk Reads"),
        ruled: "   Physical              Reads              Elapsed\n\
                \x20     Reads  Executions per Exec   %Total   Time (s)   %CPU    %IO    SQL Id\n\
                ----------- ----------- ---------- ------ ---------- ------ ------ -------------",
        columns: &[
            "Physical Reads",
            "Executions",
            "Reads per Exec",
            "%Total",
            "Elapsed Time (s)",
            "%CPU",
            "%IO",
            "SQL Id",
            "SQL Module",
            "SQL Text",
        ],
        cells: |s, st| {
            vec![
                st.wide_int(s.physical_reads, 11),
                st.int(s.executions),
                st.fine(per(s.physical_reads, s.executions), 1),
                st.short_pct(s.share_pct),
                st.fine(s.elapsed_s, 1),
                st.short_pct(s.cpu_pct),
                st.short_pct(s.io_pct),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
    Ranking {
        ranked_by: "executions",
        title: "SQL ordered by Executions",
        summary: "This table displays top SQL by number of executions",
        notes: &[CPU_IO_NOTES[0], CPU_IO_NOTES[1]],
        captured: Captured::TwoLines("Executions"),
        ruled: "                                              Elapsed\n\
                \x20Executions   Rows Processed  Rows per Exec   Time (s)  %CPU   %IO    SQL Id\n\
                ------------ --------------- -------------- ---------- ----- ----- -------------",
        columns: &[
            "Executions",
            "Rows Processed",
            "Rows per Exec",
            "Elapsed Time (s)",
            "%CPU",
            "%IO",
            "SQL Id",
            "SQL Module",
            "SQL Text",
        ],
        cells: |s, st| {
            vec![
                st.int(s.executions),
                st.int(s.rows_processed),
                st.fine(per(s.rows_processed, s.executions), 1),
                st.fine(s.elapsed_s, 1),
                st.short_pct(s.cpu_pct),
                st.short_pct(s.io_pct),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
    Ranking {
        ranked_by: "parse_calls",
        title: "SQL ordered by Parse Calls",
        summary: "This table displays top SQL by number of parse calls",
        notes: &[],
        captured: Captured::TwoLines("Parse Calls"),
        ruled: "                            % Total\n\
                \x20Parse Calls  Executions     Parses    SQL Id\n\
                ------------ ------------ --------- -------------",
        columns: &["Parse Calls", "Executions", "% Total Parses", "SQL Id", "SQL Module", "SQL Text"],
        cells: |s, st| {
            vec![
                st.int(s.parse_calls),
                st.int(s.executions),
                st.num(s.share_pct, 2),
                Cell::opt(s.sql_id.as_deref()),
            ]
        },
    },
];

pub(super) fn per(total: Option<f64>, executions: Option<f64>) -> Option<f64> {
    total.zip(executions).and_then(|(t, e)| (e > 0.0).then(|| t / e))
}

impl Style {
    /// A whole number that turns to `3.51655E+08` where the column is too narrow.
    pub(super) fn wide_int(&self, value: Option<f64>, width: usize) -> Cell {
        match value {
            Some(v) if self.grouped(v, 0).len() > width && !self.hashes && self.layout == Layout::Text => {
                Cell::Number(self.localised(crate::numbers::scientific(v, width - 6)))
            }
            v => self.int(v),
        }
    }
}

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let rankings = match style.release {
        r if r >= Release::V11_2_0_3 => RANKINGS,
        Release::V11_1 => super::sql_early::RANKINGS_11_1,
        _ => super::sql_early::RANKINGS_10_2,
    };
    let mut out: Vec<Block> = rankings.iter().map(|ranking| block(report, style, ranking)).collect();
    out.push(complete_list(report));
    out
}

fn block(report: &Report, style: &Style, ranking: &Ranking) -> Block {
    let rows: Vec<_> = report.tables.sql_stat.iter().filter(|s| s.ranked_by == ranking.ranked_by).collect();
    let mut notes: Vec<String> = ranking.notes.iter().map(|n| (*n).to_owned()).collect();
    let total = style.int(rows.first().and_then(|r| r.section_total)).text().to_owned();
    let captured = style.num(rows.first().and_then(|r| r.captured_pct), 1).text().to_owned();
    match ranking.captured {
        Captured::Nothing => {}
        Captured::OneLine(of) => {
            let line = format!("-> Captured SQL account for {captured:>6}% of Total {of}: {total:>15}");
            notes.push(if style.layout == Layout::Text { clip(line) } else { line });
        }
        Captured::TwoLines(of) => {
            notes.push(format!("-> Total {of}: {total:>15}"));
            notes.push(format!("-> Captured SQL account for {captured:>6}% of Total"));
        }
        Captured::WithPlsql(of) => {
            let plsql = style.num(Some(0.2), 1);
            for (what, share) in [("SQL", captured.as_str()), ("PL/SQL", plsql.text())] {
                notes.push(format!("-> Total {of}: {total:>15}"));
                notes.push(format!("-> Captured {what} account for {share:>6}% of Total"));
            }
        }
    }
    let containers = super::names_containers(report, style);
    let own_columns = containers.then(|| {
        let mut columns = ranking.columns.to_vec();
        columns.insert(columns.len() - 1, "PDB Name");
        columns
    });
    Block {
        title: ranking.title.into(),
        summary: ranking.summary,
        own_columns,
        notes: if rows.is_empty() { Vec::new() } else { notes },
        ruled: ranking.ruled,
        columns: ranking.columns,
        rows: rows
            .iter()
            .map(|s| {
                let mut row = Row::new((ranking.cells)(s, style));
                if let Some(module) = &s.module {
                    row.trail.push(format!("Module: {module}"));
                }
                row.trail.extend(super::container_line(report, style, s.container.as_deref()));
                let text = report.tables.sql_text.iter().find(|t| t.sql_id == s.sql_id);
                let text: Vec<char> = text.map(|t| t.text.chars().collect()).unwrap_or_default();
                row.html = vec![Cell::opt(s.module.as_deref())];
                row.html.extend(containers.then(|| Cell::opt(s.container.as_deref())));
                row.html.push(Cell::name(format!("{}...", text.iter().take(30).collect::<String>())));
                row.trail.extend(text.chunks(80).take(4).map(|c| c.iter().collect::<String>()));
                row.trail.push(String::new());
                row
            })
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

/// HTML prints every statement once in full.
fn complete_list(report: &Report) -> Block {
    Block {
        title: "Complete List of SQL Text".into(),
        summary: "This table displays the text of the SQL statements which have been referred to in the report",
        columns: &["SQL Id", "SQL Text"],
        rows: report
            .tables
            .sql_text
            .iter()
            .map(|t| Row::new(vec![Cell::opt(t.sql_id.as_deref()), Cell::name(t.text.clone())]))
            .collect(),
        only: Some(Layout::Html),
        ..Block::default()
    }
}

/// Text cuts its notes at the width of the page.
fn clip(line: String) -> String {
    line.chars().take(79).collect()
}
