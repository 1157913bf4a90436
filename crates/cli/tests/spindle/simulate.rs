//! `spindle simulate` as a person and a script meet it.

use crate::world::World;
use serde_json::Value;
use spindle_test_support::validation;

/// A drive that nobody built, in the files of DiskSim.
const SPECS: &str = "disksim_disk D {
  Model = source D_validate.model,
  Per-request overhead time = 0, Time scale for overheads = 1, Bulk sector transfer time = 0.0,
  Max queue length = 1, Hold bus entire read xfer = 0, Never disconnect = 0, Allow read hits on write data = 1,
  Number of buffer segments = 2, Segment size (in blks) = 64, High (read) water mark = 0,
  Set watermark by reqsize = 1, Enable caching in buffer = 1, Buffer continuous read = 3,
  Maximum read-ahead (blks) = 32, Read-ahead on idle hit = 0, Fast write level = 1, Combine seq writes = 1,
  Stop prefetch in sector = 0, Extra write disconnect = 0,
  Read hit over. after read = 0.1, Read hit over. after write = 0.1,
  Read miss over. after read = 0.3, Read miss over. after write = 0.3,
  Write hit over. after read = 0.2, Write hit over. after write = 0.2,
  Write miss over. after read = 0.2, Write miss over. after write = 0.2,
  Read completion overhead = 0, Write completion overhead = 0, Data preparation overhead = 0,
  First reselect overhead = 0, Read disconnect afterread = 0, Read disconnect afterwrite = 0,
  Write disconnect overhead = 0, Minimum seek delay = 0
}
";

const MODEL: &str = "dm_disk M {
  Number of data surfaces = 2,
  Layout Model = dm_layout_g1 {
    LBN-to-PBN mapping scheme = 0, Sparing scheme used = 0,
    Zones = [ dm_layout_g1_zone {
      First cylinder number = 0, Last cylinder number = 9, Blocks per track = 100, Offset of first block = 0,
      Empty space at zone front = 0, Skew for track switch = 10, Skew for cylinder switch = 20,
      Number of spares = 0, slips = [], defects = []
    } ]
  },
  Mechanical Model = dm_mech_g1 {
    Access time type = trackSwitchPlusRotation, Seek type = extracted, Full seek curve = D.seek,
    Add. write settling delay = 0, Head switch time = 0.5, Rotation speed (in rpms) = 6000
  }
}
";

fn world(name: &str) -> World {
    let world = World::new(name);
    world.put("set/drives/D.diskspecs", SPECS);
    world.put("set/drives/D.model", MODEL);
    world.put("set/drives/D.seek", "1, 1.0\n9, 2.0\n");
    // Overhead 0.3, block 0 after a turn of 10, and over the bus; then a hit.
    world.put("set/drives/D.trace", "R Miss 0 4 10420.0 9580.0\nR Hit 4 8 180.0 0.0\n");
    world.put(
        "set/README.md",
        "Bus times, ms: D 0.01 both.\n\n| drive | rms |\n|---|---|\n| D (ours) | 0.5 (9 %) |\n",
    );
    world
}

