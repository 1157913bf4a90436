//! `spindle emulate`: storage that one does not have, as a real file.

use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::{Content, EmulationDocument, EmulationOrder, Ended, HeldSignals, Parent, Zones};
use spindle_planning::{parse_bytes, parse_iops, parse_latency, parse_mbps};
use spindle_presentation::number;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// What would it be like to have that storage? Serves it as a file.
///
/// The file appears at FILE and answers like the device: each request takes the latency at least, and
/// no more are done a second than the caps allow. What is written is kept until the end and read back.
/// Any program can use it; with --loop a file system can be made on it. Linux, through FUSE.
///
/// It is served until Ctrl-C, `kill`, or the end of the program that started it; then the file is gone,
/// with all that was written to it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle emulate --latency 8ms --cap 150 --size 4G --at slow.img
  spindle emulate --latency 0.5ms --cap 3000IOPS --mbps 125 --size 100G --at gp3.img --backing /var/tmp
  spindle emulate --latency 4.2ms --zones 146,97 --seek 0.8ms,16ms --size 4G --at disk.img
  spindle emulate --latency 8ms --cap 150 --size 4G --at slow.img --loop --json")]
pub(crate) struct Emulate {
    /// What a request takes at least, such as 8ms.
    #[arg(long, value_name = "LATENCY", value_parser = parse_latency)]
    latency: f64,
    /// Requests a second at most, such as 150.
    #[arg(long, value_name = "IOPS", value_parser = parse_iops)]
    cap: Option<f64>,
    /// MB (10^6 bytes) a second at most, such as 125.
    #[arg(long, value_name = "MB/S", value_parser = parse_mbps)]
    mbps: Option<f64>,
    /// A disk instead: MB/s at its first and its last byte, such as 146,97. One arm serves one request at a
    /// time; --latency is then half a turn, which a request that follows the last one does not wait for.
    #[arg(long, value_name = "OUTER,INNER", value_parser = two_rates, requires = "seek", conflicts_with_all = ["cap", "mbps"])]
    zones: Option<(f64, f64)>,
    /// Seeks of the disk: to the next track and over all of it, such as 0.8ms,16ms; between them by the
    /// square root of the way.
    #[arg(long, value_name = "TRACK,FULL", value_parser = two_times, requires = "zones", conflicts_with_all = ["cap", "mbps"])]
    seek: Option<(f64, f64)>,
    /// Size of the device, such as 4G, cut to whole blocks of 4 KiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    size: f64,
    /// Where the file appears. Nothing may be there: nothing is ever overwritten.
    #[arg(long, value_name = "FILE")]
    at: PathBuf,
    /// Keep so much of what is written in memory; beyond, the device has no space left.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_bytes)]
    memory: f64,
    /// Keep what is written in a file without a name in this folder instead, gone at the end. A twentieth
    /// of its file system stays free. Its disk has to be faster than what is emulated.
    #[arg(long, value_name = "FOLDER", conflicts_with = "memory")]
    backing: Option<PathBuf>,
    /// Put a loop device over the file, with direct I/O (root only).
    #[arg(long = "loop")]
    loop_device: bool,
    /// Go on when the program that started this one ends.
    #[arg(long)]
    stay: bool,
    /// Write one JSON document to standard output as soon as the file can be opened.
    #[arg(long)]
    json: bool,
}

