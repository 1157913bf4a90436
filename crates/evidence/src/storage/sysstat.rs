//! Output of sysstat's `iostat` (text and `-o JSON`) and `sar -d`, old and new column names; `sadf -d` and `sadf -j`,
//! which write what sar has kept.
//!
//! Found by heading: `r/s`, `rkB/s` (also `rMB/s`, `rsec/s`), `r_await`, or one `await` for all; without `-x`
//! `tps` and `kB_read/s`. kB are 1,024 bytes, MB 2^20, sectors and `Blk` 512. `await` is milliseconds from
//! entering the kernel's queue of the device, and 0.00 where nothing was done: unknown then.
//!
//! Traps: the first report of iostat counts from boot, unless `-y` was given; a comma may be the decimal
//! point. `--human` (within `-h` since release 12) prints units behind the numbers, which then count and not
//! those of the heading: `11.9M` below `rkB/s`. `--pretty` (within `-h` likewise) has the name of the device in
//! the last column, and with `-x` a table each for reads, writes and the rest. `-h` before release 12 has
//! the name on a line of its own and the figures below it. Logs are appended to: each call of iostat begins with a
//! line about the machine, and its first report counts from boot again; another machine has disks of the same names. An
//! excerpt without that line begins with any report. `tps` counts discards, and the bytes of reads and writes leave them out.
//! Times in other languages: `14时20分01秒`, `20시 09분 43초`, and their word for the average.

use super::StorageReading;
use super::build::{Build, stream};
use super::json::{self, Json};
use super::unwrapped::{self, are_columns};
use super::words::number;
use spindle_facts::{Kind, Layout, SectionStatus};
use spindle_workload::{LatencyFrom, Parameters, StreamResult};
use std::borrow::Cow;
use std::collections::BTreeMap;

const LONGEST_LINE: usize = 4_000;
/// What is said of the first report.
const SINCE_BOOT: &str = "since boot";
/// What is said of the mean over all intervals.
const AVERAGE: &str = "average";

/// Output of iostat?
pub(super) fn is_iostat(head: &str) -> bool {
    is_json(head) || head.lines().take(2_000).any(|row| iostat_headings(row).is_some() || is_of_cpus(row))
}

/// Headings of the CPUs, which iostat prints before the disks, and with `-c` alone.
fn is_of_cpus(row: &str) -> bool {
    row.len() <= LONGEST_LINE && row.trim_start().starts_with("avg-cpu:") && row.contains("%iowait")
}

fn is_json(head: &str) -> bool {
    head.trim_start().starts_with('{')
        && head.contains("\"sysstat\"")
        && ["\"disk_device\"", "\"avg-cpu\""].iter().any(|key| head.contains(key))
}

/// Output of `sar -d`?
pub(super) fn is_sar(head: &str) -> bool {
    let head = &*with_whole_times(head);
    is_sadf_json(head)
        || head.lines().take(20_000).any(|row| sar_headings(row).is_some() || sadf_headings(row).is_some())
        || is_sar_without_disks(head)
}

fn is_sadf_json(head: &str) -> bool {
    head.trim_start().starts_with('{')
        && head.contains("\"sysstat\"")
        && (["\"disk-device\"", "\"cpu-load"].iter().any(|key| head.contains(key))
            // iostat has this key too.
            || head.contains("\"number-of-cpus\"") && !is_json(head))
}

/// Of the CPUs, of memory: what `sar` prints without `-d`, behind the line about the machine.
fn is_sar_without_disks(head: &str) -> bool {
    let mut rows = head.lines().filter(|row| !row.trim().is_empty()).take(200);
    rows.any(|row| machine(row.trim()).is_some())
        && rows.any(|row| {
            let mut words = row.split_whitespace();
            words.next().is_some_and(is_clock)
                && words.take(3).any(|word| ["CPU", "tps", "kbmemfree", "runq-sz", "IFACE"].contains(&word))
        })
}

/// `12:10:01`, `12时10分01秒`, `12시10분01초`
fn is_clock(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.contains([':', '时', '時', '시'])
}

/// The text with times as one word each that have blanks within: `20시 09분 43초`, also behind `오후`.
fn with_whole_times(text: &str) -> Cow<'_, str> {
    if !text.contains("시 ") {
        return Cow::Borrowed(text);
    }
    let whole = |row: &str| {
        let (indent, rest) = row.split_at(row.len() - row.trim_start().len());
        let half = ["오전 ", "오후 "].into_iter().find(|half| rest.starts_with(half)).unwrap_or_default();
        let time = &rest[half.len()..];
        let ends = ["시 ", "분 ", "초"];
        let mut at = 0;
        for end in ends {
            let digits = time[at..].bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 || digits > 2 || !time[at + digits..].starts_with(end) {
                return row.to_owned();
            }
            at += digits + end.len();
        }
        // Afternoon stands behind, as a word that begins with a digit is a time.
        let (time, behind) = time.split_at(at);
        let half = half.trim_end();
        format!("{indent}{}{half}{behind}", time.replace(' ', ""))
    };
    Cow::Owned(text.split_inclusive('\n').map(whole).collect())
}

/// Headings of `sadf -d`: `# hostname;interval;timestamp;DEV;tps;...`
fn sadf_headings(row: &str) -> Option<Vec<&str>> {
    if row.len() > LONGEST_LINE || !row.contains(";DEV;tps;") {
        return None;
    }
    let words: Vec<&str> = row.trim().trim_start_matches(['#', ' ']).split(';').collect();
    (words.first() == Some(&"hostname") && words.contains(&"timestamp")).then_some(words)
}

