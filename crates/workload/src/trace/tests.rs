//! Traces in all formats, well-formed and damaged, and where their requests come to lie.
#![allow(clippy::unwrap_used)]

use super::survey::natural;
use super::*;
use crate::arrival::Arrivals;
use crate::job::{Job, Operation};
use crate::job_file::{job_file_text, read_job_file};
use proptest::prelude::*;
use std::io::{self, BufReader};

fn found_of(trace: &Trace, text: &str) -> Result<TraceFound, String> {
    survey(trace, || Ok(text.as_bytes()))
}

fn found(text: &str) -> TraceFound {
    found_of(&Trace::of("t"), text).unwrap()
}

/// Requests as they are replayed: nanoseconds, source, operation, offset, bytes.
fn requests(text: &str) -> Vec<(u64, String, Operation, u64, u32)> {
    let found = found(text);
    let input = BufReader::with_capacity(7, text.as_bytes());
    let mut reader = TraceReader::new(input, found.format, found.event.unwrap_or('Q'), USUAL_BLOCK);
    let mut all = Vec::new();
    while let Some(one) = reader.next_request().unwrap() {
        let name = reader.name(one.source).unwrap().to_owned();
        all.push((one.at_ns, name, one.operation, one.offset, one.bytes));
    }
    all
}

const READ: Operation = Operation::Read;
const WRITE: Operation = Operation::Write;

const IOLOG_2: &str = "fio version 2 iolog
/a add
/a open
/a read 0 4096
/a wait 99 0
/a write 8192 512
/a wait 250 0
/b read 4096 8192
/a sync 0 0
/a trim 0 4096
/a close
";
const IOLOG_3: &str = "fio version 3 iolog\n22 /a add\n158 /a open\n161 /a read 61440 4096\n410 /a write 774144 4096\n9 /a close\n";
const BLKPARSE: &str = "  8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]
  8,0    3        2     0.000001829   697  G   W 223490 + 8 [kjournald]
  8,0    3        0     0.000002197     0  m   N cfq697S / sorted
  8,0    3        5     0.000012359   697  D   W 223490 + 8 [kjournald]
  8,0    1        3     0.500000000   800  Q  RA 8 + 256 [cat]
  8,0    1        4     0.600000000   800  Q FWS [jbd2/sda1-8]
  8,0    1        5     0.700000000   800  Q FWFS 16 + 8 [jbd2/sda1-8]
  8,0    1        6     0.800000000   800  Q  DS 64 + 8 [fstrim]
  8,0    0       11     0.009507758     0  C   W 223490 + 8 [0]
CPU0 (8,0):
 Reads Queued:           1,        4KiB\t Writes Queued:           2,        4KiB

Total (8,0):
Throughput (R/W): 12KiB/s / 3KiB/s
Events (8,0): 8 entries
Skips: 0 forward (0 -   0.0%)
";
const SPC: &str =
    "0,303567,3584,w,0.000000\n1,55590,3072,w,0.000000\n0, 303574 ,3584,R,0.026214,more,fields\n";
const MSR: &str = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
128166372003061629,usr,0,Read,7014609920,24576,41286
128166372003062629,usr,0,Write,0,512,1000
";

#[test]
fn each_format_is_recognised_and_read() {
    let text = |name: &str| name.to_owned();
    assert_eq!(
        requests(IOLOG_2),
        [
            (0, text("/a"), READ, 0, 4_096),
            (0, text("/a"), WRITE, 8_192, 512),
            (250_000, text("/b"), READ, 4_096, 8_192)
        ]
    );
    assert_eq!(
        requests(IOLOG_3),
        [(161_000, text("/a"), READ, 61_440, 4_096), (410_000, text("/a"), WRITE, 774_144, 4_096)]
    );
    assert_eq!(
        requests(BLKPARSE),
        [
            (0, text("8,0"), WRITE, 223_490 * 512, 4_096),
            (500_000_000, text("8,0"), READ, 4_096, 131_072),
            (700_000_000, text("8,0"), WRITE, 8_192, 4_096)
        ]
    );
    assert_eq!(
        requests(SPC),
        [
            (0, text("0"), WRITE, 303_567 * 512, 3_584),
            (0, text("1"), WRITE, 55_590 * 512, 3_072),
            (26_214_000, text("0"), READ, 303_574 * 512, 3_584)
        ]
    );
    let first = 12_816_637_200_306_162_900;
    assert_eq!(
        requests(MSR),
        [
            (first, text("usr_0"), READ, 7_014_609_920, 24_576),
            (first + 100_000, text("usr_0"), WRITE, 0, 512)
        ]
    );
}

