//! Lines no wider than the screen.

/// Columns that a character takes: two for the wide ones of East Asia, none for combining marks.
fn char_width(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f | 0x200b..=0x200d | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// The first `columns` columns of a text and the rest.
fn split_at_width(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += char_width(c);
        if used > columns && at > 0 {
            return text.split_at(at);
        }
    }
    (text, "")
}

/// Words laid into lines of at most `columns`; a word that is longer is broken.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let mut word = word;
        let need = width(word);
        if used > 0 && used + 1 + need > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        while width(word) > columns {
            let (head, tail) = split_at_width(word, columns);
            lines.push(head.to_owned());
            word = tail;
        }
        line.push_str(word);
        used += width(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// At most `lines` lines; the last one is marked where something is left out.
pub(super) fn wrap_to(text: &str, columns: usize, lines: usize) -> Vec<String> {
    let mut out = wrap(text, columns);
    if out.len() > lines {
        out.truncate(lines);
        if let Some(last) = out.last_mut() {
            let (head, _) = split_at_width(last, columns.saturating_sub(4));
            // Only whole words, unless a single one is too long.
            let whole = match last[head.len()..].chars().next() {
                Some(next) if !next.is_whitespace() => head.rsplit_once(' ').map_or(head, |(words, _)| words),
                _ => head,
            };
            *last = format!("{} ...", whole.trim_end());
        }
    }
    out
}

/// Text cut or filled to exactly `columns`, left-aligned.
pub(super) fn fit(text: &str, columns: usize) -> String {
    let mut out = if width(text) > columns {
        let (head, _) = split_at_width(text, columns.saturating_sub(2));
        format!("{head}..")
    } else {
        text.to_owned()
    };
    for _ in width(&out)..columns {
        out.push(' ');
    }
    out
}

/// Text filled to `columns`, right-aligned; never cut, since it is a number.
pub(super) fn right(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for _ in width(text)..columns {
        out.push(' ');
    }
    out.push_str(text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_asked() {
        let text = "one two threefourfivesixseven 日本語日本語 eight";
        for columns in 4..30 {
            for line in wrap(text, columns) {
                assert!(width(&line) <= columns, "{columns}: {line}");
            }
        }
    }

    #[test]
    fn what_is_left_out_is_marked() {
        assert_eq!(wrap_to("aaa bbb ccc", 7, 1), ["aaa ..."]);
        assert_eq!(wrap_to("aaa bbbb cccc dd", 12, 1), ["aaa bbbb ..."]);
        assert_eq!(wrap_to("aaa bbbbbb cc dd", 13, 1), ["aaa ..."], "no half word");
        assert_eq!(fit("abcdef", 4), "ab..");
        assert_eq!(fit("ab", 4), "ab  ");
        assert_eq!(right("7", 3), "  7");
    }
}
