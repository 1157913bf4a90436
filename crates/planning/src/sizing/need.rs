//! Load to disks: for requests, for bytes, for capacity, at a busy share that keeps the latency.

use super::SizeOptions;
use super::disk::{Disk, Mix};
use super::load::{FLASH_HITS, Measures, RedoCount};
use super::outcome::{DeviceNeed, FlashReads, RedundancyNeed, WriteMix};
use super::redundancy::{Redundancy, whole};
use super::timeline::{Slice, Timeline};
use super::weighted::Weighted;

/// Disks beyond which nothing is believed.
const MOST_DISKS: f64 = 1e12;

/// Is a number one that can be bought?
pub(super) fn beyond(value: Option<f64>) -> bool {
    value.is_none_or(|v| v.is_finite() && v < MOST_DISKS)
}

/// Disks that one interval needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliceDisks {
    pub(super) for_iops: f64,
    pub(super) for_mbps: Option<f64>,
    pub(super) both: f64,
}

fn mix(load: &Measures, redundancy: &Redundancy) -> Option<(f64, Mix)> {
    let hardware = redundancy.hardware_iops(load)?;
    Some((hardware, Mix::of(hardware, load.read_iops?, redundancy.hardware_mbps(load))))
}

/// Disks that one load needs; `None` where the latency cannot be kept, or requests are not known.
pub(super) fn slice_disks(
    load: &Measures,
    redundancy: &Redundancy,
    disk: &Disk,
    options: &SizeOptions,
) -> Option<SliceDisks> {
    let (hardware, mix) = mix(load, redundancy)?;
    let busy = disk.utilisation_for(options.latency_target_us, mix)?;
    let for_iops = disk.for_iops(hardware, busy, mix);
    let for_mbps = redundancy.hardware_mbps(load).zip(disk.mbps).map(|(need, one)| whole(need / one));
    let both = redundancy.buildable(for_iops.max(for_mbps.unwrap_or(0.0)));
    Some(SliceDisks { for_iops, for_mbps, both })
}

/// Every counted interval on one redundancy and one disk.
pub(super) struct Sized<'a> {
    pub(super) redundancy: &'a Redundancy,
    pub(super) disk: &'a Disk,
    pub(super) slices: &'a [&'a Slice],
    /// All loads so many times as they were.
    factor: f64,
    pub(super) iops: Weighted,
    full_stripe: Weighted,
    mbps: Weighted,
    for_iops: Weighted,
    for_mbps: Weighted,
    pub(super) disks: Weighted,
    percentile: f64,
}

