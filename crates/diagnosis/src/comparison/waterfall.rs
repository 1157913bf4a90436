//! What explains the change of DB time, in steps that add up exactly.
//!
//! With waits n and mean wait L, an event's time n L changes by `(n' - n) (L + L') / 2` (volume) and
//! `(L' - L) (n + n') / 2` (latency): split at the midpoint, the two add up to the whole, and swapping
//! the sides flips every sign. CPU is one step. What a statement with another plan took more or less
//! for one execution is taken out of CPU and out of the volume of User I/O, so that nothing is counted
//! twice; what no event came oftener or more seldom by is a step of no event. What is left is DB time
//! that neither CPU nor a printed wait explains, or that both count twice; it is shown as such.

use super::amount::Amount;
use super::basis::Basis;
use super::side::{EventSum, SideTotal, wait_class};
use super::statements::StatementChange;
use serde::Serialize;
use spindle_facts::Side;
use std::collections::BTreeSet;

/// What a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// CPU of foreground sessions.
    Cpu,
    /// More or fewer waits for an event.
    Volume,
    /// Longer or shorter waits for an event.
    Latency,
    /// Waits for an event that the other side did not wait for, or so seldom that no latency shows.
    New,
    /// Waits for an event that are gone, or all but gone.
    Vanished,
    /// Time of an event whose waits are not counted on both sides.
    Time,
    /// What statements take with another plan.
    Plan,
}

/// One step of the waterfall.
///
/// Shape: one an event and effect, one for CPU, one a statement with another plan; largest first. Unit:
/// seconds, as `unit` of the comparison says. Missing: an event that one side may not print has no
/// step and is part of what is not explained. Source: time model, wait events, `SQL ordered by ...`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// `log file sync: latency`.
    pub cause: String,
    /// What it is about.
    pub kind: StepKind,
    /// Event or statement.
    pub of: String,
    /// Wait class.
    pub wait_class: Option<String>,
    /// Change.
    pub delta_s: f64,
    /// Least that rounding allows.
    pub low_s: f64,
    /// Most that rounding allows.
    pub high_s: f64,
}

/// The steps and what they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Waterfall {
    pub(crate) db_time: Option<Amount>,
    pub(crate) steps: Vec<Step>,
    /// Change of every event that is known on both sides, whatever of it a step of a plan takes.
    pub(crate) events: Vec<(String, Amount)>,
    pub(crate) unexplained: Option<Amount>,
    /// Events that one side only may print, with what the other waited, seconds.
    pub(crate) one_sided: Vec<(String, &'static str, f64)>,
}

/// A side with less than this share of the waits of the other says nothing of their latency, percent.
const FEW_PCT: f64 = 1.0;
/// With fewer waits than this, already below a tenth of the other side.
const FEW: (f64, f64) = (1000.0, 10.0);

/// Has one side so few waits that their mean says nothing of the other's? `counts` as printed,
/// `rates` as normalised. The midpoint would multiply the mean of a handful by half of a million.
fn too_few(counts: (f64, f64), rates: (f64, f64)) -> bool {
    let share_pct = 100.0 * rates.0.min(rates.1) / rates.0.max(rates.1);
    share_pct < FEW_PCT || (share_pct < FEW.1 && counts.0.min(counts.1) < FEW.0)
}

/// Means that differ by less than this part are equal.
const LAST_DIGITS: f64 = 1e-9;

/// Volume and latency effect; bounds from every corner of what rounding leaves, since both effects are
/// monotone in each of the four numbers.
fn effects(before: (Amount, Amount), after: (Amount, Amount)) -> Option<(Amount, Amount)> {
    let split = |tb: f64, nb: f64, ta: f64, na: f64| {
        let (lb, la) = (tb / nb, ta / na);
        // What is left in the last digits of two means is no change of latency.
        if (la - lb).abs() <= LAST_DIGITS * lb.abs().max(la.abs()) {
            return (ta - tb, 0.0);
        }
        ((na - nb) * (lb + la) / 2.0, (la - lb) * (nb + na) / 2.0)
    };
    let ((tb, nb), (ta, na)) = (before, after);
    if nb.low <= 0.0 || na.low <= 0.0 {
        return None;
    }
    let (volume, latency) = split(tb.value, nb.value, ta.value, na.value);
    let (mut v, mut l) = (Amount::exact(volume), Amount::exact(latency));
    for corner in 0..16u8 {
        let pick = |bit: u8, of: Amount| if corner >> bit & 1 == 0 { of.low } else { of.high };
        let (one, two) = split(pick(0, tb), pick(1, nb), pick(2, ta), pick(3, na));
        v = Amount { value: volume, low: v.low.min(one), high: v.high.max(one) };
        l = Amount { value: latency, low: l.low.min(two), high: l.high.max(two) };
    }
    Some((v, l))
}

