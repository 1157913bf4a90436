//! Each byte in one place a copy, parity that can be worked out, and what redundancy costs.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::{Completion, Device, LatencyCap, LatencyCapSpec, Picoseconds, Seeded, closed_loop};
use proptest::prelude::*;
use spindle_workload::Volume;
use std::collections::{BTreeMap, BTreeSet};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn read(offset: u64, bytes: u64) -> Request {
    Request { operation: Operation::Read, offset, bytes: u32::try_from(bytes).unwrap() }
}

fn write(offset: u64, bytes: u64) -> Request {
    Request { operation: Operation::Write, ..read(offset, bytes) }
}

fn plan(array: &mut dyn Array, request: Request) -> Plan {
    let mut plan = Plan::default();
    array.plan(request, &mut plan);
    plan
}

/// Member, offset and bytes of each.
fn where_to(requests: &[MemberRequest]) -> Vec<(usize, u64, u64)> {
    requests.iter().map(|r| (r.member, r.request.offset, u64::from(r.request.bytes))).collect()
}

fn asm(disks_a_group: u32, groups: u32, redundancy: Redundancy, striping: Striping) -> AsmSpec {
    AsmSpec {
        failure_groups: (0..disks_a_group * groups).map(|d| d % groups).collect(),
        disk_bytes: 64 * MIB,
        au_bytes: MIB,
        redundancy,
        striping,
    }
}

fn parity(members: u32, parity: u32, partial: PartialWrites) -> Parity {
    Parity::new(&ParitySpec { members, parity, depth_bytes: 64 * KIB, member_bytes: 16 * MIB, partial })
        .unwrap()
}

fn layout(which: usize, members: u32, depth: u64, rows: u64) -> Box<dyn Layout> {
    let size = depth * rows;
    match which {
        0 => Box::new(Stripes::raid0(members, depth, size).unwrap()),
        1 => Box::new(Stripes::mirror(members, size).unwrap()),
        2 => Box::new(Stripes::raid10(members, 2, depth, size).unwrap()),
        _ => Box::new(Concat::new(&vec![MIB + size % MIB; members as usize + 1]).unwrap()),
    }
}

/// Walks through a layout: sees each piece with its places.
fn walk(layout: &dyn Layout, mut see: impl FnMut(u64, u64, &[Place])) {
    let (mut at, mut places) = (0, Vec::new());
    while at < layout.bytes() {
        let together = layout.places(at, &mut places).min(layout.bytes() - at);
        see(at, together, &places);
        at += together;
    }
    assert_eq!(at, layout.bytes());
}

/// Bytes of members that are used, as from and to; none is used twice.
#[derive(Default)]
struct Used(BTreeMap<(usize, u64), u64>);

impl Used {
    fn add(&mut self, place: Place, bytes: u64) {
        let end = place.offset + bytes;
        let before = self.0.range(..=(place.member, place.offset)).next_back();
        assert!(
            before.is_none_or(|((m, _), to)| *m != place.member || *to <= place.offset),
            "{place:?} twice"
        );
        let after = self.0.range((place.member, place.offset)..).next();
        assert!(after.is_none_or(|((m, from), _)| *m != place.member || *from >= end), "{place:?} twice");
        self.0.insert((place.member, place.offset), end);
    }
}

