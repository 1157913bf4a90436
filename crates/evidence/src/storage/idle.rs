//! Devices that `-z` of iostat and sar leaves out where they did nothing.
//!
//! Nothing printed says that `-z` was given. Without it every report of a call lists every device, idle ones with
//! zeros. So where a call has no row of zeros, and reports that lack a device which others have, the lacking ones were
//! idle then: a mean over the printed rows alone would be too high.

use spindle_workload::StreamResult;
use std::collections::BTreeMap;

/// What the reports of one call after the other list.
#[derive(Default)]
pub(super) struct Listed {
    /// Intervals of ended calls in which a device was idle and left out.
    pub(super) idle: BTreeMap<String, u32>,
    /// Reports of the call that is being read.
    reports: u32,
    /// Reports that list a device.
    devices: BTreeMap<String, u32>,
    zeros: bool,
}

impl Listed {
    /// Adds a report that covers an interval and was printed to its end.
    pub(super) fn report<'a>(&mut self, streams: impl IntoIterator<Item = &'a StreamResult>) {
        let mut busy: BTreeMap<&str, bool> = BTreeMap::new();
        for stream in streams {
            let moved = stream.iops.is_none_or(|rate| rate > 0.0);
            *busy.entry(&stream.name).or_default() |= moved;
        }
        self.reports += 1;
        self.zeros |= busy.values().any(|busy| !busy);
        for name in busy.into_keys() {
            match self.devices.get_mut(name) {
                Some(count) => *count += 1,
                None => {
                    self.devices.insert(name.to_owned(), 1);
                }
            }
        }
    }

    /// Takes back a report that covers no interval.
    pub(super) fn without(&mut self, devices: &[String]) {
        self.reports = self.reports.saturating_sub(1);
        let mut names: Vec<&String> = devices.iter().collect();
        names.sort();
        names.dedup();
        for name in names {
            if let Some(count) = self.devices.get_mut(name) {
                *count = count.saturating_sub(1);
            }
        }
        self.devices.retain(|_, count| *count > 0);
    }

    /// Ends the call.
    pub(super) fn end_call(&mut self) {
        let (reports, zeros) = (std::mem::take(&mut self.reports), std::mem::take(&mut self.zeros));
        let devices = std::mem::take(&mut self.devices);
        for (name, count) in devices.into_iter().filter(|(_, count)| !zeros && *count < reports) {
            *self.idle.entry(name).or_default() += reports - count;
        }
    }
}
