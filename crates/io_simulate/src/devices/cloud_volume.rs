//! A volume of a cloud: a latency, and buckets of credits for operations and for bytes.
//!
//! ```text
//! done(n)   = max(submitted(n) + L, done(n-1), of each bucket: peak, paid - depth)
//! peak      = done(n) + cost(n) / burst
//! paid      = max(paid, done(n)) + cost(n) / base
//! depth     = credits / base                       what is left: depth - (paid - now), in time at the base rate
//! cost      = operations of the request; its bytes
//! operations= ceil(bytes / unit), on from where the one before ended: ceil over both, less what was counted
//! ```
//!
//! - *Bucket*: credits come at the base rate up to so many and go with each operation or byte; while there are any
//!   the volume does what the burst rate allows, then the base rate. Each bucket is a leaky bucket of two rates
//!   (the generic cell rate algorithm, once without tolerance at the burst rate, once with that of the credits
//!   at the base rate). Time is whole picoseconds, so a month of it loses nothing. Without credits and with a
//!   burst rate like the base rate it is [`super::latency_cap`].
//! - *Counting*: a request larger than the unit counts as several. One that goes on where the last one ended, as the
//!   same operation and while that is under way, is merged with it as long as both fit a unit (`merges`).
//! - Requests are done in the order in which they came; a request pays after it is done, so that one alone takes
//!   the latency, and no stretch of time sees more than base, credits and one request, nor more than burst and one.
//!
//! Published rules, as of the vendors' manuals in 2024: Amazon EBS gp2: base 3 a GiB, from 100 to 16,000 operations a
//! second, burst 3,000, credits 5.4 million, full at the beginning; st1, sc1: buckets of bytes by size, units of
//! 1,024 KiB; gp3, io2: no credits. SSD volumes count in units of 256 KiB and merge what is contiguous ("Amazon
//! EBS volume types", "I/O characteristics"). Azure premium disks: credits for 30 minutes at the burst rate ("Managed disk
//! bursting"). The numbers are given by who asks for the volume.
//!
//! Left out: the instance's own limits, first reads from a snapshot, variance of the latency. Unvalidated.

use super::latency_cap::NoSuchDevice;
use crate::{Completion, Device, Operation, Picoseconds, Request};
use std::collections::VecDeque;

/// Credits for operations, or for bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucketSpec {
    /// Operations or bytes a second at which credits come.
    pub base_per_s: f64,
    /// Operations or bytes a second at most, while there are credits; at least the base rate.
    pub burst_per_s: f64,
    /// Operations or bytes that the bucket holds.
    pub credits: f64,
    /// Share of them that is there at the beginning, 0 to 1.
    pub full: f64,
}

impl BucketSpec {
    /// A rate without credits.
    #[must_use]
    pub fn flat(per_s: f64) -> Self {
        Self { base_per_s: per_s, burst_per_s: per_s, credits: 0.0, full: 0.0 }
    }
}

/// What makes a [`CloudVolume`]: every number is given by who asks for the volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudVolumeSpec {
    /// What a read takes at least.
    pub read_latency: Picoseconds,
    /// What a write takes at least.
    pub write_latency: Picoseconds,
    /// Credits for operations; `None` where they are not limited.
    pub operations: Option<BucketSpec>,
    /// Credits for bytes; `None` where they are not limited.
    pub bytes: Option<BucketSpec>,
    /// Bytes that count as one operation at most.
    pub unit_bytes: u32,
    /// Whether requests that go on where the last one ended are merged.
    pub merges: bool,
}

/// A bucket as it stands.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    spec: BucketSpec,
    depth: Picoseconds,
    /// The earliest time by the burst rate.
    peak: Picoseconds,
    /// When everything taken so far has come again at the base rate.
    paid: Picoseconds,
}

/// What so many take at so many a second, rounded up.
fn pace(amount: f64, per_s: f64) -> Picoseconds {
    Picoseconds((amount * 1e12 / per_s).ceil() as u64)
}

impl Bucket {
    fn new(spec: BucketSpec, what: &str) -> Result<Self, NoSuchDevice> {
        let range = 1e-6..=1e12;
        for rate in [spec.base_per_s, spec.burst_per_s] {
            if !range.contains(&rate) {
                return Err(NoSuchDevice(format!(
                    "{rate} {what} a second is no rate; it is at least 0.000001 and at most 10^12"
                )));
            }
        }
        if spec.burst_per_s < spec.base_per_s {
            return Err(NoSuchDevice(format!(
                "a burst of {} {what} a second is below the base rate of {}",
                spec.burst_per_s, spec.base_per_s
            )));
        }
        // Half of what time can hold.
        if !(0.0..=9e6 * spec.base_per_s).contains(&spec.credits) {
            return Err(NoSuchDevice(format!(
                "{} {what} of credit do not come within 104 days at {} a second",
                spec.credits, spec.base_per_s
            )));
        }
        if !(0.0..=1.0).contains(&spec.full) {
            return Err(NoSuchDevice(format!(
                "a bucket that is {} full is none; it is from 0 to 1",
                spec.full
            )));
        }
        let depth = pace(spec.credits, spec.base_per_s);
        let paid = depth - Picoseconds::from_us(depth.as_us() * spec.full);
        Ok(Self { spec, depth, peak: Picoseconds::ZERO, paid })
    }

