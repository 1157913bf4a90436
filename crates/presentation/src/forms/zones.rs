//! The tables of a disk's zones: throughput, the way of the arm, the short stroke, stripes.

use super::{Listing, Shown, figure, half, headings, known};
use crate::number;
use spindle_workload::{Figure, Times, ZonesFound};

/// Bytes as a place or distance.
fn bytes(value: u64) -> String {
    if value == 0 { "0".to_owned() } else { number::bytes(value as f64) }
}

fn times(t: &Times) -> [Shown; 2] {
    [figure(t.mean, number::ms), figure(t.p99, number::ms)]
}

pub(super) fn listings(found: &ZonesFound) -> Vec<Listing> {
    let mut all = vec![strokes(found), zones(found), seeks(found), stripes(found)];
    all.retain(|listing| !listing.rows.is_empty());
    all
}

fn strokes(found: &ZonesFound) -> Listing {
    let whole = found.strokes.last().filter(|s| s.share_pct >= 100.0).and_then(|s| s.reads_per_s);
    let rows = found.strokes.iter().map(|s| {
        let gain = s.reads_per_s.zip(whole).and_then(|(f, whole)| f.over(whole));
        let mut cells = vec![
            Shown { short: bytes(s.bytes), long: bytes(s.bytes) },
            figure(s.reads_per_s, number::measure),
            half(s.reads_per_s),
            figure(gain, number::measure),
        ];
        cells.extend(times(&s.read_us));
        (format!("first {} %", number::plain(s.share_pct)), cells)
    });
    let mut notes = vec![format!(
        "Random reads of {}, {} under way, in the first part of the disk alone.",
        number::bytes(f64::from(found.size)),
        found.depth
    )];
    notes.push(match &found.sweet_spot {
        Some(spot) => format!(
            "The sweet spot is the largest part that keeps {} % of what the smallest brings more than the whole: {} %, {}.",
            number::plain(spot.kept_pct),
            number::plain(spot.share_pct),
            bytes(spot.bytes)
        ),
        None if found.gain_shows == Some(false) => {
            "There is no sweet spot: the smallest part brings no more than the whole.".to_owned()
        }
        None => "Whether there is a sweet spot is not known: the bounds of the smallest part and of the whole hold a gain as \
                 well as none. Take longer (--time)."
            .to_owned(),
    });
    Listing {
        title: "What does a part of the disk bring? (short stroke)".to_owned(),
        what: "Part",
        columns: headings(&["holds", "reads/s", "+/- %", "times all", "mean ms", "p99 ms"]),
        rows: rows.collect(),
        marked: found
            .sweet_spot
            .and_then(|spot| found.strokes.iter().position(|s| s.share_pct == spot.share_pct)),
        notes,
    }
}

fn zones(found: &ZonesFound) -> Listing {
    let rows = found.zones.iter().enumerate().map(|(n, z)| {
        let mut cells = vec![
            Shown { short: bytes(z.from_bytes), long: bytes(z.from_bytes) },
            figure(z.mbps, number::measure),
            half(z.mbps),
        ];
        cells.extend(times(&z.read_us));
        cells.push(half(z.read_us.mean));
        (format!("zone {}", n + 1), cells)
    });
    let ratio = |f: Figure| match f.bounds() {
        Some((low, high)) => format!(
            "The first over the last: {}, between {} and {}.",
            number::measure(f.value),
            number::measure(low),
            number::measure(high)
        ),
        None => format!("The first over the last: {}.", number::measure(f.value)),
    };
    Listing {
        title: "From the first byte to the last (outer to inner)".to_owned(),
        what: "Zone",
        columns: headings(&["from", "MB/s", "+/- %", "random ms", "p99 ms", "+/- %"]),
        rows: rows.collect(),
        marked: None,
        notes: found.zone_ratio.map(ratio).into_iter().collect(),
    }
}

fn seeks(found: &ZonesFound) -> Listing {
    let near = found.seeks.first().and_then(|s| s.read_us);
    let rows = found.seeks.iter().map(|s| {
        let more = s.read_us.zip(near).map(|(f, near)| f.value - near.value);
        let cells = vec![figure(s.read_us, number::ms), half(s.read_us), known(more, number::ms)];
        (format!("{} apart", bytes(s.distance_bytes)), cells)
    });
    Listing {
        title: "What does the way of the arm cost?".to_owned(),
        what: "Two places",
        columns: headings(&["ms a read", "+/- %", "more ms"]),
        rows: rows.collect(),
        marked: None,
        notes: vec![
            "Two readers, one request each, at two places around the middle: the time from an answer to the next. On one arm \
             that is a read with its seek; what serves both at once takes half."
                .to_owned(),
        ],
    }
}

fn stripes(found: &ZonesFound) -> Listing {
    let near = found.stripes.first().and_then(|s| s.reads_per_s);
    let rows = found.stripes.iter().map(|s| {
        let gain = s.reads_per_s.zip(near).and_then(|(f, near)| f.over(near));
        let cells =
            vec![figure(s.reads_per_s, number::measure), half(s.reads_per_s), figure(gain, number::measure)];
        (format!("{} apart", bytes(s.distance_bytes)), cells)
    });
    let note = match found.stripe {
        Some(stripe) => format!(
            "Two addresses {} apart bring all there is: a stripe has that or up to twice as much{}.",
            bytes(stripe.least_bytes),
            stripe.width_bytes.map_or_else(String::new, |w| format!(
                "; {} apart they lie on one disk again, which is the width over all disks",
                bytes(w)
            ))
        ),
        None if found.stripe_shows == Some(false) => {
            "No stripe shows: no distance brings a third more than the smallest.".to_owned()
        }
        None => {
            "Whether there are stripes is not known: the bounds hold both. Take longer (--time).".to_owned()
        }
    };
    Listing {
        title: "From which distance do two addresses lie on two disks? (stripes)".to_owned(),
        what: "Two addresses",
        columns: headings(&["reads/s", "+/- %", "times first"]),
        rows: rows.collect(),
        marked: found
            .stripe
            .and_then(|stripe| found.stripes.iter().position(|s| s.distance_bytes == stripe.least_bytes)),
        notes: vec![note],
    }
}
