//! Scenarios: what they come to by hand, what each slip is told, and that nothing that is written breaks the reader.

#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

const SMALL: &str = r#"name = "a volume by hand"
main = "IOPS"
warm_up = "1 s"

[end]
time = "10 s"

[parameter]
depth = { value = 1, origin = "by hand" }

[device.slow]
kind = "latency_cap"
latency = { value = "8 ms", origin = "by hand" }
iops = { value = "150 IOPS", origin = "by hand" }
capacity = { value = "1 GiB", origin = "by hand" }

[load.readers]
on = "slow"
reads = "100 %"
pattern = "random"
block = "8 KiB"
depth = "$depth"

[[figure]]
name = "IOPS"
of = "readers"
measure = "iops"

[[figure]]
name = "asked"
of = "slow"
measure = "iops"

[[figure]]
name = "gain"
of = "readers"
measure = "iops"
against = { depth = 1 }

[[published]]
figure = "IOPS"
at = { depth = 2 }
value = { value = "150 IOPS", origin = "its cap" }
within = "1 %"

[sweep]
depth = "1..3"
"#;

const LARGE: &str = include_str!("../../../../scenarios/flash-cache-before-flash.toml");
const ARRAYS: &str = include_str!("../../../../scenarios/redundancy.toml");

fn read(text: &str) -> Result<Scenario, ScenarioErrors> {
    Scenario::read(text, "s.toml", &[], None)
}

fn refusal(text: &str) -> String {
    match read(text) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    }
}

fn all(scenario: &Scenario) -> spindle_workload::SimulatedFound {
    let runs: Vec<_> = (0..scenario.points()).map(|n| Some(scenario.run(n).unwrap())).collect();
    scenario.found(&runs)
}

#[test]
fn a_cap_by_hand_over_a_sweep() {
    let scenario = read(SMALL).unwrap();
    assert_eq!((scenario.points(), scenario.point_name(1).as_str()), (3, "depth 2"));
    let found = all(&scenario);
    let figure = |point: usize, figure: usize| found.points[point].values[figure].unwrap();
    // One after the other in 8 ms each, then the cap.
    for (point, iops) in [(0, 125.0), (1, 150.0), (2, 150.0)] {
        assert!((figure(point, 0) / iops - 1.0).abs() < 2e-3, "{point}: {}", figure(point, 0));
        assert!((figure(point, 1) / iops - 1.0).abs() < 2e-3);
        assert!((figure(point, 2) - iops / 125.0).abs() < 3e-3);
    }
    let [row] = &found.published[..] else { panic!("one number is published") };
    assert!(row.holds() == Some(true) && row.fitted.is_empty() && row.at == "depth 2");
    let job = scenario.run(2).unwrap().result.job.unwrap();
    assert_eq!((job.streams.len(), job.seed, job.warm_up_s), (1, 13, Some(1.0)));
    // What is asked for beside the file takes its place.
    let asked =
        [("depth".to_owned(), "4".to_owned()), ("device.slow.iops".to_owned(), "500 IOPS".to_owned())];
    let other = Scenario::read(SMALL, "s.toml", &asked, Some(5)).unwrap();
    let found = all(&other);
    assert!((found.points[0].values[0].unwrap() / 500.0 - 1.0).abs() < 2e-3);
    assert!(found.seed == 5 && found.published[0].simulated.is_none());
    assert!(found.parameters.iter().any(|p| p.path == "device.slow.iops" && p.is_swept));
}

#[test]
fn a_point_is_the_same_whoever_runs_it() {
    let asked = [
        ("storage".to_owned(), "disks_cached,flash".to_owned()),
        ("end.time".to_owned(), "0.2 s".to_owned()),
    ];
    let scenario = Scenario::read(LARGE, "s.toml", &asked, None).unwrap();
    let here = scenario.run(0).unwrap();
    let there = std::thread::scope(|scope| {
        scope.spawn(|| (scenario.run(1).unwrap(), scenario.run(0).unwrap())).join()
    });
    assert_eq!(here, there.unwrap().1);
    let seeded = Scenario::read(LARGE, "s.toml", &asked, Some(14)).unwrap();
    assert_ne!(here.fingerprint, seeded.run(0).unwrap().fingerprint);
}

