//! What figures of scenarios say of drives in use, of loads with several streams and of loads that storage does not keep
//! up with, by hand.
#![allow(clippy::unwrap_used)]

use spindle_io_simulate::scenario::{PointRun, Scenario, Traces};

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
    let why = run(&figure("")).unwrap_err();
    assert!(why.contains("\"index\", \"table\", \"look-up\""), "{why}");
    // Who asks for no figure is not told of one that he did not write: whole look-ups are what tells most.
    near(run(LOOK_UPS).unwrap().values[0], 2_000.0 / 7.0, 1e-2);
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

/// A volume of one latency, `d`, and a load `l` on it.
fn volume(end: &str, device: &str, load: &str) -> String {
    format!(
        "name = \"s\"\n{end}\n[device.d]\nkind = \"latency_cap\"\ncapacity = \"1 GB\"\nlatency = \"1 ms\"\n{device}\n[load.l]\n\
         on = \"d\"\n{load}\n"
    )
}

fn figure(name: &str, stream: &str, measure: &str) -> String {
    format!("[[figure]]\nname = \"{name}\"\nof = \"l\"\nstream = \"{stream}\"\nmeasure = \"{measure}\"\n")
}

#[test]
fn transactions_and_queries_computed_what_nobody_had_written() {
    let oltp = "kind = \"oltp\"\nsessions = 4\ndata = { from = \"0 %\", length = \"80 %\" }\nlog = { from = \"80 %\" }\n";
    let dss = "kind = \"dss\"\nstreams = 1\nqueries = 2\nscan = \"50 %\"\nspills = \"0 %\"\n";
    for (load, stream) in [(oltp, "transactions"), (dss, "queries")] {
        let at = |compute: &str| {
            let text = volume("[end]\ntime = \"10 s\"", "", &format!("{load}{compute}"));
            run(&(text + &figure("f", stream, "mean"))).unwrap().values[0].unwrap()
        };
        assert_eq!(at(""), at("compute = \"0 us\""));
        assert!(at("compute = \"2 ms\"") > 1.2 * at(""));
    }
}

#[test]
fn defaults_in_force_were_not_among_the_parameters() {
    let text = volume(
        "[end]\ntime = \"1 s\"",
        "",
        "kind = \"oltp\"\nsessions = 1\nreads = 3\nlog = { from = \"90 %\" }",
    );
    let scenario = Scenario::read(&text, "s.toml", &[], None).unwrap();
    let all = scenario.found(&[None]).parameters;
    let of =
        |path: &str| all.iter().find(|p| p.path == path).map(|p| (p.value.as_str(), p.origin.as_deref()));
    assert_eq!(of("load.l.changes"), Some(("5", Some("estimate: the default"))));
    assert_eq!(of("load.l.redo"), Some(("6144 bytes on average", Some("estimate: the default"))));
    assert_eq!(of("load.l.compute"), Some(("0 us", Some("the default: none"))));
    assert_eq!(of("load.l.database writer, begin_at"), Some(("1024", Some("estimate: no key sets it"))));
    // What is given is no default.
    assert_eq!(of("load.l.reads"), Some(("3", None)));
}

#[test]
fn the_time_out_of_the_database_writer_wrote_one_batch_alone() {
    let at = |batch: u32| {
        let load = format!(
            "kind = \"database_writer\"\nblock = \"8 KiB\"\nchanges = \"100 /s\"\npattern = \"random\"\nevery = \"3 s\"\nbatch = {batch}"
        );
        let text = volume("[end]\ntime = \"60 s\"", "", &load) + &figure("f", "writes", "iops");
        run(&text).unwrap().values[0].unwrap()
    };
    // Nearly 100 a second of 122,070 blocks: what is changed in the last three seconds is still in memory.
    let whole = at(1_000);
    assert!((90.0..100.0).contains(&whole), "{whole}");
    for batch in [10, 100, 256] {
        near(Some(at(batch)), whole, 0.03);
    }
}

