//! What names an object across reports and collected files.

use crate::class::Class;

/// Container, owner, name and partition, as the dictionary spells them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectKey {
    pub(crate) kind: KeyKind,
    pub(crate) container: Option<String>,
    pub(crate) owner: Option<String>,
    pub(crate) name: String,
    pub(crate) partition: Option<String>,
    /// Table, index ... of a segment, where a report or plan says: both may have one name.
    pub(crate) class: Option<Class>,
}

/// Segments, tablespaces and files have names of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum KeyKind {
    #[default]
    Segment,
    Tablespace,
    File,
}

impl ObjectKey {
    /// As a DBA writes it.
    pub(crate) fn shown(&self) -> String {
        match self.kind {
            KeyKind::Tablespace => format!("tablespace {}", self.name),
            KeyKind::File => format!("file {}", self.name),
            KeyKind::Segment => {
                let parts = [self.owner.as_deref(), Some(self.name.as_str()), self.partition.as_deref()];
                parts.into_iter().flatten().collect::<Vec<_>>().join(".")
            }
        }
    }
}
