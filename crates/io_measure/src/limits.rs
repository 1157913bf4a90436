//! Who set the figures: the device, the CPU, or this program.

use crate::schedstat::{CpuTime, MachineTime};
use spindle_workload::LimitedBy;

/// Share of their time that threads wait for a CPU, above which the CPU and not the device set the figures.
const WAITED_SHARE: f64 = 0.1;
/// Share of the machine's CPUs that a hypervisor gave to others, above which the same holds.
const STOLEN_SHARE: f64 = 0.05;
/// Share of a request's time on the CPU, above which the program and not the device set the figures.
const OWN_SHARE: f64 = 0.5;
/// Share of its time that a thread which makes many requests at once is busy, above which the same holds.
const BUSY_SHARE: f64 = 0.85;
/// Share of the run in which something else than our threads waited for a CPU, above which the CPUs set part of the figures
/// of requests that workers of the kernel hand on;
const PRESSED_SHARE: f64 = 0.5;
/// and above which that is not ruled out.
const PERHAPS_PRESSED_SHARE: f64 = 0.1;

/// Fewer requests do not tell who set the figures: chance did.
const LEAST_REQUESTS: u64 = 8;
/// In a shorter time threads have hardly come up: what they ran and waited for is that.
const LEAST_NS: u64 = 10_000_000;

/// What a stream spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    pub(crate) cpu: CpuTime,
    /// Lifetime of its threads.
    pub(crate) threads_ns: u64,
    /// Latency of all of its requests.
    pub(crate) latency_ns: f64,
    /// One thread makes all of its requests.
    pub(crate) one_thread: bool,
    /// Requests that were answered.
    pub(crate) ios: u64,
    /// From the beginning of the run to the end of the stream.
    pub(crate) ran_ns: u64,
}

/// Who set the figures. Of streams that differ the most harmful counts: one that the device did not limit
/// spoils the figures of all.
pub(crate) fn limited(
    streams: &[Spent],
    machine: Option<MachineTime>,
    warnings: &mut Vec<String>,
) -> LimitedBy {
    let ios: u64 = streams.iter().map(|s| s.ios).sum();
    let ran_ns = streams.iter().map(|s| s.ran_ns).max().unwrap_or(0);
    if ios < LEAST_REQUESTS || ran_ns < LEAST_NS {
        if ios > 0 {
            warnings.push(format!(
                "{ios} request{} in {:.2} ms {} too few to tell whether the device or the machine set the figures: \
                 make more of them",
                if ios == 1 { "" } else { "s" },
                ran_ns as f64 / 1e6,
                if ios == 1 { "is" } else { "are" }
            ));
        }
        return LimitedBy::Unknown;
    }
    let known: Vec<&Spent> =
        streams.iter().filter(|s| s.threads_ns > 0 && s.cpu != CpuTime::default()).collect();
    if known.is_empty() {
        return LimitedBy::Unknown;
    }
    let waited = known.iter().map(|s| s.cpu.waited_ns as f64 / s.threads_ns as f64).fold(0.0, f64::max);
    if waited > WAITED_SHARE {
        warnings.push(format!(
            "its threads waited {:.0} % of their time for a CPU: the machine, not the device, set part of the figures",
            100.0 * waited
        ));
        return LimitedBy::Cpu;
    }
    let stolen = machine.and_then(MachineTime::stolen_share).unwrap_or(0.0);
    if stolen > STOLEN_SHARE {
        warnings.push(format!(
            "the hypervisor gave {:.0} % of the CPU time to other guests: it, not the device, set part of the figures",
            100.0 * stolen
        ));
        return LimitedBy::Cpu;
    }
    let own = |s: &&Spent| {
        let busy = s.cpu.ran_ns as f64 / s.threads_ns as f64;
        if s.one_thread {
            (busy > BUSY_SHARE).then_some(busy)
        } else {
            let share = s.cpu.ran_ns as f64 / s.latency_ns;
            (s.latency_ns > 0.0 && share > OWN_SHARE).then_some(share)
        }
    };
    if let Some(share) = known.iter().filter_map(own).reduce(f64::max) {
        warnings.push(format!(
            "this program and the kernel were on the CPU {:.0} % of the time that requests took: they, not the device, \
             set the figures",
            (100.0 * share).min(100.0)
        ));
        return LimitedBy::Tool;
    }
    pressed(&known, machine, warnings)
}

