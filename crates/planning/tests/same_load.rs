//! One load in every layout that carries it: no two of them show a change, each alone gives the same sizes, and
//! any two together count nothing twice.
#![allow(clippy::unwrap_used)]

use spindle_diagnosis::comparison::{
    self, CompareOptions, Comparison, Digest, Keeper, MetricChange, Move, Outcome, StepKind, compare,
};
use spindle_facts::{Kind, Layout, Report, Scope};
use spindle_planning::profiles;
use spindle_planning::sizing::{Disk, Measures, ReducedLoad, SizeOptions, Sizer, Sizing, redundancies};
use spindle_test_support::{Carrier, Release, shop_hours};

/// A layout, and what was read of it.
struct Read {
    carrier: Carrier,
    digests: Vec<Digest>,
    loads: Vec<Load>,
}

/// A report on its way into a sizing: its interval and instance, where it is of one.
struct Load {
    hour: usize,
    instance: Option<u32>,
    reduced: ReducedLoad,
}

fn read(carrier: Carrier, series: &[Vec<Report>]) -> Read {
    let mut reports = Vec::new();
    for (name, text) in carrier.print(series) {
        let reading = spindle_evidence::read(&name, text.as_bytes());
        assert!(!reading.reports.is_empty(), "{name} is refused: {:?}", reading.refused);
        reports.extend(reading.reports);
    }
    let mut keeper = Keeper::default();
    let mut digests: Vec<Digest> = reports.iter().map(Digest::of).collect();
    digests.iter_mut().for_each(|d| keeper.keep(d));
    comparison::complete(&mut digests);
    let first = series[0][0].identity.begin_snap.unwrap();
    let load = |r: &Report| Load {
        hour: usize::try_from(r.identity.end_snap.unwrap() - first - 1).unwrap(),
        instance: r.identity.instance_number.filter(|_| r.identity.scope != Scope::Database),
        reduced: ReducedLoad::of(r),
    };
    Read { carrier, digests, loads: reports.iter().map(load).collect() }
}

fn all(series: &[Vec<Report>]) -> Vec<Read> {
    let mut carriers = Carrier::all();
    // Each way of printing once is enough for a series.
    if series.len() > 1 {
        use Release::{V8_1, V9_2, V10_2, V11_2_0_3, V12_2, V19, V23};
        carriers.retain(|c| match c {
            Carrier::Awr(release, _) => matches!(release, V10_2 | V11_2_0_3 | V12_2 | V23),
            Carrier::Statspack(release) => matches!(release, V8_1 | V9_2 | V19),
            _ => true,
        });
    }
    // Statspack and AWR are of each instance; no report over all instances is of one.
    if series[0].len() == 1 {
        carriers.retain(|c| !matches!(c, Carrier::Global(_)));
    }
    std::thread::scope(|scope| {
        let (left, right) = carriers.split_at(carriers.len() / 2);
        let other = scope.spawn(move || right.iter().map(|c| read(*c, series)).collect::<Vec<_>>());
        let mut found: Vec<Read> = left.iter().map(|c| read(*c, series)).collect();
        found.extend(other.join().unwrap());
        found
    })
}

// --- no change between two layouts -------------------------------------------------------------------------

/// Two figures are one, as far as tenths and three digits go.
fn alike(before: f64, after: f64) -> bool {
    (before - after).abs() <= 0.11 + 0.01 * before.abs().max(after.abs())
}

