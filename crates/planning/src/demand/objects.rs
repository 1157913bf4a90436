//! Who makes the requests: segments, tablespaces and files, with what rankings hide as bounds.
//!
//! A ranking lists its first few. What it does not list lies between nothing and the last value that
//! it lists; a ranking shorter than the longest one lists everything there was. From blocks, requests
//! and direct reads follows how many requests were for single blocks, for several, and past the
//! cache: exactly where all three are printed, else as three scenarios.

use super::accounts::Pace;
use super::key::{KeyKind, ObjectKey};
use super::totals::Totals;
use crate::class::Class;
use crate::plan::{CandidateKind, Source};
use crate::range::Range;
use crate::words;
use spindle_facts::{Report, TablespaceIo};
use std::collections::HashMap;
use std::sync::Arc;

/// Reads of an object by path, requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Split {
    /// Single-block requests.
    pub(crate) single: f64,
    /// Multi-block requests into the cache.
    pub(crate) multi: f64,
    /// Blocks read past the cache.
    pub(crate) direct_blocks: f64,
}

/// Which end of what the report leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scenario {
    Low,
    Mid,
    High,
}

impl Scenario {
    pub(crate) const ALL: [Self; 3] = [Self::Low, Self::Mid, Self::High];
}

/// One object in one report.
#[derive(Clone, Debug)]
pub(crate) struct ObjectIo {
    pub(crate) key: ObjectKey,
    pub(crate) kind: CandidateKind,
    pub(crate) tablespace: Option<String>,
    pub(crate) object_type: Option<String>,
    /// Blocks read: likely.
    pub(crate) read_blocks: f64,
    /// Requests read, where printed or derived.
    pub(crate) read_requests: Option<f64>,
    /// Low, mid, high.
    pub(crate) split: [Split; 3],
    /// Blocks written past the cache, and by the database writer.
    pub(crate) direct_write_blocks: f64,
    pub(crate) write_blocks: Option<f64>,
    /// What a read of its tablespace (or file) takes; `None` where not printed.
    pub(crate) pace: Option<Pace>,
    /// Ways in which it may be read beside those of the split, with their pace: each is whole by itself.
    pub(crate) otherwise: Vec<(Split, Option<Pace>)>,
    /// Its name fills the column of a text report, and no list says how it goes on.
    pub(crate) may_be_cut: bool,
    pub(crate) source: Printed,
}

/// Where an object is printed: reports list thousands, and few are looked up.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    pub(crate) source: Arc<str>,
    pub(crate) section: Arc<str>,
    pub(crate) line: u32,
}

impl Printed {
    pub(crate) fn told(&self) -> Source {
        Source { source: self.source.to_string(), section: self.section.to_string(), line: self.line }
    }
}

/// Names of the report and of its sections, each made once.
struct Titles<'r> {
    report: &'r Report,
    source: Arc<str>,
    sections: HashMap<u16, Arc<str>>,
}

impl<'r> Titles<'r> {
    fn of(report: &'r Report) -> Self {
        Self { report, source: report.identity.source.as_str().into(), sections: HashMap::new() }
    }

    fn at(&mut self, section: u16, line: u32) -> Printed {
        let title = || self.report.section_title(section).into();
        let section = Arc::clone(self.sections.entry(section).or_insert_with(title));
        Printed { source: Arc::clone(&self.source), section, line }
    }
}

/// Places of two rankings in the list of all.
const READS: usize = 0;
const REQUESTS: usize = 1;
const DIRECT: usize = 2;
const RANKINGS: [&str; 6] = [
    "physical_reads",
    "physical_read_requests",
    "direct_reads",
    "physical_writes",
    "direct_writes",
    "table_scans",
];

/// Blocks of a request at most, whatever their size: 1 MiB of 8 KiB blocks.
const MOST_BLOCKS: f64 = 128.0;
/// Share of the direct reads that segments may leave over where their ranking lists all: LOBs and rounding.
const DIRECT_LEFT: f64 = 0.05;
/// How far two rankings may disagree before it is said: they are read one after the other.
const DISAGREE: f64 = 1.05;

