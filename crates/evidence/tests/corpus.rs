//! Real reports, read: every section that is printed is read, every number is the printed one, text
//! and HTML of one period agree, Statspack and AWR of one period agree.
//!
//! Numbers are checked against a second, simple splitter of tables in this file, which shares no
//! code with the crate. Without the corpus beside the workspace the tests say so and pass.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::float_cmp)]

use serde_json::Value;
use spindle_facts::{Report, SectionStatus};
use spindle_test_support::corpus;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> Vec<Report> {
    let bytes = std::fs::read(path).unwrap();
    spindle_evidence::read(&path.to_string_lossy(), &bytes).reports
}

/// Reports of one instance or container, in these folders, without OSPRep's pages (a layout of its own).
fn instance_reports(folders: &[&str]) -> Vec<PathBuf> {
    let Some(corpus) = corpus() else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = folders
        .iter()
        .flat_map(|f| std::fs::read_dir(corpus.join(f)).unwrap())
        .map(|e| e.unwrap().path())
        .filter(|p| !p.to_string_lossy().contains("IzzySoft"))
        .collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn table(report: &Value, name: &str) -> Vec<Value> {
    report["tables"][name].as_array().unwrap().clone()
}

#[test]
fn every_section_about_io_is_read() {
    // Printed, yet of no use for response time or I/O, or of another container.
    const KEPT_RAW: &[&str] =
        &["Database Small IO Summary", "Advanced Queue CPU/IO Usage", "Streams CPU/IO Usage"];
    for path in instance_reports(&["awr-html", "awr-text", "awr-pdb", "statspack"]) {
        let reports = read(&path);
        assert!(!reports.is_empty(), "{}: nothing read", name(&path));
        for report in &reports {
            for section in &report.sections {
                let where_ = format!("{}, line {}, `{}`", name(&path), section.line, section.title);
                assert_ne!(section.status, SectionStatus::Unreadable, "{where_}");
                let about_io =
                    ["IO", "I/O", "SQL ordered", "Segments by", "Wait Event", "Activity Stats", "Advisory"]
                        .iter()
                        .any(|w| section.title.contains(w))
                        && !["Pool Advisory", "(for ADDM)", "MTTR Advisory", "SQL ordered by "]
                            .iter()
                            .any(|w| section.title.contains(w) && !section.title.starts_with("Buffer Pool"))
                        && !KEPT_RAW.contains(&section.title.as_str());
                assert!(!(about_io && section.status == SectionStatus::Unknown), "{where_} is not read");
                let ranking = section.title.starts_with("SQL ordered by");
                assert!(!(ranking && section.status == SectionStatus::Unknown), "{where_} is not read");
            }
        }
    }
}

#[test]
fn damaged_reports_give_notes_and_no_panic() {
    for path in instance_reports(&["awr-html", "awr-text", "statspack"]).iter().step_by(7) {
        let bytes = std::fs::read(path).unwrap();
        for cut in [bytes.len() / 3, bytes.len() / 2, bytes.len() * 5 / 6] {
            let _ = spindle_evidence::read("cut", &bytes[cut / 2..cut]);
        }
        let swapped: Vec<u8> = bytes.iter().map(|b| if *b == b'-' { b' ' } else { *b }).collect();
        let _ = spindle_evidence::read("no rulers", &swapped[..swapped.len().min(400_000)]);
    }
}

// ---- A second reader of tables, as simple as can be. ----

/// A table of a page: what stands above it, and its cells as text.
struct Page {
    title: String,
    rows: Vec<Vec<String>>,
}

fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for c in html.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    let out = out.replace("&#160;", " ").replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    let out = out.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every table below a heading of the third level, cells by tag; pages with `colspan` headings keep
/// only their data right, which is why columns are named by the tests.
fn pages(html: &str) -> Vec<Page> {
    let mut found = Vec::new();
    for piece in html.split("<h3 class=\"awr\">").skip(1) {
        let Some((title, rest)) = piece.split_once("</h3>") else {
            continue;
        };
        let Some((before, body)) = rest.split_once("<table") else {
            continue;
        };
        if before.contains("No data exists") || before.contains("</h3>") {
            continue;
        }
        let body = body.split("</table>").next().unwrap();
        let rows = body
            .split("<tr>")
            .skip(1)
            .map(|row| {
                let cells = row.replace("<th", "<td");
                cells.split("<td").skip(1).map(|c| plain(&format!("<td{c}"))).collect()
            })
            .collect();
        found.push(Page { title: plain(title), rows });
    }
    found
}

/// `1,234.5`, `12.3K` with suffixes of this base.
fn number(text: &str, base: f64) -> Option<f64> {
    let text = text.replace(',', "");
    let text = text.trim();
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let digits = &text[..text.len() - letters.len()];
    if let Some((mantissa, exponent)) = text.split_once("E+") {
        return Some(mantissa.parse::<f64>().ok()? * 10_f64.powi(exponent.parse().ok()?));
    }
    let factor = match letters.trim() {
        "" => 1.0,
        "K" => base,
        "M" => base.powi(2),
        "G" => base.powi(3),
        "T" => base.powi(4),
        "ns" => 1e-6,
        "us" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        _ => return None,
    };
    let digits =
        if let Some(rest) = digits.strip_prefix('.') { format!("0.{rest}") } else { digits.to_owned() };
    digits.parse::<f64>().ok().map(|d| d * factor)
}

/// One column to compare: heading, which of those with the same heading, key, base of suffixes, and
/// factor from the printed unit to the key's.
struct Column(&'static str, usize, &'static str, f64, f64);

/// One table to compare.
struct Check {
    titles: &'static [&'static str],
    table: &'static str,
    /// Heading and key of what names a row.
    name: (&'static str, &'static str),
    columns: &'static [Column],
}

