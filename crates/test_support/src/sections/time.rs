//! Time model and operating system statistics.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::Report;

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    vec![time_model(report, style), os_statistics(report, style), os_detail(report, style)]
}

pub(super) fn time_model(report: &Report, style: &Style) -> Block {
    // From 12.1: the share in CPU time of all processes.
    let three = style.release >= Release::V12_1;
    let time =
        |name: &str| report.tables.time_model.iter().find(|r| r.statistic == name).and_then(|r| r.time_s);
    let cpu_s = time("DB CPU").zip(time("background cpu time")).map(|(fg, bg)| fg + bg).filter(|t| *t > 0.0);
    let db_time = report.identity.db_time_s.map(|s| style.plain(Some(s), 1)).unwrap_or(Cell::Blank);
    Block {
        title: "Time Model Statistics".into(),
        summary: "This table displays different time model statistics. For each statistic, time and % of DB time are displayed",
        notes: vec![
            format!("-> Total time in database user-calls (DB Time): {}s", db_time.text()),
            "-> Statistics including the word \"background\" measure background process".into(),
            "   time, and so do not contribute to the DB time statistic".into(),
            "-> Ordered by % or DB time desc, Statistic name".into(),
        ],
        ruled: if three {
            "                                                                % of  % of Total\n\
             Statistic Name                                       Time (s) DB Time   CPU Time\n\
             ------------------------------------------ ------------------ ------- ----------"
        } else {
            "Statistic Name                                       Time (s) % of DB Time\n\
             ------------------------------------------ ------------------ ------------"
        },
        columns: if three {
            &["Statistic Name", "Time (s)", "% of DB Time", "% of Total CPU Time"]
        } else {
            &["Statistic Name", "Time (s)", "% of DB Time"]
        },
        rows: report
            .tables
            .time_model
            .iter()
            .map(|r| {
                let mut cells = vec![
                    Cell::name(r.statistic.clone()),
                    style.fine(r.time_s, 1),
                    style.short_pct(r.share_db_time_pct),
                ];
                if three {
                    let is_cpu = matches!(r.statistic.as_str(), "DB CPU" | "background cpu time");
                    let share = cpu_s.zip(r.time_s).filter(|_| is_cpu).map(|(all, t)| 100.0 * t / all);
                    cells.push(style.short_pct(share));
                }
                Row::new(cells)
            })
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

fn os_statistics(report: &Report, style: &Style) -> Block {
    Block {
        title: "Operating System Statistics".into(),
        summary: "This table displays operating systems statistics. For each statistic, actual value is displayed. If the end value is different, it is also displayed",
        notes: vec![
            "-> *TIME statistic values are diffed.".into(),
            "   All others display actual values.  End Value is displayed if different".into(),
            "-> ordered by statistic type (CPU Use, Virtual Memory, Hardware Config), Name".into(),
        ],
        ruled: "Statistic                                  Value        End Value\n\
                ------------------------- ---------------------- ----------------",
        columns: &["Statistic", "Value", "End Value"],
        rows: report
            .tables
            .os_stat
            .iter()
            .map(|r| {
                Row::new(vec![Cell::name(r.statistic.clone()), style.int(r.value), style.int(r.end_value)])
            })
            .collect(),
        ..Block::default()
    }
}

fn os_detail(report: &Report, style: &Style) -> Block {
    let id = &report.identity;
    let short = |iso: &Option<String>| {
        let date = style.date(iso.as_deref().unwrap_or(""));
        let (day, time) = date.split_once(' ').unwrap_or((&date, ""));
        format!("{} {time}", day.rsplit_once('-').map_or(day, |(d, _)| d))
    };
    let na = || Cell::Number("N/A".into());
    let rows = report.tables.host_cpu.first().map_or(Vec::new(), |h| {
        vec![
            Row::new(vec![
                Cell::name(short(&id.begin_time)),
                style.fine(h.load_begin, 1),
                na(),
                na(),
                na(),
                na(),
                na(),
            ]),
            Row::new(vec![
                Cell::name(short(&id.end_time)),
                style.fine(h.load_end, 1),
                style.fine(h.idle_pct.map(|i| 100.0 - i), 1),
                style.fine(h.user_pct, 1),
                style.fine(h.system_pct, 1),
                style.fine(h.idle_pct, 1),
                style.fine(h.io_wait_pct, 1),
            ]),
        ]
    });
    Block {
        title: "Operating System Statistics - Detail".into(),
        summary: "This table displays some detailed operating systems statistics. load, % busy , % user, % sys, % idle, % iowait are displayed for begin and end snap time",
        ruled: "Snap Time           Load    %busy    %user     %sys    %idle  %iowait\n\
                --------------- -------- -------- -------- -------- -------- --------",
        columns: &["Snap Time", "Load", "%busy", "%user", "%sys", "%idle", "%iowait"],
        rows,
        ..Block::default()
    }
}
