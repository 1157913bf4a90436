//! What a tier would save: waits times the difference of latencies.
//!
//! service on a tier = latency + size / bandwidth, so a tiny latency never promises a large read for
//! free. Where the user gives no bandwidth, the latency stands for a small request, and what a larger
//! one brings beyond it is charged at an assumed rate, as a range.

use crate::demand::{BEHIND, CommitDemand, Service, WaitDemand};
use crate::plan::Component;
use crate::range::Range;
use crate::tier::Tier;
use spindle_facts::Interval;

/// Bytes of the request that a stated latency is of.
const SMALL_BYTES: f64 = 8192.0;
/// Rates of one stream, bytes a second, where a tier's bandwidth is not given: a slow network path,
/// a usual flash device, a fast one. Ours; the plan says that it assumed them.
const ASSUMED_BYTES_PER_S: Range = Range { low: 200e6, mid: 500e6, high: 3_000e6 };

/// How long a tier takes for a request, microseconds: least, likely, most.
pub(crate) fn service_us(tier: &Tier, write: bool, bytes: f64) -> Range {
    let latency = if write { tier.write_latency_us } else { tier.read_latency_us };
    match tier.mbps {
        // 10^6 bytes a second are one byte a microsecond.
        Some(mbps) => Range::exact(latency + bytes / mbps),
        None => {
            let beyond = (bytes - SMALL_BYTES).max(0.0);
            let at = |rate: f64| latency + beyond / rate * 1e6;
            Range {
                low: at(ASSUMED_BYTES_PER_S.high),
                mid: at(ASSUMED_BYTES_PER_S.mid),
                high: at(ASSUMED_BYTES_PER_S.low),
            }
        }
    }
}

fn writes(component: Component) -> bool {
    matches!(
        component,
        Component::TempWrite
            | Component::DirectWrite
            | Component::DatabaseWriter
            | Component::Commit
            | Component::LogSpace
    )
}

/// How far the mean latency of one object may lie from that of its tablespace, or, where tablespaces
/// print none, from that of the database: its blocks may be those that a cache holds, or those that it
/// does not. Ours; real spreads of files within a tablespace are of this order.
pub(crate) fn latency_spread(own_tablespace: bool) -> f64 {
    if own_tablespace { 0.15 } else { 0.3 }
}

/// Time that a share of an event's waits takes today. `share` is low, mid, high; `slower` is how much
/// slower than the mean the storage of these waits is.
pub(crate) fn waited_s(wait: &WaitDemand, share: Range, slower: f64) -> Range {
    let of = |share: f64, time: f64| (share * slower).min(1.0) * time;
    Range {
        low: of(share.low, wait.time_s.low),
        mid: of(share.mid, wait.time_s.mid),
        high: of(share.high, wait.time_s.high),
    }
}

/// Seconds that a share of an event's waits would save on a tier; a slower tier saves nothing.
pub(crate) fn saved_s(wait: &WaitDemand, share: Range, slower: f64, tier: &Tier) -> Range {
    let net = net_saved_s(wait, share, slower, tier);
    Range { low: net.low.max(0.0), mid: net.mid.max(0.0), high: net.high.max(0.0) }
}

