//! Response time = CPU + waits by class and event + what nothing explains.
//!
//! DB time is what the time model prints, else the header (`DB time`), else what seconds and shares
//! of the top events imply, else (Statspack before 10g) CPU and foreground waits together, or what
//! shares of them imply, which the remark says; else unknown. Waits never add up to more than DB time less CPU: instrumentation
//! overlaps (CPU used inside a wait, waits of a call that began before the interval), so the part
//! that is too much is cut in proportion and the remark says how much.

use crate::beside::beside;
use crate::by_histogram::is_estimated;
use crate::by_name::ByName;
use crate::events::{
    EventTotal, UNKNOWN_CLASS, class_of, classes_of_background, is_cpu, lists_all_events,
    lists_waits_in_part, sides_are_mixed,
};
use crate::latency::part_of;
use crate::outcome::{ClassTime, EventTime, ResponseSide, ResponseTime};
use crate::shares::{Wholes, half_digit, of_another_interval};
use crate::words;
use spindle_facts::{
    DB_TIME_DIFFERS, Interval, Kind, Metric, Report, Scope, SectionStatus, ShareOf, Side, TopEvent,
    WaitClassRow, WaitEvent, WaitHistogram, same_name,
};
use std::collections::BTreeMap;

/// Seconds of a time-model statistic with the bounds of their rounding.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PrintedTime {
    /// Seconds.
    pub(crate) seconds: f64,
    /// Bounds.
    pub(crate) bounds: Interval,
    /// Line in the source.
    pub(crate) line: u32,
    /// Section and row as printed.
    pub(crate) section: String,
    /// Rows that are added to the one of that line, one an instance.
    pub(crate) more_rows: usize,
}

/// A time-model statistic over all instances: the row for all where printed, else the sum.
pub(crate) fn time_model_s(report: &Report, statistic: &str) -> Option<PrintedTime> {
    let rows: Vec<_> =
        report.tables.time_model.iter().filter(|r| same_name(&r.statistic, statistic)).collect();
    let for_all = rows.iter().any(|r| r.instance_number.is_none());
    // A second row for the same instance repeats the first (other section, other page).
    let mut seen = Vec::new();
    let mut sum: Option<PrintedTime> = None;
    for row in rows.iter().filter(|r| r.instance_number.is_none() == for_all) {
        if seen.contains(&row.instance_number) {
            continue;
        }
        seen.push(row.instance_number);
        let seconds = row.time_s?;
        let so_far = sum.get_or_insert_with(|| PrintedTime {
            seconds: 0.0,
            bounds: Interval::exact(0.0),
            line: row.line,
            section: format!("{}, {}", report.section_title(row.section), row.statistic),
            more_rows: 0,
        });
        so_far.more_rows = seen.len() - 1;
        so_far.seconds += seconds;
        so_far.bounds.low += row.time_s_low.unwrap_or(seconds).min(seconds);
        so_far.bounds.high += row.time_s_high.unwrap_or(seconds).max(seconds);
    }
    sum
}

/// CPU of foreground sessions: time model, else top events (or the row among the wait classes, where that is the same
/// with more digits), else the load profile's rate, else the row among the wait classes, the share of the top events or
/// the rate that AWR-miner prints, else the statistic of releases that have none of them (centiseconds). The last two
/// count the background's CPU too: beside a DB time the statistic is no part of it, so it stands in only where the
/// release has no DB time.
pub(crate) fn db_cpu_s(report: &Report) -> Option<PrintedTime> {
    let from_statistic = || {
        let has_db_time = report.identity.db_time_s.is_some()
            || time_model_s(report, "DB time").is_some()
            || load_profile_s(report, Metric::DbTime).is_some();
        (!has_db_time).then_some(())?;
        let stats = &report.tables.instance_stat;
        let stat = stats.iter().find(|s| same_name(&s.statistic, "CPU used by this session"))?;
        let seconds = report.statistic_total(&stat.statistic)? / 100.0;
        let section = format!("{}, {}", report.section_title(stat.section), stat.statistic);
        Some(PrintedTime {
            seconds,
            bounds: Interval::exact(seconds),
            line: stat.line,
            section,
            more_rows: 0,
        })
    };
    let of_model = || {
        let row = report.tables.time_model.iter().find(|r| same_name(&r.statistic, "DB CPU"));
        Some(finer_by_share(report, time_model_s(report, "DB CPU")?, row?.share_db_time_pct))
    };
    let of_top = || {
        let mut rows = report.tables.top_event.iter().filter(|t| is_cpu(&t.event));
        let row = rows.find(|t| t.share_of == Some(ShareOf::DbTime));
        let printed = finer(top_cpu_s(report)?, class_cpu_s(report))?;
        Some(finer_by_share(report, printed, row.and_then(|t| t.share_pct)))
    };
    of_model()
        .or_else(of_top)
        .or_else(|| load_profile_s(report, Metric::DbCpu).filter(is_fine))
        .or_else(|| class_cpu_s(report))
        .or_else(|| share_cpu_s(report))
        .or_else(|| rate_of_cpu_s(report))
        .or_else(from_statistic)
}

/// Is it printed finely enough to be a share of anything? A rate of `.1` may be twice or half of that.
fn is_fine(printed: &PrintedTime) -> bool {
    printed.bounds.high <= 1.25 * printed.bounds.low
}

/// Of the same time from two places the one with more digits: `30.8K` beside `30,829`.
fn finer(first: PrintedTime, other: Option<PrintedTime>) -> Option<PrintedTime> {
    let width = |t: &PrintedTime| t.bounds.high - t.bounds.low;
    let finer = other.filter(|o| o.bounds.overlaps(first.bounds) && width(o) < width(&first));
    Some(finer.unwrap_or(first))
}

/// Of `.4` seconds beside `.8` percent of DB time, both rounded, the share says more where DB time is short: it is not
/// 0.7 % of it. Both are of one instance.
fn finer_by_share(report: &Report, printed: PrintedTime, share_pct: Option<f64>) -> PrintedTime {
    if report.identity.scope == Scope::Database {
        return printed;
    }
    let Some((pct, (seconds, of_share))) = share_pct.zip(Wholes::of(report).of_db_time(share_pct)) else {
        return printed;
    };
    let width = |bounds: Interval| bounds.high - bounds.low;
    let both =
        Interval { low: of_share.low.max(printed.bounds.low), high: of_share.high.min(printed.bounds.high) };
    if width(of_share) >= width(printed.bounds) || both.low > both.high {
        return printed;
    }
    PrintedTime {
        seconds: seconds.clamp(both.low, both.high),
        bounds: both,
        section: format!("{}, by its share of {pct} %", printed.section),
        ..printed
    }
}

/// CPU by its share of DB time, where the top events print no seconds of it. Sampled activity counts sessions that wait
/// for a CPU, too.
pub(crate) fn share_cpu_s(report: &Report) -> Option<PrintedTime> {
    (report.identity.kind != Kind::Ash).then_some(())?;
    let wholes = Wholes::of(report);
    let mut rows = report.tables.top_event.iter().filter(|t| is_cpu(&t.event) && t.time_s.is_none());
    let (row, pct, (seconds, bounds)) =
        rows.find_map(|row| Some((row, row.share_pct?, wholes.seconds(row)?)))?;
    let section = format!("{}, {}, by its share of {pct} %", report.section_title(row.section), row.event);
    Some(PrintedTime { seconds, bounds, line: row.line, section, more_rows: 0 })
}

/// `DB CPU` among the wait classes, over all instances.
fn class_cpu_s(report: &Report) -> Option<PrintedTime> {
    let row =
        report.tables.wait_class.iter().find(|r| {
            r.wait_class == "DB CPU" && r.instance_number.is_none() && r.side != Side::Background
        })?;
    let seconds = row.time_s?;
    let bounds = Interval {
        low: row.time_s_low.unwrap_or(seconds).min(seconds),
        high: row.time_s_high.unwrap_or(seconds).max(seconds),
    };
    let section = format!("{}, {}", report.section_title(row.section), row.wait_class);
    Some(PrintedTime { seconds, bounds, line: row.line, section, more_rows: 0 })
}

/// CPU a second as AWR-miner prints it for one instance, over the interval.
pub(crate) fn rate_of_cpu_s(report: &Report) -> Option<PrintedTime> {
    (report.identity.kind == Kind::AwrMiner).then_some(())?;
    let row = report.tables.load_profile.iter().find(|r| r.metric == "cpu_per_s")?;
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0)?;
    let seconds = row.per_second? * elapsed_s;
    let section = format!("{}, {} times elapsed time", report.section_title(row.section), row.metric);
    Some(PrintedTime { seconds, bounds: Interval::exact(seconds), line: row.line, section, more_rows: 0 })
}