#[test]
fn a_log_with_more_commits_than_it_writes_answered_with_the_length_of_the_run() {
    let at = |rate: u32| {
        let load = format!("kind = \"log\"\nrate = \"{rate} /s\"\nredo = \"2 KiB\"\nmost_write = \"4 KiB\"");
        let text = volume("warm_up = \"1 s\"\n[end]\ntime = \"20 s\"", "", &load);
        run(&(text + &figure("f", "log file sync", "mean"))).unwrap()
    };
    // Two commits a write of 1 ms.
    let over = at(5_000);
    assert_eq!(over.values[0], None);
    assert!(over.behind[0].contains("does not keep up with `log file sync`"), "{:?}", over.behind);
    assert!(
        over.behind[0].contains("2000 a second were done") || over.behind[0].contains("and 2000"),
        "{:?}",
        over.behind
    );
    let under = at(1_000);
    assert!(under.behind.is_empty() && under.values[0].unwrap() < 5_000.0);
}

#[test]
fn a_database_writer_that_does_not_keep_up_was_told_as_one_that_does() {
    let at = |per_s: u32| {
        let load = format!(
            "kind = \"database_writer\"\nblock = \"8 KiB\"\nchanges = \"{per_s} /s\"\npattern = \"random\"\nunder_way = 1\n\
             most_dirty = 4096"
        );
        run(&volume("[end]\ntime = \"30 s\"", "", &load)).unwrap().behind
    };
    let said = at(5_000).join(" ");
    assert!(said.contains("does not keep up with `l`") && said.contains("free buffer waits"), "{said}");
    assert!(at(500).is_empty());
}

#[test]
fn a_run_over_two_states_of_a_drive_was_one_number() {
    let plane = "channels = 1\nchips = 1\ndies = 1\nplanes = 1\nbuffer_pages = 16\n";
    let at = |device: &str, time: u32| {
        let text = format!(
            "name = \"s\"\n[end]\ntime = \"{time} s\"\n[device.d]\nmodel = \"mqsim_default\"\n{plane}{device}[load.l]\non = \"d\"\n\
             reads = \"0 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 4\n"
        );
        run(&text).unwrap()
    };
    let filled = at("", 20);
    let said = filled.unsteady.join(" ");
    assert!(said.contains("`l` is not steady") && said.contains("give it `overwrites`"), "{said}");
    assert!(filled.result.warnings.contains(&filled.unsteady[0]));
    // Many blocks, written over: one state, and nothing to be told.
    assert!(at("overwrites = 3\n", 60).unsteady.is_empty());
}

#[test]
fn a_queue_that_was_filling_had_half_of_its_latency() {
    let at = |depth: u32| {
        let load = format!("reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = {depth}");
        run(&volume("[end]\ntime = \"10 s\"", "iops = \"1000 IOPS\"", &load)).unwrap().unsteady.join(" ")
    };
    let said = at(20_000);
    assert!(said.contains("by Little's law a request takes 2000") && said.contains("ms"), "{said}");
    assert_eq!(at(64), "");
}

#[test]
fn mirrors_read_half_of_their_disks_where_nobody_said_so() {
    let at = |kind: &str, more: &str| {
        let text = format!(
            "name = \"s\"\n[end]\ntime = \"10 s\"\n[device.d]\nmodel = \"sas_300g_10k\"\n[array.a]\nkind = \"{kind}\"\nof = \"d\"\n\
             members = 4\n{more}[load.l]\non = \"a\"\nreads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 32\n"
        );
        run(&text).unwrap().values[0].unwrap()
    };
    for (kind, stripe) in [("mirror", ""), ("raid10", "stripe = \"64 KiB\"\n")] {
        let turns = at(kind, &format!("{stripe}read_from = \"round_robin\"\n"));
        assert_eq!(at(kind, stripe), turns);
        assert!(turns > 1.4 * at(kind, &format!("{stripe}read_from = \"first\"\n")));
    }
}

/// Writes on one plane of so many blocks.
fn plane(blocks: u32, pattern: &str) -> Vec<String> {
    let text = format!(
        "name = \"s\"\n[end]\ntime = \"1 s\"\n[device.d]\nmodel = \"mqsim_default\"\nchannels = 1\nchips = 1\ndies = 1\nplanes = 1\n\
         blocks = {blocks}\n[load.l]\non = \"d\"\nreads = \"0 %\"\n{pattern}\nblock = \"8 KiB\"\ndepth = 1\n\
         [[figure]]\nname = \"f\"\nof = \"d\"\nmeasure = \"formula_amplification\"\n"
    );
    run(&text).unwrap().result.warnings
}

