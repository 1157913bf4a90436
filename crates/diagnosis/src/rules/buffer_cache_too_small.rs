//! A buffer cache that is too small.
//!
//! # What it detects
//! The buffer cache advice says that a cache of up to twice the size would save a good part of the
//! physical reads, and those reads take a material part of DB time.
//!
//! # Why it costs response time
//! A block found in the cache takes microseconds, a read from storage a hundred to a thousand times
//! as long.
//!
//! # Facts needed
//! Buffer pool advice (`db_cache_advice` must not be OFF) and foreground wait events.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | largest cache looked at | twice the present one | the advice's own range |
//! | reads saved | at least 10 % | ours; less is within what the advice can be wrong |
//! | last size of the advice | left out where the one before it saves under a quarter as much | ours: a step of data that would just fit, or an estimate gone wrong, and no other size to tell |
//! | time saved | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! The time saved is the share of reads saved, of the time waited for reads into the cache; reads
//! past the cache (direct path, smart scans) are not counted.
//!
//! # When it is wrong
//! The advice counts from the start of the instance, or from the last resize, not only in this
//! interval. Blocks that a file system or array cache answers save less than the mean read. Memory
//! that the host does not have must not be given.
//!
//! # What to do
//! See whether the host has the memory, then raise `db_cache_size` (or `sga_target`) to the size
//! that the title names, not to the largest one. Where the advice is flat, memory does not help:
//! look at the statements, or at faster storage.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, size_for_estimate as mb, size_factor, estd_physical_read_factor, estd_physical_reads
//! from   v$db_cache_advice where advice_status = 'ON' order by name, size_for_estimate;
//! ```

use super::material::{may_be_material, not_worth, of_db_time};
use super::reads::{BLOCK_LISTS, MULTI_BLOCK, OTHERS_READ, SINGLE_BLOCK, claim_share, reads, seconds};
use crate::cache_advice::{LargerCache, largest_readers};
use crate::{Case, Finding, Verdict, words};

/// Part of what the last size saves, below which the one before it saves next to nothing.
const OF_THE_LAST: f64 = 0.25;
/// Least share of the reads saved.
const LEAST_SAVED: f64 = 0.10;
/// The smallest cache with this share of the best saving is proposed.
const ENOUGH_OF_BEST: f64 = 0.8;