/// What the segments of a report are, and where its accounts of them contradict each other.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) objects: Vec<ObjectIo>,
    /// The least value that the ranking by physical reads lists.
    pub(crate) least: Option<f64>,
    /// Sentences for the plan.
    pub(crate) contradictions: Vec<String>,
    /// Direct reads that segments list.
    direct: DirectReads,
}

/// Blocks that segments with listed direct reads read: past the cache, and in all.
#[derive(Clone, Copy, Default)]
struct DirectListed {
    direct: f64,
    all: f64,
}

/// Direct reads by the tablespaces that segments list them in: only what is left of all is a guess.
#[derive(Default)]
struct DirectReads {
    spaces: HashMap<(Option<String>, String), DirectListed>,
    sum: DirectListed,
}

impl DirectReads {
    fn add(&mut self, container: Option<&str>, space: &str, direct: f64, blocks: f64) {
        let own = self.spaces.entry((container.map(str::to_owned), space.to_owned())).or_default();
        for sum in [own, &mut self.sum] {
            (sum.direct, sum.all) = (sum.direct + direct, sum.all + blocks);
        }
    }

    /// Direct blocks of a row: at least, likely, at most. `of_space` are those of all rows of its tablespace, and
    /// `direct` and `all` those of the database; no more than `several` likely came past the cache unlisted.
    fn bounds(
        &self,
        row: &TablespaceIo,
        (blocks, of_space, several): (f64, f64, f64),
        (direct, all): (f64, f64),
    ) -> [f64; 3] {
        let listed = self.spaces.get(&(row.container.clone(), row.tablespace.clone()));
        let listed = listed.copied().unwrap_or_default();
        let share = if of_space > 0.0 { (blocks / of_space).min(1.0) } else { 1.0 };
        // Smart scans are direct reads of segments, and no reads of tablespaces: where more is listed than was read,
        // all that is known is how it divides.
        let scale = if self.sum.direct > direct { direct / self.sum.direct } else { 1.0 };
        let known = (scale * listed.direct * share).min(blocks);
        let left = (direct - self.sum.direct).max(0.0);
        let (beside, all_beside) = ((blocks - listed.all * share).max(0.0), (all - self.sum.all).max(0.0));
        let rest = if all_beside > 0.0 { (left * beside / all_beside).min(beside) } else { 0.0 };
        let likely = (known + rest).min(several.max(known));
        // Rows of one tablespace have its segments between them.
        let least = if scale < 1.0 { 0.0 } else { (listed.direct - (of_space - blocks).max(0.0)).max(0.0) };
        [least.min(likely), likely, (listed.direct + left).min(direct).min(blocks).max(likely)]
    }
}

/// What a ranking says about what it does not list.
#[derive(Clone, Copy, Debug, Default)]
struct Ranking {
    rows: usize,
    least: f64,
    listed: f64,
}

/// Is it a temporary tablespace, as far as its name tells? A word of its own, not a part of one.
pub(crate) fn is_temp_name(name: &str) -> bool {
    words(name).any(|w| matches!(w, "TEMP" | "TMP" | "TEMPORARY"))
}

/// Is it an undo tablespace, as far as its name tells?
pub(crate) fn is_undo_name(name: &str) -> bool {
    words(name).any(|w| matches!(w, "UNDO" | "UNDOTBS" | "UNDOTS" | "RBS" | "UNDOTBSP"))
}

