//! Where a block lies: zones, spare and slipped sectors, skews.
//!
//! Blocks run through a zone head by head, then cylinder by cylinder, and on from zone to zone. A zone keeps
//! spare sectors, and blocks slip past bad ones; [`Sparing`] says where. The angle of a block on its track:
//!
//! ```text
//! angle = (offset + track skew x (head + (surfaces - 1) x cylinder) + cylinder skew x cylinder
//!          + slipped before + sector) / sectors a track, in turns; the cylinder counts from the zone's first
//! ```
//!
//! so that a change of heads costs the track skew, and one of cylinders the cylinder skew in its place.
//!
//! Source: the schemes are those of DiskSim 4.0 (CMU-PDL-08-101, layout "g1"). Tested against measured drives
//! are slips and spares at the zone's end, by track, on tracks of their own and by ranges of cylinders.
//! Left out: blocks moved elsewhere one by one (grown defects); slips towards spares at a cylinder's front.

use super::DiskFault;

/// Where spare sectors lie, and how far blocks slip past bad ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sparing {
    /// No spares.
    None,
    /// Whole tracks at the zone's end; slips are numbers of tracks.
    Tracks,
    /// At the end of each track.
    EachTrack,
    /// At each cylinder.
    EachCylinder {
        /// At its beginning instead of its end.
        at_front: bool,
        /// Slips push blocks on to the zone's end instead of the cylinder's.
        slip_on: bool,
    },
    /// At the end of each range of so many cylinders.
    EachRange {
        /// Cylinders.
        cylinders: u64,
    },
    /// At the zone's end, as many as slip.
    ZoneSlips,
    /// At the zone's end.
    EachZone {
        /// Slips take room beside the spares.
        slip_on: bool,
    },
}

/// Which head comes first on a cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadOrder {
    /// The first on all.
    Ascending,
    /// The last on each second cylinder of a zone, so that a change of cylinders keeps the head.
    TurnsInZone,
    /// The last on odd cylinders.
    TurnsOnOdd,
}

/// A shift along the track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skew {
    /// Whole sectors.
    Sectors(u64),
    /// Turns.
    Turns(f64),
}

/// A zone: cylinders with as many sectors a track.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneSpec {
    /// First cylinder.
    pub first_cylinder: u64,
    /// Last cylinder.
    pub last_cylinder: u64,
    /// Sectors a track.
    pub sectors_per_track: u64,
    /// Angle of the zone's first sector.
    pub offset: Skew,
    /// Blocks at the zone's beginning that hold nothing.
    pub unused_blocks: u64,
    /// From a head to the next.
    pub track_skew: Skew,
    /// From a cylinder to the next.
    pub cylinder_skew: Skew,
    /// Spares: sectors, or tracks where the scheme counts these.
    pub spares: u64,
    /// Bad sectors (or tracks), counted from the zone's beginning.
    pub slips: Vec<u64>,
}

/// How blocks lie on the disk.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutSpec {
    /// Data surfaces, one head each.
    pub surfaces: u64,
    /// Where spares lie.
    pub sparing: Sparing,
    /// Which head comes first.
    pub heads: HeadOrder,
    /// Zones, in the order of their blocks.
    pub zones: Vec<ZoneSpec>,
}

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) cylinder: u64,
    pub(crate) head: u64,
    /// From the platter's zero to the block's beginning, as time.
    pub(crate) angle_ps: u64,
    /// Sectors of the track.
    pub(crate) sectors: u64,
    /// First block after those of this track.
    pub(crate) track_end: u64,
    #[cfg_attr(not(test), allow(dead_code, reason = "what tests compare"))]
    pub(crate) sector: u64,
}

/// A zone, ready to be asked.
#[derive(Debug)]
struct Zone {
    first_cylinder: u64,
    sectors: u64,
    unused: u64,
    first_block: u64,
    blocks: u64,
    /// Sectors of a group that shares spares, and those of them that hold blocks.
    group: u64,
    usable: u64,
    /// Spares before a group's blocks.
    front: u64,
    /// Slips push on to the zone's end.
    zone_wide: bool,
    /// Slips, ascending: physical sectors, or places among the usable ones where slips push on; tracks
    /// where these slip.
    slips: Vec<u64>,
    /// Physical slips, ascending, where they push the angle.
    angle_slips: Vec<u64>,
    /// Sectors from one check of angle slips to the next; 0 for none.
    angle_unit: u64,
    tracks_slip: bool,
    skews: Skews,
}

