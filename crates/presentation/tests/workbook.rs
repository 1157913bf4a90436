//! The workbook of a sizing, opened by a reader of its own: every formula recomputed gives the stored
//! result, and changing an input changes the counts. LibreOffice recomputes it too where it is there.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod formulas;

use calamine::{Data, Reader, Xlsx};
use formulas::{Book, Value};
use spindle_facts::{Identity, InstanceStat, Kind, Layout, Report};
use spindle_planning::profiles;
use spindle_planning::sizing::{Disk, Measures, ReducedLoad, SizeOptions, Sizer, Sizing, redundancies};
use spindle_presentation::xlsx;
use std::io::Cursor;

fn options(disk: &str) -> SizeOptions {
    SizeOptions {
        percentile: 95.0,
        redundancy: redundancies(),
        sized_for: 1,
        redundancy_asked: false,
        disks: vec![Disk::parse(disk, &profiles()).unwrap()],
        latency_target_us: Some(11_000.0),
        capacity_bytes: Some(2e13),
        disks_per_cell: None,
        growth_pct: Some(20.0),
        years: 4,
        racks: false,
        top: 5,
    }
}

/// A week of hours with a wave of load, one of them without writes printed.
fn week() -> Vec<Report> {
    (0..168_i64)
        .map(|hour| {
            let mut id = Identity::unknown(&format!("r{hour}"), Kind::Awr, Layout::Text);
            id.db_name = Some("=CMD()".into());
            id.instance_number = Some(1);
            let time = |h: i64| format!("2024-03-{:02}T{:02}:00:00", 1 + h / 24, h % 24);
            id.begin_time = Some(time(hour));
            id.end_time = Some(time(hour + 1));
            id.elapsed_s = Some(3_600.0);
            let mut report = Report::new(id);
            let wave = 1.0 + ((hour * 37) % 101) as f64 / 25.0;
            for (name, rate) in [
                ("physical read total IO requests", 411.0 * wave),
                ("physical write total IO requests", 97.0 * wave * wave),
                ("physical read total bytes", 9e6 * wave * (1.0 + (hour % 7) as f64)),
                ("physical write total bytes", 2e6 * wave),
                ("redo writes", 31.0),
            ] {
                if hour == 40 && name.starts_with("physical write total IO") {
                    continue;
                }
                report.tables.instance_stat.push(InstanceStat {
                    statistic: name.into(),
                    total: Some((rate * 3_600.0).round()),
                    per_second: None,
                    line: 1,
                    section: 0,
                    instance_number: None,
                    printed_as: None,
                    per_transaction: None,
                    begin_value: None,
                    end_value: None,
                });
            }
            report
        })
        .collect()
}

fn sized(options: &SizeOptions) -> Sizing {
    sized_over(168, options)
}

/// The first hours of that week.
fn sized_over(hours: usize, options: &SizeOptions) -> Sizing {
    let mut sizer = Sizer::default();
    week()[..hours].iter().for_each(|r| sizer.add(ReducedLoad::of(r)));
    sizer.size(options).unwrap()
}

fn stated() -> Sizing {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures { read_iops: Some(5_000.0), write_iops: Some(5_000.0), ..Measures::default() });
    let options =
        SizeOptions { latency_target_us: None, capacity_bytes: None, growth_pct: None, ..options("180IOPS") };
    sizer.size(&options).unwrap()
}

/// Bytes of reads are stated, of writes not.
fn stated_in_part() -> Sizing {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures {
        read_iops: Some(5_000.0),
        write_iops: Some(5_000.0),
        read_mbps: Some(40_000.0),
        ..Measures::default()
    });
    let options = SizeOptions { latency_target_us: None, ..options("180IOPS,160MB/s") };
    sizer.size(&options).unwrap()
}

const GIB: f64 = 1_073_741_824.0;

