//! The terminal views, from hand-made facts.
#![allow(clippy::unwrap_used)]

mod sample;

use spindle_presentation::Subject;
use spindle_presentation::terminal::{
    Look, facts_tables, line_per_report, sections, series_summary, summary,
};

fn visible(line: &str) -> usize {
    let mut count = 0;
    let mut style = false;
    for c in line.chars() {
        match c {
            '\u{1b}' => style = true,
            'm' if style => style = false,
            _ if style => {}
            _ => count += 1,
        }
    }
    count
}

/// Text without its line breaks, to look for sentences.
fn flowed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn fits_the_screen_at_every_width() {
    let report = sample::report(9, 1.0);
    let mut diagnosis = sample::diagnosis(1.0);
    for _ in 0..6 {
        diagnosis.findings.push(diagnosis.findings[1].clone());
    }
    for width in [40, 60, 80, 100, 120, 200] {
        for colour in [false, true] {
            let text = summary(Subject { report: &report, diagnosis: &diagnosis }, Look { width, colour });
            for line in text.lines() {
                assert!(visible(line) <= width, "{width}: {line}");
            }
            assert!(width < 80 || text.lines().count() <= 46, "{width}:\n{text}");
            assert_eq!(text.contains('\u{1b}'), colour);
        }
    }
}

#[test]
fn says_which_database_first_and_the_answer_next() {
    let report = sample::report(9, 1.0);
    let diagnosis = sample::diagnosis(1.0);
    let text = summary(Subject { report: &report, diagnosis: &diagnosis }, Look::default());
    assert!(text.starts_with("SHOP, instance shop1\n"));
    let answer = text.find("41 % of DB time").unwrap();
    assert!(answer < text.find("Findings").unwrap());
    assert!(flowed(&text).contains("(Foreground Wait Events, line 120)"));
    assert!(text.contains("do     Tune the three statements"));
    assert!(text.contains("--html"));
}

#[test]
fn an_excerpt_says_why_there_is_nothing() {
    let (report, diagnosis) = sample::empty();
    let text = summary(Subject { report: &report, diagnosis: &diagnosis }, Look::default());
    let text = flowed(&text);
    assert!(
        text.contains("Response time: cannot be drawn, neither DB time nor foreground wait events were read")
    );
    assert!(text.contains("I/O profile: no section that was read prints"));
    assert!(text.contains("an excerpt: what it leaves out cannot be told"));
    assert!(text.contains("1 could not be decided"));
}

/// Behind "this cannot tell" stood 55 s of DB time, all CPU, and a log write of 0.35 us.
#[test]
fn an_interval_with_a_restart_shows_no_profile_and_says_why() {
    let (mut report, diagnosis) = sample::empty();
    report.identity.spans_restart = true;
    let text = flowed(&summary(Subject { report: &report, diagnosis: &diagnosis }, Look::default()));
    assert!(text.contains("I/O profile: the instance restarted between the snapshots"), "{text}");
}

/// 823 s of CPU and nothing else were `CPU 100.0 %`.
#[test]
fn cpu_alone_was_drawn_as_all_of_response_time() {
    let (report, mut diagnosis) = sample::empty();
    diagnosis.response_time.foreground.cpu_s = Some(823.0);
    let text = flowed(&summary(Subject { report: &report, diagnosis: &diagnosis }, Look::default()));
    assert!(
        text.contains("cannot be drawn, CPU alone was read (823 s), and neither DB time nor waits"),
        "{text}"
    );
    assert!(!text.contains("100.0 %"), "{text}");
    diagnosis.response_time.foreground.db_time_s = Some(1_646.0);
    let text = summary(Subject { report: &report, diagnosis: &diagnosis }, Look::default());
    assert!(text.contains("CPU 50.0 %"), "{text}");
}

#[test]
fn several_reports_name_the_peak() {
    let hours: Vec<_> = (0..23)
        .map(|h| (sample::report(h, 1.0 + f64::from(h % 7)), sample::diagnosis(1.0 + f64::from(h % 7))))
        .collect();
    let subjects: Vec<Subject<'_>> =
        hours.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    let text = series_summary(&subjects, Look::default());
    assert!(text.contains("Busiest: 2024-03-05 06:00 to 07:00"));
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    assert_eq!(line_per_report(&subjects, Look::default()).lines().count(), 24);
}

