//! The reports in `examples/` are read whole: every table that the facts behind them fill comes back.
#![allow(clippy::unwrap_used)]

use spindle_facts::{Layout, Scope};
use spindle_test_support::{Release, Style, Table, cases, differences};

#[test]
fn instance_examples_come_back_as_the_facts_that_they_were_printed_from() {
    let examples = cases::examples();
    let warehouse = &cases::warehouse()[0];
    let facts = [
        ("redo-on-sas.txt", cases::redo_on_sas(), Layout::Text),
        ("redo-on-ssd.txt", cases::redo_on_ssd(), Layout::Text),
        ("warehouse-node-1.html", warehouse.clone(), Layout::Html),
    ];
    for (name, printed, layout) in facts {
        let text = &examples.iter().find(|(n, _)| *n == name).unwrap().1;
        let reading = spindle_evidence::read(name, text.as_bytes());
        let style = Style::new(Release::V11_2_0_3, layout);
        // Page breaks fall between a statement and its text, and elapsed time is taken from snapshots.
        let tables: Vec<Table> =
            Table::ALL.into_iter().filter(|t| !matches!(t, Table::SqlText | Table::Identity)).collect();
        let wrong = differences(&printed, &reading.reports[0], &style, &tables);
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    }
}

#[test]
fn the_report_over_four_instances_keeps_them_apart() {
    let examples = cases::examples();
    let text = &examples.iter().find(|(n, _)| *n == "warehouse.html").unwrap().1;
    let reading = spindle_evidence::read("warehouse.html", text.as_bytes());
    let report = &reading.reports[0];
    assert_eq!(report.identity.scope, Scope::Database);
    assert_eq!(report.identity.instances, Some(4));
    let temp: Vec<_> =
        report.tables.wait_event.iter().filter(|e| e.event == "direct path read temp").collect();
    assert!(temp.iter().any(|e| e.instance_number == Some(4)), "{temp:#?}");
}
