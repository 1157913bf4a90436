//! Slow direct-path reads.
//!
//! # What it detects
//! Sessions wait a material part of DB time for reads that go past the buffer cache (`direct path
//! read`; on Exadata `cell smart table scan` and `cell smart index scan`), and the mean wait is
//! longer than storage of this class should need for a large request.
//!
//! # Why it costs response time
//! Direct reads are asynchronous: the session asks for several pieces ahead and waits only when
//! the next one is not there yet. A wait means that storage delivers more slowly than the session
//! consumes; the scan runs at the storage's speed.
//!
//! # Facts needed
//! Foreground wait events with waits and time. Bytes of direct reads (instance activity, I/O by
//! function) tell the throughput.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean wait, disk, unknown, flash or cache | 20 ms | as for multi-block reads |
//! | mean wait, flash, Exadata | 5 ms | as for multi-block reads |
//! | mean wait of a smart scan | 20 ms | a cell may go to its disks for a scan even where flash serves single blocks; ours |
//! | at the bar | up to 5 % above it | ours: bars are round numbers, and a cause does not begin at one |
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! # When it is wrong
//! The wait is not the latency of one request: it starts after the request was sent, covers
//! whatever of several requests is still missing, and fast requests are not waited for at all. Many
//! parallel servers that share the bandwidth of the storage wait long although each request is
//! served well: then throughput is the limit, not latency. So storage is accused only where
//! single-block reads are slow too. `direct path read` also stands for reads of large objects.
//!
//! # What to do
//! Compare the throughput with what the storage can deliver (fio, Orion,
//! DBMS_RESOURCE_MANAGER.CALIBRATE_IO). At its limit: read less (partition pruning, indexes,
//! compression, fewer parallel servers at once). Below its limit: look at request size, stripe
//! size, queue depth, paths.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//! from   v$system_event
//! where  event in ('direct path read', 'cell smart table scan', 'cell smart index scan');
//!
//! select function_name, large_read_megabytes, large_read_reqs, number_of_waits, wait_time
//! from   v$iostat_function where function_name in ('Direct Reads', 'Smart Scan');
//! ```

use super::slow_reads::{ReadKind, judge};
use crate::{Case, Finding, Verdict, words};

const CAVEAT: &str = "Direct reads are asynchronous: the wait is what was still missing, not the latency of a \
                      request; at the limit of the bandwidth every wait is long although each request is served well.";

const DIRECT_READS: ReadKind = ReadKind {
    events: &["direct path read", "direct path read (lob)"],
    what: "direct-path reads",
    bar_us: |_, bars, _| bars.multi_block_read_us,
    caveat: CAVEAT,
};

/// A smart scan waits for cells that may read from disk even where flash serves single blocks.
const SMART_SCAN_BAR_US: f64 = 20_000.0;

const SMART_SCANS: ReadKind = ReadKind {
    events: &["cell smart table scan", "cell smart index scan"],
    what: "smart scans",
    bar_us: |_, _, _| SMART_SCAN_BAR_US,
    caveat: CAVEAT,
};

/// Do reads past the cache wait longer than storage of this class should need?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let found = match (judge(case, &DIRECT_READS), judge(case, &SMART_SCANS)) {
        (Verdict::Found(direct), Verdict::Found(scans)) => Finding {
            title: format!("{}; {}", direct.title, scans.title),
            claims: direct.claims.into_iter().chain(scans.claims).collect(),
            evidence: direct.evidence.into_iter().chain(scans.evidence).collect(),
            ..direct
        },
        (Verdict::Found(found), _) | (_, Verdict::Found(found)) => found,
        (missing @ Verdict::CannotTell(_), _) | (_, missing @ Verdict::CannotTell(_)) => return missing,
        (Verdict::NotFound, Verdict::NotFound) => return Verdict::NotFound,
    };
    // An asynchronous wait is no latency: storage is accused where other reads are slow too.
    let slow =
        case.io.single_block_read_us.as_ref().is_some_and(|us| us.value > case.bars.single_block_read_us);
    Verdict::Found(with_throughput(case, Finding { storage: found.storage && slow, ..found }))
}

/// Adds how much was read past the cache, which decides between latency and bandwidth.
fn with_throughput(case: &Case<'_>, mut finding: Finding) -> Finding {
    let blocks = case.stat("physical reads direct").zip(case.stat_per_second("physical reads direct"));
    if let (Some((stat, blocks_per_s)), Some(block)) = (blocks, case.report.identity.block_size_bytes) {
        #[allow(clippy::cast_precision_loss, reason = "a block size is small")]
        let mbps = blocks_per_s * block as f64 / 1e6;
        finding.evidence.push(case.stat_evidence(stat));
        finding.actions.insert(
            0,
            format!(
                "Compare {} MB/s of direct reads (mean of the interval) with what the storage can deliver: at its \
                 limit read less or spread it over time; below it look at request size, stripes, paths.",
                words::significant(mbps)
            ),
        );
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    #[test]
    fn both_sides_of_the_bar() {
        let hour = |seconds| {
            Hour::new(7200.0)
                .device(DeviceClass::Disk)
                .foreground("direct path read", 100_000.0, seconds)
                .stat("physical reads direct", 36_000_000.0)
                .with(|r| r.identity.block_size_bytes = Some(8192))
        };
        let slow = hour(2_120.0).found(run);
        assert!(slow.actions[0].contains("81.9 MB/s"), "{}", slow.actions[0]);
        assert!(slow.caveat.contains("asynchronous"));
        hour(1_900.0).not_found(run);
    }

    #[test]
    fn smart_scans_have_a_bar_of_their_own() {
        let hour = |seconds| {
            Hour::new(7200.0).device(DeviceClass::Exadata).foreground(
                "cell smart table scan",
                100_000.0,
                seconds,
            )
        };
        hour(2_120.0).found(run);
        hour(1_900.0).not_found(run);
    }

    #[test]
    fn storage_is_not_accused_by_asynchronous_waits_alone() {
        let hour = |single_s| {
            Hour::new(7200.0)
                .device(DeviceClass::Disk)
                .foreground("direct path read", 100_000.0, 2_120.0)
                .foreground("db file sequential read", 100_000.0, single_s)
        };
        assert!(!hour(400.0).found(run).storage);
        assert!(hour(1_500.0).found(run).storage);
    }

    #[test]
    fn temp_is_not_counted_here() {
        Hour::new(7200.0).foreground("direct path read temp", 1_000.0, 2_000.0).not_found(run);
    }

    #[test]
    fn nothing_printed_is_said() {
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
