//! `size`: how much storage a history of load needs.
//!
//! Each report is reduced to a row ([`ReducedLoad`]) as soon as it is read, so that a year of them
//! fits; `timeline` adds instances and databases at the same time; `need` turns load into disks;
//! `peaks` says what means hide. Percentiles are of the sum over what runs together, never a sum of
//! each one's percentile.

mod consolidation;
mod disk;
mod drill;
mod histogram;
mod load;
mod need;
mod outcome;
mod peaks;
mod racks;
mod reduce;
mod redundancy;
mod rests;
mod say;
mod timeline;
mod weighted;
mod zones;

pub use disk::{Derived, Disk, MOST_SERVERS, MOST_UTILISATION, Mix, USUAL_UTILISATION};
pub use load::{Cause, CauseLoad, MEASURES, Measures, RedoCount, mb_beyond_belief};
pub use outcome::{
    Apart, BusiestInterval, DataCount, DeviceNeed, Drill, DrillCause, DrillInterval, DrillRow, DrillShare,
    FlashReads, GrowthYear, HiddenPeak, HistogramBin, InstancesMissing, IntervalRow, Neighbour, NeverKept,
    PeakMinute, PercentileInterval, RackFit, RackGrown, RedundancyNeed, Sizing, Tenant, Unmeasured, Workload,
    WriteMix,
};
pub use redundancy::{Redundancy, redundancies};
pub use say::{bare_of_these, ordinal};
pub use timeline::Remark;

use crate::place::Refusal;
use crate::tier::profiles;
use consolidation::{Against, Asked};
use load::IntervalLoad;
use need::{Sized, beyond};
use spindle_facts::Report;
use std::collections::{BTreeMap, BTreeSet};
use timeline::{Names, Slice, Timeline};
use weighted::Weighted;

/// What the caller may set.
#[derive(Clone, Debug)]
pub struct SizeOptions {
    /// Share of the time in which the load is not higher, percent.
    pub percentile: f64,
    /// Redundancies to size, in order.
    pub redundancy: Vec<Redundancy>,
    /// Which of them histogram, drill and growth are of.
    pub sized_for: usize,
    /// Redundancy was asked for; else a volume of a cloud has none, whose provider keeps the copies.
    pub redundancy_asked: bool,
    /// Devices; the first is the one that redundancies are sized on.
    pub disks: Vec<Disk>,
    /// Mean latency to keep; without one twice that of a request alone.
    pub latency_target_us: Option<f64>,
    /// Usable capacity needed.
    pub capacity_bytes: Option<f64>,
    /// Disks of a storage cell; `None` as the library has it.
    pub disks_per_cell: Option<f64>,
    /// Growth of load and capacity a year, percent, and over how many years.
    pub growth_pct: Option<f64>,
    /// Years of growth.
    pub years: u32,
    /// Compare with racks of Exadata though no report is of one.
    pub racks: bool,
    /// Busiest intervals to drill into.
    pub top: usize,
}

/// A report, reduced to what sizing needs.
#[derive(Clone)]
pub struct ReducedLoad(Box<IntervalLoad>);

impl ReducedLoad {
    /// Reduces a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        Self(Box::new(IntervalLoad::of(report)))
    }
}

/// Reports on their way into a sizing.
#[derive(Default)]
pub struct Sizer {
    rows: Vec<IntervalLoad>,
    names: Names,
    given_twice: Vec<String>,
}

impl Sizer {
    /// Takes in a report.
    pub fn add(&mut self, reduced: ReducedLoad) {
        let mut row = *reduced.0;
        self.names.share(&mut row);
        self.rows.push(row);
    }

    /// Says that a file was given more than once; it is read, and added, once.
    pub fn given_twice(&mut self, source: String) {
        self.given_twice.push(source);
    }

