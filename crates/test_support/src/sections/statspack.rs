//! Statspack of 11g to 19c: its own titles, columns and order; no HTML.

use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{InstanceStat, Report, Side, SqlStat, TablespaceIo};
use std::fmt::Write;

pub(crate) fn all(report: &Report, style: &Style) -> Vec<Block> {
    match style.release {
        Release::V8_1 => return super::statspack_8i::all(report, style),
        Release::V9_2 | Release::V10_1 => return super::statspack_early::all(report, style),
        Release::V10_2 => return super::statspack_10_2::all(report, style),
        _ => {}
    }
    let mut out = vec![
        verbatim(header(report, style), false),
        verbatim(host(report, style), true),
        time_model(report, style),
        events(report, style, Side::Foreground, "Foreground Wait Events"),
        events(report, style, Side::Background, "Background Wait Events"),
        events(report, style, Side::All, "Wait Events (fg and bg)"),
        histogram(report, style),
    ];
    out.extend(statements(report, style));
    out.extend(activity(report, style));
    out.push(os_statistics(report, style));
    out.push(io_by_function(report, style));
    out.push(tablespaces(report, style));
    out.push(files(report, style));
    out.push(cache_advice(report, style));
    out.push(pools(report, style));
    out.push(pga_summary(report, style));
    out.push(pga_advice(report, style));
    out.push(latches(report, style));
    out.extend(segments(report, style));
    out.push(parameters(report));
    out.retain(|b| b.verbatim.is_some() || !b.rows.is_empty());
    out
}

pub(super) fn verbatim(text: String, new_page: bool) -> Block {
    Block { verbatim: Some(text), new_page, ..Block::default() }
}

pub(super) fn table(title: &str, notes: &[&str], ruled: &'static str, rows: Vec<Row>) -> Block {
    Block {
        title: title.to_owned(),
        notes: notes.iter().map(|n| (*n).to_owned()).collect(),
        ruled,
        rows,
        ..Block::default()
    }
}

/// The line that closes a table of the first page.
pub(super) fn closing_line() -> &'static str {
    "          -------------------------------------------------------------\n"
}

pub(super) fn right(cell: &Cell, width: usize) -> String {
    format!("{:>width$}", cell.text())
}

