//! `--mask`: nothing that names a site is in anything written, and the figures are the same.

use crate::world::{World, corpus, facts};
use serde_json::Value;
use spindle_facts::{Layout, Parameter, Report};
use spindle_test_support::{Release, Style, render};

/// Runs that write everything that there is to write.
const RUNS: [&[&str]; 10] = [
    &["diagnose", "in", "--mask", "--html", "page.html"],
    &["diagnose", "in", "--mask", "--json"],
    &["facts", "in", "--mask"],
    &["facts", "in", "--mask", "--json"],
    &["facts", "in", "--mask", "--sections"],
    &["facts", "in", "--mask", "--csv", "tables"],
    &["place", "in", "--mask", "--tier", "flash=1T,0.2ms", "--size", "ACME_APP.ACME_ORDERS_0=20G"],
    &["place", "in", "--mask", "--json", "--tier", "flash=1T,0.2ms", "--size", "temp=9G"],
    &["size", "in", "--mask", "--html", "size.html"],
    &["size", "in", "--mask", "--json"],
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
        row.object = Some(format!("ACME_ORDERS_{n}").into());
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
        tables.parameter.push(Parameter {
            name: name.into(),
            begin_value: begin_value.map(Into::into),
            ..Parameter::default()
        });
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
    for page in ["page.html", "size.html"] {
        let page = std::fs::read_to_string(world.path(page)).unwrap().to_lowercase();
        assert!(!page.contains("acme"));
    }
    for table in std::fs::read_dir(world.path("tables")).unwrap().flatten() {
        let text = std::fs::read_to_string(table.path()).unwrap().to_lowercase();
        assert!(!text.contains("acme"), "{table:?}");
    }
}

/// A report, lists and plans in which every name of the site holds `qzx`, wherever a name, an error, a bad
/// cell or an option may stand; names of objects longer than a text report prints.
fn world_of_lists(name: &str) -> World {
    let world = World::new(name);
    let mut report = acme();
    let id = &mut report.identity;
    (id.db_name, id.instance, id.host) =
        (Some("QZXPROD".into()), Some("qzxprod1".into()), Some("qzx-db7.qzx.x".into()));
    let mut list = "OWNER,SEGMENT_NAME,SEGMENT_TYPE,TABLESPACE_NAME,BYTES\n".to_owned();
    for (n, row) in report.tables.segment_stat.iter_mut().enumerate() {
        row.owner = Some("QZX_APP".into());
        row.object = Some(format!("QZX{n:02}_ORDER_LINES_ARCHIVE").into());
        row.tablespace = Some("QZX_DATA".into());
        let kind = row.object_type.as_deref().unwrap_or("TABLE");
        list.push_str(&format!(
            "QZX_APP,QZX{n:02}_ORDER_LINES_ARCHIVE,{kind},QZX_DATA,{}000000000\n",
            n + 20
        ));
    }
    for row in report.tables.file_io.iter_mut() {
        row.file = format!("/u02/qzx/{}.dbf", row.io.line);
    }
    for io in report.tables.file_io.iter_mut().map(|f| &mut f.io) {
        io.tablespace = "QZX_DATA".into();
    }
    for io in &mut report.tables.tablespace_io {
        io.tablespace = "QZX_DATA".into();
    }
    for row in &mut report.tables.sql_stat {
        row.module = Some("qzx_billing@qzx-app3".into());
    }
    for row in &mut report.tables.sql_text {
        row.text = "SELECT qzx_secret FROM qzx_orders".into();
    }
    world.put("in/qzx_1.txt", render(&report, &Style::new(Release::V11_2_0_3, Layout::Text)));
    list.push_str("QZX_APP,QZX_BAD,TABLE,QZX_DATA,12QZX\nQZX_APP,QZX_BAD2,TABLE,QZX_DATA,`qzx` 5\n");
    list.push_str("ORA-00942: table or view \"QZX_HR\".\"QZX_SECRET\" does not exist\n");
    world.put("qzx_segments.csv", &list);
    world.put(
        "qzx_plans.txt",
        "SPINDLE|1|plans\nH|db_name|QZXPROD\nH|host|qzx-db7\nH|container|QZXPDB\n\
         ORA-12154: TNS: could not resolve `QZX_ALIAS` or `qzx`\n\
         B|plans|SQL_ID|PLAN_HASH_VALUE|EXECUTIONS|ID|PARENT_ID|OPERATION|OPTIONS|OBJECT_OWNER|OBJECT_NAME|BYTES\n\
         D|aaaaaaaaaaaaa|1|3|0||SELECT STATEMENT||||\n\
         D|aaaaaaaaaaaaa|1|3|1|0|TABLE ACCESS|FULL QZX_OPTION|QZX_APP|QZX_PLANNED|9000\n\
         D|aaaaaaaaaaaaa|1|3|2|0|TABLE ACCESS QZX_OPERATION|FULL|QZX_APP|QZX_PLANNED2|9000\n\
         D|aaaaaaaaaaaaa|1|QZX_BAD|3|0|INDEX|RANGE SCAN|QZX_APP|QZX_PLANNED3|qzx\n\
         E|plans|4\n\
         B|statements_history|SQL_ID|DISK_READS|SQL_TEXT\nD|bbbbbbbbbbbbb|4|select qzx from qzx\nE|statements_history|1\n\
         B|plans_history|SQL_ID|ID|OPERATION|OBJECT_OWNER|OBJECT_NAME\nD|bbbbbbbbbbbbb|1|INDEX|QZX_APP|QZX_OLD\n\
         E|plans_history|1\nORA-01555: snapshot too old: \"QZX_UNDO\"\nZ|plans\n",
    );
    world.put("qzx_other.txt", "SPINDLE|1|segments\nH|db_name|QZXOTHER\nB|segments|SEGMENT_NAME|BYTES\nD|QZX_A|1\nE|segments|1\nZ|segments\n");
    world.put("qzx_bad.csv", "OWNER;SEGMENT_NAME;SIZE_QZX;SIZE\nQZX;QZX_A;1;2\n");
    world
}

