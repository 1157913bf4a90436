//! `spindle measure log`: a log writer and those who commit.

use super::common::{Common, Sweep};
use super::typed::{pause, redo, size, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::LogOrder;
use spindle_planning::parse_bytes;
use spindle_workload::{Flush, Size};
use std::path::PathBuf;

/// A log writer: what its writes take, and what commits take that wait for them.
///
/// One write at a time, one after the other, each safe against a loss of power; each carries all who wait
/// (group commit). With --background-reads also beside random reads of the same storage: what they do to the
/// log, and the log to them. It writes: to a new file (--create), or to a device that holds nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure log redo.dat --create 4G --committers 1,8,64 --html log.html
  spindle measure log /dev/mapper/redo1 --committers 32 --think 5ms --background-reads 16
  spindle measure log redo.dat --create 4G --mix 500:3,8K:1 --sync fdatasync")]
pub(crate) struct Log {
    /// A file or device.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Those who commit; several numbers are run one after the other.
    #[arg(long, value_name = "N,...", default_value = "1,4,16,64", value_delimiter = ',',
        value_parser = whole::<u32>(1, 65_536))]
    committers: Vec<u32>,
    /// Mean pause of each between two commits.
    #[arg(long, value_name = "TIME", default_value = "0us", value_parser = pause)]
    think: f64,
    /// Redo of a commit: bytes, or such as 8K [default: a mix as published reports have it].
    #[arg(long, value_name = "SIZE", value_parser = redo, conflicts_with = "mix")]
    size: Option<u32>,
    /// A mix of them, with weights, such as 500:3,8K:1.
    #[arg(long, value_name = "SIZE:WEIGHT,...", value_delimiter = ',', value_parser = part)]
    mix: Option<Vec<Size>>,
    /// When a write is done.
    #[arg(long, value_enum, default_value = "dsync")]
    sync: Sync,
    /// The log goes round in so much of the file [default: 1G, or half of it].
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    log_size: Option<f64>,
    /// Random reads under way in the rest of it: the log alone, the reads alone, and both.
    #[arg(long, value_name = "DEPTH", value_parser = whole::<u32>(1, 1024))]
    background_reads: Option<u32>,
    /// Size of each of those reads.
    #[arg(long, value_name = "SIZE", default_value = "8192", requires = "background_reads", value_parser = size)]
    read_size: u32,
    #[command(flatten)]
    sweep: Sweep,
    #[command(flatten)]
    common: Common,
}

/// When a write is done.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Sync {
    /// With the write itself (O_DSYNC), as Oracle does.
    Dsync,
    /// With an fdatasync after each, as PostgreSQL does.
    Fdatasync,
}

impl Log {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        if self.background_reads.is_none() && self.common.asks_for_io_uring() {
            return Err(Failure(
                "nothing was measured: a log makes its writes one at a time, each with a call of its own, whatever the engine; \
                 --engine io-uring makes the reads of --background-reads, and there are none: leave it out"
                    .to_owned(),
            ));
        }
        let one = self.size.map(|bytes| vec![Size { bytes, weight: 1.0 }]);
        let order = LogOrder {
            committers: self.committers,
            think_us: self.think,
            mix: self.mix.or(one),
            flush: match self.sync {
                Sync::Dsync => Flush::Dsync,
                Sync::Fdatasync => Flush::Fdatasync,
            },
            log_bytes: self.log_size.map(|bytes| bytes as u64),
            reads_depth: self.background_reads,
            read_bytes: self.read_size,
            each: self.sweep.each(),
        };
        self.common.measure(&[self.file], true, shell, |runner| spindle_app::log(runner, &order), None)
    }
}

/// One size of a mix with its weight.
fn part(text: &str) -> Result<Size, String> {
    let (size, weight) = text.split_once(':').unwrap_or((text, "1"));
    let weight = weight.trim().parse::<f64>().ok().filter(|w| w.is_finite() && *w > 0.0);
    let weight =
        weight.ok_or_else(|| format!("`{text}` has no weight above 0; write for example 500:3,8K:1"))?;
    Ok(Size { bytes: redo(size)?, weight })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_has_sizes_and_weights() {
        assert_eq!(part("500:3"), Ok(Size { bytes: 500, weight: 3.0 }));
        assert_eq!(part("8K"), Ok(Size { bytes: 8_192, weight: 1.0 }));
        assert!(
            part("8K:0").is_err() && part("2M:1").is_err() && part("0:1").is_err() && part("8K:x").is_err()
        );
        assert_eq!((pause("0"), pause("0ms"), pause("2ms")), (Ok(0.0), Ok(0.0), Ok(2_000.0)));
        assert!(pause("2").is_err() && pause("00x1").is_err() && pause("").is_err() && pause("ms").is_err());
    }
}
