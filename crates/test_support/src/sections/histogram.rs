//! Wait histograms: one facts histogram an event, printed in every resolution of the release.
//!
//! Up to 12.1 Oracle keeps buckets of milliseconds, from 12.2 of microseconds, so that `<1ms` there
//! is 1024 us.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{HistogramBucket, Report, WaitHistogram};

/// One table: its bounds in microseconds, the last bucket being open.
struct Resolution {
    title: &'static str,
    /// Third heading line and after, as text prints it.
    ruled: &'static str,
    columns: &'static [&'static str],
    groups: &'static [(&'static str, usize)],
    bounds_us: &'static [f64],
    /// Its first column counts the waits above this bound, up to that one; `None` counts all.
    counts_us: Option<(f64, f64)>,
    /// What the notes say of units.
    units: &'static [&'static str],
}

/// The bucket bounds that a release keeps, ascending, in microseconds.
#[must_use]
pub fn histogram_bounds_us(release: Release) -> Vec<f64> {
    let count = if release >= Release::V12_2 { 33 } else { 23 };
    let unit = if release >= Release::V12_2 { 1.0 } else { 1_000.0 };
    (0..count).map(|k| unit * f64::from(1_u32 << k.min(31)) * if k > 31 { 2.0 } else { 1.0 }).collect()
}

/// Buckets from zero up to each bound, microseconds, with waits that are known exactly.
pub(crate) fn exact_buckets(bounds_us: &[f64], waits: impl IntoIterator<Item = f64>) -> Vec<HistogramBucket> {
    let lows = std::iter::once(&0.0).chain(bounds_us);
    let bucket = |((low_us, high_us), waits): ((&f64, &f64), f64)| HistogramBucket {
        low_us: *low_us,
        high_us: Some(*high_us),
        waits,
        waits_low: waits,
        waits_high: waits,
        share_pct: None,
        share_bounds_pct: None,
        line: 0,
    };
    lows.zip(bounds_us).zip(waits).map(bucket).collect()
}

const MS: f64 = 1_000.0;
const S: f64 = 1_024.0 * MS;
const US_MS: f64 = 1_024.0;
const US_S: f64 = 1_024.0 * US_MS;

const MAIN_MS: Resolution = Resolution {
    title: "Wait Event Histogram",
    ruled: "                                                    % of Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Total\n\
            Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &["Event", "Total Waits", "<1ms", "<2ms", "<4ms", "<8ms", "<16ms", "<32ms", "<=1s", ">1s"],
    groups: &[("", 1), ("", 1), ("% of Waits", 8)],
    bounds_us: &[MS, 2.0 * MS, 4.0 * MS, 8.0 * MS, 16.0 * MS, 32.0 * MS, S],
    counts_us: None,
    units: &[],
};

const DETAIL_64MS: Resolution = Resolution {
    title: "Wait Event Histogram Detail (64 msec to 2 sec)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                          64ms\n\
            Event                      to 2s <32ms <64ms <1/8s <1/4s <1/2s   <1s   <2s  >=2s\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &[
        "Event",
        "Waits 64ms to 2s",
        "<32ms",
        "<64ms",
        "<1/8s",
        "<1/4s",
        "<1/2s",
        "<1s",
        "<2s",
        ">=2s",
    ],
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[32.0 * MS, 64.0 * MS, 128.0 * MS, 256.0 * MS, 512.0 * MS, S, 2.0 * S],
    counts_us: Some((32.0 * MS, 2.0 * S)),
    units: &["   ms is milliseconds", "   s is 1024 milliseconds (approximately 1 second)"],
};

const DETAIL_4S: Resolution = Resolution {
    title: "Wait Event Histogram Detail (4 sec to 2 min)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           4s\n\
            Event                      to 2m   <2s   <4s   <8s  <16s  <32s  < 1m  < 2m  >=2m\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &["Event", "Waits 4s to 2m", "<2s", "<4s", "<8s", "<16s", "<32s", "< 1m", "< 2m", ">=2m"],
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[2.0 * S, 4.0 * S, 8.0 * S, 16.0 * S, 32.0 * S, 64.0 * S, 128.0 * S],
    counts_us: Some((2.0 * S, 128.0 * S)),
    units: &[
        "   s is 1024 milliseconds (approximately 1 second)",
        "   m is 64*1024 milliseconds (approximately 67 seconds)",
    ],
};

