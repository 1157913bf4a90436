//! What a placement says, in the shape that `spindle place --json` promises.

use crate::range::Range;
use crate::tier::Tier;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A plan for the fast tier of one database.
///
/// Seconds are over all intervals that the reports cover, which `measured` describes.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// One or two sentences with numbers.
    pub answer: String,
    /// What the plan was computed from.
    pub measured: Measured,
    /// Tiers offered.
    pub tiers: Vec<Tier>,
    /// Everything that was looked at, largest saving first.
    pub candidates: Vec<Candidate>,
    /// Names of the candidates chosen, in the order in which to move them: most seconds a byte that are
    /// sure first, what may save nothing last, no index before its table. The script keeps it.
    pub chosen: Vec<String>,
    /// Use of each tier.
    pub tier_use: Vec<TierUse>,
    /// Best saving of all tiers together by capacity of the first one, ascending.
    pub frontier: Vec<FrontierPoint>,
    /// Where more capacity begins to buy little; `None` where nothing is to be saved.
    pub knee: Option<FrontierPoint>,
    /// What 100 GB more on the first tier would save beyond the plan.
    pub next_100_gb: Option<NextCapacity>,
    /// DB time now and then.
    pub db_time_s: DbTime,
    /// Seconds saved by the objects that move, `[low, mid, high]`.
    pub saves_s: Range,
    /// Seconds that sessions wait longer for what was pinned to a tier slower than today's storage, or to one that
    /// requests queue before; taken from what DB time is then, and no part of `saves_s`. An infinite upper end (`null`)
    /// is open: the tier is asked for more than it can do, and the middle is the least that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loses_s: Option<Range>,
    /// Response time by part, now and then, for the picture.
    pub response_time: Vec<ResponsePart>,
    /// Seconds more that stay-behind I/O may save since load leaves its storage; not in `saves_s`.
    pub relief_s: Option<f64>,
    /// Range of the relief.
    pub relief_range_s: Option<Range>,
    /// How the relief was computed, in a sentence.
    pub relief_because: String,
    /// Statements, largest gain in seconds first.
    pub statements: Vec<StatementGain>,
    /// What else could be done with the money: after this plan, what likely saves most first.
    pub alternatives: Vec<Alternative>,
    /// Share of the read requests that no candidate accounts for, percent.
    pub unseen_io_pct: Option<f64>,
    /// What that means, in plain words.
    pub unseen: String,
    /// Published sum over (executions + 1) x bytes, by object and access path, where plans were given.
    pub plan_volumes: Vec<PlanVolume>,
    /// Likely seconds saved if all reads came from the first tier, which the answer speaks of.
    #[serde(skip)]
    pub all_reads_s: f64,
    /// The same before its caps.
    #[serde(skip)]
    pub all_reads_uncapped_s: f64,
    /// Another choice that likely saves as much and surely more, which the answer speaks of.
    #[serde(skip)]
    pub surer: Option<String>,
    /// Doubts and contradictions, a sentence each.
    pub warnings: Vec<String>,
    /// Text of the move script, where asked for.
    pub script: Option<String>,
}

impl Plan {
    /// What stays, and would save something.
    pub fn left_to_gain(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|c| c.tier.is_none() && c.saves_s.is_some_and(|s| s.mid > 0.0))
    }

    /// What moves, in order, with the number of its step: a tablespace and what its data files take along are one.
    #[must_use]
    pub fn steps(&self) -> Vec<(usize, &Candidate)> {
        let by_name: std::collections::HashMap<&str, &Candidate> =
            self.candidates.iter().rev().map(|c| (c.object.as_str(), c)).collect();
        let mut number = 0;
        let of = |name: &String| by_name.get(name.as_str()).copied();
        self.chosen
            .iter()
            .filter_map(of)
            .map(|c| {
                number += usize::from(c.moves_with.is_none() || number == 0);
                (number, c)
            })
            .collect()
    }

    /// Do the reports lack the waits that the question asks for, so that there is no answer?
    #[must_use]
    pub fn lacks_waits(&self) -> bool {
        crate::say::lacks_waits(self)
    }
}

