//! What the reports themselves make doubtful, in sentences: accounts that differ, reads that no tier serves,
//! figures that cannot be, and tiers that are no faster than today's storage.

use crate::demand::{Fit, IntervalDemand};
use crate::plan::{Component, Measured};
use crate::tier::Tier;
use crate::words;

/// Accounts that differ by less of DB time than this are not told, percent. Ours.
const TOLD_PCT: f64 = 2.0;
/// Smart scans from this share of DB time on are told, percent. Ours.
const SCANS_PCT: f64 = 1.0;

/// All doubts about some intervals.
pub(crate) fn of(intervals: &[IntervalDemand], measured: &Measured, tiers: &[Tier]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    found.extend(accounts_differ(intervals));
    found.extend(more_than_db_time(intervals));
    found.extend(fewer_singles(intervals));
    found.extend(smart_scans(measured, intervals));
    found.extend(flash_answers(measured));
    found.extend(slower_tiers(measured, tiers));
    found.extend(tiers.iter().filter_map(|tier| slower_writes(intervals, tier)));
    found.extend(log_switches(intervals));
    found.extend(room_in_the_log(intervals));
    found.extend(written_by_workers(intervals));
    found.extend(uncounted(measured, intervals));
    found.extend(measured.broken.iter().map(|section| format!("{section}.")));
    found.extend(intervals.iter().flat_map(|i| &i.misprints).cloned());
    found
}

/// Where CPU and waits are more than DB time, so that waits count in part or not at all.
fn more_than_db_time(intervals: &[IntervalDemand]) -> Option<String> {
    let is_cut =
        |i: &&IntervalDemand| i.db_time_s.is_some_and(|db_time| 100.0 * i.cut_waits_s > TOLD_PCT * db_time);
    let all: Vec<&IntervalDemand> = intervals.iter().filter(is_cut).collect();
    let worst = all.iter().max_by(|a, b| a.cut_waits_s.total_cmp(&b.cut_waits_s))?;
    let at = if intervals.len() == 1 {
        String::new()
    } else {
        format!(" in {} of {} reports, most in `{}`", all.len(), intervals.len(), worst.source)
    };
    Some(format!(
        "CPU and waits add up to more than DB time{at} (CPU used inside waits, calls that span the interval): {} of its \
         waits are left out of what can be saved.",
        words::seconds(worst.cut_waits_s)
    ))
}

/// Where most waits for reads are in no event that was read, no account is held against them.
fn reads_its_events(i: &IntervalDemand) -> bool {
    i.prints_events && i.db_time_s.is_none_or(|db_time| 100.0 * i.unread_s[0] <= TOLD_PCT * db_time)
}

/// Where reads times `Av Rd` of the tablespaces are not what sessions waited for.
fn accounts_differ(intervals: &[IntervalDemand]) -> Option<String> {
    let differs = |i: &&IntervalDemand| {
        let fit = i.accounts.fit;
        // Tablespaces count what smart scans read, and sessions wait for those by other events.
        fit.is_some_and(|fit| fit != Fit::Agree)
            && reads_its_events(i)
            && !(fit == Some(Fit::MorePrinted) && i.smart_scan_s > 0.0)
            && i.db_time_s.is_some_and(|db_time| 100.0 * i.accounts.gap_s() > TOLD_PCT * db_time)
    };
    let all: Vec<&IntervalDemand> = intervals.iter().filter(differs).collect();
    let worst = all.iter().max_by(|a, b| a.accounts.gap_s().total_cmp(&b.accounts.gap_s()))?;
    let fit = worst.accounts.fit?;
    let [single_s, multi_s, direct_s] = worst.accounts.waited_s;
    let printed = words::seconds(worst.accounts.printed_s);
    if worst.accounts.is_of_others && fit == Fit::WithoutDirect {
        let text = format!(
            "the single-block reads of the tablespaces are what sessions waited for them, and the other reads took \
             {printed} by Av Rd; the {} that sessions waited for direct reads are in no tablespace's time and are \
             shared out by blocks",
            words::seconds(direct_s)
        );
        return Some(in_reports(&text, all.len(), intervals.len(), &worst.source));
    }
    if worst.accounts.is_of_others {
        let text = format!(
            "the single-block reads of the tablespaces are what sessions waited for them, but the other reads took \
             {printed} by Av Rd, and sessions waited {} for those; what other reads save is likely by the smaller one, \
             and its range goes to the other",
            words::seconds(worst.accounts.compared_s())
        );
        return Some(in_reports(&text, all.len(), intervals.len(), &worst.source));
    }
    let text = match fit {
        Fit::WithoutDirect => format!(
            "reads x Av Rd of the tablespaces are {printed}, and sessions waited {} for reads into the cache; the {} that \
             they waited for direct reads are in no tablespace's time and are shared out by blocks",
            words::seconds(single_s + multi_s),
            words::seconds(direct_s)
        ),
        _ => format!(
            "reads x Av Rd of the tablespaces are {printed}, and sessions waited {} for reads; what a tablespace saves is \
             likely by the smaller one, and its range goes to the other",
            words::seconds(single_s + multi_s + direct_s)
        ),
    };
    Some(in_reports(&text, all.len(), intervals.len(), &worst.source))
}