fn header(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let opt = |v: &Option<String>| v.clone().unwrap_or_default();
    let whole = |v: Option<f64>, w: usize| right(&style.plain(v, 0), w);
    let start: String = style.date(id.startup_time.as_deref().unwrap_or("")).chars().take(15).collect();
    let model =
        |name: &str| report.tables.time_model.iter().find(|r| r.statistic == name).and_then(|r| r.time_s);
    let minutes = |s: Option<f64>, w: usize| right(&style.num(s.map(|s| s / 60.0), 2), w);
    // From 11g the database name stands in the section titles only.
    let mut out = format!(
        "\nSTATSPACK report for\n\n\
         Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC\n\
         ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
         {:<8} {:>11} {:<12} {:>8} {start:<15} {:<11} {}\n\n",
        "",
        id.db_id.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.instance),
        id.instance_number.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.version),
        id.rac.map_or("", |r| if r { "YES" } else { "NO" })
    );
    let _ = writeln!(
        out,
        "{}\n\
         ~~~~ ---------------- ---------------------- ----- ----- ------- ------------\n\
         \x20    {:<16} {:<22} {} {} {} {}\n",
        // 12.1 widens the first column and breaks the line.
        if style.release == Release::V12_1 {
            "Host                             Name             Platform                CPUs\nCores Sockets   Memory (G)"
        } else {
            "Host Name             Platform                CPUs Cores Sockets   Memory (G)"
        },
        opt(&id.host),
        opt(&id.platform),
        whole(id.cpus, 5),
        whole(id.cores, 5),
        whole(id.sockets, 7),
        right(&style.plain(id.memory_bytes.map(|b| b / 1_073_741_824.0), 1), 12)
    );
    out.push_str("Snapshot       Snap Id     Snap Time      Sessions Curs/Sess Comment\n");
    out.push_str("~~~~~~~~    ---------- ------------------ -------- --------- ------------------\n");
    for (label, snap, time, sessions) in [
        ("Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions),
        ("  End Snap:", id.end_snap, &id.end_time, id.end_sessions),
    ] {
        let _ = writeln!(
            out,
            "{label} {:>10} {:<18} {} {}",
            snap.map(|s| s.to_string()).unwrap_or_default(),
            style.date(time.as_deref().unwrap_or("")),
            right(&style.int(sessions), 8),
            right(&style.plain(Some(style.cursors_per_session), 1), 9)
        );
    }
    let active = id.db_time_s.zip(id.elapsed_s).map(|(d, e)| d / e);
    let _ = writeln!(
        out,
        "   Elapsed: {} (mins) Av Act Sess: {}\n   DB time: {} (mins)      DB CPU: {} (mins)\n",
        minutes(id.elapsed_s, 10),
        right(&style.num(active, 1), 9),
        minutes(id.db_time_s, 10),
        minutes(model("DB CPU"), 10)
    );
    let size = |name: &str| {
        report
            .tables
            .cache_size
            .iter()
            .find(|r| r.text("name") == Some(name))
            .and_then(|r| r.number("begin_bytes"))
    };
    let kilo = |b: Option<f64>| b.map_or(String::new(), |b| style.grouped(b / 1024.0, 0) + "K");
    let _ = writeln!(
        out,
        "Cache Sizes            Begin        End\n~~~~~~~~~~~       ---------- ----------\n\
         \x20   Buffer Cache: {}              Std Block Size: {:>10}\n\
         \x20    Shared Pool: {}                  Log Buffer: {:>10}\n",
        right(&style.megabytes(size("Buffer Cache")), 10),
        kilo(id.block_size_bytes.map(|b| b as f64)),
        right(&style.megabytes(size("Shared Pool Size")), 10),
        kilo(size("Log Buffer"))
    );
    out.push_str("Load Profile              Per Second    Per Transaction    Per Exec    Per Call\n");
    out.push_str("~~~~~~~~~~~~      ------------------  ----------------- ----------- -----------\n");
    for row in &report.tables.load_profile {
        let line = format!(
            "{:>17}{}{}{}{}",
            format!("{}:", row.metric),
            right(&style.num(row.per_second, 1), 19),
            right(&style.num(row.per_transaction, 1), 19),
            right(&style.num(row.per_exec, 2), 12),
            right(&style.num(row.per_call, 2), 12)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str("\nInstance Efficiency Indicators\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    for pair in report.tables.efficiency.chunks(2) {
        for (i, row) in pair.iter().enumerate() {
            let cells = printed(row, &[Format::Name, Format::Fixed(2)], style);
            let label = format!("{}:", cells[0].text());
            let _ = if i == 0 {
                write!(out, "{label:>28}{}", right(&cells[1], 8))
            } else {
                write!(out, "{label:>21}{}", right(&cells[1], 8))
            };
        }
        out.push('\n');
    }
    out.push_str(
        "\nTop 5 Timed Events                                                    Avg %Total\n\
         ~~~~~~~~~~~~~~~~~~                                                   wait   Call\n",
    );
    let ruled = "Event                                            Waits    Time (s)   (ms)   Time\n\
                 ----------------------------------------- ------------ ----------- ------ ------";
    out.push_str(ruled);
    out.push('\n');
    let block = Block { ruled, ..Block::default() };
    for e in &report.tables.top_event {
        let row = Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            style.int(e.time_s),
            style.plain(e.avg_wait_us.map(|us| us / 1e3), 0),
            style.bare(e.share_pct, 1),
        ]);
        for line in block.row_lines(&row, style) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.push_str(closing_line());
    out
}

fn host(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let Some(host) = report.tables.host_cpu.first() else { return String::new() };
    let whole = |v: Option<f64>| style.plain(v, 0).text().to_owned();
    let mut out = format!(
        "Host CPU  (CPUs: {}  Cores: {}  Sockets: {})\n\
         ~~~~~~~~              Load Average\n\
         \x20                     Begin     End      User  System    Idle     WIO     WCPU\n\
         \x20                   ------- -------   ------- ------- ------- ------- --------\n\
         \x20                   {} {}   {} {} {} {}\n\n",
        whole(id.cpus),
        whole(id.cores),
        whole(id.sockets),
        right(&style.num(host.load_begin, 2), 7),
        right(&style.num(host.load_end, 2), 7),
        right(&style.num(host.user_pct, 2), 7),
        right(&style.num(host.system_pct, 2), 7),
        right(&style.num(host.idle_pct, 2), 7),
        right(&style.num(host.io_wait_pct, 2), 7)
    );
    out.push_str("Memory Statistics                       Begin          End\n");
    out.push_str("~~~~~~~~~~~~~~~~~                ------------ ------------\n");
    for row in &report.tables.memory_stat {
        let cells = printed(row, &[Format::Name, Format::Fixed(1), Format::Fixed(1)], style);
        let label = format!("{}:", cells[0].text());
        let _ = writeln!(out, "{label:>32} {} {}", right(&cells[1], 12), right(&cells[2], 12));
    }
    out.push_str("          -------------------------------------------------------------\n\n");
    out
}

fn time_model(report: &Report, style: &Style) -> Block {
    let rows = report.tables.time_model.iter().map(|r| {
        Row::new(vec![
            Cell::name(r.statistic.clone()),
            style.num(r.time_s, 1),
            style.bare(r.share_db_time_pct, 1),
        ])
    });
    table(
        "Time Model System Stats",
        &["-> Ordered by % of DB time desc, Statistic name"],
        "Statistic                                       Time (s) % DB time\n\
         ----------------------------------- -------------------- ---------",
        rows.collect(),
    )
}

fn events(report: &Report, style: &Style, side: Side, title: &str) -> Block {
    let rows = report.tables.wait_event.iter().filter(|e| e.side == side).map(|e| {
        Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            style.plain(e.timeouts_pct, 0),
            style.int(e.time_s),
            style.plain(e.avg_wait_us.map(|us| us / 1e3), 0),
            style.num(e.waits_per_txn, 1),
            style.bare(e.share_pct, 1),
        ])
    });
    Block {
        new_page: side == Side::Foreground,
        ..table(
            title,
            &[
                "-> Only events with Total Wait Time (s) >= .001 are shown",
                "-> ordered by Total Wait Time desc, Waits desc (idle events last)",
            ],
            "                                                             Avg          %Total\n\
             \x20                                         %Tim Total Wait   wait    Waits   Call\n\
             Event                               Waits  out   Time (s)   (ms)     /txn   Time\n\
             ---------------------------- ------------ ---- ---------- ------ -------- ------",
            rows.collect(),
        )
    }
}

