//! What else could be done beside the plan, and what the answer says of it.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "other tests use the rest")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{DbCacheAdvice, InstanceStat, PgaAdvice, Report, Side, TablespaceIo, WaitClassRow};
use spindle_planning::{Alternative, PlaceOptions, Plan, Planner, Reduced, ScriptRequest, Tier, script};
use spindle_test_support::{corpus, skipped};
use std::fs;

const GIB: f64 = 1_073_741_824.0;

fn hour(instance: u32, temp: (f64, f64)) -> Hour {
    let segments = vec![Segment {
        name: "ORDERS".into(),
        is_index: false,
        tablespace: 0,
        reads: 400_000.0,
        request_share: Some(1.0),
        direct_share: None,
        bytes: 64.0 * GIB,
    }];
    let none = (0.0, 0.0);
    Hour {
        number: 0,
        instance,
        cpu_s: 1_000.0,
        single: (400_000.0, 2_000.0),
        multi: none,
        direct: none,
        temp,
        segments,
    }
}

/// Advice of one instance: a cache of 12 GiB and twice it, a target of 1 GiB and eight times it.
fn advise(report: &mut Report, extra_bytes: f64) {
    for (factor, reads) in [(1.0, 500_000.0), (2.0, 400_000.0)] {
        report.tables.db_cache_advice.push(DbCacheAdvice {
            pool: Some("D".into()),
            size_bytes: Some(12.0 * GIB * factor),
            size_factor: Some(factor),
            // Rounded to a tenth, as text reports print it.
            read_factor: Some(if factor > 1.0 { 0.9 } else { 1.0 }),
            estimated_reads: Some(reads),
            ..DbCacheAdvice::default()
        });
    }
    for (factor, extra) in [(1.0, extra_bytes), (4.0, 0.1 * extra_bytes), (8.0, 0.0)] {
        report.tables.pga_advice.push(PgaAdvice {
            target_bytes: Some(GIB * factor),
            size_factor: Some(factor),
            extra_rw_bytes: Some(extra),
            ..PgaAdvice::default()
        });
    }
}

fn planned(hours: &[Hour], reports: &[Report], tier: &Tier) -> Plan {
    let mut planner = Planner::default();
    for report in reports {
        planner.add(Reduced::of(report));
    }
    let options = PlaceOptions { sizes: vec![("temp".into(), 8e9)], ..PlaceOptions::default() };
    planner.plan(std::slice::from_ref(tier), &[sizes(hours)], &options).unwrap()
}

fn alternative<'p>(plan: &'p Plan, name: &str) -> &'p Alternative {
    plan.alternatives.iter().find(|a| a.name.contains(name)).unwrap()
}

fn advised(instances: u32, temp: (f64, f64), extra_bytes: f64) -> Plan {
    let hours: Vec<Hour> = (1..=instances).map(|n| hour(n, temp)).collect();
    let mut reports: Vec<Report> = hours.iter().map(report).collect();
    reports.iter_mut().for_each(|r| advise(r, extra_bytes));
    planned(&hours, &reports, &tier(100.0 * GIB, 200.0))
}

#[test]
fn memory_for_four_instances_was_priced_for_one() {
    let (one, four) = (advised(1, (10_000.0, 500.0), 1e12), advised(4, (10_000.0, 500.0), 1e12));
    let of = |plan: &Plan, name: &str| {
        let a = alternative(plan, name);
        (a.cost.clone(), a.saves_s.unwrap().mid)
    };
    for (name, single, all) in [
        (
            "more PGA",
            "7 GiB of memory more, 8 GiB in all",
            "28 GiB of memory more, 32 GiB in all: 7 GiB more on each of 4 instances",
        ),
        (
            "more buffer cache",
            "12 GiB of memory more, 24 GiB in all",
            "48 GiB of memory more, 96 GiB in all: 12 GiB more on each of 4 instances",
        ),
    ] {
        let ((cost, saves), (cost_of_all, saves_of_all)) = (of(&one, name), of(&four, name));
        assert_eq!((cost.as_str(), cost_of_all.as_str()), (single, all));
        assert!((saves_of_all - 4.0 * saves).abs() < 1e-6 * saves, "{name}: {saves} and {saves_of_all}");
    }
}

