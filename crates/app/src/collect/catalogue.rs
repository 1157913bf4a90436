//! Which sections answer which question, and the pieces of SQL that several of them share.

use super::order::{Licence, Order, What};
use super::section::{Needs, Section};

macro_rules! section {
    ($name:literal, $needs:ident, $file:literal) => {
        Section { name: $name, needs: Needs::$needs, template: include_str!(concat!("sql/", $file, ".sql")) }
    };
}

const SEGMENTS: &[Section] = &[
    section!("segments", Nothing, "segments"),
    section!("small_segments", Nothing, "small_segments"),
    section!("tables", Nothing, "tables"),
    section!("indexes", Nothing, "indexes"),
    section!("lobs", Nothing, "lobs"),
    section!("data_files", Nothing, "data_files"),
    section!("temp_files", Nothing, "temp_files"),
    section!("tablespaces", Nothing, "tablespaces"),
    section!("redo", Nothing, "redo"),
    section!("control_files", Nothing, "control_files"),
    section!("quotas", Nothing, "quotas"),
];

const PLANS: &[Section] =
    &[section!("statements", Nothing, "statements"), section!("plans", Nothing, "plans")];

const PLANS_OF_AWR: &[Section] = &[
    section!("statements_history", DiagnosticsPack, "awr/statements_history"),
    section!("plans_history", DiagnosticsPack, "awr/plans_history"),
];

const PLANS_OF_STATSPACK: &[Section] = &[
    section!("statements_history", Statspack, "statspack/statements_history"),
    section!("plans_history", Statspack, "statspack/plans_history"),
];

const CACHE: &[Section] = &[section!("cache", Nothing, "cache")];

/// `DBA_HIST_SNAPSHOT`, `DBA_HIST_SEG_STAT` and `DBA_HIST_SEG_STAT_OBJ` are free.
const FREE_HISTORY: &[Section] =
    &[section!("snapshots", Nothing, "awr/snapshots"), section!("seg_stat", Nothing, "awr/seg_stat")];

const HISTORY_OF_AWR: &[Section] = &[
    section!("sysstat", DiagnosticsPack, "awr/sysstat"),
    section!("time_model", DiagnosticsPack, "awr/time_model"),
    section!("system_event", DiagnosticsPack, "awr/system_event"),
    section!("event_histogram", DiagnosticsPack, "awr/event_histogram"),
    section!("iostat_function", DiagnosticsPack, "awr/iostat_function"),
    section!("iostat_filetype", DiagnosticsPack, "awr/iostat_filetype"),
    section!("file_io", DiagnosticsPack, "awr/file_io"),
    section!("sqlstat", DiagnosticsPack, "awr/sqlstat"),
    section!("sysmetric", DiagnosticsPack, "awr/sysmetric"),
    section!("osstat", DiagnosticsPack, "awr/osstat"),
    section!("parameters", DiagnosticsPack, "awr/parameters"),
];

const HISTORY_OF_STATSPACK: &[Section] = &[
    section!("snapshots", Statspack, "statspack/snapshots"),
    section!("seg_stat", Statspack, "statspack/seg_stat"),
    section!("sysstat", Statspack, "statspack/sysstat"),
    section!("time_model", Statspack, "statspack/time_model"),
    section!("system_event", Statspack, "statspack/system_event"),
    section!("event_histogram", Statspack, "statspack/event_histogram"),
    section!("iostat_function", Statspack, "statspack/iostat_function"),
    section!("file_io", Statspack, "statspack/file_io"),
    section!("sqlstat", Statspack, "statspack/sqlstat"),
    section!("osstat", Statspack, "statspack/osstat"),
    section!("parameters", Statspack, "statspack/parameters"),
];

