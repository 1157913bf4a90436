//! A report becomes a row: rates with the accounts that a diagnosis uses, causes, who was behind it.

use super::load::{
    BEYOND, Behind, Cause, CauseLoad, ClockDoubt, Counted, FLASH_HITS, FlashLoad, IntervalLoad, Measures,
    ReadUnit, RedoCount, Unbelieved,
};
use super::outcome::DataCount;
use spindle_diagnosis::{
    Case, IoFigure, Options, Richness, counts_its_statements, more_waits_than_reads, words::count,
};
use spindle_facts::{
    IoActivity, Kind, PrintedRow, Quantity, Reading, Report, Scope, clock, epoch_s, readings, same_name,
};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Statements and segments kept of an interval.
const KEPT: usize = 5;
const MB: f64 = 1e6;
const MIB: f64 = 1_048_576.0;

impl IntervalLoad {
    /// Reduces a report.
    pub(crate) fn of(report: &Report) -> Self {
        let case = Case::new(report, &Options::default());
        let id = &report.identity;
        let io = &case.io;
        let value = |f: &Option<IoFigure>| f.as_ref().map(|f| f.value).filter(|v| v.is_finite() && *v >= 0.0);
        let (begin, end) = (epoch_s(id.begin_time.as_deref()), epoch_s(id.end_time.as_deref()));
        let elapsed_s = case.elapsed_s().or_else(|| begin.zip(end).map(|(b, e)| (e - b) as f64));
        let elapsed_s = elapsed_s.filter(|s| s.is_finite() && *s > 0.0 && *s < LONGEST_S);
        #[allow(clippy::cast_possible_truncation, reason = "seconds below a century")]
        let length = elapsed_s.map(|s| s.round() as i64);
        let span = match (begin, end, length) {
            (Some(b), Some(e), _) => Some(b..e),
            (None, Some(e), Some(n)) => Some(e - n..e),
            (Some(b), None, Some(n)) => Some(b..b + n),
            _ => None,
        };
        let span = span.filter(|s| s.start < s.end && ((s.end - s.start) as f64) < LONGEST_S);
        let causes = causes(report, elapsed_s);
        let (small_read_iops, large_read_iops) =
            by_size(report, elapsed_s, value(&io.read_iops), "physical read total", |r| {
                (r.small_read_requests, r.large_read_requests)
            });
        // Without redo the writes of an interval are no demand on all storage.
        let write_requests = io.write_iops.clone();
        let write_requests = write_requests.filter(|f| !f.is_of_data_files() || case.elapsed_s().is_none());
        let (small_write_iops, large_write_iops) =
            by_size(report, elapsed_s, value(&write_requests), "physical write total", |r| {
                (r.small_write_requests, r.large_write_requests)
            });
        let is_container = id.scope == Scope::Container;
        // A container's own counters hold its sessions; its files are written by the root's processes.
        let of_container = |counted: Option<f64>, quantities: [Quantity; 2]| {
            let accounts = quantities.into_iter().flat_map(|q| readings(report, q)).map(|r| r.value);
            accounts.filter(|v| v.is_finite() && *v >= 0.0).chain(counted).reduce(f64::max)
        };
        let (write_iops, write_mbps) = if is_container {
            (
                of_container(None, [Quantity::WriteRequests, Quantity::DatabaseWriteRequests]),
                of_container(
                    value(&io.write_mbps).map(|mb| mb * 1e6),
                    [Quantity::WriteBytes, Quantity::DatabaseWriteBytes],
                )
                .map(|bytes| bytes / 1e6),
            )
        } else {
            (value(&write_requests), value(&io.write_mbps))
        };
        // Sizes are those of its sessions alone.
        let of_all = |v: Option<f64>| v.filter(|_| !is_container || write_iops == value(&write_requests));
        let (small_write_iops, large_write_iops) = (of_all(small_write_iops), of_all(large_write_iops));
        let metric = |name: &str| {
            let of_metric = report.tables.sysmetric.iter().filter(|m| same_name(&m.metric, name));
            sum(of_metric.map(|m| m.maximum))
        };
        let of_miner = |name: &str| {
            let rows = report.tables.load_profile.iter().filter(|r| r.metric.eq_ignore_ascii_case(name));
            sum(rows.map(|r| r.per_second))
        };
        let lgwr = causes.iter().find(|(cause, _)| *cause == Cause::Lgwr).map(|(_, load)| *load);
        // A container writes no redo of its own.
        let redo_writes = value(&io.redo_write_iops).filter(|_| !is_container);
        let redo = redo(report, lgwr, redo_writes);
        let redo_beyond_writes =
            redo.zip(write_iops).is_some_and(|((redo, _), writes)| redo > writes * BEYOND.0 + BEYOND.1);
        let (redo_write_iops, redo_counted_as) = redo.filter(|_| !redo_beyond_writes).unzip();
        let redo_write_mbps = redo_mbps(report, redo_counted_as, lgwr, value(&io.redo_write_mbps), elapsed_s);
        // `Average Synchronous Single-Block Read Latency`, milliseconds: of the same kind in every interval, where
        // the event stands in some lists of leading events only.
        let metric_read = of_miner("s_blk_r_lat");
        let read_us = match metric_read {
            Some(ms) => Some(ms * 1e3).filter(|us| *us > 0.0),
            None => value(&io.single_block_read_us),
        };
        let data_only = io.read_iops.as_ref().is_some_and(|f| f.account.ends_with(DATA_ONLY));
        // Requests of some files alone, and bytes of all, are of two accounts.
        let doubted = |requests: Option<f64>, mbps: Option<f64>| {
            Unbelieved::of(requests, mbps).filter(|_| !data_only && !is_container)
        };
        // Of two counts that contradict each other the larger: each read that is waited for is a request.
        let reads_waited_for = more_waits_than_reads(&case);
        let read_iops = reads_waited_for.map(|(waits, _)| waits).or(value(&io.read_iops));
        let (small_read_iops, large_read_iops) = match reads_waited_for {
            Some(_) => (None, None),
            None => (small_read_iops, large_read_iops),
        };
        // Each is of a block at least.
        let least_bytes = id.block_size_bytes.map_or(SMALLEST_BLOCK, |bytes| bytes as f64);
        let are_too_few = |mb: &f64| reads_waited_for.is_some_and(|(waits, _)| mb * MB < waits * least_bytes);
        let read_mbps = value(&io.read_mbps).filter(|mb| !are_too_few(mb));
        let unbelieved = [doubted(read_iops, read_mbps), doubted(write_iops, write_mbps)];
        let read_mbps = read_mbps.filter(|_| unbelieved[0].is_none());
        let write_mbps = write_mbps.filter(|_| unbelieved[1].is_none());
        let waits = case
            .events
            .iter()
            .filter(|e| {
                e.side == spindle_facts::Side::Foreground && spindle_diagnosis::is_single_block_read(&e.event)
            })
            .map(|e| e.waits);
        Self {
            source: id.source.as_str().into(),
            db_name: id.db_name.as_deref().map(Into::into),
            db_id: id.db_id,
            version: id.version.as_deref().map(Into::into),
            host: id.host.as_deref().map(Into::into),
            platform: id.platform.as_deref().map(Into::into),
            database_instances: id.instances,
            started_s: epoch_s(id.startup_time.as_deref()),
            utc_offset_s: id.utc_offset_s,
            copy: 0,
            database: "".into(),
            container: id.container.as_deref().map(Into::into),
            instance_number: if id.scope == Scope::Database { None } else { id.instance_number },
            is_global: id.scope == Scope::Database,
            richness: Richness::of(report, io),
            is_awr: id.kind != Kind::Statspack,
            instances: if id.scope == Scope::Database { id.instances.unwrap_or(1).max(1) } else { 1 },
            of_instances: of_instances(report).filter(|_| id.scope != Scope::Database),
            spans_restart: id.spans_restart,
            span,
            printed: begin.zip(end),
            snaps: id.begin_snap.zip(id.end_snap),
            knows_length: id.kind == Kind::History,
            length_counted: clock::counted_by_processors_s(report).is_some(),
            clock: match clock::put_inside(report).filter(|_| id.kind != Kind::History) {
                Some(put_s) => ClockDoubt::PutInside(put_s),
                None => ClockDoubt::Nothing,
            },
            elapsed_s,
            measures: Measures {
                read_iops,
                write_iops,
                redo_write_iops,
                read_mbps,
                write_mbps,
                redo_write_mbps,
                small_read_iops,
                large_read_iops,
                small_write_iops,
                large_write_iops,
            },
            unbelieved,
            redo_counted_as,
            redo_beyond_writes,
            reads_waited_for,
            listed_requests: listed_requests(report)
                .filter(|_| read_iops.is_none() && write_iops.is_none())
                .map(Into::into),
            of_several: false,
            flash: flash(report, elapsed_s, value(&io.read_iops), write_iops),
            data_writes: data_writes(report, elapsed_s).filter(|_| !is_container),
            file_write_iops: of_files(report).filter(|_| !is_container),
            data_only,
            is_container,
            causes,
            peak_read_iops: metric("Physical Read Total IO Requests Per Sec")
                .or_else(|| of_miner("read_iops_max")),
            peak_write_iops: metric("Physical Write Total IO Requests Per Sec")
                .or_else(|| of_miner("write_iops_max")),
            peak_total_iops: metric("I/O Requests per Second"),
            peak_read_mbps: metric("Physical Read Total Bytes Per Sec")
                .map(|bytes| bytes / MB)
                .or_else(|| of_miner("read_mb_s_max").map(|mib| mib * MIB / MB)),
            peak_write_mbps: metric("Physical Write Total Bytes Per Sec")
                .map(|bytes| bytes / MB)
                .or_else(|| of_miner("write_mb_s_max").map(|mib| mib * MIB / MB)),
            read_waits: sum(waits).filter(|_| metric_read.is_none()),
            read_us,
            statements: statements(report, value(&io.read_iops)),
            segments: segments(report),
            lists: !report.tables.sql_stat.is_empty() || !report.tables.segment_stat.is_empty(),
        }
    }
}