pub(super) fn histogram(report: &Report, style: &Style) -> Block {
    let bounds_ms = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 1024.0, f64::INFINITY];
    // Statspack cuts its counts as AWR did up to 11.1.
    let cut = Style { release: Release::V11_1, ..style.clone() };
    let rows = report.tables.wait_histogram.iter().map(|h| {
        let total: f64 = h.buckets.iter().map(|b| b.waits).sum();
        let mut cells = vec![Cell::name(h.event.clone()), cut.kilo(h.waits)];
        let mut low = 0.0;
        for bound in bounds_ms {
            let inside = h
                .buckets
                .iter()
                .filter(|b| b.low_us >= low * 1e3 && b.high_us.unwrap_or(f64::INFINITY) <= bound * 1e3);
            cells.push(style.histogram_share(inside.map(|b| b.waits).sum(), total));
            low = bound;
        }
        Row::new(cells)
    });
    Block {
        new_page: true,
        ..table(
            "Wait Event Histogram",
            &[
                "-> Total Waits - units: K is 1000, M is 1000000, G is 1000000000",
                "-> % of Waits - column heading: <=1s is truly <1024ms, >1s is truly >=1024ms",
                "-> % of Waits - value: .0 indicates value was <.05%, null is truly 0",
                "-> Ordered by Event (idle events last)",
            ],
            "                           Total ----------------- % of Waits ------------------\n\
             Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s\n\
             -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
            rows.collect(),
        )
    }
}

