//! Texts whose blanks were tabs, and whose tabs were shown as fewer blanks.
//!
//! SQL*Plus writes runs of blanks as tabs of eight unless it is told otherwise. Where an editor, a forum or a mail then
//! showed each tab as four blanks, or two, or one, every cell behind a tab stands left of its column, by a width that
//! is another in every row. Cut at the ruler, the numbers of such rows come under the headings of others.
//!
//! What a tab stood for is known again where its row is held against the ruler: of the few places that a cell can have
//! stood at, one lets its number end, or its name begin, where a column does. A row is put back where all ways to do so
//! give each of its cells the same column, and left out where they do not. Texts as printed are told by their first
//! tables, and cost no more than those.

use super::blanks;
use super::known_tables::{BY_RULER, Holds, KnownTable, Shape, TABLES, is_ruler, words};
use super::marks::is_end_rule;
use super::mend::{Doubt, END};
use super::text_ruler::runs_of;
use super::text_sections::behind_page_break;
use crate::cell::looks_numeric;
use rustc_hash::FxHashMap;
use spindle_facts::Note;
use std::borrow::Cow;

/// A tab of a terminal.
const STOP: usize = 8;
/// What is longer than any report is read as it stands.
const MOST_LINES: usize = 200_000;
/// Lines with more words, or characters, are no rows.
const MOST_WORDS: usize = 60;
const LONGEST: usize = 400;
/// Steps after which a row counts as one with several meanings.
const MOST_STEPS: usize = 4_000;
/// Lines of headings above a ruler, at most.
const MOST_HEADINGS: usize = 5;

/// A text with the rows under their columns again.
pub(crate) struct PutBack {
    pub(crate) text: String,
    /// Line in the source of each line.
    pub(crate) numbers: Vec<u32>,
    /// Rows that were left out.
    pub(crate) doubts: Vec<Doubt>,
    /// The first row that was put back, and how many were.
    pub(crate) line: u32,
    pub(crate) rows: u32,
    /// As how many blanks tabs were shown.
    pub(crate) width: usize,
}

impl PutBack {
    /// Says what was done, and from which line on.
    pub(crate) fn note(&self, line: Option<u32>) -> Note {
        let Self { width, rows, .. } = self;
        let blanks = if *width == 1 { "1 blank".to_owned() } else { format!("{width} blanks") };
        Note {
            line,
            section: None,
            message: format!("rows stand left of their rulers: tabs of 8 columns were shown as {blanks}"),
            effect: format!(
                "{rows} rows are put back by where names begin and numbers end; those that leave any doubt are left out"
            ),
        }
    }
}

/// Why rows are left out.
const WHY: &str = "tabs between the cells were shown as fewer blanks: which number stands under which heading cannot be told";

/// Puts the rows of a text back under their rulers; `None` where they stand there, or were moved by something else.
pub(crate) fn put_back(text: &str) -> Option<PutBack> {
    // A tab that is still there stands for what it did.
    if !stands_beside_rulers(text) || memchr::memchr(b'\t', text.as_bytes()).is_some() {
        return None;
    }
    let lines: Vec<&str> =
        text.lines().take(MOST_LINES + 1).map(|line| behind_page_break(line).trim_ascii_end()).collect();
    if lines.len() > MOST_LINES {
        return None;
    }
    let tabs = Tab::of(&lines);
    let width = tabs.first()?.width;
    let mut writer = Writer {
        lines: &lines,
        raw: text.lines().collect(),
        tabs,
        out: Vec::with_capacity(lines.len()),
        doubts: Vec::new(),
        first: 0,
        rows: 0,
        dropped: false,
        columns: Vec::new(),
    };
    writer.write();
    Some(writer.finish(width))
}

/// Rulers that are looked at, and rows: few tell.
const LOOKED_AT: usize = 16;
const TELLING: usize = 6;

/// Do the numbers of the first rows end beside the columns of their rulers? As printed they end there.
fn stands_beside_rulers(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut beside, mut rows) = (0_usize, 0_usize);
    let mut behind = 0;
    for at in memchr::memmem::find_iter(bytes, b"--- ---").filter(|at| *at > 0).take(40 * LOOKED_AT) {
        if at < behind {
            continue;
        }
        let from = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
        let mut lines = text[from..].lines();
        let Some(ruler) = lines.next() else { break };
        behind = from + ruler.len();
        let Some(runs) = single_spaced(ruler.trim_ascii_end()) else { continue };
        for row in lines.take_while(|line| !line.trim_ascii().is_empty()).take(3) {
            let Some(is_beside) = is_beside(row.trim_ascii_end(), &runs) else { continue };
            rows += 1;
            beside += usize::from(is_beside);
        }
        if rows >= TELLING {
            break;
        }
    }
    rows >= 2 && 2 * beside >= rows
}

/// The columns of a ruler that begins its line, with one blank between three or more.
fn single_spaced(line: &str) -> Option<Vec<(usize, usize)>> {
    if !line.starts_with('-') || line.len() > LONGEST || !is_ruler(line) || line.contains("  ") {
        return None;
    }
    runs_of(line).filter(|runs| runs.len() > 2)
}

/// Do the numbers of a row end beside their columns, most of them? `None` where it holds fewer than two.
fn is_beside(row: &str, runs: &[(usize, usize)]) -> Option<bool> {
    if is_ruler(row) || !row.is_ascii() {
        return None;
    }
    let (mut numbers, mut beside) = (0_usize, 0_usize);
    for word in words_of(row).filter(|word| word.number) {
        let end = word.from + word.len;
        numbers += 1;
        beside += usize::from(!runs.iter().any(|run| end == run.1 || word.from == run.0 || end + 1 == run.1));
    }
    (numbers > 1).then_some(2 * beside >= numbers)
}

