//! Tables of a file: values by key, and what nobody reads is refused.

use super::asked::{Asked, Wanted};
use super::keys::{Table, key, nearest_of};
use super::{Entries, Form, FormError, Node, Value};
use crate::quantity::{bits, bytes_a_second, number_and_unit, us_of};
use crate::region::Extent;

/// A number with its origin.
const SOURCED: Table = Table::new(
    "a number with its origin",
    &[
        key("value", "the number with its unit"),
        key("origin", "where it comes from, such as origin = \"data sheet\""),
    ],
);

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Microseconds.
    Time,
    /// Percent.
    Percent,
    /// Requests a second.
    Rate,
    /// Bytes a second, written as `125 MB/s`.
    Throughput,
    /// Turns a minute.
    Turns,
    /// Nothing: a weight or exponent.
    Plain,
}

/// A value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Tables and key, with points between.
    pub path: String,
    /// Key alone.
    pub key: String,
    /// Line, from 1; of the file in which it stands.
    pub line: usize,
    /// As written.
    pub value: String,
    /// Where it comes from; `None` where the file does not say.
    pub origin: Option<String>,
    /// It stands in the table beneath, not in the file itself.
    pub beneath: bool,
}

/// A table of the file.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    form: &'a Form,
    table: Table,
    values: &'a Entries,
    /// Values that count where the file has none.
    beneath: Option<&'a Entries>,
    line: usize,
    path: String,
}

/// A value as it was found.
#[derive(Clone, Copy, Debug)]
struct Found<'a> {
    node: &'a Node,
    beneath: bool,
}

/// Longest text of a name.
const SHORT: usize = 200;
/// Parts of a list of numbers.
const MOST_PARTS: usize = 1_024;
/// Of a remark, or the name of a file.
const LONG: usize = 4_096;

impl<'a> Section<'a> {
    pub(super) fn top(form: &'a Form, table: Table) -> Result<Self, FormError> {
        // The table begins with its first key, and the file with line 1.
        Self { form, table, values: form.root(), beneath: None, line: 1, path: String::new() }.checked()
    }

    /// The same table with values that count where it has none of its own.
    #[must_use]
    pub fn over(mut self, beneath: &'a Entries) -> Self {
        self.beneath = Some(beneath);
        self
    }

