//! Traces that a job replays: read before anything is opened that is measured.

use super::sweep::number;
use spindle_workload::{Arrivals, Job, Stream, survey};
use std::fs::File;
use std::io;

/// Opens the file of a trace.
///
/// # Errors
/// Where it cannot be opened, or is a pipe: it is read more than once, and a pipe would be waited for or be empty.
pub(crate) fn open_trace(name: &str) -> io::Result<File> {
    if name == "-" || !std::fs::metadata(name).map(|meta| meta.is_file() || meta.is_dir())? {
        return Err(io::Error::other(
            "it is no file, and a trace is read more than once: write it to one first",
        ));
    }
    File::open(name)
}

/// Reads the traces of a job, and takes in what they hold. `targets` are run on; `new_bytes` is the size of
/// those that are made first, where it is known.
///
/// # Errors
/// A sentence that names the trace, where it cannot be replayed.
pub fn read_traces(job: &mut Job, targets: usize, new_bytes: Option<u64>) -> Result<(), String> {
    for stream in &mut job.streams {
        let Some(trace) = &stream.trace else { continue };
        let found = survey(trace, || open_trace(&trace.file))?;
        stream.take_in(found)?;
        let Some(trace) = &stream.trace else { continue };
        if let Some(objection) = trace.objection(targets) {
            return Err(objection);
        }
        // What does not fit is known before a new file is written.
        if let Some(bytes) = new_bytes {
            let region = stream.region.on(bytes, 1)?;
            for target in 0..targets {
                trace.placement(target, targets, region.clone(), 1)?;
            }
        }
    }
    Ok(())
}

/// What was replayed, in a sentence; `None` of a stream that replays nothing.
pub(super) fn replayed(stream: &Stream) -> Option<String> {
    let trace = stream.trace.as_ref()?;
    let found = trace.found.as_ref()?;
    let how = match stream.arrivals {
        Arrivals::Replay { speed: 1.0 } => "at its own times".to_owned(),
        Arrivals::Replay { speed } => format!("at {} times its speed", number(speed)),
        Arrivals::Closed { depth, .. } => {
            format!("{} under way, whatever its times", number(f64::from(depth)))
        }
        _ => return None,
    };
    let took = found.seconds.map_or_else(String::new, |s| format!(" in {} s", number(s)));
    let kinds = if trace.reads_only {
        format!("{} reads{took}; its writes were left out", number(found.reads as f64))
    } else {
        format!("{} reads and {} writes{took}", number(found.reads as f64), number(found.writes as f64))
    };
    Some(format!("The trace `{}` ({}: {kinds}) was replayed {how}.", trace.file, found.format.name()))
}
