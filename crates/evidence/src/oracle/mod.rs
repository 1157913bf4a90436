//! Oracle's reports.

pub(crate) mod addm;
mod ash;
mod assemble;
mod compare;
mod context;
mod copies;
mod decimal_marks;
mod exadata;
mod finish;
mod header;
mod history;
mod miner;
mod printed;
mod rac;
pub(crate) mod ratios;
mod sections;
mod sheet;
mod shifted;
mod sql_report;
mod sums;
mod time;

use crate::cell::looks_numeric;
use crate::grid::Grid;
use crate::layout::marks::{Marks, Seen, mark_low_ends};
use crate::layout::{
    aligned_text, blank_groups, broken_rows, flat_text, html_table, markdown_tables, mend, page_width,
    shown_tabs, statement_text, text_ruler, text_sections, tidy, typed, underlined,
};
use crate::{Kept, Reading, plans, prefixed, recognise};
use assemble::{Assembly, Care};
pub(crate) use context::snake_case;
pub(crate) use sections::{is_any_title, is_title};
use spindle_facts::{HEADER, Identity, Kind, Layout, Note, Report, Scope, Section, SectionStatus};
use std::borrow::Cow;
use std::ops::Range;

const NOTHING: &str =
    "no part of it looks like an Oracle performance report (AWR, Statspack, ASH, ADDM, AWR-miner)";

/// Reads every report in a text.
pub(crate) fn read(
    source: &str,
    text: &str,
    kept: Kept,
    emit: &mut dyn FnMut(Report) -> bool,
) -> Option<String> {
    if let Some(spool) = crate::collected::spool_text(text) {
        return spooled(source, &spool, emit);
    }
    let Reading { reports, refused } = printed(source, text, kept);
    // As long as they are wanted.
    let _wanted = reports.into_iter().all(emit);
    refused
}

/// Reports as a database prints them.
pub(crate) fn printed(source: &str, text: &str, kept: Kept) -> Reading {
    let Some(shared) = prefixed::Shared::of(text) else { return told(bare(source, text, kept)) };
    let (why, shared_is_certain) = (shared.refusal(), shared.is_certain());
    let found = if shared_is_certain {
        bare(source, &shared.taken_off(text), kept)
    } else {
        bare(source, text, kept)
    };
    // What is no report may share anything.
    let is_report = shared_is_certain || recognise::has_head(text);
    if is_report && found.reports.iter().all(says_nothing) {
        // Words of another database's report, or of a table, say more.
        let refused = found.refused.filter(|refused| refused != NOTHING).unwrap_or(why);
        return Reading { reports: Vec::new(), refused: Some(refused) };
    }
    told(found)
}

/// The same without heads that stand again above the report they are of, and where a head alone is no report.
fn told(mut found: Reading) -> Reading {
    drop_heads(&mut found.reports);
    let [report] = found.reports.as_slice() else { return found };
    let [head] = report.sections.as_slice() else { return found };
    if head.status != SectionStatus::Unknown || recognise::kind_of_head(&head.title).is_none() {
        return found;
    }
    let refused = format!(
        "line {}: the head of a report stands there, but none of its sections: the lines below are not as any \
         release prints them",
        head.line
    );
    Reading { reports: Vec::new(), refused: Some(refused) }
}

/// Leaves out the begin of a report where the whole one stands in the same text, too: it says nothing that that does not.
fn drop_heads(reports: &mut Vec<Report>) {
    /// Each is held against each of the others: nobody pastes more.
    const MOST: usize = 100;
    if !(2..=MOST).contains(&reports.len()) {
        return;
    }
    let rows = |report: &Report| report.sections.iter().map(|s| u64::from(s.rows)).sum::<u64>();
    // Cut off above its snapshots, it names the database alone.
    let is_known = |own: &Identity| own.begin_snap.is_some() || own.db_id.is_some();
    let is_piece_of = |head: &Report, whole: &Report| {
        let (a, b) = (&head.identity, &whole.identity);
        let titled =
            |own: &Section| whole.sections.iter().any(|s| s.title == own.title && s.rows >= own.rows);
        (a.kind, a.scope, a.period) == (b.kind, b.scope, b.period)
            && is_known(a)
            && may_be_same(a.begin_snap.as_ref(), b.begin_snap.as_ref())
            && may_be_same(a.end_snap.as_ref(), b.end_snap.as_ref())
            && may_be_same(a.begin_time.as_ref(), b.begin_time.as_ref())
            && may_be_same(a.end_time.as_ref(), b.end_time.as_ref())
            && may_be_same(a.db_id.as_ref(), b.db_id.as_ref())
            && may_be_same(a.db_name.as_ref(), b.db_name.as_ref())
            && a.container == b.container
            && may_be_same(a.instance.as_ref(), b.instance.as_ref())
            && may_be_same(a.instance_number.as_ref(), b.instance_number.as_ref())
            && rows(head) < rows(whole)
            && head.sections.iter().filter(|s| s.rows > 0).all(titled)
    };
    let pieces: Vec<bool> =
        reports.iter().map(|head| reports.iter().any(|whole| is_piece_of(head, whole))).collect();
    let mut is_piece = pieces.into_iter();
    reports.retain(|_| !is_piece.next().unwrap_or(false));
}

/// Do two reports say the same, or one of them nothing?
fn may_be_same<T: PartialEq>(a: Option<&T>, b: Option<&T>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a == b)
}

/// Is nothing of a report read, nor any reason given why it is not?
fn says_nothing(report: &Report) -> bool {
    let told = |status| matches!(status, SectionStatus::Read | SectionStatus::Unreadable);
    !report.sections.iter().any(|section| told(section.status))
}

/// The same of a text before whose lines nothing stands.
fn bare(source: &str, text: &str, kept: Kept) -> Reading {
    if let Some(of) = recognise::of_another_database(text) {
        return Reading {
            reports: Vec::new(),
            refused: Some(format!("it is a report of {of}, not of Oracle")),
        };
    }
    let page = recognise::is_html(text);
    // Browsers save the entity of a blank as the character; nearly all pages are plain ASCII.
    let odd = || memchr::memchr2(0xC2, 0xC3, text.as_bytes()).map(|at| &text.as_bytes()[at..]);
    let odd = if text.is_ascii() { None } else { odd() };
    let once = odd.and_then(|_| tidy::decoded_once(text, page));
    let text = once.as_deref().unwrap_or(text);
    let holds_blanks = page && odd.is_some_and(|odd| memchr::memmem::find(odd, b"\xC2\xA0").is_some());
    let plain = if holds_blanks { tidy::plain_blanks_of_page(text) } else { text.into() };
    let text: &str = &plain;
    let closed = if page { blank_groups::closed_in_page(text) } else { None };
    let text = closed.as_deref().unwrap_or(text);
    let (mut reports, mut why) = if page { (html(source, text, kept), None) } else { ended(source, text) };
    // Tables of the page itself may stand around a text report, or be a piece of one.
    let marked_up = || if page { is_scant(&reports) && has_ruler(text) } else { is_fragment(text, &reports) };
    if reports.is_empty() && text.contains('<') || marked_up() {
        // A text report inside a web page or mail.
        let (inside, numbers) = html_table::numbered_text_of(text);
        let (found, refused) = numbered(source, &inside, &numbers);
        if reports.is_empty() || rows_read(&found) > rows_read(&reports) {
            (reports, why) = (found, refused);
            if page {
                keep_tables(source, text, &mut reports);
            }
        }
    }
    // A note as sites take them, with tables of a page between its lines.
    if page
        && is_scant(&reports)
        && let Some(note) = without_tables(text)
    {
        let (found, refused) = ended(source, &note);
        if rows_read(&found) > rows_read(&reports) {
            (reports, why) = (found, refused);
            keep_tables(source, text, &mut reports);
        }
    }
    // Of a note with tables of several kinds one kind was read.
    if let Some(note) = markdown_tables::ruled(text) {
        let (found, refused) = numbered(source, &note.text, &note.numbers);
        let same = reports.is_empty() || found.len() == reports.len();
        let (rows, before) = (rows_read(&found), rows_read(&reports));
        // Else the tables between tags, whatever they hold, are lines of a section.
        if same && (rows > before || rows == before && note.holds_tags()) {
            (reports, why) = (found, refused);
        }
    }
    let refused = reports.is_empty().then(|| {
        let why = why.or_else(|| only_events(text));
        why.unwrap_or_else(|| NOTHING.to_owned())
    });
    Reading { reports, refused }
}

/// Sections that a page of a report has at least; one with fewer may hold text.
const FEW_SECTIONS: usize = 8;

/// Is it a page of few tables?
fn is_scant(reports: &[spindle_facts::Report]) -> bool {
    reports.iter().map(|r| r.sections.len()).sum::<usize>() <= FEW_SECTIONS
}

