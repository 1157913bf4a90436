//! The distribution of each I/O event, for the latency pictures, and which part of it is of one side.

use crate::bars::Bars;
use crate::by_name::ByName;
use crate::events::EventTotal;
use crate::outcome::Latency;
use crate::words;
use spindle_facts::{Side, WaitHistogram};

/// Two views of the same waits are read one after the other: they differ by so small a part of these.
const BETWEEN_VIEWS: f64 = 0.005;
/// A smaller part of the waits tells nothing of its own distribution.
const LEAST_PART: f64 = 0.1;

/// The part (0-1) of the waits of a histogram that an event of one side has; `None` where it is unknown or next to
/// nothing, or the histogram counts other waits. `rows` are those of the event, of either side.
pub(crate) fn part_of<'e>(
    histogram: &WaitHistogram,
    event: &EventTotal,
    rows: impl Iterator<Item = &'e EventTotal>,
) -> Option<f64> {
    if histogram.side != Side::All {
        return Some(1.0);
    }
    let others = rows
        .filter(|row| row.side != event.side && row.time_s > 0.0)
        .try_fold(0.0, |sum, row| Some(sum + row.waits?))?;
    part(event.waits, others, histogram)
}

/// The same by waits of the side and of the other one.
pub(crate) fn part(own: Option<f64>, others: f64, histogram: &WaitHistogram) -> Option<f64> {
    let Some(own) = own.filter(|waits| *waits > 0.0) else {
        return (others == 0.0).then_some(1.0);
    };
    let of_rows = own + others;
    match counts(of_rows, histogram) {
        Counts::Others => None,
        Counts::Rows => Some(own / of_rows),
        Counts::More(all) => Some(own / all),
    }
    .filter(|part| *part >= LEAST_PART)
}

/// What a histogram counts, beside the rows of its event.
enum Counts {
    /// The same waits.
    Rows,
    /// Those of a side that is not listed, too: so many.
    More(f64),
    /// Not even half of them: waits of another interval or instance.
    Others,
}

fn counts(of_rows: f64, histogram: &WaitHistogram) -> Counts {
    // A total may be printed as `1M`.
    let least: f64 = histogram.buckets.iter().map(|bucket| bucket.waits_low).sum();
    let most: f64 = histogram.buckets.iter().map(|bucket| bucket.waits_high).sum();
    if most < 0.5 * of_rows {
        Counts::Others
    } else if least > (1.0 + BETWEEN_VIEWS) * of_rows {
        Counts::More(histogram.counted_waits())
    } else {
        Counts::Rows
    }
}

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
        let (side, avg_us) = if histogram.side == Side::All {
            of_all(histogram, event, by_name.of(&histogram.event))
        } else {
            (histogram.side, event.avg_us)
        };
        let latency = Latency {
            event: histogram.event.to_string(),
            side,
            avg_us,
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

/// Whose waits a histogram of both sides counts, and their mean: those of the leading event where it has them all; else
/// those of both, whose mean is known where the rows have all its waits.
fn of_all<'e>(
    histogram: &WaitHistogram,
    leads: &EventTotal,
    rows: impl Iterator<Item = &'e EventTotal> + Clone,
) -> (Side, Option<f64>) {
    if part_of(histogram, leads, rows.clone()) == Some(1.0) {
        return (leads.side, leads.avg_us);
    }
    let waits = rows.clone().try_fold(0.0, |sum, row| Some(sum + row.waits?));
    let time_s: f64 = rows.map(|row| row.time_s).sum();
    let all = waits.filter(|waits| *waits > 0.0 && matches!(counts(*waits, histogram), Counts::Rows));
    (Side::All, all.map(|waits| 1e6 * time_s / waits))
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::rules::testing::Hour;
    use crate::{Case, EventTime, Options};
    use spindle_facts::{Interval, Side};

    const READ: &str = "db file sequential read";

    fn hour() -> Hour {
        // 900 fast ones and 100 slow ones.
        Hour::new(10_000.0).histogram(READ, &[(Some(1_000.0), 900.0), (Some(64_000.0), 90.0), (None, 10.0)])
    }

    fn of_sides(hour: Hour) -> [Option<EventTime>; 2] {
        let sides = Case::new(&hour.report, &Options::default()).response_time;
        [sides.foreground, sides.background].map(|side| {
            side.classes.into_iter().flat_map(|class| class.events).find(|event| event.event == READ)
        })
    }

    fn bounds(low: f64, high: f64) -> Option<Interval> {
        Some(Interval { low, high })
    }

    /// Each side had the percentiles of both, called bounds: 10,000 waits of 0.6 ms had a median of 2 to 4 ms.
    #[test]
    fn percentiles_of_both_sides_were_those_of_each() {
        let [own, background] = of_sides(hour().foreground(READ, 800.0, 2.0).background(READ, 200.0, 8.0));
        let (own, background) = (own.unwrap(), background.unwrap());
        assert_eq!(own.p50_us, bounds(0.0, 1_000.0));
        assert_eq!(own.p90_us, bounds(0.0, 64_000.0), "the slow ones may be of either side");
        assert_eq!(background.p50_us, bounds(0.0, 1_000.0));
        assert_eq!(background.p90_us, bounds(0.0, 64_000.0));
        assert_eq!(background.p99_us, bounds(0.0, f64::INFINITY));
    }

    #[test]
    fn a_side_with_all_waits_has_the_percentiles_of_the_histogram() {
        let [own, _] = of_sides(hour().foreground(READ, 1_000.0, 10.0));
        let own = own.unwrap();
        assert_eq!((own.p50_us, own.p90_us), (bounds(0.0, 1_000.0), bounds(0.0, 1_000.0)));
        assert_eq!(own.p99_us, bounds(1_000.0, 64_000.0));
        // A count of the other side that is not listed.
        let [own, _] = of_sides(hour().foreground(READ, 500.0, 2.0));
        assert_eq!(own.unwrap().p90_us, bounds(0.0, 64_000.0));
        // Too few to say anything of, and waits of another interval.
        let [_, background] = of_sides(hour().foreground(READ, 950.0, 2.0).background(READ, 50.0, 8.0));
        assert_eq!(background.unwrap().p50_us, None);
        let [own, _] = of_sides(hour().foreground(READ, 5_000.0, 2.0));
        assert_eq!(own.unwrap().p50_us, None);
    }

    #[test]
    fn a_picture_of_both_sides_has_the_mean_of_both() {
        let picture = |hour: Hour| {
            let case = Case::new(&hour.report, &Options::default());
            super::latency(&case.events, &hour.report.tables.wait_histogram, &case.bars).remove(0)
        };
        let both = picture(hour().foreground(READ, 800.0, 2.0).background(READ, 200.0, 8.0));
        assert_eq!((both.side, both.avg_us), (Side::All, Some(10_000.0)));
        let one = picture(hour().foreground(READ, 1_000.0, 10.0));
        assert_eq!((one.side, one.avg_us), (Side::Foreground, Some(10_000.0)));
        let unlisted = picture(hour().foreground(READ, 500.0, 2.0));
        assert_eq!((unlisted.side, unlisted.avg_us), (Side::All, None));
    }
}
