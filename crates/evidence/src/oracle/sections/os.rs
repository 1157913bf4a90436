//! The host: operating system statistics, and the one-line CPU summary.
//!
//! Printed as `Operating System Statistics` (AWR: Value, End Value), `OS Statistics` (Statspack:
//! Total, in 10g per Second as well), `Host CPU` (AWR from 11.2.0.4 with CPU counts as columns, before
//! with the counts in the title; Statspack with WCPU). Units: centiseconds over the interval for
//! `*_TIME`, else those of the statistic; percent. Traps: the text layouts of `Host CPU` print the
//! counts on the title's line, which becomes part of the headings, so columns are known by how
//! their headings end; `%WIO` is idle time during which I/O was pending.

use super::labels::labelled;
use crate::cell::{Cell, Unit, read};
use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use spindle_facts::{HostCpu, InstanceCpu, OsSnapshot, OsStat};

pub(crate) const STATISTIC_TITLES: &[&str] = &["operatingsystemstatistics", "osstatistics"];
pub(crate) const SNAPSHOT_TITLES: &[&str] = &["operatingsystemstatisticsdetail", "osstatisticsdetail"];
pub(crate) const INSTANCE_TITLES: &[&str] = &["instancecpu"];
pub(crate) const CPU_TITLES: &[&str] = &["hostcpu*"];

pub(crate) fn read_statistics(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let statistic = grid.column(&["statistic", "statisticname"]);
    let value = grid.column(&["value", "total"]);
    let end = grid.column(&["endvalue"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), true) = (context.text(grid, row, statistic), value.is_some()) else {
            continue;
        };
        let line = OsStat {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            statistic: name,
            value: context.count(grid, row, value),
            end_value: context.count(grid, row, end),
        };
        context.tables().os_stat.push(line);
        rows += 1;
    }
    rows
}

pub(crate) fn read_cpu(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let ending = |word: &str| grid.columns.iter().position(|c| c.key().ends_with(word));
    // `Host CPU (Begin CPUs: 16 End CPUs: 32)` reaches over the columns before those of the load.
    let last = |word: &str| grid.columns.iter().rposition(|c| c.key().ends_with(word));
    let (begin, end) = (last("begin"), last("end"));
    let (user, system, io, idle) = (ending("user"), ending("system"), ending("wio"), ending("idle"));
    if idle.is_none() || user.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = HostCpu {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            load_begin: context.count(grid, row, begin),
            load_end: context.count(grid, row, end),
            user_pct: context.count(grid, row, user),
            system_pct: context.count(grid, row, system),
            io_wait_pct: context.count(grid, row, io),
            idle_pct: context.count(grid, row, idle),
        };
        if line.idle_pct.is_some() || line.user_pct.is_some() {
            context.tables().host_cpu.push(line);
            rows += 1;
        }
    }
    rows
}

pub(crate) fn read_snapshots(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let snap = grid.column(&["snapid"]);
    let time = grid.column(&["snaptime", "snapshotdaytime"]);
    let load = grid.column(&["load"]);
    let columns = [
        grid.column(&["%busy"]),
        grid.column(&["%user"]),
        grid.column(&["%sys", "%system"]),
        grid.column(&["%idle"]),
        grid.column(&["%iowait", "%wio"]),
        grid.column(&["%wcpu"]),
    ];
    if time.is_none() || load.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let printed_time = context.text(grid, row, time);
        if printed_time.is_none() {
            continue;
        }
        let [busy_pct, user_pct, system_pct, idle_pct, io_wait_pct, cpu_wait_pct] =
            columns.map(|c| context.count(grid, row, c));
        let line = OsSnapshot {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            snap: context.id(grid, row, snap),
            printed_time,
            load: context.count(grid, row, load),
            busy_pct,
            user_pct,
            system_pct,
            idle_pct,
            io_wait_pct,
            cpu_wait_pct,
        };
        context.tables().os_snapshot.push(line);
        rows += 1;
    }
    rows
}

pub(crate) fn read_instance(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut cpu = InstanceCpu { section: context.section, ..InstanceCpu::default() };
    let mut found = 0;
    // Columns (HTML).
    for (index, column) in grid.columns.iter().enumerate().filter(|_| grid.len() == 1) {
        let value = context.count(grid, 0, Some(index));
        if put(&mut cpu, column.key(), value) {
            found += 1;
        }
    }
    if found > 0 {
        cpu.line = grid.row_line(0);
        cpu.instance_number = context.instance(grid, 0);
    } else {
        // Labels and values (text).
        let mut before: Option<(u32, String)> = None;
        for pair in labelled(grid) {
            let mut label = fold(&pair.label);
            // Whose it is stands before a colon of its own: `Host: Total time (s):`.
            let whose = before.take().filter(|(line, _)| *line == pair.line);
            if pair.values.is_empty() {
                before = Some((pair.line, label));
                continue;
            }
            if let Some((_, whose)) = whose {
                label.insert_str(0, &whose);
            }
            let value = pair.values.first().and_then(|v| number(v, context));
            if put(&mut cpu, &label, value) {
                found += 1;
                if cpu.line == 0 {
                    cpu.line = pair.line;
                }
            }
        }
    }
    if found == 0 {
        return 0;
    }
    context.tables().instance_cpu.push(cpu);
    1
}

fn number(text: &str, context: &Context<'_>) -> Option<f64> {
    match read(text, Unit::Count, context.habits) {
        Cell::Number(printed) => Some(printed.value),
        _ => None,
    }
}

/// Puts a value where its folded heading or label says; `false` where it is none of ours.
fn put(cpu: &mut InstanceCpu, label: &str, value: Option<f64>) -> bool {
    let slot = match label {
        "%totalcpu" | "%oftotalcpuforinstance" => &mut cpu.total_cpu_pct,
        "%busycpu" | "%ofbusycpuforinstance" | "%ofbusycpuusedforinstance" => &mut cpu.busy_cpu_pct,
        "hosttotaltimes" => &mut cpu.host_total_s,
        "hostbusycputimes" => &mut cpu.host_busy_s,
        "%oftimehostisbusy" => &mut cpu.host_busy_pct,
        "instancetotalcputimes" => &mut cpu.instance_cpu_s,
        "instancetotaldatabasetimes" => &mut cpu.instance_db_time_s,
        _ if label.starts_with("%dbtimewaitingforcpu") => &mut cpu.resource_manager_wait_pct,
        _ => return false,
    };
    *slot = value;
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("Operating System Statistics  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "Statistic                                  Value        End Value\n\
             ------------------------- ---------------------- ----------------\n";
    const NORMAL: &str = "BUSY_TIME                              1,022,481\n";
    const WIDE: &str = "BUSY_TIME                 ######################\n";

    #[test]
    fn a_row() {
        let report = section("19.0.0.0.0", &rows(NORMAL));
        let [row] = report.tables.os_stat.as_slice() else { panic!("{:?}", report.tables.os_stat) };
        assert_eq!((row.statistic.as_str(), row.value), ("BUSY_TIME", Some(1_022_481.0)));
        assert_eq!(row.end_value, None);
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("19.0.0.0.0", &rows(WIDE));
        let [row] = report.tables.os_stat.as_slice() else { panic!("{:?}", report.tables.os_stat) };
        assert_eq!((row.value, row.end_value), (None, None));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("19.0.0.0.0", &rows(NORMAL).replace("Value", "Figure"));
        assert!(report.tables.os_stat.is_empty(), "{:?}", report.tables.os_stat);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
