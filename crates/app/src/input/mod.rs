//! Opening inputs: paths, folders, patterns, archives and standard input become reports, read on
//! several threads and delivered in order, one bad input never stopping the others.

mod find;
mod glob;
mod in_order;
mod tar;
mod unpack;

use crate::Request;
use find::Place;
use serde::Serialize;
use spindle_facts::{Note, Report, SectionStatus};
use std::fs::File;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An input, or a part of one, that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unread {
    /// File (and member, as `file!member`).
    pub source: String,
    /// Why, and what to do.
    pub reason: String,
}

impl Unread {
    /// What a reader is told: of what broke off a part was read.
    #[must_use]
    pub fn said(&self) -> String {
        if let Some(doubt) = self.reason.strip_prefix(DOUBT) {
            return format!("{doubt}.");
        }
        let how = match &self.reason {
            reason if reason.starts_with("it breaks off") => "was not read to its end",
            reason if reason.starts_with(ROWS_LOST) => "was read in part",
            _ => "was not read",
        };
        format!("`{}` {how}: {}.", self.source, self.reason.trim_end_matches('.'))
    }
}

/// How the reason begins where a result was read with a doubt.
const DOUBT: &str = "in doubt: ";

impl Unread {
    /// Was it read, with a doubt?
    #[must_use]
    pub fn is_doubt(&self) -> bool {
        self.reason.starts_with(DOUBT)
    }
}

/// What was left out or doubted of a result of another tool, one a note; `remarks` are none.
pub(crate) fn doubted(report: &Report, remarks: &[usize]) -> Vec<Unread> {
    let source = &report.identity.source;
    let notes = report.notes.iter().enumerate().filter(|(n, _)| !remarks.contains(n));
    let one = |note| Unread { source: source.clone(), reason: format!("{DOUBT}{}", said_of(source, note)) };
    notes.map(|(_, note)| one(note)).collect()
}

/// A note with its file and line.
pub(crate) fn said_of(source: &str, note: &Note) -> String {
    let line = note.line.map_or(String::new(), |line| format!(", line {line}"));
    format!("`{source}`{line}: {}; {}", note.message.trim_end_matches('.'), note.effect.trim_end_matches('.'))
}

/// How the reason begins where sections of a report were left out.
const ROWS_LOST: &str = "rows of ";

/// The sections of a report of which rows are printed that could not be read: what is counted from them is too
/// small. `None` where all was read.
pub(crate) fn lost_rows(report: &Report) -> Option<Unread> {
    /// Sections that are named.
    const NAMED: usize = 3;
    let lost = || report.sections.iter().filter(|s| s.status == SectionStatus::Unreadable || s.lost > 0);
    let sections = lost().count();
    if sections == 0 {
        return None;
    }
    let named: Vec<String> = lost()
        .take(NAMED)
        .map(|section| match section.lost {
            0 => format!("line {}, \"{}\"", section.line, section.title),
            1 => format!("line {}, \"{}\": 1 row", section.line, section.title),
            rows => format!("line {}, \"{}\": {rows} rows", section.line, section.title),
        })
        .collect();
    let more = if sections > NAMED { format!("; and {} more", sections - NAMED) } else { String::new() };
    let of = if sections == 1 { "one section".to_owned() } else { format!("{sections} sections") };
    let named = named.join("; ");
    Some(Unread {
        source: report.identity.source.clone(),
        reason: format!(
            "{ROWS_LOST}{of} could not be made out ({named}{more}): what is counted from them is too small; \
             `spindle facts --sections` tells which were read"
        ),
    })
}

/// Bounds on what is believed and kept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest text that is read.
    pub text_bytes: u64,
    /// Beginning of a text that must look like a report before the rest is read.
    pub sniff_bytes: u64,
    /// Output of an archive that is allowed whatever its size.
    pub small_bytes: u64,
    /// Largest output of an archive, as a multiple of its size. Reports in HTML reach about 30.
    pub ratio: u64,
    /// Output of archives in a stream of unknown length.
    pub stream_bytes: u64,
    /// Archives within archives that are opened.
    pub layers: u32,
    /// Threads that read.
    pub threads: usize,
    /// Does the beginning of a text look like a report?
    pub looks_like_report: fn(&[u8]) -> bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: 256 << 20,
            sniff_bytes: 1 << 20,
            small_bytes: 16 << 20,
            ratio: 200,
            stream_bytes: 64 << 30,
            layers: 3,
            threads: std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
            looks_like_report: spindle_evidence::looks_like_report,
        }
    }
}

/// How far reading has come; called from the reading threads.
pub trait Progress: Sync {
    /// `done` of `files` files are read.
    fn files(&self, done: usize, files: usize);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn files(&self, _done: usize, _files: usize) {}
}

/// What an input holds.
enum Opened {
    Text { source: String, bytes: Vec<u8>, damage: Option<String> },
    Unread(Unread),
}

