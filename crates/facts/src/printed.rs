//! Rows kept as printed: sections whose columns differ from release to release and which are shown
//! or searched, not computed with.

use serde::{Serialize, Serializer};
use smol_str::SmolStr;
use std::fmt;
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

/// The keys of a row kept as printed, and its cells, one each. The rows of a table stand in one place in
/// memory, with the keys that they share.
#[derive(Clone)]
pub struct Cells {
    table: Arc<Table>,
    from: u32,
    to: u32,
}

/// The rows of a table, one behind the other.
struct Table {
    keys: Keys,
    values: Vec<Value>,
}

/// Keys of rows kept as printed, in printed order.
pub type Keys = Arc<[Arc<str>]>;

impl Cells {
    /// Rows under keys that they share: their cells one behind the other, and where each row ends. What has
    /// no key is left out, and so are keys without a cell.
    pub fn of_rows<E>(keys: &Keys, values: Vec<Value>, ends: E) -> impl Iterator<Item = Self> + use<E>
    where
        E: IntoIterator<Item = usize>,
    {
        let table = Arc::new(Table { keys: keys.clone(), values });
        let mut from = 0;
        ends.into_iter().map(move |end| {
            let end = end.clamp(from, table.values.len());
            let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let to = end.min(from + table.keys.len());
            let row = Self { table: table.clone(), from: place(from), to: place(to) };
            from = end;
            row
        })
    }

    fn keys(&self) -> &[Arc<str>] {
        self.table.keys.get(..self.len()).unwrap_or_default()
    }

    fn values(&self) -> &[Value] {
        self.table.values.get(self.from as usize..self.to as usize).unwrap_or_default()
    }

    /// Moves the cells to memory of their own, where they can be changed.
    fn set_apart(&mut self) {
        if Arc::get_mut(&mut self.table).is_none() {
            let (keys, values) = (self.table.keys.clone(), self.values().to_vec());
            (self.from, self.to) = (0, self.to - self.from);
            self.table = Arc::new(Table { keys, values });
        }
    }

    /// How many cells there are.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.to - self.from) as usize
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// A cell by its place, with its key.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<(&str, &Value)> {
        Some((self.keys().get(at)?, self.values().get(at)?))
    }

    /// Keys and cells, in printed order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.keys().iter().map(|k| &**k).zip(self.values())
    }

    /// The same, with cells that can be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.set_apart();
        let (from, to) = (self.from as usize, self.to as usize);
        let (keys, values) = match Arc::get_mut(&mut self.table) {
            Some(table) => (&*table.keys, table.values.get_mut(from..to).unwrap_or_default()),
            None => (&[][..], &mut [][..]),
        };
        keys.iter().map(|k| &**k).zip(values)
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.keys() == other.keys() && self.values() == other.values()
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cells").field("keys", &self.keys()).field("values", &self.values()).finish()
    }
}

impl<K: Into<Arc<str>>> FromIterator<(K, Value)> for Cells {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(cells: I) -> Self {
        let (keys, values): (Vec<Arc<str>>, Vec<Value>) =
            cells.into_iter().map(|(k, v)| (k.into(), v)).unzip();
        let to = u32::try_from(values.len()).unwrap_or(u32::MAX);
        Self { table: Arc::new(Table { keys: keys.into(), values }), from: 0, to }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_share_memory_are_changed_one_by_one() {
        let keys: Keys = ["name", "reads", "writes"].map(Arc::from).into();
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0].map(Value::Number).to_vec();
        let mut rows: Vec<Cells> = Cells::of_rows(&keys, values, [3, 5, 5, 8]).collect();
        assert_eq!(rows.iter().map(Cells::len).collect::<Vec<_>>(), [3, 2, 0, 3]);
        assert_eq!(rows[1].get(1), Some(("reads", &Value::Number(5.0))));
        assert_eq!(rows[1].get(2), None, "the cell of the next row");
        let before = rows.clone();
        for (key, value) in rows[1].iter_mut() {
            *value = Value::Text(key.into());
        }
        assert_eq!(rows[1].get(1), Some(("reads", &Value::Text("reads".into()))));
        assert_ne!(rows[1], before[1]);
        assert_eq!((&rows[0], &rows[3]), (&before[0], &before[3]));
        let own: Cells =
            [("name", Value::Number(1.0)), ("reads", Value::Number(2.0)), ("writes", Value::Number(3.0))]
                .into_iter()
                .collect();
        assert_eq!(own, rows[0]);
    }
}
