//! Waits by event and by class.
//!
//! Printed as `Foreground Wait Events`, `Background Wait Events` (11g and later; AWR and Statspack),
//! `Wait Events` (Statspack 9i, 10g: both sides mixed), `Wait Events (fg and bg)`, `Foreground Wait
//! Class`, `Wait Classes by Total Wait Time`. Traps: the average is whole milliseconds up to 12.1
//! (0 for anything below half of one), with a unit from 12.2; names are clipped at 26 to 30
//! characters in text; `%Time-outs` is a share in AWR, a count in 9i; the time is rounded to seconds,
//! in 8i to centiseconds (`Total Wait Time (cs)`); compare-period reports print no counts but rates, so
//! that only bounds of the waits are known.

use crate::cell::{MS, Printed, Unit, plain_count, split_spoken};
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use crate::oracle::shifted::{Waits, is_empty_cell, leave_out_waits};
use jiff::civil::DateTime;
use spindle_facts::{Kind, ShareOf, Side, SmolStr, WaitClassRow, WaitEvent};

pub(crate) const FOREGROUND_TITLES: &[&str] = &["foregroundwaitevents"];
pub(crate) const BACKGROUND_TITLES: &[&str] = &["backgroundwaitevents"];
pub(crate) const ALL_TITLES: &[&str] = &["waitevents", "waiteventsfgandbg", "allwaitevents"];
pub(crate) const CLASS_TITLES: &[&str] = &["foregroundwaitclass", "waitclassesbytotalwaittime", "waitclass"];

pub(crate) fn read_foreground(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Side::Foreground)
}

pub(crate) fn read_background(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Side::Background)
}

pub(crate) fn read_all(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Side::All)
}

/// Whose waits a heading such as `% bg time` says these are.
fn side_of(share: &str) -> Option<Side> {
    if share.contains("bgtime") {
        Some(Side::Background)
    } else if share.contains("dbtime") {
        Some(Side::Foreground)
    } else {
        None
    }
}

