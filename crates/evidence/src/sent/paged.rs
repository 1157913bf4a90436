//! Recordings of a terminal in which a pager showed the report: below each screen stands its prompt, and the next line
//! is written over it.

use memchr::memmem;

/// What `more` asks with.
const MORE: &str = "--More--";

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
        let mut is_first = true;
        while let Some(piece) = pieces.next() {
            let is_last = pieces.peek().is_none();
            // Alone on its line it was copied from the screen.
            let dropped = if is_last { is_first && is_more(piece) } else { is_prompt(piece) };
            if !dropped {
                out.push_str(piece);
                if !is_last {
                    out.push('\r');
                }
            }
            is_first = false;
        }
        out.push_str(end);
    }
    Some(out)
}

/// Does a line end in a place where it goes on from its begin, over a prompt?
fn is_overwritten(text: &[u8], at: usize) -> bool {
    if matches!(text.get(at + 1), None | Some(b'\n' | b'\r')) {
        return false;
    }
    let from = memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
    std::str::from_utf8(&text[from..at]).is_ok_and(|line| !line.trim_ascii().is_empty() && is_prompt(line))
}

/// Is it what a pager asks, or the blanks that it clears that with?
fn is_prompt(piece: &str) -> bool {
    let plain = super::without_colours(piece);
    let words = plain.trim_ascii();
    is_more(words)
        || matches!(words, "" | ":" | "(END)")
        || words.strip_prefix("lines ").is_some_and(|lines| lines.starts_with(|c: char| c.is_ascii_digit()))
}

/// Is it the prompt of `more`?
fn is_more(piece: &str) -> bool {
    let plain = super::without_colours(piece);
    plain.trim_ascii().strip_prefix(MORE).is_some_and(|share| {
        let share = share.trim_matches(['(', ')', '%', ' ']);
        share.bytes().all(|b| b.is_ascii_digit()) || share.starts_with("Next file")
    })
}