fn changes(c: &Comparison) -> Vec<String> {
    let mut wrong = Vec::new();
    // Before 10.1 no DB time is printed: what stands for it is said, and is none that a report prints.
    let derived = c.warnings.iter().any(|w| w.contains("is not printed; "));
    // AWR-miner prints megabytes in tenths.
    let of_miner = [&c.before, &c.after].iter().any(|s| s.identity.kind == Kind::AwrMiner);
    let redo_slack = if of_miner { 0.051 * 1_048_576.0 * 2.0 } else { 0.0 };
    let beyond = |low: f64, high: f64| low > 1e-6 || high < -1e-6;
    if let Some(d) = c.db_time_delta_s.filter(|d| beyond(d.low, d.high) && !derived) {
        wrong.push(format!("DB time: {d:?}"));
    }
    for step in c.waterfall.iter().filter(|s| beyond(s.low_s, s.high_s)) {
        wrong.push(format!("step {}: {} to {}", step.cause, step.low_s, step.high_s));
    }
    let differ = |m: &&MetricChange| {
        let slack = if m.name.starts_with("redo bytes a second") { redo_slack } else { 0.0 };
        let of_db_time = m.name.starts_with("DB time") && derived;
        let apart = |(b, a): (f64, f64)| !alike(b, a) && (b - a).abs() > slack;
        !of_db_time && m.before.zip(m.after).is_some_and(apart)
    };
    for m in c.metrics.iter().filter(differ) {
        wrong.push(format!("{}: {:?} and {:?}", m.name, m.before, m.after));
    }
    for l in &c.latency {
        let moves = [l.shift.median, l.shift.tail, l.shift.mean];
        if moves.into_iter().flatten().any(|m| m != Move::NotShown) {
            wrong.push(format!("{}: {:?}", l.event, l.shift));
        }
    }
    for t in &c.tests {
        let of_db_time = t.metric.starts_with("DB time") && derived;
        if matches!(t.verdict, Outcome::Rose | Outcome::Fell | Outcome::OneEach) && !of_db_time {
            wrong.push(format!("test of {}: {:?}, {}", t.metric, t.verdict, t.because));
        }
    }
    for p in &c.changed_parameters {
        wrong.push(format!("parameter {p:?}"));
    }
    for p in c.changed.iter().filter(|p| !matches!(p.name.as_str(), "release" | "kind of report")) {
        wrong.push(format!("{p:?}"));
    }
    for io in &c.io {
        for (what, pair) in [("reads", io.reads_per_s), ("writes", io.writes_per_s)] {
            if pair.before.zip(pair.after).is_some_and(|(b, a)| !alike(b, a)) {
                wrong.push(format!("{what} of {} {}: {pair:?}", io.by, io.name));
            }
        }
        if io.avg_read_us.before.zip(io.avg_read_us.after).is_some_and(|(b, a)| !alike(b / 1e3, a / 1e3)) {
            wrong.push(format!("read of {} {}: {:?}", io.by, io.name, io.avg_read_us));
        }
    }
    for s in &c.statements {
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string()));
        let elapsed = s.elapsed_s;
        let differ = elapsed.before.zip(elapsed.after).is_some_and(|(b, a)| !alike(b, a));
        if differ || s.plan_changed == Some(true) {
            wrong.push(format!("statement {name:?}: {elapsed:?}, {}", s.what));
        }
    }
    wrong.extend(c.change_points.iter().map(|p| format!("change of {} at {:?}", p.metric, p.at)));
    wrong
}

fn no_change(series: &[Vec<Report>]) {
    let read = all(series);
    let mut wrong: Vec<(String, Vec<String>)> = Vec::new();
    for before in &read {
        for after in &read {
            let compared = compare(&before.digests, &after.digests, &CompareOptions::default());
            let said = match &compared {
                Ok(c) => changes(c),
                Err(why) => vec![why.clone()],
            };
            for one in said {
                let pair = format!("{:?} - {:?}", before.carrier, after.carrier);
                match wrong.iter_mut().find(|(w, _)| *w == one) {
                    Some((_, pairs)) => pairs.push(pair),
                    None => wrong.push((one, vec![pair])),
                }
            }
        }
    }
    let said: Vec<String> = wrong
        .iter()
        .map(|(w, pairs)| {
            format!("{w}\n    {} pairs: {}", pairs.len(), pairs[..pairs.len().min(3)].join("; "))
        })
        .collect();
    assert!(wrong.is_empty(), "{} changes of one interval:\n{}", wrong.len(), said.join("\n"));
}

#[test]
fn two_layouts_of_one_interval_show_no_change() {
    no_change(&shop_hours(1, 1));
}

#[test]
fn two_layouts_of_one_interval_of_two_instances_show_no_change() {
    no_change(&shop_hours(2, 1));
}

