//! What kind of storage answers: it decides which bars apply.
//!
//! Given by the caller; else Exadata by its events; else flash by names of files and parameters;
//! else the distribution of single-block reads, which tells disks from the rest but never flash
//! from a cache before disks.

use crate::bars::{Bars, DeviceClass};
use crate::case::parameter_in_force;
use crate::events::EventTotal;
use crate::io_profile::SINGLE_BLOCK_READS;
use crate::outcome::DeviceGuess;
use crate::words;
use spindle_facts::{Report, Side, WaitHistogram};

/// A disk arm does not reach a random block faster, on average.
const FASTER_THAN_DISK_US: f64 = 2_000.0;
/// Bucket bound next to it, as Oracle counts.
const FAST_BUCKET_US: f64 = 2_048.0;
/// About the mean of a 15,000 rpm disk with little load.
const DISK_US: f64 = 4_000.0;
/// Disks without a queue before them take no longer, on average.
const QUEUED_DISK_US: f64 = 20_000.0;
/// Share of slow reads from which they are what answers, and not stalls of something fast, percent.
const SLOW_SHARE_PCT: f64 = 20.0;
/// Fewer reads tell nothing.
const LEAST_READS: f64 = 100.0;

pub(crate) fn device_class(
    report: &Report,
    given: Option<DeviceClass>,
    events: &[EventTotal],
    histograms: &[WaitHistogram],
) -> DeviceGuess {
    let guess = |value, because: String| DeviceGuess { value, because };
    if let Some(class) = given {
        return guess(class, "given by the user".to_owned());
    }
    let cell_reads = |e: &&EventTotal| {
        ["cell single block", "cell multiblock", "cell smart", "cell list of blocks"]
            .iter()
            .any(|p| e.event.starts_with(p))
            && e.waits.is_some_and(|w| w > 0.0)
    };
    if let Some(event) = events.iter().find(cell_reads) {
        return guess(DeviceClass::Exadata, format!("the report has `{}`", event.event));
    }
    if let Some(because) = flash_by_name(report) {
        return guess(DeviceClass::Flash, because);
    }

    let reads = events
        .iter()
        .filter(|e| e.side == Side::Foreground && SINGLE_BLOCK_READS.contains(&e.event.as_str()))
        .find(|e| e.waits.is_some_and(|w| w >= LEAST_READS));
    let Some(reads) = reads else {
        return guess(
            DeviceClass::Unknown,
            "too few single-block reads to tell; the bars of disks apply".to_owned(),
        );
    };
    let histogram = histograms.iter().find(|h| h.event == reads.event && h.counted_waits() >= LEAST_READS);
    if let Some(histogram) = histogram
        && let Some(value) = by_shape(histogram)
    {
        return value;
    }
    match reads.avg_us {
        Some(us) if us < FASTER_THAN_DISK_US => guess(
            DeviceClass::FlashOrCache,
            format!("single-block reads average {}, faster than a disk arm moves", words::latency(us)),
        ),
        Some(us) if us >= QUEUED_DISK_US => guess(
            DeviceClass::Disk,
            format!(
                "single-block reads average {}, longer than disks take without a queue before them",
                words::latency(us)
            ),
        ),
        Some(us) if us >= DISK_US => guess(
            DeviceClass::Disk,
            format!("single-block reads average {}, what disks take", words::latency(us)),
        ),
        Some(us) => guess(
            DeviceClass::Unknown,
            format!(
                "single-block reads average {}: a busy flash tier or disks behind a cache; the bars of disks apply",
                words::latency(us)
            ),
        ),
        None => guess(DeviceClass::Unknown, "no read time is printed; the bars of disks apply".to_owned()),
    }
}

/// What storage of the fastest class that nothing printed excludes is held to, where that is stricter than what holds
/// here, and what would tell; `None` where the class is given or certain.
///
/// Names of files or where new ones go tell flash; a distribution of reads tells whether something faster than disks
/// answers; waits for cells tell Exadata.
pub(crate) fn stricter(
    report: &Report,
    given: Option<DeviceClass>,
    value: DeviceClass,
    lists_all: bool,
    histograms: &[WaitHistogram],
) -> Option<(Bars, String)> {
    if given.is_some() || matches!(value, DeviceClass::Flash | DeviceClass::Exadata) {
        return None;
    }
    let destination = parameter_in_force(report, "db_create_file_dest").is_some();
    let named = !report.tables.file_io.is_empty() || destination;
    let read = |h: &&WaitHistogram| SINGLE_BLOCK_READS.contains(&h.event.as_str());
    let shaped = value == DeviceClass::FlashOrCache || histograms.iter().any(|h| read(&h));
    let class = if !named || !lists_all {
        DeviceClass::Flash
    } else if !shaped {
        DeviceClass::FlashOrCache
    } else {
        return None;
    };
    let mut missing = Vec::new();
    if !named {
        missing.push("where the data files lie (File IO Stats, db_create_file_dest)");
    }
    if !lists_all {
        missing.push("all wait events");
    }
    if !shaped {
        missing.push("the wait histogram of single-block reads");
    }
    let missing = format!(
        "what the storage is: flash would be slow at this, disks would not; --device-class says it, or {}",
        missing.join(", or ")
    );
    Some((Bars::of(class), missing))
}

