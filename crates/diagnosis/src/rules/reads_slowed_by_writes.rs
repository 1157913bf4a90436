//! Reads are slower where the same files are written.
//!
//! # What it detects
//! Files (or tablespaces) that are written as well as read take at least twice as long to read as
//! those that are hardly written, and longer than storage of this class should need.
//!
//! # Why it costs response time
//! Writes seldom stall a session, the database writer does them later. But a disk or a flash chip
//! that writes lets reads wait, and a read is waited for.
//!
//! # Facts needed
//! `File IO Stats` or `Tablespace IO Stats` with reads, writes, mean read and blocks a read; wait
//! events.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | written | 1 write to 4 reads or more | the usual mix is 1 to 4: at least that |
//! | hardly written | 1 write to 20 reads or fewer | ours |
//! | mean read of the written against the others | 2 times | ours |
//! | mean read of the written | the bar of the device class | see slow single-block reads |
//! | places on either side | 2 with 1,000 reads each | one file is an accident |
//! | time lost | 3 % of DB time, or 1 % where half a session always waits | ours, as for every cause |
//!
//! # When it is wrong
//! It is a coincidence in one interval, not proof: written files can also lie on slower devices, or
//! hold colder blocks. Compare an hour with few writes. Undo and temporary tablespaces are left
//! out.
//!
//! # What to do
//! Spread the writes: more frequent, smaller checkpoints, asynchronous I/O, more or other devices
//! for the written files. On ASM a preferred-read mirror keeps reads away from the half that the
//! writes slow. Flash with more spare area keeps reads fast while it erases. RAID 5 and 6 pay four
//! to six times for small writes.
//!
//! # SQL to see the evidence
//! ```sql
//! select d.file_name, f.phyrds, f.phywrts, 10 * f.singleblkrdtim / nullif(f.singleblkrds, 0) as one_block_ms
//!   from v$filestat f join dba_data_files d on d.file_id = f.file# order by f.phywrts desc;
//! ```

use super::places::{self, Place};
use super::{material, undo_reads};
use crate::{Case, Finding, Verdict, words};

/// Writes a read from which a place counts as written.
const WRITTEN: f64 = 0.25;
/// Writes a read up to which a place counts as hardly written.
const QUIET: f64 = 0.05;
/// How many times longer reads of written places have to take.
const TIMES_SLOWER: f64 = 2.0;
/// Places that each side needs.
const PLACES: usize = 2;

/// Are reads slower where there are writes?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let files = places::files(case);
    let places = if files.is_empty() { places::tablespaces(case) } else { files };
    let by_file = !case.report.tables.file_io.is_empty() && !places.is_empty();
    let nothing = || match places::not_worth(case) {
        Some(verdict) => verdict,
        // Of a tablespace's files some may be written and others not.
        None if !by_file => Verdict::CannotTell("reads and writes by file (File IO Stats)".to_owned()),
        None => Verdict::NotFound,
    };
    if places.is_empty() {
        return match nothing() {
            Verdict::CannotTell(_) if material::is_material(case, places::waited_s(case)) => {
                Verdict::CannotTell(
                    "reads and writes by file or tablespace (File IO Stats, Tablespace IO Stats)".to_owned(),
                )
            }
            verdict => verdict,
        };
    }
    let usable = |p: &&Place| {
        p.reads >= places::ENOUGH_READS
            && p.blocks <= 1.5
            && !places::is_temporary(&p.tablespace)
            && !undo_reads::is_undo(case, &p.tablespace)
    };
    let ratio = |p: &Place| p.writes.map(|w| w / p.reads);
    let written: Vec<&Place> =
        places.iter().filter(usable).filter(|p| ratio(p).is_some_and(|r| r >= WRITTEN)).collect();
    let quiet: Vec<&Place> =
        places.iter().filter(usable).filter(|p| ratio(p).is_some_and(|r| r <= QUIET)).collect();
    if written.len() < PLACES || quiet.len() < PLACES {
        return nothing();
    }
    let (written_us, reads) = places::mean_us(written.iter().copied());
    let quiet_us = places::mean_us(quiet.iter().copied()).0.max(places::HALF_DIGIT_US);
    let lost_s = reads * (written_us - quiet_us) / 1e6;
    if written_us < TIMES_SLOWER * quiet_us {
        return nothing();
    }
    if let Some(verdict) = material::not_worth(case, "reads slowed by writes", lost_s) {
        return if matches!(verdict, Verdict::NotFound) { nothing() } else { verdict };
    }
    if written_us <= case.bars.single_block_read_us {
        return case.below_its_bar(written_us, |bars| bars.single_block_read_us).unwrap_or_else(nothing);
    }
    if let Some(missing) = places::contradiction(case, &places) {
        return Verdict::CannotTell(missing);
    }
    let claims = places::claims(case, lost_s);
    let claimed: f64 = claims.iter().map(|c| c.seconds).sum();
    let mut evidence: Vec<_> = most_read(&written).map(|p| p.evidence(case)).collect();
    evidence.extend(most_read(&quiet).map(|p| p.evidence(case)));
    Verdict::Found(Finding {
        title: format!(
            "Reads take {} where the same files are written, {} where they are not: {}{} lost",
            words::latency(written_us),
            words::latency(quiet_us),
            words::seconds(claimed),
            material::of_db_time(case, claimed)
        ),
        storage: true,
        touches_s: claimed,
        claims,
        evidence,
        actions: vec![
            "Compare an hour with few writes: are the same files as fast as the others then?".to_owned(),
            "Give the written files more or other devices; avoid RAID 5 and 6 under small writes".to_owned(),
            "Smooth the writes (FAST_START_MTTR_TARGET, asynchronous I/O); on ASM, read from the mirror half that is \
             not slowed"
                .to_owned(),
        ],
        caveat: "A coincidence within one interval: the written files may just lie on slower devices".to_owned(),
        ..Finding::default()
    })
}

