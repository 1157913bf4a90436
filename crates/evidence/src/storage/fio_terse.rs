//! fio's terse lines, versions 2 to 5: `--minimal`, `--output-format=terse`, one line a job, cells between semicolons.
//!
//! Version, release of fio (from 3 on), job, group, error; then the same cells for reads, writes and, from 4 on and in
//! version 2 of late releases, trims: KiB, KiB/s, requests a second, milliseconds, four of the submission, four of the
//! completion, twenty percentiles, four of the whole latency, and the bandwidth's. Latencies are in microseconds.
//!
//! Requests are not counted and their rate is cut to a whole number. The percentiles are of the completion, which
//! leaves the submission out, and an unused one is `0%=0`. Nothing says depth, pattern, block size or engine.
//!
//! `--unified_rw_reporting=mixed` prints one operation in place of all, `both` one more behind them, which is their sum.
//! Version 3 prints no trims.
//!
//! `--status-interval` prints the lines of all jobs again and again, each from the beginning on. Nothing in a line tells
//! that, but the lines together do: the same jobs in the same order, longer by the same time, that have done no less and
//! whose extremes have come no closer.

use super::StorageReading;
use super::build::{Build, stream};
use super::fio_top;
use super::words::number;
use spindle_facts::{Kind, Layout, SectionStatus};
use spindle_workload::{ENDED_BY_ERROR, LatencyFrom, Parameters, StreamResult};

/// Longer lines are nothing that fio prints.
const LONGEST_LINE: usize = 16_384;
/// Cells of an operation before its bandwidth.
const BEFORE_BANDWIDTH: usize = 36;
/// Percentiles of an operation.
const PERCENTILES: std::ops::Range<usize> = 12..32;

/// Where the cells of a version lie.
#[derive(Clone, Copy)]
struct Shape {
    /// Cells before the first operation.
    head: usize,
    /// Cells of an operation.
    each: usize,
    /// What the operations are, in their order.
    operations: &'static [&'static str],
}

fn shape(cells: &[&str]) -> Option<Shape> {
    const ALL: &[&str] = &["read", "write", "trim"];
    let mut shape = match (*cells.first()?, *cells.get(1)?) {
        ("2", _) => Shape { head: 4, each: 41, operations: ALL },
        // A third one is the sum of the two.
        ("3", release) if release.starts_with("fio-") => Shape { head: 5, each: 41, operations: &ALL[..2] },
        ("4", release) if release.starts_with("fio-") => Shape { head: 5, each: 41, operations: ALL },
        ("5", release) if release.starts_with("fio-") => Shape { head: 5, each: 47, operations: ALL },
        _ => return None,
    };
    // A name with a semicolon in it moves all cells.
    let at = |operation: usize| shape.head + operation * shape.each;
    let whole = |n: usize| {
        let operation = cells.get(at(n)..at(n + 1))?;
        let numbers = operation[..4].iter().all(|cell| number(cell).is_some());
        (numbers && operation[PERCENTILES].iter().all(|cell| cell.contains("%="))).then_some(())
    };
    whole(0)?;
    if whole(1).is_none() {
        // Behind the last operation stands the time of the CPU, `7.094247%`.
        let cpu = cells.get(at(1)).and_then(|cell| cell.strip_suffix('%')).and_then(number);
        cpu.filter(|_| cells.get(at(1) + 1).is_some_and(|cell| cell.ends_with('%')))?;
        shape.operations = &["mix"];
    }
    number(cells[shape.head - 1])?;
    number(cells[shape.head - 2])?;
    Some(shape)
}

/// Does a line of a job stand there?
pub(super) fn is_it(head: &str) -> bool {
    head.lines().take(2_000).any(|row| row.len() <= LONGEST_LINE && cells(row).is_some())
}

/// Does a line of a job stand there whose cells are not where they belong, as behind a name with a semicolon?
pub(super) fn is_moved(head: &str) -> bool {
    head.lines().take(2_000).any(|row| row.len() <= LONGEST_LINE && is_moved_row(row))
}

fn is_moved_row(row: &str) -> bool {
    let mut cells = row.split(';');
    let version = cells.next().is_some_and(|cell| ["3", "4", "5"].contains(&cell));
    version
        && cells.next().is_some_and(|cell| cell.starts_with("fio-"))
        && row.matches(';').count() > 80
        && row.contains("%=")
}