/// Sectors, and parts of a turn in 2^-32.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    sectors: u64,
    turn_32: u32,
}

#[derive(Clone, Copy, Debug)]
struct Skews {
    offset: Shift,
    track: Shift,
    cylinder: Shift,
}

/// Where blocks lie, ready to be asked.
#[derive(Debug)]
pub(crate) struct Layout {
    surfaces: u64,
    heads: HeadOrder,
    turn_ps: u64,
    zones: Vec<Zone>,
    first_blocks: Vec<u64>,
    blocks: u64,
    last_cylinder: u64,
}

/// No disk has as many of anything: keeps products within 64 bits.
const MOST: u64 = 1 << 31;

impl Shift {
    fn of(skew: Skew, what: &str) -> Result<Self, DiskFault> {
        match skew {
            Skew::Sectors(sectors) if sectors < MOST => Ok(Self { sectors, turn_32: 0 }),
            // A fraction of a turn is all that counts of turns.
            Skew::Turns(turns) if turns >= 0.0 && turns.is_finite() => {
                Ok(Self { sectors: 0, turn_32: (libm::fmod(turns, 1.0) * 4_294_967_296.0) as u64 as u32 })
            }
            Skew::Sectors(_) | Skew::Turns(_) => {
                Err(DiskFault(format!("{what} is no shift along a track: {skew:?}")))
            }
        }
    }
}

impl Layout {
    pub(crate) fn new(spec: &LayoutSpec, turn_ps: u64) -> Result<Self, DiskFault> {
        if spec.surfaces == 0 || spec.surfaces > 1_000 {
            return Err(DiskFault(format!("a disk has 1 to 1000 surfaces, not {}", spec.surfaces)));
        }
        let mut zones = Vec::with_capacity(spec.zones.len());
        let mut first_block = 0;
        for (number, zone) in spec.zones.iter().enumerate() {
            let zone = Zone::new(zone, spec, first_block)
                .map_err(|DiskFault(why)| DiskFault(format!("zone {number} (from 0): {why}")))?;
            first_block += zone.blocks;
            zones.push(zone);
        }
        if first_block == 0 {
            return Err(DiskFault("a disk whose zones hold no block is none".to_owned()));
        }
        let first_blocks = zones.iter().map(|z| z.first_block).collect();
        Ok(Self {
            surfaces: spec.surfaces,
            heads: spec.heads,
            turn_ps,
            zones,
            first_blocks,
            blocks: first_block,
            last_cylinder: spec.zones.iter().map(|z| z.last_cylinder).max().unwrap_or(0),
        })
    }

    /// The last cylinder of any zone.
    pub(crate) fn last_cylinder(&self) -> u64 {
        self.last_cylinder
    }

    /// Blocks of the disk.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    fn zone(&self, block: u64) -> &Zone {
        // The first zone begins at 0, so one begins at or before each block; empty ones end before it.
        let after = self.first_blocks.partition_point(|first| *first <= block);
        &self.zones[after.saturating_sub(1)]
    }

    /// Where a block of the disk lies.
    pub(crate) fn place(&self, block: u64) -> Place {
        let zone = self.zone(block);
        let sector_of_zone = zone.sector(block - zone.first_block + zone.unused);
        let track = sector_of_zone / zone.sectors;
        let sector = sector_of_zone - track * zone.sectors;
        let in_zone = track / self.surfaces;
        let order = track - in_zone * self.surfaces;
        let cylinder = zone.first_cylinder + in_zone;
        let turned = match self.heads {
            HeadOrder::Ascending => false,
            HeadOrder::TurnsInZone => in_zone % 2 == 1,
            HeadOrder::TurnsOnOdd => cylinder % 2 == 1,
        };
        let head = if turned { self.surfaces - 1 - order } else { order };
        let switches = order + (self.surfaces - 1) * in_zone;
        let slipped = match zone.angle_unit {
            0 => 0,
            unit => {
                let before = sector_of_zone / unit * unit;
                zone.angle_slips.partition_point(|s| *s < before) as u64
            }
        };
        let skews = &zone.skews;
        let sectors = skews.offset.sectors
            + skews.track.sectors * switches
            + skews.cylinder.sectors * in_zone
            + slipped
            + sector;
        let turn_32 = (u64::from(skews.offset.turn_32)
            + u64::from(skews.track.turn_32) * switches
            + u64::from(skews.cylinder.turn_32) * in_zone)
            & 0xffff_ffff;
        let mut angle_ps = (sectors % zone.sectors) * self.turn_ps / zone.sectors;
        if turn_32 != 0 {
            angle_ps =
                (angle_ps + ((u128::from(turn_32) * u128::from(self.turn_ps)) >> 32) as u64) % self.turn_ps;
        }
        let track_end = zone.first_block + zone.blocks_before(track + 1);
        Place { cylinder, head, angle_ps, sectors: zone.sectors, track_end, sector }
    }

    /// First block of the track of a block.
    pub(crate) fn track_begin(&self, block: u64) -> u64 {
        let zone = self.zone(block);
        let track = zone.sector(block - zone.first_block + zone.unused) / zone.sectors;
        zone.first_block + zone.blocks_before(track)
    }
}

