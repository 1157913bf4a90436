//! What happens to a report on its way through mails, forums and editors.

use std::fmt::Write as _;

/// A way to lose something, applied to a whole text.
pub(crate) struct Damage {
    pub name: &'static str,
    /// Percent of the values that are still read, with the real reports.
    pub least: f64,
    pub apply: fn(&str) -> String,
}

pub(crate) const ALL: &[Damage] = &[
    Damage { name: "wrapped at 72", least: 78.0, apply: |t| lines(t, |l| wrap(l, 72, true)) },
    Damage { name: "wrapped at 76", least: 93.0, apply: |t| lines(t, |l| wrap(l, 76, true)) },
    Damage { name: "wrapped at 78", least: 94.0, apply: |t| lines(t, |l| wrap(l, 78, true)) },
    Damage { name: "wrapped at 76, blanks kept", least: 93.0, apply: |t| lines(t, |l| wrap(l, 76, false)) },
    Damage {
        name: "wrapped at 76, then quoted",
        least: 93.0,
        apply: |t| quote(&lines(t, |l| wrap(l, 76, true))),
    },
    Damage {
        name: "quoted, then wrapped at 76",
        least: 59.0,
        apply: |t| lines(&quote(t), |l| wrap(l, 76, true)),
    },
    Damage { name: "blanks squeezed", least: 39.0, apply: |t| lines(t, squeeze) },
    Damage {
        name: "blanks squeezed, no blank lines",
        least: 39.0,
        apply: |t| no_blank_lines(&lines(t, squeeze)),
    },
    Damage { name: "no blank lines", least: 99.0, apply: no_blank_lines },
    Damage { name: "leading blanks lost", least: 71.0, apply: |t| lines(t, |l| l.trim_start().to_owned()) },
    Damage { name: "tables without their titles", least: 82.0, apply: untitled },
    Damage { name: "untitled and squeezed", least: 29.0, apply: |t| lines(&untitled(t), squeeze) },
    Damage {
        name: "untitled and wrapped at 76",
        least: 82.0,
        apply: |t| lines(&untitled(t), |l| wrap(l, 76, true)),
    },
    Damage { name: "rulers lost", least: 92.0, apply: unruled },
    Damage { name: "rulers lost and squeezed", least: 38.0, apply: |t| lines(&unruled(t), squeeze) },
    Damage { name: "cut with dots", least: 84.0, apply: cut },
    Damage { name: "cut and squeezed", least: 33.0, apply: |t| lines(&cut(t), squeeze) },
    Damage { name: "a page lost in the middle", least: 98.0, apply: |t| without_pages(t, usize::MAX) },
    Damage { name: "every seventh page lost", least: 79.0, apply: |t| without_pages(t, 7) },
    Damage { name: "prose between", least: 99.0, apply: prose },
    Damage { name: "indented by four", least: 99.0, apply: |t| lines(t, |l| format!("    {l}")) },
    Damage { name: "blanks made tabs", least: 99.0, apply: |t| lines(t, tabs) },
    Damage {
        name: "tabs shown as 4 blanks",
        least: 97.0,
        apply: |t| lines(t, |l| tabs(l).replace('\t', "    ")),
    },
    Damage {
        name: "tabs shown as 2 blanks",
        least: 70.0,
        apply: |t| lines(t, |l| tabs(l).replace('\t', "  ")),
    },
    Damage {
        name: "tabs shown as 1 blank",
        least: 78.0,
        apply: |t| lines(t, |l| tabs(l).replace('\t', " ")),
    },
    Damage {
        name: "tabs shown up to stops of 4",
        least: 97.0,
        apply: |t| lines(t, |l| to_stops(&tabs(l), 4)),
    },
    Damage {
        name: "tabs shown up to stops of 2",
        least: 69.0,
        apply: |t| lines(t, |l| to_stops(&tabs(l), 2)),
    },
    Damage { name: "wide blanks made tabs", least: 39.0, apply: |t| lines(t, cells_by_tabs) },
    Damage { name: "two blank lines for one", least: 99.0, apply: |t| t.replace("\n\n", "\n\n\n") },
    Damage { name: "a blank line below each", least: 97.0, apply: |t| lines(t, |l| format!("{l}\n")) },
    Damage { name: "pager prompts", least: 99.0, apply: |t| pager(t, "--More--(12%)\r             \r") },
    Damage { name: "pager prompts left", least: 99.0, apply: |t| pager(t, "--More--(12%)") },
    Damage {
        name: "pager prompts stepped over",
        least: 99.0,
        apply: |t| pager(t, "--More--\u{8} \u{8}\u{8} \u{8}"),
    },
    Damage { name: "pager prompts on their lines", least: 99.0, apply: |t| pager(t, "--More--(12%)\n") },
    Damage {
        name: "numbered lines",
        least: 97.0,
        apply: |t| t.lines().enumerate().map(|(n, l)| format!("{:6}  {l}\n", n + 1)).collect(),
    },
];

/// Rows that are still wrong, at most. Where a page is lost that begins in one table and ends in another of like columns,
/// or between the title of one and the headings of another that stand below no remark, nothing on the page tells.
pub(crate) const STILL_WRONG: &[(&str, usize)] =
    &[("a page lost in the middle", 8), ("every seventh page lost", 256)];

