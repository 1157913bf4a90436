//! The seed of a measurement: the one given, or one that is drawn.
//!
//! The same places asked for twice are found in a cache the second time, of the machine or of an array, so what
//! nobody asked to repeat does not repeat.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// The one that was drawn.
static DRAWN: OnceLock<u64> = OnceLock::new();

/// The seed given, or one of a million: short, so that it can be typed again.
pub(super) fn or_drawn(given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| *DRAWN.get_or_init(|| RandomState::new().hash_one(0) % 1_000_000))
}

/// The seed, where one was drawn.
pub(super) fn drawn() -> Option<u64> {
    DRAWN.get().copied()
}
