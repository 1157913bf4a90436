//! Work on many jobs at once, results delivered in the order of the jobs.
//!
//! Memory stays bounded: a job may be at most a few jobs ahead of the one being delivered, and its
//! results wait in a short queue. The job being delivered is never held up, so nothing can stall.

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Results of one job that may wait before the job pauses.
const RESULTS_WAITING: usize = 2;

/// Runs `work` on every job with up to `threads` threads. `work` hands each result to its second
/// argument, which answers `false` when nobody wants more. `deliver` sees all results of the first
/// job, then of the second, and so on; it answers `false` to stop everything.
pub(crate) fn in_order<J: Send, R: Send>(
    jobs: impl Iterator<Item = J> + Send,
    threads: usize,
    work: impl Fn(J, &mut dyn FnMut(R) -> bool) + Sync,
    mut deliver: impl FnMut(R) -> bool,
) {
    let (queue, delivered) = sync_channel::<Receiver<R>>(threads.max(1));
    let jobs = Mutex::new(jobs);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (jobs, work, queue) = (&jobs, &work, queue.clone());
            scope.spawn(move || {
                loop {
                    // Taking a job and queueing its results is one step: the queue is in job order.
                    let mut next = jobs.lock().unwrap_or_else(PoisonError::into_inner);
                    let Some(job) = next.next() else { break };
                    let (sender, results) = sync_channel(RESULTS_WAITING);
                    if queue.send(results).is_err() {
                        break;
                    }
                    drop(next);
                    work(job, &mut |result| sender.send(result).is_ok());
                }
            });
        }
        drop(queue);
        let mut all = delivered.into_iter().flatten();
        while all.next().is_some_and(&mut deliver) {}
    });
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::time::Duration;

    #[test]
    fn results_come_in_job_order_whatever_finishes_first() {
        let mut seen = Vec::new();
        let work = |job: u64, emit: &mut dyn FnMut((u64, u64)) -> bool| {
            std::thread::sleep(Duration::from_millis(5 * (job % 3)));
            for part in 0..job % 7 {
                emit((job, part));
            }
        };
        in_order(0..40, 4, work, |result| {
            seen.push(result);
            true
        });
        let expected: Vec<_> = (0..40).flat_map(|job| (0..job % 7).map(move |part| (job, part))).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn stopping_early_stops_the_workers() {
        let mut delivered = 0;
        in_order(
            0..u64::MAX,
            3,
            |job, emit| {
                emit(job);
            },
            |_| {
                delivered += 1;
                delivered < 10
            },
        );
        assert_eq!(delivered, 10);
    }
}
