//! Words, names, strings, numbers and signs of Oracle SQL and PL/SQL, strictly: what is not known is
//! refused.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// In lower case.
    Word(String),
    /// A name between double quotes.
    Name(String),
    /// A text between single quotes, without its doubling.
    Text(String),
    Number(String),
    /// `:name`.
    Bind(String),
    Sign(&'static str),
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) at: Range<usize>,
}

const SIGNS: [&str; 21] = [
    ":=", "..", "<>", "<=", ">=", "||", "=>", "=", "<", ">", "+", "-", "*", "/", "(", ")", ",", ";", ".",
    "%", "@",
];

/// Takes a text apart.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, String> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let begin = at;
        let token = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            return Err(format!("a comment that may go on: {}", clip(rest)));
        } else if let Some(inside) = rest.strip_prefix("q'[") {
            let end = inside.find("]'").ok_or_else(|| format!("a text has no end: {}", clip(rest)))?;
            at += 3 + end + 2;
            Token::Text(inside[..end].to_owned())
        } else if c == '\'' {
            let (text, length) = quoted(rest, '\'')?;
            at += length;
            Token::Text(text)
        } else if c == '"' {
            let end = rest[1..].find('"').ok_or_else(|| format!("a name has no end: {}", clip(rest)))?;
            if end == 0 {
                return Err(format!("an empty name: {}", clip(rest)));
            }
            at += end + 2;
            Token::Name(rest[1..=end].to_owned())
        } else if c.is_ascii_alphabetic() {
            let word = run(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'));
            at += word.len();
            Token::Word(word.to_ascii_lowercase())
        } else if c.is_ascii_digit() {
            let number = run(rest, |c| c.is_ascii_digit());
            at += number.len();
            Token::Number(number.to_owned())
        } else if c == ':' && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name = run(&rest[1..], |c| c.is_ascii_alphanumeric() || c == '_');
            at += 1 + name.len();
            Token::Bind(name.to_ascii_lowercase())
        } else {
            let sign = SIGNS.into_iter().find(|s| rest.starts_with(s));
            let sign = sign.ok_or_else(|| format!("no sign of the language: {}", clip(rest)))?;
            at += sign.len();
            Token::Sign(sign)
        };
        all.push(Placed { token, at: begin..at });
    }
    Ok(all)
}

fn run(text: &str, part: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !part(c)).unwrap_or(text.len())]
}

/// A text whose quotes are doubled inside, and how long it is as written.
fn quoted(text: &str, quote: char) -> Result<(String, usize), String> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c != quote {
            out.push(c);
        } else if chars.peek().is_some_and(|(_, next)| *next == quote) {
            chars.next();
            out.push(quote);
        } else {
            return Ok((out, at + 1));
        }
    }
    Err(format!("a text has no end: {}", clip(text)))
}

pub(super) fn clip(text: &str) -> String {
    text.chars().take(80).collect()
}