/// The sections of a script, in the order in which it prints them: what is slow or heavy comes last.
pub(super) fn sections(order: &Order) -> Vec<Section> {
    let plans: &[&[Section]] = match order.licence {
        Licence::Diagnostics => &[PLANS, PLANS_OF_AWR],
        Licence::Free => &[PLANS],
        Licence::Statspack => &[PLANS, PLANS_OF_STATSPACK],
    };
    let history: &[&[Section]] = match order.licence {
        Licence::Diagnostics => &[FREE_HISTORY, HISTORY_OF_AWR],
        Licence::Free => &[FREE_HISTORY],
        Licence::Statspack => &[HISTORY_OF_STATSPACK],
    };
    let lists: Vec<&[Section]> = match order.what {
        What::Reports => Vec::new(),
        What::Segments => vec![SEGMENTS],
        What::Plans => plans.to_vec(),
        What::Cache => vec![CACHE],
        What::History => history.to_vec(),
        What::All if order.no_cache => [&[SEGMENTS], plans, history].concat(),
        What::All => [&[SEGMENTS], plans, history, &[CACHE]].concat(),
    };
    lists.concat()
}

/// Do any of the sections need the Diagnostics Pack?
pub(super) fn reads_awr(sections: &[Section]) -> bool {
    sections.iter().any(|s| s.needs == Needs::DiagnosticsPack)
}

/// Do any of the sections walk the buffer cache?
pub(super) fn walks_cache(sections: &[Section]) -> bool {
    sections.iter().any(|s| s.name == "cache")
}

/// Fills in the pieces that several queries share.
pub(super) fn spliced(template: &str, needs: Needs) -> String {
    let snaps = if needs == Needs::Statspack {
        include_str!("sql/statspack/snaps.sql")
    } else {
        include_str!("sql/awr/snaps.sql")
    };
    template
        .replace("{deltas}", include_str!("sql/statspack/deltas.sql").trim_end())
        .replace("{snaps}", snaps.trim_end())
        .replace(
            "{segment}",
            "partition by x.instance_number, s.startup_time, x.dataobj#, x.obj#, x.ts# order by x.snap_id",
        )
        .replace(
            "{statement}",
            "partition by x.instance_number, s.startup_time, x.old_hash_value, x.text_subset \
             order by x.snap_id",
        )
        .replace("{stat_names}", &listed(STATISTICS))
        .replace("{parameters}", &listed(PARAMETERS))
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let lines: Vec<String> = quoted.chunks(4).map(|names| names.join(", ")).collect();
    format!("\n    {}", lines.join(",\n    "))
}

/// Statistics beside those that are taken by pattern (`physical %`, `redo %` ...).
const STATISTICS: &[&str] = &[
    "user commits",
    "user rollbacks",
    "user calls",
    "execute count",
    "parse count (total)",
    "parse count (hard)",
    "session logical reads",
    "db block gets",
    "consistent gets",
    "db block changes",
    "free buffer requested",
    "free buffer inspected",
    "dirty buffers inspected",
    "table scan blocks gotten",
    "table fetch by rowid",
    "table fetch continued row",
    "index fast full scans (full)",
    "index fast full scans (direct read)",
    "sorts (disk)",
    "sorts (memory)",
    "temp space allocated (bytes)",
    "user I/O wait time",
    "non-idle wait time",
    "file io wait time",
    "flashback log writes",
    "flashback log write bytes",
    "DB time",
    "CPU used by this session",
    "gc cr blocks received",
    "gc current blocks received",
];

/// Parameters that storage and the plan of a tier depend on.
const PARAMETERS: &[&str] = &[
    "db_block_size",
    "db_file_multiblock_read_count",
    "db_writer_processes",
    "dbwr_io_slaves",
    "disk_asynch_io",
    "filesystemio_options",
    "db_cache_size",
    "db_keep_cache_size",
    "db_recycle_cache_size",
    "db_2k_cache_size",
    "db_4k_cache_size",
    "db_8k_cache_size",
    "db_16k_cache_size",
    "db_32k_cache_size",
    "sga_target",
    "sga_max_size",
    "memory_target",
    "pga_aggregate_target",
    "pga_aggregate_limit",
    "workarea_size_policy",
    "db_flash_cache_file",
    "db_flash_cache_size",
    "log_buffer",
    "commit_logging",
    "commit_wait",
    "fast_start_mttr_target",
    "undo_tablespace",
    "undo_management",
    "db_create_file_dest",
    "db_create_online_log_dest_1",
    "db_create_online_log_dest_2",
    "control_files",
    "cluster_database",
    "compatible",
    "statistics_level",
    "timed_statistics",
    "control_management_pack_access",
    "optimizer_index_cost_adj",
];