#[test]
fn each_measured_drive_is_as_close_as_with_disksim() {
    let Some(folder) = validation() else { return };
    let ran =
        World::new("simulate-measured").run(&["simulate", "--validate", folder.to_str().unwrap(), "--json"]);
    let document: Value = serde_json::from_str(&ran.exits(0).out).unwrap();
    let drives = document["drives"].as_array().unwrap();
    let names: Vec<&str> = drives.iter().map(|d| d["drive"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["atlas_III", "barracuda", "cheetah4LP", "dec_rz26", "hp_c2247a", "hp_c2490a", "ibm18es"]
    );
    for drive in drives {
        let number = |name: &str| drive[name].as_f64().unwrap_or_else(|| panic!("{name} of {drive}"));
        assert!(number("rms_ms") <= number("disksim_rms_ms") + 0.001, "{drive}");
        assert!(
            (number("rms_of_mean_pct") - number("rms_ms") / number("measured_mean_ms") * 100.0).abs() < 1e-9
        );
        assert!(number("requests") > 7_000.0);
    }
    assert!(ran.err.is_empty(), "{}", ran.err);
    // Beside the drives' files, the times of a block on three buses are given, and said to be.
    let given = drives.iter().filter(|d| d["bus_given_by"] == "PARAMETERS.md").count();
    assert_eq!(given, 3);
}

#[test]
fn a_drive_is_a_line_and_what_was_given_is_said() {
    let world = world("simulate-table");
    let ran = world.run(&["simulate", "--validate", "set"]);
    ran.exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    // By hand 10.41 and 0.18 ms; measured 10.42 and 0.18.
    let cells: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(cells[..4], ["D", "2", "5.300", "5.295"], "{}", ran.out);
    assert_eq!(cells[6], "0.500");
    assert!(ran.out.contains("bus: D 0.01 (README.md)"), "{}", ran.out);
    let given = world.run(&["simulate", "--validate", "set/drives", "--bus-time", "D=0.02,0.03"]);
    assert!(
        given.exits(0).out.contains("bus: D 0.02 to and 0.03 from the host (--bus-time)"),
        "{}",
        given.out
    );
    // The folder of the drives is described by the one around it.
    assert!(world.run(&["simulate", "--validate", "set/drives"]).exits(0).out.contains("0.500"));
}

#[test]
fn a_bus_that_no_file_times_is_said() {
    let world = world("simulate-bus");
    std::fs::remove_file(world.path("set/README.md")).unwrap();
    world
        .run(&["simulate", "--validate", "set"])
        .exits(0)
        .says("no file gives D a time of a block on its bus");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_done() {
    let world = world("simulate-bad");
    world.put("set/drives/E.trace", "R Miss 0 4 10420.0 9580.0\n");
    world.put("set/drives/F.diskspecs", SPECS);
    world.put("set/drives/G.diskspecs", SPECS.replace("Segment size", "Segmnt size"));
    world.put("set/drives/G.trace", "R Miss 0 4 10420.0 9580.0\n");
    world.put("set/drives/H.diskspecs", SPECS);
    world.put("set/drives/H.model", MODEL);
    world.put("set/drives/H.trace", "R Miss 0 4 10420.0 9580.0\nR Miss 1999 4 1.0 1.0\n");
    let ran = world.run(&["simulate", "--validate", "set"]);
    ran.exits(1);
    ran.says("E was not validated: `E.diskspecs` was not read");
    ran.says("F was not validated: there is no `F.trace.gz` and no `F.trace`");
    ran.says("`G.diskspecs`, line 5: `Segmnt size (in blks)` is no key of `disksim_disk`; the nearest is `Segment size");
    ran.says("H was not validated: `H.trace`: request 1 (from 0) asks for 4 blocks from 1999 on; the drive's zones hold 2000");
    assert!(ran.out.contains("\nD "), "{}", ran.out);
}

#[test]
fn nothing_to_validate_is_nothing_done() {
    let world = World::new("simulate-nothing");
    world.put("empty/notes.txt", "");
    world.run(&["simulate", "--validate", "gone"]).exits(2).says("`gone` was not read");
    world.run(&["simulate", "--validate", "empty"]).exits(2).says("`empty` holds no drive");
    world.run(&["simulate"]).exits(2).says("<SCENARIO>");
    let bad = ["simulate", "--validate", "empty", "--bus-time", "D=x"];
    world.run(&bad).exits(2).says("`x` is no time of a block");
}

/// One reader before a cap, over how many it keeps under way.
const CAP: &str = r#"name = "a cap"
about = "Requests a second of a device of one latency."

[end]
time = "5 s"

[sweep]
depth = "1..4"

[parameter]
depth = { value = 1, origin = "by hand" }

[device.slow]
kind = "latency_cap"
latency = { value = "8 ms", origin = "fitted: reads at depth 1" }
iops = { value = "300 IOPS", origin = "by hand" }
capacity = { value = "1 GiB", origin = "by hand" }

[load.readers]
on = "slow"
reads = "100 %"
pattern = "random"
block = { value = "8 KiB", origin = "by hand" }
depth = "$depth"

[[figure]]
name = "IOPS"
of = "readers"
measure = "iops"

[[published]]
figure = "IOPS"
at = { depth = 1 }
value = { value = "125 IOPS", origin = "by hand" }
result = "reads at depth 1"
within = "1 %"

[[published]]
figure = "IOPS"
at = { depth = 4 }
value = { value = "300 IOPS", origin = "its cap" }
within = "1 %"
"#;

#[test]
fn a_scenario_answers_on_a_screen_a_page_in_json_and_as_a_curve() {
    let world = World::new("simulate-scenario");
    world.put("cap.toml", CAP);
    let ran =
        world.run(&["simulate", "cap.toml", "--html", "cap.html", "--curve", "cap.json", "--width", "80"]);
    ran.exits(0);
    assert!(
        ran.out.contains("IOPS: 125 a second at depth 1; 250 a second at depth 2; 300 a second at"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("fitted, no prediction") && ran.out.contains("within 1 %"), "{}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    let page = std::fs::read_to_string(world.path("cap.html")).unwrap();
    assert!(
        page.starts_with("<!doctype html>") && page.len() < 400_000 && page.contains(" - Spindle</title>")
    );
    assert!(
        page.contains("fitted,\u{a0}no\u{a0}prediction")
            && page.contains("device.slow.latency")
            && page.contains("by hand")
    );
    assert!(!page.contains("http://") && !page.contains("https://"));
    let curve: Value =
        serde_json::from_str(&std::fs::read_to_string(world.path("cap.json")).unwrap()).unwrap();
    assert_eq!((curve["kind"].as_str(), curve["seed"].as_u64()), (Some("curve"), Some(13)));
    assert!(curve["points"].as_array().unwrap().len() >= 3);
    let again = world.run(&["simulate", "cap.toml", "--json"]);
    let document: Value = serde_json::from_str(&again.exits(0).out).unwrap();
    let points = document["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    assert_eq!(points[3]["parameters"]["swept"][0][1], "4");
    assert!((points[3]["result"]["streams"][0]["iops"].as_f64().unwrap() - 300.0).abs() < 1.0);
    let rows = document["simulated"]["published"].as_array().unwrap();
    assert_eq!(rows[0]["fitted"][0], "device.slow.latency");
    assert!(rows[1]["fitted"].as_array().unwrap().is_empty());
    // The same on any number of processors, and by another sweep at the same point.
    assert_eq!(
        again.out.replace("--json", ""),
        world.run(&["simulate", "cap.toml", "--json"]).out.replace("--json", "")
    );
    let other = world.run(&["simulate", "cap.toml", "--sweep", "depth=4", "--seed", "13", "--json"]);
    let other: Value = serde_json::from_str(&other.exits(0).out).unwrap();
    assert_eq!(other["points"][0]["result"]["streams"], points[3]["result"]["streams"]);
}

#[test]
fn all_that_is_wrong_with_a_scenario_is_told_and_nothing_is_done() {
    let world = World::new("simulate-wrong");
    world.put("wrong.toml", CAP.replace("8 ms", "8 MB").replace("\"random\"", "\"rndom\""));
    let ran = world.run(&["simulate", "wrong.toml", "--html", "wrong.html"]);
    ran.exits(2);
    ran.says("nothing was simulated: 2 errors");
    ran.says("`wrong.toml`, line 15: `latency` is \"8 MB\", no number with such a unit");
    ran.says("`pattern` is \"rndom\"; the nearest is \"random\"");
    assert!(!world.path("wrong.html").exists());
    world.put("cap.toml", CAP);
    world
        .run(&["simulate", "cap.toml", "--sweep", "depth=1..1000000000"])
        .exits(2)
        .says("has 1000000000 values");
    world.run(&["simulate", "cap.toml", "--sweep", "depth"]).exits(2).says("depth");
    world.run(&["simulate", "cap.toml", "--sweep", "width=3"]).exits(2).says("there is no `width`");
    world.run(&["simulate", "gone.toml"]).exits(2).says("`gone.toml` was not read");
    world.run(&["simulate", "cap.toml", "--html", "cap.toml"]).exits(2).says("cap.toml");
    let no_curve = world.run(&["simulate", "cap.toml", "--sweep", "depth=2", "--curve", "one.json"]);
    no_curve.exits(1).says("no curve was written");
}

#[test]
fn the_keys_of_a_scenario_and_the_catalogue_are_listed() {
    let world = World::new("simulate-keys");
    let keys = world.run(&["simulate", "--keys", "cloud_volume", "--width", "80"]);
    keys.exits(0);
    for said in [
        "[device.NAME], kind = \"cloud_volume\"",
        "  burst_iops (optional;",
        "  capacity (required; 1 MiB to 1 PiB)",
    ] {
        assert!(keys.out.contains(said), "{said}: {}", keys.out);
    }
    assert!(keys.out.lines().all(|line| line.chars().count() <= 80), "{}", keys.out);
    assert!(!keys.out.contains("rpm"), "{}", keys.out);
    let all = world.run(&["simulate", "--keys"]);
    for table in [
        "[end]",
        "[array.NAME]",
        "[volume.NAME]",
        "kind = \"database_writer\"",
        "[[figure]]",
        "[[published]]",
    ] {
        assert!(all.exits(0).out.contains(table), "{table}");
    }
    world
        .run(&["simulate", "--keys", "floppy"])
        .exits(2)
        .says("no table is called `floppy`; there are array, asm,");
    let one = world.run(&["simulate", "--catalogue", "cheetah_st318404lc"]);
    assert!(one.exits(0).out.contains("average_seek") && one.out.contains("data sheet"), "{}", one.out);
    assert!(!one.out.contains("sata_1t_2010"));
    assert!(world.run(&["simulate", "--catalogue"]).exits(0).out.contains("mqsim_default (ssd)"));
    world
        .run(&["simulate", "--catalogue", "floppy"])
        .exits(2)
        .says("the catalogue has no `floppy`; it has maxtor");
}

#[test]
fn a_trace_is_a_load_of_a_scenario() {
    let world = World::new("simulate-trace");
    world.put("t.spc", "0,0,4096,r,0.0\n0,8,4096,w,0.5\n0,4096,8192,r,1.0\n");
    let load = "[load.l]\non = \"d\"\ntrace = \"t.spc\"\n[[figure]]\nname = \"mean\"\nof = \"l\"\nmeasure = \"mean\"\n";
    let file = |capacity: &str| {
        format!(
            "name = \"t\"\n[device.d]\nkind = \"latency_cap\"\nlatency = \"1 ms\"\ncapacity = \"{capacity}\"\n{load}"
        )
    };
    world.put("s.toml", file("1 GiB"));
    assert!(world.run(&["simulate", "s.toml"]).exits(0).out.contains("mean: 1 ms"));
    world.put("small.toml", file("2 MiB"));
    world
        .run(&["simulate", "small.toml"])
        .exits(2)
        .says("`small.toml`, line 6: stream `l`: the trace `t.spc` reaches to byte 2105344 and the region has 2097152 (line 3");
    world.put("t.spc", "0,0,4096,r,0.0\nrubbish\n");
    world.run(&["simulate", "s.toml"]).exits(1).says("1 of 2 lines are damaged");
    world.put("t.spc", "");
    world.run(&["simulate", "s.toml"]).exits(2).says("the trace `t.spc` is empty");
}

/// A disk of one arm over a load.
const ARM: &str = r#"name = "an arm"
seed = 13
warm_up = "5 s"
[end]
time = "120 s"
[device.d]
model = "sas_600g_15k"
[load.l]
on = "d"
reads = "100 %"
pattern = "random"
block = "8 KiB"
"#;

#[test]
fn a_curve_by_requests_under_way_sized_fewer_disks_than_one_by_rate() {
    let world = World::new("simulate-curves");
    world.put("depth.toml", format!("{ARM}depth = 1\n"));
    world.put("rate.toml", format!("{ARM}rate = \"50 IOPS\"\n"));
    let depths = "load.l.depth=1,2,4,8,16,32,64";
    world.run(&["simulate", "depth.toml", "--sweep", depths, "--curve", "depth.json"]).exits(0);
    let rates = "load.l.rate=20IOPS,60IOPS,100IOPS,120IOPS,140IOPS,160IOPS,180IOPS,200IOPS,230IOPS";
    world.run(&["simulate", "rate.toml", "--sweep", rates, "--curve", "rate.json"]).exits(0);
    let curve = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(world.path(name)).unwrap()).unwrap()
    };
    // How sure a point is was left out, though the run said it.
    for point in curve("rate.json")["points"]
        .as_array()
        .unwrap()
        .iter()
        .chain(curve("depth.json")["points"].as_array().unwrap())
    {
        let us = &point["latency_us"];
        let of = |name: &str| us[name].as_f64().unwrap_or_else(|| panic!("{name}: {point}"));
        assert!(
            of("low") <= of("mean") && of("mean") <= of("high") && of("low") > 0.9 * of("mean"),
            "{point}"
        );
        assert!(of("deviation") > 0.0);
    }
    let disks = |curve: &str| -> f64 {
        let ran = world.run(&[
            "size",
            "--workload",
            "read=15000,write=0",
            "--curve",
            curve,
            "--latency-target",
            "10ms",
            "--json",
        ]);
        let document: Value = serde_json::from_str(&ran.exits(0).out).unwrap();
        let needs = document["redundancy"].as_array().unwrap();
        needs.iter().find(|n| n["name"] == "normal").unwrap()["disks"].as_f64().unwrap()
    };
    let (by_depth, by_rate) = (disks("depth.json"), disks("rate.json"));
    assert!((by_depth / by_rate - 1.0).abs() < 0.08, "{by_depth} {by_rate}");
}

#[test]
fn a_scenario_from_standard_input_was_taken_for_a_file() {
    let world = World::new("simulate-input");
    let ran = world.run_with_input(&["simulate", "-"], CAP.as_bytes());
    assert!(ran.exits(0).out.contains("125 a second at depth 1"), "{}", ran.out);
    let bad = world.run_with_input(&["simulate", "-"], b"name = 1");
    assert!(bad.exits(2).err.contains("standard input"), "{}", bad.err);
}

#[test]
fn a_bus_time_without_drives_was_passed_over() {
    let world = World::new("simulate-bus-time");
    world.put("cap.toml", CAP);
    let ran = world.run(&["simulate", "cap.toml", "--bus-time", "a=0.1,0.1"]);
    assert!(ran.exits(2).err.contains("--bus-time"), "{}", ran.err);
}
