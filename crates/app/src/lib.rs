//! What every front end shares: opening inputs, masking, the JSON documents that
//! `spindle ... --json` promises, and one function a command.
//!
//! Nothing here prints or exits. A command hands its results over one report at a time, in the
//! order of its arguments, so that a year of reports needs the memory of a few.

mod collect;
mod collected;
mod compare;
mod csv;
mod diagnose;
mod emulate;
mod facts;
mod gathered;
mod input;
mod json;
mod masking;
mod measure;
mod place;
mod results;
mod simulate;
mod size;
mod validate;

pub use collect::{CollectDocument, Licence, Order, Refused, Release, What, collect_script};
pub use collected::collected;
pub use compare::{Compared, Sides, compare, write_compared};
pub use csv::CsvFolder;
pub use diagnose::{Diagnosed, DiagnosisDocument, diagnose};
pub use emulate::{EmulationDocument, EmulationOrder, Zones, emulate, write_emulation};
pub use facts::{Fact, FactsDocument, Part, facts, table_names};
pub use gathered::Gathered;
pub use input::{Limits, NoProgress, Progress, Unread};
pub use measure::{
    CalibrateOrder, Change, Create, Each, EngineName, Going, Hosts, HostsOrder, JOURNALS, LogOrder,
    MatrixKind, MatrixOrder, PutBack, RampOrder, Ran, RatesOrder, ReadOrder, Runner, ScanOrder, SlobOrder,
    Supervised, Targets, Watcher, ZonesOrder, calibrate, check_host, curve_file, log, matrix, ramp, rates,
    read_files, read_traces, remote_path, restore_settings, run_job, say_hosts, scan, slob, write_measured,
    write_put_back, zones,
};
#[cfg(target_os = "linux")]
pub use measure::{file_limit_is_an_error, measure_child};
pub use place::{Placed, Placement, place, write_plan};
pub use results::curve_of;
pub use simulate::{ScenarioOrder, ScenarioProgress, Simulated, simulate};
pub use size::{size, size_stated, write_sizing};
pub use spindle_io_emulate::{Content, Emulation, Ended, HeldSignals, Parent, watch};
pub use spindle_io_simulate::catalogue::listed_models;
pub use spindle_io_simulate::scenario::scenario_keys;
pub use validate::{
    UnreadDrive, ValidatedDrive, ValidationDocument, ValidationOrder, validate_drives, write_validation,
};

use std::path::{Path, PathBuf};

/// What every command that reads reports is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Files, folders, patterns, or `-`.
    pub inputs: Vec<PathBuf>,
    /// Replace names of databases, hosts, users and objects, and the text of SQL.
    pub mask: bool,
    /// Bounds on what is believed.
    pub limits: Limits,
    /// File that will be written: passed over where a folder or pattern reaches it.
    pub output: Option<PathBuf>,
}

impl Request {
    /// Is the file one of those to be read, other than as the `output` of an earlier run?
    #[must_use]
    pub fn reads(&self, file: &Path) -> bool {
        input::reads(&self.inputs, file)
    }
}
