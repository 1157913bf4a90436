//! An interval so long that its averages hide the peaks.
//!
//! # What it detects
//! The snapshots lie more than two hours apart.
//!
//! # Why it costs response time
//! It costs the answer, not the database: every number of a report is a mean over the interval.
//! Users complain of minutes. An hour of trouble in a day is a twenty-fourth of the mean.
//!
//! # Facts needed
//! The snapshot times, or the elapsed time; DB time.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | interval worth a warning | 2 h and 5 minutes | twice the usual hour between snapshots, and their jitter; already an hourly mean of 200 MB/s hid 413 MB/s within a minute |
//! | interval that answers nothing about peaks | 24 h | day and night, batch and users are one mean |
//!
//! # When it is wrong
//! A load that is the same all day (a benchmark, a message queue) has no peaks to hide. Slots of the session history and
//! findings of ADDM for single snapshots tell of peaks, where the report has them: they are named.
//!
//! # What to do
//! Take a report for each pair of neighbouring snapshots of the time in question; give all of them
//! to `spindle diagnose` at once and it picks out the peak. Statspack: take snapshots more often.
//!
//! # SQL to see the evidence
//! ```sql
//! select snap_id, end_interval_time from dba_hist_snapshot order by snap_id; -- needs the Diagnostics Pack
//! select snap_interval, retention from dba_hist_wr_control; -- likewise
//! ```

use crate::{Case, Evidence, Finding, Verdict, words};
use spindle_facts::{Report, Section};

/// Interval worth a warning, seconds.
const LONG_S: f64 = 2.0 * 3600.0 + 300.0;
/// Interval that says nothing about peaks, seconds.
const DAY_S: f64 = 24.0 * 3600.0 - 300.0;

/// Do the snapshots lie too far apart?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let Some(elapsed_s) = case.elapsed_s() else {
        return Verdict::CannotTell("the length of the interval (snapshot times, elapsed time)".to_owned());
    };
    if elapsed_s <= LONG_S {
        return Verdict::NotFound;
    }
    if elapsed_s >= DAY_S {
        return Verdict::CannotTell(format!(
            "shorter intervals: this report averages over {}, so {}; take the snapshots of the hour in question",
            length(elapsed_s),
            match parts_of_interval(case.report) {
                Some(parts) => format!("its numbers show no peaks, of which {parts} alone tells"),
                None => "neither its peaks nor their causes can be seen".to_owned(),
            }
        ));
    }
    let sessions = case.average_active_sessions();
    // What shows the load by parts of the interval makes guesses of it idle.
    let parts = parts_of_interval(case.report);
    let sessions = sessions.filter(|_| parts.is_none());
    let hidden = sessions.map_or(String::new(), |mean| {
        format!(
            "; {} active sessions on average could be {} for one hour",
            words::significant(mean),
            words::significant(mean * elapsed_s / 3600.0)
        )
    });
    Verdict::Found(Finding {
        title: match &parts {
            Some(parts) => {
                format!("The numbers of an interval of {} show no peaks; {parts} does", length(elapsed_s))
            }
            None => format!("The interval of {} hides its peaks{hidden}", length(elapsed_s)),
        },
        evidence: vec![Evidence {
            table: "report",
            line: 1,
            section: "report header".to_owned(),
            text: interval(case, elapsed_s),
            ..Evidence::default()
        }],
        actions: vec![
            "Take a report for each pair of neighbouring snapshots of the time in question, and give all of them at \
             once"
                .to_owned(),
        ],
        caveat: "A load that is the same all the time has no peaks to hide".to_owned(),
        ..Finding::default()
    })
}

/// The section that tells of parts of the interval, where the report has one: slots of the session history, else what
/// ADDM found in single snapshots. `"Activity Over Time"`.
#[must_use]
pub fn parts_of_interval(report: &Report) -> Option<String> {
    let read = |s: &&Section| s.rows > 0;
    let titled =
        |begin: &str| report.sections.iter().filter(read).find(|s| s.title.trim().starts_with(begin));
    let section = titled("Activity Over Time").or_else(|| titled("Top ADDM Findings"))?;
    Some(format!("\"{}\" (line {})", section.title.trim(), section.line))
}

fn interval(case: &Case<'_>, elapsed_s: f64) -> String {
    let identity = &case.report.identity;
    match (&identity.begin_time, &identity.end_time) {
        (Some(begin), Some(end)) => format!("from {begin} to {end}: {}", length(elapsed_s)),
        _ => format!("elapsed: {}", length(elapsed_s)),
    }
}

/// `3.5 hours`, `8.2 days`.
fn length(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    if hours < 48.0 {
        format!("{} hours", words::significant(hours))
    } else {
        format!("{} days", words::significant(hours / 24.0))
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::Section;

    fn hours(n: f64) -> Hour {
        Hour::new(3.0 * 3600.0).with(|r| r.identity.elapsed_s = Some(n * 3600.0))
    }

    #[test]
    fn more_than_two_hours_hide_peaks() {
        let found = hours(3.0).found(run);
        assert_eq!(
            found.title,
            "The interval of 3 hours hides its peaks; 1 active sessions on average could be 3 for one hour"
        );
        assert!(!found.storage && found.claims.is_empty());
        hours(2.1).found(run);
        hours(2.05).not_found(run);
    }

    #[test]
    fn a_day_and_more_answers_nothing_about_peaks() {
        assert!(hours(24.0).missing(run).contains("24 hours"));
        assert!(hours(153.0 * 24.0).missing(run).contains("153 days"));
        hours(23.0).found(run);
    }

    /// "Neither peaks nor their causes can be seen" and "14.2 active sessions could be 56.8 for one hour", beside ten slots
    /// that show an even load, and beside findings of ADDM for single quarters of an hour.
    #[test]
    fn peaks_that_another_section_shows_could_not_be_seen() {
        let with = |n: f64, title: &str| {
            hours(n).with(|r| {
                let section = Section {
                    title: title.to_owned(),
                    line: 4318,
                    rows: 10,
                    ..r.sections.first().cloned().unwrap_or_else(|| unreachable!("hours have one"))
                };
                r.sections.push(section);
            })
        };
        let found = with(4.0, "Activity Over Time").found(run);
        let title =
            "The numbers of an interval of 4 hours show no peaks; \"Activity Over Time\" (line 4318) does";
        assert_eq!(found.title, title);
        let missing = with(72.0, "Top ADDM Findings by Average Active Sessions").missing(run);
        assert!(
            missing.contains("\"Top ADDM Findings by Average Active Sessions\" (line 4318) alone"),
            "{missing}"
        );
        assert!(!missing.contains("nor their causes"), "{missing}");
    }

    #[test]
    fn without_times_it_cannot_tell() {
        assert!(
            Hour::new(60.0)
                .with(|r| r.identity.elapsed_s = None)
                .missing(run)
                .contains("length of the interval")
        );
    }
}
