//! What fio prints for people, 2.x and 3.x.
//!
//! A line a job with what was asked for, `NAME: (g=0): rw=randread, bs=...`; then a block a job, or one for
//! all of a group with `group_reporting`. 3.x counts `MiB` and `MB` as they are, 2.x says `KB` and means 1,024.
//! Rates are printed with three or four digits; requests and milliseconds are whole numbers, so the rate is
//! computed of these where both agree. Latencies are in nsec, usec or msec, as the line says.
//!
//! Traps: `lat (usec) : 50=15.54%` is a distribution and no latency; percentiles are of `clat`, which leaves
//! submission out, unless the heading says `lat percentiles`; those of `slat` are of the submission alone, and those
//! of `prio 0/0 clat` of some of the requests. With several output formats in one file the line of what was asked of
//! a job may be missing. `mixed` beside reads and writes is their sum, and its rate is printed as 0. `All clients`
//! behind the jobs of a `--client` is their sum too. Each call begins with group 0, and jobs that ran together are
//! printed within a moment: those of another time are of another call. `issued rwts` counts fsync as the fourth of `total=`;
//! fdatasync and sync_file_range, one and two places further in fio's array, come out as the first figures of `short=`.

use super::StorageReading;
use super::build::{Build, stream};
use super::fio_top;
use super::words::{half_digit, number, scaled};
use spindle_facts::{Kind, Layout, SectionStatus};
use spindle_workload::{ENDED_BY_ERROR, LatencyFrom, Parameters, StreamResult};
use std::collections::{HashMap, HashSet};

/// Does a block of a job stand there?
pub(super) fn is_it(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b": (groupid=").any(|at| {
        let rest = &text.as_bytes()[at..text.len().min(at + 80)];
        memchr::memmem::find(rest, b"jobs=").is_some() && memchr::memmem::find(rest, b"err=").is_some()
    })
}

/// Figures of an operation, where the head of their job may be missing?
pub(super) fn is_headless(text: &str) -> bool {
    text.lines().filter(|row| row.len() <= LONGEST_LINE).any(|row| {
        let row = row.trim_start();
        if is_piece(row) {
            return true;
        }
        let rest = ["read", "write", "trim"].iter().find_map(|name| row.strip_prefix(name));
        let rest = rest.and_then(|rest| rest.trim_start().strip_prefix(':')).map_or("", str::trim_start);
        let has = |signs: &[&str]| signs.iter().all(|sign| rest.contains(sign));
        rest.starts_with("IOPS=") && has(&["BW=", "msec)"])
            || rest.starts_with("io=") && has(&["bw=", "iops=", "runt="])
    })
}

/// A line that fio prints below or beside the figures of an operation, or figures with something before them.
fn is_piece(row: &str) -> bool {
    row.starts_with("Run status group ") && row.contains("(all jobs)")
        || row.contains("issued rwts: total=")
        || is_of_2006(row)
        || mark(row).is_some() && (row.contains("msec") || row.contains("runt="))
}

/// The head of a job of the first releases: `NAME (g=0): err= 0:`.
fn is_of_2006(row: &str) -> bool {
    row.split_once(" (g=")
        .and_then(|(_, rest)| rest.split_once(')'))
        .is_some_and(|(group, rest)| group.bytes().all(|b| b.is_ascii_digit()) && rest.starts_with(": err="))
}

/// Why a piece without the head of its job is refused.
fn why_headless(text: &str) -> String {
    if text.lines().any(is_of_2006) {
        return "it is output of a release of fio from before 2.0, which prints its figures otherwise and is not read; run a \
                release of today with --output-format=json"
            .to_owned();
    }
    let has_figures = |row: &str| {
        ["read", "write", "trim"].iter().any(|name| {
            row.find(name).is_some_and(|at| {
                let rest = row[at + name.len()..].trim_start_matches([' ', ':']);
                rest.starts_with("IOPS=") || rest.starts_with("io=") && rest.contains("iops=")
            })
        })
    };
    let before = text.lines().find_map(mark);
    match before {
        Some(mark) => format!(
            "it is a part of fio's output with something else before its lines (`{mark}`), and the heads of its jobs \
             (`NAME: (groupid=0, jobs=1): err= 0`) are missing, so that nothing says what its figures are of; give the whole \
             output, as fio printed it"
        ),
        None if !text.lines().any(has_figures) => "it is a part of fio's output without the figures of any job: what it holds \
             (the sums of a group, below `Run status group`, or how requests were spread) has no rate of requests and no \
             latency of a load that is known; give the whole output, or that of --output-format=json"
            .to_owned(),
        None => "it is a part of fio's output: the heads of its jobs (`NAME: (groupid=0, jobs=1): err= 0`) are missing, so \
                 that nothing says what its figures are of; give the output with them"
            .to_owned(),
    }
}

