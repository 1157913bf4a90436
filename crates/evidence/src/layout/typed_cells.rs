//! Headings, names and cells of typed tables: what words mean, wherever they stand.

use super::mend::is_number;
use crate::cell::split_number;
use crate::grid::fold;
use crate::names;

/// A column of a table of leading events, or of a load profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Event,
    Waits,
    Time,
    /// Its heading may name the unit: `ms`, `s`, or none.
    Average {
        unit: &'static str,
    },
    ShareOfDbTime,
    ShareOfAll,
    Class,
    Label,
    PerSecond,
    PerTransaction,
    PerExec,
    PerCall,
}

/// A row, cell by cell as its columns.
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) cells: Vec<String>,
    /// Is its name known?
    pub(super) sure: bool,
    /// Do blanks or bars part its cells?
    pub(super) parted: bool,
    /// Is one of its cells no number where one must stand, and left out?
    pub(super) torn: bool,
}

impl Column {
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Event | Self::Class | Self::Label)
    }

    pub(super) fn is_share(self) -> bool {
        matches!(self, Self::ShareOfDbTime | Self::ShareOfAll)
    }

    /// A heading that readers know.
    pub(super) fn heading(self, rows: &[Row], columns: &[Self]) -> &'static str {
        match self {
            Self::Event => "Event",
            Self::Waits => "Waits",
            Self::Time => "Time (s)",
            Self::Average { .. } => {
                let at = columns.iter().position(|c| *c == self).unwrap_or(0);
                let bare = rows.iter().all(|r| !r.cells[at].ends_with(|c: char| c.is_alphabetic()));
                if bare { "Avg wait (ms)" } else { "Avg Wait" }
            }
            Self::ShareOfDbTime => "%DBtime",
            Self::ShareOfAll => "%Total",
            Self::Class => "Wait Class",
            Self::Label => "Load Profile",
            Self::PerSecond => "Per Second",
            Self::PerTransaction => "Per Transaction",
            Self::PerExec => "Per Exec",
            Self::PerCall => "Per Call",
        }
    }
}

/// The column under a folded heading.
pub(super) fn column_of(heading: &str) -> Option<Column> {
    Some(match heading {
        "event" | "eventname" | "waitevent" | "等待事件" => Column::Event,
        "waits" | "totalwaits" | "waitcount" | "#waits" | "等待次数" => Column::Waits,
        "times" | "timesec" | "timeseconds" | "seconds" | "totaltimes" | "totalwaittimesec"
        | "totalwaittimes" | "totalwaitsec" | "totalwaits(s)" | "waittimes" | "waittimesec" => Column::Time,
        "avgwaitms" | "waitavgms" | "avgms" | "averagewaitms" | "avgwaittimems" => {
            Column::Average { unit: "ms" }
        }
        "avgwaits" | "averagewaits" | "avgwaittimes" | "averagewaittimes" => Column::Average { unit: "s" },
        "avgwait" | "waitavg" | "averagewait" | "avgwaittime" => Column::Average { unit: "" },
        "%dbtime" | "%ofdbtime" | "dbtime%" | "pctdbtime" => Column::ShareOfDbTime,
        "%total" | "%totalcalltime" | "%calltime" | "%totalelatime" | "%elatime" => Column::ShareOfAll,
        "waitclass" | "class" | "等待类别" | "等待类" => Column::Class,
        "persecond" => Column::PerSecond,
        "pertransaction" => Column::PerTransaction,
        "perexec" => Column::PerExec,
        "percall" => Column::PerCall,
        _ => return None,
    })
}

/// Headings over several lines, read line by line: their words stand in no order.
const STACKED: &[(&str, &[Column])] = {
    use Column::{Average, Class, Event, ShareOfAll, ShareOfDbTime, Time, Waits};
    const MS: Column = Average { unit: "ms" };
    &[
        ("%totaleventwaitstimeselatime", &[Event, Waits, Time, ShareOfAll]),
        ("%eventwaitstimeselatime", &[Event, Waits, Time, ShareOfAll]),
        ("%totalcalleventwaitstimestime", &[Event, Waits, Time, ShareOfAll]),
        ("%totaleventwaitstimescalltime", &[Event, Waits, Time, ShareOfAll]),
        ("avg%totalwaitcalleventwaitstimesmstime", &[Event, Waits, Time, MS, ShareOfAll]),
        ("avg%totalwaitcalleventwaitstimesmstimewaitclass", &[Event, Waits, Time, MS, ShareOfAll, Class]),
        ("avgwait%dbeventwaitstimesmstimewaitclass", &[Event, Waits, Time, MS, ShareOfDbTime, Class]),
    ]
};