impl Zone {
    fn new(spec: &ZoneSpec, layout: &LayoutSpec, first_block: u64) -> Result<Self, DiskFault> {
        let sectors = spec.sectors_per_track;
        if !(1..MOST).contains(&sectors) {
            return Err(DiskFault(format!("a track has 1 to 2^31 sectors, not {sectors}")));
        }
        if spec.last_cylinder < spec.first_cylinder || spec.last_cylinder >= MOST {
            return Err(DiskFault(format!(
                "it ends at cylinder {} and begins at {}",
                spec.last_cylinder, spec.first_cylinder
            )));
        }
        let cylinders = spec.last_cylinder - spec.first_cylinder + 1;
        let cylinder_sectors = sectors * layout.surfaces;
        let all = u128::from(cylinders) * u128::from(cylinder_sectors);
        let all = u64::try_from(all)
            .ok()
            .filter(|all| *all < 1 << 53)
            .ok_or_else(|| DiskFault("it has more sectors than can be counted".to_owned()))?;
        let slips = spec.slips.len() as u64;
        let spares = spec.spares;
        // Sectors of a group with its own spares, how many of the zone's sectors hold nothing, spares of a
        // group, those at its front, whether slips push on through the zone.
        let (group, lost, of_group, front, zone_wide) = match layout.sparing {
            Sparing::None => (all, Some(0), 0, 0, true),
            Sparing::Tracks => (all, spares.checked_mul(sectors), 0, 0, false),
            Sparing::EachTrack => {
                (sectors, spares.checked_mul(cylinders * layout.surfaces), spares, 0, false)
            }
            Sparing::EachCylinder { at_front, slip_on } => (
                cylinder_sectors,
                spares.checked_mul(cylinders).and_then(|l| l.checked_add(if slip_on { slips } else { 0 })),
                spares,
                if at_front { spares } else { 0 },
                slip_on,
            ),
            Sparing::EachRange { cylinders: 0 } => {
                return Err(DiskFault("a range of 0 cylinders has no spares".to_owned()));
            }
            Sparing::EachRange { cylinders: range } => (
                cylinder_sectors.saturating_mul(range).min(1 << 53),
                spares.checked_mul(cylinders / range),
                spares,
                0,
                false,
            ),
            Sparing::ZoneSlips => (all, Some(slips), 0, 0, true),
            Sparing::EachZone { slip_on } => {
                (all, spares.checked_add(if slip_on { slips } else { 0 }), 0, 0, true)
            }
        };
        let blocks = lost.and_then(|lost| all.checked_sub(lost)?.checked_sub(spec.unused_blocks));
        let (Some(blocks), true) = (blocks, of_group < group) else {
            return Err(DiskFault(format!(
                "{all} sectors do not hold {} unused ones, {spares} spares and {slips} slips",
                spec.unused_blocks
            )));
        };
        let usable = group - of_group;
        let mut sorted = spec.slips.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let angle_unit = match layout.sparing {
            Sparing::EachTrack => sectors,
            Sparing::EachCylinder { .. } => cylinder_sectors,
            _ => 0,
        };
        let angle_slips = if angle_unit == 0 { Vec::new() } else { sorted.clone() };
        if zone_wide && of_group > 0 {
            // A slip among spares pushes nothing.
            sorted = sorted
                .into_iter()
                .filter_map(|s| {
                    let within = (s % group).checked_sub(front).filter(|w| *w < usable)?;
                    Some(s / group * usable + within)
                })
                .collect();
        }
        Ok(Self {
            first_cylinder: spec.first_cylinder,
            sectors,
            unused: spec.unused_blocks,
            first_block,
            blocks,
            group,
            usable,
            front,
            zone_wide,
            slips: sorted,
            angle_slips,
            angle_unit,
            tracks_slip: layout.sparing == Sparing::Tracks,
            skews: Skews {
                offset: Shift::of(spec.offset, "the offset of the first block")?,
                track: Shift::of(spec.track_skew, "the skew for a track switch")?,
                cylinder: Shift::of(spec.cylinder_skew, "the skew for a cylinder switch")?,
            },
        })
    }

