//! What a ranking's remarks say of the whole: how much of the total its rows account for, and the
//! total itself.
//!
//! `Captured SQL account for 96.9% of Total`, `Total Disk Reads: 1,234`, `End Buffer Gets Threshold:
//! 10000 Total Buffer Gets: 366,212`. Shares of PL/SQL stand beside those of all statements and
//! are left out. Text cuts the longest of these lines at the width of the page, in the middle of the
//! total: `Total User I/O Wait Time (s):           4` of 4,604 s (11.2, 12.2).

use crate::cell::{split_number, split_spoken};
use crate::grid::{Grid, fold, fold_into};
use memchr::{memchr, memchr_iter, memchr2, memchr2_iter};

/// Columns of a text page: what reaches the last of them may have been cut.
const PAGE_WIDTH: usize = 79;

/// Share (percent) and total of a ranking; `wanted` is part of the total's folded label.
pub(crate) fn captured(
    grid: &Grid<'_>,
    wanted: &str,
    decimal_comma: bool,
    is_html: bool,
) -> (Option<f64>, Option<f64>) {
    let (mut share, mut total) = (None, None);
    let fits =
        |about: &str| holds(about, wanted) && (wanted == "unoptimized" || !holds(about, "unoptimized"));
    // Was the total named last the wanted one? A share that names no total is of that.
    let mut of_last = true;
    let mut folded = String::new();
    for (_, text) in &grid.remarks {
        // Legends of the columns hold neither a label nor a share.
        let bytes = text.as_bytes();
        let of_share = captured_at(bytes);
        if of_share.is_none() && memchr(b':', bytes).is_none() {
            continue;
        }
        let cut = !is_html && bytes.len() >= PAGE_WIDTH && text.trim_end().chars().count() >= PAGE_WIDTH;
        let captured = of_share.map_or(&[][..], |at| &bytes[at..]);
        if find(captured, b"captured pl/sql").is_some() {
            continue;
        }
        if share.is_none()
            && find(captured, b"captured s").is_some()
            && let Some(at) = find(bytes, b"for ")
        {
            let (number, rest) = match split_number(text[at + 4..].trim_start(), decimal_comma) {
                Some(found) => found,
                None => continue,
            };
            let named = find(rest.as_bytes(), b"total").map_or("", |at| {
                let named = &rest[at + 5..];
                &named[..memchr(b':', named.as_bytes()).unwrap_or(named.len())]
            });
            let named = fold(named);
            let of_wanted = if named.is_empty() { of_last } else { fits(&named) };
            share = (of_wanted && rest.trim_start().starts_with('%')).then(|| number.value());
        }
        // Labels, each with what stands behind it.
        let mut rest: &str = text;
        while let Some(at) = memchr(b':', rest.as_bytes()).filter(|_| !cut) {
            let label = &rest[..at];
            rest = &rest[at + 1..];
            if total.is_some() && share.is_some() {
                break;
            }
            folded.clear();
            // Most labels have no letter of `total` but these.
            if memchr2(b'l', b'L', label.as_bytes()).is_some() {
                fold_into(label, &mut folded);
            }
            // What the label says last is what the number counts.
            let Some(at) = folded.as_bytes().windows(5).rposition(|word| word == b"total") else { continue };
            let about = &folded[at..];
            of_last = fits(about);
            // The longest label always reaches the width: one that is shorter lost blanks on its way.
            if total.is_none() && of_last && (is_html || !holds(about, "useri/owaittime")) {
                let piece = &rest[..memchr(b':', rest.as_bytes()).unwrap_or(rest.len())];
                total = split_spoken(piece.trim_start()).map(|(number, _)| number);
            }
        }
    }
    (share, total)
}

/// Does a word stand in a short text?
fn holds(text: &str, word: &str) -> bool {
    let Some(first) = word.as_bytes().first() else { return true };
    memchr_iter(*first, text.as_bytes()).any(|at| text.as_bytes()[at..].starts_with(word.as_bytes()))
}