fn read(grid: &Grid<'_>, context: &mut Context<'_>, side: Side) -> u32 {
    let event = grid.column(&["event", "name"]);
    let waits = grid.column(&["waits"]);
    let timeouts = grid.column(&["timeouts"]);
    let timeouts_pct = grid
        .column(&["%timeouts", "%timout", "%timoouts", "%timouts"])
        .or_else(|| grid.column_starting(&["%tim"]));
    let time = grid
        .column(&["totalwaittimes", "totalwaittimesec", "waittimes", "totalwttimes", "totals", "times"])
        .or_else(|| grid.column_starting(&["totalwaittime", "totaltime", "waittime"]));
    let time = context.of_unit(grid, time, SECONDS);
    let average = grid.column(&["avgwait", "avgwaitms"]).or_else(|| grid.column_starting(&["avgwait"]));
    let average = context.of_unit(grid, average, MILLISECONDS);
    let per_txn = grid.column(&["waits/txn"]);
    let share = grid
        .columns
        .iter()
        .position(|c| c.key().starts_with('%') && (c.key().ends_with("time") || c.key().contains("total")));
    // Where titles moved, as below their tables, the headings say better whose waits these are.
    let headed = share.and_then(|s| side_of(grid.columns[s].key()));
    let told = match (side, headed) {
        (Side::Foreground | Side::Background, Some(headed)) => headed,
        _ => side,
    };
    if told != side {
        context.note(
            Some(grid.line),
            "the title and the headings of this table disagree on whose waits these are".to_owned(),
            "read as the headings say",
        );
    }
    let side = told;
    // Heads that lost their blanks, or whose pages do not say so, tell it by their words.
    let of_db_time = || share.is_some_and(|s| !grid.columns[s].key().contains("call"));
    let share_of = match (context.kind(), side) {
        (Kind::Statspack, _) | (_, Side::All) => ShareOf::TotalCallTime,
        (Kind::Unknown, _) if !of_db_time() => ShareOf::TotalCallTime,
        (_, Side::Background) => ShareOf::BackgroundTime,
        (_, Side::Foreground) => ShareOf::DbTime,
    };
    let rate = if waits.is_none() { grid.column(&["#waits/secelapsedtime"]) } else { None };
    let interval = rate.and_then(|_| interval(context));
    let release = context.release();
    let mut contradictions = Contradictions::default();
    let mut moved_points = MovedPoints::default();
    let mut figures: Vec<Waits> = Vec::with_capacity(grid.len());
    let (timeouts_pct, moved) = beyond_all(grid, event, timeouts_pct, context);
    let mut rows = 0;
    // Two lists stand in a report, the second of about as many rows.
    let lists = if context.tables().wait_event.is_empty() { 2 } else { 1 };
    context.tables().wait_event.reserve(lists * grid.len());
    for row in 0..grid.len() {
        let Some(printed) = grid.cell(row, event).filter(|_| moved != Some(row)) else {
            continue;
        };
        let count = context.number(grid, row, waits, Unit::Count);
        let mut seconds = seconds(context, grid, row, time);
        let shown = context.number(grid, row, average, Unit::Microseconds(MS));
        let count = moved_points.whole(grid.row_line(row), count);
        if count.is_none()
            && seconds.is_none()
            && shown.is_none()
            && context.number(grid, row, share, Unit::Count).is_none()
            && !overprinted(grid, row, &[waits, time, average, share])
        {
            // Prose below the table of an excerpt, headings that come again.
            continue;
        }
        moved_points.look(grid.row_line(row), count, &mut seconds, shown);
        let mean = mean(count, seconds, shown);
        contradictions.look(grid.row_line(row), printed, count, seconds, shown);
        figures.push(Waits {
            at: context.report.tables.wait_event.len(),
            waits: count,
            seconds,
            uncounted: is_empty_cell(grid, row, waits) || are_none(count) && are_none(seconds),
            mean_holds: mean_holds(count, seconds, shown),
        });
        let between = context
            .number(grid, row, rate, Unit::Count)
            .zip(interval)
            .and_then(|(rate, interval)| between(rounded(rate), interval, seconds, shown));
        let found = names::listed_with_class(printed);
        let listed = found.map(|(name, _)| name);
        let complete = if listed.is_some() { None } else { complete_once(grid, event, printed, release) };
        context.scratch.clipped |= listed.is_none() && complete.is_none() && names::may_be_clipped(printed);
        let listed = listed.or(complete);
        let full = listed.map_or_else(|| printed.into(), SmolStr::new_static);
        let class = found.map(|(_, class)| class).or_else(|| names::wait_class(&full));
        let wait = WaitEvent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            printed_as: complete.is_some().then(|| printed.into()),
            event: full,
            side,
            wait_class: class.map(SmolStr::new_static),
            is_idle: class == Some("Idle"),
            waits: count.map(|p| p.value),
            waits_low: count.map_or(between.map(|b| b.0), |p| Some(p.low)),
            waits_high: count.map_or(between.map(|b| b.1), |p| Some(p.high)),
            timeouts: context.count(grid, row, timeouts),
            timeouts_pct: context.count(grid, row, timeouts_pct),
            time_s: seconds.map(|p| p.value),
            time_s_low: seconds.map(|p| p.low),
            time_s_high: seconds.map(|p| p.high),
            avg_wait_us: known_mean_us(mean, shown),
            avg_wait_us_low: mean.map(|p| p.low),
            avg_wait_us_high: mean.map(|p| p.high),
            waits_per_txn: context.count(grid, row, per_txn),
            share_pct: context.share_of_all(grid, row, share),
            share_of: share.map(|_| share_of),
        };
        context.tables().wait_event.push(wait);
        rows += 1;
    }
    idle_by_place(grid, share, context, rows);
    let shifted = leave_out_waits(context, &figures);
    contradictions.rows.retain(|(line, _)| !shifted.contains(line));
    contradictions.tell(context);
    moved_points.tell(context);
    rows
}

/// The column of the share of timeouts, of which no wait has more than one, and the row in which it holds more: that one
/// was moved, and its cells stand under the headings of others. Where several rows have more, the column is another.
fn beyond_all(
    grid: &Grid<'_>,
    event: Option<usize>,
    timeouts_pct: Option<usize>,
    context: &mut Context<'_>,
) -> (Option<usize>, Option<usize>) {
    let Some(column) = timeouts_pct else { return (None, None) };
    /// `buffer deadlock` is printed with 102 %.
    const MOST: f64 = 150.0;
    let habits = context.habits;
    let pct = |row: usize| plain_count(grid.cell(row, Some(column))?, habits);
    let is_more = |row: &usize| grid.cell(*row, event).is_some() && pct(*row).is_some_and(|n| n > MOST);
    let mut more = (0..grid.len()).filter(is_more);
    let Some(first) = more.next() else { return (timeouts_pct, None) };
    let line = Some(grid.row_line(first));
    let shown = grid.cell(first, Some(column)).unwrap_or("");
    if more.next().is_some() {
        let message = format!("the share of timeouts is more than 100 % in several rows, as `{shown}`");
        context.note(line, message, "it is taken as unknown in all rows of this table");
        return (None, None);
    }
    context.lose(1);
    let message = format!(
        "1 row is left out: with a share of timeouts of `{shown}` % its cells stand under the headings of others"
    );
    context.note(line, message, "sums over the rows of this section are too small");
    (timeouts_pct, Some(first))
}

