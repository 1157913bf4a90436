//! What a TOML file holds, each value with its line, apart from the text: so that values can be put in place of
//! others before they are read.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its line, from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Line.
    pub line: usize,
    /// Value.
    pub value: Value,
}

/// A value of TOML.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number: digits, and to which base.
    Whole(String, u32),
    /// Any other number, as it stands.
    Fraction(String),
    /// `true` or `false`.
    Flag(bool),
    /// A date or time, as it stands.
    Moment(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Entries),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Key.
    pub name: String,
    /// Line of the key.
    pub line: usize,
    /// Value.
    pub node: Node,
}

/// Keys and values of a table, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entries(pub Vec<Entry>);

impl Entries {
    /// An entry.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|e| e.name == name)
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.find(name).map(|e| &e.node)
    }

    /// Puts a value in the place of another, or adds it.
    pub fn set(&mut self, name: &str, node: Node) {
        match self.0.iter_mut().find(|e| e.name == name) {
            Some(entry) => entry.node = node,
            None => self.0.push(Entry { name: name.to_owned(), line: node.line, node }),
        }
    }

    /// Takes a key out.
    pub fn take(&mut self, name: &str) -> Option<Entry> {
        let at = self.0.iter().position(|e| e.name == name)?;
        Some(self.0.remove(at))
    }
}

impl Value {
    /// As it stands, short.
    #[must_use]
    pub fn shown(&self) -> String {
        let short = |text: &str| text.chars().take(40).collect::<String>();
        match self {
            Self::Text(text) => format!("\"{}\"", short(text)),
            Self::Whole(digits, _) | Self::Fraction(digits) => short(digits),
            other => format!("of another kind ({})", other.kind()),
        }
    }

    /// Its kind, as TOML calls it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "string",
            Self::Whole(..) => "integer",
            Self::Fraction(_) => "float",
            Self::Flag(_) => "boolean",
            Self::Moment(_) => "datetime",
            Self::List(_) => "array",
            Self::Table(_) => "table",
        }
    }

    /// A single value as a person writes it, without quotes; `None` of tables and lists.
    #[must_use]
    pub fn plain(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Fraction(text) | Self::Moment(text) | Self::Whole(text, 10) => {
                Some(text.clone())
            }
            Self::Whole(digits, radix) => Some(format!("{digits} to the base {radix}")),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::List(_) | Self::Table(_) => None,
        }
    }
}

/// The values of a text; where it is no TOML, the line and why.
pub(super) fn parse(text: &str) -> Result<Entries, (usize, String)> {
    let lines = Lines::of(text);
    match DeTable::parse(text) {
        Ok(table) => Ok(entries(table.get_ref(), &lines)),
        Err(error) => {
            let message = error.message().trim().replace('\n', ", ");
            // Of two keys of a name the second is meant, which the message alone does not say.
            let named = error.span().and_then(|at| text.get(at)).filter(|_| message == "duplicate key");
            let message = named.map_or(message.clone(), |key| {
                format!("{message} `{}`", key.trim().chars().take(60).collect::<String>())
            });
            Err((lines.line(error.span().map_or(0, |s| s.start)), format!("it is no TOML: {message}")))
        }
    }
}

/// Where lines begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect())
    }

    /// Line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        self.0.partition_point(|end| *end < at) + 1
    }
}

fn entries(table: &DeTable<'_>, lines: &Lines) -> Entries {
    let mut all: Vec<(usize, Entry)> = table
        .iter()
        .map(|(name, value)| {
            let at = name.span().start;
            let entry = Entry {
                name: name.get_ref().clone().into_owned(),
                line: lines.line(at),
                node: node(value, lines),
            };
            (at, entry)
        })
        .collect();
    all.sort_by_key(|(at, _)| *at);
    Entries(all.into_iter().map(|(_, entry)| entry).collect())
}

fn node(value: &Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let line = lines.line(value.span().start);
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(digits) => Value::Whole(digits.as_str().to_owned(), digits.radix()),
        DeValue::Float(digits) => Value::Fraction(digits.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(moment) => Value::Moment(moment.to_string()),
        DeValue::Array(parts) => Value::List(parts.iter().map(|part| node(part, lines)).collect()),
        DeValue::Table(table) => Value::Table(entries(table, lines)),
    };
    Node { line, value }
}
