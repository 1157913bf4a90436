//! `spindle simulate --validate`: modelled disks held against a folder of measured drives.
//!
//! A drive is `NAME.diskspecs`, with the model and seek curve that it names, and `NAME.trace.gz` or
//! `NAME.trace`; in the folder or in its `drives`. What those files leave out, the time of a block on the bus of
//! some drives, is taken from the order, from `NAME.parv`, or from a sentence in the folder's Markdown (`NAME
//! 0.1 read / 0.2 write` or `NAME 0.1 both`, in a line about bus times), and is told. DiskSim's own figures come
//! from a table there, with a column `drive` and one whose heading holds `rms`.

use crate::json;
use serde::Serialize;
use spindle_io_simulate::disksim::{BusTimes, Opened, read_drive, read_measured_trace, validate};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a parameter file or description that are read.
const LARGEST_FILE: u64 = 16_000_000;
/// Bytes of a trace, unpacked.
const LARGEST_TRACE: u64 = 1_000_000_000;

/// What is validated.
#[derive(Clone, Debug)]
pub struct ValidationOrder {
    /// The folder of the drives.
    pub folder: PathBuf,
    /// Time of a block on a drive's bus, to and from the host, milliseconds.
    pub bus_times_ms: Vec<(String, f64, f64)>,
}

/// A drive and how far its model lies from it, a row of the document of `spindle simulate --validate --json`.
///
/// Shape: one a drive, by name. Unit: milliseconds, over all requests of the trace. Missing: `None` where the
/// folder does not state DiskSim's figure, where no bus time was given, or where the measured mean is 0.
/// Source: the drive's files; `bus_given_by` names where the bus times stand that they leave out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ValidatedDrive {
    pub drive: String,
    pub requests: u64,
    pub measured_mean_ms: f64,
    pub simulated_mean_ms: f64,
    pub rms_ms: f64,
    pub rms_of_mean_pct: Option<f64>,
    pub disksim_rms_ms: Option<f64>,
    pub bus_read_ms: Option<f64>,
    pub bus_write_ms: Option<f64>,
    pub bus_given_by: Option<String>,
    pub notes: Vec<String>,
}

/// A drive that was not validated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct UnreadDrive {
    pub drive: String,
    pub reason: String,
}

/// The document of `spindle simulate --validate --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ValidationDocument {
    pub drives: Vec<ValidatedDrive>,
    pub unread: Vec<UnreadDrive>,
}

/// Validates every drive of a folder, on all cores.
///
/// # Errors
/// In a sentence, where the folder cannot be read or holds no drive.
pub fn validate_drives(order: &ValidationOrder) -> Result<ValidationDocument, String> {
    let shown = order.folder.display();
    let mut found = files(&order.folder).map_err(|e| format!("`{shown}` was not read: {e}"))?;
    let inner = order.folder.join("drives");
    let mut described: BTreeSet<PathBuf> = markdown(&order.folder);
    if inner.is_dir() {
        found.extend(files(&inner).map_err(|e| format!("`{}` was not read: {e}", inner.display()))?);
        described.extend(markdown(&inner));
    } else if order.folder.file_name().is_some_and(|name| name == "drives") {
        described.extend(order.folder.parent().map(markdown).unwrap_or_default());
    }
    let names: BTreeSet<(String, PathBuf)> = found
        .iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            let endings = [".diskspecs", ".trace.gz", ".trace"];
            let name = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
            Some((name.to_owned(), path.parent()?.to_owned()))
        })
        .collect();
    if names.is_empty() {
        return Err(format!("`{shown}` holds no drive: a NAME.diskspecs and its NAME.trace.gz"));
    }
    for (drive, _, _) in &order.bus_times_ms {
        if !names.iter().any(|(name, _)| name == drive) {
            return Err(format!("a bus time is given for `{drive}`, which is no drive of `{shown}`"));
        }
    }
    let descriptions: Vec<(String, String)> =
        described.iter().filter_map(|path| Some((file_name(path), text(path, LARGEST_FILE).ok()?))).collect();
    let names: Vec<_> = names.into_iter().collect();
    let next = AtomicUsize::new(0);
    let one_after_the_other = || {
        let mut done = Vec::new();
        while let Some((name, folder)) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((name.clone(), drive(name, folder, order, &descriptions)));
        }
        done
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(names.len());
    let mut done = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..cores).map(|_| scope.spawn(one_after_the_other)).collect();
        let mut done = one_after_the_other();
        for thread in threads {
            match thread.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by(|one, other| one.0.cmp(&other.0));
    let mut document = ValidationDocument { drives: Vec::new(), unread: Vec::new() };
    for (name, result) in done {
        match result {
            Ok(drive) => document.drives.push(drive),
            Err(reason) => document.unread.push(UnreadDrive { drive: name, reason }),
        }
    }
    Ok(document)
}

