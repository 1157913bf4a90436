//! Rows of tables that nothing reads, kept with their texts in one piece: they are many, and hardly
//! ever looked at.

use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

/// Rows of cells.
///
/// Shape: one a printed row, cells in printed order. Unit: as printed. Missing: a blank cell is
/// `None`. Source: the table that [`crate::RawTable`] names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawRows {
    /// The cells' texts one behind the other.
    text: String,
    /// Where the text of each cell ends; it begins where the one before ends. `false`: a blank cell.
    cells: Vec<(usize, bool)>,
    /// How many cells stand up to the end of each row.
    rows: Vec<usize>,
}

impl RawRows {
    /// None yet, with room for so many.
    #[must_use]
    pub fn with_capacity(rows: usize, cells: usize) -> Self {
        Self { text: String::new(), cells: Vec::with_capacity(cells), rows: Vec::with_capacity(rows) }
    }

    /// Adds a row.
    pub fn push<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = Option<C>>) {
        for cell in cells {
            self.text.push_str(cell.as_ref().map_or("", AsRef::as_ref));
            self.cells.push((self.text.len(), cell.is_some()));
        }
        self.rows.push(self.cells.len());
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The cells of each row.
    pub fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = Option<&str>>> {
        let starts = std::iter::once(0).chain(self.rows.iter().copied());
        starts.zip(&self.rows).map(|(start, end)| (start..*end).map(|cell| self.cell(cell)))
    }

    fn cell(&self, index: usize) -> Option<&str> {
        let (end, printed) = *self.cells.get(index)?;
        let start = index.checked_sub(1).and_then(|before| self.cells.get(before)).map_or(0, |c| c.0);
        printed.then(|| &self.text[start..end])
    }

    /// The same rows with other texts.
    #[must_use]
    pub fn map(&self, text: impl Fn(&str) -> &str) -> Self {
        let mut mapped = Self::default();
        for row in self.iter() {
            mapped.push(row.map(|cell| cell.map(&text)));
        }
        mapped
    }
}

impl<C: AsRef<str>, R: IntoIterator<Item = Option<C>>> FromIterator<R> for RawRows {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut all = Self::default();
        rows.into_iter().for_each(|row| all.push(row));
        all
    }
}

impl Serialize for RawRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.len()))?;
        for row in self.iter() {
            rows.serialize_element(&row.collect::<Vec<_>>())?;
        }
        rows.end()
    }
}

#[cfg(test)]
mod tests {
    use super::RawRows;

    #[test]
    fn cells_come_back_as_they_were_kept() {
        let rows = [vec![Some("a"), None, Some("")], vec![], vec![None], vec![Some("\u{e9}"), Some("b c")]];
        let kept: RawRows = rows.iter().cloned().collect();
        let back: Vec<Vec<Option<&str>>> = kept.iter().map(Iterator::collect).collect();
        assert_eq!(back, rows);
        assert_eq!((kept.len(), kept.is_empty()), (4, false));
        let masked = kept.map(|text| if text == "a" { "<masked>" } else { text });
        let back: Vec<Vec<Option<&str>>> = masked.iter().map(Iterator::collect).collect();
        assert_eq!(back[0], [Some("<masked>"), None, Some("")]);
        assert_eq!(back[3], rows[3]);
    }
}