/// Words of the headings of iostat, where it is such a line.
fn iostat_headings(row: &str) -> Option<Vec<&str>> {
    iostat_table(row).filter(|words| ["r/s", "tps"].iter().any(|name| words.contains(name)))
}

/// The same of any table of a report: writes and the rest may have one of their own.
fn iostat_table(row: &str) -> Option<Vec<&str>> {
    if row.len() > LONGEST_LINE || !row.contains("Device") {
        return None;
    }
    // Old releases leave no blank behind it where the next column is wide: `Device:rrqm/s`.
    let apart = |word| match str::strip_prefix(word, "Device:") {
        Some(next) if !next.is_empty() => ["Device", next],
        _ => [word.trim_end_matches(':'), ""],
    };
    let words: Vec<&str> = row.split_whitespace().flat_map(apart).filter(|word| !word.is_empty()).collect();
    let known = ["r/s", "tps", "w/s", "d/s", "f/s", "aqu-sz"].iter().any(|name| words.contains(name));
    let at_an_end = words.first() == Some(&"Device") || words.last() == Some(&"Device");
    (at_an_end && known && words.len() > 2).then_some(words)
}

/// Headings of `sar -d`.
struct SarHeadings<'a> {
    words: Vec<&'a str>,
    /// Words of the time before the figures: AM or PM is one of its own, and so is a time zone.
    time: usize,
    /// Where the name of the device stands.
    device: usize,
}

/// The headings of `sar -d`, where it is such a line.
fn sar_headings(row: &str) -> Option<SarHeadings<'_>> {
    if row.len() > LONGEST_LINE || !row.contains("DEV") {
        return None;
    }
    let words: Vec<&str> = row.split_whitespace().collect();
    let device = words.iter().position(|w| *w == "DEV")?;
    let tps = words.iter().position(|w| *w == "tps")?;
    let last = device + 1 == words.len();
    let first = tps == device + 1;
    let time = if last { tps } else { device };
    // Both AM or PM and a zone: `12:55:18 PM IST`.
    let is_time = time <= 2 || time == 3 && is_clock(words[0]) && matches!(words[1], "AM" | "PM");
    (is_time && (first || last) && words.len() > tps + 2).then_some(SarHeadings { words, time, device })
}

/// The cells of a row below so many headings. A name in the last column may hold blanks.
fn cells(row: &str, headings: usize, name_is_last: bool) -> Vec<&str> {
    let mut words: Vec<&str> = row.split_whitespace().collect();
    if name_is_last && words.len() > headings {
        let from = words[headings - 1].as_ptr() as usize - row.as_ptr() as usize;
        words.truncate(headings - 1);
        words.push(row[from..].trim_end());
    }
    words
}

/// A number of sysstat; the decimal point may be a comma.
fn value(cell: &str) -> Option<f64> {
    if cell.matches(',').count() == 1 && !cell.contains('.') {
        return number(&cell.replace(',', "."));
    }
    number(cell)
}

/// Bytes with the unit behind the number, as `--human` has them: `11.9M`; `s` are sectors.
fn human_bytes(cell: &str) -> Option<f64> {
    let unit = cell.chars().next_back()?;
    let bytes = match unit {
        's' => 512.0,
        'B' => 1.0,
        'k' => 1_024.0,
        'M' => 1_048_576.0,
        'G' => 1_073_741_824.0,
        'T' => 1_099_511_627_776.0,
        _ => return None,
    };
    Some(value(&cell[..cell.len() - unit.len_utf8()])? * bytes)
}

/// Reads iostat.
pub(super) fn iostat(source: &str, text: &str) -> StorageReading {
    let new = || new(source, Kind::Iostat, "iostat");
    let mut refused = None;
    let mut builds = Vec::new();
    if is_json(text) {
        let mut build = new();
        refused = of_json(&mut build, text);
        builds.push(build);
    } else {
        // The command stands above the line about the machine.
        let mut given = None;
        for (line, part) in by_machine(text) {
            let mut build = new();
            let short = of_text(&mut build, part, line, &mut given);
            refused = refused.or(short);
            builds.push(build);
        }
    }
    let headings = text.lines().any(|row| iostat_table(row).is_some()) || text.contains("\"disk_device\"");
    let what = if headings {
        "it has headings of iostat and no row of a device below them"
    } else {
        "it is output of iostat about the CPUs alone (iostat -c)"
    };
    finish(builds, refused, what, "iostat -x -t 10")
}

fn new(source: &str, kind: Kind, program: &str) -> Build {
    let mut build = Build::new(source, kind, Layout::Text);
    build.environment.program = Some(program.to_owned());
    build
}

fn finish(builds: Vec<Build>, refused: Option<String>, what: &str, example: &str) -> StorageReading {
    let mut results = Vec::new();
    for mut build in builds.into_iter().filter(|build| !build.is_empty()) {
        if let Some(host) = build.environment.host.clone() {
            build.identity().host = Some(host);
        }
        build.listed.end_call();
        said_of_idle(&mut build);
        let discards = |s: &StreamResult| s.operation == "trim" && s.iops.is_none();
        if let Some(line) = build.line_of(discards) {
            build.remark(
                Some(line),
                "requests a second (tps) hold discards, whose bytes stand apart",
                "MB/s of `mix` are those of reads and writes; bytes of discards are a row of their own",
            );
        }
        results.push(build.finish());
    }
    let empty = results.is_empty();
    StorageReading {
        results,
        refused: refused.or_else(|| empty.then(|| format!("{what}; run for example `{example}`"))),
    }
}