#[test]
fn two_layouts_of_three_intervals_of_two_instances_show_no_change() {
    no_change(&shop_hours(2, 3));
}

// --- what was a change, and was none -----------------------------------------------------------------------

const AWR_TEXT: Carrier = Carrier::Awr(Release::V11_2_0_3, Layout::Text);
const AWR_HTML: Carrier = Carrier::Awr(Release::V11_2_0_3, Layout::Html);

fn compared(before: Carrier, after: Carrier, instances: usize) -> Comparison {
    let series = shop_hours(instances, 1);
    let (b, a) = (read(before, &series), read(after, &series));
    compare(&b.digests, &a.digests, &CompareOptions::default()).unwrap()
}

#[test]
fn events_that_a_list_of_five_leaves_out_were_gone() {
    for miner in [Release::V11_2_0_3, Release::V19].map(Carrier::Miner) {
        let c = compared(AWR_TEXT, miner, 1);
        let gone: Vec<_> = c.waterfall.iter().filter(|s| s.kind == StepKind::Vanished).collect();
        assert!(gone.is_empty(), "{gone:?}");
        assert!(c.warnings.iter().any(|w| w.contains("Printed on one side only")), "{:?}", c.warnings);
    }
}

#[test]
fn waits_of_sessions_and_background_were_held_against_those_of_sessions() {
    let c = compared(AWR_HTML, Carrier::Miner(Release::V11_2_0_3), 2);
    let step = c.waterfall.iter().find(|s| s.of == "db file sequential read").unwrap();
    assert!(step.low_s <= 0.0 && step.high_s >= 0.0 && step.delta_s.abs() < 5.0, "{step:?}");
}

#[test]
fn rows_of_each_instance_and_of_all_were_added_up() {
    for release in [Release::V12_2, Release::V19] {
        let c = compared(Carrier::Awr(release, Layout::Html), Carrier::Global(release), 2);
        let rows: Vec<_> = c.io.iter().filter(|r| r.by == "function" || r.by == "filetype").collect();
        assert!(rows.len() >= 6, "{rows:?}");
        for row in rows {
            let (b, a) = (row.reads_per_s.before.unwrap(), row.reads_per_s.after.unwrap());
            assert!(alike(b, a), "{row:?}");
        }
    }
}

#[test]
fn requests_of_all_processes_were_held_against_those_of_data_files() {
    let c = compared(Carrier::Statspack(Release::V9_2), AWR_TEXT, 1);
    for name in ["read requests", "write requests"] {
        let of = |name: &str| c.metrics.iter().find(|m| m.name == name).unwrap();
        let all = of(&format!("{name} a second"));
        let some = of(&format!("{name} a second (without redo, control files or backup)"));
        assert!(all.before.is_none() && all.after.is_some_and(|v| v > 0.0), "{all:?}");
        assert!(some.after.is_none() && some.before.is_some_and(|v| v > 0.0), "{some:?}");
        assert!(!c.tests.iter().any(|t| t.metric.starts_with(name)), "{:?}", c.tests);
    }
    assert!(
        c.warnings.iter().any(|w| w.starts_with("Requests before are those of data")),
        "{:?}",
        c.warnings
    );
    // Two of them are held against each other as ever.
    let c = compared(Carrier::Statspack(Release::V9_2), Carrier::Statspack(Release::V10_1), 1);
    let reads = c.metrics.iter().find(|m| m.name == "read requests a second").unwrap();
    assert_eq!(reads.before, reads.after);
}

#[test]
fn a_rate_in_tenths_was_taken_as_exact() {
    let c = compared(AWR_TEXT, AWR_HTML, 1);
    let test = c.tests.iter().find(|t| t.metric == "write requests a second").unwrap();
    assert!(test.before != test.after && test.interval.low < 0.0 && test.interval.high > 0.0, "{test:?}");
    assert_eq!(test.verdict, Outcome::NotShown);
}

#[test]
fn a_latency_in_tenths_of_a_millisecond_was_taken_as_exact() {
    let c = compared(AWR_HTML, Carrier::Miner(Release::V11_2_0_3), 1);
    let test = c.tests.iter().find(|t| t.metric == "single-block read").unwrap();
    assert_eq!(test.verdict, Outcome::NotShown, "{test:?}");
}

