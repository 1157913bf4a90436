//! Redo moved from disks to flash, 2013 (experiment E6 of the reference): what the published histograms of log writes say about what a
//! commit waits, and simulated log writers whose writes are those of the histograms.
//!
//! Published are buckets, totals and means before and after. They bound what a commit waits; writers at either extreme of
//! the bounds land on them, writers between them inside. Commits that come together wait longer than those that come at any time.
#![allow(clippy::unwrap_used)]

use spindle_facts::{HistogramBucket, Side, WaitHistogram, expected_commit_wait};
use spindle_io_simulate::Picoseconds;
use spindle_io_simulate::loads::{
    Area, CommitBursts, CommitKind, LatencyBucket, LogWriter, Redo, WriteTimes,
};
use spindle_io_simulate::processes::{Found, Host, Simulation, Then};

/// One side of the experiment as published.
struct Published {
    seconds: f64,
    writes: f64,
    write_time_s: f64,
    /// Percent of the writes below 1, 2, 4, 8, 16, 32 ms, 1 s, and above.
    shares_pct: [f64; 8],
    syncs: f64,
    sync_time_s: f64,
    /// What the arithmetic gives, ms.
    bounds_ms: (f64, f64),
}

const BEFORE: Published = Published {
    seconds: 59.78 * 60.0,
    writes: 193_830.0,
    write_time_s: 2_067.0,
    shares_pct: [0.0, 1.2, 44.1, 25.2, 15.1, 7.7, 6.7, 0.0],
    syncs: 43_605.0,
    sync_time_s: 2_963.0,
    bounds_ms: (16.0, 133.0),
};

const AFTER: Published = Published {
    seconds: 60.04 * 60.0,
    writes: 302_177.0,
    write_time_s: 622.0,
    shares_pct: [81.0, 8.6, 3.0, 2.6, 2.3, 1.4, 1.1, 0.0],
    syncs: 55_095.0,
    sync_time_s: 574.0,
    bounds_ms: (2.9, 47.0),
};

/// Upper bounds of the buckets, ms: the last but one is printed as `<=1s` and ends at 1,024 ms.
const UPPER_MS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 1_024.0];

impl Published {
    fn busy(&self) -> f64 {
        self.write_time_s / self.seconds
    }

    fn mean_us(&self) -> f64 {
        self.write_time_s * 1e6 / self.writes
    }

    fn seen_ms(&self) -> f64 {
        self.sync_time_s * 1e3 / self.syncs
    }

    fn buckets(&self) -> Vec<LatencyBucket> {
        let bucket = |n: usize| LatencyBucket {
            // The first begins at a sixteenth of its end: no write takes no time.
            low_us: if n == 0 { 1_000.0 / 16.0 } else { UPPER_MS[n - 1] * 1e3 },
            high_us: UPPER_MS.get(n).map(|ms| ms * 1e3),
            weight: self.shares_pct[n],
        };
        (0..8).map(bucket).collect()
    }

    fn extremes(&self) -> (WriteTimes, WriteTimes) {
        let (buckets, mean) = (self.buckets(), self.mean_us());
        (WriteTimes::least_spread(&buckets, mean).unwrap(), WriteTimes::most_spread(&buckets, mean).unwrap())
    }

    /// As a report holds it.
    fn histogram(&self) -> WaitHistogram {
        let bucket = |(n, pct): (usize, &f64)| HistogramBucket {
            low_us: if n == 0 { 0.0 } else { UPPER_MS[n - 1] * 1e3 },
            high_us: UPPER_MS.get(n).map(|ms| ms * 1e3),
            waits: self.writes * pct / 100.0,
            waits_low: (self.writes * (pct - 0.05) / 100.0).max(0.0),
            waits_high: self.writes * (pct + 0.05) / 100.0,
            share_pct: Some(*pct),
            share_bounds_pct: None,
            line: 1,
        };
        WaitHistogram {
            line: 1,
            section: 0,
            instance_number: None,
            event: "log file parallel write".into(),
            side: Side::All,
            waits: Some(self.writes),
            buckets: self.shares_pct.iter().enumerate().map(bucket).collect(),
        }
    }
}