#[test]
fn what_a_trace_holds_is_counted() {
    let iolog = found(IOLOG_2);
    assert_eq!((iolog.reads, iolog.writes, iolog.bytes, iolog.largest_bytes), (2, 1, 12_800, 8_192));
    assert_eq!(iolog.left_out, BTreeMap::from([("discards".to_owned(), 1), ("flushes".to_owned(), 1)]));
    assert_eq!((iolog.format, iolog.lines, iolog.damaged), (TraceFormat::FioIolog2, 11, 0));
    assert_eq!(iolog.seconds, Some(0.000_25));
    let sources: Vec<_> = iolog.sources.iter().map(|s| (s.name.as_str(), s.requests, s.end_bytes)).collect();
    assert_eq!(sources, [("/a", 2, 8_704), ("/b", 1, 12_288)]);
    let blkparse = found(BLKPARSE);
    assert_eq!((blkparse.event, blkparse.damaged), (Some('Q'), 0), "{:?}", blkparse.damaged_lines);
    assert_eq!((blkparse.left_out["discards"], blkparse.left_out["flushes"]), (1, 1));
    let msr = found(MSR);
    assert_eq!((msr.seconds, msr.first_ns), (Some(0.0001), 12_816_637_200_306_162_900));
}

#[test]
fn the_hash_is_that_of_the_file() {
    // By sha256sum.
    let text = "0,1,512,r,0\n";
    assert_eq!(found(text).sha256, "8842f0a082e7e408daa48f242a16fca1870575c9fd418ea13755a0e6ac367388");
    assert_eq!(found(text).file_bytes, 12);
}

#[test]
fn without_queued_requests_those_issued_are_taken_and_it_is_said() {
    let text: String = BLKPARSE.lines().filter(|l| !l.contains(" Q ")).map(|l| format!("{l}\n")).collect();
    let found = found(&text);
    assert_eq!((found.event, found.writes, found.first_ns), (Some('D'), 1, 12_359));
    let trace = Trace { found: Some(found), ..Trace::of("t") };
    assert!(trace.told(&[]).iter().any(|w| w.contains("issued to the device (D)")));
}

#[test]
fn damaged_lines_are_counted_and_named() {
    let text =
        "0,1,512,r,0.5\nrubbish\n0,2,512,x,0.6\n\n0,3,512,r\n0,4,512,w,0.7\n0,99999999999999999999,512,r,1\n";
    let trace = Trace { found: Some(found(text)), ..Trace::of("t") };
    let found = trace.found.as_ref().unwrap();
    assert_eq!((found.reads, found.writes, found.damaged, found.lines), (1, 1, 4, 7));
    let lines: Vec<u64> = found.damaged_lines.iter().map(|d| d.line).collect();
    assert_eq!(lines, [2, 3, 5, 7]);
    let told = &trace.told(&[])[0];
    assert!(told.contains("`t`: 4 of 7 lines are damaged") && told.contains("line 3: its opcode"), "{told}");
}

#[test]
fn what_is_no_trace_says_why() {
    let why = |text: &str| found_of(&Trace::of("t"), text).unwrap_err();
    assert!(why("").contains("`t` is empty"));
    assert!(why("a,b,c\n").contains("its first line is `a,b,c`"), "{}", why("a,b,c\n"));
    assert!(why("fio version 1 iolog\n").contains("version 1"));
    assert!(why("fio version 2 iolog\n/a add\n/a open\n").contains("no request"));
    let flushes = why("fio version 2 iolog\n/a sync 0 0\n/a jump 0 0\n");
    assert!(flushes.contains("1 flushes") && flushes.contains("line 3 first: `jump`"), "{flushes}");
    let packed = survey(&Trace::of("t"), || Ok([0x1f_u8, 0x8b, 8, 0].as_slice())).unwrap_err();
    assert!(packed.contains("unpack it"), "{packed}");
    let gone = survey(&Trace::of("t"), || Err::<&[u8], _>(io::Error::from(io::ErrorKind::NotFound)));
    assert!(gone.unwrap_err().contains("`t` was not read"));
    let none = Trace { sources: Sources::One("7".to_owned()), ..Trace::of("t") };
    let none = found_of(&none, SPC).unwrap_err();
    assert!(none.contains("no source `7`") && none.contains("`0`, `1`"), "{none}");
    let many: String = (0..1_001).map(|n| format!("{n},1,512,r,0\n")).collect();
    assert!(why(&many).contains("line 1001 names more than 1000"), "{}", why(&many));
}

