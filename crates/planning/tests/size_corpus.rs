//! Sizes of real reports, against what stands in them; read in place.

#![allow(clippy::unwrap_used)]

use spindle_planning::profiles;
use spindle_planning::sizing::{Disk, RedoCount, ReducedLoad, SizeOptions, Sizer, Sizing, redundancies};
use spindle_test_support::{corpus, skipped};

/// Sizes some files; `None` where there is no corpus.
fn size(files: &[&str], change: impl Fn(&mut SizeOptions)) -> Option<Sizing> {
    let Some(folder) = corpus() else {
        skipped("there is no corpus of reports");
        return None;
    };
    let mut sizer = Sizer::default();
    for file in files {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        spindle_evidence::read(file, &bytes).reports.iter().for_each(|r| sizer.add(ReducedLoad::of(r)));
    }
    let mut options = SizeOptions {
        percentile: 99.0,
        redundancy: redundancies(),
        sized_for: 1,
        redundancy_asked: false,
        disks: vec![Disk::parse("disk_15k", &profiles()).unwrap()],
        latency_target_us: None,
        capacity_bytes: None,
        disks_per_cell: None,
        growth_pct: None,
        years: 3,
        racks: false,
        top: 10,
    };
    change(&mut options);
    Some(sizer.size(&options).unwrap())
}

const CLUSTER: &str = "awr-miner/12.1.0.2.0__unk__tmuth__awr-hist-1376736500-DHLS-99-412.out";

/// Idle intervals with requests of megabytes, 7 % of the time, refused a latency that nine tenths keep.
#[test]
fn idle_intervals_of_huge_requests_refused_a_latency() {
    let Some(sizing) = size(&[CLUSTER], |o| {
        (o.percentile, o.latency_target_us) = (90.0, Some(9_000.0));
    }) else {
        return;
    };
    let normal = sizing.redundancy.iter().find(|r| r.name == "normal").unwrap();
    assert!(normal.disks.is_some_and(|d| (1_400.0..1_700.0).contains(&d)), "{normal:?}");
    let never = normal.never_kept.as_ref().unwrap();
    assert!((15..30).contains(&never.intervals) && (5.0..8.5).contains(&never.share_pct), "{never:?}");
    assert_eq!(sizing.reports, 1);
}

/// Redo of a cluster was unknown although its LGWR is printed, and the peak of a seen hour was guessed.
#[test]
fn redo_and_peak_of_a_cluster_were_unknown() {
    let Some(sizing) = size(&[CLUSTER], |_| {}) else { return };
    let mix = &sizing.write_mix;
    assert_eq!(mix.redo_counted_as, Some(RedoCount::LogWriterRequests));
    let share = mix.redo_share_pct.unwrap();
    assert!((40.0..60.0).contains(&share), "{mix:?}");
    assert!(mix.data_write_iops.is_some());
    let (peak, minute) = (&sizing.workload.hidden_peak, &sizing.workload.peak_minute);
    assert!(peak.high <= minute.high_iops && peak.low == peak.high, "{peak:?} {minute:?}");
}

/// A few intervals of a minute made three hundred of two hundred.
#[test]
fn intervals_of_a_minute_shredded_a_history() {
    let file = "awr-miner/11.2.0.2.0__Linux__tmuth__awr-hist-389926331-USPS-775-985.out";
    let Some(sizing) = size(&[file], |_| {}) else { return };
    let short = sizing.intervals.iter().filter(|i| i.seconds <= 60.0).count();
    assert!(
        sizing.intervals.len() < 245 && short < 25,
        "{} with {short} of a minute",
        sizing.intervals.len()
    );
}

