//! Verdicts on real reports that were looked at by hand, found by hash, with the lines that prove
//! them. Reports stay outside of the repository; without them the checks are skipped, saying so.

use spindle_diagnosis::{Case, Evidence, Options, Verdict, rules};
use spindle_facts::Report;
use spindle_test_support::corpus;
use std::path::Path;

/// What a rule was seen to say of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// It holds.
    Found,
    /// It does not hold.
    NotFound,
    /// Facts are missing.
    CannotTell,
}

/// A verdict that was checked by hand.
pub(crate) struct Recorded {
    /// Rule.
    pub(crate) rule: &'static str,
    /// First digits of the file's SHA-256, as `INDEX.tsv` of the corpus lists it.
    pub(crate) sha256: &'static str,
    /// What it says.
    pub(crate) says: Says,
    /// Lines that prove it, with the name that stands there (an event, a statistic, a parameter).
    pub(crate) lines: &'static [(u32, &'static str)],
    /// Why a DBA would say the same.
    pub(crate) because: &'static str,
}

/// Checks the table: the verdict is still the same, the lines say what they are said to, and the
/// evidence of a finding points at the first of them.
pub(crate) fn check(table: &[Recorded]) {
    let Some(corpus) = corpus() else {
        return;
    };
    let mut wrong = Vec::new();
    for recorded in table {
        let Some(file) = file_of(&corpus, recorded.sha256) else {
            wrong.push(format!("{}: no report {} in INDEX.tsv", recorded.rule, recorded.sha256));
            continue;
        };
        let bytes = std::fs::read(corpus.join(&file)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for (line, name) in recorded.lines {
            let printed = text.lines().nth(*line as usize - 1).unwrap_or("").to_ascii_lowercase();
            if !printed.contains(&name.to_ascii_lowercase()) {
                wrong.push(format!("{file}, line {line}: no `{name}`"));
            }
        }
        let reports = spindle_evidence::read(&file, &bytes).reports;
        let Some(report) = reports.first() else {
            wrong.push(format!("{file}: nothing was read"));
            continue;
        };
        let (says, what, evidence) = verdict(recorded.rule, report);
        if says != recorded.says {
            wrong.push(format!(
                "{file}: {} says {says:?} ({what}), not {:?}, since {}",
                recorded.rule, recorded.says, recorded.because
            ));
        } else if let (Says::Found, Some((line, name))) = (says, recorded.lines.first())
            && !evidence.iter().any(|e| e.line == *line)
        {
            let lines: Vec<u32> = evidence.iter().map(|e| e.line).collect();
            wrong.push(format!(
                "{file}: evidence of {} at lines {lines:?}, not {line} ({name})",
                recorded.rule
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks what a rule says of one of the project's own examples, and what its title says.
#[allow(dead_code, reason = "each test file takes what it needs")]
pub(crate) fn check_example(example: &str, rule: &str, says: Says, in_title: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
    let reports = spindle_evidence::read(example, &std::fs::read(path).unwrap()).reports;
    let (said, title, _) = verdict(rule, &reports[0]);
    assert_eq!(said, says, "{example}: {rule}: {title}");
    assert!(title.contains(in_title), "{example}: {rule}: {title}");
}

fn verdict(id: &str, report: &Report) -> (Says, String, Vec<Evidence>) {
    let rule = rules::ALL.iter().find(|r| r.id == id).unwrap_or_else(|| panic!("no rule {id}"));
    match (rule.run)(&Case::new(report, &Options::default())) {
        Verdict::Found(finding) => (Says::Found, finding.title, finding.evidence),
        Verdict::NotFound => (Says::NotFound, "nothing".to_owned(), Vec::new()),
        Verdict::CannotTell(missing) => (Says::CannotTell, missing, Vec::new()),
    }
}

/// File of the report with this hash.
fn file_of(corpus: &Path, sha256: &str) -> Option<String> {
    let index = std::fs::read_to_string(corpus.join("INDEX.tsv")).ok()?;
    index.lines().skip(1).find_map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        cells.get(7)?.starts_with(sha256).then(|| cells[0].to_owned())
    })
}