#[test]
fn requests_stand_by_time_though_lines_do_not() {
    let text = "0,1,512,r,0.3\n0,2,512,r,0.1\n0,3,512,r,0.2\n";
    let order: Vec<u64> = requests(text).iter().map(|r| r.3 / 512).collect();
    assert_eq!((order, found(text).out_of_order), (vec![2, 3, 1], 0));
    assert_eq!(found(text).first_ns, 100_000_000);
    // Too far away to be put in order: with the one before it, and counted.
    let mut text: String = (0..5_000).map(|n| format!("0,{n},512,r,{n}\n")).collect();
    text.push_str("0,9,512,r,0.5\n");
    assert_eq!(found(&text).out_of_order, 1);
    let times: Vec<u64> = requests(&text).iter().map(|r| r.0).collect();
    assert!(times.is_sorted());
}

#[test]
fn writes_are_left_out_where_that_is_asked_for() {
    let trace = Trace { reads_only: true, ..Trace::of("t") };
    let found = found_of(&trace, SPC).unwrap();
    assert_eq!((found.reads, found.writes, found.left_out["writes"]), (1, 0, 2));
    // ASU 1 only writes: it is no source then.
    assert_eq!(found.sources.len(), 1);
    let placement = Trace { found: Some(found), ..trace }.placement(0, 1, 0..1 << 30, 512).unwrap();
    let write = Traced { at_ns: 0, source: 0, operation: WRITE, offset: 0, bytes: 512, line: 1 };
    assert_eq!(placement.place(&write, "0"), None);
}

/// A trace of these sources: names and ends.
fn trace(sources: &[(&str, u64)], largest_bytes: u32, beyond: Beyond, which: Sources) -> Trace {
    let mut found = found(SPC);
    found.largest_bytes = largest_bytes;
    found.sources = sources
        .iter()
        .map(|(name, end)| TraceSource {
            name: (*name).to_owned(),
            requests: 1,
            end_bytes: *end,
            end_line: 7,
        })
        .collect();
    Trace { found: Some(found), beyond, sources: which, ..Trace::of("t") }
}

fn at(offset: u64, bytes: u32) -> Traced {
    Traced { at_ns: 0, source: 0, operation: READ, offset, bytes, line: 1 }
}

#[test]
fn addresses_beyond_the_end_are_refused_or_moved() {
    let of =
        |beyond| trace(&[("0", 100_000)], 4_096, beyond, Sources::Each).placement(0, 1, 8_192..58_192, 1);
    let why = of(Beyond::Refuse).unwrap_err();
    assert!(why.contains("reaches to byte 100000") && why.contains("has 50000 (line 7 reaches"), "{why}");
    let wrap = of(Beyond::Wrap).unwrap();
    let place = |placement: &Placement, offset, bytes| {
        let placed = placement.place(&at(offset, bytes), "0").unwrap();
        (placed.request.offset - 8_192, placed.request.bytes, placed.moved)
    };
    assert_eq!(place(&wrap, 1_000, 512), (1_000, 512, false));
    assert_eq!(place(&wrap, 60_000, 512), (10_000, 512, true));
    // It would reach over the end.
    assert_eq!(place(&wrap, 49_900, 512), (49_488, 512, true));
    let scale = of(Beyond::Scale).unwrap();
    assert_eq!(place(&scale, 60_000, 512), (30_000, 512, true));
    assert_eq!(place(&scale, 99_488, 512), (49_488, 512, true));
    assert_eq!(wrap.place(&at(0, 512), "1"), None);
    let small = trace(&[("0", 100_000)], 65_536, Beyond::Wrap, Sources::Each).placement(0, 1, 0..50_000, 1);
    assert!(small.unwrap_err().contains("smaller than a request"));
}

