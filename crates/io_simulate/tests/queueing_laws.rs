//! Laws of queues, on the event core with servers of a few lines and on devices: M/M/1, M/G/1, M/M/k, Little.
//!
//! A simulation that does not obey them is wrong whatever it models. Arrivals are Poisson; the seeds are fixed, so a run
//! repeats, and lengths are chosen so that chance stays well within the 2 % allowed.
#![allow(clippy::unwrap_used)]

use spindle_io_simulate::{
    Completion, Device, EventQueue, LatencyCap, LatencyCapSpec, Nvme, NvmeSpec, Operation, Picoseconds,
    Request, Seeded, ServiceSpec, Spread,
};
use std::collections::VecDeque;

/// Mean service time, microseconds.
const SERVICE_US: f64 = 100.0;

/// What a run saw.
struct Seen {
    /// Requests a second.
    rate: f64,
    /// Mean from arrival to end, microseconds.
    response_us: f64,
    /// Requests in the system, averaged over time, counted apart from their times.
    in_system: f64,
    /// Share of the time in which a server was busy, on average over servers; a device does not tell.
    busy: Option<f64>,
}

enum Event {
    Arrives,
    Ends,
}

/// Servers of a few lines behind one queue on the event core.
fn on_the_core(
    servers: usize,
    load: f64,
    count: u64,
    mut service_us: impl FnMut(&mut Seeded) -> f64,
) -> Seen {
    let mut arrivals = Seeded::new(41, 0);
    let mut services = Seeded::new(41, 1);
    let gap_us = SERVICE_US / (load * servers as f64);
    let mut queue = EventQueue::new(servers + 1);
    let mut waiting: VecDeque<Picoseconds> = VecDeque::new();
    // With several servers who ends first is not who came first; only sums are kept, so that does not matter.
    let (mut busy, mut arrived, mut ended) = (0, 0, 0_u64);
    let (mut area, mut busy_area, mut sum_us) = (0.0, 0.0, 0.0);
    let mut before = Picoseconds::ZERO;
    queue.put(Picoseconds::from_us(arrivals.exponential(gap_us)), Event::Arrives).unwrap();
    while let Some((now, event)) = queue.take() {
        let passed = (now - before).as_us();
        area += passed * (waiting.len() + busy) as f64;
        busy_area += passed * busy as f64;
        before = now;
        match event {
            Event::Arrives => {
                waiting.push_back(now);
                arrived += 1;
                if arrived < count {
                    let next = now + Picoseconds::from_us(arrivals.exponential(gap_us));
                    queue.put(next, Event::Arrives).unwrap();
                }
            }
            Event::Ends => {
                busy -= 1;
                ended += 1;
            }
        }
        while busy < servers
            && let Some(came) = waiting.pop_front()
        {
            busy += 1;
            let end = now + Picoseconds::from_us(service_us(&mut services));
            sum_us += (end - came).as_us();
            queue.put(end, Event::Ends).unwrap();
        }
    }
    assert_eq!(ended, count);
    let took_us = before.as_us();
    Seen {
        rate: count as f64 * 1e6 / took_us,
        response_us: sum_us / count as f64,
        in_system: area / took_us,
        busy: Some(busy_area / took_us / servers as f64),
    }
}

/// Requests in a device, as they come and go.
#[derive(Default)]
struct Tally {
    came: Vec<Picoseconds>,
    inside: u64,
    before: Picoseconds,
    area: f64,
    sum_us: f64,
}

impl Tally {
    fn until(&mut self, now: Picoseconds) {
        self.area += (now - self.before).as_us() * self.inside as f64;
        self.before = now;
    }

    fn comes(&mut self, now: Picoseconds) {
        self.until(now);
        self.inside += 1;
        self.came.push(now);
    }

    fn go(&mut self, completed: &mut Vec<Completion>) {
        for done in completed.drain(..) {
            self.until(done.at);
            self.inside -= 1;
            self.sum_us += (done.at - self.came[usize::try_from(done.tag).unwrap()]).as_us();
        }
    }
}

/// A device under Poisson arrivals.
fn on_a_device(device: &mut impl Device, per_s: f64, count: u64) -> Seen {
    let mut arrivals = Seeded::new(43, 0);
    let request = Request { operation: Operation::Read, offset: 0, bytes: 512 };
    let (mut completed, mut now, mut tally) = (Vec::new(), Picoseconds::ZERO, Tally::default());
    for tag in 0..count {
        now = now + Picoseconds::from_us(arrivals.exponential(1e6 / per_s));
        device.advance(now, &mut completed);
        tally.go(&mut completed);
        tally.comes(now);
        device.submit(now, tag, request);
    }
    while let Some(next) = device.next_event() {
        device.advance(next, &mut completed);
    }
    tally.go(&mut completed);
    assert_eq!(tally.inside, 0);
    let took_us = tally.before.as_us();
    Seen {
        rate: count as f64 * 1e6 / took_us,
        response_us: tally.sum_us / count as f64,
        in_system: tally.area / took_us,
        busy: None,
    }
}