    /// Takes in a load that somebody states, without any report.
    pub fn add_stated(&mut self, measures: Measures) {
        self.rows.push(IntervalLoad {
            source: "the load as stated".into(),
            db_name: None,
            db_id: None,
            version: None,
            host: None,
            platform: None,
            database_instances: None,
            started_s: None,
            utc_offset_s: None,
            copy: 0,
            database: "".into(),
            container: None,
            instance_number: None,
            is_global: false,
            richness: spindle_diagnosis::Richness::default(),
            is_awr: false,
            instances: 1,
            of_instances: None,
            spans_restart: false,
            span: None,
            printed: None,
            snaps: None,
            knows_length: false,
            length_counted: false,
            clock: load::ClockDoubt::Nothing,
            elapsed_s: None,
            measures,
            unbelieved: [None; 2],
            redo_counted_as: measures.redo_write_iops.map(|_| RedoCount::Stated),
            redo_beyond_writes: false,
            reads_waited_for: None,
            listed_requests: None,
            of_several: false,
            flash: None,
            data_writes: None,
            file_write_iops: None,
            data_only: false,
            is_container: false,
            causes: Vec::new(),
            peak_read_iops: None,
            peak_write_iops: None,
            peak_total_iops: None,
            peak_read_mbps: None,
            peak_write_mbps: None,
            read_waits: None,
            read_us: None,
            statements: Vec::new(),
            segments: Vec::new(),
            lists: false,
        });
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The sizes.
    ///
    /// # Errors
    /// Where no interval says both reads and writes, or nothing is asked for.
    pub fn size(self, options: &SizeOptions) -> Result<Sizing, Refusal> {
        let stated = self.rows.len() == 1 && self.rows[0].span.is_none() && self.rows[0].elapsed_s.is_none();
        // A file of many intervals is one report.
        let reports = self.rows.iter().map(|r| &*r.source).collect::<BTreeSet<_>>().len();
        let for_disks = options.redundancy.get(options.sized_for);
        let (Some(first_disk), Some(for_disks)) = (options.disks.first(), for_disks) else {
            return Err(Refusal("there is no disk or no redundancy to size for".to_owned()));
        };
        // The provider of a volume keeps the copies, whichever place it has among the devices.
        let external = redundancies().into_iter().find(|r| r.write_penalty <= 1.0);
        let at = match options.redundancy.iter().position(|r| r.write_penalty <= 1.0) {
            Some(external) if first_disk.is_volume && !options.redundancy_asked => external,
            _ => options.sized_for,
        };
        let primary = &options.redundancy[at];
        let mut line = Timeline::of(self.rows, self.given_twice);
        // Databases of different days have no sum: the most that ran at the same time are sized alone.
        let against = Against { redundancy: primary, disk: first_disk, options };
        let largest = consolidation::sized_alone(&mut line, against);
        let alone = largest.as_ref().map(|databases| line.only(databases));
        let of_all = line;
        let line = alone.as_ref().unwrap_or(&of_all);
        // Sums over slices that lack an instance are too low: they are shown and not counted.
        let usable = |s: &&Slice| s.measures.read_iops.is_some() && s.measures.write_iops.is_some();
        let mut counted: Vec<&Slice> = line.slices.iter().filter(|s| s.complete).filter(usable).collect();
        // Unless they ask more without it than the whole ones do: then they are the time that matters, and
        // what they say is the least that is asked.
        let of_databases: Vec<&Slice> =
            line.slices.iter().filter(|s| s.every_database).filter(usable).collect();
        if more_than(&of_databases, &counted, against) {
            counted = of_databases;
        }
        if counted.is_empty() {
            counted = line.slices.iter().filter(usable).collect();
        }
        if counted.is_empty() {
            return Err(Refusal(nothing_counts(&of_all)));
        }
        let racks = racks::library();
        let per_cell = options.disks_per_cell.unwrap_or(racks.disks_per_cell);
        let sized: Vec<Sized<'_>> =
            options.redundancy.iter().map(|r| Sized::of(&counted, r, first_disk, options, 1.0)).collect();
        let of_primary = &sized[at];
        let needs: Vec<RedundancyNeed> = sized.iter().map(|s| s.need(per_cell, options)).collect();
        let needs_of_bytes = needs[at].decided_by == Some("mbps");
        let intervals =
            interval_rows(&of_all, line, largest.as_deref(), &counted, primary, first_disk, options);
        let beyond_percentile =
            of_primary.iops.at(options.percentile).map_or(0, |(v, _)| of_primary.iops.beyond(v));
        let workload = workload(line, &counted, of_primary, options);
        let seconds: f64 = counted.iter().map(|s| s.seconds).sum();
        let growth = growth(&counted, primary, first_disk, options, per_cell);
        let other_disks = options
            .disks
            .iter()
            .skip(1)
            .map(|disk| {
                let redundancy = external.as_ref().filter(|_| disk.is_volume).unwrap_or(for_disks);
                Sized::of(&counted, redundancy, disk, options, 1.0).device_need(options)
            })
            .collect();
        let flash: Vec<Option<FlashReads>> =
            sized.iter().map(|s| need::flash_reads(line, s, options)).collect();
        let behind_flash: Vec<Option<f64>> =
            flash.iter().map(|f| f.as_ref().and_then(|f| f.hardware_iops)).collect();
        let (neighbours, neighbours_tested) = consolidation::neighbours(&of_all, primary);
        let mut sizing = Sizing {
            answer: String::new(),
            begin_time: of_all
                .slices
                .iter()
                .min_by_key(|s| s.span.map_or(i64::MAX, |s| s.0))
                .and_then(Slice::begin_time),
            end_time: of_all
                .slices
                .iter()
                .max_by_key(|s| s.span.map_or(i64::MIN, |s| s.1))
                .and_then(Slice::end_time),
            databases: if stated { Vec::new() } else { of_all.databases.clone() },
            reports: if stated { 0 } else { reports },
            unmeasured: of_all.unmeasured.clone(),
            measured_s: (!stated).then_some(seconds),
            intervals,
            gaps: of_all.remarks.clone(),
            percentile: options.percentile,
            intervals_counted: counted.len(),
            intervals_beyond_percentile: beyond_percentile,
            write_mix: need::write_mix(line, of_primary, flash[at].as_ref()),
            flash: flash[at].clone(),
            workload,
            sized_for: primary.name.clone(),
            latency_target_us: options.latency_target_us,
            capacity_bytes: options.capacity_bytes,
            disk: first_disk.clone(),
            disks_per_cell: per_cell,
            cell_iops: per_cell * first_disk.iops,
            cell_mbps: first_disk.mbps.map(|one| per_cell * one),
            racks: if options.racks || of_all.is_exadata() {
                racks.fits(&needs, &behind_flash, &profiles(), growth.last().filter(|year| year.year > 0))
            } else {
                Vec::new()
            },
            redundancy: needs,
            other_disks,
            histogram: histogram::histogram(of_primary, options.percentile),
            drill: drill::drill(line, of_primary, options.top, needs_of_bytes),
            growth,
            instances_missing: instances_missing(line, counted.iter().copied(), true),
            apart: largest.as_deref().and_then(|l| consolidation::apart(&of_all, l, of_primary, options)),
            consolidation: consolidation::tenants(&of_all, of_primary, options),
            neighbours,
            neighbours_tested,
            warnings: Vec::new(),
            first_warnings: 0,
        };
        let (beside, said) = missing_beside(&of_all, largest.as_deref(), against);
        (sizing.warnings, sizing.first_warnings) = say::warnings(&sizing, line, &counted, of_primary, &said);
        sizing.instances_missing.extend(beside);
        for (name, copies) in of_all.copies.iter().rev() {
            sizing.warnings.insert(0, say::one_identifier(name, copies));
            sizing.first_warnings += 1;
        }
        sizing.warnings.extend(say::growth(&sizing, options));
        sizing.warnings.extend(of_all.told_apart.iter().map(|name| say::told_apart(name)));
        sizing.answer = say::answer(&sizing);
        Ok(sizing)
    }
}

/// Load of some over that of those that would count, from which these say too little: ours, a twentieth.
const MORE: f64 = 1.05;

/// Do intervals of which some lack an instance need more disks, at the percentile, than the whole ones?
fn more_than(all: &[&Slice], whole: &[&Slice], against: Against<'_>) -> bool {
    let asked = |of: &[&Slice]| Asked::of_slices(of, against);
    whole.is_empty() || asked(all).exceeds(&asked(whole), MORE, against.options.percentile)
}

/// Why no interval can be sized, and what is known all the same.
fn nothing_counts(line: &Timeline) -> String {
    let most = |of: &dyn Fn(&Measures) -> Option<f64>| {
        line.slices.iter().filter_map(|s| of(&s.measures)).reduce(f64::max)
    };
    let (reads, writes) = (most(&|m| m.read_iops), most(&|m| m.write_iops));
    let known = match (reads, writes) {
        (Some(reads), None) => format!(
            ": up to {reads:.1} reads a second are known, writes are not, since no account has those of redo (it \
             stands in the instance activity). A load can be stated: --workload read=IOPS,write=IOPS"
        ),
        (None, Some(writes)) => format!(": up to {writes:.1} writes a second are known, reads are not"),
        _ => String::new(),
    };
    let remark = line.remarks.first().map_or_else(String::new, |remark| format!("; {}", remark.message));
    format!("no interval prints both read and write requests{known}{remark}")
}

/// Databases that some intervals hold with fewer instances than they ran: the worst of each.
fn instances_missing<'s>(
    line: &Timeline,
    slices: impl Iterator<Item = &'s Slice>,
    is_sized: bool,
) -> Vec<InstancesMissing> {
    let mut worst: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
    for lacking in slices.flat_map(|s| &s.lacking) {
        let entry = worst.entry(lacking.database).or_insert((lacking.there, lacking.running));
        if lacking.running - lacking.there > entry.1 - entry.0 {
            *entry = (lacking.there, lacking.running);
        }
    }
    let of = |(d, (measured, running)): (usize, (u32, u32))| InstancesMissing {
        database: line.databases[d].clone(),
        measured,
        running,
        is_sized,
    };
    worst.into_iter().map(of).collect()
}

