//! Rules about CPU, locks, interconnect, network, parsing, single files, competing functions,
//! Exadata and the report itself on real reports: for each at least one report where it holds and
//! one where it does not, looked at by hand.
//!
//! No report of the corpus shows `control_file_io`, `undo_reads`, `reads_slowed_by_writes`,
//! `one_tablespace_or_file_slow`, `flash_cache_before_flash`, `clusters_read_from_flash` or
//! `excerpt_only`; there the facts in the rules' own tests are made by hand, and the reports below
//! come closest.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

mod recorded;

use recorded::Says::{CannotTell, Found, NotFound};
use recorded::{Recorded, check};

/// One database, an evening apart: its disks answer in 8.8 ms, then in 12.1 ms.
const QUIET_DISKS: &str = "f0f004e3";
const BUSY_DISKS: &str = "ee5b017d";
/// 32 CPUs, one busy program: nearly all of DB time is CPU.
const ON_CPU: &str = "a0a6d37c";
/// AIX partition of 8 threads with 12 active sessions.
const SATURATED: &str = "6a8ce788";
/// Two thirds of DB time are neither CPU nor wait, and 96 CPUs are idle.
const GAP_WITHOUT_LOAD: &str = "4bc6aa62";
/// AIX, three cores of four threads: more than half of DB time is neither CPU nor wait.
const HALF_BUSY_THREADS: &str = "9a03e59d";
/// Statspack 10.1: nine sessions parse literals on one CPU.
const LITERALS: &str = "b1c54f01";
/// RAC instance on which nearly all sessions wait for one row.
const ROW_LOCKS: &str = "1fbdebfc";
/// Container of a RAC database whose blocks are all elsewhere.
const BLOCKS_ELSEWHERE: &str = "9851428f";
/// Clients that send much.
const BIG_BINDS: &str = "627de57c";
/// AIX, 81 active sessions that parse.
const PARSE_STORM: &str = "7b421a0a";
/// AIX, 165 active sessions that queue for a cursor with many children.
const CHILD_CURSORS: &str = "cd78bed8";
/// Exadata, both instances: buffered scans that are not offloaded.
const BUFFERED_SCANS: &str = "b2625a15";
/// Exadata under a scan test: smart scans that return an eighth.
const SMART_SCANS: &str = "604afb2b";
/// AIX with a backup, twice.
const BACKUP_AND_COMMITS: &str = "ced51292";
const BACKUP_AND_READS: &str = "3fb6d804";
/// AIX, tablespaces with undo reads and written indexes.
const UNDO_READ: &str = "6319b1cb";
/// Statspack 9.2 across a restart.
const RESTARTED: &str = "a6e59161";
/// Four hours, and six days.
const FOUR_HOURS: &str = "db08a965";
const SIX_DAYS: &str = "10170978";

#[test]
fn cpu() {
    check(&[
        Recorded {
            rule: "cpu_bound",
            sha256: ON_CPU,
            says: Found,
            lines: &[(293, "DB CPU"), (302, "DB time")],
            because: "3,555 of 3,746 s of DB time are CPU",
        },
        Recorded {
            rule: "cpu_bound",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(95, "DB CPU"), (178, "db file sequential read")],
            because: "CPU is 22.8 % of DB time, single-block reads are 74 %",
        },
        Recorded {
            rule: "cpu_saturated",
            sha256: SATURATED,
            says: Found,
            lines: &[(221, "BUSY_TIME"), (222, "IDLE_TIME"), (192, "DB CPU"), (203, "DB time")],
            because: "26,659 s busy, 2,251 s idle; half of DB time is neither CPU nor wait",
        },
        Recorded {
            rule: "cpu_saturated",
            sha256: LITERALS,
            says: Found,
            lines: &[(552, "BUSY_TICKS"), (553, "IDLE_TICKS"), (557, "NUM_CPUS")],
            because: "one CPU, idle for 3 of 5,103 s, and nine sessions",
        },
        Recorded {
            rule: "cpu_saturated",
            sha256: HALF_BUSY_THREADS,
            says: CannotTell,
            lines: &[(284, "BUSY_TIME"), (285, "IDLE_TIME")],
            because: "42 % busy threads of shared cores, and 56 % of DB time unaccounted for",
        },
        Recorded {
            rule: "cpu_saturated",
            sha256: GAP_WITHOUT_LOAD,
            says: NotFound,
            lines: &[(288, "BUSY_TIME"), (289, "IDLE_TIME")],
            because: "a gap of 67 % of DB time, but the CPUs are 0.4 % busy: nothing queues for them",
        },
        Recorded {
            rule: "cpu_saturated",
            sha256: ON_CPU,
            says: NotFound,
            lines: &[(320, "BUSY_TIME"), (321, "IDLE_TIME")],
            because: "CPU leads, on a host that is 92 % idle",
        },
        Recorded {
            rule: "idle_cpu_with_io_waits",
            sha256: QUIET_DISKS,
            says: Found,
            lines: &[(173, "db file sequential read"), (112, "BUSY_TIME"), (113, "IDLE_TIME")],
            because: "72 % of DB time is user I/O, the CPUs are 75 % idle",
        },
        Recorded {
            rule: "idle_cpu_with_io_waits",
            sha256: ON_CPU,
            says: NotFound,
            lines: &[(293, "DB CPU")],
            because: "idle CPUs, but hardly any I/O",
        },
    ]);
}

