//! AWR of 10gR2: waits of both sides in one table, no shares of DB time beside them, no histogram, no
//! I/O by function; sections that later releases print alike are theirs.

use super::{memory, parameters, segments, sql, summary, summary_html, time};
use crate::block::{Block, Cell, Row};
use crate::style::Style;
use spindle_facts::{Layout, Report, Side};
use std::fmt::Write;

pub(super) fn all(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = first_page(report, style);
    out.extend(first_tables(report, style));
    out.push(time::time_model(report, style));
    out.push(classes(report, style));
    out.push(events(report, style, Side::All));
    out.push(events(report, style, Side::Background));
    out.push(os_statistics(report, style));
    out.push(services(report, style));
    out.extend(sql::blocks(report, style));
    out.push(activity(report, style));
    out.push(io(report, style, false));
    out.push(io(report, style, true));
    out.push(memory::cache_advice(report, style));
    out.push(memory::pga_summary(report, style));
    out.push(memory::pga_stats(report, style));
    out.push(pga_advice(report, style));
    out.extend(segments::blocks(report, style));
    out.extend(parameters::blocks(report, style));
    out
}

fn first_page(report: &Report, style: &Style) -> Vec<Block> {
    let shared_pool = summary::shared_pool(report, style);
    let page = [
        header(report, style),
        summary::cache_sizes(report, style),
        load_profile(report, style),
        summary::efficiency(report, style),
        shared_pool,
        top_events(report, style),
    ];
    vec![summary::text(page.concat(), false)]
}

fn header(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let opt = |v: &Option<String>| v.clone().unwrap_or_default();
    let mut out = format!(
        "\nWORKLOAD REPOSITORY report for\n\n\
         DB Name         DB Id    Instance     Inst Num Release     RAC Host\n\
         ------------ ----------- ------------ -------- ----------- --- ------------\n\
         {:<12} {:>11} {:<12} {:>8} {:<11} {:<3} {:.12}\n\n\
         \x20             Snap Id      Snap Time      Sessions Curs/Sess\n\
         \x20           --------- ------------------- -------- ---------\n",
        opt(&id.db_name),
        id.db_id.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.instance),
        id.instance_number.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.version),
        id.rac.map_or("", |r| if r { "YES" } else { "NO" }),
        opt(&id.host),
    );
    for (label, snap, time, sessions) in [
        ("Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions),
        ("  End Snap:", id.end_snap, &id.end_time, id.end_sessions),
    ] {
        let _ = writeln!(
            out,
            "{label} {:>9} {:<19} {} {}",
            snap.map(|n| n.to_string()).unwrap_or_default(),
            style.date(time.as_deref().unwrap_or("")),
            summary::right(&style.int(sessions), 8),
            summary::right(&style.bare(Some(style.cursors_per_session), 1), 9)
        );
    }
    let minutes = |s: Option<f64>| summary::right(&style.num(s.map(|s| s / 60.0), 2), 19);
    let _ = writeln!(
        out,
        "   Elapsed: {} (mins)\n   DB Time: {} (mins)\n",
        minutes(id.elapsed_s),
        minutes(id.db_time_s)
    );
    out
}

