//! Policies against plain versions of themselves, laws and formulas.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;
use spindle_workload::{Pattern, Seeded};
use std::collections::{BTreeMap, VecDeque};

/// The same in a few lines, without care for speed. Newest first.
trait Plain {
    fn access(&mut self, page: u64) -> Access;
    fn forget(&mut self, page: u64) -> bool;
    fn there(&self) -> Vec<u64>;
}

struct PlainLru(usize, Vec<u64>);

impl Plain for PlainLru {
    fn access(&mut self, page: u64) -> Access {
        let hit = self.forget(page);
        self.1.insert(0, page);
        if hit {
            return Access::Hit;
        }
        Access::Miss { evicted: if self.1.len() > self.0 { self.1.pop() } else { None } }
    }

    fn forget(&mut self, page: u64) -> bool {
        let found = self.1.iter().position(|p| *p == page);
        found.map(|at| self.1.remove(at)).is_some()
    }

    fn there(&self) -> Vec<u64> {
        self.1.clone()
    }
}

/// T1, T2, B1, B2 as in the figure of the paper.
struct PlainArc {
    c: usize,
    p: f64,
    lists: [Vec<u64>; 4],
}

impl PlainArc {
    fn replace(&mut self, in_b2: bool) -> Option<u64> {
        if self.lists[0].len() + self.lists[1].len() < self.c {
            return None;
        }
        let t1 = self.lists[0].len() as f64;
        let from =
            usize::from(!(t1 >= 1.0 && (t1 > self.p || (in_b2 && t1 == self.p) || self.lists[1].is_empty())));
        let page = self.lists[from].pop()?;
        self.lists[from + 2].insert(0, page);
        Some(page)
    }
}

impl Plain for PlainArc {
    fn access(&mut self, page: u64) -> Access {
        let at = self.lists.iter().position(|l| l.contains(&page));
        let n = [0, 1, 2, 3].map(|l| self.lists[l].len());
        let evicted = match at {
            Some(0 | 1) => None,
            Some(2) => {
                self.p = (self.c as f64).min(self.p + (n[3] as f64 / n[2] as f64).max(1.0));
                self.replace(false)
            }
            Some(_) => {
                self.p = 0.0_f64.max(self.p - (n[2] as f64 / n[3] as f64).max(1.0));
                self.replace(true)
            }
            None if n[0] + n[2] == self.c => {
                if n[0] < self.c {
                    self.lists[2].pop();
                    self.replace(false)
                } else {
                    self.lists[0].pop()
                }
            }
            None if n.iter().sum::<usize>() >= self.c => {
                if n.iter().sum::<usize>() == 2 * self.c {
                    self.lists[3].pop();
                }
                self.replace(false)
            }
            None => None,
        };
        self.lists.iter_mut().for_each(|l| l.retain(|p| *p != page));
        self.lists[usize::from(at.is_some())].insert(0, page);
        if matches!(at, Some(0 | 1)) { Access::Hit } else { Access::Miss { evicted } }
    }

    fn forget(&mut self, page: u64) -> bool {
        let was = self.there().contains(&page);
        self.lists.iter_mut().for_each(|l| l.retain(|p| *p != page));
        was
    }

    fn there(&self) -> Vec<u64> {
        self.lists[..2].concat()
    }
}

struct PlainS3Fifo {
    c: usize,
    small: VecDeque<u64>,
    main: VecDeque<u64>,
    ghost: VecDeque<u64>,
    marks: BTreeMap<u64, u8>,
}

