//! Puts damaged tables back under their rulers before anything reads them.
//!
//! Mails wrap lines, forums squeeze blanks, people leave titles out. The words of headings and rulers
//! survive that in order, and tell which table it is; its rows are then put into their columns where
//! one way alone fits the number and kinds of the cells, and left out, with a note, where none or
//! several do. A text without such damage is left as it is.

use super::blanks;
use super::known_tables::{
    BY_HEADINGS, BY_RULER, Holds, KnownColumn, KnownTable, Shape, TABLES, is_ruler, words,
};
use super::marks::{Marks, is_end_rule};
use super::text_ruler::runs_of;
use super::text_sections::{Line, before_snapshots};
use crate::cell::looks_numeric;
use crate::grid::fold;
use crate::names;
use std::borrow::Cow;

/// A text with its tables put right.
pub(crate) struct Mended {
    text: String,
    /// Line in the source of each line.
    numbers: Vec<u32>,
    pub(crate) doubts: Vec<Doubt>,
    /// The table of statements whose last row was read, for its next page.
    open: Option<usize>,
    /// Does the table at hand, or the next one, lack its title?
    untitled: bool,
    /// Has a table been written?
    tables: bool,
}

/// Rows that were left out.
pub(crate) struct Doubt {
    pub(crate) line: u32,
    pub(crate) rows: u32,
    /// Title of their section, where the headings tell.
    pub(crate) section: Option<String>,
    pub(crate) why: &'static str,
}

impl Mended {
    /// Its lines, numbered as in the source.
    pub(crate) fn lines(&self) -> Vec<Line<'_>> {
        let lines = super::text_sections::lines(&self.text);
        lines.into_iter().zip(&self.numbers).map(|(line, number)| Line { number: *number, ..line }).collect()
    }
}

/// Excerpts are small: what is larger is a whole report, or no report.
const MOST_LINES: usize = 60_000;
/// Most lines that the head of a table takes, wrapped.
const MOST_HEAD_LINES: usize = 16;
/// Steps after which a row counts as one with several meanings.
const MOST_STEPS: u32 = 4_000;

/// Nothing wraps lines at fewer characters.
const NARROWEST_PAGE: usize = 60;

/// What ends a table.
pub(super) const END: &str = "          -------------------------------------------------------------";

/// What ends the code that somebody put a table into: what stands below it is of no section above.
pub(super) const FENCE_END: &str = "                              ----------------------------------------";

pub(crate) const UNTITLED: &str = "(table without its title)";

/// A known table in the text.
struct Found {
    table: usize,
    /// Folded titles that it can stand under.
    titles: Vec<&'static str>,
    /// Index of the first line of its headings, and of the first line below its last ruler.
    start: usize,
    body: usize,
    /// How far it stands to the right of where it is printed, if its blanks are all there.
    shift: Option<isize>,
    intact: bool,
    /// Columns on the first piece of the last ruler, where that was wrapped.
    split: Option<usize>,
    titled: bool,
    /// Is its ruler there?
    ruled: bool,
}

/// Why a table is left out whose headings are those of both sides.
pub(crate) const OF_EITHER_SIDE: &str =
    "a table stands without its title: its headings are those of foreground and of background waits";

/// Puts tables right; `None` where there is nothing to be put right. Some titles that lack are told: by the line of
/// their tables.
pub(crate) fn mend(
    lines: &[Line<'_>],
    told: &[(u32, &'static str)],
    is_title: impl Fn(&str) -> bool,
) -> Option<Mended> {
    if lines.len() > MOST_LINES || !is_suspicious(lines) {
        return None;
    }
    let found = find(lines, &is_title);
    if found.iter().all(|f| f.intact && f.titled) {
        return None;
    }
    // Where one table is torn, rows of others may be, or stand unknown.
    let torn = found.iter().any(|f| f.shift.is_none() || f.split.is_some());
    let mut out = Mended {
        text: String::with_capacity(lines.len() * 60),
        numbers: Vec::new(),
        doubts: Vec::new(),
        open: None,
        untitled: false,
        tables: false,
    };
    let mut at = 0;
    for (index, table) in found.iter().enumerate() {
        between(&lines[at..table.start], torn, (Place::Inside, false), &is_title, &mut out);
        let end = found.get(index + 1).map_or(lines.len(), |next| next.start);
        title(table, (lines[table.start].number, told), &is_title, &mut out);
        out.tables |= !TABLES[table.table].titles.is_empty();
        out.untitled = !table.titled || found.get(index + 1).is_some_and(|next| !next.titled);
        if table.intact && !torn {
            let statements = TABLES[table.table].shape == Shape::Statements;
            if statements || !out.untitled {
                lines[table.start..end].iter().for_each(|l| put(&mut out, l.number, l.text));
            } else {
                lines[table.start..table.body].iter().for_each(|l| put(&mut out, l.number, l.text));
                between(&lines[table.body..end], torn, (Place::Inside, false), &is_title, &mut out);
            }
        } else {
            let goes_on = found.get(index + 1).is_some_and(|n| n.table == table.table && n.titled);
            body(table, &lines[table.start..end], goes_on, &is_title, &mut out);
        }
        at = end;
    }
    between(&lines[at..], torn, (Place::Inside, false), &is_title, &mut out);
    Some(out)
}

/// Do the rows below a ruler stand in its columns, blank for blank: no cell crosses a gap, and the numbers of a
/// column end at one place?
fn stands_in_line(lines: &[Line<'_>]) -> bool {
    let Some((ruler, rows)) = lines.split_first() else { return false };
    let Some(runs) = runs_of(ruler.text).filter(|runs| runs.len() > 1) else { return false };
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); runs.len()];
    for row in rows {
        if !row.ascii || is_ruler(row.text) || row.text.len() > runs.last().map_or(0, |r| r.1) {
            return false;
        }
        // One cell alone may be the half of a row that was wrapped.
        if !row.text.trim_ascii().contains("  ") {
            return false;
        }
        let mut before = 0;
        for (index, (from, to)) in runs.iter().enumerate() {
            // Labels stand left of the ruler.
            let label = index == 0 && *from > 1;
            let from = (*from).min(row.text.len());
            if !label && row.text.as_bytes()[before..from.max(before)].iter().any(|b| *b != b' ') {
                return false;
            }
            before = (*to).min(row.text.len());
            let cell = &row.text[from.min(before)..before];
            let filled = cell.trim_ascii();
            if index > 0 && filled.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'.') {
                if !is_number(filled) {
                    return false;
                }
                ends[index].push(from + cell.trim_ascii_end().len());
            }
        }
    }
    let numbers = ends.iter().filter(|ends| !ends.is_empty()).count();
    let one_place = |(ends, run): (&Vec<usize>, &(usize, usize))| match ends.as_slice() {
        [] => true,
        [one] => *one == run.1,
        all => all.iter().all(|end| *end == all[0]),
    };
    numbers > 0 && ends.iter().zip(&runs).all(one_place)
}

/// A ruler with the rows below it that end where it does, or before; and those that go on beyond it.
fn parted_by_ruler<'a>(lines: &[Line<'a>]) -> (Vec<Line<'a>>, Vec<Line<'a>>) {
    let width = lines.first().map_or(0, |ruler| ruler.text.len());
    lines.iter().partition(|line| line.text.len() <= width)
}

