//! A disk from its data sheet: what makers print, and what has to be assumed beside it.
//!
//! ```text
//! track of a zone  = streaming rate x (turn + skew), in sectors; skew just hides a head switch
//! zones            = cylinders in equal parts, sectors falling evenly from the outer to the inner track
//! cylinders        = capacity / (surfaces x mean track)
//! seek(x)          = track + (full - track) x shape(x)^p, over a share x of the cylinders
//! p                such that the mean over random pairs of cylinders, density 2 (1 - x), is the average seek
//! ```
//!
//! The shape is measured, not a square root: a square root through a data sheet's three figures is too quick over
//! short ways. It is the median of seven measured curves (Quantum Atlas III and Atlas 10K V, Seagate Barracuda
//! 4LP and Cheetah 4LP, IBM Ultrastar 18ES, HP C2490A, DEC RZ26, of the public DiskSim 4.0 distribution), each
//! put between 0 at one cylinder and 1 at the full stroke. Apart from the ends they lie within 0.08 of it.
//!
//! What is assumed and no sheet says: zones are even, there are no spare sectors, the cache reads on to the end of
//! its segment, and a read of the block that is just being read waits for it.

use super::{
    After, ArmSpec, BusSpec, CacheSpec, DiskFault, HardDiskSpec, HeadOrder, LayoutSpec, OverheadSpec,
    ReadAhead, SeekCurve, ServiceOrder, Skew, Sparing, ZoneSpec,
};
use crate::Picoseconds;

/// Share of the stroke, and of the way from the time of one cylinder to that of all.
const SHAPE: [(f64, f64); 20] = [
    (0.0, 0.0),
    (0.001, 0.047),
    (0.002, 0.092),
    (0.005, 0.116),
    (0.01, 0.141),
    (0.02, 0.170),
    (0.035, 0.209),
    (0.05, 0.233),
    (0.075, 0.268),
    (0.1, 0.290),
    (0.15, 0.351),
    (0.2, 0.406),
    (0.3, 0.472),
    (0.4, 0.551),
    (0.5, 0.629),
    (0.6, 0.700),
    (0.7, 0.777),
    (0.8, 0.847),
    (0.9, 0.920),
    (1.0, 1.0),
];

/// What a data sheet says of a disk, and what is assumed beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSheet {
    /// Bytes that can be addressed.
    pub capacity_bytes: f64,
    /// Turns a minute.
    pub rpm: f64,
    /// Data surfaces.
    pub surfaces: u64,
    /// Zones.
    pub zones: u64,
    /// Streaming at the outer edge, 10^6 bytes a second.
    pub outer_mbps: f64,
    /// And at the inner edge.
    pub inner_mbps: f64,
    /// Read seek to the next cylinder, milliseconds.
    pub track_seek_ms: f64,
    /// Average read seek.
    pub average_seek_ms: f64,
    /// Read seek over all cylinders.
    pub full_seek_ms: f64,
    /// What a write takes more to settle.
    pub write_settle_ms: f64,
    /// To another head.
    pub head_switch_ms: f64,
    /// What the controller takes for a command.
    pub overhead_ms: f64,
    /// Between host and cache, 10^6 bytes a second.
    pub bus_mbps: f64,
    /// Bytes of the cache.
    pub cache_bytes: f64,
    /// Its segments.
    pub segments: u64,
    /// Writes are done when they are in the cache.
    pub write_back: bool,
    /// Commands among which the disk chooses.
    pub queue_depth: u64,
    /// In this order.
    pub order: ServiceOrder,
}

