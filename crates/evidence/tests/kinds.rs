//! Reports that are not of one instance: RAC-global, Exadata, compare-period, AWR-miner, ASH, SQL, ADDM.
//! Checked on real reports where the corpus is there, against sums, the other layout, and a naive
//! splitter that shares no code with the readers.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::float_cmp)]

use spindle_evidence::read;
use spindle_facts::{Kind, Metric, Period, Report, Scope, SectionStatus};
use std::collections::HashMap;

fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let Some(corpus) = spindle_test_support::corpus() else {
        return Vec::new();
    };
    let mut found: Vec<_> = std::fs::read_dir(corpus.join(folder))
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(p).unwrap()))
        .collect();
    found.sort();
    found
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// Rows of the first table behind a heading, by cutting at tags.
fn naive_table(html: &str, heading: &str) -> Vec<Vec<String>> {
    // The contents name it first.
    let at = html.rfind(&format!(">{heading}<")).unwrap();
    let table = html[at..].split("<table").nth(1).unwrap().split("</table").next().unwrap();
    let text = |cell: &str| {
        let inner = cell.split_once('>').map_or("", |c| c.1);
        inner.split("</td").next().unwrap().replace("&#160;", "").trim().to_owned()
    };
    table.split("<tr").map(|row| row.split("<td").skip(1).map(text).collect()).collect()
}

#[test]
fn instances_add_up_to_the_database() {
    for (name, bytes) in files("awr-rac") {
        let reading = read(&name, &bytes);
        let [report] = reading.reports.as_slice() else { panic!("{name}") };
        let id = &report.identity;
        assert_eq!((id.kind, id.scope), (Kind::Awr, Scope::Database), "{name}");
        assert!(id.db_name.is_some() && id.db_id.is_some() && id.begin_snap < id.end_snap, "{name}");
        assert!(id.elapsed_s.unwrap() > 0.0 && id.version.is_some() && id.platform.is_some(), "{name}");
        for statistic in ["DB time", "DB CPU", "background elapsed time"] {
            let rows: Vec<_> = report.tables.time_model.iter().filter(|r| r.statistic == statistic).collect();
            let sum: f64 = rows.iter().filter(|r| r.instance_number.is_some()).filter_map(|r| r.time_s).sum();
            if let Some(all) = rows.iter().find(|r| r.instance_number.is_none()) {
                assert!(near(all.time_s.unwrap(), sum, 0.05), "{name} {statistic}");
            }
        }
        for all in report.tables.wait_class.iter().filter(|c| c.instance_number.is_none()) {
            let Some(seconds) = all.time_s else { continue };
            let parts = report.tables.wait_class.iter();
            let parts = parts.filter(|c| c.instance_number.is_some() && c.wait_class == all.wait_class);
            assert!(near(seconds, parts.filter_map(|c| c.time_s).sum(), 0.05), "{name} {}", all.wait_class);
        }
        let mut keys: Vec<_> =
            report.tables.wait_event.iter().map(|w| (&w.event, w.side, w.instance_number)).collect();
        let rows = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), rows, "{name}: an event stands once a side and instance");
        for histogram in &report.tables.wait_histogram {
            let sum: f64 = histogram.buckets.iter().map(|b| b.waits).sum();
            assert!(near(sum, histogram.waits.unwrap(), 0.5), "{name} {}", histogram.event);
        }
        if name.starts_with("19") {
            assert!(report.tables.io_function.iter().all(|f| f.reads_per_s.is_none()), "{name}");
            assert!(report.notes.iter().any(|n| n.message.contains("cannot be")), "{name}");
            assert!(!report.tables.exadata_flash_cache.is_empty() && !report.tables.exadata_cell.is_empty());
        }
    }
}