/// What a pager prints below each screen, in a recording of a terminal.
fn pager(text: &str, prompt: &str) -> String {
    let mut out = String::new();
    for (n, line) in text.lines().enumerate() {
        // Left before a blank line it would stand on its own.
        if n % 40 == 39 && !(line.is_empty() && prompt.ends_with(')')) {
            out += prompt;
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

fn lines(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|l| change(l.trim_start_matches('\u{c}').trim_end()) + "\n").collect()
}

fn wrap(line: &str, width: usize, trim: bool) -> String {
    let mut out = String::new();
    let mut rest = line;
    while rest.chars().count() > width {
        let end = rest.char_indices().nth(width).map_or(rest.len(), |c| c.0);
        let lead = rest.len() - rest.trim_start().len();
        let cut = rest[..=end.min(rest.len() - 1)].rfind(' ').filter(|c| *c > lead).unwrap_or(end);
        out += rest[..cut].trim_end();
        out.push('\n');
        rest = &rest[cut..];
        rest = if trim { rest.trim_start() } else { rest.strip_prefix(' ').unwrap_or(rest) };
    }
    out + rest
}

fn quote(text: &str) -> String {
    lines(text, |l| format!("> {l}"))
}

fn squeeze(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn no_blank_lines(text: &str) -> String {
    text.lines().filter(|l| !l.trim().is_empty()).map(|l| format!("{l}\n")).collect()
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|b| matches!(b, b'-' | b'~' | b' ' | b'='))
}

/// Titles with their remarks go, tables stay.
fn untitled(text: &str) -> String {
    let mut out = String::new();
    let all: Vec<&str> = text.lines().map(|l| l.trim_start_matches('\u{c}').trim_end()).collect();
    let mut remark = false;
    for (i, line) in all.iter().enumerate() {
        let underline = line.starts_with("~~~") && !line.contains(' ');
        let underlined = all.get(i + 1).is_some_and(|l| l.starts_with("~~~") && !l.contains(' '));
        remark = line.starts_with("->") || remark && !line.is_empty();
        if line.contains("DB/Inst:") || line.contains(" for DB:") || underline || underlined || remark {
            out.push('\n');
        } else {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

fn unruled(text: &str) -> String {
    text.lines().filter(|l| !is_rule(l.trim_start_matches('\u{c}'))).map(|l| format!("{l}\n")).collect()
}

/// Every third page is cut in its middle, and every fifth left out.
fn cut(text: &str) -> String {
    let statspack = text.contains("STATSPACK");
    let mut out = String::new();
    for (i, page) in text.split('\u{c}').enumerate() {
        let lines: Vec<&str> = page.lines().collect();
        // Statspack breaks pages between a statement's numbers and its text.
        if i % 5 == 4 && !statspack {
            out += "...\n\n";
        } else if i % 3 == 1 && lines.len() > 24 && !page.contains("SQL ordered") {
            let _ = writeln!(out, "{}\n...\n{}", lines[..14].join("\n"), lines[20..].join("\n"));
        } else {
            out += page;
        }
    }
    out
}

/// Pages of a printer get lost, which break wherever they are full: the one in the middle, or every so many.
fn without_pages(text: &str, every: usize) -> String {
    const PAGE: usize = 50;
    let all: Vec<&str> = text.lines().collect();
    let pages = all.chunks(PAGE);
    let middle = pages.len() / 2;
    let is_lost = |page: usize| if every == usize::MAX { page == middle } else { page % every == every / 2 };
    let kept = pages.enumerate().filter(|(page, _)| !is_lost(*page)).flat_map(|(_, lines)| lines);
    kept.fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{line}");
        out
    })
}

/// Somebody writes between the pages.
fn prose(text: &str) -> String {
    let mut out =
        String::from("Hello all,\n\nwe have 3 databases on 2 hosts and users complain since 10.\n\n");
    for (i, page) in text.split('\u{c}').enumerate() {
        // Not in the middle of a table.
        let over = out.trim_end().lines().last().is_some_and(|l| l.trim().starts_with("----"));
        if i % 2 == 1 && over {
            out += "\nAnd here is the next one, you can see the 1,200 waits:\n\n";
        }
        out += page;
    }
    out + "\nAny idea? We have tried 2 things already, see 12.\nThanks\n"
}

/// As editors do that fill with tabs of eight.
fn tabs(line: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = line.chars().collect();
    for block in chars.chunks(8) {
        let kept = block.iter().rposition(|c| *c != ' ').map_or(0, |p| p + 1);
        out.extend(&block[..kept]);
        if block.len() == 8 && kept < 7 {
            out.push('\t');
        } else {
            out.extend(&block[kept..]);
        }
    }
    out.trim_end_matches([' ', '\t']).to_owned()
}

/// As editors show tabs that are set to other stops than those they were written for.
fn to_stops(line: &str, stop: usize) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for c in line.chars() {
        let width = if c == '\t' { stop - at % stop } else { 1 };
        out.extend(std::iter::repeat_n(if c == '\t' { ' ' } else { c }, width));
        at += width;
    }
    out
}

/// As where somebody pasted by way of a spreadsheet.
fn cells_by_tabs(line: &str) -> String {
    let parts: Vec<&str> = line.trim().split("  ").map(str::trim).filter(|p| !p.is_empty()).collect();
    parts.join("\t")
}