/// What a first line says of the machine.
struct Machine<'a> {
    kernel: &'a str,
    host: &'a str,
    cpus: Option<u32>,
}

/// `Linux 5.14.0-427.el9.x86_64 (db01)  11/22/2026  _x86_64_  (16 CPU)`
fn machine(row: &str) -> Option<Machine<'_>> {
    let (kernel, rest) = row.strip_prefix("Linux ")?.split_once(" (")?;
    let (host, rest) = rest.split_once(')')?;
    let cpus = rest.rsplit_once('(').and_then(|(_, cpus)| cpus.split_whitespace().next()?.parse().ok());
    Some(Machine { kernel: kernel.trim(), host, cpus })
}

fn set(build: &mut Build, machine: &Machine<'_>) {
    build.environment.kernel = Some(format!("Linux {}", machine.kernel));
    build.environment.host = Some(machine.host.to_owned());
    build.environment.cpus = machine.cpus;
}

/// The parts of a text that tell of one machine each, with their first lines.
fn by_machine(text: &str) -> Vec<(u32, &str)> {
    let mut parts = Vec::new();
    let (mut from, mut from_line, mut at) = (0, 1, 0);
    let mut host = None;
    for (line, row) in (1_u32..).zip(text.split_inclusive('\n')) {
        if let Some(found) = machine(row.trim()) {
            if host.is_some_and(|host| host != found.host) {
                parts.push((from_line, &text[from..at]));
                (from, from_line) = (at, line);
            }
            host = Some(found.host);
        }
        at += row.len();
    }
    parts.push((from_line, &text[from..]));
    parts
}

/// Is it nothing but a time, as `-t` prints before each report?
fn is_time(row: &str) -> bool {
    let digits = row.bytes().filter(u8::is_ascii_digit).count();
    (8..=40).contains(&row.len())
        && digits >= 6
        && row.contains(':')
        && !row.contains(|c: char| c.is_alphabetic() && !"TAPMapmUZ".contains(c))
}

/// Is it a name with figures behind it, as a row of a device?
fn is_row(row: &str) -> bool {
    let mut words = row.split_whitespace();
    words.next().is_some_and(|name| value(name).is_none())
        && words.clone().count() > 4
        && words.all(|word| value(word).is_some())
}

/// A device of a report: its line, its name, and its figures by their headings.
struct Device<'a> {
    line: u32,
    name: &'a str,
    figures: Vec<(&'a str, &'a str)>,
}

impl Device<'_> {
    /// Does it have a figure that stands below one of these headings?
    fn has_any(&self, headings: &[&str]) -> bool {
        self.figures.iter().any(|(n, _)| *n != "Device" && headings.contains(n))
    }
}

/// Reports in their order.
#[derive(Default)]
struct Reports {
    count: u32,
    /// The next one is not the first of its call.
    goes_on: bool,
    /// What was printed as the time of the next one.
    time: Option<String>,
    /// Headings of the one that is being read: the first line of them.
    begun: Option<String>,
    /// What is known of the first one of the call.
    first: First,
    /// Did the command that stands above the next call have `-y`?
    given: Option<bool>,
    from_boot: Option<u32>,
    perhaps_from_boot: Option<u32>,
    /// The first report of a call that may be an interval.
    doubtful: Option<Doubtful>,
    /// The line of one that counts from boot by its own columns, and the seconds that it covers.
    proved_from_boot: Option<(u32, f64)>,
}

/// A first report of which only its columns tell what it covers.
struct Doubtful {
    line: u32,
    /// Its place among the runs.
    point: usize,
    seconds: Option<f64>,
    devices: Vec<String>,
}

/// No interval is longer: a day and a half.
const LONGEST_INTERVAL_S: f64 = 129_600.0;
/// A first report that covers so many times what the next one does counts from boot.
const TIMES_LONGER: f64 = 10.0;

/// What the first report of a call covers.
#[derive(Clone, Copy, Default, PartialEq)]
enum First {
    /// No line about the machine stands above it, so it may be any one.
    #[default]
    Unknown,
    FromBoot,
    /// `-y` was given.
    Interval,
}

/// `$ iostat -xy 1 2`: was `-y` given? `None` for a row that is no such command.
fn command(row: &str) -> Option<bool> {
    let mut words = row
        .split_whitespace()
        .skip_while(|word| *word != "iostat" && !word.ends_with("/iostat"))
        .skip(1)
        .peekable();
    let first = words.peek()?;
    if !first.starts_with('-') && !first.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut options = words.take_while(|word| !["|", ";", ">", ">>", "&", "&&", "#"].contains(word));
    let is_y = |word: &str| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        letters.contains('y') && letters.bytes().all(|b| b.is_ascii_alphabetic())
    };
    Some(options.any(is_y))
}

/// Leaves out a remark behind the figures of a row: words without a digit at their front.
fn without_remark(cells: &mut Vec<&str>, headings: usize) {
    let is_figure = |cell: &&str| value(cell).is_some() || human_bytes(cell).is_some();
    if cells.len() > headings
        && cells[1..headings].iter().all(is_figure)
        && cells[headings..]
            .iter()
            .all(|word| !word.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c)))
    {
        cells.truncate(headings);
    }
}

