//! Distribution of waits, printed at several resolutions, merged into one histogram an event.
//!
//! Printed as `Wait Event Histogram` with `Detail (64 msec to 2 sec)` and kin (11.2 to 12.1), with
//! `(up to 64 us)` and kin (12.2 and later), `Wait Event Histogram (Global)` (RAC). Columns: event,
//! total waits, shares by bucket. Traps: a blank share is truly zero, `.0` is below 0.05 %; shares of
//! the detail tables are of all waits of the event, while their count is of the range only; labels
//! are clipped in text; `1s` is 1,024 ms, or 1,048,576 us from 12.2; 10gR1 prints counts, not shares;
//! RAC-global prints the count in brackets where the share rounds to zero.

use super::wait_events::complete_once;
use crate::cell::{Cell, Habits, Printed, Unit, plain_number, read as read_cell};
use crate::grid::Grid;
use crate::layout::without_sort_mark;
use crate::names;
use crate::oracle::context::Context;
use rustc_hash::FxHashMap;
use spindle_facts::{HistogramBucket, Interval, SectionId, Side, SmolStr, WaitHistogram};
use std::ops::Range;

pub(crate) const TITLES: &[&str] = &["waiteventhistogram*"];

/// A row of one of the tables, before they are merged.
#[derive(Clone, Debug)]
pub(crate) struct Partial {
    event: SmolStr,
    instance_number: Option<u32>,
    line: u32,
    section: SectionId,
    /// Total waits, where the table's count is of all waits.
    waits: Option<Printed>,
    /// The total was cut before its suffix; what the wait events know of the event.
    cut_of: Option<f64>,
    /// Waits of the table's range only.
    range_waits: Option<Printed>,
    /// Which labels its buckets have.
    labels: usize,
    /// What their cells say.
    shares: Range<usize>,
}

/// The rows of all tables, before they are merged.
#[derive(Debug, Default)]
pub(crate) struct Partials {
    rows: Vec<Partial>,
    shares: Vec<Share>,
    /// Upper bounds (`None`: open) of the buckets of each table.
    labels: Vec<Vec<Option<Label>>>,
    /// Bounds are kept in microseconds (12.2 and later), not in milliseconds.
    micros: bool,
}

impl Partials {
    /// Line and section of the first row where all count the waits of a range alone, as a detail table that stands by
    /// itself: of how many waits their shares are is not printed.
    pub(crate) fn without_totals(&self) -> Option<(u32, SectionId)> {
        let ranges = self.rows.iter().all(|row| row.waits.is_none() && row.range_waits.is_some());
        self.rows.first().filter(|_| ranges).map(|row| (row.line, row.section))
    }

    fn shares(&self, row: &Partial) -> &[Share] {
        self.shares.get(row.shares.clone()).unwrap_or_default()
    }
}

/// An upper bound as printed: so many units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Label {
    count: f64,
    unit: LabelUnit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum LabelUnit {
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
}

impl Label {
    /// Oracle counts in powers of two of the unit that the release keeps.
    fn micros(self, kept_in_micros: bool) -> f64 {
        let milli = if kept_in_micros { 1_024.0 } else { 1_000.0 };
        let steps = match self.unit {
            LabelUnit::Microsecond => return self.count,
            LabelUnit::Millisecond => 1.0,
            LabelUnit::Second => 1_024.0,
            LabelUnit::Minute => 65_536.0,
            LabelUnit::Hour => 4_194_304.0,
        };
        self.count * steps * milli
    }
}

/// What a bucket's cell says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Share {
    /// Percent of the event's waits: value, low, high.
    Percent(f64, f64, f64),
    /// Waits.
    Count(f64),
    /// Waits, rounded to thousands or more: value, low, high.
    About(f64, f64, f64),
}

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let event = grid.column(&["event", "waitevent", "name"]).or(Some(0));
    let named = grid.column(&["totalwaits", "waits", "waitstotal"]);
    let is_one = |column: &usize| grid.columns.get(*column).is_some_and(|c| is_bucket(&c.name, c.key()));
    let columns: Vec<usize> = (0..grid.columns.len()).filter(is_one).collect();
    if columns.is_empty() {
        return 0;
    }
    // `Waits 64ms to 2s`: the count of the range.
    let ranged = grid
        .columns
        .iter()
        .position(|c| c.key().starts_with("waits") && c.key().len() > 5 && !c.key().contains('%'))
        .filter(|c| !columns.contains(c));
    let total = named.filter(|t| !columns.contains(t) && Some(*t) != ranged);
    let counts = !columns.iter().any(|c| grid.columns[*c].name.contains(['<', '>']));
    let leaves: Vec<&str> = columns.iter().map(|c| leaf(&grid.columns[*c].name)).collect();
    let known = [event, ranged, total, grid.instance_column()];
    let found = match without_bound(grid, &columns, &known, counts) {
        Some(message) => Err(message),
        None => ordered(&leaves, context),
    };
    let (order, labels) = match found {
        Ok(found) => found,
        Err(message) => {
            context.note(
                Some(grid.line),
                message,
                "the histograms of this table are left out; totals and averages are not touched",
            );
            return 0;
        }
    };
    let columns: Vec<usize> = order.into_iter().map(|at| columns[at]).collect();
    note_others(grid, &columns, &known, context);
    let micros = labels.iter().flatten().any(|label| label.unit == LabelUnit::Microsecond)
        || context.release() >= (12, 2) && context.kind() != spindle_facts::Kind::Statspack;
    let release = context.release();
    let mut rows = 0;
    let width = labels.len();
    // Editors drop zeros behind the point, and put one where a blank was: what others show holds for all.
    let has_tenths = |cell: &str| cell.contains(['.', ',']);
    let tenths = !counts
        && (0..grid.len())
            .any(|row| columns.iter().any(|c| grid.row(row).get(*c).is_some_and(|cell| has_tenths(cell))));
    let counted_in = |cell: &str| cell.contains('(');
    if total.is_none()
        && ranged.is_none()
        && !counts
        && !(0..grid.len()).any(|row| grid.row(row).iter().any(|cell| counted_in(cell)))
    {
        context.note(
            Some(grid.line),
            "the table has no column for the number of waits: its shares are of unknown numbers".to_owned(),
            "the histograms of this table are left out; totals and averages are not touched",
        );
        return 0;
    }
    let partials = &mut context.scratch.histograms;
    // A report prints several such tables.
    let tables = if partials.rows.is_empty() { 6 } else { 1 };
    partials.rows.reserve(tables * grid.len());
    partials.shares.reserve(tables * grid.len() * width);
    partials.labels.push(labels);
    let table = partials.labels.len() - 1;
    let mut shares = std::mem::take(&mut partials.shares);
    for row in 0..grid.len() {
        let Some(printed) = grid.cell(row, event) else {
            continue;
        };
        let listed = names::listed_event(printed).or_else(|| complete_once(grid, event, printed, release));
        context.scratch.clipped |= listed.is_none() && names::may_be_clipped(printed);
        let name = listed.unwrap_or(printed);
        let from = shares.len();
        let cells = grid.row(row);
        for column in &columns {
            // Cells that lack are blank.
            match share(cells.get(*column).map_or("", AsRef::as_ref), (counts, tenths), context.habits) {
                Some(share) => shares.push(share),
                None => break,
            }
        }
        if shares.len() - from < width {
            shares.truncate(from);
            let line = Some(grid.row_line(row));
            context.lose(1);
            context.note(
                line,
                format!("the distribution of `{name}` holds a cell that is no number"),
                "its histogram is left out; totals and averages are not touched",
            );
            continue;
        }
        if !counts && !adds_up(&shares[from..]) {
            shares.truncate(from);
            context.lose(1);
            context.note(
                Some(grid.row_line(row)),
                format!("the shares of `{name}` do not add up to 100 %: cells lack, or stand elsewhere"),
                "its histogram is left out; totals and averages are not touched",
            );
            continue;
        }
        let cut = was_cut(grid, row, total, context.habits);
        let known = if cut { known_waits(context, name) } else { 0.0 };
        let partial = Partial {
            event: listed.map_or_else(|| printed.into(), SmolStr::new_static),
            instance_number: context.instance(grid, row),
            line: grid.row_line(row),
            section: context.section,
            waits: total_waits(grid, row, total, context),
            cut_of: cut.then_some(known),
            range_waits: context.number(grid, row, ranged, Unit::Count),
            labels: table,
            shares: from..from + width,
        };
        context.scratch.histograms.rows.push(partial);
        context.scratch.histograms.micros |= micros;
        rows += 1;
    }
    context.scratch.histograms.shares = shares;
    rows
}