/// The same of databases that are in bounds only, with what is to be said of each.
fn missing_beside(
    line: &Timeline,
    sized: Option<&[usize]>,
    against: Against<'_>,
) -> (Vec<InstancesMissing>, Vec<String>) {
    let Some(sized) = sized else { return (Vec::new(), Vec::new()) };
    let beside = consolidation::lacking_themselves(line, against).into_iter().filter(|d| !sized.contains(d));
    let mut found = (Vec::new(), Vec::new());
    for database in beside {
        let own: Vec<&Slice> =
            line.slices.iter().filter(|s| line.databases_of(s).contains(&database)).collect();
        let name = &line.databases[database];
        let each = instances_missing(line, own.iter().copied(), false);
        for one in each.into_iter().filter(|one| one.database == *name) {
            found.1.push(say::missing(&one, line, &own));
            found.0.push(one);
        }
    }
    found
}

/// A row an interval. Where only some of the databases are sized, their intervals as they are counted, and
/// those of the others that hold none of them, which are not.
fn interval_rows(
    of_all: &Timeline,
    line: &Timeline,
    sized: Option<&[usize]>,
    counted: &[&Slice],
    primary: &Redundancy,
    disk: &Disk,
    options: &SizeOptions,
) -> Vec<IntervalRow> {
    // Load that ran beside those that are sized, and is not in their intervals.
    let beside: Vec<(i64, i64)> = match sized {
        None => Vec::new(),
        Some(sized) => {
            let others = |s: &&Slice| of_all.databases_of(s).iter().any(|d| !sized.contains(d));
            of_all.slices.iter().filter(others).filter_map(|s| s.span).collect()
        }
    };
    let runs_alone = |slice: &Slice| {
        slice.span.is_none_or(|(begin, end)| {
            let near = beside.partition_point(|(_, other)| *other <= begin);
            beside.get(near).is_none_or(|(other, _)| *other >= end)
        })
    };
    // Those that are counted stand in the order of all.
    let mut of_line = counted.iter().peekable();
    let row = |of: &Timeline, slice: &Slice, counted: bool| {
        let (by_cause, lacking) = of.known_causes(slice);
        IntervalRow {
            begin_time: slice.begin_time(),
            end_time: slice.end_time(),
            seconds: slice.seconds,
            instances: of.instances(slice),
            complete: slice.complete && (sized.is_none() || counted && runs_alone(slice)),
            counted,
            measures: slice.measures,
            hardware_iops: primary.hardware_iops(&slice.measures),
            disks: need::slice_disks(&slice.measures, primary, disk, options).map(|d| d.both),
            redo_counted_as: of.redo_counted_as(slice),
            by_cause,
            causes_unknown_of: lacking.into_iter().map(|d| of.databases[d].clone()).collect(),
            mbps_is_least: least_mbps(slice),
            bytes_doubted: slice.bytes_unknown.is_doubted(),
        }
    };
    let mut rows: Vec<(Option<i64>, IntervalRow)> = line
        .slices
        .iter()
        .map(|slice| {
            let counted = of_line.next_if(|c| std::ptr::eq(**c, slice)).is_some();
            (slice.span.map(|s| s.0), row(line, slice, counted))
        })
        .collect();
    if let Some(sized) = sized {
        let others = of_all
            .slices
            .iter()
            .filter(|slice| !of_all.databases_of(slice).iter().any(|d| sized.contains(d)));
        rows.extend(others.map(|slice| (slice.span.map(|s| s.0), row(of_all, slice, false))));
        rows.sort_by_key(|(begin, _)| *begin);
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Are the bytes that are known of an interval the least there were?
fn least_mbps(slice: &Slice) -> bool {
    let m = &slice.measures;
    m.read_mbps.or(m.write_mbps).is_some() && slice.bytes_unknown.leaves_least()
}

/// Place of the bytes of reads in [`MEASURES`]; those of writes follow.
const READ_MBPS: usize = 3;

fn workload(line: &Timeline, counted: &[&Slice], primary: &Sized<'_>, options: &SizeOptions) -> Workload {
    // Of bytes of reads, or of writes.
    let way = |n: usize| n.checked_sub(READ_MBPS).filter(|way| *way < 2);
    let of_measure = |n: usize| {
        let each = counted.iter().enumerate().map(|(i, s)| (s.measures.values()[n], s.seconds, i, *s));
        match way(n) {
            Some(way) => Weighted::of_bytes(
                each.map(|(v, seconds, i, s)| (v, seconds, i, s.bytes_unknown.doubted[way])),
            ),
            None => Weighted::of(each.filter_map(|(v, seconds, i, _)| Some((v?, seconds, i)))),
        }
    };
    let all: [Weighted; 10] = std::array::from_fn(of_measure);
    let bytes_are_least =
        |way: usize| all[READ_MBPS + way].len() > 0 && counted.iter().any(|s| s.bytes_unknown.in_part[way]);
    // A measure that some interval lacks has no percentile over all of them; bytes that are not believed are left
    // out of it, and said.
    let whole =
        |n: usize| Some(&all[n]).filter(|w| w.len() > 0 && (way(n).is_some() || w.len() == counted.len()));
    let of = |value: &dyn Fn(&Weighted) -> Option<f64>| {
        Measures::of(std::array::from_fn(|n| whole(n).and_then(value)))
    };
    let at = primary.iops.at(options.percentile).map(|(_, i)| counted[i]);
    let peak_minute = peaks::peak_minute(line, counted, primary.redundancy);
    // What is asked has a percentile of its own: the interval above is of what the disks do.
    let together = |s: &Slice| Some(s.measures.read_iops? + s.measures.write_iops?);
    let together = counted.iter().enumerate().filter_map(|(i, s)| Some((together(s)?, s.seconds, i)));
    Workload {
        mean: of(&|w| w.mean()),
        at_percentile: of(&|w| w.at(options.percentile).map(|(v, _)| v)),
        max: of(&|w| w.max()),
        read_mbps_is_least: bytes_are_least(0),
        write_mbps_is_least: bytes_are_least(1),
        total_iops_at_percentile: Weighted::of(together).at(options.percentile).map(|(v, _)| v),
        percentile_interval: at.map(|s| PercentileInterval {
            begin_time: s.begin_time(),
            end_time: s.end_time(),
            measures: s.measures,
        }),
        hidden_peak: peaks::capped(peaks::hidden_peak(line, counted, primary.redundancy), &peak_minute),
        peak_minute,
        busiest: busiest(counted, primary.redundancy),
    }
}

/// The interval that asked most of the disks, and for how long the load was about as high.
fn busiest(counted: &[&Slice], redundancy: &Redundancy) -> Option<BusiestInterval> {
    /// Share of the highest that is as high: ours.
    const NEAR: f64 = 0.95;
    let asked = |s: &Slice| redundancy.hardware_iops(&s.measures);
    let each = counted.iter().filter_map(|s| Some((asked(s)?, *s)));
    // Of equals the first.
    let (hardware_iops, slice) = each.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    let near = counted.iter().filter(|s| asked(s).is_some_and(|iops| iops >= NEAR * hardware_iops));
    (counted.len() > 1).then(|| BusiestInterval {
        begin_time: slice.begin_time(),
        seconds: slice.seconds,
        hardware_iops,
        near_s: near.map(|s| s.seconds).sum(),
    })
}

fn growth(
    counted: &[&Slice],
    primary: &Redundancy,
    disk: &Disk,
    options: &SizeOptions,
    per_cell: f64,
) -> Vec<GrowthYear> {
    let Some(pct) = options.growth_pct else { return Vec::new() };
    (0..=options.years)
        .map(|year| {
            let factor = (1.0 + pct / 100.0).powi(i32::try_from(year).unwrap_or(i32::MAX));
            let grown =
                SizeOptions { capacity_bytes: options.capacity_bytes.map(|c| c * factor), ..options.clone() };
            let sized = Sized::of(counted, primary, disk, &grown, factor);
            let need = sized.need(per_cell, &grown);
            GrowthYear {
                year,
                factor,
                read_iops: need.read_iops,
                write_iops: need.write_iops,
                hardware_iops: need.hardware_iops,
                hardware_mbps: need.hardware_mbps,
                capacity_bytes: grown.capacity_bytes,
                disks_bare: need.disks_for_iops_bare,
                disks: need.disks,
                hardware_mbps_is_least: need.hardware_mbps_is_least,
                disks_are_least: need.disks_are_least,
                cells: need.cells,
            }
        })
        .filter(|y| y.factor.is_finite() && beyond(y.hardware_iops))
        .collect()
}
