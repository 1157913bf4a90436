//! Files of Orion, 10.2 to 19c: the summary, the tables of rates and latencies (`iops`, `mbps`, `lat`) and the
//! histograms.
//!
//! All are of points of a grid: small requests under way by large ones. MB are 2^20 bytes, and are converted.
//! Latencies of the summary are in milliseconds up to 11.1, without a unit, and in `usecs` since. The tables
//! say since 11.2 in their first lines what they hold; without them rates and latencies look alike, and such a
//! table is refused. Histograms have buckets of powers of two: percentiles are known between two bounds.
//!
//! Trap: notes hold the summaries of several runs one behind the other. The same place of the grid is another load in
//! each of them, so each run is a result of its own.

use super::StorageReading;
use super::build::{Build, stream};
use super::words::number;
use spindle_facts::{Kind, Layout, SectionStatus};
use spindle_workload::{Form, LatencyFrom, Matrix, Parameters, StreamResult};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Does it come from Orion?
pub(super) fn is_it(head: &str) -> bool {
    let head = &*without_stars(head);
    let has = |sign: &str| memchr::memmem::find(head.as_bytes(), sign.as_bytes()).is_some();
    has("ORION VERSION")
        || has("ORION: ORacle IO Numbers")
        || (has("Maximum Large MBPS=") || has("Maximum Small IOPS=")) && has(" @ Small=")
        || has("Latency Histogram @ Small=")
        || table_of(head).is_some()
}

/// The text without the stars that notes put around a figure to print it bold: `***MBPS=155.63***`.
fn without_stars(text: &str) -> Cow<'_, str> {
    if memchr::memmem::find(text.as_bytes(), b"**").is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("**") {
        out.push_str(&rest[..at]);
        rest = rest[at..].trim_start_matches('*');
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Holds {
    Iops,
    Mbps,
    LatencyUs,
    LatencyMs,
    Unsaid,
}

/// A table by large and small: its line of headings, counted from 0, and what it holds.
fn table_of(text: &str) -> Option<(usize, Holds)> {
    let mut holds = Holds::Unsaid;
    for (at, row) in text.lines().take(40).enumerate() {
        if row.len() > LONGEST_LINE {
            return None;
        }
        let words = row.to_ascii_lowercase();
        let first = words.split(',').next().unwrap_or_default().trim();
        if words.contains(',') && first.replace(' ', "") == "large/small" {
            return Some((at, holds));
        }
        if words.contains("small") && words.contains("latency") {
            holds = if words.contains("micro") || words.contains("usec") {
                Holds::LatencyUs
            } else if words.contains("milli") || words.contains("msec") {
                Holds::LatencyMs
            } else {
                Holds::Unsaid
            };
        } else if words.contains("small") && words.contains("iops") {
            holds = Holds::Iops;
        } else if words.contains("large") && words.contains("mbps") {
            holds = Holds::Mbps;
        }
    }
    None
}

/// Longer lines are nothing that Orion prints, and a table has no more columns.
const LONGEST_LINE: usize = 20_000;
const MIB: f64 = 1_048_576.0;
/// Requests under way that are believed.
const MOST_UNDER_WAY: u32 = 100_000;

/// Reads a file.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    let text = &*without_stars(text);
    let new = || {
        let mut build = Build::new(source, Kind::Orion, Layout::Text);
        build.form = Form::Matrix;
        build.environment.program = Some("Orion".to_owned());
        build
    };
    let mut builds = Vec::new();
    let refused = match table_of(text) {
        Some((_, Holds::Unsaid)) => Some(
            "it is a table of Orion by large and small requests, and does not say whether it holds rates or latencies: the \
             summary of the run does, and the tables of release 11.2 and later"
                .to_owned(),
        ),
        Some((at, holds)) => {
            let mut build = new();
            let refused = table(&mut build, text, at, holds);
            builds.push(build);
            refused
        }
        None => {
            for (line, run) in runs(text) {
                let mut build = new();
                summary(&mut build, run, line);
                // What a run printed while it went on is its summary again.
                let again = |before: &Build| {
                    let said = |build: &Build| build.matrix.as_ref().map(|m| m.summary.clone());
                    said(before).is_some() && said(before) == said(&build)
                };
                if !builds.last().is_some_and(again) {
                    builds.push(build);
                }
            }
            None
        }
    };
    builds.retain(|build| !build.is_empty());
    let empty = builds.is_empty();
    StorageReading {
        results: builds.into_iter().map(Build::finish).collect(),
        refused: refused.or_else(|| {
            empty.then(|| {
                "it comes from Orion and holds none of its results: the run may have failed or not ended; give its summary, \
                 its tables (iops, mbps, lat) or its histograms"
                    .to_owned()
            })
        }),
    }
}

