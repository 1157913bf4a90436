//! Reports as they come by mail, in one file with others, or out of another program: each reads as it does
//! alone, but for its lines.
#![allow(clippy::unwrap_used)]

#[path = "support/mod.rs"]
mod support;

use spindle_facts::Report;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use support::{corpus, example};

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("sent", text.as_bytes()).reports
}

/// What a report says that answers rest on, without its places.
fn said(report: &Report) -> String {
    let (identity, tables) = (&report.identity, &report.tables);
    let mut out = format!("{:?} {:?} {:?}\n", identity.begin_time, identity.elapsed_s, identity.db_time_s);
    for row in &tables.wait_event {
        writeln!(out, "{:?} {} {:?} {:?}", row.side, row.event, row.waits, row.time_s).unwrap();
    }
    for row in &tables.top_event {
        writeln!(out, "{} {:?} {:?}", row.event, row.time_s, row.wait_class).unwrap();
    }
    for row in &tables.instance_stat {
        writeln!(out, "{} {:?}", row.statistic, row.total).unwrap();
    }
    for row in &tables.sql_stat {
        writeln!(out, "{:?} {:?}", row.sql_id, row.elapsed_s).unwrap();
    }
    out
}

fn all_said(reports: &[Report]) -> Vec<String> {
    reports.iter().map(said).collect()
}

/// Of a report in text and one as a page in one file, the text vanished.
#[test]
fn a_text_beside_a_page_vanished() {
    let (text, page) = (example("redo-on-sas.txt"), example("warehouse.html"));
    let (of_text, of_page) = (all_said(&read(&text)), all_said(&read(&page)));
    assert_eq!((of_text.len(), of_page.len()), (1, 1));
    let both = read(&format!("{text}\n{page}"));
    assert_eq!(all_said(&both), [of_text.clone(), of_page.clone()].concat());
    let both = read(&format!("{page}\n{text}"));
    assert_eq!(all_said(&both), [of_page.clone(), of_text.clone()].concat());
    let lines = u32::try_from(page.lines().count()).unwrap();
    assert!(both[1].tables.wait_event.iter().all(|row| row.line > lines), "lines of the whole file");
    let three = format!("{text}\n{page}\n{}", example("statspack.txt"));
    assert_eq!(read(&three).len(), 3);
}

/// The first row of every table kept the blank that a line break or paragraph leaves at the end of a cell.
#[test]
fn a_paragraph_in_a_cell_left_a_blank_behind_the_first_name() {
    let page = example("warehouse.html");
    let of_page = all_said(&read(&page));
    for end in ["<br></td>", "</p></td>", "<p>\n</td>", "\n<br/>\n</td>"] {
        assert_eq!(all_said(&read(&page.replace("</td>", end))), of_page, "{end}");
    }
}

/// The rows of a page quoted in an answer were lost.
#[test]
fn a_quoted_page_lost_its_rows() {
    let page = example("warehouse.html");
    for mark in ["> ", ">", "> > "] {
        let quoted: String = page.lines().map(|line| format!("{mark}{line}\n")).collect();
        let quoted = format!("Hello,\nsee below.\n\n{quoted}");
        assert_eq!(all_said(&read(&quoted)), all_said(&read(&page)), "{mark}");
    }
}

/// Line ends of one `\r` made one line of a report.
#[test]
fn line_ends_of_old_editors_lost_all_rows() {
    for name in ["redo-on-sas.txt", "statspack.txt", "warehouse.html"] {
        let text = example(name);
        let old = text.replace('\n', "\r");
        assert_eq!(all_said(&read(&old)), all_said(&read(&text)), "{name}");
    }
}

