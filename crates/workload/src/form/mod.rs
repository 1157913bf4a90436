//! Files in TOML with units in words: what job files, scenarios and catalogues are read with.
//!
//! A [`Form`] is a file that was parsed; its tables are read as [`Section`]s by [`Table`]s of keys, which are data.
//! A number that stands for something real may be a table, `{ value = "8 KiB", origin = "db_block_size" }`, and every
//! value that was read is kept with its place and origin ([`Given`]). Whatever is not understood is refused, with its
//! line: a key that nobody reads would change what is measured without a word.

mod asked;
mod keys;
mod section;
mod tree;

pub use asked::{Asked, Wanted};
pub use keys::{Key, Table, key};
pub use section::{Given, Section, Unit};
pub use tree::{Entries, Entry, Node, Value};

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;

/// Why a file was not understood: where, what, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormError {
    /// Name of the file as given.
    pub file: String,
    /// Line, from 1; 0 where it is about what was asked for beside the file.
    pub line: usize,
    /// In a sentence.
    pub why: String,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "`{}`: {}", self.file, self.why),
            line => write!(f, "`{}`, line {line}: {}", self.file, self.why),
        }
    }
}

impl std::error::Error for FormError {}

/// Errors that are kept; further ones are counted.
const MOST_ERRORS: usize = 50;

/// A file that is being read.
#[derive(Debug)]
pub struct Form {
    name: String,
    root: Entries,
    /// By path.
    given: RefCell<BTreeMap<String, Given>>,
    /// All that is wrong is wanted, and not the first alone.
    collects: bool,
    errors: RefCell<Vec<FormError>>,
    more_errors: Cell<usize>,
    /// What readers looked for, and keys that they could not do without, where somebody wants to know.
    asked: Option<RefCell<Vec<Asked>>>,
    lacking: RefCell<Vec<(&'static str, String)>>,
}

impl Form {
    /// Parses a text as TOML. `name` is what the file is called in messages.
    ///
    /// # Errors
    /// Where it is no TOML.
    pub fn parse(text: &str, name: &str) -> Result<Self, FormError> {
        match tree::parse(text) {
            Ok(root) => Ok(Self::of(name, root)),
            Err((line, why)) => Err(FormError { file: name.to_owned(), line, why }),
        }
    }

    /// A file whose values are at hand.
    #[must_use]
    pub fn of(name: &str, root: Entries) -> Self {
        Self {
            name: name.to_owned(),
            root,
            given: RefCell::default(),
            collects: false,
            errors: RefCell::default(),
            more_errors: Cell::new(0),
            asked: None,
            lacking: RefCell::default(),
        }
    }

    /// The same, where keys that nobody reads are noted instead of ending the reading.
    #[must_use]
    pub fn that_collects(mut self) -> Self {
        self.collects = true;
        self
    }

    /// The same, where what readers look for is noted.
    #[must_use]
    pub fn that_notes_keys(mut self) -> Self {
        self.asked = Some(RefCell::default());
        self
    }

    /// What readers looked for, each once for each way in which they did, where it was noted.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.as_ref().map_or_else(Vec::new, |asked| asked.borrow().clone())
    }

    /// Tables, by what they are called, and keys without which they say nothing, where that was noted.
    #[must_use]
    pub fn lacking(&self) -> Vec<(&'static str, String)> {
        self.lacking.borrow().clone()
    }

    /// The same file with other values, of which nothing was read yet.
    #[must_use]
    pub fn with(&self, root: Entries) -> Self {
        Self { collects: self.collects, ..Self::of(&self.name, root) }
    }

    /// The file itself as a table.
    ///
    /// # Errors
    /// Where a key is unknown, unless errors are collected.
    pub fn top(&self, table: Table) -> Result<Section<'_>, FormError> {
        Section::top(self, table)
    }

    /// What stands in it.
    #[must_use]
    pub fn root(&self) -> &Entries {
        &self.root
    }

    /// A refusal at a line.
    #[must_use]
    pub fn refuse_at(&self, line: usize, why: String) -> FormError {
        FormError { file: self.name.clone(), line, why }
    }

    /// Notes an error.
    pub fn note(&self, error: FormError) {
        let mut errors = self.errors.borrow_mut();
        if errors.contains(&error) {
            return;
        }
        if errors.len() < MOST_ERRORS {
            errors.push(error);
        } else {
            self.more_errors.set(self.more_errors.get() + 1);
        }
    }

    /// Has anything been noted?
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.errors.borrow().is_empty()
    }

    /// What was noted, by lines, and how many errors more there were.
    #[must_use]
    pub fn errors(&self) -> (Vec<FormError>, usize) {
        let mut errors = self.errors.borrow().clone();
        errors.sort_by_key(|e| e.line);
        (errors, self.more_errors.get())
    }

    /// Every value that was read, in the order of the file; those of a table beneath last.
    #[must_use]
    pub fn given(&self) -> Vec<Given> {
        let mut all: Vec<Given> = self.given.borrow().values().cloned().collect();
        all.sort_by_key(|g| (g.beneath, g.line));
        all
    }
}