/// What a plan was computed from.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Measured {
    pub db_name: Option<String>,
    pub db_id: Option<u64>,
    pub container: Option<String>,
    pub version: Option<String>,
    pub instances: Vec<u32>,
    pub intervals: usize,
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    pub elapsed_s: f64,
    pub block_size_bytes: f64,
    /// What DB time was derived from, where a report prints none; and in how many of the intervals.
    pub db_time_from: Option<String>,
    pub db_time_derived: usize,
    /// Buffer cache of an instance, bytes, where printed.
    pub buffer_cache_bytes: Option<f64>,
    /// Redo written a second, bytes, and temp written a second, where printed.
    pub redo_bytes_per_s: Option<f64>,
    pub temp_write_bytes_per_s: Option<f64>,
    /// Share of DB time in intervals whose diagnosis says that storage is not the problem, percent.
    pub storage_is_innocent_pct: f64,
    /// Intervals whose reports print no waits by event: what storage would save there is not known.
    pub without_events: usize,
    /// Seconds of `User I/O` and `Commit` at most, where every report prints waits by class alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_waits_s: Option<[f64; 2]>,
    /// Foreground seconds of smart scans, which are not modelled.
    pub smart_scan_s: f64,
    /// Foreground seconds of waits that storage answers and of which reports print no number: reads, and commits.
    #[serde(skip_serializing_if = "nothing")]
    pub uncounted_s: [f64; 2],
    /// Foreground seconds of `User I/O` and `Commit` that reports print by class and of which no event was read:
    /// what a tier would save of them is not known.
    #[serde(skip_serializing_if = "nothing")]
    pub unread_s: [f64; 2],
    /// Sections of a history that broke off, or that the database answered with an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
    /// Share of the read requests that flash in today's storage answers, percent, where printed.
    pub flash_answers_pct: Option<f64>,
    /// Mean single-block read today, microseconds.
    pub read_us: Option<f64>,
    /// Reports left out, with the reason.
    pub left_out: Vec<String>,
}

/// What kind of thing a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum CandidateKind {
    Table,
    TablePartition,
    Index,
    IndexPartition,
    Lob,
    Cluster,
    /// What a tablespace holds beside the candidates in it: moves with them, as its data files.
    RestOfTablespace,
    Tablespace,
    DataFile,
    Temp,
    Undo,
    Redo,
    ControlFiles,
    /// A table with its indexes, kept together on request.
    TableWithIndexes,
    /// Type not printed.
    Segment,
}

/// One thing that could move.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Name as a DBA writes it: `OWNER.TABLE.PARTITION`, `tablespace TEMP`, `redo logs`.
    pub object: String,
    /// Kind.
    pub kind: CandidateKind,
    /// Owner, where it has one.
    pub owner: Option<String>,
    /// Name of the segment, tablespace or file.
    pub name: String,
    /// Partition or subpartition.
    pub partition: Option<String>,
    /// Tablespace it lies in.
    pub tablespace: Option<String>,
    /// Container.
    pub container: Option<String>,
    /// Candidates that move with this one (table with its indexes).
    pub members: Vec<String>,
    /// Partitions that it moves as, one by one, where a report or plan names the whole.
    pub partitions: Vec<String>,
    /// Bytes; `None` where nothing says.
    pub size_bytes: Option<f64>,
    /// Where the size was read.
    pub size_from: Option<String>,
    /// Blocks read over all intervals.
    pub read_blocks: Option<f64>,
    /// Requests read, where printed or derived.
    pub read_requests: Option<f64>,
    /// Blocks written.
    pub write_blocks: Option<f64>,
    /// Times that it was read in whole: blocks read over blocks held.
    pub reread_times: Option<f64>,
    /// Share of the read requests of the database, percent.
    pub io_share_pct: Option<f64>,
    /// Seconds of DB time that its I/O takes today.
    pub waits_s: Range,
    /// The same by kind of wait.
    pub waits_by_component: Vec<(Component, Range)>,
    /// Seconds saved on its tier, or on the first tier that gains where none is chosen.
    pub saves_s: Option<Range>,
    /// Tier chosen.
    pub tier: Option<String>,
    /// The tablespace whose data files take it along, in one step with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_with: Option<String>,
    /// Why chosen, or not.
    pub why: String,
    /// Why it was not even considered.
    pub excluded_because: Option<String>,
    /// Price of its bytes over its seconds, where a price is known.
    pub price_per_s: Option<f64>,
    /// Where the figures come from.
    pub sources: Vec<Source>,
}

impl Candidate {
    /// Would it be considered, were its size known?
    #[must_use]
    pub fn lacks_its_size(&self) -> bool {
        self.size_bytes.is_none()
            && self.excluded_because.as_deref().is_some_and(|why| why.contains("size is unknown"))
    }
}

/// A kind of wait that a faster device shortens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// `db file sequential read` and its kin.
    SingleBlockRead,
    /// `db file scattered read` and its kin.
    MultiBlockRead,
    /// `direct path read`.
    DirectRead,
    /// `direct path read temp`.
    TempRead,
    /// `direct path write temp`.
    TempWrite,
    /// `direct path write`.
    DirectWrite,
    /// `log file sync`.
    Commit,
    /// `log buffer space`, `log file switch completion`: waits for the log writer beside commits.
    LogSpace,
    /// `free buffer waits`, `write complete waits`.
    DatabaseWriter,
    /// `control file sequential read` and writes.
    ControlFile,
    /// `read by other session`: waits for somebody else's read.
    ReadByOther,
}

