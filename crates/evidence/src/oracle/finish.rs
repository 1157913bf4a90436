//! What needs the whole report: merged histograms, DB time, classes of events, elapsed time.

use super::context::Scratch;
use super::rac;
use super::sections::{file_io, instance_activity, wait_histogram};
use super::shifted;
use crate::names;
use jiff::civil::DateTime;
use rustc_hash::FxHashMap;
use spindle_facts::{
    DB_TIME_DIFFERS, Identity, Kind, Layout, LoadProfileRow, Metric, Note, Report, Scope, SectionId, Side,
    SmolStr,
};
use std::collections::BTreeSet;

pub(crate) fn finish(report: &mut Report, mut scratch: Scratch) {
    let of_page = scratch.of_page || report.identity.layout == Layout::Html;
    below_nought(report);
    let empty_rates = std::mem::take(&mut scratch.empty_rates);
    let details = scratch.histograms.without_totals();
    report.tables.wait_histogram = wait_histogram::merge(scratch.histograms);
    if let Some((line, section)) = details.filter(|_| report.tables.wait_histogram.is_empty()) {
        without_totals(report, line, section);
    }
    if scratch.clipped {
        clipped_events(report);
    }
    if report.identity.scope == spindle_facts::Scope::Database {
        rac::finish(report);
    }
    elapsed(report);
    file_io::put_right(report);
    instance_activity::derive(report);
    clipped_statements(report);
    db_time(report);
    classes(report);
    file_io::impossible_times(report);
    less_than_nothing(report);
    histograms_against_events(report);
    let started = start(&mut report.identity, of_page);
    restart(report, started);
    shifted::load_profile(report, &empty_rates);
    shifted::io_profile(report);
    excerpt(report);
}

/// A detail table of the wait histograms stands alone.
fn without_totals(report: &mut Report, line: u32, section: SectionId) {
    report.notes.push(Note {
        line: Some(line),
        section: report.sections.get(usize::from(section)).map(|s| s.title.clone()),
        message:
            "the table counts the waits of its range alone: of how many waits its shares are is not printed"
                .to_owned(),
        effect: "no histogram is made of it; `Wait Event Histogram`, the table above it, holds the totals"
            .to_owned(),
    });
}

/// Each section clips names at a width of its own: one event would stand under several. A name that may be the
/// beginning of several events is the longer one that begins so in another section, where there is one alone.
fn clipped_events(report: &mut Report) {
    let tables = &report.tables;
    let waits = tables.wait_event.iter().map(|e| (e.event.as_str(), e.section, e.instance_number, e.side));
    let tops = tables.top_event.iter().map(|e| (e.event.as_str(), e.section, e.instance_number, Side::All));
    let histograms = tables.wait_histogram.iter();
    let histograms = histograms.map(|h| (h.event.as_str(), h.section, h.instance_number, h.side));
    let mut rows: Vec<_> = waits.chain(tops).chain(histograms).collect();
    // Nearly all names are whole, and begin as none of the others does.
    let mut clipped: Vec<&str> =
        rows.iter().map(|row| row.0).filter(|name| names::may_be_clipped(name)).collect();
    clipped.sort_unstable();
    // Where none begins as another does, the last one before a name is the one that it can begin as.
    clipped.dedup_by(|next, shorter| next.starts_with(*shorter));
    rows.retain(|row| {
        let before = clipped.partition_point(|name| *name <= row.0).checked_sub(1);
        before.is_some_and(|at| row.0.starts_with(clipped[at]))
    });
    rows.sort_unstable_by_key(|row| (row.0, row.1, row.2, row.3 as u8));
    // What one table prints twice is two events.
    let twice: BTreeSet<&str> =
        rows.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].0).collect();
    let all: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    let longer_than = |name: &str| -> Option<String> {
        if !names::may_be_clipped(name) || twice.contains(name) {
            return None;
        }
        let longer: Vec<&str> =
            all.range(name..).copied().skip(1).take_while(|longer| longer.starts_with(name)).collect();
        let longest = *longer.last()?;
        let one = longer.windows(2).all(|pair| pair[1].starts_with(pair[0]))
            && longer.iter().filter(|name| names::listed_event(name).is_some()).take(2).count() < 2
            && !longer.iter().any(|name| twice.contains(name));
        one.then(|| longest.to_owned())
    };
    let found: FxHashMap<String, String> =
        all.iter().filter_map(|name| Some(((*name).to_owned(), longer_than(name)?))).collect();
    if found.is_empty() {
        return;
    }
    let tables = &mut report.tables;
    for wait in &mut tables.wait_event {
        let Some(longer) = found.get(wait.event.as_str()) else { continue };
        let class = names::wait_class(longer);
        wait.printed_as = Some(wait.event.clone());
        wait.event = longer.as_str().into();
        wait.wait_class = class.map(Into::into);
        wait.is_idle = class == Some("Idle");
    }
    for top in &mut tables.top_event {
        if let Some(longer) = found.get(&top.event) {
            top.event.clone_from(longer);
        }
    }
    for histogram in &mut tables.wait_histogram {
        if let Some(longer) = found.get(histogram.event.as_str()) {
            histogram.event = longer.as_str().into();
        }
    }
}