#[test]
fn waits_that_are_not_storage() {
    check(&[
        Recorded {
            rule: "locks",
            sha256: ROW_LOCKS,
            says: Found,
            lines: &[(343, "enq: TX - row lock contention")],
            because: "22,983 waits of 95.7 s, 97 % of DB time",
        },
        Recorded {
            rule: "locks",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(185, "enq: TX - row lock"), (188, "enq: TX - index contention")],
            because: "row locks cost 2 s of 12,613",
        },
        Recorded {
            rule: "rac_interconnect",
            sha256: BLOCKS_ELSEWHERE,
            says: Found,
            lines: &[(240, "gc buffer busy acquire"), (255, "gc cr block 2-way"), (1573, "gc blocks lost")],
            because: "96 % of DB time waits for blocks of other instances; transfers of 1.7 ms, and 42,379 blocks lost",
        },
        Recorded {
            rule: "rac_interconnect",
            sha256: ON_CPU,
            says: NotFound,
            lines: &[(244, "RAC Statistics"), (293, "DB CPU")],
            because: "a RAC instance, but 95 % of DB time is CPU",
        },
        Recorded {
            rule: "network",
            sha256: BIG_BINDS,
            says: Found,
            lines: &[(326, "SQL*Net more data from client")],
            because: "1,379 s, the largest wait of the report",
        },
        Recorded {
            rule: "network",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(184, "SQL*Net message to client"), (210, "SQL*Net message from clien")],
            because: "4 s; the 22,827 s of waits for the next call are idle time",
        },
    ]);
}

#[test]
fn parsing_and_the_library_cache() {
    check(&[
        Recorded {
            rule: "hard_parsing",
            sha256: PARSE_STORM,
            says: Found,
            lines: &[
                (253, "parse time elapsed"),
                (254, "hard parse elapsed time"),
                (356, "library cache: mutex X"),
            ],
            because: "parse time is 88 % of DB time",
        },
        Recorded {
            rule: "hard_parsing",
            sha256: LITERALS,
            says: Found,
            lines: &[(535, "parse time elapsed"), (30, "Hard parses"), (74, "latch: library cache")],
            because: "441 hard parses a second, 91 % of DB time",
        },
        Recorded {
            rule: "hard_parsing",
            sha256: CHILD_CURSORS,
            says: NotFound,
            lines: &[(284, "parse time elapsed")],
            because: "parse time is 772 s, a three-hundredth of the waits for the library cache",
        },
        Recorded {
            rule: "library_cache_contention",
            sha256: CHILD_CURSORS,
            says: Found,
            lines: &[(382, "library cache lock"), (383, "cursor: mutex X"), (384, "cursor: mutex S")],
            because: "249,444 s of waits, 84 % of DB time, and hardly any parsing",
        },
        Recorded {
            rule: "library_cache_contention",
            sha256: PARSE_STORM,
            says: NotFound,
            lines: &[(253, "parse time elapsed")],
            because: "264,175 s of parsing explain 206,410 s of waits",
        },
    ]);
}

