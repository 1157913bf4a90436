//! Each load against a case by hand and a law.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::processes::{Found, Simulation};
use crate::{Device, LatencyCap, LatencyCapSpec, Operation, Picoseconds, Request, closed_loop};
use proptest::prelude::*;
use spindle_workload::{
    Arrivals, End, Flush, Job, Pattern, Region, Scan, Size, Stream, StreamResult, Trace, survey,
};

const MIB: u64 = 1 << 20;

fn us(us: f64) -> Picoseconds {
    Picoseconds::from_us(us)
}

fn ms(ms: f64) -> Picoseconds {
    us(ms * 1e3)
}

fn cap(latency_ms: f64, iops: Option<f64>) -> LatencyCap {
    LatencyCap::new(&LatencyCapSpec { latency: ms(latency_ms), iops, bytes_per_s: None }).unwrap()
}

fn area(volume: usize, from: u64, bytes: u64) -> Area {
    Area { volume, from, bytes }
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() <= tolerance, "{found}, and {expected} was expected");
}

fn mean_ms(stream: &StreamResult) -> f64 {
    stream.latency_us.mean.unwrap() / 1e3
}

fn stream<'a>(found: &'a Found, name: &str) -> &'a StreamResult {
    found.stream(name).unwrap_or_else(|| panic!("{name}"))
}

fn job(arrivals: Arrivals, pattern: Pattern, end: End) -> Job {
    let stream = Stream {
        name: "it".into(),
        read_pct: if matches!(arrivals, Arrivals::Commits { .. }) { 0.0 } else { 100.0 },
        pattern,
        sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
        region: Region::default(),
        arrivals,
        flush: Flush::None,
        trace: None,
    };
    Job { name: "job".into(), seed: 11, streams: vec![stream], end, warm_up_s: None }
}

fn ran(job: &Job, volume: impl Device) -> StreamResult {
    run_job(job, volume, 1 << 30, Vec::new()).unwrap().streams.remove(0)
}

const CLOSED_4: Arrivals = Arrivals::Closed { depth: 4, think_us: 0.0 };

#[test]
fn a_closed_job_is_the_closed_loop_over_its_requests() {
    let job = job(CLOSED_4, Pattern::Zipf { theta: 0.9 }, End { ios: Some(3_000), ..End::default() });
    let requests = job.streams[0].requests(0, 11, 1 << 30).unwrap();
    let mut requests = requests;
    let drawn: Vec<Request> = (0..3_000).map(|_| requests.draw()).collect();
    let by_loop = closed_loop(&mut cap(8.0, Some(150.0)), 4, drawn).unwrap();
    let found = ran(&job, cap(8.0, Some(150.0)));
    assert_eq!((found.ios, found.bytes), (Some(3_000), Some(3_000 * 8_192)));
    near(found.elapsed_s.unwrap(), by_loop.served.last().unwrap().done.as_s(), 1e-8);
    near(found.iops.unwrap(), 150.0, 1e-3);
}

#[test]
fn pauses_and_latencies_add_up_to_the_depth() {
    // N = X (R + Z).
    let arrivals = Arrivals::Closed { depth: 10, think_us: 10_000.0 };
    let found =
        ran(&job(arrivals, Pattern::Random, End { seconds: Some(60.0), ..End::default() }), cap(5.0, None));
    assert!((mean_ms(&found) - 5.0).abs() < 1e-9);
    near(found.iops.unwrap(), 10.0 / 0.015, 0.02);
}

#[test]
fn latency_of_an_open_job_counts_from_when_requests_were_due() {
    // One server that is busy half of the time, constant service: half of what it would be for chance service.
    let open = |iops: f64, poisson: bool| Arrivals::Open { iops, poisson };
    let end = End { seconds: Some(2_000.0), ..End::default() };
    let found = ran(&job(open(100.0, true), Pattern::Random, end), cap(0.0, Some(200.0)));
    near(mean_ms(&found), 2.5, 0.02);
    assert_eq!(found.latency_from, spindle_workload::LatencyFrom::Intended);
    // Twice what it can do: after 10 s, half is not answered, and who is answered then has waited for half of the time.
    let end = End { seconds: Some(10.0), ..End::default() };
    let found = ran(&job(open(400.0, false), Pattern::Random, end), cap(0.0, Some(200.0)));
    near(found.ios.unwrap() as f64, 2_000.0, 1e-3);
    near(found.unserved.unwrap() as f64, 2_000.0, 1e-3);
    near(mean_ms(&found), 2_500.0, 1e-2);
    let end = End { seconds: Some(10.0), unserved: Some(100), ..End::default() };
    let found = ran(&job(open(400.0, false), Pattern::Random, end), cap(0.0, Some(200.0)));
    near(found.elapsed_s.unwrap(), 0.5, 0.02);
}