/// Writes the document and a line end.
///
/// # Errors
/// Where it cannot be written.
pub fn write_validation(mut writer: impl Write, document: &ValidationDocument) -> io::Result<()> {
    json::write(&mut writer, document)?;
    writer.write_all(b"\n")
}

fn drive(
    name: &str,
    folder: &Path,
    order: &ValidationOrder,
    descriptions: &[(String, String)],
) -> Result<ValidatedDrive, String> {
    let here = |file: &str| folder.join(file);
    let specs = format!("{name}.diskspecs");
    let specs_text = text(&here(&specs), LARGEST_FILE).map_err(|e| format!("`{specs}` was not read: {e}"))?;
    let traces = [format!("{name}.trace.gz"), format!("{name}.trace")];
    let Some(trace) = traces.iter().find(|trace| here(trace).is_file()) else {
        return Err(format!("there is no `{}` and no `{}`", traces[0], traces[1]));
    };
    let trace_text = text(&here(trace), LARGEST_TRACE).map_err(|e| format!("`{trace}` was not read: {e}"))?;
    let given = given_bus(name, folder, order, descriptions);
    let bus = given.as_ref().map_or(BusTimes::default(), |(bus, _)| *bus);
    // A file is named as it was called where it comes from; it lies beside the one that names it.
    let open = |file: &str| {
        let file = Path::new(file).file_name()?.to_str()?;
        let ending = Path::new(file).extension()?.to_str()?;
        let names = [file.to_owned(), file.replace("_validate", ""), format!("{name}.{ending}")];
        names.into_iter().find_map(|file| {
            let text = text(&here(&file), LARGEST_FILE).ok()?;
            Some(Opened { file, text })
        })
    };
    let drive = read_drive(&specs, &specs_text, &open, bus).map_err(|fault| fault.to_string())?;
    let requests = read_measured_trace(trace, &trace_text).map_err(|fault| fault.to_string())?;
    let found = validate(&drive.spec, &requests).map_err(|fault| format!("`{trace}`: {fault}"))?;
    let mut notes = drive.notes;
    if given.is_none() && !drive.bus_time_given {
        notes.push(format!("no file gives {name} a time of a block on its bus; it is taken as none"));
    }
    Ok(ValidatedDrive {
        drive: name.to_owned(),
        requests: requests.len() as u64,
        measured_mean_ms: found.measured_mean_ms,
        simulated_mean_ms: found.simulated_mean_ms,
        rms_ms: found.rms_ms,
        rms_of_mean_pct: found.rms_of_mean_pct(),
        disksim_rms_ms: descriptions.iter().find_map(|(_, text)| stated_rms(text, name)),
        bus_read_ms: given.as_ref().map(|(bus, _)| bus.read_ms),
        bus_write_ms: given.as_ref().map(|(bus, _)| bus.write_ms),
        bus_given_by: given.map(|(_, by)| by),
        notes,
    })
}

/// Bus times that the drive's own files leave out, and where they stand.
fn given_bus(
    name: &str,
    folder: &Path,
    order: &ValidationOrder,
    descriptions: &[(String, String)],
) -> Option<(BusTimes, String)> {
    if let Some((_, read_ms, write_ms)) = order.bus_times_ms.iter().find(|(drive, _, _)| drive == name) {
        return Some((BusTimes { read_ms: *read_ms, write_ms: *write_ms }, "--bus-time".to_owned()));
    }
    let parameters = format!("{name}.parv");
    let set_up = text(&folder.join(&parameters), LARGEST_FILE).ok();
    if let Some(bus) = set_up.and_then(|text| set_up_bus(&text)) {
        return Some((bus, parameters));
    }
    descriptions.iter().find_map(|(file, text)| Some((stated_bus(text, name)?, file.clone())))
}

/// The slowest bus of a set-up, where it is not without time.
fn set_up_bus(text: &str) -> Option<BusTimes> {
    let slowest = |key: &str| {
        let values = text.lines().filter_map(|line| {
            let (name, value) = line.split('#').next()?.split_once('=')?;
            (name.trim() == key).then(|| time(value.trim().trim_end_matches(',')))?
        });
        values.fold(0.0, f64::max)
    };
    let bus = BusTimes {
        read_ms: slowest("Read block transfer time"),
        write_ms: slowest("Write block transfer time"),
    };
    (bus.read_ms > 0.0 || bus.write_ms > 0.0).then_some(bus)
}

/// Milliseconds a block, as no bus is slower.
fn time(text: &str) -> Option<f64> {
    text.parse().ok().filter(|ms| (0.0..=100.0).contains(ms))
}