fn step(kind: StepKind, of: &str, wait_class: Option<&str>, delta: Amount) -> Step {
    let cause = match kind {
        StepKind::Cpu => "CPU".to_owned(),
        StepKind::Volume => format!("{of}: volume"),
        StepKind::Latency => format!("{of}: latency"),
        StepKind::New => format!("{of}: new"),
        StepKind::Vanished => format!("{of}: gone"),
        StepKind::Time => of.to_owned(),
        StepKind::Plan => format!("another plan of {of}"),
    };
    Step {
        cause,
        kind,
        of: of.to_owned(),
        wait_class: wait_class.map(str::to_owned),
        delta_s: delta.value,
        low_s: delta.low,
        high_s: delta.high,
    }
}

fn of_event(name: &str, before: &EventSum, after: &EventSum, basis: &Basis) -> Option<Vec<Step>> {
    let class = wait_class([Some(before), Some(after)]).or(Some(""));
    let (tb, ta) = (before.time_s?.over(basis.before), after.time_s?.over(basis.after));
    let whole = ta.minus(tb);
    let waits = |e: &EventSum, by: Amount| e.waits.map(|n| n.over(by));
    let (nb, na) = (waits(before, basis.before), waits(after, basis.after));
    let none = |n: Option<Amount>, t: Amount| n.is_some_and(|n| n.value == 0.0) && t.value == 0.0;
    Some(if none(nb, tb) {
        vec![step(StepKind::New, name, class, whole)]
    } else if none(na, ta) {
        vec![step(StepKind::Vanished, name, class, whole)]
    } else if let Some((_, rates)) = before
        .waits
        .zip(after.waits)
        .zip(nb.zip(na))
        .map(|((b, a), (nb, na))| ((b.value, a.value), (nb.value, na.value)))
        .filter(|(counts, rates)| counts.0.min(counts.1) > 0.0 && too_few(*counts, *rates))
    {
        let more = rates.1 > rates.0;
        let mut one = match (more, whole.value > 0.0) {
            (true, true) => step(StepKind::New, name, class, whole),
            (false, false) => step(StepKind::Vanished, name, class, whole),
            _ => step(StepKind::Time, name, class, whole),
        };
        one.cause = match one.kind {
            StepKind::New => format!("{name}: mostly new"),
            StepKind::Vanished => format!("{name}: mostly gone"),
            _ => one.cause,
        };
        vec![one]
    } else if let Some((volume, latency)) = nb.zip(na).and_then(|(nb, na)| effects((tb, nb), (ta, na))) {
        vec![step(StepKind::Volume, name, class, volume), step(StepKind::Latency, name, class, latency)]
    } else {
        vec![step(StepKind::Time, name, class, whole)]
    })
}

/// The waterfall of two sides.
pub(crate) fn waterfall(
    before: &SideTotal,
    after: &SideTotal,
    statements: &[StatementChange],
    basis: &Basis,
) -> Waterfall {
    let mut steps = Vec::new();
    let (mut events, mut one_sided) = (Vec::new(), Vec::new());
    if let (Some(b), Some(a), true) = (before.cpu_s, after.cpu_s, basis.comparable) {
        steps.push(step(StepKind::Cpu, "CPU", None, a.over(basis.after).minus(b.over(basis.before))));
    }
    let keys: BTreeSet<&String> = before
        .events
        .keys()
        .chain(after.events.keys())
        .filter(|k| k.1 == Side::Foreground)
        .map(|k| &k.0)
        .collect();
    let absent = |side: &SideTotal| EventSum {
        wait_class: String::new(),
        time_s: side.whole_foreground.then_some(Amount::ZERO),
        waits: side.whole_foreground.then_some(Amount::ZERO),
        printed_s: 0.0,
    };
    for name in keys {
        let b = before.event(name, Side::Foreground).cloned().unwrap_or_else(|| absent(before));
        let a = after.event(name, Side::Foreground).cloned().unwrap_or_else(|| absent(after));
        match of_event(name, &b, &a, basis) {
            // Seconds of times unknown make no step.
            Some(_) if !basis.comparable => {}
            Some(of_it) => {
                let seconds = |e: &EventSum, by: Amount| e.time_s.unwrap_or(Amount::ZERO).over(by);
                events.push((name.clone(), seconds(&a, basis.after).minus(seconds(&b, basis.before))));
                steps.extend(of_it);
            }
            None => {
                let (which, seconds) =
                    if b.time_s.is_none() { ("after", a.printed_s) } else { ("before", b.printed_s) };
                one_sided.push((name.clone(), which, seconds));
            }
        }
    }
    if basis.comparable {
        plans(&mut steps, before, after, statements, basis);
    }
    steps.retain(|s| s.delta_s != 0.0);
    steps.sort_by(|a, b| {
        b.delta_s.abs().total_cmp(&a.delta_s.abs()).then_with(|| (&a.of, a.kind).cmp(&(&b.of, b.kind)))
    });
    let both = before.db_time_s.zip(after.db_time_s).filter(|_| basis.comparable);
    let db_time = both.map(|(b, a)| a.over(basis.after).minus(b.over(basis.before)));
    let explained = steps
        .iter()
        .fold(Amount::ZERO, |sum, s| sum.plus(Amount { value: s.delta_s, low: s.low_s, high: s.high_s }));
    one_sided.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    events.retain(|e| e.1.value != 0.0);
    Waterfall { db_time, unexplained: db_time.map(|d| d.minus(explained)), steps, events, one_sided }
}

