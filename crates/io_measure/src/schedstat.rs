//! What the kernel says of a thread's time: on a CPU, and waiting for one; and of the machine's.

use std::fs;
use std::sync::OnceLock;
use std::time::Instant;

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
    /// Microseconds in which something on the machine was ready to run and no CPU was free; `None` where the kernel does
    /// not count it. Workers of the kernel are in it, whose waiting no thread of ours shows.
    pub(crate) pressed_us: Option<u64>,
    /// When it was asked for, microseconds on a clock of our own; between two, how long it was.
    pub(crate) clock_us: u64,
}

impl MachineTime {
    pub(crate) fn now() -> Option<Self> {
        static BEGAN: OnceLock<Instant> = OnceLock::new();
        let clock = BEGAN.get_or_init(Instant::now).elapsed();
        let pressed_us = fs::read_to_string("/proc/pressure/cpu").ok().and_then(|text| pressed(&text));
        let clock_us = u64::try_from(clock.as_micros()).unwrap_or(u64::MAX);
        Some(Self { pressed_us, clock_us, ..Self::of(&fs::read_to_string("/proc/stat").ok()?)? })
    }

    /// From the first line: user, nice, system, idle, iowait, irq, softirq, steal. Guests are in user.
    fn of(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = line.split_ascii_whitespace().map_while(|w| w.parse().ok()).collect();
        Some(Self { all: ticks.iter().take(8).sum(), stolen: *ticks.get(7)?, ..Self::default() })
    }

    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            all: self.all.saturating_sub(before.all),
            stolen: self.stolen.saturating_sub(before.stolen),
            pressed_us: self.pressed_us.zip(before.pressed_us).map(|(now, then)| now.saturating_sub(then)),
            clock_us: self.clock_us.saturating_sub(before.clock_us),
        }
    }

    /// Share given to others; `None` in a time too short to tell.
    pub(crate) fn stolen_share(self) -> Option<f64> {
        (self.all >= 20).then(|| self.stolen as f64 / self.all as f64)
    }

    /// Share of the time in which something else than threads of ours, which waited so long in all, was ready to run and no
    /// CPU was free; `None` where that is not known, or the time too short to tell.
    pub(crate) fn pressed_share(self, waited_ns: u64) -> Option<f64> {
        const LEAST_US: u64 = 200_000;
        let pressed_us = self.pressed_us?.saturating_sub(waited_ns / 1_000);
        (self.clock_us >= LEAST_US).then(|| pressed_us as f64 / self.clock_us as f64)
    }
}

/// The sum of `some avg10=0.00 avg60=0.00 avg300=0.00 total=123`.
fn pressed(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_ascii_whitespace().find_map(|word| word.strip_prefix("total="))?.parse().ok()
}

impl std::ops::AddAssign for CpuTime {
    fn add_assign(&mut self, other: Self) {
        self.ran_ns += other.ran_ns;
        self.waited_ns += other.waited_ns;
    }
}

#[cfg(test)]
mod tests {
    use super::{CpuTime, MachineTime, pressed};

    #[test]
    fn what_was_stolen() {
        let before = MachineTime::of("cpu  10 0 10 70 5 1 2 2 0 0\ncpu0 1").unwrap_or_default();
        assert_eq!(before, MachineTime { all: 100, stolen: 2, ..MachineTime::default() });
        let now = MachineTime { all: 200, stolen: 12, ..MachineTime::default() };
        assert_eq!(now.since(before).stolen_share(), Some(0.1));
        assert_eq!(MachineTime::of("cpu  10 0 10 70"), None);
    }

    #[test]
    fn pressure_is_that_of_the_run_without_what_its_own_threads_waited() {
        let text = "some avg10=98.94 avg60=91.66 avg300=80.03 total=6926\nfull avg10=0.00 total=7\n";
        assert_eq!(
            (pressed(text), pressed("full total=7"), pressed("some total=x")),
            (Some(6926), None, None)
        );
        let at = |pressed, clock_us| MachineTime { pressed_us: pressed, clock_us, ..MachineTime::default() };
        let run = at(Some(900_000), 1_500_000).since(at(Some(100_000), 500_000));
        assert_eq!((run.pressed_share(0), run.pressed_share(700_000_000)), (Some(0.8), Some(0.1)));
        assert_eq!(run.pressed_share(u64::MAX), Some(0.0));
        assert_eq!(at(Some(9), 100).pressed_share(0), None);
        assert_eq!(at(None, 1_000_000).pressed_share(0), None);
    }

    #[test]
    fn a_line_of_the_kernel() {
        assert_eq!(CpuTime::of("100 7 3\n"), Some(CpuTime { ran_ns: 100, waited_ns: 7 }));
        assert_eq!(CpuTime::of("100"), None);
        assert_eq!(CpuTime::of("a b c"), None);
    }
}
