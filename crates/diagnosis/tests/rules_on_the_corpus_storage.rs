//! Rules about storage, commits and reads on real reports: for each at least one report where it
//! holds and one where it does not, looked at by hand.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

mod recorded;

use recorded::Says::{Found, NotFound};
use recorded::{Recorded, check};

/// One database, an evening apart: its disks answer in 8.8 ms, then in 12.1 ms.
const QUIET_DISKS: &str = "f0f004e3";
const BUSY_DISKS: &str = "ee5b017d";
/// A bulk load: log buffer full, database writer behind.
const BULK_LOAD: &str = "56e16684";
/// A commit-heavy benchmark with 82 active sessions.
const BENCHMARK: &str = "a4be775d";
/// RAC during a storage outage: redo writes of 313 ms.
const OUTAGE: &str = "f4f7ded8";
/// AIX on a cached array: scans from disk, slow commits.
const CACHED_ARRAY: &str = "6a8ce788";

#[test]
fn slow_reads() {
    check(&[
        Recorded {
            rule: "slow_single_block_reads",
            sha256: BUSY_DISKS,
            says: Found,
            lines: &[(178, "db file sequential read")],
            because: "9,336 s over 770,898 reads are 12.1 ms, on disks",
        },
        Recorded {
            rule: "slow_single_block_reads",
            sha256: QUIET_DISKS,
            says: NotFound,
            lines: &[(173, "db file sequential read")],
            because: "4,568 s over 520,207 reads are 8.8 ms, what disks take; that there are many is another matter",
        },
        Recorded {
            rule: "slow_direct_path_reads",
            sha256: CACHED_ARRAY,
            says: Found,
            lines: &[(288, "direct path read")],
            because: "6,911 s over 332,492 waits are 20.8 ms, while the array's cache answers single blocks in 2 ms",
        },
    ]);
}
