//! The trace file format of the Storage Performance Council: `ASU,LBA,SIZE,OPCODE,TIMESTAMP`, and fields
//! behind them that anybody may add.
//!
//! ASU is the number of an application storage unit; LBA counts its logical blocks, whose size the format
//! leaves to the description of the trace (512 bytes in those that are public); SIZE is in bytes; OPCODE is R or
//! W, in either case; TIMESTAMP is in seconds from the beginning. White space around a field is allowed.
//! Source: SPC Trace File Format Specification 1.0.1.

use super::lines::{Name, Said, clipped, seconds, whole};
use crate::job::Operation;

pub(super) fn line(line: &str, block_bytes: u32) -> Said<'_> {
    if line.trim().is_empty() {
        return Said::Nothing;
    }
    understand(line, block_bytes).unwrap_or_else(Said::Damaged)
}

fn understand(line: &str, block_bytes: u32) -> Result<Said<'_>, String> {
    let mut fields = line.split(',').map(str::trim);
    let mut field = || fields.next().unwrap_or_default();
    let source = field();
    whole(source, "ASU")?;
    let lba = whole(field(), "LBA")?;
    let bytes = whole(field(), "size")?;
    let operation = match field() {
        "r" | "R" => Operation::Read,
        "w" | "W" => Operation::Write,
        other => return Err(format!("its opcode is neither R nor W: `{}`", clipped(other))),
    };
    let at_ns = seconds(field(), "timestamp")?;
    let offset = lba.checked_mul(u64::from(block_bytes)).ok_or("its LBA lies beyond any device")?;
    Ok(Said::Request { at_ns, source: Name::Text(source), operation, offset, bytes })
}
