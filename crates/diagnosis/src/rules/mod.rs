//! The rules, one a file. Order decides which of two findings keeps DB time that both claim: the
//! more specific cause stands first.

mod buffer_cache_too_small;
mod cache_answers_or_direct_io_off;
mod clusters_read_from_flash;
mod competing_functions;
mod control_file_io;
mod cpu_bound;
mod cpu_saturated;
mod database_writer_behind;
mod direct_path_writes;
mod exadata_flash_and_smart_scan;
mod excerpt_only;
mod few_segments_read_most;
mod few_statements_read_most;
mod flash_cache_before_flash;
mod full_scans_lead;
mod hard_parsing;
mod idle_cpu_with_io_waits;
mod latency_tail_hidden_by_average;
mod library_cache_contention;
mod locks;
mod log_buffer_space;
mod log_switches_and_checkpoints;
mod material;
mod network;
mod one_tablespace_or_file_slow;
mod pga_limit;
mod places;
mod proof;
mod rac_interconnect;
mod reads;
mod reads_in_disguise;
mod reads_slowed_by_writes;
mod restart_inside;
mod rollback_heavy_work;
mod sections_missing;
mod slow_commits;
mod slow_direct_path_reads;
mod slow_multi_block_reads;
mod slow_reads;
mod slow_redo_shown_by_gcs_log_flush_sync;
mod slow_redo_writes;
mod slow_single_block_reads;
mod temp_spills;
#[cfg(test)]
pub(crate) mod testing;
mod too_long_an_interval;
mod too_many_commits;
mod undo_reads;

pub(crate) use material::{AT_THE_BAR, SESSIONS, SHARE_PCT, mean_within};
pub(crate) use slow_redo_writes::{log_writes, may_be_slow};
pub use temp_spills::PGA_ADVICE_SEES;

use crate::finding::RuleInfo;

/// Rules about the report itself: they hold whatever its numbers are worth.
pub static ABOUT_THE_REPORT: &[&str] =
    &["restart_inside", "too_long_an_interval", "excerpt_only", "sections_missing"];

/// Every rule, in order of precedence.
pub static ALL: &[RuleInfo] = &[
    RuleInfo { id: "restart_inside", title: "A restart between the snapshots", run: restart_inside::run },
    RuleInfo { id: "too_long_an_interval", title: "Too long an interval", run: too_long_an_interval::run },
    RuleInfo { id: "excerpt_only", title: "Only an excerpt", run: excerpt_only::run },
    RuleInfo { id: "sections_missing", title: "Sections missing", run: sections_missing::run },
    RuleInfo { id: "control_file_io", title: "Waits for the control file", run: control_file_io::run },
    RuleInfo {
        id: "competing_functions",
        title: "Backup or other functions compete for storage",
        run: competing_functions::run,
    },
    RuleInfo { id: "undo_reads", title: "Reads of undo", run: undo_reads::run },
    RuleInfo {
        id: "reads_slowed_by_writes",
        title: "Reads slowed by writes",
        run: reads_slowed_by_writes::run,
    },
    RuleInfo {
        id: "one_tablespace_or_file_slow",
        title: "One tablespace or file much slower than the rest",
        run: one_tablespace_or_file_slow::run,
    },
    RuleInfo {
        id: "exadata_flash_and_smart_scan",
        title: "Exadata: flash missed, scans not offloaded",
        run: exadata_flash_and_smart_scan::run,
    },
    RuleInfo {
        id: "flash_cache_before_flash",
        title: "Flash cache before storage as fast",
        run: flash_cache_before_flash::run,
    },
    RuleInfo {
        id: "clusters_read_from_flash",
        title: "Table clusters read from flash",
        run: clusters_read_from_flash::run,
    },
    RuleInfo {
        id: "latency_tail_hidden_by_average",
        title: "A latency tail hidden by the average",
        run: latency_tail_hidden_by_average::run,
    },
    RuleInfo { id: "temp_spills", title: "Work areas that spill to temp", run: temp_spills::run },
    RuleInfo { id: "pga_limit", title: "Held back at the PGA limit", run: pga_limit::run },
    RuleInfo { id: "log_buffer_space", title: "Waits for log buffer space", run: log_buffer_space::run },
    RuleInfo {
        id: "log_switches_and_checkpoints",
        title: "Log switches and checkpoints",
        run: log_switches_and_checkpoints::run,
    },
    RuleInfo {
        id: "database_writer_behind",
        title: "Database writer behind",
        run: database_writer_behind::run,
    },
    RuleInfo {
        id: "cache_answers_or_direct_io_off",
        title: "A cache answers, or direct or asynchronous I/O is off",
        run: cache_answers_or_direct_io_off::run,
    },
    RuleInfo { id: "slow_redo_writes", title: "Slow redo writes", run: slow_redo_writes::run },
    RuleInfo {
        id: "slow_redo_shown_by_gcs_log_flush_sync",
        title: "Slow redo, shown by gcs log flush sync",
        run: slow_redo_shown_by_gcs_log_flush_sync::run,
    },
    RuleInfo { id: "too_many_commits", title: "Too many commits", run: too_many_commits::run },
    RuleInfo { id: "slow_commits", title: "Slow commits", run: slow_commits::run },
    RuleInfo { id: "rollback_heavy_work", title: "Rollback-heavy work", run: rollback_heavy_work::run },
    RuleInfo {
        id: "slow_single_block_reads",
        title: "Slow single-block reads",
        run: slow_single_block_reads::run,
    },
    RuleInfo {
        id: "slow_multi_block_reads",
        title: "Slow multi-block reads",
        run: slow_multi_block_reads::run,
    },
    RuleInfo {
        id: "slow_direct_path_reads",
        title: "Slow direct-path reads",
        run: slow_direct_path_reads::run,
    },
    RuleInfo { id: "direct_path_writes", title: "Direct-path writes", run: direct_path_writes::run },
    RuleInfo { id: "reads_in_disguise", title: "Reads in disguise", run: reads_in_disguise::run },
    RuleInfo {
        id: "buffer_cache_too_small",
        title: "Buffer cache too small",
        run: buffer_cache_too_small::run,
    },
    RuleInfo { id: "full_scans_lead", title: "Full scans lead", run: full_scans_lead::run },
    RuleInfo {
        id: "few_statements_read_most",
        title: "Few statements make most reads",
        run: few_statements_read_most::run,
    },
    RuleInfo {
        id: "few_segments_read_most",
        title: "Few segments make most reads",
        run: few_segments_read_most::run,
    },
    RuleInfo { id: "locks", title: "Waits for locks", run: locks::run },
    RuleInfo { id: "rac_interconnect", title: "Waits for other RAC instances", run: rac_interconnect::run },
    RuleInfo { id: "network", title: "Waits for the network", run: network::run },
    RuleInfo { id: "hard_parsing", title: "Parsing", run: hard_parsing::run },
    RuleInfo {
        id: "library_cache_contention",
        title: "Contention for the library cache",
        run: library_cache_contention::run,
    },
    RuleInfo { id: "cpu_saturated", title: "CPUs saturated", run: cpu_saturated::run },
    RuleInfo { id: "cpu_bound", title: "CPU leads", run: cpu_bound::run },
    RuleInfo {
        id: "idle_cpu_with_io_waits",
        title: "Idle CPUs while sessions wait for I/O",
        run: idle_cpu_with_io_waits::run,
    },
];