/// One instance over two hours takes its memory once.
#[test]
fn hours_of_one_instance_share_their_memory() {
    let hours = [hour(1, (10_000.0, 500.0)), Hour { number: 1, ..hour(1, (10_000.0, 500.0)) }];
    let mut reports: Vec<Report> = hours.iter().map(report).collect();
    reports.iter_mut().for_each(|r| advise(r, 1e12));
    let plan = planned(&hours, &reports, &tier(100.0 * GIB, 200.0));
    let pga = alternative(&plan, "more PGA");
    assert_eq!(pga.cost, "7 GiB of memory more, 8 GiB in all");
    assert!((pga.saves_s.unwrap().mid - 1_000.0).abs() < 1.0, "{pga:?}");
}

#[test]
fn an_advice_that_does_not_see_the_spills_promised_all_of_them() {
    // 31 blocks a wait, both ways: half a terabyte.
    let spills = (1_000_000.0, 2_000.0);
    let seen = advised(1, spills, 1e12);
    assert!(alternative(&seen, "more PGA").saves_s.unwrap().mid > 1_900.0);
    assert!(seen.alternatives.iter().all(|a| a.name != "more PGA" || a.saves_s.is_some()));
    let unseen = advised(1, spills, 5e8);
    let pga = alternative(&unseen, "more PGA");
    assert_eq!(pga.saves_s, None);
    assert!(pga.because.starts_with("the advice does not cover this load: it counts 477 MiB"), "{pga:?}");
}

#[test]
fn memory_that_saves_more_than_the_plan_was_not_told_in_the_answer() {
    let none = |mut plan: Plan| {
        plan.candidates.clear();
        plan.answer
    };
    let hours = [hour(1, (1_000_000.0, 9_000.0))];
    let mut reports = [report(&hours[0])];
    advise(&mut reports[0], 1e12);
    // A tier too small for temp.
    let answer = none(planned(&hours, &reports, &tier(1.0 * GIB, 200.0)));
    assert!(answer.contains("more PGA instead of fast temp would save more without a tier"), "{answer}");
    assert!(answer.contains("for 7 GiB of memory more"), "{answer}");
    let answer = none(planned(&hours, &reports, &tier(100.0 * GIB, 200.0)));
    assert!(!answer.contains("without a tier"), "{answer}");
}

#[test]
fn alternatives_stand_by_what_they_save() {
    let plan = advised(4, (10_000.0, 500.0), 1e12);
    assert_eq!(plan.alternatives[0].name, "this plan");
    let rest = &plan.alternatives[1..];
    let likely: Vec<f64> = rest.iter().map(|a| a.saves_s.map_or(-1.0, |s| s.mid)).collect();
    assert!(likely[..likely.len() - 1].is_sorted_by(|a, b| a >= b), "{likely:?}");
    assert_eq!(rest.last().unwrap().name, "nothing");
}

/// The answer went by likely seconds a byte, the script by kind.
#[test]
fn the_answer_and_the_script_named_two_orders() {
    let mut hour = hour(1, (100_000.0, 3_000.0));
    for (n, is_index) in [(1, true), (2, false), (3, true)] {
        hour.segments.push(Segment {
            name: format!("S{n}"),
            is_index,
            reads: 100_000.0 * f64::from(n),
            bytes: 9e9 / f64::from(n),
            ..hour.segments[0].clone()
        });
    }
    let plan = planned(std::slice::from_ref(&hour), &[report(&hour)], &tier(1e12, 200.0));
    assert!(plan.chosen.len() >= 4, "{:?}", plan.chosen);
    let script = script(&plan, &[&sizes(std::slice::from_ref(&hour))], &ScriptRequest::default()).forward;
    let steps: Vec<&str> = script
        .lines()
        .filter_map(|l| l.strip_prefix("prompt [")?.split_once("] "))
        .filter(|(number, _)| number.contains('/'))
        .filter_map(|(_, title)| title.rsplit_once(" (").map(|(name, _)| name))
        .collect();
    assert_eq!(steps, plan.chosen);
    assert!(plan.answer.contains(&format!("Begin with {}", plan.chosen[..3].join(", "))), "{}", plan.answer);
}