fn of_text(build: &mut Build, text: &str, first_line_at: u32, given: &mut Option<bool>) -> Option<String> {
    let mut headings: Option<Vec<&str>> = None;
    let mut devices: Vec<Device<'_>> = Vec::new();
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    let mut reports = Reports { given: *given, ..Reports::default() };
    reports.first = if *given == Some(true) { First::Interval } else { First::Unknown };
    let mut first = first_line_at;
    // Some write a blank line behind each: then it ends no table.
    let (mut below_headings, mut spaced) = (false, false);
    let mut short = None;
    // Rows of a report whose headings stand above what was given.
    let mut headless = None;
    // A name that stands alone, with its figures on the next line.
    let mut wrapped: Option<&str> = None;
    // The last line may be cut.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let words_of =
        |row: &str| iostat_table(row).filter(|words| words[0] == "Device").map(|words| words.len());
    let lines = unwrapped::rows(whole, first_line_at, LONGEST_LINE, words_of);
    for (line, row) in lines.iter().map(|(line, row)| (*line, row.as_ref())) {
        if row.len() > LONGEST_LINE {
            continue;
        }
        let trimmed = row.trim();
        let blank = trimmed.is_empty();
        spaced |= blank && below_headings;
        below_headings &= blank;
        if let Some(with_y) = command(trimmed) {
            // Another call of iostat, which may have no line about the machine.
            end_call(build, &mut devices, &mut reports);
            by_name.clear();
            headings = None;
            reports.given = Some(with_y);
            reports.first = if with_y { First::Interval } else { First::Unknown };
        } else if let Some(words) = iostat_table(row) {
            (below_headings, spaced) = (true, false);
            // Another table of the same report has other figures.
            let again = reports.begun.as_deref() == Some(trimmed);
            if again || devices.first().is_some_and(|d| d.has_any(&words)) {
                flush(build, &mut devices, &mut reports);
                by_name.clear();
            }
            reports.begun.get_or_insert_with(|| trimmed.to_owned());
            if reports.count == 0 && devices.is_empty() {
                first = line;
            }
            headings = Some(words);
            wrapped = None;
        } else if blank || trimmed.starts_with("avg-cpu") {
            headings = headings.filter(|_| blank && spaced);
            if !blank {
                flush(build, &mut devices, &mut reports);
                by_name.clear();
            }
        } else if let Some(machine) = machine(trimmed) {
            // Another call of iostat begins.
            end_call(build, &mut devices, &mut reports);
            by_name.clear();
            headings = None;
            reports.first =
                if reports.given.take() == Some(true) { First::Interval } else { First::FromBoot };
            if build.environment.kernel.is_none() {
                set(build, &machine);
            }
        } else if are_columns(trimmed) {
            headings = None;
            said_of_columns(build, line);
        } else if let Some(names) = headings.as_ref().filter(|names| {
            // Between blank lines anything may stand.
            !spaced || row.split_whitespace().count() == names.len()
        }) {
            let mut found = cells(row, names.len(), names.last() == Some(&"Device"));
            if names[0] == "Device" {
                without_remark(&mut found, names.len());
            }
            if let ([only], "Device") = (found.as_slice(), names[0])
                && value(only).is_none()
            {
                wrapped = Some(*only);
                continue;
            }
            if let Some(name) = wrapped.take()
                && found.len() + 1 == names.len()
            {
                found.insert(0, name);
            }
            let at = names.iter().position(|n| *n == "Device");
            if let Some(name) = at.filter(|_| found.len() == names.len()).map(|at| found[at]) {
                let figures = names.iter().copied().zip(found.iter().copied());
                // A further table of the report adds to what is known of a device; a row with the same figures
                // again is one of its own.
                let known = by_name.get(name).and_then(|n| devices.get_mut(*n));
                match known.filter(|d| !d.has_any(names)) {
                    Some(known) => known.figures.extend(figures),
                    None => {
                        by_name.insert(name, devices.len());
                        devices.push(Device { line, name, figures: figures.collect() });
                    }
                }
            } else {
                short.get_or_insert(line);
            }
        } else if is_time(trimmed) {
            flush(build, &mut devices, &mut reports);
            by_name.clear();
            reports.time = Some(trimmed.to_owned());
        } else if reports.count == 0 && is_row(trimmed) {
            headless.get_or_insert(line);
            // What follows is no first report.
            reports.goes_on = true;
        }
    }
    // The last report may go on.
    reports.begun =
        reports.begun.take().filter(|_| ["\n\n", "\n\r\n"].iter().any(|end| whole.ends_with(end)));
    flush(build, &mut devices, &mut reports);
    if let Some(first) = reports.doubtful.take() {
        perhaps(&mut reports, &first);
    }
    if reports.count > 0 {
        build.section("Device", first, SectionStatus::Read, reports.count as usize);
        if let Some(line) = headless {
            build.note(
                Some(line),
                "rows of devices stand above the first headings: what their columns are is not printed",
                "they are left out; the reports below them are intervals, none counts from boot",
            );
        }
    }
    if let Some(line) = reports.from_boot {
        said_of_boot(build, line);
    }
    if let Some((line, seconds)) = reports.proved_from_boot {
        build.remark(
            Some(line),
            format!("by its own columns (what was read and written, and how much of it a second) the first report covers {}", long(seconds)),
            "it counts from boot: it is kept apart, and not compared where there are others",
        );
    }
    if let Some(line) = reports.perhaps_from_boot {
        build.note(
            Some(line),
            "the first report of a call of iostat counts from boot; whether this is one is not known, since the line about the \
             machine is missing above it",
            "it counts as an interval: take it out if it is the first of its call",
        );
    }
    *given = reports.given;
    short.map(|line| {
        format!("line {line}: a row has not as many cells as its headings; it and its like were left out")
    })
}