/// Identifiers of statements without their last characters, as some sections of 11.2.0.1 print them,
/// are those of other sections where one alone begins so.
fn clipped_statements(report: &mut Report) {
    const WHOLE: usize = 13;
    let is_clipped = |id: &Option<SmolStr>| id.as_ref().is_some_and(|id| id.len() < WHOLE);
    let clipped = report.tables.sql_stat.iter().any(|s| is_clipped(&s.sql_id))
        || report.tables.sql_text.iter().any(|t| is_clipped(&t.sql_id));
    if report.identity.layout != Layout::Text || !clipped {
        return;
    }
    let whole: BTreeSet<SmolStr> = {
        let stats = report.tables.sql_stat.iter().filter_map(|s| s.sql_id.as_ref());
        let texts = report.tables.sql_text.iter().filter_map(|t| t.sql_id.as_ref());
        stats.chain(texts).filter(|id| id.len() == WHOLE).cloned().collect()
    };
    let complete = |id: &mut Option<SmolStr>| {
        let Some(clipped) = id.as_ref().filter(|id| id.len() < WHOLE) else { return true };
        let mut beginning = whole.range(clipped.clone()..).take_while(|w| w.starts_with(clipped.as_str()));
        let (first, second) = (beginning.next().cloned(), beginning.next());
        let found = first.filter(|_| second.is_none());
        let known = found.is_some();
        if known {
            *id = found;
        }
        known
    };
    let mut left: Option<(u32, SectionId, u32)> = None;
    for stat in &mut report.tables.sql_stat {
        if !complete(&mut stat.sql_id) {
            let (_, _, rows) = left.get_or_insert((stat.line, stat.section, 0));
            *rows += 1;
        }
    }
    let mut texts: FxHashMap<SmolStr, usize> = FxHashMap::default();
    let mut kept: Vec<spindle_facts::SqlText> = Vec::with_capacity(report.tables.sql_text.len());
    for mut text in report.tables.sql_text.drain(..) {
        complete(&mut text.sql_id);
        match text.sql_id.as_ref().and_then(|id| texts.get(id)).and_then(|at| kept.get_mut(*at)) {
            Some(before) if before.text.len() >= text.text.len() => {}
            Some(before) => *before = text,
            None => {
                if let Some(id) = &text.sql_id {
                    texts.insert(id.clone(), kept.len());
                }
                kept.push(text);
            }
        }
    }
    report.tables.sql_text = kept;
    if let Some((line, section, rows)) = left {
        report.notes.push(Note {
            line: Some(line),
            section: Some(report.section_title(section).to_owned()),
            message: format!("SQL Ids are cut off: {rows} of them stand whole in no other section"),
            effect: "they are kept as printed; V$SQL knows them by more characters".to_owned(),
        });
    }
}

