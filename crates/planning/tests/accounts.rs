//! What the accounts of a report prove: no object saves more than its tablespace's own reads took.

#![allow(clippy::unwrap_used)]

use spindle_diagnosis::{Case, Options, is_multi_block_read, is_single_block_read};
use spindle_facts::Report;
use spindle_planning::{Component, PlaceOptions, Plan, Planner, Range, Reduced, Tier};
use spindle_test_support::{corpus, skipped};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn reports(folder: &Path) -> Vec<Report> {
    let mut files: Vec<_> = ["awr-html", "awr-text", "statspack"]
        .iter()
        .filter_map(|kind| fs::read_dir(folder.join(kind)).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        spindle_evidence::read(&file.display().to_string(), &fs::read(file).unwrap()).reports
    };
    files.iter().flat_map(read).filter(|r| !r.tables.tablespace_io.is_empty()).collect()
}

fn named(folder: &Path, part: &str) -> Report {
    let found = reports(folder).into_iter().find(|r| r.identity.source.ends_with(part));
    found.unwrap()
}

fn tier(read_us: f64) -> Tier {
    Tier {
        name: "flash".into(),
        capacity_bytes: 1e12,
        read_latency_us: read_us,
        write_latency_us: read_us,
        mbps: Some(1_000.0),
        iops_cap: None,
        price: None,
        endurance_bytes: None,
        profile: None,
    }
}

/// A plan in which every tablespace has a size.
fn plan(report: &Report, read_us: f64) -> Option<Plan> {
    let mut planner = Planner::default();
    planner.add(Reduced::of(report));
    let spaces = report.tables.tablespace_io.iter();
    let sizes = spaces.map(|t| (t.tablespace.clone(), 3e9)).collect();
    planner.plan(&[tier(read_us)], &[], &PlaceOptions { sizes, ..PlaceOptions::default() }).ok()
}

/// Reads times `Av Rd` of each tablespace, with half a digit more.
fn printed_s(report: &Report) -> BTreeMap<&str, (f64, f64)> {
    let mut found: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for row in &report.tables.tablespace_io {
        let (Some(reads), Some(us)) = (row.reads, row.avg_read_us) else { continue };
        let sum = found.entry(row.tablespace.as_str()).or_default();
        sum.0 += reads * us / 1e6;
        sum.1 += reads * (us + 50.0) / 1e6;
    }
    found
}

fn saves(plan: &Plan, object: &str) -> Range {
    let found = plan.candidates.iter().find(|c| c.object == object);
    found.unwrap().saves_s.unwrap()
}

#[test]
fn tablespaces_saved_more_than_all_their_reads_took() {
    let Some(folder) = corpus() else {
        skipped("tablespaces_saved_more_than_all_their_reads_took");
        return;
    };
    let (mut agreeing, mut looked_at) = (0, 0);
    for report in reports(&folder) {
        let source = &report.identity.source;
        let case = Case::new(&report, &Options::default());
        let reads = |e: &str| {
            is_single_block_read(e)
                || is_multi_block_read(e)
                || e.contains("parallel read")
                || e.contains("list of")
        };
        let waited: f64 = case.events.iter().filter(|e| reads(&e.event)).map(|e| e.time_s).sum();
        let direct = case
            .events
            .iter()
            .filter(|e| e.event.starts_with("direct path read") && !e.event.contains("temp"));
        let direct: f64 = direct.map(|e| e.time_s).sum();
        let printed = printed_s(&report);
        let is_temp = |name: &str| name.contains("TEMP") || name.contains("TMP");
        let all: f64 = printed.iter().filter(|(name, _)| !is_temp(name)).map(|(_, s)| s.0).sum();
        let agrees = all >= 100.0 && waited + direct <= 1.2 * all && all <= 1.2 * (waited + direct);
        let Some(plan) = plan(&report, 300.0).filter(|_| agrees) else { continue };
        agreeing += 1;
        for c in plan.candidates.iter().filter(|c| c.container.is_none()) {
            let Some((_, most)) = c.tablespace.as_deref().and_then(|t| printed.get(t)) else { continue };
            let of_reads = |kind: Component| {
                use Component::{DirectRead, MultiBlockRead, SingleBlockRead};
                matches!(kind, SingleBlockRead | MultiBlockRead | DirectRead)
            };
            let parts = c.waits_by_component.iter().filter(|(kind, _)| of_reads(*kind));
            let waits: f64 = parts.map(|(_, s)| s.high).sum();
            looked_at += 1;
            assert!(waits <= 1.001 * most + 0.1, "{source}: {} waits up to {waits} s of {most} s", c.object);
        }
    }
    assert!(agreeing >= 8 && looked_at >= 50, "{agreeing} reports, {looked_at} objects");
}

#[test]
fn large_reads_were_counted_slow_twice() {
    let Some(folder) = corpus() else {
        skipped("large_reads_were_counted_slow_twice");
        return;
    };
    // 12 blocks a read take longer than one, and their kind of wait is longer already.
    let report = named(&folder, "9.0.1.0.0__unk__IzzySoft__sprep.html");
    let plan = plan(&report, 300.0).unwrap();
    let holds = |object: &str, least: f64, most: f64| {
        let s = saves(&plan, object);
        assert!(
            s.low <= most && s.high >= least && s.mid >= 0.85 * least && s.mid <= most,
            "{object}: {s:?}"
        );
    };
    // Reads x Av Rd, less the reads at 0.3 ms and what they move at 1,000 MB/s.
    holds("tablespace WM_TAB", 28_900.0, 30_643.0);
    holds("tablespace DW_TAB", 20_000.0, 20_560.0);
    holds("tablespace DW", 1_950.0, 2_073.0);
    holds("tablespace XON_IDX", 7_000.0, 10_030.0);
    assert!(!plan.warnings.iter().any(|w| w.contains("accounts of the reads")), "{:?}", plan.warnings);
}

