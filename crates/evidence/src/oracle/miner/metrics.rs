//! Rates and memory by snapshot and instance.
//!
//! `MAIN-METRICS` holds averages over the interval of `DBA_HIST_SYSMETRIC_SUMMARY`: a second unless
//! named otherwise; `db_time` is in centiseconds a second; `dur_m` whole minutes; `end` the end of the
//! interval as `YY/MM/DD HH24:MI`. Columns differ between versions of the script.

use super::blocks::{Block, Row};
use super::intervals::{Intervals, count_row};
use crate::cell::Printed;
use jiff::civil::DateTime;
use spindle_facts::{HostCpu, IoActivity, LoadProfileRow, Metric, OsStat, PgaAdvice, PrintedRow, Value};

const GIB: f64 = 1_073_741_824.0;
const MIB: f64 = 1_048_576.0;

/// Columns that are rates: heading, meaning, factor to its unit. Requests and bytes are those of the
/// metrics with `Total` in their names, which count every process and redo.
const RATES: &[(&str, Metric, f64)] = &[
    ("redo_mb_s", Metric::RedoSize, MIB),
    ("l_reads_s", Metric::LogicalReads, 1.0),
    ("db_block_changes_s", Metric::BlockChanges, 1.0),
    ("read_bks", Metric::PhysicalReads, 1.0),
    ("write_bks", Metric::PhysicalWrites, 1.0),
    ("read_iops", Metric::TotalReadRequests, 1.0),
    ("write_iops", Metric::TotalWriteRequests, 1.0),
    ("read_mb_s", Metric::TotalReadMb, 1.0),
    ("write_mb_s", Metric::TotalWriteMb, 1.0),
    ("hard_p_s", Metric::HardParses, 1.0),
    ("logons_s", Metric::Logons, 1.0),
    ("exec_s", Metric::Executes, 1.0),
];

/// Columns that say which interval, or are read elsewhere.
const NOT_RATES: &[&str] = &["snap", "dur_m", "end", "inst", "os_cpu", "db_time", "aas"];

pub(super) fn read(block: &Block<'_>, intervals: &mut Intervals) {
    let mut before: std::collections::HashMap<u32, u64> = std::collections::HashMap::new();
    for row in &block.rows {
        let (Some(snap), Some(instance)) = (block.id(row, "snap"), block.id(row, "inst")) else { continue };
        let Ok(instance) = u32::try_from(instance) else { continue };
        let previous = before.insert(instance, snap);
        let minutes = block.number(row, "dur_m").filter(|m| *m > 0.0);
        let report = intervals.report(snap, Some(instance));
        let section = count_row(report, block);
        let identity = &mut report.identity;
        identity.begin_snap = previous.filter(|p| p + 1 == snap);
        let end = block.text(row, "end").and_then(time);
        identity.end_time = end.map(|t| t.to_string());
        identity.elapsed_s = minutes.map(|m| m * 60.0);
        #[allow(clippy::cast_possible_truncation, reason = "minutes of an interval")]
        let begin =
            end.zip(minutes).and_then(|(t, m)| t.checked_sub(jiff::Span::new().minutes(m as i64)).ok());
        identity.begin_time = begin.map(|t| t.to_string());
        let active = block.printed(row, "db_time").map(|p| (p, 0.01)).or_else(|| {
            // Centiseconds a second where printed, else average active sessions.
            block.printed(row, "aas").map(|p| (p, 1.0))
        });
        // Rounded to tenths, whole numbers too.
        let active = active.map(|(p, factor)| {
            let (low, high) = (p.low.min(p.value - 0.05).max(0.0), p.high.max(p.value + 0.05));
            (Printed { low, high, ..p }, factor)
        });
        if let (Some((active, factor)), Some(elapsed)) = (active, identity.elapsed_s) {
            identity.db_time_s = Some(active.value * factor * elapsed);
            // The length is rounded to minutes too.
            identity.db_time_s_low = Some((active.low * factor * (elapsed - 30.0)).max(0.0));
            identity.db_time_s_high = Some(active.high * factor * (elapsed + 30.0));
        }
        let mut push = |metric: &str, known: Option<Metric>, value: f64, half: f64| {
            report.tables.load_profile.push(LoadProfileRow {
                line: row.line,
                section,
                instance_number: Some(instance),
                metric: metric.to_owned(),
                known,
                per_second: Some(value),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: half,
                per_second_diff_pct: None,
            });
        };
        if let Some((active, factor)) = active {
            let half = (active.high - active.value) * factor;
            push("DB Time(s)", Some(Metric::DbTime), active.value * factor, half);
        }
        for (column, heading) in block.headings.iter().enumerate() {
            let Some(printed) = block.printed_at(row, column) else { continue };
            let half = printed.high - printed.value;
            match RATES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(heading)) {
                Some((name, known, factor)) => {
                    // A whole number is rounded like any other.
                    let half = if half == 0.0 { 0.05 } else { half };
                    push(name, Some(*known), printed.value * factor, half * factor);
                }
                None if !NOT_RATES.contains(heading) => push(heading, None, printed.value, half),
                None => {}
            }
        }
        if let Some(busy) = block.number(row, "os_cpu") {
            report.tables.host_cpu.push(HostCpu {
                line: row.line,
                section,
                instance_number: Some(instance),
                idle_pct: Some(100.0 - busy),
                ..HostCpu::default()
            });
        }
        if let Some(minutes) = minutes {
            let sessions = active.map_or(0.0, |(p, factor)| p.value * factor);
            intervals.add_length(snap, minutes * 60.0, sessions);
        }
    }
}

