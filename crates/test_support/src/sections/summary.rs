//! The first pages: header, cache sizes, load profile, efficiency, top events, host CPU, IO
//! profile, memory. Laid out by hand in text, not by rulers.

use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report};
use std::fmt::Write;

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let late = style.release >= Release::V11_2_0_4;
    let mut out = vec![text(header(report, style), false)];
    if !late {
        out.push(text(cache_sizes(report, style), false));
    }
    out.push(text(load_profile(report, style), false));
    out.push(text(efficiency(report, style), false));
    if !late {
        out.push(text(shared_pool(report, style), false));
    }
    out.push(text(top_events(report, style), false));
    if late {
        out.push(text(wait_classes(report, style), true));
    }
    out.push(text(host_cpu(report, style), !late));
    if late {
        out.push(text(io_profile(report, style), false));
    }
    out.push(text(memory_statistics(report, style), false));
    if late {
        out.push(text(cache_sizes(report, style), false));
        out.push(text(shared_pool(report, style), false));
    }
    out
}

pub(super) fn text(verbatim: String, new_page: bool) -> Block {
    Block { verbatim: Some(verbatim), new_page, only: Some(Layout::Text), ..Block::default() }
}

pub(super) fn right(cell: &Cell, width: usize) -> String {
    format!("{:>width$}", cell.text())
}