fn cells(row: &str) -> Option<(Vec<&str>, Shape)> {
    if !row.starts_with(['2', '3', '4', '5']) || row.as_bytes().get(1) != Some(&b';') {
        return None;
    }
    let cells: Vec<&str> = row.trim_end().split(';').collect();
    let shape = shape(&cells)?;
    Some((cells, shape))
}

/// Reads the lines of all jobs.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    let mut build = Build::new(source, Kind::Fio, Layout::Text);
    let mut refused = None;
    let mut no_trims = false;
    let ended = text.ends_with('\n');
    let lines = text.lines().count();
    let mut told: Vec<Told<'_>> = Vec::new();
    for (line, row) in (1_u32..).zip(text.lines()).filter(|(_, row)| row.len() <= LONGEST_LINE) {
        let Some((cells, shape)) = cells(row) else {
            if row.starts_with(['2', '3', '4', '5']) && row.matches(';').count() > 80 && refused.is_none() {
                refused = Some(format!(
                    "line {line}: its cells do not stand where those of fio do (cut, or a name with a semicolon); the job was \
                     left out"
                ));
            }
            continue;
        };
        // The last line may be cut behind the operations, which does no harm.
        let operations = shape.operations.len().min(2);
        if !ended && line as usize == lines && cells.len() < shape.head + operations * shape.each + 20 {
            refused = Some(format!("line {line}: the file ends within it; the job was left out"));
            continue;
        }
        if shape.head == 5 && build.environment.program.is_none() {
            build.environment.program = Some(cells[1].to_owned());
            build.identity().version = Some(cells[1].to_owned());
        }
        told.push(Told::of(line, cells, shape));
    }
    match repeats(&told) {
        Some((each, times)) if times > 2 => {
            build.remark(
                Some(told[0].line),
                format!("fio told {times} times how far it was while it ran (--status-interval)"),
                "each report counts from the beginning, so the last one alone is read",
            );
            told.drain(..each * (times - 1));
        }
        Some(_) => build.note(
            Some(told[0].line),
            "the jobs stand twice, the second time longer: fio may have told how far it was (--status-interval)",
            "they are taken for two runs; leave out the first where it is the same run",
        ),
        None => {}
    }
    // Jobs of one group ran at the same time.
    let mut group: Option<(f64, Vec<(u32, StreamResult)>)> = None;
    for Told { line, cells, shape, .. } in told {
        let number_of_group = number(cells[shape.head - 2]).unwrap_or(0.0);
        let streams = job(&mut build, line, &cells, shape);
        no_trims |= streams.is_empty() && cells[0] == "3";
        let name = format!("job {} (group {number_of_group})", cells[shape.head - 3]);
        let status = if streams.is_empty() { SectionStatus::Absent } else { SectionStatus::Read };
        build.section(name, line, status, streams.len());
        match &mut group {
            Some((number, all)) if *number == number_of_group => all.extend(streams),
            _ => {
                let before = group.replace((number_of_group, streams));
                build.point(Parameters::default(), before.map(|g| g.1).unwrap_or_default());
            }
        }
    }
    build.point(Parameters::default(), group.map(|g| g.1).unwrap_or_default());
    if build.environment.program.is_none() {
        build.environment.program = Some("fio".to_owned());
    }
    let empty = build.is_empty();
    StorageReading {
        results: if empty { Vec::new() } else { vec![build.finish()] },
        refused: refused.or_else(|| {
            let why = if no_trims {
                "it is output of fio in terse version 3, which prints no trims, and no job in it read or wrote; run fio with \
                 --terse-version=4 or --output-format=json"
            } else {
                "it is output of fio, and no job in it did any I/O"
            };
            empty.then(|| why.to_owned())
        }),
    }
}

/// A line of a job.
struct Told<'a> {
    line: u32,
    cells: Vec<&'a str>,
    shape: Shape,
    /// The longest of its operations.
    runtime_ms: f64,
    /// KiB, least and most latency of each operation that it did.
    done: Vec<Option<[f64; 3]>>,
}

impl<'a> Told<'a> {
    fn of(line: u32, cells: Vec<&'a str>, shape: Shape) -> Self {
        let mut runtime_ms = 0.0_f64;
        let done = (0..shape.operations.len())
            .map(|n| {
                let cells = cells.get(shape.head + n * shape.each..)?;
                let cell = |n: usize| cells.get(n).copied().and_then(number);
                runtime_ms = runtime_ms.max(cell(3)?);
                Some([cell(0).filter(|kib| *kib > 0.0)?, cell(8)?, cell(9)?])
            })
            .collect();
        Self { line, cells, shape, runtime_ms, done }
    }

