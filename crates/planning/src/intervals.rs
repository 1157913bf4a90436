//! Which reports are counted: one database, no interval twice, none across a restart.

use crate::demand::IntervalDemand;
use crate::place::Refusal;
use spindle_facts::epoch_s;
use std::collections::BTreeSet;

/// Reports to count and those left out, with the reason.
pub(crate) struct Chosen {
    pub(crate) intervals: Vec<IntervalDemand>,
    pub(crate) left_out: Vec<String>,
}

/// Snapshots of neighbouring reports are taken within this, seconds.
const TOLERANCE_S: i64 = 120;

pub(crate) fn choose(all: Vec<IntervalDemand>, database: Option<&str>) -> Result<Chosen, Refusal> {
    let mut left_out = Vec::new();
    let mut usable = Vec::new();
    for demand in all {
        if let Some(wanted) = database
            && !demand.db_name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(wanted))
            && !demand.container.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(wanted))
        {
            continue;
        }
        match unusable(&demand) {
            Some(why) => left_out.push(format!("`{}`: {why}", demand.source)),
            None => usable.push(demand),
        }
    }
    if usable.is_empty() {
        return Err(Refusal(match (database, left_out.first()) {
            (Some(name), None) => format!("no report is of a database or container named {name}"),
            (_, Some(why)) => format!("no report can be planned from; {why}"),
            (None, None) => "no report was read".to_owned(),
        }));
    }
    let databases: BTreeSet<String> = usable.iter().map(named).collect();
    if databases.len() > 1 {
        let names: Vec<String> = databases.into_iter().collect();
        return Err(Refusal(format!(
            "the reports are of {} databases ({}); a plan is of one: choose it with --database NAME",
            names.len(),
            names.join(", ")
        )));
    }
    // Whole-database reports first, since they hold every instance; then the shortest, which say most
    // about when.
    usable.sort_by(|a, b| {
        b.is_global.cmp(&a.is_global).then_with(|| duration(a).total_cmp(&duration(b))).then_with(|| {
            (&a.begin_time, a.instance_number, &a.source).cmp(&(&b.begin_time, b.instance_number, &b.source))
        })
    });
    let mut kept: Vec<IntervalDemand> = Vec::new();
    for demand in usable {
        let twice = kept.iter().find(|k| {
            let same_instance = match (k.instance_number, demand.instance_number) {
                (Some(a), Some(b)) => a == b,
                // An instance that is not printed may be any.
                _ => true,
            };
            (k.is_global || demand.is_global || same_instance) && (overlap(k, &demand) || repeats(k, &demand))
        });
        match twice {
            Some(k) => left_out
                .push(format!("`{}`: its time is counted already, from `{}`", demand.source, k.source)),
            None => kept.push(demand),
        }
    }
    kept.sort_by(|a, b| {
        (&a.begin_time, a.instance_number, &a.source).cmp(&(&b.begin_time, b.instance_number, &b.source))
    });
    left_out.sort();
    Ok(Chosen { intervals: kept, left_out })
}

fn named(demand: &IntervalDemand) -> String {
    let mut name = demand.db_name.clone().unwrap_or_else(|| "unnamed".to_owned());
    if let Some(id) = demand.db_id {
        name.push_str(&format!(" ({id})"));
    }
    if let Some(container) = &demand.container {
        name.push_str(&format!(" container {container}"));
    }
    name
}

fn unusable(demand: &IntervalDemand) -> Option<String> {
    if demand.spans_restart {
        return Some("the instance restarted inside it, so its counts are not of the interval".to_owned());
    }
    if demand.db_time_s.is_none() {
        return Some("it prints no DB time, so nothing can be a share of it".to_owned());
    }
    None
}

fn duration(demand: &IntervalDemand) -> f64 {
    demand.elapsed_s.unwrap_or(f64::INFINITY)
}

/// Without times only equal figures show that two reports are of one interval.
fn repeats(a: &IntervalDemand, b: &IntervalDemand) -> bool {
    (a.begin_time.is_none() || b.begin_time.is_none())
        && a.db_time_s == b.db_time_s
        && a.cpu_s == b.cpu_s
        && a.totals.read_blocks == b.totals.read_blocks
}

/// Do the two share more time than snapshots are apart? Unknown times share none.
fn overlap(a: &IntervalDemand, b: &IntervalDemand) -> bool {
    let (Some(a_begin), Some(a_end)) = (epoch_s(a.begin_time.as_deref()), epoch_s(a.end_time.as_deref()))
    else {
        return false;
    };
    let (Some(b_begin), Some(b_end)) = (epoch_s(b.begin_time.as_deref()), epoch_s(b.end_time.as_deref()))
    else {
        return false;
    };
    let shared = a_end.min(b_end) - a_begin.max(b_begin);
    shared > TOLERANCE_S.min((a_end - a_begin).min(b_end - b_begin) / 2)
}

/// Seconds in which anything was measured: instances run at the same time. Intervals without times
/// count each by itself.
pub(crate) fn measured_s(intervals: &[IntervalDemand]) -> f64 {
    let mut spans: Vec<(i64, i64)> = Vec::new();
    let mut seconds = 0.0;
    for interval in intervals {
        match epoch_s(interval.begin_time.as_deref()).zip(epoch_s(interval.end_time.as_deref())) {
            Some((begin, end)) if end > begin => spans.push((begin, end)),
            _ => seconds += interval.elapsed_s.unwrap_or(0.0),
        }
    }
    spans.sort_unstable();
    let mut until = i64::MIN;
    for (begin, end) in spans {
        seconds += (end - begin.max(until)).max(0) as f64;
        until = until.max(end);
    }
    seconds
}
