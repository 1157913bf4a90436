//! More memory instead of a faster tier, by the database's own advice.
//!
//! The advice speaks of one instance: what it costs is added up over the instances, as what it saves is.

use crate::alternatives::CACHED_READS;
use crate::demand::IntervalDemand;
use crate::entries::{ByComponent, place_of};
use crate::plan::{Alternative, Component};
use crate::range::Range;
use crate::words;
use spindle_diagnosis::{LargerCache, PGA_ADVICE_SEES};
use std::collections::BTreeMap;

/// An advice whose last row saves more than four times what the one before does is doubted. Ours.
const CLIFF: f64 = 0.25;

/// Said of such an advice.
pub(crate) const CLIFF_DOUBT: &str =
    "nearly all of it stands in the last row of the advice alone, so doubt it";

/// Names of the two.
pub(crate) const MORE_CACHE: &str = "more buffer cache";
pub(crate) const MORE_PGA: &str = "more PGA instead of fast temp";

/// Memory of each instance: today's, and what the advice proposes.
#[derive(Default)]
struct Memory(BTreeMap<Option<u32>, (f64, f64)>);

impl Memory {
    /// Of an instance with several intervals, the last one's size and the largest proposal.
    fn add(&mut self, instance: Option<u32>, now: f64, then: f64) {
        let own = self.0.entry(instance).or_insert((now, then));
        *own = (now, own.1.max(then).max(now));
    }

    fn cost(&self) -> String {
        let more: Vec<f64> = self.0.values().map(|(now, then)| then - now).collect();
        let in_all: f64 = self.0.values().map(|(_, then)| then).sum();
        let mut text = format!(
            "{} of memory more, {} in all",
            words::bytes(more.iter().sum::<f64>() + 0.0),
            words::bytes(in_all)
        );
        if more.len() > 1 {
            let each = more.first().copied().unwrap_or(0.0);
            text.push_str(&if more.iter().all(|m| *m == each) {
                format!(": {} more on each of {} instances", words::bytes(each), more.len())
            } else {
                format!(": over {} instances", more.len())
            });
        }
        text
    }
}

/// What the advice expects over some intervals, and what stays out of it.
#[derive(Default)]
struct Expected {
    memory: Memory,
    saved_s: f64,
    /// Of `saved_s`, what the last row of an advice alone expects.
    by_last_row_s: f64,
    waited_s: f64,
    /// Of `waited_s`, as printed.
    printed_s: f64,
    intervals: usize,
    left_out: usize,
}

impl Expected {
    fn add(&mut self, saved: f64, time_s: f64, interval: &IntervalDemand) {
        self.saved_s += saved.clamp(0.0, 1.0) * time_s;
        self.waited_s += time_s;
        self.printed_s += time_s / interval.counted_share.max(f64::MIN_POSITIVE);
        self.intervals += 1;
    }

    fn alternative(&self, name: &str, of_what: &str, now: Range) -> Alternative {
        let share = if self.waited_s > 0.0 { self.saved_s / self.waited_s } else { 0.0 };
        let likely = self.saved_s.min(now.mid);
        // A working set that fits at once, or a simulation that ends there: at least what the row before expects.
        let by_last_row = (self.by_last_row_s / self.saved_s.max(f64::MIN_POSITIVE)).min(1.0);
        // Where the advice is not printed it may hold too.
        let most = (1.2 * share * now.high).min(now.high);
        let left_out = match self.left_out {
            0 => String::new(),
            n => format!(
                "; {n} of the {} intervals print none that holds, and stand aside",
                n + self.intervals
            ),
        };
        // The diagnosis takes seconds as printed.
        let cut = self.waited_s / self.printed_s.max(f64::MIN_POSITIVE);
        let counted = if cut < 0.995 && self.printed_s > 0.0 {
            format!(
                "; of {} of the seconds as printed, which `diagnose` takes whole, since waits and CPU are printed as more \
                 than DB time",
                words::percent(100.0 * cut)
            )
        } else {
            String::new()
        };
        Alternative {
            name: name.to_owned(),
            saves_s: Some(Range {
                low: 0.5 * likely * (1.0 - by_last_row),
                mid: likely,
                high: most.max(likely),
            }),
            cost: self.memory.cost(),
            because: format!(
                "the advice of the database expects {} {of_what}; an estimate of the advice, which counts since the \
                 instance started, taken at half to a fifth more{counted}{left_out}",
                words::percent(100.0 * share)
            ),
        }
    }
}

fn not_known(name: &str, because: String) -> Alternative {
    Alternative { name: name.to_owned(), saves_s: None, cost: "memory".to_owned(), because }
}

/// The rows' own instance, else the report's.
fn instance(row: Option<u32>, interval: &IntervalDemand) -> Option<u32> {
    row.or(interval.instance_number)
}

