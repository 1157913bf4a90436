//! The rules, one a file. Order decides which of two findings keeps DB time that both claim: the
//! more specific cause stands first.

mod cpu_bound;
mod cpu_saturated;
mod hard_parsing;
mod locks;
mod material;
mod network;
mod proof;
mod rac_interconnect;
mod slow_direct_path_reads;
mod slow_multi_block_reads;
mod slow_reads;
mod slow_single_block_reads;
#[cfg(test)]
mod testing;

use crate::finding::RuleInfo;

/// Every rule, in order of precedence.
pub static ALL: &[RuleInfo] = &[
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
    RuleInfo { id: "locks", title: "Waits for locks", run: locks::run },
    RuleInfo { id: "rac_interconnect", title: "Waits for other RAC instances", run: rac_interconnect::run },
    RuleInfo { id: "network", title: "Waits for the network", run: network::run },
    RuleInfo { id: "hard_parsing", title: "Parsing", run: hard_parsing::run },
    RuleInfo { id: "cpu_saturated", title: "CPUs saturated", run: cpu_saturated::run },
    RuleInfo { id: "cpu_bound", title: "CPU leads", run: cpu_bound::run },
];