/// Instances that ran, by the `RAC Statistics` of one of them: the most of begin and end.
fn of_instances(report: &Report) -> Option<u32> {
    let is_count =
        |row: &&PrintedRow| row.text("metric").is_some_and(|m| same_name(m, "Number of Instances"));
    let Some(row) = report.tables.rac_cache.iter().find(is_count) else {
        // Reports of a container have it beside their snapshots alone.
        return report.identity.running_instances.filter(|n| *n <= 1_000);
    };
    let most = ["begin", "end"].iter().filter_map(|key| row.number(key)).fold(0.0, f64::max);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
    (1.0..=1_000.0).contains(&most).then_some(most as u32)
}

/// The smallest block that a database can have, bytes.
const SMALLEST_BLOCK: f64 = 2048.0;

/// Requests that a list of statements or of segments names as the whole of which it shows the largest.
fn listed_requests(report: &Report) -> Option<String> {
    let sql = report.tables.sql_stat.iter().map(|s| (s.ranked_by, s.section, s.line, s.section_total));
    let segments =
        report.tables.segment_stat.iter().map(|s| (s.ranked_by, s.section, s.line, s.section_total));
    let found = sql.chain(segments).find_map(|(ranked_by, section, line, total)| {
        let what = match ranked_by {
            "unoptimized_reads" => "unoptimized read requests",
            "physical_read_requests" => "read requests",
            "physical_write_requests" => "write requests",
            _ => return None,
        };
        Some((what, report.section_title(section), line, total?))
    });
    let (what, title, line, total) = found?;
    Some(format!("{} {what} stand over \"{title}\" alone, line {line}", count(total)))
}

