//! How long the arm takes: a seek curve, the switch of heads, and settling before a write.
//!
//! ```text
//! seek = curve(cylinders)                       0 for none
//!        at least the head switch, where the head changes
//!        + write settle, where that is not 0 and the request writes (never below 0)
//! ```
//!
//! The curve is a table of cylinders and times, straight lines between its points; beyond the last point, the
//! line through the last two goes on. Formulas become tables when they are read: `a + b sqrt(d)` for short
//! seeks and `c + e d` for long ones (Ruemmler and Wilkes, "An introduction to disk drive modeling", IEEE
//! Computer, March 1994).

use super::DiskFault;
use crate::Picoseconds;

/// Points of a seek curve: cylinders, ascending and above 0, and the time.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekCurve {
    points: Vec<(u64, Picoseconds)>,
}

impl SeekCurve {
    /// The curve through points.
    ///
    /// # Errors
    /// Where there is none, they do not ascend, or a time is above an hour.
    pub fn new(points: Vec<(u64, Picoseconds)>) -> Result<Self, DiskFault> {
        if points.is_empty() {
            return Err(DiskFault("a seek curve has at least one point".to_owned()));
        }
        if points[0].0 == 0 {
            return Err(DiskFault("a seek over 0 cylinders takes no time".to_owned()));
        }
        if let Some(pair) = points.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(DiskFault(format!("a seek of {} cylinders follows one of {}", pair[1].0, pair[0].0)));
        }
        if let Some(far) = points.iter().find(|p| p.0 >= 1 << 31 || p.1.as_s() > 3_600.0) {
            return Err(DiskFault(format!("no seek goes over {} cylinders in {}", far.0, far.1)));
        }
        Ok(Self { points })
    }

    /// As many milliseconds for any distance.
    ///
    /// # Errors
    /// Where the time is above an hour.
    pub fn constant(time: Picoseconds) -> Result<Self, DiskFault> {
        Self::new(vec![(1, time)])
    }

    /// What the arm takes over so many cylinders.
    #[must_use]
    pub fn time(&self, cylinders: u64) -> Picoseconds {
        if cylinders == 0 {
            return Picoseconds::ZERO;
        }
        let after = self.points.partition_point(|p| p.0 < cylinders);
        let last = self.points.len() - 1;
        if let Some(exact) = self.points.get(after).filter(|p| p.0 == cylinders || after == 0) {
            return exact.1;
        }
        if last == 0 {
            return self.points[0].1;
        }
        let after = after.min(last);
        let (near, far) = (self.points[after - 1], self.points[after]);
        let rise = i128::from(far.1.0) - i128::from(near.1.0);
        let way = i128::from(cylinders - near.0);
        let time = i128::from(near.1.0) + rise * way / i128::from(far.0 - near.0);
        Picoseconds(u64::try_from(time.max(0)).unwrap_or(u64::MAX))
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[(u64, Picoseconds)] {
        &self.points
    }
}

/// A curve, ready to be asked often: the same times to the picosecond.
#[derive(Clone, Debug)]
pub(crate) struct SeekTable {
    /// Where a straight piece begins, the time there, and how much it rises over how many cylinders.
    pieces: Vec<Piece>,
    /// Short ways, of which most choices are made: what they take, and the least that any way takes which is no shorter.
    near: Vec<(u64, u64)>,
    /// Of each so many cylinders (a power of 2): the piece of the first of them, and that least time of it.
    blocks: Vec<(u32, u64)>,
    shift: u32,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u64,
    time_ps: u64,
    rise_ps: i64,
    over: i64,
    /// The last way that it is for.
    to: u64,
}

impl Piece {
    /// As [`SeekCurve::time`] has it.
    fn time(&self, cylinders: u64) -> u64 {
        // A way is below 2^31, and a time below 2^52.
        let way = cylinders.saturating_sub(self.from) as i64;
        match self.rise_ps.checked_mul(way).and_then(|p| (p / self.over).checked_add(self.time_ps as i64)) {
            Some(time) => time.max(0) as u64,
            None => {
                let rise = i128::from(self.rise_ps) * i128::from(way) / i128::from(self.over);
                u64::try_from((i128::from(self.time_ps) + rise).max(0)).unwrap_or(u64::MAX)
            }
        }
    }
}