fn open(bytes: &[u8]) -> Book {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes.to_vec())).unwrap();
    let mut out = Book::default();
    for name in book.sheet_names() {
        let values = book.worksheet_range(&name).unwrap();
        for (row, column, value) in values.used_cells() {
            let (from_row, from_column) = values.start().unwrap();
            let place = (row as u32 + from_row, column as u32 + from_column);
            let value = match value {
                Data::Float(v) => Value::Number(*v),
                Data::Int(v) => Value::Number(*v as f64),
                Data::String(s) => Value::Text(s.clone()),
                Data::Empty => Value::Empty,
                other => panic!("{name} {place:?}: {other:?}"),
            };
            out.put(&name, place, value);
        }
        let formulas = book.worksheet_formula(&name).unwrap();
        for (row, column, formula) in formulas.used_cells() {
            let (from_row, from_column) = formulas.start().unwrap();
            if !formula.is_empty() {
                out.put_formula(&name, (row as u32 + from_row, column as u32 + from_column), formula);
            }
        }
    }
    out
}

/// The cell under a heading in the row of a redundancy, computed by our own calculator.
fn cell(book: &Book, heading: &str, redundancy: &str) -> Value {
    book.value("Size", place(book, heading, redundancy))
}

/// The same as the file says it.
fn stored_cell(book: &Book, heading: &str, redundancy: &str) -> Value {
    book.stored("Size", place(book, heading, redundancy))
}

fn place(book: &Book, heading: &str, redundancy: &str) -> (u32, u32) {
    let row = (20..40).find(|r| book.stored("Size", (*r, 0)) == Value::Text(redundancy.into())).unwrap();
    let column = (0..22).find(|c| book.stored("Size", (20, *c)) == Value::Text(heading.into())).unwrap();
    (row, column)
}

fn near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
        (a, b) => a.is_blank() && b.is_blank() || a == b,
    }
}

#[test]
fn every_formula_gives_the_result_that_is_stored_with_it() {
    for sizing in [
        sized(&options("disk_15k,600G")),
        sized(&options("nvme_mixed_use,1600G")),
        sized(&SizeOptions { latency_target_us: None, ..options("sas=180IOPS,4ms,160MB/s") }),
        stated(),
        stated_in_part(),
    ] {
        let book = open(&xlsx::size(&sizing).unwrap());
        let formulas = book.formulas();
        assert!(formulas.len() > 100, "{}", formulas.len());
        for (sheet, place) in formulas {
            let (stored, computed) = (book.stored(&sheet, place), book.value(&sheet, place));
            // Differences of neighbours hold the rounding of both.
            let rough = sheet == "Queue" && place.1 >= 5;
            let alike = match (&stored, &computed) {
                (Value::Number(a), Value::Number(b)) if rough => (a - b).abs() <= 1e-3 * a.abs() + 1e-9,
                _ => near(&stored, &computed),
            };
            assert!(alike, "{sheet} {place:?}: stored {stored:?}, computed {computed:?}");
        }
    }
}

/// The workbook left out what was known where the page counted it, or the other way round.
#[test]
fn bytes_known_in_part_were_none_in_the_workbook() {
    let sizing = stated_in_part();
    let book = open(&xlsx::size(&sizing).unwrap());
    for r in &sizing.redundancy {
        let disks = [("Hardware MB/s at its percentile", r.hardware_mbps), ("Disks", r.disks)];
        for (heading, expected) in disks {
            assert!(
                expected.is_some() && near(&cell(&book, heading, &r.name), &Value::Number(expected.unwrap()))
            );
        }
    }
}

#[test]
fn the_counts_are_those_of_the_page() {
    let sizing = sized(&options("disk_15k,600G"));
    let book = open(&xlsx::size(&sizing).unwrap());
    for r in &sizing.redundancy {
        assert!(
            near(&cell(&book, "Hardware IOPS", &r.name), &Value::Number(r.hardware_iops.unwrap())),
            "{r:?}"
        );
        assert!(near(
            &cell(&book, "Disks, bare division", &r.name),
            &Value::Number(r.disks_for_iops_bare.unwrap())
        ));
        assert!(
            near(&cell(&book, "Disks for capacity", &r.name), &Value::Number(r.disks_for_capacity.unwrap())),
            "{r:?}"
        );
        assert!(near(&cell(&book, "Disks", &r.name), &Value::Number(r.disks.unwrap())), "{r:?}");
    }
    // The percentile over every interval, by a formula, is the one that was computed.
    let exact = book.value("Size", (17, 1));
    let Value::Number(exact) = exact else { panic!("{exact:?}") };
    assert!((exact - sizing.redundancy[1].hardware_iops.unwrap()).abs() < 0.001);
}

