//! The busiest intervals, and the statements and segments behind each.

use super::load::{Behind, Cause, CauseLoad, IntervalLoad, Measures, ReadUnit};
use super::need::Sized;
use super::outcome::{Drill, DrillCause, DrillInterval, DrillRow, DrillShare};
use super::reduce::added;
use super::timeline::{Slice, Timeline};
use std::collections::HashMap;

/// Statements and segments shown of an interval, and those of them by what asks most of the disks.
const SHOWN: usize = 8;
const MOST_FIRST: usize = 5;

/// Intervals with the requests that they ask of the disks, the busiest first: by requests, or by bytes where these
/// decide how many disks there are.
fn busiest(sized: &Sized<'_>, by_bytes: bool) -> Vec<(f64, usize)> {
    let by_requests = sized.iops.values().iter().rev().map(|(hardware, _, i)| (*hardware, *i));
    let mut found: Vec<(f64, usize)> = by_requests.collect();
    if by_bytes {
        // Of equals that with more requests stays first.
        let mbps = |i: usize| sized.redundancy.hardware_mbps(&sized.slices[i].measures).unwrap_or(0.0);
        found.sort_by(|a, b| mbps(b.1).total_cmp(&mbps(a.1)));
    }
    found
}

/// How statements and segments of an interval are held against each other.
#[derive(Clone, Copy)]
struct Ranked {
    /// Units, what says most of the disks first.
    order: [ReadUnit; 3],
    /// Writes ask more of the disks than reads.
    by_writes: bool,
}

impl Ranked {
    /// By requests where disks follow from them, and by bytes, of which blocks are as many each, where they follow
    /// from bytes. A share of blocks is no share of requests.
    fn of(by_bytes: bool, by_writes: bool) -> Self {
        use ReadUnit::{Blocks, Megabytes, Requests};
        let order = if by_bytes { [Megabytes, Blocks, Requests] } else { [Requests, Megabytes, Blocks] };
        Self { order, by_writes }
    }
}

/// Do the writes of an interval ask more of the disks than its reads?
fn writes_decide(load: &Measures, penalty: f64, by_bytes: bool) -> bool {
    let of_bytes = load.read_mbps.zip(load.write_mbps).filter(|_| by_bytes);
    of_bytes.or(load.read_iops.zip(load.write_iops)).is_some_and(|(read, write)| penalty * write > read)
}

/// Who makes the requests of an interval, by what that asks of the disks; temp files are part of the others.
fn causes(line: &Timeline, slice: &Slice, sized: &Sized<'_>, by_bytes: bool) -> Vec<DrillCause> {
    let penalty = sized.redundancy.write_penalty;
    let (known, _) = line.known_causes(slice);
    let all = sized.redundancy.hardware_iops(&slice.measures).filter(|all| *all > 0.0);
    // Of what is known in part nobody has a share.
    let all_mbps = sized.redundancy.hardware_mbps(&slice.measures);
    let all_mbps = all_mbps.filter(|all| *all > 0.0 && !slice.bytes_unknown.leaves_least());
    let on_disks = |read: Option<f64>, write: Option<f64>| match (read, write) {
        (None, None) => None,
        (read, write) => Some(read.unwrap_or(0.0) + penalty * write.unwrap_or(0.0)),
    };
    let share = |part: Option<f64>, all: Option<f64>| {
        part.zip(all).map(|(part, all)| 100.0 * part / all).filter(|share| *share <= 100.5)
    };
    let of = |(cause, load): (Cause, CauseLoad)| {
        let hardware_iops = on_disks(load.read_iops, load.write_iops);
        let hardware_mbps = on_disks(load.read_mbps, load.write_mbps);
        DrillCause {
            cause,
            name: cause.name(),
            load,
            hardware_iops,
            hardware_mbps,
            share_pct: if by_bytes { share(hardware_mbps, all_mbps) } else { share(hardware_iops, all) },
        }
    };
    let mut found: Vec<DrillCause> =
        known.into_iter().filter(|(cause, _)| *cause != Cause::Temp).map(of).collect();
    let weight = |c: &DrillCause| if by_bytes { c.hardware_mbps } else { c.hardware_iops }.unwrap_or(-1.0);
    found.retain(|c| weight(c) > 0.0);
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    found
}

