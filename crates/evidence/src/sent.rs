//! What reports were sent in: mails with their parts and encodings, strings of programs, rows of exported queries,
//! pages quoted in an answer, line ends of one `\r` or of Unicode's own, colours of a terminal.
//!
//! Each is told by its beginning, so that an ordinary report costs nothing. A saved web page of one file
//! (`.mht`) is a mail, too.

mod exported;
pub(crate) mod paged;
mod strings;

use crate::decode;
use memchr::{memchr, memchr_iter, memchr3, memchr3_iter, memmem};
use std::borrow::Cow;

/// So much of a text tells how it was sent, in bytes.
const HEAD: usize = 64 << 10;

/// Most parts of a mail that are looked at, and how deep they stand in each other.
const MOST_PARTS: usize = 200;
const DEEPEST: usize = 8;

/// One part of a mail, decoded.
pub(crate) struct Part {
    /// The file that it was, where the mail says so.
    pub(crate) name: Option<String>,
    pub(crate) text: String,
    /// Parts with the same number say the same in other forms, the best last.
    pub(crate) same_as: usize,
    /// What was decoded: `base64` or `quoted-printable`, else nothing.
    pub(crate) encoding: &'static str,
}

/// What a mail, or the body of one, or strings of a program hold.
pub(crate) struct Mail {
    /// What it is: a mail, or strings of a program.
    pub(crate) of: &'static str,
    pub(crate) parts: Vec<Part>,
    /// Files in it that are no text.
    pub(crate) files: Vec<String>,
    /// Alternatives so far.
    groups: usize,
}

