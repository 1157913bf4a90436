//! The busiest intervals, and the statements and segments behind each.

use super::load::{Behind, IntervalLoad};
use super::need::Sized;
use super::outcome::{Drill, DrillInterval, DrillRow, DrillShare};
use super::timeline::{Timeline, iso};

/// Statements and segments shown of an interval.
const SHOWN: usize = 8;

pub(super) fn drill(line: &Timeline, sized: &Sized<'_>, top: usize) -> Vec<Drill> {
    let disks: std::collections::HashMap<usize, f64> =
        sized.disks.values().iter().map(|(d, _, i)| (*i, *d)).collect();
    sized
        .iops
        .values()
        .iter()
        .rev()
        .take(top)
        .map(|(hardware, _, i)| {
            let slice = sized.slices[*i];
            let mut databases: Vec<DrillShare> = slice
                .rows
                .iter()
                .map(|r| {
                    let iops = sized.redundancy.hardware_iops(&line.rows[*r].measures);
                    DrillShare {
                        database: line.databases[line.streams[*r].database].clone(),
                        instance_number: line.rows[*r].instance_number,
                        hardware_iops: iops,
                        share_pct: iops.filter(|_| *hardware > 0.0).map(|h| 100.0 * h / hardware),
                    }
                })
                .collect();
            let load = |s: &DrillShare| s.hardware_iops.unwrap_or(0.0);
            databases.sort_by(|a, b| load(b).total_cmp(&load(a)));
            Drill {
                interval: DrillInterval {
                    begin_time: slice.span.map(|(b, _)| iso(b)),
                    end_time: slice.span.map(|(_, e)| iso(e)),
                    read_iops: slice.measures.read_iops,
                    write_iops: slice.measures.write_iops,
                    hardware_iops: Some(*hardware),
                    disks: disks.get(i).copied(),
                    sources: slice.rows.iter().map(|r| line.rows[*r].source.to_string()).collect(),
                },
                databases,
                sql: rows(line, &slice.rows, |r| &r.statements),
                segments: rows(line, &slice.rows, |r| &r.segments),
            }
        })
        .collect()
}

fn rows(line: &Timeline, of: &[usize], list: fn(&IntervalLoad) -> &Vec<Behind>) -> Vec<DrillRow> {
    let mut found: Vec<DrillRow> = Vec::new();
    for r in of {
        let row = &line.rows[*r];
        let rate = |n: Option<f64>| n.zip(row.elapsed_s).map(|(n, s)| n / s);
        for behind in list(row) {
            found.push(DrillRow {
                name: behind.name.to_string(),
                detail: behind.detail.as_ref().map(ToString::to_string),
                database: line.databases[line.streams[*r].database].clone(),
                instance_number: row.instance_number,
                reads_per_s: rate(behind.reads),
                writes_per_s: rate(behind.writes),
                unit: if behind.in_blocks { "blocks" } else { "requests" },
                share_pct: behind.share_pct,
            });
        }
    }
    let weight = |r: &DrillRow| r.reads_per_s.unwrap_or(0.0) + r.writes_per_s.unwrap_or(0.0);
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then_with(|| a.name.cmp(&b.name)));
    found.truncate(SHOWN);
    found
}
