//! The default text of blkparse: `MAJ,MIN CPU SEQUENCE SECONDS PID ACTION RWBS SECTOR + SECTORS [PROCESS]`.
//!
//! A request is an event Q (queued), or D (issued to the driver) where a trace has no Q; all other events are
//! of the same requests. Sectors have 512 bytes. RWBS holds R or W, with F before or behind (flush, forced
//! unit access), D for a discard, N for none. Behind the events stand sums, which begin with `CPU0 (`.
//! Source: blkparse(1), "Trace actions", "RWBS description", "Default output".

use super::lines::{Name, Said, clipped, seconds, whole};
use crate::job::Operation;

const SECTOR: u64 = 512;

/// Where the reading stands.
#[derive(Clone, Debug)]
pub(super) struct Blkparse {
    /// The event that is a request.
    event: char,
    sums: bool,
}

impl Blkparse {
    pub(super) fn new(event: char) -> Self {
        Self { event, sums: false }
    }

    pub(super) fn line<'a>(&mut self, line: &'a str) -> Said<'a> {
        let begun = line.trim_start();
        if begun.is_empty() {
            return Said::Nothing;
        }
        // Sums of a CPU, of all, and what follows them.
        self.sums |= (begun.starts_with("CPU") || begun.starts_with("Total")) && begun.contains('(');
        match self.understand(line) {
            Ok(said) => said,
            Err(_) if self.sums => Said::Nothing,
            Err(why) => Said::Damaged(why),
        }
    }

    fn understand<'a>(&self, line: &'a str) -> Result<Said<'a>, String> {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_default();
        let device = word();
        let numbers = device.split_once(',').map(|(a, b)| (a.parse::<u32>(), b.parse::<u32>()));
        if !matches!(numbers, Some((Ok(_), Ok(_)))) {
            return Err(format!("it does not begin with a device such as 8,0: `{}`", clipped(line)));
        }
        whole(word(), "CPU")?;
        whole(word(), "sequence number")?;
        let at_ns = seconds(word(), "time")?;
        whole(word(), "process")?;
        let action = word();
        if !(1..=2).contains(&action.len()) || !action.bytes().all(|b| b.is_ascii_alphabetic()) {
            return Err(format!("`{}` is no action", clipped(action)));
        }
        if !action.starts_with(self.event) || action.len() > 1 {
            return Ok(Said::LeftOut(if action == "Q" || action == "D" { OTHER } else { EVENTS }));
        }
        let kind = word();
        let operation =
            match kind.strip_prefix('F').filter(|rest| !rest.is_empty()).unwrap_or(kind).as_bytes() {
                [b'R', ..] => Operation::Read,
                [b'W', ..] => Operation::Write,
                [b'D', ..] => return Ok(Said::LeftOut("discards")),
                [b'F' | b'N', ..] => return Ok(Said::LeftOut("flushes")),
                _ => return Err(format!("`{}` says neither read nor write", clipped(kind))),
            };
        let sector = word();
        if sector.starts_with('[') || sector.is_empty() {
            return Ok(Said::LeftOut("flushes"));
        }
        let sector = whole(sector, "sector")?;
        if word() != "+" {
            return Err("it has no `+` between sector and number of sectors".to_owned());
        }
        let bytes = whole(word(), "number of sectors")?.checked_mul(SECTOR);
        let place = sector.checked_mul(SECTOR).zip(bytes);
        let (offset, bytes) = place.ok_or("its sector lies beyond any device")?;
        Ok(Said::Request { at_ns, source: Name::Text(device), operation, offset, bytes })
    }
}

/// Events of the same requests.
const EVENTS: &str = "events beside the requests";
/// Queued or issued, whichever is not replayed.
pub(super) const OTHER: &str = "events of the same requests";
