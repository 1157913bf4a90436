//! Waits and statements by snapshot, over all instances.
//!
//! `IO-WAIT-HISTOGRAM`: waits below an upper bound in ms, powers of two. `TOP-N-TIMED-EVENTS`: the time
//! is headed seconds and is microseconds (its shares prove it); background waits are in it, so a share
//! may exceed 100. `AVERAGE-ACTIVE-SESSIONS`: sessions by wait class, rounded to hundredths.

use super::blocks::Block;
use super::intervals::{Intervals, count_row};
use crate::names;
use spindle_facts::{
    HistogramBucket, ShareOf, Side, SqlStat, TimeModelRow, WaitClassRow, WaitEvent, WaitHistogram,
};

pub(super) fn read_classes(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut rows = 0;
    for row in &block.rows {
        let (Some(snap), Some(class)) = (block.id(row, "SNAP_ID"), block.text(row, "WAIT_CLASS")) else {
            continue;
        };
        let sessions = block.printed(row, "AVG_SESS");
        let lengths = intervals.lengths(snap);
        if let Some(sessions) = sessions {
            intervals.add_class(snap, class, sessions.value);
        }
        let report = intervals.report(snap, None);
        let section = count_row(report, block);
        // Lengths are whole minutes, rounded or cut: 10.8 minutes stand as 10.
        let seconds = sessions.zip(lengths).map(|(s, of)| {
            let low_s = (s.value - 0.005).max(0.0) * (of.shortest_s - 30.0).max(0.0);
            (s.value * of.mean_s(), low_s, (s.value + 0.005) * (of.longest_s + 60.0))
        });
        report.tables.wait_class.push(WaitClassRow {
            line: row.line,
            section,
            instance_number: None,
            wait_class: class.to_owned(),
            side: Side::All,
            waits: None,
            time_s: seconds.map(|s| s.0),
            time_s_low: seconds.map(|s| s.1),
            time_s_high: seconds.map(|s| s.2),
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        });
        rows += 1;
    }
    rows
}

pub(super) fn read_events(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    const MICROSECONDS: f64 = 1e6;
    let mut rows = 0;
    for row in &block.rows {
        let (Some(snap), Some(event)) = (block.id(row, "SNAP_ID"), block.text(row, "EVENT_NAME")) else {
            continue;
        };
        // Wide times stand with an exponent.
        let time = block.printed(row, "TOTAL_TIME_S");
        let time_s = time.map(|t| t.value / MICROSECONDS);
        let (time_s_low, time_s_high) =
            (time.map(|t| t.low / MICROSECONDS), time.map(|t| t.high / MICROSECONDS));
        let share_pct = block.number(row, "PCTDBT");
        let report = intervals.report(snap, None);
        let section = count_row(report, block);
        rows += 1;
        if event == "DB CPU" {
            report.tables.time_model.push(TimeModelRow {
                line: row.line,
                section,
                instance_number: None,
                statistic: event.to_owned(),
                time_s,
                time_s_low,
                time_s_high,
                share_db_time_pct: share_pct,
            });
            continue;
        }
        let wait_class =
            block.text(row, "WAIT_CLASS").or_else(|| names::wait_class(event)).map(str::to_owned);
        report.tables.wait_event.push(WaitEvent {
            line: row.line,
            section,
            instance_number: None,
            event: event.into(),
            printed_as: None,
            side: Side::All,
            is_idle: wait_class.as_deref() == Some("Idle"),
            wait_class: wait_class.map(Into::into),
            waits: None,
            waits_low: None,
            waits_high: None,
            timeouts: None,
            timeouts_pct: None,
            time_s,
            time_s_low,
            time_s_high,
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            waits_per_txn: None,
            share_pct,
            share_of: share_pct.map(|_| ShareOf::DbTime),
        });
    }
    rows
}

