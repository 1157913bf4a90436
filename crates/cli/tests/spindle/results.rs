//! Results of other tools: shown, compared, as a curve; and refused where they do not belong.

use crate::world::{World, report};

/// A run of fio with reads of 8 KiB: one job a depth, one after the other.
fn fio(runs: &[(u32, u64, u64)]) -> String {
    let job = |(n, (depth, iops, lat_us)): (usize, &(u32, u64, u64))| {
        let (ios, bytes) = (iops * 10, iops * 10 * 8_192);
        format!(
            r#"{{"jobname":"acme{depth}","groupid":{n},"error":0,
"job options":{{"filename":"/u01/acme/file","bs":"8k","rw":"randread","direct":"1","ioengine":"io_uring","iodepth":"{depth}"}},
"read":{{"io_bytes":{bytes},"io_kbytes":{},"bw_bytes":{},"iops":{iops}.0,"runtime":10000,"total_ios":{ios},
"clat_ns":{{"mean":{lat}.0,"max":{lat},"percentile":{{"50.000000":{lat},"99.000000":{lat}}}}},
"lat_ns":{{"mean":{lat}.0,"max":{lat}}}}}}}"#,
            bytes / 1024,
            bytes / 10,
            lat = lat_us * 1_000,
        )
    };
    let jobs: Vec<String> = runs.iter().enumerate().map(job).collect();
    format!("{{\n\"fio version\":\"fio-3.33\",\n\"jobs\":[{}]}}\n", jobs.join(",\n"))
}

const DISK: &[(u32, u64, u64)] = &[(1, 100, 10_000), (2, 200, 10_000), (4, 250, 16_000)];
const FLASH: &[(u32, u64, u64)] = &[(1, 5_000, 200), (4, 16_000, 250)];

#[test]
fn a_result_is_shown_as_rows_and_as_the_type_of_measure() {
    let world = World::new("results-facts");
    world.put("x.txt", fio(DISK));
    let ran = world.run(&["facts", "x.txt", "--json"]);
    let document = ran.exits(0).json();
    let report = &document["reports"][0];
    assert_eq!((&report["kind"], &report["version"]), (&"fio".into(), &"fio-3.33".into()));
    let rows = report["tables"]["io_result"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[2]["iops"], &rows[2]["concurrency"]), (3, &250.into(), &4.into()));
    let stream = &report["measured"]["points"][2]["result"]["streams"][0];
    assert_eq!(
        (&stream["latency_us"]["mean"], &stream["percentiles_from"]),
        (&16_000.into(), &"submitted".into())
    );
    assert!(world.run(&["facts", "x.txt"]).exits(0).out.contains("io_result (3 rows)"));
    let sections = world.run(&["facts", "x.txt", "--sections"]);
    assert!(sections.exits(0).out.contains("job acme1 (group 0)"));
    // Damaged: what was read is shown, what was not is told, and the status says it.
    world.put("cut.txt", &fio(DISK)[..fio(DISK).len() - 60]);
    let cut = world.run(&["facts", "cut.txt", "--json"]);
    cut.exits(1).says("line").says("--output=FILE");
    assert_eq!(cut.json()["reports"][0]["tables"]["io_result"].as_array().unwrap().len(), 2);
}

#[test]
fn masked_a_result_keeps_no_name() {
    let world = World::new("results-mask");
    world.put("acme.json", fio(DISK));
    for arguments in [
        &["facts", "acme.json", "--mask", "--json"][..],
        &["facts", "acme.json", "--mask"],
        &["facts", "acme.json", "--mask", "--sections"],
        &["compare", "acme.json", "acme.json", "--mask", "--json"],
    ] {
        let ran = world.run(arguments);
        assert!(
            !ran.out.contains("acme") && !ran.err.contains("acme"),
            "{arguments:?}: {}{}",
            ran.out,
            ran.err
        );
    }
}

#[test]
fn two_results_are_compared_by_load() {
    let world = World::new("results-compare");
    world.put("a.json", fio(DISK));
    world.put("b.json", fio(FLASH));
    let ran = world.run(&["compare", "--before", "a.json", "--after", "b.json", "--json"]);
    let document = ran.exits(0).json();
    assert_eq!(document["kind"], "measurements");
    let runs = document["runs"].as_array().unwrap();
    assert_eq!((runs.len(), document["only_before"].as_array().unwrap().len()), (2, 1));
    assert_eq!(
        (&runs[1]["figures"][0]["name"], &runs[1]["figures"][0]["ratio"]),
        (&"iops".into(), &64.into())
    );
    let screen = world.run(&["compare", "a.json", "b.json"]);
    assert!(screen.exits(0).out.contains("read, 8192 bytes, random, 4 under way"), "{}", screen.out);
    world.run(&["compare", "a.json", "b.json", "--per", "time"]).exits(2).says("--per is for reports");
    world.run(&["compare", "a.json", "b.json", "--html", "x.html"]).exits(0).says("page written to");
    let page = std::fs::read_to_string(world.path("x.html")).unwrap();
    assert!(page.contains("read, 8192 bytes, random, 4 under way") && page.contains("dt k-uio"), "{page}");
    // A page takes the place of none of what is compared.
    world.run(&["compare", "a.json", "b.json", "--html", "a.json"]).exits(2);
    world.run(&["compare", "a.json"]).exits(2).says("one result alone");
}

