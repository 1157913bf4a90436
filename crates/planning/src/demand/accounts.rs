//! What tablespaces print of their reads, held against what sessions waited for reads.
//!
//! Reads times `Av Rd` are the seconds that the requests of a tablespace took, whoever made them. Where they
//! add up to what sessions waited for reads, the report proves how its waits divide, and no object of a
//! tablespace waits longer than that. The kinds of read are told apart by balancing: each tablespace's
//! requests take its printed time, each kind of wait takes its own. Where the two accounts differ, the smaller
//! one is likely, the range goes to the other, and the plan says so.
//!
//! Where tablespaces print their single-block reads apart (`1-bk Rds/s`, `Av 1-bk Rd`) and these are what sessions
//! waited for single blocks, nothing of that has to be balanced: only the other reads are.

use super::key::KeyKind;
use super::objects::{ObjectIo, Split, is_temp_name, requests_of, rounding_of_blocks};
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
pub(crate) const BEHIND: f64 = 4.0;
/// One-block reads may be this many times all reads: both are rounded.
const MORE_THAN_ALL: f64 = 1.05;
/// A rate whose rounding is this share of it says little. Ours.
const COARSE: f64 = 0.1;
/// Against reads of another kind, those of one kind take so many times as long in one tablespace as in another, or as
/// short: a cache answers small reads and passes large ones to its disks. Ours; where tablespaces print all reads
/// together, nothing tells.
pub(crate) const UNLIKE: f64 = 2.0;
/// Rows and the rest of the waits that differ by less than this share miss each other by what is rounded. Ours.
const NEARLY: f64 = 0.05;
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
    /// Times that the requests which the pace covers take longer than they usually do.
    pub(crate) times: f64,
    /// Likely share of the printed seconds that was waited for, by kind: requests and bytes count by the same share.
    pub(crate) counted: [f64; KINDS],
    /// Seconds of all reads of it that the pace covers: likely, and at most.
    pub(crate) likely_s: f64,
    pub(crate) most_s: f64,
}

/// Both accounts of the reads of a report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Accounts {
    /// Seconds of all processes by kind of read, which paces are shares of; of direct ones those of the requests.
    pub(crate) waited_s: [f64; KINDS],
    /// Of the direct ones, what ran while sessions worked.
    pub(crate) behind_s: f64,
    /// Reads times `Av Rd` of all tablespaces, seconds.
    pub(crate) printed_s: f64,
    /// How they fit each other.
    pub(crate) fit: Option<Fit>,
    /// Single-block reads are printed apart and fit: the accounts are of the other reads alone.
    pub(crate) is_of_others: bool,
    /// Seconds of single-block reads printed apart, where they are fewer than sessions waited for.
    pub(crate) fewer_singles_s: Option<f64>,
}

/// How the accounts fit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The tablespaces' reads are what sessions waited for.
    Agree,
    /// They are what sessions waited for reads into the cache, or less than direct reads alone; these are in the
    /// waits alone.
    WithoutDirect,
    /// Tablespaces print more, or less, than sessions waited.
    MorePrinted,
    LessPrinted,
}

impl Accounts {
    /// Seconds that the accounts differ by.
    pub(crate) fn gap_s(&self) -> f64 {
        (self.compared_s() - self.printed_s).abs()
    }

    /// Seconds of the reads that the accounts are of, as waited.
    pub(crate) fn compared_s(&self) -> f64 {
        self.waited_s.iter().skip(usize::from(self.is_of_others)).sum()
    }
}

