//! Why nothing is emulated.

use std::fmt;

/// Why nothing is emulated, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmulateError {
    /// This machine or user cannot do it at all.
    Unavailable(String),
    /// Not as it was asked for.
    Refused(String),
}

impl fmt::Display for EmulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) | Self::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for EmulateError {}
