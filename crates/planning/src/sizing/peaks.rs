//! Peaks that means hide: of an hour, from intervals shorter than one; of a minute, where a collected
//! history kept the highest.

use super::load::{BELIEVED, IntervalLoad, LARGEST_MB, Measures, Unbelieved};
use super::outcome::{HiddenPeak, PeakMinute};
use super::redundancy::Redundancy;
use super::say::{n, time};
use super::timeline::{Slice, Timeline, length, words};
use std::collections::{BTreeMap, BTreeSet};

const HOUR_S: i64 = 3_600;
/// Intervals up to this show what is inside an hour; from that on they are an hour.
const SHORT_S: f64 = 1_900.0;
const LONG_S: f64 = 2_700.0;
/// Least share of an hour that short intervals must cover.
const COVERED: f64 = 0.95;
/// Hours below which no range is given.
const ENOUGH_HOURS: usize = 3;

/// Requests a second, both ways.
fn both(load: &Measures) -> Option<f64> {
    Some(load.read_iops? + load.write_iops?)
}

/// An hour of the clock, by the parts of it that count.
#[derive(Default)]
struct Hour {
    seconds: f64,
    requests: f64,
    highest: f64,
    parts: usize,
    /// The longest interval that anything in it was measured in, seconds.
    measured_s: f64,
    /// The shortest, of what was measured.
    shortest_s: f64,
}

/// The longest interval that a slice adds: it says no more of when than that, however it is cut.
fn measured_s(line: &Timeline, slice: &Slice) -> f64 {
    slice.rows.iter().map(|i| length(&line.rows[*i])).max().map_or(slice.seconds, |s| s as f64)
}

/// What a mean of 60 minutes can hide, of what is asked and of what the disks do.
pub(super) fn hidden_peak(line: &Timeline, counted: &[&Slice], redundancy: &Redundancy) -> HiddenPeak {
    let of_disks = hidden_in(line, counted, &|m| redundancy.hardware_iops(m));
    HiddenPeak {
        hardware_low: of_disks.low,
        hardware_high: of_disks.high,
        hardware_hour_iops: of_disks.hour_iops,
        hardware_because: of_disks.because,
        hardware_in_another_hour: of_disks.in_another_hour,
        ..hidden_in(line, counted, &both)
    }
}

