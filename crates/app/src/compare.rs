//! `spindle compare`: what changed between two periods, and what explains it.

use crate::Request;
use crate::input::{self, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use spindle_diagnosis::comparison::{self, CompareOptions, Comparison, Digest, Trend};
use spindle_facts::Report;
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
}

/// A report on its way: names are masked one report after the other, so a masked run reduces later.
enum Taken {
    Reduced(Box<Digest>),
    Whole(Box<Report>),
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
            let (before, after) = (read(before, false), read(after, false));
            two(&before, &after, options)
        }
        Sides::One(inputs) => one(read(inputs, true), options),
    };
    let warnings = match &mut compared {
        Ok(Compared::Two(comparison)) => &mut comparison.warnings,
        Ok(Compared::Series(trend)) => &mut trend.warnings,
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
) -> Vec<Digest> {
    let masked = request.mask;
    let take = |report: Report| {
        if masked { Taken::Whole(Box::new(report)) } else { Taken::Reduced(Box::new(Digest::of(&report))) }
    };
    let mut digests: Vec<Digest> = Vec::new();
    input::read_all(request, progress, take, |result| {
        match result {
            Ok(Taken::Reduced(digest)) => digests.push(*digest),
            Ok(Taken::Whole(mut report)) => {
                if let Some(masker) = masker {
                    masker.report(&mut report);
                }
                digests.push(Digest::of(&report));
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
    digests
}

/// Writes a comparison as the document of `spindle compare --json`.
///
/// # Errors
/// Those of the writer.
pub fn write_compared(mut writer: impl Write, compared: &Compared) -> io::Result<()> {
    match compared {
        Compared::Two(comparison) => json::write(&mut writer, comparison)?,
        Compared::Series(trend) => json::write(&mut writer, trend)?,
    }
    writer.write_all(b"\n")
}
