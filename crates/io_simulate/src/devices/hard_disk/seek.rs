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
    /// What it takes from here to there.
    pub(crate) fn seek_ps(&self, from: Arm, to: Arm, write: bool) -> u64 {
        let mut time = self.curve.time(from.cylinder.abs_diff(to.cylinder)).0;
        if from.head != to.head {
            time = time.max(self.head_switch.0);
        }
        if write && time != 0 {
            time = time.saturating_add_signed(self.write_settle_ps);
        }
        time
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

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
        let us = |to, write| Picoseconds(arm.seek_ps(at(0, 0), to, write)).as_us();
        assert_eq!((us(at(0, 0), false), us(at(0, 0), true)), (0.0, 0.0));
        assert_eq!((us(at(0, 1), false), us(at(0, 1), true)), (1_200.0, 1_700.0));
        assert_eq!((us(at(1, 1), false), us(at(1, 0), false)), (1_200.0, 1_000.0));
        assert_eq!((us(at(10, 1), false), us(at(10, 1), true)), (1_900.0, 2_400.0));
        let quick = ArmSpec { write_settle_ps: -2_000_000_000, ..arm };
        assert_eq!(quick.seek_ps(at(0, 0), at(1, 0), true), 0);
    }

    #[test]
    fn what_is_no_curve_says_why() {
        let why = |points| SeekCurve::new(points).unwrap_err().0;
        assert!(why(vec![]).contains("at least one"));
        assert!(why(vec![(0, Picoseconds::ZERO)]).contains("0 cylinders"));
        assert!(why(vec![(5, Picoseconds::ZERO), (5, Picoseconds::ZERO)]).contains("5 cylinders follows"));
        assert!(why(vec![(5, Picoseconds::MAX)]).contains("5 cylinders in"));
    }
}