#[test]
fn doubts_of_others_results_were_told_in_the_document_alone() {
    let world = World::new("results-doubts");
    let report = |rate: f64| {
        format!(
            "Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await\nsda  {rate:.2}  80.00  5.00  2.00  16.00  1.00\n\n"
        )
    };
    world.put("a.txt", report(10.0) + &report(11.0));
    world.put("b.txt", report(20.0) + &report(21.0));
    for arguments in [
        &["facts", "a.txt"][..],
        &["facts", "a.txt", "--sections"],
        &["facts", "a.txt", "--json"],
        &["compare", "a.txt", "b.txt"],
    ] {
        world.run(arguments).exits(1).says("`a.txt`, line 2: the first report of a call of iostat");
    }
    // What is so is no doubt.
    let machine = "Linux 5.14.0 (db01) \t11/22/2026 \t_x86_64_\t(16 CPU)\n\n";
    world.put("whole.txt", format!("{machine}{}{}", report(10.0), report(11.0)));
    world.run(&["facts", "whole.txt"]).exits(0).says("counts from boot");
}

#[test]
fn of_two_results_one_that_was_not_read_got_the_advice_to_give_two() {
    let world = World::new("results-one-unread");
    world.put("a.json", fio(DISK));
    world.put("old.txt", "Client1 (g=0): err= 0:\n  write: io=    32MiB, bw=   666KiB/s, runt= 50320msec\n");
    let ran = world.run(&["compare", "a.json", "old.txt"]);
    ran.exits(2).says("before 2.0").says("one result alone was read");
    assert!(!ran.err.contains("give --before"), "{}", ran.err);
    world.run(&["size", "--workload", "read=9,write=0", "--curve", "old.txt"]).exits(2).says("before 2.0");
}

#[test]
fn results_and_reports_do_not_mix() {
    let world = World::new("results-mixed");
    world.put("a.json", fio(DISK));
    world.put("r.txt", report());
    world.run(&["compare", "--before", "r.txt", "--after", "a.json"]).exits(2).says("report of a database");
    world.run(&["compare", "r.txt", "a.json"]).exits(2).says("mixed");
    world.run(&["diagnose", "a.json"]).exits(2).says("a result of fio and no report of a database");
    world.run(&["size", "a.json"]).exits(2).says("--curve");
    // Beside a report it is named and left out.
    world.run(&["diagnose", "r.txt", "a.json"]).exits(1).says("a result of fio and no report of a database");
}

#[test]
fn a_series_of_fio_is_a_curve_for_size() {
    let world = World::new("results-curve");
    world.put("a.json", fio(DISK));
    let size = |more: &[&str]| {
        let load = ["size", "--workload", "read=9000,write=0", "--latency-target", "13ms", "--json"];
        world.run(&[&load[..], more].concat())
    };
    // Requests that come by themselves: two served side by side at 100 a second each, 250 of four, take 13 ms at 126.8 a second by
    // the chain of births and deaths. The line between the points, 225, is of requests that were sent as others were answered.
    let one = size(&["--curve", "a.json"]);
    let disks = |document: serde_json::Value| {
        let rows = document["redundancy"].as_array().unwrap().clone();
        rows.into_iter().find(|r| r["name"] == "external").unwrap()["disks_for_iops"].clone()
    };
    assert_eq!(disks(one.exits(0).json()), 71);
    // The same in a file each.
    for (n, run) in DISK.iter().enumerate() {
        world.put(&format!("{n}.json"), fio(std::slice::from_ref(run)));
    }
    let each = size(&["--curve", "0.json", "--curve", "1.json", "--curve", "2.json"]);
    assert_eq!(disks(each.exits(0).json()), 71);
    world.put(
        "iostat.txt",
        "Device  r/s  w/s  rkB/s  wkB/s  r_await  w_await\nsda  1.00  2.00  8.00  16.00  1.00  1.00\n",
    );
    size(&["--curve", "iostat.txt"]).exits(2).says("not what it can do");
    world.put("other.txt", "nothing\n");
    size(&["--curve", "other.txt"]).exits(2).says("no device curve");
    size(&["--curve", "a.json", "--curve", "other.txt"]).exits(2).says("other.txt");
}

#[test]
fn a_rate_below_zero_in_a_document_of_ours_was_compared() {
    let world = World::new("results-own");
    world.put("f", vec![0; 1 << 20]);
    let ran = world.run(&["measure", "read", "f", "--random", "--count", "20", "--buffered", "--json"]);
    let text = ran.exits(0).out.clone();
    world.put("a.json", &text);
    let rate = text.find("\"iops\":").unwrap() + "\"iops\":".len();
    world.put("b.json", format!("{}-{}", &text[..rate], &text[rate..]));
    world.put("same.json", &text);
    world.run(&["compare", "a.json", "same.json"]).exits(0);
    world.run(&["compare", "a.json", "b.json"]).exits(2).says("as `iops`, which nothing can measure");
}