/// The figures of a summary, one each in a run.
const FIGURES: [&str; 3] = ["Maximum Large MBPS=", "Maximum Small IOPS=", "Minimum Small Latency="];

/// The runs that a text tells of, each from its first line on: behind figures a heading begins another one, as does a
/// figure that was told already and is now another.
fn runs(text: &str) -> Vec<(u32, &str)> {
    let mut runs = Vec::new();
    let (mut from, mut from_line, mut at) = (0, 1, 0);
    let mut told: [Option<&str>; FIGURES.len()] = [None; FIGURES.len()];
    for (line, row) in (1_u32..).zip(text.split_inclusive('\n')) {
        let begins = row.contains("ORION VERSION")
            || row.contains("ORION: ORacle IO Numbers")
            || row.contains("orion") && row.contains(" -run ")
            || ["Command line", "Commandline"].iter().any(|head| row.trim_start().starts_with(head));
        // The last figure of a line reaches to its end, and may stand behind others (12.2).
        let figure =
            FIGURES.iter().enumerate().find_map(|(n, name)| Some((n, row[row.find(name)?..].trim())));
        let other = figure.is_some_and(|(n, now)| told[n].is_some_and(|before| before != now));
        if other || begins && told.iter().any(Option::is_some) {
            runs.push((from_line, &text[from..at]));
            (from, from_line, told) = (at, line, [None; FIGURES.len()]);
        }
        if let Some((n, now)) = figure {
            told[n] = Some(now);
        }
        at += row.len();
    }
    runs.push((from_line, &text[from..]));
    runs
}

fn table(build: &mut Build, text: &str, headings_at: usize, holds: Holds) -> Option<String> {
    let mut columns: Vec<Option<u32>> = Vec::new();
    let mut points: BTreeMap<(u32, u32), (u32, f64)> = BTreeMap::new();
    let mut first_line = 0;
    let ended = text.ends_with('\n');
    let lines = text.lines().count();
    let mut cut = None;
    for (at, row) in text.lines().enumerate().skip(headings_at) {
        let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let cells = row.split(',').map(str::trim);
        if at == headings_at {
            first_line = line;
            columns = cells.skip(1).map(under_way).collect();
            continue;
        }
        let mut cells = cells;
        let Some(large) = cells.next().and_then(under_way) else { continue };
        let whole: Vec<&str> = cells.collect();
        for (n, cell) in whole.iter().enumerate() {
            if cell.is_empty() {
                continue;
            }
            // The last cell of a file without a last line end may be cut.
            if !ended && at + 1 == lines && n + 1 == whole.len() {
                cut = Some(line);
                continue;
            }
            let Some(small) = columns.get(n).copied().flatten() else { continue };
            match number(cell) {
                // No request of that kind was made there.
                Some(0.0) => {}
                Some(value) => {
                    points.insert((large, small), (line, value));
                }
                None => build.note(Some(line), format!("`{cell}` is no number"), "it is taken as unknown"),
            }
        }
    }
    let rows = points.len();
    let (title, large_requests) = match holds {
        Holds::Iops => ("small requests a second", false),
        Holds::Mbps => ("MB/s of large requests", true),
        _ => ("latency of small requests", false),
    };
    build.section(
        title,
        first_line,
        if rows == 0 { SectionStatus::Absent } else { SectionStatus::Read },
        rows,
    );
    for ((large, small), (line, value)) in points {
        let mut found = stream(if large_requests { "large" } else { "small" }, "unknown");
        match holds {
            Holds::Iops => found.iops = Some(value),
            Holds::Mbps => found.mbps = Some(value * MIB / 1e6),
            Holds::LatencyMs => found.latency_us.mean = Some(value * 1e3),
            _ => found.latency_us.mean = Some(value),
        }
        if found.latency_us.mean.is_some() {
            found.latency_from = LatencyFrom::Submit;
        }
        build.point(at_point(small, large, None), vec![(line, found)]);
    }
    build.note(
        None,
        "the table does not say the share of writes",
        "whether requests are reads or writes is not known",
    );
    cut.map(|line| {
        format!("line {line}: the table ends without the end of its line; its last figure may be cut and is left out")
    })
}