#[test]
fn a_drive_of_few_blocks_was_said_to_answer_as_a_large_one() {
    let said = plane(64, "pattern = \"random\"").join(" ");
    assert!(
        said.contains("of 64 blocks a plane one is being written") && said.contains("5.3 % spare"),
        "{said}"
    );
    assert!(!plane(2_048, "pattern = \"random\"").join(" ").contains("being written"));
}

#[test]
fn the_formula_of_random_writes_stood_beside_a_hot_spot_without_a_word() {
    let hot = "pattern = \"hotspot\"\nhot = { accesses = \"80 %\", blocks = \"20 %\" }";
    assert!(plane(2_048, hot).join(" ").contains("it says nothing of this load"));
    assert!(!plane(2_048, "pattern = \"random\"").join(" ").contains("it says nothing of this load"));
}

#[test]
fn a_sort_that_fits_in_memory_was_spilt() {
    let load = "kind = \"temp\"\nbytes = \"100 MiB\"\nspill = \"sort\"\nmemory = \"1 GiB\"\nwidth = 16\nio = \"1 MiB\"";
    let why = run(&volume("", "", load)).unwrap_err();
    assert!(why.contains("spills nothing"), "{why}");
    run(&volume("", "", &load.replace("1 GiB", "50 MiB"))).unwrap();
}

#[test]
fn stripes_that_are_no_whole_sectors_were_taken() {
    let array = "[array.a]\nkind = \"stripe\"\nof = \"d\"\nmembers = 2\nstripe = \"1000 bytes\"\n";
    let load = "reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 1\n";
    let text = volume("[end]\ntime = \"1 s\"", array, load).replace("on = \"d\"", "on = \"a\"");
    assert!(run(&text).unwrap_err().contains("no whole sectors"));
}

#[test]
fn storage_was_busy_for_more_than_all_of_the_time() {
    let load = "reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 40\n\
                [[figure]]\nname = \"busy\"\nof = \"d\"\nmeasure = \"busy\"";
    let text = volume("warm_up = \"0.5001 s\"\n[end]\ntime = \"1.0003 s\"", "iops = \"990 IOPS\"", load);
    assert_eq!(run(&text).unwrap().values[0], Some(100.0));
}

#[test]
fn a_trace_of_years_ended_without_a_word_after_213_days() {
    let text = "name = \"s\"\n[device.d]\nkind = \"latency_cap\"\ncapacity = \"1 GB\"\nlatency = \"1 ms\"\n[load.l]\non = \"d\"\n\
                trace = \"t.spc\"\n";
    let scenario = Scenario::read(text, "s.toml", &[], None).unwrap();
    let last = |seconds: &str| {
        let lines = format!("0,0,8192,R,0.0\n0,16,8192,R,{seconds}\n");
        let traces = Traces::new(move |_| Ok(Box::new(std::io::Cursor::new(lines.clone()))));
        scenario.run_with(0, &traces, None)
    };
    let why = last("20000000.0").unwrap_err();
    assert!(why.contains("goes on for 231 days at this speed, and 208 are the most"), "{why}");
    assert!(last("1000000.0").is_ok());
}

/// A cache that is empty at first, asked at a rate.
fn warming(warm_up: u32, load: &str) -> String {
    format!(
        "name = \"s\"\nwarm_up = \"{warm_up} s\"\n[end]\ntime = \"20 s\"\n[device.s]\nkind = \"latency_cap\"\ncapacity = \"10 GB\"\n\
         latency = \"5 ms\"\n[device.f]\nkind = \"latency_cap\"\ncapacity = \"1 GB\"\nlatency = \"0.1 ms\"\n[cache.c]\non = \"f\"\n\
         before = \"s\"\npolicy = \"lru\"\ncapacity = \"400 MB\"\npage = \"8 KiB\"\nwrites = \"around\"\n[load.l]\non = \"c\"\n\
         reads = \"100 %\"\npattern = \"random\"\nregion = {{ from = \"0 %\", length = \"5 %\" }}\nblock = \"8 KiB\"\n{load}\n\
         [[figure]]\nname = \"m\"\nof = \"l\"\nmeasure = \"mean\"\n"
    )
}

