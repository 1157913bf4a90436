//! Thousands of digests in memory: what they have in common is kept once.

use super::digest::Digest;
use spindle_facts::{HistogramBucket, Side, SmolStr, WaitHistogram};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Lists of parameters that are looked through for an equal one.
const LISTS: usize = 64;

/// Bounds of buckets, microseconds.
type Bounds = Arc<[(f64, Option<f64>)]>;

/// What digests share.
#[derive(Debug, Default)]
pub struct Keeper {
    names: HashSet<SmolStr>,
    bounds: HashMap<Vec<u64>, Bounds>,
    parameters: Vec<Arc<BTreeMap<String, String>>>,
}

impl Keeper {
    /// Makes a digest share what others have, too.
    pub fn keep(&mut self, digest: &mut Digest) {
        for event in &mut digest.events {
            self.name(&mut event.event);
            self.name(&mut event.wait_class);
        }
        for histogram in &mut digest.histograms {
            if let Histogram::Counted(counted) = histogram {
                self.name(&mut counted.event);
                let key = counted
                    .bounds
                    .iter()
                    .flat_map(|(low, high)| [low.to_bits(), high.map_or(u64::MAX, f64::to_bits)]);
                let bounds = self.bounds.entry(key.collect()).or_insert_with(|| Arc::clone(&counted.bounds));
                counted.bounds = Arc::clone(bounds);
            }
        }
        if let Some(own) = &mut digest.parameters {
            match self.parameters.iter().rev().find(|known| *known == own) {
                Some(known) => *own = Arc::clone(known),
                None if self.parameters.len() < LISTS => self.parameters.push(Arc::clone(own)),
                None => {}
            }
        }
    }

    fn name(&mut self, name: &mut SmolStr) {
        match self.names.get(name) {
            Some(known) => *name = known.clone(),
            None => {
                self.names.insert(name.clone());
            }
        }
    }
}

/// A histogram; of counts alone where nothing is rounded.
#[derive(Clone, Debug)]
pub(crate) enum Histogram {
    Counted(Counted),
    Whole(Box<WaitHistogram>),
}

/// Exact counts between bounds that many have.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) event: SmolStr,
    side: Side,
    line: u32,
    section: u16,
    waits: Option<f64>,
    bounds: Bounds,
    counts: Box<[f64]>,
}

impl Histogram {
    pub(crate) fn of(of: &WaitHistogram) -> Self {
        let exact = |b: &HistogramBucket| {
            b.waits == b.waits_low
                && b.waits == b.waits_high
                && b.share_pct.is_none()
                && b.share_bounds_pct.is_none()
        };
        if !of.buckets.iter().all(exact) {
            return Self::Whole(Box::new(of.clone()));
        }
        Self::Counted(Counted {
            event: of.event.clone(),
            side: of.side,
            line: of.line,
            section: of.section,
            waits: of.waits,
            bounds: of.buckets.iter().map(|b| (b.low_us, b.high_us)).collect(),
            counts: of.buckets.iter().map(|b| b.waits).collect(),
        })
    }

    pub(crate) fn event(&self) -> &str {
        match self {
            Self::Counted(of) => &of.event,
            Self::Whole(of) => &of.event,
        }
    }

    /// As it was; lines are those of its first bucket.
    pub(crate) fn whole(&self) -> WaitHistogram {
        let of = match self {
            Self::Counted(of) => of,
            Self::Whole(of) => return WaitHistogram::clone(of),
        };
        let buckets = of.bounds.iter().zip(&of.counts).map(|((low_us, high_us), waits)| HistogramBucket {
            low_us: *low_us,
            high_us: *high_us,
            waits: *waits,
            waits_low: *waits,
            waits_high: *waits,
            share_pct: None,
            share_bounds_pct: None,
            line: of.line,
        });
        WaitHistogram {
            line: of.line,
            section: of.section,
            instance_number: None,
            event: of.event.clone(),
            side: of.side,
            waits: of.waits,
            buckets: buckets.collect(),
        }
    }
}