impl<'a> Sized<'a> {
    pub(super) fn of(
        slices: &'a [&'a Slice],
        redundancy: &'a Redundancy,
        disk: &'a Disk,
        options: &SizeOptions,
        factor: f64,
    ) -> Self {
        let of = |value: &dyn Fn(&Measures) -> Option<f64>| {
            let each = slices.iter().enumerate();
            Weighted::of(each.filter_map(|(i, s)| Some((value(&s.measures.times(factor))?, s.seconds, i))))
        };
        let needs: Vec<Option<SliceDisks>> = slices
            .iter()
            .map(|s| slice_disks(&s.measures.times(factor), redundancy, disk, options))
            .collect();
        let of_needs = |value: &dyn Fn(&SliceDisks) -> Option<f64>| {
            let each = slices.iter().zip(&needs).enumerate();
            Weighted::of(each.filter_map(|(i, (s, n))| Some((value(n.as_ref()?)?, s.seconds, i))))
        };
        Self {
            redundancy,
            disk,
            slices,
            factor,
            iops: of(&|m| redundancy.hardware_iops(m)),
            full_stripe: of(&|m| redundancy.hardware_iops_full_stripe(m)),
            mbps: of(&|m| redundancy.hardware_mbps(m)),
            for_iops: of_needs(&|n| Some(n.for_iops)),
            for_mbps: of_needs(&|n| n.for_mbps),
            disks: of_needs(&|n| Some(n.both)),
            percentile: options.percentile,
        }
    }

    /// A percentile, where every interval has the value.
    fn at(&self, of: &Weighted) -> Option<f64> {
        (of.len() == self.slices.len()).then(|| of.at(self.percentile).map(|(v, _)| v)).flatten()
    }

    /// The load of the interval that stands at the percentile.
    pub(super) fn at_percentile(&self) -> Option<(&'a Slice, Measures)> {
        let (_, which) = self.iops.at(self.percentile)?;
        let slice = *self.slices.get(which)?;
        Some((slice, slice.measures.times(self.factor)))
    }

    pub(super) fn device_need(&self, options: &SizeOptions) -> DeviceNeed {
        let hardware_iops = self.at(&self.iops);
        let disk = self.disk;
        let disks_for_iops = self.at(&self.for_iops);
        let disks_for_mbps = self.at(&self.for_mbps);
        let disks_for_capacity = options
            .capacity_bytes
            .zip(disk.capacity_bytes)
            .map(|(need, one)| whole(need * self.redundancy.copies / one));
        // The interval that needs most need not be the one that asks most of either.
        let for_capacity = disks_for_capacity.map_or(0.0, |d| self.redundancy.buildable(d));
        let disks = self.at(&self.disks).map(|d| d.max(for_capacity));
        let decided_by = disks.map(|all| {
            let is = |part: Option<f64>| part.is_some_and(|p| self.redundancy.buildable(p) >= all);
            if is(disks_for_capacity) && !is(disks_for_iops) && !is(disks_for_mbps) {
                "capacity"
            } else if is(disks_for_mbps) && !is(disks_for_iops) {
                "mbps"
            } else {
                "iops"
            }
        });
        let at = self.at_percentile().and_then(|(_, load)| mix(&load, self.redundancy));
        let utilisation = at.zip(disks).and_then(|((iops, mix), n)| disk.utilisation(iops, n, mix));
        DeviceNeed {
            disk: disk.clone(),
            redundancy: self.redundancy.name.clone(),
            hardware_iops,
            disks_for_iops,
            disks_for_iops_bare: hardware_iops.map(|h| whole(h / disk.iops)),
            disks_for_mbps,
            disks_for_capacity,
            disks: disks.filter(|d| beyond(Some(*d))),
            decided_by,
            utilisation,
            // A curve says the time of a request by itself.
            request_us: at.filter(|_| disk.curve.is_none()).map(|(_, mix)| disk.service_us(mix)),
            latency_us: utilisation.zip(at).and_then(|(busy, (_, mix))| disk.latency_at(busy, mix)),
        }
    }

    pub(super) fn need(&self, per_cell: f64, options: &SizeOptions) -> RedundancyNeed {
        let on = self.device_need(options);
        let load = self.at_percentile().map(|(_, load)| load);
        let bare_exact = on.hardware_iops.map(|h| h / self.disk.iops);
        let mix = load.and_then(|l| mix(&l, self.redundancy)).map(|(_, mix)| mix);
        let limit = mix.and_then(|mix| self.disk.utilisation_for(options.latency_target_us, mix));
        let itself = load.and_then(|l| slice_disks(&l, self.redundancy, self.disk, options));
        let in_part = |m: &Measures| m.read_mbps.is_some() != m.write_mbps.is_some();
        RedundancyNeed {
            name: self.redundancy.name.clone(),
            what: self.redundancy.what.clone(),
            write_penalty: self.redundancy.write_penalty,
            full_stripe_penalty: self.redundancy.full_stripe_penalty,
            copies: self.redundancy.copies,
            disks_at_percentile: itself.map(|d| d.both).filter(|d| beyond(Some(*d))),
            least_disks: f64::from(self.redundancy.least_disks),
            disks_in_step: f64::from(self.redundancy.disks_in_step.max(1)),
            hardware_iops: on.hardware_iops,
            hardware_iops_full_stripe: self.at(&self.full_stripe),
            hardware_iops_mean: self.iops.mean(),
            hardware_iops_max: self.iops.max(),
            hardware_mbps: self.at(&self.mbps),
            hardware_mbps_is_least: self.slices.iter().any(|s| in_part(&s.measures)),
            request_bytes: mix.and_then(|mix| mix.request_bytes),
            iops_of_one: mix.map(|mix| self.disk.most_iops(mix)),
            read_iops: load.and_then(|l| l.read_iops),
            write_iops: load.and_then(|l| l.write_iops),
            disks_for_iops: on.disks_for_iops,
            disks_for_iops_bare: on.disks_for_iops_bare,
            disks_for_iops_bare_exact: bare_exact,
            disks_for_mbps: on.disks_for_mbps,
            disks_for_capacity: on.disks_for_capacity,
            disks: on.disks,
            decided_by: on.decided_by,
            cells: on.disks.map(|d| whole(d / per_cell)),
            cells_for_iops: on.disks_for_iops.map(|d| whole(d / per_cell)),
            cells_for_mbps: on.disks_for_mbps.map(|d| whole(d / per_cell)),
            cells_exact: on.disks.map(|d| d / per_cell),
            cells_bare: on.disks_for_iops_bare.map(|d| whole(d / per_cell)),
            cells_bare_exact: bare_exact.map(|d| d / per_cell),
            utilisation_limit: limit,
            utilisation: on.utilisation,
            request_us: on.request_us,
            latency_us: on.latency_us,
        }
    }
}