/// It stood below `read: single-block, mean` as if waits had been read.
#[test]
fn the_mean_read_of_tablespaces_had_no_mark_among_several_reports() {
    let mut hours: Vec<_> = (0..2).map(|h| (sample::report(h, 1.0), sample::diagnosis(1.0))).collect();
    let read = &mut hours[1].1.io_profile.single_block_read_us;
    let read = read.as_mut().expect("the sample has a mean read");
    (read.value, read.bounds) = (7_300.0, None);
    let screen = |hours: &[(_, _)]| {
        let subjects: Vec<Subject<'_>> =
            hours.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
        flowed(&series_summary(&subjects, Look::default()))
    };
    assert!(!screen(&hours).contains('~'));
    let read = hours[1].1.io_profile.single_block_read_us.as_mut().expect("the sample has a mean read");
    read.account = "Tablespace IO Stats, reads of every process".to_owned();
    let text = screen(&hours);
    assert!(text.contains(" ~7.30 ") && text.contains("mean (~ of tablespaces or files)"), "{text}");
}

#[test]
fn tables_print_what_was_read_and_no_control_character() {
    let mut report = sample::report(9, 1.0);
    report.tables.tablespace_io[0].tablespace = "A\u{1b}[2JB".into();
    report.tables.tablespace_io[1].avg_read_us = None;
    let text = facts_tables(&report, &[], Look::default());
    assert!(text.contains("tablespace_io (6 rows)"), "{text}");
    assert!(text.contains("A\\u{1b}[2JB"), "{text}");
    assert!(!text.contains('\u{1b}'));
    assert!(text.contains("not interpreted: Shared Servers Activity (line 580, 1 row)"));
    // Nothing is rounded and nothing unknown becomes zero.
    assert!(text.contains("14400000"));
    let stock = text.lines().find(|l| l.contains("STOCK  ")).unwrap();
    assert!(!stock.contains(" 0 "), "{stock}");
    // `No table was read` of a report of 28 sections, as the one that was asked for is empty.
    let empty = facts_tables(&report, &["latch"], Look::default());
    assert_eq!(empty, "No row of latch was read from this report.\n");
}

#[test]
fn the_ledger_accounts_for_every_section() {
    let report = sample::report(9, 1.0);
    let text = sections(&report, Look::default());
    for section in &report.sections {
        assert!(text.contains(&section.title));
    }
    assert!(text.contains("note: \"File IO Stats\", line 281"));
}

#[test]
fn each_database_has_an_answer_and_every_row_a_name() {
    let mut all: Vec<_> = (0..4).map(|h| (sample::report(h, 1.0), sample::diagnosis(1.0))).collect();
    for (report, diagnosis) in &mut all[2..] {
        report.identity.db_name = Some("STOCK".into());
        report.identity.instance = None;
        report.identity.instance_number = Some(2);
        diagnosis.answer = "CPU is what STOCK waits for.".into();
    }
    all[3].0.identity.scope = spindle_facts::Scope::Database;
    all[3].1.findings.iter_mut().for_each(|f| f.impact_s = 0.0);
    // A title that speaks of more than is counted: 747 s over two reports stood before 753 s of one of them.
    all[0].1.findings[0].touches_s = 9e9;
    let subjects: Vec<Subject<'_>> =
        all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    let text = series_summary(&subjects, Look { width: 100, colour: false });
    assert!(flowed(&text).contains(" s of it): "), "{text}");
    assert_eq!(text.matches("Busiest: ").count(), 2, "{text}");
    assert!(text.contains("CPU is what STOCK waits for."));
    // What has no length is not ranked; that of the other database has nothing to do with it.
    let mut all = all.clone();
    all[3].0.identity.elapsed_s = None;
    let subjects: Vec<Subject<'_>> =
        all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    let text = series_summary(&subjects, Look { width: 100, colour: false });
    let found = ["Busiest: ", "The only one whose load is known: "].map(|words| text.matches(words).count());
    assert_eq!(found, [1, 1], "{text}");
    assert!(text.contains(" inst 2 ") && text.contains(" all "), "{text}");
    assert!(text.contains("; worst in 2024-03-05"), "{text}");
    assert!(!text.contains("- 0 s in"), "{text}");
    assert!(text.contains("User I/O") && !text.contains("I/O %"));
}