/// Do the shares of a row add up to 100 %, but for their rounding? Each table covers all waits.
fn adds_up(shares: &[Share]) -> bool {
    let (mut low, mut high) = (0.0, 0.0);
    for share in shares {
        match share {
            Share::Percent(_, least, most) => (low, high) = (low + least, high + most),
            Share::Count(count) | Share::About(count, ..) => high += if *count > 0.0 { 0.05 } else { 0.0 },
        }
    }
    low <= 100.1 && 99.9 <= high
}

/// Did text cut a suffix off this number of waits? Waits have no fractions: `521.6` was `521.6K`. Marks that part
/// thousands, as in `12,456`, make no fraction.
fn was_cut(grid: &Grid<'_>, row: usize, column: Option<usize>, habits: Habits) -> bool {
    let text = grid.cell(row, column).unwrap_or("");
    let text = text.as_bytes();
    let (group, point) = if habits.decimal_comma { (b'.', b',') } else { (b',', b'.') };
    match text.last() {
        Some(b'.') => true,
        Some(b'0'..=b'9') => {
            // `521,6` in an excerpt that does not tell its decimal point.
            let behind = text.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            text.contains(&point) || text.contains(&group) && behind != 3
        }
        _ => false,
    }
}

/// The number of waits; of `1991.` the fraction was cut off with the suffix.
fn total_waits(
    grid: &Grid<'_>,
    row: usize,
    column: Option<usize>,
    context: &mut Context<'_>,
) -> Option<Printed> {
    let open = grid.cell(row, column).is_some_and(|text| text.ends_with('.'));
    let waits = context.number(grid, row, column, Unit::Count)?;
    Some(if open { Printed { high: waits.value + 1.0, ..waits } } else { waits })
}

/// Waits that the wait events know of an event, by the start of its name.
fn known_waits(context: &mut Context<'_>, event: &str) -> f64 {
    let events = &context.tables().wait_event;
    let waits = |is: &dyn Fn(&str) -> bool| -> f64 {
        events.iter().filter(|e| is(&e.event)).filter_map(|e| e.waits).sum()
    };
    // `direct path read temp` is another event, not the rest of a clipped `direct path read`, also where the row of
    // that one is lost.
    if names::is_listed(event) || events.iter().any(|e| e.event == event) {
        waits(&|name| name == event)
    } else {
        waits(&|name| name.starts_with(event))
    }
}

fn is_bucket(name: &str, key: &str) -> bool {
    let leaf = leaf(name);
    leaf.starts_with(['<', '>'])
        || key.starts_with('<')
        || leaf.contains(" - ") && leaf.ends_with("ms")
        || leaf.ends_with("+ ms")
}

/// The bucket part of a heading that carries its group before it.
fn leaf(name: &str) -> &str {
    let name = without_sort_mark(name);
    name.find(['<', '>']).map_or(name, |at| &name[at..]).trim()
}

/// One cell: `12.3`, `.0`, blank, or `0.0(2210)` and `<0.01(22)` with the count in brackets; in a table of counts, or
/// one of shares whose tenths are told.
fn share(text: &str, (counts, tenths): (bool, bool), habits: Habits) -> Option<Share> {
    if text.is_empty() {
        return Some(Share::Count(0.0));
    }
    let plain = plain_number(text, Unit::Count, habits).map(Cell::Number);
    match plain.unwrap_or_else(|| read_cell(text, Unit::Count, habits)) {
        Cell::Number(p) if counts => Some(counted(p)),
        Cell::Number(p) => {
            // `100.0` and whole numbers alike are rounded to the last digit printed.
            let whole = if tenths { 0.05 } else { 0.5 };
            let half = if p.high > p.low { p.high - p.value } else { whole };
            let value = if p.value == 0.0 { half / 2.0 } else { p.value };
            Some(Share::Percent(value, (p.value - half).max(0.0), (p.value + half).min(100.0)))
        }
        // `N/A` is an unknown number, and not none.
        Cell::Blank if text.trim_ascii().is_empty() => Some(Share::Count(0.0)),
        _ => {
            let (_, count) = text.split_once('(')?;
            match read_cell(count.trim_end_matches(')'), Unit::Count, habits) {
                Cell::Number(p) => Some(counted(p)),
                _ => None,
            }
        }
    }
}

/// A number of waits, which `1234K` rounds.
fn counted(waits: Printed) -> Share {
    if waits.low == waits.high {
        Share::Count(waits.value)
    } else {
        Share::About(waits.value, waits.low, waits.high)
    }
}

/// Says which headings name no bucket though cells stand under them: pages take `<=1s   >` for a mark of their own.
fn note_others(grid: &Grid<'_>, buckets: &[usize], known: &[Option<usize>], context: &mut Context<'_>) {
    let is_filled = |column: usize| (0..grid.len()).any(|row| grid.cell(row, Some(column)).is_some());
    let first = buckets.iter().min().copied().unwrap_or(0);
    let other =
        |column: &usize| !buckets.contains(column) && !known.contains(&Some(*column)) && is_filled(*column);
    let others: Vec<String> =
        (first..grid.columns.len()).filter(other).map(|c| format!("`{}`", grid.columns[c].name)).collect();
    if !others.is_empty() {
        context.note(
            Some(grid.line),
            format!("what stands under {} is in no bucket: the heading has no bound", others.join(", ")),
            "the waits of these cells are missing from the histograms of this table",
        );
    }
}

