//! Where response time went, why, and what to do: pure functions from facts to findings.
//!
//! [`diagnose`] is the one way in. It builds the response-time tree, the I/O profile with the
//! account that each number came from, the device class, the commit path and the concentration,
//! then runs every rule of [`rules`] over them. Nothing here reads a file, prints or rounds.

mod accounts;
mod answer;
mod awaited_writes;
mod bars;
mod beside;
mod by_histogram;
mod by_name;
mod cache_advice;
mod case;
mod commit;
pub mod comparison;
mod concentration;
mod device_class;
mod events;
mod finding;
mod io_profile;
mod latency;
mod log_flush;
mod lost_rows;
mod outcome;
mod resolve;
mod response_time;
mod richness;
pub mod rules;
mod series;
mod shares;
mod told;
pub mod words;

pub use bars::{Bars, DeviceClass};
pub use cache_advice::{LargerCache, PoolAdvice, largest_readers};
pub use case::{Case, Options, Setting};
pub use concentration::counts_its_statements;
pub use events::{EventTotal, UNKNOWN_CLASS};
pub use finding::{Claim, Evidence, Finding, RuleInfo, Verdict};
pub use io_profile::{is_multi_block_read, is_single_block_read};
pub use lost_rows::LooksAt;
pub use outcome::{
    Account, AccountValue, CannotTell, ClassTime, Commit, Concentration, DeviceGuess, Diagnosis, EventTime,
    IoFigure, IoProfile, Latency, ResponseSide, ResponseTime,
};
pub use response_time::is_read_in_part;
pub use richness::Richness;
pub use rules::{PGA_ADVICE_SEES, is_hardly_the_writes, parts_of_interval};
pub use series::{
    Series, SeriesRemark, SeriesRow, average_active_sessions, by_load, is_of_a_part, is_same_interval, load,
    series,
};
pub use told::{AddmNamed, Sampled, addm_named, sampled};

use spindle_facts::Report;

/// Does the diagnosis call the log writes slow? `None` where it cannot tell.
#[must_use]
pub fn log_writes_are_slow(case: &Case<'_>) -> Option<bool> {
    rules::log_writes(case).map(|(.., within)| !within)
}

/// Did workers of the log writer make most redo writes? Then their mean holds waits for each other.
#[must_use]
pub fn log_writers_are_workers(case: &Case<'_>) -> bool {
    rules::log_writer_workers(case)
}

/// Waits of sessions for reads and read requests a second, where a report prints more of the first: each of them is
/// a request of its own, so that one of the two counts is wrong.
#[must_use]
pub fn more_waits_than_reads(case: &Case<'_>) -> Option<(f64, f64)> {
    accounts::more_waits_than_reads(&case.accounts)
}

/// Where response time went, why, and what to do.
#[must_use]
pub fn diagnose(report: &Report, options: &Options) -> Diagnosis {
    let mut case = Case::new(report, options);
    let (mut findings, mut not_found, mut cannot_tell) = (Vec::new(), Vec::new(), Vec::new());
    let void = report.identity.spans_restart;
    for rule in rules::ALL {
        if void && !rules::ABOUT_THE_REPORT.contains(&rule.id) {
            let missing = "snapshots of one run of the instance: it restarted between these".to_owned();
            cannot_tell.push(CannotTell { rule: rule.id, missing });
            continue;
        }
        let mut verdict = rules::judge(rule, &case, &findings);
        // That there is hardly any load hides only what would be found at any.
        if matches!(verdict, Verdict::CannotTell(_)) {
            case.any_load = true;
            if matches!(rules::judge(rule, &case, &findings), Verdict::NotFound) {
                verdict = Verdict::NotFound;
            }
            case.any_load = false;
        }
        match verdict {
            Verdict::Found(finding) => findings.push(Finding { rule: rule.id, outcome: "found", ..finding }),
            Verdict::NotFound => match lost_rows::hiding(&case, rule.looks_at) {
                Some(missing) => cannot_tell.push(CannotTell { rule: rule.id, missing }),
                None => not_found.push(rule.id),
            },
            Verdict::CannotTell(missing) => cannot_tell.push(CannotTell { rule: rule.id, missing }),
        }
    }
    resolve::resolve(&mut findings, &case.response_time);
    // Stable: equal weights keep the order of precedence.
    findings.sort_by(|a, b| {
        b.weight_s().total_cmp(&a.weight_s()).then_with(|| b.impact_s.total_cmp(&a.impact_s))
    });
    let (answer, storage_is_the_problem) = if void {
        ("This cannot tell: the instance restarted between the snapshots, and its counters began again at zero.".to_owned(), None)
    } else {
        // What no rule explains is what the answer's own sentences are about.
        let explained: Vec<Finding> =
            findings.iter().filter(|f| f.rule != rules::OTHER_WAITS).cloned().collect();
        answer::answer(&case, &explained)
    };
    for finding in &mut findings {
        let alone_s = resolve::alone_s(finding, &case.response_time);
        finding.say_what_is_shared(alone_s);
        by_histogram::say_how_sure(&case, finding);
    }
    if void {
        // Differences of counters that began again at zero are no figures, whatever they look like.
        let remark = Some("the instance restarted between the snapshots".to_owned());
        case.response_time = ResponseTime::default();
        case.response_time.foreground.remark = remark;
        case.io = IoProfile::default();
        case.latency.clear();
    }
    Diagnosis {
        answer,
        storage_is_the_problem,
        response_time: case.response_time,
        io_profile: case.io,
        device_class: case.device,
        commit: case.commit,
        concentration: case.concentration,
        accounts: case.accounts,
        latency: case.latency,
        findings,
        not_found,
        cannot_tell,
    }
}