const MIB: f64 = 1_048_576.0;
const CHECKS: &[Check] = &[
    Check {
        titles: &["Time Model Statistics"],
        table: "time_model",
        name: ("Statistic Name", "statistic"),
        columns: &[
            Column("Time (s)", 0, "time_s", 1e3, 1.0),
            Column("% of DB Time", 0, "share_db_time_pct", 1e3, 1.0),
        ],
    },
    Check {
        titles: &["Operating System Statistics"],
        table: "os_stat",
        name: ("Statistic", "statistic"),
        columns: &[Column("Value", 0, "value", 1e3, 1.0), Column("End Value", 0, "end_value", 1e3, 1.0)],
    },
    Check {
        titles: &[
            "Instance Activity Stats",
            "Key Instance Activity Stats",
            "Other Instance Activity Stats",
            "Instance Activity Stats - Absolute Values",
            "Instance Activity Stats - Thread Activity",
        ],
        table: "instance_stat",
        name: ("Statistic", "statistic"),
        columns: &[
            Column("Total", 0, "total", 1e3, 1.0),
            Column("per Second", 0, "per_second", 1e3, 1.0),
            Column("Begin Value", 0, "begin_value", 1e3, 1.0),
            Column("End Value", 0, "end_value", 1e3, 1.0),
        ],
    },
    Check {
        titles: &["Tablespace IO Stats"],
        table: "tablespace_io",
        name: ("Tablespace", "tablespace"),
        columns: &[
            Column("Reads", 0, "reads", 1e3, 1.0),
            Column("Av Rd(ms)", 0, "avg_read_us", 1e3, 1e3),
            Column("Av Blks/Rd", 0, "blocks_per_read", 1e3, 1.0),
            Column("Buffer Waits", 0, "buffer_waits", 1e3, 1.0),
            Column("Av Buf Wt(ms)", 0, "avg_buffer_wait_us", 1e3, 1e3),
            Column("Av Writes(ms)", 0, "avg_write_us", 1e3, 1e3),
            Column("% Opt Reads", 0, "optimized_reads_pct", 1e3, 1.0),
        ],
    },
    Check {
        titles: &["File IO Stats"],
        table: "file_io",
        name: ("Filename", "file"),
        columns: &[
            Column("Reads", 0, "reads", 1e3, 1.0),
            Column("Av Rd(ms)", 0, "avg_read_us", 1e3, 1e3),
            Column("Writes", 0, "writes", 1e3, 1.0),
            Column("1-bk Rds/s", 0, "one_block_reads_per_s", 1e3, 1.0),
            Column("Av 1-bk Rd(ms)", 0, "one_block_avg_us", 1e3, 1e3),
        ],
    },
    Check {
        titles: &["IOStat by Function summary"],
        table: "io_function",
        name: ("", "function"),
        columns: &[
            Column("Reads: Data", 0, "read_bytes", 1024.0, 1.0),
            Column("Reqs per sec", 0, "reads_per_s", 1e3, 1.0),
            Column("Data per sec", 0, "read_bytes_per_s", 1024.0, 1.0),
            Column("Writes: Data", 0, "write_bytes", 1024.0, 1.0),
            Column("Reqs per sec", 1, "writes_per_s", 1e3, 1.0),
            Column("Data per sec", 1, "write_bytes_per_s", 1024.0, 1.0),
            Column("Waits: Count", 0, "waits", 1e3, 1.0),
            Column("Avg Tm(ms)", 0, "avg_wait_us", 1e3, 1e3),
            Column("Avg Time", 0, "avg_wait_us", 1e3, 1e3),
        ],
    },
    Check {
        titles: &["IOStat by Filetype summary"],
        table: "io_filetype",
        name: ("", "filetype"),
        columns: &[
            Column("Reads: Data", 0, "read_bytes", 1024.0, 1.0),
            Column("Reqs per sec", 0, "reads_per_s", 1e3, 1.0),
            Column("Writes: Data", 0, "write_bytes", 1024.0, 1.0),
            Column("Reqs per sec", 1, "writes_per_s", 1e3, 1.0),
            Column("Small Read", 0, "small_read_us", 1e3, 1e3),
            Column("Large Read", 0, "large_read_us", 1e3, 1e3),
        ],
    },
    Check {
        titles: &["IOStat by Function/Filetype summary"],
        table: "io_function_filetype",
        name: ("", "function"),
        columns: &[
            Column("Reads: Data", 0, "read_bytes", 1024.0, 1.0),
            Column("Reqs per sec", 1, "writes_per_s", 1e3, 1.0),
            Column("Waits: Count", 0, "waits", 1e3, 1.0),
        ],
    },
    Check {
        titles: &["PGA Memory Advisory"],
        table: "pga_advice",
        name: ("", ""),
        columns: &[
            Column("PGA Target Est (MB)", 0, "target_bytes", 1024.0, MIB),
            Column("W/A MB Processed", 0, "processed_bytes", 1024.0, MIB),
            Column("Estd PGA Cache Hit %", 0, "cache_hit_pct", 1e3, 1.0),
        ],
    },
    Check {
        titles: &["Buffer Pool Advisory"],
        table: "db_cache_advice",
        name: ("P", "pool"),
        columns: &[
            Column("Size for Est (M)", 0, "size_bytes", 1024.0, MIB),
            Column("Est Phys Read Factor", 0, "read_factor", 1e3, 1.0),
            Column("Estimated Phys Reads (thousands)", 0, "estimated_reads", 1e3, 1e3),
        ],
    },
    Check { titles: &["Complete List of SQL Text"], table: "", name: ("", ""), columns: &[] },
    Check {
        titles: &[
            "SQL ordered by Elapsed Time",
            "SQL ordered by CPU Time",
            "SQL ordered by User I/O Wait Time",
            "SQL ordered by Gets",
            "SQL ordered by Reads",
            "SQL ordered by Physical Reads (UnOptimized)",
            "SQL ordered by Executions",
            "SQL ordered by Parse Calls",
            "SQL ordered by Sharable Memory",
            "SQL ordered by Version Count",
            "SQL ordered by Cluster Wait Time",
        ],
        table: "sql_stat",
        name: ("SQL Id", "sql_id"),
        columns: &[
            Column("Elapsed Time (s)", 0, "elapsed_s", 1e3, 1.0),
            Column("CPU Time (s)", 0, "cpu_s", 1e3, 1.0),
            Column("User I/O Time (s)", 0, "io_wait_s", 1e3, 1.0),
            Column("Buffer Gets", 0, "buffer_gets", 1e3, 1.0),
            Column("Physical Reads", 0, "physical_reads", 1e3, 1.0),
            Column("UnOptimized Read Reqs", 0, "unoptimized_read_requests", 1e3, 1.0),
            Column("Physical Read Reqs", 0, "read_requests", 1e3, 1.0),
            Column("Executions", 0, "executions", 1e3, 1.0),
            Column("%Total", 0, "share_pct", 1e3, 1.0),
            Column("%CPU", 0, "cpu_pct", 1e3, 1.0),
            Column("%IO", 0, "io_pct", 1e3, 1.0),
        ],
    },
    Check {
        titles: &[
            "Segments by Logical Reads",
            "Segments by Physical Reads",
            "Segments by Physical Read Requests",
            "Segments by UnOptimized Reads",
            "Segments by Optimized Reads",
            "Segments by Direct Physical Reads",
            "Segments by Physical Writes",
            "Segments by Physical Write Requests",
            "Segments by Direct Physical Writes",
            "Segments by Table Scans",
            "Segments by DB Blocks Changes",
            "Segments by Row Lock Waits",
            "Segments by ITL Waits",
            "Segments by Buffer Busy Waits",
            "Segments by Global Cache Buffer Busy",
            "Segments by CR Blocks Received",
            "Segments by Current Blocks Received",
            "Segments by Global Cache Remote Grants",
        ],
        table: "segment_stat",
        name: ("Object Name", "object"),
        columns: &[
            Column("Logical Reads", 0, "value", 1e3, 1.0),
            Column("Physical Reads", 0, "value", 1e3, 1.0),
            Column("Phys Read Requests", 0, "value", 1e3, 1.0),
            Column("Direct Reads", 0, "value", 1e3, 1.0),
            Column("Physical Writes", 0, "value", 1e3, 1.0),
            Column("DB Block Changes", 0, "value", 1e3, 1.0),
            Column("%Total", 0, "share_pct", 1e3, 1.0),
            Column("% of Capture", 0, "share_pct", 1e3, 1.0),
        ],
    },
    Check {
        titles: &["Foreground Wait Events", "Background Wait Events"],
        table: "wait_event",
        name: ("Event", "event"),
        columns: &[
            Column("Waits", 0, "waits", 1e3, 1.0),
            Column("Total Wait Time (s)", 0, "time_s", 1e3, 1.0),
            Column("Waits /txn", 0, "waits_per_txn", 1e3, 1.0),
        ],
    },
];

