//! `spindle measure`: jobs and the classic forms on real storage.
//!
//! Two processes: one measures (`child`), the other asks for runs, watches and writes (`supervise`), and
//! touches no device. A form is a function that asks a [`Runner`] for one run after the other and says what
//! follows; on a model of a device it does the same.

mod calibrate;
#[cfg(target_os = "linux")]
mod child;
mod hosts;
mod log;
mod matrix;
mod messages;
mod ramp;
mod rates;
mod scan;
mod single;
mod slob;
mod supervise;
mod sweep;
#[cfg(test)]
mod test_runner;
mod traces;
mod zones;

pub use calibrate::{CalibrateOrder, calibrate};
#[cfg(target_os = "linux")]
pub use child::{measure_child, restore_settings};
pub use hosts::{Hosts, HostsOrder, check_host, remote_path, say_hosts};
pub use log::{LogOrder, log};
pub use matrix::{MatrixKind, MatrixOrder, matrix};
pub use messages::{Create, EngineName, Going, PutBack, Targets};
pub use ramp::{RampOrder, ramp};
pub use rates::{RatesOrder, rates};
pub use scan::{Change, ScanOrder, scan};
pub use single::{ReadOrder, read_files, run_job};
pub use slob::{SlobOrder, slob};
#[cfg(target_os = "linux")]
pub use spindle_io_measure::file_limit_is_an_error;
pub use supervise::{Ran, Runner, Supervised, Watcher};
pub use sweep::Each;
pub(crate) use traces::open_trace;
pub use traces::read_traces;
pub use zones::{ZonesOrder, zones};

use crate::json;
use spindle_workload::{DeviceCurve, Measured};
use std::io::{self, Write};

/// Writes a measurement as the document of `spindle measure --json`: the result itself where there was one
/// run, else its points.
///
/// # Errors
/// Those of the writer.
pub fn write_measured(mut writer: impl Write, measured: &Measured) -> io::Result<()> {
    #[derive(serde::Serialize)]
    struct One<'a> {
        form: &'a spindle_workload::Form,
        command: &'a str,
        began_s: Option<u64>,
        incomplete: &'a Option<String>,
        verdict: &'a str,
        #[serde(flatten)]
        result: spindle_workload::RunResult,
    }
    match measured.only() {
        Some(result) => {
            let result = spindle_workload::RunResult { warnings: measured.all_warnings(), ..result.clone() };
            let one = One {
                form: &measured.form,
                command: &measured.command,
                began_s: measured.began_s,
                incomplete: &measured.incomplete,
                verdict: &measured.verdict,
                result,
            };
            json::write(&mut writer, &one)?;
        }
        None => json::write(&mut writer, measured)?,
    }
    writer.write_all(b"\n")
}

/// Where the old settings of disks are kept while a measurement tries others, unless somebody says otherwise.
pub const JOURNALS: &str = "/var/lib/spindle";

/// Writes what putting settings back came to as the document of `spindle measure restore --json`.
///
/// # Errors
/// Those of the writer.
pub fn write_put_back(mut writer: impl Write, done: &PutBack) -> io::Result<()> {
    json::write(&mut writer, done)?;
    writer.write_all(b"\n")
}

/// Elsewhere no settings are changed.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub fn restore_settings(_: &std::path::Path) -> Result<PutBack, String> {
    Ok(PutBack::default())
}

/// A device curve as the file that `--curve` of `place` and `size` reads.
///
/// # Errors
/// Where it cannot be written as JSON.
pub fn curve_file(curve: &DeviceCurve) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    json::write(&mut bytes, curve)?;
    bytes.push(b'\n');
    Ok(bytes)
}
