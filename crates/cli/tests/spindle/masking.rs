//! `--mask`: nothing that names a site is in anything written, and the figures are the same.

use crate::world::{World, corpus, facts};
use serde_json::Value;
use spindle_facts::{Layout, Parameter, Report};
use spindle_test_support::{Release, Style, render};

/// Runs that write everything that there is to write.
const RUNS: [&[&str]; 8] = [
    &["diagnose", "in", "--mask", "--html", "page.html"],
    &["diagnose", "in", "--mask", "--json"],
    &["facts", "in", "--mask"],
    &["facts", "in", "--mask", "--json"],
    &["facts", "in", "--mask", "--sections"],
    &["facts", "in", "--mask", "--csv", "tables"],
    &["place", "in", "--mask", "--tier", "flash=1T,0.2ms", "--size", "ACME_APP.ACME_ORDERS_0=20G"],
    &["place", "in", "--mask", "--json", "--tier", "flash=1T,0.2ms", "--size", "temp=9G"],
];

/// A report in which every name of the site holds `acme`.
fn acme() -> Report {
    let mut report = facts();
    let id = &mut report.identity;
    id.db_name = Some("ACMEPROD".into());
    id.instance = Some("acmeprod1".into());
    id.host = Some("acme-db7.acme.x".into());
    let tables = &mut report.tables;
    for (n, row) in tables.segment_stat.iter_mut().enumerate() {
        row.owner = Some("ACME_APP".into());
        row.object = Some(format!("ACME_ORDERS_{n}"));
        row.tablespace = Some("ACME_DATA".into());
    }
    for (n, row) in tables.file_io.iter_mut().enumerate() {
        row.io.tablespace = "ACME_DATA".into();
        row.file = format!("/u02/acme/oradata/acme{n}.dbf");
    }
    for row in &mut tables.tablespace_io {
        row.tablespace = "ACME_DATA".into();
    }
    for row in &mut tables.sql_stat {
        row.module = Some("acme_billing@acme-app3".into());
    }
    for row in &mut tables.sql_text {
        row.text = format!("SELECT acme_secret FROM acme_orders WHERE acme = {}", row.line);
    }
    for (name, value) in [
        ("db_name", "ACMEPROD"),
        ("service_names", "acme_web, acme_batch"),
        ("local_listener", "(ADDRESS=(HOST=acme-db7)(PORT=1521))"),
        ("audit_file_dest", "/u01/acme/adump"),
        ("control_files", "+ACME_DATA/acmeprod/control01.ctl"),
    ] {
        let (name, begin_value) = (name.to_owned(), Some(value.to_owned()));
        tables.parameter.push(Parameter { name, begin_value, ..Parameter::default() });
    }
    report
}

fn world(name: &str) -> World {
    let world = World::new(name);
    for (file, release, layout) in [
        ("acme_1.txt", Release::V11_2_0_3, Layout::Text),
        ("acme_2.html", Release::V12_2, Layout::Html),
        ("acme_3.txt", Release::V19, Layout::Text),
    ] {
        world.put(&format!("in/{file}"), render(&acme(), &Style::new(release, layout)));
    }
    world.put("in/acme_notes.txt", "nothing of Oracle's, but of acme");
    world
}

#[test]
fn no_name_is_left_in_anything_written() {
    let world = world("mask");
    // Without the option, the names are there: the search below can find them.
    assert!(world.run(&["facts", "in"]).out.to_lowercase().contains("acme"));
    for arguments in RUNS {
        let ran = world.run(arguments);
        ran.exits(1);
        for text in [&ran.out, &ran.err] {
            let found =
                text.to_lowercase().find("acme").map(|at| text[at.saturating_sub(200)..].chars().take(400));
            assert!(found.is_none(), "{arguments:?}: {}", found.unwrap().collect::<String>());
        }
    }
    let page = std::fs::read_to_string(world.path("page.html")).unwrap().to_lowercase();
    assert!(!page.contains("acme"));
    for table in std::fs::read_dir(world.path("tables")).unwrap().flatten() {
        let text = std::fs::read_to_string(table.path()).unwrap().to_lowercase();
        assert!(!text.contains("acme"), "{table:?}");
    }
}

#[test]
fn one_name_has_one_pseudonym_in_all_reports_of_a_run() {
    let world = world("mask-same");
    let document = world.run(&["facts", "in", "--mask", "--json"]).json();
    let reports = document["reports"].as_array().unwrap();
    assert_eq!(reports.len(), 3);
    for report in reports {
        assert_eq!(report["db_name"], "db-1");
        assert_eq!(report["instance"], "instance-1");
        assert_eq!(report["host"], "host-1", "{report}");
        assert_eq!(report["db_id"], Value::Null);
    }
    let sources: Vec<_> = reports.iter().map(|r| &r["source"]).collect();
    assert_eq!(sources, ["report-1", "report-2", "report-3"]);
    assert_eq!(document["unread"][0]["source"], "report-4");
}

