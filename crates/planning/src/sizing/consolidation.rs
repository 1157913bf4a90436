//! Several databases on one storage: who makes the peaks, and whose reads get slower by them.

use super::disk::Disk;
use super::load::Measures;
use super::need::{Sized, beyond, exact_disks};
use super::outcome::{Apart, Neighbour, Tenant};
use super::redundancy::Redundancy;
use super::rests::Rests;
use super::timeline::{BytesUnknown, Slice, Timeline};
use super::weighted::Weighted;
use super::{MORE, SizeOptions};
use std::collections::BTreeSet;

/// Intervals measured together below which nothing is said of a pair.
const ENOUGH: usize = 20;
/// Correlation and slowing below which nothing is said.
const MATTERS: (f64, f64) = (0.3, 1.2);
/// Chance that any pair is named where no load slows any reads.
const BY_CHANCE: f64 = 0.05;

/// Hardware requests of a database in a slice; `None` where unknown, or not measured then.
fn load_of(line: &Timeline, slice: &Slice, database: usize, redundancy: &Redundancy) -> Option<f64> {
    let mut rows = slice.rows.iter().filter(|r| line.streams[**r].database == database).peekable();
    rows.peek()?;
    rows.map(|r| redundancy.hardware_iops(&line.rows[*r].measures)).sum()
}

/// Mean single-block read of a database in a slice, weighted by waits; by read requests where a latency is
/// printed without them.
fn latency_of(line: &Timeline, slice: &Slice, database: usize) -> Option<f64> {
    let (mut waits, mut us) = (0.0, 0.0);
    for r in slice.rows.iter().filter(|r| line.streams[**r].database == database) {
        let row = &line.rows[*r];
        let rate = match row.read_waits {
            Some(waits) => waits / row.elapsed_s?,
            None => row.read_us.and(row.measures.read_iops)?,
        };
        if rate > 0.0 {
            waits += rate;
            us += rate * row.read_us?;
        }
    }
    (waits > 0.0).then(|| us / waits)
}

/// Sets of databases that are looked at; more than a history of them has.
const MOST_SETS: usize = 100;

/// What databases are held against: the redundancy and disk that are sized for.
#[derive(Clone, Copy)]
pub(super) struct Against<'a> {
    pub(super) redundancy: &'a Redundancy,
    pub(super) disk: &'a Disk,
    pub(super) options: &'a SizeOptions,
}

/// What some databases ask over the time that they were measured in together.
pub(super) struct Asked {
    /// Hardware requests.
    pub(super) iops: Weighted,
    /// MB a second that the disks move; empty where no bytes are known.
    mbps: Weighted,
    /// Some of the bytes are not known.
    bytes_are_least: bool,
    /// Disks for both, not rounded.
    disks: Weighted,
}

/// What one interval asks, with the disks that it needs: found once, since that may take a search.
struct Need {
    interval: usize,
    seconds: f64,
    iops: f64,
    mbps: Option<f64>,
    bytes_unknown: BytesUnknown,
    disks: Option<f64>,
    /// An instance is missing from it.
    lacks: bool,
}

impl Need {
    fn of(
        (interval, slice): (usize, &Slice),
        load: &Measures,
        bytes_unknown: BytesUnknown,
        lacks: bool,
        against: Against<'_>,
    ) -> Option<Self> {
        let Against { redundancy, disk, options } = against;
        Some(Self {
            interval,
            seconds: slice.seconds,
            iops: redundancy.hardware_iops(load)?,
            mbps: redundancy.hardware_mbps(load),
            bytes_unknown,
            disks: exact_disks(load, redundancy, disk, options),
            lacks,
        })
    }
}