#[track_caller]
fn is_within(found: f64, law: f64, pct: f64) {
    assert!((found / law - 1.0).abs() < pct / 100.0, "{found} where the law says {law}");
}

/// `L = lambda W`: exactly, as each is summed to the end.
#[track_caller]
fn obeys_little(seen: &Seen) {
    is_within(seen.in_system, seen.rate * seen.response_us / 1e6, 0.001);
}

/// Chance that an arrival waits with `k` servers: Erlang's formula C.
fn erlang_c(servers: u32, load: f64) -> f64 {
    let offered = load * f64::from(servers);
    // Erlang B by its recursion.
    let blocked = (1..=servers).fold(1.0, |b, k| offered * b / (f64::from(k) + offered * b));
    blocked / (1.0 - load * (1.0 - blocked))
}

fn exponential(random: &mut Seeded) -> f64 {
    random.exponential(SERVICE_US)
}

#[test]
fn one_server_of_exponential_times_answers_as_m_m_1() {
    for load in [0.3, 0.5, 0.7, 0.85] {
        let seen = on_the_core(1, load, 1_500_000, exponential);
        is_within(seen.busy.unwrap(), load, 1.0);
        is_within(seen.response_us, SERVICE_US / (1.0 - load), 2.0);
        is_within(seen.in_system, load / (1.0 - load), 2.0);
        obeys_little(&seen);
    }
}

#[test]
fn one_server_of_any_times_waits_as_pollaczek_and_khinchine_say() {
    // Wait = load * mean service * (1 + variation^2) / 2 / (1 - load).
    let wait =
        |load: f64, variation: f64| load * SERVICE_US * (1.0 + variation * variation) / 2.0 / (1.0 - load);
    for load in [0.5, 0.7] {
        let constant = on_the_core(1, load, 1_000_000, |_| SERVICE_US);
        is_within(constant.response_us - SERVICE_US, wait(load, 0.0), 2.0);
        obeys_little(&constant);
        let even = on_the_core(1, load, 1_000_000, |random| 2.0 * SERVICE_US * random.unit());
        is_within(even.response_us - SERVICE_US, wait(load, 1.0 / 3_f64.sqrt()), 2.0);
        // One in ten takes 550 us, the others 50: variance 0.1 * 0.9 * 500^2.
        let tail = on_the_core(1, load, 3_000_000, |random| if random.below(10) == 0 { 550.0 } else { 50.0 });
        is_within(tail.response_us - SERVICE_US, wait(load, 1.5), 2.0);
        obeys_little(&tail);
    }
}

#[test]
fn several_servers_of_exponential_times_answer_as_erlang_says() {
    for (servers, load) in [(2, 0.7), (8, 0.8)] {
        let seen = on_the_core(servers, load, 1_500_000, exponential);
        let k = servers as f64;
        let wait = erlang_c(u32::try_from(servers).unwrap(), load) * SERVICE_US / (k * (1.0 - load));
        is_within(seen.busy.unwrap(), load, 1.0);
        is_within(seen.response_us, SERVICE_US + wait, 2.0);
        obeys_little(&seen);
    }
}

fn nvme(units: u32, spread: Spread) -> Nvme {
    let service = ServiceSpec { latency: Picoseconds::from_us(SERVICE_US), bytes_per_s: 1e15, spread };
    Nvme::new(&NvmeSpec {
        units,
        read: service,
        write: service,
        piece_bytes: 4_096,
        link_bytes_per_s: None,
        seed: 5,
    })
    .unwrap()
}

#[test]
fn a_drive_of_parallel_units_answers_as_its_queue_does() {
    let load = 0.7;
    for units in [1, 4, 16] {
        let per_s = load * f64::from(units) * 1e6 / SERVICE_US;
        let seen = on_a_device(&mut nvme(units, Spread::Exponential), per_s, 1_000_000);
        let wait = erlang_c(units, load) * SERVICE_US / (f64::from(units) * (1.0 - load));
        is_within(seen.response_us, SERVICE_US + wait, 2.0);
        obeys_little(&seen);
    }
    let log_normal = Spread::LogNormal { variation: 0.8 };
    let seen = on_a_device(&mut nvme(1, log_normal), load * 1e6 / SERVICE_US, 3_000_000);
    let wait = load * SERVICE_US * (1.0 + 0.64) / 2.0 / (1.0 - load);
    is_within(seen.response_us, SERVICE_US + wait, 2.0);
    obeys_little(&seen);
}

#[test]
fn a_cap_without_bursts_makes_requests_wait_as_m_d_1() {
    let spec =
        LatencyCapSpec { latency: Picoseconds::from_us(300.0), iops: Some(10_000.0), bytes_per_s: None };
    let seen = on_a_device(&mut LatencyCap::new(&spec).unwrap(), 7_000.0, 1_000_000);
    // A gap of 100 us as the service, and the latency of each beside it.
    is_within(seen.response_us - 300.0, 0.7 * 100.0 / 2.0 / 0.3, 2.0);
    obeys_little(&seen);
}