/// A word of a line: where it stands, in characters.
#[derive(Clone, Copy, Debug)]
struct Word<'l> {
    text: &'l str,
    from: usize,
    len: usize,
    number: bool,
}

fn words_of(line: &str) -> impl Iterator<Item = Word<'_>> {
    let ascii = line.is_ascii();
    line.split_ascii_whitespace().map(move |text| {
        let at = text.as_ptr() as usize - line.as_ptr() as usize;
        let (from, len) =
            if ascii { (at, text.len()) } else { (line[..at].chars().count(), text.chars().count()) };
        let rule = text.bytes().all(|b| b == b'-');
        Word { text, from, len, number: looks_numeric(text) && text != "-" || rule && len > 1 }
    })
}

/// How tabs were shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tab {
    /// As so many blanks,
    width: usize,
    /// or up to the next multiple of it.
    stops: bool,
    /// Did a lone blank before a stop stay one?
    lone: bool,
}

impl Tab {
    /// How tabs were shown in these lines: so that nearly all rows can have stood under their rulers. Few rows may have
    /// come about in several ways, the likeliest first.
    fn of(lines: &[&str]) -> Vec<Self> {
        const ROWS: usize = 120;
        let samples = samples(lines, ROWS);
        let mut found = Vec::new();
        for width in [4, 2, 1, 3, 6, 5] {
            for (stops, lone) in [(false, true), (true, true), (false, false), (true, false)] {
                if stops && width == 1 {
                    continue;
                }
                let tab = Self { width, stops, lone };
                let care = Care::with(Place::AtEdges);
                let can =
                    |row: &[Word<'_>], columns: &[Column]| columns_of(row, tab, columns, care) != Told::None;
                found.push((samples.iter().filter(|(row, columns)| can(row, columns)).count(), tab));
            }
        }
        let most = found.iter().map(|(rows, _)| *rows).max().unwrap_or(0);
        found.retain(|(rows, _)| rows + 1 >= most && rows * 10 >= samples.len() * 6 && most > 1);
        found.sort_by_key(|(rows, _)| most - rows);
        found.into_iter().map(|(_, tab)| tab).collect()
    }

    /// Where a cell can have begun: behind one that ended at `from`, shown to end at `shown`, with so many blanks
    /// shown between.
    fn places(self, from: usize, shown: usize, blanks: usize, found: &mut Vec<usize>) {
        found.clear();
        if blanks == 0 {
            found.push(from);
            return;
        }
        let stop = (from / STOP + 1) * STOP;
        let alone = stop - from == 1;
        let plain = from + blanks;
        if plain < stop || alone && (plain == stop || self.lone && plain < stop + STOP) {
            found.push(plain);
        }
        let lone = usize::from(alone && self.lone);
        let begin = if lone == 1 { stop } else { stop - STOP };
        let mut at = shown + lone;
        for tabs in 1..=LONGEST / STOP {
            at = if self.stops { (at / self.width + 1) * self.width } else { at + self.width };
            let Some(rest) = (shown + blanks).checked_sub(at) else { break };
            if rest < STOP {
                found.push(begin + STOP * tabs + rest);
            }
        }
    }
}

/// Rows of several numbers under rulers that stand as they were.
fn samples<'l>(lines: &[&'l str], most: usize) -> Vec<(Vec<Word<'l>>, Vec<Column>)> {
    let mut samples = Vec::new();
    for (at, ruler) in lines.iter().enumerate() {
        let Some(runs) = single_spaced(ruler) else { continue };
        let columns: Vec<Column> = runs.into_iter().map(Column::unknown).collect();
        for row in lines[at + 1..].iter().take_while(|line| !line.is_empty()).take(8) {
            if row.len() > LONGEST || is_beside(row, &[]).is_none() || !row.contains("  ") {
                continue;
            }
            samples.push((words_of(row).collect(), columns.clone()));
        }
        if samples.len() >= most {
            break;
        }
    }
    samples
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
struct Column {
    run: (usize, usize),
    /// Can it hold words, and numbers?
    text: bool,
    number: bool,
    /// Where its cells stand is unknown: those of labels.
    free: bool,
    /// Can words end where it ends?
    right: bool,
    /// Is it never blank: that of names?
    name: bool,
    /// Where labels end in it.
    ends: Option<usize>,
}

impl Column {
    fn unknown(run: (usize, usize)) -> Self {
        Self { run, text: true, number: true, free: false, right: false, name: false, ends: None }
    }
}

impl Column {
    /// Can a label end there?
    fn lets_end(&self, word: Word<'_>, to: usize) -> bool {
        self.ends.is_none_or(|end| to == end || !word.text.ends_with(':'))
    }
}

/// Where cells stand in their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Numbers end where their column does, words begin there.
    AtEdges,
    /// Or a place beside.
    NearEdges,
    /// Anywhere inside.
    Inside,
}

/// How the columns of a row are looked for.
#[derive(Clone, Copy, Debug)]
struct Care {
    place: Place,
    /// Are the first columns to be filled, those of names?
    filled: bool,
    /// Are two places in one column two ways?
    exact: bool,
}

impl Care {
    fn with(place: Place) -> Self {
        Self { place, filled: false, exact: false }
    }
}

/// Which columns the words of a row stand in, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    /// In none: no row.
    None,
    One(Vec<Stands>),
    Several,
}

/// Where a word stands: its column, and its first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stands {
    column: usize,
    from: usize,
}

/// The same of the words from one on: an index into `Search::chains`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    None,
    One(usize),
    Several,
}

/// What is behind a word: where it ended, and in which column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Behind {
    word: usize,
    end: usize,
    column: usize,
}

