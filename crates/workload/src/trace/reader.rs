//! Requests of a trace, one after the other by their times, whatever its format.

use super::blkparse::{Blkparse, OTHER};
use super::fio::{self, Iolog};
use super::lines::{Lines, Said, clipped};
use super::{DamagedLine, TraceFormat, msr, spc};
use crate::job::{MOST_BYTES, Operation};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, BufRead};

/// So many requests are looked at together, as lines of a trace need not stand by time.
const WINDOW: usize = 4_096;
/// Files or disks of a trace at most: more are a sign that it is none.
const MOST_SOURCES: usize = 1_000;
/// Damaged lines that are named.
const NAMED: usize = 5;

/// A request of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traced {
    /// When it was made, nanoseconds as the trace counts.
    pub at_ns: u64,
    /// Number of its source, in the order in which sources first appear.
    pub source: u32,
    /// What it does.
    pub operation: Operation,
    /// First byte of its source.
    pub offset: u64,
    /// Bytes, one at least.
    pub bytes: u32,
    /// Line of the file, from 1.
    pub line: u64,
}

/// What reads the lines of a format.
#[derive(Clone, Debug)]
enum Form {
    Iolog(Iolog),
    Blkparse(Blkparse),
    Spc(u32),
    Msr,
}

/// Reads a trace, within bounded memory.
#[derive(Debug)]
pub struct TraceReader<R> {
    lines: Lines<R>,
    form: Form,
    /// Names of sources, as they first appear.
    pub(super) names: Vec<String>,
    last: usize,
    window: BinaryHeap<Reverse<(u64, u64, Kept)>>,
    count: u64,
    released_ns: u64,
    ended: bool,
    pub(super) seen: Seen,
}

/// What is kept of a request while it waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kept {
    source: u32,
    operation: Operation,
    offset: u64,
    bytes: u32,
    line: u64,
}

/// What came by beside the requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) damaged: u64,
    pub(super) damaged_lines: Vec<DamagedLine>,
    pub(super) left_out: BTreeMap<&'static str, u64>,
    pub(super) out_of_order: u64,
}

impl<R: BufRead> TraceReader<R> {
    /// Reads as this format; `event` matters to blkparse alone, the bytes of a block to SPC.
    #[must_use]
    pub fn new(input: R, format: TraceFormat, event: char, block_bytes: u32) -> Self {
        let form = match format {
            TraceFormat::FioIolog2 => Form::Iolog(Iolog::new(2)),
            TraceFormat::FioIolog3 => Form::Iolog(Iolog::new(3)),
            TraceFormat::Blkparse => Form::Blkparse(Blkparse::new(event)),
            TraceFormat::Spc => Form::Spc(block_bytes),
            TraceFormat::MsrCambridge => Form::Msr,
        };
        Self {
            lines: Lines::new(input),
            form,
            names: Vec::new(),
            last: 0,
            window: BinaryHeap::new(),
            count: 0,
            released_ns: 0,
            ended: false,
            seen: Seen::default(),
        }
    }

    /// The next request by time; `None` at the end.
    ///
    /// # Errors
    /// Those of the file, and a trace of too many sources.
    pub fn next_request(&mut self) -> io::Result<Option<Traced>> {
        while !self.ended && self.window.len() < WINDOW {
            self.ended = !self.take_line()?;
        }
        let Some(Reverse((at_ns, _, kept))) = self.window.pop() else { return Ok(None) };
        if at_ns < self.released_ns {
            self.seen.out_of_order += 1;
        }
        self.released_ns = self.released_ns.max(at_ns);
        let Kept { source, operation, offset, bytes, line } = kept;
        Ok(Some(Traced { at_ns: self.released_ns, source, operation, offset, bytes, line }))
    }

    /// What a source is called.
    #[must_use]
    pub fn name(&self, source: u32) -> Option<&str> {
        self.names.get(source as usize).map(String::as_str)
    }

    /// Does the trace say when its requests were made, as far as it was read?
    pub(super) fn has_times(&self) -> bool {
        match &self.form {
            Form::Iolog(iolog) => iolog.has_times,
            _ => true,
        }
    }

    /// Lines read so far.
    pub(super) fn lines(&self) -> u64 {
        self.lines.number
    }