/// Seconds a second of the load profile, over the interval. Of one instance only: with several, it
/// repeats a row for each.
pub(crate) fn load_profile_s(report: &Report, metric: Metric) -> Option<PrintedTime> {
    let rows = &report.tables.load_profile;
    let row = rows.iter().find(|r| r.known == Some(metric) && r.instance_number.is_none())?;
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0)?;
    let rate = row.per_second?;
    let half_unit = if row.per_second_half_unit > 0.0 { row.per_second_half_unit } else { 0.05 };
    let rates = Interval::around(rate, half_unit);
    Some(PrintedTime {
        seconds: rate * elapsed_s,
        bounds: Interval {
            low: rates.low * (elapsed_s - 1.0).max(0.0),
            high: rates.high * (elapsed_s + 1.0),
        },
        line: row.line,
        section: format!("{}, {} times elapsed time", report.section_title(row.section), row.metric),
        more_rows: 0,
    })
}

/// CPU as part (0-1) of DB time by the rates of the load profile, which need no elapsed time for it.
fn cpu_of_db_time(report: &Report) -> Option<f64> {
    /// Where the last digit is more of the rate than this, nothing follows from it.
    const COARSE: f64 = 0.05;
    let rate = |metric| {
        let row = report.tables.load_profile.iter().find(|r| r.known == Some(metric))?;
        let half = if row.per_second_half_unit > 0.0 { row.per_second_half_unit } else { 0.05 };
        row.per_second.filter(|rate| row.instance_number.is_none() && half <= COARSE * rate)
    };
    Some(rate(Metric::DbCpu)? / rate(Metric::DbTime)?)
}

/// `DB CPU` (or `CPU time`) of the top events, over all instances.
pub(crate) fn top_cpu_s(report: &Report) -> Option<PrintedTime> {
    if of_another_interval(report).is_some() {
        return None;
    }
    let rows = || report.tables.top_event.iter().filter(|t| is_cpu(&t.event));
    let for_all = rows().any(|r| r.instance_number.is_none());
    let mut seen = Vec::new();
    let mut sum: Option<PrintedTime> = None;
    for row in rows().filter(|r| r.instance_number.is_none() == for_all) {
        if seen.contains(&row.instance_number) {
            continue;
        }
        seen.push(row.instance_number);
        let seconds = row.time_s?;
        let so_far = sum.get_or_insert_with(|| PrintedTime {
            seconds: 0.0,
            bounds: Interval::exact(0.0),
            line: row.line,
            section: format!("{}, {}", report.section_title(row.section), row.event),
            more_rows: 0,
        });
        so_far.more_rows = seen.len() - 1;
        so_far.seconds += seconds;
        so_far.bounds.low += row.time_s_low.unwrap_or(seconds).min(seconds);
        so_far.bounds.high += row.time_s_high.unwrap_or(seconds).max(seconds);
    }
    sum
}

/// DB time implied by the top events, or by the time model where its row of DB time is missing, or by the foreground
/// waits: seconds over their share of DB time. What they are of, too.
///
/// For excerpts that paste little more than the top events. The largest share has the narrowest
/// bounds; where another says something else, the rows are of several instances or sides, and
/// nothing is implied.
fn db_time_from_shares(report: &Report) -> Option<(Whole, &'static str)> {
    let tables = &report.tables;
    if let Some(implied) = whole_from_shares(report, ShareOf::DbTime) {
        return Some((implied, "the top events"));
    }
    let model = tables.time_model.iter().filter(|r| r.instance_number.is_none());
    let model = model.map(|r| Part::new(r.time_s, (r.time_s_low, r.time_s_high), r.share_db_time_pct));
    let part = |e: &WaitEvent| Part::new(e.time_s, (e.time_s_low, e.time_s_high), e.share_pct);
    if report.identity.kind == Kind::AwrMiner {
        let events = tables.wait_event.iter().filter(|e| e.share_of == Some(ShareOf::DbTime));
        return whole(model.chain(events.map(part))).map(|s| (s, "the top events"));
    }
    let waits = || {
        let waits = tables.wait_event.iter().filter(|e| e.side == Side::Foreground);
        let waits = waits.filter(|e| e.share_of == Some(ShareOf::DbTime) && e.instance_number.is_none());
        whole(waits.map(part)).map(|s| (s, "the foreground waits"))
    };
    // Of an excerpt that holds other sections nobody knows whether its findings are of them.
    let findings = || {
        let own = report.identity.kind == Kind::Addm;
        own.then(|| db_time_of_findings(report)).flatten().map(|s| (s, "the findings"))
    };
    whole(model).map(|s| (s, "the time model")).or_else(waits).or_else(findings)
}

/// DB time by the seconds and shares of ADDM's findings (10g). A finding of 100 % may be more than all of it: ADDM
/// prints no larger share.
fn db_time_of_findings(report: &Report) -> Option<Whole> {
    let findings = report.tables.addm_finding.iter();
    whole(findings.map(|f| {
        let half = |sign: f64| f.impact_s.map(|s| s + sign * HALF_SECOND);
        Part::new(f.impact_s, (half(-1.0), half(1.0)), f.impact_pct.filter(|pct| *pct < 100.0))
    }))
}

/// Findings print whole seconds.
const HALF_SECOND: f64 = 0.5;

/// Bounds of a DB time that is not printed, from the rounding of what it follows from; `None` where that is not known.
pub(crate) fn bounds_of_derived(
    report: &Report,
    side: &ResponseSide,
    events: &[EventTotal],
) -> Option<Interval> {
    match side.db_time_from? {
        SECONDS_AND_SHARES => db_time_from_shares(report).map(|(whole, _)| whole.bounds),
        CALLS => side
            .db_time_bounds
            .or_else(|| whole_from_shares(report, ShareOf::TotalCallTime).map(|whole| whole.bounds)),
        CPU_AND_WAITS => {
            let (sum_s, cpu) = (side.db_time_s?, db_cpu_s(report)?);
            let waits = || events.iter().filter(|e| e.side == Side::Foreground && !e.is_idle);
            let below = waits().map(|e| e.time_s - e.time_s_bounds.low).sum::<f64>();
            let above = waits().map(|e| e.time_s_bounds.high - e.time_s).sum::<f64>();
            Some(Interval {
                low: sum_s - (cpu.seconds - cpu.bounds.low) - below,
                high: sum_s + (cpu.bounds.high - cpu.seconds) + above,
            })
        }
        _ => None,
    }
}

/// DB time as the statements that lead by elapsed time print it: what their shares are of, else what seconds and share
/// of the wait classes or of the statements imply. With the section's title.
fn db_time_of_statements(report: &Report) -> Option<(f64, &str)> {
    if !matches!(report.identity.kind, Kind::Awr | Kind::Statspack | Kind::Unknown) {
        return None;
    }
    let tables = &report.tables;
    let mut rows =
        tables.sql_stat.iter().filter(|s| s.ranked_by == "elapsed_time" && s.instance_number.is_none());
    if let Some((row, total)) = rows.find_map(|s| Some((s, s.section_total.filter(|t| *t > 0.0)?))) {
        return Some((total, report.section_title(row.section)));
    }
    let classes =
        || tables.wait_class.iter().filter(|c| c.side != Side::Background && c.instance_number.is_none());
    let part = |c: &WaitClassRow| Part::new(c.time_s, (c.time_s_low, c.time_s_high), c.share_pct);
    let implied = whole(classes().map(part))?;
    // `DB CPU` stands among the classes where their shares are of DB time; elsewhere they are of all waits.
    let cpu = classes().find(|c| c.wait_class == "DB CPU")?;
    Some((implied.seconds, report.section_title(cpu.section)))
}

/// What seconds and shares of the top events are shares of.
pub(crate) fn whole_from_shares(report: &Report, of: ShareOf) -> Option<Whole> {
    let part = |row: &TopEvent| Part::new(row.time_s, (row.time_s_low, row.time_s_high), row.share_pct);
    whole(of_all_instances(report, of).map(part))
}

/// The top events of all instances together whose shares are of this.
pub(crate) fn of_all_instances(report: &Report, of: ShareOf) -> impl Iterator<Item = &TopEvent> {
    let rows = report.tables.top_event.iter();
    rows.filter(move |row| row.share_of == Some(of) && row.instance_number.is_none())
}