/// Is it a table that says how long events took?
pub(super) fn is_table(columns: &[Column]) -> bool {
    let once = |c: &Column| {
        columns.iter().filter(|o| std::mem::discriminant(*o) == std::mem::discriminant(c)).count() == 1
    };
    columns[0] == Column::Event
        && columns.len() >= 3
        && columns.iter().all(once)
        && columns.iter().any(|c| *c == Column::Time || c.is_share())
        && !columns.iter().any(|c| matches!(c, Column::PerSecond | Column::PerTransaction))
}

/// The columns that headings stand for; all their words must be known.
pub(super) fn columns_of(headings: &str) -> Option<Vec<Column>> {
    let folded = fold(headings);
    if let Some((_, columns)) = STACKED.iter().find(|(words, _)| *words == folded) {
        return Some(columns.to_vec());
    }
    let profile = folded.strip_prefix("loadprofile").unwrap_or(&folded);
    let two = [Column::Label, Column::PerSecond, Column::PerTransaction];
    match profile {
        "persecondpertransaction" => return Some(two.to_vec()),
        "persecondpertransactionperexecpercall" => {
            return Some([two.as_slice(), &[Column::PerExec, Column::PerCall]].concat());
        }
        _ => {}
    }
    let words: Vec<&str> = headings.split_ascii_whitespace().collect();
    if words.len() < 3 || words.len() > 24 {
        return None;
    }
    // From the left, the longest heading first.
    let mut columns = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=5.min(words.len() - at)).rev();
        let (length, column) =
            longest.filter_map(|n| Some((n, column_of(&fold(&words[at..at + n].join(" ")))?))).next()?;
        columns.push(column);
        at += length;
    }
    is_table(&columns).then_some(columns)
}

/// Words without the marks that make them bold or stand for a character.
pub(super) fn plain(text: &str) -> String {
    let text = text.trim().replace("**", "").replace("\\*", "*").replace('`', "");
    text.trim().replace("\u{3bc}s", "us").replace("\u{b5}s", "us")
}

/// A title without what a page puts around it.
pub(crate) fn bare_title(text: &str) -> &str {
    let around = ['#', '*', ' ', '`', '_', ':', '\u{ff1a}'];
    let text = text.trim_matches(around);
    let numbered =
        text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '\u{3001}'));
    let text = if numbered.len() < text.len() && numbered.starts_with([' ', '*']) { numbered } else { text };
    text.trim_matches(around)
}

/// What parts are called and the title, in the caption of a numbered one, in any language: `Section 3: SQL ordered by
/// Gets (the worst)`.
pub(super) fn title_of_part(text: &str) -> Option<(&str, &str)> {
    let (part, title) = text.trim_ascii().split_once(": ")?;
    let (word, number) = part.rsplit_once(' ')?;
    let is_caption = !word.is_empty()
        && word.chars().all(char::is_alphabetic)
        && (1..=2).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit());
    let title = without_remark(title);
    let title = title.split(" (").next().unwrap_or(title).trim();
    (is_caption && !title.is_empty()).then_some((word, title))
}

/// The title of leading events that a folded line names.
pub(super) fn title_in(folded: &str) -> Option<&'static str> {
    const TITLES: &[(&str, &str)] = &[
        ("foregroundeventsbytotalwaittime", "Top 10 Foreground Events by Total Wait Time"),
        ("timedforegroundevents", "Top 5 Timed Foreground Events"),
        ("timedevents", "Top 5 Timed Events"),
        ("foregroundevents", "Top 5 Timed Foreground Events"),
        ("waitevents", "Top Timed Events"),
    ];
    TITLES.iter().find(|(words, _)| folded.contains("top") && folded.contains(words)).map(|(_, t)| *t)
}

/// Stands for a cell that holds nothing.
fn is_none(word: &str) -> bool {
    matches!(word, "-" | "--" | "\u{2014}" | "\u{2013}" | "N/A" | "n/a")
}

/// Where the number at the beginning of a cell ends.
fn number_end(cell: &str) -> usize {
    cell.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count()
}

/// Is the comma the decimal point in these cells: does it part other than three digits, or stand behind
/// points that part thousands, in one of them at least, and the point in none?
pub(super) fn have_decimal_commas<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let (mut comma, mut point) = (false, false);
    for cell in cells {
        let cell = cell.trim_matches(['*', '`', ' ']);
        let number = &cell[..number_end(cell)];
        for (mark, other, found) in [(',', '.', &mut comma), ('.', ',', &mut point)] {
            let decimals = number.rsplit_once(mark).map(|(before, decimals)| (before, decimals.len()));
            *found |= decimals.is_some_and(|(before, decimals)| {
                !before.contains(mark) && (decimals != 3 || before.contains(other))
            });
            // `1.247.832`
            *found |= number.matches(other).count() > 1;
        }
    }
    comma && !point
}