/// Do headings of several lines stand in the columns of their ruler, each at the beginning or end of one? None of
/// them has moved against the others then.
fn heads_stand_in_line(above: &[Line<'_>], ruler: &Line<'_>, is_title: &impl Fn(&str) -> bool) -> bool {
    let Some(runs) = runs_of(ruler.text) else { return false };
    let ends = |at: usize, line: &Line<'_>| {
        line.is_blank()
            || line.first == b'~'
            || line.text.trim_ascii_start().starts_with("->")
            || is_titled(line, above.get(at + 1), is_title)
    };
    let head = above.iter().enumerate().rev().take_while(|(at, line)| !ends(*at, line));
    let lines: Vec<&Line<'_>> = head.take(MOST_HEAD_LINES).map(|(_, line)| line).collect();
    let in_line = |line: &&Line<'_>| {
        let start = line.text.as_ptr() as usize;
        // Headings may go on one place beyond their column.
        line.ascii
            && line.text.split("  ").map(str::trim_ascii).filter(|words| !words.is_empty()).all(|words| {
                let from = words.as_ptr() as usize - start;
                let to = from + words.len();
                let mut over = runs.iter().filter(|run| from < run.1 && to > run.0);
                let near = |run: &(usize, usize)| from.abs_diff(run.0) <= 1 || to.abs_diff(run.1) <= 1;
                over.next().is_some_and(near) && over.next().is_none()
            })
    };
    !lines.is_empty() && lines.iter().all(in_line)
}

/// Where a line outside known tables stands: what stands below a section that is over is of another,
/// whose title is lost.
#[derive(Clone, Copy)]
enum Place {
    Inside,
    Behind,
    Titled,
}

/// Lines outside known tables. Unknown tables of a torn text are left out: where their cells stand
/// cannot be told.
fn between(
    lines: &[Line<'_>],
    torn: bool,
    (mut place, fenced): (Place, bool),
    is_title: &impl Fn(&str) -> bool,
    out: &mut Mended,
) {
    let mut i = 0;
    // Is the section above over, its code closed?
    let mut outside = fenced;
    while let Some(line) = lines.get(i) {
        if is_titled(line, lines.get(i + 1), is_title) {
            outside = false;
        } else if line.text == FENCE_END {
            outside = true;
        }
        let ruled = |at: usize| lines.get(at).is_some_and(|l| is_ruler(l.text) && !is_end(l));
        if torn && ruled(i) && (line.text.trim_ascii().contains(' ') || ruled(i + 1)) {
            let over = |at: usize, l: &Line<'_>| {
                l.text.is_empty() || is_end(l) || is_titled(l, lines.get(at + 1), is_title)
            };
            let end = (i + 1..lines.len()).find(|at| over(*at, &lines[*at])).unwrap_or(lines.len());
            let above = |up: usize| i.checked_sub(up).and_then(|at| lines.get(at));
            // Of headings in several lines one may have moved against the others, but not beside a title.
            let one_heading = above(1).is_some_and(|l| !l.is_blank())
                && above(2).is_none_or(|l| {
                    l.is_blank()
                        || l.first == b'~'
                        || l.text.trim_ascii_start().starts_with("->")
                        || is_titled(l, above(1), is_title)
                });
            let in_line = one_heading || heads_stand_in_line(&lines[..i], line, is_title);
            let (within, beyond) = parted_by_ruler(&lines[i..end]);
            if in_line && beyond.len() * 3 <= within.len() && stands_in_line(&within) {
                // Its blanks are all there, whatever became of those of other tables.
                within.iter().for_each(|l| put(out, l.number, l.text));
                if let Some(first) = beyond.first() {
                    out.doubts.push(Doubt {
                        line: first.number,
                        rows: u32::try_from(beyond.len()).unwrap_or(u32::MAX),
                        section: None,
                        why: "they go on beyond the ruler of their table",
                    });
                }
                place = Place::Inside;
                i = end;
                continue;
            }
            let rows = lines[i..end].iter().filter(|l| l.text.split_ascii_whitespace().any(is_number));
            let rows = u32::try_from(rows.count()).unwrap_or(u32::MAX);
            if rows > 0 {
                out.doubts.push(Doubt {
                    line: line.number,
                    rows,
                    section: outside.then(|| UNTITLED.to_owned()),
                    why: "their blanks are lost, so that what stands under which heading cannot be told",
                });
            }
            i = end;
            continue;
        }
        if torn && is_end(line) {
            // It may have lost the blanks that tell it from a ruler.
            put(out, line.number, if line.text == FENCE_END { FENCE_END } else { END });
            i = behind_end(lines, i);
            continue;
        }
        if let Some(next) = lines.get(i + 1)
            && title_goes_on(line.text, next.text)
        {
            put(out, line.number, &format!("{} {}", line.text, next.text.trim_ascii()));
            i += 2;
            continue;
        }
        place = match place {
            _ if is_titled(line, lines.get(i + 1), is_title) => Place::Titled,
            Place::Inside if line.is_blank() => Place::Behind,
            Place::Behind if !line.is_blank() => {
                if out.untitled && out.tables {
                    put(out, line.number, UNTITLED);
                    put(out, line.number + 1, &"~".repeat(UNTITLED.len()));
                }
                Place::Inside
            }
            Place::Titled
                if !line.is_blank()
                    && line.first != b'~'
                    // A remark goes on further in.
                    && !line.text.starts_with("   ")
                    && !line.text.trim_ascii_start().starts_with("->") =>
            {
                Place::Inside
            }
            same => same,
        };
        put(out, line.number, line.text);
        i += 1;
    }
}

fn put(out: &mut Mended, number: u32, text: &str) {
    out.text.push_str(text);
    out.text.push('\n');
    out.numbers.push(number);
}

/// Cheap signs of damage: no head of a report, no titles or rulers below it, no line set in, lines left
/// out, a ruler over two lines, or headings without a wide blank over a ruler of many columns.
fn is_suspicious(lines: &[Line<'_>]) -> bool {
    let is_labelled = |line: &Line<'_>| {
        let text = line.text.as_bytes();
        let ends = |colon: usize| text[..colon].ends_with(b"DB/Inst") || text[..colon].ends_with(b" for DB");
        line.first.is_ascii_uppercase() && memchr::memchr_iter(b':', text).any(ends)
    };
    let titles = lines.iter().any(is_labelled);
    let indents = lines.iter().any(|line| line.text.starts_with(' '));
    let (mut head, mut rulers) = (false, false);
    for (index, line) in lines.iter().enumerate() {
        // Nearly every line ends here.
        if line.marks.is_none() {
            continue;
        }
        match line.first {
            b'-' | b'~' if line.marks.is_ruler() => {
                rulers = true;
                let above = index.checked_sub(1).map_or("", |a| lines[a].text);
                let parts = || line.text.trim_ascii_start().contains(' ');
                if is_ruler(above) && !is_end_rule(above) && parts()
                    || !above.is_empty()
                        && !blanks::holds_two(above.as_bytes())
                        && line.text.bytes().filter(|b| *b == b' ').take(4).count() == 4
                {
                    return true;
                }
            }
            b'W' | b'S' if line.marks.holds(Marks::HEAD) => head = true,
            b'.' | b'[' | b'<' if line.marks.is_omission() => return true,
            _ => {}
        }
    }
    !(head && titles && rulers && indents)
}