/// Two databases of one name on two hosts were one, and lost intervals to each other.
#[test]
fn two_files_of_one_name_were_one_database() {
    let files = [
        "awr-miner/10.2.0.3.0__unk__tmuth__awr-hist-1132973626-ORCL-112295-112992.out",
        "awr-miner/11.2.0.3.0__unk__tmuth__awr-hist-1333681631-ORCL-383-415.out",
    ];
    let Some(sizing) = size(&files, |_| {}) else { return };
    assert_eq!(sizing.databases.len(), 2, "{:?}", sizing.databases);
    assert!(!sizing.gaps.iter().any(|g| g.kind == "overlap"), "{:?}", sizing.gaps.first());
}

/// 99.5 % of the writes went to flash, and all of them were said to be of the disks.
#[test]
fn writes_that_flash_took_were_said_to_be_of_the_disks() {
    let Some(sizing) = size(&["awr-rac/19.0.0.0.0__Linux__Azure__AWR_DBZ.html"], |_| {}) else { return };
    let flash = sizing.flash.unwrap();
    assert!(flash.flash_write_share_pct.is_some_and(|p| p > 99.0), "{flash:?}");
    assert!(flash.hardware_iops.is_some_and(|i| (20.0..35.0).contains(&i)), "{flash:?}");
}

/// The writers of a container are in none of the counters of a pluggable database: it was said to write
/// nothing.
#[test]
fn a_pluggable_database_wrote_nothing() {
    let file = "awr-pdb/12.2.0.1.0__Linux__pcambell__awrrpt_1_56288_56289_1_.html";
    let Some(sizing) = size(&[file], |_| {}) else { return };
    let load = &sizing.intervals[0].measures;
    assert!(load.write_iops.is_some_and(|w| (11.0..13.0).contains(&w)), "{load:?}");
    // 0.554 x 2^20 bytes a second were taken for as many megabytes.
    assert!(load.write_mbps.is_some_and(|w| (0.57..0.6).contains(&w)), "{load:?}");
    assert!(load.redo_write_iops.is_none() && load.redo_write_mbps.is_some(), "{load:?}");
    assert!(sizing.warnings.iter().any(|w| w.contains("pluggable")), "{:?}", sizing.warnings);
}

/// Redo requests were of both members of a log group, redo bytes of one.
#[test]
fn redo_bytes_were_of_one_member() {
    let file = "awr-html/19.0.0.0.0__AIX__jdmoreno__awrrpt_1_191_192.html";
    let Some(sizing) = size(&[file], |_| {}) else { return };
    let load = &sizing.intervals[0].measures;
    assert!(load.redo_write_iops.is_some_and(|w| (1_470.0..1_480.0).contains(&w)), "{load:?}");
    assert!(load.redo_write_mbps.is_some_and(|w| (41.0..42.5).contains(&w)), "{load:?}");
}

/// Statements that an AWR-miner file prints by snapshot were said not to be there.
#[test]
fn files_that_list_statements_by_snapshot_were_said_to_list_none() {
    for file in [
        "awr-miner/11.2.0.2.0__unk__tmuth__awr-hist-3010508617-AWP-63978-64688.out",
        "awr-miner/11.2.0.3.0__Linux__sfurlong__awr-hist-198990324-CSEBSP-2088-2294.out",
        CLUSTER,
    ] {
        let Some(sizing) = size(&[file], |_| {}) else { return };
        assert_eq!(sizing.drill.len(), 10);
        for drill in &sizing.drill {
            assert!(drill.listed && !drill.sql.is_empty(), "{file}: {:?}", drill.interval);
            let read = drill.sql.iter().map(|r| r.reads_per_s.unwrap()).sum::<f64>();
            assert!(drill.sql.iter().all(|r| r.unit == "MB" && r.io_wait_s.is_some()), "{:?}", drill.sql);
            assert!(drill.sql.windows(2).all(|w| w[0].reads_per_s >= w[1].reads_per_s), "{:?}", drill.sql);
            assert!(read > 0.0, "{file}: {:?}", drill.interval);
        }
    }
}

