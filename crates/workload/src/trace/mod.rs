//! A recorded trace of requests, which a stream replays: what is chosen of it, and what the file holds.
//!
//! Five formats are read, told apart by what stands in the file: fio's iolog of version 2 and 3, the default
//! text of blkparse, SPC, and the csv of MSR Cambridge. A trace is read as a stream and never held: memory
//! stays the same however long it is.

mod blkparse;
mod fio;
mod lines;
mod msr;
mod placement;
mod reader;
mod spc;
mod survey;
#[cfg(test)]
mod tests;

pub use placement::{Placed, Placement};
pub use reader::{TraceReader, Traced};
pub use survey::survey;

use crate::job::{Size, Stream};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A trace that a stream replays.
///
/// Shape: one a stream. Missing: `sha256` is `None` where a job does not ask for a certain trace, `found`
/// until the file was read. Source: keys of a job file or options of a command, and the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The file as named.
    pub file: String,
    /// What it must hold, or the run is refused: its SHA-256, in hexadecimal digits.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Which of its sources go where.
    #[serde(default)]
    pub sources: Sources,
    /// What is done about addresses beyond the end.
    #[serde(default)]
    pub beyond: Beyond,
    /// Writes are left out.
    #[serde(default)]
    pub reads_only: bool,
    /// Bytes of a logical block where the trace counts in them and does not say it (SPC).
    #[serde(default = "usual_block")]
    pub block_bytes: u32,
    /// What the file holds.
    #[serde(default)]
    pub found: Option<TraceFound>,
}

/// Bytes of a logical block in the SPC traces that are public.
pub const USUAL_BLOCK: u32 = 512;

fn usual_block() -> u32 {
    USUAL_BLOCK
}

/// Which sources of a trace (files, disks, application storage units) go where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sources {
    /// Each on the target of its number, in the order of their names; the only one on every target.
    #[default]
    Each,
    /// One behind the other, on every target.
    Joined,
    /// This one, on every target.
    One(String),
}

/// What is done about addresses beyond the end of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// Nothing is run.
    #[default]
    Refuse,
    /// They begin again at its beginning.
    Wrap,
    /// All addresses are brought closer together, so that the last one lies at its end.
    Scale,
}

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum TraceFormat {
    FioIolog2,
    FioIolog3,
    Blkparse,
    Spc,
    MsrCambridge,
}

impl TraceFormat {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FioIolog2 => "fio iolog version 2",
            Self::FioIolog3 => "fio iolog version 3",
            Self::Blkparse => "blkparse text",
            Self::Spc => "SPC",
            Self::MsrCambridge => "MSR Cambridge csv",
        }
    }
}

/// What a trace holds.
///
/// Shape: one a file. Unit: in the names. Missing: `seconds` is `None` where the trace has no times, `event`
/// where its format has none. Source: the whole file, read once before the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceFound {
    /// Format, by what stands in it.
    pub format: TraceFormat,
    /// The event of blkparse that is a request here: `Q`, or `D` where no `Q` is traced.
    #[serde(default)]
    pub event: Option<char>,
    /// Of the file, in hexadecimal digits.
    pub sha256: String,
    /// Of the file.
    pub file_bytes: u64,
    /// Of the file.
    pub lines: u64,
    /// Requests that are to be replayed.
    pub reads: u64,
    /// Likewise.
    pub writes: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// The largest of them, bytes.
    pub largest_bytes: u32,
    /// When the first of them was made, nanoseconds as the trace counts.
    pub first_ns: u64,
    /// From the first to the last.
    pub seconds: Option<f64>,
    /// Requests that stand so far behind later ones that they are replayed late.
    pub out_of_order: u64,
    /// Files, disks, application storage units, in the order of their names.
    pub sources: Vec<TraceSource>,
    /// Lines that were not understood and are left out.
    pub damaged: u64,
    /// The first of them.
    pub damaged_lines: Vec<DamagedLine>,
    /// What was understood and is not replayed, with how many.
    pub left_out: BTreeMap<String, u64>,
}

/// One of the files, disks or units of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSource {
    /// As the trace calls it.
    pub name: String,
    /// Requests of it.
    pub requests: u64,
    /// The first byte behind all of them.
    pub end_bytes: u64,
    /// Line of the request that reaches so far, the first of several; 0 where it was not kept.
    #[serde(default)]
    pub end_line: u64,
}

/// A line that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamagedLine {
    /// From 1.
    pub line: u64,
    /// In words.
    pub why: String,
}

