//! `spindle measure read`: the reader program of the short-stroke experiments.

use super::common::{Common, Where};
use super::over::Over;
use super::seed;
use super::typed::{offset, size, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use clap::ArgGroup;
use spindle_app::ReadOrder;
use std::path::PathBuf;

/// Reads files or devices, one request at a time each, all of them at once.
///
/// How long so many random or serial reads take: between two files at once, the way of the heads between
/// them shows. A boundary beyond the end of a file is refused. A file may be named twice: two readers.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("order").required(true))]
#[command(after_help = "Examples:
  spindle measure read /dev/sdb1 --random --size 8192 --boundary 262144 --count 1000 --seed 13
  spindle measure read /dev/sdb1 /dev/sdb3 --random --count 1000
  spindle measure read /dev/mapper/data1 --random --count 10000 --hosts db1,db2")]
pub(crate) struct Read {
    /// Files or devices, read side by side.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// At random places.
    #[arg(long, group = "order")]
    random: bool,
    /// One after the other.
    #[arg(long, group = "order")]
    serial: bool,
    /// Size of a read: bytes, or such as 8K.
    #[arg(long, value_name = "SIZE", default_value = "8192", value_parser = size)]
    size: u32,
    /// How many blocks of that size the range has [default: all that the file has].
    #[arg(long, value_name = "BLOCKS", value_parser = whole::<u64>(1, u64::MAX))]
    boundary: Option<u64>,
    /// Where the range begins, such as 100G.
    #[arg(long, value_name = "SIZE", value_parser = offset)]
    from: Option<f64>,
    /// Reads of each file.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole::<u64>(1, u64::MAX))]
    count: u64,
    /// Seed of the random places; without it one is drawn and told.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    over: Over,
    #[command(flatten)]
    common: Common,
}

impl Read {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let order = ReadOrder {
            random: self.random,
            size: self.size,
            boundary: self.boundary,
            from: self.from.map_or(0, |bytes| bytes as u64),
            count: self.count,
            seed: seed::or_drawn(self.seed),
        };
        self.common.measure_where(
            &Where { over: Some(&self.over), ..Where::default() },
            &self.files,
            false,
            shell,
            |runner| spindle_app::read_files(runner, &order),
            None,
        )
    }
}