/// Idle events stand last, and alone have no share: that tells those whose class another release has changed.
/// Statspack has a list of its own, with `SQL*Net message to client` on it, which is no idle event.
fn idle_by_place(grid: &Grid<'_>, share: Option<usize>, context: &mut Context<'_>, rows: u32) {
    if context.kind() != Kind::Awr {
        return;
    }
    let all = &mut context.tables().wait_event;
    let from = all.len().saturating_sub(usize::try_from(rows).unwrap_or(usize::MAX));
    let own = &mut all[from..];
    let Some(first) = own.iter().position(|wait| wait.is_idle) else { return };
    let (before, last) = own.split_at_mut(first);
    let shares = before.iter().filter(|wait| wait.share_pct.is_some()).count();
    if share.is_none() || grid.instance_column().is_some() || shares == 0 || shares < before.len() {
        return;
    }
    if last.iter().all(|wait| wait.share_pct.is_none()) {
        for wait in last.iter_mut().filter(|wait| !wait.is_idle) {
            wait.is_idle = true;
            wait.wait_class = Some(SmolStr::new_static("Idle"));
        }
    }
}

/// Units of the columns of seconds that releases print: centiseconds until 8i.
pub(crate) const SECONDS: &[&str] = &["s", "sec", "secs", "seconds", "cs"];
/// Those of their means.
pub(crate) const MILLISECONDS: &[&str] = &["ms"];

/// Numbers whose thousands somebody took for decimals: `55.611` waits are 55,611.
#[derive(Default)]
pub(crate) struct MovedPoints {
    cells: u32,
    first: u32,
}

impl MovedPoints {
    /// Waits are counted: what is printed with decimals is something else.
    pub(crate) fn whole(&mut self, line: u32, waits: Option<Printed>) -> Option<Printed> {
        let decimals = |p: &Printed| p.low != p.high && p.high - p.low < 0.5;
        if waits.is_some_and(|p| decimals(&p)) {
            self.found(line);
            return None;
        }
        waits
    }

    /// Seconds that are a thousandth of what waits and mean say are unknown.
    pub(crate) fn look(
        &mut self,
        line: u32,
        waits: Option<Printed>,
        seconds: &mut Option<Printed>,
        shown: Option<Printed>,
    ) {
        let (Some(waits), Some(printed), Some(shown)) = (waits, *seconds, shown) else { return };
        // Three digits stand behind the mark.
        let thousandths = (printed.high - printed.low - 0.001).abs() < 1e-6;
        if thousandths
            && are_contradictory(waits, printed, shown)
            && !are_contradictory(waits, printed.scaled(1_000.0), shown)
        {
            self.found(line);
            *seconds = None;
        }
    }

    fn found(&mut self, line: u32) {
        if self.cells == 0 {
            self.first = line;
        }
        self.cells += 1;
    }

    pub(crate) fn tell(&self, context: &mut Context<'_>) {
        if self.cells > 0 {
            context.scratch.thousand_points += self.cells;
            let cells = if self.cells == 1 {
                "1 cell holds".to_owned()
            } else {
                format!("{} cells hold", self.cells)
            };
            let message = format!("{cells} thousands that somebody took for decimals, as `55.611` waits");
            context.note(Some(self.first), message, "taken as unknown");
        }
    }
}

/// Is one of these cells `####`? The event is known then, although none of its numbers is.
pub(crate) fn overprinted(grid: &Grid<'_>, row: usize, columns: &[Option<usize>]) -> bool {
    let of = |cell: &str| cell.len() > 1 && cell.bytes().all(|b| b == b'#');
    columns.iter().any(|column| grid.cell(row, *column).is_some_and(of))
}