type Cells = fn(&SqlStat, &Style) -> Vec<Cell>;

/// Ranking, title, what the total is of, threshold, headings, cells.
const RANKINGS: [(&str, &str, &str, &str, &str, Cells); 5] = [
    (
        "cpu_time",
        "SQL ordered by CPU",
        "DB CPU (s)",
        "",
        "    CPU                  CPU per             Elapsd                     Old\n\
         \x20 Time (s)   Executions  Exec (s)  %Total   Time (s)    Buffer Gets  Hash Value\n\
         ---------- ------------ ---------- ------ ---------- --------------- ----------",
        |s, st| {
            vec![
                st.plain(s.cpu_s, 2),
                st.int(s.executions),
                st.num(per(s.cpu_s, s.executions), 2),
                st.num(s.share_pct, 1),
                st.plain(s.elapsed_s, 2),
                st.int(s.buffer_gets),
                hash(s),
            ]
        },
    ),
    (
        "elapsed_time",
        "SQL ordered by Elapsed time",
        "DB Time (s)",
        "",
        "  Elapsed                Elap per            CPU                        Old\n\
         \x20 Time (s)   Executions  Exec (s)  %Total   Time (s)  Physical Reads Hash Value\n\
         ---------- ------------ ---------- ------ ---------- --------------- ----------",
        |s, st| {
            vec![
                st.plain(s.elapsed_s, 2),
                st.int(s.executions),
                st.num(per(s.elapsed_s, s.executions), 2),
                st.num(s.share_pct, 1),
                st.plain(s.cpu_s, 2),
                st.int(s.physical_reads),
                hash(s),
            ]
        },
    ),
    (
        "buffer_gets",
        "SQL ordered by Gets",
        "Buffer Gets",
        "-> End Buffer Gets Threshold:     10000 ",
        "                                                     CPU      Elapsd     Old\n\
         \x20 Buffer Gets    Executions  Gets per Exec  %Total Time (s)  Time (s) Hash Value\n\
         --------------- ------------ -------------- ------ -------- --------- ----------",
        |s, st| {
            vec![
                st.int(s.buffer_gets),
                st.int(s.executions),
                st.num(per(s.buffer_gets, s.executions), 1),
                st.num(s.share_pct, 1),
                st.plain(s.cpu_s, 2),
                st.plain(s.elapsed_s, 2),
                hash(s),
            ]
        },
    ),
    (
        "physical_reads",
        "SQL ordered by Reads",
        "Disk Reads",
        "-> End Disk Reads Threshold:      1000  ",
        "                                                     CPU      Elapsd\n\
         \x20 Physical Rds   Executions  Rds per Exec   %Total Time (s)  Time (s) Hash Value\n\
         --------------- ------------ -------------- ------ -------- --------- ----------",
        |s, st| {
            vec![
                st.int(s.physical_reads),
                st.int(s.executions),
                st.num(per(s.physical_reads, s.executions), 1),
                st.num(s.share_pct, 1),
                st.plain(s.cpu_s, 2),
                st.plain(s.elapsed_s, 2),
                hash(s),
            ]
        },
    ),
    (
        "executions",
        "SQL ordered by Executions",
        "Executions",
        "-> End Executions Threshold:       100  ",
        "                                                CPU per    Elap per     Old\n\
         \x20Executions   Rows Processed   Rows per Exec    Exec (s)   Exec (s)  Hash Value\n\
         ------------ --------------- ---------------- ----------- ---------- ----------",
        |s, st| {
            vec![
                st.int(s.executions),
                st.int(s.rows_processed),
                st.num(per(s.rows_processed, s.executions), 1),
                st.num(per(s.cpu_s, s.executions), 2),
                st.num(per(s.elapsed_s, s.executions), 2),
                hash(s),
            ]
        },
    ),
];

