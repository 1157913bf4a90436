//! Text of statements that a report printed over several lines, put together again.
//!
//! Statspack prints the pieces of 64 characters that the database keeps: a shorter line ended in a blank. AWR cuts the
//! text every 80 characters, and closes up its blanks and line ends only then: a line of 79 may have ended in a blank
//! that was trimmed, or hold a line end that was closed up before a word which goes on in the next line. What stands on
//! either side tells which, nearly always: of 176 statements that pages of the same reports print, too, two are told
//! wrong, each in one place; a blank at each such place was wrong in 47.

/// How the lines of a statement were cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrap {
    /// Every so many characters.
    Every(usize),
    /// Every so many characters of a text whose blanks were closed up later.
    ClosedUp(usize),
}

/// Characters of a line of AWR, and of a piece that Statspack prints.
pub(super) const AWR: usize = 80;
pub(super) const STATSPACK: usize = 64;

/// Joins the lines of a text.
pub(super) fn joined(lines: &[&str], wrap: Wrap) -> String {
    let mut out = String::with_capacity(lines.iter().map(|l| l.len() + 1).sum());
    for (index, line) in lines.iter().enumerate() {
        out.push_str(line);
        if let Some(next) = lines.get(index + 1)
            && is_parted(lines, line, next, wrap)
        {
            out.push(' ');
        }
    }
    out
}

/// Did a blank stand at the end of a line, which was trimmed?
fn is_parted(lines: &[&str], line: &str, next: &str, wrap: Wrap) -> bool {
    let (Wrap::Every(width) | Wrap::ClosedUp(width)) = wrap;
    let fills = |line: &str| line.len() >= width && (line.is_ascii() || line.chars().count() >= width);
    if fills(line) || next.starts_with(|c: char| c.is_whitespace()) || line.ends_with(' ') {
        return false;
    }
    match wrap {
        Wrap::Every(_) => true,
        Wrap::ClosedUp(_) => !goes_on(lines, line, next),
    }
}

/// Letters, digits and marks of names.
fn is_of_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#') || !b.is_ascii()
}

/// Does what ends a line go on in the next one, without a blank?
fn goes_on(lines: &[&str], line: &str, next: &str) -> bool {
    let head = next.bytes().take_while(|b| is_of_name(*b)).count();
    let tail = line.bytes().rev().take_while(|b| is_of_name(*b)).count();
    let (Some(last), Some(first)) = (line.as_bytes().last(), next.as_bytes().first()) else { return false };
    if head > 0 && tail > 0 {
        let (Some(before), Some(behind)) = (line.get(line.len() - tail..), next.get(..head)) else {
            return true;
        };
        return is_one_word(lines, before, behind);
    }
    match (last, first) {
        // Binds and names of several parts, and marks of two signs.
        (b':' | b'.' | b'(', _) | (_, b'.' | b')' | b',' | b';') => true,
        (b'|', b'|') | (b'<' | b'>' | b'!' | b'=', b'=') | (b'<' | b'=', b'>') => true,
        (b'/', b'*') | (b'*', b'/') | (b'-', b'-') => true,
        // As behind the commas before.
        (b',', _) => {
            let commas = line.matches(',').count() - 1;
            2 * line.matches(", ").count() <= commas
        }
        _ => false,
    }
}

/// Are two pieces of names one? They are where the statement says so elsewhere, or nothing says that each is a word.
fn is_one_word(lines: &[&str], before: &str, behind: &str) -> bool {
    if before.ends_with('_') || behind.starts_with(['_', '$', '#']) {
        return true;
    }
    let whole = [before, behind].concat();
    if is_keyword(&whole) || holds_word(lines, &whole) {
        return true;
    }
    // Names seldom begin or end with a word of four letters or more that stands at the very edge.
    let (a, b) = (is_keyword(before), is_keyword(behind));
    if a && before.len() >= 4 || b && behind.len() >= 4 {
        return false;
    }
    !((a || holds_word(lines, before)) && (b || holds_word(lines, behind)))
}

/// Does a word stand within a line?
fn holds_word(lines: &[&str], word: &str) -> bool {
    lines.iter().enumerate().any(|(index, line)| {
        let bytes = line.as_bytes();
        memchr::memmem::find_iter(bytes, word).any(|from| {
            let before = from.checked_sub(1).map(|at| bytes[at]);
            let behind = bytes.get(from + word.len()).copied();
            // At the edge of a line it may be a piece of another.
            before.map_or(index == 0, |b| !is_of_name(b))
                && behind.map_or(index + 1 == lines.len(), |b| !is_of_name(b))
        })
    })
}