#[test]
fn every_number_of_html_is_the_printed_one() {
    let mut compared = 0_u32;
    for path in instance_reports(&["awr-html", "awr-pdb"]) {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        if !text.contains("<h3 class=\"awr\">") {
            continue; // Saved by a browser, which rewrote the tags.
        }
        let reports = spindle_evidence::read("x", &bytes).reports;
        assert_eq!(reports.len(), 1, "{}", name(&path));
        let report = serde_json::to_value(&reports[0]).unwrap();
        let pages = pages(&text);
        for check in CHECKS.iter().filter(|c| !c.table.is_empty()) {
            compared += compare(check, &pages, &report, &name(&path));
        }
    }
    assert!(corpus().is_none() || compared > 50_000, "only {compared} numbers compared");
}

fn means_cannot_be(report: &Value) -> bool {
    let notes = report["notes"].as_array().unwrap();
    notes.iter().any(|n| n["message"].as_str().is_some_and(|m| m.starts_with("the mean reads cannot be")))
}

/// Compares one table cell by cell, in printed order; returns how many numbers.
fn compare(check: &Check, pages: &[Page], report: &Value, file: &str) -> u32 {
    let facts = table(report, check.table);
    let mut rows = facts.iter();
    let mut compared = 0;
    for page in pages.iter().filter(|p| check.titles.contains(&p.title.as_str())) {
        let Some((headings, data)) = page.rows.split_first() else {
            continue;
        };
        for cells in data {
            if cells.iter().all(String::is_empty) {
                continue;
            }
            let what = format!("{file}, `{}`, {cells:?}", page.title);
            let Some(fact) = rows.next() else {
                panic!("{what}: no row was read");
            };
            let at = |heading: &str, nth: usize| {
                headings.iter().enumerate().filter(|(_, h)| *h == heading).map(|(i, _)| i).nth(nth)
            };
            let printed_name = at(check.name.0, 0).map(|i| cells[i].as_str());
            if let Some(printed) = printed_name.filter(|p| !p.is_empty()) {
                let words: Vec<&str> = fact[check.name.1].as_str().unwrap_or("").split_whitespace().collect();
                assert_eq!(words.join(" "), printed, "{what}");
            }
            for Column(heading, nth, key, base, scale) in check.columns {
                let Some(cell) = at(heading, *nth).map(|i| cells[i].as_str()) else {
                    continue;
                };
                // `Data per sec` without a suffix is MB.
                let bare =
                    !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
                let scale = if heading.contains("Data") && bare { MIB } else { *scale };
                let want = number(cell, *base).map(|n| n * scale);
                let got = fact[*key].as_f64();
                let same = match (want, got) {
                    (Some(w), Some(g)) => (w - g).abs() <= 1e-6 * w.abs().max(1e-6),
                    // Rates that the report leaves blank are derived.
                    (None, None) => true,
                    (None, Some(_)) => check.table == "instance_stat",
                    // Known to be impossible, with a note that says so.
                    (Some(_), None) => key.contains("avg") && means_cannot_be(report),
                };
                assert!(same, "{what}: `{heading}` prints {cell:?}, {key} is {got:?}");
                compared += u32::from(want.is_some());
            }
        }
    }
    assert!(rows.next().is_none(), "{file}: {} has rows that the report does not print", check.table);
    compared
}

