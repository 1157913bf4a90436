//! The busiest intervals, and the statements and segments behind each.

use super::load::{Behind, IntervalLoad, ReadUnit};
use super::need::Sized;
use super::outcome::{Drill, DrillInterval, DrillRow, DrillShare};
use super::timeline::{Slice, Timeline};
use std::collections::HashMap;

/// Statements and segments shown of an interval, and those of them that read most.
const SHOWN: usize = 8;
const READ_MOST: usize = 5;

/// Intervals with what they ask of the disks, the busiest first: by requests, or by disks and then bytes where
/// bytes decide how many disks there are.
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

pub(super) fn drill(line: &Timeline, sized: &Sized<'_>, top: usize, by_bytes: bool) -> Vec<Drill> {
    let disks: HashMap<usize, f64> =
        sized.disks.values().iter().filter(|(d, ..)| d.is_finite()).map(|(d, _, i)| (*i, *d)).collect();
    busiest(sized, by_bytes)
        .into_iter()
        .take(top)
        .map(|(hardware, i)| {
            let slice = sized.slices[i];
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
                    disks: disks.get(&i).copied(),
                    sources: slice.rows.iter().map(|r| line.rows[*r].source.to_string()).collect(),
                },
                databases,
                sql: rows(line, slice, |r| &r.statements),
                segments: rows(line, slice, |r| &r.segments),
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

fn rows(line: &Timeline, slice: &Slice, list: fn(&IntervalLoad) -> &Vec<Behind>) -> Vec<DrillRow> {
    let of = &listing(line, slice, list);
    let rate = |row: &IntervalLoad, n: Option<f64>| n.zip(row.elapsed_s).map(|(n, s)| n / s);
    // All that an instance read, from any row that prints its share of it.
    let reads_of_all = |row: &IntervalLoad| {
        let mut each = list(row).iter();
        each.find_map(|b| Some(100.0 * rate(row, b.reads)? / b.share_pct.filter(|p| *p > 0.0)?))
    };
    // Instances of a database that list one statement or segment: their rates add up.
    let mut found: Vec<(DrillRow, usize)> = Vec::new();
    let mut place: HashMap<(usize, &str, ReadUnit), usize> = HashMap::new();
    for r in of {
        let row = &line.rows[*r];
        let database = line.streams[*r].database;
        for behind in list(row) {
            let key = (database, &*behind.name, behind.unit);
            let (reads_per_s, writes_per_s) = (rate(row, behind.reads), rate(row, behind.writes));
            if let Some((known, instances)) = place.get(&key).and_then(|at| found.get_mut(*at)) {
                let add = |a: Option<f64>, b: Option<f64>| match (a, b) {
                    (Some(a), Some(b)) => Some(a + b),
                    (a, b) => a.or(b),
                };
                known.reads_per_s = add(known.reads_per_s, reads_per_s);
                known.writes_per_s = add(known.writes_per_s, writes_per_s);
                known.io_wait_s = add(known.io_wait_s, behind.io_wait_s);
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
                unit: behind.unit.name(),
                io_wait_s: behind.io_wait_s,
                share_pct: behind.share_pct,
            };
            found.push((one, 1));
        }
    }
    // What several instances read is held against what all of them did.
    for (key, at) in &place {
        let Some((row, 2..)) = found.get_mut(*at) else { continue };
        let instances = of.iter().filter(|r| line.streams[**r].database == key.0);
        let all: Option<f64> = instances.map(|r| reads_of_all(&line.rows[*r])).sum();
        let share = row.reads_per_s.zip(all).filter(|(_, all)| *all > 0.0).map(|(r, all)| 100.0 * r / all);
        row.share_pct = share.filter(|share| *share <= 100.5);
    }
    // Bytes are held against those that the interval read.
    for (key, at) in place.iter().filter(|(key, _)| key.2 == ReadUnit::Megabytes) {
        let Some((row, _)) = found.get_mut(*at) else { continue };
        let instances = slice.rows.iter().filter(|r| line.streams[**r].database == key.0);
        let all: Option<f64> = instances.map(|r| line.rows[*r].measures.read_mbps).sum();
        let share = row.reads_per_s.zip(all).filter(|(_, all)| *all > 0.0).map(|(r, all)| 100.0 * r / all);
        row.share_pct = share.filter(|share| *share <= 100.5);
    }
    let mut found: Vec<DrillRow> = found.into_iter().map(|(row, _)| row).collect();
    let by = |of: fn(&DrillRow) -> Option<f64>| {
        move |a: &DrillRow, b: &DrillRow| {
            let load = |r: &DrillRow| of(r).unwrap_or(-1.0);
            load(b).total_cmp(&load(a)).then_with(|| a.name.cmp(&b.name))
        }
    };
    // Those that read most, and of the rest those that wrote most.
    found.sort_by(by(|r| r.reads_per_s));
    if found.len() > READ_MOST {
        found[READ_MOST..].sort_by(by(|r| r.writes_per_s));
        found.truncate(SHOWN);
        found.sort_by(by(|r| r.reads_per_s));
    }
    found
}
