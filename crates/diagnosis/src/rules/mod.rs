//! The rules, one a file. Order decides which of two findings keeps DB time that both claim: the
//! more specific cause stands first.

mod material;
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
];
