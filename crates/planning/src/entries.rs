//! Everything that could move, with the seconds that its I/O takes and would save on each tier, added
//! up over the intervals.

use crate::demand::{IntervalDemand, KeyKind, ObjectIo, ObjectKey, Pace, Scenario, Split, Totals, UNLIKE};
use crate::plan::{CandidateKind, Component, Source};
use crate::range::Range;
use crate::tier::Tier;
use crate::value::{
    commit_saved_s, follows_s, latency_spread, log_space_saved_s, net_saved_s, saved_s, service_us, waited_s,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Kinds of waits, in the order of their places in arrays.
pub(crate) const COMPONENTS: [Component; 11] = [
    Component::SingleBlockRead,
    Component::MultiBlockRead,
    Component::DirectRead,
    Component::TempRead,
    Component::TempWrite,
    Component::DirectWrite,
    Component::Commit,
    Component::DatabaseWriter,
    Component::ControlFile,
    Component::ReadByOther,
    Component::LogSpace,
];

/// Seconds by kind of wait.
pub(crate) type ByComponent = [Range; COMPONENTS.len()];

pub(crate) fn place_of(component: Component) -> usize {
    COMPONENTS.iter().position(|c| *c == component).unwrap_or(0)
}

pub(crate) fn sum(parts: &ByComponent) -> Range {
    parts.iter().copied().sum()
}

/// One thing that could move, over all intervals.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: ObjectKey,
    pub(crate) kind: CandidateKind,
    pub(crate) tablespace: Option<String>,
    pub(crate) object_type: Option<String>,
    pub(crate) read_blocks: f64,
    pub(crate) read_requests: f64,
    pub(crate) write_blocks: f64,
    pub(crate) direct_write_blocks: f64,
    pub(crate) bytes: f64,
    /// Requests to write that sessions wait for: temp's; redo's are commits.
    pub(crate) waited_writes: f64,
    pub(crate) waits: ByComponent,
    /// For each tier.
    pub(crate) saves: Vec<ByComponent>,
    /// Seconds that it takes longer on each tier where it saves least, likely, and where it saves most: nothing where it
    /// saves.
    pub(crate) loses: Vec<Range>,
    /// What its kinds of wait save and lose on each tier where it likely takes longer there in all; else nothing.
    pub(crate) unsettled: Vec<ByComponent>,
    /// Intervals in which it is printed.
    pub(crate) intervals: Vec<usize>,
    pub(crate) sources: Vec<Source>,
    /// Its name may be cut off.
    pub(crate) may_be_cut: bool,
    /// Seconds of its tablespace's or file's reads at most, where printed in every interval, and how many kinds
    /// of read they cover.
    pub(crate) printed_most: Option<(f64, usize)>,
}

/// Figures of a source kept for an object: enough to look it up.
const SOURCES: usize = 3;

/// All entries, and the total of each kind of wait.
pub(crate) struct Entries {
    pub(crate) entries: Vec<Entry>,
    /// Foreground seconds by kind of wait, over all intervals.
    pub(crate) totals: ByComponent,
    /// The most they would save if all of it lay on a tier, by tier: nothing takes no time.
    most: Vec<[f64; COMPONENTS.len()]>,
}

/// What the listed segments of a tablespace add up to.
#[derive(Clone, Copy, Default)]
struct Listed {
    split: [Split; 3],
    read_blocks: f64,
    write_blocks: f64,
    read_requests: [f64; 3],
}

/// Requests that a split makes.
fn made(split: &Split, totals: &Totals) -> f64 {
    split.single + split.multi + split.direct_blocks / totals.direct_request_blocks.max(1.0)
}

/// Blocks a read are printed to a tenth at worst.
const BLOCKS_A_READ_ROUNDED: f64 = 0.05;

/// What of a tablespace's reads is not those of its listed objects.
fn rest_of(space: &mut ObjectIo, listed: &Listed, totals: &Totals) {
    let (reads, blocks) = (space.read_requests, space.read_blocks);
    // Without blocks a read, one each is all that is known.
    let counts_blocks = reads.is_some_and(|reads| blocks > reads);
    for (scenario, split) in space.split.iter_mut().enumerate() {
        // Most of the rest is where the listed have least.
        let least = 2 - scenario;
        let less = &listed.split[least];
        split.single = (split.single - less.single).max(0.0);
        split.multi = (split.multi - less.multi).max(0.0);
        split.direct_blocks = (split.direct_blocks - less.direct_blocks).max(0.0);
        // The kinds of both are likely ones, and may fit each other badly; what is left in all is no estimate.
        let requests_left = reads.map_or(f64::INFINITY, |all| all - listed.read_requests[least]);
        let rounded = if scenario == 2 { BLOCKS_A_READ_ROUNDED * reads.unwrap_or(0.0) } else { 0.0 };
        let blocks_left = if counts_blocks { blocks + rounded - listed.read_blocks } else { f64::INFINITY };
        let (requests, least_blocks) =
            (made(split, totals), split.single + split.multi + split.direct_blocks);
        let of = |left: f64, made: f64| if made > left.max(0.0) { left.max(0.0) / made } else { 1.0 };
        let share = of(requests_left, requests).min(of(blocks_left, least_blocks));
        split.single *= share;
        split.multi *= share;
        split.direct_blocks *= share;
    }
    space.read_blocks = (blocks - listed.read_blocks).max(0.0);
    space.write_blocks = space.write_blocks.map(|w| (w - listed.write_blocks).max(0.0));
    space.read_requests = reads.map(|r| (r - listed.read_requests[1]).max(0.0));
}

/// Shares of one object in one interval's kinds of waits, by scenario.
struct Shares {
    single: Range,
    multi: Range,
    direct: Range,
    writer: Range,
    direct_write: Range,
}