/// Quoted-printable of a text, lines broken at 76 characters.
fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut width = 0;
        for byte in line.bytes() {
            let code = match byte {
                b'=' | 0x80.. => format!("={byte:02X}"),
                byte => char::from(byte).to_string(),
            };
            if width + code.len() > 75 {
                out.push_str("=\n");
                width = 0;
            }
            width += code.len();
            out.push_str(&code);
        }
        out.push('\n');
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (index, three) in bytes.chunks(3).enumerate() {
        if index % 19 == 0 {
            out.push_str("\r\n");
        }
        let bits = three.iter().chain([0, 0].iter()).take(3).fold(0_u32, |bits, b| bits << 8 | u32::from(*b));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

/// A mail was no report, or one with its lines broken and its signs as codes.
#[test]
fn reports_in_mails_were_not_decoded() {
    for (name, content) in [("redo-on-sas.txt", "text/plain"), ("warehouse.html", "text/html")] {
        let text = example(name);
        let of_text = all_said(&read(&text));
        let body = quoted_printable(&text);
        assert_eq!(all_said(&read(&body)), of_text, "{name}, the body alone");
        let head = format!("From: a@example.com\nMIME-Version: 1.0\nContent-Type: {content}\n");
        let mail = format!("{head}Content-Transfer-Encoding: quoted-printable\n\n{body}");
        assert_eq!(all_said(&read(&mail)), of_text, "{name}, quoted-printable");
        let attached = format!(
            "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"=_1\"\r\n\r\n\
             --=_1\r\nContent-Type: text/plain\r\n\r\nsee the attachment\r\n--=_1\r\nContent-Type: {content};\r\n \
             name=\"report\"\r\nContent-Transfer-Encoding: base64\r\n\r\n{}\r\n--=_1--\r\n",
            base64(text.as_bytes())
        );
        let reports = read(&attached);
        assert_eq!(all_said(&reports), of_text, "{name}, attached");
        assert!(reports[0].notes.iter().any(|note| note.message.contains("`report` of a mail")));
        assert!(spindle_evidence::looks_like_report(attached.as_bytes()));
    }
}

/// The same text and page in one mail are one report; a packed attachment is named.
#[test]
fn alternatives_of_a_mail_are_read_once() {
    let (text, page) = (example("redo-on-sas.txt"), example("warehouse.html"));
    let mail = format!(
        "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x1\n\n--x1\n\n{text}\n--x1\n\
         Content-Type: text/html\n\n{page}\n--x1--\n"
    );
    assert_eq!(all_said(&read(&mail)), all_said(&read(&page)));
    let packed = "MIME-Version: 1.0\nContent-Type: application/zip; name=awr.zip\n\
                  Content-Transfer-Encoding: base64\n\nUEsDBBQAAAAIAA==\n";
    let refused = spindle_evidence::read("sent", packed.as_bytes()).refused.unwrap();
    assert!(refused.contains("`awr.zip`"), "{refused}");
}

/// A time that was cut off was midnight.
#[test]
fn a_day_without_its_time_was_midnight() {
    let text = example("redo-on-sas.txt");
    let begin = text.lines().find(|line| line.contains("Begin Snap:")).unwrap();
    let clock = begin.split_whitespace().find(|word| word.contains(':') && !word.ends_with(':')).unwrap();
    let cut = text.replacen(begin, begin.split(clock).next().unwrap().trim_end(), 1);
    let reports = read(&cut);
    assert_eq!(reports[0].identity.begin_time, None);
    assert!(reports[0].identity.end_time.is_some() && reports[0].identity.begin_snap.is_some());
}

/// Statistics with long names, copied from a browser below a head, were taken for wrapped lines.
#[test]
fn statistics_of_a_browsers_copy_were_lost() {
    let copy = "WORKLOAD REPOSITORY report for\n\nDB Name\tDB Id\tUnique Name\tRole\tEdition\tRelease\tRAC\tCDB\n\
                TILL\t1234567890\ttill\tPRIMARY\tEE\t19.0.0.0.0\tNO\tNO\n\n\nInstance Activity Stats\n\n\
                Ordered by statistic name\n\nStatistic\tTotal\tper Second\tper Trans\n\
                db block changes\t71,013\t39.42\t52.47\nexecute count\t27,848\t15.46\t20.58\n\
                physical read total IO requests\t6,413\t3.56\t4.47\nphysical read total bytes\t723,413\t403.56\t4.47\n";
    let reports = read(copy);
    assert_eq!(reports[0].tables.instance_stat.len(), 4);
    assert!(reports[0].sections.iter().any(|section| section.title == "Instance Activity Stats"));
}

/// What a converter makes of a page; `None`, saying so, where it is not installed.
fn converted(command: &[&str], page: &[u8]) -> Option<String> {
    let started = Command::new(command[0])
        .args(&command[1..])
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        spindle_test_support::skipped(&format!("{} is not installed", command[0]));
        return None;
    };
    let mut input = child.stdin.take()?;
    let page = page.to_vec();
    let feeder = std::thread::spawn(move || drop(input.write_all(&page)));
    let out = child.wait_with_output().ok()?.stdout;
    feeder.join().ok()?;
    Some(String::from_utf8_lossy(&out).into_owned())
}

