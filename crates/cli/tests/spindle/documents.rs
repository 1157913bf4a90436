//! What is written: text, JSON, CSV, the page.

use crate::world::{World, facts, report};
use serde_json::Value;

#[test]
fn facts_are_one_document_with_numbers_as_printed() {
    let world = World::new("facts");
    world.put("r.txt", report());
    let ran = world.run(&["facts", "r.txt", "--json"]);
    ran.exits(0);
    let document = ran.json();
    let read = &document["reports"][0];
    let printed = facts();
    assert_eq!(read["db_name"].as_str(), printed.identity.db_name.as_deref());
    assert_eq!(read["kind"], "awr");
    assert_eq!(read["layout"], "text");
    assert_eq!(document["unread"], Value::Array(Vec::new()));
    let tables = read["tables"].as_object().unwrap();
    assert!(!tables["wait_event"].as_array().unwrap().is_empty());
    // A whole number is printed whole.
    assert!(!ran.out.contains(".0,") && !ran.out.contains(".0}"), "a number is printed as N.0");
    for key in ["sections", "notes", "raw_tables", "begin_time", "elapsed_s", "db_time_s"] {
        assert!(read.get(key).is_some(), "{key}");
    }
}

#[test]
fn tables_and_sections_can_be_picked_out() {
    let world = World::new("pick");
    world.put("r.txt", report());
    let one = world.run(&["facts", "r.txt", "--json", "--table", "wait_event"]).json();
    let tables = one["reports"][0]["tables"].as_object().unwrap();
    assert_eq!(tables.keys().collect::<Vec<_>>(), ["wait_event"]);
    let ran = world.run(&["facts", "r.txt", "--sections"]);
    ran.exits(0);
    assert!(ran.out.contains("Foreground Wait Events"), "{}", ran.out);
    let ran = world.run(&["facts", "r.txt", "--table", "wait_event"]);
    assert!(ran.out.contains("log file sync") && !ran.out.contains("load_profile"), "{}", ran.out);
}

#[test]
fn a_diagnosis_is_one_document_with_identity_answer_and_series() {
    let world = World::new("diagnosis");
    world.put("r.txt", report());
    let document = world.run(&["diagnose", "r.txt", "--json"]).exits(0).json();
    let said = &document["reports"][0];
    for key in [
        "source",
        "db_name",
        "answer",
        "response_time",
        "io_profile",
        "device_class",
        "commit",
        "concentration",
        "accounts",
        "findings",
        "not_found",
        "cannot_tell",
    ] {
        assert!(said.get(key).is_some(), "{key}");
    }
    let row = &document["series"][0];
    assert_eq!(row["begin_time"], said["begin_time"]);
    assert_eq!(row["db_time_s"], said["response_time"]["foreground"]["db_time_s"]);
}

#[test]
fn the_device_class_can_be_given() {
    let world = World::new("class");
    world.put("r.txt", report());
    for class in ["disk", "flash", "exadata"] {
        let document = world.run(&["diagnose", "r.txt", "--json", "--device-class", class]).json();
        assert_eq!(document["reports"][0]["device_class"]["value"], class);
    }
}

