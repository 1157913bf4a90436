//! `place`: which objects belong on which tier, in what order, and what that saves.

use crate::alternatives::alternatives;
use crate::candidates::{Built, BuiltCandidate, build};
use crate::capped::{self, Offered, UnderCaps};
use crate::choice::CannotChoose;
use crate::class::Class;
use crate::demand::{IntervalDemand, KeyKind, ObjectKey};
use crate::entries::{ByComponent, COMPONENTS, Entries, entries, place_of, sum};
use crate::intervals;
use crate::load::{self, Demand, Queued};
use crate::plan::{
    Candidate, CandidateKind, Component, DbTime, FrontierPoint, Measured, NextCapacity, Plan, ResponsePart,
    TierUse,
};
use crate::plans::PlanBook;
use crate::range::Range;
use crate::relief::relief;
use crate::sizes::Sizes;
use crate::statements::statements;
use crate::tier::Tier;
use crate::words;
use crate::{choice, doubts, held_back, latest, order, say, surer};
use spindle_diagnosis::DeviceClass;
use spindle_facts::{Collected, Report};
use spindle_workload::DeviceCurve;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Where an object would save this share of DB time, it is said that CPUs are short, percent. Ours.
const CPU_IS_SAID_PCT: f64 = 1.0;

/// Why no plan was made, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the caller may set.
#[derive(Clone, Debug)]
pub struct PlaceOptions {
    /// Database or container to plan for, where the reports are of several.
    pub database: Option<String>,
    /// Sizes by name: `OWNER.TABLE`, `temp`, a tablespace.
    pub sizes: Vec<(String, f64)>,
    /// Objects that must move, with the tier where named.
    pub pinned: Vec<(String, Option<String>)>,
    /// Objects that must stay.
    pub banned: Vec<String>,
    /// A table moves with its indexes or not at all.
    pub keep_indexes: bool,
    /// Objects under this share of the buffer cache belong into it, percent. Source: E7.
    pub cached_pct: f64,
    /// Commit waits under this share of DB time leave redo where it is, percent. Source: practitioners
    /// call 5 % worth a look.
    pub redo_pct: f64,
    /// Today's storage: latency by load.
    pub curve: Option<DeviceCurve>,
    /// Today's storage, where the reports do not show it.
    pub device_class: Option<DeviceClass>,
}

impl Default for PlaceOptions {
    fn default() -> Self {
        Self {
            database: None,
            sizes: Vec::new(),
            pinned: Vec::new(),
            banned: Vec::new(),
            keep_indexes: false,
            cached_pct: 5.0,
            redo_pct: 5.0,
            curve: None,
            device_class: None,
        }
    }
}

/// A report, reduced to what a plan needs.
pub struct Reduced(Box<IntervalDemand>);

impl Reduced {
    /// Reduces a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        Self(Box::new(IntervalDemand::of(report)))
    }
}

/// Reports on their way into a plan; each is reduced at once, so a year of them fits.
#[derive(Default)]
pub struct Planner {
    demands: Vec<IntervalDemand>,
}

impl Planner {
    /// Takes in a report.
    pub fn add(&mut self, reduced: Reduced) {
        self.demands.push(*reduced.0);
    }

    /// Takes in an AWR SQL report that was given for its plan: it is no interval to plan for.
    pub fn add_plans(&mut self, mut reduced: Reduced) {
        reduced.0.is_for_plans = true;
        self.add(reduced);
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.demands.is_empty()
    }

