//! What a request of ours costs, beside fio: `cargo xtask bench-io [--seconds N] [--rounds N] [cpu | emulated]`.
//!
//! The first table is CPU time of the whole process for each request, on one CPU: 4 KiB random reads at a
//! depth of 64, both tools with registered file and memory and batches of 16, over the page cache, a loop
//! device over tmpfs (as root) and a file on the disk. Where the kernel's part of ours alone
//! is more than all of fio's by the bar, the kernel decides, and not our own code. The second compares what both say of
//! an emulated device, with CPUs that do not halt: a virtual one that did may take milliseconds to wake, which
//! shows in p99 at a depth of 1. Runs of both alternate, and medians are shown: the machine may be busy with
//! other things, and both feel it; a ratio is the median of those of runs that followed each other. Files and
//! devices that it makes, it removes.

use crate::bench_many::children_s;
use crate::run;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const MIB: u64 = 1 << 20;

/// What is asked for.
pub(crate) struct Order {
    seconds: u32,
    rounds: usize,
    cpu: bool,
    emulated: bool,
}

/// Reads the words behind `bench-io`.
pub(crate) fn arguments(words: &[&str]) -> Result<Order, String> {
    let usage = || "usage: cargo xtask bench-io [--seconds N] [--rounds N] [cpu | emulated]".to_owned();
    let mut order = Order { seconds: 3, rounds: 5, cpu: true, emulated: true };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse::<u32>().ok()).filter(|n| *n > 0);
        match *word {
            "--seconds" => order.seconds = number().ok_or_else(usage)?,
            "--rounds" => order.rounds = number().ok_or_else(usage)? as usize,
            "cpu" => order.emulated = false,
            "emulated" => order.cpu = false,
            _ => return Err(usage()),
        }
    }
    Ok(order)
}

/// Builds, runs and prints both tables.
pub(crate) fn bench(root: &Path, order: &Order) -> Result<(), String> {
    let version = output(Command::new("fio").arg("--version"))
        .map_err(|_| "fio is needed beside ours: .ci/install-tools installs it".to_owned())?;
    run(root, "cargo build --quiet --release --package spindle-io-measure --examples")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = Folder::new(target.join("bench-io"))?;
    let programs = target.join("release/examples");
    println!("beside {}; load average {}", version.trim(), load());
    null(&programs, &folder, order)?;
    if order.cpu {
        cpu(&programs, &folder, order)?;
    }
    if order.emulated {
        emulated(&programs, &folder, order)?;
    }
    println!("load average at the end {}", load());
    Ok(())
}

/// A folder of ours, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(path: PathBuf) -> Result<Self, String> {
        fs::create_dir_all(&path).map_err(|e| format!("{} could not be made: {e}", path.display()))?;
        Ok(Self(path))
    }

    /// A file of bits that no device makes less of, on the disk when this returns.
    fn file(&self, name: &str, bytes: u64) -> Result<PathBuf, String> {
        let path = self.0.join(name);
        write(&path, bytes)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, bytes: u64) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{} could not be written: {e}", path.display());
    let mut file = fs::File::create(path).map_err(failed)?;
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut block = vec![0_u8; 1 << 20];
    for _ in 0..bytes / MIB {
        for word in block.chunks_exact_mut(8) {
            // Marsaglia's xorshift.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            word.copy_from_slice(&state.to_le_bytes());
        }
        file.write_all(&block).map_err(failed)?;
    }
    file.sync_all().map_err(failed)
}

/// A loop device over a file in memory; both go at the end.
struct Loop {
    file: PathBuf,
    device: String,
}

impl Loop {
    fn new() -> Result<Self, String> {
        let file = PathBuf::from(format!("/dev/shm/spindle-bench-io-{}", std::process::id()));
        write(&file, 256 * MIB).inspect_err(|_| drop(fs::remove_file(&file)))?;
        let device = output(Command::new("losetup").args(["--find", "--show"]).arg(&file));
        let device = device.inspect_err(|_| drop(fs::remove_file(&file)))?.trim().to_owned();
        Ok(Self { file, device })
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").arg("--detach").arg(&self.device).status();
        let _ = fs::remove_file(&self.file);
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|e| format!("{name} could not be started: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if done.status.success() {
        Ok(text(&done.stdout))
    } else {
        Err(format!("{name} ended with {}: {}", done.status, text(&done.stderr)))
    }
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_ascii_whitespace().next().unwrap_or("unknown").to_owned()
}

/// The number behind these keys of a JSON text, each looked for behind the one before.
fn number(text: &str, keys: &[&str]) -> Result<f64, String> {
    let mut rest = text;
    for key in keys {
        let key = format!("\"{key}\"");
        let at = rest.find(&key).ok_or_else(|| format!("no {key} in: {text}"))?;
        rest = &rest[at + key.len()..];
    }
    let value: String = rest
        .chars()
        .skip_while(|c| matches!(c, ':' | ' '))
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | 'e' | '+'))
        .collect();
    value.parse().map_err(|_| format!("no number behind {keys:?} in: {text}"))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs pinned to the last CPU; a comparison of what was found needs no pin.
