//! What processes may rely on.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::{
    Completion, Device, LatencyCap, LatencyCapSpec, Operation, Origin, Request, Seeded, ZonedDisk,
    ZonedDiskSpec, closed_loop,
};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

fn us(us: f64) -> Picoseconds {
    Picoseconds::from_us(us)
}

fn ms(ms: f64) -> Picoseconds {
    us(ms * 1e3)
}

fn cap(latency_ms: f64) -> LatencyCap {
    LatencyCap::new(&LatencyCapSpec { latency: ms(latency_ms), iops: None, bytes_per_s: None }).unwrap()
}

fn read(block: u64) -> Request {
    Request { operation: Operation::Read, offset: block * 8_192, bytes: 8_192 }
}

/// Reads so many blocks one at a time, and computes after each.
fn reader(stream: StreamId, volume: usize, mut left: u64, compute: Picoseconds) -> impl Process {
    let mut to_compute = false;
    move |host: &mut Host| {
        if std::mem::take(&mut to_compute) {
            return Then::Compute(compute);
        }
        if left == 0 {
            return Then::Ended;
        }
        left -= 1;
        to_compute = compute > Picoseconds::ZERO;
        host.ask(Ask::new(volume, stream, read(left)));
        Then::ALL_DONE
    }
}

#[test]
fn two_readers_on_two_volumes_by_hand() {
    let mut simulation = Simulation::new(vec![cap(10.0), cap(1.0)]);
    let (slow, fast) = (simulation.stream("slow"), simulation.stream("fast"));
    simulation.add("a", reader(slow, 0, 3, ms(5.0)));
    simulation.add_at("b", ms(2.0), reader(fast, 1, 4, Picoseconds::ZERO));
    let found = simulation.run(None).unwrap();
    assert_eq!((found.elapsed, found.served), (ms(45.0), 7));
    let [a, b] = &found.processes[..] else { panic!("two processes") };
    assert_eq!((a.elapsed(), b.elapsed(), b.ended), (Some(ms(45.0)), Some(ms(4.0)), Some(ms(6.0))));
    assert_eq!(a.spent, Spent { requests: ms(30.0), computing: ms(15.0), ..Spent::default() });
    assert_eq!((b.requests, b.bytes), (4, 4 * 8_192));
    let slow = found.stream("slow").unwrap();
    assert_eq!((slow.ios, slow.operation.as_str(), slow.latency_us.mean), (Some(3), "read", Some(10_000.0)));
    // Three in 45 ms.
    assert!((slow.iops.unwrap() - 3.0 / 0.045).abs() < 1e-6);
    assert_eq!(found.result(None).streams.len(), 2);
}

#[test]
fn what_computes_takes_turns_on_few_processors() {
    let ended = |processors: Option<u32>| {
        let mut simulation = Simulation::new(vec![cap(1.0)]);
        if let Some(processors) = processors {
            simulation.processors(processors);
        }
        for _ in 0..4 {
            let mut done = false;
            simulation.add("computes", move |_: &mut Host| {
                if std::mem::replace(&mut done, true) { Then::Ended } else { Then::Compute(ms(10.0)) }
            });
        }
        let found = simulation.run(None).unwrap();
        found.processes.iter().map(|p| (p.ended.unwrap(), p.spent.processor)).collect::<Vec<_>>()
    };
    let now = (ms(10.0), Picoseconds::ZERO);
    let later = (ms(20.0), ms(10.0));
    assert_eq!(ended(None), [now; 4]);
    assert_eq!(ended(Some(2)), [now, now, later, later]);
}