    /// The plan.
    ///
    /// # Errors
    /// Where the inputs cannot carry one: several databases, no DB time, collected files of another
    /// database, no tier.
    pub fn plan(
        self,
        tiers: &[Tier],
        collected: &[Collected],
        options: &PlaceOptions,
    ) -> Result<Plan, Refusal> {
        if tiers.is_empty() {
            return Err(Refusal(
                "no tier is given; say what there is with --tier NAME=CAPACITY,LATENCY".into(),
            ));
        }
        for (number, tier) in tiers.iter().enumerate() {
            if tiers[..number].iter().any(|t| t.name.eq_ignore_ascii_case(&tier.name)) {
                return Err(Refusal(format!(
                    "two tiers are named `{}`; give each a name of its own",
                    tier.name
                )));
            }
        }
        for (name, _) in &options.pinned {
            if options.banned.iter().any(|banned| banned.eq_ignore_ascii_case(name)) {
                return Err(Refusal(format!("`{name}` is to move and to stay; drop one of --pin and --ban")));
            }
        }
        let chosen = intervals::choose(self.demands, options.database.as_deref())?;
        let mut intervals = chosen.intervals;
        let measured = measured(&intervals, chosen.left_out);
        let mut warnings = Vec::new();
        check_origin(collected, &measured, &mut warnings)?;
        let mut merged = latest::merged(collected, &mut warnings);
        // Reports of statements bring their plans along.
        for interval in intervals.iter_mut().filter(|i| !i.plan_rows.is_empty()) {
            merged.to_mut().push(Collected {
                source: interval.source.clone(),
                plan_rows: std::mem::take(&mut interval.plan_rows),
                ..Collected::default()
            });
        }
        let collected: &[Collected] = &merged;
        let release = latest::release(collected.iter()).or(measured.version.as_deref()).map(str::to_owned);
        warnings.extend(other_release(collected, &measured));
        warnings.extend(doubts::of(&intervals, &measured, tiers));
        warnings.extend(intervals.iter().flat_map(|i| &i.contradictions).cloned());

        let cpus_are_short = doubts::cpus_are_short(&intervals);
        let plans = PlanBook::of(collected, &intervals);
        for interval in &mut intervals {
            let unlisted = plans.unlisted(interval);
            interval.objects.extend(unlisted);
        }
        same_kinds(&mut intervals);
        let found = entries(&intervals, tiers);
        let sizes = Sizes::of(collected, &options.sizes, &found.entries, measured.container.as_deref());
        let Built { candidates, problem, item_of } =
            build(&found, &sizes, &intervals, &measured, tiers, collected, options, &mut warnings)?;
        let mut demands = vec![Demand::default(); problem.items.len()];
        for (built, item) in candidates.iter().zip(&item_of) {
            if let Some(item) = item {
                demands[*item] = Demand::of(built, &measured);
            }
        }
        let offered = Offered { tiers, demands: &demands };
        let (choice, mut under_caps) = capped::choose(&problem, offered, &mut warnings)
            .map_err(|e| cannot_choose(&e, &problem, tiers))?;
        let io_totals = found.totals;
        let placing =
            Placing { problem: &problem, candidates: &candidates, item_of: &item_of, offered, found: &found };
        // Where the search is not proven, one with less room may have found better.
        let (frontier, choice) = placing.frontier(choice, &mut under_caps);
        if !choice.exact {
            warnings.push(if choice.bound.is_finite() {
                format!(
                    "The search stopped before it proved the choice best: no other saves more than {}.",
                    words::seconds(choice.bound)
                )
            } else {
                "The choice is not proven to be the best one.".to_owned()
            });
        }

        let surer = placing.surer(&choice);
        warnings.extend(surer.clone());
        let next_100_gb = placing.next_100_gb(&choice, &mut under_caps);
        let saved = placing.saved(&choice.tier_of);
        let mut candidates = candidates;
        let mut moved = vec![[Range::ZERO; COMPONENTS.len()]; tiers.len()];
        let mut queued = [Range::ZERO; COMPONENTS.len()];
        for (number, tier) in tiers.iter().enumerate() {
            let mut here: Vec<&mut BuiltCandidate> = candidates
                .iter_mut()
                .zip(&item_of)
                .filter(|(_, item)| item.is_some_and(|item| choice.tier_of[item] == Some(number)))
                .map(|(built, _)| built)
                .collect();
            let takes = load::queue_before(tier, number, &mut here, &measured, &mut warnings);
            queued.iter_mut().zip(takes).for_each(|(all, part)| *all += part);
        }
        for (number, item) in item_of.iter().enumerate() {
            let Some(item) = item else { continue };
            if choice.tier_of[*item].is_none() {
                candidates[number].held_back = held_back::by_caps(*item, &problem, offered, &choice.tier_of);
            }
            if let Some(tier) = choice.tier_of[*item] {
                let built = &mut candidates[number];
                built.candidate.tier = Some(tiers[tier].name.clone());
                built.candidate.saves_s = Some(sum(&built.saves[tier]));
                for (at, part) in built.saves[tier].iter().enumerate() {
                    moved[tier][at] += *part;
                }
            }
        }
        for built in candidates.iter_mut().filter(|b| b.candidate.tier.is_none()) {
            if let Some(because) = built.stays_because.take() {
                built.candidate.excluded_because = Some(because);
            }
        }
        take_along(&mut candidates, tiers);
        warnings.extend(kept_in_memory(&candidates, tiers));
        warnings.extend(temp_in_memory(&candidates, tiers, &measured));
        warnings.extend(temp_may_grow(&candidates, collected));
        warnings.extend(temp_of_which_container(&candidates, &measured));
        let saves_s = sum(&saved);
        say_why_ranges_differ(&candidates, saves_s, &mut warnings);
        let mut lost = lost(&candidates, &choice.tier_of, &item_of);
        lost.iter_mut().zip(queued).for_each(|(all, part)| *all += part);
        let loses_s = Some(sum(&lost)).filter(|l| l.high > 0.0);
        let db_time = db_time(&intervals, saves_s, sum(&lost));
        let relief = relief(&intervals, &candidates, &io_totals, options);
        let response_time = response_parts(&intervals, &io_totals, &saved, &lost);
        let knee =
            choice::knee(&frontier.iter().map(|p| (p.capacity_bytes, p.saves_s.mid)).collect::<Vec<_>>())
                .and_then(|at| frontier.get(at).copied());
        let tier_use = tier_use(tiers, &candidates, &moved, &saved, &measured, &mut warnings);
        let gains = statements(&intervals, &candidates, &plans, (&saved, &lost), &io_totals);
        let (alternatives, all_reads_s, all_reads_uncapped_s) =
            alternatives(&intervals, &candidates, tiers, &io_totals, (&saved, &lost), &sizes, &measured);
        let (unseen_io_pct, unseen) = say::unseen(&intervals, &candidates, &sizes);

        let moved: Vec<&Candidate> =
            candidates.iter().map(|b| &b.candidate).filter(|c| c.tier.is_some()).collect();
        let order = order::of_moving(&moved, collected, release.as_deref());
        let chosen: Vec<String> = order.iter().map(|step| moved[step.candidate].object.clone()).collect();
        let moves_with: BTreeMap<String, String> = order
            .iter()
            .filter_map(|step| Some((moved[step.candidate].object.clone(), moved[step.with?].object.clone())))
            .collect();
        let mut shown: Vec<Candidate> = candidates
            .into_iter()
            .map(|mut built| {
                built.candidate.waits_by_component = COMPONENTS
                    .iter()
                    .zip(&built.waits)
                    .filter(|(_, r)| r.high > 0.0)
                    .map(|(c, r)| (*c, *r))
                    .collect();
                say::why(&mut built, tiers);
                if built.candidate.tier.is_some() {
                    built.candidate.moves_with = moves_with.get(&built.candidate.object).cloned();
                }
                built.candidate
            })
            .collect();
        shown.sort_by(|a, b| {
            let weight = |c: &Candidate| c.saves_s.map_or(0.0, |s| s.mid);
            let rank = |c: &Candidate| u8::from(c.tier.is_none());
            rank(a).cmp(&rank(b)).then(weight(b).total_cmp(&weight(a))).then_with(|| a.object.cmp(&b.object))
        });

        let mut plan = Plan {
            answer: String::new(),
            measured,
            tiers: tiers.to_vec(),
            candidates: shown,
            chosen,
            tier_use,
            frontier,
            knee,
            next_100_gb,
            db_time_s: db_time,
            saves_s,
            loses_s,
            response_time,
            relief_s: relief.seconds.map(|r| r.mid),
            relief_range_s: relief.seconds,
            relief_because: relief.because,
            statements: gains,
            alternatives,
            unseen_io_pct,
            unseen,
            plan_volumes: plans.volumes(),
            all_reads_s,
            all_reads_uncapped_s,
            surer,
            warnings,
            script: None,
        };
        plan.answer = say::answer(&plan);
        let gains =
            plan.candidates.iter().filter_map(|c| c.saves_s).map(|s| s.mid).fold(plan.saves_s.mid, f64::max);
        if let Some(short) = cpus_are_short.filter(|_| 100.0 * gains >= CPU_IS_SAID_PCT * plan.db_time_s.now)
        {
            plan.answer = format!("{} {short}", plan.answer);
        }
        Ok(plan)
    }
}

