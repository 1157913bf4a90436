//! One table with both periods to two tables with the headings of one.
//!
//! Periods stand side by side (`1st`, `2nd` under a heading that spans them, or over a block of
//! columns) or below each other (`1st`, `2nd`, `B1`, `E2` in the first column). Differences and
//! running totals are left out: they follow from the rest.

use crate::cell::looks_numeric;
use crate::grid::{Column, Grid, fold};
use crate::oracle::sections::DIFFERENCE;
use std::borrow::Cow;

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
enum Role {
    /// The same for both periods: a name.
    Shared,
    /// A value of the first (0) or second (1) period, with its heading in an ordinary report.
    Of(usize, String, String),
    /// A difference or running total.
    Derived,
}

/// Headings here, and what a report of one period calls the column.
const HEADINGS: &[(&str, &str)] = &[
    ("%ofdbtime", "% of DB time"),
    ("timeseconds", "Time (s)"),
    ("valuecentiseconds", "Value"),
    ("totalwaittimesec", "Total Wait Time (s)"),
    ("avgwaittimems", "Avg wait (ms)"),
    ("value", "Total"),
    ("persecondelapsedtime", "per Second"),
    ("avgreads/sec", "Av Reads/s"),
    ("avgreadspersec", "Av Reads/s"),
    ("avgwrites/sec", "Av Writes/s"),
    ("avgwritespersec", "Av Writes/s"),
    ("avgreadtimems", "Av Rd(ms)"),
    ("avgblocks/read", "Av Blks/Rd"),
    ("avgblocksperread", "Av Blks/Rd"),
    ("avgbufwaittimems", "Av Buf Wt(ms)"),
    ("beginsnapvalue", "Begin value"),
    ("endsnapvalue", "End value"),
];

/// Per second of DB time: a rate that no other report prints.
const LEFT_OUT: &[&str] = &["perseconddbtime"];

fn ordinary(heading: &str) -> String {
    let folded = fold(heading);
    HEADINGS.iter().find(|(own, _)| *own == folded).map_or(heading, |(_, ordinary)| ordinary).to_owned()
}

/// The period that a word names, and what is left of it.
fn period(text: &str) -> Option<(usize, &str)> {
    let text = text.trim();
    for (index, words) in [["1st", "First"], ["2nd", "Second"]].iter().enumerate() {
        for word in words {
            // Editors write headings in capitals.
            let begins = text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            if begins {
                return Some((index, text[word.len()..].trim()));
            }
        }
    }
    None
}

fn role(at: usize, column: &Column) -> Role {
    let group = column.group.as_str();
    let leaf = column.name.strip_prefix(group).unwrap_or(&column.name).trim();
    let key = column.key();
    if LEFT_OUT.contains(&column.group_key()) || column.group_key().contains("%diff") {
        return Role::Derived;
    }
    if key.starts_with("diff")
        || key.starts_with("%diff")
        || key.contains("totaldiff")
        || key.starts_with("total%d")
    {
        return Role::Derived;
    }
    if key == "1st/2nd/both" {
        return Role::Derived;
    }
    if let Some((index, rest)) = period(leaf) {
        return match rest {
            "" => Role::Of(index, String::new(), ordinary(group)),
            rest if rest.eq_ignore_ascii_case("Total") => Role::Derived,
            rest => Role::Of(index, group.to_owned(), rest.to_owned()),
        };
    }
    if at > 0 && group.is_empty() && leaf.is_empty() {
        // Its heading is lost, which may have been that of a period.
        return Role::Derived;
    }
    match period(group) {
        // `1st Period`, `1st`: a block of columns.
        Some((index, rest)) if rest.is_empty() || rest.eq_ignore_ascii_case("Period") => {
            Role::Of(index, String::new(), ordinary(leaf))
        }
        _ => Role::Shared,
    }
}