/// Adds up all intervals.
pub(crate) fn entries(intervals: &[IntervalDemand], tiers: &[Tier]) -> Entries {
    let mut book = Book { entries: Vec::new(), index: Default::default(), tiers };
    let mut totals = [Range::ZERO; COMPONENTS.len()];
    let mut most = vec![[0.0; COMPONENTS.len()]; tiers.len()];
    // What a segment could have in an interval that does not list it.
    let mut unlisted: Vec<(Vec<f64>, f64)> = Vec::new();
    for (number, interval) in intervals.iter().enumerate() {
        for wait in &interval.waits {
            totals[place_of(wait.component)] += wait.time_s;
            for (most, tier) in most.iter_mut().zip(tiers) {
                most[place_of(wait.component)] += saved_s(wait, Range::exact(1.0), 1.0, tier).in_order().high;
            }
        }
        if let Some(commit) = &interval.commit {
            totals[place_of(Component::Commit)] += commit.time_s;
            totals[place_of(Component::LogSpace)] += commit.space_s;
            for most in &mut most {
                most[place_of(Component::Commit)] += commit.time_s.high;
                most[place_of(Component::LogSpace)] += commit.space_s.high;
            }
        }
        book.add(number, interval);
        unlisted.push(most_of_an_unlisted_segment(interval, tiers));
    }
    for entry in &mut book.entries {
        entry.loses = entry.saves.iter().map(|saves| loss(sum(saves))).collect();
        let as_is = |(saves, loses): (&ByComponent, &Range)| {
            if loses.mid > 0.0 { *saves } else { Default::default() }
        };
        entry.unsettled = entry.saves.iter().zip(&entry.loses).map(as_is).collect();
        entry.saves.iter_mut().for_each(|saves| *saves = settled(saves));
    }
    for entry in &mut book.entries {
        if entry.key.kind != KeyKind::Segment || !entry.is_segment() {
            continue;
        }
        for (number, (saves, waits)) in unlisted.iter().enumerate() {
            if entry.intervals.binary_search(&number).is_err() {
                entry.waits[0].high += waits;
                for (tier, saved) in saves.iter().enumerate() {
                    entry.saves[tier][0].high += saved;
                }
            }
        }
    }
    Entries { entries: book.entries, totals, most }
}

/// What is lost at each end of a saving, and likely.
fn loss(saves: Range) -> Range {
    let of = |s: f64| (-s).max(0.0);
    Range { low: of(saves.low), mid: of(saves.mid), high: of(saves.high) }
}

/// Takes what some kinds of wait lose on a tier from what others gain: an object moves with all its I/O.
fn settled(saves: &ByComponent) -> ByComponent {
    let left = |of: fn(&Range) -> f64| {
        let gains: f64 = saves.iter().map(|s| of(s).max(0.0)).sum();
        let all: f64 = saves.iter().map(of).sum();
        if gains > 0.0 { (all / gains).clamp(0.0, 1.0) } else { 0.0 }
    };
    let (low, mid, high) = (left(|s| s.low), left(|s| s.mid), left(|s| s.high));
    saves.map(|s| {
        Range { low: s.low.max(0.0) * low, mid: s.mid.max(0.0) * mid, high: s.high.max(0.0) * high }
            .in_order()
    })
}

impl Entries {
    /// Savings by kind of wait on some tiers, none above what is waited for, nor above what these leave of it:
    /// rounding and unseen shares are not all at their worst together. `waits` are those of what moves: what its
    /// reads take on the tier stays.
    pub(crate) fn within(&self, saves: &ByComponent, waits: &ByComponent, on: &[usize]) -> ByComponent {
        std::array::from_fn(|at| {
            let stays = (waits[at].mid - saves[at].mid).min(waits[at].high - saves[at].high).max(0.0);
            let most = on.iter().map(|tier| self.most[*tier][at]).fold(0.0, f64::max);
            let most = most.max(self.totals[at].high - stays).max(saves[at].mid);
            Range {
                low: saves[at].low.min(self.totals[at].low),
                mid: saves[at].mid.min(self.totals[at].mid),
                high: saves[at].high.min(self.totals[at].high).min(most),
            }
        })
    }
}

impl Entry {
    fn add_printed(&mut self, pace: Option<&Pace>) {
        self.printed_most = self.printed_most.zip(pace).map(|((most, kinds), pace)| {
            (most + pace.most_s, kinds.min(pace.us.iter().filter(|us| us.is_some()).count()))
        });
    }

    /// A table, index, partition or LOB, as against a part of the database that has no segment name.
    pub(crate) fn is_segment(&self) -> bool {
        !matches!(
            self.kind,
            CandidateKind::RestOfTablespace
                | CandidateKind::Tablespace
                | CandidateKind::DataFile
                | CandidateKind::Temp
                | CandidateKind::Undo
                | CandidateKind::Redo
                | CandidateKind::ControlFiles
        )
    }
}

/// Most that a segment saves, and waits, which the ranking by physical reads does not list: as many
/// single-block reads as the last one that it does list.
fn most_of_an_unlisted_segment(interval: &IntervalDemand, tiers: &[Tier]) -> (Vec<f64>, f64) {
    let none = (vec![0.0; tiers.len()], 0.0);
    let Some(least) = interval.least_listed_blocks.filter(|b| *b > 0.0) else { return none };
    if interval.totals.single_waits <= 0.0 {
        return none;
    }
    let share = Range::exact((least / interval.totals.single_waits).min(1.0));
    let waits = || interval.waits.iter().filter(|w| w.component == Component::SingleBlockRead);
    let saves = tiers.iter().map(|tier| waits().map(|w| saved_s(w, share, 1.0, tier).high).sum()).collect();
    (saves, waits().map(|w| waited_s(w, share, 1.0).high).sum())
}

struct Book<'t> {
    entries: Vec<Entry>,
    /// Place of each key, by group.
    index: [HashMap<ObjectKey, usize>; GROUPS],
    tiers: &'t [Tier],
}

