//! Held against all assignments, one by one, and against what must hold of any two offers.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::choice::Item;
use crate::load::{CAPS, most_share, waits};
use proptest::prelude::*;

/// Capacity, cap on requests, cap on MB/s.
type Given = (u64, Option<f64>, Option<f64>);

fn tier(name: usize, (_, iops_cap, mbps): Given) -> Tier {
    Tier {
        name: format!("t{name}"),
        capacity_bytes: 1e12,
        read_latency_us: 1_000.0,
        write_latency_us: 1_000.0,
        mbps,
        iops_cap,
        price: None,
        endurance_bytes: None,
        profile: None,
    }
}

/// Items with what they ask.
#[derive(Clone, Debug)]
struct Objects {
    items: Vec<Item>,
    demands: Vec<Demand>,
}

impl Objects {
    fn chosen(&self, tiers: &[Given], work: usize) -> Choice {
        let problem = Problem { items: self.items.clone(), capacities: tiers.iter().map(|t| t.0).collect() };
        let all: Vec<Tier> = tiers.iter().enumerate().map(|(n, t)| tier(n, *t)).collect();
        let offered = Offered { tiers: &all, demands: &self.demands };
        let first = choice::choose(&problem).unwrap();
        if !offered.queues(&first.tier_of) {
            return first;
        }
        let found =
            UnderCaps::new(&problem, offered).best(&problem.capacities, &[&first.tier_of], first.bound, work);
        let again = self.saved(tiers, &found.tier_of).expect("what is chosen is allowed");
        assert!((again - found.value).abs() <= 1e-9 * again.abs().max(1.0), "{again} is not {found:?}");
        assert!(found.bound >= found.value);
        found
    }

    /// By the definition; `None` where it is not allowed.
    fn saved(&self, tiers: &[Given], tier_of: &[Option<usize>]) -> Option<f64> {
        let mut saved = 0.0;
        for (t, given) in tiers.iter().enumerate() {
            let here: Vec<usize> = (0..tier_of.len()).filter(|n| tier_of[*n] == Some(t)).collect();
            if here.iter().map(|n| self.items[*n].size).sum::<u64>() > given.0 {
                return None;
            }
            let own = tier(t, *given);
            let mut share = [0.0; CAPS];
            let mut pays = [0.0; CAPS];
            for n in &here {
                for cap in 0..CAPS {
                    share[cap] += self.demands[*n].asked.shares(&own)[cap];
                    pays[cap] += self.demands[*n].pays(&own)[cap];
                }
            }
            let value: f64 = here.iter().map(|n| self.items[*n].value[t].unwrap_or(0.0)).sum();
            let queue: Option<f64> = share.iter().zip(pays).map(|(s, p)| Some(p * waits(*s)?)).sum();
            let must = here.iter().all(|n| self.must(*n).is_some());
            match queue {
                Some(queue) if share.iter().all(|s| *s < most_share()) => saved += (value - queue).max(0.0),
                // A tier that what is pinned there overloads saves nothing.
                _ if must => {}
                _ => return None,
            }
        }
        for (n, at) in tier_of.iter().enumerate() {
            let Some(t) = *at else {
                if self.must(n).is_some() {
                    return None;
                }
                continue;
            };
            let item = &self.items[n];
            let pinned_elsewhere = self.must(n).is_some_and(|m| m != t);
            let may = item.value[t].is_some() || self.must(n) == Some(t);
            if pinned_elsewhere || !may || item.needs.iter().any(|m| tier_of[*m] != Some(t)) {
                return None;
            }
        }
        Some(saved)
    }

    fn must(&self, n: usize) -> Option<usize> {
        let needs = |i: &Item| i.needs.contains(&n);
        self.items[n].pinned.or_else(|| self.items.iter().filter(|i| needs(i)).find_map(|i| i.pinned))
    }

    fn by_trying_all(&self, tiers: &[Given]) -> f64 {
        let mut best: Option<f64> = None;
        let ways = (tiers.len() + 1).pow(u32::try_from(self.items.len()).unwrap());
        for way in 0..ways {
            let mut way = way;
            let tier_of: Vec<Option<usize>> = (0..self.items.len())
                .map(|_| {
                    let at = way % (tiers.len() + 1);
                    way /= tiers.len() + 1;
                    at.checked_sub(1)
                })
                .collect();
            if let Some(saved) = self.saved(tiers, &tier_of) {
                best = Some(best.map_or(saved, |best| f64::max(best, saved)));
            }
        }
        best.expect("pins fit")
    }
}

