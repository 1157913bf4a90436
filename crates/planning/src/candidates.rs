//! From entries to candidates: sizes, exclusions with their reasons, constraints, and the problem that
//! the choice solves.

use crate::choice::{Item, Problem};
use crate::demand::{IntervalDemand, KeyKind};
use crate::entries::{ByComponent, COMPONENTS, Entries, Entry, sum};
use crate::place::{PlaceOptions, Refusal};
use crate::plan::{Candidate, CandidateKind, Component, Measured};
use crate::range::Range;
use crate::sizes::Sizes;
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
    pub(crate) read_bytes: f64,
    pub(crate) read_requests: f64,
    pub(crate) write_requests: f64,
    pub(crate) written_blocks: f64,
    /// Owner and name of every segment in it, for joining plans.
    pub(crate) segments: Vec<(Option<String>, String)>,
}

impl BuiltCandidate {
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
        self.read_bytes += part.read_bytes;
        self.read_requests += part.read_requests;
        self.write_requests += part.write_requests;
        self.written_blocks += part.written_blocks;
    }
}

pub(crate) struct Built {
    pub(crate) candidates: Vec<BuiltCandidate>,
    pub(crate) problem: Problem,
    /// Item of each candidate, where it may move.
    pub(crate) item_of: Vec<Option<usize>>,
}

/// Share of DB time under which a saving is not worth a move, percent. Ours: nobody notices less.
const HARDLY_PCT: f64 = 0.1;
/// Times that an object is read in whole from which on it is re-read, so that no cache holds it.
const REREAD: f64 = 1.5;
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
    let with_segments: BTreeSet<&str> = found
        .entries
        .iter()
        .filter(|e| e.is_segment() && e.key.kind == KeyKind::Segment)
        .filter_map(|e| e.tablespace.as_deref())
        .collect();
    let split_into_files = files_that_split(found, sizes, &with_segments);

    let mut candidates: Vec<BuiltCandidate> = Vec::new();
    for entry in &found.entries {
        let mut entry = entry.clone();
        match entry.kind {
            CandidateKind::DataFile
                if !split_into_files.contains(entry.tablespace.as_deref().unwrap_or("")) =>
            {
                continue;
            }
            CandidateKind::Tablespace if split_into_files.contains(entry.key.name.as_str()) => continue,
            CandidateKind::Tablespace if with_segments.contains(entry.key.name.as_str()) => {
                entry.kind = CandidateKind::RestOfTablespace;
            }
            _ => {}
        }
        candidates.push(candidate(&entry, sizes, measured, all_requests, tiers.len()));
    }
    if options.keep_indexes {
        candidates = with_indexes(candidates, collected, warnings);
    }
    name_temp(&mut candidates, intervals, collected);
    tell_containers_apart(&mut candidates);
    let pins = pins(&candidates, tiers, options)?;
    let commit_share_pct = intervals
        .iter()
        .filter_map(|i| Some(100.0 * i.component_s(Component::Commit) / i.db_time_s?))
        .fold(0.0, f64::max);
    let exclude = |built: &mut BuiltCandidate| {
        let pinned = pins.contains_key(&built.candidate.object) && built.candidate.size_bytes.is_some();
        if built.candidate.excluded_because.is_none() && !pinned {
            built.candidate.excluded_because =
                excluded(built, sizes, measured, tiers, options, db_time_s, commit_share_pct);
        }
    };
    candidates.iter_mut().filter(|c| !c.segments.is_empty()).for_each(exclude);
    complete_rests(&mut candidates, options);
    tell_containers_apart(&mut candidates);
    candidates.iter_mut().filter(|c| c.segments.is_empty()).for_each(exclude);
    for built in &mut candidates {
        let best = built.saves.iter().map(sum).max_by(|a, b| a.mid.total_cmp(&b.mid));
        built.candidate.saves_s = best;
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
                .map(|(s, tier)| may_hold(tier, built.candidate.kind).then(|| sum(s).mid))
                .collect(),
            needs: Vec::new(),
            pinned: pins.get(&built.candidate.object).copied(),
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
                    && c.candidate.tablespace == built.candidate.tablespace
                    && c.candidate.container == built.candidate.container
            })
            .filter_map(|(other, _)| item_of[other])
            .collect();
        problem.items[item].needs = within;
    }
    Ok(Built { candidates, problem, item_of })
}

/// Tablespaces of several files of known size and no listed segment: their files are the candidates.
fn files_that_split(found: &Entries, sizes: &Sizes<'_>, with_segments: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut files: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for entry in found.entries.iter().filter(|e| e.kind == CandidateKind::DataFile) {
        let Some(space) = entry.tablespace.as_deref() else { continue };
        let known = sizes.of_candidate(&entry.key, entry.kind, Some(space)).is_some();
        let at = files.entry(space).or_insert((0, true));
        at.0 += 1;
        at.1 &= known;
    }
    let tablespace = |space: &str| {
        found.entries.iter().any(|e| e.kind == CandidateKind::Tablespace && e.key.name == space)
    };
    files
        .into_iter()
        .filter(|(space, (count, known))| {
            *count > 1 && *known && !with_segments.contains(space) && tablespace(space)
        })
        .map(|(space, _)| space.to_owned())
        .collect()
}

