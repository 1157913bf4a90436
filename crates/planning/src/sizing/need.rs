//! Load to disks: for requests, for bytes, for capacity, at a busy share that keeps the latency.

use super::SizeOptions;
use super::disk::{Disk, Mix};
use super::load::{Cause, FLASH_HITS, Measures, RedoCount};
use super::outcome::{DataCount, DeviceNeed, FlashReads, NeverKept, RedundancyNeed, WriteMix};
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
    Some(SliceDisks { for_iops, both })
}

/// Disks that one load needs for requests and bytes, not rounded: what decides who asks most. Infinite where no
/// number of them keeps the latency; `None` where requests are not known.
pub(super) fn exact_disks(
    load: &Measures,
    redundancy: &Redundancy,
    disk: &Disk,
    options: &SizeOptions,
) -> Option<f64> {
    let (hardware, mix) = mix(load, redundancy)?;
    let Some(busy) = disk.utilisation_for(options.latency_target_us, mix) else {
        return Some(f64::INFINITY);
    };
    let for_iops = hardware / (disk.most_iops(mix) * busy);
    let for_mbps = redundancy.hardware_mbps(load).zip(disk.mbps).map_or(0.0, |(need, one)| need / one);
    Some(for_iops.max(for_mbps))
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
    mbps_full_stripe: Weighted,
    for_iops: Weighted,
    for_mbps: Weighted,
    pub(super) disks: Weighted,
    percentile: f64,
    options: &'a SizeOptions,
}

impl<'a> Sized<'a> {
    pub(super) fn of(
        slices: &'a [&'a Slice],
        redundancy: &'a Redundancy,
        disk: &'a Disk,
        options: &'a SizeOptions,
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
        // An interval whose latency no number of disks keeps stands above all others: the percentile may
        // leave it out as it does any other.
        let of_needs = |value: &dyn Fn(&SliceDisks) -> f64| {
            let each = slices.iter().zip(&needs).enumerate();
            Weighted::or_never(each.map(|(i, (s, n))| (n.as_ref().map(value), s.seconds, i)))
        };
        let of_bytes =
            |value: &dyn Fn(&Measures) -> Option<f64>| {
                let each = slices.iter().enumerate();
                Weighted::of_bytes(each.map(|(i, s)| {
                    (value(&s.measures.times(factor)), s.seconds, i, s.bytes_unknown.is_doubted())
                }))
            };
        let one = disk.mbps;
        Self {
            redundancy,
            disk,
            slices,
            factor,
            iops: of(&|m| redundancy.hardware_iops(m)),
            full_stripe: of(&|m| redundancy.hardware_iops_full_stripe(m)),
            mbps: of_bytes(&|m| redundancy.hardware_mbps(m)),
            mbps_full_stripe: of_bytes(&|m| redundancy.hardware_mbps_full_stripe(m)),
            for_iops: of_needs(&|n| n.for_iops),
            for_mbps: of_bytes(&|m| Some(whole(redundancy.hardware_mbps(m)? / one?))),
            disks: of_needs(&|n| n.both),
            percentile: options.percentile,
            options,
        }
    }

    /// Disks, not rounded, that a load needs.
    pub(super) fn exact_disks(&self, load: &Measures) -> Option<f64> {
        exact_disks(load, self.redundancy, self.disk, self.options)
    }

    /// A percentile, where every interval has the value, and some number is enough.
    fn at(&self, of: &Weighted) -> Option<f64> {
        let found = (of.len() == self.slices.len()).then(|| of.at(self.percentile).map(|(v, _)| v));
        found.flatten().filter(|v| v.is_finite())
    }

    /// A percentile of bytes: over the intervals whose bytes are believed.
    fn bytes_at(&self, of: &Weighted) -> Option<f64> {
        of.at(self.percentile).map(|(v, _)| v).filter(|v| v.is_finite())
    }

    /// MB a second that the disks move, at the percentile.
    pub(super) fn mbps_at_percentile(&self) -> Option<f64> {
        self.bytes_at(&self.mbps)
    }

    /// Intervals in which a request alone takes longer than the latency to keep, and the one of them in
    /// which it takes longest.
    fn never_kept(&self, options: &SizeOptions) -> Option<NeverKept> {
        options.latency_target_us?;
        let never: Vec<(f64, usize)> = self
            .disks
            .values()
            .iter()
            .filter(|(v, ..)| !v.is_finite())
            .map(|(_, seconds, i)| (*seconds, *i))
            .collect();
        let seconds: f64 = never.iter().map(|(s, _)| s).sum();
        let mixed = |i: usize| mix(&self.slices[i].measures.times(self.factor), self.redundancy);
        let alone = |i: usize| mixed(i).map_or(0.0, |(_, mix)| self.disk.service_us(mix));
        let (_, worst) = never.iter().copied().reduce(|a, b| if alone(b.1) > alone(a.1) { b } else { a })?;
        let mix = mixed(worst);
        Some(NeverKept {
            intervals: never.len(),
            share_pct: 100.0 * seconds / self.disks.total_s(),
            begin_time: self.slices[worst].begin_time(),
            hardware_iops: mix.map(|(iops, _)| iops),
            request_bytes: mix.and_then(|(_, mix)| mix.request_bytes),
            // A curve says the time of a request by itself.
            request_us: mix.filter(|_| self.disk.curve.is_none()).map(|(_, m)| self.disk.service_us(m)),
        })
    }

    /// Some bytes are known, and not all: the disks move no less.
    fn bytes_are_least(&self) -> bool {
        self.mbps.len() > 0 && self.slices.iter().any(|s| s.bytes_unknown.leaves_least())
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
        // Where no number of disks keeps the latency, none is counted for anything.
        let disks_for_mbps = self.bytes_at(&self.for_mbps).filter(|_| disks_for_iops.is_some());
        let disks_for_capacity = options
            .capacity_bytes
            .zip(disk.capacity_bytes)
            .map(|(need, one)| whole(need * self.redundancy.copies.unwrap_or(1.0) / one));
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
            disks_are_least: options.capacity_bytes.is_some()
                && (disk.capacity_bytes.is_none() || self.redundancy.copies.is_none())
                || disk.mbps.is_some() && self.bytes_are_least(),
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
        // A volume of a cloud is in no cell.
        let cells = |disks: Option<f64>| disks.filter(|_| !self.disk.is_volume).map(|d| d / per_cell);
        let mix = load.and_then(|l| mix(&l, self.redundancy)).map(|(_, mix)| mix);
        let limit = mix.and_then(|mix| self.disk.utilisation_for(options.latency_target_us, mix));
        let itself = load.and_then(|l| slice_disks(&l, self.redundancy, self.disk, options));
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
            hardware_mbps: self.mbps_at_percentile(),
            hardware_mbps_full_stripe: self.bytes_at(&self.mbps_full_stripe),
            hardware_mbps_is_least: self.bytes_are_least(),
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
            disks_are_least: on.disks_are_least,
            decided_by: on.decided_by,
            cells: cells(on.disks).map(whole),
            cells_for_iops: cells(on.disks_for_iops).map(whole),
            cells_for_mbps: cells(on.disks_for_mbps).map(whole),
            cells_exact: cells(on.disks),
            cells_bare: cells(on.disks_for_iops_bare).map(whole),
            cells_bare_exact: cells(bare_exact),
            never_kept: self.never_kept(options),
            utilisation_limit: limit,
            utilisation: on.utilisation,
            request_us: on.request_us,
            latency_us: on.latency_us,
        }
    }
}