/// What keeps a table from being read: cells under a heading that may be a bucket whose bound was lost. The sum of
/// shares tells whether one lacks, that of counts does not.
fn without_bound(
    grid: &Grid<'_>,
    buckets: &[usize],
    known: &[Option<usize>],
    counts: bool,
) -> Option<String> {
    let strange = |column: &usize| {
        !buckets.contains(column)
            && !known.contains(&Some(*column))
            && (counts || grid.columns[*column].key().is_empty())
            && (0..grid.len()).any(|row| grid.cell(row, Some(*column)).is_some())
    };
    let first = buckets.first().copied().unwrap_or(0);
    (first..grid.columns.len())
        .find(strange)
        .map(|_| "a column among the buckets has a heading without a bound".to_owned())
}

/// The order in which buckets ascend, and their bounds in that order; what is wrong with them otherwise.
fn ordered(leaves: &[&str], context: &Context<'_>) -> Result<(Vec<usize>, Vec<Option<Label>>), String> {
    if let Some(unread) = leaves.iter().find(|leaf| !is_read(leaf)) {
        return Err(format!("the bound of the buckets under `{unread}` has a unit that is not known"));
    }
    let bounds = labels(leaves);
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    if ascends(leaves, &bounds) {
        return Ok((order, bounds));
    }
    if leaves.iter().all(|leaf| is_open(leaf) || unit_of(leaf).is_empty()) {
        let told = told_labels(leaves, context);
        if ascends(leaves, &told) {
            return Ok((order, told));
        }
    }
    if let Some(bare) = leaves.iter().find(|leaf| !is_open(leaf) && unit_of(leaf).is_empty()) {
        return Err(format!("the unit of the buckets under `{bare}` is unknown"));
    }
    // Columns were moved: units that each bound names itself tell their order, those that follow from the bucket
    // before do not.
    let sure = |leaf: &&str| match unit_of(leaf) {
        _ if is_open(leaf) => true,
        // Minutes; greater ones are clipped milliseconds.
        "m" | "min" => count_of(number_and_unit(bound_of(leaf)).0).is_some_and(|count| count < 16.0),
        unit => units(unit).is_some_and(|units| units.len() == 1),
    };
    if leaves.iter().all(sure) {
        let own = |leaf: &&str| if is_open(leaf) { None } else { label(bound_of(leaf), None) };
        let bounds: Vec<Option<Label>> = leaves.iter().map(own).collect();
        let edge = |at: usize| bounds[at].map_or(f64::INFINITY, |label| label.micros(true));
        order.sort_by(|a, b| edge(*a).total_cmp(&edge(*b)));
        let sorted: Vec<Option<Label>> = order.iter().map(|at| bounds[*at]).collect();
        let leaves: Vec<&str> = order.iter().map(|at| leaves[*at]).collect();
        if ascends(&leaves, &sorted) {
            return Ok((order, sorted));
        }
    }
    Err("the bounds of the buckets do not ascend".to_owned())
}

/// Is every bucket but the last closed, does each bound lie above the one before, and, where units were lost, does
/// the last bucket begin where the one before it ends?
fn ascends(leaves: &[&str], bounds: &[Option<Label>]) -> bool {
    let closed = bounds.iter().take_while(|bound| bound.is_some()).count();
    let last = closed.checked_sub(1).and_then(|at| bounds[at]);
    let opens = match leaves.get(closed..) {
        Some([]) => true,
        Some([open]) => {
            let number = count_of(number_and_unit(bound_of(open)).0);
            let follows = number.is_none_or(|n| last.is_none_or(|last| last.count == n));
            is_open(open) && (follows || leaves.iter().all(|leaf| !unit_of(leaf).is_empty()))
        }
        _ => false,
    };
    opens
        && bounds[..closed].windows(2).all(|pair| match pair {
            [Some(a), Some(b)] => a.micros(true) < b.micros(true),
            _ => false,
        })
}

/// Is a bucket open to the top?
fn is_open(leaf: &str) -> bool {
    leaf.starts_with('>') || leaf.contains('+')
}

/// The bound in a heading, with its unit.
fn bound_of(leaf: &str) -> &str {
    let text = if leaf.contains('-') { leaf.rsplit(" - ").next().unwrap_or(leaf) } else { leaf };
    text.trim_start_matches(['<', '>', '=', ' '])
}

/// The unit in a heading.
fn unit_of(leaf: &str) -> &str {
    number_and_unit(bound_of(leaf)).1
}

/// Bounds of headings that lost all their units, as the range in the title or the release tells them: each is twice
/// the one before, but for the second of the older releases.
fn told_labels(leaves: &[&str], context: &Context<'_>) -> Vec<Option<Label>> {
    use LabelUnit::{Hour, Microsecond, Millisecond, Minute, Second};
    let counts: Vec<Option<f64>> = leaves.iter().map(|leaf| count_of(bound_of(leaf))).collect();
    let closed = leaves.iter().take_while(|leaf| !is_open(leaf)).count();
    let mut told = vec![None; leaves.len()];
    let Some(last) = closed.checked_sub(1) else { return told };
    let mut fill = |up_to: usize, top: Label| {
        let mut next = Some(top);
        for at in (0..up_to).rev() {
            let bound = |unit| counts[at].map(|count| Label { count, unit });
            // The bound that is half of the one above.
            let half = |label: &Label| next.is_some_and(|n| label.micros(true) * 2.0 == n.micros(true));
            next = [Microsecond, Millisecond, Second, Minute, Hour].into_iter().filter_map(bound).find(half);
            told[at] = next;
        }
        told[up_to] = counts[up_to].filter(|count| *count == top.count).map(|_| top);
    };
    let title = context.report.section_title(context.section);
    let range =
        title.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(range, _)| range);
    if let Some((_, top)) = range.rsplit_once("to ") {
        if let Some(top) = label(top.trim(), None) {
            fill(last, top);
        }
        return told;
    }
    let in_micros = context.release() >= (12, 2) && context.kind() != spindle_facts::Kind::Statspack;
    match (context.title, leaves.len()) {
        ("waiteventhistogram", 8) if in_micros => fill(last, Label { count: 512.0, unit: Microsecond }),
        ("waiteventhistogram", 8) if context.release() > (0, 0) && counts[last] == Some(1.0) => {
            fill(last - 1, Label { count: 32.0, unit: Millisecond });
            told[last] = Some(Label { count: 1.0, unit: Second });
        }
        ("waiteventhistogramglobal", 22) if in_micros => fill(last, Label { count: 1.0, unit: Second }),
        _ => {}
    }
    told
}

/// Upper bounds of the buckets; clipped units follow from the bucket before. Without any unit they follow from
/// nothing.
fn labels(leaves: &[&str]) -> Vec<Option<Label>> {
    let mut previous: Option<f64> = None;
    let mut found = Vec::with_capacity(leaves.len());
    let headed = leaves.iter().any(|leaf| !is_open(leaf) && !unit_of(leaf).is_empty());
    for (index, leaf) in leaves.iter().enumerate() {
        let last = index + 1 == leaves.len();
        if is_open(leaf) || !headed {
            found.push(None);
            continue;
        }
        let label = label(bound_of(leaf), previous);
        if let Some(label) = label {
            previous = Some(label.micros(false));
        }
        found.push(label.filter(|_| !last || leaf.starts_with('<') || leaf.contains(" - ")));
    }
    mend_clipped(leaves, &mut found);
    found
}