    /// Tables and keys to it, with points between; empty for the file itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Line at which it begins.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    fn find(&self, key: &'static str) -> Option<Found<'a>> {
        debug_assert!(self.table.means(key).is_some(), "a key without a meaning: {key}");
        let own = self.values.get(key).map(|node| Found { node, beneath: false });
        own.or_else(|| self.beneath?.get(key).map(|node| Found { node, beneath: true }))
    }

    /// Notes that a key is looked for, and what may stand there, where that is noted.
    pub fn asks(&self, key: &'static str, wanted: impl FnOnce() -> Wanted) {
        let Some(all) = &self.form.asked else { return };
        let one = Asked { table: self.table.called, key, wanted: wanted() };
        let mut all = all.borrow_mut();
        if !all.contains(&one) {
            all.push(one);
        }
    }

    /// A refusal at the table.
    #[must_use]
    pub fn refuse(&self, why: String) -> FormError {
        self.form.refuse_at(self.line, why)
    }

    /// A refusal at a line.
    #[must_use]
    pub fn refuse_at(&self, line: usize, why: String) -> FormError {
        self.form.refuse_at(line, why)
    }

    /// A refusal at a key.
    #[must_use]
    pub fn refuse_key(&self, key: &str, why: String) -> FormError {
        self.form.refuse_at(self.values.find(key).map_or(self.line, |e| e.line), why)
    }

    /// A refusal at a value, with what may stand there.
    fn wrong(&self, key: &str, node: &Node, what: &str) -> FormError {
        let means = self.table.means(key).unwrap_or_default();
        self.form.refuse_at(node.line, format!("`{key}` {what}. It is {means}"))
    }

    /// Something has to stand here.
    #[must_use]
    pub fn lacks(&self, key: &str, therefore: &str) -> FormError {
        let means = self.table.means(key).unwrap_or_default();
        if self.form.asked.is_some() {
            self.form.lacking.borrow_mut().push((self.table.called, key.to_owned()));
        }
        self.refuse(format!("{} has no `{key}`, {therefore}. It is {means}", self.table.called))
    }

    /// Notes an error and goes on without the value.
    pub fn keep<T>(&self, read: Result<Option<T>, FormError>) -> Option<T> {
        read.unwrap_or_else(|error| {
            self.form.note(error);
            None
        })
    }

    /// The same of a value that has to be there.
    pub fn need<T>(
        &self,
        key: &'static str,
        read: Result<Option<T>, FormError>,
        therefore: &str,
    ) -> Option<T> {
        if let Ok(None) = read {
            self.form.note(self.lacks(key, therefore));
        }
        self.keep(read)
    }

    /// Notes an error.
    pub fn note(&self, error: FormError) {
        self.form.note(error);
    }

    /// Refuses keys that nobody reads, the first in the file first; notes all where errors are collected.
    fn checked(self) -> Result<Self, FormError> {
        for entry in self.values.0.iter().filter(|e| self.table.means(&e.name).is_none()) {
            let nearest = match self.table.near(&entry.name) {
                Some(key) => format!("the nearest is `{}`: {}", key.name, key.means),
                None => {
                    let all: Vec<&str> = self.table.all().map(|key| key.name).collect();
                    format!("its keys are {}", all.join(", "))
                }
            };
            let written: String = entry.name.chars().take(60).collect();
            let why = format!("`{written}` is no key of {}; {nearest}", self.table.called);
            let error = self.form.refuse_at(entry.line, why);
            if !self.form.collects {
                return Err(error);
            }
            self.form.note(error);
        }
        Ok(self)
    }

    /// The same as a table of another kind, whose unknown keys are passed over.
    #[must_use]
    pub fn as_table(mut self, table: Table) -> Self {
        self.table = table;
        self
    }

    /// Reads it as a table of another kind.
    ///
    /// # Errors
    /// Where a key is unknown, unless errors are collected.
    pub fn read_as(mut self, table: Table) -> Result<Self, FormError> {
        self.table = table;
        self.checked()
    }

    /// Does a key stand here?
    #[must_use]
    pub fn has(&self, key: &'static str) -> bool {
        self.find(key).is_some()
    }

    /// Does a key stand in the file itself, and not beneath?
    #[must_use]
    pub fn has_own(&self, key: &'static str) -> bool {
        self.find(key).is_some_and(|found| !found.beneath)
    }

    /// The keys that stand here, with their lines.
    pub fn own_keys(&self) -> impl Iterator<Item = (&'a str, &'a Node)> + use<'a> {
        self.values.0.iter().map(|e| (e.name.as_str(), &e.node))
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// A single value, from its text or a table with its origin: the value itself.
    fn sourced(&self, key: &'static str, found: Found<'a>) -> Result<&'a Node, FormError> {
        self.sourced_as(key, key, found)
    }

    /// The same of a part of a list, by what it is called.
    fn sourced_as(&self, key: &'static str, called: &str, found: Found<'a>) -> Result<&'a Node, FormError> {
        let (node, origin) = match &found.node.value {
            Value::Table(values) => {
                let part = self.within(SOURCED, values, found.node.line, key)?;
                let origin = part.values.get("origin").and_then(|node| match &node.value {
                    Value::Text(text) if !text.trim().is_empty() => {
                        Some(text.trim().chars().take(LONG).collect::<String>())
                    }
                    _ => None,
                });
                let (Some(number), Some(origin)) = (values.get("value"), origin) else {
                    return Err(self.wrong(key, found.node, "needs both `value` and `origin`"));
                };
                (number, Some(origin))
            }
            _ => (found.node, None),
        };
        if let Some(value) = node.value.plain() {
            let given = Given {
                path: self.path_of(called),
                key: key.to_owned(),
                line: found.node.line,
                value: value.chars().take(SHORT).collect(),
                origin,
                beneath: found.beneath,
            };
            self.form.given.borrow_mut().insert(given.path.clone(), given);
        }
        Ok(node)
    }

    /// Notes the value that counts where a key does not stand here, so that who asks for all parameters is told of it.
    pub fn usual(&self, key: &'static str, value: &str, origin: &str) {
        debug_assert!(self.table.means(key).is_some(), "a key without a meaning: {key}");
        if !self.has(key) {
            self.taken(key, value, origin);
        }
    }

    /// Notes a value that counts and that no key sets.
    pub fn taken(&self, called: &str, value: &str, origin: &str) {
        let given = Given {
            path: self.path_of(called),
            key: called.to_owned(),
            line: self.line,
            value: value.to_owned(),
            origin: Some(origin.to_owned()),
            beneath: false,
        };
        self.form.given.borrow_mut().insert(given.path.clone(), given);
    }

    /// Where a value comes from; `None` where nothing says so.
    #[must_use]
    pub fn origin(&self, key: &'static str) -> Option<String> {
        let path = self.path_of(key);
        self.form.given.borrow().get(&path).and_then(|given| given.origin.clone())
    }

    /// A value that is one, by what it stands for; what it is not is said with what may stand there.
    fn value<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Result<Option<T>, FormError> {
        let Some(found) = self.find(key) else { return Ok(None) };
        let node = self.sourced(key, found)?;
        match read(&node.value) {
            Ok(value) => Ok(Some(value)),
            Err(what) => Err(self.wrong(key, node, &what)),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// Where it is none.
    pub fn text(&self, key: &'static str) -> Result<Option<String>, FormError> {
        self.asks(key, || Wanted::Text);
        self.value(key, |value| text_up_to(value, SHORT))
    }

    /// The name of a file, or a remark.
    ///
    /// # Errors
    /// Where it is none.
    pub fn long_text(&self, key: &'static str) -> Result<Option<String>, FormError> {
        self.asks(key, || Wanted::Text);
        self.value(key, |value| text_up_to(value, LONG))
    }

    /// One text or several.
    ///
    /// # Errors
    /// Where one of them is none, or there are more than so many.
    pub fn texts(&self, key: &'static str, most: usize) -> Result<Option<Vec<String>>, FormError> {
        self.texts_up_to(key, most, SHORT)
    }

    /// One remark or several.
    ///
    /// # Errors
    /// Where one of them is none, or there are more than so many.
    pub fn long_texts(&self, key: &'static str, most: usize) -> Result<Option<Vec<String>>, FormError> {
        self.texts_up_to(key, most, LONG)
    }

    fn texts_up_to(
        &self,
        key: &'static str,
        most: usize,
        longest: usize,
    ) -> Result<Option<Vec<String>>, FormError> {
        self.asks(key, || Wanted::Texts);
        let Some(found) = self.find(key) else { return Ok(None) };
        let Value::List(parts) = &found.node.value else {
            return Ok(self.value(key, |value| text_up_to(value, longest))?.map(|one| vec![one]));
        };
        if parts.is_empty() || parts.len() > most {
            return Err(self.wrong(key, found.node, &format!("has {} parts", parts.len())));
        }
        let text =
            |node: &Node| text_up_to(&node.value, longest).map_err(|what| self.wrong(key, node, &what));
        parts.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// A whole number of 1 or more, or several in a list.
    ///
    /// # Errors
    /// Where one of them is none, or above `most`.
    pub fn numbers(&self, key: &'static str, most: u32) -> Result<Option<Vec<u32>>, FormError> {
        self.asks(key, || Wanted::Numbers { most });
        let Some(found) = self.find(key) else { return Ok(None) };
        let Value::List(parts) = &found.node.value else {
            return Ok(self.whole_within(key, 1, most)?.map(|one| vec![one]));
        };
        let number = |(n, node): (usize, &'a Node)| {
            let part = Found { node, beneath: found.beneath };
            let node = self.sourced_as(key, &format!("{key}.{}", n + 1), part)?;
            let number = whole(&node.value).and_then(|n| u32::try_from(n).ok());
            number.filter(|n| (1..=most).contains(n)).ok_or_else(|| {
                self.wrong(
                    key,
                    node,
                    &format!("holds {}, no whole number from 1 to {most}", node.value.shown()),
                )
            })
        };
        if parts.is_empty() || parts.len() > MOST_PARTS {
            return Err(self.wrong(key, found.node, &format!("has {} parts", parts.len())));
        }
        parts.iter().enumerate().map(number).collect::<Result<_, _>>().map(Some)
    }

    /// One of several words.
    ///
    /// # Errors
    /// Where it is none of them.
    pub fn word(&self, key: &'static str, words: &[&'static str]) -> Result<Option<&'static str>, FormError> {
        self.asks(key, || Wanted::Word(words.to_vec()));
        self.value(key, |value| {
            let bare = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
            let written = match value {
                Value::Text(text) => Some(bare(text)),
                _ => None,
            };
            let known = written.as_ref().and_then(|w| words.iter().find(|word| bare(word) == *w));
            match (known, written) {
                (Some(word), _) => Ok(*word),
                (None, Some(written)) => match nearest_of(words.iter().copied(), &written) {
                    Some(nearest) => Err(format!("is {}; the nearest is \"{nearest}\"", value.shown())),
                    None => Err(format!("is {}", value.shown())),
                },
                (None, None) => Err(format!("is {}", value.shown())),
            }
        })
    }

    /// Yes or no.
    ///
    /// # Errors
    /// Where it is neither.
    pub fn flag(&self, key: &'static str) -> Result<Option<bool>, FormError> {
        self.asks(key, || Wanted::Flag);
        self.value(key, |value| match value {
            Value::Flag(flag) => Ok(*flag),
            other => Err(format!("is {}, neither true nor false", other.shown())),
        })
    }

    /// A whole number, 1 or more (a seed: 0 or more).
    ///
    /// # Errors
    /// Where it is none.
    pub fn whole(&self, key: &'static str) -> Result<Option<u64>, FormError> {
        let least = u64::from(key != "seed");
        self.asks(key, || Wanted::Whole { least, most: None });
        self.value(key, |value| {
            let number = whole(value).filter(|n| *n >= least);
            number.ok_or_else(|| format!("is {}, no whole number of {least} or more", value.shown()))
        })
    }

    /// A whole number within bounds.
    ///
    /// # Errors
    /// Where it is none.
    pub fn whole_within(&self, key: &'static str, least: u32, most: u32) -> Result<Option<u32>, FormError> {
        self.asks(key, || Wanted::Whole { least: u64::from(least), most: Some(u64::from(most)) });
        self.value(key, |value| {
            let number = whole(value).and_then(|n| u32::try_from(n).ok());
            let number = number.filter(|n| (least..=most).contains(n));
            number.ok_or_else(|| format!("is {}, no whole number from {least} to {most}", value.shown()))
        })
    }

    /// A number with its unit, from `least` to `most` in the unit that [`Unit`] names.
    ///
    /// # Errors
    /// Where it has none, or another one, or lies beyond.
    pub fn number(
        &self,
        key: &'static str,
        unit: Unit,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, FormError> {
        self.asks(key, || Wanted::Number { unit, least, most });
        self.value(key, |value| match number(value, unit)? {
            number if (least..=most).contains(&number) => Ok(number),
            _ => Err(format!("is {}, which is out of range", value.shown())),
        })
    }

    /// Bytes of a request.
    ///
    /// # Errors
    /// Where they have no unit, are not whole, or lie beyond.
    pub fn bytes(&self, key: &'static str) -> Result<Option<u32>, FormError> {
        let size = self.size(key, 512, 64 << 20)?;
        Ok(size.and_then(|bytes| u32::try_from(bytes).ok()))
    }

    /// Bytes, within bounds.
    ///
    /// # Errors
    /// Where they have no unit, are not whole, or lie beyond.
    pub fn size(&self, key: &'static str, least: u64, most: u64) -> Result<Option<u64>, FormError> {
        self.asks(key, || Wanted::Bytes { least, most });
        self.value(key, |value| {
            let text = match value {
                Value::Text(text) => text,
                Value::Whole(..) | Value::Fraction(_) => {
                    return Err(format!("is {} without a unit", value.shown()));
                }
                _ => return Err(format!("is {}, no size", value.shown())),
            };
            match bytes(text) {
                Some(bytes) if (least..=most).contains(&bytes) => Ok(bytes),
                Some(_) => Err(format!("is {}, out of range", value.shown())),
                None => Err(format!("is {}, no size", value.shown())),
            }
        })
    }

    /// A place or length on a device: bytes or percent of it.
    ///
    /// # Errors
    /// Where it is neither.
    pub fn extent(&self, key: &'static str) -> Result<Option<Extent>, FormError> {
        self.asks(key, || Wanted::Place);
        self.value(key, |value| {
            let percent = |text: &str| {
                number_and_unit(text)
                    .filter(|(number, unit)| unit == "%" && (0.0..=100.0).contains(number))
                    .map(|(number, _)| Extent::Percent(number))
            };
            let extent = match value {
                Value::Text(text) => percent(text).or_else(|| bytes(text).map(Extent::Bytes)),
                _ => None,
            };
            extent.ok_or_else(|| format!("is {}, neither bytes nor 0 % to 100 %", value.shown()))
        })
    }

    /// A table within this one.
    ///
    /// # Errors
    /// Where it is none, or has unknown keys.
    pub fn section(&self, key: &'static str, table: Table) -> Result<Option<Section<'a>>, FormError> {
        self.asks(key, || Wanted::Table);
        let Some(found) = self.find(key) else { return Ok(None) };
        match &found.node.value {
            Value::Table(values) => self.within(table, values, found.node.line, key).map(Some),
            _ => Err(self.wrong(key, found.node, "is no table")),
        }
    }

    fn within(&self, table: Table, values: &'a Entries, line: usize, key: &str) -> Result<Self, FormError> {
        Section { form: self.form, table, values, beneath: None, line, path: self.path_of(key) }.checked()
    }

    /// Tables within this one by their names, in the order of the file: `[device.NAME]`. Their keys are looked at when
    /// they are read as what they are.
    ///
    /// # Errors
    /// Where one of them is no table.
    pub fn named(&self, key: &'static str) -> Result<Vec<(&'a str, Section<'a>)>, FormError> {
        self.asks(key, || Wanted::Named);
        let Some(found) = self.find(key) else { return Ok(Vec::new()) };
        let Value::Table(all) = &found.node.value else {
            return Err(self.wrong(key, found.node, "is no table of names"));
        };
        let mut out = Vec::new();
        for entry in &all.0 {
            let Value::Table(values) = &entry.node.value else {
                let named = format!("is given `{}`, which is no table", entry.name);
                let error = self.wrong(key, &entry.node, &named);
                if !self.form.collects {
                    return Err(error);
                }
                self.form.note(error);
                continue;
            };
            let path = format!("{}.{}", self.path_of(key), entry.name);
            let (form, table) = (self.form, self.table);
            let section = Section { form, table, values, beneath: None, line: entry.node.line, path };
            out.push((entry.name.as_str(), section));
        }
        Ok(out)
    }

    /// Tables within this one, none where there are none.
    ///
    /// # Errors
    /// Where one is none, or has unknown keys.
    pub fn sections(&self, key: &'static str, table: Table) -> Result<Vec<Section<'a>>, FormError> {
        self.asks(key, || Wanted::Tables);
        let Some(found) = self.find(key) else { return Ok(Vec::new()) };
        match &found.node.value {
            Value::List(parts) => self.parts(key, found.node, parts, table),
            Value::Table(_) => {
                Err(self.wrong(key, found.node, "stands between single brackets and takes double ones"))
            }
            _ => Err(self.wrong(key, found.node, "is no table")),
        }
    }

    /// A list of tables; `None` where the value is no list.
    ///
    /// # Errors
    /// Where one is none, or has unknown keys.
    pub fn mix(&self, key: &'static str, table: Table) -> Result<Option<Vec<Section<'a>>>, FormError> {
        self.asks(key, || Wanted::Tables);
        match self.find(key) {
            Some(Found { node, .. }) => match &node.value {
                Value::List(parts) => self.parts(key, node, parts, table).map(Some),
                _ => Ok(None),
            },
            None => Ok(None),
        }
    }

    fn parts(
        &self,
        key: &'static str,
        node: &'a Node,
        parts: &'a [Node],
        table: Table,
    ) -> Result<Vec<Section<'a>>, FormError> {
        let part = |(number, part): (usize, &'a Node)| match &part.value {
            Value::Table(values) => self.within(table, values, part.line, &format!("{key}.{}", number + 1)),
            _ => Err(self.wrong(key, part, "holds something that is no table")),
        };
        if parts.is_empty() {
            return Err(self.wrong(key, node, "is empty"));
        }
        parts.iter().enumerate().map(part).collect()
    }
}

fn text_up_to(value: &Value, most: usize) -> Result<String, String> {
    match value {
        Value::Text(text) if !text.trim().is_empty() && text.chars().count() <= most => {
            Ok(text.trim().to_owned())
        }
        _ => Err(format!("is no text of 1 to {most} characters")),
    }
}

fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Whole(digits, radix) => u64::from_str_radix(digits, *radix).ok(),
        Value::Text(text) => text.trim().replace([',', '_'], "").parse().ok(),
        _ => None,
    }
}

/// A number in the unit that was asked for; else what it is.
pub(super) fn number(value: &Value, unit: Unit) -> Result<f64, String> {
    let bare = match value {
        Value::Whole(digits, 10) => digits.parse::<f64>().ok(),
        Value::Fraction(digits) => digits.parse::<f64>().ok(),
        _ => None,
    };
    if bare.is_some() && unit != Unit::Plain {
        return Err(format!("is {} without a unit", value.shown()));
    }
    let of_text = |text: &str| {
        let (number, written) = number_and_unit(text)?;
        match (unit, written.as_str()) {
            (Unit::Plain, "") | (Unit::Percent, "%" | "percent") | (Unit::Rate, "iops" | "/s") => {
                Some(number)
            }
            (Unit::Turns, "rpm" | "/min" | "turns a minute") => Some(number),
            (Unit::Throughput, _) => bytes_a_second(text),
            (Unit::Time, written) => us_of(number, written),
            _ => None,
        }
    };
    let text = match value {
        Value::Text(text) => of_text(text),
        _ => None,
    };
    if let (Unit::Throughput, Value::Text(text)) = (unit, value)
        && let Some(bits) = bits(text)
    {
        return Err(format!("is {}: {bits}", value.shown()));
    }
    let units = match unit {
        Unit::Time => " (us, ms, s, min, h, d)",
        Unit::Throughput => " (kB/s, MB/s, GB/s; KiB/s, MiB/s, GiB/s)",
        Unit::Percent | Unit::Rate | Unit::Turns | Unit::Plain => "",
    };
    bare.or(text).ok_or_else(|| format!("is {}, no number with such a unit{units}", value.shown()))
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