/// What was asked of a job.
struct Asked<'a> {
    name: &'a str,
    group: u64,
    pattern: Option<&'a str>,
    block_bytes: Option<u64>,
    engine: Option<&'a str>,
    depth: Option<f64>,
    /// It stands for several jobs.
    has_clones: bool,
}

/// The block of a job.
struct Block<'a> {
    line: u32,
    name: &'a str,
    group: u64,
    jobs: f64,
    error: Option<&'a str>,
    pid: Option<&'a str>,
    printed: Option<Printed<'a>>,
    parts: Vec<Part>,
    issued: [Option<u64>; 4],
    /// A latency that fio kept the depth below which was asked for.
    has_target: bool,
    /// More requests came back short than were made: these are syncs.
    syncs_are_short: bool,
}

/// When a block was printed.
#[derive(Clone, Copy)]
struct Printed<'a> {
    /// `Fri Nov 27` and `2026`.
    day: (&'a str, &'a str),
    second: u32,
}

/// Blocks of one call are printed within this time.
const WITHIN_S: u32 = 5;
const DAY_S: u32 = 86_400;

impl<'a> Printed<'a> {
    /// Of ` Fri Nov 27 12:02:13 2026`.
    fn of(text: &'a str) -> Option<Self> {
        let colon = text.find(':')?;
        let (day, rest) = text.split_at_checked(colon.checked_sub(2)?)?;
        let (time, year) = rest.trim_end().split_once(' ')?;
        let mut parts = time.split(':').map(|part| part.parse::<u32>().ok());
        let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
        let second = hours.checked_mul(3_600)?.checked_add(minutes.checked_mul(60)?)?.checked_add(seconds)?;
        (second < DAY_S).then_some(Self { day: (day.trim(), year.trim()), second })
    }

    fn is_near(self, other: Self) -> bool {
        let apart = self.second.abs_diff(other.second);
        (if self.day == other.day { apart } else { DAY_S - apart }) <= WITHIN_S
    }
}

/// The name that fio gives to the sum over its clients.
const ALL_CLIENTS: &str = "All clients";

impl Block<'_> {
    /// May both be of one call? Old releases print no time.
    fn may_be_of_one_call_with(&self, other: &Self) -> bool {
        self.printed.zip(other.printed).is_none_or(|(a, b)| a.is_near(b))
    }

    fn is_sum_over_clients(&self) -> bool {
        self.name == ALL_CLIENTS
    }
}

/// One operation within it.
struct Part {
    line: u32,
    stream: StreamResult,
    printed_iops: Option<(f64, f64)>,
    printed_bytes: Option<(f64, f64)>,
    /// Bytes a second, each with how far it may be from the true one.
    printed_rates: Vec<(f64, f64)>,
    lat: Option<Latency>,
    clat: Option<Latency>,
    percentiles: Vec<(LatencyFrom, f64, f64)>,
    /// The widest unit that they are printed in.
    percentiles_unit_us: f64,
}

/// What is printed of a latency, microseconds.
#[derive(Clone, Copy)]
struct Latency {
    least: Option<f64>,
    mean: f64,
    max: f64,
}

/// Reads the output of one or more calls.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    let mut reading = StorageReading::default();
    // A last line without an end may have been cut within a number.
    let (whole, cut) = match text.rfind('\n') {
        Some(end) if end + 1 < text.len() => (&text[..=end], true),
        Some(_) => (text, false),
        None => ("", true),
    };
    let mut asked: Vec<Asked<'_>> = Vec::new();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut version: Option<&str> = None;
    let mut place = Place::Outside;
    let mut last_line = 1;
    let mut marked = None;
    for (line, row) in (1_u32..).zip(whole.lines()) {
        last_line = line;
        if row.len() > LONGEST_LINE {
            continue;
        }
        if let Some(found) = block_head(row, line) {
            blocks.push(found);
            place = Place::Outside;
        } else if let Some(found) = asked_line(row) {
            // Another call of fio begins.
            if !blocks.is_empty() {
                reading.results.extend(result(source, version, &asked, std::mem::take(&mut blocks)));
                asked.clear();
            }
            asked.push(found);
        } else if row.trim() == "..." && !asked.is_empty() && blocks.is_empty() {
            // `numjobs` of the job before.
            if let Some(last) = asked.last_mut() {
                last.has_clones = true;
            }
        } else if row.starts_with("fio-") && row.len() < 40 {
            version = Some(row.trim());
        } else if row.starts_with("Run status") || row.starts_with("Disk stats") {
            place = Place::Elsewhere;
        } else if let Some(block) = blocks.last_mut().filter(|_| place != Place::Elsewhere) {
            if marked.is_none() && block.parts.is_empty() {
                marked = mark(row).map(|mark| (block.line, mark));
            }
            within(block, row, line, &mut place);
        }
    }
    reading.results.extend(result(source, version, &asked, blocks));
    if cut {
        let line = last_line + u32::from(!whole.is_empty());
        reading.refused = Some(format!(
            "line {line}: the file ends within a line; it was left out, and what stood behind it is missing"
        ));
    }
    if reading.results.is_empty() && reading.refused.is_none() {
        reading.refused = Some(match marked {
            Some((line, mark)) => format!(
                "it is output of fio, and below the head of a job on line {line} no figures are known: before its lines stands \
                 something else (`{mark}`); give the output without it"
            ),
            None if whole.contains("(groupid=3D") => {
                "it is output of fio in the letters of a mail (quoted-printable, `=3D` for `=`); give it decoded".to_owned()
            }
            None if !is_it(whole) => why_headless(whole),
            None => "it is output of fio, and no job in it did any I/O".to_owned(),
        });
    }
    reading
}

