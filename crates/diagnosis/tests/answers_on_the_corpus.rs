//! Sentences of real reports that a reader found wrong, each held against what its report prints.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use spindle_diagnosis::{Diagnosis, Options, diagnose};
use spindle_test_support::{corpus, skipped};

/// The diagnosis of one report of the corpus; `None` where there is none.
fn of(test: &str, path: &str) -> Option<Diagnosis> {
    let Some(corpus) = corpus() else {
        skipped(test);
        return None;
    };
    let bytes = std::fs::read(corpus.join(path)).unwrap();
    let reports = spindle_evidence::read(path, &bytes).reports;
    assert_eq!(reports.len(), 1, "{path}");
    Some(diagnose(&reports[0], &Options::default()))
}

/// Two rankings have the statement: by gets with 95.4 % of 4,849.19 s, by I/O waits with 4,625.41 s.
#[test]
fn a_rounded_share_won_over_the_seconds_that_are_printed() {
    let path = "awr-html/19.0.0.0.0__AIX__jdmoreno__awrrpt_1_162_163.html";
    let Some(found) = of("a_rounded_share_won_over_the_seconds_that_are_printed", path) else { return };
    assert!(found.answer.contains("has waited 4,625 s for I/O (line 952)"), "{}", found.answer);
}

/// The host counts 51,873 s of waits for a CPU, and the answer on saturated CPUs did not say so.
#[test]
fn the_queue_that_the_host_counted_was_in_no_sentence() {
    let path = "awr-html/11.2.0.3.0__AIX__sarthi2020__awr_rpt_1.html";
    let Some(found) = of("the_queue_that_the_host_counted_was_in_no_sentence", path) else { return };
    assert!(
        found.answer.contains("the queue of the whole host is 51,873 s (OS_CPU_WAIT_TIME)"),
        "{}",
        found.answer
    );
    let finding = found.findings.iter().find(|f| f.rule == "cpu_saturated").unwrap();
    assert!(finding.evidence.iter().any(|e| e.text.contains("51,873 s, of all processes of the host")));
}

/// 96 CPUs were 0.4 % busy, and sessions "waited for a CPU".
#[test]
fn sessions_waited_for_a_cpu_where_all_were_idle() {
    let path = "awr-html/12.2.0.1.0__Linux__therealkevinc__awr.html";
    let Some(found) = of("sessions_waited_for_a_cpu_where_all_were_idle", path) else { return };
    assert!(found.answer.contains("the others were in calls that no event counts"), "{}", found.answer);
    assert!(!found.answer.contains("waited for a CPU"), "{}", found.answer);
}

/// Commits take 1.72 s, `less than log writes suggest (half within 32 ms ...)`: half of what?
#[test]
fn quantiles_of_log_writes_read_as_those_of_commits() {
    let path = "awr-html/11.2.0.3.0__Linux__therealkevinc__awr.html";
    let Some(found) = of("quantiles_of_log_writes_read_as_those_of_commits", path) else { return };
    let finding = found.findings.iter().find(|f| f.rule == "slow_commits").unwrap();
    assert!(finding.title.contains("(of the writes, half within 32"), "{}", finding.title);
}

/// `DB CPU: 348,158 s, line 187`, where that line prints instance 1 and line 189 both.
#[test]
fn seconds_of_all_instances_stood_on_the_line_of_the_first() {
    let path = "awr-rac/19.0.0.0.0__Linux__Azure__AWR_DBX.html";
    let Some(found) = of("seconds_of_all_instances_stood_on_the_line_of_the_first", path) else { return };
    let proofs = || found.findings.iter().flat_map(|f| &f.evidence).filter(|e| e.table == "time_model");
    assert!(proofs().count() > 0);
    for proof in proofs() {
        assert!(proof.line == 189 && proof.more_rows == 0, "{proof:?}");
    }
}
