//! Waits that faster storage shortens.

use super::totals::Totals;
use crate::plan::{Component, Source};
use crate::range::Range;
use spindle_diagnosis::{Case, is_multi_block_read, is_single_block_read};
use spindle_facts::{Interval, IoActivity};

/// Waits for one event.
///
/// Shape: one an event. Unit: seconds and waits of foreground sessions; bytes a wait. Missing: events
/// without waits are left out. Source: the response time, so what overlaps is cut already.
#[derive(Clone, Debug)]
pub(crate) struct WaitDemand {
    pub(crate) component: Component,
    pub(crate) event: String,
    /// Waits of foreground sessions.
    pub(crate) waits: f64,
    pub(crate) time_s: Range,
    /// Mean wait as printed, microseconds: what overlaps with CPU is not cut from it.
    pub(crate) mean_us: f64,
    /// Bytes that one wait brings.
    pub(crate) bytes: f64,
    pub(crate) service: Service,
    pub(crate) source: Source,
}

/// How long the storage takes for one request behind the wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Service {
    /// The wait is the request.
    Waited,
    /// Requests run while the session works: the wait is less than the request. Bounds of the
    /// request, microseconds, where printed.
    Async(Option<Interval>),
}

/// What an event is, as far as a faster device matters.
pub(super) fn component(event: &str) -> Option<Component> {
    if is_single_block_read(event) {
        return Some(Component::SingleBlockRead);
    }
    if is_multi_block_read(event) {
        return Some(Component::MultiBlockRead);
    }
    Some(match event {
        "db file parallel read" | "cell list of blocks physical read" => Component::SingleBlockRead,
        "db flash cache single block physical read" => Component::SingleBlockRead,
        "db flash cache multiblock physical read" => Component::MultiBlockRead,
        "direct path read" | "direct path read (lob)" => Component::DirectRead,
        "direct path read temp" => Component::TempRead,
        "direct path write temp" => Component::TempWrite,
        "direct path write" | "direct path write (lob)" => Component::DirectWrite,
        "free buffer waits" | "write complete waits" => Component::DatabaseWriter,
        "control file sequential read" | "control file parallel write" | "control file single write" => {
            Component::ControlFile
        }
        "read by other session" => Component::ReadByOther,
        _ => return None,
    })
}

/// Waits for scans that storage cells run.
const SMART_SCANS: [&str; 2] = ["cell smart table scan", "cell smart index scan"];

/// Foreground seconds of smart scans.
pub(crate) fn smart_scan_s(case: &Case<'_>) -> f64 {
    let events = case.response_time.foreground.classes.iter().flat_map(|c| &c.events);
    events.filter(|e| SMART_SCANS.contains(&e.event.as_str())).map(|e| e.counted_s).sum()
}

/// Read requests that flash in storage cells answered, and all of them.
pub(crate) fn flash_reads(case: &Case<'_>) -> Option<(f64, f64)> {
    let all = case.stat_total("physical read total IO requests").filter(|n| *n > 0.0)?;
    ["physical read requests optimized", "cell flash cache read hits"]
        .into_iter()
        .filter_map(|name| case.stat_total(name))
        .find(|hits| *hits > 0.0 && *hits <= all)
        .map(|hits| (hits, all))
}

