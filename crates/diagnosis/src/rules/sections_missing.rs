//! Sections that the report lacks.
//!
//! # What it detects
//! Sections that a complete report of this kind prints, and that here are absent, empty or
//! unreadable.
//!
//! # Why it costs response time
//! It costs the answer: each missing section leaves a question open. From 12.2 on the sections by
//! tablespace and file are often empty, since default snapshots no longer gather them.
//!
//! # Facts needed
//! The tables that were read; the kind and release of the report.
//!
//! # Thresholds
//! None. A section counts as missing if no row of it was read. Only sections that the release and
//! the kind of report can print are asked for: no operating system statistics of a container, no
//! histograms before 10g, no time model before 10g, no I/O by function before 11g, no segments of a
//! Statspack below level 7.
//!
//! # When it is wrong
//! A section can be empty because there was nothing to print (no segment above the threshold of the
//! snapshot).
//!
//! # What to do
//! Print the whole report; for what is empty by default raise the snapshot's level
//! (`DBMS_WORKLOAD_REPOSITORY`, `STATSPACK.SNAP(i_snap_level => 7)`) or let `spindle collect`
//! gather it.
//!
//! # SQL to see the evidence
//! ```sql
//! select snap_id, snap_level from dba_hist_snapshot order by snap_id desc; -- needs the Diagnostics Pack
//! select snap_id, snap_level from stats$snapshot order by snap_id desc;
//! ```

use crate::{Case, Verdict};
use spindle_facts::{Kind, Scope, Tables};

/// A section, and what is open without it.
struct Wanted {
    section: &'static str,
    hides: &'static str,
    /// First release that prints it, by kind: AWR (and its RAC and container reports), Statspack.
    awr_since: (u32, u32),
    statspack_since: (u32, u32),
    /// Do reports on a whole RAC database print it?
    in_database_reports: bool,
    /// Do reports on one container (root snapshots) print it?
    in_container_reports: bool,
    is_read: fn(&Tables) -> bool,
}

/// Never printed by this kind of report, or not by default.
const NEVER: (u32, u32) = (u32::MAX, 0);

const WANTED: &[Wanted] = &[
    Wanted {
        section: "wait events",
        hides: "what sessions waited for",
        awr_since: (10, 0),
        statspack_since: (8, 0),
        in_database_reports: true,
        in_container_reports: true,
        is_read: |t| !t.wait_event.is_empty(),
    },
    Wanted {
        section: "time model",
        hides: "how much of DB time is CPU and parsing",
        awr_since: (10, 0),
        statspack_since: (10, 0),
        in_database_reports: true,
        in_container_reports: true,
        is_read: |t| !t.time_model.is_empty(),
    },
    Wanted {
        section: "wait event histograms",
        hides: "whether a mean hides slow reads and writes",
        awr_since: (11, 0),
        statspack_since: (10, 0),
        in_database_reports: false,
        in_container_reports: false,
        is_read: |t| !t.wait_histogram.is_empty(),
    },
    Wanted {
        section: "instance activity",
        hides: "how many requests and bytes were read and written, and what commits cost",
        awr_since: (10, 0),
        statspack_since: (8, 0),
        in_database_reports: true,
        in_container_reports: true,
        is_read: |t| !t.instance_stat.is_empty(),
    },
    Wanted {
        section: "operating system statistics",
        hides: "whether the CPUs were busy",
        awr_since: (10, 0),
        statspack_since: (10, 0),
        in_database_reports: true,
        in_container_reports: false,
        is_read: |t| !t.os_stat.is_empty() || !t.host_cpu.is_empty(),
    },
    Wanted {
        section: "I/O by function",
        hides: "whether backups or the archiver compete",
        awr_since: (11, 2),
        statspack_since: (11, 1),
        in_database_reports: true,
        in_container_reports: false,
        is_read: |t| !t.io_function.is_empty(),
    },
    Wanted {
        section: "I/O by tablespace or file",
        hides: "which files are slow or busy",
        awr_since: (10, 0),
        statspack_since: (8, 0),
        in_database_reports: false,
        in_container_reports: true,
        is_read: |t| !t.tablespace_io.is_empty() || !t.file_io.is_empty(),
    },
    Wanted {
        section: "statements",
        hides: "which statements cause the load",
        awr_since: (10, 0),
        statspack_since: (8, 0),
        in_database_reports: true,
        in_container_reports: true,
        is_read: |t| !t.sql_stat.is_empty(),
    },
    Wanted {
        section: "segments by physical reads",
        hides: "which tables and indexes are read",
        awr_since: (10, 0),
        statspack_since: NEVER,
        in_database_reports: true,
        in_container_reports: true,
        is_read: |t| t.segment_stat.iter().any(|s| s.ranked_by.contains("read")),
    },
    Wanted {
        section: "parameters",
        hides: "whether direct and asynchronous I/O are on, and how memory is set",
        awr_since: (10, 0),
        statspack_since: (8, 0),
        in_database_reports: true,
        in_container_reports: true,
        is_read: |t| !t.parameter.is_empty(),
    },
];

