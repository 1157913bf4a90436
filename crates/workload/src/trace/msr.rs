//! The csv of the block traces of MSR Cambridge: `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`.
//!
//! Timestamp is Windows file time, units of 100 ns since 1601, of the issue; Type is Read or Write; offset and
//! size are bytes of a logical disk. The response time is not replayed. Source: the readme of the traces at SNIA.

use super::lines::{Name, Said, clipped, whole};
use crate::job::Operation;

/// Nanoseconds of a unit of Windows file time.
const TICK_NS: u64 = 100;

pub(super) fn line(line: &str) -> Said<'_> {
    let begun = line.trim();
    let heading = begun.get(..9).is_some_and(|t| t.eq_ignore_ascii_case("timestamp"));
    if begun.is_empty() || heading {
        return Said::Nothing;
    }
    understand(line).unwrap_or_else(Said::Damaged)
}

fn understand(line: &str) -> Result<Said<'_>, String> {
    let mut fields = line.split(',').map(str::trim);
    let mut field = || fields.next().unwrap_or_default();
    let at_ns =
        whole(field(), "timestamp")?.checked_mul(TICK_NS).ok_or("its timestamp is beyond all reason")?;
    let (host, disk) = (field(), field());
    if host.is_empty() {
        return Err("its host has no name".to_owned());
    }
    whole(disk, "disk number")?;
    let operation = match field() {
        read if read.eq_ignore_ascii_case("read") => Operation::Read,
        write if write.eq_ignore_ascii_case("write") => Operation::Write,
        other => return Err(format!("its type is neither Read nor Write: `{}`", clipped(other))),
    };
    let offset = whole(field(), "offset")?;
    let bytes = whole(field(), "size")?;
    whole(field(), "response time")?;
    Ok(Said::Request { at_ns, source: Name::Disk(host, disk), operation, offset, bytes })
}