/// Every release prints more sections in a whole report, many times as many as a rule.
const FEWEST_SECTIONS: usize = 10;

/// Parts of a report only: the header lacks, or most of what every complete report of its kind prints.
fn excerpt(report: &mut Report) {
    let (identity, tables) = (&report.identity, &report.tables);
    let header = identity.begin_snap.is_some() && identity.end_snap.is_some() && identity.elapsed_s.is_some();
    let printed = [
        !tables.load_profile.is_empty() || !tables.io_profile.is_empty(),
        !tables.wait_event.is_empty() || !tables.top_event.is_empty(),
        !tables.instance_stat.is_empty(),
        !tables.sql_stat.is_empty(),
        !tables.parameter.is_empty(),
    ];
    let present = printed.iter().filter(|p| **p).count();
    let whole = match identity.kind {
        Kind::Awr | Kind::Statspack | Kind::Unknown => {
            header && present >= 3 && report.sections.len() >= FEWEST_SECTIONS
        }
        // Reports on one question print few sections, and a miner file no header.
        Kind::AwrCompare | Kind::AwrSql | Kind::Ash | Kind::Addm | Kind::AwrMiner | Kind::History => return,
        Kind::Fio
        | Kind::Orion
        | Kind::CalibrateIo
        | Kind::Iostat
        | Kind::Sar
        | Kind::Slob
        | Kind::Measure => return,
    };
    report.identity.excerpt = !whole;
}

/// Snapshot times are finer than the printed minutes where they carry seconds.
fn elapsed(report: &mut Report) {
    let identity = &mut report.identity;
    let (Some(begin), Some(end)) = (time(identity.begin_time.as_deref()), time(identity.end_time.as_deref()))
    else {
        return;
    };
    #[allow(clippy::cast_precision_loss, reason = "seconds between two dates")]
    let seconds = begin.duration_until(end).as_secs() as f64;
    if seconds <= 0.0 {
        if seconds < 0.0 {
            report.notes.push(Note {
                line: None,
                section: None,
                message: "the last snapshot is printed with a time before the first".to_owned(),
                effect: "one of the two times is wrong; the length of the interval is as printed beside them"
                    .to_owned(),
            });
        } else if let Some(printed) = identity.elapsed_s.filter(|printed| *printed > 61.0) {
            report.notes.push(Note {
                line: None,
                section: None,
                message: format!(
                    "both snapshots are printed with one time, and an elapsed time of {:.2} minutes between them",
                    printed / 60.0
                ),
                effect: "one of the two times is wrong, or the clock was set back; the length of the interval is as printed beside them"
                    .to_owned(),
            });
        }
        return;
    }
    // No interval of minutes took no time.
    if seconds > 60.0 && identity.elapsed_s == Some(0.0) {
        identity.elapsed_s = None;
        report.notes.push(Note {
            line: None,
            section: None,
            message: "an elapsed time of 0 is printed between snapshots that are minutes apart".to_owned(),
            effect: "the length of the interval is taken from the times of the snapshots".to_owned(),
        });
    }
    let whole_minutes = begin.second() == 0 && end.second() == 0;
    let Some(printed) = identity.elapsed_s else {
        identity.elapsed_s = Some(seconds);
        return;
    };
    if (printed - seconds).abs() <= 61.0 {
        if !whole_minutes {
            identity.elapsed_s = Some(closest(seconds, printed));
        }
        return;
    }
    // Where the clock was changed, as in spring, the printed one stands.
    if is_clock_change(printed - seconds, if whole_minutes { 121.0 } else { 61.0 }) {
        return;
    }
    // The rate of the load profile tells which of the two is right: somebody may have changed the times.
    let profile = report.tables.load_profile.iter();
    let of_all = |row: &&LoadProfileRow| row.known == Some(Metric::DbTime) && row.instance_number.is_none();
    let rate = profile.filter(of_all).find_map(|row| row.per_second);
    let told = rate.zip(identity.db_time_s);
    let is_told = |length: f64| {
        told.is_some_and(|(rate, db_time)| (db_time / length - rate).abs() <= 0.02 * rate + 0.05)
    };
    let (length, effect) = match (is_told(printed), is_told(seconds)) {
        (true, false) => return,
        (false, true) => (Some(seconds), "by the load profile it is the time between the snapshots"),
        _ if told.is_some() => (
            None,
            "which is right cannot be told: the length of the interval is unknown, and so are all rates",
        ),
        _ => (Some(printed), "which is right cannot be told; the printed one is used"),
    };
    identity.elapsed_s = length;
    report.notes.push(Note {
        line: None,
        section: None,
        message: format!(
            "an elapsed time of {:.2} minutes is printed between snapshots that are {:.2} minutes apart",
            printed / 60.0,
            seconds / 60.0
        ),
        effect: effect.to_owned(),
    });
}