/// Least and greatest length of the interval, seconds: snapshots are taken to the second, minutes are
/// printed to a tenth.
fn interval(context: &Context<'_>) -> Option<(f64, f64)> {
    let identity = &context.report.identity;
    let time = |text: &Option<String>| text.as_deref()?.parse::<DateTime>().ok();
    let seconds = time(&identity.begin_time).zip(time(&identity.end_time)).map(|(begin, end)| {
        let whole = begin.duration_until(end).as_secs();
        #[allow(clippy::cast_precision_loss, reason = "seconds between two snapshots")]
        let whole = whole as f64;
        // Without seconds, a minute is the best that is known.
        (whole, if begin.second() == 0 && end.second() == 0 { 60.0 } else { 1.0 })
    });
    let (length, half) = seconds.or(identity.elapsed_s.map(|printed| (printed, 3.0)))?;
    (length > half).then_some((length - half, length + half))
}

/// Where only rates are printed: how many waits there can have been, by rate and interval, and by time
/// and mean where these say more. Nothing where they contradict each other.
fn between(
    rate: Printed,
    (shortest, longest): (f64, f64),
    seconds: Option<Printed>,
    shown: Option<Printed>,
) -> Option<(f64, f64)> {
    let (mut low, mut high) = (rate.low * shortest, rate.high * longest);
    if let Some((time, mean)) = seconds.zip(shown.map(rounded_ms)) {
        if mean.high > 0.0 {
            low = low.max(time.low * 1e6 / mean.high);
        }
        if mean.low > 0.0 {
            high = high.min(time.high * 1e6 / mean.low);
        }
    }
    // There is no fraction of a wait.
    let (low, high) = (low.ceil(), high.floor());
    (low <= high).then_some((low, high))
}

/// A mean in milliseconds is rounded even where it is whole.
fn rounded_ms(printed: Printed) -> Printed {
    let exact = printed.low == printed.high;
    let half = if exact { 0.5 * MS } else { 0.0 };
    Printed { low: (printed.low - half).max(0.0), high: printed.high + half, ..printed }
}

/// The full name of a clipped event; `None` where the table prints the same clipped name twice, for then at least
/// one of the two is another event.
pub(crate) fn complete_once(
    grid: &Grid<'_>,
    event: Option<usize>,
    printed: &str,
    release: names::Release,
) -> Option<&'static str> {
    let full = names::complete_event_of(printed, release)?;
    (!event.is_some_and(|event| grid.stands_twice(event, printed))).then_some(full)
}

/// Times are rounded even where they are whole numbers.
pub(crate) fn rounded(printed: Printed) -> Printed {
    if printed.low == printed.high {
        Printed { low: (printed.value - 0.5).max(0.0), high: printed.value + 0.5, ..printed }
    } else {
        printed
    }
}

/// Seconds of a column of seconds, or of centiseconds where its heading says so.
pub(crate) fn seconds(
    context: &mut Context<'_>,
    grid: &Grid<'_>,
    row: usize,
    time: Option<usize>,
) -> Option<Printed> {
    context.number(grid, row, time, Unit::Count).map(|printed| in_seconds(printed, grid, time))
}

/// The same of a cell that was read.
pub(crate) fn in_seconds(printed: Printed, grid: &Grid<'_>, time: Option<usize>) -> Printed {
    let printed = rounded(printed);
    let centi = time.is_some_and(|c| grid.columns[c].key().ends_with("timecs"));
    let unit = if centi { 0.01 } else { 1.0 };
    Printed { value: printed.value * unit, low: printed.low * unit, high: printed.high * unit }
}

/// The mean wait in microseconds: of time over waits and the printed average, the one with the
/// narrower bounds, its bounds narrowed by the other where the two agree; time over waits where they contradict each
/// other.
pub(crate) fn mean(
    waits: Option<Printed>,
    seconds: Option<Printed>,
    shown: Option<Printed>,
) -> Option<Printed> {
    let computed = match (waits, seconds) {
        (Some(w), Some(s)) if w.low > 0.0 => Some(Printed {
            value: s.value / w.value * 1e6,
            low: s.low / w.high * 1e6,
            high: s.high / w.low * 1e6,
        }),
        _ => None,
    };
    let (Some(a), Some(b)) = (computed, shown) else {
        return computed.or(shown);
    };
    // One of the three cells is wrong: what is used is what the note says.
    if let (Some(waits), Some(seconds)) = (waits, seconds)
        && are_contradictory(waits, seconds, b)
    {
        return Some(a);
    }
    let (narrow, wide) = if a.high - a.low <= b.high - b.low { (a, b) } else { (b, a) };
    let (low, high) = (narrow.low.max(wide.low), narrow.high.min(wide.high));
    if low <= high { Some(Printed { value: narrow.value.clamp(low, high), low, high }) } else { Some(narrow) }
}