impl SeekTable {
    /// That of a curve, for ways up to `longest`.
    #[allow(clippy::cast_possible_truncation, reason = "no more points are in memory")]
    pub(crate) fn new(curve: &SeekCurve, longest: u64) -> Self {
        let points = curve.points();
        let (first, last) = (points[0], points.len() - 1);
        // Up to the first point, and beyond a single one, the time is the same.
        let to = if last == 0 { u64::MAX } else { first.0 };
        let mut pieces = vec![Piece { from: 0, time_ps: first.1.0, rise_ps: 0, over: 1, to }];
        for (number, pair) in (1..).zip(points.windows(2)) {
            pieces.push(Piece {
                from: pair[0].0,
                time_ps: pair[0].1.0,
                rise_ps: pair[1].1.0 as i64 - pair[0].1.0 as i64,
                over: (pair[1].0 - pair[0].0) as i64,
                to: if number == last { u64::MAX } else { pair[1].0 },
            });
        }
        let piece_of = |way: u64| pieces.partition_point(|piece| piece.to < way);
        let mut shift = 0;
        while longest >> shift >= BLOCKS {
            shift += 1;
        }
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        let mut least = u64::MAX;
        // A piece is straight, so that its least time is at one of its ends.
        for block in (0..=longest >> shift).rev() {
            let begin = block << shift;
            let end = (begin + (1 << shift)).min(longest);
            let (from, to) = (piece_of(begin), piece_of(end));
            let bends = pieces[from..to].iter().map(|piece| piece.to);
            for way in [begin, end].into_iter().chain(bends) {
                least = least.min(if way == 0 { 0 } else { pieces[piece_of(way)].time(way) });
            }
            blocks.push((from as u32, least));
        }
        blocks.reverse();
        let mut it = Self { pieces, near: Vec::new(), blocks, shift };
        let known = NEAR.min(longest.saturating_add(1));
        let mut least = it.least(known);
        let mut near: Vec<(u64, u64)> = Vec::new();
        for way in (0..known).rev() {
            let time = it.time(way);
            least = least.min(time);
            near.push((time, least));
        }
        near.reverse();
        it.near = near;
        it
    }

    /// What the arm takes over so many cylinders, as the curve says.
    pub(crate) fn time(&self, cylinders: u64) -> u64 {
        if let Some((time, _)) = self.near(cylinders) {
            return time;
        }
        if cylinders == 0 {
            return 0;
        }
        let mut piece = self.block(cylinders).0 as usize;
        while self.pieces[piece].to < cylinders {
            piece += 1;
        }
        self.pieces[piece].time(cylinders)
    }

    /// No way of so many cylinders and more takes less.
    pub(crate) fn least(&self, cylinders: u64) -> u64 {
        match self.near(cylinders) {
            Some((_, least)) => least,
            None => self.block(cylinders).1,
        }
    }

    fn near(&self, cylinders: u64) -> Option<(u64, u64)> {
        self.near.get(usize::try_from(cylinders).unwrap_or(usize::MAX)).copied()
    }

    fn block(&self, cylinders: u64) -> (u32, u64) {
        let block = usize::try_from(cylinders >> self.shift).unwrap_or(usize::MAX);
        self.blocks[block.min(self.blocks.len() - 1)]
    }
}

/// Blocks of a table at most.
const BLOCKS: u64 = 512;
/// Short ways that it knows one by one.
const NEAR: u64 = 256;

/// The arm.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmSpec {
    /// Seeks over cylinders, for reads.
    pub curve: SeekCurve,
    /// To another head.
    pub head_switch: Picoseconds,
    /// More before a write, picoseconds; less where it is negative.
    pub write_settle_ps: i64,
}

/// Where the arm is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arm {
    pub(crate) cylinder: u64,
    pub(crate) head: u64,
}

impl ArmSpec {
    /// What it takes from here to there, with the table of its curve.
    pub(crate) fn seek_ps(&self, table: &SeekTable, from: Arm, to: Arm, write: bool) -> u64 {
        let mut time = table.time(from.cylinder.abs_diff(to.cylinder));
        if from.head != to.head {
            time = time.max(self.head_switch.0);
        }
        if write && time != 0 {
            time = time.saturating_add_signed(self.write_settle_ps);
        }
        time
    }

