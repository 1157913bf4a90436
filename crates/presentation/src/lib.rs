//! What a person sees: the terminal summary and one self-contained page.
//!
//! Both answer first and prove afterwards, with the same words. They take facts and a diagnosis
//! and return text or the bytes of a workbook: no file, clock, random number or network is touched, so the same input gives
//! the same bytes. Rounding happens in [`number`], escaping in [`escape`], colours in [`palette`],
//! pictures in [`chart`]; everything else lays out.

pub mod chart;
pub mod escape;
mod figures;
mod forms;
pub mod head;
pub mod html;
mod measured;
pub mod number;
pub mod overview;
pub mod palette;
mod simulated;
pub mod terminal;
pub mod xlsx;

use spindle_diagnosis::Diagnosis;
use spindle_facts::Report;

/// A report with what is said about it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// What was read.
    pub report: &'a Report,
    /// What follows from it.
    pub diagnosis: &'a Diagnosis,
}
