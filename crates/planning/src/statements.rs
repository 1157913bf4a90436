//! Statements, now and then.

use crate::candidates::BuiltCandidate;
use crate::class::Class;
use crate::demand::{IntervalDemand, StatementIo};
use crate::entries::{ByComponent, place_of, sum};
use crate::place::DATA_READS;
use crate::plan::{CandidateKind, Component, StatementGain};
use crate::plans::{PlanBook, Target};
use crate::range::Range;
use std::collections::{BTreeMap, HashMap};

/// Statements shown at most.
const SHOWN: usize = 100;

/// Share of the waits for an object's I/O that the plan saves.
#[derive(Clone, Copy, Debug, Default)]
struct Saved {
    waits_s: f64,
    saves: Range,
}

impl Saved {
    fn share(self) -> Range {
        if self.waits_s <= 0.0 {
            return Range::ZERO;
        }
        let part = self.saves.scaled(1.0 / self.waits_s);
        Range { low: part.low.min(1.0), mid: part.mid.min(1.0), high: part.high.min(1.0) }
    }
}

pub(crate) fn statements(
    intervals: &[IntervalDemand],
    candidates: &[BuiltCandidate],
    plans: &PlanBook<'_>,
    (saved, lost): (&ByComponent, &ByComponent),
    totals: &ByComponent,
) -> Vec<StatementGain> {
    type Named<'n> = (Option<&'n str>, Option<Class>);
    let mut objects: HashMap<&str, Vec<(Named<'_>, Saved)>> = HashMap::new();
    let mut temp = Saved::default();
    for built in candidates {
        let saves = match (built.along, &built.candidate.tier) {
            // A tablespace takes along what is in it.
            (Some(tier), _) => sum(&built.saves[tier]),
            (None, Some(_)) => built.candidate.saves_s.unwrap_or(Range::ZERO),
            (None, None) => Range::ZERO,
        };
        if built.candidate.kind == CandidateKind::Temp {
            temp = Saved { waits_s: sum(&built.waits).mid, saves };
        }
        for (owner, name, class) in &built.segments {
            let list = objects.entry(name.as_str()).or_default();
            let named = (owner.as_deref(), *class);
            let at = match list.iter().position(|(n, _)| *n == named) {
                Some(at) => at,
                None => {
                    list.push((named, Saved::default()));
                    list.len() - 1
                }
            };
            list[at].1.waits_s += sum(&built.waits).mid;
            list[at].1.saves += saves;
        }
    }
    // The same name of two owners, without one in the plan, may be either.
    let of_object = |owner: Option<&str>, name: &str, class: Option<Class>| -> Option<Range> {
        let fits = |((o, c), _): &&(Named<'_>, Saved)| {
            (owner.is_none() || o.is_none() || *o == owner) && Class::may_be(*c, class)
        };
        let mut found = objects.get(name)?.iter().filter(fits);
        let (_, saved) = found.next()?;
        found.next().is_none().then(|| saved.share())
    };
    let speeds = Speeds::of(intervals);
    // What the plan saves of the database's own reads, where nothing says what a statement reads.
    let (all_s, all_saves, all_loses, everywhere) = {
        let parts: Vec<usize> = DATA_READS
            .iter()
            .chain(&[Component::TempRead, Component::TempWrite, Component::DirectWrite])
            .map(|c| place_of(*c))
            .collect();
        let now: f64 = parts.iter().map(|at| totals[*at].mid).sum();
        let saves: Range = parts.iter().map(|at| saved[*at]).sum();
        let loses: Range = parts.iter().map(|at| lost[*at]).sum();
        (now, saves, loses, Saved { waits_s: now, saves }.share())
    };

    let mut gains: Vec<StatementGain> = Vec::new();
    for statement in merged(intervals).into_values() {
        let Some(now_s) = statement.elapsed_s.filter(|s| *s > 0.0) else { continue };
        let Some(io_s) = statement.io_wait_s.map(|io| io.min(now_s)) else { continue };
        let mut from_temp_alone = false;
        let (share, because) = match plans.parts(&statement).filter(|p| !p.is_empty()) {
            Some(parts) => {
                let weights: Vec<f64> =
                    parts.iter().map(|p| speeds.time_us(&p.target, p.is_scan) * p.blocks).collect();
                let all: f64 = weights.iter().sum();
                let mut share = Range::ZERO;
                let (mut temp_share, mut moving, mut unknown) = (0.0, Vec::new(), 0);
                for (part, weight) in parts.iter().zip(&weights) {
                    let weight = weight / all.max(f64::MIN_POSITIVE);
                    let (saves, name) = match &part.target {
                        Target::Temp => (temp.share(), "temp".to_owned()),
                        Target::Object(owner, name, class) => match of_object(owner.as_deref(), name, *class)
                        {
                            Some(saves) => (saves, name.clone()),
                            None => {
                                unknown += 1;
                                (Range::ZERO, name.clone())
                            }
                        },
                    };
                    share += saves.scaled(weight);
                    if part.target == Target::Temp {
                        temp_share += saves.mid * weight;
                    }
                    if saves.mid > 0.0 && !moving.contains(&name) {
                        moving.push(name);
                    }
                }
                from_temp_alone = temp_share > 0.0 && temp_share >= 0.95 * share.mid;
                let because = match (moving.is_empty(), unknown) {
                    (true, _) => "nothing of its plan moves".to_owned(),
                    (false, 0) => format!("of its plan move {}", list(&moving)),
                    (false, n) => {
                        format!("of its plan move {}; {n} objects of it are in no section", list(&moving))
                    }
                };
                (share, because)
            }
            None => (
                Range { low: 0.0, mid: everywhere.mid, high: 1.0 },
                "no plan was given: the mean of the database, and up to all of its I/O".to_owned(),
            ),
        };
        let saves = share.scaled(io_s);
        // What the plan saves beyond all that others wait for is saved here, and no more than it saves at all.
        let others_s = (all_s - io_s).max(0.0);
        let within = |own: f64, all: f64| own.max(all - others_s).min(all).min(io_s);
        let saves = Range {
            low: within(saves.low, all_saves.low),
            mid: within(saves.mid, all_saves.mid),
            high: within(saves.high, all_saves.high),
        };
        // CPU is a floor, whatever the parts add up to.
        let floor = statement.cpu_s.unwrap_or(0.0).min(now_s);
        let then = |saved: f64| (now_s - saved).max(floor).max(now_s * 1e-6);
        // What is lost on a tier may be lost by any: likely by each as it waits.
        let loses_s = if all_loses.mid > 0.0 { all_loses.mid * (io_s / all_s.max(io_s)) } else { 0.0 };
        let then_s = Range::of(
            then(saves.high),
            then(saves.mid) + loses_s,
            then(saves.low) + if io_s > 0.0 { all_loses.high } else { 0.0 },
        );
        gains.push(StatementGain {
            sql_id: statement.sql_id,
            old_hash: statement.old_hash,
            module: statement.module,
            text: statement.text,
            executions: statement.executions,
            now_s,
            io_wait_s: Some(io_s),
            then_s,
            gain: Range::of(now_s / then_s.high, now_s / then_s.mid, now_s / then_s.low),
            from_temp_alone,
            because,
        });
    }
    gains.sort_by(|a, b| {
        (b.now_s - b.then_s.mid).total_cmp(&(a.now_s - a.then_s.mid)).then_with(|| a.sql_id.cmp(&b.sql_id))
    });
    gains.truncate(SHOWN);
    gains
}

