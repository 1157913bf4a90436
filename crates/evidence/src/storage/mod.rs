//! Results of storage measurements that other tools wrote: fio, Orion, `CALIBRATE_IO`, iostat, sar, SLOB;
//! and the documents of `spindle measure --json`.
//!
//! What a file is shows in its content. All of them become one type, [`Measured`] of `workload`, and rows
//! of facts beside it. A figure that a file does not print is `None`; a unit is converted here, once.

mod build;
mod calibrate_io;
mod fio_json;
mod fio_log;
mod fio_terse;
mod fio_text;
mod fio_top;
mod foreign;
mod idle;
mod json;
mod orion;
mod own;
mod slob;
mod sysstat;
mod tags;
mod unwrapped;
mod words;

use crate::recognise;
use spindle_facts::{Kind, Report};
use spindle_workload::Measured;

/// One result: rows and sections as of any report, and the measurement that they come from.
#[derive(Clone, Debug)]
pub struct StorageResult {
    /// Identity, sections, notes and rows.
    pub report: Report,
    /// The result itself.
    pub measured: Measured,
    /// Notes of the report, by their place, that say what is so, and no doubt: nothing was left out or contradicts itself.
    pub remarks: Vec<usize>,
}

/// What was found in one file.
#[derive(Clone, Debug, Default)]
pub struct StorageReading {
    /// Results, in printed order.
    pub results: Vec<StorageResult>,
    /// Why some or all of it could not be read.
    pub refused: Option<String>,
}

/// Bytes at the beginning in which a result has named itself.
const HEAD: usize = 256 << 10;

type IsIt = fn(&str) -> bool;

/// Results in plain text, by what tells them.
const KINDS: [(IsIt, Kind); 13] = [
    (fio_text::is_it, Kind::Fio),
    (fio_terse::is_it, Kind::Fio),
    (fio_log::is_it, Kind::Fio),
    (fio_log::is_of_histograms, Kind::Fio),
    (orion::is_it, Kind::Orion),
    (slob::is_it, Kind::Slob),
    (sysstat::is_iostat, Kind::Iostat),
    (sysstat::is_sar, Kind::Sar),
    (calibrate_io::is_it, Kind::CalibrateIo),
    (fio_text::is_headless, Kind::Fio),
    (fio_terse::is_moved, Kind::Fio),
    (foreign::is_iostat, Kind::Iostat),
    (foreign::is_sar, Kind::Sar),
];

/// So many of them are whole results; the others are pieces, and what is refused as what it is.
const WHOLE: usize = 9;

/// What a text is, where it is a result of a storage measurement.
pub(crate) fn kind_of(text: &str) -> Option<Kind> {
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let start = head.trim_start();
    // Nearly every report of a database ends here.
    let is_html = start.starts_with('<') && !start.lines().next().is_some_and(|row| row.contains(": (g="));
    if is_html && !tags::begin(start) || recognise::has_head(head) {
        return None;
    }
    if is_html {
        let plain = tags::without(head);
        return of_plain(&plain).filter(|_| !recognise::has_head(&plain));
    }
    of_plain(head)
}

fn of_plain(head: &str) -> Option<Kind> {
    if fio_json::is_it(head) {
        return Some(Kind::Fio);
    }
    if own::is_it(head.trim_start()) {
        return Some(Kind::Measure);
    }
    let found = |head: &str| KINDS.into_iter().find(|(is_it, _)| is_it(head)).map(|(_, kind)| kind);
    found(head).or_else(|| found(&unquoted(head)?))
}

/// The same text without the marks of a quotation (`> `) or of a comment (`# `) before its lines; `None` where there are
/// none. Messages and scripts hold results so. A difference of two files is no quotation: its lines are of both.
fn unquoted(text: &str) -> Option<String> {
    let mut is_quoted = false;
    let mut out = String::with_capacity(text.len());
    for row in text.split_inclusive('\n') {
        if row.starts_with("< ") {
            return None;
        }
        let mut rest = row;
        // In a script a comment may be indented.
        let indented = row.trim_start_matches([' ', '\t']);
        if indented.starts_with("# ") {
            rest = indented;
        }
        while let Some(inner) = rest.strip_prefix('>').or_else(|| rest.strip_prefix("# ")) {
            rest = inner.strip_prefix(' ').unwrap_or(inner);
        }
        is_quoted |= rest.len() < row.len();
        out.push_str(rest);
    }
    is_quoted.then_some(out)
}