impl Pace {
    /// For an object of a tablespace whose reads of several kinds are printed together: how their time divides is
    /// balanced, and the kinds may be unlike; what is rounded of the whole may be that of one kind. `requests` are those
    /// of the tablespace by kind, of which the first `apart` are printed by themselves; `rounded` are the seconds of the
    /// others.
    fn unlike(mut self, requests: &[f64; KINDS], apart: usize, rounded: Range) -> Self {
        let seconds: [f64; KINDS] = std::array::from_fn(|k| {
            self.us[k].map_or(0.0, |us| if k < apart { 0.0 } else { requests[k] * us.mid })
        });
        let all: f64 = seconds.iter().sum();
        if all <= 0.0 {
            return self;
        }
        for (us, seconds) in self.us.iter_mut().zip(seconds).skip(apart) {
            let share = seconds / all;
            let times = |unlike: f64| unlike / (1.0 + (unlike - 1.0) * share);
            if let Some(us) = us {
                (us.low, us.high) = (us.low * times(1.0 / UNLIKE), us.high * times(UNLIKE));
            }
        }
        for (us, n) in self.us.iter_mut().zip(requests).skip(apart).filter(|(_, n)| **n > 0.0) {
            if let Some(us) = us {
                us.low = (us.low - 1e6 * (rounded.mid - rounded.low) / n).max(0.0);
                us.high += 1e6 * (rounded.high - rounded.mid) / n;
            }
        }
        self
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
    // Where all reads agree with the waits, they prove how all kinds divide; single-block reads that are printed apart
    // and agree too divide them better.
    let whole: Range = printed.values().copied().sum();
    let all_agree =
        matches!(fit(whole, waited_s[0] + waited_s[1], waited_s[2], 0.0), Some((Fit::Agree, KINDS, _)));
    let singles = Singles::of(report, case, &printed, waited_s[0], totals.multi_blocks)
        .filter(|singles| !all_agree || singles.fewer_s.is_none());
    if let Some(singles) = &singles {
        for object in objects.iter_mut() {
            singles.split(object, totals);
        }
    }
    within_multi_waits(objects, totals, rounded_multi(report, singles.is_some(), totals));
    let alone = |space: &Space<'_>| singles.as_ref().and_then(|s| s.spaces.get(space)).copied();
    let rows: Vec<(Space<'_>, [f64; KINDS], Option<Range>)> = objects
        .iter()
        .filter(|o| o.key.kind == KeyKind::Tablespace && o.kind != CandidateKind::Temp)
        .fold(BTreeMap::<Space<'_>, [f64; KINDS]>::new(), |mut spaces, object| {
            let sum = spaces.entry(space_of(object)).or_default();
            requests(&object.split[1]).iter().zip(sum).for_each(|(own, sum)| *sum += own);
            spaces
        })
        .into_iter()
        .map(|(space, mut requests)| {
            let mut seconds = printed.get(&space).copied();
            if singles.is_some() {
                requests[0] = 0.0;
                seconds = seconds.zip(alone(&space)).map(|(all, alone)| alone.others_s(all));
            }
            (space, requests, seconds)
        })
        .collect();
    let all: Range = rows.iter().filter_map(|(.., s)| *s).sum();
    let is_of_others = singles.is_some();
    let mut accounts = Accounts { waited_s, printed_s: all.mid, is_of_others, ..Accounts::default() };
    accounts.fewer_singles_s = singles.as_ref().and_then(|s| s.fewer_s);
    let cached_s = if is_of_others { waited_s[1] } else { waited_s[0] + waited_s[1] };
    // Printed reads count direct requests whole, and sessions wait for what is left of them.
    let behind_s = (all.mid - cached_s - waited_s[2]).clamp(0.0, (BEHIND - 1.0) * waited_s[2]);
    let mut others = fit(all, cached_s, waited_s[2], behind_s);
    // Where all reads agree, direct ones are among the printed, however little the others leave of them.
    if let (Some((Fit::WithoutDirect, ..)), true, true) = (others, all_agree, is_of_others) {
        let times = (cached_s + waited_s[2]) / all.mid;
        others = Some(match times < 1.0 {
            true => (Fit::MorePrinted, KINDS, Range { low: times * times, mid: times, high: 1.0 }),
            false => (Fit::LessPrinted, KINDS, Range { low: 1.0, mid: 1.0, high: times }),
        });
    }
    if others.is_none() && singles.is_none() {
        return accounts;
    }
    accounts.fit = others.map(|(fit, ..)| fit);
    let (_, mut kinds, scale) = others.unwrap_or((Fit::Agree, 0, Range::exact(1.0)));
    // Few direct reads, within what is printed.
    if is_of_others && accounts.fit == Some(Fit::Agree) {
        kinds = KINDS;
    }
    let single_us = if totals.single_waits > 0.0 { waited_s[0] * 1e6 / totals.single_waits } else { 0.0 };
    if kinds == KINDS {
        waited_s[2] += behind_s;
        (accounts.waited_s, accounts.behind_s) = (waited_s, behind_s);
    }

    let per_request = {
        let listed: Vec<([f64; KINDS], Option<f64>)> =
            rows.iter().map(|(_, n, s)| (*n, s.map(|s| s.mid * scale.mid))).collect();
        let counted = [totals.single_waits, totals.multi_waits, totals.direct_blocks.unwrap_or(0.0)];
        let mut of = waited_s;
        if is_of_others {
            of[0] = 0.0;
        }
        balanced(&listed, counted, of, kinds)
    };
    // Seconds of so many requests of each kind, had their storage no pace of its own.
    let at_usual = |n: &[f64; KINDS]| -> f64 { (0..kinds).map(|k| n[k] * per_request[k]).sum() };
    // What is balanced is known but for one factor: usual is what all that is printed takes.
    let unit_s = {
        let printed = || rows.iter().filter_map(|(_, n, s)| Some((at_usual(n), s.as_ref()?.mid * scale.mid)));
        let (usual, seconds) = printed().fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        if usual > 0.0 && seconds > 0.0 { usual / seconds } else { 1.0 }
    };
    // The same of tablespaces as often as they are read directly.
    let of_direct = {
        let usual = rows.iter().map(|(_, n, s)| (n[2], at_usual(n), s.map_or(0.0, |s| s.mid * scale.mid)));
        let known = usual.filter(|(_, usual, s)| *usual > 0.0 && *s > 0.0);
        let sum = known.fold((0.0, 0.0), |sum, (n, usual, s)| (sum.0 + n, sum.1 + n * s * unit_s / usual));
        if sum.0 > 0.0 && sum.1 > 0.0 { sum.1 / sum.0 } else { 1.0 }
    };
    let direct_s = waited_s[2];
    let balanced_pace = |n: &[f64; KINDS], s: Range| -> Option<Pace> {
        let usual = at_usual(n);
        // All that it prints is of direct reads, and no share of what was waited for.
        let all_direct = totals.direct_blocks.unwrap_or(0.0);
        if usual <= 0.0 && kinds < KINDS && n[2] > 0.0 && direct_s > 0.0 && all_direct > 0.0 {
            return Some(Pace {
                us: [None; KINDS],
                times: s.mid / n[2] / (direct_s / all_direct),
                counted: [scale.mid; KINDS],
                likely_s: s.mid,
                most_s: s.high,
            });
        }
        (usual > 0.0).then(|| {
            let seconds = Range { low: s.low * scale.low, mid: s.mid * scale.mid, high: s.high * scale.high };
            let us = |k: usize| (k < kinds).then(|| seconds.scaled(1e6 * per_request[k] / usual));
            Pace {
                us: [us(0), us(1), us(2)],
                times: seconds.mid * unit_s / usual / of_direct,
                counted: [scale.mid; KINDS],
                likely_s: seconds.mid,
                most_s: seconds.high,
            }
        })
    };
    let pace = |n: &[f64; KINDS],
                s: Option<Range>,
                alone: Option<Single>,
                all: Option<Range>|
     -> Option<Pace> {
        let Some(singles) = &singles else { return balanced_pace(n, s?) };
        let (alone, of_singles) = (alone?, singles.scale);
        let own_s = Range {
            low: alone.s.low * of_singles.low,
            mid: alone.s.mid * of_singles.mid,
            high: alone.s.high * of_singles.high,
        };
        let others = s.map(|s| {
            // Where likely none is left, what there may be goes at the usual pace.
            let usual = |k: usize| (k < kinds).then(|| Range::exact(1e6 * per_request[k]));
            balanced_pace(&[0.0, n[1], n[2]], s).unwrap_or(Pace {
                us: [None, usual(1), usual(2)],
                times: 1.0,
                counted: [scale.mid; KINDS],
                likely_s: 0.0,
                most_s: s.high * scale.high,
            })
        });
        let us =
            if alone.requests > 0.0 { own_s.scaled(1e6 / alone.requests) } else { Range::exact(single_us) };
        Some(Pace {
            us: [Some(us), others.and_then(|o| o.us[1]), others.and_then(|o| o.us[2])],
            times: if single_us > 0.0 && us.mid > 0.0 { us.mid / single_us } else { 1.0 },
            counted: [of_singles.mid, scale.mid, scale.mid],
            likely_s: own_s.mid + others.map_or(0.0, |o| o.likely_s),
            // What is rounded up in one is rounded down in the other.
            most_s: (own_s.high + others.map_or(0.0, |o| o.most_s)).min(all?.high * of_singles.high.max(1.0)),
        })
    };
    let paces: BTreeMap<(Option<String>, String), Pace> = rows
        .iter()
        .filter_map(|((container, name), n, s)| {
            let space = (*container, *name);
            let pace = pace(n, *s, alone(&space), printed.get(&space).copied())?;
            Some(((container.map(str::to_owned), (*name).to_owned()), pace))
        })
        .collect();
    let of_objects: BTreeMap<(Option<String>, String), Pace> = rows
        .iter()
        .filter_map(|((container, name), n, s)| {
            let space = (container.map(str::to_owned), (*name).to_owned());
            let rounded = s.unwrap_or(Range::ZERO);
            let pace = paces.get(&space)?.unlike(n, usize::from(is_of_others), rounded);
            Some((space, pace))
        })
        .collect();
    let digits = Digits::of(report);
    let mut files: BTreeMap<(Option<&str>, &str), Option<Range>> = BTreeMap::new();
    for row in &report.tables.file_io {
        let own = digits.seconds(&row.io, report);
        let sum = files.entry((row.io.container.as_deref(), row.file.as_str())).or_insert(Some(Range::ZERO));
        *sum = sum.zip(own).map(|(sum, own)| sum + own);
    }
    let of_file = |object: &ObjectIo, split: &Split| -> Option<Pace> {
        let name = (object.key.container.as_deref(), object.key.name.as_str());
        let all = files.get(&name).copied().flatten()?;
        let alone = singles.as_ref().and_then(|all| all.files.get(&name)).copied();
        let s = if is_of_others { alone.map(|alone| alone.others_s(all)) } else { Some(all) };
        pace(&requests(split), s, alone, Some(all))
    };
    type Row = ([f64; KINDS], Option<Range>);
    let by_name: BTreeMap<(Option<String>, String), Row> = rows
        .iter()
        .map(|((container, name), n, s)| ((container.map(str::to_owned), (*name).to_owned()), (*n, *s)))
        .collect();
    // Were its reads divided otherwise: the pace of a tablespace is that of all its rows.
    let otherwise = |object: &ObjectIo, split: &Split| -> Option<Pace> {
        if object.key.kind == KeyKind::File {
            return of_file(object, split);
        }
        let space = space_of(object);
        let (all, s) = by_name.get(&(object.key.container.clone(), object.key.name.clone()))?;
        let (own, likely) = (requests(split), requests(&object.split[1]));
        let mut n: [f64; KINDS] = std::array::from_fn(|k| (all[k] + own[k] - likely[k]).max(0.0));
        if is_of_others {
            n[0] = 0.0;
        }
        pace(&n, *s, alone(&space), printed.get(&space).copied())
    };
    for object in objects.iter_mut() {
        let space = |name: &str| (object.key.container.clone(), name.to_owned());
        object.pace = match object.key.kind {
            KeyKind::Tablespace => paces.get(&space(&object.key.name)).copied(),
            KeyKind::File => of_file(object, &object.split[1]),
            KeyKind::Segment => {
                object.tablespace.as_deref().and_then(|name| of_objects.get(&space(name))).copied()
            }
        };
        // Its time is printed, however much of it was direct.
        if let (Some(own), true) = (object.pace, object.key.kind != KeyKind::Segment) {
            let likely = object.split[1];
            if own.us[2].is_some() {
                for other in [object.split[0], object.split[2]] {
                    if other.direct_blocks != likely.direct_blocks {
                        let pace = otherwise(object, &other);
                        object.otherwise.extend(pace.map(|pace| (other, Some(pace))));
                    }
                }
            }
            for split in &mut object.split {
                (split.single, split.multi) = (likely.single, likely.multi);
                if own.us[2].is_some() {
                    split.direct_blocks = likely.direct_blocks;
                }
            }
        }
    }
    within_printed(objects);
    for object in objects.iter_mut().filter(|o| o.key.kind == KeyKind::Segment) {
        let pace = object.pace;
        object.otherwise.iter_mut().for_each(|(_, own)| *own = pace);
    }
    accounts
}

/// Single-block reads of a tablespace or file, as printed.
#[derive(Clone, Copy)]
struct Single {
    requests: f64,
    /// All requests, of which these are some.
    of: f64,
    s: Range,
}

impl Single {
    /// What is left of all its reads.
    fn others_s(&self, all: Range) -> Range {
        Range {
            low: (all.low - self.s.high).max(0.0),
            mid: (all.mid - self.s.mid).max(0.0),
            high: (all.high - self.s.low).max(0.0),
        }
    }
}

/// Single-block reads that tablespaces and files print apart.
struct Singles<'r> {
    spaces: BTreeMap<Space<'r>, Single>,
    files: BTreeMap<Space<'r>, Single>,
    /// What of them sessions waited for.
    scale: Range,
    /// Their seconds, where sessions waited longer.
    fewer_s: Option<f64>,
}