/// What a table says of the two periods.
pub(crate) enum Told<'a> {
    /// Each has its part, or none where its columns are missing.
    Apart(Box<[Option<Grid<'a>>; 2]>),
    /// Nothing is of a period, as texts of statements.
    Shared,
    /// It holds figures, and whose they are cannot be told.
    Torn,
}

/// Takes the periods of a table apart. Where the text was `cut` at its rulers, headings that do not pair were moved.
pub(crate) fn split<'a>(grid: &Grid<'a>, cut: bool) -> Told<'a> {
    let mut roles: Vec<Role> = grid.columns.iter().enumerate().map(|(at, c)| role(at, c)).collect();
    // A column that somebody put between those of periods is of neither.
    for at in 0..roles.len() {
        let group = grid.columns[at].group_key();
        let of_period = |(role, c): (&Role, &Column)| matches!(role, Role::Of(..)) && c.group_key() == group;
        if roles[at] == Role::Shared && !group.is_empty() && roles.iter().zip(&grid.columns).any(of_period) {
            roles[at] = Role::Derived;
        }
    }
    let has = [0, 1].map(|period| roles.iter().any(|r| matches!(r, Role::Of(p, ..) if *p == period)));
    if has == [false, false] {
        return match by_rows(grid) {
            Some(parts) => Told::Apart(Box::new(parts.map(Some))),
            None if holds_figures(grid) => Told::Torn,
            None => Told::Shared,
        };
    }
    if grid.columns.iter().any(names_two) || cut && !are_paired(&roles) {
        return Told::Torn;
    }
    let parameters = super::parameters::are_parameters(grid);
    if parameters && has != [true, true] {
        // Blank is what is as in the other period.
        return Told::Torn;
    }
    if are_unnamed(&roles) {
        return Told::Torn;
    }
    let torn = if cut && !parameters { torn_rows(grid, &roles) } else { Vec::new() };
    let mut parts = [by_columns(grid, &roles, 0, &torn), by_columns(grid, &roles, 1, &torn)];
    if let Some(difference) = difference_of_rates(grid, &roles) {
        parts[1] = by_columns(grid, &with_difference(roles, difference), 1, &torn);
    }
    if parameters {
        super::parameters::fill(grid, &mut parts);
    }
    let [first, second] = parts;
    Told::Apart(Box::new([has[0].then_some(first), has[1].then_some(second)]))
}

/// The column by which the rates a second of the load profile differ: Oracle takes it from the figures before it
/// rounds them, so of small rates (0.2 and 0.3 blocks a second) it says more than these.
fn difference_of_rates(grid: &Grid<'_>, roles: &[Role]) -> Option<usize> {
    if super::ordinary_title(&fold(&grid.title)) != "loadprofile" {
        return None;
    }
    let of_second = |role: &Role| matches!(role, Role::Of(1, _, leaf) if fold(leaf) == "persec");
    let before = roles.iter().position(of_second)?;
    let is_it = |at: &usize| roles[*at] == Role::Derived && grid.columns[*at].key().starts_with("%diff");
    Some(before + 1).filter(|at| *at < roles.len()).filter(is_it)
}

/// The columns, a difference among those of the second period.
fn with_difference(mut roles: Vec<Role>, at: usize) -> Vec<Role> {
    roles[at] = Role::Of(1, String::new(), DIFFERENCE.to_owned());
    roles
}

/// Does one heading name several periods, or a period and a difference? Then words of others were moved over it.
fn names_two(column: &Column) -> bool {
    let named = |text: &str| {
        let is_period = |word: &&str| {
            ["1st", "2nd", "Diff", "%Diff"].iter().any(|period| word.eq_ignore_ascii_case(period))
        };
        text.split_whitespace().filter(is_period).count()
    };
    let leaf = column.name.strip_prefix(column.group.as_str()).unwrap_or(&column.name);
    named(&column.group) > 1 || named(leaf) > 1
}