/// A bound that lost its unit follows from the ones beside it, of which one at least has its own: it is half or
/// twice of them, or the only one between them. Else it is unknown.
fn mend_clipped(leaves: &[&str], found: &mut [Option<Label>]) {
    let bare = |leaf: &&str| !is_open(leaf) && unit_of(leaf).is_empty();
    if !leaves.iter().any(bare) {
        return;
    }
    for (leaf, label) in leaves.iter().zip(found.iter_mut()) {
        if bare(leaf) {
            *label = None;
        }
    }
    let candidates = |leaf: &str| {
        let count = count_of(bound_of(leaf));
        let units: &[LabelUnit] =
            &[LabelUnit::Microsecond, LabelUnit::Millisecond, LabelUnit::Second, LabelUnit::Minute];
        units
            .iter()
            .filter_map(move |unit| count.map(|count| Label { count, unit: *unit }))
            .collect::<Vec<_>>()
    };
    // Twice the one before, from the left; half of the one behind, from the right.
    for at in (1..found.len()).filter(|at| bare(&leaves[*at])) {
        if let Some(before) = found[at - 1] {
            found[at] =
                candidates(leaves[at]).into_iter().find(|l| l.micros(true) == 2.0 * before.micros(true));
        }
    }
    for at in (0..found.len().saturating_sub(1)).rev().filter(|at| bare(&leaves[*at])) {
        if let (None, Some(behind)) = (found[at], found[at + 1]) {
            found[at] =
                candidates(leaves[at]).into_iter().find(|l| 2.0 * l.micros(true) == behind.micros(true));
        }
    }
    for at in (1..found.len().saturating_sub(1)).filter(|at| bare(&leaves[*at])) {
        if let (Some(before), None, Some(behind)) = (found[at - 1], found[at], found[at + 1]) {
            let (low, high) = (before.micros(true), behind.micros(true));
            let mut between =
                candidates(leaves[at]).into_iter().filter(|l| low < l.micros(true) && l.micros(true) < high);
            found[at] = between.next().filter(|_| between.next().is_none());
        }
    }
}

/// Microseconds from which on a bound is no time that a wait takes: eleven days.
const NO_WAIT_US: f64 = 1e12;

/// The number of a bound, and the unit behind it.
fn number_and_unit(text: &str) -> (&str, &str) {
    let digits = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'/').count();
    let (number, unit) = text.split_at(digits);
    (number, unit.trim())
}

/// The number of a bound, which may be `1/4`.
fn count_of(number: &str) -> Option<f64> {
    Some(match number.split_once('/') {
        Some((a, b)) => a.parse::<f64>().ok()? / b.parse::<f64>().ok()?,
        None => number.parse().ok()?,
    })
}

/// Does a heading of a bucket, where it is one, name a unit that is known, or that was cut off?
fn is_read(leaf: &str) -> bool {
    if !leaf.starts_with('<') && !leaf.contains(" - ") {
        return true;
    }
    let (number, unit) = number_and_unit(bound_of(leaf));
    !number.is_empty() && (unit.is_empty() || matches!(unit, "m" | "min") || units(unit).is_some())
}

/// The unit that stands behind a bound; minutes may be clipped milliseconds.
fn units(unit: &str) -> Option<&'static [LabelUnit]> {
    Some(match unit {
        // Clipped at the edge of its column.
        "" => &[LabelUnit::Microsecond, LabelUnit::Millisecond, LabelUnit::Second],
        "u" | "us" | "usec" | "\u{b5}s" | "\u{3bc}s" => &[LabelUnit::Microsecond],
        "ms" | "msec" => &[LabelUnit::Millisecond],
        "s" | "sec" => &[LabelUnit::Second],
        "h" | "hr" => &[LabelUnit::Hour],
        _ => return None,
    })
}

fn label(text: &str, previous: Option<f64>) -> Option<Label> {
    let (number, unit) = number_and_unit(text);
    let count = count_of(number)?;
    let candidates: &[LabelUnit] = match unit {
        // `< 2m` opens the table up to an hour; `32m` is a clipped `32ms` only after lesser bounds.
        "m" | "min" if previous.is_none() => &[LabelUnit::Minute],
        "m" | "min" => &[LabelUnit::Millisecond, LabelUnit::Minute],
        unit => units(unit)?,
    };
    // The least bound that is above the one before: labels ascend.
    let above = |unit: &&LabelUnit| {
        let micros = Label { count, unit: **unit }.micros(false);
        previous.is_none_or(|p| micros > p)
    };
    let label = candidates.iter().find(above).map(|unit| Label { count, unit: *unit });
    // Digits without end are infinite, or nothing over nothing.
    label.filter(|label| label.micros(true) < NO_WAIT_US)
}

/// One histogram an event from all tables that print it, in the order of their first rows.
pub(crate) fn merge(mut partials: Partials) -> Vec<WaitHistogram> {
    let micros = partials.micros;
    let edge = |label: &Option<Label>| label.map_or(f64::INFINITY, |l| l.micros(micros));
    let upper = partials.labels.iter().map(|labels| labels.iter().map(edge).collect()).collect();
    let mut merger = Merger { upper, ..Merger::default() };
    let (firsts, next) = chains(&partials.rows);
    let mut merged: Vec<WaitHistogram> = Vec::with_capacity(firsts.len());
    // The row that names each.
    let mut named = Vec::with_capacity(firsts.len());
    let mut rows = Vec::new();
    for first in firsts {
        rows.clear();
        rows.extend(std::iter::successors(Some(first), |row| next[*row]));
        let group = rows.as_slice();
        let section = |i: &usize| partials.rows[*i].section;
        let repeats =
            group.iter().enumerate().any(|(n, i)| group[..n].iter().any(|j| section(i) == section(j)));
        let parts = if repeats { split_repeats(group, &partials.rows) } else { Vec::new() };
        let parts = parts.iter().map(Vec::as_slice).chain((!repeats).then_some(group));
        for part in parts {
            if let (Some(histogram), Some(first)) = (merger.event(part, &partials), part.first()) {
                merged.push(histogram);
                named.push(*first);
            }
        }
    }
    for (histogram, row) in merged.iter_mut().zip(named) {
        histogram.event = std::mem::take(&mut partials.rows[row].event);
    }
    merged
}

/// Rows of one event, chained: the first of each, in printed order, and the one that follows each.
fn chains(partials: &[Partial]) -> (Vec<usize>, Vec<Option<usize>>) {
    let mut firsts = Vec::new();
    let mut next = vec![None; partials.len()];
    let mut last: FxHashMap<(&str, Option<u32>), usize> = FxHashMap::default();
    last.reserve(partials.len());
    for (row, partial) in partials.iter().enumerate() {
        match last.insert((&partial.event, partial.instance_number), row) {
            Some(before) => next[before] = Some(row),
            None => firsts.push(row),
        }
    }
    (firsts, next)
}

