//! Writes past the cache that sessions wait for: large objects and loads.
//!
//! # What it detects
//! Sessions wait a material part of DB time for `direct path write`, without temp, and which
//! segments these writes go to.
//!
//! # Why it costs response time
//! A session that writes past the cache writes the blocks itself and waits until they are on disk,
//! where the database writer would do it later for others. A large object without cache is written
//! so at each call, a few blocks a time.
//!
//! # Facts needed
//! Foreground wait events; `Segments by Direct Physical Writes` and `physical writes direct` for
//! where they go.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours, as for every cause |
//! | one segment leads | half of the direct writes | arithmetic |
//!
//! # When it is wrong
//! Direct writes are asynchronous: the wait is what was still missing when the session asked, not
//! the latency of a write, and the count of waits is not that of the writes. So no bar is held
//! against them, and storage is not accused by them alone. On 9i the writes to temp are in the
//! same event.
//!
//! # What to do
//! A large object: `CACHE` (or `CACHE READS`) if it is small and read again, larger pieces a call,
//! fewer rewrites, SecureFiles; `NOLOGGING` only where it can be loaded again. Loads (`INSERT
//! APPEND`, `CREATE TABLE AS SELECT`, index builds, SQL*Loader): spread them, fewer parallel
//! servers than the storage has bandwidth for.
//!
//! # SQL to see the evidence
//! ```sql
//! select owner, object_name, object_type, value from v$segment_statistics
//!  where statistic_name = 'physical writes direct' and value > 0 order by value desc;
//! select owner, table_name, column_name, segment_name, cache, securefile, logging from dba_lobs
//!  where segment_name = :segment;
//! ```

use super::material::{Waits, foreground_waits, of_db_time};
use super::proof;
use crate::{Case, Finding, Verdict, words};
use spindle_facts::SegmentStat;

const EVENTS: &[&str] = &["direct path write", "direct path write (lob)"];
/// Share of the direct writes from which one segment is named first, percent.
const ONE_SEGMENT_PCT: f64 = 50.0;

/// Do sessions wait for writes past the cache?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = match foreground_waits(case, EVENTS) {
        Waits::Material(events) => events,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let first = first_segment(case);
    let target = first.as_ref().map_or(String::new(), |(segment, share_pct)| {
        format!(", {} of the writes to {}", words::percent(*share_pct), segment.kind())
    });
    let mut evidence = proof::largest(case, &events);
    evidence.extend(proof::segments(case, "direct_writes", 3));
    for name in ["physical writes direct", "physical writes direct (lob)"] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    Verdict::Found(Finding {
        title: format!(
            "Sessions waited {} for direct-path writes{}{target}",
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        // An asynchronous wait is no latency.
        storage: false,
        claims: proof::claims(case, &events),
        evidence,
        actions: actions(first.map(|f| f.0)),
        caveat: "Direct writes are asynchronous: the wait is what was still missing, not the latency of a write; it \
                 alone does not show storage to be slow"
            .to_owned(),
        ..Finding::default()
    })
}

/// A segment that direct writes go to.
struct Target {
    name: String,
    is_lob: bool,
}

impl Target {
    fn kind(&self) -> String {
        if self.is_lob { format!("the LOB {}", self.name) } else { self.name.clone() }
    }
}

/// The segment that half of the direct writes go to, and its share, percent.
fn first_segment(case: &Case<'_>) -> Option<(Target, f64)> {
    let rows = case.report.tables.segment_stat.iter().filter(|s| s.ranked_by == "direct_writes");
    let share = |s: &SegmentStat| {
        s.share_pct.or_else(|| Some(100.0 * s.value? / case.stat_total("physical writes direct")?))
    };
    let (row, share_pct) = rows.filter_map(|s| Some((s, share(s)?))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_lob = row.object_type.as_deref().is_some_and(|t| t.to_ascii_uppercase().starts_with("LOB"));
    (share_pct >= ONE_SEGMENT_PCT)
        .then_some(())
        .and_then(|()| Some((Target { name: proof::segment_name(row)?, is_lob }, share_pct.min(100.0))))
}

fn actions(first: Option<Target>) -> Vec<String> {
    let name =
        first.as_ref().map_or("the segments that lead by direct writes".to_owned(), |t| t.name.clone());
    let is = if first.is_some() { "is" } else { "are" };
    let mut actions = Vec::new();
    if first.as_ref().is_none_or(|t| t.is_lob) {
        actions.push(format!(
            "See how {name} {is} stored (DBA_LOBS): NOCACHE writes each change at once; CACHE for small objects that are \
             read again, larger pieces a call"
        ));
    }
    if first.as_ref().is_none_or(|t| !t.is_lob) {
        actions.push(format!(
            "Find the loads into {name} (INSERT APPEND, CREATE TABLE AS SELECT, index builds): spread them, and fewer \
             parallel servers at once"
        ));
    }
    actions.push(
        "Compare with the operating system's write times of these files before storage is accused".to_owned(),
    );
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::SegmentStat;

    fn segment(hour: Hour, object_type: &str, share_pct: f64) -> Hour {
        hour.with(|r| {
            r.tables.segment_stat.push(SegmentStat {
                ranked_by: "direct_writes",
                owner: Some("APP".into()),
                object: Some("DOCUMENTS".into()),
                object_type: Some(object_type.into()),
                value: Some(1e5),
                share_pct: Some(share_pct),
                line: 55,
                ..SegmentStat::default()
            });
        })
    }

    fn hour(seconds: f64) -> Hour {
        Hour::new(7200.0).cpu(1000.0).foreground("direct path write", 50_000.0, seconds)
    }

    #[test]
    fn a_large_object_without_cache() {
        let found = segment(hour(3_600.0), "LOB", 98.0).found(run);
        assert!(
            found.title.contains("3,600 s")
                && found.title.ends_with("98 % of the writes to the LOB APP.DOCUMENTS"),
            "{}",
            found.title
        );
        assert!(!found.storage && found.actions[0].contains("NOCACHE"), "{:?}", found.actions);
        assert!(found.caveat.contains("asynchronous") && found.evidence.iter().any(|e| e.line == 55));
    }

    #[test]
    fn a_load_into_a_table() {
        let found = segment(hour(3_600.0), "TABLE", 60.0).found(run);
        assert!(found.actions[0].contains("INSERT APPEND"), "{:?}", found.actions);
        let spread = segment(hour(3_600.0), "TABLE", 40.0).found(run);
        assert!(!spread.title.contains("DOCUMENTS"), "{}", spread.title);
    }

    #[test]
    fn little_is_not_reported_and_temp_is_another_cause() {
        hour(100.0).not_found(run);
        hour(100.0).foreground("direct path write temp", 50_000.0, 3_000.0).not_found(run);
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