#[test]
fn what_does_not_lie_on_blocks_covers_those_that_it_touches() {
    let placement = trace(&[("0", 100_000)], 4_096, Beyond::Refuse, Sources::Each)
        .placement(0, 1, 0..1 << 20, 4_096)
        .unwrap();
    let place = |offset, bytes| {
        let placed = placement.place(&at(offset, bytes), "0").unwrap();
        (placed.request.offset, placed.request.bytes, placed.rounded)
    };
    assert_eq!(place(4_096, 4_096), (4_096, 4_096, false));
    assert_eq!(place(512, 3_584), (0, 4_096, true));
    assert_eq!(place(4_000, 200), (0, 8_192, true));
}

#[test]
fn sources_go_to_targets_by_name_or_one_behind_the_other() {
    let sources = [("disk2", 5 << 20), ("disk10", 100)];
    let each = trace(&sources, 512, Beyond::Refuse, Sources::Each);
    let why = each.placement(0, 3, 0..1 << 30, 512).unwrap_err();
    assert!(why.contains("2 sources (`disk2`, `disk10`)") && why.contains("on 3 targets"), "{why}");
    let second = each.placement(1, 2, 0..1 << 30, 512).unwrap();
    assert_eq!(second.place(&at(0, 512), "disk2"), None);
    assert_eq!(second.place(&at(512, 512), "disk10").unwrap().request.offset, 512);
    let told = each.told(&["/dev/a".to_owned(), "/dev/b".to_owned()]);
    assert!(told.iter().any(|w| w.contains("`disk2` on `/dev/a`, `disk10` on `/dev/b`")), "{told:?}");
    let joined = trace(&sources, 512, Beyond::Refuse, Sources::Joined);
    let joined = joined.placement(0, 1, 0..1 << 30, 512).unwrap();
    assert_eq!(joined.place(&at(512, 512), "disk10").unwrap().request.offset, (5 << 20) + 512);
    let one = trace(&sources, 512, Beyond::Refuse, Sources::One("disk10".to_owned()));
    let one = one.placement(1, 2, 0..1_024, 512).unwrap();
    assert!(one.place(&at(0, 512), "disk10").is_some() && one.place(&at(0, 512), "disk2").is_none());
}

#[test]
fn names_are_ordered_as_people_count() {
    let mut names = ["b", "disk10", "disk2", "disk02", "10", "9", "", "disk"];
    names.sort_by(|a, b| natural(a, b));
    assert_eq!(names, ["", "9", "10", "b", "disk", "disk2", "disk02", "disk10"]);
}

fn job(keys: &str) -> Job {
    read_job_file(&format!("[[stream]]\nname = \"t\"\ntrace = \"monday.spc\"\n{keys}"), "f").unwrap().job
}

#[test]
fn a_job_of_a_trace_is_read_and_written() {
    let sha256 = "0123456789abcdef".repeat(4);
    for keys in [
        String::new(),
        "speed = 2.5\nsource = \"joined\"\nbeyond = \"scale\"\n".to_owned(),
        "depth = 8\nsource = \"8,0\"\nwrites = \"skip\"\nlba = \"4 KiB\"\nflush = \"dsync\"\n".to_owned(),
        format!(
            "sha256 = \"{sha256}\"\nbeyond = \"wrap\"\nregion = {{ from = \"1 MiB\" }}\n[end]\ntime = \"5 s\"\n"
        ),
    ] {
        let job = job(&keys);
        assert_eq!(read_job_file(&job_file_text(&job), "f").unwrap().job, job, "{keys}");
    }
    assert_eq!(job("").streams[0].arrivals, Arrivals::Replay { speed: 1.0 });
    let why = |keys: &str| {
        let text = format!("[[stream]]\nname = \"t\"\n{keys}");
        let error = read_job_file(&text, "f").unwrap_err();
        (error.line, error.why)
    };
    assert_eq!(why("trace = \"a\"\nblock = \"8 KiB\"\n").0, 4);
    assert!(why("trace = \"a\"\nblock = \"8 KiB\"\n").1.contains("does not go with `trace`"));
    assert!(why("trace = \"a\"\nspeed = 2\ndepth = 2\n").1.contains("replayed by one of them"));
    assert!(why("trace = \"a\"\nsha256 = \"12\"\n").1.contains("64 hexadecimal"));
    assert!(why("trace = \"a\"\n[end]\ninterval = \"2 %\"\n").1.contains("its own times"));
    let other = "reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 1\n";
    assert!(why(&format!("{other}speed = 2\n[end]\ntime = \"1 s\"\n")).1.contains("goes with `trace`"));
    let beside = why(&format!("trace = \"a\"\n[[stream]]\n{other}"));
    assert!(beside.1.contains("has no `end`"), "{beside:?}");
}

