//! A job: the streams of requests that a device is to serve, and when it ends.

use crate::arrival::{Arrivals, Due};
use crate::commits::{Committers, MOST_WRITE_BYTES};
use crate::pattern::{Blocks, Pattern};
use crate::region::Region;
use crate::seed::Seeded;
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What is asked of a device.
///
/// Shape: one a run. Missing: an end of `None` is not a bound; a job has one at least. Source: a job file
/// or the options of a command; stored with every result, so that it can be run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// What it is called.
    pub name: String,
    /// Seed of all that is random in it.
    pub seed: u64,
    /// Streams, which run at the same time.
    pub streams: Vec<Stream>,
    /// When it ends: at the first of these.
    pub end: End,
    /// How long requests are made before they count, seconds; what the end says counts from then on.
    #[serde(default)]
    pub warm_up_s: Option<f64>,
}

/// When a job ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// After so many requests of each stream.
    #[serde(default)]
    pub ios: Option<u64>,
    /// After so many seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// As soon as the interval of each stream's rate is this narrow, percent of the rate from end to end.
    #[serde(default)]
    pub interval_pct: Option<f64>,
    /// As soon as so many requests of a stream have arrived and are not answered: more arrive than are served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unserved: Option<u64>,
}

/// One stream of requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    /// What it is called.
    pub name: String,
    /// Share of reads; the rest are writes. Percent.
    pub read_pct: f64,
    /// How it goes through its region.
    pub pattern: Pattern,
    /// Sizes of requests.
    pub sizes: Vec<Size>,
    /// Where it works.
    #[serde(default)]
    pub region: Region,
    /// How requests arrive.
    pub arrivals: Arrivals,
    /// When a write is done.
    #[serde(default)]
    pub flush: Flush,
    /// A trace that it replays: then pattern and sizes are the trace's, `read_pct` is its share of reads, and the one
    /// size that of its largest request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<Trace>>,
}

/// When a write is done: what has to be on the device rather than in its or the kernel's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flush {
    /// As the device or the page cache has it.
    #[default]
    None,
    /// Each write ends when it would survive a loss of power (`O_DSYNC`).
    Dsync,
    /// `fdatasync` after each write; both are its latency.
    Fdatasync,
}

/// One size of requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Bytes.
    pub bytes: u32,
    /// Weight among the sizes.
    pub weight: f64,
}

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operation {
    Read,
    Write,
}

/// One request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it does.
    pub operation: Operation,
    /// First byte on the device.
    pub offset: u64,
    /// Bytes.
    pub bytes: u32,
}

/// A log is written in whole blocks of this, or of what the device takes where that is more.
const LOG_BLOCK: u64 = 512;

/// Largest request, bytes.
pub(crate) const MOST_BYTES: u32 = 64 << 20;

impl Job {
    /// Why the job cannot be run, in a sentence that names the stream.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if self.streams.is_empty() {
            return Some(format!("job `{}` has no stream", self.name));
        }
        let End { ios, seconds, interval_pct, unserved } = self.end;
        // Traces end by themselves.
        let ends = self.streams.iter().all(|s| s.trace.is_some());
        if ios.is_none() && seconds.is_none() && interval_pct.is_none() && !ends {
            return Some(format!("job `{}` never ends: give it requests, seconds or an interval", self.name));
        }
        if interval_pct.is_some() && self.streams.iter().any(|s| s.arrivals.due_by_trace()) {
            return Some(format!(
                "job `{}` ends by the interval of its rates, and the rate of a trace is set by its own times: end it by time \
                 or count, or with the trace",
                self.name
            ));
        }
        if unserved.is_some() && !self.streams.iter().any(|s| s.arrivals.go_on()) {
            return Some(format!(
                "job `{}` ends when requests have arrived and are not answered, and each of its streams waits for answers \
                 before it asks again: give one a rate, or leave `unserved` out",
                self.name
            ));
        }
        let wrong = |x: Option<f64>| x.is_some_and(|x| !(x.is_finite() && x > 0.0));
        if ios == Some(0) || unserved == Some(0) || wrong(seconds) || wrong(interval_pct) {
            return Some(format!("job `{}` ends before it begins", self.name));
        }
        if let Some(warm_up_s) = self.warm_up_s.filter(|s| !(0.0..=1e6).contains(s)) {
            return Some(format!("job `{}`: a warm-up of {warm_up_s} s is none", self.name));
        }
        self.streams.iter().find_map(|s| Some(format!("stream `{}`: {}", s.name, s.objection()?)))
    }

    /// Does any stream write?
    #[must_use]
    pub fn writes(&self) -> bool {
        self.streams.iter().any(|s| s.read_pct < 100.0)
    }
}