#[test]
fn waits_and_statistics_of_all_instances_are_the_printed_ones() {
    let number = |t: &str| t.replace(',', "").parse::<f64>().ok();
    for (name, bytes) in files("awr-rac").into_iter().filter(|f| f.0.starts_with("19")) {
        let html = String::from_utf8_lossy(&bytes);
        let reading = read(&name, &bytes);
        let report = &reading.reports[0];
        let mut compared = 0;
        for row in naive_table(&html, "Foreground Wait Events (Global)").iter().filter(|r| r.len() > 5) {
            let found = report.tables.wait_event.iter().find(|w| {
                w.event == row[1] && w.instance_number.is_none() && w.side == spindle_facts::Side::Foreground
            });
            let found = found.unwrap_or_else(|| panic!("{name} {}", row[1]));
            assert_eq!((found.waits, found.time_s), (number(&row[2]), number(&row[4])), "{name} {}", row[1]);
            compared += 1;
        }
        for row in naive_table(&html, "System Statistics (Global)").iter().filter(|r| r.len() > 5) {
            let found = report.tables.instance_stat.iter().find(|s| {
                s.instance_number.is_none() && s.printed_as.as_ref().unwrap_or(&s.statistic) == &row[0]
            });
            assert_eq!(found.unwrap().total, number(&row[1]), "{name} {}", row[0]);
            compared += 1;
        }
        assert!(compared > 400, "{name} {compared}");
    }
}

fn periods(folder: &[(String, Vec<u8>)], ending: &str) -> Vec<Report> {
    let (name, bytes) = folder.iter().find(|f| f.0.ends_with(ending)).unwrap();
    read(name, bytes).reports
}

#[test]
fn both_layouts_of_a_comparison_say_the_same() {
    let folder = files("awr-diff");
    if folder.is_empty() {
        return;
    }
    let (text, html) = (periods(&folder, ".txt"), periods(&folder, ".html"));
    assert_eq!((text.len(), html.len()), (2, 2));
    for ((t, h), period) in text.iter().zip(&html).zip([Period::First, Period::Second]) {
        assert_eq!((t.identity.period, h.identity.period), (Some(period), Some(period)));
        assert_eq!(
            (&t.identity.begin_time, t.identity.end_snap, &t.identity.db_name),
            (&h.identity.begin_time, h.identity.end_snap, &h.identity.db_name)
        );
        let stats: HashMap<_, _> =
            t.tables.instance_stat.iter().map(|s| (s.statistic.as_str(), s.total)).collect();
        assert!(h.tables.instance_stat.len() > 150);
        for stat in &h.tables.instance_stat {
            // Text clips names; a clipped one that fits several statistics cannot be looked up.
            if let Some(total) = stats.get(stat.statistic.as_str()) {
                // Totals beyond the column print in thousands.
                let (a, b) = (total.unwrap(), stat.total.unwrap());
                assert!(near(a, b, if b > 1e11 { 500.0 } else { 0.0 }), "{}", stat.statistic);
            }
        }
        assert_eq!(t.tables.wait_event.len(), h.tables.wait_event.len());
        // The leading events print their waits: the bounds of the others' rates must hold these too.
        for report in [t, h] {
            let mut held = 0;
            for top in &report.tables.top_event {
                let event = report.tables.wait_event.iter().find(|e| e.event == top.event);
                let Some((waits, event)) = top.waits.zip(event) else { continue };
                let bounds = event.waits_low.zip(event.waits_high).unwrap();
                assert!(bounds.0 <= waits && waits <= bounds.1, "{}: {waits} {bounds:?}", top.event);
                assert!(event.waits.is_none());
                held += 1;
            }
            assert!(held >= 4);
        }
        for (a, b) in t.tables.wait_event.iter().zip(&h.tables.wait_event) {
            assert!(near(a.time_s.unwrap(), b.time_s.unwrap(), 0.051), "{}", b.event);
        }
        let values = |r: &Report| -> Vec<_> {
            r.tables.segment_stat.iter().map(|s| (s.ranked_by, s.object.clone(), s.value)).collect()
        };
        assert_eq!(values(t), values(h));
        let statements = |r: &Report| -> Vec<_> {
            let all = r.tables.sql_stat.iter();
            all.map(|s| (s.ranked_by, s.sql_id.clone(), s.executions, s.section_total)).collect()
        };
        assert_eq!(statements(t), statements(h));
        for (a, b) in t.tables.time_model.iter().zip(&h.tables.time_model) {
            assert!(near(a.time_s.unwrap(), b.time_s.unwrap(), 0.051), "{}", b.statistic);
        }
        let reads = |r: &Report| -> Vec<_> {
            r.tables.file_io.iter().map(|f| (f.file.clone(), f.io.reads, f.io.writes)).collect()
        };
        assert_eq!(reads(t), reads(h));
        for r in [t, h] {
            assert!(!r.sections.iter().any(|s| s.status == SectionStatus::Unreadable), "{:?}", r.notes);
        }
    }
}

