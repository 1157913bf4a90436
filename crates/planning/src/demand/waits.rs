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
    /// Bytes that one request brings.
    pub(crate) bytes: f64,
    /// Requests behind each wait: more than one where most were done before anybody waited for them.
    pub(crate) requests_a_wait: f64,
    /// What a read takes by other accounts at most: the tablespaces', or the waits for single blocks; microseconds.
    pub(crate) other_reads_us: f64,
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

/// Foreground seconds of reads, and of commits, of which the report prints neither number nor mean.
pub(crate) fn uncounted_s(case: &Case<'_>) -> [f64; 2] {
    let events = || case.response_time.foreground.classes.iter().flat_map(|c| &c.events);
    let uncounted = || events().filter(|e| e.waits.is_none() && e.avg_us.is_none());
    let reads = uncounted().filter(|e| component(&e.event).is_some()).map(|e| e.counted_s).sum::<f64>();
    let commits = uncounted().filter(|e| e.event == "log file sync").map(|e| e.counted_s).sum::<f64>();
    // An empty sum of floats is minus zero.
    [reads + 0.0, commits + 0.0]
}

/// Mean writes of today's storage by event, where printed: of the log writer, the database writer and sessions.
pub(crate) fn writes_us(case: &Case<'_>) -> Vec<(&'static str, f64)> {
    let background = ["log file parallel write", "db file parallel write"]
        .into_iter()
        .filter_map(|name| Some((name, case.background_event(name)?.avg_us?)));
    let foreground = ["direct path write", "direct path write temp"]
        .into_iter()
        .filter_map(|name| Some((name, case.foreground_event(name)?.avg_us?)));
    background.chain(foreground).filter(|(_, us)| *us > 0.0).collect()
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
    let (other_reads_us, direct_us) = (other_reads_us(case), printed_beyond_us(case, totals));
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
                let bytes = totals.direct_write_blocks.map_or(largest, |all| (all / waits).max(1.0) * block);
                let us = function_us(case, &["Direct Writes"], write_us);
                (bytes.min(largest), Service::Async(us))
            }
            Component::TempRead => {
                let us = temp_us(case, true, totals.temp_read_blocks);
                (block * a_wait(totals.temp_read_blocks, waits), Service::Async(us))
            }
            Component::TempWrite => {
                let us = temp_us(case, false, totals.temp_write_blocks);
                (block * a_wait(totals.temp_write_blocks, waits), Service::Async(us))
            }
            Component::DatabaseWriter => {
                // What the writer's batches take; the wait itself is for a free buffer.
                let us = case.background_event("db file parallel write").and_then(|e| e.avg_us);
                (block, Service::Async(us.filter(|us| *us > 0.0).map(|us| Interval::around(us, 50.0))))
            }
            Component::Commit | Component::LogSpace => continue,
        };
        let mean_us = event.time_s * 1e6 / waits;
        let service = match (component, service) {
            // No request is shorter than the wait for it.
            (
                Component::DirectRead | Component::DirectWrite | Component::TempRead | Component::TempWrite,
                Service::Async(Some(us)),
            ) => Service::Async(Some(Interval { low: us.low.max(mean_us), high: us.high.max(mean_us) })),
            (_, service) => service,
        };
        // Background processes make their share of them.
        let share = || {
            let alike = case.events.iter().filter(|e| self::component(&e.event) == Some(component));
            let all: f64 = alike.filter_map(|e| e.waits).sum();
            if all > 0.0 { (waits / all).min(1.0) } else { 1.0 }
        };
        let requests_a_wait = match component {
            Component::DirectRead => {
                totals.direct_requests.map_or(1.0, |made| (made * share() / waits).max(1.0))
            }
            Component::TempRead => {
                totals.temp_read_blocks.map_or(1.0, |b| (b * block / bytes / waits).max(1.0))
            }
            _ => 1.0,
        };
        found.push(WaitDemand {
            component,
            event: event.event.clone(),
            waits,
            time_s,
            mean_us,
            bytes,
            requests_a_wait,
            other_reads_us: match component {
                Component::DirectRead => other_reads_us.max(direct_us),
                _ => other_reads_us,
            },
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

/// What a direct read takes at most, if all time that tablespaces print beyond the waits for reads into the cache is
/// that of direct reads.
fn printed_beyond_us(case: &Case<'_>, totals: &Totals) -> f64 {
    let rows = case.report.tables.tablespace_io.iter();
    let printed = rows
        .filter(|r| !super::objects::is_temp_name(&r.tablespace))
        .filter_map(|row| Some(super::objects::requests_of(case.report, row)?.mid * row.avg_read_us?));
    let cached =
        case.events.iter().filter(|e| is_single_block_read(&e.event) || is_multi_block_read(&e.event));
    let beyond_us = printed.sum::<f64>() - 1e6 * cached.map(|e| e.time_s).sum::<f64>();
    totals.direct_requests.filter(|n| *n >= 1.0).map_or(0.0, |n| (beyond_us / n).max(0.0))
}

/// Mean read of the tablespaces of data, where printed, or of single blocks, whichever is more.
fn other_reads_us(case: &Case<'_>) -> f64 {
    let rows = case.report.tables.tablespace_io.iter();
    let (mut reads, mut us) = (0.0, 0.0);
    for row in rows.filter(|r| !super::objects::is_temp_name(&r.tablespace)) {
        let own = super::objects::requests_of(case.report, row).map(|reads| reads.mid);
        if let Some((own, mean)) = own.zip(row.avg_read_us) {
            (reads, us) = (reads + own, us + own * mean);
        }
    }
    let printed = if reads > 0.0 { us / reads } else { 0.0 };
    let singles = || case.events.iter().filter(|e| is_single_block_read(&e.event));
    let waits: f64 = singles().filter_map(|e| e.waits).sum();
    let waited_s: f64 = singles().map(|e| e.time_s).sum();
    printed.max(if waits > 0.0 { waited_s * 1e6 / waits } else { 0.0 })
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

/// Tablespaces of temp speak for all of it from this share of its blocks on: a container may print its own alone.
const SPEAKS_FOR_ALL: f64 = 0.5;

/// What temp answers in: the mean of its tablespaces, where they made most of its I/O, or of the file type.
fn temp_us(case: &Case<'_>, read: bool, blocks: Option<f64>) -> Option<Interval> {
    let tables = &case.report.tables;
    let elapsed_s = case.elapsed_s();
    let over = |count: Option<f64>, rate: Option<f64>| count.or_else(|| Some(rate? * elapsed_s?));
    let (mut requests, mut time, mut seen, mut is_counted) = (0.0, 0.0, 0.0, true);
    let mut first = None;
    for t in tables.tablespace_io.iter().filter(|t| super::objects::is_temp_name(&t.tablespace)) {
        let us = if read { t.avg_read_us } else { t.avg_write_us };
        let own = if read { over(t.reads, t.reads_per_s) } else { over(t.writes, t.writes_per_s) };
        first = first.or(us);
        match us.zip(own) {
            Some((us, own)) => {
                // Writes print no blocks each; those of temp are at most the largest request.
                let each = if read { t.blocks_per_read.unwrap_or(1.0).max(1.0) } else { 128.0 };
                (requests, time, seen) = (requests + own, time + own * us, seen + own * each);
            }
            None => is_counted &= us.is_none(),
        }
    }
    let speaks = blocks.is_none_or(|all| !is_counted || seen >= SPEAKS_FOR_ALL * all);
    let mean = if requests > 0.0 { Some(time / requests) } else { first };
    let by_space = mean.filter(|_| speaks);
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