/// Is a mean longer than another by more than the digits and units leave open?
pub(super) fn is_longer(part_us: f64, whole_us: f64) -> bool {
    part_us > whole_us * 1.02 + 1.0
}

/// What stands before a line of figures, where something does: a quote, a time, the name of a program.
fn mark(row: &str) -> Option<&str> {
    let at = ["read: ", "read : ", "write: ", "write : "].iter().find_map(|name| row.find(name))?;
    let figures = ["IOPS=", "io="].iter().any(|name| row[at..].contains(name));
    let mark = row[..at].trim();
    (figures && !mark.is_empty() && mark.len() < 80).then_some(mark)
}

/// Longer lines are nothing that fio prints.
const LONGEST_LINE: usize = 4_096;

/// Where the next line belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    Percentiles(LatencyFrom, f64),
    /// Percentiles of what is no latency of a request.
    Others,
    Elsewhere,
}

/// `NAME: (groupid=0, jobs=1): err= 0: pid=19379: Sun Nov ...`
fn block_head(row: &str, line: u32) -> Option<Block<'_>> {
    let at = row.find(": (groupid=")?;
    let rest = &row[at + ": (groupid=".len()..];
    let (group, rest) = rest.split_once(',')?;
    let (jobs, rest) = rest.trim_start().strip_prefix("jobs=")?.split_once(')')?;
    let error = rest.split_once("err=").map(|(_, e)| e.trim_start())?;
    let code = error.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    Some(Block {
        line,
        name: row[..at].trim(),
        group: group.trim().parse().ok()?,
        jobs: number(jobs)?,
        error: (code != "0").then(|| error.split(": pid=").next().unwrap_or(code).trim()),
        // The sum over clients has none.
        pid: rest
            .split_once("pid=")
            .map(|(_, pid)| pid.split(':').next().unwrap_or(pid))
            .filter(|pid| *pid != "0"),
        printed: rest.split_once("pid=").and_then(|(_, rest)| Printed::of(rest.split_once(':')?.1)),
        parts: Vec::new(),
        issued: [None; 4],
        has_target: false,
        syncs_are_short: false,
    })
}

/// `NAME: (g=0): rw=randread, bs=(R) 8192B-8192B, (W) ..., ioengine=psync, iodepth=1`
fn asked_line(row: &str) -> Option<Asked<'_>> {
    let at = row.find(": (g=")?;
    let (group, rest) = row[at + ": (g=".len()..].split_once(')')?;
    let key = |name: &str| {
        let from = rest.find(&format!("{name}="))? + name.len() + 1;
        Some(&rest[from..])
    };
    let word = |name: &str| key(name).map(|r| r.split(',').next().unwrap_or_default().trim());
    let sizes = key("bs").map(|r| r.split(", ioengine=").next().unwrap_or_default());
    // A client names the server before it: `<host> NAME`.
    let name = row[..at].trim();
    let name = name.strip_prefix('<').and_then(|n| n.split_once("> ")).map_or(name, |(_, name)| name.trim());
    Some(Asked {
        name,
        group: group.trim().parse().ok()?,
        pattern: word("rw"),
        block_bytes: sizes.and_then(one_size),
        engine: word("ioengine"),
        depth: word("iodepth").and_then(number),
        has_clones: false,
    })
}

/// The size that all of `(R) 8192B-8192B, (W) 8192B-8192B` or `8K-8K/8K-8K` are.
fn one_size(text: &str) -> Option<u64> {
    let sizes = text.split([',', '/', '-', ' ']).filter(|w| w.starts_with(|c: char| c.is_ascii_digit()));
    let mut all = sizes.map(|w| scaled(w.trim_end_matches(['B', 'b']).trim_end_matches('i'), 1_024.0));
    let first = all.next()??;
    if !all.all(|other| other == Some(first)) {
        return None;
    }
    super::build::count(Some(first)).filter(|bytes| *bytes > 0)
}

