//! `scan`: a parallel full scan of one or many files, by degree, and by scheduler and read-ahead where that is
//! asked for.

use super::messages::PutBack;
use super::supervise::Runner;
use super::sweep::{begin, finish, number};
use spindle_workload::{Figure, Form, Measured, Parameters, Point, Scan, ScanFound, ScanStep, Times};
use std::path::PathBuf;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanOrder {
    /// Slaves, a scan each.
    pub degrees: Vec<u32>,
    /// Bytes of a read, likewise.
    pub multiblocks: Vec<u32>,
    /// Bytes that a slave takes at a time.
    pub granule_bytes: u64,
    /// Reads that a slave keeps under way.
    pub under_way: u32,
    /// Settings that are tried; `None` leaves all as it is.
    pub change: Option<Change>,
}

/// Settings of the disks that are tried, and put back.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// By name; `all` for those that the disks offer. Empty for the one that is set.
    pub schedulers: Vec<String>,
    /// Bytes. Empty for what is set.
    pub read_aheads: Vec<u64>,
    /// Where the old values are kept until they are put back.
    pub journals: PathBuf,
}

/// Scans.
///
/// # Errors
/// In a sentence, where nothing can be run. Settings are put back before.
pub fn scan(runner: &mut dyn Runner, order: &ScanOrder) -> Result<Measured, String> {
    let mut measured = begin(Form::Scan);
    let scanned = scans(runner, order, &mut measured);
    if order.change.is_some() {
        match runner.put_back() {
            Ok(PutBack { failed, .. }) => measured.warnings.extend(failed),
            Err(why) => measured.warnings.push(format!(
                "whether settings are as they were is not known ({why}): run `spindle measure restore`"
            )),
        }
    }
    scanned?;
    let bytes: u64 = runner.bytes().iter().sum();
    let found = ScanFound {
        files: u32::try_from(runner.bytes().len()).unwrap_or(u32::MAX),
        bytes,
        granule_bytes: order.granule_bytes,
        steps: steps(&measured),
    };
    measured.verdict = verdict(&found);
    measured.scan = Some(found);
    Ok(measured)
}

fn scans(runner: &mut dyn Runner, order: &ScanOrder, measured: &mut Measured) -> Result<(), String> {
    let (mut schedulers, mut read_aheads) = (vec![None], vec![None]);
    if let Some(change) = &order.change {
        let asked: Vec<String> = if change.schedulers.iter().any(|s| s == "all") {
            runner.schedulers()?
        } else {
            change.schedulers.clone()
        };
        if !asked.is_empty() {
            schedulers = asked.into_iter().map(Some).collect();
        }
        if !change.read_aheads.is_empty() {
            read_aheads = change.read_aheads.iter().copied().map(Some).collect();
        }
    }
    for scheduler in &schedulers {
        for read_ahead in &read_aheads {
            if let Some(change) = &order.change {
                let set = runner.set(&change.journals, scheduler.as_deref(), *read_ahead);
                match set {
                    Err(why) if measured.points.is_empty() => return Err(why),
                    Err(why) => {
                        measured.incomplete = Some(why);
                        return Ok(());
                    }
                    Ok(()) => {}
                }
            }
            for multiblock_bytes in &order.multiblocks {
                for degree in &order.degrees {
                    let scan = Scan {
                        degree: *degree,
                        multiblock_bytes: *multiblock_bytes,
                        granule_bytes: order.granule_bytes,
                        under_way: order.under_way,
                    };
                    let parameters = Parameters {
                        degree: Some(*degree),
                        block_bytes: Some(u64::from(*multiblock_bytes)),
                        scheduler: scheduler.clone(),
                        read_ahead_bytes: *read_ahead,
                        ..Parameters::default()
                    };
                    let ran = runner.scan(&scan);
                    if !finish(measured, parameters, ran)? {
                        return Ok(());
                    }
                }
            }
        }
    }
    Ok(())
}

/// A row for each scan; one that was cut, the last, has no seconds.
fn steps(measured: &Measured) -> Vec<ScanStep> {
    let mut steps: Vec<ScanStep> = measured.points.iter().filter_map(step).collect();
    if let Some(last) =
        steps.last_mut().filter(|_| measured.points.last().is_some_and(|p| is_cut(measured, p)))
    {
        last.seconds = None;
    }
    steps
}