/// Two events that share one clipped name stand twice in the same table: they are kept apart.
fn split_repeats(group: &[usize], partials: &[Partial]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for row in group {
        match found.iter_mut().find(|g| g.iter().all(|i| partials[*i].section != partials[*row].section)) {
            Some(own) => own.push(*row),
            None => found.push(vec![*row]),
        }
    }
    found
}

/// A bucket of the finest partition, with the share as bounds.
struct Part {
    low: f64,
    high: f64,
    bounds: Bounds,
    line: u32,
}

/// A count that lost its suffix at the column's edge (11.2: `193.8` for 193.8K); `M` where a part of
/// the waits is more than `K` would make of all.
fn with_suffix(total: Printed, part: f64) -> Printed {
    // The events may count a few more waits than the histogram: far from the factor of a thousand.
    total.scaled(if part > 2e3 * total.high { 1e6 } else { 1e3 })
}

/// A report prints some six tables, of which an event stands in some or all.
const MOST_EDGES: usize = 16;

/// The edges of some tables, all together.
struct Edges {
    /// Labels of the tables.
    labels: Vec<usize>,
    /// All their upper bounds, ascending.
    all: Vec<f64>,
    /// Where the bounds of each table ascend: what tells the share between two edges, for each.
    steps: Option<Vec<Step>>,
}

/// What tells the share between an edge and the next.
struct Step {
    low: f64,
    high: f64,
    /// The first table that prints this very bucket, and which of its buckets it is.
    printed: Option<(usize, usize)>,
    /// The first table with the lower edge, and with the upper one, and how many of its buckets are below.
    below_low: Option<(usize, usize)>,
    below_high: Option<(usize, usize)>,
}

/// What tells the share between each two edges of tables that ascend.
fn steps(tables: &[&[f64]], all: &[f64]) -> Vec<Step> {
    let mut at = vec![0; tables.len()];
    let (mut low, mut below_low) = (0.0, (!tables.is_empty()).then_some((0, 0)));
    let mut steps = Vec::with_capacity(all.len());
    for high in all.iter().copied() {
        let (mut printed, mut below_high) = (None, None);
        for (table, (edges, at)) in tables.iter().zip(&mut at).enumerate() {
            // Every edge of a table is among all edges: none is jumped over.
            if edges.get(*at) != Some(&high) {
                continue;
            }
            let from = at.checked_sub(1).and_then(|before| edges.get(before)).map_or(0.0, |edge| *edge);
            if printed.is_none() && from == low {
                printed = Some((table, *at));
            }
            *at += 1;
            below_high = below_high.or(Some((table, *at)));
        }
        steps.push(Step { low, high, printed, below_low, below_high });
        (low, below_low) = (high, below_high);
    }
    steps
}

/// Merges event by event, in memory used again.
#[derive(Default)]
struct Merger<'p> {
    /// What the tables at hand say of the event, and in which line.
    rows: Vec<(&'p [Share], u32)>,
    /// Upper bounds of the buckets of each table, in microseconds.
    upper: Vec<Vec<f64>>,
    tables: Tables,
    /// The edges of each choice of tables that came: those of other events are mostly the same.
    known: Vec<Edges>,
    parts: Vec<Part>,
    counts: Vec<f64>,
    rests: Vec<(usize, f64)>,
}

impl<'p> Merger<'p> {
    /// Where the edges of the tables at hand are known, which have these labels.
    fn edges_at(&mut self, labels: impl Iterator<Item = usize> + Clone) -> usize {
        let known = self.known.iter().rposition(|edges| labels.clone().eq(edges.labels.iter().copied()));
        known.unwrap_or_else(|| {
            let found = self.find_edges(labels.collect());
            if self.known.len() >= MOST_EDGES {
                self.known.clear();
            }
            self.known.push(found);
            self.known.len() - 1
        })
    }

    /// The edges of these tables, all together.
    fn find_edges(&self, labels: Vec<usize>) -> Edges {
        let ascending = |edges: &&[f64]| {
            edges.first().is_none_or(|first| *first > 0.0) && edges.windows(2).all(|pair| pair[0] < pair[1])
        };
        let tables: Vec<&[f64]> = labels.iter().map(|table| self.edges_of(*table)).collect();
        let mut all: Vec<f64> = Vec::with_capacity(tables.iter().map(|edges| edges.len()).sum());
        // Each table ascends, so nearly every edge goes to the end, or is there.
        for edge in tables.iter().flat_map(|edges| edges.iter().copied()) {
            if all.last().is_none_or(|last| *last < edge) {
                all.push(edge);
            } else if let Err(at) = all.binary_search_by(|e| e.total_cmp(&edge)) {
                all.insert(at, edge);
            }
        }
        let steps = tables.iter().all(ascending).then(|| steps(&tables, &all));
        Edges { labels, all, steps }
    }

    /// The upper bounds of the buckets of a table.
    fn edges_of(&self, table: usize) -> &[f64] {
        self.upper.get(table).map_or(&[], Vec::as_slice)
    }