/// Statements of a snapshot, as many as the script kept.
pub(super) fn read_statements(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut rows = 0;
    for row in &block.rows {
        let (Some(snap), Some(sql_id)) = (block.id(row, "SNAP_ID"), block.text(row, "SQL_ID")) else {
            continue;
        };
        let stat = SqlStat {
            line: row.line,
            ranked_by: "elapsed_time",
            sql_id: Some(sql_id.into()),
            plan_hash: block.id(row, "PLAN_HASH"),
            executions: block.number(row, "EXECS"),
            elapsed_s: block.number(row, "ELAP_S"),
            cpu_s: block.number(row, "CPU_T_S"),
            io_wait_s: block.number(row, "IO_WAIT"),
            buffer_gets: block.number(row, "BUFFER_GETS"),
            // Blocks: `READ_MB` over it is the size of a block.
            physical_reads: block.number(row, "PIO"),
            read_bytes: block.number(row, "READ_MB").map(|mb| mb * 1_048_576.0),
            rows_processed: block.number(row, "ROWS_PROC"),
            module: block.text(row, "MODULE").map(Into::into),
            command: block.text(row, "COMMAND_NAME").map(Into::into),
            ..SqlStat::default()
        };
        let report = intervals.report(snap, None);
        let section = count_row(report, block);
        report.tables.sql_stat.push(SqlStat { section, ..stat });
        rows += 1;
    }
    rows
}

pub(super) fn read_histograms(block: &Block<'_>, intervals: &mut Intervals) -> usize {
    let mut rows = 0;
    let mut at = 0;
    while let Some(first) = block.rows.get(at) {
        let key = |row| (block.id(row, "SNAP_ID"), block.text(row, "EVENT_NAME"));
        let (Some(snap), Some(event)) = key(first) else {
            at += 1;
            continue;
        };
        let last = at + block.rows[at..].iter().take_while(|r| key(r) == (Some(snap), Some(event))).count();
        let counts: Option<Vec<(f64, f64, u32)>> = block.rows[at..last]
            .iter()
            .map(|r| {
                let bound = block.number(r, "WAIT_TIME_MILLI").filter(|b| *b >= 1.0)?;
                // A restart makes differences negative: they are no counts.
                let waits = block.number(r, "WAIT_COUNT").filter(|w| *w >= 0.0)?;
                Some((bound, waits, r.line))
            })
            .collect();
        let report = intervals.report(snap, None);
        if let Some(counts) = counts
            && let Some(buckets) = buckets(counts)
        {
            let section = count_row(report, block);
            report.tables.wait_histogram.push(WaitHistogram {
                line: first.line,
                section,
                instance_number: None,
                event: event.into(),
                side: Side::All,
                waits: Some(buckets.iter().map(|b| b.waits).sum()),
                buckets,
            });
            rows += 1;
        }
        at = last.max(at + 1);
    }
    rows
}

/// Buckets without gaps from 0; `None` where bounds repeat, as when rows of several instances mix.
fn buckets(mut counts: Vec<(f64, f64, u32)>) -> Option<Vec<HistogramBucket>> {
    const MS: f64 = 1_000.0;
    counts.sort_by(|a, b| a.0.total_cmp(&b.0));
    if counts.windows(2).any(|w| w[0].0 == w[1].0) || counts.iter().all(|c| c.1 == 0.0) {
        return None;
    }
    let line = counts.first()?.2;
    let bucket = |low: f64, high: f64, waits: f64, line| HistogramBucket {
        low_us: low * MS,
        high_us: Some(high * MS),
        waits,
        waits_low: waits,
        waits_high: waits,
        share_pct: None,
        share_bounds_pct: None,
        line,
    };
    let mut found = Vec::with_capacity(counts.len());
    let (mut low, mut next) = (0.0, 1.0);
    for (bound, waits, own) in counts {
        while next < bound {
            found.push(bucket(low, next, 0.0, line));
            (low, next) = (next, next * 2.0);
        }
        found.push(bucket(low, bound, waits, own));
        (low, next) = (bound, bound * 2.0);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::buckets;

    #[test]
    fn missing_bounds_are_empty_buckets() {
        let found = buckets(vec![(1.0, 5.0, 1), (8.0, 2.0, 2)]).unwrap();
        let shown: Vec<_> = found.iter().map(|b| (b.low_us, b.high_us.unwrap(), b.waits)).collect();
        assert_eq!(shown, [(0.0, 1e3, 5.0), (1e3, 2e3, 0.0), (2e3, 4e3, 0.0), (4e3, 8e3, 2.0)]);
        assert!(buckets(vec![(1.0, 5.0, 1), (1.0, 2.0, 2)]).is_none());
    }
}