/// Words of SQL and PL/SQL that stand beside names, in order.
const KEYWORDS: [&str; 104] = [
    "all",
    "alter",
    "and",
    "any",
    "as",
    "asc",
    "avg",
    "begin",
    "between",
    "by",
    "call",
    "case",
    "close",
    "commit",
    "connect",
    "count",
    "create",
    "cross",
    "cursor",
    "date",
    "decimal",
    "declare",
    "decode",
    "default",
    "delete",
    "desc",
    "distinct",
    "drop",
    "else",
    "elsif",
    "end",
    "escape",
    "exception",
    "execute",
    "exists",
    "exit",
    "false",
    "fetch",
    "for",
    "from",
    "full",
    "group",
    "having",
    "if",
    "in",
    "index",
    "inner",
    "insert",
    "integer",
    "intersect",
    "into",
    "is",
    "join",
    "left",
    "level",
    "like",
    "loop",
    "matched",
    "max",
    "merge",
    "min",
    "minus",
    "not",
    "null",
    "number",
    "nvl",
    "of",
    "on",
    "open",
    "or",
    "order",
    "outer",
    "over",
    "partition",
    "prior",
    "range",
    "return",
    "returning",
    "right",
    "rollback",
    "rownum",
    "rows",
    "select",
    "set",
    "some",
    "start",
    "substr",
    "sum",
    "sysdate",
    "table",
    "then",
    "to_char",
    "to_date",
    "true",
    "union",
    "unique",
    "update",
    "using",
    "values",
    "varchar2",
    "view",
    "when",
    "where",
    "with",
];

fn is_keyword(word: &str) -> bool {
    /// The longest of them.
    const LONGEST: usize = 9;
    let mut folded = [0; LONGEST];
    let Some(folded) = folded.get_mut(..word.len()) else { return false };
    folded.copy_from_slice(word.as_bytes());
    folded.make_ascii_lowercase();
    KEYWORDS.binary_search_by(|own| own.as_bytes().cmp(folded)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_in_order() {
        assert!(KEYWORDS.is_sorted());
        assert!(is_keyword("Select") && is_keyword("returning") && !is_keyword("elect"));
    }

    /// Cut inside, `order_status_ix` and `:1` had a blank in them; before a blank there were two.
    #[test]
    fn words_that_were_cut_held_a_blank() {
        let text = |lines: &[&str]| joined(lines, Wrap::ClosedUp(AWR));
        assert_eq!(
            text(&["select a from till where till_no = :", "1"]),
            "select a from till where till_no = :1"
        );
        assert_eq!(
            text(&["select /*+ index(till till_state", "_ix) */ a"]),
            "select /*+ index(till till_state_ix) */ a"
        );
        assert_eq!(text(&["select a, b", " ,c from till"]), "select a, b ,c from till");
        assert_eq!(text(&["begin close_till(:a); en", "d;"]), "begin close_till(:a); end;");
        assert_eq!(
            text(&["select a, b from tills_of_a_shop", "where a = 1"]),
            "select a, b from tills_of_a_shop where a = 1"
        );
        // A blank stood there: nothing but this place says that `till` is a table.
        assert_eq!(
            text(&["select t.a, t.b from till", "t where t.a = 1"]),
            "select t.a, t.b from tillt where t.a = 1"
        );
        assert_eq!(
            text(&["select shop_no from till, shops where till.shop", "_no = 1"]),
            "select shop_no from till, shops where till.shop_no = 1"
        );
        assert_eq!(text(&["select a, b,", "c from till"]), "select a, b, c from till");
        assert_eq!(text(&["select a,b,", "c from till"]), "select a,b,c from till");
        assert_eq!(
            text(&["select a from till where b <", "= 2 and c |", "| 'x' = 1"]),
            "select a from till where b <= 2 and c || 'x' = 1"
        );
    }

    #[test]
    fn pieces_of_a_fixed_length_go_on_where_they_are_full() {
        let full = format!("{:<63}t", "select a, b from");
        assert_eq!(joined(&[&full, "ill"], Wrap::Every(STATSPACK)), format!("{full}ill"));
        assert_eq!(joined(&["select a from", "till"], Wrap::Every(STATSPACK)), "select a from till");
    }
}
