//! Inputs that were misread: names of two things, partitions, what the cache holds, caps of tiers.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "other tests use the rest")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{
    CachedObject, Collected, CollectedFile, CollectedIndex, CollectedSegment, CollectedTable, PlanRow,
    Report, SegmentStat, SqlStat, TablespaceIo,
};
use spindle_planning::{Candidate, PlaceOptions, Plan, Planner, Reduced, ScriptRequest, Tier, script};

const GB: f64 = 1e9;

fn hour() -> Hour {
    Hour {
        number: 0,
        instance: 1,
        cpu_s: 1_000.0,
        single: (300_000.0, 3_000.0),
        multi: (50_000.0, 800.0),
        direct: (10_000.0, 200.0),
        temp: (0.0, 0.0),
        segments: vec![Segment {
            name: "ORDERS".into(),
            is_index: false,
            tablespace: 0,
            reads: 400_000.0,
            request_share: None,
            direct_share: None,
            bytes: GB,
        }],
    }
}

fn stat(object: &str, kind: &str, part: Option<&str>, reads: f64) -> SegmentStat {
    SegmentStat {
        ranked_by: "physical_reads",
        owner: Some("APP".into()),
        tablespace: Some("DATA0".into()),
        object: Some(object.into()),
        subobject: part.map(Into::into),
        object_type: Some(kind.into()),
        value: Some(reads),
        ..SegmentStat::default()
    }
}

fn segment(object: &str, kind: &str, part: Option<&str>, bytes: f64) -> CollectedSegment {
    CollectedSegment {
        line: 1,
        owner: Some("APP".into()),
        segment: object.into(),
        partition: part.map(str::to_owned),
        segment_type: Some(kind.into()),
        tablespace: Some("DATA0".into()),
        bytes: Some(bytes),
        ..CollectedSegment::default()
    }
}

fn plan(reports: &[Report], collected: &[Collected], tiers: &[Tier], options: &PlaceOptions) -> Plan {
    let mut planner = Planner::default();
    reports.iter().for_each(|r| planner.add(Reduced::of(r)));
    planner.plan(tiers, collected, options).unwrap()
}

fn refusal(options: PlaceOptions) -> String {
    let mut planner = Planner::default();
    planner.add(Reduced::of(&report(&hour())));
    let other = Tier { name: "other".into(), ..tier(1e12, 300.0) };
    planner.plan(&[tier(1e12, 200.0), other], &[sizes(&[hour()])], &options).unwrap_err().0
}

fn object<'p>(plan: &'p Plan, name: &str) -> &'p Candidate {
    let names: Vec<&str> = plan.candidates.iter().map(|c| c.object.as_str()).collect();
    plan.candidates.iter().find(|c| c.object == name).unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

