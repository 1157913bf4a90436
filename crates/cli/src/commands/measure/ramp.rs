//! `spindle measure ramp`: up to the knee, and the device curve.

use super::common::{Common, Sweep};
use super::read::size;
use crate::output::{Curve, Failure};
use crate::shell::{Exit, Shell};
use spindle_app::RampOrder;
use spindle_workload::{Measured, Pattern};
use std::path::PathBuf;

/// More and more requests under way, up to the knee from which more only wait.
///
/// --curve writes latency by rate as far as the knee, for --curve of `spindle place` and `spindle size`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure ramp /dev/mapper/data1 --curve data1.json --html data1.html
  spindle measure ramp test.dat --create 16G --write 30 --size 8K")]
pub(crate) struct Ramp {
    /// Files or devices: the load is the same on each of them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Size of a request: bytes, or such as 8K.
    #[arg(long, value_name = "SIZE", default_value = "8192", value_parser = size)]
    size: u32,
    /// One after the other, instead of at random places.
    #[arg(long)]
    serial: bool,
    /// Share of writes, percent.
    #[arg(long, value_name = "PCT", default_value = "0", value_parser = percent)]
    write: f64,
    /// Requests under way on each file at most.
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=1024))]
    most: u32,
    /// Write the device curve (JSON). Nothing but an earlier curve is replaced.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    #[command(flatten)]
    sweep: Sweep,
    #[command(flatten)]
    common: Common,
}

impl Ramp {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let curve = self.curve.as_ref().map(|path| Curve::new(path.clone(), &self.files)).transpose()?;
        let order = RampOrder {
            read_pct: 100.0 - self.write,
            size: self.size,
            pattern: if self.serial { Pattern::Sequential } else { Pattern::Random },
            most_depth: self.most,
            each: self.sweep.each(),
        };
        let beside = |measured: &Measured, shell: &mut Shell| {
            if let Some(output) = &curve {
                match &measured.curve {
                    Some(curve) => {
                        output.write(&spindle_app::curve_file(curve)?)?;
                        shell.note(&format!("curve written to {}", output.path().display()));
                    }
                    None => shell.warning("no curve was written: no load brought any request to an end"),
                }
            }
            Ok(())
        };
        self.common.measure(
            &self.files,
            self.write > 0.0,
            shell,
            |runner| spindle_app::ramp(runner, &order),
            Some(&beside),
        )
    }
}

/// A share: `30`, `30%`.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let bare = text.trim().trim_end_matches('%').trim_end();
    let share = bare.parse::<f64>().ok().filter(|p| (0.0..=100.0).contains(p));
    share.ok_or_else(|| "it is no share from 0 to 100 %; write for example 30".to_owned())
}
