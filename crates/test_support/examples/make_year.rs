//! Writes a history: `make_year FOLDER REPORTS` prints so many hourly AWR reports of one instance, of
//! about 1.5 MB each, whose load follows the hour of the day and the day of the week. For measuring.

use spindle_facts::{FileIo, Layout, Report, SqlText, epoch_s};
use spindle_test_support::{Release, Style, cases, render};
use std::path::Path;

/// First snapshot: midnight of a Sunday.
const FIRST: &str = "2023-01-01T00:00:00";
const HOUR_S: i64 = 3_600;
/// What makes a report as long as those of busy databases.
const FILES: usize = 1_400;
const TEXTS: usize = 220;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, reports] = arguments.as_slice() else {
        return Err("usage: make_year FOLDER REPORTS".into());
    };
    let (folder, reports): (&Path, i64) = (Path::new(folder), reports.parse()?);
    std::fs::create_dir_all(folder)?;
    let base = long();
    let style = Style::new(Release::V11_2_0_3, Layout::Html);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as i64);
    std::thread::scope(|scope| {
        let write = |from: i64| -> std::io::Result<()> {
            for hour in (from..reports).step_by(usize::try_from(threads).unwrap_or(1)) {
                let text = render(&at(&base, hour), &style);
                std::fs::write(folder.join(format!("awrrpt_1_{}_{}.html", 1000 + hour, 1001 + hour)), text)?;
            }
            Ok(())
        };
        let workers: Vec<_> = (0..threads).map(|n| scope.spawn(move || write(n))).collect();
        workers
            .into_iter()
            .try_for_each(|w| w.join().unwrap_or_else(|_| Err(std::io::Error::other("a writer failed"))))
    })?;
    Ok(())
}

/// A report with as many files and as much text as those of busy databases.
fn long() -> Report {
    let mut report = cases::warehouse().swap_remove(0);
    let tables = &mut report.tables;
    if let Some(file) = tables.file_io.first().cloned() {
        for n in 0..FILES {
            let mut one: FileIo = file.clone();
            one.file = format!("+DATA/dwh/datafile/space_{:03}.{}.7{n:07}", n % 120, 260 + n);
            one.io.tablespace = format!("SPACE_{:03}", n % 120);
            tables.file_io.push(one);
        }
    }
    if let Some(text) = tables.sql_text.first().cloned() {
        for n in 0..TEXTS {
            let columns: Vec<String> =
                (0..90).map(|c| format!("sum(f.measure_{n}_{c}) as total_{c}")).collect();
            let words = format!(
                "select {} from fact_{n} f join dimension_{n} d on d.id = f.dimension_id where d.name < :b1 group by d.name",
                columns.join(", ")
            );
            tables.sql_text.push(SqlText {
                sql_id: Some(format!("{n:05}abcdefgh").into()),
                text: words,
                ..text.clone()
            });
        }
    }
    report
}

/// The report of an hour: its times, and its load by the clock.
fn at(base: &Report, hour: i64) -> Report {
    let mut report = base.clone();
    let begin = epoch_s(Some(FIRST)).unwrap_or(0) + hour * HOUR_S;
    let id = &mut report.identity;
    (id.begin_time, id.end_time) = (Some(iso(begin)), Some(iso(begin + HOUR_S)));
    id.elapsed_s = Some(HOUR_S as f64);
    (id.begin_snap, id.end_snap) = (u64::try_from(1000 + hour).ok(), u64::try_from(1001 + hour).ok());
    let of_day = (hour % 24) as f64;
    let weekend = matches!(hour / 24 % 7, 0 | 6);
    let wave = 1.0 + 0.8 * ((of_day - 4.0) / 24.0 * std::f64::consts::TAU).sin();
    // A small generator of its own: the same hours in every run.
    let noise = ((hour * 2_654_435_761) % 1_000) as f64 / 1_000.0;
    let factor = wave * if weekend { 0.4 } else { 1.0 } * (0.8 + 0.4 * noise);
    for stat in &mut report.tables.instance_stat {
        if stat.statistic.starts_with("physical") || stat.statistic.starts_with("redo") {
            stat.total = stat.total.map(|t| (t * factor).round());
            stat.per_second = stat.total.map(|t| t / HOUR_S as f64);
        }
    }
    report
}

/// ISO 8601 without zone.
fn iso(epoch: i64) -> String {
    let (days, seconds) = (epoch.div_euclid(86_400), epoch.rem_euclid(86_400));
    let (mut year, mut day) = (1970, days);
    let leap = |y: i64| y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    while day >= 365 + i64::from(leap(year)) {
        day -= 365 + i64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while month < 11 && day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (seconds / 3_600, seconds % 3_600 / 60, seconds % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}", month + 1, day + 1)
}
