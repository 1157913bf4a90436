//! What the kernel says of a thread's time: on a CPU, and waiting for one.

use std::fs;

/// Nanoseconds of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CpuTime {
    /// On a CPU.
    pub(crate) ran_ns: u64,
    /// Ready to run, and no CPU was free.
    pub(crate) waited_ns: u64,
}

impl CpuTime {
    /// Of the thread that calls; nothing where the kernel does not count it.
    pub(crate) fn now() -> Option<Self> {
        Self::of(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
    }

    fn of(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace().map(|w| w.parse().ok());
        Some(Self { ran_ns: words.next()??, waited_ns: words.next()?? })
    }

    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            ran_ns: self.ran_ns.saturating_sub(before.ran_ns),
            waited_ns: self.waited_ns.saturating_sub(before.waited_ns),
        }
    }
}

impl std::ops::AddAssign for CpuTime {
    fn add_assign(&mut self, other: Self) {
        self.ran_ns += other.ran_ns;
        self.waited_ns += other.waited_ns;
    }
}

#[cfg(test)]
mod tests {
    use super::CpuTime;

    #[test]
    fn a_line_of_the_kernel() {
        assert_eq!(CpuTime::of("100 7 3\n"), Some(CpuTime { ran_ns: 100, waited_ns: 7 }));
        assert_eq!(CpuTime::of("100"), None);
        assert_eq!(CpuTime::of("a b c"), None);
    }
}