fn under_way(cell: &str) -> Option<u32> {
    cell.parse().ok().filter(|n| *n <= MOST_UNDER_WAY)
}

fn at_point(small: u32, large: u32, block_bytes: Option<u64>) -> Parameters {
    Parameters { small: Some(small), large: Some(large), block_bytes, ..Parameters::default() }
}

/// `Small=17 and Large=0` behind the last ` @ `.
fn place(row: &str) -> Option<(u32, u32)> {
    let (_, at) = row.rsplit_once("@ Small=")?;
    let (small, large) = at.split_once(" and Large=")?;
    let digits = large.trim_end().trim_end_matches(':');
    Some((under_way(small.trim())?, under_way(digits.trim())?))
}

/// Streams of a point while its lines are read.
#[derive(Default)]
struct Found {
    line: u32,
    small: Option<StreamResult>,
    large: Option<StreamResult>,
    /// Mean and maximum latency of small reads and writes, microseconds.
    reads: Option<(f64, f64)>,
    writes: Option<(f64, f64)>,
    /// Those that histograms tell of.
    parts: Vec<StreamResult>,
}

fn summary(build: &mut Build, text: &str, first: u32) {
    let mut points: BTreeMap<(u32, u32), Found> = BTreeMap::new();
    let mut matrix = Matrix::default();
    let mut operation = "unknown";
    let mut sizes: (Option<u64>, Option<u64>) = (None, None);
    let mut orders = (None, None);
    let mut histogram: Option<Histogram> = None;
    let mut first_line = None;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    // 12.2 ends no line between the latency of writes and the next figure, nor behind `4 files found.`
    let lines =
        (first..).zip(whole.lines()).filter(|(_, row)| row.len() <= LONGEST_LINE).flat_map(|(line, row)| {
            let at = ["Minimum Small Latency=", "Maximum Small IOPS=", "Maximum Large MBPS="]
                .iter()
                .find_map(|name| row.find(name))
                .unwrap_or(0);
            let (head, rest) = row.split_at(at);
            (at > 0).then_some((line, head)).into_iter().chain([(line, rest)])
        });
    for (line, row) in lines {
        let row = row.trim();
        if let Some(open) = &mut histogram {
            if open.row(row) {
                continue;
            }
            if let Some(done) = histogram.take() {
                done.into_streams(&mut points);
            }
        }
        let lower = row.to_ascii_lowercase();
        let behind =
            |name: &str| lower.strip_prefix(name).map(|rest| rest.trim_start_matches([':', ' ', '=']));
        if let Some(version) = row.split_once("ORION VERSION").map(|(_, v)| v.trim()) {
            build.identity().version = Some(version.to_owned()).filter(|v| !v.is_empty() && v.len() < 60);
        } else if let Some(pct) =
            behind("writes").or_else(|| behind("write")).and_then(|w| w.strip_suffix('%'))
        {
            operation = match number(pct) {
                Some(0.0) => "read",
                Some(100.0) => "write",
                _ => "mix",
            };
        } else if let Some(size) = behind("small io size") {
            sizes.0 = kib(size);
        } else if let Some(size) = behind("large io size") {
            sizes.1 = kib(size);
        } else if let Some(types) = behind("io types") {
            orders = (order(types, "small"), order(types, "large"));
        } else if let Some((what, at)) = figure(row).zip(place(row)) {
            first_line.get_or_insert(line);
            let found = points.entry(at).or_default();
            found.line = if found.line == 0 { line } else { found.line };
            let value = what.1;
            match what.0 {
                Figure::LargeMbps => {
                    let mbps = value * MIB / 1e6;
                    found.large.get_or_insert_with(|| stream("large", "unknown")).mbps = Some(mbps);
                    matrix.max_large_mbps = Some((mbps, at.0, at.1));
                }
                Figure::SmallIops => {
                    found.small.get_or_insert_with(|| stream("small", "unknown")).iops = Some(value);
                    matrix.max_small_iops = Some((value, at.0, at.1));
                }
                Figure::SmallUs => {
                    let small = found.small.get_or_insert_with(|| stream("small", "unknown"));
                    small.latency_us.mean = Some(value);
                    small.latency_from = LatencyFrom::Submit;
                    matrix.min_small_latency_us = Some((value, at.0, at.1));
                }
            }
            matrix.summary.push(row.to_owned());
        } else if row.contains("Latency Histogram @ Small=") {
            histogram = place(row).map(|at| Histogram::new(row, line, at));
        } else if let Some(((kind, mean, max), at)) = average(row).zip(place(row))
            && let Some(found) = points.get_mut(&at)
        {
            let known = if kind == "read" { &mut found.reads } else { &mut found.writes };
            known.get_or_insert((mean, max));
        }
    }
    if let Some(done) = histogram {
        done.into_streams(&mut points);
    }
    let rows = points.len();
    if let Some(line) = first_line.or_else(|| points.values().map(|f| f.line).next()) {
        build.section("results by small and large requests", line, SectionStatus::Read, rows);
    }
    if whole.len() < text.len() {
        build.note(None, "the file ends within a line", "that line is left out");
    }
    let has_summary = !matrix.summary.is_empty();
    for ((small, large), found) in points {
        let block = if small > 0 && large == 0 {
            sizes.0
        } else if small == 0 && large > 0 {
            sizes.1
        } else {
            None
        };
        let mut streams: Vec<(u32, StreamResult)> = Vec::new();
        // Latencies of one kind alone are those of all, and say which kind it was.
        let of_all = match (found.reads, found.writes) {
            (Some(reads), None) if operation != "mix" => Some(("read", reads)),
            (None, Some(writes)) if operation != "mix" => Some(("write", writes)),
            _ => None,
        };
        let what = match (of_all, found.reads.is_some() && found.writes.is_some()) {
            (Some((kind, _)), _) if operation == "unknown" => kind,
            (_, true) => "mix",
            _ => operation,
        };
        if let Some(mut small) = found.small {
            if let Some((_, (mean, max))) = of_all {
                small.latency_us.mean.get_or_insert(mean);
                small.latency_us.max = Some(max);
                small.latency_from = LatencyFrom::Submit;
            }
            what.clone_into(&mut small.operation);
            streams.push((found.line, small));
        }
        if let Some(mut large) = found.large {
            operation.clone_into(&mut large.operation);
            streams.push((found.line, large));
        }
        if of_all.is_none() {
            for (kind, latency) in [("read", found.reads), ("write", found.writes)] {
                let Some((mean, max)) = latency else { continue };
                let mut part = stream("small", kind);
                (part.latency_us.mean, part.latency_us.max) = (Some(mean), Some(max));
                part.latency_from = LatencyFrom::Submit;
                streams.push((found.line, part));
            }
        }
        for part in found.parts {
            // What the histogram of reads says belongs to the stream of reads.
            match streams.iter_mut().find(|(_, s)| s.name == part.name && s.operation == part.operation) {
                Some((_, known)) => {
                    known.ios = part.ios;
                    known.latency_us.intervals = part.latency_us.intervals;
                    known.latency_from = LatencyFrom::Submit;
                }
                None => streams.push((found.line, part)),
            }
        }
        let pattern = match (small > 0, large > 0) {
            (true, false) => orders.0.map(str::to_owned),
            (false, true) => orders.1.map(str::to_owned),
            _ => orders.0.zip(orders.1).map(|(small, large)| {
                if small == large { small.to_owned() } else { format!("small {small}, large {large}") }
            }),
        };
        build.point(Parameters { pattern, ..at_point(small, large, block) }, streams);
    }
    if has_summary {
        build.matrix = Some(matrix);
    }
}