/// Where a figure comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Source {
    pub source: String,
    pub section: String,
    pub line: u32,
}

/// Use of one tier.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct TierUse {
    pub name: String,
    pub capacity_bytes: f64,
    pub used_bytes: f64,
    pub saves_s: Range,
    pub read_mbps: f64,
    /// Share of its bandwidth that the moved load takes on average, where it has one.
    pub bandwidth_used_pct: Option<f64>,
    /// Share of its IOPS cap, where it has one.
    pub iops_used_pct: Option<f64>,
    pub price: Option<f64>,
    /// Price of the whole tier over the seconds saved in the measured intervals.
    pub price_per_s: Option<f64>,
    /// Bytes written to it a day.
    pub written_bytes_per_day: Option<f64>,
    pub years_of_life: Option<f64>,
}

/// Best saving at one capacity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FrontierPoint {
    pub capacity_bytes: f64,
    /// Written as the likely value, `saves_s`, and its range, `saves_range_s`.
    #[serde(flatten, serialize_with = "saves_and_range")]
    pub saves_s: Range,
    pub objects: usize,
}

/// What more capacity would buy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NextCapacity {
    pub bytes: f64,
    pub saves_s: Range,
    pub objects: Vec<String>,
}

/// DB time now and then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DbTime {
    pub now: f64,
    pub then_low: f64,
    pub then: f64,
    pub then_high: f64,
    /// CPU: no tier goes below it.
    pub cpu: Option<f64>,
}

/// One part of the response time, now and then.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ResponsePart {
    /// `CPU`, a kind of wait in a DBA's words, `other waits`, `not explained`.
    pub part: String,
    pub component: Option<Component>,
    pub now_s: f64,
    pub then_s: Range,
}

/// One statement, now and then.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StatementGain {
    pub sql_id: Option<String>,
    pub old_hash: Option<u64>,
    pub module: Option<String>,
    pub text: Option<String>,
    pub executions: Option<f64>,
    /// Elapsed time over all intervals in which it is printed.
    pub now_s: f64,
    pub io_wait_s: Option<f64>,
    pub then_s: Range,
    /// Elapsed now over then: at least, likely, at most. Written as the likely value, `gain`, and its
    /// range, `gain_range`.
    #[serde(flatten, serialize_with = "gain_and_range")]
    pub gain: Range,
    /// Does its gain come from temp alone?
    pub from_temp_alone: bool,
    /// Objects of its plan that move, or why that is not known.
    pub because: String,
}

/// What else could be done.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Alternative {
    pub name: String,
    /// `None` where the reports cannot tell.
    pub saves_s: Option<Range>,
    /// What it takes, in words with numbers.
    pub cost: String,
    pub because: String,
}

/// Published volume of one object under one access path (E7).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PlanVolume {
    pub owner: Option<String>,
    pub object: String,
    pub operation: String,
    pub options: Option<String>,
    pub statements: usize,
    pub executions: f64,
    /// Sum over (executions + 1) x bytes.
    pub volume_bytes: f64,
    /// Physical reads (blocks) of the statements, apportioned; what the ranking uses.
    pub apportioned_reads: Option<f64>,
    /// Does the sum mean something here? Only for full scans.
    pub volume_means_io: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn nothing(seconds: &[f64; 2]) -> bool {
    *seconds == [0.0; 2]
}

fn saves_and_range<S: Serializer>(range: &Range, serializer: S) -> Result<S::Ok, S::Error> {
    likely_and_range("saves_s", "saves_range_s", *range, serializer)
}

fn gain_and_range<S: Serializer>(range: &Range, serializer: S) -> Result<S::Ok, S::Error> {
    likely_and_range("gain", "gain_range", *range, serializer)
}

fn likely_and_range<S: Serializer>(
    likely: &str,
    whole: &str,
    range: Range,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry(likely, &range.mid)?;
    map.serialize_entry(whole, &range)?;
    map.end()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_point_of_the_frontier_is_one_number_and_its_range() {
        let saves_s = Range { low: 1.0, mid: 2.0, high: 3.0 };
        let point = FrontierPoint { capacity_bytes: 8.0, saves_s, objects: 1 };
        assert_eq!(
            serde_json::to_value(point).unwrap(),
            serde_json::json!({"capacity_bytes": 8.0, "saves_s": 2.0, "saves_range_s": [1.0, 2.0, 3.0], "objects": 1})
        );
    }
}
