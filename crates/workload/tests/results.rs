//! Results of any tool held against each other, and as a curve.
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_workload::{
    Arrivals, DeviceCurve, End, Environment, Extent, Flush, Form, Job, LatencyFrom, LatencyUs, LimitedBy,
    Matrix, Measured, Parameters, Pattern, Point, RateInterval, Recorder, Region, RunResult, Size, Stream,
    StreamResult, compare_results,
};

fn stream(operation: &str, iops: f64, mean_us: f64) -> StreamResult {
    StreamResult {
        name: "job".into(),
        operation: operation.into(),
        ios: Some((iops * 10.0) as u64),
        bytes: None,
        elapsed_s: Some(10.0),
        iops: Some(iops),
        mbps: Some(iops * 8_192.0 / 1e6),
        latency_from: LatencyFrom::Submit,
        latency_us: LatencyUs { mean: Some(mean_us), p99: Some(mean_us * 3.0), ..LatencyUs::default() },
        percentiles_from: None,
        interval: None,
        histogram: None,
        errors: Vec::new(),
        unserved: None,
        course: None,
        parts: Vec::new(),
    }
}

fn run(program: &str, runs: Vec<(Parameters, Vec<StreamResult>)>) -> Measured {
    let points = runs.into_iter().map(|(parameters, streams)| Point {
        parameters,
        result: RunResult {
            job: None,
            environment: Environment { program: Some(program.into()), ..Environment::default() },
            streams,
            limited_by: LimitedBy::Unknown,
            warnings: Vec::new(),
            hosts: None,
            ended_early: None,
        },
    });
    Measured {
        form: Form::Series,
        command: String::new(),
        began_s: None,
        incomplete: None,
        points: points.collect(),
        knee: None,
        verdict: String::new(),
        curve: None,
        calibration: None,
        matrix: None,
        log: None,
        zones: None,
        slob: None,
        scan: None,
        rates: None,
        simulated: None,
        seed: None,
        idle: std::collections::BTreeMap::new(),
        warnings: Vec::new(),
    }
}

fn depth(n: f64) -> Parameters {
    Parameters {
        concurrency: Some(n),
        block_bytes: Some(8_192),
        pattern: Some("randread".into()),
        ..Parameters::default()
    }
}

fn named(name: &str, measured: Measured) -> Vec<(String, Measured)> {
    vec![(name.to_owned(), measured)]
}

#[test]
fn runs_of_one_load_are_held_against_each_other() {
    let before = run(
        "fio",
        vec![
            (depth(1.0), vec![stream("read", 100.0, 9_900.0)]),
            (depth(4.0), vec![stream("read", 150.0, 26_000.0)]),
        ],
    );
    let after = run(
        "fio",
        vec![
            (depth(4.0), vec![stream("read", 3_000.0, 1_300.0)]),
            (depth(8.0), vec![stream("read", 3_100.0, 2_600.0)]),
        ],
    );
    let found = compare_results(&named("a", before), &named("b", after)).unwrap();
    assert_eq!(found.runs.len(), 1);
    assert_eq!(found.runs[0].load, "read, 8192 bytes, random, 4 under way");
    let figure = |name: &str| found.runs[0].figures.iter().find(|f| f.name == name).unwrap();
    assert_eq!((figure("iops").ratio, figure("mean_us").ratio), (Some(20.0), Some(0.05)));
    assert_eq!(figure("iops").differs, None, "no interval, no verdict");
    assert_eq!((found.only_before.len(), found.only_after.len()), (1, 1));
    assert!(found.verdict.contains("1 load on both sides"), "{}", found.verdict);
}

