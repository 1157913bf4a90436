//! The rules, one a file. Order decides which of two findings keeps DB time that both claim: the
//! more specific cause stands first.

mod buffer_cache_too_small;
mod cpu_bound;
mod cpu_saturated;
mod database_writer_behind;
mod few_segments_read_most;
mod few_statements_read_most;
mod full_scans_lead;
mod hard_parsing;
mod latency_tail_hidden_by_average;
mod locks;
mod log_buffer_space;
mod log_switches_and_checkpoints;
mod material;
mod network;
mod proof;
mod rac_interconnect;
mod reads;
mod reads_in_disguise;
mod slow_direct_path_reads;
mod slow_multi_block_reads;
mod slow_reads;
mod slow_single_block_reads;
mod temp_spills;
#[cfg(test)]
pub(crate) mod testing;

use crate::finding::RuleInfo;

/// Every rule, in order of precedence.
pub static ALL: &[RuleInfo] = &[
    RuleInfo {
        id: "latency_tail_hidden_by_average",
        title: "A latency tail hidden by the average",
        run: latency_tail_hidden_by_average::run,
    },
    RuleInfo { id: "temp_spills", title: "Work areas that spill to temp", run: temp_spills::run },
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
    RuleInfo { id: "cpu_saturated", title: "CPUs saturated", run: cpu_saturated::run },
    RuleInfo { id: "cpu_bound", title: "CPU leads", run: cpu_bound::run },
];