#[test]
fn accounts_of_reads_differed_without_a_word() {
    let Some(folder) = corpus() else {
        skipped("accounts_of_reads_differed_without_a_word");
        return;
    };
    let said = |part: &str, word: &str| {
        let plan = plan(&named(&folder, part), 300.0).unwrap();
        assert!(
            plan.warnings.iter().any(|w| w.contains("accounts of the reads") && w.contains(word)),
            "{part}"
        );
    };
    said("11.2.0.3.0__AIX__sarthi2020__awr_rpt_1.html", "direct reads");
    said("12.2.0.1.0__Linux__Azure__AWR_DBT.html", "the smaller one");
}

#[test]
fn misprinted_mean_reads_were_passed_over_in_silence() {
    let Some(folder) = corpus() else {
        skipped("misprinted_mean_reads_were_passed_over_in_silence");
        return;
    };
    let plan = plan(&named(&folder, "12.1.0.2.0__AIX__sarthi2020__awr_rpt_2.html"), 300.0).unwrap();
    assert!(plan.warnings.iter().any(|w| w.contains("the mean reads cannot be")), "{:?}", plan.warnings);
}

#[test]
fn storage_was_acquitted_above_large_savings() {
    let Some(folder) = corpus() else {
        skipped("storage_was_acquitted_above_large_savings");
        return;
    };
    for report in reports(&folder) {
        let Some(plan) = plan(&report, 300.0) else { continue };
        if plan.answer.contains("Storage is not the problem") {
            let share = plan.saves_s.high / plan.db_time_s.now;
            assert!(share < 0.1, "{}: {}", report.identity.source, plan.answer);
        }
    }
    let plan = plan(&named(&folder, "11.2.0.3.0__Linux__Apress__awr_1830_1845.html"), 300.0).unwrap();
    assert!(plan.saves_s.mid > 0.6 * plan.db_time_s.now, "{}", plan.answer);
}

#[test]
fn a_tier_slower_than_todays_storage_was_not_named_so() {
    let Some(folder) = corpus() else {
        skipped("a_tier_slower_than_todays_storage_was_not_named_so");
        return;
    };
    let plan = plan(&named(&folder, "11.2.0.3.0__Linux__Apress__awr_1830_1845.html"), 20_000.0).unwrap();
    assert!(plan.chosen.is_empty() && plan.answer.contains("slower than today's storage"), "{}", plan.answer);
}

#[test]
fn smart_scans_were_not_worth_a_word() {
    let Some(folder) = corpus() else {
        skipped("smart_scans_were_not_worth_a_word");
        return;
    };
    let plan = plan(&named(&folder, "_41GBs_bandwidth.html"), 300.0).unwrap();
    assert!(plan.answer.contains("smart scans") && plan.answer.contains("not modelled"), "{}", plan.answer);
    let part = plan.response_time.iter().find(|p| p.part == "smart scans").unwrap();
    assert!(part.now_s > 0.9 * plan.db_time_s.now, "{part:?}");
}

#[test]
fn waits_that_no_report_prints_were_taken_for_none() {
    let Some(folder) = corpus() else {
        skipped("waits_that_no_report_prints_were_taken_for_none");
        return;
    };
    let folder = folder.join("awr-miner");
    let file = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
    let file = file.into_iter().find(|p| p.display().to_string().ends_with("USPS-775-985.out")).unwrap();
    let mut planner = Planner::default();
    let read = spindle_evidence::read(&file.display().to_string(), &fs::read(&file).unwrap());
    read.reports.iter().for_each(|r| planner.add(Reduced::of(r)));
    let plan = planner.plan(&[tier(300.0)], &[], &PlaceOptions::default()).unwrap();
    assert!(plan.answer.contains("cannot be told"), "{}", plan.answer);
    let unknown = plan.alternatives.iter().filter(|a| a.name != "nothing" && a.name != "this plan");
    assert!(unknown.clone().count() >= 4 && unknown.clone().all(|a| a.saves_s.is_none()));
}

#[test]
fn a_tablespace_saved_more_than_its_reads_by_the_waits_of_others() {
    let Some(folder) = corpus() else {
        skipped("a_tablespace_saved_more_than_its_reads_by_the_waits_of_others");
        return;
    };
    // Sessions wait 2.5 ms for another's read where reads take 0.3 ms: a busy cluster, not storage.
    let files = fs::read_dir(folder.join("awr-pdb")).unwrap().map(|e| e.unwrap().path());
    let file = files.into_iter().find(|p| p.display().to_string().contains("56288_56289")).unwrap();
    let read = spindle_evidence::read(&file.display().to_string(), &fs::read(&file).unwrap());
    let plan = plan(&read.reports[0], 300.0).unwrap();
    let s = saves(&plan, "tablespace TS_DC");
    assert!(s.mid <= 699.0 && s.low <= s.mid, "{s:?}");
    assert!(s.high > s.mid, "others' waits may follow in full: {s:?}");
}