#[test]
fn intervals_of_one_file_are_not_called_reports() {
    let mut all: Vec<_> = (0..3).map(|h| (sample::report(h, 1.0), sample::diagnosis(1.0))).collect();
    all.iter_mut().for_each(|(r, _)| r.identity.source = "miner.out".into());
    let subjects: Vec<Subject<'_>> =
        all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    assert!(series_summary(&subjects, Look::default()).starts_with("SHOP: 3 intervals of one file"));
}

/// Two cases on one page were told apart by nothing, and nobody said that they may be of two databases.
#[test]
fn cases_of_one_page_without_names_and_times_were_told_apart_by_nothing() {
    let mut all: Vec<_> = (0..2).map(|h| (sample::report(h, 1.0), sample::diagnosis(1.0))).collect();
    for (n, (report, _)) in all.iter_mut().enumerate() {
        let id = &mut report.identity;
        id.source = "mails/page.txt".into();
        (id.db_name, id.db_id, id.begin_time, id.end_time) = (None, None, None, None);
        (id.begin_snap, id.end_snap) = (None, None);
        report.sections.iter_mut().for_each(|section| section.line += 40 * u32::try_from(n).unwrap());
    }
    let subjects: Vec<Subject<'_>> =
        all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    let text = series_summary(&subjects, Look { width: 100, colour: false });
    assert!(flowed(&text).contains("; whether they are of one database is not known"), "{text}");
    let first = all[0].0.sections.iter().map(|s| s.line).min().unwrap();
    for line in [first, first + 40] {
        assert!(text.contains(&format!("\npage.txt:{line} ")), "{text}");
    }
    assert!(text.contains("Busiest: mails/page.txt, line "), "{text}");
    // Of one that names itself that is not said.
    all[0].0.identity.db_name = Some("SHOP".into());
    let subjects: Vec<Subject<'_>> =
        all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    assert!(!series_summary(&subjects, Look::default()).contains("is not known"));
}

/// Where no DB time is printed, the first intervals were called the busiest.
#[test]
fn the_first_intervals_were_called_the_busiest() {
    let mut all: Vec<_> = (0..40).map(|n| (sample::report(n % 20, 1.0), sample::diagnosis(1.0))).collect();
    for (n, (report, diagnosis)) in all.iter_mut().enumerate() {
        for time in [&mut report.identity.begin_time, &mut report.identity.end_time] {
            *time = time.take().map(|t| t.replace("-05T", if n < 20 { "-05T" } else { "-06T" }));
        }
        report.identity.db_time_s = None;
        diagnosis.response_time.foreground.db_time_s = None;
        let figure = diagnosis.io_profile.read_iops.as_mut().unwrap();
        figure.value = if n == 37 { 4711.0 } else { 10.0 };
    }
    let screen = |all: &[(spindle_facts::Report, spindle_diagnosis::Diagnosis)]| {
        let subjects: Vec<_> = all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
        flowed(&series_summary(&subjects, Look::default()))
    };
    let text = screen(&all);
    assert!(text.contains("of 40 reports with most requests (no DB time is printed)"), "{text}");
    assert!(text.contains("2024-03-06 17:00") && text.contains("4,711"), "{text}");
    for (_, diagnosis) in &mut all {
        (diagnosis.io_profile.read_iops, diagnosis.io_profile.write_iops) = (None, None);
    }
    let text = screen(&all);
    assert!(text.contains("of 40 reports (neither DB time nor requests are printed)"), "{text}");
    assert!(text.contains("The first ") && !text.contains("busiest of"), "{text}");
}