/// Words of a name, digits at their ends left out: `UNDOTBS1`, `TEMP_02`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).map(|w| w.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Every object of a report.
pub(crate) fn objects(report: &Report, totals: &Totals) -> Objects {
    let mut titles = Titles::of(report);
    let mut all = segments(report, totals, &mut titles);
    let found = &mut all.objects;
    let spaces = &report.tables.tablespace_io;
    let rounding = rounding_of_blocks(report);
    let mut of_spaces: HashMap<(Option<&str>, &str), f64> = HashMap::new();
    for row in spaces {
        let blocks = reads_of(report, row).map_or(0.0, |reads| blocks_of(row, reads));
        *of_spaces.entry((row.container.as_deref(), row.tablespace.as_str())).or_default() += blocks;
    }
    let direct = Direct { listed: &all.direct, of_spaces, rounding };
    // A name that stands twice is of two instances, or clipped: both are added up later.
    for row in spaces.iter().filter(|r| !r.tablespace.is_empty()) {
        found.extend(space(report, totals, row, KeyKind::Tablespace, &row.tablespace, &direct, &mut titles));
    }
    let files = &report.tables.file_io;
    for row in files.iter().filter(|r| !r.file.is_empty()) {
        found.extend(space(report, totals, &row.io, KeyKind::File, &row.file, &direct, &mut titles));
    }
    all
}

/// What tells how much of a tablespace or file was read past the cache.
struct Direct<'a> {
    listed: &'a DirectReads,
    /// Blocks by tablespace.
    of_spaces: HashMap<(Option<&'a str>, &'a str), f64>,
    /// Half of the last digit of blocks a read.
    rounding: f64,
}

/// Requests that a tablespace or file read: at least, likely, at most.
///
/// Text reports print what is wider than its column with two digits (`1.6E+06`), and the rate beside it may have more.
pub(super) fn requests_of(report: &Report, row: &TablespaceIo) -> Option<Range> {
    let by_rate = || -> Option<Range> {
        let (rate, elapsed_s) = (row.reads_per_s?.max(0.0), report.identity.elapsed_s?);
        // Rounded to a whole number.
        let over = |rate: f64| rate.max(0.0) * elapsed_s;
        Some(Range { low: over(rate - 0.5), mid: over(rate), high: over(rate + 0.5) })
    };
    let Some(reads) = row.reads else { return by_rate() };
    let digit = 10_f64.powf(reads.max(1.0).log10().floor() - 1.0);
    let is_rounded = reads >= WIDEST_COUNT && ((reads / digit).round() * digit - reads).abs() < 0.5;
    let finer = |rate: &Range| {
        rate.high - rate.low < digit && rate.low <= reads + 0.5 * digit && reads - 0.5 * digit <= rate.high
    };
    Some(by_rate().filter(|rate| is_rounded && finer(rate)).unwrap_or(Range::exact(reads)))
}

/// Counts from here on do not fit the column of a text report.
const WIDEST_COUNT: f64 = 1_000_000.0;

fn reads_of(report: &Report, row: &TablespaceIo) -> Option<f64> {
    requests_of(report, row).map(|reads| reads.mid)
}

fn blocks_of(row: &TablespaceIo, reads: f64) -> f64 {
    reads * row.blocks_per_read.unwrap_or(1.0).max(1.0)
}

/// Requests that each tablespace read, where all its rows print them.
fn reads_of_spaces(report: &Report) -> HashMap<(Option<&str>, &str), f64> {
    let mut reads: HashMap<(Option<&str>, &str), Option<f64>> = HashMap::new();
    for row in &report.tables.tablespace_io {
        let own = reads_of(report, row);
        let sum = reads.entry((row.container.as_deref(), row.tablespace.as_str())).or_insert(Some(0.0));
        *sum = sum.zip(own).map(|(sum, own)| sum + own);
    }
    reads.into_iter().filter_map(|(space, reads)| Some((space, reads?))).collect()
}

/// Blocks that a tablespace read.
#[derive(Clone, Copy, Default)]
struct SpaceBlocks {
    /// At most, in all.
    all: f64,
    /// At most, by requests of more than one block: every block beyond one a request brings one more
    /// with it, in requests of two.
    in_company: f64,
}