/// Smaller shares are rounded too far to tell what they are of, percent.
const TELLING_PCT: f64 = 5.0;

/// Seconds that are printed with their share of a whole.
struct Part {
    time_s: Option<f64>,
    bounds: (Option<f64>, Option<f64>),
    pct: Option<f64>,
}

impl Part {
    fn new(time_s: Option<f64>, bounds: (Option<f64>, Option<f64>), pct: Option<f64>) -> Self {
        Self { time_s, bounds, pct }
    }
}

/// What parts are shares of, with what the rounding of seconds and shares leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Whole {
    /// Seconds.
    pub(crate) seconds: f64,
    /// Bounds, by the largest part.
    pub(crate) bounds: Interval,
}

/// What these seconds are these shares of, where all agree.
fn whole(parts: impl Iterator<Item = Part>) -> Option<Whole> {
    let parts: Vec<Part> = parts.collect();
    let half_pct = half_digit(parts.iter().filter_map(|p| p.pct));
    let telling = parts.iter().filter_map(|p| Some((p.pct?, p.time_s?, p.bounds)));
    let telling: Vec<_> = telling.filter(|(pct, time_s, _)| *time_s > 0.0 && *pct >= TELLING_PCT).collect();
    let (pct, time_s, (low, high)) = *telling.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let seconds = time_s * 100.0 / pct;
    let agree = telling.iter().all(|(pct, time_s, _)| (time_s * 100.0 / pct / seconds - 1.0).abs() < 0.1);
    agree.then(|| Whole {
        seconds,
        bounds: Interval {
            low: low.unwrap_or(time_s).min(time_s) * 100.0 / (pct + half_pct),
            high: high.unwrap_or(time_s).max(time_s) * 100.0 / (pct - half_pct),
        },
    })
}

/// The response-time tree of a report.
pub(crate) fn response_time(
    report: &Report,
    events: &[EventTotal],
    histograms: &[WaitHistogram],
) -> ResponseTime {
    let histograms = Histograms {
        of: ByName::new(histograms, |histogram| histogram.event.as_str()),
        events: ByName::new(events, |event| event.event.as_str()),
    };
    let mut both = ResponseTime {
        foreground: foreground(report, events, &histograms),
        background: background(report, events, &histograms),
    };
    if let Some(beside) = beside(report, &both) {
        let remarks = both.foreground.remark.take().into_iter().chain([beside.said()]).collect();
        both.foreground.remark = joined(remarks);
    }
    both
}

/// Histograms by event, and the rows that say whose waits they count.
struct Histograms<'h> {
    of: ByName<'h, WaitHistogram>,
    events: ByName<'h, EventTotal>,
}

/// What stands for a DB time that is a part of it over its share.
const SECONDS_AND_SHARES: &str = "seconds and shares";
/// What stands for it in releases that print none.
const CPU_AND_WAITS: &str = "CPU and foreground waits";
/// What stands for it there where the top events alone are printed.
const CALLS: &str = "CPU and waits, by seconds and shares";

/// Bounds of DB time that are further apart than this part of it are said.
const WORTH_A_RANGE: f64 = 0.01;

/// Idle events that stand among those that lead: older releases print some of them there, with a share of all.
fn idle_among_leaders(report: &Report, events: &[EventTotal]) -> Option<String> {
    let leads = |event: &str| report.tables.top_event.iter().any(|top| top.event == event);
    let idle: Vec<String> = events
        .iter()
        .filter(|e| e.is_idle && e.side == Side::Foreground && leads(&e.event))
        .map(|e| format!("`{}` {}", e.event, words::seconds(e.time_s)))
        .collect();
    (!idle.is_empty()).then(|| {
        format!(
            "Left out, since sessions are idle in it, though it stands among the top events: {}.",
            idle.join(", ")
        )
    })
}