fn is_titled(line: &Line<'_>, next: Option<&Line<'_>>, is_title: &impl Fn(&str) -> bool) -> bool {
    let text = line.text.trim_ascii();
    text.contains("DB/Inst:")
        || text.contains(" for DB:")
        || next.is_some_and(|n| n.first == b'~' && n.text.trim_ascii().bytes().all(|b| b == b'~'))
        || text.len() <= 70 && line.first.is_ascii_alphabetic() && is_title(&fold(text))
        || before_snapshots(text).is_some()
        || underlined_title(line, next, is_title).is_some()
}

/// A title that headings stand beside, with its underline below.
fn underlined_title<'a>(
    line: &Line<'a>,
    next: Option<&Line<'_>>,
    is_title: &impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let below = next.filter(|n| n.first == b'~' && n.text.trim_ascii_start().starts_with("~~~"))?;
    let indent = |text: &str| text.len() - text.trim_ascii_start().len();
    let title = line.text.trim_ascii().split("  ").next()?;
    (indent(line.text) == indent(below.text) && is_title(&fold(title))).then_some(title)
}

fn find(lines: &[Line<'_>], is_title: &impl Fn(&str) -> bool) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    // Folded title of the section at hand.
    let mut section = String::new();
    let mut i = 0;
    let ruled = lines.iter().any(|l| is_ruler(l.text) && l.text.trim_ascii().contains(' '));
    while i < lines.len() {
        let from = found.last().map_or(0, |f| f.body);
        let next = if !ruled {
            by_headings(lines, i)
        } else if matches!(lines[i].first, b'-' | b'~' | b'=') && is_ruler(lines[i].text) {
            by_ruler(lines, i, from)
        } else {
            None
        };
        let Some(mut next) = next else {
            i += 1;
            continue;
        };
        let between = &lines[from..next.start];
        let above = title_above(between, lines.get(next.start), &next.titles, is_title);
        let omitted = above.omitted;
        if let Some(last) = above.last {
            section = last;
        }
        // Words may say that the same table comes again of another instance or time.
        let named_anew = TABLES[next.table].shape != Shape::Statements && are_named_anew(between);
        // Several tables stand under one title.
        let same = !omitted && !named_anew && next.titles.iter().any(|t| fold(t) == section);
        let titled = above.titled || same || TABLES[next.table].own_title;
        if !above.titled {
            section = next.titles.first().map_or_else(String::new, |t| fold(t));
        }
        // The next page of the same table.
        let again = found.last().is_some_and(|f| f.table == next.table) && !omitted && !named_anew;
        // Header blocks have no titles.
        let needs = !TABLES[next.table].titles.is_empty();
        next.titled = titled || again || !needs;
        i = next.body;
        found.push(next);
    }
    found
}

/// Do the lines right above a table name what it is of: `Node 2:`, `### After`, or the head of an interval?
fn are_named_anew(above: &[Line<'_>]) -> bool {
    /// More words are a sentence, or the beginning of one.
    const MOST_WORDS: usize = 6;
    let is_name = |line: &Line<'_>| {
        let text = line.text.trim_ascii();
        (text.starts_with('#') || text.ends_with(':') || text.starts_with("**"))
            && text.bytes().any(|b| b.is_ascii_alphabetic())
            && text.split_ascii_whitespace().count() <= MOST_WORDS
    };
    let of_head = |line: &Line<'_>| {
        line.marks.holds(Marks::SNAPSHOT) || ["DB Time:", "DB time:"].iter().any(|l| line.text.contains(l))
    };
    let mut tail = above.iter().rev().filter(|line| !line.text.is_empty());
    tail.by_ref().find(|line| !of_head(line) || is_name(line)).is_some_and(is_name)
}

/// What stands above a table.
struct Above {
    titled: bool,
    omitted: bool,
    /// Folded, the last title, whether it is of this table or of one before.
    last: Option<String>,
}

