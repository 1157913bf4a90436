//! From entries to candidates: sizes, exclusions with their reasons, constraints, and the problem that
//! the choice solves.

use crate::choice::{Item, Problem};
use crate::class::Class;
use crate::demand::{IntervalDemand, KeyKind, ObjectKey};
use crate::entries::{ByComponent, COMPONENTS, Entries, Entry, sum, within_printed};
use crate::held::Held;
use crate::immovable::Attributes;
use crate::place::{PlaceOptions, Refusal};
use crate::plan::{Candidate, CandidateKind, Component, Measured};
use crate::range::Range;
use crate::sizes::{GIVEN, Sizes, Space};
use crate::tier::Tier;
use crate::words;
use spindle_facts::Collected;
use std::collections::{BTreeMap, BTreeSet};

/// A candidate with what only the planner needs.
#[derive(Clone, Debug)]
pub(crate) struct BuiltCandidate {
    pub(crate) candidate: Candidate,
    pub(crate) waits: ByComponent,
    pub(crate) saves: Vec<ByComponent>,
    /// Seconds that it, with what moves along with it, takes longer on each tier where it saves least, likely, and where it
    /// saves most: it saves nothing there then.
    pub(crate) loses: Vec<Range>,
    /// What its kinds of wait save and lose on each tier on which it, or what moves along with it, takes longer.
    unsettled: Vec<ByComponent>,
    pub(crate) read_bytes: f64,
    pub(crate) read_requests: f64,
    pub(crate) write_requests: f64,
    /// Requests that sessions wait for.
    pub(crate) waited_requests: f64,
    pub(crate) written_blocks: f64,
    /// Owner, name and kind of every segment in it, for joining plans.
    pub(crate) segments: Vec<(Option<String>, String, Option<Class>)>,
    /// Seconds of its reads at most, where its tablespace or file prints them, and the kinds that they cover.
    printed_most: Option<(f64, usize)>,
    /// Why its size is not known, where that can be told.
    pub(crate) unsized_because: Option<String>,
    /// Bytes that the buffer cache held of it when that was collected.
    pub(crate) held_bytes: Option<f64>,
    /// Bytes by tablespace of a table with its indexes, which may lie in several; else empty.
    pub(crate) places: Vec<(Option<String>, f64)>,
    /// Owner and name of what moves with it, by which the user may mean it.
    pub(crate) parts: Vec<(String, String)>,
    /// Tier that the user pinned it to.
    pub(crate) pinned: Option<usize>,
    /// It is to stay, as asked.
    pub(crate) banned: bool,
    /// The buffer cache is the place for it: what its reads take is no reason to move it.
    pub(crate) is_cached: bool,
    /// Sessions hardly wait for it, nor for all that are left out for that together.
    is_hardly_read: bool,
    /// It lies in several tablespaces and moves only where one of them takes it along: why it would stay else.
    pub(crate) stays_because: Option<String>,
    /// The caps of a tier that has room for it, once something else is chosen.
    pub(crate) held_back: Option<String>,
    /// Tier of the tablespace that takes it along, once chosen.
    pub(crate) along: Option<usize>,
}

impl BuiltCandidate {
    /// Bytes of it in the files of a tablespace; `None` where none of it lies there.
    fn bytes_in(&self, space: &Option<String>) -> Option<f64> {
        if self.places.is_empty() {
            return (self.candidate.tablespace == *space).then(|| self.candidate.size_bytes.unwrap_or(0.0));
        }
        let here = self.places.iter().filter(|(place, _)| place == space).map(|(_, bytes)| *bytes);
        here.reduce(|a, b| a + b)
    }

    /// The tablespace that all of it lies in.
    fn only_place(&self) -> Option<String> {
        let (first, _) = self.places.first()?;
        first.clone().filter(|space| !self.lies_elsewhere_too(&Some(space.clone())))
    }

    /// Does a part of it lie elsewhere than in a tablespace?
    fn lies_elsewhere_too(&self, space: &Option<String>) -> bool {
        self.places.iter().any(|(place, _)| place != space)
    }

    /// Adds the I/O of another candidate, which moves along; not its size.
    fn add(&mut self, part: &Self) {
        let add = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
        };
        let (whole, other) = (&mut self.candidate, &part.candidate);
        whole.read_blocks = add(whole.read_blocks, other.read_blocks);
        whole.read_requests = add(whole.read_requests, other.read_requests);
        whole.write_blocks = add(whole.write_blocks, other.write_blocks);
        whole.io_share_pct = add(whole.io_share_pct, other.io_share_pct).map(|pct| pct.min(100.0));
        whole.waits_s += other.waits_s;
        whole.sources.extend(other.sources.iter().cloned());
        for (sum, part) in self.waits.iter_mut().zip(&part.waits) {
            *sum += *part;
        }
        for (sum, part) in self.saves.iter_mut().zip(&part.saves) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += *part;
            }
        }
        self.add_losses(part);
        self.settle();
        self.read_bytes += part.read_bytes;
        self.read_requests += part.read_requests;
        self.write_requests += part.write_requests;
        self.waited_requests += part.waited_requests;
        self.written_blocks += part.written_blocks;
    }

    /// Adds what a part of it, or what it takes along, takes longer.
    fn add_losses(&mut self, part: &Self) {
        self.loses.iter_mut().zip(&part.loses).for_each(|(sum, part)| *sum += *part);
        for (sum, part) in self.unsettled.iter_mut().zip(&part.unsettled) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += *part;
            }
        }
    }

    /// What sessions wait longer for it on a tier, by kind of wait; nothing where it gains there.
    pub(crate) fn lost(&self, tier: usize) -> ByComponent {
        let (Some(loses), Some(parts)) = (self.loses.get(tier), self.unsettled.get(tier)) else {
            return Default::default();
        };
        let all_s = -sum(parts).mid;
        if loses.mid <= 0.0 || all_s <= 0.0 {
            return Default::default();
        }
        let share = loses.mid / all_s;
        parts.map(|p| {
            Range { low: 0.0 - p.high, mid: 0.0 - p.mid, high: 0.0 - p.low }.scaled(share).in_order()
        })
    }

    /// Takes what a part loses on a tier from what the others gain there.
    fn settle(&mut self) {
        for (saves, loses) in self.saves.iter_mut().zip(&mut self.loses).filter(|(_, loses)| loses.low > 0.0)
        {
            let whole = sum(saves);
            let share = |of: f64, loses: f64| if of > 0.0 { ((of - loses) / of).max(0.0) } else { 0.0 };
            let low = share(whole.low, loses.low);
            let (mid, high) = (share(whole.mid, loses.mid), share(whole.high, loses.high));
            *saves = saves.map(|part| {
                Range { low: part.low * low, mid: part.mid * mid, high: part.high * high }.in_order()
            });
            let left = |of: f64, loses: f64| (loses - of).max(0.0);
            *loses = Range {
                low: left(whole.low, loses.low),
                mid: left(whole.mid, loses.mid),
                high: left(whole.high, loses.high),
            };
        }
    }

    /// What its parts add up to, cut to what its tablespace prints for all of them.
    fn within_printed(&mut self) {
        let Some((most_s, kinds)) = self.printed_most else { return };
        within_printed(&mut self.waits, &mut self.saves, most_s, kinds);
        self.candidate.waits_s = sum(&self.waits);
    }
}