fn foreground(report: &Report, events: &[EventTotal], histograms: &Histograms<'_>) -> ResponseSide {
    let mut remarks: Vec<String> = idle_among_leaders(report, events).into_iter().collect();
    let mixed = sides_are_mixed(report);
    if mixed {
        let printed = report.tables.wait_event.iter().any(|e| e.side == Side::Background);
        let what = if printed {
            "what it prints for the background was subtracted"
        } else {
            "those known to be of background processes are left out, and others may be theirs in part"
        };
        remarks.push(format!("The report mixes foreground and background waits; {what}."));
    }
    let mut classes = classes(report, Side::Foreground, events, histograms);
    let estimated = events.iter().any(is_estimated);
    let by_class_alone = classes.is_empty() || estimated;
    let of_miner = report.identity.kind == Kind::AwrMiner
        && report.tables.wait_event.iter().any(|e| e.share_pct.is_some());
    if of_miner {
        beside_events(report, &mut classes);
        remarks.push(
            "Of events only the five largest of both sides are printed; where sessions cannot have waited as long, \
             background processes did, and the class is that of the sessions."
                .to_owned(),
        );
    } else if by_class_alone {
        let of_events = std::mem::replace(&mut classes, printed_classes(report));
        let printed = !classes.is_empty();
        with_estimated(&mut classes, of_events);
        if estimated {
            remarks.push(
                "Of events only histograms are printed: their times are estimated within the bounds of their buckets."
                    .to_owned(),
            );
        }
        if printed {
            let of_both = report.tables.wait_class.iter().all(|r| r.side != Side::Foreground);
            let whose = if of_both {
                ", those of background processes among them; System I/O, which is mostly theirs, is left out"
            } else {
                ""
            };
            remarks.push(format!("Waits are read by class alone{whose}."));
        }
    }
    let only_top = !lists_all_events(report, events);
    let unread_s = if of_miner || by_class_alone || mixed { None } else { add_unread(report, &mut classes) };
    if let Some(unread_s) = unread_s {
        let which = if only_top { "the top events" } else { "the events that were read" };
        remarks.push(format!(
            "Of the foreground waits that the report prints by class or in sum, {} are in none of {which}.",
            words::seconds(unread_s)
        ));
    }
    let classes = classes;
    let leaders_alone = only_top && report.tables.wait_class.is_empty();
    let waits_s: f64 = classes.iter().map(|c| c.time_s).sum();
    // Classes of both sides together are no total of the foreground, nor are the few that lead.
    let is_foreground = !by_class_alone && !classes.is_empty() && !of_miner;

    let mut db_time_from = None;
    let printed_cpu = db_cpu_s(report).map(|t| t.seconds);
    if printed_cpu.is_some() && printed_cpu == rate_of_cpu_s(report).map(|t| t.seconds) {
        remarks.push("CPU is that of all sessions, those of the background among them.".to_owned());
    }
    let identity = &report.identity;
    remarks.extend(header_denies_model(report));
    if let Some((implied_s, printed_s)) = of_another_interval(report) {
        remarks.push(format!(
            "The top events are of another interval and left out: their seconds and shares make a DB time of {}, and {} \
             is printed.",
            words::seconds(implied_s),
            words::seconds(printed_s)
        ));
    }
    let db_time = time_model_s(report, "DB time").map(|t| t.seconds).or(identity.db_time_s);
    let db_time = db_time.or_else(|| Some(load_profile_s(report, Metric::DbTime)?.seconds));
    let db_time = db_time.filter(|t| *t > 0.0 && t.is_finite()).or_else(|| {
        let (implied, of) = db_time_from_shares(report)?;
        db_time_from = Some(SECONDS_AND_SHARES);
        remarks.push(format!("{}; it follows from the seconds and shares of {of}.", lacks_db_time(report)));
        remarks.splice(0..0, profile_denies_shares(report));
        Some(implied.seconds)
    });
    let db_time = db_time.or_else(|| {
        let seconds = report.beside.instances_db_time_s.filter(|seconds| *seconds > 0.0)?;
        db_time_from = Some("average active sessions of all instances");
        remarks
            .push("DB time is that of all instances together, by their average active sessions.".to_owned());
        Some(seconds)
    });
    let db_time = db_time.or_else(|| {
        let sum = printed_cpu? + waits_s;
        (sum > 0.0 && by_class_alone && are_classes_of_sessions(report)).then(|| {
            db_time_from = Some("CPU and waits by class");
            remarks.push("DB time is not printed: CPU and waits by class together stand for it.".to_owned());
            sum
        })
    });

    let db_time = db_time.or_else(|| {
        let (printed, section) = db_time_of_statements(report)?;
        db_time_from = Some("the statements");
        remarks.push(format!("DB time is that of which \"{section}\" prints shares."));
        Some(printed)
    });

    remarks.extend(from_shares(report, events));
    if only_top && is_foreground && unread_s.is_none() {
        let lacks = if lists_waits_in_part(report) {
            "The list of waits lacks rows: what is not listed may have been waited for."
        } else {
            "Only the top events are printed; smaller waits are not."
        };
        remarks.push(lacks.to_owned());
    }
    // Releases without DB time: CPU and waits are the response time, where both are whole.
    let db_time = db_time.or_else(|| {
        let sum = printed_cpu? + waits_s;
        (sum > 0.0 && !only_top).then(|| {
            remarks.push(
                "This release prints no DB time: CPU and foreground waits together stand for it.".to_owned(),
            );
            db_time_from = Some(CPU_AND_WAITS);
            sum
        })
    });
    // Of the same releases the top events alone: their shares are of CPU and waits together.
    let mut db_time_bounds = None;
    let db_time = db_time.or_else(|| {
        let implied = only_top.then(|| whole_from_shares(report, ShareOf::TotalCallTime)).flatten()?;
        // A release does not know every idle event of a later one, and lists it among the others.
        let idle = || events.iter().filter(|e| e.is_idle && e.table == "top_event");
        let idle_s: f64 = idle().map(|e| e.time_s).sum();
        let implied = Some(implied.seconds - idle_s).filter(|s| *s > 0.0)?;
        remarks.push(format!(
            "{}: CPU and all waits together, which follow from the seconds and shares of the top events, stand for it.",
            lacks_db_time(report)
        ));
        db_time_from = Some(CALLS);
        // The difference of two large figures is as inexact as both.
        if let Some(all) = Wholes::of(report).calls().filter(|_| idle_s > 0.0) {
            let [low_s, high_s] =
                [|b: Interval| b.low, |b: Interval| b.high].map(|of| idle().map(|e| of(e.time_s_bounds)).sum::<f64>());
            let bounds = Interval { low: (all.low - high_s).max(0.0), high: all.high - low_s };
            if bounds.high > (1.0 + WORTH_A_RANGE) * bounds.low {
                remarks.push(format!(
                    "It is the difference of rounded figures: {} to {}.",
                    words::seconds(bounds.low),
                    words::seconds(bounds.high)
                ));
                db_time_bounds = Some(bounds);
            }
        }
        Some(implied)
    });
    let Some(db_time_s) = db_time else {
        // Shares of all waits tell how much the few that are printed lack.
        let all_waits_s = only_top.then(|| whole_from_shares(report, ShareOf::TotalWaitTime)).flatten();
        let all_waits_s = all_waits_s.map(|all| all.seconds).filter(|all| *all > waits_s);
        if let Some(all_s) = all_waits_s {
            remarks.push(format!(
                "All waits are {}, by the seconds and shares of the top events: {} of them are not listed or the background's.",
                words::seconds(all_s),
                words::seconds(all_s - waits_s)
            ));
        }
        if !classes.is_empty() || printed_cpu.is_some() {
            remarks.push(format!("{}, so no share of it is given.", no_db_time(report)));
        } else if !shares_alone(report).is_empty() {
            remarks.push("DB time and seconds of waits were not read, shares alone.".to_owned());
        }
        return ResponseSide {
            db_time_s: None,
            db_time_from: None,
            db_time_bounds: None,
            cpu_s: printed_cpu,
            wait_s: is_foreground.then_some(all_waits_s.unwrap_or(waits_s)),
            unexplained_s: None,
            unread_s,
            classes,
            leaders_alone,
            remark: joined(remarks),
        };
    };

    let printed_cpu = printed_cpu.or_else(|| {
        let share = cpu_of_db_time(report)?;
        remarks.push("CPU is its share of DB time by the rates of the load profile.".to_owned());
        Some(share * db_time_s)
    });
    let printed_cpu = printed_cpu.and_then(|cpu| believed_cpu_s(report, cpu, db_time_s, &mut remarks));
    let cpu_s = printed_cpu.map(|cpu| {
        if cpu > db_time_s {
            remarks.push(format!(
                "CPU is printed as {}, more than DB time ({}): the excess is left out.",
                words::seconds(cpu),
                words::seconds(db_time_s)
            ));
        }
        cpu.min(db_time_s)
    });
    let room = (db_time_s - cpu_s.unwrap_or(0.0)).max(0.0);
    let mut classes = classes;
    if waits_s > room {
        let excess = waits_s - room;
        // Rounding of the printed figures alone is not worth a remark.
        if excess > 0.001 * db_time_s {
            remarks.push(format!(
                "CPU and waits add up to {} more than DB time (CPU used inside waits, calls that span the \
                 interval): seconds are as printed, what is counted and drawn of the waits is cut in proportion.",
                words::seconds(excess)
            ));
        }
        cut(&mut classes, room / waits_s);
    }
    share(&mut classes, db_time_s);
    let wait_s: f64 = classes.iter().map(|c| c.time_s).sum();
    ResponseSide {
        db_time_s: Some(db_time_s),
        db_time_from,
        db_time_bounds,
        cpu_s,
        // Where CPU leaves no room, what waits were of DB time is unknown: they were not none.
        wait_s: is_foreground.then_some(wait_s).filter(|s| *s > 0.0 || waits_s <= 0.0),
        unexplained_s: Some((db_time_s - cpu_s.unwrap_or(0.0) - wait_s).max(0.0)),
        unread_s,
        classes,
        leaders_alone,
        remark: joined(remarks),
    }
}

/// Is the report a pasted part, or does a section of it lack that could not be read, or is it of ADDM, each of which
/// prints its period and its DB time? What lacks may be printed then.
#[must_use]
pub fn is_read_in_part(report: &Report) -> bool {
    let unread = || report.sections.iter().any(|s| s.status == SectionStatus::Unreadable || s.lost > 0);
    report.identity.excerpt || report.identity.kind == Kind::Addm || unread()
}

/// Are the classes of a database with several instances those of its sessions alone, CPU among them? AWR-miner counts
/// waits of the foreground from 11g on; before, the release does not tell the two apart.
fn are_classes_of_sessions(report: &Report) -> bool {
    let id = &report.identity;
    let release = id.version.as_deref().and_then(|v| v.split('.').next()?.parse::<u32>().ok());
    id.kind == Kind::AwrMiner
        && id.scope == Scope::Database
        && release.is_some_and(|release| release >= 11)
        && class_cpu_s(report).is_some()
}

fn lacks_db_time(report: &Report) -> &'static str {
    if is_read_in_part(report) { "DB time was not read" } else { "DB time is not printed" }
}

/// Shares of DB time that stand in the top events without seconds, with event and class; none where any of them has
/// its seconds.
pub(crate) fn shares_alone(report: &Report) -> Vec<(&str, String, f64)> {
    let rows = || report.tables.top_event.iter().filter(|e| e.share_of == Some(ShareOf::DbTime));
    if rows().any(|e| e.time_s.is_some()) {
        return Vec::new();
    }
    let class = |e: &TopEvent| match class_of(&e.event, e.wait_class.as_deref()) {
        _ if is_cpu(&e.event) => "CPU".to_owned(),
        class if class == UNKNOWN_CLASS => "waits of unknown class".to_owned(),
        class => class,
    };
    let shares = rows().filter(|e| e.instance_number.is_none() && e.wait_class.as_deref() != Some("Idle"));
    shares.filter_map(|e| Some((e.event.as_str(), class(e), e.share_pct?))).collect()
}

/// Why nobody knows DB time: `DB time is not printed`, or not over the interval.
pub(crate) fn no_db_time(report: &Report) -> String {
    let rate = |metric| {
        let rows = report.tables.load_profile.iter().filter(|r| r.known == Some(metric));
        rows.filter(|r| r.instance_number.is_none()).find_map(|r| r.per_second.filter(|rate| *rate > 0.0))
    };
    let Some(sessions) = rate(Metric::DbTime) else { return lacks_db_time(report).to_owned() };
    let cpu = rate(Metric::DbCpu)
        .filter(|cpu| *cpu <= sessions)
        .map_or(String::new(), |cpu| format!(", {} of it CPU", words::percent(100.0 * cpu / sessions)));
    format!(
        "DB time is printed a second alone ({} s{cpu}) and the length of the interval is not",
        words::significant(sessions)
    )
}

