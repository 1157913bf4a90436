//! How a JSON document is printed: a number that is whole is printed without a fraction, an
//! unknown or infinite one as null, characters that act on who looks at them as escapes, one document and
//! a line end.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use spindle_facts::hidden::acts;
use std::io::{self, Write};

/// Whole numbers up to here are exact in 64 bits.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Prints `1234500` where the default prints `1234500.0`, and characters that act (controls, changes of
/// direction, marks without width) as `\u202e`: the same text to every reader of JSON, and harmless in a
/// terminal or an editor.
struct Plain;

impl Formatter for Plain {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        // Nearly every text: those below blanks are escapes already.
        if text.bytes().all(|b| b.is_ascii() && b != 0x7f) {
            return writer.write_all(text.as_bytes());
        }
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| acts(*c)) {
            writer.write_all(&text.as_bytes()[from..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            from = at + c.len_utf8();
        }
        writer.write_all(&text.as_bytes()[from..])
    }

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
    value.serialize(&mut Serializer::with_formatter(writer, Plain)).map_err(io::Error::from)
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

    /// A name with U+009B (begins a terminal's command) or U+202E (turns the line around) stood in the
    /// document as it was.
    #[test]
    fn characters_that_act_stood_raw_in_the_document() {
        let text = "a\u{9b}2Jb\u{202e}c\u{7f}\u{ad}\u{e0001}\u{1b}\n\"é\u{1f600}";
        let mut out = Vec::new();
        write(&mut out, &std::collections::BTreeMap::from([(text, text)])).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(!out.chars().any(spindle_facts::hidden::acts), "{out:?}");
        let escaped = r#""a\u009b2Jb\u202ec\u007f\u00ad\udb40\udc01\u001b\n\"é😀""#;
        assert_eq!(out, format!("{{{escaped}:{escaped}}}"));
        let back: std::collections::BTreeMap<String, String> = serde_json::from_str(&out).unwrap();
        assert_eq!(back, std::collections::BTreeMap::from([(text.to_owned(), text.to_owned())]));
    }

    #[test]
    fn an_empty_document_is_valid() {
        let mut out = Vec::new();
        Document::new(&mut out).unwrap().end(&serde_json::json!({"unread": [1, 2]})).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value, serde_json::json!({"reports": [], "unread": [1, 2]}));
    }
}
