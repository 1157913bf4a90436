//! Names in SQL and in comments, whatever they hold.

use std::fmt::Write as _;

/// Can this be a name in the dictionary? Bytes count, not characters.
pub(super) fn check(name: &str, longest: usize) -> Result<(), String> {
    if name.is_empty() {
        return Err("it has no name".into());
    }
    if name.contains('"') || name.contains('\0') {
        return Err("its name holds a character that no name can hold".into());
    }
    if name.len() > longest {
        return Err(format!("its name is longer than the {longest} bytes of this release"));
    }
    Ok(())
}

/// A text as a PL/SQL expression on one line. Quotes are doubled; control characters are `chr(n)`, so
/// that no line of the script can begin or end inside; other characters are written by their number,
/// so that the client's character set does not matter.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\'' => out.push_str("''"),
            c if c.is_ascii_control() => {
                let _ = write!(out, "'||chr({})||'", u32::from(c));
            }
            c if c.is_ascii() => out.push(c),
            c => {
                out.push_str("'||to_char(unistr('");
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\{unit:04x}");
                }
                out.push_str("'))||'");
            }
        }
    }
    out.push('\'');
    out
}

/// A text inside a comment or a prompt: on one line, without what SQL*Plus could take for the end of a
/// statement or a continued line.
pub(super) fn comment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ';' => out.push(','),
            // Shown, not obeyed: `\u{202e}`.
            c if spindle_facts::hidden::acts(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    if out.ends_with('-') {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_stay_on_one_line() {
        assert_eq!(literal("A'B\n/\n"), "'A''B'||chr(10)||'/'||chr(10)||''");
        assert_eq!(literal("é"), "''||to_char(unistr('\\00e9'))||''");
        assert_eq!(comment("a;\nb-"), "a,\\u{a}b-.");
        assert_eq!(comment("a\u{202e}b\u{2028}c"), "a\\u{202e}b\\u{2028}c");
    }
}