/// `57 days`, `3 hours`
fn long(seconds: f64) -> String {
    match seconds {
        s if s >= 172_800.0 => format!("{:.0} days", s / 86_400.0),
        s if s >= 7_200.0 => format!("{:.0} hours", s / 3_600.0),
        s => format!("{s:.0} s"),
    }
}

fn said_of_boot(build: &mut Build, line: u32) {
    build.remark(
        Some(line),
        "the first report of iostat counts from boot, unless -y was given",
        "it is kept apart, and not compared where there are others",
    );
}

fn said_of_columns(build: &mut Build, line: u32) {
    build.note(
        Some(line),
        "columns stand there without the device that they are of: the table was broken into parts",
        "they are left out, latencies too where `await` is among them: give the output as iostat or sar printed it",
    );
}

/// Ends the last report of a call.
fn end_call(build: &mut Build, devices: &mut Vec<Device<'_>>, reports: &mut Reports) {
    flush(build, devices, reports);
    if let Some(first) = reports.doubtful.take() {
        perhaps(reports, &first);
    }
    build.listed.end_call();
    reports.goes_on = false;
    reports.time = None;
}

/// Ends a report.
fn flush(build: &mut Build, devices: &mut Vec<Device<'_>>, reports: &mut Reports) {
    let seconds = seconds_of(devices);
    let rows = std::mem::take(devices).into_iter().flat_map(|device| {
        let figure = |name: &str| device.figures.iter().find(|(n, _)| *n == name).map(|(_, cell)| *cell);
        let read = |name: &str, unit: f64| {
            let cell = figure(name)?;
            value(cell).map(|v| v * unit).or_else(|| human_bytes(cell).filter(|_| unit > 1.0))
        };
        figures(device.name, &read).into_iter().map(|s| (device.line, s)).collect::<Vec<_>>()
    });
    ended(build, rows.collect(), seconds, reports);
}

/// Seconds that a report covers, by what was moved and how much of it a second: `kB_read` and `kB_read/s`. The highest rate
/// is the sharpest; below a tenth it has one digit.
fn seconds_of(devices: &[Device<'_>]) -> Option<f64> {
    const PAIRS: [(&str, &str); 6] = [
        ("kB_read/s", "kB_read"),
        ("kB_wrtn/s", "kB_wrtn"),
        ("MB_read/s", "MB_read"),
        ("MB_wrtn/s", "MB_wrtn"),
        ("Blk_read/s", "Blk_read"),
        ("Blk_wrtn/s", "Blk_wrtn"),
    ];
    let figure = |device: &Device<'_>, name: &str| {
        device.figures.iter().find(|(n, _)| *n == name).and_then(|(_, cell)| value(cell))
    };
    let of = |device| {
        PAIRS
            .into_iter()
            .filter_map(move |(rate, total)| Some((figure(device, rate)?, figure(device, total)?)))
    };
    let sharpest = devices.iter().flat_map(of).max_by(|a, b| a.0.total_cmp(&b.0));
    sharpest.filter(|(rate, _)| *rate >= 0.1).map(|(rate, total)| total / rate)
}

/// Says that idle devices were left out.
fn said_of_idle(build: &mut Build) {
    let idle = &build.listed.idle;
    let left_out: u64 = idle.values().map(|n| u64::from(*n)).sum();
    let devices = match idle.len() {
        0 => return,
        1 => "a device is".to_owned(),
        n => format!("{n} devices are"),
    };
    let message = format!(
        "{devices} missing from some reports, {left_out} times in all, and no row there is of an idle one: \
         idle ones were left out (-z)"
    );
    build.remark(build.first_line(), message, "they count as idle there: no requests, and no latency");
}

/// The rows of a report.
fn ended(build: &mut Build, rows: Vec<(u32, StreamResult)>, seconds: Option<f64>, reports: &mut Reports) {
    let is_doubtful = !reports.goes_on && reports.first == First::Unknown && !rows.is_empty();
    let too_long = seconds.filter(|seconds| is_doubtful && *seconds > LONGEST_INTERVAL_S);
    if let Some((seconds, (line, _))) = too_long.zip(rows.first()) {
        reports.proved_from_boot.get_or_insert((*line, seconds));
    }
    let from_boot = !reports.goes_on && reports.first == First::FromBoot || too_long.is_some();
    if reports.goes_on && !rows.is_empty() {
        beside_the_next(build, seconds, reports);
    }
    if is_doubtful && !from_boot {
        reports.doubtful = rows.first().map(|(line, _)| Doubtful {
            line: *line,
            point: build.points(),
            seconds,
            devices: rows.iter().map(|(_, stream)| stream.name.clone()).collect(),
        });
    }
    if reports.begun.take().is_some() && !from_boot {
        build.listed.report(rows.iter().map(|(_, stream)| stream));
    }
    if rows.is_empty() {
        return;
    }
    reports.count += 1;
    let time = reports.time.take();
    let line = rows.first().map(|(line, _)| *line);
    let phase = if from_boot {
        reports.from_boot = reports.from_boot.or(line.filter(|_| too_long.is_none()));
        SINCE_BOOT.to_owned()
    } else {
        time.unwrap_or_else(|| reports.count.to_string())
    };
    reports.given = None;
    reports.goes_on = true;
    build.point(Parameters { phase: Some(phase), ..Parameters::default() }, rows);
}

