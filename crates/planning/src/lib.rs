//! Demand against capability: which objects belong on the fast tier, and what that saves.
//!
//! A [`Planner`] takes reports, each [`Reduced`] to the waits that storage shortens and to who makes the
//! requests (`demand`), adds both up over the intervals (`entries`), and prices every candidate on every
//! tier (`value`). What fits is chosen exactly (`choice`); what stays gets faster as load leaves
//! (`relief`, shown apart, since it is not additive).

mod alternatives;
mod candidates;
mod capped;
pub mod choice;
mod class;
mod demand;
mod doubts;
mod entries;
mod held;
mod held_back;
mod immovable;
mod intervals;
mod latest;
mod listed;
mod load;
mod memory;
pub mod mirror;
mod names;
mod order;
mod place;
mod plan;
mod plans;
mod range;
mod relief;
mod say;
mod script;
mod sizes;
pub mod sizing;
mod statements;
mod surer;
mod tier;
mod value;
mod words;

pub use names::Names;
pub use place::{PlaceOptions, Planner, Reduced, Refusal};
pub use plan::{
    Alternative, Candidate, CandidateKind, Component, DbTime, FrontierPoint, Measured, NextCapacity, Plan,
    PlanVolume, ResponsePart, Source, StatementGain, TierUse,
};
pub use range::Range;
pub use script::{SCRIPT_HEAD, Script, ScriptRequest, script};
pub use tier::{Profile, Sourced, Tier, parse_bytes, parse_iops, parse_latency, parse_mbps, profiles};
