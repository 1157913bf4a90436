//! `spindle measure calibrate`: CALIBRATE_IO without a database.

use super::common::{Common, Sweep};
use super::typed::{size, time, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::CalibrateOrder;
use std::path::PathBuf;

/// As CALIBRATE_IO: how many small reads a second within a latency, how many MB/s of large ones.
///
/// Small random reads first, more and more, then large ones. From what one read alone takes follow Oracle's
/// system statistics and two settings of PostgreSQL, each with how it follows. Reads only.
#[derive(clap::Args)]
#[command(after_help = "Example:
  spindle measure calibrate /dev/mapper/data1 /dev/mapper/data2 --num-disks 24 --max-latency 10ms")]
pub(crate) struct Calibrate {
    /// Files or devices.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Disks behind them: the load rises in steps of so many requests [default: one a file].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 10_000))]
    num_disks: Option<u32>,
    /// A small read may take so long on average.
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = time)]
    max_latency: f64,
    /// Size of a small read: a block of the database.
    #[arg(long, value_name = "SIZE", default_value = "8192", value_parser = size)]
    size: u32,
    /// Requests under way on each file at most.
    #[arg(long, value_name = "N", default_value = "512", value_parser = whole::<u32>(1, 1024))]
    most: u32,
    #[command(flatten)]
    sweep: Sweep,
    #[command(flatten)]
    common: Common,
}

impl Calibrate {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let files = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let order = CalibrateOrder {
            num_disks: self.num_disks.unwrap_or(files),
            max_latency_us: self.max_latency,
            size: self.size,
            most_depth: self.most,
            each: self.sweep.each(),
        };
        self.common.measure(&self.files, false, shell, |runner| spindle_app::calibrate(runner, &order), None)
    }
}
