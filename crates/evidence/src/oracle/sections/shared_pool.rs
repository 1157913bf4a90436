//! Dictionary cache and library cache.
//!
//! Printed as `Dictionary Cache Stats` and `Library Cache Activity` (every release; `Dictionary Cache
//! Statistics` in compare-period reports, `Dictionary Cache` and `Library Cache` by OSPRep), with
//! `(RAC)` for what the global enqueue service did. Columns: requests, misses in percent, twice
//! (gets and scans or pins), then changes, usage or reloads, invalidations. Traps: both misses have the
//! same heading; over a whole database the global columns stand in the same table.

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{DictionaryCache, LibraryCache};

pub(crate) const DICTIONARY_TITLES: &[&str] =
    &["dictionarycachestats", "dictionarycachestatsrac", "dictionarycachestatistics"];
pub(crate) const LIBRARY_TITLES: &[&str] = &["librarycacheactivity", "librarycacheactivityrac"];

/// The misses of two kinds of requests, which have the same heading: each stands right behind its requests. Where one
/// does not, somebody moved columns, and whose they are cannot be told.
fn misses(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    [name, first, second]: [Option<usize>; 3],
) -> [Option<usize>; 2] {
    let mut found = (0..grid.columns.len()).filter(|c| grid.columns[*c].key() == "pctmiss");
    let found = [found.next(), found.next()];
    let behind = |requests: Option<usize>| requests.map(|c| c + 1).filter(|c| found.contains(&Some(*c)));
    let own = [behind(first), behind(second)];
    let in_order = name < first && (second.is_none() || first < second);
    // Of requests whose column is gone, misses may be left.
    let placed = |miss: &usize| own.contains(&Some(*miss)) || second.is_none();
    if in_order && found.iter().flatten().all(placed) {
        return own;
    }
    if found[0].is_some() && !grid.is_empty() {
        let message = "it cannot be told whose misses stand under `Pct Miss`: columns were moved".to_owned();
        context.note(Some(grid.row_line(0)), message, "they are taken as unknown");
    }
    [None, None]
}

pub(crate) fn read_dictionary(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["cache"]);
    let ges = [&["gesrequests"], &["gesconflicts"], &["gesreleases"]].map(|k| grid.column(k));
    let gets = grid.column(&["getrequests"]);
    if name.is_none() || gets.is_none() && ges[0].is_none() {
        return 0;
    }
    let scans = grid.column(&["scanreqs", "scanrequests"]);
    let [get_miss, scan_miss] = misses(grid, context, [name, gets, scans]);
    let columns =
        [gets, get_miss, scans, scan_miss, grid.column(&["modreqs", "modreq"]), grid.column(&["finalusage"])];
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(cache) = context.name(grid, row, name) else { continue };
        let instance_number = context.instance(grid, row);
        let ges = ges.map(|c| context.count(grid, row, c));
        rows += 1;
        if gets.is_none() {
            let same = |r: &&mut DictionaryCache| r.cache == cache && r.instance_number == instance_number;
            if let Some(found) = context.tables().dictionary_cache.iter_mut().find(same) {
                [found.ges_requests, found.ges_conflicts, found.ges_releases] = ges;
                continue;
            }
        }
        let [get_requests, get_miss_pct, scan_requests, scan_miss_pct, modifications, final_usage] =
            columns.map(|c| context.count(grid, row, c));
        let [ges_requests, ges_conflicts, ges_releases] = ges;
        let line = DictionaryCache {
            line: grid.row_line(row),
            section: context.section,
            instance_number,
            cache,
            get_requests,
            get_miss_pct,
            scan_requests,
            scan_miss_pct,
            modifications,
            final_usage,
            ges_requests,
            ges_conflicts,
            ges_releases,
        };
        context.tables().dictionary_cache.push(line);
    }
    rows
}

pub(crate) fn read_library(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["namespace"]);
    let ges = ["geslockrequests", "gespinrequests", "gespinreleases", "gesinvalrequests", "gesinvalidations"]
        .map(|k| grid.column(&[k]));
    let gets = grid.column(&["getrequests"]);
    if name.is_none() || gets.is_none() && ges[0].is_none() {
        return 0;
    }
    let pins = grid.column(&["pinrequests", "pinreqs"]);
    let [get_miss, pin_miss] = misses(grid, context, [name, gets, pins]);
    let columns =
        [gets, get_miss, pins, pin_miss, grid.column(&["reloads"]), grid.column(&["invalidations"])];
    let (mut rows, mut below_nought) = (0, None);
    for row in 0..grid.len() {
        let Some(namespace) = context.name(grid, row, name) else { continue };
        let instance_number = context.instance(grid, row);
        let ges = ges.map(|c| context.count(grid, row, c));
        rows += 1;
        if gets.is_none() {
            let same =
                |r: &&mut LibraryCache| r.namespace == namespace && r.instance_number == instance_number;
            if let Some(found) = context.tables().library_cache.iter_mut().find(same) {
                [
                    found.ges_lock_requests,
                    found.ges_pin_requests,
                    found.ges_pin_releases,
                    found.ges_invalidation_requests,
                    found.ges_invalidations,
                ] = ges;
                continue;
            }
        }
        let mut counts = columns.map(|c| context.count(grid, row, c));
        if let Some(first) = overflowed(&mut counts) {
            below_nought.get_or_insert((grid.row_line(row), namespace.clone(), first));
        }
        let [get_requests, get_miss_pct, pin_requests, pin_miss_pct, reloads, invalidations] = counts;
        let [
            ges_lock_requests,
            ges_pin_requests,
            ges_pin_releases,
            ges_invalidation_requests,
            ges_invalidations,
        ] = ges;
        let line = LibraryCache {
            line: grid.row_line(row),
            section: context.section,
            instance_number,
            namespace,
            get_requests,
            get_miss_pct,
            pin_requests,
            pin_miss_pct,
            reloads,
            invalidations,
            ges_lock_requests,
            ges_pin_requests,
            ges_pin_releases,
            ges_invalidation_requests,
            ges_invalidations,
        };
        context.tables().library_cache.push(line);
    }
    if let Some((line, namespace, count)) = below_nought {
        context.note(
            Some(line),
            format!("`{namespace}` is printed with {count} requests, less than none: its counter overflowed"),
            "they are taken as unknown, with the share of misses among them",
        );
    }
    rows
}

/// Sets requests below nought to unknown, with their share of misses; the first of them.
fn overflowed(counts: &mut [Option<f64>; 6]) -> Option<f64> {
    let mut first = None;
    for pair in counts[..4].chunks_exact_mut(2) {
        if let Some(count) = pair[0].filter(|count| *count < 0.0) {
            first = first.or(Some(count));
            pair.fill(None);
        }
    }
    first
}
