//! Results of other tools: each figure as printed or unknown, whatever the file looks like.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use proptest::prelude::*;
use spindle_evidence::{StorageReading, read_storage};
use spindle_facts::{IoResult, Kind};
use std::fmt::Write as _;
use std::process::Command;

fn read(text: &str) -> StorageReading {
    read_storage("file", text.as_bytes()).unwrap()
}

fn rows(text: &str) -> Vec<IoResult> {
    read(text).results.into_iter().flat_map(|r| r.report.tables.io_result).collect()
}

fn near(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() <= expected.abs() * 1e-9)
}

/// A job of fio 3 with reads alone: requests, milliseconds, mean and p99 of `clat` in ns.
fn fio_job(name: &str, group: u32, depth: u32, ios: u64, ms: u64, clat_ns: u64) -> String {
    let bytes = ios * 8_192;
    let iops = ios as f64 * 1e3 / ms as f64;
    format!(
        r#"    {{
      "jobname" : "{name}",
      "groupid" : {group},
      "error" : 0,
      "job options" : {{
        "name" : "{name}",
        "bs" : "8k",
        "rw" : "randread",
        "ioengine" : "libaio",
        "direct" : "1",
        "iodepth" : "{depth}"
      }},
      "read" : {{
        "io_bytes" : {bytes},
        "io_kbytes" : {},
        "bw_bytes" : {},
        "bw" : {},
        "iops" : {iops:.6},
        "runtime" : {ms},
        "total_ios" : {ios},
        "slat_ns" : {{ "min" : 900, "max" : 9000, "mean" : 1000.0, "N" : {ios} }},
        "clat_ns" : {{
          "min" : 100,
          "max" : {},
          "mean" : {clat_ns}.000000,
          "percentile" : {{
            "50.000000" : {clat_ns},
            "95.000000" : {},
            "99.000000" : {}
          }},
          "bins" : {{
            "{clat_ns}" : {ios}
          }}
        }},
        "lat_ns" : {{ "min" : 100, "max" : {}, "mean" : {}.000000 }}
      }},
      "write" : {{
        "io_bytes" : 0,
        "io_kbytes" : 0,
        "iops" : 0.000000,
        "runtime" : 0,
        "total_ios" : 0,
        "lat_ns" : {{ "min" : 0, "max" : 0, "mean" : 0.000000 }}
      }}
    }}"#,
        bytes / 1024,
        bytes * 1000 / ms,
        bytes * 1000 / ms / 1024,
        clat_ns * 5,
        clat_ns * 2,
        clat_ns * 3,
        clat_ns * 5 + 1_000,
        clat_ns + 1_000,
    )
}

fn fio(jobs: &[String]) -> String {
    format!("{{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [\n{}\n  ]\n}}\n", jobs.join(",\n"))
}

#[test]
fn fio_json_is_read_with_what_each_latency_counts_from() {
    let text =
        fio(&[fio_job("d1", 0, 1, 1_000, 1_000, 900_000), fio_job("d4", 1, 4, 3_000, 1_000, 1_300_000)]);
    let found = rows(&text);
    assert_eq!(found.len(), 2, "writes that did nothing are no row");
    let row = &found[1];
    assert_eq!((row.run, row.concurrency, row.block_bytes), (2, Some(4.0), Some(8_192.0)));
    assert_eq!((row.ios, row.bytes, row.elapsed_s), (Some(3_000.0), Some(24_576_000.0), Some(1.0)));
    assert_eq!((row.iops, row.mbps), (Some(3_000.0), Some(24.576)));
    // The mean holds the submission, the percentiles of clat do not.
    assert!(near(row.latency_mean_us, 1_301.0) && near(row.latency_p99_us, 3_900.0));
    assert!(near(row.latency_p95_us, 2_600.0) && near(row.latency_max_us, 6_501.0));
    assert_eq!((row.latency_from.as_str(), row.percentiles_from.as_deref()), ("submit", Some("submitted")));
    assert_eq!((row.latency_p90_us, row.latency_p999_us), (None, None), "not printed");
    let line = text.lines().position(|l| l.contains("\"read\"")).unwrap() + 1;
    assert_eq!(found[0].line as usize, line);
    let measured = &read(&text).results[0].measured;
    let histogram = measured.points[1].result.streams[0].latencies().unwrap();
    assert_eq!(histogram.len(), 3_000);
    assert!((histogram.value_at_percentile(50.0) as f64 / 1_300_000.0 - 1.0).abs() < 1.1e-3);
}

#[test]
fn lines_of_errors_in_the_json_of_fio_do_no_harm() {
    let whole = fio(&[fio_job("d1", 0, 1, 1_000, 1_000, 900_000)]);
    let clean = rows(&whole);
    let lines: Vec<&str> = whole.lines().collect();
    for at in 0..=lines.len() {
        let mut with: Vec<&str> = lines.clone();
        with.insert(at, "fio: io_u error on file x: Input/output error: read offset=8192, buflen=8192");
        let reading = read(&with.join("\n"));
        assert_eq!(reading.refused, None, "before line {at}");
        let mut found: Vec<IoResult> =
            reading.results.into_iter().flat_map(|r| r.report.tables.io_result).collect();
        found.iter_mut().for_each(|row| row.line = clean[0].line);
        assert_eq!(found, clean, "before line {at}");
    }
}

