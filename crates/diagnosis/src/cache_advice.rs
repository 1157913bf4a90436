//! What the advice on the buffer cache says of larger sizes, read in one way for the finding and for the plan.

use spindle_facts::DbCacheAdvice;

/// Largest cache that is looked at, times the present one.
const LARGEST_FACTOR: f64 = 2.0;
/// Fewer estimated reads than this are coarser than the factors.
const FINE_READS: f64 = 1_000.0;

/// The pool of one instance that reads most.
///
/// Shape: one an instance. Unit: bytes; reads since the instance started. Missing: no pool where nothing
/// tells which one matters. Source: `Buffer Pool Advisory`.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolAdvice {
    /// RAC: the instance, where the rows print one.
    pub instance: Option<u32>,
    /// Row of the present size.
    pub row: usize,
    /// Present size.
    pub size_bytes: f64,
    /// Estimated reads at the present size.
    pub reads: Option<f64>,
    /// Share of the reads of all pools of the report, 0-1.
    pub weight: f64,
    /// Sizes up to twice the present one, ascending.
    pub larger: Vec<LargerCache>,
}

/// A larger cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargerCache {
    /// Row of the advice.
    pub row: usize,
    /// Its size.
    pub size_bytes: f64,
    /// Share of the pool's reads that it saves, 0-1.
    pub saved: f64,
}

/// The largest reader of each instance.
#[must_use]
pub fn largest_readers(rows: &[DbCacheAdvice]) -> Vec<PoolAdvice> {
    let mut names: Vec<(Option<u32>, Option<&str>)> = Vec::new();
    for row in rows {
        let name = (row.instance_number, row.pool.as_deref());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let pools: Vec<PoolAdvice> = names.iter().filter_map(|name| pool(rows, *name)).collect();
    let all: Option<f64> = pools.iter().map(|p| p.reads).sum();
    let only = pools.len() == 1;
    let mut largest: Vec<PoolAdvice> = Vec::new();
    for mut pool in pools {
        // Several pools of which the reads are not printed: nothing tells which one matters.
        pool.weight = match (pool.reads, all) {
            _ if only => 1.0,
            (Some(own), Some(all)) if all > 0.0 => own / all,
            _ => continue,
        };
        match largest.iter_mut().find(|p| p.instance == pool.instance) {
            None => largest.push(pool),
            Some(other) if pool.weight > other.weight => *other = pool,
            Some(_) => {}
        }
    }
    largest
}

/// Advice for one pool of one instance.
fn pool(rows: &[DbCacheAdvice], (instance, name): (Option<u32>, Option<&str>)) -> Option<PoolAdvice> {
    let of_pool: Vec<(usize, &DbCacheAdvice)> = rows
        .iter()
        .enumerate()
        .filter(|(_, a)| a.instance_number == instance && a.pool.as_deref() == name)
        .collect();
    let (row, present) = present_size(&of_pool)?;
    let size_bytes = present.size_bytes?;
    // Factors are rounded to 0.1 in text; the estimated reads carry more digits.
    let saved = |a: &DbCacheAdvice| match (a.estimated_reads, present.estimated_reads) {
        (Some(then), Some(now)) if now >= FINE_READS => Some(1.0 - then / now),
        _ => Some(1.0 - a.read_factor? / present.read_factor.unwrap_or(1.0)),
    };
    let mut larger: Vec<LargerCache> = of_pool
        .iter()
        .filter_map(|(row, a)| {
            let size =
                a.size_bytes.filter(|s| *s > size_bytes && *s <= LARGEST_FACTOR * 1.005 * size_bytes)?;
            Some(LargerCache { row: *row, size_bytes: size, saved: saved(a)? })
        })
        .collect();
    larger.sort_by(|a, b| a.size_bytes.total_cmp(&b.size_bytes));
    Some(PoolAdvice { instance, row, size_bytes, reads: present.estimated_reads, weight: 1.0, larger })
}

/// The row of the present size. Several rows can print the factor 1.0; sizes go in steps of the
/// smallest, so the one that is no multiple of it is the size in use.
fn present_size<'r>(of_pool: &[(usize, &'r DbCacheAdvice)]) -> Option<(usize, &'r DbCacheAdvice)> {
    let is_one = |a: &DbCacheAdvice| a.size_factor.is_some_and(|f| (f - 1.0).abs() < 0.005);
    let step = of_pool.iter().filter_map(|(_, a)| a.size_bytes).min_by(f64::total_cmp)?;
    let odd = |a: &DbCacheAdvice| a.size_bytes.is_some_and(|s| (s / step - (s / step).round()).abs() > 0.01);
    let candidates = || of_pool.iter().copied().filter(|(_, a)| is_one(a));
    candidates().find(|(_, a)| odd(a)).or_else(|| candidates().next())
}
