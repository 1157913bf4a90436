//! What tablespaces print of their reads, held against what sessions waited for reads.
//!
//! Reads times `Av Rd` are the seconds that the requests of a tablespace took, whoever made them. Where they
//! add up to what sessions waited for reads, the report proves how its waits divide, and no object of a
//! tablespace waits longer than that. The kinds of read are told apart by balancing: each tablespace's
//! requests take its printed time, each kind of wait takes its own. Where the two accounts differ, the smaller
//! one is likely, the range goes to the other, and the plan says so.

use super::key::KeyKind;
use super::objects::{ObjectIo, Split, is_temp_name};
use super::totals::Totals;
use super::waits::component;
use crate::plan::{CandidateKind, Component};
use crate::range::Range;
use spindle_diagnosis::Case;
use spindle_facts::{Report, TablespaceIo};
use std::collections::BTreeMap;

/// Accounts that differ by less agree: processes that no event counts, and requests that one wait counts for
/// several, lie between them. Ours.
const AGREE: f64 = 1.25;
/// Direct requests take this many times their waits at most: sessions work while they run. Ours.
const BEHIND: f64 = 4.0;
/// Rounds of balancing at most, and the change at which it has settled.
const ROUNDS: usize = 400;
const SETTLED: f64 = 1e-9;
/// Kinds of read: single-block, multi-block, direct.
const KINDS: usize = 3;

/// What a read of a tablespace takes, by kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Microseconds of a single-block request, of a multi-block one and of a block read directly; the last is
    /// missing where the printed reads do not cover direct ones.
    pub(crate) us: [Option<Range>; KINDS],
    /// Seconds of all reads of it that the pace covers: likely, and at most.
    pub(crate) likely_s: f64,
    pub(crate) most_s: f64,
}

/// Both accounts of the reads of a report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Accounts {
    /// Seconds of all processes by kind of read, which paces are shares of; of direct ones those of the requests.
    pub(crate) waited_s: [f64; KINDS],
    /// Reads times `Av Rd` of all tablespaces, seconds.
    pub(crate) printed_s: f64,
    /// How they fit each other.
    pub(crate) fit: Option<Fit>,
}

/// How the accounts fit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The tablespaces' reads are what sessions waited for.
    Agree,
    /// They are what sessions waited for reads into the cache; direct reads are in the waits alone.
    WithoutDirect,
    /// Tablespaces print more, or less, than sessions waited.
    MorePrinted,
    LessPrinted,
}

impl Accounts {
    /// Seconds that the accounts differ by.
    pub(crate) fn gap_s(&self) -> f64 {
        let waited: f64 = self.waited_s.iter().sum();
        (waited - self.printed_s).abs()
    }
}

type Space<'r> = (Option<&'r str>, &'r str);