pub(crate) struct Built {
    pub(crate) candidates: Vec<BuiltCandidate>,
    pub(crate) problem: Problem,
    /// Item of each candidate, where it may move.
    pub(crate) item_of: Vec<Option<usize>>,
}

/// Share of DB time that all of those wait for together which are left out as hardly read, percent. Ours: nobody
/// notices less. What many small ones add up to is not left out.
const HARDLY_PCT: f64 = 0.1;
/// Times that an object is read in whole from which on it is re-read, so that no cache holds it.
const REREAD: f64 = 1.5;
/// Share of an object in the buffer cache from which on the cache holds it, and under which it does not,
/// however small the object is. Ours: a tenth for blocks formatted and never used.
const HELD: f64 = 0.9;
const NOT_HELD: f64 = 0.5;

#[allow(clippy::too_many_arguments, reason = "one call, from one place")]
pub(crate) fn build(
    found: &Entries,
    sizes: &Sizes<'_>,
    intervals: &[IntervalDemand],
    measured: &Measured,
    tiers: &[Tier],
    collected: &[Collected],
    options: &PlaceOptions,
    warnings: &mut Vec<String>,
) -> Result<Built, Refusal> {
    let db_time_s: f64 = intervals.iter().filter_map(|i| i.db_time_s).sum();
    let all_requests: f64 = intervals.iter().filter_map(|i| i.totals.read_requests).sum();
    let with_segments: BTreeSet<Space<'_>> = found
        .entries
        .iter()
        .filter(|e| e.is_segment() && e.key.kind == KeyKind::Segment)
        .filter_map(|e| Some((e.key.container.as_deref(), e.tablespace.as_deref()?)))
        .collect();
    let split_into_files = files_that_split(found, sizes, &with_segments);

    let held = Held::of(collected, measured, warnings);
    let attributes = Attributes::of(collected.iter());
    let partitions = partitions(&found.entries);
    let mut candidates: Vec<BuiltCandidate> = Vec::new();
    for entry in &found.entries {
        let mut entry = entry.clone();
        match entry.kind {
            CandidateKind::DataFile if !split_into_files.contains(&own_space(&entry)) => {
                continue;
            }
            CandidateKind::Tablespace if split_into_files.contains(&own_space(&entry)) => continue,
            CandidateKind::Tablespace if with_segments.contains(&own_space(&entry)) => {
                entry.kind = CandidateKind::RestOfTablespace;
            }
            _ => {}
        }
        warnings.extend(sizes.overridden(&entry));
        warnings.extend(sizes.contradicted(&entry));
        let mut built = candidate(&entry, sizes, measured, all_requests, tiers.len());
        let container = built.candidate.container.as_deref();
        built.held_bytes =
            held.bytes(&entry.key, container, entry.tablespace.as_deref(), measured.block_size_bytes);
        by_partition(&mut built, &entry, sizes, &partitions);
        candidates.push(built);
    }
    if options.keep_indexes {
        candidates = with_indexes(candidates, sizes, collected, warnings);
    }
    candidates.iter_mut().for_each(|c| as_lists_allow(c, &attributes));
    // No tablespace or file takes longer in all than it prints.
    candidates.iter_mut().for_each(BuiltCandidate::within_printed);
    name_temp(&mut candidates, intervals, collected);
    tell_apart(&mut candidates);
    ask(&mut candidates, tiers, options, warnings)?;
    candidates.iter_mut().for_each(|c| within_all(c, found));
    let commit_share_pct = intervals
        .iter()
        .filter_map(|i| {
            let waits_s = i.component_s(Component::Commit) + i.component_s(Component::LogSpace);
            Some(100.0 * waits_s / i.db_time_s?)
        })
        .fold(0.0, f64::max);
    let exclude = |built: &mut BuiltCandidate| {
        let pinned = built.pinned.is_some() && built.candidate.size_bytes.is_some();
        if built.candidate.excluded_because.is_none() && !pinned {
            built.candidate.excluded_because =
                excluded(built, sizes, measured, tiers, options, commit_share_pct);
            let why = cached(built, measured, options);
            built.is_cached = why.is_some() && built.candidate.excluded_because == why;
        }
    };
    // Half of what may be left out each: what holds segments is complete only once these are decided on.
    let hardly_s = 0.5 * HARDLY_PCT / 100.0 * db_time_s;
    mark_hardly_read(candidates.iter_mut().filter(|c| !c.segments.is_empty()).collect(), hardly_s);
    candidates.iter_mut().filter(|c| !c.segments.is_empty()).for_each(exclude);
    candidates.iter_mut().for_each(go_with_their_tablespaces);
    complete_rests(&mut candidates);
    tell_apart(&mut candidates);
    mark_hardly_read(candidates.iter_mut().filter(|c| c.segments.is_empty()).collect(), hardly_s);
    candidates.iter_mut().filter(|c| c.segments.is_empty()).for_each(exclude);
    candidates.iter_mut().for_each(|c| within_all(c, found));
    for built in candidates.iter().filter(|c| c.pinned.is_some()) {
        if let Some(because) = &built.candidate.excluded_because {
            return Err(Refusal(format!("`{}` is pinned, but {because}", built.candidate.object)));
        }
    }
    for built in &mut candidates {
        let best = built.saves.iter().map(sum).max_by(|a, b| a.mid.total_cmp(&b.mid));
        built.candidate.saves_s = best;
    }

    for built in &candidates {
        let Some((tier, loses)) = built.pinned.map(|t| (&tiers[t], built.loses[t].mid)) else { continue };
        if loses > HARDLY_PCT / 100.0 * db_time_s {
            warnings.push(format!(
                "`{}` is pinned to {}, which is slower than today's storage for it: sessions would wait {} longer, \
                 which DB time then counts, and no saving.",
                built.candidate.object,
                tier.name,
                words::seconds(loses)
            ));
        }
    }

    let mut problem = Problem {
        items: Vec::new(),
        capacities: tiers.iter().map(|t| t.capacity_bytes.max(0.0) as u64).collect(),
    };
    let mut item_of: Vec<Option<usize>> = vec![None; candidates.len()];
    for (number, built) in candidates.iter().enumerate() {
        let Some(bytes) = built.candidate.size_bytes.filter(|_| built.candidate.excluded_because.is_none())
        else {
            continue;
        };
        item_of[number] = Some(problem.items.len());
        problem.items.push(Item {
            size: bytes.max(0.0).ceil() as u64,
            value: built
                .saves
                .iter()
                .zip(tiers)
                .enumerate()
                .map(|(number, (s, tier))| {
                    let saves = sum(s).mid;
                    let may_go = may_hold(tier, built.candidate.kind) && built.stays_because.is_none();
                    (may_go && (saves > 0.0 || built.pinned == Some(number))).then_some(saves)
                })
                .collect(),
            needs: Vec::new(),
            pinned: built.pinned,
            key: built.candidate.object.clone(),
        });
    }
    // The rest of a tablespace moves as its data files, with every object in it.
    for (number, built) in candidates.iter().enumerate() {
        let (CandidateKind::RestOfTablespace, Some(item)) = (built.candidate.kind, item_of[number]) else {
            continue;
        };
        let within: Vec<usize> = candidates
            .iter()
            .enumerate()
            .filter(|(other, c)| {
                *other != number
                    && c.bytes_in(&built.candidate.tablespace).is_some()
                    && c.candidate.container == built.candidate.container
            })
            .filter_map(|(other, _)| item_of[other])
            .collect();
        // They go where it goes; what they lose there is taken from it.
        for (other, built) in candidates.iter().enumerate() {
            let Some(other) = item_of[other].filter(|other| within.contains(other)) else { continue };
            for (t, _) in tiers.iter().enumerate().filter(|(_, t)| may_hold(t, built.candidate.kind)) {
                problem.items[other].value[t].get_or_insert(sum(&built.saves[t]).mid);
            }
        }
        problem.items[item].needs = within;
    }
    Ok(Built { candidates, problem, item_of })
}