#[test]
fn a_warm_up_does_not_count_and_a_narrow_interval_ends() {
    let end = End { ios: Some(100), ..End::default() };
    let mut with_warm_up = job(CLOSED_4, Pattern::Sequential, end);
    with_warm_up.warm_up_s = Some(1.0);
    let found = ran(&with_warm_up, cap(10.0, None));
    // Four are under way when it ends, and a hundred begin afterwards.
    assert_eq!(found.ios, Some(104));
    let end = End { interval_pct: Some(2.0), ..End::default() };
    let arrivals = Arrivals::Closed { depth: 4, think_us: 10_000.0 };
    let found = ran(&job(arrivals, Pattern::Random, end), cap(10.0, None));
    let interval = found.interval.unwrap();
    near(found.iops.unwrap(), 200.0, 0.03);
    assert!((interval.iops_high - interval.iops_low) / found.iops.unwrap() < 0.03);
}

#[test]
fn commits_of_a_job_are_grouped() {
    let arrivals = Arrivals::Commits { committers: 16, think_us: 0.0 };
    let job = job(arrivals, Pattern::Sequential, End { seconds: Some(1.0), ..End::default() });
    let result = run_job(&job, cap(1.0, None), 1 << 30, Vec::new()).unwrap();
    let of = |operation: &str| result.streams.iter().find(|s| s.operation == operation).unwrap();
    // Two groups take turns.
    assert_eq!((of("write").ios, of("commit").ios), (Some(1_000), Some(8_000)));
    assert!((mean_ms(of("commit")) - 2.0).abs() < 0.01);
}

const TRACE: &str = "fio version 2 iolog
/a add
/a open
/a read 0 4096
/a wait 3000 0
/a write 8192 512
/a wait 250000 0
/a read 4096 8192
/a close
";

fn traced(arrivals: Arrivals, trace: Trace, text: &'static str) -> Job {
    let mut job = job(arrivals, Pattern::Sequential, End::default());
    let found = survey(&trace, || Ok(text.as_bytes())).unwrap();
    job.streams[0].trace = Some(Box::new(trace));
    job.streams[0].take_in(found).unwrap();
    job
}

#[test]
fn a_trace_is_replayed_at_its_times_or_at_a_depth() {
    let run = |arrivals: Arrivals| {
        let job = traced(arrivals, Trace::of("t"), TRACE);
        let mut simulation = Simulation::new(vec![cap(1.0, None)]);
        simulation.keep_log(10);
        let load = JobLoad { job: &job, volume: 0, volume_bytes: MIB, unit_bytes: 512 };
        load.add(&mut simulation, vec![Box::new(TRACE.as_bytes())]).unwrap();
        simulation.run(None).unwrap()
    };
    let found = run(Arrivals::Replay { speed: 2.0 });
    let log: Vec<_> = found.log.iter().map(|l| (l.since, l.request.offset, l.request.bytes)).collect();
    assert_eq!(log, [(ms(0.0), 0, 4_096), (ms(1.5), 8_192, 512), (ms(126.5), 4_096, 8_192)]);
    assert_eq!(found.log[1].request.operation, Operation::Write);
    let found = run(Arrivals::Closed { depth: 1, think_us: 0.0 });
    assert_eq!((found.elapsed, found.served), (ms(3.0), 3));
}