/// How the diagnosis marks requests of data and temp files alone.
const DATA_ONLY: &str = "(data and temp files only)";

/// Longest interval that is believed: ten years.
const LONGEST_S: f64 = 10.0 * 366.0 * 86_400.0;

/// Sum of what is known, where all of it is; `None` of nothing.
fn sum(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let mut all = None;
    for value in values {
        all = Some(all.unwrap_or(0.0) + value.filter(|v| v.is_finite() && *v >= 0.0)?);
    }
    all
}

/// Small and large requests a second. By function where counted there, else from the multi-block
/// requests, which only count beside the total of all processes.
fn by_size(
    report: &Report,
    elapsed_s: Option<f64>,
    all: Option<f64>,
    statistic: &str,
    of_row: impl Fn(&IoActivity) -> (Option<f64>, Option<f64>),
) -> (Option<f64>, Option<f64>) {
    let Some(elapsed_s) = elapsed_s else { return (None, None) };
    let total = report.statistic_total(&format!("{statistic} IO requests"));
    let multi = report.statistic_total(&format!("{statistic} multi block requests"));
    if let (Some(total), Some(multi)) = (total, multi)
        && multi <= total
    {
        return (Some((total - multi) / elapsed_s), Some(multi / elapsed_s));
    }
    let rows = of_all_instances(report, &report.tables.io_function);
    let small = sum(rows.iter().map(|r| of_row(r).0));
    let large = sum(rows.iter().map(|r| of_row(r).1));
    match (small, large) {
        (Some(small), Some(large)) => {
            let (small, large) = (small / elapsed_s, large / elapsed_s);
            // Two accounts of one quantity: scaled to the one in use, so that the parts make the whole.
            let factor = all.filter(|_| small + large > 0.0).map_or(1.0, |all| all / (small + large));
            (Some(small * factor), Some(large * factor))
        }
        _ => (None, None),
    }
}

