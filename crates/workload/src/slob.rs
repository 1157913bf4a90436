//! SLOB's load: sessions that read random blocks one at a time and change some of them, without a database.
//!
//! A session runs one statement after the other. Each goes to [`Slob::work_unit`] random blocks; a share of
//! the statements changes what it reads and commits. What is changed is written later, by writers of the
//! database; a commit waits for the log. So the same waits come about as in an AWR of SLOB with a buffer
//! cache that holds nothing.

use crate::commits::MOST_WRITE_BYTES;
use serde::{Deserialize, Serialize};

/// The load, with SLOB's parameters.
///
/// Shape: one a run. Unit: in the names. Missing: `think` and `hot` are `None` where there are none. Source:
/// options of a command, named as in `slob.conf`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slob {
    /// `UPDATE_PCT`: share of the statements that change what they read.
    pub update_pct: f64,
    /// `THREADS_PER_SCHEMA` times schemas: sessions.
    pub threads: u32,
    /// `SCALE`: bytes of the data, from the beginning of the file.
    pub scale_bytes: u64,
    /// Bytes behind it in which the log goes round.
    pub log_bytes: u64,
    /// `WORK_UNIT`: blocks of a statement.
    pub work_unit: u32,
    /// Block of the database.
    pub block_bytes: u32,
    /// Pauses.
    pub think: Option<Think>,
    /// A part that is wanted more.
    pub hot: Option<Hot>,
    /// `REDO_STRESS`: redo of a changed block, bytes.
    pub redo_bytes: u32,
    /// Seed of all that is random.
    pub seed: u64,
    /// How long it counts.
    pub seconds: f64,
    /// How long it runs before.
    pub warm_up_s: f64,
}

/// `THINK_TM_FREQUENCY`, `THINK_TM_MIN`, `THINK_TM_MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Think {
    /// After every so many statements of a session.
    pub every: u32,
    /// At least, microseconds.
    pub min_us: f64,
    /// At most, microseconds.
    pub max_us: f64,
}

/// `HOTSPOT_FREQUENCY`, `HOTSPOT_MB`, `HOTSPOT_OFFSET_MB`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hot {
    /// Every so many statements of a session go there.
    pub every: u32,
    /// How large it is.
    pub bytes: u64,
    /// Where it begins.
    pub offset_bytes: u64,
}

impl Slob {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        let block = u64::from(self.block_bytes);
        let blocks = self.scale_bytes / block.max(1);
        if !(0.0..=100.0).contains(&self.update_pct) {
            return Some(format!("{} % of updates is not between 0 and 100", self.update_pct));
        }
        if self.block_bytes < 512 || !(1..=4_096).contains(&self.threads) || self.work_unit == 0 {
            return Some(
                "it needs 1 to 4,096 threads, a work unit and blocks of 512 bytes at least".to_owned(),
            );
        }
        if blocks < u64::from(self.work_unit) {
            return Some(format!("data of {blocks} blocks are less than a work unit of {}", self.work_unit));
        }
        if let Some(hot) = self.hot {
            let end = hot.offset_bytes.saturating_add(hot.bytes);
            if hot.every == 0 || hot.bytes < block || end > self.scale_bytes {
                return Some(format!(
                    "a hot spot of {} bytes from byte {} does not lie within the {} of the data",
                    hot.bytes, hot.offset_bytes, self.scale_bytes
                ));
            }
        }
        if let Some(think) = self.think
            && (think.every == 0 || !(0.0..=3.6e9).contains(&think.min_us) || think.max_us < think.min_us)
        {
            return Some("a pause goes from its least to its most".to_owned());
        }
        let redo = u64::from(self.redo_bytes) * u64::from(self.work_unit);
        if self.update_pct > 0.0 && !(1..=u64::from(MOST_WRITE_BYTES)).contains(&redo) {
            return Some(format!(
                "a commit of {} blocks has {redo} bytes of redo, and one write of the log carries 1 to {MOST_WRITE_BYTES}",
                self.work_unit
            ));
        }
        if self.update_pct > 0.0 && self.log_bytes < u64::from(MOST_WRITE_BYTES) {
            return Some(format!("a log of {} bytes is less than one write of it", self.log_bytes));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_said() {
        let good = Slob {
            update_pct: 25.0,
            threads: 4,
            scale_bytes: 80 << 20,
            log_bytes: 8 << 20,
            work_unit: 64,
            block_bytes: 8_192,
            think: Some(Think { every: 7, min_us: 1.0, max_us: 2.0 }),
            hot: Some(Hot { every: 3, bytes: 8 << 20, offset_bytes: 16 << 20 }),
            redo_bytes: 500,
            seed: 1,
            seconds: 1.0,
            warm_up_s: 0.0,
        };
        assert_eq!(good.objection(), None);
        for wrong in [
            Slob { update_pct: 101.0, ..good },
            Slob { threads: 0, ..good },
            Slob { work_unit: 0, ..good },
            Slob { scale_bytes: 8_192 * 63, hot: None, ..good },
            Slob { hot: Some(Hot { every: 3, bytes: 8 << 20, offset_bytes: 73 << 20 }), ..good },
            Slob { think: Some(Think { every: 1, min_us: 3.0, max_us: 2.0 }), ..good },
            Slob { redo_bytes: 20_000, ..good },
            Slob { log_bytes: 1_000, ..good },
        ] {
            assert!(wrong.objection().is_some(), "{wrong:?}");
        }
        // Who changes nothing needs no log.
        assert_eq!(Slob { update_pct: 0.0, log_bytes: 0, redo_bytes: 0, ..good }.objection(), None);
    }
}