#[test]
fn a_stream_takes_in_its_trace_or_says_why_not() {
    let mut stream = job("").streams.remove(0);
    stream.take_in(found(SPC)).unwrap();
    assert!((stream.read_pct - 100.0 / 3.0).abs() < 1e-9);
    assert_eq!((stream.sizes[0].bytes, stream.objection()), (3_584, None));
    assert!(stream.requests(0, 1, 1 << 30).is_err());
    // Again, and then another file under the same name.
    stream.take_in(found(SPC)).unwrap();
    assert!(stream.take_in(found(MSR)).unwrap_err().contains("another one than was asked for"));
    let untimed = found("fio version 2 iolog\n/a read 0 512\n");
    let why = job("").streams[0].take_in(untimed.clone()).unwrap_err();
    assert!(why.contains("has no times"), "{why}");
    assert!(job("depth = 4\n").streams[0].take_in(untimed).is_ok());
}

proptest! {
    #[test]
    fn every_request_lies_within_its_region_on_whole_blocks(
        ends in proptest::collection::vec(1..1_u64 << 40, 1..4),
        from in 0..1_u64 << 20,
        length in (1_u64 << 20)..1 << 36,
        power in 0..13_u32,
        parts in proptest::collection::vec((0.0..1.0, 1..200_000_u32), 1..50),
        scale in any::<bool>(),
        joined in any::<bool>(),
    ) {
        let align = 1_u64 << power;
        let beyond = if scale { Beyond::Scale } else { Beyond::Wrap };
        let names: Vec<String> = (0..ends.len()).map(|n| n.to_string()).collect();
        let ends: Vec<u64> = ends.iter().map(|end| end + 200_000).collect();
        let named: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(ends.iter().copied()).collect();
        let which = if joined { Sources::Joined } else { Sources::One("0".to_owned()) };
        let trace = trace(&named, 200_000, beyond, which);
        let region = from.next_multiple_of(align)..(from + length) / align * align;
        let placement = trace.placement(0, 1, region.clone(), align).unwrap();
        let most = trace.most_bytes(align);
        for (share, bytes) in parts {
            for (name, end) in &named {
                let offset = ((end - u64::from(bytes)) as f64 * share) as u64;
                let Some(placed) = placement.place(&at(offset, bytes), name) else {
                    prop_assert!(!joined && *name != "0");
                    continue;
                };
                let Placed { request, .. } = placed;
                prop_assert!(request.offset >= region.start);
                prop_assert!(request.offset + u64::from(request.bytes) <= region.end);
                prop_assert_eq!((request.offset % align, u64::from(request.bytes) % align), (0, 0));
                prop_assert!(u64::from(request.bytes) <= most && request.bytes >= bytes);
            }
        }
    }

    #[test]
    fn nothing_in_a_file_breaks_the_reader(
        which in 0..5_usize,
        at in any::<prop::sample::Index>(),
        cut in 0..40_usize,
        put in proptest::collection::vec(any::<u8>(), 0..24),
    ) {
        let bytes = [IOLOG_2, IOLOG_3, BLKPARSE, SPC, MSR][which].as_bytes();
        let at = at.index(bytes.len());
        let text = [&bytes[..at], &put[..], &bytes[(at + cut).min(bytes.len())..]].concat();
        match survey(&Trace::of("t"), || Ok(text.as_slice())) {
            Ok(found) => {
                prop_assert!(found.reads + found.writes > 0 && found.largest_bytes > 0);
                prop_assert!(found.damaged <= found.lines);
                prop_assert!(found.seconds.is_none_or(|s| s >= 0.0));
            }
            Err(why) => prop_assert!(why.contains("`t`")),
        }
    }
}
