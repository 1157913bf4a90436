//! Several databases on one storage: who makes the peaks, and whose reads get slower by them.

use super::SizeOptions;
use super::disk::Disk;
use super::need::{Sized, beyond, slice_disks};
use super::outcome::{Apart, Neighbour, Tenant};
use super::redundancy::Redundancy;
use super::timeline::{Slice, Timeline};
use super::weighted::Weighted;

/// Intervals measured together below which nothing is said of a pair.
const ENOUGH: usize = 20;
/// Correlation and slowing below which nothing is said.
const MATTERS: (f64, f64) = (0.3, 1.2);

/// Hardware requests of a database in a slice; `None` where unknown, or not measured then.
fn load_of(line: &Timeline, slice: &Slice, database: usize, redundancy: &Redundancy) -> Option<f64> {
    let mut rows = slice.rows.iter().filter(|r| line.streams[**r].database == database).peekable();
    rows.peek()?;
    rows.map(|r| redundancy.hardware_iops(&line.rows[*r].measures)).sum()
}

/// Mean single-block read of a database in a slice, weighted by waits.
fn latency_of(line: &Timeline, slice: &Slice, database: usize) -> Option<f64> {
    let (mut waits, mut us) = (0.0, 0.0);
    for r in slice.rows.iter().filter(|r| line.streams[**r].database == database) {
        let row = &line.rows[*r];
        let rate = row.read_waits? / row.elapsed_s?;
        if rate > 0.0 {
            waits += rate;
            us += rate * row.read_us?;
        }
    }
    (waits > 0.0).then(|| us / waits)
}

/// Hardware requests of a database over all that it was measured in, with others or without.
fn own(line: &Timeline, database: usize, redundancy: &Redundancy) -> Weighted {
    let each = line.slices.iter().enumerate();
    Weighted::of(each.filter_map(|(i, s)| Some((load_of(line, s, database, redundancy)?, s.seconds, i))))
}

/// The database that asks most of the disks at the percentile of its own time.
pub(super) fn largest(line: &Timeline, redundancy: &Redundancy, options: &SizeOptions) -> Option<usize> {
    let of = |d: usize| Some((d, own(line, d, redundancy).at(options.percentile)?.0));
    let mut all: Vec<(usize, f64)> = (0..line.databases.len()).filter_map(of).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.first().map(|(d, _)| *d)
}

/// What databases that were never measured together need together, between bounds; `None` where one
/// of them is not known.
pub(super) fn apart(
    line: &Timeline,
    redundancy: &Redundancy,
    disk: &Disk,
    options: &SizeOptions,
) -> Option<Apart> {
    let mut all: Vec<(usize, f64, Option<f64>)> = Vec::new();
    for d in 0..line.databases.len() {
        let (iops, _) = own(line, d, redundancy).at(options.percentile)?;
        let disks = line.slices.iter().enumerate().filter_map(|(i, s)| {
            let rows = s.rows.iter().filter(|r| line.streams[**r].database == d);
            let mut loads = rows.map(|r| line.rows[*r].measures);
            let first = loads.next()?;
            let load = loads.fold(first, |sum, one| sum.plus(&one));
            Some((slice_disks(&load, redundancy, disk, options)?.both, s.seconds, i))
        });
        all.push((d, iops, Weighted::of(disks).at(options.percentile).map(|(v, _)| v)));
    }
    let (d, hardware_low, _) = *all.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let for_capacity = options
        .capacity_bytes
        .zip(disk.capacity_bytes)
        .map_or(0.0, |(need, one)| redundancy.buildable(need * redundancy.copies / one));
    let each: Option<Vec<f64>> = all.iter().map(|(_, _, disks)| *disks).collect();
    let most = each.as_ref().map(|e| e.iter().copied().fold(for_capacity, f64::max));
    let sum = each.as_ref().map(|e| redundancy.buildable(e.iter().sum::<f64>()).max(for_capacity));
    Some(Apart {
        largest: line.databases[d].clone(),
        hardware_low,
        hardware_high: all.iter().map(|(_, iops, _)| iops).sum(),
        disks_low: most.filter(|d| beyond(Some(*d))),
        disks_high: sum.filter(|d| beyond(Some(*d))),
    })
}