/// Rows but the totals: those of all instances where printed, else of each.
fn of_all_instances<'r>(report: &Report, rows: &'r [IoActivity]) -> Vec<&'r IoActivity> {
    let rows: Vec<&IoActivity> = rows.iter().filter(|r| !r.is_total).collect();
    let for_all = rows.iter().any(|r| r.instance_number.is_none());
    let own = report.identity.instance_number;
    let matches = |r: &&&IoActivity| {
        (r.instance_number.is_none() == for_all) || own.is_some() && r.instance_number == own
    };
    rows.iter().filter(matches).copied().collect()
}

/// The part of the write requests that is redo: every member of a log group is a request of its own,
/// where `redo writes` counts the write once.
fn redo(report: &Report, lgwr: Option<CauseLoad>, writes: Option<f64>) -> Option<(f64, RedoCount)> {
    let readings = readings(report, Quantity::RedoWriteRequests);
    let found = |row: &str| {
        let reading = readings.iter().find(|r| r.section.ends_with(row))?;
        Some(reading.value).filter(|v| v.is_finite() && *v >= 0.0)
    };
    // Over all instances the IO Profile prints `redo writes` under the name of the requests.
    let of_profile = || found("Redo Requests").filter(|_| report.identity.scope != Scope::Database);
    found(", Log File")
        .or_else(of_profile)
        .map(|v| (v, RedoCount::LogFileRequests))
        .or_else(|| {
            // Printed as a rate, or counted over the interval.
            let requests = found(", LGWR").or_else(|| lgwr?.write_iops);
            Some((requests?, RedoCount::LogWriterRequests))
        })
        .or_else(|| Some((writes?, RedoCount::RedoWrites)))
}

