//! Instance activity, absolute values, thread activity.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{InstanceStat, Report};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let stats = &report.tables.instance_stat;
    let diffed: Vec<&InstanceStat> = stats.iter().filter(|s| s.total.is_some() && !is_thread(s)).collect();
    let absolute: Vec<&InstanceStat> = stats.iter().filter(|s| s.total.is_none()).collect();
    let thread: Vec<&InstanceStat> = stats.iter().filter(|s| is_thread(s)).collect();
    let (key, other): (Vec<_>, Vec<_>) = diffed
        .into_iter()
        .partition(|s| style.release >= Release::V11_2_0_4 && KEY_STATISTICS.contains(&s.statistic.as_str()));
    let mut out = Vec::new();
    if style.release >= Release::V11_2_0_4 {
        out.push(totals("Key Instance Activity Stats", &key, style));
    }
    let rest = if style.release == Release::V11_2_0_4 {
        "Other Instance Activity Stats"
    } else {
        "Instance Activity Stats"
    };
    out.push(totals(rest, &other, style));
    out.extend([
        Block {
            title: "Instance Activity Stats - Absolute Values".into(),
            summary: "This table displays absolute values of instance-related features. For each instance, activity begin value and end value are displayed",
            notes: vec!["-> Statistics with absolute values (should not be diffed)".into()],
            ruled: "Statistic                            Begin Value       End Value\n\
                    -------------------------------- --------------- ---------------",
            columns: &["Statistic", "Begin Value", "End Value"],
            rows: absolute
                .iter()
                .map(|s| {
                    Row::new(vec![
                        Cell::name(s.statistic.clone()),
                        style.int(s.begin_value),
                        style.int(s.end_value),
                    ])
                })
                .collect(),
            new_page: true,
            ..Block::default()
        },
        Block {
            title: "Instance Activity Stats - Thread Activity".into(),
            summary: "This table displays thread activity stats in the instance. For each activity , total number of activity and activity per hour are displayed",
            notes: vec![
                "-> Statistics identified by '(derived)' come from sources other than SYSSTAT".into(),
            ],
            ruled: "Statistic                                     Total  per Hour\n\
                    -------------------------------- ------------------ ---------",
            columns: &["Statistic", "Total", "per Hour"],
            rows: thread
                .iter()
                .map(|s| {
                    let per_hour = s.total.zip(report.identity.elapsed_s).map(|(t, e)| t * 3600.0 / e);
                    Row::new(vec![
                        Cell::name(s.statistic.clone()),
                        style.int(s.total),
                        style.num(per_hour, 2),
                    ])
                })
                .collect(),
            ..Block::default()
        },
    ]);
    out
}

/// What 11.2.0.4 and later print in a table of their own before the rest.
const KEY_STATISTICS: [&str; 14] = [
    "db block changes",
    "execute count",
    "logons cumulative",
    "opened cursors cumulative",
    "parse count (total)",
    "parse time elapsed",
    "physical reads",
    "physical writes",
    "redo size",
    "session cursor cache hits",
    "session logical reads",
    "user calls",
    "user commits",
    "workarea executions - optimal",
];

fn totals(title: &str, stats: &[&InstanceStat], style: &Style) -> Block {
    let rows = stats.iter().map(|s| {
        Row::new(vec![
            Cell::name(s.statistic.clone()),
            style.int(s.total),
            style.fine(s.per_second, 1),
            style.fine(s.per_transaction, 1),
        ])
    });
    Block {
        title: title.to_owned(),
        summary: match title.split(' ').next() {
            Some("Key") => {
                "This table displays Key Instance activity statistics. For each instance, activity total, activity per second, and activity per transaction are displayed"
            }
            Some("Other") => {
                "This table displays non-key Instance activity statistics. For each instance, activity total, activity per second, and activity per transaction are displayed"
            }
            _ => {
                "This table displays Instance activity statistics. For each instance, activity total, activity per second, and activity per transaction are displayed"
            }
        },
        notes: vec!["-> Ordered by statistic name".into()],
        ruled: "Statistic                                     Total     per Second     per Trans\n\
                -------------------------------- ------------------ -------------- -------------",
        columns: &["Statistic", "Total", "per Second", "per Trans"],
        rows: rows.collect(),
        new_page: true,
        ..Block::default()
    }
}

fn is_thread(stat: &InstanceStat) -> bool {
    stat.statistic.ends_with("(derived)")
}