struct Search<'s, 'l> {
    words: &'s [Word<'l>],
    tab: Tab,
    columns: &'s [Column],
    care: Care,
    /// Does the row begin with a label that several values stand behind? A single one may be of any column.
    labelled: bool,
    known: FxHashMap<Behind, Rest>,
    /// Where a word stands, and what follows.
    chains: Vec<(Stands, usize)>,
    by_chain: FxHashMap<(Stands, usize), usize>,
    steps: usize,
}

/// No column so far.
const BEFORE: usize = usize::MAX;

/// The columns of the words of a row, by all ways in which they can have stood.
fn columns_of(words: &[Word<'_>], tab: Tab, columns: &[Column], care: Care) -> Told {
    if words.is_empty() || words.len() > MOST_WORDS || columns.is_empty() {
        return Told::None;
    }
    let mut search = Search {
        words,
        tab,
        columns,
        care,
        labelled: columns[0].free && values_behind_label(words) > 1,
        known: FxHashMap::default(),
        chains: vec![(Stands { column: BEFORE, from: 0 }, 0)],
        by_chain: FxHashMap::default(),
        steps: 0,
    };
    match search.rest(Behind { word: 0, end: 0, column: BEFORE }) {
        Rest::None => Told::None,
        Rest::Several => Told::Several,
        Rest::One(mut chain) => {
            let mut found = Vec::with_capacity(words.len());
            while chain != 0 {
                let (stands, next) = search.chains[chain];
                found.push(stands);
                chain = next;
            }
            Told::One(found)
        }
    }
}

/// How many numbers stand behind the first label of a row.
fn values_behind_label(words: &[Word<'_>]) -> usize {
    let label = words.iter().position(|word| word.text.ends_with(':'));
    label.map_or(0, |label| words[label + 1..].iter().take_while(|word| word.number).count())
}

impl Search<'_, '_> {
    fn rest(&mut self, behind: Behind) -> Rest {
        if let Some(known) = self.known.get(&behind) {
            return *known;
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Rest::Several;
        }
        let found = self.look(behind);
        self.known.insert(behind, found);
        found
    }

    fn look(&mut self, behind: Behind) -> Rest {
        let Behind { word: index, end, column } = behind;
        let Some(word) = self.words.get(index).copied() else {
            return if self.may_skip(column, self.columns.len()) { Rest::One(0) } else { Rest::None };
        };
        let shown = index.checked_sub(1).map_or(0, |last| self.words[last].from + self.words[last].len);
        let mut places = Vec::new();
        self.tab.places(end, shown, word.from - shown, &mut places);
        let mut found = Rest::None;
        for place in places {
            let to = place + word.len;
            if self.goes_on(behind, word, (place, to)) {
                found = self.both(found, Behind { word: index + 1, end: to, column }, place);
            }
            let first = if column == BEFORE { 0 } else { column + 1 };
            for next in first..=self.columns.len() {
                if self.begins(word, (place, to), next) && self.may_skip(column, next) {
                    found = self.both(found, Behind { word: index + 1, end: to, column: next }, place);
                }
            }
            if found == Rest::Several {
                break;
            }
        }
        found
    }

    /// What was found, and one more way.
    fn both(&mut self, found: Rest, next: Behind, place: usize) -> Rest {
        let rest = match self.rest(next) {
            Rest::One(chain) => {
                let from = if self.care.exact { place } else { 0 };
                let link = (Stands { column: next.column, from }, chain);
                let new = self.chains.len();
                let own = *self.by_chain.entry(link).or_insert(new);
                if own == new {
                    self.chains.push(link);
                }
                Rest::One(own)
            }
            rest => rest,
        };
        match (found, rest) {
            (Rest::None, rest) => rest,
            (found, Rest::None) => found,
            (Rest::One(a), Rest::One(b)) if a == b => found,
            _ => Rest::Several,
        }
    }

    /// May the columns between two be blank? Behind a label values stand beside each other from the first column on.
    fn may_skip(&self, column: usize, next: usize) -> bool {
        if self.care.filled && self.labelled && next < self.columns.len() {
            return next == if column == BEFORE { 0 } else { column + 1 };
        }
        let first = if column == BEFORE { 0 } else { column + 1 };
        let until = next.min(self.columns.len());
        !self.care.filled || !self.columns[first.min(until)..until].iter().any(|c| c.name)
    }

    /// Can a word go on with the cell before it?
    fn goes_on(&self, behind: Behind, word: Word<'_>, (from, to): (usize, usize)) -> bool {
        if behind.column == self.columns.len() {
            return true;
        }
        let Some(column) = self.columns.get(behind.column) else { return false };
        let gap = from - behind.end;
        // A value is no part of the label before it.
        let above = self.words[behind.word - 1];
        if column.free {
            return to <= column.run.1
                && !(word.number && above.text.ends_with(':'))
                && column.lets_end(word, to);
        }
        let inside = self.care.place == Place::Inside;
        if !column.text {
            let unit = word.len < 3 && word.text.starts_with(|c: char| c.is_ascii_alphabetic());
            return inside && gap == 1 && unit && above.number && to <= column.run.1;
        }
        let near = gap == 1 || inside && (!column.number || !word.number);
        // The last column goes on to the end of the line.
        let last = behind.column + 1 == self.columns.len();
        near && (to <= column.run.1 || last && !column.number)
    }

    /// Can a word begin a cell of a column?
    fn begins(&self, word: Word<'_>, (from, to): (usize, usize), next: usize) -> bool {
        let Some(column) = self.columns.get(next) else {
            // Behind the columns labels stand beside labels.
            let Some(last) = self.columns.last() else { return false };
            return self.columns.first().is_some_and(|c| c.free)
                && from > last.run.1
                && word.text.starts_with(|c: char| c.is_ascii_alphabetic());
        };
        let run = column.run;
        let last = next + 1 == self.columns.len();
        if from < run.0 || to > run.1 && !(last && column.text) {
            return false;
        }
        if column.free {
            return column.lets_end(word, to);
        }
        let kind = if word.number { column.number } else { column.text };
        let left = from == run.0 && column.text;
        match self.care.place {
            Place::AtEdges if word.number => to == run.1 && column.number || left && !column.number,
            Place::AtEdges => left || to == run.1 && column.right,
            Place::NearEdges => {
                kind && (to == run.1 || to + 1 == run.1) || column.text && (left || from == run.0 + 1)
            }
            Place::Inside => kind || column.text,
        }
    }
}

/// A table whose rows are looked for.
struct Table {
    first: Vec<Column>,
    /// Those of the second line of each row.
    second: Option<Vec<Column>>,
    statements: bool,
    /// Are its headings those of the table as printed?
    told: bool,
}

impl Table {
    /// Do the columns of two tables stand at the same places?
    fn stands_as(&self, other: &Self) -> bool {
        let runs = |columns: &[Column]| columns.iter().map(|c| c.run).collect::<Vec<_>>();
        let both = |a: &Option<Vec<Column>>, b: &Option<Vec<Column>>| match (a, b) {
            (Some(a), Some(b)) => runs(a) == runs(b),
            (None, None) => true,
            _ => false,
        };
        runs(&self.first) == runs(&other.first) && both(&self.second, &other.second)
    }
}

/// A row under its columns.
struct Row {
    text: String,
    /// Does its first column hold anything?
    named: bool,
    /// Is it known where each word stood?
    exact: bool,
}

/// A line of the text that is written.
struct Written<'l> {
    number: u32,
    text: Cow<'l, str>,
}

struct Writer<'l> {
    lines: &'l [&'l str],
    raw: Vec<&'l str>,
    tabs: Vec<Tab>,
    out: Vec<Written<'l>>,
    doubts: Vec<Doubt>,
    first: u32,
    rows: u32,
    /// Was the last row left out: then what goes on with it is, too?
    dropped: bool,
    /// The columns of the last table.
    columns: Vec<(usize, usize)>,
}