/// The length of an interval by the seconds between its clock times, and by minutes with two decimals: clock times have
/// lost their fractions, so that the minutes may be finer.
fn closest(seconds: f64, printed: f64) -> f64 {
    /// Half of a hundredth of a minute.
    const HALF_DIGIT: f64 = 0.3;
    let digits = printed / (2.0 * HALF_DIGIT);
    // Compare-period reports print seconds, with decimals.
    if (digits - digits.round()).abs() > 1e-6 && (printed - seconds).abs() <= 1.0 {
        return printed;
    }
    let (low, high) = ((seconds - 1.0).max(printed - HALF_DIGIT), (seconds + 1.0).min(printed + HALF_DIGIT));
    if (seconds - printed).abs() <= HALF_DIGIT || low > high { seconds } else { f64::midpoint(low, high) }
}

/// Do two lengths of an interval differ by as much as clocks are set on or back: half hours, by so many seconds?
fn is_clock_change(difference: f64, within: f64) -> bool {
    const HALF_HOUR: f64 = 1_800.0;
    let halves = (difference / HALF_HOUR).round();
    (1.0..=28.0).contains(&halves.abs()) && (difference - halves * HALF_HOUR).abs() <= within
}

fn time(text: Option<&str>) -> Option<DateTime> {
    text?.parse().ok()
}

/// The time model prints DB time to a tenth of a second or better, the header to 0.6 s.
fn db_time(report: &mut Report) {
    let row = report
        .tables
        .time_model
        .iter()
        .find(|r| r.instance_number.is_none() && r.statistic.eq_ignore_ascii_case("DB time"));
    let Some((value, low, high)) = row.and_then(|r| Some((r.time_s?, r.time_s_low?, r.time_s_high?))) else {
        return;
    };
    let identity = &mut report.identity;
    let header = identity.db_time_s.zip(identity.db_time_s_low).zip(identity.db_time_s_high);
    // That of a compare-period report has two decimals.
    if header.is_some_and(|((_, l), h)| h - l < high - low && low <= h && l <= high) {
        return;
    }
    if let Some(((printed, l), h)) = header
        && (high < l - 1.0 || low > h + 1.0)
    {
        report.notes.push(Note {
            line: None,
            section: Some("Time Model Statistics".to_owned()),
            message: format!("{DB_TIME_DIFFERS}: {printed:.0} s there, {value:.0} s in the time model"),
            effect: "the time model's is used".to_owned(),
        });
    }
    identity.db_time_s = Some(value);
    identity.db_time_s_low = Some(low);
    identity.db_time_s_high = Some(high);
}

/// Current values, whose change over the interval may be less than nothing.
fn may_shrink(statistic: &str) -> bool {
    const WORDS: [&str; 6] = [" current", "memory", " heap ", "allocated", "cursor cache count", "space"];
    WORDS.iter().any(|word| statistic.contains(word))
}

