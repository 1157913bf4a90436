//! Slow multi-block reads.
//!
//! # What it detects
//! Sessions wait a material part of DB time for reads of several blocks into the buffer cache
//! (`db file scattered read`, `db file parallel read`; on Exadata `cell multiblock physical read`,
//! `cell list of blocks physical read`), and the mean wait is longer than storage of this class
//! should need.
//!
//! # Why it costs response time
//! A scan reads its segment piece by piece, and the session waits for each piece. The time of a
//! scan is the number of pieces times the time of one.
//!
//! # Facts needed
//! Foreground wait events with waits and time; the wait histogram sharpens the answer. An excerpt without waits is
//! judged by tablespaces or files whose reads are of four blocks and more, and claims no time.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean wait, disk, unknown, flash or cache | 20 ms | a seek and turn of a disk (5-12 ms) and the transfer of up to 1 MB |
//! | mean wait, flash, Exadata | 5 ms | 1 MB at 200 MB/s |
//! | `db file parallel read`, `cell list of blocks physical read` | twice that | they end with the slowest of many blocks; ours |
//! | at the bar | up to 5 % above it | ours: bars are round numbers, and a cause does not begin at one |
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! # When it is wrong
//! `db file parallel read` and `cell list of blocks physical read` wait for many separate blocks at
//! once and end with the slowest, so their mean is no read time of one request. A large
//! `db_file_multiblock_read_count` makes each read larger and longer without being slower a
//! megabyte. CPU shortage inflates all waits.
//!
//! # What to do
//! First ask whether the scans must be: see `full_scans_lead`. Then compare with the operating
//! system's read times and sizes on the same devices; look for reads split by a small stripe or by
//! a small maximum request size, and for other load on the same disks.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//! from   v$system_event
//! where  event in ('db file scattered read', 'db file parallel read',
//!                  'cell multiblock physical read', 'cell list of blocks physical read');
//!
//! select name, value from v$parameter where name = 'db_file_multiblock_read_count';
//! ```

use super::material::is_event;
use super::reads::BLOCK_LISTS;
use super::slow_reads::{ReadKind, judge};
use crate::{Case, Verdict};

/// A list of blocks is there when its slowest block is.
const LIST_FACTOR: f64 = 2.0;

const READS: ReadKind = ReadKind {
    events: &[
        "db file scattered read",
        "cell multiblock physical read",
        "db file parallel read",
        "cell list of blocks physical read",
    ],
    what: "multi-block reads",
    bar_us: |_, bars, event| {
        let is_list = BLOCK_LISTS.iter().any(|name| is_event(event, name));
        if is_list { LIST_FACTOR * bars.multi_block_read_us } else { bars.multi_block_read_us }
    },
    caveat: "Larger reads take longer without being slower a megabyte; `db file parallel read` ends with the \
             slowest of many blocks; busy CPUs lengthen every wait.",
};

/// Do multi-block reads take longer than storage of this class should need?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    judge(case, &READS)
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    #[test]
    fn both_sides_of_both_bars() {
        let hour = |class, seconds| {
            Hour::new(7200.0).device(class).foreground("db file scattered read", 100_000.0, seconds)
        };
        let slow = hour(DeviceClass::Disk, 2_120.0).found(run);
        assert!(slow.title.contains("21.2 ms"), "{}", slow.title);
        hour(DeviceClass::Disk, 1_900.0).not_found(run);
        hour(DeviceClass::Exadata, 530.0).found(run);
        hour(DeviceClass::Exadata, 490.0).not_found(run);
    }

    #[test]
    fn cells_answer_multi_block_reads_too() {
        let hour = Hour::new(7200.0).device(DeviceClass::Exadata);
        hour.foreground("cell multiblock physical read", 100_000.0, 900.0).found(run);
    }

    #[test]
    fn lists_of_blocks_may_take_twice_as_long() {
        let hour = |seconds| {
            Hour::new(7200.0).device(DeviceClass::Disk).foreground(
                "db file parallel read",
                100_000.0,
                seconds,
            )
        };
        hour(4_220.0).found(run);
        hour(3_900.0).not_found(run);
    }

    #[test]
    fn nothing_printed_is_said() {
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
