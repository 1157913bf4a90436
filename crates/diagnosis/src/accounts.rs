//! The same quantity from its different accounts: which agree, which do not, which one is used.
//!
//! Accounts agree where their bounds overlap. Scopes do not mix: a count of all processes is never
//! held against one of data files alone. The account used is the one that loses least in print.

use crate::concentration::segments_beyond_all;
use crate::events::EventTotal;
use crate::io_profile::{is_multi_block_read, is_single_block_read};
use crate::outcome::{Account, AccountValue};
use crate::response_time::{PrintedTime, db_cpu_s, load_profile_s, time_model_s, top_cpu_s};
use crate::words;
use spindle_facts::{
    Interval, Metric, Quantity, Reading, Report, Side, Statistics, WaitHistogram, readings_of, same_name,
    with_skew,
};

/// Every quantity that at least one account gives.
pub(crate) fn accounts(
    statistics: &Statistics<'_>,
    report: &Report,
    events: &[EventTotal],
    histograms: &[WaitHistogram],
) -> Vec<Account> {
    let mut accounts: Vec<Account> = Quantity::ALL
        .iter()
        .filter_map(|&quantity| {
            of_readings(quantity.name(), readings_of(statistics, quantity), why(quantity))
        })
        .collect();
    accounts.extend(of_readings(DB_TIME, db_time(report), "it is printed with the most digits"));
    accounts.extend(of_readings(DB_CPU, db_cpu(report), "it is printed with the most digits"));
    for event in ["log file parallel write", "db file sequential read", "log file sync"] {
        accounts.extend(waits(report, event, events, histograms));
    }
    accounts.extend(read_time(report, events));
    accounts.extend(reads_of_segments(report));
    accounts.extend(reads_waited_for(report, events, &accounts));
    accounts
}

/// Name of the account of DB time.
pub(crate) const DB_TIME: &str = "DB time, seconds";
/// Name of the account of DB CPU.
pub(crate) const DB_CPU: &str = "DB CPU, seconds";

/// Name of the account of how long a read takes.
pub(crate) const MEAN_READ: &str = "mean read, microseconds";

/// Name of the account of waits for reads, each of which is a request.
const READS_WAITED_FOR: &str = "read requests a second, no fewer than waits for reads";

fn why(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::ReadRequests | Quantity::WriteRequests | Quantity::ReadBytes | Quantity::WriteBytes => {
            "it counts every process exactly"
        }
        Quantity::RedoWrites => "it counts each write once, whatever the number of log members",
        Quantity::RedoWriteRequests => "it is kept with the totals of the instance",
        _ => "it is an exact count",
    }
}

fn of_readings(quantity: &str, readings: Vec<Reading>, why: &str) -> Option<Account> {
    let used = readings.first()?.clone();
    let by: Vec<AccountValue> = readings
        .into_iter()
        .map(|r| AccountValue {
            agrees: r.bounds.overlaps(used.bounds),
            section: r.section,
            value: r.value,
            bounds: r.bounds,
            line: r.line,
        })
        .collect();
    Some(account(quantity, by, used.section, why))
}

fn account(quantity: &str, by: Vec<AccountValue>, used: String, why: &str) -> Account {
    let standard = by.iter().find(|v| v.section == used).map_or(0.0, |v| v.value);
    let stranger = |v: &AccountValue| match 100.0 * (v.value - standard) / standard {
        pct if pct.is_finite() => {
            format!("{} ({}{} %)", v.section, if pct < 0.0 { "" } else { "+" }, words::significant(pct))
        }
        _ => v.section.clone(),
    };
    let against: Vec<String> = by.iter().filter(|v| !v.agrees).map(stranger).collect();
    let because = match (by.len(), against.as_slice()) {
        (1, _) => "no other account is printed".to_owned(),
        (_, []) => format!("{why}; the others agree within rounding"),
        (_, against) => format!("{why}; not in agreement: {}", against.join("; ")),
    };
    let gap =
        |v: &AccountValue| Some(100.0 * ((v.value - standard) / standard).abs()).filter(|g| g.is_finite());
    let gap_pct = by.iter().filter(|v| v.section != used).filter_map(gap).reduce(f64::max);
    let quantity = quantity.to_owned();
    Account { quantity, agree: against.is_empty(), gap_pct, by, used: Some(used), because }
}