#[test]
fn who_is_told_goes_on_at_once_and_what_was_told_before_is_not_lost() {
    let mut simulation = Simulation::new(vec![cap(1.0)]);
    let waits = simulation.waits("post and wait");
    let server = simulation.add_service("server", |host: &mut Host| {
        while let Some(told) = host.told() {
            host.tell(told.from, told.value + 1);
        }
        Then::Told
    });
    for client in 0..3 {
        let mut step = 0;
        simulation.add("client", move |host: &mut Host| {
            step += 1;
            match step {
                1 => Then::Until(ms(7.0)),
                2 => {
                    host.tell(server, client);
                    // The answer comes while it computes.
                    Then::Compute(ms(1.0))
                }
                3 => Then::Told,
                _ => {
                    let told = host.told().unwrap();
                    assert_eq!((told.value, told.from, told.at), (client + 1, server, ms(7.0)));
                    host.record(waits, told.at, 0);
                    Then::Ended
                }
            }
        });
    }
    let found = simulation.run(None).unwrap();
    assert_eq!(found.elapsed, ms(8.0));
    let waits = found.stream("post and wait").unwrap();
    assert_eq!(
        (waits.ios, waits.operation.as_str(), waits.latency_us.mean),
        (Some(3), "wait", Some(1_000.0))
    );
    assert_eq!(found.processes[1].spent.sleeping, ms(7.0));
    // It served until nobody was left, and has no end.
    assert_eq!(found.processes[0].ended, None);
}

#[test]
fn an_alarm_of_a_wait_that_is_over_wakes_nobody() {
    let mut simulation = Simulation::new(vec![cap(1.0)]);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let times = Rc::clone(&seen);
    let sleeper = simulation.add("sleeper", move |host: &mut Host| {
        times.borrow_mut().push(host.now());
        match times.borrow().len() {
            1 => Then::First(First { told: true, by: Some(ms(3.0)), ..First::default() }),
            2 => {
                assert_eq!(host.told().unwrap().value, 9);
                Then::Until(ms(20.0))
            }
            _ => Then::Ended,
        }
    });
    let mut told = false;
    simulation.add_at("teller", ms(1.0), move |host: &mut Host| {
        if !std::mem::replace(&mut told, true) {
            host.tell(sleeper, 9);
        }
        Then::Ended
    });
    simulation.run(None).unwrap();
    assert_eq!(*seen.borrow(), [ms(0.0), ms(1.0), ms(20.0)]);
}

#[test]
fn one_of_its_requests_is_waited_for_and_the_others_are_not() {
    let mut simulation = Simulation::new(vec![cap(10.0), cap(1.0)]);
    let stream = simulation.stream("reads");
    let mut step = 0;
    let mut first = None;
    simulation.add("reader", move |host: &mut Host| {
        step += 1;
        match step {
            1 => {
                host.ask(Ask::new(0, stream, read(0)));
                let ticket = host.ask(Ask::new(1, stream, read(1)).unawaited());
                first = Some(ticket);
                Then::Done(ticket)
            }
            2 => {
                assert_eq!((host.now(), host.under_way()), (ms(1.0), 1));
                assert!(host.is_done(first.unwrap()));
                // It is done: nothing to wait for.
                Then::Done(first.unwrap())
            }
            _ => {
                assert_eq!(host.now(), ms(1.0));
                Then::Ended
            }
        }
    });
    let found = simulation.run(None).unwrap();
    // It is over when all that it asked for is done.
    assert_eq!(found.processes[0].ended, Some(ms(10.0)));
}

/// Hears what volumes are told.
#[derive(Default)]
struct Hears {
    heard: Rc<RefCell<Vec<String>>>,
    under_way: Vec<Completion>,
}

impl Device for Hears {
    fn submit(&mut self, _: Picoseconds, _: u64, _: Request) {
        panic!("origins are told")
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        self.heard.borrow_mut().push(format!("{} {} {}", from.process, from.waits, request.offset));
        self.under_way.push(Completion { tag, at: now + ms(1.0) });
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.heard.borrow_mut().push(format!("{process} ended at {now}"));
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.under_way.iter().map(|c| c.at).min()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        completed.extend(self.under_way.extract_if(.., |c| c.at <= now));
    }
}