/// That the header prints another DB time than the time model, as the reader noted it: rows of two reports, or a figure
/// changed by hand.
pub(crate) fn header_denies_model(report: &Report) -> Option<String> {
    let note = report.notes.iter().find(|n| n.message.starts_with(DB_TIME_DIFFERS))?;
    Some(format!("{}: {}, and one of the two is wrong or of another report.", note.message, note.effect))
}

/// Rates and shares that give CPU very different parts of DB time: one of them is wrong, or of another interval.
fn profile_denies_shares(report: &Report) -> Option<String> {
    /// Rounding aside, the clocks of both are no further apart, in percent of DB time.
    const FAR_PCT: f64 = 10.0;
    let tables = &report.tables;
    let rate = |metric: Metric| {
        let mut rows = tables.load_profile.iter().filter(|r| r.instance_number.is_none());
        let row = rows.find(|r| r.known == Some(metric))?;
        Some((row.per_second?, row.per_second_half_unit))
    };
    let ((all, half_all), (cpu, half_cpu)) =
        (rate(Metric::DbTime).filter(|(all, _)| *all > 0.0)?, rate(Metric::DbCpu)?);
    let mut top = tables.top_event.iter().filter(|e| is_cpu(&e.event) && e.share_of == Some(ShareOf::DbTime));
    let printed_pct = top.find_map(|e| e.share_pct)?;
    let least_pct = 100.0 * (cpu - half_cpu) / (all + half_all);
    let most_pct = 100.0 * (cpu + half_cpu) / (all - half_all).max(f64::MIN_POSITIVE);
    (printed_pct + FAR_PCT < least_pct || printed_pct > most_pct + FAR_PCT).then(|| {
        format!(
            "Two accounts deny each other: by the load profile CPU is {:.0} % of DB time, by the top events {printed_pct} %; \
             what is said here goes by the latter, and may be wrong.",
            100.0 * cpu / all
        )
    })
}

/// Whose seconds follow from their shares.
fn from_shares(report: &Report, events: &[EventTotal]) -> Option<String> {
    /// Events that are named.
    const TOLD: usize = 3;
    let cpu = share_cpu_s(report).filter(|cpu| db_cpu_s(report).as_ref() == Some(cpu));
    let of_events = events.iter().filter(|e| e.side == Side::Foreground && e.from_share_pct.is_some());
    let of_events = of_events.map(|e| format!("`{}`", e.event));
    let mut names: Vec<String> = cpu.map(|_| "CPU".to_owned()).into_iter().chain(of_events).collect();
    let more = match names.len().saturating_sub(TOLD) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    names.truncate(TOLD);
    (!names.is_empty()).then(|| {
        format!("Seconds of {}{more} were not read: they follow from the printed share.", names.join(", "))
    })
}

/// CPU where it can be: of one account that is far more than DB time another speaks, or nobody.
fn believed_cpu_s(report: &Report, cpu_s: f64, db_time_s: f64, remarks: &mut Vec<String>) -> Option<f64> {
    /// Clocks of CPU and of calls differ by less.
    const BEYOND: f64 = 1.25;
    /// Nothing that is counted beside DB time is this much more than it.
    const IMPOSSIBLE: f64 = 2.0;
    if cpu_s <= BEYOND * db_time_s {
        return Some(cpu_s);
    }
    let rate = load_profile_s(report, Metric::DbCpu).filter(is_fine);
    let others = [top_cpu_s(report), class_cpu_s(report), rate];
    let (cpu, db_time) = (words::seconds(cpu_s), words::seconds(db_time_s));
    if let Some(other) = others.into_iter().flatten().find(|t| t.seconds <= db_time_s) {
        remarks.push(format!(
            "CPU is printed as {cpu}, more than DB time ({db_time}), and is not believed: that of {} is used.",
            other.section
        ));
        return Some(other.seconds);
    }
    if cpu_s <= IMPOSSIBLE * db_time_s {
        return Some(cpu_s);
    }
    remarks.push(format!(
        "CPU is printed as {cpu}, several times DB time ({db_time}): one of the two is wrong, and CPU is unknown."
    ));
    None
}

fn background(report: &Report, events: &[EventTotal], histograms: &Histograms<'_>) -> ResponseSide {
    let mut classes = classes(report, Side::Background, events, histograms);
    let wait_s: f64 = classes.iter().map(|c| c.time_s).sum();
    let elapsed = time_model_s(report, "background elapsed time").map(|t| t.seconds);
    let cpu_s = time_model_s(report, "background cpu time").map(|t| t.seconds);
    let mut remark = None;
    if let Some(total) = elapsed.filter(|t| *t > 0.0) {
        if wait_s > total {
            remark = Some(format!(
                "Background waits add up to {} more than the background elapsed time: processes wait at the same \
                 time, and some waits are not counted in it.",
                words::seconds(wait_s - total)
            ));
        }
        share(&mut classes, total);
    }
    ResponseSide {
        db_time_s: elapsed,
        db_time_from: None,
        db_time_bounds: None,
        cpu_s,
        wait_s: (!classes.is_empty()).then_some(wait_s),
        unexplained_s: elapsed.map(|t| (t - cpu_s.unwrap_or(0.0) - wait_s).max(0.0)),
        unread_s: None,
        classes,
        leaders_alone: false,
        remark,
    }
}

/// Wait classes as printed, where no event is (AWR-miner): without events, largest first. The rows of the
/// foreground where there are any, else those of both sides.
fn printed_classes(report: &Report) -> Vec<ClassTime> {
    let rows = &report.tables.wait_class;
    let Some(side) =
        [Side::Foreground, Side::All].into_iter().find(|side| rows.iter().any(|r| r.side == *side))
    else {
        return Vec::new();
    };
    let for_all = rows.iter().any(|r| r.side == side && r.instance_number.is_none());
    let mut seen = Vec::new();
    let mut classes: Vec<ClassTime> = Vec::new();
    for row in rows.iter().filter(|r| r.side == side && r.instance_number.is_none() == for_all) {
        let other = matches!(row.wait_class.as_str(), "DB CPU" | "Idle")
            || row.wait_class == "System I/O" && side == Side::All;
        let Some(time_s) = row.time_s.filter(|t| t.is_finite() && *t > 0.0 && !other) else { continue };
        // A second row of an instance repeats the first (other section).
        if seen.contains(&(row.instance_number, &row.wait_class)) {
            continue;
        }
        seen.push((row.instance_number, &row.wait_class));
        match classes.iter_mut().find(|c| c.wait_class == row.wait_class) {
            Some(class) => {
                class.time_s += time_s;
                class.printed_s += time_s;
            }
            None => classes.push(ClassTime {
                wait_class: row.wait_class.clone(),
                time_s,
                printed_s: time_s,
                share_pct: None,
                events: Vec::new(),
            }),
        }
    }
    classes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.wait_class.cmp(&b.wait_class)));
    classes
}

/// Holds the events that were read against what the report prints of all foreground waits, by class and in
/// sum, and adds to each class what its events lack. Seconds that no event holds, `None` where none do.
///
/// Rows get lost where a report is cut or squeezed, and excerpts print the top events alone; what they
/// lack is no gap of the response time.
fn add_unread(report: &Report, classes: &mut Vec<ClassTime>) -> Option<f64> {
    /// Part of all waits that names of events in other classes and rounding may make.
    const SLACK: f64 = 0.01;
    let of_foreground = report.tables.wait_class.iter().any(|r| r.side == Side::Foreground);
    let printed = if of_foreground { printed_classes(report) } else { Vec::new() };
    // The sum of one instance is none of a whole database.
    let in_sum = report.identity.foreground_wait_s.filter(|_| report.identity.scope != Scope::Database);
    let by_class: f64 = printed.iter().map(|c| c.printed_s).sum();
    let all_s = in_sum.unwrap_or(0.0).max(by_class);
    let read_s: f64 = classes.iter().map(|c| c.printed_s).sum();
    // Each row is rounded to a second.
    let rows = classes.iter().map(|c| c.events.len()).sum::<usize>() + printed.len();
    let unread_s = all_s - read_s;
    #[allow(clippy::cast_precision_loss, reason = "rows of a section")]
    let slack_s = 0.5 * rows as f64 + SLACK * all_s;
    if unread_s <= slack_s {
        return None;
    }
    let lacks: Vec<(ClassTime, f64)> = printed
        .into_iter()
        .filter_map(|class| {
            let read = classes.iter().find(|c| c.wait_class == class.wait_class).map_or(0.0, |c| c.printed_s);
            Some(class.printed_s - read).filter(|lack| *lack > 1.0).map(|lack| (class, lack))
        })
        .collect();
    // Where classes lack more than all waits do, events stand in other classes than the report puts them.
    if lacks.iter().map(|(_, lack)| lack).sum::<f64>() <= unread_s + slack_s {
        for (class, lack) in lacks {
            match classes.iter_mut().find(|c| c.wait_class == class.wait_class) {
                Some(own) => {
                    own.time_s += lack;
                    own.printed_s += lack;
                }
                None => classes.push(class),
            }
        }
        classes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.wait_class.cmp(&b.wait_class)));
    }
    Some(unread_s)
}

