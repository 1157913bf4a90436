//! Statspack of 9i and 10gR1: wait events of both sides in one table, times without shares, counts
//! in the histogram of 10gR1, statements by their old hash.

use super::statspack::{closing_line, hash, measures, parameters, per, right, table, verbatim};
use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Report, Side, SqlStat};
use std::fmt::Write;

pub(super) fn all(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = vec![
        verbatim(header(report, style), false),
        events(report, style, Side::All, "Wait Events"),
        events(report, style, Side::Background, "Background Wait Events"),
    ];
    if style.release >= Release::V10_1 {
        out.push(histogram(report, style));
    }
    out.extend(statements(report, style));
    out.push(activity(report, style));
    if style.release >= Release::V10_1 {
        out.push(time_model(report, style));
        out.push(os_statistics(report, style));
    }
    out.push(tablespaces(report, style));
    out.push(files(report, style));
    out.push(pga_advice(report, style));
    out.push(parameters(report));
    out.retain(|b| b.verbatim.is_some() || !b.rows.is_empty());
    out
}

fn header(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let opt = |v: &Option<String>| v.clone().unwrap_or_default();
    let ten = style.release >= Release::V10_1;
    let (cluster, width) = if ten { ("RAC", 3) } else { ("Cluster", 7) };
    let mut out = String::from(if style.spans_restart { RESTART } else { "\n" });
    let _ = write!(
        out,
        "STATSPACK report for\n\n\
         DB Name         DB Id    Instance     Inst Num Release     {cluster} Host\n\
         ------------ ----------- ------------ -------- ----------- {} {}\n\
         {:<12} {:>11} {:<12} {:>8} {:<11} {:<width$} {}\n\n",
        "-".repeat(width),
        "-".repeat(if ten { 16 } else { 12 }),
        opt(&id.db_name),
        id.db_id.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.instance),
        id.instance_number.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.version),
        id.rac.map_or("", |r| if r { "YES" } else { "NO" }),
        opt(&id.host),
    );
    out.push_str(&if style.spans_restart { NO_SNAPSHOTS.to_owned() } else { snapshots(report, style) });
    out.push_str(
        "Load Profile\n\
         ~~~~~~~~~~~~                            Per Second       Per Transaction\n\
         \x20                                  ---------------       ---------------\n",
    );
    for row in &report.tables.load_profile {
        let line = format!(
            "{:>27}{}{}",
            format!("{}:", row.metric),
            right(&style.num(row.per_second, 2), 23),
            right(&style.num(row.per_transaction, 2), 22),
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str(if ten {
        "\nTop 5 Timed Events\n\
         ~~~~~~~~~~~~~~~~~~                                                      % Total\n"
    } else {
        "\nTop 5 Timed Events\n\
         ~~~~~~~~~~~~~~~~~~                                                     % Total\n"
    });
    let ruled = if ten {
        "Event                                               Waits    Time (s) Call Time\n\
         -------------------------------------------- ------------ ----------- ---------"
    } else {
        "Event                                               Waits    Time (s) Ela Time\n\
         -------------------------------------------- ------------ ----------- --------"
    };
    out.push_str(ruled);
    out.push('\n');
    let block = Block { ruled, ..Block::default() };
    for e in &report.tables.top_event {
        let row = Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            style.int(e.time_s),
            style.bare(e.share_pct, 2),
        ]);
        for line in block.row_lines(&row, style) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.push_str(closing_line());
    out
}

fn snapshots(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let ten = style.release >= Release::V10_1;
    let mut out = String::new();
    let snap_width = if ten { 9 } else { 7 };
    let _ = writeln!(
        out,
        "            {:>snap_width$}     Snap Time      Sessions Curs/Sess Comment\n\
         \x20           {} ------------------ -------- --------- -------------------",
        "Snap Id",
        "-".repeat(snap_width)
    );
    for (label, snap, time, sessions) in [
        ("Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions),
        ("  End Snap:", id.end_snap, &id.end_time, id.end_sessions),
    ] {
        let _ = writeln!(
            out,
            "{label} {:>snap_width$} {:<18} {} {}",
            snap.map(|s| s.to_string()).unwrap_or_default(),
            style.date(time.as_deref().unwrap_or("")),
            right(&style.int(sessions), 8),
            right(&style.plain(Some(style.cursors_per_session), 1), 9)
        );
    }
    let elapsed = style.num(id.elapsed_s.map(|s| s / 60.0), 2);
    let _ = writeln!(out, "   Elapsed: {} (mins)\n", right(&elapsed, 19));
    out
}

/// What the script says first where the instance restarted between the snapshots.
pub(super) const RESTART: &str =
    "\n\nERROR: Snapshots chosen span an instance shutdown: RESULTS ARE INVALID\n";

/// Snapshots are selected by their common start-up: none is found, and the script stumbles over that.
pub(super) const NO_SNAPSHOTS: &str = "   :ela     :=  ;\n\
    \x20               *\n\
    ERROR at line 4:\n\
    ORA-06550: line 4, column 17:\n\
    PLS-00103: Encountered the symbol \";\" when expecting one of the following:\n\
    ( - + case mod new not null <an identifier>\n\
    The symbol \"null\" was substituted for \";\" to continue.\n\n";

fn events(report: &Report, style: &Style, side: Side, title: &str) -> Block {
    let rows = report.tables.wait_event.iter().filter(|e| e.side == side).map(|e| {
        Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            style.int(e.timeouts),
            style.int(e.time_s),
            style.plain(e.avg_wait_us.map(|us| us / 1e3), 0),
            style.num(e.waits_per_txn, 1),
        ])
    });
    let units: &[&str] = &[
        "-> s  - second",
        "-> cs - centisecond -     100th of a second",
        "-> ms - millisecond -    1000th of a second",
        "-> us - microsecond - 1000000th of a second",
        "-> ordered by wait time desc, waits desc (idle events last)",
    ];
    let notes = if side == Side::All { units } else { &units[4..] };
    table(
        title,
        notes,
        "                                                                   Avg\n\
         \x20                                                    Total Wait   wait    Waits\n\
         Event                               Waits   Timeouts   Time (s)   (ms)     /txn\n\
         ---------------------------- ------------ ---------- ---------- ------ --------",
        rows.collect(),
    )
}