#[test]
fn what_was_fitted_to_a_result_is_no_prediction_of_it() {
    let fitted =
        SMALL.replace("origin = \"by hand\" }\niops", "origin = \"fitted: the cap of 2012\" }\niops");
    let named = fitted.replace("within = \"1 %\"", "within = \"1 %\"\nresult = \"the cap of 2012\"");
    let rows = |text: &str| all(&read(text).unwrap()).published[0].fitted.clone();
    assert_eq!(rows(&named), ["device.slow.latency"]);
    // A result whose name is the beginning of the other was called fitted, too.
    assert!(rows(&named.replace("result = \"the cap of 2012\"", "result = \"the cap\"")).is_empty());
    assert!(rows(SMALL).is_empty());
    let parameters = all(&read(&fitted).unwrap()).parameters;
    assert!(parameters.iter().any(|p| p.fitted_to() == Some("the cap of 2012")));
}

#[test]
fn each_slip_is_told_with_line_and_what_may_stand_there() {
    for (from, to, line, says) in [
        (
            "latency = ",
            "latncy = ",
            13,
            "`latncy` is no key of a device of one latency; the nearest is `latency`",
        ),
        (
            "\"8 ms\"",
            "\"8 MB\"",
            13,
            "`latency` is \"8 MB\", no number with such a unit (us, ms, s, min, h, d). It is what a request takes at least, up to 1 h",
        ),
        ("\"8 ms\"", "\"2 h\"", 13, "out of range"),
        ("\"8 ms\"", "8", 13, "without a unit"),
        ("\"1 GiB\"", "\"-1 GiB\"", 15, "`capacity` is \"-1 GiB\", no size"),
        ("\"1 GiB\"", "\"99999999999 PiB\"", 15, "`capacity` is \"99999999999 PiB\""),
        ("latency_cap", "latency-kap", 12, "the nearest is \"latency_cap\""),
        (
            "[load.readers]\non = \"slow\"",
            "[load.readers]\non = \"fast\"",
            17,
            "the load `readers` asks `fast`, and the storage of the file is slow",
        ),
        ("reads = \"100 %\"", "reads = \"110 %\"", 19, "out of range"),
        (
            "measure = \"iops\"\n\n[[figure]]\nname = \"asked\"",
            "measure = \"speed\"\n\n[[figure]]\nname = \"asked\"",
            27,
            "of a load like `readers` there are iops, mbps",
        ),
        (
            "of = \"readers\"\nmeasure = \"iops\"\n\n",
            "of = \"writers\"\nmeasure = \"iops\"\n\n",
            26,
            "there is no load and no storage `writers`; there are readers, slow",
        ),
        (
            "against = { depth = 1 }",
            "against = { deep = 1 }",
            38,
            "`deep` is not varied; the sweep varies depth",
        ),
        (
            "\"150 IOPS\", origin = \"its cap\"",
            "\"150 ms\", origin = \"its cap\"",
            43,
            "no number with such a unit",
        ),
        (
            "value = { value = \"150 IOPS\", origin = \"its cap\" }",
            "value = \"150 IOPS\"",
            43,
            "a published number says where",
        ),
        ("depth = \"1..3\"", "depht = \"1..3\"", 47, "there is no `depht`; there are"),
        ("depth = \"1..3\"", "depth = \"3..1\"", 47, "ends before it begins"),
        ("depth = \"1..3\"", "depth = \"1..1000000000\"", 47, "has 1000000000 values; at most 10000"),
        ("depth = \"1..3\"", "depth = [1, [2]]", 47, "single values are varied"),
        ("depth = \"1..3\"", "depth = \"0..3\"", 47, "no whole number of 1 or more"),
        ("main = \"IOPS\"", "main = \"IOPSS\"", 2, "there is no figure `IOPSS`"),
        ("\"$depth\"", "\"$deep\"", 22, "`$deep` is no parameter; there are depth"),
        ("\"$depth\"", "4", 9, "nothing refers to the parameter `depth`"),
        ("[end]\ntime = \"10 s\"", "", 1, "a scenario has no `end`"),
        ("[end]", "[ends]", 5, "`ends` is no key of a scenario; the nearest is `end`"),
        (
            "kind = \"latency_cap\"",
            "model = \"sata_2t\"",
            12,
            "the catalogue has no `sata_2t`; it has maxtor_204g_firewire",
        ),
        (
            "kind = \"latency_cap\"",
            "kind = \"latency_cap\"\nmodel = \"sata_1t_2010\"",
            12,
            "the model `sata_1t_2010` is of kind \"hard_disk\"",
        ),
        ("name = \"a volume by hand\"", "name = = 1", 1, "it is no TOML"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let said = refusal(&SMALL.replacen(from, to, 1));
        assert!(said.contains(&format!("`s.toml`, line {line}: ")), "{to}: {said}");
        assert!(said.contains(says), "{to}: {said}");
    }
    let asked = |key: &str, values: &str| {
        Scenario::read(SMALL, "s.toml", &[(key.to_owned(), values.to_owned())], None).unwrap_err().to_string()
    };
    assert!(asked("device.slow.iops", "100").contains("`s.toml`: `iops` is 100 without a unit"));
    assert!(asked("device.fast.iops", "1").contains("there is no `fast`; there are slow"));
    assert!(asked("device.slow", "1").contains("names a table"));
    assert!(asked("device.slow.rpm", "1").contains("`rpm` is no key of a device of one latency"));
    assert!(
        asked("name", "x").contains("there is no `name`")
            || asked("name", "x").contains("the sweep of `name`")
    );
    assert!(asked("", "1").contains("there is no ``"));
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let said = refusal(
        &SMALL
            .replace("\"8 ms\"", "\"8 MB\"")
            .replace("\"random\"", "\"rndom\"")
            .replace("within = \"1 %\"", "withn = \"1 %\""),
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    for (line, says) in lines.iter().zip(["line 13: `latency`", "line 20: `pattern`", "line 44: `withn`"]) {
        assert!(line.contains(says), "{said}");
    }
}

#[test]
fn what_would_take_all_memory_or_never_end_is_refused_in_a_sentence() {
    let array = |more: &str| {
        SMALL.replace("on = \"slow\"\n", "on = \"many\"\n")
            + "\n[array.many]\nkind = \"stripe\"\nstripe = \"1 MiB\"\nof = \"slow\"\n"
            + more
    };
    assert!(
        refusal(&array("members = 1000000000"))
            .contains("`members` is 1000000000, no whole number from 1 to 1024")
    );
    // A thousand times a thousand.
    let nested = array("members = 1000").replace("of = \"slow\"", "of = \"inner\"")
        + "\n[array.inner]\nkind = \"stripe\"\nstripe = \"64 KiB\"\nof = \"slow\"\nmembers = 1000\n";
    let why = read(&nested).unwrap().run(0).unwrap_err();
    assert!(why.contains("more than 4096 devices"), "{why}");
    let circle = array("members = 2").replace("of = \"slow\"", "of = \"link\"")
        + "\n[link.link]\nbefore = \"many\"\nrate = \"1 GB/s\"\ndelay = \"0 us\"\noverhead = \"0 us\"\nduplex = \"full\"\n";
    let said = refusal(&circle);
    assert!(said.contains("`many` is made of itself, by way of `link`"), "{said}");
    let said = refusal(&array("members = 2").replace("of = \"slow\"", "of = \"many\""));
    assert!(said.contains("`many` is made of itself"), "{said}");
    let flash = "\n[device.flash]\nmodel = \"mqsim_default\"\nblocks = 1048576\n";
    let said = refusal(&(SMALL.to_owned() + flash));
    assert!(said.contains("fewer planes, with as many blocks each"), "{said}");
    let many_flash = SMALL.replace("on = \"slow\"\n", "on = \"many\"\n")
        + "\n[device.flash]\nmodel = \"mqsim_default\"\nblocks = 1024\n[array.many]\nkind = \"stripe\"\nstripe = \"1 MiB\"\nof = \"flash\"\nmembers = 16\n";
    let why = read(&many_flash).unwrap().run(0).unwrap_err();
    assert!(why.contains("flash and caches of more than"), "{why}");
    let cache = "\n[cache.c]\nbefore = \"slow\"\non = \"slow\"\ncapacity = \"512 TiB\"\npage = \"512 bytes\"\npolicy = \"lru\"\nwrites = \"through\"\n";
    assert!(refusal(&(SMALL.to_owned() + cache)).contains("make a cache"));
    let asm = array("members = 1000")
        .replace("kind = \"stripe\"", "kind = \"asm\"\nredundancy = \"high\"\nau = \"128 KiB\"")
        .replace("\"1 GiB\"", "\"1 PiB\"");
    let why = read(&asm).unwrap().run(0).unwrap_err();
    assert!(why.contains("more extents than are simulated"), "{why}");
    let grid = SMALL.replace("depth = \"1..3\"", "depth = \"1..5000\"\n\"end.count\" = \"1..5000\"");
    assert!(refusal(&grid).contains("the sweep has 25000000 points"));
    assert!(refusal(&format!("name = \"{}\"", "x".repeat(2 << 20))).contains("no scenario has more than"));
    let deep = format!("name = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(refusal(&deep).contains("no TOML"));
    let chain: String = (0..100)
        .map(|n| format!("[link.l{n}]\nbefore = \"{}\"\nrate = \"1 GB/s\"\ndelay = \"0 us\"\noverhead = \"0 us\"\nduplex = \"full\"\n", if n == 99 { "slow".to_owned() } else { format!("l{}", n + 1) }))
        .collect();
    let why =
        read(&(SMALL.replace("on = \"slow\"\n", "on = \"l0\"\n") + &chain)).unwrap().run(0).unwrap_err();
    assert!(why.contains("more than 32 times over"), "{why}");
}

/// A scan by hand: 64 reads of 64 KiB, each of 8 ms.
fn scanned(volume: &str, scan: &str) -> String {
    format!(
        "name = \"a scan by hand\"\n\n[device.slow]\nkind = \"latency_cap\"\nlatency = \"8 ms\"\ncapacity = \"64 MiB\"\n\n\
         [volume.file]\non = \"slow\"\n{volume}\n[load.scan]\nkind = \"scan\"\non = \"file\"\ntable = \"4 MiB\"\n{scan}\n\
         [[figure]]\nname = \"seconds\"\nof = \"scan\"\nmeasure = \"elapsed\"\n"
    )
}

#[test]
fn a_scan_takes_what_its_reads_take_through_scheduler_and_memory() {
    let seconds = |volume: &str, scan: &str| {
        let scenario = read(&scanned(volume, scan)).unwrap();
        let run = scenario.run(0).unwrap_or_else(|why| panic!("{why}"));
        run.values[0].unwrap()
    };
    let near = |found: f64, by_hand: f64| assert!((found - by_hand).abs() < 1e-6, "{found} {by_hand}");
    let one = "degree = 1\nread = \"64 KiB\"";
    near(seconds("", one), 0.512);
    near(seconds("", "degree = 4\nread = \"64 KiB\"\ngranules = 4"), 0.128);
    near(seconds("", "degree = 1\nread = \"64 KiB\"\nunder_way = 2"), 0.256);
    near(seconds("", "degree = 1\nread = \"64 KiB\"\ncompute = \"2 ms\""), 0.640);
    // One request in the driver: four slaves take as long as one, but for reads at the ends of granules that become one.
    let noop = "scheduler = \"noop\"\ndriver_depth = 1";
    let one_by_one = seconds(noop, "degree = 4\nread = \"64 KiB\"\ngranules = 4");
    assert!((0.47..=0.512 + 1e-6).contains(&one_by_one), "{one_by_one}");
    // Page by page, as a whole read, and with windows of 128 KiB of which one is on its way.
    let memory = |ahead: &str, whole: &str| {
        format!("memory = \"16 MiB\"\nread_ahead = \"{ahead}\"\nwhole_reads = {whole}")
    };
    near(seconds(&memory("0 B", "false"), one), 8.192);
    near(seconds(&memory("0 B", "true"), one), 0.512);
    assert!(seconds(&memory("128 KiB", "false"), one) < 0.27);
}

#[test]
fn slips_of_volumes_and_scans_are_told() {
    let scan = "degree = 4\nread = \"64 KiB\"";
    for (volume, scan, says) in [
        ("scheduler = \"anticipating\"\ndriver_depth = 4", scan, "`scheduler` is \"anticipating\""),
        ("scheduler = \"noop\"", scan, "no `driver_depth`"),
        ("driver_depth = 4", scan, "`driver_depth` goes with `scheduler`"),
        ("read_ahead = \"128 KiB\"", scan, "`read_ahead` goes with `memory`"),
        ("shceduler = \"noop\"", scan, "the nearest is `scheduler`"),
        ("", "degree = 0\nread = \"64 KiB\"", "`degree` is 0"),
        ("", "degree = 4", "no `read`"),
        ("", "degree = 4\nread = \"64 KiB\"\nextent = \"1 KiB\"", "`extent`"),
        ("", "degree = 4\nread = \"64 KiB\"\ngranule = 4", "the nearest is `granules`"),
    ] {
        let said = refusal(&scanned(volume, scan));
        assert!(said.contains(says), "{volume} {scan}: {said}");
    }
    let larger = scanned("", scan).replace("\"4 MiB\"", "\"400 MiB\"");
    let why = read(&larger).unwrap().run(0).unwrap_err();
    assert!(why.contains("larger than `file`"), "{why}");
    let ahead = scanned("memory = \"16 MiB\"\nread_ahead = \"1 KiB\"", scan);
    let why = read(&ahead).unwrap().run(0).unwrap_err();
    assert!(why.contains("reading ahead 1024 bytes"), "{why}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Cut, filled in and put together from pieces of others: never a panic, and an error has a sentence.
    #[test]
    fn nothing_that_is_written_breaks_the_reader(
        which in 0..3_usize,
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..40_usize, prop_oneof![
            "\\PC{0,12}",
            Just("-1".to_owned()),
            Just("1e308".to_owned()),
            Just("99999999999999999999".to_owned()),
            Just("\"$disks\"".to_owned()),
            Just("{ value = 0, origin = \"\" }".to_owned()),
            Just("[array.x]\nof = \"x\"\n".to_owned()),
            Just("\"0..1e9\"".to_owned()),
            Just("[]".to_owned()),
            Just("nan".to_owned()),
        ]), 1..4),
    ) {
        let mut chars: Vec<char> = [SMALL, LARGE, ARRAYS][which].chars().collect();
        for (at, cut, put) in edits {
            let at = at.index(chars.len());
            let rest = chars.split_off(at);
            chars.extend(put.chars());
            chars.extend(rest.into_iter().skip(cut));
        }
        let text: String = chars.into_iter().collect();
        match read(&text) {
            Ok(scenario) => prop_assert!(scenario.points() >= 1),
            Err(errors) => {
                prop_assert!(!errors.errors.is_empty());
                for error in errors.errors {
                    prop_assert!(error.line <= text.lines().count().max(1) + 1 && !error.why.is_empty());
                }
            }
        }
    }

    /// Whole lines taken out, doubled or put elsewhere: more of it is TOML.
    #[test]
    fn lines_in_any_order_break_nothing(
        which in 0..3_usize,
        moves in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 1..6),
    ) {
        let mut lines: Vec<&str> = [SMALL, LARGE, ARRAYS][which].lines().collect();
        for (from, to, keep) in moves {
            let at = from.index(lines.len());
            let line = if keep { lines[at] } else { lines.remove(at) };
            let at = to.index(lines.len().max(1)).min(lines.len());
            lines.insert(at, line);
        }
        let text = lines.join("\n");
        if let Err(errors) = read(&text) {
            prop_assert!(!errors.to_string().is_empty());
        }
    }
}

/// A volume by the histogram of its requests: half of them below 2 ms, half above.
fn by_histogram(mean: &str, tail: &str, last: &str) -> String {
    let figures =
        |key: &str, value: &str| format!("{key} = {{ value = \"{value}\", origin = \"by hand\" }}\n");
    let bucket = |to: &str, share: &str| {
        format!("\n[[device.slow.bucket]]\n{}{}", figures("to", to), figures("share", share))
    };
    let (from, to) = (SMALL.find("kind").unwrap(), SMALL.find("capacity").unwrap());
    let rest = SMALL[to..].replacen(
        "\n\n",
        &format!(
            "\n{}{}{}{}{}{}\n",
            figures("fastest", "1 ms"),
            figures("mean", mean),
            figures("tail", tail),
            bucket("2 ms", "50 %"),
            bucket("4 ms", "0 %"),
            bucket(last, "50 %"),
        ),
        1,
    );
    format!("{}kind = \"histogram\"\n{rest}", &SMALL[..from])
}

#[test]
fn a_volume_by_a_histogram_has_its_mean_and_its_tail() {
    let mean = |tail: &str| {
        let scenario = read(&by_histogram("4 ms", tail, "8 ms")).unwrap();
        let run = scenario.run(0).unwrap();
        let iops = scenario.found(&[Some(run)]).points[0].values[0].unwrap();
        1e3 / iops
    };
    for tail in ["0 %", "50 %", "100 %"] {
        assert!((mean(tail) / 4.0 - 1.0).abs() < 0.03, "{tail}: {}", mean(tail));
    }
    let refused = |text: String| read(&text).unwrap_err().to_string();
    assert!(refused(by_histogram("9 ms", "0 %", "8 ms")).contains("on average, and not 9000"));
    assert!(refused(by_histogram("4 ms", "0 %", "3 ms")).contains("is none"));
    assert!(refused(by_histogram("4 ms", "101 %", "8 ms")).contains("out of range"));
    assert!(
        refused(by_histogram("4 ms", "0 %", "8 ms").replace("bucket", "buckets"))
            .contains("nearest is `bucket`")
    );
}

/// Any number of requests side by side, 10 ms each; what is asked of it follows.
const TEN_MS: &str = r#"name = "ten milliseconds"
[device.d]
kind = "latency_cap"
latency = { value = "10 ms", origin = "by hand" }
capacity = { value = "1 GiB", origin = "by hand" }
[volume.v]
on = "d"
scheduler = "deadline"
plug = false
merging = "off"
driver_depth = 64
"#;

#[test]
fn loads_of_a_database_by_hand() {
    let value = |more: &str| {
        let scenario = read(&(TEN_MS.to_owned() + more)).unwrap_or_else(|errors| panic!("{errors}"));
        all(&scenario).points[0].values.iter().map(|v| v.unwrap()).collect::<Vec<f64>>()
    };
    // 64 reads of 1 MiB one after the other; four slaves side by side, also through a block layer.
    let scan = |on: &str, degree: u32| {
        value(&format!(
            "[load.s]\nkind = \"scan\"\non = \"{on}\"\ntable = \"64 MiB\"\ngranules = 16\ndegree = {degree}\nread = \"1 MiB\"\n\
             [[figure]]\nname = \"f\"\nof = \"s\"\nmeasure = \"elapsed\"\n[[figure]]\nname = \"n\"\nof = \"s\"\nmeasure = \"requests\"\n"
        ))
    };
    assert_eq!(scan("d", 1), [0.64, 64.0]);
    assert_eq!(scan("d", 4), [0.16, 64.0]);
    // Requests of 512 KiB at most: two side by side for each read.
    let behind = scan("v", 4);
    assert!((behind[0] - 0.16).abs() < 1e-6 && behind[1] == 64.0, "{behind:?}");
    // One committer: a write a commit, in the write's own time.
    let log = value(
        "[end]\ntime = \"10 s\"\n[load.l]\nkind = \"log\"\non = \"d\"\ncommitters = 1\nredo = \"2 KiB\"\n\
         [[figure]]\nname = \"c\"\nof = \"l\"\nstream = \"log file sync\"\nmeasure = \"mean\"\n\
         [[figure]]\nname = \"w\"\nof = \"l\"\nstream = \"log file parallel write\"\nmeasure = \"iops\"\n",
    );
    assert!((log[0] / 10_000.0 - 1.0).abs() < 1e-3 && (log[1] - 100.0).abs() < 1.0, "{log:?}");
    // A leaf and a block of the table, the root in memory: 20 ms a look-up.
    let index = value(
        "[load.i]\nkind = \"index_reads\"\non = \"d\"\nindex = { length = \"10 MiB\" }\ntable = { from = \"10 MiB\", length = \"100 MiB\" }\n\
         block = \"8 KiB\"\nfan_out = 2000\ncached_levels = 1\ntable_blocks = 1\nsessions = 1\ncount = 10\n\
         [[figure]]\nname = \"e\"\nof = \"i\"\nmeasure = \"elapsed\"\n",
    );
    assert!((index[0] - 0.2).abs() < 1e-6, "{index:?}");
    // Ten transactions with a block each, and nothing changed.
    let oltp = value(
        "[load.o]\nkind = \"oltp\"\non = \"d\"\nlog_on = \"v\"\nsessions = 1\ncount = 10\nreads = 1\nchanges = 0\ncompute = \"0 ms\"\n\
         [[figure]]\nname = \"r\"\nof = \"o\"\nstream = \"reads\"\nmeasure = \"mean\"\n",
    );
    assert!((oltp[0] / 10_000.0 - 1.0).abs() < 1e-3, "{oltp:?}");
    let spill = value(
        "[load.t]\nkind = \"temp\"\non = \"d\"\nbytes = \"8 MiB\"\nspill = \"hash\"\npartitions = 2\nio = \"1 MiB\"\n\
         [[figure]]\nname = \"e\"\nof = \"t\"\nmeasure = \"elapsed\"\n",
    );
    // Written once, read once.
    assert!((spill[0] - 0.16).abs() < 1e-6, "{spill:?}");
    let dss = value(
        "[load.q]\nkind = \"dss\"\non = \"d\"\ntables = { length = \"512 MiB\" }\ntemp = { from = \"512 MiB\" }\nstreams = 1\nqueries = 1\n\
         spills = \"0 %\"\nscan = \"10 %\"\ncompute = \"0 ms\"\n[[figure]]\nname = \"s\"\nof = \"q\"\nstream = \"scans\"\nmeasure = \"mean\"\n",
    );
    assert!((dss[0] / 10_000.0 - 1.0).abs() < 1e-3, "{dss:?}");
}

#[test]
fn slips_in_loads_and_volumes_are_told_too() {
    let said = |more: &str| refusal(&(TEN_MS.to_owned() + more));
    let scan = "[load.s]\nkind = \"scan\"\non = \"d\"\ntable = \"64 MiB\"\ndegree = 4\nread = \"1 MiB\"\n";
    assert_eq!(said(scan), "");
    assert!(
        said(&scan.replace("degree = 4", "degre = 4"))
            .contains("`degre` is no key of a scan; the nearest is `degree`")
    );
    assert!(said(&scan.replace("\"1 MiB\"", "\"1 GiB\"")).contains("`read` is \"1 GiB\", out of range"));
    assert!(said(&scan.replace("scan\"\n", "scam\"\n")).contains("the nearest is \"scan\""));
    let log = "[load.l]\nkind = \"log\"\non = \"d\"\ncommitters = 1\nredo = \"2 KiB\"\n";
    assert!(said(log).contains("so it would never end"));
    assert!(said(&format!("[end]\ntime = \"1 s\"\n{log}rate = \"5 /s\"\n")).contains("either `committers`"));
    let volume = |more: &str| said(&format!("{scan}[volume.w]\non = \"d\"\n{more}"));
    assert!(volume("driver_depth = 4\n").contains("`driver_depth` goes with `scheduler`"));
    assert!(volume("read_ahead = \"1 MiB\"\n").contains("`read_ahead` goes with `memory`"));
    assert!(volume("scheduler = \"cfq\"\n").contains("the nearest is"));
    let oltp = "[load.o]\nkind = \"oltp\"\non = \"d\"\nsessions = 1\ncount = 1\nlog_on = \"x\"\n";
    assert!(said(oltp).contains("has its log on `x`, which is no storage"));
    let beyond = read(&(TEN_MS.to_owned() + &scan.replace("64 MiB", "2 GiB"))).unwrap();
    assert!(beyond.run(0).unwrap_err().contains("`s`: its table of 2147483648 bytes is larger than `d`"));
}

#[test]
fn a_parameter_that_is_another_one_was_told_not_to_be_there() {
    let two = SMALL.replace(
        "depth = { value = 1, origin = \"by hand\" }",
        "depth = \"$other\"\nother = { value = 1, origin = \"by hand\" }",
    );
    let said = refusal(&two.replace("depth = \"1..3\"\n", "other = \"1..3\"\n"));
    assert!(said.contains("cannot be a list, or another parameter"), "{said}");
    assert!(!said.contains("is no parameter"), "{said}");
}

#[test]
fn a_unit_of_time_that_is_none_is_told_those_that_are() {
    let said = refusal(&SMALL.replace("time = \"10 s\"", "time = \"10 fortnights\""));
    assert!(said.contains("(us, ms, s, min, h, d)"), "{said}");
    assert_eq!(refusal(&SMALL.replace("time = \"10 s\"", "time = \"1 d\"")), "");
}

#[test]
fn an_unknown_key_far_from_all_is_told_what_there_is() {
    let said = refusal(&SMALL.replace("iops = { value", "zyzzyva = 1\niops = { value"));
    assert!(
        said.contains("`zyzzyva` is no key of a device of one latency; its keys are kind, model, about"),
        "{said}"
    );
}

#[test]
fn keys_of_jobs_that_change_nothing_were_taken_without_a_word() {
    for key in ["flush = \"dsync\"", "name = \"x\""] {
        let said = refusal(&SMALL.replace("pattern = \"random\"", &format!("pattern = \"random\"\n{key}")));
        assert!(
            said.contains(if key.starts_with("flush") {
                "`flush` would change nothing"
            } else {
                "[load.NAME]"
            }),
            "{said}"
        );
    }
}

/// Three requests of fio's format, the last far out.
const IOLOG: &str = "fio version 3 iolog\n0 f add\n0 f open\n0 f read 0 4096\n1000 f write 8192 4096\n\
                     2000 f read 1048576 8192\n3000 f close\n";

const REPLAYED: &str = r#"name = "a trace"
[device.d]
kind = "latency_cap"
latency = "1 ms"
capacity = "2 MiB"
[load.l]
on = "d"
trace = "t"
speed = 2
[[figure]]
name = "requests"
of = "l"
measure = "requests"
[[figure]]
name = "mean"
of = "l"
measure = "mean"
[[figure]]
name = "elapsed"
of = "l"
measure = "elapsed"
"#;

fn of_text(text: &'static str) -> Traces {
    Traces::new(move |_| Ok(Box::new(text.as_bytes())))
}

#[test]
fn a_trace_is_replayed_at_its_times_or_at_a_depth() {
    let values = |text: &str| {
        let scenario = read(text).unwrap_or_else(|errors| panic!("{errors}"));
        let run = scenario.run_with(0, &of_text(IOLOG), None).unwrap_or_else(|why| panic!("{why}"));
        run.values.into_iter().map(|v| v.unwrap()).collect::<Vec<f64>>()
    };
    // The last begins 2 ms after the first, by the trace.
    let found = values(REPLAYED);
    assert_eq!((found[0], found[1].round()), (3.0, 1_000.0));
    let own = values(&REPLAYED.replace("speed = 2", "speed = 1"));
    assert!((found[2] - 0.002).abs() < 1e-9 && (own[2] - 0.003).abs() < 1e-9, "{own:?} {found:?}");
    // As fast as it answers, one after the other.
    let closed = values(&REPLAYED.replace("speed = 2", "depth = 1"));
    assert!((closed[2] - 0.003).abs() < 1e-9, "{closed:?}");
}

#[test]
fn a_trace_that_reaches_beyond_the_storage_is_refused_with_its_line() {
    let run = |text: &str, trace: &'static str| {
        read(text).unwrap().run_with(0, &of_text(trace), None).map(|r| r.result.warnings)
    };
    let small = REPLAYED.replace("2 MiB", "1 MiB");
    let said = run(&small, IOLOG).unwrap_err();
    assert!(
        said.contains("line 6") && said.contains("reaches to byte 1056768 and the region has 1048576"),
        "{said}"
    );
    let wrapped = run(&small.replace("speed = 2", "beyond = \"wrap\""), IOLOG).unwrap();
    assert!(wrapped.iter().any(|w| w.contains("longer than the region")), "{wrapped:?}");
    // No files are at hand; no trace; another one than was asked for.
    let said = read(REPLAYED).unwrap().run(0).unwrap_err();
    assert!(said.contains("line 6") && said.contains("the trace `t` was not read"), "{said}");
    assert!(run(REPLAYED, "hello\n").unwrap_err().contains("is no trace that is known"));
    let other = REPLAYED.replace("speed = 2", &format!("sha256 = \"{}\"", "0".repeat(64)));
    assert!(run(&other, IOLOG).unwrap_err().contains("another one than was asked for"));
    let damaged =
        run(REPLAYED, "fio version 3 iolog\n0 f add\n0 f open\n0 f read 0 4096\n0 f read x y\n").unwrap();
    assert!(damaged.iter().any(|w| w.contains("damaged")), "{damaged:?}");
}

