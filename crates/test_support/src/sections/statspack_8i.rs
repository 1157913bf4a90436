//! Statspack of 8i, as its script `spreport.sql` of 8.1.7 lays it out: waits in centiseconds, no CPU
//! among the top waits, statements without CPU and elapsed time.

use super::statspack::{closing_line, hash, parameters, per, right, table, verbatim};
use super::statspack_early::{NO_SNAPSHOTS, RESTART, files, tablespaces};
use crate::block::{Block, Cell, Row};
use crate::style::Style;
use spindle_facts::{Report, Side, SqlStat};
use std::fmt::Write;

pub(super) fn all(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = vec![
        verbatim(header(report, style), false),
        events(report, style, Side::All, "Wait Events"),
        events(report, style, Side::Background, "Background Wait Events"),
    ];
    out.extend(statements(report, style));
    out.push(activity(report, style));
    out.push(tablespaces(report, style));
    out.push(files(report, style));
    out.push(parameters(report));
    out.retain(|b| b.verbatim.is_some() || !b.rows.is_empty());
    out
}

fn centiseconds(seconds: Option<f64>, style: &Style) -> Cell {
    style.int(seconds.map(|s| s * 100.0))
}

fn header(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let opt = |v: &Option<String>| v.clone().unwrap_or_default();
    let mut out = String::from(if style.spans_restart { RESTART } else { "\n" });
    let _ = write!(
        out,
        "STATSPACK report for\n\n\
         DB Name         DB Id    Instance     Inst Num Release     OPS Host\n\
         ------------ ----------- ------------ -------- ----------- --- ------------\n\
         {:<12} {:>11} {:<12} {:>8} {:<11} {:<3} {:.12}\n\n",
        opt(&id.db_name),
        id.db_id.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.instance),
        id.instance_number.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.version),
        id.rac.map_or("", |r| if r { "YES" } else { "NO" }),
        opt(&id.host),
    );
    out.push_str(&if style.spans_restart { NO_SNAPSHOTS.to_owned() } else { snapshots(report, style) });
    let block = id.block_size_bytes.map(|b| b.to_string()).unwrap_or_default();
    let _ = writeln!(
        out,
        "Cache Sizes\n~~~~~~~~~~~\n\
         \x20  db_block_buffers:      12000         log_buffer:     163840\n\
         \x20     db_block_size: {block:>10}   shared_pool_size:   62914560\n"
    );
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
    out.push_str(
        "\nTop 5 Wait Events\n\
         ~~~~~~~~~~~~~~~~~                                             Wait     % Total\n",
    );
    let ruled = "Event                                               Waits  Time (cs)   Wt Time\n\
                 -------------------------------------------- ------------ ------------ -------";
    out.push_str(ruled);
    out.push('\n');
    let block = Block { ruled, ..Block::default() };
    for e in &report.tables.top_event {
        let row = Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            centiseconds(e.time_s, style),
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
    let mut out = String::from(
        "                Snap Id     Snap Time      Sessions\n\
         \x20               ------- ------------------ --------\n",
    );
    for (label, snap, time, sessions) in [
        (" Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions),
        ("   End Snap:", id.end_snap, &id.end_time, id.end_sessions),
    ] {
        let _ = writeln!(
            out,
            "{label} {:>10} {:<18} {}",
            snap.map(|s| s.to_string()).unwrap_or_default(),
            style.date(time.as_deref().unwrap_or("")),
            right(&style.int(sessions), 8),
        );
    }
    let _ = writeln!(
        out,
        "    Elapsed: {} (mins)\n                    {} (secs)\n",
        right(&style.num(id.elapsed_s.map(|s| s / 60.0), 2), 22),
        right(&style.int(id.elapsed_s), 12)
    );
    out
}

fn events(report: &Report, style: &Style, side: Side, title: &str) -> Block {
    let rows = report.tables.wait_event.iter().filter(|e| e.side == side).map(|e| {
        Row::new(vec![
            Cell::name(e.event.clone()),
            style.int(e.waits),
            style.int(e.timeouts),
            centiseconds(e.time_s, style),
            style.plain(e.avg_wait_us.map(|us| us / 1e3), 0),
            style.plain(e.waits_per_txn, 1),
        ])
    });
    let units: &[&str] = &[
        "-> cs - centisecond -  100th of a second",
        "-> ms - millisecond - 1000th of a second",
        "-> ordered by wait time desc, waits desc (idle events last)",
    ];
    table(
        title,
        if side == Side::All { units } else { &units[2..] },
        "                                                                    Avg\n\
         \x20                                                    Total Wait   wait  Waits\n\
         Event                               Waits   Timeouts   Time (cs)   (ms)   /txn\n\
         ---------------------------- ------------ ---------- ----------- ------ ------",
        rows.collect(),
    )
}

fn statements(report: &Report, style: &Style) -> Vec<Block> {
    let of = |ranked_by: &str| -> Vec<&SqlStat> {
        report.tables.sql_stat.iter().filter(|s| s.ranked_by == ranked_by).collect()
    };
    let row = |s: &SqlStat, cells: Vec<Cell>| {
        let mut row = Row::new(cells);
        let text = report.tables.sql_text.iter().find(|t| t.old_hash == s.old_hash);
        let text: Vec<char> = text.map(|t| t.text.chars().collect()).unwrap_or_default();
        row.trail.extend(text.chunks(64).take(5).map(|c| c.iter().collect::<String>()));
        row.trail.push(String::new());
        row
    };
    let ranked = |ranked_by: &str, cost: fn(&SqlStat) -> Option<f64>| -> Vec<Row> {
        let cells = |s: &SqlStat| {
            vec![
                style.int(cost(s)),
                style.int(s.executions),
                style.num(per(cost(s), s.executions), 1),
                style.plain(s.share_pct, 1),
                hash(s),
            ]
        };
        of(ranked_by).into_iter().map(|s| row(s, cells(s))).collect()
    };
    let executions = of("executions").into_iter().map(|s| {
        let cells = vec![
            style.int(s.executions),
            style.int(s.rows_processed),
            style.num(per(s.rows_processed, s.executions), 1),
            hash(s),
        ];
        row(s, cells)
    });
    vec![
        table(
            "SQL ordered by Gets",
            &[
                "-> End Buffer Gets Threshold:   10000",
                "-> Note that resources reported for PL/SQL includes the resources used by",
                "   all SQL statements called within the PL/SQL code.  As individual SQL",
                "   statements are also reported, it is possible and valid for the summed",
                "   total % to exceed 100",
            ],
            "  Buffer Gets    Executions  Gets per Exec  % Total  Hash Value\n\
             --------------- ------------ -------------- ------- ------------",
            ranked("buffer_gets", |s| s.buffer_gets),
        ),
        table(
            "SQL ordered by Reads",
            &["-> End Disk Reads Threshold:    1000"],
            " Physical Reads  Executions  Reads per Exec % Total  Hash Value\n\
             --------------- ------------ -------------- ------- ------------",
            ranked("physical_reads", |s| s.physical_reads),
        ),
        table(
            "SQL ordered by Executions",
            &["-> End Executions Threshold:     100"],
            " Executions   Rows Processed    Rows per Exec   Hash Value\n\
             ------------ ---------------- ---------------- ------------",
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
        "Statistic                                    Total   per Second    per Trans\n\
         --------------------------------- ---------------- ------------ ------------",
        rows.collect(),
    )
}
