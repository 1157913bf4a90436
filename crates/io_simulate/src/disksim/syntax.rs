//! The syntax of DiskSim's parameter files: blocks of keys and values.
//!
//! ```text
//! type name { key = value, key = [ 1, 2, type { ... } ], other key = source FILE }
//! ```
//!
//! Keys hold blanks and punctuation and end at `=`. Commas separate, one too many is harmless; `#` starts a
//! comment up to the end of the line. `source FILE` stands for the block in that file.
//!
//! Source: the DiskSim 4.0 manual (CMU-PDL-08-101).

use std::fmt;

/// Why a file was not read: file, line from 1, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFault {
    /// Its name, as it was given.
    pub file: String,
    /// Line, from 1; `None` where it is the file as a whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "`{}`, line {line}: {}", self.file, self.what),
            None => write!(f, "`{}`: {}", self.file, self.what),
        }
    }
}

impl std::error::Error for FileFault {}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number or a bare word, as it stands.
    Word(String),
    List(Vec<Item>),
    Block(Block),
    /// The file in which the block stands.
    Source(String),
}

/// A value and its line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// A block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) entries: Vec<(String, Item)>,
}

/// Blocks lie within each other no deeper than this.
const DEEPEST: usize = 16;

/// The blocks of a file.
pub(crate) fn blocks(file: &str, text: &str) -> Result<Vec<Block>, FileFault> {
    let mut reader = Reader { file, rest: text, line: 1 };
    let mut found = Vec::new();
    loop {
        reader.skip(true);
        if reader.rest.is_empty() {
            return Ok(found);
        }
        let line = reader.line;
        let kind = reader.word();
        match reader.block(line, kind, 0)? {
            Some(block) => found.push(block),
            None => return Err(reader.fault(line, "here should stand `type name {`".to_owned())),
        }
    }
}

struct Reader<'a> {
    file: &'a str,
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn fault(&self, line: usize, what: String) -> FileFault {
        FileFault { file: self.file.to_owned(), line: Some(line), what }
    }

    fn take(&mut self, bytes: usize) -> &str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Past blanks and comments, and commas where these only separate.
    fn skip(&mut self, commas: bool) {
        loop {
            let blank = |c: char| c.is_whitespace() || (commas && c == ',');
            let blanks = self.rest.len() - self.rest.trim_start_matches(blank).len();
            self.take(blanks);
            if !self.rest.starts_with('#') {
                return;
            }
            let comment = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(comment);
        }
    }

    fn at(&mut self, c: char) -> bool {
        self.skip(false);
        let at = self.rest.starts_with(c);
        if at {
            self.take(c.len_utf8());
        }
        at
    }

    /// Up to a blank or a sign of the syntax.
    fn word(&mut self) -> String {
        self.skip(false);
        let end =
            self.rest.find(|c: char| c.is_whitespace() || "{}[]=,#".contains(c)).unwrap_or(self.rest.len());
        self.take(end).to_owned()
    }

    /// The rest of a block whose type was read; `None` where none follows.
    fn block(&mut self, line: usize, kind: String, depth: usize) -> Result<Option<Block>, FileFault> {
        let name = self.word();
        if kind.is_empty() || !self.at('{') {
            return Ok(None);
        }
        if depth > DEEPEST {
            return Err(self.fault(line, format!("more than {DEEPEST} blocks lie within each other")));
        }
        let mut entries = Vec::new();
        loop {
            self.skip(true);
            if self.at('}') {
                return Ok(Some(Block { file: self.file.to_owned(), line, kind, name, entries }));
            }
            let line_of_key = self.line;
            let end = self.rest.find(['=', '{', '}', '[', ']', '#', '\n']).unwrap_or(self.rest.len());
            let key = self.take(end).trim().to_owned();
            if key.is_empty() || !self.at('=') {
                let what = match (key.is_empty(), self.rest.is_empty()) {
                    (true, true) => format!("`{kind} {name}` of line {line} has no `}}`"),
                    (true, false) => "here should stand a key or `}`".to_owned(),
                    (false, _) => format!("`{key}` has no `=`"),
                };
                return Err(self.fault(line_of_key, what));
            }
            let item = self.item(&key, depth)?;
            entries.push((key, item));
        }
    }

    fn item(&mut self, key: &str, depth: usize) -> Result<Item, FileFault> {
        self.skip(false);
        let line = self.line;
        if self.at('[') {
            let mut items = Vec::new();
            loop {
                self.skip(true);
                if self.at(']') {
                    return Ok(Item { line, value: Value::List(items) });
                }
                if self.rest.is_empty() {
                    return Err(self.fault(line, format!("the list of `{key}` has no `]`")));
                }
                items.push(self.item(key, depth)?);
            }
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.fault(line, format!("`{key}` has no value")));
        }
        self.skip(false);
        let value = match self.rest.chars().next() {
            // What follows a word is a name and a block, a file, or the end of the value.
            Some('{') => Value::Block(self.needed_block(line, word, depth)?),
            None | Some(',' | '}' | ']') => Value::Word(word),
            Some(_) if word == "source" => Value::Source(self.word()),
            Some(_) => Value::Block(self.needed_block(line, word, depth)?),
        };
        Ok(Item { line, value })
    }

    fn needed_block(&mut self, line: usize, kind: String, depth: usize) -> Result<Block, FileFault> {
        let what = format!("after `{kind}` should stand `,` or `name {{`");
        self.block(line, kind, depth + 1)?.ok_or_else(|| self.fault(line, what))
    }
}

