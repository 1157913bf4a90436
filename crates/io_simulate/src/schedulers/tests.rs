//! Each rule of each scheduler where it decides: the same load gives another order, or another time, when the rule is off
//! or its number another one.
#![allow(clippy::unwrap_used)]

use super::waiting::LookBack;
use super::*;
use crate::{BlockLayer, BlockLayerSpec, Device, LatencyCap, LatencyCapSpec, Merging, Request};

/// What somebody does: when (ms), who, and what.
#[derive(Clone, Copy)]
enum Does {
    /// Reads so many KiB at a KiB.
    Reads(u64, u32),
    /// Writes; nobody waits for it.
    Writes(u64, u32),
    /// Writes, and waits for it.
    WritesAndWaits(u64, u32),
    Ends,
}

use Does::{Ends, Reads, Writes, WritesAndWaits};

type Event = (f64, u32, Does);

/// Processes.
const A: u32 = 1;
const B: u32 = 2;

/// The numbers of events in the order in which they are done, and when, ms: of a device that takes so long for each request
/// and holds so many, of which the scheduler sees all.
fn served(scheduler: &SchedulerSpec, depth: u32, service_ms: f64, events: &[Event]) -> Vec<(usize, f64)> {
    let latency = Picoseconds::from_us(service_ms * 1e3);
    let device = LatencyCap::new(&LatencyCapSpec { latency, iops: None, bytes_per_s: None }).unwrap();
    let layer = BlockLayerSpec {
        plug: None,
        merging: Merging::Off,
        request_bytes: 64 << 20,
        driver_depth: depth,
        requests: 10_000,
    };
    let mut device = BlockLayer::new(layer, scheduler.build(), device).unwrap();
    let mut done = Vec::new();
    let mut sorted: Vec<usize> = (0..events.len()).collect();
    sorted.sort_by(|a, b| events[*a].0.total_cmp(&events[*b].0));
    for number in sorted {
        let (at_ms, process, does) = events[number];
        let at = Picoseconds::from_us(at_ms * 1e3);
        let (operation, waits, kib, size) = match does {
            Reads(kib, size) => (Operation::Read, true, kib, size),
            Writes(kib, size) => (Operation::Write, false, kib, size),
            WritesAndWaits(kib, size) => (Operation::Write, true, kib, size),
            Ends => {
                device.ended(at, process);
                continue;
            }
        };
        let request = Request { operation, offset: kib * 1_024, bytes: size * 1_024 };
        device.submit_from(at, number as u64, Origin { process, waits }, request);
    }
    while let Some(next) = device.next_event() {
        device.advance(next, &mut done);
    }
    let asked = events.iter().filter(|e| !matches!(e.2, Ends)).count();
    assert_eq!(done.len(), asked, "each is done once");
    done.iter().map(|c| (usize::try_from(c.tag).unwrap(), c.at.as_us() / 1e3)).collect()
}

fn order(scheduler: &SchedulerSpec, service_ms: f64, events: &[Event]) -> Vec<usize> {
    served(scheduler, 1, service_ms, events).into_iter().map(|(number, _)| number).collect()
}

/// How many are done before one.
fn before(scheduler: &SchedulerSpec, service_ms: f64, events: &[Event], number: usize) -> usize {
    order(scheduler, service_ms, events).iter().position(|n| *n == number).unwrap()
}

/// When one is done, ms.
fn done_at(scheduler: &SchedulerSpec, depth: u32, service_ms: f64, events: &[Event], number: usize) -> f64 {
    served(scheduler, depth, service_ms, events).iter().find(|(n, _)| *n == number).unwrap().1
}

/// One way: requests at higher and higher places in steps, each shortly before its turn; and the last, at the lowest, after one
/// and a half.
fn upwards(does: fn(u64, u32) -> Does, step: u64, service_ms: f64) -> Vec<Event> {
    let mut events = vec![(0.0, A, does(900_000, 4))];
    let at = |i: u64| (i as f64 - 1.5).max(0.0) * service_ms;
    events.extend((1..40).map(|i| (at(i), A, does(1_000_000 + i * step, 4))));
    events.push((1.5 * service_ms, A, does(8, 4)));
    events
}

/// The number of that last one.
const LOW: usize = 40;

mod of_noop {
    use super::*;

    #[test]
    fn first_come_first_served() {
        let events = [(0.0, A, Reads(500, 4)), (1.0, B, Reads(9_000, 4)), (2.0, A, Reads(504, 4))];
        assert_eq!(order(&SchedulerSpec::Noop, 10.0, &events), [0, 1, 2]);
        let other = SchedulerSpec::Deadline(DeadlineSpec::default());
        assert_eq!(order(&other, 10.0, &events), [0, 2, 1]);
    }
}

mod of_deadline {
    use super::*;

    fn deadline(change: impl Fn(&mut DeadlineSpec)) -> SchedulerSpec {
        let mut spec = DeadlineSpec::default();
        change(&mut spec);
        SchedulerSpec::Deadline(spec)
    }

    #[test]
    fn a_read_that_waited_500_ms_goes_first() {
        // Each takes 100 ms: it is asked at 150, and at 700 it is the first time that it has waited 500.
        let events = upwards(Reads, 100, 100.0);
        assert_eq!(before(&deadline(|_| {}), 100.0, &events, LOW), 7);
        assert_eq!(before(&deadline(|s| s.read_expires = ms(900)), 100.0, &events, LOW), 11);
    }

    #[test]
    fn a_write_that_waited_5_s_goes_first() {
        let events = upwards(Writes, 100, 1_000.0);
        assert_eq!(before(&deadline(|_| {}), 1_000.0, &events, LOW), 7);
        assert_eq!(before(&deadline(|s| s.write_expires = ms(9_000)), 1_000.0, &events, LOW), 11);
    }

