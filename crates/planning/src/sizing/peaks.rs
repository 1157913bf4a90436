//! Peaks that means hide: of an hour, from intervals shorter than one; of a minute, where a collected
//! history kept the highest.

use super::load::{BELIEVED, IntervalLoad, LARGEST_MB, Measures, Unbelieved};
use super::outcome::{HiddenPeak, PeakMinute};
use super::redundancy::Redundancy;
use super::say::{n, time};
use super::timeline::{Slice, Timeline, length, words};
use std::collections::BTreeMap;

const HOUR_S: i64 = 3_600;
/// Intervals up to this show what is inside an hour; from that on they are an hour.
const SHORT_S: f64 = 1_900.0;
const LONG_S: f64 = 2_700.0;
/// Least share of an hour that short intervals must cover.
const COVERED: f64 = 0.95;
/// Hours below which no range is given.
const ENOUGH_HOURS: usize = 3;

/// Requests a second, both ways.
fn both(slice: &Slice) -> Option<f64> {
    Some(slice.measures.read_iops? + slice.measures.write_iops?)
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
}

/// The longest interval that a slice adds: it says no more of when than that, however it is cut.
fn measured_s(line: &Timeline, slice: &Slice) -> f64 {
    slice.rows.iter().map(|i| length(&line.rows[*i])).max().map_or(slice.seconds, |s| s as f64)
}