/// Holds a first report against the one behind it: one that covers many times as long counts from boot.
fn beside_the_next(build: &mut Build, seconds: Option<f64>, reports: &mut Reports) {
    let Some(first) = reports.doubtful.take() else { return };
    match first.seconds.zip(seconds).filter(|(first, next)| *first > *next * TIMES_LONGER) {
        Some((covers, _)) => {
            reports.proved_from_boot.get_or_insert((first.line, covers));
            build.set_phase(first.point, SINCE_BOOT);
            build.listed.without(&first.devices);
        }
        None => perhaps(reports, &first),
    }
}

fn perhaps(reports: &mut Reports, first: &Doubtful) {
    reports.perhaps_from_boot.get_or_insert(first.line);
}

/// Streams of a device, from figures by their names, each times the unit of its heading.
fn figures(device: &str, read: &dyn Fn(&str, f64) -> Option<f64>) -> Vec<StreamResult> {
    let bytes_s = |names: &[(&str, f64)]| names.iter().find_map(|(name, unit)| read(name, *unit));
    let figure = |name: &str| read(name, 1.0);
    let of = |operation: &str, iops: Option<f64>, bytes: Option<f64>, await_ms: Option<f64>| {
        let mut out = stream(device, operation);
        out.iops = iops;
        out.mbps = bytes.map(|b| b / 1e6);
        // 0.00 where nothing was done, and where it took less than is printed.
        out.latency_us.mean = await_ms.filter(|ms| *ms > 0.0).map(|ms| ms * 1e3);
        if out.latency_us.mean.is_some() {
            out.latency_from = LatencyFrom::Queue;
        }
        out
    };
    const KIB: f64 = 1_024.0;
    const MIB: f64 = 1_048_576.0;
    if figure("r/s").is_none() && figure("w/s").is_none() {
        let read = bytes_s(&[("kB_read/s", KIB), ("MB_read/s", MIB), ("Blk_read/s", 512.0)]);
        let written = bytes_s(&[("kB_wrtn/s", KIB), ("MB_wrtn/s", MIB), ("Blk_wrtn/s", 512.0)]);
        let both = read.zip(written).map(|(r, w)| r + w).or_else(|| bytes_s(&[("kB/s", KIB), ("MB/s", MIB)]));
        let discarded = bytes_s(&[("kB_dscd/s", KIB), ("MB_dscd/s", MIB), ("Blk_dscd/s", 512.0)]);
        let mut out = vec![of("mix", figure("tps"), both, figure("await"))];
        out.extend(discarded.filter(|b| *b > 0.0).map(|b| of("trim", None, Some(b), None)));
        return out;
    }
    let read = bytes_s(&[("rkB/s", KIB), ("rMB/s", MIB), ("rsec/s", 512.0)]);
    let written = bytes_s(&[("wkB/s", KIB), ("wMB/s", MIB), ("wsec/s", 512.0)]);
    let mut out = vec![
        of("read", figure("r/s"), read, figure("r_await")),
        of("write", figure("w/s"), written, figure("w_await")),
    ];
    if figure("d/s").is_some_and(|rate| rate > 0.0) {
        let trimmed = bytes_s(&[("dkB/s", KIB), ("dMB/s", MIB), ("dsec/s", 512.0)]);
        out.push(of("trim", figure("d/s"), trimmed, figure("d_await")));
    }
    if figure("r_await").is_none() && figure("await").is_some() {
        // One latency for all; its rate is that of the rows above.
        out.push(of("mix", None, None, figure("await")));
    }
    out
}

fn of_json(build: &mut Build, text: &str) -> Option<String> {
    let document = json::parse(text, text.find('{')?, 1);
    let hosts = document.root.get("sysstat").and_then(|s| s.get("hosts")).map_or(&[][..], Json::items);
    let mut reports = Reports::default();
    for host in hosts {
        (reports.goes_on, reports.first) = (false, First::FromBoot);
        build.environment.host =
            build.environment.host.take().or_else(|| host.text_at("nodename").map(str::to_owned));
        build.environment.kernel = host.text_at("release").map(|r| format!("Linux {r}"));
        let statistics = host.get("statistics");
        for report in statistics.map_or(&[][..], Json::items) {
            let mut rows = Vec::new();
            for disk in report.get("disk").map_or(&[][..], Json::items) {
                let Some(name) = disk.text_at("disk_device") else { continue };
                let read = |key: &str, unit: f64| disk.number_at(key).map(|v| v * unit);
                rows.extend(figures(name, &read).into_iter().map(|s| (disk.line, s)));
            }
            reports.time = report.text_at("timestamp").map(str::to_owned);
            reports.begun = report.get("disk").map(|_| String::new());
            ended(build, rows, None, &mut reports);
        }
        build.listed.end_call();
        build.section("disk", statistics.map_or(1, |s| s.line), SectionStatus::Read, reports.count as usize);
        said_of_boot(build, statistics.map_or(1, |s| s.line));
    }
    document.broken.map(|line| {
        format!("line {line}: the JSON of iostat ends there or is broken; reports before it were read, what is behind it was not")
    })
}

/// Reads `sar -d`, `sadf -d` and `sadf -j`.
pub(super) fn sar(source: &str, text: &str) -> StorageReading {
    let text = &*with_whole_times(text);
    let mut refused = None;
    let mut builds = Vec::new();
    let has_disks = |head: fn(&str) -> bool| text.lines().any(head);
    let example = if is_sadf_json(text) {
        refused = of_sadf_json(source, &mut builds, text);
        "sadf -j -- -d"
    } else if has_disks(|row| sadf_headings(row).is_some()) {
        refused = of_sadf(source, &mut builds, text);
        "sadf -d -- -d"
    } else {
        for (line, part) in by_machine(text) {
            let mut build = new(source, Kind::Sar, "sar");
            refused = refused.or(of_sar(&mut build, part, line));
            builds.push(build);
        }
        "sar -d -p 10 360"
    };
    let headings = has_disks(|row| sar_headings(row).is_some() || sadf_headings(row).is_some());
    let what = if headings || text.contains("\"disk-device\"") {
        "it has headings of sar -d and no row of a device below them"
    } else {
        "it is output of sysstat (sar, mpstat) about something else than disks"
    };
    finish(builds, refused, what, example)
}

