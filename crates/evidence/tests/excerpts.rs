//! Reports as people pass them on: other encodings, mail, spool files, excerpts, other languages.
//! Every value that is read must be one that the whole report gives; rows may be lost, never wrong.
#![allow(clippy::unwrap_used)]

#[path = "support/mod.rs"]
mod support;

use spindle_facts::{Kind, Report};
use support::{compare, corpus, example};

/// Our example, and what the corpus has of other releases.
fn reports() -> Vec<(&'static str, String)> {
    let mut all = vec![("redo-on-sas.txt", example("redo-on-sas.txt"))];
    for name in [
        "awr-text/11.2.0.4.0__Linux__rbogusze__awrrpt_1_18_19.txt",
        "awr-text/12.2.0.1.0__Linux__rbogusze__awrrpt_1_4912_4913.txt",
        "statspack/9.2.0.1.0__unk__nabeelkhan__sp_result.lst",
        "statspack/12.1.0.2.0__Linux__ora600pl__sp_70371_70372.txt",
    ] {
        all.extend(corpus(name).map(|bytes| (name, String::from_utf8_lossy(&bytes).into_owned())));
    }
    all
}

fn read(bytes: &[u8]) -> Vec<Report> {
    spindle_evidence::read("test", bytes).reports
}

/// Reads the changed report: no value may differ, and at least this share of the rows must be there.
fn same(change: impl Fn(&str) -> Vec<u8>, least: f64) {
    for (name, text) in reports() {
        let original = &read(text.as_bytes())[0];
        let changed = read(&change(&text));
        let mut kept = 0;
        let mut rows = 0;
        for report in &changed {
            let difference = compare(original, report);
            assert!(
                difference.wrong.is_empty(),
                "{name}: {} wrong, such as {:#?}",
                difference.wrong.len(),
                &difference.wrong[..difference.wrong.len().min(6)]
            );
            kept += difference.kept;
            rows = difference.rows;
        }
        #[allow(clippy::cast_precision_loss, reason = "counts of rows")]
        let share = kept as f64 / rows as f64;
        assert!(share >= least, "{name}: {kept} of {rows} rows kept");
    }
}

/// Lines changed one by one.
fn each_line(text: &str, change: impl Fn(usize, &str) -> String) -> Vec<u8> {
    text.lines().enumerate().map(|(i, l)| change(i, l) + "\n").collect::<String>().into_bytes()
}

#[test]
fn line_ends_and_page_breaks() {
    same(|t| t.replace('\n', "\r\n").into_bytes(), 1.0);
    same(|t| t.replace('\u{c}', "").into_bytes(), 0.97);
    same(|t| t.replace('\u{c}', "\u{c}\n").into_bytes(), 0.97);
    same(|t| each_line(t, |i, l| l.to_owned() + &" ".repeat(i % 90)), 1.0);
}

#[test]
fn encodings() {
    let utf16 = |t: &str| t.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    same(|t| utf16(t), 1.0);
    same(|t| [b"\xFF\xFE".as_slice(), &utf16(t)].concat(), 1.0);
    same(|t| [b"\xEF\xBB\xBF".as_slice(), t.as_bytes()].concat(), 1.0);
    same(|t| [b"Gr\xFC\xDFe aus K\xF6ln\n\n".as_slice(), t.as_bytes()].concat(), 1.0);
    same(|t| each_line(t, |_, l| l.replace("  ", "\u{a0} ")), 1.0);
}

#[test]
fn quoted_in_a_mail() {
    same(|t| each_line(t, |_, l| format!("> {l}")), 0.97);
    same(|t| each_line(t, |_, l| format!(">> {l}")), 0.97);
    same(|t| each_line(t, |i, l| if i % 40 == 7 { format!("> {l}\n> ") } else { format!("> {l}") }), 0.5);
}

/// A blank behind the mark was taken for one of the mark's where it is the report's own.
#[test]
fn quoted_without_a_blank_lost_one_of_each_row() {
    same(|t| each_line(t, |_, l| format!(">{l}")), 0.97);
}

/// Some mail programs quote with bars.
#[test]
fn quoted_with_bars_was_not_read() {
    same(
        |t| {
            format!("Otto wrote:\n{}", String::from_utf8(each_line(t, |_, l| format!("| {l}"))).unwrap())
                .into_bytes()
        },
        0.97,
    );
}

/// The page break behind the blanks hid the titles of half of the sections, without a word.
#[test]
fn page_breaks_that_are_set_in_hid_their_sections() {
    for blanks in ["  ", "    "] {
        same(|t| each_line(t, |_, l| format!("{blanks}{l}")), 1.0);
    }
}