/// Standard error cuts standard output anywhere: what is read then is right or unknown.
#[test]
fn a_message_within_a_line_never_makes_another_number() {
    let whole = fio(&[fio_job("d1", 0, 1, 12_345, 1_000, 912_345)]);
    let clean = rows(&whole).remove(0);
    let message = "fio: pid=1234, err=5/file:io_u.c:1846, func=io_u error, error=Input/output error\n";
    for at in 0..whole.len() {
        let cut = format!("{}{message}{}", &whole[..at], &whole[at..]);
        let Some(reading) = read_storage("file", cut.as_bytes()) else { continue };
        for row in reading.results.iter().flat_map(|r| &r.report.tables.io_result) {
            let pairs = [
                (row.ios, clean.ios),
                (row.bytes, clean.bytes),
                (row.elapsed_s, clean.elapsed_s),
                (row.iops, clean.iops),
                (row.mbps, clean.mbps),
                // Without `lat` there is `clat`, and the row says so.
                (row.latency_mean_us.filter(|_| row.latency_from == "submit"), clean.latency_mean_us),
                (row.latency_max_us.filter(|_| row.latency_from == "submit"), clean.latency_max_us),
                (row.latency_p50_us, clean.latency_p50_us),
                (row.latency_p99_us, clean.latency_p99_us),
            ];
            for (found, right) in pairs {
                assert!(found.is_none() || found == right, "at {at}: {found:?} for {right:?}");
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_gives_whole_figures_or_none() {
    let whole =
        fio(&[fio_job("d1", 0, 1, 12_345, 1_000, 912_345), fio_job("d2", 1, 2, 23_456, 1_000, 812_345)]);
    let clean = rows(&whole);
    for at in 0..whole.len() - 2 {
        let Some(reading) = read_storage("file", &whole.as_bytes()[..at]) else { continue };
        assert!(reading.refused.is_some(), "cut at {at}");
        for row in reading.results.iter().flat_map(|r| &r.report.tables.io_result) {
            let right = clean.iter().find(|c| c.stream == row.stream).unwrap();
            for (found, right) in [
                (row.ios, right.ios),
                (row.iops, right.iops),
                (row.mbps, right.mbps),
                (row.latency_mean_us, right.latency_mean_us),
                (row.latency_p99_us, right.latency_p99_us),
            ] {
                assert!(found.is_none() || found == right, "cut at {at}: {found:?} for {right:?}");
            }
        }
    }
}

#[test]
fn fio_2_counts_kibibytes_and_microseconds() {
    let text = r#"{
  "fio version" : "fio-2.2.10",
  "jobs" : [
    {
      "jobname" : "old",
      "groupid" : 0,
      "error" : 5,
      "read" : {
        "io_bytes" : 81920,
        "bw" : 81920,
        "iops" : 10240.00,
        "runtime" : 1000,
        "total_ios" : 10240,
        "clat" : { "min" : 10, "max" : 2000, "mean" : 95.50,
          "percentile" : { "1.000000" : 20, "50.000000" : 90, "99.000000" : 300, "0.00" : 0, "0.00" : 0 } },
        "lat" : { "min" : 11, "max" : 2001, "mean" : 97.25 }
      }
    }
  ]
}
"#;
    let row = rows(text).remove(0);
    assert_eq!((row.bytes, row.ios), (Some(83_886_080.0), Some(10_240.0)));
    assert!(near(row.mbps, 83.886_08) && near(row.latency_mean_us, 97.25) && near(row.latency_p99_us, 300.0));
    assert_eq!((row.concurrency, row.block_bytes), (None, None), "no options are printed");
    assert!(row.errors.unwrap().contains("EIO"));
}

#[test]
fn figures_of_fio_that_contradict_each_other_are_not_believed() {
    let job = fio_job("d1", 0, 1, 1_000, 1_000, 900_000);
    let text = fio(&[job.replace("\"iops\" : 1000.000000", "\"iops\" : 5000.000000")]);
    let reading = read(&text);
    assert_eq!(reading.results[0].report.tables.io_result[0].iops, None);
    assert_eq!(reading.results[0].report.notes.len(), 1);
    // One entry for several jobs: more were under way than its own options say.
    let text = fio(&[job
        .replace("\"mean\" : 901000.0", "\"mean\" : 9010000.0")
        .replace("\"max\" : 4501000", "\"max\" : 45010000")]);
    assert_eq!(rows(&text)[0].concurrency, None);
    // And their requests were of another size.
    let text = fio(&[job.replace("\"bs\" : \"8k\"", "\"bs\" : \"64k\"")]);
    assert_eq!((rows(&text)[0].block_bytes, rows(&text)[0].pattern.as_deref()), (None, None));
    let text = fio(&[job.replace("\"99.000000\" : 2700000", "\"99.000000\" : 27")]);
    assert_eq!(
        (rows(&text)[0].latency_p50_us, rows(&text)[0].latency_p99_us),
        (None, None),
        "they do not rise"
    );
    let text = fio(&[job.replace("\"total_ios\" : 1000", "\"total_ios\" : -1000")]);
    assert_eq!(rows(&text)[0].ios, None);
    let text = fio(&[job.replace("\"iops\" : 1000.000000", "\"iops\" : 1000.0, \"iops\" : 2000.0")]);
    assert_eq!(rows(&text)[0].iops, None, "it stands twice");
}

const FIO_TEXT: &str = "\
d4: (g=0): rw=randread, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, ioengine=libaio, iodepth=4
...
fio-3.33
Starting 2 processes

d4: (groupid=0, jobs=2): err= 0: pid=19379: Sun Nov 22 00:15:18 2026
  read: IOPS=10.9k, BW=85.4MiB/s (89.5MB/s)(85.4MiB/1001msec)
    slat (nsec): min=1973, max=4286.5k, avg=17211.99, stdev=158792.40
    clat (usec): min=39, max=8517, avg=585.35, stdev=265.63
     lat (usec): min=39, max=8518, avg=602.43, stdev=265.64
    clat percentiles (usec):
     |  1.00th=[   42],  5.00th=[   45], 10.00th=[   48], 20.00th=[   52],
     | 50.00th=[  562], 90.00th=[ 1084], 95.00th=[ 1096], 99.00th=[ 1306],
     | 99.90th=[ 4146]
  lat (usec)   : 50=15.54%, 100=80.33%, 250=3.04%, 500=0.28%, 750=0.10%
  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
     issued rwts: total=10936,0,0,0 short=0,0,0,0 dropped=0,0,0,0

Run status group 0 (all jobs):
   READ: bw=85.4MiB/s (89.5MB/s), 85.4MiB/s-85.4MiB/s (89.5MB/s-89.5MB/s), io=85.4MiB (89.6MB), run=1001-1001msec
";

#[test]
fn text_of_fio_gives_rates_by_count_and_time() {
    let row = rows(FIO_TEXT).remove(0);
    assert_eq!((row.concurrency, row.block_bytes, row.line), (Some(8.0), Some(8_192.0), 7));
    assert!(near(row.iops, 10_936.0 / 1.001), "not the 10.9k that are printed");
    assert_eq!((row.ios, row.bytes), (Some(10_936.0), Some(89_587_712.0)));
    assert!(near(row.latency_mean_us, 602.43) && near(row.latency_p99_us, 1_306.0));
    assert_eq!(row.percentiles_from.as_deref(), Some("submitted"));
    // A count that does not fit the rate is not believed, the rate as printed is.
    let odd = rows(&FIO_TEXT.replace("total=10936,", "total=20936,")).remove(0);
    assert_eq!((odd.iops, odd.ios), (Some(10_900.0), None));
}

/// Its rate was that of a device with the depth that was asked for; the JSON of the same run was read right.
#[test]
fn a_depth_set_by_a_latency_target_was_the_one_asked_for() {
    let with = |target: &str| {
        let line = format!(
            "     latency   : target={target}, window=100000, percentile=95.00%, depth=4\n\nRun status"
        );
        read(&FIO_TEXT.replace("\nRun status", &line)).results.remove(0).measured.points.remove(0).parameters
    };
    let held = with("1000000");
    assert_eq!((held.concurrency, held.paced, held.pace.as_deref()), (None, true, Some("latency_target")));
    let free = with("0");
    assert_eq!((free.concurrency, free.paced, free.pace), (Some(8.0), false, None));
}

/// A rate of 0 beside 28.6 MB/s.
#[test]
fn a_rate_below_one_a_second_was_none() {
    let slow = FIO_TEXT.replace("IOPS=10.9k,", "IOPS=0,").replace("     issued rwts", "     other rwts");
    assert_eq!(rows(&slow)[0].iops, None);
    assert!(near(rows(&slow)[0].mbps, 89.548_390_4), "{:?}", rows(&slow)[0].mbps);
}

/// Percentiles as fio prints them, with one value for all.
fn percentiles_printed(heading: &str, us: u32) -> String {
    format!("    {heading} percentiles (usec):\n     | 50.00th=[ {us}], 99.00th=[ {us}], 99.90th=[ {us}]\n")
}

#[test]
fn percentiles_of_the_submission_or_of_some_requests_were_taken_for_those_of_all() {
    let with = |others: &str| {
        let at = FIO_TEXT.find("    clat percentiles").unwrap();
        rows(&format!("{}{others}{}", &FIO_TEXT[..at], &FIO_TEXT[at..])).remove(0)
    };
    let without = rows(FIO_TEXT).remove(0);
    for heading in ["slat", "clat prio 0/0 (49.99% of IOs)", "high prio clat"] {
        let row = with(&percentiles_printed(heading, 4));
        assert_eq!(
            (row.latency_p50_us, row.latency_p99_us),
            (without.latency_p50_us, without.latency_p99_us)
        );
        assert_eq!(row.percentiles_from.as_deref(), Some("submitted"), "{heading}");
    }
    // Alone they are none.
    let (head, rest) = FIO_TEXT.split_once("    clat percentiles").unwrap();
    let rest = rest.split_once("lat (usec)").unwrap().1;
    let row = rows(&format!("{head}{}  lat (usec){rest}", percentiles_printed("slat", 4))).remove(0);
    assert_eq!((row.latency_p50_us, row.percentiles_from), (None, None));
    let row = with("     lat prio 0/0 (usec): min=21, max=1466900, avg=294110.11, stdev=971.05\n");
    assert_eq!(row.latency_mean_us, without.latency_mean_us, "of a priority alone");
}

/// What the notes of the first result say, with what it changes.
fn notes(reading: &StorageReading) -> String {
    let notes = reading.results[0].report.notes.iter();
    notes.map(|n| format!("{:?} {}; {}\n", n.line, n.message, n.effect)).collect()
}

#[test]
fn percentiles_where_fios_histogram_ends_were_shorter_than_any_request() {
    let top = 17_112_760_320_u64;
    let job = fio_job("slow", 0, 8, 24, 75_000, 25_000_000_000);
    // 25 s each; the histogram of fio 3 ends at 17.2 s.
    let job = job
        .replace("\"min\" : 100", "\"min\" : 25000000000")
        .replace("\"50.000000\" : 25000000000", &format!("\"50.000000\" : {top}"))
        .replace("\"95.000000\" : 50000000000", &format!("\"95.000000\" : {top}"))
        .replace("\"99.000000\" : 75000000000", &format!("\"99.000000\" : {top}"))
        .replace("\"25000000000\" : 24", &format!("\"{top}\" : 24"));
    let reading = read(&fio(std::slice::from_ref(&job)));
    let row = &reading.results[0].report.tables.io_result[0];
    assert_eq!((row.latency_p50_us, row.latency_p95_us, row.latency_p99_us), (None, None, None));
    let stream = &reading.results[0].measured.points[0].result.streams[0];
    assert_eq!(stream.histogram, None, "it ends there too");
    assert_eq!(stream.latency_us.intervals["p99"], (25_000_000.0, 125_000_000.0));
    assert!(notes(&reading).contains("no request took less than 25.0 s"), "{}", notes(&reading));
    // A request that did take 17.1 s, where none took longer.
    let short = job
        .replace("\"min\" : 25000000000", "\"min\" : 16000000000")
        .replace("\"max\" : 125000000000", "\"max\" : 17150000000")
        .replace(": 25000000000.000000", ": 17000000000.000000");
    assert_eq!(rows(&fio(&[short])).remove(0).latency_p99_us, Some(17_112_760.32));
    // The same of the text, of which 2.x ends at 16.7 s and 3.x prints whole milliseconds.
    let text = |unit: &str, max: &str, percentiles: &str| {
        format!(
            "w: (groupid=0, jobs=1): err= 0: pid=7: Mon Nov 23 10:00:00 2026\n\
             \x20 write: IOPS=4, BW=64.0KiB/s (65.5kB/s)(5120KiB/80000msec)\n\
             \x20    clat (usec): min=4, max={max}, avg=4745693.16, stdev=9.00\n\
             \x20    clat percentiles ({unit}):\n     | {percentiles}\n"
        )
    };
    for (text, p50) in [
        (text("usec", "22610K", "50.00th=[1433600], 99.00th=[16711680], 99.90th=[16711680]"), 1_433_600.0),
        (text("msec", "94396k", "50.00th=[ 1434], 99.00th=[17113], 99.90th=[17113]"), 1_434_000.0),
    ] {
        let reading = read(&text);
        let row = &reading.results[0].report.tables.io_result[0];
        assert_eq!((row.latency_p50_us, row.latency_p99_us, row.latency_p999_us), (Some(p50), None, None));
        assert!(notes(&reading).contains("the percentiles 99 to 99.9 are printed as"), "{}", notes(&reading));
    }
    let whole = text("msec", "17150k", "50.00th=[ 1434], 99.00th=[17113], 99.90th=[17113]");
    assert_eq!(rows(&whole).remove(0).latency_p99_us, Some(17_113_000.0));
}

#[test]
fn pieces_of_fio_without_figures_were_no_report_of_a_database() {
    let refused = |text: &str| read(text).refused.unwrap();
    let sums = "Run status group 0 (all jobs):\n  WRITE: bw=174KiB/s (179kB/s), io=31.0MiB (32.5MB), run=182028-182028msec\n";
    assert!(refused(sums).contains("without the figures of any job"), "{}", refused(sums));
    let spread = "  IO depths    : 1=0.1%, 2=0.1%\n     issued rwts: total=0,1432,0,0 short=0,0,0,0\n";
    assert!(refused(spread).contains("without the figures of any job"), "{}", refused(spread));
    let logged = "10:22:23 DEBUG| [stdout]   write: IOPS=19, BW=19.0MiB/s (19.9MB/s)(39.0MiB/2052msec)\n";
    assert!(refused(logged).contains("`10:22:23 DEBUG| [stdout]`"), "{}", refused(logged));
    assert!(refused(logged).contains("heads of its jobs"), "{}", refused(logged));
    let old = "Client1 (g=0): err= 0:\n  write: io=    32MiB, bw=   666KiB/s, runt= 50320msec\n";
    assert!(refused(old).contains("before 2.0"), "{}", refused(old));
}

#[test]
fn jobs_without_their_line_had_the_options_of_their_neighbours() {
    // With several formats in one file fio leaves out the line of the first job.
    let (head, rest) = FIO_TEXT.split_once('\n').unwrap();
    let other = head.replace("8192B", "16.0KiB");
    let name = head.split(": (g=").next().unwrap();
    let only = format!("{}\n{rest}", other.replacen(name, "second", 1));
    let row = rows(&only).remove(0);
    assert_eq!((row.block_bytes, row.pattern, row.concurrency), (None, None, None));
    // One block for two jobs, one of which has no line.
    let row = rows(&FIO_TEXT.replace("\n...\n", "\n")).remove(0);
    assert_eq!((row.block_bytes, row.pattern, row.concurrency), (None, None, None));
    // Of clones there is one line, and dots below it.
    assert_eq!(rows(FIO_TEXT).remove(0).block_bytes, Some(8_192.0));
}

#[test]
fn a_request_that_failed_counted_as_bytes_moved() {
    let text = FIO_TEXT
        .replace("err= 0:", "err=28 (file:io_u.c:1876, func=io_u error, error=No space left on device):");
    let row = rows(&text).remove(0);
    assert!(row.errors.unwrap().contains("error 28"));
    assert_eq!(row.bytes, None, "the count of requests times their size is more than was moved");
    assert!(near(row.mbps, 85.4 * 1_048_576.0 / 1e6), "{:?}", row.mbps);
    // Of a job that moved nothing it is not said that it stands for several.
    let job = fio_job("a", 0, 1, 1, 1_000, 900_000).replacen("\"error\" : 0", "\"error\" : 28", 1);
    let job = job
        .replace("\"io_bytes\" : 8192", "\"io_bytes\" : 0")
        .replace("\"io_kbytes\" : 8", "\"io_kbytes\" : 0");
    let reading = read(&fio(&[job]));
    assert_eq!(reading.results[0].report.notes, []);
}

#[test]
fn reads_and_writes_were_counted_again_in_their_sum() {
    // `--unified_rw_reporting=both`.
    let one = fio_job("a", 0, 4, 1_000, 1_000, 3_900_000);
    let part = one.split_once("\"read\" : ").unwrap().1.split_once("\"write\" :").unwrap().0;
    let part = part.trim_end().trim_end_matches(',');
    let with_sum = one.replacen("\"read\" : ", &format!("\"mixed\" : {part},\n      \"read\" : "), 1);
    let found = rows(&fio(&[with_sum]));
    let shape: Vec<_> = found.iter().map(|r| (r.operation.as_str(), r.ios, r.concurrency)).collect();
    assert_eq!(shape, [("read", Some(1_000.0), Some(4.0))]);
    // Where it stands alone it is what there is.
    let alone = one.replacen("\"read\" : ", "\"mixed\" : ", 1);
    assert_eq!(rows(&fio(&[alone])).remove(0).operation, "mix");
    let text = FIO_TEXT.replacen(
        "  lat (usec)   :",
        "  mixed: IOPS=0, BW=0 (0)(0B/1001msec)\n    clat (usec): min=1, max=9, avg= 5.00, stdev= 1.0\n  lat (usec)   :",
        1,
    );
    let found = rows(&text);
    assert_eq!((found.len(), found[0].operation.as_str(), found[0].ios), (1, "read", Some(10_936.0)));
}

#[test]
fn each_word_of_how_far_a_run_was_counted_as_a_run() {
    // `--status-interval`: each report counts from the beginning.
    let at = |ms: u64, ios: u64, runtime: u64| {
        let text = fio(&[fio_job("a", 0, 4, ios, runtime, 3_900_000)]);
        text.replacen("\"jobs\"", &format!("\"timestamp_ms\" : {ms},\n  \"jobs\""), 1)
    };
    let whole = [at(1_000_000, 880, 880), at(1_001_000, 1_880, 1_880), at(1_001_120, 2_001, 2_001)].concat();
    let found = rows(&whole);
    assert_eq!(found.iter().map(|r| r.ios).collect::<Vec<_>>(), [Some(2_001.0)]);
    // One call after another, and two hosts side by side, are runs of their own.
    for other in [at(1_003_010, 2_001, 2_001), at(1_000_020, 881, 881)] {
        let found = rows(&[at(1_000_000, 880, 880), other].concat());
        assert_eq!(found.len(), 2, "{found:?}");
    }
    // The last one comes some 50 ms after its jobs have ended, however near the one before is.
    let whole =
        [at(1_000_000, 2_895, 2_895), at(1_001_000, 3_895, 3_895), at(1_001_149, 4_001, 4_001)].concat();
    assert_eq!(rows(&whole).iter().map(|r| r.ios).collect::<Vec<_>>(), [Some(4_001.0)]);
    let whole = [at(1_000_000, 895, 895), at(1_000_149, 1_001, 1_001)].concat();
    assert_eq!(rows(&whole).iter().map(|r| r.ios).collect::<Vec<_>>(), [Some(1_001.0)]);
    // The last one right behind the only one before it, and jobs one behind the other.
    let found = rows(&[at(1_000_894, 894, 894), at(1_001_001, 1_001, 1_001)].concat());
    assert_eq!(found.iter().map(|r| r.ios).collect::<Vec<_>>(), [Some(1_001.0)]);
    let of_two = |ms: u64, a: u64, b: u64| {
        let job = |name: &str, ms: u64| fio_job(name, 0, 4, ms, ms, 3_900_000);
        let text = fio(&[job("a", a), job("b", b)]);
        text.replacen("\"jobs\"", &format!("\"timestamp_ms\" : {ms},\n  \"jobs\""), 1)
    };
    let parts = [(1_000, 1_000, 1), (2_000, 2_000, 1), (3_000, 2_400, 600), (4_000, 2_400, 1_600)];
    let whole: Vec<String> = parts.iter().map(|(ms, a, b)| of_two(1_000_000 + ms, *a, *b)).collect();
    let found = rows(&whole.concat());
    assert_eq!(found.iter().map(|r| r.ios).collect::<Vec<_>>(), [Some(2_400.0), Some(1_600.0)]);
    let (head, block) = FIO_TEXT.split_once("\n\n").unwrap();
    let early = block.replace("total=10936,", "total=5468,").replace("1001msec", "501msec");
    let found = rows(&format!("{head}\n\n{early}\n{block}"));
    assert_eq!(found.iter().map(|r| r.ios).collect::<Vec<_>>(), [Some(10_936.0)]);
    let found = rows(&format!("{head}\n\n{}\n{block}", early.replace("pid=19379", "pid=19380")));
    assert_eq!(found.len(), 2, "a clone");
}

#[test]
fn syncs_that_fio_did_not_count_were_lost() {
    let sync = r#""sync" : { "total_ios" : 0, "lat_ns" : { "min" : 900, "max" : 9000, "mean" : 4000.0, "N" : 530 } },
      "read" : "#;
    let text = fio(&[fio_job("a", 0, 1, 1_000, 1_000, 900_000).replacen("\"read\" : ", sync, 1)]);
    let found = rows(&text);
    let row = found.iter().find(|r| r.operation == "sync").unwrap();
    assert_eq!((row.ios, row.latency_mean_us), (Some(530.0), Some(4.0)));
    assert!(
        rows(&text.replace("\"N\" : 530", "\"N\" : 0").replace("4000.0", "0.0"))
            .iter()
            .all(|r| r.operation != "sync")
    );
}

#[test]
fn loads_of_fio_that_go_elsewhere_were_held_against_each_other() {
    let of = |options: &str, rw: &str| {
        let job = fio_job("a", 0, 4, 1_000, 1_000, 3_900_000).replace("randread", rw);
        let text = fio(&[job.replacen("\"bs\" : \"8k\",", &format!("\"bs\" : \"8k\",{options}"), 1)]);
        read(&text).results.remove(0).measured.points.remove(0).parameters
    };
    let places = |options: &str, rw: &str| of(options, rw).places.unwrap();
    assert_eq!(places("", "randread"), Vec::<String>::new());
    assert_eq!(places(r#""random_distribution" : "random","#, "randread"), Vec::<String>::new());
    assert_eq!(
        places(r#""random_distribution" : "zipf:1.2", "offset" : "32m","#, "randread"),
        ["random_distribution=zipf:1.2", "offset=32m"]
    );
    // In the words of a job of ours, with which it may be held against each other.
    let split = |text: &str| places(&format!(r#""bssplit" : "{text}","#), "randread");
    assert_eq!(split("4k/25:8k/75"), ["sizes by weight 4096 (25), 8192 (75)"]);
    assert_eq!(split("4k/:8k/75,16k/100"), ["bssplit=4k/:8k/75,16k/100"]);
    // What a write waits for is nothing to reads.
    let sync = r#""fdatasync" : "1", "sync" : "dsync", "fsync" : "8","#;
    assert_eq!(places(sync, "randread"), Vec::<String>::new());
    assert_eq!(
        places(sync, "randwrite"),
        ["each write with O_DSYNC", "fsync after every 8 writes", "fdatasync after each write"]
    );
    assert_eq!((of("", "randrw").read_pct, of("", "randread").read_pct), (Some(50.0), None));
    assert_eq!(of(r#""rwmixwrite" : "30","#, "randrw").read_pct, Some(70.0));
    // A depth that fio sets by itself is not the one asked for.
    let target = of(r#""latency_target" : "5ms","#, "randread");
    assert_eq!((target.concurrency, target.paced), (None, true));
}

#[test]
fn a_rate_that_fio_was_held_to_counted_less_than_it_did() {
    let held = |rate: &str, rw: &str| {
        let job = fio_job("d4", 0, 4, 1_000, 1_000, 420_000);
        let job = job.replace("\"rw\" : \"randread\"", &format!("\"rw\" : \"{rw}\""));
        let option = format!("\"rate_iops\" : \"{rate}\",\n        \"direct\"");
        let row = rows(&fio(&[job.replace("\"direct\"", &option)])).remove(0);
        assert_eq!(row.concurrency, None, "{rate} {rw}");
        row.offered_iops
    };
    // fio 3.33 asks for 1,024 of `1k`, and for a rate of each direction.
    assert_eq!(held("1k", "randread"), Some(1_024.0));
    assert_eq!(held("200", "randread"), Some(200.0));
    assert_eq!(held("200", "randrw"), Some(400.0));
    assert_eq!([held("100,50", "randrw"), held("100,50", "randread")], [Some(150.0), Some(100.0)]);
    assert_eq!([held("100,50", "randwrite"), held("100,", "randrw")], [Some(50.0), None]);
}

#[test]
fn a_rate_that_fio_was_held_to_was_the_most_that_the_device_does() {
    let curve = |text: &str| {
        let all: Vec<_> = read(text).results.into_iter().map(|r| r.measured).collect();
        spindle_workload::DeviceCurve::of_results(&all)
    };
    let job = fio_job("d4", 0, 4, 200, 1_000, 420_000);
    for option in ["\"rate_iops\" : \"200\"", "\"thinktime\" : \"20000\""] {
        let held = job.replace("\"direct\"", &format!("{option},\n        \"direct\""));
        let refused = curve(&fio(std::slice::from_ref(&held))).unwrap_err().to_string();
        assert!(refused.contains("200 a second, was set by the tool"), "{refused}");
        // Below what the device does without, it is a latency like any other.
        let both = fio(&[held, fio_job("d8", 1, 8, 9_000, 1_000, 880_000)]);
        assert_eq!(curve(&both).unwrap().points.len(), 2);
    }
    // The text names no rate, but so few were under way only where there was one.
    let text = FIO_TEXT.replace("avg=602.43", "avg=60.43").replace("avg=585.35", "avg=55.35");
    let row = rows(&text).remove(0);
    assert_eq!(row.concurrency, None, "{row:?}");
    assert!(curve(&text).unwrap_err().to_string().contains("set by the tool"));
    assert!(curve(FIO_TEXT).is_ok());
}

#[test]
fn text_of_fio_2_counts_1024_where_it_says_kb() {
    let text = "\
old: (g=0): rw=randwrite, bs=4K-4K/4K-4K/4K-4K, ioengine=sync, iodepth=16
fio-2.1.11
old: (groupid=0, jobs=1): err= 0: pid=77: Sun Nov 22 00:15:18 2026
  write: io=40960KB, bw=4096.0KB/s, iops=1024, runt= 10000msec
    clat (msec): min=1, max=20, avg= 9.50, stdev= 1.00
     lat (msec): min=1, max=20, avg= 9.75, stdev= 1.00
    clat percentiles (msec):
     |  1.00th=[    0], 50.00th=[    9], 99.00th=[   18]
     issued    : total=r=0/w=10240/d=0, short=r=0/w=0/d=0
";
    let row = rows(text).remove(0);
    assert_eq!((row.ios, row.bytes, row.iops), (Some(10_240.0), Some(41_943_040.0), Some(1_024.0)));
    assert!(
        near(row.mbps, 4.194_304) && near(row.latency_mean_us, 9_750.0) && near(row.latency_p50_us, 9_000.0)
    );
    // This engine keeps one request under way whatever is asked for.
    assert_eq!((row.concurrency, row.pattern.as_deref()), (Some(1.0), Some("randwrite")));
}

#[test]
fn orions_megabytes_are_2_to_the_20th() {
    let text = "ORION VERSION 11.2.0.4.0\n\nSmall IO size: 8 KB\nLarge IO size: 1024 KB\nWrites: 0%\n\
        Maximum Large MBPS=250.50 @ Small=0 and Large=2\n\
        Maximum Small IOPS=4000 @ Small=5 and Large=0\n\
        Small Read Latency: avg=1250 us, min=91 us, max=22316 us, std dev=454 us @ Small=5 and Large=0\n\
        Minimum Small Latency=400.25 usecs @ Small=1 and Large=0\n\
        Small Read / Write Latency Histogram @ Small=1 and Large=0\n\
        Latency:                         # of IOs (read)          # of IOs (write)\n\
        0 - 128        us:              10 ( 10.00%)              0 (  0.00%)\n\
        128 - 256        us:              80 ( 90.00%)              0 (  0.00%)\n\
        256 - 512        us:              10 (100.00%)              0 (  0.00%)\n";
    let reading = read(text);
    let found = &reading.results[0].report.tables.io_result;
    let at = |small: f64, large: f64| {
        found.iter().find(|r| (r.small, r.large) == (Some(small), Some(large))).unwrap()
    };
    assert!(near(at(0.0, 2.0).mbps, 262.668_288) && at(0.0, 2.0).iops.is_none());
    assert_eq!((at(5.0, 0.0).iops, at(5.0, 0.0).latency_mean_us), (Some(4_000.0), Some(1_250.0)));
    assert_eq!((at(1.0, 0.0).ios, at(1.0, 0.0).latency_p99_us), (Some(100.0), None));
    let point = reading.results[0].measured.points.iter().find(|p| p.parameters.small == Some(1)).unwrap();
    // Of a histogram a percentile is known between two bounds.
    assert_eq!(point.result.streams[0].latency_us.intervals["p99"], (256.0, 512.0));
    let old = "ORION VERSION 10.2.0.1.0\nWrite: 0%\nMinimum Small Latency=7.45 @ Small=1 and Large=0\n";
    assert_eq!(rows(old)[0].latency_mean_us, Some(7_450.0), "milliseconds, without a unit");
}

/// 12.2 prints the latency of writes and the next figure in one line.
#[test]
fn orions_reads_and_writes_have_latencies_of_their_own() {
    let text = "Maximum Small IOPS=900 @ Small=60 and Large=0\n\
        Small Read Latency: avg=74000.5 us, min=6 us, max=180620.2 us, std dev=1 us @ Small=60 and Large=0\n\
        Small Write Latency: avg=73000.1 us, min=6 us, max=187240.8 us, std dev=1 us @ Small=60 and Large=0Minimum Small Latency=4409.9 usecs @ Small=4 and Large=0\n\
        Small Read Latency: avg=4455.9 us, min=2 us, max=126228.4 us, std dev=2 us @ Small=4 and Large=0\n";
    let found = rows(text);
    let of: Vec<_> =
        found.iter().map(|r| (r.small.unwrap(), r.operation.as_str(), r.iops, r.latency_mean_us)).collect();
    let expected = [
        (4.0, "read", None, Some(4_409.9)),
        (60.0, "mix", Some(900.0), None),
        (60.0, "read", None, Some(74_000.5)),
        (60.0, "write", None, Some(73_000.1)),
    ];
    assert_eq!(of, expected);
}

#[test]
fn a_table_of_orion_that_does_not_say_what_it_holds_is_refused() {
    let table = "Large/Small,      0,      1,      2\n      0,        ,   130,   250\n      1,        ,   100,   180\n";
    assert!(read(table).refused.unwrap().contains("does not say"));
    let iops = format!("Rates sustained by small I/Os in IOPS.\n{table}");
    let found = rows(&iops);
    assert_eq!(found.len(), 4);
    assert_eq!((found[3].small, found[3].large, found[3].iops), (Some(2.0), Some(1.0), Some(180.0)));
    let cut = rows(iops.trim_end());
    assert_eq!(cut.len(), 3, "the last figure may be cut");
}

#[test]
fn calibrations_are_read_as_printed_and_from_the_view() {
    let printed = "SQL> begin dbms_output.put_line('max_iops = ' || iops);\nmax_iops = 5944\nlatency  = 9\nmax_mbps = 480\n";
    let reading = read(printed);
    let row = &reading.results[0].report.tables.io_calibration[0];
    assert_eq!((row.line, row.max_iops, row.latency_us), (2, Some(5_944.0), Some(9_000.0)));
    assert_eq!((row.latency_us_low, row.latency_us_high), (Some(8_500.0), Some(9_500.0)));
    assert!(near(row.max_mbps, 503.316_48) && row.num_disks.is_none());
    let view = "\
START_TIME                     END_TIME                         MAX_IOPS   MAX_MBPS  MAX_PMBPS    LATENCY NUM_PHYSICAL_DISKS
------------------------------ ------------------------------ ---------- ---------- ---------- ---------- ------------------
28-OCT-15 11.00.12.345000 AM   28-OCT-15 11.12.13.100000 AM         1022       2885        289          0                 36
";
    let reading = read(view);
    let row = &reading.results[0].report.tables.io_calibration[0];
    assert_eq!((row.max_iops, row.num_disks), (Some(1_022.0), Some(36.0)));
    // 0 ms is less than half of one, and no latency of 0.
    assert_eq!((row.latency_us, row.latency_us_high), (None, Some(500.0)));
    let fine = read("max_iops = 24002\nlatency  = 10.868\nmax_mbps = 175\n");
    let row = &fine.results[0].report.tables.io_calibration[0];
    assert!(near(row.latency_us_low, 10_867.5) && near(row.latency_us_high, 10_868.5));
    // A script that would print it is no outcome.
    assert!(read_storage("x", b"select max_iops, max_mbps, latency from dba_rsrc_io_calibrate;\n").is_none());
}

#[test]
fn variables_of_a_block_that_calibrates_were_no_outcome() {
    let text = "l_max_iops = 5944\nl_max_mbps = 640\nl_latency = 9\n";
    let row = &read(text).results[0].report.tables.io_calibration[0];
    assert_eq!((row.max_iops, row.latency_us), (Some(5_944.0), Some(9_000.0)));
}

#[test]
fn a_latency_of_a_microsecond_was_believed_of_a_calibration() {
    let printed = read("max_iops = 1829\nlatency  = .001\nmax_mbps = 367\n");
    let row = &printed.results[0].report.tables.io_calibration[0];
    assert_eq!((row.max_iops, row.latency_us, row.latency_us_high), (Some(1_829.0), None, None));
    assert!(notes(&printed).contains("0.0027 under way at most"), "{}", notes(&printed));
    assert_eq!(printed.results[0].measured.calibration.as_ref().unwrap().actual_latency_us, None);
    // One slow disk, and a latency rounded down.
    let slow = read("max_iops = 100\nlatency  = 9\nmax_mbps = 36\n");
    assert_eq!(slow.results[0].report.tables.io_calibration[0].latency_us, Some(9_000.0));
}

#[test]
fn columns_of_sysstat_are_found_by_heading() {
    let new = "Linux 5.14.0 (db01) \t11/22/2026 \t_x86_64_\t(16 CPU)\n\n\
        Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await  d/s  dkB/s  d_await  aqu-sz  %util\n\
        sda  10.00  80.00  5.00  20.00  160.00  1.00  0.00  0.00  0.00  0.07  5.00\n\n\
        Device  w/s  wkB/s  w_await  r/s  rkB/s  r_await  d/s  dkB/s  d_await  aqu-sz  %util\n\
        sda  20.00  160.00  0.00  100.00  800.00  6.50  2.00  16.00  0.30  0.65  60.00\n\n";
    let found = rows(new);
    let phases: Vec<&str> = found.iter().map(|r| r.phase.as_deref().unwrap()).collect();
    assert_eq!(phases, ["since boot", "since boot", "2", "2", "2"]);
    assert_eq!((found[2].iops, found[2].latency_mean_us), (Some(100.0), Some(6_500.0)));
    assert!(near(found[2].mbps, 0.819_2));
    assert_eq!((found[3].iops, found[3].latency_mean_us), (Some(20.0), None), "0.00 is no latency");
    let old = "Device:  rrqm/s  wrqm/s  r/s  w/s  rsec/s  wsec/s  avgrq-sz  avgqu-sz  await  svctm  %util\n\
        sda  0,10  5,20  3,00  7,00  48,00  112,00  16,00  0,05  4,80  1,00  1,00\n";
    let found = rows(old);
    assert_eq!((found[0].iops, found[1].iops), (Some(3.0), Some(7.0)));
    assert!(near(found[0].mbps, 0.024_576));
    // One latency for both kinds has no rate of its own.
    assert_eq!((found[2].iops, found[2].latency_mean_us), (None, Some(4_800.0)));
    let plain = "Device:  tps  MB_read/s  MB_wrtn/s  MB_read  MB_wrtn\nsdb  12.00  1.00  3.00  1000  2000\n";
    assert!(near(rows(plain)[0].mbps, 4.194_304));
}

#[test]
fn sar_has_one_latency_for_all_and_a_mean_at_its_end() {
    let text = "Linux 4.18.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n\
        12:00:01 AM       DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util\n\
        12:10:01 AM       sda     50.00    400.00    100.00     10.00      0.10      2.50     10.00\n\
        12:20:01 AM       sda     70.00    400.00    100.00     10.00      0.10      3.50     10.00\n\
        Average:          DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util\n\
        Average:          sda     60.00    400.00    100.00     10.00      0.10      3.08     10.00\n";
    let reading = read(text);
    assert_eq!(reading.refused, None);
    let found = &reading.results[0].report.tables.io_result;
    let phases: Vec<&str> = found.iter().map(|r| r.phase.as_deref().unwrap()).collect();
    assert_eq!(phases, ["12:10:01 AM", "12:20:01 AM", "average"]);
    assert_eq!((found[1].iops, found[1].latency_mean_us), (Some(70.0), Some(3_500.0)));
    assert_eq!(found[1].latency_from, "queue");
}

#[test]
fn interfaces_of_the_network_were_read_as_disks() {
    // `sar -A`: the table behind the disks has as many columns.
    let text = "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n\
        12:00:01          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
        12:10:01          sda     50.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\n\
        12:00:01        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil\n\
        12:10:01         eth0     51.00     52.00      5.00      6.00      0.00      0.00      0.00      0.00\n\n\
        Average:          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
        Average:          sda     50.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\n\
        Average:        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil\n\
        Average:         eth0     51.00     52.00      5.00      6.00      0.00      0.00      0.00      0.00\n";
    let reading = read(text);
    assert_eq!(reading.refused, None);
    let found = &reading.results[0].report.tables.io_result;
    let shape: Vec<_> = found.iter().map(|r| (r.phase.as_deref().unwrap(), r.stream.as_str())).collect();
    assert_eq!(shape, [("12:10:01", "sda"), ("average", "sda")]);
}

#[test]
fn writes_were_lost_where_iostat_has_a_table_each_for_reads_and_writes() {
    // `iostat -hx` of 12.6: a name in the last column, units behind the numbers, tables with blank lines between.
    let text = "Linux 6.1.0 (db01) \t11/24/26 \t_x86_64_\t(2 CPU)\n\n\
        avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n\
        \x20         29.7%   25.1%    5.6%    2.9%    0.2%   36.4%\n\n\
        \x20    r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n\
        \x203005.71     11.9M     0.07   0.0%    0.15     4.1k loop0\n\
        \x201382.21      7.3M     2.68   0.2%    0.43     5.4k my disk\n\n\
        \x20    w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n\
        \x20   0.02      1.1k     0.02  56.1%    2.32    64.8k loop0\n\
        \x20  26.78      4.1M     8.41  23.9%    2.00   158.0k my disk\n\n\
        \x20    f/s f_await  aqu-sz  %util Device\n\
        \x20   0.01    5.99    0.44   1.0% loop0\n\
        \x20   8.78    0.21    0.65   2.2% my disk\n\n\n\
        avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n\
        \x20          0.0%    0.0%    0.0%    0.0%    0.0%  100.0%\n\n\
        \x20    r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n\
        \x20  10.00      0.1k     0.00   0.0%    1.00     0.0k loop0\n\n\
        \x20    w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n\
        \x20   5.00      2.5k     0.00   0.0%    2.00     0.0k loop0\n\n";
    assert_eq!(read(text).refused, None);
    let found = rows(text);
    let of: Vec<_> =
        found.iter().map(|r| (r.phase.as_deref().unwrap(), r.stream.as_str(), r.iops.unwrap())).collect();
    assert_eq!(
        of,
        [
            ("since boot", "loop0", 3_005.71),
            ("since boot", "loop0", 0.02),
            ("since boot", "my disk", 1_382.21),
            ("since boot", "my disk", 26.78),
            ("2", "loop0", 10.0),
            ("2", "loop0", 5.0),
        ]
    );
    assert!(near(found[0].mbps, 11.9 * 1.048_576) && near(found[1].mbps, 1.1 * 1_024.0 / 1e6));
    assert!(near(found[3].mbps, 4.1 * 1.048_576) && found[3].latency_mean_us == Some(2_000.0));
    let plain = "      tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn Device\n\
        \x201413.33         7.3M         4.1M     102.3G      58.3G vda\n";
    assert!(near(rows(plain)[0].mbps, 11.4 * 1.048_576));
}

#[test]
fn names_of_devices_on_a_line_of_their_own_were_left_out() {
    let text = "Device:  rrqm/s  wrqm/s  r/s  w/s  rkB/s  wkB/s  avgrq-sz  avgqu-sz  await  svctm  %util\n\
        mpath-of-the-data-disk-number-1\n\
        \x20             0.10  5.20  3.00  7.00  24.00  56.00  16.00  0.05  4.80  1.00  1.00\n\
        sda           0.10  5.20  4.00  8.00  24.00  56.00  16.00  0.05  4.80  1.00  1.00\n";
    assert_eq!(read(text).refused, None);
    let found = rows(text);
    let of: Vec<_> = found.iter().map(|r| (r.stream.as_str(), r.iops)).collect();
    let wrapped = "mpath-of-the-data-disk-number-1";
    assert_eq!(of[..3], [(wrapped, Some(3.0)), (wrapped, Some(7.0)), (wrapped, None)]);
    assert_eq!(of[3..], [("sda", Some(4.0)), ("sda", Some(8.0)), ("sda", None)]);
}

#[test]
fn sar_with_a_time_zone_behind_am_and_pm_was_refused() {
    // As in `en_IN`.
    let text = "Linux 5.4.17 (db01) \tFriday 27 November 2026 \t_x86_64_\t(4 CPU)\n\n\
        12:55:18 PM IST       DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n\
        12:55:28 PM IST       sda     50.00    400.00    100.00     10.00      0.10      2.50      0.10      0.50\n\
        12:55:38 PM IST       sda     60.00    400.00    100.00     10.00      0.10      3.50      0.10      0.50\n\n\
        Average:          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n\
        Average:          sda     55.00    400.00    100.00     10.00      0.10      3.05      0.10      0.50\n";
    let reading = read(text);
    assert_eq!(reading.refused, None);
    let found: Vec<_> = rows(text).iter().map(|r| (r.phase.clone().unwrap(), r.iops.unwrap())).collect();
    let expected = [("12:55:28 PM IST", 50.0), ("12:55:38 PM IST", 60.0), ("average", 55.0)];
    assert_eq!(found, expected.map(|(phase, iops)| (phase.to_owned(), iops)));
}

#[test]
fn sar_without_an_interval_counts_from_boot_and_was_one() {
    // `sar -d 0`: the time of the headings is that of the row.
    let report = |time: &str| {
        format!(
            "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n\
            12:10:01          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
            {time}          sda     50.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n"
        )
    };
    let phase = |text: &str| rows(text)[0].phase.clone().unwrap();
    assert_eq!(phase(&report("12:10:01")), "since boot");
    assert_eq!(phase(&report("12:10:02")), "12:10:02");
    assert!(notes(&read(&report("12:10:01"))).contains("counts from boot"));
    assert!(!notes(&read(&report("12:10:02"))).contains("counts from boot"));
}

#[test]
fn sar_with_its_device_last_was_taken_for_no_report_of_a_database() {
    // `sar -d -h`, 12 and 24 hours.
    let text = "Linux 6.1.0 (db01) \t11/24/26 \t_x86_64_\t(2 CPU)\n\n\
        12:00:01 AM       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util DEV\n\
        12:10:01 AM     50.00      1.5M    100.0k      0.0k     10.0k      0.10      2.50      0.1% sda\n\
        12:10:01 AM      0.00      0.0k      0.0k      0.0k      0.0k      0.00      0.00      0.0% sdb\n\
        Average:        50.00      1.5M    100.0k      0.0k     10.0k      0.10      2.50      0.1% sda\n";
    for text in [text.to_owned(), text.replace(" AM", "")] {
        let reading = read(&text);
        assert_eq!((reading.refused, reading.results[0].report.identity.kind), (None, Kind::Sar));
        // What is known of sar counts here too: it was watched, and says nothing of what the disk can do.
        let point = &reading.results[0].measured.points[0];
        assert_eq!(point.result.environment.program.as_deref(), Some("sar"));
        let found = &reading.results[0].report.tables.io_result;
        let of: Vec<_> = found.iter().map(|r| (r.stream.as_str(), r.iops, r.latency_mean_us)).collect();
        let sda = ("sda", Some(50.0), Some(2_500.0));
        assert_eq!(of, [sda, ("sdb", Some(0.0), None), sda]);
        assert!(near(found[0].mbps, (1.5 * 1_048_576.0 + 102_400.0) / 1e6));
    }
}

#[test]
fn a_second_summary_of_orion_overwrote_the_first() {
    let summary = |device: &str, mbps: f64, iops: u32, at: u32, ms: f64, writes: u32| {
        format!(
            "ORION VERSION 11.1.0.7.0\n\nCommandline:\n-run simple\n\nSmall IO size: 8 KB\nLarge IO size: 1024 KB\n\
             Write: {writes}%\nName: {device}\n\nMaximum Large MBPS={mbps} @ Small=0 and Large=2\n\
             Maximum Small IOPS={iops} @ Small=5 and Large=0\nMinimum Small Latency={ms} @ Small={at} and Large=0\n\n"
        )
    };
    let (first, second) =
        (summary("/dev/sdx", 900.0, 9_000, 5, 0.25, 0), summary("/dev/sdy", 80.0, 700, 1, 1.5, 100));
    let reading = read(&format!("{first}{second}"));
    assert_eq!(reading.results.len(), 2);
    let of = |n: usize| {
        let rows = &reading.results[n].report.tables.io_result;
        let figures = rows.iter().map(|r| (r.small.unwrap(), r.operation.clone(), r.iops, r.latency_mean_us));
        figures.collect::<Vec<_>>()
    };
    assert_eq!(of(0), [(0.0, "read".into(), None, None), (5.0, "read".into(), Some(9_000.0), Some(250.0))]);
    let expected = [
        (0.0, "write".into(), None, None),
        (1.0, "write".into(), None, Some(1_500.0)),
        (5.0, "write".into(), Some(700.0), None),
    ];
    assert_eq!(of(1), expected);
    // Lines are those of the whole file.
    let lines = first.lines().count() as u32;
    assert_eq!(reading.results[1].report.tables.io_result[0].line, lines + 11);
    // Without headings another value of the same figure begins another run; the same lines again do not.
    let bare =
        |text: &str| text.lines().filter(|l| l.contains("@ Small=")).fold(String::new(), |a, l| a + l + "\n");
    assert_eq!(read(&(bare(&first) + &bare(&second))).results.len(), 2);
    assert_eq!(read(&(bare(&first) + &first)).results.len(), 1);
}

#[test]
fn latencies_of_which_a_part_is_longer_than_the_whole_were_believed() {
    let text = "reads: (groupid=0, jobs=1): err= 0: pid=7: Mon Nov 23 10:00:00 2026\n\
        \x20 read: IOPS=5000, BW=39.1MiB/s (41.0MB/s)(39.1MiB/1000msec)\n\
        \x20   clat (msec): min=100, max=10000, avg=5000.00, stdev=9.00\n\
        \x20    lat (usec): min=30, max=29000, avg=99.00, stdev=9.00\n\
        \x20   clat percentiles (msec):\n\
        \x20    | 50.00th=[ 4900], 99.00th=[ 9900]\n\
        \x20    issued rwts: total=5000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n";
    let reading = read(text);
    let report = &reading.results[0].report;
    let row = &report.tables.io_result[0];
    assert_eq!((row.iops, row.latency_mean_us, row.latency_p50_us), (Some(5_000.0), None, None));
    assert!(report.notes.iter().any(|n| n.line == Some(2) && n.message.contains("mean of clat")));
    // The same of the JSON.
    let job = fio_job("a", 0, 4, 1_000, 1_000, 50_000).replace("\"mean\" : 51000.0", "\"mean\" : 900.0");
    let reading = read(&fio(&[job]));
    let row = &reading.results[0].report.tables.io_result[0];
    assert_eq!((row.iops, row.latency_mean_us, row.latency_p99_us), (Some(1_000.0), None, None));
}

/// A job of fio that did so many requests in a second, as text.
fn printed(name: &str, pid: u32, at: &str, ios: u64) -> String {
    format!(
        "{name}: (groupid=0, jobs=1): err= 0: pid={pid}: {at}\n  read: IOPS={ios}, BW={0}KiB/s (1kB/s)({0}KiB/1000msec)\n     \
         lat (usec): min=30, max=29000, avg=1990.00, stdev=9.00\n     issued rwts: total={ios},0,0,0 short=0,0,0,0\n",
        ios * 8
    )
}

#[test]
fn the_sum_over_all_clients_was_one_more_job_and_those_of_several_runs_were_one() {
    let at = "Fri Nov 27 12:02:13 2026";
    let asked = "<db01> a: (g=0): rw=randread, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, ioengine=libaio, iodepth=2\n";
    let both = format!("{asked}{}", asked.replace("db01", "db02"));
    let text =
        both + &printed("a", 7, at, 100) + &printed("a", 8, at, 200) + &printed("All clients", 0, at, 300);
    let reading = read(&text);
    let report = &reading.results[0].report;
    let rates: Vec<_> =
        report.tables.io_result.iter().map(|r| (r.run, r.iops.unwrap(), r.concurrency)).collect();
    assert_eq!(rates, [(1, 100.0, None), (1, 200.0, None)]);
    assert!(report.sections.iter().any(|s| s.title == "All clients"), "what is left out is listed");
    // Where the sums alone stand, each is a run.
    let alone =
        printed("All clients", 0, at, 300) + &printed("All clients", 0, "Fri Nov 27 12:04:20 2026", 310);
    let found = rows(&alone);
    assert_eq!(found.iter().map(|r| (r.run, r.iops.unwrap())).collect::<Vec<_>>(), [(1, 300.0), (2, 310.0)]);
    let sum = alone.replace("BW=2400KiB/s", "BW=178Mi").replace("(2400KiB/1000msec)", "(178MiB/1002msec)");
    assert!(near(rows(&sum)[0].mbps, 178.0 * 1.048_576));
}

#[test]
fn two_calls_of_fio_one_below_the_other_were_jobs_that_ran_together() {
    let times = |a: &str, b: &str| {
        let found =
            rows(&(printed("job0", 7, a, 100) + "\nWith the other setting:\n" + &printed("job0", 9, b, 120)));
        found.iter().map(|r| r.run).collect::<Vec<_>>()
    };
    assert_eq!(times("Thu Jan 27 15:33:45 2022", "Thu Jan 27 15:50:46 2022"), [1, 2]);
    assert_eq!(times("Thu Jan 27 15:33:45 2022", "Fri Jan 28 15:33:45 2022"), [1, 2]);
    // Jobs that ran together are printed within a moment, midnight or not.
    assert_eq!(times("Thu Jan 27 15:33:45 2022", "Thu Jan 27 15:33:46 2022"), [1, 1]);
    assert_eq!(times("Thu Jan 27 23:59:59 2022", "Fri Jan 28 00:00:00 2022"), [1, 1]);
    assert_eq!(times("", ""), [1, 1], "old releases print no time");
}

#[test]
fn a_rate_whose_decimals_fio_cut_away_was_believed() {
    let text = |line: &str| {
        format!(
            "w: (groupid=0, jobs=1): err= 0: pid=7: Fri Oct  6 05:21:27 2017\n  write: IOPS=3068, {line}\n"
        )
    };
    // 3.1 has 11.0 where 11.98 were written.
    let reading = read(&text("BW=11.0MiB/s (12.6MB/s)(4096MiB/341704msec)"));
    let report = &reading.results[0].report;
    assert!(near(report.tables.io_result[0].mbps, 4_096.0 * 1.048_576 / 341.704), "{report:?}");
    assert!(report.notes.iter().any(|n| n.line == Some(2) && n.message.contains("differ")));
    // Three that agree: the sharpest, and nothing is said.
    let reading = read(&text("BW=1530MiB/s (1604MB/s)(14.9GiB/10001msec)"));
    let report = &reading.results[0].report;
    assert!(report.tables.io_result[0].mbps.is_some_and(|mbps| (1_603.0..1_605.5).contains(&mbps)));
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    assert_eq!(rows(&text("BW=11.0MiB/s (99.0MB/s)(4096MiB/341704msec)"))[0].mbps, None, "no two agree");
}

#[test]
fn the_sum_over_clients_alone_was_no_result_in_json() {
    let sum = fio_job("All clients", 0, 4, 1_000, 1_000, 50_000);
    let part = fio_job("a", 0, 4, 400, 1_000, 50_000);
    let rates = |jobs: &[String]| {
        let found = rows(&fio(jobs));
        found.iter().map(|r| r.iops.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(rates(std::slice::from_ref(&sum)), [1_000.0]);
    assert_eq!(rates(&[part, sum]), [400.0]);
}

#[test]
fn output_of_fio_in_quotations_was_said_to_hold_no_io() {
    let text = "reads: (groupid=0, jobs=1): err= 0: pid=7: Mon Nov 23 10:00:00 2026\n\
        \x20 read: IOPS=500, BW=4000KiB/s (4096kB/s)(4000KiB/1000msec)\n\
        \x20    lat (usec): min=30, max=29000, avg=1990.00, stdev=9.00\n";
    let marked = |mark: &str| text.lines().fold("Hello,\n".to_owned(), |a, l| a + mark + l + "\n");
    for mark in ["> ", ">> ", "> > ", "# ", "        # "] {
        let found = rows(&marked(mark));
        assert_eq!(found.len(), 1, "{mark}");
        assert_eq!(
            (found[0].line, found[0].stream.as_str(), found[0].iops),
            (3, "reads", Some(500.0)),
            "{mark}"
        );
    }
    // What else stands before each line is named, and nothing is guessed; lines of a difference are of two files.
    let reason = read(&marked("10:00:43 DEBUG| ")).refused.unwrap();
    assert!(reason.contains("line 2") && reason.contains("`10:00:43 DEBUG|`"), "{reason}");
    assert!(read(&(marked("< ") + &marked("> "))).results.is_empty());
    let iostat = "> Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await\n> sda  10.00  80.00  5.00  20.00  160.00  1.00\n";
    assert_eq!(rows(iostat).len(), 2);
}

#[test]
fn reports_since_boot_counted_as_intervals_where_a_log_goes_on() {
    let call = |host: &str, rate: f64| {
        format!(
            "Linux 5.14.0 ({host}) \t11/22/2026 \t_x86_64_\t(16 CPU)\n\n\
             Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await\nsda  1.00  8.00  9.00  0.00  0.00  0.00\n\n\
             Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await\nsda  {rate}  8.00  5.00  0.00  0.00  0.00\n\n"
        )
    };
    let reading = read(&(call("db01", 100.0) + &call("db01", 200.0)));
    assert_eq!(reading.results.len(), 1);
    let reads = reading.results[0].report.tables.io_result.iter().filter(|r| r.operation == "read");
    let found: Vec<_> = reads.map(|r| (r.phase.as_deref().unwrap(), r.iops.unwrap())).collect();
    assert_eq!(found, [("since boot", 1.0), ("2", 100.0), ("since boot", 1.0), ("4", 200.0)]);
    // Another machine has a disk of the same name.
    let reading = read(&(call("db01", 100.0) + &call("db02", 200.0)));
    let hosts: Vec<_> = reading.results.iter().map(|r| r.report.identity.host.as_deref().unwrap()).collect();
    assert_eq!(hosts, ["db01", "db02"]);
    assert_eq!(reading.results[1].report.tables.io_result[0].line, 12);
}

#[test]
fn a_first_report_of_57_days_counted_as_an_interval() {
    let report = |reads: f64, kb: u64| {
        format!(
            "Device:  tps  kB_read/s  kB_wrtn/s  kB_read  kB_wrtn\nvda  0.04  {reads:.2}  0.94  {kb}  4526875\n\n"
        )
    };
    let phases = |text: &str| {
        let reading = read(text);
        let notes = notes(&reading);
        let found: Vec<_> =
            reading.results[0].report.tables.io_result.iter().map(|r| r.phase.clone()).collect();
        (found.into_iter().flatten().collect::<Vec<_>>(), notes)
    };
    let (found, said) = phases(&report(0.18, 892_712));
    assert_eq!(found, ["since boot"]);
    assert!(said.contains("covers 56 days") && !said.contains("is not known"), "{said}");
    // Two hours since boot, behind which an interval of a second shows that it is none.
    let next = "Device:  tps  kB_read/s  kB_wrtn/s  kB_read  kB_wrtn\nvda  9.00  40.00  0.00  40  0\n\n";
    let early = "Device:  tps  kB_read/s  kB_wrtn/s  kB_read  kB_wrtn\nvda  0.04  10.00  0.00  72000  0\n\n";
    let (found, said) = phases(&format!("{early}{next}{next}"));
    assert_eq!(found, ["since boot", "2", "3"]);
    assert!(said.contains("covers 2 hours"), "{said}");
    // An excerpt of intervals, and one hour alone, may be any report.
    assert_eq!(phases(&format!("{next}{next}")).0, ["1", "2"]);
    let (found, said) = phases(&early.replace("72000", "36000"));
    assert_eq!(found, ["1"]);
    assert!(said.contains("is not known"), "{said}");
}

#[test]
fn iostat_and_sar_of_other_systems_were_no_report_of_a_database() {
    for (text, what) in [
        (
            "device    r/s    w/s   Mr/s   Mw/s wait actv  svc_t  %w  %b\nsd1 1.0 2.0 0.1 1.2 0.0 0.1 6.2 1 2\n",
            "Solaris",
        ),
        (
            "#device,r/s,w/s,kr/s,kw/s,wait,actv,svc_t,%w,%b,\n#sd0,0.1,0.2,5.5,1.2,0.0,0.0,12.3,0,0\n",
            "Solaris",
        ),
        (
            "device     r/s     w/s    kr/s    kw/s  ms/r  ms/w  ms/o  ms/t qlen  %b\nada0 0 2 0 48 0.0 0.1 0.0 0.1 0 0\n",
            "FreeBSD",
        ),
        ("device r/i w/i kr/i kw/i qlen tsvc_t/i sb/i\nada0 9.0 8.0 5.9 1.0 0 1.3 4.8\n", "FreeBSD"),
        ("Disks:  % tm_act  Kbps  tps  Kb_read  Kb_wrtn\nhdisk9  0.0  8.0  2.0  0  8\n", "AIX"),
        ("       Kbps      tps    Kb_read   Kb_wrtn\n  Physical  0.0  0.0  0  0\n", "AIX"),
        ("  device    bps     sps    msps\n  c0t6d0  12  1.5  1.0\n", "HP-UX"),
        (
            "SunOS db 5.10 sun4u 03/18/2014\n12:36:32 device %busy avque r+w/s blks/s avwait avserv\n12:40:01 dad1 15 0.7 26 399 18.1 10.0\n",
            "sar -d of Solaris",
        ),
        (
            "12:36:32 device %busy avque r+w/s blks/s avwait avserv\n12:40:01 Sdsk-0 15 0.7 26 399 18.1 10.0\n",
            "System V",
        ),
        ("15:06:57, disk1_lunpath2, 43.74, 0.50, 93, 0, 1497, 0.00, 6.24\n", "HP-UX"),
    ] {
        let reading = read(text);
        let why = reading.refused.unwrap();
        assert!(reading.results.is_empty() && why.contains(what) && why.contains("not read"), "{text}{why}");
    }
    // Those of Linux stay what they are.
    let linux = "Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await\nsda  1.00  8.00  9.00  0.00  0.00  0.00\n";
    assert_eq!(rows(linux).len(), 2);
}

#[test]
fn times_of_sar_with_blanks_within_were_no_times() {
    for (hour, half) in [("20시 09분", ""), ("20시09분", ""), ("08시 09분", "오후 ")] {
        let blank = if hour.contains(' ') { " " } else { "" };
        let text = format!(
            "    $ sar -d -p 1\n    Linux 5.13.13 (db01) \t2026년 11월 23일 \t_x86_64_(8 CPU)\n\n\
             \x20   {half}{hour}{blank}42초       DEV       tps     rkB/s     wkB/s     await     %util\n\
             \x20   {half}{hour}{blank}43초     sda     12.00      0.00    100.00      1.89      1.70\n\
             \x20   {half}{hour}{blank}44초     sda     14.00      0.00    100.00      1.89      1.70\n"
        );
        let reading = read(&text);
        assert_eq!((reading.refused, reading.results[0].report.identity.kind), (None, Kind::Sar), "{text}");
        let found = &reading.results[0].report.tables.io_result;
        let of: Vec<_> = found.iter().map(|r| (r.line, r.iops)).collect();
        assert_eq!(of, [(5, Some(12.0)), (6, Some(14.0))], "{text}");
    }
}

#[test]
fn what_sadf_writes_was_not_known() {
    let text = "# hostname;interval;timestamp;CPU;%user;%idle\ndb01;600;2026-11-22 10:00:00 UTC;-1;1.00;99.00\n\
        # hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util\n\
        db01;600;2026-11-22 10:00:00 UTC;sda;100.00;400.00;600.00;0.00;10.00;0.30;3.00;30.00\n\
        db01;600;2026-11-22 10:00:00 UTC;sdb;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00\n\
        db01;600;2026-11-22 10:10:00 UTC;sda;50,00;0,00;100,00;0,00;2,00;0,10;2,50;9,00\n";
    let reading = read(text);
    assert_eq!((reading.refused, reading.results[0].report.identity.kind), (None, Kind::Sar));
    // What is known of sar counts here too: it was watched, and says nothing of what the disk can do.
    let point = &reading.results[0].measured.points[0];
    assert_eq!(point.result.environment.program.as_deref(), Some("sar"));
    let found = &reading.results[0].report.tables.io_result;
    let of: Vec<_> =
        found.iter().map(|r| (r.line, r.run, r.stream.as_str(), r.iops, r.latency_mean_us)).collect();
    let expected = [
        (4, 1, "sda", Some(100.0), Some(3_000.0)),
        (5, 1, "sdb", Some(0.0), None),
        (6, 2, "sda", Some(50.0), Some(2_500.0)),
    ];
    assert_eq!(of, expected);
    assert!(near(found[0].mbps, 1.024) && found[0].latency_from == "queue");
    assert_eq!(found[2].phase.as_deref(), Some("2026-11-22 10:10:00 UTC"));
    let old = "# hostname;interval;timestamp;DEV;tps;rd_sec/s;wr_sec/s;avgrq-sz;avgqu-sz;await;svctm;%util\n\
        db01;600;1700000000;dev8-0;10.00;100.00;100.00;20.00;0.10;2.00;1.00;1.00\ndb01;600;17";
    assert!(near(rows(old)[0].mbps, 0.102_4));
    // A row that is no row of these headings is told with its line.
    let cut = text.replace(";3.00;30.00", "");
    assert!(read(&cut).refused.unwrap().starts_with("line 4: a row has not as many cells"));
    let json = r#"{"sysstat": {"hosts": [{"nodename": "db01", "release": "5.14.0", "number-of-cpus": 4, "statistics": [
      {"timestamp": {"date": "2026-11-22", "time": "10:00:00", "utc": 1, "interval": 600}, "disk": [
        {"disk-device": "sda", "tps": 100.00, "rkB": 400.00, "wkB": 600.00, "dkB": 0.00, "await": 3.00},
        {"disk-device": "sdb", "tps": 10.00, "rd_sec": 100.00, "wr_sec": 100.00, "await": 0.00}]}]}]}}
"#;
    let found = rows(json);
    assert_eq!((found[0].iops, found[0].latency_mean_us, found[0].line), (Some(100.0), Some(3_000.0), 3));
    assert!(near(found[0].mbps, 1.024) && near(found[1].mbps, 0.102_4) && found[1].latency_mean_us.is_none());
    assert_eq!(found[0].phase.as_deref(), Some("2026-11-22 10:00:00"));
}

#[test]
fn output_of_sysstat_without_disks_was_not_known_for_what_it_is() {
    let head = "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n";
    let cpus = format!(
        "{head}avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n  1.00 0.00 1.00 9.00 0.00 89.00\n"
    );
    let refused = |text: &str| read(text).refused.unwrap();
    assert!(refused(&cpus).contains("iostat -c") && refused(&cpus).contains("iostat -x"));
    let sar = format!(
        "{head}12:00:01 CPU %user %nice %system %iowait %steal %idle\n12:10:01 all 1.00 0.00 1.00 9.00 0.00 89.00\n"
    );
    assert!(refused(&sar).contains("something else than disks") && refused(&sar).contains("sar -d"));
    assert!(read_storage("x", head.as_bytes()).is_none(), "the line of the machine alone says nothing");
}

#[test]
fn times_of_sar_in_other_languages_were_no_times() {
    let text = "Linux 2.6.32 (db01) \t2026年11月22日 \t_x86_64_\t(4 CPU)\n\n\
        00时00分01秒       DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n\
        00时10分01秒    dev8-0     24.00    100.00    100.00     19.03      0.22      8.50      6.55     16.15\n\
        平均时间:    dev8-0     24.00    100.00    100.00     19.03      0.22      8.50      6.55     16.15\n";
    let reading = read(text);
    assert_eq!(reading.refused, None);
    let found = &reading.results[0].report.tables.io_result;
    assert_eq!((found.len(), found[0].iops, found[0].latency_mean_us), (1, Some(24.0), Some(8_500.0)));
}

#[test]
fn many_jobs_in_many_groups_took_their_product() {
    // Groups by turns, each with half of the jobs.
    let mut text = String::new();
    for n in 0..10_000 {
        let _ = writeln!(text, "j{n}: (g={}): rw=read", n % 2);
    }
    for n in 0..10_000 {
        let _ = writeln!(text, "j{n}: (groupid={}, jobs=1): err= 0: pid={n}: Mon", n % 2);
        text.push_str("  read : io=8000KB, bw=8000KB/s, iops=1000, runt=  1000msec\n");
    }
    let begun = std::time::Instant::now();
    assert_eq!(rows(&text).len(), 10_000);
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}

#[test]
fn slobs_table_and_settings() {
    let table = "FILE|SESSIONS|ELAPSED|DB CPU|DB Tm|EXECUTES|LIO|PREADS|READ_MBS|PWRITES|WRITE_MBS|REDO_MBS|DFSR_LAT|DPR_LAT|DFPR_LAT|DFPW_LAT|LFPW_LAT|TOP WAIT|\n\
        awr.txt.8|8|300|1.2|7.9|100|9000|5000|   40.0|1000|  8|2.0|     500|0|0|0|    1200|db file sequential read|\n";
    let found = rows(table);
    assert_eq!((found[0].iops, found[0].latency_mean_us), (Some(5_000.0), Some(500.0)));
    assert!(near(found[0].mbps, 41.943_04));
    assert_eq!((found[1].latency_mean_us, found[2].latency_mean_us), (None, Some(1_200.0)));
    assert_eq!(found[0].latency_from, "unknown", "a wait of the database");
    let settings = "UPDATE_PCT=25   # of statements\nWORK_UNIT=64\nSYSDBA_PASSWD=\"secret\"\n";
    let reading = read(settings);
    assert_eq!(reading.results[0].report.identity.kind, Kind::Slob);
    let found = &reading.results[0].report.tables.parameter;
    assert_eq!((found[0].name.as_str(), found[0].begin_value.as_deref()), ("UPDATE_PCT", Some("25")));
    assert_eq!(found[2].begin_value, None, "what may be a password");
}

#[test]
fn settings_of_two_runs_became_one_list_without_a_word() {
    let reading = read("UPDATE_PCT=20\nWORK_UNIT=64\n\nUPDATE_PCT=0\nWORK_UNIT=64\n");
    let notes = &reading.results[0].report.notes;
    let said: Vec<(Option<u32>, &str)> = notes.iter().map(|n| (n.line, n.message.as_str())).collect();
    assert_eq!(said, [(Some(4), "`UPDATE_PCT` has another value than in line 1")]);
}

#[test]
fn reports_of_databases_are_no_results() {
    let report = "WORKLOAD REPOSITORY report for\n\nDevice  r/s  w/s  rkB/s\nsda 1 2 3\n";
    assert!(read_storage("x", report.as_bytes()).is_none());
    let refused = spindle_evidence::read("x", FIO_TEXT.as_bytes()).refused.unwrap();
    assert!(refused.contains("a result of fio and no report of a database"), "{refused}");
    assert!(!spindle_evidence::looks_like_storage(b"{\"a\":1}"));
}

#[test]
fn a_line_of_megabytes_is_read_in_time_that_follows_its_length() {
    let one = |line: &str| read_storage("x", line.as_bytes());
    let json = format!("{{\"fio version\":\"fio-3.1\",\"jobs\":[{}", "{\"fio version\":[".repeat(200_000));
    assert!(one(&json).is_none_or(|r| r.refused.is_some()));
    let wide = format!("{}{}\n", "Device: r/s w/s rkB/s ", "x ".repeat(2_000_000));
    assert!(one(&wide).is_none_or(|r| r.results.is_empty()));
    let text = format!("x: (groupid=0, jobs=1): err= 0: pid=1{}", "9".repeat(4_000_000));
    assert!(one(&text).is_none_or(|r| r.results.is_empty()));
}

fn samples() -> Vec<String> {
    let mut iostat = String::from("Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await\n");
    writeln!(iostat, "sda  10.00  80.00  5.00  20.00  160.00  1.00").unwrap();
    vec![
        fio(&[fio_job("d1", 0, 1, 1_000, 1_000, 900_000)]),
        FIO_TEXT.to_owned(),
        "ORION VERSION 1\nMaximum Small IOPS=4000 @ Small=5 and Large=0\n".to_owned(),
        "max_iops = 5944\nlatency = 9\nmax_mbps = 480\n".to_owned(),
        iostat,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Whatever is done to a file, it is read without a fall, and no figure is below zero or endless.
    #[test]
    fn damaged_files_are_read_without_a_fall(
        which in 0..5_usize,
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..12),
    ) {
        let mut bytes = samples()[which].clone().into_bytes();
        for (at, byte, how) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at),
                2 => bytes.insert(at, byte),
                _ => {
                    let piece = bytes[at..bytes.len().min(at + 40)].to_vec();
                    bytes.extend(piece);
                }
            }
        }
        if let Some(reading) = read_storage("x", &bytes) {
            for row in reading.results.iter().flat_map(|r| &r.report.tables.io_result) {
                for figure in [row.ios, row.bytes, row.elapsed_s, row.iops, row.mbps, row.latency_mean_us, row.latency_p99_us] {
                    prop_assert!(figure.is_none_or(|f| f >= 0.0 && f.is_finite()), "{row:?}");
                }
            }
        }
    }
}

/// Real files: of a closed loop, rate by mean latency is what was under way (Little), which the options say
/// apart from both; and nothing that is a report of a database is taken for a result.
#[test]
fn real_results_obey_littles_law() {
    let Some(corpus) = spindle_test_support::corpus() else { return };
    let (mut held, mut results) = (0, 0);
    for folder in std::fs::read_dir(&corpus).unwrap().flatten().filter(|f| f.path().is_dir()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        for file in std::fs::read_dir(folder.path()).unwrap().flatten().filter(|f| f.path().is_file()) {
            let Some(reading) = read_storage("x", &std::fs::read(file.path()).unwrap()) else { continue };
            assert!(["fio", "orion", "slob", "other"].contains(&name.as_str()), "{:?}", file.path());
            results += 1;
            for measured in reading.results.iter().map(|r| &r.measured) {
                for point in &measured.points {
                    let Some(asked) = point.parameters.concurrency else { continue };
                    let seen: f64 = point
                        .result
                        .streams
                        .iter()
                        .map(|s| s.iops.unwrap() * s.latency_us.mean.unwrap() / 1e6)
                        .sum();
                    assert!((seen / asked - 1.0).abs() < 0.02, "{:?}: {seen} of {asked}", file.path());
                    held += 1;
                }
            }
        }
    }
    println!("{results} real results, {held} runs of known depth");
    assert!(results >= 10 && held >= 8);
}

/// The program itself, where it is installed: its JSON against its text, which it writes in one run, and both
/// against the size of the file.
#[test]
fn what_fio_writes_here_is_read() {
    let folder = std::env::temp_dir().join(format!("spindle-fio-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, out) = (folder.join("data"), folder.join("out"));
    let ran = Command::new("fio")
        .args([
            "--name=w",
            "--rw=write",
            "--bs=64k",
            "--size=8m",
            "--ioengine=psync",
            "--output-format=normal,terse,json+",
        ])
        .arg(format!("--filename={}", file.display()))
        .args([
            "--name=r",
            "--stonewall",
            "--rw=randread",
            "--bs=4k",
            "--size=8m",
            "--ioengine=psync",
            "--norandommap",
        ])
        .arg(format!("--filename={}", file.display()))
        .arg(format!("--output={}", out.display()))
        .output();
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    std::fs::remove_dir_all(&folder).unwrap();
    match ran {
        Ok(ran) if ran.status.success() => {}
        _ => {
            println!("SKIPPED: fio is not installed or did not run");
            return;
        }
    }
    // The text for people stands behind the JSON.
    let behind = text.find("\n}\n").map_or(0, |at| at + 3);
    let (by_text, by_json) = (rows(&text[behind..]), rows(&text));
    let terse: String = text.lines().filter(|l| l.starts_with("3;fio-")).map(|l| format!("{l}\n")).collect();
    let by_terse = rows(&terse);
    assert_eq!((by_text.len(), by_json.len(), by_terse.len()), (2, 2, 2), "{text}");
    for (s, j) in by_terse.iter().zip(&by_json) {
        assert_eq!((&s.stream, &s.operation, s.elapsed_s), (&j.stream, &j.operation, j.elapsed_s));
        assert_eq!((&s.latency_from, &s.percentiles_from), (&j.latency_from, &j.percentiles_from));
        assert_eq!((s.ios, s.concurrency, s.block_bytes), (None, None, None), "it does not say so");
        // Whole requests a second, whole microseconds.
        let (si, ji) = (s.iops.unwrap(), j.iops.unwrap());
        assert!((0.0..1.001).contains(&(ji - si)), "{si} {ji}");
        assert!((s.mbps.unwrap() / j.mbps.unwrap() - 1.0).abs() < 0.01, "{s:?} {j:?}");
        assert!((s.latency_mean_us.unwrap() / j.latency_mean_us.unwrap() - 1.0).abs() < 1e-3, "{s:?} {j:?}");
        assert!((j.latency_p99_us.unwrap() - s.latency_p99_us.unwrap()).abs() <= 1.0, "{s:?} {j:?}");
    }
    for (t, j) in by_text.iter().zip(&by_json) {
        // All of the file, once, by either.
        assert_eq!((j.bytes, j.ios), (Some(8_388_608.0), Some(8_388_608.0 / j.block_bytes.unwrap())));
        assert_eq!(
            (t.ios, &t.stream, &t.operation, t.elapsed_s),
            (j.ios, &j.stream, &j.operation, j.elapsed_s)
        );
        let (ti, ji) = (t.iops.unwrap(), j.iops.unwrap());
        assert!((ti / ji - 1.0).abs() < 1e-3, "{ti} {ji}");
        let (tm, jm) = (t.latency_mean_us.unwrap(), j.latency_mean_us.unwrap());
        assert!((tm / jm - 1.0).abs() < 0.02, "{tm} {jm}");
        let (tp, jp) = (t.latency_p99_us.unwrap(), j.latency_p99_us.unwrap());
        assert!((tp / jp - 1.0).abs() < 0.05, "{tp} {jp}");
        // Closed loop of one: the rate follows from the mean, but for what fio itself takes.
        assert!(ji * jm / 1e6 <= 1.02, "{ji} {jm}");
        assert_eq!((j.concurrency, &j.latency_from), (Some(1.0), &"submit".to_owned()));
    }
}

/// A pasted text lacks its last line end: its last row was left out, and nothing said so.
#[test]
fn the_last_row_without_a_line_end_was_left_out_in_silence() {
    let text = "Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  %util\n\
                sda             10.00     80.00      1.50    5.00     40.00      2.00   3.00\n\
                sdb             20.00    160.00      1.50    5.00     40.00      2.00   3.00";
    let cut = read(text);
    assert!(cut.refused.as_deref().is_some_and(|why| why.starts_with("line 3:")), "{:?}", cut.refused);
    assert_eq!(read(&format!("{text}\n")).refused, None);
}

/// What stood above the first headings was dropped, and the report below it counted from boot.
#[test]
fn a_report_behind_rows_without_headings_is_an_interval() {
    let rows_alone = "sdb             132.00    160.00      1.50    5.00     40.00      2.00   3.00\n\n";
    let report = "Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  %util\n\
                  sdb             20.00    160.00      1.50    5.00     40.00      2.00   3.00\n\n";
    let phase = |text: &str| {
        let found = read(text).results.remove(0);
        let phase = found.measured.points[0].parameters.phase.clone();
        (phase.unwrap(), found.report.notes.iter().any(|n| n.message.contains("above the first headings")))
    };
    let machine = "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n";
    assert_eq!(phase(&format!("{machine}{report}")), ("since boot".to_owned(), false));
    assert_eq!(phase(&format!("{rows_alone}{report}")), ("1".to_owned(), true));
}

/// The second tool of a document was left out, and nothing said so.
#[test]
fn results_of_two_tools_in_one_document_were_those_of_one() {
    let orion = "ORION VERSION 12.2.0.1.0\n\nMaximum Large MBPS=155.63 @ Small=0 and Large=7\n";
    let calibrated = "max_iops  = 89\nlatency   = 10\nmax_mbps  = 38\n";
    let both = read(&format!("{orion}\n{calibrated}"));
    assert!(
        both.refused.as_deref().is_some_and(|why| why.contains("it also holds the outcome of")),
        "{:?}",
        both.refused
    );
    assert_eq!(read(orion).refused, None);
}

/// What a device did on the mean of the intervals, as `compare` has it.
fn mean_rates(text: &str) -> Vec<(String, f64)> {
    let results: Vec<_> = read(text).results.into_iter().map(|r| ("a".to_owned(), r.measured)).collect();
    let found = spindle_workload::compare_results(&results, &results).unwrap();
    let rate = |run: &spindle_workload::ComparedRun| {
        run.figures.iter().find(|f| f.name == "iops").map(|f| (run.load.clone(), f.before))
    };
    found.runs.iter().filter_map(rate).collect()
}

#[test]
fn a_disk_that_iostat_left_out_as_idle_had_the_rate_of_its_busy_intervals() {
    let report = |rows: &str| {
        format!(
            "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n\
             \x20          1.00    0.00    1.00    1.00    0.00   97.00\n\n\
             Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await     d/s   %util\n{rows}\n"
        )
    };
    let row = |name: &str, rate: f64| format!("{name} {rate:.2} 800.00 2.00 0.00 0.00 0.00 0.00 50.00\n");
    let (boot, sda) = (row("sda", 7.0) + &row("sdb", 7.0), row("sda", 90.0));
    let z = ["Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n".to_owned(), report(&boot)].concat();
    let z = [z, report(&(sda.clone() + &row("sdb", 30.0))), report(&sda), report("")].concat();
    let rates = mean_rates(&z);
    assert_eq!(rates[0], ("sda: read".to_owned(), 60.0), "two of three intervals");
    assert_eq!(rates[2], ("sdb: read".to_owned(), 10.0), "one of three intervals");
    let reading = read(&z);
    let note = &reading.results[0].report.notes[1];
    assert!(note.message.contains("2 devices are missing from some reports, 3 times in all"), "{note:?}");
    // A row of zeros says that idle ones are printed: the other disk was not there.
    let without = z.replace("sda 90.00", "sda 0.00");
    assert_eq!(mean_rates(&without).last().unwrap(), &("sdb: write".to_owned(), 0.0));
    assert!(read(&without).results[0].measured.idle.is_empty());
    // A report that is cut says nothing of what it does not list.
    let cut = z[..z.len() - report("").len()].trim_end().to_owned() + "\n";
    assert_eq!(read(&cut).results[0].measured.idle.len(), 0);
    // Another call may ask for other disks.
    let calls = |name: &str| {
        format!(
            "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n{}{}{}",
            report(&row(name, 1.0)),
            report(&row(name, 8.0)),
            report(&row(name, 8.0))
        )
    };
    assert_eq!(mean_rates(&(calls("sda") + &calls("sdb")))[2], ("sdb: read".to_owned(), 8.0));
}

#[test]
fn a_disk_that_sar_left_out_as_idle_had_the_rate_of_its_busy_intervals() {
    let text = "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n\
        12:00:01          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
        12:10:01          sda     60.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\
        12:10:01          sdb     30.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\
        12:20:01          sda     60.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\
        12:30:01          sda     60.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\
        Average:          sda     60.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n\
        Average:          sdb     10.00    400.00    100.00      0.00     10.00      0.10      2.50     10.00\n";
    assert_eq!(mean_rates(text), [("sda: mix".to_owned(), 60.0), ("sdb: mix".to_owned(), 10.0)]);
    let sadf = "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util\n\
        db01;600;2026-11-22 12:10:01 UTC;sda;60.00;400.00;100.00;0.00;10.00;0.10;2.50;10.00\n\
        db01;600;2026-11-22 12:10:01 UTC;sdb;30.00;400.00;100.00;0.00;10.00;0.10;2.50;10.00\n\
        db01;600;2026-11-22 12:20:01 UTC;sda;60.00;400.00;100.00;0.00;10.00;0.10;2.50;10.00\n";
    assert_eq!(mean_rates(sadf), [("sda: mix".to_owned(), 60.0), ("sdb: mix".to_owned(), 15.0)]);
}

/// The results of a text, as a command that compares or plots them has them.
fn measured(text: &str) -> Vec<spindle_workload::Measured> {
    read(text).results.into_iter().map(|r| r.measured).collect()
}

#[test]
fn syncs_that_fio_counts_elsewhere_were_none_at_all() {
    let text = |issued: &str| {
        format!(
            "w: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=sync, iodepth=1\n\
             w: (groupid=0, jobs=1): err= 0: pid=7: Fri Nov 27 12:00:00 2026\n  \
               write: IOPS=100, BW=400KiB/s (410kB/s)(400KiB/1000msec); 0 zone resets\n    \
                 clat (usec): min=4, max=24, avg=6.00, stdev=2.00\n  \
               fsync/fdatasync/sync_file_range:\n    \
                 sync (usec): min=128, max=418, avg=165.56, stdev=32.46\n     \
                 issued rwts: total={issued} dropped=0,0,0,0\n"
        )
    };
    // fdatasync, which fio prints below another name.
    let found = rows(&text("0,100,0,0 short=99,0,0,0"));
    assert_eq!((found[0].ios, found[1].ios), (Some(100.0), None));
    assert!(near(found[1].latency_mean_us, 165.56));
    assert!(read(&text("0,100,0,0 short=99,0,0,0")).results[0].report.notes[0].message.contains("fdatasync"));
    // fsync; and both of them.
    assert_eq!(rows(&text("0,100,0,99 short=0,0,0,0"))[1].ios, Some(99.0));
    assert_eq!(rows(&text("0,100,0,50 short=49,0,0,0"))[1].ios, None);
    assert_eq!(rows(&text("20,100,0,99 short=1,0,0,0"))[1].ios, Some(99.0), "a read that came back short");
}

#[test]
fn a_job_shorter_than_a_millisecond_made_no_requests_a_second() {
    let job = |version: &str, bytes: &str| {
        format!(
            "{{\"fio version\" : \"{version}\", \"jobs\" : [ {{ \"jobname\" : \"a\", \"groupid\" : 0, \"error\" : 0,\n\
             \"read\" : {{ {bytes}, \"bw\" : 0, \"iops\" : 0, \"runtime\" : 0,\n\
             \"clat\" : {{ \"min\" : 1, \"max\" : 9, \"mean\" : 5.0 }} }} }} ]}}\n"
        )
    };
    for (text, bytes) in [
        (job("fio-2.1.4", "\"io_bytes\" : 131072"), 134_217_728.0),
        (job("fio-3.33", "\"io_bytes\" : 131072, \"io_kbytes\" : 128, \"bw_bytes\" : 0"), 131_072.0),
    ] {
        let reading = read(&text);
        let row = &reading.results[0].report.tables.io_result[0];
        assert_eq!((row.iops, row.mbps, row.bytes), (None, None, Some(bytes)), "{text}");
        assert!(
            reading.results[0].report.notes[0].message.contains("less than a millisecond"),
            "it is said why"
        );
    }
}

#[test]
fn json_of_iostat_was_said_to_hold_output_of_sar_too() {
    let text = r#"{"sysstat": {"hosts": [ {"nodename": "db01", "sysname": "Linux", "release": "6.1.0", "number-of-cpus": 4,
 "statistics": [ {"disk": [ {"disk_device": "sda", "r/s": 10.00, "w/s": 5.00, "rkB/s": 80.00, "wkB/s": 40.00} ]},
 {"disk": [ {"disk_device": "sda", "r/s": 20.00, "w/s": 5.00, "rkB/s": 160.00, "wkB/s": 40.00} ]} ] } ]}}
"#;
    let reading = read(text);
    assert_eq!((reading.refused, reading.results.len()), (None, 1));
    let with_sadf = format!("{text}{}", text.replace("disk_device", "disk-device"));
    assert!(read(&with_sadf).refused.is_some_and(|why| why.contains("output of sar")));
}

/// The summary of a run of Orion with large requests of one order.
fn orion_summary(large: &str, mbps: f64) -> String {
    format!(
        "ORION VERSION 11.1.0.7.0\n\nCommandline:\n-run simple\n\nTest: t\nSmall IO size: 8 KB\nLarge IO size: 1024 KB\n\
         IO Types: Small Random IOs, Large {large}\nSimulated Array Type: CONCAT\nWrite: 0%\n\n\
         Maximum Large MBPS={mbps} @ Small=0 and Large=2\nMaximum Small IOPS=185 @ Small=17 and Large=0\n\
         Minimum Small Latency=7.45 @ Small=1 and Large=0\n"
    )
}

#[test]
fn large_requests_of_orion_at_random_were_held_against_sequential_ones() {
    let (random, streams) = (orion_summary("Random IOs", 34.5), orion_summary("Sequential Streams", 95.5));
    let patterns = |text: &str| rows(text).into_iter().map(|r| r.pattern).collect::<Vec<_>>();
    let of = |all: [&str; 3]| all.map(|p| Some(p.to_owned())).to_vec();
    assert_eq!(patterns(&streams), of(["sequential", "random", "random"]));
    assert_eq!(patterns(&random), of(["random"; 3]));
    // Releases since 11.2 write them small.
    assert_eq!(
        patterns(&random.replace("IO Types: Small Random", "IO types: small random")),
        of(["random"; 3])
    );
    assert_eq!(patterns(&random.replace("IO Types", "Types")), [None, None, None]);
    let side = |text: &str| measured(text).into_iter().map(|m| ("f".to_owned(), m)).collect::<Vec<_>>();
    let both = spindle_workload::compare_results(&side(&random), &side(&streams)).unwrap();
    assert_eq!((both.runs.len(), both.only_before.len(), both.only_after.len()), (2, 1, 1), "{both:?}");
    let again = spindle_workload::compare_results(&side(&random), &side(&random)).unwrap();
    assert_eq!(again.runs.len(), 3);
}

#[test]
fn a_job_that_fio_ended_with_an_error_was_a_point_of_the_curve() {
    let jobs = [1, 4, 16]
        .map(|depth| fio_job(&format!("d{depth}"), depth, depth, 1_000 * u64::from(depth), 1_000, 900_000));
    let whole = spindle_workload::DeviceCurve::of_results(&measured(&fio(&jobs))).unwrap();
    assert_eq!(whole.points.len(), 3);
    let failed = jobs.clone().map(|job| job.replace("\"error\" : 0", "\"error\" : 5"));
    let mut one = jobs;
    one[2].clone_from(&failed[2]);
    let curve = spindle_workload::DeviceCurve::of_results(&measured(&fio(&one))).unwrap();
    assert_eq!(curve.points.len(), 2);
    assert!(curve.source.unwrap().contains("1 of 3 runs left out"));
    let none = spindle_workload::DeviceCurve::of_results(&measured(&fio(&failed))).unwrap_err();
    assert!(none.to_string().contains("ended the jobs of every run"), "{none}");
}

/// The line about the machine, as iostat and sar begin with it.
const MACHINE: &str = "Linux 6.1.0 (db01) \t11/22/2026 \t_x86_64_\t(4 CPU)\n\n";

/// A report of iostat of one device.
fn report_of(reads: f64) -> String {
    format!(
        "Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  %util\n\
         sda             {reads:.2}    160.00      1.50    5.00     40.00      2.00   3.00\n\n"
    )
}

#[test]
fn intervals_of_iostat_were_said_to_count_from_boot() {
    let two = report_of(900.0) + &report_of(100.0);
    let phases = |text: &str| {
        let found = read(text).results.remove(0);
        let phases = found.measured.points.iter().map(|p| p.parameters.phase.clone().unwrap());
        let said = found.report.notes.iter().map(|n| n.message.clone()).collect::<Vec<_>>().join("\n");
        (phases.collect::<Vec<_>>().join(","), said)
    };
    assert_eq!(phases(&format!("{MACHINE}{two}")).0, "since boot,2");
    for command in [
        "$ iostat -xy 1 2",
        "[root@db01 ~]# /usr/bin/iostat -d -y -x 1 | tee log",
        "    shell> iostat 1 2 -y",
    ] {
        let (found, said) = phases(&format!("{command}\n{MACHINE}{two}"));
        assert_eq!((found.as_str(), said.as_str()), ("1,2", ""), "{command}");
    }
    for other in ["$ iostat -x 1 2", "$ iostat --dec=2 -x sdy", "output of iostat without -y"] {
        assert_eq!(phases(&format!("{other}\n{MACHINE}{two}")).0, "since boot,2", "{other}");
    }
    // The option is that of one call.
    let calls = format!("$ iostat -y -x 1 2\n{MACHINE}{two}{MACHINE}{two}");
    assert_eq!(phases(&calls).0, "1,2,since boot,4");
    // An excerpt may begin with any report.
    let (found, said) = phases(&two);
    assert_eq!(found, "1,2");
    assert!(said.contains("whether this is one is not known"), "{said}");
    assert_eq!(mean_rates(&two)[0].1, 500.0);
    // What is left out is said.
    let side = |text: &str| measured(text).into_iter().map(|m| ("f".to_owned(), m)).collect::<Vec<_>>();
    let (whole, alone) = (format!("{MACHINE}{two}"), format!("{MACHINE}{}", report_of(9.0)));
    let both = spindle_workload::compare_results(&side(&whole), &side(&alone)).unwrap();
    let said = both.warnings.join("\n");
    assert!(said.contains("before: first reports of iostat count from boot and are left out"), "{said}");
    assert!(
        said.contains(
            "after: a report of iostat that is the only one of its call is taken: it counts from boot"
        ),
        "{said}"
    );
}

#[test]
fn discards_counted_as_requests_and_not_as_bytes() {
    let plain = format!(
        "{MACHINE}Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n\
         sda              10.00       100.00       100.00         0.00        100        100          0\n\n\
         Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n\
         sda             417.80     44576.00       523.20   1131060.00      44576        523    1131060\n\n"
    );
    let sadf = "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util\n\
        db01;600;2026-11-22 12:10:01 UTC;sda;417.80;44576.00;523.20;1131060.00;2815.12;21.85;52.28;54.68\n\
        db01;600;2026-11-22 12:20:01 UTC;sda;12.60;323.20;0.00;0.00;25.65;0.03;2.62;1.60\n";
    for text in [plain.as_str(), sadf] {
        let reading = read(text);
        let report = &reading.results[0].report;
        let trims: Vec<_> = report.tables.io_result.iter().filter(|r| r.operation == "trim").collect();
        assert_eq!((trims.len(), trims[0].iops), (1, None));
        assert!(near(trims[0].mbps, 1_131_060.0 * 1_024.0 / 1e6));
        assert!(report.notes.iter().any(|n| n.message.contains("hold discards")), "{text}");
    }
    // The other interval had none.
    let side = |text: &str| measured(text).into_iter().map(|m| ("f".to_owned(), m)).collect::<Vec<_>>();
    let both = spindle_workload::compare_results(&side(sadf), &side(sadf)).unwrap();
    let trims = both.runs.iter().find(|run| run.operation == "trim").unwrap();
    assert!((trims.figures[0].before - 1_131_060.0 * 1_024.0 / 1e6 / 2.0).abs() < 1e-6, "{trims:?}");
    assert!(read(&sadf.replace("1131060.00", "0.00")).results[0].report.notes.is_empty());
}

#[test]
fn lines_that_a_mail_broke_lost_their_latencies() {
    let sar = "Linux 6.1.0 (db01) \t11/22/2026\n_x86_64_\t(4 CPU)\n\n\
        00:00:01          DEV       tps     rkB/s     wkB/s   areq-sz\naqu-sz     await     svctm     %util\n\
        00:05:01       dev7-0      1.74      0.92      6.02      4.00\n0.29    184.17     28.01      4.86\n\
        00:15:01       dev7-0      4.77      3.35     15.74      4.00\n0.53    119.11     14.67      7.00\n\
        Average:       dev7-0      3.77      2.35     11.74      4.00\n0.43    149.11     14.67      7.00\n";
    let reading = read(sar);
    assert_eq!((&reading.refused, reading.results[0].report.notes.len()), (&None, 0));
    let means: Vec<_> = rows(sar).iter().map(|r| (r.line, r.latency_mean_us)).collect();
    assert_eq!(means, [(6, Some(184_170.0)), (8, Some(119_110.0)), (10, Some(149_110.0))]);
    let iostat = format!(
        "{MACHINE}Device             r/s      w/s      rMB/s      wMB/s rrqm/s   wrqm/s\n\
         %rrqm  %wrqm r_await w_await aqu-sz rareq-sz wareq-sz  svctm  %util\n\
         nvme0n1     420.00     0.00    52.50    0.00 0.00    0.00\n0.00 0.00   0.30    0.00   1.04   128.00 0.00   2.38  99.87\n\
         nvme1n1     417.67    0.00   52.21   0.00 0.00   0.00\n0.00 0.00    0.30    0.00   1.03   128.00 0.00   2.39 100.00\n\n"
    );
    let found = rows(&iostat);
    assert_eq!(
        (found.len(), found[0].latency_mean_us, found[2].latency_mean_us),
        (4, Some(300.0), Some(300.0))
    );
    // A row whose rest is missing is told, and takes nothing of the next one.
    let cut = iostat.replacen("0.00 0.00   0.30    0.00   1.04   128.00 0.00   2.38  99.87\n", "", 1);
    assert_eq!((rows(&cut).len(), read(&cut).refused.is_some()), (2, true));
    // Columns in a table of their own, whose rows name no device.
    let apart = "Device            r/s     w/s   rMB/s   wMB/s  rrqm/s  wrqm/s\n\
        nvme0n1         523.0   312.0   65.4    24.8     0.0     4.2\n\n            \
        r_await  w_await  aqu-sz  rareq-sz  wareq-sz  %util\n               0.38     1.24    0.72    128.2     81.4      89.7\n\n";
    let reading = read(apart);
    assert!(reading.results[0].report.notes[0].message.contains("without the device"), "latencies are lost");
}

#[test]
fn rows_of_devices_were_said_to_be_of_the_cpus_alone() {
    let glued = format!(
        "{MACHINE}avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n          15.43    0.00   16.39   16.11    0.00   52.07\n\n\
         Device:rrqm/s wrqm/s   r/s    w/s    rsec/s   wsec/s avgrq-sz avgqu-sz   await   svctm   %util\n\
         sda    0.83   30.26   2.11    5.26    58.64   288.65    47.10      2.32  313.92    9.47    6.98\n\n"
    );
    assert_eq!((rows(&glued)[0].iops, rows(&glued)[1].iops), (Some(2.11), Some(5.26)));
    let remark = "> Device:        tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\n\
        > dev8-0      406.46      6285.98      2083.54     108056      35816  (root/swap)\n\
        > dev8-1      103.49      1149.51       916.35      19760      15752  # swap 2\n";
    let reading = read(remark);
    // A remark with a number in it may be a cell.
    assert_eq!((rows(remark).len(), rows(remark)[0].iops), (1, Some(406.46)));
    assert!(reading.refused.is_some_and(|why| why.contains("line 3")));
    // The reason is that of the text without its marks.
    let none = read("> Device:        tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\n>\n");
    assert!(none.refused.is_some_and(|why| why.contains("no row of a device")));
    let spaced = "\u{3000}\u{3000}Device:    rrqm/s  wrqm/s   r/s    w/s     rsec/s   wsec/s  await  svctm  %util\n\n\
        \u{3000}\u{3000}sda          0.00    0.00      1.00   2.00    0.00    0.00  0.00    0.00   0.00\n\n\
        \u{3000}\u{3000}sdb          0.00   1122  17.00  9.00  192.00 9216.00 1033.43  13.17 100.10\n\nThat is all of it.\n";
    let reading = read(spaced);
    assert_eq!((reading.refused, reading.results[0].measured.points[0].result.streams.len()), (None, 6));
    // A calibration has no files of rates and of latencies.
    let text = "max_iops = 1351136\nlatency = 0\nmax_mbps = 18738\n";
    let why = spindle_workload::DeviceCurve::of_results(&measured(text)).unwrap_err().to_string();
    assert!(why.contains("calibration") && !why.contains("Orion"), "{why}");
}

#[test]
fn latencies_that_slob_prints_were_left_out() {
    let table = "FILE|SESSIONS|ELAPSED|PREADS|READ_MBS|PWRITES|WRITE_MBS|REDO_MBS|DFSR_LAT|DPR_LAT|DFPR_LAT|DFPW_LAT|LFPW_LAT|\n\
        awr.txt.8|8|301|62011|485|12044|98|24|112|0|240|    1843|     455|\n";
    let found = rows(table);
    let means: Vec<_> = found.iter().map(|r| (r.operation.as_str(), r.latency_mean_us)).collect();
    let expected = [("read", 112.0), ("write", 1_843.0), ("write", 455.0), ("read", 240.0)]
        .map(|(name, us)| (name, Some(us)));
    assert_eq!(means, expected, "0 is no such wait");
    // The waits for other reads have no rate, and take none from all reads.
    let side = || measured(table).into_iter().map(|m| ("f".to_owned(), m)).collect::<Vec<_>>();
    let both = spindle_workload::compare_results(&side(), &side()).unwrap();
    assert_eq!((both.runs.len(), both.runs[0].figures[0].before), (4, 62_011.0));
}

#[test]
fn figures_of_orion_between_stars_were_lost() {
    let text = "orion -run simple -testname t ***-num_disks 4***\n4 files found.Maximum Large ***MBPS=155.63*** @ Small=0 and Large=7\n\
        orion -run oltp -write 50\nMaximum Small IOPS=918 @ Small=68 and Large=0\n";
    let reading = read(text);
    assert_eq!(reading.results.len(), 2, "two runs");
    let found = rows(text);
    assert!(near(found[0].mbps, 155.63 * 1.048_576) && near(found[1].iops, 918.0));
    let alone = "**Maximum Large MBPS=10** @ Small=0 and Large=2\n";
    assert!(near(rows(alone)[0].mbps, 10.485_76));
}

#[test]
fn results_between_marks_of_html_were_no_results() {
    let iostat = format!("{MACHINE}{}{}", report_of(9.0), report_of(8.0));
    let fio = "<span class=\"b\">j</span>: (groupid=0, <span>jobs</span>=1): err= 0: pid=7: Fri Nov 27 12:00:00 2026\n\
        <span class=\"c\">read</span>: IOPS=100, BW=400KiB/s (410kB/s)(400KiB/1000msec)\n    \
        clat (usec): min=4, max=24, avg=6.00, stdev=2.00\n  IO depths : &gt;=64=0.0%\n";
    for (text, count) in [(orion_summary("Random IOs", 34.5), 3), (iostat, 4), (fio.to_owned(), 1)] {
        for head in
            ["<pre>", "<p>So it was:</p>\n<pre><code class=\"x y\">", "<details><summary>more</summary>\n\n"]
        {
            let found = rows(&format!("{head}{text}</code></pre>\n"));
            assert_eq!(found.len(), count, "{head}{text}");
        }
    }
    assert_eq!(rows(&format!("<pre>{fio}</pre>\n"))[0].latency_mean_us, Some(6.0));
    assert!(read_storage("file", b"<html><pre>ORION VERSION 11.1.0.7.0\n").is_none(), "a document");
}

#[test]
fn one_block_for_different_jobs_was_named_after_the_first() {
    let text = "log: (g=0): rw=write, bs=(R) 1024B-1024B, (W) 1024B-1024B, (T) 1024B-1024B, ioengine=psync, iodepth=1\n\
        data: (g=0): rw=randrw, bs=(R) 16.0KiB-16.0KiB, (W) 16.0KiB-16.0KiB, (T) 16.0KiB-16.0KiB, ioengine=psync, iodepth=1\n\
        fio-3.33\n\nlog: (groupid=0, jobs=2): err= 0: pid=7: Fri Nov 27 12:00:00 2026\n  \
          read: IOPS=100, BW=1600KiB/s (1638kB/s)(1600KiB/1000msec)\n  \
          write: IOPS=300, BW=1800KiB/s (1843kB/s)(1800KiB/1000msec); 0 zone resets\n     \
          issued rwts: total=100,300,0,0 short=0,0,0,0 dropped=0,0,0,0\n";
    let reading = read(text);
    let report = &reading.results[0].report;
    assert!(report.notes[0].message.contains("2 different jobs (log, data)"), "{:?}", report.notes);
    assert_eq!(report.tables.io_result[0].stream, "log and 1 more, read");
    assert_eq!(
        (report.tables.io_result[0].block_bytes, report.tables.io_result[0].concurrency),
        (None, None)
    );
    // In JSON the options are those of one of them, of which the figures make another size.
    let json = fio(&[fio_job("log", 0, 1, 1_000, 1_000, 900_000).replace("\"8k\"", "\"16k\"")]);
    let row = &rows(&json)[0];
    assert_eq!((row.block_bytes, row.pattern.as_deref(), row.concurrency), (None, None, None));
}

#[test]
fn requests_under_way_when_a_ramp_ended_made_another_size() {
    // fio 3.33 counts their bytes and not them.
    let with = |ramp: &str, more: u64| {
        let bytes = (800 + more) * 8_192;
        let job = fio_job("a", 0, 4, 800, 1_000, 4_000_000)
            .replace("\"bs\" : \"8k\",", &format!("\"bs\" : \"8k\",{ramp}"))
            .replace("\"io_bytes\" : 6553600", &format!("\"io_bytes\" : {bytes}"))
            .replace("\"io_kbytes\" : 6400", &format!("\"io_kbytes\" : {}", bytes / 1_024));
        rows(&fio(&[job])).remove(0)
    };
    let ramp = "\"ramp_time\" : \"2\",";
    let row = with(ramp, 3);
    assert_eq!((row.block_bytes, row.concurrency), (Some(8_192.0), Some(4.0)));
    assert_eq!(row.pattern.as_deref(), Some("randread"));
    // More than were under way, or without a ramp, they are none of these.
    assert_eq!((with(ramp, 5).block_bytes, with("", 3).block_bytes), (None, None));
}

#[test]
fn earlier_reports_of_a_job_were_left_out_without_a_word() {
    let block = |at: &str, ios: u32, ms: u32| {
        format!(
            "j: (groupid=0, jobs=1): err= 0: pid=7: Fri Mar 15 {at} 2024\n  \
               read: IOPS=100, BW=400KiB/s (410kB/s)(400KiB/{ms}msec)\n     \
               issued rwts: total={ios},0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
        )
    };
    let text = block("21:14:18", 100, 1_000) + &block("21:14:19", 200, 2_000);
    let reading = read(&text);
    assert_eq!(rows(&text).len(), 1);
    assert!(reading.results[0].report.notes[0].message.contains("2 reports in all, 1 of them the last"));
}

#[test]
fn figures_of_fio_without_their_job_were_said_to_be_no_oracle_report() {
    let new = "  read: IOPS=11.8k, BW=1471MiB/s (1542MB/s)(200MiB/136msec)\n    clat (usec): min=4, max=24, avg=6.00\n";
    let old = "write: io=102680KB, bw=622133 B/s, iops=151 , runt=169006msec\n";
    for text in [new, old] {
        let reading = read(text);
        assert!(
            reading.results.is_empty()
                && reading.refused.is_some_and(|why| why.contains("heads of its jobs"))
        );
    }
    let beside = format!("{MACHINE}{}{}\n{new}", report_of(9.0), report_of(8.0));
    assert!(read(&beside).refused.is_some_and(|why| why.contains("a result of fio")));
}

#[test]
fn a_size_that_the_figures_refute_was_put_beside_one_that_is_known() {
    let text = |asked: &str, bw: &str, io: &str| {
        format!(
            "{asked}w: (groupid=0, jobs=1): err= 0: pid=7: Fri Nov 27 12:00:00 2026\n  \
               write: IOPS=100, BW={bw}({io}/10000msec); 0 zone resets\n     \
               issued rwts: total=0,1000,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
        )
    };
    let asked = "w: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1\n";
    let known = text(asked, "400KiB/s (410kB/s)", "4000KiB");
    let side = |text: &str| measured(text).into_iter().map(|m| ("f".to_owned(), m)).collect::<Vec<_>>();
    let compare = |a: &str, b: &str| spindle_workload::compare_results(&side(a), &side(b));
    assert_eq!(compare(&text("", "400KiB/s (410kB/s)", "4000KiB"), &known).unwrap().runs.len(), 1);
    let other = text("", "225KiB/s (230kB/s)", "2250KiB");
    assert!(compare(&other, &known).unwrap_err().contains("no load in common"));
    assert!(compare(&known, &other).is_err());
}

#[test]
fn a_time_zone_in_the_headings_of_sar_made_all_rows_too_short() {
    let text = "05:26:43  IST       DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util\n\
        05:26:44      sda      3.16      4.17      134.74      0.00      0.00      2.67      1.26\n";
    assert_eq!(rows(text)[0].phase.as_deref(), Some("05:26:44"));
    assert_eq!((rows(text)[0].iops, rows(text)[0].latency_mean_us), (Some(3.16), Some(2_670.0)));
}