const DETAIL_4M: Resolution = Resolution {
    title: "Wait Event Histogram Detail (4 min to 1 hr)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           4m\n\
            Event                      to 1h  < 2m  < 4m  < 8m <1/4h <1/2h  < 1h  >=1h\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &["Event", "Waits 4m to 1h", "<2m", "<4m", "<8m", "<1/4h", "<1/2h", "< 1h", ">=1h"],
    groups: &[("", 1), ("", 1), ("% of Total Waits", 7)],
    bounds_us: &[128.0 * S, 256.0 * S, 512.0 * S, 1024.0 * S, 2048.0 * S, 4096.0 * S],
    counts_us: Some((128.0 * S, 4096.0 * S)),
    units: &[
        "   m is 64*1024 milliseconds (approximately 67 seconds = 1.1 minutes)",
        "   h is 64*64*1024 milliseconds (approximately 70 minutes)",
    ],
};

const MAIN_US: Resolution = Resolution {
    title: "Wait Event Histogram",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Total\n\
            Event                      Waits  <8us <16us <32us <64us <128u <256u <512u >=512\n\
            ------------------------- ------ ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &[
        "Event",
        "Total Waits",
        "<8us",
        "<16us",
        "<32us",
        "<64us",
        "<128us",
        "<256us",
        "<512us",
        ">=512us",
    ],
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0],
    counts_us: None,
    units: &["   us is microseconds"],
};

const UP_TO_64US: Resolution = Resolution {
    title: "Wait Event Histogram (up to 64 us)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           1us\n\
            Event                     - 64us  <1us  <2us  <4us  <8us <16us <32us <64us >=64u\n\
            ------------------------- ------ ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &[
        "Event",
        "Waits 1us - 64us",
        "<1us",
        "<2us",
        "<4us",
        "<8us",
        "<16us",
        "<32us",
        "<64us",
        ">=64us",
    ],
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0],
    counts_us: Some((0.0, 64.0)),
    units: &["   us is microseconds"],
};

const UP_TO_32MS: Resolution = Resolution {
    title: "Wait Event Histogram (up to 32 ms)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           1ms\n\
            Event                     to 32m  <512  <1ms  <2ms  <4ms  <8ms <16ms <32ms >=32m\n\
            ------------------------- ------ ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &[
        "Event",
        "Waits 1ms to 32ms",
        "<512us",
        "<1ms",
        "<2ms",
        "<4ms",
        "<8ms",
        "<16ms",
        "<32ms",
        ">=32ms",
    ],
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[512.0, US_MS, 2.0 * US_MS, 4.0 * US_MS, 8.0 * US_MS, 16.0 * US_MS, 32.0 * US_MS],
    counts_us: Some((512.0, 32.0 * US_MS)),
    units: &["   us is microseconds,", "   ms is 1024 microseconds (approximately 1 millisecond)"],
};

const UP_TO_2S: Resolution = Resolution {
    title: "Wait Event Histogram (up to 2 sec)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                          64ms\n\
            Event                      to 2s <32ms <64ms <1/8s <1/4s <1/2s   <1s   <2s  >=2s\n\
            ------------------------- ------ ----- ----- ----- ----- ----- ----- ----- -----",
    columns: DETAIL_64MS.columns,
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[32.0 * US_MS, 64.0 * US_MS, 128.0 * US_MS, 256.0 * US_MS, 512.0 * US_MS, US_S, 2.0 * US_S],
    counts_us: Some((32.0 * US_MS, 2.0 * US_S)),
    units: DETAIL_64MS.units,
};

const UP_TO_2MIN: Resolution = Resolution {
    title: "Wait Event Histogram (up to 2 min)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           4s\n\
            Event                      to 2m   <2s   <4s   <8s  <16s  <32s  < 1m  < 2m  >=2m\n\
            ------------------------- ------ ----- ----- ----- ----- ----- ----- ----- -----",
    columns: DETAIL_4S.columns,
    groups: &[("", 1), ("", 1), ("% of Total Waits", 8)],
    bounds_us: &[2.0 * US_S, 4.0 * US_S, 8.0 * US_S, 16.0 * US_S, 32.0 * US_S, 64.0 * US_S, 128.0 * US_S],
    counts_us: Some((2.0 * US_S, 128.0 * US_S)),
    units: DETAIL_4S.units,
};

