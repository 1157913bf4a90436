//! Reports whose blanks were tabs, shown as fewer blanks by an editor, a forum or a mail.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "how much is kept, and what is wrong, is measured elsewhere")]
#[path = "support/damage.rs"]
mod damage;
#[path = "support/mod.rs"]
mod support;

use spindle_facts::{Report, SectionStatus};
use support::example;

const KINDS: [&str; 5] = [
    "tabs shown as 4 blanks",
    "tabs shown as 2 blanks",
    "tabs shown as 1 blank",
    "tabs shown up to stops of 4",
    "tabs shown up to stops of 2",
];

fn damaged(kind: &str, text: &str) -> Report {
    let damage = damage::ALL.iter().find(|damage| damage.name == kind).unwrap();
    let mut found = spindle_evidence::read("test", (damage.apply)(text).as_bytes()).reports;
    assert_eq!(found.len(), 1, "{kind}");
    found.remove(0)
}

#[test]
fn names_of_databases_and_ratios_were_those_of_other_columns() {
    let text = example("redo-on-sas.txt");
    let whole = spindle_evidence::read("test", text.as_bytes()).reports.remove(0);
    for kind in KINDS {
        let report = damaged(kind, &text);
        let (own, before) = (&report.identity, &whole.identity);
        assert_eq!((&own.db_name, own.db_id), (&before.db_name, before.db_id), "{kind}");
        assert_eq!((&own.instance, &own.host), (&before.instance, &before.host), "{kind}");
        assert_eq!((own.elapsed_s, own.db_time_s), (before.elapsed_s, before.db_time_s), "{kind}");
        let ratios = |report: &Report| serde_json::to_value(&report.tables.efficiency).unwrap();
        assert_eq!(ratios(&report), ratios(&whole), "{kind}");
        let told =
            report.notes.iter().filter(|note| note.message.contains("tabs of 8 columns were shown as"));
        assert_eq!(told.count(), 1, "{kind}");
    }
}

#[test]
fn rows_that_are_left_out_stand_in_the_ledger() {
    let text = example("redo-on-sas.txt");
    let whole = spindle_evidence::read("test", text.as_bytes()).reports.remove(0);
    for kind in KINDS {
        let report = damaged(kind, &text);
        for section in whole.sections.iter().filter(|section| section.status == SectionStatus::Read) {
            let own = report.sections.iter().filter(|own| own.title == section.title);
            let (rows, lost) = own.fold((0, 0), |(rows, lost), own| (rows + own.rows, lost + own.lost));
            assert!(
                rows >= section.rows || lost > 0,
                "{kind}: {}: {rows} of {}",
                section.title,
                section.rows
            );
        }
    }
}
