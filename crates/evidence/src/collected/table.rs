//! One list on its way to facts: columns by name, typed access to the cells of a row, and a tally of
//! the cells that could not be used.

use crate::cell::{Cell, Habits, Unit, read};
use spindle_facts::Note;
use std::borrow::Cow;

/// Larger than any database (the bound is 8 EB): a size above is a misprint.
const ABSURD: f64 = 9.3e18;

/// How the numbers of a list are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// As the contract of collected files says: digits and one point.
    Plain,
    /// As people and clients print them: grouped, with a decimal comma, with an exponent.
    Printed {
        /// `1.234,5` instead of `1,234.5`.
        decimal_comma: bool,
    },
}

/// A column: its name as in the contract, and what its sizes are to be multiplied by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) factor: f64,
}

/// Cells that could not be used, by column and reason.
#[derive(Debug, Default)]
pub(super) struct Doubts(Vec<Doubt>);

#[derive(Debug)]
struct Doubt {
    column: String,
    why: &'static str,
    rows: u32,
    line: u32,
    sample: String,
}

impl Doubts {
    fn add(&mut self, column: &str, why: &'static str, line: u32, sample: &str) {
        match self.0.iter_mut().find(|d| d.why == why && d.column == column) {
            Some(doubt) => doubt.rows = doubt.rows.saturating_add(1),
            None => self.0.push(Doubt {
                column: column.to_owned(),
                why,
                rows: 1,
                line,
                sample: sample.chars().take(60).collect(),
            }),
        }
    }

    /// Notes about the cells of one section.
    pub(super) fn notes(self, section: &str) -> impl Iterator<Item = Note> {
        let section = section.to_owned();
        self.0.into_iter().map(move |d| Note {
            line: Some(d.line),
            section: Some(section.clone()),
            message: match d.rows {
                1 => format!("{} holds `{}`: {}", d.column, d.sample, d.why),
                n => format!("{} holds `{}`: {} ({n} rows)", d.column, d.sample, d.why),
            },
            effect: "the value is unknown there, and nothing is computed from it".to_owned(),
        })
    }
}

/// A row while it becomes a fact.
pub(super) struct Row<'r> {
    pub(super) line: u32,
    pub(super) columns: &'r [Column],
    pub(super) cells: &'r [Cow<'r, str>],
    pub(super) numbers: Numbers,
    pub(super) doubts: &'r mut Doubts,
}

impl<'r> Row<'r> {
    fn at(&self, name: &str) -> Option<(&'r Column, &'r str)> {
        let index = self.columns.iter().position(|c| c.name == name)?;
        let cell = self.cells.get(index)?.as_ref();
        (!cell.is_empty()).then_some((&self.columns[index], cell))
    }

    /// A cell as it stands; `None` where empty or where there is no such column.
    pub(super) fn cell(&self, name: &str) -> Option<&'r str> {
        self.at(name).map(|(_, cell)| cell)
    }

    /// A name or word.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.cell(name).map(str::to_owned)
    }

    /// A word that the dictionary pads with blanks.
    pub(super) fn word(&self, name: &str) -> Option<String> {
        let word = self.cell(name)?.trim();
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// A count, a size or a time in the unit of the contract; never negative.
    pub(super) fn number(&mut self, name: &str) -> Option<f64> {
        let (column, cell) = self.at(name)?;
        let Some(number) = number(cell, self.numbers) else {
            let has_unit = cell.starts_with(|c: char| c.is_ascii_digit())
                && cell.trim_end().ends_with(|c: char| c.is_ascii_alphabetic());
            let why =
                if has_unit { "a unit behind a number is not read; print whole bytes" } else { "no number" };
            self.doubts.add(name, why, self.line, cell);
            return None;
        };
        let value = number * column.factor;
        if column.factor == 1.0 && name.contains("BYTES") && value.fract() != 0.0 {
            self.doubts.add(
                name,
                "a part of a byte: its unit, or what its point or comma means, is another",
                self.line,
                cell,
            );
            return None;
        }
        if value < 0.0 {
            self.doubts.add(name, "less than nothing", self.line, cell);
            return None;
        }
        if value > ABSURD {
            self.doubts.add(name, "more than any database holds", self.line, cell);
            return None;
        }
        Some(value)
    }

    /// An identifier or hash value.
    pub(super) fn id(&mut self, name: &str) -> Option<u64> {
        let (_, cell) = self.at(name)?;
        let id = cell.trim().parse().ok();
        if id.is_none() {
            self.doubts.add(name, "no whole number", self.line, cell);
        }
        id
    }

    /// A small whole number.
    pub(super) fn small(&mut self, name: &str) -> Option<u32> {
        let id = self.id(name)?;
        let small = u32::try_from(id).ok();
        if small.is_none() {
            self.doubts.add(name, "larger than any such number", self.line, &id.to_string());
        }
        small
    }

    /// Yes or no, in the words of the dictionary.
    pub(super) fn yes(&mut self, name: &str) -> Option<bool> {
        let (_, cell) = self.at(name)?;
        match cell.trim().to_ascii_uppercase().as_str() {
            "YES" | "Y" | "TRUE" | "ENABLED" | "LOGGING" | "UNIQUE" => Some(true),
            "NO" | "N" | "FALSE" | "DISABLED" | "NOLOGGING" | "NONUNIQUE" => Some(false),
            "" | "NONE" | "N/A" => None,
            _ => {
                self.doubts.add(name, "neither yes nor no", self.line, cell);
                None
            }
        }
    }
}

/// A number; `None` where the text is none.
pub(super) fn number(text: &str, numbers: Numbers) -> Option<f64> {
    let text = text.trim();
    match numbers {
        Numbers::Plain => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
                && digits.bytes().any(|b| b.is_ascii_digit());
            text.parse().ok().filter(|n: &f64| plain && n.is_finite())
        }
        Numbers::Printed { decimal_comma } => {
            match read(text, Unit::Count, Habits { decimal_comma, suffix_cuts: Some(false) }) {
                // A suffix would be a unit of its own, and which base it has nobody says.
                Cell::Number(printed) if !text.ends_with(|c: char| c.is_ascii_alphabetic()) => {
                    Some(printed.value)
                }
                _ => None,
            }
        }
    }
}
