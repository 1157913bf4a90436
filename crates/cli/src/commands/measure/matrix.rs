//! `spindle measure matrix`: Orion's grid of small and large requests.

use super::common::{Common, Sweep, Where};
use super::ramp::percent;
use super::typed::{size, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::{MatrixKind, MatrixOrder};
use spindle_planning::parse_bytes;
use spindle_workload::Volume;
use std::path::PathBuf;

/// As Orion: small and large requests beside each other, over a grid of both.
///
/// Ends in Orion's own summary lines. Small requests lie anywhere; large ones, too, or follow each other
/// with --serial. The load is spread evenly over the files, each for itself; with --simulate they are one
/// volume, and the addresses say which of them a request goes to.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure matrix /dev/mapper/data1 --run simple
  spindle measure matrix /dev/mapper/data* --run oltp --num-disks 24
  spindle measure matrix test.dat --create 16G --kind detailed --small 8 --large 4 --write 20
  spindle measure matrix /dev/sdb /dev/sdc /dev/sdd --simulate raid0 --stripe 1M --num-disks 3")]
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
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 1_000))]
    num_disks: Option<u32>,
    /// Small requests under way at most [default: that of --run].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0, 1024))]
    small: Option<u32>,
    /// Large requests under way at most [default: that of --run].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0, 1024))]
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
    /// The files as one volume, as Orion's -simulate. A request over several of them is cut, all pieces go at once,
    /// and it is done when all are.
    #[arg(long, value_enum)]
    simulate: Option<Simulate>,
    /// Stripes of --simulate raid0 [default: 1M].
    #[arg(long, value_name = "SIZE", value_parser = stripe, requires = "simulate")]
    stripe: Option<u64>,
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
    /// As normal, where --kind, --small and --large say nothing else.
    Advanced,
}

/// Volumes as Orion names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Simulate {
    /// Stripes lie on the files by turns; each counts as large as the smallest.
    Raid0,
    /// One file after the other.
    Concat,
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
            Preset::Normal | Preset::Advanced => (5 * disks, 2 * disks, Kind::Detailed),
            Preset::Oltp => (20 * disks, 0, Kind::Basic),
            Preset::Dss => (0, 15 * disks, Kind::Basic),
        };
        let (small, large) = (self.small.unwrap_or(small), self.large.unwrap_or(large));
        if small == 0 && large == 0 {
            return Err(Failure(
                "nothing was measured: neither small nor large requests are asked for".to_owned(),
            ));
        }
        let volume = self.volume().map_err(|why| Failure(format!("nothing was measured: {why}")))?;
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
            volume,
        };
        self.common.measure_where(
            &Where { volume, ..Where::default() },
            &self.files,
            self.write > 0.0,
            shell,
            |runner| spindle_app::matrix(runner, &order),
            None,
        )
    }

    /// The volume that the files make; `None` where each is loaded for itself.
    fn volume(&self) -> Result<Option<Volume>, String> {
        let Some(simulate) = self.simulate else { return Ok(None) };
        if self.files.len() < 2 {
            return Err("--simulate makes one volume of several files, and one is named".to_owned());
        }
        if let Some((_, twice)) = self.files.iter().enumerate().find(|(n, f)| self.files[..*n].contains(f)) {
            return Err(format!(
                "`{}` is named twice, and a volume has each of its files once",
                twice.display()
            ));
        }
        match (simulate, self.stripe) {
            (Simulate::Raid0, stripe) => {
                Ok(Some(Volume::Raid0 { stripe_bytes: stripe.unwrap_or(STRIPE_BYTES) }))
            }
            (Simulate::Concat, None) => Ok(Some(Volume::Concat)),
            (Simulate::Concat, Some(_)) => Err("--stripe goes with --simulate raid0".to_owned()),
        }
    }
}

/// Stripes that Orion has where nobody says otherwise.
const STRIPE_BYTES: u64 = 1 << 20;

/// Bytes of a stripe, in whole pages.
fn stripe(text: &str) -> Result<u64, String> {
    let bytes = parse_bytes(text)? as u64;
    if bytes.is_multiple_of(4096) && (4096..=1 << 30).contains(&bytes) {
        Ok(bytes)
    } else {
        Err("a stripe has whole pages of 4 KiB, up to 1 GiB; write for example 1M".to_owned())
    }
}
