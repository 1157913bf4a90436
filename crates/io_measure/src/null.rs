//! An engine that does nothing: every request is done at once. What it measures is our own cost.

use crate::driver::{Backend, Part};
use std::io;
use std::time::Duration;

/// Ends what it is given.
#[derive(Debug, Default)]
pub(crate) struct Null {
    ended: Vec<(u32, i32)>,
}

impl Null {
    pub(crate) fn new(slots: u32) -> Self {
        Self { ended: Vec::with_capacity(slots as usize) }
    }
}

impl Backend for Null {
    #[inline]
    fn push(&mut self, part: Part) {
        self.ended.push(match part {
            Part::Read { slot, bytes, .. } | Part::Write { slot, bytes, .. } => {
                (slot, i32::try_from(bytes).unwrap_or(i32::MAX))
            }
            Part::Flush { slot } => (slot, 0),
        });
    }

    fn enter(&mut self, least: usize, timeout: Option<Duration>) -> io::Result<()> {
        if least > 0 && self.ended.is_empty() {
            // Nothing is under way: only a time can be waited for.
            std::thread::sleep(timeout.unwrap_or(Duration::from_millis(1)).min(Duration::from_millis(20)));
        }
        Ok(())
    }

    #[inline]
    fn collect(&mut self, into: &mut Vec<(u32, i32)>) {
        into.append(&mut self.ended);
    }

    fn cancel(&mut self) {}
}