/// The text with line ends and without quote marks as a report has them; its lines keep their numbers.
pub(crate) fn prepared(text: Cow<'_, str>) -> Cow<'_, str> {
    let head = text.as_bytes();
    let head = &head[..head.len().min(HEAD)];
    let text = if memchr(b'\n', head).is_none() && memchr(b'\r', head).is_some() {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else if memchr(b'\n', head).is_none() && has_ends(head) {
        Cow::Owned(text.replace(ENDS, "\n"))
    } else {
        text
    };
    let head = text.as_bytes();
    let text = match paged::without_prompts(&text, &head[..head.len().min(HEAD)]) {
        Some(plain) => Cow::Owned(plain),
        None => text,
    };
    let head = text.as_bytes();
    let coloured = memchr(ESCAPE, &head[..head.len().min(HEAD)]).is_some();
    let text = if coloured { Cow::Owned(without_colours(&text)) } else { text };
    let text = if is_ticked(&text) { Cow::Owned(without_ticks(&text)) } else { text };
    let text = match shown_feeds(&text) {
        Some(fed) => Cow::Owned(fed),
        None => text,
    };
    let text = match page_head(&text).map(|head| without_page_heads(&text, head)) {
        Some(without) => Cow::Owned(without),
        None => text,
    };
    match quoted_page(&text) {
        Some(depth) => Cow::Owned(without_marks(&text, depth)),
        None => text,
    }
}

/// A text with form feeds where editors and pagers show them in signs: `^LTime Model Statistics  DB/Inst: ...`. Their line
/// is a title in none of the releases.
fn shown_feeds(text: &str) -> Option<String> {
    const SIGNS: [&str; 5] = ["\n^L", "\n<0c>", "\n<0C>", "\n<FF>", "\n\u{2640}"];
    let head = text.as_bytes();
    let head = &head[..head.len().min(HEAD)];
    // Nearly every text ends here.
    if head.trim_ascii_start().first() == Some(&b'<') || memchr3(b'^', b'<', 0xE2, head).is_none() {
        return None;
    }
    let sign_at = |at: usize| {
        let line = head.get(at.checked_sub(1)?..).filter(|line| line.first() == Some(&b'\n'))?;
        SIGNS.into_iter().find(|sign| line.starts_with(sign.as_bytes()))
    };
    let sign = memchr3_iter(b'^', b'<', 0xE2, head).find_map(sign_at)?;
    Some(text.replace(sign, "\n\u{c}"))
}

/// The date and time with which the head of each page begins that `pr` puts above it: `2026-11-28 08:00  awr.txt  Page 1`.
fn page_head(text: &str) -> Option<&str> {
    const DATE: usize = "2026-11-28 08:00".len();
    let first = text.trim_ascii_start().lines().next()?.trim_ascii_end();
    let begins = first.as_bytes().first()?.is_ascii_digit() && first.ends_with(" Page 1");
    let date = first.get(..DATE).filter(|_| begins)?;
    let shape = |(at, b): (usize, u8)| match at {
        4 | 7 => b == b'-',
        10 => b == b' ',
        13 => b == b':',
        _ => b.is_ascii_digit(),
    };
    date.bytes().enumerate().all(shape).then_some(date)
}

/// A text with blank lines in the place of the heads of its pages: between rows they would be rows.
fn without_page_heads(text: &str, date: &str) -> String {
    let is_head = |line: &str| {
        let line = line.trim_ascii();
        let page = line.rsplit_once(" Page ").map_or("", |(_, page)| page);
        line.starts_with(date) && !page.is_empty() && page.bytes().all(|b| b.is_ascii_digit())
    };
    let kept = |line: &'_ str| if is_head(line) { "\n".to_owned() } else { line.to_owned() };
    text.split_inclusive('\n').map(kept).collect()
}

/// Mark of code within a line; books that were made into notes have it at both ends of each line of a listing.
const TICK: u8 = b'`';

/// What stands between the marks of a line of a listing.
fn between_ticks(line: &str) -> Option<&str> {
    let inner = line.trim_ascii().strip_prefix('`')?.strip_suffix('`')?;
    (!inner.is_empty() && memchr(TICK, inner.as_bytes()).is_none()).then_some(inner)
}

/// Do lines of a text stand between such marks, more of them than prose has names on lines of their own?
fn is_ticked(text: &str) -> bool {
    const LEAST: usize = 6;
    let bytes = text.as_bytes();
    let Some(first) = memchr(TICK, &bytes[..bytes.len().min(HEAD)]) else { return false };
    let from = text[..first].rfind('\n').map_or(0, |end| end + 1);
    let mut left = HEAD;
    let near = text[from..].lines().take_while(|line| {
        left = left.saturating_sub(line.len() + 1);
        left > 0
    });
    near.filter(|line| between_ticks(line).is_some()).take(LEAST).count() == LEAST
}

/// A text whose lines stand between such marks without them, line for line.
fn without_ticks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match between_ticks(line) {
            Some(inner) => {
                out.push_str(inner);
                out.push_str(if line.ends_with('\n') { "\n" } else { "" });
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Ends of lines of Unicode: next line, line separator, paragraph separator.
const ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Does one of them stand in a text?
fn has_ends(text: &[u8]) -> bool {
    ["\u{85}", "\u{2028}", "\u{2029}"].iter().any(|end| memmem::find(text, end.as_bytes()).is_some())
}

/// What a terminal is told begins with it.
const ESCAPE: u8 = 0x1B;

/// A text without what tells a terminal colours, where its line or its title ends, and which letters it has. What
/// moves its cursor stays: nobody knows where the words behind it stand.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(ESCAPE, rest.as_bytes()) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = colour(from.as_bytes());
        // A command of another kind is left as it stands.
        let (kept, behind) = if length == 0 { from.split_at(1) } else { ("", &from[length..]) };
        out.push_str(kept);
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// How many bytes of a command to a terminal do not move its cursor.
fn colour(from: &[u8]) -> usize {
    match from.get(1) {
        Some(b'[') => {
            let asked = from[2..].iter().take_while(|b| matches!(b, b'0'..=b'?')).count();
            // Colours, the rest of a line, modes.
            let is_still = matches!(from.get(2 + asked), Some(b'm' | b'K' | b'h' | b'l'));
            if is_still { asked + 3 } else { 0 }
        }
        // The title of its window, up to a bell or another escape.
        Some(b']') => {
            let end = from[2..].iter().position(|b| matches!(*b, 0x07 | ESCAPE | b'\n'));
            match end.map(|end| (end + 2, from[end + 2])) {
                Some((end, 0x07)) => end + 1,
                Some((end, ESCAPE)) if from.get(end + 1) == Some(&b'\\') => end + 2,
                _ => 0,
            }
        }
        Some(b'(') if from.get(2).is_some_and(u8::is_ascii_alphanumeric) => 3,
        _ => 0,
    }
}

/// How many quote marks stand before each line of a page, where any do.
fn quoted_page(text: &str) -> Option<usize> {
    const TAGS: [&str; 6] = ["<html", "<!doc", "<head", "<body", "<table", "<h1"];
    let head = text.as_bytes();
    let head = &head[..head.len().min(HEAD)];
    let is_tag = |at: usize| {
        TAGS.iter()
            .any(|tag| head[at..].get(..tag.len()).is_some_and(|t| t.eq_ignore_ascii_case(tag.as_bytes())))
    };
    let tag = memchr_iter(b'<', head).find(|at| is_tag(*at))?;
    let start = memchr::memrchr(b'\n', &head[..tag]).map_or(0, |end| end + 1);
    let before = &head[start..tag];
    let depth = before.iter().filter(|b| **b == b'>').count();
    if depth == 0 || !before.iter().all(|b| matches!(b, b'>' | b' ')) {
        return None;
    }
    // A page may break its tags before the last sign of them: not line by line.
    let mut lines = text[start..].lines().filter(|l| !l.trim().is_empty()).take(12);
    lines.all(|l| l.starts_with(['>', ' ']) && l.trim_start().starts_with('>')).then_some(depth)
}

fn without_marks(text: &str, depth: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        for _ in 0..depth {
            match rest.trim_start_matches(' ').strip_prefix('>') {
                Some(behind) => rest = behind,
                None => break,
            }
        }
        let quoted = rest.len() < line.len();
        out.push_str(if quoted { rest.strip_prefix(' ').unwrap_or(rest) } else { rest });
    }
    out
}

/// Does a mail begin here?
pub(crate) fn is_mail(text: &str) -> bool {
    headers(text).is_some_and(|(headers, _)| headers.is_mail())
}

/// The parts of a mail, or a text that was taken out of one with its encoding; `None` of anything else.
pub(crate) fn unpacked(text: &str) -> Option<Mail> {
    let mut mail = Mail { of: "a mail", parts: Vec::new(), files: Vec::new(), groups: 0 };
    if let Some((headers, body)) = headers(text).filter(|(headers, _)| headers.is_mail()) {
        mail.add(&headers, body, None, 0);
        return Some(mail);
    }
    if let Some(rows) = exported::found(text) {
        mail.of = "the rows of an exported query";
        mail.leaf(None, rows, None, "");
        return Some(mail);
    }
    let strings = strings::found(text);
    if !strings.is_empty() {
        mail.of = "a string";
        strings.into_iter().for_each(|string| mail.leaf(None, string, None, ""));
        return Some(mail);
    }
    if is_quoted_printable(text) {
        mail.leaf(None, decode::decode(&quoted_printable(text)).into_owned(), None, "quoted-printable");
        return Some(mail);
    }
    None
}

/// What heads a mail or one of its parts.
#[derive(Default)]
struct Headers {
    content: String,
    encoding: String,
    disposition: String,
    version: bool,
}

impl Headers {
    fn is_mail(&self) -> bool {
        self.version || !self.encoding.is_empty() || self.content.contains('/')
    }

    /// A parameter such as `boundary="..."`.
    fn parameter<'h>(value: &'h str, name: &str) -> Option<&'h str> {
        value.split(';').skip(1).find_map(|parameter| {
            let (key, value) = parameter.split_once('=')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
        })
    }

    fn name(&self) -> Option<String> {
        let name =
            Self::parameter(&self.disposition, "filename").or(Self::parameter(&self.content, "name"))?;
        (!name.is_empty()).then(|| name.to_owned())
    }
}

/// The headers that a text begins with, and what stands behind them.
fn headers(text: &str) -> Option<(Headers, &str)> {
    let text = text.trim_start_matches(['\n', '\r']);
    let (found, body) = part_headers(text);
    (body.len() < text.len()).then_some((found, body))
}

/// The headers of a part, which may have none, and its body.
fn part_headers(text: &str) -> (Headers, &str) {
    let mut found = Headers::default();
    let mut at = 0;
    let mut value: Option<&mut String> = None;
    for line in text.split_inclusive('\n').take(1_000) {
        let printed = line.trim_end();
        if printed.is_empty() {
            return (found, &text[at + line.len()..]);
        }
        if line.starts_with([' ', '\t']) && at > 0 {
            if let Some(value) = &mut value {
                value.push(' ');
                value.push_str(printed.trim_start());
            }
            at += line.len();
            continue;
        }
        at += line.len();
        if printed.starts_with("From ") && at == line.len() {
            continue;
        }
        let Some((name, rest)) = printed.split_once(':') else { break };
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
            break;
        }
        let kept = match name.to_ascii_lowercase().as_str() {
            "content-type" => &mut found.content,
            "content-transfer-encoding" => &mut found.encoding,
            "content-disposition" => &mut found.disposition,
            other => {
                found.version |= other == "mime-version";
                value = None;
                continue;
            }
        };
        rest.trim().clone_into(kept);
        value = Some(kept);
    }
    (Headers::default(), text)
}