fn db_time(report: &Report) -> Vec<Reading> {
    let mut found: Vec<Reading> = time_model_s(report, "DB time").map(reading).into_iter().collect();
    let identity = &report.identity;
    if let (Some(value), Some(low), Some(high)) =
        (identity.db_time_s, identity.db_time_s_low, identity.db_time_s_high)
    {
        // The header repeats the time model where that is the most precise place.
        if found.is_empty() || low < high {
            let bounds = Interval { low, high };
            found.push(Reading { section: "Report header".to_owned(), line: 1, value, bounds });
        }
    }
    found.extend(load_profile_s(report, Metric::DbTime).map(reading));
    found
}

/// What the answer is from, and the other places.
fn db_cpu(report: &Report) -> Vec<Reading> {
    let others = [time_model_s(report, "DB CPU"), top_cpu_s(report), load_profile_s(report, Metric::DbCpu)];
    let mut found: Vec<PrintedTime> = Vec::new();
    for time in [db_cpu_s(report)].into_iter().chain(others).flatten() {
        if !found.contains(&time) {
            found.push(time);
        }
    }
    found.into_iter().map(reading).collect()
}

fn reading(time: PrintedTime) -> Reading {
    let section = format!("{}{}", time.section, crate::case::sum_of(time.more_rows + 1));
    Reading { section, line: time.line, value: time.seconds, bounds: time.bounds }
}

/// Waits for an event: the wait event sections against its histogram, which counts both sides.
fn waits(
    report: &Report,
    event: &str,
    events: &[EventTotal],
    histograms: &[WaitHistogram],
) -> Option<Account> {
    let mut sum: Option<Reading> = None;
    for total in events.iter().filter(|e| e.event == event) {
        let waits = total.waits?;
        let row = report.tables.wait_event.get(total.row).filter(|_| total.table == "wait_event");
        let low = row.and_then(|r| r.waits_low).unwrap_or(waits).min(waits);
        let high = row.and_then(|r| r.waits_high).unwrap_or(waits).max(waits);
        let so_far = sum.get_or_insert_with(|| Reading {
            section: format!("{}, {event}", report.section_title(total.section)),
            line: total.line,
            value: 0.0,
            bounds: Interval::exact(0.0),
        });
        so_far.value += waits;
        so_far.bounds.low += low;
        so_far.bounds.high += high;
    }
    let histogram = histograms.iter().find(|h| h.event == event && h.side == Side::All)?;
    let counted = histogram.waits.unwrap_or_else(|| histogram.counted_waits());
    // `13.9K` in print: half of the last digit, all of it where the release cuts.
    let unit =
        if counted >= 1000.0 && (counted / 100.0).fract() == 0.0 { counted_unit(counted) } else { 0.0 };
    let from_histogram = Reading {
        section: format!("{}, {event}", report.section_title(histogram.section)),
        line: histogram.line,
        value: counted,
        bounds: with_skew(report, Interval::around(counted, unit)),
    };
    let readings = vec![sum?, from_histogram];
    of_readings(&format!("waits for {event}, both sides"), readings, "it is an exact count")
}

/// Waits for reads and read requests a second, where more were waited for than were requested.
pub(crate) fn more_waits_than_reads(accounts: &[Account]) -> Option<(f64, f64)> {
    let account = accounts.iter().find(|a| a.quantity == READS_WAITED_FOR)?;
    let value = |used: bool| {
        let is_used = |v: &&AccountValue| (account.used.as_ref() == Some(&v.section)) == used;
        account.by.iter().find(is_used).map(|v| v.value)
    };
    value(false).zip(value(true))
}

