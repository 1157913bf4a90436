//! Collects the tables of one report: finds the reader of each, keeps the ledger, and finishes the
//! facts that need the whole report.

use super::context::{Context, Scratch};
use super::copies::{Copies, Copy, Told, drop_doubled};
use super::decimal_marks::{self, Doubtful, Votes};
use super::sums::{Sums, drop_sums};
use super::{finish, header, ratios, rows_of, sections, sql_report};
use crate::Kept;
use crate::cell::{Habits, looks_numeric};
use crate::grid::{Grid, fold, fold_into};
use crate::layout::mend::{UNTITLED, is_sentence};
use crate::layout::text_sections::{Line, TextSection};
use crate::layout::{NO_DATA, sampled_text, statement_text, text_ruler};
use crate::recognise;
use spindle_facts::{
    HEADER, Identity, Kind, Layout, Metric, Note, ROWS_LEFT_OUT, RawRows, RawTable, Report, Section,
    SectionId, SectionStatus, TimeModelRow,
};
use std::borrow::Cow;

/// Cells of tables that nothing reads which are kept: ten times those of the largest report seen.
const MOST_RAW_CELLS: usize = 500_000;

/// What Statspack calls its reports: from 11g on the tables below have names of their own.
const STATSPACK: &str = "STATSPACK report for";

/// One report while it is being read.
pub(crate) struct Assembly {
    report: Report,
    scratch: Scratch,
    copies: Copies,
    kept: Kept,
    /// Title of the last section as printed, and folded, to tell a repeated title from a new section.
    title: String,
    folded: String,
    /// Memory for the next one.
    folding: String,
    /// Per section: was anything printed in it, does the report say that there is no data, does a
    /// reader exist.
    seen: Vec<Seen>,
    /// CPU as the header prints it.
    header_cpu: Option<TimeModelRow>,
    decimal_comma: Option<bool>,
    votes: Votes,
    /// Cells that are numbers only if the other of point and comma parts decimals.
    contrary: u32,
    /// Is each number to be read by the marks of its own column?
    by_column: bool,
    unified: Option<Unified>,
    /// Do points part thousands? If so, the first cell that may have decimals instead, its section, and how many there are.
    points: bool,
    parted: Option<(Doubtful, String)>,
    raw_cells: usize,
}

/// Tables whose numbers were written as the report has them: the first, how many, and how many cells are unknown.
struct Unified {
    line: u32,
    title: String,
    tables: u32,
    unknown: u32,
}

/// With how much care a report is read: nearly all need none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Care {
    /// Which tables' rows are told.
    told: Told,
    /// Points and commas part decimals in one report: its own habit, the other being that of whoever changed it.
    mixed: Option<bool>,
    /// Do points part thousands, where they part decimals, too?
    points: bool,
}

impl Care {
    /// That of a first reading.
    pub(crate) const FIRST: Self = Self { told: Told::Few, mixed: None, points: false };