/// A hit was only what is read twice within the hour, though a cache that is filled holds everything.
#[test]
fn a_cache_larger_than_the_data_was_likely_to_save_nothing() {
    let hours = [hour(1, (0.0, 0.0))];
    let of = |gib: f64| {
        let plan = planned(&hours, &[report(&hours[0])], &tier(gib * GIB, 200.0));
        let cache = alternative(&plan, "flash cache").clone();
        (cache.saves_s.unwrap(), cache.because)
    };
    let (whole, because) = of(200.0);
    assert_eq!(whole.low, 0.0, "a cache that begins empty");
    assert!(whole.mid > 0.8 * whole.high && whole.mid > 1_500.0, "{whole:?}");
    assert!(because.contains("it holds all of the 64 GiB"), "{because}");
    let (half, because) = of(32.0);
    assert!((half.mid - 0.5 * whole.mid).abs() < 1.0, "{half:?}");
    assert!(because.contains("it holds 50 % of the 64 GiB"), "{because}");
}

/// The plan took the factor, rounded to a tenth; the diagnosis the reads.
#[test]
fn one_advice_on_the_cache_saved_two_figures() {
    let hours = [hour(1, (0.0, 0.0))];
    let mut made = report(&hours[0]);
    advise(&mut made, 0.0);
    let plan = planned(&hours, &[made.clone()], &tier(100.0 * GIB, 200.0));
    let saves = alternative(&plan, "more buffer cache").saves_s.unwrap().mid;
    assert!((saves - 400.0).abs() < 1.0, "a fifth of 2,000 s: {saves}");
    let Some(folder) = corpus() else {
        skipped("one_advice_on_the_cache_saved_two_figures");
        return;
    };
    let mut compared = 0;
    for report in read(&folder.join("awr-html/12.2.0.1.0__Linux__Azure__AWR_DBT.html")) {
        // Waits and CPU are printed as more than DB time: the plan speaks of what counts, which it says.
        let diagnosis = spindle_diagnosis::diagnose(&report, &spindle_diagnosis::Options::default());
        let events = diagnosis.response_time.foreground.classes.iter().flat_map(|c| &c.events);
        let into_the_cache = ["cell single block physical read", "cell multiblock", "cell list of blocks"];
        let reads = events.filter(|e| into_the_cache.iter().any(|name| e.event.starts_with(name)));
        let counted: f64 = reads.map(|e| e.counted_s).sum();
        let mut planner = Planner::default();
        planner.add(Reduced::of(&report));
        let plan = planner.plan(&[tier(1e12, 200.0)], &[], &PlaceOptions::default()).unwrap();
        let cache = alternative(&plan, "more buffer cache");
        let share = cache.saves_s.unwrap().mid / counted;
        // 57 % of the reads into the cache by the last size of the advice.
        assert!((0.56..0.58).contains(&share), "{share}: {}, {}", cache.cost, cache.because);
        assert!(cache.because.contains("91 % of the seconds as printed"), "{}", cache.because);
        compared += 1;
    }
    assert_eq!(compared, 1);
}

#[test]
fn an_advice_that_falls_in_its_last_row_was_promised_without_a_doubt() {
    let hours = [hour(1, (0.0, 0.0))];
    let mut made = report(&hours[0]);
    advise(&mut made, 0.0);
    let row = |factor: f64, reads: f64| DbCacheAdvice {
        pool: Some("D".into()),
        size_bytes: Some(12.0 * GIB * factor),
        size_factor: Some(factor),
        read_factor: Some(reads),
        estimated_reads: Some(500_000.0 * reads),
        ..DbCacheAdvice::default()
    };
    made.tables.db_cache_advice = vec![row(1.0, 1.0), row(1.8, 0.95), row(2.0, 0.3)];
    let plan = planned(&hours, &[made], &tier(GIB, 1_900.0));
    let cache = alternative(&plan, "more buffer cache");
    let saves = cache.saves_s.unwrap();
    // Half of what the row before the last expects, at least.
    assert!((saves.low - 0.5 * 0.05 * 2_000.0).abs() < 1.0 && saves.mid > 1_300.0, "{saves:?}");
    assert!(plan.answer.contains("doubt it"), "{}", plan.answer);
}