/// Half of the last digit that blocks a read are printed with.
pub(super) fn rounding_of_blocks(report: &Report) -> f64 {
    let is_fine = |per_read: f64| (10.0 * per_read - (10.0 * per_read).round()).abs() > 1e-6;
    let mut printed = report.tables.tablespace_io.iter().filter_map(|r| r.blocks_per_read);
    if printed.any(is_fine) { 0.005 } else { 0.05 }
}

/// Blocks that came by requests of more than one, at most.
fn in_company(reads: f64, blocks_a_read: f64) -> f64 {
    2.0 * reads * (blocks_a_read - 1.0).max(0.0)
}

/// Blocks of each tablespace, where all its rows print reads and blocks a read.
fn blocks_of_spaces(report: &Report) -> HashMap<(Option<&str>, &str), SpaceBlocks> {
    let rows = &report.tables.tablespace_io;
    let rounding = rounding_of_blocks(report);
    let mut found: HashMap<(Option<&str>, &str), Option<SpaceBlocks>> = HashMap::new();
    for row in rows {
        let reads = requests_of(report, row).map(|reads| reads.high);
        let own = reads.zip(row.blocks_per_read).map(|(reads, per_read)| SpaceBlocks {
            all: reads * (per_read + rounding),
            in_company: in_company(reads, per_read + rounding),
        });
        let name = (row.container.as_deref(), row.tablespace.as_str());
        let sum = found.entry(name).or_insert(Some(SpaceBlocks::default()));
        *sum = sum.zip(own).map(|(sum, own)| SpaceBlocks {
            all: sum.all + own.all,
            in_company: sum.in_company + own.in_company,
        });
    }
    found.into_iter().filter_map(|(space, blocks)| Some((space, blocks?))).collect()
}

