//! All assignments of a part that may still win, one after the other.
//!
//! Units come with those first that lose most by any other place: what is sure lies there already when the doubtful
//! ones are decided, so the queue that it makes is charged in full, and so is room that nothing can fill any more.

use super::bound::{Answer, LIMITS, Relaxed};
use super::case::{Case, OUT, On, Place};

pub(super) struct Walk<'a> {
    case: &'a Case,
    answer: &'a Answer,
    /// Units in doubt with their places and what each loses.
    open: Vec<(usize, Vec<(Place, f64)>)>,
    /// Most that the units from each one on take of each limit.
    most: Vec<Vec<f64>>,
    relaxed: &'a Relaxed<'a>,
    places: Vec<Place>,
    /// Nodes left.
    left: usize,
    pub(super) nodes: usize,
    pub(super) best: Option<Vec<Place>>,
    to_beat: f64,
}

impl<'a> Walk<'a> {
    /// `open` holds units that count for themselves and need nothing; the places of all others are decided.
    pub(super) fn new(
        case: &'a Case,
        (relaxed, answer): (&'a Relaxed<'a>, &'a Answer),
        places: Vec<Place>,
        mut open: Vec<(usize, Vec<(Place, f64)>)>,
        to_beat: f64,
        left: usize,
    ) -> Self {
        let second = |all: &[(Place, f64)]| all.get(1).map_or(f64::INFINITY, |p| p.1);
        open.sort_by(|a, b| second(&b.1).total_cmp(&second(&a.1)).then(a.0.cmp(&b.0)));
        let mut most = vec![vec![0.0; case.tiers * LIMITS]; open.len() + 1];
        for at in (0..open.len()).rev() {
            most[at] = most[at + 1].clone();
            let (unit, places) = &open[at];
            for t in places.iter().filter(|p| p.0 != OUT).map(|p| usize::from(p.0)) {
                for (most, share) in most[at][t * LIMITS..].iter_mut().zip(relaxed.share(*unit, t)) {
                    *most += share;
                }
            }
        }
        Self { case, answer, open, most, relaxed, places, left, nodes: 0, best: None, to_beat }
    }

    /// Goes through all; `false` where the nodes did not do.
    pub(super) fn all(&mut self) -> bool {
        let taken = self.case.taken(&self.places);
        if taken.iter().enumerate().any(|(t, on)| !self.case.fits(t, on)) {
            return true;
        }
        let mut used = vec![0.0; self.case.tiers * LIMITS];
        for (unit, at) in self.places.iter().enumerate().filter(|(_, at)| **at != OUT) {
            if let Some(used) = used.get_mut(usize::from(*at) * LIMITS..) {
                used.iter_mut().zip(self.relaxed.share(unit, usize::from(*at))).for_each(|(u, s)| *u += s);
            }
        }
        self.down(Level { bound: self.answer.bound, taken, used, tried: 0 })
    }

    /// Depth first, over a list of its own: as many units may be in doubt as a stack has no room for.
    fn down(&mut self, first: Level) -> bool {
        let mut levels: Vec<Level> = Vec::new();
        let mut next = Some(first);
        loop {
            if let Some(level) = next.take() {
                if self.left == 0 {
                    return false;
                }
                self.left -= 1;
                self.nodes += 1;
                if self.may_win(levels.len(), &level) {
                    levels.push(level);
                }
            }
            let Some(at) = levels.len().checked_sub(1) else { return true };
            let level = &mut levels[at];
            let place = self.open.get(at).and_then(|(unit, places)| Some((*unit, *places.get(level.tried)?)));
            let Some((unit, (place, loss))) =
                place.filter(|(_, (_, loss))| level.bound - loss > self.to_beat)
            else {
                levels.pop();
                continue;
            };
            level.tried += 1;
            self.places[unit] = place;
            let (mut taken, mut used) = (level.taken.clone(), level.used.clone());
            if let Some(on) = self.case.on(unit, place) {
                let t = usize::from(place);
                taken[t] = taken[t].with(on);
                if !self.case.fits(t, &taken[t]) {
                    continue;
                }
                used[t * LIMITS..].iter_mut().zip(self.relaxed.share(unit, t)).for_each(|(u, s)| *u += s);
            }
            next = Some(Level { bound: level.bound - loss, taken, used, tried: 0 });
        }
    }

    /// May the units from this one on still make what is taken the best? With none left, it is kept where it is.
    fn may_win(&mut self, at: usize, level: &Level) -> bool {
        // What queues already beyond the lower ends, and limits that can no longer be used up.
        let mut lost = 0.0;
        for (t, on) in level.taken.iter().enumerate() {
            let own = t * LIMITS..(t + 1) * LIMITS;
            let (most, prices) = (&self.most[at][own.clone()], &self.answer.prices[own.clone()]);
            match self.relaxed.lost(t, on, &level.used[own], most, prices) {
                Some(own) => lost += own,
                None => return false,
            }
        }
        if level.bound - lost <= self.to_beat {
            return false;
        }
        if at < self.open.len() {
            return true;
        }
        let nets: Option<Vec<f64>> = level.taken.iter().map(On::net).collect();
        if let Some(all) = nets.map(|nets| nets.iter().sum::<f64>())
            && all > self.to_beat
        {
            self.to_beat = all;
            self.best = Some(self.places.clone());
        }
        false
    }
}

/// What is taken before a unit is decided, and how many of its places were tried.
struct Level {
    bound: f64,
    taken: Vec<On>,
    used: Vec<f64>,
    tried: usize,
}