/// Pages of 11g turned into text were put under rulers that they never had, and boxes around cells were taken
/// for names: no wait was read.
#[test]
fn pages_of_11g_turned_into_text_lost_their_waits() {
    let Some(page) = corpus("awr-html/11.2.0.3.0__Linux__Apress__awr_1930_1945.html") else { return };
    let whole = spindle_evidence::read("page", &page).reports;
    let waits = |report: &Report| {
        let rows = report.tables.wait_event.iter();
        rows.map(|row| (row.event.to_string(), row.time_s.unwrap_or(0.0) as u64)).collect::<Vec<_>>()
    };
    let lynx = ["lynx", "-dump", "-nolist", "-width=200", "-force_html", "-stdin"];
    let w3m = ["w3m", "-dump", "-cols", "200", "-T", "text/html", "-O", "UTF-8"];
    for command in [lynx.as_slice(), w3m.as_slice()] {
        let Some(text) = converted(command, &page) else { continue };
        let reports = read(&text);
        assert_eq!(reports.len(), 1);
        assert_eq!(waits(&reports[0]), waits(&whole[0]), "{command:?}");
        assert_eq!(reports[0].identity.db_time_s.is_some(), whole[0].identity.db_time_s.is_some());
    }
}

/// Heads of pages that `pr` prints between rows were rows; a difference made a report one of decimal commas.
#[test]
fn heads_of_pages_and_of_differences_were_part_of_the_report() {
    let printed = example("statspack.txt");
    let lines: Vec<&str> = printed.lines().collect();
    // Wherever a page ends.
    for length in [17, 23, 31, 56] {
        let page = |(page, lines): (usize, &[&str])| {
            let head = format!("2026-11-28 08:00               sp.txt               Page {page}");
            format!("\n\n{head}\n\n\n{}\n\n\n\n\n\n", lines.join("\n"))
        };
        let pages: String = (1..).zip(lines.chunks(length)).map(page).collect();
        let found = read(&pages);
        let rows = serde_json::to_string(&found[0].tables).unwrap();
        assert_eq!((found.len(), rows.find("2026-11-28")), (1, None), "pages of {length} lines");
    }
    let added: String = lines.iter().map(|line| format!("+{line}\n")).collect();
    let difference = format!("--- /dev/null\n+++ b/sp.txt\n@@ -0,0 +1,{} @@\n{added}", lines.len());
    let found = read(&difference);
    assert_eq!(all_said(&found), all_said(&read(&printed)));
    assert!(
        !found[0].notes.iter().any(|note| note.message.contains("decimal commas")),
        "{:?}",
        found[0].notes
    );
}