    /// What either asks for.
    pub(crate) fn and(self, other: Self) -> Self {
        let all = [self.told, other.told].contains(&Told::All);
        Self {
            told: if all { Told::All } else { Told::Few },
            mixed: self.mixed.or(other.mixed),
            points: self.points || other.points,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Seen {
    content: bool,
    no_data: bool,
    reader: bool,
    /// Does its title stand alone, as headings of somebody's own do, without what a database prints behind it?
    bare: bool,
    first_row: u32,
    /// Lines that look like rows and fit no columns, and the first of them.
    misfits: u32,
    first_misfit: u32,
    /// Lines outside of tables that end in a number, rows of a section of which nothing was read, and the
    /// first of them.
    loose: u32,
    first_loose: u32,
    /// Lines of a list of statements that look like rows of it, and fit no ruler; statements go on in lines of words.
    rows_of_statements: u32,
    /// Rows of tables whose headings the reader does not know, and the first of them.
    strange: u32,
    first_strange: u32,
}

/// Rows that fit no ruler stand loose: they are content all the same.
fn holds_numbers(grid: &Grid<'_>) -> bool {
    grid.columns.is_empty() && grid.remarks.iter().any(|(_, t)| like_a_row(t))
}

fn like_a_row(text: &str) -> bool {
    // Most prose holds fewer digits. Counted in bytes, many at once.
    let digits = |piece: &[u8]| piece.iter().map(|b| u8::from(b.is_ascii_digit())).sum::<u8>();
    if text.starts_with("->")
        || text.as_bytes().chunks(128).map(|piece| u32::from(digits(piece))).sum::<u32>() < 3
    {
        return false;
    }
    let is_number = |w: &&str| w.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(w);
    text.split_whitespace().filter(is_number).nth(2).is_some()
}

/// Is a line nearly all numbers, as the row of a statement is?
fn like_a_row_of_statements(text: &str) -> bool {
    let (mut numbers, mut words) = (0, 0);
    for word in text.split_whitespace() {
        let is_number = word.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word);
        *(if is_number { &mut numbers } else { &mut words }) += 1;
    }
    numbers >= 2 && words <= 2
}

/// Does a line begin with a word and end in a number, as the shortest rows do? A unit may stand behind it.
fn ends_in_a_number(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let named = words.next().is_some_and(|first| first.starts_with(|c: char| c.is_alphabetic()));
    let mut last = words.next_back();
    if last.is_some_and(|word| matches!(word, "s" | "ms" | "us" | "%" | "MB" | "GB")) {
        last = words.next_back();
    }
    named && last.is_some_and(looks_numeric)
}

/// The text without white space before it, which in most is of ASCII.
fn behind_blanks(text: &str) -> &str {
    let ascii = text.trim_ascii_start();
    if ascii.starts_with(|c: char| c.is_ascii_graphic()) { ascii } else { ascii.trim_start() }
}

/// Fewer ratios may be words about one.
const LEAST_RATIOS: usize = 2;

/// Has a table columns and no heading, as where these were squeezed?
fn is_headless(grid: &Grid<'_>) -> bool {
    grid.columns.len() > 3 && !grid.is_empty() && grid.columns.iter().all(|column| column.name.is_empty())
}

/// Does nothing stand there but what Statspack calls its reports?
fn is_name_of_report(grid: &Grid<'_>) -> bool {
    grid.title.is_empty() && grid.remarks.iter().all(|(_, text)| text.trim() == STATSPACK)
}

/// An explanation in a table of one cell a row, as OSPRep prints above the figures.
fn is_prose(grid: &Grid<'_>) -> bool {
    grid.columns.is_empty()
        && (0..grid.len()).all(|row| {
            let mut filled = grid.row(row).iter().filter(|c| !c.is_empty());
            filled.next().is_none_or(|c| c.len() > 20 && !looks_numeric(c)) && filled.next().is_none()
        })
}

impl Assembly {
    pub(crate) fn new(
        source: &str,
        kind: Kind,
        layout: Layout,
        head: &str,
        line: u32,
        page_title: &str,
    ) -> Self {
        let mut report = Report::new(Identity::unknown(source, kind, layout));
        header::from_head(&mut report.identity, head, page_title);
        let mut assembly = Self {
            report,
            scratch: Scratch::default(),
            copies: Copies::default(),
            kept: Kept::All,
            title: String::new(),
            folded: String::new(),
            folding: String::new(),
            seen: Vec::new(),
            header_cpu: None,
            decimal_comma: None,
            votes: Votes::default(),
            contrary: 0,
            by_column: false,
            unified: None,
            points: false,
            parted: None,
            raw_cells: 0,
        };
        if !head.is_empty() {
            assembly.section(head, line);
        }
        assembly
    }

    /// Reads with so much care; whether it was enough is known at the end.
    pub(crate) fn take_care(&mut self, care: Care) {
        self.copies = Copies::new(care.told);
        self.decimal_comma = care.mixed;
        self.by_column = care.mixed.is_some();
        self.points = care.points;
    }

    /// Were rows read of a section with such a title, folded?
    pub(crate) fn has_read(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.report.sections.iter().any(|section| section.rows > 0 && is_it(&fold(&section.title)))
    }

    /// The line of the last section with rows above a line.
    pub(crate) fn last_above(&self, line: u32) -> Option<u32> {
        let above = |section: &&Section| section.rows > 0 && section.line < line;
        self.report.sections.iter().filter(above).map(|section| section.line).max()
    }

    /// The text was a page before it was copied or converted.
    pub(crate) fn was_a_page(&mut self) {
        self.scratch.of_page = true;
    }

    /// Keeps the rows that are wanted alone.
    pub(crate) fn keep(&mut self, kept: Kept) {
        self.kept = kept;
    }

    /// The care that it takes to read the report.
    pub(crate) fn care(&self) -> Care {
        let told = if self.copies.told_too_few() { Told::All } else { Told::Few };
        // A single number that is written otherwise proves nothing.
        let mixed = (self.contrary >= 2).then(|| self.habits().decimal_comma);
        Care { told, mixed, points: self.scratch.thousand_points >= 2 }
    }

    /// The section of a title: the last one where the title repeats.
    fn section(&mut self, title: &str, line: u32) -> SectionId {
        let last = || SectionId::try_from(self.report.sections.len() - 1).unwrap_or(SectionId::MAX);
        if !self.seen.is_empty() && title == self.title {
            return last();
        }
        title.clone_into(&mut self.title);
        self.folding.clear();
        fold_into(title, &mut self.folding);
        if self.seen.is_empty() || self.folding != self.folded {
            self.drop_ghost();
            self.report.sections.push(Section {
                title: title.to_owned(),
                line,
                status: SectionStatus::Unknown,
                rows: 0,
                lost: 0,
            });
            self.seen.push(Seen::default());
            std::mem::swap(&mut self.folded, &mut self.folding);
        }
        SectionId::try_from(self.report.sections.len() - 1).unwrap_or(SectionId::MAX)
    }

    /// Takes the last section out of the account where nothing stands in it and nothing says that it has no data,
    /// if it was read before, or has no title of its own: words between the tables of an excerpt, no section.
    fn drop_ghost(&mut self) {
        let (Some(section), Some(seen)) = (self.report.sections.last(), self.seen.last()) else { return };
        let something =
            section.rows > 0 || section.lost > 0 || seen.content || seen.no_data || seen.loose > 0;
        if !something && self.is_ghost() {
            self.report.sections.pop();
            self.seen.pop();
        }
    }

    #[cold]
    fn is_ghost(&self) -> bool {
        let Some((last, before)) = self.report.sections.split_last() else { return false };
        let untitled = matches!(last.title.as_str(), UNTITLED | HEADER | STATSPACK);
        // Most titles begin with another letter.
        let first = self.folded.as_bytes().first();
        let begins = |s: &Section| {
            s.title
                .as_bytes()
                .first()
                .is_some_and(|own| !own.is_ascii_alphanumeric() || Some(&own.to_ascii_lowercase()) == first)
        };
        untitled || before.iter().any(|s| s.rows > 0 && begins(s) && fold(&s.title) == self.folded)
    }

    fn habits(&self) -> Habits {
        let identity = &self.report.identity;
        Habits {
            decimal_comma: self.decimal_comma.unwrap_or(self.votes.commas > self.votes.points),
            suffix_cuts: match identity.kind {
                Kind::Statspack => Some(true),
                // Either way, where nobody knows the release.
                Kind::Awr => identity.release().map(|r| r < (11, 2)),
                Kind::Unknown => None,
                _ => Some(false),
            },
        }
    }

    /// Sections that are headings only.
    pub(crate) fn empty(&mut self, title: &str, line: u32, no_data: bool) {
        let id = usize::from(self.section(title, line));
        if let Some(seen) = self.seen.get_mut(id) {
            seen.no_data |= no_data || !seen.content;
        }
    }

    /// Which period of a compare-period report it is.
    pub(crate) fn set_period(&mut self, period: spindle_facts::Period) {
        self.report.identity.period = Some(period);
    }

    /// Who, where and when, so far.
    pub(crate) fn identity(&mut self) -> &mut Identity {
        &mut self.report.identity
    }

    /// A section begins.
    pub(crate) fn begin(&mut self, title: &str, line: u32) {
        self.section(title, line);
    }

    /// A line outside every table.
    pub(crate) fn loose_line(&mut self, line: &Line<'_>) {
        self.vote(line.text);
        self.see_cpu(line);
        header::from_line(&mut self.report, line.text, line.number);
    }

    /// A titled section of a text report.
    pub(crate) fn text_section<'t>(
        &mut self,
        section: &TextSection<'_, 't>,
        store: &mut text_ruler::Store<'t>,
    ) {
        header::from_trailer(&mut self.report.identity, section.trailer);
        if !section.title.is_empty() {
            let id = usize::from(self.section(&section.title, section.line));
            if let Some(seen) = self.seen.get_mut(id) {
                let dots = || memchr::memchr(b'.', section.trailer.as_bytes()).is_some();
                seen.bare = section.trailer.is_empty() || dots() && section.trailer.contains("...");
            }
        }
        // Ratios of the instance whose heading is lost stand in any section of an excerpt.
        let mut ratios: Vec<&Line<'t>> = Vec::new();
        let rows = rows_of(if section.title.is_empty() { "" } else { &self.folded });
        let holds_statements = rows == text_ruler::Rows::Statements;
        let mut in_statement = false;
        for line in section.lines {
            if !section.title.is_empty() && self.report.sections.len() > 12 {
                break;
            }
            if holds_statements {
                if statement_text::begins(line.text) {
                    in_statement = true;
                } else if statement_text::ends(line) {
                    in_statement = false;
                } else if in_statement {
                    continue;
                }
            }
            if ratios::is_ratio(line.text) {
                ratios.push(line);
            }
            self.vote(line.text);
            self.see_cpu(line);
            header::from_line(&mut self.report, line.text, line.number);
        }
        if self.report.sections.len() <= 2 {
            header::from_words(&mut self.report.identity, section.lines);
        }
        // The title was folded as the last one.
        let folded = if section.title.is_empty() { "" } else { self.folded.as_str() };
        if folded == "executionplan" {
            // Cells stand between bars there; the rules above and below them head no columns.
            let mut plan = Grid::default();
            plan.title.clone_from(&section.title);
            plan.line = section.line;
            let no_data = |l: &Line<'_>| behind_blanks(l.text).starts_with(NO_DATA);
            let barred = section.lines.iter().filter(|l| l.text.starts_with('|') || no_data(l));
            plan.remarks = barred.map(|l| (l.number, l.text.into())).collect();
            self.table(&mut plan);
            return;
        }
        if folded == "clusterstatistics" {
            // Labels and values stand below words that are underlined there, and head no columns.
            let mut labels = Grid::default();
            labels.title.clone_from(&section.title);
            labels.line = section.line;
            for line in section.lines.iter().filter(|l| l.text.contains(':') && !l.marks.is_remark()) {
                labels.push_cell(Cow::Borrowed(line.text));
                labels.end_row(line.number);
            }
            self.table(&mut labels);
            return;
        }
        if sampled_text::TITLES.contains(&folded)
            && let Some(mut grid) = sampled_text::table(section)
        {
            self.table(&mut grid);
            return;
        }
        if ratios.len() < LEAST_RATIOS || sections::are_ratios(folded) {
            let mut beside: Vec<Grid<'t>> = Vec::new();
            text_ruler::tables(section, rows, store, |grid| {
                if sections::is_beside_ratios(&grid.title, grid) {
                    // The ratios come last, and are of the section that has begun.
                    beside.push(grid.clone());
                } else {
                    self.table(grid);
                }
            });
            beside.iter_mut().for_each(|grid| self.table(grid));
        } else {
            // They are no rows of the table above them.
            let others = |line: &Line<'t>| {
                if ratios::is_ratio(line.text) { Line::new(line.number, "") } else { *line }
            };
            let lines: Vec<Line<'t>> = section.lines.iter().map(others).collect();
            let others = TextSection { lines: &lines, ..section.clone() };
            text_ruler::tables(&others, rows, store, |grid| self.table(grid));
            let mut grid = Grid::default();
            grid.title = Cow::Borrowed("Instance Efficiency Percentages");
            grid.line = ratios.first().map_or(section.line, |line| line.number);
            grid.remarks = ratios.iter().map(|line| (line.number, Cow::Borrowed(line.text))).collect();
            self.table(&mut grid);
        }
    }

