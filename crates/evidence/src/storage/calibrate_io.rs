//! What `DBMS_RESOURCE_MANAGER.CALIBRATE_IO` found: the lines that people have it print (`max_iops = 5944`),
//! or rows of `DBA_RSRC_IO_CALIBRATE`.
//!
//! `MAX_MBPS` counts 2^20 bytes and is converted. The latency is printed in milliseconds, mostly whole ones, so it
//! stands for half of its last digit around; 0 says less than half of one. The call only reads.

use super::StorageReading;
use super::build::Build;
use super::words::{half_digit, number};
use spindle_facts::{IoCalibration, Kind, Layout, SectionStatus};
use spindle_workload::{Calibration, Form, LatencyFrom, Parameters};

const MIB: f64 = 1_048_576.0;
/// Lines that are looked at: a page of output.
const MOST_LINES: usize = 5_000;
const LONGEST_LINE: usize = 2_000;

/// Is it the outcome of a calibration?
pub(super) fn is_it(head: &str) -> bool {
    let lower = head.get(..head.len().min(64 << 10)).unwrap_or_default().to_ascii_lowercase();
    (lower.contains("max_iops") && lower.contains("max_mbps")
        || lower.contains("max iops") && lower.contains("max mb"))
        && found(head).next().is_some()
}

/// Reads the text.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    let mut build = Build::new(source, Kind::CalibrateIo, Layout::Text);
    build.form = Form::Calibrate;
    build.environment.program = Some("CALIBRATE_IO".to_owned());
    let mut rows: Vec<IoCalibration> = found(text).collect();
    for row in &mut rows {
        without_impossible_latency(&mut build, row);
    }
    let Some(last) = rows.last() else {
        let why = "it speaks of an I/O calibration and holds no outcome: give what the call printed (max_iops, max_mbps, latency), \
                   or a row of DBA_RSRC_IO_CALIBRATE";
        return StorageReading { results: Vec::new(), refused: Some(why.to_owned()) };
    };
    build.section("I/O calibration", rows[0].line, SectionStatus::Read, rows.len());
    if rows.len() > 1 {
        build.remark(
            Some(last.line),
            format!("{} outcomes stand there", rows.len()),
            "the last one is taken where one is asked for",
        );
    }
    build.calibration = Some(Calibration {
        num_disks: last.num_disks.filter(|n| *n <= 1e6).map(|n| n as u32),
        max_latency_us: None,
        max_iops: last.max_iops,
        max_iops_interval: None,
        actual_latency_us: last.latency_us,
        small_depth: None,
        max_mbps: last.max_mbps,
        large_depth: None,
        oracle: Vec::new(),
        postgres: Vec::new(),
    });
    let phase = |name: &str| Parameters { phase: Some(name.to_owned()), ..Parameters::default() };
    let mut small = super::build::stream("small random reads", "read");
    small.iops = last.max_iops;
    small.latency_us.mean = last.latency_us;
    if let (Some(low), Some(high)) = (last.latency_us_low, last.latency_us_high) {
        small.latency_us.intervals.insert("mean".to_owned(), (low, high));
    }
    small.latency_from = LatencyFrom::Unknown;
    let mut large = super::build::stream("large random reads", "read");
    large.mbps = last.max_mbps;
    build.point(phase("small"), vec![(last.line, small)]);
    build.point(phase("large"), vec![(last.line, large)]);
    for row in rows {
        build.calibration_row(row);
    }
    StorageReading { results: vec![build.finish()], refused: None }
}

/// Requests under way, by Little's law, below which rate and latency are not of one load. A calibration keeps one and more.
const LEAST_UNDER_WAY: f64 = 0.25;

/// Leaves out a latency so short that its rate would keep less than a part of one request under way, such as `.001`, which
/// some releases print.
fn without_impossible_latency(build: &mut Build, row: &mut IoCalibration) {
    let Some((iops, us)) = row.max_iops.zip(row.latency_us) else { return };
    let most_under_way = iops * row.latency_us_high.unwrap_or(us) / 1e6;
    if most_under_way >= LEAST_UNDER_WAY {
        return;
    }
    build.note(
        Some(row.line),
        format!(
            "{iops} requests a second that take {} ms each are {most_under_way:.4} under way at most, and a calibration \
             keeps one and more: the printed latency is in another unit, or none",
            us / 1e3
        ),
        "the latency is taken as unknown",
    );
    (row.latency_us, row.latency_us_low, row.latency_us_high) = (None, None, None);
}