/// A log writer on such writes for so many simulated seconds: commits in bursts at the rate that was seen, and others who want the
/// log written, so many that the writer is busy for the share that was seen.
fn simulated(published: &Published, times: &WriteTimes, burst: u32, apart_us: f64, seconds: f64) -> Found {
    let mut simulation = Simulation::new(vec![times.volume(17)]);
    let log = LogWriter {
        members: vec![Area { volume: 0, from: 0, bytes: 1 << 30 }],
        files: 4,
        block_bytes: 512,
        most_write_bytes: 1 << 20,
        compute: Picoseconds::ZERO,
        switch: Picoseconds::ZERO,
    };
    let writer = log.add(&mut simulation).unwrap();
    let commits_per_s = published.syncs / published.seconds;
    let wanted_per_s = times.rate_for(published.busy()).unwrap();
    let redo = Redo { bytes: 2_000, varies: true };
    let commits = CommitBursts {
        per_s: commits_per_s / f64::from(burst),
        commits: burst,
        apart: Picoseconds::from_us(apart_us),
        redo,
        kind: CommitKind::Untold,
    };
    commits.add(&mut simulation, writer, 1).unwrap();
    // Of the wishes that are needed, commits are a part.
    let others = CommitBursts {
        per_s: (wanted_per_s - commits.per_s).max(1e-6),
        commits: 1,
        kind: CommitKind::Flush,
        ..commits
    };
    others.add(&mut simulation, writer, 2).unwrap();
    let end = Picoseconds::from_us(seconds * 1e6);
    simulation
        .add("watch", move |host: &mut Host| if host.now() < end { Then::Until(end) } else { Then::Ended });
    simulation.run(None).unwrap()
}

fn mean_ms(found: &Found, name: &str) -> f64 {
    found.stream(name).unwrap().latency_us.mean.unwrap() / 1e3
}

/// Simulated: 600,000 writes and more, since one in a hundred of them makes most of the mean square.
const SECONDS: f64 = 12_000.0;

#[test]
fn the_bounds_are_those_of_the_report_and_of_the_experiment() {
    for published in [BEFORE, AFTER] {
        let (least, most) = published.extremes();
        let ours = (least.commit_wait_us(published.busy()), most.commit_wait_us(published.busy()));
        let model = expected_commit_wait(
            &published.histogram(),
            published.write_time_s,
            published.writes,
            published.seconds,
        )
        .unwrap();
        let theirs = (model.commit_wait_us.low, model.commit_wait_us.high);
        assert!(
            (ours.0 / theirs.0 - 1.0).abs() < 1e-6 && (ours.1 / theirs.1 - 1.0).abs() < 1e-6,
            "{ours:?} {theirs:?}"
        );
        for (times, mean) in [(&least, published.mean_us()), (&most, published.mean_us())] {
            assert!((times.mean_us() / mean - 1.0).abs() < 1e-9);
        }
        let (low, high) = published.bounds_ms;
        let near = |us: f64, ms: f64| (us / 1e3 / ms - 1.0).abs() < 0.02;
        assert!(near(ours.0, low) && near(ours.1, high), "{ours:?}");
        assert!((low..high).contains(&published.seen_ms()));
    }
}

#[test]
fn log_writers_at_the_extremes_land_at_the_bounds_and_between_them_inside() {
    for published in [BEFORE, AFTER] {
        let (least, most) = published.extremes();
        for (share, tolerance) in [(0.0, 0.02), (0.3, 0.06), (0.7, 0.06), (1.0, 0.06)] {
            let times = least.mixed(&most, share).unwrap();
            let found = simulated(&published, &times, 1, 0.0, SECONDS);
            let busy = found.stream("log file parallel write").unwrap().iops.unwrap()
                * mean_ms(&found, "log file parallel write")
                / 1e3;
            assert!((busy / published.busy() - 1.0).abs() < 0.03, "{busy}");
            let (sync, expected) =
                (mean_ms(&found, "log file sync"), times.commit_wait_us(published.busy()) / 1e3);
            assert!((sync / expected - 1.0).abs() < tolerance, "{sync} for {expected}");
            // Averages of the two do not compare: the same writes, and a sync is many times as long.
            assert!(share < 0.3 || sync > 2.5 * mean_ms(&found, "log file parallel write"));
        }
    }
}

#[test]
fn commits_that_come_together_wait_longer() {
    let (least, most) = BEFORE.extremes();
    let times = least.mixed(&most, 0.3).unwrap();
    let sync = |burst: u32, apart_us: f64| {
        let found = simulated(&BEFORE, &times, burst, apart_us, SECONDS);
        mean_ms(&found, "log file sync")
    };
    let (busy, mean) = (BEFORE.busy(), times.mean_us() / 1e3);
    let (alone, all_busy) = (times.commit_wait_us(busy) / 1e3, times.commit_wait_us(1.0) / 1e3);
    // Of ten that come at once to an idle log writer, nine wait for the write of the first and then for their own.
    let at_once = sync(10, 0.0);
    let by_hand = alone + (1.0 - busy) * 0.9 * mean;
    assert!((at_once / by_hand - 1.0).abs() < 0.05, "{at_once} for {by_hand}");
    // A train of commits keeps the log writer busy for itself: the longer it is, the less it finds it idle.
    let trains = [sync(100, 1_000.0), sync(30_000, 5_000.0)];
    assert!(trains.iter().all(|train| *train > 1.08 * alone), "{trains:?} {alone}");
    assert!((trains[1] / all_busy - 1.0).abs() < 0.15, "{trains:?} {all_busy}");
}