fn hidden_in(line: &Timeline, counted: &[&Slice], of: &dyn Fn(&Measures) -> Option<f64>) -> HiddenPeak {
    let mut hours: BTreeMap<i64, Hour> = BTreeMap::new();
    let mut highest_long: f64 = 0.0;
    let mut highest_short: f64 = 0.0;
    let mut begin_of_highest = None;
    let mut longest: f64 = 0.0;
    for slice in counted {
        let (Some((begin, end)), Some(iops)) = (slice.span, of(&slice.measures)) else { continue };
        let measured = measured_s(line, slice);
        longest = longest.max(measured);
        if slice.seconds >= LONG_S {
            highest_long = highest_long.max(iops);
        }
        // Snapshots are taken seconds past the hour.
        let hour = (begin + super::timeline::TOLERANCE_S).div_euclid(HOUR_S);
        let within = end <= (hour + 1) * HOUR_S + super::timeline::TOLERANCE_S;
        if slice.seconds < LONG_S && within {
            if measured <= SHORT_S && iops > highest_short {
                (highest_short, begin_of_highest) = (iops, slice.begin_time());
            }
            let shortest = slice.rows.iter().map(|i| length(&line.rows[*i])).min();
            let shortest = shortest.map_or(slice.seconds, |s| s as f64);
            let entry = hours.entry(hour).or_insert(Hour { shortest_s: f64::INFINITY, ..Hour::default() });
            entry.shortest_s = entry.shortest_s.min(shortest);
            entry.seconds += slice.seconds;
            entry.requests += slice.seconds * iops;
            entry.highest = entry.highest.max(iops);
            entry.parts += 1;
            entry.measured_s = entry.measured_s.max(measured);
        }
    }
    let whole = |h: &&Hour| h.seconds >= COVERED * HOUR_S as f64 && h.parts > 1 && h.requests > 0.0;
    // Cut at the snapshots of others, an hour that one measured as a whole shows nothing of what is inside.
    let (short, long): (Vec<&Hour>, Vec<&Hour>) =
        hours.values().filter(whole).partition(|h| h.measured_s <= SHORT_S);
    let highest_long = long.iter().map(|h| h.requests / h.seconds).fold(highest_long, f64::max);
    let seen: Vec<(f64, f64)> = short
        .iter()
        .map(|h| (h.requests / h.seconds, h.highest))
        .map(|(mean, highest)| (highest / mean, mean))
        .collect();
    let (shortest, coarsest) =
        short.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), s| (l.min(s.measured_s), h.max(s.measured_s)));
    let of_hours = |what: &str| {
        let (low, high) = seen.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), (r, _)| (l.min(*r), h.max(*r)));
        let (from, to) = (words(shortest as i64), words(coarsest as i64));
        let lengths = if from == to { from } else { format!("{from} to {to}") };
        format!(
            "{what} {} hours that were seen in intervals of {lengths}, the highest was {low:.2} to {high:.2} times the mean of its hour",
            seen.len()
        )
    };
    // The busiest hour itself, where it was seen in parts: no other hour's ratio says more of it.
    let busiest = seen.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
    if let Some((ratio, mean)) = busiest.filter(|(_, mean)| *mean >= highest_long) {
        let others = if seen.len() > 1 { of_hours("; in all") } else { String::new() };
        // A part of another hour may be higher, and was seen.
        let peak = (mean * ratio).max(highest_short);
        let in_another_hour = peak > mean * ratio * (1.0 + 1e-9);
        let because = if in_another_hour {
            let when = begin_of_highest.map_or_else(String::new, |t| format!(", from {}", time(&t)));
            format!(
                "it is the highest part of any hour{when}, and lies in another hour than the busiest, whose mean is {} and whose highest part is {ratio:.2} times that{others}",
                n(mean)
            )
        } else {
            format!("that hour was seen in parts, the highest of which was {ratio:.2} times its mean{others}")
        };
        return HiddenPeak {
            low: Some(peak),
            high: Some(peak),
            hour_iops: Some(mean),
            in_another_hour,
            ratio_low: Some(ratio),
            ratio_high: Some(ratio),
            hours: seen.len(),
            shortest_s: Some(shortest),
            because,
            ..HiddenPeak::default()
        };
    }
    if seen.len() < ENOUGH_HOURS {
        let because = too_few_hours(line, counted, (seen.len(), longest), &long);
        return HiddenPeak { hours: seen.len(), because, ..HiddenPeak::default() };
    }
    let ratio_low = seen.iter().map(|(r, _)| *r).fold(f64::INFINITY, f64::min);
    let ratio_high = seen.iter().map(|(r, _)| *r).fold(0.0, f64::max);
    HiddenPeak {
        // What was seen in parts is no less than that.
        low: Some((highest_long * ratio_low).max(highest_short)),
        high: Some((highest_long * ratio_high).max(highest_short)),
        hour_iops: Some(highest_long),
        ratio_low: Some(ratio_low),
        ratio_high: Some(ratio_high),
        hours: seen.len(),
        shortest_s: Some(shortest),
        in_another_hour: false,
        because: of_hours("in"),
        ..HiddenPeak::default()
    }
}

/// Why hours seen in parts, so many of them, say nothing of the others; `longest` of all intervals, seconds.
fn too_few_hours(
    line: &Timeline,
    counted: &[&Slice],
    (seen, longest): (usize, f64),
    long: &[&Hour],
) -> String {
    if longest == 0.0 {
        return "no interval has times".to_owned();
    }
    if let Some(said) = seen_of_some(line, counted, long) {
        return said;
    }
    let longest_said = words(longest as i64);
    match seen {
        0 if longest <= SHORT_S => format!(
            "no hour was seen whole (the longest interval is {longest_said}), so nothing says how much its highest part is above its mean; `spindle collect history` keeps the highest minute"
        ),
        0 => format!(
            "no hour was seen in intervals of 30 minutes or less (the longest interval is {longest_said}), so nothing says what a mean hides; `spindle collect history` keeps the highest minute"
        ),
        _ => {
            format!("only {seen} hours were seen in shorter intervals; {ENOUGH_HOURS} are needed for a range")
        }
    }
}

