//! The page, from hand-made facts.
#![allow(clippy::unwrap_used)]

mod sample;

use spindle_diagnosis::Diagnosis;
use spindle_facts::Report;
use spindle_presentation::Subject;
use spindle_presentation::html::{LIMIT, PageInput, page};

fn render(all: &[(Report, Diagnosis)]) -> String {
    let subjects: Vec<Subject<'_>> =
        all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    page(&PageInput { subjects: &subjects, unread: &[], in_full: usize::MAX })
}

fn one() -> String {
    render(&[(sample::report(9, 1.0), sample::diagnosis(1.0))])
}

/// Every tag with its attributes, as a browser would see them.
fn tags(page: &str) -> Vec<&str> {
    let body = &page[page.find("<body>").unwrap()..page.find("<script>").unwrap()];
    body.split('<').skip(1).map(|t| &t[..t.find('>').unwrap_or(t.len())]).collect()
}

#[test]
fn answers_first_and_proves_below() {
    let page = one();
    let order = [
        "<h1>SHOP, instance shop1</h1>",
        "<p class=answer>41 % of DB time",
        "Where did 7,200 s of DB time go?",
        "Findings, by seconds of DB time",
        "I/O profile</h2>",
        "Latency</h2>",
        "Which statements read most?",
        "What would 7,200 s of DB time become?",
        "Would another buffer cache change the reads?",
        "What was read</h2>",
    ];
    let mut from = 0;
    for words in order {
        from += page[from..].find(words).unwrap_or_else(|| panic!("{words} is missing or out of order"));
    }
    assert!(page.contains("<cite>Foreground Wait Events, line 120</cite>"));
    assert!(page.contains("title=\"SQL ordered by Reads, line 170\">170</td>"));
    assert!(page.contains("p50 8.19-16.4 ms"));
    assert!(page.contains("p99 over 65.5 ms"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(one(), one());
}

#[test]
fn needs_no_network() {
    for page in [one(), render(&[sample::empty()])] {
        let page = page.replace(&sample::hostile_on_page(), "");
        for address in ["http:", "https:", "//", "src=", "url(", "@import", "<link", "<iframe", "fetch("] {
            // The script's own comments are the only double slash.
            let found = page.matches(address).count();
            let allowed = if address == "//" { 1 } else { 0 };
            assert!(found <= allowed, "{address}");
        }
    }
}

#[test]
fn what_a_report_says_is_shown_and_never_obeyed() {
    let page = one();
    assert!(page.contains(&sample::hostile_on_page()));
    let known = [
        "!doctype",
        "html",
        "body",
        "main",
        "header",
        "h1",
        "h2",
        "h3",
        "p",
        "b",
        "i",
        "u",
        "em",
        "a",
        "nav",
        "section",
        "figure",
        "figcaption",
        "div",
        "svg",
        "path",
        "title",
        "span",
        "details",
        "summary",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ol",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "cite",
        "code",
        "pre",
        "footer",
        "sup",
    ];
    for tag in tags(&page) {
        let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap();
        assert!(known.contains(&name), "<{tag}>");
        let outside_quotes: String = tag.split('"').step_by(2).collect();
        assert!(!outside_quotes.contains(" on") && !outside_quotes.contains("javascript:"), "<{tag}>");
    }
}

#[test]
fn every_tag_is_closed() {
    for page in [one(), render(&[sample::empty()]), render(&days())] {
        let mut open: Vec<&str> = Vec::new();
        for tag in tags(&page) {
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "</{name}>");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert_eq!(open, ["body"]);
    }
}

fn days() -> Vec<(Report, Diagnosis)> {
    (0..23)
        .map(|h| (sample::report(h, 1.0 + f64::from(h % 5)), sample::diagnosis(1.0 + f64::from(h % 5))))
        .collect()
}

#[test]
fn several_reports_share_one_axis_and_name_the_peak() {
    let page = render(&days());
    assert!(page.contains("SHOP: 23 reports"));
    assert!(page.contains("peak 2024-03-05 04:00: 10.0"));
    assert!(page.contains("When was the database busy, and with what?"));
    assert!(page.contains("id=r5 open"));
    assert!(page.len() < LIMIT);
}

#[test]
fn hostile_input_stays_under_the_ceiling() {
    let (mut report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let long = "<&\"'>".repeat(20_000);
    report.identity.db_name = Some(long.clone());
    report.identity.source.clone_from(&long);
    diagnosis.answer.clone_from(&long);
    for text in &mut report.tables.sql_text {
        text.text.clone_from(&long);
    }
    for _ in 0..4 {
        report.tables.sql_stat.extend(report.tables.sql_stat.clone());
        report.tables.segment_stat.extend(report.tables.segment_stat.clone());
        report.tables.tablespace_io.extend(report.tables.tablespace_io.clone());
        report.tables.file_io.extend(report.tables.file_io.clone());
        report.sections.extend(report.sections.clone());
        report.notes.extend(report.notes.clone());
        diagnosis.findings.extend(diagnosis.findings.clone());
        diagnosis.accounts.extend(diagnosis.accounts.clone());
        diagnosis.latency.extend(diagnosis.latency.clone());
        let classes = diagnosis.response_time.foreground.classes.clone();
        diagnosis.response_time.foreground.classes.extend(classes);
    }
    for row in &mut report.tables.sql_stat {
        row.module = Some(long.as_str().into());
    }
    for row in &mut report.tables.file_io {
        row.file.clone_from(&long);
    }
    for section in &mut report.sections {
        section.title.clone_from(&long);
    }
    for note in &mut report.notes {
        note.message.clone_from(&long);
        note.section = Some(long.clone());
    }
    for finding in &mut diagnosis.findings {
        finding.title.clone_from(&long);
        finding.caveat.clone_from(&long);
        finding.actions = vec![long.clone(); 30];
        for proof in &mut finding.evidence {
            proof.text.clone_from(&long);
            proof.section.clone_from(&long);
        }
    }
    for class in &mut diagnosis.response_time.foreground.classes {
        class.wait_class.clone_from(&long);
        for event in &mut class.events {
            event.event.clone_from(&long);
        }
    }
    let one = render(&[(report.clone(), diagnosis.clone())]);
    assert!(one.len() < LIMIT, "{}", one.len());
    assert!(one.ends_with("</html>"));
    assert!(one.contains("<p class=answer>") || one.contains("Left out"));
    let subjects = [Subject { report: &report, diagnosis: &diagnosis }; 50];
    let unread = vec![(long.clone(), long.clone()); 500];
    let many = page(&PageInput { subjects: &subjects, unread: &unread, in_full: usize::MAX });
    assert!(many.len() < LIMIT, "{}", many.len());
    assert!(many.ends_with("</html>"));
}

/// Of a folder's reports only the busiest keep their rows: the others were shown as if nothing was printed.
#[test]
fn reports_without_their_rows_were_shown_in_full() {
    let hours: Vec<_> = (0..4).map(|hour| (sample::report(9 + hour, 1.0), sample::diagnosis(1.0))).collect();
    let subjects: Vec<Subject<'_>> =
        hours.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    for (in_full, left_out) in [(1, "3 more reports are not shown"), (3, "1 more report is not shown")] {
        let page = page(&PageInput { subjects: &subjects, unread: &[], in_full });
        assert_eq!(page.matches("<details class=rep").count(), in_full);
        assert!(page.contains(left_out), "{in_full}");
    }
}

#[test]
fn capped_tables_say_what_is_left() {
    let mut report = sample::report(9, 1.0);
    for _ in 0..3 {
        report.tables.tablespace_io.extend(report.tables.tablespace_io.clone());
    }
    let page = render(&[(report, sample::diagnosis(1.0))]);
    assert!(page.contains("28 more rows in <code>spindle facts</code>"));
}

#[test]
fn empty_states_say_why() {
    let page = render(&[sample::empty()]);
    for why in [
        "Response time cannot be drawn. The excerpt has no section with DB time or wait events.",
        "There is no profile: no section that was read prints requests, bytes or latencies of I/O",
        "The excerpt has no section with a histogram of an I/O event. Only averages",
        "The excerpt has no section with statements by reads",
        "The excerpt has no section with segments by reads",
        "The excerpt has no section with I/O by tablespace.",
        "DB time is unknown, so there is nothing to compute it anew from.",
        "The excerpt has no section with buffer cache advice.",
        "No section heading was recognised",
    ] {
        assert!(page.contains(why), "{why}");
    }
    let nothing = page_of_nothing();
    assert!(nothing.contains("Nothing was read") && nothing.contains("holiday.jpg"));
}

#[test]
fn what_is_printed_but_not_read_is_not_called_absent() {
    let mut report = sample::report(9, 1.0);
    report.tables.file_io.clear();
    report.tables.db_cache_advice.clear();
    report.sections[5].status = spindle_facts::SectionStatus::Unknown;
    let page = render(&[(report, sample::diagnosis(1.0))]);
    assert!(page.contains("&quot;File IO Stats&quot; (line 280) is printed, but could not be read"));
    assert!(page.contains("&quot;Buffer Pool Advisory&quot; (line 340) is printed, but not interpreted"));
}

fn page_of_nothing() -> String {
    page(&PageInput {
        subjects: &[],
        unread: &[("holiday.jpg".to_owned(), "a picture".to_owned())],
        in_full: 0,
    })
}

#[test]
fn the_script_is_small() {
    let page = one();
    let script = &page[page.find("<script>").unwrap()..];
    assert!(script.len() < 5 * 1024);
}

#[test]
fn what_is_cut_in_the_bar_is_quoted_as_printed() {
    let (report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let class = &mut diagnosis.response_time.foreground.classes[0];
    class.time_s /= 2.0;
    for event in &mut class.events {
        event.counted_s /= 2.0;
    }
    let page = render(&[(report.clone(), diagnosis.clone())]);
    assert!(page.contains("db file sequential read: 2,952 s"), "the event keeps its printed seconds");
    assert!(page.contains("User I/O: 3,384 s, 47.0 %"), "and so does its class");
    assert!(page.contains("</b>User I/O 47.0 %"));
    let screen = spindle_presentation::terminal::summary(
        Subject { report: &report, diagnosis: &diagnosis },
        spindle_presentation::terminal::Look::default(),
    );
    assert!(screen.contains("User I/O 47.0 %"), "{screen}");
}

#[test]
fn what_if_starts_from_the_mean_of_the_profile() {
    let page = one();
    let what_if = &page[page.find("id=\"whatif\"").unwrap()..];
    // 144 s over 12,000 waits; other events of the class have rows of their own or none.
    assert!(what_if.contains("<td>Multi-block reads</td><td class=n>12.0</td>"), "{}", &what_if[..3000]);
}

fn screen(report: &Report, diagnosis: &Diagnosis, width: usize) -> String {
    let look = spindle_presentation::terminal::Look { width, colour: false };
    spindle_presentation::terminal::summary(Subject { report, diagnosis }, look)
}

#[test]
fn only_wide_gaps_between_accounts_reach_the_first_screen() {
    let (report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    assert!(!screen(&report, &diagnosis, 80).contains("Accounts"), "0.08 % is not worth a line");
    assert!(
        render(&[(report.clone(), diagnosis.clone())]).contains("1 do not agree within rounding, 1 of them")
    );
    diagnosis.accounts[0].gap_pct = Some(12.0);
    assert!(screen(&report, &diagnosis, 80).contains("Accounts more than 5 % apart: read requests a second"));
}

#[test]
fn the_line_at_80_percent_stands_where_the_sentence_counts() {
    let (mut report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let of = |id: &str, reads: f64| spindle_facts::SqlStat {
        ranked_by: "physical_reads",
        sql_id: Some(id.into()),
        physical_reads: Some(reads),
        section_total: Some(100.0),
        ..spindle_facts::SqlStat::default()
    };
    report.tables.sql_stat =
        vec![of("caller", 85.0), of("first", 60.0), of("second", 25.0), of("third", 5.0)];
    report.tables.sql_text = vec![spindle_facts::SqlText {
        line: 1,
        section: 0,
        sql_id: Some("caller".into()),
        old_hash: None,
        text: "begin run; end;".into(),
    }];
    diagnosis.concentration.statements_for_80_pct = Some(2);
    let page = render(&[(report, diagnosis)]);
    let marked = &page[page.find("<tr class=m80>").unwrap()..];
    assert!(marked.starts_with("<tr class=m80><td><code>second"), "{}", &marked[..200]);
    assert!(page.contains("<td class=n>caller</td>"));
}

/// Writes of data and temp files were called "Writes, redo included".
#[test]
fn writes_without_redo_were_said_to_include_it() {
    let (report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let render_with = |diagnosis: &Diagnosis| render(&[(report.clone(), diagnosis.clone())]);
    assert!(render_with(&diagnosis).contains("Writes, redo included"));
    let figure = diagnosis.io_profile.write_iops.as_mut().unwrap();
    figure.account = "Tablespace IO Stats, sum of tablespaces (data and temp files only)".into();
    let page = render_with(&diagnosis);
    assert!(
        page.contains("Writes to data and temp files, no redo") && !page.contains("Writes, redo included")
    );
}

/// "1 segment take 80 %", and segments of more than all reads were said not to reach 80 % of them.
#[test]
fn what_segments_make_of_the_reads_is_said_in_plain_words() {
    let (report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    diagnosis.concentration.segments_for_80_pct = Some(1);
    let page = render(&[(report.clone(), diagnosis.clone())]);
    assert!(page.contains("<b>1 segment</b> takes 80 % of the physical reads."));
    diagnosis.concentration.segments_for_80_pct = None;
    diagnosis.concentration.unseen_segment_pct = None;
    let page = render(&[(report, diagnosis)]);
    assert!(page.contains("What part of the physical reads the segments printed take cannot be told."));
    assert!(!page.contains("The segments printed do not reach"));
}

#[test]
fn long_names_break_instead_of_widening_the_page() {
    let (mut report, diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    report.identity.source = "long/".repeat(30);
    let page = render(&[(report.clone(), diagnosis)]);
    let style = &page[page.find("<style>").unwrap()..page.find("</style>").unwrap()];
    assert!(style.contains("header p,summary,footer{overflow-wrap:anywhere}"));
    assert!(style.contains("code{overflow-wrap:anywhere}"));
    let header = &page[page.find("<header>").unwrap()..page.find("</header>").unwrap()];
    assert!(header.contains(&report.identity.source));
}
