//! Reads of undo.
//!
//! # What it detects
//! Sessions read undo blocks from storage, to see data as they were when the query began or to roll
//! back, and the reads cost a material part of DB time.
//!
//! # Why it costs response time
//! Undo is written into the cache, so it is normally found there. It has to be read again once it
//! is old: by queries that run long beside many changes, by rollbacks of large transactions, by
//! recovery after a crash. Each such block is one read of one block, one after the other.
//!
//! # Facts needed
//! `Tablespace IO Stats` (the tablespaces named in `undo_tablespace`, or named `UNDO...`,
//! `RBS...`), wait events; the statistics of undo records applied tell which of the two it is.
//!
//! # Thresholds
//! Reads of undo times their mean (no more than sessions waited for reads): 3 % of DB time, or 1 %
//! where it holds up half a session on average: our own, the same for every cause. The section is
//! not believed where its times add up to more than three times the waits for reads.
//!
//! # When it is wrong
//! Background processes that recover dead transactions read undo too; that is not in DB time. An
//! undo tablespace with another name, and no parameter printed, is not recognised.
//!
//! # What to do
//! Find the long queries on tables that change (or the job that rolls back) and run them at another
//! time, or make them shorter. Commit large changes in fewer, restartable steps without fetching
//! across commits. A larger buffer cache keeps undo longer; a fast tier for undo helps writes and
//! these reads.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat where name like '%undo records applied';
//! select begin_time, undoblks, maxquerylen, maxqueryid from v$undostat order by maxquerylen desc;
//! ```

use super::{material, places};
use crate::{Case, Finding, Verdict, words};

/// Statistics that tell what undo was read for.
const RECORDS_APPLIED: &[&str] = &[
    "data blocks consistent reads - undo records applied",
    "transaction tables consistent reads - undo records applied",
    "rollback changes - undo records applied",
];

/// Do reads of undo cost a material part of DB time?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let all = places::tablespaces(case);
    let undo: Vec<_> = all.iter().filter(|p| is_undo(case, &p.tablespace)).collect();
    let read_s = undo.iter().map(|p| p.read_s()).sum::<f64>();
    // Reads that hardly take time need no waits to say so.
    if !all.is_empty()
        && let Some(Verdict::NotFound) = material::not_worth(case, "reads of undo", read_s)
    {
        return Verdict::NotFound;
    }
    let waited_s = places::waited_s(case);
    if let Some(verdict) = places::not_worth(case) {
        return verdict;
    }
    if all.is_empty() {
        return Verdict::CannotTell("reads by tablespace (Tablespace IO Stats)".to_owned());
    }
    let seconds = read_s.min(waited_s);
    if let Some(verdict) = material::not_worth(case, "reads of undo", seconds) {
        return verdict;
    }
    if let Some(missing) = places::contradiction(case, &all) {
        return Verdict::CannotTell(missing);
    }
    let mut evidence: Vec<_> = undo.iter().map(|p| p.evidence(case)).collect();
    evidence.extend(RECORDS_APPLIED.iter().filter_map(|name| case.stat(name)).map(|s| case.stat_evidence(s)));
    let reads: f64 = undo.iter().map(|p| p.reads).sum();
    let rollback = case.stat_total(RECORDS_APPLIED[2]).unwrap_or(0.0);
    let consistency = case.stat_total(RECORDS_APPLIED[0]).unwrap_or(0.0)
        + case.stat_total(RECORDS_APPLIED[1]).unwrap_or(0.0);
    let cause = if rollback > consistency {
        "Find the transactions that roll back (most undo records were applied for rollbacks), and why"
            .to_owned()
    } else {
        "Find long queries on tables that change meanwhile (V$UNDOSTAT.MAXQUERYID), and run them apart from the changes".to_owned()
    };
    Verdict::Found(Finding {
        title: format!(
            "{} reads of undo took {}{}",
            words::count(reads),
            words::seconds(seconds),
            material::of_db_time(case, seconds)
        ),
        // Many fast reads are the work of queries; slow ones are the storage's part too.
        storage: places::mean_us(undo.iter().copied()).0 > case.bars.single_block_read_us,
        touches_s: seconds,
        claims: places::claims(case, seconds),
        evidence,
        actions: vec![
            cause,
            "Do not fetch across commits; make large changes in restartable steps".to_owned(),
            "A larger buffer cache keeps undo longer; a faster device for undo shortens what is left"
                .to_owned(),
        ],
        caveat: "Background processes that recover dead transactions read undo too, outside DB time"
            .to_owned(),
        ..Finding::default()
    })
}

/// Is this the undo tablespace of an instance?
pub(super) fn is_undo(case: &Case<'_>, tablespace: &str) -> bool {
    let name = tablespace.trim().to_ascii_uppercase();
    name.starts_with("UNDO")
        || name.starts_with("RBS")
        || case.report.tables.parameter.iter().any(|p| {
            p.name.trim().eq_ignore_ascii_case("undo_tablespace")
                && [&p.begin_value, &p.end_value]
                    .into_iter()
                    .flatten()
                    .any(|v| v.trim().eq_ignore_ascii_case(&name))
        })
}

#[cfg(test)]
mod tests {
    use super::super::places::testing::{io, tablespace};
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    fn hour() -> Hour {
        Hour::new(7200.0).device(DeviceClass::Disk).foreground("db file sequential read", 400_000.0, 3_000.0)
    }

    #[test]
    fn undo_read_by_long_queries() {
        let with = |reads| {
            tablespace(tablespace(hour(), io("USERS", 300_000.0, 7.0, 0.0)), io("UNDOTBS2", reads, 8.0, 9e5))
                .stat("data blocks consistent reads - undo records applied", 5e6)
        };
        let found = with(27_200.0).found(run);
        assert!(found.title.starts_with("27,200 reads of undo took 218 s"), "{}", found.title);
        assert!(found.actions[0].contains("long queries"), "{:?}", found.actions);
        assert!(!found.storage, "8 ms is what disks need");
        with(26_800.0).not_found(run);
    }

    #[test]
    fn rollbacks_are_told_from_queries_and_slow_storage_from_fast() {
        let found = tablespace(hour(), io("UNDOTBS1", 100_000.0, 11.0, 9e5))
            .stat("rollback changes - undo records applied", 5e6)
            .found(run);
        assert!(found.actions[0].contains("roll back"), "{:?}", found.actions);
        assert!(found.storage);
    }

    #[test]
    fn a_tablespace_of_another_name_is_known_from_the_parameter() {
        let hour = || tablespace(hour(), io("RUECKROLL", 100_000.0, 8.0, 9e5));
        hour().parameter("undo_tablespace", "RUECKROLL").found(run);
        hour().parameter("undo_tablespace", "OTHER").not_found(run);
    }

    #[test]
    fn without_tablespaces_it_cannot_tell_unless_reads_do_not_matter() {
        assert!(hour().missing(run).contains("Tablespace IO Stats"));
        Hour::new(7200.0).foreground("db file sequential read", 1_000.0, 10.0).not_found(run);
        let odd = tablespace(hour(), io("UNDOTBS1", 100_000.0, 25_000.0, 9e5));
        assert!(odd.missing(run).contains("agree with the wait events"));
    }
}