/// A cell with a number whose decimal point is a comma, written without any mark.
pub(super) fn without_marks(cell: &str) -> String {
    let (number, rest) = cell.split_at(number_end(cell));
    let (whole, decimals) = number.split_once(',').unwrap_or((number, ""));
    let whole = whole.replace('.', "");
    match decimals.len() {
        0 => format!("{whole}{rest}"),
        n => format!("{whole}{decimals}E-{n}{rest}"),
    }
}

/// A number with what people put behind it, or a mark for none.
pub(super) fn is_value(word: &str) -> bool {
    is_none(word) || is_number(word) || is_number(plain(word).trim_end_matches('%')) || has_lost_a_digit(word)
}

fn is_cpu(name: &str) -> bool {
    matches!(name.to_ascii_lowercase().as_str(), "db cpu" | "cpu time" | "cpu" | "cpu + wait for cpu")
}

/// A row without what somebody says of it behind an arrow: `...  10 ms  \u{2190} far too slow`.
fn without_remark(text: &str) -> &str {
    let arrow = text.find(['\u{2190}', '\u{21d0}', '\u{2b05}', '\u{25c4}']).or_else(|| text.find(" <-"));
    arrow.map_or(text, |at| text[..at].trim_end())
}

fn is_event(name: &str) -> bool {
    names::listed_event(name).is_some() || name.len() >= 12 && names::complete_event(name).is_some()
}

/// How many words the longest known name takes.
fn known_name(words: &[&str]) -> Option<usize> {
    (1..=words.len().min(10)).rev().find(|n| {
        let name = words[..*n].join(" ");
        is_cpu(&name) || is_event(&name)
    })
}

/// Does a line begin as a row does?
pub(super) fn begins_with_name(text: &str, profile: bool) -> bool {
    let words: Vec<&str> = text.split_ascii_whitespace().take(10).collect();
    if profile { words.iter().any(|w| w.ends_with(':')) } else { known_name(&words).is_some() }
}

/// A cell as a reader takes it; `None` where it is of another kind.
fn cell(text: &str, column: Column) -> Option<String> {
    let text = plain(text);
    if text.is_empty() || is_none(&text) {
        return Some(String::new());
    }
    if column == Column::Class && !names::is_class(&text) {
        return Some(String::new());
    }
    if column.is_text() {
        return Some(text);
    }
    let text = if column.is_share() { text.trim_end_matches('%').trim_end().to_owned() } else { text };
    if text.bytes().all(|b| b == b'#') {
        return Some(text);
    }
    let (_, rest) = split_number(&text, false)?;
    let rest = rest.trim();
    match column {
        Column::Average { unit } => match (rest, unit) {
            ("", "ms") => Some(text),
            ("", "s") => Some(text + "s"),
            // Of an unknown unit: better none.
            ("", _) => Some(String::new()),
            ("ns" | "us" | "ms" | "s", _) => Some(text.replace(' ', "")),
            _ => None,
        },
        Column::Time if rest == "s" => Some(text.trim_end_matches('s').trim_end().to_owned()),
        Column::Waits | Column::Time if matches!(rest, "" | "K" | "M" | "G") => Some(text),
        _ if rest.is_empty() => Some(text),
        _ => None,
    }
}

fn row(line: u32, printed: &[&str], columns: &[Column], sure: bool, parted: bool) -> Option<Row> {
    let mut torn = false;
    let mut cells = Vec::with_capacity(printed.len());
    for (text, column) in printed.iter().zip(columns) {
        cells.push(match cell(text, *column) {
            // `4,821,03` has lost a digit, and says nothing of the cells beside it.
            None if !torn && has_lost_a_digit(text) => {
                torn = true;
                String::new()
            }
            cell => cell?,
        });
    }
    let name = cells.first().filter(|name| !name.is_empty())?;
    // A torn row is believed by its time or share, under a name that is known.
    let known = !torn || is_event(name) || is_cpu(name);
    let tells = |c: &Column| !c.is_text() && (!torn || *c == Column::Time || c.is_share());
    let filled = cells.iter().zip(columns).any(|(text, c)| !text.is_empty() && tells(c));
    (known && filled).then_some(Row { line, cells, sure, parted, torn })
}