/// Form feeds that an editor shows as `^L` hid the titles behind them, and those of a list of lines did, too: the rows of
/// most sections were those of another.
#[test]
fn form_feeds_shown_in_signs_hid_titles() {
    let printed = example("redo-on-sas.txt");
    let is_title = |line: &str| line.contains("DB/Inst: ");
    assert!(printed.lines().filter(|line| is_title(line)).count() > 5);
    let fed: Vec<String> = printed
        .lines()
        .map(|line| {
            format!("{}{}", if is_title(line) { "\u{c}" } else { "" }, line.trim_start_matches('\u{c}'))
        })
        .collect();
    let expected = all_said(&read(&fed.join("\n")));
    for sign in ["^L", "<0c>", "\u{2640}"] {
        assert_eq!(all_said(&read(&fed.join("\n").replace('\u{c}', sign))), expected, "{sign}");
    }
    let items: Vec<String> =
        fed.iter().map(|line| format!("        {}", serde_json::to_string(line).unwrap())).collect();
    let list = format!("{{\n    \"stdout_lines\": [\n{}\n    ]\n}}\n", items.join(",\n"));
    assert_eq!(all_said(&read(&list)), expected);
}

/// Who has no access to the server asks for a report in SQL and exports the rows: as JSON and inserts they were refused,
/// of XML and a page nothing was read.
#[test]
fn rows_of_an_exported_query_were_no_report() {
    let marked = |line: &str| {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        if line.trim().is_empty() { "&nbsp;".to_owned() } else { line }
    };
    let quoted = |line: &str| serde_json::to_string(line).unwrap();
    let joined =
        |printed: &str, row: &dyn Fn(&str) -> String| -> String { printed.lines().map(row).collect() };
    for printed in [example("redo-on-sas.txt"), example("statspack.txt"), example("warehouse.html")] {
        let expected = all_said(&read(&printed));
        let json = joined(&printed, &|line| match line {
            "" => ",{}\n".to_owned(),
            line => format!(",{{\"output\":{}}}\n", quoted(line)),
        });
        let column = "{\"results\":[{\"columns\":[{\"name\":\"OUTPUT\",\"type\":\"VARCHAR2\"}],\"items\":[\n";
        let xml = joined(&printed, &|line| {
            format!("\t<ROW>\n\t\t<COLUMN NAME=\"OUTPUT\"><![CDATA[{line}]]></COLUMN>\n\t</ROW>\n")
        });
        let rowset = joined(&printed, &|line| {
            let value =
                if line.is_empty() { String::new() } else { format!("<OUTPUT>{}</OUTPUT>", marked(line)) };
            format!(" <ROW>\n  {value}\n </ROW>\n")
        });
        let page = joined(&printed, &|line| format!("\t<tr>\n<td>{}</td>\n\t</tr>\n", marked(line)));
        let inserts = joined(&printed, &|line| match line {
            "" => "Insert into EXPORT_TABLE (OUTPUT) values (null);\n".to_owned(),
            line => format!("Insert into EXPORT_TABLE (OUTPUT) values ('{}');\n", line.replace('\'', "''")),
        });
        let values = joined(&printed, &|line| format!("\"{}\"\n", line.replace('"', "\"\"")));
        for exported in [
            format!("{column}{}]}}]}}\n", json.trim_start_matches(',')),
            format!("[{}]\n", json.trim_start_matches(',').replace("\"output\":", "\"OUTPUT\" : ")),
            format!("<?xml version='1.0'  encoding='UTF8' ?>\n<RESULTS>\n{xml}</RESULTS>\n"),
            format!("<?xml version=\"1.0\"?>\n<ROWSET>\n{rowset}</ROWSET>\n"),
            format!(
                "<html><head></head><body>\n<table><thead><tr>\t<th>OUTPUT</th>\n</tr></thead>\n<tbody>\n{page}</tbody></table></body></html>"
            ),
            format!("REM INSERTING into EXPORT_TABLE\nSET DEFINE OFF;\n{inserts}"),
            format!("\"OUTPUT\"\n{values}"),
        ] {
            let found = read(&exported);
            assert_eq!(all_said(&found), expected, "{}", &exported[..200]);
            let note = &found[0].notes.last().unwrap().message;
            assert!(note.contains("the rows of an exported query"), "{note}");
        }
    }
}
