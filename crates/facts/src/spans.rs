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
#[must_use]
pub fn shared_s(a: Span, b: Span) -> i64 {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
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
}