/// Is a text that is no page a piece of one: the block in which a site shows code, each line in tags of its own?
/// Reports as printed end at once: they begin with words, and have sections.
fn is_fragment(text: &str, reports: &[spindle_facts::Report]) -> bool {
    const ENDS: [&str; 4] = ["</span>", "</code>", "</pre>", "</textarea>"];
    let begins = matches!(text.trim_ascii_start().as_bytes(), [b'<', b'a'..=b'z' | b'A'..=b'Z', ..]);
    (begins || is_scant(reports))
        && ENDS.iter().any(|tag| memchr::memmem::find(text.as_bytes(), tag.as_bytes()).is_some())
}

/// Does a line of dashes head columns, as in text?
fn has_ruler(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), "--- ---").any(|at| {
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
        let line = line.lines().next().unwrap_or("").trim();
        line.bytes().all(|b| matches!(b, b'-' | b' '))
    })
}

/// A text without the tables of a page that stand in it, its lines in their places; `None` where it is a page.
fn without_tables(text: &str) -> Option<String> {
    const OF_PAGES: [&str; 4] = ["<html", "<HTML", "<body", "<BODY"];
    if OF_PAGES.iter().any(|tag| memchr::memmem::find(text.as_bytes(), tag.as_bytes()).is_some()) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(from) = rest.find("<table") {
        let end = rest[from..].find("</table>").map_or(rest.len(), |end| from + end + "</table>".len());
        out.push_str(&rest[..from]);
        out.extend(rest[from..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    out.push_str(rest);
    (out.len() < text.len()).then_some(out)
}

/// Keeps the tables of a page, of whose text alone something is read, as they stand, if they hold numbers: menus, and
/// tables that a page is laid out with, do not.
fn keep_tables(source: &str, text: &str, reports: &mut [Report]) {
    let Some(report) = reports.first_mut() else { return };
    let mut beside = Assembly::new(source, Kind::Unknown, Layout::Html, "", 1, "");
    html_table::walk(text, |event| {
        if let html_table::Event::Table(grid) = event
            && (0..grid.len()).any(|row| holds_figures(grid.row(row)))
        {
            // The text above a table is no title of it, nor is a title of the page.
            let headings = headings_of(grid);
            grid.line = grid.row_line(0);
            grid.title = if headings.is_empty() { mend::UNTITLED.into() } else { headings.into() };
            beside.unread(grid);
        }
    });
    let beside = beside.finish_any();
    report.sections.extend(beside.sections);
    report.raw_tables.extend(beside.raw_tables);
    report.notes.extend(beside.notes);
}

/// Is it a row of figures: two numbers or more, and no text that is longer than a name?
fn holds_figures(cells: &[Cow<'_, str>]) -> bool {
    const LONGEST: usize = 200;
    let is_number = |cell: &&Cow<'_, str>| !cell.is_empty() && looks_numeric(cell);
    cells.iter().filter(is_number).nth(1).is_some() && cells.iter().all(|cell| cell.len() <= LONGEST)
}

/// Rows read of all sections.
fn rows_read(reports: &[spindle_facts::Report]) -> u64 {
    let read = |s: &&spindle_facts::Section| s.status == SectionStatus::Read;
    let sections = reports.iter().flat_map(|r| r.sections.iter().filter(read));
    sections.map(|s| u64::from(s.rows)).sum()
}

/// A spool file of `spindle collect`: a history, or something else that is no report.
fn spooled(source: &str, text: &str, emit: &mut dyn FnMut(Report) -> bool) -> Option<String> {
    let (reports, broken_off) = history::read(source, text, emit);
    if reports == 0 {
        return Some(
            "a spool file of `spindle collect` without two whole snapshots of one database: no interval to report; \
             lists of segments and plans belong behind `spindle place --segments` and `--plans`"
                .to_owned(),
        );
    }
    broken_off
}

/// A page's report while it is being read: a compare-period report is two.
enum Reader {
    One(Box<Assembly>),
    Pair(Box<compare::Pair>),
}

impl Reader {
    fn new(
        source: &str,
        kind: Kind,
        (head, line, page_title): (&str, u32, &str),
        (care, kept): (Care, Kept),
    ) -> Self {
        if kind == Kind::AwrCompare {
            Self::Pair(Box::new(compare::Pair::new(source, Layout::Html, head, line, page_title)))
        } else {
            let mut assembly = Assembly::new(source, kind, Layout::Html, head, line, page_title);
            assembly.take_care(care);
            assembly.keep(kept);
            Self::One(Box::new(assembly))
        }
    }

    /// The care that it takes to read it.
    fn care(&self) -> Care {
        match self {
            Self::One(assembly) => assembly.care(),
            Self::Pair(_) => Care::FIRST,
        }
    }

    fn table(&mut self, grid: &mut Grid<'_>) {
        match self {
            Self::One(assembly) => assembly.table(grid),
            Self::Pair(pair) => pair.table(grid),
        }
    }

    fn empty(&mut self, title: &str, line: u32, no_data: bool) {
        match self {
            Self::One(assembly) => assembly.empty(title, line, no_data),
            Self::Pair(pair) => pair.empty(title, line, no_data),
        }
    }

    fn finish(self) -> Vec<spindle_facts::Report> {
        match self {
            Self::One(assembly) => assembly.finish().into_iter().collect(),
            Self::Pair(pair) => pair.finish(),
        }
    }
}

/// The reports of a page, and those around and inside it.
fn html(source: &str, text: &str, kept: Kept) -> Vec<spindle_facts::Report> {
    let (mut done, mut loose, care) = tables(source, text, Care::FIRST, kept);
    if care != Care::FIRST {
        (done, loose, _) = tables(source, text, care, kept);
    }
    if done.iter().any(|report| !says_nothing(report)) {
        // Tables of the page itself stand above the first report: sender and subject of a mail, a menu.
        let is_of_page =
            |report: &Report| says_nothing(report) && report.sections.iter().all(|s| s.title == HEADER);
        done.retain(|report| !is_of_page(report));
    }
    if done.iter().any(|report| report.identity.kind == Kind::AwrSql) {
        sql_report::attach(&mut done, plans::html::read(text));
    }
    let (beside, pieces) = beside(source, text, &loose);
    // What was read with a text report is part of that.
    loose.retain(|range| !pieces.iter().any(|piece| piece.contains(&range.start)));
    add(&mut done, preformatted(source, text, &loose));
    if !beside.is_empty() {
        done.extend(beside);
        done.sort_by_key(|report| report.sections.first().map_or(0, |section| section.line));
    }
    done
}

/// The reports in the tables of a page, and where text stands outside of cells; last, the care that it takes to
/// read them.
fn tables(
    source: &str,
    text: &str,
    care: Care,
    kept: Kept,
) -> (Vec<spindle_facts::Report>, Vec<Range<usize>>, Care) {
    let mut done = Vec::new();
    let mut needed = Care::FIRST;
    let mut reader: Option<Reader> = None;
    let mut once = Once::default();
    let mut kind = Kind::Awr;
    let mut page_title = String::new();
    let mut loose = Vec::new();
    html_table::walk(text, |event| match event {
        html_table::Event::Lines { from, to } => {
            if to - from >= SHORTEST_PREFORMATTED {
                loose.push(from..to);
            }
        }
        html_table::Event::PageTitle(title) => {
            title.clone_into(&mut page_title);
            // Another page of a report begins, which may have no other heading than its title.
            if reader.is_some() && recognise::kind_of_head(title).is_some() {
                once = Once::default();
                needed = reader.as_ref().map_or(needed, |reader| needed.and(reader.care()));
                done.extend(reader.take().into_iter().flat_map(Reader::finish));
            }
        }
        html_table::Event::TopHeading { text, line } => {
            if let Some(head) = recognise::kind_of_head(text) {
                kind = head;
                once = Once::default();
                needed = reader.as_ref().map_or(needed, |reader| needed.and(reader.care()));
                done.extend(reader.take().into_iter().flat_map(Reader::finish));
                reader = Some(Reader::new(source, kind, (text, line, &page_title), (care, kept)));
            }
        }
        html_table::Event::Table(grid) if sheet::holds_a_report(grid) => {
            let (text, numbers) = sheet::lines(grid);
            done.extend(numbered(source, &text, &numbers).0);
        }
        html_table::Event::Table(grid) => {
            // A section as text above a table is no title of it.
            if grid.title.contains("~~~") {
                grid.title = headings_of(grid).into();
            }
            if kind != Kind::AwrCompare && once.is_over(grid) {
                // The page says of which report the first one is.
                needed = reader.as_ref().map_or(needed, |reader| needed.and(reader.care()));
                done.extend(reader.take().into_iter().flat_map(Reader::finish));
                reader = Some(Reader::new(source, kind, ("", grid.line, ""), (care, kept)));
            }
            reader
                .get_or_insert_with(|| {
                    kind = recognise::kind_of_head(&page_title).unwrap_or(Kind::Awr);
                    Reader::new(source, kind, ("", 1, &page_title), (care, kept))
                })
                .table(grid);
        }
        html_table::Event::Empty { title, line, no_data } => {
            if let Some(reader) = &mut reader {
                reader.empty(title, line, no_data);
            }
        }
    });
    needed = reader.as_ref().map_or(needed, |reader| needed.and(reader.care()));
    done.extend(reader.into_iter().flat_map(Reader::finish));
    (done, loose, needed)
}

/// The headings of a table, which stand for a title that it does not have.
fn headings_of(grid: &Grid<'_>) -> String {
    const LONGEST: usize = 80;
    let mut out = String::new();
    for column in grid.columns.iter().filter(|column| !column.name.is_empty()) {
        if out.len() + column.name.len() > LONGEST {
            break;
        }
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&column.name);
    }
    out
}

/// Text outside of cells that may hold a report has at least so many bytes.
const SHORTEST_BESIDE: usize = 400;

/// Reports in plain text that stand in one file with a page, before or behind it, or in a tag of it; and where.
fn beside(
    source: &str,
    text: &str,
    loose: &[Range<usize>],
) -> (Vec<spindle_facts::Report>, Vec<Range<usize>>) {
    const PAGE: [&[u8]; 7] = [b"<html", b"<HTML", b"<!DOCTYPE", b"<!doctype", b"<body", b"<table", b"<h1"];
    let (mut found, mut pieces) = (Vec::new(), Vec::new());
    let mut from = 0;
    for range in loose.iter().filter(|range| range.len() >= SHORTEST_BESIDE) {
        if range.start < from || !has_text_report(&text[range.clone()]) {
            continue;
        }
        // Statements may hold what looks like tags: the text goes on to where a page begins.
        let behind = &text.as_bytes()[range.start..];
        let begins_a_page = |at: &usize| !statement_text::holds(text, range.start + at);
        let ends = PAGE
            .iter()
            .filter_map(|tag| memchr::memmem::find_iter(behind, tag).take(10_000).find(begins_a_page));
        from = ends.min().map_or(text.len(), |end| range.start + end);
        let piece = &text[range.start..from];
        let before = memchr::memchr_iter(b'\n', &text.as_bytes()[..range.start]).count();
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let reports = if is_opened(text, range.start) && holds_references(piece) {
            let (plain, mut numbers) = html_table::numbered_text_of(piece);
            numbers.iter_mut().for_each(|number| *number = number.saturating_add(before));
            numbered(source, &plain, &numbers).0
        } else {
            let lines = memchr::memchr_iter(b'\n', piece.as_bytes()).count();
            let lines = u32::try_from(lines).unwrap_or(u32::MAX);
            let numbers: Vec<u32> =
                (0..=lines).map(|line| before.saturating_add(line).saturating_add(1)).collect();
            numbered(source, piece, &numbers).0
        };
        if !reports.is_empty() {
            pieces.push(range.start..from);
        }
        found.extend(reports);
    }
    (found, pieces)
}

/// Does a tag that opens something end right before a place of a page? Then what stands there is written as pages
/// write text.
fn is_opened(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    before.last() == Some(&b'>')
        && memchr::memrchr(b'<', before)
            .is_some_and(|tag| before.get(tag + 1).is_some_and(u8::is_ascii_alphabetic))
}

/// Do references stand in a text in the place of what tags begin and end with?
fn holds_references(text: &str) -> bool {
    ["&lt;", "&gt;", "&amp;", "&quot;", "&#"]
        .iter()
        .any(|reference| memchr::memmem::find(text.as_bytes(), reference.as_bytes()).is_some())
}

/// Does a text outside of a page's cells hold the head of a report, but for ADDM's?
fn has_text_report(text: &str) -> bool {
    let is_head = |line: &str| {
        line.len() <= HEAD_LENGTH
            && recognise::can_begin_head(line.as_bytes().first().copied().unwrap_or(0))
            && recognise::kind_of_head(line).is_some_and(|kind| kind != Kind::Addm)
    };
    recognise::has_head(text) && text.lines().any(is_head)
}

/// Reports in plain text, which may have been cut off inside a number.
fn ended(source: &str, text: &str) -> (Vec<spindle_facts::Report>, Option<String>) {
    // A last line with an end is whole.
    let Some(whole) = tidy::without_cut_number(text) else { return plain(source, text) };
    let (mut reports, refused) = plain(source, &whole);
    if let Some(report) = reports.last_mut() {
        let line = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        report.notes.push(Note {
            line: u32::try_from(line).ok(),
            section: None,
            message: "the text ends in a number, without the end of its line".to_owned(),
            effect: "it may have been cut off there: the number is taken as unknown".to_owned(),
        });
    }
    (reports, refused)
}

/// Reports in plain text; where there are none, what was found and left out.
fn plain(source: &str, text: &str) -> (Vec<spindle_facts::Report>, Option<String>) {
    if tidy::is_sql_comment(text)
        && let Some(inside) = tidy::without_sql_comments(text)
        && let found = numbered(source, &inside, &[])
        && !found.0.is_empty()
    {
        return found;
    }
    let found = numbered(source, text, &[]);
    let found = apart_from_above(source, text, &found.0).map_or(found, |apart| (apart, None));
    // Behind the marks of comments, as in a script of SQL, nothing is found.
    let again = || Some(numbered(source, &tidy::without_sql_comments(text)?, &[]));
    let again = if found.0.is_empty() { again() } else { None };
    again.filter(|(reports, _)| !reports.is_empty()).unwrap_or(found)
}

/// The reports of a text that begins with tables which somebody typed, or copied out of another report, each of the two
/// parts read by itself: what mends the one damages the other. `None` where that reads no more than `found` of both.
fn apart_from_above(source: &str, text: &str, found: &[Report]) -> Option<Vec<Report>> {
    // Nearly all reports begin with their head.
    let begins = recognise::kind_of_head(text.trim_ascii_start().lines().next()?).is_some();
    if begins || !recognise::has_head(text) {
        return None;
    }
    let (mut from, mut kind) = (0, None);
    for line in text.split_inclusive('\n') {
        let can = line.len() <= HEAD_LENGTH
            && recognise::can_begin_head(line.as_bytes().first().copied().unwrap_or(0));
        kind = if can { recognise::kind_of_head(line.trim_end()) } else { None };
        if kind.is_some() {
            break;
        }
        from += line.len();
    }
    let (above, below) = text.split_at_checked(from).filter(|(above, _)| !above.trim_ascii().is_empty())?;
    let marked = ["```", "|", "\t"].iter().any(|mark| above.contains(mark));
    match kind? {
        Kind::Addm | Kind::Ash => {}
        Kind::Awr | Kind::Statspack if marked => {}
        _ => return None,
    }
    let (mut apart, _) = numbered(source, above, &[]);
    apart.retain(|report| !says_nothing(report));
    if rows_read(&apart) == 0 {
        return None;
    }
    let before = u32::try_from(memchr::memchr_iter(b'\n', above.as_bytes()).count()).ok()?;
    let lines = u32::try_from(memchr::memchr_iter(b'\n', below.as_bytes()).count()).ok()?;
    let numbers: Vec<u32> = (before + 1..=before + lines + 1).collect();
    add(&mut apart, numbered(source, below, &numbers).0);
    let (rows, rows_of_both) = (rows_read(&apart), rows_read(found));
    (rows > rows_of_both || rows == rows_of_both && apart.len() < found.len()).then_some(apart)
}

/// The same of lines that have other numbers in their source, unless there are none.
fn numbered(source: &str, text: &str, numbers: &[u32]) -> (Vec<spindle_facts::Report>, Option<String>) {
    let Some(put_back) = shown_tabs::put_back(text) else { return under_rulers(source, text, numbers) };
    let own = renumbered(&put_back.numbers, numbers);
    let (mut reports, refused) = under_rulers(source, &put_back.text, &own);
    let refused = if reports.is_empty() {
        let most = put_back.doubts.iter().rev().max_by_key(|doubt| doubt.rows);
        refused.or_else(|| most.map(refusal))
    } else {
        refused
    };
    if put_back.rows > 0
        && let Some(report) = reports.first_mut()
    {
        report.notes.push(put_back.note(renumbered(&[put_back.line], numbers).first().copied()));
    }
    for doubt in put_back.doubts {
        let line = renumbered(&[doubt.line], numbers).first().copied().unwrap_or(doubt.line);
        note(&mut reports, mend::Doubt { line, ..doubt });
    }
    (reports, refused)
}

/// The same of rows that stand under their rulers, for all that the first of them say.
fn under_rulers(source: &str, text: &str, numbers: &[u32]) -> (Vec<spindle_facts::Report>, Option<String>) {
    let ascii = text.is_ascii();
    let text = if ascii { text.into() } else { tidy::plain_boxes(tidy::plain_blanks(text)) };
    let holds_tabs = memchr::memchr(b'\t', text.as_bytes()).is_some();
    if holds_tabs
        && numbers.is_empty()
        && let Some(whole) = broken_rows::put_together(&text)
    {
        return numbered(source, &whole.text, &renumbered(&whole.numbers, numbers));
    }
    let text = if holds_tabs { tidy::expand_tabs(text) } else { text };
    let holds_bars = memchr::memchr(b'|', text.as_bytes()).is_some();
    let text = if holds_bars { tidy::plain_bars(text) } else { text };
    if let Some(width) = page_width::narrow(&text) {
        if let Some(unfolded) = page_width::unfolded(&text, width) {
            return numbered(source, &unfolded.text, &renumbered(&unfolded.numbers, numbers));
        }
        if let Some((whole, cut)) = page_width::without_cut_ends(&text, width) {
            let (mut reports, refused) = numbered(source, &whole, numbers);
            if let Some(report) = reports.first_mut() {
                report.notes.push(cut_off(width, &cut, numbers));
            }
            return (reports, refused);
        }
    }
    let (mut lines, mut seen) = text_sections::seen_lines(&text, ascii);
    if seen.decimal_comma
        && let Some(closed) = blank_groups::closed(&text)
    {
        return numbered(source, &closed, numbers);
    }
    if let Some(last) = numbers.last() {
        for line in &mut lines {
            let at = usize::try_from(line.number).unwrap_or(usize::MAX).saturating_sub(1);
            line.number = *numbers.get(at).unwrap_or(last);
        }
    }
    let cut_at = lines.last().filter(|_| lines.len() == text_sections::most_lines(&text)).map(|l| l.number);
    // What the lines are tells at once that most texts are as printed.
    let first = seen.marks;
    if (first.holds(Marks::QUOTED) || first.holds(Marks::FENCE)) && tidy::unquote(&mut lines) {
        seen = Seen::of(&lines);
    }
    if first.holds(Marks::BAR) {
        tidy::unbar(&mut lines);
        seen = Seen::of(&lines);
    }
    let can_be_comments = first.holds(Marks::COMMENT) || first.holds(Marks::QUOTED);
    if can_be_comments && seen.marks.holds(Marks::COMMENT) && tidy::uncomment(&mut lines) {
        seen = Seen::of(&lines);
    }
    if seen.marks.holds(Marks::ADDED) && tidy::unprompt(&mut lines) {
        seen = Seen::of(&lines);
    }
    // Errors of the client stand between the lines of the report, in no section of it.
    if seen.marks.holds(Marks::ERROR) {
        lines.retain(|line| !line.marks.holds(Marks::ERROR));
        seen = Seen::of(&lines);
    }
    if seen.marks.holds(Marks::NUMBERED) {
        tidy::drop_numbered_pages(&mut lines);
    }
    // Before what parts rulers from headings is looked for: they do.
    if seen.marks.holds(Marks::PAGE) && tidy::drop_page_headings(&mut lines) {
        seen = Seen::of(&lines);
    }
    if seen.lone_ruler {
        tidy::undouble(&mut lines);
        tidy::single_space(&mut lines);
    }
    if seen.page_number && tidy::can_hold_titled_pages(&text) {
        tidy::drop_titled_pages(&mut lines);
    }
    let changed = tidy::dedent(&mut lines) || seen.marks.holds(Marks::ADDED);
    if changed {
        aligned_text::drop_index(&mut lines);
        tidy::drop_outer_rules(&mut lines);
    }
    tidy::mend_host_heading(&mut lines);
    // Reports as printed end their tables by rules that are set in far.
    if seen.low_end || !seen.marks.holds(Marks::END) {
        mark_low_ends(&mut lines);
    }
    // As they were when it was told what they are.
    let as_seen = !changed && typed::is_printed(&lines);
    let typed = typed::take_out(&mut lines, sections::is_title).unwrap_or_default();
    // The cells of a copied page stand where its layout says: there are no rulers to put them back under.
    let copied = ((!as_seen || seen.marks.holds(Marks::LINK)) && tidy::is_page_copy(&lines)
        || holds_tabs && tidy::is_tabbed(&lines))
        && (flat_text::is_flat(&lines) || aligned_text::is_aligned(&lines));
    let mut mended = if copied { None } else { mend::mend(&lines, &[], sections::is_title) };
    let relined = if as_seen { None } else { addm::relined(&lines) };
    // Hardly any report as printed holds marks that can part cells.
    let parted = || holds_bars || holds_tabs && memchr::memchr(b'\t', text.as_bytes()).is_some();
    let mut done = match &mended {
        None if relined.is_some() => reports_of(source, &mut relined.unwrap_or_default(), parted()),
        None if typed.is_empty() => reports_of(source, &mut lines, parted()),
        None => reports_of(source, &mut typed.merge(&lines), true),
        Some(mended) => reports_of(source, &mut typed.merge(&mended.lines()), true),
    };
    let told = mended.as_ref().map(|mended| sides_told(&done, mended)).unwrap_or_default();
    if !told.is_empty() {
        mended = mend::mend(&lines, &told, sections::is_title);
        if let Some(mended) = &mended {
            done = reports_of(source, &mut typed.merge(&mended.lines()), true);
        }
    }
    let doubts: Vec<_> = typed.doubts.into_iter().chain(mended.into_iter().flat_map(|m| m.doubts)).collect();
    let refused = if done.is_empty() {
        // Of several tables the first of those with the most rows.
        let most = doubts.iter().filter(|d| d.rows > 0).rev().max_by_key(|d| d.rows);
        most.map(refusal).or_else(|| only_a_title(&text))
    } else {
        None
    };
    doubts.into_iter().for_each(|doubt| note(&mut done, doubt));
    if let (Some(cut_at), Some(report)) = (cut_at, done.last_mut()) {
        report.notes.push(Note {
            line: Some(cut_at),
            section: None,
            message: "the text has more and shorter lines than any report".to_owned(),
            effect: "what stands behind this line is left out".to_owned(),
        });
    }
    (done, refused)
}

/// Numbers of lines of a text whose own lines have these numbers in the source; none: as they stand there.
fn renumbered(of_text: &[u32], numbers: &[u32]) -> Vec<u32> {
    let source_line = |number: &u32| usize::try_from(*number).ok().and_then(|n| numbers.get(n - 1));
    of_text.iter().map(|number| *source_line(number).unwrap_or(number)).collect()
}

/// Says that the lines of a text were cut off, from where on.
fn cut_off(width: usize, cut: &page_width::Cut, numbers: &[u32]) -> Note {
    let line = usize::try_from(cut.line).ok().and_then(|line| numbers.get(line - 1)).copied();
    let ends = if cut.ends == 1 { "1 line".to_owned() } else { format!("{} lines", cut.ends) };
    Note {
        line: Some(line.unwrap_or(cut.line)),
        section: None,
        message: format!("the lines are cut off behind character {width}, the rulers of tables with them"),
        effect: format!("what {ends} end in is taken as unknown: the rest of a number may be lost"),
    }
}

/// Why a text gave nothing though a table stands in it.
fn refusal(doubt: &mend::Doubt) -> String {
    let section = doubt.section.as_ref().map_or_else(String::new, |s| format!(" of \"{s}\""));
    let rows = if doubt.rows == 1 { "1 row".to_owned() } else { format!("{} rows", doubt.rows) };
    format!(
        "line {}: {rows}{section} left out: {}, and nothing else in it can be read",
        doubt.line, doubt.why
    )
}

/// So many lines of a text that gave nothing are looked at.
const MOST_LINES: usize = 3_000;

/// Why a text gave nothing though a section's title stands in it.
fn only_a_title(text: &str) -> Option<String> {
    let (line, title) = (1..).zip(text.lines().take(MOST_LINES)).find_map(|(number, line)| {
        let title = typed::bare_title(line);
        (title.len() <= 70 && sections::is_title(&crate::grid::fold(title))).then_some((number, title))
    })?;
    let below = text.lines().skip(line).find(|line| !line.trim_ascii().is_empty()).unwrap_or("");
    let why = match below.split_ascii_whitespace().find(|word| is_glued(word)) {
        Some(word) => format!(
            "its headings stand without anything between them (`{word}`): what parts the cells was lost where it was \
             copied"
        ),
        None => "its headings or columns are those of no known release".to_owned(),
    };
    Some(format!("line {line}: \"{title}\" stands there, but none of its rows could be read: {why}"))
}

/// Are several headings one word: `EventWaitsTotal`?
fn is_glued(word: &str) -> bool {
    let joint = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    word.len() <= 80 && word.as_bytes().windows(2).filter(|pair| joint(pair)).count() >= 2
}

/// Why a text gave nothing though rows of events stand in it.
fn only_events(text: &str) -> Option<String> {
    const LEAST: usize = 3;
    let event = |line: &str| {
        let (name, numbers) = line.trim_ascii().split_once("  ")?;
        let rows = numbers.split_ascii_whitespace().filter(|word| looks_numeric(word)).count();
        crate::names::listed_event(name).filter(|_| rows >= 2)
    };
    let mut found =
        (1..).zip(text.lines().take(MOST_LINES)).filter_map(|(n, line): (u32, _)| Some((n, event(line)?)));
    let (line, name) = found.next()?;
    (found.take(LEAST - 1).count() == LEAST - 1).then(|| {
        format!(
            "line {line}: events of Oracle stand there (`{name}`), but without a title and headings as a release \
             prints them: which of their numbers is what cannot be told"
        )
    })
}

/// Titles of tables of waits that stand without them, by their lines, where the leading events tell whose they are: an
/// event that only sessions wait for has the same figures there.
fn sides_told(reports: &[spindle_facts::Report], mended: &mend::Mended) -> Vec<(u32, &'static str)> {
    /// Nobody pastes more of them.
    const MOST: usize = 20;
    let of_either = mended.doubts.iter().filter(|doubt| doubt.why == mend::OF_EITHER_SIDE).take(MOST);
    let told = of_either.filter_map(|doubt| {
        let is_it = |t: &&spindle_facts::RawTable| t.title == mend::UNTITLED && t.line == doubt.line;
        let (report, table) = reports.iter().find_map(|r| Some((r, r.raw_tables.iter().find(is_it)?)))?;
        let keys: Vec<String> = table.headings.iter().map(|h| crate::grid::fold(h)).collect();
        let column = |names: &[&str]| keys.iter().position(|key| names.contains(&key.as_str()));
        let (event, waits) = (column(&["event"])?, column(&["waits"])?);
        let time = column(&["times", "totalwaittimes", "waittimes"])?;
        let same = |top: &&spindle_facts::TopEvent| {
            // Of sessions alone: background processes neither commit for users nor lock rows.
            let of_sessions = matches!(top.wait_class.as_deref(), Some("Commit" | "Application" | "Network"));
            let figure = |text: &str| {
                let number =
                    crate::cell::read(text, crate::cell::Unit::Count, crate::cell::Habits::default());
                if let crate::cell::Cell::Number(printed) = number { Some(printed.value) } else { None }
            };
            of_sessions
                && table.rows.iter().any(|row| {
                    let row: Vec<Option<&str>> = row.collect();
                    let number = |at: usize| figure(row.get(at).copied().flatten()?);
                    row.get(event).copied().flatten().is_some_and(|name| top.event.starts_with(name))
                        && number(waits).is_some_and(|n| Some(n) == top.waits)
                        && number(time).is_some_and(|n| Some(n) == top.time_s)
                })
        };
        let top = report.tables.top_event.iter().find(same)?;
        let of_db_time = top.share_of == Some(spindle_facts::ShareOf::DbTime);
        Some((doubt.line, if of_db_time { "Foreground Wait Events" } else { "Wait Events" }))
    });
    told.collect()
}

/// Says in the report that a line belongs to what could not be put right there.
fn note(reports: &mut [spindle_facts::Report], mut doubt: mend::Doubt) {
    let begins = |r: &spindle_facts::Report| r.sections.first().is_none_or(|s| s.line <= doubt.line);
    let at = reports.iter().rposition(begins).unwrap_or(0);
    let Some(report) = reports.get_mut(at) else {
        return;
    };
    let above = report.sections.iter_mut().filter(|s| s.line <= doubt.line).max_by_key(|s| s.line);
    // Of code behind that of the section above it is no row.
    let stray = doubt.section.as_deref() == Some(mend::UNTITLED);
    if let Some(section) = above.filter(|_| doubt.rows > 0 && !stray) {
        section.lost = section.lost.saturating_add(doubt.rows);
        let titled = || sections::is_title(&crate::grid::fold(&section.title));
        if section.status == SectionStatus::Absent
            || section.status == SectionStatus::Unknown && section.rows == 0 && titled()
        {
            section.status = SectionStatus::Unreadable;
        }
        doubt.section.get_or_insert_with(|| section.title.clone());
    }
    let (message, effect) = match doubt.rows {
        0 => (doubt.why.to_owned(), "it is left out of every answer".to_owned()),
        rows => {
            let rows = if rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
            let effect = "sums over the rows of this section are too small".to_owned();
            (format!("{rows} left out: {}", doubt.why), effect)
        }
    };
    report.notes.push(spindle_facts::Note {
        line: Some(doubt.line),
        section: doubt.section,
        message,
        effect,
    });
}

/// The reports in the lines of a text; may tabs or bars part cells in it?
fn reports_of(
    source: &str,
    lines: &mut [text_sections::Line<'_>],
    parted: bool,
) -> Vec<spindle_facts::Report> {
    let mut done = Vec::new();
    let mut head: Option<(Kind, &str, u32)> = None;
    let mut start = 0;
    let moved = addm_last(lines, &heads_of(lines));
    let heads = if pieces_last(lines, &moved) { heads_of(lines) } else { moved };
    for (at, kind) in heads {
        let line = lines[at];
        if !statement_text::is_inside(lines, at) {
            // The blocks of an AWR-miner file belong together.
            if kind == Kind::AwrMiner && head.is_some_and(|h| h.0 == kind) {
                continue;
            }
            if head.is_some() || kind == Kind::Addm && (0..at).any(|at| is_section_title(lines, at)) {
                add(&mut done, block(source, head, &mut lines[start..at], parted));
                start = at;
            } else if matches!(kind, Kind::Addm | Kind::Ash) {
                // What is read above is of a report whose own head is lost: ADDM's findings stand behind it, and what
                // was sampled has no such tables.
                let above = block(source, None, &mut lines[start..at], parted);
                if !above.iter().all(says_nothing) {
                    add(&mut done, above);
                    start = at;
                }
            }
            let words = line.text.trim_matches(['#', '*', '>', '|', ' ']);
            head = Some((kind, words, line.number));
        }
    }
    add(&mut done, block(source, head, &mut lines[start..], parted));
    done
}

/// The kind of report whose head a line is.
fn kind_of_line(line: &text_sections::Line<'_>) -> Option<Kind> {
    // Heads stand alone on their line, however wide the page in whose middle they are put.
    if !line.marks.holds(Marks::HEAD) || line.text.trim_ascii().len() >= HEAD_LENGTH {
        return None;
    }
    recognise::kind_of_head(line.text)
}

/// Is a line the title of a section, with the database that it is of or above tildes?
fn is_section_title(lines: &[text_sections::Line<'_>], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    if !line.first.is_ascii_uppercase() && line.first != b'i' {
        return false;
    }
    let named = |label: Option<usize>| label.is_some_and(|at| at > 0 && at < HEAD_LENGTH);
    // Nearly no line holds a colon.
    if memchr::memchr(b':', line.text.as_bytes()).is_some()
        && (named(text_sections::instance_label(line.text)) || named(text_sections::old_label(line.text)))
    {
        return true;
    }
    let tildes = lines.get(at + 1).is_some_and(|below| below.first == b'~' && below.text.contains("~~~"));
    tildes && {
        let words = line.text.trim_ascii();
        let title = words.split_once("  ").map_or(words, |(title, _)| title);
        sections::is_title(&crate::grid::fold(title))
    }
}

/// The lines that are heads of reports, and of which kinds.
fn heads_of(lines: &[text_sections::Line<'_>]) -> Vec<(usize, Kind)> {
    let mut heads = Vec::new();
    let mut from = 0;
    while let Some(next) = lines[from..].iter().position(|line| line.marks.holds(Marks::HEAD)) {
        let at = from + next;
        heads.extend(kind_of_line(&lines[at]).map(|kind| (at, kind)));
        from = at + 1;
    }
    heads
}

/// An ADDM part ends where a section of the report begins in which it stands: it goes behind the sections that
/// follow it, up to the next head. Returns where the heads stand then.
fn addm_last(lines: &mut [text_sections::Line<'_>], heads: &[(usize, Kind)]) -> Vec<(usize, Kind)> {
    let mut moved = false;
    // From the last one on: what moves behind it holds no head but ADDM's own.
    let mut end = lines.len();
    for (nth, (at, kind)) in heads.iter().enumerate().rev() {
        if *kind != Kind::Addm {
            end = *at;
            continue;
        }
        let inside = nth > 0 || (0..*at).any(|at| is_section_title(lines, at));
        let next = heads.get(nth + 1).map_or(lines.len(), |(next, _)| *next);
        let title = (*at..next.min(end)).find(|at| is_section_title(lines, *at));
        if let Some(length) = title.filter(|_| inside).map(|title| title - at) {
            lines[*at..end].rotate_left(length);
            end -= length;
            moved = true;
        }
    }
    if moved { heads_of(lines) } else { heads.to_vec() }
}

/// Sections above the head of the first report, which somebody set there to compare or to point at, go behind it:
/// what they say of the same things is of another report, or stands twice. Were there any?
fn pieces_last(lines: &mut [text_sections::Line<'_>], heads: &[(usize, Kind)]) -> bool {
    let is_of_report = |(_, kind): &(usize, Kind)| !matches!(kind, Kind::Addm | Kind::Ash);
    let Some(nth) = heads.iter().position(is_of_report) else { return false };
    let head = heads[nth].0;
    let titled = |at: usize| {
        is_section_title(lines, at)
            || lines.get(at).is_some_and(|line| {
                line.first.is_ascii_uppercase()
                    && line.text.len() < HEAD_LENGTH
                    && sections::is_title(&crate::grid::fold(line.text))
            })
    };
    let Some(title) = (0..head).find(|at| titled(*at)) else { return false };
    let is_other_head = |(at, _): &(usize, Kind)| *at >= title;
    if !lines[title..head].iter().any(|line| line.marks.is_ruler()) || heads[..nth].iter().any(is_other_head)
    {
        return false;
    }
    let next = heads.get(nth + 1).map_or(lines.len(), |(next, _)| *next);
    lines[title..next].rotate_left(head - title);
    true
}

/// An ADDM report behind an AWR report is part of it.
fn add(done: &mut Vec<spindle_facts::Report>, found: Vec<spindle_facts::Report>) {
    for report in found {
        match done.last_mut() {
            Some(awr)
                if report.identity.kind == Kind::Addm
                    && matches!(awr.identity.kind, Kind::Awr | Kind::Unknown) =>
            {
                addm::attach(awr, report);
            }
            _ => done.push(report),
        }
    }
}

/// The longest line, in bytes, that can be the head of a report inside a page.
const HEAD_LENGTH: usize = 160;

/// No ADDM report is as short, in bytes.
const SHORTEST_PREFORMATTED: usize = 20;

/// ADDM reports inside a page stand in preformatted text, outside of the cells of its tables.
fn preformatted(source: &str, text: &str, loose: &[Range<usize>]) -> Vec<spindle_facts::Report> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    // Line ends are counted once, up to the head at hand, whatever number of heads there is.
    let (mut counted, mut before) = (0, 0_u32);
    let head = memchr::memmem::Finder::new("ADDM R");
    let words =
        loose.iter().flat_map(|range| head.find_iter(&bytes[range.clone()]).map(|at| range.start + at));
    for word in words {
        // A head is short: nothing further away is looked at, so that one endless line costs no more.
        let near = word.saturating_sub(HEAD_LENGTH);
        let at = match memchr::memrchr2(b'\n', b'>', &bytes[near..word]) {
            Some(end) => near + end + 1,
            None if near == 0 => 0,
            None => continue,
        };
        let ahead = &bytes[at..bytes.len().min(at + HEAD_LENGTH + 1)];
        let length = memchr::memchr(b'\n', ahead).unwrap_or(ahead.len());
        if at < from
            || length > HEAD_LENGTH
            || recognise::kind_of_head(&text[at..at + length]) != Some(Kind::Addm)
        {
            continue;
        }
        let end = memchr::memmem::find(&bytes[at..], b"</").map_or(text.len(), |e| at + e);
        from = end;
        let more = memchr::memchr_iter(b'\n', &bytes[counted..at]).count();
        before = before.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        counted = at;
        let plain = html_table::unescape(&text[at..end]);
        let mut lines = text_sections::lines(&plain);
        lines.iter_mut().for_each(|l| l.number = l.number.saturating_add(before));
        found.extend(addm::read(source, Layout::Html, &lines));
    }
    found
}

/// Is it the table of snapshots of another interval than what is known so far?
fn names_other_snapshots(grid: &Grid<'_>, known: &Identity) -> bool {
    let Some(known) = known.begin_snap else { return false };
    (0..grid.len().min(4)).any(|row| {
        let cells = grid.row(row);
        let begins = cells.first().is_some_and(|first| first.trim().trim_end_matches(':') == "Begin Snap");
        let number = || cells.get(1)?.trim().replace(',', "").parse::<u64>().ok();
        begins && number().is_some_and(|number| number != known)
    })
}

/// Sections that a report prints once: one that comes again belongs to another report, as where
/// somebody pasted two of them below each other.
const PRINTED_ONCE: &[&str] = &[
    "loadprofile",
    "top5timedevents",
    "top5timedforegroundevents",
    "top10foregroundeventsbytotalwaittime",
    "top5waitevents",
    "toptimedevents",
    "timemodelstatistics",
    "timemodelsystemstats",
    "foregroundwaitevents",
    "iostatbyfunctionsummary",
];

/// What a report prints once under this title or another one: releases call the leading events differently, and none
/// prints two lists of them.
fn once_for_all(title: &str) -> &str {
    if title.starts_with("top") { LEADING_EVENTS } else { title }
}

const LEADING_EVENTS: &str = "leading events";

/// Does a title begin as one of these does? Most do not.
fn can_be_printed_once(title: &str) -> bool {
    let first = title.bytes().find(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase());
    let begins = |once: &&str| first.is_some() && once.bytes().next() == first;
    !title.is_ascii() || PRINTED_ONCE.iter().any(begins)
}

/// The sections of a report that it prints once, met as tables of a page or of a copy.
#[derive(Default)]
struct Once {
    met: Vec<Met>,
    /// Title of the table before.
    before: String,
}

/// Such a section: its title, folded, its line, its headings, and what stands below them.
struct Met {
    title: String,
    line: u32,
    headings: u64,
    /// A hash of each row.
    rows: Vec<u64>,
}

impl Met {
    /// Is it a piece of another table, or that one of it? Two reports have hardly one row in common.
    fn is_piece_of(&self, other: &Self) -> bool {
        let (few, many) = if self.rows.len() < other.rows.len() { (self, other) } else { (other, self) };
        !few.rows.is_empty() && few.rows.iter().all(|row| many.rows.contains(row))
    }
}

impl Once {
    /// Is the report over, since a table is of a section that stood in it with other figures?
    fn is_over(&mut self, grid: &Grid<'_>) -> bool {
        let goes_on = self.before == grid.title && !grid.title.starts_with("Top ");
        if !goes_on {
            grid.title.as_ref().clone_into(&mut self.before);
        }
        if goes_on || grid.is_empty() || grid.columns.is_empty() || !can_be_printed_once(&grid.title) {
            return false;
        }
        let title = crate::grid::fold(&grid.title);
        if !PRINTED_ONCE.contains(&title.as_str()) {
            return false;
        }
        let mut headings = rustc_hash::FxHasher::default();
        grid.columns.iter().for_each(|c| std::hash::Hash::hash(c.key(), &mut headings));
        let rows = (0..grid.len()).map(|row| {
            let mut hasher = rustc_hash::FxHasher::default();
            std::hash::Hash::hash(grid.row(row), &mut hasher);
            std::hash::Hasher::finish(&hasher)
        });
        let met = Met {
            title,
            line: grid.line,
            headings: std::hash::Hasher::finish(&headings),
            rows: rows.collect(),
        };
        let same = |m: &&Met| m.title == met.title && m.headings == met.headings;
        let before = self.met.iter().rfind(same);
        // One title may stand over several tables.
        let over = before.is_some_and(|before| before.line != met.line && !before.is_piece_of(&met));
        if over {
            self.met.clear();
        }
        self.met.push(met);
        over
    }
}

/// The lines from one report's head to the next; several excerpts may stand in them.
fn block(
    source: &str,
    head: Option<(Kind, &str, u32)>,
    lines: &mut [text_sections::Line<'_>],
    parted: bool,
) -> Vec<spindle_facts::Report> {
    let (kind, words, line) = head.unwrap_or_else(|| (recognise::kind_of_pieces(lines), "", 1));
    if kind == Kind::Addm {
        // A report whose head is lost may follow: its sections are none of ADDM's.
        let end = (1..lines.len()).find(|at| is_section_title(lines, *at)).unwrap_or(lines.len());
        let mut found = match lines.get_mut(end..) {
            Some(below @ [_, ..]) => block(source, None, below, parted),
            _ => Vec::new(),
        };
        found.retain(|report| !says_nothing(report));
        let findings = if found.is_empty() { lines } else { &mut lines[..end] };
        add(&mut found, addm::read(source, Layout::Text, findings).into_iter().collect());
        return found;
    }
    if kind == Kind::AwrMiner {
        return miner::read(source, lines);
    }
    if kind == Kind::AwrCompare {
        return compare::text(source, words, line, lines, parted && flat_text::is_flat(lines));
    }
    let of_all_instances =
        head.is_none() && kind != Kind::Statspack && recognise::are_of_all_instances(lines);
    let kind = if of_all_instances { Kind::Awr } else { kind };
    let assembly = || {
        let mut assembly = Assembly::new(source, kind, Layout::Text, words, line, "");
        if of_all_instances {
            let identity = assembly.identity();
            (identity.scope, identity.rac) = (Scope::Database, Some(true));
        }
        assembly
    };
    let (flat, aligned) = (parted && flat_text::is_flat(lines), aligned_text::is_aligned(lines));
    if parted
        && head.is_none()
        && let Some((mut printed, parted)) = flat_text::beside_printed(lines)
    {
        let done = as_printed(source, kind, &assembly, (&mut printed, &parted));
        if !done.iter().all(says_nothing) {
            return done;
        }
    }
    if flat || aligned {
        let mut assembly = assembly();
        assembly.was_a_page();
        if flat && kind == Kind::Unknown {
            // A browser shows pages, and of the two only AWR writes them.
            assembly.identity().kind = Kind::Awr;
        }
        let kind = assembly.identity().kind;
        let assembly = std::cell::RefCell::new(assembly);
        let (mut once, mut done) = (Once::default(), Vec::new());
        let loose = |line: &text_sections::Line<'_>| assembly.borrow_mut().loose_line(line);
        // The title of the leading events above.
        let mut led: Option<String> = None;
        let table = |grid: &mut Grid<'_>| {
            let title = crate::grid::fold(&grid.title);
            let leads =
                !grid.is_empty() && PRINTED_ONCE.contains(&title.as_str()) && title.starts_with("top");
            let before = if leads && head.is_none() { led.replace(title.clone()) } else { None };
            let other = names_other_snapshots(grid, assembly.borrow_mut().identity())
                || before.is_some_and(|before| before != title);
            if other {
                once = Once::default();
            }
            if once.is_over(grid) || other {
                let mut next = Assembly::new(source, kind, Layout::Text, "", grid.line, "");
                next.was_a_page();
                done.extend(assembly.replace(next).finish());
            }
            assembly.borrow_mut().table(grid);
        };
        if flat {
            flat_text::tables(lines, loose, table);
        } else {
            aligned_text::tables(lines, loose, table);
        }
        done.extend(assembly.into_inner().finish());
        if flat && let Some(first) = underlined::first(lines) {
            done.iter_mut().for_each(|report| report.notes.push(blanks_are_underlined(first)));
        }
        if flat && kind == Kind::AwrSql {
            sql_report::attach(&mut done, plans::copied::read(lines.iter().map(|l| (l.number, l.text))));
        }
        // One ruled table beside words that are headings elsewhere looks like a copy without rulers.
        if flat || !done.iter().all(says_nothing) {
            return done;
        }
    }
    let mut done = as_printed(source, kind, &assembly, (lines, &[]));
    if head.is_none() {
        match done.last_mut() {
            Some(last) => addm::mention(last, lines),
            None => done.extend(addm::alone(source, lines)),
        }
    }
    if kind == Kind::AwrSql {
        sql_report::attach(&mut done, plans::text::read(lines.iter().map(|l| (l.number, l.text))));
    }
    done
}

/// The reports of sections as they are printed, and of tables beside them whose cells bars or tabs part.
fn as_printed(
    source: &str,
    kind: Kind,
    assembly: &impl Fn() -> Assembly,
    (lines, parted): (&mut [text_sections::Line<'_>], &[text_sections::Line<'_>]),
) -> Vec<spindle_facts::Report> {
    let mut store = text_ruler::Store::for_lines(lines.len());
    let labels = lines.iter().map(|line| usize::from(line.marks.holds(Marks::SNAPSHOT))).sum();
    let sections = text_sections::split(lines, sections::is_title);
    let heads_next = heads_of_next(&sections);
    let mut read = |care| {
        let mut parts = Parts::new(source, kind, assembly(), (care, labels));
        for (at, section) in sections.iter().enumerate() {
            parts.read(section, heads_next.contains(&at), &mut store);
        }
        if !parted.is_empty() {
            flat_text::tables(parted, |_| (), |grid| parts.read_parted(grid));
        }
        parts
    };
    let mut parts = read(Care::FIRST);
    let care = parts.care();
    if care != Care::FIRST {
        parts = read(care);
    }
    parts.finish()
}

/// The sections whose last lines hold the head of the report that comes next: what follows it is printed once, and
/// stands above it already.
fn heads_of_next(sections: &[text_sections::TextSection<'_, '_>]) -> Vec<usize> {
    let once = |section: &text_sections::TextSection<'_, '_>| {
        let folded = crate::grid::fold(if can_be_printed_once(&section.title) { &section.title } else { "" });
        let known = PRINTED_ONCE.iter().find(|title| **title == folded)?;
        Some(once_for_all(known))
    };
    let is_head = |section: &text_sections::TextSection<'_, '_>| {
        let begins = |line: &text_sections::Line<'_>| {
            line.marks.holds(Marks::SNAPSHOT) && header::begin_snapshot(line.text).is_some()
        };
        section.lines.iter().any(begins)
    };
    let mut found = Vec::new();
    // Heads of reports as printed stand above all that.
    let Some(first) = sections.iter().position(|section| once(section).is_some()) else { return found };
    let mut met = Vec::new();
    for (at, section) in sections.iter().enumerate().skip(first) {
        met.extend(once(section));
        if is_head(section) {
            if sections[at + 1..].iter().find_map(once).is_some_and(|next| met.contains(&next)) {
                found.push(at);
            }
            met.clear();
        }
    }
    found
}

/// Says that the text was written by a converter which underlines its rows.
fn blanks_are_underlined(line: u32) -> Note {
    Note {
        line: Some(line),
        section: None,
        message: "underscores stand for blanks in the tables of this text".to_owned(),
        effect: "in statements and in names of objects, parameters and modules, which of the two stood there cannot \
                 be told: they are kept as printed"
            .to_owned(),
    }
}

/// Lines of a section that go on without its title.
fn untitled<'s, 'a>(section: text_sections::TextSection<'s, 'a>) -> text_sections::TextSection<'s, 'a> {
    let line = section.lines.first().map_or(section.line, |l| l.number);
    text_sections::TextSection { title: "".into(), trailer: "", line, ..section }
}

/// Where the table of snapshots begins whose first row follows these lines.
fn header_start(above: &[text_sections::Line<'_>]) -> usize {
    let head = above.iter().rev().take_while(|l| !l.is_blank()).count();
    above.len() - head
}

/// The reports whose pieces stand in one text: sections name the database and the snapshots that they
/// are of, and some of them a report prints once.
struct Parts<'n, 't> {
    source: &'n str,
    kind: Kind,
    all: Vec<Part>,
    /// The one at hand.
    at: usize,
    care: Care,
    folded: String,
    /// What stood behind the last title, and what it says: most titles have the same behind them.
    trailer: (&'t str, Option<header::Printed<'t>>),
    /// Lines with the label of a snapshot, or of the time between two, that are still to come, at most: nearly all
    /// stand in the first sections.
    labels: usize,
}

struct Part {
    assembly: Assembly,
    /// Sections that a report prints once, and what stands in them.
    once: Vec<(String, u64)>,
    /// Minutes between its snapshots as its head printed them, and half a unit of their last digit.
    elapsed: Option<(f64, f64)>,
    /// The same of its DB time, which stands below.
    db_time: Option<(f64, f64)>,
}

impl Part {
    fn of(assembly: Assembly) -> Self {
        Self { assembly, once: Vec::new(), elapsed: None, db_time: None }
    }
}

impl<'n, 't> Parts<'n, 't> {
    fn new(source: &'n str, kind: Kind, mut first: Assembly, (care, labels): (Care, usize)) -> Self {
        first.take_care(care);
        let all = vec![Part::of(first)];
        Self { source, kind, all, at: 0, care, folded: String::new(), trailer: ("", None), labels }
    }

    /// Reads a section into the report that it is of; does the head in it begin the next one?
    fn read(
        &mut self,
        section: &text_sections::TextSection<'_, 't>,
        mut heads_next: bool,
        store: &mut text_ruler::Store<'t>,
    ) {
        self.follow(section.trailer, section.line);
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        if can_be_printed_once(&section.title) {
            crate::grid::fold_into(&section.title, &mut folded);
        }
        let stands_before =
            PRINTED_ONCE.contains(&folded.as_str()) && !self.meet(once_for_all(&folded), section);
        self.folded = folded;
        if stands_before {
            return;
        }
        // The header of another report may stand below the last section of the one before.
        let mut from = 0;
        // A title names the snapshots before its section is read.
        let titled = self.trailer.1.and_then(|printed| printed.begin());
        let identity = self.assembly().identity();
        let (mut known, elapsed_s) = (identity.begin_snap.or(titled), identity.elapsed_s);
        // Where something else than a head's line told the time, it told seconds, or minutes in hundredths.
        let told = || elapsed_s.map(|s| (s / 60.0, 0.005));
        let mut known_minutes = self.all[self.at].elapsed.or_else(told);
        let mut known_db_time = self.all[self.at].db_time;
        for (at, line) in section.lines.iter().enumerate() {
            if self.labels == 0 {
                break;
            }
            if !line.marks.holds(Marks::SNAPSHOT) {
                continue;
            }
            self.labels -= 1;
            if statement_text::is_inside(section.lines, at) {
                continue;
            }
            let is_other = if let Some(begin) = header::begin_snapshot(line.text) {
                // The time stands below it.
                let other = known.replace(begin).is_some_and(|known| known != begin)
                    || std::mem::take(&mut heads_next);
                if other {
                    (known_minutes, known_db_time) = (None, None);
                }
                other
            } else if let Some(minutes) = header::elapsed_minutes(line.text) {
                // As printed, with fewer decimals or more, it may be the same time: of one interval, unless sessions
                // of another instance spent another one in calls.
                let below = section.lines[at + 1..].iter().find(|line| !line.is_blank());
                let db_time = below.and_then(|line| header::db_minutes(line.text));
                let apart = |(known, other): ((f64, f64), (f64, f64))| are_apart(known, other);
                let other = known_minutes.is_some_and(|known| are_apart(known, minutes))
                    || known_db_time.zip(db_time).is_some_and(apart);
                known_db_time = db_time.or(known_db_time.filter(|_| !other));
                if other {
                    (known, known_minutes) = (None, None);
                }
                if known_minutes.is_none_or(|known| minutes.1 < known.1) {
                    known_minutes = Some(minutes);
                }
                other
            } else {
                false
            };
            if is_other {
                let start = header_start(&section.lines[from..at]) + from;
                let before =
                    text_sections::TextSection { lines: &section.lines[from..start], ..section.clone() };
                let before = if from == 0 { before } else { untitled(before) };
                self.assembly().text_section(&before, store);
                self.begin(section.lines[start].number);
                from = start;
            }
            let part = &mut self.all[self.at];
            (part.elapsed, part.db_time) = (known_minutes, known_db_time);
        }
        if from == 0 && says_left_out(section.trailer) {
            // The table that comes next is of another section, whose title was left out, too.
            let title = text_sections::TextSection { lines: &[], ..section.clone() };
            self.assembly().text_section(&title, store);
            let next =
                text_sections::TextSection { title: mend::UNTITLED.into(), ..untitled(section.clone()) };
            self.assembly().text_section(&next, store);
        } else if from == 0 {
            self.assembly().text_section(section, store);
        } else {
            let rest = text_sections::TextSection { lines: &section.lines[from..], ..section.clone() };
            self.assembly().text_section(&untitled(rest), store);
        }
    }

    /// Reads a table that stands beside the sections, into the report of what stands above it unless its section stood
    /// there.
    fn read_parted(&mut self, grid: &mut Grid<'_>) {
        let title = crate::grid::fold(&grid.title);
        // Of those of which nothing stands above it, the first.
        let above = |part: &Part| part.assembly.last_above(grid.line);
        self.at = (0..self.all.len()).rev().max_by_key(|at| above(&self.all[*at])).unwrap_or(0);
        let is_it = |own: &str| PRINTED_ONCE.contains(&own) && once_for_all(own) == once_for_all(&title);
        if !grid.is_empty() && PRINTED_ONCE.contains(&title.as_str()) && self.assembly().has_read(is_it) {
            self.begin(grid.line);
        }
        if title.is_empty() && !grid.columns.is_empty() {
            // It is none of the section above it.
            grid.title = headings_of(grid).into();
        }
        self.assembly().table(grid);
    }

    /// The care that it takes to read them.
    fn care(&self) -> Care {
        self.all.iter().fold(Care::FIRST, |care, part| care.and(part.assembly.care()))
    }

    fn assembly(&mut self) -> &mut Assembly {
        &mut self.all[self.at].assembly
    }

    /// Another report begins.
    fn begin(&mut self, line: u32) {
        let mut assembly = Assembly::new(self.source, self.kind, Layout::Text, "", line, "");
        assembly.take_care(self.care);
        self.all.push(Part::of(assembly));
        self.at = self.all.len() - 1;
    }

    /// Goes to the report that the database and snapshots behind a title are of.
    fn follow(&mut self, trailer: &'t str, line: u32) {
        if trailer != self.trailer.0 {
            self.trailer = (trailer, header::Printed::of(trailer));
        }
        let Some(printed) = self.trailer.1 else { return };
        if !printed.contradicts(self.assembly().identity()) {
            return;
        }
        let own = |part: &mut Part| {
            let identity = part.assembly.identity();
            // Heads alone name snapshots only.
            let is_named = identity.db_name.is_some() || identity.begin_snap.is_some();
            is_named && !printed.contradicts(identity)
        };
        match self.all.iter_mut().position(own) {
            Some(at) => self.at = at,
            None => self.begin(line),
        }
    }

    /// Takes note of a section that a report prints once; false where it stood there before.
    fn meet(&mut self, folded: &str, section: &text_sections::TextSection<'_, '_>) -> bool {
        // Words under such a heading are none of a report, nor is a frame around it.
        let below = section.lines.iter().skip_while(|l| !l.marks.is_ruler()).skip(1);
        if !below.filter(|l| !l.is_blank()).any(|l| !l.marks.is_ruler()) {
            return true;
        }
        let figures = if folded == LEADING_EVENTS { figures_of(section) } else { None };
        let content = figures.unwrap_or_else(|| content_of(section));
        let once = &self.all[self.at].once;
        if once.iter().any(|(title, before)| title == folded && *before == content) {
            self.assembly().copied(&section.title, section.line);
            return false;
        }
        if once.iter().any(|(title, _)| title == folded) {
            self.begin(section.line);
        }
        self.all[self.at].once.push((folded.to_owned(), content));
        true
    }

    fn finish(self) -> Vec<spindle_facts::Report> {
        self.all.into_iter().filter_map(|part| part.assembly.finish()).collect()
    }
}

/// Does somebody say behind a title that what stood below it was left out: `DB/Inst: ... (rest omitted)`?
fn says_left_out(trailer: &str) -> bool {
    trailer.ends_with([')', ']', '>']) && {
        let words = trailer.rsplit(['(', '[', '<']).next().unwrap_or("").to_ascii_lowercase();
        ["omitted", "snipped", "left out", "skipped", "truncated"].iter().any(|word| words.contains(word))
    }
}

/// Are two times, each with half a unit of its last digit, printed of two intervals?
fn are_apart((a, half_a): (f64, f64), (b, half_b): (f64, f64)) -> bool {
    (a - b).abs() > (half_a + half_b) * (1.0 + 1e-9)
}

/// What stands in the lines of a section, blank ones left out: the same wherever it was pasted.
fn content_of(section: &text_sections::TextSection<'_, '_>) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    for line in section.lines.iter().filter(|l| !l.is_blank()) {
        std::hash::Hash::hash(line.text, &mut hasher);
    }
    std::hash::Hasher::finish(&hasher)
}

/// The numbers of its rows: those of leading events are the same under whatever title and headings. `None` where none
/// stand below the ruler at once, as where each line has a blank one behind it.
fn figures_of(section: &text_sections::TextSection<'_, '_>) -> Option<u64> {
    let (mut hasher, mut any) = (rustc_hash::FxHasher::default(), false);
    let below = section.lines.iter().skip_while(|l| !l.text.contains("---")).skip(1);
    let rows = below.take_while(|l| !l.is_blank() && !l.marks.is_end());
    for word in rows.flat_map(|l| l.text.split_ascii_whitespace()) {
        if word.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word) {
            std::hash::Hash::hash(word, &mut hasher);
            any = true;
        }
    }
    any.then(|| std::hash::Hasher::finish(&hasher))
}

/// How the rows of a titled text section are laid out.
fn rows_of(folded_title: &str) -> text_ruler::Rows {
    // Few titles hold this letter.
    let is_multi_valued = |at: usize| {
        let (before, behind) = folded_title.as_bytes().split_at(at);
        before.ends_with(b"multi") && behind.starts_with(b"valued")
    };
    if folded_title.starts_with("sqlorderedby") {
        text_ruler::Rows::Statements
    } else if memchr::memchr_iter(b'v', folded_title.as_bytes()).any(is_multi_valued) {
        text_ruler::Rows::Lists
    } else {
        text_ruler::Rows::Plain
    }
}