    /// The histogram of one event, still without its name.
    fn event(&mut self, rows: &[usize], partials: &'p Partials) -> Option<WaitHistogram> {
        let group = || rows.iter().map(|i| &partials.rows[*i]);
        let main = group().next()?;
        let part = group().filter_map(|p| p.range_waits).map(|r| r.low).fold(0.0, f64::max);
        let total = group().find_map(|p| {
            let known = p.cut_of.map(|known| known.max(part));
            p.waits.map(|total| known.map_or(total, |part| with_suffix(total, part)))
        });
        // Every table as upper bounds with shares; counts become shares of the total.
        let shares = partials.shares(main).iter();
        let count = |s: &Share| if let Share::Count(c) | Share::About(c, ..) = s { *c } else { 0.0 };
        let sum_of_counts: f64 = shares.clone().map(count).sum();
        let all_counts = shares.clone().all(|s| !matches!(s, Share::Percent(..)));
        let waits = total.map(|t| t.value).or((all_counts && sum_of_counts > 0.0).then_some(sum_of_counts))?;
        if waits <= 0.0 {
            return None;
        }
        let percent = |share: Share| match share {
            Share::Percent(value, low, high) => Bounds {
                value,
                low,
                high,
                printed: Some(if low == 0.0 && value < 0.1 { 0.0 } else { value }),
                waits: None,
            },
            Share::Count(count) => {
                let value = if count == 0.0 { 0.0 } else { 100.0 * count / waits };
                let exact = (count > 0.0).then_some(count);
                Bounds { value, low: value, high: value, printed: None, waits: exact }
            }
            Share::About(count, low, high) => Bounds {
                value: 100.0 * count / waits,
                low: 100.0 * low / waits,
                high: (100.0 * high / waits).min(100.0),
                printed: None,
                waits: None,
            },
        };
        let edges = self.edges_at(group().map(|p| p.labels));
        let Edges { all: edges, steps, .. } = &self.known[edges];
        let parts = &mut self.parts;
        parts.clear();
        let first_line = main.line;
        if let Some(steps) = steps {
            self.rows.clear();
            self.rows.extend(group().map(|row| (partials.shares(row), row.line)));
            let row = |table: usize| self.rows.get(table).copied().unwrap_or((&[], first_line));
            let below = |(table, buckets): (usize, usize)| {
                let (shares, line) = row(table);
                let buckets = shares.iter().take(buckets);
                (buckets.fold(NONE, |sum, share| sum.plus(&percent(*share))), line)
            };
            parts.extend(steps.iter().map(|step| {
                let printed = step.printed.and_then(|(table, at)| {
                    let (shares, line) = row(table);
                    Some((shares.get(at)?, line))
                });
                let (bounds, line) = match printed {
                    Some((share, line)) => (percent(*share), line),
                    None => between(step.below_low.map(below), step.below_high.map(below), first_line),
                };
                Part { low: step.low, high: step.high, bounds, line }
            }));
        } else {
            let tables = &mut self.tables;
            tables.clear();
            for partial in group() {
                let upper = self.upper.get(partial.labels).map_or(&[][..], Vec::as_slice);
                let shares = partials.shares(partial).iter().map(|share| percent(*share));
                tables.push(partial.line, upper.iter().copied().zip(shares));
            }
            let mut low = 0.0;
            for high in edges.iter().copied() {
                let (bounds, line) = resolve(tables, low, high);
                parts.push(Part { low, high, bounds, line });
                low = high;
            }
        }
        for partial in group() {
            let upper = self.upper.get(partial.labels).map_or(&[][..], Vec::as_slice);
            if let (Some(range), [first, .., last, _]) = (partial.range_waits, upper) {
                weigh_range(parts, *first, *last, 100.0 * range.value / waits);
            }
        }
        // Counts that are printed beside the shares stand; the shares part what is left of the total, which may be
        // rounded. Where these contradict each other, all count as shares.
        let (mut scale, mut exact, mut shared) = (0.0, 0.0, 0.0);
        for Part { bounds, .. } in parts.iter() {
            scale += bounds.value;
            match bounds.waits {
                Some(waits) => exact += waits,
                None => shared += bounds.value,
            }
        }
        if scale <= 0.0 {
            return None;
        }
        let holds = exact > 0.0 && shared > 0.0 && exact < waits;
        let (part_of, left) = if holds { (shared, waits.round() - exact) } else { (scale, waits) };
        let shares = parts.iter().map(|p| match p.bounds.waits {
            Some(_) if holds => 0.0,
            // Nearly all buckets of most events are empty.
            _ if p.bounds.value == 0.0 => 0.0,
            _ => p.bounds.value / part_of,
        });
        whole_counts(shares, left, &mut self.counts, &mut self.rests);
        if holds {
            for (count, part) in self.counts.iter_mut().zip(parts.iter()) {
                *count = part.bounds.waits.unwrap_or(*count);
            }
        }
        let (low_total, high_total) = total.map_or((waits, waits), |t| (t.low, t.high));
        let mut low_edge = 0.0;
        let buckets = parts
            .iter()
            .zip(self.counts.iter().copied())
            .map(|(part, count)| {
                // Nearly all buckets of most events are empty.
                let (waits_low, waits_high) = if part.bounds.high == 0.0 {
                    (0.0, count)
                } else if holds && part.bounds.waits.is_some() {
                    (count, count)
                } else {
                    let low = floor(low_total * part.bounds.low / 100.0).min(count).max(0.0);
                    (low, ceil(high_total * part.bounds.high / 100.0).max(count))
                };
                let bucket = HistogramBucket {
                    low_us: low_edge,
                    high_us: part.high.is_finite().then_some(part.high),
                    waits: count,
                    waits_low,
                    waits_high,
                    share_pct: part.bounds.printed,
                    share_bounds_pct: Some(Interval { low: part.bounds.low, high: part.bounds.high }),
                    line: part.line,
                };
                low_edge = part.high;
                bucket
            })
            .collect();
        Some(WaitHistogram {
            line: main.line,
            section: main.section,
            instance_number: main.instance_number,
            event: SmolStr::default(),
            side: Side::All,
            waits: Some(waits),
            buckets,
        })
    }
}

/// A share of the waits, percent, and what rounding leaves of it.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    value: f64,
    low: f64,
    high: f64,
    printed: Option<f64>,
    /// The waits themselves, where they are printed to the last one.
    waits: Option<f64>,
}

impl Bounds {
    fn plus(self, other: &Self) -> Self {
        Self {
            value: self.value + other.value,
            low: self.low + other.low,
            high: self.high + other.high,
            printed: None,
            waits: None,
        }
    }
}

/// The tables of one event: line, and buckets with upper edge and share.
#[derive(Default)]
struct Tables {
    buckets: Vec<(f64, Bounds)>,
    lines: Vec<(u32, Range<usize>)>,
}

/// No share at all.
const NONE: Bounds = Bounds { value: 0.0, low: 0.0, high: 0.0, printed: None, waits: None };

impl Tables {
    fn clear(&mut self) {
        self.buckets.clear();
        self.lines.clear();
    }

    fn push(&mut self, line: u32, buckets: impl Iterator<Item = (f64, Bounds)>) {
        let from = self.buckets.len();
        self.buckets.extend(buckets);
        self.lines.push((line, from..self.buckets.len()));
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &[(f64, Bounds)])> {
        self.lines.iter().map(|(line, buckets)| (*line, &self.buckets[buckets.clone()]))
    }
}

/// A detail table counts the waits of its range (all its buckets but the first and the last), which
/// tells more than shares that round to `.0`: the buckets of the range are made to add up to it.
fn weigh_range(parts: &mut [Part], from: f64, to: f64, share: f64) {
    let inside = |p: &Part| p.low >= from && p.high <= to;
    let (mut sum, mut others) = (0.0, 0.0);
    for part in parts.iter() {
        *(if inside(part) { &mut sum } else { &mut others }) += part.bounds.value;
    }
    if sum <= 0.0 || others <= 0.0 || share >= 100.0 {
        return;
    }
    for part in parts {
        let (sum, share) = if inside(part) { (sum, share) } else { (others, 100.0 - share) };
        // Never beyond what the printed share allows.
        part.bounds.value = (part.bounds.value * share / sum).clamp(part.bounds.low, part.bounds.high);
    }
}

/// Share of the waits between two edges: as a table prints that very bucket, else as the difference
/// of what tables print below each edge.
fn resolve(tables: &Tables, low: f64, high: f64) -> (Bounds, u32) {
    for (line, table) in tables.iter() {
        let mut from = 0.0;
        for (edge, bounds) in table {
            if from == low && *edge == high {
                return (*bounds, line);
            }
            from = *edge;
        }
    }
    let below = |edge: f64| {
        tables.iter().find_map(|(line, table)| {
            if edge == 0.0 {
                return Some((NONE, line));
            }
            let at = table.iter().position(|(e, _)| *e == edge)?;
            Some((table[..=at].iter().fold(NONE, |sum, (_, b)| sum.plus(b)), line))
        })
    };
    between(below(low), below(high), tables.lines.first().map_or(0, |t| t.0))
}