/// An index-organized table stands by its own name; what the lists say cannot move by itself is left out.
fn as_lists_allow(built: &mut BuiltCandidate, attributes: &Attributes<'_>) {
    if built.segments.is_empty() || built.candidate.excluded_because.is_some() {
        return;
    }
    let c = &mut built.candidate;
    if let Some((owner, table)) = attributes.index_organized(c) {
        let is_partitioned = c.partition.is_some() || !c.partitions.is_empty();
        if c.kind == CandidateKind::IndexPartition || is_partitioned {
            c.excluded_because = Some(format!(
                "it is a part of the partitioned index-organized table {owner}.{table}, which moves by hand"
            ));
            return;
        }
        built.parts.push((c.owner.clone().unwrap_or_default(), c.name.clone()));
        c.object = format!("{owner}.{table} (index-organized)");
        c.kind = CandidateKind::Table;
        c.owner = Some(owner.to_owned());
        c.name = table.to_owned();
    }
    c.excluded_because = attributes.against(c).map(str::to_owned);
}

/// What would stay only because it saves nothing by itself goes where a tablespace that holds a part of it goes, whole.
fn go_with_their_tablespaces(built: &mut BuiltCandidate) {
    let spaces: BTreeSet<&Option<String>> = built.places.iter().map(|(space, _)| space).collect();
    let saves_nothing = built.is_cached || built.is_hardly_read || built.waits.iter().all(|w| w.high <= 0.0);
    if spaces.len() < 2 || !saves_nothing || built.banned || built.candidate.size_bytes.is_none() {
        return;
    }
    built.stays_because = built.candidate.excluded_because.take();
    if built.stays_because.is_some() {
        // What the cache holds is not read again.
        built.saves.iter_mut().for_each(|saves| *saves = Default::default());
    }
}

/// The tablespace that something is, or lies in.
fn own_space(entry: &Entry) -> Space<'_> {
    let name = if entry.key.kind == KeyKind::Tablespace {
        entry.key.name.as_str()
    } else {
        entry.tablespace.as_deref().unwrap_or("")
    };
    (entry.key.container.as_deref(), name)
}

/// Tablespaces of several files of known size and no listed segment: their files are the candidates.
fn files_that_split<'f>(
    found: &'f Entries,
    sizes: &Sizes<'_>,
    with_segments: &BTreeSet<Space<'_>>,
) -> BTreeSet<Space<'f>> {
    let mut files: BTreeMap<Space<'_>, (usize, bool)> = BTreeMap::new();
    let of_files = || found.entries.iter().filter(|e| e.kind == CandidateKind::DataFile);
    for entry in of_files().filter(|e| e.tablespace.is_some()) {
        let known = sizes.of_entry(entry).is_some();
        let at = files.entry(own_space(entry)).or_insert((0, true));
        at.0 += 1;
        at.1 &= known;
    }
    let spaces: BTreeSet<Space<'_>> =
        found.entries.iter().filter(|e| e.kind == CandidateKind::Tablespace).map(own_space).collect();
    files
        .into_iter()
        .filter(|(space, (count, known))| {
            *count > 1 && *known && !with_segments.contains(space) && spaces.contains(space)
        })
        .map(|(space, _)| space)
        .collect()
}