/// Bytes of the requests that redo is counted in, every member of a log group; `redo size`, each once, where
/// they are not printed, or print as less than that.
fn redo_mbps(
    report: &Report,
    counted_as: Option<RedoCount>,
    lgwr: Option<CauseLoad>,
    once: Option<f64>,
    elapsed_s: Option<f64>,
) -> Option<f64> {
    let log_files = || {
        let rows = of_all_instances(report, &report.tables.io_filetype);
        let of_logs = rows.iter().filter(|r| r.filetype.as_deref().is_some_and(|f| same_name(f, "Log File")));
        sum(of_logs.map(|r| cause_load(r, elapsed_s).write_mbps))
    };
    let of_requests = match counted_as {
        Some(RedoCount::LogFileRequests) => log_files().or_else(|| lgwr?.write_mbps),
        Some(RedoCount::LogWriterRequests) => lgwr.and_then(|load| load.write_mbps),
        _ => None,
    };
    larger(of_requests, once)
}

/// Writes to data and temp files: by file type, else the statistic that counts both.
fn data_writes(report: &Report, elapsed_s: Option<f64>) -> Option<(f64, DataCount)> {
    let rows = of_all_instances(report, &report.tables.io_filetype);
    let of = |name: &str| -> Vec<Option<f64>> {
        let named = rows.iter().filter(|r| r.filetype.as_deref().is_some_and(|f| same_name(f, name)));
        named.map(|r| cause_load(r, elapsed_s).write_iops).collect()
    };
    // A type of file without any requests has no row.
    let (data, temp) = (of("Data File"), of("Temp File"));
    let by_type = if data.is_empty() { None } else { sum(data.into_iter().chain(temp)) };
    by_type.map(|iops| (iops, DataCount::FileTypes)).or_else(|| {
        let of_statistic =
            |r: &Reading| !r.section.ends_with(SUM_OF_FILES[0]) && !r.section.ends_with(SUM_OF_FILES[1]);
        let found = readings(report, Quantity::DatabaseWriteRequests).into_iter().find(of_statistic);
        found.map(|r| (r.value, DataCount::Statistic)).filter(|(v, _)| v.is_finite() && *v >= 0.0)
    })
}

/// How accounts of the lists of tablespaces and files end.
const SUM_OF_FILES: [&str; 2] = ["sum of tablespaces", "sum of files"];

/// Writes to the tablespaces, else to the files, that are listed.
fn of_files(report: &Report) -> Option<f64> {
    let found = readings(report, Quantity::DatabaseWriteRequests);
    let listed = found.iter().find(|r| SUM_OF_FILES.iter().any(|end| r.section.ends_with(end)));
    listed.map(|r| r.value).filter(|v| v.is_finite() && *v >= 0.0)
}

/// Reads that storage cells answered without a disk: all that flash and storage indexes spared them, as
/// the bytes are counted too, else the hits in flash. More than all reads are no part of them. Writes that
/// flash took (write-back) likewise.
fn flash(
    report: &Report,
    elapsed_s: Option<f64>,
    reads: Option<f64>,
    writes: Option<f64>,
) -> Option<FlashLoad> {
    let (elapsed_s, reads) = (elapsed_s?, reads?);
    let rate = |name: &str| {
        let rate = report.statistic_total(name).map(|n| n / elapsed_s);
        rate.filter(|v| v.is_finite() && *v >= 0.0)
    };
    let (account, read_iops) = ["physical read requests optimized", FLASH_HITS]
        .into_iter()
        .filter_map(|name| Some((name, rate(name)?)))
        .find(|(_, hits)| *hits > 0.0 && *hits <= reads)?;
    let write_iops =
        rate("physical write requests optimized").filter(|w| writes.is_some_and(|all| *w <= all));
    let cell_writes = rate("cell writes to flash cache").zip(rate("cell overwrites in flash cache"));
    Some(FlashLoad {
        read_iops,
        read_mbps: rate("physical read total bytes optimized").map(|b| b / MB),
        write_iops,
        write_mbps: rate("physical write total bytes optimized").map(|b| b / MB),
        cell_writes: cell_writes.filter(|(all, over)| *over <= *all && *all > 0.0),
        account,
    })
}

