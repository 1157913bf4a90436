//! Which reports are counted: one database, no interval twice, none across a restart.

use crate::demand::{IntervalDemand, StatementIo};
use crate::place::Refusal;
use spindle_facts::{Span, Spans, clash, counted_once, epoch_s};
use std::collections::{BTreeMap, BTreeSet};

/// Reports to count and those left out, with the reason.
pub(crate) struct Chosen {
    pub(crate) intervals: Vec<IntervalDemand>,
    pub(crate) left_out: Vec<String>,
}

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
            Some(why) => left_out.push((demand.source, demand.begin_time, why.to_owned())),
            None => usable.push(demand),
        }
    }
    if usable.is_empty() {
        return Err(Refusal(match (database, told(left_out).first()) {
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
    let (mut of_sql, mut usable): (Vec<_>, Vec<_>) = usable.into_iter().partition(|d| d.is_of_sql);
    // Whole-database reports first, since they hold every instance; then the shortest, which say most
    // about when.
    usable.sort_by(|a, b| {
        b.is_global.cmp(&a.is_global).then_with(|| duration(a).total_cmp(&duration(b))).then_with(|| {
            (&a.begin_time, a.instance_number, &a.source).cmp(&(&b.begin_time, b.instance_number, &b.source))
        })
    });
    let twice = |source: &str| format!("its time is counted already, from `{source}`");
    let held = held_by_instance(&usable);
    let sources: Vec<String> = usable.iter().map(|d| d.source.clone()).collect();
    let mut kept: Vec<IntervalDemand> = Vec::new();
    let mut counted = Counted::default();
    for (demand, holder) in usable.into_iter().zip(held) {
        let of = |k: &&IntervalDemand| {
            may_be_of_one_instance(k, &demand) && (overlap(k, &demand) || repeats(k, &demand))
        };
        let holder = match holder {
            Some(holder) => Some(sources[holder].clone()),
            None => counted
                .like(&demand)
                .into_iter()
                .map(|at| &kept[at])
                .find(of)
                .map(|holder| holder.source.clone()),
        };
        match holder {
            Some(holder) => left_out.push((demand.source, demand.begin_time, twice(&holder))),
            None => {
                counted.add(&demand, kept.len());
                kept.push(demand);
            }
        }
    }
    // Those of an interval of their own first, since others may be of it too.
    of_sql.sort_by(|a, b| {
        (a.is_for_plans, &a.begin_time, &a.source).cmp(&(b.is_for_plans, &b.begin_time, &b.source))
    });
    for mut demand in of_sql {
        let holds = |k: &&mut IntervalDemand| overlap(k, &demand) && may_be_of_one_instance(k, &demand);
        // The same interval goes before one that only overlaps.
        let mut all: Vec<&mut IntervalDemand> = kept.iter_mut().filter(holds).collect();
        all.sort_by_key(|k| !is_same(k, &demand));
        match all.into_iter().next() {
            Some(holder) => {
                if let Some(why) = take_statements(holder, &mut demand) {
                    left_out.push((demand.source, demand.begin_time, why));
                }
            }
            None if demand.is_for_plans => {
                if let Some(any) = kept.first_mut() {
                    any.plan_rows.append(&mut demand.plan_rows);
                }
                let why = "no other report covers its interval: its plan is used, its seconds are not";
                left_out.push((demand.source, demand.begin_time, why.to_owned()));
            }
            None => kept.push(demand),
        }
    }
    kept.sort_by(|a, b| {
        (&a.begin_time, a.instance_number, &a.source).cmp(&(&b.begin_time, b.instance_number, &b.source))
    });
    Ok(Chosen { intervals: kept, left_out: told(left_out) })
}

/// Do two count an instance that may be the same?
fn may_be_of_one_instance(a: &IntervalDemand, b: &IntervalDemand) -> bool {
    let same = match (a.instance_number, b.instance_number) {
        (Some(a), Some(b)) => a == b,
        // An instance that is not printed may be any.
        _ => true,
    };
    a.is_global || b.is_global || same
}

/// Seconds by which two reports of the same snapshots may print other times: some print no seconds.
const SAME_WITHIN_S: i64 = 60;

/// Are two of the same interval?
fn is_same(a: &IntervalDemand, b: &IntervalDemand) -> bool {
    let near = |a: i64, b: i64| (a - b).abs() <= SAME_WITHIN_S;
    span(a).zip(span(b)).is_some_and(|(a, b)| near(a.0, b.0) && near(a.1, b.1))
}

/// Gives an interval what an AWR SQL report prints of its statements and their plans: of the same interval it is the
/// fullest account of a statement that there is. Returns why its seconds are not used, where they are not.
fn take_statements(holder: &mut IntervalDemand, of_sql: &mut IntervalDemand) -> Option<String> {
    holder.plan_rows.append(&mut of_sql.plan_rows);
    let because = if !is_same(holder, of_sql) {
        "of another interval"
    } else if holder.is_global && !of_sql.is_global {
        "of all instances"
    } else {
        for own in of_sql.statements.drain(..) {
            let is_it = |s: &&mut StatementIo| s.sql_id == own.sql_id && s.old_hash == own.old_hash;
            match holder.statements.iter_mut().find(is_it) {
                Some(known) => {
                    *known = StatementIo {
                        module: known.module.take().or(own.module),
                        text: own.text.or(known.text.take()),
                        executions: own.executions.or(known.executions),
                        elapsed_s: own.elapsed_s.or(known.elapsed_s),
                        cpu_s: own.cpu_s.or(known.cpu_s),
                        io_wait_s: own.io_wait_s.or(known.io_wait_s),
                        physical_reads: own.physical_reads.or(known.physical_reads),
                        plan_hash: own.plan_hash.or(known.plan_hash),
                        is_block: known.is_block,
                        sql_id: own.sql_id,
                        old_hash: own.old_hash,
                    }
                }
                None => holder.statements.push(own),
            }
        }
        return None;
    };
    Some(format!(
        "its time is counted already, from `{}`, which is {because}: its plan is used, its seconds are not",
        holder.source
    ))
}

/// A sentence for each file and reason: one file may hold hundreds of intervals.
fn told(mut left_out: Vec<(String, Option<String>, String)>) -> Vec<String> {
    left_out.sort_by(|a, b| (&a.0, &a.2, &a.1).cmp(&(&b.0, &b.2, &b.1)));
    let alike = left_out.chunk_by(|a, b| (&a.0, &a.2) == (&b.0, &b.2));
    alike
        .map(|rows| match rows {
            [(source, _, why)] => format!("`{source}`: {why}"),
            [(source, begin, why), ..] => {
                let first = begin.as_deref().map_or(String::new(), |b| format!(", the first of {b}"));
                format!("`{source}`, {} of its intervals{first}: {why}", rows.len())
            }
            [] => String::new(),
        })
        .collect()
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

fn unusable(demand: &IntervalDemand) -> Option<&'static str> {
    if demand.spans_restart {
        return Some("the instance restarted inside it, so its counts are not of the interval");
    }
    if demand.db_time_s.is_none() {
        return Some("it prints no DB time, so nothing can be a share of it");
    }
    None
}

fn duration(demand: &IntervalDemand) -> f64 {
    demand.elapsed_s.unwrap_or(f64::INFINITY)
}

/// Intervals that are counted, by when they are and by their figures.
#[derive(Default)]
struct Counted {
    spans: Spans,
    figures: BTreeMap<Figures, Vec<usize>>,
}

type Figures = [Option<u64>; 3];

/// What two reports of one interval print alike.
fn figures(demand: &IntervalDemand) -> Figures {
    [demand.db_time_s, demand.cpu_s, demand.totals.read_blocks].map(|v| v.map(f64::to_bits))
}

impl Counted {
    fn add(&mut self, demand: &IntervalDemand, at: usize) {
        if let Some(span) = span(demand) {
            self.spans.add(span, at);
        }
        self.figures.entry(figures(demand)).or_default().push(at);
    }

    /// Those that may be of the time of another, in the order in which they were counted.
    fn like(&self, demand: &IntervalDemand) -> Vec<usize> {
        let mut found = span(demand).map(|span| self.spans.near(span)).unwrap_or_default();
        found.extend(self.figures.get(&figures(demand)).into_iter().flatten());
        found.sort_unstable();
        found
    }
}

fn span(demand: &IntervalDemand) -> Option<Span> {
    Some((epoch_s(demand.begin_time.as_deref())?, epoch_s(demand.end_time.as_deref())?))
}

/// Without times only equal figures show that two reports are of one interval.
fn repeats(a: &IntervalDemand, b: &IntervalDemand) -> bool {
    (a.begin_time.is_none() || b.begin_time.is_none()) && figures(a) == figures(b)
}

/// Do the two share more time than snapshots are apart? Unknown times share none.
fn overlap(a: &IntervalDemand, b: &IntervalDemand) -> bool {
    span(a).zip(span(b)).is_some_and(|(a, b)| clash(a, b))
}

/// For each interval, which other one of the same instance, or of the whole database, holds its time; those
/// that together cover most count.
fn held_by_instance(all: &[IntervalDemand]) -> Vec<Option<usize>> {
    let mut instances: BTreeMap<_, Vec<(usize, Span)>> = BTreeMap::new();
    for (at, demand) in all.iter().enumerate() {
        let of_it = instances.entry((demand.is_global, demand.instance_number)).or_default();
        of_it.extend(span(demand).map(|span| (at, span)));
    }
    let mut held = vec![None; all.len()];
    for of_it in instances.values() {
        let once = counted_once(&of_it.iter().map(|(_, span)| *span).collect::<Vec<_>>());
        for ((at, _), by) in of_it.iter().zip(once) {
            held[*at] = by.map(|by| of_it[by].0);
        }
    }
    held
}

/// Seconds in which anything was measured: instances run at the same time. Intervals without times
/// count each by itself.
pub(crate) fn measured_s<'i>(intervals: impl IntoIterator<Item = &'i IntervalDemand>) -> f64 {
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