/// A tablespace stands as a whole, as a rest and as temp at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CandidateGroup {
    Object,
    Rest,
    Temp,
    Redo,
    ControlFiles,
}

const GROUPS: usize = 5;

impl Book<'_> {
    fn entry(
        &mut self,
        group: CandidateGroup,
        key: &ObjectKey,
        kind: CandidateKind,
        number: usize,
        source: impl FnOnce() -> Source,
    ) -> &mut Entry {
        let index = &mut self.index[group as usize];
        let at = match index.get(key) {
            Some(at) => *at,
            None => {
                index.insert(key.clone(), self.entries.len());
                self.entries.push(Entry {
                    key: key.clone(),
                    kind,
                    tablespace: None,
                    object_type: None,
                    read_blocks: 0.0,
                    read_requests: 0.0,
                    write_blocks: 0.0,
                    direct_write_blocks: 0.0,
                    bytes: 0.0,
                    waited_writes: 0.0,
                    waits: [Range::ZERO; COMPONENTS.len()],
                    saves: vec![[Range::ZERO; COMPONENTS.len()]; self.tiers.len()],
                    loses: vec![Range::ZERO; self.tiers.len()],
                    unsettled: Vec::new(),
                    intervals: Vec::new(),
                    sources: Vec::new(),
                    may_be_cut: false,
                    printed_most: Some((0.0, READ_KINDS.len())),
                });
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[at];
        if entry.intervals.last() != Some(&number) {
            entry.intervals.push(number);
        }
        if entry.sources.len() < SOURCES {
            entry.sources.push(source());
        }
        entry
    }

    fn add(&mut self, number: usize, interval: &IntervalDemand) {
        self.add_objects(number, interval);
        self.add_temp(number, interval);
        self.add_redo(number, interval);
        self.add_control_files(number, interval);
    }

    fn add_objects(&mut self, number: usize, interval: &IntervalDemand) {
        let totals = &interval.totals;
        // What lies in a tablespace beside its listed segments.
        let mut listed: BTreeMap<(Option<&str>, &str), Listed> = BTreeMap::new();
        for object in interval.objects.iter().filter(|o| o.key.kind == KeyKind::Segment) {
            let Some(space) = object.tablespace.as_deref() else { continue };
            let sum = listed.entry((object.key.container.as_deref(), space)).or_default();
            for (sum, split) in sum.split.iter_mut().zip(&object.split) {
                sum.single += split.single;
                sum.multi += split.multi;
                sum.direct_blocks += split.direct_blocks;
            }
            sum.read_blocks += object.read_blocks;
            sum.write_blocks += object.write_blocks.unwrap_or(0.0);
            for (sum, split) in sum.read_requests.iter_mut().zip(&object.split) {
                *sum += object.read_requests.unwrap_or_else(|| made(split, totals));
            }
        }
        let mut rows = Vec::new();
        // Tablespaces as a whole, by the place of what is left of them.
        let mut wholes: BTreeMap<usize, &ObjectIo> = BTreeMap::new();
        for object in &interval.objects {
            let whole = object;
            let mut object = Cow::Borrowed(object);
            let mut group = CandidateGroup::Object;
            match object.kind {
                // Temp is read past the cache, by waits of its own.
                CandidateKind::Temp => continue,
                CandidateKind::Tablespace => {
                    let within = listed.get(&(object.key.container.as_deref(), object.key.name.as_str()));
                    let within = within.copied().unwrap_or_default();
                    rest_of(object.to_mut(), &within, totals);
                    wholes.insert(rows.len(), whole);
                    group = CandidateGroup::Rest;
                }
                _ => {}
            }
            rows.push((group, object));
        }
        // Files repeat their tablespaces, so they take no part in the sums.
        let counted = |kind: CandidateKind| kind != CandidateKind::DataFile;
        let requests = |of: fn(&Split) -> f64| -> f64 {
            rows.iter().filter(|(_, o)| counted(o.kind)).map(|(_, o)| of(&o.split[1])).sum()
        };
        let single_all = totals.single_waits.max(requests(|s| s.single));
        let multi_all = totals.multi_waits.max(requests(|s| s.multi));
        let direct_all = totals.direct_blocks.unwrap_or(0.0).max(requests(|s| s.direct_blocks));
        let slower_of = Slower::new(interval, [single_all, multi_all, direct_all]);
        let write_all = {
            let sum: f64 =
                rows.iter().filter(|(_, o)| counted(o.kind)).filter_map(|(_, o)| o.write_blocks).sum();
            totals.write_blocks.unwrap_or(0.0).max(sum)
        };
        let direct_write_all = {
            let sum: f64 = rows.iter().map(|(_, o)| o.direct_write_blocks).sum();
            totals.direct_write_blocks.unwrap_or(0.0).max(sum)
        };
        let means = means_of_spaces(&interval.objects);
        let mut slower: Vec<ObjectSlower> =
            rows.iter().map(|(_, object)| slower_of.of(object, &Reads::of(object))).collect();
        let unbound = slower.clone();
        slower_of.within_all(&rows, &mut slower);
        let tiers = self.tiers;
        let of_all = |part: f64, all: f64| Range::exact(if all > 0.0 { (part / all).min(1.0) } else { 0.0 });
        let part_of = |object: &ObjectIo, read: &Reads<'_>, slower: &ObjectSlower, part: &mut Part| {
            let share = |all: f64, of: &dyn Fn(&Split) -> f64| {
                let at = |scenario: Scenario| {
                    if all > 0.0 { (of(&read.split[scenario as usize]) / all).min(1.0) } else { 0.0 }
                };
                Range { low: at(Scenario::Low), mid: at(Scenario::Mid), high: at(Scenario::High) }
            };
            let shares = Shares {
                single: share(single_all, &|s| s.single),
                multi: share(multi_all, &|s| s.multi),
                direct: share(direct_all, &|s| s.direct_blocks),
                writer: of_all(object.write_blocks.unwrap_or(0.0), write_all),
                direct_write: of_all(object.direct_write_blocks, direct_write_all),
            };
            part.clear();
            part.add_waits(interval, &shares, slower, tiers);
            let charged_s = part.reads_then_s();
            let space = (object.key.container.as_deref(), object.tablespace.as_deref().unwrap_or(""));
            let mean_us = means.get(&space).copied();
            let owed = Owed::of(interval, object, read, &shares, slower, mean_us, &slower_of.foreground_s);
            owed.charge(part, totals.block_bytes, tiers, &charged_s);
        };
        // What bounds all waits of a kind bounds an object however its reads divide.
        let bound = |object: &ObjectIo, read: &Reads<'_>, at: usize| -> ObjectSlower {
            let (own, from, to) = (slower_of.of(object, read), &unbound[at], &slower[at]);
            let down = |from: f64, to: f64| if from > 0.0 { to / from } else { 1.0 };
            std::array::from_fn(|k| Range {
                low: own[k].low * down(from[k].low, to[k].low),
                mid: own[k].mid * down(from[k].mid, to[k].mid),
                high: own[k].high,
            })
        };
        let mut other = Part::none(tiers.len());
        // As it is likely read, and as it may be.
        let mut widest = |object: &ObjectIo, at: usize, part: &mut Part| {
            let is_segment = object.key.kind == KeyKind::Segment;
            for (split, pace) in &object.otherwise {
                let read = Reads { split: &[*split; 3], pace: *pace };
                part_of(object, &read, &bound(object, &read, at), &mut other);
                if is_segment {
                    other.cut_to_printed(*pace);
                    part.widen_sums_to(&other);
                } else {
                    part.widen_to(&other);
                }
            }
        };
        let mut part = Part::none(tiers.len());
        let mut of_listed: BTreeMap<(Option<&str>, &str), Part> = BTreeMap::new();
        let mut rests: Vec<(usize, Part)> = Vec::new();
        for (at, ((group, object), slower)) in rows.iter().zip(&slower).enumerate() {
            part_of(object, &Reads::of(object), slower, &mut part);
            let container = object.key.container.as_deref();
            if let (KeyKind::Segment, Some(space)) = (object.key.kind, object.tablespace.as_deref()) {
                part.cut_to_printed(object.pace);
                widest(object, at, &mut part);
                let sum = of_listed.entry((container, space));
                sum.or_insert_with(|| Part::none(tiers.len())).add(&part);
            }
            if *group == CandidateGroup::Rest && listed.contains_key(&(container, object.key.name.as_str())) {
                rests.push((at, part.clone()));
                continue;
            }
            if object.key.kind != KeyKind::Segment || object.tablespace.is_none() {
                widest(object, at, &mut part);
            }
            self.add_object(number, *group, object, &part, totals);
        }
        for (at, mut rest) in rests {
            let (group, object) = &rows[at];
            let name = (object.key.container.as_deref(), object.key.name.as_str());
            if let (Some(whole), Some(within)) = (wholes.get(&at), of_listed.get(&name)) {
                let read = Reads::of(whole);
                part_of(whole, &read, &bound(whole, &read, at), &mut part);
                widest(whole, at, &mut part);
                rest.widen_to_rest(&part, within);
            }
            self.add_object(number, *group, object, &rest, totals);
        }
    }

    /// Adds an object of an interval to its entry.
    fn add_object(
        &mut self,
        number: usize,
        group: CandidateGroup,
        object: &ObjectIo,
        part: &Part,
        totals: &Totals,
    ) {
        let entry = self.entry(group, &object.key, object.kind, number, || object.source.told());
        if entry.tablespace != object.tablespace && object.tablespace.is_some() {
            entry.tablespace.clone_from(&object.tablespace);
        }
        if entry.object_type != object.object_type && object.object_type.is_some() {
            entry.object_type.clone_from(&object.object_type);
        }
        entry.may_be_cut |= object.may_be_cut;
        entry.read_blocks += object.read_blocks;
        entry.bytes += object.read_blocks * totals.block_bytes;
        // Where requests are not printed, those that its blocks make by the likely paths.
        entry.read_requests += object.read_requests.unwrap_or_else(|| {
            let likely = &object.split[1];
            likely.single + likely.multi + likely.direct_blocks / totals.direct_request_blocks.max(1.0)
        });
        entry.write_blocks += object.write_blocks.unwrap_or(0.0);
        entry.direct_write_blocks += object.direct_write_blocks;
        entry.waits.iter_mut().zip(&part.waits).for_each(|(sum, own)| *sum += *own);
        for (sum, own) in entry.saves.iter_mut().zip(&part.saves) {
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += *own);
        }
        entry.add_printed(object.pace.as_ref());
    }

    fn add_temp(&mut self, number: usize, interval: &IntervalDemand) {
        let is_temp = |c: Component| matches!(c, Component::TempRead | Component::TempWrite);
        let tiers = self.tiers;
        let totals = &interval.totals;
        let blocks = totals.temp_read_blocks.unwrap_or(0.0);
        let Some(first) = interval.waits.iter().find(|w| is_temp(w.component)) else { return };
        let key = named("temp");
        let entry =
            self.entry(CandidateGroup::Temp, &key, CandidateKind::Temp, number, || first.source.clone());
        entry.read_blocks += blocks;
        entry.bytes += blocks * totals.block_bytes;
        entry.direct_write_blocks += totals.temp_write_blocks.unwrap_or(0.0);
        for wait in interval.waits.iter().filter(|w| is_temp(w.component)) {
            if wait.component == Component::TempRead {
                entry.read_requests += wait.waits;
            } else {
                entry.waited_writes += wait.waits;
            }
            let at = place_of(wait.component);
            let whole = Range::exact(1.0);
            entry.waits[at] += waited_s(wait, whole, 1.0);
            for (saves, tier) in entry.saves.iter_mut().zip(tiers) {
                saves[at] += net_saved_s(wait, whole, 1.0, tier).in_order();
            }
        }
    }

    fn add_redo(&mut self, number: usize, interval: &IntervalDemand) {
        let Some(commit) = &interval.commit else { return };
        let tiers = self.tiers;
        let elapsed_s = interval.elapsed_s.unwrap_or(f64::INFINITY);
        let key = named("redo");
        let entry =
            self.entry(CandidateGroup::Redo, &key, CandidateKind::Redo, number, || commit.source.clone());
        let at = place_of(Component::Commit);
        entry.write_blocks += commit.writes.unwrap_or(0.0);
        entry.waited_writes += commit.waits;
        entry.waits[at] += commit.time_s;
        for (saves, tier) in entry.saves.iter_mut().zip(tiers) {
            saves[at] += commit_saved_s(commit, elapsed_s, tier);
        }
        let at = place_of(Component::LogSpace);
        entry.waits[at] += commit.space_s;
        for (saves, tier) in entry.saves.iter_mut().zip(tiers) {
            saves[at] += log_space_saved_s(commit, tier);
        }
    }

    fn add_control_files(&mut self, number: usize, interval: &IntervalDemand) {
        let tiers = self.tiers;
        let waits = || interval.waits.iter().filter(|w| w.component == Component::ControlFile);
        let Some(first) = waits().next() else { return };
        let key = named("control files");
        let kind = CandidateKind::ControlFiles;
        let entry = self.entry(CandidateGroup::ControlFiles, &key, kind, number, || first.source.clone());
        let at = place_of(Component::ControlFile);
        for wait in waits() {
            entry.read_requests += wait.waits;
            let whole = Range::exact(1.0);
            entry.waits[at] += waited_s(wait, whole, 1.0);
            for (saves, tier) in entry.saves.iter_mut().zip(tiers) {
                saves[at] += net_saved_s(wait, whole, 1.0, tier).in_order();
            }
        }
    }
}