impl Mail {
    fn add(&mut self, headers: &Headers, body: &str, same_as: Option<usize>, depth: usize) {
        let content = headers.content.to_ascii_lowercase();
        if depth > DEEPEST || self.parts.len() + self.files.len() >= MOST_PARTS {
            return;
        }
        if content.starts_with("multipart/") {
            let Some(boundary) = Headers::parameter(&headers.content, "boundary") else { return };
            let same_as = same_as.or_else(|| {
                content.starts_with("multipart/alternative").then(|| {
                    self.groups += 1;
                    self.groups
                })
            });
            for part in parted(body, boundary) {
                let (headers, body) = part_headers(part.strip_prefix("\r\n").unwrap_or(part));
                self.add(&headers, body, same_as, depth + 1);
            }
            return;
        }
        if content.starts_with("message/") {
            if let Some((headers, body)) = self::headers(body) {
                self.add(&headers, body, same_as, depth + 1);
            }
            return;
        }
        let name = headers.name();
        if content.starts_with("image/") {
            return;
        }
        let (bytes, encoding) = match headers.encoding.to_ascii_lowercase().as_str() {
            "base64" => (base64(body), "base64"),
            "quoted-printable" => (quoted_printable(body), "quoted-printable"),
            _ => (body.as_bytes().to_vec(), ""),
        };
        if [b"PK\x03\x04".as_slice(), b"\x1f\x8b", b"%PDF", b"\xd0\xcf\x11\xe0", b"Rar!", b"7z\xbc\xaf"]
            .iter()
            .any(|packed| bytes.starts_with(packed))
        {
            self.files.push(name.unwrap_or_else(|| "attachment".to_owned()));
            return;
        }
        self.leaf(name, decode::decode(&bytes).into_owned(), same_as, encoding);
    }