impl Stream {
    pub(crate) fn objection(&self) -> Option<String> {
        if self.trace.is_some() {
            return match self.arrivals {
                Arrivals::Closed { .. } | Arrivals::Replay { .. } => self.arrivals.objection(),
                _ => Some("a trace is replayed by its own times or at a depth".to_owned()),
            };
        }
        if self.arrivals.due_by_trace() {
            return Some("it is to be replayed, and has no trace".to_owned());
        }
        if !(0.0..=100.0).contains(&self.read_pct) {
            return Some(format!("{} % of reads is not between 0 and 100", self.read_pct));
        }
        if self.sizes.is_empty() {
            return Some("no size of requests is given".to_owned());
        }
        for size in &self.sizes {
            if size.bytes == 0 || size.bytes > MOST_BYTES {
                return Some(format!("a request of {} bytes is not between 1 and {MOST_BYTES}", size.bytes));
            }
            if !(size.weight.is_finite() && size.weight > 0.0) {
                return Some(format!("the size of {} bytes has the weight {}", size.bytes, size.weight));
            }
        }
        if self.commits() {
            return self.objection_to_commits().or_else(|| self.arrivals.objection());
        }
        let align = self.align();
        if let Some(odd) = self.sizes.iter().find(|s| u64::from(s.bytes) % align != 0) {
            return Some(format!(
                "a request of {} bytes is no multiple of the smallest, {align} bytes, on which addresses lie",
                odd.bytes
            ));
        }
        self.pattern.objection().or_else(|| self.arrivals.objection())
    }

    /// Is it the stream of a log writer?
    #[must_use]
    pub fn commits(&self) -> bool {
        matches!(self.arrivals, Arrivals::Commits { .. })
    }

    /// Why it is no log, in a sentence. Its sizes are redo, and need not be whole blocks.
    fn objection_to_commits(&self) -> Option<String> {
        if self.read_pct > 0.0 || self.pattern != Pattern::Sequential {
            return Some("a log is written only, and one write after the other".to_owned());
        }
        let most = self.sizes.iter().map(|s| s.bytes).max().unwrap_or(0);
        (most > MOST_WRITE_BYTES).then(|| {
            format!("a commit of {most} bytes is above the {MOST_WRITE_BYTES} of one write of the log")
        })
    }

    /// Addresses are whole multiples of the smallest request; those of a log, of the smallest sector.
    #[must_use]
    pub fn align(&self) -> u64 {
        if self.commits() {
            return LOG_BLOCK;
        }
        self.sizes.iter().map(|s| u64::from(s.bytes)).min().unwrap_or(1).max(1)
    }

    fn most_bytes(&self) -> u64 {
        if self.commits() {
            return u64::from(MOST_WRITE_BYTES);
        }
        self.sizes.iter().map(|s| u64::from(s.bytes)).max().unwrap_or(1)
    }

    /// Does it both read and write?
    #[must_use]
    pub fn is_mix(&self) -> bool {
        self.read_pct > 0.0 && self.read_pct < 100.0
    }

    /// The requests of the stream on a device, as its number in the job and the job's seed have them.
    ///
    /// # Errors
    /// A sentence, where the region does not fit the device.
    pub fn requests(&self, number: u64, seed: u64, device_bytes: u64) -> Result<Requests, String> {
        if self.trace.is_some() {
            return Err("its requests are those of a trace".to_owned());
        }
        let align = self.align();
        let region = self.region.on(device_bytes, align)?;
        let most = self.most_bytes();
        if region.end - region.start < most {
            return Err(format!(
                "the region of {} bytes is smaller than a request of {most} bytes",
                region.end - region.start
            ));
        }
        // The largest request must end inside of the region, wherever it begins.
        let places = (region.end - region.start - most) / align + 1;
        // It would go on block by block, which is another load.
        if let Pattern::Strided { blocks } = self.pattern
            && blocks >= places
        {
            return Err(format!(
                "the region is no longer than {places} blocks of {align} bytes, and a stride of {blocks} leads out of it: \
                 take a shorter stride or a longer region"
            ));
        }
        let purpose = |of: u64| Seeded::new(seed, number * 4 + of);
        let total: f64 = self.sizes.iter().map(|s| s.weight).sum();
        Ok(Requests {
            sizes: self.sizes.clone(),
            total,
            read_pct: self.read_pct,
            region,
            unit: align,
            at: (self.pattern == Pattern::Sequential).then_some(0),
            blocks: self.pattern.blocks(places, purpose(1)),
            random: purpose(2),
        })
    }