impl SeekCurve {
    /// The measured shape through a data sheet's figures, milliseconds of a read.
    ///
    /// # Errors
    /// Where the average does not lie between the others, or so close to one of them that no disk seeks like that.
    pub fn of_data_sheet(
        track_ms: f64,
        average_ms: f64,
        full_ms: f64,
        cylinders: u64,
    ) -> Result<Self, DiskFault> {
        let in_order = 0.0 <= track_ms && track_ms < average_ms && average_ms < full_ms && full_ms < 1e5;
        if !in_order || cylinders < 2 {
            return Err(DiskFault(format!(
                "seeks of {track_ms} ms to the next track, {average_ms} on average and {full_ms} over {cylinders} \
                 cylinders are those of no disk"
            )));
        }
        let mean_share = (average_ms - track_ms) / (full_ms - track_ms);
        // The mean falls as the power grows.
        let (mut low, mut high) = (0.1, 10.0);
        if mean(low) < mean_share || mean(high) > mean_share {
            return Err(DiskFault(format!(
                "an average seek of {average_ms} ms lies too close to {track_ms} or {full_ms} ms for a disk"
            )));
        }
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if mean(middle) > mean_share { low = middle } else { high = middle }
        }
        let stroke = (cylinders - 1) as f64;
        let mut points: Vec<(u64, Picoseconds)> = Vec::with_capacity(SHAPE.len());
        for (x, share) in SHAPE {
            let distance = 1 + (x * (stroke - 1.0)).round() as u64;
            let time = track_ms + (full_ms - track_ms) * libm::pow(share, low);
            if points.last().is_none_or(|last| last.0 < distance) {
                points.push((distance, Picoseconds::from_us(time * 1e3)));
            }
        }
        Self::new(points)
    }
}

/// Mean of the shape to a power over random pairs of cylinders: straight lines between its points, against the
/// density 2 (1 - x); Simpson's rule is exact for that.
fn mean(power: f64) -> f64 {
    let at = |(x, share): (f64, f64)| 2.0 * (1.0 - x) * share;
    let powered = SHAPE.map(|(x, share)| (x, libm::pow(share, power)));
    let pieces = powered.windows(2).map(|pair| {
        let middle = ((pair[0].0 + pair[1].0) / 2.0, (pair[0].1 + pair[1].1) / 2.0);
        (pair[1].0 - pair[0].0) / 6.0 * (at(pair[0]) + 4.0 * at(middle) + at(pair[1]))
    });
    pieces.sum()
}

