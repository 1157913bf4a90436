//! What stays behind gets faster as load leaves it.

use crate::candidates::BuiltCandidate;
use crate::demand::IntervalDemand;
use crate::entries::{ByComponent, place_of};
use crate::place::{DATA_READS, PlaceOptions};
use crate::range::Range;
use crate::words;
use spindle_diagnosis::DeviceClass;
use spindle_workload::{ENDS_BELOW_KNEE, Queue};

pub(crate) struct Relief {
    pub(crate) seconds: Option<Range>,
    pub(crate) because: String,
}

/// A curve that is so many times off what the reports print is of another device. Ours.
const OTHER_DEVICE: f64 = 3.0;

/// Seconds that reads which stay would save, apart from the plan's own: they are not additive.
pub(crate) fn relief(
    intervals: &[IntervalDemand],
    candidates: &[BuiltCandidate],
    totals: &ByComponent,
    options: &PlaceOptions,
) -> Relief {
    let none = |because: String| Relief { seconds: None, because };
    let elapsed_s: f64 = intervals.iter().filter_map(|i| i.elapsed_s).sum();
    let requests: f64 = intervals.iter().filter_map(|i| i.totals.read_requests).sum();
    let moved: f64 = candidates.iter().filter(|c| c.candidate.tier.is_some()).map(|c| c.read_requests).sum();
    let reads_s: f64 = DATA_READS.iter().map(|c| totals[place_of(*c)].mid).sum();
    let moving_s: f64 = candidates
        .iter()
        .filter(|c| c.candidate.tier.is_some())
        .flat_map(|c| DATA_READS.iter().map(|k| c.waits[place_of(*k)].mid))
        .sum();
    let stays_s = (reads_s - moving_s).max(0.0);
    if moved <= 0.0 {
        return none("nothing moves, so nothing is relieved".to_owned());
    }
    if elapsed_s <= 0.0 || requests <= 0.0 || stays_s <= 0.0 {
        return none("the reports do not print the rate of reads, or no read stays behind".to_owned());
    }
    let iops = requests / elapsed_s;
    let left = (1.0 - moved / requests).clamp(0.0, 1.0);
    let (waits, time_s) = intervals.iter().flat_map(|i| &i.waits).fold((0.0, 0.0), |(n, s), w| {
        if w.component == crate::plan::Component::SingleBlockRead && w.event == "db file sequential read" {
            (n + w.waits, s + w.time_s.mid)
        } else {
            (n, s)
        }
    });
    let seen_us = (waits > 0.0 && time_s > 0.0).then(|| time_s * 1e6 / waits);
    if let Some(curve) = &options.curve {
        // Reads of sessions come by themselves, and not as others are answered.
        let arrivals = curve.for_arrivals();
        let curve = arrivals.as_ref().map_or(curve, |arrivals| &arrivals.curve);
        if curve.points.len() < 2 {
            return none(
                "the curve given has one point, so how latency falls as load leaves is not known".to_owned(),
            );
        }
        let now = curve.latency_us(iops).filter(|us| *us > 0.0);
        if let Some((now, seen_us)) = now.zip(seen_us)
            && (now > OTHER_DEVICE * seen_us || seen_us > OTHER_DEVICE * now)
        {
            return none(format!(
                "the curve given answers in {} at the {} reads a second of today, and the reports print {}: it is of \
                 another device, or measured past another cache",
                words::latency(now),
                words::count(iops),
                words::latency(seen_us)
            ));
        }
        return match (curve.latency_us(iops), curve.latency_us(iops * left)) {
            (Some(now), Some(then)) => {
                let likely = stays_s * (1.0 - then / now).max(0.0);
                Relief {
                    seconds: Some(Range { low: 0.0, mid: likely, high: likely }),
                    because: format!(
                        "by the curve given: {} at {} reads a second now, {} at the {} that stay",
                        words::latency(now),
                        words::count(iops),
                        words::latency(then),
                        words::count(iops * left)
                    ),
                }
            }
            _ => none(format!(
                "the curve given ends at {} requests a second, below the {} of today{}",
                words::count(curve.highest_iops()),
                words::count(iops),
                if curve.ends_below_knee { format!(": {ENDS_BELOW_KNEE}") } else { String::new() }
            )),
        };
    }
    let Some(seen_us) = seen_us else {
        return none("no single-block reads are printed, whose latency would show the load".to_owned());
    };
    // Service of an idle device: 15,000 rpm, 10,000, 7,200; flash likewise by kind. Source: drives'
    // data sheets, half a turn and the average seek.
    let services = match options.device_class.or_else(|| class(seen_us)) {
        Some(DeviceClass::Disk) => [5_000.0, 7_500.0, 12_000.0],
        Some(DeviceClass::Flash | DeviceClass::Exadata) => [80.0, 120.0, 250.0],
        _ => {
            return none(format!(
                "reads of {} may come from flash or from a cache, so how they fall with load is not known; give \
                 a measured curve with --curve",
                words::latency(seen_us)
            ));
        }
    };
    let saves = services.map(|service_us| {
        let Some(queue) = Queue::seen(service_us, seen_us, iops) else { return 0.0 };
        let (Some(now), Some(then)) = (queue.latency_us(iops), queue.latency_us(iops * left)) else {
            return 0.0;
        };
        stays_s * (1.0 - then / now).max(0.0)
    });
    Relief {
        seconds: Some(Range::of(saves[0], saves[1], saves[2])),
        because: format!(
            "as a queue with as many servers as make {} of an idle {} at {} reads a second, of which {} leave; a \
             model, so it is no part of the saving",
            words::latency(seen_us),
            words::latency(services[1]),
            words::count(iops),
            words::percent(100.0 * (1.0 - left))
        ),
    }
}

/// Disk where only a disk is so slow.
fn class(seen_us: f64) -> Option<DeviceClass> {
    (seen_us >= 4_000.0).then_some(DeviceClass::Disk)
}
