//! `spindle size` as a person and a script meet it.

use crate::world::{World, corpus, report};
use serde_json::Value;

const STATED: [&str; 6] = ["size", "--workload", "read=5000,write=5000", "--disk", "180IOPS", "--racks"];

fn row<'v>(document: &'v Value, name: &str) -> &'v Value {
    document["redundancy"].as_array().unwrap().iter().find(|r| r["name"] == name).unwrap()
}

#[test]
fn the_worked_example_is_one_command() {
    let world = World::new("size-stated");
    let ran = world.run(&[&STATED[..], &["--json"]].concat());
    let document = ran.exits(0).json();
    let normal = row(&document, "normal");
    assert_eq!(normal["hardware_iops"], 15_000);
    assert_eq!(row(&document, "high")["hardware_iops"], 20_000);
    assert_eq!(format!("{:.1}", normal["disks_for_iops_bare_exact"].as_f64().unwrap()), "83.3");
    assert_eq!((&normal["disks_for_iops_bare"], &normal["cells_bare"]), (&84.into(), &7.into()));
    assert_eq!(format!("{:.1}", normal["cells_bare_exact"].as_f64().unwrap()), "6.9");
    let shown = world.run(&STATED);
    let words = shown.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for figure in [
        "15,000",
        "20,000",
        "83.3 disks",
        "6.94 cells",
        "half rack X2-2, high capacity, 7,200 rpm: 12,500 IOPS by its maker, 2,500 short",
        "full rack X2-2, high capacity, 7,200 rpm: 25,000 IOPS by its maker, 10,000 spare",
    ] {
        assert!(words.contains(figure), "{figure}\n{words}");
    }
}

#[test]
fn the_document_is_as_promised() {
    let world = World::new("size-json");
    world.put("a.txt", report());
    let ran = world.run(&["size", "a.txt", "--json", "--growth", "20%/year", "--years", "2"]);
    let document = ran.exits(0).json();
    for key in [
        "intervals",
        "gaps",
        "percentile",
        "intervals_beyond_percentile",
        "workload",
        "redundancy",
        "histogram",
        "drill",
        "growth",
        "consolidation",
    ] {
        assert!(document.get(key).is_some(), "{key}");
    }
    for key in [
        "begin_time",
        "end_time",
        "instances",
        "read_iops",
        "write_iops",
        "redo_write_iops",
        "read_mbps",
        "write_mbps",
        "by_cause",
    ] {
        assert!(document["intervals"][0].get(key).is_some(), "{key}");
    }
    for key in ["mean", "at_percentile", "max", "hidden_peak"] {
        assert!(document["workload"].get(key).is_some(), "{key}");
    }
    assert!(document["workload"]["hidden_peak"]["low"].is_null(), "nothing shorter than an hour was seen");
    for key in [
        "name",
        "write_penalty",
        "hardware_iops",
        "disks_for_iops",
        "disks_for_iops_bare",
        "disks_for_mbps",
        "disks_for_capacity",
        "disks",
        "cells",
        "utilisation",
        "latency_us",
    ] {
        assert!(row(&document, "normal").get(key).is_some(), "{key}");
    }
    assert!(row(&document, "normal")["disks_for_capacity"].is_null(), "no capacity was asked for");
    assert_eq!(document["growth"].as_array().unwrap().len(), 3);
    assert_eq!(document["growth"][2]["factor"], 1.44);
    assert!(!document["drill"][0]["sql"].as_array().unwrap().is_empty());
}

#[test]
fn page_and_workbook_are_written_and_a_workbook_is_never_replaced() {
    let world = World::new("size-files");
    world.put("a.txt", report());
    let arguments = ["size", "a.txt", "--html", "size.html", "--xlsx", "size.xlsx"];
    world.run(&arguments).exits(0).says("workbook written");
    let page = std::fs::read_to_string(world.path("size.html")).unwrap();
    assert!(page.contains(" - Spindle</title>") && !page.contains("http"), "an external address");
    assert!(std::fs::read(world.path("size.xlsx")).unwrap().starts_with(b"PK"));
    world.run(&arguments).exits(2).says("somebody may have worked in it");
}

#[test]
fn a_page_took_the_name_of_the_workbook() {
    let world = World::new("size-one-name");
    world.put("a.txt", report());
    for (html, xlsx) in [("a.xlsx", "a.xlsx"), ("./a.xlsx", "a.xlsx")] {
        world.run(&["size", "a.txt", "--html", html, "--xlsx", xlsx]).exits(2).says("name one file");
        assert!(!world.path("a.xlsx").exists());
    }
}

#[test]
fn a_workbook_for_standard_output_became_a_file() {
    let world = World::new("size-dash");
    world.put("a.txt", report());
    for arguments in
        [["size", "a.txt", "--xlsx", "-"], ["size", "a.txt", "--html", "-"], ["facts", "a.txt", "--csv", "-"]]
    {
        world.run(&arguments).exits(2).says("standard output");
        assert!(!world.path("-").exists());
    }
}

#[test]
fn the_name_of_a_curve_was_left_under_a_mask() {
    let world = World::new("size-curve");
    world.put("a.txt", report());
    world.put("qzx.json", "{\"qzx\": 1}");
    for curve in ["qzx.json", "qzx_none.json"] {
        assert!(world.run(&["size", "a.txt", "--curve", curve]).exits(2).err.contains("qzx"));
        let masked = world.run(&["size", "a.txt", "--mask", "--curve", curve]);
        assert!(!masked.exits(2).err.contains("qzx"), "{masked:?}");
    }
}