fn segments(report: &Report, totals: &Totals, titles: &mut Titles<'_>) -> Objects {
    struct Measured<'r> {
        values: [Option<f64>; RANKINGS.len()],
        tablespace: Option<&'r str>,
        object_type: Option<&'r str>,
        may_be_cut: bool,
        source: (u16, u32),
    }
    type Name<'r> = (Option<&'r str>, Option<&'r str>, &'r str, Option<&'r str>, Option<Class>);
    let rows = || {
        report.tables.segment_stat.iter().filter_map(|row| {
            let ranking = RANKINGS.iter().position(|r| *r == row.ranked_by)?;
            Some((ranking, row))
        })
    };
    let for_all = rows().any(|(_, r)| r.instance_number.is_none());
    let mut rankings = [Ranking::default(); RANKINGS.len()];
    let mut index: HashMap<Name<'_>, usize> = HashMap::new();
    let mut measured: Vec<(Name<'_>, Measured<'_>)> = Vec::new();
    for (ranking, row) in rows().filter(|(_, r)| r.instance_number.is_none() == for_all) {
        let (Some(object), Some(value)) = (row.object.as_deref(), row.value) else { continue };
        if !(value.is_finite() && value >= 0.0) {
            continue;
        }
        let about = &mut rankings[ranking];
        about.least = if about.rows == 0 { value } else { about.least.min(value) };
        about.rows += 1;
        about.listed += value;
        let class = Class::of(row.object_type.as_deref());
        let name = (row.container.as_deref(), row.owner.as_deref(), object, row.subobject.as_deref(), class);
        let at = *index.entry(name).or_insert_with(|| {
            measured.push((
                name,
                Measured {
                    values: [None; RANKINGS.len()],
                    tablespace: row.tablespace.as_deref(),
                    object_type: row.object_type.as_deref(),
                    may_be_cut: row.filled.object || row.filled.owner || row.filled.subobject,
                    source: (row.section, row.line),
                },
            ));
            measured.len() - 1
        });
        let cell = &mut measured[at].1.values[ranking];
        *cell = Some(cell.unwrap_or(0.0) + value);
    }
    if measured.is_empty() {
        return Objects::default();
    }
    let longest = rankings.iter().map(|r| r.rows).max().unwrap_or(0);
    // Direct reads that no listed object made say that a short ranking does not list all there was.
    let direct_is_cut = totals
        .direct_blocks
        .is_some_and(|all| all - rankings[DIRECT].listed > DIRECT_LEFT * all && rankings[DIRECT].rows > 0);
    // Most that an object which a ranking does not list can have.
    let unlisted = |ranking: usize| -> f64 {
        let about = &rankings[ranking];
        if about.rows == 0 {
            f64::INFINITY
        } else if about.rows < longest && !(ranking == DIRECT && direct_is_cut) {
            0.0
        } else {
            about.least
        }
    };
    // Direct reads that no listed object made, for those whose direct reads are not listed.
    let direct_rest = totals.direct_blocks.map(|all| (all - rankings[DIRECT].listed).max(0.0));
    let reads_without_direct: f64 = measured
        .iter()
        .filter(|(_, m)| m.values[DIRECT].is_none())
        .filter_map(|(_, m)| m.values[READS])
        .sum();
    let all_reads = totals.read_blocks.unwrap_or(rankings[READS].listed).max(rankings[READS].listed);
    let reads_beside = (all_reads - rankings[READS].listed).max(0.0) + reads_without_direct;

    // No object makes more requests than its tablespace has left beside those that are listed.
    let space_reads = reads_of_spaces(report);
    let mut space_listed: HashMap<(Option<&str>, &str), f64> = HashMap::new();
    for ((container, ..), m) in &measured {
        if let (Some(space), Some(requests)) = (m.tablespace, m.values[REQUESTS]) {
            *space_listed.entry((*container, space)).or_default() += requests;
        }
    }
    let left_in_space = |container: Option<&str>, space: Option<&str>| -> f64 {
        let Some(all) = space.and_then(|s| space_reads.get(&(container, s))) else { return f64::INFINITY };
        let listed = space.and_then(|s| space_listed.get(&(container, s))).copied().unwrap_or(0.0);
        // Accounts that disagree bound nothing but by the whole.
        if listed > *all { *all } else { all - listed }
    };
    let space_blocks = blocks_of_spaces(report);
    let last_requests = match rankings[REQUESTS].rows {
        0 => f64::INFINITY,
        _ => rankings[REQUESTS].least,
    };
    let most_blocks = (1_048_576.0 / totals.block_bytes).max(MOST_BLOCKS);
    let mut contradictions = Vec::new();
    let mut direct_listed = DirectReads::default();

    let objects = measured
        .into_iter()
        .filter_map(|((container, owner, object, part, class), m)| {
            let [reads, requests, direct, writes, direct_writes, scans] = m.values;
            let least_reads = direct.unwrap_or(0.0).max(requests.unwrap_or(0.0));
            let blocks = match reads {
                Some(reads) => reads,
                // Ranked by requests or direct reads alone: at least those.
                None if least_reads > 0.0 => least_reads,
                None if writes.is_some() || direct_writes.is_some() => 0.0,
                None => return None,
            };
            // It may have read as much as the last one that the ranking by reads lists.
            let most_read = match reads {
                Some(reads) => reads,
                None if least_reads > 0.0 => {
                    let within = m.tablespace.and_then(|space| space_blocks.get(&(container, space)));
                    let most = within.map_or(all_reads, |space| space.all).min(unlisted(READS));
                    most.max(blocks)
                }
                None => blocks,
            };
            // Scans of tables and indexes take several blocks at once; a large object may be read by one.
            let scannable = m.object_type.is_some_and(|t| {
                let word = t.to_ascii_uppercase();
                word.starts_with("INDEX") || word.starts_with("TABLE")
            });
            let by_scans = m
                .tablespace
                .filter(|_| scannable)
                .and_then(|space| space_blocks.get(&(container, space)))
                // A tablespace that read less than what lies in it bounds nothing.
                .filter(|space| blocks <= space.all)
                .map_or(f64::INFINITY, |space| space.in_company);
            if let (Some(direct), Some(space)) = (direct, m.tablespace.filter(|s| !is_temp_name(s))) {
                direct_listed.add(container, space, direct.min(blocks), blocks);
            }
            let direct_bounds = match direct {
                Some(direct) => [direct.min(blocks); 3],
                None => {
                    let most = unlisted(DIRECT)
                        .min(blocks)
                        .min(direct_rest.unwrap_or(f64::INFINITY))
                        .min(by_scans);
                    let likely = match direct_rest {
                        Some(rest) if reads_beside > 0.0 => (rest * blocks / reads_beside).min(most),
                        _ => 0.0,
                    };
                    [0.0, likely, most]
                }
            };
            let is_index = m.object_type.is_some_and(|t| t.to_ascii_uppercase().starts_with("INDEX"));
            let scanned = scans.is_some_and(|s| s > 0.0);
            let (name, space) = (object, m.tablespace);
            let mut most = [last_requests.min(left_in_space(container, space)); 3];
            if let (None, Some(blocks)) = (requests, reads)
                && blocks > DISAGREE * most_blocks * most[0]
            {
                let shown: Vec<&str> = [owner, Some(object), part].into_iter().flatten().collect();
                contradictions.push(format!(
                    "`{}`: its accounts contradict each other: {} blocks of `{}` take at least {} requests, and the \
                     rankings and its tablespace leave it {} at most; its range is wider for it.",
                    report.identity.source,
                    words::count(blocks),
                    shown.join("."),
                    words::count(blocks / most_blocks),
                    words::count(most[0])
                ));
                // One account or the other: at least as few requests as one says, at most as the other lets.
                let whole = space.and_then(|s| space_reads.get(&(container, s))).copied();
                most[1] = blocks / most_blocks;
                most[2] = whole.unwrap_or(f64::INFINITY).max(most[1]);
            }
            let blocks_of = [blocks, blocks, most_read];
            let likely = split(blocks_of, requests, (most, by_scans), direct_bounds, (is_index, scanned), totals);
            let ends = ends(blocks_of, requests, (most[2], by_scans), direct_bounds, totals);
            Some(ObjectIo {
                key: ObjectKey {
                    kind: KeyKind::Segment,
                    container: container.map(str::to_owned),
                    owner: owner.map(str::to_owned),
                    name: name.to_owned(),
                    partition: part.filter(|p| !p.is_empty()).map(str::to_owned),
                    class,
                },
                kind: kind_of(m.object_type, part.is_some_and(|p| !p.is_empty())),
                tablespace: space.map(str::to_owned),
                object_type: m.object_type.map(str::to_owned),
                read_blocks: blocks,
                read_requests: requests,
                split: likely,
                direct_write_blocks: direct_writes.unwrap_or(0.0),
                write_blocks: writes,
                pace: None,
                // Where there is one way alone, the split says it.
                otherwise: match likely.iter().all(|own| ends[..] == [*own]) {
                    true => Vec::new(),
                    false => ends.into_iter().map(|end| (end, None)).collect(),
                },
                may_be_cut: m.may_be_cut,
                source: titles.at(m.source.0, m.source.1),
            })
        })
        .collect();
    let least =
        (rankings[READS].rows >= longest && rankings[READS].rows > 0).then_some(rankings[READS].least);
    Objects { objects, least, contradictions, direct: direct_listed }
}