    #[test]
    fn writes_are_passed_over_twice() {
        let mut events = vec![(0.0, A, Reads(0, 4)), (1.0, A, Writes(50, 4))];
        events.extend((1..6).map(|i| (1.0, A, Reads(i * 100, 4))));
        assert_eq!(order(&deadline(|_| {}), 10.0, &events), [0, 2, 3, 1, 4, 5, 6]);
        assert_eq!(order(&deadline(|s| s.writes_starved = 4), 10.0, &events), [0, 2, 3, 4, 5, 1, 6]);
    }

    #[test]
    fn a_batch_is_16_requests_long() {
        // One behind the other: who has waited is not asked before the batch is over.
        let events = upwards(Reads, 4, 100.0);
        assert_eq!(before(&deadline(|_| {}), 100.0, &events, LOW), 17);
        assert_eq!(before(&deadline(|s| s.batch = 12), 100.0, &events, LOW), 13);
    }

    #[test]
    fn a_batch_goes_on_only_while_it_is_sequential() {
        let gaps = upwards(Reads, 8, 100.0);
        assert_eq!(before(&deadline(|_| {}), 100.0, &gaps, LOW), 7);
        assert_eq!(before(&deadline(|_| {}), 100.0, &upwards(Reads, 4, 100.0), LOW), 17);
    }
}

mod of_mq_deadline {
    use super::*;

    fn mq(change: impl Fn(&mut MqDeadlineSpec)) -> SchedulerSpec {
        let mut spec = MqDeadlineSpec::default();
        change(&mut spec);
        SchedulerSpec::MqDeadline(spec)
    }

    #[test]
    fn a_batch_need_not_be_sequential() {
        let gaps = upwards(Reads, 8, 100.0);
        assert_eq!(before(&mq(|_| {}), 100.0, &gaps, LOW), 16);
        let sequential_alone = SchedulerSpec::Deadline(DeadlineSpec::default());
        assert_eq!(before(&sequential_alone, 100.0, &gaps, LOW), 7);
    }

    #[test]
    fn a_batch_is_16_requests_long() {
        let gaps = upwards(Reads, 8, 100.0);
        assert_eq!(before(&mq(|s| s.deadline.batch = 12), 100.0, &gaps, LOW), 12);
    }

    #[test]
    fn a_read_that_waited_500_ms_goes_first_when_a_batch_is_over() {
        let gaps = upwards(Reads, 8, 100.0);
        let single = |expires| {
            mq(move |s| {
                s.deadline.batch = 1;
                s.deadline.read_expires = ms(expires);
            })
        };
        assert_eq!(before(&single(500), 100.0, &gaps, LOW), 7);
        assert_eq!(before(&single(900), 100.0, &gaps, LOW), 11);
    }

    #[test]
    fn a_write_that_waited_5_s_goes_first_when_a_batch_is_over() {
        let gaps = upwards(Writes, 8, 1_000.0);
        let single = |expires| {
            mq(move |s| {
                s.deadline.batch = 1;
                s.deadline.write_expires = ms(expires);
            })
        };
        assert_eq!(before(&single(5_000), 1_000.0, &gaps, LOW), 7);
        assert_eq!(before(&single(9_000), 1_000.0, &gaps, LOW), 11);
    }

    #[test]
    fn writes_are_passed_over_twice() {
        let mut events = vec![(0.0, A, Reads(0, 4)), (1.0, A, Writes(50, 4))];
        events.extend((1..6).map(|i| (1.0, A, Reads(i * 100, 4))));
        let single = |starved| {
            mq(move |s| {
                s.deadline.batch = 1;
                s.deadline.writes_starved = starved;
            })
        };
        assert_eq!(order(&single(2), 10.0, &events), [0, 2, 3, 1, 4, 5, 6]);
        assert_eq!(order(&single(4), 10.0, &events), [0, 2, 3, 4, 5, 1, 6]);
    }

    #[test]
    fn a_lower_class_waits_10_s_at_most() {
        let mut events = vec![(0.0, A, Reads(0, 4)), (1.0, B, Reads(4, 4))];
        events.extend((1..300u64).map(|i| ((i as f64 - 0.5) * 100.0, A, Reads(i * 100, 4))));
        events[2].0 = 1.0;
        let classes = |ageing| {
            mq(move |s| {
                s.ageing = ms(ageing);
                s.classes = vec![(B, Class::Idle)];
            })
        };
        assert_eq!(before(&classes(10_000), 100.0, &events, 1), 101);
        assert_eq!(before(&classes(5_000), 100.0, &events, 1), 51);
        assert_eq!(before(&mq(|_| {}), 100.0, &events, 1), 1);
        // The other way round it goes at once.
        let first = mq(|s| s.classes = vec![(B, Class::RealTime)]);
        let far = [(0.0, A, Reads(0, 4)), (1.0, B, Reads(900, 4)), (1.0, A, Reads(4, 4))];
        assert_eq!(order(&first, 10.0, &far), [0, 1, 2]);
        assert_eq!(order(&mq(|_| {}), 10.0, &far), [0, 2, 1]);
    }
}

mod of_anticipatory {
    use super::super::habits::Mean;
    use super::*;

    fn anticipatory(change: impl Fn(&mut AnticipatorySpec)) -> SchedulerSpec {
        let mut spec = AnticipatorySpec::default();
        change(&mut spec);
        SchedulerSpec::Anticipatory(spec)
    }

    fn default() -> SchedulerSpec {
        anticipatory(|_| {})
    }