    /// The CPU that Statspack prints behind DB time: `DB time: 0.03 (mins)  DB CPU: 0.02 (mins)`.
    fn see_cpu(&mut self, line: &Line<'_>) {
        if line.first != b'D' || self.header_cpu.is_some() {
            return;
        }
        let Some((minutes, half)) = header::cpu_minutes(line.text) else { return };
        self.header_cpu = Some(TimeModelRow {
            line: line.number,
            section: 0,
            instance_number: None,
            statistic: "DB CPU".to_owned(),
            time_s: Some(minutes * 60.0),
            time_s_low: Some(((minutes - half) * 60.0).max(0.0)),
            time_s_high: Some((minutes + half) * 60.0),
            share_db_time_pct: None,
        });
    }

    /// Numbers of the first sections tell whether the comma is the decimal point.
    fn vote(&mut self, text: &str) {
        // `@@ -0,0 +1,812 @@` of a difference are no numbers of a report.
        if self.decimal_comma.is_some() || text.starts_with("@@ ") {
            return;
        }
        self.votes += Votes::of(text);
        if self.votes.points + self.votes.commas > 60 {
            self.decimal_comma = Some(self.votes.commas > self.votes.points);
        }
    }

    /// Writes all numbers of a table as those of the report are, where an editor changed some of them.
    #[cold]
    fn unify(&mut self, grid: &mut Grid<'_>) {
        let Some(first) = decimal_marks::unify(grid, self.habits().decimal_comma) else { return };
        let unified = self.unified.get_or_insert_with(|| Unified {
            line: first.line,
            title: grid.title.to_string(),
            tables: 0,
            unknown: 0,
        });
        unified.tables += 1;
        unified.unknown += first.unknown;
    }

