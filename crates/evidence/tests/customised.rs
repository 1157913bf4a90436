//! A layout that somebody changed is read by its headings: every value is the one of the unchanged
//! report, or unknown; none is another column's.
#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use spindle_facts::{Layout, Report};
use spindle_test_support::{Custom, Release, Style, generate, render, render_customised};
use support::compare;

fn read(text: &str) -> Report {
    let mut reading = spindle_evidence::read("printed", text.as_bytes());
    assert_eq!(reading.reports.len(), 1);
    reading.reports.remove(0)
}

fn customised(style: &Style, cases: u32, all_rows: bool, custom: Custom) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let facts = (generate::awr(style.release), any::<u64>());
    TestRunner::new(config)
        .run(&facts, |(report, seed)| {
            let custom = Custom { seed, ..custom };
            let changed = render_customised(&report, style, &custom);
            let difference = compare(&read(&render(&report, style)), &read(&changed));
            if !difference.wrong.is_empty() || all_rows && difference.kept != difference.rows {
                if let Ok(path) = std::env::var("SPINDLE_KEEP_PRINT") {
                    std::fs::write(path, &changed).unwrap();
                }
                let rows = format!("{} of {} rows", difference.kept, difference.rows);
                return Err(TestCaseError::fail(rows + "\n" + &difference.wrong.join("\n")));
            }
            Ok(())
        })
        .unwrap_or_else(|e| match e {
            TestError::Fail(reason, _) => panic!("{style:?}: {reason}"),
            TestError::Abort(reason) => panic!("{style:?}: {reason}"),
        });
}

const RELEASES: [Release; 7] = [
    Release::V10_2,
    Release::V11_1,
    Release::V11_2_0_3,
    Release::V11_2_0_4,
    Release::V12_1,
    Release::V12_2,
    Release::V19,
];

fn in_every_layout(cases: u32, all_rows: bool, custom: Custom) {
    for release in RELEASES {
        for layout in [Layout::Text, Layout::Html] {
            customised(&Style::new(release, layout), cases, all_rows, custom);
        }
    }
}

#[test]
fn sections_in_another_order() {
    in_every_layout(6, true, Custom { move_sections: true, ..Custom::default() });
}

#[test]
fn sections_left_out() {
    in_every_layout(6, false, Custom { move_sections: true, drop_sections: true, ..Custom::default() });
}

#[test]
fn columns_in_another_order() {
    in_every_layout(8, true, Custom { move_columns: true, ..Custom::default() });
}

#[test]
fn columns_of_nobodys_knowledge() {
    in_every_layout(8, true, Custom { add_columns: true, ..Custom::default() });
}

#[test]
fn columns_left_out() {
    in_every_layout(8, false, Custom { drop_columns: true, ..Custom::default() });
}

#[test]
fn everything_at_once() {
    let custom = Custom {
        move_sections: true,
        drop_sections: true,
        move_columns: true,
        drop_columns: true,
        add_columns: true,
        ..Custom::default()
    };
    in_every_layout(8, false, custom);
}
