//! Tables of a job file: values by key, and what nobody reads is refused.

use super::JobFileError;
use super::keys::{SOURCED, Table};
use crate::quantity::{number_and_unit, us_of};
use crate::region::Extent;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    name: &'a str,
    table: Spanned<DeTable<'a>>,
    origins: RefCell<Vec<(usize, String, String)>>,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Microseconds.
    Time,
    /// Percent.
    Percent,
    /// Requests a second.
    Rate,
    /// Nothing: a weight or exponent.
    Plain,
}

/// Parses the text as TOML.
pub(super) fn begin<'a>(text: &'a str, name: &'a str) -> Result<Reader<'a>, JobFileError> {
    match DeTable::parse(text) {
        Ok(table) => Ok(Reader { text, name, table, origins: RefCell::default() }),
        Err(error) => Err(JobFileError {
            file: name.to_owned(),
            line: line(text, error.span().map_or(0, |s| s.start)),
            why: format!("it is no TOML: {}", error.message().trim().replace('\n', ", ")),
        }),
    }
}

/// Line of a byte, from 1.
fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|b| *b == b'\n').count() + 1
}

impl<'a> Reader<'a> {
    pub(super) fn top(&'a self, table: Table) -> Result<Section<'a>, JobFileError> {
        // The table begins with its first key, and the file with line 1.
        Section { reader: self, table, values: self.table.get_ref(), at: 0 }.checked()
    }

    pub(super) fn refuse_at(&self, at: usize, why: String) -> JobFileError {
        JobFileError { file: self.name.to_owned(), line: line(self.text, at), why }
    }

    /// Where numbers come from, in the order of the file.
    pub(super) fn origins(&self) -> Vec<(String, String)> {
        let mut all = self.origins.take();
        all.sort_by_key(|(at, ..)| *at);
        all.into_iter().map(|(_, key, origin)| (key, origin)).collect()
    }
}

/// A table of the file.
#[derive(Debug)]
pub(super) struct Section<'a> {
    reader: &'a Reader<'a>,
    table: Table,
    values: &'a DeTable<'a>,
    at: usize,
}