pub(super) fn per(total: Option<f64>, executions: Option<f64>) -> Option<f64> {
    total.zip(executions).and_then(|(t, e)| (e > 0.0).then(|| t / e))
}

pub(super) fn hash(s: &SqlStat) -> Cell {
    s.old_hash.map_or(Cell::Blank, |h| Cell::Number(h.to_string()))
}

pub(super) fn statements(report: &Report, style: &Style) -> Vec<Block> {
    RANKINGS
        .iter()
        .map(|(ranked_by, title, of, threshold, ruled, cells)| {
            let rows: Vec<&SqlStat> =
                report.tables.sql_stat.iter().filter(|s| s.ranked_by == *ranked_by).collect();
            let total = style.int(rows.first().and_then(|r| r.section_total));
            let captured = style.num(rows.first().and_then(|r| r.captured_pct), 1);
            let whole = of.trim_end_matches(" (s)");
            let first = if threshold.is_empty() {
                format!("-> Total {of}: {:>15}", total.text())
            } else {
                format!("{threshold}Total {of}: {:>15}", total.text())
            };
            Block {
                title: (*title).to_owned(),
                notes: vec![
                    first,
                    format!("-> Captured SQL accounts for {:>6}% of Total {whole}", captured.text()),
                    format!("-> SQL reported below exceeded  1.0% of Total {whole}"),
                ],
                ruled,
                rows: rows
                    .iter()
                    .map(|s| {
                        let mut row = Row::new(cells(s, style));
                        if let Some(module) = &s.module {
                            row.trail.push(format!("Module: {module}"));
                        }
                        let text = report.tables.sql_text.iter().find(|t| t.old_hash == s.old_hash);
                        let text: Vec<char> = text.map(|t| t.text.chars().collect()).unwrap_or_default();
                        row.trail.extend(text.chunks(64).take(5).map(|c| c.iter().collect::<String>()));
                        row.trail.push(String::new());
                        row
                    })
                    .collect(),
                new_page: true,
                ..Block::default()
            }
        })
        .collect()
}

pub(super) fn activity(report: &Report, style: &Style) -> Vec<Block> {
    let is_thread = |s: &InstanceStat| s.statistic.ends_with("(derived)");
    let of = |wanted: fn(&InstanceStat) -> bool| -> Vec<&InstanceStat> {
        report.tables.instance_stat.iter().filter(|s| wanted(s)).collect()
    };
    let diffed = of(|s| s.total.is_some() && !s.statistic.ends_with("(derived)"));
    let absolute = of(|s| s.total.is_none());
    let thread: Vec<_> = report.tables.instance_stat.iter().filter(|s| is_thread(s)).collect();
    vec![
        Block {
            new_page: true,
            ..table(
                "Instance Activity Stats",
                &[],
                "Statistic                                      Total     per Second    per Trans\n\
                 --------------------------------- ------------------ -------------- ------------",
                diffed
                    .iter()
                    .map(|s| {
                        Row::new(vec![
                            Cell::name(s.statistic.clone()),
                            style.int(s.total),
                            style.num(s.per_second, 1),
                            style.num(s.per_transaction, 1),
                        ])
                    })
                    .collect(),
            )
        },
        table(
            "Instance Activity Stats",
            &["-> Statistics with absolute values (should not be diffed)"],
            "Statistic                             Begin Value       End Value\n\
             --------------------------------- --------------- ---------------",
            absolute
                .iter()
                .map(|s| {
                    Row::new(vec![
                        Cell::name(s.statistic.clone()),
                        style.int(s.begin_value),
                        style.int(s.end_value),
                    ])
                })
                .collect(),
        ),
        table(
            "Instance Activity Stats",
            &["-> Statistics identified by '(derived)' come from sources other than SYSSTAT"],
            "Statistic                                      Total  per Hour\n\
             --------------------------------- ------------------ ---------",
            thread
                .iter()
                .map(|s| {
                    let hourly = s.total.zip(report.identity.elapsed_s).map(|(t, e)| t * 3600.0 / e);
                    Row::new(vec![Cell::name(s.statistic.clone()), style.int(s.total), style.num(hourly, 2)])
                })
                .collect(),
        ),
    ]
}

