//! The drive against arithmetic, laws of queues and its own promises.
#![allow(clippy::unwrap_used)]

use super::translation::Collection;
use super::*;
use crate::closed_loop;
use proptest::prelude::*;

/// Two channels of one chip of one die of two planes; 25 us to read, 200 to program, 2,000 to erase; 4 KiB in
/// 10.24 us over a channel, in 2.048 us over the link; a command takes 5 us.
fn spec() -> SsdSpec {
    SsdSpec {
        flash: FlashSpec {
            channels: 2,
            chips: 1,
            dies: 1,
            planes: 2,
            blocks: 64,
            pages: 32,
            page_bytes: 4_096,
            over_provisioning: 0.2,
            collection: Collection::Greedy,
        },
        read: Picoseconds::from_us(25.0),
        program: Picoseconds::from_us(200.0),
        erase: Picoseconds::from_us(2_000.0),
        channel_bytes_per_s: 400e6,
        command: Picoseconds::from_us(5.0),
        link_bytes_per_s: 2e9,
        buffer_pages: 16,
        reads_first: true,
        suspend: None,
    }
}

fn page(operation: Operation, page: u64, pages: u32) -> Request {
    Request { operation, offset: page * 4_096, bytes: pages * 4_096 }
}

/// When requests that are submitted at these microseconds are done, in the order of their submission.
fn done(drive: &mut Ssd, requests: &[(f64, Request)]) -> Vec<f64> {
    let mut completed = Vec::new();
    for (tag, (at, request)) in (0..).zip(requests) {
        drive.submit(Picoseconds::from_us(*at), tag, *request);
    }
    drive.advance(Picoseconds::SECOND, &mut completed);
    assert!(completed.is_sorted_by_key(|c| c.at));
    completed.sort_by_key(|c| c.tag);
    completed.iter().map(|c| c.at.as_us()).collect()
}

#[track_caller]
fn are(found: &[f64], expected: &[f64]) {
    let close = found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-5);
    assert!(found.len() == expected.len() && close, "{found:?} instead of {expected:?}");
}

fn used(spec: &SsdSpec) -> Ssd {
    let mut drive = Ssd::new(spec).unwrap();
    drive.precondition(1, 0.0);
    drive
}

use Operation::{Read, Write};

#[test]
fn one_read_and_one_write_by_hand() {
    let drive = &mut used(&spec());
    // Command, cells, channel, link.
    are(&done(drive, &[(0.0, page(Read, 0, 1))]), &[5.0 + 25.0 + 10.24 + 2.048]);
    // Command, link, and it is in the buffer; without one it is programmed first.
    are(&done(&mut used(&spec()), &[(0.0, page(Write, 0, 1))]), &[5.0 + 2.048]);
    let through = SsdSpec { buffer_pages: 0, ..spec() };
    are(&done(&mut used(&through), &[(0.0, page(Write, 0, 1))]), &[5.0 + 2.048 + 10.24 + 200.0]);
    // Nothing was ever written there: no flash is read.
    are(&done(&mut Ssd::new(&spec()).unwrap(), &[(0.0, page(Read, 0, 1))]), &[5.0 + 2.048]);
}

#[test]
fn dies_work_side_by_side_planes_together_and_pages_of_a_plane_one_by_one() {
    // Pages 0 and 1: two channels. The second waits for the link.
    let two = done(&mut used(&spec()), &[(0.0, page(Read, 0, 1)), (0.0, page(Read, 1, 1))]);
    are(&two, &[42.288, 44.336]);
    // Pages 0 and 2: two planes of one die, if they come in one request: one read, two transfers.
    let request = Request { operation: Read, offset: 0, bytes: 3 * 4_096 };
    are(&done(&mut used(&spec()), &[(0.0, request)]), &[5.0 + 25.0 + 2.0 * 10.24 + 3.0 * 2.048]);
    // Pages 0 and 4: one plane.
    let one = done(&mut used(&spec()), &[(0.0, page(Read, 0, 1)), (0.0, page(Read, 4, 1))]);
    are(&one, &[42.288, 42.288 + 25.0 + 10.24]);
}

#[test]
fn a_read_waits_for_a_program_under_way_or_suspends_it() {
    // The write goes to its die at 7.048 us and is programmed from 17.288 to 217.288.
    let both = [(0.0, page(Write, 0, 1)), (50.0, page(Read, 4, 1)), (300.0, page(Read, 8, 1))];
    let waits = done(&mut used(&spec()), &both);
    are(&waits[1..], &[217.288 + 25.0 + 12.288, 300.0 + 42.288]);
    let suspends = SsdSpec { suspend: Some(Picoseconds::from_us(10.0)), ..spec() };
    are(&done(&mut used(&suspends), &both)[1..], &[55.0 + 10.0 + 25.0 + 12.288, 300.0 + 42.288]);
    // What is suspended has the rest to go: 162.288 us from 100.24 on. It is not suspended again.
    let again = [(0.0, page(Write, 0, 1)), (50.0, page(Read, 4, 1)), (150.0, page(Read, 8, 1))];
    let again = done(&mut used(&suspends), &again)[2];
    assert!((again - (100.24 + 162.288 + 25.0 + 12.288)).abs() < 1e-5, "{again}");
}