fn candidate(
    entry: &Entry,
    sizes: &Sizes<'_>,
    measured: &Measured,
    all_requests: f64,
    tiers: usize,
) -> BuiltCandidate {
    let size = sizes.of_entry(entry);
    let object = match entry.kind {
        CandidateKind::RestOfTablespace => {
            format!("rest of tablespace {}", entry.tablespace.as_deref().unwrap_or(&entry.key.name))
        }
        CandidateKind::Undo => format!("undo tablespace {}", entry.key.name),
        CandidateKind::Redo => "redo logs".to_owned(),
        _ => entry.key.shown(),
    };
    let waits = sum(&entry.waits);
    let size_bytes = size.as_ref().map(|s| s.bytes);
    let reread_times = size_bytes
        .filter(|b| *b > 0.0 && entry.read_blocks > 0.0)
        .map(|b| entry.read_blocks * measured.block_size_bytes / b);
    BuiltCandidate {
        waits: entry.waits,
        saves: if entry.saves.len() == tiers { entry.saves.clone() } else { vec![entry.waits; tiers] },
        loses: if entry.loses.len() == tiers { entry.loses.clone() } else { vec![Range::ZERO; tiers] },
        unsettled: if entry.unsettled.len() == tiers {
            entry.unsettled.clone()
        } else {
            vec![Default::default(); tiers]
        },
        printed_most: entry.printed_most.filter(|_| !entry.is_segment()),
        read_bytes: entry.bytes,
        read_requests: entry.read_requests,
        write_requests: match entry.kind {
            CandidateKind::Temp => entry.waited_writes,
            _ => entry.write_blocks,
        },
        waited_requests: entry.read_requests + entry.waited_writes,
        written_blocks: entry.write_blocks + entry.direct_write_blocks,
        segments: if entry.is_segment() {
            vec![(entry.key.owner.clone(), entry.key.name.clone(), entry.key.class)]
        } else {
            Vec::new()
        },
        unsized_because: if size_bytes.is_none() { sizes.unknown_because(entry) } else { None },
        held_bytes: None,
        places: Vec::new(),
        parts: Vec::new(),
        pinned: None,
        banned: false,
        is_cached: false,
        is_hardly_read: false,
        stays_because: None,
        held_back: None,
        along: None,
        candidate: Candidate {
            object,
            kind: entry.kind,
            owner: entry.key.owner.clone(),
            name: entry.key.name.clone(),
            partition: entry.key.partition.clone(),
            tablespace: entry.tablespace.clone(),
            container: entry.key.container.clone().or_else(|| measured.container.clone()),
            members: Vec::new(),
            partitions: Vec::new(),
            size_bytes,
            size_from: size.map(|s| s.from),
            read_blocks: (entry.read_blocks > 0.0).then_some(entry.read_blocks),
            read_requests: (entry.read_requests > 0.0).then_some(entry.read_requests),
            write_blocks: (entry.write_blocks > 0.0).then_some(entry.write_blocks),
            reread_times,
            io_share_pct: (all_requests > 0.0)
                .then(|| (100.0 * entry.read_requests / all_requests).min(100.0)),
            waits_s: waits,
            waits_by_component: Vec::new(),
            saves_s: None,
            tier: None,
            moves_with: None,
            why: String::new(),
            excluded_because: None,
            price_per_s: None,
            sources: entry.sources.clone(),
        },
    }
}

/// Completes the rest of each tablespace, which moves as its data files with everything in them: its
/// size is what no candidate of its own takes, its savings include those of objects that are no
/// candidates. A tablespace without any candidate stands as a whole.
fn complete_rests(candidates: &mut [BuiltCandidate]) {
    let rests: Vec<usize> = (0..candidates.len())
        .filter(|n| candidates[*n].candidate.kind == CandidateKind::RestOfTablespace)
        .collect();
    for number in rests {
        let mut rest = candidates[number].clone();
        let (space, container) = (rest.candidate.tablespace.clone(), rest.candidate.container.clone());
        let same_space = |c: &BuiltCandidate| {
            !c.segments.is_empty() && c.bytes_in(&space).is_some() && c.candidate.container == container
        };
        let within: Vec<BuiltCandidate> = candidates.iter().filter(|c| same_space(c)).cloned().collect();
        if let Some(stays) = within.iter().find(|c| c.banned) {
            rest.candidate.excluded_because = Some(format!(
                "it moves as data files, and {}, which is to stay, lies in them",
                stays.candidate.object
            ));
            candidates[number] = rest;
            continue;
        }
        // What the rest alone likely loses, by tier.
        let loses: Vec<f64> = rest.loses.iter().map(|loses| loses.mid).collect();
        let (apart, along): (Vec<_>, Vec<_>) =
            within.into_iter().partition(|c| c.candidate.excluded_because.is_none());
        if let Some(torn) = along.iter().find(|c| c.lies_elsewhere_too(&rest.candidate.tablespace)) {
            rest.candidate.excluded_because = Some(format!(
                "it moves as data files, and a part of {}, of which the other parts stay, lies in them",
                torn.candidate.object
            ));
            candidates[number] = rest;
            continue;
        }
        let apart_bytes: f64 = apart.iter().filter_map(|c| c.bytes_in(&rest.candidate.tablespace)).sum();
        rest.candidate.size_bytes = rest.candidate.size_bytes.map(|whole| (whole - apart_bytes).max(0.0));
        // What the cache holds is not read again: it moves along, and saves nothing.
        for part in along.iter().filter(|part| !part.is_cached) {
            rest.add(part);
        }
        // It takes the others with it, wherever it goes.
        for part in &apart {
            rest.add_losses(part);
        }
        rest.settle();
        rest.within_printed();
        if apart.is_empty() {
            rest.candidate.kind = CandidateKind::Tablespace;
            rest.candidate.object = format!("tablespace {}", rest.candidate.name);
            let counted = |c: &BuiltCandidate| !c.is_cached && same_space(c);
            agree(&mut rest, candidates.iter_mut().filter(|c| counted(c)), &loses);
        }
        candidates[number] = rest;
    }
}

/// A tablespace saves no less than each of what lies in it, and none of these more than the whole, but for what the rest
/// of it likely loses: the bounds of both come from other figures, and would contradict each other.
fn agree<'c>(
    whole: &mut BuiltCandidate,
    within: impl Iterator<Item = &'c mut BuiltCandidate>,
    loses: &[f64],
) {
    // Part of the way from the likely value to a bound, so that all of them together come to that.
    let way = |to: f64, mid: f64, bound: f64| {
        if (bound - mid).abs() > 0.0 { ((to - mid) / (bound - mid)).clamp(0.0, 1.0) } else { 1.0 }
    };
    for part in within {
        let tiers = whole.saves.iter_mut().zip(&mut part.saves).zip(loses);
        for ((whole, part), loses) in tiers {
            let (all, one) = (sum(whole), sum(part));
            let least = one.low - loses;
            if least > all.low {
                let way = way(least, all.mid, all.low);
                whole.iter_mut().for_each(|s| s.low = s.mid + way * (s.low - s.mid));
            }
            let most = all.high + loses;
            if one.high > most {
                let way = way(most, one.mid, one.high);
                part.iter_mut().for_each(|s| s.high = s.mid + way * (s.high - s.mid));
            }
        }
    }
}