#[test]
fn a_tail_of_the_same_waits_moved_between_two_ways_to_count_buckets() {
    let c = compared(Carrier::History(Release::V11_2_0_3), Carrier::History(Release::V19), 1);
    let commits = c.latency.iter().find(|l| l.event == "log file sync").unwrap();
    assert_eq!(commits.shift.tail, Some(Move::NotShown), "{commits:?}");
}

#[test]
fn a_host_that_a_history_does_not_name_had_changed() {
    let c = compared(AWR_TEXT, Carrier::History(Release::V11_2_0_3), 2);
    assert!(!c.changed.iter().any(|p| p.name == "host"), "{:?}", c.changed);
}

#[test]
fn a_factor_of_the_cache_advice_in_tenths_had_changed() {
    let c = compared(AWR_TEXT, AWR_HTML, 1);
    assert!(!c.changed.iter().any(|p| p.name.contains("buffer cache")), "{:?}", c.changed);
}

#[test]
fn a_count_too_wide_for_its_column_was_another_count() {
    let c =
        compared(Carrier::Awr(Release::V10_2, Layout::Text), Carrier::Awr(Release::V12_1, Layout::Text), 1);
    let spaces: Vec<_> = c.io.iter().filter(|r| r.by == "tablespace").collect();
    assert!(
        spaces.iter().all(|r| alike(r.reads_per_s.before.unwrap(), r.reads_per_s.after.unwrap())),
        "{spaces:?}"
    );
    assert!(spaces.len() > 4);
}

// --- the same sizes ----------------------------------------------------------------------------------------

fn options() -> SizeOptions {
    SizeOptions {
        percentile: 90.0,
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
        top: 3,
    }
}

fn size<'l>(loads: impl Iterator<Item = &'l Load>) -> Sizing {
    let mut sizer = Sizer::default();
    loads.for_each(|l| sizer.add(l.reduced.clone()));
    sizer.size(&options()).unwrap()
}

/// What the instances did together, by hour.
fn truth(series: &[Vec<Report>]) -> Vec<Measures> {
    let of_hour = |at_once: &Vec<Report>| {
        let rate = |name: &str| -> Option<f64> {
            let one = |r: &Report| {
                let row = r.tables.instance_stat.iter().find(|s| s.statistic == name)?;
                Some(row.total? / r.identity.elapsed_s?)
            };
            at_once.iter().map(one).sum()
        };
        Measures {
            read_iops: rate("physical read total IO requests"),
            write_iops: rate("physical write total IO requests"),
            redo_write_iops: rate("redo writes"),
            read_mbps: rate("physical read total bytes").map(|b| b / 1e6),
            write_mbps: rate("physical write total bytes").map(|b| b / 1e6),
            redo_write_mbps: rate("redo size").map(|b| b / 1e6),
            ..Measures::default()
        }
    };
    series.iter().map(of_hour).collect()
}

/// Counters of requests of all processes are printed from 10.2 on.
fn counts_all(carrier: Carrier) -> bool {
    carrier.release() >= Release::V10_2
}

/// Within what the layout rounds away: tenths of each instance, the minutes of a length.
fn near(found: Option<f64>, truth: Option<f64>, slack: f64) -> bool {
    match (found, truth) {
        (Some(found), Some(truth)) => (found - truth).abs() <= slack + 0.002 * truth.abs(),
        (None, _) => true,
        (Some(_), None) => false,
    }
}

