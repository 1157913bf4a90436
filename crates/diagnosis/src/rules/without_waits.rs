//! What excerpts without waits tell of storage: sections that print how long I/O took, as tablespaces, files, functions
//! and the log writer.
//!
//! How long sessions waited for it nobody knows then, so that no such finding claims time. It says how slow the storage
//! was: somebody who pastes that section alone asks for nothing else.

use super::material::Against;
use super::material::{AT_THE_BAR, is_below_load, mean_against};
use super::places::{self, ENOUGH_READS, Place};
use super::slow_reads::expected;
use crate::{Case, Evidence, Finding, words};
use spindle_facts::{IoActivity, Side};

/// Part of all time that reads of these places took, from which on the slow ones are what there is to say.
const MOST: f64 = 0.5;
/// Reads of up to so many blocks on average are nearly all of single blocks; beyond [`SEVERAL`] hardly any is.
const ABOUT_ONE: f64 = 1.5;
const SEVERAL: f64 = 4.0;
/// Writes below which a mean says nothing about a device.
const ENOUGH_WRITES: f64 = 100.0;

/// Were no waits of sessions read at all?
fn is_without_waits(case: &Case<'_>) -> bool {
    !case.has_waits() && !case.events.iter().any(|e| e.side == Side::Foreground)
}

/// Reads of one block, or of several, that take longer than storage of this class should need.
pub(super) fn slow_reads(case: &Case<'_>, of_one_block: bool) -> Option<Finding> {
    if !is_without_waits(case) {
        return None;
    }
    let by_tablespace = places::tablespaces(case);
    let all = if by_tablespace.is_empty() { places::files(case) } else { by_tablespace };
    if all.is_empty() {
        return if of_one_block { by_function(case) } else { None };
    }
    let is_kind = |p: &&Place| if of_one_block { p.blocks <= ABOUT_ONE } else { p.blocks >= SEVERAL };
    let read_s: f64 = all.iter().map(Place::read_s).sum();
    let bar_us = |p: &Place| p.bar_us(&case.bars);
    let mut slow: Vec<&Place> = all
        .iter()
        .filter(is_kind)
        .filter(|p| p.mean_us - places::HALF_DIGIT_US > AT_THE_BAR * bar_us(p))
        .filter(|p| !places::is_temporary(&p.tablespace))
        .collect();
    slow.sort_by(|a, b| b.read_s().total_cmp(&a.read_s()));
    let slow_s: f64 = slow.iter().map(|p| p.read_s()).sum();
    let (mean_us, reads) = places::mean_us(slow.iter().copied());
    let idle = case.elapsed_s().is_some_and(|s| is_below_load(case, slow_s / s));
    if reads < ENOUGH_READS || slow_s < MOST * read_s || idle {
        return None;
    }
    let worst = slow.first()?;
    let of = match slow.len() {
        1 => worst.name.clone(),
        n => format!("{} and {} more", worst.name, n - 1),
    };
    let what = if of_one_block { "Single-block reads" } else { "Multi-block reads" };
    Some(Finding {
        title: format!(
            "{what} of {of} take {} on average, {}: {} of reading, and what of it sessions waited for was not read",
            words::latency(mean_us),
            expected(case.device.value, bar_us(worst)),
            words::seconds(slow_s),
        ),
        evidence: slow.iter().take(4).map(|p| p.evidence(case)).collect(),
        ..of_slow_storage(case)
    })
}

/// The same by function, where reads of one block and of several are counted together: above the bar of several.
fn by_function(case: &Case<'_>) -> Option<Finding> {
    let (row, io) = function(case, "Buffer Cache Reads")?;
    let us = io.avg_wait_us.filter(|us| *us > AT_THE_BAR * case.bars.multi_block_read_us)?;
    let waits = io.waits.filter(|waits| *waits >= ENOUGH_READS)?;
    Some(Finding {
        title: format!(
            "Reads into the buffer cache, of one block or several, take {} on average, {}; what sessions waited for \
             them was not read",
            words::latency(us),
            expected(case.device.value, case.bars.multi_block_read_us)
        ),
        evidence: vec![of_function(case, row, io, waits, us)],
        ..of_slow_storage(case)
    })
}

/// Writes of the log writer that take longer than they should.
pub(super) fn slow_log_writes(case: &Case<'_>, bar_us: f64) -> Option<Finding> {
    if !is_without_waits(case) {
        return None;
    }
    let by_event = case.background_event("log file parallel write").and_then(|write| {
        let enough = write.waits? >= ENOUGH_WRITES;
        let slow = enough && mean_against(write, AT_THE_BAR * bar_us) == Against::Above;
        Some((write.avg_us?, case.event_evidence(write))).filter(|_| slow)
    });
    let by_function = || {
        let (row, io) = function(case, "LGWR")?;
        let us = io.avg_wait_us.filter(|us| *us > AT_THE_BAR * bar_us)?;
        let waits = io.waits.filter(|waits| *waits >= ENOUGH_WRITES)?;
        Some((us, of_function(case, row, io, waits, us)))
    };
    let (us, evidence) = by_event.or_else(by_function)?;
    Some(Finding {
        title: format!(
            "Redo is slow: log writes take {} (bar {}); how long commits waited for it was not read",
            words::latency(us),
            words::latency(bar_us)
        ),
        evidence: vec![evidence],
        actions: vec![
            "Compare with what the operating system measured on the devices of the redo logs in this interval \
             (`iostat -x`, write wait)."
                .to_owned(),
            GIVE_WAITS.to_owned(),
        ],
        ..of_slow_storage(case)
    })
}