    /// A reads, B far away; what comes then.
    fn a_and_b(then: &[Event]) -> Vec<Event> {
        let mut events = vec![(0.0, A, Reads(1_000, 4)), (1.0, B, Reads(900_000, 4))];
        events.extend_from_slice(then);
        events
    }

    #[test]
    fn after_a_read_it_waits_for_the_next_of_the_process() {
        // A's read is done at 5, its next comes at 7.
        let events = a_and_b(&[(7.0, A, Reads(1_004, 4))]);
        assert_eq!(served(&default(), 1, 5.0, &events), [(0, 5.0), (2, 12.0), (1, 23.0)]);
        let never = anticipatory(|s| s.anticipates = Picoseconds::ZERO);
        assert_eq!(served(&never, 1, 5.0, &events), [(0, 5.0), (1, 10.0), (2, 15.0)]);
    }

    #[test]
    fn it_waits_6_ms_at_most() {
        let events = a_and_b(&[(14.0, A, Reads(1_004, 4))]);
        assert_eq!(served(&default(), 1, 5.0, &events)[1], (1, 16.0));
        let longer = anticipatory(|s| s.anticipates = ms(10));
        assert_eq!(served(&longer, 1, 5.0, &events)[1], (2, 19.0));
    }

    #[test]
    fn one_read_is_in_the_driver() {
        // The driver has room for four; B's read goes when A has not asked for 6 ms.
        let events = a_and_b(&[]);
        assert_eq!(served(&default(), 4, 5.0, &events), [(0, 5.0), (1, 16.0)]);
        assert_eq!(served(&SchedulerSpec::Noop, 4, 5.0, &events), [(0, 5.0), (1, 6.0)]);
    }

    #[test]
    fn it_does_not_wait_for_a_process_that_has_ended() {
        assert_eq!(served(&default(), 1, 5.0, &a_and_b(&[(6.0, A, Ends)]))[1], (1, 11.0));
        assert_eq!(served(&default(), 1, 5.0, &a_and_b(&[(2.0, A, Ends)]))[1], (1, 10.0));
        assert_eq!(served(&default(), 1, 5.0, &a_and_b(&[(6.0, B, Ends)]))[1], (1, 16.0));
    }

    #[test]
    fn it_does_not_wait_for_a_process_that_has_requests_queued() {
        // B is nearer than what A has queued.
        let b = (1.0, B, Reads(3_000, 4));
        let events = [(0.0, A, Reads(1_000, 4)), (1.0, A, Reads(900_000, 4)), b];
        assert_eq!(done_at(&default(), 1, 5.0, &events, 2), 10.0);
        let without = [events[0], (100.0, A, Reads(900_000, 4)), b];
        assert_eq!(done_at(&default(), 1, 5.0, &without, 2), 16.0);
    }

    #[test]
    fn what_the_driver_has_is_not_counted_as_queued() {
        // The driver has two reads of A. When the first is done nothing of A is queued, so B waits for A: until 6 ms after
        // A's last read. If the driver's counted, B would go at once.
        let events = [(0.0, A, Reads(1_000, 4)), (0.0, A, Reads(1_004, 4)), (1.0, B, Reads(900_000, 4))];
        assert_eq!(done_at(&default(), 4, 5.0, &events, 2), 16.0);
        assert_eq!(done_at(&SchedulerSpec::Noop, 4, 5.0, &events, 2), 6.0);
    }

    #[test]
    fn another_process_that_asks_close_by_goes() {
        let close = |kib| [(0.0, A, Reads(1_000, 4)), (1.0, B, Reads(kib, 4))];
        assert_eq!(done_at(&default(), 1, 5.0, &close(1_004 + 32), 1), 10.0);
        assert_eq!(done_at(&default(), 1, 5.0, &close(1_004 + 33), 1), 16.0);
        // Half as far back.
        assert_eq!(done_at(&default(), 1, 5.0, &close(1_004 - 16), 1), 10.0);
        assert_eq!(done_at(&default(), 1, 5.0, &close(1_004 - 17), 1), 16.0);
    }

    #[test]
    fn close_by_is_twice_as_far_with_each_millisecond() {
        // While it waits because of another one that is far away.
        let far = (1.0, 3, Reads(900_000, 4));
        let at = |at_ms, kib: u64| [(0.0, A, Reads(1_000, 4)), (at_ms, B, Reads(1_004 + kib, 4)), far];
        assert_eq!(done_at(&default(), 1, 5.0, &at(7.5, 64), 1), 12.5);
        assert_eq!(done_at(&default(), 1, 5.0, &at(7.5, 65), 1), 16.0);
        assert_eq!(done_at(&default(), 1, 5.0, &at(8.5, 128), 1), 13.5);
        assert_eq!(done_at(&default(), 1, 5.0, &at(8.5, 129), 1), 16.0);
    }

    #[test]
    fn it_does_not_wait_for_a_process_that_thinks_for_longer_on_average() {
        // A reads alone, with so long a thought each time; then B asks while A's last read is under way.
        let b_done = |thought: f64| {
            let step = 5.0 + thought;
            let mut events: Vec<Event> =
                (0..8u64).map(|i| (i as f64 * step, A, Reads(1_000 + 4 * i, 4))).collect();
            let last = 7.0 * step;
            events.push((last + 1.0, B, Reads(900_000, 4)));
            done_at(&default(), 1, 5.0, &events, 8) - last
        };
        assert_eq!(b_done(5.0), 16.0);
        assert_eq!(b_done(7.0), 10.0);
    }

