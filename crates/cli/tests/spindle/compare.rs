//! `spindle compare` as a person and a script meet it.

use crate::world::{Ran, World};
use spindle_facts::Layout;
use spindle_test_support::{Release, Style, cases, render};

/// A folder with one node before and after its redo moved; text and HTML.
fn world(name: &str) -> World {
    let world = World::new(name);
    world.put("sas.txt", render(&cases::redo_on_sas(), &Style::new(Release::V11_2_0_3, Layout::Text)));
    world.put("ssd.html", render(&cases::redo_on_ssd(), &Style::new(Release::V11_2_0_3, Layout::Html)));
    world
}

fn run(world: &World, more: &[&str]) -> Ran {
    world.run(&[&["compare", "--before", "sas.txt", "--after", "ssd.html"], more].concat())
}

#[test]
fn the_document_is_as_promised_and_adds_up() {
    let world = world("compare-json");
    let c = run(&world, &["--json"]).exits(0).json();
    for key in [
        "before",
        "after",
        "normalised_by",
        "waterfall",
        "unexplained_s",
        "metrics",
        "latency",
        "tests",
        "changed_parameters",
        "statements",
        "warnings",
    ] {
        assert!(c.get(key).is_some(), "{key}");
    }
    for (of, keys) in [
        ("waterfall", &["cause", "delta_s", "low_s", "high_s"][..]),
        ("metrics", &["name", "before", "after", "ratio"]),
        ("latency", &["event", "before", "after", "shift"]),
        ("tests", &["metric", "effect", "interval", "verdict"]),
        ("changed_parameters", &["name", "before", "after"]),
    ] {
        for key in keys {
            assert!(c[of][0].get(key).is_some(), "{of}: {key}");
        }
    }
    for key in ["avg_us", "p50_us", "p99_us"] {
        assert!(c["latency"][0]["before"].get(key).is_some(), "{key}");
    }
    assert_eq!(c["before"]["intervals"], 1);
    assert_eq!(c["normalised_by"], "interval");
    let steps: f64 = c["waterfall"].as_array().unwrap().iter().map(|s| s["delta_s"].as_f64().unwrap()).sum();
    let delta = c["after"]["db_time_s"].as_f64().unwrap() - c["before"]["db_time_s"].as_f64().unwrap();
    assert!((steps + c["unexplained_s"].as_f64().unwrap() - delta).abs() < 1e-6);
}

#[test]
fn one_screen_of_eighty_columns_answers_first() {
    let world = world("compare-screen");
    for more in [&[][..], &["--per", "time"], &["--per", "transaction"]] {
        let ran = run(&world, more);
        let text = &ran.exits(0).out;
        assert!(text.lines().count() <= 40, "{} lines\n{text}", text.lines().count());
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(text.contains("DB time fell by"), "{text}");
    }
    let ran = run(&world, &[]);
    assert!(
        ran.out.contains("8,261 s (28.1 %)") && ran.out.contains("2,389 s of that (28.9 %)"),
        "{}",
        ran.out
    );
}

#[test]
fn another_host_stood_in_no_line_of_the_screen() {
    let world = world("compare-host");
    let mut after = cases::redo_on_ssd();
    after.identity.host = Some("gull-db07".to_owned());
    world.put("ssd.html", render(&after, &Style::new(Release::V11_2_0_3, Layout::Html)));
    let ran = run(&world, &[]);
    assert!(ran.exits(0).out.contains("\nchanged host tern-db01 -> gull-db07\n"), "{}", ran.out);
}

#[test]
fn the_page_stands_alone() {
    let world = world("compare-page");
    run(&world, &["--html", "page.html"]).exits(0);
    let page = std::fs::read_to_string(world.path("page.html")).unwrap();
    assert!(page.len() < 400_000, "{} bytes", page.len());
    assert!(!page.contains("http://") && !page.contains("https://"));
    for part in [
        "Why did DB time fall by 8,261 s?",
        "Did log file sync get faster?",
        "Is it real?",
        "db_create_online_log_dest_1",
    ] {
        assert!(page.contains(part), "{part}");
    }
    run(&world, &["--html", "sas.txt"]).exits(2);
}

#[test]
fn a_masked_comparison_names_nobody() {
    let world = world("compare-mask");
    let ran = run(&world, &["--mask", "--json", "--html", "page.html"]);
    let page = std::fs::read_to_string(world.path("page.html")).unwrap();
    for text in [&ran.exits(0).out, &page] {
        for name in ["SHOPDB", "shopdb1", "tern-db01", "ORDER_LINE_HISTORY", "sas.txt"] {
            assert!(!text.contains(name), "{name}");
        }
    }
}

#[test]
fn the_same_report_on_both_sides_changes_nothing() {
    let world = world("compare-same");
    let ran = world.run(&["compare", "--before", "sas.txt", "--after", "sas.txt"]);
    assert!(ran.exits(0).out.contains("Nothing changed: both sides are the same report."), "{}", ran.out);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let world = world("compare-bad");
    world.put("note.txt", "no report\n");
    let ran = world.run(&["compare", "--before", "note.txt", "--after", "ssd.html"]);
    assert!(
        ran.exits(2).err.contains("nothing was compared: no report was read for the side before"),
        "{}",
        ran.err
    );
    let ran = world.run(&["compare", "sas.txt"]);
    assert!(ran.exits(2).err.contains("--before and --after"), "{}", ran.err);
    // Not the paths without an option, which are another way to give both sides.
    let ran = world.run(&["compare", "--before", "sas.txt"]);
    assert!(ran.exits(2).err.contains("--after PATH... is missing"), "{}", ran.err);
    let ran = world.run(&["compare", "--after", "ssd.html"]);
    assert!(ran.exits(2).err.contains("--before PATH... is missing"), "{}", ran.err);
    world.run(&["compare"]).exits(2);
}

/// A file that was given twice was read once without a word.
#[test]
fn a_file_given_twice_on_one_side_was_not_named() {
    let world = world("compare-twice");
    let warnings = |arguments: &[&str]| {
        let c = world.run(&[&["compare", "--json"], arguments].concat()).json();
        c["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let said = |warnings: &[String]| {
        warnings.iter().filter(|w| w.contains("more than once")).cloned().collect::<Vec<_>>()
    };
    let twice = warnings(&["--before", "sas.txt", "./sas.txt", "--after", "ssd.html"]);
    assert_eq!(said(&twice), ["`sas.txt` is given more than once on one side and counted once."]);
    // Once on each side is no double.
    assert_eq!(said(&warnings(&["--before", "sas.txt", "--after", "sas.txt"])), <[String; 0]>::default());
}
