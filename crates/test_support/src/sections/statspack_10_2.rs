//! Statspack of 10gR2, as its script `sprepins.sql` lays it out: the first page of 11g without DB time,
//! waits of both sides in one table with shares of time-outs, statements as in 11g.

use super::statspack::{
    activity, closing_line, histogram, os_statistics, parameters, right, statements, table, verbatim,
};
use super::statspack_early::{files, pga_advice, tablespaces};
use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::style::Style;
use spindle_facts::{Report, Side};
use std::fmt::Write;

pub(super) fn all(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = vec![
        verbatim(header(report, style), false),
        time_model(report, style),
        events(report, style, Side::All, "Wait Events"),
        events(report, style, Side::Background, "Background Wait Events"),
        histogram(report, style),
    ];
    out.extend(statements(report, style));
    out.extend(activity(report, style));
    out.push(os_statistics(report, style));
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
    let start: String = style.date(id.startup_time.as_deref().unwrap_or("")).chars().take(15).collect();
    let mut out = format!(
        "\nSTATSPACK report for\n\n\
         Database    DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
         ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
         {:<8} {:>11} {:<12} {:>8} {start:<15} {:<11} {}\n\n\
         Host  Name:   {:<16} Num CPUs: {:>4}        Phys Memory (MB): {:>8}\n~~~~\n\n",
        "",
        id.db_id.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.instance),
        id.instance_number.map(|v| v.to_string()).unwrap_or_default(),
        opt(&id.version),
        id.rac.map_or("", |r| if r { "YES" } else { "NO" }),
        opt(&id.host),
        style.plain(id.cpus, 0).text(),
        style.int(id.memory_bytes.map(|b| b / 1_048_576.0)).text(),
    );
    out.push_str("Snapshot       Snap Id     Snap Time      Sessions Curs/Sess Comment\n");
    out.push_str("~~~~~~~~    ---------- ------------------ -------- --------- -------------------\n");
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
    let elapsed = style.num(id.elapsed_s.map(|s| s / 60.0), 2);
    let _ = writeln!(out, "   Elapsed:     {} (mins)\n", right(&elapsed, 14));
    out.push_str(
        "Load Profile                            Per Second       Per Transaction\n\
         ~~~~~~~~~~~~                       ---------------       ---------------\n",
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
    out.push_str("\nInstance Efficiency Percentages\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    for pair in report.tables.efficiency.chunks(2) {
        for (i, row) in pair.iter().enumerate() {
            let cells = printed(row, &[Format::Name, Format::Fixed(2)], style);
            let label = format!("{}:", cells[0].text());
            let width = if i == 0 { 28 } else { 21 };
            let _ = write!(out, "{label:>width$}{}", right(&cells[1], 8));
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
        "Statistic                                       Time (s) % of DB time\n\
         ----------------------------------- -------------------- ------------",
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
        ])
    });
    let units: &[&str] = &[
        "-> s - second, cs - centisecond,  ms - millisecond, us - microsecond",
        "-> %Timeouts:  value of 0 indicates value was < .5%.  Value of null is truly 0",
        "-> Only events with Total Wait Time (s) >= .001 are shown",
        "-> ordered by Total Wait Time desc, Waits desc (idle events last)",
    ];
    table(
        title,
        units,
        "                                                                    Avg\n\
         \x20                                               %Time Total Wait   wait    Waits\n\
         Event                                    Waits  -outs   Time (s)   (ms)     /txn\n\
         --------------------------------- ------------ ------ ---------- ------ --------",
        rows.collect(),
    )
}
