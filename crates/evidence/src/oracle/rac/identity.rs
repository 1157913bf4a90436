//! Database, snapshots and instances of a RAC-global report.
//!
//! Printed as `Database Summary` and `Database Instances Included In Report`. Minutes carry two
//! decimals; every instance has snapshot times of its own, so the interval runs from the first to
//! the last of them and its length is the one printed for the report.

use crate::grid::Grid;
use crate::oracle::context::Context;
use crate::oracle::time;
use spindle_facts::Scope;

pub(super) fn read_database(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    if grid.is_empty() {
        return 0;
    }
    let yes = |text: Option<String>| text.map(|t| t.eq_ignore_ascii_case("yes"));
    let database = |keys: &[&str]| grid.column_in("database", keys);
    let name = context.text(grid, 0, database(&["name"]));
    let id = context.id(grid, 0, database(&["id"]));
    let role = context.text(grid, 0, database(&["role"]));
    let rac = yes(context.text(grid, 0, database(&["rac"])));
    let cdb = yes(context.text(grid, 0, database(&["cdb"])));
    let block = context.id(grid, 0, grid.column(&["blocksize"]));
    let begin = context.id(grid, 0, grid.column_in("snapshot", &["begin"]));
    let end = context.id(grid, 0, grid.column_in("snapshot", &["end"]));
    let instances = context.id(grid, 0, grid.column_in("instances", &["inreport"]));
    let db_time = context.number(grid, 0, grid.column(&["dbtime"]), crate::cell::Unit::Count);
    let elapsed = context.count(grid, 0, grid.column(&["elapsedtime"]));
    let identity = &mut context.report.identity;
    identity.scope = Scope::Database;
    identity.db_name = name.or(identity.db_name.take());
    identity.db_id = id.or(identity.db_id);
    identity.role = role.or(identity.role.take());
    // A database of one instance may say NO although the report is the RAC one.
    identity.rac = rac.or(identity.rac);
    identity.cdb = cdb.or(identity.cdb);
    identity.block_size_bytes = block.or(identity.block_size_bytes);
    identity.begin_snap = begin.or(identity.begin_snap);
    identity.end_snap = end.or(identity.end_snap);
    identity.instances = instances.and_then(|i| u32::try_from(i).ok());
    if let Some(minutes) = elapsed {
        identity.elapsed_s = Some(minutes * 60.0);
    }
    if let Some(minutes) = db_time {
        identity.db_time_s = Some(minutes.value * 60.0);
        identity.db_time_s_low = Some(minutes.low * 60.0);
        identity.db_time_s_high = Some(minutes.high * 60.0);
    }
    1
}

pub(crate) fn read_instances(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let at = |keys: &[&str]| grid.column(keys);
    let mut rows = 0;
    let mut hosts: Vec<String> = Vec::new();
    for row in 0..grid.len() {
        if context.instance(grid, row).is_none() {
            continue;
        }
        let when = |keys: &[&str]| grid.cell(row, at(keys)).and_then(time::parse).map(|t| t.to_string());
        let (begin, end, start) = (when(&["beginsnaptime"]), when(&["endsnaptime"]), when(&["startup"]));
        let version = context.text(grid, row, at(&["release"]));
        let platform = context.text(grid, row, at(&["platform"]));
        if let Some(host) = context.text(grid, row, at(&["host"]))
            && !hosts.contains(&host)
        {
            hosts.push(host);
        }
        let restarted = start.as_ref().zip(begin.as_ref()).is_some_and(|(s, b)| s > b);
        let identity = &mut context.report.identity;
        identity.version = identity.version.take().or(version);
        identity.platform = identity.platform.take().or(platform);
        // ISO 8601 sorts as text.
        identity.begin_time = earlier(identity.begin_time.take(), begin, true);
        identity.end_time = earlier(identity.end_time.take(), end, false);
        if restarted {
            identity.spans_restart = true;
            context.note(
                Some(grid.row_line(row)),
                "an instance started after the begin snapshot of the interval".to_owned(),
                "its totals cover only the time since its start: sums over instances are too low",
            );
        }
        rows += 1;
    }
    let identity = &mut context.report.identity;
    if identity.instances.is_none() {
        identity.instances = Some(rows);
    }
    if let [host] = hosts.as_slice() {
        identity.host = Some(host.clone());
    }
    rows
}

fn earlier(a: Option<String>, b: Option<String>, first: bool) -> Option<String> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if (a < b) == first { a } else { b }),
        (a, b) => a.or(b),
    }
}