/// A table in text: title, and columns by their order under the ruler.
struct TextCheck {
    title: &'static str,
    table: &'static str,
    /// Key of the name in the first column.
    name: &'static str,
    columns: &'static [(usize, &'static str, f64, f64)],
}

const TEXT_CHECKS: &[TextCheck] = &[
    TextCheck {
        title: "Time Model Statistics",
        table: "time_model",
        name: "statistic",
        columns: &[(1, "time_s", 1e3, 1.0), (2, "share_db_time_pct", 1e3, 1.0)],
    },
    TextCheck {
        title: "Time Model System Stats",
        table: "time_model",
        name: "statistic",
        columns: &[(1, "time_s", 1e3, 1.0), (2, "share_db_time_pct", 1e3, 1.0)],
    },
    TextCheck {
        title: "Operating System Statistics",
        table: "os_stat",
        name: "statistic",
        columns: &[(1, "value", 1e3, 1.0), (2, "end_value", 1e3, 1.0)],
    },
    TextCheck {
        title: "IOStat by Function summary",
        table: "io_function",
        name: "function",
        columns: &[
            (1, "read_bytes", 1024.0, 1.0),
            (2, "reads_per_s", 1e3, 1.0),
            (4, "write_bytes", 1024.0, 1.0),
            (5, "writes_per_s", 1e3, 1.0),
            (7, "waits", 1e3, 1.0),
        ],
    },
    TextCheck {
        title: "IOStat by Filetype summary",
        table: "io_filetype",
        name: "filetype",
        columns: &[
            (1, "read_bytes", 1024.0, 1.0),
            (2, "reads_per_s", 1e3, 1.0),
            (5, "writes_per_s", 1e3, 1.0),
        ],
    },
    TextCheck {
        title: "IO Stat by Function - summary",
        table: "io_function",
        name: "function",
        columns: &[
            (1, "read_bytes", 1024.0, 1.0),
            (2, "reads_per_s", 1e3, 1.0),
            (4, "write_bytes", 1024.0, 1.0),
            (5, "writes_per_s", 1e3, 1.0),
            (7, "waits", 1e3, 1.0),
        ],
    },
    TextCheck {
        title: "PGA Memory Advisory",
        table: "pga_advice",
        name: "",
        columns: &[(0, "target_bytes", 1024.0, MIB), (2, "processed_bytes", 1024.0, MIB)],
    },
    TextCheck {
        title: "Buffer Pool Advisory",
        table: "db_cache_advice",
        name: "pool",
        columns: &[(1, "size_bytes", 1024.0, MIB), (4, "read_factor", 1e3, 1.0)],
    },
    TextCheck {
        title: "Foreground Wait Events",
        table: "wait_event",
        name: "",
        columns: &[(1, "waits", 1e3, 1.0), (3, "time_s", 1e3, 1.0)],
    },
];

