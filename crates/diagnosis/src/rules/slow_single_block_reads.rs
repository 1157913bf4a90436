//! Slow single-block reads.
//!
//! # What it detects
//! Sessions wait a material part of DB time for reads of one block (`db file sequential read`;
//! `cell single block physical read` on Exadata), and the mean read takes longer than storage of
//! this class should.
//!
//! # Why it costs response time
//! An index lookup reads block after block, each read waiting for the one before. The session is
//! idle until the block arrives, so each millisecond of read time is a millisecond of response
//! time, times the number of blocks that the cache did not hold.
//!
//! # Facts needed
//! Foreground wait events with waits and time. The wait histogram sharpens the answer; file names,
//! parameters or `--device-class` decide the class of the storage. An excerpt without waits is judged by
//! `Tablespace IO Stats`, `File IO Stats` or `IOStat by Function`, and claims no time.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean read, disk or unknown | 10 ms | Oracle's own help; default of ADDM's expected read time; a 15k disk needs about 5 ms, a 7,200 disk 12 ms |
//! | mean read, flash or cache | 2 ms | a disk arm does not move faster, so nothing slower is taken for a cache |
//! | mean read, flash, Exadata | 1 ms | flash answers in 0.2-1 ms; a flash hit on Exadata takes under 1 ms, its disks 2-15 ms |
//! | at the bar | up to 5 % above it | ours: bars are round numbers, and a cause does not begin at one |
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! A mean that rounding leaves on both sides of the bar is not judged.
//!
//! # When it is wrong
//! With all CPUs busy a session waits for a CPU before it can end its wait: the read looks slow and
//! is not. A mean over hours mixes good and bad minutes. Where a class had to be guessed the bar
//! may be another one: say `--device-class`.
//!
//! # What to do
//! Compare the mean with what the operating system saw (`iostat -x`, columns of read waiting time)
//! on the same devices in the same period. If both agree, the storage is slow or overloaded: find
//! the busiest and slowest files, and who else uses those devices. If the operating system saw
//! fast reads, look at CPU load, multipathing and queue depth above the device.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / 1e6 as time_s,
//!        time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//! from   v$system_event
//! where  event in ('db file sequential read', 'cell single block physical read');
//!
//! select event, wait_time_milli, wait_count
//! from   v$event_histogram
//! where  event in ('db file sequential read', 'cell single block physical read')
//! order  by event, wait_time_milli;
//! ```

use super::slow_reads::{ReadKind, judge};
use crate::{Case, Verdict};

const READS: ReadKind = ReadKind {
    events: &["db file sequential read", "cell single block physical read"],
    what: "single-block reads",
    bar_us: |_, bars, _| bars.single_block_read_us,
    caveat: "Waits look longer than the reads were when all CPUs are busy, and a mean over the interval \
             mixes its good and its bad minutes.",
};

/// Do single-block reads take longer than storage of this class should need?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    judge(case, &READS)
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    #[test]
    fn disk_reads_above_ten_milliseconds_are_slow() {
        let hour = || Hour::new(7200.0).cpu(1000.0).device(DeviceClass::Disk);
        let slow = hour().foreground("db file sequential read", 400_000.0, 4_240.0).found(run);
        assert!(slow.title.contains("10.6 ms") && slow.title.contains("59 %"), "{}", slow.title);
        assert_eq!(slow.claims[0].seconds, 4_240.0);
        assert!(slow.storage);
        hour().foreground("db file sequential read", 400_000.0, 3_960.0).not_found(run);
    }

    #[test]
    fn flash_reads_above_one_millisecond_are_slow() {
        let hour = || Hour::new(7200.0).device(DeviceClass::Flash);
        hour().foreground("db file sequential read", 400_000.0, 440.0).found(run);
        hour().foreground("db file sequential read", 400_000.0, 360.0).not_found(run);
    }

    #[test]
    fn exadata_counts_reads_apart_by_where_the_block_was() {
        let hour = Hour::new(7200.0).device(DeviceClass::Exadata);
        let hour = hour.foreground("cell single block physical read: flash cache", 900_000.0, 270.0);
        let finding = hour.foreground("cell single block physical read", 100_000.0, 800.0).found(run);
        assert_eq!(finding.claims.len(), 1, "the flash hits are fast");
        assert_eq!(finding.claims[0].of, "cell single block physical read");
    }

    #[test]
    fn trivial_seconds_are_no_finding() {
        let slow = |db_time_s| {
            Hour::new(db_time_s).device(DeviceClass::Disk).foreground(
                "db file sequential read",
                4_000.0,
                100.0,
            )
        };
        slow(3_200.0).found(run);
        slow(3_400.0).not_found(run);
        // An idle database: all of its DB time, and no one waits.
        let idle = Hour::new(50.0).foreground("db file sequential read", 1_000.0, 49.0).missing(run);
        assert!(idle.starts_with("enough load to judge"), "{idle}");
    }

    /// 10.96 ms against a bar of 10 ms was headed by all that reads took, and what the bar would save stood nowhere.
    #[test]
    fn just_above_the_bar_what_it_would_save_stands_beside_the_time() {
        let slow = |seconds| {
            let hour = Hour::new(7200.0).cpu(1000.0).device(DeviceClass::Disk);
            hour.foreground("db file sequential read", 300_000.0, seconds).found(run)
        };
        let just = slow(3_288.0);
        assert!(
            just.title.ends_with("3,288 s (46 % of DB time), at the bar 288 s (4 %) less"),
            "{}",
            just.title
        );
        assert_eq!(just.claims[0].seconds, 3_288.0);
        assert!(!slow(6_100.0).title.contains("less"), "most of it is what the bar would save");
    }

    /// Means a few percent above a round number were findings.
    #[test]
    fn at_the_bar_nothing_is_slow() {
        let hour = Hour::new(7200.0).device(DeviceClass::Disk);
        hour.foreground("db file sequential read", 400_000.0, 4_160.0).not_found(run);
    }

    #[test]
    fn rounding_that_hides_the_bar_is_said() {
        use spindle_facts::Side;
        let hour = Hour::new(1000.0).device(DeviceClass::Disk);
        let hour = hour.event("db file sequential read", Side::Foreground, 10_000.0, 105.0, (104.5, 105.5));
        assert!(hour.missing(run).contains("10 ms"));
    }

    #[test]
    fn an_excerpt_tells_what_its_top_events_tell() {
        let top = |smallest_s| {
            Hour::new(7200.0).top("DB CPU", None, 3000.0).top("log file sync", Some(100_000.0), smallest_s)
        };
        assert!(top(800.0).missing(run).contains("top events"));
        top(60.0).not_found(run);
        Hour::new(7200.0)
            .device(DeviceClass::Disk)
            .top("db file sequential read", Some(100_000.0), 2000.0)
            .found(run);
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