/// Reads a result; `None` where the text is none.
pub(crate) fn read(source: &str, text: &str) -> Option<StorageReading> {
    let kind = kind_of(text)?;
    let plain = tags::begin(text.trim_start()).then(|| tags::without(text));
    let text = plain.as_deref().unwrap_or(text);
    let mut reading = read_as(kind, source, text);
    if !reading.results.is_empty() {
        reading.refused = reading.refused.or_else(|| unended(kind, text)).or_else(|| beside(kind, text));
        return Some(reading);
    }
    if let Some(unended) = unended(kind, text) {
        reading.refused = Some(unended);
    }
    let inner = unquoted(text).and_then(|inner| Some(read_as(kind_of(&inner)?, source, &inner)));
    // Where the marks hide what it is, the text as it stands says nothing of why it is refused.
    let hidden = !fio_json::is_it(text) && KINDS[..WHOLE].iter().all(|(is_it, _)| !is_it(text));
    Some(inner.filter(|inner| hidden || !inner.results.is_empty()).unwrap_or(reading))
}

/// The last row of a text without a last line end may be cut, and is left out: pasted texts lack it.
fn unended(kind: Kind, text: &str) -> Option<String> {
    let by_rows = matches!(kind, Kind::Iostat | Kind::Sar | Kind::Slob | Kind::CalibrateIo);
    let (rows, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let is_row = last.split_whitespace().count() > 1 && last.bytes().any(|b| b.is_ascii_digit());
    (by_rows && is_row && !text.trim_start().starts_with('{')).then(|| {
        format!(
            "line {}: it has no line end, so that it may be cut: it was left out; end the file with an empty line if it \
             is whole",
            rows.lines().count() + 1
        )
    })
}

/// What else a document holds, of which nothing was read.
fn beside(kind: Kind, text: &str) -> Option<String> {
    let is_plain = KINDS.iter().any(|(is_it, of)| *of == kind && is_it(text));
    // A run of SLOB brings what sysstat saw meanwhile.
    let may_be =
        |other: Kind| other != kind && !(kind == Kind::Slob && matches!(other, Kind::Iostat | Kind::Sar));
    let (_, other) = KINDS.iter().find(|(is_it, other)| is_plain && may_be(*other) && is_it(text))?;
    Some(format!(
        "it also holds {}, of which nothing was read: give each result in a file of its own",
        what_it_is(*other)
    ))
}

fn read_as(kind: Kind, source: &str, text: &str) -> StorageReading {
    match kind {
        Kind::Fio if fio_json::is_it(text) => fio_json::read(source, text),
        Kind::Fio if fio_text::is_it(text) => fio_text::read(source, text),
        Kind::Fio if fio_terse::is_it(text) || fio_terse::is_moved(text) => fio_terse::read(source, text),
        Kind::Fio if fio_log::is_it(text) || fio_log::is_of_histograms(text) => fio_log::read(text),
        Kind::Fio => fio_text::read(source, text),
        Kind::Orion => orion::read(source, text),
        Kind::Slob => slob::read(source, text),
        Kind::Iostat if !sysstat::is_iostat(text) => foreign(text),
        Kind::Sar if !sysstat::is_sar(text) => foreign(text),
        Kind::Iostat => sysstat::iostat(source, text),
        Kind::Sar => sysstat::sar(source, text),
        Kind::CalibrateIo => calibrate_io::read(source, text),
        _ => own::read(source, text),
    }
}

fn foreign(text: &str) -> StorageReading {
    StorageReading { results: Vec::new(), refused: foreign::refusal(text) }
}

/// What a command that takes reports alone says of such a file.
pub(crate) fn no_report(kind: Kind) -> String {
    let what = what_it_is(kind);
    format!(
        "it is {what} and no report of a database; `spindle facts` shows what it says, `spindle compare --before A \
         --after B` holds two such results against each other, `--curve` of `spindle size` and `spindle place` takes \
         one as the storage"
    )
}

fn what_it_is(kind: Kind) -> &'static str {
    match kind {
        Kind::Fio => "a result of fio",
        Kind::Orion => "a file of Orion",
        Kind::CalibrateIo => "the outcome of an I/O calibration",
        Kind::Iostat => "output of iostat",
        Kind::Sar => "output of sar",
        Kind::Slob => "a file of SLOB",
        _ => "a measurement of storage",
    }
}