    fn from(&self) -> Picoseconds {
        self.peak.max(self.paid - self.depth)
    }

    fn take(&mut self, at: Picoseconds, cost: f64) {
        self.peak = at + pace(cost, self.spec.burst_per_s);
        self.paid = self.paid.max(at) + pace(cost, self.spec.base_per_s);
    }

    fn left(&self, now: Picoseconds) -> f64 {
        let left = self.depth.as_s() - (self.paid - now).as_s();
        left.max(0.0) * self.spec.base_per_s
    }
}

/// The last request, for what goes on from there.
#[derive(Clone, Copy, Debug)]
struct Last {
    operation: Operation,
    end: u64,
    /// Bytes of the unit that is not full.
    begun: u64,
    done: Picoseconds,
}

/// The volume.
#[derive(Debug)]
pub struct CloudVolume {
    spec: CloudVolumeSpec,
    operations: Option<Bucket>,
    bytes: Option<Bucket>,
    last: Option<Last>,
    /// Under way, by the time at which they are done; that is the order in which they came.
    under_way: VecDeque<Completion>,
    now: Picoseconds,
}

impl CloudVolume {
    /// The volume of a specification.
    ///
    /// # Errors
    /// Where a rate is not between 0.000001 and 10^12 a second, a burst below its base rate, a bucket not filled within
    /// 104 days, a latency above an hour, or a unit of operation without bytes.
    pub fn new(spec: &CloudVolumeSpec) -> Result<Self, NoSuchDevice> {
        if let Some(latency) = [spec.read_latency, spec.write_latency].iter().find(|l| l.as_s() > 3_600.0) {
            return Err(NoSuchDevice(format!("a latency of {latency} is above an hour")));
        }
        if spec.unit_bytes == 0 {
            return Err(NoSuchDevice("operations are counted by units of 0 bytes".to_owned()));
        }
        Ok(Self {
            spec: *spec,
            operations: spec.operations.map(|b| Bucket::new(b, "operations")).transpose()?,
            bytes: spec.bytes.map(|b| Bucket::new(b, "bytes")).transpose()?,
            last: None,
            under_way: VecDeque::new(),
            now: Picoseconds::ZERO,
        })
    }

    /// Operations of credit that are left; `None` where they are not limited.
    #[must_use]
    pub fn operations_left(&self, now: Picoseconds) -> Option<f64> {
        self.operations.map(|b| b.left(now))
    }

    /// Bytes of credit that are left; `None` where they are not limited.
    #[must_use]
    pub fn bytes_left(&self, now: Picoseconds) -> Option<f64> {
        self.bytes.map(|b| b.left(now))
    }

    /// Operations that a request counts as, and the bytes of its last unit.
    fn count(&self, request: Request) -> (u64, u64) {
        let unit = u64::from(self.spec.unit_bytes);
        let bytes = u64::from(request.bytes);
        let goes_on = |last: &&Last| {
            self.spec.merges
                && last.operation == request.operation
                && last.end == request.offset
                && last.done > self.now
                // "Both fit a unit": a request that does not is one of its own.
                && last.begun + bytes <= unit
        };
        match self.last.as_ref().filter(goes_on) {
            Some(last) => (0, last.begun + bytes),
            None => {
                let operations = bytes.div_ceil(unit).max(1);
                (operations, bytes.saturating_sub((operations - 1) * unit))
            }
        }
    }
}