fn named(name: &str) -> ObjectKey {
    ObjectKey { name: name.to_owned(), ..ObjectKey::default() }
}

/// How much slower than the mean of their kind the reads of objects are.
struct Slower<'i> {
    interval: &'i IntervalDemand,
    /// Requests that shares are taken of.
    all: [f64; 3],
    /// Foreground seconds of each kind of read.
    foreground_s: [Range; 3],
}

/// The reads of one object against the mean, by kind.
type ObjectSlower = [Range; 3];

impl<'i> Slower<'i> {
    fn new(interval: &'i IntervalDemand, all: [f64; 3]) -> Self {
        let mut foreground_s = [Range::ZERO; 3];
        for wait in &interval.waits {
            if let Some(kind) = READ_KINDS.iter().position(|c| *c == wait.component) {
                foreground_s[kind] += wait.time_s;
            }
        }
        Self { interval, all, foreground_s }
    }

    /// `us` microseconds a request, against the mean of all requests of that kind.
    fn against_mean(&self, kind: usize, us: Range) -> Range {
        let waited_s = self.interval.accounts.waited_s[kind];
        if waited_s > 0.0 { us.scaled(self.all[kind] / 1e6 / waited_s) } else { Range::exact(1.0) }
    }

    /// Foreground seconds of so many requests of a scenario at this pace.
    fn seconds(&self, split: &Split, slower: &[Range; 3], covers: impl Fn(usize) -> bool) -> Range {
        let requests = requests(split);
        let of = |kind: usize| {
            let share = if self.all[kind] > 0.0 { (requests[kind] / self.all[kind]).min(1.0) } else { 0.0 };
            let (slower, time) = (slower[kind], self.foreground_s[kind]);
            Range {
                low: (share * slower.low).min(1.0) * time.low,
                mid: (share * slower.mid).min(1.0) * time.mid,
                high: (share * slower.high).min(1.0) * time.high,
            }
        };
        (0..3).filter(|kind| covers(*kind)).map(of).sum()
    }