/// AWR-miner prints the few events that lead, and sessions by class: of a class without a foreground
/// event, the sessions tell.
fn beside_events(report: &Report, classes: &mut Vec<ClassTime>) {
    let of_background = classes_of_background(report);
    for row in report.tables.wait_class.iter().filter(|r| r.instance_number.is_none()) {
        let wait_class = row.wait_class.as_str();
        let others =
            matches!(wait_class, "DB CPU" | "Idle") || classes.iter().any(|c| c.wait_class == wait_class);
        // Without proof that they are those of sessions, waits for system I/O are mostly the background's.
        let theirs = wait_class == "System I/O" && !of_background.contains(&wait_class);
        let Some(time_s) = row.time_s.filter(|t| t.is_finite() && *t > 0.0 && !others && !theirs) else {
            continue;
        };
        let (wait_class, events) = (wait_class.to_owned(), Vec::new());
        classes.push(ClassTime { wait_class, time_s, printed_s: time_s, share_pct: None, events });
    }
    classes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.wait_class.cmp(&b.wait_class)));
}

/// Puts events whose times are estimated into their classes as printed, which hold other events, too.
fn with_estimated(classes: &mut Vec<ClassTime>, of_events: Vec<ClassTime>) {
    for mut found in of_events {
        match classes.iter_mut().find(|class| class.wait_class == found.wait_class) {
            Some(class) => {
                class.time_s = class.time_s.max(found.time_s);
                class.printed_s = class.printed_s.max(found.printed_s);
                class.events.append(&mut found.events);
            }
            None => classes.push(found),
        }
    }
    classes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.wait_class.cmp(&b.wait_class)));
}

/// Waits of one side that are not idle, by class, largest first.
fn classes(
    report: &Report,
    side: Side,
    events: &[EventTotal],
    histograms: &Histograms<'_>,
) -> Vec<ClassTime> {
    let mut classes: Vec<ClassTime> = Vec::new();
    for event in events.iter().filter(|e| e.side == side && !e.is_idle && e.time_s > 0.0) {
        let row = event_time(report, event, histograms);
        match classes.iter_mut().find(|c| c.wait_class == event.wait_class) {
            Some(class) => {
                class.time_s += row.counted_s;
                class.printed_s += row.time_s;
                class.events.push(row);
            }
            None => classes.push(ClassTime {
                wait_class: event.wait_class.clone(),
                time_s: row.counted_s,
                printed_s: row.time_s,
                share_pct: None,
                events: vec![row],
            }),
        }
    }
    classes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.wait_class.cmp(&b.wait_class)));
    classes
}

fn event_time(report: &Report, event: &EventTotal, histograms: &Histograms<'_>) -> EventTime {
    let histogram = of_side(histograms.of.of(&event.event), event.side);
    let part = histogram.and_then(|h| part_of(h, event, histograms.events.of(&event.event)));
    let [p50_us, p90_us, p99_us] =
        histogram.zip(part).map_or([None; 3], |(h, part)| h.percentiles_of_part_us(part, [50.0, 90.0, 99.0]));
    EventTime {
        event: event.event.clone(),
        waits: event.waits,
        time_s: event.time_s,
        counted_s: event.time_s,
        time_s_bounds: event.time_s_bounds,
        avg_us: event.avg_us,
        avg_us_bounds: event.avg_us_bounds,
        p50_us,
        p90_us,
        p99_us,
        line: event.line,
        section: format!("{}{}", report.section_title(event.section), crate::case::sum_of(event.instances)),
    }
}

/// Of the histograms of an event, that of its own side where printed, else of both sides together.
fn of_side<'h>(histograms: impl Iterator<Item = &'h WaitHistogram>, side: Side) -> Option<&'h WaitHistogram> {
    let mut both = None;
    for histogram in histograms {
        if histogram.side == side {
            return Some(histogram);
        }
        if histogram.side == Side::All && both.is_none() {
            both = Some(histogram);
        }
    }
    both
}

/// Histograms over all instances: the one for all where printed, else the sum.
pub(crate) fn histograms_over_instances(report: &Report) -> Vec<WaitHistogram> {
    // Events in printed order; the histograms of each likewise.
    let mut places: BTreeMap<(&str, Side), usize> = BTreeMap::new();
    let mut events: Vec<Vec<&WaitHistogram>> = Vec::new();
    for histogram in &report.tables.wait_histogram {
        let place = *places.entry((&histogram.event, histogram.side)).or_insert(events.len());
        match events.get_mut(place) {
            Some(parts) => parts.push(histogram),
            None => events.push(vec![histogram]),
        }
    }
    let over_instances = |parts: Vec<&WaitHistogram>| match parts.iter().find(|h| h.instance_number.is_none())
    {
        Some(&whole) => Some(whole.clone()),
        None => WaitHistogram::merged(&parts),
    };
    events.into_iter().filter_map(over_instances).collect()
}

fn share(classes: &mut [ClassTime], of_s: f64) {
    for class in classes {
        class.share_pct = (of_s > 0.0).then(|| 100.0 * class.time_s / of_s);
    }
}

fn cut(classes: &mut [ClassTime], factor: f64) {
    for class in classes {
        class.time_s *= factor;
        for event in &mut class.events {
            event.counted_s *= factor;
        }
    }
}