/// All outcomes in a text, in printed order.
fn found(text: &str) -> impl Iterator<Item = IoCalibration> {
    let mut out = Vec::new();
    let mut printed = IoCalibration::default();
    let mut headings: Option<Vec<String>> = None;
    let mut ruler: Option<Vec<(usize, usize)>> = None;
    // A last line without an end may be cut within its number.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines =
        (1_u32..).zip(whole.lines()).take(MOST_LINES).filter(|(_, l)| l.len() <= LONGEST_LINE).peekable();
    while let Some((line, row)) = lines.next() {
        let words: Vec<&str> = row.split_whitespace().collect();
        let named = |name: &str| words.iter().any(|w| w.eq_ignore_ascii_case(name));
        if named("MAX_IOPS") && named("MAX_MBPS") && !row.contains(['=', '\'', '(']) && !named("select") {
            headings = Some(words.iter().map(|w| w.to_ascii_uppercase()).collect());
            ruler = lines.peek().and_then(|(_, next)| spans(next));
            if ruler.is_some() {
                lines.next();
            }
            continue;
        }
        if let Some(names) = &headings {
            if words.is_empty() {
                continue;
            }
            match cells(row, &words, names, ruler.as_deref()).and_then(|cells| of_row(line, names, &cells)) {
                Some(one) => {
                    out.push(one);
                    continue;
                }
                None => headings = None,
            }
        }
        if let Some((name, cell, unit)) = pair(row) {
            let value = number(cell);
            let slot = match name.as_str() {
                "maxiops" | "iops" => &mut printed.max_iops,
                "maxmbps" | "mbps" | "maxmbs" | "maxmbpersecond" => &mut printed.max_mbps,
                "latency" | "actuallatency" | "lat" | "latencyms" => &mut printed.latency_us,
                "numphysicaldisks" | "numdisks" | "disks" => &mut printed.num_disks,
                _ => continue,
            };
            if unit.is_some_and(|unit| !matches!(unit, "ms" | "mb/s" | "mbps" | "iops" | "mb")) {
                continue;
            }
            // The same again is the next outcome.
            if slot.is_some() {
                out.extend(complete(std::mem::take(&mut printed)));
            }
            if printed.line == 0 {
                printed.line = line;
            }
            match name.as_str() {
                "maxiops" | "iops" => printed.max_iops = value,
                "numphysicaldisks" | "numdisks" | "disks" => printed.num_disks = value,
                "latency" | "actuallatency" | "lat" | "latencyms" => milliseconds(&mut printed, cell),
                _ => printed.max_mbps = value.map(|mb| mb * MIB / 1e6),
            }
        }
    }
    out.extend(complete(printed));
    out.sort_by_key(|row| row.line);
    out.into_iter()
}

/// What was printed is an outcome only with both of its rates.
fn complete(row: IoCalibration) -> Option<IoCalibration> {
    (row.max_iops.is_some() && row.max_mbps.is_some()).then_some(row)
}

fn milliseconds(row: &mut IoCalibration, cell: &str) {
    let (value, half) = (number(cell), half_digit(cell));
    row.latency_us = value.filter(|ms| *ms > 0.0).map(|ms| ms * 1e3);
    row.latency_us_low = value.map(|ms| (ms - half).max(0.0) * 1e3);
    row.latency_us_high = value.map(|ms| (ms + half) * 1e3);
}

/// `max_iops = 5944` or `Max IOPS: 5944`, the name without anything but letters.
fn pair(row: &str) -> Option<(String, &str, Option<&str>)> {
    let (name, value) = row.trim().split_once(['=', ':'])?;
    if name.len() > 40 || value.contains(['|', '\'', '(', ';']) {
        return None;
    }
    let name: String =
        name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    // Variables of PL/SQL are named after what they are: `l_max_iops`, `v_latency`.
    let variable =
        ["lmax", "vmax", "llat", "vlat", "lactual", "vactual"].iter().any(|start| name.starts_with(start));
    let name = if variable { name[1..].to_owned() } else { name };
    let mut words = value.split_whitespace();
    let value = words.next()?;
    let unit = words.next();
    if words.next().is_some() {
        return None;
    }
    let unit = unit
        .map(|unit| ["ms", "mb/s", "mbps", "iops", "mb"].into_iter().find(|u| unit.eq_ignore_ascii_case(u)));
    let known = match unit {
        Some(None) => return None,
        Some(known) => known,
        None => None,
    };
    Some((name, value, known))
}

/// First and last byte of each run of dashes.
fn spans(row: &str) -> Option<Vec<(usize, usize)>> {
    if row.trim().is_empty() || row.bytes().any(|b| b != b'-' && b != b' ') {
        return None;
    }
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (at, b) in row.bytes().enumerate().filter(|(_, b)| *b == b'-') {
        debug_assert_eq!(b, b'-');
        match out.last_mut() {
            Some(last) if last.1 == at => last.1 = at + 1,
            _ => out.push((at, at + 1)),
        }
    }
    Some(out)
}

/// The cells of a row under its headings: by the ruler, since times hold blanks; else word by word.
fn cells(
    row: &str,
    words: &[&str],
    names: &[String],
    ruler: Option<&[(usize, usize)]>,
) -> Option<Vec<String>> {
    match ruler {
        Some(spans) if spans.len() == names.len() => {
            if !row.is_ascii() {
                return None;
            }
            let end = |n: usize| spans.get(n + 1).map_or(row.len(), |next| next.0);
            Some(
                (0..spans.len())
                    .map(|n| {
                        row.get(spans[n].0.min(row.len())..end(n).min(row.len()))
                            .unwrap_or_default()
                            .trim()
                            .to_owned()
                    })
                    .collect(),
            )
        }
        _ => (words.len() == names.len()).then(|| words.iter().map(|w| (*w).to_owned()).collect()),
    }
}

fn of_row(line: u32, names: &[String], cells: &[String]) -> Option<IoCalibration> {
    let mut row = IoCalibration { line, ..IoCalibration::default() };
    for (name, cell) in names.iter().zip(cells) {
        let text = Some(cell.clone()).filter(|c| !c.is_empty());
        match name.as_str() {
            "START_TIME" => row.begin_time = text,
            "END_TIME" => row.end_time = text,
            "MAX_IOPS" => row.max_iops = number(cell),
            "MAX_MBPS" => row.max_mbps = number(cell).map(|mb| mb * MIB / 1e6),
            "MAX_PMBPS" => row.max_process_mbps = number(cell).map(|mb| mb * MIB / 1e6),
            "LATENCY" => milliseconds(&mut row, cell),
            "NUM_PHYSICAL_DISKS" | "DISKS" => row.num_disks = number(cell),
            _ => {}
        }
    }
    complete(row)
}
