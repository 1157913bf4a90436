//! Spans of time that were counted so far, found by when they are: a history of a decade has a hundred
//! thousand of them, of which each may meet a few.

use std::collections::BTreeMap;

/// Begin and end, seconds since 1970.
pub type Span = (i64, i64);

/// Spans under the index that they were added with.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    by_begin: BTreeMap<i64, Vec<usize>>,
    longest_s: i64,
}

impl Spans {
    /// Adds a span.
    pub fn add(&mut self, (begin, end): Span, index: usize) {
        self.by_begin.entry(begin).or_default().push(index);
        self.longest_s = self.longest_s.max(end.saturating_sub(begin));
    }

    /// Indices of all spans that may share time with this one, ascending. Some of them may not.
    #[must_use]
    pub fn near(&self, (begin, end): Span) -> Vec<usize> {
        let from = begin.saturating_sub(self.longest_s);
        let mut found: Vec<usize> = self
            .by_begin
            .range(from..=end.max(from))
            .flat_map(|(_, indices)| indices.iter().copied())
            .collect();
        found.sort_unstable();
        found
    }
}

/// Seconds that two spans share; below nought where time lies between them.
fn shared_s(a: Span, b: Span) -> i64 {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
}

/// Seconds by which intervals that follow each other may overlap: snapshots are taken that far apart.
pub const SNAPSHOTS_APART_S: i64 = 120;

/// Do two intervals of one instance hold the same time, beyond what their snapshots are apart?
#[must_use]
pub fn clash(a: Span, b: Span) -> bool {
    shared_s(a, b) > SNAPSHOTS_APART_S.min(length_s(a).min(length_s(b)) / 2)
}

fn length_s((begin, end): Span) -> i64 {
    end.saturating_sub(begin)
}

/// A shorter interval says more about when: what it weighs grows a little less than its length. So half
/// hours take the place of an hour from nine tenths of it on, tens of minutes from three quarters, minutes
/// from a little over half.
fn weight((begin, end): Span) -> f64 {
    (end.saturating_sub(begin).max(1) as f64).powf(0.85)
}

