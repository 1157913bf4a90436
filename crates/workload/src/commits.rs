//! Group commit: committers that wait for a log writer, and what each of its writes carries.
//!
//! Told the time, never asking for it: the same for a log on a device and for a model of one. A committer
//! asks for its redo to be written, waits, is released when the write that carries it is done, pauses, and
//! asks again. While a write is under way, who asks has to wait; the next write begins when one ends and
//! carries all who wait then, up to [`MOST_WRITE_BYTES`]. Who was released by the write that just ended is
//! never among them: it takes a moment to come back.
//!
//! What follows for a write that takes `L` and `N` committers without a pause: one alone commits `1 / L` times
//! a second in `L`. From two on there are two groups, and while one is written the other waits: `N / (2 L)`
//! commits a second in `2 L` each, `1 / L` writes a second of `N / 2` commits each. With pauses of mean `Z`
//! that keep the writer busy, a commit waits for half a write on average before its own, by chance of when it
//! comes: about `N / (Z + 1.5 L)` commits a second.

use crate::seed::Seeded;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Redo that one write carries at most; who does not fit waits for the next one. A log writer splits what is
/// more into several writes.
pub const MOST_WRITE_BYTES: u32 = 1 << 20;

/// Committers of one log.
#[derive(Clone, Debug)]
pub struct Committers {
    think_ns: f64,
    random: Seeded,
    /// Those who pause: when they ask next.
    pausing: BinaryHeap<Reverse<u64>>,
    /// Those who wait: since when, and for how many bytes.
    waiting: VecDeque<(u64, u32)>,
    /// Those whose redo is being written.
    writing: Vec<(u64, u32)>,
}

/// What one write carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Commits.
    pub commits: u32,
    /// Bytes of redo.
    pub bytes: u32,
}

impl Committers {
    /// So many, who all ask at the beginning or, where they pause, after a first pause.
    #[must_use]
    pub fn new(committers: u32, think_us: f64, random: Seeded) -> Self {
        let mut new = Self {
            think_ns: think_us * 1e3,
            random,
            pausing: BinaryHeap::new(),
            waiting: VecDeque::new(),
            writing: Vec::new(),
        };
        for _ in 0..committers {
            new.pause(0);
        }
        new
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pauses of hours at most")]
    fn pause(&mut self, from_ns: u64) {
        let pause = if self.think_ns > 0.0 { self.random.exponential(self.think_ns) as u64 } else { 0 };
        self.pausing.push(Reverse(from_ns.saturating_add(pause)));
    }

    /// Those who have asked by now wait; `bytes` draws the redo of each.
    fn ask(&mut self, now_ns: u64, bytes: &mut impl FnMut() -> u32) {
        while let Some(Reverse(at_ns)) = self.pausing.peek().copied()
            && at_ns <= now_ns
        {
            self.pausing.pop();
            self.waiting.push_back((at_ns, bytes().clamp(1, MOST_WRITE_BYTES)));
        }
    }

    /// Begins a write: `None` where nobody waits by now.
    pub fn begin(&mut self, now_ns: u64, mut bytes: impl FnMut() -> u32) -> Option<Group> {
        if self.waiting.is_empty() {
            // The one who comes first does not wait for those who come with it.
            let first = self.pausing.peek().map(|Reverse(at_ns)| *at_ns)?;
            if first > now_ns {
                return None;
            }
            self.pausing.pop();
            self.waiting.push_back((first, bytes().clamp(1, MOST_WRITE_BYTES)));
        }
        let mut group = Group::default();
        while let Some((_, more)) = self.waiting.front()
            && (group.commits == 0 || group.bytes + more <= MOST_WRITE_BYTES)
        {
            group.commits += 1;
            group.bytes += more;
            self.writing.extend(self.waiting.pop_front());
        }
        Some(group)
    }

    /// The write that was begun ended: who has asked meanwhile waits for the next one, and each whose redo was
    /// written is told (when it asked, bytes) and pauses.
    pub fn end(&mut self, now_ns: u64, mut bytes: impl FnMut() -> u32, mut told: impl FnMut(u64, u32)) {
        self.ask(now_ns, &mut bytes);
        for (asked_ns, of) in std::mem::take(&mut self.writing) {
            told(asked_ns, of);
            self.pause(now_ns);
        }
    }

    /// When somebody asks next; `None` where somebody waits already, or all are being written.
    #[must_use]
    pub fn next_ns(&self) -> Option<u64> {
        if self.waiting.is_empty() { self.pausing.peek().map(|Reverse(at_ns)| *at_ns) } else { None }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Commits, writes and the sum of what commits took, over a time, where every write takes so long.
    fn log(committers: u32, think_us: f64, write_ns: u64, bytes: u32, until_ns: u64) -> (u64, u64, u64) {
        let mut all = Committers::new(committers, think_us, Seeded::new(1, 0));
        let (mut now, mut commits, mut writes, mut took) = (0, 0, 0, 0);
        while now < until_ns {
            let Some(group) = all.begin(now, || bytes) else {
                now = all.next_ns().unwrap().max(now);
                continue;
            };
            assert!(group.bytes <= MOST_WRITE_BYTES);
            now += write_ns;
            writes += 1;
            let before = commits;
            all.end(
                now,
                || bytes,
                |asked, of| {
                    assert_eq!(of, bytes);
                    commits += 1;
                    took += now - asked;
                },
            );
            assert_eq!(commits - before, u64::from(group.commits));
        }
        (commits, writes, took)
    }

    #[test]
    fn two_groups_take_turns() {
        // 1,000 writes of 1 ms.
        let second = 1_000_000_000;
        assert_eq!(log(1, 0.0, 1_000_000, 500, second), (1_000, 1_000, second));
        for committers in [2, 3, 16, 100] {
            let (commits, writes, took) = log(committers, 0.0, 1_000_000, 500, second);
            assert_eq!(writes, 1_000);
            // N / (2 L), and 2 L each but for the first write, which nobody waited for.
            assert_eq!(commits, 500 * u64::from(committers), "{committers}");
            assert_eq!(took, commits * 2_000_000 - 1_000_000, "{committers}");
        }
    }

    #[test]
    fn a_busy_writer_makes_a_commit_wait_for_half_a_write_more() {
        let (committers, think_us, write_us) = (50, 20_000.0, 1_000.0);
        let (commits, writes, took) = log(committers, think_us, 1_000_000, 500, 60_000_000_000);
        let rate = commits as f64 / 60.0;
        let expected = f64::from(committers) / ((think_us + 1.5 * write_us) / 1e6);
        assert!((rate / expected - 1.0).abs() < 0.03, "{rate} {expected}");
        let mean_us = took as f64 / commits as f64 / 1e3;
        assert!((mean_us / (1.5 * write_us) - 1.0).abs() < 0.05, "{mean_us}");
        assert!(writes <= 60_000);
    }

    #[test]
    fn a_group_ends_where_a_write_is_full() {
        // Three of 400 KiB do not fit into one write.
        let (commits, writes, _) = log(4, 0.0, 1_000_000, 400 << 10, 1_000_000_000);
        assert_eq!(writes, 1_000);
        assert!((1_990..=2_000).contains(&commits), "{commits}");
        // More than fits is cut.
        assert!(log(1, 0.0, 1_000_000, 400 << 10, 1_000_000).0 == 1);
    }
}