impl Layout for Box<dyn Layout> {
    fn members(&self) -> usize {
        (**self).members()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn places(&self, at: u64, places: &mut Vec<Place>) -> u64 {
        (**self).places(at, places)
    }
}

fn choices() -> impl Strategy<Value = ReadChoice> {
    prop_oneof![
        Just(ReadChoice::First),
        Just(ReadChoice::RoundRobin),
        Just(ReadChoice::Nearest),
        prop::collection::vec(0..8_usize, 0..4).prop_map(ReadChoice::Preferred),
    ]
}

proptest! {
    #[test]
    fn each_byte_is_in_exactly_one_place_a_copy(
        which in 0..4_usize,
        members in 1..7_u32,
        depth in prop_oneof![Just(512_u64), 1..100_000_u64],
        rows in 1..12_u64,
    ) {
        let layout = layout(which, members, depth, rows);
        let mut used = Used::default();
        walk(&*layout, |_, bytes, places| {
            assert_eq!(places.len(), match which { 1 => members as usize, 2 => 2, _ => 1 });
            let on: BTreeSet<usize> = places.iter().map(|p| p.member).collect();
            assert!(on.len() == places.len() && on.iter().all(|m| *m < layout.members()));
            places.iter().for_each(|p| used.add(*p, bytes));
        });
    }

    #[test]
    fn extents_are_in_one_place_a_copy_and_copies_in_failure_groups_of_their_own(
        groups in prop::collection::vec(0..5_u32, 1..12),
        copies in 0..3_usize,
        fine in any::<bool>(),
        units in 1..40_u64,
        au in 1..4_u64,
    ) {
        let redundancy = [Redundancy::External, Redundancy::Normal, Redundancy::High][copies];
        let striping = if fine { Striping::Fine } else { Striping::Coarse };
        let spec = AsmSpec {
            failure_groups: groups.clone(),
            disk_bytes: units * au * 128 * KIB,
            au_bytes: au * 128 * KIB,
            redundancy,
            striping,
        };
        let Ok(file) = Asm::new(&spec) else { return Ok(()) };
        let mut used = Used::default();
        walk(&file, |_, bytes, places| {
            assert_eq!(places.len(), redundancy.copies());
            let apart: BTreeSet<u32> = places.iter().map(|p| groups[p.member]).collect();
            assert_eq!(apart.len(), places.len());
            assert!(places.iter().all(|p| p.offset + bytes <= spec.disk_bytes));
            places.iter().for_each(|p| used.add(*p, bytes));
        });
    }

    #[test]
    fn a_request_asks_for_each_of_its_bytes_of_one_copy_and_writes_all(
        which in 0..4_usize,
        members in 1..5_u32,
        depth in 1..800_u64,
        rows in 1..9_u64,
        choice in choices(),
        requests in prop::collection::vec((any::<bool>(), 0..20_000_u64, 1..4_000_u64), 1..20),
    ) {
        let layout = layout(which, members, depth, rows);
        // All bytes that a place holds, by its own address.
        let mut holds = BTreeMap::new();
        walk(&*layout, |at, bytes, places| {
            holds.extend(places.iter().map(|p| (*p, (at, bytes))));
        });
        let copies = match which { 1 => members as usize, 2 => 2, _ => 1 };
        let size = layout.bytes();
        let mut array = Copied::new(layout, choice);
        for (is_read, offset, bytes) in requests {
            let bytes = bytes.min(size);
            let request = if is_read { read(offset, bytes) } else { write(offset, bytes) };
            let plan = plan(&mut array, request);
            prop_assert!(plan.then.is_empty());
            let mut asked: BTreeMap<u64, usize> = BTreeMap::new();
            for one in &plan.first {
                prop_assert_eq!(one.request.operation, request.operation);
                // Cut again at the pieces of the layout, and count each byte at edges only.
                for at in one.request.offset..one.request.offset + u64::from(one.request.bytes) {
                    let (place, (from, len)) =
                        holds.range(..=Place { member: one.member, offset: at }).next_back().unwrap();
                    prop_assert!(place.member == one.member && at - place.offset < *len);
                    *asked.entry(from + at - place.offset).or_default() += 1;
                }
            }
            let wanted: BTreeSet<u64> = (offset..offset + bytes).map(|b| b % size).collect();
            prop_assert!(asked.keys().copied().eq(wanted.iter().copied()));
            let times = if is_read { 1 } else { copies };
            prop_assert!(asked.values().all(|n| *n == times));
        }
    }

    #[test]
    fn parity_can_be_worked_out_from_what_is_read_and_written(
        members in 3..8_u32,
        parity in 1..3_u32,
        depth in 1..40_u64,
        rows in 1..6_u64,
        partial in prop_oneof![
            Just(PartialWrites::Modify),
            Just(PartialWrites::Reconstruct),
            Just(PartialWrites::Fewer),
        ],
        offset in 0..2_000_u64,
        bytes in 1..600_u64,
    ) {
        let spec = ParitySpec { members, parity, depth_bytes: depth, member_bytes: depth * rows, partial };
        let Ok(mut array) = Parity::new(&spec) else { return Ok(()) };
        let size = array.bytes();
        let offset = offset % size;
        let bytes = bytes.min(size - offset);
        // Each byte has a place, parity places of its own, and nothing lies twice.
        let places: Vec<Place> = (0..size).map(|at| array.place(at).0).collect();
        let mut data_at: BTreeMap<Place, u64> = BTreeMap::new();
        let mut rows_of: BTreeMap<Place, BTreeSet<u64>> = BTreeMap::new();
        for at in 0..size {
            prop_assert!(data_at.insert(places[at as usize], at).is_none());
            for p in array.parity_of(at) {
                rows_of.entry(p).or_default().insert(at);
            }
        }
        prop_assert!(rows_of.keys().all(|p| !data_at.contains_key(p) && p.offset < depth * rows));
        prop_assert!(rows_of.values().all(|row| row.len() == (members - parity) as usize));
        prop_assert_eq!(data_at.len() + rows_of.len(), (u64::from(members) * depth * rows) as usize);

        let each = |requests: &[MemberRequest], operation: Operation| -> BTreeSet<Place> {
            let all: Vec<Place> = requests
                .iter()
                .filter(|r| r.request.operation == operation)
                .flat_map(|r| {
                    (0..u64::from(r.request.bytes))
                        .map(|b| Place { member: r.member, offset: r.request.offset + b })
                })
                .collect();
            let set: BTreeSet<Place> = all.iter().copied().collect();
            assert_eq!(all.len(), set.len(), "a byte is asked for twice");
            set
        };
        let wanted: BTreeSet<Place> = (offset..offset + bytes).map(|b| places[(b % size) as usize]).collect();
        let read_plan = plan(&mut array, read(offset, bytes));
        prop_assert_eq!(&each(&read_plan.first, Operation::Read), &wanted);
        prop_assert!(read_plan.then.is_empty());

        let Plan { first, then } = plan(&mut array, write(offset, bytes));
        let mut all = first.clone();
        all.extend(then);
        let (known, written) = (each(&all, Operation::Read), each(&all, Operation::Write));
        prop_assert!(first.iter().all(|r| r.request.operation == Operation::Read) || known.is_empty());
        prop_assert!(wanted.is_subset(&written));
        prop_assert!(written.iter().all(|p| wanted.contains(p) || rows_of.contains_key(p)));
        for (place, row) in &rows_of {
            let changed: Vec<Place> = row.iter().map(|at| places[*at as usize]).filter(|p| wanted.contains(p)).collect();
            if changed.is_empty() && !written.contains(place) {
                continue;
            }
            prop_assert!(written.contains(place), "{:?} is out of date", place);
            let from_all = row.iter().map(|at| places[*at as usize]).all(|p| wanted.contains(&p) || known.contains(&p));
            let from_old = known.contains(place) && changed.iter().all(|p| known.contains(p));
            prop_assert!(from_all || from_old, "{:?} cannot be worked out", place);
        }
    }
}

#[test]
fn stripes_lie_as_measured_volumes_do() {
    let sizes = [10 * MIB + 5; 3];
    let volume = Volume::Raid0 { stripe_bytes: 96 * KIB }.over(&sizes).unwrap();
    let stripes = Stripes::raid0(3, 96 * KIB, sizes[0]).unwrap();
    assert_eq!(stripes.bytes(), volume.bytes());
    let mut places = Vec::new();
    for at in (0..volume.bytes()).step_by(4_099) {
        let together = stripes.places(at, &mut places);
        let piece = volume.piece(at, u64::MAX).unwrap();
        assert_eq!((places[0].member, places[0].offset, together), (piece.device, piece.offset, piece.bytes));
    }
}

#[test]
fn a_read_occupies_as_many_disks_as_it_has_stripes() {
    // 1 MiB reads over 8 disks, by the depth of the stripe.
    for (depth, disks) in [(128 * KIB, 8), (256 * KIB, 4), (MIB, 1), (4 * MIB, 1)] {
        let mut array = Copied::new(Stripes::raid0(8, depth, 64 * MIB).unwrap(), ReadChoice::First);
        for n in 0..64 {
            assert_eq!(plan(&mut array, read(n * MIB, MIB)).first.len(), disks, "{depth}");
        }
    }
    // What comes round to the same disk goes on there: one request a disk.
    let mut array = Copied::new(Stripes::raid0(4, 64 * KIB, 64 * MIB).unwrap(), ReadChoice::First);
    let whole = plan(&mut array, read(0, MIB));
    assert_eq!(where_to(&whole.first), (0..4).map(|d| (d, 0, 256 * KIB)).collect::<Vec<_>>());
}

#[test]
fn a_mirror_is_read_by_turns_nearest_or_preferred() {
    let members = |choice, offsets: &[u64]| -> Vec<usize> {
        let mut array = Copied::new(Stripes::mirror(3, 1_000 * KIB).unwrap(), choice);
        offsets.iter().map(|at| plan(&mut array, read(*at, KIB)).first[0].member).collect()
    };
    assert_eq!(members(ReadChoice::First, &[0, 1, 2]), [0, 0, 0]);
    let turns = members(ReadChoice::RoundRobin, &[0; 6]);
    assert_eq!([0, 1, 2].map(|m| turns.iter().filter(|t| **t == m).count()), [2, 2, 2]);
    // The first goes to 900 KiB; then the others are nearer to what is at the front, the first to what is at the end.
    let nearest = members(ReadChoice::Nearest, &[900 * KIB, 10 * KIB, 905 * KIB, 500 * KIB, 12 * KIB]);
    assert_eq!(nearest, [0, 1, 0, 0, 1]);
    assert_eq!(members(ReadChoice::Preferred(vec![2, 7]), &[0, 1]), [2, 2]);
    assert_eq!(members(ReadChoice::Preferred(vec![7]), &[0]), [0]);
}

#[test]
fn reads_in_order_use_all_copies_of_all_columns() {
    let mut array = Copied::new(Stripes::raid10(2, 2, 64 * KIB, 64 * MIB).unwrap(), ReadChoice::RoundRobin);
    let mut seen = [0; 4];
    for n in 0..400 {
        seen[plan(&mut array, read(n * 64 * KIB, 64 * KIB)).first[0].member] += 1;
    }
    assert_eq!(seen, [100; 4]);
}

#[test]
fn small_writes_with_parity_cost_four_and_six_and_whole_rows_one_a_member() {
    let cost = |array: &mut Parity, request| {
        let Plan { first, then } = plan(array, request);
        let reads = first.iter().filter(|r| r.request.operation == Operation::Read).count();
        (reads, first.len() - reads + then.len())
    };
    let mut raid5 = parity(5, 1, PartialWrites::Fewer);
    assert_eq!(cost(&mut raid5, read(0, 8 * KIB)), (1, 0));
    assert_eq!(cost(&mut raid5, write(0, 8 * KIB)), (2, 2));
    assert_eq!(cost(&mut raid5, write(0, 4 * 64 * KIB)), (0, 5));
    // Three of four stripes: the fourth is read, not the three and parity.
    assert_eq!(cost(&mut raid5, write(0, 3 * 64 * KIB)), (1, 4));
    let mut raid6 = parity(8, 2, PartialWrites::Fewer);
    assert_eq!(cost(&mut raid6, write(64 * KIB, 8 * KIB)), (3, 3));
    assert_eq!(cost(&mut raid6, write(0, 6 * 64 * KIB)), (0, 8));
    // Of three members the other stripe is all that there is to read, unless the controller always modifies.
    assert_eq!(cost(&mut parity(3, 1, PartialWrites::Fewer), write(0, 8 * KIB)), (1, 2));
    assert_eq!(cost(&mut parity(3, 1, PartialWrites::Modify), write(0, 8 * KIB)), (2, 2));
    assert_eq!(cost(&mut parity(5, 1, PartialWrites::Reconstruct), write(0, 8 * KIB)), (3, 2));
}

#[test]
fn parity_lies_where_linux_puts_it() {
    // Left-symmetric, 4 members, row by row: the members of parity and of the three stripes of data.
    let array = parity(4, 1, PartialWrites::Fewer);
    for (row, members) in
        [[3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0], [0, 1, 2, 3], [3, 0, 1, 2]].iter().enumerate()
    {
        let at = row as u64 * 3 * 64 * KIB;
        let mut found = vec![array.parity_of(at).next().unwrap().member];
        found.extend((0..3).map(|d| array.place(at + d * 64 * KIB).0.member));
        assert_eq!(found, members);
    }
}

#[test]
fn first_and_further_copies_are_spread_over_all_disks() {
    for redundancy in [Redundancy::External, Redundancy::Normal, Redundancy::High] {
        let file = Asm::new(&asm(4, 3, redundancy, Striping::Coarse)).unwrap();
        // The whole group is used, but for what no longer finds a place apart.
        let whole = 12 * 64 / redundancy.copies() as u64;
        assert!(file.bytes() / MIB >= whole - 2, "{redundancy:?}: {}", file.bytes() / MIB);
        let mut seen = vec![[0_u64; 3]; 12];
        walk(&file, |_, bytes, places| {
            for (copy, place) in places.iter().enumerate() {
                seen[place.member][copy] += bytes / MIB;
            }
        });
        for copy in 0..redundancy.copies() {
            let even = whole / 12;
            assert!(seen.iter().all(|s| s[copy].abs_diff(even) <= 2), "{redundancy:?} {copy}: {seen:?}");
        }
    }
}

#[test]
fn fine_stripes_go_over_eight_extents() {
    let mut array =
        Copied::new(Asm::new(&asm(8, 1, Redundancy::External, Striping::Fine)).unwrap(), ReadChoice::First);
    // A log write of 1 MiB goes to eight disks at once.
    let eight = where_to(&plan(&mut array, write(0, MIB)).first);
    assert_eq!(eight, (0..8).map(|d| (d, 0, 128 * KIB)).collect::<Vec<_>>());
    let mut coarse =
        Copied::new(Asm::new(&asm(8, 1, Redundancy::External, Striping::Coarse)).unwrap(), ReadChoice::First);
    assert_eq!(where_to(&plan(&mut coarse, write(0, MIB)).first), [(0, 0, MIB)]);
}

#[test]
fn reads_stay_in_the_failure_group_that_is_preferred() {
    let spec = asm(3, 2, Redundancy::Normal, Striping::Coarse);
    let preferred = Asm::disks_of(&spec, &[1]);
    assert_eq!(preferred, [1, 3, 5]);
    let mut array = Copied::new(Asm::new(&spec).unwrap(), ReadChoice::Preferred(preferred));
    let mut seen = [0; 6];
    for n in 0..180 {
        seen[plan(&mut array, read(n * MIB, 8 * KIB)).first[0].member] += 1;
    }
    assert!(
        seen[0] + seen[2] + seen[4] == 0 && [1, 3, 5].iter().all(|d| (55..=65).contains(&seen[*d])),
        "{seen:?}"
    );
}

#[test]
fn what_is_no_array_says_why() {
    let no = |result: Result<(), crate::NoSuchDevice>| result.unwrap_err().0;
    assert!(no(Stripes::raid0(0, 1, 1).map(drop)).contains("0 columns"));
    assert!(no(Stripes::raid0(2, 0, 1).map(drop)).contains("0 bytes"));
    assert!(no(Stripes::raid0(u32::MAX, 1, u64::MAX).map(drop)).contains("beyond any address"));
    assert!(no(Concat::new(&[MIB]).map(drop)).contains("two devices"));
    let raid = |members, parity, depth_bytes| {
        let spec =
            ParitySpec { members, parity, depth_bytes, member_bytes: MIB, partial: PartialWrites::Fewer };
        no(Parity::new(&spec).map(drop))
    };
    assert!(raid(2, 1, 1).contains("2 members with 1 of parity"));
    assert!(raid(9, 3, 1).contains("9 members with 3 of parity"));
    assert!(raid(3, 1, 2 * MIB).contains("does not lie on devices"));
    let group = |change: &dyn Fn(&mut AsmSpec)| {
        let mut spec = asm(2, 2, Redundancy::Normal, Striping::Coarse);
        change(&mut spec);
        no(Asm::new(&spec).map(drop))
    };
    assert!(group(&|s| s.redundancy = Redundancy::High).contains("2 failure groups hold no 3 copies"));
    assert!(group(&|s| s.au_bytes = 1_000).contains("1000 bytes is no multiple"));
    assert!(group(&|s| s.disk_bytes = KIB).contains("hold no extents"));
    assert!(group(&|s| s.disk_bytes = u64::MAX).contains("more than 16777216 extents"));
    let two = Stripes::mirror(2, MIB).unwrap();
    let devices: Vec<LatencyCap> = Vec::new();
    let none = ArrayDevice::new(Copied::new(two, ReadChoice::First), devices).map(drop);
    assert!(no(none).contains("2 members is not made of 0 devices"));
}

/// A disk of 150 requests a second, 5 ms each.
fn disk() -> LatencyCap {
    let latency = Picoseconds::from_us(5_000.0);
    LatencyCap::new(&LatencyCapSpec { latency, iops: Some(150.0), bytes_per_s: None }).unwrap()
}

/// Requests a second of 8 KiB at random, 512 under way, over such disks.
fn rate(array: impl Array, operation: Operation) -> f64 {
    let size = array.bytes() / (8 * KIB);
    let disks = (0..array.members()).map(|_| disk()).collect();
    let mut device = ArrayDevice::new(array, disks).unwrap();
    let mut random = Seeded::new(19, 0);
    let requests = (0..60_000).map(|_| {
        let at = random.below(size) * 8 * KIB;
        if operation == Operation::Read { read(at, 8 * KIB) } else { write(at, 8 * KIB) }
    });
    closed_loop(&mut device, 512, requests).unwrap().iops().unwrap()
}

#[test]
fn redundancy_leaves_reads_alone_and_writes_a_half_a_third_a_quarter_a_sixth() {
    let group = |redundancy| {
        let spec = AsmSpec { disk_bytes: 1 << 30, ..asm(4, 3, redundancy, Striping::Coarse) };
        Copied::new(Asm::new(&spec).unwrap(), ReadChoice::First)
    };
    let all = 12.0 * 150.0;
    let close = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 0.05, "{found} instead of {expected}");
    };
    for (redundancy, copies) in
        [(Redundancy::External, 1.0), (Redundancy::Normal, 2.0), (Redundancy::High, 3.0)]
    {
        close(rate(group(redundancy), Operation::Read), all);
        close(rate(group(redundancy), Operation::Write), all / copies);
    }
    let raid10 = || Copied::new(Stripes::raid10(6, 2, MIB, 64 * MIB).unwrap(), ReadChoice::RoundRobin);
    close(rate(raid10(), Operation::Read), all);
    close(rate(raid10(), Operation::Write), all / 2.0);
    for (p, penalty) in [(1, 4.0), (2, 6.0)] {
        close(rate(parity(12, p, PartialWrites::Fewer), Operation::Read), all);
        close(rate(parity(12, p, PartialWrites::Fewer), Operation::Write), all / penalty);
    }
}