/// Where a word in small letters first stands in a text, in whatever case.
fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    let first = *word.first()?;
    let is_it = |at: &usize| {
        let own = text.get(*at..*at + word.len());
        own.is_some_and(|own| own.eq_ignore_ascii_case(word))
    };
    memchr2_iter(first, first.to_ascii_uppercase(), text).find(is_it)
}

/// Where `captured` first stands in a text, in whatever case.
fn captured_at(bytes: &[u8]) -> Option<usize> {
    const WORD: &[u8] = b"captured ";
    // Its first letters at all places at once.
    let (second, third) = (bytes.get(1..).unwrap_or_default(), bytes.get(2..).unwrap_or_default());
    let begins = bytes.iter().zip(second).zip(third).fold(false, |found, ((c, a), p)| {
        found | ((c | 0x20 == b'c') & (a | 0x20 == b'a') & (p | 0x20 == b'p'))
    });
    if begins { find(bytes, WORD) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn read(remarks: &[&'static str], wanted: &str) -> (Option<f64>, Option<f64>) {
        let mut grid = Grid::default();
        grid.remarks = remarks.iter().map(|r| (1, Cow::Borrowed(*r))).collect();
        captured(&grid, wanted, false, false)
    }

    #[test]
    fn words_of_all_releases() {
        let awr = ["-> Captured SQL account for  102.9% of Total DB Time (s):           3,974"];
        assert_eq!(read(&awr, "dbtime"), (Some(102.9), Some(3_974.0)));
        let statspack = [
            "-> End Buffer Gets Threshold:     10000 Total Buffer Gets:      84,770,573",
            "-> Captured SQL accounts for  105.2% of Total Buffer Gets",
        ];
        assert_eq!(read(&statspack, "buffergets"), (Some(105.2), Some(84_770_573.0)));
        let unoptimized = ["Total Physical Read Requests: 10", "Total UnOptimized Read Requests: 7"];
        assert_eq!(read(&unoptimized, "unoptimized").1, Some(7.0));
        assert_eq!(read(&["-> End Buffer Gets Threshold:"], "buffergets"), (None, None));
        assert_eq!(read(&["Captured PL/SQL account for 25.0% of Total DB Time (s): 1"], "dbtime").0, None);
    }

    #[test]
    fn the_word_is_found_in_whatever_case_and_place() {
        for text in ["Captured SQL", "-> CAPTURED SQL", "a captured b", "cap captured ", "ccaptured "] {
            assert!(captured_at(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["", "ca", "captured", "cap tured ", "recapture d", "CAP", "captured\t"] {
            assert!(captured_at(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_share_of_another_total_is_not_taken() {
        let shares = [
            "Total Physical Read Requests:      21,004",
            "Captured SQL account for   71.5% of Total",
            "Total UnOptimized Read Requests:       9,311",
            "Captured SQL account for   48.2% of Total",
            "Total Optimized Read Requests:      11,693",
            "Captured SQL account for   90.0% of Total",
        ];
        assert_eq!(read(&shares, "unoptimized"), (Some(48.2), Some(9_311.0)));
        assert_eq!(read(&shares[..2], "unoptimized"), (None, None));
        let other = ["Captured SQL account for   12.0% of Total CPU Time (s):          31"];
        assert_eq!(read(&other, "dbtime"), (None, None));
        assert_eq!(read(&["Captured SQL account for   12.0% of Total"], "dbtime"), (Some(12.0), None));
    }

    #[test]
    fn thousands_parted_by_thin_blanks_were_left_out() {
        let total = |number: &'static str| read(&[number], "buffergets").1;
        assert_eq!(total("Total Buffer Gets: 84\u{2009}770\u{2009}573"), Some(84_770_573.0));
        assert_eq!(total("Total Buffer Gets: 84 770 573"), Some(84_770_573.0));
        assert_eq!(total("Total Buffer Gets: 84\u{66c}770"), None, "a mark that nobody knows");
    }

    #[test]
    fn a_total_cut_at_the_edge_of_the_page_is_unknown() {
        let cut = ["-> Captured SQL account for   99.8% of Total User I/O Wait Time (s):           4"];
        assert_eq!(read(&cut, "waittime"), (Some(99.8), None));
    }
}