#[test]
fn files_and_functions() {
    check(&[
        Recorded {
            rule: "one_tablespace_or_file_slow",
            sha256: PARSE_STORM,
            says: CannotTell,
            lines: &[(2238, "RECEIPT"), (2244, "SYSAUX")],
            because: "mean reads of 14 to 25 s by tablespace, where all waits for reads are 6,388 s: not believed",
        },
        Recorded {
            rule: "one_tablespace_or_file_slow",
            sha256: ROW_LOCKS,
            says: NotFound,
            lines: &[(2398, "TS_UNIAUTH"), (2402, "TS_UNIPORTAL")],
            because: "25.6 ms against 0.09 ms, but 24,509 reads are 627 s of 2,269,545",
        },
        Recorded {
            rule: "one_tablespace_or_file_slow",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(1475, "SOE"), (1479, "SYSAUX")],
            because: "12.1 ms where nearly all reads are, 6.9 ms and 9.3 ms elsewhere: less than three times",
        },
        Recorded {
            rule: "reads_slowed_by_writes",
            sha256: UNDO_READ,
            says: NotFound,
            lines: &[(3567, "EPS_LEAF_TBLSPC"), (3573, "EPS_PLATFORM_TBLSPC")],
            because: "1.17 ms where there are 0.8 writes a read, 0.98 ms where there are none",
        },
        Recorded {
            rule: "undo_reads",
            sha256: UNDO_READ,
            says: NotFound,
            lines: &[(3570, "UNDOTBS1")],
            because: "156,457 reads of 1.05 ms are 164 s, 1.6 % of DB time and a tenth of a session",
        },
        Recorded {
            rule: "control_file_io",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(195, "control file sequential re")],
            because: "364 foreground waits, not half a second",
        },
        Recorded {
            rule: "competing_functions",
            sha256: BACKUP_AND_COMMITS,
            says: Found,
            lines: &[(2620, "RMAN"), (473, "log file parallel write"), (388, "log file sync")],
            because: "RMAN reads 200 GiB, 29 % of all bytes; log writes are at the bar and commits 46 % of DB time",
        },
        Recorded {
            rule: "competing_functions",
            sha256: BACKUP_AND_READS,
            says: NotFound,
            lines: &[(463, "log file parallel write"), (385, "db file sequential read")],
            because: "RMAN reads even more, but reads of 1.4 ms and log writes of 1.9 ms are not slow",
        },
    ]);
}

#[test]
fn exadata_and_flash() {
    check(&[
        Recorded {
            rule: "exadata_flash_and_smart_scan",
            sha256: BUFFERED_SCANS,
            says: Found,
            lines: &[
                (442, "cell multiblock physical read"),
                (1909, "eligible for predicate offload"),
                (2095, "physical read total bytes"),
            ],
            because: "51 GB of 32,187 GB read could be offloaded; multi-block reads of whole blocks lead the reads",
        },
        Recorded {
            rule: "exadata_flash_and_smart_scan",
            sha256: SMART_SCANS,
            says: Found,
            lines: &[(379, "cell smart table scan"), (1722, "eligible"), (1726, "returned by smart scan")],
            because: "flash of all cells is 74.91 % busy, 2.44 ms a request for 0.15 ms of service; smart scans return 8.1 \
                      of 64.8 TB: they filter, and that they wait is the bandwidth",
        },
        Recorded {
            rule: "flash_cache_before_flash",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(178, "db file sequential read")],
            because: "no waits for a database flash cache",
        },
        Recorded {
            rule: "clusters_read_from_flash",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[(178, "db file sequential read")],
            because: "the storage is disks",
        },
    ]);
}

#[test]
fn the_report_itself() {
    check(&[
        Recorded {
            rule: "restart_inside",
            sha256: RESTARTED,
            says: CannotTell,
            lines: &[(3, "span an instance shutdown")],
            because: "the report says so itself",
        },
        Recorded {
            rule: "restart_inside",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[],
            because: "started at 16:33, three hours before the first snapshot",
        },
        Recorded {
            rule: "too_long_an_interval",
            sha256: FOUR_HOURS,
            says: Found,
            lines: &[],
            because: "05:30 to 09:30, the morning's rise within it",
        },
        Recorded {
            rule: "too_long_an_interval",
            sha256: SIX_DAYS,
            says: CannotTell,
            lines: &[(54, "Elapsed")],
            because: "9,180 minutes",
        },
        Recorded {
            rule: "too_long_an_interval",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[],
            because: "fifteen minutes",
        },
        Recorded {
            rule: "sections_missing",
            sha256: BACKUP_AND_READS,
            says: CannotTell,
            lines: &[],
            because: "19c without I/O by tablespace and file",
        },
        Recorded {
            rule: "sections_missing",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[],
            because: "11.2 as printed by the script: all of them are there",
        },
        Recorded {
            rule: "excerpt_only",
            sha256: BUSY_DISKS,
            says: NotFound,
            lines: &[],
            because: "a whole report",
        },
    ]);
}