#[test]
fn one_screen_is_one_screen() {
    let world = World::new("size-screen");
    world.put("a.txt", report());
    for width in ["40", "80", "120"] {
        let ran = world.run(&["size", "a.txt", "--width", width, "--growth", "20%"]);
        ran.exits(0);
        let lines: Vec<&str> = ran.out.lines().collect();
        if width == "80" {
            assert!(lines.len() <= 40, "{}\n{}", lines.len(), ran.out);
        }
        let widest = lines.iter().map(|l| l.chars().count()).max().unwrap();
        assert!(widest <= width.parse().unwrap(), "{widest}\n{}", ran.out);
    }
}

#[test]
fn what_cannot_be_sized_is_refused_in_words() {
    let world = World::new("size-refused");
    world.put("a.txt", report());
    world.put("b.txt", "no report");
    for (arguments, says) in [
        (&["size"][..], "required"),
        (&["size", "b.txt"], "was not read"),
        (&["size", "a.txt", "--workload", "read=1,write=1"], "cannot be used with"),
        (&["size", "--workload", "read=1"], "both read and write"),
        (&["size", "--workload", "read=x,write=1"], "no rate"),
        (&["size", "--workload", "read=1,write=1,redo=2"], "redo is a part of write"),
        // Requests of no bytes needed no cell for MB/s.
        (&["size", "--workload", "read=5000,write=5000,read_mbps=0"], "read_mbps=0 no bytes"),
        (&["size", "--workload", "read=100,write=50,write_mbps=1000"], "write_mbps is 20.0 MB for each"),
        (&["size", "a.txt", "--percentile", "0"], "1 to 100"),
        (&["size", "a.txt", "--redundancy", "raid7"], "there are external"),
        (&["size", "a.txt", "--redundancy", "x=0"], "penalty"),
        (&["size", "a.txt", "--disk", "floppy"], "neither a profile"),
        (&["size", "a.txt", "--growth=-5%"], "growth"),
        (&["size", "a.txt", "--latency-target", "0"], "is no time"),
        (&["size", "a.txt", "--curve", "b.txt"], "no device curve"),
    ] {
        world.run(arguments).exits(2).says(says);
    }
    // A target that no disk can keep is no failure, but no answer either.
    world.run(&["size", "a.txt", "--latency-target", "1ms"]).exits(1).says("no number of disks");
}

/// A device of unknown size was said to hold any capacity where it was not the first, with exit status 0;
/// and 600 GB were 600 GiB.
#[test]
fn what_a_second_device_holds_was_not_asked() {
    let world = World::new("size-second");
    let load =
        ["size", "--workload", "read=5000,write=5000", "--disk", "disk_15k,600GB", "--capacity", "20TB"];
    let ran = world.run(&[&load[..], &["--disk", "nvme_mixed_use"]].concat());
    ran.exits(1).says("how many nvme_mixed_use hold that capacity is not known");
    let ran = world.run(&[&load[..], &["--disk", "nvme_mixed_use,3.2TB", "--json"]].concat());
    let document = ran.exits(0).json();
    assert_eq!(row(&document, "normal")["disks_for_capacity"], 67);
    assert_eq!(document["other_disks"][0]["disks"], 13);
}

#[test]
fn a_curve_stands_for_the_queue() {
    let world = World::new("size-curve");
    world.put(
        "curve.json",
        r#"{"kind":"curve","operation":"mix","block_bytes":8192,"points":[{"iops":100,"latency_us":{"mean":6000}},{"iops":200,"latency_us":{"mean":16000}}]}"#,
    );
    let ran = world.run(&[
        "size",
        "--workload",
        "read=9000,write=0",
        "--curve",
        "curve.json",
        "--latency-target",
        "11ms",
        "--json",
    ]);
    // Half way between the points: 150 requests a second at 11 ms.
    assert_eq!(row(&ran.exits(0).json(), "external")["disks_for_iops"], 60);
}

/// Every real report is sized or refused, and nothing in what is said is made up of NaN.
#[test]
fn real_series_are_sized() {
    let Some(corpus) = corpus() else { return };
    let world = World::new("size-corpus");
    let ran = world.run(&["size", corpus.to_str().unwrap(), "--json", "--top", "3"]);
    assert!(ran.exit <= 1, "{}", ran.err);
    let document = ran.json();
    assert!(document["databases"].as_array().unwrap().len() > 20);
    assert!(!ran.out.contains("NaN"));
}

/// A file that was given twice was read once without a word.
#[test]
fn a_file_given_twice_stood_in_no_list() {
    let world = World::new("size-twice");
    let name = "a.txt";
    world.put(name, report());
    let kinds = |arguments: &[&str]| {
        let document = world.run(&[&["size", "--json"], arguments].concat()).json();
        let gaps = document["gaps"].as_array().unwrap().clone();
        gaps.iter()
            .map(|g| (g["kind"].as_str().unwrap().to_owned(), g["message"].as_str().unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&[name]), []);
    let twice = |source: &str| {
        vec![("duplicate".to_owned(), format!("{source} is given more than once and counted once"))]
    };
    assert_eq!(kinds(&[name, name, "."]), twice(name));
    assert_eq!(kinds(&["--mask", name, &format!("./{name}")]), twice("report-1"));
}
