//! Totals that shares are taken of, and the advice on memory.

use spindle_diagnosis::{Case, PoolAdvice, is_multi_block_read, is_single_block_read, largest_readers};
use spindle_facts::{IoActivity, PgaAdvice, Quantity, readings};

/// Bytes of a block where no report says.
const USUAL_BLOCK_BYTES: f64 = 8192.0;
/// Blocks of a multi-block read where nothing tells: the optimizer's own assumption.
const USUAL_MULTI_BLOCKS: f64 = 8.0;
/// Bytes of a direct-path read where nothing tells: what Oracle asks for at most.
const USUAL_DIRECT_BYTES: f64 = 1_048_576.0;
/// Blocks that one wait for several single-block reads is for, at most.
const AT_ONCE_BLOCKS: f64 = 128.0;
/// Single-block reads may be this many times the waits for them: processes that no event counts. Ours.
const MORE_THAN_WAITED: f64 = 1.25;
/// Bytes of the largest read that any release makes.
const LARGEST_BYTES: f64 = 4_194_304.0;

/// Totals of a report.
///
/// Unit: blocks and requests over the interval; bytes. Missing: `None` where not printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) block_bytes: f64,
    /// Blocks read, by any path.
    pub(crate) read_blocks: Option<f64>,
    /// Blocks read past the cache, those of temp and of smart scans left out.
    pub(crate) direct_blocks: Option<f64>,
    /// Blocks of smart scans, which tablespaces do not count; nothing where none are printed.
    pub(crate) smart_blocks: f64,
    /// Blocks read of temp.
    pub(crate) temp_read_blocks: Option<f64>,
    /// Blocks written to temp.
    pub(crate) temp_write_blocks: Option<f64>,
    /// Blocks written, by any path.
    pub(crate) write_blocks: Option<f64>,
    /// Blocks written past the cache, temp left out.
    pub(crate) direct_write_blocks: Option<f64>,
    /// Requests read by the database.
    pub(crate) read_requests: Option<f64>,
    /// Waits for single-block reads, of users and background.
    pub(crate) single_waits: f64,
    /// Waits for multi-block reads, of users and background.
    pub(crate) multi_waits: f64,
    /// Blocks of a multi-block read.
    pub(crate) multi_blocks: f64,
    /// Blocks that were read one by one, at most: those that were waited for, and all that one wait may be for.
    pub(crate) most_singles: f64,
    /// A block of a multi-block read is waited for longer than one of a single-block read.
    pub(crate) several_take_longer: bool,
    /// Blocks of a direct-path read.
    pub(crate) direct_request_blocks: f64,
    /// Direct-path reads that were made, waited for or not.
    pub(crate) direct_requests: Option<f64>,
    /// Redo as written to all members, where printed, else once; bytes.
    pub(crate) redo_bytes: Option<f64>,
}