    /// Physical sector, from the zone's beginning, of its k-th block; unused ones count.
    fn sector(&self, k: u64) -> u64 {
        if self.tracks_slip {
            let track = k / self.sectors;
            return past_slips(&self.slips, track) * self.sectors + (k - track * self.sectors);
        }
        if self.zone_wide {
            let place = past_slips(&self.slips, k);
            if self.usable == self.group {
                return place;
            }
            let group = place / self.usable;
            return group * self.group + self.front + (place - group * self.usable);
        }
        let group = k / self.usable;
        let within = k - group * self.usable + self.front;
        let base = group * self.group;
        if self.slips.is_empty() {
            return base + within;
        }
        let from = self.slips.partition_point(|s| *s < base);
        let mut sector = base + within;
        for slip in &self.slips[from..] {
            if *slip > sector {
                break;
            }
            sector += 1;
        }
        sector
    }

    /// Blocks of the zone on the tracks before this one.
    fn blocks_before(&self, track: u64) -> u64 {
        let sector = track * self.sectors;
        let k = if self.tracks_slip {
            // As many tracks as do not slip.
            let slipped = self.slips.partition_point(|s| *s < track) as u64;
            (track - slipped) * self.sectors
        } else if self.zone_wide {
            let place = if self.usable == self.group {
                sector
            } else {
                let group = sector / self.group;
                let within = (sector - group * self.group).saturating_sub(self.front).min(self.usable);
                group * self.usable + within
            };
            place - self.slips.partition_point(|s| *s < place) as u64
        } else {
            let group = sector / self.group;
            let base = group * self.group;
            let slipped = match self.slips.is_empty() {
                true => 0,
                false => {
                    let from = self.slips.partition_point(|s| *s < base);
                    (self.slips.partition_point(|s| *s < sector).saturating_sub(from)) as u64
                }
            };
            let within = (sector - base).saturating_sub(self.front).saturating_sub(slipped);
            group * self.usable + within.min(self.usable)
        };
        k.saturating_sub(self.unused).min(self.blocks)
    }
}