/// Gives every object the pace of its tablespace or file, and says how the accounts fit.
pub(crate) fn balance(
    objects: &mut [ObjectIo],
    report: &Report,
    case: &Case<'_>,
    totals: &Totals,
) -> Accounts {
    let mut waited_s = [0.0; KINDS];
    for event in &case.events {
        if let Some(kind) = component(&event.event).and_then(kind_of) {
            waited_s[kind] += event.time_s;
        }
    }
    let printed = printed(report);
    let rows: Vec<(Space<'_>, [f64; KINDS], Option<Range>)> = objects
        .iter()
        .filter(|o| o.key.kind == KeyKind::Tablespace && o.kind != CandidateKind::Temp)
        .fold(BTreeMap::<Space<'_>, [f64; KINDS]>::new(), |mut spaces, object| {
            let sum = spaces.entry(space_of(object)).or_default();
            requests(&object.split[1]).iter().zip(sum).for_each(|(own, sum)| *sum += own);
            spaces
        })
        .into_iter()
        .map(|(space, requests)| (space, requests, printed.get(&space).copied()))
        .collect();
    let all: Range = rows.iter().filter_map(|(.., s)| *s).sum();
    let mut accounts = Accounts { waited_s, printed_s: all.mid, fit: None };
    let cached_s = waited_s[0] + waited_s[1];
    // Printed reads count direct requests whole, and sessions wait for what is left of them.
    let behind_s = (all.mid - cached_s - waited_s[2]).clamp(0.0, (BEHIND - 1.0) * waited_s[2]);
    let Some((fit, kinds, scale)) = fit(all, cached_s, waited_s[2], behind_s) else { return accounts };
    accounts.fit = Some(fit);
    if kinds == KINDS {
        waited_s[2] += behind_s;
        accounts.waited_s = waited_s;
    }

    let per_request = {
        let listed: Vec<([f64; KINDS], Option<f64>)> =
            rows.iter().map(|(_, n, s)| (*n, s.map(|s| s.mid * scale.mid))).collect();
        let counted = [totals.single_waits, totals.multi_waits, totals.direct_blocks.unwrap_or(0.0)];
        balanced(&listed, counted, waited_s, kinds)
    };
    // Seconds of so many requests of each kind, had their storage no pace of its own.
    let at_usual = |n: &[f64; KINDS]| -> f64 { (0..kinds).map(|k| n[k] * per_request[k]).sum() };
    let pace = |n: &[f64; KINDS], s: Range| -> Option<Pace> {
        let usual = at_usual(n);
        (usual > 0.0).then(|| {
            let seconds = Range { low: s.low * scale.low, mid: s.mid * scale.mid, high: s.high * scale.high };
            let us = |k: usize| (k < kinds).then(|| seconds.scaled(1e6 * per_request[k] / usual));
            Pace { us: [us(0), us(1), us(2)], likely_s: seconds.mid, most_s: seconds.high }
        })
    };
    let paces: BTreeMap<(Option<String>, String), Pace> = rows
        .iter()
        .filter_map(|((container, name), n, s)| {
            Some(((container.map(str::to_owned), (*name).to_owned()), pace(n, (*s)?)?))
        })
        .collect();
    let digits = Digits::of(report);
    let mut files: BTreeMap<(Option<&str>, &str), Option<Range>> = BTreeMap::new();
    for row in &report.tables.file_io {
        let own = digits.seconds(&row.io, report);
        let sum = files.entry((row.io.container.as_deref(), row.file.as_str())).or_insert(Some(Range::ZERO));
        *sum = sum.zip(own).map(|(sum, own)| sum + own);
    }
    for object in objects.iter_mut() {
        let of_space = |name: &str| paces.get(&(object.key.container.clone(), name.to_owned()));
        object.pace = match object.key.kind {
            KeyKind::Tablespace => of_space(&object.key.name).copied(),
            KeyKind::File => files
                .get(&(object.key.container.as_deref(), object.key.name.as_str()))
                .and_then(|s| pace(&requests(&object.split[1]), (*s)?)),
            KeyKind::Segment => object.tablespace.as_deref().and_then(of_space).copied(),
        };
        // Its time is printed, however much of it was direct.
        if let (Some(pace), true) = (object.pace, object.key.kind != KeyKind::Segment) {
            let likely = object.split[1];
            for split in &mut object.split {
                (split.single, split.multi) = (likely.single, likely.multi);
                if pace.us[2].is_some() {
                    split.direct_blocks = likely.direct_blocks;
                }
            }
        }
    }
    within_printed(objects);
    accounts
}

/// Takes the likely reads of listed objects together down to what their tablespace prints: first those that
/// are not sure to be read one by one, then all alike.
fn within_printed(objects: &mut [ObjectIo]) {
    let seconds = |split: &Split, pace: &Pace| -> f64 {
        let us = requests(split).into_iter().zip(pace.us);
        us.filter_map(|(n, us)| Some(n * us?.mid / 1e6)).sum()
    };
    type Sums = BTreeMap<(Option<String>, String), (f64, f64)>;
    let sums = |objects: &[ObjectIo]| -> Sums {
        let mut sums = Sums::new();
        for object in objects.iter().filter(|o| o.key.kind == KeyKind::Segment) {
            let (Some(pace), Some(space)) = (&object.pace, &object.tablespace) else { continue };
            let sum = sums.entry((object.key.container.clone(), space.clone())).or_default();
            let likely = seconds(&object.split[1], pace);
            sum.0 += likely.min(seconds(&object.split[0], pace));
            sum.1 += likely;
        }
        sums
    };
    for is_last in [false, true] {
        let sums = sums(objects);
        for object in objects.iter_mut().filter(|o| o.key.kind == KeyKind::Segment) {
            let (Some(pace), Some(space)) = (&mut object.pace, &object.tablespace) else { continue };
            let Some((least, likely)) = sums.get(&(object.key.container.clone(), space.clone())) else {
                continue;
            };
            if *likely <= pace.likely_s * (1.0 + SETTLED) {
                continue;
            }
            if is_last {
                let cut = pace.likely_s / likely;
                for us in pace.us.iter_mut().flatten() {
                    (us.low, us.mid) = (us.low * cut, us.mid * cut);
                }
            } else if least < likely && seconds(&object.split[0], pace) < seconds(&object.split[1], pace) {
                let part = ((pace.likely_s - least) / (likely - least)).clamp(0.0, 1.0);
                let (low, mid) = (object.split[0], object.split[1]);
                let between = |low: f64, mid: f64| low + part * (mid - low);
                object.split[1] = Split {
                    single: between(low.single, mid.single),
                    multi: between(low.multi, mid.multi),
                    direct_blocks: between(low.direct_blocks, mid.direct_blocks),
                };
            }
        }
    }
}

