//! One tablespace or file is much slower to read than the rest.
//!
//! # What it detects
//! Reads of one tablespace (or file) take at least three times as long as reads of as many blocks
//! elsewhere in the same database, and longer than storage of this class should need.
//!
//! # Why it costs response time
//! Sessions that need a block of that place wait longer than all others. The mean over the database
//! hides it: one slow disk group under a hundred fast files.
//!
//! # Facts needed
//! `Tablespace IO Stats` or `File IO Stats` with reads, mean read and blocks a read, and the wait
//! events to check them against. From 12.2 on these sections are often empty.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean against that of the rest | 3 times | ours: on one array caching alone makes places differ by two |
//! | the same against the place in the middle of the others | 3 times | ours: where one place that a cache answers makes most reads, many are slower than the mean |
//! | mean read | the bar of the device class | see slow single-block reads |
//! | reads | 1,000, there and in the rest | ours: below, a mean says nothing about a device |
//! | time lost against the rest | 3 % of DB time, or 1 % where half a session always waits; half of all read time where neither DB time nor waits were read | ours, as for every cause |
//! | the section's total against the waits for reads | 3 times | beyond, the section is not believed: 12.1 on AIX prints reads of half a minute where waits say 2-4 ms |
//!
//! # When it is wrong
//! A place whose blocks are all cold is read from the disks, one whose blocks are warm from the
//! array's cache: the devices can be the same. Direct reads are timed from submission, not as the
//! session waits. Rows of 11.2.0.4, whose columns are printed in each other's place, are put right
//! on reading or left out.
//!
//! # What to do
//! See which disks, disk group or volume holds the files, and who else uses it; compare with
//! `iostat` for those devices. Then move the busiest files or segments to where the rest lives
//! (online from 12.1 on).
//!
//! # SQL to see the evidence
//! ```sql
//! select d.tablespace_name, d.file_name, f.singleblkrds,
//!        10 * f.singleblkrdtim / nullif(f.singleblkrds, 0) as one_block_ms
//!   from v$filestat f join dba_data_files d on d.file_id = f.file# order by 4 desc nulls last;
//! ```

use super::material;
use super::places::{self, Place};
use crate::{Bars, Case, Finding, Verdict, words};

/// How many times longer than elsewhere a read has to take.
const TIMES_SLOWER: f64 = 3.0;
/// Part of all time that reads took, from which it matters where no waits were read.
const MOST_OF_READS: f64 = 0.5;

/// Is there a tablespace or a file that is much slower to read than the rest?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let by_tablespace = places::tablespaces(case);
    let by_file = places::files(case);
    for places in [&by_tablespace, &by_file] {
        if let Some((slow, rest_us)) = slowest(case, places, &case.bars) {
            return match places::contradiction(case, places) {
                Some(missing) => Verdict::CannotTell(missing),
                None => Verdict::Found(finding(case, slow, rest_us, places)),
            };
        }
    }
    // Where sessions hardly waited for reads, no place slows them.
    if let Some(verdict) = places::not_worth(case) {
        return verdict;
    }
    if let Some((bars, missing)) = &case.stricter
        && [&by_tablespace, &by_file].iter().any(|places| slowest(case, places, bars).is_some())
    {
        return Verdict::CannotTell(missing.clone());
    }
    let tables = &case.report.tables;
    let of_spaces = || places::lacks(case, "Tablespace IO Stats", tables.tablespace_io.iter());
    let of_files = || places::lacks(case, "File IO Stats", tables.file_io.iter().map(|f| &f.io));
    // What was read and lacks a column is not missing as a whole.
    match (by_tablespace.is_empty(), by_file.is_empty()) {
        (false, false) => Verdict::NotFound,
        (true, true) => {
            let lacking: Vec<String> = of_spaces().into_iter().chain(of_files()).collect();
            Verdict::CannotTell(if lacking.is_empty() {
                "reads and read times by tablespace and file (Tablespace IO Stats, File IO Stats)".to_owned()
            } else {
                lacking.join("; ")
            })
        }
        // The mean over a tablespace hides a slow file, as that over many files hides where they lie.
        (false, true) => Verdict::CannotTell(
            of_files().unwrap_or_else(|| "reads and read times by file (File IO Stats)".to_owned()),
        ),
        (true, false) => Verdict::CannotTell(
            of_spaces()
                .unwrap_or_else(|| "reads and read times by tablespace (Tablespace IO Stats)".to_owned()),
        ),
    }
}