/// What is seen inside hours in which some print shorter intervals and others do not: who does not, and how high
/// the highest part is with these at their mean.
fn seen_of_some(line: &Timeline, counted: &[&Slice], long: &[&Hour]) -> Option<String> {
    let in_part: Vec<&&Hour> = long.iter().filter(|h| h.shortest_s <= SHORT_S && h.requests > 0.0).collect();
    if in_part.len() < ENOUGH_HOURS {
        return None;
    }
    let coarse = |r: &usize| length(&line.rows[*r]) as f64 > SHORT_S;
    let of: BTreeSet<usize> = counted
        .iter()
        .flat_map(|s| &s.rows)
        .filter(|r| coarse(r))
        .map(|r| line.streams[*r].database)
        .collect();
    let ratios = in_part.iter().map(|h| h.highest * h.seconds / h.requests);
    let (low, high) = ratios.fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(r), h.max(r)));
    Some(format!(
        "no hour was seen in intervals of 30 minutes or less of all ({} has longer ones); with its mean added to the shorter ones of the others, the highest was {low:.2} to {high:.2} times the mean of its hour in {} hours, and what that mean hides is not in it",
        super::consolidation::name_of(line, &of.into_iter().collect::<Vec<_>>()),
        in_part.len()
    ))
}

/// No part of an hour is above the highest minute, where that is known of every interval.
pub(super) fn capped(mut hidden: HiddenPeak, minute: &PeakMinute) -> HiddenPeak {
    const CAPPED: &str = "; no part of it was above the highest minute";
    let cap = |low: &mut Option<f64>, high: &mut Option<f64>, most: Option<f64>| match (*low, *high, most) {
        (Some(l), Some(h), Some(most)) if h > most => {
            (*low, *high) = (Some(l.min(most)), Some(most));
            true
        }
        _ => false,
    };
    if cap(&mut hidden.low, &mut hidden.high, minute.high_iops) {
        hidden.because.push_str(CAPPED);
    }
    if cap(&mut hidden.hardware_low, &mut hidden.hardware_high, minute.hardware_high) {
        hidden.hardware_because.push_str(CAPPED);
    }
    hidden
}

/// Bounds of the highest minute of a row: read and write, each alone at least, both together at most, and all of the minute with
/// most requests as writes; no upper one where neither is kept.
fn minute(row: &IntervalLoad, penalty: f64) -> (Option<f64>, Option<f64>) {
    if penalty <= 1.0
        && let Some(total) = row.peak_total_iops
    {
        return (Some(total), Some(total));
    }
    let (read, write) = (row.peak_read_iops, row.peak_write_iops.map(|w| penalty * w));
    // Every request counts at least once: the minute with most requests is a bound too.
    let low = [read, write, row.peak_total_iops].into_iter().flatten().reduce(f64::max);
    let all = row.peak_total_iops.map(|t| penalty * t);
    let both = read.zip(write).map(|(read, write)| read + write);
    let high = both.into_iter().chain(all).reduce(f64::min);
    (low, high.map(|high| low.map_or(high, |low| high.max(low))))
}

/// What is wrong with a maximum: it is of requests larger than any, or above what the whole interval moved.
struct Unbelievable {
    /// MB a second of the disks.
    mbps: f64,
    said: String,
}

/// Why the highest minute of bytes, of reads or of writes, cannot be one.
fn unbelievable(row: &IntervalLoad, slice: &Slice, redundancy: &Redundancy) -> Option<Unbelievable> {
    let m = &row.measures;
    let hardware = |read: f64, write: f64| {
        let load = Measures { read_mbps: Some(read), write_mbps: Some(write), ..Measures::default() };
        redundancy.hardware_mbps(&load)
    };
    let of = |peak: Option<f64>, requests: Option<f64>, mean: Option<f64>, what: &str, writes: bool| {
        let peak = peak?;
        let minutes = row.elapsed_s.map(|s| s / 60.0 + 1.0);
        // The most that a minute moved is no more than all of them together.
        let most = mean.zip(minutes).map(|(mean, minutes)| 1.5 * mean * minutes + 10.0);
        let each = requests.filter(|n| *n > 0.0).map(|n| peak / n).filter(|mb| *mb > BELIEVED * LARGEST_MB);
        let why = match (each, most.filter(|most| peak > *most)) {
            (Some(mb), _) => format!(
                "each of its {what} would be of {mb:.1} MB, and the database makes none above {LARGEST_MB:.1} MB: bytes that storage makes by itself, such as new files on Exadata, or a counter that jumped"
            ),
            (None, Some(_)) => {
                format!(
                    "it is more than the whole interval moved, whose mean is {:.1} MB/s",
                    mean.unwrap_or(0.0)
                )
            }
            (None, None) => return None,
        };
        let mbps = if writes { hardware(0.0, peak) } else { hardware(peak, 0.0) }?;
        let when = slice.begin_time().map_or_else(String::new, |t| format!(", from {}", time(&t)));
        Some(Unbelievable {
            mbps,
            said: format!(
                "A highest minute of {} MB/s on the disks ({} MB/s of {what}{when}) is not believed, and counted nowhere: {why}.",
                n(mbps),
                n(peak)
            ),
        })
    };
    let writes = || of(row.peak_write_mbps, row.peak_write_iops, m.write_mbps, "writes", true);
    of(row.peak_read_mbps, row.peak_read_iops, m.read_mbps, "reads", false).or_else(writes)
}