#[test]
fn masking_changes_no_figure_and_no_finding() {
    let Some(corpus) = corpus() else { return };
    let world = World::new("mask-figures");
    let corpus = corpus.display().to_string();
    let plain = world.run(&["diagnose", "--json", &corpus]).json();
    let masked = world.run(&["diagnose", "--json", "--mask", &corpus]).json();
    // A series is sorted by database, and so by the masked name.
    assert_eq!(figures(&plain["reports"]), figures(&masked["reports"]));
    let sorted = |document: &Value| {
        let rows = document["series"].as_array().unwrap().iter();
        let mut rows: Vec<_> = rows.map(|row| row["db_time_s"].to_string()).collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&plain), sorted(&masked));
    let rules = |document: &Value| -> Vec<Vec<String>> {
        let reports = document["reports"].as_array().unwrap().iter();
        reports
            .map(|r| r["findings"].as_array().unwrap().iter().map(|f| f["rule"].to_string()).collect())
            .collect()
    };
    assert_eq!(rules(&plain), rules(&masked));
}

/// All numbers of a document in order, but for the database identifiers, which are masked.
fn figures(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(n) => n.as_f64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(figures).collect(),
        Value::Object(map) => {
            map.iter().filter(|(key, _)| *key != "db_id").flat_map(|(_, v)| figures(v)).collect()
        }
        _ => Vec::new(),
    }
}

/// Names that the reports of the corpus print, as `facts` reads them unmasked, are in no masked
/// output. Short ones and plain words are left out: they would be found in Oracle's own names.
#[test]
fn names_of_real_reports_are_left_nowhere() {
    let Some(corpus) = corpus() else { return };
    let world = World::new("mask-corpus");
    let mut searched = 0;
    for file in files(&corpus) {
        let path = file.display().to_string();
        let plain = world.run(&["facts", "--json", &path]).json();
        let names = names(&plain);
        if names.is_empty() {
            continue;
        }
        for arguments in [
            &["facts", "--json", "--mask", &path][..],
            &["diagnose", "--json", "--mask", &path],
            &["diagnose", "--mask", "--html", "page.html", &path],
        ] {
            let _ = std::fs::remove_file(world.path("page.html"));
            let ran = world.run(arguments);
            let page = std::fs::read_to_string(world.path("page.html")).unwrap_or_default();
            for text in [&ran.out, &ran.err, &page] {
                let text = text.to_lowercase();
                for name in &names {
                    assert!(!has_word(&text, name), "`{name}` is left by {arguments:?}");
                    searched += 1;
                }
            }
        }
    }
    assert!(searched > 1000, "{searched}");
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()) {
        if entry.is_dir() { files.extend(self::files(&entry)) } else { files.push(entry) }
    }
    files.sort();
    files
}

fn names(document: &Value) -> Vec<String> {
    let (mut identities, mut names) = (Vec::new(), Vec::new());
    for report in document["reports"].as_array().unwrap() {
        for key in ["db_name", "instance", "host", "container"] {
            let name = report[key].as_str().map(str::to_lowercase);
            identities.extend(name.filter(|n| n.len() > 3 && n != "oracle"));
        }
        let column = |table: &str, key: &str| -> Vec<String> {
            let rows = report["tables"][table].as_array().into_iter().flatten();
            rows.filter_map(|row| row[key].as_str().map(str::to_owned)).collect()
        };
        for (table, key) in [
            ("segment_stat", "owner"),
            ("segment_stat", "object"),
            ("file_io", "file"),
            ("sql_stat", "module"),
            ("tablespace_io", "tablespace"),
            ("service", "service_name"),
        ] {
            names.extend(column(table, key));
        }
        // The beginning of a statement, after its verb.
        let texts = column("sql_text", "text");
        names.extend(texts.iter().filter(|t| t.len() > 40).filter_map(|t| t.get(8..38).map(str::to_owned)));
    }
    for name in &mut names {
        *name = name.trim().to_lowercase();
    }
    // Oracle's own names stay, and a plain word (an owner called LEAF) stands in statistics too.
    let oracles = ["undo", "temp", "sys$", "sys_", "**"];
    names.retain(|n| {
        n.len() > 4 && n.contains(['_', '.', '/', '$', ' ', '@']) && !oracles.iter().any(|o| n.starts_with(o))
    });
    names.extend(identities);
    names.sort();
    names.dedup();
    names
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