#[test]
fn reads_go_before_writes_that_wait_if_they_are_to() {
    let requests = [
        (0.0, page(Write, 0, 1)),
        (0.0, page(Write, 4, 1)),
        (0.0, page(Write, 8, 1)),
        (50.0, page(Read, 12, 1)),
    ];
    let first = done(&mut used(&spec()), &requests)[3];
    assert!((first - (217.288 + 37.288)).abs() < 1e-5, "{first}");
    let in_turn = SsdSpec { reads_first: false, ..spec() };
    let last = done(&mut used(&in_turn), &requests)[3];
    assert!((last - (7.048 + 3.0 * 210.24 + 37.288)).abs() < 1e-5, "{last}");
}

#[test]
fn a_page_in_the_buffer_is_read_and_written_again_there() {
    let mut drive = used(&spec());
    let requests = [
        (0.0, page(Write, 0, 1)),
        // Waits behind the first for its plane.
        (0.0, page(Write, 4, 1)),
        (20.0, page(Write, 4, 1)),
        (30.0, page(Read, 4, 1)),
        (40.0, page(Write, 0, 1)),
    ];
    let times = done(&mut drive, &requests);
    are(&times[2..4], &[27.048, 37.048]);
    // Page 0 was under way when it was written again, page 4 was not.
    assert_eq!(drive.wear().host_pages, 3);
}

#[test]
fn a_full_buffer_lets_writes_wait() {
    let spec = SsdSpec { buffer_pages: 1, ..spec() };
    let times = done(&mut used(&spec), &[(0.0, page(Write, 0, 1)), (0.0, page(Write, 1, 1))]);
    // The place is free when the first page is programmed.
    are(&times, &[7.048, 217.288]);
    // A request larger than the buffer goes through it page by page: all but the last are programmed, two dies.
    let large = done(&mut used(&spec), &[(0.0, page(Write, 0, 4))]);
    assert!((large[0] - (5.0 + 4.0 * 2.048 + 3.0 * 210.24)).abs() < 1e-5, "{large:?}");
}

#[test]
fn part_of_a_page_costs_a_read_of_the_rest() {
    let through = SsdSpec { buffer_pages: 0, ..spec() };
    let part = Request { operation: Write, offset: 512, bytes: 2_048 };
    // Command, link at half of the bytes, read and transfer, transfer and program.
    let whole = 5.0 + 1.024 + 25.0 + 10.24 + 10.24 + 200.0;
    are(&done(&mut used(&through), &[(0.0, part)]), &[whole]);
    // Nothing was there that would have to be kept.
    are(&done(&mut Ssd::new(&through).unwrap(), &[(0.0, part)]), &[whole - 35.24]);
}

#[test]
fn trimmed_pages_are_read_without_flash() {
    let mut drive = used(&spec());
    // Pages 1 and 2 lie whole within.
    drive.trim(100, 3 * 4_096);
    let requests: Vec<(f64, Request)> = (0..4).map(|n| (1e3 * n as f64, page(Read, n, 1))).collect();
    let times = done(&mut drive, &requests);
    are(&times, &[42.288, 1_007.048, 2_007.048, 3_042.288]);
}

#[test]
fn random_reads_are_as_fast_as_dies_or_channels_allow() {
    let many = |channel_bytes_per_s, per_s: f64| {
        let spec = SsdSpec { channel_bytes_per_s, link_bytes_per_s: 1e12, ..spec() };
        let spec = SsdSpec { flash: FlashSpec { chips: 2, planes: 1, ..spec.flash }, ..spec };
        let mut drive = used(&spec);
        let mut random = Seeded::new(3, 0);
        let size = drive.bytes() / 4_096;
        let requests = (0..200_000).map(|_| page(Read, random.below(size), 1));
        let rate = closed_loop(&mut drive, 256, requests).unwrap().iops().unwrap();
        assert!((rate / per_s - 1.0).abs() < 0.01, "{rate} {per_s}");
    };
    // Four dies, each busy for a read and a transfer that hardly ever waits.
    many(40e9, 4e6 / (25.0 + 0.1024));
    // Two channels of 10,000 pages a second each.
    many(40.96e6, 20_000.0);
}