/// Sets what is below nought to unknown; was any of it?
fn unknown_below_nought(values: &mut [&mut Option<f64>]) -> bool {
    let amiss = values.iter().any(|value| value.is_some_and(|v| v < 0.0));
    if amiss {
        values.iter_mut().for_each(|value| **value = None);
    }
    amiss
}

/// Nothing that is counted or timed over an interval is less than nothing. What belongs to a figure that is,
/// as its bounds and rates, is unknown with it: before anything is made of it.
fn below_nought(report: &mut Report) {
    let tables = &mut report.tables;
    let mut found: Vec<(u32, SectionId)> = Vec::new();
    for row in &mut tables.time_model {
        let time = &mut [&mut row.time_s, &mut row.time_s_low, &mut row.time_s_high];
        // The lower bound of nothing rounded may be below it.
        let amiss = time[0].is_some_and(|t| t < 0.0) && unknown_below_nought(time);
        if unknown_below_nought(&mut [&mut row.share_db_time_pct]) || amiss {
            found.push((row.line, row.section));
        }
    }
    for row in &mut tables.instance_stat {
        let absolute = row.begin_value.is_some() || row.end_value.is_some();
        if !absolute
            && [row.total, row.per_second, row.per_transaction].iter().flatten().any(|v| *v < 0.0)
            && !may_shrink(&row.statistic)
            && unknown_below_nought(&mut [&mut row.total, &mut row.per_second, &mut row.per_transaction])
        {
            found.push((row.line, row.section));
        }
    }
    for row in &mut tables.load_profile {
        let values =
            &mut [&mut row.per_second, &mut row.per_transaction, &mut row.per_exec, &mut row.per_call];
        if unknown_below_nought(values) {
            found.push((row.line, row.section));
        }
    }
    for row in &mut tables.wait_class {
        let amiss = [row.waits, row.time_s, row.avg_wait_us].iter().any(|v| v.is_some_and(|v| v < 0.0));
        if amiss {
            (row.waits, row.time_s, row.time_s_low, row.time_s_high) = (None, None, None, None);
            (row.avg_wait_us, row.share_pct) = (None, None);
            found.push((row.line, row.section));
        }
    }
    for row in &mut tables.os_stat {
        if unknown_below_nought(&mut [&mut row.value, &mut row.end_value]) {
            found.push((row.line, row.section));
        }
    }
    let io = tables.io_function.iter_mut().chain(&mut tables.io_filetype);
    for row in io.chain(&mut tables.io_function_filetype) {
        let values = &mut [
            &mut row.read_bytes,
            &mut row.write_bytes,
            &mut row.reads_per_s,
            &mut row.read_bytes_per_s,
            &mut row.writes_per_s,
            &mut row.write_bytes_per_s,
            &mut row.waits,
            &mut row.avg_wait_us,
            &mut row.small_read_us,
            &mut row.large_read_us,
            &mut row.small_read_requests,
            &mut row.large_read_requests,
            &mut row.small_write_requests,
            &mut row.large_write_requests,
        ];
        if unknown_below_nought(values) {
            found.push((row.line, row.section));
        }
    }
    for row in &mut tables.io_profile {
        let values = &mut [&mut row.read_write_per_s, &mut row.reads_per_s, &mut row.writes_per_s];
        if unknown_below_nought(values) {
            found.push((row.line, row.section));
        }
    }
    found.sort_unstable_by_key(|(line, section)| (*section, *line));
    for rows in found.chunk_by(|a, b| a.1 == b.1) {
        let section = report.section_title(rows[0].1).to_owned();
        let count =
            if rows.len() == 1 { "1 row holds".to_owned() } else { format!("{} rows hold", rows.len()) };
        report.notes.push(Note {
            line: Some(rows[0].0),
            section: Some(section),
            message: format!("{count} a figure below nought, which nothing counted or timed can be"),
            effect: "it is taken as unknown, with its rates".to_owned(),
        });
    }
    let identity = &mut report.identity;
    let elapsed = unknown_below_nought(&mut [&mut identity.elapsed_s]);
    let db_time = identity.db_time_s.is_some_and(|t| t < 0.0);
    if db_time {
        (identity.db_time_s, identity.db_time_s_low, identity.db_time_s_high) = (None, None, None);
    }
    if elapsed || db_time {
        report.notes.push(Note {
            line: None,
            section: None,
            message: "the header holds a time below nought".to_owned(),
            effect: "it is taken as unknown".to_owned(),
        });
    }
}