fn within(block: &mut Block<'_>, row: &str, line: u32, place: &mut Place) {
    let text = row.trim();
    if let Place::Percentiles(from, to_us) = *place {
        if let Some(rest) = text.strip_prefix('|') {
            if let Some(part) = block.parts.last_mut() {
                percentiles(part, rest, from, to_us);
            }
            return;
        }
        *place = Place::Outside;
    }
    if *place == Place::Others {
        if text.starts_with('|') {
            return;
        }
        *place = Place::Outside;
    }
    if text.contains(" percentiles (") {
        *place =
            percentile_heading(text).map_or(Place::Others, |(from, to_us)| Place::Percentiles(from, to_us));
        return;
    }
    let (word, rest) = text.split_at(text.find([':', ' ', '(']).unwrap_or(text.len()));
    match word {
        "read" | "write" | "trim" | "mixed" => {
            let rest = rest.trim_start_matches([' ', ':']);
            if rest.contains("IOPS=") || rest.starts_with("io=") {
                let operation = if word == "mixed" { "mix" } else { word };
                block.parts.push(part(block.name, operation, rest, line));
            }
        }
        "fsync/fdatasync/sync_file_range" => block.parts.push(Part::new(block.name, "sync", line)),
        // `clat prio 0/0 (usec): min=21, ...` is of some of the requests.
        "lat" | "clat" | "sync" if rest.contains("min=") && rest.trim_start().starts_with('(') => {
            let Some(part) = block.parts.last_mut() else { return };
            let found = latency(rest);
            match word {
                "clat" => part.clat = found,
                _ => part.lat = found,
            }
        }
        "issued" => issued(block, rest),
        // `latency   : target=1000000, window=100000, percentile=95.00%, depth=32`
        "latency" if rest.contains("target=") => block.has_target |= !rest.contains("target=0,"),
        _ => {}
    }
}

/// `clat percentiles (usec):`, `lat percentiles (usec):`, `sync percentiles (usec):`; `None` of all others.
fn percentile_heading(text: &str) -> Option<(LatencyFrom, f64)> {
    let (what, unit) = text.split_once(" percentiles (")?;
    let from = match what {
        "clat" => LatencyFrom::Submitted,
        "lat" | "sync" => LatencyFrom::Submit,
        _ => return None,
    };
    Some((from, to_us(unit.split(')').next()?)?))
}

fn to_us(unit: &str) -> Option<f64> {
    match unit.trim() {
        "nsec" => Some(1e-3),
        "usec" => Some(1.0),
        "msec" => Some(1e3),
        "sec" => Some(1e6),
        _ => None,
    }
}

impl Part {
    fn new(name: &str, operation: &str, line: u32) -> Self {
        Self {
            line,
            stream: stream(name, operation),
            printed_iops: None,
            printed_bytes: None,
            printed_rates: Vec::new(),
            lat: None,
            clat: None,
            percentiles: Vec::new(),
            percentiles_unit_us: 1.0,
        }
    }
}

/// `IOPS=10.9k, BW=85.4MiB/s (89.5MB/s)(85.4MiB/1001msec)` or `io=102400KB, bw=10234KB/s, iops=2558, runt= 10006msec`
fn part(name: &str, operation: &str, rest: &str, line: u32) -> Part {
    let mut part = Part::new(name, operation, line);
    let old = rest.starts_with("io=");
    let key = |name: &str| {
        let from = rest.find(name)? + name.len();
        Some(rest[from..].trim_start())
    };
    let figure = |text: &str| -> (String, String) {
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let unit = text[end..].split([',', ' ', ')', '(', ';']).next().unwrap_or_default();
        (text[..end].to_owned(), unit.to_owned())
    };
    if let Some((digits, unit)) = key(if old { "iops=" } else { "IOPS=" }).map(figure) {
        let kilo = scaled(&format!("1{}", unit.get(..1).unwrap_or_default()), 1_000.0).unwrap_or(1.0);
        // The tool cuts where it does not round.
        part.printed_iops = number(&digits).map(|n| (n * kilo, 2.0 * half_digit(&digits) * kilo));
    }
    let (io, runtime) = if old {
        (key("io="), key("runt="))
    } else {
        let pair = rest.rsplit_once("msec)").and_then(|(head, _)| head.rsplit_once('('));
        let pair = pair.and_then(|(_, inside)| inside.split_once('/'));
        (pair.map(|(io, _)| io), pair.map(|(_, ms)| ms))
    };
    if let Some((digits, unit)) = io.map(figure) {
        part.printed_bytes = number(&digits)
            .zip(unit_bytes(&unit, old))
            .map(|(n, unit)| (n * unit, 2.0 * half_digit(&digits) * unit));
    }
    if let Some((digits, unit)) = runtime.map(figure)
        && (!old || unit == "msec")
    {
        part.stream.elapsed_s = number(&digits).filter(|ms| *ms > 0.0).map(|ms| ms / 1e3);
    }
    let printed = |text: &str| {
        let (digits, unit) = figure(text);
        // Of the sum over clients it is `178Mi`.
        let unit = match unit.strip_suffix("/s") {
            Some(unit) => unit_bytes(unit, old),
            None => unit.strip_suffix('i').and_then(|_| unit_bytes(&format!("{unit}B"), old)),
        }?;
        Some((number(&digits)? * unit, 2.0 * half_digit(&digits) * unit))
    };
    let rate = key(if old { "bw=" } else { "BW=" });
    part.printed_rates.extend(rate.and_then(printed));
    // 3.x prints the rate again in thousands: `BW=11.0MiB/s (12.6MB/s)(4096MiB/341704msec)`.
    part.printed_rates.extend(rate.and_then(|text| printed(text.split_once(" (")?.1)));
    part
}