    /// All objects together likely wait no longer than all waits of a kind, whatever each one's account says.
    fn within_all(&self, rows: &[(CandidateGroup, Cow<'_, ObjectIo>)], slower: &mut [ObjectSlower]) {
        for kind in 0..3 {
            let all = self.all[kind];
            if all <= 0.0 {
                continue;
            }
            let mut sum = 0.0;
            for ((_, object), slower) in rows.iter().zip(slower.iter_mut()) {
                let share = requests(&object.split[1])[kind] / all;
                // None of them waits longer than all.
                if share * slower[kind].mid > 1.0 {
                    slower[kind].mid = 1.0 / share;
                    slower[kind].low = slower[kind].low.min(slower[kind].mid);
                }
                // Files repeat their tablespaces.
                if object.kind != CandidateKind::DataFile {
                    sum += share * slower[kind].mid;
                }
            }
            if sum > 1.0 {
                for slower in slower.iter_mut() {
                    slower[kind].low /= sum;
                    slower[kind].mid /= sum;
                }
            }
        }
    }

    fn of_pace(&self, pace: &Pace) -> [Range; 3] {
        std::array::from_fn(|kind| pace.us[kind].map_or(Range::exact(1.0), |us| self.against_mean(kind, us)))
    }

    /// An object's reads, none longer than all that its tablespace prints.
    fn of(&self, object: &ObjectIo, read: &Reads<'_>) -> ObjectSlower {
        let is_segment = object.key.kind == KeyKind::Segment;
        // A tablespace's own mean is printed; an object's is not.
        let around = |slower: Range, is_printed: bool| {
            let spread = if is_segment { latency_spread(is_printed) } else { 0.0 };
            Range { low: slower.low * (1.0 - spread), mid: slower.mid, high: slower.high * (1.0 + spread) }
        };
        let Some(pace) = read.pace else {
            return [around(Range::exact(1.0), false); 3];
        };
        let covers = |kind: usize| pace.us[kind].is_some();
        let slower = self.of_pace(&pace);
        // What is not printed goes at the usual pace, at that of what is printed beside it, or at one between; and kinds of
        // read may be unlike.
        let unlike =
            |times: f64| Range { low: times.min(1.0) / UNLIKE, mid: 1.0, high: times.max(1.0) * UNLIKE };
        let mut by_kind: ObjectSlower = std::array::from_fn(|kind| match covers(kind) {
            true => around(slower[kind], true),
            false => unlike(pace.times),
        });
        // None waits longer than all of its tablespace; each end by the paths that it is made of.
        let [least, likely, most] = read.split;
        let s = |split: &Split| self.seconds(split, &by_kind, covers);
        let down = |s: f64| if s > pace.most_s { pace.most_s / s } else { 1.0 };
        let (low, mid, high) = (down(s(least).low), down(s(likely).mid), down(s(most).high));
        for kind in (0..3).filter(|kind| covers(*kind)) {
            let slower = &mut by_kind[kind];
            *slower = Range { low: slower.low * low, mid: slower.mid * mid, high: slower.high * high };
        }
        by_kind
    }
}

/// How an object is read, in three scenarios, and how long its reads take.
struct Reads<'o> {
    split: &'o [Split; 3],
    pace: Option<Pace>,
}

impl<'o> Reads<'o> {
    fn of(object: &'o ObjectIo) -> Self {
        Self { split: &object.split, pace: object.pace }
    }
}

fn requests(split: &Split) -> [f64; 3] {
    [split.single, split.multi, split.direct_blocks]
}

/// Mean read of each tablespace, microseconds, where the time of all its reads is printed.
fn means_of_spaces(objects: &[ObjectIo]) -> BTreeMap<(Option<&str>, &str), f64> {
    let mut sums: BTreeMap<(Option<&str>, &str), (f64, f64)> = BTreeMap::new();
    for object in objects.iter().filter(|o| o.key.kind == KeyKind::Tablespace) {
        let (Some(pace), Some(reads)) = (&object.pace, object.read_requests) else { continue };
        if pace.us.iter().all(Option::is_some) {
            let name = (object.key.container.as_deref(), object.key.name.as_str());
            // Rows of one name share a pace, and its seconds are those of all of them.
            let sum = sums.entry(name).or_insert((pace.likely_s, 0.0));
            sum.1 += reads;
        }
    }
    let mean = |(s, n): (f64, f64)| (s > 0.0 && n > 0.0).then(|| s * 1e6 / n);
    sums.into_iter().filter_map(|(name, sum)| Some((name, mean(sum)?))).collect()
}

/// Requests that a tier has to answer beside those that an object's shares of the waits bring: its seconds come from
/// what its tablespace prints, so its requests and bytes do too.
struct Owed {
    /// By kind of read, where its tablespace or file prints their time.
    printed: Option<[Option<PrintedReads>; 3]>,
    requests: f64,
    bytes: f64,
}

/// Reads of one kind that a tablespace or file prints, as far as sessions waited for them.
#[derive(Clone, Copy)]
struct PrintedReads {
    requests: f64,
    bytes: f64,
    /// What sessions waited for them.
    now_s: f64,
    /// Seconds that sessions wait longer for each that the counted requests take longer: the work beside a direct
    /// read does not grow with it.
    longer: f64,
}

impl PrintedReads {
    /// What the reads take on a tier.
    fn then_s(&self, tier: &Tier) -> Range {
        if self.requests <= 0.0 {
            return Range::ZERO;
        }
        let service = service_us(tier, false, self.bytes / self.requests).scaled(self.requests / 1e6);
        let of = |s: f64| s + (self.longer - 1.0) * (s - self.now_s).max(0.0);
        Range { low: of(service.low), mid: of(service.mid), high: of(service.high) }
    }
}

impl Owed {
    fn of(
        interval: &IntervalDemand,
        object: &ObjectIo,
        read: &Reads<'_>,
        shares: &Shares,
        slower: &ObjectSlower,
        mean_us: Option<f64>,
        foreground_s: &[Range; 3],
    ) -> Self {
        let of_kind = |kind: usize| [shares.single, shares.multi, shares.direct][kind].mid;
        let block_bytes = interval.totals.block_bytes;
        let (mut blocks, mut cached_s) = (0.0, 0.0);
        let (mut waits, mut now_s) = ([0.0; 3], [0.0; 3]);
        for wait in &interval.waits {
            let Some(kind) = READ_KINDS.iter().position(|c| *c == wait.component) else { continue };
            let share = Range::exact(of_kind(kind));
            now_s[kind] += waited_s(wait, share, slower[kind].mid).mid;
            waits[kind] += share.mid * wait.waits;
            if kind < 2 {
                blocks += share.mid * wait.waits * wait.bytes / block_bytes;
                cached_s += wait.time_s.mid;
            }
        }
        let is_printed = object.key.kind != KeyKind::Segment;
        if let (true, Some(pace), Some(reads)) = (is_printed, &read.pace, object.read_requests) {
            let split = &read.split[1];
            let direct = split.direct_blocks / interval.totals.direct_request_blocks.max(1.0);
            let several = (object.read_blocks - split.single - split.direct_blocks).max(0.0);
            let made = [
                (split.single, split.single),
                ((reads - split.single - direct).max(0.0), several),
                (direct, split.direct_blocks),
            ];
            // Where tablespaces print more seconds than sessions waited, either few of the reads were waited for, or all
            // were, and took less than is printed. The waits themselves tell: nobody waits for fewer reads into the
            // cache than there were waits. A direct read may be done before its wait, so of those the time decides.
            let counted = |kind: usize| {
                let all_s = interval.accounts.waited_s[kind];
                let waited = if all_s > 0.0 { (foreground_s[kind].mid / all_s).min(1.0) } else { 0.0 };
                let by_waits = match made[kind].0 {
                    requests if kind < 2 && requests > 0.0 => (waits[kind] / requests).min(1.0),
                    _ => 0.0,
                };
                (waited * pace.counted[kind]).max(by_waits)
            };
            let direct_s = interval.accounts.waited_s[2];
            let alone_s = direct_s - interval.accounts.behind_s;
            let printed = std::array::from_fn(|kind| {
                let (requests, blocks) = made[kind];
                pace.us[kind].map(|_| PrintedReads {
                    requests: requests * counted(kind),
                    bytes: blocks * block_bytes * counted(kind),
                    now_s: now_s[kind],
                    longer: if kind == 2 && alone_s > 0.0 { direct_s / alone_s } else { 1.0 },
                })
            });
            return Self { printed: Some(printed), requests: 0.0, bytes: 0.0 };
        }
        // Printed requests are its own; what is not printed follows the mean read of its tablespace.
        let follows = object.read_requests.is_none() && !is_printed;
        let (waits, seconds): (f64, f64) = (waits.iter().sum(), now_s.iter().sum());
        let requests = mean_us.filter(|_| follows).map_or(0.0, |us| (seconds * 1e6 / us - waits).max(0.0));
        // Of reads that background processes make nobody waits.
        let all_s = interval.accounts.waited_s[0] + interval.accounts.waited_s[1];
        let foreground = if all_s > 0.0 { (cached_s / all_s).min(1.0) } else { 0.0 };
        let own = (object.read_blocks - read.split[1].direct_blocks).max(0.0) * foreground;
        // Blocks are counted where a tablespace or file prints how many a read brings.
        let bytes = if is_printed { (own - blocks).max(0.0) * block_bytes } else { 0.0 };
        Self { printed: None, requests, bytes }
    }

