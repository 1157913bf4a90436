//! Rows kept as printed: sections whose columns differ from release to release and which are shown
//! or searched, not computed with.

use serde::{Serialize, Serializer};
use smol_str::SmolStr;
use std::sync::Arc;

/// One cell of a row kept as printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number in the unit that its key names.
    Number(f64),
    /// Anything else.
    Text(SmolStr),
    /// Blank, `N/A` or overprinted.
    Null,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(n) => serializer.serialize_f64(*n),
            Self::Text(t) => serializer.serialize_str(t),
            Self::Null => serializer.serialize_none(),
        }
    }
}

/// A row as printed.
///
/// Shape: one a printed row, columns in printed order. Unit: ends each key, made from the heading
/// (`avg_wait_time_ms`). Missing: `Value::Null`. Source: the section at `section`, `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedRow {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    pub section: SectionId,
    /// RAC: the instance of the row; `None` where it is for all.
    pub instance_number: Option<u32>,
    /// Keys and cells, in printed order; keys are snake_case headings with their unit, shared by the
    /// rows of a table.
    pub cells: Vec<(Arc<str>, Value)>,
}

use crate::ledger::SectionId;

impl PrintedRow {
    /// The number under a key, if there is one.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<f64> {
        self.cells.iter().find(|(k, _)| **k == *key).and_then(|(_, v)| match v {
            Value::Number(n) => Some(*n),
            _ => None,
        })
    }

    /// The text under a key, if there is any.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.cells.iter().find(|(k, _)| **k == *key).and_then(|(_, v)| match v {
            Value::Text(t) => Some(t.as_str()),
            _ => None,
        })
    }
}

impl Serialize for PrintedRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("line", &self.line)?;
        if self.instance_number.is_some() {
            map.serialize_entry("instance_number", &self.instance_number)?;
        }
        for (key, value) in &self.cells {
            map.serialize_entry(&**key, value)?;
        }
        map.end()
    }
}
