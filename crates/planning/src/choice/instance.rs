//! What is still undecided: units, the tiers that they may go to, and the bytes left.

use super::prepare::{OUT, Place, Prepared};

/// No unit.
pub(super) const NONE: u32 = u32::MAX;

/// An undecided rest of a problem; units stand before all that they need.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) tiers: usize,
    /// Bytes left on each tier.
    pub(super) capacity: Vec<u64>,
    /// Unit of [`Prepared`] that each stands for.
    pub(super) unit: Vec<u32>,
    pub(super) size: Vec<u64>,
    /// Saving of each unit on each tier, unit by unit; minus infinity where it may not go.
    pub(super) value: Vec<f64>,
    /// Units that each needs.
    pub(super) needs: Vec<Vec<u32>>,
    /// One unit that needs it, the last in order; the relaxation forgets the others.
    pub(super) parent: Vec<u32>,
}

impl Instance {
    /// The whole problem, pins taken out.
    pub(super) fn new(prepared: &Prepared, residual: &[u64]) -> Self {
        let places: Vec<Option<Place>> = prepared
            .units
            .iter()
            .map(|u| {
                #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
                u.pinned.map(|p| p as Place)
            })
            .collect();
        let count = prepared.units.len();
        let whole = Self {
            tiers: prepared.tiers,
            capacity: residual.to_vec(),
            #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
            unit: (0..count as u32).collect(),
            size: prepared.units.iter().map(|u| u.size).collect(),
            value: prepared.units.iter().flat_map(|u| u.value.iter().copied()).collect(),
            needs: prepared.units.iter().map(|u| u.needs.clone()).collect(),
            parent: vec![NONE; count],
        };
        whole.rest(&places, residual.to_vec())
    }

    pub(super) fn len(&self) -> usize {
        self.unit.len()
    }

    pub(super) fn value_on(&self, i: usize, tier: usize) -> f64 {
        self.value[i * self.tiers + tier]
    }

    /// A unit and all that it needs, ascending.
    pub(super) fn closure(&self, i: usize) -> Vec<u32> {
        #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
        let mut all = vec![i as u32];
        if self.needs[i].is_empty() {
            return all;
        }
        let mut seen = vec![false; self.len()];
        seen[i] = true;
        let mut next = 0;
        while let Some(&j) = all.get(next) {
            next += 1;
            for &n in &self.needs[j as usize] {
                if !std::mem::replace(&mut seen[n as usize], true) {
                    all.push(n);
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// What remains when some units are decided: decided ones leave, units that can no longer save
    /// anything leave, and tiers that a unit can no longer go to are struck.
    ///
    /// What a decided unit needs must be decided alike.
    pub(super) fn rest(&self, places: &[Option<Place>], capacity: Vec<u64>) -> Self {
        let (n, tiers) = (self.len(), self.tiers);
        let mut value = self.value.clone();
        for i in (0..n).rev() {
            if places[i].is_some() {
                continue;
            }
            for &need in &self.needs[i] {
                let need = need as usize;
                for t in 0..tiers {
                    let may = match places[need] {
                        None => value[need * tiers + t] > f64::NEG_INFINITY,
                        Some(place) => usize::from(place) == t,
                    };
                    if !may {
                        value[i * tiers + t] = f64::NEG_INFINITY;
                    }
                }
            }
            let bytes = if self.needs[i].is_empty() {
                u128::from(self.size[i])
            } else {
                let open = self.closure(i).into_iter().filter(|&j| places[j as usize].is_none());
                open.map(|j| u128::from(self.size[j as usize])).sum()
            };
            for t in 0..tiers {
                if bytes > u128::from(capacity[t]) {
                    value[i * tiers + t] = f64::NEG_INFINITY;
                }
            }
        }
        let mut live = vec![false; n];
        for i in 0..n {
            if places[i].is_some() {
                continue;
            }
            let own = &value[i * tiers..(i + 1) * tiers];
            live[i] |= own.iter().any(|&v| v > 0.0);
            if live[i] && own.iter().any(|&v| v > f64::NEG_INFINITY) {
                self.needs[i].iter().for_each(|&j| live[j as usize] |= places[j as usize].is_none());
            }
        }
        let mut number = vec![NONE; n];
        let mut rest = Self {
            tiers,
            capacity,
            unit: Vec::new(),
            size: Vec::new(),
            value: Vec::new(),
            needs: Vec::new(),
            parent: Vec::new(),
        };
        for i in (0..n).filter(|&i| live[i]) {
            #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
            let place = rest.unit.len() as u32;
            number[i] = place;
            rest.unit.push(self.unit[i]);
            rest.size.push(self.size[i]);
            rest.value.extend_from_slice(&value[i * tiers..(i + 1) * tiers]);
        }
        rest.parent = vec![NONE; rest.len()];
        for i in (0..n).filter(|&i| live[i]) {
            // Needs that are decided are met, or have struck the tier.
            let needs: Vec<u32> =
                self.needs[i].iter().map(|&j| number[j as usize]).filter(|&j| j != NONE).collect();
            needs.iter().for_each(|&j| rest.parent[j as usize] = number[i]);
            rest.needs.push(needs);
        }
        rest
    }

    /// Settles units: those of `places`, what they need, and what needs those that stay. `None` where
    /// that contradicts itself or does not fit; then no assignment has those units there.
    pub(super) fn settle(&self, mut places: Vec<Option<Place>>) -> Option<(Vec<Option<Place>>, Vec<u64>)> {
        for i in 0..self.len() {
            let Some(place) = places[i].filter(|&p| p != OUT) else { continue };
            for &n in &self.needs[i] {
                match places[n as usize] {
                    None => places[n as usize] = Some(place),
                    Some(other) if other == place => {}
                    Some(_) => return None,
                }
            }
        }
        for i in (0..self.len()).rev() {
            if places[i].is_none() && self.needs[i].iter().any(|&n| places[n as usize] == Some(OUT)) {
                places[i] = Some(OUT);
            }
        }
        let mut capacity = self.capacity.clone();
        for (i, place) in places.iter().enumerate() {
            if let Some(t) = place.filter(|&p| p != OUT) {
                let t = usize::from(t);
                capacity[t] = capacity[t].checked_sub(self.size[i])?;
            }
        }
        Some((places, capacity))
    }
}