#[test]
fn a_flash_cache_without_gain_had_a_range_that_denied_it() {
    let plan_of = |read_us: f64| {
        let hours = [hour(1, (0.0, 0.0))];
        let reports: Vec<Report> = hours.iter().map(report).collect();
        planned(&hours, &reports, &tier(100.0 * GIB, read_us))
    };
    // Reads take 5 ms today.
    for (read_us, word) in [(5_100.0, "no gain:"), (4_000.0, "no gain likely, and at most ")] {
        let plan = plan_of(read_us);
        let cache = alternative(&plan, "flash cache");
        assert!(cache.because.starts_with(word), "{}", cache.because);
        assert_eq!(cache.saves_s.unwrap().high > 0.0, word.contains("at most"), "{cache:?}");
    }
}

fn read(path: &std::path::Path) -> Vec<Report> {
    spindle_evidence::read(&path.display().to_string(), &fs::read(path).unwrap()).reports
}

fn corpus_plan(path: &str, given: &[(&str, f64)]) -> Option<Plan> {
    let folder = corpus()?;
    let mut planner = Planner::default();
    for report in read(&folder.join(path)) {
        planner.add(Reduced::of(&report));
    }
    let options = PlaceOptions {
        sizes: given.iter().map(|(name, gib)| ((*name).to_owned(), gib * GIB)).collect(),
        ..PlaceOptions::default()
    };
    Some(planner.plan(&[tier(200.0 * GIB, 300.0)], &[], &options).unwrap())
}

#[test]
fn real_spills_beyond_the_advice_are_not_known() {
    let file = "awr-html/11.1.0.7.0__Linux__structureddata__awrrpt_1_910_911.html";
    let Some(plan) = corpus_plan(file, &[("temp", 50.0)]) else {
        skipped("real_spills_beyond_the_advice_are_not_known");
        return;
    };
    let pga = alternative(&plan, "more PGA");
    assert_eq!(pga.saves_s, None, "{pga:?}");
    assert!(pga.because.contains("does not cover this load") && pga.because.contains("506 MiB"), "{pga:?}");
}

#[test]
fn a_real_cache_larger_than_its_data_is_likely_warm() {
    let given = [("SOE", 60.0), ("CUSTOMERS", 10.0), ("CUSTOMERS_PK", 2.0), ("ORD_CUSTOMER_IX", 2.0)];
    let Some(plan) = corpus_plan("awr-text/11.2.0.3.0__Linux__Apress__awr_1930_1945.txt", &given) else {
        skipped("a_real_cache_larger_than_its_data_is_likely_warm");
        return;
    };
    let saves = alternative(&plan, "flash cache").saves_s.unwrap();
    assert!(saves.low == 0.0 && saves.mid > 0.9 * saves.high, "{saves:?}");
}

#[test]
fn the_largest_saving_was_not_the_one_that_the_answer_named() {
    let Some(plan) = corpus_plan("awr-rac/11.2.0.3.0__Linux__therealkevinc__awr_rac.html", &[]) else {
        skipped("the_largest_saving_was_not_the_one_that_the_answer_named");
        return;
    };
    let saves = |c: &spindle_planning::Candidate| c.saves_s.map_or(0.0, |s| s.mid);
    let largest = plan.candidates.iter().max_by(|a, b| saves(a).total_cmp(&saves(b))).unwrap();
    assert!(plan.answer.contains(&format!("Most would be saved by {}", largest.object)), "{}", plan.answer);
    // Room in the log buffer follows slow log writes, so redo leads by far.
    assert_eq!(largest.object, "redo logs");
    assert!(100.0 * saves(largest) > 25.0 * plan.db_time_s.now, "{largest:?}");
}