    /// Takes from what its reads save what these take on each tier; `charged_s` is what its waits take there, by kind.
    fn charge(&self, part: &mut Part, block_bytes: f64, tiers: &[Tier], charged_s: &[[f64; 3]]) {
        for ((saves, tier), charged_s) in part.saves.iter_mut().zip(tiers).zip(charged_s) {
            if let Some(printed) = &self.printed {
                // Its reads take what all that it prints takes there, no more and no less.
                for ((kind, printed), charged_s) in READ_KINDS.iter().zip(printed).zip(charged_s) {
                    let Some(all) = printed.map(|reads| reads.then_s(tier)) else { continue };
                    let (beyond, at) = (all.mid - charged_s, place_of(*kind));
                    saves[at].low -= beyond + (all.high - all.mid);
                    saves[at].mid -= beyond;
                }
                continue;
            }
            if self.requests <= 0.0 && self.bytes <= 0.0 {
                continue;
            }
            let request = service_us(tier, false, block_bytes);
            let beyond = service_us(tier, false, block_bytes + self.bytes);
            let takes = |of: fn(&Range) -> f64| {
                (self.requests * of(&request) + (of(&beyond) - of(&request)).max(0.0)) / 1e6
            };
            let at = place_of(if self.bytes > 0.0 {
                Component::MultiBlockRead
            } else {
                Component::SingleBlockRead
            });
            saves[at].low -= takes(|us| us.high);
            saves[at].mid -= takes(|us| us.mid);
        }
    }
}

/// Kinds of read that tablespaces print the time of.
const READ_KINDS: [Component; 3] =
    [Component::SingleBlockRead, Component::MultiBlockRead, Component::DirectRead];
/// Their places in arrays.
const READ_PLACES: [usize; 3] = [0, 1, 2];

/// Cuts the waits for reads of the first kinds to so many seconds, and what they save with them. What is likely stays,
/// and what the likely reads take on a tier: of what is above, each kind loses the same share.
pub(crate) fn within_printed(waits: &mut ByComponent, saves: &mut [ByComponent], most_s: f64, kinds: usize) {
    let high = |parts: &[Range]| parts.iter().map(|part| part.high).sum::<f64>();
    let likely = |parts: &[Range]| parts.iter().map(|part| part.mid).sum::<f64>();
    let cut = |parts: &mut [Range], to: f64| {
        let (likely, above) = (likely(parts), high(parts) - likely(parts));
        if above > 0.0 && likely + above > to {
            let share = ((to - likely) / above).max(0.0);
            parts.iter_mut().for_each(|part| part.high = part.mid + share * (part.high - part.mid));
        }
    };
    let over = high(&waits[..kinds]) - most_s;
    if over <= 0.0 {
        return;
    }
    let now_s = likely(&waits[..kinds]);
    cut(&mut waits[..kinds], most_s);
    for saves in saves {
        // The same reads, were they as slow as printed at most.
        let slowest = most_s - (now_s - likely(&saves[..kinds]));
        let to = (high(&saves[..kinds]) - over).max(slowest);
        cut(&mut saves[..kinds], to);
    }
}

/// What an object's I/O takes in one interval, and would save on each tier.
#[derive(Clone)]
struct Part {
    waits: ByComponent,
    saves: Vec<ByComponent>,
    /// Of the reads into the cache, on each tier.
    read_saved_s: Vec<f64>,
}

impl Part {
    fn none(tiers: usize) -> Self {
        let none = [Range::ZERO; COMPONENTS.len()];
        Self { waits: none, saves: vec![none; tiers], read_saved_s: vec![0.0; tiers] }
    }

