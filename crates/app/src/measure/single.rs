//! Forms of one run: a job file, and the reader program.

use super::supervise::Runner;
use super::sweep::{add, begin, failures, ms, number, sum};
use super::traces;
use spindle_workload::{
    Arrivals, End, Extent, Flush, Form, Job, JobFile, Measured, Parameters, Pattern, ReadersTime, Region,
    Size, Stream, StreamResult,
};

/// Runs the job of a file.
///
/// # Errors
/// In a sentence, where it cannot be run.
pub fn run_job(runner: &mut dyn Runner, file: &JobFile) -> Result<Measured, String> {
    let mut measured = begin(Form::Run);
    add(&mut measured, runner, Parameters::default(), &file.job)?;
    let targets: Vec<String> = measured
        .points
        .iter()
        .flat_map(|p| p.result.environment.devices.iter().map(|d| d.path.clone()))
        .collect();
    for trace in file.job.streams.iter().filter_map(|s| s.trace.as_ref()) {
        measured.warnings.extend(trace.told(&targets));
    }
    if let Some(point) = measured.points.first() {
        let all = sum(&point.result, |_| true);
        let took = all.mean_us.map_or_else(String::new, |us| format!(", {} a request on average", ms(us)));
        measured.verdict =
            format!("{} requests a second, {} MB/s{took}.", number(all.iops), number(all.mbps));
    }
    for stream in &file.job.streams {
        measured.verdict.extend(traces::replayed(stream).map(|told| format!(" {told}")));
    }
    let mut told = failures(&measured.points);
    let streams = || measured.points.iter().flat_map(|p| &p.result.streams);
    let unserved: u64 = streams().filter_map(StreamResult::piled_up).sum();
    if unserved > 0 {
        told.push_str(&format!(
            " The storage did not keep up: {} requests had arrived and were not answered by the end.",
            number(unserved as f64)
        ));
    }
    measured.verdict.push_str(&told);
    Ok(measured)
}

/// The reader program of the short-stroke experiment: its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOrder {
    /// At random places, or one after the other.
    pub random: bool,
    /// Bytes a read.
    pub size: u32,
    /// Read-size blocks in the range, from `from` on; all of the file where none are given.
    pub boundary: Option<u64>,
    /// Where the range begins, bytes.
    pub from: u64,
    /// Reads of each file.
    pub count: u64,
    /// Seed.
    pub seed: u64,
}

/// Reads each file, all at once, one request at a time each.
///
/// # Errors
/// In a sentence, where it cannot be done.
pub fn read_files(runner: &mut dyn Runner, order: &ReadOrder) -> Result<Measured, String> {
    let length = match order.boundary {
        None => None,
        Some(blocks) => Some(Extent::Bytes(
            blocks
                .checked_mul(u64::from(order.size))
                .ok_or("so many blocks of that size reach beyond any device: give a smaller boundary")?,
        )),
    };
    let stream = Stream {
        name: "reads".to_owned(),
        read_pct: 100.0,
        pattern: if order.random { Pattern::Random } else { Pattern::Sequential },
        sizes: vec![Size { bytes: order.size, weight: 1.0 }],
        region: Region { from: Extent::Bytes(order.from), length },
        arrivals: Arrivals::Closed { depth: 1, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    let job = Job {
        name: "read".to_owned(),
        seed: order.seed,
        streams: vec![stream],
        end: End { ios: Some(order.count), ..End::default() },
        warm_up_s: None,
    };
    let mut measured = begin(Form::Read);
    add(&mut measured, runner, Parameters::default(), &job)?;
    let Some(point) = measured.points.first() else { return Ok(measured) };
    let time = ReadersTime::of(&point.result);
    let how = if order.random { "random" } else { "serial" };
    let size = number(f64::from(order.size));
    let reads = number(time.reads.unwrap_or(0) as f64);
    let noun = if time.reads == Some(1) { "read" } else { "reads" };
    measured.verdict = match (time.reads, time.per_read_us().zip(time.seconds)) {
        (Some(0), _) => "Nothing was read.".to_owned(),
        (None, _) | (_, None) => "How long the reads took is not known of every reader.".to_owned(),
        (_, Some((us, seconds))) if time.readers == 1 => {
            format!("{reads} {how} {noun} of {size} bytes took {} s: {} a read.", number(seconds), ms(us))
        }
        (_, Some((us, _))) => format!(
            "{reads} {how} reads of {size} bytes by {} readers at once: {} a read on average over all.",
            time.readers,
            ms(us)
        ),
    };
    Ok(measured)
}