#[test]
fn a_derived_db_time_was_taken_for_a_printed_one() {
    let Some(plan) = corpus_plan("statspack/9.0.1.0.0__unk__IzzySoft__sprep.html", &[]) else {
        skipped("a_derived_db_time_was_taken_for_a_printed_one");
        return;
    };
    let said = "DB time is not printed in the report: CPU and foreground waits stand for it.";
    assert!(plan.answer.contains(said), "{}", plan.answer);
    let hours = [hour(1, (0.0, 0.0))];
    let printed = planned(&hours, &[report(&hours[0])], &tier(1e12, 200.0));
    assert!(!printed.answer.contains("not printed") && printed.measured.db_time_from.is_none());
}

/// All its blocks could have come by direct reads, though its tablespace reads block by block.
#[test]
fn an_index_that_is_read_block_by_block_could_have_saved_nothing() {
    let low = |blocks_per_read: f64| {
        let mut hour = hour(1, (0.0, 0.0));
        hour.direct = (50_000.0, 500.0);
        hour.segments[0].direct_share = Some(0.9);
        hour.segments[0].request_share = None;
        hour.segments.push(Segment {
            name: "ORDERS_PK".into(),
            is_index: true,
            tablespace: 1,
            reads: 100_000.0,
            request_share: None,
            direct_share: None,
            bytes: 8.0 * GIB,
        });
        let mut report = report(&hour);
        let direct = |s: &&mut InstanceStat| s.statistic == "physical reads direct";
        report.tables.instance_stat.iter_mut().find(direct).unwrap().total = Some(800_000.0);
        let space = report.tables.tablespace_io.iter_mut().find(|t| t.tablespace == "DATA1").unwrap();
        (space.reads, space.blocks_per_read) = (Some(110_000.0), Some(blocks_per_read));
        let plan = planned(&[hour], &[report], &tier(1e12, 200.0));
        let index = plan.candidates.iter().find(|c| c.name == "ORDERS_PK").unwrap();
        let single = |c: &&(spindle_planning::Component, spindle_planning::Range)| {
            c.0 == spindle_planning::Component::SingleBlockRead
        };
        index.waits_by_component.iter().find(single).unwrap().1
    };
    let (scanned, block_by_block) = (low(2.0), low(1.0));
    assert_eq!(scanned.low, 0.0, "{scanned:?}");
    // At most 11,000 blocks by requests for two, of 100,000; and 15 % for another latency.
    assert!(block_by_block.low > 0.7 * block_by_block.mid, "{block_by_block:?}");
    assert!(block_by_block.low <= block_by_block.mid, "{block_by_block:?}");
}

#[test]
fn a_mirror_saved_what_its_tier_cannot_answer() {
    let hours = [hour(1, (0.0, 0.0))];
    let reports = [report(&hours[0])];
    let free = tier(100.0 * GIB, 200.0);
    // 111 reads a second on a tier that does 100.
    let capped = Tier { iops_cap: Some(100.0), ..free.clone() };
    let mirror = |tier: &Tier| alternative(&planned(&hours, &reports, tier), "mirror").clone();
    assert!(mirror(&free).saves_s.unwrap().mid > 1_800.0);
    let over = mirror(&capped);
    let saves = over.saves_s.unwrap();
    // 400,000 reads at 100 a second take 4,000 s, and sessions waited for them 2,000 s.
    assert!(saves.low == f64::NEG_INFINITY && (saves.high + 2_000.0).abs() < 1.0, "{over:?}");
    assert!(over.because.contains("111 %") && over.because.contains("100 IOPS"), "{over:?}");
    // The tier that does twice as much as is asked is not slowed down.
    let wide = Tier { iops_cap: Some(250.0), ..free.clone() };
    assert_eq!(mirror(&wide).saves_s, mirror(&free).saves_s);
}

