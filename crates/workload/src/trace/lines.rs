//! Lines of a trace, and the numbers in them. A line is bounded, so that a file that is none costs no memory.

use crate::job::Operation;
use std::io::{self, BufRead};

/// A line of a trace is never longer.
const MOST_LINE: usize = 8_192;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// A request, its time in nanoseconds as the trace counts.
    Request { at_ns: u64, source: Name<'a>, operation: Operation, offset: u64, bytes: u64 },
    /// Something else that is understood, in words that go behind a number.
    LeftOut(&'static str),
    /// Nothing that matters.
    Nothing,
    /// Not understood, and why.
    Damaged(String),
}

/// What a source is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name<'a> {
    Text(&'a str),
    /// A host and the number of its disk.
    Disk(&'a str, &'a str),
}

impl Name<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        match self {
            Self::Text(text) => *text == name,
            Self::Disk(host, disk) => {
                name.strip_prefix(*host).and_then(|rest| rest.strip_prefix('_')) == Some(*disk)
            }
        }
    }

    pub(super) fn owned(&self) -> String {
        match self {
            Self::Text(text) => (*text).to_owned(),
            Self::Disk(host, disk) => format!("{host}_{disk}"),
        }
    }
}

/// Lines with their numbers.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    /// Of the line last read, from 1.
    pub(super) number: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, number: 0, text: Vec::new() }
    }

    /// The next line, without its end; `Err` within where it is no text or too long.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<&str, String>>> {
        self.text.clear();
        let (mut any, mut cut) = (false, false);
        loop {
            let held = match self.input.fill_buf() {
                Ok(held) => held,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if held.is_empty() {
                break;
            }
            any = true;
            let end = held.iter().position(|b| *b == b'\n');
            let part = &held[..end.unwrap_or(held.len())];
            let room = MOST_LINE.saturating_sub(self.text.len());
            cut |= part.len() > room;
            self.text.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(held.len(), |at| at + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        if cut {
            return Ok(Some(Err(format!("it is longer than {MOST_LINE} bytes"))));
        }
        Ok(Some(match std::str::from_utf8(&self.text) {
            Ok(text) => Ok(text.trim_matches(['\r', '\u{feff}'])),
            Err(_) => Err("it is no text".to_owned()),
        }))
    }
}

/// A whole number in a line, or what stands there instead.
pub(super) fn whole(text: &str, what: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("its {what} is no whole number: `{}`", clipped(text)))
}

/// Seconds with decimals as nanoseconds.
pub(super) fn seconds(text: &str, what: &str) -> Result<u64, String> {
    ns_of(text).ok_or_else(|| format!("its {what} is no time in seconds: `{}`", clipped(text)))
}

fn ns_of(text: &str) -> Option<u64> {
    if text.contains(['e', 'E']) {
        let seconds: f64 = text.parse().ok()?;
        // The range keeps the cast exact enough and within bounds.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "see above")]
        return (0.0..=1e9).contains(&seconds).then_some((seconds * 1e9).round() as u64);
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + part.len() == 0 || !digits(whole) || !digits(part) {
        return None;
    }
    let seconds: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let ns = part.bytes().chain(std::iter::repeat(b'0')).take(9);
    let ns = ns.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    seconds.checked_mul(1_000_000_000)?.checked_add(ns)
}

/// As much of a text as a message needs.
pub(super) fn clipped(text: &str) -> String {
    let short: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn seconds_are_read_to_the_nanosecond() {
        for (text, ns) in [
            ("0.026214", Some(26_214_000)),
            ("12", Some(12_000_000_000)),
            (".5", Some(500_000_000)),
            ("3.1234567899", Some(3_123_456_789)),
            ("2.5e-05", Some(25_000)),
            ("", None),
            (".", None),
            ("-1", None),
            ("1.2.3", None),
            ("inf", None),
            ("1e300", None),
            ("99999999999", None),
        ] {
            assert_eq!(ns_of(text), ns, "{text}");
        }
    }

    #[test]
    fn a_line_without_an_end_costs_no_memory() {
        let text = [vec![b'a'; 100_000], b"\nb\r\n\xff\n".to_vec()].concat();
        let mut lines = Lines::new(io::BufReader::with_capacity(1_000, text.as_slice()));
        assert!(lines.next().unwrap().unwrap().unwrap_err().contains("longer than"));
        assert!(lines.text.capacity() < 20_000);
        assert_eq!(lines.next().unwrap().unwrap().unwrap(), "b");
        assert!(lines.next().unwrap().unwrap().unwrap_err().contains("no text"));
        assert_eq!(lines.next().unwrap(), None);
        assert_eq!(lines.number, 3);
    }
}