#[test]
fn a_healthy_open_stream_was_said_not_to_be_kept_up_with() {
    let open = |served: f64, unserved: u64, least_us: u64| {
        let mut recorder = spindle_workload::Recorder::new();
        let gap = 10e9 / served;
        (0..served as u64).for_each(|n| recorder.record((n as f64 * gap) as u64, least_us * 1_000, 8_192));
        let recorded = recorder.finish(10_000_000_000);
        let of = StreamResult::of("s", "read", LatencyFrom::Intended, &recorded, Vec::new());
        StreamResult { unserved: Some(unserved), ..of }
    };
    // 20 a second, 8 ms each: one is under way every now and then; 75 a second, one nearly always.
    assert_eq!(open(200.0, 1, 8_000).piled_up(), None);
    assert_eq!(open(750.0, 3, 8_000).piled_up(), None);
    // 200 a second for ten seconds on a device of 150.
    assert_eq!(open(1_500.0, 500, 8_000).piled_up(), Some(500));
    assert_eq!(StreamResult { unserved: None, ..open(200.0, 1, 8_000) }.piled_up(), None);
}

#[test]
fn reads_and_writes_of_a_mix_had_one_latency() {
    let mut recorder = spindle_workload::Recorder::apart();
    for n in 0..400_u64 {
        // A write takes a tenth of a read, and three of four are reads.
        let write = n % 4 == 0;
        let latency_ns = if write { 100_000 } else { 1_000_000 };
        recorder.record(n * 10_000_000, latency_ns, 8_192);
        if write {
            recorder.was_write(latency_ns, 8_192);
        }
    }
    let mix = StreamResult::of("s", "mix", LatencyFrom::Submit, &recorder.finish(4_000_000_000), Vec::new());
    let [reads, writes] = &mix.parts[..] else { panic!("{mix:?}") };
    assert_eq!((reads.ios, writes.ios, mix.ios), (Some(300), Some(100), Some(400)));
    assert_eq!((reads.iops, writes.iops), (Some(75.0), Some(25.0)));
    assert_eq!((reads.latency_us.mean, writes.latency_us.mean), (Some(1_000.0), Some(100.0)));
    assert!(writes.latency_us.p99.is_some_and(|us| (us - 100.0).abs() < 0.1), "{writes:?}");
    // On two hosts, and against what another tool prints.
    let both = mix.merged(&mix).unwrap();
    assert_eq!((both.parts[1].ios, both.parts[1].latency_us.mean), (Some(200), Some(100.0)));
    let ours = run("spindle", vec![(depth(4.0), vec![mix])]);
    let theirs =
        run("fio", vec![(depth(4.0), vec![stream("read", 75.0, 900.0), stream("write", 25.0, 110.0)])]);
    let found = compare_results(&named("a", ours), &named("b", theirs)).unwrap();
    let loads: Vec<&str> = found.runs.iter().map(|r| r.operation.as_str()).collect();
    assert_eq!(loads, ["read", "write"], "{:?}", found.only_before);
}

#[test]
fn latencies_of_different_bases_get_no_ratio() {
    let ours = run("spindle", vec![(depth(4.0), vec![stream("read", 3_000.0, 1_300.0)])]);
    let mut theirs = stream("read", 3_000.0, 1_300.0);
    theirs.percentiles_from = Some(LatencyFrom::Submitted);
    let fio = run("fio", vec![(depth(4.0), vec![theirs])]);
    let found = compare_results(&named("a", ours), &named("b", fio)).unwrap();
    assert!(found.runs[0].figures.iter().all(|f| f.name != "p99_us"));
    assert!(found.runs[0].figures.iter().any(|f| f.name == "mean_us"));
    assert!(found.runs[0].not_compared[0].contains("clat"), "{:?}", found.runs[0].not_compared);
}

#[test]
fn a_load_that_one_side_does_not_say_is_paired_with_a_word_and_one_that_differs_is_not() {
    let known = run("fio", vec![(depth(4.0), vec![stream("read", 3_000.0, 1_300.0)])]);
    let unsaid = run("fio", vec![(Parameters::default(), vec![stream("read", 2_900.0, 1_350.0)])]);
    let found = compare_results(&named("a", known.clone()), &named("b", unsaid)).unwrap();
    assert!(found.runs[0].not_compared.iter().any(|why| why.contains("requests under way")));
    let other = run("fio", vec![(depth(8.0), vec![stream("read", 2_900.0, 2_350.0)])]);
    let refused = compare_results(&named("a", known), &named("b", other)).unwrap_err();
    assert!(refused.contains("no load in common"), "{refused}");
}

