//! `spindle measure ramp`: up to the knee, and the device curve.

use super::common::{Common, Sweep};
use super::typed::{size, whole};
use crate::output::{Curve, Failure};
use crate::shell::{Exit, Shell};
use spindle_app::{RampOrder, RatesOrder};
use spindle_workload::{Measured, Pattern};
use std::path::PathBuf;

/// More and more requests under way, up to the knee from which more only wait.
///
/// With --arrivals requests come at a rate instead, whatever the storage does, up to the rate that it does not
/// serve; latency counts from when a request was to start.
///
/// --curve writes latency by rate as far as the knee, for --curve of `spindle place` and `spindle size`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure ramp /dev/mapper/data1 --curve data1.json --html data1.html
  spindle measure ramp test.dat --create 16G --write 30 --size 8K
  spindle measure ramp /dev/mapper/data1 --arrivals poisson --time 30s --curve data1.json")]
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
    #[arg(long, value_name = "N", default_value = "256", value_parser = whole::<u32>(1, 1024))]
    most: u32,
    /// Requests come at rising rates: at random times (Poisson), or all at the same distance.
    #[arg(long, value_enum, conflicts_with = "most")]
    arrivals: Option<ArrivalsName>,
    /// Write the device curve (JSON). Nothing but an earlier curve is replaced.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    #[command(flatten)]
    sweep: Sweep,
    #[command(flatten)]
    common: Common,
}

/// How requests come.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ArrivalsName {
    /// At random times.
    Poisson,
    /// All at the same distance.
    Fixed,
}

impl Ramp {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        if self.curve.is_some() && self.curve == self.common.html {
            return Err(Failure(
                "nothing was measured: --curve and --html name one file; give each its own".to_owned(),
            ));
        }
        let curve = self.curve.as_ref().map(|path| Curve::new(path.clone(), &self.files)).transpose()?;
        let order = RampOrder {
            read_pct: 100.0 - self.write,
            size: self.size,
            pattern: if self.serial { Pattern::Sequential } else { Pattern::Random },
            most_depth: self.most,
            each: self.sweep.each(),
        };
        let rates = self.arrivals.map(|arrivals| RatesOrder {
            poisson: matches!(arrivals, ArrivalsName::Poisson),
            read_pct: order.read_pct,
            size: order.size,
            pattern: order.pattern,
            each: order.each.clone(),
        });
        let beside = |measured: &Measured, shell: &mut Shell| {
            if let Some(output) = &curve {
                match &measured.curve {
                    Some(curve) => {
                        output.write(&spindle_app::curve_file(curve)?)?;
                        shell.note(&format!("curve written to {}", output.path().display()));
                    }
                    None if self.arrivals.is_some() => {
                        shell.warning("no curve was written: the storage kept up with no rate");
                    }
                    None => shell.warning("no curve was written: no load has all of its requests answered"),
                }
            }
            Ok(())
        };
        self.common.measure(
            &self.files,
            self.write > 0.0,
            shell,
            |runner| match &rates {
                Some(rates) => spindle_app::rates(runner, rates),
                None => spindle_app::ramp(runner, &order),
            },
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
