//! What every rule may look at.

use crate::bars::{Bars, DeviceClass};
use crate::outcome::{Account, Commit, Concentration, DeviceGuess, IoProfile, Latency, ResponseTime};
use spindle_facts::Report;

/// What the caller may set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Device class given by the caller instead of guessed.
    pub device_class: Option<DeviceClass>,
}

/// A report with everything derived from it once.
#[derive(Debug)]
pub struct Case<'a> {
    /// The report.
    pub report: &'a Report,
    /// Response-time tree.
    pub response_time: ResponseTime,
    /// I/O profile with accounts.
    pub io: IoProfile,
    /// Accounts.
    pub accounts: Vec<Account>,
    /// Device class.
    pub device: DeviceGuess,
    /// Bars of that class.
    pub bars: Bars,
    /// Commit path.
    pub commit: Commit,
    /// Concentration.
    pub concentration: Concentration,
    /// Distributions.
    pub latency: Vec<Latency>,
}