    /// Those who commit, where the stream is a log.
    #[must_use]
    pub fn committers(&self, number: u64, seed: u64) -> Option<Committers> {
        match self.arrivals {
            Arrivals::Commits { committers, think_us } => {
                Some(Committers::new(committers, think_us, Seeded::new(seed, number * 4 + 3)))
            }
            _ => None,
        }
    }

    /// Intended starts, where the stream is open.
    #[must_use]
    pub fn due(&self, number: u64, seed: u64) -> Option<Due> {
        self.arrivals.due(Seeded::new(seed, number * 4 + 3))
    }
}

/// Requests of a stream, without end.
#[derive(Clone, Debug)]
pub struct Requests {
    sizes: Vec<Size>,
    total: f64,
    read_pct: f64,
    region: Range<u64>,
    unit: u64,
    /// Of a sequence, how far it has come: sizes may differ, and none overlaps the one before.
    at: Option<u64>,
    blocks: Blocks,
    random: Seeded,
}

impl Requests {
    /// Bytes of the device among which they lie.
    #[must_use]
    pub fn region(&self) -> Range<u64> {
        self.region.clone()
    }

    /// Bytes of the next request, wherever it lies.
    pub fn draw_bytes(&mut self) -> u32 {
        match self.sizes.as_slice() {
            [only] => only.bytes,
            sizes => {
                let mut left = self.random.unit() * self.total;
                let drawn = sizes.iter().find(|size| {
                    left -= size.weight;
                    left < 0.0
                });
                drawn.or(sizes.last()).map_or(0, |size| size.bytes)
            }
        }
    }