/// The same, below zero where the tier takes longer: an object moves with all of its reads.
pub(crate) fn net_saved_s(wait: &WaitDemand, share: Range, slower: f64, tier: &Tier) -> Range {
    let now = waited_s(wait, share, slower);
    let service = service_us(tier, writes(wait.component), wait.bytes);
    match wait.service {
        Service::Waited => {
            let then = |share: f64, us: f64| share * wait.waits * us / 1e6;
            Range {
                low: now.low - then(share.low, service.high),
                mid: now.mid - then(share.mid, service.mid),
                high: now.high - then(share.high, service.low),
            }
        }
        Service::Async(behind) => {
            // The session works while the request runs, and waits for what is left of it: the wait is
            // no latency. A request shorter by d shortens the wait by up to d, and by no less than in
            // proportion. One longer by d lengthens it by up to d, since the work does not grow, and by no
            // less than in proportion.
            let wait_us = wait.time_s.mid / wait.waits * 1e6 * slower;
            if wait_us <= 0.0 {
                return Range::ZERO;
            }
            let is_writer = wait.component == Component::DatabaseWriter;
            let Some(behind) = behind else {
                if is_writer {
                    return Range { low: 0.0, mid: 0.0, high: now.high };
                }
                // The request takes at least as long as its wait; a read may take a few times as long.
                let gain = |us: f64| (1.0 - us / wait_us).max(0.0);
                if writes(wait.component) {
                    let of = |us: f64| gain(us) - longer_us(us, wait_us) / wait_us;
                    return Range {
                        low: now.low * of(service.high),
                        mid: now.mid * of(service.mid),
                        high: now.high * if service.low < wait_us { 1.0 } else { of(service.low) },
                    }
                    .in_order();
                }
                let most_us = (BEHIND * wait_us).max(wait.other_reads_us);
                let loss = |us: f64, old: f64| wait.requests_a_wait * longer_us(us, old) / wait_us;
                return Range {
                    low: now.low * (gain(service.high) - loss(service.high, wait_us)),
                    mid: now.mid * (gain(service.mid) - loss(service.mid, most_us)),
                    high: now.high * ((most_us - service.low) / wait_us).clamp(0.0, 1.0),
                }
                .in_order();
            };
            // Of the wait: in proportion where the request gets shorter, by all of it where it gets longer. Nobody
            // waits for one block of the writer, but for what it gets done in all.
            // A read that takes longer than the work between two of them is waited for, also where it is not today.
            let of = |new: f64, old: f64, requests: f64| {
                let over_us = if is_writer { old.max(SHORTEST_US) } else { wait_us };
                if new <= old {
                    (1.0 - new / old).max(0.0)
                } else {
                    -requests * longer_us(new, old) / over_us
                }
            };
            let all = wait.requests_a_wait;
            let (low, high) = (behind.low * slower, behind.high * slower);
            let least = of(service.high, low, all);
            let most = of(service.low, high, 1.0).max((high - service.low) / wait_us).min(1.0);
            Range {
                low: now.low * if is_writer { least.min(0.0) } else { least },
                mid: now.mid * of(service.mid, behind.mid() * slower, all),
                high: now.high * if service.low <= high { most } else { of(service.low, high, 1.0) },
            }
            .in_order()
        }
    }
}

/// A wait under this may be what is left of a longer request, so what is longer only by less loses nothing,
/// microseconds. Ours: device and way of a request of a shared array.
const SHORTEST_US: f64 = 500.0;

/// How much longer a request takes than today's.
fn longer_us(new: f64, old: f64) -> f64 {
    (new - old.max(SHORTEST_US)).max(0.0)
}

/// Seconds of waits for another session's read that follow the reads: likely, and at most all. Who waits for a
/// read waits no longer than it takes, so what is beyond that is another queue (a busy cluster, the CPU).
pub(crate) fn follows_s(other: &WaitDemand, reads: &[WaitDemand]) -> Range {
    let cached = || {
        let is_cached = |c: Component| matches!(c, Component::SingleBlockRead | Component::MultiBlockRead);
        reads.iter().filter(move |w| is_cached(w.component))
    };
    let waits: f64 = cached().map(|w| w.waits).sum();
    let us: f64 = cached().map(|w| w.waits * w.mean_us).sum();
    let time_s = other.time_s.mid;
    if waits <= 0.0 || other.mean_us <= 0.0 {
        return Range { low: 0.0, mid: 0.0, high: time_s };
    }
    Range { low: 0.0, mid: time_s * (us / waits / other.mean_us).min(1.0), high: time_s }
}