#[test]
fn a_database_writer_writes_as_much_as_is_changed() {
    let text = r#"name = "a writer"
warm_up = "5 s"
[end]
time = "20 s"
[device.d]
kind = "latency_cap"
latency = "4 ms"
capacity = "64 GiB"
[load.w]
kind = "database_writer"
on = "d"
block = "8 KiB"
changes = "500 /s"
pattern = "random"
begin_at = 256
batch = 128
under_way = 16
[[figure]]
name = "written"
of = "w"
stream = "writes"
measure = "iops"
[[figure]]
name = "batch"
of = "w"
stream = "db file parallel write"
measure = "p50"
[[figure]]
name = "waits"
of = "w"
stream = "free buffer waits"
measure = "requests"
"#;
    let values = |text: &str| read(text).unwrap_or_else(|e| panic!("{e}")).run(0).unwrap().values;
    let found = values(text);
    assert!((found[0].unwrap() / 500.0 - 1.0).abs() < 0.03, "{found:?}");
    // 128 writes, 16 at a time, 4 ms each.
    assert!((found[1].unwrap() / 32_000.0 - 1.0).abs() < 0.01, "{found:?}");
    assert_eq!(found[2], Some(0.0));
    // One write at a time is 250 a second: memory fills, and who changes a block waits for a batch, one after the other.
    let slow = text.replace("under_way = 16", "under_way = 1\nmost_dirty = 512");
    let found = values(&slow);
    assert!((found[0].unwrap() / 250.0 - 1.0).abs() < 0.01 && found[2].unwrap() > 30.0, "{found:?}");
    let said = refusal(&text.replace("begin_at = 256", "begin_at = 256\nmost_dirty = 100"));
    assert!(said.contains("of which writing begins at 256"), "{said}");
    assert!(refusal(&text.replace("pattern = \"random\"\n", "")).contains("has no `pattern`"));
}

#[test]
fn who_watches_changes_nothing_and_sees_how_far_it_has_come() {
    let scenario = read(SMALL).unwrap();
    let progress = std::sync::Arc::new(Progress::default());
    let watched = scenario.run_with(2, &Traces::none(), Some(&progress)).unwrap();
    assert_eq!(watched, scenario.run(2).unwrap());
    // It is told each 1,024 requests: at 150 a second for 11 s that is after two thirds of the way.
    let stage = progress.stage();
    assert!(matches!(stage, Stage::Running(share) if (0.55..0.75).contains(&share)), "{stage:?}");
}

#[test]
fn a_formula_is_said_to_be_far_from_where_it_was_held() {
    let text = include_str!("../../../../scenarios/over-provisioning.toml");
    let warnings = |share: &str| {
        let asked = [("over_provisioning".to_owned(), share.to_owned())];
        Scenario::read(text, "s.toml", &asked, None).unwrap().run(0).unwrap().result.warnings
    };
    assert!(warnings("28 %").is_empty());
    let said = warnings("80 %");
    assert!(said.len() == 1 && said[0].contains("at 80 % it may be further off"), "{said:?}");
}
