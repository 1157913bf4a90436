//! A wait class that is printed with far more time than the events that were read account for.
//!
//! `Wait Classes by Total Wait Time` counts every process. Where background processes or backups waited longer than
//! sessions worked, the list of the foreground shows nothing of it, and a reader of the answer should know.

use crate::outcome::ResponseTime;
use crate::rules::SESSIONS;
use crate::words;
use spindle_facts::{Kind, Report, Side};

/// From this share of DB time on, percent, waits that no event accounts for are said.
const MUCH_PCT: f64 = 25.0;

/// The largest class that no event accounts for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Beside {
    wait_class: String,
    /// As printed, seconds.
    printed_s: f64,
    /// Without the events of both sides that were read, seconds.
    seconds: f64,
    section: String,
    line: u32,
    /// Of DB time, percent.
    pct: f64,
}

impl Beside {
    /// In a sentence.
    pub(crate) fn said(&self) -> String {
        let part = if self.seconds < 0.99 * self.printed_s {
            format!("{} of the {}", words::seconds(self.seconds), words::seconds(self.printed_s))
        } else {
            words::seconds(self.printed_s)
        };
        format!(
            "{part} of {} waits in \"{}\" (line {}), {} as much as DB time, are in no event that was read: the section \
             counts background processes, and backups, too.",
            self.wait_class,
            self.section,
            self.line,
            words::percent(self.pct)
        )
    }
}

/// The largest wait class of all processes of which the events that were read hold little; `None` where there is none
/// worth a word. Background processes wait for system I/O all the time, so that class is left out.
pub(crate) fn beside(report: &Report, response_time: &ResponseTime) -> Option<Beside> {
    // The classes of other kinds are those of sessions.
    matches!(report.identity.kind, Kind::Awr | Kind::Unknown).then_some(())?;
    let db_time_s = response_time.foreground.db_time_s.filter(|s| *s > 0.0)?;
    // Of a database that does next to nothing this is no word.
    let elapsed_s = report.identity.elapsed_s.unwrap_or(0.0);
    let sides = [&response_time.foreground, &response_time.background];
    let read_s = |wait_class: &str| -> f64 {
        let classes = sides.iter().flat_map(|side| &side.classes);
        classes.filter(|c| c.wait_class == wait_class).map(|c| c.printed_s).sum()
    };
    let rows = report.tables.wait_class.iter();
    let rows = rows.filter(|r| r.side == Side::All && r.instance_number.is_none());
    let found = rows.filter(|r| !["DB CPU", "Idle", "System I/O"].contains(&r.wait_class.as_str()));
    found
        .filter_map(|row| {
            let printed_s = row.time_s.filter(|s| s.is_finite())?;
            let seconds = printed_s - read_s(&row.wait_class);
            let pct = 100.0 * seconds / db_time_s;
            (pct >= MUCH_PCT && seconds > 0.5 * printed_s && seconds >= SESSIONS * elapsed_s).then(|| {
                Beside {
                    wait_class: row.wait_class.clone(),
                    printed_s,
                    seconds,
                    section: report.section_title(row.section).to_owned(),
                    line: row.line,
                    pct,
                }
            })
        })
        .max_by(|a, b| a.seconds.total_cmp(&b.seconds))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::Hour;
    use crate::{Diagnosis, Options, diagnose};
    use spindle_facts::{Side, WaitClassRow};

    fn class(wait_class: &str, seconds: f64) -> WaitClassRow {
        WaitClassRow {
            line: 85,
            section: 0,
            instance_number: None,
            wait_class: wait_class.to_owned(),
            side: Side::All,
            waits: Some(1e6),
            time_s: Some(seconds),
            time_s_low: Some(seconds - 0.5),
            time_s_high: Some(seconds + 0.5),
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        }
    }

    fn diagnosed(backup_s: f64) -> Diagnosis {
        let hour = Hour::new(41_867.0).top("DB CPU", None, 30_800.0).top(
            "db file sequential read",
            Some(3e6),
            2_000.0,
        );
        let hour = hour.with(|r| {
            r.tables.time_model.clear();
            let cpu = &mut r.tables.top_event[0];
            (cpu.time_s_low, cpu.time_s_high) = (Some(30_750.0), Some(30_850.0));
            r.tables.wait_class = vec![
                class("Administrative", backup_s),
                class("DB CPU", 30_829.0),
                class("User I/O", 2_100.0),
            ];
        });
        diagnose(&hour.report, &Options::default())
    }

    /// 36,275 s of Administrative waits, more than CPU, were in no answer, chart or remark.
    #[test]
    fn the_largest_wait_class_of_the_report_was_not_mentioned() {
        let diagnosis = diagnosed(36_275.0);
        for text in
            [&diagnosis.answer, diagnosis.response_time.foreground.remark.as_ref().unwrap_or(&String::new())]
        {
            assert!(text.contains("36,275 s of Administrative waits") && text.contains("87 %"), "{text}");
        }
        assert!(!diagnosed(3_000.0).answer.contains("Administrative"));
    }

    /// `30.8K` of the top events was used beside `30,829` among the wait classes.
    #[test]
    fn cpu_with_fewer_digits_was_used() {
        assert_eq!(diagnosed(0.0).response_time.foreground.cpu_s, Some(30_829.0));
    }
}
