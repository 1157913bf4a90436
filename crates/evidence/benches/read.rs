//! Reports to facts: MB/s and ns a byte, by layout, over the reports at hand.
//!
//! `cargo bench -p spindle-evidence`. Reads `../shared/corpus` where it is, else `examples/`. Time
//! is the process's CPU time, since machines are shared.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// CPU time of this process, in nanoseconds, from the kernel's accounts.
struct CpuTime;

struct Nanoseconds;

/// What the line below each group is measured over, at least.
const LEAST_NS: u64 = 200_000_000;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        let (factor, unit) = if typical < 1e6 { (1e-3, "us CPU") } else { (1e-6, "ms CPU") };
        values.iter_mut().for_each(|v| *v *= factor);
        unit
    }

    fn scale_throughputs(&self, _typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        if let Throughput::Bytes(bytes) = throughput {
            #[allow(clippy::cast_precision_loss, reason = "bytes of a few files")]
            values.iter_mut().for_each(|v| *v = *bytes as f64 * 1e3 / *v);
        }
        "MB/s"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

impl Measurement for CpuTime {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        cpu_ns()
    }

    fn end(&self, start: u64) -> u64 {
        cpu_ns() - start
    }

    fn add(&self, a: &u64, b: &u64) -> u64 {
        a + b
    }

    fn zero(&self) -> u64 {
        0
    }

    #[allow(clippy::cast_precision_loss, reason = "nanoseconds of a benchmark")]
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

/// CPU time of this process.
fn cpu_ns() -> u64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    u64::try_from(spent.tv_sec).unwrap() * 1_000_000_000 + u64::try_from(spent.tv_nsec).unwrap()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folders: &[&str], endings: &[&str]) -> Vec<(String, Vec<u8>)> {
    let root = ["../shared/corpus", "../../shared/corpus", "examples"]
        .iter()
        .map(|p| workspace().join(p))
        .find(|p| p.is_dir())
        .unwrap();
    let mut found = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if endings.iter().any(|e| name.ends_with(e)) {
                found.push((name, std::fs::read(entry.path()).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn main() {
    let mut criterion = Criterion::default().with_measurement(CpuTime).configure_from_args();
    let sets = [
        ("awr_html", files(&["awr-html", "."], &[".html"])),
        ("awr_text", files(&["awr-text", "."], &[".txt"])),
        ("statspack_text", files(&["statspack", "."], &[".lst", ".txt"])),
    ];
    for (name, files) in &sets {
        let bytes: usize = files.iter().map(|f| f.1.len()).sum();
        if bytes == 0 {
            continue;
        }
        let mut group = criterion.benchmark_group("read");
        group.sample_size(10);
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(*name, |b| {
            b.iter(|| {
                for (name, bytes) in files {
                    black_box(spindle_evidence::read(name, bytes));
                }
            });
        });
        group.finish();
        let (before, mut passes) = (cpu_ns(), 0);
        while passes == 0 || cpu_ns() - before < LEAST_NS {
            for (name, bytes) in files {
                black_box(spindle_evidence::read(name, bytes));
            }
            passes += 1;
        }
        #[allow(clippy::cast_precision_loss, reason = "a report line")]
        let ns = (cpu_ns() - before) as f64 / (bytes * passes) as f64;
        println!("{name}: {} files, {bytes} bytes, {ns:.3} ns a byte, {:.0} MB/s", files.len(), 1e3 / ns);
    }
    criterion.final_summary();
}
