//! `spindle measure matrix`: Orion's grid of small and large requests.

use super::common::{Common, Sweep};
use super::ramp::percent;
use super::read::size;
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::{MatrixKind, MatrixOrder};
use std::path::PathBuf;

/// As Orion: small and large requests beside each other, over a grid of both.
///
/// Ends in Orion's own summary lines. Small requests lie anywhere; large ones, too, or follow each other
/// with --serial. The load is spread evenly over the files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure matrix /dev/mapper/data1 --run simple
  spindle measure matrix /dev/mapper/data* --run oltp --num-disks 24
  spindle measure matrix test.dat --create 16G --kind detailed --small 8 --large 4 --write 20")]
pub(crate) struct Matrix {
    /// Files or devices.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which load, as Orion's -run.
    #[arg(long, value_enum, default_value = "simple")]
    run: Preset,
    /// Which points of the grid, as Orion's -matrix [default: that of --run].
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Disks behind the files: how far the load goes [default: one a file].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    num_disks: Option<u32>,
    /// Small requests under way at most [default: that of --run].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1024))]
    small: Option<u32>,
    /// Large requests under way at most [default: that of --run].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1024))]
    large: Option<u32>,
    /// Size of a small request.
    #[arg(long, value_name = "SIZE", default_value = "8K", value_parser = size)]
    size_small: u32,
    /// Size of a large request.
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = size)]
    size_large: u32,
    /// Large requests follow each other.
    #[arg(long)]
    serial: bool,
    /// Share of writes, percent.
    #[arg(long, value_name = "PCT", default_value = "0", value_parser = percent)]
    write: f64,
    #[command(flatten)]
    sweep: Sweep,
    #[command(flatten)]
    common: Common,
}

/// Loads as Orion names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Preset {
    /// Small alone up to 5 a disk, large alone up to 2 a disk.
    Simple,
    /// The same, and every combination.
    Normal,
    /// Small alone, up to 20 a disk.
    Oltp,
    /// Large alone, up to 15 a disk.
    Dss,
}

/// Points as Orion names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Small alone and large alone.
    Basic,
    /// Every combination.
    Detailed,
    /// The one of --small and --large.
    Point,
    /// Large as --large says, small from none up.
    Row,
    /// Small as --small says, large from none up.
    Col,
    /// Those with all of --small or all of --large.
    Max,
}

impl Matrix {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let disks = self.num_disks.unwrap_or(u32::try_from(self.files.len()).unwrap_or(1));
        let (small, large, kind) = match self.run {
            Preset::Simple => (5 * disks, 2 * disks, Kind::Basic),
            Preset::Normal => (5 * disks, 2 * disks, Kind::Detailed),
            Preset::Oltp => (20 * disks, 0, Kind::Basic),
            Preset::Dss => (0, 15 * disks, Kind::Basic),
        };
        let (small, large) = (self.small.unwrap_or(small), self.large.unwrap_or(large));
        if small == 0 && large == 0 {
            return Err(Failure(
                "nothing was measured: neither small nor large requests are asked for".to_owned(),
            ));
        }
        let order = MatrixOrder {
            kind: match self.kind.unwrap_or(kind) {
                Kind::Basic => MatrixKind::Basic,
                Kind::Detailed => MatrixKind::Detailed,
                Kind::Point => MatrixKind::Point,
                Kind::Row => MatrixKind::Row,
                Kind::Col => MatrixKind::Col,
                Kind::Max => MatrixKind::Max,
            },
            small,
            large,
            sizes: (self.size_small, self.size_large),
            sequential: self.serial,
            write_pct: self.write,
            each: self.sweep.each(),
        };
        self.common.measure(
            &self.files,
            self.write > 0.0,
            shell,
            |runner| spindle_app::matrix(runner, &order),
            None,
        )
    }
}
