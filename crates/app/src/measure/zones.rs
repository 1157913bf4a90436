//! `zones`: what lies where on a disk costs: throughput and service time from the outer edge to the inner, the
//! way of the arm, what using only a part brings, and stripes.

use super::supervise::Runner;
use super::sweep::{Each, add, begin, ms, number, stream, sum};
use spindle_workload::{
    Extent, Figure, Form, Measured, Parameters, Pattern, Region, RunResult, SeekStep, Stream, Stripe,
    StripeStep, StrokeStep, SweetSpot, Times, ZoneStep, ZonesFound,
};

/// Bytes of a read of the sweep of throughput.
const LARGE: u32 = 1 << 20;
/// Shares of the short-stroke table, percent.
const SHARES: [u64; 11] = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
/// The two places of the seek probe are this part of the disk each.
const PLACE: u64 = 1 << 10;
/// Distances of the seek probe are the disk over powers of two, down to this one.
const SEEKS: u32 = 8;
/// Distances of the stripe probe, at most this far and this part of the disk.
const FARTHEST: u64 = 64 << 20;
const FARTHEST_PART: u64 = 4;
/// What differs by less than this part is not told from noise.
const DIFFERS: f64 = 1.05;
/// Figures whose ratio is at most this, at the end of its bounds, are the same.
const ALIKE: f64 = 1.15;
/// A second disk at work has to bring at least this much more.
const SECOND_DISK: f64 = 1.3;
/// Rates from this part of the highest on are those of two disks.
const PLATEAU: f64 = 0.9;
/// The sweet spot keeps this part of what the smallest share brings more.
const KEPT: f64 = 0.5;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ZonesOrder {
    /// Parts that are swept.
    pub zones: u32,
    /// Bytes of a random read.
    pub size: u32,
    /// Random reads under way in the short-stroke table.
    pub depth: u32,
    /// Each run.
    pub each: Each,
}

const SEQUENTIAL: &str = "sequential";
const RANDOM: &str = "random";
const SEEK: &str = "two places";
const STROKE: &str = "first part";
const STRIPE: &str = "two addresses";

