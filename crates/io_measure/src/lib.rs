//! Loads on real devices.
//!
//! So far the guard: no other code of this workspace writes to a device or file that a user names
//! for measuring.

pub mod guard;