/// Bytes of a unit: `MiB`, `MB`, `kB`, `Mbit`; `old` means 1,024 where it says `KB`.
fn unit_bytes(unit: &str, old: bool) -> Option<f64> {
    let (scale, bits) = match unit.strip_suffix("bit") {
        Some(scale) => (scale, 8.0),
        None => (unit.strip_suffix(['B', 'b'])?, 1.0),
    };
    let (letter, binary) = match scale.strip_suffix('i') {
        Some(letter) => (letter, true),
        None => (scale, old),
    };
    if letter.len() > 1 {
        return None;
    }
    let kilo = if binary { 1_024.0 } else { 1_000.0 };
    Some(scaled(&format!("1{letter}"), kilo)? / bits)
}

/// Of ` (usec): min=39, max=8517, avg=85.35, stdev=265.63`.
fn latency(rest: &str) -> Option<Latency> {
    let to_us = to_us(rest.split_once('(')?.1.split(')').next()?)?;
    let value = |name: &str| {
        let from = rest.find(name)? + name.len();
        scaled(rest[from..].split(',').next()?, 1_000.0).map(|n| n * to_us)
    };
    let (mean, max) = (value("avg=")?, value("max=")?);
    // Maxima are printed without decimals.
    let is_possible = mean > 0.0 && max + to_us >= mean;
    is_possible.then(|| Latency { least: value("min=").filter(|least| *least <= mean + to_us), mean, max })
}

/// `1.00th=[   42],  5.00th=[   45],`
fn percentiles(part: &mut Part, text: &str, from: LatencyFrom, to_us: f64) {
    for piece in text.split(']') {
        let Some((pct, value)) = piece.split_once("th=[") else { continue };
        let pct = number(pct.trim_start_matches([',', ' ']));
        // A latency below the unit is printed as 0 and not known.
        let value = scaled(value, 1_000.0).filter(|v| *v > 0.0);
        part.percentiles_unit_us = part.percentiles_unit_us.max(to_us);
        part.percentiles.extend(pct.zip(value).map(|(pct, value)| (from, pct, value * to_us)));
    }
}

/// ` rwts: total=10936,0,0,0 short=...` or `    : total=r=10936/w=0/d=0, short=...`
fn issued(block: &mut Block<'_>, rest: &str) {
    let Some((_, totals)) = rest.split_once("total=") else { return };
    let totals = totals.split([' ', ';']).next().unwrap_or_default().trim_end_matches(',');
    let figures = totals.split(['/', ',']).map(|f| f.trim_start_matches(|c: char| !c.is_ascii_digit()));
    for (slot, figure) in block.issued.iter_mut().zip(figures) {
        *slot = figure.parse().ok();
    }
    let short = rest.split_once("short=").map_or("", |(_, short)| short);
    let short = short.split([' ', ';']).next().unwrap_or_default().split(['/', ',']);
    let short = short.map(|f| f.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().ok());
    block.syncs_are_short =
        block.issued.iter().zip(short).take(2).any(|(total, short)| short.is_some() && short > *total);
}

/// The last block of each job: `--status-interval` prints how far a job is, from its beginning on.
fn last_told(mut blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let mut seen = HashSet::new();
    let mut is_last: Vec<bool> =
        blocks.iter().rev().map(|b| b.pid.is_none() || seen.insert((b.pid, b.name, b.group))).collect();
    blocks.retain(|_| is_last.pop() == Some(true));
    blocks
}

