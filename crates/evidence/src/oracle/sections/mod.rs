//! One file a section: raw tables to facts. A reader finds columns by heading, takes text and HTML
//! alike, and returns how many rows it read.

mod addm_top;
mod advice;
pub(crate) mod as_printed;
pub(crate) mod captured;
mod cut_seconds;
pub(crate) mod file_io;
pub(crate) mod instance_activity;
mod io_profile;
mod io_stat;
mod labels;
mod load_profile;
mod memory;
mod os;
mod osprep;
mod parameters;
mod pool_advice;
pub(crate) mod sampled_headings;
pub(crate) mod segments;
mod shared_pool;
mod sql_ordered;
mod summary;
mod time_model;
mod top_events;
#[cfg(test)]
mod tried;
pub(crate) mod wait_events;
pub(crate) mod wait_histogram;

pub(crate) use load_profile::DIFFERENCE;

use super::context::Context;
use super::{ash, compare, exadata, rac, sql_report};
use crate::grid::{Grid, fold};
use rustc_hash::FxHashMap;
use spindle_facts::{Identity, Kind, Layout, Scope};
use std::sync::LazyLock;

/// Reads one raw table into facts; returns rows read.
pub(crate) type Read = fn(&Grid<'_>, &mut Context<'_>) -> u32;

/// Folded titles (a `*` at the end: prefix) and who reads them.
pub(crate) type Entry = (&'static [&'static str], Read);

/// Every section that has a reader.
static SECTIONS: &[Entry] = &[
    (load_profile::TITLES, load_profile::read),
    (top_events::TITLES, top_events::read),
    (wait_events::FOREGROUND_TITLES, wait_events::read_foreground),
    (wait_events::BACKGROUND_TITLES, wait_events::read_background),
    (wait_events::ALL_TITLES, wait_events::read_all),
    (wait_events::CLASS_TITLES, wait_events::read_classes),
    (wait_histogram::TITLES, wait_histogram::read),
    (summary::EFFICIENCY_TITLES, summary::read_efficiency),
    (summary::CACHE_TITLES, summary::read_caches),
    (summary::MEMORY_TITLES, summary::read_memory),
    (summary::CURSOR_TITLES, summary::read_cursors),
    (time_model::TITLES, time_model::read),
    (os::STATISTIC_TITLES, os::read_statistics),
    (os::CPU_TITLES, os::read_cpu),
    (io_profile::TITLES, io_profile::read),
    (instance_activity::TITLES, instance_activity::read),
    (file_io::TABLESPACE_TITLES, file_io::read_tablespaces),
    (file_io::FILE_TITLES, file_io::read_files),
    (io_stat::FUNCTION_TITLES, io_stat::read_functions),
    (io_stat::FILETYPE_TITLES, io_stat::read_filetypes),
    (io_stat::BOTH_TITLES, io_stat::read_both),
    (io_stat::SIZES_TITLES, io_stat::read_sizes),
    (io_stat::STATSPACK_BOTH_TITLES, io_stat::read_statspack_both),
    (sql_ordered::TITLES, sql_ordered::read),
    (sql_ordered::TEXT_TITLES, sql_ordered::read_texts),
    (segments::TITLES, segments::read),
    (parameters::TITLES, parameters::read),
    (advice::CACHE_TITLES, advice::read_cache),
    (advice::PGA_TITLES, advice::read_pga),
    (addm_top::TITLES, addm_top::read),
    (as_printed::POOL_TITLES, as_printed::read_pools),
    (as_printed::BUFFER_WAIT_TITLES, as_printed::read_buffer_waits),
    (as_printed::SGA_TITLES, as_printed::read_sga),
    (as_printed::PGA_TITLES, as_printed::read_pga),
    (as_printed::RECOVERY_TITLES, as_printed::read_recovery),
    (as_printed::ENQUEUE_TITLES, as_printed::read_enqueues),
    (as_printed::UNDO_TITLES, as_printed::read_undo),
    (as_printed::LATCH_TITLES, as_printed::read_latches),
    (as_printed::SERVICE_TITLES, as_printed::read_services),
    (as_printed::FILE_HISTOGRAM_TITLES, as_printed::read_file_histograms),
    (pool_advice::SHARED_TITLES, pool_advice::read_shared),
    (pool_advice::JAVA_TITLES, pool_advice::read_java),
    (pool_advice::STREAMS_TITLES, pool_advice::read_streams),
    (pool_advice::MTTR_TITLES, pool_advice::read_mttr),
    (pool_advice::OTHER_TITLES, pool_advice::read_other),
    (shared_pool::DICTIONARY_TITLES, shared_pool::read_dictionary),
    (shared_pool::LIBRARY_TITLES, shared_pool::read_library),
    (memory::REGION_TITLES, memory::read_regions),
    (memory::BREAKDOWN_TITLES, memory::read_breakdown),
    (memory::COMPONENT_TITLES, memory::read_components),
    (memory::PROCESS_TITLES, memory::read_processes),
    (os::SNAPSHOT_TITLES, os::read_snapshots),
    (os::INSTANCE_TITLES, os::read_instance),
    (as_printed::MUTEX_TITLES, as_printed::read_mutexes),
    (as_printed::LIMIT_TITLES, as_printed::read_limits),
    (as_printed::SHARED_SERVER_TITLES, as_printed::read_shared_servers),
    (as_printed::QUEUE_TITLES, as_printed::read_queues),
    (as_printed::CHANNEL_TITLES, as_printed::read_channels),
    (as_printed::PROCESS_TITLES, as_printed::read_process_types),
    (as_printed::ASH_TITLES, as_printed::read_ash),
    (as_printed::CACHE_TITLES, as_printed::read_cache),
    (as_printed::INTERCONNECT_TITLES, as_printed::read_interconnect),
];