impl Device for CloudVolume {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.now = self.now.max(now);
        let latency = match request.operation {
            Operation::Read => self.spec.read_latency,
            Operation::Write => self.spec.write_latency,
        };
        let (operations, begun) = self.count(request);
        let mut at = self.now + latency;
        if let Some(last) = self.last {
            at = at.max(last.done);
        }
        // What is merged is part of an operation that was let in.
        if let Some(bucket) = self.operations.as_mut().filter(|_| operations > 0) {
            at = at.max(bucket.from());
        }
        if let Some(bucket) = &self.bytes {
            at = at.max(bucket.from());
        }
        if let Some(bucket) = self.operations.as_mut().filter(|_| operations > 0) {
            bucket.take(at, operations as f64);
        }
        if let Some(bucket) = &mut self.bytes {
            bucket.take(at, f64::from(request.bytes));
        }
        let end = request.offset.saturating_add(u64::from(request.bytes));
        self.last = Some(Last { operation: request.operation, end, begun, done: at });
        self.under_way.push_back(Completion { tag, at });
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.under_way.front().map(|first| first.at)
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.now = self.now.max(now);
        let done = self.under_way.partition_point(|one| one.at <= self.now);
        completed.extend(self.under_way.drain(..done));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{LatencyCap, LatencyCapSpec, closed_loop};
    use proptest::prelude::*;

    const KIB: u32 = 1_024;

    fn bucket(base_per_s: f64, burst_per_s: f64, credits: f64) -> BucketSpec {
        BucketSpec { base_per_s, burst_per_s, credits, full: 1.0 }
    }

    fn spec(operations: Option<BucketSpec>, bytes: Option<BucketSpec>) -> CloudVolumeSpec {
        let latency = Picoseconds::from_us(1_000.0);
        CloudVolumeSpec {
            read_latency: latency,
            write_latency: latency,
            operations,
            bytes,
            unit_bytes: 256 * KIB,
            merges: true,
        }
    }

    fn read(offset: u64, bytes: u32) -> Request {
        Request { operation: Operation::Read, offset, bytes }
    }

    /// Submits at time 0; microseconds when each is done.
    fn done(volume: &mut CloudVolume, requests: &[Request]) -> Vec<f64> {
        let mut completed = Vec::new();
        for (tag, request) in (0..).zip(requests) {
            volume.submit(Picoseconds::ZERO, tag, *request);
        }
        volume.advance(Picoseconds::MAX, &mut completed);
        completed.iter().map(|c| c.at.as_us()).collect()
    }

    #[test]
    fn a_burst_lasts_as_long_as_the_vendors_table_says() {
        // Amazon EBS gp2, "Burst duration when driving sustained 3,000 IOPS" and "seconds to fill an empty credit
        // balance", by size in GiB.
        for (gib, lasts, fills) in [
            (100, 2_000.0, 18_000.0),
            (250, 2_400.0, 7_200.0),
            (334, 2_703.0, 5_389.0),
            (500, 3_600.0, 3_600.0),
        ] {
            let base = 3.0 * f64::from(gib);
            let mut volume = CloudVolume::new(&spec(Some(bucket(base, 3_000.0, 5.4e6)), None)).unwrap();
            // Kept busy with requests that count as 64 each, until after the burst.
            let count = (3_000.0 * lasts / 64.0 * 1.01) as u64;
            let run = closed_loop(&mut volume, 4, (0..count).map(|n| read(n << 24, 16 << 20))).unwrap();
            let ends =
                run.served.windows(2).find(|two| (two[1].done - two[0].done).as_s() > 1.2 * 64.0 / 3_000.0);
            let ends = ends.unwrap()[0].done.as_s();
            assert!((ends / lasts - 1.0).abs() < 1e-3, "{gib}: {ends}");
            let last = run.served.last().unwrap().done;
            assert!(volume.operations_left(last).unwrap() < 65.0);
            let full =
                volume.operations_left(last + Picoseconds(fills as u64 * Picoseconds::SECOND.0)).unwrap();
            assert!((full / 5.4e6 - 1.0).abs() < 1e-3, "{gib}: {full}");
        }
    }

    #[test]
    fn large_requests_are_counted_by_units_and_contiguous_ones_together() {
        let flat = || CloudVolume::new(&spec(Some(BucketSpec::flat(1_000.0)), None)).unwrap();
        // One of 1,024 KiB counts as four: the next waits for 4 ms.
        assert_eq!(done(&mut flat(), &[read(0, 1_024 * KIB), read(1 << 30, 4 * KIB)]), [1_000.0, 5_000.0]);
        // Eight of 32 KiB in a row are one, apart they are eight.
        let row: Vec<Request> = (0..9).map(|n| read(n * 32 * 1_024, 32 * KIB)).collect();
        let mut expected = vec![1_000.0; 8];
        expected.push(2_000.0);
        assert_eq!(done(&mut flat(), &row), expected);
        let apart: Vec<Request> = (0..8).map(|n| read(n * 64 * 1_024, 32 * KIB)).collect();
        assert_eq!(done(&mut flat(), &apart).last(), Some(&8_000.0));
        // A write does not go on from a read.
        let both = [read(0, 32 * KIB), Request { operation: Operation::Write, ..read(32 * 1_024, 32 * KIB) }];
        assert_eq!(done(&mut flat(), &both), [1_000.0, 2_000.0]);
        // What is done is merged with nothing.
        let run = closed_loop(&mut flat(), 1, row).unwrap();
        assert_eq!(run.served.last().unwrap().done, Picoseconds::from_us(9_000.0));
    }

