//! `spindle compare`: what changed between two periods, and what explains it.

use crate::Request;
use crate::facts::looks_like_either;
use crate::input::{self, Limits, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use crate::results;
use spindle_diagnosis::comparison::{self, CompareOptions, Comparison, Digest, Keeper, Trend};
use spindle_evidence::{Found, StorageResult};
use spindle_facts::Report;
use spindle_workload::{Measured, ResultComparison, compare_results};
use std::io::{self, Write};
use std::path::PathBuf;

/// What is held against what.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Reports before, reports after.
    Two(Vec<PathBuf>, Vec<PathBuf>),
    /// A compare-period report, two reports in their order, or a series.
    One(Vec<PathBuf>),
}

/// What was made of them.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Two sides.
    Two(Box<Comparison>),
    /// A series.
    Series(Box<Trend>),
    /// Two results of storage measurements.
    Results(Box<ResultComparison>),
}

/// A report on its way: names are masked one report after the other, so a masked run reduces later.
enum Taken {
    Reduced(Box<Digest>, Option<Unread>),
    Whole(Box<Report>),
    Result(Box<StorageResult>),
}

/// What one side holds.
#[derive(Default)]
struct Side {
    digests: Vec<Digest>,
    results: Vec<(String, Measured)>,
}

/// Reads every report and compares. Returns the comparison, or why there is none, and what was not read.
pub fn compare(
    request: &Request,
    sides: Sides,
    options: &CompareOptions,
    progress: &dyn Progress,
) -> (Result<Compared, String>, Vec<Unread>) {
    let mut masker = request.mask.then(Masker::default);
    let mut unread = Vec::new();
    let mut twice: Vec<String> = Vec::new();
    let mut read = |inputs: Vec<PathBuf>, series: bool| {
        let request = Request { inputs, ..request.clone() };
        for name in input::given_twice(&request) {
            let name = masker.as_mut().map_or(name.clone(), |m| m.source(&name));
            if !twice.contains(&name) {
                twice.push(name);
            }
        }
        digests(&request, series, &mut masker, progress, &mut unread)
    };
    let mut compared = match sides {
        Sides::Two(before, after) => {
            let (mut before, mut after) = (read(before, false), read(after, false));
            comparison::unwind(&mut [&mut before.digests, &mut after.digests]);
            match (before.results.is_empty(), after.results.is_empty()) {
                (true, true) => two(&before.digests, &after.digests, options),
                _ => of_results(&before, &after),
            }
        }
        Sides::One(inputs) => {
            let mut side = read(inputs, true);
            comparison::unwind(&mut [&mut side.digests]);
            if side.results.is_empty() {
                one(side.digests, options)
            } else {
                results_in_order(side, unread.iter().filter(|one| !one.is_doubt()).count())
            }
        }
    };
    let warnings = match &mut compared {
        Ok(Compared::Two(comparison)) => &mut comparison.warnings,
        Ok(Compared::Series(trend)) => &mut trend.warnings,
        Ok(Compared::Results(comparison)) => &mut comparison.warnings,
        Err(_) => return (compared, unread),
    };
    warnings.extend(
        twice.iter().map(|name| format!("`{name}` is given more than once on one side and counted once.")),
    );
    (compared, unread)
}

fn two(before: &[Digest], after: &[Digest], options: &CompareOptions) -> Result<Compared, String> {
    comparison::compare(before, after, options).map(|c| Compared::Two(Box::new(c)))
}

/// Results of storage measurements, which only compare with each other.
fn of_results(before: &Side, after: &Side) -> Result<Compared, String> {
    for (name, side) in [("before", before), ("after", after)] {
        if !side.digests.is_empty() {
            return Err(format!(
                "{name} holds a report of a database, and the comparison is of storage measurements: the one says what a \
                 database did, the other what a device can do; compare reports with reports and results with results"
            ));
        }
        if side.results.is_empty() {
            return Err(format!("no result of a measurement was read {name}; see above for each input"));
        }
    }
    compare_results(&before.results, &after.results).map(|c| Compared::Results(Box::new(c)))
}