/// Where single-block reads printed apart are fewer than sessions waited for.
fn fewer_singles(intervals: &[IntervalDemand]) -> Option<String> {
    let gap = |i: &IntervalDemand| Some(i.accounts.waited_s[0] - i.accounts.fewer_singles_s?);
    let told = |i: &&IntervalDemand| {
        reads_its_events(i) && gap(i).zip(i.db_time_s).is_some_and(|(gap, db)| 100.0 * gap > TOLD_PCT * db)
    };
    let all: Vec<&IntervalDemand> = intervals.iter().filter(told).collect();
    let by_gap =
        |a: &&&IntervalDemand, b: &&&IntervalDemand| gap(a).unwrap_or(0.0).total_cmp(&gap(b).unwrap_or(0.0));
    let worst = all.iter().max_by(by_gap)?;
    let text = format!(
        "the single-block reads of the tablespaces took {}, and sessions waited {} for such: each took as long, so not \
         all are printed; what they save is likely by the smaller one, and its range goes to the other",
        words::seconds(worst.accounts.fewer_singles_s?),
        words::seconds(worst.accounts.waited_s[0])
    );
    Some(in_reports(&text, all.len(), intervals.len(), &worst.source))
}

fn in_reports(text: &str, some: usize, of: usize, worst: &str) -> String {
    match (some, of) {
        (1, 1) => format!("Two accounts of the reads differ: {text}."),
        (some, of) => {
            format!("Two accounts of the reads differ in {some} of {of} reports, most in `{worst}`: {text}.")
        }
    }
}

fn smart_scans(measured: &Measured, intervals: &[IntervalDemand]) -> Option<String> {
    let db_time_s: f64 = intervals.iter().filter_map(|i| i.db_time_s).sum();
    let scans_s = measured.smart_scan_s;
    (scans_s > 0.0 && 100.0 * scans_s >= SCANS_PCT * db_time_s)
        .then(|| format!("{} are waits for smart scans, {NOT_MODELLED}.", words::seconds(scans_s)))
}

/// Why smart scans are no part of a plan.
pub(crate) const NOT_MODELLED: &str = "which storage cells run on their own flash and disks: they are not modelled, and \
                                       what another tier would make of them is not known";

fn flash_answers(measured: &Measured) -> Option<String> {
    let pct = measured.flash_answers_pct?;
    (pct >= 50.0).then(|| {
        format!(
            "Flash in today's storage answers {} of the reads already (Exadata): a tier is flash before flash, and saves \
             only what its latency is shorter.",
            words::percent(pct)
        )
    })
}

/// Tiers that take as long for a read as today's storage, or longer.
fn slower_tiers(measured: &Measured, tiers: &[Tier]) -> Option<String> {
    let today_us = measured.read_us?;
    let slow: Vec<String> = tiers
        .iter()
        .filter(|t| t.read_latency_us >= today_us)
        .map(|t| format!("{} takes {}", t.name, words::latency(t.read_latency_us)))
        .collect();
    (!slow.is_empty()).then(|| {
        format!(
            "A single-block read takes {} today, and {}: no faster than today's storage.",
            words::latency(today_us),
            slow.join(", ")
        )
    })
}

/// Writes of a tier that take this many times today's are told. Ours: means of different sizes differ by less.
const LONGER: f64 = 1.25;

/// A tier whose writes take longer than today's.
fn slower_writes(intervals: &[IntervalDemand], tier: &Tier) -> Option<String> {
    let mut today: Vec<(&str, f64, f64)> = Vec::new();
    for (event, us) in intervals.iter().flat_map(|i| i.writes_us.iter().copied()) {
        match today.iter_mut().find(|(name, ..)| *name == event) {
            Some((_, sum, n)) => (*sum, *n) = (*sum + us, *n + 1.0),
            None => today.push((event, us, 1.0)),
        }
    }
    let longer: Vec<String> = today
        .iter()
        .map(|(event, sum, n)| (event, sum / n))
        .filter(|(_, us)| tier.write_latency_us > LONGER * us)
        .map(|(event, us)| format!("{} ({event})", words::latency(us)))
        .collect();
    (!longer.is_empty()).then(|| {
        format!(
            "A write takes {} on {}, and {} today: what waits for it there waits longer, and that is taken from what \
             reads save. A database writer that falls behind only then is not counted.",
            words::latency(tier.write_latency_us),
            tier.name,
            longer.join(", ")
        )
    })
}