/// Is time lost in one place worth a line? By DB time; where neither that nor waits were read, by all that reads of
/// these places took.
fn is_much(case: &Case<'_>, lost_s: f64, read_s: f64) -> bool {
    if case.has_waits() || case.db_time_s().is_some() {
        return material::is_material(case, lost_s);
    }
    let sessions = case.elapsed_s().map(|s| lost_s / s);
    lost_s >= MOST_OF_READS * read_s && !sessions.is_some_and(|s| material::is_below_load(case, s))
}

/// The place that loses most time against the rest, and the mean of that rest.
fn slowest<'p>(case: &Case<'_>, places: &'p [Place], bars: &Bars) -> Option<(&'p Place, f64)> {
    let read_s: f64 = places.iter().map(Place::read_s).sum();
    places
        .iter()
        .enumerate()
        .filter(|(_, p)| {
            p.reads >= ENOUGH && !places::is_temporary(&p.tablespace) && p.mean_us > p.bar_us(bars)
        })
        .filter_map(|(at, slow)| {
            let rest = places.iter().enumerate().filter(|(i, p)| *i != at && p.is_like(slow));
            let (rest_us, reads) = places::mean_us(rest.map(|(_, p)| p));
            let rest_us = rest_us.max(places::HALF_DIGIT_US);
            let lost_s = slow.reads * (slow.mean_us - rest_us) / 1e6;
            (reads >= ENOUGH
                && slow.mean_us >= TIMES_SLOWER * rest_us
                && slow.mean_us >= TIMES_SLOWER * usual_us(places, at)
                && is_much(case, lost_s, read_s))
            .then_some((slow, rest_us, lost_s))
        })
        .max_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(slow, rest_us, _)| (slow, rest_us))
}