impl Asked {
    fn of<'n>(needs: impl Iterator<Item = &'n Need> + Clone) -> Self {
        let mbps = needs.clone().map(|n| (n.mbps, n.seconds, n.interval, n.bytes_unknown.is_doubted()));
        let bytes_are_least = needs.clone().any(|n| n.bytes_unknown.leaves_least());
        Self {
            iops: Weighted::of(needs.clone().map(|n| (n.iops, n.seconds, n.interval))),
            mbps: Weighted::of_bytes(mbps),
            bytes_are_least,
            disks: Weighted::or_never(needs.map(|n| (n.disks, n.seconds, n.interval))),
        }
    }

    /// Of intervals that count.
    pub(super) fn of_slices(slices: &[&Slice], against: Against<'_>) -> Self {
        let each = slices.iter().copied().enumerate();
        let needs: Vec<Need> =
            each.filter_map(|at| Need::of(at, &at.1.measures, at.1.bytes_unknown, false, against)).collect();
        Self::of(needs.iter())
    }

    /// Are bytes known, and not all of them?
    fn mbps_is_least(&self) -> bool {
        self.mbps.len() > 0 && self.bytes_are_least
    }

    /// Does it need so many times as many disks as another, at a percentile, or as many for so many times the
    /// requests?
    pub(super) fn exceeds(&self, other: &Self, times: f64, percentile: f64) -> bool {
        let at = |of: &Weighted| of.at(percentile).map(|(v, _)| v);
        let (disks, than) = (at(&self.disks), at(&other.disks));
        let more_requests = at(&self.iops).zip(at(&other.iops)).is_some_and(|(a, b)| a > times * b);
        disks.zip(than).is_some_and(|(a, b)| a > times * b || a >= b && more_requests)
    }
}

/// What a set of databases asked while all of it was measured: whole, and whether or not some lacked an instance.
struct Together {
    whole: Asked,
    any: Asked,
    /// Slices that lack an instance count, since they ask more without it than the whole ones do.
    counts_any: bool,
}

impl Together {
    fn of(line: &Timeline, set: &[usize], against: Against<'_>) -> Self {
        let lacks = |s: &Slice| s.lacking.iter().any(|l| set.contains(&l.database));
        let each = line.slices.iter().enumerate();
        let needs: Vec<Need> = each
            .filter_map(|at| {
                let (load, bytes_unknown) = line.load_of(at.1, set)?;
                Need::of(at, &load, bytes_unknown, lacks(at.1), against)
            })
            .collect();
        let (whole, any) = (Asked::of(needs.iter().filter(|n| !n.lacks)), Asked::of(needs.iter()));
        let counts_any = whole.iops.len() == 0 || any.exceeds(&whole, MORE, against.options.percentile);
        Self { whole, any, counts_any }
    }

    /// Does what counts lack an instance?
    fn is_least(&self) -> bool {
        self.counts_any && self.any.iops.len() > self.whole.iops.len()
    }

    /// What counts, as in the whole.
    fn counted(&self) -> &Asked {
        if self.counts_any { &self.any } else { &self.whole }
    }

    /// The more of both at a percentile: what lacks an instance is the least that was asked.
    fn most(&self, percentile: f64, of: fn(&Asked) -> &Weighted) -> Option<f64> {
        let at = |asked: &Asked| of(asked).at(percentile).map(|(v, _)| v);
        at(&self.whole).into_iter().chain(at(&self.any)).reduce(f64::max)
    }
}

/// Databases whose own figures are of intervals that lack an instance: which, measured, and running at most.
pub(super) fn lacking_themselves(line: &Timeline, against: Against<'_>) -> Vec<usize> {
    let all = 0..line.databases.len();
    all.filter(|d| {
        let lacks = |s: &Slice| s.lacking.iter().any(|l| l.database == *d);
        line.slices.iter().any(lacks) && Together::of(line, &[*d], against).counts_any
    })
    .collect()
}