/// Does a title stand above a table, with nothing but remarks between; and were lines left out there?
fn title_above(
    between: &[Line<'_>],
    next: Option<&Line<'_>>,
    titles: &[&str],
    is_title: &impl Fn(&str) -> bool,
) -> Above {
    let (mut titled, mut omitted, mut remark) = (false, false, false);
    let mut last = None;
    for (index, line) in between.iter().enumerate() {
        let below = between.get(index + 1).or(next);
        if line.text.is_empty() {
            remark = false;
        } else if is_titled(line, below, is_title) {
            // Remarks, or the rest of the title, stand below such a line.
            let snapshots = before_snapshots(line.text);
            let remarks =
                line.text.contains("DB/Inst:") || line.text.contains(" for DB:") || snapshots.is_some();
            let text = line.text.split("DB/Inst:").next().unwrap_or("");
            let title = snapshots.or_else(|| underlined_title(line, below, is_title));
            last = Some(fold(title.unwrap_or_else(|| text.split(" for DB:").next().unwrap_or(""))));
            // A bare line must be a title that such a table stands under.
            let underlined = below.is_some_and(|b| b.first == b'~');
            let own = |t: &&str| fold(t) == fold(line.text);
            (titled, omitted, remark) = (remarks || underlined || titles.iter().any(own), false, remarks);
        } else if line.marks.is_omission() {
            (titled, omitted) = (false, true);
        } else if line.text.trim_ascii_start().starts_with("->") {
            remark = true;
        } else if !remark && line.first != b'~' {
            // The title was of these lines.
            titled &= !is_ruler(line.text) && !line.text.split_ascii_whitespace().any(is_number);
        }
    }
    Above { titled, omitted, last }
}

/// The known table whose first ruler begins at `at`.
fn by_ruler(lines: &[Line<'_>], at: usize, from: usize) -> Option<Found> {
    let mut best: Option<(usize, Found)> = None;
    let mut joined = String::new();
    for (pieces, line) in lines[at..].iter().enumerate().take(3) {
        if !is_ruler_piece(line) {
            break;
        }
        // A run wider than the page is cut wherever the page ends.
        if pieces > 0 && (joined.contains(' ') || joined.len() < NARROWEST_PAGE) {
            joined.push(' ');
        }
        joined.push_str(&words(line.text));
        for table in BY_RULER.get(&joined).into_iter().flatten() {
            let known = &TABLES[*table];
            let Some(start) = above(known, &lines[from..at]).map(|s| from + s) else {
                continue;
            };
            let Some(body) = below(known, lines, at + pieces + 1) else {
                continue;
            };
            let weight = known.words_above().count() + known.words_below().count();
            let mut next = measured(*table, lines, start, body);
            next.titles.clone_from(&known.titles);
            match &mut best {
                Some((most, found)) if *most == weight && found.intact == next.intact => {
                    // The same words of several releases: titles of all, blanks of the first.
                    if !found.intact && next.shift.is_some() && found.shift.is_none() {
                        next.titles.extend(found.titles.iter());
                        *found = next;
                    } else {
                        found.titles.extend(next.titles);
                    }
                }
                Some((most, found)) if *most > weight || *most == weight && found.intact => {}
                _ => best = Some((weight, next)),
            }
        }
    }
    best.map(|b| b.1)
}

/// Is the ruler that begins here one of a known table; and if so, does that stand blank for blank?
pub(super) fn stands_as_printed(lines: &[Line<'_>], ruler: usize) -> Option<bool> {
    by_ruler(lines, ruler, 0).map(|found| found.intact)
}

/// A ruler, or the rest of one that was wrapped.
fn is_ruler_piece(line: &Line<'_>) -> bool {
    is_ruler(line.text) || line.first == b'-' && line.text.trim_ascii().bytes().all(|b| b == b'-')
}

/// The first line of a table's headings, if its words stand right above the ruler.
fn above(table: &KnownTable, lines: &[Line<'_>]) -> Option<usize> {
    let mut wanted = table.words_above().rev().peekable();
    for (index, line) in lines.iter().enumerate().rev().take(MOST_HEAD_LINES) {
        if line.text.is_empty() {
            return None;
        }
        for word in line.text.split_ascii_whitespace().rev() {
            if wanted.next() != Some(word) {
                return None;
            }
        }
        if wanted.peek().is_none() {
            return Some(index);
        }
    }
    None
}

/// The first line below a table's last ruler, if what is wanted stands there.
fn below(table: &KnownTable, lines: &[Line<'_>], at: usize) -> Option<usize> {
    let mut wanted = table.words_below().peekable();
    let mut index = at;
    while wanted.peek().is_some() {
        let line = lines.get(index).filter(|l| !l.text.is_empty() && index - at < MOST_HEAD_LINES)?;
        for word in line.text.split_ascii_whitespace() {
            if wanted.next() != Some(word) {
                return None;
            }
        }
        index += 1;
    }
    Some(index)
}

/// The known table whose headings begin at `at`, in a text that lost all rulers.
fn by_headings(lines: &[Line<'_>], at: usize) -> Option<Found> {
    let mut joined = String::new();
    let mut best = None;
    for (index, line) in lines[at..].iter().enumerate().take(8) {
        if line.text.is_empty() {
            break;
        }
        if index > 0 {
            joined.push(' ');
        }
        joined.push_str(&words(line.text));
        if let Some(tables) = BY_HEADINGS.get(&joined) {
            best = Some((index + 1, tables));
        }
    }
    let (length, tables) = best?;
    // The title of a summary page is underlined: that keeps it apart from the section above.
    let underlined = |t: &&usize| TABLES[**t].head.iter().any(|l| l.trim_ascii_start().starts_with("~~~"));
    let table = *tables.iter().find(underlined).or_else(|| tables.first())?;
    // Two words head no table for sure.
    if TABLES[table].columns.len() < 2 || joined.split(' ').count() < 3 {
        return None;
    }
    let head: Vec<&str> = TABLES[table].head.iter().copied().filter(|l| !is_ruler(l)).collect();
    let shift = uniform(&head, &lines[at..at + length]);
    let titles = tables.iter().flat_map(|t| TABLES[*t].titles.iter().copied()).collect();
    Some(Found {
        table,
        titles,
        start: at,
        body: at + length,
        shift: shift.filter(|_| head.len() == length && tables.len() == 1),
        intact: false,
        split: None,
        titled: false,
        ruled: false,
    })
}

/// How the head of a table stands in the text.
fn measured(table: usize, lines: &[Line<'_>], start: usize, body: usize) -> Found {
    let known = &TABLES[table];
    let printed = &lines[start..body];
    let shift = uniform(&known.head, printed);
    let intact = shift.is_some() && printed.len() == known.head.len();
    let rulers = printed.iter().rev().take_while(|l| is_ruler_piece(l)).count();
    let split = (rulers > 1).then(|| {
        let first = printed[printed.len() - rulers].text.split_ascii_whitespace().count();
        // Labels stand left of the ruler.
        first
            + known.columns.len().saturating_sub(
                printed[printed.len() - rulers..]
                    .iter()
                    .flat_map(|l| l.text.split_ascii_whitespace())
                    .count(),
            )
    });
    Found { table, titles: Vec::new(), start, body, shift, intact, split, titled: false, ruled: true }
}

/// How far the lines stand to the right of where they are printed, if nothing but their ends was
/// wrapped.
fn uniform(head: &[&str], printed: &[Line<'_>]) -> Option<isize> {
    let indent = |t: &str| t.len() - t.trim_ascii_start().len();
    let mut pieces = printed.iter();
    let mut shift = None;
    for line in head {
        let mut rest = line.trim_ascii();
        let mut first = true;
        while !rest.is_empty() {
            let piece = pieces.next()?.text;
            if first {
                let own = isize::try_from(indent(piece)).ok()? - isize::try_from(indent(line)).ok()?;
                if *shift.get_or_insert(own) != own {
                    return None;
                }
                first = false;
            }
            rest = rest.strip_prefix(piece.trim_ascii())?.trim_ascii_start();
        }
    }
    shift
}

/// A title that the text lacks, where the headings tell it.
fn title(
    found: &Found,
    (number, told): (u32, &[(u32, &'static str)]),
    is_title: &impl Fn(&str) -> bool,
    out: &mut Mended,
) {
    if found.titled {
        return;
    }
    let mut known: Vec<&str> = found.titles.iter().copied().filter(|t| is_title(&fold(t))).collect();
    if known.is_empty() {
        known.clone_from(&found.titles);
    }
    known.sort_unstable();
    known.dedup();
    let told = told.iter().find(|(line, title)| *line == number && known.contains(title));
    let name = match known.as_slice() {
        [one] => *one,
        _ if let Some((_, title)) = told => title,
        all if all.iter().all(|t| t.ends_with("Instance Activity Stats")) => "Instance Activity Stats",
        all => {
            out.doubts.push(Doubt {
                line: number,
                rows: 0,
                section: None,
                why: if all.contains(&"Background Wait Events") {
                    OF_EITHER_SIDE
                } else {
                    "a table stands without its title, and its headings are those of several sections"
                },
            });
            UNTITLED
        }
    };
    put(out, number, "");
    put(out, number, name);
    put(out, number + 1, &"~".repeat(name.len()));
}

/// Writes a table as it is printed, and what stands below it as it is.
fn body(
    found: &Found,
    lines: &[Line<'_>],
    goes_on: bool,
    is_title: &impl Fn(&str) -> bool,
    out: &mut Mended,
) {
    let table = &TABLES[found.table];
    let number = lines[0].number;
    put(out, number, "");
    // Titles stand right above their underlines.
    table.head.iter().zip(number..).for_each(|(l, n)| put(out, n, l));
    let lines = &lines[found.body - found.start..];
    let mut reader = Rows { found, table, out, left_out: None, rest: Vec::new() };
    let (end, over) = match table.shape {
        Shape::Statements => reader.statements(lines),
        Shape::Plain | Shape::TwoLines => reader.rows(lines, is_title),
    };
    let (left_out, rest) = (reader.left_out, reader.rest);
    let fenced = end.checked_sub(1).and_then(|last| lines.get(last)).is_some_and(|l| l.text == FENCE_END);
    // Below a title that comes again the table goes on.
    if over && !(goes_on && end == lines.len()) || !rest.is_empty() {
        put(out, number, if fenced { FENCE_END } else { END });
        put(out, number, "");
    }
    for line in rest {
        put(out, line.number, line.text);
        put(out, line.number, "");
    }
    if let Some((line, rows)) = left_out {
        let section = found.titles.first().map(|t| (*t).to_owned());
        out.doubts.push(Doubt {
            line,
            rows,
            section,
            why: "wrapped, squeezed or moved, their cells cannot be told apart",
        });
    }
    between(&lines[end..], true, (Place::Behind, fenced), is_title, out);
}

struct Rows<'f, 'o, 'a> {
    found: &'f Found,
    table: &'static KnownTable,
    out: &'o mut Mended,
    /// Line of the first row that was left out, and how many.
    left_out: Option<(u32, u32)>,
    /// Lines between the rows that are none.
    rest: Vec<Line<'a>>,
}

type Cells<'a> = Vec<Cow<'a, str>>;

impl<'a> Rows<'_, '_, 'a> {
    /// Index of the line behind the rows, and whether the table is over.
    fn rows(&mut self, lines: &[Line<'a>], is_title: &impl Fn(&str) -> bool) -> (usize, bool) {
        let mut over = true;
        let mut whole = false;
        let mut i = 0;
        let mut gap = false;
        let mut omitted = false;
        let mut names: Vec<Line<'a>> = Vec::new();
        while let Some(line) = lines.get(i) {
            if line.text.is_empty() {
                gap = true;
                i += 1;
                continue;
            }
            if is_end(line) {
                i = behind_end(lines, i);
                break;
            }
            if line.text.trim_ascii_start().starts_with("->") || is_titled(line, lines.get(i + 1), is_title) {
                over = false;
                break;
            }
            if names.is_empty()
                && line.text.starts_with(' ')
                && line.text.trim_ascii_start().starts_with("PDB: ")
            {
                // The container of the row above.
                put(self.out, line.number, line.text);
                i += 1;
                continue;
            }
            if line.marks.is_omission() {
                put(self.out, line.number, line.text);
                omitted = true;
                names.drain(..).for_each(|l| self.leave_out(l));
                i += 1;
                continue;
            }
            // Behind a blank line stands prose, or a row that its place alone tells; behind lines left
            // out, perhaps a row of another table.
            let row = if gap && self.found.shift.is_none() { None } else { self.row(lines, i) };
            let few = |cells: &Cells<'_>| cells.iter().filter(|c| is_number(c)).count() < 3;
            let row = row.filter(|r| !omitted || self.found.shift.is_some() || !few(&r.0));
            if self.table.shape == Shape::TwoLines {
                match row {
                    Some((cells, used)) => {
                        self.two_lines(&names, &cells, line.number);
                        names.clear();
                        i += used;
                    }
                    None if gap && self.found.shift.is_none() => break,
                    // The rest of a wrapped row is no name of the next one.
                    None if line.text.split_ascii_whitespace().all(is_number) => {
                        names.drain(..).for_each(|l| self.leave_out(l));
                        self.leave_out(*line);
                        i += 1;
                    }
                    None => {
                        names.push(*line);
                        i += 1;
                    }
                }
                continue;
            }
            let alone = |cells: &Cells<'_>| {
                cells[0].is_empty() && cells.iter().filter(|c| !c.is_empty()).count() == 1
            };
            if row.as_ref().is_some_and(|r| alone(&r.0)) && !whole {
                // The rest of a row that was left out.
                self.leave_out(*line);
                i += 1;
            } else if let Some((cells, used)) = row {
                let text = laid_out(&cells, &self.table.columns).filter(|_| self.ends(&cells));
                whole = text.is_some();
                if let Some(text) = text {
                    put(self.out, line.number, &text);
                } else {
                    self.leave_out(*line);
                }
                i += used;
            } else if gap && self.found.shift.is_none() {
                break;
            } else if let Some(text) = self.more_of_a_cell(line.text).filter(|_| whole) {
                put(self.out, line.number, &text);
                i += 1;
            } else {
                self.leave_out(*line);
                whole = false;
                i += 1;
            }
        }
        names.into_iter().for_each(|l| self.leave_out(l));
        (i, over)
    }

    /// A row of two lines: names above, numbers below.
    fn two_lines(&mut self, names: &[Line<'a>], cells: &[Cow<'a, str>], number: u32) {
        let Some(numbers) = laid_out(cells, &self.table.columns) else {
            names.iter().for_each(|l| self.leave_out(*l));
            return;
        };
        let text = match (names, self.table.names.as_slice()) {
            ([], _) => None,
            ([one], []) => Some(one.text.to_owned()),
            ([one], [_]) => Some(one.text.trim_ascii().to_owned()),
            (several, columns) => {
                let geometry = match (several, self.found.shift) {
                    ([one], Some(shift)) => cut(one.text, columns, shift),
                    _ => None,
                };
                let words: Vec<&str> = several.iter().flat_map(|l| l.text.split_ascii_whitespace()).collect();
                geometry.or_else(|| assign(&words, columns, true)).and_then(|c| laid_out(&c, columns))
            }
        };
        match (text, names.first()) {
            (Some(text), Some(first)) => {
                put(self.out, first.number, &text);
                put(self.out, number, &numbers);
            }
            _ => {
                names.iter().for_each(|l| self.leave_out(*l));
                let (line, rows) = self.left_out.unwrap_or((number, 0));
                self.left_out = Some((line, rows + 1));
            }
        }
    }

    fn statements(&mut self, lines: &[Line<'a>]) -> (usize, bool) {
        let mut over = true;
        let mut i = 0;
        let mut whole = self.out.open.take() == Some(self.found.table) && self.found.ruled;
        // Where nothing else tells the end of a table, a blank line ends a statement.
        let mut gap = false;
        let mut texts = 0;
        while let Some(line) = lines.get(i) {
            if is_end(line) {
                i = behind_end(lines, i);
                break;
            }
            let snapshots = || before_snapshots(line.text).is_some();
            if line.text.contains("DB/Inst:") || line.text.contains(" for DB:") || snapshots() {
                over = false;
                break;
            }
            if line.text.is_empty() {
                put(self.out, line.number, "");
                gap |= texts > 0 && !self.found.ruled;
                i += 1;
                continue;
            }
            if let Some((cells, used)) = self.row(lines, i) {
                if let Some(text) = laid_out(&cells, &self.table.columns) {
                    put(self.out, line.number, &text);
                    whole = true;
                    (gap, texts) = (false, 0);
                } else {
                    self.leave_out(*line);
                    whole = false;
                }
                i += used;
                continue;
            }
            let numbers = line.text.split_ascii_whitespace().filter(|w| is_number(w)).count();
            if numbers >= 3 && line.text.split_ascii_whitespace().count() <= numbers + 1 {
                self.leave_out(*line);
                whole = false;
            } else if whole && !gap {
                put(self.out, line.number, line.text);
                texts += 1;
            }
            i += 1;
        }
        self.out.open = whole.then_some(self.found.table);
        if let Some(last) = lines.get(i.saturating_sub(1)).filter(|_| whole && !self.found.ruled) {
            // On the next page its text may go on.
            put(self.out, last.number, "...");
        }
        (i, over)
    }

    /// The rest of a cell that the report itself wraps, where its place is known.
    fn more_of_a_cell(&self, text: &str) -> Option<String> {
        let columns = &self.table.columns;
        let indent = text.len() - text.trim_ascii_start().len();
        let shift = self.found.shift.filter(|_| self.found.split.is_none() && indent > 0)?;
        let column = columns.iter().skip(1).find(|c| c.run.0.checked_add_signed(shift) == Some(indent))?;
        let text = text.trim_ascii();
        let fits = column.holds == Holds::Text && !text.contains("  ");
        (fits && text.len() <= column.run.1 - column.run.0)
            .then(|| format!("{}{text}", " ".repeat(column.run.0)))
    }

    /// Does every cell end in its row? A cell as wide as its column may go on below, where only its
    /// place tells it.
    fn ends(&self, cells: &[Cow<'_, str>]) -> bool {
        let may_go_on = |(cell, column): (&Cow<'_, str>, &KnownColumn)| {
            column.holds == Holds::Text && cell.chars().count() >= column.run.1 - column.run.0
        };
        self.found.shift.is_some() && self.found.split.is_none()
            || !cells.iter().zip(&self.table.columns).skip(1).any(may_go_on)
    }

    /// Keeps what may be a line of the header, counts what may be a row.
    fn leave_out(&mut self, line: Line<'a>) {
        let text = line.text;
        let header = ["(min", "Snap:", "RESULTS ARE INVALID", "shutdown"].iter().any(|w| text.contains(w));
        if header || !text.split_ascii_whitespace().any(is_number) || is_sentence(text) {
            self.rest.push(line);
        } else {
            let (first, rows) = self.left_out.unwrap_or((line.number, 0));
            self.left_out = Some((first, rows + 1));
        }
    }

    /// The cells of the row at a line, and how many lines it takes.
    fn row(&self, lines: &[Line<'a>], at: usize) -> Option<(Cells<'a>, usize)> {
        let columns = &self.table.columns;
        let text = lines[at].text;
        if let Some(shift) = self.found.shift {
            let Some(split) = self.found.split.filter(|s| (1..columns.len()).contains(s)) else {
                return cut(text, columns, shift).map(|cells| (cells, 1));
            };
            let (early, late) = columns.split_at(split);
            let begins = |text: &'a str| cut(head_of(text, early, shift), early, shift);
            let mut cells = begins(text)?;
            let tail = text[head_of(text, early, shift).len()..].split_ascii_whitespace();
            let next = lines.get(at + 1).filter(|n| !n.text.is_empty() && !is_end(n));
            let more = next.filter(|n| begins(n.text).is_none() && n.text.len() < 40);
            let mut words: Vec<&str> = tail.collect();
            let own = words.len();
            if let Some(more) = more {
                words.extend(more.text.split_ascii_whitespace());
                if let Some(found) = assign(&words, late, false) {
                    cells.extend(found);
                    return Some((cells, 2));
                }
            }
            // What stands on this line alone, by its place.
            let goes_on = more.is_some_and(|m| m.text.split_ascii_whitespace().all(is_number));
            let may_end = !goes_on && own == 0 && late.iter().all(|c| c.blank);
            let alone = cut(text, columns, shift).filter(|_| more.is_none() || may_end);
            if let Some(alone) = alone {
                return Some((alone, 1));
            }
            // Several ways to go on: the cells beyond the break stay unknown.
            // A blank cell of a histogram would say that there are none.
            let histogram = self.found.titles.iter().any(|t| t.contains("Histogram"));
            if goes_on && !histogram && words.iter().all(|w| is_number(w)) {
                cells.extend(late.iter().map(|_| Cow::Borrowed("")));
                return Some((cells, 1));
            }
            return None;
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if words.len() > 60 {
            return None;
        }
        let mut ways: Vec<Cells<'a>> = Vec::new();
        if text.trim_ascii().contains("  ") && text.is_ascii() {
            for shift in -60..=60 {
                if let Some(cells) =
                    cut(text, columns, shift).filter(|c| !c[0].is_empty() && flush(text, columns, shift))
                    && !ways.contains(&cells)
                {
                    ways.push(cells);
                }
            }
        }
        if ways.is_empty() {
            let values = words.iter().filter(|w| is_number(w)).count();
            let cells = assign(&words, columns, true)?;
            // One number behind words may be prose.
            let sure = values >= 2 || is_known(&cells[0]) || cells[0].ends_with(':');
            return sure.then_some((cells, 1));
        }
        (ways.len() == 1).then(|| (ways.swap_remove(0), 1))
    }
}

/// A sentence that somebody wrote below a table: many words, few of them with digits, and no cells.
pub(crate) fn is_sentence(text: &str) -> bool {
    /// Names of events and statistics have fewer, numbers left out.
    const LEAST: usize = 8;
    /// Of so many words one may hold a number.
    const WORDS_A_NUMBER: usize = 4;
    let text = text.trim_ascii();
    let (mut words, mut numbers) = (0, 0);
    for word in text.split_ascii_whitespace() {
        words += 1;
        numbers += usize::from(word.bytes().any(|b| b.is_ascii_digit()));
    }
    words >= LEAST && numbers * WORDS_A_NUMBER <= words && !has_cells(text)
}

/// Are words parted by more than a blank where no sentence ends?
fn has_cells(text: &str) -> bool {
    let mut pieces = text.split("  ").map(str::trim_ascii).filter(|piece| !piece.is_empty()).peekable();
    blanks::holds_two(text.as_bytes())
        && std::iter::from_fn(|| pieces.next().filter(|_| pieces.peek().is_some()))
            .any(|piece| !piece.ends_with(['.', '?', '!']))
}

/// A line that ends a table: one run of dashes.
fn is_end(line: &Line<'_>) -> bool {
    let text = line.text.trim_ascii();
    line.first == b'-' && text.len() >= 20 && text.bytes().all(|b| b == b'-')
}

/// Is the second line the end of a title with database and snapshots?
fn title_goes_on(text: &str, next: &str) -> bool {
    let snaps = |t: &str| t.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b' '));
    let next = next.trim_ascii();
    match text.rsplit_once("DB/Inst:").or_else(|| text.rsplit_once(" for DB:")) {
        Some((_, rest)) if rest.trim_ascii().is_empty() => next.contains('/') && next.contains("Snap"),
        Some((_, rest)) if !rest.contains("Snap") => next.starts_with("Snap"),
        Some((_, rest)) => {
            (rest.ends_with([':', '-']) || next.starts_with('-')) && !next.is_empty() && snaps(next)
        }
        None => false,
    }
}

/// Index behind the line of dashes at `at`, which may have been wrapped.
fn behind_end(lines: &[Line<'_>], at: usize) -> usize {
    let dashes = |l: &&Line<'_>| !l.text.is_empty() && l.text.bytes().all(|b| b == b'-');
    at + 1 + lines[at + 1..].iter().take_while(dashes).count()
}

pub(super) fn is_number(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word) || word.bytes().all(|b| b == b'#')
}

/// The part of a line that holds these columns.
fn head_of<'a>(text: &'a str, columns: &[KnownColumn], shift: isize) -> &'a str {
    let end = columns.last().and_then(|c| c.run.1.checked_add_signed(shift)).unwrap_or(0);
    let end = text.char_indices().nth(end).map_or(text.len(), |c| c.0);
    &text[..end]
}

/// Cells by their place; `None` where one crosses a gap or is of another kind than its column.
fn cut<'a>(text: &'a str, columns: &[KnownColumn], shift: isize) -> Option<Cells<'a>> {
    let at = |place: usize| -> usize { place.min(text.len()) };
    // Names of other languages: places are characters.
    let ends: Vec<usize> = if text.is_ascii() {
        Vec::new()
    } else {
        text.char_indices().map(|c| c.0).chain([text.len()]).collect()
    };
    let byte = |place: usize| ends.get(place).copied().unwrap_or_else(|| at(place.max(ends.len())));
    let mut cells = Vec::with_capacity(columns.len());
    let mut before = 0;
    for (index, column) in columns.iter().enumerate() {
        let from = byte(column.run.0.saturating_add_signed(shift));
        let to = if index + 1 == columns.len() {
            text.len()
        } else {
            byte(column.run.1.checked_add_signed(shift)?)
        };
        if !text.get(before..from.max(before))?.bytes().all(|b| b == b' ') {
            return None;
        }
        let cell = text.get(from.max(before)..to.max(from).max(before))?.trim_ascii();
        before = to.max(before);
        let fits = match column.holds {
            // No release promises that a cell is never blank, but a row has a name.
            _ if cell.is_empty() => index > 0 || column.blank,
            Holds::Number => !cell.contains(' ') && looks_numeric(cell),
            Holds::Word => !cell.contains(' '),
            Holds::Text | Holds::DayAndTime | Holds::WaitClass => true,
        };
        if !fits {
            return None;
        }
        cells.push(Cow::Borrowed(cell));
    }
    let counts = columns.iter().skip(1).any(|c| c.holds == Holds::Number);
    let mut filled = cells.iter().zip(columns).skip(1).filter(|(c, _)| !c.is_empty());
    filled.any(|(_, column)| !counts || column.holds == Holds::Number).then_some(cells)
}

/// Do numbers end where their columns do, and names begin where theirs do?
fn flush(text: &str, columns: &[KnownColumn], shift: isize) -> bool {
    let bytes = text.as_bytes();
    let filled = |at: Option<usize>| at.and_then(|a| bytes.get(a)).is_some_and(|b| *b != b' ');
    columns.iter().enumerate().all(|(index, column)| {
        let from = column.run.0.saturating_add_signed(shift);
        let end = column.run.1.checked_add_signed(shift);
        let to = if index + 1 == columns.len() { bytes.len() } else { end.unwrap_or(0).min(bytes.len()) };
        let blank = bytes.get(from.min(to)..to).is_none_or(|c| c.iter().all(|b| *b == b' '));
        // Numbers inside a name stand in the wrong column.
        let cell = text.get(from.min(to)..to).unwrap_or("").trim_ascii();
        if column.holds != Holds::Number && (cell.contains("  ") || cell.split(' ').any(is_number)) {
            return false;
        }
        blank
            || match column.holds {
                Holds::Number => filled(end.and_then(|e| e.checked_sub(1))) && !filled(end),
                _ if index == 0 => true,
                _ => filled(Some(from)),
            }
    })
}

/// Words to cells, where one way alone fits; a whole row has a name.
fn assign<'a>(words: &[&'a str], columns: &[KnownColumn], whole: bool) -> Option<Cells<'a>> {
    if words.is_empty() {
        return None;
    }
    let profile = columns.get(1).is_some_and(|c| c.key == "persecond");
    if profile && let Some(label) = words.iter().position(|w| w.ends_with(':')) {
        return profile_row(words, label, columns);
    }
    // In the time model it is a time as others are.
    let waits = columns.iter().any(|c| c.key == "waits" || c.holds == Holds::WaitClass);
    let is_cpu = || matches!((words[0], words[1]), ("DB", "CPU") | ("CPU", "time" | "Time"));
    let cpu = words.len() > 2 && waits && is_cpu();
    let mut changed;
    let columns = if cpu && columns.len() > 2 {
        // CPU is no wait: it has a time and a share.
        changed = columns.to_vec();
        for column in changed.iter_mut().skip(1) {
            let of_waits = matches!(column.key.as_str(), "waits" | "waitclass" | "class")
                || ["avgwait", "waitavg", "avgms"].iter().any(|k| column.key.starts_with(k))
                || column.holds == Holds::WaitClass;
            column.blank = of_waits;
            if of_waits {
                column.holds = Holds::WaitClass;
            }
        }
        changed.as_slice()
    } else {
        columns
    };
    let printed = columns;
    // Where cells are fewer than columns, any of them may be blank.
    let mut loose = columns.to_vec();
    loose.iter_mut().skip(usize::from(whole)).for_each(|c| c.blank |= !cpu);
    let columns = loose.as_slice();
    let mut search = Search { words, columns, way: Vec::new(), found: Vec::new(), most: 1, steps: 0 };
    search.go(0, 0);
    if search.steps > MOST_STEPS {
        return None;
    }
    let cells = match search.found.as_slice() {
        [spans] => cells_of(words, spans),
        _ if whole && !cpu => told_apart(words, printed)?,
        _ => return None,
    };
    if cells.first().is_none_or(|name| name.is_empty()) {
        return None;
    }
    // A name that ends in a number beside a blank cell would be taken apart at the wrong place.
    let blanks = cells.iter().any(|c| c.is_empty());
    let named = columns[0].holds != Holds::Text
        || cpu
        || cells[0].ends_with(':')
        || !cells[0].contains(' ')
        || is_known(&cells[0]);
    (!blanks || named).then_some(cells)
}

/// Most ways of putting words into columns that are held against each other.
const MOST_WAYS: usize = 32;

/// The same where more than one way fits and the others are none that a report prints: a cell is blank where
/// reports leave it so, looks as its column does, and a mean is that of its waits. Of ways that are left, what
/// they agree on; the rest is unknown.
fn told_apart<'a>(words: &[&'a str], columns: &[KnownColumn]) -> Option<Cells<'a>> {
    // Blank buckets are none, not unknown.
    let buckets = columns.iter().filter(|c| c.key.starts_with(['<', '>'])).count();
    let mut search = Search { words, columns, way: Vec::new(), found: Vec::new(), most: MOST_WAYS, steps: 0 };
    search.go(0, 0);
    if search.found.len() > MOST_WAYS || search.steps > MOST_STEPS || buckets > 0 {
        return None;
    }
    let ways = search.found.iter().map(|spans| cells_of(words, spans));
    let mut ways = ways.filter(|cells| looks_printed(cells, columns));
    let mut common = ways.next()?;
    for way in ways {
        common
            .iter_mut()
            .zip(&way)
            .filter(|(cell, other)| cell != other)
            .for_each(|(cell, _)| *cell = "".into());
    }
    certain(&mut common, columns).then_some(common)
}

/// Are the leading numbers of a row known for sure? Those behind a mean stay only where none of them lacks.
fn certain(cells: &mut [Cow<'_, str>], columns: &[KnownColumn]) -> bool {
    let at = |is: &dyn Fn(&str) -> bool| columns.iter().position(|c| is(&c.key));
    let filled = |cells: &[Cow<'_, str>], at: usize| cells.get(at).is_some_and(|cell| !cell.is_empty());
    let times = |key: &str| key.ends_with("times") || key.ends_with("timesec");
    let mean = at(&|key| key.starts_with("avgwait") || key == "waitavgms");
    if let (Some(waits), Some(time), Some(mean)) = (at(&|key| key == "waits"), at(&times), mean) {
        if cells.iter().skip(mean + 1).any(|cell| cell.is_empty()) {
            cells.iter_mut().skip(mean + 1).for_each(|cell| *cell = "".into());
        }
        return [waits, time, mean].into_iter().all(|at| filled(cells, at));
    }
    // One value, and shares behind it.
    let leads = columns.get(1).is_some_and(|c| c.holds == Holds::Number && !c.blank);
    columns.len() <= 4 && leads && columns.iter().skip(2).all(|c| c.blank) && filled(cells, 1)
}

/// Do the numbers of a row look as its columns do, and agree with each other?
fn looks_printed(cells: &[Cow<'_, str>], columns: &[KnownColumn]) -> bool {
    let pairs = || cells.iter().zip(columns).filter(|(cell, _)| !cell.is_empty());
    let timed = |cell: &str| cell.ends_with(['s', 'S']);
    let fits = pairs().filter(|(_, column)| column.holds == Holds::Number).all(|(cell, column)| {
        let key = column.key.as_str();
        match key {
            // Releases that print no unit in the heading print one in the cell.
            "avgwait" => timed(cell),
            "waits" => !cell.contains('.') && !timed(cell),
            _ if key.ends_with("outs") || key.ends_with("out") => !cell.contains('.') && !timed(cell),
            "waits/txn" => cell.contains('.') && !timed(cell),
            _ if key.starts_with('%') => cell.contains('.') && !timed(cell),
            _ if key.starts_with("avg") => true,
            _ => !timed(cell),
        }
    });
    fits && is_mean_of_its_waits(cells, columns)
}

/// Where waits, their time and their mean are there: does the mean follow from the two?
fn is_mean_of_its_waits(cells: &[Cow<'_, str>], columns: &[KnownColumn]) -> bool {
    let cell_of = |is: &dyn Fn(&str) -> bool| {
        let at = columns.iter().position(|c| is(&c.key))?;
        cells.get(at).filter(|cell| !cell.is_empty())
    };
    let waits = cell_of(&|key| key == "waits");
    let time = cell_of(&|key| key.ends_with("times") || key.ends_with("timesec"));
    let mean = cell_of(&|key| key.starts_with("avgwait") || key == "waitavgms");
    let (Some(waits), Some(time), Some(mean)) = (waits, time, mean) else { return true };
    // Without a unit of its own it is in milliseconds.
    let unit = if mean.ends_with('s') { 1.0 } else { 1e-3 };
    let (Some(waits), Some(time), Some(mean)) = (plain(waits), plain(time), plain(mean)) else {
        return false;
    };
    let mean = (unit * mean.0, unit * mean.1);
    // A row is printed where there were waits.
    let least = (mean.0 - mean.1).max(0.0) * waits.0 - time.1;
    let most = (mean.0 + mean.1) * waits.0 + time.1;
    waits.0 > 0.0 && time.0 >= 0.99 * least && time.0 <= 1.01 * most
}

/// A number, in seconds where it has a unit of time, and half of its last digit.
fn plain(cell: &str) -> Option<(f64, f64)> {
    const UNITS: [(&str, f64); 4] = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let found = UNITS.iter().find_map(|(unit, seconds)| Some((cell.strip_suffix(unit)?, *seconds)));
    let (digits, unit) = found.unwrap_or((cell, 1.0));
    let digits = digits.replace(',', "");
    let value: f64 = digits.parse().ok()?;
    let decimals = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let half = 0.5 / 10_f64.powi(i32::try_from(decimals).ok()?);
    Some((value * unit, half * unit))
}

/// The cells of one way of putting words into columns.
fn cells_of<'a>(words: &[&'a str], spans: &[(usize, usize)]) -> Cells<'a> {
    let cell = |(from, to): &(usize, usize)| match words.get(*from..*to) {
        None | Some([]) => Cow::Borrowed(""),
        Some([one]) => Cow::Borrowed(*one),
        Some(several) => Cow::Owned(several.join(" ")),
    };
    spans.iter().map(cell).collect()
}

/// Per second, per transaction, and for times per execution and per call: a label with one number
/// has none per transaction.
fn profile_row<'a>(words: &[&'a str], label: usize, columns: &[KnownColumn]) -> Option<Cells<'a>> {
    let values = &words[label + 1..];
    let name = words[..=label].join(" ");
    let fits = values.len() + 1 == columns.len()
        || values.len() == 2
        || values.len() == 1 && fold(&name) == "transactions";
    if !fits || values.len() >= columns.len() || !values.iter().all(|w| is_number(w)) {
        return None;
    }
    let mut cells = vec![Cow::Owned(name)];
    cells.extend(values.iter().map(|v| Cow::Borrowed(*v)));
    cells.resize(columns.len(), Cow::Borrowed(""));
    Some(cells)
}

fn is_known(name: &str) -> bool {
    names::wait_class(name).is_some()
        || names::complete_event(name).is_some()
        || names::is_statistic(name)
        || names::is_class(name)
}

/// Looks for every way to put words into columns; stops at one more than are wanted at most.
struct Search<'w, 'a> {
    words: &'w [&'a str],
    columns: &'w [KnownColumn],
    way: Vec<(usize, usize)>,
    found: Vec<Vec<(usize, usize)>>,
    most: usize,
    steps: u32,
}