/// The share between two edges, from what is printed below each; all of it where nothing is.
fn between(lower: Option<(Bounds, u32)>, upper: Option<(Bounds, u32)>, first: u32) -> (Bounds, u32) {
    match (lower, upper) {
        (Some((a, _)), Some((b, line))) => {
            let least = (b.low - a.high).clamp(0.0, 100.0);
            let most = (b.high - a.low).clamp(0.0, 100.0);
            let value = (b.value - a.value).max(0.0);
            (Bounds { value, low: least, high: most, printed: None, waits: None }, line)
        }
        _ => (Bounds { high: 100.0, ..NONE }, first),
    }
}

/// Counts below this are rounded without a call.
const EXACT: f64 = 4e15;
/// What is added to a count below [`EXACT`] leaves no room for a fraction.
const NO_FRACTION: f64 = 4_503_599_627_370_496.0;

fn floor(n: f64) -> f64 {
    if !(0.0..EXACT).contains(&n) {
        return n.floor();
    }
    let nearest = (n + NO_FRACTION) - NO_FRACTION;
    if nearest > n { nearest - 1.0 } else { nearest }
}

fn ceil(n: f64) -> f64 {
    if !(0.0..EXACT).contains(&n) {
        return n.ceil();
    }
    let whole = floor(n);
    if whole < n { whole + 1.0 } else { whole }
}

