//! What the screen and the page of a sizing show, and never cut.
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_facts::{Identity, InstanceStat, Kind, Layout, Report};
use spindle_planning::profiles;
use spindle_planning::sizing::{Disk, Measures, ReducedLoad, SizeOptions, Sizer, Sizing, redundancies};
use spindle_presentation::html;
use spindle_presentation::terminal::{self, Look};

fn options(disk: Disk) -> SizeOptions {
    SizeOptions {
        percentile: 99.0,
        redundancy: redundancies(),
        sized_for: 1,
        redundancy_asked: false,
        disks: vec![disk],
        latency_target_us: None,
        capacity_bytes: None,
        disks_per_cell: None,
        growth_pct: None,
        years: 3,
        racks: true,
        top: 5,
    }
}

fn disk(text: &str) -> Disk {
    Disk::parse(text, &profiles()).unwrap()
}

/// An hour of a database.
fn hour(db: &str, hour: u32, read: f64) -> Report {
    let mut id = Identity::unknown(&format!("{db}-{hour}.txt"), Kind::Awr, Layout::Text);
    id.db_name = Some(db.into());
    id.instance_number = Some(1);
    let time = |h: u32| Some(format!("2024-03-{:02}T{:02}:00:00", 1 + h / 24, h % 24));
    (id.begin_time, id.end_time) = (time(hour), time(hour + 1));
    id.elapsed_s = Some(3_600.0);
    let mut report = Report::new(id);
    for (name, rate) in
        [("physical read total IO requests", read), ("physical write total IO requests", 50.0)]
    {
        report.tables.instance_stat.push(InstanceStat {
            statistic: name.into(),
            total: Some(rate * 3_600.0),
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
}

fn sized(reports: &[Report]) -> Sizing {
    let mut sizer = Sizer::default();
    reports.iter().for_each(|r| sizer.add(ReducedLoad::of(r)));
    sizer.size(&options(disk("disk_15k"))).unwrap()
}

fn stated(disk: Disk) -> Sizing {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures { read_iops: Some(5_000.0), write_iops: Some(5_000.0), ..Measures::default() });
    sizer.size(&options(disk)).unwrap()
}

fn screen(sizing: &Sizing, width: usize) -> String {
    terminal::size(sizing, Look { width, colour: false })
}

fn flowed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What must be known before buying was among "3 more doubts", or ended in the middle of a sentence.
#[test]
fn a_warning_was_swallowed_or_cut() {
    let day: Vec<Report> = (0..24).map(|h| hour("A", h, 100.0 + f64::from(h))).collect();
    for reports in [&day[..1], &day[..]] {
        let sizing = sized(reports);
        assert!(sizing.first_warnings > 0);
        for width in [40, 80, 120] {
            let text = screen(&sizing, width);
            let words = flowed(&text);
            for first in &sizing.warnings[..sizing.first_warnings] {
                assert!(words.contains(&flowed(first)), "{width}: {first}\n{text}");
            }
            assert!(!text.contains(" ..."), "{width}: {text}");
            let place = |what: &str| words.find(what).unwrap();
            assert!(place(&flowed(&sizing.warnings[0])) < place("Redundancy (penalty)"), "{text}");
            assert!(text.lines().all(|l| l.chars().count() <= width), "{text}");
            // Each doubt is there as a whole, or counted.
            let shown = sizing.warnings.iter().filter(|w| words.contains(&flowed(w))).count();
            let more = sizing.warnings.len() - shown;
            assert!(more == 0 || words.contains(&format!("{more} more doubt")), "{text}");
        }
    }
}

/// "4 remarks on the time axis" was all that the screen said of them.
#[test]
fn gaps_were_counted_and_not_shown() {
    let mut reports: Vec<Report> = (0..24).filter(|h| *h != 7).map(|h| hour("ZEUS", h, 100.0)).collect();
    let mut restart = hour("ZEUS", 24, 100.0);
    restart.identity.spans_restart = true;
    reports.push(restart);
    let words = flowed(&screen(&sized(&reports), 80));
    assert!(words.contains("Time axis: 1 gap, 1 restart"), "{words}");
    assert!(
        words.contains(
            "gap: ZEUS, instance 1, 2024-03-01 07:00 to 2024-03-01 08:00, no interval covers 60 min"
        ),
        "{words}"
    );
    assert!(words.contains("restart: ZEUS, instance 1, 2024-03-02 00:00 to 2024-03-02 01:00"), "{words}");
}

/// The fourth database was left out of the list without a word.
#[test]
fn a_database_was_left_out_in_silence() {
    for count in [4, 8, 11, 30] {
        let names: Vec<String> = (0..count).map(|n| format!("DB{n:02}")).collect();
        let reports: Vec<Report> =
            (0..4).flat_map(|h| names.iter().map(move |n| hour(n, h, 100.0))).collect();
        let text = screen(&sized(&reports), 80);
        let words = flowed(text.split("Who, at the peaks").nth(1).unwrap());
        let named = names.iter().filter(|n| words.contains(*n)).count();
        assert!(named == count || named == 20 && words.contains("and 10"), "{count} {named}: {words}");
        assert!(count <= 8 || words.contains(&format!("{} more, together", count - 8)), "{words}");
    }
}

/// The agreed figures stood in the document alone: 7 cells on no screen, 6.94 on no page.
#[test]
fn whole_cells_of_the_bare_division_stood_nowhere() {
    let sizing = stated(disk("180IOPS"));
    let row = screen(&sizing, 80).lines().find(|l| l.starts_with("* normal")).unwrap().to_owned();
    let cells: Vec<&str> = row.split_whitespace().skip(3).collect();
    assert_eq!(cells[..5], ["15,000", "84", "7", "167", "14"], "{row}");
    let page = html::size(&sizing);
    assert!(page.contains("84 (83.3)") && page.contains("7 (6.9)"), "the table of redundancies");
}

/// Under a curve stood name, times and bandwidth of the usual disk.
#[test]
fn the_usual_disk_stood_beside_a_curve() {
    let curve = serde_json::from_value(serde_json::json!({
        "kind": "curve", "operation": "read", "source": "bench",
        "points": [{"iops": 100.0, "latency_us": {"mean": 4321.0}}, {"iops": 240.0, "latency_us": {"mean": 9000.0}}],
    }))
    .unwrap();
    let sizing = stated(Disk::of_curve(curve));
    for text in [screen(&sizing, 80), html::size(&sizing)] {
        assert!(text.contains("bench") && text.contains("4.32 ms"), "{text}");
        assert!(text.contains("The curve is of reads"), "{text}");
        for other in ["disk_15k", "5.3 ms", "5.8 ms", "160 MB/s", "twice the"] {
            assert!(!text.contains(other), "{other}: {text}");
        }
    }
}

/// Parts above the whole, or a writer that is known, stood as "-".
#[test]
fn writers_by_function_were_unknown() {
    let mut one = hour("A", 0, 100.0);
    for (function, writes) in [("DBWR", 40.0), ("LGWR", 10.0)] {
        one.tables.io_function.push(spindle_facts::IoActivity {
            function: Some(function.into()),
            reads_per_s: Some(0.0),
            writes_per_s: Some(writes),
            ..spindle_facts::IoActivity::default()
        });
    }
    let sizing = sized(&[one]);
    let words = flowed(&screen(&sizing, 80));
    assert!(
        words.contains("Of 50.0 writes/s 10.0 redo (LGWR), 40.0 by the database writer (DBWR)"),
        "{words}"
    );
    let page = flowed(&html::size(&sizing));
    assert!(page.contains("redo (LGWR) 10.0, database writer (DBWR) 40.0, other 0"), "{page}");
}

/// The table counted 655 disks, and the line below it said 654 of the same.
#[test]
fn one_number_of_disks_was_two_counts() {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures { read_iops: Some(117_786.0), write_iops: Some(3.0), ..Measures::default() });
    let sizing = sizer.size(&options(disk("180IOPS"))).unwrap();
    let need = sizing.redundancy.iter().find(|r| r.name == sizing.sized_for).unwrap();
    assert_eq!(need.disks_for_iops_bare, Some(655.0));
    let exact = need.disks_for_iops_bare_exact.unwrap();
    assert!(exact > 654.0 && exact < 654.5, "{exact}");
    let words = flowed(&screen(&sizing, 100));
    assert!(words.contains("normal bare: 655 disks, 54.5 cells"), "{words}");
}

/// A nightly hour of writes was explained by the statement that read, and a backup by nobody.
#[test]
fn who_made_the_busiest_hour_stood_on_no_screen() {
    let mut one = hour("A", 3, 300.0);
    let writes = one.tables.instance_stat.iter_mut().find(|r| r.statistic.contains("write")).unwrap();
    writes.total = Some(4_050.0 * 3_600.0);
    one.tables.sql_stat.push(spindle_facts::SqlStat {
        ranked_by: "physical_reads",
        sql_id: Some("readerreaderr".into()),
        read_requests: Some(200.0 * 3_600.0),
        ..spindle_facts::SqlStat::default()
    });
    for (ranked_by, object, rate) in
        [("physical_read_requests", "READT", 200.0), ("physical_write_requests", "WRITET", 3_600.0)]
    {
        one.tables.segment_stat.push(spindle_facts::SegmentStat {
            ranked_by,
            owner: Some("S".into()),
            object: Some(object.into()),
            value: Some(rate * 3_600.0),
            ..spindle_facts::SegmentStat::default()
        });
    }
    let line = |reports: &[Report]| {
        let text = screen(&sized(reports), 120);
        text.lines().find(|l| l.contains("2024-03-01 03:00  ")).unwrap().to_owned()
    };
    let shown = line(&[hour("A", 2, 10.0), one.clone()]);
    assert!(shown.contains("S.WRITET 88.9 % of writes") && !shown.contains("reader"), "{shown}");
    one.tables.io_function.push(spindle_facts::IoActivity {
        function: Some("RMAN".into()),
        reads_per_s: Some(0.0),
        writes_per_s: Some(3_000.0),
        ..spindle_facts::IoActivity::default()
    });
    let reports = [hour("A", 2, 10.0), one];
    let shown = line(&reports);
    assert!(shown.contains("backup (RMAN) 71.4 %, S.WRITET"), "{shown}");
    assert!(html::size(&sized(&reports)).contains("Who made the requests, by function"));
}

/// "in year 3 7,465 short"; and what is spare for small requests alone was spare there.
#[test]
fn what_a_rack_lacks_in_years_had_no_unit() {
    let grown = |read_mbps| {
        let mut sizer = Sizer::default();
        let (read_iops, write_iops) = (Some(5_000.0), Some(5_000.0));
        sizer.add_stated(Measures { read_iops, write_iops, read_mbps, ..Measures::default() });
        let growing = SizeOptions { growth_pct: Some(10.0), ..options(disk("180IOPS")) };
        flowed(&screen(&sizer.size(&growing).unwrap(), 120))
    };
    let words = grown(None);
    assert!(words.contains("2,500 short; in year 3: 7,465 IOPS short"), "{words}");
    assert!(words.contains("10,000 spare; in year 3: 5,035 IOPS spare"), "{words}");
    let large = grown(Some(4_000.0));
    assert!(large.contains("in year 3: 5,035 IOPS more, were they small requests"), "{large}");
}

/// A function whose bytes one interval does not print had the mean of the others over the time of both.
#[test]
fn what_one_interval_does_not_print_counted_as_nothing_in_the_mean() {
    let with = |mut one: Report, mb: Option<f64>| {
        one.tables.io_function.push(spindle_facts::IoActivity {
            function: Some("RMAN".into()),
            reads_per_s: Some(40.0),
            writes_per_s: Some(20.0),
            read_bytes_per_s: mb.map(|mb| 1e6 * mb),
            write_bytes_per_s: Some(2e6),
            ..spindle_facts::IoActivity::default()
        });
        one
    };
    let row = |second: Option<f64>| {
        let reports = [with(hour("A", 1, 300.0), Some(8.0)), with(hour("A", 2, 300.0), second)];
        let page = html::size(&sized(&reports));
        let rows = &page[page.find("Who makes the requests: mean").unwrap()..];
        let row = &rows[rows.find("backup (RMAN)").unwrap()..];
        row[..row.find("</tr>").unwrap()].to_owned()
    };
    let (known, unknown) = (row(Some(10.0)), row(None));
    assert!(known.contains("9.00") && known.contains("2.00"), "{known}");
    assert!(!unknown.contains("4.00") && unknown.contains("2.00"), "{unknown}");
}

/// Of three databases of which two ran together all were "never measured at the same time".
#[test]
fn two_of_three_that_ran_together_were_never_measured_at_the_same_time() {
    let reports = [hour("A", 0, 300.0), hour("B", 0, 300.0), hour("C", 20, 9_000.0)];
    let sizing = sized(&reports);
    assert_eq!(sizing.apart.as_ref().unwrap().largest, "C");
    let page = html::size(&sizing);
    assert!(page.contains("They were never all measured at the same time: together they need"));
}