/// Counts and times of waits and I/O are never negative, and no instance waits thirty thousand years.
fn less_than_nothing(report: &mut Report) {
    const MOST_S: f64 = 1e12;
    let amiss = |count: Option<f64>| count.is_some_and(|c| c < 0.0);
    let (mut rows, mut first) = (0_u32, None);
    let mut found = |line: u32, section| {
        rows += 1;
        first = first.or(Some((line, section)));
    };
    for wait in &mut report.tables.wait_event {
        let endless =
            wait.time_s.is_some_and(|t| t > MOST_S) || wait.avg_wait_us.is_some_and(|a| a > MOST_S * 1e6);
        if amiss(wait.waits) || amiss(wait.time_s) || amiss(wait.avg_wait_us) || endless {
            found(wait.line, wait.section);
            (wait.waits, wait.waits_low, wait.waits_high) = (None, None, None);
            (wait.time_s, wait.time_s_low, wait.time_s_high) = (None, None, None);
            (wait.avg_wait_us, wait.avg_wait_us_low, wait.avg_wait_us_high) = (None, None, None);
        }
    }
    for top in &mut report.tables.top_event {
        if amiss(top.waits) || amiss(top.time_s) || top.time_s.is_some_and(|t| t > MOST_S) {
            found(top.line, top.section);
            (top.waits, top.time_s, top.time_s_low, top.time_s_high) = (None, None, None, None);
        }
    }
    let files = report.tables.file_io.iter_mut().map(|f| &mut f.io);
    for io in report.tables.tablespace_io.iter_mut().chain(files) {
        // Only what is below nought is doubted, with its rate and mean.
        let (read, written) = (amiss(io.reads) || amiss(io.avg_read_us), amiss(io.writes));
        let waited = amiss(io.buffer_waits) || amiss(io.avg_buffer_wait_us);
        if read {
            (io.reads, io.reads_per_s, io.avg_read_us) = (None, None, None);
        }
        if written {
            (io.writes, io.writes_per_s, io.avg_write_us) = (None, None, None);
        }
        if waited {
            (io.buffer_waits, io.avg_buffer_wait_us) = (None, None);
        }
        if read || written || waited {
            found(io.line, io.section);
        }
    }
    let Some((line, section)) = first else { return };
    let section = Some(report.section_title(section).to_owned());
    report.notes.push(Note {
        line: Some(line),
        section,
        message: format!("{rows} rows of waits or I/O hold a count below nought, or a time that cannot be"),
        effect: "their counts and times are taken as unknown".to_owned(),
    });
}

/// A class that the report prints for an event holds for all its rows; where none is printed beside a
/// leading event, it is that of its name, as among the waits: in a whole report and in an excerpt alike.
fn classes(report: &mut Report) {
    for top in report.tables.top_event.iter_mut().filter(|top| top.wait_class.is_none()) {
        top.wait_class = names::wait_class(&top.event).map(str::to_owned);
    }
    for top in &report.tables.top_event {
        let Some(class) = &top.wait_class else {
            continue;
        };
        for wait in &mut report.tables.wait_event {
            if wait.wait_class.is_none() && wait.event == top.event {
                wait.wait_class = Some(class.as_str().into());
                wait.is_idle = class == "Idle";
            }
        }
    }
}