/// The text of an hour beside its page doubled what every finding costs.
#[test]
fn reports_of_one_interval_were_added_up() {
    let hour = || (sample::report(9, 1.0), sample::diagnosis(1.0));
    let screen = |all: &[(spindle_facts::Report, spindle_diagnosis::Diagnosis)]| {
        let subjects: Vec<_> = all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
        flowed(&series_summary(&subjects, Look::default()))
    };
    let found = |text: &str| {
        let all = text.split("by seconds of DB time").nth(1).unwrap().to_owned();
        all.split(" in ").next().unwrap().trim().to_owned()
    };
    let alone = screen(&[hour(), (sample::report(10, 1.0), sample::diagnosis(0.1))]);
    let mut all = vec![hour(), hour(), hour(), (sample::report(10, 1.0), sample::diagnosis(0.1))];
    // Statspack took its snapshot later, and comes first.
    all[0].0.identity.begin_time = Some("2024-03-05T09:00:40".into());
    let text = screen(&all);
    assert_eq!(found(&text), found(&alone), "{text}");
    assert!(text.contains("2 reports repeat the interval of another and count once"), "{text}");
    assert!(text.contains(" in 2 of 2; worst") && !alone.contains("repeat"), "{text}");
    all[0].0.identity.instance_number = Some(2);
    assert!(screen(&all).contains("1 report repeats the interval of another and counts once"));
}

#[test]
fn a_report_on_one_statement_took_the_place_of_the_one_on_its_interval() {
    let (whole, mut part) = (sample::report(9, 1.0), sample::report(9, 1.0));
    part.identity.kind = spindle_facts::Kind::AwrSql;
    part.identity.db_time_s = part.identity.db_time_s.map(|s| s + 1.0);
    part.identity.source = "one statement".into();
    let (diagnosis, other) = (sample::diagnosis(1.0), sample::report(10, 0.1));
    let all = [&part, &whole, &other];
    let subjects: Vec<_> = all.iter().map(|report| Subject { report, diagnosis: &diagnosis }).collect();
    let overview = spindle_presentation::overview::Overview::of(&subjects);
    assert_eq!((overview.peak, overview.intervals), (Some(1), 2));
}

#[test]
fn databases_of_one_name_were_one_with_one_busiest_interval() {
    let hour = |hour, number| {
        let mut report = sample::report(hour, 1.0);
        report.identity.db_id = Some(number);
        (report, sample::diagnosis(1.0))
    };
    let screen = |all: &[(spindle_facts::Report, spindle_diagnosis::Diagnosis)]| {
        let subjects: Vec<_> = all.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
        flowed(&series_summary(&subjects, Look::default()))
    };
    let one = screen(&[hour(9, 1), hour(10, 1)]);
    let two = screen(&[hour(9, 1), hour(10, 2)]);
    assert!(!one.contains("databases of that name"), "{one}");
    assert!(two.contains("(2 databases of that name): 2 reports, 2 instances"), "{two}");
    assert_eq!((one.matches("Busiest").count(), two.matches("Busiest").count()), (1, 2), "{two}");
}

