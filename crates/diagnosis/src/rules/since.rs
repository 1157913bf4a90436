//! Advice that the release of the report can follow: views, columns and sections came with one.

use crate::Case;
use spindle_facts::Kind;

/// Is the database of this release or a later one? Where none is printed it is taken for a later one, as most are.
pub(crate) fn is_since(case: &Case<'_>, release: (u32, u32)) -> bool {
    case.report.identity.release().is_none_or(|own| own >= release)
}

/// Does AWR of this release and later print it, and may the report be an AWR report? Statspack prints less.
pub(crate) fn awr_prints_since(case: &Case<'_>, release: (u32, u32)) -> bool {
    case.report.identity.kind != Kind::Statspack && is_since(case, release)
}

/// Advice to look at ASH or at the blocker in `V$SESSION`, in the words of releases before 10.1, which have neither.
pub(crate) fn where_sessions_wait(case: &Case<'_>, advice: &str) -> String {
    if is_since(case, (10, 1)) {
        return advice.to_owned();
    }
    advice.replace("V$SESSION.BLOCKING_SESSION, ASH", "V$LOCK, DBA_WAITERS").replace("ASH", "V$SESSION_WAIT")
}