    #[test]
    fn means_weigh_an_observation_by_an_eighth() {
        let mut mean = Mean::default();
        for _ in 0..100 {
            mean.add(1_000);
        }
        mean.add(17_000);
        // As whole numbers of 1/256 have it: 3,000.
        assert!((2_990..3_100).contains(&mean.mean()), "{}", mean.mean());
        let mut first = Mean::default();
        first.add(7_000);
        assert_eq!(first.mean(), 7_000);
    }

    #[test]
    fn one_long_thought_does_not_make_a_thinker() {
        // 1 ms each, and 18 ms once: 3.1 ms on average. Of two thoughts, 18 and 18, it does.
        let b_done = |thoughts: &[f64]| {
            let (mut at, mut events) = (0.0, vec![(0.0, A, Reads(1_000, 4))]);
            for (i, thought) in (1..).zip(thoughts) {
                at += 5.0 + thought;
                events.push((at, A, Reads(1_000 + 4 * i, 4)));
            }
            events.push((at + 1.0, B, Reads(900_000, 4)));
            done_at(&default(), 1, 5.0, &events, thoughts.len() + 1) - at
        };
        let mut many = [1.0; 30];
        many[29] = 18.0;
        assert_eq!(b_done(&many), 16.0);
        assert_eq!(b_done(&[18.0, 18.0]), 10.0);
    }

    #[test]
    fn who_is_nearer_than_the_process_goes_on_average_is_let_in() {
        // A goes 100 MiB each time; B is 50 MiB away, or 500.
        let b_done = |mib: u64| {
            let mut events: Vec<Event> =
                (0..8u64).map(|i| (i as f64 * 6.0, A, Reads(i * 102_400, 4))).collect();
            events.push((43.0, B, Reads((700 + mib) * 1_024, 4)));
            done_at(&default(), 1, 5.0, &events, 8)
        };
        assert_eq!(b_done(50), 52.0);
        assert_eq!(b_done(500), 58.0);
    }

    /// A reads on and on; B's one read lies far away.
    fn a_stream_and_one() -> Vec<Event> {
        let mut events: Vec<Event> =
            (0..100u64).map(|i| (i as f64 * 6.0, A, Reads(1_000 + 4 * i, 4))).collect();
        events.push((0.0, B, Reads(9_000_000, 4)));
        events
    }

    #[test]
    fn a_read_that_waited_125_ms_goes_first() {
        let after = |expires| {
            let scheduler = anticipatory(move |s| s.read_expires = ms(expires));
            before(&scheduler, 5.0, &a_stream_and_one(), 100)
        };
        assert_eq!(after(125), 21);
        assert_eq!(after(200), 34);
    }

    #[test]
    fn a_write_that_waited_250_ms_goes_first() {
        // Far enough back that the elevator does not see it.
        let events = upwards(Writes, 100, 20.0);
        let after = |expires| {
            let scheduler = anticipatory(move |s| s.write_expires = ms(expires));
            before(&scheduler, 20.0, &events, LOW)
        };
        // Looked at every 250 ms: at 510 it is the first time that it has waited as long. Every 300: at 600.
        assert_eq!(after(250), 26);
        assert_eq!(after(300), 30);
    }

    /// Reads and writes that all wait.
    fn reads_and_writes() -> Vec<Event> {
        let mut events: Vec<Event> = vec![(0.0, A, Reads(0, 4))];
        events.extend((1..200).map(|i| (0.5, A, Reads(4 * i, 4))));
        events.extend((0..200).map(|i| (0.7, B, Writes(1_000_000 + 4 * i, 4))));
        events
    }

    /// Lengths of the runs of reads and writes, from the beginning.
    fn runs(scheduler: &SchedulerSpec, service_ms: f64) -> Vec<usize> {
        let order = order(scheduler, service_ms, &reads_and_writes());
        order.chunk_by(|a, b| (*a < 200) == (*b < 200)).map(<[usize]>::len).collect()
    }

    #[test]
    fn a_batch_of_reads_lasts_500_ms() {
        assert_eq!(runs(&default(), 10.0)[0], 51);
        assert_eq!(runs(&anticipatory(|s| s.read_batch = ms(200)), 10.0)[0], 21);
    }

    #[test]
    fn a_batch_of_writes_lasts_125_ms() {
        assert_eq!(runs(&default(), 30.0)[1], 5);
        assert_eq!(runs(&anticipatory(|s| s.write_batch = ms(200)), 30.0)[1], 7);
    }

    #[test]
    fn how_many_writes_fit_a_batch_is_learnt() {
        // At 1 ms a write 12 are too few at first, and more each time.
        let runs = runs(&anticipatory(|s| s.read_batch = ms(50)), 1.0);
        assert_eq!(runs[1], 12);
        assert!(runs[3] > runs[1], "{runs:?}");
    }

    #[test]
    fn between_batches_the_driver_runs_empty() {
        let events = [(0.0, A, Reads(0, 4)), (0.5, A, Ends), (1.0, B, Writes(900_000, 4))];
        assert_eq!(served(&default(), 4, 5.0, &events), [(0, 5.0), (2, 10.0)]);
        assert_eq!(served(&SchedulerSpec::Noop, 4, 5.0, &events), [(0, 5.0), (2, 6.0)]);
    }

    #[test]
    fn the_elevator_looks_back_at_double_cost() {
        // In MiB: the last ended at 10,000.
        let second = |back: u64, ahead: u64, scheduler: &SchedulerSpec| {
            let mib = 1_024;
            let events = [
                (0.0, A, Reads(10_000 * mib - 4, 4)),
                (1.0, A, Reads((10_000 - back) * mib, 4)),
                (1.0, A, Reads((10_000 + ahead) * mib, 4)),
            ];
            order(scheduler, 5.0, &events)[1]
        };
        assert_eq!(second(40, 100, &default()), 1);
        assert_eq!(second(60, 100, &default()), 2);
        let even = anticipatory(|s| s.back.penalty = 1);
        assert_eq!(second(60, 100, &even), 1);
        // A million sectors back at most.
        assert_eq!(second(512, 5_000, &default()), 1);
        assert_eq!(second(513, 5_000, &default()), 2);
    }