pub(super) fn os_statistics(report: &Report, style: &Style) -> Block {
    let rows = report.tables.os_stat.iter();
    Block {
        new_page: true,
        ..table(
            "OS Statistics",
            &["-> ordered by statistic type (CPU use, Virtual Memory, Hardware Config), Name"],
            "Statistic                                  Total\n\
             ------------------------- ----------------------",
            rows.map(|s| Row::new(vec![Cell::name(s.statistic.clone()), style.int(s.value)])).collect(),
        )
    }
}

fn io_by_function(report: &Report, style: &Style) -> Block {
    let mb = |v: Option<f64>| style.data(v);
    let rate = |v: Option<f64>| {
        v.map_or(Cell::Blank, |b| Cell::Number(style.bare(Some(b / 1_048_576.0), 1).text().to_owned() + "M"))
    };
    let rows = report.tables.io_function.iter().filter(|r| !r.is_total).map(|r| {
        Row::new(vec![
            Cell::opt(r.function.as_deref()),
            mb(r.read_bytes),
            style.bare(r.reads_per_s, 1),
            rate(r.read_bytes_per_s),
            mb(r.write_bytes),
            style.bare(r.writes_per_s, 1),
            rate(r.write_bytes_per_s),
            style.kilo(r.waits),
            // Milliseconds a request, divided by a thousand once more.
            style.num(Some(r.avg_wait_us.unwrap_or(0.0) / 1e6), 1),
        ])
    });
    table(
        "IO Stat by Function - summary",
        &[
            "->Data Volume values suffixed with   M,G,T,P are in multiples of 1024,",
            "  other values suffixed with       K,M,G,T,P are in multiples of 1000",
            "->ordered by Data Volume (Read+Write) desc",
        ],
        "               ---------- Read --------- --------- Write -------- --- Wait ----\n\
         \x20                Data  Requests    Data   Data  Requests    Data          Avg\n\
         Function        Volume     /sec  Vol/sec Volume     /sec  Vol/sec  Count Tm(ms)\n\
         --------------- ------ -------- -------- ------ -------- -------- ------ ------",
        rows.collect(),
    )
}

pub(super) fn measures(io: &TablespaceIo, style: &Style, file: bool) -> Vec<Cell> {
    let ms = |us: Option<f64>| style.num(us.map(|us| us / 1e3), 1);
    let mut cells = vec![style.int(io.reads), style.int(io.reads_per_s), ms(io.avg_read_us)];
    if file {
        cells.push(Cell::Blank);
    }
    cells.extend([
        style.num(io.blocks_per_read, 1),
        style.int(io.writes),
        style.int(io.writes_per_s),
        style.int(io.buffer_waits),
        ms(io.avg_buffer_wait_us),
    ]);
    cells
}

fn tablespaces(report: &Report, style: &Style) -> Block {
    let rows = report.tables.tablespace_io.iter().map(|r| {
        let mut cells = vec![Cell::name(r.tablespace.clone())];
        cells.extend(measures(r, style, false));
        Row::new(cells)
    });
    Block {
        new_page: true,
        ..table(
            "Tablespace IO Stats",
            &["->ordered by IOs (Reads + Writes) desc"],
            "Tablespace\n\
             ------------------------------\n\
             \x20                Av      Av     Av                    Av        Buffer Av Buf\n\
             \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
             -------------- ------- ------ ------- ------------ -------- ---------- ------",
            rows.collect(),
        )
    }
}

