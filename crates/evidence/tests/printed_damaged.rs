//! Reports of invented facts, printed by the renderer in every layout and then damaged: cut at any
//! byte, bytes flipped, columns of pages shuffled, lines dropped. Nothing panics, and where no digit was
//! touched every value that is read is one of the whole report.
#![allow(clippy::unwrap_used)]

#[path = "support/mod.rs"]
mod support;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use spindle_facts::{Layout, Report};
use spindle_test_support::{Release, Style, generate, render, render_compared, render_rac};
use support::values;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

fn one<T: std::fmt::Debug>(of: impl Strategy<Value = T>) -> T {
    of.new_tree(&mut TestRunner::deterministic()).unwrap().current()
}

/// A report of every kind that the renderer prints.
fn printed() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut keep = |what: &str, style: &Style, text: String| {
        all.push((format!("{what} {:?} {:?}", style.release, style.layout), text));
    };
    for layout in [Layout::Text, Layout::Html] {
        for release in [Release::V10_2, Release::V11_2_0_3, Release::V12_2, Release::V19] {
            let style = Style::new(release, layout);
            keep("awr", &style, render(&one(generate::awr(release)), &style));
        }
        let style = Style::new(Release::V11_2_0_3, layout);
        keep("compare", &style, render_compared(&one(generate::compared(style.release)), &style));
    }
    for release in [Release::V11_2_0_3, Release::V19] {
        let style = Style::new(release, Layout::Html);
        keep("rac", &style, render_rac(&one(generate::rac(release)), &style));
    }
    for release in [Release::V9_2, Release::V11_2_0_3] {
        let style = Style::new(release, Layout::Text);
        keep("statspack", &style, render(&one(generate::statspack(release)), &style));
    }
    all
}

fn read(bytes: &[u8]) -> Vec<Report> {
    spindle_evidence::read("printed", bytes).reports
}

#[test]
fn cut_at_any_byte() {
    for (_, text) in printed() {
        for end in (0..text.len()).step_by(1_009) {
            read(&text.as_bytes()[..end]);
        }
    }
}

#[test]
fn bytes_flipped() {
    let mut dice = Dice(3);
    for (_, text) in printed() {
        for flips in [1, 30, 1_000] {
            for _ in 0..4 {
                let mut damaged = text.clone().into_bytes();
                for _ in 0..flips {
                    let at = dice.below(damaged.len());
                    damaged[at] = u8::try_from(dice.below(256)).unwrap();
                }
                read(&damaged);
            }
        }
    }
}

/// Cells of a row of HTML, headings and values alike, in another order: columns go by their headings.
#[test]
fn columns_shuffled() {
    for (what, text) in printed().into_iter().filter(|(w, _)| w.starts_with("awr") && w.ends_with("Html")) {
        let original = read(text.as_bytes());
        let mut shuffled = String::new();
        for (at, table) in text.split("<table").enumerate() {
            let head = if at > 0 { "<table" } else { "" };
            // Headings over groups of columns would have to move with them; labels and values without any
            // heading have their order alone.
            let (rows, rest) = table.split_once("</table").unwrap_or((table, ""));
            if at == 0 || rows.contains("colspan") || !rows.contains("<th") {
                shuffled += &format!("{head}{table}");
                continue;
            }
            shuffled += head;
            for (row, cells) in rows.split("<tr").enumerate() {
                let tag = if row > 0 { "<tr" } else { "" };
                let (begin, cells) = cells.split_at(cells.find("<t").unwrap_or(cells.len()));
                let (cells, end) = cells.split_at(cells.find("</tr").unwrap_or(cells.len()));
                let mut all: Vec<String> =
                    cells.split("<t").skip(1).map(|c| format!("<t{}", c.trim_end())).collect();
                // The name stays first, where a row's name has no heading.
                if all.len() > 2 {
                    all[1..].reverse();
                }
                shuffled += &format!("{tag}{begin}{}{end}", all.concat());
            }
            if table.contains("</table") {
                shuffled += &format!("</table{rest}");
            }
        }
        let found = values(&original, &read(shuffled.as_bytes()));
        assert!(found.wrong.is_empty(), "{what}: {:#?}", &found.wrong[..found.wrong.len().min(4)]);
        assert!(found.kept * 2 > found.all, "{what}: {} of {}", found.kept, found.all);
    }
}

#[test]
fn rows_dropped() {
    let mut dice = Dice(5);
    for (what, text) in printed().into_iter().filter(|(w, _)| w.ends_with("Text")) {
        let original = read(text.as_bytes());
        for _ in 0..3 {
            // Of two lines that make one row both are lost, or none: rows here stand on one.
            let row = |l: &str| {
                l.starts_with(|c: char| c.is_ascii_lowercase()) && l.ends_with(|c: char| c.is_ascii_digit())
            };
            let dropped: String =
                text.lines().filter(|l| !row(l) || dice.below(9) > 0).map(|l| format!("{l}\n")).collect();
            let found = values(&original, &read(dropped.as_bytes()));
            // Sums, and what follows from rows that are gone, may not be what they were.
            let wrong: Vec<_> = found.wrong.iter().filter(|w| !w.starts_with("identity ")).collect();
            assert!(wrong.is_empty(), "{what}: {:#?}", &wrong[..wrong.len().min(4)]);
        }
    }
}