impl Totals {
    pub(crate) fn of(case: &Case<'_>) -> Self {
        let report = case.report;
        let stat = |name: &str| case.stat_total(name);
        let block_bytes = report.identity.block_size_bytes.map_or(USUAL_BLOCK_BYTES, |b| b as f64);
        let elapsed_s = case.elapsed_s();
        let over = |quantity| {
            let reading = readings(report, quantity).into_iter().next()?;
            Some(reading.value * elapsed_s?)
        };
        let read_blocks = stat("physical reads").or_else(|| over(Quantity::BlocksRead));
        let temp_read_blocks = stat("physical reads direct temporary tablespace");
        let all_direct = stat("physical reads direct");
        let smart_blocks =
            function_reads(case, "Smart Scan", None).and_then(|reads| reads.bytes).unwrap_or(0.0)
                / block_bytes;
        let direct_blocks = all_direct.map(|d| (d - temp_read_blocks.unwrap_or(0.0) - smart_blocks).max(0.0));
        let waits = |is: fn(&str) -> bool| -> f64 {
            case.events.iter().filter(|e| is(&e.event)).filter_map(|e| e.waits).sum()
        };
        let single_waits = waits(is_single_block_read);
        let multi_waits = waits(is_multi_block_read);
        // What the cache read beside single blocks came by multi-block reads.
        let cache_blocks = stat("physical reads cache")
            .or_else(|| Some((read_blocks? - all_direct.unwrap_or(0.0)).max(0.0)));
        let measured = cache_blocks
            .filter(|_| multi_waits > 0.0)
            .map(|blocks| (blocks - single_waits) / multi_waits)
            .filter(|blocks| *blocks >= 1.0);
        let set = case.parameter("db_file_multiblock_read_count").value().and_then(|v| v.parse::<f64>().ok());
        let most_blocks = (USUAL_DIRECT_BYTES / block_bytes).max(1.0);
        let multi_blocks = measured.or(set).unwrap_or(USUAL_MULTI_BLOCKS).clamp(1.0, most_blocks.max(128.0));
        // Of temp and data together, where the account by function and file does not tell them apart.
        let of_data = function_reads(case, "Direct Reads", Some("Data File"));
        let direct_request_blocks = of_data
            .or_else(|| function_reads(case, "Direct Reads", None))
            .and_then(|reads| {
                Some(reads.bytes.map_or(all_direct?, |bytes| bytes / block_bytes) / reads.requests)
            })
            .filter(|blocks| blocks.is_finite())
            .map_or(most_blocks, |blocks| blocks.clamp(1.0, LARGEST_BYTES / block_bytes));
        Self {
            block_bytes,
            read_blocks,
            direct_blocks,
            smart_blocks,
            temp_read_blocks,
            temp_write_blocks: stat("physical writes direct temporary tablespace"),
            write_blocks: stat("physical writes"),
            direct_write_blocks: stat("physical writes direct").map(|all| {
                (all - stat("physical writes direct temporary tablespace").unwrap_or(0.0)).max(0.0)
            }),
            read_requests: over(Quantity::DatabaseReadRequests).or_else(|| over(Quantity::ReadRequests)),
            single_waits,
            multi_waits,
            multi_blocks,
            most_singles: {
                let at_once = |event: &str| {
                    matches!(event, "db file parallel read" | "cell list of blocks physical read")
                };
                let at_once = waits(at_once);
                if single_waits + multi_waits + at_once > 0.0 {
                    MORE_THAN_WAITED * single_waits + AT_ONCE_BLOCKS * at_once
                } else {
                    f64::INFINITY
                }
            },
            several_take_longer: {
                let seconds = |is: fn(&str) -> bool| -> f64 {
                    case.events.iter().filter(|e| is(&e.event)).map(|e| e.time_s).sum()
                };
                let (one, several) = (seconds(is_single_block_read), seconds(is_multi_block_read));
                single_waits > 0.0 && several * single_waits > one * multi_waits * multi_blocks
            },
            direct_request_blocks,
            direct_requests: of_data
                .map(|reads| reads.requests)
                .or_else(|| Some(direct_blocks? / direct_request_blocks)),
            redo_bytes: match (stat("redo size"), log_file_bytes(case)) {
                (Some(size), Some(written)) => Some(size.max(written)),
                (size, written) => size.or(written),
            },
        }
    }
}

/// Bytes written to log files, where the account by file type prints them: redo once for each member.
fn log_file_bytes(case: &Case<'_>) -> Option<f64> {
    let is_log = |r: &&IoActivity| {
        !r.is_total && r.filetype.as_deref().is_some_and(|f| f.eq_ignore_ascii_case("Log File"))
    };
    let rows = || case.report.tables.io_filetype.iter().filter(is_log);
    let for_all = rows().any(|r| r.instance_number.is_none());
    let mut sum = None;
    for row in rows().filter(|r| r.instance_number.is_none() == for_all) {
        let own = row.write_bytes.or_else(|| Some(row.write_bytes_per_s? * case.elapsed_s()?))?;
        sum = Some(sum.unwrap_or(0.0) + own);
    }
    sum
}

impl Totals {
    /// Bytes read from and written to temp, as far as printed.
    pub(crate) fn temp_bytes(&self) -> Option<f64> {
        let (read, written) = (self.temp_read_blocks, self.temp_write_blocks);
        (read.is_some() || written.is_some())
            .then(|| (read.unwrap_or(0.0) + written.unwrap_or(0.0)) * self.block_bytes)
    }
}