/// Whole numbers in these proportions that add up to the total (largest remainders).
fn whole_counts(
    shares: impl Iterator<Item = f64>,
    total: f64,
    counts: &mut Vec<f64>,
    rests: &mut Vec<(usize, f64)>,
) {
    let total = total.round();
    counts.clear();
    rests.clear();
    let mut sum = 0.0;
    counts.extend(shares.enumerate().map(|(at, share)| {
        if share == 0.0 {
            return 0.0;
        }
        let part = share * total;
        let count = floor(part);
        sum += count;
        if share > 0.0 {
            rests.push((at, part - count));
        }
        count
    }));
    let mut missing = total - sum;
    // A few are missing: the largest is looked for again and again.
    while missing >= 1.0 {
        let mut largest = 0;
        for (at, rest) in rests.iter().enumerate() {
            if rest.1 > rests[largest].1 {
                largest = at;
            }
        }
        let Some((at, rest)) = rests.get_mut(largest).filter(|rest| rest.1 > f64::NEG_INFINITY) else {
            break;
        };
        *rest = f64::NEG_INFINITY;
        counts[*at] += 1.0;
        missing -= 1.0;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{page, section, status};
    use super::*;
    use spindle_facts::SectionStatus;

    #[test]
    fn clipped_labels_follow_from_their_neighbours() {
        let upper = |leaves: &[&str], micros| -> Vec<Option<f64>> {
            labels(leaves).into_iter().map(|l| l.map(|l| l.micros(micros))).collect()
        };
        assert_eq!(
            upper(&["<64us", "<128u", "<512", "<1ms", ">=32m"], true),
            [Some(64.0), Some(128.0), Some(512.0), Some(1_024.0), None]
        );
        assert_eq!(
            upper(&["<32ms", "<64ms", "<1/8s", "<1s", "<2s", ">=2s"], false),
            [Some(32_000.0), Some(64_000.0), Some(128_000.0), Some(1_024_000.0), Some(2_048_000.0), None]
        );
        assert_eq!(upper(&["<2s", "<32s", "< 1m", "< 2m", ">=2m"], false)[2], Some(65_536_000.0));
        assert_eq!(upper(&["< 2m", "< 4m", "<1/4h", ">=1h"], false)[0], Some(131_072_000.0));
        assert_eq!(upper(&["0 - 1 ms", "1 - 4 ms", "32+ ms"], false), [Some(1_000.0), Some(4_000.0), None]);
    }

    #[test]
    fn a_mark_behind_the_heading_made_buckets_a_thousand_times_too_small() {
        let table = |mark: &str| {
            page(&format!(
                "<h3>Wait Event Histogram</h3><table><tr><th>Event</th><th>Total Waits</th><th>&lt;1ms{mark}</th>\
                 <th>&lt;32ms{mark}</th><th>&lt;=1s{mark}</th><th>&gt;1s{mark}</th></tr>\
                 <tr><td>db file sequential read</td><td>100</td><td>10.0</td><td>80.0</td><td>10.0</td><td></td></tr>\
                 </table>"
            ))
        };
        let bounds = |mark: &str| -> Vec<Option<f64>> {
            let report = table(mark);
            let histograms = &report.tables.wait_histogram;
            histograms.iter().flat_map(|h| h.buckets.iter().map(|b| b.high_us)).collect()
        };
        let printed = bounds("");
        assert_eq!(printed[..2], [Some(1_000.0), Some(32_000.0)]);
        for mark in [" &#9650;", "\u{25bc}", " \u{2191}\u{fe0e}", "&nbsp;\u{21c5}"] {
            assert_eq!(bounds(mark), printed, "{mark}");
        }
        // What is no mark may be a unit.
        let report = table(" (jiffies)");
        assert!(report.tables.wait_histogram.is_empty());
        let unread = |message: &str| message.contains("a unit that is not known");
        assert!(report.notes.iter().any(|note| unread(&note.message)), "{:?}", report.notes);
    }

    #[test]
    fn a_bound_of_three_hundred_digits_was_infinite() {
        let nines = "9".repeat(400);
        let leaves = [format!("<{nines}ms"), format!("<{}s", "9".repeat(300)), "<1/0s".into(), "<8ms".into()];
        let leaves: Vec<&str> = leaves.iter().map(String::as_str).collect();
        let bounds: Vec<Option<f64>> =
            labels(&leaves).into_iter().map(|l| l.map(|l| l.micros(false))).collect();
        assert_eq!(bounds, [None, None, None, Some(8_000.0)]);
    }

    #[test]
    fn counts_are_rounded_as_the_library_does() {
        let some =
            [0.0, 0.49, 0.5, 0.999_999_999, 1.0, 1.5, 2.5, 12_345.678, 3.0e9 + 0.25, 3.9e15 + 0.5, 7e15];
        for n in some.into_iter().chain((0..2_000).map(|k| f64::from(k) * 0.37)) {
            assert_eq!((floor(n), ceil(n)), (n.floor(), n.ceil()), "{n}");
        }
    }

    #[test]
    fn whole_counts_add_up() {
        let (mut counts, mut rests) = (vec![7.0], vec![(0, 7.0)]);
        let shares = [0.067, 0.067, 0.2, 0.133, 0.533];
        whole_counts(shares.into_iter(), 15.0, &mut counts, &mut rests);
        assert_eq!(counts, [1.0, 1.0, 3.0, 2.0, 8.0]);
    }

    type Buckets = Vec<(Option<Label>, Share)>;

    fn merged(rows: Vec<(Partial, Buckets)>) -> Vec<WaitHistogram> {
        let mut partials = Partials { micros: true, ..Partials::default() };
        for (row, buckets) in rows {
            let (labels, shares): (Vec<_>, Vec<_>) = buckets.into_iter().unzip();
            let from = partials.shares.len();
            partials.shares.extend(shares);
            let shares = from..partials.shares.len();
            partials.rows.push(Partial { labels: partials.labels.len(), shares, ..row });
            partials.labels.push(labels);
        }
        merge(partials)
    }

    fn partial(section: SectionId, bounds: &[(&str, f64)], last: f64) -> (Partial, Buckets) {
        let leaves: Vec<&str> = bounds.iter().map(|b| b.0).collect();
        let mut buckets: Vec<_> = labels(&leaves)
            .into_iter()
            .zip(bounds)
            .map(|(l, b)| (l, Share::Percent(b.1, (b.1 - 0.05).max(0.0), b.1 + 0.05)))
            .collect();
        buckets.push((None, Share::Percent(last, (last - 0.05).max(0.0), last + 0.05)));
        let waits = Printed { value: 1_000.0, low: 1_000.0, high: 1_000.0 };
        let row = Partial {
            event: "log file sync".into(),
            instance_number: None,
            line: 7,
            section,
            waits: (section == 1).then_some(waits),
            cut_of: None,
            range_waits: None,
            labels: 0,
            shares: 0..0,
        };
        (row, buckets)
    }

    /// Of `0.0(112022)` beside a total of `280M` the count was made anew from the total.
    #[test]
    fn a_count_beside_a_share_stands_whatever_the_total_is_rounded_to() {
        let percent = |value: f64| Share::Percent(value, value - 0.05, value + 0.05);
        let (mut row, _) = partial(1, &[], 0.0);
        row.waits = Some(Printed { value: 280e6, low: 279.5e6, high: 280.5e6 });
        let label = |text| label(text, None);
        let buckets = vec![
            (label("1us"), Share::Count(112_022.0)),
            (label("2us"), percent(30.0)),
            (label("4us"), percent(69.7)),
            (None, Share::About(500e3, 499.5e3, 500.5e3)),
        ];
        let merged = merged(vec![(row, buckets)]);
        let buckets = &merged[0].buckets;
        let bounds = |at: usize| (buckets[at].waits_low, buckets[at].waits, buckets[at].waits_high);
        assert_eq!(bounds(0), (112_022.0, 112_022.0, 112_022.0));
        assert_eq!(buckets.iter().map(|b| b.waits).sum::<f64>(), 280e6);
        assert!(bounds(3).0 <= 500e3 && 500e3 <= bounds(3).2 && bounds(3).2 < 503e3, "{:?}", bounds(3));
    }

    #[test]
    fn a_fraction_of_a_wait_is_a_lost_suffix() {
        let cut = Printed { value: 193.8, low: 193.75, high: 193.85 };
        assert_eq!(with_suffix(cut, 13_000.0).value, 193_800.0);
        assert_eq!(with_suffix(cut, 2_000_000.0).value, 193_800_000.0);
    }

    #[test]
    fn the_count_of_a_range_fills_shares_that_round_to_nothing() {
        let (mut detail, mut finer) = partial(2, &[("<512us", 100.0), ("<1ms", 0.0), ("<2ms", 0.0)], 0.0);
        for (_, share) in &mut finer[1..3] {
            *share = Share::Percent(0.025, 0.0, 0.05);
        }
        finer[3].1 = Share::Count(0.0);
        detail.range_waits = Some(Printed { value: 800.0, low: 800.0, high: 800.0 });
        let (mut main, mut buckets) = partial(1, &[("<512us", 100.0)], 0.1);
        main.waits = Some(Printed { value: 1e6, low: 1e6, high: 1e6 });
        buckets[1].1 = Share::Percent(0.1, 0.05, 0.15);
        let merged = merged(vec![(main, buckets), (detail, finer)]);
        let tail: f64 = merged[0].buckets[1..].iter().map(|b| b.waits).sum();
        assert!((tail - 800.0).abs() < 2.0, "{:?}", merged[0].buckets);
        assert_eq!(merged[0].buckets.iter().map(|b| b.waits).sum::<f64>(), 1e6);
    }

    #[test]
    fn resolutions_merge_into_one_histogram_that_adds_up() {
        let merged = merged(vec![
            partial(1, &[("<256us", 10.0), ("<512us", 20.0)], 70.0),
            partial(2, &[("<512us", 30.0), ("<1ms", 40.0)], 30.0),
            partial(3, &[("<2ms", 90.0)], 10.0),
        ]);
        let buckets: Vec<_> = merged[0].buckets.iter().map(|b| (b.low_us, b.high_us, b.waits)).collect();
        assert_eq!(
            buckets,
            [
                (0.0, Some(256.0), 100.0),
                (256.0, Some(512.0), 200.0),
                (512.0, Some(1_024.0), 400.0),
                (1_024.0, Some(2_048.0), 200.0),
                (2_048.0, None, 100.0)
            ]
        );
        assert_eq!(merged[0].buckets.iter().map(|b| b.waits).sum::<f64>(), 1_000.0);
    }

    fn rows(rows: &str) -> String {
        format!("Wait Event Histogram  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20                                                   % of Waits\n\
             \x20                                -----------------------------------------------\n\
             \x20                          Total\n\
             Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s\n\
             -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----\n";
    const NORMAL: &str = "log file sync               4000  50.0  25.0  25.0\n";
    const WIDE: &str = "log file sync              #####  50.0  25.0  25.0\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.wait_histogram.as_slice() else {
            panic!("{:?}", report.tables.wait_histogram)
        };
        assert_eq!((row.event.as_str(), row.waits), ("log file sync", Some(4_000.0)));
        let waits: Vec<f64> = row.buckets.iter().map(|b| b.waits).collect();
        assert_eq!(&waits[..4], [2_000.0, 1_000.0, 1_000.0, 0.0], "a blank is none here");
        assert_eq!(waits.iter().sum::<f64>(), 4_000.0);
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        // Shares without their total are no counts.
        assert!(report.tables.wait_histogram.is_empty(), "{:?}", report.tables.wait_histogram);
    }

    /// A row that lacks a bucket was left out with a note, and counted as nothing lost.
    #[test]
    fn a_row_without_one_of_its_buckets_is_lost() {
        let short = "log file parallel write     5000  50.0  25.0\n";
        let report = section("11.2.0.3.0", &rows(&format!("{NORMAL}{short}")));
        let events: Vec<&str> = report.tables.wait_histogram.iter().map(|h| h.event.as_str()).collect();
        assert_eq!(events, ["log file sync"]);
        assert_eq!(report.sections.last().map(|s| (s.rows, s.lost)), Some((1, 1)));
        assert!(report.notes.iter().any(|n| n.message.contains("do not add up")), "{:?}", report.notes);
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace(['<', '>'], "~"));
        assert!(report.tables.wait_histogram.is_empty(), "{:?}", report.tables.wait_histogram);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
