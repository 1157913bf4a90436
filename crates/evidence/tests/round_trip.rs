//! Facts printed as a report and read again are the same facts, within what the print shows.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use spindle_facts::Layout;
use spindle_test_support::{Release, Style, Table, differences, generate, render};

/// What is compared.
const TABLES: &[Table] = &Table::ALL;

fn round_trip(release: Release, layout: Layout) {
    let style = Style::new(release, layout);
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&generate::awr(release), |report| {
            let text = render(&report, &style);
            let reading = spindle_evidence::read("printed", text.as_bytes());
            prop_assert_eq!(reading.reports.len(), 1, "refused: {:?}", reading.refused);
            let wrong = differences(&report, &reading.reports[0], &style, TABLES);
            if !wrong.is_empty() {
                if let Ok(path) = std::env::var("SPINDLE_KEEP_PRINT") {
                    std::fs::write(path, &text).unwrap();
                }
                return Err(TestCaseError::fail(wrong.join("\n")));
            }
            Ok(())
        })
        .unwrap_or_else(|e| match e {
            // The facts themselves are pages long: what differs is what helps.
            TestError::Fail(reason, _) => panic!("{release:?} {layout:?}: {reason}"),
            TestError::Abort(reason) => panic!("{release:?} {layout:?}: {reason}"),
        });
}

macro_rules! releases {
    ($($name:ident: $release:ident, $layout:ident;)*) => {
        $(#[test]
        fn $name() {
            round_trip(Release::$release, Layout::$layout);
        })*
    };
}

releases! {
    awr_11_2_0_3_text: V11_2_0_3, Text;
    awr_11_2_0_3_html: V11_2_0_3, Html;
    awr_11_2_0_4_text: V11_2_0_4, Text;
    awr_11_2_0_4_html: V11_2_0_4, Html;
    awr_12_1_text: V12_1, Text;
    awr_12_1_html: V12_1, Html;
    awr_12_2_text: V12_2, Text;
    awr_12_2_html: V12_2, Html;
    awr_18_html: V18, Html;
    awr_19_text: V19, Text;
    awr_19_html: V19, Html;
    awr_21_html: V21, Html;
    awr_23_html: V23, Html;
    awr_23_text: V23, Text;
}