#[test]
fn a_table_and_an_index_of_one_name_were_one_candidate() {
    let mut report = report(&hour());
    report.tables.segment_stat.push(stat("ORDERS", "INDEX", None, 90_000.0));
    let mut lists = sizes(&[hour()]);
    lists.segments.push(segment("ORDERS", "INDEX", None, 0.2 * GB));
    let plan = plan(&[report], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    let (table, index) = (object(&plan, "APP.ORDERS (table)"), object(&plan, "APP.ORDERS (index)"));
    assert_eq!((table.size_bytes, table.read_blocks), (Some(GB), Some(400_000.0)));
    assert_eq!((index.size_bytes, index.read_blocks), (Some(0.2 * GB), Some(90_000.0)));
}

#[test]
fn one_row_of_no_kind_was_the_size_of_a_table_and_of_an_index() {
    let mut report = report(&hour());
    report.tables.segment_stat.push(stat("ORDERS", "INDEX", None, 90_000.0));
    let mut lists = sizes(&[hour()]);
    lists.segments[0].segment_type = None;
    let plan = plan(&[report], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    for name in ["APP.ORDERS (table)", "APP.ORDERS (index)"] {
        let candidate = object(&plan, name);
        assert_eq!(candidate.size_bytes, None);
        assert!(candidate.excluded_because.as_ref().unwrap().contains("SEGMENT_TYPE"), "{candidate:?}");
    }
}

#[test]
fn a_sum_of_sizes_left_out_those_that_are_unknown() {
    let file = |name: &str, bytes: Option<f64>| CollectedFile {
        file: name.into(),
        tablespace: "DATA0".into(),
        bytes,
        ..CollectedFile::default()
    };
    let mut whole = report(&hour());
    whole.tables.segment_stat.clear();
    let size = |second: Option<f64>| {
        let files = vec![file("/a", Some(GB)), file("/b", second)];
        let lists = Collected { source: "files".into(), files, ..Collected::default() };
        let plan = plan(&[whole.clone()], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
        object(&plan, "tablespace DATA0").size_bytes
    };
    assert_eq!(size(Some(2.0 * GB)), Some(3.0 * GB));
    assert_eq!(size(None), None);
}

#[test]
fn five_minutes_inside_took_the_place_of_an_hour() {
    let long = report(&hour());
    let mut short = report(&Hour { single: (10.0, 0.1), ..hour() });
    let id = &mut short.identity;
    (id.source, id.elapsed_s) = ("short".into(), Some(300.0));
    id.begin_time = Some("2024-03-01T00:20:00".into());
    id.end_time = Some("2024-03-01T00:25:00".into());
    let lists = || [sizes(&[hour()])];
    let alone = plan(std::slice::from_ref(&long), &lists(), &[tier(1e12, 200.0)], &PlaceOptions::default());
    let both = plan(&[short, long], &lists(), &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert_eq!((both.measured.intervals, both.saves_s), (1, alone.saves_s));
    assert!(both.measured.left_out.iter().any(|l| l.starts_with("`short`")), "{:?}", both.measured.left_out);
}

#[test]
fn names_in_other_letters_matched_nothing_without_a_word() {
    let mut lists = sizes(&[hour()]);
    lists.segments[0].segment = "Orders".into();
    let plan = plan(&[report(&hour())], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    let why = object(&plan, "APP.ORDERS").excluded_because.clone().unwrap();
    assert!(why.contains("the lists have `Orders` and not `ORDERS`"), "{why}");
}

#[test]
fn a_list_without_owners_gave_a_name_of_two_one_size() {
    let mut lists = sizes(&[hour()]);
    lists.segments[0].owner = None;
    lists.segments.push(CollectedSegment { owner: None, ..segment("ORDERS", "TABLE", None, 7.0 * GB) });
    let plan = plan(&[report(&hour())], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    let orders = object(&plan, "APP.ORDERS");
    assert_eq!(orders.size_bytes, None);
    assert!(orders.excluded_because.as_ref().unwrap().contains("without one size"), "{orders:?}");
}

#[test]
fn pins_that_contradict_each_other_took_the_last() {
    let pin = |tier: &str| ("ORDERS".to_owned(), Some(tier.to_owned()));
    let said = refusal(PlaceOptions { pinned: vec![pin("fast"), pin("other")], ..PlaceOptions::default() });
    assert!(said.contains("`APP.ORDERS` is pinned to `fast` and to `other`"), "{said}");
    let both = PlaceOptions {
        pinned: vec![pin("fast")],
        banned: vec!["app.orders".into()],
        ..PlaceOptions::default()
    };
    assert!(refusal(both).contains("to move and to stay"));
}

#[test]
fn a_ban_of_what_nobody_names_stopped_the_plan() {
    let options = PlaceOptions {
        banned: vec!["NOBODY".into()],
        sizes: vec![("NOTHING".into(), GB)],
        ..PlaceOptions::default()
    };
    let plan = plan(&[report(&hour())], &[sizes(&[hour()])], &[tier(1e12, 200.0)], &options);
    for name in ["`NOBODY` is to stay", "`NOTHING` has a size"] {
        assert!(plan.warnings.iter().any(|w| w.starts_with(name)), "{:?}", plan.warnings);
    }
    assert!(plan.chosen.contains(&"APP.ORDERS".to_owned()));
}

/// A full scan of a table that no section lists.
fn scan(object: &str) -> Vec<PlanRow> {
    let row = |id, operation: &str, options: Option<&str>, object: Option<&str>| PlanRow {
        sql_id: Some("aaaaaaaaaaaaa".into()),
        plan_hash: Some(1),
        executions: Some(1.0),
        id: Some(id),
        parent_id: (id > 0).then_some(0),
        operation: operation.into(),
        options: options.map(str::to_owned),
        object_owner: object.map(|_| "APP".into()),
        object: object.map(str::to_owned),
        ..PlanRow::default()
    };
    vec![row(0, "SELECT STATEMENT", None, None), row(1, "TABLE ACCESS", Some("FULL"), Some(object))]
}

fn scanned(number: usize) -> Report {
    let mut report = report(&Hour { number, ..hour() });
    report.tables.sql_stat.push(SqlStat {
        ranked_by: "physical_reads",
        sql_id: Some("aaaaaaaaaaaaa".into()),
        physical_reads: Some(100_000.0),
        elapsed_s: Some(300.0),
        io_wait_s: Some(200.0),
        ..SqlStat::default()
    });
    report
}

fn big(parts: &[(Option<&str>, f64)]) -> Collected {
    let mut lists = sizes(&[hour()]);
    lists.segments.extend(parts.iter().map(|(part, bytes)| segment("BIG", "TABLE PARTITION", *part, *bytes)));
    lists.plan_rows = scan("BIG");
    lists
}

#[test]
fn a_partitioned_table_moved_as_a_whole() {
    let lists = big(&[(Some("P1"), 5.0 * GB), (Some("P2"), 6.0 * GB), (Some("P3"), 7.0 * GB)]);
    let plan =
        plan(&[scanned(0)], std::slice::from_ref(&lists), &[tier(1e12, 200.0)], &PlaceOptions::default());
    let big = object(&plan, "APP.BIG");
    assert_eq!(big.size_bytes, Some(18.0 * GB));
    assert_eq!(big.partitions, ["P1", "P2", "P3"]);
    assert!(big.tier.is_some(), "{big:?}");
    let text = script(&plan, &[&lists], &ScriptRequest::default()).forward;
    for part in ["P1", "P2", "P3"] {
        assert!(text.contains(&format!("c_part   constant varchar2(128) := '{part}'")), "{text}");
    }
    let whole = text.matches("c_name   constant varchar2(128) := 'BIG'").count();
    assert_eq!(whole, 3, "steps for BIG are its three partitions");
}

#[test]
fn a_partitioned_table_and_its_partitions_counted_twice() {
    let lists = big(&[(Some("P1"), 5.0 * GB), (Some("P2"), 6.0 * GB), (None, 11.0 * GB)]);
    let mut listed = report(&hour());
    listed.tables.segment_stat.push(stat("BIG", "TABLE", Some("P1"), 90_000.0));
    let plan = plan(&[listed, scanned(1)], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert_eq!(object(&plan, "APP.BIG.P1").size_bytes, Some(5.0 * GB));
    let others = object(&plan, "other partitions of APP.BIG");
    assert_eq!((others.size_bytes, others.partitions.as_slice()), (Some(6.0 * GB), &["P2".to_owned()][..]));
}

#[test]
fn partitions_without_names_are_asked_for() {
    let lists = big(&[(None, 5.0 * GB), (None, 5.0 * GB)]);
    let plan = plan(&[scanned(0)], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    let big = object(&plan, "APP.BIG");
    assert!(big.tier.is_none() && big.size_bytes.is_none());
    assert!(big.excluded_because.as_ref().unwrap().contains("PARTITION_NAME"), "{big:?}");
}

#[test]
fn what_a_chosen_tablespace_takes_along_would_save_beside_it() {
    let mut report = report(&hour());
    report.tables.segment_stat.push(stat("UNSIZED", "TABLE", None, 90_000.0));
    let mut lists = sizes(&[hour()]);
    lists.files.push(CollectedFile {
        tablespace: "DATA0".into(),
        file: "data0.dbf".into(),
        bytes: Some(6.0 * GB),
        ..CollectedFile::default()
    });
    let plan = plan(&[report], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    let unsized_one = object(&plan, "APP.UNSIZED");
    assert!(plan.chosen.contains(&"rest of tablespace DATA0".to_owned()), "{:?}", plan.chosen);
    assert!(unsized_one.why.contains("moves along"), "{}", unsized_one.why);
    assert_eq!(unsized_one.saves_s, None);
    assert!(!plan.answer.contains("could not be considered"), "{}", plan.answer);
}

#[test]
fn the_range_of_the_only_object_was_not_the_plans() {
    let mut hour = hour();
    hour.multi = (0.0, 0.0);
    let plan = plan(&[report(&hour)], &[sizes(&[hour])], &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert_eq!(plan.chosen, ["APP.ORDERS"]);
    let own = object(&plan, "APP.ORDERS").saves_s.unwrap();
    for (a, b) in [(own.low, plan.saves_s.low), (own.mid, plan.saves_s.mid), (own.high, plan.saves_s.high)] {
        assert!((a - b).abs() < 1e-6, "{own:?} {:?}", plan.saves_s);
    }
}

#[test]
fn what_the_cache_was_seen_to_hold_was_not_looked_at() {
    // 400,000 blocks are 3.3 GB: read less than once where it holds 4 GB, three times where it holds 1 GB.
    let placed = |bytes: f64, held: f64| {
        let mut lists = sizes(&[hour()]);
        lists.segments[0].bytes = Some(bytes);
        let look = |instance_number, share: f64| CachedObject {
            instance_number: Some(instance_number),
            owner: Some("APP".into()),
            object: "ORDERS".into(),
            object_type: Some("TABLE".into()),
            buffers: Some((share * bytes / 8192.0).ceil()),
            ..CachedObject::default()
        };
        // Another instance holds the same blocks: no sum.
        lists.cached = vec![look(1, held), look(2, 0.5 * held)];
        plan(&[report(&hour())], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default())
    };
    let held = placed(4.0 * GB, 0.95);
    let why = object(&held, "APP.ORDERS").excluded_because.clone().unwrap_or_default();
    assert!(why.contains("V$BH") && why.contains("KEEP pool (db_keep_cache_size at least 4"), "{why}");
    assert!(object(&placed(4.0 * GB, 0.7), "APP.ORDERS").tier.is_some(), "0.7 + 0.35 is no 105 %");
    assert!(object(&placed(GB, 1.0), "APP.ORDERS").tier.is_some(), "re-read, whatever was held");
}

#[test]
fn a_cap_below_the_load_only_warned() {
    let capped = |iops_cap: Option<f64>, pinned: bool| {
        let tiers = [Tier { iops_cap, ..tier(1e12, 200.0) }];
        let pinned = if pinned { vec![("ORDERS".to_owned(), None)] } else { Vec::new() };
        let options = PlaceOptions { pinned, ..PlaceOptions::default() };
        plan(&[report(&hour())], &[sizes(&[hour()])], &tiers, &options)
    };
    let free = capped(None, false);
    let load = object(&free, "APP.ORDERS").read_requests.unwrap() / 3600.0;
    assert!(load > 50.0, "{load}");
    // Far above the load nothing changes; below it the object stays, or, pinned, saves nothing likely.
    assert_eq!(capped(Some(10.0 * load), false).saves_s, free.saves_s);
    let stays = capped(Some(load), false);
    assert!(object(&stays, "APP.ORDERS").tier.is_none());
    assert!(stays.warnings.iter().any(|w| w.contains("IOPS")), "{:?}", stays.warnings);
    let over = capped(Some(0.8 * load), true);
    assert_eq!((over.saves_s.low, over.saves_s.mid), (0.0, 0.0));
    assert!(over.saves_s.high < free.saves_s.high);
    assert!(over.warnings.iter().any(|w| w.contains("cannot keep up")), "{:?}", over.warnings);
    let queued = capped(Some(load / 0.55), true);
    assert!(queued.saves_s.mid < free.saves_s.mid && queued.saves_s.low < free.saves_s.low);
    assert!(queued.saves_s.mid > 0.0);
    // Neither the frontier nor more capacity promises what the cap does not let through.
    let most = |plan: &Plan| plan.frontier.iter().map(|p| p.saves_s.mid).fold(0.0, f64::max);
    assert!(most(&free) > 0.0);
    assert_eq!((most(&stays), stays.next_100_gb.as_ref().unwrap().saves_s.mid), (0.0, 0.0));
    assert!((most(&queued) - queued.saves_s.mid).abs() < 1e-6 * queued.saves_s.mid);
}

/// A second object of many blocks, beside a ranking of requests whose last value is 20,000.
fn ranked_by_requests(blocks: f64) -> Report {
    let mut report = report(&hour());
    let requests =
        |object, n| SegmentStat { ranked_by: "physical_read_requests", ..stat(object, "TABLE", None, n) };
    report.tables.segment_stat.push(stat("BIG", "TABLE", None, blocks));
    report.tables.segment_stat.extend([requests("ORDERS", 60_000.0), requests("OTHER", 20_000.0)]);
    report.tables.tablespace_io.clear();
    report
}

fn requests_of_big(report: Report) -> (f64, Vec<String>) {
    let plan = plan(&[report], &[], &[tier(1e12, 200.0)], &PlaceOptions::default());
    (object(&plan, "APP.BIG").read_requests.unwrap(), plan.warnings.clone())
}

#[test]
fn an_object_below_the_last_of_a_ranking_by_requests_made_more_of_them() {
    let (requests, warnings) = requests_of_big(ranked_by_requests(350_000.0));
    assert!((2_000.0..=20_000.0).contains(&requests), "{requests}");
    assert!(!warnings.iter().any(|w| w.contains("contradict")), "{warnings:?}");
}

#[test]
fn an_object_made_more_requests_than_its_tablespace() {
    let mut report = ranked_by_requests(350_000.0);
    report.tables.tablespace_io.push(spindle_facts::TablespaceIo {
        tablespace: "DATA0".into(),
        // 60,000 of ORDERS and 20,000 of OTHER are no requests of BIG.
        reads: Some(90_000.0),
        ..Default::default()
    });
    let (requests, _) = requests_of_big(report);
    assert!(requests <= 10_000.0, "{requests}");
}

#[test]
fn rankings_that_contradict_each_other_were_believed_both() {
    // 128 blocks a request at most: 31,250 requests at least, where 20,000 are left.
    let (requests, warnings) = requests_of_big(ranked_by_requests(4_000_000.0));
    assert!(warnings.iter().any(|w| w.contains("`APP.BIG`") && w.contains("contradict")), "{warnings:?}");
    assert!(requests <= 31_251.0, "{requests}");
}

#[test]
fn the_size_of_a_table_listed_by_partition_was_ignored_without_a_word() {
    let mut report = report(&hour());
    report.tables.segment_stat.push(stat("HISTORY", "TABLE", Some("P1"), 90_000.0));
    let sizes = vec![("APP.HISTORY".to_owned(), 60.0 * GB)];
    let options = PlaceOptions { sizes, ..PlaceOptions::default() };
    let plan = plan(&[report], &[], &[tier(1e12, 200.0)], &options);
    let said = |w: &String| w.contains("not used") && w.contains("--size 'APP.HISTORY.P1=");
    assert!(plan.warnings.iter().any(said), "{:?}", plan.warnings);
}

/// Two tables in two tablespaces, each of which made 100,000 single-block requests.
fn two_tables() -> Hour {
    let table = |name: &str, tablespace: usize, bytes: f64| Segment {
        name: name.into(),
        is_index: false,
        tablespace,
        reads: 100_000.0,
        request_share: Some(1.0),
        direct_share: None,
        bytes,
    };
    Hour {
        number: 0,
        instance: 1,
        cpu_s: 500.0,
        single: (200_000.0, 400.0),
        multi: (100.0, 1.0),
        direct: (0.0, 0.0),
        temp: (0.0, 0.0),
        segments: vec![table("NEAR", 0, 5e9), table("FAR", 1, 5e9)],
    }
}

fn placed_on(report: &Report, hour: &Hour, tiers: &[Tier], options: &PlaceOptions) -> Plan {
    let mut planner = Planner::default();
    planner.add(Reduced::of(report));
    planner.plan(tiers, &[sizes(std::slice::from_ref(hour))], options).unwrap()
}

/// Large reads of other processes stand in `Av Rd`; `Av 1-bk Rd` says what a single block took.
#[test]
fn single_block_reads_printed_apart_were_not_used() {
    let hour = two_tables();
    let mut report = report(&hour);
    for (space, us) in report.tables.tablespace_io.iter_mut().zip([1_000.0, 3_000.0]) {
        space.reads = Some(150_000.0);
        space.avg_read_us = Some(9_000.0);
        space.blocks_per_read = Some(20.0);
        space.one_block_reads_per_s = Some(27.8);
        space.one_block_avg_us = Some(us);
    }
    let plan = placed_on(&report, &hour, &[tier(1e12, 200.0)], &PlaceOptions::default());
    let waits = |object: &str| plan.candidates.iter().find(|c| c.object == object).unwrap().waits_s.mid;
    assert!((waits("APP.NEAR") - 100.0).abs() < 5.0, "{}", waits("APP.NEAR"));
    assert!((waits("APP.FAR") - 300.0).abs() < 10.0, "{}", waits("APP.FAR"));
}

/// The tablespace printed hardly any time for reads past the cache, and their table was worth nothing.
#[test]
fn direct_reads_that_no_tablespace_times_were_worth_nothing() {
    let mut hour = two_tables();
    hour.single = (1_000.0, 5.0);
    hour.direct = (50_000.0, 1_500.0);
    hour.segments[0].reads = 5e6;
    hour.segments[0].request_share = Some(0.01);
    hour.segments[0].direct_share = Some(0.999);
    hour.segments[1].reads = 900.0;
    let mut report = report(&hour);
    for space in &mut report.tables.tablespace_io {
        space.avg_read_us = Some(1.0);
    }
    let plan = placed_on(&report, &hour, &[tier(1e12, 200.0)], &PlaceOptions::default());
    let table = plan.candidates.iter().find(|c| c.object == "APP.NEAR").unwrap();
    let saves = table.saves_s.unwrap();
    assert!(table.tier.is_some() && saves.mid > 1_000.0 && saves.high <= 1_501.0, "{saves:?}");
    assert!(plan.warnings.iter().any(|w| w.contains("in no tablespace's time")), "{:?}", plan.warnings);
}

/// It was said of what has a size, and sounded as if said of every tier.
#[test]
fn tablespaces_of_one_name_in_several_containers_had_the_size_of_all() {
    let mut made = report(&Hour { segments: Vec::new(), ..hour() });
    for container in ["PDB1", "PDB2"] {
        made.tables.tablespace_io.push(TablespaceIo {
            tablespace: "USERS".into(),
            container: Some(container.into()),
            reads: Some(100_000.0),
            avg_read_us: Some(10_000.0),
            blocks_per_read: Some(1.2),
            ..TablespaceIo::default()
        });
    }
    let file = |container: &str, id: u64, bytes: f64| CollectedFile {
        container: Some(container.into()),
        tablespace: "USERS".into(),
        file: format!("/data/{container}/users01.dbf"),
        file_id: Some(id),
        bytes: Some(bytes),
        ..CollectedFile::default()
    };
    let files = vec![file("PDB1", 11, GB), file("PDB2", 12, 5.0 * GB), file("PDB3", 13, 7.0 * GB)];
    let mut list = Collected { source: "list".into(), files, ..Collected::default() };
    list.origin.db_id = Some(7);
    let tiers = [tier(1e12, 200.0)];
    let sizes_of =
        |plan: &Plan| ["PDB1", "PDB2"].map(|c| object(plan, &format!("tablespace USERS in {c}")).size_bytes);
    let listed = plan(std::slice::from_ref(&made), &[list], &tiers, &PlaceOptions::default());
    assert_eq!(sizes_of(&listed), [Some(GB), Some(5.0 * GB)]);
    // As the plan names them, with or without the kind.
    let given =
        vec![("tablespace USERS in PDB2".to_owned(), 3.0 * GB), ("users in pdb1".to_owned(), 2.0 * GB)];
    let options = PlaceOptions { sizes: given, ..PlaceOptions::default() };
    assert_eq!(sizes_of(&plan(&[made], &[], &tiers, &options)), [Some(2.0 * GB), Some(3.0 * GB)]);
}

#[test]
fn a_faster_tier_was_said_to_hardly_help_where_sizes_are_missing() {
    let hour = two_tables();
    let report = report(&hour);
    let mut collected = sizes(std::slice::from_ref(&hour));
    collected.segments.clear();
    let sizes = vec![("temp".to_owned(), 1e9), ("APP.NEAR".to_owned(), 5e9)];
    let options = PlaceOptions { sizes, ..PlaceOptions::default() };
    let mut small = report.clone();
    for row in small.tables.segment_stat.iter_mut().filter(|s| s.object.as_deref() == Some("NEAR")) {
        row.value = Some(2_000.0);
    }
    let mut planner = Planner::default();
    planner.add(Reduced::of(&small));
    let plan = planner.plan(&[tier(1e12, 200.0)], &[collected], &options).unwrap();
    assert_eq!(plan.chosen, ["APP.NEAR"]);
    assert!(plan.saves_s.high < 0.02 * plan.db_time_s.now, "{:?}", plan.saves_s);
    assert!(
        !plan.answer.contains("hardly help") && plan.answer.contains("sizes are not known"),
        "{}",
        plan.answer
    );
}

/// What was pinned to a slower tier saved 0, and nobody heard that it loses.
#[test]
fn a_pin_to_a_slower_tier_was_said_to_cost_nothing() {
    let hour = two_tables();
    let options =
        PlaceOptions { pinned: vec![("APP.FAR".into(), Some("fast".into()))], ..PlaceOptions::default() };
    let plan = placed_on(&report(&hour), &hour, &[tier(1e12, 20_000.0)], &options);
    assert_eq!(plan.chosen, ["APP.FAR"]);
    assert!(
        plan.warnings.iter().any(|w| w.contains("APP.FAR") && w.contains("longer")),
        "{:?}",
        plan.warnings
    );
}

/// Its reads came back in the rest of its tablespace, and pushed others out.
#[test]
fn what_was_left_out_as_cached_came_back_in_the_rest_of_its_tablespace() {
    let hour = two_tables();
    let report = report(&hour);
    let with = |held: Option<f64>| {
        let mut collected = sizes(std::slice::from_ref(&hour));
        collected.files.push(CollectedFile {
            tablespace: "DATA1".into(),
            file: "/u01/data1.dbf".into(),
            bytes: Some(9e9),
            ..CollectedFile::default()
        });
        collected.cached.extend(held.map(|buffers| CachedObject {
            owner: Some("APP".into()),
            object: "FAR".into(),
            object_type: Some("TABLE".into()),
            buffers: Some(buffers),
            ..CachedObject::default()
        }));
        let mut planner = Planner::default();
        planner.add(Reduced::of(&report));
        planner.plan(&[tier(1e12, 200.0)], &[collected], &PlaceOptions::default()).unwrap()
    };
    let space = |plan: &Plan| {
        let is = |c: &&Candidate| c.owner.is_none() && c.object.contains("DATA1");
        plan.candidates.iter().find(is).unwrap().saves_s.unwrap().mid
    };
    let (without, held) = (with(None), with(Some(600_000.0)));
    let left_out = held.candidates.iter().find(|c| c.object == "APP.FAR").unwrap();
    assert!(left_out.excluded_because.as_deref().unwrap().contains("the buffer cache held"), "{left_out:?}");
    assert!(space(&held) <= space(&without) + 1e-9, "{} after {}", space(&held), space(&without));
}

fn listed_index(name: &str, kind: &str, table: &str, status: &str) -> CollectedIndex {
    CollectedIndex {
        owner: "APP".into(),
        index: name.into(),
        index_type: Some(kind.into()),
        table_owner: Some("APP".into()),
        table: Some(table.into()),
        status: Some(status.into()),
        ..CollectedIndex::default()
    }
}

#[test]
fn what_its_own_list_says_cannot_move_was_counted() {
    let mut report = report(&hour());
    let mut lists = sizes(&[hour()]);
    for (name, kind) in [
        ("LONGS", "TABLE"),
        ("MEMBER", "TABLE"),
        ("TOP_PK", "INDEX"),
        ("TEXT_IX", "INDEX"),
        ("BROKEN_IX", "INDEX"),
    ] {
        report.tables.segment_stat.push(stat(name, kind, None, 60_000.0));
        lists.segments.push(segment(name, kind, None, 0.2 * GB));
    }
    let table =
        |name: &str| CollectedTable { owner: "APP".into(), table: name.into(), ..CollectedTable::default() };
    lists.tables = vec![
        CollectedTable { has_long: Some(true), ..table("LONGS") },
        CollectedTable { cluster: Some("CLU".into()), ..table("MEMBER") },
        CollectedTable { iot_type: Some("IOT".into()), ..table("CUSTTAB") },
    ];
    lists.indexes = vec![
        listed_index("TOP_PK", "IOT - TOP", "CUSTTAB", "VALID"),
        listed_index("TEXT_IX", "DOMAIN", "ORDERS", "VALID"),
        listed_index("BROKEN_IX", "NORMAL", "ORDERS", "UNUSABLE"),
    ];
    let options = PlaceOptions { banned: vec!["rest of tablespace DATA0".into()], ..PlaceOptions::default() };
    let plan = plan(&[report.clone()], &[lists.clone()], &[tier(1e12, 200.0)], &options);
    for (name, why) in [
        ("APP.LONGS", "LONG column"),
        ("APP.MEMBER", "cluster"),
        ("APP.TEXT_IX", "domain index"),
        ("APP.BROKEN_IX", "unusable"),
    ] {
        let c = object(&plan, name);
        assert!(c.tier.is_none() && c.why.contains(why), "{name}: {}", c.why);
    }
    // Reports name an index-organized table by its index.
    let table = object(&plan, "APP.CUSTTAB (index-organized)");
    assert_eq!((table.tier.as_deref(), table.size_bytes), (Some("fast"), Some(0.2 * GB)));
    let scripts = script(&plan, &[&lists], &ScriptRequest::default());
    assert!(scripts.forward.contains("c_name   constant varchar2(128) := 'CUSTTAB'"), "{}", scripts.forward);
    assert_eq!(scripts.by_hand, None);
    // With its indexes it is as large as its index, which is no table in the lists.
    let together = PlaceOptions { keep_indexes: true, ..options };
    let together = self::plan(&[report], &[lists], &[tier(1e12, 200.0)], &together);
    assert_eq!(object(&together, "APP.CUSTTAB with its indexes").size_bytes, Some(0.2 * GB));
}

#[test]
fn room_was_blamed_for_what_a_cap_keeps_out() {
    let tier = Tier { iops_cap: Some(100.0), ..tier(1e12, 200.0) };
    let plan = plan(&[report(&hour())], &[sizes(&[hour()])], &[tier], &PlaceOptions::default());
    let why = &object(&plan, "APP.ORDERS").why;
    assert!(why.contains("% of its 100 IOPS") && why.contains("its latency would hold"), "{why}");
    assert!(!plan.answer.contains("saves more in that room"), "{}", plan.answer);
}

#[test]
fn of_two_lists_with_two_sizes_the_first_one_given_won() {
    let at = |time: Option<&str>, source: &str, bytes: f64| {
        let mut list = sizes(&[hour()]);
        list.source = source.into();
        list.segments[0].bytes = Some(bytes);
        list.origin.collected_at = time.map(str::to_owned);
        list
    };
    let (old, new) =
        (at(Some("2020-01-01T00:00:00"), "old", 4.0 * GB), at(Some("2021-01-01T00:00:00"), "new", 2.0 * GB));
    for lists in [[old.clone(), new.clone()], [new, old]] {
        let plan = plan(&[report(&hour())], &lists, &[tier(1e12, 200.0)], &PlaceOptions::default());
        assert_eq!(object(&plan, "APP.ORDERS").size_bytes, Some(2.0 * GB));
        assert!(plan.warnings.iter().any(|w| w.contains("newest one counts")), "{:?}", plan.warnings);
    }
    let lists = [at(None, "a", 4.0 * GB), at(None, "b", 2.0 * GB)];
    let plan = plan(&[report(&hour())], &lists, &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert_eq!(object(&plan, "APP.ORDERS").size_bytes, None);
}

#[test]
fn data_files_smaller_than_their_segments_made_a_rest_of_no_bytes() {
    let mut lists = sizes(&[hour()]);
    lists.files.push(CollectedFile {
        tablespace: "DATA0".into(),
        file: "/u01/data0.dbf".into(),
        file_id: Some(4),
        bytes: Some(1e6),
        ..CollectedFile::default()
    });
    let plan = plan(&[report(&hour())], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert_eq!(object(&plan, "rest of tablespace DATA0").size_bytes, None);
    assert!(
        plan.warnings.iter().any(|w| w.contains("less than the segments listed in it")),
        "{:?}",
        plan.warnings
    );
}

#[test]
fn a_list_that_holds_more_than_the_buffer_cache_was_believed() {
    let mut report = report(&hour());
    report.tables.db_cache_advice.push(spindle_facts::DbCacheAdvice {
        pool: Some("D".into()),
        size_bytes: Some(0.5 * GB),
        size_factor: Some(1.0),
        ..Default::default()
    });
    let mut lists = sizes(&[hour()]);
    lists.cached.push(CachedObject {
        owner: Some("APP".into()),
        object: "ORDERS".into(),
        object_type: Some("TABLE".into()),
        buffers: Some(GB / 8192.0),
        ..CachedObject::default()
    });
    let plan = plan(&[report], &[lists], &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert!(plan.measured.buffer_cache_bytes.is_some());
    assert!(plan.warnings.iter().any(|w| w.contains("is not used")), "{:?}", plan.warnings);
}

#[test]
fn a_script_was_written_for_the_release_of_the_reports_and_not_of_the_list() {
    let mut old = report(&hour());
    old.identity.version = Some("11.2.0.4.0".into());
    let mut lists = sizes(&[hour()]);
    lists.origin.version = Some("19.3.0.0.0".into());
    let plan = plan(&[old], &[lists.clone()], &[tier(1e12, 200.0)], &PlaceOptions::default());
    assert!(plan.warnings.iter().any(|w| w.contains("release 19.3.0.0.0")), "{:?}", plan.warnings);
    let text = script(&plan, &[&lists], &ScriptRequest::default()).forward;
    assert!(text.contains("written for release 19,"), "{text}");
}

#[test]
fn a_script_that_moves_data_into_memory_had_no_word_about_it() {
    for name in ["ram", "shm", "ram2"] {
        let tier = Tier { name: name.into(), ..tier(1e12, 100.0) };
        let plan = plan(&[report(&hour())], &[sizes(&[hour()])], &[tier], &PlaceOptions::default());
        assert!(plan.warnings.iter().any(|w| w.contains("If it is memory")), "{name}: {:?}", plan.warnings);
        let text = script(&plan, &[], &ScriptRequest::default()).forward;
        assert!(text.contains("LOST with a restart"), "{name}: {text}");
    }
}
