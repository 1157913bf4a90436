//! The writes of a log: one at a time, each of which carries all commits that wait.
//!
//! One thread writes; those who commit are no threads but times at which somebody asks, see
//! [`spindle_workload::Committers`]. So a commit takes what the storage makes it take, and nothing of what
//! processes need to be woken.

use crate::direct::Aligned;
use crate::guard::marker;
use crate::schedstat::CpuTime;
use crate::tally::{Beside, RunClock, lock, ns};
use crate::threads::{Shared, make};
use rustix::thread::set_current_timer_slack;
use spindle_workload::{Committers, MOST_WRITE_BYTES, Operation, Request, Requests, Seeded};
use std::num::NonZeroU64;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// While nobody commits it is looked this often whether the run has ended.
const LOOK: Duration = Duration::from_millis(50);

/// Begins the thread of a log. Without `touch` nothing is written.
pub(crate) fn start(
    shared: Shared,
    committers: Committers,
    requests: Requests,
    touch: bool,
) -> Result<JoinHandle<()>, String> {
    let builder = std::thread::Builder::new().name("log".to_owned());
    let run = move || write(&shared, committers, requests, touch);
    builder.spawn(run).map_err(|error| format!("its thread could not be started: {error}"))
}

fn write(one: &Shared, mut committers: Committers, mut requests: Requests, touch: bool) {
    let cpu = CpuTime::now();
    let from = Instant::now();
    let unit = one.target.align.unwrap_or(1).max(marker::SECTOR);
    let mut random = Seeded::new(one.seed, u64::MAX);
    let most = MOST_WRITE_BYTES as usize;
    let mut memory = Aligned::new(most, unit);
    marker::fill(memory.bytes(most), one.seed, &mut random);
    // Woken when somebody asks, not up to 50 us later. Where it is refused, writes begin a little late.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    let region = requests.region();
    let begin = region.start.next_multiple_of(unit as u64);
    let mut at = begin;
    lock(&one.tally).besides.push(Beside::commits());
    while !one.clock.is_over() {
        let Some(group) = committers.begin(one.clock.now_ns(), || requests.draw_bytes()) else {
            pause(&one.clock, committers.next_ns());
            continue;
        };
        {
            let mut tally = lock(&one.tally);
            if !tally.may_begin() {
                break;
            }
            tally.begin(one.clock.now_ns() < one.clock.warm_ns);
        }
        let bytes = (group.bytes as usize).next_multiple_of(unit);
        if at + bytes as u64 > region.end {
            at = begin;
        }
        let written = memory.bytes(bytes);
        marker::vary(written, random.bits());
        let start_ns = one.clock.now_ns();
        #[allow(clippy::cast_possible_truncation, reason = "a write has 1 MiB at most")]
        let bytes = bytes as u32;
        let request = Request { operation: Operation::Write, offset: at, bytes };
        let outcome = if touch { make(&one.target.file, request, one.stream.flush, written) } else { Ok(()) };
        let end_ns = one.clock.now_ns();
        at += u64::from(bytes);
        let mut tally = lock(&one.tally);
        let done = outcome.is_ok();
        match outcome {
            Ok(()) => {
                tally.done(&one.clock, end_ns, end_ns.saturating_sub(start_ns), (Operation::Write, bytes))
            }
            Err(why) => tally.failed(why),
        }
        let told = |asked_ns: u64, redo: u32| {
            if done {
                tally.beside(0, &one.clock, end_ns, end_ns.saturating_sub(asked_ns), redo);
            }
        };
        committers.end(end_ns, || requests.draw_bytes(), told);
    }
    let mut tally = lock(&one.tally);
    tally.threads_ns += ns(from.elapsed());
    if let Some((before, now)) = cpu.zip(CpuTime::now()) {
        tally.cpu += now.since(before);
    }
}

/// Waits until somebody asks, or for a moment.
fn pause(clock: &RunClock, next_ns: Option<u64>) {
    let left = next_ns.map_or(LOOK, |next| Duration::from_nanos(next.saturating_sub(clock.now_ns())));
    if !left.is_zero() {
        std::thread::sleep(left.min(LOOK));
    }
}
