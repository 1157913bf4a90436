//! Time model, wait classes and operating system by instance: columns become rows.
//!
//! Printed as `Time Model`, `Foreground Wait Classes`, `OS Statistics By Instance`, with sections of
//! shares beside the first two. Traps: 19c prints a PL/SQL share of 0.00 beside hours of PL/SQL, so a
//! share stands only where it agrees with the times; `% Total DB time` is a share over instances.

use super::{Who, stem, who};
use crate::cell::Unit;
use crate::grid::Grid;
use crate::oracle::context::Context;
use crate::oracle::sections::wait_events::rounded;
use spindle_facts::{HostCpu, OsStat, Side, TimeModelRow, WaitClassRow};

const CENTISECONDS: f64 = 100.0;
const MIB: f64 = 1_048_576.0;

/// Name in `V$SYS_TIME_MODEL` of a heading.
fn statistic(key: &str) -> Option<&'static str> {
    Some(match stem(key) {
        "dbtime" => "DB time",
        "dbcpu" => "DB CPU",
        "sqlexecela" => "sql execute elapsed time",
        "parseela" => "parse time elapsed",
        "hardparseela" | "hardparse" => "hard parse elapsed time",
        "pl/sqlela" => "PL/SQL execution elapsed time",
        "javaela" => "Java execution elapsed time",
        "bgtime" => "background elapsed time",
        "bgcpu" => "background cpu time",
        _ => return None,
    })
}

pub(super) fn read_model(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for column in 0..grid.columns.len() {
            let Some(name) = statistic(grid.columns[column].key()) else { continue };
            let seconds = context.number(grid, row, Some(column), Unit::Count).map(rounded);
            let line = TimeModelRow {
                line: grid.row_line(row),
                section: context.section,
                instance_number: whom.number(),
                statistic: name.to_owned(),
                time_s: seconds.map(|p| p.value),
                time_s_low: seconds.map(|p| p.low),
                time_s_high: seconds.map(|p| p.high),
                share_db_time_pct: None,
            };
            context.tables().time_model.push(line);
            rows += 1;
        }
    }
    rows
}

pub(super) fn read_model_shares(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    let mut wrong: Option<(u32, &'static str)> = None;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for (column, heading) in grid.columns.iter().enumerate() {
            let key = heading.key();
            let own = key.strip_suffix("%dbtime").unwrap_or(key);
            if key.starts_with("%total") || heading.group_key().contains("bgtime") || key.contains("%bgtime")
            {
                continue;
            }
            let Some(name) = statistic(own).filter(|n| !n.starts_with("background")) else { continue };
            let Some(share) = context.count(grid, row, Some(column)) else { continue };
            rows += 1;
            let of = |n: &str| {
                let mine = |r: &&TimeModelRow| r.instance_number == whom.number() && r.statistic == n;
                context.report.tables.time_model.iter().find(mine).and_then(|r| r.time_s)
            };
            let agrees = match (of(name), of("DB time")) {
                (Some(part), Some(all)) if all > 0.0 => (100.0 * part / all - share).abs() < 0.02,
                _ => true,
            };
            if !agrees {
                wrong.get_or_insert((grid.row_line(row), name));
                continue;
            }
            let mine = |r: &&mut TimeModelRow| r.instance_number == whom.number() && r.statistic == name;
            if let Some(found) = context.report.tables.time_model.iter_mut().find(mine) {
                found.share_db_time_pct = Some(share);
            }
        }
    }
    if let Some((line, name)) = wrong {
        context.note(
            Some(line),
            format!("the share printed for `{name}` is not its time over DB time"),
            "the share is left out; the times stand",
        );
    }
    rows
}

/// Wait class of a heading.
fn class(key: &str) -> Option<&'static str> {
    Some(match stem(key) {
        "useri/o" => "User I/O",
        "sysi/o" => "System I/O",
        "other" => "Other",
        "applic" => "Application",
        "commit" => "Commit",
        "network" => "Network",
        "concurcy" => "Concurrency",
        "config" => "Configuration",
        "cluster" => "Cluster",
        "admin" => "Administrative",
        "scheduler" => "Scheduler",
        "queueing" => "Queueing",
        "dbcpu" => "DB CPU",
        _ => return None,
    })
}