#[test]
fn intervals_tell_whether_rates_differ() {
    let with = |iops: f64, half: f64| {
        let interval =
            Some(RateInterval { iops_low: iops - half, iops_high: iops + half, confidence_pct: 95.0 });
        run("spindle", vec![(depth(1.0), vec![StreamResult { interval, ..stream("read", iops, 100.0) }])])
    };
    let differs = |a, b| compare_results(&named("a", a), &named("b", b)).unwrap().runs[0].figures[0].differs;
    assert_eq!(differs(with(100.0, 3.0), with(104.9, 4.0)), Some(false));
    assert_eq!(differs(with(100.0, 3.0), with(105.1, 4.0)), Some(true));
}

#[test]
fn a_series_over_the_load_is_a_curve() {
    let runs =
        [(1.0, 100.0, 9_900.0), (2.0, 149.0, 13_400.0), (4.0, 149.5, 26_700.0), (8.0, 148.0, 54_000.0)];
    let runs = runs.map(|(n, iops, us)| (depth(n), vec![stream("read", iops, us)]));
    let curve = DeviceCurve::of_results(&[run("fio-3.33", runs.into())]).unwrap();
    let points: Vec<(f64, f64)> = curve.points.iter().map(|p| (p.iops, p.latency_us.mean)).collect();
    assert_eq!(points, [(100.0, 9_900.0), (149.0, 13_400.0)], "more load that brings no more is waiting");
    assert_eq!((curve.operation.as_str(), curve.block_bytes), ("read", Some(8_192.0)));
    assert!(curve.source.unwrap().contains("fio-3.33, 2 of 4 runs"));
}

#[test]
fn runs_of_which_the_depth_is_not_known_were_a_curve_up_to_its_knee() {
    let of = |runs: Vec<(Parameters, f64, f64)>| {
        let runs = runs.into_iter().map(|(p, iops, us)| (p, vec![stream("read", iops, us)]));
        DeviceCurve::of_results(&[run("fio", runs.collect())]).unwrap()
    };
    let unknown = Parameters::default;
    let one = of(vec![(unknown(), 100.0, 9_900.0)]);
    assert!(one.ends_below_knee);
    assert_eq!(one.source.as_deref(), Some("fio"));
    assert!(of(vec![(unknown(), 100.0, 9_900.0), (unknown(), 150.0, 20_000.0)]).ends_below_knee);
    assert!(!of(vec![(depth(4.0), 149.0, 26_700.0), (depth(8.0), 150.0, 54_000.0)]).ends_below_knee);
    // Runs that were held to a rate lie below those without.
    let held = Parameters { paced: true, ..Parameters::default() };
    let runs = vec![(held, 50.0, 9_000.0), (depth(4.0), 149.0, 26_700.0), (depth(8.0), 150.0, 54_000.0)];
    assert!(!of(runs).ends_below_knee);
}

#[test]
fn a_percentile_of_which_only_bounds_are_known_was_not_told_of() {
    let with = |p99: Option<f64>, bounds: Option<(f64, f64)>| {
        let mut one = stream("read", 100.0, 9_900.0);
        one.latency_us.p99 = p99;
        one.latency_us.intervals.extend(bounds.map(|bounds| ("p99".to_owned(), bounds)));
        run("fio", vec![(depth(1.0), vec![one])])
    };
    let at_least = with(None, Some((17_045_651.0, 25_000_000.0)));
    let found = compare_results(&named("a", at_least.clone()), &named("b", at_least)).unwrap();
    assert!(found.runs[0].figures.iter().all(|figure| figure.name != "p99_us"));
    let said = found.runs[0].not_compared.join("\n");
    assert!(said.contains("p99: before it is between 17045.651 and 25000.000 ms"), "{said}");
}