/// Waits for temp do not name a tablespace; where there is one only, it is that.
fn name_temp(candidates: &mut [BuiltCandidate], intervals: &[IntervalDemand], collected: &[Collected]) {
    let listed: BTreeSet<&str> = collected
        .iter()
        .flat_map(|c| &c.tablespaces)
        .filter(|t| t.contents.as_deref() == Some("TEMPORARY"))
        .map(|t| t.tablespace.as_str())
        .collect();
    let printed: BTreeSet<&str> = intervals
        .iter()
        .flat_map(|i| &i.objects)
        .filter(|o| o.kind == CandidateKind::Temp && o.key.kind == KeyKind::Tablespace)
        .map(|o| o.key.name.as_str())
        .collect();
    // One that a container prints is not that of the others.
    let in_containers = intervals
        .iter()
        .any(|i| i.container.is_none() && i.objects.iter().any(|o| o.key.container.is_some()));
    let printed = if in_containers { BTreeSet::new() } else { printed };
    let names = if listed.is_empty() { printed } else { listed };
    if let (Some(name), 1) = (names.first(), names.len()) {
        for c in candidates.iter_mut().map(|b| &mut b.candidate).filter(|c| c.kind == CandidateKind::Temp) {
            (*name).clone_into(&mut c.name);
            c.tablespace = Some((*name).to_owned());
        }
    }
}

/// Names repeat between a table and an index, and between containers: those that do carry their kind or
/// their container's name.
fn tell_apart(candidates: &mut [BuiltCandidate]) {
    let count = |candidates: &[BuiltCandidate]| {
        let mut names: BTreeMap<String, Vec<Option<Class>>> = BTreeMap::new();
        for built in candidates {
            names.entry(built.candidate.object.clone()).or_default().push(class(built));
        }
        names
    };
    let names = count(candidates);
    for built in candidates.iter_mut() {
        let class = class(built);
        if let (Some(classes), Some(own)) = (names.get(&built.candidate.object), class)
            && classes.iter().any(|c| *c != class)
        {
            built.candidate.object = format!("{} ({})", built.candidate.object, own.word());
        }
    }
    let names = count(candidates);
    for c in candidates.iter_mut().map(|b| &mut b.candidate) {
        if names.get(&c.object).is_some_and(|n| n.len() > 1)
            && let Some(container) = &c.container
        {
            c.object = format!("{} in {container}", c.object);
        }
    }
}

/// The kind of a candidate that is one segment.
fn class(built: &BuiltCandidate) -> Option<Class> {
    built.segments.first().and_then(|(_, _, class)| *class)
}

/// Names of partitions that are candidates of their own, by their table or index.
type Partitions<'f> = BTreeMap<ObjectKey, BTreeSet<&'f str>>;

fn partitions(entries: &[Entry]) -> Partitions<'_> {
    let mut found = Partitions::new();
    for entry in entries.iter().filter(|e| e.is_segment()) {
        if let Some(partition) = &entry.key.partition {
            let whole = ObjectKey { partition: None, ..entry.key.clone() };
            found.entry(whole).or_default().insert(partition);
        }
    }
    found
}

/// What a report or plan names as a whole and the lists by partition moves partition by partition
/// (ORA-14511); those that are candidates of their own are left to them.
fn by_partition(built: &mut BuiltCandidate, entry: &Entry, sizes: &Sizes<'_>, own: &Partitions<'_>) {
    let Some(group) = sizes.partitioned(&entry.key) else { return };
    let c = &mut built.candidate;
    if c.size_from.as_deref() == Some(GIVEN) {
        return;
    }
    let known = group.partitions();
    if known.is_empty() {
        c.size_bytes = None;
        built.unsized_because = Some(
            "it is partitioned and moves partition by partition, and the lists do not name its partitions; print \
             PARTITION_NAME of DBA_SEGMENTS too"
                .to_owned(),
        );
        return;
    }
    let apart = own.get(&entry.key);
    let is_apart = |name: &str| apart.is_some_and(|a| a.contains(name));
    let taken: f64 = known.iter().filter(|(p, _)| is_apart(p)).filter_map(|(_, s)| s.bytes).sum();
    c.partitions = known.keys().filter(|p| !is_apart(p)).map(|p| (*p).to_owned()).collect();
    if c.partitions.is_empty() {
        c.excluded_because = Some("all its partitions stand here by themselves".to_owned());
        return;
    }
    if taken > 0.0 {
        c.object = format!("other partitions of {}", c.object);
        c.size_bytes = c.size_bytes.map(|whole| (whole - taken).max(0.0));
    }
    let spaces: BTreeSet<Option<&str>> =
        known.iter().filter(|(p, _)| !is_apart(p)).map(|(_, s)| s.tablespace.as_deref()).collect();
    // Parts in several tablespaces are no part of the rest of one.
    c.tablespace = match (spaces.len(), spaces.first()) {
        (1, Some(Some(one))) => Some((*one).to_owned()),
        (1, _) => c.tablespace.take(),
        _ => None,
    };
    c.reread_times =
        c.size_bytes.filter(|b| *b > 0.0 && built.read_bytes > 0.0).map(|b| built.read_bytes / b);
}

/// No object saves more than is waited for in all, nor than a tier leaves: as the plan's own sum.
fn within_all(built: &mut BuiltCandidate, found: &Entries) {
    for (tier, saves) in built.saves.iter_mut().enumerate() {
        *saves = found.within(saves, &built.waits, &[tier]);
    }
}