impl Plain for PlainS3Fifo {
    fn access(&mut self, page: u64) -> Access {
        if let Some(mark) = self.marks.get_mut(&page) {
            *mark = (*mark + 1).min(3);
            return Access::Hit;
        }
        let tenth = (self.c / 10).max(1);
        let known = self.ghost.contains(&page);
        self.ghost.retain(|p| *p != page);
        let mut evicted = None;
        while self.marks.len() == self.c {
            if self.small.len() >= tenth {
                let oldest = self.small.pop_back().unwrap();
                if self.marks[&oldest] > 1 {
                    self.marks.insert(oldest, 0);
                    self.main.push_front(oldest);
                } else {
                    self.marks.remove(&oldest);
                    self.ghost.push_front(oldest);
                    self.ghost.truncate(self.c - tenth);
                    evicted = Some(oldest);
                }
            } else {
                let oldest = self.main.pop_back().unwrap();
                let mark = self.marks[&oldest];
                if mark > 0 {
                    self.marks.insert(oldest, mark - 1);
                    self.main.push_front(oldest);
                } else {
                    self.marks.remove(&oldest);
                    evicted = Some(oldest);
                }
            }
        }
        self.marks.insert(page, 0);
        if known {
            self.main.push_front(page)
        } else {
            self.small.push_front(page)
        }
        Access::Miss { evicted }
    }

    fn forget(&mut self, page: u64) -> bool {
        for list in [&mut self.small, &mut self.main, &mut self.ghost] {
            list.retain(|p| *p != page);
        }
        self.marks.remove(&page).is_some()
    }

    fn there(&self) -> Vec<u64> {
        self.marks.keys().copied().collect()
    }
}

fn both(which: usize, capacity: usize) -> (Box<dyn Cache>, Box<dyn Plain>) {
    match which {
        0 => (Box::new(Lru::new(capacity)), Box::new(PlainLru(capacity, Vec::new()))),
        1 => {
            let plain = PlainArc { c: capacity, p: 0.0, lists: Default::default() };
            (Box::new(Arc::new(capacity)), Box::new(plain))
        }
        _ => {
            let plain = PlainS3Fifo {
                c: capacity,
                small: VecDeque::new(),
                main: VecDeque::new(),
                ghost: VecDeque::new(),
                marks: BTreeMap::new(),
            };
            (Box::new(S3Fifo::new(capacity)), Box::new(plain))
        }
    }
}

/// Accesses with some locality, and now and then a page that is dropped.
fn accesses() -> impl Strategy<Value = Vec<(u64, bool)>> {
    let page = prop_oneof![3 => 0..8_u64, 3 => 0..40_u64, 1 => 0..1_000_u64];
    prop::collection::vec((page, prop::bool::weighted(0.03)), 0..800)
}

proptest! {
    #[test]
    fn a_policy_does_what_its_plain_version_does(
        which in 0..3_usize,
        capacity in 1..40_usize,
        accesses in accesses(),
    ) {
        let (mut cache, mut plain) = both(which, capacity);
        for (page, drop_it) in accesses {
            if drop_it {
                prop_assert_eq!(cache.forget(page), plain.forget(page));
            } else {
                let was_there = cache.holds(page);
                let came = cache.access(page);
                prop_assert_eq!(came, plain.access(page));
                prop_assert_eq!(came == Access::Hit, was_there);
                prop_assert!(cache.holds(page));
                if let Access::Miss { evicted: Some(gone) } = came {
                    prop_assert!(gone != page && !cache.holds(gone));
                }
            }
            let there = plain.there();
            prop_assert!(there.iter().all(|p| cache.holds(*p)));
            prop_assert_eq!(cache.len(), there.len());
            prop_assert!(cache.len() <= cache.capacity());
        }
    }

    #[test]
    fn a_larger_lru_cache_holds_all_that_a_smaller_one_does(
        smaller in 1..30_usize,
        more in 1..30_usize,
        accesses in accesses(),
    ) {
        let (mut small, mut large) = (Lru::new(smaller), Lru::new(smaller + more));
        for (page, _) in accesses {
            let hit = small.access(page) == Access::Hit;
            let hit_in_large = large.access(page) == Access::Hit;
            prop_assert!(!hit || hit_in_large);
            prop_assert!((0..1_000).all(|p| !small.holds(p) || large.holds(p)));
        }
    }

    #[test]
    fn the_numbers_that_arc_and_s3_fifo_remember_are_bounded(capacity in 1..40_usize, accesses in accesses()) {
        let (mut arc, mut s3) = (Arc::new(capacity), S3Fifo::new(capacity));
        for (page, drop_it) in accesses {
            if drop_it {
                arc.forget(page);
                s3.forget(page);
            } else {
                arc.access(page);
                s3.access(page);
            }
            let [t1, t2, b1, b2] = arc.lengths();
            prop_assert!(t1 + t2 <= capacity && t1 + b1 <= capacity && t1 + t2 + b1 + b2 <= 2 * capacity);
            prop_assert!((0.0..=capacity as f64).contains(&arc.once()));
            let [small, main, ghost] = s3.lengths();
            prop_assert!(small + main <= capacity && ghost <= capacity);
        }
    }
}