fn sized_wrong(sizing: &Sizing, truth: &[Measures]) -> Vec<String> {
    let mut wrong = Vec::new();
    if sizing.databases.len() != 1 {
        wrong.push(format!("databases {:?}", sizing.databases));
    }
    let seconds = 3_600.0 * truth.len() as f64;
    if sizing.measured_s.is_none_or(|s| (s - seconds).abs() > 120.0) {
        wrong.push(format!("{:?} s of {seconds}", sizing.measured_s));
    }
    if sizing.intervals_counted != truth.len() {
        wrong.push(format!("{} intervals", sizing.intervals_counted));
    }
    // Reads and writes have to be there.
    let (found, most) = (&sizing.workload.max, |of: fn(&Measures) -> Option<f64>| {
        truth.iter().filter_map(of).reduce(f64::max)
    });
    if found.read_iops.is_none() || found.write_iops.is_none() {
        wrong.push("no requests".into());
    }
    for (name, found, truth, slack) in [
        ("reads", found.read_iops, most(|m| m.read_iops), 0.2),
        ("writes", found.write_iops, most(|m| m.write_iops), 0.2),
        ("redo writes", found.redo_write_iops, most(|m| m.redo_write_iops), 0.3),
        ("MB read", found.read_mbps, most(|m| m.read_mbps), 0.3),
        ("MB written", found.write_mbps, most(|m| m.write_mbps), 0.3),
    ] {
        if !near(found, truth, slack) {
            wrong.push(format!("{name}: {found:?}, not {truth:?}"));
        }
    }
    // Of each log file all that is written, or redo alone.
    let redo = |m: &Measures| m.redo_write_mbps;
    let (least, found) = (most(redo), found.redo_write_mbps);
    if found.zip(least).is_some_and(|(f, l)| !(0.95 * l..1.2 * l).contains(&f)) {
        wrong.push(format!("MB of redo: {found:?}, not {least:?}"));
    }
    wrong
}

#[test]
fn each_layout_alone_gives_the_same_sizes() {
    let mut wrong = Vec::new();
    for series in [shop_hours(1, 1), shop_hours(1, 4), shop_hours(2, 1), shop_hours(2, 4)] {
        let truth = truth(&series);
        let mut disks: Vec<(Carrier, Vec<Option<f64>>)> = Vec::new();
        for read in all(&series).iter().filter(|r| counts_all(r.carrier)) {
            let sizing = size(read.loads.iter());
            let said = sized_wrong(&sizing, &truth);
            wrong.extend(
                said.into_iter().map(|w| format!("{:?}, {} instances: {w}", read.carrier, series[0].len())),
            );
            disks.push((read.carrier, sizing.redundancy.iter().map(|r| r.disks).collect()));
        }
        for (carrier, needs) in &disks {
            for (one, other) in needs.iter().zip(&disks[0].1) {
                if one.is_none_or(|n| other.is_none_or(|o| (n - o).abs() > 1.0 + 0.005 * o)) {
                    wrong.push(format!("{carrier:?}: {needs:?} disks, {:?} {:?}", disks[0].0, disks[0].1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn two_layouts_of_the_same_intervals_count_nothing_twice() {
    let mut wrong = Vec::new();
    for series in [shop_hours(1, 3), shop_hours(2, 3)] {
        let truth = truth(&series);
        let read = all(&series);
        let whole: Vec<&Read> = read.iter().filter(|r| counts_all(r.carrier)).collect();
        for one in &whole {
            for other in whole.iter().filter(|o| o.carrier != one.carrier) {
                let mut held = |how: &str, sizing: &Sizing| {
                    let said = sized_wrong(sizing, &truth);
                    wrong.extend(said.into_iter().map(|w| {
                        format!(
                            "{:?} {how} {:?}, {} instances: {w}",
                            one.carrier,
                            other.carrier,
                            series[0].len()
                        )
                    }));
                };
                held("and", &size(one.loads.iter().chain(&other.loads)));
                let first = one.loads.iter().filter(|l| l.hour == 0);
                held("then", &size(first.chain(other.loads.iter().filter(|l| l.hour > 0))));
                let of = |read: &'_ Read, n: u32| -> Vec<usize> {
                    (0..read.loads.len()).filter(|at| read.loads[*at].instance == Some(n)).collect()
                };
                if series[0].len() > 1
                    && [one, other].iter().all(|r| r.loads.iter().any(|l| l.instance.is_some()))
                {
                    let (of_one, of_other) = (of(one, 1), of(other, 2));
                    let first = of_one.iter().map(|at| &one.loads[*at]);
                    held("beside", &size(first.chain(of_other.iter().map(|at| &other.loads[*at]))));
                }
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