#[test]
fn volumes_hear_who_asks_whether_somebody_waits_and_who_has_ended() {
    let device = Hears::default();
    let heard = Rc::clone(&device.heard);
    let mut simulation = Simulation::new(vec![device]);
    let stream = simulation.stream("all");
    let mut asked = false;
    simulation.add("flushes", move |host: &mut Host| {
        if std::mem::replace(&mut asked, true) {
            return Then::Ended;
        }
        host.ask(Ask::new(0, stream, read(5)).unawaited());
        Then::ALL_DONE
    });
    simulation.add("reads", reader(stream, 0, 2, Picoseconds::ZERO));
    simulation.run(None).unwrap();
    let expected = ["0 false 40960", "1 true 8192", "0 ended at 1000 us", "1 true 0", "1 ended at 2000 us"];
    assert_eq!(*heard.borrow(), expected);
}

#[test]
fn a_loop_of_processes_is_the_closed_loop() {
    let disk = || {
        ZonedDisk::new(&ZonedDiskSpec {
            latency: us(4_170.0),
            outer_bytes_per_s: 54e6,
            inner_bytes_per_s: 32e6,
            track_seek: us(850.0),
            full_seek: us(17_800.0),
            bytes: 1 << 37,
        })
        .unwrap()
    };
    let mut random = Seeded::new(3, 0);
    let requests: Vec<Request> = (0..2_000).map(|_| read(random.below(1 << 24))).collect();
    for depth in [1, 4, 32] {
        let by_loop = closed_loop(&mut disk(), depth, requests.iter().copied()).unwrap();
        let mut simulation = Simulation::new(vec![disk()]);
        simulation.keep_log(usize::MAX);
        let stream = simulation.stream("reads");
        let (requests, mut next) = (requests.clone(), 0);
        simulation.add("reader", move |host: &mut Host| {
            while (host.under_way() as usize) < depth && next < requests.len() {
                host.ask(Ask::new(0, stream, requests[next]));
                next += 1;
            }
            if next == requests.len() { Then::Ended } else { Then::AtMost(host.under_way() - 1) }
        });
        let found = simulation.run(None).unwrap();
        let one: Vec<_> = by_loop.served.iter().map(|s| (s.number, s.submitted, s.done)).collect();
        let other: Vec<_> = found.log.iter().map(|s| (s.number, s.since, s.done)).collect();
        assert_eq!(one, other, "depth {depth}");
    }
}

#[test]
fn what_comes_to_no_end_says_why() {
    let run = |process: fn(&mut Host) -> Then| {
        let mut simulation = Simulation::new(vec![cap(1.0)]);
        simulation.most_under_way(100);
        simulation.stream("reads");
        simulation.add("it", process);
        simulation.run(None).unwrap_err().to_string()
    };
    assert_eq!(run(|_| Then::Told), "nobody brings what is waited for by it");
    assert_eq!(run(|_| Then::Until(Picoseconds::ZERO)), "it goes on and on at 0 us");
    assert!(
        run(|host| {
            host.ask(Ask::new(1, StreamId(0), read(0)));
            Then::Ended
        })
        .contains("asks volume 1")
    );
    assert!(
        run(|host| {
            host.tell(7, 0);
            Then::Ended
        })
        .contains("tells process 7")
    );
    assert!(
        run(|host| {
            host.ask(Ask::new(0, StreamId(0), read(0)));
            Then::Until(host.now() + Picoseconds(1))
        })
        .contains("more than 100 requests are under way")
    );
    assert!(
        run(|host| {
            host.tell(0, 0);
            Then::Until(host.now() + Picoseconds(1))
        })
        .contains("did not listen")
    );
}

/// Keeps what it gets.
struct Swallows;

impl Device for Swallows {
    fn submit(&mut self, _: Picoseconds, _: u64, _: Request) {}

    fn next_event(&self) -> Option<Picoseconds> {
        None
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Completion>) {}
}

#[test]
fn a_volume_that_never_answers_is_told() {
    let mut simulation = Simulation::new(vec![Swallows]);
    let stream = simulation.stream("reads");
    simulation.add("reader", reader(stream, 0, 2, Picoseconds::ZERO));
    assert_eq!(simulation.run(None), Err(Fault::Stalled(crate::Stalled { under_way: 1 })));
}