    /// Takes the points out of the thousands of a table.
    #[cold]
    fn part_thousands(&mut self, grid: &mut Grid<'_>) {
        let Some(found) = decimal_marks::part_thousands(grid) else { return };
        match &mut self.parted {
            Some((first, _)) => first.cells += found.cells,
            None => self.parted = Some((found, grid.title.to_string())),
        }
    }

    /// Says of which numbers nobody knows whether a point parts their thousands.
    fn note_parted(&mut self) {
        let Some((Doubtful { line, first, cells }, title)) = self.parted.take() else { return };
        let hold = if cells == 1 { "1 cell holds".to_owned() } else { format!("{cells} cells hold") };
        self.report.notes.push(Note {
            line: Some(line),
            section: Some(title),
            message: format!("{hold} thousands that somebody took for decimals, as `{first}`"),
            effect: "taken as unknown: points part thousands in this report".to_owned(),
        });
    }

    /// Says that numbers were written anew.
    fn note_unified(&mut self) {
        let Some(Unified { line, title, tables, unknown }) = self.unified.take() else { return };
        let so = match tables {
            1 => "each number is read as its column tells".to_owned(),
            n => format!("in {n} tables each number is read as its column tells"),
        };
        self.report.notes.push(Note {
            line: Some(line),
            section: Some(title),
            message: "decimal points and decimal commas stand in one report".to_owned(),
            effect: match unknown {
                0 => so,
                1 => format!("{so}; 1 number that either may part, as `1.234`, is unknown"),
                n => format!("{so}; {n} numbers that either may part, as `1.234`, are unknown"),
            },
        });
    }