/// A firm answer stood over an average of days, and nothing on the screen said so.
#[test]
fn an_average_over_days_was_not_called_one() {
    let (mut report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let screen = |r: &_, d: &_| flowed(&summary(Subject { report: r, diagnosis: d }, Look::default()));
    assert!(!screen(&report, &diagnosis).contains("an average over"));
    report.identity.elapsed_s = Some(3.0 * 86_400.0);
    let missing = "shorter intervals".to_owned();
    diagnosis.cannot_tell.push(spindle_diagnosis::CannotTell { rule: "too_long_an_interval", missing });
    let text = screen(&report, &diagnosis);
    assert!(text.contains("an average over 3.00 days: neither peaks nor their causes"), "{text}");
}

/// Reports that print neither CPU nor waits were a bar of nothing, and what they name stood nowhere.
#[test]
fn what_addm_and_sql_reports_name_was_left_out() {
    use spindle_facts::{AddmFinding, Kind, SqlStat};
    let (mut report, mut diagnosis) = sample::empty();
    report.identity.kind = Kind::Addm;
    report.identity.db_time_s = Some(12_000.0);
    let side = &mut diagnosis.response_time.foreground;
    (side.db_time_s, side.unexplained_s) = (Some(12_000.0), Some(12_000.0));
    report.tables.addm_finding.push(AddmFinding {
        line: 9,
        section: 0,
        finding: "Undersized Buffer Cache".into(),
        impact_pct: Some(23.4),
        impact_sessions: Some(3.1),
        impact_s: None,
        description: None,
        recommendation: Some("Database Configuration: Increase it.\nMore".into()),
    });
    let screen = |r: &_, d: &_| flowed(&summary(Subject { report: r, diagnosis: d }, Look::default()));
    let text = screen(&report, &diagnosis);
    assert!(
        text.contains("- 23.4 %: Undersized Buffer Cache. Database Configuration: Increase it. "),
        "{text}"
    );
    assert!(!text.contains("not explained") && text.contains("neither CPU nor wait events were read"));
    // Those behind the fifth are told.
    report.tables.addm_finding = vec![report.tables.addm_finding[0].clone(); 7];
    assert!(screen(&report, &diagnosis).contains("- 2 more: --html FILE, --json"));
    report.identity.kind = Kind::AwrSql;
    let statement = SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some("7x1abcdefgh2k".into()),
        elapsed_s: Some(3043.0),
        cpu_s: Some(1415.5),
        share_pct: Some(96.7),
        executions: Some(1.0),
        ..SqlStat::default()
    };
    // Two plans of one statement could not be told apart.
    let plan = |hash| SqlStat { plan_hash: Some(hash), ..statement.clone() };
    report.tables.sql_stat = vec![plan(17), plan(98)];
    let text = screen(&report, &diagnosis);
    assert!(
        text.contains("- 7x1abcdefgh2k, plan 17: elapsed")
            && text.contains("- 7x1abcdefgh2k, plan 98: elapsed")
    );
    report.tables.sql_stat = vec![statement.clone(), statement];
    let text = screen(&report, &diagnosis);
    let said = "- 7x1abcdefgh2k: elapsed 3,043 s (96.7 % of DB time), CPU 1,416 s, 1 execution";
    assert_eq!(text.matches(said).count(), 1, "{text}");
    report.identity.kind = Kind::Awr;
    assert!(!screen(&report, &diagnosis).contains("7x1abcdefgh2k"));
}

/// Statements and objects of sampled activity stood on the page alone.
#[test]
fn an_ash_report_named_no_statement() {
    use spindle_facts::{PrintedRow, Value};
    let (mut report, diagnosis) = sample::empty();
    report.identity.kind = spindle_facts::Kind::Ash;
    let row = |group: &str, key: &'static str, name: Option<(&str, f64)>, event: &str, pct: f64| {
        let text = |t: &str| Value::Text(t.into());
        let cells = vec![
            ("group", text(group)),
            (key, name.map_or(Value::Null, |(name, _)| text(name))),
            ("pct_activity", name.map_or(Value::Null, |(_, share)| Value::Number(share))),
            ("event", text(event)),
            ("pct_event", Value::Number(pct)),
        ];
        PrintedRow { line: 7, section: 0, instance_number: None, cells: cells.into() }
    };
    let (group, statement) = ("Top SQL with Top Events", Some(("7x1abcdefgh2k", 28.67)));
    let (read, write) = ("db file sequential read", "log file sync");
    report.tables.ash_activity = vec![
        row(group, "sql_id", statement, read, 28.2),
        row(group, "sql_id", statement, write, 0.5),
        row(group, "sql_id", None, write, 0.2),
        row("Top DB Objects", "object_name_type", Some(("S.T (TABLE)", 16.1)), read, 16.0),
    ];
    let text = flowed(&summary(Subject { report: &report, diagnosis: &diagnosis }, Look::default()));
    assert!(
        text.contains(
            "Leading statements and objects, by share of all samples - 28.67 %: statement 7x1abcdefgh2k, 28.2 % in db file sequential read - 16.1 %: S.T \
             (TABLE), 16 % in db file sequential read No finding"
        ),
        "{text}"
    );
}

