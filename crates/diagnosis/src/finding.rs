//! What a rule says.

use crate::lost_rows::LooksAt;
use crate::words;
use serde::Serialize;

/// A rule, as the list in [`crate::rules`] holds it.
#[derive(Clone, Copy, Debug)]
pub struct RuleInfo {
    /// File name of the rule: completes "the database suffers from ...".
    pub id: &'static str,
    /// Title for a person.
    pub title: &'static str,
    /// The rule.
    pub run: fn(&crate::Case<'_>) -> Verdict,
    /// What it looks at: where rows of it are printed and were not read, it does not say that there is no cause.
    pub looks_at: &'static [LooksAt],
}

/// Result of one rule.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The cause holds.
    Found(Finding),
    /// It does not.
    NotFound,
    /// Facts are missing: their names.
    CannotTell(String),
}

/// A cause that holds, with its cost and its proof.
///
/// Shape: one a rule that holds. Unit: seconds of DB time over the interval, percent of DB time.
/// Missing: `impact_pct` is `None` where DB time is not printed. Source: `evidence`.
///
/// A rule fills `title`, `storage`, `claims`, `evidence`, `actions` and `caveat`, and `touches_s`
/// where it bears on more than it claims, `impact_low_s` where it claims the top of a range; [`crate::diagnose`]
/// fills the rest.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Finding {
    /// Rule identifier.
    pub rule: &'static str,
    /// What holds, in one line with numbers.
    pub title: String,
    /// Always `found`.
    pub outcome: &'static str,
    /// Seconds of DB time that this finding alone accounts for: what it shares with a finding that
    /// stands before it is counted there, so the impacts of a report never exceed its DB time.
    pub impact_s: f64,
    /// The same, percent of DB time.
    pub impact_pct: Option<f64>,
    /// The least of these seconds, where the rule knows a range and claims its top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact_low_s: Option<f64>,
    /// Seconds of DB time that it bears on, shared or not.
    pub touches_s: f64,
    /// Is the finding about storage? (`false`: CPU, locks, network, parsing, interconnect.)
    pub storage: bool,
    /// DB time that it claims, by event, class without events or `cpu`; the resolver makes `impact_s` of these.
    #[serde(skip)]
    pub claims: Vec<Claim>,
    /// Proof: rows as printed.
    pub evidence: Vec<Evidence>,
    /// What to do, first thing first.
    pub actions: Vec<String>,
    /// When this would be wrong.
    pub caveat: String,
}

impl Finding {
    /// What findings are ordered by: the seconds that it alone accounts for, or half of those that it
    /// bears on where another claims them, so that a second remedy for much time does not vanish
    /// behind trifles. A hint, which claims nothing, has no weight of its own.
    pub(crate) fn weight_s(&self) -> f64 {
        const SHARED: f64 = 0.5;
        if self.claims.is_empty() { self.impact_s } else { self.impact_s.max(SHARED * self.touches_s) }
    }
}

impl Finding {
    /// A title that speaks of seconds which mostly count under other findings says so: what stands
    /// before it, the part that it alone accounts for, reads as if it were all. `alone_s` is what it
    /// would account for without the other findings.
    pub(crate) fn say_what_is_shared(&mut self, alone_s: f64) {
        const MOSTLY: f64 = 0.5;
        let says = self.title.contains(&words::seconds(self.touches_s));
        // Of what it bears on and does not claim nobody knows whether another finding counts it.
        if says && alone_s >= MOSTLY * self.touches_s && self.impact_s < MOSTLY * alone_s {
            self.title.push_str("; most of it counts under other findings");
        }
    }
}

/// Part of DB time that a finding claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Foreground event, class of waits that is printed without events, or `cpu`.
    pub of: String,
    /// Seconds.
    pub seconds: f64,
}

/// A row that proves something.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// Table of `spindle facts`.
    pub table: &'static str,
    /// Row in that table, from 0.
    pub row: usize,
    /// Line in the source; of several rows that are added up (one an instance), that of the first.
    pub line: u32,
    /// How many rows are added to that one.
    pub more_rows: usize,
    /// Section as printed.
    pub section: String,
    /// What stands there, in a few words with units.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::{Claim, Finding};

    /// `0.2 %, 19.6 s: ... would save about 3,599 s (29 % of DB time)` read as 0.2 %.
    #[test]
    fn seconds_that_other_findings_count_are_said_to_be() {
        let claims = vec![Claim { of: "db file sequential read".into(), seconds: 3_599.0 }];
        let of = |impact_s, alone_s| {
            let title = "A larger cache would save about 3,599 s".to_owned();
            let mut finding =
                Finding { title, impact_s, touches_s: 3_599.0, claims: claims.clone(), ..Finding::default() };
            finding.say_what_is_shared(alone_s);
            finding.title
        };
        let shared = of(19.6, 3_599.0);
        assert!(shared.ends_with("3,599 s; most of it counts under other findings"), "{shared}");
        assert!(of(3_000.0, 3_599.0).ends_with("3,599 s"));
        assert!(of(19.6, 19.6).ends_with("3,599 s"), "nobody else counts it");
    }

    #[test]
    fn a_second_remedy_for_much_time_stands_before_trifles() {
        let claims = vec![Claim { of: "db file sequential read".into(), seconds: 1.0 }];
        let second =
            Finding { impact_s: 1.0, touches_s: 300.0, claims: claims.clone(), ..Finding::default() };
        let trifle = Finding { impact_s: 40.0, touches_s: 40.0, claims, ..Finding::default() };
        let hint = Finding { touches_s: 900.0, ..Finding::default() };
        assert!(second.weight_s() > trifle.weight_s() && trifle.weight_s() > hint.weight_s());
    }
}