fn given(most: usize, tiers: usize) -> impl Strategy<Value = Objects> {
    let row = (
        1..20_u64,
        proptest::collection::vec(proptest::option::weighted(0.95, 0.0..1_000.0_f64), tiers),
        prop_oneof![Just(0.0), 0.0..300.0_f64],
        prop_oneof![Just(0.0), 0.0..30.0_f64],
        0.0..=1.0_f64,
    );
    let need = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (proptest::collection::vec(row, 1..=most), proptest::collection::vec(need, 0..3)).prop_map(
        |(rows, needs)| {
            let mut items: Vec<Item> = Vec::new();
            let mut demands = Vec::new();
            for (n, (size, value, requests_s, mb_s, waited)) in rows.into_iter().enumerate() {
                items.push(Item { size, value, key: format!("{n:03}"), ..Item::default() });
                let asked = Load { requests_s, bytes_s: mb_s * 1e6 };
                let waited_for = Load { requests_s: waited * requests_s, bytes_s: waited * mb_s * 1e6 };
                demands.push(Demand { asked, waited_for, seconds: 3_600.0 });
            }
            let count = items.len();
            for (a, b) in needs {
                let (a, b) = (a.index(count), b.index(count));
                // Rests of tablespaces need objects, and these nothing.
                if a != b && items[b].needs.is_empty() && !items.iter().any(|i| i.needs.contains(&a)) {
                    items[a].needs.push(b);
                }
            }
            Objects { items, demands }
        },
    )
}

fn offer() -> impl Strategy<Value = Given> {
    let cap = |least: f64, most: f64| {
        proptest::option::weighted(0.8, (0.0..1.0_f64).prop_map(move |x| least * (most / least).powf(x)))
    };
    (0..80_u64, cap(20.0, 3_000.0), cap(2.0, 300.0))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-8 * a.abs().max(b.abs()).max(1.0)
}

/// Seconds saved stand so that the queue, up to hours over all sessions, weighs as much as they do.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn no_other_assignment_saves_more_after_the_queue(given in given(8, 2), a in offer(), b in offer()) {
        let one = given.chosen(&[a], THOROUGH);
        prop_assert!(one.exact && near(one.value, given.by_trying_all(&[a])), "{one:?}");
        let two = given.chosen(&[a, b], THOROUGH);
        let all = given.by_trying_all(&[a, b]);
        prop_assert!(two.exact && near(two.value, all), "{two:?} of {all}");
    }

    #[test]
    fn what_is_pinned_counts_with_its_queue(
        given in given(7, 2), a in offer(), b in offer(),
        pins in proptest::collection::vec((any::<prop::sample::Index>(), 0..2_usize), 1..3),
    ) {
        let mut pinned = given.clone();
        let tiers = [(200, a.1, a.2), (200, b.1, b.2)];
        for (at, tier) in pins {
            let at = at.index(pinned.items.len());
            let others = |i: &Item| i.needs.contains(&at);
            if pinned.items[at].needs.is_empty() && !pinned.items.iter().any(others)
                && pinned.items[at].value[tier].is_some()
            {
                pinned.items[at].pinned = Some(tier);
            }
        }
        let found = pinned.chosen(&tiers, THOROUGH);
        let all = pinned.by_trying_all(&tiers);
        prop_assert!(found.exact && near(found.value, all), "{found:?} of {all}");
        // Who insists never gets more.
        prop_assert!(found.value <= given.chosen(&tiers, THOROUGH).value + 1e-6);
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// With 20 MB/s more was saved than with 50.
    #[test]
    fn a_wider_cap_saved_less(
        given in given(30, 2), a in offer(), b in offer(), which in 0..6_usize, more in 1.0..8.0_f64,
        banned in any::<prop::sample::Index>(),
    ) {
        let small = given.chosen(&[a, b], THOROUGH);
        let mut offers = [a, b];
        let other = &mut offers[which % 2];
        match which / 2 {
            0 => other.0 += (more * 10.0) as u64,
            1 => other.1 = other.1.map(|cap| cap * more),
            _ => other.2 = other.2.map(|cap| cap * more),
        }
        let large = given.chosen(&offers, THOROUGH);
        let mut less = given.clone();
        let at = banned.index(less.items.len());
        for item in (0..less.items.len()).filter(|n| *n == at || given.items[*n].needs.contains(&at)) {
            less.items[item].value = vec![None; 2];
        }
        // Another tier, or one more object, is no less either.
        let others = [(&large, &small), (&small, &given.chosen(&[a], THOROUGH)), (&small, &less.chosen(&[a, b], THOROUGH))];
        for (more, less) in others {
            let most = if more.exact { more.value } else { more.bound };
            prop_assert!(most >= less.value - 1e-6 * less.value.max(1.0), "{} after {}", more.value, less.value);
        }
    }

    /// Neither names nor the order decide.
    #[test]
    fn the_order_of_items_decided(given in given(20, 2), a in offer(), b in offer()) {
        let forward = given.chosen(&[a, b], THOROUGH);
        let count = given.items.len();
        let mut turned = given.clone();
        turned.items.reverse();
        turned.demands.reverse();
        for (n, item) in turned.items.iter_mut().enumerate() {
            item.needs.iter_mut().for_each(|m| *m = count - 1 - *m);
            item.key = format!("{n}");
        }
        prop_assert!(near(turned.chosen(&[a, b], THOROUGH).value, forward.value));
    }
}