pub(super) fn drill(line: &Timeline, sized: &Sized<'_>, top: usize, by_bytes: bool) -> Vec<Drill> {
    let disks: HashMap<usize, f64> =
        sized.disks.values().iter().filter(|(d, ..)| d.is_finite()).map(|(d, _, i)| (*i, *d)).collect();
    busiest(sized, by_bytes)
        .into_iter()
        .take(top)
        .map(|(hardware, i)| {
            let slice = sized.slices[i];
            let by_writes = writes_decide(&slice.measures, sized.redundancy.write_penalty, by_bytes);
            let ranked = Ranked::of(by_bytes, by_writes);
            let mut databases: Vec<DrillShare> = slice
                .rows
                .iter()
                .map(|r| {
                    let iops = sized.redundancy.hardware_iops(&line.rows[*r].measures);
                    DrillShare {
                        database: line.databases[line.streams[*r].database].clone(),
                        instance_number: line.rows[*r].instance_number,
                        hardware_iops: iops,
                        share_pct: iops.filter(|_| hardware > 0.0).map(|h| 100.0 * h / hardware),
                    }
                })
                .collect();
            let load = |s: &DrillShare| s.hardware_iops.unwrap_or(0.0);
            databases.sort_by(|a, b| load(b).total_cmp(&load(a)));
            Drill {
                interval: DrillInterval {
                    begin_time: slice.begin_time(),
                    end_time: slice.end_time(),
                    read_iops: slice.measures.read_iops,
                    write_iops: slice.measures.write_iops,
                    hardware_iops: Some(hardware),
                    hardware_mbps: sized.redundancy.hardware_mbps(&slice.measures),
                    mbps_is_least: super::least_mbps(slice),
                    disks: disks.get(&i).copied(),
                    sources: slice.rows.iter().map(|r| line.rows[*r].source.to_string()).collect(),
                },
                databases,
                causes: causes(line, slice, sized, by_bytes),
                writes_decide: by_writes,
                sql: rows(line, slice, ranked, |r| &r.statements),
                segments: rows(line, slice, ranked, |r| &r.segments),
                listed: slice.rows.iter().chain(&slice.cause_rows).any(|r| line.rows[*r].lists),
            }
        })
        .collect()
}

/// The rows that list something: those that are counted, or of a database whose instances list nothing that of
/// the whole of it, as in AWR-miner files.
fn listing(line: &Timeline, slice: &Slice, list: fn(&IntervalLoad) -> &Vec<Behind>) -> Vec<usize> {
    let mut found = Vec::new();
    for database in line.databases_of(slice) {
        let of = |rows: &[usize]| -> Vec<usize> {
            rows.iter().copied().filter(|r| line.streams[*r].database == database).collect()
        };
        let (rows, whole) = (of(&slice.rows), of(&slice.cause_rows));
        let silent = rows.iter().all(|r| list(&line.rows[*r]).is_empty());
        found.extend(if silent && !whole.is_empty() { whole } else { rows });
    }
    found
}