/// Has each column of one period its like of the other, the first period's first?
fn are_paired(roles: &[Role]) -> bool {
    let mut open: Vec<(&str, &str)> = Vec::new();
    for role in roles {
        match role {
            Role::Of(0, group, leaf) => open.push((group, leaf)),
            Role::Of(_, group, leaf) => {
                let Some(at) = open.iter().position(|own| *own == (group, leaf)) else { return false };
                open.remove(at);
            }
            Role::Shared | Role::Derived => {}
        }
    }
    open.is_empty()
}

/// Of several pairs of columns under nothing but the names of periods, nobody knows what each counts: the line with
/// their headings is lost.
fn are_unnamed(roles: &[Role]) -> bool {
    let unnamed = |period: usize| {
        let of = |r: &&Role| matches!(r, Role::Of(p, group, leaf) if *p == period && group.is_empty() && leaf.is_empty());
        roles.iter().filter(of).count()
    };
    unnamed(0).max(unnamed(1)) > 1
}

/// Does a table hold numbers that are no part of statements?
fn holds_figures(grid: &Grid<'_>) -> bool {
    !grid.columns.iter().any(|c| c.key() == "sqltext")
        && (0..grid.len()).any(|row| {
            grid.row(row).iter().any(|c| c.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(c))
        })
}

/// Rows that were moved under their headings: where one period's figure is printed, the other's is, or `N/A`, unless
/// the whole row is of one period; and no row has a difference alone. Lists beside each other share no rows: what one
/// prints says nothing of the other (CPU has no class and no mean), but no figures stand there without their name.
fn torn_rows(grid: &Grid<'_>, roles: &[Role]) -> Vec<usize> {
    let are_lists = !roles.contains(&Role::Shared);
    let is_nameless =
        |own: &[bool]| own.split_first().is_some_and(|(name, rest)| !name && rest.contains(&true));
    let is_torn = |row: &usize| {
        // Where the list of a period ended before, `N/A` stands under a dash.
        let is_printed = |cell: &str| !(cell.is_empty() || are_lists && cell == "N/A");
        let filled = |at: usize| grid.row(*row).get(at).is_some_and(|c| is_printed(c.trim()));
        let of = |period: usize| -> Vec<bool> {
            let own = |(at, role): (usize, &Role)| {
                matches!(role, Role::Of(p, ..) if *p == period).then(|| filled(at))
            };
            roles.iter().enumerate().filter_map(own).collect()
        };
        let (first, second) = (of(0), of(1));
        if are_lists {
            return is_nameless(&first) || is_nameless(&second);
        }
        let differs = roles.iter().enumerate().any(|(at, r)| *r == Role::Derived && filled(at));
        let [any_first, any_second] = [&first, &second].map(|own| own.contains(&true));
        match (any_first, any_second) {
            (true, true) => first != second,
            (false, false) => differs,
            // What one period lacks has no difference, and may be blank; the name may have taken it.
            _ => differs || took_a_number(grid.cell(*row, Some(0)).unwrap_or("")),
        }
    };
    (0..grid.len()).filter(is_torn).collect()
}

/// Is the last word of a name a number?
fn took_a_number(name: &str) -> bool {
    let last = name.split_whitespace().skip(1).last();
    last.is_some_and(|word| word.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word))
}

fn empty_like<'a>(grid: &Grid<'a>) -> Grid<'a> {
    let mut part = Grid::default();
    part.title.clone_from(&grid.title);
    part.parent.clone_from(&grid.parent);
    part.line = grid.line;
    part.remarks.clone_from(&grid.remarks);
    part
}