/// Twice the cache, or the largest that the advice goes to.
pub(crate) fn more_buffer_cache(intervals: &[IntervalDemand], totals: &ByComponent) -> Alternative {
    let now: Range = CACHED_READS.iter().map(|k| totals[place_of(*k)]).sum();
    let mut expected = Expected::default();
    for interval in intervals {
        let time: f64 = CACHED_READS.iter().map(|k| interval.component_s(*k)).sum();
        let mut saved = None;
        for pool in &interval.advice.cache {
            let Some(larger) = pool.larger.last() else { continue };
            expected.memory.add(instance(pool.instance, interval), pool.size_bytes, larger.size_bytes);
            saved = Some(saved.unwrap_or(0.0) + larger.saved.max(0.0) * pool.weight);
            expected.by_last_row_s += by_last_row(&pool.larger) * pool.weight * time;
        }
        match saved {
            Some(saved) => expected.add(saved, time, interval),
            None => expected.left_out += 1,
        }
    }
    if expected.intervals == 0 {
        return not_known(
            MORE_CACHE,
            "the reports print no advice on the buffer cache for a larger size".to_owned(),
        );
    }
    let mut more = expected.alternative(MORE_CACHE, "fewer reads into the cache", now);
    if expected.by_last_row_s > 0.0 {
        more.because.push_str("; ");
        more.because.push_str(CLIFF_DOUBT);
    }
    more
}

/// What the last row of an advice saves beyond the one before, where that is nearly all.
fn by_last_row(larger: &[LargerCache]) -> f64 {
    match larger {
        [.., before, last]
            if last.saved > 0.0
                && before.saved < CLIFF * last.saved
                && before.size_bytes > 0.75 * last.size_bytes =>
        {
            last.saved - before.saved.max(0.0)
        }
        _ => 0.0,
    }
}

/// A PGA that spills no more, or least.
pub(crate) fn more_pga(intervals: &[IntervalDemand], totals: &ByComponent) -> Alternative {
    let temp = [Component::TempRead, Component::TempWrite];
    let now: Range = temp.iter().map(|k| totals[place_of(*k)]).sum();
    if now.high <= 0.0 {
        return Alternative {
            saves_s: Some(Range::ZERO),
            ..not_known(MORE_PGA, "nobody waits for temp".to_owned())
        };
    }
    let mut expected = Expected::default();
    let mut doubts: Vec<String> = Vec::new();
    for interval in intervals {
        let time: f64 = temp.iter().map(|k| interval.component_s(*k)).sum();
        // An hour without a spill says nothing of more memory.
        if time <= 0.0 {
            continue;
        }
        match saved_by_pga(interval, &mut expected.memory) {
            Ok(saved) => expected.add(saved, time, interval),
            Err(doubt) => {
                expected.left_out += 1;
                doubts.push(doubt);
            }
        }
    }
    match doubts.into_iter().next() {
        Some(doubt) if expected.intervals == 0 => not_known(MORE_PGA, doubt),
        _ => expected.alternative(MORE_PGA, "less to and from temp", now),
    }
}

/// Share of the spilling that larger targets end, 0-1; or why that is not known.
fn saved_by_pga(interval: &IntervalDemand, memory: &mut Memory) -> Result<f64, String> {
    let advice = &interval.advice;
    if advice.by_hand {
        return Err(
            "the advice does not apply: work areas are sized by hand (workarea_size_policy)".to_owned()
        );
    }
    let all: f64 = advice.pga.iter().map(|p| p.now.1).sum();
    if advice.pga.iter().all(|p| p.larger.is_empty()) {
        return Err("the reports print no advice on a larger PGA".to_owned());
    }
    let Some(moved) = interval.totals.temp_bytes() else {
        return Err(
            "the reports do not print how much went to temp, so whether the advice covers this load \
                    cannot be told"
                .to_owned(),
        );
    };
    if all < PGA_ADVICE_SEES * moved {
        return Err(format!(
            "the advice does not cover this load: it counts {} to and from temp since the instance started, and {} went \
             there in this interval alone (it sees serial work areas, and a statement has a limit of its own)",
            words::bytes(all),
            words::bytes(moved)
        ));
    }
    let mut saved = 0.0;
    for p in &advice.pga {
        // The smallest target with the least spill.
        let best = p.larger.iter().min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
        let Some((bytes, extra)) = best.filter(|(_, extra)| *extra < p.now.1) else {
            memory.add(instance(p.instance, interval), p.now.0, p.now.0);
            continue;
        };
        memory.add(instance(p.instance, interval), p.now.0, *bytes);
        saved += (p.now.1 - extra) / all;
    }
    Ok(saved)
}