impl Emulate {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let parent = (!self.stay).then(Parent::now);
        let signals = HeldSignals::hold();
        let program = std::env::current_exe()
            .map_err(|error| Failure(format!("the path of this program is not known: {error}")))?;
        let mut watchdog = Command::new(program);
        watchdog.arg(WATCH);
        let order = EmulationOrder {
            at: self.at,
            size_bytes: self.size,
            latency_us: self.latency,
            iops_cap: self.cap,
            mbps_cap: self.mbps,
            zones: self.zones.zip(self.seek).map(
                |((outer_mbps, inner_mbps), (track_seek_us, full_seek_us))| Zones {
                    outer_mbps,
                    inner_mbps,
                    track_seek_us,
                    full_seek_us,
                },
            ),
            content: match self.backing {
                Some(folder) => Content::Folder(folder),
                None => Content::Memory { bytes: self.memory as u64 },
            },
            loop_device: self.loop_device,
            watchdog: Some(watchdog),
        };
        let (emulation, document) =
            spindle_app::emulate(order).map_err(|why| Failure(format!("nothing is emulated: {why}")))?;
        if self.json {
            let written = spindle_app::write_emulation(shell.out(), &document);
            shell.unless_closed(written)?;
        } else {
            shell.print(&told(&document))?;
        }
        shell.flush()?;
        let ended = emulation.wait(&signals, parent);
        let why = match ended {
            Ended::Asked => "",
            Ended::ParentDied => "the program that started this one ended (--stay goes on); ",
            Ended::Unmounted => "somebody unmounted the file; ",
            Ended::TooLong => "200 days are over, and the clock of the device counts no further; ",
        };
        let mounted = emulation.mounted();
        let lateness = emulation.end();
        let how = match (lateness.below_us(0.5), lateness.below_us(0.99)) {
            (Some(half), Some(most)) => format!(
                "{} requests answered, half of them less than {half} us after the device was done, 99 % less than \
                 {most} us",
                lateness.answers()
            ),
            _ => "no request came".to_owned(),
        };
        shell.note(&format!("{why}{how}"));
        for (device, at) in &mounted {
            shell.warning(&format!(
                "{} is still mounted at {}, on a device that is gone: umount {}",
                device.display(),
                at.display(),
                at.display()
            ));
        }
        Ok(if mounted.is_empty() { Exit::Done } else { Exit::InPart })
    }
}

/// `146,97`, `146MB/s,97MB/s`.
fn two_rates(text: &str) -> Result<(f64, f64), String> {
    let (outer, inner) = text.split_once(',').ok_or("it is not two rates; write for example 146,97")?;
    Ok((parse_mbps(outer)?, parse_mbps(inner)?))
}

/// `0.8ms,16ms`.
fn two_times(text: &str) -> Result<(f64, f64), String> {
    let (track, full) = text.split_once(',').ok_or("it is not two times; write for example 0.8ms,16ms")?;
    Ok((parse_latency(track)?, parse_latency(full)?))
}

/// What is served, where, and how to end it.
fn told(document: &EmulationDocument) -> String {
    let mut device = format!(
        "a device of {}, {} ms a request",
        number::bytes(document.size_bytes as f64),
        document.latency_us / 1e3
    );
    if let Some(iops) = document.iops_cap {
        device += &format!(", at most {} requests a second", iops);
    }
    if let Some(mbps) = document.mbps_cap {
        device += &format!(", at most {} MB/s", mbps);
    }
    if let Some(zones) = document.zones {
        device += &format!(
            " that does not follow the last one, {} MB/s at the first byte and {} at the last, seeks of {} to {} ms",
            zones.outer_mbps,
            zones.inner_mbps,
            zones.track_seek_us / 1e3,
            zones.full_seek_us / 1e3
        );
    }
    let content = match (&document.backing_folder, document.memory_bytes) {
        (Some(folder), _) => format!("what is written is kept in {folder} until the end"),
        (None, Some(bytes)) => {
            format!("what is written is kept in memory until the end, up to {}", number::bytes(bytes as f64))
        }
        (None, None) => "what is written is kept until the end".to_owned(),
    };
    let mut text = format!("device   {device}\nfile     {}\n", document.file);
    if let Some(device) = &document.loop_device {
        text += &format!("loop     {device}\n");
    }
    text += &format!("content  {content}\nend      Ctrl-C here, or: kill {}\n", document.process);
    text
}

/// Name of the command below.
pub(crate) const WATCH: &str = "emulate-watch";

/// Waits for the process that serves a file and cleans up after it; started by `spindle emulate`.
#[derive(clap::Args)]
pub(crate) struct EmulateWatch {
    file: PathBuf,
    run: OsString,
}

impl EmulateWatch {
    pub(crate) fn run(self) -> Exit {
        spindle_app::watch(&self.file, &self.run);
        Exit::Done
    }
}