fn of_db_time(seconds: f64, intervals: &[IntervalDemand]) -> f64 {
    let db_time_s: f64 = intervals.iter().filter_map(|i| i.db_time_s).sum();
    if db_time_s > 0.0 { 100.0 * seconds / db_time_s } else { 0.0 }
}

/// Waits for log switches that no place of the redo logs shortens.
fn log_switches(intervals: &[IntervalDemand]) -> Option<String> {
    let commits = intervals.iter().filter_map(|i| i.commit.as_ref());
    let seconds: f64 = commits.map(|c| c.other_switches_s).sum();
    let pct = of_db_time(seconds, intervals);
    (pct >= TOLD_PCT).then(|| {
        format!(
            "{} ({} of DB time) are waits for log switches that end with a checkpoint or with the archiver: no place of the \
             redo logs shortens them, larger or more of them do; `spindle diagnose` says more.",
            words::seconds(seconds),
            words::percent(pct)
        )
    })
}

/// Waits for room in the redo log while its writes are not known to be slow.
fn room_in_the_log(intervals: &[IntervalDemand]) -> Option<String> {
    let commits = intervals.iter().filter_map(|i| i.commit.as_ref());
    let seconds: f64 = commits.map(|c| c.space_s.high - c.space_s.mid).sum();
    let pct = of_db_time(seconds, intervals);
    (pct >= TOLD_PCT).then(|| {
        format!(
            "{} ({} of DB time) are waits for room in the log buffer or for log switches while log writes are not known to \
             be slow: nothing of that is likely saved by faster redo, all of it at most; `spindle diagnose` says what is.",
            words::seconds(seconds),
            words::percent(pct)
        )
    })
}

/// Log writes of workers that wait for each other.
fn written_by_workers(intervals: &[IntervalDemand]) -> Option<String> {
    let commits = || intervals.iter().filter_map(|i| i.commit.as_ref());
    let seconds: f64 = commits().filter(|c| c.by_workers_us.is_some()).map(|c| c.time_s.mid).sum();
    let longest_us = commits().filter_map(|c| c.by_workers_us).fold(0.0, f64::max);
    (of_db_time(seconds, intervals) >= TOLD_PCT).then(|| {
        format!(
            "Workers of the log writer wrote side by side: their mean write (up to {}) holds waits for each other, so faster \
             redo may save less of {} of commits.",
            words::latency(longest_us),
            words::seconds(seconds)
        )
    })
}

/// That CPUs are short, in a sentence, where they are for most of DB time: who waits less for storage waits for them.
pub(crate) fn cpus_are_short(intervals: &[IntervalDemand]) -> Option<String> {
    const MOSTLY_PCT: f64 = 50.0;
    let short: Vec<&IntervalDemand> = intervals.iter().filter(|i| i.cpu_is_short.is_some()).collect();
    let seconds: f64 = short.iter().filter_map(|i| i.db_time_s).sum();
    let db_time_s = |i: &IntervalDemand| i.db_time_s.unwrap_or(0.0);
    let most = short.iter().max_by(|a, b| db_time_s(a).total_cmp(&db_time_s(b)))?;
    let said = most.cpu_is_short.as_ref().filter(|_| of_db_time(seconds, intervals) >= MOSTLY_PCT)?;
    let at = match (short.len(), intervals.len()) {
        (_, 1) => String::new(),
        (some, all) => format!(" in `{}`, and likewise in {some} of {all} reports", most.source),
    };
    Some(format!(
        "{said}{at}: sessions that wait less for storage may wait for a CPU instead, so less than this may show; `spindle \
         diagnose` says more."
    ))
}

/// Waits that storage answers, of which nobody says how many there were.
fn uncounted(measured: &Measured, intervals: &[IntervalDemand]) -> Option<String> {
    let seconds: f64 = measured.uncounted_s.iter().sum();
    let pct = of_db_time(seconds, intervals);
    (pct >= TOLD_PCT).then(|| {
        format!(
            "{} ({} of DB time) are waits for reads and commits of which the reports print neither number nor mean: what a \
             tier would save of them is not known, and part of no object.",
            words::seconds(seconds),
            words::percent(pct)
        )
    })
}

/// Mean of today's single-block reads, microseconds.
pub(crate) fn read_us(intervals: &[IntervalDemand]) -> Option<f64> {
    let reads =
        || intervals.iter().flat_map(|i| &i.waits).filter(|w| w.component == Component::SingleBlockRead);
    let waits: f64 = reads().map(|w| w.waits).sum();
    // What overlaps with CPU is cut from the seconds, so the uncut mean is that of the events.
    let us: f64 = reads().map(|w| w.waits * w.mean_us).sum();
    (waits > 0.0 && us > 0.0).then(|| us / waits)
}