/// The databases measured at the same time that need most disks at the percentile of that time: one, or several.
/// In ascending order.
fn largest(line: &Timeline, against: Against<'_>) -> Option<Vec<usize>> {
    let measured: BTreeSet<Vec<usize>> = line.slices.iter().map(|s| line.databases_of(s)).collect();
    let alone = (0..line.databases.len()).map(|d| vec![d]);
    let sets = alone.chain(measured.into_iter().filter(|set| set.len() > 1).take(MOST_SETS));
    let asked = sets.filter_map(|set| {
        let together = Together::of(line, &set, against);
        let at = |of: &Weighted| of.at(against.options.percentile).map(|(v, _)| v);
        let asked = together.counted();
        Some((at(&asked.disks)?, at(&asked.iops)?, set))
    });
    // Of sets that ask the same the first stays, which is the smallest.
    let more = |a: &(f64, f64, Vec<usize>), b: &(f64, f64, Vec<usize>)| {
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).is_gt()
    };
    asked.reduce(|most, one| if more(&one, &most) { one } else { most }).map(|(.., set)| set)
}

/// The databases that everything is sized for where not all of them can be: those that were never measured
/// together have no sum, and where some need more disks than all did while they were, their time together was not
/// the time that matters.
pub(super) fn sized_alone(line: &mut Timeline, against: Against<'_>) -> Option<Vec<usize>> {
    if !line.never_together && (line.databases.len() < 2 || line.slices.iter().all(|s| s.span.is_none())) {
        return None;
    }
    let most = largest(line, against)?;
    if !line.never_together {
        let all: Vec<usize> = (0..line.databases.len()).collect();
        let asked = |set: &[usize]| Together::of(line, set, against);
        line.never_together =
            asked(&most).counted().exceeds(asked(&all).counted(), MORE, against.options.percentile);
    }
    line.never_together.then_some(most)
}

/// What databases that were never all measured together need together, between bounds: at least what the
/// `largest` of them, at the same time, do; `None` where one of them is not known.
pub(super) fn apart(
    line: &Timeline,
    largest: &[usize],
    sized: &Sized<'_>,
    options: &SizeOptions,
) -> Option<Apart> {
    let (redundancy, disk) = (sized.redundancy, sized.disk);
    let against = Against { redundancy, disk, options };
    // The sum of percentiles is no bound of the percentile of a sum: loads that peak at other times are above
    // it longer. It is one where all that each may exceed its own adds up to what the sum may.
    let each = 100.0 - (100.0 - options.percentile) / line.databases.len().max(1) as f64;
    let own: Vec<Together> = (0..line.databases.len()).map(|d| Together::of(line, &[d], against)).collect();
    let of_each = |percentile: f64, of: fn(&Asked) -> &Weighted| {
        own.iter().map(|t| t.most(percentile, of)).collect::<Option<Vec<f64>>>()
    };
    let highest = |each: &[f64]| each.iter().copied().fold(0.0, f64::max);
    let iops = of_each(each, |a| &a.iops)?;
    let mbps = of_each(each, |a| &a.mbps).zip(of_each(options.percentile, |a| &a.mbps));
    // Whole disks of each.
    let built = |percentile: f64| {
        let exact = of_each(percentile, |a| &a.disks)?;
        let built: Vec<f64> = exact.into_iter().map(|d| redundancy.buildable(d)).collect();
        built.iter().all(|d| d.is_finite()).then_some(built)
    };
    let (disks, at_own) = (built(each), built(options.percentile));
    let for_capacity = options
        .capacity_bytes
        .zip(disk.capacity_bytes)
        .map_or(0.0, |(need, one)| redundancy.buildable(need * redundancy.copies.unwrap_or(1.0) / one));
    // Those that need most disks need not ask for most of each.
    let hardware_low = sized.iops.at(options.percentile)?.0;
    let hardware_low = hardware_low.max(highest(&of_each(options.percentile, |a| &a.iops)?));
    let mbps_low = mbps.as_ref().map(|(_, own)| highest(own));
    let mbps_low = mbps_low.zip(sized.mbps_at_percentile()).map(|(own, all)| own.max(all));
    let disks_low = sized
        .disks
        .at(options.percentile)
        .map(|(v, _)| v)
        .filter(|v| v.is_finite())
        .zip(at_own)
        .map(|(of_largest, each)| each.iter().copied().fold(for_capacity.max(of_largest), f64::max));
    let sum = disks.as_ref().map(|e| redundancy.buildable(e.iter().sum::<f64>()).max(for_capacity));
    let all: Vec<usize> = (0..line.databases.len()).collect();
    Some(Apart {
        databases: line.databases.len(),
        largest: name_of(line, largest),
        together: largest.len(),
        measured_together_s: Together::of(line, &all, against).counted().iops.total_s(),
        hardware_low,
        // Those that were measured together may have met at their highest.
        hardware_high: iops.iter().sum::<f64>().max(hardware_low),
        mbps_low,
        mbps_high: mbps_low.zip(mbps).map(|(low, (each, _))| each.iter().sum::<f64>().max(low)),
        disks_low: disks_low.filter(|d| beyond(Some(*d))),
        disks_high: sum.zip(disks_low).map(|(sum, low)| sum.max(low)).filter(|d| beyond(Some(*d))),
        high_is_least: own.iter().any(Together::is_least),
        bytes_high_is_least: own.iter().any(|t| t.any.mbps.len() > 0)
            && own.iter().any(|t| t.any.bytes_are_least),
    })
}

