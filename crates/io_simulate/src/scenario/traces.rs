//! Traces that loads of a scenario replay: opened by whoever has files, and read through once for all points that replay them.

use crate::loads::TraceInput;
use spindle_workload::{Trace, TraceFound, survey};
use std::io::{self, BufReader, Read};
use std::sync::Mutex;

/// What opens a file by its name as it stands in the scenario.
type Open = dyn Fn(&str) -> io::Result<Box<dyn Read>> + Send + Sync;

/// The traces of a scenario.
///
/// Shape: one a scenario. Missing: without any, loads that replay one are refused. Source: files that the scenario names. Nothing
/// of a trace is held in memory but what it comes to: each point reads it anew, as far as it is replayed.
pub struct Traces {
    open: Box<Open>,
    /// What those that were read hold, by what is chosen of them.
    known: Mutex<Vec<(Trace, Result<TraceFound, String>)>>,
}

impl std::fmt::Debug for Traces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Traces")
    }
}

impl Traces {
    /// Traces that are opened so.
    #[must_use]
    pub fn new(open: impl Fn(&str) -> io::Result<Box<dyn Read>> + Send + Sync + 'static) -> Self {
        Self { open: Box::new(open), known: Mutex::default() }
    }

    /// No files are at hand.
    #[must_use]
    pub fn none() -> Self {
        Self::new(|_| Err(io::Error::other("no files are read here")))
    }

    /// What a trace holds; it is read once.
    pub(super) fn found(&self, trace: &Trace) -> Result<TraceFound, String> {
        // What is done about addresses beyond the end, and which trace was asked for, change nothing of what it holds.
        let alike = |other: &Trace| {
            (&other.file, &other.sources, other.reads_only, other.block_bytes)
                == (&trace.file, &trace.sources, trace.reads_only, trace.block_bytes)
        };
        // Points that need it wait for the one that reads it.
        let mut known =
            self.known.lock().map_err(|_| "a fault in the program: a trace was lost".to_owned())?;
        if let Some((_, found)) = known.iter().find(|(other, _)| alike(other)) {
            return found.clone();
        }
        let found = survey(trace, || (self.open)(&trace.file));
        known.push((trace.clone(), found.clone()));
        found
    }

    /// The text of a trace, from its beginning.
    pub(super) fn text(&self, trace: &Trace) -> Result<TraceInput, String> {
        let unread = |error: io::Error| format!("the trace `{}` was not read: {error}", trace.file);
        Ok(Box::new(BufReader::with_capacity(64 << 10, (self.open)(&trace.file).map_err(unread)?)))
    }
}