fn by_columns<'a>(grid: &Grid<'a>, roles: &[Role], period: usize, torn: &[usize]) -> Grid<'a> {
    let mut part = empty_like(grid);
    if let Some(row) = torn.first() {
        part.doubtful = Some((grid.row_line(*row), u32::try_from(torn.len()).unwrap_or(u32::MAX)));
    }
    // A block of columns a period may carry its own names: no name is shared then.
    let mut kept: Vec<(usize, bool)> = Vec::new();
    for (index, role) in roles.iter().enumerate() {
        match role {
            Role::Shared => {
                part.columns.push(grid.columns[index].clone());
                kept.push((index, false));
            }
            Role::Of(p, group, leaf) if *p == period => {
                part.columns.push(Column::new(group, leaf));
                kept.push((index, true));
            }
            Role::Of(..) | Role::Derived => {}
        }
    }
    for row in 0..grid.len() {
        let cells = grid.row(row);
        let cell = |index: usize| cells.get(index).map_or("", |c| c.trim());
        let printed = |text: &str| !matches!(text, "" | "N/A" | "\u{a0}");
        if torn.contains(&row) || !kept.iter().any(|(index, own)| *own && printed(cell(*index))) {
            continue;
        }
        for (index, _) in &kept {
            let text = cells.get(*index).cloned().unwrap_or_default();
            part.push_cell(unmarked(text));
        }
        part.end_row(grid.row_line(row));
    }
    part
}

/// A leading dash marks an event that did not make the period's list.
fn unmarked(text: Cow<'_, str>) -> Cow<'_, str> {
    let name = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_alphabetic());
    match text {
        Cow::Borrowed(t) => match t.strip_prefix('-') {
            Some(rest) if name(rest) => Cow::Borrowed(rest.trim_start()),
            _ => Cow::Borrowed(t),
        },
        Cow::Owned(t) => match t.strip_prefix('-') {
            Some(rest) if name(rest) => Cow::Owned(rest.trim_start().to_owned()),
            _ => Cow::Owned(t),
        },
    }
}

/// Rows that begin with their period: `1st`, `First (1st)`, `B1`, `E1`.
fn by_rows<'a>(grid: &Grid<'a>) -> Option<[Grid<'a>; 2]> {
    let of = |row: usize| -> Option<(usize, &'static str)> {
        match grid.cell(row, Some(0))? {
            "B1" => Some((0, "B")),
            "E1" => Some((0, "E")),
            "B2" => Some((1, "B")),
            "E2" => Some((1, "E")),
            text => period(text).map(|(index, _)| (index, "")),
        }
    };
    let periods: Vec<_> = (0..grid.len()).map(of).collect();
    let any = |index: usize| periods.iter().flatten().any(|(p, _)| *p == index);
    // Names may begin like a period where no row of the other one stands beside.
    let alone = |row: usize| {
        let label = grid.cell(row, Some(0)).unwrap_or("");
        matches!(label, "1st" | "2nd" | "First (1st)" | "Second (2nd)" | "B1" | "E1" | "B2" | "E2")
    };
    let told = any(0) && any(1) || (0..grid.len()).any(alone);
    if !told {
        return None;
    }
    let mut parts = [empty_like(grid), empty_like(grid)];
    for (index, part) in parts.iter_mut().enumerate() {
        part.columns.clone_from(&grid.columns);
        for (row, whose) in periods.iter().enumerate() {
            let Some((_, label)) = whose.filter(|(p, _)| *p == index) else { continue };
            part.push_cell(Cow::Borrowed(label));
            grid.row(row).iter().skip(1).for_each(|c| part.push_cell(c.clone()));
            part.end_row(grid.row_line(row));
        }
    }
    Some(parts)
}