/// Joins each table with its indexes and partitions into one candidate.
fn with_indexes(
    candidates: Vec<BuiltCandidate>,
    sizes: &Sizes<'_>,
    collected: &[Collected],
    warnings: &mut Vec<String>,
) -> Vec<BuiltCandidate> {
    let mut table_of: BTreeMap<(String, String), (String, String)> = BTreeMap::new();
    for index in collected.iter().flat_map(|c| &c.indexes) {
        if let (Some(owner), Some(table)) = (&index.table_owner, &index.table) {
            table_of.insert((index.owner.clone(), index.index.clone()), (owner.clone(), table.clone()));
        }
    }
    let mut unknown = 0;
    let mut groups: BTreeMap<(Option<String>, String, String), Vec<BuiltCandidate>> = BTreeMap::new();
    let mut result = Vec::new();
    for built in candidates {
        let c = &built.candidate;
        let (Some(owner), false) = (&c.owner, built.segments.is_empty()) else {
            result.push(built);
            continue;
        };
        let own = (owner.clone(), c.name.clone());
        let depends =
            matches!(c.kind, CandidateKind::Index | CandidateKind::IndexPartition | CandidateKind::Lob);
        // A table may have the name of another one's index.
        let of_index = table_of.get(&own).filter(|_| class(&built) != Some(Class::Table));
        let (table_owner, table) = match of_index {
            Some(table) => table.clone(),
            None => {
                unknown += usize::from(depends);
                own
            }
        };
        groups.entry((c.container.clone(), table_owner, table)).or_default().push(built);
    }
    if unknown > 0 {
        warnings.push(format!(
            "The table of {unknown} of the indexes is not known, so they stand alone; give the file of \
             `spindle collect segments` with --segments."
        ));
    }
    for ((container, owner, table), group) in groups {
        let hanging: Vec<&(String, String)> =
            table_of.iter().filter(|(_, t)| t.0 == owner && t.1 == table).map(|(part, _)| part).collect();
        if group.len() == 1 && hanging.is_empty() {
            result.extend(group);
            continue;
        }
        // What moves is the table with everything that hangs on it, listed in a report or not.
        let is_given = |name: &str, c: &Candidate| {
            c.name == name && c.partition.is_none() && c.size_from.as_deref() == Some(GIVEN)
        };
        let given: Vec<Candidate> = group
            .iter()
            .map(|b| &b.candidate)
            .filter(|c| c.size_from.as_deref() == Some(GIVEN))
            .cloned()
            .collect();
        let is_index_organized = collected.iter().flat_map(|c| &c.indexes).any(|i| {
            i.index_type.as_deref() == Some("IOT - TOP")
                && i.table_owner.as_deref() == Some(owner.as_str())
                && i.table.as_deref() == Some(table.as_str())
        });
        let places_of = |owner: &str, name: &str, class: Class| {
            if let Some(c) = given.iter().find(|c| is_given(name, c)) {
                return Some(vec![(c.tablespace.clone(), c.size_bytes?)]);
            }
            match sizes.listed.find_in(container.as_deref(), Some(owner), name, Some(class)) {
                Some(listed) => {
                    Some(listed.by_space()?.into_iter().map(|(s, b)| (s.map(str::to_owned), b)).collect())
                }
                // The rows of an index-organized table lie in its index.
                None if class == Class::Table && is_index_organized => Some(Vec::new()),
                // A part of a megabyte at most is summed up in the lists and not named.
                None => (class == Class::Index).then(|| vec![(None, 1_048_576.0)]),
            }
        };
        let of_index = hanging.iter().map(|p| places_of(&p.0, &p.1, Class::Index));
        let places: Option<Vec<Vec<_>>> =
            std::iter::once(places_of(&owner, &table, Class::Table)).chain(of_index).collect();
        let mut whole = joined(&owner, &table, group);
        whole.parts = hanging.into_iter().cloned().chain([(owner.clone(), table.clone())]).collect();
        whole.candidate.size_bytes =
            places.as_ref().map(|p| p.iter().flatten().map(|(_, bytes)| bytes).sum());
        whole.places = places.into_iter().flatten().flatten().collect();
        if !whole.places.is_empty() {
            whole.candidate.tablespace = whole.only_place();
        }
        if !given.is_empty() {
            whole.candidate.size_from = Some(GIVEN.to_owned());
        }
        let listed = sizes.listed.find_in(container.as_deref(), Some(&owner), &table, Some(Class::Table));
        whole.candidate.partitions =
            listed.map(|g| g.partitions().keys().map(|p| (*p).to_owned()).collect()).unwrap_or_default();
        result.push(whole);
    }
    apart_from_their_tablespaces(&mut result);
    result
}

/// Tablespaces and files that hold a part of a table with its indexes: those move by themselves, so that
/// only the rest is left to the tablespace, and a file by itself would tear them apart.
fn apart_from_their_tablespaces(candidates: &mut [BuiltCandidate]) {
    let held: BTreeSet<(Option<String>, String)> = candidates
        .iter()
        .flat_map(|c| c.places.iter().map(|(space, _)| (c.candidate.container.clone(), space.clone())))
        .filter_map(|(container, space)| Some((container, space?)))
        .collect();
    for c in candidates.iter_mut().map(|built| &mut built.candidate) {
        let space = c.tablespace.clone().unwrap_or_else(|| c.name.clone());
        if !held.contains(&(c.container.clone(), space.clone())) {
            continue;
        }
        match c.kind {
            CandidateKind::Tablespace => {
                c.kind = CandidateKind::RestOfTablespace;
                c.object = format!("rest of tablespace {space}");
                c.tablespace = Some(space);
            }
            CandidateKind::DataFile => {
                c.excluded_because =
                    Some("parts of a table that moves with its indexes lie in its tablespace".to_owned());
            }
            _ => {}
        }
    }
}

fn joined(owner: &str, table: &str, group: Vec<BuiltCandidate>) -> BuiltCandidate {
    let mut parts = group.into_iter();
    let Some(mut whole) = parts.next() else { unreachable!("a group has members") };
    whole.candidate.members.push(whole.candidate.object.clone());
    whole.candidate.kind = CandidateKind::TableWithIndexes;
    for part in parts {
        whole.candidate.members.push(part.candidate.object.clone());
        whole.candidate.size_bytes =
            whole.candidate.size_bytes.zip(part.candidate.size_bytes).map(|(a, b)| a + b);
        if part.candidate.tablespace != whole.candidate.tablespace {
            whole.candidate.tablespace = None;
        }
        whole.add(&part);
        whole.segments.extend(part.segments);
    }
    whole.candidate.object = format!("{owner}.{table} with its indexes");
    whole.candidate.owner = Some(owner.to_owned());
    whole.candidate.name = table.to_owned();
    whole.candidate.partition = None;
    whole.candidate.reread_times = None;
    whole
}

/// Memory forgets: only temp, which is empty after a restart anyway, may go there.
fn may_hold(tier: &Tier, kind: CandidateKind) -> bool {
    tier.profile.as_deref() != Some("ram") || kind == CandidateKind::Temp
}