/// The mean of the place in the middle of all others: one that a cache answers may make most of the reads, and others
/// be as slow as the one that is looked at.
fn usual_us(places: &[Place], at: usize) -> f64 {
    let slow = &places[at];
    let others = places.iter().enumerate().filter(|(i, p)| *i != at && p.reads >= ENOUGH && p.is_like(slow));
    let mut means: Vec<f64> = others.map(|(_, p)| p.mean_us).collect();
    means.sort_by(f64::total_cmp);
    means.get(means.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

const ENOUGH: f64 = places::ENOUGH_READS;

fn finding(case: &Case<'_>, slow: &Place, rest_us: f64, places: &[Place]) -> Finding {
    let lost_s = slow.reads * (slow.mean_us - rest_us) / 1e6;
    let mut others: Vec<&Place> =
        places.iter().filter(|p| p.name != slow.name && p.is_like(slow) && p.reads >= ENOUGH).collect();
    others.sort_by(|a, b| b.reads.total_cmp(&a.reads));
    let mut evidence = vec![slow.evidence(case)];
    evidence.extend(others.iter().take(3).map(|p| p.evidence(case)));
    let mut left_out: Vec<&Place> = places
        .iter()
        .filter(|p| {
            p.name != slow.name
                && !p.is_like(slow)
                && p.reads >= ENOUGH
                && !places::is_temporary(&p.tablespace)
        })
        .collect();
    left_out.sort_by(|a, b| b.read_s().total_cmp(&a.read_s()));
    let elsewhere =
        if left_out.is_empty() { "elsewhere" } else { "those of as many blocks at a time elsewhere" };
    let mut caveat =
        "The rest may be answered by a cache and this place by disks: the devices need not differ".to_owned();
    if !left_out.is_empty() {
        let listed = left_out.iter().take(3).map(|p| {
            format!("{} ({} reads at {})", p.name, words::count(p.reads), words::latency(p.mean_us))
        });
        caveat.push_str(&format!(
            ". Left out, as they read more or fewer blocks at a time: {}{}",
            listed.collect::<Vec<_>>().join(", "),
            if left_out.len() > 3 { format!(" and {} more", left_out.len() - 3) } else { String::new() }
        ));
    }
    let mut actions = vec![
        format!("Find the disks, disk group or volume that holds {}, and what else uses it", slow.name),
        "Compare with iostat of those devices in the same period".to_owned(),
        "Move its busiest files or segments to where the rest lives".to_owned(),
    ];
    // Where sessions lose most is looked at first, though its reads are of another size.
    if let Some(most) = left_out.first().filter(|p| p.read_s() > slow.read_s()) {
        actions.insert(
            0,
            format!(
                "See {} first: its {} reads at {} took {}, more than those of any place compared, and nothing of as \
                 many blocks a read tells whether its storage is slow",
                most.name,
                words::count(most.reads),
                words::latency(most.mean_us),
                words::seconds(most.read_s())
            ),
        );
    }
    let claims = places::claims(case, lost_s);
    let claimed = claims.iter().fold(0.0, |sum, c| sum + c.seconds);
    // Without waits nothing says how much of it sessions waited for.
    let waited_s = if case.has_waits() { claimed } else { lost_s };
    Finding {
        title: format!(
            "Reads of {} take {}, {elsewhere} {}: {}{} lost",
            slow.name,
            words::latency(slow.mean_us),
            words::latency(rest_us),
            words::seconds(waited_s),
            material::of_db_time(case, waited_s)
        ),
        storage: true,
        touches_s: claimed,
        claims,
        evidence,
        actions,
        caveat,
        ..Finding::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::testing::{file, io, tablespace};
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    /// Disks; sessions waited 4,000 s for reads.
    fn hour() -> Hour {
        Hour::new(7200.0).cpu(1000.0).device(DeviceClass::Disk).foreground(
            "db file sequential read",
            400_000.0,
            4_000.0,
        )
    }

    /// As if each tablespace had one file.
    fn each_one_file(hour: Hour) -> Hour {
        let tablespaces = hour.report.tables.tablespace_io.clone();
        tablespaces.into_iter().fold(hour, |hour, io| file(hour, &format!("/u01/{}.dbf", io.tablespace), io))
    }

    #[test]
    fn three_times_slower_than_the_rest() {
        let with = |ms| {
            tablespace(tablespace(hour(), io("FAST", 300_000.0, 4.0, 0.0)), io("SLOW", 100_000.0, ms, 0.0))
        };
        let found = with(12.1).found(run);
        assert!(
            found.title.starts_with("Reads of tablespace SLOW take 12.1 ms, elsewhere 4 ms: 810 s"),
            "{}",
            found.title
        );
        assert!((found.claims[0].seconds - 810.0).abs() < 1e-6);
        assert!(found.storage);
        each_one_file(with(11.9)).not_found(run);
        // Without files a slow one may hide in the mean of its tablespace.
        assert!(with(11.9).missing(run).contains("by file"));
    }

    #[test]
    fn slower_than_the_rest_but_within_the_bar_is_fine() {
        let with = |ms| {
            tablespace(tablespace(hour(), io("FAST", 300_000.0, 0.5, 0.0)), io("SLOW", 100_000.0, ms, 0.0))
        };
        with(10.1).found(run);
        each_one_file(with(9.9)).not_found(run);
    }

    /// "Reads of tablespace ETC_IDX take 3.3 ms, elsewhere 0.376 ms", by one that a cache answered: four took longer.
    #[test]
    fn a_place_as_fast_as_most_was_slow_beside_one_that_a_cache_answers() {
        let with = |others: &[f64]| {
            let all = tablespace(
                tablespace(hour(), io("CACHED", 3_000_000.0, 0.5, 0.0)),
                io("SLOW", 200_000.0, 12.1, 0.0),
            );
            others.iter().fold(all, |hour, ms| tablespace(hour, io(&format!("T{ms}"), 2_000.0, *ms, 0.0)))
        };
        each_one_file(with(&[12.0, 13.0, 15.0, 9.0])).not_found(run);
        with(&[3.0, 3.5, 15.0, 2.0]).found(run);
    }

    #[test]
    fn a_scan_is_not_compared_with_single_blocks() {
        let mut scanned = io("DWH", 100_000.0, 25.0, 0.0);
        scanned.blocks_per_read = Some(64.0);
        let both = tablespace(tablespace(hour(), io("FAST", 300_000.0, 4.0, 0.0)), scanned);
        each_one_file(both).not_found(run);
    }

    /// The first action was for the 68,002 s that one tablespace lost, none for the 129,882 s that another took.
    #[test]
    fn the_largest_read_time_left_out_of_the_comparison_comes_first() {
        let mut scanned = io("DWH", 1_000_000.0, 10.5, 0.0);
        scanned.blocks_per_read = Some(4.0);
        let both = || {
            tablespace(tablespace(hour(), io("FAST", 300_000.0, 4.0, 0.0)), io("SLOW", 100_000.0, 12.1, 0.0))
        };
        let hour = both().foreground("db file scattered read", 1_000_000.0, 10_500.0);
        let found = tablespace(hour, scanned).found(run);
        assert!(
            found.actions[0].contains("DWH") && found.actions[0].contains("10,500 s"),
            "{:?}",
            found.actions
        );
        assert!(both().found(run).actions[0].contains("SLOW"));
    }

    #[test]
    fn few_reads_say_nothing() {
        let with = |reads| {
            tablespace(tablespace(hour(), io("FAST", 300_000.0, 4.0, 0.0)), io("SLOW", reads, 1_000.0, 0.0))
        };
        with(1_001.0).found(run);
        each_one_file(with(999.0)).not_found(run);
    }

    #[test]
    fn temporary_tablespaces_are_judged_elsewhere() {
        let sorts = io("TEMP", 100_000.0, 30.0, 0.0);
        each_one_file(tablespace(tablespace(hour(), io("FAST", 300_000.0, 4.0, 0.0)), sorts)).not_found(run);
    }

    #[test]
    fn one_slow_file_in_a_tablespace_that_is_not() {
        let files = [("/u01/a.dbf", 4.0, 300_000.0), ("/u02/b.dbf", 30.0, 30_000.0)];
        let both =
            files.iter().fold(tablespace(hour(), io("DATA", 330_000.0, 6.4, 0.0)), |h, (name, ms, reads)| {
                file(h, name, io("DATA", *reads, *ms, 0.0))
            });
        let found = both.found(run);
        assert!(found.title.contains("file /u02/b.dbf"), "{}", found.title);
        assert_eq!(found.evidence[0].table, "file_io");
    }

    #[test]
    fn reads_of_half_a_minute_are_not_believed() {
        let missing = tablespace(
            tablespace(hour(), io("FAST", 300_000.0, 4.0, 0.0)),
            io("ODD", 100_000.0, 22_000.0, 0.0),
        )
        .missing(run);
        assert!(missing.contains("agree with the wait events"), "{missing}");
    }

    /// One tablespace took 95 % of all read time, five times as long as the others, in an excerpt without waits: it was
    /// looked for and not found.
    #[test]
    fn tablespaces_without_waits_decided_nothing() {
        let alone = |slow_ms| {
            let mut hour = tablespace(
                tablespace(hour(), io("FAST", 30_000.0, 60.0, 0.0)),
                io("SLOW", 100_000.0, slow_ms, 0.0),
            );
            hour.report.tables.wait_event.clear();
            hour.report.tables.time_model.clear();
            hour.report.identity.db_time_s = None;
            hour
        };
        let found = alone(400.0).found(run);
        assert!(found.title.contains("SLOW") && found.title.ends_with("34,000 s lost"), "{}", found.title);
        let missing = alone(100.0).missing(run);
        assert!(missing.contains("DB time"), "{missing}");
    }

    /// Both sections were read without their blocks a read, and the rule missed "Tablespace IO Stats, File IO Stats";
    /// the headline had storage within its bar, one file of half the reads at 12.4 ms.
    #[test]
    fn sections_that_were_read_without_a_column_were_missing() {
        let without_blocks = |name: &str, reads, ms| {
            let mut io = io(name, reads, ms, 0.0);
            io.blocks_per_read = None;
            io
        };
        let hour = tablespace(
            Hour::new(7200.0).cpu(1800.0).device(DeviceClass::Disk).foreground(
                "db file sequential read",
                1.7e6,
                5_300.0,
            ),
            without_blocks("DATA", 1.7e6, 8.2),
        );
        let hour = file(hour, "/u01/a.dbf", without_blocks("DATA", 850_000.0, 12.4));
        let hour = file(hour, "/u01/b.dbf", without_blocks("DATA", 850_000.0, 4.1));
        let missing = match run(&crate::Case::new(&hour.report, &crate::Options::default())) {
            crate::Verdict::CannotTell(missing) => missing,
            other => format!("{other:?}"),
        };
        assert!(missing.starts_with("blocks a read") && missing.contains("File IO Stats"), "{missing}");
        let options = crate::Options { device_class: Some(DeviceClass::Disk), ..crate::Options::default() };
        let diagnosis = crate::diagnose(&hour.report, &options);
        let answer = diagnosis.answer;
        assert!(answer.contains("within its bar (3.12 ms, bar 10 ms)"), "{answer}");
        let says =
            "Yet by \"Hand-made\" reads take 8.2 ms, and file /u01/a.dbf has 850,000 reads at 12.4 ms.";
        assert!(answer.contains(says), "{answer}");
        let account = diagnosis.accounts.iter().find(|a| a.quantity.starts_with("mean read"));
        let because = account.map_or("", |a| a.because.as_str());
        assert!(because.contains("163 % apart") && !because.contains("agree within rounding"), "{because}");
    }

    #[test]
    fn without_the_sections_it_cannot_tell_unless_reads_do_not_matter() {
        assert!(hour().missing(run).contains("Tablespace IO Stats"));
        Hour::new(7200.0).foreground("db file sequential read", 1_000.0, 10.0).not_found(run);
    }
}