impl<'a> Section<'a> {
    /// The value of a key, where it stands.
    fn get(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        debug_assert!(self.table.means(key).is_some(), "a key without a meaning: {key}");
        self.values.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// A refusal at the table.
    pub(super) fn refuse(&self, why: String) -> JobFileError {
        self.reader.refuse_at(self.at, why)
    }

    /// A refusal at a key.
    pub(super) fn refuse_key(&self, key: &str, why: String) -> JobFileError {
        let at = self.values.iter().find(|(name, _)| name.get_ref() == key);
        self.reader.refuse_at(at.map_or(self.at, |(name, _)| name.span().start), why)
    }

    /// A refusal at a value, with what may stand there.
    fn wrong(&self, key: &str, span: Range<usize>, what: &str) -> JobFileError {
        let means = self.table.means(key).unwrap_or_default();
        self.reader.refuse_at(span.start, format!("`{key}` {what}. It is {means}"))
    }

    /// Something has to stand here.
    pub(super) fn lacks(&self, key: &str, therefore: &str) -> JobFileError {
        let means = self.table.means(key).unwrap_or_default();
        self.refuse(format!("{} has no `{key}`, {therefore}. It is {means}", self.table.called))
    }

    /// Refuses keys that nobody reads, the first in the file first.
    fn checked(self) -> Result<Self, JobFileError> {
        let unknown = self.values.iter().filter(|(name, _)| self.table.means(name.get_ref()).is_none());
        let Some((name, _)) = unknown.min_by_key(|(name, _)| name.span().start) else { return Ok(self) };
        let nearest = match self.table.nearest(name.get_ref()) {
            Some(key) => format!("the nearest is `{}`: {}", key.name, key.means),
            None => String::new(),
        };
        let why = format!("`{}` is no key of {}; {nearest}", name.get_ref(), self.table.called);
        Err(self.reader.refuse_at(name.span().start, why))
    }

    /// Does a key stand here?
    pub(super) fn has(&self, key: &'static str) -> bool {
        self.get(key).is_some()
    }

    /// A text.
    pub(super) fn text(&self, key: &'static str) -> Result<Option<String>, JobFileError> {
        self.text_up_to(key, 200)
    }

    /// The name of a file.
    pub(super) fn long_text(&self, key: &'static str) -> Result<Option<String>, JobFileError> {
        self.text_up_to(key, 4_096)
    }

    fn text_up_to(&self, key: &'static str, most: usize) -> Result<Option<String>, JobFileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() && text.chars().count() <= most => {
                Ok(Some(text.trim().to_owned()))
            }
            _ => Err(self.wrong(key, value.span(), &format!("is no text of 1 to {most} characters"))),
        }
    }

    /// One of several words.
    pub(super) fn word(
        &self,
        key: &'static str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, JobFileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let bare = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
        let written = value.get_ref().as_str().map(bare);
        match words.iter().find(|w| Some(**w) == written.as_deref()) {
            Some(word) => Ok(Some(word)),
            None => Err(self.wrong(key, value.span(), &format!("is {}", shown(value.get_ref())))),
        }
    }

    /// A number, from its text or a table with its origin: the value itself.
    fn sourced(
        &self,
        key: &'static str,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Result<&'a Spanned<DeValue<'a>>, JobFileError> {
        let DeValue::Table(table) = value.get_ref() else { return Ok(value) };
        let part = self.within(SOURCED, table, value.span().start)?;
        let number = part.get("value");
        let origin = part.text("origin")?;
        let (Some(number), Some(origin)) = (number, origin) else {
            return Err(self.wrong(key, value.span(), "needs both `value` and `origin`"));
        };
        self.reader.origins.borrow_mut().push((value.span().start, key.to_owned(), origin));
        Ok(number)
    }

    /// A whole number, 1 or more (a seed: 0 or more).
    pub(super) fn whole(&self, key: &'static str) -> Result<Option<u64>, JobFileError> {
        let Some(given) = self.get(key) else { return Ok(None) };
        let value = self.sourced(key, given)?;
        let least = u64::from(key != "seed");
        let number = match value.get_ref() {
            DeValue::Integer(digits) => u64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            DeValue::String(text) => text.trim().replace([',', '_'], "").parse().ok(),
            _ => None,
        };
        match number.filter(|n| *n >= least) {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong(
                key,
                value.span(),
                &format!("is {}, no whole number of {least} or more", shown(value.get_ref())),
            )),
        }
    }

    /// A number with its unit, from `least` to `most` in the unit that [`Unit`] names.
    pub(super) fn number(
        &self,
        key: &'static str,
        unit: Unit,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, JobFileError> {
        let Some(given) = self.get(key) else { return Ok(None) };
        let value = self.sourced(key, given)?;
        let bare = match value.get_ref() {
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().parse::<f64>().ok(),
            DeValue::Float(digits) => digits.as_str().parse::<f64>().ok(),
            _ => None,
        };
        if bare.is_some() && unit != Unit::Plain {
            return Err(self.wrong(
                key,
                value.span(),
                &format!("is {} without a unit", shown(value.get_ref())),
            ));
        }
        let number = bare.or_else(|| {
            let (number, written) = number_and_unit(value.get_ref().as_str()?)?;
            match (unit, written.as_str()) {
                (Unit::Plain, "") | (Unit::Percent, "%" | "percent") | (Unit::Rate, "iops" | "/s") => {
                    Some(number)
                }
                (Unit::Time, "min") => Some(number * 60e6),
                (Unit::Time, "h") => Some(number * 3_600e6),
                (Unit::Time, written) => Some(number * us_of(written)?),
                _ => None,
            }
        });
        match number {
            Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
            Some(_) => Err(self.wrong(
                key,
                value.span(),
                &format!("is {}, which is out of range", shown(value.get_ref())),
            )),
            None => Err(self.wrong(
                key,
                value.span(),
                &format!("is {}, no number with such a unit", shown(value.get_ref())),
            )),
        }
    }

    /// Bytes of a request.
    pub(super) fn bytes(&self, key: &'static str) -> Result<Option<u32>, JobFileError> {
        let Some(given) = self.get(key) else { return Ok(None) };
        let value = self.sourced(key, given)?;
        if let DeValue::Integer(_) | DeValue::Float(_) = value.get_ref() {
            let what = format!("is {} without a unit", shown(value.get_ref()));
            return Err(self.wrong(key, value.span(), &what));
        }
        let bytes = value.get_ref().as_str().and_then(bytes);
        let whole = bytes.and_then(|b| u32::try_from(b).ok()).filter(|b| (512..=64 << 20).contains(b));
        match whole {
            Some(bytes) => Ok(Some(bytes)),
            None => {
                let why = if bytes.is_some() { "out of range" } else { "no size" };
                Err(self.wrong(key, value.span(), &format!("is {}, {why}", shown(value.get_ref()))))
            }
        }
    }

    /// A place or length on a device: bytes or percent of it.
    pub(super) fn extent(&self, key: &'static str) -> Result<Option<Extent>, JobFileError> {
        let Some(given) = self.get(key) else { return Ok(None) };
        let value = self.sourced(key, given)?;
        let percent = |text: &str| {
            number_and_unit(text)
                .filter(|(number, unit)| unit == "%" && (0.0..=100.0).contains(number))
                .map(|(number, _)| Extent::Percent(number))
        };
        let extent = value
            .get_ref()
            .as_str()
            .and_then(|text| percent(text).or_else(|| bytes(text).map(Extent::Bytes)));
        match extent {
            Some(extent) => Ok(Some(extent)),
            None => Err(self.wrong(
                key,
                value.span(),
                &format!("is {}, neither bytes nor 0 % to 100 %", shown(value.get_ref())),
            )),
        }
    }

    /// A table within this one.
    pub(super) fn section(
        &self,
        key: &'static str,
        table: Table,
    ) -> Result<Option<Section<'a>>, JobFileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(values) => self.within(table, values, value.span().start).map(Some),
            _ => Err(self.wrong(key, value.span(), "is no table")),
        }
    }

    fn within(&self, table: Table, values: &'a DeTable<'a>, at: usize) -> Result<Self, JobFileError> {
        Section { reader: self.reader, table, values, at }.checked()
    }

    /// Tables within this one, none where there are none.
    pub(super) fn sections(&self, key: &'static str, table: Table) -> Result<Vec<Section<'a>>, JobFileError> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        match value.get_ref() {
            DeValue::Array(_) => self.parts(key, value, table),
            DeValue::Table(_) => {
                Err(self.wrong(key, value.span(), "stands between single brackets and takes double ones"))
            }
            _ => Err(self.wrong(key, value.span(), "is no table")),
        }
    }

    /// A list of tables; `None` where the value is no list.
    pub(super) fn mix(
        &self,
        key: &'static str,
        table: Table,
    ) -> Result<Option<Vec<Section<'a>>>, JobFileError> {
        match self.get(key) {
            Some(value) if value.get_ref().is_array() => self.parts(key, value, table).map(Some),
            _ => Ok(None),
        }
    }

    fn parts(
        &self,
        key: &'static str,
        value: &'a Spanned<DeValue<'a>>,
        table: Table,
    ) -> Result<Vec<Section<'a>>, JobFileError> {
        let DeValue::Array(parts) = value.get_ref() else { return Ok(Vec::new()) };
        let part = |part: &'a Spanned<DeValue<'a>>| match part.get_ref() {
            DeValue::Table(values) => self.within(table, values, part.span().start),
            _ => Err(self.wrong(key, part.span(), "holds something that is no table")),
        };
        if parts.is_empty() {
            return Err(self.wrong(key, value.span(), "is empty"));
        }
        parts.iter().map(part).collect()
    }
}

/// Whole bytes: `8 KiB`, `8192 bytes`, `0 bytes`.
fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = number_and_unit(text)?;
    let bytes = match unit.as_str() {
        "bytes" | "byte" | "b" => number,
        _ if number == 0.0 => 0.0,
        _ => crate::quantity::bytes(text)?,
    };
    // A cast from floating point stays within the bounds of the integer.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "see above")]
    (bytes.fract() == 0.0).then_some(bytes as u64)
}

/// A value as it stands, short.
fn shown(value: &DeValue<'_>) -> String {
    let short = |text: &str| text.chars().take(40).collect::<String>();
    match value {
        DeValue::String(text) => format!("\"{}\"", short(text)),
        DeValue::Integer(digits) => short(digits.as_str()),
        DeValue::Float(digits) => short(digits.as_str()),
        other => format!("of another kind ({})", other.type_str()),
    }
}