fn candidate(
    entry: &Entry,
    sizes: &Sizes<'_>,
    measured: &Measured,
    all_requests: f64,
    tiers: usize,
) -> BuiltCandidate {
    let size = sizes.of_candidate(&entry.key, entry.kind, entry.tablespace.as_deref());
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
        read_bytes: entry.bytes,
        read_requests: entry.read_requests,
        write_requests: entry.write_blocks,
        written_blocks: entry.write_blocks + entry.direct_write_blocks,
        segments: if entry.is_segment() {
            vec![(entry.key.owner.clone(), entry.key.name.clone())]
        } else {
            Vec::new()
        },
        candidate: Candidate {
            object,
            kind: entry.kind,
            owner: entry.key.owner.clone(),
            name: entry.key.name.clone(),
            partition: entry.key.partition.clone(),
            tablespace: entry.tablespace.clone(),
            container: entry.key.container.clone().or_else(|| measured.container.clone()),
            members: Vec::new(),
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
fn complete_rests(candidates: &mut [BuiltCandidate], options: &PlaceOptions) {
    let rests: Vec<usize> = (0..candidates.len())
        .filter(|n| candidates[*n].candidate.kind == CandidateKind::RestOfTablespace)
        .collect();
    for number in rests {
        let mut rest = candidates[number].clone();
        let same_space = |c: &BuiltCandidate| {
            !c.segments.is_empty()
                && c.candidate.tablespace == rest.candidate.tablespace
                && c.candidate.container == rest.candidate.container
        };
        let within: Vec<BuiltCandidate> = candidates.iter().filter(|c| same_space(c)).cloned().collect();
        let is_banned = |c: &BuiltCandidate| options.banned.iter().any(|name| is_named(&c.candidate, name));
        if let Some(stays) = within.iter().find(|c| is_banned(c)) {
            rest.candidate.excluded_because = Some(format!(
                "it moves as data files, and {}, which is to stay, lies in them",
                stays.candidate.object
            ));
            candidates[number] = rest;
            continue;
        }
        let (apart, along): (Vec<_>, Vec<_>) =
            within.into_iter().partition(|c| c.candidate.excluded_because.is_none());
        let apart_bytes: f64 = apart.iter().filter_map(|c| c.candidate.size_bytes).sum();
        rest.candidate.size_bytes = rest.candidate.size_bytes.map(|whole| (whole - apart_bytes).max(0.0));
        for part in &along {
            rest.add(part);
        }
        if apart.is_empty() {
            rest.candidate.kind = CandidateKind::Tablespace;
            rest.candidate.object = format!("tablespace {}", rest.candidate.name);
        }
        candidates[number] = rest;
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
    let names = if listed.is_empty() { printed } else { listed };
    if let (Some(name), 1) = (names.first(), names.len()) {
        for c in candidates.iter_mut().map(|b| &mut b.candidate).filter(|c| c.kind == CandidateKind::Temp) {
            (*name).clone_into(&mut c.name);
            c.tablespace = Some((*name).to_owned());
        }
    }
}

/// Names repeat between containers: those that do carry their container's.
fn tell_containers_apart(candidates: &mut [BuiltCandidate]) {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for built in candidates.iter() {
        *names.entry(built.candidate.object.clone()).or_default() += 1;
    }
    for c in candidates.iter_mut().map(|b| &mut b.candidate) {
        if names.get(&c.object).is_some_and(|n| *n > 1)
            && let Some(container) = &c.container
        {
            c.object = format!("{} in {container}", c.object);
        }
    }
}

/// Joins each table with its indexes and partitions into one candidate.
fn with_indexes(
    candidates: Vec<BuiltCandidate>,
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
        let (table_owner, table) = match table_of.get(&own) {
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
    // What moves is the table with everything that hangs on it, listed in a report or not.
    let mut bytes_of: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for segment in collected.iter().flat_map(|c| &c.segments) {
        let owner = segment.owner.as_deref().unwrap_or("");
        if seen.insert((owner, &segment.segment, &segment.partition, &segment.segment_type)) {
            *bytes_of.entry((owner, &segment.segment)).or_default() += segment.bytes.unwrap_or(f64::NAN);
        }
    }
    for ((_, owner, table), group) in groups {
        let hanging: Vec<&(String, String)> =
            table_of.iter().filter(|(_, t)| t.0 == owner && t.1 == table).map(|(part, _)| part).collect();
        if group.len() == 1 && hanging.is_empty() {
            result.extend(group);
            continue;
        }
        let mut whole = joined(&owner, &table, group);
        let own = bytes_of.get(&(owner.as_str(), table.as_str())).copied();
        let parts = hanging.iter().map(|p| bytes_of.get(&(p.0.as_str(), p.1.as_str())).copied());
        // A part of a megabyte at most is summed up in the lists and not named.
        let sum = own.map(|own| own + parts.map(|p| p.unwrap_or(1_048_576.0)).sum::<f64>());
        whole.candidate.size_bytes = sum.filter(|s| s.is_finite());
        result.push(whole);
    }
    result
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
        // Parts in several tablespaces are no part of the rest of one.
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

/// Tier of each pinned object.
fn pins(
    candidates: &[BuiltCandidate],
    tiers: &[Tier],
    options: &PlaceOptions,
) -> Result<BTreeMap<String, usize>, Refusal> {
    let mut pins = BTreeMap::new();
    for (name, tier) in &options.pinned {
        let number = match tier {
            None => 0,
            Some(tier) => tiers.iter().position(|t| t.name.eq_ignore_ascii_case(tier)).ok_or_else(|| {
                Refusal(format!("`{name}` is pinned to `{tier}`, which is none of the tiers given"))
            })?,
        };
        let mut any = false;
        for built in candidates.iter().filter(|c| is_named(&c.candidate, name)) {
            if built.candidate.size_bytes.is_none() {
                return Err(Refusal(format!(
                    "`{name}` is pinned, but its size is not known; give it with --size '{name}=10G' or --segments"
                )));
            }
            if !may_hold(&tiers[number], built.candidate.kind) {
                return Err(Refusal(format!(
                    "`{name}` is pinned to `{}`, which is memory and empty after a restart; only temp may go there",
                    tiers[number].name
                )));
            }
            pins.insert(built.candidate.object.clone(), number);
            any = true;
        }
        if !any {
            return Err(Refusal(format!("`{name}` is pinned, but no report or file names it")));
        }
    }
    for name in &options.banned {
        if !candidates.iter().any(|c| is_named(&c.candidate, name)) {
            return Err(Refusal(format!("`{name}` is to stay, but no report or file names it")));
        }
    }
    Ok(pins)
}

/// Does the user's name mean this candidate?
pub(crate) fn is_named(candidate: &Candidate, name: &str) -> bool {
    let named = |n: &str| n.eq_ignore_ascii_case(name);
    named(&candidate.object)
        || match candidate.kind {
            CandidateKind::Redo => named("redo"),
            CandidateKind::Temp => named("temp"),
            CandidateKind::ControlFiles => named("control files"),
            _ => {
                named(&candidate.name)
                    || candidate.owner.as_ref().is_some_and(|o| named(&format!("{o}.{}", candidate.name)))
            }
        }
}

/// Why a candidate is not considered.
fn excluded(
    built: &BuiltCandidate,
    sizes: &Sizes<'_>,
    measured: &Measured,
    tiers: &[Tier],
    options: &PlaceOptions,
    db_time_s: f64,
    commit_share_pct: f64,
) -> Option<String> {
    let c = &built.candidate;
    if options.banned.iter().any(|name| is_named(c, name)) {
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
                "commits wait {} for it, at most {} of DB time in an interval: under the {} from which on redo is worth \
                 moving (--pin redo moves it)",
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
        return Some(already_fast(built, tiers));
    }
    if best.mid < HARDLY_PCT / 100.0 * db_time_s {
        return Some(format!(
            "hardly read: it would save {}, less than a thousandth of DB time",
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
    if sizes.has_segments && !built.segments.is_empty() {
        return format!("its size is unknown: the collected segments do not list it; give {hint}");
    }
    format!("its size is unknown; give {hint}")
}

/// Under a share of the buffer cache and not re-read: the cache is the place for it.
fn cached(built: &BuiltCandidate, measured: &Measured, options: &PlaceOptions) -> Option<String> {
    let c = &built.candidate;
    if built.segments.is_empty() {
        return None;
    }
    let (size, cache) = (c.size_bytes?, measured.buffer_cache_bytes.filter(|b| *b > 0.0)?);
    let share = 100.0 * size / cache;
    if share >= options.cached_pct || c.reread_times.is_some_and(|times| times > REREAD) {
        return None;
    }
    Some(format!(
        "its {} are {} of the buffer cache: the cache holds it; if it is read again, put it into the KEEP pool \
         (db_keep_cache_size at least {})",
        words::bytes(size),
        words::percent(share),
        words::bytes((size * 1.1).max(1.0))
    ))
}

fn already_fast(built: &BuiltCandidate, tiers: &[Tier]) -> String {
    let c = &built.candidate;
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