/// Who writes at the percentile, and what could take it off the disks.
pub(super) fn write_mix(line: &Timeline, primary: &Sized<'_>, flash: Option<&FlashReads>) -> WriteMix {
    let Some((slice, load)) = primary.at_percentile() else { return WriteMix::default() };
    let redo = load.redo_write_iops;
    let redo_counted_as = line.redo_counted_as(slice);
    let rows = || slice.rows.iter().map(|i| &line.rows[*i]);
    // Of several accounts the poorest.
    let of_files: Option<(f64, DataCount)> = rows()
        .map(|row| row.data_writes)
        .reduce(|sum, one| {
            let ((sum, counted), (one, as_well)) = sum.zip(one)?;
            Some((sum + one, counted.max(as_well)))
        })
        .flatten();
    let causes = line.causes(slice);
    let of = |cause| causes.get(&cause).and_then(|load| load.write_iops);
    let (dbwr, direct) = (of(Cause::Dbwr), of(Cause::DirectWrites));
    // Else by function: the database writer, and sessions that write around the cache where they are listed.
    let by_function = || {
        Some(match (dbwr?, direct) {
            (dbwr, Some(direct)) => (dbwr + direct, DataCount::Functions),
            (dbwr, None) => (dbwr, DataCount::DatabaseWriter),
        })
    };
    let listed = || {
        let each = rows().map(|row| row.data_writes.map(|(data, _)| data).or(row.file_write_iops));
        Some((each.sum::<Option<f64>>()?, DataCount::ListedFiles))
    };
    let counted = of_files.or_else(by_function).or_else(listed);
    let (data, data_counted_as) = counted.unzip();
    let other = load.write_iops.zip(redo).zip(data).map(|((all, redo), data)| all - redo - data);
    let penalty = primary.redundancy.write_penalty;
    let hardware = primary.redundancy.hardware_iops(&load);
    WriteMix {
        write_iops: load.write_iops,
        redo_write_iops: redo,
        redo_counted_as,
        data_write_iops: data,
        data_counted_as,
        dbwr_write_iops: dbwr,
        // What rounding leaves is nobody's; more than all is no rest.
        other_write_iops: other.filter(|o| *o >= -ROUNDING).map(|o| o.max(0.0)),
        redo_share_pct: redo
            .zip(load.write_iops)
            .filter(|(r, all)| *all > 0.0 && r <= all)
            .map(|(r, all)| 100.0 * r / all),
        hardware_iops_without_redo: hardware
            .zip(redo)
            .map(|(h, r)| (h - penalty * r).max(load.read_iops.unwrap_or(0.0))),
        hardware_iops_behind_cache: load.read_iops.zip(hardware).map(|(r, h)| [r, h]),
        because: because(redo_counted_as, flash, load.write_iops.zip(redo).zip(data)),
    }
}