/// Marks what the user asked to move, or to stay.
fn ask(
    candidates: &mut [BuiltCandidate],
    tiers: &[Tier],
    options: &PlaceOptions,
    warnings: &mut Vec<String>,
) -> Result<(), Refusal> {
    for (name, tier) in &options.pinned {
        let number = match tier {
            None => 0,
            Some(tier) => tiers.iter().position(|t| t.name.eq_ignore_ascii_case(tier)).ok_or_else(|| {
                Refusal(format!("`{name}` is pinned to `{tier}`, which is none of the tiers given"))
            })?,
        };
        let named = named(candidates, name);
        if named.is_empty() {
            return Err(Refusal(format!("`{name}` is pinned, but no report or file names it")));
        }
        for at in named {
            let built = &mut candidates[at];
            if built.candidate.size_bytes.is_none() {
                let hint = match &built.unsized_because {
                    Some(because) => format!(": {because}"),
                    None => format!("; give it with --size '{name}=10G' or --segments"),
                };
                return Err(Refusal(format!("`{name}` is pinned, but its size is not known{hint}")));
            }
            if !may_hold(&tiers[number], built.candidate.kind) {
                return Err(Refusal(format!(
                    "`{name}` is pinned to `{}`, which is memory and empty after a restart; only temp may go there",
                    tiers[number].name
                )));
            }
            if let Some(other) = built.pinned.filter(|other| *other != number) {
                return Err(Refusal(format!(
                    "`{}` is pinned to `{}` and to `{}`; it can go to one tier, so drop one --pin",
                    built.candidate.object, tiers[other].name, tiers[number].name
                )));
            }
            built.pinned = Some(number);
        }
    }
    for name in &options.banned {
        let named = named(candidates, name);
        if named.is_empty() {
            warnings.push(format!(
                "`{name}` is to stay (--ban), but no report or file names it; see that it is spelled as they do."
            ));
        }
        named.into_iter().for_each(|at| candidates[at].banned = true);
    }
    if let Some(both) = candidates.iter().find(|c| c.banned && c.pinned.is_some()) {
        return Err(Refusal(format!(
            "`{}` is to move and to stay; drop one of --pin and --ban",
            both.candidate.object
        )));
    }
    for (name, _) in &options.sizes {
        // `control` is short for the control files.
        let full = if name.eq_ignore_ascii_case("control") { "control files" } else { name.as_str() };
        let named = named(candidates, full);
        let kinds = || named.iter().map(|at| &candidates[*at]).filter(|c| !c.segments.is_empty());
        let is_used = |c: &BuiltCandidate| c.candidate.size_from.as_deref() == Some(GIVEN);
        let parts: Vec<&str> = kinds()
            .filter(|c| !is_used(c) && c.candidate.partition.is_some())
            .map(|c| c.candidate.object.as_str())
            .collect();
        if ["redo", "temp", "control files"].iter().any(|w| full.eq_ignore_ascii_case(w)) {
            if named.is_empty() {
                warnings.push(format!(
                    "`{name}` has a size (--size), which was not used: no session waits for it."
                ));
            }
        } else if let (Some(first), false) = (parts.first(), named.iter().any(|at| is_used(&candidates[*at])))
        {
            let more = match parts.len() {
                1 => String::new(),
                n => format!(" and {} more partitions", n - 1),
            };
            warnings.push(format!(
                "`{name}` has a size (--size), which was not used: the reports list it as {first}{more}, and the size of the \
                 whole is not that of a partition; give --size '{first}=10G'."
            ));
        } else if named.is_empty() {
            warnings.push(format!(
                "`{name}` has a size (--size), but no report or file names it; see that it is spelled as they do."
            ));
        } else if kinds().filter(|c| c.candidate.partition.is_none()).count() > 1 {
            let all: Vec<&str> = kinds().map(|c| c.candidate.object.as_str()).take(5).collect();
            warnings.push(format!(
                "`{name}` (--size) names more than one object, and each is taken to be of that size: {}.",
                all.join(", ")
            ));
        }
    }
    Ok(())
}

/// Candidates that the user's name means: those that spell it so, else in any case of letters.
fn named(candidates: &[BuiltCandidate], name: &str) -> Vec<usize> {
    // A table with its indexes is meant by each of them.
    let is_part = |(owner, part): &(String, String)| {
        name.eq_ignore_ascii_case(part) || name.eq_ignore_ascii_case(&format!("{owner}.{part}"))
    };
    let all: Vec<usize> = (0..candidates.len())
        .filter(|at| {
            let built = &candidates[*at];
            is_named(&built.candidate, name)
                || built.parts.iter().any(is_part)
                || built.candidate.members.iter().any(|member| name.eq_ignore_ascii_case(member))
        })
        .collect();
    let exactly = |at: &usize| {
        let c = &candidates[*at].candidate;
        c.name == name
            || c.object == name
            || c.owner.as_ref().is_some_and(|o| {
                name.strip_prefix(o.as_str()).and_then(|r| r.strip_prefix('.')) == Some(c.name.as_str())
            })
    };
    let exact: Vec<usize> = all.iter().copied().filter(|at| exactly(at)).collect();
    if exact.is_empty() { all } else { exact }
}

/// Does the user's name mean this candidate?
pub(crate) fn is_named(candidate: &Candidate, name: &str) -> bool {
    let named = |n: &str| n.eq_ignore_ascii_case(name);
    named(&candidate.object)
        || candidate.container.as_ref().is_some_and(|container| {
            // As it is named where another container has one of the same name.
            let len = name.len().checked_sub(container.len()).filter(|at| name.is_char_boundary(*at));
            len.and_then(|at| {
                let (rest, last) = name.split_at(at);
                let rest = rest.strip_suffix(" in ").or_else(|| rest.strip_suffix(" IN "))?;
                last.eq_ignore_ascii_case(container).then(|| is_named_bare(candidate, rest))
            })
            .unwrap_or(false)
        })
        || is_named_bare(candidate, name)
}

/// The same without the name of its container.
fn is_named_bare(candidate: &Candidate, name: &str) -> bool {
    let named = |n: &str| n.eq_ignore_ascii_case(name);
    named(&candidate.object)
        || match candidate.kind {
            CandidateKind::Redo => named("redo"),
            CandidateKind::Temp => named("temp"),
            CandidateKind::ControlFiles => named("control files"),
            CandidateKind::RestOfTablespace | CandidateKind::Tablespace => {
                named(&candidate.name) || named(&format!("tablespace {}", candidate.name))
            }
            _ => {
                named(&candidate.name)
                    || candidate.owner.as_ref().is_some_and(|o| named(&format!("{o}.{}", candidate.name)))
            }
        }
}

/// Marks what sessions wait least for, as long as all of it together stays under so many seconds. Waits decide, and
/// not savings: they are the same for every tier, so no tier is judged by other objects than another. Of those
/// with equal waits all are marked or none, so names decide nothing.
fn mark_hardly_read(mut all: Vec<&mut BuiltCandidate>, most_s: f64) {
    let waits = |c: &BuiltCandidate| c.candidate.waits_s.mid;
    all.sort_by(|a, b| waits(a).total_cmp(&waits(b)));
    let mut sum_s = 0.0;
    for equal in all.chunk_by_mut(|a, b| waits(a) == waits(b)) {
        sum_s += equal.iter().map(|c| waits(c)).sum::<f64>();
        if sum_s >= most_s {
            break;
        }
        equal.iter_mut().for_each(|c| c.is_hardly_read = true);
    }
}

