//! Only an excerpt of a report.
//!
//! # What it detects
//! The input is a part of a report: pasted into a mail or forum, cut off, or customised so that the
//! header or most sections lack.
//!
//! # Why it costs response time
//! It costs the answer: what is not printed can be neither found nor ruled out. The five events
//! that someone pasted are those that he believed in.
//!
//! # Facts needed
//! The list of sections.
//!
//! # Thresholds
//! None: reading decides by the header and the number of sections.
//!
//! # When it is wrong
//! A customised report with few sections may hold all that its question needs.
//!
//! # What to do
//! Ask for the whole report, as HTML if it exists: `awrrpt.sql`, or `spreport.sql` for Statspack.
//!
//! # SQL to see the evidence
//! ```sql
//! @?/rdbms/admin/awrrpt.sql
//! ```

use crate::{Case, Verdict};
use spindle_facts::SectionStatus;

/// Is this only a part of a report?
///
/// Never a finding: it says what the diagnosis lacks.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    if !case.report.identity.excerpt {
        return Verdict::NotFound;
    }
    let read: Vec<&str> = case
        .report
        .sections
        .iter()
        .filter(|s| s.status == SectionStatus::Read && s.rows > 0)
        .map(|s| s.title.as_str())
        .take(4)
        .collect();
    let found = if read.is_empty() { String::new() } else { format!(" (read here: {})", read.join(", ")) };
    Verdict::CannotTell(format!(
        "the whole report: this is an excerpt{found}, so a cause that it does not show is not ruled out"
    ))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    #[test]
    fn an_excerpt_says_what_it_holds() {
        let missing = Hour::new(7200.0).with(|r| r.identity.excerpt = true).missing(run);
        assert!(missing.contains("(read here: Hand-made)"), "{missing}");
        Hour::new(7200.0).not_found(run);
    }
}