/// Gives an object printed without its type the only one that another report or a plan knows of its name.
fn same_kinds(intervals: &mut [IntervalDemand]) {
    let mut known: BTreeMap<ObjectKey, BTreeSet<Option<Class>>> = BTreeMap::new();
    let bare = |key: &ObjectKey| ObjectKey { class: None, ..key.clone() };
    let keys = || intervals.iter().flat_map(|i| &i.objects).map(|o| &o.key);
    if keys().all(|key| key.class.is_some() || key.kind != KeyKind::Segment) {
        return;
    }
    for key in keys().filter(|k| k.class.is_some()) {
        known.entry(bare(key)).or_default().insert(key.class);
    }
    for object in intervals.iter_mut().flat_map(|i| &mut i.objects).filter(|o| o.key.class.is_none()) {
        if let Some(classes) = known.get(&object.key)
            && let (Some(class), 1) = (classes.first(), classes.len())
        {
            object.key.class = *class;
        }
    }
}

/// Why nothing can be chosen, by the names of what is pinned.
#[allow(clippy::cast_precision_loss, reason = "bytes")]
fn cannot_choose(error: &CannotChoose, problem: &choice::Problem, tiers: &[Tier]) -> Refusal {
    let named = |item: usize| problem.items.get(item).map_or("", |i| i.key.as_str());
    let tier_named = |tier: usize| tiers.get(tier).map_or("", |t| t.name.as_str());
    Refusal(match error {
        CannotChoose::PinsDoNotFit { tier, pinned_bytes, capacity_bytes } => {
            let mut pinned: Vec<_> = problem.items.iter().filter(|i| i.pinned == Some(*tier)).collect();
            pinned.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.key.cmp(&b.key)));
            let names: Vec<String> = pinned
                .iter()
                .take(3)
                .map(|i| format!("{} ({})", i.key, words::bytes(i.size as f64)))
                .collect();
            let more = pinned.len().saturating_sub(names.len());
            format!(
                "what is pinned to {} takes {}, and it has {}: {}{}; drop a --pin or give it more",
                tier_named(*tier),
                words::bytes(*pinned_bytes as f64),
                words::bytes(*capacity_bytes as f64),
                names.join(", "),
                if more > 0 { format!(" and {more} more") } else { String::new() }
            )
        }
        CannotChoose::PinsContradict { item, tiers: (a, b) } => format!(
            "{} would have to go to {} and to {}: pins, and what they need, contradict each other",
            named(*item),
            tier_named(*a),
            tier_named(*b)
        ),
        CannotChoose::NeededMayNotGo { item, tier } => format!(
            "{} is needed on {}, where it may not go: only temp goes into memory",
            named(*item),
            tier_named(*tier)
        ),
        CannotChoose::TooManyTiers { .. } => error.to_string(),
    })
}

/// A tier that is called memory, and given by numbers, is taken to keep what it holds.
fn kept_in_memory(candidates: &[BuiltCandidate], tiers: &[Tier]) -> Vec<String> {
    let is_memory = |tier: &&Tier| tier.profile.is_none() && tier.is_memory();
    let keeps = |tier: &&Tier| {
        let here = candidates.iter().map(|b| &b.candidate).filter(|c| c.tier.as_ref() == Some(&tier.name));
        here.clone().count() > here.filter(|c| c.kind == CandidateKind::Temp).count()
    };
    tiers
        .iter()
        .filter(is_memory)
        .filter(keeps)
        .map(|tier| {
            format!(
                "{0} is given by numbers, so it is taken to keep what it holds over a restart, and data moves to it. If it \
                 is memory, give it as {0}=CAPACITY@ram: then only temp goes there.",
                tier.name
            )
        })
        .collect()
}