fn kind_of(object_type: Option<&str>, partition: bool) -> CandidateKind {
    let word = object_type.unwrap_or("").to_ascii_uppercase();
    match () {
        () if word.starts_with("INDEX") && (partition || word.contains("PART")) => {
            CandidateKind::IndexPartition
        }
        () if word.starts_with("INDEX") => CandidateKind::Index,
        () if word.starts_with("LOB") => CandidateKind::Lob,
        () if word.starts_with("CLUSTER") => CandidateKind::Cluster,
        () if word.starts_with("TABLE") && (partition || word.contains("PART") || word.contains("SUB")) => {
            CandidateKind::TablePartition
        }
        () if word.starts_with("TABLE") => CandidateKind::Table,
        () => CandidateKind::Segment,
    }
}

/// Single, multi and direct reads in three scenarios: the low one takes every block by the path that
/// waits least a block, the high one by the path that waits most. Requests that are not printed are at
/// most `most_requests`, and no more blocks than `by_scans` came by requests for several.
fn split(
    blocks: [f64; 3],
    requests: Option<f64>,
    (most_requests, by_scans): ([f64; 3], f64),
    direct: [f64; 3],
    (is_index, scanned): (bool, bool),
    totals: &Totals,
) -> [Split; 3] {
    let m = totals.multi_blocks.max(1.0);
    let [direct_least, direct_likely, direct_most] = direct;
    let of = |scenario: Scenario| {
        let direct_blocks = match scenario {
            Scenario::Low => direct_most,
            Scenario::Mid => direct_likely,
            Scenario::High => direct_least,
        };
        let cached = (blocks[scenario as usize] - direct_blocks).max(0.0);
        let by_requests = |requests: f64| {
            let through = (requests - direct_blocks / totals.direct_request_blocks.max(1.0)).max(0.0);
            if m <= 1.0 {
                return Split { single: through.min(cached), multi: 0.0, direct_blocks };
            }
            let multi = ((cached - through) / (m - 1.0)).clamp(0.0, through);
            Split { single: through - multi, multi, direct_blocks }
        };
        if let Some(requests) = requests {
            let [least, _, most] = blocks;
            if most <= least || scenario == Scenario::Mid {
                return by_requests(requests);
            }
            // How many blocks these requests brought is not listed: any of them may be for several.
            let through = (requests - direct_blocks / totals.direct_request_blocks.max(1.0)).max(0.0);
            let several = ((most - direct_blocks - through) / (m - 1.0).max(f64::MIN_POSITIVE))
                .clamp(0.0, through)
                .min(totals.multi_waits);
            return match scenario {
                Scenario::Low => Split { single: through - several, multi: 0.0, direct_blocks },
                _ => Split { single: through, multi: several, direct_blocks },
            };
        }
        // Without requests: of all blocks that came through the cache, so many came singly.
        let all = totals.single_waits + m * totals.multi_waits;
        let singly = if all > 0.0 { totals.single_waits / all } else { 1.0 };
        // No object was read by more multi-block reads than there were, nor its tablespace.
        let most_multi = (totals.multi_waits * m).min((by_scans - direct_blocks).max(0.0));
        let by_multi = |share: f64| (cached * share).min(most_multi);
        let multi_blocks = match scenario {
            // Several blocks may take longer than as many one by one.
            Scenario::Low if totals.several_take_longer => 0.0,
            Scenario::High if totals.several_take_longer => by_multi(1.0),
            Scenario::Low => by_multi(1.0),
            Scenario::Mid if is_index => 0.0,
            Scenario::Mid if scanned => by_multi(1.0 - 0.5 * singly),
            Scenario::Mid => by_multi(1.0 - singly),
            Scenario::High => 0.0,
        };
        // No object was read by more single-block reads than there were.
        let multi_blocks = multi_blocks.max((cached - totals.most_singles).min(most_multi));
        let split = Split { single: cached - multi_blocks, multi: multi_blocks / m, direct_blocks };
        let made = split.single + split.multi + direct_blocks / totals.direct_request_blocks.max(1.0);
        let most = most_requests[scenario as usize];
        if made > most { by_requests(most) } else { split }
    };
    Scenario::ALL.map(of)
}