    /// The next request.
    pub fn draw(&mut self) -> Request {
        let operation = match self.read_pct {
            all if all >= 100.0 => Operation::Read,
            none if none <= 0.0 => Operation::Write,
            some if self.random.unit() * 100.0 < some => Operation::Read,
            _ => Operation::Write,
        };
        let bytes = self.draw_bytes();
        let offset = match &mut self.at {
            None => self.region.start + self.blocks.draw() * self.unit,
            Some(at) => {
                if self.region.start + *at + u64::from(bytes) > self.region.end {
                    *at = 0;
                }
                let offset = self.region.start + *at;
                *at += u64::from(bytes);
                offset
            }
        };
        Request { operation, offset, bytes }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::region::Extent;
    use proptest::prelude::*;

    fn stream(sizes: &[u32], pattern: Pattern) -> Stream {
        Stream {
            name: "s".into(),
            read_pct: 70.0,
            pattern,
            sizes: sizes.iter().map(|bytes| Size { bytes: *bytes, weight: 1.0 }).collect(),
            region: Region { from: Extent::Percent(10.0), length: Some(Extent::Percent(20.0)) },
            arrivals: Arrivals::Closed { depth: 4, think_us: 0.0 },
            flush: Flush::None,
            trace: None,
        }
    }

    fn pattern() -> impl Strategy<Value = Pattern> {
        prop_oneof![
            Just(Pattern::Random),
            Just(Pattern::Sequential),
            (1..50_u64).prop_map(|blocks| Pattern::Strided { blocks }),
            (1.0..99.0, 1.0..99.0)
                .prop_map(|(accesses_pct, blocks_pct)| Pattern::HotSpot { accesses_pct, blocks_pct }),
            (0.0..3.0).prop_map(|theta| Pattern::Zipf { theta }),
        ]
    }

    proptest! {
        #[test]
        fn every_request_lies_within_its_region(
            pattern in pattern(),
            power in 0..4_u32,
            more in proptest::collection::vec(1..5_u32, 0..3),
            device in 2_000_000..50_000_000_u64,
            seed in any::<u64>(),
        ) {
            let smallest = 512 << power;
            let sizes: Vec<u32> = std::iter::once(smallest).chain(more.iter().map(|n| n * smallest)).collect();
            let stream = stream(&sizes, pattern);
            let region = stream.region.on(device, u64::from(smallest)).unwrap();
            let mut requests = stream.requests(0, seed, device).unwrap();
            let mut again = stream.requests(0, seed, device).unwrap();
            for _ in 0..500 {
                let request = requests.draw();
                prop_assert!(request.offset >= region.start);
                prop_assert!(request.offset + u64::from(request.bytes) <= region.end);
                prop_assert_eq!(request.offset % u64::from(smallest), 0);
                prop_assert_eq!(request, again.draw());
            }
        }
    }

    #[test]
    fn a_stride_beyond_its_region_went_block_by_block_without_a_word() {
        let stream = |blocks| stream(&[8_192], Pattern::Strided { blocks });
        // A fifth of 100 blocks.
        let device = 100 * 8_192;
        assert!(stream(19).requests(0, 1, device).is_ok());
        let said = stream(20).requests(0, 1, device).unwrap_err();
        assert!(said.contains("20 blocks of 8192 bytes, and a stride of 20 leads out of it"), "{said}");
    }

    #[test]
    fn an_end_by_unserved_requests_was_taken_where_none_can_pile_up() {
        let end = End { seconds: Some(1.0), unserved: Some(10), ..End::default() };
        let closed = stream(&[8_192], Pattern::Random);
        let open = Stream { arrivals: Arrivals::Open { iops: 10.0, poisson: true }, ..closed.clone() };
        let job = |streams| Job { name: "j".into(), seed: 1, streams, end, warm_up_s: None };
        let said = job(vec![closed.clone()]).objection().unwrap();
        assert!(said.contains("waits for answers"), "{said}");
        assert_eq!(job(vec![closed, open]).objection(), None);
    }

    #[test]
    fn a_sequence_follows_itself_without_gaps() {
        let mut stream = stream(&[8_192], Pattern::Sequential);
        stream.read_pct = 100.0;
        stream.region = Region::default();
        let mut requests = stream.requests(0, 1, 3 * 8_192 + 100).unwrap();
        let offsets: Vec<u64> = (0..4).map(|_| requests.draw().offset).collect();
        assert_eq!(offsets, [0, 8_192, 16_384, 0]);
    }

    #[test]
    fn a_sequence_of_several_sizes_does_not_overlap() {
        let mut stream = stream(&[4_096, 16_384], Pattern::Sequential);
        stream.region = Region::default();
        let mut requests = stream.requests(0, 1, 1 << 20).unwrap();
        let mut end = 0;
        for _ in 0..1_000 {
            let request = requests.draw();
            assert!(request.offset == end || request.offset == 0, "{request:?} after {end}");
            end = request.offset + u64::from(request.bytes);
            assert!(end <= 1 << 20);
        }
    }

    #[test]
    fn streams_of_one_job_do_not_follow_each_other() {
        let stream = stream(&[4_096], Pattern::Random);
        let draw = |number| {
            let mut requests = stream.requests(number, 13, 1 << 30).unwrap();
            (0..20).map(|_| requests.draw().offset).collect::<Vec<_>>()
        };
        assert_ne!(draw(0), draw(1));
    }

    #[test]
    fn reads_and_sizes_have_their_shares() {
        let mut stream = stream(&[4_096, 65_536], Pattern::Random);
        stream.sizes[0].weight = 3.0;
        let mut requests = stream.requests(0, 9, 1 << 30).unwrap();
        let drawn: Vec<Request> = (0..40_000).map(|_| requests.draw()).collect();
        let share = |of: &dyn Fn(&Request) -> bool| drawn.iter().filter(|r| of(r)).count() as f64 / 40_000.0;
        assert!((share(&|r| r.operation == Operation::Read) - 0.7).abs() < 0.012);
        assert!((share(&|r| r.bytes == 4_096) - 0.75).abs() < 0.011);
    }

    #[test]
    fn jobs_that_cannot_be_run_say_why() {
        let job =
            |streams: Vec<Stream>, end: End| Job { name: "j".into(), seed: 1, streams, end, warm_up_s: None };
        let one = End { ios: Some(1), ..End::default() };
        let good = || stream(&[8_192], Pattern::Random);
        assert_eq!(job(vec![good()], one).objection(), None);
        let said = |streams, end| job(streams, end).objection().unwrap();
        assert!(said(vec![], one).contains("no stream"));
        assert!(said(vec![good()], End::default()).contains("never ends"));
        assert!(said(vec![stream(&[8_192, 9_000], Pattern::Random)], one).contains("no multiple"));
        assert!(said(vec![Stream { read_pct: 101.0, ..good() }], one).contains("stream `s`"));
        assert!(said(vec![stream(&[], Pattern::Random)], one).contains("no size"));
        let cold = Job { warm_up_s: Some(f64::NAN), ..job(vec![good()], one) };
        assert!(cold.objection().unwrap().contains("warm-up"));
        assert!(good().requests(0, 1, 20_000).unwrap_err().contains("holds no whole block"));
    }

    #[test]
    fn a_job_is_written_and_read_again() {
        let job = Job {
            name: "mixed".into(),
            seed: 13,
            streams: vec![stream(&[8_192], Pattern::Zipf { theta: 1.1 })],
            end: End { seconds: Some(30.0), ..End::default() },
            warm_up_s: Some(2.5),
        };
        let text = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job);
    }
}