/// `CRM`, `CRM and HR`, `CRM, HR and ERP`.
pub(super) fn name_of(line: &Timeline, databases: &[usize]) -> String {
    let names: Vec<&str> = databases.iter().map(|d| line.databases[*d].as_str()).collect();
    match names.as_slice() {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => names.concat(),
    }
}

/// One row a database where there are several.
pub(super) fn tenants(line: &Timeline, sized: &Sized<'_>, options: &SizeOptions) -> Vec<Tenant> {
    if line.databases.len() < 2 {
        return Vec::new();
    }
    let against = Against { redundancy: sized.redundancy, disk: sized.disk, options };
    // Of different days nobody has a share.
    let slices: &[&Slice] = if line.never_together { &[] } else { sized.slices };
    let bar = sized.iops.at(options.percentile).map_or(f64::INFINITY, |(v, _)| v);
    let at_peak = |i: &usize| *i < slices.len();
    let peaks: Vec<usize> =
        sized.iops.values().iter().filter(|(v, ..)| *v >= bar).map(|(_, _, i)| *i).filter(at_peak).collect();
    let loads: Vec<Vec<Option<f64>>> = (0..line.databases.len())
        .map(|d| slices.iter().map(|s| load_of(line, s, d, sized.redundancy)).collect())
        .collect();
    let loudest: Vec<Option<usize>> = peaks
        .iter()
        .map(|i| {
            let of = (0..loads.len()).filter_map(|d| Some((d, loads[d][*i]?)));
            of.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(d, _)| d)
        })
        .collect();
    let weighted_sum = |d: usize, of: &mut dyn Iterator<Item = usize>| {
        of.map(|i| loads[d][i].map(|l| l * slices[i].seconds)).sum::<Option<f64>>()
    };
    let share = |d: usize, of: &[usize]| {
        let own = weighted_sum(d, &mut of.iter().copied())?;
        let all: f64 = of
            .iter()
            .map(|i| sized.redundancy.hardware_iops(&slices[*i].measures).map(|h| h * slices[*i].seconds))
            .sum::<Option<f64>>()?;
        (all > 0.0).then(|| 100.0 * own / all)
    };
    let every: Vec<usize> = (0..slices.len()).collect();
    let mut found: Vec<Tenant> = (0..line.databases.len())
        .map(|d| {
            let together = Together::of(line, &[d], against);
            let own = together.counted();
            let at = |of: &Weighted| of.at(options.percentile).map(|(v, _)| v);
            let own_disks = at(&own.disks).map(|d| sized.redundancy.buildable(d));
            let reads = line.slices.iter().filter_map(|s| Some((latency_of(line, s, d)?, s.seconds)));
            let (us, s) = reads.fold((0.0, 0.0), |(us, all), (l, s)| (us + l * s, all + s));
            Tenant {
                database: line.databases[d].clone(),
                share_at_peak: share(d, &peaks),
                share_of_mean: share(d, &every),
                own_percentile_iops: at(&own.iops),
                own_percentile_mbps: at(&own.mbps),
                own_disks: own_disks.filter(|d| beyond(Some(*d))),
                own_is_least: together.is_least(),
                own_mbps_is_least: own.mbps_is_least(),
                own_disks_are_least: together.is_least() || sized.disk.mbps.is_some() && own.mbps_is_least(),
                // What lacks an instance was no less.
                own_max_iops: together.any.iops.max(),
                loudest_at_peaks: loudest.iter().filter(|l| **l == Some(d)).count(),
                measured_s: own.iops.total_s(),
                single_block_read_us: (s > 0.0).then(|| us / s),
            }
        })
        .collect();
    found.sort_by(|a, b| {
        b.share_at_peak
            .unwrap_or(-1.0)
            .total_cmp(&a.share_at_peak.unwrap_or(-1.0))
            .then_with(|| b.own_disks.unwrap_or(f64::MAX).total_cmp(&a.own_disks.unwrap_or(f64::MAX)))
            .then_with(|| {
                b.own_percentile_iops.unwrap_or(-1.0).total_cmp(&a.own_percentile_iops.unwrap_or(-1.0))
            })
            .then_with(|| a.database.cmp(&b.database))
    });
    found
}