/// Two results without saying which is which: the first is the earlier one.
fn results_in_order(side: Side, failed: usize) -> Result<Compared, String> {
    if !side.digests.is_empty() {
        return Err(
            "reports of databases and results of storage measurements are mixed; compare reports with reports and results \
             with results"
                .to_owned(),
        );
    }
    let alone = |result| Side { digests: Vec::new(), results: vec![result] };
    match <[_; 2]>::try_from(side.results) {
        Ok([before, after]) => of_results(&alone(before), &alone(after)),
        Err(others) if others.len() == 1 => {
            Err(match failed {
                0 => "one result alone compares with nothing; give --before and --after",
                _ => "of what was given one result alone was read, and compares with nothing; see above for the others",
            }
            .to_owned())
        }
        Err(_) => {
            Err("more than two results: say which belong together, with --before and --after".to_owned())
        }
    }
}

/// One list of reports: the periods of a compare-period report, two reports in their order, else a
/// series.
fn one(digests: Vec<Digest>, options: &CompareOptions) -> Result<Compared, String> {
    let digests = match comparison::periods(digests) {
        Ok((before, after)) => return two(&before, &after, options),
        Err(digests) => digests,
    };
    match digests.as_slice() {
        [] => Err("no report was read; see above for each input".to_owned()),
        [_] => Err(
            "one report alone compares with nothing; give --before and --after, or a compare-period report"
                .to_owned(),
        ),
        [before, after] => two(std::slice::from_ref(before), std::slice::from_ref(after), options),
        series => comparison::trend(series).map(|t| Compared::Series(Box::new(t))),
    }
}

/// Digests of every report. What may become a `series` keeps only what that needs.
fn digests(
    request: &Request,
    series: bool,
    masker: &mut Option<Masker>,
    progress: &dyn Progress,
    unread: &mut Vec<Unread>,
) -> Side {
    let masked = request.mask;
    let take = |report: Report| {
        if masked {
            Taken::Whole(Box::new(report))
        } else {
            Taken::Reduced(Box::new(Digest::of(&report)), input::lost_rows(&report))
        }
    };
    let mut side = Side::default();
    let mut keeper = Keeper::default();
    let limits = Limits { looks_like_report: looks_like_either, ..request.limits };
    let read = |source: &str, bytes: &[u8], emit: &mut dyn FnMut(Taken) -> bool| {
        spindle_evidence::read_any(source, bytes, &mut |found| {
            emit(match found {
                Found::Report(report) => Taken::Whole(report),
                Found::Result(result) => Taken::Result(result),
            })
        })
    };
    let reduce = |taken: Taken| match taken {
        Taken::Whole(report) => take(*report),
        other => other,
    };
    input::read_texts(request, &limits, progress, read, reduce, |result| {
        let digests = &mut side.digests;
        match result {
            Ok(Taken::Result(mut result)) => {
                if let Some(masker) = masker {
                    masker.measured(&mut result.measured);
                    masker.report(&mut result.report);
                }
                let StorageResult { report, measured, remarks } = *result;
                unread.extend(input::doubted(&report, &remarks));
                side.results.push((report.identity.source, measured));
            }
            Ok(Taken::Reduced(mut digest, lost)) => {
                unread.extend(lost);
                keeper.keep(&mut digest);
                digests.push(*digest);
            }
            Ok(Taken::Whole(mut report)) => {
                if let Some(masker) = masker {
                    masker.report(&mut report);
                }
                unread.extend(input::lost_rows(&report));
                let mut digest = Digest::of(&report);
                keeper.keep(&mut digest);
                digests.push(digest);
            }
            Err(mut one) => {
                if let Some(masker) = masker {
                    masker.unread(&mut one);
                }
                unread.push(one);
            }
        }
        // Two reports are compared in full; the third makes them a series.
        if series && digests.len() > 2 && !digests.first().is_some_and(Digest::is_period) {
            let from = if digests.len() == 3 { 0 } else { digests.len() - 1 };
            digests[from..].iter_mut().for_each(Digest::slim);
        }
        true
    });
    comparison::complete(&mut side.digests);
    side
}

/// Writes a comparison as the document of `spindle compare --json`.
///
/// # Errors
/// Those of the writer.
pub fn write_compared(mut writer: impl Write, compared: &Compared) -> io::Result<()> {
    match compared {
        Compared::Two(comparison) => json::write(&mut writer, comparison)?,
        Compared::Series(trend) => json::write(&mut writer, trend)?,
        Compared::Results(comparison) => results::write_compared(&mut writer, comparison)?,
    }
    writer.write_all(b"\n")
}