/// How the share of DB time is called under which redo stays.
pub(crate) const REDO_BAR: &str = "from which on redo is worth moving";

/// Why a candidate is not considered.
fn excluded(
    built: &BuiltCandidate,
    sizes: &Sizes<'_>,
    measured: &Measured,
    tiers: &[Tier],
    options: &PlaceOptions,
    commit_share_pct: f64,
) -> Option<String> {
    let c = &built.candidate;
    if built.banned {
        return Some("it is to stay where it is, as asked".to_owned());
    }
    let owner = c.owner.as_deref().unwrap_or("");
    // `** MISSING **`, `** UNAVAILABLE **`, `** TRANSIENT: ... **`.
    if owner.starts_with("**") || c.name.starts_with("**") {
        return Some("the report could not name it, so nothing can be moved".to_owned());
    }
    let in_system = matches!(c.tablespace.as_deref(), Some("SYSTEM" | "SYSAUX"));
    if matches!(owner, "SYS" | "SYSTEM") || in_system {
        return Some("it belongs to the database itself and is not moved object by object".to_owned());
    }
    let best = built.saves.iter().map(sum).max_by(|a, b| a.mid.total_cmp(&b.mid)).unwrap_or(Range::ZERO);
    if c.kind == CandidateKind::Redo {
        // The worst interval decides: locks in another one do not make commits faster.
        let share = commit_share_pct;
        if share < options.redo_pct {
            return Some(format!(
                "sessions wait {} for it, at most {} of DB time in an interval: under the {} {REDO_BAR} (--pin redo moves it)",
                words::seconds(c.waits_s.mid),
                words::percent(share),
                words::percent(options.redo_pct)
            ));
        }
    }
    if let Some(why) = cached(built, measured, options) {
        return Some(why);
    }
    if c.waits_s.high <= 0.0 {
        return Some("the reports show no wait for it".to_owned());
    }
    if best.mid <= 0.0 {
        return Some(already_fast(built, measured, tiers));
    }
    if built.is_hardly_read {
        return Some(format!(
            "hardly read: it would save {}, and all that are left out for that together less than a thousandth of DB time",
            words::seconds(best.mid)
        ));
    }
    if c.size_bytes.is_none() {
        return Some(size_unknown(built, sizes));
    }
    None
}

fn size_unknown(built: &BuiltCandidate, sizes: &Sizes<'_>) -> String {
    let c = &built.candidate;
    let hint = match c.kind {
        CandidateKind::Temp => "--size temp=20G",
        CandidateKind::Redo => "--size redo=4G",
        _ => "--segments with the file of `spindle collect segments`",
    };
    if let Some(because) = &built.unsized_because {
        return format!("its size is unknown: {because}");
    }
    if sizes.has_segments && !built.segments.is_empty() {
        return format!("its size is unknown: the collected segments do not list it; give {hint}");
    }
    format!("its size is unknown; give {hint}")
}

/// What the buffer cache holds and what is not re-read: the cache is the place for it. Where `V$BH` was
/// collected, that says what is held; else whatever is under a share of the cache is taken to be.
fn cached(built: &BuiltCandidate, measured: &Measured, options: &PlaceOptions) -> Option<String> {
    let c = &built.candidate;
    if built.segments.is_empty() || c.reread_times.is_some_and(|times| times > REREAD) {
        return None;
    }
    let size = c.size_bytes.filter(|b| *b > 0.0)?;
    let keep = format!(
        "if it is read again, put it into the KEEP pool (db_keep_cache_size at least {})",
        words::bytes((size * 1.1).max(1.0))
    );
    let held = built.held_bytes.map(|bytes| (bytes / size).min(1.0));
    if let Some(held) = held.filter(|held| *held >= HELD) {
        return Some(format!(
            "the buffer cache held {} of its {} when that was collected (V$BH), and its reads do not show that it is \
             re-read: {keep}",
            words::percent(100.0 * held),
            words::bytes(size)
        ));
    }
    if held.is_some_and(|held| held < NOT_HELD) {
        return None;
    }
    let share = 100.0 * size / measured.buffer_cache_bytes.filter(|b| *b > 0.0)?;
    (share < options.cached_pct).then(|| {
        format!(
            "its {} are {} of the buffer cache: the cache holds it; {keep}",
            words::bytes(size),
            words::percent(share)
        )
    })
}

fn already_fast(built: &BuiltCandidate, measured: &Measured, tiers: &[Tier]) -> String {
    let c = &built.candidate;
    // The tier on which it loses least, where it loses on all.
    let least = built.loses.iter().zip(tiers).min_by(|a, b| a.0.mid.total_cmp(&b.0.mid));
    if let Some((loses, tier)) = least.filter(|(loses, _)| loses.mid > 0.0)
        && measured.read_us.is_none_or(|today| tier.read_latency_us < today)
    {
        return format!(
            "nothing to gain: on {} sessions would wait {} longer for it (a write takes {} there)",
            tier.name,
            words::seconds(loses.mid),
            words::latency(tier.write_latency_us)
        );
    }
    // Mean of its largest kind of wait, over the requests that it makes.
    let mean_us = c.read_requests.filter(|r| *r > 0.0).map(|r| {
        let reads: f64 = built.waits[..2].iter().map(|w| w.mid).sum();
        reads * 1e6 / r
    });
    let fastest = tiers.iter().min_by(|a, b| a.read_latency_us.total_cmp(&b.read_latency_us));
    match (mean_us.filter(|us| *us > 0.0), fastest) {
        (Some(us), Some(tier)) => format!(
            "nothing to gain: it is read in {} today, and {} takes {}",
            words::latency(us),
            tier.name,
            words::latency(tier.read_latency_us)
        ),
        _ => "nothing to gain: no tier answers faster than what it waits for today".to_owned(),
    }
}

/// Kinds of wait of a candidate, for its sentence.
pub(crate) fn largest_component(built: &BuiltCandidate) -> Option<crate::plan::Component> {
    COMPONENTS
        .iter()
        .zip(&built.waits)
        .filter(|(_, w)| w.mid > 0.0)
        .max_by(|a, b| a.1.mid.total_cmp(&b.1.mid))
        .map(|(c, _)| *c)
}