#[test]
fn a_comparison_agrees_with_the_reports_of_its_periods() {
    let folder = files("awr-diff");
    if folder.is_empty() {
        return;
    }
    let single = files("awr-html");
    for (report, ending) in
        periods(&folder, ".html").iter().zip(["Apress__awr_1830_1845.html", "Apress__awr_1930_1945.html"])
    {
        let (name, bytes) = single.iter().find(|f| f.0.ends_with(ending)).unwrap();
        let alone = &read(name, bytes).reports[0];
        assert_eq!(report.identity.begin_snap, alone.identity.begin_snap);
        assert_eq!(report.identity.end_time, alone.identity.end_time);
        assert!(near(report.identity.db_time_s.unwrap(), alone.identity.db_time_s.unwrap(), 0.1));
        let totals: HashMap<_, _> =
            alone.tables.instance_stat.iter().map(|s| (s.statistic.as_str(), s.total)).collect();
        let mut compared = 0;
        for stat in &report.tables.instance_stat {
            if let Some(Some(total)) = totals.get(stat.statistic.as_str()) {
                assert_eq!(stat.total, Some(*total), "{}", stat.statistic);
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
        for file in &report.tables.file_io {
            let same = alone.tables.file_io.iter().find(|f| f.file == file.file).unwrap();
            assert_eq!((file.io.reads, file.io.writes), (same.io.reads, same.io.writes));
        }
    }
}

/// Sum of `READ_MB` over the statements by snapshot, and their number.
fn megabytes_by_statement(text: &str) -> (f64, usize) {
    let from = text.split("~~BEGIN-TOP-SQL-BY-SNAPID~~").nth(1).unwrap_or("");
    let mut lines = from.split("~~END-").next().unwrap_or("").lines().skip_while(|l| !l.contains("READ_MB"));
    let Some(end) = lines.next().map(|h| h.find("READ_MB").unwrap() + 7) else { return (0.0, 0) };
    let cells: Vec<f64> = lines
        .filter(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .map(|l| {
            // Texts hold letters of two bytes.
            let row: String = l.chars().take(end).collect();
            row.rsplit(' ').next().unwrap().replace(',', ".").parse().unwrap()
        })
        .collect();
    (cells.iter().sum(), cells.len())
}

#[test]
fn every_interval_of_a_miner_file_is_a_report() {
    for (name, bytes) in files("awr-miner") {
        let text = String::from_utf8_lossy(&bytes);
        let block = |wanted: &str| -> Vec<Vec<&str>> {
            let from = text.split(&format!("~~BEGIN-{wanted}~~")).nth(1).unwrap_or("");
            let rows = from.split("~~END-").next().unwrap_or("").lines();
            rows.filter(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()))
                .map(|l| l.split_whitespace().collect())
                .collect()
        };
        let reports = read(&name, &bytes).reports;
        // Snap, minutes, date, time, instance.
        let metrics = block("MAIN-METRICS");
        let mut keys: Vec<_> = metrics.iter().map(|r| (r[0], r[4])).collect();
        keys.sort_unstable();
        keys.dedup();
        let instances = reports.iter().filter(|r| r.identity.scope == Scope::Instance);
        let with_metrics = instances.filter(|r| !r.tables.load_profile.is_empty()).count();
        assert_eq!(with_metrics, keys.len(), "{name}");
        let counted: f64 =
            block("IO-WAIT-HISTOGRAM").iter().filter_map(|r| r.last()?.parse::<f64>().ok()).sum();
        let read: f64 = reports
            .iter()
            .flat_map(|r| &r.tables.wait_histogram)
            .flat_map(|h| &h.buckets)
            .map(|b| b.waits)
            .sum();
        assert_eq!(read, counted, "{name}");
        // Bytes by statement, which no other report prints.
        let (printed, rows) = megabytes_by_statement(&text);
        let statements = || reports.iter().flat_map(|r| &r.tables.sql_stat);
        let read: f64 = statements().filter_map(|s| s.read_bytes).sum();
        assert!((read / 1_048_576.0 - printed).abs() <= 1e-6 * printed, "{name}: {read} {printed}");
        assert_eq!(statements().filter(|s| s.command.is_some()).count(), rows, "{name}");
        for report in &reports {
            assert_eq!(report.identity.kind, Kind::AwrMiner);
            for row in &report.tables.load_profile {
                // `read_iops` and `write_iops` are metrics of every process, redo included.
                let total = matches!(row.known, Some(Metric::TotalReadRequests | Metric::TotalWriteRequests));
                assert_eq!(total, row.metric == "read_iops" || row.metric == "write_iops", "{name}");
            }
            if report.identity.scope == Scope::Instance {
                assert!(report.identity.elapsed_s.is_some_and(|s| s > 0.0), "{name}");
            }
        }
    }
}

#[test]
fn sampled_shares_are_no_waits() {
    for (name, bytes) in files("ash") {
        let reports = read(&name, &bytes).reports;
        let [report] = reports.as_slice() else { panic!("{name}") };
        assert_eq!(report.identity.kind, Kind::Ash, "{name}");
        assert!(report.identity.elapsed_s.is_some_and(|s| s > 0.0), "{name}");
        assert!(report.identity.db_name.is_some() && report.identity.version.is_some(), "{name}");
        let top = &report.tables.top_event;
        assert!(!top.is_empty() && top.iter().all(|t| t.share_pct.is_some()), "{name}");
        assert!(top.iter().all(|t| t.time_s.is_none() && t.waits.is_none()), "{name}");
        assert!(!report.tables.ash_activity.is_empty(), "{name}");
        assert!(report.sections.iter().all(|s| s.status != SectionStatus::Unknown), "{name}");
    }
}

#[test]
fn statistics_of_a_plan() {
    for (name, bytes) in files("awr-sql") {
        let html = String::from_utf8_lossy(&bytes);
        let report = &read(&name, &bytes).reports[0];
        let [plan] = report.tables.sql_stat.as_slice() else { panic!("{name}") };
        let printed = naive_table(&html, "Plan Statistics")
            .iter()
            .find(|r| r.first().is_some_and(|c| c.starts_with("Elapsed Time")))
            .map(|r| r[1].replace(',', "").parse::<f64>().unwrap() / 1_000.0);
        assert_eq!(plan.elapsed_s, printed, "{name}");
        assert!(plan.plan_hash.is_some() && plan.sql_id.is_some() && plan.buffer_gets.is_some(), "{name}");
    }
}

#[test]
fn cut_anywhere_they_still_read() {
    for folder in ["awr-rac", "awr-diff", "awr-miner", "ash", "awr-sql", "awr-pdb"] {
        let Some((name, bytes)) = files(folder).into_iter().min_by_key(|f| f.1.len()) else { return };
        for part in 1..24 {
            let cut = &bytes[..bytes.len() * part / 24];
            for report in read(&name, cut).reports {
                assert!(report.sections.len() < 2_000, "{name}");
            }
        }
    }
}

#[test]
fn the_second_period_of_a_load_profile_lost_its_names() {
    let folder = files("awr-diff");
    if folder.is_empty() {
        spindle_test_support::skipped("the_second_period_of_a_load_profile_lost_its_names");
        return;
    }
    for (name, bytes) in folder {
        let reading = read(&name, &bytes);
        let [first, second] = reading.reports.as_slice() else { panic!("{name}") };
        let names = |r: &Report| -> Vec<_> {
            r.tables.load_profile.iter().map(|row| (row.metric.clone(), row.known)).collect()
        };
        assert_eq!(names(first), names(second), "{name}");
        let known = names(second).into_iter().filter(|(_, known)| known.is_some()).count();
        assert!(known >= 12, "{name}: {known}");
    }
}

/// A title centred on a page of 300 columns was no title, and the whole AWR report one of ADDM, of which it holds
/// one at its end.
#[test]
fn a_title_far_to_the_right_made_a_report_one_of_addm() {
    let title = format!("{:>166}", "WORKLOAD REPOSITORY report for");
    let text = format!(
        "{title}\n\nDB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
         ------------ ----------- ------------ -------- --------------- ----------- ---\n\
         TILL          1234567890 till                1 01-Mar-24 08:00 12.2.0.1.0  NO\n\n\
         \x20         ADDM Report for Task 'ADDM:1234567890_1_11'\n\n"
    );
    let reports = spindle_evidence::read("wide.txt", text.as_bytes()).reports;
    let [report] = reports.as_slice() else { panic!("{reports:?}") };
    assert_eq!(report.identity.kind, spindle_facts::Kind::Awr);
    assert_eq!(report.identity.version.as_deref(), Some("12.2.0.1.0"));
}
