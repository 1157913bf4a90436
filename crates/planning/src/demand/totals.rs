//! Totals that shares are taken of, and the advice on memory.

use spindle_diagnosis::{Case, is_multi_block_read, is_single_block_read};
use spindle_facts::{Quantity, readings};

/// Bytes of a block where no report says.
const USUAL_BLOCK_BYTES: f64 = 8192.0;
/// Blocks of a multi-block read where nothing tells: the optimizer's own assumption.
const USUAL_MULTI_BLOCKS: f64 = 8.0;
/// Bytes of a direct-path read where nothing tells: what Oracle asks for at most.
const USUAL_DIRECT_BYTES: f64 = 1_048_576.0;

/// Totals of a report.
///
/// Unit: blocks and requests over the interval; bytes. Missing: `None` where not printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) block_bytes: f64,
    /// Blocks read, by any path.
    pub(crate) read_blocks: Option<f64>,
    /// Blocks read past the cache, temp left out.
    pub(crate) direct_blocks: Option<f64>,
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
    /// Blocks of a direct-path read.
    pub(crate) direct_request_blocks: f64,
    /// Redo, bytes.
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
        let direct_blocks = all_direct.map(|d| (d - temp_read_blocks.unwrap_or(0.0)).max(0.0));
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
        Self {
            block_bytes,
            read_blocks,
            direct_blocks,
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
            direct_request_blocks: direct_request_blocks(case, all_direct).unwrap_or(most_blocks),
            redo_bytes: stat("redo size"),
        }
    }
}

/// Blocks of a direct-path read, where the functions' account prints their requests.
fn direct_request_blocks(case: &Case<'_>, direct_blocks: Option<f64>) -> Option<f64> {
    let rows = &case.report.tables.io_function;
    let row = rows.iter().find(|r| {
        r.function.as_deref().is_some_and(|f| f.eq_ignore_ascii_case("Direct Reads"))
            && r.instance_number.is_none()
    })?;
    let requests = row.reads_per_s? * case.elapsed_s()?;
    (requests >= 1.0).then(|| (direct_blocks.unwrap_or(0.0) / requests).max(1.0)).filter(|b| b.is_finite())
}

/// What the report advises on memory.
///
/// Unit: bytes; shares of the present reads. Missing: empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advice {
    /// Buffer cache: size, reads as a share of the present ones; default pool.
    pub(crate) cache: Vec<(f64, f64)>,
    /// Size of the buffer cache today.
    pub(crate) cache_bytes: Option<f64>,
    /// PGA: target, extra bytes to and from temp.
    pub(crate) pga: Vec<(f64, f64)>,
    /// PGA target today.
    pub(crate) pga_bytes: Option<f64>,
}

impl Advice {
    pub(crate) fn of(case: &Case<'_>) -> Self {
        let tables = &case.report.tables;
        let default_pool = |pool: &Option<String>| {
            pool.as_deref().is_none_or(|p| p.eq_ignore_ascii_case("D") || p.eq_ignore_ascii_case("DEFAULT"))
        };
        let rows = || {
            let one = tables.db_cache_advice.iter().find_map(|a| a.instance_number);
            tables.db_cache_advice.iter().filter(move |a| a.instance_number == one)
        };
        let present = rows()
            .filter(|a| default_pool(&a.pool) && a.size_factor.is_some())
            .min_by(|a, b| {
                let away = |f: Option<f64>| (f.unwrap_or(9e9) - 1.0).abs();
                away(a.size_factor).total_cmp(&away(b.size_factor))
            })
            .filter(|a| a.size_factor.is_some_and(|f| (f - 1.0).abs() < 0.06));
        // The header's block size tells which pool is the database's own.
        let pool = present.map(|p| p.pool.clone());
        let cache = rows()
            .filter(|a| pool.as_ref().is_some_and(|p| *p == a.pool))
            .filter_map(|a| Some((a.size_bytes?, a.read_factor?)))
            .collect();
        let one = tables.pga_advice.iter().find_map(|a| a.instance_number);
        let pga_rows = || tables.pga_advice.iter().filter(move |a| a.instance_number == one);
        let pga_bytes = pga_rows()
            .find(|a| a.size_factor.is_some_and(|f| (f - 1.0).abs() < 0.01))
            .and_then(|a| a.target_bytes);
        Self {
            cache,
            cache_bytes: present.and_then(|p| p.size_bytes).or_else(|| cache_parameter(case)),
            pga: pga_rows().filter_map(|a| Some((a.target_bytes?, a.extra_rw_bytes?))).collect(),
            pga_bytes,
        }
    }
}

/// Size of the buffer cache by its parameters.
fn cache_parameter(case: &Case<'_>) -> Option<f64> {
    ["__db_cache_size", "db_cache_size"]
        .iter()
        .filter_map(|name| case.parameter(name).value()?.parse::<f64>().ok())
        .find(|bytes| *bytes > 0.0)
}