/// Digits and marks alone, but less than three digits behind a mark that parts thousands.
fn has_lost_a_digit(text: &str) -> bool {
    let mut groups = text.split(',');
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().is_some_and(|first| digits(first) && first.len() <= 3);
    let groups: Vec<&str> = groups.collect();
    let Some((last, before)) = groups.split_last() else { return false };
    first && before.iter().all(|g| digits(g) && g.len() == 3) && digits(last) && last.len() < 3
}

/// Name and values to a row: as many values as columns, or CPU with what CPU has.
fn assigned(
    line: u32,
    name: &str,
    values: &[String],
    class: &str,
    columns: &[Column],
    parted: bool,
) -> Option<Row> {
    let cpu = is_cpu(name);
    let numeric = columns.iter().filter(|c| !c.is_text()).count();
    let mut values: Vec<&str> = values.iter().map(String::as_str).collect();
    let of_cpu = |c: &Column| *c == Column::Time || c.is_share();
    let only_cpu = values.len() != numeric && cpu;
    if only_cpu {
        values.retain(|v| !is_none(v));
        if values.len() != columns.iter().filter(|c| of_cpu(c)).count() {
            return None;
        }
    } else if values.len() != numeric {
        return None;
    }
    let mut rest = values.into_iter();
    let printed: Vec<&str> = columns
        .iter()
        .map(|c| match c {
            Column::Event => name,
            Column::Class => class,
            c if only_cpu && !of_cpu(c) => "",
            _ => rest.next().unwrap_or(""),
        })
        .collect();
    row(line, &printed, columns, cpu || is_event(name), parted)
}

/// A row between bars.
pub(super) fn row_of_cells(printed: &[String], columns: &[Column], line: u32) -> Option<Row> {
    let name = printed.first()?;
    if printed.len() == columns.len() {
        let cells: Vec<&str> = printed.iter().map(String::as_str).collect();
        return row(line, &cells, columns, true, true);
    }
    // Cells are missing or too many: CPU tells which.
    let values: Vec<String> = printed[1..].iter().filter(|c| !c.is_empty()).cloned().collect();
    is_cpu(name).then(|| assigned(line, name, &values, "", columns, false)).flatten()
}

/// Units that stand apart go to their numbers.
fn values_of(words: &[&str]) -> Option<Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    for word in words {
        let word = plain(word);
        match values.last_mut() {
            Some(last) if matches!(word.as_str(), "ns" | "us" | "ms" | "s" | "%") && is_number(last) => {
                last.push_str(&word);
            }
            _ if is_value(&word) => values.push(word),
            _ => return None,
        }
    }
    Some(values)
}

/// A row on one line or on several.
pub(super) fn row_of(pieces: &[&str], columns: &[Column], line: u32) -> Option<Row> {
    let words: Vec<&str> = pieces.iter().flat_map(|p| without_remark(p).split_ascii_whitespace()).collect();
    let parted = pieces.len() == 1 && pieces[0].trim().contains("  ");
    if words.len() > 24 {
        return None;
    }
    if columns[0] == Column::Label {
        return profile_row(&words, columns, line, parted);
    }
    let mut end = words.len();
    let mut class = String::new();
    if columns.contains(&Column::Class) {
        // What stands for a class beside CPU is none.
        let is_class = |class: &str| names::is_class(class) || class == "CPU";
        let length = (1..=2).rev().find(|n| end > *n + 1 && is_class(&words[end - n..].join(" ")));
        if let Some(length) = length {
            class = words[end - length..].join(" ");
            end -= length;
        }
    }
    let first = words[..end].iter().position(|w| is_value(w) && *w != "-");
    let first = first.filter(|f| *f > 0);
    let known = known_name(&words[..end]);
    for name in known.into_iter().chain(first) {
        let Some(values) = values_of(&words[name..end]) else {
            continue;
        };
        let printed = words[..name].join(" ");
        let sure = known == Some(name);
        // A name that nobody knows is one on a line of its own that begins as names do.
        if !sure
            && (pieces.len() > 1
                || values.len() < 2
                || !printed.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            continue;
        }
        if let Some(row) = assigned(line, &printed, &values, &class, columns, parted) {
            return Some(row);
        }
    }
    None
}

/// Is it a label of the load profile of an instance, folded, whatever release prints it?
pub(super) fn is_load_label(label: &str) -> bool {
    const LABELS: &[&str] = &[
        "dbtime",
        "dbcpu",
        "backgroundcpu",
        "redosize",
        "logicalread",
        "blockchanges",
        "physicalread",
        "physicalwrite",
        "readiorequests",
        "writeiorequests",
        "readio",
        "writeio",
        "imscanrows",
        "sessionlogicalreadim",
        "usercalls",
        "parses",
        "hardparses",
        "softparses",
        "wmb",
        "wamb",
        "sqlworkarea",
        "sorts",
        "logons",
        "userlogons",
        "executes",
        "rollbacks",
        "transactions",
    ];
    LABELS.iter().any(|known| label.starts_with(known))
}