const GIVE_WAITS: &str =
    "Give the wait events of the same interval: they tell how much response time it costs.";

/// What all of them share.
fn of_slow_storage(case: &Case<'_>) -> Finding {
    let guessed = matches!(case.device.value, crate::DeviceClass::Unknown | crate::DeviceClass::FlashOrCache);
    let class = if guessed { " The class of the storage was guessed; `--device-class` sets it." } else { "" };
    Finding {
        storage: true,
        actions: vec![
            "Compare with what the operating system measured on these devices in this interval (`iostat -x`, read \
             wait)."
                .to_owned(),
            GIVE_WAITS.to_owned(),
        ],
        caveat: format!(
            "Of every process, not of sessions alone; a mean over the interval mixes its good and its bad minutes.{class}"
        ),
        ..Finding::default()
    }
}

/// The row of a function.
fn function<'c>(case: &'c Case<'_>, name: &str) -> Option<(usize, &'c IoActivity)> {
    let rows = case.report.tables.io_function.iter().enumerate();
    let mut of_name =
        rows.filter(|(_, io)| !io.is_total && io.filetype.is_none() && io.function.as_deref() == Some(name));
    // One an instance are several.
    let first = of_name.next()?;
    of_name.next().is_none().then_some(first)
}

fn of_function(case: &Case<'_>, row: usize, io: &IoActivity, waits: f64, us: f64) -> Evidence {
    let name = io.function.as_deref().unwrap_or_default();
    let text = format!("{name}: {} waits, mean {}", words::count(waits), words::latency(us));
    case.evidence("io_function", row, io.line, io.section, text)
}

#[cfg(test)]
mod tests {
    use super::super::places::testing::{io, tablespace};
    use super::super::{slow_multi_block_reads, slow_redo_writes, slow_single_block_reads};
    use crate::DeviceClass;
    use crate::rules::testing::Hour;
    use spindle_facts::IoActivity;

    fn excerpt() -> Hour {
        Hour::new(0.0).device(DeviceClass::Disk).with(|r| {
            r.identity.db_time_s = None;
            r.identity.elapsed_s = None;
        })
    }

    /// Tablespaces at 178 ms a read, pasted alone, were no finding.
    #[test]
    fn slow_tablespaces_pasted_alone_were_no_finding() {
        let run = slow_single_block_reads::run;
        let found = tablespace(excerpt(), io("SOE", 37_134.0, 177.6, 0.0)).found(run);
        assert!(
            found
                .title
                .starts_with("Single-block reads of tablespace SOE take 178 ms on average, where disks"),
            "{}",
            found.title
        );
        assert!(found.storage && found.claims.is_empty());
        tablespace(excerpt(), io("SOE", 37_134.0, 9.0, 0.0)).missing(run);
        tablespace(excerpt(), io("SOE", 900.0, 177.6, 0.0)).missing(run);
        // Most of the time went elsewhere.
        let both = tablespace(excerpt(), io("FAST", 900_000.0, 9.0, 0.0));
        tablespace(both, io("SOE", 37_134.0, 177.6, 0.0)).missing(run);
        let mut scanned = io("DWH", 100_000.0, 347.0, 0.0);
        scanned.blocks_per_read = Some(14.0);
        tablespace(excerpt(), scanned.clone()).missing(run);
        tablespace(excerpt(), scanned).found(slow_multi_block_reads::run);
    }

    /// Waits tell what reads cost: tablespaces are not asked beside them.
    #[test]
    fn with_waits_tablespaces_tell_nothing_new() {
        let hour = Hour::new(7200.0).device(DeviceClass::Disk).foreground(
            "db file sequential read",
            400_000.0,
            400.0,
        );
        tablespace(hour, io("SOE", 37_134.0, 177.6, 0.0)).not_found(slow_single_block_reads::run);
    }

    #[test]
    fn slow_functions_and_log_writes_pasted_alone_were_no_finding() {
        let function = |name: &str, waits: f64, ms: f64| {
            let row = IoActivity {
                function: Some(name.to_owned()),
                waits: Some(waits),
                avg_wait_us: Some(1e3 * ms),
                ..IoActivity::default()
            };
            excerpt().with(|r| r.tables.io_function.push(row))
        };
        let reads = function("Buffer Cache Reads", 38_000.0, 187.4).found(slow_single_block_reads::run);
        assert!(reads.title.contains("187 ms") && reads.title.contains("20 ms"), "{}", reads.title);
        function("Buffer Cache Reads", 38_000.0, 19.0).missing(slow_single_block_reads::run);
        let redo = function("LGWR", 4_000.0, 73.6).found(slow_redo_writes::run);
        assert!(redo.title.contains("log writes take 73.6 ms (bar 10 ms)"), "{}", redo.title);
        let write = |ms: f64| excerpt().background("log file parallel write", 7_000.0, 7.0 * ms);
        assert!(write(15.9).found(slow_redo_writes::run).title.contains("15.9 ms"));
        write(5.0).missing(slow_redo_writes::run);
    }
}