    #[test]
    fn writes_that_are_waited_for_go_with_the_reads() {
        let events = |write: Does| [(0.0, A, Reads(0, 4)), (1.0, B, Reads(4_000_000, 4)), (6.0, A, write)];
        assert_eq!(order(&default(), 5.0, &events(WritesAndWaits(8, 4))), [0, 2, 1]);
        assert_eq!(order(&default(), 5.0, &events(Writes(8, 4))), [0, 1, 2]);
    }
}

mod of_cfq_to_2_6_12 {
    use super::*;

    fn rounds(change: impl Fn(&mut CfqRoundsSpec)) -> SchedulerSpec {
        let mut spec = CfqRoundsSpec::default();
        change(&mut spec);
        SchedulerSpec::CfqRounds(spec)
    }

    fn default() -> SchedulerSpec {
        rounds(|_| {})
    }

    #[test]
    fn a_round_takes_one_of_each_process() {
        let mut events: Vec<Event> = vec![(0.0, 9, Reads(0, 4))];
        events.extend((0..4).map(|i| (1.0, A, Reads(1_000 + 4 * i, 4))));
        events.extend((0..4).map(|i| (1.0, B, Reads(90_000 + 4 * i, 4))));
        // Two rounds of two, and these by place; then from where the last ended.
        assert_eq!(order(&default(), 5.0, &events), [0, 1, 2, 5, 6, 7, 8, 3, 4]);
    }

    #[test]
    fn a_round_is_4_requests_and_what_comes_meanwhile_waits() {
        let mut events: Vec<Event> = vec![(0.0, A, Reads(0, 4))];
        events.extend((1..12).map(|i| (1.0, A, Reads(100 * i, 4))));
        events.push((6.0, B, Reads(450, 4)));
        assert_eq!(before(&default(), 5.0, &events, 12), 5);
        assert_eq!(before(&rounds(|s| s.quantum = 2), 5.0, &events, 12), 4);
    }

    #[test]
    fn it_waits_for_nobody_and_gives_no_slices() {
        // A asks again a moment after its read is done, and B's is already on its way.
        let mut events: Vec<Event> = Vec::new();
        events.extend((0..6u64).map(|i| (i as f64 * 10.1, A, Reads(4 * i, 4))));
        events.extend((0..6u64).map(|i| (1.0 + i as f64 * 10.1, B, Reads(900_000 + 4 * i, 4))));
        assert_eq!(order(&default(), 5.0, &events), [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]);
        let slices = SchedulerSpec::CfqSlices(CfqSlicesSpec::default());
        assert_eq!(order(&slices, 5.0, &events)[..3], [0, 1, 2]);
    }

    #[test]
    fn who_has_nothing_in_the_driver_comes_first() {
        // The driver takes 2. When the first is done it has one of A, so it is B's turn, though A asked before.
        let one = rounds(|s| s.quantum = 1);
        let events = [
            (0.0, 9, Reads(0, 4)),
            (1.0, A, Reads(800_000, 4)),
            (2.0, A, Reads(800_004, 4)),
            (3.0, B, Reads(400, 4)),
        ];
        assert_eq!(served(&one, 2, 5.0, &events), [(0, 5.0), (1, 6.0), (3, 10.0), (2, 11.0)]);
        let alone = [events[0], (1.0, 3, Reads(800_000, 4)), events[2], events[3]];
        assert_eq!(served(&one, 2, 5.0, &alone), [(0, 5.0), (1, 6.0), (2, 10.0), (3, 11.0)]);
    }

    #[test]
    fn what_waited_500_ms_goes_first() {
        let low = |does| upwards(does, 100, 100.0);
        let one = |expires| {
            rounds(move |s| {
                s.quantum = 1;
                s.sync_expires = ms(expires);
            })
        };
        assert_eq!(before(&one(500), 100.0, &low(Reads), LOW), 7);
        assert_eq!(before(&one(900), 100.0, &low(Reads), LOW), 11);
    }

    #[test]
    fn what_nobody_waits_for_goes_first_after_5_s() {
        let one = |expires| {
            rounds(move |s| {
                s.quantum = 1;
                s.async_expires = ms(expires);
            })
        };
        assert_eq!(before(&one(5_000), 1_000.0, &upwards(Writes, 100, 1_000.0), LOW), 7);
        assert_eq!(before(&one(9_000), 1_000.0, &upwards(Writes, 100, 1_000.0), LOW), 11);
    }

    #[test]
    fn the_elevator_looks_back_16_mib_at_double_cost() {
        let one = |back| {
            rounds(move |s| {
                s.quantum = 1;
                s.back = back;
            })
        };
        looks_back(&one(CfqRoundsSpec::default().back), &one(LookBack { bytes: 1 << 30, penalty: 1 }));
    }
}

/// 16 MiB back, at double cost; with the other numbers further, and at single cost.
fn looks_back(scheduler: &SchedulerSpec, other: &SchedulerSpec) {
    let second = |back: u64, ahead: u64, scheduler: &SchedulerSpec| {
        let mib = 1_024;
        let events = [
            (0.0, A, Reads(10_000 * mib - 4, 4)),
            (1.0, A, Reads((10_000 - back) * mib, 4)),
            (1.0, A, Reads((10_000 + ahead) * mib, 4)),
        ];
        order(scheduler, 5.0, &events)[1]
    };
    assert_eq!(second(4, 10, scheduler), 1);
    assert_eq!(second(6, 10, scheduler), 2);
    assert_eq!(second(6, 10, other), 1);
    assert_eq!(second(16, 500, scheduler), 1);
    assert_eq!(second(17, 500, scheduler), 2);
    assert_eq!(second(17, 500, other), 1);
}

