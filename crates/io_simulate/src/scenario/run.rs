//! A point of a scenario run: volumes built, loads added, the simulation run to its end, figures taken.

use super::build::{Builder, Tallies, Tally};
use super::database::Database;
use super::figures::{Figure, Measure, OfLoad, OfStorage};
use super::loads::{Load, LoadKind};
use super::progress::{self, Progress, Whole};
use super::storage::{Storage, What};
use super::{Point, Scenario, Traces, read_point, steady};
use crate::loads::{ChangesSoFar, JobLoad, TraceInput};
use crate::processes::{Found, Host, ProcessFound, Simulation, StreamFound, Then};
use crate::{
    Collection, Device, FlashSpec, Picoseconds, Spread, TranslationLayer, fifo_write_amplification,
    greedy_write_amplification,
};
use spindle_workload::form::Form;
use spindle_workload::{
    Arrivals, Course, DeviceFacts, Environment, Job, LatencyUs, LimitedBy, Parameters, Pattern, PublishedRow,
    RunResult, Seeded, SimulatedFigure, SimulatedFound, SimulatedPoint, StreamResult, SweptValue,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What came of one point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointRun {
    /// In the type of measurements.
    pub result: RunResult,
    /// Figures before any is divided by another, in their order.
    pub values: Vec<Option<f64>>,
    /// Their 95 % intervals, likewise; `None` where the run tells none.
    pub intervals: Vec<Option<(f64, f64)>>,
    /// Which request of whom was done when: the same seed gives the same, on any machine.
    pub fingerprint: u64,
    /// Loads that storage does not keep up with, in sentences, which are warnings of the result as well.
    pub behind: Vec<String>,
    /// Loads whose run is of no one state, so that its means are of none, in such sentences as well.
    pub unsteady: Vec<String>,
}

/// What a load came to: where its results are.
#[derive(Clone, Debug)]
struct Ran {
    name: String,
    /// Its processes, by their numbers.
    processes: std::ops::Range<usize>,
    /// Its streams, by their numbers.
    streams: std::ops::Range<usize>,
}

impl Scenario {
    /// Runs a point that replays no trace. The same point gives the same, whoever runs it beside others.
    ///
    /// # Errors
    /// In a sentence that names the point and the line, where its storage cannot be made or its loads come to no end.
    pub fn run(&self, number: usize) -> Result<PointRun, String> {
        self.run_with(number, &Traces::none(), None)
    }

    /// Runs a point, whose traces are at hand; it tells how far it has come, where somebody watches.
    ///
    /// # Errors
    /// As [`Scenario::run`], and where a trace is not the one that was asked for, or does not fit.
    pub fn run_with(
        &self,
        number: usize,
        traces: &Traces,
        progress: Option<&Arc<Progress>>,
    ) -> Result<PointRun, String> {
        let keys = self.keys();
        let form = Form::of(&self.file, self.root.clone()).that_collects();
        let (point, _) = read_point(&form, &self.sweep, number, self.seed, &keys);
        let at = self.point_name(number);
        let place = |line: usize, why: String| match at.as_str() {
            "" => form.refuse_at(line, why).to_string(),
            at => form.refuse_at(line, format!("at {at}: {why}")).to_string(),
        };
        run(&point, traces, progress).map_err(|(line, why)| place(line, why))
    }

    /// What all points came to; `None` for those that were not run.
    #[must_use]
    pub fn found(&self, runs: &[Option<PointRun>]) -> SimulatedFound {
        let keys = self.keys();
        let at: Vec<Vec<SweptValue>> = (0..self.points()).map(|n| self.values(n)).collect();
        let raw = |point: usize, figure: usize| -> Option<f64> {
            runs.get(point)?.as_ref()?.values.get(figure).copied().flatten()
        };
        let divided = |point: usize, figure: usize| -> Option<f64> {
            let mut own = raw(point, figure)?;
            if let Some(other) = self.figures.get(figure)?.less {
                own -= raw(point, other)?;
            }
            let per = match self.figures.get(figure)?.per {
                Some(other) => own / raw(point, other)?,
                None => own,
            };
            per.is_finite().then_some(per)
        };
        let against = |point: usize, figure: usize| -> Option<usize> {
            let against = self.figures.get(figure)?.against.as_ref()?;
            at.iter().position(|other| {
                other.iter().enumerate().all(|(key, value)| match against.iter().find(|(k, _)| *k == key) {
                    Some((_, wanted)) => value.is(wanted),
                    None => value.is(&at[point][key]),
                })
            })
        };
        let value = |point: usize, figure: usize| -> Option<f64> {
            let own = divided(point, figure)?;
            if self.figures.get(figure)?.against.is_none() {
                return Some(own);
            }
            Some(own / divided(against(point, figure)?, figure)?).filter(|ratio| ratio.is_finite())
        };
        let raw_interval = |point: usize, figure: usize| -> Option<(f64, f64)> {
            runs.get(point)?.as_ref()?.intervals.get(figure).copied().flatten()
        };
        // Half of the width of a figure's interval; what it is less, or is divided by, makes it less sure.
        let raw_half =
            |point, figure| raw_interval(point, figure).map_or(0.0, |(low, high)| (high - low) / 2.0);
        let divided_half = |point: usize, figure: usize| -> Option<f64> {
            let one = self.figures.get(figure)?;
            let mut half = raw_half(point, figure);
            if let Some(other) = one.less {
                half = half.hypot(raw_half(point, other));
            }
            match one.per {
                Some(other) => {
                    let by = raw(point, other)?;
                    Some((half / by).hypot(divided(point, figure)? * raw_half(point, other) / by))
                }
                None => Some(half),
            }
        };
        let interval = |point: usize, figure: usize| -> Option<(f64, f64)> {
            let one = self.figures.get(figure)?;
            if one.less.is_none() && one.per.is_none() && one.against.is_none() {
                return raw_interval(point, figure);
            }
            let (value, mut half) = (value(point, figure)?, divided_half(point, figure)?);
            if one.against.is_some() {
                let other = against(point, figure).filter(|other| *other != point)?;
                let by = divided(other, figure)?;
                half = (half / by).hypot(value * divided_half(other, figure)? / by);
            }
            let least = if one.less.is_none() { 0.0 } else { f64::MIN };
            Some(((value - half).max(least), value + half))
                .filter(|(low, high)| high.is_finite() && low < high)
        };
        let figures: Vec<SimulatedFigure> = self
            .figures
            .iter()
            .map(|f| SimulatedFigure {
                name: f.name.clone(),
                unit: f.unit,
                of: f.of.clone(),
                how: f.how(&self.figures, &keys),
            })
            .collect();
        let points: Vec<SimulatedPoint> = at
            .iter()
            .enumerate()
            .map(|(n, at)| SimulatedPoint {
                at: at.clone(),
                values: (0..figures.len()).map(|figure| value(n, figure)).collect(),
                intervals: (0..figures.len()).map(|figure| interval(n, figure)).collect(),
            })
            .collect();
        SimulatedFound {
            name: self.head.name.clone(),
            about: self.head.about.clone(),
            experiment: self.head.experiment.clone(),
            source: self.head.source.clone(),
            notes: self.head.notes.clone(),
            seed: self.head.seed,
            main: self.head.main,
            published: self.published_rows(&points),
            parameters: self.parameters.clone(),
            keys,
            figures,
            points,
        }
    }

    /// What was published, at each point that it speaks of.
    fn published_rows(&self, points: &[SimulatedPoint]) -> Vec<PublishedRow> {
        let mut rows = Vec::new();
        for one in &self.published {
            let fitted: Vec<String> = self
                .parameters
                .iter()
                .filter(|p| p.fitted_to().is_some_and(|to| to.eq_ignore_ascii_case(&one.result)))
                .map(|p| p.path.clone())
                .collect();
            let speaks_of = |p: &&SimulatedPoint| {
                one.at.iter().all(|(key, value)| p.at.get(*key).is_some_and(|v| v.is(value)))
            };
            let here: Vec<&SimulatedPoint> = points.iter().filter(speaks_of).collect();
            let row = |at: String, point: Option<&SimulatedPoint>| {
                let of = |figure: usize| point.and_then(|p| p.values.get(figure).copied().flatten());
                let published = one.value.or_else(|| one.by.and_then(of));
                let simulated = of(one.figure);
                let difference = published.zip(simulated).and_then(|(p, s)| PublishedRow::difference(p, s));
                PublishedRow {
                    figure: one.figure,
                    at,
                    origin: one.origin.clone(),
                    published,
                    simulated,
                    difference_pct: difference,
                    within_pct: one.within_pct,
                    fitted: fitted.clone(),
                    beside: one.beside,
                }
            };
            if here.is_empty() {
                let words = one.at.iter().map(|(key, value)| self.words(*key, value));
                rows.push(row(words.collect::<Vec<_>>().join(", "), None));
            }
            for point in here {
                let words = point.at.iter().enumerate().map(|(key, value)| self.words(key, value));
                rows.push(row(words.collect::<Vec<_>>().join(", "), Some(point)));
            }
        }
        rows
    }

    /// A value of a key: a word for itself, a number with what it is of.
    fn words(&self, key: usize, value: &SweptValue) -> String {
        match self.sweep.keys().get(key) {
            Some(key) if value.number.is_some() => format!("{} {}", key.label, value.text),
            _ => value.text.clone(),
        }
    }

    /// What set a point apart, in the type of measurements.
    #[must_use]
    pub fn parameters_of(&self, point: usize) -> Parameters {
        let keys = self.keys();
        let swept =
            keys.into_iter().zip(self.values(point)).map(|(key, value)| (key.label, value.text)).collect();
        Parameters { swept, ..Parameters::default() }
    }
}

type Refused = (usize, String);

fn run(point: &Point, traces: &Traces, progress: Option<&Arc<Progress>>) -> Result<PointRun, Refused> {
    let seed = point.head.seed;
    let looked_at = point.figures.iter().filter(|f| matches!(f.measure, Measure::Storage(_)));
    let tallies: Tallies =
        Rc::new(RefCell::new(looked_at.map(|f| (f.of.clone(), Tally::default())).collect()));
    for load in &point.loads {
        if let LoadKind::Overwrite { before, times } = load.what {
            if let Some(other) = point.loads.iter().find(|l| l.on == load.on && l.name != load.name) {
                let why = format!(
                    "`{}` writes `{}` over without time, and `{}` asks it in time; give the drive `overwrites`, which goes \
                     before the run",
                    load.name, load.on, other.name
                );
                return Err((load.line, why));
            }
            let wear = overwrite(point, &load.on, before, times, progress).map_err(|why| (load.line, why))?;
            if let Some(tally) = tallies.borrow_mut().get_mut(&load.on) {
                *tally = wear;
            }
        }
    }
    // One job for each volume: its streams are the loads on it, in their order.
    let mut jobs: Vec<(String, usize, Job)> = Vec::new();
    for load in &point.loads {
        let LoadKind::Requests(stream) = &load.what else { continue };
        let mut stream = (**stream).clone();
        if let Some(trace) = &stream.trace {
            let found = traces.found(trace).and_then(|found| stream.take_in(found));
            found.map_err(|why| (load.line, format!("`{}`: {why}", load.name)))?;
        }
        match jobs.iter_mut().find(|(on, ..)| *on == load.on) {
            Some((.., job)) => job.streams.push(stream),
            None => jobs.push((
                load.on.clone(),
                load.line,
                Job {
                    name: point.head.name.clone(),
                    seed: seed.wrapping_add((jobs.len() as u64) << 32),
                    streams: vec![stream],
                    end: point.end,
                    warm_up_s: (point.warm_up_s > 0.0).then_some(point.warm_up_s),
                },
            )),
        }
    }
    let databases: Vec<(&Load, &Database)> = point
        .loads
        .iter()
        .filter_map(|load| match &load.what {
            LoadKind::Database(database) => Some((load, &**database)),
            _ => None,
        })
        .collect();
    if jobs.is_empty() && databases.is_empty() {
        let values = point.figures.iter().map(|f| value(f, point, &[], None, &tallies.borrow())).collect();
        let warnings = beyond_formulas(point).into_iter().chain(few_blocks(point)).collect();
        let result = RunResult { warnings, ..result(None, Vec::new(), Vec::new()) };
        let intervals = vec![None; point.figures.len()];
        let (behind, unsteady) = (Vec::new(), Vec::new());
        return Ok(PointRun { result, values, intervals, fingerprint: 0, behind, unsteady });
    }
    let mut builder = Builder::new(&point.storage, seed, Rc::clone(&tallies), progress.cloned());
    let mut volumes: Vec<Box<dyn Device>> = Vec::new();
    let mut devices = Vec::new();
    let of_databases = databases
        .iter()
        .flat_map(|(load, database)| std::iter::once(load.on.as_str()).chain(database.also_on()));
    let mut names: Vec<&str> = Vec::new();
    for on in jobs.iter().map(|(on, ..)| on.as_str()).chain(of_databases) {
        if names.contains(&on) {
            continue;
        }
        names.push(on);
        let built = builder.build(on)?;
        devices.push(DeviceFacts {
            path: on.to_owned(),
            bytes: Some(built.bytes),
            model: made_of(&point.storage, on),
            ..DeviceFacts::default()
        });
        volumes.push(match progress {
            Some(progress) => followed(point, built.device, progress, &jobs),
            None => built.device,
        });
    }
    if let Some(progress) = progress {
        progress.begins(&whole(point, &jobs));
    }
    let mut simulation = Simulation::new(volumes);
    if let Some(processors) = point.processors {
        simulation.processors(processors);
    }
    let mut ran = Vec::new();
    let mut changing: Vec<(&str, f64, ChangesSoFar)> = Vec::new();
    let mut streams = 0;
    // Databases first: their streams begin with the first of all.
    let placed = |name: &str| {
        let volume = names.iter().position(|n| *n == name)?;
        Some((volume, devices.get(volume)?.bytes?))
    };
    for (number, (load, database)) in databases.iter().enumerate() {
        let first = simulation.next_process() as usize;
        let seed = seed.wrapping_add((number as u64 + 1) << 48);
        let added = database.add(&mut simulation, &load.name, &load.on, &placed, seed);
        let added = added.map_err(|why| (load.line, format!("`{}`: {why}", load.name)))?;
        changing.extend(added.map(|(per_s, so_far)| (load.name.as_str(), per_s, so_far)));
        let processes = first..simulation.next_process() as usize;
        let all = simulation.streams();
        ran.push(Ran { name: load.name.clone(), processes, streams: streams..all });
        streams = all;
    }
    for (on, line, job) in &jobs {
        let Some((volume, bytes)) = placed(on) else { continue };
        let first = simulation.next_process() as usize;
        let load = JobLoad { job, volume, volume_bytes: bytes, unit_bytes: 512 };
        let texts: Result<Vec<TraceInput>, String> =
            job.streams.iter().filter_map(|s| s.trace.as_ref()).map(|trace| traces.text(trace)).collect();
        let texts = texts.map_err(|why| (*line, why))?;
        load.add(&mut simulation, texts).map_err(|why| (*line, why.to_string()))?;
        for (n, stream) in job.streams.iter().enumerate() {
            // A log has a stream of its writes and one of its commits.
            let own = if stream.commits() { 2 } else { 1 };
            let (process, at) = (first + n, streams);
            streams += own;
            ran.push(Ran {
                name: stream.name.clone(),
                processes: process..process + 1,
                streams: at..streams,
            });
        }
    }
    one_stream_each(point, &ran, &simulation.stream_names())?;
    let warm_up = Picoseconds::from_us(point.warm_up_s * 1e6);
    simulation.record_from(warm_up);
    let until = point.end.seconds.map(|seconds| warm_up + Picoseconds::from_us(seconds * 1e6));
    let at_begin: Rc<RefCell<BTreeMap<String, Tally>>> = Rc::default();
    if point.warm_up_s > 0.0 {
        let (tallies, at_begin) = (Rc::clone(&tallies), Rc::clone(&at_begin));
        let mut waited = false;
        simulation.add_service("warm-up", move |_: &mut Host| {
            if !std::mem::replace(&mut waited, true) {
                return Then::Until(warm_up);
            }
            *at_begin.borrow_mut() =
                tallies.borrow().iter().map(|(name, tally)| (name.clone(), tally.at(warm_up))).collect();
            Then::Ended
        });
    }
    let found = simulation.run(until).map_err(|fault| (1, fault.to_string()))?;
    let before = at_begin.borrow();
    let counted: BTreeMap<String, Tally> = tallies
        .borrow()
        .iter()
        .map(|(name, tally)| {
            (name.clone(), tally.at(found.elapsed).since(before.get(name).copied().unwrap_or_default()))
        })
        .collect();
    let seconds = (found.elapsed - warm_up).as_s();
    let values: Vec<Option<f64>> =
        point.figures.iter().map(|f| value(f, point, &ran, Some((&found, seconds)), &counted)).collect();
    // What is not known is not known within bounds.
    let intervals = point
        .figures
        .iter()
        .zip(&values)
        .map(|(f, value)| value.and_then(|_| interval(f, &ran, &found)))
        .collect();
    let job = match jobs.as_slice() {
        [(.., job)] if databases.is_empty() => Some(job.clone()),
        _ => None,
    };
    let mut streams = Vec::new();
    let mut all_behind = Vec::new();
    for one in found.recorded() {
        let mut stream = one.result.clone();
        if falls_behind(one, point) {
            all_behind.push(behind(&stream));
            stream.latency_us = LatencyUs::default();
            stream.histogram = None;
        }
        streams.push(stream);
    }
    all_behind.extend(
        changing.iter().filter_map(|(name, per_s, so_far)| late(name, *per_s, so_far, found.elapsed)),
    );
    let told = jobs.iter().flat_map(|(on, _, job)| {
        let traces = job.streams.iter().filter_map(|s| s.trace.as_ref());
        traces.flat_map(|trace| trace.told(std::slice::from_ref(on)))
    });
    let unsteady = not_of_one_state(point, &ran, &found);
    let known =
        found.notes.iter().cloned().chain(told).chain(beyond_formulas(point)).chain(few_blocks(point));
    let known = known.chain(of_few(point, &ran, &found));
    let warnings = all_behind.iter().chain(&unsteady).cloned().chain(known).collect();
    let result = RunResult { warnings, ..result(job, streams, devices) };
    Ok(PointRun { result, values, intervals, fingerprint: found.fingerprint, behind: all_behind, unsteady })
}

/// A volume that tells how far the run has come.
fn followed(
    point: &Point,
    device: Box<dyn Device>,
    progress: &Arc<Progress>,
    jobs: &[(String, usize, Job)],
) -> Box<dyn Device> {
    progress::followed(device, Arc::clone(progress), whole(point, jobs))
}

/// When a run ends.
fn whole(point: &Point, jobs: &[(String, usize, Job)]) -> Whole {
    let streams: u64 = jobs.iter().map(|(.., job)| job.streams.len() as u64).sum();
    let seconds = point.end.seconds.map(|seconds| point.warm_up_s + seconds);
    Whole {
        until: seconds.map(|seconds| Picoseconds::from_us(seconds * 1e6)),
        requests: point.end.ios.map(|each| each.saturating_mul(streams.max(1))),
    }
}

/// Over-provisioning, as share, for which the formulas of write amplification were held against the simulation within 1 %.
const HELD: std::ops::RangeInclusive<f64> = 0.07..=0.5;

/// What has to be known of formulas that figures are of.
fn beyond_formulas(point: &Point) -> Vec<String> {
    let of = point.figures.iter().filter(|f| f.measure == Measure::Storage(OfStorage::Formula));
    let mut names: Vec<&str> = of.map(|f| f.of.as_str()).collect();
    names.dedup();
    let told = |name: &str| {
        let flash = flash_of(&point.storage, name)?;
        (!HELD.contains(&flash.over_provisioning)).then(|| {
            format!(
                "`{name}`: the formula of write amplification is of very many blocks and was held against the simulation within 1 % \
                 from 7 % to 50 % of over-provisioning; at {} % it may be further off, and more the fewer blocks are spare.",
                (flash.over_provisioning * 1e5).round() / 1e3
            )
        })
    };
    // Where writes go is what the formula is about.
    let not_random = |name: &str| {
        flash_of(&point.storage, name)?;
        let load = point.loads.iter().find(|load| match &load.what {
            LoadKind::Requests(stream) => {
                stream.read_pct < 100.0
                    && stream.trace.is_none()
                    && stream.pattern != Pattern::Random
                    && rests_on(&point.storage, &load.on, name)
            }
            _ => false,
        })?;
        Some(format!(
            "`{name}`: the formula of write amplification is of writes at random places, and `{}` writes elsewhere: it says nothing of \
             this load.",
            load.name
        ))
    };
    names
        .iter()
        .filter_map(|name| told(name))
        .chain(names.iter().filter_map(|name| not_random(name)))
        .collect()
}

/// Is storage, or what it is made of, of a name?
fn rests_on(storage: &[Storage], on: &str, name: &str) -> bool {
    let mut open = vec![on];
    let mut seen: Vec<&str> = Vec::new();
    while let Some(one) = open.pop() {
        if one == name {
            return true;
        }
        if !seen.contains(&one)
            && let Some(found) = storage.iter().find(|s| s.name == one)
        {
            seen.push(one);
            open.extend(found.what.names());
        }
    }
    false
}

/// Loads that write.
fn writing(point: &Point) -> impl Iterator<Item = &Load> {
    point.loads.iter().filter(|load| match &load.what {
        LoadKind::Requests(stream) => stream.read_pct < 100.0,
        LoadKind::Overwrite { .. } => true,
        LoadKind::Database(database) => database.writes(),
    })
}

/// From this share on, few blocks of a plane are told of.
const FEW: f64 = 0.02;

/// Drives that amplify writes more than larger ones of the same over-provisioning, since the block of a plane that is being written
/// is none of its spare ones.
fn few_blocks(point: &Point) -> Vec<String> {
    let of = |one: &Storage| {
        let flash = flash_of(&point.storage, &one.name)?;
        writing(point).find(|load| rests_on(&point.storage, &load.on, &one.name))?;
        let blocks = f64::from(flash.blocks);
        let spare = (blocks - 1.0) / blocks * (1.0 + flash.over_provisioning) - 1.0;
        let amplified = |spare: f64| match flash.collection {
            Collection::Greedy => greedy_write_amplification(spare, flash.pages),
            Collection::Fifo => fifo_write_amplification(spare),
        };
        let (here, large) = (amplified(spare)?, amplified(flash.over_provisioning)?);
        (here > large * (1.0 + FEW)).then(|| {
            format!(
                "`{}`: of {} blocks a plane one is being written, which leaves {:.1} % spare instead of {:.1} %: by the formulas random \
                 writes are amplified {here:.1} times, and {large:.1} times on a drive with many blocks. More `blocks`, on fewer planes \
                 if need be, answer as a large drive does.",
                one.name,
                flash.blocks,
                100.0 * spare,
                100.0 * flash.over_provisioning
            )
        })
    };
    point.storage.iter().filter_map(of).collect()
}

/// Requests below which a latency says little.
const FEW_REQUESTS: u64 = 30;

/// Latencies that rest on a handful of requests.
fn of_few(point: &Point, ran: &[Ran], found: &Found) -> Vec<String> {
    let of = |figure: &Figure| {
        let Measure::Load(what) = figure.measure else { return None };
        let stream = &stream_of(figure, ran, found)?.result;
        let ios = stream.ios.unwrap_or(0);
        let few = (1..FEW_REQUESTS).contains(&ios) && what.is_latency();
        few.then(|| format!("`{}` is of {ios} requests, and says little.", figure.name))
    };
    point.figures.iter().filter_map(of).collect()
}

/// How far the mean of a closed load may be from what its rate says of it.
const LITTLE: f64 = 0.05;

/// Loads whose figures are means over several states: the rate changed, or the queue was filling all the time. What ends by itself
/// has stages, and is left out.
fn not_of_one_state(point: &Point, ran: &[Ran], found: &Found) -> Vec<String> {
    let mut all = Vec::new();
    for one in ran {
        let Some(load) = point.loads.iter().find(|load| load.name == one.name) else { continue };
        let stream_spec = match &load.what {
            LoadKind::Requests(stream) if stream.trace.is_none() => Some(stream),
            LoadKind::Database(database) if !database.ends() => None,
            _ => continue,
        };
        let streams = found.streams.get(one.streams.clone()).unwrap_or_default();
        for (of, stream) in streams.iter().map(|s| (s, &s.result)) {
            if stream.operation == spindle_workload::WAIT || falls_behind(of, point) {
                continue;
            }
            // The rate of an open load is drawn: it differs by chance where storage changes nothing.
            let is_drawn = |course: &&Course| {
                let is_open = matches!(stream_spec.map(|s| s.arrivals), Some(Arrivals::Open { .. }));
                is_open && course.steps.is_empty() && steady::is_chance(&of.slices)
            };
            let changed_rate = stream.course.as_ref().filter(|course| course.steady == Some(false));
            let Some(course) = changed_rate.filter(|course| !is_drawn(course)) else {
                all.extend(steady::drift(&of.slices).map(|drift| changed(&stream.name, drift)));
                continue;
            };
            let went = match course.steps.first() {
                Some(step) => format!(
                    "{:.0} a second until {:.3} s, {:.0} then",
                    step.before_iops, step.at_s, step.after_iops
                ),
                None => {
                    let fifth = course.iops.len().div_ceil(5);
                    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
                    let (first, last) = (
                        course.iops.get(..fifth).map_or(0.0, mean),
                        course.iops.get(course.iops.len() - fifth..).map_or(0.0, mean),
                    );
                    format!("{first:.0} a second in the first fifth of the run, {last:.0} in the last")
                }
            };
            let interval = stream.interval.as_ref().map_or(String::new(), |interval| {
                format!(" (95 % interval of its rate: {:.0} to {:.0})", interval.iops_low, interval.iops_high)
            });
            let once = point.storage.iter().any(|s| {
                matches!(&s.what, What::Ssd { overwrites, .. } if *overwrites == 0.0)
                    && rests_on(&point.storage, &load.on, &s.name)
                    && writing(point).any(|l| l.name == load.name)
            });
            let drive = if once {
                " A drive that was filled once, in order, is not in the steady state of writes: give it `overwrites`."
            } else {
                ""
            };
            all.push(format!(
                "`{}` is not steady: {went}. Means over the run are those of no state{interval}.{drive}",
                stream.name
            ));
        }
        if let (Some(spec), [only]) = (stream_spec, streams)
            && let Arrivals::Closed { depth, think_us } = spec.arrivals
            && let (Some(rate), Some(mean)) =
                (only.result.iops.filter(|r| *r > 0.0), only.result.latency_us.mean)
        {
            let by_rate = f64::from(depth) / rate * 1e6 - think_us;
            if mean + think_us < (1.0 - LITTLE) * (by_rate + think_us) {
                all.push(format!(
                    "`{}` keeps {depth} under way and does {rate:.0} a second: by Little's law a request takes {:.3} ms, and those that \
                     were answered took {:.3} ms. Its queue was filling, or some requests wait that are not in the mean: a longer run or \
                     `warm_up` shows which.",
                    one.name,
                    by_rate / 1e3,
                    mean / 1e3
                ));
            }
        }
    }
    all
}

/// A stream whose latency changed during the run, in a sentence.
fn changed(name: &str, drift: steady::Drift) -> String {
    format!(
        "`{name}` is not steady: a request took {:.3} ms in the first fifth of the run and {:.3} ms in its last half. Means over the \
         run are those of no state: a longer `warm_up` leaves the beginning out.",
        drift.first_ns / 1e6,
        drift.last_ns / 1e6
    )
}

/// Changes that wait for memory from which on the storage does not keep up with them, where they are a hundredth of those that
/// were made, too.
const BEHIND: u64 = 100;

/// More arrives than is served: what a request takes is as long as the run lasts.
fn falls_behind(stream: &StreamFound, point: &Point) -> bool {
    let Some(left) = stream.result.unserved else { return false };
    let end = steady::Left {
        left: left as f64,
        came: left.saturating_add(stream.result.ios.unwrap_or(0)) as f64,
        seconds: stream.result.elapsed_s.unwrap_or(0.0),
        warm_up_s: point.warm_up_s,
        least_ns: stream.least_ns as f64,
    };
    steady::grows(&end, &stream.slices)
}

fn behind(stream: &StreamResult) -> String {
    let done = stream.ios.unwrap_or(0);
    let came = done.saturating_add(stream.unserved.unwrap_or(0));
    let per_s = |n: u64| match stream.elapsed_s.filter(|s| *s > 0.0) {
        Some(seconds) => format!("{:.0} a second", n as f64 / seconds),
        None => n.to_string(),
    };
    format!(
        "The storage does not keep up with `{}`: {} came and {} were done. Its latency is none: the queue grows as long as the \
         run lasts.",
        stream.name,
        per_s(came),
        per_s(done)
    )
}

/// Changes that wait for memory because the database writer does not write as fast as blocks are changed.
fn late(name: &str, per_s: f64, so_far: &ChangesSoFar, end: Picoseconds) -> Option<String> {
    if so_far.due() >= end {
        return None;
    }
    // Whoever waits since then keeps all that come after him from coming.
    let left = (end - so_far.due()).as_s() * per_s;
    let (made, elapsed) = (so_far.made() as f64, end.as_s());
    (left >= BEHIND as f64 && left * 100.0 >= made).then(|| {
        format!(
            "The storage does not keep up with `{name}`: {:.0} a second were to be changed and {:.0} were, since memory was \
             full of changed blocks and who changes another one waited (free buffer waits).",
            (made + left) / elapsed,
            made / elapsed
        )
    })
}

/// A figure of a load is that of one stream, or nobody knows of which it is.
fn one_stream_each(point: &Point, ran: &[Ran], names: &[&str]) -> Result<(), Refused> {
    for figure in &point.figures {
        if figure.stream.is_some()
            || matches!(
                figure.measure,
                Measure::Storage(_) | Measure::Load(OfLoad::Elapsed | OfLoad::Formula)
            )
        {
            continue;
        }
        let Some(of) = ran.iter().find(|r| r.name == figure.of && r.streams.len() > 1) else { continue };
        let own = names.get(of.streams.clone()).unwrap_or_default();
        let prefix = format!("{}, ", of.name);
        let own: Vec<String> =
            own.iter().map(|name| format!("\"{}\"", name.strip_prefix(&prefix).unwrap_or(name))).collect();
        let line = point.loads.iter().find(|load| load.name == of.name).map_or(1, |load| load.line);
        return Err((
            line,
            format!(
                "`{}` has {} streams, and the figure `{}` does not say of which it is: give a [[figure]] with `stream` as {}",
                of.name,
                own.len(),
                figure.name,
                own.join(", ")
            ),
        ));
    }
    Ok(())
}

fn result(job: Option<Job>, streams: Vec<StreamResult>, devices: Vec<DeviceFacts>) -> RunResult {
    RunResult {
        job,
        environment: Environment { engine: Some("simulated".to_owned()), devices, ..Environment::default() },
        streams,
        limited_by: LimitedBy::Device,
        warnings: Vec::new(),
        hosts: None,
        ended_early: None,
    }
}

/// What storage is made of, in a line.
fn made_of(storage: &[Storage], name: &str) -> Option<String> {
    let one = storage.iter().find(|s| s.name == name)?;
    Some(match &one.what {
        What::Array(spec) => {
            let parts: Vec<String> = spec.of.iter().map(|(name, n, _)| format!("{n} x {name}")).collect();
            parts.join(" + ")
        }
        What::Cache(cache) => format!("cache on {} before {}", cache.on, cache.before),
        What::Link { before, .. } => format!("{before} behind a link"),
        What::Volume { on, .. } => on.clone(),
        _ => return None,
    })
}

/// The flash of storage, where it is an SSD.
fn flash_of<'a>(storage: &'a [Storage], name: &str) -> Option<&'a FlashSpec> {
    match &storage.iter().find(|s| s.name == name)?.what {
        What::Ssd { spec, .. } => Some(&spec.flash),
        _ => None,
    }
}