/// Leaves out the sums over clients whose jobs stand before them.
fn without_sums<'a>(build: &mut Build, blocks: Vec<Block<'a>>) -> Vec<Block<'a>> {
    let mut kept: Vec<Block<'a>> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let jobs_are_there =
            |last: &Block<'_>| !last.is_sum_over_clients() && block.may_be_of_one_call_with(last);
        if block.is_sum_over_clients() && kept.last().is_some_and(jobs_are_there) {
            build.section(ALL_CLIENTS, block.line, SectionStatus::Unknown, block.parts.len());
        } else {
            kept.push(block);
        }
    }
    kept
}

fn result(
    source: &str,
    version: Option<&str>,
    asked: &[Asked<'_>],
    blocks: Vec<Block<'_>>,
) -> Option<super::StorageResult> {
    let mut build = Build::new(source, Kind::Fio, Layout::Text);
    // Pieces lack the line of the release.
    build.environment.program = Some(version.unwrap_or("fio").to_owned());
    build.identity().version = version.map(str::to_owned);
    let mut engines: Vec<&str> = asked.iter().filter_map(|a| a.engine).collect();
    engines.dedup();
    build.environment.engine = (!engines.is_empty()).then(|| engines.join(", "));
    // Groups may come by turns and each have many jobs: what is known of one is gathered once.
    let mut of_groups: HashMap<u64, OfGroup<'_>> = HashMap::new();
    for job in asked {
        of_groups.entry(job.group).or_default().add(job);
    }
    let first_told = blocks.iter().map(|block| block.line).next();
    let told = blocks.len();
    let blocks = last_told(blocks);
    if blocks.len() < told {
        build.remark(
            first_told,
            format!(
                "fio told of a job several times ({} reports in all, {} of them the last ones), as with --status-interval",
                told,
                blocks.len()
            ),
            "each report counts from the beginning of its job, so the last one alone is read",
        );
    }
    let mut blocks = without_sums(&mut build, blocks).into_iter().peekable();
    while let Some(first) = blocks.next() {
        let mut group = vec![first];
        while let Some(next) = blocks.next_if(|b| {
            let sum = b.is_sum_over_clients() || group[0].is_sum_over_clients();
            b.group == group[0].group
                && !sum
                && group.last().is_some_and(|last| b.may_be_of_one_call_with(last))
        }) {
            group.push(next);
        }
        let of_group = of_groups.get(&group[0].group);
        let mut parameters = of_group.map(|of| parameters(of, &group)).unwrap_or_default();
        if group.iter().any(|block| block.has_target) {
            // It sets the depth as it goes, up to what was asked for.
            parameters.concurrency = None;
            parameters.paced = true;
            parameters.pace = Some("latency_target".to_owned());
        }
        let (line, name) = (group[0].line, group[0].name);
        // One block for several different jobs.
        let merged = of_group.filter(|of| group.len() == 1 && of.by_name.len() > 1 && group[0].jobs > 1.0);
        let mut streams: Vec<(u32, StreamResult)> = Vec::new();
        for block in group {
            streams.extend(streams_of(&mut build, block, parameters.block_bytes));
        }
        if let Some(of) = merged {
            let jobs = of.by_name.len();
            let all = format!("{}{}", of.first_names.join(", "), if jobs > 3 { ", ..." } else { "" });
            build.note(
                Some(line),
                format!("`{name}` stands for {} different jobs ({all}), which group_reporting put together", jobs),
                "what was asked of one is not what was asked of all: where they differ, size and order are unknown, and \
                 how many requests were under way",
            );
            for (_, stream) in &mut streams {
                let operation = stream.operation.clone();
                stream.name = format!("{name} and {} more, {operation}", jobs - 1);
            }
        }
        held_back(&mut build, (line, name), &mut parameters, &streams);
        build.point(parameters, streams);
    }
    (!build.is_empty()).then(|| build.finish())
}

/// The text names no rate and no pause. By Little's law fewer were under way than asked for where there was one.
fn held_back(
    build: &mut Build,
    (line, name): (u32, &str),
    parameters: &mut Parameters,
    streams: &[(u32, StreamResult)],
) {
    let of = |(_, s): &(u32, StreamResult)| {
        Some(s.iops? * s.latency_us.mean.filter(|_| s.latency_from == LatencyFrom::Submit)? / 1e6)
    };
    let seen: Option<f64> = streams.iter().map(of).sum();
    let Some((asked, seen)) = parameters.concurrency.zip(seen).filter(|(asked, seen)| seen * 2.0 < *asked)
    else {
        return;
    };
    build.note(
        Some(line),
        format!(
            "the options of `{name}` say {asked} requests under way, its figures {seen:.2}: a rate, pauses or syncs between the writes (fsync, fdatasync) held it back, or it ran too short a time"
        ),
        "how many requests were under way is taken as unknown, and its rate for one that was set",
    );
    parameters.concurrency = None;
    parameters.paced = true;
}

/// Operations that `mixed` beside them is the sum of.
const DONE_APART: [&str; 3] = ["read", "write", "trim"];

/// What was asked of the jobs of a group.
#[derive(Default)]
struct OfGroup<'a> {
    /// The first job of each name.
    by_name: HashMap<&'a str, &'a Asked<'a>>,
    /// As many as are said.
    first_names: Vec<&'a str>,
    jobs: usize,
    /// One of them stands for several.
    has_clones: bool,
    /// Size and pattern that all have; `None` inside where they differ or one is not told.
    same: Option<(Option<u64>, Option<&'a str>)>,
}

impl<'a> OfGroup<'a> {
    fn add(&mut self, job: &'a Asked<'a>) {
        if !self.by_name.contains_key(job.name) && self.first_names.len() < 3 {
            self.first_names.push(job.name);
        }
        self.by_name.entry(job.name).or_insert(job);
        self.jobs += 1;
        self.has_clones |= job.has_clones;
        self.same = Some(match self.same {
            None => (job.block_bytes, job.pattern),
            Some((size, pattern)) => {
                (size.filter(|_| size == job.block_bytes), pattern.filter(|_| pattern == job.pattern))
            }
        });
    }
}

/// The load of the jobs of a group.
fn parameters(of: &OfGroup<'_>, group: &[Block<'_>]) -> Parameters {
    // Where a line is missing, those that are there are not what all of the group was asked for.
    let jobs: f64 = group.iter().map(|b| b.jobs).sum();
    let is_told =
        group.iter().all(|b| of.by_name.contains_key(b.name)) && (of.has_clones || jobs == of.jobs as f64);
    if !is_told {
        return Parameters::default();
    }
    // One block for several different jobs: which of them it stands for is not known.
    let merged = group.len() == 1 && of.by_name.len() > 1;
    let under_way = |block: &Block<'_>| {
        let asked = of.by_name.get(block.name)?;
        const ONE: [&str; 7] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice"];
        let depth = if ONE.contains(&asked.engine?) { 1.0 } else { asked.depth? };
        Some(depth * block.jobs)
    };
    let (block_bytes, pattern) = of.same.unwrap_or_default();
    Parameters {
        concurrency: if merged { None } else { group.iter().map(under_way).sum() },
        block_bytes,
        pattern: pattern.map(str::to_owned),
        ..Parameters::default()
    }
}