/// Names with commas, at most five.
fn list(names: &[String]) -> String {
    let mut shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 5 {
        shown.push_str(&format!(" and {} more", names.len() - 5));
    }
    shown
}

/// Each statement over all intervals that print it with elapsed time; blocks that repeat others left out.
fn merged(intervals: &[IntervalDemand]) -> BTreeMap<(Option<String>, Option<u64>), StatementIo> {
    let mut all: BTreeMap<(Option<String>, Option<u64>), StatementIo> = BTreeMap::new();
    for statement in intervals.iter().flat_map(|i| &i.statements) {
        if statement.is_block || statement.elapsed_s.is_none() || statement.io_wait_s.is_none() {
            continue;
        }
        let entry =
            all.entry((statement.sql_id.clone(), statement.old_hash)).or_insert_with(|| StatementIo {
                elapsed_s: None,
                io_wait_s: None,
                cpu_s: None,
                executions: None,
                physical_reads: None,
                ..statement.clone()
            });
        let add = |sum: &mut Option<f64>, value: Option<f64>| {
            if let Some(value) = value {
                *sum = Some(sum.unwrap_or(0.0) + value);
            }
        };
        add(&mut entry.elapsed_s, statement.elapsed_s);
        add(&mut entry.io_wait_s, statement.io_wait_s);
        add(&mut entry.cpu_s, statement.cpu_s);
        add(&mut entry.executions, statement.executions);
        add(&mut entry.physical_reads, statement.physical_reads);
        entry.plan_hash = entry.plan_hash.or(statement.plan_hash);
    }
    all
}

/// Time that a block takes by the way it is read, from the database's own waits.
struct Speeds {
    single_us: f64,
    scan_us: f64,
    temp_us: f64,
}

impl Speeds {
    fn of(intervals: &[IntervalDemand]) -> Self {
        let (mut single, mut scan, mut temp) = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
        for interval in intervals {
            let totals = &interval.totals;
            for wait in &interval.waits {
                let sum = match wait.component {
                    Component::SingleBlockRead => &mut single,
                    Component::MultiBlockRead | Component::DirectRead => &mut scan,
                    Component::TempRead | Component::TempWrite => &mut temp,
                    _ => continue,
                };
                sum.0 += wait.time_s.mid;
                sum.1 += match wait.component {
                    Component::SingleBlockRead => wait.waits,
                    Component::DirectRead => {
                        totals.direct_blocks.unwrap_or(wait.waits * totals.direct_request_blocks)
                    }
                    Component::TempRead => totals.temp_read_blocks.unwrap_or(wait.waits),
                    Component::TempWrite => 0.0,
                    _ => wait.waits * wait.bytes / totals.block_bytes,
                };
            }
        }
        let per_block =
            |(time, blocks): (f64, f64)| (blocks > 0.0 && time > 0.0).then(|| time * 1e6 / blocks);
        let single_us = per_block(single).unwrap_or(1_000.0);
        let scan_us = per_block(scan).unwrap_or(single_us / 8.0);
        Self { single_us, scan_us, temp_us: per_block(temp).unwrap_or(scan_us) }
    }

    fn time_us(&self, target: &Target, is_scan: bool) -> f64 {
        match target {
            Target::Temp => self.temp_us,
            Target::Object(..) if is_scan => self.scan_us,
            Target::Object(..) => self.single_us,
        }
    }
}