/// Waits of sessions for single blocks and for multi-block reads into the cache against the read requests, where
/// they are more: each of them waits for a request of its own, while requests may be waited for together (parallel
/// and direct reads) or by processes in the background.
fn reads_waited_for(report: &Report, events: &[EventTotal], accounts: &[Account]) -> Option<Account> {
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0)?;
    let used = |quantity: Quantity| {
        let account = accounts.iter().find(|a| a.quantity == quantity.name())?;
        account.by.iter().find(|v| account.used.as_ref() == Some(&v.section))
    };
    // Lists of tablespaces and files need not be whole.
    let counted = |v: &&AccountValue| !v.section.contains(", sum of ");
    let requests =
        used(Quantity::ReadRequests).or_else(|| used(Quantity::DatabaseReadRequests).filter(counted))?;
    let (mut waits, mut bounds, mut first) = (0.0, Interval::exact(0.0), None);
    for event in events.iter().filter(|e| e.side == Side::Foreground) {
        if !is_single_block_read(&event.event) && !is_multi_block_read(&event.event) {
            continue;
        }
        let Some(of_event) = event.waits else { continue };
        let row = report.tables.wait_event.get(event.row).filter(|_| event.table == "wait_event");
        // `456.2K`
        let unit = if of_event >= 1000.0 && (of_event / 100.0).fract() == 0.0 {
            counted_unit(of_event)
        } else {
            0.0
        };
        let low = row.and_then(|r| r.waits_low).unwrap_or(of_event - unit).min(of_event - unit);
        let high = row.and_then(|r| r.waits_high).unwrap_or(of_event).max(of_event + unit);
        waits += of_event;
        bounds = Interval { low: bounds.low + low, high: bounds.high + high };
        first.get_or_insert(event);
    }
    let first = first?;
    let bounds = with_skew(report, bounds.scaled(1.0 / elapsed_s));
    if bounds.low <= requests.bounds.high {
        return None;
    }
    let waited_for = AccountValue {
        section: format!("{}, waits for reads", report.section_title(first.section)),
        value: waits / elapsed_s,
        bounds,
        line: first.line,
        agrees: false,
    };
    let why = "sessions wait for each of these reads alone, so that there are no fewer requests than waits";
    let by = vec![AccountValue { agrees: true, ..requests.clone() }, waited_for];
    Some(account(READS_WAITED_FOR, by, requests.section.clone(), why))
}

fn counted_unit(counted: f64) -> f64 {
    if counted >= 1e6 {
        if (counted / 1e6).fract() == 0.0 { 1e6 } else { 1e5 }
    } else if (counted / 1e3).fract() == 0.0 {
        1e3
    } else {
        100.0
    }
}

/// Mean read as sessions saw it, against that of the tablespaces.
///
/// They count different reads (sessions in the foreground; every process on the file), so only a
/// factor of three is a disagreement: 12.1 on AIX prints 22-36 s a read where events say 2-4 ms.
fn read_time(report: &Report, events: &[EventTotal]) -> Option<Account> {
    let reads = ["db file sequential read", "db file scattered read", "cell single block physical read"];
    let (mut waits, mut time_s, mut first) = (0.0, 0.0, None);
    for event in events.iter().filter(|e| e.side == Side::Foreground && reads.contains(&e.event.as_str())) {
        waits += event.waits?;
        time_s += event.time_s;
        first.get_or_insert(event);
    }
    let first = first.filter(|_| waits >= 100.0 && time_s > 0.0)?;
    let (mut reads, mut weighted, mut row) = (0.0, 0.0, None);
    for space in &report.tables.tablespace_io {
        let Some((n, us)) = space.reads.zip(space.avg_read_us) else { continue };
        reads += n;
        weighted += n * us;
        row.get_or_insert(space);
    }
    let row = row.filter(|_| reads >= 100.0)?;
    let (seen, of_spaces) = (time_s * 1e6 / waits, weighted / reads);
    let agrees = of_spaces < 3.0 * seen && seen < 3.0 * of_spaces.max(50.0);
    let value = |section: String, line, value, agrees| AccountValue {
        section,
        value,
        bounds: Interval::exact(value),
        line,
        agrees,
    };
    let used = format!("{}, reads of data files", report.section_title(first.section));
    let spaces = format!("{}, mean over all reads", report.section_title(row.section));
    let by = vec![value(used.clone(), first.line, seen, true), value(spaces, row.line, of_spaces, agrees)];
    let why = "it is what sessions waited; the other counts every process, so only a factor of three counts";
    let mut account = account(MEAN_READ, by, used, why);
    // A factor is no rounding.
    if let Some(gap) = account.gap_pct.filter(|gap| account.agree && *gap >= 1.0) {
        account.because = format!("{why}; the two are {} % apart", words::significant(gap));
    }
    Some(account)
}