/// Seconds of commit waits that redo on a tier would save, by the commit model; below zero where its writes take
/// longer than today's.
///
/// What the log writes explain of the commit waits is the diagnosis's interval as a whole, and shrinks in proportion to
/// the write; the rest stays. So a tier whose writes are at the bar of a write saves what the diagnosis expects of writes
/// at that bar. Where nothing bounds what they explain it is one write a commit at least, and all of the wait at most.
/// Writes that take longer gather more committers: with write time `w` and the log writer busy a share `rho`, a commit
/// waits `rho E[X^2] / (2 w) + w`, where the mean square lies between that of equal writes and four times it.
pub(crate) fn commit_saved_s(commit: &CommitDemand, elapsed_s: f64, tier: &Tier) -> Range {
    let Some(write_us) = commit.write_us else { return Range::ZERO };
    let service = service_us(tier, true, commit.bytes_per_write.unwrap_or(SMALL_BYTES));
    if commit.waits <= 0.0 {
        return Range::ZERO;
    }
    let wait_us = |us: f64, square_factor: f64| -> f64 {
        let busy = commit.writes.map_or(1.0, |writes| (writes * us / 1e6 / elapsed_s).min(1.0));
        busy * square_factor * us / 2.0 + us
    };
    if service.mid >= write_us {
        // One write longer at least; likely as the model has it of equal writes.
        let longer_s = |us: f64, square_factor: f64| {
            (wait_us(us, square_factor) - wait_us(write_us, square_factor)).max(0.0) * commit.waits / 1e6
        };
        return Range {
            low: -longer_s(service.high, 4.0),
            mid: -longer_s(service.mid, 1.0),
            high: -longer_s(service.low, 0.0),
        }
        .in_order();
    }
    let part = commit.of_writes.unwrap_or_else(|| {
        let seen_us = commit.time_s.mid * 1e6 / commit.waits;
        Interval { low: if seen_us > 0.0 { (write_us / seen_us).min(1.0) } else { 0.0 }, high: 1.0 }
    });
    let shrinks = |us: f64| (1.0 - us / write_us).max(0.0);
    let low = commit.time_s.low * part.low * shrinks(service.high);
    let high = commit.time_s.high * part.high * shrinks(service.low);
    let likely_part = if commit.hardly_writes { part.low } else { part.mid() };
    let likely = commit.time_s.mid * likely_part * shrinks(service.mid);
    Range { low, mid: likely.clamp(low, high.max(low)), high: high.max(low) }.at_most(commit.time_s.high)
}