#[test]
fn a_small_write_with_parity_takes_two_turns() {
    let raid5 = parity(5, 1, PartialWrites::Fewer);
    let mut device = ArrayDevice::new(raid5, (0..5).map(|_| disk()).collect()).unwrap();
    let run = closed_loop(&mut device, 1, [write(0, 8 * KIB), read(MIB, 8 * KIB)]).unwrap();
    // Read at 5 ms; each disk gives its next at 1/150 s after that, which is later than 10 ms.
    let second = 5_000.0 + 1e6 / 150.0;
    assert!((run.served[0].done.as_us() - second).abs() < 1e-3, "{}", run.served[0].done);
    assert_eq!(device.asked(), 5);
}

proptest! {
    #[test]
    fn every_request_is_done_once_however_often_one_looks(
        raid5 in any::<bool>(),
        arrivals in prop::collection::vec((0..8_000_000_000_u64, any::<bool>(), 0..4_000_000_u64, 1..400_000_u64), 1..60),
        looks in prop::collection::vec(0..300_000_000_000_u64, 0..20),
    ) {
        let log = |looks: &[u64]| {
            let array: Box<dyn Array> = if raid5 {
                Box::new(parity(4, 1, PartialWrites::Fewer))
            } else {
                Box::new(Copied::new(Stripes::raid10(2, 2, 64 * KIB, 16 * MIB).unwrap(), ReadChoice::Nearest))
            };
            let mut device = ArrayDevice::new(array, (0..4).map(|_| disk()).collect()).unwrap();
            let (mut completed, mut now): (Vec<Completion>, u64) = (Vec::new(), 0);
            for (tag, (gap, is_read, offset, bytes)) in (0..).zip(&arrivals) {
                for look in looks.iter().filter(|t| (now..=now + gap).contains(*t)) {
                    device.advance(Picoseconds(*look), &mut completed);
                }
                now += gap;
                let request = if *is_read { read(*offset, *bytes) } else { write(*offset, *bytes) };
                device.submit(Picoseconds(now), tag, request);
            }
            while let Some(next) = device.next_event() {
                device.advance(next, &mut completed);
            }
            completed
        };
        let mut looks = looks;
        looks.sort_unstable();
        let alone = log(&[]);
        let mut tags: Vec<u64> = alone.iter().map(|c| c.tag).collect();
        tags.sort_unstable();
        prop_assert_eq!(tags, (0..arrivals.len() as u64).collect::<Vec<_>>());
        prop_assert!(alone.is_sorted_by_key(|c| c.at));
        prop_assert_eq!(alone, log(&looks));
    }
}

impl Array for Box<dyn Array> {
    fn members(&self) -> usize {
        (**self).members()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn plan(&mut self, request: Request, plan: &mut Plan) {
        (**self).plan(request, plan);
    }
}