fn files(report: &Report, style: &Style) -> Block {
    let rows = report.tables.file_io.iter().map(|r| {
        let mut cells = vec![Cell::name(r.io.tablespace.clone()), Cell::name(r.file.clone())];
        cells.extend(measures(&r.io, style, true));
        Row { trail: vec![String::new()], ..Row::new(cells) }
    });
    Block {
        new_page: true,
        ..table(
            "File IO Stats",
            &["->Mx Rd Bkt: Max bucket time for single block read", "->ordered by Tablespace, File"],
            "Tablespace               Filename\n\
             ------------------------ ----------------------------------------------------\n\
             \x20                       Av   Mx                                             Av\n\
             \x20                Av     Rd   Rd    Av                    Av        Buffer BufWt\n\
             \x20        Reads Reads/s (ms)  Bkt Blks/Rd       Writes Writes/s      Waits  (ms)\n\
             -------------- ------- ----- --- ------- ------------ -------- ---------- ------",
            rows.collect(),
        )
    }
}

fn cache_advice(report: &Report, style: &Style) -> Block {
    let rows = report.tables.db_cache_advice.iter().map(|r| {
        Row::new(vec![
            Cell::opt(r.pool.as_deref()),
            style.int(r.size_bytes.map(|b| b / 1_048_576.0)),
            style.bare(r.size_factor, 1),
            style.int(r.buffers.map(|b| b / 1e3)),
            style.num(r.read_factor, 1),
            style.int(r.estimated_reads.map(|b| b / 1e3)),
            style.int(r.estimated_read_time_s),
            style.num(r.estimated_db_time_pct, 1),
        ])
    });
    Block {
        new_page: true,
        one_snap: true,
        ..table(
            "Buffer Pool Advisory",
            &[
                "-> Only rows with estimated physical reads >0 are displayed",
                "-> ordered by Pool, Block Size, Buffers For Estimate",
            ],
            "                                   Est\n\
             \x20                                 Phys      Estimated                   Est\n\
             \x20   Size for  Size      Buffers   Read     Phys Reads     Est Phys % dbtime\n\
             P    Est (M) Factr  (thousands)  Factr    (thousands)    Read Time  for Rds\n\
             --- -------- ----- ------------ ------ -------------- ------------ --------",
            rows.collect(),
        )
    }
}

fn pools(report: &Report, style: &Style) -> Block {
    let cut = Style { release: Release::V11_1, ..style.clone() };
    let rows = report.tables.buffer_pool.iter().map(|r| {
        use Format::{Int, Name};
        let mut cells = printed(r, &[Name, Int, Int, Int, Int, Int, Int, Int, Int], style);
        cells[1] = cut.kilo(r.number("number_of_buffers"));
        Row::new(cells)
    });
    table(
        "Buffer Pool Statistics",
        &[
            "-> Standard block size Pools  D: default,  K: keep,  R: recycle",
            "-> Default Pools for other block sizes: 2k, 4k, 8k, 16k, 32k",
            "-> Buffers: the number of buffers.  Units of K, M, G are divided by 1000",
        ],
        "                                                            Free Writ     Buffer\n\
         \x20           Pool         Buffer     Physical    Physical  Buffer Comp       Busy\n\
         P   Buffers Hit%           Gets        Reads      Writes   Waits Wait      Waits\n\
         --- ------- ---- -------------- ------------ ----------- ------- ---- ----------",
        rows.collect(),
    )
}

fn pga_summary(report: &Report, style: &Style) -> Block {
    let rows = report.tables.pga_aggregate.iter().filter(|r| r.number("pga_cache_hit_pct").is_some());
    table(
        "PGA Aggr Target Stats",
        &["-> PGA cache hit % - percentage of W/A (WorkArea) data processed only in-memory"],
        "PGA Cache Hit % W/A MB Processed Extra W/A MB Read/Written\n\
         --------------- ---------------- -------------------------",
        rows.map(|r| Row::new(printed(r, &[Format::Fixed(1), Format::Int, Format::Int], style))).collect(),
    )
}

