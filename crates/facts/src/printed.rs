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
    /// Keys and cells, in printed order; keys are snake_case headings with their unit.
    pub cells: Cells,
}

/// The keys of a row kept as printed, which the rows of a table share, and its cells, one each.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    keys: Keys,
    values: Box<[Value]>,
}

/// Keys of rows kept as printed, in printed order.
pub type Keys = Arc<[Arc<str>]>;

impl Cells {
    /// Cells under keys that rows share; what has no key is left out, and so are keys without a cell.
    #[must_use]
    pub fn new(keys: &Keys, mut values: Vec<Value>) -> Self {
        values.truncate(keys.len());
        let keys = keys
            .get(..values.len())
            .filter(|own| own.len() < keys.len())
            .map_or_else(|| keys.clone(), Into::into);
        Self { keys, values: values.into() }
    }

    /// How many cells there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A cell by its place, with its key.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<(&str, &Value)> {
        Some((self.keys.get(at)?, self.values.get(at)?))
    }

    /// Keys and cells, in printed order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.keys.iter().map(|k| &**k).zip(&self.values)
    }

    /// The same, with cells that can be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.keys.iter().map(|k| &**k).zip(&mut self.values)
    }

    /// The cells without their keys, and the keys.
    #[must_use]
    pub fn into_parts(self) -> (Keys, Vec<Value>) {
        (self.keys, self.values.into())
    }
}

impl<K: Into<Arc<str>>> FromIterator<(K, Value)> for Cells {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(cells: I) -> Self {
        let (keys, values): (Vec<Arc<str>>, Vec<Value>) =
            cells.into_iter().map(|(k, v)| (k.into(), v)).unzip();
        Self { keys: keys.into(), values: values.into() }
    }
}

impl<K: Into<Arc<str>>> From<Vec<(K, Value)>> for Cells {
    fn from(cells: Vec<(K, Value)>) -> Self {
        cells.into_iter().collect()
    }
}

use crate::ledger::SectionId;

impl PrintedRow {
    /// The number under a key, if there is one.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<f64> {
        self.cells.iter().find(|(k, _)| *k == key).and_then(|(_, v)| match v {
            Value::Number(n) => Some(*n),
            _ => None,
        })
    }

    /// The text under a key, if there is any.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.cells.iter().find(|(k, _)| *k == key).and_then(|(_, v)| match v {
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
        for (key, value) in self.cells.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