#[test]
fn the_frontier_of_two_tiers_left_out_what_the_other_saves() {
    let mut first = hour(1, (0.0, 0.0));
    first.segments.push(Segment { name: "ITEMS".into(), bytes: 16.0 * GIB, ..first.segments[0].clone() });
    first.single = (800_000.0, 4_000.0);
    let report = report(&first);
    let tiers = [
        Tier { name: "small".into(), ..tier(20.0 * GIB, 200.0) },
        Tier { name: "large".into(), ..tier(70.0 * GIB, 1_000.0) },
    ];
    let mut planner = Planner::default();
    planner.add(Reduced::of(&report));
    let plan = planner.plan(&tiers, &[sizes(&[first])], &PlaceOptions::default()).unwrap();
    let used: Vec<&str> = plan.candidates.iter().filter_map(|c| c.tier.as_deref()).collect();
    assert!(used.contains(&"small") && used.contains(&"large"), "{used:?}");
    let none = plan.frontier.first().unwrap();
    assert!(none.capacity_bytes == 0.0 && none.saves_s.mid > 1_000.0, "{none:?}");
    let own = plan.frontier.iter().rfind(|p| p.capacity_bytes <= tiers[0].capacity_bytes).unwrap();
    assert!((own.saves_s.mid - plan.saves_s.mid).abs() < 1e-6, "{own:?} of {:?}", plan.saves_s);
}

#[test]
fn a_tier_called_memory_took_tables_without_a_word() {
    let hours = [hour(1, (0.0, 0.0))];
    let reports = [report(&hours[0])];
    let ram = Tier { name: "ram".into(), ..tier(100.0 * GIB, 20.0) };
    let plan = planned(&hours, &reports, &ram);
    assert!(!plan.chosen.is_empty());
    assert!(plan.warnings.iter().any(|w| w.contains("ram=CAPACITY@ram")), "{:?}", plan.warnings);
}

#[test]
fn temp_of_a_cluster_went_to_the_memory_of_one_node() {
    let temp = (200_000.0, 2_000.0);
    let hours = [hour(1, temp), hour(2, temp)];
    let mut reports: Vec<Report> = hours.iter().map(report).collect();
    for report in &mut reports {
        let spaces = &mut report.tables.tablespace_io;
        spaces.push(TablespaceIo { tablespace: "TEMP".into(), ..spaces[0].clone() });
    }
    let ram = Tier { name: "mem".into(), profile: Some("ram".into()), ..tier(100.0 * GIB, 20.0) };
    let plan = planned(&hours, &reports, &ram);
    assert_eq!(plan.chosen, ["temp"]);
    assert!(plan.warnings.iter().any(|w| w.contains("2 instances")), "{:?}", plan.warnings);
    let request = |place: &str| ScriptRequest {
        destinations: vec![("mem".into(), place.into())],
        ..ScriptRequest::default()
    };
    let text = |place: &str| script(&plan, &[], &request(place)).forward.replace("\n--", "");
    assert!(text("/ramdisk").contains("every node"), "{}", text("/ramdisk"));
    assert!(!text("+RAM").contains("every node"));
}

/// Averages by wait class alone (AWR-miner): what waits for storage was said to be known to nobody.
#[test]
fn waits_by_class_alone_bound_what_any_storage_saves() {
    let hours = [hour(1, (0.0, 0.0))];
    let mut report = report(&hours[0]);
    report.tables.wait_event.clear();
    let class = |wait_class: &str, side, time_s| WaitClassRow {
        line: 7,
        section: 0,
        instance_number: None,
        wait_class: wait_class.to_owned(),
        side,
        waits: None,
        time_s: Some(time_s),
        time_s_low: Some(time_s - 18.0),
        time_s_high: Some(time_s + 18.0),
        avg_wait_us: None,
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        share_pct: None,
    };
    report.tables.wait_class = vec![
        class("DB CPU", Side::All, 1_000.0),
        class("User I/O", Side::All, 802.0),
        class("User I/O", Side::Background, 5_000.0),
        class("Commit", Side::All, 24.0),
    ];
    let bounded = planned(&hours, std::slice::from_ref(&report), &tier(100.0 * GIB, 200.0));
    assert_eq!(bounded.measured.class_waits_s, Some([820.0, 42.0]));
    assert!(
        bounded.answer.contains("at most 820 s (26 %) for User I/O and 42 s (1.3 %)"),
        "{}",
        bounded.answer
    );
    assert!(alternative(&bounded, "mirror").because.contains("at most the 820 s of User I/O"));
    // A class that is not printed bounds nothing.
    report.tables.wait_class.retain(|r| r.wait_class != "Commit");
    let unknown = planned(&hours, &[report], &tier(100.0 * GIB, 200.0));
    assert_eq!(unknown.measured.class_waits_s, None);
    assert!(unknown.answer.contains("nobody knows"), "{}", unknown.answer);
}

