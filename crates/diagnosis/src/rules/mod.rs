//! The rules, one a file. Order decides which of two findings keeps DB time that both claim: the
//! more specific cause stands first.

use crate::finding::RuleInfo;

/// Every rule, in order of precedence.
pub static ALL: &[RuleInfo] = &[];