#[test]
fn a_page_is_written_whole_and_the_summary_still_printed() {
    let world = World::new("page");
    world.put("r.txt", report());
    let ran = world.run(&["diagnose", "r.txt", "--html", "answer.html"]);
    ran.exits(0).says("page written to answer.html");
    assert!(ran.out.contains("DB time"), "{}", ran.out);
    let page = std::fs::read_to_string(world.path("answer.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(!ran.out.contains('\u{1b}'), "no colour where nobody sees it");
    let wide = world.run(&["diagnose", "r.txt", "--width", "60"]);
    assert!(wide.out.lines().all(|line| line.chars().count() <= 60), "{}", wide.out);
}

#[test]
fn csv_is_one_file_a_table_with_the_source_in_each_row() {
    let world = World::new("csv");
    world.put("a.txt", report());
    world.put("b.txt", report());
    world.run(&["facts", "a.txt", "b.txt", "--csv", "tables"]).exits(0).says("tables written to tables");
    let waits = std::fs::read_to_string(world.path("tables/wait_event.csv")).unwrap();
    let mut lines = waits.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(&head[..2], ["source", "report_db_name"]);
    let (a, b): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("a.txt,"));
    assert!(!a.is_empty() && a.len() == b.len());
    assert!(a.iter().all(|line| line.split(',').count() == head.len()), "{waits}");
    let leftovers = std::fs::read_dir(world.path("tables")).unwrap();
    assert!(leftovers.flatten().all(|file| file.path().extension().is_some_and(|e| e == "csv")));
}

#[test]
fn csv_replaces_its_own_files_and_no_others() {
    let world = World::new("csv-own");
    world.put("a.txt", report());
    world.run(&["facts", "a.txt", "--csv", "t"]).exits(0);
    world.run(&["facts", "a.txt", "--csv", "t"]).exits(0);
    // A table of an earlier run that has no rows now would look like part of the answer.
    let waits = std::fs::read(world.path("t/wait_event.csv")).unwrap();
    world.put("t/exadata_cell.csv", &waits);
    world.put("t/notes.csv", "not ours");
    world.run(&["facts", "a.txt", "--csv", "t"]).exits(0);
    assert!(!world.path("t/exadata_cell.csv").exists());
    assert!(world.path("t/notes.csv").exists());

    world.put("t/parameter.csv", "name,price\nmilk,1\n");
    world.run(&["facts", "a.txt", "--csv", "t"]).exits(2).says("parameter.csv was not written by Spindle");
    assert_eq!(std::fs::read(world.path("t/wait_event.csv")).unwrap(), waits);
    world.run(&["facts", "a.txt", "--csv", "t", "--force"]).exits(0);
    // Nothing readable leaves the answer of the run before.
    world.run(&["facts", "none.txt", "--csv", "t"]).exits(2);
    assert_eq!(std::fs::read(world.path("t/wait_event.csv")).unwrap(), waits);
}

#[test]
fn a_report_without_response_time_is_a_question_unanswered() {
    let world = World::new("unanswered");
    let whole = report();
    let header_only: String = whole.split_inclusive('\n').take(12).collect();
    world.put("cut.txt", header_only);
    let ran = world.run(&["diagnose", "cut.txt"]);
    ran.exits(1).says("where response time went is not answered");
    // Shares of DB time answer it in part, those of CPU and all waits are in no answer.
    let piece = |share: &str| {
        format!(
            "## Top 5 Timed Events\n\n| Event | Waits | Time(s) | {share} |\n|---|---|---|---|\n\
             | db file sequential read | 100 | ##### | 77.5 |\n| log file sync | 10 | ##### | 17.6 |\n"
        )
    };
    world.put("calls.txt", piece("%Total Call Time"));
    world.run(&["diagnose", "calls.txt"]).exits(1).says("where response time went is not answered");
    world.put("shares.txt", piece("%DB Time"));
    world.run(&["diagnose", "shares.txt"]).exits(0);
}

/// A pipe was always 80 columns wide, whatever `COLUMNS` said.
#[test]
fn columns_was_ignored_in_a_pipe() {
    let world = World::new("columns");
    world.put("a.txt", report());
    world.put("b.html", spindle_test_support::render(&facts(), &html_style()));
    let commands: [&[&str]; 5] = [
        &["diagnose", "a.txt"],
        &["facts", "a.txt", "--sections"],
        &["size", "a.txt"],
        &["place", "a.txt", "--tier", "fast=2T,0.2ms", "--size", "temp=8G"],
        &["compare", "--before", "a.txt", "--after", "b.html"],
    ];
    for arguments in commands {
        let shown = |columns: &str, more: &[&str]| {
            let ran = world.command(&[arguments, more].concat()).env("COLUMNS", columns).output().unwrap();
            String::from_utf8(ran.stdout).unwrap()
        };
        let wide = |width: &str| world.run(&[arguments, &["--width", width]].concat()).out;
        assert_eq!(shown("120", &[]), wide("120"), "{arguments:?}");
        // The option wins; what is no width is none.
        assert_eq!(shown("120", &["--width", "60"]), wide("60"), "{arguments:?}");
        for nonsense in ["", "0", "-3", "wide"] {
            assert_eq!(shown(nonsense, &[]), wide("80"), "{arguments:?} {nonsense:?}");
        }
    }
    assert_ne!(
        world.run(&["diagnose", "a.txt", "--width", "60"]).out,
        world.run(&["diagnose", "a.txt", "--width", "120"]).out
    );
}

fn html_style() -> spindle_test_support::Style {
    spindle_test_support::Style::new(spindle_test_support::Release::V11_2_0_3, spindle_facts::Layout::Html)
}