/// The k-th that did not slip, of ascending slips.
fn past_slips(slips: &[u64], k: u64) -> u64 {
    // The i-th slip (from 0) lies behind so many that did not slip; past it are those from there on.
    let (mut low, mut high) = (0, slips.len());
    while low < high {
        let middle = (low + high) / 2;
        if slips[middle] - middle as u64 <= k {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    k + low as u64
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const TURN_PS: u64 = 10_000_000_000;

    fn zone(cylinders: (u64, u64), sectors_per_track: u64) -> ZoneSpec {
        ZoneSpec {
            first_cylinder: cylinders.0,
            last_cylinder: cylinders.1,
            sectors_per_track,
            offset: Skew::Sectors(0),
            unused_blocks: 0,
            track_skew: Skew::Sectors(10),
            cylinder_skew: Skew::Sectors(25),
            spares: 0,
            slips: Vec::new(),
        }
    }

    fn layout(sparing: Sparing, heads: HeadOrder, zones: Vec<ZoneSpec>) -> Layout {
        Layout::new(&LayoutSpec { surfaces: 3, sparing, heads, zones }, TURN_PS).unwrap()
    }

    /// Cylinder, head and angle in hundredths of a turn.
    fn at(layout: &Layout, block: u64) -> (u64, u64, f64) {
        let place = layout.place(block);
        (place.cylinder, place.head, place.angle_ps as f64 / TURN_PS as f64 * 100.0)
    }

    #[test]
    fn each_head_adds_the_track_skew_and_each_cylinder_its_own_in_its_place() {
        let disk = layout(Sparing::None, HeadOrder::Ascending, vec![zone((0, 9), 100)]);
        assert_eq!(at(&disk, 0), (0, 0, 0.0));
        assert_eq!(at(&disk, 100), (0, 1, 10.0));
        assert_eq!(at(&disk, 207), (0, 2, 27.0));
        // Two heads and one cylinder: 10 + 10 + 25.
        assert_eq!(at(&disk, 300), (1, 0, 45.0));
        assert_eq!(at(&disk, 600), (2, 0, 90.0));
        assert_eq!(at(&disk, 700), (2, 1, 0.0));
    }

    #[test]
    fn a_zone_begins_at_its_own_angle_and_cylinders_between_zones_hold_nothing() {
        let mut inner = zone((12, 19), 50);
        inner.offset = Skew::Sectors(3);
        let disk = layout(Sparing::None, HeadOrder::Ascending, vec![zone((0, 9), 100), inner]);
        assert_eq!(disk.blocks(), 3_000 + 1_200);
        assert_eq!((at(&disk, 2_999).0, disk.place(2_999).track_end), (9, 3_000));
        assert_eq!(at(&disk, 3_000), (12, 0, 6.0));
        assert_eq!((disk.place(3_000).sectors, disk.place(3_000).track_end), (50, 3_050));
    }

    #[test]
    fn skews_in_turns_are_parts_of_a_turn() {
        let mut zone = zone((0, 9), 96);
        (zone.track_skew, zone.cylinder_skew) = (Skew::Turns(0.125), Skew::Turns(0.25));
        let disk = layout(Sparing::None, HeadOrder::Ascending, vec![zone]);
        assert_eq!(at(&disk, 96), (0, 1, 12.5));
        assert_eq!(at(&disk, 3 * 96), (1, 0, 50.0));
    }

    #[test]
    fn heads_turn_on_odd_cylinders_and_the_angle_does_not() {
        let zones = || vec![zone((1, 9), 100)];
        let straight = layout(Sparing::None, HeadOrder::Ascending, zones());
        let in_zone = layout(Sparing::None, HeadOrder::TurnsInZone, zones());
        let on_odd = layout(Sparing::None, HeadOrder::TurnsOnOdd, zones());
        for (block, heads) in [(0, (0, 0, 2)), (299, (2, 2, 0)), (300, (0, 2, 0)), (599, (2, 0, 2))] {
            assert_eq!(
                (at(&straight, block).1, at(&in_zone, block).1, at(&on_odd, block).1),
                heads,
                "{block}"
            );
            assert_eq!(at(&straight, block).2, at(&in_zone, block).2);
        }
    }

    #[test]
    fn blocks_slip_past_bad_sectors_as_far_as_the_scheme_says() {
        let with = |sparing, spares, slips: &[u64]| {
            let mut zone = zone((0, 9), 100);
            (zone.spares, zone.slips) = (spares, slips.to_vec());
            let disk = layout(sparing, HeadOrder::Ascending, vec![zone]);
            (disk.blocks(), move |block| {
                let place = disk.place(block);
                (place.cylinder * 300 + place.head * 100 + place.sector, place.track_end)
            })
        };
        // At the zone's end, in any order: every later block moves on.
        let (blocks, at) = with(Sparing::ZoneSlips, 7, &[101, 3]);
        assert_eq!(
            (blocks, at(2), at(3), at(99), at(2_997)),
            (2_998, (2, 99), (4, 99), (100, 198), (2_999, 2_998))
        );
        // By track: the track's last sector is the spare, and the next track begins as ever.
        let (blocks, at) = with(Sparing::EachTrack, 1, &[3]);
        assert_eq!((blocks, at(2), at(3), at(98), at(99)), (2_970, (2, 99), (4, 99), (99, 99), (100, 198)));
        // By ranges of 4 cylinders, 10 spares each; the last two cylinders are no whole range.
        let (blocks, at) = with(Sparing::EachRange { cylinders: 4 }, 10, &[3, 1_205]);
        assert_eq!(blocks, 3_000 - 20);
        assert_eq!((at(3).0, at(1_189).0, at(1_190).0, at(1_195).0), (4, 1_190, 1_200, 1_206));
        assert_eq!(at(1_180), (1_181, 1_190));
        // Whole tracks: the second is bad.
        let (blocks, at) = with(Sparing::Tracks, 2, &[1]);
        assert_eq!((blocks, at(99), at(100), at(2_799).0), (2_800, (99, 100), (200, 200), 2_899));
        // At the front of each cylinder.
        let (blocks, at) = with(Sparing::EachCylinder { at_front: true, slip_on: false }, 5, &[]);
        assert_eq!((blocks, at(0), at(294).0, at(295).0), (2_950, (5, 95), 299, 305));
    }

    #[test]
    fn what_is_no_layout_says_why() {
        let why = |surfaces, zones: Vec<ZoneSpec>| {
            let spec =
                LayoutSpec { surfaces, sparing: Sparing::EachTrack, heads: HeadOrder::Ascending, zones };
            Layout::new(&spec, TURN_PS).unwrap_err().0
        };
        let change = |change: &dyn Fn(&mut ZoneSpec)| {
            let mut zone = zone((0, 9), 100);
            change(&mut zone);
            why(3, vec![zone])
        };
        assert!(why(0, vec![]).contains("not 0"));
        assert!(why(3, vec![]).contains("hold no block"));
        assert!(change(&|z| z.sectors_per_track = 0).contains("zone 0 (from 0): a track has"));
        assert!(change(&|z| z.first_cylinder = 10).contains("begins at 10"));
        assert!(change(&|z| z.spares = 100).contains("do not hold"));
        assert!(change(&|z| z.unused_blocks = 3_001).contains("3001 unused"));
        assert!(change(&|z| z.track_skew = Skew::Turns(f64::NAN)).contains("track switch"));
    }

    fn schemes() -> impl Strategy<Value = Sparing> {
        prop_oneof![
            Just(Sparing::None),
            Just(Sparing::Tracks),
            Just(Sparing::EachTrack),
            (any::<bool>(), any::<bool>())
                .prop_map(|(at_front, slip_on)| Sparing::EachCylinder { at_front, slip_on }),
            (1u64..4).prop_map(|cylinders| Sparing::EachRange { cylinders }),
            Just(Sparing::ZoneSlips),
            any::<bool>().prop_map(|slip_on| Sparing::EachZone { slip_on }),
        ]
    }

    proptest! {
        /// Each block has a place of its own, further on than the last one's, on no bad sector, and tracks end
        /// where the next block lies on another.
        #[test]
        fn blocks_lie_one_after_the_other(
            sparing in schemes(),
            spares in 0u64..4,
            slips in prop::collection::btree_set(0u64..150, 0..4),
            unused in 0u64..40,
            cylinders in 3u64..7,
        ) {
            // As many slips as spares take in: by group, one each at most.
            let slips: Vec<u64> = match sparing {
                // With spares at the front, slips beyond what is left behind them have no room.
                Sparing::None | Sparing::EachCylinder { at_front: true, slip_on: false } => Vec::new(),
                Sparing::ZoneSlips | Sparing::EachZone { slip_on: true } => slips.into_iter().collect(),
                Sparing::EachCylinder { slip_on: true, .. } => slips.into_iter().take(1).collect(),
                Sparing::Tracks => slips.into_iter().map(|s| s % 9).collect::<BTreeSet<_>>().into_iter()
                    .take(spares as usize).collect(),
                Sparing::EachRange { cylinders: range } => {
                    let whole = cylinders / range * range * 30;
                    slips.into_iter().filter(|s| *s < whole).take(spares as usize).collect()
                }
                _ => slips.into_iter().take(spares as usize).collect(),
            };
            let mut spec = zone((5, 5 + cylinders - 1), 10);
            (spec.spares, spec.slips, spec.unused_blocks) = (spares, slips.clone(), unused);
            let spec = LayoutSpec { surfaces: 3, sparing, heads: HeadOrder::Ascending, zones: vec![spec] };
            let Ok(disk) = Layout::new(&spec, TURN_PS) else { return Ok(()) };
            let sector = |block| {
                let place = disk.place(block);
                (place.cylinder - 5) * 30 + place.head * 10 + place.sector
            };
            for block in 0..disk.blocks() {
                let place = disk.place(block);
                prop_assert!(place.cylinder < 5 + cylinders, "block {block} of {} at {place:?}", disk.blocks());
                let here = sector(block);
                let bad = if sparing == Sparing::Tracks { here / 10 } else { here };
                prop_assert!(!slips.contains(&bad));
                prop_assert!(place.track_end > block && place.track_end <= disk.blocks());
                let begin = disk.track_begin(block);
                prop_assert!(begin <= block && disk.place(begin).track_end == place.track_end);
                if block + 1 < disk.blocks() {
                    let next = sector(block + 1);
                    prop_assert!(next > here);
                    prop_assert_eq!(next / 10 != here / 10, block + 1 == place.track_end);
                }
            }
        }
    }
}
