//! Layouts that somebody changed: sections moved or left out, columns moved, left out or added.

use crate::block::{Block, Cell, Row, cut_at_rulers};
use crate::style::Style;
use spindle_facts::Layout;

/// What is changed in a report's layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Custom {
    /// Decides which sections and columns; the same seed changes the same ones.
    pub seed: u64,
    /// Sections stand in another order.
    pub move_sections: bool,
    /// Sections lack.
    pub drop_sections: bool,
    /// Columns stand in another order, but for those without a heading.
    pub move_columns: bool,
    /// Columns lack.
    pub drop_columns: bool,
    /// Columns of nobody's knowledge stand between the others.
    pub add_columns: bool,
}

/// A linear congruential generator: the same numbers for the same seed, anywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n.max(1) as u64).unwrap_or(0)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }
}

/// Changes the sections behind the first pages.
pub(crate) fn change(blocks: Vec<Block>, style: &Style, custom: &Custom) -> Vec<Block> {
    let mut dice = Dice(custom.seed.wrapping_mul(2).wrapping_add(1));
    let (mut out, mut rest): (Vec<Block>, Vec<Block>) =
        blocks.into_iter().partition(|b| b.plain || b.verbatim.is_some());
    if custom.drop_sections {
        rest.retain(|_| dice.below(3) > 0);
    }
    if custom.move_sections {
        dice.shuffle(&mut rest);
    }
    if custom.move_columns || custom.drop_columns || custom.add_columns {
        for block in &mut rest {
            columns(block, style, custom, &mut dice);
        }
    }
    out.extend(rest);
    out
}

/// A column of the changed table: an old one, or one of nobody's knowledge.
#[derive(Clone, Copy)]
enum Column {
    Old(usize),
    New,
}

/// Which columns stand where: `headings` tells those that have a place of their own.
fn arrange(headings: &[String], custom: &Custom, dice: &mut Dice) -> Vec<Column> {
    let mut order: Vec<usize> = (0..headings.len()).collect();
    let twice = |i: usize| headings.iter().filter(|h| **h == headings[i]).count() > 1;
    // What stands twice is told apart by where it stands.
    let movable: Vec<usize> =
        order.iter().copied().filter(|&i| !headings[i].is_empty() && !twice(i)).collect();
    if custom.move_columns && movable.len() == headings.iter().filter(|h| !h.is_empty()).count() {
        let mut moved = movable.clone();
        dice.shuffle(&mut moved);
        for (at, from) in movable.iter().zip(moved) {
            order[*at] = from;
        }
    }
    if custom.drop_columns {
        // The first figure stays: a line of nothing but a name is how text prints a name that wraps.
        order.retain(|&i| i < 2 || headings[i].is_empty() || dice.below(4) > 0);
    }
    let mut out: Vec<Column> = order.into_iter().map(Column::Old).collect();
    if custom.add_columns && !out.is_empty() {
        let at = 1 + dice.below(out.len());
        out.insert(at, Column::New);
    }
    out
}

fn columns(block: &mut Block, style: &Style, custom: &Custom, dice: &mut Dice) {
    match style.layout {
        Layout::Html => html_columns(block, custom, dice),
        Layout::Text => text_columns(block, custom, dice),
    }
}

fn html_columns(block: &mut Block, custom: &Custom, dice: &mut Dice) {
    // Under groups a heading means what its place says.
    if !block.groups.is_empty() {
        return;
    }
    let headings: Vec<String> = block.columns.iter().map(|c| (*c).to_owned()).collect();
    let order = arrange(&headings, custom, dice);
    for row in &mut block.rows {
        let lead = row.lead.take().map(|l| Cell::name(l.trim()));
        let all: Vec<Cell> = lead.into_iter().chain(row.cells.drain(..)).chain(row.html.drain(..)).collect();
        row.cells = pick(&all, &order);
    }
    let name = |c: &Column| match c {
        Column::Old(i) => block.columns[*i],
        Column::New => "Site Check",
    };
    block.own_columns = Some(order.iter().map(name).collect());
}

fn pick(cells: &[Cell], order: &[Column]) -> Vec<Cell> {
    order
        .iter()
        .map(|c| match c {
            Column::Old(i) => cells.get(*i).cloned().unwrap_or(Cell::Blank),
            Column::New => Cell::Number("4,711".to_owned()),
        })
        .collect()
}

fn text_columns(block: &mut Block, custom: &Custom, dice: &mut Dice) {
    // Rows of several lines, and headings that span columns, stay as they are.
    let Some(parts) = cut_at_rulers(block.ruled) else { return };
    if block.rows.iter().any(|r| r.lead.is_some()) {
        return;
    }
    let headings: Vec<String> = parts
        .iter()
        .map(|lines| {
            lines[..lines.len() - 1].iter().flat_map(|l| l.split_whitespace()).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let order = arrange(&headings, custom, dice);
    for row in &mut block.rows {
        let cells = pick(&row.cells, &order);
        *row = Row { cells, ..row.clone() };
    }
    let height = parts.first().map_or(0, Vec::len);
    let new: Vec<String> = (0..height)
        .map(|line| match height - line {
            1 => "--------".to_owned(),
            2 => "   Check".to_owned(),
            3 => "    Site".to_owned(),
            _ => "        ".to_owned(),
        })
        .collect();
    let line = |at: usize| {
        let cut = order.iter().map(|c| match c {
            Column::Old(i) => parts[*i][at].clone(),
            Column::New => new[at].clone(),
        });
        cut.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    block.own_ruled = Some((0..height).map(line).collect::<Vec<_>>().join("\n"));
}