fn streams_of(build: &mut Build, mut block: Block<'_>, block_bytes: Option<u64>) -> Vec<(u32, StreamResult)> {
    if block.parts.iter().any(|p| DONE_APART.contains(&p.stream.operation.as_str())) {
        block.parts.retain(|p| p.stream.operation != "mix");
    }
    // A request that failed counts with its size asked for, and has moved less.
    let block_bytes = block_bytes.filter(|_| block.error.is_none());
    let several = block.parts.len() > 1;
    let rows = block.parts.len();
    let mut out = Vec::new();
    for part in block.parts {
        let slot = match part.stream.operation.as_str() {
            "read" => 0,
            "write" => 1,
            "trim" => 2,
            _ => 3,
        };
        let total = match part.stream.operation.as_str() {
            "mix" => block.issued.iter().take(3).copied().sum(),
            // Their latencies stand there, so some were made.
            "sync" if block.issued[slot] == Some(0) || block.syncs_are_short => {
                build.note(
                    Some(part.line),
                    "`issued rwts` does not count these syncs: fdatasync has no place there and is printed below `short=`",
                    "how many there were is taken as unknown",
                );
                None
            }
            _ => block.issued[slot],
        };
        let mut stream = complete(build, &part, total, block_bytes);
        if several {
            stream.name = format!("{}, {}", block.name, stream.operation);
        }
        out.push((part.line, stream));
    }
    let title = format!("job {} (group {})", block.name, block.group);
    build.section(
        title,
        block.line,
        if rows == 0 { SectionStatus::Absent } else { SectionStatus::Read },
        rows,
    );
    if let Some(error) = block.error {
        let said = format!("{ENDED_BY_ERROR} {error}");
        match out.first_mut() {
            Some((_, stream)) => stream.errors.push(said),
            None => {
                build.note(Some(block.line), format!("job `{}`: {said}", block.name), "it has no figures")
            }
        }
    }
    out
}