impl<'r> Singles<'r> {
    /// `None` where they are not printed, cannot be, or are not what sessions waited for single blocks. Where they
    /// are fewer and as long, not all requests are in them: the range goes to all that was waited.
    fn of(
        report: &'r Report,
        case: &Case<'_>,
        printed: &BTreeMap<Space<'_>, Range>,
        waited_s: f64,
        multi_blocks: f64,
    ) -> Option<Self> {
        let elapsed_s = report.identity.elapsed_s?;
        let is_fine = |value: f64| (10.0 * value - (10.0 * value).round()).abs() > 1e-6;
        let (mut spaces, mut files) = (BTreeMap::new(), BTreeMap::new());
        let data = || report.tables.tablespace_io.iter().filter(|r| !is_temp_name(&r.tablespace));
        let all = || data().chain(report.tables.file_io.iter().map(|f| &f.io));
        let digits = Digits(if all().filter_map(|r| r.one_block_avg_us).any(|us| is_fine(us / 1e3)) {
            5.0
        } else {
            50.0
        });
        // Rates are rounded to a whole number, or to a tenth.
        let rates = || all().filter_map(|r| r.one_block_reads_per_s);
        let half_of_all = Digits::of(report).0;
        let half = if rates().any(|r| (r - r.round()).abs() > 1e-6) { 0.05 } else { 0.5 };
        let one = |row: &TablespaceIo| -> Option<Single> {
            let (rate, reads) = (row.one_block_reads_per_s?, requests_of(report, row)?.mid);
            // No more of one block than of any.
            if (rate - half) * elapsed_s > reads * MORE_THAN_ALL {
                return None;
            }
            let us = if rate > 0.0 { row.one_block_avg_us? } else { row.one_block_avg_us.unwrap_or(0.0) };
            let least = ((rate - half) * elapsed_s).max(0.0).min(reads);
            let most = ((rate + half) * elapsed_s).min(reads);
            let printed = (rate * elapsed_s).min(reads);
            // A rate of few says little: within its rounding, so many as blocks a read leave, and as take no longer
            // than all reads.
            let by_time = match row.avg_read_us {
                Some(all_us) if us > digits.0 => reads * (all_us + half_of_all) / (us - digits.0),
                _ => f64::INFINITY,
            };
            let by_blocks = row
                .blocks_per_read
                .filter(|_| us > 0.0 && multi_blocks > 1.0 && half > COARSE * rate)
                .map(|each| reads * (1.0 - (each - 1.0).max(0.0) / (multi_blocks - 1.0)));
            let requests = by_blocks.map_or(printed, |n| n.min(by_time).clamp(least, most));
            Some(Single {
                requests,
                of: reads,
                s: Range {
                    low: least.min(requests) * (us - digits.0).max(0.0) / 1e6,
                    mid: requests * us / 1e6,
                    high: most.max(requests) * (us + digits.0) / 1e6,
                },
            })
        };
        let add = |found: &mut BTreeMap<Space<'r>, Single>, name: Space<'r>, own: Single| {
            let sum = found.entry(name).or_insert(Single { requests: 0.0, of: 0.0, s: Range::ZERO });
            (sum.requests, sum.of, sum.s) = (sum.requests + own.requests, sum.of + own.of, sum.s + own.s);
        };
        for row in data().filter(|r| r.reads.or(r.reads_per_s).is_some_and(|reads| reads > 0.0)) {
            add(&mut spaces, (row.container.as_deref(), row.tablespace.as_str()), one(row)?);
        }
        for file in &report.tables.file_io {
            if let Some(own) = one(&file.io) {
                add(&mut files, (file.io.container.as_deref(), file.file.as_str()), own);
            }
        }
        let own: Range = spaces.values().map(|s| s.s).sum();
        let all: Range = printed.values().copied().sum();
        if waited_s <= 0.0 || own.mid <= 0.0 || own.low > all.high * MORE_THAN_ALL {
            return None;
        }
        let agrees = waited_s * AGREE >= own.low && waited_s <= AGREE * own.high;
        let scale = if agrees {
            let share = (waited_s / own.mid).min(1.0);
            Range { low: share * share, mid: share, high: 1.0 }
        } else {
            let requests: f64 = spaces.values().map(|s| s.requests).sum();
            let waits: f64 = case
                .events
                .iter()
                .filter(|e| component(&e.event) == Some(Component::SingleBlockRead))
                .filter_map(|e| e.waits)
                .sum();
            let (printed_us, waited_us) = (own.mid / requests, waited_s / waits);
            let is_as_long = printed_us <= AGREE * waited_us && waited_us <= AGREE * printed_us;
            if !is_as_long || own.mid > waited_s {
                return None;
            }
            Range { low: 1.0, mid: 1.0, high: waited_s / own.mid }
        };
        Some(Self { spaces, files, scale, fewer_s: (!agrees).then_some(own.mid) })
    }