/// Sweeps a disk.
///
/// # Errors
/// In a sentence, where nothing can be run.
pub fn zones(runner: &mut dyn Runner, order: &ZonesOrder) -> Result<Measured, String> {
    let [bytes] = *runner.bytes() else {
        return Err("zones are those of one disk: name one file or device".to_owned());
    };
    let zone = bytes / u64::from(order.zones) / u64::from(LARGE) * u64::from(LARGE);
    if zone < 2 * u64::from(LARGE) {
        return Err(format!(
            "{bytes} bytes in {} zones are less than 2 MiB each: ask for fewer (--zones)",
            order.zones
        ));
    }
    let mut measured = begin(Form::Zones);
    let mut on = true;
    let mut step = |measured: &mut Measured, parameters: Parameters, name: String, streams: Vec<Stream>| {
        if on {
            on = add(measured, runner, parameters, &order.each.job(name, streams))?;
        }
        Ok::<(), String>(())
    };
    let phase = |name: &str| Parameters { phase: Some(name.to_owned()), ..Parameters::default() };
    let part =
        |from: u64, to: u64| Region { from: Extent::Bytes(from), length: Some(Extent::Bytes(to - from)) };
    let random = |name: &str, depth: u32, region: Region| Stream {
        region,
        ..stream(name, 100.0, order.size, Pattern::Random, depth)
    };
    let mut reach = zone;
    for n in 0..u64::from(order.zones) {
        let (from, to) = (n * zone, (n + 1) * zone);
        let (first, last) = swept((from, to), reach, (n, u64::from(order.zones)));
        let name = format!("zone {} of {}", n + 1, order.zones);
        let parameters = |of: &str| Parameters { range_bytes: Some((from, to)), ..phase(of) };
        let serial =
            Stream { region: part(first, last), ..stream(SEQUENTIAL, 100.0, LARGE, Pattern::Sequential, 1) };
        step(&mut measured, parameters(SEQUENTIAL), format!("{name}, {SEQUENTIAL}"), vec![serial])?;
        let now = measured.points.last().and_then(|point| rate(&point.result));
        reach = now.map_or(zone, |rate| way(rate.value, order.each.seconds + order.each.warm_up_s));
        let reads = random(RANDOM, 1, part(from, to));
        step(&mut measured, parameters(RANDOM), format!("{name}, {RANDOM}"), vec![reads])?;
    }
    let size = u64::from(order.size);
    let place = (bytes / PLACE / size).max(4) * size;
    let distances = (0..=SEEKS).rev().map(|power| (bytes - place) >> power);
    for distance in std::iter::once(0).chain(distances.map(|d| d / size * size)) {
        let begin = (bytes - place - distance) / 2 / size * size;
        let at = |from: u64| part(from, from + place);
        let streams = vec![random("one", 1, at(begin)), random("other", 1, at(begin + distance))];
        let parameters = Parameters { distance_bytes: Some(distance), ..phase(SEEK) };
        step(&mut measured, parameters, format!("{SEEK}, {distance} bytes apart"), streams)?;
    }
    for share in SHARES {
        let to = u64::try_from(u128::from(bytes) * u128::from(share) / 100).unwrap_or(bytes);
        let parameters = Parameters { range_bytes: Some((0, to)), ..phase(STROKE) };
        let reads = random(STROKE, order.depth, part(0, to));
        step(&mut measured, parameters, format!("first {share} %"), vec![reads])?;
    }
    // Beside each other they would be one sequence.
    let mut distance = 2 * size;
    while distance <= FARTHEST.min(bytes / FARTHEST_PART) {
        let parameters = Parameters { distance_bytes: Some(distance), ..phase(STRIPE) };
        let reads = stripe_reads(order.size, distance, bytes);
        step(&mut measured, parameters, format!("{STRIPE}, {distance} bytes apart"), vec![reads])?;
        distance *= 2;
    }
    let found = conclude(&measured, order, bytes);
    measured.verdict = verdict(&found);
    if measured.points.iter().any(|p| p.result.environment.devices.iter().any(|d| d.is_file == Some(true))) {
        measured.warnings.push(
            "it is a file: where its bytes lie on the disk its file system decides, and zones, seeks and stripes are \
             those of the disk only where it lies in one piece"
                .to_owned(),
        );
    }
    measured.zones = Some(found);
    Ok(measured)
}

/// Bytes that reads one after the other come to in a run, and some more, so that they need not begin anew.
fn way(reads_per_s: f64, seconds: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few of it do no harm")]
    let reads = (reads_per_s * seconds * 1.25).ceil() as u64;
    reads.max(2).saturating_mul(u64::from(LARGE))
}

/// The part of a zone that is read one after the other in a run that comes so far: from the beginning of the first zone
/// to the end of the last, and evenly in between. A run that began at the beginning of each would never come near the end
/// of a large disk, and what is said of its end would be said of a place before it.
fn swept(zone: (u64, u64), reach: u64, (n, zones): (u64, u64)) -> (u64, u64) {
    let left = (zone.1 - zone.0).saturating_sub(reach);
    let before = u128::from(left) * u128::from(n) / u128::from(zones.saturating_sub(1).max(1));
    let before = u64::try_from(before).unwrap_or(left) / u64::from(LARGE) * u64::from(LARGE);
    let from = zone.0 + before;
    (from, if n + 1 == zones { zone.1 } else { (from + reach).min(zone.1) })
}

