//! Facts printed as a report and read again are the same facts, within what the print shows.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestError, TestRunner};
use spindle_facts::{Layout, Report};
use spindle_test_support::{
    MONTHS, Release, Style, Table, compared_differences, differences, generate, rac_differences, render,
    render_compared, render_rac,
};

/// What is compared.
const TABLES: &[Table] = &Table::ALL;

fn round_trip(style: &Style, cases: u32, bytes: impl Fn(String) -> String) {
    round_trip_of(generate::awr(style.release), style, cases, bytes);
}

fn round_trip_of(
    facts: impl Strategy<Value = Report>,
    style: &Style,
    cases: u32,
    bytes: impl Fn(String) -> String,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let Style { release, layout, .. } = *style;
    TestRunner::new(config)
        .run(&facts, |report| {
            let text = bytes(render(&report, style));
            let reading = spindle_evidence::read("printed", text.as_bytes());
            prop_assert_eq!(reading.reports.len(), 1, "refused: {:?}", reading.refused);
            let wrong = differences(&report, &reading.reports[0], style, TABLES);
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
            round_trip(&Style::new(Release::$release, Layout::$layout), 48, |text| text);
        })*
    };
}

releases! {
    awr_10_2_text: V10_2, Text;
    awr_10_2_html: V10_2, Html;
    awr_11_1_text: V11_1, Text;
    awr_11_1_html: V11_1, Html;
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

/// The languages of databases: the comma as decimal point, the names of months.
#[test]
fn decimal_commas_and_months_of_other_languages() {
    let releases = [Release::V11_2_0_3, Release::V11_2_0_4, Release::V12_1, Release::V12_2, Release::V19];
    let mut layouts = [Layout::Text, Layout::Html].into_iter().cycle();
    for (i, (_, months)) in MONTHS.into_iter().cycle().take(2 * MONTHS.len()).enumerate() {
        let release = releases[i % releases.len()];
        let layout = layouts.next().unwrap();
        let style = Style { months, decimal_comma: true, ..Style::new(release, layout) };
        round_trip(&style, 10, |text| text);
    }
}

/// A page may end at any line of a table; the title and the headings are printed again.
#[test]
fn page_breaks_at_every_line() {
    for page_lines in 12..=60 {
        let release = if page_lines % 2 == 0 { Release::V11_2_0_3 } else { Release::V12_2 };
        let style = Style { page_lines, ..Style::new(release, Layout::Text) };
        round_trip(&style, 2, |text| text);
    }
}

/// Ends of lines and of pages get lost on the way through mails and editors.
#[test]
fn carriage_returns_and_lost_form_feeds() {
    let style = Style::new(Release::V11_2_0_4, Layout::Text);
    round_trip(&style, 12, |text| text.replace('\n', "\r\n"));
    round_trip(&style, 12, |text| text.replace('\x0c', ""));
    let style = Style::new(Release::V19, Layout::Html);
    round_trip(&style, 12, |text| text.replace('\n', "\r\n"));
}

/// Numbers that are wider than their column print as `####`: unknown, never another number.
#[test]
fn overprinted_numbers() {
    for release in [Release::V11_2_0_3, Release::V12_1, Release::V19] {
        let style = Style { hashes: true, ..Style::new(release, Layout::Text) };
        round_trip(&style, 24, |text| text);
    }
}

fn statspack(release: Release) {
    // Columns of 8i are narrow: a wide number is `####`.
    let hashes = release == Release::V8_1;
    let style = Style { hashes, ..Style::new(release, Layout::Text) };
    round_trip_of(generate::statspack(release), &style, 32, |text| text);
    let style = Style { decimal_comma: true, months: MONTHS[0].1, page_lines: 37, ..style };
    round_trip_of(generate::statspack(release), &style, 8, |text| text);
}

#[test]
fn statspack_8_1() {
    statspack(Release::V8_1);
}

#[test]
fn statspack_9_2() {
    statspack(Release::V9_2);
}

#[test]
fn statspack_10_1() {
    statspack(Release::V10_1);
}

#[test]
fn statspack_11_2() {
    statspack(Release::V11_2_0_3);
}

#[test]
fn statspack_10_2() {
    statspack(Release::V10_2);
}

#[test]
fn statspack_12_1_and_19() {
    statspack(Release::V12_1);
    statspack(Release::V19);
}

/// Statspack prints the totals of an interval with a restart in it; no rate may be made of them.
#[test]
fn a_restart_between_the_snapshots_leaves_no_rate() {
    for release in [Release::V8_1, Release::V9_2, Release::V10_1] {
        let hashes = release == Release::V8_1;
        let style = Style { spans_restart: true, hashes, ..Style::new(release, Layout::Text) };
        round_trip_of(generate::restarted(release), &style, 24, |text| text);
    }
}

/// Pluggable databases, and container databases, whose tables name the container (in HTML).
#[test]
fn containers() {
    for release in [Release::V12_2, Release::V19, Release::V23] {
        for layout in [Layout::Html, Layout::Text] {
            let style = Style::new(release, layout);
            round_trip_of(generate::pdb(release), &style, 16, |text| text);
            round_trip_of(generate::cdb(release), &style, 16, |text| text);
        }
    }
}

/// The report over all instances of a RAC database: rows an instance, sums, statistics over both.
#[test]
fn all_instances_of_a_rac_database() {
    for release in [Release::V11_2_0_3, Release::V12_2, Release::V19] {
        let style = Style::new(release, Layout::Html);
        let config = Config { cases: 32, failure_persistence: None, ..Config::default() };
        let run = TestRunner::new(config).run(&generate::rac(release), |reports| {
            let text = render_rac(&reports, &style);
            let reading = spindle_evidence::read("printed", text.as_bytes());
            prop_assert_eq!(reading.reports.len(), 1, "refused: {:?}", reading.refused);
            let wrong = rac_differences(&reports, &reading.reports[0], &style);
            if !wrong.is_empty() {
                if let Ok(path) = std::env::var("SPINDLE_KEEP_PRINT") {
                    std::fs::write(path, &text).unwrap();
                }
                return Err(TestCaseError::fail(wrong.join("\n")));
            }
            Ok(())
        });
        if let Err(TestError::Fail(reason, _) | TestError::Abort(reason)) = run {
            panic!("{release:?}: {reason}");
        }
    }
}

/// From 12.2 on the report over all instances prints the memory at the end snapshot in a column of its
/// own, blank where nothing changed; that column was read instead of the memory.
#[test]
fn memory_of_an_instance_is_not_its_blank_end_value() {
    let reports = generate::rac(Release::V19).new_tree(&mut TestRunner::deterministic()).unwrap().current();
    let text = render_rac(&reports, &Style::new(Release::V19, Layout::Html));
    let reading = spindle_evidence::read("printed", text.as_bytes());
    let mut stats = reading.reports[0].tables.os_stat.iter();
    let memory = stats.find(|s| s.statistic == "PHYSICAL_MEMORY_BYTES" && s.instance_number == Some(1));
    assert_eq!(memory.and_then(|m| m.value), reports[0].identity.memory_bytes);
}

fn two_periods(style: &Style) {
    let config = Config { cases: 32, failure_persistence: None, ..Config::default() };
    let run = TestRunner::new(config).run(&generate::compared(style.release), |periods| {
        let text = render_compared(&periods, style);
        let reading = spindle_evidence::read("printed", text.as_bytes());
        let wrong = compared_differences(&periods, &reading.reports, style);
        if !wrong.is_empty() {
            if let Ok(path) = std::env::var("SPINDLE_KEEP_PRINT") {
                std::fs::write(path, &text).unwrap();
            }
            return Err(TestCaseError::fail(wrong.join("\n")));
        }
        Ok(())
    });
    if let Err(TestError::Fail(reason, _) | TestError::Abort(reason)) = run {
        panic!("{style:?}: {reason}");
    }
}

/// One report over two periods: both values of a quantity in one row, of what one lacks none.
#[test]
fn two_periods_side_by_side() {
    for layout in [Layout::Html, Layout::Text] {
        two_periods(&Style::new(Release::V11_2_0_3, layout));
    }
    // What is too wide prints as `####`, and is unknown or follows from another account.
    two_periods(&Style { hashes: true, ..Style::new(Release::V11_2_0_3, Layout::Text) });
}
