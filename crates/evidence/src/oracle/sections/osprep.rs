//! Identity in Statspack pages that OSPRep makes.
//!
//! Printed as `Common Instance Information` (label, value) and `SnapShot Info` (Start, End, and the
//! elapsed minutes in a cell of their own). The database is named in the page's heading.

use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use crate::oracle::time;

pub(crate) const INSTANCE_TITLES: &[&str] = &["commoninstanceinformation"];
pub(crate) const SNAPSHOT_TITLES: &[&str] = &["snapshotinfo"];

pub(crate) fn read_instance(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(label), Some(value)) =
            (grid.cell(row, Some(0)).map(fold), context.text(grid, row, Some(1)))
        else {
            continue;
        };
        let heading = context.report.sections.first().map(|s| s.title.clone()).unwrap_or_default();
        let identity = &mut context.report.identity;
        match label.as_str() {
            "hostname" => identity.host = Some(value),
            "instance" => identity.instance = Some(value),
            "version" => identity.version = Some(value),
            "cluster" => identity.rac = Some(value.eq_ignore_ascii_case("yes")),
            "startup/uptime" => {
                let start = value.split(" / ").next().and_then(time::parse);
                identity.startup_time = start.map(|t| t.to_string());
            }
            _ => continue,
        }
        if identity.db_name.is_none() {
            identity.db_name = heading.rsplit(" for ").next().map(str::trim).map(str::to_owned);
        }
        rows += 1;
    }
    rows
}

pub(crate) fn read_snapshots(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let id = grid.column(&["snapid"]);
    let at = grid.column(&["snaptime"]);
    let sessions = grid.column(&["sessions"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, Some(0)).map(str::to_owned) else { continue };
        let snap = context.id(grid, row, id);
        let when = grid.cell(row, at).and_then(time::parse).map(|t| t.to_string());
        let count = context.count(grid, row, sessions);
        let identity = &mut context.report.identity;
        if let Some(elapsed) = label.strip_prefix("Elapsed:") {
            let minutes = elapsed.trim().trim_end_matches("min").trim().replace(',', "").parse::<f64>().ok();
            identity.elapsed_s = minutes.map(|m| m * 60.0);
        } else if label == "Start" {
            (identity.begin_snap, identity.begin_time, identity.begin_sessions) = (snap, when, count);
        } else if label == "End" {
            (identity.end_snap, identity.end_time, identity.end_sessions) = (snap, when, count);
        } else {
            continue;
        }
        rows += 1;
    }
    rows
}
