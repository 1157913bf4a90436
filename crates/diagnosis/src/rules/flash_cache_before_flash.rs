//! A flash cache in front of storage that is as fast.
//!
//! # What it detects
//! Reads from the Database Smart Flash Cache (`db flash cache single block physical read`) take
//! about as long as reads from the storage behind it.
//!
//! # Why it costs response time
//! The cache gains nothing then: the wait only changes its name. It still costs buffer cache memory
//! for the headers of its blocks, and the database writer's time to fill it.
//!
//! # Facts needed
//! Foreground waits for both events, with waits and time.
//!
//! # Thresholds
//! A read from the flash cache takes 70 % or more of a read from storage: it saves less than a
//! third. Ours, after an experiment in which a flash cache before flash storage gave no gain. 1,000
//! waits on either side. Both together 3 % of DB time, or 1 % where half a session always waits.
//!
//! # When it is wrong
//! What is still read from storage may be the part that its own cache answers; then storage looks
//! faster than it would be without the flash cache.
//!
//! # What to do
//! Switch the flash cache off for a day (`DB_FLASH_CACHE_SIZE = 0`) and compare, or give the device
//! to what is slow: redo, temp, or data as a tier of its own. Use the memory of its headers for the
//! buffer cache.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//!   from v$system_event
//!  where event in ('db flash cache single block physical read', 'db file sequential read');
//! ```

use super::material;
use crate::{Case, Finding, Verdict, words};

const FLASH_CACHE: &str = "db flash cache single block physical read";
const STORAGE: &str = "db file sequential read";
/// Share of a storage read that a read from the cache takes, from which it gains too little.
const CLOSE: f64 = 0.7;
/// Waits below which a mean says little.
const ENOUGH_WAITS: f64 = 1_000.0;

/// Is the flash cache no faster than what it stands before?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let cache = case.foreground_event(FLASH_CACHE).filter(|e| e.time_s > 0.0);
    let storage = case.foreground_event(STORAGE);
    // Releases before 11.2 have no such cache.
    let too_old = case.report.identity.release().is_some_and(|r| r < (11, 2));
    if cache.is_none() && (too_old || case.prints_wait_events()) {
        return Verdict::NotFound;
    }
    let seconds = case.event_time_s(FLASH_CACHE) + case.event_time_s(STORAGE);
    let lacking = usize::from(cache.is_none()) + usize::from(storage.is_none());
    if let Some(verdict) = material::waits_not_worth(case, "reads from the flash cache", lacking, seconds) {
        return verdict;
    }
    let Some(cache) = cache else {
        return Verdict::CannotTell(format!(
            "the waits for `{FLASH_CACHE}`: only the top events are printed"
        ));
    };
    let means = storage.and_then(|s| Some((cache.avg_us?, s.avg_us?, s)));
    let Some((cache_us, storage_us, storage)) = means else {
        return Verdict::CannotTell(format!("the mean waits for `{FLASH_CACHE}` and `{STORAGE}`"));
    };
    let enough = [cache, storage].iter().all(|e| e.waits.is_none_or(|w| w >= ENOUGH_WAITS));
    if !enough || cache_us < CLOSE * storage_us {
        return Verdict::NotFound;
    }
    Verdict::Found(Finding {
        title: format!(
            "The flash cache answers in {}, the storage behind it in {}: hardly any gain",
            words::latency(cache_us),
            words::latency(storage_us)
        ),
        storage: true,
        touches_s: seconds,
        evidence: vec![case.event_evidence(cache), case.event_evidence(storage)],
        actions: vec![
            "Switch it off for a day (DB_FLASH_CACHE_SIZE = 0) and compare".to_owned(),
            "Give its device to what is slow (redo, temp, busy segments), its headers' memory to the buffer cache".to_owned(),
        ],
        caveat: "What is still read from storage may be the part that its own cache answers".to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    #[test]
    fn a_cache_as_slow_as_what_it_stands_before() {
        let with = |s| {
            Hour::new(7200.0).foreground("db flash cache single block physical read", 1e6, s).foreground(
                "db file sequential read",
                1e6,
                500.0,
            )
        };
        let found = with(351.0).found(run);
        assert!(
            found.title.contains("answers in 0.351 ms, the storage behind it in 0.5 ms"),
            "{}",
            found.title
        );
        assert!(found.storage && found.claims.is_empty());
        with(349.0).not_found(run);
    }

    #[test]
    fn few_or_trivial_reads_say_nothing() {
        let with = |waits: f64, each_s: f64| {
            Hour::new(7200.0)
                .foreground("db flash cache single block physical read", waits, waits * each_s)
                .foreground("db file sequential read", 1e6, 1e6 * each_s)
        };
        with(1_001.0, 0.001).found(run);
        with(999.0, 0.001).not_found(run);
        with(1e6, 0.000_01).not_found(run);
    }

    #[test]
    fn without_the_cache_or_the_means() {
        Hour::new(7200.0).foreground("db file sequential read", 1e6, 500.0).not_found(run);
        let missing = Hour::new(7200.0)
            .foreground("db flash cache single block physical read", 1e6, 500.0)
            .missing(run);
        assert!(missing.contains("db file sequential read"), "{missing}");
    }
}