/// Reads so many bytes apart. They begin half of the distance in, less a block: what is asked for at one distance of
/// powers of two is asked for at no other, and so stands in no cache yet.
fn stripe_reads(size: u32, distance: u64, bytes: u64) -> Stream {
    let from = (distance / 2).saturating_sub(u64::from(size));
    let region = Region { from: Extent::Bytes(from), length: Some(Extent::Bytes(bytes - from)) };
    let pattern = Pattern::Strided { blocks: distance / u64::from(size) };
    Stream { region, ..stream(STRIPE, 100.0, size, pattern, 2) }
}

/// Requests a second of all streams.
fn rate(result: &RunResult) -> Option<Figure> {
    let all = sum(result, |_| true);
    (all.ios > 0).then(|| Figure::new(all.iops, all.interval))
}

fn conclude(measured: &Measured, order: &ZonesOrder, bytes: u64) -> ZonesFound {
    let of = |name: &'static str| {
        measured.points.iter().filter(move |p| p.parameters.phase.as_deref() == Some(name))
    };
    let times = |result: &RunResult| result.streams.first().map(Times::of).unwrap_or_default();
    let zones: Vec<ZoneStep> = of(SEQUENTIAL)
        .filter_map(|p| {
            let range = p.parameters.range_bytes?;
            let random = of(RANDOM).find(|r| r.parameters.range_bytes == Some(range));
            Some(ZoneStep {
                from_bytes: range.0,
                to_bytes: range.1,
                mbps: rate(&p.result).map(|f| f.times(f64::from(LARGE) / 1e6)),
                read_us: random.map(|r| times(&r.result)).unwrap_or_default(),
            })
        })
        .collect();
    // Of two readers with one request each: both wait for the other, so the time of a read is that between
    // two answers.
    let seeks: Vec<SeekStep> = of(SEEK)
        .filter_map(|p| {
            let read_us = rate(&p.result).and_then(|f| Figure::new(1e6, None).over(f).map(|t| (t, f)));
            Some(SeekStep {
                distance_bytes: p.parameters.distance_bytes?,
                read_us: read_us.map(|(t, f)| {
                    let bounds = f.bounds().filter(|(low, _)| *low > 0.0);
                    Figure::new(t.value, bounds.map(|(low, high)| (1e6 / high, 1e6 / low)))
                }),
            })
        })
        .collect();
    let strokes: Vec<StrokeStep> = of(STROKE)
        .filter_map(|p| {
            let to = p.parameters.range_bytes?.1;
            Some(StrokeStep {
                share_pct: (100.0 * to as f64 / bytes as f64).round(),
                bytes: to,
                reads_per_s: rate(&p.result),
                read_us: times(&p.result),
            })
        })
        .collect();
    let stripes: Vec<StripeStep> = of(STRIPE)
        .filter_map(|p| {
            Some(StripeStep { distance_bytes: p.parameters.distance_bytes?, reads_per_s: rate(&p.result) })
        })
        .collect();
    let ends = |figure: fn(&ZoneStep) -> Option<Figure>| {
        let first = zones.first().and_then(figure);
        first.zip(zones.last().filter(|_| zones.len() > 1).and_then(figure))
    };
    let throughput = ends(|z| z.mbps);
    let way = seeks
        .first()
        .and_then(|s| s.read_us)
        .zip(seeks.last().filter(|s| s.distance_bytes > 0).and_then(|s| s.read_us));
    ZonesFound {
        size: order.size,
        depth: order.depth,
        zone_ratio: throughput.and_then(|(outer, inner)| outer.over(inner)),
        zones_show: throughput.and_then(|(outer, inner)| shows(outer, inner)),
        full_seek_us: way.map(|(near, far)| less(far, near)),
        seeks_show: way.and_then(|(near, far)| Some(shows(far, near)? && far.value > near.value)),
        gain_shows: stroke_ends(&strokes)
            .and_then(|(best, whole)| Some(shows(best, whole)? && best.value > whole.value)),
        sweet_spot: sweet_spot(&strokes),
        stripe_shows: stripe_shows(&stripes),
        stripe: stripe(&stripes),
        zones,
        seeks,
        strokes,
        stripes,
    }
}