fn started(program: &Path, pin: bool) -> Command {
    if !pin {
        return Command::new(program);
    }
    let last = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get) - 1;
    let mut command = Command::new("taskset");
    command.args(["-c", &last.to_string()]).arg(program);
    command
}

fn fio(path: &str, direct: bool, seconds: u32, pin: bool) -> Command {
    let mut command = started(Path::new("fio"), pin);
    command.arg(format!("--filename={path}")).arg(format!("--direct={}", u8::from(direct)));
    command.arg(format!("--runtime={seconds}"));
    let fixed = "--name=r --bs=4k --ioengine=io_uring --norandommap --randrepeat=0 --time_based --thread --registerfiles \
                 --fixedbufs --iodepth_batch_submit=16 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=64 \
                 --output-format=json --invalidate=0 --unified_rw_reporting=1 --lat_percentiles=1 --clat_percentiles=0 \
                 --percentile_list=50:99";
    command.args(fixed.split_whitespace());
    command
}

fn ours(programs: &Path, path: &str, direct: bool, seconds: u32, pin: bool) -> Command {
    let mut command = started(&programs.join("drive"), pin);
    command.arg(path).args(["--engine", "io_uring", "--seconds", &seconds.to_string()]);
    if !direct {
        command.arg("--buffered");
    }
    command
}

/// CPU time of a process, the kernel's part of it, and what it said.
fn spent(command: &mut Command) -> Result<(f64, f64, String), String> {
    let before = children_s()?;
    let said = output(command)?;
    let after = children_s()?;
    let kernel_s = after.1 - before.1;
    Ok((after.0 - before.0 + kernel_s, kernel_s, said))
}

/// What our loop costs where no device is asked.
fn null(programs: &Path, folder: &Folder, order: &Order) -> Result<(), String> {
    let file = folder.file("null", MIB)?.display().to_string();
    let mut costs = Vec::new();
    for _ in 0..order.rounds {
        let mut command = started(&programs.join("drive"), true);
        command.arg(&file).args(["--engine", "null", "--buffered", "--seconds", "1"]);
        let (cpu_s, _, said) = spent(&mut command)?;
        costs.push(cpu_s * 1e9 / number(&said, &["ios"])?);
    }
    let clock = number(&output(started(&programs.join("drive"), true).arg("--clock"))?, &["clock_ns"])?;
    println!(
        "null engine: {:.1} ns a request, clock and all; two clock reads take {:.1} ns (bar: 60 ns above them)",
        median(&mut costs),
        2.0 * clock
    );
    Ok(())
}

fn cpu(programs: &Path, folder: &Folder, order: &Order) -> Result<(), String> {
    println!(
        "\n| 4 KiB random reads, depth 64, one CPU | fio, ns | ours, ns | of it the kernel's, ns | fio / ours | bar |\n\
         |---|---|---|---|---|---|"
    );
    // The smaller one fits the CPU's cache: more of what is left is the tool, less is copying.
    for size in [1, 64] {
        let cached = folder.file("cached", size * MIB)?.display().to_string();
        row(&format!("page cache, file of {size} MiB"), &cached, false, 1.5, programs, order)?;
    }
    match Loop::new() {
        Ok(device) => row("loop over tmpfs, O_DIRECT", &device.device, true, 1.5, programs, order)?,
        Err(why) => println!("| loop over tmpfs | not measured: {} | | | | |", why.trim()),
    }
    let file = folder.file("disk", 1_024 * MIB)?.display().to_string();
    row("file on the disk, O_DIRECT", &file, true, 1.3, programs, order)
}