/// Requests that a function read, and their bytes where printed.
#[derive(Clone, Copy)]
struct FunctionReads {
    requests: f64,
    bytes: Option<f64>,
}

/// What the account by function prints of one, of all files or of one type; `None` where it made no request.
fn function_reads(case: &Case<'_>, function: &str, filetype: Option<&str>) -> Option<FunctionReads> {
    let tables = &case.report.tables;
    let rows = if filetype.is_some() { &tables.io_function_filetype } else { &tables.io_function };
    let is =
        |cell: &Option<String>, name: &str| cell.as_deref().is_some_and(|c| c.eq_ignore_ascii_case(name));
    let row = rows.iter().find(|r| {
        is(&r.function, function)
            && filetype.is_none_or(|name| is(&r.filetype, name))
            && r.instance_number.is_none()
    })?;
    let elapsed_s = case.elapsed_s()?;
    let requests = row.reads_per_s? * elapsed_s;
    let bytes = row.read_bytes.or_else(|| Some(row.read_bytes_per_s? * elapsed_s));
    (requests >= 1.0).then_some(FunctionReads { requests, bytes })
}

/// What the report advises on memory.
///
/// Shape: one row an instance. Unit: bytes. Missing: empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advice {
    /// Size of a buffer cache today.
    pub(crate) cache_bytes: Option<f64>,
    /// The pool of each instance that reads most.
    pub(crate) cache: Vec<PoolAdvice>,
    /// PGA of each instance.
    pub(crate) pga: Vec<PgaTargets>,
    /// Work areas are sized by hand, so that no target decides.
    pub(crate) by_hand: bool,
}

/// PGA targets of one instance.
#[derive(Clone, Debug)]
pub(crate) struct PgaTargets {
    /// RAC: the instance, where the rows print one.
    pub(crate) instance: Option<u32>,
    /// Target today, and the extra bytes to and from temp since the start.
    pub(crate) now: (f64, f64),
    /// Larger ones.
    pub(crate) larger: Vec<(f64, f64)>,
}

impl Advice {
    pub(crate) fn of(case: &Case<'_>) -> Self {
        let tables = &case.report.tables;
        let default_pool = |pool: &Option<String>| {
            pool.as_deref().is_none_or(|p| p.eq_ignore_ascii_case("D") || p.eq_ignore_ascii_case("DEFAULT"))
        };
        let away = |f: Option<f64>| (f.unwrap_or(9e9) - 1.0).abs();
        let cache_bytes = tables
            .db_cache_advice
            .iter()
            .filter(|a| default_pool(&a.pool) && away(a.size_factor) < 0.06)
            .min_by(|a, b| away(a.size_factor).total_cmp(&away(b.size_factor)))
            .and_then(|a| a.size_bytes)
            .or_else(|| cache_parameter(case));
        let policy = case.parameter("workarea_size_policy");
        Self {
            cache_bytes,
            cache: largest_readers(&tables.db_cache_advice),
            pga: pga(&tables.pga_advice),
            by_hand: policy.value().is_some_and(|v| v.trim().eq_ignore_ascii_case("manual")),
        }
    }
}

fn pga(rows: &[PgaAdvice]) -> Vec<PgaTargets> {
    let mut found: Vec<PgaTargets> = Vec::new();
    for now in rows.iter().filter(|a| a.size_factor.is_some_and(|f| (f - 1.0).abs() < 0.01)) {
        let instance = now.instance_number;
        let (Some(target), Some(extra)) = (now.target_bytes, now.extra_rw_bytes) else { continue };
        if found.iter().any(|p| p.instance == instance) {
            continue;
        }
        let larger = rows
            .iter()
            .filter(|a| a.instance_number == instance)
            .filter_map(|a| Some((a.target_bytes.filter(|bytes| *bytes > target)?, a.extra_rw_bytes?)))
            .collect();
        found.push(PgaTargets { instance, now: (target, extra), larger });
    }
    found
}

/// Size of the buffer cache by its parameters.
fn cache_parameter(case: &Case<'_>) -> Option<f64> {
    ["__db_cache_size", "db_cache_size"]
        .iter()
        .filter_map(|name| case.parameter(name).value()?.parse::<f64>().ok())
        .find(|bytes| *bytes > 0.0)
}