/// `NAME 0.1 read / 0.2 write`, `NAME: 0.1 / 0.2` or `NAME 0.1 both`, in a line about bus times. Nothing else is
/// taken for a time: lines about something else name drives and numbers, too.
fn stated_bus(text: &str, name: &str) -> Option<BusTimes> {
    let about_bus = text.lines().filter(|line| line.to_lowercase().contains("bus time"));
    for line in about_bus {
        let bare =
            |word: &str| word.trim_matches(|c: char| "`,;:()*|".contains(c)).trim_end_matches('.').to_owned();
        let words: Vec<String> = line.split_whitespace().map(bare).collect();
        for at in words.iter().enumerate().filter(|(_, word)| *word == name).map(|(at, _)| at) {
            let word = |more: usize| words.get(at + more).map(String::as_str);
            let times = |read: Option<&str>, write: Option<&str>| {
                Some(BusTimes { read_ms: time(read?)?, write_ms: time(write?)? })
            };
            let stated = match (word(2), word(3), word(5)) {
                (Some("both"), _, _) => times(word(1), word(1)),
                (Some("/"), _, _) => times(word(1), word(3)),
                (Some("read"), Some("/" | "and"), Some("write")) => times(word(1), word(4)),
                _ => None,
            };
            if stated.is_some() {
                return stated;
            }
        }
    }
    None
}

/// What a table of the description states as rms, in milliseconds.
fn stated_rms(text: &str, name: &str) -> Option<f64> {
    let mut column = None;
    for line in text.lines() {
        let cells: Vec<&str> = match line.trim().strip_prefix('|') {
            Some(row) => row.trim_end_matches('|').split('|').map(str::trim).collect(),
            None => {
                column = None;
                continue;
            }
        };
        if cells.first().is_some_and(|cell| cell.eq_ignore_ascii_case("drive")) {
            column = cells.iter().position(|cell| cell.to_lowercase().contains("rms"));
        }
        let Some(at) = column else { continue };
        if cells.first().and_then(|cell| cell.split_whitespace().next()) == Some(name) {
            return cells.get(at)?.split_whitespace().next()?.parse().ok();
        }
    }
    None
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Files of a folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    Ok(found)
}

fn markdown(folder: &Path) -> BTreeSet<PathBuf> {
    let ends = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("md"));
    files(folder).unwrap_or_default().into_iter().filter(ends).collect()
}

/// The text of a file, unpacked where it is packed, up to so many bytes.
fn text(path: &Path, largest: u64) -> io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    match path.extension().is_some_and(|ending| ending == "gz") {
        true => flate2::read::MultiGzDecoder::new(file).take(largest + 1).read_to_end(&mut bytes)?,
        false => file.take(largest + 1).read_to_end(&mut bytes)?,
    };
    if bytes.len() as u64 > largest {
        return Err(io::Error::other(format!("it holds more than {} MB", largest / 1_000_000)));
    }
    // Comments of old files are in any encoding; what is read of them is not.
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_states_the_rms_of_a_drive() {
        let text = "| drive | share |\n|---|---|\n| one | 9 |\n\n\
                    | drive | requests | mean ms | DiskSim's rms ms (of mean) |\n|---|---|---|---|\n\
                    | one (a maker's) | 10,000 | 6.2 | 0.378 (6.0 %) |\n| two | 1 | 1.0 | - |\n";
        assert_eq!(stated_rms(text, "one"), Some(0.378));
        assert_eq!(stated_rms(text, "two"), None);
        assert_eq!(stated_rms(text, "three"), None);
    }

    #[test]
    fn a_line_about_the_bus_states_times() {
        let text = "one 9.9 both\nThe bus time x 1.1 moves one 10 and two by 0.1.\nBus times: one 0.1 read / 0.25 write, `two` 0.5 both, three: 0.2 / 0.3. Others none.\n";
        assert_eq!(stated_bus(text, "one"), Some(BusTimes { read_ms: 0.1, write_ms: 0.25 }));
        assert_eq!(stated_bus(text, "two"), Some(BusTimes { read_ms: 0.5, write_ms: 0.5 }));
        assert_eq!(stated_bus(text, "three"), Some(BusTimes { read_ms: 0.2, write_ms: 0.3 }));
        assert_eq!(stated_bus(text, "Others"), None);
    }

    #[test]
    fn of_several_buses_the_slowest_counts() {
        let text = "disksim_bus A {\n Read block transfer time = 0.000000,\n Write block transfer time = 0.0\n}\n\
                    disksim_bus B {\n Read block transfer time = 0.1701,\n Write block transfer time = 0.2 # ms\n}\n";
        assert_eq!(set_up_bus(text), Some(BusTimes { read_ms: 0.1701, write_ms: 0.2 }));
        assert_eq!(set_up_bus("disksim_bus A {\n Read block transfer time = 0.0,\n}\n"), None);
    }
}
