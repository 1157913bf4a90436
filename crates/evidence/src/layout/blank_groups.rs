//! Numbers of countries that part thousands by blanks and decimals by a comma: `1 234 567,8`.
//!
//! Read blank by blank such a number is several. Where the head of a report has a decimal comma, the blanks within its
//! numbers become points, as other countries with such a comma print them; between two columns they stay.

use super::text_ruler;
use memchr::memmem;

/// Fewer of them may be numbers side by side.
const LEAST: usize = 3;

/// The text with points for the blanks within its numbers; `None` where it has none. Only where the head has a decimal
/// comma: nearly no report has.
pub(crate) fn closed(text: &str) -> Option<String> {
    let (mut points, mut found) = (0, Vec::new());
    let mut runs: Option<Vec<(usize, usize)>> = None;
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim_end();
        if let Some(ruler) = text_ruler::runs_of(own) {
            runs = Some(ruler);
        } else if own.contains("DB/Inst:") {
            runs = None;
        } else {
            points += own.split_ascii_whitespace().filter(|word| is_grouped_by_points(word)).count();
            // Labels and figures of the head stand under no ruler.
            let under = runs.as_deref().filter(|_| !own.ends_with("(mins)"));
            find(own, under, |at| found.push(from + at));
        }
        from += line.len();
    }
    with_points(text, &found, points)
}

/// So far from the begin of a page its head ends, in bytes.
const HEAD: usize = 64 * 1024;

/// The same of a page, where a cell that holds such a number holds nothing else.
pub(crate) fn closed_in_page(text: &str) -> Option<String> {
    let head = text.as_bytes().get(..HEAD).unwrap_or(text.as_bytes());
    let minutes = memmem::find(head, b"(mins)")?;
    let line = text.get(..minutes + "(mins)".len())?;
    let cell = line.rfind('>').map_or(line, |end| line.get(end + 1..).unwrap_or(""));
    // Nearly every page ends here.
    if !has_decimal_comma(cell) {
        return None;
    }
    let (mut points, mut found) = (0, Vec::new());
    for from in memchr::memchr_iter(b'>', text.as_bytes()).map(|end| end + 1) {
        let end = memchr::memchr(b'<', &text.as_bytes()[from..]).map_or(text.len(), |end| from + end);
        let cell = text.get(from..end).unwrap_or("");
        points += usize::from(is_grouped_by_points(cell.trim_ascii()));
        if is_one_number(cell.trim_ascii()) {
            find(cell, None, |at| found.push(from + at));
        }
    }
    with_points(text, &found, points)
}

/// Is it nothing but digits, blanks and a comma, with a unit behind them?
fn is_one_number(cell: &str) -> bool {
    let cell = cell.strip_suffix(" (mins)").unwrap_or(cell);
    let number = cell.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    cell.contains(' ')
        && cell.len() - number.len() <= 2
        && number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b' ' | b',' | b'-'))
}

/// The text with points in these places, where they are enough, and blanks part thousands rather than points do.
fn with_points(text: &str, found: &[usize], points: usize) -> Option<String> {
    if found.len() < LEAST || points * 4 > found.len() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in found {
        *bytes.get_mut(*at)? = b'.';
    }
    String::from_utf8(bytes).ok()
}

/// Does a line hold a number of minutes with a comma, as `59,98 (mins)`?
pub(super) fn has_decimal_comma(text: &str) -> bool {
    let Some((before, _)) = text.split_once("(mins)") else { return false };
    let Some((whole, decimals)) = before.trim_ascii_end().rsplit_once(',') else { return false };
    (1..=2).contains(&decimals.len())
        && decimals.bytes().all(|b| b.is_ascii_digit())
        && whole.ends_with(|c: char| c.is_ascii_digit())
}

/// `1.234.567` or `1.234,5`.
fn is_grouped_by_points(word: &str) -> bool {
    let whole = word.split_once(',').map_or(word, |(whole, _)| whole);
    let mut groups = whole.split('.');
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    groups.next().is_some_and(|first| first.len() <= 3 && digits(first))
        && whole.contains('.')
        && groups.all(|group| group.len() == 3 && digits(group))
}

/// Finds the blanks within the numbers of a line, none of which stands in two columns.
fn find(text: &str, runs: Option<&[(usize, usize)]>, mut found: impl FnMut(usize)) {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let at = |place: usize| characters.get(place).map(|(_, c)| *c);
    let digits =
        |from: usize| (from..).take_while(|place| at(*place).is_some_and(|c| c.is_ascii_digit())).count();
    let mut place = 0;
    while place < characters.len() {
        let first = digits(place);
        let before = place.checked_sub(1).and_then(at);
        let begins = before.is_none_or(|c| matches!(c, ' ' | '(' | '-' | '/' | ':'));
        if !(1..=3).contains(&first) || !begins || at(place) == Some('0') {
            place += first.max(1);
            continue;
        }
        let mut end = place + first;
        while at(end) == Some(' ') && digits(end + 1) == 3 && is_in_one(runs, place, end + 4) {
            end += 4;
        }
        let ends = match at(end) {
            Some(',') => digits(end + 1) > 0,
            Some(c) => matches!(c, ' ' | '%' | ')' | '/' | 'K' | 'M' | 'G' | 'T' | 'P' | 's' | 'm' | 'u'),
            None => true,
        };
        if ends {
            let blanks = (place + first..end).step_by(4).filter_map(|blank| characters.get(blank));
            blanks.for_each(|(offset, _)| found(*offset));
        }
        place = end;
    }
}

/// Do these places stand in one column of a ruler, where there is one?
fn is_in_one(runs: Option<&[(usize, usize)]>, from: usize, to: usize) -> bool {
    runs.is_none_or(|runs| runs.iter().any(|(start, end)| *start <= from && to <= *end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed_of(text: &str) -> Option<String> {
        let (_, seen) = super::super::text_sections::seen_lines(text, text.is_ascii());
        seen.decimal_comma.then(|| closed(text)).flatten()
    }

    const HEAD: &str = "   Elapsed:            1 440,02 (mins)\n   DB Time:            2 880,37 (mins)\n";

    #[test]
    fn blanks_between_columns_stay() {
        let table =
            "\nName  Gets Waits\n---- ----- -------------\nroll   123 456 1 234 567\nundo 1 234 999 888\n";
        let found = closed_of(&format!("{HEAD}{table}")).unwrap_or_default();
        assert!(found.contains("roll   123 456 1.234.567\nundo 1.234 999.888"), "{found}");
    }

    #[test]
    fn nothing_is_closed_without_a_decimal_comma_or_beside_groups_of_points() {
        let table = "\n  12 345 678 1 234 567 891 234\n";
        assert_eq!(closed_of(&format!("{}{table}", HEAD.replace(',', "."))), None);
        let points = "1.440.123 1.234,5 17.234 ".repeat(3);
        assert_eq!(closed_of(&format!("{HEAD}{table}{points}\n")), None);
    }

    #[test]
    fn dates_releases_and_zeros_are_no_groups() {
        let text =
            format!("{HEAD}10-Mar-24 10:00:00   1 12 345\n0 123 11.2.0 400 sid 23,184 200\n 5 100 200\n");
        let found = closed_of(&text).unwrap_or_default();
        assert!(
            found.contains("10-Mar-24 10:00:00   1 12.345\n0 123 11.2.0 400 sid 23,184 200\n 5.100.200"),
            "{found}"
        );
    }
}