fn pga_advice(report: &Report, style: &Style) -> Block {
    let mb = |b: Option<f64>| b.map(|b| b / 1_048_576.0);
    let rows = report.tables.pga_advice.iter().map(|r| {
        Row::new(vec![
            style.int(mb(r.target_bytes)),
            style.num(r.size_factor, 1),
            style.int(mb(r.processed_bytes)),
            style.int(mb(r.extra_rw_bytes)),
            style.num(r.estimated_time_s, 1),
            style.num(r.cache_hit_pct, 1),
            style.int(r.over_allocations),
        ])
    });
    Block {
        one_snap: true,
        ..table(
            "PGA Memory Advisory",
            &[
                "-> When using Auto Memory Mgmt, minimally choose a pga_aggregate_target value",
                "   where Estd PGA Overalloc Count is 0",
            ],
            "                                   Estd Extra                Estd\n\
             \x20 PGA Aggr                           W/A MB      Estd Time    PGA   Estd PGA\n\
             \x20   Target   Size         W/A MB  Read/Written  to Process  Cache  Overalloc\n\
             \x20 Est (MB)  Factr      Processed    to Disk      Bytes (s)  Hit %      Count\n\
             ---------- ------ -------------- -------------- ---------- ------ ----------",
            rows.collect(),
        )
    }
}

fn latches(report: &Report, style: &Style) -> Block {
    use Format::{Fixed, Int, Name};
    let rows = report.tables.latch.iter();
    Block {
        new_page: true,
        ..table(
            "Latch Activity",
            &[
                "->\"Get Requests\", \"Pct Get Miss\" and \"Avg Slps/Miss\" are statistics for",
                "  willing-to-wait latch get requests",
                "->\"NoWait Requests\", \"Pct NoWait Miss\" are for no-wait latch get requests",
                "->\"Pct Misses\" for both should be very close to 0.0",
            ],
            "                                           Pct    Avg   Wait                 Pct\n\
             \x20                             Get          Get   Slps   Time       NoWait NoWait\n\
             Latch                       Requests      Miss  /Miss    (s)     Requests   Miss\n\
             ------------------------ -------------- ------ ------ ------ ------------ ------",
            rows.map(|r| Row::new(printed(r, &[Name, Int, Fixed(1), Fixed(1), Int, Int, Fixed(1)], style)))
                .collect(),
        )
    }
}

/// Level 7 and above.
fn segments(report: &Report, style: &Style) -> Vec<Block> {
    const RULED: [(&str, &str, &str, &str); 2] = [
        (
            "logical_reads",
            "Segments by Logical Reads",
            "-> End Segment Logical Reads Threshold:     10000",
            "                                           Subobject    Obj.       Logical   Pct\n\
             Owner      Tablespace Object Name          Name         Type         Reads Total\n\
             ---------- ---------- -------------------- ------------ ----- ------------ -----",
        ),
        (
            "physical_reads",
            "Segments by Physical Reads",
            "-> End Segment Physical Reads Threshold:      1000",
            "                                           Subobject    Obj.      Physical   Pct\n\
             Owner      Tablespace Object Name          Name         Type         Reads Total\n\
             ---------- ---------- -------------------- ------------ ----- ------------ -----",
        ),
    ];
    RULED
        .iter()
        .map(|(ranked_by, title, note, ruled)| {
            let rows = report.tables.segment_stat.iter().filter(|s| s.ranked_by == *ranked_by).map(|s| {
                Row::new(vec![
                    Cell::opt(s.owner.as_deref()),
                    Cell::opt(s.tablespace.as_deref()),
                    Cell::opt(s.object.as_deref()),
                    Cell::opt(s.subobject.as_deref()),
                    Cell::opt(s.object_type.as_deref()),
                    style.int(s.value),
                    style.bare(s.share_pct, 1),
                ])
            });
            table(title, &[note], ruled, rows.collect())
        })
        .collect()
}

pub(super) fn parameters(report: &Report) -> Block {
    let rows = report.tables.parameter.iter().map(|p| {
        Row::new(vec![
            Cell::name(p.name.clone()),
            Cell::opt(p.begin_value.as_deref()),
            Cell::opt(p.end_value.as_deref()),
        ])
    });
    Block {
        new_page: true,
        ..table(
            "init.ora Parameters",
            &[],
            "                                                                  End value\n\
             Parameter Name                Begin value                       (if different)\n\
             ----------------------------- --------------------------------- --------------",
            rows.collect(),
        )
    }
}
