//! Instance activity, absolute values, thread activity.

use crate::block::{Block, Cell, Row};
use crate::style::Style;
use spindle_facts::{InstanceStat, Report};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let stats = &report.tables.instance_stat;
    let diffed: Vec<&InstanceStat> = stats.iter().filter(|s| s.total.is_some() && !is_thread(s)).collect();
    let absolute: Vec<&InstanceStat> = stats.iter().filter(|s| s.total.is_none()).collect();
    let thread: Vec<&InstanceStat> = stats.iter().filter(|s| is_thread(s)).collect();
    vec![
        Block {
            title: "Instance Activity Stats".into(),
            summary: "This table displays Instance activity statistics. For each instance, activity total, activity per second, and activity per transaction are displayed",
            notes: vec!["-> Ordered by statistic name".into()],
            ruled: "Statistic                                     Total     per Second     per Trans\n\
                    -------------------------------- ------------------ -------------- -------------",
            columns: &["Statistic", "Total", "per Second", "per Trans"],
            rows: diffed
                .iter()
                .map(|s| {
                    Row::new(vec![
                        Cell::name(s.statistic.clone()),
                        style.int(s.total),
                        style.fine(s.per_second, 1),
                        style.fine(s.per_transaction, 1),
                    ])
                })
                .collect(),
            new_page: true,
            ..Block::default()
        },
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
    ]
}

fn is_thread(stat: &InstanceStat) -> bool {
    stat.statistic.ends_with("(derived)")
}