/// Writes an SSD over at random, so many times its size, without time.
fn overwrite(
    point: &Point,
    on: &str,
    before: f64,
    times: f64,
    progress: Option<&Arc<Progress>>,
) -> Result<Tally, String> {
    let Some(flash) = flash_of(&point.storage, on) else {
        return Err(format!("`{on}` is no SSD, and nothing else is written over without time"));
    };
    let mut layer = TranslationLayer::new(flash).map_err(|e| e.to_string())?;
    let pages = layer.logical_pages();
    let mut random = Seeded::new(point.head.seed, 0);
    for page in 0..pages {
        layer.write(page);
    }
    let whole = pages as f64 * (1.0 + before + times);
    let mut done = pages;
    let mut over = |layer: &mut TranslationLayer, times: f64, random: &mut Seeded| {
        for _ in 0..(pages as f64 * times) as u64 {
            if done % (1 << 16) == 0
                && let Some(progress) = progress
            {
                progress.filled(done as f64 / whole);
            }
            done += 1;
            layer.write(random.below(pages));
        }
    };
    over(&mut layer, before, &mut random);
    layer.count_anew();
    over(&mut layer, times, &mut random);
    let wear = layer.wear();
    Ok(Tally {
        instances: 1,
        bytes: pages * u64::from(flash.page_bytes),
        host_pages: wear.host_pages,
        moved_pages: wear.moved_pages,
        ..Tally::default()
    })
}