impl DataSheet {
    /// The disk of the sheet.
    ///
    /// # Errors
    /// In a sentence, where figures are missing a unit, or are those of no disk.
    pub fn spec(&self) -> Result<HardDiskSpec, DiskFault> {
        let no = |why: String| Err(DiskFault(why));
        let range = |value: f64, low: f64, high: f64, what: &str| match (low..=high).contains(&value) {
            true => Ok(value),
            false => Err(DiskFault(format!("{what} of {value} is not between {low} and {high}"))),
        };
        let rpm = range(self.rpm, 1_000.0, 100_000.0, "a speed in turns a minute")?;
        let capacity = range(self.capacity_bytes, 1e6, 1e15, "a capacity in bytes")?;
        let outer = range(self.outer_mbps, 0.1, 1e4, "an outer rate in MB/s")?;
        let inner = range(self.inner_mbps, 0.1, outer, "an inner rate in MB/s")?;
        let bus = range(self.bus_mbps, 0.1, 1e6, "a bus in MB/s")?;
        let cache = range(self.cache_bytes, 512.0, 1e12, "a cache in bytes")?;
        let overhead = range(self.overhead_ms, 0.0, 1e3, "an overhead in ms")?;
        let switch = range(self.head_switch_ms, 0.0, 1e3, "a head switch in ms")?;
        range(self.write_settle_ms, 0.0, 1e3, "a settling time in ms")?;
        if !(1..=1_000).contains(&self.zones) || !(1..=100).contains(&self.surfaces) || self.segments == 0 {
            return no(format!(
                "{} zones, {} surfaces and {} segments are those of no disk",
                self.zones, self.surfaces, self.segments
            ));
        }
        let turn_ms = 60e3 / rpm;
        let settled = switch + self.write_settle_ms;
        // Sectors of a track that streams at a rate; the skew is not read.
        let sectors = |mbps: f64| {
            let guess = mbps * 1e3 * turn_ms / 512.0;
            let skew = libm::ceil(settled / turn_ms * guess);
            ((mbps * 1e3 * turn_ms * (1.0 + skew / guess) / 512.0).round() as u64).max(1)
        };
        let (outer_sectors, inner_sectors) = (sectors(outer), sectors(inner));
        let of_zone = |zone: u64| {
            let part = if self.zones == 1 { 0.5 } else { zone as f64 / (self.zones - 1) as f64 };
            let fall = (outer_sectors - inner_sectors.min(outer_sectors)) as f64 * part;
            outer_sectors - fall.round() as u64
        };
        let a_cylinder_each: u64 = (0..self.zones).map(|zone| of_zone(zone) * self.surfaces).sum();
        let blocks = (capacity / 512.0) as u64;
        let cylinders = blocks.div_ceil(a_cylinder_each).max(1);
        let skew_for = |ms: f64, sectors: u64| libm::ceil(ms / turn_ms * sectors as f64) as u64;
        let mut zones = Vec::new();
        for zone in 0..self.zones {
            let sectors = of_zone(zone);
            zones.push(ZoneSpec {
                first_cylinder: zone * cylinders,
                last_cylinder: (zone + 1) * cylinders - 1,
                sectors_per_track: sectors,
                offset: Skew::Sectors(0),
                unused_blocks: 0,
                track_skew: Skew::Sectors(skew_for(settled, sectors)),
                cylinder_skew: Skew::Sectors(skew_for(
                    self.track_seek_ms.max(switch) + self.write_settle_ms,
                    sectors,
                )),
                spares: 0,
                slips: Vec::new(),
            });
        }
        let ms = |ms: f64| Picoseconds::from_us(ms * 1e3);
        let block_time = ms(512.0 / (bus * 1e3));
        let segment_blocks = (cache / 512.0 / self.segments as f64) as u64;
        Ok(HardDiskSpec {
            block_bytes: 512,
            turn: ms(turn_ms),
            layout: LayoutSpec {
                surfaces: self.surfaces,
                sparing: Sparing::None,
                heads: HeadOrder::Ascending,
                zones,
            },
            arm: ArmSpec {
                curve: SeekCurve::of_data_sheet(
                    self.track_seek_ms,
                    self.average_seek_ms,
                    self.full_seek_ms,
                    cylinders * self.zones,
                )?,
                head_switch: ms(switch),
                write_settle_ps: (self.write_settle_ms * 1e9).round() as i64,
            },
            cache: CacheSpec {
                segments: usize::try_from(self.segments).unwrap_or(usize::MAX),
                segment_blocks: segment_blocks.max(1),
                enabled: true,
                read_ahead: ReadAhead::Blocks { blocks: segment_blocks.max(1) },
                restart_on_hit: true,
                stops_in_sector: false,
                almost_hits: true,
                write_back: self.write_back,
                written_readable: true,
                joins_writes: true,
                gathers_writes: true,
            },
            bus: BusSpec {
                read_block: block_time,
                write_block: block_time,
                never_disconnects: false,
                held_by_reads: false,
                read_water_mark: 0.0,
                water_mark_of_request: true,
                write_waits_for_ten: false,
            },
            overheads: OverheadSpec {
                read_hit: After::both(ms(overhead)),
                read_miss: After::both(ms(overhead)),
                write_hit: After::both(ms(overhead)),
                write_miss: After::both(ms(overhead)),
                overlaps_waiting: true,
                ..OverheadSpec::default()
            },
            order: self.order,
            queue_depth: usize::try_from(self.queue_depth.max(1)).unwrap_or(usize::MAX),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{HardDisk, Operation, Request, Seeded, closed_loop};

    fn sheet() -> DataSheet {
        DataSheet {
            capacity_bytes: 18.37e9,
            rpm: 10_000.0,
            surfaces: 6,
            zones: 12,
            outer_mbps: 38.6,
            inner_mbps: 26.0,
            track_seek_ms: 0.6,
            average_seek_ms: 5.2,
            full_seek_ms: 10.0,
            write_settle_ms: 0.3,
            head_switch_ms: 0.4,
            overhead_ms: 0.3,
            bus_mbps: 160.0,
            cache_bytes: 4e6,
            segments: 8,
            write_back: false,
            queue_depth: 1,
            order: ServiceOrder::Fcfs,
        }
    }

    fn reads(offsets: impl Iterator<Item = u64>, bytes: u32) -> impl Iterator<Item = Request> {
        offsets.map(move |offset| Request { operation: Operation::Read, offset, bytes })
    }

    #[test]
    fn the_curve_has_the_three_figures_of_the_sheet() {
        for (track, average, full, cylinders) in
            [(0.6, 5.2, 10.0, 14_100), (0.8, 9.3, 17.8, 40_000), (0.4, 8.0, 16.0, 300_000)]
        {
            let curve = SeekCurve::of_data_sheet(track, average, full, cylinders).unwrap();
            let ms = |d| curve.time(d).as_us() / 1e3;
            assert_eq!((ms(1), ms(cylinders - 1)), (track, full));
            let mut random = Seeded::new(3, 0);
            let mut total = 0.0;
            for _ in 0..200_000 {
                total += ms(random.below(cylinders).abs_diff(random.below(cylinders)));
            }
            assert!((total / 200_000.0 / average - 1.0).abs() < 0.005, "{} for {average}", total / 200_000.0);
            // Short seeks are slower than a square root has them, as measured drives are.
            let part = ms(cylinders / 250) / average;
            assert!((0.2..0.4).contains(&part), "{part}");
        }
        assert!(SeekCurve::of_data_sheet(5.0, 4.0, 10.0, 100).is_err());
        assert!(SeekCurve::of_data_sheet(1.0, 9.99, 10.0, 100).unwrap_err().0.contains("too close"));
    }

    #[test]
    fn it_holds_its_capacity_and_streams_at_its_rates() {
        let spec = sheet().spec().unwrap();
        let disk = HardDisk::new(&spec).unwrap();
        let capacity = sheet().capacity_bytes;
        assert!((capacity..capacity * 1.001).contains(&(disk.bytes() as f64)), "{}", disk.bytes());
        for (from, mbps) in [(0, 38.6), (disk.bytes() - 200_000_000, 26.0)] {
            let mut disk = HardDisk::new(&spec).unwrap();
            let run =
                closed_loop(&mut disk, 1, reads((0..1_000).map(|i| from + i * 131_072), 131_072)).unwrap();
            let found = run.bytes_per_s().unwrap() / 1e6;
            // A change of cylinders takes a little more than one of heads, of which the sheet's rate knows nothing.
            assert!((0.97..1.005).contains(&(found / mbps)), "{found} MB/s at {from}, {mbps} by the sheet");
        }
    }

    #[test]
    fn a_random_read_takes_what_the_sheet_adds_up_to() {
        let mut disk = HardDisk::new(&sheet().spec().unwrap()).unwrap();
        let mut random = Seeded::new(5, 0);
        let blocks = disk.bytes() / 8_192;
        let run = closed_loop(&mut disk, 1, reads((0..50_000).map(|_| random.below(blocks) * 8_192), 8_192))
            .unwrap();
        let mean = run.served.iter().map(|s| s.latency().as_us()).sum::<f64>() / 50_000.0;
        // Overhead, average seek, half a turn, and 16 sectors at 26 to 38.6 MB/s. Random blocks lie further out
        // than random cylinders, so the way is a little shorter.
        let by_hand = 300.0 + 5_200.0 + 3_000.0 + 250.0;
        assert!((0.96..1.01).contains(&(mean / by_hand)), "{mean}, by hand {by_hand}");
    }

    #[test]
    fn what_no_sheet_says_is_refused() {
        let why = |change: &dyn Fn(&mut DataSheet)| {
            let mut sheet = sheet();
            change(&mut sheet);
            sheet.spec().unwrap_err().0
        };
        assert!(why(&|s| s.rpm = 7.2).contains("turns a minute of 7.2 is not between"));
        assert!(why(&|s| s.inner_mbps = 40.0).contains("an inner rate"));
        assert!(why(&|s| s.capacity_bytes = f64::NAN).contains("a capacity"));
        assert!(why(&|s| s.zones = 0).contains("0 zones"));
    }
}