#[test]
fn sustained_random_writes_are_as_fast_as_collection_leaves_time_for() {
    for (over_provisioning, collection) in [(0.1, Collection::Greedy), (0.3, Collection::Fifo)] {
        let flash = FlashSpec { blocks: 512, planes: 1, over_provisioning, collection, ..spec().flash };
        let mut drive = Ssd::new(&SsdSpec { flash, buffer_pages: 512, ..spec() }).unwrap();
        drive.precondition(2, 3.0);
        let mut random = Seeded::new(4, 0);
        let size = drive.bytes() / 4_096;
        let requests = (0..100_000).map(|_| page(Write, random.below(size), 1));
        let run = closed_loop(&mut drive, 64, requests).unwrap();
        let rate = run.iops().unwrap();
        let amplified = drive.wear().write_amplification().unwrap();
        // A die, for each page of the host: its program, moves, and its share of an erase; two dies. Some pages
        // are written again in the buffer and cost nothing.
        let wear = drive.wear();
        let programs = amplified * (200.0 + 10.24) + (amplified - 1.0) * (25.0 + 10.24);
        let busy_us = programs + 2_000.0 * wear.erased_blocks as f64 / wear.host_pages as f64;
        let costly = wear.host_pages as f64 / 100_000.0;
        let expected = 2e6 / busy_us / costly;
        assert!((rate / expected - 1.0).abs() < 0.02, "{rate} {expected} {amplified}");
    }
}

#[test]
fn what_is_no_drive_says_why() {
    let refused = |change: &dyn Fn(&mut SsdSpec)| {
        let mut spec = spec();
        change(&mut spec);
        Ssd::new(&spec).unwrap_err().0
    };
    assert!(refused(&|s| s.channel_bytes_per_s = 0.0).contains("a channel of 0 bytes a second"));
    assert!(refused(&|s| s.link_bytes_per_s = f64::NAN).contains("a link of NaN bytes a second"));
    assert!(refused(&|s| s.erase = Picoseconds::MAX).contains("above an hour"));
    assert!(refused(&|s| s.flash.dies = 0).contains("0 dies"));
}

/// The log of a drive that is driven from event to event, and looked at at these times as well.
fn log(spec: &SsdSpec, arrivals: &[(u64, Request)], looks: &[u64]) -> Vec<Completion> {
    let mut drive = used(spec);
    let mut looks: Vec<Picoseconds> = looks.iter().map(|t| Picoseconds(*t)).collect();
    looks.sort_unstable();
    let mut completed = Vec::new();
    let mut now = Picoseconds::ZERO;
    for (tag, (gap, request)) in (0..).zip(arrivals) {
        let next = now + Picoseconds(*gap);
        for look in looks.iter().filter(|t| (now..=next).contains(t)) {
            drive.advance(*look, &mut completed);
        }
        now = next;
        drive.submit(now, tag, *request);
    }
    while let Some(next) = drive.next_event() {
        drive.advance(next, &mut completed);
    }
    completed
}

proptest! {
    #[test]
    fn every_request_is_done_once_however_often_one_looks(
        arrivals in prop::collection::vec(
            (prop_oneof![Just(0), 0..400_000_000_u64], any::<bool>(), 0..2_000_u64, 1..6_u32, 0..4_096_u64),
            1..120,
        ),
        looks in prop::collection::vec(0..20_000_000_000_u64, 0..20),
        buffer_pages in 0..20_u32,
        reads_first in any::<bool>(),
        suspend in prop::option::of(0..50_000_000_u64),
        fifo in any::<bool>(),
    ) {
        let collection = if fifo { Collection::Fifo } else { Collection::Greedy };
        let flash = FlashSpec { blocks: 12, pages: 8, collection, ..spec().flash };
        let spec = SsdSpec { flash, buffer_pages, reads_first, suspend: suspend.map(Picoseconds), ..spec() };
        let arrivals: Vec<(u64, Request)> = arrivals
            .into_iter()
            .map(|(gap, read, at, pages, off)| {
                let it = page(if read { Read } else { Write }, at, pages);
                // Some lie across pages.
                (gap, if off % 3 == 0 { Request { offset: it.offset + off, ..it } } else { it })
            })
            .collect();
        let alone = log(&spec, &arrivals, &[]);
        let mut tags: Vec<u64> = alone.iter().map(|c| c.tag).collect();
        tags.sort_unstable();
        prop_assert_eq!(tags, (0..arrivals.len() as u64).collect::<Vec<_>>());
        prop_assert!(alone.is_sorted_by_key(|c| c.at));
        prop_assert_eq!(alone, log(&spec, &arrivals, &looks));
    }
}