/// Foreground waits that storage shortens, as counted by the response time.
pub(crate) fn waits(case: &Case<'_>, totals: &Totals) -> Vec<WaitDemand> {
    let mut found = Vec::new();
    for event in case.response_time.foreground.classes.iter().flat_map(|c| &c.events) {
        let Some(component) = component(&event.event) else { continue };
        if event.counted_s <= 0.0 {
            continue;
        }
        // Rounding widens what is counted as it widens what is printed.
        let cut = event.counted_s / event.time_s;
        let time_s = Range {
            low: (event.time_s_bounds.low * cut).min(event.counted_s),
            mid: event.counted_s,
            high: (event.time_s_bounds.high * cut).max(event.counted_s),
        };
        let Some(waits) = event.waits.or_else(|| Some(event.time_s * 1e6 / event.avg_us?)) else { continue };
        if waits <= 0.0 {
            continue;
        }
        let block = totals.block_bytes;
        let largest = (1_048_576.0_f64).max(block);
        let (bytes, service) = match component {
            Component::SingleBlockRead
                if event.event.contains("parallel") || event.event.contains("list") =>
            {
                // Several blocks at once; the statistic does not say how many.
                ((block * 8.0).min(largest), Service::Waited)
            }
            Component::SingleBlockRead | Component::ReadByOther | Component::ControlFile => {
                (block, Service::Waited)
            }
            Component::MultiBlockRead => (block * totals.multi_blocks, Service::Waited),
            Component::DirectRead => (
                block * totals.direct_request_blocks,
                Service::Async(function_us(case, &["Direct Reads"], read_us)),
            ),
            Component::DirectWrite => {
                (largest, Service::Async(function_us(case, &["Direct Writes"], write_us)))
            }
            Component::TempRead => {
                (block * a_wait(totals.temp_read_blocks, waits), Service::Async(temp_us(case, true)))
            }
            Component::TempWrite => {
                (block * a_wait(totals.temp_write_blocks, waits), Service::Async(temp_us(case, false)))
            }
            Component::DatabaseWriter => {
                // What the writer's batches take; the wait itself is for a free buffer.
                let us = case.background_event("db file parallel write").and_then(|e| e.avg_us);
                (block, Service::Async(us.filter(|us| *us > 0.0).map(|us| Interval::around(us, 50.0))))
            }
            Component::Commit => continue,
        };
        found.push(WaitDemand {
            component,
            event: event.event.clone(),
            waits,
            time_s,
            mean_us: event.time_s * 1e6 / waits,
            bytes,
            service,
            source: Source {
                source: case.report.identity.source.clone(),
                section: event.section.clone(),
                line: event.line,
            },
        });
    }
    found
}

/// Blocks of a request to temp: at most 128; where the statistic is not printed, the 31 that sorts and
/// hash joins mostly use.
fn a_wait(blocks: Option<f64>, waits: f64) -> f64 {
    blocks.map_or(31.0, |b| b / waits).clamp(1.0, 128.0)
}

fn read_us(row: &IoActivity) -> Option<f64> {
    row.large_read_us.or(row.small_read_us).or(row.avg_wait_us)
}

fn write_us(row: &IoActivity) -> Option<f64> {
    row.avg_wait_us
}

/// What a function's requests take, from the account by function; milliseconds to one digit at best.
fn function_us(
    case: &Case<'_>,
    functions: &[&str],
    cell: fn(&IoActivity) -> Option<f64>,
) -> Option<Interval> {
    let rows = &case.report.tables.io_function;
    let is = |name: &Option<String>| {
        name.as_deref().is_some_and(|n| functions.iter().any(|f| n.eq_ignore_ascii_case(f)))
    };
    let us = rows.iter().filter(|r| is(&r.function)).find_map(cell).filter(|us| *us > 0.0)?;
    Some(Interval::around(us, 50.0))
}

/// What temp answers in: its tablespace's or file type's mean.
fn temp_us(case: &Case<'_>, read: bool) -> Option<Interval> {
    let tables = &case.report.tables;
    let by_space = tables
        .tablespace_io
        .iter()
        .filter(|t| super::objects::is_temp_name(&t.tablespace))
        .find_map(|t| if read { t.avg_read_us } else { t.avg_write_us });
    let by_type = || {
        let row = tables
            .io_filetype
            .iter()
            .find(|r| r.filetype.as_deref().is_some_and(|f| f.eq_ignore_ascii_case("Temp File")))?;
        if read { row.large_read_us.or(row.small_read_us).or(row.avg_wait_us) } else { row.avg_wait_us }
    };
    let us = by_space.or_else(by_type).filter(|us| *us > 0.0)?;
    Some(Interval::around(us, 50.0))
}