    /// Is `now` the same job later on?
    fn goes_on_in(&self, now: &Self) -> bool {
        let names = |told: &Self| -> Vec<&str> { told.cells[..told.shape.head - 1].to_vec() };
        names(self) == names(now)
            && now.runtime_ms > self.runtime_ms
            && self.done.len() == now.done.len()
            && self.done.iter().zip(&now.done).all(|pair| match pair {
                (None, _) => true,
                (Some(_), None) => false,
                (Some([kib, least, most]), Some([kib_now, least_now, most_now])) => {
                    kib_now >= kib && least_now <= least && most_now >= most
                }
            })
    }
}

/// Lines of a report and how many reports there are, where all of the lines are one run that was told several times.
fn repeats(told: &[Told<'_>]) -> Option<(usize, usize)> {
    let all = told.len();
    let each = (1..=all / 2).filter(|each| all.is_multiple_of(*each)).find(|each| {
        let pairs = || told.iter().zip(&told[*each..]);
        // The first report may come early, and the last one comes with the end.
        let step = told[*each].runtime_ms - told[0].runtime_ms;
        let near = |ms: f64| (ms - step).abs() <= step * 0.1 + 50.0;
        let last = all - 2 * each;
        pairs().all(|(before, now)| before.goes_on_in(now))
            && told[..*each].iter().all(|first| first.runtime_ms <= step * 1.1 + 50.0)
            && pairs().enumerate().all(|(n, (before, now))| {
                let longer = now.runtime_ms - before.runtime_ms;
                near(longer) || n >= last && longer < step
            })
    })?;
    Some((each, all / each))
}

/// The operations that a job did.
fn job(build: &mut Build, line: u32, cells: &[&str], shape: Shape) -> Vec<(u32, StreamResult)> {
    let name = cells[shape.head - 3];
    let mut streams: Vec<(u32, StreamResult)> = Vec::new();
    for (n, operation) in shape.operations.iter().enumerate() {
        let at = shape.head + n * shape.each;
        let Some(cells) = cells.get(at..at + shape.each) else { break };
        // Version 2 of early releases has no trims, and other cells stand there.
        if n == 2 && !cells[PERCENTILES].iter().all(|cell| cell.contains("%=")) {
            break;
        }
        streams.extend(
            operation_of(build, line, name, operation, &cells[..BEFORE_BANDWIDTH]).map(|s| (line, s)),
        );
    }
    if streams.len() > 1 {
        for (_, stream) in &mut streams {
            stream.name = format!("{name}, {}", stream.operation);
        }
    }
    if let (Some(error), Some((_, stream))) =
        (number(cells[shape.head - 1]).filter(|e| *e > 0.0), streams.first_mut())
    {
        stream.errors.push(format!("{ENDED_BY_ERROR} {error}"));
    }
    streams
}

fn operation_of(
    build: &mut Build,
    line: u32,
    name: &str,
    operation: &str,
    cells: &[&str],
) -> Option<StreamResult> {
    let cell = |n: usize| number(cells[n]).filter(|value| *value > 0.0);
    let kib = cell(0)?;
    let mut out = stream(name, operation);
    out.elapsed_s = cell(3).map(|ms| ms / 1e3);
    out.iops = cell(2);
    let bytes = kib * 1_024.0;
    // Both are whole numbers; the product is sharper than the printed rate.
    out.mbps = match out.elapsed_s {
        Some(seconds) if seconds >= 0.1 => Some(bytes / seconds / 1e6),
        _ => cell(1).map(|kib| kib * 1_024.0 / 1e6),
    };
    let (complete, whole) = ((cell(9), cell(10)), (cell(33), cell(34)));
    let ((max, mean), from) = match whole.1 {
        Some(_) => (whole, LatencyFrom::Submit),
        None => (complete, LatencyFrom::Submitted),
    };
    if mean.is_some() {
        out.latency_from = from;
        out.latency_us.mean = mean;
        // Maxima are cut to whole microseconds.
        out.latency_us.max = max.filter(|max| mean.is_some_and(|mean| max + 1.0 >= mean));
    }
    let mut found: Vec<(f64, f64)> = Vec::new();
    for cell in &cells[PERCENTILES] {
        let Some((pct, us)) = cell.split_once("%=") else { continue };
        let (Some(pct), Some(us)) = (number(pct).filter(|p| *p > 0.0 && *p <= 100.0), number(us)) else {
            continue;
        };
        // Less than a microsecond is printed as 0 and not known.
        if us > 0.0 {
            found.push((pct, us));
        }
    }
    let printed = fio_top::Printed {
        percentiles: &found,
        slack_us: 1.0,
        least_us: cell(8).zip(complete.1).map(|(least, _)| least),
        most_us: complete.0.filter(|_| complete.1.is_some()),
    };
    printed.set(build, line, name, &mut out.latency_us);
    if !found.is_empty() {
        out.percentiles_from = Some(LatencyFrom::Submitted);
    }
    Some(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{is_it, read};
    use spindle_workload::LatencyFrom;

    /// Cells of an operation that did this.
    fn operation(kib: u32, iops: u32, ms: u32, mean: &str, tail: usize) -> String {
        let mut cells =
            vec![kib.to_string(), (kib * 1_000 / ms.max(1)).to_string(), iops.to_string(), ms.to_string()];
        cells.extend(["1", "9", "2.5", "0.5", "40", "900", "98.500000", "1.0"].map(str::to_owned));
        cells.extend((0..18).map(|n| format!("{}.000000%={}", 5 * n + 5, 100 + n)));
        cells.extend(["99.000000%=700", "0%=0"].map(str::to_owned));
        cells.extend(["41", "905", mean, "1.0"].map(str::to_owned));
        cells.extend((0..tail).map(|_| "0".to_owned()));
        cells.join(";")
    }

    fn line(version: u32, head: &str, operations: &[String]) -> String {
        let rest = vec!["1.0%"; 40].join(";");
        format!("{version};{head};{};{rest}\n", operations.join(";"))
    }

    #[test]
    fn each_version_has_its_cells_where_they_are() {
        let (read_part, none) =
            (operation(16_000, 8_064, 248, "101.000000", 5), operation(0, 0, 0, "0.000000", 5));
        let (read_five, none_five) =
            (operation(16_000, 8_064, 248, "101.000000", 11), operation(0, 0, 0, "0.000000", 11));
        let lines = [
            line(2, "a job;0;0", &[read_part.clone(), none.clone()]),
            line(3, "fio-3.33;a job;0;0", &[read_part.clone(), none.clone()]),
            line(4, "fio-3.33;a job;0;0", &[none.clone(), read_part.clone(), none]),
            line(5, "fio-3.33;a job;0;0", &[read_five, none_five.clone(), none_five]),
        ];
        for (n, text) in lines.iter().enumerate() {
            assert!(is_it(text), "{text}");
            let reading = read("f", text);
            assert_eq!(reading.refused, None);
            let [result] = reading.results.as_slice() else { panic!("{n}") };
            let [point] = result.measured.points.as_slice() else { panic!("{n}") };
            let [stream] = point.result.streams.as_slice() else { panic!("{n}") };
            assert_eq!(
                (stream.name.as_str(), stream.iops, stream.elapsed_s),
                ("a job", Some(8_064.0), Some(0.248))
            );
            assert_eq!(stream.operation, if n == 2 { "write" } else { "read" });
            assert!((stream.mbps.unwrap() - 16_000.0 * 1_024.0 / 0.248 / 1e6).abs() < 1e-9);
            let l = &stream.latency_us;
            assert_eq!((l.mean, l.max, l.p50, l.p99), (Some(101.0), Some(905.0), Some(109.0), Some(700.0)));
            assert_eq!(
                (stream.latency_from, stream.percentiles_from),
                (LatencyFrom::Submit, Some(LatencyFrom::Submitted))
            );
        }
    }

    #[test]
    fn jobs_of_one_group_are_one_run_and_an_error_is_told() {
        let part = || [operation(800, 10, 100, "50.0", 5), operation(400, 5, 100, "60.0", 5)];
        let text = [
            line(3, "fio-2.1;x;0;0", &part()),
            line(3, "fio-2.1;y;0;5", &part()),
            line(3, "fio-2.1;z;1;0", &part()),
        ];
        let reading = read("f", &format!("fio: a message\n{}", text.concat()));
        let measured = &reading.results[0].measured;
        let counts: Vec<usize> = measured.points.iter().map(|p| p.result.streams.len()).collect();
        assert_eq!(counts, [4, 2]);
        let second = &measured.points[0].result.streams[2];
        assert_eq!((second.name.as_str(), second.errors.len()), ("y, read", 1));
        assert_eq!(reading.results[0].report.tables.io_result[2].line, 3);
    }

    #[test]
    fn one_operation_for_all_was_no_result_and_their_sum_was_a_trim() {
        let [mixed, none] = [operation(800, 10, 100, "50.0", 5), operation(0, 0, 0, "0", 5)];
        let rows = |text: &str| {
            let reading = read("f", text);
            let rows = reading.results.into_iter().flat_map(|r| r.report.tables.io_result);
            (rows.map(|r| r.operation).collect::<Vec<_>>(), reading.refused)
        };
        // Behind the operations stands the time of the CPU.
        let only = line(4, "fio-3.33;j;0;0", std::slice::from_ref(&mixed));
        assert!(is_it(&only), "{only}");
        assert_eq!(rows(&only), (vec!["mix".to_owned()], None));
        let both = line(3, "fio-3.33;j;0;0", &[mixed.clone(), mixed.clone(), mixed.clone()]);
        assert_eq!(rows(&both), (vec!["read".to_owned(), "write".to_owned()], None));
        let trims = line(3, "fio-3.33;j;0;0", &[none.clone(), none]);
        let (found, refused) = rows(&trims);
        assert!(found.is_empty());
        assert!(refused.unwrap().contains("version 3, which prints no trims"));
    }

    /// What a job has done so far: so much of it, after so many ms.
    fn so_far(name: &str, ms: u32) -> String {
        let part = operation(ms * 16, ms, ms, "101.0", 5).replace(";900;", &format!(";{};", 900 + ms));
        line(3, &format!("fio-3.1;{name};0;0"), &[part, operation(0, 0, 0, "0", 5)])
    }

    #[test]
    fn each_line_of_how_far_a_run_was_counted_as_a_run() {
        let reports = |times: &[u32]| -> String {
            times.iter().map(|ms| so_far("x", *ms) + &so_far("x", *ms) + &so_far("y", *ms)).collect()
        };
        let found = |text: &str| {
            let reading = read("f", text);
            let report = &reading.results[0].report;
            let rows = report.tables.io_result.iter();
            (rows.map(|r| r.elapsed_s.unwrap()).collect::<Vec<_>>(), report.notes.len())
        };
        // The first report came early, and the last one at the end.
        assert_eq!(found(&reports(&[806, 1_806, 2_806, 3_001])), (vec![3.001; 3], 1));
        // Twice may be two runs as well: both are kept, and the doubt is told.
        assert_eq!(found(&reports(&[1_000, 2_000])).0.len(), 6);
        assert_eq!(found(&reports(&[1_000, 2_000])).1, 1);
        // Runs of one length, of lengths of one's own, and one that did less than the one before.
        for runs in [vec![1_000, 1_001, 1_002], vec![1_000, 5_000, 60_000], vec![3_000, 2_000, 1_000]] {
            assert_eq!(
                found(&reports(&runs)),
                (runs.iter().flat_map(|ms| [f64::from(*ms) / 1e3; 3]).collect(), 0)
            );
        }
    }

    #[test]
    fn a_cut_line_and_a_name_with_a_semicolon_give_no_figures() {
        let whole =
            line(3, "fio-3.1;j;0;0", &[operation(800, 10, 100, "50.0", 5), operation(0, 0, 0, "0", 5)]);
        let cut = &whole[..whole.len() / 3];
        assert!(!is_it(cut));
        let moved = whole.replace(";j;", ";j;k;");
        assert!(!is_it(&moved) && super::is_moved(&moved));
        // Alone it was no result at all.
        assert!(read("f", &moved).refused.unwrap().contains("a name with a semicolon"));
        let reading = read("f", &format!("{whole}{moved}{cut}"));
        assert_eq!(reading.results[0].measured.points.len(), 1);
        assert!(reading.refused.unwrap().starts_with("line 2"));
        for not in ["3;4;5\n", "3;fio-3.1\n", "", "2;a;b;c;d\n"] {
            assert!(!is_it(not), "{not}");
        }
    }
}