#[test]
fn rates_and_latencies_of_orion_in_two_files_are_one_curve() {
    let at = |small: u32| Parameters { small: Some(small), large: Some(0), ..Parameters::default() };
    let rates = run(
        "Orion",
        vec![
            (
                at(1),
                vec![StreamResult {
                    ios: None,
                    latency_us: LatencyUs::default(),
                    ..stream("unknown", 130.0, 0.0)
                }],
            ),
            (
                at(2),
                vec![StreamResult {
                    ios: None,
                    latency_us: LatencyUs::default(),
                    ..stream("unknown", 250.0, 0.0)
                }],
            ),
        ],
    );
    let latencies = run(
        "Orion",
        vec![
            (
                at(1),
                vec![StreamResult { ios: None, iops: None, mbps: None, ..stream("unknown", 0.0, 7_600.0) }],
            ),
            (
                at(2),
                vec![StreamResult { ios: None, iops: None, mbps: None, ..stream("unknown", 0.0, 8_000.0) }],
            ),
        ],
    );
    let curve = DeviceCurve::of_results(&[rates.clone(), latencies]).unwrap();
    assert_eq!((curve.points.len(), curve.latency_us(190.0)), (2, Some(7_800.0)));
    let alone = DeviceCurve::of_results(&[rates]).unwrap_err();
    assert!(alone.to_string().contains("rates and of latencies"), "{alone}");
}

#[test]
fn a_rate_of_one_run_of_orion_stood_beside_the_latency_of_another() {
    let at = |small: u32| Parameters { small: Some(small), large: Some(0), ..Parameters::default() };
    let summary = |rate_at: u32, rate: f64, latency_at: u32, us: f64| {
        let rate = StreamResult {
            ios: None,
            mbps: None,
            latency_us: LatencyUs::default(),
            ..stream("read", rate, 0.0)
        };
        let latency = StreamResult { ios: None, iops: None, mbps: None, ..stream("read", 0.0, us) };
        let mut run = run("Orion", vec![(at(rate_at), vec![rate]), (at(latency_at), vec![latency])]);
        run.matrix =
            Some(Matrix { summary: vec![format!("Maximum Small IOPS at {rate_at}")], ..Matrix::default() });
        run
    };
    // The place of the one's rate is that of the other's latency.
    let (one, other) = (summary(5, 19_000.0, 4, 260.0), summary(4, 700.0, 5, 9_000.0));
    let side = vec![("a".to_owned(), one.clone()), ("a".to_owned(), other.clone())];
    let found = compare_results(&side, &side).unwrap();
    for run in &found.runs {
        let has = |name: &str| run.figures.iter().any(|f| f.name == name);
        assert!(!(has("iops") && has("mean_us")), "{run:?}");
    }
    let refused = DeviceCurve::of_results(&[one, other]).unwrap_err().to_string();
    assert!(refused.contains("2 runs of Orion"), "{refused}");
}

#[test]
fn what_is_no_curve_is_refused_with_the_reason() {
    let watched = run("iostat", vec![(Parameters::default(), vec![stream("read", 100.0, 5_000.0)])]);
    assert!(DeviceCurve::of_results(&[watched]).unwrap_err().to_string().contains("iostat"));
    let large = Parameters { block_bytes: Some(1 << 20), ..depth(2.0) };
    let both = run(
        "fio",
        vec![
            (depth(1.0), vec![stream("read", 100.0, 9_900.0)]),
            (large, vec![stream("read", 120.0, 9_900.0)]),
        ],
    );
    assert!(DeviceCurve::of_results(&[both]).unwrap_err().to_string().contains("8192 and 1048576"));
    let mixed = run(
        "fio",
        vec![
            (depth(1.0), vec![stream("read", 100.0, 9_900.0)]),
            (depth(2.0), vec![stream("write", 120.0, 9_900.0)]),
        ],
    );
    assert!(DeviceCurve::of_results(&[mixed]).unwrap_err().to_string().contains("read and write"));
}

