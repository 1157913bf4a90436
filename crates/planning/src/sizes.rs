//! Sizes of candidates, from what was collected or what the user gave.

use crate::demand::{KeyKind, ObjectKey};
use crate::entries::Entry;
use crate::listed::{Group, Listed};
use crate::plan::CandidateKind;
use spindle_facts::Collected;
use std::collections::{BTreeMap, BTreeSet};

/// Where a size comes from that the user gave.
pub(crate) const GIVEN: &str = "given with --size";

/// A size and where it was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) bytes: f64,
    pub(crate) from: String,
}

/// Sizes by name.
pub(crate) struct Sizes<'c> {
    collected: &'c [Collected],
    pub(crate) listed: Listed<'c>,
    by_space: BTreeMap<&'c str, f64>,
    given: &'c [(String, f64)],
    /// Do the lists cover tables and indexes at all?
    pub(crate) has_segments: bool,
}

impl<'c> Sizes<'c> {
    pub(crate) fn of(collected: &'c [Collected], given: &'c [(String, f64)]) -> Self {
        let listed = Listed::of(collected);
        let mut by_space: BTreeMap<&str, f64> = BTreeMap::new();
        // Only a list that sums up what it leaves out is whole; a list made otherwise may be a part.
        let whole = collected.iter().filter(|file| !file.small_segments.is_empty());
        let whole: BTreeSet<&str> = whole.map(|file| file.source.as_str()).collect();
        listed.add_spaces(&whole, &mut by_space);
        for small in collected.iter().flat_map(|file| &file.small_segments) {
            *by_space.entry(&small.tablespace).or_default() += small.bytes.unwrap_or(0.0);
        }
        let has_segments = !listed.is_empty();
        Self { collected, listed, by_space, given, has_segments }
    }

    /// Size of a candidate.
    pub(crate) fn of_entry(&self, entry: &Entry) -> Option<Size> {
        let (key, kind, tablespace) = (&entry.key, entry.kind, entry.tablespace.as_deref());
        if let Some(size) = self.given_size(key, kind, tablespace) {
            return Some(size);
        }
        match kind {
            CandidateKind::Temp => self.files_size(|f| f.is_temp, "temp files"),
            CandidateKind::Undo => {
                self.files_size(|f| f.tablespace.eq_ignore_ascii_case(&key.name), "files of the tablespace")
            }
            CandidateKind::DataFile => self.files_size(|f| f.file == key.name, "its file"),
            CandidateKind::Redo => {
                let groups = || self.collected.iter().flat_map(|c| &c.redo_groups).filter(|g| !g.is_standby);
                let bytes: f64 =
                    groups().filter_map(|g| Some(g.bytes? * g.members.len().max(1) as f64)).sum();
                (bytes > 0.0).then(|| Size { bytes, from: format!("{} redo groups", groups().count()) })
            }
            CandidateKind::ControlFiles => {
                let files = || self.collected.iter().flat_map(|c| &c.control_files);
                let bytes: f64 = files().filter_map(|f| f.bytes).sum();
                (bytes > 0.0).then(|| Size { bytes, from: format!("{} control files", files().count()) })
            }
            CandidateKind::Tablespace | CandidateKind::RestOfTablespace => {
                let space = tablespace.unwrap_or(&key.name);
                let files = self.files_size(|f| f.tablespace == space, "files of the tablespace");
                files.or_else(|| {
                    let bytes = self.by_space.get(space).copied().filter(|b| *b > 0.0)?;
                    Some(Size { bytes, from: "its collected segments".to_owned() })
                })
            }
            _ if entry.may_be_cut => None,
            _ => self.segment_size(key),
        }
    }

