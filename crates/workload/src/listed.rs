//! What can be written in a file of a certain kind, and what is kept at hand for it, as lists that people read.

/// A table of a kind of file.
///
/// Shape: one a table and kind; its keys in the order in which they are told. Source: the reader of such files, which checks by the
/// same definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTable {
    /// As it stands in the file: `[device.NAME]`, with its kind where there are several.
    pub heading: String,
    /// What has to be known of all its keys.
    pub note: Option<String>,
    /// What it is called, with its article.
    pub called: String,
    /// Words that it is found by.
    pub words: Vec<String>,
    /// Its keys.
    pub keys: Vec<ListedKey>,
}

/// A key of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedKey {
    /// As written.
    pub name: String,
    /// Whether it has to be there.
    pub needed: Needed,
    /// What may stand there, with unit and bounds.
    pub takes: String,
    /// What it means, and what counts without it.
    pub means: String,
}

/// Whether a key has to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needed {
    /// In any case.
    Always,
    /// With these.
    With(Vec<String>),
    /// Not at all.
    Never,
}

impl std::fmt::Display for Needed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Always => f.write_str("required"),
            Self::With(what) => write!(f, "required with {}", what.join(", ")),
            Self::Never => f.write_str("optional"),
        }
    }
}

/// A device that is kept at hand.
///
/// Shape: one a device. Unit: in the values. Source: the catalogue, whose figures say each where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// What files call it.
    pub name: String,
    /// Of which kind it is.
    pub kind: String,
    /// What it is, in a line.
    pub about: String,
    /// Key, value with its unit, and where that comes from.
    pub figures: Vec<(String, String, String)>,
}