/// Means of bytes that are not believed, in a sentence: how many intervals, and the highest of them.
pub(super) fn unbelievable_means(line: &Timeline, counted: &[&Slice]) -> Option<String> {
    let is_doubted = |row: &usize| line.rows[*row].unbelieved.iter().any(Option::is_some);
    let of = |slice: &&&Slice| slice.rows.iter().any(is_doubted);
    let seconds: f64 = counted.iter().filter(of).map(|s| s.seconds).sum();
    let all: f64 = counted.iter().map(|s| s.seconds).sum();
    let mut worst: Option<(Unbelieved, &str, &Slice)> = None;
    for slice in counted {
        for row in &slice.rows {
            let [read, write] = line.rows[*row].unbelieved;
            for (found, what) in [(read, "reads"), (write, "writes")] {
                if let Some(found) = found.filter(|f| worst.is_none_or(|w| f.mbps > w.0.mbps)) {
                    worst = Some((found, what, *slice));
                }
            }
        }
    }
    let (worst, what, slice) = worst?;
    let when = slice.begin_time().map_or_else(String::new, |t| format!(", from {}", time(&t)));
    let intervals = match counted.iter().filter(of).count() {
        1 => "1 interval".to_owned(),
        many => format!("{} intervals", n(many as f64)),
    };
    let databases: BTreeSet<usize> = counted
        .iter()
        .flat_map(|s| &s.rows)
        .filter(|row| is_doubted(row))
        .map(|row| line.streams[*row].database)
        .collect();
    let databases: Vec<usize> = databases.into_iter().collect();
    let whose = if line.databases.len() > 1 {
        format!(" of {}", super::consolidation::name_of(line, &databases))
    } else {
        String::new()
    };
    Some(format!(
        "The bytes of {intervals}{whose} ({:.2} % of the time) are not believed, and counted nowhere, their requests are: the highest, {} MB/s of {what}{when}, would be of {:.1} MB a request, and the database makes none above {LARGEST_MB:.1} MB: bytes that storage makes by itself, such as new files on Exadata, or a counter that jumped.",
        100.0 * seconds / all,
        n(worst.mbps),
        worst.each_mb
    ))
}

/// The same of the MB a second that the disks moved.
fn minute_of_bytes(row: &IntervalLoad, redundancy: &Redundancy) -> (Option<f64>, Option<f64>) {
    let of = |read: Option<f64>, write: Option<f64>| {
        redundancy.hardware_mbps(&Measures { read_mbps: read, write_mbps: write, ..Measures::default() })
    };
    let (read, write) = (of(row.peak_read_mbps, None), of(None, row.peak_write_mbps));
    (read.into_iter().chain(write).reduce(f64::max), read.zip(write).map(|(read, write)| read + write))
}

/// Bounds of the highest minute of a slice, of the sum of its rows.
struct Bounds {
    /// The most that any row keeps, and never below the mean.
    low: f64,
    /// All rows at their highest at once; `None` where one keeps none.
    high: Option<f64>,
    /// Some row keeps one.
    any: bool,
}

impl Bounds {
    fn of(rows: impl Iterator<Item = (Option<f64>, Option<f64>)>, mean: f64) -> Self {
        let (mut low, mut high, mut any) = (mean, Some(0.0), false);
        for (l, h) in rows {
            any |= l.is_some();
            low = low.max(l.unwrap_or(0.0));
            high = high.zip(h).map(|(sum, h)| sum + h);
        }
        Self { low, high: high.map(|h: f64| h.max(low)), any }
    }
}

/// Bounds over all slices.
#[derive(Default)]
struct Highest {
    low: Option<f64>,
    high: Option<f64>,
    /// Slices of which no upper bound is known, and all.
    open: usize,
    all: usize,
    any: bool,
}

