//! Facts that a release has no place for, taken out of facts of any release.

use crate::style::Release;
use spindle_facts::{Kind, Metric, Report, ShareOf, Side, SmolStr, SqlStat, WaitEvent};

/// Leaves of an AWR report what this release prints.
pub(crate) fn leave_out(report: &mut Report, release: Release) {
    let tables = &mut report.tables;
    if release < Release::V11_2_0_3 {
        tables.io_function.clear();
        tables.io_filetype.clear();
        tables.io_function_filetype.clear();
        tables.sql_stat.retain(|s| s.ranked_by != "user_io_wait_time");
        tables
            .segment_stat
            .retain(|s| !s.ranked_by.contains("request") && !s.ranked_by.contains("optimized"));
        // What never ran is not ordered by executions.
        tables.sql_stat.retain(|s| s.ranked_by != "executions" || s.executions != Some(0.0));
        for advice in &mut tables.db_cache_advice {
            (advice.estimated_read_time_s, advice.estimated_db_time_pct) = (None, None);
        }
    }
    if release < Release::V11_1 {
        awr_10_2(report);
    }
}

/// Leaves out what a report cannot say of an interval with a restart in it: its times and every rate.
pub(crate) fn leave_out_times(report: &mut Report) {
    let id = &mut report.identity;
    id.spans_restart = true;
    (id.elapsed_s, id.begin_time, id.end_time) = (None, None, None);
    (id.begin_sessions, id.end_sessions) = (None, None);
    let tables = &mut report.tables;
    for row in &mut tables.load_profile {
        row.per_second = None;
    }
    for stat in &mut tables.instance_stat {
        stat.per_second = None;
    }
    let files = tables.file_io.iter_mut().map(|f| &mut f.io);
    for io in tables.tablespace_io.iter_mut().chain(files) {
        (io.reads_per_s, io.writes_per_s, io.one_block_reads_per_s) = (None, None, None);
    }
}

fn awr_10_2(report: &mut Report) {
    let id = &mut report.identity;
    (id.platform, id.cpus, id.cores, id.sockets, id.memory_bytes) = (None, None, None, None, None);
    id.startup_time = None;
    let tables = &mut report.tables;
    both_sides(&mut tables.wait_event);
    for event in &mut tables.wait_event {
        // Blank is truly none.
        event.timeouts_pct = event.timeouts_pct.filter(|pct| *pct > 0.0);
        event.share_pct = None;
    }
    tables.wait_class.retain(|c| c.side == Side::All && c.wait_class != "DB CPU");
    for event in &mut tables.top_event {
        event.share_of = Some(ShareOf::TotalCallTime);
        if event.event == "DB CPU" {
            event.event = "CPU time".to_owned();
        }
    }
    // Beside CPU time stands the share of DB time that elapsed.
    tables.sql_stat.iter_mut().filter(|s| s.ranked_by == "cpu_time").for_each(|s| s.share_pct = None);
    tables.wait_histogram.clear();
    tables.load_profile.retain(|r| r.known != Some(Metric::DbTime));
    for row in &mut tables.load_profile {
        (row.per_exec, row.per_call) = (None, None);
    }
    tables.host_cpu.clear();
    tables.memory_stat.clear();
    let kept = ["logical_reads", "physical_reads", "row_lock_waits", "itl_waits", "buffer_busy_waits"];
    tables.segment_stat.retain(|s| kept.contains(&s.ranked_by));
}

/// One table of the waits of both sides, then that of the background.
pub(crate) fn both_sides(events: &mut Vec<WaitEvent>) {
    let mut both = events.clone();
    for event in &mut both {
        event.side = Side::All;
    }
    events.retain(|e| e.side == Side::Background);
    events.splice(0..0, both);
}

/// Makes a Statspack report of this release of an AWR report: what it has no place for goes, statements are named
/// by their old hash.
pub(crate) fn as_statspack(report: &mut Report, release: Release) {
    report.identity.kind = Kind::Statspack;
    // Printed among the sizes of caches, which are not made up here, but for 8i.
    report.identity.block_size_bytes = (release == Release::V8_1).then_some(8_192);
    leave_out_of_statspack(report, release);
    let tables = &mut report.tables;
    // Level 7 of 11g prints two rankings; statements stand under five.
    tables.segment_stat.retain(|s| matches!(s.ranked_by, "logical_reads" | "physical_reads"));
    // 10.1 prints an order by executions that no report at hand shows.
    let ranked: &[&str] = match release {
        Release::V10_1 => &["buffer_gets", "physical_reads"],
        Release::V8_1 | Release::V9_2 => &["buffer_gets", "physical_reads", "executions"],
        _ => &["cpu_time", "elapsed_time", "buffer_gets", "physical_reads", "executions"],
    };
    // What never ran is not ordered by executions.
    let runs = |s: &SqlStat| s.ranked_by != "executions" || s.executions != Some(0.0);
    tables.sql_stat.retain(|s| ranked.contains(&s.ranked_by) && runs(s));
    tables.sql_stat.sort_by_key(|s| ranked.iter().position(|r| *r == s.ranked_by));
    let hash_of = |sql_id: &Option<SmolStr>| {
        sql_id
            .as_ref()
            .map(|id| 1_000_000_000 + id.bytes().fold(7, |h: u64, b| (h * 31 + u64::from(b)) % 900_000_000))
    };
    for stat in &mut tables.sql_stat {
        if release == Release::V8_1 {
            stat.module = None;
        }
        (stat.old_hash, stat.sql_id) = (hash_of(&stat.sql_id), None);
    }
    for text in &mut tables.sql_text {
        (text.old_hash, text.sql_id) = (hash_of(&text.sql_id), None);
    }
}

/// Leaves of a Statspack report what this release prints.
fn leave_out_of_statspack(report: &mut Report, release: Release) {
    let id = &mut report.identity;
    let tables = &mut report.tables;
    tables.wait_class.clear();
    // What is printed for it is none.
    for row in &mut tables.io_function {
        row.avg_wait_us = None;
    }
    for event in &mut tables.wait_event {
        event.share_of = None;
    }
    for event in &mut tables.top_event {
        let early = release < Release::V9_2;
        event.share_of = Some(if early { ShareOf::TotalWaitTime } else { ShareOf::TotalCallTime });
        if event.event == "DB CPU" {
            event.event = "CPU time".to_owned();
        }
    }
    if release >= Release::V11_1 {
        return;
    }
    // The first pages say less, and the waits of both sides stand in one table.
    (id.platform, id.sockets) = (None, None);
    both_sides(&mut tables.wait_event);
    for event in &mut tables.wait_event {
        event.share_pct = None;
        if release < Release::V10_2 {
            event.timeouts = event.timeouts_pct.zip(event.waits).map(|(pct, w)| (w * pct / 100.0).round());
            event.timeouts_pct = None;
        }
    }
    tables.load_profile.retain(|r| r.known != Some(Metric::DbTime));
    for row in &mut tables.load_profile {
        (row.per_exec, row.per_call) = (None, None);
    }
    tables.segment_stat.clear();
    tables.db_cache_advice.clear();
    if release < Release::V10_2 {
        (id.cpus, id.memory_bytes) = (None, None);
    }
    if release < Release::V10_1 {
        id.db_time_s = None;
        tables.wait_histogram.clear();
        tables.time_model.clear();
        tables.os_stat.clear();
    }
    if release < Release::V9_2 {
        // CPU is no wait, and nobody times statements.
        tables.top_event.retain(|e| e.event != "CPU time");
        tables.pga_advice.clear();
    }
}