/// Two processes with many requests each, side by side; the first comes alone.
fn two_with_many(kib: u32) -> Vec<Event> {
    let mut events: Vec<Event> = vec![(0.0, A, Reads(0, kib))];
    let step = u64::from(kib);
    events.extend((1..100).map(|i| (0.5, A, Reads(step * i, kib))));
    events.extend((0..100).map(|i| (0.7, B, Reads(90_000_000 + step * i, kib))));
    events
}

/// How many of A are served before the first of B.
fn first_run(scheduler: &SchedulerSpec, service_ms: f64, kib: u32) -> usize {
    order(scheduler, service_ms, &two_with_many(kib)).iter().position(|n| *n >= 100).unwrap()
}

/// A's read is done at 5, its next comes at so many ms; B's has waited since 1. When B's is done.
fn b_after_thought(scheduler: &SchedulerSpec, next_ms: f64) -> f64 {
    let events = [(0.0, A, Reads(0, 4)), (1.0, B, Reads(900_000, 4)), (next_ms, A, Reads(4, 4))];
    done_at(scheduler, 1, 5.0, &events, 1)
}

mod of_cfq_to_2_6_18 {
    use super::*;

    fn slices(change: impl Fn(&mut CfqSlicesSpec)) -> SchedulerSpec {
        let mut spec = CfqSlicesSpec::default();
        change(&mut spec);
        SchedulerSpec::CfqSlices(spec)
    }

    fn default() -> SchedulerSpec {
        slices(|_| {})
    }

    #[test]
    fn a_slice_is_100_ms() {
        // One request first, then four at a time while the slice lasts: at 0, 10, 50 and 90 ms.
        assert_eq!(first_run(&default(), 10.0, 4), 13);
        assert_eq!(first_run(&slices(|s| s.sync_slice = ms(60)), 10.0, 4), 9);
    }

    #[test]
    fn four_requests_go_at_a_time() {
        assert_eq!(first_run(&slices(|s| s.quantum = 1), 10.0, 4), 10);
        assert_eq!(first_run(&slices(|s| s.quantum = 8), 10.0, 4), 17);
    }

    #[test]
    fn a_slice_of_what_nobody_waits_for_is_40_ms_and_16_requests() {
        // Writes from the beginning, and a second line of reads later would end it; so it is seen by how many go
        // before the slice of a process that waited already.
        let run = |scheduler: &SchedulerSpec, service_ms: f64| {
            let mut events: Vec<Event> = vec![(0.0, A, Reads(0, 4))];
            events.extend((1..60).map(|i| (0.1, B, Writes(90_000_000 + 4 * i, 4))));
            events.extend((1..60).map(|i| (0.2, 3, Reads(40_000_000 + 4 * i, 4))));
            let order = order(scheduler, service_ms, &events);
            order.iter().skip(1).take_while(|n| (1..60).contains(*n)).count()
        };
        let no_wait = |change: fn(&mut CfqSlicesSpec)| {
            slices(move |s| {
                s.idle = Picoseconds::ZERO;
                change(s);
            })
        };
        assert_eq!(run(&no_wait(|_| {}), 1.0), 16);
        assert_eq!(run(&no_wait(|s| s.async_requests = 32), 1.0), 32);
        assert_eq!(run(&no_wait(|_| {}), 5.0), 8);
        assert_eq!(run(&no_wait(|s| s.async_slice = ms(20)), 5.0), 4);
    }

    #[test]
    fn it_waits_8_ms_for_the_next_request() {
        assert_eq!(b_after_thought(&default(), 12.0), 30.0);
        assert_eq!(b_after_thought(&default(), 14.0), 18.0);
        assert_eq!(b_after_thought(&slices(|s| s.idle = ms(20)), 14.0), 44.0);
        assert_eq!(b_after_thought(&slices(|s| s.idle = Picoseconds::ZERO), 6.0), 10.0);
    }

    #[test]
    fn it_waits_2_ms_for_a_process_that_goes_far() {
        let b_done = |mib: u64| {
            let step = mib * 1_024;
            let mut events: Vec<Event> = (0..8u64).map(|i| (i as f64 * 6.0, A, Reads(i * step, 4))).collect();
            events.push((43.0, B, Reads(900, 4)));
            done_at(&default(), 1, 5.0, &events, 8)
        };
        assert_eq!(b_done(1), 60.0);
        assert_eq!(b_done(100), 54.0);
    }

    #[test]
    fn it_does_not_wait_for_a_process_that_thinks_long_or_has_ended() {
        let b_done = |thought: f64| {
            let step = 5.0 + thought;
            let mut events: Vec<Event> = (0..8u64).map(|i| (i as f64 * step, A, Reads(4 * i, 4))).collect();
            events.push((7.0 * step + 1.0, B, Reads(900_000, 4)));
            done_at(&default(), 1, 5.0, &events, 8) - 7.0 * step
        };
        assert_eq!(b_done(7.0), 18.0);
        assert_eq!(b_done(9.0), 10.0);
        let events = [(0.0, A, Reads(0, 4)), (1.0, B, Reads(900_000, 4)), (7.0, A, Ends)];
        assert_eq!(done_at(&default(), 1, 5.0, &events, 1), 12.0);
    }