/// More CPU than DB time: "commits wait 0 s" without a word of the waits that were left out.
#[test]
fn waits_that_do_not_fit_into_db_time_are_told() {
    let hours = [hour(1, (0.0, 0.0))];
    let mut report = report(&hours[0]);
    for row in report.tables.time_model.iter_mut().filter(|r| r.statistic == "DB CPU") {
        (row.time_s, row.time_s_low, row.time_s_high) = (Some(3.6e3), Some(3.6e3), Some(3.6e3));
    }
    let cut = planned(&hours, &[report], &tier(100.0 * GIB, 200.0));
    let told = |plan: &Plan| plan.warnings.iter().any(|w| w.contains("2,000 s of its waits are left out"));
    assert!(told(&cut), "{:?}", cut.warnings);
    assert!(!told(&advised(1, (0.0, 0.0), 0.0)));
}

fn class_row(wait_class: &str, side: Side, time_s: f64) -> WaitClassRow {
    WaitClassRow {
        line: 7,
        section: 0,
        instance_number: None,
        wait_class: wait_class.to_owned(),
        side,
        waits: None,
        time_s: Some(time_s),
        time_s_low: Some(time_s - 0.5),
        time_s_high: Some(time_s + 0.5),
        avg_wait_us: None,
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        share_pct: None,
    }
}

fn adds_up(plan: &Plan) {
    let parts: f64 = plan.response_time.iter().map(|p| p.now_s).sum();
    assert!((parts - plan.db_time_s.now).abs() < 1.0, "{parts}: {:?}", plan.response_time);
}

/// Background events alone beside wait classes: "all reads together would save 0 s".
#[test]
fn waits_without_events_of_sessions_were_taken_for_none() {
    let hours = [hour(1, (0.0, 0.0))];
    let mut report = report(&hours[0]);
    for row in &mut report.tables.wait_event {
        row.side = Side::Background;
    }
    report.tables.wait_class =
        vec![class_row("User I/O", Side::Foreground, 2_000.0), class_row("Commit", Side::Foreground, 30.0)];
    let plan = planned(&hours, &[report], &tier(100.0 * GIB, 200.0));
    assert!(plan.lacks_waits() && plan.chosen.is_empty(), "{}", plan.answer);
    assert!(
        plan.answer.contains("cannot be told") && plan.answer.contains("for User I/O"),
        "{}",
        plan.answer
    );
    assert!(plan.alternatives.iter().filter(|a| a.name.contains("mirror")).all(|a| a.saves_s.is_none()));
    assert!(!plan.warnings.iter().any(|w| w.contains("sessions waited")), "{:?}", plan.warnings);
    assert!(plan.response_time.iter().any(|p| p.part.starts_with("User I/O")), "{:?}", plan.response_time);
    adds_up(&plan);
}

/// Only the event that leads is lost: what is left looked like all there is.
#[test]
fn a_leading_event_that_was_not_read_was_taken_for_no_waits() {
    let hours = [hour(1, (10_000.0, 50.0))];
    let mut report = report(&hours[0]);
    report.tables.wait_event.retain(|e| e.event != "db file sequential read");
    report.tables.wait_class = vec![class_row("User I/O", Side::Foreground, 2_050.0)];
    let plan = planned(&hours, &[report], &tier(100.0 * GIB, 200.0));
    assert!(plan.lacks_waits(), "{}", plan.answer);
    assert!(plan.answer.contains("No event was read of 2,000 s"), "{}", plan.answer);
    adds_up(&plan);
    let whole = advised(1, (10_000.0, 50.0), 0.0);
    assert!(!whole.lacks_waits() && whole.measured.unread_s == [0.0; 2]);
}