impl Highest {
    /// Is this slice the highest so far?
    fn take(&mut self, bounds: &Bounds) -> bool {
        let of = |b: &Bounds| b.high.unwrap_or(b.low);
        let is_highest = self.high.is_none_or(|high| of(bounds) > high);
        self.low = Some(self.low.map_or(bounds.low, |low| low.max(bounds.low)));
        self.high = Some(self.high.map_or(of(bounds), |high| high.max(of(bounds))));
        self.open += usize::from(bounds.high.is_none());
        self.all += 1;
        self.any |= bounds.any;
        is_highest
    }

    /// The least and the most that it was; no most where one slice has none, nothing where all have none.
    fn bounds(&self) -> (Option<f64>, Option<f64>) {
        (self.low.filter(|_| self.any), self.high.filter(|_| self.any && self.open == 0))
    }
}

/// Instances of which some slice keeps no highest minute, by name.
fn without(line: &Timeline, counted: &[&Slice]) -> String {
    /// Those named one by one.
    const NAMED: usize = 3;
    let lacks = |r: &&usize| minute(&line.rows[**r], 1.0).1.is_none();
    let of: BTreeSet<(usize, Option<u32>)> = counted
        .iter()
        .flat_map(|s| &s.rows)
        .filter(lacks)
        .map(|r| (line.streams[*r].database, line.streams[*r].instance))
        .collect();
    let several = |d: usize| {
        line.streams.iter().filter(|s| s.database == d).map(|s| s.instance).collect::<BTreeSet<_>>().len() > 1
    };
    let name = |(d, instance): &(usize, Option<u32>)| match instance.filter(|_| several(*d)) {
        Some(number) => format!("instance {number} of {}", line.databases[*d]),
        None => line.databases[*d].clone(),
    };
    let mut names: Vec<String> = of.iter().take(NAMED).map(name).collect();
    if of.len() > NAMED {
        names.push(format!("{} more", of.len() - NAMED));
    }
    names.join(", ")
}

/// The highest minute of all instances together, between bounds.
pub(super) fn peak_minute(line: &Timeline, counted: &[&Slice], redundancy: &Redundancy) -> PeakMinute {
    let mut found = PeakMinute::default();
    let (mut asked, mut of_disks, mut of_bytes) =
        (Highest::default(), Highest::default(), Highest::default());
    let mut worst: Option<Unbelievable> = None;
    for slice in counted {
        let rows = || slice.rows.iter().map(|i| &line.rows[*i]);
        let wrong = rows().filter_map(|row| unbelievable(row, slice, redundancy));
        let wrong = wrong.reduce(|a, b| if b.mbps > a.mbps { b } else { a });
        if let Some(wrong) = wrong {
            if worst.as_ref().is_none_or(|w: &Unbelievable| wrong.mbps > w.mbps) {
                worst = Some(wrong);
            }
        } else {
            let mean = redundancy.hardware_mbps(&slice.measures).unwrap_or(0.0);
            of_bytes.take(&Bounds::of(rows().map(|row| minute_of_bytes(row, redundancy)), mean));
        }
        let (Some(mean), Some(hardware)) = (both(&slice.measures), redundancy.hardware_iops(&slice.measures))
        else {
            continue;
        };
        asked.take(&Bounds::of(rows().map(|row| minute(row, 1.0)), mean));
        let penalty = redundancy.write_penalty;
        if of_disks.take(&Bounds::of(rows().map(|row| minute(row, penalty)), hardware)) {
            (found.begin_time, found.end_time) = (slice.begin_time(), slice.end_time());
        }
    }
    (found.low_iops, found.high_iops) = asked.bounds();
    (found.hardware_low, found.hardware_high) = of_disks.bounds();
    (found.hardware_mbps_low, found.hardware_mbps_high) = of_bytes.bounds();
    found.unbelievable = worst.map(|w| w.said);
    found.intervals_without = of_disks.open;
    if !of_disks.any {
        (found.begin_time, found.end_time) = (None, None);
        found.because =
            "no collected history with the highest minutes (DBA_HIST_SYSMETRIC_SUMMARY) was given".to_owned();
        return found;
    }
    found.because = if of_disks.open == 0 {
        "highest minute of each interval, as the database kept it; reads, writes and instances may peak in different minutes".to_owned()
    } else {
        let which = match (of_disks.open, of_disks.all) {
            (open, all) if open == all => format!("in none of the {} intervals one", n(all as f64)),
            (open, all) => format!("in {} of the {} intervals none", n(open as f64), n(all as f64)),
        };
        format!(
            "{which} is kept of {}: there it is no less than the mean, and how high it was is not known",
            without(line, counted)
        )
    };
    found
}