fn cause_load(row: &IoActivity, elapsed_s: Option<f64>) -> CauseLoad {
    let rate = |per_s: Option<f64>, small: Option<f64>, large: Option<f64>| {
        let counted = || Some((small? + large?) / elapsed_s?);
        per_s.or_else(counted).filter(|v| v.is_finite() && *v >= 0.0)
    };
    let mbps = |per_s: Option<f64>, total: Option<f64>| {
        per_s.or_else(|| Some(total? / elapsed_s?)).map(|b| b / MB).filter(|v| v.is_finite() && *v >= 0.0)
    };
    CauseLoad {
        read_iops: rate(row.reads_per_s, row.small_read_requests, row.large_read_requests),
        write_iops: rate(row.writes_per_s, row.small_write_requests, row.large_write_requests),
        read_mbps: mbps(row.read_bytes_per_s, row.read_bytes),
        write_mbps: mbps(row.write_bytes_per_s, row.write_bytes),
    }
}

fn causes(report: &Report, elapsed_s: Option<f64>) -> Vec<(Cause, CauseLoad)> {
    let mut found: BTreeMap<Cause, CauseLoad> = BTreeMap::new();
    let mut add = |cause: Cause, load: CauseLoad| {
        found.entry(cause).and_modify(|so_far| *so_far = so_far.plus(&load)).or_insert(load);
    };
    let functions = of_all_instances(report, &report.tables.io_function);
    let named = functions.iter().filter_map(|row| Some((row.function.as_ref()?, cause_load(row, elapsed_s))));
    let named: Vec<(&String, CauseLoad)> = named.collect();
    // Statspack and reports of all instances leave blank what is nothing: what is printed of any function is known
    // of all.
    let printed = |of: fn(&CauseLoad) -> Option<f64>| named.iter().any(|(_, load)| of(load).is_some());
    let nothing = |printed: bool| printed.then_some(0.0);
    let blank = CauseLoad {
        read_iops: nothing(printed(|l| l.read_iops)),
        write_iops: nothing(printed(|l| l.write_iops)),
        read_mbps: nothing(printed(|l| l.read_mbps)),
        write_mbps: nothing(printed(|l| l.write_mbps)),
    };
    for (function, load) in &named {
        add(Cause::of_function(function), load.or(&blank));
    }
    for row in of_all_instances(report, &report.tables.io_filetype) {
        if row.filetype.as_deref().is_some_and(|f| same_name(f, "Temp File")) {
            add(Cause::Temp, cause_load(row, elapsed_s));
        }
    }
    found.into_iter().collect()
}

