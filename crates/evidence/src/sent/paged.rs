//! Recordings of a terminal in which a pager showed the report: below each screen stands its prompt, and the next line
//! is written over it.

use memchr::memmem;

/// What `more` asks with.
pub(crate) const MORE: &str = "--More--";

/// A text without what a pager asked in it, line for line; `None` where it asked nothing.
pub(super) fn without_prompts(text: &str, head: &[u8]) -> Option<String> {
    let asked = memmem::find(head, MORE.as_bytes()).is_some()
        || memchr::memchr_iter(b'\r', head).any(|at| is_overwritten(head, at));
    if !asked {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.trim_end_matches('\r'), "\n"),
            None => (line, ""),
        };
        let mut pieces = line.split('\r').peekable();
        // Alone on its line, and not written over by what may be a blank one?
        let mut is_alone = false;
        let from = out.len();
        while let Some(piece) = pieces.next() {
            let is_last = pieces.peek().is_none();
            if !is_last && is_prompt(piece) {
                continue;
            }
            // Copied from the screen, or cleared by steps back: what follows was written over it.
            match behind_more(piece) {
                Some(rest) => {
                    is_alone = is_last && out.len() == from && !piece.contains('\u{8}');
                    out.push_str(rest);
                }
                None => out.push_str(piece),
            }
            if !is_last {
                out.push('\r');
            }
        }
        // It goes with the errors of the client, so that the other lines keep their numbers.
        if is_alone && out[from..].trim_ascii().is_empty() {
            out.truncate(from);
            out.push_str(MORE);
        }
        out.push_str(end);
    }
    Some(out)
}

/// Does a line end in a place where it goes on from its begin, over a prompt?
fn is_overwritten(text: &[u8], at: usize) -> bool {
    /// No prompt is longer.
    const LONGEST: usize = 200;
    if matches!(text.get(at + 1), None | Some(b'\n' | b'\r')) {
        return false;
    }
    let near = at.saturating_sub(LONGEST);
    let from = memchr::memrchr2(b'\n', b'\r', &text[near..at]).map_or(near, |end| near + end + 1);
    std::str::from_utf8(&text[from..at]).is_ok_and(|line| !line.trim_ascii().is_empty() && is_prompt(line))
}

/// Is it what a pager asks, or the blanks that it clears that with?
fn is_prompt(piece: &str) -> bool {
    let plain = super::without_colours(piece);
    let words = plain.trim_ascii();
    behind_more(words).is_some_and(|rest| rest.trim_ascii().is_empty())
        || matches!(words, "" | ":" | "(END)")
        || words.strip_prefix("lines ").is_some_and(|lines| lines.starts_with(|c: char| c.is_ascii_digit()))
}

/// What stands behind the prompt of `more` with which a piece of a line begins, and behind the steps back over it.
fn behind_more(piece: &str) -> Option<&str> {
    let colours = piece.find(MORE).filter(|at| super::without_colours(&piece[..*at]).is_empty())?;
    let rest = &piece[colours + MORE.len()..];
    let rest = match rest.strip_prefix('(').and_then(|share| share.split_once(')')) {
        Some((share, rest)) if share.len() <= 80 && share.ends_with('%') => rest,
        Some((share, rest)) if share.starts_with("Next file") => rest,
        _ => rest,
    };
    // Behind the colours of the prompt: where they end, and the line.
    let mut rest = rest;
    while rest.as_bytes().first() == Some(&super::ESCAPE) {
        let length = super::colour(rest.as_bytes());
        if length == 0 {
            break;
        }
        rest = rest.get(length..)?;
    }
    let back = rest.rfind('\u{8}').filter(|at| rest[..*at].bytes().all(|b| matches!(b, 8 | b' ')));
    Some(back.map_or(rest, |at| &rest[at + 1..]))
}
