//! Demand against capability: which objects belong on the fast tier, and what that saves.

pub mod choice;
mod plan;
mod range;
mod tier;

pub use plan::{
    Alternative, Candidate, CandidateKind, Component, DbTime, FrontierPoint, Measured, NextCapacity, Plan,
    PlanVolume, ResponsePart, Source, StatementGain, TierUse,
};
pub use range::Range;
pub use tier::{Profile, Sourced, Tier, profiles};