/// Rows whose `1st` or `2nd` runs into the first column of the ruler (undo summary): one word a
/// column, behind the period.
pub(super) fn rows_by_words(grid: &mut Grid<'_>, headings: &[Column]) {
    let fits = |text: &str| period(text).is_some() && text.split_whitespace().count() == headings.len() + 1;
    if headings.is_empty() || !grid.remarks.iter().all(|(_, text)| fits(text)) {
        return;
    }
    grid.columns = std::iter::once(Column::default()).chain(headings.iter().cloned()).collect();
    for (line, text) in std::mem::take(&mut grid.remarks) {
        text.split_whitespace().for_each(|word| grid.push_cell(Cow::Owned(word.to_owned())));
        grid.end_row(line);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn grid(columns: &[(&str, &str)], rows: &[&[&'static str]]) -> Grid<'static> {
        let mut grid = Grid::default();
        grid.columns = columns.iter().map(|(g, l)| Column::new(g, l)).collect();
        for row in rows {
            row.iter().for_each(|c| grid.push_cell(Cow::Borrowed(c)));
            grid.end_row(1);
        }
        grid
    }

    fn cells(grid: &Grid<'_>) -> Vec<Vec<String>> {
        (0..grid.len()).map(|r| grid.row(r).iter().map(ToString::to_string).collect()).collect()
    }

    fn apart(grid: &Grid<'static>) -> [Grid<'static>; 2] {
        let Told::Apart(parts) = split(grid, true) else { panic!("not told apart") };
        parts.map(Option::unwrap)
    }

    #[test]
    fn columns_side_by_side() {
        let [first, second] = apart(&grid(
            &[
                ("", "Event"),
                ("Total Wait Time (sec)", "1st"),
                ("Total Wait Time (sec)", "2nd"),
                ("Total Wait Time (sec)", "%Diff"),
            ],
            &[&["log file sync", "94.4", "266.8", "182.6"], &["only later", "N/A", "1.0", ""]],
        ));
        assert_eq!(first.columns[1].name, "Total Wait Time (s)");
        assert_eq!(cells(&first), [["log file sync", "94.4"]]);
        assert_eq!(cells(&second), [["log file sync", "266.8"], ["only later", "1.0"]]);
    }

    #[test]
    fn a_block_of_columns_a_period() {
        let [first, second] = apart(&grid(
            &[("1st", "Event"), ("1st", "Waits"), ("2nd", "Event"), ("2nd", "Waits")],
            &[&["a", "1", "-b", "2"]],
        ));
        assert_eq!(
            (cells(&first), cells(&second)),
            (vec![vec!["a".into(), "1".into()]], vec![vec!["b".into(), "2".into()]])
        );
    }

    /// CPU has neither class nor mean: where it led one period alone, its row and the wait beside it were left out.
    #[test]
    fn a_list_says_nothing_of_the_list_beside_it() {
        let columns = ["1st", "2nd"].map(|p| [(p, "Event"), (p, "Wait Class"), (p, "Time(s)")]);
        let rows: [&[&str]; 4] = [
            &["CPU time", "", "700.1", "log file sync", "Commit", "900.2"],
            &["log file sync", "Commit", "250.1", "CPU time", "", "720.2"],
            &["-cursor: pin S", "Concurrency", "0.2", "-", "N/A", "N/A"],
            // Moved under the wrong headings.
            &["", "Other", "0.1", "cursor: pin S", "Concurrency", "0.1"],
        ];
        let [first, second] = apart(&grid(&columns.concat(), &rows));
        assert_eq!(
            cells(&first),
            [
                ["CPU time", "", "700.1"],
                ["log file sync", "Commit", "250.1"],
                ["cursor: pin S", "Concurrency", "0.2"]
            ]
        );
        assert_eq!(cells(&second), [["log file sync", "Commit", "900.2"], ["CPU time", "", "720.2"]]);
        assert_eq!(first.doubtful.map(|(_, rows)| rows), Some(1));
    }

    #[test]
    fn rows_below_each_other() {
        let [first, second] =
            apart(&grid(&[("", ""), ("", "Mem")], &[&["B1", "1"], &["E1", "2"], &["B2", "3"], &["E2", "4"]]));
        assert_eq!(cells(&first), [["B", "1"], ["E", "2"]]);
        assert_eq!(cells(&second), [["B", "3"], ["E", "4"]]);
    }
}
