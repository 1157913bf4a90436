//! What kind of segment a name names: a table and an index may have the same one.

/// Kinds of segments whose names do not clash with those of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    Table,
    Index,
    Lob,
    Cluster,
}

impl Class {
    /// The kind of a type as reports and the dictionary print it: `TABLE PARTITION`, `INDEX (UNIQUE)`,
    /// `LOBSEGMENT`, in text reports clipped at five characters. `None` for other words.
    pub(crate) fn of(object_type: Option<&str>) -> Option<Self> {
        let word = object_type?.trim().to_ascii_uppercase();
        let starts = |beginnings: &[&str]| beginnings.iter().any(|b| word.starts_with(b));
        Some(match () {
            () if starts(&["TABLE", "NESTED", "MAT_V", "MATER"]) => Self::Table,
            () if starts(&["INDEX", "LOBINDEX", "LOB INDEX"]) => Self::Index,
            () if starts(&["LOB"]) => Self::Lob,
            () if starts(&["CLUST"]) => Self::Cluster,
            () => return None,
        })
    }

    /// The kind that a line of a plan reads, by its operation: `TABLE ACCESS`, `INDEX`.
    pub(crate) fn of_operation(operation: &str) -> Option<Self> {
        match () {
            () if operation.starts_with("BITMAP INDEX") => Some(Self::Index),
            () => Self::of(Some(operation)),
        }
    }

    /// May two names be of the same thing? Where a kind is not known, they may.
    pub(crate) fn may_be(one: Option<Self>, other: Option<Self>) -> bool {
        one.is_none() || other.is_none() || one == other
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Index => "index",
            Self::Lob => "LOB",
            Self::Cluster => "cluster",
        }
    }
}