/// A database whose load may slow the reads of another: measured together in so many intervals.
struct Suspect {
    database: usize,
    busy_us: f64,
    quiet_us: f64,
    correlation: f64,
    p_value: f64,
    intervals: usize,
}

/// Latency and load of one that suffers, and the load of all others, slice by slice.
struct Suffering<'l> {
    latency: &'l [Option<f64>],
    loads: &'l [Vec<Option<f64>>],
    own: usize,
    /// Pairs of databases that are looked at in all.
    tried: usize,
}

impl Suffering<'_> {
    /// Rank correlation of the latency with the load of one, with its own load and that of `given` held
    /// constant, over the intervals in which all of them are known; `None` where these are too few.
    fn correlation(&self, from: usize, given: &[usize]) -> Option<f64> {
        Some(self.rests(from, given)?.map_or(0.0, |rests| rests.correlation()))
    }

    /// What is left of the ranks of both, in the order of time; nothing where the others leave none.
    fn rests(&self, from: usize, given: &[usize]) -> Option<Option<Rests>> {
        let mut of = vec![from, self.own];
        of.extend(given);
        let known: Vec<usize> = (0..self.latency.len())
            .filter(|i| self.latency[*i].is_some() && of.iter().all(|d| self.loads[*d][*i].is_some()))
            .collect();
        if known.len() < ENOUGH + given.len() {
            return None;
        }
        let rank = |values: &[Option<f64>]| {
            ranks(&known.iter().map(|i| values[*i].unwrap_or(0.0)).collect::<Vec<_>>())
        };
        let of: Vec<Vec<f64>> = of.iter().map(|d| rank(&self.loads[*d])).collect();
        // Where the others leave nothing of a load, it says nothing more than they do.
        Some(Rests::of(&rank(self.latency), &of[0], &of[1..]))
    }

    /// One that its load alone speaks against.
    fn suspect(&self, from: usize) -> Option<Suspect> {
        let (of_other, of_own) = (&self.loads[from], &self.loads[self.own]);
        let mut points: Vec<(f64, f64)> = (0..self.latency.len())
            .filter(|i| of_own[*i].is_some())
            .filter_map(|i| Some((self.latency[i]?, of_other[i]?)))
            .collect();
        let rests = self.rests(from, &[])??;
        let correlation = rests.correlation();
        points.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mean = |of: &[(f64, f64)]| of.iter().map(|p| p.0).sum::<f64>() / of.len() as f64;
        let busy_us = mean(&points[points.len() - points.len().div_ceil(10)..]);
        let quiet_us = mean(&points[..points.len() / 2]);
        let matters = correlation >= MATTERS.0 && busy_us >= MATTERS.1 * quiet_us;
        // Of many pairs some are that strong by chance.
        let p_value = if matters { rests.p_value() * self.tried as f64 } else { 1.0 };
        let intervals = points.len();
        let suspect = Suspect { database: from, busy_us, quiet_us, correlation, p_value, intervals };
        (p_value < BY_CHANCE).then_some(suspect)
    }

    /// Suspects that the others do not clear: the strongest first, then each whose load says more than that
    /// of those before it. Beside each those that it cannot be told from.
    fn guilty(&self, mut suspects: Vec<Suspect>) -> Vec<(Suspect, Vec<usize>)> {
        suspects.sort_by(|a, b| b.correlation.total_cmp(&a.correlation).then(a.database.cmp(&b.database)));
        let speaks = |r: Option<f64>| r.is_none_or(|r| r >= MATTERS.0);
        let mut named: Vec<usize> = Vec::new();
        for one in &suspects {
            if named.is_empty() || speaks(self.correlation(one.database, &named)) {
                named.push(one.database);
            }
        }
        // What came first may be no more than the sum of those that came after.
        let others =
            |one: usize, of: &[usize]| -> Vec<usize> { of.iter().copied().filter(|d| *d != one).collect() };
        let all = named.clone();
        named.retain(|one| all.len() < 3 || speaks(self.correlation(*one, &others(*one, &all))));
        let cleared: Vec<usize> =
            suspects.iter().map(|s| s.database).filter(|d| !named.contains(d)).collect();
        suspects
            .into_iter()
            .filter(|s| named.contains(&s.database))
            .map(|mut s| {
                // Held against one that goes with it, nothing may be left of either.
                let twins = cleared
                    .iter()
                    .copied()
                    .filter(|d| self.correlation(s.database, &[*d]).is_some_and(|r| r < MATTERS.0))
                    .collect();
                if let Some(held) = self.correlation(s.database, &others(s.database, &named)) {
                    s.correlation = held;
                }
                (s, twins)
            })
            .collect()
    }
}