/// Do two figures differ by more than their bounds and noise?
fn differs(a: Figure, b: Figure) -> bool {
    let apart = match a.bounds().zip(b.bounds()) {
        Some(((a_low, a_high), (b_low, b_high))) => a_low > b_high || b_low > a_high,
        None => true,
    };
    apart && (a.value > b.value * DIFFERS || b.value > a.value * DIFFERS)
}

/// Do two figures differ? `None` where their bounds hold that they do as well as that they do not.
fn shows(a: Figure, b: Figure) -> Option<bool> {
    if differs(a, b) {
        return a.bounds().zip(b.bounds()).map(|_| true);
    }
    let (low, high) = a.over(b)?.bounds()?;
    (low >= 1.0 / ALIKE && high <= ALIKE).then_some(false)
}

/// Rates of the smallest part and of the whole.
fn stroke_ends(strokes: &[StrokeStep]) -> Option<(Figure, Figure)> {
    let whole = strokes.last().filter(|s| s.share_pct >= 100.0)?.reads_per_s?;
    Some((strokes.first()?.reads_per_s?, whole))
}

/// Does any distance bring more than the smallest? `None` where the bounds hold both.
fn stripe_shows(steps: &[StripeStep]) -> Option<bool> {
    if stripe(steps).is_some() {
        return Some(true);
    }
    let near = steps.first()?.reads_per_s?;
    let most = |s: &StripeStep| Some(s.reads_per_s?.over(near)?.bounds()?.1);
    let all: Option<Vec<f64>> = steps.iter().skip(1).map(most).collect();
    all.filter(|all| !all.is_empty() && all.iter().all(|most| *most < SECOND_DISK)).map(|_| false)
}

/// One figure less another, with the bounds of the worst case.
fn less(a: Figure, b: Figure) -> Figure {
    let bounds =
        a.bounds().zip(b.bounds()).map(|((a_low, a_high), (b_low, b_high))| (a_low - b_high, a_high - b_low));
    Figure::new(a.value - b.value, bounds)
}

/// The largest share that keeps [`KEPT`] of what the smallest brings more than the whole.
fn sweet_spot(strokes: &[StrokeStep]) -> Option<SweetSpot> {
    let (best, whole) = stroke_ends(strokes)?;
    if best.value <= whole.value || !differs(best, whole) {
        return None;
    }
    let least = whole.value + KEPT * (best.value - whole.value);
    let spot = strokes.iter().rev().find(|s| s.reads_per_s.is_some_and(|f| f.value >= least))?;
    Some(SweetSpot {
        share_pct: spot.share_pct,
        bytes: spot.bytes,
        gain: spot.reads_per_s?.over(whole)?,
        most_gain: best.over(whole)?,
        kept_pct: 100.0 * KEPT,
    })
}

/// Where two addresses begin to lie on two disks, and where they come to lie on one again.
fn stripe(steps: &[StripeStep]) -> Option<Stripe> {
    let known: Vec<(u64, Figure)> =
        steps.iter().filter_map(|s| Some((s.distance_bytes, s.reads_per_s?))).collect();
    let (_, near) = known.first()?;
    let (_, most) = known.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    if most.value < near.value * SECOND_DISK || !differs(*most, *near) {
        return None;
    }
    let at = known.iter().position(|(_, f)| f.value >= PLATEAU * most.value)?;
    let between = f64::midpoint(near.value, most.value);
    let width = known[at..].iter().find(|(_, f)| f.value < between && differs(*f, *most));
    Some(Stripe {
        least_bytes: known[at].0,
        most_bytes: known[at].0 * 2,
        gain: most.over(*near)?,
        width_bytes: width.map(|(distance, _)| *distance),
    })
}

