//! Reports as rows of a query that a client exported: `select output from table(dbms_workload_repository.awr_report_text(...))`
//! is how they are made without access to the server, and clients write the rows as lists of values, JSON, XML, a page or
//! statements that insert them.

use super::strings::string;
use crate::layout::html_table::unescape;
use crate::recognise;
use memchr::memmem;

/// So much of a text tells that it is one, in bytes.
const HEAD: usize = 4 << 10;
/// No report has fewer lines.
const LEAST_LINES: usize = 20;
/// The only column of such a query.
const COLUMN: &str = "OUTPUT";

/// The lines of a report that stand in the rows of an export; `None` of anything else.
pub(super) fn found(text: &str) -> Option<String> {
    let begin = text.trim_ascii_start();
    // Nearly every text ends here.
    let rows: fn(&str) -> Vec<String> = match begin.as_bytes() {
        [b'{' | b'[', ..] => of_json,
        [b'<', ..] => of_tags,
        [b'"' | b'O' | b'o', ..] => of_values,
        [b'I' | b'i' | b'R' | b'S' | b's' | b'-', ..] => of_inserts,
        _ => return None,
    };
    let mut end = begin.len().min(HEAD);
    while !begin.is_char_boundary(end) {
        end -= 1;
    }
    let head = &begin[..end];
    find(head, COLUMN).or_else(|| find(head, &COLUMN.to_ascii_lowercase()))?;
    let lines = rows(begin);
    if lines.len() < LEAST_LINES {
        return None;
    }
    let report = lines.join("\n") + "\n";
    recognise::looks_like_report(&report).then_some(report)
}

/// Where a word stands.
fn find(text: &str, word: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), word.as_bytes())
}

/// A word in the case in which a text has it first: one client writes all of it in the same.
fn cased(text: &str, word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    match (find(text, word), find(text, &lower)) {
        (Some(upper), Some(other)) if other < upper => lower,
        (None, _) => lower,
        _ => word.to_owned(),
    }
}

/// `{"output":"Load Profile"},`; rows without a value may be `{}`.
fn of_json(text: &str) -> Vec<String> {
    // What heads the rows may name the column in the other case.
    let [upper, lower] = [COLUMN.to_owned(), COLUMN.to_ascii_lowercase()].map(|name| of_key(text, &name));
    if upper.len() > lower.len() { upper } else { lower }
}

/// The values of a key.
fn of_key(text: &str, key: &str) -> Vec<String> {
    let key = format!("\"{key}\"");
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = find(rest, &key) {
        let empty = memmem::find_iter(&rest.as_bytes()[..at], b"{}").count();
        rest = rest[at + key.len()..].trim_ascii_start();
        // As a value it names the column.
        let Some(value) = rest.strip_prefix(':').map(str::trim_ascii_start) else { continue };
        lines.extend(std::iter::repeat_n(String::new(), empty));
        rest = value;
        match value.starts_with('"').then(|| string(value, false)).flatten() {
            Some((line, length)) => {
                lines.push(line);
                rest = &value[length..];
            }
            None => lines.push(String::new()),
        }
    }
    lines
}

/// `<ROW><COLUMN NAME="OUTPUT"><![CDATA[Load Profile]]></COLUMN></ROW>`, `<ROW><OUTPUT>Load Profile</OUTPUT></ROW>`, or a
/// page with a table of one column.
fn of_tags(text: &str) -> Vec<String> {
    let is_page = find(text, &format!("{COLUMN}</th>")).or_else(|| find(text, "OUTPUT</TH>")).is_some();
    let (begin, end, value) = if is_page { ("<TR", "</TR>", "<TD") } else { ("<ROW", "</ROW>", COLUMN) };
    let [begin, end, value] = [begin, end, value].map(|word| cased(text, word));
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = find(rest, &begin) {
        rest = &rest[at + begin.len()..];
        // Of `<ROWSET>` it is no row.
        if !rest.starts_with(['>', ' ']) {
            continue;
        }
        let Some(close) = find(rest, &end) else { break };
        let row = &rest[..close];
        rest = &rest[close + end.len()..];
        // Headings of a page are no row.
        if !is_page || find(row, &value).is_some() {
            lines.push(value_of(row, &value));
        }
    }
    lines
}

/// What stands in the first tag of a row that has this name or attribute.
fn value_of(row: &str, tag: &str) -> String {
    let Some(value) = find(row, tag).and_then(|at| row[at..].split_once('>')) else { return String::new() };
    let value = value.1;
    if memmem::find(value.as_bytes(), b"<![CDATA[").is_some() {
        // One that holds the end of another is cut in two.
        let pieces = value.split("<![CDATA[").skip(1);
        return pieces.map(|piece| piece.split("]]>").next().unwrap_or("")).collect();
    }
    let value = value.rfind("</").map_or("", |end| &value[..end]);
    unescape(value).replace('\u{a0}', " ")
}

/// `"Load Profile"`, below the name of the column; a quote mark is written twice.
fn of_values(text: &str) -> Vec<String> {
    let mut rows = text.lines();
    let named = rows.next().is_some_and(|name| name.trim().trim_matches('"').eq_ignore_ascii_case(COLUMN));
    let rows = rows.map(str::trim_ascii_end).filter(|_| named);
    let lines: Option<Vec<&str>> = rows
        .map(|row| if row.is_empty() { Some("") } else { row.strip_prefix('"')?.strip_suffix('"') })
        .collect();
    let Some(lines) = lines else { return Vec::new() };
    // Some clients do not write it twice.
    let twice = lines.iter().all(|line| line.split('"').skip(1).count() % 2 == 0);
    let plain = |line: &&str| if twice { line.replace("\"\"", "\"") } else { (*line).to_owned() };
    lines.iter().map(plain).collect()
}

/// `Insert into EXPORT_TABLE (OUTPUT) values ('Load Profile');`
fn of_inserts(text: &str) -> Vec<String> {
    const VALUES: &str = "(OUTPUT) VALUES (";
    let value = |line: &str| {
        let line = line.trim_ascii_end();
        let begins = line.get(..VALUES.len() * 4).unwrap_or(line);
        let at = begins.to_ascii_uppercase().find(VALUES)?;
        let value = line.get(at + VALUES.len()..)?;
        let value = value.strip_suffix(';').unwrap_or(value).trim_ascii_end().strip_suffix(')')?;
        let quoted = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
        Some(quoted.map_or_else(String::new, |value| value.replace("''", "'")))
    };
    text.lines().filter_map(value).collect()
}
