//! Files of SLOB: `slob.conf`, and the table that its `awr_info.sh` makes of AWR reports.
//!
//! The table has bars between its cells and one row a report. By that script: `PREADS` and `PWRITES` are I/O
//! requests a second, `READ_MBS`, `WRITE_MBS` and `REDO_MBS` count 2^20 bytes a second (of all reads and writes,
//! where the requests leave some out), `..._LAT` are microseconds a wait, computed from whole seconds of AWR, and
//! 0 where it found no such wait. `SESSIONS` is the end of the file's name. The latency is a wait of the database,
//! not of the device.

use super::StorageReading;
use super::build::{Build, stream};
use super::words::number;
use rustc_hash::FxHashMap;
use spindle_facts::{Kind, Layout, Parameter, SectionStatus};
use spindle_workload::{Parameters, StreamResult};

const LONGEST_LINE: usize = 4_000;
const MIB: f64 = 1_048_576.0;

/// Headings that make the table known.
const HEADINGS: [&str; 4] = ["SESSIONS", "PREADS", "PWRITES", "REDO_MBS"];
/// Settings that make the file of settings known; two of them at least.
const SETTINGS: [&str; 6] =
    ["UPDATE_PCT", "WORK_UNIT", "REDO_STRESS", "THREADS_PER_SCHEMA", "SCAN_PCT", "LOAD_PARALLEL_DEGREE"];

/// Does it belong to SLOB?
pub(super) fn is_it(head: &str) -> bool {
    headings(head).is_some() || is_conf(head)
}

fn headings(text: &str) -> Option<(usize, Vec<&str>)> {
    text.lines().take(200).enumerate().find_map(|(at, row)| {
        if row.len() > LONGEST_LINE || !row.contains("PREADS") {
            return None;
        }
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        HEADINGS.iter().all(|name| cells.contains(name)).then_some((at, cells))
    })
}

fn is_conf(head: &str) -> bool {
    let set = |name: &&&str| {
        head.lines()
            .take(2_000)
            .any(|row| row.trim_start().strip_prefix(**name).is_some_and(|r| r.trim_start().starts_with('=')))
    };
    SETTINGS.iter().filter(set).count() >= 2
}

/// Reads either.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    let mut build = Build::new(source, Kind::Slob, Layout::Text);
    build.environment.program = Some("SLOB".to_owned());
    let refused = match headings(text) {
        Some((at, names)) => table(&mut build, text, at, &names),
        None => {
            settings(&mut build, text);
            None
        }
    };
    let empty = build.is_empty();
    StorageReading {
        results: if empty { Vec::new() } else { vec![build.finish()] },
        refused: refused.or_else(|| {
            empty.then(|| {
                "it has the headings of SLOB's awr_info.sh and no row of a report below them".to_owned()
            })
        }),
    }
}

/// `UPDATE_PCT=25`, a comment may stand behind it.
fn settings(build: &mut Build, text: &str) {
    let mut first = None;
    let mut count = 0;
    let mut known: FxHashMap<&str, (u32, &str)> = FxHashMap::default();
    for (line, row) in (1_u32..).zip(text.lines()) {
        let row = row.trim();
        if row.len() > LONGEST_LINE || row.starts_with('#') {
            continue;
        }
        let row = row.strip_prefix("export ").unwrap_or(row);
        let Some((name, value)) = row.split_once('=') else { continue };
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        {
            continue;
        }
        let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        // What may be a password is nobody's business.
        let secret = name.contains("PASSWD") || name.contains("PASSWORD");
        first.get_or_insert(line);
        count += 1;
        let (before, other) = *known.entry(name).or_insert((line, value));
        if other != value {
            build.note(
                Some(line),
                format!("`{name}` has another value than in line {before}"),
                "both are listed: they are of two files, or the last one holds",
            );
        }
        build.parameter_row(Parameter {
            line,
            name: name.into(),
            begin_value: (!secret && !value.is_empty()).then(|| value.into()),
            ..Parameter::default()
        });
    }
    build.section("slob.conf", first.unwrap_or(1), SectionStatus::Read, count);
}

fn table(build: &mut Build, text: &str, at: usize, names: &[&str]) -> Option<String> {
    let mut odd = None;
    let mut rows = 0;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    for (line, row) in (1_u32..).zip(whole.lines()).skip(at + 1) {
        if row.len() > LONGEST_LINE || row.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if cells.len() != names.len() {
            odd.get_or_insert(line);
            continue;
        }
        let cell = |name: &str| names.iter().position(|n| *n == name).map(|n| cells[n]);
        let figure = |name: &str| cell(name).and_then(number);
        let file = cell("FILE").filter(|f| !f.is_empty()).unwrap_or("report");
        let elapsed_s = figure("ELAPSED").filter(|s| *s > 0.0);
        let of = |name: String,
                  operation: &str,
                  iops: Option<f64>,
                  mb: Option<f64>,
                  us: Option<f64>|
         -> (u32, StreamResult) {
            let mut out = stream(name, operation);
            out.iops = iops;
            out.mbps = mb.map(|mb| mb * MIB / 1e6);
            out.elapsed_s = elapsed_s;
            out.latency_us.mean = us.filter(|us| *us > 0.0);
            (line, out)
        };
        let mut streams = vec![
            of(format!("{file}, read"), "read", figure("PREADS"), figure("READ_MBS"), figure("DFSR_LAT")),
            of(format!("{file}, write"), "write", figure("PWRITES"), figure("WRITE_MBS"), figure("DFPW_LAT")),
            of(format!("{file}: redo, write"), "write", None, figure("REDO_MBS"), figure("LFPW_LAT")),
        ];
        // Waits for other reads, whose requests are among those of all reads.
        for (name, heading) in [("direct path", "DPR_LAT"), ("parallel", "DFPR_LAT")] {
            let found = of(format!("{file}: {name}, read"), "read", None, None, figure(heading));
            streams.extend(Some(found).filter(|(_, s)| s.latency_us.mean.is_some()));
        }
        let sessions = figure("SESSIONS").map(|n| format!("{n} sessions"));
        rows += 1;
        build.point(Parameters { phase: sessions, ..Parameters::default() }, streams);
    }
    let first = u32::try_from(at + 1).unwrap_or(u32::MAX);
    build.section("awr_info", first, SectionStatus::Read, rows);
    build.remark(
        Some(first),
        "latencies are averages of waits of the database (db file sequential read, log file parallel write; db file parallel write and read, which wait for several requests at once; direct path read), from whole seconds",
        "short runs have them coarse; MB/s hold all reads, reads a second the requests that AWR counts",
    );
    odd.map(|line| {
        format!("line {line}: a row has not as many cells as the headings; it and its like were left out")
    })
}