/// The reads and writes of the interval at the percentile were constants: its disks stayed as they were.
#[test]
fn every_count_follows_every_input_as_if_sized_anew() {
    let first = options("sas=180IOPS,5ms,6ms,160MB/s,600G");
    let mut book = open(&xlsx::size(&sized(&first)).unwrap());
    let mut check = |row: u32, value: f64, other: &SizeOptions| {
        book.put("Size", (row, 1), Value::Number(value));
        let sizing = sized(other);
        for r in &sizing.redundancy {
            for (heading, expected) in [
                ("Reads/s of the interval at the percentile", r.read_iops),
                ("Writes/s of that interval", r.write_iops),
                ("Hardware IOPS", r.hardware_iops),
                ("Hardware MB/s at its percentile", r.hardware_mbps),
                ("Request of that interval alone (ms)", r.request_us.map(|us| us / 1e3)),
                ("Busy share that keeps its latency", r.utilisation_limit),
                ("Disks for IOPS", r.disks_for_iops),
                ("Disks for MB/s", r.disks_for_mbps),
                ("Disks", r.disks),
                ("Cells", r.cells),
            ] {
                let live = cell(&book, heading, &r.name);
                assert!(
                    near(&live, &Value::Number(expected.unwrap())),
                    "{row} {heading} {live:?} {expected:?}"
                );
            }
        }
        // Growth has the planned counts.
        let table = 21 + u32::try_from(sizing.redundancy.len()).unwrap() + 3;
        for (n, year) in sizing.growth.iter().enumerate() {
            let row = table + u32::try_from(n).unwrap();
            assert!(
                near(&book.value("Size", (row, 4)), &Value::Number(year.disks.unwrap())),
                "{row}: {year:?}"
            );
            assert!(
                near(&book.value("Size", (row, 5)), &Value::Number(year.cells.unwrap())),
                "{row}: {year:?}"
            );
        }
    };
    let small = SizeOptions { capacity_bytes: Some(GIB), ..first };
    check(12, 1.0, &small);
    for percentile in [50.0, 99.0, 80.0] {
        check(4, percentile, &SizeOptions { percentile, ..small.clone() });
    }
    let disks = |text: &str| vec![Disk::parse(text, &profiles()).unwrap()];
    let faster =
        SizeOptions { percentile: 80.0, disks: disks("sas=200IOPS,5ms,6ms,160MB/s,600G"), ..small.clone() };
    check(6, 200.0, &faster);
    check(10, 40.0, &SizeOptions { disks: disks("sas=200IOPS,5ms,6ms,40MB/s,600G"), ..faster.clone() });
    let narrow = SizeOptions { disks: disks("sas=200IOPS,5ms,9ms,40MB/s,600G"), ..faster.clone() };
    check(18, 9.0, &narrow);
    check(8, 30.0, &SizeOptions { latency_target_us: Some(30_000.0), ..narrow.clone() });
    let grown = SizeOptions { latency_target_us: Some(30_000.0), growth_pct: Some(45.0), ..narrow };
    check(14, 45.0, &grown);
    check(13, 7.0, &SizeOptions { disks_per_cell: Some(7.0), ..grown });
}

/// A few intervals of huge requests left every count empty, whatever the percentile leaves out.
#[test]
fn intervals_that_no_disk_keeps_were_all_of_the_time() {
    let sized = |percentile: f64| {
        let mut sizer = Sizer::default();
        for (n, mut one) in week().into_iter().take(20).enumerate() {
            if n == 7 {
                let bytes = |s: &InstanceStat| &*s.statistic == "physical read total bytes";
                one.tables.instance_stat.iter_mut().filter(|s| bytes(s)).for_each(|s| s.total = Some(1e13));
            }
            sizer.add(ReducedLoad::of(&one));
        }
        let options = SizeOptions {
            percentile,
            latency_target_us: Some(9_000.0),
            capacity_bytes: None,
            ..options("disk_15k")
        };
        sizer.size(&options).unwrap()
    };
    let made = sized(90.0);
    let mut book = open(&xlsx::size(&made).unwrap());
    counts_agree(&book, cell, &made, "at 90");
    counts_agree(&book, stored_cell, &made, "at 90, as stored");
    assert!(made.redundancy.iter().all(|r| r.disks.is_some()), "{:?}", made.answer);
    let none = sized(99.0);
    book.put("Size", (4, 1), Value::Number(99.0));
    counts_agree(&book, cell, &none, "typed 99");
    assert!(none.redundancy.iter().any(|r| r.name == "normal" && r.disks.is_none()), "{:?}", none.answer);
}