/// Would a larger buffer cache save material read time?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = reads(case, &[SINGLE_BLOCK, MULTI_BLOCK, BLOCK_LISTS, OTHERS_READ]);
    let read_s = seconds(case, &events);
    if let Some(missing) = super::reads::unread(case, read_s) {
        return Verdict::CannotTell(missing);
    }
    if let Some(verdict) = super::reads::not_worth(case, &events, read_s) {
        return verdict;
    }
    let pools = largest_readers(&case.report.tables.db_cache_advice).into_iter();
    let Some(pool) = pools.max_by(|a, b| a.reads.unwrap_or(0.0).total_cmp(&b.reads.unwrap_or(0.0))) else {
        return Verdict::CannotTell("the buffer pool advice (is db_cache_advice OFF?)".to_owned());
    };
    let sizes = pool.larger.as_slice();
    let (sizes, cliff) = match sizes {
        [] => return Verdict::CannotTell("sizes above the present one in the buffer pool advice".to_owned()),
        [below @ .., last] => match below.last().filter(|below| below.saved < OF_THE_LAST * last.saved) {
            Some(_) => (below, Some(last)),
            None => (sizes, None),
        },
    };
    let best = sizes.iter().map(|s| s.saved).fold(0.0, f64::max);
    let saved_s = |size: &LargerCache| size.saved * pool.weight * read_s;
    let choice = sizes.iter().find(|s| s.saved >= ENOUGH_OF_BEST * best).filter(|s| s.saved >= LEAST_SAVED);
    // One size of many is no curve: nothing else tells whether it is right.
    let by_last = cliff.filter(|last| last.saved >= LEAST_SAVED && may_be_material(case, saved_s(last)));
    let by_last = by_last.zip(sizes.last()).map(|(last, below)| {
        format!(
            "advice on a buffer cache beyond {}: up to {} a larger one saves at most {} of the reads into it, and the \
             last size alone {}, a step that is data which would just fit, or an estimate gone wrong; see the advice of \
             other intervals",
            words::bytes(last.size_bytes),
            words::bytes(below.size_bytes),
            words::percent(100.0 * best),
            words::percent(100.0 * last.saved)
        )
    });
    let Some(choice) = choice else {
        return by_last.map_or(Verdict::NotFound, Verdict::CannotTell);
    };
    let saved_s = saved_s(choice);
    if let Some(verdict) = not_worth(case, "reads that a larger cache would save", saved_s) {
        return by_last.map_or(verdict, Verdict::CannotTell);
    }
    let advice = &case.report.tables.db_cache_advice;
    let proof = |row: usize| {
        let a = &advice[row];
        let text = format!(
            "cache of {}: {} estimated reads, {} times the present ones",
            a.size_bytes.map_or("unknown size".to_owned(), words::bytes),
            a.estimated_reads.map_or("unknown".to_owned(), words::count),
            a.read_factor.map_or("unknown".to_owned(), words::significant)
        );
        case.evidence("db_cache_advice", row, a.line, a.section, text)
    };
    let mut evidence = vec![proof(pool.row), proof(choice.row)];
    evidence.extend(events.first().map(|e| case.event_evidence(e)));
    let host = case
        .report
        .identity
        .memory_bytes
        .map_or(String::new(), |m| format!(" The host has {} in all.", words::bytes(m)));
    Verdict::Found(Finding {
        title: format!(
            "A buffer cache of {} instead of {} would save {} of the reads into it, about {}{}",
            words::bytes(choice.size_bytes),
            words::bytes(pool.size_bytes),
            words::percent(100.0 * choice.saved),
            words::seconds(saved_s),
            of_db_time(case, saved_s)
        ),
        // The number of reads costs, not the storage that answers them.
        storage: false,
        claims: claim_share(case, &events, choice.saved * pool.weight),
        evidence,
        actions: vec![
            format!(
                "If the host has the memory, raise the buffer cache{} to {} (db_cache_size or sga_target).{host}",
                pool.instance.map_or(String::new(), |i| format!(" of instance {i}")),
                words::bytes(choice.size_bytes)
            ),
            "Before that, see who fills the cache: one statement with a better plan may save more (`SQL ordered by \
             Reads`)."
                .to_owned(),
        ],
        caveat: "The advice counts since the instance started or the cache was resized, not only in this interval."
            .to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::run;
    use crate::rules::testing::Hour;

    const GIB: f64 = 1_073_741_824.0;

    fn hour(read_s: f64, factors: &[(f64, f64)]) -> Hour {
        let hour = Hour::new(10_000.0).foreground("db file sequential read", 400_000.0, read_s);
        factors.iter().fold(hour, |h, (size, reads)| h.cache_advice(size * 10.0 * GIB, *size, *reads))
    }

    #[test]
    fn the_smallest_size_with_most_of_the_saving_is_proposed() {
        let finding =
            hour(4_000.0, &[(0.5, 1.6), (1.0, 1.0), (1.2, 0.90), (1.5, 0.75), (2.0, 0.70)]).found(run);
        assert!(finding.title.contains("15 GiB instead of 10 GiB would save 25 %"), "{}", finding.title);
        assert!((finding.claims[0].seconds - 1000.0).abs() < 0.01);
    }

    #[test]
    fn of_two_sizes_that_print_as_present_the_odd_one_is() {
        let mib = 1_048_576.0;
        let row = |h: Hour, (size, factor, reads, thousands): (f64, f64, f64, f64)| {
            h.cache_advice(size * mib, factor, reads).with(|r| {
                r.tables.db_cache_advice.last_mut().unwrap().estimated_reads = Some(thousands * 1e3)
            })
        };
        let hour = Hour::new(10_000.0).foreground("db file sequential read", 400_000.0, 4_000.0);
        let rows = [
            (72.0, 0.1, 347.4, 1_573_046.0),
            (720.0, 1.0, 1.0, 4_545.0),
            (728.0, 1.0, 1.0, 4_528.0),
            (1_368.0, 1.9, 0.7, 3_110.0),
        ];
        let finding = rows.into_iter().fold(hour, row).found(run);
        assert!(finding.title.contains("instead of 728 MiB would save 31 %"), "{}", finding.title);
        assert!((finding.claims[0].seconds - 4_000.0 * (1.0 - 3_110.0 / 4_528.0)).abs() < 0.01);
    }

    /// 1.00 to 0.95 over nine sizes and 0.43 at the last one: "38.8 GiB would save 57 % of the reads, about 148,430 s".
    #[test]
    fn a_step_at_the_last_size_of_the_advice_was_advised() {
        let flat = [(1.0, 1.0), (1.4, 0.97), (1.9, 0.95), (2.0, 0.43)];
        let missing = hour(4_000.0, &flat).missing(run);
        assert!(missing.contains("up to 19 GiB a larger one saves at most 5 %"), "{missing}");
        assert!(missing.contains("last size alone 57 %"), "{missing}");
        hour(320.0, &flat).not_found(run);
        // What smaller sizes save is advised all the same.
        let some = hour(4_000.0, &[(1.0, 1.0), (1.4, 0.88), (1.9, 0.87), (2.0, 0.43)]).found(run);
        assert!(some.title.contains("14 GiB instead of 10 GiB would save 12 %"), "{}", some.title);
        let even = hour(4_000.0, &[(1.0, 1.0), (1.5, 0.75), (2.0, 0.43)]).found(run);
        assert!(even.title.contains("20 GiB instead of 10 GiB would save 57 %"), "{}", even.title);
    }

    #[test]
    fn under_a_tenth_of_the_reads_is_no_finding() {
        hour(4_000.0, &[(1.0, 1.0), (2.0, 0.89)]).found(run);
        hour(4_000.0, &[(1.0, 1.0), (2.0, 0.91)]).not_found(run);
    }

    #[test]
    fn the_time_saved_must_matter() {
        hour(1_600.0, &[(1.0, 1.0), (2.0, 0.8)]).found(run);
        hour(1_400.0, &[(1.0, 1.0), (2.0, 0.8)]).not_found(run);
    }

    #[test]
    fn four_times_the_memory_is_no_advice() {
        hour(4_000.0, &[(1.0, 1.0), (2.0, 0.95), (4.0, 0.2)]).not_found(run);
    }

    #[test]
    fn without_advice_it_cannot_tell() {
        assert!(hour(4_000.0, &[]).missing(run).contains("advice"));
    }
}
