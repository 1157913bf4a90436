//! JSON as tools write it into files that others write to as well: every value knows its line, messages
//! between the lines are passed over, and what they broke is unknown, not a wrong number.
//!
//! fio prints its errors to where its JSON goes. Between two lines they do no harm. Within a number they
//! cut it: `"iops" : 12fio: ...`. So a number that nothing ends is damaged, as is a text that a line end cuts.

/// Values that are kept of one document; no result of any tool comes near.
const MOST_NODES: usize = 3_000_000;
/// Deepest nesting.
const MOST_DEPTH: usize = 64;
/// Messages that are kept.
const MOST_MESSAGES: usize = 20;

/// A value with its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Json {
    pub(super) line: u32,
    pub(super) node: Node,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// `null`, `nan`, or damaged.
    Unknown,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    /// The value of a key; `None` where it is not there, or stands twice with different values.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Node::Map(pairs) = &self.node else { return None };
        let mut found = pairs.iter().filter(|(k, _)| k == key).map(|(_, v)| v);
        let first = found.next()?;
        found.all(|other| other.node == first.node).then_some(first)
    }

    pub(super) fn pairs(&self) -> &[(String, Self)] {
        match &self.node {
            Node::Map(pairs) => pairs,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Self] {
        match &self.node {
            Node::List(items) => items,
            _ => &[],
        }
    }

    /// A number that is not below zero.
    pub(super) fn number(&self) -> Option<f64> {
        match self.node {
            Node::Number(n) if n >= 0.0 => Some(n),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.node {
            Node::Text(t) => Some(t),
            _ => None,
        }
    }

    pub(super) fn number_at(&self, key: &str) -> Option<f64> {
        self.get(key)?.number()
    }

    pub(super) fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }
}

/// A document, and what was wrong with it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) root: Json,
    /// First byte behind it.
    pub(super) end: usize,
    /// Messages among its lines, and what they broke, by line.
    pub(super) messages: Vec<(u32, String)>,
    /// Messages in all.
    pub(super) message_count: usize,
    /// Keys that stand twice with different values.
    pub(super) twice: Vec<(u32, String)>,
    /// The line where it ends before it is whole, or is no JSON any more.
    pub(super) broken: Option<u32>,
}

