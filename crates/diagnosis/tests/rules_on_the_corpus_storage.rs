//! Rules about storage, commits and reads on real reports: for each at least one report where it
//! holds and one where it does not, looked at by hand.
//!
//! No report of the corpus shows `slow_multi_block_reads`, `latency_tail_hidden_by_average`,
//! `cache_answers_or_direct_io_off` (only one has direct I/O off, and it is idle) or
//! `rollback_heavy_work` (whose candidates roll back nothing); an example shows the last, hand-made
//! facts show all, in their files.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

mod recorded;

use recorded::Says::{Found, NotFound};
use recorded::{Recorded, check};

/// One database, an hour apart: its disks answer in 8.8 ms, then in 12.1 ms.
const QUIET_DISKS: &str = "f0f004e3";
const BUSY_DISKS: &str = "ee5b017d";
/// A bulk load of 113 MB/s of redo: log buffer full, database writer behind.
const BULK_LOAD: &str = "56e16684";
/// A commit-heavy benchmark with 82 active sessions.
const BENCHMARK: &str = "a4be775d";
/// Two instances during a storage outage: redo writes of 313 ms.
const OUTAGE: &str = "f4f7ded8";
/// AIX on a cached array: scans from disk, slow commits.
const CACHED_ARRAY: &str = "6a8ce788";
/// Direct reads at 5 GB/s from flash.
const FLASH_SCANS: &str = "4bc6aa62";
/// AIX, 12.1: scans and single-block reads, both fast.
const MIXED_READS: &str = "4416990a";
/// Parallel joins that spill, on Exadata.
const SPILLS: &str = "3a4a8b04";
/// AIX, 19c: single-block reads of a millisecond from a large cache.
const ARRAY_READS: &str = "9ab20acc";
/// The same, half an hour in which one query reads most.
const ONE_BAD_QUERY: &str = "2876e823";
/// Two thousand commits a second.
const COMMITS: &str = "db08a965";
/// A small machine with redo on a slow disk.
const SLOW_REDO: &str = "86e14fb3";
/// A small machine with tiny redo logs.
const TINY_LOGS: &str = "2b548c0a";

const fn found(
    rule: &'static str,
    sha256: &'static str,
    lines: &'static [(u32, &'static str)],
    because: &'static str,
) -> Recorded {
    Recorded { rule, sha256, says: Found, lines, because }
}

const fn not_found(
    rule: &'static str,
    sha256: &'static str,
    lines: &'static [(u32, &'static str)],
    because: &'static str,
) -> Recorded {
    Recorded { rule, sha256, says: NotFound, lines, because }
}

#[test]
fn reads() {
    check(&[
        found(
            "slow_single_block_reads",
            BUSY_DISKS,
            &[(178, "db file sequential read")],
            "9,336 s over 770,898 reads are 12.1 ms, on disks",
        ),
        not_found(
            "slow_single_block_reads",
            QUIET_DISKS,
            &[(173, "db file sequential read")],
            "4,568 s over 520,207 reads are 8.8 ms, what disks take; that there are many is another matter",
        ),
        not_found(
            "slow_multi_block_reads",
            MIXED_READS,
            &[(358, "db file scattered read")],
            "880 s over 199,404 reads are 4.4 ms",
        ),
        not_found(
            "slow_direct_path_reads",
            CACHED_ARRAY,
            &[(288, "direct path read")],
            "6,911 s over 332,492 waits are 20.8 ms, which is at the bar of 20 ms",
        ),
        not_found(
            "slow_direct_path_reads",
            FLASH_SCANS,
            &[(351, "direct path read")],
            "a third of DB time, but 3.8 ms a wait at several GB/s: scans, not slow storage",
        ),
        not_found(
            "latency_tail_hidden_by_average",
            QUIET_DISKS,
            &[(272, "db file sequential read")],
            "3.4 % of 521,600 waits last 32 ms or more: 570 s of 4,568 s, an eighth",
        ),
        found(
            "reads_in_disguise",
            MIXED_READS,
            &[(359, "read by other session")],
            "528 s of 13,799 s at 2.7 ms a wait, beside reads of 2.1 ms",
        ),
        not_found(
            "reads_in_disguise",
            QUIET_DISKS,
            &[(175, "read by other session")],
            "27 s are 0.4 % of DB time",
        ),
        found(
            "full_scans_lead",
            FLASH_SCANS,
            &[(351, "direct path read")],
            "26,366 s of direct reads, and 109 single-block reads",
        ),
        not_found(
            "full_scans_lead",
            BUSY_DISKS,
            &[(178, "db file sequential read")],
            "single-block reads make three quarters of DB time",
        ),
    ]);
}