fn rows(
    line: &Timeline,
    slice: &Slice,
    ranked: Ranked,
    list: fn(&IntervalLoad) -> &Vec<Behind>,
) -> Vec<DrillRow> {
    let of = &listing(line, slice, list);
    let rate = |row: &IntervalLoad, n: Option<f64>| n.zip(row.elapsed_s).map(|(n, s)| n / s);
    // All that an instance read, from any row that prints its share of it.
    let reads_of_all = |row: &IntervalLoad, unit: ReadUnit| {
        let mut each = list(row).iter();
        let by_share = each.find_map(|b| {
            Some(100.0 * rate(row, b.reads.of(unit))? / b.share_pct.of(unit).filter(|p| *p > 0.0)?)
        });
        by_share.or(row.measures.read_iops.filter(|_| unit == ReadUnit::Requests))
    };
    // Instances of a database that list one statement or segment: their rates add up.
    let mut found: Vec<(DrillRow, ReadUnit, usize)> = Vec::new();
    let mut place: HashMap<(usize, &str, ReadUnit), usize> = HashMap::new();
    for r in of {
        let row = &line.rows[*r];
        let database = line.streams[*r].database;
        for behind in list(row) {
            let unit = behind.unit(&ranked.order);
            let key = (database, &*behind.name, unit);
            let reads_per_s = rate(row, behind.reads.of(unit));
            let writes_per_s = rate(row, behind.writes.of(unit));
            if let Some((known, _, instances)) = place.get(&key).and_then(|at| found.get_mut(*at)) {
                known.reads_per_s = added(known.reads_per_s, reads_per_s);
                known.writes_per_s = added(known.writes_per_s, writes_per_s);
                known.io_wait_s = added(known.io_wait_s, behind.io_wait_s);
                known.instance_number = known.instance_number.filter(|n| Some(*n) == row.instance_number);
                *instances += 1;
                continue;
            }
            place.insert(key, found.len());
            let one = DrillRow {
                name: behind.name.to_string(),
                detail: behind.detail.as_ref().map(ToString::to_string),
                database: line.databases[database].clone(),
                instance_number: row.instance_number,
                reads_per_s,
                writes_per_s,
                unit: unit.name(),
                io_wait_s: behind.io_wait_s,
                share_pct: behind.share_pct.of(unit),
                write_share_pct: None,
            };
            found.push((one, unit, 1));
        }
    }
    let share = |part: Option<f64>, all: Option<f64>| {
        let share = part.zip(all).filter(|(_, all)| *all > 0.0).map(|(part, all)| 100.0 * part / all);
        share.filter(|share| *share <= 100.5)
    };
    for (key, at) in &place {
        let Some((row, unit, instances)) = found.get_mut(*at) else { continue };
        // What several instances read is held against what all of them did.
        if *instances > 1 {
            let instances = of.iter().filter(|r| line.streams[**r].database == key.0);
            row.share_pct =
                share(row.reads_per_s, instances.map(|r| reads_of_all(&line.rows[*r], *unit)).sum());
        }
        let counted = || slice.rows.iter().filter(|r| line.streams[**r].database == key.0);
        // Bytes are held against those that the interval read.
        if *unit == ReadUnit::Megabytes {
            row.share_pct = share(row.reads_per_s, counted().map(|r| line.rows[*r].measures.read_mbps).sum());
        }
        if *unit == ReadUnit::Requests {
            let all = counted().map(|r| line.rows[*r].measures.write_iops).sum();
            row.write_share_pct = share(row.writes_per_s, all);
        }
    }
    // By what asks most of the disks, reads or writes; a unit that says less of them comes after.
    let place_of = |unit: &ReadUnit| ranked.order.iter().position(|u| u == unit);
    let by = |writes: bool| {
        move |(a, of_a, _): &(DrillRow, ReadUnit, usize), (b, of_b, _): &(DrillRow, ReadUnit, usize)| {
            let load = |r: &DrillRow, writes: bool| {
                if writes { r.writes_per_s } else { r.reads_per_s }.unwrap_or(-1.0)
            };
            let more = |writes: bool| load(b, writes).total_cmp(&load(a, writes));
            place_of(of_a)
                .cmp(&place_of(of_b))
                .then_with(|| more(writes))
                .then_with(|| more(!writes))
                .then_with(|| a.name.cmp(&b.name))
        }
    };
    found.sort_by(by(ranked.by_writes));
    if found.len() > MOST_FIRST {
        // Of the rest those that do most of the other.
        found[MOST_FIRST..].sort_by(by(!ranked.by_writes));
        found.truncate(SHOWN);
        found.sort_by(by(ranked.by_writes));
    }
    found.into_iter().map(|(row, ..)| row).collect()
}
