//! `spindle measure zones`: outer to inner, near to far.

use super::common::{Common, Sweep};
use super::typed::{size, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::ZonesOrder;
use std::path::PathBuf;

/// Where on a disk is it fast, and what does using only a part of it bring?
///
/// Throughput and random reads from the first byte to the last; two places further and further apart; the
/// first part alone (short stroke), with the sweet spot; two addresses, which show stripes. What does not
/// show, as on flash, is said. About 70 runs; reads only.
#[derive(clap::Args)]
#[command(mut_arg("time", |arg| arg.default_value("3s")), mut_arg("warm_up", |arg| arg.default_value("300ms")))]
#[command(after_help = "Examples:
  spindle measure zones /dev/sdb --html zones.html
  spindle measure zones /dev/sdb --zones 32 --depth 16 --time 10s")]
pub(crate) struct Zones {
    /// A device: in a file, its file system decides where bytes lie.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Parts that are swept.
    #[arg(long, value_name = "N", default_value = "16", value_parser = whole::<u32>(2, 256))]
    zones: u32,
    /// Size of a random read.
    #[arg(long, value_name = "SIZE", default_value = "8192", value_parser = size)]
    size: u32,
    /// Random reads under way in the short-stroke table.
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<u32>(1, 1024))]
    depth: u32,
    #[command(flatten)]
    sweep: Sweep,
    #[command(flatten)]
    common: Common,
}

impl Zones {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let order =
            ZonesOrder { zones: self.zones, size: self.size, depth: self.depth, each: self.sweep.each() };
        self.common.measure(&[self.file], false, shell, |runner| spindle_app::zones(runner, &order), None)
    }
}