/// The stream that a figure of a load is of.
fn stream_of<'a>(figure: &Figure, ran: &[Ran], found: &'a Found) -> Option<&'a StreamFound> {
    let one = ran.iter().find(|r| r.name == figure.of)?;
    let streams = found.streams.get(one.streams.clone())?;
    let of_name = |name: &str| {
        let full = format!("{}, {name}", one.name);
        streams.iter().find(|s| s.result.name == name || s.result.name == full || s.result.operation == name)
    };
    match &figure.stream {
        Some(name) => of_name(name),
        None => streams.first(),
    }
}

/// A figure at a point.
fn value(
    figure: &Figure,
    point: &Point,
    ran: &[Ran],
    found: Option<(&Found, f64)>,
    tallies: &BTreeMap<String, Tally>,
) -> Option<f64> {
    match figure.measure {
        Measure::Load(what) => {
            let (found, _) = found?;
            let one = ran.iter().find(|r| r.name == figure.of)?;
            if what == OfLoad::Elapsed {
                return elapsed(found.processes.get(one.processes.clone())?);
            }
            if what == OfLoad::Formula {
                return formula_of_commits(figure, point, ran, found);
            }
            let stream = stream_of(figure, ran, found)?;
            if what.is_latency() && falls_behind(stream, point) {
                return None;
            }
            of_load(what, &stream.result)
        }
        Measure::Storage(what) => {
            let tally = tallies.get(&figure.of)?;
            let share = |part: u64, of: u64| (of > 0).then(|| part as f64 / of as f64);
            let seconds = found.map(|(_, seconds)| seconds).filter(|s| *s > 0.0);
            match what {
                OfStorage::Capacity => (tally.instances > 0).then_some(tally.bytes as f64),
                OfStorage::Requests => Some(tally.requests as f64),
                OfStorage::Iops => Some(tally.requests as f64 / seconds?),
                OfStorage::Busy => {
                    let each = tally.busy.as_s() / (tally.instances.max(1) as f64);
                    Some(100.0 * each / seconds?)
                }
                OfStorage::HitRate => share(tally.found, tally.looked_for).map(|s| 100.0 * s),
                OfStorage::WriteAmplification => share(tally.moved_pages, tally.host_pages).map(|s| 1.0 + s),
                OfStorage::Formula => {
                    let flash = flash_of(&point.storage, &figure.of)?;
                    match flash.collection {
                        Collection::Greedy => {
                            greedy_write_amplification(flash.over_provisioning, flash.pages)
                        }
                        Collection::Fifo => fifo_write_amplification(flash.over_provisioning),
                    }
                }
            }
        }
    }
}