impl Block {
    pub(crate) fn fault(&self, line: Option<usize>, what: String) -> FileFault {
        FileFault { file: self.file.clone(), line: Some(line.unwrap_or(self.line)), what }
    }

    /// Refuses keys that the format does not have: what they would change is not modelled; and keys that stand twice, of which one
    /// would count without a word.
    pub(crate) fn known(&self, keys: &[&str]) -> Result<(), FileFault> {
        for (number, (key, item)) in self.entries.iter().enumerate() {
            if let Some((_, first)) = self.entries.iter().take(number).find(|(other, _)| other == key) {
                let what = format!("`{key}` stands in line {} already; one of the two is to go", first.line);
                return Err(self.fault(Some(item.line), what));
            }
        }
        let strange = self.entries.iter().find(|(key, _)| !keys.contains(&key.as_str()));
        match strange {
            None => Ok(()),
            Some((key, item)) => {
                let near = keys.iter().min_by_key(|k| distance(k, key)).copied().unwrap_or_default();
                let what = format!("`{key}` is no key of `{}`; the nearest is `{near}`", self.kind);
                Err(self.fault(Some(item.line), what))
            }
        }
    }

    /// The value of a key.
    pub(crate) fn find(&self, key: &str) -> Option<&Item> {
        self.entries.iter().rev().find(|(k, _)| k == key).map(|(_, item)| item)
    }

    pub(crate) fn need(&self, key: &str) -> Result<&Item, FileFault> {
        self.find(key).ok_or_else(|| self.fault(None, format!("`{}` has no `{key}`", self.kind)))
    }

    fn wrong(&self, key: &str, item: &Item, should: &str) -> FileFault {
        let stands = match &item.value {
            Value::Word(word) => format!("is `{word}`"),
            Value::List(_) => "is a list".to_owned(),
            Value::Block(block) => format!("is a block `{}`", block.kind),
            Value::Source(file) => format!("stands in `{file}`"),
        };
        self.fault(Some(item.line), format!("`{key}` {stands}; it should be {should}"))
    }

    pub(crate) fn word<'a>(&'a self, key: &str) -> Result<(&'a str, usize), FileFault> {
        let item = self.need(key)?;
        match &item.value {
            Value::Word(word) => Ok((word, item.line)),
            _ => Err(self.wrong(key, item, "a word")),
        }
    }

    fn number_of(&self, key: &str, item: &Item) -> Result<f64, FileFault> {
        let number = match &item.value {
            Value::Word(word) => word.parse::<f64>().ok().filter(|n| n.is_finite() && n.abs() < 1e15),
            _ => None,
        };
        number.ok_or_else(|| self.wrong(key, item, "a number"))
    }

    pub(crate) fn number(&self, key: &str) -> Result<f64, FileFault> {
        self.number_of(key, self.need(key)?)
    }

    /// A number of at least 0.
    pub(crate) fn amount(&self, key: &str) -> Result<f64, FileFault> {
        let item = self.need(key)?;
        match self.number_of(key, item)? {
            number if number >= 0.0 => Ok(number),
            _ => Err(self.wrong(key, item, "a number of at least 0")),
        }
    }

    fn whole_of(&self, key: &str, item: &Item) -> Result<u64, FileFault> {
        let number = self.number_of(key, item)?;
        if number >= 0.0 && number.fract() == 0.0 {
            Ok(number as u64)
        } else {
            Err(self.wrong(key, item, "a whole number of at least 0"))
        }
    }

    pub(crate) fn whole(&self, key: &str) -> Result<u64, FileFault> {
        self.whole_of(key, self.need(key)?)
    }

    /// 0 or 1.
    pub(crate) fn flag(&self, key: &str) -> Result<bool, FileFault> {
        match self.whole(key)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.wrong(key, self.need(key)?, "0 or 1")),
        }
    }

    pub(crate) fn list<'a>(&'a self, key: &str) -> Result<&'a [Item], FileFault> {
        let item = self.need(key)?;
        match &item.value {
            Value::List(items) => Ok(items),
            _ => Err(self.wrong(key, item, "a list in `[` and `]`")),
        }
    }

    pub(crate) fn numbers(&self, key: &str) -> Result<Vec<f64>, FileFault> {
        self.list(key)?.iter().map(|item| self.number_of(key, item)).collect()
    }

    pub(crate) fn wholes(&self, key: &str) -> Result<Vec<u64>, FileFault> {
        self.list(key)?.iter().map(|item| self.whole_of(key, item)).collect()
    }

    pub(crate) fn child<'a>(&'a self, key: &str, item: &'a Item) -> Result<&'a Block, FileFault> {
        match &item.value {
            Value::Block(block) => Ok(block),
            _ => Err(self.wrong(key, item, "a block in `{` and `}`")),
        }
    }
}