static EXACT: LazyLock<FxHashMap<&'static str, Read>> = LazyLock::new(|| {
    let all = SECTIONS.iter().flat_map(|(titles, read)| titles.iter().map(move |t| (*t, *read)));
    all.filter(|(title, _)| !title.ends_with('*')).collect()
});
static PREFIXES: LazyLock<Vec<(&'static str, Read)>> = LazyLock::new(|| {
    let all = SECTIONS.iter().flat_map(|(titles, read)| titles.iter().map(move |t| (*t, *read)));
    all.filter_map(|(title, read)| Some((title.strip_suffix('*')?, read))).collect()
});

/// The reader of a folded title in a report of this kind and scope.
pub(crate) fn find(identity: &Identity, folded: &str) -> Option<Read> {
    match (identity.kind, identity.scope) {
        (Kind::Awr, Scope::Database) => {
            rac::find(folded).or_else(|| ordinary(folded)).or_else(|| exadata::find(folded))
        }
        (Kind::Awr | Kind::Unknown, _) => ordinary(folded).or_else(|| exadata::find(folded)),
        (Kind::AwrCompare, _) => compare::find(folded),
        (Kind::Ash, _) => ash::find(folded).or_else(|| ordinary(folded)),
        (Kind::AwrSql, _) => sql_report::find(folded),
        (Kind::Statspack, _) if identity.layout == Layout::Html => {
            osprep::find(folded).or_else(|| ordinary(folded))
        }
        _ => ordinary(folded),
    }
}

/// Are figures of the rows of a section added up, so that none may count twice?
pub(crate) fn is_added_up(folded: &str) -> bool {
    const TITLES: [&[&str]; 8] = [
        wait_events::FOREGROUND_TITLES,
        wait_events::BACKGROUND_TITLES,
        wait_events::ALL_TITLES,
        wait_events::CLASS_TITLES,
        file_io::TABLESPACE_TITLES,
        file_io::FILE_TITLES,
        io_stat::FUNCTION_TITLES,
        io_stat::FILETYPE_TITLES,
    ];
    segments::is_title(folded)
        || top_events::is_title(folded)
        || TITLES.iter().any(|titles| titles.contains(&folded))
}