/// The default temporary tablespace of a cluster in the memory of one node is not seen by the others.
fn temp_in_memory(candidates: &[BuiltCandidate], tiers: &[Tier], measured: &Measured) -> Option<String> {
    let temp = candidates.iter().map(|b| &b.candidate).find(|c| c.kind == CandidateKind::Temp)?;
    let tier = tiers.iter().find(|t| Some(&t.name) == temp.tier.as_ref() && t.is_memory())?;
    (measured.instances.len() > 1).then(|| {
        format!(
            "Temp goes to {}, memory, and the reports are of {} instances: every node has to see the place of a temporary \
             tablespace. Memory of each node takes local temporary tablespaces (12.2) or a tablespace for the users of \
             each node, and is empty after a restart.",
            tier.name,
            measured.instances.len()
        )
    })
}

/// The waits for temp of a database with containers name none of them.
fn temp_of_which_container(candidates: &[BuiltCandidate], measured: &Measured) -> Option<String> {
    let all = || candidates.iter().map(|b| &b.candidate);
    let temp = all().find(|c| c.kind == CandidateKind::Temp && c.tier.is_some())?;
    (measured.container.is_none() && all().any(|c| c.container.is_some())).then(|| {
        format!(
            "{} stands for the temp of all containers: in which of them sessions spill the reports do not say \
             (v$tempseg_usage by con_id does), and the script leaves its move to a person.",
            temp.object
        )
    })
}

/// Temp counts by the size of its files today, and they may grow.
fn temp_may_grow(candidates: &[BuiltCandidate], collected: &[Collected]) -> Option<String> {
    let temp = candidates.iter().map(|b| &b.candidate).find(|c| c.kind == CandidateKind::Temp)?;
    let (tier, size) = (temp.tier.as_ref()?, temp.size_bytes?);
    let files = collected.iter().flat_map(|c| &c.files).filter(|f| f.is_temp);
    let of_it = files.filter(|f| temp.tablespace.as_ref() == Some(&f.tablespace));
    let most: f64 = of_it
        .map(|f| {
            f.max_bytes.filter(|_| f.autoextensible == Some(true)).unwrap_or(0.0).max(f.bytes.unwrap_or(0.0))
        })
        .sum();
    (most > 1.05 * size).then(|| {
        format!(
            "Temp is planned on {tier} with {}, and its files may grow to {}: on the tier they may too, as far as there \
             is room.",
            words::bytes(size),
            words::bytes(most)
        )
    })
}

/// What lies in a tablespace that moves as its data files goes with it, and saves nothing of its own.
fn take_along(candidates: &mut [BuiltCandidate], tiers: &[Tier]) {
    let spaces: Vec<(Option<String>, Option<String>, usize, String)> = candidates
        .iter()
        .map(|b| &b.candidate)
        .filter(|c| matches!(c.kind, CandidateKind::RestOfTablespace | CandidateKind::Tablespace))
        .filter_map(|c| {
            let tier = tiers.iter().position(|t| Some(&t.name) == c.tier.as_ref())?;
            Some((c.container.clone(), c.tablespace.clone(), tier, c.object.clone()))
        })
        .collect();
    for built in candidates.iter_mut().filter(|b| !b.segments.is_empty() && b.candidate.tier.is_none()) {
        let c = &mut built.candidate;
        let space = spaces.iter().find(|(container, space, ..)| {
            space.is_some() && *space == c.tablespace && *container == c.container
        });
        if let Some((.., tier, object)) = space {
            c.saves_s = None;
            if let Some(why) = c.excluded_because.as_mut().filter(|_| built.is_cached) {
                why.push_str(&format!(
                    "; it moves along in the data files of {object}, which is counted for nothing"
                ));
                continue;
            }
            built.along = Some(*tier);
            c.excluded_because = Some(format!(
                "it moves along in the data files of {object}, and what that saves is counted there"
            ));
        }
    }
}

/// Says why the ranges of single objects and that of the plan are not the same sum, where they are not.
fn say_why_ranges_differ(candidates: &[BuiltCandidate], all: Range, warnings: &mut Vec<String>) {
    let moved = candidates.iter().filter(|c| c.candidate.tier.is_some());
    let own: Range = moved.filter_map(|c| c.candidate.saves_s).sum();
    if own.high > 1.01 * all.high || own.low > 1.01 * all.low {
        warnings.push(format!(
            "The objects' own ranges add up to {} to {}; the plan's is {} to {}, since all together save no more than \
             is waited for.",
            words::seconds(own.low),
            words::seconds(own.high),
            words::seconds(all.low),
            words::seconds(all.high)
        ));
    }
}