/// Pairs of databases in which the reads of one get slower with the load of the other, and how many pairs
/// could be looked at.
pub(super) fn neighbours(line: &Timeline, redundancy: &Redundancy) -> (Vec<Neighbour>, usize) {
    /// Databases beyond which pairs are not looked at.
    const MOST: usize = 40;
    let n = line.databases.len();
    if !(2..=MOST).contains(&n) {
        return (Vec::new(), 0);
    }
    let loads: Vec<Vec<Option<f64>>> =
        (0..n).map(|d| line.slices.iter().map(|s| load_of(line, s, d, redundancy)).collect()).collect();
    let latencies: Vec<Vec<Option<f64>>> =
        (0..n).map(|own| line.slices.iter().map(|s| latency_of(line, s, own)).collect()).collect();
    let known = |own: usize, from: usize| {
        let all = latencies[own].iter().zip(&loads[from]).zip(&loads[own]);
        all.filter(|((l, a), b)| l.is_some() && a.is_some() && b.is_some()).count() >= ENOUGH
    };
    let others: Vec<Vec<usize>> =
        (0..n).map(|own| (0..n).filter(|from| *from != own && known(own, *from)).collect()).collect();
    let tried = others.iter().map(Vec::len).sum();
    let mut found = Vec::new();
    for ((own, latency), others) in latencies.iter().enumerate().zip(&others) {
        let suffering = Suffering { latency, loads: &loads, own, tried };
        let suspects = others.iter().filter_map(|from| suffering.suspect(*from)).collect();
        let name = |d: usize| line.databases[d].clone();
        found.extend(suffering.guilty(suspects).into_iter().map(|(s, twins)| Neighbour {
            suffers: name(own),
            from: name(s.database),
            busy_us: s.busy_us,
            quiet_us: s.quiet_us,
            correlation: s.correlation,
            p_value: s.p_value,
            intervals: s.intervals,
            or: twins.into_iter().map(name).collect(),
        }));
    }
    found.sort_by(|a, b| (b.busy_us / b.quiet_us).total_cmp(&(a.busy_us / a.quiet_us)));
    (found, tried)
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

#[cfg(test)]
mod tests {
    use super::ranks;

    #[test]
    fn equal_values_share_a_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
    }
}
