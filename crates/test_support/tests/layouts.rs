//! Layouts as printed here are those of real reports: title by title, ruler by ruler, heading by
//! heading, word for word.
#![allow(clippy::unwrap_used)]

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use spindle_facts::{Layout, Report};
use spindle_test_support::{
    Headings, Release, Style, cases, corpus, generate, headings, headings_compared, headings_rac,
    render_compared,
};
use std::collections::{HashMap, HashSet};

/// The reports of a folder of the corpus whose names start so.
fn real(folder: &str, prefix: &str) -> Option<Vec<String>> {
    let folder = corpus()?.join(folder);
    let mut found: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            found.push(String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).into_owned());
        }
    }
    assert!(!found.is_empty(), "no report {prefix}*");
    Some(found)
}

/// A report with rows in every section.
fn full(facts: impl Strategy<Value = Report>) -> Report {
    let mut report = facts.new_tree(&mut TestRunner::deterministic()).unwrap().current();
    report.tables.host_cpu = cases::redo_on_sas().tables.host_cpu;
    report
}

/// Tags out, entities as characters, one blank between words.
fn words(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    for (entity, character) in [
        ("&#160;", " "),
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
        ("&#13;&#10;", " "),
    ] {
        out = out.replace(entity, character);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Heading and heading cells of every table of a page, with its `summary=`.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
struct RealTable {
    title: String,
    summary: String,
    cells: Vec<Vec<String>>,
}

fn tables(html: &str) -> Vec<RealTable> {
    let mut found = Vec::new();
    let mut title = String::new();
    let parts: Vec<&str> = html.split("<table").collect();
    for pair in parts.windows(2) {
        // The heading is the last text before the table that is no list of remarks.
        let before =
            pair[0].rsplit("</table>").next().unwrap().replace("<h3", "<p /><h3").replace("</h3>", "<p />");
        let texts = before.split("<p />").filter(|t| !t.contains("<li")).map(words);
        if let Some(text) = texts.filter(|t| !t.is_empty()).last() {
            title = text;
        }
        let table = pair[1].split("</table").next().unwrap();
        let tag = table.split('>').next().unwrap();
        let summary = tag.split("summary=\"").nth(1).map_or("", |s| s.split('"').next().unwrap());
        let cells = table
            .split("<tr")
            .filter(|row| row.contains("<th "))
            .map(|row| row.split("<t").skip(1).map(|cell| words(&format!("<t{cell}"))).collect())
            .collect();
        found.push(RealTable { title: title.clone(), summary: words(summary), cells });
    }
    found
}

/// What is printed here and in no real report.
fn strange_html(report: &Report, release: Release, theirs: &[String]) -> Vec<String> {
    let real: Vec<RealTable> = theirs.iter().flat_map(|page| tables(page)).collect();
    strange_tables(&headings(report, &Style::new(release, Layout::Html)), release, &real, theirs)
}

fn strange_tables(ours: &[Headings], release: Release, real: &[RealTable], theirs: &[String]) -> Vec<String> {
    let spaced = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
    ours.iter()
        .filter_map(|ours| {
            let ours = RealTable {
                // Counts of processors stand in the heading.
                title: spaced(&ours.title),
                summary: if release >= Release::V11_2_0_3 { spaced(ours.summary) } else { String::new() },
                cells: ours
                    .cells
                    .iter()
                    .filter(|row| !row.is_empty())
                    .map(|row| row.iter().map(|c| spaced(c)).collect())
                    .collect(),
            };
            let bare = |t: &str| t.split(" (CPUs:").next().unwrap().to_owned();
            let titled = |t: &&RealTable| ours.title.is_empty() || bare(&t.title) == bare(&ours.title);
            // Container and RAC databases add a column.
            let plain = |t: &RealTable| -> Vec<Vec<String>> {
                let added = |c: &&String| !matches!(c.as_str(), "PDB Name" | "Instances");
                t.cells.iter().map(|row| row.iter().filter(added).cloned().collect()).collect()
            };
            let near: HashSet<&RealTable> = real.iter().filter(titled).collect();
            if near
                .iter()
                .any(|t| t.summary == ours.summary && (t.cells == ours.cells || plain(t) == ours.cells))
            {
                return None;
            }
            // A section that no report of the release has rows in is held by its heading.
            if near.is_empty() && theirs.iter().any(|page| page.contains(&format!(">{}<", ours.title))) {
                return None;
            }
            Some(format!("  {ours:?}\n    real: {near:?}"))
        })
        .collect()
}

macro_rules! html {
    ($($name:ident: $release:ident, $facts:ident, $folder:literal, $prefix:literal;)*) => {
        $(#[test]
        fn $name() {
            let Some(theirs) = real($folder, $prefix) else { return };
            let report = full(generate::$facts(Release::$release));
            let strange = strange_html(&report, Release::$release, &theirs);
            assert!(strange.is_empty(), "{} tables as in no {}*:\n{}", strange.len(), $prefix, strange.join("\n"));
        })*
    };
}

html! {
    awr_11_1_html: V11_1, awr, "awr-html", "11.1.";
    awr_11_2_0_3_html: V11_2_0_3, awr, "awr-html", "11.2.0.3.";
    awr_11_2_0_4_html: V11_2_0_4, awr, "awr-html", "11.2.0.4.";
    awr_12_1_html: V12_1, awr, "awr-html", "12.1.";
    awr_12_2_html: V12_2, awr, "awr-html", "12.2.";
    awr_19_html: V19, awr, "awr-html", "19.";
    pdb_12_2_html: V12_2, pdb, "awr-pdb", "12.2.";
}

/// No container database of 19c here has I/O by file: its tables are held by a PDB report.
#[test]
fn containers_19_html() {
    let (Some(mut theirs), Some(pdb)) = (real("awr-html", "19."), real("awr-pdb", "12.2.")) else { return };
    theirs.extend(pdb);
    let strange = strange_html(&full(generate::cdb(Release::V19)), Release::V19, &theirs);
    assert!(strange.is_empty(), "{} tables as in no report:\n{}", strange.len(), strange.join("\n"));
}

/// Reports over all instances; what a summary explains behind its title is not held.
#[test]
fn all_instances_of_a_rac_database() {
    for (release, prefix) in [(Release::V11_2_0_3, "11.2.0.3."), (Release::V19, "19.")] {
        let Some(theirs) = real("awr-rac", prefix) else { return };
        let short = |text: &str| text.split(". .").next().unwrap().trim().to_owned();
        let mut tables: Vec<RealTable> = theirs.iter().flat_map(|page| tables(page)).collect();
        tables.iter_mut().for_each(|t| t.summary = short(&t.summary));
        let reports = generate::rac(release).new_tree(&mut TestRunner::deterministic()).unwrap().current();
        let mut ours = headings_rac(&reports, &Style::new(release, Layout::Html));
        ours.iter_mut().for_each(|h| h.summary = h.summary.split(". .").next().unwrap());
        let strange = strange_tables(&ours, release, &tables, &theirs);
        assert!(strange.is_empty(), "{} tables as in no {prefix}*:\n{}", strange.len(), strange.join("\n"));
    }
}

#[test]
fn two_periods_side_by_side_html() {
    let release = Release::V11_2_0_3;
    let Some(theirs) = real("awr-diff", "11.2.0.3.") else { return };
    let pages: Vec<String> = theirs.into_iter().filter(|page| page.contains("<table")).collect();
    let real: Vec<RealTable> = pages.iter().flat_map(|page| tables(page)).collect();
    let periods = generate::compared(release).new_tree(&mut TestRunner::deterministic()).unwrap().current();
    let ours = headings_compared(&periods, &Style::new(release, Layout::Html));
    let strange = strange_tables(&ours, release, &real, &pages);
    assert!(strange.is_empty(), "{} tables as in no report:\n{}", strange.len(), strange.join("\n"));
}

#[test]
fn two_periods_side_by_side_text() {
    let Some(theirs) = real("awr-diff", "11.2.0.3.") else { return };
    let lines: HashSet<&str> = theirs
        .iter()
        .filter(|page| !page.contains("<table"))
        .flat_map(|page| page.lines().map(|l| l.trim_start_matches('\x0c').trim_end()))
        .collect();
    let release = Release::V11_2_0_3;
    let periods = generate::compared(release).new_tree(&mut TestRunner::deterministic()).unwrap().current();
    for section in headings_compared(&periods, &Style::new(release, Layout::Text)) {
        let title = format!("{}   First DB/Inst: ", section.title);
        assert!(lines.iter().any(|l| l.starts_with(&title)), "no title {title}");
        for line in section.lines {
            assert!(lines.contains(line.as_str()), "{}: no line {line}", section.title);
        }
    }
    // The first page: everything above its rows.
    let page = render_compared(&periods, &Style::new(release, Layout::Text));
    for line in page.lines().take(25).filter(|l| l.contains("Snapshot Set") || l.contains("---- ---")) {
        assert!(lines.contains(line.trim_end()), "no line {line}");
    }
}

/// The title of a section, without what stands behind it: database, instance, snapshots.
fn title_of(line: &str) -> Option<&str> {
    let end =
        [line.find("DB/Inst:"), line.find(" for DB:"), line.find("  DB/I")].into_iter().flatten().min()?;
    Some(line[..end].trim())
}

/// What Statspack prints of snapshots above its usual level, or of busier databases only.
const BY_LEVEL: [&str; 3] =
    ["Segments by Logical Reads", "Segments by Physical Reads", "SQL ordered by Executions"];

/// Titles and heading lines, rulers among them, that stand in no real report.
fn strange_text(report: &Report, release: Release, theirs: &[String]) -> Vec<String> {
    let mut sections: HashMap<&str, HashSet<&str>> = HashMap::new();
    for text in theirs {
        // The first page has no title.
        let mut title = "";
        for line in text.lines().map(|l| l.trim_start_matches('\x0c').trim_end()) {
            title = title_of(line).unwrap_or(title);
            sections.entry(title).or_default().insert(line);
        }
    }
    let mut strange = Vec::new();
    for ours in headings(report, &Style::new(release, Layout::Text)) {
        let Some(real) = sections.get(ours.title.as_str()) else {
            if BY_LEVEL.contains(&ours.title.as_str()) {
                continue;
            }
            strange.push(format!("title {}", ours.title));
            continue;
        };
        // A section that no report of the release has rows in is held by its title.
        if real.iter().any(|l| l.contains("No data exists")) && !real.iter().any(|l| l.contains("--- ---")) {
            continue;
        }
        // The heading of the host's CPU counts them.
        let missing = ours.lines.iter().filter(|l| !real.contains(l.trim_end()) && !l.contains("(CPUs: "));
        // An error took the snapshots of the only Statspack of 9.2.
        let missing = missing.filter(|l| {
            release != Release::V9_2
                || !(l.contains("Snap Id") || l.contains(" ------------------ -------- "))
        });
        strange.extend(missing.map(|l| format!("{}: {l}", ours.title)));
    }
    strange
}

macro_rules! text {
    ($($name:ident: $release:ident, $facts:ident, $folder:literal, $prefix:literal;)*) => {
        $(#[test]
        fn $name() {
            let Some(theirs) = real($folder, $prefix) else { return };
            let report = full(generate::$facts(Release::$release));
            let strange = strange_text(&report, Release::$release, &theirs);
            assert!(strange.is_empty(), "{} lines as in no {}*:\n{}", strange.len(), $prefix, strange.join("\n"));
        })*
    };
}

text! {
    awr_11_2_0_3_text: V11_2_0_3, awr, "awr-text", "11.2.0.3.";
    awr_11_2_0_4_text: V11_2_0_4, awr, "awr-text", "11.2.0.4.";
    awr_12_2_text: V12_2, awr, "awr-text", "12.2.";
    statspack_9_2: V9_2, statspack, "statspack", "9.2.0.1.0__unk__n";
    statspack_10_1: V10_1, statspack, "statspack", "10.1.";
    statspack_11_2: V11_2_0_3, statspack, "statspack", "11.2.0.3.";
    statspack_12_1: V12_1, statspack, "statspack", "12.1.";
    statspack_19: V19, statspack, "statspack", "19.";
}
