//! Sizes of candidates, from what was collected or what the user gave.

use crate::class::Class;
use crate::demand::{KeyKind, ObjectKey};
use crate::entries::Entry;
use crate::listed::{Group, Listed};
use crate::plan::CandidateKind;
use crate::words;
use spindle_facts::Collected;
use std::collections::{BTreeMap, BTreeSet};

/// Where a size comes from that the user gave.
pub(crate) const GIVEN: &str = "given with --size";

/// Times that the segments of a tablespace may be listed larger than its files: sizes in MB are rounded.
const ROUNDED: f64 = 1.01;

/// A size and where it was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) bytes: f64,
    pub(crate) from: String,
}

/// Container, where a list names one, and tablespace.
pub(crate) type Space<'c> = (Option<&'c str>, &'c str);

/// Sizes by name.
pub(crate) struct Sizes<'c> {
    collected: &'c [Collected],
    pub(crate) listed: Listed<'c>,
    /// By container and tablespace; `None` where the size of a segment in it is unknown.
    by_space: BTreeMap<Space<'c>, Option<f64>>,
    /// Bytes of all segments listed in each tablespace, whole lists or not.
    listed_in: BTreeMap<Space<'c>, Option<f64>>,
    /// The container that all reports are of.
    container: Option<&'c str>,
    /// Names that the reports have as segments of several kinds.
    of_two_kinds: BTreeSet<String>,
    given: &'c [(String, f64)],
    /// Do the lists cover tables and indexes at all?
    pub(crate) has_segments: bool,
}

impl<'c> Sizes<'c> {
    pub(crate) fn of(
        collected: &'c [Collected],
        given: &'c [(String, f64)],
        entries: &[Entry],
        container: Option<&'c str>,
    ) -> Self {
        let listed = Listed::of(collected);
        let mut by_space: BTreeMap<Space<'_>, Option<f64>> = BTreeMap::new();
        // Only a list that sums up what it leaves out is whole; a list made otherwise may be a part.
        let whole = collected.iter().filter(|file| !file.small_segments.is_empty());
        let whole: BTreeSet<&str> = whole.map(|file| file.source.as_str()).collect();
        listed.add_spaces(&whole, &mut by_space);
        for small in collected.iter().flat_map(|file| &file.small_segments) {
            add(&mut by_space, (small.container.as_deref(), &small.tablespace), small.bytes);
        }
        let mut listed_in: BTreeMap<Space<'_>, Option<f64>> = BTreeMap::new();
        let all: BTreeSet<&str> = collected.iter().map(|file| file.source.as_str()).collect();
        listed.add_spaces(&all, &mut listed_in);
        let has_segments = !listed.is_empty();
        let mut kinds: BTreeMap<&str, BTreeSet<Class>> = BTreeMap::new();
        for key in entries.iter().map(|e| &e.key).filter(|key| key.kind == KeyKind::Segment) {
            kinds.entry(&key.name).or_default().extend(key.class);
        }
        let of_two_kinds =
            kinds.into_iter().filter(|(_, kinds)| kinds.len() > 1).map(|(name, _)| name.to_owned()).collect();
        Self { collected, listed, by_space, listed_in, container, of_two_kinds, given, has_segments }
    }

    /// Size of a candidate.
    pub(crate) fn of_entry(&self, entry: &Entry) -> Option<Size> {
        self.given_size(&entry.key, entry.kind, entry.tablespace.as_deref())
            .or_else(|| self.collected_size(entry))
    }

    /// What is to be said where the user gave another size than the lists have.
    pub(crate) fn overridden(&self, entry: &Entry) -> Option<String> {
        /// Times that two sizes of one object may differ: a list is of another day.
        const ALIKE: f64 = 1.5;
        let given = self.given_size(&entry.key, entry.kind, entry.tablespace.as_deref())?;
        let listed = self.collected_size(entry)?;
        let times = given.bytes / listed.bytes;
        (!(1.0 / ALIKE..=ALIKE).contains(&times)).then(|| {
            format!(
                "`{}` is taken to be of {}, as given (--size), though the lists have {} ({}).",
                entry.key.shown(),
                words::bytes(given.bytes),
                words::bytes(listed.bytes),
                listed.from
            )
        })
    }