#[test]
fn redo_and_commits() {
    check(&[
        found(
            "slow_redo_writes",
            SLOW_REDO,
            &[(282, "log file parallel write"), (249, "log file sync")],
            "833 s over 3,854 writes are 216 ms, and a fifth of DB time waits for commits",
        ),
        not_found(
            "slow_redo_writes",
            BENCHMARK,
            &[(158, "log file parallel write")],
            "58 s over 61,668 writes are 0.9 ms: the commits wait for something else",
        ),
        found(
            "slow_commits",
            BENCHMARK,
            &[(117, "log file sync"), (158, "log file parallel write")],
            "5.3 ms a commit, twice what writes of 0.9 ms explain: 82 active sessions queue for CPUs",
        ),
        not_found(
            "slow_commits",
            QUIET_DISKS,
            &[(174, "log file sync")],
            "94 s over 182,738 commits are 0.5 ms, 1.5 % of DB time",
        ),
        found(
            "slow_redo_shown_by_gcs_log_flush_sync",
            OUTAGE,
            &[(418, "gcs log flush sync"), (420, "log file parallel write")],
            "2,408 s of background waits behind redo writes of 313 ms, 61 % timed out",
        ),
        not_found(
            "slow_redo_shown_by_gcs_log_flush_sync",
            SPILLS,
            &[(431, "gcs log flush sync")],
            "56 waits, 0.1 % of background time",
        ),
        found(
            "too_many_commits",
            COMMITS,
            &[(393, "log file sync"), (104, "Executes"), (106, "Transactions")],
            "2,012 transactions a second of 1.7 executions each; three quarters of DB time waits for commits",
        ),
        not_found(
            "too_many_commits",
            BENCHMARK,
            &[(38, "Executes"), (40, "Transactions")],
            "10,690 transactions a second, but 20.7 executions each: whole business transactions",
        ),
        not_found(
            "rollback_heavy_work",
            CACHED_ARRAY,
            &[(2094, "user rollbacks"), (2037, "undo records applied")],
            "39 % of the transactions roll back, and 202,130 rollbacks applied 2,251 undo records: a connection pool",
        ),
    ]);
}

#[test]
fn buffers_logs_and_work_areas() {
    check(&[
        found(
            "log_buffer_space",
            BULK_LOAD,
            &[(177, "log buffer space"), (228, "log file parallel write")],
            "12,641 s of 38,494 s; the log writer needs 440 ms a write",
        ),
        not_found("log_buffer_space", QUIET_DISKS, &[(174, "log file sync")], "the list has no such event"),
        found(
            "log_switches_and_checkpoints",
            TINY_LOGS,
            &[(217, "log file switch"), (1237, "log switches (derived)")],
            "95 switches in 14 minutes, 33 s of 842 s waiting for a checkpoint",
        ),
        not_found(
            "log_switches_and_checkpoints",
            QUIET_DISKS,
            &[(177, "log file switch (checkpoin"), (178, "log file switch (private s")],
            "4 s of 6,404 s",
        ),
        found(
            "database_writer_behind",
            BULK_LOAD,
            &[(178, "free buffer waits"), (227, "db file async I/O submit")],
            "6,616 s of 38,494 s; writes wait 34 ms when they are handed over",
        ),
        not_found(
            "database_writer_behind",
            QUIET_DISKS,
            &[(173, "db file sequential read")],
            "the list has no such event",
        ),
        found(
            "temp_spills",
            SPILLS,
            &[(336, "direct path read temp"), (337, "direct path write temp")],
            "3,258 s of 7,882 s",
        ),
        not_found(
            "temp_spills",
            QUIET_DISKS,
            &[(173, "db file sequential read")],
            "the list has no such event",
        ),
    ]);
}

#[test]
fn caches_statements_and_segments() {
    check(&[
        found(
            "buffer_cache_too_small",
            QUIET_DISKS,
            &[(1417, "D"), (1426, "D")],
            "1.34 GiB instead of 728 MiB leave 3,110 of 4,528 thousand reads",
        ),
        not_found(
            "buffer_cache_too_small",
            ARRAY_READS,
            &[(2895, "Buffer Pool Advisory")],
            "twice the cache leaves 92 % of the reads",
        ),
        not_found(
            "cache_answers_or_direct_io_off",
            QUIET_DISKS,
            &[(173, "db file sequential read")],
            "8.8 ms a read: the disks answer",
        ),
        found(
            "few_statements_read_most",
            ONE_BAD_QUERY,
            &[(1435, "<td")],
            "one query of an administrator makes three quarters of the reads, three make 80 %",
        ),
        not_found(
            "few_statements_read_most",
            MIXED_READS,
            &[(940, "Captured SQL")],
            "all listed statements together make 23 % (literals: each is its own statement)",
        ),
        found(
            "few_segments_read_most",
            MIXED_READS,
            &[(3214, "<td")],
            "one table makes 51 % of the blocks read",
        ),
        not_found(
            "few_segments_read_most",
            QUIET_DISKS,
            &[(2046, "TABLE"), (2050, "INDEX")],
            "the first makes a fifth, all five 71 %",
        ),
    ]);
}

/// The published redo case, before and after redo moved to flash, and a warehouse that spills.
#[test]
fn on_the_examples() {
    let before = "redo-on-sas.txt";
    let after = "redo-on-ssd.txt";
    for (example, rule, says, in_title) in [
        (before, "slow_redo_writes", Found, "10.7 ms"),
        (after, "slow_redo_writes", NotFound, ""),
        (before, "slow_commits", Found, "68 ms"),
        (after, "slow_commits", NotFound, ""),
        (before, "slow_redo_shown_by_gcs_log_flush_sync", Found, "11 % of background time"),
        (after, "slow_redo_shown_by_gcs_log_flush_sync", NotFound, ""),
        (before, "rollback_heavy_work", Found, "62 % of the transactions"),
        (before, "too_many_commits", NotFound, ""),
        ("warehouse-node-1.html", "temp_spills", Found, "PGA target of 1 GiB is the cause"),
        ("warehouse-node-1.html", "rollback_heavy_work", NotFound, ""),
    ] {
        recorded::check_example(example, rule, says, in_title);
    }
}