/// Which of the databases that were never measured together is counted was chosen at one percentile, and
/// the sheet did not say so.
#[test]
fn the_percentile_of_a_chosen_database_had_no_note() {
    let mut sizer = Sizer::default();
    for (n, mut one) in week().into_iter().take(8).enumerate() {
        one.identity.db_name = Some(if n < 4 { "A" } else { "B" }.into());
        sizer.add(ReducedLoad::of(&one));
    }
    let sizing = sizer.size(&options("disk_15k,600G")).unwrap();
    let book = open(&xlsx::size(&sizing).unwrap());
    let Value::Text(note) = book.stored("Size", (4, 2)) else { panic!("no note") };
    assert!(note.contains("chosen at 95 %") && note.contains(&sizing.apart.unwrap().largest), "{note}");
}

#[test]
fn changing_an_input_changes_the_counts() {
    let mut book = open(&xlsx::size(&stated()).unwrap());
    let number = |v: Value| if let Value::Number(n) = v { n } else { panic!("{v:?}") };
    assert_eq!(number(cell(&book, "Disks, bare division", "normal")), 84.0);
    assert_eq!(number(cell(&book, "Disks, bare division", "high")), 112.0);
    // Half the disk, twice the disks.
    book.put("Size", (6, 1), Value::Number(90.0));
    assert_eq!(number(cell(&book, "Disks, bare division", "normal")), 167.0);
    // Another penalty.
    let row = (20..40).find(|r| book.stored("Size", (*r, 0)) == Value::Text("normal".into())).unwrap();
    book.put("Size", (row, 1), Value::Number(3.0));
    assert_eq!(number(cell(&book, "Hardware IOPS", "normal")), 20_000.0);
    // Another redundancy for the intervals.
    let before = number(book.value("Size", (17, 1)));
    book.put("Size", (5, 1), Value::Text("raid6".into()));
    assert_eq!((before, number(book.value("Size", (17, 1)))), (20_000.0, 35_000.0));
}

#[test]
fn the_same_sizing_gives_the_same_bytes_and_no_text_becomes_a_formula() {
    let sizing = sized(&options("disk_15k"));
    let bytes = xlsx::size(&sizing).unwrap();
    assert_eq!(bytes, xlsx::size(&sizing).unwrap());
    let book = open(&bytes);
    assert!(book.stored("Size", (0, 0)) == Value::Text("=CMD(): storage needed".into()));
}

