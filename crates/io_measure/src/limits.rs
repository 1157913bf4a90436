//! Who set the figures: the device, the CPU, or this program.

use crate::schedstat::CpuTime;
use spindle_workload::LimitedBy;

/// Share of their time that threads wait for a CPU, above which the CPU and not the device set the figures.
const WAITED_SHARE: f64 = 0.1;
/// Share of a request's time on the CPU, above which the program and not the device set the figures.
const OWN_SHARE: f64 = 0.5;

/// Who set the figures: what threads waited for a CPU, and what they ran themselves, against what requests
/// took.
pub(crate) fn limited(
    cpu: CpuTime,
    threads_ns: u64,
    latency_ns: f64,
    warnings: &mut Vec<String>,
) -> LimitedBy {
    if threads_ns == 0 || cpu == CpuTime::default() {
        return LimitedBy::Unknown;
    }
    let waited = cpu.waited_ns as f64 / threads_ns as f64;
    if waited > WAITED_SHARE {
        warnings.push(format!(
            "its threads waited {:.0} % of their time for a CPU: the machine, not the device, set part of the figures",
            100.0 * waited
        ));
        return LimitedBy::Cpu;
    }
    if latency_ns > 0.0 && cpu.ran_ns as f64 > OWN_SHARE * latency_ns {
        warnings.push(format!(
            "{:.0} % of what requests took was this program and the kernel on the CPU, not the device",
            (100.0 * cpu.ran_ns as f64 / latency_ns).min(100.0)
        ));
        return LimitedBy::Tool;
    }
    LimitedBy::Device
}
