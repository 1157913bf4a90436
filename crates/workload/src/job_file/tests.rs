//! Job files: the example that ships, files written and read again, and what each slip is told.

#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

const EXAMPLE: &str = include_str!("../../../../examples/jobs/oltp.toml");
const TRACE: &str = include_str!("../../../../examples/jobs/trace.toml");

fn refusal(text: &str) -> String {
    read_job_file(text, "job.toml").unwrap_err().to_string()
}

/// A sound file with one stream, whose lines may be replaced.
fn with(stream: &str) -> String {
    format!("[end]\ntime = \"1 s\"\n[[stream]]\n{stream}\n")
}

#[test]
fn the_examples_that_ship_are_read_and_use_every_key() {
    let file = read_job_file(EXAMPLE, "oltp.toml").unwrap();
    assert_eq!((file.job.streams.len(), file.job.seed, file.job.warm_up_s), (6, 13, Some(5.0)));
    assert_eq!(file.origins[0].0, "block");
    assert!(file.job.writes());
    for table in [JOB, END, STREAM, REGION, HOT, BLOCK] {
        for key in table.keys {
            let all = EXAMPLE.lines().chain(TRACE.lines());
            let mut used = all.filter(|l| !l.starts_with('#'));
            let used = used.any(|line| line.contains(key.name));
            assert!(used, "`{}` of {} is not in an example", key.name, table.called);
        }
    }
    assert!(read_job_file(TRACE, "trace.toml").unwrap().job.streams[0].trace.is_some());
    assert_eq!(file.job.streams[4].arrivals, Arrivals::Open { iops: 50.0, poisson: true });
    assert_eq!(file.job.streams[0].sizes[0].bytes, 8_192);
}

#[test]
fn each_slip_is_told_with_line_and_what_may_stand_there() {
    let stream = "reads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 1";
    assert!(read_job_file(&with(stream), "f").is_ok());
    for (from, to, line, says) in [
        ("block =", "blok =", 6, "`blok` is no key of a stream; the nearest is `block`: bytes of a request"),
        ("\"8 KiB\"", "8192", 6, "`block` is 8192 without a unit. It is bytes of a request, 512 bytes to"),
        ("\"8 KiB\"", "\"8 ms\"", 6, "`block` is \"8 ms\", no size"),
        ("\"8 KiB\"", "\"1 GiB\"", 6, "out of range. It is bytes of a request, 512 bytes to 64 MiB"),
        ("\"8 KiB\"", "\"0.0001 KiB\"", 6, "no size"),
        ("\"100 %\"", "\"101 %\"", 4, "out of range. It is share of reads, 0 % to 100 %"),
        ("\"100 %\"", "100", 4, "without a unit"),
        ("\"random\"", "\"zippf\"", 5, "`pattern` is \"zippf\""),
        ("\"random\"", "\"zipf\"", 3, "has no `theta`"),
        ("depth = 1", "depth = 0", 7, "no whole number of 1 or more"),
        ("depth = 1", "depth = 1.5", 7, "no whole number"),
        ("depth = 1", "depth = 1\nrate = \"10 IOPS\"", 8, "a stream has one of them"),
        ("depth = 1", "", 3, "neither `depth`"),
        ("depth = 1", "depth = 1\narrivals = \"fixed\"", 8, "`arrivals` goes with `rate`"),
        ("depth = 1", "depth = 1\ntheta = 1.0", 8, "goes with `pattern = \"zipf\"`"),
        ("depth = 1", "rate = \"5 ms\"", 7, "no number with such a unit. It is requests a second"),
        ("depth = 1", "depth = { value = 3 }", 7, "needs both `value` and `origin`"),
        ("depth = 1", "depth = { value = 3, origin = \"x\", unit = 1 }", 7, "`unit` is no key of a number"),
        ("depth = 1", "depth = 99999", 3, "more than 65536"),
        ("depth = 1", "depth = 1\nregion = { from = \"10 %\", to = \"2\" }", 8, "`to` is no key of a region"),
        ("depth = 1", "depth = 1\nregion = \"10 %\"", 8, "`region` is no table"),
        ("depth = 1", "depth = 1\noverwrite = \"/dev/sda\"", 8, "`overwrite` is no key of a stream"),
        ("depth = 1", "depth = = 1", 7, "it is no TOML"),
        ("depth = 1", "depth = 1\ncommitters = 4", 7, "`depth` does not go with `committers`"),
        ("depth = 1", "committers = 4", 3, "a log is written only"),
        ("depth = 1", "committers = 99999", 3, "a log is written only"),
        ("pattern = \"random\"", "", 3, "has no `pattern`"),
        ("reads = \"100 %\"", "", 3, "has no `reads`"),
    ] {
        let text = with(&stream.replace(from, to));
        let said = refusal(&text);
        assert!(said.starts_with(&format!("`job.toml`, line {line}: ")), "{to:?}: {said}");
        assert!(said.contains(says), "{to:?}: {said}");
    }
    assert!(refusal("").contains("a job has no `end`"));
    assert!(refusal("[end]\ntime = \"1 s\"\n").contains("a job has no `stream`"));
    assert!(refusal("[end]\n[[stream]]\nname=\"x\"").contains("has no `reads`"));
    assert!(refusal(&with(stream).replace("time = \"1 s\"", "")).contains("never ends"));
    assert!(refusal(&with(stream).replace("[[stream]]", "[stream]")).contains("double ones"));
    let twice = format!("{}[[stream]]\nname = \"stream 1\"\n{stream}\n", with(stream));
    assert!(refusal(&twice).contains("line 8: a stream `stream 1` stands above"));
}