/// Did the scan of this point, the last, not come to its end?
fn is_cut(measured: &Measured, point: &Point) -> bool {
    let errors = point.result.streams.iter().any(|s| !s.errors.is_empty());
    let all = |s: &spindle_workload::StreamResult| s.bytes.unwrap_or(0);
    let most = measured.points.iter().flat_map(|p| &p.result.streams).map(all).max();
    let here = point.result.streams.iter().map(all).max();
    measured.incomplete.is_some() && (errors || here < most || measured.points.len() == 1)
}

fn step(point: &Point) -> Option<ScanStep> {
    let stream = point.result.streams.first()?;
    let device = point.result.environment.devices.first();
    Some(ScanStep {
        degree: point.parameters.degree?,
        scheduler: device.and_then(|d| d.scheduler.clone()),
        read_ahead_bytes: device.and_then(|d| d.read_ahead_bytes),
        multiblock_bytes: point.parameters.block_bytes?,
        bytes: stream.bytes,
        seconds: stream.elapsed_s,
        mbps: Figure::mbps(stream),
        read_us: Times::of(stream),
    })
}

fn verdict(found: &ScanFound) -> String {
    let whole = || found.steps.iter().filter(|s| s.seconds.is_some());
    let seconds = |s: &ScanStep| s.seconds.unwrap_or(f64::INFINITY);
    let Some(best) = whole().min_by(|a, b| seconds(a).total_cmp(&seconds(b))) else {
        return "No scan came to its end.".to_owned();
    };
    let how = |s: &ScanStep| {
        let mut text = format!("degree {}", s.degree);
        if found.differ(|s| s.scheduler.clone()) {
            text += &format!(", {}", s.scheduler.as_deref().unwrap_or("?"));
        }
        if found.differ(|s| s.read_ahead_bytes) {
            text += &format!(", read-ahead {} KiB", number(s.read_ahead_bytes.unwrap_or(0) as f64 / 1024.0));
        }
        if found.differ(|s| s.multiblock_bytes) {
            text += &format!(", reads of {} KiB", number(s.multiblock_bytes as f64 / 1024.0));
        }
        text
    };
    let mbps = |s: &ScanStep| s.mbps.map_or_else(|| "-".to_owned(), |f| number(f.value));
    let mut text =
        format!("The fastest scan takes {} s, {} MB/s: {}.", number(seconds(best)), mbps(best), how(best));
    // Where the intervals meet, which of them is the fastest is not known.
    let meets = |s: &&ScanStep| {
        let bounds = best.mbps.and_then(|b| b.low).zip(s.mbps.and_then(|f| f.high));
        *s != best && bounds.is_some_and(|(low, high)| high >= low)
    };
    match whole().filter(meets).count() {
        0 => {}
        1 => text += " Another one is as fast, as far as the intervals tell.",
        more => text += &format!(" {more} others are as fast, as far as the intervals tell."),
    }
    if let Some(worst) = whole().max_by(|a, b| seconds(a).total_cmp(&seconds(b))).filter(|w| *w != best) {
        text += &format!(" The slowest takes {} s: {}.", number(seconds(worst)), how(worst));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::supervise::Ran;
    use super::*;
    use spindle_workload::{
        DeviceFacts, Environment, Job, LatencyFrom, LimitedBy, Recorder, RunResult, Slob, StreamResult,
    };
    use std::path::Path;

    /// Says what it was asked for; scans take the longer the lower their degree.
    #[derive(Default)]
    struct Fake {
        asked: Vec<String>,
        scheduler: String,
        refuse: Option<&'static str>,
    }

    impl Runner for Fake {
        fn run(&mut self, _: &Job) -> Result<Ran, String> {
            panic!("no job")
        }

        fn slob(&mut self, _: &Slob) -> Result<Ran, String> {
            panic!("no sessions")
        }

        fn scan(&mut self, scan: &Scan) -> Result<Ran, String> {
            self.asked.push(format!("scan {}", scan.degree));
            let mut recorder = Recorder::new();
            let took = 100_000_000 / u64::from(scan.degree);
            for n in 1..=10 {
                recorder.record(n * took, took, 1 << 20);
            }
            let stream = StreamResult::of(
                "scan",
                "read",
                LatencyFrom::Submit,
                &recorder.finish(10 * took),
                Vec::new(),
            );
            let device = DeviceFacts { scheduler: Some(self.scheduler.clone()), ..DeviceFacts::default() };
            let environment = Environment { devices: vec![device], ..Environment::default() };
            let result = RunResult {
                job: None,
                environment,
                streams: vec![stream],
                limited_by: LimitedBy::Device,
                warnings: Vec::new(),
                hosts: None,
                ended_early: None,
            };
            Ok(Ran { result, cut: None })
        }

        fn schedulers(&mut self) -> Result<Vec<String>, String> {
            Ok(vec!["none".into(), "kyber".into()])
        }

        fn set(&mut self, _: &Path, scheduler: Option<&str>, read_ahead: Option<u64>) -> Result<(), String> {
            self.asked.push(format!("set {} {}", scheduler.unwrap_or("-"), read_ahead.unwrap_or(0)));
            self.scheduler = scheduler.unwrap_or("none").to_owned();
            match self.refuse {
                Some(which) if scheduler == Some(which) => Err("it is mounted".to_owned()),
                _ => Ok(()),
            }
        }

        fn put_back(&mut self) -> Result<PutBack, String> {
            self.asked.push("put back".to_owned());
            Ok(PutBack::default())
        }

        fn bytes(&self) -> &[u64] {
            &[10 << 20]
        }
    }

    fn order(schedulers: &[&str]) -> ScanOrder {
        let change = Change {
            schedulers: schedulers.iter().map(|s| (*s).to_owned()).collect(),
            read_aheads: Vec::new(),
            journals: PathBuf::new(),
        };
        ScanOrder {
            degrees: vec![1, 4],
            multiblocks: vec![1 << 20],
            granule_bytes: 4 << 20,
            under_way: 1,
            change: (!schedulers.is_empty()).then_some(change),
        }
    }

    #[test]
    fn settings_are_tried_in_turn_and_put_back_at_the_end() {
        let mut fake = Fake::default();
        let measured = scan(&mut fake, &order(&["all"])).unwrap();
        let expected = ["set none 0", "scan 1", "scan 4", "set kyber 0", "scan 1", "scan 4", "put back"];
        assert_eq!(fake.asked, expected);
        assert_eq!(
            measured.verdict,
            "The fastest scan takes 0.25 s, 41.9 MB/s: degree 4, none. Another one is as fast, as far as the intervals \
             tell. The slowest takes 1 s: degree 1, kyber."
        );
    }

    #[test]
    fn a_setting_was_called_the_fastest_whose_interval_holds_the_others() {
        let measured = scan(&mut Fake::default(), &order(&[])).unwrap();
        let mut found = measured.scan.unwrap();
        for (step, (value, low, high)) in
            found.steps.iter_mut().zip([(10.0, Some(6.0), Some(14.0)), (41.9, Some(12.0), Some(70.0))])
        {
            step.mbps = Some(Figure { value, low, high });
        }
        assert!(verdict(&found).contains("Another one is as fast"), "{}", verdict(&found));
        found.steps[0].mbps = Some(Figure { value: 10.0, low: Some(9.0), high: Some(11.0) });
        assert!(!verdict(&found).contains("as fast,"), "{}", verdict(&found));
    }

    #[test]
    fn nothing_is_set_where_nothing_is_asked_for() {
        let mut fake = Fake::default();
        let measured = scan(&mut fake, &order(&[])).unwrap();
        assert_eq!(fake.asked, ["scan 1", "scan 4"]);
        assert_eq!(measured.scan.unwrap().steps.len(), 2);
    }

    #[test]
    fn what_is_refused_is_put_back_as_well() {
        let mut fake = Fake { refuse: Some("none"), ..Fake::default() };
        assert_eq!(scan(&mut fake, &order(&["none"])).unwrap_err(), "it is mounted");
        assert_eq!(fake.asked, ["set none 0", "put back"]);
        // After some scans, those stand.
        let mut fake = Fake { refuse: Some("kyber"), ..Fake::default() };
        let measured = scan(&mut fake, &order(&["all"])).unwrap();
        assert_eq!(measured.incomplete.as_deref(), Some("it is mounted"));
        assert_eq!(fake.asked.last().map(String::as_str), Some("put back"));
        assert_eq!(measured.points.len(), 2);
    }
}