/// The order of addresses behind `small` or `large` in `small random ios, large sequential streams`.
fn order(types: &str, size: &str) -> Option<&'static str> {
    let kind = types.split(',').find_map(|kind| kind.trim().strip_prefix(size))?;
    match kind.split_whitespace().next()? {
        "random" => Some("random"),
        "sequential" => Some("sequential"),
        _ => None,
    }
}

/// `8 KB`
fn kib(text: &str) -> Option<u64> {
    let digits = text.strip_suffix("kb")?.trim();
    digits.parse::<u64>().ok().filter(|n| (1..=1 << 20).contains(n)).map(|n| n * 1_024)
}

enum Figure {
    LargeMbps,
    SmallIops,
    SmallUs,
}

/// `Maximum Small IOPS=185 @ ...`, with the latency in microseconds.
fn figure(row: &str) -> Option<(Figure, f64)> {
    let (name, rest) = row.split_once('=')?;
    let (value, _) = rest.split_once('@')?;
    match name {
        "Maximum Large MBPS" => Some((Figure::LargeMbps, number(value)?)),
        "Maximum Small IOPS" => Some((Figure::SmallIops, number(value)?)),
        "Minimum Small Latency" => {
            let value = value.trim();
            let us = match value.split_once(' ') {
                Some((us, "usecs" | "us" | "usec")) => number(us)?,
                Some((ms, "msecs" | "ms" | "msec")) => number(ms)? * 1e3,
                Some(_) => return None,
                None => number(value)? * 1e3,
            };
            Some((Figure::SmallUs, us))
        }
        _ => None,
    }
    .filter(|(_, value)| *value > 0.0)
}