#[test]
fn a_mix_and_its_weights_are_read() {
    let text = with(
        "reads = \"0 %\"\npattern = \"sequential\"\nrate = \"10/s\"\narrivals = \"fixed\"\n\
         block = [{ size = \"8 KiB\", weight = 9 }, { size = { value = \"1 MiB\", origin = \"guess\" } }]",
    );
    let file = read_job_file(&text, "f").unwrap();
    let stream = &file.job.streams[0];
    assert_eq!(stream.sizes, [Size { bytes: 8_192, weight: 9.0 }, Size { bytes: 1 << 20, weight: 1.0 }]);
    assert_eq!(stream.arrivals, Arrivals::Open { iops: 10.0, poisson: false });
    assert_eq!(file.origins, [("size".to_owned(), "guess".to_owned())]);
}

fn any_stream() -> impl Strategy<Value = Stream> {
    let pattern = prop_oneof![
        Just(Pattern::Random),
        Just(Pattern::Sequential),
        (1..9_u64).prop_map(|blocks| Pattern::Strided { blocks }),
        (0.0..10.0).prop_map(|theta| Pattern::Zipf { theta }),
        (1.0..99.0, 1.0..99.0)
            .prop_map(|(accesses_pct, blocks_pct)| Pattern::HotSpot { accesses_pct, blocks_pct }),
    ];
    let arrivals = prop_oneof![
        (1..1000_u32, 0.0..1e6).prop_map(|(depth, think_us)| Arrivals::Closed { depth, think_us }),
        (0.1..1e6, any::<bool>()).prop_map(|(iops, poisson)| Arrivals::Open { iops, poisson }),
    ];
    let extent =
        || prop_oneof![(0.0..100.0).prop_map(Extent::Percent), (0..1_u64 << 40).prop_map(Extent::Bytes)];
    let sizes = proptest::collection::vec((0..8_u32, 0.1..9.0), 1..4).prop_map(|parts| {
        let mut sizes: Vec<Size> =
            parts.into_iter().map(|(power, weight)| Size { bytes: 512 << power, weight }).collect();
        if let [only] = sizes.as_mut_slice() {
            only.weight = 1.0;
        }
        sizes
    });
    let region =
        (extent(), proptest::option::of(extent())).prop_map(|(from, length)| Region { from, length });
    let flush = prop_oneof![Just(Flush::None), Just(Flush::Dsync), Just(Flush::Fdatasync)];
    let parts = (0.0..99.0, pattern, sizes, region, arrivals, flush);
    parts.prop_map(|(read_pct, pattern, sizes, region, arrivals, flush)| Stream {
        name: String::new(),
        read_pct,
        pattern,
        sizes,
        region,
        arrivals,
        flush,
        trace: None,
    })
}

#[test]
fn a_log_is_read_and_written() {
    let text = with(
        "reads = \"0 %\"\npattern = \"sequential\"\ncommitters = 16\nthink = \"5 ms\"\nflush = \"fdatasync\"\n\
         block = [{ size = \"1900 bytes\", weight = 2 }, { size = \"56000 bytes\", weight = 3 }]",
    );
    let job = read_job_file(&text, "f").unwrap().job;
    assert_eq!(job.streams[0].arrivals, Arrivals::Commits { committers: 16, think_us: 5_000.0 });
    assert_eq!(read_job_file(&job_file_text(&job), "f").unwrap().job, job);
    let large = refusal(&text.replace("56000 bytes", "2 MiB"));
    assert!(large.contains("a commit of 2097152 bytes is above the 1048576 of one write"), "{large}");
    assert!(refusal(&text.replace("16", "99999")).contains("99999 committers are not between 1 and 65536"));
}

proptest! {
    #[test]
    fn a_job_is_written_and_read_again(
        streams in proptest::collection::vec(any_stream(), 1..4),
        name in "[^\\s\\p{C}][^\\p{C}]{0,20}[^\\s\\p{C}]",
        seed in any::<u64>(),
        seconds in 0.01..1e6,
        warm_up_s in proptest::option::of(0.0..1e5),
    ) {
        let mut streams = streams;
        for (n, stream) in streams.iter_mut().enumerate() {
            stream.name = format!("{name} {n}");
        }
        let seed = seed >> 1;
        let job = Job { name, seed, streams, end: End { seconds: Some(seconds), ..End::default() }, warm_up_s };
        let text = job_file_text(&job);
        let again = read_job_file(&text, "f").map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
        // Times pass through microseconds.
        prop_assert!(close(again.job.end.seconds.unwrap(), seconds));
        prop_assert_eq!(again.job.warm_up_s.is_some(), warm_up_s.is_some());
        prop_assert_eq!(&again.job.streams, &job.streams);
        prop_assert_eq!((again.job.seed, again.job.name), (job.seed, job.name));
    }

    #[test]
    fn nothing_that_is_written_breaks_the_reader(
        at in any::<prop::sample::Index>(),
        cut in 0..40_usize,
        put in "\\PC{0,12}",
    ) {
        let chars: Vec<char> = EXAMPLE.chars().collect();
        let at = at.index(chars.len());
        let rest = chars.iter().skip(at + cut);
        let text: String = chars.iter().take(at).copied().chain(put.chars()).chain(rest.copied()).collect();
        if let Err(error) = read_job_file(&text, "f") {
            prop_assert!(error.line <= text.lines().count().max(1) + 1);
            prop_assert!(!error.why.is_empty());
        }
    }
}
