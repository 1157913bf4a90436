//! What a script is wanted for: question, release, licence, bounds.

use serde::Serialize;
use std::fmt;

/// The question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum What {
    Reports,
    Segments,
    Plans,
    Cache,
    History,
    All,
}

impl What {
    /// Days of history that are read unless told otherwise: of reports fewer, since each takes its time.
    #[must_use]
    pub fn usual_days(self) -> u16 {
        if self == Self::Reports { 7 } else { 31 }
    }

    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Reports, Self::Segments, Self::Plans, Self::Cache, Self::History, Self::All];

    /// As typed and as printed in the spool file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reports => "reports",
            Self::Segments => "segments",
            Self::Plans => "plans",
            Self::Cache => "cache",
            Self::History => "history",
            Self::All => "all",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|w| w.name() == name)
    }
}

/// A release of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Release {
    R11_2,
    R12_1,
    R12_2,
    R18,
    R19,
    R21,
    R23,
}

impl Release {
    /// All of them, oldest first.
    pub const ALL: [Self; 7] =
        [Self::R11_2, Self::R12_1, Self::R12_2, Self::R18, Self::R19, Self::R21, Self::R23];

    /// As typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::R11_2 => "11.2",
            Self::R12_1 => "12.1",
            Self::R12_2 => "12.2",
            Self::R18 => "18",
            Self::R19 => "19",
            Self::R21 => "21",
            Self::R23 => "23",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }
}

/// Which views may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Licence {
    /// The database is licensed for the Diagnostics Pack: `DBA_HIST_*`.
    Diagnostics,
    /// Only what needs no licence.
    Free,
    /// What needs no licence, and Statspack's tables.
    Statspack,
}

/// One script.
#[derive(Clone, Debug)]
pub struct Order {
    /// The question.
    pub what: What,
    /// The release that the script is for; `None`: all of them in one script.
    pub release: Option<Release>,
    /// Which views may be read.
    pub licence: Licence,
    /// Days of history.
    pub days: u16,
    /// Statements listed.
    pub top: u16,
    /// Pluggable database to look into.
    pub container: Option<String>,
    /// Reports as text instead of HTML.
    pub text: bool,
    /// Of `all`: leave out the walk over the buffer cache.
    pub no_cache: bool,
}

/// Why no script can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub(super) String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl Order {
    pub(super) fn check(&self) -> Result<(), Refused> {
        let Some(container) = &self.container else { return Ok(()) };
        if self.release == Some(Release::R11_2) {
            return Err(Refused("11.2 has no containers: leave out --container or --release".to_owned()));
        }
        // Unquoted names only: a name is spliced into a statement.
        let letters = container.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'));
        if !letters || !container.starts_with(|c: char| c.is_ascii_alphabetic()) || container.len() > 128 {
            return Err(Refused(format!(
                "`{container}` is no name of a pluggable database: letters, digits, _, $ and # are, \
                 beginning with a letter"
            )));
        }
        if self.what == What::Reports {
            return Err(Refused(
                "reports of a container: connect to it and run the script without --container".to_owned(),
            ));
        }
        Ok(())
    }

    /// Does the script read what needs the Diagnostics Pack?
    #[must_use]
    pub fn needs_pack(&self) -> bool {
        self.licence == Licence::Diagnostics
            && (self.what == What::Reports || super::catalogue::reads_awr(&super::catalogue::sections(self)))
    }

    /// Name of the file that the script writes.
    #[must_use]
    pub fn spool_file(&self) -> String {
        format!("spindle_{}.txt", self.what.name())
    }
}

/// `spindle collect --json`.
#[derive(Clone, Debug, Serialize)]
pub struct CollectDocument<'a> {
    /// The question.
    pub what: &'a str,
    /// The script.
    pub script: &'a str,
}

impl CollectDocument<'_> {
    /// As one JSON document, ended by a line feed.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).map(|json| json + "\n").unwrap_or_default()
    }
}