/// One line at the margin above a report that is set in, and only its header was read.
#[test]
fn prose_above_a_report_that_is_set_in_lost_it() {
    for prose in ["Hello,\n", "Hello,\n\nhere is the report of that hour:\n"] {
        same(|t| [prose.as_bytes(), &each_line(t, |_, l| format!("    {l}"))].concat(), 1.0);
    }
    let answered = |t: &str| {
        let (first, second) = t.split_at(t.find('\u{c}').unwrap_or(t.len() / 2));
        let set_in = |t| String::from_utf8(each_line(t, |_, l| format!("  {l}"))).unwrap();
        format!("Hello,\n{}and further down it says\n\n{}Regards\n", set_in(first), set_in(second))
    };
    same(|t| answered(t).into_bytes(), 0.99);
}

#[test]
fn wrapped_by_a_mail_program() {
    let wrap = |line: &str| {
        let mut out = String::new();
        let mut rest = line;
        while rest.len() > 76 {
            let cut = rest[..76].rfind(' ').filter(|c| *c > 0).unwrap_or(76);
            out += rest[..cut].trim_end();
            out.push('\n');
            rest = rest[cut..].trim_start();
        }
        out + rest
    };
    same(|t| each_line(t, |_, l| if l.is_ascii() { wrap(l) } else { l.to_owned() }), 0.02);
}

#[test]
fn tables_shifted() {
    for shift in [1, 3, 8] {
        same(|t| each_line(t, |_, l| " ".repeat(shift) + l.trim_start_matches('\u{c}')), 0.5);
    }
}

#[test]
fn spooled_with_prompts_and_errors() {
    let noise = "SQL> @awrrpt\n\nCurrent Instance\n~~~~~~~~~~~~~~~~\n\nSpecify the Report Type\n~~~~~~~~~~~~~~~~~~~~~~~\nEnter value for report_type: text\n\nType Specified:  text\n\nEnter value for num_days: 1\nEnter value for begin_snap: 12\nBegin Snapshot Id specified: 12\n\nEnter value for end_snap: 13\nUsing the report name awrrpt_1_12_13.txt\n\n";
    same(
        |t| format!("{noise}{t}\nEnd of Report\nReport written to x.txt\nSQL> spool off\n").into_bytes(),
        1.0,
    );
    let errors = "ORA-01403: no data found\nORA-06512: at \"SYS.DBMS_SWRF_REPORT_INTERNAL\", line 1\nSP2-0734: unknown command beginning \"xx\" - rest of line ignored.\n";
    same(
        |t| {
            each_line(t, |i, l| if l.is_empty() && i % 5 == 0 { format!("\n{errors}") } else { l.to_owned() })
        },
        0.6,
    );
    same(|t| each_line(t, |i, l| if i % 97 == 50 { format!("{errors}{l}") } else { l.to_owned() }), 0.5);
}

#[test]
fn two_reports_in_one_file() {
    let (one, two) = (example("redo-on-sas.txt"), example("redo-on-ssd.txt"));
    let both = read(format!("{one}\n\n{two}").as_bytes());
    assert_eq!(both.len(), 2);
    for (report, text) in both.iter().zip([one, two]) {
        let difference = compare(&read(text.as_bytes())[0], report);
        assert_eq!((difference.wrong, difference.kept), (vec![], difference.rows));
    }
}

/// Pieces between page breaks, each a section or a page of one.
fn pages(text: &str) -> Vec<&str> {
    text.split('\u{c}').collect()
}

#[test]
fn sections_left_out_or_pasted_alone() {
    // Statspack breaks pages between a statement's numbers and its text.
    same(
        |t| {
            let step = if t.contains("STATSPACK") { usize::MAX } else { 3 };
            pages(t)
                .iter()
                .enumerate()
                .filter(|(i, _)| i % step != 1 || step == usize::MAX)
                .map(|(_, p)| *p)
                .collect::<String>()
                .into_bytes()
        },
        0.2,
    );
    for (name, text) in reports() {
        let original = &read(text.as_bytes())[0];
        for page in pages(&text).iter().skip(1) {
            let pasted = format!(
                "Hello,\n\nhere is what I see on 12 CPUs, 3 times a day:\n\n{page}\n...\n\nAny idea? Thanks\n"
            );
            for report in read(pasted.as_bytes()) {
                let difference = compare(original, &report);
                assert!(difference.wrong.is_empty(), "{name}: {:#?}\n{pasted}", difference.wrong);
                // A page of a Statspack report was called an AWR report.
                let kind = report.identity.kind;
                let known = [original.identity.kind, Kind::Unknown, Kind::Addm];
                assert!(known.contains(&kind), "{name}: {kind:?}\n{pasted}");
                // An ADDM report behind an AWR report is whole.
                let addm = report.identity.kind == Kind::Addm;
                assert!(report.identity.excerpt || addm, "{name}: a page is no whole report");
            }
        }
        assert!(!original.identity.excerpt || name.contains("9.2.0.1.0"), "{name} is whole");
    }
}