/// Which kinds of read the printed ones cover, and what of the printed seconds sessions waited for: at least,
/// likely, at most.
fn fit(printed: Range, cached_s: f64, direct_s: f64, behind_s: f64) -> Option<(Fit, usize, Range)> {
    let agrees = |waited: f64| waited * AGREE >= printed.low && waited <= AGREE * printed.high;
    let away = |waited: f64| (waited / printed.mid).ln().abs();
    let all_s = cached_s + direct_s;
    if all_s <= 0.0 || printed.mid <= 0.0 {
        return None;
    }
    let waited = |s: f64| {
        // Processes that no event counts may have read anywhere.
        let share = (s / printed.mid).min(1.0);
        let apart = (s / printed.mid).min(printed.mid / s.max(f64::MIN_POSITIVE));
        Range { low: share * apart, mid: share, high: 1.0 }
    };
    let whole_s = all_s + behind_s;
    let mixed = || {
        // How much of a tablespace's time was direct is a guess.
        let scale = waited(whole_s);
        Range { low: scale.low.min(all_s / printed.mid), ..scale }
    };
    Some(match () {
        () if agrees(whole_s) && !(agrees(cached_s) && away(cached_s) < away(all_s)) => {
            (Fit::Agree, KINDS, mixed())
        }
        () if agrees(cached_s) => {
            let fit = if direct_s > (AGREE - 1.0) * cached_s { Fit::WithoutDirect } else { Fit::Agree };
            (fit, 2, waited(cached_s))
        }
        () if all_s < printed.mid => (Fit::MorePrinted, KINDS, mixed()),
        () => (Fit::LessPrinted, KINDS, Range { low: 1.0, mid: 1.0, high: all_s / printed.mid }),
    })
}

/// Seconds of a request of each kind, such that rows take the seconds that they print and kinds those that
/// were waited for; relative to each other, since each row has a pace of its own.
fn balanced(
    rows: &[([f64; KINDS], Option<f64>)],
    counted: [f64; KINDS],
    waited_s: [f64; KINDS],
    kinds: usize,
) -> [f64; KINDS] {
    // What no row lists, and rows that print no time, go at the usual pace.
    let mut free = [0.0; KINDS];
    let mut of_rows = [0.0; KINDS];
    for (n, s) in rows {
        for k in 0..KINDS {
            of_rows[k] += n[k];
            free[k] += if s.is_none() { n[k] } else { 0.0 };
        }
    }
    for k in 0..KINDS {
        free[k] += (counted[k] - of_rows[k]).max(0.0);
    }
    let mut per_request: [f64; KINDS] = std::array::from_fn(|k| {
        let all = counted[k].max(of_rows[k]);
        if all > 0.0 { waited_s[k] / all } else { 0.0 }
    });
    for _ in 0..ROUNDS {
        let mut sums: [f64; KINDS] = std::array::from_fn(|k| free[k] * per_request[k]);
        for (n, s) in rows {
            let Some(s) = s else { continue };
            let usual: f64 = (0..kinds).map(|k| n[k] * per_request[k]).sum();
            if usual > 0.0 {
                (0..kinds).for_each(|k| sums[k] += n[k] * per_request[k] * s / usual);
            }
        }
        // Where rows and kinds do not add up to the same, all factors become one: proportions are what counts.
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for k in 0..kinds {
            if sums[k] > 0.0 && waited_s[k] > 0.0 {
                let factor = waited_s[k] / sums[k];
                per_request[k] = (per_request[k] * factor).clamp(1e-100, 1e100);
                (least, most) = (least.min(factor), most.max(factor));
            }
        }
        if most <= least * (1.0 + SETTLED) {
            break;
        }
    }
    per_request
}