fn joined(remarks: Vec<String>) -> Option<String> {
    (!remarks.is_empty()).then(|| remarks.join(" "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::rules::testing::Hour;
    use crate::{Case, Options, ResponseSide};
    use spindle_facts::{Metric, Report, ShareOf, Side};

    fn foreground(report: &Report) -> ResponseSide {
        Case::new(report, &Options::default()).response_time.foreground
    }

    /// Classes, CPU and the rest are DB time, always.
    fn assert_whole(side: &ResponseSide) {
        let classes: f64 = side.classes.iter().map(|c| c.time_s).sum();
        let sum = classes + side.cpu_s.unwrap_or(0.0) + side.unexplained_s.unwrap();
        assert!((sum - side.db_time_s.unwrap()).abs() < 1e-6, "{side:?}");
    }

    /// The first page of a report: its wait classes were read, and 7.8 % of DB time `not explained`, no Cluster.
    #[test]
    fn wait_classes_beside_the_top_events_were_ignored() {
        let class = |wait_class: &str, time_s: f64| spindle_facts::WaitClassRow {
            line: 9,
            section: 0,
            instance_number: None,
            wait_class: wait_class.to_owned(),
            side: Side::Foreground,
            waits: None,
            time_s: Some(time_s),
            time_s_low: Some(time_s),
            time_s_high: Some(time_s),
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        };
        let hour = Hour::new(1000.0).cpu(545.0).top("db file sequential read", None, 300.0).with(|r| {
            r.tables.wait_class =
                vec![class("DB CPU", 545.0), class("User I/O", 357.0), class("Cluster", 41.0)];
        });
        let side = foreground(&hour.report);
        let of = |name: &str| side.classes.iter().find(|c| c.wait_class == name).map(|c| c.printed_s);
        assert_eq!((of("User I/O"), of("Cluster")), (Some(357.0), Some(41.0)));
        assert!((side.unexplained_s.unwrap() - 57.0).abs() < 1e-6, "{side:?}");
        assert_eq!(side.unread_s, Some(98.0));
        assert_whole(&side);
    }

    #[test]
    fn what_nothing_explains_is_shown() {
        let hour = Hour::new(1000.0).cpu(300.0).foreground("db file sequential read", 1e5, 500.0);
        let side = foreground(&hour.report);
        assert_eq!((side.cpu_s, side.wait_s, side.unexplained_s), (Some(300.0), Some(500.0), Some(200.0)));
        assert_eq!(side.classes[0].share_pct, Some(50.0));
        assert_eq!(side.remark, None);
        assert_whole(&side);
    }

    #[test]
    fn overlap_is_cut_and_said() {
        let hour = Hour::new(1000.0).cpu(600.0).foreground("log file sync", 1e5, 300.0);
        let side = foreground(&hour.foreground("direct path read", 1e4, 500.0).report);
        assert_whole(&side);
        assert_eq!(side.wait_s, Some(400.0));
        let event = &side.classes[0].events[0];
        assert_eq!((event.time_s, event.counted_s), (500.0, 250.0), "what is quoted is what is printed");
        assert_eq!(event.time_s_bounds.mid(), 500.0);
        assert_eq!((side.classes[0].printed_s, side.classes[0].time_s), (500.0, 250.0));
        assert!(side.remark.as_deref().unwrap().contains("400 s more than DB time"), "{:?}", side.remark);
    }

    #[test]
    fn cpu_above_db_time_is_cut_and_said() {
        let side = foreground(&Hour::new(100.0).cpu(150.0).report);
        assert_eq!(side.cpu_s, Some(100.0));
        assert!(side.remark.is_some());
        assert_whole(&side);
    }

    /// CPU of 524 s in a day's DB time of 618 s, printed as 1,187 s elsewhere, became 0 s: the load profile says `0.0`.
    #[test]
    fn a_rate_of_nothing_over_a_day_was_no_cpu() {
        let row = spindle_facts::LoadProfileRow {
            line: 26,
            section: 0,
            instance_number: None,
            metric: "DB CPU(s)".to_owned(),
            known: Some(Metric::DbCpu),
            per_second: Some(0.0),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.05,
            per_second_diff_pct: None,
        };
        let day = Hour::new(618.0).cpu(1_187.0).with(|r| {
            r.identity.elapsed_s = Some(86_400.0);
            r.tables.load_profile.push(row);
        });
        assert_eq!(foreground(&day.report).cpu_s, Some(618.0), "0.0 a second may be an hour");
    }

    /// CPU of `.4` s beside `.8` % of 53.4 s was 0.7 %, and 13 waits of 3.23 ms, which print as 0 s, were none.
    #[test]
    fn small_times_followed_fewer_digits_than_are_printed() {
        let hour = |cpu_s: f64| {
            let hour = Hour::new(53.4).top("DB CPU", None, cpu_s);
            let hour = hour.top("db file sequential read", Some(13.0), 0.0);
            hour.with(|r| {
                let [cpu, read] = r.tables.top_event.as_mut_slice() else { unreachable!() };
                (cpu.time_s_low, cpu.time_s_high) = (Some(cpu_s - 0.05), Some(cpu_s + 0.05));
                cpu.share_pct = Some(0.8);
                (read.time_s_high, read.avg_wait_us) = (Some(0.5), Some(3_230.0));
            })
        };
        let side = foreground(&hour(0.4).report);
        assert!((side.cpu_s.unwrap() - 0.4272).abs() < 1e-9, "{:?}", side.cpu_s);
        assert!((side.classes[0].events[0].time_s - 0.04199).abs() < 1e-9, "{:?}", side.classes);
        assert_whole(&side);
        // A share that contradicts the seconds says nothing of them.
        assert_eq!(foreground(&hour(4.0).report).cpu_s, Some(4.0));
    }

    /// 91,527 s of CPU in 21,128 s of DB time were all of it, though the top events and the wait classes said 11,527 s.
    #[test]
    fn cpu_many_times_db_time_is_not_believed() {
        let hour = || Hour::new(21_128.0).cpu(91_527.0).foreground("log file sync", 1e5, 2_000.0);
        let side = foreground(&hour().report);
        assert_eq!(side.cpu_s, None);
        assert!(side.remark.as_deref().unwrap().contains("one of the two is wrong"), "{:?}", side.remark);
        assert_whole(&side);
        let side = foreground(&hour().top("DB CPU", None, 11_527.0).report);
        assert_eq!(side.cpu_s, Some(11_527.0));
        assert!(side.remark.as_deref().unwrap().contains("is not believed"), "{:?}", side.remark);
        assert_whole(&side);
    }

    #[test]
    fn idle_and_background_waits_are_no_db_time() {
        let hour = Hour::new(1000.0).cpu(300.0).background("log file parallel write", 1e4, 700.0);
        let hour = hour.foreground("SQL*Net message from client", 1e4, 9000.0).with(|r| {
            r.tables.wait_event[1].is_idle = true;
        });
        let side = foreground(&hour.report);
        assert!(side.classes.is_empty());
        assert_eq!(side.unexplained_s, Some(700.0));
    }

    #[test]
    fn an_excerpt_of_the_top_events_is_enough() {
        let hour =
            Hour::new(1000.0).top("DB CPU", None, 250.0).top("db file sequential read", Some(1e5), 500.0);
        let hour = hour.with(|r| {
            r.tables.time_model.clear();
            r.identity.db_time_s = None;
            r.tables.top_event[0].share_pct = Some(25.0);
            r.tables.top_event[1].share_pct = Some(50.0);
        });
        let side = foreground(&hour.report);
        assert_eq!((side.db_time_s, side.cpu_s, side.wait_s), (Some(1000.0), Some(250.0), Some(500.0)));
        assert_eq!(side.db_time_from, Some("seconds and shares"));
        assert!(side.remark.as_deref().unwrap().contains("shares of the top events"));
        assert_whole(&side);
    }

    /// Shares of CPU and waits together (9i, 10.2) were drawn as shares of the few events alone.
    #[test]
    fn top_events_alone_of_releases_without_db_time() {
        let of_all = |share: [f64; 2]| {
            let hour =
                Hour::new(0.0).top("CPU time", None, 500.0).top("db file sequential read", Some(1e5), 250.0);
            let hour = hour.with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
                for (row, pct) in r.tables.top_event.iter_mut().zip(share) {
                    row.share_of = Some(ShareOf::TotalCallTime);
                    row.share_pct = Some(pct);
                }
            });
            foreground(&hour.report)
        };
        let side = of_all([50.0, 25.0]);
        assert_eq!(
            (side.db_time_s, side.cpu_s, side.unexplained_s),
            (Some(1000.0), Some(500.0), Some(250.0))
        );
        assert!(side.remark.as_deref().unwrap().contains("CPU and all waits together"));
        assert_whole(&side);
        assert_eq!(of_all([50.0, 5.0]).db_time_s, None, "they contradict each other");
    }

    #[test]
    fn mixed_sides_lose_their_background_part() {
        let hour = Hour::new(0.0)
            .event("control file sequential read", Side::All, 100.0, 30.0, (30.0, 30.0))
            .background("control file sequential read", 60.0, 20.0)
            .event("log file parallel write", Side::All, 500.0, 40.0, (40.0, 40.0))
            .event("db file sequential read", Side::All, 1000.0, 90.0, (90.0, 90.0))
            .top("CPU time", None, 100.0)
            .with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
                r.tables.top_event[0].share_of = Some(ShareOf::TotalCallTime);
            });
        let case = Case::new(&hour.report, &Options::default());
        let control = case.foreground_event("control file sequential read").unwrap();
        assert_eq!((control.waits, control.time_s), (Some(40.0), 10.0));
        assert!(case.foreground_event("log file parallel write").is_none());
        assert_eq!(case.background_event("log file parallel write").unwrap().time_s, 40.0);
        let side = &case.response_time.foreground;
        assert_eq!(side.db_time_s, Some(200.0), "this release prints none: CPU and waits stand for it");
        assert!(side.remark.as_deref().unwrap().contains("prints no DB time"));
        assert_whole(side);
    }

    #[test]
    fn rows_of_instances_add_up_and_the_row_for_all_wins() {
        let hour =
            Hour::new(1000.0).foreground("log file sync", 10.0, 1.0).foreground("log file sync", 30.0, 5.0);
        let hour = hour.with(|r| {
            r.tables.wait_event[0].instance_number = Some(1);
            r.tables.wait_event[1].instance_number = Some(2);
        });
        let case = Case::new(&hour.report, &Options::default());
        let sync = case.foreground_event("log file sync").unwrap();
        assert_eq!((sync.waits, sync.time_s, sync.avg_us), (Some(40.0), 6.0, Some(150_000.0)));
        let hour = hour.foreground("log file sync", 41.0, 6.1);
        let case = Case::new(&hour.report, &Options::default());
        assert_eq!(case.foreground_event("log file sync").unwrap().waits, Some(41.0));
    }

    /// Sessions by wait class (AWR-miner) and its rate of CPU were taken for nothing printed.
    #[test]
    fn averages_by_class_without_events_are_an_account() {
        use spindle_facts::{Kind, WaitClassRow};
        let class = |wait_class: &str, time_s| WaitClassRow {
            line: 7,
            section: 0,
            instance_number: None,
            wait_class: wait_class.to_owned(),
            side: Side::All,
            waits: None,
            time_s: Some(time_s),
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        };
        let hour = Hour::new(1000.0).with(|r| {
            r.identity.kind = Kind::AwrMiner;
            r.tables.wait_class = vec![
                class("DB CPU", 290.0),
                class("User I/O", 170.0),
                class("Commit", 120.0),
                class("System I/O", 90.0),
            ];
        });
        let side = foreground(&hour.report);
        assert_eq!((side.cpu_s, side.unexplained_s), (Some(290.0), Some(420.0)));
        assert_eq!(side.wait_s, None, "classes of both sides are no total of one");
        let names: Vec<&str> = side.classes.iter().map(|c| c.wait_class.as_str()).collect();
        assert_eq!(names, ["User I/O", "Commit"]);
        let rate = spindle_facts::LoadProfileRow {
            line: 8,
            section: 0,
            instance_number: Some(1),
            metric: "cpu_per_s".to_owned(),
            known: None,
            per_second: Some(0.1),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.0005,
            per_second_diff_pct: None,
        };
        let alone = Hour::new(1000.0).with(|r| {
            r.identity.kind = Kind::AwrMiner;
            r.tables.load_profile = vec![rate];
        });
        let of_instance = foreground(&alone.report);
        assert_eq!(of_instance.cpu_s, Some(360.0));
        assert!(of_instance.remark.as_deref().unwrap().contains("background"), "{:?}", of_instance.remark);
        assert!(
            side.remark.as_deref().unwrap().contains("by class alone, those of background"),
            "{:?}",
            side.remark
        );
        assert_whole(&side);
    }

    #[test]
    fn nothing_printed_is_nothing_known() {
        let report = Hour::new(0.0).with(|r| {
            r.tables.time_model.clear();
            r.identity.db_time_s = None;
        });
        let side = foreground(&report.report);
        assert_eq!((side.db_time_s, side.cpu_s, side.wait_s, side.unexplained_s), (None, None, None, None));
    }

    /// `CPU used by this session`, 372 s, was DB CPU of 353 s of DB time, all of it: the report printed 297 s.
    #[test]
    fn cpu_used_by_all_sessions_is_no_part_of_db_time() {
        let hour = Hour::new(353.0).stat("CPU used by this session", 37_200.0);
        let side = foreground(&hour.report);
        assert_eq!((side.cpu_s, side.unexplained_s), (None, Some(353.0)));
        // Releases without DB time have no other.
        let old = Hour::new(0.0)
            .stat("CPU used by this session", 37_200.0)
            .foreground("db file sequential read", 1e5, 100.0)
            .with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
            });
        let side = foreground(&old.report);
        assert_eq!((side.cpu_s, side.db_time_s), (Some(372.0), Some(472.0)));
    }

    /// A lost row `DB time` was replaced by CPU and waits, and parsing took 113 % of that.
    #[test]
    fn db_time_follows_from_the_shares_of_the_time_model() {
        let hour = Hour::new(0.0).foreground("latch: library cache", 1e4, 25_000.0).with(|r| {
            r.tables.time_model.clear();
            r.identity.db_time_s = None;
        });
        let hour = hour.time_model("parse time elapsed", 36_430.0).cpu(4_234.5).with(|r| {
            r.tables.time_model[0].share_db_time_pct = Some(92.1);
            r.tables.time_model[1].share_db_time_pct = Some(10.7);
        });
        let side = foreground(&hour.report);
        assert!((side.db_time_s.unwrap() - 39_555.0).abs() < 1.0, "{side:?}");
        assert!(side.remark.as_deref().unwrap().contains("shares of the time model"), "{:?}", side.remark);
    }

    /// Waits that were printed were 0 s, as if none, beside CPU that exceeds DB time.
    #[test]
    fn cpu_beyond_db_time_does_not_make_waits_none() {
        let hour = Hour::new(920.0).cpu(938.0).foreground("db file sequential read", 1e5, 51.0);
        let side = foreground(&hour.report);
        assert_eq!((side.cpu_s, side.wait_s), (Some(920.0), None));
        assert_eq!(side.classes[0].printed_s, 51.0);
        assert_eq!(foreground(&Hour::new(920.0).cpu(938.0).foreground("x", 1.0, 0.0).report).wait_s, None);
        assert_whole(&side);
    }

    /// `.1` sessions on CPU in a load profile were 362 s of CPU, all of a DB time of 353 s: they may be half of it.
    #[test]
    fn a_rate_that_rounding_hides_is_no_cpu() {
        use spindle_facts::LoadProfileRow;
        let of = |per_second| {
            let row = LoadProfileRow {
                line: 20,
                section: 0,
                instance_number: None,
                metric: "DB CPU(s)".to_owned(),
                known: Some(Metric::DbCpu),
                per_second: Some(per_second),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: 0.05,
                per_second_diff_pct: None,
            };
            foreground(&Hour::new(36_000.0).with(|r| r.tables.load_profile = vec![row]).report).cpu_s
        };
        assert_eq!(of(0.1), None);
        assert_eq!(of(8.4), Some(30_240.0));
    }

    /// Background waits of both-sided lists were charged to sessions, and DB time was made of them.
    #[test]
    fn the_largest_events_of_both_sides_are_held_against_the_sessions() {
        use spindle_facts::{Kind, WaitClassRow};
        let class = |wait_class: &str, time_s: f64| WaitClassRow {
            line: 7,
            section: 0,
            instance_number: None,
            wait_class: wait_class.to_owned(),
            side: Side::All,
            waits: None,
            time_s: Some(time_s),
            time_s_low: Some((time_s - 18.0).max(0.0)),
            time_s_high: Some(time_s + 18.0),
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        };
        let hour = Hour::new(0.0)
            .event("control file sequential read", Side::All, 1.0, 1_650.0, (1_650.0, 1_650.0))
            .event("db file sequential read", Side::All, 1.0, 300.0, (300.0, 300.0))
            .with(|r| {
                r.identity.kind = Kind::AwrMiner;
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
                for (row, (pct, of)) in
                    r.tables.wait_event.iter_mut().zip([(200.0, "System I/O"), (36.4, "User I/O")])
                {
                    (row.share_pct, row.share_of) = (Some(pct), Some(ShareOf::DbTime));
                    row.wait_class = Some(of.into());
                }
                r.tables.wait_class =
                    vec![class("System I/O", 36.0), class("User I/O", 310.0), class("Commit", 72.0)];
            });
        let case = Case::new(&hour.report, &Options::default());
        let side = &case.response_time.foreground;
        assert_eq!((side.db_time_s, side.db_time_from), (Some(825.0), Some("seconds and shares")));
        let of: Vec<_> =
            side.classes.iter().map(|c| (c.wait_class.as_str(), c.printed_s, c.events.len())).collect();
        assert_eq!(of, [("User I/O", 300.0, 1), ("Commit", 72.0, 0), ("System I/O", 36.0, 0)]);
        assert_eq!(side.wait_s, None, "the few that lead are no total");
        assert_eq!(case.background_event("control file sequential read").unwrap().time_s, 1_650.0);
        assert!(!case.prints_wait_events(), "what the five largest lack may have been waited for");
        assert_whole(side);
    }

    /// A header of 10,800 s over a time model of 21,600 s was a note of the page alone.
    #[test]
    fn a_header_that_denies_the_time_model_was_not_said() {
        let report = crate::rules::testing::Hour::new(21_600.0)
            .cpu(9_000.0)
            .with(|r| {
                r.notes.push(spindle_facts::Note {
                    line: None,
                    section: None,
                    message: format!(
                        "{}: 10800 s there, 21600 s in the time model",
                        spindle_facts::DB_TIME_DIFFERS
                    ),
                    effect: "the time model's is used".to_owned(),
                });
            })
            .report;
        let remark = Case::new(&report, &Options::default()).response_time.foreground.remark.unwrap();
        assert!(remark.contains("10800 s there, 21600 s in the time model"), "{remark}");
        let compared = crate::comparison::Digest::of(&report).db_time_doubt;
        assert!(compared.is_some_and(|doubt| remark.contains(&doubt)));
    }
}