/// Ways to read an object between which all others lie that the report leaves open: as few blocks past the cache as may
/// be and as many, as few of the others by several and as many, as few blocks in all and as many.
fn ends(
    blocks: [f64; 3],
    requests: Option<f64>,
    (most_requests, by_scans): (f64, f64),
    direct: [f64; 3],
    totals: &Totals,
) -> Vec<Split> {
    let m = totals.multi_blocks.max(1.0);
    let is_known = blocks[2] <= blocks[0];
    let mut found: Vec<Split> = Vec::new();
    let mut add = |split: Split| {
        if !found.contains(&split) {
            found.push(split);
        }
    };
    for direct_blocks in [direct[0], direct[2]] {
        let past = direct_blocks / totals.direct_request_blocks.max(1.0);
        let through = (requests.unwrap_or(most_requests) - past).max(0.0);
        for blocks in [blocks[0], blocks[2]] {
            let cached = (blocks - direct_blocks).max(0.0);
            // No object was read by more multi-block reads than there were, nor its tablespace.
            let most_multi =
                totals.multi_waits.min((by_scans - direct_blocks).max(0.0) / m).min(through).min(cached / m);
            // So many requests bring so many blocks by several at least.
            let several =
                |n: f64| if m > 1.0 { ((cached - n) / (m - 1.0)).clamp(0.0, most_multi) } else { 0.0 };
            if requests.is_some() {
                let multi = several(through);
                add(Split { single: through - multi, multi, direct_blocks });
                if !is_known {
                    add(Split { single: through, multi: 0.0, direct_blocks });
                }
                continue;
            }
            let fewest = several(through.min(totals.most_singles));
            for multi in [if is_known { fewest } else { 0.0 }, most_multi] {
                let single = (cached - multi * m).max(0.0).min(totals.most_singles);
                add(Split { single: single.min((through - multi).max(0.0)), multi, direct_blocks });
            }
        }
    }
    found
}