fn load_profile(report: &Report, style: &Style) -> String {
    let mut out = String::from(
        "Load Profile\n\
         ~~~~~~~~~~~~                            Per Second       Per Transaction\n\
         \x20                                  ---------------       ---------------\n",
    );
    for row in &report.tables.load_profile {
        let line = format!(
            "{:>27} {:>22} {:>21}",
            format!("{}:", row.metric),
            style.num(row.per_second, 2).text(),
            style.num(row.per_transaction, 2).text()
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let ratio = |v: f64| format!("{:>8}", style.num(Some(v), 2).text());
    let _ = writeln!(
        out,
        "\n  % Blocks changed per Read:{}    Recursive Call %:{}\n Rollback per transaction %:{}       Rows per Sort:{}\n",
        ratio(1.11),
        ratio(97.97),
        ratio(0.07),
        ratio(30.69)
    );
    out
}

fn top_cells(report: &Report, style: &Style) -> Vec<Vec<Cell>> {
    let clip = |class: &str| {
        if style.layout == Layout::Text { class.chars().take(10).collect() } else { class.to_owned() }
    };
    let tops = report.tables.top_event.iter();
    tops.map(|e| {
        vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            style.int(e.time_s),
            style.plain(e.avg_wait_us.map(|us| us / 1e3), 0),
            style.num(e.share_pct, 1),
            // Set to the right, as numbers are.
            e.wait_class.as_deref().map_or(Cell::Blank, |class| Cell::Number(clip(class))),
        ]
    })
    .collect()
}

fn top_events(report: &Report, style: &Style) -> String {
    let ruled = "Event                                 Waits    Time (s)   (ms)   Time Wait Class\n\
                 ------------------------------ ------------ ----------- ------ ------ ----------";
    let block = Block { ruled, ..Block::default() };
    let mut out = format!(
        "Top 5 Timed Events                                         Avg %Total\n\
         ~~~~~~~~~~~~~~~~~~                                        wait   Call\n{ruled}\n"
    );
    for cells in top_cells(report, style) {
        for line in block.row_lines(&Row::new(cells), style) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.push_str("          -------------------------------------------------------------\n");
    out
}

fn first_tables(report: &Report, style: &Style) -> Vec<Block> {
    let id = &report.identity;
    let plain = |heading: &str, columns, rows| summary_html::plain(heading, "", columns, rows);
    let opt = |v: &Option<String>| Cell::opt(v.as_deref());
    let snap = |label: &str, n: Option<u64>, time: &Option<String>, sessions: Option<f64>| {
        vec![
            Cell::name(label),
            summary_html::number(n),
            Cell::name(style.date(time.as_deref().unwrap_or(""))),
            style.int(sessions),
            style.bare(Some(style.cursors_per_session), 1),
        ]
    };
    let minutes = |label: &str, s: Option<f64>| {
        let text = style.num(s.map(|s| s / 60.0), 2);
        let text = Cell::name(format!("{:>19} (mins)", text.text()));
        vec![Cell::name(label), Cell::Blank, text, Cell::Blank, Cell::Blank]
    };
    let load = report.tables.load_profile.iter();
    let load = load
        .map(|r| {
            vec![
                Cell::name(format!("{}:", r.metric)),
                style.num(r.per_second, 2),
                style.num(r.per_transaction, 2),
            ]
        })
        .collect();
    let ratio = |v: f64| style.num(Some(v), 2);
    vec![
        plain(
            "",
            &["DB Name", "DB Id", "Instance", "Inst num", "Release", "RAC", "Host"],
            vec![vec![
                opt(&id.db_name),
                summary_html::number(id.db_id),
                opt(&id.instance),
                summary_html::number(id.instance_number.map(u64::from)),
                opt(&id.version),
                Cell::opt(id.rac.map(|r| if r { "YES" } else { "NO" })),
                opt(&id.host),
            ]],
        ),
        plain(
            "",
            &["", "Snap Id", "Snap Time", "Sessions", "Cursors/Session"],
            vec![
                snap("Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions),
                snap("End Snap:", id.end_snap, &id.end_time, id.end_sessions),
                minutes("Elapsed:", id.elapsed_s),
                minutes("DB Time:", id.db_time_s),
            ],
        ),
        summary_html::cache_sizes(report, style),
        plain("Load Profile", &["", "Per Second", "Per Transaction"], load),
        plain(
            "",
            &[],
            vec![
                vec![
                    Cell::name("% Blocks changed per Read:"),
                    ratio(1.11),
                    Cell::name("Recursive Call %:"),
                    ratio(97.97),
                ],
                vec![
                    Cell::name("Rollback per transaction %:"),
                    ratio(0.07),
                    Cell::name("Rows per Sort:"),
                    ratio(30.69),
                ],
            ],
        ),
        summary_html::efficiency(report, style),
        summary_html::memory(report, style, true),
        plain(
            "Top 5 Timed Events",
            &["Event", "Waits", "Time(s)", "Avg Wait(ms)", "% Total Call Time", "Wait Class"],
            top_cells(report, style),
        ),
    ]
}

/// `.0` stands for less than half a tenth, blank for none.
fn timeouts(pct: Option<f64>, style: &Style) -> Cell {
    pct.filter(|p| *p > 0.0).map_or(Cell::Blank, |p| style.bare(Some(p), 1))
}

const UNITS: [&str; 4] = [
    "-> s  - second",
    "-> cs - centisecond -     100th of a second",
    "-> ms - millisecond -    1000th of a second",
    "-> us - microsecond - 1000000th of a second",
];

fn classes(report: &Report, style: &Style) -> Block {
    let transactions = report.tables.wait_event.iter().find_map(|e| Some(e.waits? / e.waits_per_txn?));
    let rows = report.tables.wait_class.iter().map(|c| {
        Row::new(vec![
            Cell::name(c.wait_class.clone()),
            style.int(c.waits),
            Cell::Number(style.localised(".0".into())),
            style.int(c.time_s),
            style.plain(c.avg_wait_us.map(|us| us / 1e3), 0),
            style.fine(c.waits.zip(transactions).map(|(w, t)| w / t), 1),
        ])
    });
    Block {
        title: "Wait Class".into(),
        notes: UNITS
            .iter()
            .chain(&["-> ordered by wait time desc, waits desc"])
            .map(|n| (*n).into())
            .collect(),
        ruled: "                                                                  Avg\n\
                \x20                                      %Time       Total Wait    wait     Waits\n\
                Wait Class                      Waits  -outs         Time (s)    (ms)      /txn\n\
                -------------------- ---------------- ------ ---------------- ------- ---------",
        columns: &[
            "Wait Class",
            "Waits",
            "%Time -outs",
            "Total Wait Time (s)",
            "Avg wait (ms)",
            "Waits /txn",
        ],
        rows: rows.collect(),
        ..Block::default()
    }
}

fn events(report: &Report, style: &Style, side: Side) -> Block {
    let rows = report.tables.wait_event.iter().filter(|e| e.side == side).map(|e| {
        Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            timeouts(e.timeouts_pct, style),
            style.int(e.time_s),
            style.plain(e.avg_wait_us.map(|us| us / 1e3), 0),
            style.fine(e.waits_per_txn, 1),
        ])
    });
    let order = "-> ordered by wait time desc, waits desc (idle events last)";
    let units = if side == Side::All { &UNITS[..] } else { &[] };
    Block {
        title: if side == Side::All { "Wait Events".into() } else { "Background Wait Events".into() },
        notes: units.iter().chain(&[order]).map(|n| (*n).into()).collect(),
        ruled: "                                                                   Avg\n\
                \x20                                            %Time  Total Wait    wait     Waits\n\
                Event                                 Waits  -outs    Time (s)    (ms)      /txn\n\
                ---------------------------- -------------- ------ ----------- ------- ---------",
        columns: &["Event", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait (ms)", "Waits /txn"],
        rows: rows.collect(),
        new_page: true,
        ..Block::default()
    }
}

fn os_statistics(report: &Report, style: &Style) -> Block {
    let rows = report.tables.os_stat.iter();
    Block {
        title: "Operating System Statistics".into(),
        ruled: "Statistic                                       Total\n\
                -------------------------------- --------------------",
        columns: &["Statistic", "Total"],
        rows: rows.map(|s| Row::new(vec![Cell::name(s.statistic.clone()), style.int(s.value)])).collect(),
        ..Block::default()
    }
}

fn services(report: &Report, style: &Style) -> Block {
    use super::Format::{Fixed, Int, Name};
    let formats = [Name, Fixed(1), Fixed(1), Int, Int];
    let rows = report.tables.service.iter();
    Block {
        title: "Service Statistics".into(),
        notes: vec!["-> ordered by DB Time".into(), UNITS[3].into()],
        ruled: "                                                             Physical    Logical\n\
                Service Name                      DB Time (s)   DB CPU (s)      Reads      Reads\n\
                -------------------------------- ------------ ------------ ---------- ----------",
        columns: &["Service Name", "DB Time (s)", "DB CPU (s)", "Physical Reads", "Logical Reads"],
        rows: rows.map(|r| Row::new(super::printed(r, &formats, style))).collect(),
        ..Block::default()
    }
}

fn activity(report: &Report, style: &Style) -> Block {
    let rows = report.tables.instance_stat.iter().map(|s| {
        Row::new(vec![
            Cell::name(s.statistic.clone()),
            style.int(s.total),
            style.fine(s.per_second, 1),
            style.fine(s.per_transaction, 1),
        ])
    });
    Block {
        title: "Instance Activity Stats".into(),
        ruled: "Statistic                                     Total     per Second     per Trans\n\
                -------------------------------- ------------------ -------------- -------------",
        columns: &["Statistic", "Total", "per Second", "per Trans"],
        rows: rows.collect(),
        new_page: true,
        ..Block::default()
    }
}

fn io(report: &Report, style: &Style, files: bool) -> Block {
    let measures = |io: &spindle_facts::TablespaceIo| {
        let ms = |us: Option<f64>| style.fine(us.map(|us| us / 1e3), 1);
        [
            style.int(io.reads),
            style.int(io.reads_per_s),
            ms(io.avg_read_us),
            style.fine(io.blocks_per_read, 1),
            style.int(io.writes),
            style.int(io.writes_per_s),
            style.int(io.buffer_waits),
            ms(io.avg_buffer_wait_us),
        ]
    };
    let tables = &report.tables;
    let rows: Vec<Row> = if files {
        let row = |f: &spindle_facts::FileIo| {
            [vec![Cell::name(f.io.tablespace.clone()), Cell::name(f.file.clone())], measures(&f.io).to_vec()]
                .concat()
        };
        tables.file_io.iter().map(|f| Row::new(row(f))).collect()
    } else {
        let row = |t: &spindle_facts::TablespaceIo| {
            [vec![Cell::name(t.tablespace.clone())], measures(t).to_vec()].concat()
        };
        tables.tablespace_io.iter().map(|t| Row::new(row(t))).collect()
    };
    Block {
        title: if files { "File IO Stats".into() } else { "Tablespace IO Stats".into() },
        notes: vec![if files {
            "-> ordered by Tablespace, File".into()
        } else {
            "-> ordered by IOs (Reads + Writes) desc".into()
        }],
        ruled: if files {
            "Tablespace               Filename\n\
             ------------------------ ----------------------------------------------------\n\
             \x20                Av      Av     Av                       Av     Buffer Av Buf\n\
             \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
             -------------- ------- ------ ------- ------------ -------- ---------- ------"
        } else {
            "Tablespace\n\
             ------------------------------\n\
             \x20                Av      Av     Av                       Av     Buffer Av Buf\n\
             \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
             -------------- ------- ------ ------- ------------ -------- ---------- ------"
        },
        columns: if files {
            &[
                "Tablespace",
                "Filename",
                "Reads",
                "Av Reads/s",
                "Av Rd(ms)",
                "Av Blks/Rd",
                "Writes",
                "Av Writes/s",
                "Buffer Waits",
                "Av Buf Wt(ms)",
            ]
        } else {
            &[
                "Tablespace",
                "Reads",
                "Av Reads/s",
                "Av Rd(ms)",
                "Av Blks/Rd",
                "Writes",
                "Av Writes/s",
                "Buffer Waits",
                "Av Buf Wt(ms)",
            ]
        },
        rows,
        new_page: true,
        ..Block::default()
    }
}

/// Without the last column, the estimated time.
fn pga_advice(report: &Report, style: &Style) -> Block {
    let mut block = memory::pga_advice(report, style);
    for row in &mut block.rows {
        row.cells.pop();
    }
    Block {
        ruled: "                                       Estd Extra    Estd PGA   Estd PGA\n\
                PGA Target    Size           W/A MB   W/A MB Read/      Cache  Overalloc\n\
                \x20 Est (MB)   Factr        Processed Written to Disk     Hit %      Count\n\
                ---------- ------- ---------------- ---------------- -------- ----------",
        columns: &[
            "PGA Target Est (MB)",
            "Size Factr",
            "W/A MB Processed",
            "Estd Extra W/A MB Read/ Written to Disk",
            "Estd PGA Cache Hit %",
            "Estd PGA Overalloc Count",
        ],
        ..block
    }
}