/// Histograms and wait events count the same waits, yet not at the same moment: a snapshot captures one
/// view after the other, and waits itself meanwhile (dictionary, library cache, blocks of other
/// instances); where it took minutes, all counts differ by as much. Besides, an event of one side is
/// only listed from a millisecond on, while its histogram counts both sides.
fn histograms_against_events(report: &mut Report) {
    /// Totals of histograms are printed with three digits: 6 % is far beyond their rounding.
    const ROUNDING: f64 = 0.06;
    /// Fewer waits say nothing of a distribution anyway.
    const FEW: f64 = 100.0;
    if !matches!(report.identity.kind, Kind::Awr | Kind::Statspack | Kind::Unknown) {
        return;
    }
    let mut counted: FxHashMap<&str, [Option<f64>; 2]> = FxHashMap::default();
    counted.reserve(report.tables.wait_event.len());
    for event in report.tables.wait_event.iter().filter(|e| e.instance_number.is_none() && !e.is_idle) {
        let Some(waits) = event.waits else { continue };
        // A list of both sides holds the background's waits too.
        let slot = &mut counted.entry(&event.event).or_default()[usize::from(event.side == Side::All)];
        *slot = Some(slot.unwrap_or(0.0) + waits);
    }
    let mut differing = 0;
    let mut compared = 0;
    let mut worst: Option<(f64, u32, String)> = None;
    for histogram in report.tables.wait_histogram.iter().filter(|h| h.instance_number.is_none()) {
        let Some([sides, all]) = counted.get(histogram.event.as_str()) else { continue };
        let (Some(total), Some(events)) = (histogram.waits, all.or(*sides)) else { continue };
        let difference = (total - events).abs();
        if total.max(events) < FEW || histogram.side != Side::All {
            continue;
        }
        compared += 1;
        if difference <= ROUNDING * total.max(events) {
            continue;
        }
        differing += 1;
        if worst.as_ref().is_none_or(|w| difference > w.0) {
            let what = format!("`{}` {total:.0} against {events:.0}", histogram.event);
            worst = Some((difference, histogram.line, what));
        }
    }
    let Some((_, line, what)) = worst else { return };
    report.notes.push(Note {
        line: Some(line),
        section: Some("Wait Event Histogram".to_owned()),
        message: format!(
            "for {differing} of {compared} events the histogram holds over 6 % more or fewer waits than the wait events: {what}"
        ),
        effect: "the histogram tells how the waits spread, the wait events how many there were: a snapshot \
                 captures one after the other, and lists no side of an event with under a millisecond"
            .to_owned(),
    });
}

/// When the instance started. HTML reports before 18c print the month where the minutes should stand: `16:04` in
/// April for 16:33, in all of them, and in texts made of them. What says no minute is known to the hour only, and begins
/// with it.
fn start(identity: &mut Identity, of_page: bool) -> Option<DateTime> {
    let start = time(identity.startup_time.as_deref())?;
    let major = identity.version.as_deref().and_then(|v| v.split('.').next()?.parse::<u32>().ok());
    let month_for_minutes = of_page
        && major.is_none_or(|major| major < 18)
        && identity.scope != Scope::Database
        && start.minute() == start.month();
    if month_for_minutes {
        identity.startup_time = Some(start.strftime("%Y-%m-%dT%H").to_string());
        return start.with().minute(0).build().ok();
    }
    Some(start)
}

/// A start of the instance inside the interval makes every difference wrong.
fn restart(report: &mut Report, started: Option<DateTime>) {
    let identity = &mut report.identity;
    let (Some(begin), Some(end), Some(start)) =
        (time(identity.begin_time.as_deref()), time(identity.end_time.as_deref()), started)
    else {
        return;
    };
    // Start-up is printed to the minute.
    if start > begin + jiff::Span::new().minutes(1) && start <= end && !identity.spans_restart {
        identity.spans_restart = true;
        report.notes.push(Note {
            line: None,
            section: None,
            message: "the instance started inside the interval".to_owned(),
            effect: "totals cover only the time since the start: nothing computed from them can be trusted"
                .to_owned(),
        });
    }
}