/// Writes a second that parts may be above the whole by rounding alone.
const ROUNDING: f64 = 0.05;

/// What can be said of taking redo off the disks.
fn because(
    redo_counted_as: Option<RedoCount>,
    flash: Option<&FlashReads>,
    parts: Option<((f64, f64), f64)>,
) -> String {
    let counted = match redo_counted_as {
        None => "Writes of LGWR are not printed in every interval that stands at the percentile. ",
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
    let seen = match flash.and_then(|f| f.flash_write_iops) {
        Some(taken) if taken > 0.0 => "how much the flash of these cells took stands above.",
        _ => "how much that is these reports do not say.",
    };
    let more = parts.filter(|((all, redo), data)| *all > 0.0 && redo + data > all + ROUNDING);
    let more = more.map_or_else(String::new, |((all, redo), data)| {
        let over = 100.0 * (redo + data - all) / all;
        let over = if over < 0.1 { "under 0.1".to_owned() } else { format!("{over:.1}") };
        format!(
            "Redo and data add up to {over} % more than all writes: the parts are counted by file type or function, all of them by another account, over not quite the same seconds. "
        )
    });
    format!(
        "{more}{counted}Flash logging shortens the writes of LGWR and takes none off the disks, which are written too; only redo on devices of its own does. A write-back cache takes what is written again before it is destaged, and no more than that over an hour; {seen}"
    )
}

/// Reads at the percentile that flash of storage cells answered, and what they leave for disks.
pub(super) fn flash_reads(line: &Timeline, primary: &Sized<'_>, options: &SizeOptions) -> Option<FlashReads> {
    let (slice, load) = primary.at_percentile()?;
    let (read_iops, flash) = (load.read_iops?, line.flash(slice)?);
    let disk_read_iops = (read_iops - flash.read_iops).max(0.0);
    let bytes = load.read_mbps.zip(flash.read_mbps).filter(|(all, hit)| hit <= all);
    let disk_read_mbps = bytes.map(|(all, hit)| all - hit);
    let reads_left = Measures { read_iops: Some(disk_read_iops), read_mbps: disk_read_mbps, ..load };
    // Write-back: what flash took reaches the disks when it is destaged, once for many writes.
    let taken = flash.write_iops.zip(load.write_iops).filter(|(taken, all)| taken <= all);
    let disk_write_iops = taken.map(|(taken, all)| all - taken);
    let bytes = load.write_mbps.zip(flash.write_mbps).filter(|(all, taken)| taken <= all);
    let disk_write_mbps = bytes.map(|(all, taken)| all - taken);
    let left = match disk_write_iops {
        Some(_) => Measures { write_iops: disk_write_iops, write_mbps: disk_write_mbps, ..reads_left },
        None => reads_left,
    };
    // Where bytes are known of all and not of those of flash, nobody can tell what they leave.
    let known = (disk_read_mbps.is_some() || load.read_mbps.is_none())
        && (disk_write_iops.is_none() || disk_write_mbps.is_some() || load.write_mbps.is_none());
    let of = |left: &Measures| {
        let disks = slice_disks(left, primary.redundancy, primary.disk, options).filter(|_| known);
        disks.map(|d| d.both).filter(|d| beyond(Some(*d)))
    };
    let share = |part: f64, all: f64| (all > 0.0).then(|| 100.0 * part / all);
    Some(FlashReads {
        read_iops,
        flash_read_iops: flash.read_iops,
        flash_share_pct: share(flash.read_iops, read_iops)?,
        disk_read_iops,
        disk_read_mbps,
        write_iops: load.write_iops,
        flash_write_iops: taken.map(|(taken, _)| taken),
        flash_write_share_pct: taken.and_then(|(taken, all)| share(taken, all)),
        disk_write_iops,
        disk_write_mbps,
        cell_write_iops: flash.cell_writes.map(|(writes, _)| writes),
        cell_overwrite_iops: flash.cell_writes.map(|(_, over)| over),
        hardware_iops: primary.redundancy.hardware_iops(&left),
        disks: of(&left),
        hardware_iops_all_destaged: primary.redundancy.hardware_iops(&reads_left),
        disks_all_destaged: of(&reads_left),
        by: if flash.account == FLASH_HITS { "flash" } else { "flash and storage indexes" },
        account: flash.account.to_owned(),
    })
}