/// The two places with most reads.
fn most_read<'p>(places: &[&'p Place]) -> impl Iterator<Item = &'p Place> {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| b.reads.total_cmp(&a.reads));
    sorted.into_iter().take(2)
}

#[cfg(test)]
mod tests {
    use super::super::places::testing::{file, io};
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    fn hour() -> Hour {
        Hour::new(7200.0).device(DeviceClass::Disk).foreground("db file sequential read", 400_000.0, 4_000.0)
    }

    /// Two files read only at 5 ms, two written this much and read at this mean.
    fn files(ms: f64, writes: f64, tablespace: &str) -> Hour {
        let quiet = ["/u01/a.dbf", "/u01/b.dbf"]
            .iter()
            .fold(hour(), |h, f| file(h, f, io("LOOKUP", 50_000.0, 5.0, 1_000.0)));
        ["/u02/c.dbf", "/u02/d.dbf"]
            .iter()
            .fold(quiet, |h, f| file(h, f, io(tablespace, 50_000.0, ms, writes)))
    }

    #[test]
    fn twice_as_slow_where_written() {
        let found = files(10.1, 20_000.0, "ORDERS").found(run);
        assert!(
            found.title.contains("take 10.1 ms where the same files are written, 5 ms"),
            "{}",
            found.title
        );
        assert!((found.claims[0].seconds - 510.0).abs() < 1e-6, "{:?}", found.claims);
        files(9.9, 20_000.0, "ORDERS").not_found(run);
    }

    #[test]
    fn written_is_a_write_to_four_reads() {
        files(20.0, 12_600.0, "ORDERS").found(run);
        files(20.0, 12_400.0, "ORDERS").not_found(run);
    }

    #[test]
    fn undo_and_temp_are_left_out() {
        files(20.0, 20_000.0, "UNDOTBS1").not_found(run);
        files(20.0, 20_000.0, "TEMP").not_found(run);
    }

    #[test]
    fn one_file_is_an_accident() {
        let one = file(hour(), "/u01/a.dbf", io("LOOKUP", 50_000.0, 5.0, 0.0));
        file(one, "/u02/c.dbf", io("ORDERS", 50_000.0, 30.0, 20_000.0)).not_found(run);
    }

    #[test]
    fn without_the_sections_it_cannot_tell() {
        assert!(hour().missing(run).contains("File IO Stats"));
        assert!(files(900.0, 20_000.0, "ORDERS").missing(run).contains("agree with the wait events"));
    }
}
