//! Sizes of candidates, from what was collected or what the user gave.

use crate::demand::{KeyKind, ObjectKey};
use crate::plan::CandidateKind;
use spindle_facts::{Collected, CollectedSegment};
use std::collections::{BTreeMap, HashMap};

/// Width at which text reports clip the names of objects.
const CLIPPED_AT: usize = 18;

/// A size and where it was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) bytes: f64,
    pub(crate) from: String,
}

type Name<'c> = (String, &'c str);

/// Sizes by name.
pub(crate) struct Sizes<'c> {
    collected: &'c [Collected],
    /// Owner and name, upper case kept as collected.
    by_name: HashMap<Name<'c>, Vec<(&'c CollectedSegment, &'c str)>>,
    by_space: BTreeMap<&'c str, f64>,
    given: &'c [(String, f64)],
    /// Do the lists cover tables and indexes at all?
    pub(crate) has_segments: bool,
}

impl<'c> Sizes<'c> {
    pub(crate) fn of(collected: &'c [Collected], given: &'c [(String, f64)]) -> Self {
        let mut by_name: HashMap<Name<'_>, Vec<(&CollectedSegment, &str)>> = HashMap::new();
        let mut by_space: BTreeMap<&str, f64> = BTreeMap::new();
        for file in collected {
            // Only a list that sums up what it leaves out is whole; a list made otherwise may be a part.
            let is_whole = !file.small_segments.is_empty();
            for segment in &file.segments {
                let owner = segment.owner.clone().unwrap_or_default();
                by_name.entry((owner, &segment.segment)).or_default().push((segment, &file.source));
                if let (Some(space), Some(bytes), true) = (&segment.tablespace, segment.bytes, is_whole) {
                    *by_space.entry(space).or_default() += bytes;
                }
            }
            for small in &file.small_segments {
                *by_space.entry(&small.tablespace).or_default() += small.bytes.unwrap_or(0.0);
            }
        }
        let has_segments = !by_name.is_empty();
        Self { collected, by_name, by_space, given, has_segments }
    }

    /// Size of a candidate.
    pub(crate) fn of_candidate(
        &self,
        key: &ObjectKey,
        kind: CandidateKind,
        tablespace: Option<&str>,
    ) -> Option<Size> {
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
        Some(Size { bytes: *bytes, from: "given with --size".to_owned() })
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
        let found = self.segments_of(key);
        let (first, source) = *found.first()?;
        let mut bytes = 0.0;
        for (segment, _) in &found {
            bytes += segment.bytes?;
        }
        Some(Size { bytes, from: format!("{source}, line {}", first.line) })
    }

    /// Collected segments that a report's name stands for: all partitions where the report names the
    /// table alone.
    fn segments_of(&self, key: &ObjectKey) -> Vec<(&'c CollectedSegment, &'c str)> {
        let owner = key.owner.clone().unwrap_or_default();
        let same_container = |s: &CollectedSegment| match (&s.container, &key.container) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            _ => true,
        };
        let mut found: Vec<_> = match self.by_name.get(&(owner.clone(), key.name.as_str())) {
            Some(rows) => rows.iter().filter(|(s, _)| same_container(s)).copied().collect(),
            None => self.clipped(&owner, &key.name),
        };
        // A list without owners names each segment once.
        if found.is_empty()
            && let Some(rows) = self.by_name.get(&(String::new(), key.name.as_str()))
        {
            found = rows.clone();
        }
        if let Some(partition) = &key.partition {
            found.retain(|(s, _)| s.partition.as_deref() == Some(partition.as_str()));
        }
        found.sort_by(|a, b| a.0.partition.cmp(&b.0.partition));
        // The same segment may be listed twice, in one file or in two.
        found.dedup_by(|a, b| {
            a.0.owner == b.0.owner && a.0.partition == b.0.partition && a.0.segment_type == b.0.segment_type
        });
        found
    }

    /// A name that text clipped stands for a segment where only one begins like it.
    fn clipped(&self, owner: &str, name: &str) -> Vec<(&'c CollectedSegment, &'c str)> {
        if name.len() < CLIPPED_AT {
            return Vec::new();
        }
        let mut whole: Vec<&Name<'c>> =
            self.by_name.keys().filter(|(o, n)| o == owner && n.starts_with(name)).collect();
        match (whole.pop(), whole.is_empty()) {
            (Some(one), true) => self.by_name.get(one).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
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