    fn collected_size(&self, entry: &Entry) -> Option<Size> {
        let (key, kind, tablespace) = (&entry.key, entry.kind, entry.tablespace.as_deref());
        let of_space = "files of the tablespace";
        match kind {
            CandidateKind::Temp => self.files_size(key, |f| f.is_temp, "temp files"),
            CandidateKind::Undo => {
                self.files_size(key, |f| f.tablespace.eq_ignore_ascii_case(&key.name), of_space)
            }
            CandidateKind::DataFile => self.files_size(key, |f| f.file == key.name, "its file"),
            CandidateKind::Redo => {
                let groups = || self.collected.iter().flat_map(|c| &c.redo_groups).filter(|g| !g.is_standby);
                let each = groups().map(|g| Some(g.bytes? * g.members.len().max(1) as f64));
                let bytes = each.sum::<Option<f64>>()?;
                (bytes > 0.0).then(|| Size { bytes, from: format!("{} redo groups", groups().count()) })
            }
            CandidateKind::ControlFiles => {
                let files = || self.collected.iter().flat_map(|c| &c.control_files);
                let bytes = files().map(|f| f.bytes).sum::<Option<f64>>()?;
                (bytes > 0.0).then(|| Size { bytes, from: format!("{} control files", files().count()) })
            }
            CandidateKind::Tablespace | CandidateKind::RestOfTablespace => {
                let space = tablespace.unwrap_or(&key.name);
                let files = self.files_size(key, |f| f.tablespace == space, of_space);
                if files.as_ref().is_some_and(|files| self.is_too_small(key, space, files)) {
                    return None;
                }
                files.or_else(|| {
                    let own = self.own_container(key);
                    let mut here = self.by_space.iter().filter(|((container, name), _)| {
                        *name == space && is_same_container(*container, own)
                    });
                    let (_, bytes) = here.next()?;
                    // Several containers have one of this name.
                    let bytes = bytes.filter(|b| *b > 0.0 && here.next().is_none())?;
                    Some(Size { bytes, from: "its collected segments".to_owned() })
                })
            }
            _ if entry.may_be_cut => None,
            _ => self.segment_size(key),
        }
    }

    /// Are the data files of a tablespace smaller than the segments listed in it?
    fn is_too_small(&self, key: &ObjectKey, space: &str, files: &Size) -> bool {
        let own = self.own_container(key);
        let here = self
            .listed_in
            .iter()
            .filter(|((container, name), _)| *name == space && is_same_container(*container, own));
        let most = here.filter_map(|(_, bytes)| *bytes).fold(0.0, f64::max);
        most > ROUNDED * files.bytes
    }

    /// What is to be said where the data files of a tablespace cannot be as small as they are listed.
    pub(crate) fn contradicted(&self, entry: &Entry) -> Option<String> {
        if !matches!(entry.kind, CandidateKind::Tablespace | CandidateKind::RestOfTablespace) {
            return None;
        }
        let space = entry.tablespace.as_deref().unwrap_or(&entry.key.name);
        let files = self.files_size(&entry.key, |f| f.tablespace == space, "files")?;
        self.is_too_small(&entry.key, space, &files).then(|| {
            format!(
                "The data files listed of tablespace {space} hold {}, less than the segments listed in it: one of the two \
                 lists is of another day or incomplete, and the size of the tablespace is not known.",
                words::bytes(files.bytes)
            )
        })
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
        // As the plan names it where another container has one of the same name.
        let is_here = |name: &str| {
            let own = self.own_container(key)?;
            let (rest, container) = name.rsplit_once(" in ").or_else(|| name.rsplit_once(" IN "))?;
            container.trim().eq_ignore_ascii_case(own).then(|| is(rest.trim()))
        };
        let with_container = self.given.iter().find(|(name, _)| is_here(name) == Some(true));
        let (_, bytes) = with_container.or_else(|| self.given.iter().find(|(name, _)| is(name)))?;
        Some(Size { bytes: *bytes, from: GIVEN.to_owned() })
    }

