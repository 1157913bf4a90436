//! The traces of DiskSim's measured drives: what was asked, how long it took, how long the host then waited.
//!
//! ```text
//! R|W label block blocks service_us gap_us
//! ```
//!
//! The label is what the measuring host believed and decides nothing. The gap runs from the completion to the
//! next request: exactly one is under way.

use super::syntax::FileFault;
use crate::{Operation, Picoseconds};

/// A request that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredRequest {
    /// Read or write.
    pub operation: Operation,
    /// First block.
    pub block: u64,
    /// Blocks; at least one.
    pub blocks: u32,
    /// What it took on the drive, microseconds.
    pub response_us: f64,
    /// From its completion to the next request.
    pub gap: Picoseconds,
}

/// Reads a trace.
///
/// # Errors
/// With file and line, where one is no request.
pub fn read_measured_trace(file: &str, text: &str) -> Result<Vec<MeasuredRequest>, FileFault> {
    let mut requests = Vec::with_capacity(text.len() / 40);
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let request = request(line).map_err(|what| FileFault {
            file: file.to_owned(),
            line: Some(number + 1),
            what,
        })?;
        requests.push(request);
    }
    if requests.is_empty() {
        return Err(FileFault { file: file.to_owned(), line: None, what: "it holds no request".to_owned() });
    }
    Ok(requests)
}

fn request(line: &str) -> Result<MeasuredRequest, String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [operation, _label, block, blocks, response, gap] = fields[..] else {
        return Err(format!(
            "{} columns; operation, label, block, blocks, service and gap are 6",
            fields.len()
        ));
    };
    let operation = match operation {
        "R" | "r" => Operation::Read,
        "W" | "w" => Operation::Write,
        other => return Err(format!("the operation is `{other}`; it should be R or W")),
    };
    // A number of microseconds, below a day.
    let time = |name: &str, text: &str| {
        let time = text.parse::<f64>().ok().filter(|t| (0.0..86.4e9).contains(t));
        time.ok_or_else(|| format!("the {name} is `{text}`; it should be microseconds"))
    };
    let count = blocks.parse::<u32>().ok().filter(|n| (1..=1 << 22).contains(n));
    Ok(MeasuredRequest {
        operation,
        block: block.parse().map_err(|_| format!("the block is `{block}`; it should be a whole number"))?,
        blocks: count
            .ok_or_else(|| format!("blocks are `{blocks}`; they should be a whole number from 1"))?,
        response_us: time("service time", response)?,
        gap: Picoseconds::from_us(time("gap", gap)?),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_request() {
        let read = read_measured_trace("t", "R Hit  8437604   4  10232.00000  40169.00000\n\n").unwrap();
        let request = MeasuredRequest {
            operation: Operation::Read,
            block: 8_437_604,
            blocks: 4,
            response_us: 10_232.0,
            gap: Picoseconds(40_169_000_000),
        };
        assert_eq!(read, [request]);
    }

    #[test]
    fn what_is_no_request_is_told_with_its_line() {
        for (line, why) in [
            ("R Hit 1 4 5.0", "5 columns"),
            ("X Hit 1 4 5.0 6.0", "the operation is `X`"),
            ("R Hit -1 4 5.0 6.0", "the block is `-1`"),
            ("R Hit 1 0 5.0 6.0", "blocks are `0`"),
            ("R Hit 1 4 NaN 6.0", "the service time is `NaN`"),
            ("R Hit 1 4 5.0 -1", "the gap is `-1`"),
        ] {
            let text = format!("W Miss 1 4 5.0 6.0\n{line}\n");
            let fault = read_measured_trace("t", &text).unwrap_err().to_string();
            assert!(fault.starts_with("`t`, line 2: ") && fault.contains(why), "{fault}");
        }
        assert_eq!(read_measured_trace("t", "\n").unwrap_err().to_string(), "`t`: it holds no request");
    }
}
