//! What figures of scenarios say of drives in use, of loads with several streams and of loads that storage does not keep
//! up with, by hand.
#![allow(clippy::unwrap_used)]

use spindle_io_simulate::scenario::{PointRun, Scenario};

fn run(text: &str) -> Result<PointRun, String> {
    let scenario = Scenario::read(text, "s.toml", &[], None).map_err(|errors| errors.to_string())?;
    scenario.run(0)
}

#[track_caller]
fn near(found: Option<f64>, by_hand: f64, share: f64) {
    let found = found.unwrap();
    assert!((found / by_hand - 1.0).abs() <= share, "{found}, by hand {by_hand}");
}

/// Random reads of 8 KiB on the drive that MQSim simulates.
fn flash(device: &str, depth: u32) -> String {
    format!(
        "name = \"s\"\nwarm_up = \"10 ms\"\n[end]\ntime = \"200 ms\"\n[device.d]\nmodel = \"mqsim_default\"\n{device}\n\
         [load.l]\non = \"d\"\nreads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = {depth}\n\
         [[figure]]\nname = \"mean\"\nof = \"l\"\nmeasure = \"mean\"\n[[figure]]\nname = \"IOPS\"\nof = \"l\"\nmeasure = \"iops\"\n"
    )
}

#[test]
fn a_drive_answered_reads_of_pages_that_no_load_wrote_without_its_flash() {
    // Command 5 us, cells 75, 8,192 bytes at 333 MB/s over the channel and at 3,200 over the link.
    let by_hand = 5.0 + 75.0 + 8_192.0 / 333.0 + 8_192.0 / 3_200.0;
    let one = run(&flash("", 1)).unwrap().values;
    near(one[0], by_hand, 1e-3);
    near(one[1], 1e6 / by_hand, 1e-3);
    // Eight channels that take 24.6 us a page.
    let many = run(&flash("", 64)).unwrap().values[1].unwrap();
    assert!(many < 8.0 * 333e6 / 8_192.0, "{many}");
    // Who asks for a fresh one is told what such a drive tells: nothing was read.
    near(run(&flash("fresh = true", 1)).unwrap().values[0], 5.0 + 8_192.0 / 3_200.0, 1e-3);
    let both = run(&flash("fresh = true\noverwrites = 1", 1)).unwrap_err();
    assert!(both.contains("a fresh drive was not written over"), "{both}");
}

#[test]
fn an_overwrite_beside_a_load_was_told_to_have_worn_the_drive() {
    let why = run(&(flash("", 1) + "[load.o]\nkind = \"overwrite\"\non = \"d\"\ntimes = 1\n")).unwrap_err();
    assert!(why.contains("give the drive `overwrites`"), "{why}");
}

const LOOK_UPS: &str = "name = \"s\"\n[end]\ntime = \"10 s\"\n[device.d]\nkind = \"latency_cap\"\ncapacity = \"10 GB\"\n\
     latency = \"1 ms\"\n[load.l]\nkind = \"index_reads\"\non = \"d\"\nblock = \"8 KiB\"\nfan_out = 100\n\
     cached_levels = 1\ntable_blocks = 3\nsessions = 2\n";

#[test]
fn a_load_of_several_streams_was_reported_by_its_first() {
    let figure = |stream: &str| {
        format!("{LOOK_UPS}[[figure]]\nname = \"f\"\nof = \"l\"\n{stream}\nmeasure = \"iops\"\n")
    };
    for text in [LOOK_UPS.to_owned(), figure("")] {
        let why = run(&text).unwrap_err();
        assert!(why.contains("\"index\", \"table\", \"look-up\""), "{why}");
    }
    // Two sessions on 1 ms are 2,000 reads a second: four blocks of the index and three of the table make a look-up.
    for (stream, reads) in [("index", 4.0), ("table", 3.0), ("look-up", 1.0)] {
        let found = run(&figure(&format!("stream = \"{stream}\""))).unwrap().values[0];
        near(found, 2_000.0 * reads / 7.0, 1e-2);
    }
}

#[test]
fn an_open_load_that_storage_does_not_keep_up_with_had_a_latency() {
    let at = |rate: u32| {
        let text = format!(
            "name = \"s\"\n[end]\ntime = \"100 s\"\n[device.d]\nkind = \"latency_cap\"\ncapacity = \"10 GB\"\nlatency = \"1 ms\"\n\
             iops = \"100 IOPS\"\n[load.l]\non = \"d\"\nreads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\n\
             rate = \"{rate} IOPS\"\narrivals = \"poisson\"\n"
        );
        run(&text).unwrap()
    };
    let over = at(150);
    assert_eq!(over.values[1], None);
    assert_eq!(over.result.streams[0].latency_us.p99, None);
    near(over.values[0], 100.0, 0.01);
    let said = over.result.warnings.join(" ");
    assert!(said.contains("does not keep up with `l`") && said.contains("100 a second were done"), "{said}");
    let under = at(80);
    assert!(under.result.warnings.is_empty() && under.values[1].is_some());
}

#[test]
fn figures_that_storage_cannot_have_came_to_nothing_without_a_word() {
    let of = |measure: &str| {
        run(&format!("{LOOK_UPS}[[figure]]\nname = \"f\"\nof = \"d\"\nmeasure = \"{measure}\"\n"))
            .unwrap_err()
    };
    assert!(of("hit_rate").contains("has a hit rate"));
    assert!(of("write_amplification").contains("amplifies writes"));
}

#[test]
fn a_run_of_thirty_years_was_begun() {
    let text = LOOK_UPS.replace("time = \"10 s\"", "count = 1000000000000000");
    assert!(run(&text).unwrap_err().contains("11574 days at a million a second"), "{:?}", run(&text));
}

#[test]
fn more_failure_groups_than_members_were_taken_for_fewer() {
    let text = LOOK_UPS.replace("on = \"d\"", "on = \"a\"")
        + "[array.a]\nkind = \"asm\"\nof = \"d\"\nmembers = 4\ngroups = 5\nredundancy = \"normal\"\nau = \"1 MiB\"\n";
    let why = run(&text).unwrap_err();
    assert!(why.contains("4 members do not lie in 5 failure groups"), "{why}");
}