/// Reads every report behind the arguments. `digest` runs on the reading threads and makes of each
/// report what is to be kept; `deliver` gets the results in the order of the arguments and answers
/// `false` to stop.
pub(crate) fn read_all<R: Send>(
    request: &Request,
    progress: &dyn Progress,
    digest: impl Fn(Report) -> R + Sync,
    deliver: impl FnMut(Result<R, Unread>) -> bool,
) {
    read_texts(request, &request.limits, progress, spindle_evidence::read_each, digest, deliver);
}

/// Reads every text behind the arguments with `read`, which hands over each thing as it finds it, as long as
/// more are wanted, and says why nothing, or not all, could be read; else as [`read_all`].
pub(crate) fn read_texts<T, R: Send>(
    request: &Request,
    limits: &Limits,
    progress: &dyn Progress,
    read: impl Fn(&str, &[u8], &mut dyn FnMut(T) -> bool) -> Option<String> + Sync,
    digest: impl Fn(T) -> R + Sync,
    deliver: impl FnMut(Result<R, Unread>) -> bool,
) {
    let places = find::find(&request.inputs, request.output.as_deref());
    let files = places.len();
    let done = AtomicUsize::new(0);
    let work = |place, emit: &mut dyn FnMut(Result<R, Unread>) -> bool| {
        // Stopping early needs no further word: the receiver is gone.
        let _stopped = match place {
            Ok(place) => {
                let opened = catch_unwind(AssertUnwindSafe(|| {
                    open(&place, limits, &mut |opened| read_one(opened, &read, &digest, emit))
                }));
                opened.unwrap_or_else(|_| flow(emit(Err(fault(printable(&place.source()))))))
            }
            Err(unread) => flow(emit(Err(unread))),
        };
        progress.files(done.fetch_add(1, Ordering::Relaxed) + 1, files);
    };
    in_order::in_order(places.into_iter(), limits.threads, work, deliver);
}

/// Files that the arguments reach more than once: they are read once, and whoever adds up says so.
pub(crate) fn given_twice(request: &Request) -> Vec<String> {
    let names = find::given_twice(&request.inputs, request.output.as_deref());
    names.iter().map(|name| printable(name)).collect()
}

/// Is the file reached by the arguments?
pub(crate) fn reads(arguments: &[PathBuf], file: &Path) -> bool {
    let Ok(real) = file.canonicalize() else { return false };
    find::find(arguments, None).into_iter().flatten().any(|place| match place {
        Place::File(path) => path.canonicalize().is_ok_and(|path| path == real),
        Place::Pipe(_) | Place::Stdin => false,
    })
}

fn open(place: &Place, limits: &Limits, emit: &mut dyn FnMut(Opened) -> ControlFlow<()>) -> ControlFlow<()> {
    let source = printable(&place.source());
    match place {
        Place::Stdin => unpack::unpack_stream(&source, &mut std::io::stdin().lock(), limits, emit),
        Place::File(path) | Place::Pipe(path) => match File::open(path) {
            Ok(mut pipe) if matches!(place, Place::Pipe(_)) => {
                unpack::unpack_stream(&source, &mut pipe, limits, emit)
            }
            Ok(file) => unpack::unpack(&source, file, limits, emit),
            Err(error) => emit(Opened::Unread(Unread { source, reason: find::why_not_opened(&error) })),
        },
    }
}

fn read_one<T, R>(
    opened: Opened,
    read: &impl Fn(&str, &[u8], &mut dyn FnMut(T) -> bool) -> Option<String>,
    digest: &impl Fn(T) -> R,
    emit: &mut dyn FnMut(Result<R, Unread>) -> bool,
) -> ControlFlow<()> {
    let (source, bytes, damage) = match opened {
        Opened::Unread(unread) => return flow(emit(Err(unread))),
        Opened::Text { source, bytes, damage } => (source, bytes, damage),
    };
    // One report that we stumble over must not take the others with it.
    let mut wanted = true;
    let reading = catch_unwind(AssertUnwindSafe(|| {
        read(&source, &bytes, &mut |one| {
            let digested = catch_unwind(AssertUnwindSafe(|| digest(one))).map_err(|_| fault(source.clone()));
            wanted = emit(digested);
            wanted
        })
    }));
    unpack::give_back(bytes);
    flow(wanted)?;
    match reading {
        Err(_) => flow(emit(Err(fault(source.clone()))))?,
        Ok(Some(reason)) => flow(emit(Err(Unread { source: source.clone(), reason })))?,
        Ok(None) => {}
    }
    match damage {
        Some(reason) => flow(emit(Err(Unread { source, reason }))),
        None => ControlFlow::Continue(()),
    }
}

fn fault(source: String) -> Unread {
    let reason = "a fault in Spindle, not in the report; please send us the titles of its sections";
    Unread { source, reason: reason.to_owned() }
}

fn flow(wanted: bool) -> ControlFlow<()> {
    if wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Names from file systems and archives, fit for a terminal: control characters could move its
/// cursor or change its title.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// For sentences that go on with the words of another.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if !chars.as_str().starts_with(|c: char| c.is_uppercase()) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}