fn measured(intervals: &[IntervalDemand], left_out: Vec<String>) -> Measured {
    let first = intervals.first();
    let mut instances: Vec<u32> = intervals.iter().filter_map(|i| i.instance_number).collect();
    instances.sort_unstable();
    instances.dedup();
    let elapsed_s = intervals::measured_s(intervals);
    let rate = |total: fn(&IntervalDemand) -> Option<f64>| {
        // Over the time of those that print it: the others would count as without any.
        let seconds = intervals::measured_s(intervals.iter().filter(|i| total(i).is_some()));
        (seconds > 0.0).then(|| intervals.iter().filter_map(total).sum::<f64>() / seconds)
    };
    Measured {
        db_name: first.and_then(|i| i.db_name.clone()),
        db_id: first.and_then(|i| i.db_id),
        container: first.and_then(|i| i.container.clone()),
        version: intervals.iter().rev().find_map(|i| i.version.clone()),
        instances,
        intervals: intervals.len(),
        begin_time: intervals.iter().filter_map(|i| i.begin_time.clone()).min(),
        end_time: intervals.iter().filter_map(|i| i.end_time.clone()).max(),
        elapsed_s,
        block_size_bytes: first.map_or(8192.0, |i| i.totals.block_bytes),
        db_time_from: intervals.iter().find_map(|i| i.db_time_from).map(str::to_owned),
        db_time_derived: intervals.iter().filter(|i| i.db_time_from.is_some()).count(),
        buffer_cache_bytes: intervals.iter().rev().find_map(|i| i.advice.cache_bytes),
        redo_bytes_per_s: rate(|i| i.totals.redo_bytes),
        storage_is_innocent_pct: {
            let of = |innocent: bool| -> f64 {
                let counted = |i: &&IntervalDemand| !innocent || i.storage_is_the_problem == Some(false);
                intervals.iter().filter(counted).filter_map(|i| i.db_time_s).sum()
            };
            100.0 * of(true) / of(false).max(f64::MIN_POSITIVE)
        },
        temp_write_bytes_per_s: rate(|i| Some(i.totals.temp_write_blocks? * i.totals.block_bytes)),
        without_events: intervals.iter().filter(|i| !i.prints_events).count(),
        class_waits_s: {
            let printed: Option<Vec<[f64; 2]>> = intervals.iter().map(|i| i.class_waits_s).collect();
            printed.map(|p| p.iter().fold([0.0; 2], |sum, of| [sum[0] + of[0], sum[1] + of[1]]))
        },
        smart_scan_s: intervals.iter().map(|i| i.smart_scan_s).sum(),
        uncounted_s: intervals
            .iter()
            .fold([0.0; 2], |sum, i| [sum[0] + i.uncounted_s[0], sum[1] + i.uncounted_s[1]]),
        unread_s: intervals
            .iter()
            .filter(|i| i.prints_events)
            .fold([0.0; 2], |sum, i| [sum[0] + i.unread_s[0], sum[1] + i.unread_s[1]]),
        broken: {
            let mut all: Vec<String> = intervals.iter().flat_map(|i| &i.broken).cloned().collect();
            all.sort();
            all.dedup();
            all
        },
        flash_answers_pct: {
            let reads = || intervals.iter().filter_map(|i| i.flash_reads);
            let all: f64 = reads().map(|(_, all)| all).sum();
            (all > 0.0).then(|| 100.0 * reads().map(|(hits, _)| hits).sum::<f64>() / all)
        },
        read_us: doubts::read_us(intervals),
        left_out,
    }
}

/// Where a list is of another release than the reports: it is of the day on which a script would run.
fn other_release(collected: &[Collected], measured: &Measured) -> Option<String> {
    let listed = latest::release(collected.iter())?;
    let printed = measured.version.as_deref()?;
    let is_other = crate::script::Release::of(listed)? != crate::script::Release::of(printed)?;
    let list = collected.iter().find(|l| l.origin.version.as_deref() == Some(listed))?;
    is_other.then(|| {
        format!(
            "`{}` was gathered from release {listed}, and the reports are of {printed}: a script is written for the release \
             of the list.",
            list.source
        )
    })
}

/// Refuses files of another database; warns where a file does not say.
fn check_origin(
    collected: &[Collected],
    measured: &Measured,
    warnings: &mut Vec<String>,
) -> Result<(), Refusal> {
    for file in collected {
        let origin = &file.origin;
        let other_id = origin.db_id.zip(measured.db_id).is_some_and(|(a, b)| a != b);
        let other_name = match (&origin.db_name, &measured.db_name) {
            (Some(a), Some(b)) => !a.eq_ignore_ascii_case(b),
            _ => false,
        };
        if other_name || other_id && origin.container.is_none() {
            return Err(Refusal(format!(
                "`{}` was collected from database {}{}, but the reports are of {}{}; collect it from the same database",
                file.source,
                origin.db_name.as_deref().unwrap_or("of another name"),
                origin.db_id.map(|id| format!(" ({id})")).unwrap_or_default(),
                measured.db_name.as_deref().unwrap_or("another"),
                measured.db_id.map(|id| format!(" ({id})")).unwrap_or_default(),
            )));
        }
        if origin.db_name.is_none() && origin.db_id.is_none() {
            warnings.push(format!(
                "`{}` does not say which database it is of; it is taken to be of this one.",
                file.source
            ));
        }
        for note in &file.notes {
            let line = note.line.map(|line| format!(", line {line}")).unwrap_or_default();
            warnings.push(format!("`{}`{line}: {}; {}.", file.source, note.message, note.effect));
        }
    }
    Ok(())
}

fn db_time(intervals: &[IntervalDemand], saves: Range, loses: Range) -> DbTime {
    let now: f64 = intervals.iter().filter_map(|i| i.db_time_s).sum();
    let cpu: Option<f64> = intervals.iter().map(|i| i.cpu_s).sum();
    let floor = cpu.unwrap_or(0.0).min(now);
    DbTime {
        now,
        then_low: (now - saves.high + loses.low).max(floor),
        then: (now - saves.mid + loses.mid).max(floor),
        then_high: (now - saves.low + loses.high).max(floor),
        cpu,
    }
}

