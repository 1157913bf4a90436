//! Lines of a file, one at a time: a list of millions of rows never stands in memory twice.

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Number in the source, from 1.
    pub(crate) number: u32,
    /// Text without trailing blanks and a form feed before it.
    pub(crate) text: &'a str,
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.split('\n').zip(1_u32..).map(|(line, number)| {
        let line = line.strip_prefix('\u{c}').unwrap_or(line);
        Line { number, text: line.trim_ascii_end() }
    })
}

/// An error of the database or of a client, as it stands in spool files: `ORA-01403: ...`.
pub(crate) fn is_client_error(line: &str) -> bool {
    let line = line.trim_ascii_start();
    let number = ["ORA-", "SP2-", "PLS-", "TNS-"].iter().find_map(|prefix| line.strip_prefix(prefix));
    number.is_some_and(|n| {
        let digits = n.bytes().take_while(u8::is_ascii_digit).count();
        (3..=6).contains(&digits) && n[digits..].starts_with(':')
    })
}