    #[test]
    fn what_somebody_waits_for_ends_the_turn_of_what_nobody_waits_for() {
        let mut events: Vec<Event> = (0..20).map(|i| (0.0, A, Writes(4 * i, 4))).collect();
        events.push((1.0, B, Reads(900_000, 4)));
        assert_eq!(before(&slices(|s| s.quantum = 1), 5.0, &events, 20), 1);
        events[20] = (1.0, B, Writes(900_000, 4));
        assert_eq!(before(&slices(|s| s.quantum = 1), 5.0, &events, 20), 20);
    }

    #[test]
    fn once_a_turn_the_oldest_goes_first_after_125_or_250_ms() {
        // B's turn comes at 100 ms with a read that has waited since 1 ms, and one that is nearer.
        let b = |does: fn(u64, u32) -> Does, service: f64, scheduler: &SchedulerSpec| {
            let mut events: Vec<Event> = (0..9).map(|i| (0.0, A, Reads(10_000_000 + 4 * i, 4))).collect();
            events.push((1.0, B, does(8, 4)));
            events.push((2.0, B, does(10_000_100, 4)));
            let order = order(scheduler, service, &events);
            order.into_iter().find(|n| *n >= 9).unwrap()
        };
        let one = |change: fn(&mut CfqSlicesSpec)| {
            slices(move |s| {
                s.quantum = 1;
                s.idle = Picoseconds::ZERO;
                change(s);
            })
        };
        assert_eq!(b(Reads, 60.0, &one(|_| {})), 10);
        assert_eq!(b(Reads, 60.0, &one(|s| s.sync_expires = ms(100))), 9);
        assert_eq!(b(Reads, 70.0, &one(|_| {})), 9);
        assert_eq!(b(Writes, 240.0, &one(|_| {})), 10);
        assert_eq!(b(Writes, 260.0, &one(|_| {})), 9);
        assert_eq!(b(Writes, 260.0, &one(|s| s.async_expires = ms(400))), 10);
    }

    #[test]
    fn the_elevator_looks_back_16_mib_at_double_cost() {
        let one = |back| {
            slices(move |s| {
                s.quantum = 1;
                s.back = back;
            })
        };
        looks_back(&one(CfqSlicesSpec::default().back), &one(LookBack { bytes: 1 << 30, penalty: 1 }));
    }
}

mod of_kyber {
    use super::*;

    /// Reads and writes in the device, of 600 each that wait.
    fn inside(spec: KyberSpec) -> (usize, usize) {
        let mut kyber = Kyber::new(spec);
        for id in 0..1_200 {
            let operation = if id < 600 { Operation::Read } else { Operation::Write };
            let request = Queued { operation, offset: 0, end: 4_096, from: Origin::default() };
            kyber.add(Picoseconds::ZERO, id, &request);
        }
        let taken: Vec<usize> = std::iter::from_fn(|| kyber.next(Picoseconds::ZERO)).collect();
        let reads = taken.iter().filter(|id| **id < 600).count();
        (reads, taken.len() - reads)
    }

    #[test]
    fn depths_are_256_reads_and_128_writes() {
        assert_eq!(inside(KyberSpec::default()), (256, 128));
        assert_eq!(inside(KyberSpec { depths: [3, 2], ..KyberSpec::default() }), (3, 2));
    }

    #[test]
    fn sixteen_reads_go_and_then_eight_writes() {
        let mut events: Vec<Event> = vec![(0.0, A, Reads(0, 4))];
        events.extend((1..60).map(|i| (0.1, A, Reads(4 * i, 4))));
        events.extend((0..60).map(|i| (0.1, B, Writes(4 * i, 4))));
        let runs = |spec: KyberSpec| -> Vec<usize> {
            let order = order(&SchedulerSpec::Kyber(spec), 1.0, &events);
            order.chunk_by(|a, b| (*a < 60) == (*b < 60)).map(<[usize]>::len).take(4).collect()
        };
        assert_eq!(runs(KyberSpec::default()), [16, 8, 16, 8]);
        assert_eq!(runs(KyberSpec { batches: [2, 3], ..KyberSpec::default() }), [2, 3, 2, 3]);
    }

    /// Looked at so that each look finds as many reads as writes.
    fn looked_at() -> KyberSpec {
        KyberSpec { looks: ms(90), ..KyberSpec::default() }
    }

    /// Depths after so many reads and writes that took so long, a pair every 2 ms.
    fn learnt(spec: KyberSpec, requests: usize, read_ms: u64, write_ms: u64) -> [u32; 2] {
        let mut kyber = Kyber::new(spec);
        for round in 0..requests as u64 {
            for (id, operation, took) in [(0, Operation::Read, read_ms), (1, Operation::Write, write_ms)] {
                let now = Picoseconds(round * 2_000_000_000);
                let request = Queued { operation, offset: 0, end: 4_096, from: Origin::default() };
                kyber.add(now, id, &request);
                assert_eq!(kyber.next(now), Some(id));
                kyber.done(now + ms(took), id);
            }
        }
        kyber.depths()
    }

    #[test]
    fn where_reads_miss_2_ms_writes_are_cut_to_what_they_need() {
        let spec = looked_at();
        // Reads of 3 ms are late; writes of 4 ms use the second quarter of 10 ms.
        assert_eq!(learnt(spec, 600, 3, 4), [256, 64]);
        // On time: nothing is cut.
        assert_eq!(learnt(spec, 600, 1, 4), [256, 128]);
        // With another target they are on time.
        assert_eq!(learnt(KyberSpec { targets: [ms(8), ms(10)], ..spec }, 600, 3, 4), [256, 128]);
        // And with another for writes, these need another share.
        assert_eq!(learnt(KyberSpec { targets: [ms(2), ms(5)], ..spec }, 600, 3, 4), [256, 128]);
    }