pub(super) fn read_classes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for column in 0..grid.columns.len() {
            let Some(name) = class(grid.columns[column].key()) else { continue };
            let Some(seconds) = context.number(grid, row, Some(column), Unit::Count).map(rounded) else {
                continue;
            };
            let line = WaitClassRow {
                line: grid.row_line(row),
                section: context.section,
                time_s: Some(seconds.value),
                time_s_low: Some(seconds.low),
                time_s_high: Some(seconds.high),
                ..empty_class(name, whom)
            };
            // The shares over the whole database stand before the times.
            let mine = |r: &&mut WaitClassRow| r.instance_number == whom.number() && r.wait_class == name;
            if let Some(found) = context.report.tables.wait_class.iter_mut().find(mine) {
                *found = WaitClassRow { share_pct: found.share_pct, ..line };
                rows += 1;
                continue;
            }
            context.tables().wait_class.push(line);
            rows += 1;
        }
    }
    rows
}

fn empty_class(name: &str, whom: Who) -> WaitClassRow {
    WaitClassRow {
        line: 0,
        section: 0,
        instance_number: whom.number(),
        wait_class: name.to_owned(),
        side: Side::Foreground,
        waits: None,
        time_s: None,
        time_s_low: None,
        time_s_high: None,
        avg_wait_us: None,
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        share_pct: None,
    }
}

pub(super) fn read_class_shares(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for column in 0..grid.columns.len() {
            let Some(name) = class(grid.columns[column].key()) else { continue };
            let Some(share) = context.count(grid, row, Some(column)) else { continue };
            rows += 1;
            let mine = |r: &&mut WaitClassRow| r.instance_number == whom.number() && r.wait_class == name;
            if let Some(found) = context.report.tables.wait_class.iter_mut().find(mine) {
                found.share_pct = Some(share);
                continue;
            }
            let line = WaitClassRow {
                line: grid.row_line(row),
                section: context.section,
                share_pct: Some(share),
                ..empty_class(name, whom)
            };
            context.tables().wait_class.push(line);
        }
    }
    rows
}

pub(super) fn read_os(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let at = |group: &str, keys: &[&str]| {
        let grouped = grid.column_in(group, keys);
        grouped.or_else(|| grid.column(keys))
    };
    // From 12.2 on `Memory (M)` is the end value, blank where it is the begin value.
    let memory = grid.column_in("memory", &["mb"]).or_else(|| grid.column(&["memorym", "mb", "memorymb"]));
    // Begin value, end value, factor to the unit of `V$OSSTAT`.
    let values = [
        ("NUM_CPUS", at("cpu", &["numcpus", "#cpus"]), at("endvalues", &["endcpus", "#cpus"]), 1.0),
        ("NUM_CPU_CORES", at("cpu", &["cpucores", "#cores"]), at("endvalues", &["endcores", "#cores"]), 1.0),
        (
            "NUM_CPU_SOCKETS",
            at("cpu", &["cpusckts", "#sckts"]),
            at("endvalues", &["endsckts", "#sckts"]),
            1.0,
        ),
        ("LOAD", at("load", &["loadbegin", "begin"]), at("load", &["loadend", "end"]), 1.0),
        ("BUSY_TIME", at("time", &["busytimes", "busy"]), None, CENTISECONDS),
        ("IDLE_TIME", at("time", &["idletimes", "idle"]), None, CENTISECONDS),
        ("PHYSICAL_MEMORY_BYTES", memory, None, MIB),
    ];
    let percent = |name: &str| grid.columns.iter().position(|c| c.key() == name);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for (name, begin, end, factor) in values {
            let value = context.count(grid, row, begin).map(|v| v * factor);
            let end_value = context.count(grid, row, end.filter(|e| Some(*e) != begin)).map(|v| v * factor);
            if value.is_none() && end_value.is_none() {
                continue;
            }
            let line = OsStat {
                line: grid.row_line(row),
                section: context.section,
                instance_number: whom.number(),
                statistic: name.to_owned(),
                value,
                end_value,
            };
            context.tables().os_stat.push(line);
            rows += 1;
        }
        let Who::Instance(number) = whom else { continue };
        let host = HostCpu {
            line: grid.row_line(row),
            section: context.section,
            instance_number: Some(number),
            load_begin: context.count(grid, row, values[3].1),
            load_end: context.count(grid, row, values[3].2),
            user_pct: context.count(grid, row, percent("%usr")),
            system_pct: context.count(grid, row, percent("%sys")),
            io_wait_pct: context.count(grid, row, percent("%wio")),
            idle_pct: context.count(grid, row, percent("%idl")),
        };
        context.tables().host_cpu.push(host);
        rows += 1;
    }
    rows
}