/// From the begin of the first to the end of the last; `None` where one has not ended.
fn elapsed(processes: &[ProcessFound]) -> Option<f64> {
    let began = processes.iter().map(|p| p.began).min()?;
    let ends: Option<Vec<Picoseconds>> = processes.iter().map(|p| p.ended).collect();
    ends?.into_iter().max().map(|ended| (ended - began).as_s())
}

fn of_load(what: OfLoad, stream: &StreamResult) -> Option<f64> {
    let us = &stream.latency_us;
    match what {
        OfLoad::Iops => stream.iops,
        OfLoad::Mbps => stream.mbps,
        OfLoad::Mean => us.mean,
        OfLoad::P50 => us.p50,
        OfLoad::P90 => us.p90,
        OfLoad::P99 => us.p99,
        OfLoad::P999 => us.p999,
        OfLoad::Longest => us.max,
        OfLoad::Requests => stream.ios.map(|n| n as f64),
        OfLoad::Unserved => stream.unserved.map(|n| n as f64),
        OfLoad::Elapsed | OfLoad::Formula => None,
    }
}

/// The 95 % interval of a figure of a load, where its run tells one.
fn interval(figure: &Figure, ran: &[Ran], found: &Found) -> Option<(f64, f64)> {
    let Measure::Load(what) = figure.measure else { return None };
    let stream = &stream_of(figure, ran, found)?.result;
    let of = |name: &str| stream.latency_us.intervals.get(name).copied();
    let rate = stream.interval.map(|i| (i.iops_low, i.iops_high));
    match what {
        OfLoad::Iops => rate,
        OfLoad::Mbps => {
            let each = stream.mbps? / stream.iops.filter(|iops| *iops > 0.0)?;
            rate.map(|(low, high)| (low * each, high * each))
        }
        OfLoad::Mean => of("mean"),
        OfLoad::P50 => of("p50"),
        OfLoad::P90 => of("p90"),
        OfLoad::P99 => of("p99"),
        OfLoad::P999 => of("p999"),
        OfLoad::Longest | OfLoad::Requests | OfLoad::Unserved | OfLoad::Elapsed | OfLoad::Formula => None,
    }
}