/// Rows of a titled table: cut where the dashes are, over all its pages.
fn text_rows(text: &str, title: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let line = line.trim_start_matches('\u{c}').trim_end();
        if let Some(at) = line.find("DB/Inst:") {
            inside = line[..at].trim() == title;
            runs.clear();
        } else if !inside || line.trim().is_empty() {
            continue;
        } else if line.trim().bytes().all(|b| b == b'-' || b == b' ') {
            let words: Vec<&str> = line.split(' ').collect();
            if words.iter().filter(|w| !w.is_empty()).count() == 1 {
                inside = false;
                continue;
            }
            let mut position = 0;
            runs.clear();
            for word in words {
                if !word.is_empty() {
                    runs.push((position, position + word.len()));
                }
                position += word.len() + 1;
            }
        } else if !runs.is_empty() {
            let cell = |r: &(usize, usize)| {
                line.get(r.0..r.1.min(line.len()).max(r.0)).unwrap_or("").trim().to_owned()
            };
            found.push(runs.iter().map(cell).collect());
        }
    }
    found
}

#[test]
fn every_number_of_text_is_the_printed_one() {
    let mut compared = 0_u32;
    for path in instance_reports(&["awr-text", "statspack"]) {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let report = serde_json::to_value(&spindle_evidence::read("x", &bytes).reports[0]).unwrap();
        for check in TEXT_CHECKS {
            let rows = text_rows(&text, check.title);
            let facts = table(&report, check.table);
            if rows.is_empty() {
                continue;
            }
            assert!(facts.len() >= rows.len(), "{}: {} of {} rows", name(&path), facts.len(), rows.len());
            for (cells, fact) in rows.iter().zip(&facts) {
                let what = format!("{}, `{}`, {cells:?}", name(&path), check.title);
                if !check.name.is_empty() && fact["is_total"] != true {
                    let full = fact[check.name].as_str().unwrap_or("");
                    assert!(full.starts_with(cells[0].as_str()), "{what}: {full}");
                }
                for (at, key, base, scale) in check.columns {
                    let want = number(&cells[*at], *base).map(|n| n * scale);
                    let got = fact[*key].as_f64();
                    let same = want.is_none() && got.is_none()
                        || want.zip(got).is_some_and(|(w, g)| (w - g).abs() <= 1e-6 * w.abs().max(1e-6));
                    assert!(same, "{what}: column {at} prints {:?}, {key} is {got:?}", cells[*at]);
                    compared += u32::from(want.is_some());
                }
            }
        }
    }
    assert!(corpus().is_none() || compared > 1_000, "only {compared} numbers compared");
}