    fn leaf(&mut self, name: Option<String>, text: String, same_as: Option<usize>, encoding: &'static str) {
        let same_as = same_as.unwrap_or_else(|| {
            self.groups += 1;
            self.groups
        });
        self.parts.push(Part { name, text: prepared(text.into()).into_owned(), same_as, encoding });
    }
}

/// The parts between lines of a boundary.
fn parted<'b>(body: &'b str, boundary: &str) -> Vec<&'b str> {
    let line = format!("--{boundary}");
    let mut found = Vec::new();
    let mut from = None;
    for at in memmem::find_iter(body.as_bytes(), line.as_bytes()).take(MOST_PARTS) {
        if at > 0 && body.as_bytes()[at - 1] != b'\n' {
            continue;
        }
        if let Some(from) = from.filter(|from| *from <= at) {
            found.push(&body[from..at]);
        }
        from = memchr(b'\n', &body.as_bytes()[at..]).map(|end| at + end + 1);
        if body[at + line.len()..].starts_with("--") {
            return found;
        }
    }
    // Cut off before its end.
    found.extend(from.map(|from| &body[from..]));
    found
}

/// Is it a text out of a mail whose long lines end in `=`, and in which that sign has a code behind it
/// everywhere?
fn is_quoted_printable(text: &str) -> bool {
    let head = text.as_bytes();
    let head = &head[..head.len().min(HEAD)];
    // No line of such a text is longer than 76 letters and its end; rulers of reports are.
    if head.split(|b| *b == b'\n').any(|line| line.trim_ascii_end().len() > 76) {
        return false;
    }
    let (mut ends, mut codes) = (0, 0);
    for at in memchr_iter(b'=', head) {
        match &head[at + 1..] {
            [b'\n', ..] | [b'\r', b'\n', ..] => ends += 1,
            [b'0'..=b'9' | b'A'..=b'F', b'0'..=b'9' | b'A'..=b'F', ..] => codes += 1,
            // Cut here.
            [] | [_] => {}
            _ => return false,
        }
    }
    ends >= 3 && ends + codes >= 4
}