/// The device, where the rest of the machine did not wait for CPUs. Threads that make one request at a time wait themselves
/// for what is done of it on a CPU, mostly; that of many at once is done by workers of the kernel, whose waiting no thread
/// of ours shows.
fn pressed(known: &[&Spent], machine: Option<MachineTime>, warnings: &mut Vec<String>) -> LimitedBy {
    let waited_ns = known.iter().map(|s| s.cpu.waited_ns).sum();
    let Some(share) = machine.and_then(|machine| machine.pressed_share(waited_ns)) else {
        return LimitedBy::Device;
    };
    let by_workers = known.iter().any(|s| s.one_thread);
    let said = format!(
        "for {:.0} % of the run something on the machine waited for a CPU beside the threads of this program",
        (100.0 * share).min(100.0)
    );
    if by_workers && share > PRESSED_SHARE {
        warnings.push(format!(
            "{said}, and requests made through a ring are handed on by workers of the kernel, which wait with the rest: \
             the machine's CPUs, not the device alone, set part of the figures; measure while the machine is idle"
        ));
        return LimitedBy::Cpu;
    }
    if share > if by_workers { PERHAPS_PRESSED_SHARE } else { PRESSED_SHARE } {
        warnings.push(format!(
            "{said}, perhaps the kernel's part of the requests: whether the device alone set the figures is not known; \
             measure while the machine is idle"
        ));
        return LimitedBy::Unknown;
    }
    LimitedBy::Device
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(ran: u64, waited: u64, latency: f64, one_thread: bool) -> Spent {
        let cpu = CpuTime { ran_ns: ran, waited_ns: waited };
        Spent { cpu, threads_ns: 1_000, latency_ns: latency, one_thread, ios: 100, ran_ns: LEAST_NS }
    }

    fn said(streams: &[Spent], machine: Option<MachineTime>) -> (LimitedBy, usize) {
        let mut warnings = Vec::new();
        let limited = limited(streams, machine, &mut warnings);
        (limited, warnings.len())
    }

    #[test]
    fn a_few_requests_were_said_to_show_the_device() {
        let long = spent(300, 20, 900.0, false);
        for few in [Spent { ios: 7, ..long }, Spent { ran_ns: 300_000, ..long }] {
            assert_eq!(said(&[few], None), (LimitedBy::Unknown, 1));
        }
        // Threads that come up are no machine that is too slow, either.
        let coming_up = Spent { ios: 1, ran_ns: 300_000, ..spent(600, 380, 36.0, true) };
        assert_eq!(said(&[coming_up], None), (LimitedBy::Unknown, 1));
    }

    #[test]
    fn a_machine_short_of_cpus_was_the_device_where_workers_of_the_kernel_waited() {
        let pressed = |pct: u64| {
            Some(MachineTime {
                all: 1_000,
                pressed_us: Some(pct * 10_000),
                clock_us: 1_000_000,
                ..MachineTime::default()
            })
        };
        let (ring, threads) = (spent(600, 20, 900.0, true), spent(300, 20, 900.0, false));
        for (pct, by_ring, by_threads) in [
            (5, LimitedBy::Device, LimitedBy::Device),
            (30, LimitedBy::Unknown, LimitedBy::Device),
            (90, LimitedBy::Cpu, LimitedBy::Unknown),
        ] {
            assert_eq!(said(&[ring], pressed(pct)).0, by_ring, "{pct}");
            assert_eq!(said(&[threads], pressed(pct)).0, by_threads, "{pct}");
        }
        // A kernel that does not count it.
        let unknown = pressed(90).map(|m| MachineTime { pressed_us: None, ..m });
        assert_eq!(said(&[ring], unknown), (LimitedBy::Device, 0));
        // Threads that wait for one another are known to, and it is little of their time.
        let many = Spent {
            cpu: CpuTime { ran_ns: 10, waited_ns: 900_000_000 },
            threads_ns: 64_000_000_000,
            latency_ns: 6e10,
            ..threads
        };
        assert_eq!(said(&[many], pressed(90)).0, LimitedBy::Device);
    }

    #[test]
    fn each_limit_is_told_from_the_others() {
        assert_eq!(said(&[spent(300, 20, 900.0, false)], None), (LimitedBy::Device, 0));
        assert_eq!(said(&[spent(300, 120, 900.0, false)], None), (LimitedBy::Cpu, 1));
        assert_eq!(said(&[spent(600, 20, 900.0, false)], None), (LimitedBy::Tool, 1));
        // Many under way at once: what they took together says nothing of the one thread.
        assert_eq!(said(&[spent(600, 20, 900.0, true)], None), (LimitedBy::Device, 0));
        assert_eq!(said(&[spent(950, 20, 64_000.0, true)], None), (LimitedBy::Tool, 1));
        assert_eq!(said(&[spent(0, 0, 0.0, true)], None), (LimitedBy::Unknown, 0));
        // An idle stream beside does not hide the one that waited.
        let idle = spent(1, 0, 900.0, true);
        assert_eq!(said(&[idle, spent(300, 120, 900.0, false)], None), (LimitedBy::Cpu, 1));
        let stolen = MachineTime { all: 1_000, stolen: 80, ..MachineTime::default() };
        assert_eq!(said(&[spent(300, 20, 900.0, false)], Some(stolen)), (LimitedBy::Cpu, 1));
    }
}
