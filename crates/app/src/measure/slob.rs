//! `slob`: SLOB's load on a file of our own, told as an AWR tells it.

use super::supervise::Runner;
use super::sweep::{begin, failures, finish, ms, number};
use spindle_workload::{
    Figure, Form, Measured, Parameters, RunResult, Slob, SlobEvent, SlobFound, StreamResult, Times,
};

/// The log behind the data, where nothing else is said: an eighth of the file, at most this.
const LOG_BYTES: u64 = 1 << 30;
/// And at least this.
const LEAST_LOG_BYTES: u64 = 2 << 20;

/// What is asked: SLOB's parameters, of which sizes may follow from the file.
#[derive(Clone, Debug, PartialEq)]
pub struct SlobOrder {
    /// All but what follows from the file: 0 for its sizes.
    pub slob: Slob,
    /// `SCALE`: bytes of data; all but the log where none is given.
    pub scale_bytes: Option<u64>,
}

/// Runs the load.
///
/// # Errors
/// In a sentence, where it cannot be run.
pub fn slob(runner: &mut dyn Runner, order: &SlobOrder) -> Result<Measured, String> {
    let [bytes] = *runner.bytes() else {
        return Err("SLOB's data lie in one file or device".to_owned());
    };
    let block = u64::from(order.slob.block_bytes.max(1));
    let log_bytes = if order.slob.update_pct > 0.0 {
        (bytes / 8).clamp(LEAST_LOG_BYTES, LOG_BYTES) / block * block
    } else {
        0
    };
    let room = bytes.saturating_sub(log_bytes) / block * block;
    let scale_bytes = order.scale_bytes.map_or(room, |scale| scale / block * block);
    if scale_bytes > room {
        return Err(format!(
            "data of {scale_bytes} bytes and a log of {log_bytes} do not fit into {bytes} bytes: make the file larger, or \
             --scale smaller"
        ));
    }
    let load = Slob { scale_bytes, log_bytes, ..order.slob };
    let mut measured = begin(Form::Slob);
    let parameters = Parameters { threads: Some(load.threads), ..Parameters::default() };
    let ran = runner.slob(&load);
    finish(&mut measured, parameters, ran)?;
    if let Some(point) = measured.points.first() {
        let found = conclude(&point.result, load);
        measured.verdict = verdict(&found) + &failures(&measured.points);
        measured.slob = Some(found);
    }
    Ok(measured)
}

fn conclude(result: &RunResult, load: Slob) -> SlobFound {
    let named = |name: &str| result.streams.iter().find(|s| s.name == name);
    let rate = |stream: Option<&StreamResult>| stream.and_then(Figure::rate);
    let event = |name: &str| {
        let stream = named(name).filter(|s| s.ios > Some(0))?;
        Some(SlobEvent {
            event: name.to_owned(),
            waits: stream.ios?,
            time_s: stream.latency_us.mean? * stream.ios? as f64 / 1e6,
            waits_per_s: Figure::rate(stream),
            wait_us: Times::of(stream),
        })
    };
    let (reads, writes) = (named("db file sequential read"), named("db file parallel write"));
    SlobFound {
        load,
        physical_reads_per_s: rate(reads),
        physical_writes_per_s: rate(writes),
        redo_bytes_per_s: named("log file sync").and_then(Figure::mbps).map(|f| f.times(1e6)),
        redo_writes_per_s: rate(named("log file parallel write")),
        transactions_per_s: rate(named("log file sync")),
        statements_per_s: rate(named("SQL statements")),
        events: [
            "db file sequential read",
            "log file sync",
            "free buffer waits",
            "log file parallel write",
            "db file parallel write",
        ]
        .into_iter()
        .filter_map(event)
        .collect(),
    }
}

fn verdict(found: &SlobFound) -> String {
    let event = |name: &str| found.events.iter().find(|e| e.event == name);
    let mean =
        |name: &str| event(name).and_then(|e| e.wait_us.mean).map_or_else(|| "-".to_owned(), |f| ms(f.value));
    let Some(reads) = found.physical_reads_per_s else { return "No block was read.".to_owned() };
    let mut text = format!(
        "{} threads read {} blocks a second, {} each (db file sequential read)",
        found.load.threads,
        number(reads.value),
        mean("db file sequential read")
    );
    match found.physical_writes_per_s {
        Some(writes) => {
            text += &format!(
                ", and {} are written; a write of the log takes {}, a commit {}.",
                number(writes.value),
                mean("log file parallel write"),
                mean("log file sync")
            );
        }
        None => text.push('.'),
    }
    if let Some(waits) = event("free buffer waits") {
        text += &format!(
            " Changed blocks were not written as fast as they came: sessions waited {} times for room.",
            number(waits.waits as f64)
        );
    }
    text
}