/// What LibreOffice computes of workbooks, all at once; `None` where it is not installed.
fn by_libreoffice(name: &str, books: &[Vec<u8>]) -> Option<Vec<Book>> {
    let folder = std::env::temp_dir().join(format!("spindle-workbook-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("profile/user")).unwrap();
    // Without this LibreOffice shows the stored results and computes nothing.
    std::fs::write(
        folder.join("profile/user/registrymodifications.xcu"),
        r#"<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>"#,
    )
    .unwrap();
    let path = |n: usize| folder.join(format!("size-{n}.xlsx"));
    books.iter().enumerate().for_each(|(n, book)| std::fs::write(path(n), book).unwrap());
    let ran = std::process::Command::new("soffice")
        .arg(format!("-env:UserInstallation=file://{}", folder.join("profile").display()))
        .args(["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir"])
        .arg(folder.join("out"))
        .args((0..books.len()).map(path))
        .output();
    let Ok(ran) = ran else {
        spindle_test_support::skipped("LibreOffice is not installed (apt install libreoffice-calc)");
        let _ = std::fs::remove_dir_all(&folder);
        return None;
    };
    let computed = (0..books.len())
        .map(|n| {
            let out = folder.join(format!("out/size-{n}.xlsx"));
            let said = || {
                (
                    String::from_utf8_lossy(&ran.stdout).into_owned(),
                    String::from_utf8_lossy(&ran.stderr).into_owned(),
                )
            };
            open(&std::fs::read(&out).unwrap_or_else(|_| panic!("{:?}", said())))
        })
        .collect();
    std::fs::remove_dir_all(&folder).unwrap();
    Some(computed)
}

/// A disk of half the rate, computed by LibreOffice where it is installed.
#[test]
fn libreoffice_computes_the_same() {
    let bytes = xlsx::size(&sized(&options("disk_15k,600G"))).unwrap();
    let Some(theirs) = by_libreoffice("same", std::slice::from_ref(&bytes)) else { return };
    let ours = open(&bytes);
    let mut compared = 0;
    for (sheet, place) in ours.formulas() {
        let (a, b) = (ours.stored(&sheet, place), theirs[0].stored(&sheet, place));
        assert!(near(&a, &b), "{sheet} {place:?}: stored {a:?}, LibreOffice {b:?}");
        compared += 1;
    }
    println!("{compared} formulas computed by LibreOffice");
}

/// A workbook whose input was typed over: the number in the file, every result in it as it was before.
fn typed_over(bytes: &[u8], row: u32, value: Option<f64>) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for n in 0..archive.len() {
        let mut member = archive.by_index(n).unwrap();
        let name = member.name().unwrap().into_owned();
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut member, &mut content).unwrap();
        if name == "xl/worksheets/sheet1.xml" {
            let text = String::from_utf8(content).unwrap();
            let from = text.find(&format!("<c r=\"B{}\"", row + 1)).unwrap();
            let tag = from + text[from..].find('>').unwrap();
            let empty = text[..tag].ends_with('/');
            let to = if empty { tag + 1 } else { from + text[from..].find("</c>").unwrap() + 4 };
            let style = text[from..tag].split("s=\"").nth(1).and_then(|s| s.split('"').next()).unwrap();
            let held = value.map_or_else(String::new, |v| format!("<v>{v}</v>"));
            content =
                format!("{}<c r=\"B{}\" s=\"{style}\">{held}</c>{}", &text[..from], row + 1, &text[to..])
                    .into_bytes();
        }
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, &content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Counts of disks by the table on the sheet *Size*, against those of the tool.
fn counts_agree(book: &Book, of: impl Fn(&Book, &str, &str) -> Value, sizing: &Sizing, what: &str) {
    for r in &sizing.redundancy {
        for (heading, expected, within) in [
            ("Busy share that keeps its latency", r.utilisation_limit, 1e-8),
            ("Disks, bare division", r.disks_for_iops_bare, 0.0),
            ("Disks for IOPS", r.disks_for_iops, 0.0),
            ("Disks for MB/s", r.disks_for_mbps, 0.0),
            ("Disks for capacity", r.disks_for_capacity, 0.0),
            ("Disks", r.disks, 0.0),
            ("Cells", r.cells, 0.0),
            ("Cells for IOPS", r.cells_for_iops, 0.0),
            ("Cells for MB/s", r.cells_for_mbps, 0.0),
            ("Cells, bare division", r.cells_bare, 0.0),
        ] {
            let found = of(book, heading, &r.name);
            let same = match (&found, expected) {
                (Value::Number(found), Some(expected)) => (found - expected).abs() <= within * expected,
                (found, expected) => found.is_blank() && expected.is_none(),
            };
            assert!(same, "{what}: {heading} of {}: {found:?}, the tool says {expected:?}", r.name);
        }
    }
}

/// The cells for MB/s gave 31 disks where no number of them keeps the latency; a target that was typed in
/// left the busy share at 70 %, and that of flash as it was.
#[test]
fn a_latency_typed_in_gives_what_the_tool_gives_with_it() {
    let disks = [
        "disk_15k,600G",
        "disk_7k2",
        "sas=180IOPS,160MB/s,600G",
        "lun=2000IOPS,4ms,6ms,400MB/s,2T",
        "nvme_mixed_use,1600G",
        "aws_gp3,1T",
    ];
    let mut cases: Vec<(String, Sizing, Vec<u8>, bool)> = Vec::new();
    for disk in disks {
        let plain = SizeOptions { latency_target_us: None, ..options(disk) };
        let alone_us = plain.disks[0].read_latency_us.max(plain.disks[0].write_latency_us);
        // None, never to be kept, hardly, and with ease.
        let targets =
            [None, Some(0.3 * alone_us), Some(1.02 * alone_us), Some(1.3 * alone_us), Some(40.0 * alone_us)];
        for given in [None, Some(1.3 * alone_us)] {
            let sizing = sized_over(6, &SizeOptions { latency_target_us: given, ..plain.clone() });
            let bytes = xlsx::size(&sizing).unwrap();
            for typed in targets {
                let wanted = sized_over(6, &SizeOptions { latency_target_us: typed, ..plain.clone() });
                let what = format!("{disk}, made for {given:?}, typed {typed:?}");
                cases.push((what, wanted, typed_over(&bytes, 8, typed.map(|us| us / 1e3)), given == typed));
            }
        }
    }
    let mut unknown = 0;
    for (what, wanted, bytes, untouched) in &cases {
        let mut book = open(bytes);
        counts_agree(&book, cell, wanted, what);
        if *untouched {
            counts_agree(&book, stored_cell, wanted, what);
        }
        unknown += usize::from(wanted.redundancy.iter().any(|r| r.disks.is_none()));
        // A busy share of the user's own stays his.
        book.put("Size", (9, 1), Value::Number(0.5));
        book.forget_formula("Size", (9, 1));
        if let Value::Number(busy) = cell(&book, "Busy share that keeps its latency", "normal") {
            assert!(busy <= 0.5, "{what}: {busy}");
        }
    }
    assert!(unknown >= disks.len() && unknown < cases.len() / 2, "{unknown} of {}", cases.len());
    let books: Vec<Vec<u8>> = cases.iter().map(|c| c.2.clone()).collect();
    let Some(computed) = by_libreoffice("typed", &books) else { return };
    for ((what, wanted, ..), book) in cases.iter().zip(&computed) {
        counts_agree(book, stored_cell, wanted, &format!("LibreOffice, {what}"));
    }
    println!("{} workbooks computed by LibreOffice", computed.len());
}

/// A device whose requests and latency are typed over works on as many at once as the tool takes.
#[test]
fn requests_at_once_follow_rate_and_latency() {
    let lun = |text: &str| SizeOptions { latency_target_us: Some(9_000.0), ..options(text) };
    let mut book = open(&xlsx::size(&sized_over(6, &lun("lun=2000IOPS,4ms,4ms,400MB/s"))).unwrap());
    for (rate, disk) in [(900.0, "lun=900IOPS,4ms,4ms,400MB/s"), (120.0, "lun=120IOPS,4ms,4ms,400MB/s")] {
        book.put("Size", (6, 1), Value::Number(rate));
        let wanted = sized_over(6, &lun(disk));
        assert_eq!(book.value("Size", (19, 1)), Value::Number(f64::from(wanted.disk.servers)));
        counts_agree(&book, cell, &wanted, disk);
    }
}

/// A disk of 180 IOPS kept the time of its requests when it was made one of 250: 104 disks, and the tool says 120.
/// The other way round a latency typed over left the rate as it was.
#[test]
fn what_follows_from_an_input_stayed_as_it_was() {
    let of = |disk: &str| SizeOptions { latency_target_us: None, capacity_bytes: None, ..options(disk) };
    let mut cases: Vec<(String, Sizing, Vec<u8>)> = Vec::new();
    for (made, row, typed, wanted) in [
        ("180IOPS", 6, 250.0, "250IOPS"),
        ("sas=180IOPS,160MB/s", 6, 90.0, "sas=90IOPS,160MB/s"),
        ("disk_15k,180IOPS", 6, 250.0, "disk_15k,250IOPS"),
        ("5ms", 7, 4.0, "4ms"),
        ("lun=8ms,100MB/s", 7, 2.5, "lun=2.5ms,100MB/s"),
    ] {
        let bytes = xlsx::size(&sized_over(6, &of(made))).unwrap();
        let wanted_sizing = sized_over(6, &of(wanted));
        let bytes = typed_over(&bytes, row, Some(typed));
        let mut book = open(&bytes);
        book.forget_formula("Size", (row, 1));
        counts_agree(&book, cell, &wanted_sizing, &format!("{made}, typed {typed}"));
        cases.push((format!("LibreOffice: {made}, typed {typed}"), wanted_sizing, bytes));
    }
    let books: Vec<Vec<u8>> = cases.iter().map(|c| c.2.clone()).collect();
    let Some(computed) = by_libreoffice("derived", &books) else { return };
    for ((what, wanted, _), book) in cases.iter().zip(&computed) {
        counts_agree(book, stored_cell, wanted, what);
    }
}

/// A percentile of nothing, or of more than all of the time, gave counts.
#[test]
fn what_is_no_percentile_gave_counts() {
    let bytes = xlsx::size(&sized_over(6, &options("disk_15k,600G"))).unwrap();
    let mut books = Vec::new();
    for wrong in [Some(0.0), Some(-3.0), Some(101.0), None] {
        books.push(typed_over(&bytes, 4, wrong));
    }
    let empty = |book: &Book, of: &dyn Fn(&Book, &str, &str) -> Value| {
        for heading in ["Hardware IOPS", "Disks", "Disks for IOPS", "Cells"] {
            let value = of(book, heading, "normal");
            assert!(value.is_blank(), "{heading}: {value:?}");
        }
    };
    for book in &books {
        empty(&open(book), &cell);
    }
    let Some(computed) = by_libreoffice("percentile", &books) else { return };
    computed.iter().for_each(|book| empty(book, &stored_cell));
}

/// A gap stood in the workbook without database, instance and time: nobody could say which hour is missing.
#[test]
fn a_gap_in_the_workbook_was_nobodys() {
    let mut sizer = Sizer::default();
    for (n, one) in week().into_iter().take(8).enumerate() {
        if n != 4 {
            sizer.add(ReducedLoad::of(&one));
        }
    }
    let sizing = sizer.size(&options("disk_15k,600G")).unwrap();
    assert_eq!(sizing.gaps.len(), 1, "{:?}", sizing.gaps);
    let book = open(&xlsx::size(&sizing).unwrap());
    let row = (1..40).find(|r| book.stored("Remarks", (*r, 0)) == Value::Text("gap".into())).unwrap();
    let cells: Vec<Value> = (1..6).map(|c| book.stored("Remarks", (row, c))).collect();
    let text = |s: &str| Value::Text(s.into());
    assert_eq!(cells[..2], [text("=CMD()"), Value::Number(1.0)]);
    assert_eq!(cells[2..4], [text("2024-03-01 04:00"), text("2024-03-01 05:00")]);
    assert_eq!(cells[4], text("no interval covers 60 min"));
}

/// The sentence of the run stood above inputs that follow as if it followed them; small and large requests stood in no
/// interval.
#[test]
fn the_sentence_of_the_run_looked_like_one_of_the_inputs() {
    let sizing = sized(&options("disk_15k,600G"));
    let book = open(&xlsx::size(&sizing).unwrap());
    let Value::Text(sentence) = book.stored("Size", (1, 0)) else { panic!("no sentence") };
    assert_eq!(sentence, format!("As run: {}", sizing.answer));
    let heading = |column: u32| book.stored("Intervals", (0, column));
    assert_eq!(heading(13), Value::Text("Small reads/s".into()));
    assert_eq!(heading(17), Value::Text("Redo MB/s".into()));
}

/// Where some hours print no bytes the workbook had no MB/s at all, and the page those of the others.
#[test]
fn hours_without_bytes_took_those_of_the_others_away() {
    let mut reports = week();
    for one in &mut reports[..60] {
        one.tables.instance_stat.retain(|row| !row.statistic.ends_with("bytes"));
    }
    let mut sizer = Sizer::default();
    reports.iter().for_each(|r| sizer.add(ReducedLoad::of(r)));
    let sizing = sizer.size(&options("disk_15k,600G")).unwrap();
    assert!(sizing.redundancy.iter().all(|r| r.hardware_mbps.is_some() && r.hardware_mbps_is_least));
    let book = open(&xlsx::size(&sizing).unwrap());
    for r in &sizing.redundancy {
        let mbps = cell(&book, "Hardware MB/s at its percentile", &r.name);
        assert!(near(&mbps, &Value::Number(r.hardware_mbps.unwrap())), "{mbps:?}, {r:?}");
    }
    counts_agree(&book, cell, &sizing, "bytes of some hours");
}