const PLACED: [&str; 12] = [
    "place",
    "in",
    "--tier",
    "flash=100G,0.2ms,0.05ms,2000MB/s",
    "--segments",
    "qzx_segments.csv",
    "--plans",
    "qzx_plans.txt",
    "--size",
    "temp=9G",
    "--ban",
    "QZX_NOBODY",
];

#[test]
fn errors_bad_cells_and_options_of_lists_left_names() {
    let world = world_of_lists("mask-lists");
    // Without the option the names are there, those of errors and bad cells too.
    let plain = world.run(&[&PLACED[..], &["--json"]].concat());
    for name in [
        "QZX_SECRET",
        "12QZX",
        "QZX_UNDO",
        "QZX_ALIAS",
        "QZX_NOBODY",
        "FULL QZX_OPTION",
        "ACCESS QZX_OPERATION",
    ] {
        assert!(plain.out.contains(name), "{name} in {}", plain.out);
    }
    let refused: [&[&str]; 6] = [
        &["--pin", "QZX_NOBODY"],
        &["--size", "QZX_APP.QZX=qzx"],
        &["--size", "qzx"],
        &["--database", "QZXOTHER"],
        &["--segments", "qzx_other.txt"],
        &["--segments", "qzx_bad.csv"],
    ];
    let written: [&[&str]; 4] = [
        &["--json", "--size", "QZX_APP.QZX_UNKNOWN=3G"],
        &["--html", "page.html"],
        &["--keep-indexes"],
        &["--pin", "QZX_APP.QZX06_ORDER_LINES_ARCHIVE", "--json"],
    ];
    for more in refused.iter().chain(&written) {
        let ran = world.run(&[&PLACED[..], &["--mask"], more].concat());
        assert_eq!(ran.exit == 2, refused.contains(more), "{more:?}: {}", ran.err);
        let page = std::fs::read_to_string(world.path("page.html")).unwrap_or_default();
        for text in [&ran.out, &ran.err, &page] {
            let found = text.to_lowercase().find("qzx");
            let around = found.map(|at| text[at.saturating_sub(200)..].chars().take(400).collect::<String>());
            assert!(around.is_none(), "{more:?}: {}", around.unwrap());
        }
        if ran.exit != 2 && more.contains(&"--json") {
            assert!(ran.out.contains("ORA-00942: <masked>"), "the code of an error stays");
        }
    }
}

#[test]
fn names_that_text_clips_joined_nothing_once_masked() {
    let world = world_of_lists("mask-clipped");
    let sizes = |more: &[&str]| -> Vec<String> {
        let plan = world.run(&[&PLACED[..], &["--json"], more].concat()).json();
        let candidates = plan["candidates"].as_array().unwrap().iter();
        let segments = candidates.filter(|c| !c["owner"].is_null());
        let mut all: Vec<String> = segments.map(|c| c["size_bytes"].to_string()).collect();
        all.sort();
        all
    };
    let plain = sizes(&[]);
    assert!(plain.iter().filter(|s| *s != "null").count() > 3, "{plain:?}");
    assert_eq!(plain, sizes(&["--mask"]));
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