fn row(name: &str, path: &str, direct: bool, bar: f64, programs: &Path, order: &Order) -> Result<(), String> {
    let (mut theirs, mut own, mut kernel, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..order.rounds {
        let mut command = fio(path, direct, order.seconds, true);
        let (cpu_s, _, said) = spent(command.args(["--rw=randread", "--iodepth=64"]))?;
        let fio_ns = cpu_s * 1e9 / number(&said, &["mixed", "total_ios"])?;
        let (cpu_s, kernel_s, said) = spent(&mut ours(programs, path, direct, order.seconds, true))?;
        let ios = number(&said, &["ios"])?;
        let own_ns = cpu_s * 1e9 / ios;
        kernel.push(kernel_s * 1e9 / ios);
        theirs.push(fio_ns);
        own.push(own_ns);
        ratios.push(fio_ns / own_ns);
    }
    println!(
        "| {name} | {:.0} | {:.0} | {:.0} | {:.2} | {bar} |",
        median(&mut theirs),
        median(&mut own),
        median(&mut kernel),
        median(&mut ratios)
    );
    Ok(())
}

/// A device that is being served, until its input is closed.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Busy until the process that began it is gone, however that ended.
const GIVES_WAY: &str = "while kill -0 $PPID 2>/dev/null; do :; done";

/// A loop on each CPU that gives way to all else (`SCHED_IDLE`), so that none halts; gone at the end.
struct Awake(Vec<Child>);

impl Awake {
    fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let looping = |cpu: usize| {
            let mut command = Command::new("taskset");
            command.args(["-c", &cpu.to_string(), "chrt", "--idle", "0", "sh", "-c", GIVES_WAY]);
            command.stdin(Stdio::null()).spawn()
        };
        let loops: Vec<Child> = (0..processors).filter_map(|cpu| looping(cpu).ok()).collect();
        if loops.len() < processors {
            println!(
                "of {processors} CPUs {} are kept from halting: taskset could not be started",
                loops.len()
            );
        }
        Self(loops)
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for looping in &mut self.0 {
            let _ = looping.kill();
            let _ = looping.wait();
        }
    }
}

/// Least seconds of a run on the emulated device. When its time is over fio takes what is still under way together,
/// once the last is done, so the others of these seem to take up to 93 ms instead of 53 (its own log of latencies
/// shows it: all end in one millisecond). Of the 600 requests of 4 s that was the hundredth that p99 stands for.
const EMULATED_S: u32 = 12;

fn emulated(programs: &Path, folder: &Folder, order: &Order) -> Result<(), String> {
    println!(
        "\n| emulated, 8 ms, 150 a second | fio: IOPS, p50, p99 ms | ours: IOPS, p50, p99 ms | ours / fio (bar: 2 %, 3 %, 3 %) |\n|---|---|---|---|"
    );
    let at = folder.0.join("slow");
    let mut served = Command::new(programs.join("slow_device"))
        .arg(&at)
        // Small, so that the check of its content before writing takes a few requests.
        .args(["8000", "150", &(2 * MIB).to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map(Served)
        .map_err(|e| format!("the emulated device could not be started: {e}"))?;
    let mut line = String::new();
    if let Some(out) = served.0.stdout.take() {
        BufReader::new(out).read_line(&mut line).map_err(|e| e.to_string())?;
    }
    if line.is_empty() {
        println!("| no emulated device here | | | |");
        return Ok(());
    }
    let path = at.display().to_string();
    let _awake = Awake::new();
    for (name, read_pct, depth) in
        [("reads", 100, 1), ("reads", 100, 8), ("writes", 0, 8), ("70 % reads", 70, 8), ("70 % reads", 70, 1)]
    {
        let seconds = order.seconds.max(EMULATED_S);
        let (mut theirs, mut own) = (vec![Vec::new(); 3], vec![Vec::new(); 3]);
        for _ in 0..order.rounds {
            let mut command = fio(&path, true, seconds, false);
            command.args(match read_pct {
                100 => ["--rw=randread".to_owned(), String::from("--size=2m")],
                0 => ["--rw=randwrite".to_owned(), String::from("--size=2m")],
                _ => ["--rw=randrw".to_owned(), format!("--rwmixread={read_pct}")],
            });
            // Content that our guard knows: what fio writes are zeros.
            command.args(["--zero_buffers", &format!("--iodepth={depth}")]);
            let said = output(&mut command)?;
            theirs[0].push(number(&said, &["mixed", "iops"])?);
            theirs[1].push(number(&said, &["mixed", "lat_ns", "percentile", "50.000000"])? / 1e6);
            theirs[2].push(number(&said, &["mixed", "lat_ns", "percentile", "99.000000"])? / 1e6);
            let mut command = ours(programs, &path, true, seconds, false);
            command.args(["--depth", &depth.to_string(), "--read-pct", &read_pct.to_string()]);
            let said = output(&mut command)?;
            own[0].push(number(&said, &["iops"])?);
            own[1].push(number(&said, &["p50_us"])? / 1e3);
            own[2].push(number(&said, &["p99_us"])? / 1e3);
        }
        let theirs: Vec<f64> = theirs.iter_mut().map(|v| median(v)).collect();
        let own: Vec<f64> = own.iter_mut().map(|v| median(v)).collect();
        let off: Vec<f64> = own.iter().zip(&theirs).map(|(a, b)| 100.0 * (a / b - 1.0)).collect();
        println!(
            "| {name}, depth {depth} | {:.2}, {:.3}, {:.3} | {:.2}, {:.3}, {:.3} | {:+.2} %, {:+.2} %, {:+.2} % |",
            theirs[0], theirs[1], theirs[2], own[0], own[1], own[2], off[0], off[1], off[2]
        );
    }
    Ok(())
}