    fn clear(&mut self) {
        let none = [Range::ZERO; COMPONENTS.len()];
        self.waits = none;
        self.saves.fill(none);
    }

    fn add(&mut self, other: &Self) {
        self.waits.iter_mut().zip(&other.waits).for_each(|(sum, own)| *sum += *own);
        for (sum, own) in self.saves.iter_mut().zip(&other.saves) {
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += *own);
        }
    }

    /// Cuts what a segment's reads take to what its tablespace prints for all of them.
    fn cut_to_printed(&mut self, pace: Option<Pace>) {
        if let Some(pace) = pace {
            let kinds = pace.us.iter().filter(|us| us.is_some()).count();
            within_printed(&mut self.waits, &mut self.saves, pace.most_s, kinds);
        }
    }

    /// From the least of both to the most, all kinds together: what is read one way is not read another way too.
    fn widen_sums_to(&mut self, other: &Self) {
        let widen = |own: &mut ByComponent, other: &ByComponent| {
            let (sum_own, sum_other) = (sum(own), sum(other));
            let (mut less, mut more) = (sum_own.low - sum_other.low, sum_other.high - sum_own.high);
            for (own, other) in own.iter_mut().zip(other) {
                let down = (own.low - other.low).clamp(0.0, less.max(0.0));
                let up = (other.high - own.high).clamp(0.0, more.max(0.0));
                (own.low, own.high) = (own.low - down, own.high + up);
                (less, more) = (less - down, more - up);
            }
        };
        widen(&mut self.waits, &other.waits);
        self.saves.iter_mut().zip(&other.saves).for_each(|(own, other)| widen(own, other));
    }