    /// Single-block requests of a tablespace or file are printed; what is left are the others.
    fn split(&self, object: &mut ObjectIo, totals: &Totals) {
        let name = space_of(object);
        let single = match object.key.kind {
            KeyKind::Tablespace => self.spaces.get(&name),
            KeyKind::File => self.files.get(&name),
            KeyKind::Segment => None,
        };
        let (Some(single), Some(reads)) = (single.filter(|s| s.of > 0.0), object.read_requests) else {
            return;
        };
        // A name that stands in several rows has a part of the requests in each.
        let single = (reads * single.requests / single.of).min(reads);
        for split in &mut object.split {
            let direct_blocks = split.direct_blocks.min((object.read_blocks - single).max(0.0));
            let direct = direct_blocks / totals.direct_request_blocks.max(1.0);
            *split = Split { single, multi: (reads - single - direct).max(0.0), direct_blocks };
        }
    }
}

/// Multi-block reads of all tablespaces that rounding may make: of single-block rates where these count them, else of
/// blocks a read.
fn rounded_multi(report: &Report, by_rates: bool, totals: &Totals) -> f64 {
    let rows = report.tables.tablespace_io.iter().filter(|r| !is_temp_name(&r.tablespace));
    if by_rates {
        return rows.count() as f64 * 0.5 * report.identity.elapsed_s.unwrap_or(0.0);
    }
    let reads: f64 = rows.filter_map(|row| Some(requests_of(report, row)?.mid)).sum();
    reads * rounding_of_blocks(report) / (totals.multi_blocks - 1.0).max(1.0)
}