/// Bytes of a quoted-printable text.
fn quoted_printable(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let printed = line.trim_end();
        let (printed, goes_on) = match printed.strip_suffix('=') {
            Some(printed) => (printed, true),
            None => (printed, false),
        };
        let mut rest = printed.as_bytes();
        while let Some(at) = memchr(b'=', rest) {
            out.extend_from_slice(&rest[..at]);
            let hex = |b: &u8| char::from(*b).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let code = rest.get(at + 1).and_then(hex).zip(rest.get(at + 2).and_then(hex));
            match code {
                Some((high, low)) => {
                    out.push(high << 4 | low);
                    rest = &rest[at + 3..];
                }
                None => {
                    out.push(b'=');
                    rest = &rest[at + 1..];
                }
            }
        }
        out.extend_from_slice(rest);
        if !goes_on {
            out.extend_from_slice(end.as_bytes());
        }
    }
    out
}

/// Bytes of a base64 text; what is no letter of it is passed over.
fn base64(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from(bits >> held & 0xFF).unwrap_or(0));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn encodings_of_mails_are_undone() {
        assert_eq!(base64("aGVs\nbG8g d29ybGQ="), b"hello world");
        assert_eq!(
            quoted_printable("a=3Db Gr=C3=B6=\n\u{df}e =\nx\ny=\n").as_slice(),
            "a=b Gr\u{f6}\u{df}e x\ny".as_bytes()
        );
        assert_eq!(quoted_printable("100 %=zz"), b"100 %=zz");
    }

    #[test]
    fn an_ordinary_text_is_no_mail() {
        for text in [
            "",
            "\n\n",
            "DB Name DB Id\n------- -----\nA 1\n",
            "a = b\nselect * from t where a=1 and b=\n2 or c=\n3 or d=\n4\n",
            "Begin Snap: 1 12-Mar-18\nElapsed: 60 (mins)\n\nContent-Type: none\n",
            "=====\n=====\n=====\n=====\n",
        ] {
            assert!(unpacked(text).is_none(), "{text}");
            assert_eq!(prepared(text.into()), text);
        }
    }

    #[test]
    fn parts_stand_in_parts() {
        let text = "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary=\"b 1\"\r\n\r\n\
                    --b 1\r\nContent-Type: multipart/alternative; boundary=b2\r\n\r\n--b2\r\n\r\nfirst\r\n--b2\r\n\
                    Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+\r\n--b2--\r\n--b 1\r\n\
                    Content-Disposition: attachment; filename=\"awr.zip\"\r\nContent-Transfer-Encoding: base64\r\n\r\n\
                    UEsDBAAA\r\n--b 1--\r\n";
        let mail = unpacked(text).unwrap();
        let parts: Vec<_> = mail.parts.iter().map(|p| (p.text.trim_end(), p.same_as, p.encoding)).collect();
        assert_eq!(parts, [("first", 1, ""), ("<b>", 1, "base64")]);
        assert_eq!(mail.files, ["awr.zip"]);
    }

    #[test]
    fn quote_marks_of_a_page_are_taken_off() {
        let page = "Hello,\n> > <html>\n> > <td>a\n>> > b</td>\n> >\n> > </html>\n";
        assert_eq!(prepared(page.into()), "Hello,\n<html>\n<td>a\n> b</td>\n\n</html>\n");
        let own = "<html\n><body\n><p\n>x";
        assert_eq!(prepared(own.into()), own);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_unpacked_without_panic(text in "([A-Za-z-]{1,12}: ?[a-z/;=\" ]{0,20}\r?\n){0,4}\r?\n?(--?b?-?-?\r?\n|[=a-f0-9<>\u{e9} ]{0,9}\r?\n?){0,20}") {
            let _ = unpacked(&text);
            let _ = prepared(text.as_str().into());
        }
    }
}