// ---- One period, printed twice. ----

const PAIRS: &[(&str, &str)] = &[
    (
        "awr-text/11.2.0.3.0__Linux__Apress__awr_1830_1845.txt",
        "awr-html/11.2.0.3.0__Linux__Apress__awr_1830_1845.html",
    ),
    (
        "awr-text/11.2.0.3.0__Linux__Apress__awr_1930_1945.txt",
        "awr-html/11.2.0.3.0__Linux__Apress__awr_1930_1945.html",
    ),
    (
        "awr-text/11.2.0.4.0__Linux__1newstar__awr_11204_2.txt",
        "awr-html/11.2.0.4.0__Linux__1newstar__awr_11204_2.html",
    ),
    (
        "awr-text/11.2.0.3.0__Linux__therealkevinc__awr.txt",
        "awr-html/11.2.0.3.0__Linux__therealkevinc__awr.html",
    ),
];

/// Table, keys that together name a row, measures with the absolute difference that rounding makes.
type Agree = (&'static str, &'static [&'static str], &'static [(&'static str, f64)]);

const AGREE: &[Agree] = &[
    ("time_model", &["statistic"], &[("time_s", 0.06), ("share_db_time_pct", 0.06)]),
    ("os_stat", &["statistic"], &[("value", 0.0), ("end_value", 0.0)]),
    ("instance_stat", &["statistic"], &[("total", 0.6), ("per_second", 0.06), ("begin_value", 0.6)]),
    ("load_profile", &["metric"], &[("per_second", 0.06), ("per_transaction", 0.06)]),
    (
        "host_cpu",
        &[],
        &[("user_pct", 0.06), ("idle_pct", 0.06), ("io_wait_pct", 0.06), ("load_begin", 0.006)],
    ),
    ("tablespace_io", &["tablespace"], &[("reads", 0.6), ("writes", 0.6), ("avg_read_us", 60.0)]),
    ("file_io", &["tablespace"], &[("reads", 0.6), ("writes", 0.6), ("avg_read_us", 60.0)]),
    (
        "io_function",
        &["function", "is_total"],
        &[("reads_per_s", 0.06), ("writes_per_s", 0.06), ("waits", 0.6), ("read_bytes", 6e5)],
    ),
    ("io_filetype", &["filetype"], &[("reads_per_s", 0.06), ("writes_per_s", 0.06), ("small_read_us", 60.0)]),
    ("io_function_filetype", &["function", "filetype"], &[("reads_per_s", 0.06), ("writes_per_s", 0.06)]),
    (
        "sql_stat",
        &["ranked_by", "sql_id"],
        &[
            ("elapsed_s", 0.06),
            ("cpu_s", 0.06),
            ("executions", 0.0),
            ("buffer_gets", 0.0),
            ("physical_reads", 0.0),
        ],
    ),
    ("wait_event", &["side", "event"], &[("waits", 0.6), ("time_s", 0.6)]),
    ("pga_advice", &["target_bytes"], &[("cache_hit_pct", 0.6), ("processed_bytes", 6e4)]),
    ("db_cache_advice", &["pool", "size_bytes"], &[("read_factor", 0.06)]),
    ("efficiency", &["ratio"], &[("pct", 0.006)]),
    ("memory_stat", &["statistic"], &[("begin", 0.06), ("end", 0.06)]),
    ("cache_size", &["name"], &[("begin_bytes", 0.0), ("end_bytes", 0.0)]),
    (
        "shared_pool_advice",
        &["size_bytes"],
        &[("size_factor", 0.06), ("library_cache_bytes", 0.0), ("time_saved_s", 0.0), ("object_hits", 0.0)],
    ),
    ("streams_pool_advice", &["size_bytes"], &[("size_factor", 0.06), ("spills", 0.0)]),
    (
        "dictionary_cache",
        &["cache"],
        &[("get_requests", 0.0), ("get_miss_pct", 0.06), ("final_usage", 0.0), ("ges_requests", 0.0)],
    ),
    (
        "library_cache",
        &["namespace"],
        &[("get_requests", 0.0), ("pin_requests", 0.0), ("pin_miss_pct", 0.06), ("ges_lock_requests", 0.0)],
    ),
    ("sga_region", &["region"], &[("begin_bytes", 0.0), ("end_bytes", 0.0)]),
    ("sga_component", &["pool", "name"], &[("begin_bytes", 53_000.0), ("diff_pct", 0.006)]),
    ("memory_component", &["begin_bytes", "end_bytes"], &[("max_bytes", 0.0), ("operations", 0.0)]),
    (
        "process_memory",
        &["snapshot", "category"],
        &[("allocated_bytes", 53_000.0), ("used_bytes", 53_000.0), ("processes", 0.0)],
    ),
    ("os_snapshot", &["printed_time"], &[("load", 0.06), ("busy_pct", 0.06), ("io_wait_pct", 0.06)]),
    ("instance_cpu", &[], &[("total_cpu_pct", 0.06), ("busy_cpu_pct", 0.06)]),
    ("mutex_sleep", &["mutex_type", "location"], &[("sleeps", 0.0), ("wait_time_ms", 0.0)]),
];

#[test]
fn text_and_html_of_one_period_agree() {
    let Some(corpus) = corpus() else {
        return;
    };
    for (text, html) in PAIRS {
        let one = |p: &str| serde_json::to_value(&read(&corpus.join(p))[0]).unwrap();
        let (a, b) = (one(text), one(html));
        for key in ["db_name", "instance", "version", "begin_snap", "end_snap", "begin_time", "elapsed_s"] {
            assert_eq!(a[key], b[key], "{text}: {key}");
        }
        for (tables, keys, measures) in AGREE {
            let id = |row: &Value| keys.iter().map(|k| row[*k].to_string()).collect::<Vec<_>>();
            let mut other: HashMap<Vec<String>, Vec<Value>> = HashMap::new();
            for row in table(&b, tables) {
                other.entry(id(&row)).or_default().push(row);
            }
            let rows = table(&a, tables);
            let mut matched = 0;
            for row in &rows {
                let Some(twins) = other.get_mut(&id(row)).filter(|t| !t.is_empty()) else {
                    continue;
                };
                let twin = twins.remove(0);
                matched += 1;
                for (key, slack) in *measures {
                    let (Some(x), Some(y)) = (row[*key].as_f64(), twin[*key].as_f64()) else {
                        continue;
                    };
                    // Text prints large numbers with a suffix and three or four digits.
                    let allowed = slack + if *slack > 0.0 { 0.01 } else { 0.000_01 } * x.abs().max(y.abs());
                    assert!(
                        (x - y).abs() <= allowed,
                        "{text} {tables} {:?} {key}: text {x}, HTML {y}",
                        id(row)
                    );
                }
            }
            // Names that text clips beyond completion are few.
            assert!(
                matched * 10 >= rows.len() * 8,
                "{text} {tables}: {matched} of {} rows found",
                rows.len()
            );
        }
    }
}

#[test]
fn statspack_and_awr_of_one_period_agree() {
    let Some(corpus) = corpus() else {
        return;
    };
    for period in ["1830_1845", "1930_1945"] {
        let path = |folder: &str, kind: &str| {
            corpus.join(format!("{folder}/11.2.0.3.0__Linux__Apress__{kind}_{period}.txt"))
        };
        let awr = read(&path("awr-text", "awr")).remove(0);
        let statspack = read(&path("statspack", "sp")).remove(0);
        let near = |what: &str, a: Option<f64>, b: Option<f64>, pct: f64| {
            let (a, b) = (a.unwrap(), b.unwrap());
            assert!(
                (a - b).abs() <= pct / 100.0 * a.abs().max(b.abs()),
                "{period} {what}: AWR {a}, Statspack {b}"
            );
        };
        near("DB time", awr.identity.db_time_s, statspack.identity.db_time_s, 3.0);
        for statistic in [
            "physical reads",
            "physical writes",
            "redo size",
            "user commits",
            "physical read total IO requests",
        ] {
            let total = |r: &Report| {
                r.tables.instance_stat.iter().find(|s| s.statistic == statistic).and_then(|s| s.total)
            };
            near(statistic, total(&awr), total(&statspack), 3.0);
        }
        let reads = |r: &Report| {
            let event = |e: &&spindle_facts::WaitEvent| {
                e.event == "db file sequential read" && e.side == spindle_facts::Side::Foreground
            };
            r.tables.wait_event.iter().find(event).and_then(|e| e.waits)
        };
        near("single-block reads", reads(&awr), reads(&statspack), 3.0);
        let blocks = |r: &Report| Some(r.tables.tablespace_io.iter().filter_map(|t| t.reads).sum());
        near("reads by tablespace", blocks(&awr), blocks(&statspack), 3.0);
        let advice = |r: &Report| {
            let now = r.tables.db_cache_advice.iter().find(|a| a.size_factor == Some(1.0));
            now.and_then(|a| a.estimated_read_time_s)
        };
        near("estimated read time", advice(&awr), advice(&statspack), 3.0);
    }
}

/// OSPRep and Statspack print leading events without classes, and all of those counted as `Other`.
#[test]
fn leading_events_without_a_printed_class_have_that_of_their_names() {
    let Some(corpus) = corpus() else { return };
    let (mut reads, mut alone) = (0, 0);
    for entry in std::fs::read_dir(corpus.join("statspack")).unwrap() {
        let path = entry.unwrap().path();
        for report in read(&path) {
            let tables = &report.tables;
            for top in &tables.top_event {
                if top.event == "db file sequential read" {
                    assert_eq!(top.wait_class.as_deref(), Some("User I/O"), "{}", name(&path));
                    reads += 1;
                    alone += usize::from(tables.wait_event.is_empty());
                }
                let mut same = tables.wait_event.iter().filter(|w| w.event == top.event);
                assert!(same.all(|w| w.wait_class.as_deref() == top.wait_class.as_deref()), "{top:?}");
            }
        }
    }
    assert!(reads > alone && alone >= 2, "{reads} {alone}");
}

/// HTML before 18c prints the month where the minutes of the start should stand; text prints the minutes.
#[test]
fn the_month_stood_for_the_minutes_of_the_start() {
    let Some(corpus) = corpus() else {
        spindle_test_support::skipped("there is no corpus of reports");
        return;
    };
    let started = |file: &str| read(&corpus.join(file))[0].identity.startup_time.clone().unwrap();
    let apress = "11.2.0.3.0__Linux__Apress__awr_1830_1845";
    assert_eq!(started(&format!("awr-text/{apress}.txt")), "2014-04-23T16:33:00");
    assert_eq!(started(&format!("awr-html/{apress}.html")), "2014-04-23T16");
    let later = "awr-html/19.0.0.0.0__AIX__jdmoreno__awrrpt_1_162_163.html";
    assert_eq!(started(later), "2023-12-23T05:45:00");
}
