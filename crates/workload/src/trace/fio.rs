//! fio's iolog, as `--write_iolog` writes it.
//!
//! Version 2: a first line `fio version 2 iolog`, then `FILE add|open|close` and `FILE ACTION OFFSET LENGTH`,
//! bytes; time passes only in `FILE wait MICROSECONDS`, of which those below 100 count nothing. Version 3 puts
//! a time before each line, from the beginning of the run, and knows no `wait`. Source: fio's manual, "Trace
//! file format"; that version 3 counts microseconds its manual does not say, and fio 3.33 writes them.

use super::lines::{Name, Said, clipped, whole};
use crate::job::Operation;

/// Waits below this count nothing, microseconds.
const LEAST_WAIT: u64 = 100;

/// Where the reading of an iolog stands.
#[derive(Clone, Debug)]
pub(super) struct Iolog {
    version: u8,
    at_ns: u64,
    pub(super) has_times: bool,
}

impl Iolog {
    pub(super) fn new(version: u8) -> Self {
        Self { version, at_ns: 0, has_times: version == 3 }
    }

    pub(super) fn line<'a>(&mut self, line: &'a str) -> Said<'a> {
        if line.trim().is_empty() || version(line).is_some() {
            return Said::Nothing;
        }
        self.understand(line).unwrap_or_else(Said::Damaged)
    }

    fn understand<'a>(&mut self, line: &'a str) -> Result<Said<'a>, String> {
        let mut words = line.split_whitespace();
        if self.version == 3 {
            let us = whole(words.next().unwrap_or_default(), "time")?;
            self.at_ns = us.checked_mul(1_000).ok_or("its time is beyond all reason")?;
        }
        let (Some(file), Some(action)) = (words.next(), words.next()) else {
            return Err(format!("it names no file and action: `{}`", clipped(line)));
        };
        let operation = match action {
            "add" | "open" | "close" => return Ok(Said::Nothing),
            "sync" | "datasync" | "sync_file_range" => return Ok(Said::LeftOut("flushes")),
            "trim" => return Ok(Said::LeftOut("discards")),
            "wait" if self.version == 2 => {
                let us = whole(words.next().unwrap_or_default(), "wait")?;
                self.has_times = true;
                if us >= LEAST_WAIT {
                    let ns = us.checked_mul(1_000).and_then(|ns| self.at_ns.checked_add(ns));
                    self.at_ns = ns.ok_or("its wait is beyond all reason")?;
                }
                return Ok(Said::Nothing);
            }
            "read" => Operation::Read,
            "write" => Operation::Write,
            other => return Err(format!("`{}` is no action of version {}", clipped(other), self.version)),
        };
        let offset = whole(words.next().unwrap_or_default(), "offset")?;
        let bytes = whole(words.next().unwrap_or_default(), "length")?;
        Ok(Said::Request { at_ns: self.at_ns, source: Name::Text(file), operation, offset, bytes })
    }
}

/// The version that a first line names.
pub(super) fn version(line: &str) -> Option<&str> {
    line.trim().strip_prefix("fio version ")?.strip_suffix(" iolog")
}