/// Physical reads by segment against all of them, where the segments sum to more.
fn reads_of_segments(report: &Report) -> Option<Account> {
    let (sum, total) = segments_beyond_all(report)?;
    let row = report.tables.segment_stat.iter().find(|s| s.ranked_by == "physical_reads")?;
    let title = report.section_title(row.section);
    let counted = report.tables.instance_stat.iter().find(|s| same_name(&s.statistic, "physical reads"));
    let (used, line) = match counted.filter(|_| row.section_total.is_none()) {
        Some(stat) => (format!("{}, {}", report.section_title(stat.section), stat.statistic), stat.line),
        None => (format!("{title}, total of the database"), row.line),
    };
    let value = |section: String, value, line, agrees| AccountValue {
        section,
        value,
        bounds: Interval::exact(value),
        line,
        agrees,
    };
    let by = vec![
        value(used.clone(), total, line, true),
        value(format!("{title}, sum of the segments"), sum, row.line, false),
    ];
    let why = "a block that is read belongs to one segment, so their sum cannot be more";
    Some(account("physical reads of segments, blocks", by, used, why))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rules::testing::Hour;
    use crate::{Case, Options};

    fn reading(section: &str, value: f64, half: f64) -> Reading {
        Reading { section: section.into(), line: 1, value, bounds: Interval::around(value, half) }
    }

    #[test]
    fn the_first_account_is_used_and_strangers_are_named() {
        let readings = vec![reading("a", 10.83, 0.01), reading("b", 10.8, 0.05), reading("c", 298.0, 0.5)];
        let account = of_readings("q", readings, "it is exact").unwrap();
        assert!(!account.agree);
        assert!((account.gap_pct.unwrap() - 2651.6).abs() < 0.1, "{:?}", account.gap_pct);
        let one = of_readings("q", vec![reading("a", 10.83, 0.01)], "it is exact").unwrap();
        assert_eq!((one.agree, one.gap_pct), (true, None));
        assert_eq!(account.used.as_deref(), Some("a"));
        assert_eq!(account.by.iter().map(|v| v.agrees).collect::<Vec<_>>(), [true, true, false]);
        assert!(account.because.ends_with("not in agreement: c (+2,652 %)"));
    }
    /// 456,231 waits for single blocks stood beside 12,456 read requests, and nothing said that one of them is wrong.
    #[test]
    fn more_waits_for_reads_than_read_requests() {
        let of = |hour: Hour| {
            let report = &hour.report;
            let case = Case::new(report, &Options::default());
            more_waits_than_reads(&case.accounts)
                .map(|(waits, requests)| (waits.round(), (10.0 * requests).round()))
        };
        let hour = |requests: f64| Hour::new(7200.0).stat("physical read total IO requests", requests);
        let single = |hour: Hour, waits| hour.foreground("db file sequential read", waits, 4_256.0);
        assert_eq!(of(single(hour(12_456.0), 456_231.0)), Some((127.0, 35.0)));
        // Each kind of read alone may be less than all requests, and both together more.
        let both = |more| single(hour(500_000.0), 456_231.0).foreground("db file scattered read", more, 10.0);
        assert_eq!((of(both(40_000.0)), of(both(100_000.0)).is_some()), (None, true));
        // Snapshots that take seconds, and what the background waited for.
        assert_eq!(of(single(hour(456_000.0), 456_231.0)), None);
        let background = hour(12_456.0).background("db file sequential read", 456_231.0, 10.0);
        assert_eq!(of(background), None);
        // Reads that are waited for together say nothing of their requests.
        assert_eq!(of(hour(12_456.0).foreground("db file parallel read", 456_231.0, 10.0)), None);
        // Neither do requests that are not printed.
        assert_eq!(of(single(Hour::new(7200.0), 456_231.0)), None);
        // Of data files alone, too.
        let data = Hour::new(7200.0).stat("physical read IO requests", 12_345.0);
        assert!(of(single(data, 456_231.0)).is_some());
    }
}
