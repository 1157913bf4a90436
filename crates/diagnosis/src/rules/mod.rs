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
mod host_pages_memory;
mod idle_cpu_with_io_waits;
mod latency_tail_hidden_by_average;
mod library_cache_contention;
mod locks;
mod log_buffer_space;
mod log_switches_and_checkpoints;
mod many_logons;
mod material;
mod network;
mod one_tablespace_or_file_slow;
mod other_waits;
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
mod since;
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
mod without_waits;

pub(crate) use cpu_saturated::cpu_waited_s;
pub(crate) use few_statements_read_most::{io_wait_s_of_row, printing_io_wait};
pub(crate) use material::{AT_THE_BAR, SESSIONS, SHARE_PCT, is_event, may_be_material, mean_within};
pub(crate) use places::above_its_bar;
#[cfg(test)]
pub(crate) use proof::time_model as time_model_evidence;
pub(crate) use reads::single_block_s;
pub(crate) use reads_in_disguise::{MAYBE as MAYBE_READS, READS as CACHED_READS, is_like_a_read};
pub use slow_commits::is_hardly_the_writes;
pub(crate) use slow_redo_writes::{fast_by_histogram, log_writer_workers, log_writes, may_be_slow};
pub use temp_spills::PGA_ADVICE_SEES;
pub use too_long_an_interval::parts_of_interval;

use crate::finding::{Finding, RuleInfo, Verdict};
use crate::lost_rows::LooksAt;

/// Rules about the report itself: they hold whatever its numbers are worth.
pub static ABOUT_THE_REPORT: &[&str] =
    &["restart_inside", "too_long_an_interval", "excerpt_only", "sections_missing"];

/// The rule that looks at what the others leave; it stands last.
pub(crate) const OTHER_WAITS: &str = "other_waits";

/// What a rule says, where these are the findings of those before it.
pub(crate) fn judge(rule: &RuleInfo, case: &crate::Case<'_>, findings: &[Finding]) -> Verdict {
    if rule.id == OTHER_WAITS { other_waits::beside(case, findings) } else { (rule.run)(case) }
}

