//! What readers ask tables for: which key, and what may stand there. A list of keys is made of it, so that it says what the
//! reader checks and nothing else.

use super::section::Unit;
use std::fmt::Write as _;

/// What may stand at a key, as a reader asked for it.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it; bounds are in the unit that is named")]
pub enum Wanted {
    Text,
    Texts,
    Word(Vec<&'static str>),
    Flag,
    /// Without an end: as many as there are.
    Whole {
        least: u64,
        most: Option<u64>,
    },
    /// One for all, or several.
    Numbers {
        most: u32,
    },
    /// In the unit that [`Unit`] names.
    Number {
        unit: Unit,
        least: f64,
        most: f64,
    },
    Bytes {
        least: u64,
        most: u64,
    },
    /// Bytes or percent of a device.
    Place,
    /// A table between single brackets, or within braces.
    Table,
    /// One table for each name.
    Named,
    /// A list of tables, `[[...]]`.
    Tables,
    /// Keys of the sweep and their values.
    Values,
}

/// A reader looked for a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What the table is called.
    pub table: &'static str,
    /// The key.
    pub key: &'static str,
    /// What it took.
    pub wanted: Wanted,
}

/// A number without digits that say nothing, thousands apart.
fn plain(value: f64) -> String {
    if value.abs() >= 1e15 {
        return format!("10^{:.0}", value.log10());
    }
    let text = format!("{}", (value * 1e9).round() / 1e9);
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let mut out = String::new();
    for (n, digit) in whole.chars().enumerate() {
        if n > 0 && (whole.len() - n).is_multiple_of(3) && whole.len() > 3 {
            out.push(',');
        }
        out.push(digit);
    }
    rest.map_or(out.clone(), |rest| format!("{out}.{rest}"))
}

fn time(us: f64) -> String {
    const UNITS: [(f64, &str); 5] = [(3_600e6, "h"), (60e6, "min"), (1e6, "s"), (1e3, "ms"), (1.0, "us")];
    let (size, name) = UNITS.iter().find(|(size, _)| us >= *size).unwrap_or(&(1.0, "us"));
    format!("{} {name}", plain(us / size))
}

fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 8] = [
        (1 << 50, "PiB"),
        (1 << 40, "TiB"),
        (1 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
        (1_000_000_000_000_000, "PB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
    ];
    let whole = UNITS.iter().filter(|(size, _)| count >= *size && count.is_multiple_of(*size));
    match whole.max_by_key(|(size, _)| *size) {
        Some((size, name)) => format!("{} {name}", plain((count / size) as f64)),
        None => format!("{} bytes", plain(count as f64)),
    }
}

fn throughput(per_s: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s")];
    match UNITS.iter().find(|(size, _)| per_s >= *size) {
        Some((size, name)) => format!("{} {name}", plain(per_s / size)),
        None => format!("{} bytes/s", plain(per_s)),
    }
}

impl Unit {
    fn said(self, value: f64) -> String {
        match self {
            Self::Time => time(value),
            Self::Percent => format!("{} %", plain(value)),
            Self::Rate => format!("{} IOPS", plain(value)),
            Self::Throughput => throughput(value),
            Self::Turns => format!("{} rpm", plain(value)),
            Self::Plain => plain(value),
        }
    }
}

impl Wanted {
    /// In words, with its bounds.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Texts => "a text, or several in a list".to_owned(),
            Self::Word(words) => {
                let mut out = String::new();
                for (n, word) in words.iter().enumerate() {
                    let between = match n {
                        0 => "",
                        n if n + 1 == words.len() => " or ",
                        _ => ", ",
                    };
                    let _ = write!(out, "{between}\"{word}\"");
                }
                out
            }
            Self::Flag => "true or false".to_owned(),
            Self::Whole { least, most: Some(most) } => {
                format!("{} to {}", plain(*least as f64), plain(*most as f64))
            }
            Self::Whole { least, most: None } => format!("a whole number, {least} or more"),
            Self::Numbers { most } => format!("1 to {}, or several in a list", plain(f64::from(*most))),
            Self::Number { unit, least, most } => format!("{} to {}", unit.said(*least), unit.said(*most)),
            Self::Bytes { least, most } => format!("{} to {}", bytes(*least), bytes(*most)),
            Self::Place => "bytes, or 0 % to 100 %".to_owned(),
            Self::Table => "a table".to_owned(),
            Self::Named => "a table for each name".to_owned(),
            Self::Tables => "a list of tables".to_owned(),
            Self::Values => "a table of swept keys and values".to_owned(),
        }
    }

    /// The least of it as it is written, so that a reader goes on to its next key; `None` of tables.
    #[must_use]
    pub fn least(&self) -> Option<super::Value> {
        use super::Value;
        Some(match self {
            Self::Text | Self::Texts => Value::Text("d".to_owned()),
            Self::Word(words) => Value::Text((*words.first()?).to_owned()),
            Self::Flag => Value::Flag(true),
            Self::Whole { least, .. } => Value::Whole((*least).max(1).to_string(), 10),
            Self::Numbers { .. } => Value::Whole("1".to_owned(), 10),
            Self::Number { unit, least, most } => {
                // What is 0 is often none.
                let number = if *least > 0.0 { *least } else { most.min(1.0) };
                Value::Text(match unit {
                    Unit::Time => format!("{number} us"),
                    Unit::Percent => format!("{number} %"),
                    Unit::Rate => format!("{number} IOPS"),
                    Unit::Throughput => format!("{} kB/s", number / 1e3),
                    Unit::Turns => format!("{number} rpm"),
                    Unit::Plain => number.to_string(),
                })
            }
            Self::Bytes { least, .. } => Value::Text(format!("{least} bytes")),
            Self::Place => Value::Text("1 %".to_owned()),
            Self::Table | Self::Named | Self::Tables | Self::Values => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_said_in_units_that_people_use() {
        let number = |unit, least, most| Wanted::Number { unit, least, most }.said();
        assert_eq!(number(Unit::Time, 0.0, 3_600e6), "0 us to 1 h");
        assert_eq!(number(Unit::Time, 1e3, 31.0 * 86_400e6), "1 ms to 744 h");
        assert_eq!(number(Unit::Throughput, 1e5, 1e10), "100 kB/s to 10 GB/s");
        assert_eq!(number(Unit::Turns, 1e3, 1e5), "1,000 rpm to 100,000 rpm");
        assert_eq!(number(Unit::Percent, 0.1, 10_000.0), "0.1 % to 10,000 %");
        assert_eq!(number(Unit::Plain, 0.0, 1e15), "0 to 10^15");
        assert_eq!(Wanted::Bytes { least: 512, most: 64 << 20 }.said(), "512 bytes to 64 MiB");
        assert_eq!(Wanted::Bytes { least: 1_000_000, most: 1_000_000_000_000_000 }.said(), "1 MB to 1 PB");
        assert_eq!(Wanted::Whole { least: 1, most: Some(1 << 20) }.said(), "1 to 1,048,576");
        assert_eq!(Wanted::Word(vec!["full", "half"]).said(), "\"full\" or \"half\"");
    }
}