    /// A table, from either layout.
    pub(crate) fn table(&mut self, grid: &mut Grid<'_>) {
        if self.decimal_comma.is_none() {
            for row in 0..grid.len() {
                for (at, cell) in grid.row(row).iter().enumerate() {
                    let is_other =
                        || grid.columns.get(at).is_some_and(|c| decimal_marks::holds_no_numbers(c.key()));
                    if looks_numeric(cell) && !is_other() {
                        self.vote(cell);
                    } else if decimal_marks::mark_of_time(cell).is_some() {
                        self.votes += Votes::of_cell(cell);
                    }
                }
            }
        }
        if self.points {
            self.part_thousands(grid);
        }
        if self.by_column || self.votes.are_mixed() {
            self.unify(grid);
        }
        if grid.columns.is_empty() && grid.is_empty() && (grid.remarks.is_empty() || is_name_of_report(grid))
        {
            return;
        }
        let mut title = grid.title.clone();
        if title.is_empty() {
            let first = self.report.sections.first();
            title = first.map_or(Cow::Borrowed(HEADER), |s| Cow::Owned(s.title.clone()));
        }
        if sections::is_beside_ratios(&title, grid) {
            // Somebody pasted it below them, without its title.
            title = Cow::Borrowed(UNTITLED);
            grid.title = Cow::Borrowed(UNTITLED);
            grid.line = grid.row_line(0);
        }
        let id = self.section(&title, grid.line);
        let no_data =
            grid.is_empty() && grid.remarks.iter().any(|(_, t)| behind_blanks(t).starts_with(NO_DATA));
        let index = usize::from(id);
        if let Some(seen) = self.seen.get_mut(index) {
            seen.no_data |= no_data;
            seen.content = seen.content
                || !grid.is_empty() && !is_prose(grid)
                || holds_numbers(grid)
                || grid.doubtful.is_some();
            if seen.first_row == 0 && !grid.is_empty() {
                seen.first_row = grid.row_line(0);
            }
            let of_statements = self.folded.starts_with("sqlordered");
            if grid.is_empty() && of_statements {
                let is_row = |text: &&(u32, Cow<'_, str>)| like_a_row_of_statements(&text.1);
                for (line, _) in grid.remarks.iter().filter(is_row) {
                    if seen.first_loose == 0 {
                        seen.first_loose = *line;
                    }
                    seen.rows_of_statements += 1;
                }
            }
            if grid.columns.is_empty() && grid.is_empty() && !of_statements {
                let named = |t: &str| behind_blanks(t).starts_with(|c: char| c.is_alphabetic());
                // Snapshots are read line by line, wherever they stand.
                let is_row =
                    |t: &str| named(t) && like_a_row(t) && !is_sentence(t) && !header::is_snapshot(t);
                for (line, _) in grid.remarks.iter().filter(|(_, t)| is_row(t)) {
                    if seen.misfits == 0 {
                        seen.first_misfit = *line;
                    }
                    seen.misfits += 1;
                }
                for (line, _) in grid.remarks.iter().filter(|(_, t)| ends_in_a_number(t)) {
                    if seen.loose == 0 {
                        seen.first_loose = *line;
                    }
                    seen.loose += 1;
                }
            }
        }
        if no_data {
            return;
        }
        let read = sections::find(&self.report.identity, &self.folded);
        let named = read.and_then(|_| sections::named(&self.folded));
        if let Some(sums) = drop_sums(grid, named, self.habits()) {
            self.note_sums(&title, sums);
        }
        let of_a_plan = self.report.identity.kind == Kind::AwrSql && sql_report::is_of_a_plan(&self.folded);
        if read.is_some() && !grid.columns.is_empty() && !of_a_plan {
            let is_html = self.report.identity.layout == Layout::Html;
            if let Some(copy) = self.copies.drop_copy(&self.folded, grid, is_html) {
                self.note_copy(&title, &copy);
                if grid.is_empty() {
                    // Read as the rows before it were, and left out.
                    if let (Some(section), Some(seen)) =
                        (self.report.sections.get_mut(index), self.seen.get_mut(index))
                    {
                        section.rows = section.rows.saturating_add(copy.rows);
                        seen.reader = true;
                    }
                    return;
                }
            }
        }
        if read.is_some()
            && sections::is_added_up(&self.folded)
            && let Some((line, rows)) = drop_doubled(grid)
        {
            self.note_doubled(&title, line, rows);
        }
        if let Some((line, rows)) = grid.doubtful {
            if let Some(section) = self.report.sections.get_mut(index) {
                section.lost = section.lost.saturating_add(rows);
            }
            self.report.notes.push(Note {
                line: Some(line),
                section: Some(title.to_string()),
                message: if rows == 1 {
                    "1 row is left out: wrapped, moved or cut, its cells cannot be told apart".to_owned()
                } else {
                    format!(
                        "{rows} rows are left out: wrapped, moved or cut, their cells cannot be told apart"
                    )
                },
                effect: "sums over the rows of this section are too small".to_owned(),
            });
        }
        if let Some(line) = grid.left_out.filter(|_| read.is_some()) {
            self.report.notes.push(Note {
                line: Some(line),
                section: Some(title.to_string()),
                message: ROWS_LEFT_OUT.to_owned(),
                effect: "sums over the rows of this section are too small, and what they hold is unknown"
                    .to_owned(),
            });
        }
        let habits = self.habits();
        let mut rows = 0;
        let mut reader = false;
        if read.is_some() && is_headless(grid) {
            self.note_headless(index, &title, grid);
            return;
        }
        if let Some(read) = read {
            reader = true;
            let mut context = Context::new(&mut self.report, &mut self.scratch, (id, &self.folded), habits);
            context.kept = self.kept;
            rows = read(grid, &mut context);
            let as_printed = rows > 0 && context.is_kept_as_printed();
            self.contrary += context.end();
            if as_printed {
                self.push_raw(grid);
            }
        }
        if rows == 0 {
            let mut context = Context::new(&mut self.report, &mut self.scratch, (id, &self.folded), habits);
            rows = header::from_table(grid, &mut context);
        }
        if let Some(section) = self.report.sections.get_mut(index) {
            section.rows = section.rows.saturating_add(rows);
        }
        if let Some(seen) = self.seen.get_mut(index) {
            seen.reader |= reader || rows > 0;
            let numbers = || grid.row(0).iter().filter(|c| !c.is_empty() && looks_numeric(c)).count();
            if reader && rows == 0 && !grid.columns.is_empty() && numbers() > 1 {
                if seen.strange == 0 {
                    seen.first_strange = grid.row_line(0);
                }
                seen.strange = seen.strange.saturating_add(u32::try_from(grid.len()).unwrap_or(u32::MAX));
            }
        }
        if rows == 0 && !reader {
            self.keep_raw(grid);
        }
    }

    /// A table of two periods that says nothing certain of this one.
    pub(crate) fn untold(&mut self, grid: &Grid<'_>, why: &str) {
        let title = if grid.title.is_empty() { HEADER } else { grid.title.as_ref() };
        let id = usize::from(self.section(title, grid.line));
        if let Some(seen) = self.seen.get_mut(id) {
            seen.content = true;
        }
        if let Some(section) = self.report.sections.get_mut(id) {
            section.lost = section.lost.saturating_add(u32::try_from(grid.len()).unwrap_or(u32::MAX));
        }
        self.report.notes.push(Note {
            line: Some(grid.row_line(0)),
            section: Some(title.to_owned()),
            message: why.to_owned(),
            effect: "what the table says is left out of every answer".to_owned(),
        });
    }

    /// A section that stood in the report before, line by line.
    pub(crate) fn copied(&mut self, title: &str, line: u32) {
        // Lists of leading events are the same under other titles.
        let leads = |title: &str| title.get(..3).is_some_and(|top| top.eq_ignore_ascii_case("top"));
        let own = |s: &&Section| s.title == title;
        let before = self.report.sections.iter().rfind(own);
        let before =
            before.or_else(|| self.report.sections.iter().rfind(|s| leads(&s.title) && leads(title)));
        let before = before.map_or(0, |s| s.line);
        self.note_copy(title, &Copy { line, first_line: before, rows: 0, same: true, told: false });
    }

    /// Says that a section stands twice.
    fn note_copy(&mut self, title: &str, copy: &Copy) {
        if copy.told {
            return;
        }
        let first = copy.first_line;
        let (figures, effect) = if copy.same {
            ("the same rows", format!("it is counted once, as from line {first} on"))
        } else {
            (
                "other figures for the same rows: of another period or instance",
                format!("only the figures from line {first} on are used"),
            )
        };
        self.report.notes.push(Note {
            line: Some(copy.line),
            section: Some(title.to_owned()),
            message: format!("the section stands a second time in this report, with {figures}"),
            effect,
        });
    }

    /// Says that rows which add up the others were left out.
    fn note_sums(&mut self, title: &str, Sums { line, name, rows }: Sums) {
        let message = if rows == 1 {
            format!("1 row is left out: by its name, `{name}`, it adds up the others")
        } else {
            format!("{rows} rows are left out: by their names, as `{name}`, they add up the others")
        };
        self.report.notes.push(Note {
            line: Some(line),
            section: Some(title.to_owned()),
            message,
            effect: "what the others hold is counted once".to_owned(),
        });
    }

    /// Says that the headings of a table cannot be told from each other.
    #[cold]
    fn note_headless(&mut self, index: usize, title: &str, grid: &Grid<'_>) {
        let rows = u32::try_from(grid.len()).unwrap_or(u32::MAX);
        if let (Some(section), Some(seen)) = (self.report.sections.get_mut(index), self.seen.get_mut(index)) {
            section.lost = section.lost.saturating_add(rows);
            seen.reader = true;
        }
        self.report.notes.push(Note {
            line: Some(grid.row_line(0)),
            section: Some(title.to_owned()),
            message: format!(
                "{rows} {} left out: the blanks of the headings were squeezed, and which number stands under which cannot be told",
                if rows == 1 { "row is" } else { "rows are" }
            ),
            effect: "what they say is missing".to_owned(),
        });
    }

    /// Says that rows stand twice.
    fn note_doubled(&mut self, title: &str, line: u32, rows: u32) {
        let (stand, each) = if rows == 1 { ("1 row stands", "it is") } else { ("rows stand", "each is") };
        let count = if rows == 1 { String::new() } else { format!("{rows} ") };
        self.report.notes.push(Note {
            line: Some(line),
            section: Some(title.to_owned()),
            message: format!("{count}{stand} a second time in this section, with the same figures"),
            effect: format!("{each} counted once"),
        });
    }

    /// A table that stands beside what is read, and of which nothing is.
    pub(crate) fn unread(&mut self, grid: &Grid<'_>) {
        let title = if grid.title.is_empty() { UNTITLED } else { grid.title.as_ref() };
        let id = usize::from(self.section(title, grid.line));
        if let Some(seen) = self.seen.get_mut(id) {
            seen.content = true;
        }
        self.keep_raw(grid);
    }

    /// Keeps a table that nothing reads, so that nothing printed is lost.
    fn keep_raw(&mut self, grid: &Grid<'_>) {
        let rows = self.push_raw(grid);
        if let Some(section) = self.report.sections.last_mut() {
            section.rows = section.rows.saturating_add(rows);
        }
    }

    /// Keeps a table as printed; returns its rows.
    fn push_raw(&mut self, grid: &Grid<'_>) -> u32 {
        let cells = grid.columns.len().max(1) * (grid.len() + grid.remarks.len());
        if self.raw_cells + cells > MOST_RAW_CELLS {
            if self.raw_cells <= MOST_RAW_CELLS {
                self.report.notes.push(Note {
                    line: Some(grid.line),
                    section: Some(grid.title.to_string()),
                    message: "more tables that nothing reads than any report prints".to_owned(),
                    effect: "from here on they are counted, not kept".to_owned(),
                });
                self.raw_cells = MOST_RAW_CELLS + 1;
            }
            return 0;
        }
        self.raw_cells += cells;
        let mut raw = RawTable {
            title: grid.title.to_string(),
            line: grid.line,
            headings: grid.columns.iter().map(|c| c.name.to_string()).collect(),
            rows: RawRows::with_capacity(grid.len(), grid.columns.len() * grid.len()),
        };
        // What stands behind rows is a cell of its own: nothing but the reader of a section knows what it is worth.
        let width = if grid.behind.is_empty() { 0 } else { grid.columns.len() };
        if width > 0 {
            raw.headings.push(String::new());
        }
        for row in 0..grid.len() {
            let line = grid.row_line(row);
            let behind = grid.behind.binary_search_by_key(&line, |(of, _)| *of).ok();
            let behind = behind.filter(|_| width > 0).map(|at| grid.behind[at].1);
            let own = grid.row(row).iter().map(|c| (!c.is_empty()).then(|| c.trim()));
            match behind {
                Some(behind) => raw.rows.push(own.chain([Some(behind)])),
                None => raw.rows.push(own),
            }
        }
        if raw.rows.is_empty() {
            raw.rows = grid.remarks.iter().map(|(_, text)| [Some(text.trim())]).collect();
        }
        let rows = u32::try_from(raw.rows.len()).unwrap_or(u32::MAX);
        self.report.raw_tables.push(raw);
        rows
    }

    /// Ends the report: statuses, then what needs the whole report. Nothing where nothing was read.
    pub(crate) fn finish(self) -> Option<Report> {
        let report = self.finish_any();
        let read = report.sections.iter().any(|s| s.status == SectionStatus::Read);
        let identified = report.identity.db_name.is_some() || report.identity.begin_snap.is_some();
        (read || identified).then_some(report)
    }

    /// The same whether anything was read or not.
    pub(crate) fn finish_any(mut self) -> Report {
        self.drop_ghost();
        self.note_unified();
        self.note_parted();
        for (section, seen) in self.report.sections.iter_mut().zip(&self.seen) {
            section.lost = section.lost.saturating_add(seen.misfits);
            if section.rows > 0 && seen.strange > 0 {
                section.lost = section.lost.saturating_add(seen.strange);
                self.report.notes.push(Note {
                    line: Some(seen.first_strange),
                    section: Some(section.title.clone()),
                    message: match seen.strange {
                        1 => "1 row stands under headings that are not those of any known release, and is left out"
                            .to_owned(),
                        many => format!(
                            "{many} rows stand under headings that are not those of any known release, and are left out"
                        ),
                    },
                    effect: "what they say is missing".to_owned(),
                });
            }
            // What stands below such a title is no prose.
            let loose = seen.reader && !seen.no_data && seen.loose.max(seen.rows_of_statements) > 0;
            section.status = match (section.rows > 0, seen) {
                (true, Seen { reader: true, .. }) => SectionStatus::Read,
                (false, Seen { no_data: true, .. }) if section.lost == 0 => SectionStatus::Absent,
                // What stood there may have been left out.
                (false, Seen { content: false, bare: true, .. }) if !loose => SectionStatus::Unknown,
                (false, Seen { content: false, .. }) if !loose => SectionStatus::Absent,
                (false, Seen { reader: true, .. }) => {
                    let others = seen.loose.max(seen.rows_of_statements);
                    section.lost = section.lost.saturating_add(seen.strange).max(others);
                    let first = [seen.first_row, seen.first_misfit, seen.first_loose];
                    let first = first.into_iter().filter(|line| *line > 0).min().unwrap_or(0);
                    self.report.notes.push(Note {
                        line: Some(first.max(section.line)),
                        section: Some(section.title.clone()),
                        message:
                            "no row could be read: the headings or columns are not those of any known release"
                                .to_owned(),
                        effect: "the section is left out of every answer".to_owned(),
                    });
                    SectionStatus::Unreadable
                }
                _ => SectionStatus::Unknown,
            };
            if section.status == SectionStatus::Read && seen.misfits > 0 {
                self.report.notes.push(Note {
                    line: Some(seen.first_misfit),
                    section: Some(section.title.clone()),
                    message: match seen.misfits {
                        1 => "1 line fits no column of the table and is left out".to_owned(),
                        many => format!("{many} lines fit no column of the table and are left out"),
                    },
                    effect: "what they say is missing; under the ruler, a number below its heading, they can be read"
                        .to_owned(),
                });
            }
        }
        // The head of a report, beside its columns or with words behind its lines, was read line by line.
        let identity = &self.report.identity;
        let told =
            identity.begin_snap.is_some() && identity.elapsed_s.is_some() && identity.db_time_s.is_some();
        if let Some(head) = self.report.sections.first_mut()
            && head.status == SectionStatus::Unknown
            && told
            && recognise::kind_of_head(&head.title).is_some()
        {
            head.status = SectionStatus::Read;
        }
        // Sections that print it are finer.
        let printed = self.report.tables.load_profile.iter().any(|r| r.known == Some(Metric::DbCpu));
        if self.report.tables.time_model.is_empty() && !printed {
            self.report.tables.time_model.extend(self.header_cpu);
        }
        finish::finish(&mut self.report, self.scratch);
        self.report
    }
}