/// A tablespace or a file.
fn space(
    report: &Report,
    totals: &Totals,
    row: &TablespaceIo,
    kind: KeyKind,
    name: &str,
    direct: &Direct<'_>,
    titles: &mut Titles<'_>,
) -> Option<ObjectIo> {
    let reads = reads_of(report, row)?;
    let blocks = blocks_of(row, reads);
    // Temp is no part of a tablespace of data, so its reads are no part of what direct reads are a share of.
    let of_data =
        totals.read_blocks.map(|all| all - totals.temp_read_blocks.unwrap_or(0.0) - totals.smart_blocks);
    // What is read block by block is likely read into the cache, unless it is a large object.
    let several = row.blocks_per_read.map_or(f64::INFINITY, |n| in_company(reads, n + direct.rounding));
    let of_space = direct.of_spaces.get(&(row.container.as_deref(), row.tablespace.as_str())).copied();
    let of_row = (blocks, of_space.unwrap_or(0.0).max(blocks), several);
    let bounds = match (totals.direct_blocks, of_data) {
        (Some(all_direct), Some(all)) if all > 0.0 => {
            direct.listed.bounds(row, of_row, (all_direct, all.max(all_direct)))
        }
        _ => [0.0, 0.0, 0.0],
    };
    let file_kind = match kind {
        KeyKind::File => CandidateKind::DataFile,
        _ if is_temp_name(name) => CandidateKind::Temp,
        _ if is_undo_name(name) => CandidateKind::Undo,
        _ => CandidateKind::Tablespace,
    };
    Some(ObjectIo {
        key: ObjectKey {
            kind,
            container: row.container.clone(),
            owner: None,
            name: name.to_owned(),
            partition: None,
            class: None,
        },
        kind: file_kind,
        tablespace: Some(row.tablespace.clone()),
        object_type: None,
        read_blocks: blocks,
        read_requests: Some(reads),
        split: split([blocks; 3], Some(reads), ([reads; 3], f64::INFINITY), bounds, (false, false), totals),
        direct_write_blocks: 0.0,
        write_blocks: row.writes.or_else(|| Some(row.writes_per_s? * report.identity.elapsed_s?)),
        pace: None,
        otherwise: Vec::new(),
        may_be_cut: false,
        source: titles.at(row.section, row.line),
    })
}