/// Counts, in two lines an event.
fn histogram(report: &Report, style: &Style) -> Block {
    let bounds_ms = [1.0, 4.0, 8.0, 16.0, 32.0, f64::INFINITY];
    let rows = report.tables.wait_histogram.iter().map(|h| {
        let mut cells = vec![Cell::name(h.event.clone())];
        let mut low = 0.0;
        for bound in bounds_ms {
            let inside = h
                .buckets
                .iter()
                .filter(|b| b.low_us >= low * 1e3 && b.high_us.unwrap_or(f64::INFINITY) <= bound * 1e3);
            cells.push(style.int(Some(inside.map(|b| b.waits).sum())));
            low = bound;
        }
        Row::new(cells)
    });
    table(
        "Wait Event Histogram",
        &["-> ordered by event (idle events last)"],
        "Event\n\
         --------------------------------------------------\n\
         \x20   0 - 1 ms     1 - 4 ms    4 - 8 ms    8 - 16 ms    16 - 32 ms      32+ ms\n\
         ------------ ------------ ------------ ------------ ------------ ------------",
        rows.collect(),
    )
}

fn statements(report: &Report, style: &Style) -> Vec<Block> {
    let of = |ranked_by: &str| -> Vec<&SqlStat> {
        report.tables.sql_stat.iter().filter(|s| s.ranked_by == ranked_by).collect()
    };
    let row = |s: &SqlStat, cells: Vec<Cell>| {
        let mut row = Row::new(cells);
        row.trail.extend(s.module.as_ref().map(|module| format!("Module: {module}")));
        let text = report.tables.sql_text.iter().find(|t| t.old_hash == s.old_hash);
        let text: Vec<char> = text.map(|t| t.text.chars().collect()).unwrap_or_default();
        row.trail.extend(text.chunks(64).take(5).map(|c| c.iter().collect::<String>()));
        row.trail.push(String::new());
        row
    };
    let ranked = |ranked_by: &str, cost: fn(&SqlStat) -> Option<f64>| -> Vec<Row> {
        of(ranked_by)
            .into_iter()
            .map(|s| {
                let cells = vec![
                    style.int(cost(s)),
                    style.int(s.executions),
                    style.num(per(cost(s), s.executions), 1),
                    style.num(s.share_pct, 1),
                    style.plain(s.cpu_s, 2),
                    style.plain(s.elapsed_s, 2),
                    hash(s),
                ];
                row(s, cells)
            })
            .collect()
    };
    let executions = of("executions").into_iter().map(|s| {
        let cells = vec![
            style.int(s.executions),
            style.int(s.rows_processed),
            style.num(per(s.rows_processed, s.executions), 1),
            style.num(per(s.cpu_s, s.executions), 2),
            style.num(per(s.elapsed_s, s.executions), 2),
            hash(s),
        ];
        row(s, cells)
    });
    let ten = style.release >= Release::V10_1;
    vec![
        table(
            "SQL ordered by Gets",
            &["-> End Buffer Gets Threshold:     10000"],
            if ten {
                "                                                     CPU      Elapsd     Old\n\
                 \x20 Buffer Gets    Executions  Gets per Exec  %Total Time (s)  Time (s) Hash Value\n\
                 --------------- ------------ -------------- ------ -------- --------- ----------"
            } else {
                "                                                     CPU      Elapsd\n\
                 \x20 Buffer Gets    Executions  Gets per Exec  %Total Time (s)  Time (s) Hash Value\n\
                 --------------- ------------ -------------- ------ -------- --------- ----------"
            },
            ranked("buffer_gets", |s| s.buffer_gets),
        ),
        table(
            "SQL ordered by Reads",
            &["-> End Disk Reads Threshold:      1000"],
            if ten {
                "                                                     CPU      Elapsd     Old\n\
                 \x20Physical Reads  Executions  Reads per Exec %Total Time (s)  Time (s) Hash Value\n\
                 --------------- ------------ -------------- ------ -------- --------- ----------"
            } else {
                "                                                     CPU      Elapsd\n\
                 \x20Physical Reads  Executions  Reads per Exec %Total Time (s)  Time (s) Hash Value\n\
                 --------------- ------------ -------------- ------ -------- --------- ----------"
            },
            ranked("physical_reads", |s| s.physical_reads),
        ),
        table(
            "SQL ordered by Executions",
            &["-> End Executions Threshold:       100"],
            "                                                CPU per    Elap per\n\
             \x20Executions   Rows Processed   Rows per Exec    Exec (s)   Exec (s)  Hash Value\n\
             ------------ --------------- ---------------- ----------- ---------- ----------",
            executions.collect(),
        ),
    ]
}

