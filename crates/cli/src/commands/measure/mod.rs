//! `spindle measure`: what storage can really do.

mod calibrate;
mod common;
mod live;
mod log;
mod matrix;
mod over;
mod ramp;
mod read;
mod restore;
mod run;
mod scan;
mod seed;
mod slob;
mod typed;
mod zones;

use crate::output::Failure;
use crate::shell::{Exit, Shell};
use clap::Subcommand;

/// What can this storage really do? In a database's terms, with an interval on every figure.
///
/// Reads, and writes only where that is asked for (a job, --write, log, slob): to a file that it makes
/// (--create), to an empty device, or to a path that --overwrite names. What is in use is never written to.
/// Ctrl-C ends with what was measured. Direct I/O, unless --buffered says otherwise.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure ramp /dev/mapper/data1 /dev/mapper/data2 --html knee.html
  spindle measure calibrate test.dat --create 16G --num-disks 8 --max-latency 10ms
  spindle measure run oltp.toml --on test.dat --create 16G --json")]
pub(crate) struct Measure {
    #[command(subcommand)]
    form: Form,
}

#[derive(Subcommand)]
enum Form {
    Calibrate(Box<calibrate::Calibrate>),
    Log(Box<log::Log>),
    Matrix(Box<matrix::Matrix>),
    Ramp(Box<ramp::Ramp>),
    Read(Box<read::Read>),
    Restore(restore::Restore),
    Run(Box<run::Run>),
    Scan(Box<scan::ScanForm>),
    Slob(Box<slob::SlobForm>),
    Zones(Box<zones::Zones>),
}

impl Measure {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        match self.form {
            Form::Calibrate(form) => form.run(shell),
            Form::Log(form) => form.run(shell),
            Form::Matrix(form) => form.run(shell),
            Form::Ramp(form) => form.run(shell),
            Form::Read(form) => form.run(shell),
            Form::Restore(form) => form.run(shell),
            Form::Run(form) => form.run(shell),
            Form::Scan(form) => form.run(shell),
            Form::Slob(form) => form.run(shell),
            Form::Zones(form) => form.run(shell),
        }
    }
}

pub(crate) use common::{CHILD, MeasureChild, command_line};
