//! Cells of tables as converters to Markdown write them: a backslash before each mark that would mean
//! something there, links around names, and the numbers that converters to text put before links.

use std::borrow::Cow;

/// A cell as the page printed it.
pub(super) fn plain(cell: &str) -> Cow<'_, str> {
    let cell = without_link(cell);
    if !cell.contains('\\') {
        return Cow::Borrowed(cell);
    }
    let mut out = String::with_capacity(cell.len());
    let mut rest = cell;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // Folders of Windows keep theirs: a letter follows.
        if !rest.starts_with(|c: char| c.is_ascii_punctuation()) {
            out.push('\\');
        } else if let Some(escaped) = rest.chars().next() {
            out.push(escaped);
            rest = &rest[escaped.len_utf8()..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What a link stands around: `[name](#place)`, `<a href="#place">name</a>`; or behind its number: `[64]name`.
fn without_link(cell: &str) -> &str {
    if let Some(tag) = cell.strip_prefix("<a ").and_then(|c| c.strip_suffix("</a>")) {
        return tag.split_once('>').map_or(cell, |(_, name)| name.trim());
    }
    if !cell.starts_with('[') {
        return cell;
    }
    let named =
        cell[1..].split_once("](").filter(|(name, target)| !name.contains('[') && target.ends_with(')'));
    named.map_or_else(|| behind_number(cell), |(name, _)| name.trim())
}

/// What stands behind the number of a link. Names of places in Oracle's code begin so, too, with a blank behind the
/// number: `[10] kqreqd`.
pub(super) fn behind_number(cell: &str) -> &str {
    match cell.strip_prefix('[').and_then(|c| c.split_once(']')) {
        Some((number, name))
            if !name.is_empty()
                && !name.starts_with(' ')
                && !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            name
        }
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stood_behind_the_marks_of_converters() {
        for (cell, name) in [
            ("SQL\\*Net message to client", "SQL*Net message to client"),
            ("BUSY\\_TIME", "BUSY_TIME"),
            ("\\<1ms", "<1ms"),
            ("E:\\ORADATA\\USERS01.DBF", "E:\\ORADATA\\USERS01.DBF"),
            ("E:\\\\ORADATA", "E:\\ORADATA"),
            ("[49wmcd9h21j2t](#49wmcd9h21j2t)", "49wmcd9h21j2t"),
            ("<a href=\"#49wmcd9h21j2t\" class=\"awr\">49wmcd9h21j2t</a>", "49wmcd9h21j2t"),
            ("[64]49wmcd9h21j2t", "49wmcd9h21j2t"),
            ("[10] kqreqd", "[10] kqreqd"),
            ("kksfbc [KKSCHLFSP2]", "kksfbc [KKSCHLFSP2]"),
            ("ends in \\", "ends in \\"),
            ("[]", "[]"),
        ] {
            assert_eq!(plain(cell), name);
        }
    }
}