/// Letters to change, put in or leave out to make one of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let cost = (before + usize::from(!a.eq_ignore_ascii_case(b))).min(row[j] + 1).min(row[j + 1] + 1);
            before = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[other.len()]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blocks_lists_comments_and_sources_are_read() {
        let text = "a_type some-name {\n  Key (with) signs. = 1.5, # not = this\n  other = word,\n\
                    # gone = [\n#  1\n#  ],\n  list = [ 1, 2,\n 3, ],\n  empty = [],\n  in = b_type {\n x = 1 },\n\
                    Model = source some-file.model,\n}\nsecond it { }\n";
        let found = blocks("f", text).unwrap();
        assert_eq!(found.len(), 2);
        let a = &found[0];
        assert_eq!((a.kind.as_str(), a.name.as_str(), a.entries.len()), ("a_type", "some-name", 6));
        assert_eq!(a.number("Key (with) signs."), Ok(1.5));
        assert_eq!(a.word("other"), Ok(("word", 3)));
        assert_eq!(a.wholes("list"), Ok(vec![1, 2, 3]));
        assert_eq!(a.list("empty").unwrap().len(), 0);
        assert_eq!(a.child("in", a.need("in").unwrap()).unwrap().whole("x"), Ok(1));
        assert_eq!(a.need("Model").unwrap().value, Value::Source("some-file.model".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_told_with_file_line_and_key() {
        let block = blocks("f", "t n {\n a = x,\n b = 2.5,\n Segmnt size = 1\n}").unwrap().remove(0);
        let told = |fault: FileFault| fault.to_string();
        assert_eq!(told(block.number("a").unwrap_err()), "`f`, line 2: `a` is `x`; it should be a number");
        assert!(
            told(block.whole("b").unwrap_err()).contains("line 3: `b` is `2.5`; it should be a whole number")
        );
        assert_eq!(told(block.number("c").unwrap_err()), "`f`, line 1: `t` has no `c`");
        assert_eq!(
            told(block.known(&["a", "b", "Segment size", "Zones"]).unwrap_err()),
            "`f`, line 4: `Segmnt size` is no key of `t`; the nearest is `Segment size`"
        );
        let twice = blocks("f", "t n {\n a = 1,\n b = 2,\n a = 3,\n}").unwrap().remove(0);
        assert_eq!(
            told(twice.known(&["a", "b"]).unwrap_err()),
            "`f`, line 4: `a` stands in line 2 already; one of the two is to go"
        );
        for (text, why) in [
            ("t n {\n a = 1", "line 1 has no `}`"),
            ("t n {\n a\n}", "`a` has no `=`"),
            ("t n {\n a = \n}", "`a` has no value"),
            ("t n {\n a = [ 1,\n", "the list of `a` has no `]`"),
            ("t n {\n a = 1 2,\n}", "after `1` should stand"),
            ("\n\nt", "line 3: here should stand `type name {`"),
        ] {
            let fault = told(blocks("f", text).unwrap_err());
            assert!(fault.contains(why), "{text:?}: {fault}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_a_fault_of_ours(text in "[a-z =\\[\\]{},#\n0-9]{0,200}") {
            let _ = blocks("f", &text);
        }

        #[test]
        fn nor_is_a_damaged_file(cut in 0usize..200, put in "[=\\[\\]{},#x]{0,3}") {
            let whole = "disksim_disk D {\n Model = dm_disk M { Zones = [ z { a = 1, slips = [ 1, 2 ] }, ] },\n x = source f\n}\n";
            let cut = cut.min(whole.len());
            let _ = blocks("f", &format!("{}{put}{}", &whole[..cut], &whole[cut..]));
            let _ = blocks("f", &format!("{}{put}", &whole[..cut]));
        }
    }
}