impl Trace {
    /// A trace that is named and not read yet.
    #[must_use]
    pub fn of(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            sha256: None,
            sources: Sources::Each,
            beyond: Beyond::Refuse,
            reads_only: false,
            block_bytes: USUAL_BLOCK,
            found: None,
        }
    }

    /// What is replayed of it, in sentences for who reads the result; `targets` are named as given.
    #[must_use]
    pub fn told(&self, targets: &[String]) -> Vec<String> {
        let Some(found) = &self.found else { return Vec::new() };
        let file = &self.file;
        let mut told = Vec::new();
        if found.damaged > 0 {
            let named: Vec<String> =
                found.damaged_lines.iter().map(|d| format!("line {}: {}", d.line, d.why)).collect();
            told.push(format!(
                "`{file}`: {} of {} lines are damaged and left out; {}{}",
                found.damaged,
                found.lines,
                named.join("; "),
                if found.damaged > named.len() as u64 { "; and more" } else { "" }
            ));
        }
        if !found.left_out.is_empty() {
            let parts: Vec<String> = found.left_out.iter().map(|(what, n)| format!("{n} {what}")).collect();
            told.push(format!("`{file}`: not replayed: {}", parts.join(", ")));
        }
        if found.out_of_order > 0 {
            told.push(format!(
                "`{file}`: {} requests stand far behind later ones and were replayed with those",
                found.out_of_order
            ));
        }
        if found.event == Some('D') {
            told.push(format!(
                "`{file}` holds no queued requests (Q): those that were issued to the device (D) were replayed, after \
                 merging and at the times of their issue"
            ));
        }
        match &self.sources {
            Sources::Each if found.sources.len() > 1 => {
                let pairs: Vec<String> = found
                    .sources
                    .iter()
                    .zip(targets)
                    .map(|(source, target)| format!("`{}` on `{target}`", source.name))
                    .collect();
                told.push(format!("`{file}`: replayed {}", pairs.join(", ")));
            }
            Sources::Joined if found.sources.len() > 1 => told.push(format!(
                "`{file}`: its {} sources were laid one behind the other",
                found.sources.len()
            )),
            Sources::One(name) if found.sources.len() > 1 => told.push(format!(
                "`{file}`: of its {} sources `{name}` alone was replayed",
                found.sources.len()
            )),
            _ => {}
        }
        told
    }

    /// Is it known now that its sources go nowhere on so many targets? Why, in a sentence.
    #[must_use]
    pub fn objection(&self, targets: usize) -> Option<String> {
        let found = self.found.as_ref()?;
        let names = || {
            let shown: Vec<String> = found.sources.iter().take(10).map(|s| format!("`{}`", s.name)).collect();
            let more = if found.sources.len() > shown.len() { ", …" } else { "" };
            format!("{}{more}", shown.join(", "))
        };
        match &self.sources {
            Sources::Each if found.sources.len() > 1 && found.sources.len() != targets => Some(format!(
                "the trace `{}` has {} sources ({}) and is to run on {targets} {}: name as many, choose one (source = \
                 \"NAME\"), or lay them one behind the other (source = \"joined\")",
                self.file,
                found.sources.len(),
                names(),
                if targets == 1 { "target" } else { "targets" }
            )),
            Sources::One(name) if !found.sources.iter().any(|s| s.name == *name) => Some(format!(
                "the trace `{}` has no source `{name}` that is replayed; it has {}",
                self.file,
                names()
            )),
            _ => None,
        }
    }
}

impl Stream {
    /// Takes in what the file of its trace holds: shares and sizes are those of the trace.
    ///
    /// # Errors
    /// A sentence, where the trace is not the one that was asked for, or has no times and is to be replayed by them.
    pub fn take_in(&mut self, found: TraceFound) -> Result<(), String> {
        let Some(trace) = &mut self.trace else { return Ok(()) };
        if let Some(asked) = &trace.sha256
            && !asked.eq_ignore_ascii_case(&found.sha256)
        {
            return Err(format!(
                "the trace `{}` is another one than was asked for: its SHA-256 is {}, and the job has {asked}",
                trace.file, found.sha256
            ));
        }
        if found.seconds.is_none() && self.arrivals.due_by_trace() {
            return Err(format!(
                "the trace `{}` has no times ({} without `wait`): replay it at a depth (depth = 8)",
                trace.file,
                found.format.name()
            ));
        }
        let all = (found.reads + found.writes).max(1) as f64;
        self.read_pct = 100.0 * found.reads as f64 / all;
        self.sizes = vec![Size { bytes: found.largest_bytes, weight: 1.0 }];
        trace.sha256 = Some(found.sha256.clone());
        trace.found = Some(found);
        Ok(())
    }
}