fn kind_of(component: Component) -> Option<usize> {
    match component {
        Component::SingleBlockRead => Some(0),
        Component::MultiBlockRead => Some(1),
        Component::DirectRead => Some(2),
        _ => None,
    }
}

fn requests(split: &Split) -> [f64; KINDS] {
    [split.single, split.multi, split.direct_blocks]
}

fn space_of(object: &ObjectIo) -> Space<'_> {
    (object.key.container.as_deref(), object.key.name.as_str())
}

/// Half of the last digit that `Av Rd` is printed with, microseconds.
#[derive(Clone, Copy)]
struct Digits(f64);

impl Digits {
    fn of(report: &Report) -> Self {
        let is_fine = |us: f64| (us / 100.0 - (us / 100.0).round()).abs() > 1e-6;
        let spaces = report.tables.tablespace_io.iter();
        let all = spaces.chain(report.tables.file_io.iter().map(|f| &f.io));
        Self(if all.filter_map(|r| r.avg_read_us).any(is_fine) { 5.0 } else { 50.0 })
    }

    /// Seconds that the requests of a row took.
    fn seconds(self, row: &TablespaceIo, report: &Report) -> Option<Range> {
        let elapsed_s = report.identity.elapsed_s;
        let (least, likely, most) = match (row.reads, row.reads_per_s) {
            (Some(reads), _) => (reads, reads, reads),
            // A rate is rounded to a whole number.
            (None, Some(rate)) => {
                let over = |rate: f64| Some(rate.max(0.0) * elapsed_s?);
                (over(rate - 0.5)?, over(rate)?, over(rate + 0.5)?)
            }
            (None, None) => return None,
        };
        let us = row.avg_read_us?;
        Some(Range {
            low: least * (us - self.0).max(0.0) / 1e6,
            mid: likely * us / 1e6,
            high: most * (us + self.0) / 1e6,
        })
    }
}

/// Printed seconds of each tablespace of data, where all its rows print them.
fn printed(report: &Report) -> BTreeMap<Space<'_>, Range> {
    let digits = Digits::of(report);
    let mut found: BTreeMap<Space<'_>, Option<Range>> = BTreeMap::new();
    for row in report.tables.tablespace_io.iter().filter(|r| !is_temp_name(&r.tablespace)) {
        let own = digits.seconds(row, report);
        let sum =
            found.entry((row.container.as_deref(), row.tablespace.as_str())).or_insert(Some(Range::ZERO));
        *sum = sum.zip(own).map(|(sum, own)| sum + own);
    }
    found.into_iter().filter_map(|(space, s)| Some((space, s?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_take_what_they_print_and_kinds_what_was_waited() {
        // Large reads take 20 ms wherever they are, small ones 2 ms here and 1 ms there.
        let rows = [([1_000.0, 100.0, 0.0], Some(4.0)), ([2_000.0, 10.0, 0.0], Some(2.2))];
        let us = balanced(&rows, [3_000.0, 110.0, 0.0], [4.0, 2.2, 0.0], 2);
        let of = |n: &[f64; KINDS], s: f64, k: usize| s * n[k] * us[k] / (n[0] * us[0] + n[1] * us[1]);
        let single: f64 = rows.iter().map(|(n, s)| of(n, s.unwrap_or(0.0), 0)).sum();
        let multi: f64 = rows.iter().map(|(n, s)| of(n, s.unwrap_or(0.0), 1)).sum();
        assert!((single - 4.0).abs() < 1e-6 && (multi - 2.2).abs() < 1e-6, "{single} {multi}");
    }

    #[test]
    fn accounts_that_cannot_be_balanced_grew_without_end() {
        // Nobody makes a multi-block read, and rows print a thousandth of what was waited.
        let rows = [([1e9, 0.0, 5.0], Some(1e-3)), ([3.0, 0.0, 1e9], Some(1e-6))];
        for waited_s in [[1e9, 1e9, 1e3], [1e-6, 5.0, 1e9]] {
            let us = balanced(&rows, [1.0, 1.0, 1.0], waited_s, 3);
            assert!(us.iter().all(|us| us.is_finite()) && us[0] > 0.0 && us[2] > 0.0, "{us:?}");
        }
    }
}