    fn given_size(&self, key: &ObjectKey, kind: CandidateKind, tablespace: Option<&str>) -> Option<Size> {
        let shown = key.shown();
        let words: &[&str] = match kind {
            CandidateKind::Temp => &["temp"],
            CandidateKind::Redo => &["redo"],
            CandidateKind::ControlFiles => &["control files", "control"],
            _ => &[],
        };
        let whole =
            matches!(kind, CandidateKind::Tablespace | CandidateKind::RestOfTablespace | CandidateKind::Undo);
        let is = |name: &str| {
            name.eq_ignore_ascii_case(&shown)
                || words.iter().any(|w| name.eq_ignore_ascii_case(w))
                || whole && tablespace.is_some_and(|t| name.eq_ignore_ascii_case(t))
                || key.kind == KeyKind::Segment
                    && words.is_empty()
                    && key.partition.is_none()
                    && name.eq_ignore_ascii_case(&key.name)
        };
        let (_, bytes) = self.given.iter().find(|(name, _)| is(name))?;
        Some(Size { bytes: *bytes, from: GIVEN.to_owned() })
    }

    fn files_size(&self, is: impl Fn(&spindle_facts::CollectedFile) -> bool, what: &str) -> Option<Size> {
        let files = || self.collected.iter().flat_map(|c| &c.files).filter(|f| is(f));
        // Two lists may name a file each.
        let by_name: BTreeMap<(&str, Option<u64>, bool), f64> =
            files().filter_map(|f| Some(((f.file.as_str(), f.file_id, f.is_temp), f.bytes?))).collect();
        let bytes: f64 = by_name.values().sum();
        let source = self.collected.iter().find(|c| c.files.iter().any(&is))?;
        (bytes > 0.0).then(|| Size { bytes, from: format!("{what}, {}", source.source) })
    }

    fn segment_size(&self, key: &ObjectKey) -> Option<Size> {
        let group = self.listed.of_key(key)?;
        let (row, source) = group.row(key.partition.as_deref())?;
        let bytes = if key.partition.is_some() { row.bytes } else { group.bytes() };
        Some(Size { bytes: bytes?, from: format!("{source}, line {}", row.line) })
    }

    /// Why a segment has no size though lists of segments were given.
    pub(crate) fn unknown_because(&self, entry: &Entry) -> Option<String> {
        let key = &entry.key;
        if !self.has_segments || key.kind != KeyKind::Segment || !entry.is_segment() {
            return None;
        }
        if entry.may_be_cut {
            return Some(
                "its name fills the column of a text report and may be cut off, and not exactly one segment of the lists \
                 begins like it; give the report as HTML"
                    .to_owned(),
            );
        }
        Some(match (self.listed.of_key(key), &key.partition) {
            (Some(group), Some(_)) if group.row(key.partition.as_deref()).is_none() => {
                "the lists have it as a whole and not this partition; print PARTITION_NAME of DBA_SEGMENTS too"
                    .to_owned()
            }
            (Some(_), _) => "the lists name it without one size that can be used".to_owned(),
            (None, _) if self.listed.has(&key.name) => {
                "the lists have its name more than once, or of another owner or kind; print OWNER, SEGMENT_TYPE and \
                 PARTITION_NAME of DBA_SEGMENTS too"
                    .to_owned()
            }
            (None, _) => match self.listed.in_other_letters(&key.name) {
                Some(other) => format!(
                    "the lists have `{other}` and not `{}`: names in quotes keep the case of their letters, so they may \
                     be two things",
                    key.name
                ),
                None => return None,
            },
        })
    }

    /// The partitions of a table or index that a report names as a whole; `None` where it has none.
    pub(crate) fn partitioned(&self, key: &ObjectKey) -> Option<&Group<'c>> {
        if key.partition.is_some() || key.kind != KeyKind::Segment {
            return None;
        }
        self.listed.of_key(key).filter(|group| group.is_partitioned())
    }
}

impl Sizes<'_> {
    /// Bytes of all data and temp files, else of all segments.
    pub(crate) fn database_bytes(&self) -> Option<f64> {
        let files: f64 = self.collected.iter().flat_map(|c| &c.files).filter_map(|f| f.bytes).sum();
        let segments: f64 = self.by_space.values().sum();
        Some(if files > 0.0 { files } else { segments }).filter(|b| *b > 0.0)
    }
}