#[test]
fn intervals_of_iostat_are_one_row_a_device_without_the_report_since_boot() {
    let at = |phase: &str| Parameters { phase: Some(phase.into()), ..Parameters::default() };
    let side = |scale: f64| {
        run(
            "iostat",
            vec![
                (at("since boot"), vec![stream("read", 9_999.0, 1.0)]),
                (at("1"), vec![stream("read", 100.0 * scale, 2_000.0)]),
                (at("2"), vec![stream("read", 300.0 * scale, 4_000.0)]),
            ],
        )
    };
    let found = compare_results(&named("a", side(1.0)), &named("b", side(2.0))).unwrap();
    let figure = |name: &str| found.runs[0].figures.iter().find(|f| f.name == name).unwrap();
    assert_eq!((figure("iops").before, figure("iops").after), (200.0, 400.0));
    assert_eq!(figure("mean_us").before, 3_500.0, "by requests");
    assert!(found.warnings[0].contains("lower load"));
}

/// A report of `iostat -y`, alone, "counts from boot".
#[test]
fn a_lone_report_of_an_interval_counted_from_boot() {
    let at = Parameters { phase: Some("since boot".into()), ..Parameters::default() };
    let side = || run("iostat", vec![(at.clone(), vec![stream("read", 100.0, 2_000.0)])]);
    let found = compare_results(&named("a", side()), &named("b", side())).unwrap();
    let alone: Vec<&String> =
        found.warnings.iter().filter(|w| w.contains("the only one of its call")).collect();
    assert_eq!(alone.len(), 2);
    assert!(alone.iter().all(|w| w.contains("unless it is of `iostat -y`")), "{alone:?}");
}

/// Writes of a mixed run were held against a run of writes alone.
#[test]
fn writes_beside_reads_are_another_load_than_writes_alone() {
    let mixed =
        run("fio", vec![(depth(8.0), vec![stream("read", 300.0, 900.0), stream("write", 100.0, 800.0)])]);
    let alone = run("fio", vec![(depth(8.0), vec![stream("write", 500.0, 900.0)])]);
    assert!(compare_results(&named("a", mixed.clone()), &named("b", alone)).is_err());
    let found = compare_results(&named("a", mixed.clone()), &named("b", mixed)).unwrap();
    let loads: Vec<&str> = found.runs.iter().map(|r| r.load.as_str()).collect();
    assert_eq!(loads[1], "write, beside read, 8192 bytes, random, 8 under way");
    assert_eq!(loads.len(), 2);
}

