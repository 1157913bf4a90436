//! How a JSON document is printed: a number that is whole is printed without a fraction, an
//! unknown or infinite one as null, one document and a line end.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Whole numbers up to here are exact in 64 bits.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Prints `1234500` where the default prints `1234500.0`.
struct PlainNumbers;

impl Formatter for PlainNumbers {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            CompactFormatter.write_i64(writer, value as i64)
        } else {
            CompactFormatter.write_f64(writer, value)
        }
    }
}

/// Writes a value as JSON.
pub(crate) fn write(writer: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(writer, PlainNumbers)).map_err(io::Error::from)
}

/// Writes `{"reports":[...], ...}` one report at a time, so that a year of reports needs the memory
/// of one.
pub(crate) struct Document<W: Write> {
    writer: W,
    reports: usize,
}

impl<W: Write> Document<W> {
    /// Begins the document.
    pub(crate) fn new(mut writer: W) -> io::Result<Self> {
        writer.write_all(b"{\"reports\":[")?;
        Ok(Self { writer, reports: 0 })
    }

    /// Adds a report, on a line of its own.
    pub(crate) fn report(&mut self, report: &impl Serialize) -> io::Result<()> {
        self.writer.write_all(if self.reports == 0 { b"\n" } else { b",\n" })?;
        self.reports += 1;
        write(&mut self.writer, report)
    }

    /// Ends the document with the keys of `rest`, a struct, after the reports.
    pub(crate) fn end(mut self, rest: &impl Serialize) -> io::Result<()> {
        let mut keys = Vec::new();
        write(&mut keys, rest)?;
        self.writer.write_all(b"],\n")?;
        self.writer.write_all(keys.strip_prefix(b"{").unwrap_or(&keys))?;
        self.writer.write_all(b"\n")?;
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Document, write};

    fn printed(value: f64) -> String {
        let mut out = Vec::new();
        write(&mut out, &value).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_print_as_a_person_would_write_them() {
        assert_eq!(printed(1_234_500.0), "1234500");
        assert_eq!(printed(-0.0), "0");
        assert_eq!(printed(0.1), "0.1");
        assert_eq!(printed(f64::NAN), "null");
        assert_eq!(printed(f64::INFINITY), "null");
        assert_eq!(printed(1e300), "1e+300");
    }

    #[test]
    fn an_empty_document_is_valid() {
        let mut out = Vec::new();
        Document::new(&mut out).unwrap().end(&serde_json::json!({"unread": [1, 2]})).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value, serde_json::json!({"reports": [], "unread": [1, 2]}));
    }
}