/// Which intervals of one instance count, so that no time counts twice and most of it does: for each `None`
/// where it counts, else the one that counts and shares most time with it. Of sets that hold as much, the
/// one of shorter intervals; of equals, the one named first.
#[must_use]
pub fn counted_once(spans: &[Span]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|i| (spans[*i].0, spans[*i].1, *i));
    // Best of all chains that end with each; by end, best so far.
    let mut chains: Vec<(f64, Option<usize>)> = vec![(0.0, None); spans.len()];
    let mut by_end: Vec<usize> = order.clone();
    by_end.sort_by_key(|i| (spans[*i].1, spans[*i].0, *i));
    let mut ended = by_end.iter().copied().peekable();
    let mut best: Option<usize> = None;
    let better = |chains: &[(f64, Option<usize>)], one: usize, than: Option<usize>| {
        than.is_none_or(|than| chains[one].0 > chains[than].0)
    };
    for at in order.iter().copied() {
        let span = spans[at];
        while let Some(before) = ended.next_if(|e| spans[*e].1 <= span.0) {
            if spans[before].0 < span.0 && better(&chains, before, best) {
                best = Some(before);
            }
        }
        let mut from = best;
        // Those that end a little later than this one begins.
        let late = by_end.partition_point(|e| spans[*e].1 <= span.0);
        for before in by_end[late..]
            .iter()
            .copied()
            .take_while(|e| spans[*e].1 <= span.0.saturating_add(SNAPSHOTS_APART_S))
        {
            if spans[before].0 < span.0 && !clash(spans[before], span) && better(&chains, before, from) {
                from = Some(before);
            }
        }
        chains[at] = (weight(span) + from.map_or(0.0, |f| chains[f].0), from);
    }
    let mut counts = vec![false; spans.len()];
    let mut last = order.iter().copied().reduce(|a, b| if chains[b].0 > chains[a].0 { b } else { a });
    let mut kept = Spans::default();
    while let Some(at) = last {
        counts[at] = true;
        kept.add(spans[at], at);
        last = chains[at].1;
    }
    let holder = |(at, span): (usize, &Span)| {
        let most = |a: usize, b: usize| {
            if shared_s(spans[b], *span) > shared_s(spans[a], *span) { b } else { a }
        };
        (!counts[at]).then(|| kept.near(*span).into_iter().reduce(most)).flatten()
    };
    spans.iter().enumerate().map(holder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_share_time_are_near() {
        let all: Vec<Span> = (0..200).map(|n| (n * 37 % 101, n * 37 % 101 + n % 13)).collect();
        let mut spans = Spans::default();
        for (index, span) in all.iter().enumerate() {
            let near = spans.near(*span);
            for (other, before) in all[..index].iter().enumerate() {
                assert!(shared_s(*before, *span) <= 0 || near.contains(&other), "{before:?} {span:?}");
            }
            assert!(near.is_sorted());
            spans.add(*span, index);
        }
    }

    fn counted(spans: &[Span]) -> Vec<usize> {
        let held = counted_once(spans);
        (0..spans.len()).filter(|i| held[*i].is_none()).collect()
    }

    const HOUR: i64 = 3_600;

    #[test]
    fn a_short_interval_across_two_hours_took_the_place_of_both() {
        let hours = [(0, HOUR), (HOUR, 2 * HOUR), (2 * HOUR, 3 * HOUR)];
        for across in [(HOUR - 180, HOUR + 120), (HOUR - 600, HOUR + 1_500), (HOUR - 1_200, HOUR + 2_400)] {
            let mut all = hours.to_vec();
            all.push(across);
            assert_eq!(counted(&all), [0, 1, 2], "{across:?}");
        }
    }

    #[test]
    fn shorter_ones_stand_for_a_longer_one_of_which_they_cover_enough() {
        let tens = |n: i64| (0..n).map(|i| (600 * i, 600 * (i + 1)));
        let beside = |n| [(0, HOUR)].into_iter().chain(tens(n)).collect::<Vec<_>>();
        assert_eq!(counted(&beside(6)), [1, 2, 3, 4, 5, 6]);
        assert_eq!(counted(&beside(5)), [1, 2, 3, 4, 5]);
        assert_eq!(counted(&beside(3)), [0]);
        assert_eq!(counted(&[(0, HOUR), (0, HOUR / 2)]), [0]);
        // A day beside its hours but one.
        let day: Vec<Span> = (0..23).map(|h| (h * HOUR, (h + 1) * HOUR)).chain([(0, 24 * HOUR)]).collect();
        assert_eq!(counted(&day), (0..23).collect::<Vec<_>>());
    }

    #[test]
    fn what_does_not_count_names_what_holds_its_time() {
        assert_eq!(counted_once(&[(0, HOUR), (600, 700), (HOUR, 2 * HOUR)]), [None, Some(0), None]);
        assert_eq!(counted_once(&[(0, HOUR), (0, HOUR)]), [None, Some(0)]);
        // Snapshots a moment off.
        assert_eq!(counted_once(&[(0, HOUR), (HOUR - 100, 2 * HOUR)]), [None, None]);
        assert_eq!(counted_once(&[]), []);
    }

    #[test]
    fn no_set_without_clashes_weighs_more() {
        let mut state = 7_u64;
        let mut draw = |n: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(state >> 33).unwrap_or(0) % n
        };
        for _ in 0..400 {
            let spans: Vec<Span> = (0..1 + draw(9))
                .map(|_| {
                    let begin = draw(9_000);
                    (begin, begin + 1 + draw(4_000))
                })
                .collect();
            let kept = counted(&spans);
            let sound =
                |of: &[usize]| of.iter().all(|a| of.iter().all(|b| a == b || !clash(spans[*a], spans[*b])));
            let sum = |of: &[usize]| of.iter().map(|i| weight(spans[*i])).sum::<f64>();
            assert!(sound(&kept), "{spans:?} {kept:?}");
            for set in 0..1_u32 << spans.len() {
                let set: Vec<usize> = (0..spans.len()).filter(|i| set >> i & 1 == 1).collect();
                assert!(!sound(&set) || sum(&set) <= sum(&kept) + 1e-6, "{spans:?} {kept:?} {set:?}");
            }
        }
    }
}