/// Reads well once, and then no more.
struct Breaks(&'static [u8]);

impl std::io::Read for Breaks {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match std::mem::take(&mut self.0) {
            [] => Err(std::io::Error::other("cut off")),
            bytes => {
                into[..bytes.len()].copy_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }
}

#[test]
fn a_trace_that_breaks_off_is_no_result_and_one_that_is_moved_is_said() {
    let job = traced(CLOSED_4, Trace::of("t"), TRACE);
    let text = std::io::BufReader::new(Breaks(TRACE.as_bytes()));
    let why = run_job(&job, cap(1.0, None), MIB, vec![Box::new(text)]).unwrap_err().to_string();
    assert_eq!(why, "it: the trace `t` could not be read to its end: cut off");
    assert!(
        run_job(&job, cap(1.0, None), MIB, Vec::new()).unwrap_err().to_string().contains("text of its trace")
    );
    // Of 12 KiB, 8 are there.
    let wrapped = Trace { beyond: spindle_workload::Beyond::Wrap, ..Trace::of("t") };
    let job = traced(CLOSED_4, wrapped, TRACE);
    let result = run_job(&job, cap(1.0, None), 10_240, vec![Box::new(TRACE.as_bytes())]).unwrap();
    assert_eq!(result.streams[0].ios, Some(3));
    assert!(
        result
            .warnings
            .iter()
            .any(|w| w.contains("1 of 3 requests went elsewhere") && w.contains("longer than the region")),
        "{:?}",
        result.warnings
    );
}

fn scan(degree: u32, granules: Granules, extents: Vec<Area>) -> ParallelScan {
    ParallelScan {
        scan: Scan { degree, multiblock_bytes: 256 << 10, granule_bytes: MIB, under_way: 1 },
        extents,
        granules,
        compute: Picoseconds::ZERO,
    }
}

fn scanned(scan: &ParallelScan, volumes: Vec<LatencyCap>) -> Found {
    let mut simulation = Simulation::new(volumes);
    simulation.keep_log(usize::MAX);
    scan.add(&mut simulation, "scan").unwrap();
    simulation.run(None).unwrap()
}

#[test]
fn a_scan_by_hand() {
    let whole = vec![area(0, 0, 16 * MIB)];
    let serial = scanned(&scan(1, Granules::ByTurns, whole.clone()), vec![cap(1.0, None)]);
    assert_eq!((serial.elapsed, serial.processes.len()), (ms(64.0), 1));
    assert!(serial.log.windows(2).all(|w| w[1].request.offset == w[0].request.offset + (256 << 10)));
    // Four slaves, 16 reads each, and half a millisecond for the rows of each.
    let four = ParallelScan { compute: ms(0.5), ..scan(4, Granules::ByTurns, whole.clone()) };
    let found = scanned(&four, vec![cap(1.0, None)]);
    assert_eq!(found.elapsed, ms(24.0));
    // The second slave has the second granule of four, and so on.
    let of_second: Vec<u64> =
        found.log.iter().filter(|l| l.process == 1).map(|l| l.request.offset / MIB).collect();
    assert_eq!(of_second, [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13]);
    // Reads ahead of the rows that are worked on: 16 reads of 1 ms in pairs, computing beside them but for the last.
    let ahead =
        ParallelScan { scan: Scan { under_way: 2, ..four.scan }, ..scan(4, Granules::ByTurns, whole) };
    assert_eq!(scanned(&ahead, vec![cap(1.0, None)]).elapsed, ms(8.0));
}

#[test]
fn slaves_that_take_what_is_left_share_the_slow_half() {
    // One half on a volume four times as slow: 16 granules of 4 reads each, on two slaves.
    let halves = vec![area(0, 0, 8 * MIB), area(1, 0, 8 * MIB)];
    let time = |granules| {
        let mut spec = scan(2, granules, halves.clone());
        spec.scan.granule_bytes = 8 * MIB;
        let whole = scanned(&spec, vec![cap(1.0, None), cap(4.0, None)]).elapsed;
        spec.scan.granule_bytes = MIB;
        (whole, scanned(&spec, vec![cap(1.0, None), cap(4.0, None)]).elapsed)
    };
    // Whole halves: the slow one lasts. Small granules by turns are even, too.
    assert_eq!(time(Granules::ByTurns), (ms(128.0), ms(80.0)));
    assert_eq!(time(Granules::AsTheyCome), (ms(128.0), ms(80.0)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_scan_reads_each_byte_once(
        degree in 1u32..9,
        reads in 1u64..9,
        under_way in 1u32..4,
        turns: bool,
        compute_us in 0u32..3_000,
        sizes in prop::collection::vec(1u64..40_000_000, 1..5),
    ) {
        let mut at = 0;
        let mut extents = Vec::new();
        for (n, bytes) in sizes.iter().enumerate() {
            extents.push(area(n % 2, at, *bytes));
            at += bytes + 777;
        }
        let spec = ParallelScan {
            scan: Scan { degree, multiblock_bytes: 256 << 10, granule_bytes: reads * (256 << 10), under_way },
            extents: extents.clone(),
            granules: if turns { Granules::ByTurns } else { Granules::AsTheyCome },
            compute: us(f64::from(compute_us)),
        };
        let found = scanned(&spec, vec![cap(3.0, Some(700.0)), cap(1.0, None)]);
        let mut read: Vec<_> =
            found.log.iter().map(|l| (l.request.offset, u64::from(l.request.bytes), l.volume)).collect();
        read.sort_unstable();
        // Put together where they meet, they are the extents.
        let mut together: Vec<Area> = Vec::new();
        for (from, bytes, volume) in read {
            match together.last_mut() {
                Some(last) if last.volume == volume && last.from + last.bytes == from => last.bytes += bytes,
                _ => together.push(area(volume, from, bytes)),
            }
        }
        prop_assert_eq!(together, extents);
    }
}

fn index() -> IndexReads {
    IndexReads {
        index: area(0, 0, 111 * 8_192),
        table: area(1, 0, 1_000 * 8_192),
        block_bytes: 8_192,
        fan_out: 10,
        cached_levels: 1,
        leaves: Pattern::Random,
        table_blocks: 1.5,
        sessions: 4,
        look_ups: Some(500),
        think: Picoseconds::ZERO,
        compute: Picoseconds::ZERO,
    }
}

#[test]
fn a_look_up_goes_down_to_its_leaf_and_to_the_rows() {
    assert_eq!(index().levels(), [100, 10, 1]);
    let levels = |blocks: u64| IndexReads { index: area(0, 0, blocks * 8_192), ..index() }.levels();
    assert_eq!((levels(1), levels(3), levels(112)), (vec![1], vec![2, 1], vec![100, 10, 1]));
    let mut simulation = Simulation::new(vec![cap(2.0, None), cap(5.0, None)]);
    simulation.keep_log(usize::MAX);
    index().add(&mut simulation, "orders", 3).unwrap();
    let found = simulation.run(None).unwrap();
    let (of_index, of_table) = (stream(&found, "orders, index"), stream(&found, "orders, table"));
    // Two levels of three are read.
    assert_eq!(of_index.ios, Some(2 * 2_000));
    near(of_table.ios.unwrap() as f64, 1.5 * 2_000.0, 0.03);
    // A look-up is its reads, one after the other.
    let look_up = stream(&found, "orders, look-up");
    let reads = of_table.ios.unwrap() as f64 * 5.0 + 4_000.0 * 2.0;
    near(mean_ms(look_up) * 2_000.0, reads, 1e-6);
    // The branch is the one above the leaf.
    for session in 0..4 {
        let mine = found.log.iter().filter(|l| l.process == session && l.volume == 0);
        let blocks: Vec<u64> = mine.map(|l| l.request.offset / 8_192).collect();
        assert!(blocks.chunks_exact(2).all(|pair| pair[0] == 100 + pair[1] / 10), "{blocks:?}");
    }
}

fn db_writer() -> DbWriter {
    DbWriter {
        area: area(0, 0, 1 << 40),
        block_bytes: 8_192,
        batch: 64,
        under_way: 8,
        begin_at: 64,
        every: None,
        most_dirty: 10_000,
        oldest: None,
        checkpoint_every: None,
        by_address: false,
    }
}

fn changed(
    writer: DbWriter,
    changes: Changes,
    volume: impl Device + 'static,
    until: Option<Picoseconds>,
) -> Found {
    let mut simulation = Simulation::new(vec![volume]);
    simulation.keep_log(usize::MAX);
    let number = writer.add(&mut simulation, "data writes").unwrap();
    changes.add(&mut simulation, (number, writer), 5).unwrap();
    // It is seen until the end, not only until the last change.
    if let Some(until) = until {
        simulation.add("watch", move |host: &mut crate::processes::Host| {
            if host.now() < until {
                crate::processes::Then::Until(until)
            } else {
                crate::processes::Then::Ended
            }
        });
    }
    simulation.run(None).unwrap()
}

#[test]
fn changed_blocks_are_written_in_batches() {
    let changes = Changes { per_s: 1_000.0, blocks: Pattern::Random, count: Some(640) };
    let found = changed(db_writer(), changes, cap(4.0, None), Some(ms(5_000.0)));
    let (writes, batches) = (stream(&found, "data writes"), stream(&found, "db file parallel write"));
    assert_eq!((writes.ios, batches.ios), (Some(640), Some(10)));
    // 64 writes, 8 at a time, 4 ms each.
    assert!((mean_ms(batches) - 32.0).abs() < 1e-9);
    assert_eq!(stream(&found, "free buffer waits").ios, Some(0));
    // The first changed are written first; by address, each batch is in order.
    let sorted =
        changed(DbWriter { by_address: true, ..db_writer() }, changes, cap(4.0, None), Some(ms(5_000.0)));
    assert!(sorted.log[..64].windows(2).all(|w| w[0].request.offset <= w[1].request.offset));
    let set = |found: &Found| {
        let mut all: Vec<u64> = found.log[..64].iter().map(|l| l.request.offset).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(set(&sorted), set(&found));
    assert!(found.log[..64].windows(2).any(|w| w[0].request.offset > w[1].request.offset));
}

#[test]
fn a_block_that_waits_and_is_changed_again_is_written_once() {
    let changes = Changes { per_s: 1_000.0, blocks: Pattern::Sequential, count: Some(900) };
    // Nine blocks, changed a hundred times each; a look every 3 s.
    let writer = DbWriter { area: area(0, 0, 9 * 8_192), every: Some(ms(3_000.0)), ..db_writer() };
    let found = changed(writer, changes, cap(4.0, None), Some(ms(10_000.0)));
    assert_eq!(stream(&found, "data writes").ios, Some(9));
}

#[test]
fn a_checkpoint_writes_what_waits_when_it_begins() {
    let changes = Changes { per_s: 1_000.0, blocks: Pattern::Random, count: Some(1_500) };
    let writer = DbWriter { begin_at: 10_000, checkpoint_every: Some(ms(1_000.0)), ..db_writer() };
    let found = changed(writer, changes, cap(4.0, None), Some(ms(2_900.0)));
    let checkpoints = stream(&found, "checkpoint");
    // At 1 s about a thousand blocks, at 2 s what has come since: 64 in 32 ms each.
    assert_eq!((checkpoints.ios, stream(&found, "data writes").ios), (Some(2), Some(1_500)));
    let longest = checkpoints.latency_us.max.unwrap() / 1e3;
    near(longest, 1_000.0 / 64.0 * 32.0, 0.1);
}

#[test]
fn a_changed_block_waits_no_longer_than_the_incremental_checkpoint_lets_it() {
    // 100 blocks of an area, changed 1,000 times a second, each written when it has waited half a second: once in that time
    // and until it is changed again, 10 ms a hundred times a second.
    let changes = Changes { per_s: 1_000.0, blocks: Pattern::Sequential, count: None };
    let hot = area(0, 0, 100 * 8_192);
    let writer = DbWriter { area: hot, begin_at: 10_000, oldest: Some(ms(500.0)), ..db_writer() };
    let found = changed(writer, changes, cap(1.0, None), Some(ms(20_000.0)));
    // Each block is changed ten times a second: half a second, and 0 to 0.1 s until the next change.
    let writes = stream(&found, "data writes");
    near(writes.iops.unwrap(), 100.0 / 0.55, 0.1);
    assert!(found.log.iter().all(|l| l.since >= ms(500.0)));
    // Without it nothing is written.
    let never = changed(DbWriter { oldest: None, ..writer }, changes, cap(1.0, None), Some(ms(20_000.0)));
    assert_eq!(stream(&never, "data writes").ios, Some(0));
}

#[test]
fn who_finds_no_memory_waits_for_the_writer() {
    // It writes 8 blocks in 4 ms, 2,000 a second, and more than twice as many are to be changed.
    let changes = Changes { per_s: 5_000.0, blocks: Pattern::Random, count: None };
    let writer = DbWriter { most_dirty: 256, begin_at: 64, ..db_writer() };
    let found = changed(writer, changes, cap(4.0, None), Some(ms(20_000.0)));
    near(stream(&found, "data writes").iops.unwrap(), 2_000.0, 0.02);
    assert!(stream(&found, "free buffer waits").ios.unwrap() > 100);
}

fn log_writer(members: Vec<Area>) -> LogWriter {
    LogWriter {
        members,
        files: 1,
        block_bytes: 512,
        most_write_bytes: 1 << 20,
        compute: Picoseconds::ZERO,
        switch: Picoseconds::ZERO,
    }
}

fn committed<D: Device + 'static>(
    writer: &LogWriter,
    volumes: Vec<D>,
    committers: Committers,
    until: Picoseconds,
) -> Found {
    let mut simulation = Simulation::new(volumes);
    simulation.keep_log(usize::MAX);
    let number = writer.add(&mut simulation).unwrap();
    committers.add(&mut simulation, number, 3).unwrap();
    simulation.run(Some(until)).unwrap()
}

fn committers(committers: u32, think: Picoseconds) -> Committers {
    Committers { committers, think, redo: Redo { bytes: 500, varies: false }, commits: None }
}

#[test]
fn two_groups_of_committers_take_turns() {
    let log = log_writer(vec![area(0, 0, 64 * MIB)]);
    for n in [1u32, 2, 16, 100] {
        let found = committed(&log, vec![cap(1.0, None)], committers(n, Picoseconds::ZERO), ms(1_000.0));
        let (writes, commits) = (stream(&found, "log file parallel write"), stream(&found, "log file sync"));
        assert_eq!(writes.ios, Some(1_000));
        if n == 1 {
            assert_eq!(commits.ios, Some(1_000));
            continue;
        }
        // The first write carries the one who came first, the second all others, and so on by turns.
        let by_turns = commits.ios.unwrap() as f64 / 500.0;
        assert!((by_turns - f64::from(n)).abs() < 0.01 * f64::from(n), "{n}: {by_turns}");
        assert!((mean_ms(commits) - 2.0).abs() < 0.01);
    }
    // Where the log writer computes before it writes, all have come by then.
    let slow = LogWriter { compute: ms(0.1), ..log.clone() };
    let found = committed(&slow, vec![cap(0.9, None)], committers(16, Picoseconds::ZERO), ms(1_000.0));
    assert_eq!(stream(&found, "log file sync").ios, Some(16_000));
    assert!((mean_ms(stream(&found, "log file sync")) - 1.0).abs() < 1e-9);
    // Who pauses falls into both groups: half of a write more, while the writer is busy all the time.
    let found = committed(&log, vec![cap(1.0, None)], committers(50, ms(20.0)), ms(60_000.0));
    let (writes, commits) = (stream(&found, "log file parallel write"), stream(&found, "log file sync"));
    near(mean_ms(commits), 1.5, 0.05);
    near(commits.iops.unwrap(), 50.0 / 21.5e-3, 0.03);
    // Commits of a write: all that come while one is under way.
    near(commits.ios.unwrap() as f64 / writes.ios.unwrap() as f64, commits.iops.unwrap() * 1e-3, 0.1);
}

#[test]
fn a_commit_waits_for_the_rest_of_a_write_and_for_its_own() {
    // Writes of 1 or 20 ms: the residual life of what is under way, and the mean.
    let atoms = [Atom { us: 1_000.0, share: 0.9 }, Atom { us: 20_000.0, share: 0.1 }];
    let times = WriteTimes::new(&atoms).unwrap();
    assert!((times.mean_us() - 2_900.0).abs() < 1e-9);
    assert!((times.second_moment_us2() - 40.9e6).abs() < 1.0);
    for busy in [0.2, 0.6, 0.9] {
        let mut simulation = Simulation::new(vec![times.volume(4)]);
        let number = log_writer(vec![area(0, 0, 64 * MIB)]).add(&mut simulation).unwrap();
        let per_s = times.rate_for(busy).unwrap();
        let bursts = CommitBursts {
            per_s,
            commits: 1,
            apart: Picoseconds::ZERO,
            redo: Redo { bytes: 500, varies: false },
            kind: CommitKind::Untold,
        };
        bursts.add(&mut simulation, number, 6).unwrap();
        simulation.add("watch", |host: &mut crate::processes::Host| {
            let end = ms(1_000_000.0);
            if host.now() < end { crate::processes::Then::Until(end) } else { crate::processes::Then::Ended }
        });
        let found = simulation.run(None).unwrap();
        let (writes, commits) = (stream(&found, "log file parallel write"), stream(&found, "log file sync"));
        let measured_busy = writes.iops.unwrap() * mean_ms(writes) / 1e3;
        near(measured_busy, busy, 0.02);
        near(mean_ms(commits) * 1e3, times.commit_wait_us(busy), 0.02);
    }
}

#[test]
fn a_write_is_done_when_its_last_member_is() {
    let log = log_writer(vec![area(0, 0, 64 * MIB), area(1, 4_096, 64 * MIB)]);
    let found =
        committed(&log, vec![cap(1.0, None), cap(7.0, None)], committers(1, Picoseconds::ZERO), ms(700.0));
    assert!((mean_ms(stream(&found, "log file parallel write")) - 7.0).abs() < 1e-9);
    assert_eq!(stream(&found, "log members").ios, Some(200));
    assert!((mean_ms(stream(&found, "log members")) - 4.0).abs() < 1e-9);
    assert!(found.log.iter().filter(|l| l.volume == 1).all(|l| l.request.offset >= 4_096));
}

#[test]
fn the_log_goes_round_its_files_and_a_switch_takes_its_time() {
    // Three files of 4 KiB: four writes of 1 KiB each.
    let log = LogWriter {
        files: 3,
        most_write_bytes: 4_096,
        switch: ms(5.0),
        ..log_writer(vec![area(0, MIB, 3 * 4_096)])
    };
    let who = Committers { redo: Redo { bytes: 1_000, varies: false }, ..committers(1, Picoseconds::ZERO) };
    let found = committed(&log, vec![cap(1.0, None)], who, ms(1_000.0));
    let at: Vec<u64> = found.log.iter().take(14).map(|l| (l.request.offset - MIB) / 1_024).collect();
    assert_eq!(at, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1]);
    assert!(found.log.iter().all(|l| l.request.bytes == 1_024));
    // Four commits in 9 ms.
    near(stream(&found, "log file sync").iops.unwrap(), 4.0 / 9e-3, 0.01);
    // A switch is no part of a write.
    assert!((mean_ms(stream(&found, "log file parallel write")) - 1.0).abs() < 1e-9);
}

#[test]
fn a_full_write_leaves_the_others_for_the_next_one() {
    let log = log_writer(vec![area(0, 0, 64 * MIB)]);
    let who =
        Committers { redo: Redo { bytes: 400 << 10, varies: false }, ..committers(4, Picoseconds::ZERO) };
    let found = committed(&log, vec![cap(1.0, None)], who, ms(1_000.0));
    let commits = stream(&found, "log file sync");
    assert_eq!((stream(&found, "log file parallel write").ios, commits.ios), (Some(1_000), Some(1_999)));
    assert!((mean_ms(commits) - 2.0).abs() < 0.01);
}

fn spill(kind: SpillKind) -> TempSpill {
    TempSpill {
        area: area(0, 1 << 30, 64 * MIB),
        bytes: 32 * MIB,
        kind,
        io_bytes: 1 << 20,
        under_way: 1,
        compute: Picoseconds::ZERO,
    }
}

fn spilt(spec: &TempSpill) -> Found {
    let mut simulation = Simulation::new(vec![cap(1.0, None)]);
    simulation.keep_log(usize::MAX);
    spec.add(&mut simulation, "sort").unwrap();
    simulation.run(None).unwrap()
}

fn kinds(found: &Found) -> (u64, u64) {
    let count = |name| stream(found, name).ios.unwrap();
    (count("sort, writes"), count("sort, reads"))
}

#[test]
fn a_sort_writes_its_runs_and_merges_them() {
    // Eight runs of 4 MiB at once: written and read once.
    let once = spilt(&spill(SpillKind::Sort { run_bytes: 4 * MIB, width: 8 }));
    assert_eq!((kinds(&once), once.elapsed), ((32, 32), ms(64.0)));
    let reads: Vec<u64> = once.log[32..].iter().map(|l| (l.request.offset - (1 << 30)) / MIB).collect();
    assert_eq!(reads[..10], [0, 4, 8, 12, 16, 20, 24, 28, 1, 5]);
    // Four at once: 8 runs, 2 runs, 1: once more of both.
    let twice = spilt(&spill(SpillKind::Sort { run_bytes: 4 * MIB, width: 4 }));
    assert_eq!(kinds(&twice), (64, 64));
    let second: Vec<u64> =
        twice.log.iter().skip(32).take(4).map(|l| (l.request.offset - (1 << 30)) / MIB).collect();
    // A read of a run, and a write behind the first half.
    assert_eq!(second, [0, 32, 4, 33]);
    // Two at once: 8, 4, 2, 1.
    assert_eq!(kinds(&spilt(&spill(SpillKind::Sort { run_bytes: 4 * MIB, width: 2 }))), (96, 96));
    // Side by side, and with what is computed.
    let wide = TempSpill {
        under_way: 4,
        compute: ms(1.0),
        ..spill(SpillKind::Sort { run_bytes: 4 * MIB, width: 8 })
    };
    let found = spilt(&wide);
    assert_eq!(kinds(&found), (32, 32));
    assert_eq!(found.processes[0].spent.computing, ms(64.0));
}

#[test]
fn a_hash_writes_partitions_by_turns_and_reads_each_once() {
    let found = spilt(&spill(SpillKind::Hash { partitions: 4 }));
    assert_eq!(kinds(&found), (32, 32));
    let at: Vec<u64> = found.log.iter().map(|l| (l.request.offset - (1 << 30)) / MIB).collect();
    assert_eq!(at[..6], [0, 8, 16, 24, 1, 9]);
    assert_eq!(at[32..], (0..32).collect::<Vec<u64>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Every pass reads what the one before wrote, each byte once; and merges are as many as the logarithm says.
    #[test]
    fn a_sort_moves_all_bytes_once_a_pass(mib in 7u64..60, run in 1u64..7, width in 2u32..6, under_way in 1u32..5) {
        let spec = TempSpill {
            area: area(0, 0, 128 * MIB),
            bytes: mib * MIB + 12_345,
            under_way,
            ..spill(SpillKind::Sort { run_bytes: run * MIB, width })
        };
        let found = spilt(&spec);
        let mut runs = spec.bytes.div_ceil(run * MIB);
        let mut merges = 1;
        while runs > u64::from(width) {
            runs = runs.div_ceil(u64::from(width));
            merges += 1;
        }
        prop_assert_eq!(stream(&found, "sort, writes").bytes, Some(merges * spec.bytes));
        prop_assert_eq!(stream(&found, "sort, reads").bytes, Some(merges * spec.bytes));
        prop_assert!(found.log.iter().all(|l| l.request.offset + u64::from(l.request.bytes) <= 2 * spec.bytes));
    }
}

#[test]
fn transactions_like_those_of_tpc_c_read_and_write_as_they_should() {
    let data = area(0, 0, 1 << 38);
    let mut mix = Oltp::tpc_c_like(data, vec![area(1, 0, 1 << 30)], 20);
    mix.transactions = Some(500);
    mix.compute = Picoseconds::from_us(100.0);
    let mut simulation = Simulation::new(vec![cap(5.0, None), cap(1.0, None)]);
    simulation.processors(8);
    mix.add(&mut simulation, "orders", 9).unwrap();
    let found = simulation.run(None).unwrap();
    let ios = |name: &str| stream(&found, name).ios.unwrap() as f64;
    assert_eq!(stream(&found, "orders, transactions").ios, Some(10_000));
    assert_eq!(stream(&found, "log file sync").ios, Some(10_000));
    near(ios("orders, reads"), 95_000.0, 0.01);
    // What was changed is written, but for the last that wait.
    near(ios("orders, reads") / ios("orders, data writes"), 1.9, 0.05);
    // A transaction: 9.5 reads of 5 ms, 0.1 ms computing after each, a commit of a write or a little more.
    let least = 9.5 * 5.1 + 1.0;
    let mean = mean_ms(stream(&found, "orders, transactions"));
    assert!((least * 0.99..least + 3.0).contains(&mean), "{mean}");
}

#[test]
fn queries_like_those_of_tpc_h_read_what_they_should() {
    let mut mix = Dss::tpc_h_like(area(0, 0, 512 * MIB), area(1, 0, 512 * MIB), 3);
    (mix.spills, mix.memory_bytes, mix.look_ups) = (1.0, 32 * MIB, 10.5);
    let mut simulation = Simulation::new(vec![cap(5.0, None), cap(3.0, None)]);
    mix.add(&mut simulation, "reports", 9).unwrap();
    let found = simulation.run(None).unwrap();
    let ios = |name: &str| stream(&found, name).ios.unwrap();
    assert_eq!((ios("reports, queries"), ios("reports, scans")), (66, 66 * 256));
    // A fifth of 256 MiB in requests of 256 KiB, the last one shorter.
    assert_eq!((ios("reports, temp, writes"), ios("reports, temp, reads")), (66 * 205, 66 * 205));
    near(ios("reports, look-ups") as f64, 66.0 * 10.5, 0.05);
}

#[test]
fn what_makes_no_sense_is_said() {
    let says = |objection: Option<String>, part: &str| {
        let objection = objection.unwrap_or_default();
        assert!(objection.contains(part), "{objection}");
    };
    let nothing = area(0, 0, 100);
    says(scan(4, Granules::ByTurns, Vec::new()).objection(), "without extents");
    says(scan(0, Granules::ByTurns, vec![nothing]).objection(), "degree");
    says(scan(2, Granules::ByTurns, vec![area(0, u64::MAX, 5)]).objection(), "beyond any volume");
    says(IndexReads { fan_out: 1, ..index() }.objection(), "no tree");
    says(IndexReads { sessions: 0, ..index() }.objection(), "0 sessions");
    says(IndexReads { index: nothing, ..index() }.objection(), "holds no block");
    says(IndexReads { cached_levels: 3, table_blocks: 0.0, ..index() }.objection(), "all levels");
    says(DbWriter { batch: 0, ..db_writer() }.objection(), "no blocks");
    says(DbWriter { begin_at: 20_000, ..db_writer() }.objection(), "20000");
    says(DbWriter { every: Some(Picoseconds::ZERO), ..db_writer() }.objection(), "never ends");
    says(DbWriter { oldest: Some(Picoseconds::ZERO), ..db_writer() }.objection(), "never ends");
    says(log_writer(Vec::new()).objection(), "a member");
    says(log_writer(vec![area(0, 0, 4_096)]).objection(), "does not hold a write");
    says(committers(0, Picoseconds::ZERO).objection(), "0 committers");
    says(TempSpill { bytes: 0, ..spill(SpillKind::Hash { partitions: 4 }) }.objection(), "spills nothing");
    says(spill(SpillKind::Hash { partitions: 0 }).objection(), "a partition");
    let large = TempSpill { bytes: 33 * MIB, ..spill(SpillKind::Sort { run_bytes: 4 * MIB, width: 2 }) };
    says(large.objection(), "does not hold");
    let bursts = CommitBursts {
        per_s: 1.0,
        commits: 1,
        apart: Picoseconds::ZERO,
        redo: Redo { bytes: 1, varies: false },
        kind: CommitKind::Commit,
    };
    says(bursts.objection(), "wait for nobody");
    says(CommitBursts { per_s: f64::NAN, ..bursts }.objection(), "NaN");
    let mix = Dss::tpc_h_like(area(0, 0, 1 << 40), area(0, 0, 1 << 30), 3);
    says(mix.objection(), "does not hold");
    says(Dss { scan_share: 1.5, ..mix }.objection(), "1.5");
    says(
        Oltp { reads: f64::NAN, ..Oltp::tpc_c_like(area(0, 0, MIB), vec![area(0, 0, 4 * MIB)], 1) }
            .objection(),
        "NaN",
    );
    let buckets = [LatencyBucket { low_us: 1.0, high_us: None, weight: 1.0 }];
    assert!(WriteTimes::most_spread(&buckets, 5.0).unwrap_err().0.contains("open last bucket"));
    let buckets = [LatencyBucket { low_us: 1_000.0, high_us: Some(2_000.0), weight: 1.0 }];
    assert!(WriteTimes::least_spread(&buckets, 5_000.0).unwrap_err().0.contains("1000 to 2000 us"));
    let outside = run_job(
        &job(CLOSED_4, Pattern::Random, End { ios: Some(1), ..End::default() }),
        cap(1.0, None),
        10,
        Vec::new(),
    );
    assert!(outside.unwrap_err().to_string().contains("stream `it`"));
}

/// All loads together, on two volumes; the fingerprint.
fn everything(seed: u64) -> u64 {
    let mut simulation = Simulation::new(vec![cap(4.7, Some(1_711.7)), cap(0.9, Some(9_003.1))]);
    let job = Job {
        seed,
        ..job(
            Arrivals::Open { iops: 120.0, poisson: true },
            Pattern::HotSpot { accesses_pct: 80.0, blocks_pct: 20.0 },
            End { ios: Some(500), ..End::default() },
        )
    };
    JobLoad { job: &job, volume: 0, volume_bytes: 1 << 30, unit_bytes: 512 }
        .add(&mut simulation, Vec::new())
        .unwrap();
    scan(4, Granules::AsTheyCome, vec![area(0, 0, 33 * MIB)]).add(&mut simulation, "scan").unwrap();
    IndexReads { look_ups: Some(50), think: ms(3.0), ..index() }.add(&mut simulation, "index", seed).unwrap();
    spill(SpillKind::Hash { partitions: 3 }).add(&mut simulation, "hash").unwrap();
    let mut oltp = Oltp::tpc_c_like(area(0, 0, 1 << 34), vec![area(0, 0, 8 * MIB), area(1, 0, 8 * MIB)], 7);
    oltp.transactions = Some(100);
    oltp.compute = Picoseconds::from_us(100.0);
    oltp.db_writer.begin_at = 50;
    oltp.add(&mut simulation, "transactions", seed).unwrap();
    simulation.run(None).unwrap().fingerprint
}

#[test]
fn the_same_seed_leaves_the_same_log() {
    let one = everything(1);
    assert_eq!(one, everything(1));
    assert_ne!(one, everything(2));
    assert_eq!(one, 0x019E_D0A9_D263_FCC9, "{one:#x}");
}
