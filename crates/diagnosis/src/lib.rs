//! Where response time went, why, and what to do: pure functions from facts to findings.
//!
//! [`diagnose`] is the one way in. It builds the response-time tree, the I/O profile with the
//! account that each number came from, the device class, the commit path and the concentration,
//! then runs every rule of [`rules`] over them. Nothing here reads a file, prints or rounds.

mod bars;
mod case;
mod events;
mod finding;
mod outcome;
mod response_time;
pub mod rules;
pub mod words;

pub use bars::{Bars, DeviceClass};
pub use case::{Case, Options, Setting};
pub use events::EventTotal;
pub use finding::{Claim, Evidence, Finding, RuleInfo, Verdict};
pub use outcome::{
    Account, AccountValue, CannotTell, ClassTime, Commit, Concentration, DeviceGuess, Diagnosis, EventTime,
    IoFigure, IoProfile, Latency, ResponseSide, ResponseTime,
};