/// `14/12/05 18:39`
fn time(text: &str) -> Option<DateTime> {
    let (date, clock) = text.split_once(' ')?;
    let mut date = date.split('/').map(str::parse::<i16>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let (hour, minute) = clock.split_once(':')?;
    let year = if year < 100 { 2000 + year } else { year };
    let small = |n: i16| i8::try_from(n).ok();
    DateTime::new(year, small(month)?, small(day)?, hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

fn place<'a>(block: &Block<'a>, row: &Row<'a>) -> Option<(u64, Option<u32>)> {
    let snap = block.id(row, "SNAP_ID")?;
    Some((snap, block.id(row, "INSTANCE_NUMBER").and_then(|n| u32::try_from(n).ok())))
}

pub(super) fn read_memory(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    printed(block, intervals, &["SGA", "PGA", "TOTAL"], &["sga_gb", "pga_gb", "total_gb"], |report| {
        &mut report.tables.memory_stat
    })
}

pub(super) fn read_sga_advice(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let from = ["SGA_TARGET_GB", "SIZE_FACTOR", "ESTD_PHYSICAL_READS"];
    let keys = ["sga_target_gb", "size_factor", "est_physical_reads"];
    printed(block, intervals, &from, &keys, |report| &mut report.tables.sga_advice)
}

fn printed(
    block: &Block<'_>,
    intervals: &mut Intervals,
    from: &[&str],
    keys: &[&'static str],
    table: fn(&mut spindle_facts::Report) -> &mut Vec<PrintedRow>,
) -> usize {
    let keys: Vec<std::sync::Arc<str>> = keys.iter().map(|k| (*k).into()).collect();
    let mut rows = 0;
    for row in &block.rows {
        let Some((snap, instance)) = place(block, row) else { continue };
        let cells = from.iter().zip(&keys).map(|(heading, key)| {
            (key.clone(), block.number(row, heading).map_or(Value::Null, Value::Number))
        });
        let cells = cells.collect();
        let report = intervals.report(snap, instance);
        let section = count_row(report, block);
        table(report).push(PrintedRow { line: row.line, section, instance_number: instance, cells });
        rows += 1;
    }
    rows
}

/// Rates over all instances from `V$SYSSTAT`, a second: shown as printed, beside those of the metrics.
pub(super) fn read_rates(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut rows = 0;
    for row in &block.rows {
        let Some((snap, instance)) = place(block, row) else { continue };
        let report = intervals.report(snap, instance);
        let section = count_row(report, block);
        rows += 1;
        for (column, heading) in block.headings.iter().enumerate().filter(|(_, h)| **h != "SNAP_ID") {
            let Some(printed) = block.printed_at(row, column) else { continue };
            report.tables.load_profile.push(LoadProfileRow {
                line: row.line,
                section,
                instance_number: instance,
                metric: format!("{heading} (SYSSTAT)"),
                known: None,
                per_second: Some(printed.value),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: (printed.high - printed.value).max(0.05),
                per_second_diff_pct: None,
            });
        }
    }
    rows
}

/// Statistics of the host: heading, and what Oracle calls it. Times count since the host started.
const OS: &[(&str, &str)] = &[
    ("load", "LOAD"),
    ("cpus", "NUM_CPUS"),
    ("cores", "NUM_CPU_CORES"),
    ("sockets", "NUM_CPU_SOCKETS"),
    ("idle", "IDLE_TIME"),
    ("busy", "BUSY_TIME"),
    ("user", "USER_TIME"),
    ("sys", "SYS_TIME"),
    ("cpu_wait", "OS_CPU_WAIT_TIME"),
];

/// `OSSTAT`: a time is the difference to the snapshot before, unknown where that one lacks, or where
/// the host was started between them. Memory is left out: it is headed GB and printed in MB.
pub(super) fn read_os(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut before: std::collections::HashMap<Option<u32>, (u64, Vec<Option<f64>>)> =
        std::collections::HashMap::new();
    let mut rows = 0;
    for row in &block.rows {
        let Some((snap, instance)) = place(block, row) else { continue };
        let printed: Vec<Option<f64>> = OS.iter().map(|(heading, _)| block.number(row, heading)).collect();
        let previous = before.insert(instance, (snap, printed.clone())).filter(|(p, _)| p + 1 == snap);
        let restarted = previous.as_ref().is_some_and(|(_, old)| {
            let times =
                OS.iter().zip(old.iter().zip(&printed)).filter(|((_, name), _)| name.ends_with("_TIME"));
            times.map(|(_, pair)| pair).any(|(old, new)| old.zip(*new).is_some_and(|(old, new)| new < old))
        });
        let report = intervals.report(snap, instance);
        let section = count_row(report, block);
        rows += 1;
        for (index, ((_, name), value)) in OS.iter().zip(&printed).enumerate() {
            let value = if name.ends_with("_TIME") {
                let old = previous.as_ref().filter(|_| !restarted).and_then(|(_, old)| old[index]);
                value.zip(old).map(|(new, old)| new - old)
            } else {
                *value
            };
            if value.is_some() {
                report.tables.os_stat.push(OsStat {
                    line: row.line,
                    section,
                    instance_number: instance,
                    statistic: (*name).to_owned(),
                    value,
                    end_value: None,
                });
            }
        }
    }
    rows
}

/// `IOSTAT-BY-FUNCTION`: requests of an interval by function and size, over all instances.
pub(super) fn read_functions(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut rows = 0;
    for row in &block.rows {
        let (Some(snap), Some(function)) = (block.id(row, "SNAP_ID"), block.text(row, "FUNCTION_NAME"))
        else {
            continue;
        };
        // A restart makes differences negative: they are no counts.
        let requests = |heading: &str| block.number(row, heading).filter(|n| *n >= 0.0);
        let activity = IoActivity {
            line: row.line,
            function: Some(function.to_owned()),
            small_read_requests: requests("SM_R_REQS"),
            large_read_requests: requests("LG_R_REQS"),
            small_write_requests: requests("SM_W_REQS"),
            large_write_requests: requests("LG_W_REQS"),
            ..IoActivity::default()
        };
        let report = intervals.report(snap, None);
        let section = count_row(report, block);
        report.tables.io_function.push(IoActivity { section, ..activity });
        rows += 1;
    }
    rows
}

/// Blocks whose rows are kept as printed, each at its snapshot.
pub(super) fn read_printed(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let table: fn(&mut spindle_facts::Report) -> &mut Vec<PrintedRow> = match block.name {
        "IO-OBJECT-TYPE" => |report| &mut report.tables.io_object_type,
        _ => |report| &mut report.tables.database_size,
    };
    let kept: Vec<(usize, std::sync::Arc<str>)> = block
        .headings
        .iter()
        .enumerate()
        .filter(|(_, h)| !h.eq_ignore_ascii_case("SNAP_ID"))
        .map(|(column, h)| (column, h.to_lowercase().into()))
        .collect();
    let mut rows = 0;
    for row in &block.rows {
        let Some((snap, instance)) = place(block, row) else { continue };
        let cells = kept.iter().map(|(column, key)| {
            let value = match (block.printed_at(row, *column), block.cell(row, *column)) {
                (Some(printed), _) => Value::Number(printed.value),
                (None, "") => Value::Null,
                (None, text) if text.bytes().all(|b| b == b'#') => Value::Null,
                (None, text) => Value::Text(text.into()),
            };
            (key.clone(), value)
        });
        let cells = cells.collect();
        let report = intervals.report(snap, instance);
        let section = count_row(report, block);
        table(report).push(PrintedRow { line: row.line, section, instance_number: instance, cells });
        rows += 1;
    }
    rows
}

pub(super) fn read_pga_advice(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut rows = 0;
    for row in &block.rows {
        let Some((snap, instance)) = place(block, row) else { continue };
        let advice = PgaAdvice {
            line: row.line,
            instance_number: instance,
            target_bytes: block.number(row, "PGA_TARGET_GB").filter(|n| *n > 0.0).map(|n| n * GIB),
            size_factor: block.number(row, "SIZE_FACTOR"),
            extra_rw_bytes: block.number(row, "ESTD_EXTRA_MB_RW").map(|n| n * MIB),
            cache_hit_pct: block.number(row, "ESTD_PGA_CACHE_HIT_PERCENTAGE"),
            ..PgaAdvice::default()
        };
        let report = intervals.report(snap, instance);
        let section = count_row(report, block);
        report.tables.pga_advice.push(PgaAdvice { section, ..advice });
        rows += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn ends_of_intervals() {
        assert_eq!(super::time("14/12/05 18:39").unwrap().to_string(), "2014-12-05T18:39:00");
        assert!(super::time("14-12-05 18:39").is_none());
    }
}