/// Operation, mean and maximum, microseconds, of `Small Read Latency: avg=1711 us, min=791 us, max=12316 us, ... @ ...`
fn average(row: &str) -> Option<(&'static str, f64, f64)> {
    let (kind, rest) = match row.strip_prefix("Small Read Latency:") {
        Some(rest) => ("read", rest),
        None => ("write", row.strip_prefix("Small Write Latency:")?),
    };
    let value = |name: &str| {
        let from = rest.find(name)? + name.len();
        let (value, unit) = rest[from..].split(',').next()?.trim().split_once(' ')?;
        let scale = match unit.split(' ').next()? {
            "us" => 1.0,
            "ms" => 1e3,
            _ => return None,
        };
        Some(number(value)? * scale)
    };
    let (mean, max) = (value("avg=")?, value("max=")?);
    (mean > 0.0 && max >= mean).then_some((kind, mean, max))
}

/// Buckets of a histogram: bounds in microseconds, reads and writes.
struct Histogram {
    line: u32,
    at: (u32, u32),
    kind: &'static str,
    rows: Vec<(f64, f64, u64, u64)>,
    broken: bool,
}

impl Histogram {
    fn new(title: &str, line: u32, at: (u32, u32)) -> Self {
        let kind = if title.starts_with("Large") { "large" } else { "small" };
        Self { line, at, kind, rows: Vec::new(), broken: false }
    }

    /// `64 - 128        us:         1112243 ( 91.12%)              0 (  0.00%)`; `false` where it ends.
    fn row(&mut self, row: &str) -> bool {
        if row.is_empty() || row.starts_with("Latency:") {
            return self.rows.is_empty();
        }
        let Some((bounds, counts)) = row.split_once(':') else { return false };
        let Some((low, high)) = bounds.split_once('-') else { return false };
        let high = high.trim();
        let (high, scale) = match high.rsplit_once(char::is_whitespace) {
            Some((high, "us")) => (high, 1.0),
            Some((high, "ms")) => (high, 1e3),
            _ => return false,
        };
        let mut numbers = counts.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|w| !w.is_empty());
        let (reads, _, writes) = (numbers.next(), numbers.next(), numbers.next());
        let count = |cell: Option<&str>| cell.and_then(|c| c.parse::<u64>().ok());
        match (number(low), number(high), count(reads), count(writes)) {
            (Some(low), Some(high), Some(reads), Some(writes)) if low < high => {
                self.broken |= self.rows.last().is_some_and(|last| last.1 > low);
                self.rows.push((low * scale, high * scale, reads, writes));
            }
            _ => self.broken = true,
        }
        true
    }

    fn into_streams(self, points: &mut BTreeMap<(u32, u32), Found>) {
        if self.broken || self.rows.is_empty() {
            return;
        }
        let found = points.entry(self.at).or_default();
        found.line = if found.line == 0 { self.line } else { found.line };
        type Count = fn(&(f64, f64, u64, u64)) -> u64;
        let operations: [(&str, Count); 2] = [("read", |r| r.2), ("write", |r| r.3)];
        for (operation, count) in operations {
            let total = self.rows.iter().try_fold(0_u64, |sum, row| sum.checked_add(count(row)));
            let Some(total) = total.filter(|total| *total > 0) else { continue };
            let mut out = stream(self.kind, operation);
            out.ios = Some(total);
            out.latency_from = LatencyFrom::Submit;
            for (name, pct) in [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("p999", 99.9)] {
                let wanted = total as f64 * pct / 100.0;
                let mut below = 0.0;
                let bucket = self.rows.iter().find(|row| {
                    below += count(row) as f64;
                    below >= wanted
                });
                out.latency_us.intervals.extend(bucket.map(|row| (name.to_owned(), (row.0, row.1))));
            }
            if found.parts.iter().all(|p| (&p.name, &p.operation) != (&out.name, &out.operation)) {
                found.parts.push(out);
            }
        }
    }
}