const UP_TO_1HR: Resolution = Resolution {
    title: "Wait Event Histogram (up to 1 hr)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           4m\n\
            Event                      to 1h  < 2m  < 4m  < 8m <1/4h <1/2h  < 1h  >=1h\n\
            ------------------------- ------ ----- ----- ----- ----- ----- ----- -----",
    columns: DETAIL_4M.columns,
    groups: &[("", 1), ("", 1), ("% of Total Waits", 7)],
    bounds_us: &[128.0 * US_S, 256.0 * US_S, 512.0 * US_S, 1024.0 * US_S, 2048.0 * US_S, 4096.0 * US_S],
    counts_us: Some((128.0 * US_S, 4096.0 * US_S)),
    units: DETAIL_4M.units,
};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let tables: &[&Resolution] = if style.release >= Release::V12_2 {
        &[&MAIN_US, &UP_TO_64US, &UP_TO_32MS, &UP_TO_2S, &UP_TO_2MIN, &UP_TO_1HR]
    } else if style.release >= Release::V11_2_0_3 {
        &[&MAIN_MS, &DETAIL_64MS, &DETAIL_4S, &DETAIL_4M]
    } else {
        &[&MAIN_MS]
    };
    tables.iter().map(|r| block(report, style, r)).collect()
}

fn waits_between(histogram: &WaitHistogram, low_us: f64, high_us: f64) -> f64 {
    histogram
        .buckets
        .iter()
        .filter(|b| b.low_us >= low_us && b.high_us.unwrap_or(f64::INFINITY) <= high_us)
        .map(|b| b.waits)
        .sum()
}

fn block(report: &Report, style: &Style, table: &Resolution) -> Block {
    let is_idle = |event: &str| report.tables.wait_event.iter().any(|e| e.is_idle && e.event == event);
    let mut rows = Vec::new();
    for h in &report.tables.wait_histogram {
        let total: f64 = h.buckets.iter().map(|b| b.waits).sum();
        let counted = match table.counts_us {
            None => h.waits.unwrap_or(total),
            Some(_) if is_idle(&h.event) => 0.0,
            Some((low, high)) => waits_between(h, low, high),
        };
        if counted <= 0.0 {
            continue;
        }
        let mut cells = vec![Cell::name(h.event.clone()), style.kilo(Some(counted))];
        let mut low = 0.0;
        for bound in table.bounds_us.iter().copied().chain([f64::INFINITY]) {
            cells.push(style.histogram_share(waits_between(h, low, bound), total));
            low = bound;
        }
        rows.push(Row::new(cells));
    }
    Block {
        title: table.title.into(),
        summary: "This table displays total number of waits, and information about total wait time, for each wait event",
        notes: if rows.is_empty() { Vec::new() } else { notes(table) },
        ruled: table.ruled,
        columns: table.columns,
        groups: table.groups,
        rows,
        new_page: true,
        ..Block::default()
    }
}

fn notes(table: &Resolution) -> Vec<String> {
    let mut notes = vec!["-> Units for Total Waits column: K is 1000, M is 1000000, G is 1000000000"];
    if table.units.is_empty() {
        notes.extend([
            "-> % of Waits: value of .0 indicates value was <.05%; value of null is truly 0",
            "-> % of Waits: column heading of <=1s is truly <1024ms, >1s is truly >=1024ms",
            "-> Ordered by Event (idle events last)",
        ]);
    } else {
        notes.push("-> Units for % of Total Waits:");
        notes.extend(table.units);
        if table.counts_us.is_some() {
            notes.push("-> % of Total Waits: total waits for all wait classes, including Idle");
        }
        notes.extend([
            "-> % of Total Waits: value of .0 indicates value was <.05%;",
            "   value of null is truly 0",
        ]);
        notes.push(if table.counts_us.is_some() {
            "-> Ordered by Event (only non-idle events are displayed)"
        } else {
            "-> Ordered by Event (idle events last)"
        });
    }
    notes.into_iter().map(str::to_owned).collect()
}
