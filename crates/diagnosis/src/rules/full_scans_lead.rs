//! Full scans lead.
//!
//! # What it detects
//! Most of the time that sessions wait for reads is spent on scans (multi-block and direct-path
//! reads, smart scans) and not on single blocks.
//!
//! # Why it costs response time
//! A scan reads all of a segment for what may be a few rows, uses the bandwidth of the storage, and
//! in the cache pushes out what others need. What helps scans (bandwidth, pruning, compression)
//! is not what helps single-block reads (latency).
//!
//! # Facts needed
//! Foreground wait events with time; statistics of table scans, segments by scans and by physical
//! reads name the culprits.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | share of scans in read time | over 50 % | "leading" |
//! | materiality | 5 % of DB time, and that of all rules | ours; scans are the right way for much work |
//!
//! # When it is wrong
//! A data warehouse is built to scan. `direct path read` also reads large objects, and `db file
//! scattered read` also fast full scans of indexes.
//!
//! # What to do
//! Look at the largest scanned segments and at the statements that scan them: a missing index,
//! stale statistics, no partition pruning. If the scans are wanted, look at bandwidth: parallel
//! degree, compression, columnar cache, large stripes.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat
//! where  name like 'table scan%' or name like 'index fast full scans%';
//! select p.object_owner, p.object_name, p.operation, p.options, sum(s.executions) as executions
//! from   v$sql_plan p join v$sql s on s.sql_id = p.sql_id and s.child_number = p.child_number
//! where  p.options like '%FULL%' group by p.object_owner, p.object_name, p.operation, p.options
//! order  by executions desc;
//! ```

use super::material::{SHARE_PCT, Waits, foreground_waits, is_event, of_db_time, share_pct};
use super::since::{awr_prints_since, is_since};
use crate::{Case, Evidence, Finding, Verdict, words};
use spindle_facts::{Side, WaitClassRow};

const SCANS: &[&str] = &[
    "db file scattered read",
    "direct path read",
    "cell multiblock physical read",
    "cell smart table scan",
    "cell smart index scan",
    "db flash cache multiblock physical read",
];
const OTHER_READS: &[&str] = &[
    "db file sequential read",
    "db file parallel read",
    "cell single block physical read",
    "cell list of blocks physical read",
    "db flash cache single block physical read",
];

/// Scans lead from this share of read time on, percent.
const LEADING_PCT: f64 = 50.0;
/// Least share of DB time, percent.
const LEAST_SHARE_PCT: f64 = 5.0;
const _: () = assert!(LEAST_SHARE_PCT >= SHARE_PCT);

/// Do full scans make most of the read time?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let scans = match foreground_waits(case, SCANS) {
        Waits::Material(scans) => scans,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let seconds: f64 = scans.iter().map(|e| case.event_time_s(&e.event)).sum();
    let other_s: f64 = case
        .events
        .iter()
        .filter(|e| e.side == Side::Foreground && OTHER_READS.iter().any(|n| is_event(&e.event, n)))
        .map(|e| case.event_time_s(&e.event))
        .sum();
    // Reads that are printed and were not read may be single blocks, all of them.
    if let Some((missing, most_s)) = case
        .unread_waits("the waits for reads", |event| OTHER_READS.iter().any(|n| is_event(event, n)))
        .filter(|(_, most_s)| 100.0 * seconds <= LEADING_PCT * (seconds + other_s + most_s))
    {
        let least = words::seconds(seconds);
        return Verdict::CannotTell(format!(
            "{missing}; scans take {least}, other reads up to {}",
            words::seconds(other_s + most_s)
        ));
    }
    // Where the top events alone are printed, other reads are in their class, and not among them.
    let class_s = if case.prints_wait_events() { 0.0 } else { printed_class_s(case) };
    let whole_s = (seconds + other_s).max(class_s);
    if 100.0 * seconds > LEADING_PCT * (seconds + other_s) && 100.0 * seconds <= LEADING_PCT * whole_s {
        return Verdict::CannotTell(format!(
            "the waits for other reads: of {} of User I/O scans take {}, and only the top events are printed",
            words::seconds(whole_s),
            words::seconds(seconds)
        ));
    }
    let lead_pct = 100.0 * seconds / whole_s;
    if lead_pct <= LEADING_PCT && case.mixes_sides() {
        return Verdict::CannotTell(
            "the waits of sessions for reads, apart from those of background processes (Foreground Wait Events)".to_owned(),
        );
    }
    if lead_pct <= LEADING_PCT || share_pct(case, seconds).is_none_or(|pct| pct < LEAST_SHARE_PCT) {
        return Verdict::NotFound;
    }
    let mut evidence: Vec<Evidence> = scans.iter().map(|e| case.event_evidence(e)).collect();
    for name in [
        "table scans (long tables)",
        "table scans (direct read)",
        "table scan blocks gotten",
        "index fast full scans (full)",
        "physical reads direct",
    ] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    let segment = most_scanned(case);
    let first = match &segment {
        Some((name, _)) => {
            format!("Start with {name}, the segment with most of these reads: who scans it, and why?")
        }
        None => {
            let look = match () {
                () if awr_prints_since(case, (11, 1)) => {
                    "`Segments by Table Scans`, `by Direct Physical Reads`"
                }
                () if is_since(case, (9, 2)) => "V$SEGMENT_STATISTICS by physical reads",
                () => "V$SQLAREA by DISK_READS, and the plans of what leads there",
            };
            format!("Find the scanned segments ({look}) and who scans them.")
        }
    };
    evidence.extend(segment.map(|(_, proof)| proof));
    Verdict::Found(Finding {
        title: format!(
            "Full scans make {} of {}: {}{}",
            words::percent(lead_pct),
            // Of the top events alone nobody knows what else was read.
            if case.prints_wait_events() || class_s > 0.0 { "the read time" } else { "the time of the reads printed" },
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        // The number of reads costs, not the storage that answers them.
        storage: false,
        claims: scans.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence,
        actions: vec![
            first,
            "For scans that need not be: indexes, statistics, partition pruning. For those that must: bandwidth, \
             compression, or running them apart from users."
                .to_owned(),
        ],
        caveat: "A data warehouse scans by design. direct path read also reads large objects.".to_owned(),
        ..Finding::default()
    })
}