/// A label and its numbers: one for each column, or per second and per transaction; a rate of
/// transactions has none per transaction.
fn profile_row(words: &[&str], columns: &[Column], line: u32, parted: bool) -> Option<Row> {
    let label = words.iter().position(|w| w.ends_with(':'))?;
    let mut values = &words[label + 1..];
    let name = words[..=label].join(" ");
    let folded = fold(&name);
    let fits = values.len() + 1 == columns.len() || matches!(values.len(), 1 | 2);
    // Reports print four figures of DB time: which of them the second of two is cannot be told.
    if values.len() == 2 && columns.len() > 3 && (folded.starts_with("dbtime") || folded.starts_with("dbcpu"))
    {
        values = &values[..1];
    }
    if !fits
        || name.len() > 40
        || !values.iter().all(|w| is_number(w))
        || words[..label].iter().any(|w| is_value(w))
    {
        return None;
    }
    let mut printed = vec![name.as_str()];
    printed.extend(values);
    printed.resize(columns.len(), "");
    row(line, &printed, columns, true, parted)
}

/// Rows that stand behind each other without line ends; false where some could not be told.
pub(super) fn rows_of_stream(words: &[&str], columns: &[Column], line: u32) -> (Vec<Row>, bool) {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < words.len() && !(words[at].len() > 20 && words[at].bytes().all(|b| b == b'-')) {
        let Some(name) = known_name(&words[at..]) else {
            return (rows, false);
        };
        let values = words[at + name..].iter().take_while(|w| is_value(w)).count();
        let mut end = at + name + values;
        let mut class = String::new();
        if columns.contains(&Column::Class) {
            let rest = &words[end..];
            if let Some(length) =
                (1..=2.min(rest.len())).rev().find(|n| names::is_class(&rest[..*n].join(" ")))
            {
                class = rest[..length].join(" ");
                end += length;
            }
        }
        let row = values_of(&words[at + name..at + name + values])
            .and_then(|v| assigned(line, &words[at..at + name].join(" "), &v, &class, columns, false));
        let Some(row) = row else {
            return (rows, false);
        };
        rows.push(row);
        at = end;
    }
    (rows, true)
}

/// How far the total that a row's time and share imply may be from that of the others.
const TOLERANCE: f64 = 0.03;

/// Takes out the rows, of those whose cells blanks do not part, whose time and share do not agree with
/// the other rows; returns their lines.
pub(super) fn contradicting(rows: &mut Vec<Row>, columns: &[Column]) -> Vec<u32> {
    let at = |wanted: fn(&Column) -> bool| columns.iter().position(wanted);
    let (Some(time), Some(share)) = (at(|c| *c == Column::Time), at(|c| c.is_share())) else {
        return Vec::new();
    };
    // Value and half a unit of its last digit.
    let number = |text: &str| -> Option<(f64, f64)> {
        let (number, rest) = split_number(text, false)?;
        let factor = match rest.trim() {
            "" => 1.0,
            "K" => 1e3,
            "M" => 1e6,
            _ => return None,
        };
        let decimals =
            text.rsplit_once('.').map_or(0, |(_, d)| d.bytes().take_while(u8::is_ascii_digit).count());
        let half = 0.5 * factor / 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
        Some((number.value() * factor, half))
    };
    let implied = |row: &Row| -> Option<(f64, f64, f64)> {
        let (t, t_half) = number(&row.cells[time])?;
        let (s, s_half) = number(&row.cells[share]).filter(|(s, half)| s > half)?;
        Some(((t - t_half) / (s + s_half), t / s, (t + t_half) / (s - s_half)))
    };
    let mut totals: Vec<f64> = rows.iter().filter_map(|r| implied(r).map(|i| i.1)).collect();
    if totals.len() < 2 {
        return Vec::new();
    }
    totals.sort_by(f64::total_cmp);
    let middle = totals[totals.len() / 2];
    let mut lines = Vec::new();
    rows.retain(|row| {
        let agrees = row.parted
            || implied(row).is_none_or(|(low, _, high)| {
                low <= middle * (1.0 + TOLERANCE) && middle * (1.0 - TOLERANCE) <= high
            });
        if !agrees {
            lines.push(row.line);
        }
        agrees
    });
    lines
}
