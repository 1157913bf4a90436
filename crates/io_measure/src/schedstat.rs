//! What the kernel says of a thread's time: on a CPU, and waiting for one; and of the machine's.

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

/// What the CPUs of the machine did, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachineTime {
    /// All of their time.
    pub(crate) all: u64,
    /// Given to other guests by a hypervisor.
    pub(crate) stolen: u64,
}

impl MachineTime {
    pub(crate) fn now() -> Option<Self> {
        Self::of(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// From the first line: user, nice, system, idle, iowait, irq, softirq, steal. Guests are in user.
    fn of(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = line.split_ascii_whitespace().map_while(|w| w.parse().ok()).collect();
        Some(Self { all: ticks.iter().take(8).sum(), stolen: *ticks.get(7)? })
    }

    pub(crate) fn since(self, before: Self) -> Self {
        Self { all: self.all.saturating_sub(before.all), stolen: self.stolen.saturating_sub(before.stolen) }
    }

    /// Share given to others; `None` in a time too short to tell.
    pub(crate) fn stolen_share(self) -> Option<f64> {
        (self.all >= 20).then(|| self.stolen as f64 / self.all as f64)
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
    use super::{CpuTime, MachineTime};

    #[test]
    fn what_was_stolen() {
        let before = MachineTime::of("cpu  10 0 10 70 5 1 2 2 0 0\ncpu0 1").unwrap_or_default();
        assert_eq!(before, MachineTime { all: 100, stolen: 2 });
        let now = MachineTime { all: 200, stolen: 12 };
        assert_eq!(now.since(before).stolen_share(), Some(0.1));
        assert_eq!(MachineTime::of("cpu  10 0 10 70"), None);
    }

    #[test]
    fn a_line_of_the_kernel() {
        assert_eq!(CpuTime::of("100 7 3\n"), Some(CpuTime { ran_ns: 100, waited_ns: 7 }));
        assert_eq!(CpuTime::of("100"), None);
        assert_eq!(CpuTime::of("a b c"), None);
    }
}