/// Every rule, in order of precedence.
pub static ALL: &[RuleInfo] = &[
    RuleInfo {
        id: "restart_inside",
        title: "A restart between the snapshots",
        run: restart_inside::run,
        looks_at: &[],
    },
    RuleInfo {
        id: "too_long_an_interval",
        title: "Too long an interval",
        run: too_long_an_interval::run,
        looks_at: &[],
    },
    RuleInfo { id: "excerpt_only", title: "Only an excerpt", run: excerpt_only::run, looks_at: &[] },
    RuleInfo { id: "sections_missing", title: "Sections missing", run: sections_missing::run, looks_at: &[] },
    RuleInfo {
        id: "control_file_io",
        title: "Waits for the control file",
        run: control_file_io::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "competing_functions",
        title: "Backup or other functions compete for storage",
        run: competing_functions::run,
        looks_at: &[LooksAt::IoByFunction],
    },
    RuleInfo {
        id: "undo_reads",
        title: "Reads of undo",
        run: undo_reads::run,
        looks_at: &[LooksAt::Waits, LooksAt::Files],
    },
    RuleInfo {
        id: "reads_slowed_by_writes",
        title: "Reads slowed by writes",
        run: reads_slowed_by_writes::run,
        looks_at: &[LooksAt::Waits, LooksAt::Files],
    },
    RuleInfo {
        id: "one_tablespace_or_file_slow",
        title: "One tablespace or file much slower than the rest",
        run: one_tablespace_or_file_slow::run,
        looks_at: &[LooksAt::Waits, LooksAt::Files],
    },
    RuleInfo {
        id: "exadata_flash_and_smart_scan",
        title: "Exadata: flash missed, scans not offloaded",
        run: exadata_flash_and_smart_scan::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "flash_cache_before_flash",
        title: "Flash cache before storage as fast",
        run: flash_cache_before_flash::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "clusters_read_from_flash",
        title: "Table clusters read from flash",
        run: clusters_read_from_flash::run,
        looks_at: &[LooksAt::Segments],
    },
    RuleInfo {
        id: "latency_tail_hidden_by_average",
        title: "A latency tail hidden by the average",
        run: latency_tail_hidden_by_average::run,
        looks_at: &[LooksAt::Waits, LooksAt::Histograms],
    },
    RuleInfo {
        id: "temp_spills",
        title: "Work areas that spill to temp",
        run: temp_spills::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "pga_limit",
        title: "Held back at the PGA limit",
        run: pga_limit::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "log_buffer_space",
        title: "Waits for log buffer space",
        run: log_buffer_space::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "log_switches_and_checkpoints",
        title: "Log switches and checkpoints",
        run: log_switches_and_checkpoints::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "database_writer_behind",
        title: "Database writer behind",
        run: database_writer_behind::run,
        looks_at: &[LooksAt::Waits, LooksAt::BackgroundWaits],
    },
    RuleInfo {
        id: "cache_answers_or_direct_io_off",
        title: "A cache answers, or direct or asynchronous I/O is off",
        run: cache_answers_or_direct_io_off::run,
        looks_at: &[LooksAt::Waits, LooksAt::Parameters(&["filesystemio_options", "disk_asynch_io"])],
    },
    RuleInfo {
        id: "slow_redo_writes",
        title: "Slow redo writes",
        run: slow_redo_writes::run,
        looks_at: &[LooksAt::Waits, LooksAt::BackgroundWaits],
    },
    RuleInfo {
        id: "slow_redo_shown_by_gcs_log_flush_sync",
        title: "Slow redo, shown by gcs log flush sync",
        run: slow_redo_shown_by_gcs_log_flush_sync::run,
        looks_at: &[LooksAt::Waits, LooksAt::BackgroundWaits],
    },
    RuleInfo {
        id: "too_many_commits",
        title: "Too many commits",
        run: too_many_commits::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "slow_commits",
        title: "Slow commits",
        run: slow_commits::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "rollback_heavy_work",
        title: "Rollback-heavy work",
        run: rollback_heavy_work::run,
        looks_at: &[LooksAt::Statistics(&["user rollbacks", "rollback changes - undo records applied"])],
    },
    RuleInfo {
        id: "slow_single_block_reads",
        title: "Slow single-block reads",
        run: slow_single_block_reads::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "slow_multi_block_reads",
        title: "Slow multi-block reads",
        run: slow_multi_block_reads::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "slow_direct_path_reads",
        title: "Slow direct-path reads",
        run: slow_direct_path_reads::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "direct_path_writes",
        title: "Direct-path writes",
        run: direct_path_writes::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "reads_in_disguise",
        title: "Reads in disguise",
        run: reads_in_disguise::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "buffer_cache_too_small",
        title: "Buffer cache too small",
        run: buffer_cache_too_small::run,
        looks_at: &[LooksAt::Waits, LooksAt::CacheAdvice],
    },
    RuleInfo {
        id: "full_scans_lead",
        title: "Full scans lead",
        run: full_scans_lead::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "few_statements_read_most",
        title: "Few statements make most reads",
        run: few_statements_read_most::run,
        looks_at: &[LooksAt::Waits, LooksAt::Statements],
    },
    RuleInfo {
        id: "few_segments_read_most",
        title: "Few segments make most reads",
        run: few_segments_read_most::run,
        looks_at: &[LooksAt::Waits, LooksAt::Segments],
    },
    RuleInfo { id: "locks", title: "Waits for locks", run: locks::run, looks_at: &[LooksAt::Waits] },
    RuleInfo {
        id: "rac_interconnect",
        title: "Waits for other RAC instances",
        run: rac_interconnect::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "network",
        title: "Waits for the network",
        run: network::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "hard_parsing",
        title: "Parsing",
        run: hard_parsing::run,
        looks_at: &[LooksAt::Waits, LooksAt::TimeModel(&["parse time elapsed", "hard parse elapsed time"])],
    },
    RuleInfo {
        id: "many_logons",
        title: "Many logons",
        run: many_logons::run,
        looks_at: &[LooksAt::TimeModel(&["connection management call elapsed time"])],
    },
    RuleInfo {
        id: "library_cache_contention",
        title: "Contention for the library cache",
        run: library_cache_contention::run,
        looks_at: &[LooksAt::Waits],
    },
    RuleInfo {
        id: "cpu_saturated",
        title: "CPUs saturated",
        run: cpu_saturated::run,
        looks_at: &[LooksAt::OperatingSystem(&["BUSY_TIME", "IDLE_TIME"])],
    },
    RuleInfo {
        id: "host_pages_memory",
        title: "The host pages memory, or reads through its cache",
        run: host_pages_memory::run,
        looks_at: &[LooksAt::OperatingSystem(&["VM_IN_BYTES", "VM_OUT_BYTES"])],
    },
    RuleInfo { id: "cpu_bound", title: "CPU leads", run: cpu_bound::run, looks_at: &[] },
    RuleInfo {
        id: "idle_cpu_with_io_waits",
        title: "Idle CPUs while sessions wait for I/O",
        run: idle_cpu_with_io_waits::run,
        looks_at: &[LooksAt::Waits, LooksAt::OperatingSystem(&["BUSY_TIME", "IDLE_TIME"])],
    },
    RuleInfo {
        id: OTHER_WAITS,
        title: "Waits that no other finding explains",
        run: other_waits::run,
        looks_at: &[LooksAt::Waits],
    },
];