#[test]
fn lines_left_out_by_hand() {
    for mark in ["...", "[snip]"] {
        let row = |l: &str| {
            l.contains(|c: char| c.is_ascii_digit())
                && !l.contains("DB/Inst")
                && !l.contains('<')
                && l.starts_with(|c: char| c.is_ascii_lowercase())
        };
        same(
            |t| each_line(t, |i, l| if i % 11 == 5 && row(l) { mark.to_owned() } else { l.to_owned() }),
            0.3,
        );
    }
}

/// The time of day was lost, and midnight shown, where the name of the month is padded.
#[test]
fn padded_months_keep_the_time_of_day() {
    for month in ["Mai ", "5\u{6708} "] {
        let text = format!(
            "              Snap Id      Snap Time      Sessions Curs/Sess\n\
             \x20           --------- ------------------- -------- ---------\n\
             Begin Snap:      3726 16-{month}-13 05:00:50      640        .1\n\
             \x20 End Snap:      3727 16-{month}-13 06:00:16      672        .2\n\
             \x20  Elapsed:               59.43 (mins)\n"
        );
        let identity = &read(text.as_bytes())[0].identity;
        assert_eq!(identity.begin_time.as_deref(), Some("2013-05-16T05:00:50"));
        assert_eq!(identity.end_time.as_deref(), Some("2013-05-16T06:00:16"));
        assert_eq!(identity.begin_sessions, Some(640.0));
    }
}

/// `1,234.5` as `1.234,5`.
fn decimal_comma(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            ',' => '.',
            '.' => ',',
            c => c,
        })
        .collect()
}

#[test]
fn decimal_commas_and_months_of_other_languages() {
    let months = [
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        ["JAN", "FEB", "MRZ", "APR", "MAI", "JUN", "JUL", "AUG", "SEP", "OKT", "NOV", "DEZ"],
        ["JANV", "FÉVR", "MARS", "AVR", "MAI", "JUIN", "JUIL", "AOÛT", "SEPT", "OCT", "NOV", "DÉC"],
        ["ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC"],
        ["JAN", "FEV", "MAR", "ABR", "MAI", "JUN", "JUL", "AGO", "SET", "OUT", "NOV", "DEZ"],
        ["GEN", "FEB", "MAR", "APR", "MAG", "GIU", "LUG", "AGO", "SET", "OTT", "NOV", "DIC"],
        ["ЯНВ", "ФЕВ", "МАР", "АПР", "МАЙ", "ИЮН", "ИЮЛ", "АВГ", "СЕН", "ОКТ", "НОЯ", "ДЕК"],
    ];
    let text = example("redo-on-sas.txt");
    let original = &read(text.as_bytes())[0];
    let number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | 'K' | 'M' | 'G'))
    };
    for language in &months[1..] {
        let changed: String = text
            .lines()
            .map(|line| {
                let mut out = String::new();
                for piece in line.split_inclusive(' ') {
                    let word = piece.trim_end();
                    let release = word.matches('.').count() > 1;
                    if number(word) && !release { out += &decimal_comma(piece) } else { out += piece }
                }
                for (english, other) in months[0].iter().zip(language) {
                    out = out.replace(&format!("-{english}-"), &format!("-{other}-"));
                }
                out + "\n"
            })
            .collect();
        let report = &read(changed.as_bytes())[0];
        let difference = compare(original, report);
        assert!(
            difference.wrong.is_empty(),
            "{language:?}: {} {:#?}",
            difference.wrong.len(),
            &difference.wrong[..difference.wrong.len().min(6)]
        );
        assert_eq!(report.identity.begin_time, original.identity.begin_time, "{language:?}");
        assert_eq!(report.identity.elapsed_s, original.identity.elapsed_s);
        assert!(difference.kept * 10 > difference.rows * 9, "{} of {}", difference.kept, difference.rows);
    }
}

#[test]
fn rows_typed_by_hand_beside_their_columns_are_said_to_be_left_out() {
    let text = "Foreground Wait Events   DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20                                                            Avg\n\
        \x20                                       %Time Total Wait    wait    Waits   % DB\n\
        Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
        -------------------------- ------------ ----- ---------- ------- -------- ------\n\
        db file sequential read       1,234,567     0     10,123       8     12.0   61.2\n\
        log file sync  12345 567 46\n\
        direct path read 1200 about 4000 s, 3 ms\n";
    let reports = read(text.as_bytes());
    let [report] = reports.as_slice() else { panic!("{reports:?}") };
    let events: Vec<&str> = report.tables.wait_event.iter().map(|w| w.event.as_str()).collect();
    assert_eq!(events, ["db file sequential read"]);
    let said = |n: &&spindle_facts::Note| n.message.contains("fit no column");
    let notes: Vec<_> = report.notes.iter().filter(said).map(|n| (n.line, n.message.as_str())).collect();
    assert_eq!(notes, [(Some(8), "2 lines fit no column of the table and are left out")]);
    // Under the ruler nothing is said.
    let whole = read(&text.as_bytes()[..text.find("log file").unwrap()]);
    assert!(!whole[0].notes.iter().any(|n| said(&n)), "{:?}", whole[0].notes);
}
