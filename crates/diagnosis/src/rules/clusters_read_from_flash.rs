//! Table clusters read from flash.
//!
//! # What it detects
//! Segments of type cluster make a material part of the physical reads, and the storage is flash.
//!
//! # Why it costs response time
//! A cluster keeps rows together that are read together, to save a seek. Flash has no seeks to
//! save; what stays is the cost: more blocks for the same rows, larger scans, changes that move
//! rows. In an experiment on flash a transaction load ran faster without its hash clusters.
//!
//! # Facts needed
//! `Segments by Physical Reads` (or by read requests) with object types; the class of the storage.
//!
//! # Thresholds
//! 5 % of the physical reads by clusters that are not Oracle's own (`SYS`); and the single-block
//! reads that they cause 3 % of DB time, or 1 % where half a session always waits. Ours. The
//! experiment gives no bar, only the direction.
//!
//! # When it is wrong
//! A cluster that turns several reads into one still saves reads, on flash too. Measure before
//! rebuilding.
//!
//! # What to do
//! Try the same load with plain tables and indexes (copy of the database, Real Application
//! Testing), then rebuild those clusters.
//!
//! # SQL to see the evidence
//! ```sql
//! select s.owner, s.object_name, s.value from v$segment_statistics s
//!  where s.object_type = 'CLUSTER' and s.statistic_name = 'physical reads' and s.owner <> 'SYS' order by s.value desc;
//! ```

use super::{material, places, proof};
use crate::{Case, DeviceClass, Finding, Verdict, words};

/// Share of the physical reads from which clusters matter, percent.
const SHARE_PCT: f64 = 5.0;
/// Share of logical reads by cluster key below which clusters are only Oracle's own, percent.
const DICTIONARY_PCT: f64 = 1.0;

/// Do clusters make many of the reads from flash?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let waited_s = places::waited_s(case);
    if let Some(verdict) = places::not_worth(case) {
        return verdict;
    }
    if case.device.value == DeviceClass::Disk && case.stricter.is_none() {
        return Verdict::NotFound;
    }
    let by_key = case.stat_total_or_zero("cluster key scan block gets");
    let gets = case.stat_total("session logical reads").filter(|g| *g > 0.0);
    if by_key.zip(gets).is_some_and(|(by_key, gets)| 100.0 * by_key / gets < DICTIONARY_PCT) {
        return Verdict::NotFound;
    }
    let segments = &case.report.tables.segment_stat;
    let Some(ranking) = ["physical_reads", "physical_read_requests"]
        .into_iter()
        .find(|r| segments.iter().any(|s| s.ranked_by == *r))
    else {
        return Verdict::CannotTell("which segments are read (Segments by Physical Reads)".to_owned());
    };
    let clusters: Vec<_> = segments
        .iter()
        .enumerate()
        .filter(|(_, s)| {
            s.ranked_by == ranking
                && s.object_type.as_deref().is_some_and(|t| t.to_ascii_uppercase().contains("CLUSTER"))
                && s.owner.as_deref().is_some_and(|o| o != "SYS")
        })
        .collect();
    let share_pct: f64 = clusters.iter().filter_map(|(_, s)| s.share_pct).sum();
    let seconds = waited_s * (share_pct / 100.0).min(1.0);
    if share_pct < SHARE_PCT {
        return Verdict::NotFound;
    }
    if let Some(verdict) = material::not_worth(case, "reads of table clusters", seconds) {
        return verdict;
    }
    if !matches!(case.device.value, DeviceClass::Flash | DeviceClass::Exadata) {
        return Verdict::CannotTell("whether the storage is flash (say --device-class)".to_owned());
    }
    let evidence = clusters.iter().take(3).filter_map(|(row, s)| {
        let share = s.share_pct.map_or(String::new(), |p| format!(" ({})", words::percent(p)));
        let text = format!("cluster {}: {} reads{share}", proof::segment_name(s)?, words::count(s.value?));
        Some(case.evidence("segment_stat", *row, s.line, s.section, text))
    });
    Verdict::Found(Finding {
        title: format!(
            "Table clusters make {} of the physical reads, from flash: clustering saves seeks that flash has not",
            words::percent(share_pct)
        ),
        storage: true,
        touches_s: seconds,
        evidence: evidence.collect(),
        actions: vec![
            "Run the same load against plain tables and indexes before rebuilding the clusters named"
                .to_owned(),
        ],
        caveat: "A cluster that turns several reads into one saves reads on flash too: measure first"
            .to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;
    use spindle_facts::SegmentStat;

    fn cluster(hour: Hour, owner: &str, share_pct: f64) -> Hour {
        hour.with(|r| {
            r.tables.segment_stat.push(SegmentStat {
                ranked_by: "physical_reads",
                owner: Some(owner.into()),
                object: Some("C_ORDERS".into()),
                object_type: Some("CLUSTER".into()),
                value: Some(1e6),
                share_pct: Some(share_pct),
                line: 88,
                ..SegmentStat::default()
            });
        })
    }

    fn hour(class: DeviceClass) -> Hour {
        Hour::new(7200.0).device(class).foreground("db file sequential read", 1e7, 6_000.0)
    }

    #[test]
    fn clusters_on_flash_from_five_percent_of_the_reads_on() {
        let found = cluster(hour(DeviceClass::Flash), "SHOP", 5.1).found(run);
        assert!(found.title.contains("5.1 % of the physical reads"), "{}", found.title);
        assert!(found.evidence[0].text.contains("SHOP.C_ORDERS"));
        assert!(found.claims.is_empty(), "what plain tables would cost is not known");
        cluster(hour(DeviceClass::Flash), "SHOP", 4.9).not_found(run);
    }

    #[test]
    fn oracles_own_clusters_and_disks_are_fine() {
        cluster(hour(DeviceClass::Flash), "SYS", 50.0).not_found(run);
        cluster(hour(DeviceClass::Disk), "SHOP", 50.0).not_found(run);
        cluster(hour(DeviceClass::Flash), "SHOP", 50.0)
            .stat("cluster key scan block gets", 9e3)
            .stat("session logical reads", 1e6)
            .not_found(run);
    }

    #[test]
    fn it_has_to_know_segments_and_storage() {
        assert!(
            cluster(hour(DeviceClass::FlashOrCache), "SHOP", 50.0).missing(run).contains("--device-class")
        );
        assert!(hour(DeviceClass::Flash).missing(run).contains("Segments by Physical Reads"));
    }
}