/// Reads the document that begins at a byte, which is on a line.
pub(super) fn parse(text: &str, at: usize, line: u32) -> Document {
    let mut reader = Reader {
        text,
        at,
        line,
        nodes: 0,
        messages: Vec::new(),
        message_count: 0,
        twice: Vec::new(),
        broken: None,
    };
    let root = reader.value(0);
    Document {
        root,
        end: reader.at,
        messages: reader.messages,
        message_count: reader.message_count,
        twice: reader.twice,
        broken: reader.broken,
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    nodes: usize,
    messages: Vec<(u32, String)>,
    message_count: usize,
    twice: Vec<(u32, String)>,
    broken: Option<u32>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b) = self.peek().filter(u8::is_ascii_whitespace) {
            self.line = self.line.saturating_add(u32::from(b == b'\n'));
            self.at += 1;
        }
    }

    /// Blanks and messages: lines of words in a place where JSON has none.
    fn gap(&mut self) {
        loop {
            self.blanks();
            match self.peek() {
                Some(b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"' | b'-' | b'0'..=b'9') | None => return,
                Some(_) if self.constant().is_some() => return,
                Some(_) => self.message(),
            }
        }
    }

    /// Passes over the rest of a line.
    fn message(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let words: String =
            String::from_utf8_lossy(&rest[..length.min(160)]).trim().chars().take(120).collect();
        self.message_count += 1;
        if self.messages.len() < MOST_MESSAGES {
            self.messages.push((self.line, words));
        }
        self.at += length;
    }

    /// A word of JSON, or one that C prints for no number.
    fn constant(&self) -> Option<(usize, Node)> {
        const WORDS: [(&str, Node); 7] = [
            ("null", Node::Unknown),
            ("true", Node::Bool(true)),
            ("false", Node::Bool(false)),
            ("nan", Node::Unknown),
            ("NaN", Node::Unknown),
            ("inf", Node::Unknown),
            ("Infinity", Node::Unknown),
        ];
        let rest = self.text.as_bytes().get(self.at..)?;
        let (word, node) = WORDS.into_iter().find(|(word, _)| rest.starts_with(word.as_bytes()))?;
        let ended = rest.get(word.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && !b":._".contains(b));
        ended.then_some((word.len(), node))
    }

    fn broke(&mut self) {
        self.broken.get_or_insert(self.line);
        self.at = self.text.len();
    }

    fn value(&mut self, depth: usize) -> Json {
        self.gap();
        self.nodes += 1;
        let line = self.line;
        if self.nodes > MOST_NODES || depth > MOST_DEPTH {
            self.broke();
            return Json { line, node: Node::Unknown };
        }
        let node = match self.peek() {
            Some(b'{') => self.map(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map_or(Node::Unknown, Node::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) if self.constant().is_some() => {
                let (length, node) = self.constant().unwrap_or((1, Node::Unknown));
                self.at += length;
                node
            }
            _ => {
                self.broke();
                Node::Unknown
            }
        };
        Json { line, node }
    }

    fn number(&mut self) -> Node {
        let bytes = self.text.as_bytes();
        let from = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) {
            self.at += 1;
        }
        let value: Option<f64> = self.text[from..self.at].parse().ok().filter(|v: &f64| v.is_finite());
        // `-nan`, and a number that a message cut.
        let rest = &bytes[self.at..];
        if self.text[from..self.at] == *"-" && (rest.starts_with(b"nan") || rest.starts_with(b"inf")) {
            self.at += 3;
            return Node::Unknown;
        }
        match self.peek() {
            Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n') => {
                value.map_or(Node::Unknown, Node::Number)
            }
            // The file may have been cut within it.
            None => Node::Unknown,
            Some(_) => {
                self.message();
                self.skip_to_delimiter();
                Node::Unknown
            }
        }
    }

    /// Passes over what is left of a broken value.
    fn skip_to_delimiter(&mut self) {
        while let Some(b) = self.peek().filter(|b| !b",}]".contains(b)) {
            self.line = self.line.saturating_add(u32::from(b == b'\n'));
            self.at += 1;
        }
    }

    /// A text; `None` where its line ends before it.
    fn string(&mut self) -> Option<String> {
        self.at += 1;
        let bytes = self.text.as_bytes();
        let from = self.at;
        let mut plain = true;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    plain = false;
                    self.at = (self.at + 2).min(bytes.len());
                }
                Some(b'\n') | None => {
                    // A message cut it: where it goes on is not known.
                    self.broke();
                    return None;
                }
                Some(_) => self.at += 1,
            }
        }
        let raw = self.text.get(from..self.at);
        self.at += 1;
        let raw = raw?;
        if plain {
            return Some(raw.to_owned());
        }
        serde_json::from_str(&format!("\"{raw}\"")).ok().or_else(|| Some(raw.to_owned()))
    }

    fn list(&mut self, depth: usize) -> Node {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.gap();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Node::List(items);
                }
                Some(b',') => self.at += 1,
                Some(b'}' | b':') | None => {
                    self.broke();
                    return Node::List(items);
                }
                Some(_) => items.push(self.value(depth + 1)),
            }
            if self.broken.is_some() {
                return Node::List(items);
            }
        }
    }

    fn map(&mut self, depth: usize) -> Node {
        self.at += 1;
        let mut pairs: Vec<(String, Json)> = Vec::new();
        loop {
            self.gap();
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    let Some(key) = self.string() else { break };
                    self.gap();
                    if self.peek() == Some(b':') {
                        self.at += 1;
                        let value = self.value(depth + 1);
                        pairs.push((key, value));
                        self.after_value();
                    } else {
                        self.broke();
                    }
                }
                _ => self.broke(),
            }
            if self.broken.is_some() {
                break;
            }
        }
        self.look_for_twins(&pairs);
        Node::Map(pairs)
    }

    /// Behind a value of a map stands a comma or the end: two values in a row are one that was cut.
    fn after_value(&mut self) {
        self.gap();
        if !matches!(self.peek(), None | Some(b',' | b'}' | b'"')) {
            self.broke();
        }
    }

    fn look_for_twins(&mut self, pairs: &[(String, Json)]) {
        let mut seen: rustc_hash::FxHashMap<&str, &Json> = rustc_hash::FxHashMap::default();
        for (key, value) in pairs {
            if let Some(first) = seen.insert(key, value)
                && first.node != value.node
                && self.twice.len() < MOST_MESSAGES
            {
                self.twice.push((value.line, key.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Document {
        parse(text, 0, 1)
    }

    #[test]
    fn values_know_their_lines() {
        let found = read("{\n \"a\" : 1,\n \"b\" : [ true, \"x\\u00e9\" ]\n}\nrest");
        assert_eq!((found.broken, found.message_count), (None, 0));
        let root = found.root;
        assert_eq!((root.get("a").unwrap().line, root.number_at("a")), (2, Some(1.0)));
        assert_eq!(root.get("b").unwrap().items()[1].text(), Some("xé"));
    }

    #[test]
    fn messages_between_lines_are_passed_over() {
        let found = read("{\nfio: something went wrong: 12\n\"a\" : 1,\nnote: both\n\"b\" : 2\n}");
        assert_eq!((found.broken, found.message_count), (None, 2));
        assert_eq!((found.root.number_at("a"), found.root.number_at("b")), (Some(1.0), Some(2.0)));
        assert_eq!(found.messages[0], (2, "fio: something went wrong: 12".to_owned()));
    }

    /// `12` stood there, and was not the number.
    #[test]
    fn a_number_that_a_message_cut_was_taken_for_a_whole_one() {
        let found = read("{\n\"a\" : 12fio: error\n34.5,\n\"b\" : 2\n}");
        assert_eq!((found.root.number_at("a"), found.root.number_at("b")), (None, Some(2.0)));
        // The message has a line of its own, and the number went on behind it.
        let found = read("{\n\"a\" : 12\nfio: error\n34.5,\n\"b\" : 2\n}");
        assert!(found.broken.is_some());
        let found = read("{\"b\" : 2,\n\"a\" : \"tex\nfio: error\nt\"\n}");
        assert_eq!((found.broken, found.root.number_at("b")), (Some(2), Some(2.0)));
    }

    #[test]
    fn what_is_no_number_is_unknown() {
        let found = read(
            "{\"a\" : -nan, \"b\" : nan, \"c\" : 1e999, \"d\" : -5, \"e\" : inf, \"f\" : 1.2.3, \"g\" : 7}",
        );
        assert_eq!(found.broken, None);
        for key in ["a", "b", "c", "d", "e", "f"] {
            assert_eq!(found.root.number_at(key), None, "{key}");
        }
        assert_eq!(found.root.number_at("g"), Some(7.0));
    }

    #[test]
    fn a_key_that_stands_twice_is_unknown_unless_it_says_the_same() {
        let found = read("{\"a\" : 1, \"b\" : 2, \"a\" : 3, \"b\" : 2}");
        assert_eq!((found.root.number_at("a"), found.root.number_at("b")), (None, Some(2.0)));
        assert_eq!(found.twice, [(1, "a".to_owned())]);
    }

    #[test]
    fn depth_and_size_are_bounded_and_the_cut_is_told() {
        assert!(read(&"[".repeat(100_000)).broken.is_some());
        assert!(read(&"{\"a\":".repeat(100_000)).broken.is_some());
        let cut = read("{\"a\" : 1,\n\"b\" : {\"c\" : 2");
        assert_eq!((cut.broken, cut.root.number_at("a")), (Some(2), Some(1.0)));
    }
}