/// Hit rate of draws by Zipf's law once the cache has filled.
fn zipf_hit_rate(cache: &mut dyn Cache, pages: u64, theta: f64, draws: u64) -> f64 {
    let mut blocks = Pattern::Zipf { theta }.blocks(pages, Seeded::new(11, 0));
    for _ in 0..draws / 2 {
        cache.access(blocks.draw());
    }
    let hits = (0..draws).filter(|_| cache.access(blocks.draw()) == Access::Hit).count();
    hits as f64 / draws as f64
}

fn zipf_weights(pages: u64, theta: f64) -> Vec<f64> {
    (1..=pages).map(|k| (k as f64).powf(-theta)).collect()
}

#[test]
fn lru_hits_as_often_as_ches_formula_says() {
    for (theta, pages, capacity) in [
        (0.0, 20_000, 2_000),
        (0.7, 20_000, 500),
        (0.7, 20_000, 5_000),
        (1.0, 20_000, 200),
        (1.0, 20_000, 4_000),
    ] {
        let found = zipf_hit_rate(&mut Lru::new(capacity), pages, theta, 400_000);
        let formula = lru_hit_rate(&zipf_weights(pages, theta), capacity).unwrap();
        assert!((found - formula).abs() < 0.004, "{theta} {capacity}: {found} {formula}");
    }
}

#[test]
fn arc_and_s3_fifo_keep_the_wanted_better_than_lru_and_nobody_better_than_knowing_them() {
    for capacity in [200, 2_000] {
        let weights = zipf_weights(20_000, 0.9);
        let best = weights[..capacity].iter().sum::<f64>() / weights.iter().sum::<f64>();
        let [lru, arc, s3] =
            [0, 1, 2].map(|w| zipf_hit_rate(&mut *both(w, capacity).0, 20_000, 0.9, 400_000));
        assert!(arc > lru + 0.02 && s3 > lru + 0.02, "{capacity}: {lru} {arc} {s3}");
        assert!(arc < best + 0.004 && s3 < best + 0.004, "{capacity}: {best} {arc} {s3}");
    }
}

#[test]
fn a_scan_drives_the_wanted_pages_out_of_lru_alone() {
    let kept = [0, 1, 2].map(|which| {
        let mut cache = both(which, 1_000).0;
        // Wanted again and again.
        for round in 0..5 * 500 {
            cache.access(round % 500);
        }
        // Once, and never again.
        for page in 0..5_000 {
            cache.access(10_000 + page);
        }
        (0..500).filter(|page| cache.holds(*page)).count()
    });
    assert_eq!(kept, [0, 500, 500]);
}

#[test]
fn a_loop_a_little_longer_than_the_cache_never_hits_in_lru() {
    let mut cache = Lru::new(100);
    let hits = (0..10_000).filter(|n| cache.access(n % 101) == Access::Hit).count();
    assert_eq!(hits, 0);
}

#[test]
fn the_formula_knows_its_ends() {
    assert_eq!(lru_hit_rate(&[1.0; 10], 10), Some(1.0));
    assert_eq!(lru_hit_rate(&[1.0, 0.0, 1.0], 2), Some(1.0));
    // All as likely: the share that is there.
    assert!((lru_hit_rate(&[2.0; 1_000], 250).unwrap() - 0.25).abs() < 1e-9);
    for (weights, capacity) in [(&[][..], 1), (&[0.0], 1), (&[f64::NAN], 1), (&[-1.0, 2.0], 1), (&[1.0], 0)] {
        assert_eq!(lru_hit_rate(weights, capacity), None);
    }
}