/// The mean where it is known: no seconds that are rounded do not make waits of no length, unless the mean is printed as
/// that, too.
pub(crate) fn known_mean_us(mean: Option<Printed>, shown: Option<Printed>) -> Option<f64> {
    mean.filter(|mean| shown.is_some() || mean.value > 0.0 || mean.high <= 0.0).map(|mean| mean.value)
}

/// Rows whose printed mean is not that of their waits and seconds: one of the three is wrong, and nobody can tell
/// which.
#[derive(Debug, Default)]
pub(crate) struct Contradictions {
    /// Line and what stands there.
    rows: Vec<(u32, String)>,
}

impl Contradictions {
    /// Rows told one by one.
    const TOLD: usize = 3;

    /// Looks at a row; cells that it lacks contradict nothing.
    pub(crate) fn look(
        &mut self,
        line: u32,
        event: &str,
        waits: Option<Printed>,
        seconds: Option<Printed>,
        shown: Option<Printed>,
    ) {
        let (Some(waits), Some(seconds), Some(shown)) = (waits, seconds, shown) else { return };
        if are_contradictory(waits, seconds, shown) {
            let mean = seconds.value / waits.value * 1e3;
            let said = format!(
                "`{event}` is printed with a mean of {} ms, and its {} s over {} waits are {} ms each",
                digits(shown.value / MS),
                digits(seconds.value),
                digits(waits.value),
                digits(mean)
            );
            self.rows.push((line, said));
        }
    }

    /// Notes them.
    pub(crate) fn tell(self, context: &mut Context<'_>) {
        const EFFECT: &str =
            "one of its cells is wrong, and nobody can tell which; what follows is from waits and seconds";
        let more = self.rows.get(Self::TOLD).map(|(line, _)| (*line, self.rows.len() - Self::TOLD));
        for (line, said) in self.rows.into_iter().take(Self::TOLD) {
            context.note(Some(line), said, EFFECT);
        }
        if let Some((line, count)) = more {
            let rows = if count == 1 { "row has" } else { "rows have" };
            context.note(
                Some(line),
                format!("{count} more {rows} a mean that is not that of waits and seconds"),
                EFFECT,
            );
        }
    }
}

/// Is a printed mean not that of its waits and seconds, whatever rounding hid?
fn are_contradictory(waits: Printed, seconds: Printed, shown: Printed) -> bool {
    /// Counts with a suffix and means are rounded in more ways than one.
    const SLACK: f64 = 1.05;
    if waits.low <= 0.0 {
        return false;
    }
    let shown_ms = stands_for_ms(shown);
    let (low, high) = (seconds.low / waits.high * 1e3, seconds.high / waits.low * 1e3);
    shown_ms.0 > SLACK * high || SLACK * shown_ms.1 < low
}

/// Is it nought? Nobody waited so for an event that is listed.
fn are_none(printed: Option<Printed>) -> bool {
    printed.is_some_and(|printed| printed.value == 0.0)
}

/// Is a printed mean that of its waits and seconds? `None` where all may be nothing, and where one lacks.
fn mean_holds(waits: Option<Printed>, seconds: Option<Printed>, shown: Option<Printed>) -> Option<bool> {
    let (waits, seconds, shown) = (waits?, seconds?, shown?);
    // Waits that ended in no snapshot have seconds and no mean.
    if waits.value == 0.0 {
        return (shown.value > 0.0 || seconds.value > 0.0).then_some(false);
    }
    let says = seconds.value >= 1.0 || shown.value > 0.0;
    says.then(|| !are_contradictory(waits, seconds, shown))
}

/// What a printed mean may stand for, milliseconds: cut or rounded at its last digit.
fn stands_for_ms(shown: Printed) -> (f64, f64) {
    // `0` has no half below it.
    let half = shown.high - shown.value;
    ((shown.value - 2.0 * half) / MS, (shown.value + 2.0 * half) / MS)
}