/// What sessions wait longer for what moves to a tier that is slower for it, by kind of wait: only a pin sends it
/// there. What lies in a tablespace that moves is counted with that.
fn lost(candidates: &[BuiltCandidate], tier_of: &[Option<usize>], item_of: &[Option<usize>]) -> ByComponent {
    let moving = || {
        let with_tier =
            candidates.iter().zip(item_of).map(|(built, item)| (built, (*item).and_then(|i| tier_of[i])));
        with_tier.filter_map(|(built, tier)| Some((built, tier?)))
    };
    let goes_along = |built: &BuiltCandidate| {
        let own = &built.candidate;
        !built.segments.is_empty()
            && moving().map(|(other, _)| &other.candidate).any(|space| {
                matches!(space.kind, CandidateKind::RestOfTablespace | CandidateKind::Tablespace)
                    && space.tablespace == own.tablespace
                    && space.container == own.container
            })
    };
    let mut all = [Range::ZERO; COMPONENTS.len()];
    for (built, tier) in moving().filter(|(built, tier)| built.loses[*tier].mid > 0.0 && !goes_along(built)) {
        for (all, part) in all.iter_mut().zip(built.lost(tier)) {
            *all += part;
        }
    }
    all
}

/// Response time by part, now and then.
fn response_parts(
    intervals: &[IntervalDemand],
    totals: &ByComponent,
    saved: &ByComponent,
    lost: &ByComponent,
) -> Vec<ResponsePart> {
    let whole = |part: &str, now_s: f64| ResponsePart {
        part: part.to_owned(),
        component: None,
        now_s,
        then_s: Range::exact(now_s),
    };
    let mut parts = vec![whole("CPU", intervals.iter().filter_map(|i| i.cpu_s).sum())];
    for component in COMPONENTS {
        let at = place_of(component);
        let now_s = totals[at].mid;
        if now_s <= 0.0 {
            continue;
        }
        parts.push(ResponsePart {
            part: words::component(component).to_owned(),
            component: Some(component),
            now_s,
            then_s: Range {
                low: (now_s - saved[at].high + lost[at].low).max(0.0),
                mid: (now_s - saved[at].mid + lost[at].mid).max(0.0),
                high: (now_s - saved[at].low + lost[at].high).max(0.0),
            }
            .in_order(),
        });
    }
    let scans_s: f64 = intervals.iter().map(|i| i.smart_scan_s).sum();
    let other_s: f64 = intervals.iter().map(|i| i.other_waits_s).sum();
    // Of these no event is read, so nothing is known of what a tier would make of them.
    let unread = |at: usize| intervals.iter().map(|i| i.unread_s[at]).sum();
    parts.push(whole("User I/O, events not read", unread(0)));
    parts.push(whole("Commit, events not read", unread(1)));
    parts.push(whole("smart scans", scans_s));
    parts.push(whole("other waits", (other_s - scans_s).max(0.0)));
    parts.push(whole("not explained", intervals.iter().map(|i| i.unexplained_s).sum()));
    parts.retain(|p| p.now_s > 0.0);
    parts
}

/// Capacities at which the frontier is computed.
const FRONTIER_POINTS: usize = 40;
/// Of those at which the tier's caps bind, where a choice takes many searches.
const CAPPED_POINTS: usize = 10;

/// What is to be placed, and where.
struct Placing<'a> {
    problem: &'a choice::Problem,
    candidates: &'a [BuiltCandidate],
    item_of: &'a [Option<usize>],
    offered: Offered<'a>,
    found: &'a Entries,
}