/// What a mean of 60 minutes can hide.
pub(super) fn hidden_peak(line: &Timeline, counted: &[&Slice]) -> HiddenPeak {
    let mut hours: BTreeMap<i64, Hour> = BTreeMap::new();
    let mut highest_long: f64 = 0.0;
    let mut highest_short: f64 = 0.0;
    let mut longest: f64 = 0.0;
    for slice in counted {
        let (Some((begin, end)), Some(iops)) = (slice.span, both(slice)) else { continue };
        let measured = measured_s(line, slice);
        longest = longest.max(measured);
        if slice.seconds >= LONG_S {
            highest_long = highest_long.max(iops);
        }
        // Snapshots are taken seconds past the hour.
        let hour = (begin + super::timeline::TOLERANCE_S).div_euclid(HOUR_S);
        let within = end <= (hour + 1) * HOUR_S + super::timeline::TOLERANCE_S;
        if slice.seconds < LONG_S && within {
            if measured <= SHORT_S {
                highest_short = highest_short.max(iops);
            }
            let entry = hours.entry(hour).or_default();
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
        let elsewhere = if in_another_hour { "; the highest part of all lies in another hour" } else { "" };
        return HiddenPeak {
            low: Some(peak),
            high: Some(peak),
            hour_iops: Some(mean),
            in_another_hour,
            ratio_low: Some(ratio),
            ratio_high: Some(ratio),
            hours: seen.len(),
            shortest_s: Some(shortest),
            because: format!(
                "that hour was seen in parts, the highest of which was {ratio:.2} times its mean{elsewhere}{others}"
            ),
        };
    }
    if seen.len() < ENOUGH_HOURS {
        let because = if longest == 0.0 {
            "no interval has times".to_owned()
        } else if seen.is_empty() && longest <= SHORT_S {
            format!(
                "no hour was seen whole (the longest interval is {}), so nothing says how much its highest part is above its mean; `spindle collect history` keeps the highest minute",
                words(longest as i64)
            )
        } else if seen.is_empty() {
            format!(
                "no hour was seen in intervals of 30 minutes or less (the longest interval is {}), so nothing says what a mean hides; `spindle collect history` keeps the highest minute",
                words(longest as i64)
            )
        } else {
            format!(
                "only {} hours were seen in shorter intervals; {ENOUGH_HOURS} are needed for a range",
                seen.len()
            )
        };
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
    }
}

/// No part of an hour is above the highest minute, where that is known of every interval.
pub(super) fn capped(mut hidden: HiddenPeak, minute: &PeakMinute, every: bool) -> HiddenPeak {
    if let (true, Some(most), Some((low, high))) = (every, minute.high_iops, hidden.low.zip(hidden.high))
        && high > most
    {
        hidden.low = Some(low.min(most));
        hidden.high = Some(most);
        hidden.because.push_str("; no part of it was above the highest minute");
    }
    hidden
}

/// Bounds of the highest minute of a row: read and write, each alone at least, both together at most.
fn minute(row: &IntervalLoad, penalty: f64) -> Option<(f64, f64)> {
    if penalty <= 1.0
        && let Some(total) = row.peak_total_iops
    {
        return Some((total, total));
    }
    let (read, write) = (row.peak_read_iops?, row.peak_write_iops?);
    let (low, high) = (read.max(penalty * write), read + penalty * write);
    // Every request counts at least once: the minute with most requests is a bound too.
    let low = row.peak_total_iops.map_or(low, |t| low.max(t));
    let high = row.peak_total_iops.map_or(high, |t| high.min(penalty * t).max(low));
    Some((low, high))
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
    let of = |slice: &&&Slice| slice.doubted.contains(&true);
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
    Some(format!(
        "The bytes of {intervals} ({:.2} % of the time) are not believed, and counted nowhere, their requests are: the highest, {} MB/s of {what}{when}, would be of {:.1} MB a request, and the database makes none above {LARGEST_MB:.1} MB: bytes that storage makes by itself, such as new files on Exadata, or a counter that jumped.",
        100.0 * seconds / all,
        n(worst.mbps),
        worst.each_mb
    ))
}

/// Bounds of the MB a second that the disks moved in the highest minute of a slice.
fn bytes(line: &Timeline, slice: &Slice, redundancy: &Redundancy) -> Option<(f64, f64)> {
    let (mut low, mut high): (f64, f64) = (0.0, 0.0);
    for i in &slice.rows {
        let row = &line.rows[*i];
        let of = |read: f64, write: f64| {
            let load = Measures { read_mbps: Some(read), write_mbps: Some(write), ..Measures::default() };
            redundancy.hardware_mbps(&load)
        };
        let (read, write) = (row.peak_read_mbps?, row.peak_write_mbps?);
        low = low.max(of(read, 0.0)?).max(of(0.0, write)?);
        high += of(read, write)?;
    }
    // The highest minute is not below the mean of all of them.
    let mean = redundancy.hardware_mbps(&slice.measures)?;
    Some((low.max(mean), high.max(mean)))
}

/// The highest minute of all instances together, between bounds, and whether every interval has one.
pub(super) fn peak_minute(
    line: &Timeline,
    counted: &[&Slice],
    redundancy: &Redundancy,
) -> (PeakMinute, bool) {
    let mut found = PeakMinute {
        because: "no collected history with the highest minutes (DBA_HIST_SYSMETRIC_SUMMARY) was given"
            .to_owned(),
        ..PeakMinute::default()
    };
    let mut every = true;
    let mut worst: Option<Unbelievable> = None;
    for slice in counted {
        let of = |penalty: f64, mean: Option<f64>| {
            let (mut low, mut high): (f64, f64) = (0.0, 0.0);
            for i in &slice.rows {
                let (l, h) = minute(&line.rows[*i], penalty)?;
                low = low.max(l);
                high += h;
            }
            // The highest minute is not below the mean of all of them.
            Some((low.max(mean?), high.max(mean?)))
        };
        let hardware = of(redundancy.write_penalty, redundancy.hardware_iops(&slice.measures));
        let larger = |a: Option<f64>, b: f64| Some(a.map_or(b, |a| a.max(b)));
        let wrong = slice.rows.iter().filter_map(|i| unbelievable(&line.rows[*i], slice, redundancy));
        let wrong = wrong.reduce(|a, b| if b.mbps > a.mbps { b } else { a });
        if let Some(wrong) = wrong {
            if worst.as_ref().is_none_or(|w: &Unbelievable| wrong.mbps > w.mbps) {
                worst = Some(wrong);
            }
        } else if let Some((low, high)) = bytes(line, slice, redundancy) {
            found.hardware_mbps_low = larger(found.hardware_mbps_low, low);
            found.hardware_mbps_high = larger(found.hardware_mbps_high, high);
        }
        let Some(((low, high), (hw_low, hw_high))) = of(1.0, both(slice)).zip(hardware) else {
            every = false;
            continue;
        };
        if found.hardware_high.is_none_or(|most| hw_high > most) {
            found.hardware_high = Some(hw_high);
            found.begin_time = slice.begin_time();
            found.end_time = slice.end_time();
        }
        found.hardware_low = larger(found.hardware_low, hw_low);
        found.low_iops = larger(found.low_iops, low);
        found.high_iops = larger(found.high_iops, high);
        found.because =
            "highest minute of each interval, as the database kept it; reads, writes and instances may peak in different minutes".to_owned();
    }
    found.unbelievable = worst.map(|w| w.said);
    (found, every)
}