    /// The container that an object lies in, as far as the reports say.
    fn own_container<'k>(&'k self, key: &'k ObjectKey) -> Option<&'k str> {
        key.container.as_deref().or(self.container)
    }

    fn files_size(
        &self,
        key: &ObjectKey,
        is: impl Fn(&spindle_facts::CollectedFile) -> bool,
        what: &str,
    ) -> Option<Size> {
        let own = self.own_container(key);
        let is = |f: &spindle_facts::CollectedFile| is(f) && is_same_container(f.container.as_deref(), own);
        let files = || self.collected.iter().flat_map(|c| &c.files).filter(|f| is(f));
        // Several containers have a tablespace of this name, and the reports do not say whose it is. Temp is that of
        // all.
        let containers: BTreeSet<&str> = files().filter_map(|f| f.container.as_deref()).collect();
        if containers.len() > 1 && key.name != "temp" {
            return None;
        }
        // Two lists may name a file each; one of them may know its size.
        let mut by_name: BTreeMap<(&str, Option<u64>, bool), Option<f64>> = BTreeMap::new();
        for f in files() {
            let bytes = by_name.entry((f.file.as_str(), f.file_id, f.is_temp)).or_default();
            *bytes = f.bytes.or(*bytes);
        }
        let bytes = by_name.values().copied().sum::<Option<f64>>()?;
        let source = self.collected.iter().find(|c| c.files.iter().any(&is))?;
        (bytes > 0.0).then(|| Size { bytes, from: format!("{what}, {}", source.source) })
    }

    fn segment_size(&self, key: &ObjectKey) -> Option<Size> {
        let group = self.group(key).filter(|group| !self.may_be_another_kind(key, group))?;
        let (row, source) = group.row(key.partition.as_deref())?;
        let bytes = if key.partition.is_some() { row.bytes } else { group.bytes() };
        // What is read takes room.
        let bytes = bytes.filter(|bytes| *bytes > 0.0);
        Some(Size { bytes: bytes?, from: format!("{source}, line {}", row.line) })
    }

    /// What the lists have of it.
    fn group(&self, key: &ObjectKey) -> Option<&Group<'c>> {
        self.listed.of_key(key, self.own_container(key))
    }

    /// May a row of the lists that names no kind be of another segment of this name?
    fn may_be_another_kind(&self, key: &ObjectKey, group: &Group<'c>) -> bool {
        group.class.is_none() && self.of_two_kinds.contains(&key.name)
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
        Some(match (self.group(key), &key.partition) {
            (Some(group), Some(_)) if group.row(key.partition.as_deref()).is_none() => {
                "the lists have it as a whole and not this partition; print PARTITION_NAME of DBA_SEGMENTS too"
                    .to_owned()
            }
            (Some(group), _) if self.may_be_another_kind(key, group) => {
                "the reports have a table and an index of its name, and the lists do not say which they mean; print \
                 SEGMENT_TYPE of DBA_SEGMENTS too"
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
        self.group(key).filter(|group| group.is_partitioned())
    }
}

/// Is it the same container, as far as both are known?
fn is_same_container(listed: Option<&str>, own: Option<&str>) -> bool {
    listed.zip(own).is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
}

/// Adds to the bytes of a tablespace; what is unknown makes the sum unknown.
pub(crate) fn add<'c>(spaces: &mut BTreeMap<Space<'c>, Option<f64>>, space: Space<'c>, bytes: Option<f64>) {
    let sum = spaces.entry(space).or_insert(Some(0.0));
    *sum = sum.zip(bytes).map(|(sum, bytes)| sum + bytes);
}

impl Sizes<'_> {
    /// Bytes of all data and temp files, else of all segments.
    pub(crate) fn database_bytes(&self) -> Option<f64> {
        let files = self.collected.iter().flat_map(|c| &c.files).map(|f| f.bytes).sum::<Option<f64>>();
        let segments = || self.by_space.values().copied().sum::<Option<f64>>();
        files.filter(|b| *b > 0.0).or_else(segments).filter(|b| *b > 0.0)
    }
}