/// The first thing that a reader saw was a minute of 166 GB/s, 4 MB a request.
#[test]
fn a_counter_that_jumped_was_led_with() {
    let Some(sizing) = size(&[CLUSTER], |_| {}) else { return };
    assert!(!sizing.answer.contains("But"), "{}", sizing.answer);
    assert!(sizing.workload.peak_minute.unbelievable.is_some());
    let busiest = sizing.workload.busiest.as_ref().unwrap();
    assert!((104_000.0..106_000.0).contains(&busiest.hardware_iops), "{busiest:?}");
    assert!((11.0..13.0).contains(&(busiest.near_s / 3_600.0)), "{busiest:?}");
}

/// HTML before 18c prints the month where the minutes of the start should stand: text and HTML of one quarter of an
/// hour were two databases, and their load was added up.
#[test]
fn text_and_html_of_one_interval_were_two_databases() {
    let text = "awr-text/11.2.0.3.0__Linux__Apress__awr_1830_1845.txt";
    let html = "awr-html/11.2.0.3.0__Linux__Apress__awr_1830_1845.html";
    let Some(alone) = size(&[text], |_| {}) else { return };
    let both = size(&[text, html], |_| {}).unwrap();
    assert_eq!((both.databases.clone(), both.measured_s), (alone.databases.clone(), alone.measured_s));
    let asked = |s: &Sizing| s.redundancy.iter().find(|r| r.name == "external").unwrap().hardware_iops;
    assert!((1_200.0..1_300.0).contains(&asked(&alone).unwrap()), "{:?}", asked(&alone));
    assert!((asked(&both).unwrap() / asked(&alone).unwrap() - 1.0).abs() < 0.01, "{:?}", asked(&both));
}

/// Reports of a container have no RAC statistics; how many instances ran stands beside their snapshots.
#[test]
fn a_container_on_one_of_two_instances_was_taken_for_the_whole() {
    let file = "awr-pdb/12.2.0.1.0__Linux__pcambell__awrrpt_1_56288_56289_1_.html";
    let Some(sizing) = size(&[file], |_| {}) else { return };
    let missing = &sizing.instances_missing;
    assert!(missing.iter().any(|m| (m.measured, m.running) == (1, 2)), "{missing:?}");
    assert!(sizing.answer.contains("1 of the 2 instances"), "{}", sizing.answer);
}

/// Beside another database a cluster that lacks instances in 87 of its 224 intervals was sized by the others: half of
/// what it asks alone, and less than its neighbour.
#[test]
fn a_real_cluster_was_halved_beside_another() {
    let usps = "awr-miner/11.2.0.2.0__Linux__tmuth__awr-hist-389926331-USPS-775-985.out";
    let Some(alone) = size(&[usps], |_| {}) else { return };
    let both = size(&[usps, CLUSTER], |_| {}).unwrap();
    let asked = |s: &Sizing| s.redundancy.iter().find(|r| r.name == "normal").unwrap().hardware_iops.unwrap();
    assert!((110_000.0..110_200.0).contains(&asked(&alone)), "{}", asked(&alone));
    let apart = both.apart.as_ref().unwrap();
    assert_eq!((apart.largest.as_str(), asked(&both)), ("USPS", asked(&alone)));
    assert!(apart.hardware_low >= asked(&alone) && apart.hardware_high > 2e5, "{apart:?}");
    let own = both.consolidation.iter().find(|t| t.database == "USPS").unwrap();
    assert!(own.own_is_least && own.own_max_iops > Some(125_000.0), "{own:?}");
}

/// The statement named behind a peak of requests made 5 % of them, and 75 % of the blocks.
#[test]
fn a_statement_of_many_blocks_was_named_behind_requests() {
    let file = "awr-html/19.0.0.0.0__AIX__jdmoreno__awr_rmgtibp_1_231002_0530_0600.html";
    let Some(sizing) = size(&[file], |_| {}) else { return };
    let first = &sizing.drill[0].sql[0];
    assert_eq!((first.name.as_str(), first.unit), ("92t5rywthj5r1", "requests"));
    assert!(first.share_pct.is_some_and(|pct| (11.0..13.0).contains(&pct)), "{first:?}");
}