/// Rows of sar of a device, with figures by their names, each times its unit.
fn of_device(name: &str, read: &dyn Fn(&str, f64) -> Option<f64>) -> Vec<StreamResult> {
    let bytes = |kib: &str, sectors: &str| read(kib, 1_024.0).or_else(|| read(sectors, 512.0));
    let both = bytes("rkB/s", "rd_sec/s").zip(bytes("wkB/s", "wr_sec/s"));
    let mut out = stream(name, "mix");
    out.iops = read("tps", 1.0);
    out.mbps = both.map(|(r, w)| (r + w) / 1e6);
    out.latency_us.mean = read("await", 1.0).filter(|ms| *ms > 0.0).map(|ms| ms * 1e3);
    if out.latency_us.mean.is_some() {
        out.latency_from = LatencyFrom::Queue;
    }
    let mut all = vec![out];
    if let Some(bytes) = read("dkB/s", 1_024.0).filter(|bytes| *bytes > 0.0) {
        let mut discards = stream(name, "trim");
        discards.mbps = Some(bytes / 1e6);
        all.push(discards);
    }
    all
}

/// The result of a machine that is being read; another one begins a result of its own.
fn of_host<'a>(builds: &'a mut Vec<Build>, source: &str, host: Option<&str>) -> &'a mut Build {
    if builds.last().is_none_or(|last| last.environment.host.as_deref() != host) {
        let mut build = new(source, Kind::Sar, "sar");
        build.environment.host = host.map(str::to_owned);
        builds.push(build);
    }
    let last = builds.len() - 1;
    &mut builds[last]
}

fn of_sadf(source: &str, builds: &mut Vec<Build>, text: &str) -> Option<String> {
    let mut headings: Option<Vec<&str>> = None;
    let mut rows: Vec<(u32, StreamResult)> = Vec::new();
    let mut now: Option<(&str, &str)> = None;
    let (mut short, mut first) = (None, None);
    let end = |now: Option<(&str, &str)>, rows: &mut Vec<(u32, StreamResult)>, builds: &mut Vec<Build>| {
        if let Some((host, time)) = now.filter(|_| !rows.is_empty()) {
            let parameters = Parameters { phase: Some(time.to_owned()), ..Parameters::default() };
            let build = of_host(builds, source, Some(host));
            build.listed.report(rows.iter().map(|(_, stream)| stream));
            build.point(parameters, std::mem::take(rows));
        }
    };
    // The last line may be cut.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    for (line, row) in (1_u32..).zip(whole.lines()).filter(|(_, row)| row.len() <= LONGEST_LINE) {
        if let Some(found) = sadf_headings(row) {
            first.get_or_insert(line);
            headings = Some(found);
            continue;
        }
        if row.trim_start().starts_with('#') {
            // Another table of sar.
            headings = None;
        }
        let Some(names) = headings.as_ref().filter(|_| !row.trim().is_empty()) else { continue };
        let cells: Vec<&str> = row.trim_end().split(';').collect();
        let cell = |name: &str| names.iter().position(|n| *n == name).and_then(|n| cells.get(n)).copied();
        let whole = cells.len() == names.len() && cell("tps").is_some_and(|tps| value(tps).is_some());
        let at = cell("hostname").zip(cell("timestamp")).zip(cell("DEV")).filter(|_| whole);
        let Some((at, device)) = at else {
            // A restart is a line of its own, of three cells and this word.
            if row.contains("LINUX-RESTART") {
                // Devices may have other names behind it.
                end(now.take(), &mut rows, builds);
                builds.iter_mut().for_each(|build| build.listed.end_call());
            } else if !row.contains("COM ") {
                short.get_or_insert(line);
            }
            continue;
        };
        if now != Some(at) {
            end(now, &mut rows, builds);
            now = Some(at);
        }
        let read = |name: &str, unit: f64| cell(name).and_then(value).map(|v| v * unit);
        rows.extend(of_device(device, &read).into_iter().map(|s| (line, s)));
    }
    end(now, &mut rows, builds);
    for build in builds.iter_mut() {
        build.section("DEV", first.unwrap_or(1), SectionStatus::Read, build.points());
    }
    short.map(|line| {
        format!("line {line}: a row has not as many cells as its headings; it and its like were left out")
    })
}

