//! Screen and page of a measurement, from hand-made runs.
#![allow(clippy::unwrap_used)]

use spindle_presentation::html::{self, LIMIT};
use spindle_presentation::terminal::{self, Look};
use spindle_workload::{
    Arrivals, COMMIT, DeviceFacts, End, Environment, Figure, Flush, Form, HostRun, Hot, Job, Knee,
    LatencyFrom, LimitedBy, LogFound, LogStep, Matrix, Measured, Parameters, Pattern, Point, Recorder,
    Region, RunResult, ScanFound, ScanStep, SeekStep, Size, Slob, SlobEvent, SlobFound, Stream, StreamResult,
    StripeStep, StrokeStep, SweetSpot, Times, ZoneStep, ZonesFound, compare_results, together,
};

const HOSTILE: &str = "</title><script>alert(1)</script>\u{1b}[2J";

fn run(name: &str, ios: u64, gap_us: u64, latency_us: u64) -> RunResult {
    let mut recorder = Recorder::new();
    for n in 1..=ios {
        recorder.record(n * gap_us * 1_000, (latency_us + n % 97) * 1_000, 8_192);
    }
    let recorded = recorder.finish((ios + 1) * gap_us * 1_000);
    let stream = Stream {
        name: name.to_owned(),
        read_pct: 100.0,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth: 1, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    let job = Job {
        name: "job".into(),
        seed: 13,
        streams: vec![stream],
        end: End { ios: Some(ios), ..End::default() },
        warm_up_s: None,
    };
    let device = DeviceFacts {
        path: HOSTILE.to_owned(),
        bytes: Some(1 << 30),
        direct: Some(true),
        ..DeviceFacts::default()
    };
    RunResult {
        job: Some(job),
        environment: Environment { devices: vec![device], ..Environment::default() },
        streams: vec![StreamResult::of(name, "read", LatencyFrom::Submit, &recorded, Vec::new())],
        limited_by: LimitedBy::Device,
        warnings: vec![format!("`{HOSTILE}` is odd")],
        hosts: None,
        ended_early: None,
    }
}

fn measured(form: Form, points: Vec<Point>) -> Measured {
    Measured {
        form,
        command: format!("spindle measure ramp '{HOSTILE}'"),
        began_s: None,
        incomplete: None,
        points,
        knee: None,
        verdict: "150 requests a second.".to_owned(),
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

fn ramp() -> Measured {
    let point = |n: u32| Point {
        parameters: Parameters { concurrency: Some(f64::from(n)), ..Parameters::default() },
        result: run("ramp", 2_000, 6_667, 8_000 * u64::from(n)),
    };
    let mut m = measured(Form::Ramp, (1..=40).map(point).collect());
    m.knee = Some(Knee {
        concurrency: 2.0,
        interval: Some((1.0, 4.0)),
        iops: 150.0,
        latency_us: 13_333.0,
        highest_iops: 151.0,
    });
    m
}

fn plain(width: usize) -> Look {
    Look { width, colour: false }
}

#[test]
fn what_comes_from_outside_is_shown_not_obeyed() {
    for m in [
        ramp(),
        log(),
        zones(),
        slob(),
        scan(),
        measured(
            Form::Run,
            vec![Point { parameters: Parameters::default(), result: run(HOSTILE, 50, 9, 8) }],
        ),
    ] {
        let page = html::measure(&m);
        assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"));
        assert!(page.len() < LIMIT && !page.contains("http://") && !page.contains("https://"));
        let screen = terminal::measure(&m, plain(80));
        assert!(!screen.contains('\u{1b}'), "{screen}");
    }
}

#[test]
fn the_screen_keeps_its_width() {
    for width in [40, 80, 120] {
        for m in [ramp(), log(), zones(), slob(), scan()] {
            for line in terminal::measure(&m, plain(width)).lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

fn log() -> Measured {
    let mut points = Vec::new();
    for (phase, committers) in [("log alone", 4), ("log beside reads", 4)] {
        let mut result = run("log", 2_000, 1_000, 2_000);
        result.streams[0].operation = "write".into();
        let mut commits = result.streams[0].clone();
        commits.operation = COMMIT.into();
        result.streams.push(commits);
        let parameters =
            Parameters { phase: Some(phase.into()), committers: Some(committers), ..Parameters::default() };
        points.push(Point { parameters, result });
    }
    let step = |reads_depth: u32, point: &Point| LogStep {
        committers: 4,
        reads_depth,
        writes_per_s: Figure::rate(&point.result.streams[0]),
        commits_per_s: Figure::rate(&point.result.streams[1]),
        commits_per_write: None,
        write_us: Times::of(&point.result.streams[0]),
        commit_us: Times::of(&point.result.streams[1]),
        redo_mbps: Some(Figure::new(1.0, None)),
        written_mbps: None,
    };
    let found = LogFound {
        flush: Flush::Dsync,
        mix: vec![Size { bytes: 8_192, weight: 1.0 }],
        mix_source: HOSTILE.into(),
        think_us: 0.0,
        log_bytes: 1 << 30,
        steps: vec![step(0, &points[0]), step(8, &points[1])],
        reads: Vec::new(),
    };
    let mut m = measured(Form::Log, points);
    m.log = Some(found);
    m
}

fn zones() -> Measured {
    let figure = |value: f64| Some(Figure::new(value, Some((value * 0.9, value * 1.1))));
    let times = Times { mean: figure(8_000.0), ..Times::default() };
    let zone = |n: u64| ZoneStep {
        from_bytes: n << 30,
        to_bytes: (n + 1) << 30,
        mbps: figure(100.0),
        read_us: times,
    };
    let stroke = |share_pct: f64, rate: f64| StrokeStep {
        share_pct,
        bytes: 1 << 30,
        reads_per_s: figure(rate),
        read_us: times,
    };
    let strokes = vec![stroke(5.0, 150.0), stroke(20.0, 120.0), stroke(100.0, 80.0)];
    let points = vec![Point {
        parameters: Parameters {
            phase: Some("sequential".into()),
            range_bytes: Some((0, 1 << 30)),
            ..Parameters::default()
        },
        result: run("sequential", 500, 1_000, 500),
    }];
    let mut m = measured(Form::Zones, points);
    m.zones = Some(ZonesFound {
        size: 8_192,
        depth: 1,
        zones: vec![zone(0), zone(1)],
        zone_ratio: figure(1.5),
        zones_show: Some(true),
        seeks: vec![SeekStep { distance_bytes: 0, read_us: figure(5_000.0) }],
        full_seek_us: None,
        seeks_show: None,
        gain_shows: Some(true),
        stripe_shows: Some(false),
        sweet_spot: Some(SweetSpot {
            share_pct: 20.0,
            bytes: 1 << 30,
            gain: figure(1.5).unwrap(),
            most_gain: figure(1.9).unwrap(),
            kept_pct: 50.0,
        }),
        strokes,
        stripes: vec![StripeStep { distance_bytes: 8_192, reads_per_s: figure(100.0) }],
        stripe: None,
    });
    m
}

fn one_point(form: Form, parameters: Parameters) -> Measured {
    measured(form, vec![Point { parameters, result: run("reads", 500, 1_000, 500) }])
}

fn slob() -> Measured {
    let mut m = one_point(Form::Slob, Parameters { threads: Some(4), ..Parameters::default() });
    let stream = &m.points[0].result.streams[0];
    let rate = Figure::rate(stream);
    let event = SlobEvent {
        event: "db file sequential read".into(),
        waits: 500,
        time_s: 0.25,
        waits_per_s: rate,
        wait_us: Times::of(stream),
    };
    let load = Slob {
        update_pct: 25.0,
        threads: 4,
        scale_bytes: 1 << 30,
        log_bytes: 1 << 20,
        work_unit: 64,
        block_bytes: 8_192,
        think: None,
        hot: Some(Hot { every: 3, bytes: 8 << 20, offset_bytes: 0 }),
        redo_bytes: 600,
        seed: 13,
        seconds: 60.0,
        warm_up_s: 0.0,
    };
    m.slob = Some(SlobFound {
        load,
        physical_reads_per_s: rate,
        physical_writes_per_s: None,
        redo_bytes_per_s: None,
        redo_writes_per_s: None,
        transactions_per_s: None,
        statements_per_s: None,
        events: vec![event],
    });
    m
}

fn scan() -> Measured {
    let parameters = Parameters { degree: Some(4), scheduler: Some(HOSTILE.into()), ..Parameters::default() };
    let mut m = one_point(Form::Scan, parameters);
    let step = |degree: u32, seconds: Option<f64>| ScanStep {
        degree,
        scheduler: Some(HOSTILE.into()),
        read_ahead_bytes: Some(128 << 10),
        multiblock_bytes: 512 << 10,
        bytes: Some(1 << 30),
        seconds,
        mbps: Some(Figure::new(100.0, None)),
        read_us: Times::default(),
    };
    let steps = vec![step(1, Some(61.0)), step(4, Some(22.0)), step(8, None)];
    m.scan = Some(ScanFound { files: 2, bytes: 1 << 30, granule_bytes: 16 << 20, steps });
    m
}

#[test]
fn scans_stand_by_degree_and_one_that_was_cut_has_no_seconds() {
    let screen = terminal::measure(&scan(), plain(120));
    let lines: Vec<&str> =
        screen.lines().skip_while(|l| !l.starts_with("Seconds of a full scan")).take(3).collect();
    let last = |line: &str| line.split_whitespace().rev().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(last(lines[1]), ["8", "4", "1"], "{screen}");
    assert_eq!(last(lines[2]), ["-", "22.0", "61.0"], "{screen}");
    assert!(html::measure(&scan()).contains("What does a higher degree bring?"));
}

#[test]
fn slob_stands_as_an_awr_has_it() {
    let screen = terminal::measure(&slob(), plain(120));
    let row = screen.lines().find(|l| l.starts_with("  db file sequential read")).unwrap();
    assert_eq!(row.split_whitespace().nth(4), Some("500"), "{row}");
    for words in ["UPDATE_PCT 25", "every 3. statement in 8.00 MiB of it", "Physical writes (blocks)"] {
        assert!(screen.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{screen}");
    }
}

#[test]
fn a_short_stroke_says_where_the_sweet_spot_is_and_why() {
    let m = zones();
    let screen = terminal::measure(&m, plain(120));
    let row = screen.lines().find(|l| l.starts_with("  first 20 %")).unwrap();
    assert!(row.contains("120") && row.contains("1.50"), "{row}");
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("keeps 50 % of what the smallest brings more than the whole: 20 %"), "{screen}");
    assert!(words.contains("No stripe shows"), "{screen}");
    assert!(html::measure(&m).contains("sweet spot: 20 %"));
}

#[test]
fn a_log_shows_writes_and_commits_apart() {
    let screen = terminal::measure(&log(), plain(120));
    let row = screen.lines().find(|l| l.starts_with("  4 beside 8 reads")).unwrap();
    assert_eq!(row.split_whitespace().nth(4), Some("1,000"), "{row}");
    assert!(screen.contains("log file parallel write"), "{screen}");
    let page = html::measure(&log());
    assert!(page.contains("What do reads beside it do to the writes of the log?"));
    // Bounds stand beside figures where there are any.
    assert!(page.contains("2.05 (2.0"), "{page}");
}

#[test]
fn percentiles_that_nothing_lies_beyond_are_not_shown() {
    let of = |ios| {
        let point = Point { parameters: Parameters::default(), result: run("reads", ios, 1_000, 500) };
        let screen = terminal::measure(&measured(Form::Run, vec![point]), plain(120));
        let row = screen.lines().find(|l| l.starts_with("  reads")).unwrap().to_owned();
        row.split_whitespace().skip(5).take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let (few, more, many) = (of(99), of(100), of(1_000));
    assert!(few[1] == "-" && few[2] == "-" && few[0] != "-", "{few:?}");
    assert!(more[1] != "-" && more[2] == "-", "{more:?}");
    assert!(many[2] != "-", "{many:?}");
}

#[test]
fn a_run_that_was_cut_says_so_first() {
    let mut m = ramp();
    m.incomplete = Some("it was stopped".to_owned());
    for shown in [html::measure(&m), terminal::measure(&m, plain(80))] {
        let at = |words: &str| shown.find(words).unwrap_or_else(|| panic!("{words}"));
        assert!(at("Ended early: it was stopped") < at("150 requests a second"));
    }
}

#[test]
fn a_grid_shows_small_by_large() {
    let point = |small, large| {
        let mut result = run("small", 2_000, 1_000, 500);
        if small == 0 {
            result.streams.clear();
        }
        if large > 0 {
            result.streams.extend(run("large", 100, 10_000, 9_000).streams);
        }
        let parameters = Parameters { small: Some(small), large: Some(large), ..Parameters::default() };
        Point { parameters, result }
    };
    let mut m = measured(Form::Matrix, vec![point(1, 0), point(0, 1), point(1, 1)]);
    m.matrix = Some(Matrix {
        kind: "detailed".into(),
        summary: vec!["Maximum Large MBPS=0.81 @ Small=0 and Large=1".into()],
        ..Matrix::default()
    });
    let screen = terminal::measure(&m, plain(80));
    let grid: Vec<&str> =
        screen.lines().skip_while(|l| !l.starts_with("Small requests, IOPS")).take(4).collect();
    assert_eq!(grid[1].split_whitespace().collect::<Vec<_>>(), ["large\\small", "0", "1"]);
    assert_eq!(grid[2].split_whitespace().collect::<Vec<_>>(), ["0", "1,000"]);
    assert_eq!(grid[3].split_whitespace().collect::<Vec<_>>(), ["1", "1,000"]);
    assert!(screen.contains("  Maximum Large MBPS=0.81 @ Small=0 and Large=1\n"));
    assert!(html::measure(&m).contains("Large requests, MB/s"));
}

#[test]
fn an_unknown_time_of_a_reader_is_not_added_as_zero() {
    let mut result = run("reads, one", 500, 1_000, 500);
    let mut other = result.streams[0].clone();
    (other.name, other.elapsed_s) = ("reads, two".into(), None);
    result.streams.push(other);
    let m = measured(Form::Read, vec![Point { parameters: Parameters::default(), result }]);
    let look = plain(120);
    let screen = terminal::measure(&m, look);
    let all = screen.lines().find(|l| l.starts_with("  all")).unwrap();
    assert_eq!(all.split_whitespace().collect::<Vec<_>>(), ["all", "1,000", "-", "-"]);
    let page = html::measure(&m);
    assert!(
        page.contains("<td>all</td><td class=n>1,000</td><td class=n>-</td><td class=n>-</td>"),
        "{page}"
    );
}

#[test]
fn hosts_stand_beside_what_all_did() {
    let host = |name: &str, ios: u64, gap_us: u64| HostRun {
        began_us: Some((-300.0, 500.0)),
        ..HostRun::of(name, run("reads", ios, gap_us, 500))
    };
    let gone = HostRun::missing("db3", "nothing was heard of it for 30 s".into());
    let each = vec![host(HOSTILE, 5_000, 1_000), host("db2", 2_500, 2_000), gone];
    let result = together(each).unwrap();
    let m = measured(Form::Run, vec![Point { parameters: Parameters::default(), result }]);
    let screen = terminal::measure(&m, plain(80));
    assert!(screen.contains("db3 (missing)") && screen.contains("further apart than 0.800 ms"), "{screen}");
    let page = html::measure(&m);
    assert!(
        page.contains("What each host did")
            && page.contains("db3\u{a0}(missing)")
            && !page.contains("<script>alert")
    );
}

#[test]
fn two_measurements_are_one_page_with_what_cannot_be_compared() {
    let side = |gap_us: u64, latency_us: u64, concurrency: f64| {
        let parameters = Parameters { concurrency: Some(concurrency), ..Parameters::default() };
        let result = run(HOSTILE, 5_000, gap_us, latency_us);
        vec![(HOSTILE.to_owned(), measured(Form::Ramp, vec![Point { parameters, result }]))]
    };
    let (before, after) = (side(1_000, 4_000, 4.0), side(250, 900, 4.0));
    let found = compare_results(&before, &after).unwrap();
    let page = html::compare_results(&found);
    assert!(!page.contains(HOSTILE) && !page.contains('\u{1b}') && page.len() < LIMIT, "{page}");
    assert!(page.contains("4.00") && page.contains(">differs<") && page.contains("dt k-oth"), "{page}");
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
    assert_eq!(page, html::compare_results(&found));
    // A latency that counts from elsewhere is not in the picture, and its row says why.
    let mut other = side(250, 900, 4.0);
    other[0].1.points[0].result.streams[0].latency_from = LatencyFrom::Intended;
    let page = html::compare_results(&compare_results(&before, &other).unwrap());
    assert!(!page.contains("dt k-oth") && page.contains("Not compared"), "{page}");
}