#[test]
fn a_cache_that_warmed_up_under_a_given_rate_was_one_number() {
    for rate in ["rate = \"1500 IOPS\"", "rate = \"3000 IOPS\"\narrivals = \"poisson\""] {
        let cold = run(&warming(0, rate)).unwrap();
        let said = cold.unsteady.join(" ");
        assert!(said.contains("`l` is not steady: a request took 4."), "{said}");
        assert!(cold.result.warnings.contains(&cold.unsteady[0]));
        let warm = run(&warming(80, rate)).unwrap();
        assert!(warm.unsteady.is_empty() && warm.values[0].unwrap() < 1_200.0, "{:?}", warm.unsteady);
    }
}

#[test]
fn an_overload_of_a_two_hundredth_had_a_latency_as_long_as_the_run() {
    let at = |rate: u32| {
        let load =
            format!("reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\nrate = \"{rate} IOPS\"");
        let figure = "[[figure]]\nname = \"m\"\nof = \"l\"\nmeasure = \"mean\"\n";
        run(&(volume("[end]\ntime = \"600 s\"", "iops = \"1000 IOPS\"", &load) + figure)).unwrap()
    };
    let over = at(1_005);
    assert_eq!(over.values[0], None);
    assert!(over.behind.join(" ").contains("does not keep up with `l`"), "{:?}", over.behind);
    let under = at(900);
    assert!(under.behind.is_empty() && under.unsteady.is_empty() && under.values[0].is_some());
}

#[test]
fn a_mean_that_one_request_made_was_told_without_its_interval() {
    let load = "reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\nrate = \"50 IOPS\"";
    let device = "name = \"s\"\n[end]\ntime = \"200 s\"\n[device.d]\nkind = \"nvme\"\ncapacity = \"1 GB\"\nunits = 1\n\
                  read = \"10 ms\"\nread_rate = \"1000 GB/s\"\nwrite = \"10 ms\"\nwrite_rate = \"1000 GB/s\"\npiece = \"64 MiB\"\n";
    let figures = "[[figure]]\nname = \"m\"\nof = \"l\"\nmeasure = \"mean\"\n\
                   [[figure]]\nname = \"i\"\nof = \"l\"\nmeasure = \"iops\"\n\
                   [[figure]]\nname = \"r\"\nof = \"l\"\nmeasure = \"mean\"\nper = \"i\"\n";
    let at = |spread: &str| {
        let text = format!("{device}spread = {spread}\n[load.l]\non = \"d\"\n{load}\n{figures}");
        let scenario = Scenario::read(&text, "s.toml", &[], None).unwrap();
        let run = scenario.run(0).unwrap();
        scenario.found(&[Some(run)]).points.remove(0)
    };
    let long = at("4");
    let (low, high) = long.wide_interval(0).unwrap();
    assert!(low < long.values[0].unwrap() && long.values[0].unwrap() < high);
    // A rate of so many is sure, and what is divided by it as unsure as before.
    assert!(long.wide_interval(1).is_none() && long.wide_interval(2).is_some());
    assert!(at("0.1").wide_interval(0).is_none());
}

#[test]
fn a_commit_is_set_beside_what_residual_life_gives() {
    let log = |device: &str| {
        format!(
            "name = \"s\"\nwarm_up = \"10 s\"\n[end]\ntime = \"2000 s\"\n[device.d]\n{device}capacity = \"1 GB\"\n[load.l]\n\
             kind = \"log\"\non = \"d\"\nrate = \"84.1 /s\"\nredo = \"18 KiB\"\n\
             [[figure]]\nname = \"c\"\nof = \"l\"\nstream = \"log file sync\"\nmeasure = \"mean\"\n\
             [[figure]]\nname = \"f\"\nof = \"l\"\nmeasure = \"formula_commit\"\n"
        )
    };
    for spread in ["0", "1"] {
        let device = format!(
            "kind = \"nvme\"\nunits = 1\nread = \"10 ms\"\nread_rate = \"1000 GB/s\"\nwrite = \"10 ms\"\n\
             write_rate = \"1000 GB/s\"\npiece = \"64 MiB\"\nspread = {spread}\n"
        );
        let found = run(&log(&device)).unwrap().values;
        let (commit, formula) = (found[0].unwrap(), found[1].unwrap());
        assert!((commit / formula - 1.0).abs() < 0.05, "{spread}: {commit} and {formula}");
    }
    let why = run(&log("kind = \"latency_cap\"\nlatency = \"1 ms\"\n")).unwrap_err();
    assert!(why.contains("the formula is of a load of kind \"log\""), "{why}");
}