fn of_sadf_json(source: &str, builds: &mut Vec<Build>, text: &str) -> Option<String> {
    let document = json::parse(text, text.find('{')?, 1);
    let hosts = document.root.get("sysstat").and_then(|s| s.get("hosts")).map_or(&[][..], Json::items);
    for host in hosts {
        let mut build = new(source, Kind::Sar, "sar");
        build.environment.host = host.text_at("nodename").map(str::to_owned);
        build.environment.kernel = host.text_at("release").map(|r| format!("Linux {r}"));
        let statistics = host.get("statistics");
        for report in statistics.map_or(&[][..], Json::items) {
            let mut rows = Vec::new();
            for disk in report.get("disk").map_or(&[][..], Json::items) {
                let Some(name) = disk.text_at("disk-device") else { continue };
                // The names of the columns, without their `/s`.
                let read = |name: &str, unit: f64| {
                    disk.number_at(name.strip_suffix("/s").unwrap_or(name)).map(|v| v * unit)
                };
                rows.extend(of_device(name, &read).into_iter().map(|s| (disk.line, s)));
            }
            if report.get("disk").is_some() {
                build.listed.report(rows.iter().map(|(_, stream)| stream));
            }
            let time = report.get("timestamp");
            let part = |key: &str| time.and_then(|time| time.text_at(key));
            let phase = part("date").zip(part("time")).map(|(date, time)| format!("{date} {time}"));
            build.point(Parameters { phase, ..Parameters::default() }, rows);
        }
        build.section("disk", statistics.map_or(1, |s| s.line), SectionStatus::Read, build.points());
        builds.push(build);
    }
    document.broken.map(|line| {
        format!("line {line}: the JSON of sadf ends there or is broken; reports before it were read, what is behind it was not")
    })
}

fn of_sar(build: &mut Build, text: &str, first_line_at: u32) -> Option<String> {
    let mut headings: Option<SarHeadings<'_>> = None;
    let mut rows: Vec<(u32, StreamResult)> = Vec::new();
    let mut phase = String::new();
    let (mut short, mut first, mut from_boot) = (None, first_line_at, None);
    let end = |build: &mut Build, phase: &str, rows: &mut Vec<(u32, StreamResult)>, whole: bool| {
        if rows.is_empty() {
            return;
        }
        if phase != AVERAGE && phase != SINCE_BOOT && whole {
            build.listed.report(rows.iter().map(|(_, stream)| stream));
        }
        build.point(
            Parameters { phase: Some(phase.to_owned()), ..Parameters::default() },
            std::mem::take(rows),
        );
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let words_of = |row: &str| sar_headings(row).filter(|h| h.device <= h.time).map(|h| h.words.len());
    let lines = unwrapped::rows(whole, first_line_at, LONGEST_LINE, words_of);
    for (line, row) in lines.iter().map(|(line, row)| (*line, row.as_ref())) {
        if row.len() > LONGEST_LINE {
            continue;
        }
        if are_columns(row) {
            said_of_columns(build, line);
            continue;
        }
        if let Some(found) = sar_headings(row) {
            first = if build.points() == 0 && rows.is_empty() { line } else { first };
            headings = Some(found);
            continue;
        }
        if machine(row.trim()).is_some() || row.contains("RESTART") {
            // Another call of sar, which may list other devices, or other names of them.
            end(build, &phase, &mut rows, true);
            build.listed.end_call();
        }
        let Some(SarHeadings { words: names, time, device }) = &headings else {
            if let (None, Some(machine)) = (&build.environment.kernel, machine(row.trim())) {
                set(build, &machine);
            }
            continue;
        };
        if row.trim().is_empty() {
            continue;
        }
        let mut cells = cells(row, names.len(), *device > *time);
        let average = cells.first() == Some(&"Average:");
        let zone = *time == 2 && !matches!(names[1], "AM" | "PM");
        // The headings above have AM or PM as a word of their own, or a time zone that rows do not have.
        let lacks = names.len().saturating_sub(cells.len());
        if (average || zone) && (1..*time).contains(&lacks) {
            cells.splice(1..1, std::iter::repeat_n("", lacks));
        }
        // Another table of sar, or a restart.
        let begins = cells.first().is_some_and(|c| average || is_clock(c));
        let tps = if device > time { *time } else { time + 1 };
        if !begins || cells.len() != names.len() || cells.get(tps).and_then(|c| value(c)).is_none() {
            if begins && !row.contains("RESTART") {
                // Headings of another table end this one, also where they are as many: those of the network behind
                // the disks in `sar -A`.
                let heads = |c: &&str| value(c).is_none() && c.contains('/') || c.starts_with('%');
                if cells.iter().skip(*time).any(heads) {
                    headings = None;
                } else if cells.len() != names.len() {
                    short.get_or_insert(line);
                }
            }
            continue;
        }
        // Without an interval (`sar -d 0`) there is no time before it, which the headings otherwise begin with.
        let since_boot = !average && cells[..*time] == names[..*time];
        if since_boot {
            from_boot.get_or_insert(line);
        }
        let now = match () {
            () if average => AVERAGE.to_owned(),
            () if since_boot => SINCE_BOOT.to_owned(),
            () => cells[..*time].join(" ").trim_end().to_owned(),
        };
        if now != phase {
            end(build, &phase, &mut rows, true);
        }
        phase = now;
        let cell = |name: &str| names.iter().position(|n| *n == name).map(|n| cells[n]);
        let figure = |name: &str| cell(name).and_then(value);
        let bytes = |name: &str, unit: f64| {
            let cell = cell(name)?;
            value(cell).map(|v| v * unit).or_else(|| human_bytes(cell))
        };
        let read = |name: &str, unit: f64| if unit > 1.0 { bytes(name, unit) } else { figure(name) };
        rows.extend(of_device(cells[*device], &read).into_iter().map(|s| (line, s)));
    }
    // The last interval may go on.
    end(build, &phase, &mut rows, false);
    if build.points() > 0 {
        build.section("DEV", first, SectionStatus::Read, build.points());
    }
    if let Some(line) = from_boot {
        build.remark(
            Some(line),
            "its time is that of its headings, as where sar was asked for no interval (`sar -d 0`): it counts from boot",
            "it is kept apart, and not compared where there are others",
        );
    }
    short.map(|line| {
        format!("line {line}: a row has not as many cells as its headings; it and its like were left out")
    })
}