fn verdict(found: &ZonesFound) -> String {
    let ends = found.zones.first().zip(found.zones.last());
    let mbps = ends.and_then(|(a, b)| a.mbps.zip(b.mbps));
    let mut parts = Vec::new();
    match (found.zones_show, mbps, found.zone_ratio) {
        (Some(true), Some((outer, inner)), Some(ratio)) => parts.push(format!(
            "{} MB/s at the beginning, {} at the end: {} to 1.",
            number(outer.value),
            number(inner.value),
            number(ratio.value)
        )),
        (Some(false), Some((outer, inner)), _) => parts.push(format!(
            "No zones show: {} MB/s at the beginning, {} at the end.",
            number(outer.value),
            number(inner.value)
        )),
        (_, Some((outer, inner)), ratio) => {
            let between = ratio.and_then(|r| Some((r.value, r.bounds()?)));
            let between = between.map_or_else(String::new, |(value, (low, high))| {
                format!(", {} to 1 (between {} and {})", number(value), number(low), number(high))
            });
            parts.push(format!(
                "Whether there are zones is not known at this length of a run: {} MB/s at the beginning, {} at the \
                 end{between}; take longer (--time).",
                number(outer.value),
                number(inner.value)
            ));
        }
        _ => {}
    }
    match (found.seeks_show, found.full_seek_us) {
        (Some(true), Some(far)) => {
            parts.push(format!("From end to end a read takes {} more than at one place.", ms(far.value)));
        }
        (Some(false), _) => parts.push("Distance costs nothing that shows.".to_owned()),
        (None, Some(_)) => {
            parts.push("Whether distance costs time is not known at this length of a run.".to_owned());
        }
        _ => {}
    }
    if (found.zones_show, found.seeks_show) == (Some(false), Some(false)) {
        parts.push(
            "So it is with flash, with a cache that answers, and with an array that scatters addresses."
                .to_owned(),
        );
    }
    if let Some(spot) = &found.sweet_spot {
        parts.push(format!(
            "Using the first {} % alone brings {} times the random reads of the whole, and it is the largest part that keeps \
             half of what the smallest brings ({} times).",
            number(spot.share_pct),
            number(spot.gain.value),
            number(spot.most_gain.value)
        ));
    } else if let Some((best, whole)) = stroke_ends(&found.strokes) {
        parts.push(match found.gain_shows {
            Some(false) => "Using a part of it alone brings nothing.".to_owned(),
            _ => format!(
                "Whether using a part of it alone brings more is not known at this length of a run: {} random reads a second \
                 of the smallest, {} of the whole.",
                number(best.value),
                number(whole.value)
            ),
        });
    }
    if let Some(stripe) = found.stripe {
        let kib = |bytes: u64| number(bytes as f64 / 1024.0);
        parts.push(format!(
            "Stripes show: {} to {} KiB a disk{}.",
            kib(stripe.least_bytes),
            kib(stripe.most_bytes),
            stripe.width_bytes.map_or_else(String::new, |w| format!(", {} KiB over all disks", kib(w)))
        ));
    } else if !found.stripes.is_empty() {
        parts.push(match found.stripe_shows {
            Some(false) => "No stripe shows.".to_owned(),
            _ => "Whether there are stripes is not known at this length of a run.".to_owned(),
        });
    }
    if parts.is_empty() { "No request was answered.".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;
    use spindle_io_simulate::{
        Completion, Device, LatencyCap, LatencyCapSpec, Picoseconds, Request, ZonedDisk, ZonedDiskSpec,
    };

    const GIB: u64 = 1 << 30;

    fn order(zones: u32) -> ZonesOrder {
        let each = Each { seconds: 20.0, warm_up_s: 0.0, seed: 13 };
        ZonesOrder { zones, size: 8_192, depth: 1, each }
    }

    #[test]
    fn reads_of_a_wider_distance_were_all_among_those_of_the_one_before() {
        let (size, bytes) = (8_192, GIB);
        let mut seen = std::collections::BTreeSet::new();
        let mut distance = 2 * u64::from(size);
        while distance <= FARTHEST {
            let mut requests = stripe_reads(size, distance, bytes).requests(0, 13, bytes).unwrap();
            let mut before = None;
            for _ in 0..bytes / distance / 2 {
                let at = requests.draw().offset;
                assert!(seen.insert(at), "{at} again, {distance} bytes apart");
                assert!(before.is_none_or(|before| at == before + distance));
                before = Some(at);
            }
            distance *= 2;
        }
    }

    fn disk() -> Model {
        let spec = ZonedDiskSpec {
            latency: Picoseconds::from_us(4_000.0),
            outer_bytes_per_s: 146e6,
            inner_bytes_per_s: 97e6,
            track_seek: Picoseconds::from_us(800.0),
            full_seek: Picoseconds::from_us(16_000.0),
            bytes: GIB,
        };
        Model::of(move || Box::new(ZonedDisk::new(&spec).unwrap()), vec![GIB])
    }

    /// What the model's formula gives, microseconds.
    fn formula(share: f64) -> f64 {
        let transfer = 8_192.0 / (146.0 - 49.0 * share / 2.0);
        4_000.0 + 800.0 + 15_200.0 * 8.0 / 15.0 * share.sqrt() + transfer
    }

    #[test]
    fn the_zone_ratio_and_the_gain_that_were_set_are_found() {
        let measured = zones(&mut disk(), &order(16)).unwrap();
        let found = measured.zones.unwrap();
        // From the middle of the first zone to that of the last.
        let mbps = |n: usize| found.zones[n].mbps.unwrap().value;
        let set = |share: f64| 146.0 - 49.0 * share;
        // 64 MiB, and the way back over a sixteenth of the disk each time round.
        let round = |rate: f64| (64.0 * 1.048_576) / (64.0 * 1.048_576 / rate + 4.8e-3 + 15.2e-3 / 4.0);
        assert!((mbps(0) / round(set(1.0 / 32.0)) - 1.0).abs() < 0.005, "{}", mbps(0));
        assert!((mbps(15) / round(set(31.0 / 32.0)) - 1.0).abs() < 0.005, "{}", mbps(15));
        let ratio = found.zone_ratio.unwrap().value;
        assert!((ratio / (set(1.0 / 32.0) / set(31.0 / 32.0)) - 1.0).abs() < 0.01, "{ratio}");
        assert_eq!((found.zones_show, found.seeks_show), (Some(true), Some(true)));
        for stroke in &found.strokes {
            let expected = formula(stroke.share_pct / 100.0);
            let took = stroke.read_us.mean.unwrap().value;
            assert!((took / expected - 1.0).abs() < 0.02, "{stroke:?}: {expected}");
        }
        let spot = found.sweet_spot.unwrap();
        let gain = |share: f64| formula(1.0) / formula(share);
        assert!((spot.most_gain.value / gain(0.05) - 1.0).abs() < 0.03, "{spot:?}");
        assert!((spot.gain.value / gain(spot.share_pct / 100.0) - 1.0).abs() < 0.03, "{spot:?}");
        // By the formula: half of the gain is kept up to 22 %.
        assert_eq!(spot.share_pct, 20.0);
        // The seek over the whole disk, and half of it over a quarter.
        let full = found.full_seek_us.unwrap().value;
        assert!((full / 15_200.0 - 1.0).abs() < 0.05, "{full}");
        let quarter = &found.seeks[found.seeks.len() - 3];
        assert_eq!(quarter.distance_bytes, (GIB - GIB / PLACE) / 4 / 8_192 * 8_192);
        let expected = 4_800.0 + 7_600.0 + 8_192.0 / 121.5;
        let took = quarter.read_us.unwrap().value;
        assert!((took / expected - 1.0).abs() < 0.02, "{took} {expected}");
        assert_eq!(found.stripe, None);
        assert!(measured.verdict.ends_with("No stripe shows."), "{}", measured.verdict);
    }

    #[test]
    fn the_end_of_a_large_disk_was_said_to_be_as_fast_as_a_place_long_before_it() {
        let spec = ZonedDiskSpec {
            latency: Picoseconds::from_us(3_000.0),
            outer_bytes_per_s: 60e6,
            inner_bytes_per_s: 20e6,
            track_seek: Picoseconds::from_us(500.0),
            full_seek: Picoseconds::from_us(9_000.0),
            bytes: 64 * GIB,
        };
        let mut disk = Model::of(move || Box::new(ZonedDisk::new(&spec).unwrap()), vec![64 * GIB]);
        let short = Each { seconds: 10.0, ..order(8).each };
        let measured = zones(&mut disk, &ZonesOrder { each: short, ..order(8) }).unwrap();
        let found = measured.zones.unwrap();
        // A run reads no more than 600 MB of the 8 GiB of a zone: from the first byte on, and up to the last.
        for (n, zone) in found.zones.iter().enumerate() {
            let set = 60.0 - 40.0 * n as f64 / 7.0;
            let mbps = zone.mbps.unwrap().value;
            assert!((mbps / set - 1.0).abs() < 0.03, "{n}: {mbps} of {set}");
        }
        let ratio = found.zone_ratio.unwrap().value;
        assert!((ratio / 3.0 - 1.0).abs() < 0.03, "{ratio}");
    }

    #[test]
    fn a_zone_is_swept_within_it() {
        let mib = u64::from(LARGE);
        // A run that comes further than the zone goes round in it.
        assert_eq!(swept((0, 4 * mib), 9 * mib, (0, 3)), (0, 4 * mib));
        assert_eq!(swept((8 * mib, 12 * mib), 9 * mib, (2, 3)), (8 * mib, 12 * mib));
        assert_eq!(swept((0, 100 * mib), 10 * mib, (0, 3)), (0, 10 * mib));
        assert_eq!(swept((100 * mib, 200 * mib), 10 * mib, (1, 3)), (145 * mib, 155 * mib));
        assert_eq!(swept((200 * mib, 300 * mib), 10 * mib, (2, 3)), (290 * mib, 300 * mib));
        assert_eq!(swept((0, 100 * mib), 10 * mib, (0, 1)), (0, 100 * mib), "a single one is the whole");
        assert_eq!((way(0.0, 3.0), way(40.0, 2.0)), (2 * mib, 100 * mib));
    }

    #[test]
    fn where_place_costs_nothing_that_is_said() {
        let mut flash = Model::new(100.0, None, Some(2_000.0), 1);
        let measured =
            zones(&mut flash, &ZonesOrder { each: Each { seconds: 1.0, ..order(4).each }, ..order(4) })
                .unwrap();
        let found = measured.zones.unwrap();
        assert_eq!((found.zones_show, found.seeks_show), (Some(false), Some(false)));
        assert_eq!((&found.sweet_spot, found.stripe), (&None, None));
        for words in ["No zones show", "Distance costs nothing", "flash", "brings nothing", "No stripe shows"]
        {
            assert!(measured.verdict.contains(words), "{words}: {}", measured.verdict);
        }
    }

    #[test]
    fn what_short_runs_did_not_tell_stood_as_no() {
        let figure = |value: f64, half: f64| Figure::new(value, Some((value - half, value + half)));
        // 1.57 to 1, between 0.88 and 2.98.
        assert_eq!(shows(figure(126.0, 40.0), figure(80.4, 25.0)), None);
        assert_eq!(shows(figure(126.0, 4.0), figure(80.4, 4.0)), Some(true));
        assert_eq!(shows(figure(126.0, 2.0), figure(125.0, 2.0)), Some(false));
        assert_eq!(shows(Figure::new(126.0, None), figure(80.4, 4.0)), None);
        let stroke = |share_pct: f64, reads: Figure| StrokeStep {
            share_pct,
            bytes: 1,
            reads_per_s: Some(reads),
            read_us: Times::default(),
        };
        let zone = |mbps: Figure| ZoneStep {
            from_bytes: 0,
            to_bytes: 1,
            mbps: Some(mbps),
            read_us: Times::default(),
        };
        let (outer, inner) = (figure(126.0, 40.0), figure(80.4, 25.0));
        let strokes = vec![stroke(5.0, figure(123.0, 50.0)), stroke(100.0, figure(70.0, 30.0))];
        let (best, whole) = stroke_ends(&strokes).unwrap();
        let found = ZonesFound {
            size: 8_192,
            depth: 1,
            zones: vec![zone(outer), zone(inner)],
            zone_ratio: outer.over(inner),
            zones_show: shows(outer, inner),
            seeks: Vec::new(),
            full_seek_us: None,
            seeks_show: None,
            gain_shows: shows(best, whole),
            sweet_spot: sweet_spot(&strokes),
            strokes,
            stripes: Vec::new(),
            stripe_shows: None,
            stripe: None,
        };
        let said = verdict(&found);
        assert!(said.starts_with("Whether there are zones is not known at this length"), "{said}");
        assert!(said.contains("126 MB/s at the beginning, 80.4 at the end, 1.57 to 1"), "{said}");
        assert!(said.contains("Whether using a part of it alone brings more is not known"), "{said}");
        assert!(!said.contains("brings nothing"), "{said}");
    }

    /// Disks that serve one at a time, side by side.
    struct Striped {
        stripe: u64,
        disks: Vec<LatencyCap>,
    }

    impl Device for Striped {
        fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
            let disk = (request.offset / self.stripe) as usize % self.disks.len();
            self.disks[disk].submit(now, tag, request);
        }

        fn next_event(&self) -> Option<Picoseconds> {
            self.disks.iter().filter_map(Device::next_event).min()
        }

        fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
            for disk in &mut self.disks {
                disk.advance(now, completed);
            }
        }
    }

    #[test]
    fn a_stripe_is_found_by_two_addresses() {
        let (stripe, disks) = (256 << 10, 4);
        let spec =
            LatencyCapSpec { latency: Picoseconds::from_us(5_000.0), iops: Some(200.0), bytes_per_s: None };
        let make = move || -> Box<dyn Device> {
            let disks = (0..disks).map(|_| LatencyCap::new(&spec).unwrap()).collect();
            Box::new(Striped { stripe, disks })
        };
        let measured = zones(&mut Model::of(make, vec![GIB]), &order(2)).unwrap();
        let found = measured.zones.unwrap().stripe.unwrap();
        // All take the same, so from half a stripe on.
        assert_eq!((found.least_bytes, found.most_bytes), (128 << 10, 256 << 10));
        assert_eq!(found.width_bytes, Some(1 << 20));
        assert!((1.8..=2.0).contains(&found.gain.value), "{found:?}");
        let words = "Stripes show: 128 to 256 KiB a disk, 1,024 KiB over all disks.";
        assert!(measured.verdict.contains(words), "{}", measured.verdict);
    }

    #[test]
    fn too_little_to_be_swept_and_what_is_stopped() {
        let mut small = Model::of(|| panic!("nothing runs"), vec![8 << 20]);
        assert!(zones(&mut small, &order(16)).unwrap_err().contains("--zones"));
        assert!(zones(&mut Model::new(1e3, None, None, 2), &order(4)).unwrap_err().contains("one disk"));
        let mut disk = disk();
        disk.cut_after = Some(3);
        let measured = zones(&mut disk, &order(16)).unwrap();
        let found = measured.zones.unwrap();
        assert_eq!((measured.points.len(), found.zones.len()), (3, 2));
        assert_eq!((found.sweet_spot, found.stripe), (None, None));
    }
}