/// Disks by their reads of four milliseconds and more, flash or a cache by nearly all reads
/// under two.
fn by_shape(histogram: &WaitHistogram) -> Option<DeviceGuess> {
    let peaks = histogram.peaks();
    if let [fast, .., slow] = peaks.as_slice()
        && slow.summit_low_us >= DISK_US
        && slow.share_pct >= SLOW_SHARE_PCT
        && fast.summit_low_us < FASTER_THAN_DISK_US
    {
        let because = format!(
            "two peaks: {} of the single-block reads are fast (a cache), {} lie around {} (disks)",
            words::percent(fast.share_pct),
            words::percent(slow.share_pct),
            words::latency(slow.summit_low_us)
        );
        return Some(DeviceGuess { value: DeviceClass::Disk, because });
    }
    let slow = histogram.share_above_pct(FAST_BUCKET_US)?;
    if slow.high <= SLOW_SHARE_PCT {
        let because = format!(
            "{} of the single-block reads take less than 2 ms, faster than a disk arm moves",
            at_least(100.0 - slow.high)
        );
        return Some(DeviceGuess { value: DeviceClass::FlashOrCache, because });
    }
    let very_slow = histogram.share_above_pct(DISK_US * 1.024)?;
    (very_slow.low >= 50.0).then(|| DeviceGuess {
        value: DeviceClass::Disk,
        because: format!(
            "{} of the single-block reads take 4 ms or more, what disks take",
            words::percent(very_slow.low)
        ),
    })
}

fn at_least(pct: f64) -> String {
    if pct > 99.0 { "more than 99 %".to_owned() } else { format!("at least {pct:.0} %") }
}

/// Names that say flash: most data files, or where new files go.
fn flash_by_name(report: &Report) -> Option<String> {
    let says_flash = |name: &str| {
        let name = name.to_ascii_lowercase();
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|w| {
            ["nvme", "ssd", "flash", "pmem"].iter().any(|f| {
                w == *f || w.starts_with(f) && w[f.len()..].bytes().all(|b| b.is_ascii_digit() || b == b'n')
            })
        })
    };
    let files = &report.tables.file_io;
    let flash = files.iter().filter(|f| says_flash(&f.file)).count();
    if flash > 0 && 2 * flash > files.len() {
        let name = files.iter().find(|f| says_flash(&f.file)).map_or("", |f| f.file.as_str());
        return Some(format!("{flash} of {} files have names that say flash, such as {name}", files.len()));
    }
    let destination = parameter_in_force(report, "db_create_file_dest")?;
    let value = destination.end_value.as_deref().or(destination.begin_value.as_deref())?;
    says_flash(value).then(|| format!("db_create_file_dest is {value}"))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::Hour;
    use crate::{Bars, Case, DeviceClass, Options};

    fn class(hour: Hour) -> DeviceClass {
        Case::new(&hour.report, &Options::default()).device.value
    }

    fn reads(mean_ms: f64) -> Hour {
        Hour::new(1e5).foreground("db file sequential read", 1000.0, mean_ms)
    }

    #[test]
    fn the_mean_tells_only_where_it_is_far_from_the_edge() {
        assert_eq!(class(reads(0.4)), DeviceClass::FlashOrCache);
        assert_eq!(class(reads(3.0)), DeviceClass::Unknown);
        assert_eq!(class(reads(8.0)), DeviceClass::Disk);
        assert_eq!(
            class(Hour::new(1e5).foreground("db file sequential read", 99.0, 0.01)),
            DeviceClass::Unknown
        );
    }

    /// "Single-block reads average 82.5 ms, what disks take": many times what disks take.
    #[test]
    fn reads_many_times_as_long_as_a_disk_takes_were_what_disks_take() {
        let because = |ms| Case::new(&reads(ms).report, &Options::default()).device.because;
        assert!(because(8.0).ends_with("8 ms, what disks take"), "{}", because(8.0));
        assert!(because(82.5).contains("82.5 ms, longer than disks take"), "{}", because(82.5));
    }

    #[test]
    fn two_peaks_are_disks_behind_a_cache() {
        let buckets = [
            (Some(512.0), 500.0),
            (Some(1024.0), 100.0),
            (Some(4096.0), 20.0),
            (Some(8192.0), 380.0),
            (None, 0.0),
        ];
        assert_eq!(class(reads(2.5).histogram("db file sequential read", &buckets)), DeviceClass::Disk);
    }

    #[test]
    fn names_and_the_user_decide_before_the_shape() {
        let flash = |dest: &str| class(reads(8.0).parameter("db_create_file_dest", dest));
        assert_eq!(flash("+DATA_SSD01"), DeviceClass::Flash);
        assert_eq!(flash("/u02/nvme0n1/oradata"), DeviceClass::Flash);
        assert_eq!(flash("+CLASSDATA"), DeviceClass::Disk);
        assert_eq!(
            class(reads(0.1).foreground("cell single block physical read", 10.0, 1.0)),
            DeviceClass::Exadata
        );
        let hour = reads(0.1);
        let options = Options { device_class: Some(DeviceClass::Disk), ..Options::default() };
        let case = Case::new(&hour.report, &options);
        assert_eq!((case.device.value, case.bars), (DeviceClass::Disk, Bars::of(DeviceClass::Disk)));
    }
}