    #[test]
    fn where_writes_miss_10_ms_reads_are_cut() {
        let spec = looked_at();
        assert_eq!(learnt(spec, 600, 1, 15), [128, 128]);
        assert_eq!(learnt(KyberSpec { targets: [ms(2), ms(20)], ..spec }, 600, 1, 15), [256, 128]);
    }

    #[test]
    fn latencies_are_looked_at_after_500_requests_or_a_second() {
        let spec = looked_at();
        assert_eq!(learnt(spec, 450, 3, 4), [256, 128]);
        assert_eq!(learnt(KyberSpec { enough: 400, ..spec }, 450, 3, 4), [256, 64]);
        assert_eq!(learnt(KyberSpec { after: ms(800), ..spec }, 450, 3, 4), [256, 64]);
    }
}

mod of_bfq {
    use super::*;

    fn bfq(change: impl Fn(&mut BfqSpec)) -> SchedulerSpec {
        let mut spec = BfqSpec::default();
        change(&mut spec);
        SchedulerSpec::Bfq(spec)
    }

    fn default() -> SchedulerSpec {
        bfq(|_| {})
    }

    #[test]
    fn a_budget_is_16_times_1024_sectors() {
        // Of 1 MiB each: 2,048 sectors.
        assert_eq!(first_run(&default(), 1.0, 1_024), 8);
        assert_eq!(first_run(&bfq(|s| s.budget_sectors = 8_192), 1.0, 1_024), 4);
    }

    #[test]
    fn a_turn_lasts_125_ms() {
        assert_eq!(first_run(&default(), 25.0, 4), 5);
        assert_eq!(first_run(&bfq(|s| s.timeout = ms(50)), 25.0, 4), 2);
    }

    #[test]
    fn it_waits_8_ms_for_the_next_request() {
        assert_eq!(b_after_thought(&default(), 12.0), 30.0);
        assert_eq!(b_after_thought(&default(), 14.0), 18.0);
        assert_eq!(b_after_thought(&bfq(|s| s.idle = ms(20)), 14.0), 44.0);
    }

    #[test]
    fn it_waits_2_ms_for_a_process_that_goes_far() {
        let b_done = |kib: u64| {
            let mut events: Vec<Event> = (0..8u64).map(|i| (i as f64 * 6.0, A, Reads(i * kib, 4))).collect();
            events.push((43.0, B, Reads(900_000_000, 4)));
            done_at(&default(), 1, 5.0, &events, 8)
        };
        assert_eq!(b_done(4), 60.0);
        assert_eq!(b_done(102_400), 54.0);
    }

    #[test]
    fn once_a_turn_the_oldest_goes_first_after_125_or_250_ms() {
        // A's turn is a budget of eight; then B's, which has asked behind its last place, and ahead of it.
        let first = |does: fn(u64, u32) -> Does, service: f64, scheduler: &SchedulerSpec| {
            let mut events: Vec<Event> = vec![(0.0, B, does(50_000_000, 4))];
            events.extend((0..3).map(|i| (0.1, A, Reads(10_000_000 + 4 * i, 4))));
            events.push((1.0, B, does(8, 4)));
            events.push((2.0, B, does(50_000_100, 4)));
            let order = order(scheduler, service, &events);
            order.into_iter().find(|n| *n >= 4).unwrap()
        };
        let one = |change: fn(&mut BfqSpec)| {
            bfq(move |s| {
                s.idle = Picoseconds::ZERO;
                s.budget_sectors = 8;
                change(s);
            })
        };
        let at = [(Reads as fn(u64, u32) -> Does, 100.0, 130.0), (Writes, 200.0, 260.0)];
        for (does, short, long) in at {
            assert_eq!(first(does, short, &one(|_| {})), 5, "{short}");
            assert_eq!(first(does, long, &one(|_| {})), 4, "{long}");
        }
        assert_eq!(first(Reads, 130.0, &one(|s| s.sync_expires = ms(900))), 5);
        assert_eq!(first(Writes, 260.0, &one(|s| s.async_expires = ms(900))), 5);
    }

    #[test]
    fn what_nobody_waits_for_counts_three_times() {
        let run = |scheduler: &SchedulerSpec| {
            let mut events: Vec<Event> = vec![(0.0, B, Writes(90_000_000, 1_024))];
            events.extend((1..40).map(|i| (0.1, B, Writes(90_000_000 + 1_024 * i, 1_024))));
            events.extend((0..40).map(|i| (0.2, A, Reads(1_024 * i, 1_024))));
            order(scheduler, 1.0, &events).iter().position(|n| *n >= 40).unwrap()
        };
        assert_eq!(run(&default()), 3);
        assert_eq!(run(&bfq(|s| s.async_charge = 1)), 8);
    }

    #[test]
    fn processes_get_like_shares_of_sectors() {
        // B's requests are eight times as large; in the long run both get as many sectors.
        let mut events: Vec<Event> = (0..800).map(|i| (0.0, A, Reads(128 * i, 128))).collect();
        events.extend((0..100).map(|i| (0.0, B, Reads(90_000_000 + 1_024 * i, 1_024))));
        let order = order(&bfq(|s| s.timeout = ms(100_000)), 1.0, &events);
        let half = &order[..450];
        let of_b = half.iter().filter(|n| **n >= 800).count();
        let ratio = (of_b * 8) as f64 / (half.len() - of_b) as f64;
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
    }

    #[test]
    fn the_elevator_looks_back_16_mib_at_double_cost() {
        looks_back(&default(), &bfq(|s| s.back = LookBack { bytes: 1 << 30, penalty: 1 }));
    }
}