    /// Reads a line; `false` at the end.
    fn take_line(&mut self) -> io::Result<bool> {
        let Some(line) = self.lines.next()? else { return Ok(false) };
        let said = match line {
            Err(why) => Said::Damaged(why),
            Ok(line) => match &mut self.form {
                Form::Iolog(iolog) => iolog.line(line),
                Form::Blkparse(blkparse) => blkparse.line(line),
                Form::Spc(block_bytes) => spc::line(line, *block_bytes),
                Form::Msr => msr::line(line),
            },
        };
        match said {
            Said::Nothing => {}
            Said::LeftOut(what) => *self.seen.left_out.entry(what).or_default() += 1,
            Said::Damaged(why) => {
                self.seen.damaged += 1;
                if self.seen.damaged_lines.len() < NAMED {
                    self.seen.damaged_lines.push(DamagedLine { line: self.lines.number, why });
                }
            }
            Said::Request { at_ns, source, operation, offset, bytes } => {
                let size = u32::try_from(bytes).ok().filter(|bytes| *bytes <= MOST_BYTES);
                let what = match size {
                    Some(0) => Some("requests of no bytes"),
                    None => Some("requests of more than 64 MiB"),
                    Some(_) if offset.checked_add(bytes).is_none_or(|end| end > MOST_PLACE) => {
                        Some("requests beyond any device")
                    }
                    Some(_) => None,
                };
                if let Some(what) = what {
                    *self.seen.left_out.entry(what).or_default() += 1;
                    return Ok(true);
                }
                // Most often it is that of the line before.
                let known = match self.names.get(self.last) {
                    Some(name) if source.is(name) => Some(self.last),
                    _ => self.names.iter().position(|name| source.is(name)),
                };
                let index = match known {
                    Some(index) => index,
                    None if self.names.len() < MOST_SOURCES => {
                        self.names.push(source.owned());
                        self.names.len() - 1
                    }
                    None => {
                        let number = self.lines.number;
                        return Err(io::Error::other(format!(
                            "line {number} names more than {MOST_SOURCES} files or disks"
                        )));
                    }
                };
                self.last = index;
                self.count += 1;
                #[allow(clippy::cast_possible_truncation, reason = "both are bounded above")]
                let (source, bytes) = (index as u32, bytes as u32);
                let kept = Kept { source, operation, offset, bytes, line: self.lines.number };
                self.window.push(Reverse((at_ns, self.count, kept)));
            }
        }
        Ok(true)
    }
}

/// No device has so many bytes; sums of addresses stay within their type.
const MOST_PLACE: u64 = 1 << 60;

/// Is it an event of requests that another event stands for?
pub(super) fn is_other_event(what: &str) -> bool {
    what == OTHER
}

/// The format of a trace, by its first lines.
///
/// # Errors
/// A sentence that goes on from the name of the file.
pub(super) fn recognise(head: &[u8]) -> Result<TraceFormat, String> {
    if head.starts_with(&[0x1f, 0x8b]) || head.starts_with(b"PK\x03\x04") || head.starts_with(b"BZh") {
        return Err("is packed: unpack it first".to_owned());
    }
    let mut lines = Lines::new(head);
    let mut first: Option<String> = None;
    while let Ok(Some(line)) = lines.next() {
        let Ok(line) = line else {
            first.get_or_insert_with(|| "no text".to_owned());
            continue;
        };
        if line.trim().is_empty() {
            continue;
        }
        if first.is_none()
            && let Some(version) = fio::version(line)
        {
            return match version {
                "2" => Ok(TraceFormat::FioIolog2),
                "3" => Ok(TraceFormat::FioIolog3),
                other => Err(format!("is an iolog of version {}, and 2 and 3 are known", clipped(other))),
            };
        }
        let request = |said: Said<'_>| matches!(said, Said::Request { .. });
        if request(msr::line(line)) {
            return Ok(TraceFormat::MsrCambridge);
        }
        if request(spc::line(line, super::USUAL_BLOCK)) {
            return Ok(TraceFormat::Spc);
        }
        if ['Q', 'D'].iter().any(|event| request(Blkparse::new(*event).line(line))) {
            return Ok(TraceFormat::Blkparse);
        }
        first.get_or_insert_with(|| format!("`{}`", clipped(line)));
    }
    Err(match first {
        None => "is empty".to_owned(),
        Some(first) => format!(
            "is no trace that is known (fio iolog 2 or 3, blkparse text, SPC, MSR Cambridge csv): its first line is {first}"
        ),
    })
}