fn number_of(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// The head of a table: where its headings begin and end, as they stood, and the table.
struct Head {
    start: usize,
    body: usize,
    lines: Vec<String>,
    table: Table,
}

impl<'l> Writer<'l> {
    fn write(&mut self) {
        let mut i = 0;
        while i < self.lines.len() {
            if self.is_ruler(i) {
                i = self.table(i);
                continue;
            }
            self.keep(i);
            i += 1;
        }
    }

    fn finish(self, width: usize) -> PutBack {
        let mut text = String::with_capacity(self.out.iter().map(|l| l.text.len() + 1).sum());
        let mut numbers = Vec::with_capacity(self.out.len());
        for line in &self.out {
            text.push_str(&line.text);
            text.push('\n');
            numbers.push(line.number);
        }
        PutBack { text, numbers, doubts: self.doubts, line: self.first, rows: self.rows, width }
    }

    /// A single run of dashes underlines a title, or is the first ruler of a table that releases print.
    fn is_ruler(&self, at: usize) -> bool {
        self.lines.get(at).is_some_and(|line| {
            line.len() <= LONGEST
                && is_ruler(line)
                && (line.trim_ascii().contains(' ') || self.known_heads(at).next().is_some())
        }) && !self.is_end(at)
    }

    /// Rules that end a table may have lost the blanks that tell them from rulers.
    fn is_end(&self, at: usize) -> bool {
        const LONG: usize = 50;
        self.lines.get(at).is_some_and(|line| {
            let rule = line.trim_ascii_start();
            is_end_rule(line)
                || line.len() > rule.len() && rule.len() >= LONG && rule.bytes().all(|b| b == b'-')
        })
    }

    /// A line as it stands.
    fn keep(&mut self, at: usize) {
        let text = if self.is_end(at) { Cow::Borrowed(END) } else { Cow::Borrowed(self.raw[at].trim_end()) };
        self.out.push(Written { number: number_of(at), text });
    }

    fn put(&mut self, at: usize, text: String) {
        self.out.push(Written { number: number_of(at), text: Cow::Owned(text) });
        if self.rows == 0 {
            self.first = number_of(at);
        }
        self.rows += 1;
    }

    /// Leaves a row out.
    fn leave_out(&mut self, doubt: &mut Option<Doubt>, at: usize) {
        let own = doubt.get_or_insert(Doubt { line: number_of(at), rows: 0, section: None, why: WHY });
        own.rows += 1;
    }

    /// Writes the table whose first ruler stands at `at`; returns the line to go on with.
    fn table(&mut self, at: usize) -> usize {
        let Some(mut head) = self.head(at) else {
            // Where its columns stand is unknown, and so is what stands under them.
            self.keep(at);
            let table = Table { first: Vec::new(), second: None, statements: false, told: false };
            return self.rows_of(at + 1, &table);
        };
        let columns: Vec<(usize, usize)> = head.table.first.iter().map(|c| c.run).collect();
        if columns != self.columns {
            self.dropped = false;
            self.columns = columns;
        }
        self.find_label_end(&mut head);
        // Its headings were written as they stand.
        while self
            .out
            .last()
            .is_some_and(|line| line.number > number_of(head.start) - 1 && line.number <= number_of(at))
        {
            self.out.pop();
        }
        for (index, line) in (head.start..).zip(head.lines) {
            self.out.push(Written { number: number_of(index), text: Cow::Owned(line) });
        }
        self.rows_of(head.body, &head.table)
    }

    /// Does the table at hand end before a line?
    fn ends(&self, at: usize) -> bool {
        let line = self.lines[at];
        self.is_end(at)
            || line.contains("DB/Inst:")
            || line.contains(" for DB:")
            || self.lines.get(at + 1).is_some_and(|below| {
                let below = below.trim_ascii();
                below.starts_with("~~~")
            })
    }

    /// Is a ruler coming before the next blank line?
    fn is_heading(&self, at: usize) -> bool {
        (at..at + MOST_HEADINGS + 1)
            .take_while(|at| self.lines.get(*at).is_some_and(|line| !line.is_empty()))
            .any(|at| self.is_ruler(at))
    }

    fn rows_of(&mut self, from: usize, table: &Table) -> usize {
        let mut doubt = None;
        let mut i = from;
        let mut names: Option<usize> = None;
        while i < self.lines.len() && !self.ends(i) {
            let line = self.lines[i];
            let after_gap = self.lines[i - 1].is_empty() || self.is_ruler(i - 1);
            if line.is_empty() {
                self.keep(i);
                i += 1;
                if !table.told {
                    break;
                }
                continue;
            }
            if line.trim_ascii_start().starts_with("->") {
                while i < self.lines.len() && !self.lines[i].is_empty() && !self.is_heading(i) {
                    self.keep(i);
                    i += 1;
                }
                continue;
            }
            if self.is_ruler(i) || after_gap && self.is_heading(i) {
                break;
            }
            if !table.told {
                if words_of(line).any(|w| w.number) {
                    self.leave_out(&mut doubt, i);
                }
            } else if table.statements {
                self.statement(i, table, after_gap, &mut doubt);
            } else if let Some(second) = &table.second {
                names = self.line_of_two(i, (&table.first, second), names, &mut doubt);
            } else {
                self.row(i, table, after_gap, &mut doubt);
            }
            i += 1;
        }
        if names.is_some() {
            self.out.pop();
        }
        self.doubts.extend(doubt);
        i
    }

    /// A row of one line.
    fn row(&mut self, at: usize, table: &Table, after_gap: bool, doubt: &mut Option<Doubt>) {
        let line = self.lines[at];
        if let Some(label) = label_line(line) {
            self.out.push(Written { number: number_of(at), text: Cow::Owned(label) });
            return;
        }
        let labels = table.first.first().is_some_and(|c| c.free);
        if let Some(row) = self.put_in(line, &table.first)
            && (row.named || !self.dropped)
        {
            self.dropped &= !row.named;
            self.put(at, row.text);
            return;
        }
        let mut words = words_of(line);
        let indented = words.next().is_some_and(|first| first.from > 0);
        if !indented && !words_of(line).any(|w| w.number) {
            // Words that go beyond their column.
            if !self.dropped {
                self.keep(at);
            }
            return;
        }
        if indented && !labels && !after_gap && !self.dropped && words.count() < 2 {
            // What goes on with the row above, which is none without it.
            self.out.pop();
            self.leave_out(doubt, at - 1);
        }
        self.leave_out(doubt, at);
        self.dropped = true;
    }

    /// A line of one of the statements in a list.
    fn statement(&mut self, at: usize, table: &Table, after_gap: bool, doubt: &mut Option<Doubt>) {
        let line = self.lines[at];
        let is_row = is_row_of_statement(line);
        if is_row && let Some(row) = self.put_in(line, &table.first) {
            self.put(at, row.text);
            self.dropped = false;
        } else if is_row {
            self.leave_out(doubt, at);
            if !after_gap && !self.dropped {
                // It may be of the text above.
                self.out.push(Written { number: number_of(at), text: Cow::Borrowed("...") });
            }
            self.dropped = true;
        } else if !self.dropped {
            self.keep(at);
        }
    }

    /// A line of a row of two; returns the first of them where its second one is to come.
    fn line_of_two(
        &mut self,
        at: usize,
        (first, second): (&[Column], &[Column]),
        names: Option<usize>,
        doubt: &mut Option<Doubt>,
    ) -> Option<usize> {
        let line = self.lines[at];
        let indented = line.starts_with(' ');
        // How far a line of words is set in says which of the two it is.
        let sure =
            |row: &Row| row.exact || !indented || words_of(line).next().is_some_and(|word| word.number);
        if (names.is_some() || indented)
            && let Some(row) = self.put_in(line, second).filter(sure)
        {
            if self.dropped && names.is_none() {
                self.leave_out(doubt, at);
            } else {
                self.put(at, row.text);
                self.dropped = false;
            }
            return None;
        }
        if names.is_some() {
            // Without their numbers the names above are no row.
            self.out.pop();
            self.leave_out(doubt, at);
            self.dropped = true;
            return None;
        }
        match self.put_in(line, first).filter(sure) {
            Some(row) => {
                self.put(at, row.text);
                self.dropped = false;
                Some(at)
            }
            None => {
                self.leave_out(doubt, at);
                self.dropped = true;
                None
            }
        }
    }

    /// The columns of the words of a row, however tabs were shown.
    fn columns_of(&self, words: &[Word<'_>], columns: &[Column], care: Care) -> Told {
        self.tabs.iter().fold(Told::None, |found, tab| {
            match (found, columns_of(words, *tab, columns, care)) {
                (found, Told::None) => found,
                (Told::None, told) => told,
                (found, told) if found == told => found,
                _ => Told::Several,
            }
        })
    }

    /// A line with its cells under their columns; `None` where it cannot be told which.
    fn put_in(&self, line: &str, columns: &[Column]) -> Option<Row> {
        if line.len() > LONGEST {
            return None;
        }
        let words: Vec<Word<'_>> = words_of(line).collect();
        let ways = |care| self.columns_of(&words, columns, care);
        let places = [Place::AtEdges, Place::NearEdges, Place::Inside];
        let (found, place) = places.into_iter().find_map(|place| match ways(Care::with(place)) {
            Told::Several => Some((ways(Care { filled: true, ..Care::with(place) }), place)),
            Told::None => None,
            told => Some((told, place)),
        })?;
        let Told::One(found) = found else { return None };
        let exact = match ways(Care { exact: true, ..Care::with(place) }) {
            Told::One(exact) => Some(exact),
            _ => None,
        };
        let named = found.first().is_some_and(|first| first.column == 0);
        Some(Row {
            text: laid_out(line, &words, &found, exact.as_deref(), columns),
            named,
            exact: exact.is_some(),
        })
    }

    /// The head of the table whose first ruler stands at `at`.
    fn head(&self, at: usize) -> Option<Head> {
        let mut best: Option<((usize, usize), Head)> = None;
        for head in self.known_heads(at) {
            let fits = (self.fits(&head, Place::AtEdges), self.fits(&head, Place::NearEdges));
            match &mut best {
                Some((most, _)) if *most > fits => {}
                // Releases print the same words at other places: which of them it is tells where the columns are.
                Some((most, found)) if *most == fits => {
                    found.table.told &= found.table.stands_as(&head.table);
                }
                _ => best = Some((fits, head)),
            }
        }
        best.map(|(_, head)| head).or_else(|| self.unknown(at))
    }

    /// The heads of known tables whose first ruler a line is.
    fn known_heads(&self, at: usize) -> impl Iterator<Item = Head> {
        let known = self.lines.get(at).and_then(|line| BY_RULER.get(&words(line)));
        known.into_iter().flatten().filter_map(move |table| self.known(at, &TABLES[*table]))
    }

    /// Labels end at one place, which is the only one at which all of the first ones can.
    fn find_label_end(&self, head: &mut Head) {
        const ROWS: usize = 16;
        const LEAST: usize = 4;
        let Some(label) = head.table.first.first().copied().filter(|c| c.free && c.run.0 == 0) else {
            return;
        };
        let mut labels = Vec::new();
        for at in (head.body..self.lines.len())
            .take(ROWS)
            .take_while(|at| !self.ends(*at) && !self.lines[*at].is_empty())
        {
            let words: Vec<Word<'_>> = words_of(self.lines[at]).collect();
            match words.iter().position(|word| word.text.ends_with(':')) {
                Some(end) if words.get(end + 1).is_some_and(|word| word.number) => {
                    labels.push(words[..=end].to_vec())
                }
                _ => {}
            }
        }
        let fits = |end: usize| {
            let column = [Column { ends: Some(end), ..label }];
            let can = |words: &&Vec<Word<'_>>| {
                self.columns_of(words, &column, Care::with(Place::Inside)) != Told::None
            };
            labels.iter().filter(can).count()
        };
        let mut ends = (1..=label.run.1).filter(|end| fits(*end) == labels.len());
        if labels.len() >= LEAST
            && let Some(end) = ends.next()
            && ends.next().is_none()
            && let Some(own) = head.table.first.first_mut()
        {
            own.ends = Some(end);
        }
    }

    /// How many of the first rows can stand in a table.
    fn fits(&self, head: &Head, place: Place) -> usize {
        const ROWS: usize = 12;
        let of = |line: &str, columns: &[Column]| {
            let words: Vec<Word<'_>> = words_of(line).collect();
            self.columns_of(&words, columns, Care::with(place)) != Told::None
        };
        (head.body..self.lines.len())
            .take_while(|at| !self.ends(*at))
            .map(|at| self.lines[at])
            .filter(|line| !line.is_empty())
            .take(ROWS)
            .filter(|line| {
                of(line, &head.table.first)
                    || head.table.second.as_ref().is_some_and(|second| of(line, second))
            })
            .count()
    }

    /// That of a table which releases are known to print, if its words stand there.
    fn known(&self, at: usize, known: &KnownTable) -> Option<Head> {
        let start = at.checked_sub(known.ruler)?;
        let body = start + known.head.len();
        let own = self.lines.get(start..body)?;
        let same = own.iter().zip(&known.head).all(|(own, head)| words(own) == words(head));
        if !same {
            return None;
        }
        let column = |c: &super::known_tables::KnownColumn| {
            let number = c.holds == Holds::Number;
            Column {
                run: c.run,
                text: !number,
                number: number || c.holds == Holds::DayAndTime,
                free: c.holds == Holds::DayAndTime,
                right: matches!(c.holds, Holds::Word),
                name: false,
                ends: None,
            }
        };
        let mut columns: Vec<Column> = known.columns.iter().map(column).collect();
        let last = known.head.last()?;
        let indent = blanks::indent(last.as_bytes());
        if indent > 1 || last.starts_with('~') {
            columns.first_mut()?.free = true;
        }
        let labels = columns.first().is_some_and(|c| c.free);
        for (at, (own, of)) in columns.iter_mut().zip(&known.columns).enumerate() {
            own.name = at < 1 + usize::from(labels) && !of.blank;
        }
        let names: Vec<Column> = known.names.iter().map(column).collect();
        let names = if known.shape == Shape::TwoLines && names.is_empty() {
            vec![Column { free: true, ..Column::unknown((0, LONGEST)) }]
        } else {
            names
        };
        let (first, second) = if names.is_empty() { (columns, None) } else { (names, Some(columns)) };
        let statements = known.shape == Shape::Statements;
        Some(Head {
            start,
            body,
            lines: known.head.iter().map(|line| (*line).to_owned()).collect(),
            table: Table { first, second, statements, told: true },
        })
    }

    /// Those of a table that is not known, by its rulers and headings.
    fn unknown(&self, at: usize) -> Option<Head> {
        let line = self.lines[at];
        let lower = (at + 2..=at + MOST_HEADINGS)
            .take_while(|below| self.lines.get(*below - 1).is_some_and(|line| !line.is_empty()))
            .find(|below| self.is_ruler(*below))
            .filter(|below| !self.lines[at + 1..*below].iter().any(|line| words_of(line).any(|w| w.number)));
        let start = (0..at)
            .rev()
            .take(MOST_HEADINGS)
            .take_while(|above| {
                let line = self.lines[*above];
                !line.is_empty() && !line.trim_ascii_start().starts_with("->") && !line.contains("DB/Inst:")
            })
            .last()
            .unwrap_or(at);
        let runs = self.placed(line)?;
        let mut lines = Vec::new();
        let mut told = true;
        let mut add = |from: usize, ruler: usize, runs: &[(usize, usize)]| {
            let columns: Vec<Column> = runs.iter().copied().map(Column::unknown).collect();
            for heading in &self.lines[from..ruler] {
                let words: Vec<Word<'_>> = words_of(heading).collect();
                let care = Care::with(Place::Inside);
                match self.columns_of(&words, &columns, care) {
                    Told::One(found) => {
                        let exact = self.columns_of(&words, &columns, Care { exact: true, ..care });
                        let exact = if let Told::One(exact) = &exact { Some(exact.as_slice()) } else { None };
                        lines.push(laid_out(heading, &words, &found, exact, &columns));
                    }
                    _ => {
                        told = false;
                        lines.push((*heading).to_owned());
                    }
                }
            }
            let mut line = String::new();
            for run in runs {
                line.extend(std::iter::repeat_n(' ', run.0 - line.len()));
                line.extend(std::iter::repeat_n('-', run.1 - run.0));
            }
            lines.push(line);
        };
        add(start, at, &runs);
        let second = match lower {
            Some(lower) => {
                let second = self.placed(self.lines[lower])?;
                add(at + 1, lower, &second);
                Some(second)
            }
            None => None,
        };
        let columns = |runs: Vec<(usize, usize)>| -> Vec<Column> {
            let mut columns: Vec<Column> = runs.into_iter().map(Column::unknown).collect();
            if let Some(label) = columns.first().map(|c| c.run.0).filter(|from| *from > 1) {
                columns.insert(0, Column { free: true, ..Column::unknown((0, label - 1)) });
            }
            columns
        };
        let title = (start.saturating_sub(12)..start)
            .rev()
            .map(|above| self.lines[above])
            .find(|line| line.contains("DB/Inst:"));
        let statements = title.is_some_and(|title| title.starts_with("SQL ordered"));
        Some(Head {
            start,
            body: lower.unwrap_or(at) + 1,
            lines,
            table: Table { first: columns(runs), second: second.map(columns), statements, told },
        })
    }

    /// Where the runs of a ruler stood; `None` where that cannot be told.
    fn placed(&self, line: &str) -> Option<Vec<(usize, usize)>> {
        let mut runs = Vec::new();
        let (mut end, mut shown) = (0, 0);
        let mut places = Vec::new();
        for word in words_of(line) {
            let gap = word.from - shown;
            let from = if gap == 1 {
                end + 1
            } else {
                places.clear();
                let mut own = Vec::new();
                for tab in &self.tabs {
                    tab.places(end, shown, gap, &mut own);
                    places.append(&mut own);
                }
                let first = *places.first()?;
                if places.iter().any(|place| *place != first) {
                    return None;
                }
                first
            };
            end = from + word.len;
            shown = word.from + word.len;
            runs.push((from, end));
        }
        (!runs.is_empty()).then_some(runs)
    }
}

/// Is a line nearly all numbers, as the row of a statement is?
fn is_row_of_statement(line: &str) -> bool {
    let mut words = words_of(line);
    let first = words.next().is_some_and(|w| w.number || w.text.len() == 13);
    first && {
        let numbers = words_of(line).filter(|w| w.number).count();
        let others = words_of(line).count() - numbers;
        numbers >= 2 && others <= 2
    }
}

/// Times that heads of reports print between the rows of snapshots.
fn label_line(line: &str) -> Option<String> {
    let words = line.trim_ascii();
    let label = ["Elapsed:", "DB Time:", "DB time:"].into_iter().find(|label| words.starts_with(label))?;
    let rest = words.get(label.len()..)?.trim_ascii_start();
    let (number, behind) = rest.split_once(' ')?;
    behind.starts_with("(min").then(|| match behind.contains(':') {
        true => format!("{label:>11}{number:>11} {behind}"),
        false => format!("{label:>11}{number:>20} {behind}"),
    })
}

/// A line with each word in its column.
fn laid_out(
    line: &str,
    words: &[Word<'_>],
    found: &[Stands],
    exact: Option<&[Stands]>,
    columns: &[Column],
) -> String {
    let mut out = String::with_capacity(100);
    let mut length = 0;
    let mut i = 0;
    while let Some(stands) = found.get(i).copied() {
        // Where it is known, each word for itself.
        let cells = match exact {
            Some(_) => 1,
            None => found[i..].iter().take_while(|other| other.column == stands.column).count(),
        };
        let (first, last) = (&words[i], &words[i + cells - 1]);
        let start = first.text.as_ptr() as usize - line.as_ptr() as usize;
        let end = last.text.as_ptr() as usize + last.text.len() - line.as_ptr() as usize;
        let text = line.get(start..end).unwrap_or("");
        let width = last.from + last.len - first.from;
        let from = match (exact.and_then(|exact| exact.get(i)), columns.get(stands.column)) {
            (Some(exact), _) => exact.from,
            (None, Some(c)) if c.free && c.run.0 == 0 && c.run.1 < 60 => c.run.1.saturating_sub(width),
            (None, Some(c)) if cells == 1 && first.number && c.number && !c.free => {
                c.run.1.saturating_sub(width)
            }
            (None, Some(c)) => c.run.0,
            (None, None) => length + 2,
        };
        let blanks = from.saturating_sub(length).max(usize::from(i > 0));
        out.extend(std::iter::repeat_n(' ', blanks));
        out.push_str(text);
        length += blanks + width;
        i += cells;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEAD: &str = "Event                                 Waits     Time(s)   (ms)   time Wait Class\n\
                        ------------------------------ ------------ ----------- ------ ------ ----------\n";
    const ROWS: &str = "db file sequential read             612,004       4,310      7   41.2 User I/O\n\
                        log file sync                        45,210         988     22    9.4 Commit\n\
                        DB CPU                                            3,112          29.8\n\
                        gc buffer busy acquire                  346          41    118     .4 Cluster\n";

    /// As SQL*Plus writes the line: tabs of eight, a lone blank before a stop stays.
    fn tabbed(line: &str) -> String {
        let bytes: Vec<char> = line.chars().collect();
        let mut out = String::new();
        for block in bytes.chunks(STOP) {
            let kept = block.iter().rposition(|c| *c != ' ').map_or(0, |at| at + 1);
            let tab = block.len() == STOP && kept + 1 < STOP;
            out.extend(&block[..if tab { kept } else { block.len() }]);
            out.extend(tab.then_some('\t'));
        }
        out.trim_end().to_owned()
    }

    fn shown(text: &str, width: usize) -> String {
        text.lines().map(|line| tabbed(line).replace('\t', &" ".repeat(width)) + "\n").collect()
    }

    #[test]
    fn rows_whose_tabs_were_shown_as_fewer_blanks_stood_under_the_headings_of_others() {
        let text = format!("{HEAD}{ROWS}");
        // Of a row with blank cells one blank a tab does not tell which they are.
        for (width, left_out) in [(4, 0), (2, 0), (1, 1)] {
            let found = put_back(&shown(&text, width));
            let (lines, doubts) = found.map(|found| (found.text, found.doubts.len())).unwrap_or_default();
            let back = lines.lines().filter(|line| ROWS.lines().any(|row| row == *line)).count();
            assert_eq!((back, doubts), (4 - left_out, left_out), "{width}");
        }
    }

    #[test]
    fn a_row_with_several_meanings_is_left_out_and_told() {
        // The number is of the fourth column or of the third.
        let head = "Name                       Gets   Pct Sleep Spins\n\
                    ------------------------ ------ ----- ----- -----\n";
        let row = "alpha                       120   1.5   2.5   3.5\n";
        let blank = "beta                          7          12.5\n";
        let text = format!("{head}{row}{row}{row}{blank}{row}");
        let found = put_back(&shown(&text, 2));
        let doubts = |found: &PutBack| found.doubts.iter().map(|d| (d.line, d.rows)).collect::<Vec<_>>();
        let found = found.map(|found| (found.text.replace(head, ""), doubts(&found)));
        assert_eq!(found, Some((row.repeat(4), vec![(6, 1)])));
    }

    #[test]
    fn a_text_as_printed_is_left_as_it_is() {
        assert!(put_back(&format!("{HEAD}{ROWS}")).is_none());
        // All moved by one width: that is no tab.
        let moved: String = ROWS.lines().map(|row| format!("     {row}\n")).collect();
        assert!(put_back(&format!("{HEAD}{moved}")).is_none());
        let squeezed: String = ROWS.lines().map(|row| words(row) + "\n").collect();
        assert!(put_back(&format!("{HEAD}{squeezed}")).is_none());
    }

    proptest! {
        #[test]
        fn where_a_cell_stood_is_among_its_places(
            before in 0_usize..60,
            gap in 1_usize..70,
            width in 1_usize..=6,
            stops in any::<bool>(),
        ) {
            let line = format!("{}{}x", "y".repeat(before), " ".repeat(gap));
            let mut row = String::new();
            for c in tabbed(&line).chars() {
                let blanks = match c {
                    '\t' if stops => width - row.len() % width,
                    '\t' => width,
                    _ => 0,
                };
                if blanks == 0 {
                    row.push(c);
                }
                row.extend(std::iter::repeat_n(' ', blanks));
            }
            let tab = Tab { width, stops, lone: true };
            let mut places = Vec::new();
            tab.places(before, before, row.len() - 1 - before, &mut places);
            prop_assert!(places.contains(&(before + gap)), "{places:?} {row:?}");
        }

        #[test]
        fn what_is_put_back_stood_there(
            rows in proptest::collection::vec(
                ("[a-z]{1,8}( [a-z]{1,8}){0,2}", proptest::collection::vec(proptest::option::of(0_u32..90_000), 4)),
                3..12,
            ),
            width in 1_usize..=4,
        ) {
            let mut text = String::from(HEAD);
            for (name, numbers) in &rows {
                let mut row = format!("{name:30}");
                for (number, width) in numbers.iter().zip([12, 11, 6, 6]) {
                    let number = number.map_or(String::new(), |number| number.to_string());
                    row += &format!(" {number:>width$}");
                }
                text += row.trim_end();
                text.push('\n');
            }
            if let Some(found) = put_back(&shown(&text, width)) {
                let lines: Vec<&str> = text.lines().collect();
                for (line, number) in found.text.lines().zip(&found.numbers).skip(2) {
                    prop_assert_eq!(Some(&line), lines.get(*number as usize - 1));
                }
            }
        }
    }
}