/// The printed rate of bytes where another one bears it out, else the sharpest of those that bear each other out. fio 3.0 and 3.1 cut decimals away and not off:
/// `11.0MiB/s` where 11.98 were done.
fn bytes_per_s(build: &mut Build, part: &Part, elapsed_s: Option<f64>) -> Option<f64> {
    let mut rates = part.printed_rates.clone();
    rates.extend(part.printed_bytes.zip(elapsed_s).map(|((bytes, slack), seconds)| {
        (bytes / seconds, slack / seconds + bytes / seconds * 0.001 / seconds)
    }));
    if let [only] = rates.as_slice() {
        return Some(only.0);
    }
    let agree = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() <= a.1 + b.1 + a.0 * 0.002;
    let is_borne_out =
        |n: usize| rates.iter().enumerate().any(|(m, other)| m != n && agree(rates[n], *other));
    let borne_out: Vec<(f64, f64)> =
        (0..rates.len()).filter(|n| is_borne_out(*n)).map(|n| rates[n]).collect();
    if borne_out.len() < rates.len() {
        let digits = if rates.iter().any(|(rate, _)| *rate < 1e7) { 4 } else { 1 };
        let all: Vec<String> = rates.iter().map(|(rate, _)| format!("{:.digits$}", rate / 1e6)).collect();
        build.note(
            Some(part.line),
            format!("the printed rates of bytes differ: {} MB/s", all.join(", ")),
            "the one that another one bears out is taken; unknown where there is none",
        );
    }
    let first = borne_out.first().filter(|first| rates.first() == Some(first));
    let sharpest = || borne_out.iter().min_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    first.or_else(sharpest).map(|(rate, _)| *rate)
}

/// Figures of an operation from what is printed of it.
fn complete(build: &mut Build, part: &Part, total: Option<u64>, block_bytes: Option<u64>) -> StreamResult {
    let mut out = part.stream.clone();
    out.ios = total;
    if out.operation != "sync" {
        let computed = total.zip(out.elapsed_s).map(|(ios, s)| ios as f64 / s);
        out.iops = match (computed, part.printed_iops) {
            (Some(exact), Some((printed, slack)))
                if (exact - printed).abs() <= slack + exact * 0.001 + 1.0 =>
            {
                Some(exact)
            }
            (Some(exact), Some((printed, _))) => {
                build.note(
                    Some(part.line),
                    format!("{exact:.1} requests a second by count and time, {printed} as printed"),
                    "the printed rate is taken, the count as unknown",
                );
                out.ios = None;
                Some(printed)
            }
            // `IOPS=0` is cut to a whole number: less than one a second.
            (exact, printed) => exact.or(printed.map(|(printed, _)| printed).filter(|rate| *rate > 0.0)),
        };
        let exact = out.ios.zip(block_bytes).and_then(|(ios, size)| ios.checked_mul(size));
        out.bytes = exact.filter(|bytes| {
            part.printed_bytes.is_some_and(|(printed, slack)| (*bytes as f64 - printed).abs() <= slack)
        });
        out.mbps = match out.bytes.zip(out.elapsed_s) {
            Some((bytes, seconds)) => Some(bytes as f64 / 1e6 / seconds),
            None => bytes_per_s(build, part, out.elapsed_s).map(|rate| rate / 1e6),
        };
    } else {
        out.elapsed_s = None;
    }
    // An engine that does not tell fio when it submitted has latencies from another time on.
    if let Some((lat, clat)) = part.lat.zip(part.clat).filter(|(lat, clat)| is_longer(clat.mean, lat.mean)) {
        build.note(
            Some(part.line),
            format!(
                "the mean of clat is {} us, that of lat, of which it is a part, {} us",
                clat.mean, lat.mean
            ),
            "the latencies are taken as unknown",
        );
        return out;
    }
    let whole = part.lat.map(|l| (l, LatencyFrom::Submit)).or(part.clat.map(|l| (l, LatencyFrom::Submitted)));
    if let Some((Latency { mean, max, .. }, from)) = whole {
        out.latency_from = from;
        (out.latency_us.mean, out.latency_us.max) = (Some(mean), Some(max));
    }
    let from = if part.percentiles.iter().any(|(from, ..)| *from == LatencyFrom::Submit) {
        LatencyFrom::Submit
    } else {
        LatencyFrom::Submitted
    };
    let mut found: Vec<(f64, f64)> =
        part.percentiles.iter().filter(|(of, ..)| *of == from).map(|(_, pct, us)| (*pct, *us)).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    if found.windows(2).any(|w| w[1].1 < w[0].1) {
        build.note(Some(part.line), "the percentiles do not rise", "they are taken as unknown");
        found.clear();
    }
    // Those of a sync and of `lat` are of the whole.
    let of = if from == LatencyFrom::Submit { part.lat } else { part.clat };
    let printed = fio_top::Printed {
        percentiles: &found,
        slack_us: part.percentiles_unit_us,
        least_us: of.and_then(|l| l.least),
        most_us: of.map(|l| l.max),
    };
    printed.set(build, part.line, &part.stream.name, &mut out.latency_us);
    if !found.is_empty() && from != out.latency_from {
        out.percentiles_from = Some(from);
    }
    out
}