impl<'a> Placing<'a> {
    /// Best saving of all tiers by capacity of the first one; and the choice for that of today, which is better
    /// where the search for another capacity found better.
    fn frontier(
        &self,
        mut now: choice::Choice,
        under_caps: &mut Option<UnderCaps<'a>>,
    ) -> (Vec<FrontierPoint>, choice::Choice) {
        let problem = self.problem;
        let first_value = |i: &choice::Item| i.value.first().copied().flatten().filter(|v| *v > 0.0);
        let whole: u64 = problem
            .items
            .iter()
            .filter(|i| first_value(i).is_some())
            .map(|i| i.size)
            .fold(0, u64::saturating_add);
        if whole == 0 {
            return (Vec::new(), now);
        }
        let mut capacities: Vec<u64> = Vec::new();
        // Capacities that matter are where the densest objects fit in turn, and the tier's own.
        let mut dense: Vec<(f64, u64)> =
            problem.items.iter().filter_map(|i| Some((first_value(i)?, i.size))).collect();
        dense.sort_by(|a, b| (b.0 / b.1.max(1) as f64).total_cmp(&(a.0 / a.1.max(1) as f64)));
        let step = dense.len().div_ceil(FRONTIER_POINTS).max(1);
        let mut used = 0_u64;
        for (number, (_, size)) in dense.iter().enumerate() {
            used = used.saturating_add(*size);
            if number % step == 0 || number + 1 == dense.len() {
                capacities.push(used);
            }
        }
        let own = problem.capacities.first().map_or(whole, |own| (*own).min(whole));
        capacities.push(own);
        // What the others save without the first.
        if self.offered.tiers.len() > 1 {
            capacities.push(0);
        }
        capacities.sort_unstable();
        capacities.dedup();
        // Where caps bind today, the best without them says little of other capacities, and for several tiers takes long.
        let capped = under_caps.as_ref().filter(|_| self.offered.tiers.len() > 1);
        let choices: Vec<(u64, Option<choice::Choice>)> = if let Some(search) = capped {
            capacities.retain(|capacity| search.holds_pinned(0, *capacity));
            let every = capacities.len().div_ceil(CAPPED_POINTS).max(1);
            let last = capacities.last().copied();
            let of_them = |(n, capacity): &(usize, u64)| {
                n.is_multiple_of(every) || *capacity == own || Some(*capacity) == last
            };
            capacities.into_iter().enumerate().filter(of_them).map(|(_, c)| (c, None)).collect()
        } else {
            let Ok(choices) = choice::frontier(problem, 0, &capacities) else { return (Vec::new(), now) };
            capacities.into_iter().zip(choices).filter(|(_, choice)| choice.is_some()).collect()
        };
        let queue = |c: &choice::Choice| self.offered.queues(&c.tier_of);
        let queued = choices.iter().filter(|(_, c)| c.as_ref().is_some_and(queue)).count();
        let every = queued.div_ceil(CAPPED_POINTS).max(1);
        let (mut number, mut before): (usize, Option<choice::Choice>) = (0, None);
        let mut points: Vec<FrontierPoint> = Vec::new();
        if choices.first().is_none_or(|(capacity, _)| *capacity > 0) {
            points.push(FrontierPoint { capacity_bytes: 0.0, saves_s: Range::ZERO, objects: 0 });
        }
        let mut offered = problem.capacities.clone();
        for (capacity, without_caps) in choices {
            let mut choice = match without_caps {
                _ if capacity == own => now.clone(),
                Some(choice) if !queue(&choice) => choice,
                without_caps => {
                    if without_caps.is_some() {
                        number += 1;
                        if !number.is_multiple_of(every) && number != queued {
                            continue;
                        }
                    }
                    if let Some(first) = offered.first_mut() {
                        *first = capacity;
                    }
                    let known: Vec<&capped::TierOf> = before
                        .iter()
                        .chain((capacity > own).then_some(&now))
                        .chain(&without_caps)
                        .map(|c| &c.tier_of)
                        .collect();
                    let bound = without_caps.as_ref().map_or(f64::INFINITY, |c| c.bound);
                    let search = under_caps.get_or_insert_with(|| UnderCaps::new(problem, self.offered));
                    search.best(&offered, &known, bound, capped::QUICK)
                }
            };
            // What fits a smaller capacity fits this one.
            if let Some(before) = before.filter(|before| before.value > choice.value) {
                let bound = choice.bound.max(before.value);
                choice = choice::Choice { bound, exact: choice.exact && bound <= before.value, ..before };
            }
            if capacity == own {
                now = choice.clone();
            }
            let (saves_s, objects) = self.saves(&choice.tier_of);
            points.push(FrontierPoint { capacity_bytes: capacity as f64, saves_s, objects });
            before = Some(choice);
        }
        (points, now)
    }

    /// What each candidate that moves saves after the queue.
    fn left(&self, tier_of: &[Option<usize>]) -> Vec<(usize, ByComponent)> {
        let mut all = Vec::new();
        for (t, (tier, asked)) in self.offered.tiers.iter().zip(self.offered.asked(tier_of)).enumerate() {
            let here: Vec<(usize, (ByComponent, Demand))> = self
                .item_of
                .iter()
                .enumerate()
                .filter_map(|(number, item)| {
                    let item = item.filter(|item| tier_of[*item] == Some(t))?;
                    Some((number, (self.candidates[number].saves[t], self.offered.demands[item])))
                })
                .collect();
            match Queued::before(tier, asked) {
                None => all.extend(here.into_iter().map(|(number, (saves, _))| (number, saves))),
                Some(queued) => {
                    let (numbers, saves): (Vec<usize>, Vec<_>) = here.into_iter().unzip();
                    all.extend(numbers.into_iter().zip(queued.leaves(&saves)));
                }
            }
        }
        all
    }

    /// What a choice saves, and by how many objects.
    fn saves(&self, tier_of: &[Option<usize>]) -> (Range, usize) {
        (sum(&self.saved(tier_of)), tier_of.iter().flatten().count())
    }

    /// What a choice saves by kind of wait: no more than is waited for, nor than its tiers leave of that.
    fn saved(&self, tier_of: &[Option<usize>]) -> ByComponent {
        let left = self.left(tier_of);
        let mut all = [Range::ZERO; COMPONENTS.len()];
        let mut waits = [Range::ZERO; COMPONENTS.len()];
        let mut used = vec![false; self.offered.tiers.len()];
        for (number, saves) in &left {
            let tier = self.item_of[*number].and_then(|item| tier_of[item]);
            // A tier that holds nothing says nothing of the plan.
            if let Some(used) = tier.and_then(|tier| used.get_mut(tier)) {
                *used |= saves.iter().any(|part| part.high > 0.0);
            }
            for (at, part) in saves.iter().enumerate() {
                all[at] += *part;
                if self.candidates[*number].stays_because.is_none() {
                    waits[at] += self.candidates[*number].waits[at];
                }
            }
        }
        let used: Vec<usize> = (0..used.len()).filter(|tier| used[*tier]).collect();
        self.found.within(&all, &waits, &used)
    }

    /// Another choice that likely saves as much, and surely much more.
    fn surer(&self, now: &choice::Choice) -> Option<String> {
        if self.offered.queues(&now.tier_of) {
            return None;
        }
        let mut lows = vec![Vec::new(); self.problem.items.len()];
        for (built, item) in self.candidates.iter().zip(self.item_of) {
            if let Some(item) = item {
                lows[*item] = built.saves.iter().map(|saves| sum(saves).low).collect();
            }
        }
        surer::choice(self.problem, &lows, self.offered, now, |tier_of| self.saves(tier_of).0)
    }