/// Who writes at the percentile, and what could take it off the disks.
pub(super) fn write_mix(line: &Timeline, primary: &Sized<'_>) -> WriteMix {
    let Some((slice, load)) = primary.at_percentile() else { return WriteMix::default() };
    let redo = load.redo_write_iops;
    let redo_counted_as = line.redo_counted_as(slice);
    let data: Option<f64> = slice.rows.iter().map(|i| line.rows[*i].data_write_iops).sum();
    let other = load.write_iops.zip(redo).zip(data).map(|((all, redo), data)| all - redo - data);
    let penalty = primary.redundancy.write_penalty;
    let hardware = primary.redundancy.hardware_iops(&load);
    WriteMix {
        write_iops: load.write_iops,
        redo_write_iops: redo,
        redo_counted_as,
        data_write_iops: data,
        // Accounts of one interval are taken seconds apart.
        other_write_iops: other.filter(|o| *o >= 0.0),
        redo_share_pct: redo
            .zip(load.write_iops)
            .filter(|(r, all)| *all > 0.0 && r <= all)
            .map(|(r, all)| 100.0 * r / all),
        hardware_iops_without_redo: hardware
            .zip(redo)
            .map(|(h, r)| (h - penalty * r).max(load.read_iops.unwrap_or(0.0))),
        hardware_iops_behind_cache: load.read_iops.zip(hardware).map(|(r, h)| [r, h]),
        because: because(redo_counted_as),
    }
}

/// What can be said of taking redo off the disks.
fn because(redo_counted_as: Option<RedoCount>) -> String {
    let counted = match redo_counted_as {
        None => {
            return "Writes of LGWR are not printed in every interval that stands at the percentile."
                .to_owned();
        }
        Some(RedoCount::Stated) => "",
        Some(RedoCount::LogFileRequests) => {
            "Redo is counted in requests on log files, every member of a group. "
        }
        Some(RedoCount::LogWriterRequests) => {
            "Redo is counted in write requests of LGWR, every member of a group, its few on control files too. "
        }
        Some(RedoCount::RedoWrites) => {
            "Redo is counted in writes of LGWR, each once whatever the members of a group, since no requests on log files are printed: it is at least that, and what is left without it at most. "
        }
    };
    format!(
        "{counted}Flash logging shortens the writes of LGWR and takes none off the disks, which are written too; only redo on devices of its own does. A write-back cache takes what is written again before it is destaged, and no more than that over an hour; how much that is no report says."
    )
}

/// Reads at the percentile that flash of storage cells answered, and what they leave for disks.
pub(super) fn flash_reads(line: &Timeline, primary: &Sized<'_>, options: &SizeOptions) -> Option<FlashReads> {
    let (slice, load) = primary.at_percentile()?;
    let (read_iops, flash) = (load.read_iops?, line.flash(slice)?);
    let disk_read_iops = (read_iops - flash.read_iops).max(0.0);
    let bytes = load.read_mbps.zip(flash.read_mbps).filter(|(all, hit)| hit <= all);
    let disk_read_mbps = bytes.map(|(all, hit)| all - hit);
    let left = Measures { read_iops: Some(disk_read_iops), read_mbps: disk_read_mbps, ..load };
    // Where bytes are known of all reads and not of those from flash, nobody can tell what they leave.
    let known = disk_read_mbps.is_some() || load.read_mbps.is_none();
    let disks = slice_disks(&left, primary.redundancy, primary.disk, options).filter(|_| known);
    Some(FlashReads {
        read_iops,
        flash_read_iops: flash.read_iops,
        flash_share_pct: 100.0 * flash.read_iops / read_iops,
        disk_read_iops,
        disk_read_mbps,
        hardware_iops: primary.redundancy.hardware_iops(&left),
        disks: disks.map(|d| d.both).filter(|d| beyond(Some(*d))),
        by: if flash.account == FLASH_HITS { "flash" } else { "flash and storage indexes" },
        account: flash.account.to_owned(),
    })
}
