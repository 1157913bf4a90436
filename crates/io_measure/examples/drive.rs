//! Runs one stream on a file and prints what came of it in one line of JSON: for benchmarks, which set
//! it beside others' tools.
//!
//! `drive FILE [--engine auto|io_uring|sync|null] [--depth N] [--bytes N] [--seconds S] [--warm-up S]
//! [--read-pct P] [--buffered] [--create BYTES]`; `drive --clock` says what a look at the clock takes.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use rustix::time::{ClockId, clock_gettime};
use spindle_io_measure::guard::{Permission, WriteTarget, create, open_to_read, open_to_write};
use spindle_io_measure::{Engine, How, Target, Watch, run};
use spindle_workload::{Arrivals, End, Flush, Job, Pattern, Region, Size, Stream};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match drive(&words) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// CPU time of this process.
fn cpu_ns() -> f64 {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.tv_sec as f64 * 1e9 + spent.tv_nsec as f64
}

/// What a look at the clock takes.
fn clock_ns() -> f64 {
    let before = cpu_ns();
    let mut last = Instant::now();
    for _ in 0..10_000_000 {
        last = last.max(Instant::now());
    }
    (cpu_ns() - before) / 1e7
}

fn drive(words: &[String]) -> Result<String, String> {
    if words == ["--clock"] {
        return Ok(format!("{{\"clock_ns\":{:.2}}}", clock_ns()));
    }
    let mut words = words.iter();
    let path = words.next().ok_or("a file is needed")?;
    let (mut engine, mut depth, mut bytes, mut read_pct, mut buffered) =
        (Engine::Auto, 64, 4_096, 100.0, false);
    let (mut seconds, mut warm_up_s, mut created) = (2.0, None, None);
    while let Some(word) = words.next() {
        if word == "--buffered" {
            buffered = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let wrong = |_| format!("{word} {value}: no number");
        let wrong_f = |_| format!("{word} {value}: no number");
        match word.as_str() {
            "--engine" => {
                engine = match value.as_str() {
                    "auto" => Engine::Auto,
                    "io_uring" => Engine::IoUring,
                    "sync" => Engine::Sync,
                    "null" => Engine::Null,
                    _ => return Err(format!("no engine `{value}`")),
                }
            }
            "--depth" => depth = value.parse().map_err(wrong)?,
            "--bytes" => bytes = value.parse().map_err(wrong)?,
            "--create" => created = Some(value.parse().map_err(wrong)?),
            "--seconds" => seconds = value.parse().map_err(wrong_f)?,
            "--warm-up" => warm_up_s = Some(value.parse().map_err(wrong_f)?),
            "--read-pct" => read_pct = value.parse().map_err(wrong_f)?,
            _ => return Err(format!("no option `{word}`")),
        }
    }
    if created.is_some() {
        read_pct = 0.0;
    }
    let said = |e: &dyn std::fmt::Display| e.to_string();
    let place = Path::new(path);
    let target = if let Some(bytes) = created {
        Target::writing(path, create(place, bytes).and_then(WriteTarget::arm).map_err(|e| said(&e))?)
    } else if read_pct < 100.0 {
        let open = open_to_write(place, &Permission::none()).and_then(WriteTarget::arm);
        Target::writing(path, open.map_err(|e| said(&e))?)
    } else {
        Target::reading(path, open_to_read(place).map_err(|e| said(&e))?)
    };
    let target = if buffered { target } else { target.direct().map_err(|e| said(&e))? };
    let stream = Stream {
        name: "drive".to_owned(),
        read_pct,
        pattern: if created.is_some() { Pattern::Sequential } else { Pattern::Random },
        sizes: vec![Size { bytes, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    let end = match created {
        Some(all) => End { ios: Some(all / u64::from(bytes)), ..End::default() },
        None => End { seconds: Some(seconds), ..End::default() },
    };
    let job = Job { name: "drive".to_owned(), seed: 13, streams: vec![stream], end, warm_up_s };
    let stop = AtomicBool::new(false);
    let result = run(&job, &[target], &How::by(engine), &mut Watch::stopping(&stop)).map_err(|e| said(&e))?;
    let found = &result.streams[0];
    let number = |x: Option<f64>| x.map_or("null".to_owned(), |x| format!("{x:.3}"));
    Ok(format!(
        "{{\"ios\":{},\"iops\":{},\"mean_us\":{},\"p50_us\":{},\"p99_us\":{},\"cpu_ns_per_io\":{},\"errors\":{:?},\
         \"limited_by\":\"{:?}\",\"engine\":{:?},\"warnings\":{:?}}}",
        found.ios.unwrap_or(0),
        number(found.iops),
        number(found.latency_us.mean),
        number(found.latency_us.p50),
        number(found.latency_us.p99),
        number(found.ios.filter(|ios| *ios > 0).map(|ios| cpu_ns() / ios as f64)),
        found.errors,
        result.limited_by,
        result.environment.engine.unwrap_or_default(),
        result.warnings,
    ))
}