#[test]
fn a_screen_has_at_most_forty_lines_whatever_is_found() {
    let (report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let long = "log writes take 313 ms on average, half within 64 ms ".repeat(4);
    diagnosis.answer = long.repeat(2);
    let mut finding = diagnosis.findings[0].clone();
    (finding.title, finding.caveat) = (long.clone(), long.clone());
    finding.actions = vec![long.clone()];
    finding.evidence[0].text = long;
    diagnosis.findings = vec![finding; 9];
    for width in [80, 120] {
        let text = summary(Subject { report: &report, diagnosis: &diagnosis }, Look { width, colour: false });
        assert!(text.lines().count() <= 40, "{text}");
        assert!(text.contains("\n5. "), "every title stands: {text}");
    }
}

/// A statement was its identifier and nothing else: whose it is, and what it does, stood on the page only.
#[test]
fn statements_of_a_comparison_had_neither_module_nor_text() {
    use spindle_diagnosis::comparison::{CompareOptions, Digest, compare};
    let before = spindle_test_support::cases::redo_on_sas();
    let mut after = before.clone();
    let mut changed = Vec::new();
    for row in &mut after.tables.sql_stat {
        let Some(id) = row.sql_id.clone() else { continue };
        if !changed.contains(&id) {
            changed.push(id);
        }
        let times = 1.5 + changed.len() as f64;
        row.elapsed_s = row.elapsed_s.map(|s| s * times);
    }
    let options = CompareOptions::default();
    let c = compare(&[Digest::of(&before)], &[Digest::of(&after)], &options).unwrap();
    let known: Vec<_> = c.statements.iter().filter(|s| s.module.is_some() && s.text.is_some()).collect();
    assert!(known.len() >= 3, "{:?}", c.statements);
    for width in [80, 120] {
        let text = spindle_presentation::terminal::compare(&c, Look { width, colour: false });
        assert!(text.lines().all(|l| l.chars().count() <= width), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let title =
            lines.iter().position(|l| l.starts_with("Statements")).unwrap_or_else(|| panic!("{text}"));
        let (module_at, text_at) = (lines[title].find("module").unwrap(), lines[title].find("text").unwrap());
        let mut shown = 0;
        for s in known.iter().take(3) {
            let id = s.sql_id.as_deref().unwrap();
            let Some(line) = lines[title..].iter().find(|l| l.trim_start().starts_with(id)) else { continue };
            assert!(line[module_at..].starts_with(s.module.as_deref().unwrap()), "{width}: {line}");
            let begins: String = s.text.as_deref().unwrap().chars().take(width - text_at - 2).collect();
            assert!(line[text_at..].starts_with(&begins) && line.ends_with(".."), "{width}: {line}");
            assert_eq!(line.as_bytes()[module_at - 1], b' ', "{line}");
            shown += 1;
        }
        assert_eq!(shown, 3, "{width}: {text}");
    }
}

/// An ADDM report prints its period and DB time, in words that were not read: "elapsed time not printed, DB time not printed".
#[test]
fn what_an_addm_report_prints_was_said_not_to_be_printed() {
    let (mut report, mut diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    report.sections.clear();
    (report.identity.elapsed_s, report.identity.db_time_s) = (None, None);
    diagnosis.response_time.foreground.db_time_s = None;
    let head = |report: &spindle_facts::Report| {
        flowed(&summary(Subject { report, diagnosis: &diagnosis }, Look { width: 120, colour: false }))
    };
    assert!(head(&report).contains("elapsed time not printed, DB time not printed"));
    report.identity.kind = spindle_facts::Kind::Addm;
    assert!(head(&report).contains("elapsed time not read, DB time not read"));
}

/// Of 673 to 1,485 s the finding was headed by the second number alone.
#[test]
fn the_seconds_of_a_finding_are_the_range_that_is_known() {
    let (report, mut diagnosis) = (sample::report(0, 1.0), sample::diagnosis(1.0));
    let finding = &mut diagnosis.findings[0];
    (finding.impact_s, finding.impact_pct, finding.touches_s) = (1_485.0, Some(20.0), 1_485.0);
    finding.impact_low_s = Some(673.0);
    let subject = Subject { report: &report, diagnosis: &diagnosis };
    let text = flowed(&summary(subject, Look { width: 100, colour: false }));
    assert!(text.contains("9.1 to 20.0 %, 673 to 1,485 s: "), "{text}");
}