/// One row a database where there are several.
pub(super) fn tenants(line: &Timeline, sized: &Sized<'_>, options: &SizeOptions) -> Vec<Tenant> {
    if line.databases.len() < 2 {
        return Vec::new();
    }
    let bar = sized.iops.at(options.percentile).map_or(f64::INFINITY, |(v, _)| v);
    let peaks: Vec<usize> =
        sized.iops.values().iter().filter(|(v, ..)| *v >= bar).map(|(_, _, i)| *i).collect();
    let loads: Vec<Vec<Option<f64>>> = (0..line.databases.len())
        .map(|d| sized.slices.iter().map(|s| load_of(line, s, d, sized.redundancy)).collect())
        .collect();
    let loudest: Vec<Option<usize>> = peaks
        .iter()
        .map(|i| {
            let of = (0..loads.len()).filter_map(|d| Some((d, loads[d][*i]?)));
            of.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(d, _)| d)
        })
        .collect();
    let weighted_sum = |d: usize, of: &mut dyn Iterator<Item = usize>| {
        of.map(|i| loads[d][i].map(|l| l * sized.slices[i].seconds)).sum::<Option<f64>>()
    };
    let share = |d: usize, of: &[usize]| {
        let own = weighted_sum(d, &mut of.iter().copied())?;
        let all: f64 = of
            .iter()
            .map(|i| {
                sized
                    .redundancy
                    .hardware_iops(&sized.slices[*i].measures)
                    .map(|h| h * sized.slices[*i].seconds)
            })
            .sum::<Option<f64>>()?;
        (all > 0.0).then(|| 100.0 * own / all)
    };
    let every: Vec<usize> = (0..sized.slices.len()).collect();
    let mut found: Vec<Tenant> = (0..line.databases.len())
        .map(|d| {
            let own = own(line, d, sized.redundancy);
            let reads = line.slices.iter().filter_map(|s| Some((latency_of(line, s, d)?, s.seconds)));
            let (us, s) = reads.fold((0.0, 0.0), |(us, all), (l, s)| (us + l * s, all + s));
            Tenant {
                database: line.databases[d].clone(),
                // Of different days nobody has a share.
                share_at_peak: share(d, &peaks).filter(|_| !line.never_together),
                share_of_mean: share(d, &every).filter(|_| !line.never_together),
                own_percentile_iops: own.at(options.percentile).map(|(v, _)| v),
                own_max_iops: own.max(),
                loudest_at_peaks: if line.never_together {
                    0
                } else {
                    loudest.iter().filter(|l| **l == Some(d)).count()
                },
                measured_s: own.total_s(),
                single_block_read_us: (s > 0.0).then(|| us / s),
            }
        })
        .collect();
    found.sort_by(|a, b| {
        b.share_at_peak
            .unwrap_or(-1.0)
            .total_cmp(&a.share_at_peak.unwrap_or(-1.0))
            .then_with(|| {
                b.own_percentile_iops.unwrap_or(-1.0).total_cmp(&a.own_percentile_iops.unwrap_or(-1.0))
            })
            .then_with(|| a.database.cmp(&b.database))
    });
    found
}

/// Pairs of databases in which the reads of one get slower with the load of the other.
pub(super) fn neighbours(line: &Timeline, redundancy: &Redundancy) -> Vec<Neighbour> {
    /// Databases beyond which pairs are not looked at.
    const MOST: usize = 40;
    let n = line.databases.len();
    if !(2..=MOST).contains(&n) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for suffers in 0..n {
        for from in (0..n).filter(|f| *f != suffers) {
            let points: Vec<[f64; 3]> = line
                .slices
                .iter()
                .filter_map(|s| {
                    Some([
                        latency_of(line, s, suffers)?,
                        load_of(line, s, from, redundancy)?,
                        load_of(line, s, suffers, redundancy)?,
                    ])
                })
                .collect();
            if points.len() < ENOUGH {
                continue;
            }
            let rank = |n: usize| ranks(&points.iter().map(|p| p[n]).collect::<Vec<_>>());
            let (latency, other, own) = (rank(0), rank(1), rank(2));
            let Some(correlation) = partial(&latency, &other, &own) else { continue };
            let mut by_other: Vec<&[f64; 3]> = points.iter().collect();
            by_other.sort_by(|a, b| a[1].total_cmp(&b[1]));
            let mean = |of: &[&[f64; 3]]| of.iter().map(|p| p[0]).sum::<f64>() / of.len() as f64;
            let busy = mean(&by_other[points.len() - points.len().div_ceil(10)..]);
            let quiet = mean(&by_other[..points.len() / 2]);
            if correlation >= MATTERS.0 && busy >= MATTERS.1 * quiet {
                found.push(Neighbour {
                    suffers: line.databases[suffers].clone(),
                    from: line.databases[from].clone(),
                    busy_us: busy,
                    quiet_us: quiet,
                    correlation,
                    intervals: points.len(),
                });
            }
        }
    }
    found.sort_by(|a, b| (b.busy_us / b.quiet_us).total_cmp(&(a.busy_us / a.quiet_us)));
    found
}

/// Ranks; equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let same = order[from..].iter().take_while(|i| values[**i] == values[order[from]]).count();
        for i in &order[from..from + same] {
            ranks[*i] = (from + from + same - 1) as f64 / 2.0;
        }
        from += same;
    }
    ranks
}

fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        ab += (x - ma) * (y - mb);
        aa += (x - ma).powi(2);
        bb += (y - mb).powi(2);
    }
    (aa > 0.0 && bb > 0.0).then(|| ab / (aa * bb).sqrt())
}

/// Correlation of two with what both share with a third taken out (Kendall and Stuart; on ranks).
fn partial(a: &[f64], b: &[f64], given: &[f64]) -> Option<f64> {
    let ab = correlation(a, b)?;
    let (Some(ag), Some(bg)) = (correlation(a, given), correlation(b, given)) else { return Some(ab) };
    let rest = (1.0 - ag * ag) * (1.0 - bg * bg);
    (rest > 1e-9).then(|| (ab - ag * bg) / rest.sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{partial, ranks};

    #[test]
    fn equal_values_share_a_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
    }

    #[test]
    fn what_only_own_load_explains_is_no_neighbour() {
        // Latency and the other's load both follow one's own load, and nothing else.
        let own: Vec<f64> = (0..100).map(f64::from).collect();
        let latency: Vec<f64> = own.iter().map(|o| o + 10.0 * (o * 1.7).sin()).collect();
        let other: Vec<f64> = own.iter().map(|o| o + 10.0 * (o * 2.9).cos()).collect();
        let (latency, other, own) = (ranks(&latency), ranks(&other), ranks(&own));
        assert!(super::correlation(&latency, &other).unwrap() > 0.8);
        assert!(partial(&latency, &other, &own).unwrap().abs() < 0.3);
    }
}