    /// From the least of both to the most.
    fn widen_to(&mut self, other: &Self) {
        let widen = |own: &mut Range, other: &Range| {
            (own.low, own.high) = (own.low.min(other.low), own.high.max(other.high));
        };
        self.waits.iter_mut().zip(&other.waits).for_each(|(own, other)| widen(own, other));
        for (own, other) in self.saves.iter_mut().zip(&other.saves) {
            own.iter_mut().zip(other).for_each(|(own, other)| widen(own, other));
        }
    }

    /// Of a tablespace its own time is printed, and not that of what is left of it: that is the whole less its listed
    /// objects, whose reads may all take longer than likely, or less long.
    fn widen_to_rest(&mut self, whole: &Self, listed: &Self) {
        let widened = |own: Range, whole: Range, listed: Range| Range {
            low: own.low.min(whole.low - listed.high),
            mid: own.mid,
            high: own.high.max(whole.high - listed.low),
        };
        for ((own, whole), listed) in self.waits.iter_mut().zip(&whole.waits).zip(&listed.waits) {
            *own = widened(*own, *whole, *listed);
            own.low = own.low.max(0.0);
        }
        for ((own, whole), listed) in self.saves.iter_mut().zip(&whole.saves).zip(&listed.saves) {
            for (((own, whole), listed), waits) in own.iter_mut().zip(whole).zip(listed).zip(&self.waits) {
                // What the listed may lose is no gain of the rest beyond what is waited for it.
                let most = widened(*own, *whole, *listed);
                *own = Range { high: most.high.min(waits.high), ..most }.in_order();
            }
        }
    }

    /// Seconds that the reads take on each tier, by kind.
    fn reads_then_s(&self) -> Vec<[f64; 3]> {
        let of = |saves: &ByComponent| READ_PLACES.map(|at| self.waits[at].mid - saves[at].mid);
        self.saves.iter().map(of).collect()
    }

    /// Adds what an object's shares of each kind of wait take and would save.
    fn add_waits(
        &mut self,
        interval: &IntervalDemand,
        shares: &Shares,
        slower: &ObjectSlower,
        tiers: &[Tier],
    ) {
        let usual = Range::exact(1.0);
        // Waits for somebody else's read shorten as the reads do.
        let (mut read_s, mut read_all_s) = (0.0, 0.0);
        self.read_saved_s.fill(0.0);
        for wait in &interval.waits {
            let (share, slower) = match wait.component {
                Component::SingleBlockRead => (shares.single, slower[0]),
                Component::MultiBlockRead => (shares.multi, slower[1]),
                Component::DirectRead => (shares.direct, slower[2]),
                Component::DatabaseWriter => (shares.writer, usual),
                Component::DirectWrite => (shares.direct_write, usual),
                _ => continue,
            };
            let is_cached_read =
                matches!(wait.component, Component::SingleBlockRead | Component::MultiBlockRead);
            if is_cached_read {
                read_all_s += wait.time_s.mid;
            }
            if share.high <= 0.0 && share.mid <= 0.0 {
                continue;
            }
            let at = place_of(wait.component);
            // Each end by its own scenario: the share of one end at the pace of the other is none.
            let within = |of: &dyn Fn(Range, f64) -> Range| Range {
                low: of(Range::exact(share.low), slower.low).low,
                mid: of(Range::exact(share.mid), slower.mid).mid,
                high: of(Range::exact(share.high), slower.high).high,
            };
            let now = within(&|share, slower| waited_s(wait, share, slower)).in_order();
            self.waits[at] += now;
            if is_cached_read {
                read_s += now.mid;
            }
            for (number, tier) in tiers.iter().enumerate() {
                let saved = within(&|share, slower| net_saved_s(wait, share, slower, tier)).in_order();
                self.saves[number][at] += saved;
                if is_cached_read {
                    self.read_saved_s[number] += saved.mid;
                }
            }
        }
        if read_s <= 0.0 || read_all_s <= 0.0 {
            return;
        }
        let at = place_of(Component::ReadByOther);
        for wait in interval.waits.iter().filter(|w| w.component == Component::ReadByOther) {
            let follows = follows_s(wait, &interval.waits).scaled((read_s / read_all_s).min(1.0));
            self.waits[at] += follows;
            for (saves, saved) in self.saves.iter_mut().zip(&self.read_saved_s) {
                saves[at] += follows.scaled((saved / read_s).min(1.0));
            }
        }
    }
}