    fn next_100_gb(
        &self,
        now: &choice::Choice,
        under_caps: &mut Option<UnderCaps<'a>>,
    ) -> Option<NextCapacity> {
        let mut larger = self.problem.capacities.clone();
        let first = larger.first_mut()?;
        *first = first.saturating_add(HUNDRED_GB);
        let without_caps =
            || choice::choose(&choice::Problem { capacities: larger.clone(), ..self.problem.clone() });
        let then = match under_caps {
            Some(_) => None,
            None => Some(without_caps().ok()?).filter(|then| !self.offered.queues(&then.tier_of)),
        };
        let then = then.unwrap_or_else(|| {
            let search = under_caps.get_or_insert_with(|| UnderCaps::new(self.problem, self.offered));
            search.best(&larger, &[&now.tier_of], f64::INFINITY, capped::QUICK)
        });
        let all = |choice: &choice::Choice| -> Range {
            self.left(&choice.tier_of).iter().map(|(_, saves)| sum(saves)).sum()
        };
        let (before, after) = (all(now), all(&then));
        // At least nothing: what is chosen today can stay.
        let saves = Range {
            low: (after.low - before.low).max(0.0),
            mid: after.mid - before.mid,
            high: after.high - before.high,
        }
        .in_order();
        if after.mid - before.mid <= 0.0 {
            return Some(NextCapacity {
                bytes: HUNDRED_GB as f64,
                saves_s: Range::ZERO,
                objects: Vec::new(),
            });
        }
        let moves = |(number, item): (usize, &Option<usize>)| {
            let item = (*item)?;
            (then.tier_of[item].is_some() && then.tier_of[item] != now.tier_of[item])
                .then(|| self.candidates[number].candidate.object.clone())
        };
        Some(NextCapacity {
            bytes: HUNDRED_GB as f64,
            saves_s: saves,
            objects: self.item_of.iter().enumerate().filter_map(moves).collect(),
        })
    }
}

/// 100 GB as databases count them.
const HUNDRED_GB: u64 = 100 << 30;

/// Seconds of a day.
const DAY_S: f64 = 86_400.0;

fn tier_use(
    tiers: &[Tier],
    candidates: &[BuiltCandidate],
    moved: &[ByComponent],
    saved: &ByComponent,
    measured: &Measured,
    warnings: &mut Vec<String>,
) -> Vec<TierUse> {
    let mut uses = Vec::new();
    for (number, tier) in tiers.iter().enumerate() {
        let here = || candidates.iter().filter(|c| c.candidate.tier.as_deref() == Some(tier.name.as_str()));
        // An empty sum of floats is minus zero.
        let used_bytes: f64 = here().filter_map(|c| c.candidate.size_bytes).sum::<f64>() + 0.0;
        let seconds = measured.elapsed_s.max(1.0);
        let block = measured.block_size_bytes;
        let read_bytes_s: f64 = here().map(|c| c.read_bytes).sum::<f64>() / seconds;
        let requests_s: f64 = here().map(|c| c.read_requests + c.write_requests).sum::<f64>() / seconds;
        let is_kind = |kind: CandidateKind| here().any(|c| c.candidate.kind == kind);
        let temp_s = if is_kind(CandidateKind::Temp) { measured.temp_write_bytes_per_s } else { None };
        let redo_s = if is_kind(CandidateKind::Redo) { measured.redo_bytes_per_s } else { None };
        let data_s: f64 = here()
            .filter(|c| c.candidate.kind != CandidateKind::Redo && c.candidate.kind != CandidateKind::Temp)
            .map(|c| c.written_blocks * block)
            .sum::<f64>()
            / seconds;
        let written_s = data_s + temp_s.unwrap_or(0.0) + redo_s.unwrap_or(0.0);
        let written_per_day = (written_s > 0.0).then_some(written_s * DAY_S);
        let saves_s: Range = moved[number]
            .iter()
            .zip(saved)
            // No tier saves more of a kind of wait than all of them together.
            .map(|(s, t)| Range { low: s.low.min(t.low), mid: s.mid.min(t.mid), high: s.high.min(t.high) })
            .sum();
        let bandwidth_used_pct = tier.mbps.map(|mbps| 100.0 * (read_bytes_s + written_s) / 1e6 / mbps);
        let iops_used_pct = tier.iops_cap.map(|cap| 100.0 * requests_s / cap);
        if tier.mbps.is_none() && saves_s.mid > 0.0 {
            warnings.push(format!(
                "The bandwidth of {} is not given: large requests are charged at 200 to 3,000 MB/s, 500 likely. \
                 Give it as the value after the latencies.",
                tier.name
            ));
        }
        uses.push(TierUse {
            name: tier.name.clone(),
            capacity_bytes: tier.capacity_bytes,
            used_bytes,
            saves_s,
            read_mbps: read_bytes_s / 1e6,
            bandwidth_used_pct,
            iops_used_pct,
            price: tier.price,
            price_per_s: tier.price.filter(|_| saves_s.mid > 0.0).map(|p| p / saves_s.mid),
            written_bytes_per_day: written_per_day,
            years_of_life: tier
                .endurance_bytes
                .zip(written_per_day)
                .map(|(endurance, per_day)| endurance / per_day / 365.25),
        });
    }
    uses
}

/// Kinds of wait that reads of data make.
pub(crate) const DATA_READS: [Component; 4] =
    [Component::SingleBlockRead, Component::MultiBlockRead, Component::DirectRead, Component::ReadByOther];
