//! Reports in strings of JSON, or as a program prints a string of its own: `{"report": "WORKLOAD REPOSITORY ...\n"}`.

use crate::{decode, recognise};
use memchr::{memchr, memchr2, memmem};

/// So much of a text tells that it holds such strings, in bytes.
const HEAD: usize = 64 << 10;
/// No report has fewer lines.
const LEAST_LINES: usize = 5;
/// Nor has a list of its lines fewer than this.
const LEAST_ITEMS: usize = 20;
/// Most strings that are kept, and how deep lists stand in each other.
const MOST: usize = 1_000;
const DEEPEST: usize = 200;

/// The strings of a text that may hold reports, decoded; none where it is no such text.
pub(super) fn found(text: &str) -> Vec<String> {
    let begin = text.trim_ascii_start();
    // Nearly every text ends here.
    let quoted = begin.strip_prefix(['b', 'u', 'r']).unwrap_or(begin).starts_with(['"', '\'']);
    if !quoted && !begin.starts_with(['{', '[', '(']) {
        return Vec::new();
    }
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let escaped = memmem::find_iter(head.as_bytes(), b"\\n").take(LEAST_LINES).count();
    // A list with a string a line: `"stdout_lines": ["Load Profile", ...]`.
    let is_item = |line: &&str| line.trim_ascii().starts_with('"') && line.trim_ascii_end().ends_with("\",");
    let is_list = || !quoted && head.lines().filter(is_item).take(LEAST_ITEMS).count() == LEAST_ITEMS;
    if escaped < LEAST_LINES && !is_list() || !recognise::looks_like_report(head) {
        return Vec::new();
    }
    all(text)
        .into_iter()
        .filter(|string| {
            memchr::memchr_iter(b'\n', string.as_bytes()).take(LEAST_LINES).count() == LEAST_LINES
                && recognise::looks_like_report(string)
        })
        .collect()
}

/// All strings of a text; those of one list are lines of one.
fn all(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut found: Vec<String> = Vec::new();
    let mut open: Vec<u8> = Vec::new();
    // Does a string follow another one of its list?
    let mut goes_on = false;
    // Did the last one end its line?
    let mut ends_line = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                let is_bytes = at > 0 && bytes[at - 1] == b'b';
                let Some((string, length)) = string(&text[at..], is_bytes) else {
                    // No end: an apostrophe among words.
                    goes_on = false;
                    at += 1;
                    continue;
                };
                at += length;
                let ends_itself = string.ends_with('\n');
                if let Some(last) = found.last_mut().filter(|_| goes_on) {
                    // An empty string is a blank line.
                    if !ends_line {
                        last.push('\n');
                    }
                    last.push_str(&string);
                } else {
                    if found.len() >= MOST {
                        return found;
                    }
                    found.push(string);
                }
                ends_line = ends_itself;
                goes_on = open.last() == Some(&b'[');
                continue;
            }
            b'[' | b'{' | b'(' if open.len() < DEEPEST => {
                open.push(*byte);
                goes_on = false;
            }
            b']' | b'}' | b')' => {
                open.pop();
                goes_on = false;
            }
            b',' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => goes_on = false,
        }
        at += 1;
    }
    found
}

/// The string that a text begins with, and its length there; `None` where a line ends before it does.
pub(super) fn string(text: &str, is_bytes: bool) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let quote = *bytes.first()?;
    let mut out: Vec<u8> = Vec::new();
    let mut at = 1;
    loop {
        let next = memchr2(quote, b'\\', &bytes[at..]).map(|next| at + next)?;
        if memchr(b'\n', &bytes[at..next]).is_some() {
            return None;
        }
        out.extend_from_slice(&bytes[at..next]);
        if bytes[next] == quote {
            return Some((decode::decode(&out).into_owned(), next + 1));
        }
        let (code, length) = escape(&text[next..], is_bytes)?;
        out.extend_from_slice(&code);
        at = next + length;
    }
}

/// What a backslash and the letters behind it stand for, and how long they are.
fn escape(text: &str, is_bytes: bool) -> Option<(Vec<u8>, usize)> {
    let hex = |from: usize, digits: usize| {
        text.get(from..from + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    let letter = |code: u32| char::from_u32(code).unwrap_or('\u{fffd}').to_string().into_bytes();
    let kind = text[1..].chars().next()?;
    let one = |byte: u8| Some((vec![byte], 2));
    match kind {
        'n' => one(b'\n'),
        't' => one(b'\t'),
        'r' => one(b'\r'),
        'f' => one(0xC),
        'v' => one(0xB),
        'b' => one(0x8),
        'x' => {
            let code = hex(2, 2)?;
            let byte = u8::try_from(code).ok()?;
            Some((if is_bytes { vec![byte] } else { letter(code) }, 4))
        }
        'u' => {
            let high = hex(2, 4)?;
            // Letters beyond the first plane are two codes.
            let low = (text.get(6..8) == Some("\\u")).then(|| hex(8, 4)).flatten();
            match low {
                Some(low) if (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low) => {
                    Some((letter(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12))
                }
                _ => Some((letter(high), 6)),
            }
        }
        'U' => Some((letter(hex(2, 8)?), 10)),
        '"' | '\'' | '\\' | '/' => Some((kind.to_string().into_bytes(), 2)),
        // No escape of either.
        other => Some((format!("\\{other}").into_bytes(), 1 + other.len_utf8())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_decoded() {
        let one = |text: &str| string(text, false).map(|(string, _)| string);
        assert_eq!(
            one(r#""a\n\tb \"c\" \u00e9 \ud83d\ude00 \\ \/" "#).as_deref(),
            Some("a\n\tb \"c\" é 😀 \\ /")
        );
        assert_eq!(one(r"'it\'s \xe9 \d'").as_deref(), Some(r"it's é \d"));
        assert_eq!(string(r"'\xc3\xa9'", true), Some(("é".to_owned(), 10)));
        assert_eq!(one("\"a\nb\""), None, "no string goes over lines");
        assert_eq!(
            all(r#"{"a": ["x\n", "y\n"], "b": "z", 'c': ["1", "2"]}"#),
            ["a", "x\ny\n", "b", "z", "c", "1\n2"]
        );
    }

    #[test]
    fn an_ordinary_text_holds_none() {
        assert!(found("Load Profile\n~~~~ \"a\\n\\n\\n\\n\\n\\n\"\n").is_empty());
        assert!(found("[code]\nLoad Profile\n~~~~\nRedo size: 1 2\n[/code]\n").is_empty());
        assert!(found("{\"a\\n\\n\\n\\n\\n\": 1}").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_searched_without_panic(text in "[\\[{('\"]([a-z]|\\\\[nux\"'\\\\0-9a-f\u{e9}]|['\",:\\]\n\u{e9}]){0,60}") {
            let _ = all(&text);
            let _ = found(&format!("{text}Load Profile\\n\\n\\n\\n\\n"));
        }
    }
}