/// A run of our own: its job, and what it came to.
fn own(change: impl FnOnce(&mut Stream), iops: f64) -> Measured {
    let mut asked = Stream {
        name: "s".into(),
        read_pct: 100.0,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 4_096, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth: 1, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    change(&mut asked);
    let mut recorder = Recorder::new();
    (0..(iops * 10.0) as u64).for_each(|n| recorder.record((n as f64 * 1e9 / iops) as u64, 1_000_000, 4_096));
    let from = if matches!(asked.arrivals, Arrivals::Open { .. }) {
        LatencyFrom::Intended
    } else {
        LatencyFrom::Submit
    };
    let found = StreamResult::of("s", "read", from, &recorder.finish(10_000_000_000), Vec::new());
    let job = Job {
        name: "j".into(),
        seed: 1,
        streams: vec![asked],
        end: End { seconds: Some(10.0), ..End::default() },
        warm_up_s: None,
    };
    let mut measured = run("spindle", vec![(Parameters::default(), vec![found])]);
    measured.form = Form::Run;
    measured.points[0].result.job = Some(job);
    measured
}

#[test]
fn results_of_different_loads_were_taken_for_one_load() {
    let open = |iops: f64, poisson: bool| own(|s| s.arrivals = Arrivals::Open { iops, poisson }, iops);
    let plain = || own(|_| (), 125.0);
    let different = [
        ("rate", open(20.0, true), open(75.0, true)),
        ("times of arrival", open(75.0, true), open(75.0, false)),
        ("a rate or none", plain(), open(75.0, true)),
        ("pauses", plain(), own(|s| s.arrivals = Arrivals::Closed { depth: 1, think_us: 1e5 }, 9.0)),
        (
            "a part of the disk",
            plain(),
            own(|s| s.region = Region { from: Extent::Bytes(0), length: Some(Extent::Percent(5.0)) }, 238.0),
        ),
        (
            "skew",
            own(|s| s.pattern = Pattern::Zipf { theta: 0.9 }, 125.0),
            own(|s| s.pattern = Pattern::Zipf { theta: 0.2 }, 125.0),
        ),
    ];
    for (what, before, after) in different {
        let refused = compare_results(&named("a", before.clone()), &named("b", after)).unwrap_err();
        assert!(refused.contains("no load in common"), "{what}: {refused}");
        let found = compare_results(&named("a", before.clone()), &named("b", before)).unwrap();
        assert_eq!(found.runs.len(), 1, "{what}");
        assert_eq!(found.runs[0].not_compared, Vec::<String>::new(), "{what}");
    }
    // The words of a load say what sets it apart.
    let found = compare_results(&named("a", open(75.0, true)), &named("b", open(75.0, true))).unwrap();
    assert_eq!(found.runs[0].load, "read, 4096 bytes, random, 75 a second asked for, at random times");
}

#[test]
fn fio_held_back_by_pauses_or_a_rate_was_taken_for_fio_without() {
    let fio =
        |parameters: Parameters, iops: f64| run("fio", vec![(parameters, vec![stream("read", iops, 1e3)])]);
    let kind = Parameters { concurrency: None, ..depth(1.0) };
    let paused = Parameters { paced: true, pace: Some("thinktime=50000".into()), ..kind.clone() };
    let rated = Parameters { paced: true, offered_iops: Some(10.0), ..kind };
    for held_back in [paused, rated] {
        let refused =
            compare_results(&named("a", fio(depth(1.0), 125.0)), &named("b", fio(held_back.clone(), 10.0)))
                .unwrap_err();
        assert!(refused.contains("no load in common"), "{refused}");
        let same =
            compare_results(&named("a", fio(held_back.clone(), 10.0)), &named("b", fio(held_back, 10.0)));
        assert_eq!(same.unwrap().runs.len(), 1);
    }
}

#[test]
fn what_another_tool_does_not_say_of_its_load_was_not_named() {
    let part =
        own(|s| s.region = Region { from: Extent::Bytes(0), length: Some(Extent::Percent(5.0)) }, 238.0);
    let kind = Parameters { block_bytes: Some(4_096), ..depth(1.0) };
    let fio = run("fio", vec![(kind.clone(), vec![stream("read", 125.0, 8_000.0)])]);
    let found = compare_results(&named("a", part), &named("b", fio.clone())).unwrap();
    let said = &found.runs[0].not_compared;
    assert!(said.iter().any(|why| why.contains("5 % long") && why.contains("not known after")), "{said:?}");
    // Anywhere on the device, one after the other: nothing is missed of it.
    let found = compare_results(&named("a", own(|_| (), 125.0)), &named("b", fio)).unwrap();
    let said = &found.runs[0].not_compared;
    assert!(!said.iter().any(|why| why.contains("not sure")), "{said:?}");
}

#[test]
fn runs_that_were_repeated_had_no_load_in_common() {
    let several = |rates: &[f64]| -> Vec<(String, Measured)> {
        rates.iter().enumerate().map(|(n, rate)| (format!("{n}"), own(|_| (), *rate))).collect()
    };
    let found = compare_results(&several(&[100.0, 104.0, 96.0]), &several(&[150.0, 152.0])).unwrap();
    assert_eq!(found.runs.len(), 1);
    let figure = |name: &str| found.runs[0].figures.iter().find(|f| f.name == name).unwrap();
    let rate = figure("iops");
    assert!((rate.before - 100.0).abs() < 0.5 && (rate.after - 151.0).abs() < 0.5, "{rate:?}");
    // Student's t of three runs: 4.303 times 4 over the root of 3.
    let (low, high) = rate.before_interval.unwrap();
    assert!(((high - low) / 2.0 - 9.94).abs() < 0.6, "{rate:?}");
    let (low, high) = rate.after_interval.unwrap();
    assert!(low <= 150.1 && high >= 151.9, "{rate:?}");
    assert_eq!(rate.differs, Some(true));
    assert!(found.warnings.iter().any(|w| w.contains("up to 3 times before and 2 after")), "{found:?}");
    // Runs that are as far apart among themselves are no difference.
    let found = compare_results(&several(&[100.0, 140.0, 60.0]), &several(&[120.0, 80.0, 130.0])).unwrap();
    let rate = found.runs[0].figures.iter().find(|f| f.name == "iops").unwrap();
    assert_eq!(rate.differs, Some(false), "{rate:?}");
}

#[test]
fn whether_the_mean_differs_was_never_said() {
    let at = |us: u64, seed: u64| {
        let mut measured = own(|_| (), 125.0);
        let mut random = spindle_workload::Seeded::new(seed, 0);
        let mut recorder = Recorder::new();
        for n in 0..5_000_u64 {
            let took = us * 900 + (random.unit() * us as f64 * 200.0) as u64;
            recorder.record(n * 2_000_000, took, 4_096);
        }
        let recorded = recorder.finish(10_000_000_000);
        measured.points[0].result.streams =
            vec![StreamResult::of("s", "read", LatencyFrom::Submit, &recorded, Vec::new())];
        measured
    };
    for (after, differs) in [(2_000, true), (1_000, false)] {
        let found = compare_results(&named("a", at(1_000, 1)), &named("b", at(after, 2))).unwrap();
        let mean = found.runs[0].figures.iter().find(|f| f.name == "mean_us").unwrap();
        assert!(mean.before_interval.is_some(), "{mean:?}");
        // Of runs alike the intervals may miss each other once in many.
        assert_eq!(mean.differs, Some(differs), "{mean:?}");
    }
}

#[test]
fn a_series_that_still_rose_was_a_curve_up_to_the_knee() {
    let series = |rates: &[(f64, f64)]| {
        let runs = rates.iter().map(|(n, rate)| (depth(*n), vec![stream("read", *rate, 1e6 * n / rate)]));
        DeviceCurve::of_results(&[run("fio", runs.collect())]).unwrap()
    };
    assert!(series(&[(1.0, 50.0), (2.0, 100.0), (4.0, 200.0)]).ends_below_knee);
    assert!(!series(&[(1.0, 125.0), (2.0, 149.0), (4.0, 150.0)]).ends_below_knee);
    assert!(series(&[(8.0, 150.0)]).ends_below_knee, "one load alone says nothing of more");
}

#[test]
fn a_run_of_which_requests_failed_was_planned_with() {
    let failed = |done: f64| StreamResult {
        errors: vec![StreamResult::error("no space left", 1_000)],
        ..stream("read", done, 1_000.0)
    };
    let why = DeviceCurve::of_results(&[run("fio", vec![(depth(1.0), vec![failed(50.0)])])]).unwrap_err();
    assert!(why.to_string().contains("failed"), "{why}");
    let both = vec![(depth(1.0), vec![stream("read", 100.0, 10_000.0)]), (depth(2.0), vec![failed(150.0)])];
    let curve = DeviceCurve::of_results(&[run("fio", both)]).unwrap();
    assert_eq!(curve.points.len(), 1);
    assert!(curve.source.unwrap().contains("1 of 2 runs left out, since requests of them failed"));
}
