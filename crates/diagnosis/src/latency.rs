//! The distribution of each I/O event, for the latency pictures.

use crate::bars::Bars;
use crate::by_name::ByName;
use crate::events::EventTotal;
use crate::outcome::Latency;
use crate::words;
use spindle_facts::{Side, WaitHistogram};

/// Bar of an event, where one is.
pub(crate) fn bar_us(event: &str, bars: &Bars) -> Option<f64> {
    let base = event.split(": ").next().unwrap_or(event);
    match base {
        "db file sequential read" | "cell single block physical read" => Some(bars.single_block_read_us),
        "db file scattered read" | "cell multiblock physical read" => Some(bars.multi_block_read_us),
        "log file parallel write" => Some(bars.log_write_us),
        "log file sync" => Some(bars.log_sync_us),
        "db file parallel write" | "db file async I/O submit" => Some(bars.db_write_us),
        _ => None,
    }
}

/// One entry an I/O or commit event that has a histogram, largest time first.
pub(crate) fn latency(events: &[EventTotal], histograms: &[WaitHistogram], bars: &Bars) -> Vec<Latency> {
    let mut result: Vec<(f64, Latency)> = Vec::new();
    let by_name = ByName::new(events, |event| event.event.as_str());
    for histogram in histograms.iter().filter(|h| h.counted_waits() > 0.0) {
        // A histogram counts both sides; the class and the mean are those of the side with more time.
        let Some(event) = by_name.of(&histogram.event).max_by(|a, b| a.time_s.total_cmp(&b.time_s)) else {
            continue;
        };
        if event.is_idle || !matches!(event.wait_class.as_str(), "User I/O" | "System I/O" | "Commit") {
            continue;
        }
        let [p50_us, p90_us, p99_us] = histogram.percentiles_us([50.0, 90.0, 99.0]);
        let latency = Latency {
            event: histogram.event.to_string(),
            side: if histogram.side == Side::All { event.side } else { histogram.side },
            avg_us: event.avg_us,
            p50_us,
            p90_us,
            p99_us,
            bar_us: bar_us(&histogram.event, bars),
            shape: shape(histogram),
            buckets: histogram.buckets.iter().map(|b| (b.low_us, b.high_us, b.waits)).collect(),
            bucket_waits: histogram.buckets.iter().map(|b| (b.waits_low, b.waits_high)).collect(),
            line: histogram.line,
        };
        result.push((event.time_s, latency));
    }
    result.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.event.cmp(&b.1.event)));
    result.into_iter().map(|(_, latency)| latency).collect()
}

/// What the shape says, in a sentence; for reads only, since writes mostly end in a cache.
fn shape(histogram: &WaitHistogram) -> Option<String> {
    let reads = histogram.event.contains("read") && !histogram.event.contains("direct");
    if !reads || histogram.counted_waits() < 100.0 {
        return None;
    }
    let peaks = histogram.peaks();
    if let [first, .., last] = peaks.as_slice() {
        return Some(format!(
            "two peaks: {} around {}, {} around {}",
            words::percent(first.share_pct),
            span(first.summit_low_us, first.summit_high_us),
            words::percent(last.share_pct),
            span(last.summit_low_us, last.summit_high_us)
        ));
    }
    let median = histogram.percentile_us(50.0)?;
    if median.high <= 2_048.0 {
        Some("flash or cache: half of the reads are faster than a disk arm moves".to_owned())
    } else if median.low >= 4_000.0 {
        Some("disk: half of the reads take 4 ms or more".to_owned())
    } else {
        None
    }
}

fn span(low_us: f64, high_us: Option<f64>) -> String {
    match high_us {
        Some(high) if low_us > 0.0 => format!("{} to {}", words::latency(low_us), words::latency(high)),
        Some(high) => format!("less than {}", words::latency(high)),
        None => format!("more than {}", words::latency(low_us)),
    }
}