/// Reads and writes that the other plan of a statement made more or less, of no event that tells by its number.
const NO_EVENT: &str = "User I/O waits of events not told apart";

/// Takes out of CPU, and out of the volume of User I/O, what statements with another plan take more or
/// less for one execution, at the mean number of executions.
fn plans(
    steps: &mut Vec<Step>,
    before: &SideTotal,
    after: &SideTotal,
    statements: &[StatementChange],
    basis: &Basis,
) {
    let has_cpu = steps.iter().any(|s| s.kind == StepKind::Cpu);
    let has_io = steps.iter().any(of_user_io);
    let mut found = Vec::new();
    let (mut all_cpu, mut more_io, mut less_io) = (0.0, 0.0, 0.0);
    for s in statements.iter().filter(|s| s.plan_changed == Some(true)) {
        let Some((nb, na)) = s.executions.before.zip(s.executions.after) else { continue };
        let executions = f64::midpoint(nb / basis.before.value, na / basis.after.value);
        let part = |one: Option<f64>| one.map(|one| one * executions);
        let cpu = part(s.by_plans.cpu_s).filter(|_| has_cpu).unwrap_or(0.0);
        let io = part(s.by_plans.io_wait_s).filter(|_| has_io).unwrap_or(0.0);
        if cpu == 0.0 && io == 0.0 {
            continue;
        }
        all_cpu += cpu;
        if io > 0.0 {
            more_io += io
        } else {
            less_io -= io
        }
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string())).unwrap_or_default();
        found.push(step(StepKind::Plan, &name, None, Amount::exact(cpu + io)));
    }
    for step in steps.iter_mut().filter(|s| s.kind == StepKind::Cpu) {
        take(step, all_cpu);
    }
    // What statements waited more is part of events that came oftener, what they waited less of those that came
    // more seldom, by how much and no further: an event that did not move lost nothing to another.
    let left = take_of(steps, more_io, 1.0) - take_of(steps, less_io, -1.0);
    if left.abs() > LAST_DIGITS * (more_io + less_io) {
        let mut of_io = steps.iter_mut().filter(|s| of_user_io(s));
        // Which events made up for the rest no number tells, unless there is one alone.
        match (of_io.next(), of_io.next()) {
            (Some(only), None) => take(only, left),
            // What a side may not print may hold it, and stays with what is not explained.
            _ if before.whole_foreground && after.whole_foreground => {
                found.push(step(StepKind::Volume, NO_EVENT, Some("User I/O"), Amount::exact(-left)));
            }
            _ => {}
        }
    }
    steps.extend(found);
}

/// Steps that count waits for User I/O: part of them is another plan's.
fn of_user_io(step: &Step) -> bool {
    matches!(step.kind, StepKind::Volume | StepKind::New | StepKind::Vanished)
        && step.wait_class.as_deref() == Some("User I/O")
}

/// Takes seconds out of a step; the last digits of a difference are no step.
fn take(step: &mut Step, seconds: f64) {
    let whole = (step.delta_s - seconds).abs() <= LAST_DIGITS * seconds.abs();
    let seconds = if whole { step.delta_s } else { seconds };
    step.delta_s -= seconds;
    step.low_s -= seconds;
    step.high_s -= seconds;
}

/// Takes what statements with another plan wait more (`sign` above 0) or less out of those events that went that
/// way, by how much; gives what they have no room for.
fn take_of(steps: &mut [Step], seconds: f64, sign: f64) -> f64 {
    let that_way = |s: &Step| if of_user_io(s) { (sign * s.delta_s).max(0.0) } else { 0.0 };
    let room: f64 = steps.iter().map(that_way).sum();
    let taken = seconds.min(room);
    if taken > 0.0 {
        for step in steps.iter_mut() {
            let part = that_way(step);
            if part > 0.0 {
                take(step, sign * taken * (part / room));
            }
        }
    }
    seconds - taken
}