    #[test]
    fn bytes_have_a_bucket_of_their_own() {
        // 100 MB of credit at 250 MB/s against 50 MB/s that come: gone after half a second, 125 MB.
        let bytes = Some(bucket(50e6, 250e6, 100e6));
        let mut volume = CloudVolume::new(&spec(None, bytes)).unwrap();
        assert_eq!(volume.bytes_left(Picoseconds::ZERO), Some(100e6));
        let run = closed_loop(&mut volume, 8, (0..500).map(|n| read(n << 22, 1_000_000))).unwrap();
        let at = |n: usize| run.served[n].done.as_s();
        assert!((at(120) - 0.481).abs() < 0.001, "{}", at(120));
        // From there on 20 ms each.
        assert!((at(499) - at(200) - 299.0 * 0.02).abs() < 1e-6, "{}", at(499) - at(200));
        assert_eq!(volume.operations_left(Picoseconds::ZERO), None);
    }

    #[test]
    fn what_is_no_volume_says_why() {
        let refused = |operations| CloudVolume::new(&spec(Some(operations), None)).unwrap_err().0;
        assert!(refused(bucket(0.0, 1.0, 0.0)).contains("0 operations a second"));
        assert!(refused(bucket(5.0, 1.0, 0.0)).contains("below the base rate"));
        assert!(refused(bucket(1.0, 1.0, 1e8)).contains("104 days"));
        assert!(refused(bucket(1.0, 1.0, f64::NAN)).contains("104 days"));
        assert!(refused(BucketSpec { full: 1.5, ..bucket(1.0, 1.0, 1.0) }).contains("1.5 full"));
        let none = CloudVolumeSpec { unit_bytes: 0, ..spec(None, None) };
        assert!(CloudVolume::new(&none).unwrap_err().0.contains("0 bytes"));
    }

    fn log(device: &mut impl Device, arrivals: &[(u64, u32)]) -> Vec<Completion> {
        let (mut completed, mut now) = (Vec::new(), 0);
        for (tag, (gap, bytes)) in (0..).zip(arrivals) {
            now += gap;
            device.advance(Picoseconds(now), &mut completed);
            device.submit(Picoseconds(now), tag, read(tag << 30, *bytes));
        }
        while let Some(next) = device.next_event() {
            device.advance(next, &mut completed);
        }
        completed
    }

    fn arrivals() -> impl Strategy<Value = Vec<(u64, u32)>> {
        let gap = prop_oneof![Just(0), 0..20_000_000_000_u64, 0..1_000_u64];
        prop::collection::vec((gap, 1..4_000_000_u32), 1..60)
    }

    proptest! {
        #[test]
        fn without_credits_it_is_the_device_of_one_latency_and_caps(
            arrivals in arrivals(),
            iops in prop::option::of(50.0..1e6),
            bytes_per_s in prop::option::of(1e6..1e10),
        ) {
            let spec = CloudVolumeSpec { unit_bytes: u32::MAX, ..spec(iops.map(BucketSpec::flat), bytes_per_s.map(BucketSpec::flat)) };
            let cap = LatencyCapSpec { latency: spec.read_latency, iops, bytes_per_s };
            let volume = log(&mut CloudVolume::new(&spec).unwrap(), &arrivals);
            prop_assert_eq!(volume, log(&mut LatencyCap::new(&cap).unwrap(), &arrivals));
        }

        #[test]
        fn no_stretch_of_time_sees_more_than_base_credits_and_one_or_burst_and_one(
            arrivals in arrivals(),
            base in 50.0..1e5,
            more in 1.0..20.0,
            credits in 0.0..100.0,
            full in 0.0..1.0,
        ) {
            let operations = BucketSpec { base_per_s: base, burst_per_s: base * more, credits, full };
            let spec = CloudVolumeSpec { unit_bytes: u32::MAX, ..spec(Some(operations), None) };
            let log = log(&mut CloudVolume::new(&spec).unwrap(), &arrivals);
            prop_assert_eq!(log.len(), arrivals.len());
            for (i, first) in log.iter().enumerate() {
                for (n, last) in log[i..].iter().enumerate() {
                    // A picosecond of rounding for each.
                    let seconds = (last.at - first.at).as_s() + 1e-9;
                    prop_assert!(n as f64 <= base * more * seconds * (1.0 + 1e-9));
                    prop_assert!(n as f64 <= base * seconds * (1.0 + 1e-9) + credits + 1e-6);
                }
            }
        }
    }
}
