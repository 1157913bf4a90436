//! `spindle place` as a person and a script meet it.

use crate::world::{Ran, World};
use serde_json::Value;
use spindle_facts::Layout;
use spindle_test_support::{Release, Style, cases, render};

const TIER: &str = "flash=300G,0.2ms,0.05ms,2000MB/s";

/// Segments of the warehouse, as a person lists them.
const SEGMENTS: &str = "\
OWNER,SEGMENT_NAME,SEGMENT_TYPE,TABLESPACE_NAME,BYTES
TPCH,H_LINEITEM,TABLE,TPCH_DATA,107374182400
TPCH,H_ORDER,TABLE,TPCH_DATA,32212254720
TPCH,H_PARTSUPP,TABLE,TPCH_DATA,21474836480
TPCH,H_CUSTOMER,TABLE,TPCH_DATA,10737418240
TPCH,LINEITEM_IDX2,INDEX,TPCH_IDX,8589934592
";

/// A folder with the first node of the warehouse.
fn world(name: &str) -> World {
    let world = World::new(name);
    let report = &cases::warehouse()[0];
    world.put("dwh.html", render(report, &Style::new(Release::V11_2_0_3, Layout::Html)));
    world.put("segments.csv", SEGMENTS);
    world
}

fn run(world: &World, more: &[&str]) -> Ran {
    world.run(&[&["place", "dwh.html", "--tier", TIER], more].concat())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn the_document_is_as_promised() {
    let world = world("place-json");
    let ran = run(&world, &["--segments", "segments.csv", "--size", "temp=60G", "--json"]);
    let plan = ran.exits(0).json();
    for key in [
        "tiers",
        "candidates",
        "chosen",
        "frontier",
        "knee",
        "db_time_s",
        "relief_s",
        "statements",
        "alternatives",
        "unseen_io_pct",
        "script",
    ] {
        assert!(plan.get(key).is_some(), "{key}");
    }
    let chosen = plan["chosen"].as_array().unwrap();
    assert!(chosen.iter().any(|c| c == "TPCH.H_LINEITEM"), "{chosen:?}");
    assert!(chosen.iter().any(|c| c == "temp"), "{chosen:?}");
    let time = &plan["db_time_s"];
    assert!(number(&time["then_low"]) <= number(&time["then"]));
    assert!(number(&time["then"]) <= number(&time["then_high"]));
    assert!(number(&time["then_high"]) <= number(&time["now"]));
    for c in plan["candidates"].as_array().unwrap() {
        let saves = c["saves_s"].as_array().unwrap();
        assert!(number(&saves[0]) <= number(&saves[1]) && number(&saves[1]) <= number(&saves[2]), "{c}");
        assert!(c["tier"].is_null() || c["excluded_because"].is_null(), "{c}");
    }
    assert!(number(&plan["statements"][0]["gain"]) >= 1.0);
}

#[test]
fn without_sizes_nothing_is_chosen_and_the_answer_says_how_to_get_them() {
    let world = world("place-unsized");
    let ran = run(&world, &[]);
    ran.exits(1);
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Nothing can be chosen yet"), "{words}");
    assert!(words.contains("spindle collect segments"), "{words}");
}

#[test]
fn bad_use_is_refused_in_a_sentence() {
    let world = world("place-refused");
    for (arguments, said) in [
        (&["--tier", "x"][..], "--tier"),
        (&["--size", "temp"], "--size temp"),
        (&["--size", "temp=-4G"], "-4G"),
        (&["--size", "temp=much"], "much"),
        (&["--pin", "NOBODY.NOTHING"], "NOBODY.NOTHING"),
        (
            &[
                "--pin",
                "H_LINEITEM=flash",
                "--pin",
                "H_LINEITEM=b",
                "--tier",
                "b=1T,1ms",
                "--segments",
                "segments.csv",
            ],
            "to `flash` and to `b`",
        ),
        (&["--pin", "H_LINEITEM", "--segments", "segments.csv", "--tier", "tiny=1G,0.1ms"], "tiny"),
        (&["--segments", "dwh.html"], "dwh.html"),
        (&["--segments", "absent.csv"], "absent.csv"),
        (&["--curve", "segments.csv"], "curve"),
        (&["--database", "OTHER"], "OTHER"),
        (&["--script", "dwh.html"], "script"),
        (&["--script", "move.sql", "--tier-tablespace", "gold=FAST"], "gold"),
    ] {
        let ran = run(&world, arguments);
        if arguments.contains(&"tiny=1G,0.1ms") {
            // Pinned to the first tier, where it fits.
            ran.exits(0);
            continue;
        }
        ran.exits(2).says(said);
        assert!(!ran.err.contains("panicked") && ran.out.is_empty(), "{ran:?}");
    }
}

#[test]
fn signs_that_turn_writing_around_were_printed_as_they_stand() {
    let world = world("place-signs");
    world.put("segments.csv", SEGMENTS.replace("H_ORDER", "H_\u{202e}REDRO\u{1b}[2J"));
    let arguments = [
        "--segments",
        "segments.csv",
        "--ban",
        "A\u{202e}B\u{1b}C",
        "--html",
        "page.html",
        "--script",
        "move.sql",
    ];
    let ran = run(&world, &arguments);
    let mut texts = vec![ran.out, ran.err];
    texts.extend(
        ["page.html", "move.sql", "move_back.sql"].map(|f| std::fs::read_to_string(world.path(f)).unwrap()),
    );
    assert!(texts[0].contains("A\\u{202e}B\\u{1b}C"), "{}", texts[0]);
    for text in texts {
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
    }
}

#[test]
fn a_bad_cell_was_told_without_its_line() {
    let world = world("place-bad-cell");
    world.put("segments.csv", SEGMENTS.replace("107374182400", "500M"));
    let ran = run(&world, &["--segments", "segments.csv", "--json"]);
    let warnings = ran.json()["warnings"].to_string();
    assert!(warnings.contains("`segments.csv`, line 2: BYTES holds `500M`"), "{warnings}");
}

#[test]
fn a_list_of_another_database_is_refused() {
    let world = world("place-foreign");
    world.put(
        "other.txt",
        "SPINDLE|1|segments\nH|db_name|OTHERDB\nH|db_id|99\n\
         B|segments|OWNER|SEGMENT_NAME|SEGMENT_TYPE|TABLESPACE_NAME|BYTES\nD|TPCH|H_LINEITEM|TABLE|TPCH_DATA|1000000\n\
         E|segments|1\nZ|segments\n",
    );
    run(&world, &["--segments", "other.txt"]).exits(2).says("OTHERDB");
}

#[test]
fn a_negative_size_is_not_used() {
    let world = world("place-negative");
    world.put("segments.csv", SEGMENTS.replace("107374182400", "-5"));
    let ran = run(&world, &["--segments", "segments.csv", "--json"]);
    let plan = ran.json();
    let line =
        plan["candidates"].as_array().unwrap().iter().find(|c| c["object"] == "TPCH.H_LINEITEM").unwrap();
    assert!(line["size_bytes"].is_null(), "{line}");
    assert!(line["tier"].is_null(), "{line}");
}

#[test]
fn a_tier_slower_than_today_saves_nothing_and_says_so() {
    let world = world("place-slow");
    let plan = world
        .run(&[
            "place",
            "dwh.html",
            "--tier",
            "tape=9T,80ms,80ms,50MB/s",
            "--segments",
            "segments.csv",
            "--json",
        ])
        .json();
    assert_eq!(plan["chosen"].as_array().unwrap().len(), 0);
    let line =
        plan["candidates"].as_array().unwrap().iter().find(|c| c["object"] == "TPCH.H_LINEITEM").unwrap();
    assert!(line["excluded_because"].as_str().unwrap().contains("nothing to gain"), "{line}");
}

#[test]
fn two_databases_are_told_apart() {
    let world = world("place-two");
    world.put("sas.txt", crate::world::report());
    let both = ["place", "dwh.html", "sas.txt", "--tier", TIER];
    world.run(&both).exits(2).says("2 databases");
    let one = world.run(&[&both[..], &["--database", "DWH", "--json", "--size", "temp=60G"]].concat());
    assert_eq!(one.json()["measured"]["db_name"], "DWH");
}

#[test]
fn scripts_come_in_pairs_and_replace_only_scripts() {
    let world = world("place-script");
    let arguments = ["--segments", "segments.csv", "--size", "temp=60G", "--script", "move.sql"];
    run(&world, &arguments).exits(0);
    let forward = std::fs::read_to_string(world.path("move.sql")).unwrap();
    let back = std::fs::read_to_string(world.path("move_back.sql")).unwrap();
    for text in [&forward, &back] {
        assert!(text.starts_with("--") && text.contains("H_LINEITEM"), "{text}");
    }
    run(&world, &arguments).exits(0);
    world.put("move_back.sql", "select 1 from dual;\n");
    run(&world, &arguments).exits(2).says("move_back.sql");
    assert_eq!(std::fs::read_to_string(world.path("move_back.sql")).unwrap(), "select 1 from dual;\n");
}

/// A pair that moves the segments, and the arguments that wrote it.
const SCRIPTED: [&str; 6] = ["--segments", "segments.csv", "--size", "temp=60G", "--script", "move.sql"];

#[test]
fn a_second_plan_replaced_the_way_back_of_one_that_was_run() {
    let world = world("place-script-twice");
    let texts = || ["move.sql", "move_back.sql"].map(|f| std::fs::read_to_string(world.path(f)).ok());
    run(&world, &SCRIPTED).exits(0);
    let first = texts();
    // The same again says the same; another plan, or a script edited by hand, is left alone.
    run(&world, &SCRIPTED).exits(0);
    let other = [&SCRIPTED[..], &["--ban", "H_LINEITEM", "--html", "page.html"]].concat();
    run(&world, &other).exits(2).says("may have been run or edited; give another name");
    assert_eq!(texts(), first);
    assert!(!world.path("page.html").exists(), "nothing is done");
    let edited = first[0].clone().unwrap() + "-- at night only\n";
    world.put("move.sql", &edited);
    run(&world, &SCRIPTED).exits(2).says("`move.sql`");
    assert_eq!(texts(), [Some(edited), first[1].clone()]);
    std::fs::remove_file(world.path("move.sql")).unwrap();
    run(&world, &other).exits(2).says("`move_back.sql`");
    assert_eq!(texts(), [None, first[1].clone()]);
}

#[test]
fn a_way_forth_took_the_name_of_a_way_back() {
    let world = world("place-script-back");
    run(&world, &SCRIPTED).exits(0);
    let back = std::fs::read_to_string(world.path("move_back.sql")).unwrap();
    let mut arguments = SCRIPTED;
    for name in ["move_back.sql", "other_BACK.sql"] {
        arguments[5] = name;
        run(&world, &arguments).exits(2).says("for ways back");
    }
    assert_eq!(std::fs::read_to_string(world.path("move_back.sql")).unwrap(), back);
}

#[cfg(unix)]
#[test]
fn a_script_behind_a_link_lay_apart_from_its_way_back() {
    let world = world("place-script-link");
    world.put("there/run.sql", "");
    for link in ["move.sql", "move_back.sql"] {
        for target in ["there/run.sql", "there/none.sql"] {
            std::os::unix::fs::symlink(target, world.path(link)).unwrap();
            run(&world, &SCRIPTED).exits(2).says("it is a link");
            std::fs::remove_file(world.path(link)).unwrap();
        }
    }
    assert_eq!(std::fs::read_to_string(world.path("there/run.sql")).unwrap(), "");
    assert!(!world.path("move.sql").exists() && !world.path("there/none.sql").exists());
}

#[test]
fn a_size_given_twice_was_the_first_one() {
    let world = world("place-size-twice");
    for twice in [["temp=4G", "temp=8G"], ["temp=4G", "TEMP=8G"], ["control=1G", "control files=2G"]] {
        run(&world, &["--size", twice[0], "--size", twice[1]]).exits(2).says("stands twice");
    }
    let masked = run(&world, &["--size", "QZX=4G", "--size", "QZX=8G", "--mask"]);
    assert!(!masked.exits(2).err.contains("QZX"), "{masked:?}");
    run(&world, &["--size", "temp=4G", "--size", "temp=4096M"]).exits(0);
}

#[test]
fn a_status_of_one_without_a_reason() {
    let world = world("place-why");
    run(&world, &[]).exits(1).says("lack nothing but a size");
    // Sizes that nothing hangs on are not missed.
    world.run(&["place", "dwh.html", "--tier", "tape=9T,80s,80s", "--size", "temp=9G"]).exits(0);
    let Some(corpus) = spindle_test_support::corpus() else { return };
    for entry in std::fs::read_dir(corpus.join("awr-html")).unwrap().flatten() {
        let path = entry.path().display().to_string();
        let ran = world.run(&["place", &path, "--tier", "fl=100G,0.3ms", "--size", "temp=10G", "--json"]);
        assert!(ran.exit == 0 || !ran.err.is_empty(), "{path}: {ran:?}");
    }
}

/// `13 of the objects that would gain have no size` beside `Left where they are (2 of 16)`: of how many, nobody said.
#[test]
fn two_counts_of_what_would_gain() {
    let ran = run(&world("place-counts"), &[]);
    let (_, listed) = ran.out.split_once("Left where they are (").unwrap();
    let (_, all) = listed.split_once(" of ").unwrap();
    let (all, _) = all.split_once(')').unwrap();
    ran.says(&format!("nothing was chosen: of {all} objects that would gain, "));
}

#[test]
fn pins_and_bans_are_kept() {
    let world = world("place-pins");
    let sized = ["--segments", "segments.csv", "--json"];
    let chosen = |more: &[&str]| {
        let plan = run(&world, &[&sized[..], more].concat()).json();
        plan["chosen"].as_array().unwrap().iter().map(|c| c.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(!chosen(&["--ban", "H_LINEITEM"]).contains(&"TPCH.H_LINEITEM".to_owned()));
    assert!(chosen(&["--pin", "tpch.h_customer"]).contains(&"TPCH.H_CUSTOMER".to_owned()));
}

#[test]
fn the_library_of_profiles_can_be_listed_and_used() {
    let world = world("place-profiles");
    let listed = world.run(&["place", "--profiles"]);
    assert!(listed.exits(0).out.contains("nvme_mixed_use"));
    let plan = world
        .run(&["place", "dwh.html", "--tier", "fast=1T@nvme_mixed_use", "--size", "temp=60G", "--json"])
        .json();
    assert_eq!(plan["tiers"][0]["profile"], "nvme_mixed_use");
    assert!(number(&plan["tiers"][0]["read_latency_us"]) > 0.0);
}

#[test]
fn a_size_that_matched_nothing_was_told_among_doubts_only() {
    let world = world("place-size-unused");
    let ran = run(&world, &["--segments", "segments.csv", "--size", "TPCH.NO_SUCH=5G"]);
    assert!(ran.err.contains("`TPCH.NO_SUCH` has a size (--size)"), "{}", ran.err);
    let masked = run(&world, &["--segments", "segments.csv", "--size", "TPCH.NO_SUCH=5G", "--mask"]);
    assert!(!masked.err.contains("NO_SUCH") && masked.err.contains("--size"), "{}", masked.err);
}

#[test]
fn reports_without_events_of_sessions_ended_with_0() {
    let world = World::new("place-classes");
    let report = &cases::warehouse()[0];
    let mut report = report.clone();
    report.tables.wait_event.clear();
    report.tables.top_event.clear();
    world.put("dwh.html", render(&report, &Style::new(Release::V11_2_0_3, Layout::Html)));
    let ran = run(&world, &[]);
    ran.exits(1).says("do not print by event");
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("cannot be told") && !words.contains("Nothing is worth moving"), "{words}");
}

#[test]
fn numbers_were_cut_in_their_cells() {
    let world = world("place-cells");
    let ran = run(&world, &["--segments", "segments.csv", "--tier", "slow=300G,1s"]);
    for line in ran.out.lines().filter(|l| l.contains(" s  (")) {
        let bounds = line.split(" s  (").nth(1).unwrap();
        assert!(bounds.contains(')'), "{line}");
    }
}