/// Four digits of a number, all of a whole one.
fn digits(value: f64) -> String {
    if value >= 1_000.0 || (value - value.round()).abs() < 1e-9 {
        return format!("{value:.0}");
    }
    let text = if value >= 10.0 { format!("{value:.1}") } else { format!("{value:.3}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A class in full: text clips it (`System I`, `Concurre`).
pub(crate) fn full_class(printed: &str) -> String {
    let mut fits = names::CLASSES.iter().filter(|c| c.starts_with(printed));
    match (fits.next(), fits.next()) {
        (Some(class), None) if printed.len() >= 4 => (*class).to_owned(),
        _ => printed.to_owned(),
    }
}

pub(crate) fn read_classes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let class = grid.column(&["waitclass", "class"]);
    let waits = grid.column(&["waits"]);
    let time = grid
        .column(&["totalwaittimes", "totalwaittimesec", "times"])
        .or_else(|| grid.column_starting(&["totalwaittime"]));
    let average = grid.column_starting(&["avgwait"]);
    let share = grid.columns.iter().position(|c| c.key().starts_with("%dbtime"));
    let known = |key: &str| {
        key.starts_with("%tim") || key == "avgactivesessions" || key.contains("ofdbtime") || key.contains('/')
    };
    context.tell_strange_columns(grid, &[class, waits, time, average, share], known);
    let time = context.of_unit(grid, time, SECONDS);
    let average = context.of_unit(grid, average, MILLISECONDS);
    let foreground = context.title.starts_with("foreground");
    if foreground && context.report.identity.foreground_wait_s.is_none() {
        context.report.identity.foreground_wait_s = seconds_of_remarks(grid, "Total FG Wait Time:");
    }
    // Pieces without head and time model: DB time stands over the classes alone.
    let identity = &mut context.report.identity;
    if foreground
        && identity.db_time_s.is_none()
        && let Some(printed) = seconds_of_remarks(grid, "of Total DB time")
    {
        identity.db_time_s = Some(printed);
        identity.db_time_s_low = Some((printed - 0.005).max(0.0));
        identity.db_time_s_high = Some(printed + 0.005);
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = grid.cell(row, class).map(full_class) else {
            continue;
        };
        // Where the heading of the events below is lost, they seem to go on with this table.
        if !names::CLASSES.contains(&name.as_str()) && names::wait_class(&name).is_some() {
            continue;
        }
        // What a query listed below it has the names of classes alone.
        if [waits, time, average, share].iter().all(|column| grid.cell(row, *column).is_none()) {
            continue;
        }
        let count = context.number(grid, row, waits, Unit::Count);
        let seconds = context.number(grid, row, time, Unit::Count).map(rounded);
        let shown = context.number(grid, row, average, Unit::Microseconds(MS));
        let mean = mean(count, seconds, shown);
        let line = WaitClassRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            wait_class: name,
            side: if foreground { Side::Foreground } else { Side::All },
            waits: count.map(|p| p.value),
            time_s: seconds.map(|p| p.value),
            time_s_low: seconds.map(|p| p.low),
            time_s_high: seconds.map(|p| p.high),
            avg_wait_us: known_mean_us(mean, shown),
            avg_wait_us_low: mean.map(|p| p.low),
            avg_wait_us_high: mean.map(|p| p.high),
            share_pct: context.share_of_all(grid, row, share),
        };
        context.tables().wait_class.push(line);
        rows += 1;
    }
    rows
}

/// Seconds behind such a label of what stands over the wait classes: `Total FG Wait Time: 9,121.70 (s)`.
fn seconds_of_remarks(grid: &Grid<'_>, label: &str) -> Option<f64> {
    grid.remarks.iter().find_map(|(_, text)| {
        let number = text.get(text.find(label)? + label.len()..)?.trim_start();
        split_spoken(number).map(|(seconds, _)| seconds).filter(|s| *s >= 0.0)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use super::*;
    use spindle_facts::SectionStatus;

    #[test]
    fn an_average_printed_as_zero_is_recomputed_with_bounds() {
        let exact = |v| Printed { value: v, low: v, high: v };
        let shown = Printed { value: 0.0, low: 0.0, high: 500.0 };
        let seconds = rounded(exact(123.0));
        let mean = mean(Some(exact(314_903.0)), Some(seconds), Some(shown)).unwrap();
        assert!((mean.value - 390.6).abs() < 0.1);
        assert!(mean.low > 388.0 && mean.high < 393.0);
    }

    #[test]
    fn a_clipped_name_that_stands_twice_is_not_completed() {
        let mut grid = Grid::default();
        for name in ["Streams AQ: qmn coordinato", "control file sequential re", "Streams AQ: qmn coordinato"]
        {
            grid.push_cell(name.into());
            grid.end_row(1);
        }
        let full = |name| complete_once(&grid, Some(0), name, (11, 2));
        assert_eq!(full("Streams AQ: qmn coordinato"), None);
        assert_eq!(full("control file sequential re"), Some("control file sequential read"));
    }

    /// Exadata's reads in text: each section clips their names at a width of its own, and one event stood under
    /// two names, counted twice.
    #[test]
    fn one_event_clipped_at_two_widths_was_counted_twice() {
        let top = "Top 10 Foreground Events by Total Wait Time  DB/Inst: TILL/till  Snaps: 10-11\n\n\
            \x20                                          Total Wait       Avg   % DB Wait\n\
            Event                                Waits Time (sec)      Wait   time Class\n\
            ------------------------------ ----------- ---------- --------- ------ --------\n\
            cell single block physical rea     402,117       4042   10.05ms   13.8 User I/O\n\n";
        let foreground = rows(&NORMAL.replace("direct path read          ", "cell single block physical"));
        let names = |release: &str| {
            let report = section(release, &format!("{top}{foreground}"));
            let (top, wait) = (&report.tables.top_event, &report.tables.wait_event);
            assert_eq!((top.len(), wait.len()), (1, 1));
            assert_eq!(wait[0].printed_as.as_deref(), Some("cell single block physical"));
            (top[0].event.clone(), wait[0].event.to_string())
        };
        let full = "cell single block physical read".to_owned();
        assert_eq!(names("11.2.0.3.0"), (full.clone(), full));
        // Of several that it may be, none is chosen; yet it is one.
        let longer = "cell single block physical rea".to_owned();
        assert_eq!(names("21.0.0.0.0"), (longer.clone(), longer));
    }

    /// `####` in every cell: no row was read, and the event was taken for one that nobody waited for.
    #[test]
    fn an_event_overprinted_throughout_had_no_row() {
        let all = "direct path read           ############ ##### ########## ####### ######## ######\n";
        let report =
            section("11.2.0.4.0", &rows(&format!("{NORMAL}{}", all.replace("direct path", "log file sy "))));
        let [_, row] = report.tables.wait_event.as_slice() else { panic!("{:?}", report.tables.wait_event) };
        assert_eq!((row.waits, row.time_s, row.share_pct), (None, None, None));
        assert!(row.line > 0 && report.notes.iter().any(|n| n.message.contains("####")));
    }

    /// The sum over the wait classes was not read, so nobody saw that rows of events were lost.
    #[test]
    fn the_sum_of_all_foreground_waits_was_not_read() {
        let text = "Foreground Wait Class  DB/Inst: TILL/till  Snaps: 10-11\n\
            -> Captured Time accounts for         97.7%  of Total DB time      21,128.40 (s)\n\
            -> Total FG Wait Time:             9,121.70 (s)  DB CPU time:      11,527.04 (s)\n\n\
            \x20                                                                 Avg\n\
            \x20                                     %Time       Total Wait     wait\n\
            Wait Class                      Waits -outs         Time (s)     (ms)  %DB time\n\
            -------------------- ---------------- ----- ---------------- -------- ---------\n\
            User I/O                    2,476,359     0            7,536        3      35.7\n\n";
        let report = section("11.2.0.4.0", text);
        assert_eq!(report.identity.foreground_wait_s, Some(9_121.70));
        assert_eq!(report.tables.wait_class.len(), 1);
    }

    /// It was made of the seconds and shares of the classes, which are rounded, though it stands above them.
    #[test]
    fn the_db_time_over_the_wait_classes_was_not_read() {
        let classes = |db_time: &str| {
            format!(
                "Foreground Wait Class\n\
                 -> Captured Time accounts for         97.7%  of Total DB time {db_time}\n\
                 -> Total FG Wait Time:             9,121.70 (s)  DB CPU time:      11,527.04 (s)\n\n\
                 \x20                                                                 Avg\n\
                 \x20                                     %Time       Total Wait     wait\n\
                 Wait Class                      Waits -outs         Time (s)     (ms)  %DB time\n\
                 -------------------- ---------------- ----- ---------------- -------- ---------\n\
                 User I/O                    2,476,359     0            7,536        3      35.7\n\
                 DB CPU                                                11,527               54.6\n\n"
            )
        };
        let read = |text: &str| crate::read("classes", text.as_bytes()).reports.remove(0).identity;
        let of = read(&classes("     21,128.40 (s)"));
        assert_eq!(of.db_time_s, Some(21_128.40));
        assert!(of.db_time_s_low.unwrap() > 21_128.39 && of.db_time_s_high.unwrap() < 21_128.41);
        // What could not be printed is unknown.
        assert_eq!(read(&classes("############## (s)")).db_time_s, None);
        // The time model prints it, too, and is the first place to look.
        let model = "Time Model Statistics  DB/Inst: TILL/till  Snaps: 10-11\n\n\
            Statistic Name                                       Time (s) % of DB Time\n\
            ------------------------------------------ ------------------ ------------\n\
            DB CPU                                               11,527.0         54.6\n\
            DB time                                              21,128.4\n\n";
        let both = section("11.2.0.4.0", &format!("{}{model}", classes("     21,128.40 (s)")));
        assert_eq!(both.identity.db_time_s, Some(21_128.4));
    }

    #[test]
    fn centiseconds_of_8i_are_no_seconds() {
        let text = "STATSPACK report for\n\n\
            Wait Events for DB: SHOP  Instance: shop1  Snaps:       1 -       2\n\
            -> cs - centisecond -  100th of a second\n\n\
            \x20                                                                   Avg\n\
            \x20                                                    Total Wait   wait  Waits\n\
            Event                               Waits   Timeouts   Time (cs)   (ms)   /txn\n\
            ---------------------------- ------------ ---------- ----------- ------ ------\n\
            db file sequential read             1,000          0       1,250     13    0.4\n";
        let reading = crate::read("8i", text.as_bytes());
        let wait = &reading.reports[0].tables.wait_event[0];
        assert_eq!((wait.time_s, wait.waits), (Some(12.5), Some(1_000.0)));
        assert!((wait.avg_wait_us.unwrap() - 12_500.0).abs() < 5.0);
    }

    #[test]
    fn clipped_classes_are_completed() {
        assert_eq!(full_class("System I"), "System I/O");
        assert_eq!(full_class("Concurre"), "Concurrency");
        assert_eq!(full_class("User I/O"), "User I/O");
        assert_eq!(full_class("Co"), "Co");
    }

    fn rows(rows: &str) -> String {
        format!("Foreground Wait Events  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20                                                            Avg\n\
             \x20                                       %Time Total Wait    wait    Waits   % DB\n\
             Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
             -------------------------- ------------ ----- ---------- ------- -------- ------\n";
    const NORMAL: &str = "direct path read                402,117     0      4,042      10      0.6   13.8\n";
    const WIDE: &str = "direct path read           ############     0      4,042      10      0.6   13.8\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.wait_event.as_slice() else { panic!("{:?}", report.tables.wait_event) };
        assert_eq!((row.event.as_str(), row.side), ("direct path read", Side::Foreground));
        assert_eq!((row.waits, row.time_s), (Some(402_117.0), Some(4_042.0)));
        let mean = row.avg_wait_us.unwrap();
        assert!((mean - 10_051.8).abs() < 1.0, "recomputed from totals: {mean}");
        assert!(row.avg_wait_us_low.unwrap() < mean && mean < row.avg_wait_us_high.unwrap());
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.wait_event.as_slice() else { panic!("{:?}", report.tables.wait_event) };
        assert_eq!((row.event.as_str(), row.waits, row.time_s), ("direct path read", None, Some(4_042.0)));
        let bounds = (row.avg_wait_us_low.unwrap(), row.avg_wait_us_high.unwrap());
        assert!(bounds.0 <= 9_500.0 && bounds.1 >= 10_500.0, "as printed: {bounds:?}");
    }

    /// 1,204 s over 12,890 waits beside a mean of 9.3 ms: the mean was recomputed and nothing said.
    #[test]
    fn a_printed_mean_ten_times_off_was_replaced_in_silence() {
        let of = |cells: &str| {
            section("11.2.0.3.0", &rows(&format!("log file sync        {cells}      0.6   13.8\n")))
        };
        let doubts = |report: &spindle_facts::Report| -> Vec<(Option<u32>, String)> {
            report
                .notes
                .iter()
                .filter(|n| n.message.contains("a mean of"))
                .map(|n| (n.line, n.message.clone()))
                .collect()
        };
        let report = of("            12,890     0      1,204       9");
        let row = &report.tables.wait_event[0];
        assert!((row.avg_wait_us.unwrap() - 93_406.0).abs() < 1.0);
        let message = "`log file sync` is printed with a mean of 9 ms, and its 1204 s over 12890 waits are 93.4 ms each";
        assert_eq!(doubts(&report), [(Some(row.line), message.to_owned())]);
        // Rounded or cut at the last digit, and too few seconds to say.
        for cells in [
            "            12,890     0      1,204      93",
            "            12,890     0      1,204      94",
            "            12,890     0          0       0",
            "            12,890     0          6       0",
            "                 1     0          0     410",
        ] {
            assert_eq!(doubts(&of(cells)), [], "{cells}");
        }
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("Event ", "Cause "));
        assert!(report.tables.wait_event.is_empty(), "{:?}", report.tables.wait_event);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