/// Foreground waits of class User I/O as printed by class, seconds; 0 where they are not.
fn printed_class_s(case: &Case<'_>) -> f64 {
    let classes = &case.report.tables.wait_class;
    let own = |c: &&WaitClassRow| {
        c.wait_class == "User I/O" && c.instance_number.is_none() && c.side != Side::Background
    };
    classes.iter().find(own).and_then(|c| c.time_s).unwrap_or(0.0)
}

/// The segment with most direct reads, else most scans, with its proof.
fn most_scanned(case: &Case<'_>) -> Option<(String, Evidence)> {
    let segments = &case.report.tables.segment_stat;
    for (ranked_by, unit) in [("direct_reads", "blocks read directly"), ("table_scans", "table scans")] {
        let most = segments
            .iter()
            .enumerate()
            .filter(|(_, s)| s.ranked_by == ranked_by)
            .filter_map(|(row, s)| Some((row, s, s.value?)))
            .max_by(|a, b| a.2.total_cmp(&b.2));
        if let Some((row, segment, value)) = most {
            let Some(name) = super::proof::segment_name(segment) else { continue };
            let text = format!("{name}: {} {unit}", words::count(value));
            return Some((name, case.evidence("segment_stat", row, segment.line, segment.section, text)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{Kind, SegmentStat, Side, WaitClassRow};

    fn hour(scan_s: f64, single_s: f64) -> Hour {
        Hour::new(10_000.0).foreground("direct path read", 10_000.0, scan_s).foreground(
            "db file sequential read",
            100_000.0,
            single_s,
        )
    }

    #[test]
    fn more_than_half_of_read_time_leads() {
        let finding = hour(1_010.0, 990.0).found(run);
        assert!(finding.title.contains("51 %") || finding.title.contains("50"), "{}", finding.title);
        hour(990.0, 1_010.0).not_found(run);
    }

    #[test]
    fn under_five_percent_of_db_time_nobody_cares() {
        hour(510.0, 10.0).found(run);
        hour(490.0, 10.0).not_found(run);
    }

    #[test]
    fn the_most_scanned_segment_is_named() {
        let segment = |object: &str, value| SegmentStat {
            line: 500,
            ranked_by: "direct_reads",
            owner: Some("DWH".into()),
            object: Some(object.into()),
            value: Some(value),
            ..SegmentStat::default()
        };
        let hour = hour(2_000.0, 10.0)
            .with(|r| r.tables.segment_stat = vec![segment("CUSTOMER", 10.0), segment("LINEITEM", 90.0)]);
        let finding = hour.found(run);
        assert!(finding.actions[0].contains("DWH.LINEITEM"), "{}", finding.actions[0]);
    }

    /// Of the five events of AWR-miner two were reads, and `57 %` of their time was said to be of the read time.
    #[test]
    fn of_top_events_alone_the_class_tells_the_read_time() {
        let with = |class_s| {
            Hour::new(10_000.0)
                .top("direct path read", Some(10_000.0), 3_400.0)
                .top("db file sequential read", Some(10_000.0), 2_500.0)
                .with(|r| {
                    r.tables.wait_class.push(WaitClassRow {
                        wait_class: "User I/O".to_owned(),
                        side: Side::All,
                        time_s: Some(class_s),
                        ..class_row()
                    });
                })
        };
        assert!(with(6_801.0).missing(run).contains("only the top events"));
        assert!(with(6_600.0).found(run).title.contains("52 %"));
    }

    /// One line of a Top 5: "Full scans make 100 % of the read time".
    #[test]
    fn the_reads_of_a_top_five_were_all_reads() {
        let found = Hour::new(1_000.0).top("direct path read", Some(31_221.0), 466.0).found(run);
        assert!(found.title.contains("100 % of the time of the reads printed"), "{}", found.title);
        assert!(hour(2_000.0, 10.0).found(run).title.contains("of the read time"));
    }

    fn class_row() -> WaitClassRow {
        WaitClassRow {
            line: 9,
            section: 0,
            instance_number: None,
            wait_class: String::new(),
            side: Side::All,
            waits: None,
            time_s: None,
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        }
    }

    #[test]
    fn nothing_printed_is_said() {
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }

    #[test]
    fn sections_of_awr_were_advised_for_statspack() {
        let says = |kind, version: &str| {
            let hour = hour(2_000.0, 10.0).with(|r| {
                r.identity.kind = kind;
                r.identity.version = Some(version.to_owned());
            });
            hour.found(run).actions.concat()
        };
        assert!(says(Kind::Awr, "11.2.0.4.0").contains("`Segments by Table Scans`"));
        for (kind, version) in [(Kind::Awr, "10.2.0.4.0"), (Kind::Statspack, "11.2.0.4.0")] {
            assert!(says(kind, version).contains("V$SEGMENT_STATISTICS"), "{}", says(kind, version));
        }
        assert!(says(Kind::Statspack, "9.0.1.0.0").contains("V$SQLAREA"));
    }
}
