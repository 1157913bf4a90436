//! Serves an emulated device as a file until its input ends: for benchmarks.
//!
//! `slow_device FILE LATENCY_US IOPS BYTES` prints one line when the file can be opened.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use spindle_io_emulate::{Content, Emulation, Order};
use spindle_io_simulate::{LatencyCap, LatencyCapSpec, Picoseconds};
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match serve(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn serve(words: &[String]) -> Result<(), String> {
    let [at, latency_us, iops, bytes] = words else {
        return Err("usage: slow_device FILE LATENCY_US IOPS BYTES".to_owned());
    };
    let number = |word: &String| word.parse::<f64>().map_err(|_| format!("`{word}` is no number"));
    let size_bytes: u64 = bytes.parse().map_err(|_| format!("`{bytes}` is no number"))?;
    let spec = LatencyCapSpec {
        latency: Picoseconds::from_us(number(latency_us)?),
        iops: Some(number(iops)?),
        bytes_per_s: None,
    };
    let device = LatencyCap::new(&spec).map_err(|e| e.to_string())?;
    let order = Order {
        at: PathBuf::from(at),
        size_bytes,
        content: Content::Memory { bytes: size_bytes },
        watchdog: None,
        loop_device: false,
    };
    let emulation = Emulation::start(order, Box::new(device)).map_err(|e| e.to_string())?;
    println!("{}", emulation.at().display());
    // Until whoever started it closes our input, or ends.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    emulation.end();
    Ok(())
}