fn header(report: &Report, style: &Style) -> String {
    let id = &report.identity;
    let opt = |v: &Option<String>| v.clone().unwrap_or_default();
    let start: String = style.date(id.startup_time.as_deref().unwrap_or("")).chars().take(15).collect();
    let yes = |v: Option<bool>| v.map_or("", |v| if v { "YES" } else { "NO" });
    let mut out = format!("\n{}\n\n", crate::page::head(report));
    let version = id.version.clone().unwrap_or_else(|| style.release.number().to_owned());
    let db_id = id.db_id.map(|v| v.to_string()).unwrap_or_default();
    let number = id.instance_number.map(|v| v.to_string()).unwrap_or_default();
    if style.release >= Release::V12_2 {
        let _ = writeln!(
            out,
            "DB Name         DB Id    Unique Name DB Role          Edition Release    RAC CDB\n\
             ------------ ----------- ----------- ---------------- ------- ---------- --- ---\n\
             {:<12} {db_id:>11} {:<11} {:<16} {:<7} {version:<10} {:<3} {}\n",
            opt(&id.db_name),
            opt(&id.db_name),
            opt(&id.role),
            "EE",
            yes(id.rac),
            yes(id.cdb)
        );
        let _ = writeln!(
            out,
            "Instance     Inst Num Startup Time\n------------ -------- ---------------\n{:<12} {number:>8} {start:<15}\n",
            opt(&id.instance)
        );
        if let Some(name) = &id.container {
            let _ = writeln!(
                out,
                "Container DB Id  Container Name       Open Time\n\
                 --------------- --------------- ---------------\n\
                 {:>15} {name:<15} {:.15}\n",
                3_141_592_653_u64,
                style.date("2018-01-02T03:05")
            );
        }
    } else {
        let _ = writeln!(
            out,
            "DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
             ------------ ----------- ------------ -------- --------------- ----------- ---\n\
             {:<12} {db_id:>11} {:<12} {number:>8} {start:<15} {version:<11} {}\n",
            opt(&id.db_name),
            opt(&id.instance),
            yes(id.rac)
        );
    }
    let count = |v: Option<f64>, width: usize| right(&style.plain(v, 0), width);
    let _ = writeln!(
        out,
        "Host Name        Platform                         CPUs Cores Sockets Memory(GB)\n\
         ---------------- -------------------------------- ---- ----- ------- ----------\n\
         {:<16} {:<32} {} {} {} {}\n",
        opt(&id.host),
        opt(&id.platform),
        count(id.cpus, 4),
        count(id.cores, 5),
        count(id.sockets, 7),
        right(&style.plain(id.memory_bytes.map(|b| b / 1_073_741_824.0), 2), 10)
    );
    out.push_str("              Snap Id      Snap Time      Sessions Curs/Sess\n");
    out.push_str("            --------- ------------------- -------- ---------\n");
    let mut snap = |label: &str, number: Option<u64>, time: &Option<String>, sessions: Option<f64>| {
        let _ = writeln!(
            out,
            "{label} {:>9} {:<19} {} {}",
            number.map(|n| n.to_string()).unwrap_or_default(),
            style.date(time.as_deref().unwrap_or("")),
            right(&style.int(sessions), 8),
            right(&style.plain(Some(style.cursors_per_session), 1), 9)
        );
    };
    snap("Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions);
    snap("  End Snap:", id.end_snap, &id.end_time, id.end_sessions);
    let _ = writeln!(
        out,
        "   Elapsed: {} (mins)\n   DB Time: {} (mins)\n",
        right(&style.num(id.elapsed_s.map(|s| s / 60.0), 2), 19),
        right(&style.num(id.db_time_s.map(|s| s / 60.0), 2), 19)
    );
    out
}

/// Values of the cache-size table: name, begin bytes, end bytes; one line a pool.
pub(super) fn cache_sizes(report: &Report, style: &Style) -> String {
    let mut out = String::from("Cache Sizes                       Begin        End\n");
    out.push_str("~~~~~~~~~~~                  ---------- ----------\n");
    let id = &report.identity;
    for row in &report.tables.cache_size {
        let name = row.text("name").unwrap_or("");
        let cells = printed(row, &[Format::Name, Format::Megabytes, Format::Megabytes], style);
        if name == "Log Buffer" {
            continue;
        }
        let _ = write!(out, "{:>28} {} {}", format!("{name}:"), right(&cells[1], 10), right(&cells[2], 10));
        if name == "Buffer Cache" {
            let kilo = id.block_size_bytes.map_or(String::new(), |b| format!("{}K", b / 1024));
            let _ = write!(out, "  Std Block Size: {kilo:>10}");
        } else if name == "Shared Pool Size" {
            let log = report.tables.cache_size.iter().find(|r| r.text("name") == Some("Log Buffer"));
            let bytes = log.and_then(|r| r.number("begin_bytes"));
            let kilo = bytes.map_or(String::new(), |b| style.grouped(b / 1024.0, 0) + "K");
            let _ = write!(out, "      Log Buffer: {kilo:>10}");
        }
        out.push('\n');
    }
    out.push('\n');
    out
}

fn load_profile(report: &Report, style: &Style) -> String {
    let late = style.release >= Release::V11_2_0_4;
    let mut out = if late {
        String::from(
            "Load Profile                    Per Second   Per Transaction  Per Exec  Per Call\n\
             ~~~~~~~~~~~~~~~            ---------------   --------------- --------- ---------\n",
        )
    } else {
        String::from(
            "Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\
             ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n",
        )
    };
    for row in &report.tables.load_profile {
        let label = format!("{}:", row.metric);
        let cells = [
            style.num(row.per_second, 1),
            style.num(row.per_transaction, 1),
            style.num(row.per_exec, 2),
            style.num(row.per_call, 2),
        ];
        let line = if late {
            format!(
                "{label:>24}{}{}{}{}",
                right(&cells[0], 18),
                right(&cells[1], 18),
                right(&cells[2], 10),
                right(&cells[3], 10)
            )
        } else {
            format!(
                "{label:>17} {} {} {} {}",
                right(&cells[0], 18),
                right(&cells[1], 18),
                right(&cells[2], 10),
                right(&cells[3], 10)
            )
        };
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
    out
}

/// Two ratios a line, in printed order.
pub(super) fn efficiency(report: &Report, style: &Style) -> String {
    let mut out = String::from("Instance Efficiency Percentages (Target 100%)\n");
    out.push_str("~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    let rows: Vec<_> = report.tables.efficiency.iter().collect();
    for pair in rows.chunks(2) {
        for (i, row) in pair.iter().enumerate() {
            let cells = printed(row, &[Format::Name, Format::Fixed(2)], style);
            let label = format!("{}:", cells[0].text());
            let value = right(&cells[1], 8);
            let _ =
                if i == 0 { write!(out, "{label:>28}{value}") } else { write!(out, "{label:>21}{value}") };
        }
        out.push('\n');
    }
    out.push('\n');
    out
}

pub(super) fn shared_pool(report: &Report, style: &Style) -> String {
    let rows: Vec<_> = report
        .tables
        .memory_stat
        .iter()
        .filter(|r| r.text("statistic").is_some_and(is_shared_pool))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut out = String::from(" Shared Pool Statistics        Begin    End\n");
    out.push_str(if style.release >= Release::V11_2_0_4 {
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~  ------  ------\n"
    } else {
        "                              ------  ------\n"
    });
    for row in rows {
        let cells = printed(row, &[Format::Name, Format::Fixed(2), Format::Fixed(2)], style);
        let label = format!("{}:", cells[0].text());
        let _ = writeln!(out, "{label:>28}  {}  {}", right(&cells[1], 6), right(&cells[2], 6));
    }
    out.push('\n');
    out
}

pub(super) fn is_shared_pool(statistic: &str) -> bool {
    matches!(statistic, "Memory Usage %" | "% SQL with executions>1" | "% Memory for SQL w/exec>1")
}

fn memory_statistics(report: &Report, style: &Style) -> String {
    let mut out =
        String::from("Memory Statistics\n~~~~~~~~~~~~~~~~~                       Begin          End\n");
    if style.release >= Release::V11_2_0_4 {
        out.push_str("                                 ------------ ------------\n");
    }
    for row in &report.tables.memory_stat {
        let name = row.text("statistic").unwrap_or("");
        if is_shared_pool(name) {
            continue;
        }
        let decimals = if name.starts_with('%') { 2 } else { 1 };
        let cells = printed(row, &[Format::Name, Format::Fixed(decimals), Format::Fixed(decimals)], style);
        let label = format!("{name}:");
        let _ = writeln!(out, "{label:>32} {} {}", right(&cells[1], 12), right(&cells[2], 12));
    }
    out.push('\n');
    out
}

fn top_events(report: &Report, style: &Style) -> String {
    let late = style.release >= Release::V11_2_0_4;
    let (title, ruled) = if style.release >= Release::V12_2 {
        (
            "Top 10 Foreground Events by Total Wait Time\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n",
            "                                           Total Wait       Avg   % DB Wait\n\
             Event                                Waits Time (sec)      Wait   time Class\n\
             ------------------------------ ----------- ---------- --------- ------ --------\n",
        )
    } else if late {
        (
            "Top 10 Foreground Events by Total Wait Time\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n",
            "                                            Tota    Wait   % DB\n\
             Event                                 Waits Time Avg(ms)   time Wait Class\n\
             ------------------------------ ------------ ---- ------- ------ ----------\n",
        )
    } else {
        (
            "Top 5 Timed Foreground Events\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n",
            "                                                           Avg\n\
             \x20                                                         wait   % DB\n\
             Event                                 Waits     Time(s)   (ms)   time Wait Class\n\
             ------------------------------ ------------ ----------- ------ ------ ----------\n",
        )
    };
    let block = Block { ruled, ..Block::default() };
    let mut out = format!("{title}{ruled}");
    for event in &report.tables.top_event {
        // Four characters wide up to 12.1: 747.2 is cut to `747.`, 12.6K loses its suffix.
        let time = match event.time_s {
            Some(t) if late && t < 9_999.95 => style.bare(Some(t), 1),
            Some(_) if late => style.kilo(event.time_s),
            _ => style.int(event.time_s),
        };
        let row = Row::new(vec![
            Cell::name(event.event.clone()),
            style.int(event.waits),
            time,
            style.avg_wait(event.avg_wait_us),
            style.short_pct(event.share_pct),
            Cell::opt(event.wait_class.as_deref()),
        ]);
        for line in block.row_lines(&row, style) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

fn wait_classes(report: &Report, style: &Style) -> String {
    let ruled = if style.release.times_carry_units() {
        "                                                          Avg             Avg\n\
         \x20                                       Total Wait       Wait   % DB   Active\n\
         Wait Class                  Waits       Time (sec)       Time   time Sessions\n\
         ---------------- ---------------- ---------------- ---------- ------ --------\n"
    } else {
        "                                                        Avg             Avg\n\
         \x20                                       Total Wait     Wait   % DB   Active\n\
         Wait Class                  Waits       Time (sec)     (ms)   time Sessions\n\
         ---------------- ---------------- ---------------- -------- ------ --------\n"
    };
    let block = Block { ruled, ..Block::default() };
    let mut out = format!("Wait Classes by Total Wait Time\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n{ruled}");
    for class in report.tables.wait_class.iter().filter(|c| c.side == spindle_facts::Side::All) {
        let sessions = class.time_s.zip(report.identity.elapsed_s).map(|(t, e)| t / e);
        let row = Row::new(vec![
            Cell::name(class.wait_class.clone()),
            style.int(class.waits),
            style.int(class.time_s),
            style.avg_wait(class.avg_wait_us),
            style.short_pct(class.share_pct),
            style.num(sessions, 1),
        ]);
        for line in block.row_lines(&row, style) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

fn host_cpu(report: &Report, style: &Style) -> String {
    let Some(host) = report.tables.host_cpu.first() else { return String::new() };
    let id = &report.identity;
    let whole = |v: Option<f64>, w: usize| right(&style.plain(v, 0), w);
    let mut out = String::new();
    let measures = [
        style.num(host.load_begin, 2),
        style.num(host.load_end, 2),
        style.num(host.user_pct, 1),
        style.num(host.system_pct, 1),
        style.num(host.io_wait_pct, 1),
        style.num(host.idle_pct, 1),
    ]
    .map(|c| right(&c, 9))
    .join(" ");
    if style.release >= Release::V11_2_0_4 {
        let _ = writeln!(
            out,
            "Host CPU\n~~~~~~~~                  Load Average\n\
             \x20CPUs Cores Sockets     Begin       End     %User   %System      %WIO     %Idle\n\
             ----- ----- ------- --------- --------- --------- --------- --------- ---------\n\
             {} {} {} {measures}\n",
            whole(id.cpus, 5),
            whole(id.cores, 5),
            whole(id.sockets, 7)
        );
    } else {
        let _ = writeln!(
            out,
            "Host CPU (CPUs: {} Cores: {} Sockets: {})\n~~~~~~~~         Load Average\n\
             \x20              Begin       End     %User   %System      %WIO     %Idle\n\
             \x20          --------- --------- --------- --------- --------- ---------\n\
             \x20          {measures}\n",
            whole(id.cpus, 4),
            whole(id.cores, 4),
            whole(id.sockets, 4)
        );
    }
    out.push_str("Instance CPU\n~~~~~~~~~~~~\n");
    let (of_total, of_busy) = instance_cpu(report);
    for (label, value) in [
        ("% of total CPU for Instance:", of_total),
        ("% of busy  CPU for Instance:", of_busy),
        ("%DB time waiting for CPU - Resource Mgr:", Some(0.0)),
    ] {
        let _ = writeln!(out, "{label:>42} {}", right(&style.num(value, 1), 9));
    }
    out.push('\n');
    out
}

fn io_profile(report: &Report, style: &Style) -> String {
    let mut out =
        String::from("IO Profile                  Read+Write/Second     Read/Second    Write/Second\n");
    out.push_str("~~~~~~~~~~                  ----------------- --------------- ---------------\n");
    for row in &report.tables.io_profile {
        let label = format!("{}:", row.metric);
        let _ = writeln!(
            out,
            "{label:>26} {} {} {}",
            right(&style.num(row.read_write_per_s, 1), 18),
            right(&style.num(row.reads_per_s, 1), 15),
            right(&style.num(row.writes_per_s, 1), 15)
        );
    }
    out.push('\n');
    out
}

/// CPU of the instance as a share of the host's and of its busy time, percent.
pub(super) fn instance_cpu(report: &Report) -> (Option<f64>, Option<f64>) {
    let model =
        |name: &str| report.tables.time_model.iter().find(|r| r.statistic == name).and_then(|r| r.time_s);
    let used = model("DB CPU").zip(model("background cpu time")).map(|(fg, bg)| fg + bg);
    let total = report.identity.cpus.zip(report.identity.elapsed_s).map(|(c, e)| c * e);
    let busy = report.tables.os_stat.iter().find(|s| s.statistic == "BUSY_TIME").and_then(|s| s.value);
    let share = |of: Option<f64>| used.zip(of).map(|(u, of)| (100.0 * u / of).min(100.0));
    (share(total), share(busy.map(|b| b / 100.0)))
}