/// Which sections lack, and what stays open?
///
/// Never a finding: it says what the diagnosis lacks.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let identity = &case.report.identity;
    let statspack = match identity.kind {
        Kind::Awr => false,
        Kind::Statspack => true,
        Kind::Unknown => {
            return Verdict::CannotTell("what report this is, so also which sections it lacks".to_owned());
        }
        // The others are not meant to print these sections.
        _ => return Verdict::NotFound,
    };
    // Without a release, only what all of them print.
    let release = identity.release().unwrap_or(if statspack { (8, 0) } else { (10, 0) });
    let missing: Vec<String> = WANTED
        .iter()
        .filter(|w| release >= if statspack { w.statspack_since } else { w.awr_since })
        .filter(|w| match identity.scope {
            Scope::Instance => true,
            Scope::Database => w.in_database_reports,
            Scope::Container => w.in_container_reports,
        })
        .filter(|w| !(w.is_read)(&case.report.tables))
        .map(|w| format!("{} ({})", w.section, w.hides))
        .collect();
    if missing.is_empty() { Verdict::NotFound } else { Verdict::CannotTell(missing.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{HostCpu, IoActivity, Kind, Scope, SegmentStat, SqlStat, TablespaceIo};

    fn complete() -> Hour {
        Hour::new(7200.0)
            .foreground("db file sequential read", 1e6, 3_000.0)
            .histogram("db file sequential read", &[(Some(1024.0), 1e6)])
            .stat("physical reads", 1e6)
            .parameter("db_block_size", "8192")
            .with(|r| {
                r.tables.host_cpu.push(HostCpu::default());
                r.tables.io_function.push(IoActivity::default());
                r.tables.tablespace_io.push(TablespaceIo::default());
                r.tables.sql_stat.push(SqlStat::default());
                r.tables
                    .segment_stat
                    .push(SegmentStat { ranked_by: "physical_reads", ..SegmentStat::default() });
            })
    }

    #[test]
    fn what_lacks_is_named_with_what_it_hides() {
        complete().not_found(run);
        let missing = complete().with(|r| r.tables.tablespace_io.clear()).missing(run);
        assert_eq!(missing, "I/O by tablespace or file (which files are slow or busy)");
    }

    #[test]
    fn only_what_the_release_and_kind_print_is_asked_for() {
        let nine_i = complete().with(|r| {
            r.identity.kind = Kind::Statspack;
            r.identity.version = Some("9.2.0.5.0".to_owned());
            r.tables.time_model.clear();
            r.tables.wait_histogram.clear();
            r.tables.host_cpu.clear();
            r.tables.io_function.clear();
            r.tables.segment_stat.clear();
        });
        nine_i.not_found(run);
        complete()
            .with(|r| {
                r.identity.scope = Scope::Database;
                r.tables.tablespace_io.clear();
            })
            .not_found(run);
        complete()
            .with(|r| {
                r.identity.kind = Kind::Ash;
                r.tables.wait_event.clear();
            })
            .not_found(run);
    }
}