/// Objects of which many are like each other, far more than can be tried.
fn large(count: usize) -> Objects {
    let mut seed = 7_u64;
    let mut share = || {
        seed = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut all = Objects { items: Vec::new(), demands: Vec::new() };
    for n in 0..count {
        let requests_s = 0.01 * 1e4_f64.powf(share());
        let seconds = requests_s * 3_600.0 * (0.001 + 0.01 * share());
        let size = (1e6 * 1e4_f64.powf(share())) as u64;
        all.items.push(Item {
            size,
            value: vec![Some(seconds), Some(0.8 * seconds)],
            key: format!("{n:05}"),
            ..Item::default()
        });
        let asked =
            Load { requests_s: requests_s * (1.0 + share()), bytes_s: requests_s * (8e3 + 1e5 * share()) };
        let waited_for = Load { requests_s, bytes_s: asked.bytes_s };
        all.demands.push(Demand { asked, waited_for, seconds: 3_600.0 });
    }
    all
}

#[test]
fn thousands_of_objects_come_near_to_the_bound() {
    let given = large(3_000);
    let gigabytes = 1_000_000_000_u64;
    let one: Vec<Choice> = [300.0, 1_000.0, 3_000.0, 10_000.0]
        .into_iter()
        .map(|cap| given.chosen(&[(200 * gigabytes, Some(cap), Some(200.0))], THOROUGH))
        .collect();
    for found in &one {
        assert!(found.bound - found.value <= 0.05 * found.value, "{} of {}", found.value, found.bound);
    }
    let quick = given.chosen(&[(200 * gigabytes, Some(1_000.0), Some(200.0))], QUICK);
    assert!(quick.value >= 0.99 * one[1].value, "{} after {}", quick.value, one[1].value);
    for pair in one.windows(2) {
        assert!(pair[1].value >= pair[0].value);
    }
    let two = [(200 * gigabytes, Some(3_000.0), Some(200.0)), (500 * gigabytes, Some(1_000.0), None)];
    let found = given.chosen(&two, THOROUGH);
    assert!(found.bound - found.value <= 0.1 * found.value, "{} of {}", found.value, found.bound);
    assert!(found.value >= one[2].value);
}

#[test]
fn a_cap_below_what_an_object_asks_promised_its_saving() {
    let mut given = large(1);
    (given.items[0].size, given.items[0].value) = (10, vec![Some(3_000.0)]);
    given.demands[0].asked = Load { requests_s: 100.0, bytes_s: 0.0 };
    given.demands[0].waited_for = given.demands[0].asked;
    let of = |cap: f64| given.chosen(&[(100, Some(cap), None)], THOROUGH).value;
    // At 150 the queue takes more than is saved.
    assert_eq!((of(90.0), of(125.0), of(150.0)), (0.0, 0.0, 0.0));
    assert!(of(180.0) > 0.0 && of(180.0) < of(200.0));
    assert_eq!(of(200.0), given.items[0].value[0].unwrap());
    given.items[0].pinned = Some(0);
    let pinned = given.chosen(&[(100, Some(90.0), None)], THOROUGH);
    assert_eq!((pinned.value, pinned.tier_of), (0.0, vec![Some(0)]));
}

#[test]
fn thousands_of_units_in_doubt_took_a_frame_of_the_stack_each() {
    let given = large(3_000);
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let chosen = move || given.chosen(&[(200_000_000_000, Some(1_000.0), Some(200.0))], THOROUGH).value;
    assert!(small.spawn(chosen).unwrap().join().unwrap() > 0.0);
}

#[test]
fn the_least_that_pays_is_charged_and_no_price_is_worth_more() {
    let given = large(60);
    let offer = (u64::MAX, Some(400.0), Some(30.0));
    let problem = Problem { items: given.items.clone(), capacities: vec![offer.0] };
    let tiers = [tier(0, offer)];
    let mut one = problem.clone();
    one.items.iter_mut().for_each(|item| item.value.truncate(1));
    let case = Case::new(&one, &given.demands, &tiers);
    for cap in 0..CAPS {
        for low in [0.0, 0.55, 0.7] {
            let least =
                least::Least::of(&case, (0, cap), &case::On::default(), (low, most_share()), |_| true);
            let worth = |price: f64, share: f64| {
                price * share - least.pays(share) * (waits(share).unwrap() - waits(low).unwrap())
            };
            for price in [0.0, 1.0, 100.0, 1_000.0, 3_000.0, 10_000.0, 1e6] {
                let (most, at) = least.most(price);
                for n in 0..200 {
                    let share = low + (most_share() - low) * f64::from(n) / 200.0;
                    if least.reaches(share) {
                        assert!(
                            worth(price, share) <= most + 1e-9 * most.abs().max(1.0),
                            "{price} {share} {at}"
                        );
                    }
                }
            }
        }
    }
    // Any of them pay as much or more.
    let line = least::Least::of(&case, (0, 0), &case::On::default(), (0.0, most_share()), |_| true);
    for set in 0..40_u64 {
        let on = (0..60_u64).filter(|n| (n * 7 + set * 13) % 11 < set % 11);
        let sum = on.filter_map(|n| case.on(n as usize, 0)).fold(case::On::default(), |sum, on| sum.with(on));
        if sum.share[0] < most_share() {
            assert!(sum.pays[0] >= line.pays(sum.share[0]) - 1e-9 * sum.pays[0].max(1.0), "{sum:?}");
        }
    }
}