/// Tablespaces together were read by no more multi-block reads than were waited for: what rounded blocks a read, or
/// rates, make of more were single blocks. Where they print more than that, others read them, and nobody waited.
fn within_multi_waits(objects: &mut [ObjectIo], totals: &Totals, rounded: f64) {
    if totals.single_waits + totals.multi_waits <= 0.0 {
        return;
    }
    let is_data = |o: &ObjectIo| o.kind != CandidateKind::Temp;
    let all: f64 = objects
        .iter()
        .filter(|o| o.key.kind == KeyKind::Tablespace && is_data(o))
        .map(|o| o.split[1].multi)
        .sum();
    if all <= totals.multi_waits || all > totals.multi_waits + rounded {
        return;
    }
    let left = totals.multi_waits / all;
    for object in objects.iter_mut().filter(|o| o.key.kind != KeyKind::Segment && is_data(o)) {
        for split in &mut object.split {
            let beyond = split.multi * (1.0 - left);
            (split.single, split.multi) = (split.single + beyond, split.multi - beyond);
        }
    }
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
        // A wait for a direct read is no longer than the read, so those are not in printed times that are shorter.
        () if AGREE * printed.high < direct_s => {
            let scale = if cached_s < printed.mid {
                waited(cached_s)
            } else {
                Range { low: 1.0, mid: 1.0, high: cached_s / printed.mid }
            };
            (Fit::WithoutDirect, 2, scale)
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
    // What is not listed goes at a pace that is known: rows that add up to less than the rest of the waits, or more, would
    // drive one kind to nothing.
    let rows_s: f64 = rows.iter().filter_map(|(_, s)| *s).sum();
    let rest_s: f64 = (0..kinds).map(|k| (waited_s[k] - free[k] * per_request[k]).max(0.0)).sum();
    let times = if rows_s > 0.0 && rest_s > 0.0 { rest_s / rows_s } else { 1.0 };
    // Rows that are further from the rest hold it: they list as one kind what was waited for as another.
    let times = if (times - 1.0).abs() <= NEARLY { times } else { 1.0 };
    for _ in 0..ROUNDS {
        let mut sums: [f64; KINDS] = std::array::from_fn(|k| free[k] * per_request[k]);
        for (n, s) in rows {
            let Some(s) = s else { continue };
            let usual: f64 = (0..kinds).map(|k| n[k] * per_request[k]).sum();
            if usual > 0.0 {
                (0..kinds).for_each(|k| sums[k] += n[k] * per_request[k] * s * times / usual);
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
        let reads = requests_of(report, row)?;
        let us = row.avg_read_us?;
        Some(Range {
            low: reads.low * (us - self.0).max(0.0) / 1e6,
            mid: reads.mid * us / 1e6,
            high: reads.high * (us + self.0) / 1e6,
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
