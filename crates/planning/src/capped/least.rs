//! The least that pays for the queue before a cap, by the load of all that makes it up.
//!
//! Of what may lie on a tier, that which pays least for its load comes first, the last of it in part: no assignment with
//! so much load pays less. The line is convex and rises, and so does the queue, so what both make together is convex too,
//! and a price of the load has one best answer.

use super::case::{Case, On, place};
use crate::load::{CAPS, HOLDS_TO, queue_s, slope, turn_along, waits};

/// Sums in another order differ by less, in shares of a cap.
const LAST_DIGITS: f64 = 1e-9;

/// A load and the least that pays for it, up to the next.
#[derive(Clone, Copy, Debug)]
struct Corner {
    share: f64,
    pays: f64,
    /// Paid for more load from here on.
    each: f64,
}

/// The line over the loads that a part of all assignments has.
#[derive(Clone, Debug)]
pub(super) struct Least {
    corners: Vec<Corner>,
    /// Loads of the part that can be reached.
    from: f64,
    to: f64,
    /// Times that the gate takes longer at the lower end, which units are charged for themselves.
    charged: f64,
}

impl Least {
    /// `taken` is what lies on the tier already, `may` says of each unit whether it may yet.
    pub(super) fn of(
        case: &Case,
        (tier, cap): (usize, usize),
        taken: &On,
        (low, high): (f64, f64),
        may: impl Fn(usize) -> bool,
    ) -> Self {
        let (mut share, mut pays) = (taken.share[cap], taken.pays[cap]);
        let mut corners: Vec<Corner> = Vec::new();
        for unit in &case.by_pay[tier * CAPS + cap] {
            let unit = *unit as usize;
            let Some(on) = case.on(unit, place(tier)).filter(|_| may(unit)) else { continue };
            let each = on.pays[cap] / on.share[cap];
            // Of equal ones one corner is enough.
            if corners.last().is_none_or(|last| last.each < each) {
                corners.push(Corner { share, pays, each });
            }
            (share, pays) = (share + on.share[cap], pays + on.pays[cap]);
        }
        corners.push(Corner { share, pays, each: 0.0 });
        let charged = waits(low).unwrap_or(0.0);
        Self { corners, from: low.max(taken.share[cap]), to: share.min(high), charged }
    }

    /// All that may lie there together is less load than the part has.
    pub(super) fn is_out_of_reach(&self) -> bool {
        self.from > self.to + LAST_DIGITS
    }

    /// Is it a load of the part?
    #[cfg(test)]
    pub(super) fn reaches(&self, share: f64) -> bool {
        self.from <= share && share <= self.to
    }

    /// Corner from which the line goes on to a load.
    fn corner(&self, share: f64) -> Corner {
        let after = self.corners.partition_point(|c| c.share <= share);
        self.corners.get(after.saturating_sub(1)).copied().unwrap_or(Corner {
            share: 0.0,
            pays: 0.0,
            each: 0.0,
        })
    }

    /// The least that pays for a load.
    pub(super) fn pays(&self, share: f64) -> f64 {
        let corner = self.corner(share);
        corner.pays + (share - corner.share).max(0.0) * corner.each
    }

    /// The most that a price for the load is worth after the queue beyond what is charged already, and the load that is.
    pub(super) fn most(&self, price: f64) -> (f64, f64) {
        let share = self.best(price);
        let pays = self.pays(share);
        let charged = if pays > 0.0 { pays * self.charged } else { 0.0 };
        (price * share - queue_s(pays, share) + charged, share)
    }

    fn best(&self, price: f64) -> f64 {
        let to = self.to.max(self.from);
        // Up to here nothing queues.
        let from = HOLDS_TO.min(to).max(self.from);
        if price <= 0.0 || from >= to {
            return from;
        }
        let beyond = |share: f64| waits(share).map_or(f64::INFINITY, |w| w - self.charged);
        let rises = |c: &Corner| {
            c.share <= from || c.share < to && price > c.each * beyond(c.share) + c.pays * slope(c.share)
        };
        let after = self.corners.partition_point(rises);
        let at = after.saturating_sub(1);
        let Some(corner) = self.corners.get(at) else { return from };
        let to = self.corners.get(after).map_or(to, |next| next.share.min(to));
        let at_none = corner.pays - corner.each * corner.share;
        turn_along(price, (at_none, corner.each), self.charged, corner.share.max(from), to.max(from))
    }
}