/// What a commit takes by formula, where log writes go one at a time to a device that is given their mean and spread: those who come
/// while one is under way wait for its rest, and then for their own. How much of the time one is under way is that of the run.
/// Source: Kleinrock, "Queueing Systems", volume 1, 1975, 5.2, on residual life.
fn formula_of_commits(figure: &Figure, point: &Point, ran: &[Ran], found: &Found) -> Option<f64> {
    let load = point.loads.iter().find(|load| load.name == figure.of)?;
    let (mean_us, spread) = one_write(&point.storage, &load.on)?;
    let one = ran.iter().find(|r| r.name == figure.of)?;
    let writes = found.streams.get(one.streams.clone())?.iter().find(|s| s.result.operation == "write")?;
    let busy = (writes.result.iops? * mean_us / 1e6).min(1.0);
    Some(mean_us * (busy * (1.0 + spread.powi(2)) / 2.0 + 1.0))
}

/// Is it of a log whose writes the formula is of?
pub(super) fn has_formula_of_commits(figure: &Figure, loads: &[Load], storage: &[Storage]) -> bool {
    // What could not be read is told of already.
    let Some(load) = loads.iter().find(|load| load.name == figure.of) else { return true };
    let is_log = matches!(&load.what, LoadKind::Database(database) if database.is_log());
    is_log && (one_write(storage, &load.on).is_some() || storage.iter().all(|s| s.name != load.on))
}

/// Mean, microseconds, and spread over it of writes that go one at a time; `None` of other storage.
fn one_write(storage: &[Storage], on: &str) -> Option<(f64, f64)> {
    match &storage.iter().find(|s| s.name == on)?.what {
        What::Nvme { spec, .. } if spec.units == 1 => {
            let spread = match spec.write.spread {
                Spread::Constant => 0.0,
                Spread::Exponential => 1.0,
                Spread::LogNormal { variation } => variation,
            };
            Some((spec.write.latency.as_us(), spread))
        }
        _ => None,
    }
}