fn activity(report: &Report, style: &Style) -> Block {
    let rows = report.tables.instance_stat.iter().map(|s| {
        Row::new(vec![
            Cell::name(s.statistic.clone()),
            style.int(s.total),
            style.num(s.per_second, 1),
            style.num(s.per_transaction, 1),
        ])
    });
    table(
        "Instance Activity Stats",
        &[],
        "Statistic                                      Total     per Second    per Trans\n\
         --------------------------------- ------------------ -------------- ------------",
        rows.collect(),
    )
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
        &[],
        "Statistic                                       Time (s) % of DB Time\n\
         ----------------------------------- -------------------- ------------",
        rows.collect(),
    )
}

fn os_statistics(report: &Report, style: &Style) -> Block {
    let rows = report.tables.os_stat.iter();
    table(
        "OS Statistics",
        &[],
        "Statistic                                  Total         per Second\n\
         ------------------------- ---------------------- ------------------",
        rows.map(|s| Row::new(vec![Cell::name(s.statistic.clone()), style.int(s.value)])).collect(),
    )
}

pub(super) fn tablespaces(report: &Report, style: &Style) -> Block {
    let rows = report.tables.tablespace_io.iter().map(|r| {
        let mut cells = vec![Cell::name(r.tablespace.clone())];
        cells.extend(measures(r, style, false));
        Row::new(cells)
    });
    table(
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

pub(super) fn files(report: &Report, style: &Style) -> Block {
    let ten = style.release >= Release::V10_1;
    let rows = report.tables.file_io.iter().map(|r| {
        let mut cells = vec![Cell::name(r.io.tablespace.clone()), Cell::name(r.file.clone())];
        cells.extend(measures(&r.io, style, ten));
        Row { trail: vec![String::new()], ..Row::new(cells) }
    });
    let (notes, ruled): (&[&str], _) = if ten {
        (
            &["->Mx Rd Bkt: Max bucket time for single block read", "->ordered by Tablespace, File"],
            "Tablespace               Filename\n\
             ------------------------ ----------------------------------------------------\n\
             \x20                       Av   Mx                                             Av\n\
             \x20                Av     Rd   Rd    Av                    Av        Buffer BufWt\n\
             \x20        Reads Reads/s (ms)  Bkt Blks/Rd       Writes Writes/s      Waits  (ms)\n\
             -------------- ------- ----- --- ------- ------------ -------- ---------- ------",
        )
    } else {
        (
            &["->ordered by Tablespace, File"],
            "Tablespace               Filename\n\
             ------------------------ ----------------------------------------------------\n\
             \x20                Av      Av     Av                    Av        Buffer Av Buf\n\
             \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
             -------------- ------- ------ ------- ------------ -------- ---------- ------",
        )
    };
    table("File IO Stats", notes, ruled, rows.collect())
}

pub(super) fn pga_advice(report: &Report, style: &Style) -> Block {
    let mb = |b: Option<f64>| b.map(|b| b / 1_048_576.0);
    let rows = report.tables.pga_advice.iter().map(|r| {
        Row::new(vec![
            style.plain(mb(r.target_bytes), 0),
            style.num(r.size_factor, 1),
            style.num(mb(r.processed_bytes), 1),
            style.num(mb(r.extra_rw_bytes), 1),
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
            "                                       Estd Extra    Estd PGA   Estd PGA\n\
             PGA Target    Size           W/A MB   W/A MB Read/      Cache  Overalloc\n\
             \x20 Est (MB)   Factr        Processed Written to Disk     Hit %      Count\n\
             ---------- ------- ---------------- ---------------- -------- ----------",
            rows.collect(),
        )
    }
}