/// The statements that read most, blocks of PL/SQL left out: they count what their statements do.
fn statements(report: &Report, read_iops: Option<f64>) -> Vec<Behind> {
    let seconds = report.identity.elapsed_s;
    let requests = read_iops.zip(seconds).map(|(rate, s)| rate * s).filter(|t| *t > 0.0);
    let total = readings(report, Quantity::BlocksRead).first().map(|r| r.value);
    let total = total.zip(report.identity.elapsed_s).map(|(rate, s)| rate * s).filter(|t| *t > 0.0);
    #[derive(Default)]
    struct Found<'r> {
        requests: Option<f64>,
        blocks: Option<f64>,
        megabytes: Option<f64>,
        io_wait_s: Option<f64>,
        module: Option<&'r str>,
    }
    // By identifier or old hash.
    let mut found: BTreeMap<(&str, Option<u64>), Found<'_>> = BTreeMap::new();
    for row in &report.tables.sql_stat {
        if row.instance_number.is_some() && report.identity.scope == Scope::Database {
            continue;
        }
        let key = (row.sql_id.as_deref().unwrap_or(""), row.old_hash);
        if key == ("", None) || counts_its_statements(report, row) {
            continue;
        }
        let entry = found.entry(key).or_default();
        // A statement stands in several rankings. AWR-miner files have one, with a row for each of its plans
        // and modules.
        let both = if row.read_bytes.is_some() { added } else { larger };
        entry.requests = both(entry.requests, row.read_requests);
        entry.blocks = both(entry.blocks, row.physical_reads);
        entry.megabytes = both(entry.megabytes, row.read_bytes.map(|b| b / MB));
        entry.io_wait_s = both(entry.io_wait_s, row.io_wait_s);
        entry.module = entry.module.or(row.module.as_deref());
    }
    let share = |n: Option<f64>, total: Option<f64>| {
        n.zip(total).map(|(n, total)| 100.0 * n / total).filter(|p| *p <= 100.5)
    };
    let rows: Vec<Behind> = found
        .into_iter()
        .map(|((sql_id, hash), f)| Behind {
            name: match sql_id {
                "" => hash.unwrap_or_default().to_string().into(),
                sql_id => sql_id.into(),
            },
            detail: f.module.map(Into::into),
            reads: Counted { requests: f.requests, blocks: f.blocks, megabytes: f.megabytes },
            writes: Counted::default(),
            share_pct: Counted {
                requests: share(f.requests, requests),
                blocks: share(f.blocks, total),
                megabytes: None,
            },
            io_wait_s: f.io_wait_s,
        })
        .collect();
    kept(rows)
}

/// Those that read or write most in any unit.
fn kept(mut rows: Vec<Behind>) -> Vec<Behind> {
    // What one ranking does not list of a segment is not known, and no reason to be behind.
    let most = |of: &dyn Fn(&Behind) -> Option<f64>| {
        let mut order: Vec<&Behind> = rows.iter().filter(|b| of(b).is_some_and(|v| v > 0.0)).collect();
        order.sort_by(|a, b| of(b).partial_cmp(&of(a)).unwrap_or(Ordering::Equal).then(a.name.cmp(&b.name)));
        order.into_iter().take(KEPT).map(|b| Arc::clone(&b.name)).collect::<Vec<_>>()
    };
    let units = [ReadUnit::Requests, ReadUnit::Blocks, ReadUnit::Megabytes];
    let names: BTreeSet<Arc<str>> =
        units.iter().flat_map(|u| [most(&|b| b.reads.of(*u)), most(&|b| b.writes.of(*u))].concat()).collect();
    rows.retain(|b| names.contains(&b.name));
    rows
}

/// What is listed of both; what one does not list is left out.
pub(super) fn added(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// The segments that read most and those that wrote most, by requests and by blocks.
fn segments(report: &Report) -> Vec<Behind> {
    let mut found: BTreeMap<String, Behind> = BTreeMap::new();
    for row in &report.tables.segment_stat {
        let (unit, reads) = match row.ranked_by {
            "physical_read_requests" => (ReadUnit::Requests, true),
            "physical_reads" => (ReadUnit::Blocks, true),
            "physical_write_requests" => (ReadUnit::Requests, false),
            "physical_writes" => (ReadUnit::Blocks, false),
            _ => continue,
        };
        if row.instance_number.is_some() && report.identity.scope == Scope::Database {
            continue;
        }
        let Some(object) = &row.object else { continue };
        let mut name = row.owner.as_ref().map_or_else(String::new, |o| format!("{o}."));
        name.push_str(object);
        if let Some(part) = &row.subobject {
            name.push_str(&format!(" ({part})"));
        }
        let entry = found.entry(name).or_insert_with_key(|name| Behind {
            name: name.as_str().into(),
            detail: row.object_type.as_deref().map(Arc::from),
            reads: Counted::default(),
            writes: Counted::default(),
            share_pct: Counted::default(),
            io_wait_s: None,
        });
        if reads {
            entry.reads.at_least(unit, row.value);
            entry.share_pct.at_least(unit, row.share_pct);
        } else {
            entry.writes.at_least(unit, row.value);
        }
    }
    kept(found.into_values().collect())
}