#[test]
fn an_end_cuts_off_and_a_warm_up_does_not_count() {
    let mut simulation = Simulation::new(vec![cap(10.0)]);
    let stream = simulation.open_stream("reads");
    simulation.record_from(ms(100.0));
    simulation.add("reader", reader(stream, 0, 1 << 40, Picoseconds::ZERO));
    let found = simulation.run(Some(ms(1_095.0))).unwrap();
    assert_eq!(found.elapsed, ms(1_095.0));
    let reads = found.stream("reads").unwrap();
    // Done at 100, 110 to 1,090 ms.
    assert_eq!((reads.ios, reads.elapsed_s, reads.unserved), (Some(100), Some(0.995), Some(1)));
    assert_eq!(found.processes[0].ended, None);
}

#[test]
fn where_all_serve_others_the_time_alone_ends_it() {
    let mut simulation = Simulation::new(vec![cap(10.0)]);
    let stream = simulation.stream("reads");
    simulation.add_service("reader", reader(stream, 0, 5, Picoseconds::ZERO));
    simulation.add_service("waits", |_: &mut Host| Then::Told);
    let found = simulation.run(Some(ms(95.0))).unwrap();
    assert_eq!((found.elapsed, found.stream("reads").unwrap().ios), (ms(95.0), Some(5)));
    // Without a time there is nothing to wait for.
    let mut simulation = Simulation::new(vec![cap(10.0)]);
    let stream = simulation.stream("reads");
    simulation.add_service("reader", reader(stream, 0, 5, Picoseconds::ZERO));
    assert_eq!(simulation.run(None).unwrap().elapsed, Picoseconds::ZERO);
}

/// Readers who pause by chance, on one disk; its fingerprint, and the figures of the law below.
fn sessions(seed: u64, sessions: u64, think_ms: f64, reads: u64) -> (u64, f64, f64, f64) {
    let mut simulation = Simulation::new(vec![
        LatencyCap::new(&LatencyCapSpec { latency: ms(5.0), iops: Some(400.0), bytes_per_s: None }).unwrap(),
    ]);
    let stream = simulation.stream("reads");
    for number in 0..sessions {
        let mut random = Seeded::new(seed, number);
        let (mut left, mut pauses) = (reads, false);
        simulation.add("session", move |host: &mut Host| {
            pauses = !pauses;
            if pauses {
                return Then::Until(host.now() + ms(random.exponential(think_ms)));
            }
            if left == 0 {
                return Then::Ended;
            }
            left -= 1;
            host.ask(Ask::new(0, stream, read(random.below(1 << 20))));
            Then::ALL_DONE
        });
    }
    let found = simulation.run(None).unwrap();
    let lived: f64 = found.processes.iter().map(|p| p.elapsed().unwrap().as_s()).sum();
    let slept: f64 = found.processes.iter().map(|p| p.spent.sleeping.as_s()).sum();
    let waited = found.stream("reads").unwrap().latency_us.mean.unwrap() * (sessions * reads) as f64 / 1e6;
    (found.fingerprint, lived, slept, waited)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// What processes live is what they wait and what they sleep: the law of response times, request by request.
    #[test]
    fn time_lived_is_time_waited_and_slept(seed: u64, n in 1u64..40, think_ms in 0.0..50.0) {
        let (_, lived, slept, waited) = sessions(seed, n, think_ms, 50);
        // Latencies are recorded in whole nanoseconds.
        prop_assert!((lived - slept - waited).abs() < 1e-9 * (50 * n) as f64 + 1e-9);
    }
}

#[test]
fn the_same_seed_leaves_the_same_log_and_another_seed_another() {
    let one = sessions(1, 20, 10.0, 500).0;
    assert_eq!(one, sessions(1, 20, 10.0, 500).0);
    assert_ne!(one, sessions(2, 20, 10.0, 500).0);
    // On any machine.
    assert_eq!(one, 0xB935_F1DF_4D0E_AD2A, "{one:#x}");
}