/// Seconds of waits for room in the log buffer and for log switches that redo on a tier would save: they follow the
/// log writes in proportion where the diagnosis calls those slow. At least nothing: a switch or the archiver may
/// be the cause.
pub(crate) fn log_space_saved_s(commit: &CommitDemand, tier: &Tier) -> Range {
    let Some(write_us) = commit.write_us.filter(|us| *us > 0.0) else {
        return Range { low: 0.0, mid: 0.0, high: commit.space_s.high };
    };
    let service = service_us(tier, true, commit.bytes_per_write.unwrap_or(SMALL_BYTES));
    let of = |us: f64| 1.0 - us / write_us;
    let likely = commit.space_s.mid * of(service.mid);
    Range {
        low: (commit.space_s.mid * of(service.high)).min(0.0),
        mid: likely,
        high: if service.low < write_us { commit.space_s.high } else { likely },
    }
    .in_order()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Source;

    fn tier(read_us: f64, mbps: Option<f64>) -> Tier {
        Tier {
            name: "t".into(),
            capacity_bytes: 1e12,
            read_latency_us: read_us,
            write_latency_us: read_us,
            mbps,
            iops_cap: None,
            price: None,
            endurance_bytes: None,
            profile: None,
        }
    }

    fn wait(component: Component, waits: f64, time_s: f64, bytes: f64, service: Service) -> WaitDemand {
        WaitDemand {
            component,
            event: "e".into(),
            waits,
            time_s: Range::exact(time_s),
            mean_us: time_s * 1e6 / waits,
            bytes,
            requests_a_wait: 1.0,
            other_reads_us: 0.0,
            service,
            source: Source { source: "r".into(), section: "s".into(), line: 1 },
        }
    }

    const ALL: Range = Range { low: 1.0, mid: 1.0, high: 1.0 };

    #[test]
    fn a_single_block_read_saves_the_difference_of_latencies() {
        // 1,000 reads of 10 ms on a tier of 0.2 ms at 1,000 MB/s: 8 KiB take 8.2 us more.
        let wait = wait(Component::SingleBlockRead, 1000.0, 10.0, 8192.0, Service::Waited);
        let saved = saved_s(&wait, ALL, 1.0, &tier(200.0, Some(1000.0)));
        assert!((saved.mid - (10.0 - 1000.0 * 208.192e-6)).abs() < 1e-9);
    }

    #[test]
    fn a_tiny_latency_does_not_make_a_large_read_free() {
        // 1 MiB at 100 MB/s takes 10.5 ms whatever the latency.
        let wait = wait(Component::MultiBlockRead, 100.0, 1.0, 1_048_576.0, Service::Waited);
        assert_eq!(saved_s(&wait, ALL, 1.0, &tier(1.0, Some(100.0))).mid, 0.0);
        let unstated = saved_s(&wait, ALL, 1.0, &tier(1.0, None));
        assert!(unstated.low < unstated.mid && unstated.mid < unstated.high && unstated.high < 1.0);
    }

    #[test]
    fn a_slower_tier_saves_nothing() {
        let wait = wait(Component::SingleBlockRead, 1000.0, 0.5, 8192.0, Service::Waited);
        assert_eq!(saved_s(&wait, ALL, 1.0, &tier(5000.0, None)), Range::ZERO);
    }

    #[test]
    fn an_asynchronous_wait_is_no_latency() {
        // Waits of 1 ms for reads of 10 ms: a tier of 2 ms is not slower than the wait suggests.
        let behind = Service::Async(Some(Interval { low: 9_950.0, high: 10_050.0 }));
        let wait = wait(Component::DirectRead, 1000.0, 1.0, 8192.0, behind);
        let saved = saved_s(&wait, ALL, 1.0, &tier(2000.0, None));
        assert!(saved.low > 0.79 && saved.low < 0.81, "in proportion: {saved:?}");
        assert_eq!(saved.high, 1.0, "the session may find every read done");
    }

    #[test]
    fn writes_longer_than_todays_lost_nothing() {
        let slow = tier(20_000.0, None);
        // 1,000 writes of 11 ms go to 20 ms: 9 ms more each, whatever the account of the requests says.
        for behind in [None, Some(Interval { low: 10_950.0, high: 11_050.0 })] {
            let wait = wait(Component::TempWrite, 1000.0, 11.0, 8192.0, Service::Async(behind));
            let saved = net_saved_s(&wait, ALL, 1.0, &slow);
            assert!((saved.mid + 9.0).abs() < 0.2 && saved.high < 0.0, "{saved:?}");
            assert!(net_saved_s(&wait, ALL, 1.0, &tier(200.0, None)).mid > 10.0);
        }
        // The writer gets less done: sessions wait as many times as long for a free buffer.
        let behind = Service::Async(Some(Interval { low: 9_950.0, high: 10_050.0 }));
        let free = wait(Component::DatabaseWriter, 100.0, 10.0, 8192.0, behind);
        assert!((net_saved_s(&free, ALL, 1.0, &slow).mid + 10.0).abs() < 0.1);
        // A wait of 0.01 ms is what was left of a request, and no request of that length.
        let left = wait(Component::DirectWrite, 1000.0, 0.01, 8192.0, Service::Async(None));
        assert_eq!(net_saved_s(&left, ALL, 1.0, &tier(300.0, None)).mid, 0.0);
        // How long direct reads run that no account prints is not known.
        let read = wait(Component::DirectRead, 1000.0, 11.0, 8192.0, Service::Async(None));
        assert_eq!(net_saved_s(&read, ALL, 1.0, &slow).mid, 0.0);
    }

    #[test]
    fn commits_on_slower_redo_lost_nothing() {
        let commit = CommitDemand {
            waits: 1000.0,
            time_s: Range::exact(3.0),
            write_us: Some(2_000.0),
            writes: Some(1000.0),
            bytes_per_write: Some(4096.0),
            of_writes: None,
            hardly_writes: false,
            space_s: Range::exact(10.0),
            other_switches_s: 0.0,
            by_workers_us: None,
            source: Source { source: "r".into(), section: "s".into(), line: 1 },
        };
        let lost = commit_saved_s(&commit, 3600.0, &tier(20_000.0, None));
        assert!(lost.high <= -17.9 && lost.mid <= lost.high && lost.low < lost.mid, "{lost:?}");
        // Room in the log buffer follows the writes: ten times as long, or a tenth.
        assert!((log_space_saved_s(&commit, &tier(20_000.0, None)).mid + 90.0).abs() < 1e-9);
        assert!((log_space_saved_s(&commit, &tier(200.0, None)).mid - 9.0).abs() < 1e-9);
    }

    #[test]
    fn a_wait_for_anothers_read_followed_it_however_long_it_was() {
        // Reads of 0.3 ms, and others wait 3 ms for them: a tenth of that is the read.
        let read = wait(Component::SingleBlockRead, 1000.0, 0.3, 8192.0, Service::Waited);
        let other = wait(Component::ReadByOther, 1000.0, 3.0, 8192.0, Service::Waited);
        let follows = follows_s(&other, &[read]);
        assert!((follows.mid - 0.3).abs() < 1e-9 && follows.high == 3.0, "{follows:?}");
        let slow = wait(Component::SingleBlockRead, 1000.0, 9.0, 8192.0, Service::Waited);
        assert_eq!(follows_s(&other, &[slow]).mid, 3.0, "all of it is the read");
    }

    #[test]
    fn what_log_writes_do_not_explain_stays() {
        let commit = CommitDemand {
            waits: 1000.0,
            time_s: Range::exact(46.0),
            write_us: Some(900.0),
            writes: Some(1000.0),
            bytes_per_write: Some(4096.0),
            of_writes: Some(Interval { low: 0.9 / 46.0, high: 2.0 / 46.0 }),
            hardly_writes: false,
            space_s: Range::ZERO,
            other_switches_s: 0.0,
            by_workers_us: None,
            source: Source { source: "r".into(), section: "s".into(), line: 1 },
        };
        let saved = commit_saved_s(&commit, 3600.0, &tier(100.0, None));
        assert!(saved.high <= 2.0, "at most what the writes explain: {saved:?}");
    }

    /// Several log writers, each 2.85 ms a write: the diagnosis gave 2,979 s to 3,976 s for writes of 2 ms, and redo on a
    /// tier with such writes saved 0 s to 6,907 s, by the share of a mean that one log writer is busy.
    #[test]
    fn redo_on_a_tier_saved_something_else_than_the_diagnosis_says_of_such_writes() {
        let commit = CommitDemand {
            waits: 2_123_961.0,
            time_s: Range::exact(15_805.0),
            write_us: Some(2_850.0),
            writes: Some(1_020_561.0),
            bytes_per_write: Some(4096.0),
            of_writes: Some(Interval { low: 9_968.0 / 15_805.0, high: 13_305.0 / 15_805.0 }),
            hardly_writes: false,
            space_s: Range::ZERO,
            other_switches_s: 0.0,
            by_workers_us: None,
            source: Source { source: "r".into(), section: "s".into(), line: 1 },
        };
        let at_the_bar = tier(2_000.0, Some(1e6));
        let saved = commit_saved_s(&commit, 1_800.0, &at_the_bar);
        assert!((saved.low - 2_973.0).abs() < 5.0 && (saved.high - 3_968.0).abs() < 5.0, "{saved:?}");
        assert!(saved.low < saved.mid && saved.mid < saved.high, "{saved:?}");
        // Nothing bounds what the writes explain: one write a commit, 2.85 ms of 7.44 ms, and all of it.
        let unbounded = CommitDemand { of_writes: None, ..commit };
        let saved = commit_saved_s(&unbounded, 1_800.0, &at_the_bar);
        assert!((saved.low - 1_805.0).abs() < 5.0 && (saved.high - 4_714.0).abs() < 5.0, "{saved:?}");
        // "Storage is hardly the cause", and half of the wait was likely to go.
        let hardly = CommitDemand { hardly_writes: true, ..unbounded };
        let saved = commit_saved_s(&hardly, 1_800.0, &at_the_bar);
        assert_eq!(saved.mid, saved.low, "{saved:?}");
    }
}