    /// What it takes at least over so many cylinders and more, to any head, to read or to write.
    pub(crate) fn least_seek_ps(&self, table: &SeekTable, cylinders: u64) -> u64 {
        table.least(cylinders).saturating_add_signed(self.write_settle_ps.min(0))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arm() -> ArmSpec {
        let ms = |ms: f64| Picoseconds::from_us(ms * 1e3);
        ArmSpec {
            curve: SeekCurve::new(vec![(1, ms(1.0)), (10, ms(1.9)), (20, ms(1.7)), (120, ms(6.7))]).unwrap(),
            head_switch: ms(1.2),
            write_settle_ps: 500_000_000,
        }
    }

    #[test]
    fn the_curve_is_its_points_and_lines_between_and_beyond() {
        let curve = arm().curve;
        let us = |cylinders| curve.time(cylinders).as_us();
        assert_eq!((us(0), us(1), us(10), us(20), us(120)), (0.0, 1_000.0, 1_900.0, 1_700.0, 6_700.0));
        // A falling piece is one that was measured.
        assert_eq!((us(4), us(15), us(70)), (1_300.0, 1_800.0, 4_200.0));
        assert_eq!(us(140), 7_700.0);
        assert_eq!(SeekCurve::constant(Picoseconds::SECOND).unwrap().time(7), Picoseconds::SECOND);
    }

    #[test]
    fn a_seek_hides_a_head_switch_and_a_write_settles_after_either() {
        let arm = arm();
        let at = |cylinder, head| Arm { cylinder, head };
        let table = SeekTable::new(&arm.curve, 200);
        let us = |to, write| Picoseconds(arm.seek_ps(&table, at(0, 0), to, write)).as_us();
        assert_eq!((us(at(0, 0), false), us(at(0, 0), true)), (0.0, 0.0));
        assert_eq!((us(at(0, 1), false), us(at(0, 1), true)), (1_200.0, 1_700.0));
        assert_eq!((us(at(1, 1), false), us(at(1, 0), false)), (1_200.0, 1_000.0));
        assert_eq!((us(at(10, 1), false), us(at(10, 1), true)), (1_900.0, 2_400.0));
        let quick = ArmSpec { write_settle_ps: -2_000_000_000, ..arm };
        assert_eq!(quick.seek_ps(&table, at(0, 0), at(1, 0), true), 0);
    }

    #[test]
    fn what_is_no_curve_says_why() {
        let why = |points| SeekCurve::new(points).unwrap_err().0;
        assert!(why(vec![]).contains("at least one"));
        assert!(why(vec![(0, Picoseconds::ZERO)]).contains("0 cylinders"));
        assert!(why(vec![(5, Picoseconds::ZERO), (5, Picoseconds::ZERO)]).contains("5 cylinders follows"));
        assert!(why(vec![(5, Picoseconds::MAX)]).contains("5 cylinders in"));
    }
    proptest! {
        #[test]
        fn a_table_says_what_its_curve_says_and_its_least_times_are_the_least(
            steps in prop::collection::vec((1..40_u64, 0..3_600_000_000_000_000_u64, any::<bool>()), 1..40),
            longest in 0..3_000_u64,
        ) {
            let mut way = 0;
            let points = steps.iter().map(|(step, time, short)| {
                way += step;
                // Short ones as disks have them, long ones so that products leave 64 bits.
                (way, Picoseconds(if *short { time / 100_000 } else { *time }))
            });
            let curve = SeekCurve::new(points.collect()).unwrap();
            let table = SeekTable::new(&curve, longest);
            let mut least = u64::MAX;
            for way in (0..=longest).rev() {
                prop_assert_eq!(Picoseconds(table.time(way)), curve.time(way));
                least = least.min(curve.time(way).0);
                prop_assert!(table.least(way) <= least, "{} {} {}", way, table.least(way), least);
                if way < NEAR && longest < NEAR || table.shift == 0 {
                    prop_assert_eq!(table.least(way), least);
                }
            }
        }
    }

    #[test]
    fn a_rise_that_leaves_64_bits_is_that_of_the_curve() {
        let curve =
            SeekCurve::new(vec![(1, Picoseconds(5)), (2, Picoseconds(3_000_000_000_000_000))]).unwrap();
        let table = SeekTable::new(&curve, (1 << 31) - 1);
        for way in [1, 2, 3, 1_000, 3_075, 3_076, 1 << 30, (1 << 31) - 1] {
            assert_eq!(Picoseconds(table.time(way)), curve.time(way), "{way}");
        }
    }
}