/// Who named what the rows of a list stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// Oracle: no event, statistic or statement is called `Total`.
    ByOracle,
    ByPeople,
}

/// Do the instance's ratios stand under a folded title?
pub(crate) fn are_ratios(folded: &str) -> bool {
    folded.starts_with("instanceefficiency") || summary::EFFICIENCY_TITLES.contains(&folded)
}

/// Is it another table than the instance's ratios, under whose title it stands?
pub(crate) fn is_beside_ratios(title: &str, grid: &Grid<'_>) -> bool {
    // Few titles begin so.
    let may_be = title.get(..8).is_some_and(|begin| begin.eq_ignore_ascii_case("instance"));
    may_be && !grid.columns.is_empty() && are_ratios(&fold(title)) && summary::is_of_another(grid)
}

/// Who named what the rows of a section stand for, where none of them is a sum in any release.
pub(crate) fn named(folded: &str) -> Option<Named> {
    const BY_ORACLE: [&[&str]; 8] = [
        wait_events::FOREGROUND_TITLES,
        wait_events::BACKGROUND_TITLES,
        wait_events::ALL_TITLES,
        wait_events::CLASS_TITLES,
        instance_activity::TITLES,
        sql_ordered::TITLES,
        as_printed::ENQUEUE_TITLES,
        as_printed::LATCH_TITLES,
    ];
    const BY_PEOPLE: [&[&str]; 3] =
        [file_io::TABLESPACE_TITLES, file_io::FILE_TITLES, as_printed::SERVICE_TITLES];
    let holds = |all: &[&[&str]]| all.iter().any(|titles| titles.contains(&folded));
    if folded.starts_with("waiteventhistogram")
        || folded.starts_with("topsqlcomparison")
        || top_events::is_title(folded)
        || holds(&BY_ORACLE)
    {
        Some(Named::ByOracle)
    } else if segments::is_title(folded)
        || ["topsegments", "topfilecomparison"].iter().any(|begin| folded.starts_with(begin))
        || holds(&BY_PEOPLE)
    {
        Some(Named::ByPeople)
    } else {
        None
    }
}

/// The reader of a section of an instance's report.
pub(crate) fn ordinary(folded: &str) -> Option<Read> {
    let first = folded.as_bytes().first();
    let begins = |prefix: &str| prefix.as_bytes().first() == first && folded.starts_with(prefix);
    let prefixed = || PREFIXES.iter().find(|(prefix, _)| begins(prefix)).map(|(_, read)| *read);
    // `Top 12 Timed Events`, `Top 5 Physical Reads per Segment`: so many as somebody set.
    let numbered = || match folded {
        _ if top_events::is_title(folded) => Some(top_events::read as Read),
        _ if segments::is_title_of_9i(folded) => Some(segments::read as Read),
        _ => None,
    };
    EXACT.get(folded).copied().or_else(prefixed).or_else(numbered)
}

/// The reader of a folded title in a short list.
pub(crate) fn look_up(entries: &[Entry], folded: &str) -> Option<Read> {
    let exact = entries.iter().find(|(titles, _)| titles.contains(&folded));
    let prefixed = || {
        entries.iter().find(|(titles, _)| {
            titles.iter().any(|t| t.strip_suffix('*').is_some_and(|prefix| folded.starts_with(prefix)))
        })
    };
    exact.or_else(prefixed).map(|(_, read)| *read)
}

/// Could this folded line be a section's title standing alone, as in an excerpt?
pub(crate) fn is_title(folded: &str) -> bool {
    ordinary(folded).is_some() || sql_report::is_title(folded) || folded == ash::EVENTS
}

/// The same where lines outside tables are few, as in a page turned into text: titles of reports on
/// a whole RAC database and of comparisons count too.
pub(crate) fn is_any_title(folded: &str) -> bool {
    is_title(folded) || rac::find(folded).is_some() || super::compare::is_title(folded)
}