impl Search<'_, '_> {
    fn go(&mut self, word: usize, column: usize) {
        self.steps += 1;
        if self.found.len() > self.most || self.steps > MOST_STEPS {
            return;
        }
        let Some(next) = self.columns.get(column) else {
            if word == self.words.len() {
                self.found.push(self.way.clone());
            }
            return;
        };
        let rest = &self.words[word..];
        if rest.len() + self.columns[column..].iter().filter(|c| c.blank).count()
            < self.columns.len() - column
        {
            return;
        }
        if next.blank {
            self.take(word, 0, column);
        }
        let Some(first) = rest.first() else {
            return;
        };
        match next.holds {
            Holds::Number => {
                if is_number(first) || *first == "N/A" {
                    self.take(word, 1, column);
                }
            }
            Holds::Word => self.take(word, 1, column),
            Holds::DayAndTime => {
                let day = first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('-');
                if day && rest.get(1).is_some_and(|t| t.contains(':')) {
                    self.take(word, 2, column);
                }
            }
            Holds::WaitClass => {
                for length in 1..=rest.len().min(2) {
                    if names::is_class(&rest[..length].join(" ")) {
                        self.take(word, length, column);
                    }
                }
            }
            Holds::Text => {
                let length = rest.iter().take_while(|w| !is_number(w)).count();
                for length in 1..=length {
                    self.take(word, length, column);
                }
            }
        }
    }

    fn take(&mut self, word: usize, length: usize, column: usize) {
        self.way.push((word, word + length));
        self.go(word + length, column + 1);
        self.way.pop();
    }
}

/// A row as it is printed: names to the left of their columns, numbers to the right; `None` where a
/// cell is wider than its column.
fn laid_out(cells: &[Cow<'_, str>], columns: &[KnownColumn]) -> Option<String> {
    let mut line = String::new();
    let mut length = 0;
    for (index, (cell, column)) in cells.iter().zip(columns).enumerate() {
        let width = cell.chars().count();
        if width == 0 {
            continue;
        }
        let room = column.run.1 - column.run.0;
        if width > room && (index + 1 < columns.len() || column.holds == Holds::Number) {
            return None;
        }
        let from = if column.holds == Holds::Number { column.run.1 - width } else { column.run.0 };
        line.extend(std::iter::repeat_n(' ', from.checked_sub(length)?));
        line.push_str(cell);
        length = from + width;
    }
    Some(line)
}
