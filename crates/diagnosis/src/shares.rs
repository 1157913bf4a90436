//! Seconds of rows that print a share and no seconds (`####`, a blank, a cell that could not be read): the share of
//! what it is a share of, where that is printed or follows from the rows that have both.

use crate::response_time::{Whole, load_profile_s, time_model_s, whole_from_shares};
use spindle_facts::{Interval, Kind, Metric, Report, ShareOf, TopEvent};

/// What the shares of a report are of, with the bounds that rounding leaves.
#[derive(Clone, Debug)]
pub(crate) struct Wholes {
    /// DB time, seconds.
    db_time: Option<(f64, Interval)>,
    /// CPU and waits of both sides together, seconds.
    calls: Option<(f64, Interval)>,
    /// Waits of both sides, seconds.
    waits: Option<(f64, Interval)>,
    /// Half of the last digit of the shares, percent.
    half_pct: f64,
}

impl Wholes {
    /// Of a report.
    pub(crate) fn of(report: &Report) -> Self {
        let rows = &report.tables.top_event;
        let half_pct = half_digit(rows.iter().filter_map(|r| r.share_pct));
        let identity = &report.identity;
        let printed = identity.db_time_s.filter(|s| *s > 0.0).map(|seconds| {
            let low = identity.db_time_s_low.map_or(seconds, |low| low.min(seconds));
            let high = identity.db_time_s_high.map_or(seconds, |high| high.max(seconds));
            (seconds, Interval { low, high })
        });
        let of_rates = || time_model_s(report, "DB time").or_else(|| load_profile_s(report, Metric::DbTime));
        let implied = |of| whole_from_shares(report, of).map(|whole| (whole.seconds, whole.bounds));
        Self {
            db_time: printed
                .or_else(|| of_rates().filter(|t| t.seconds > 0.0).map(|t| (t.seconds, t.bounds)))
                .or_else(|| implied(ShareOf::DbTime)),
            calls: implied(ShareOf::TotalCallTime),
            waits: implied(ShareOf::TotalWaitTime),
            half_pct,
        }
    }

    /// Bounds of CPU and waits of both sides together.
    pub(crate) fn calls(&self) -> Option<Interval> {
        self.calls.map(|(_, bounds)| bounds)
    }

    /// Seconds that a share of DB time stands for, with bounds.
    pub(crate) fn of_db_time(&self, share_pct: Option<f64>) -> Option<(f64, Interval)> {
        let (whole_s, bounds) = self.db_time?;
        let pct = share_pct.filter(|pct| *pct >= 0.0)?;
        let half_pct = half_digit(std::iter::once(pct)).min(self.half_pct);
        let low = (pct - half_pct).max(0.0) / 100.0 * bounds.low;
        Some((pct / 100.0 * whole_s, Interval { low, high: (pct + half_pct) / 100.0 * bounds.high }))
    }

    /// Seconds that a row's share stands for, with bounds; `None` where it has no share or nobody knows of what. The
    /// share of one instance's row is of that instance, whose total is not known here.
    pub(crate) fn seconds(&self, row: &TopEvent) -> Option<(f64, Interval)> {
        let whole = match row.share_of? {
            ShareOf::DbTime => self.db_time,
            ShareOf::TotalCallTime => self.calls,
            ShareOf::TotalWaitTime => self.waits,
            ShareOf::BackgroundTime => None,
        };
        let (whole_s, bounds) = whole.filter(|_| row.instance_number.is_none())?;
        let pct = row.share_pct.filter(|pct| *pct >= 0.0)?;
        let low = (pct - self.half_pct).max(0.0) / 100.0 * bounds.low;
        let high = (pct + self.half_pct) / 100.0 * bounds.high;
        Some((pct / 100.0 * whole_s, Interval { low, high }))
    }
}

/// DB time as the seconds and shares of AWR's top events make it, where it is far from the one that is printed: they
/// are of another interval, as where pieces that name no database stand in one text. The printed one, too.
pub(crate) fn of_another_interval(report: &Report) -> Option<(f64, f64)> {
    /// Printed shares and DB time of one interval lie within a twentieth of each other.
    const FAR: f64 = 1.25;
    /// Up to 10.2 the shares are of calls, which some releases count otherwise.
    const FAR_OF_CALLS: f64 = 2.0;
    (report.identity.kind == Kind::Awr).then_some(())?;
    let printed = report.identity.db_time_s.or_else(|| Some(time_model_s(report, "DB time")?.seconds));
    let printed_s = printed.filter(|s| *s > 0.0)?;
    let is_far = |of, far| {
        let Whole { seconds: implied_s, bounds } = whole_from_shares(report, of)?;
        (bounds.low > far * printed_s || far * bounds.high < printed_s).then_some((implied_s, printed_s))
    };
    is_far(ShareOf::DbTime, FAR).or_else(|| is_far(ShareOf::TotalCallTime, FAR_OF_CALLS))
}

/// Half of the last digit that any of these is printed with: one of a column says it for all.
pub(crate) fn half_digit(shares: impl Iterator<Item = f64>) -> f64 {
    let has = |value: f64, scale: f64| ((value * scale).round() - value * scale).abs() < 1e-6;
    shares.fold(0.5, |half, pct| match pct {
        pct if has(pct, 1.0) => half,
        pct if has(pct, 10.0) => f64::min(half, 0.05),
        _ => f64::min(half, 0.005),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rules::testing::Hour;
    use crate::{Diagnosis, Options, diagnose};

    fn top_five(rows: &[(&str, Option<f64>, f64)]) -> Hour {
        let mut hour = Hour::new(0.0);
        for (event, seconds, _) in rows {
            hour = hour.top(event, Some(1e5), seconds.unwrap_or(1.0));
        }
        hour.with(|r| {
            r.tables.time_model.clear();
            r.identity.db_time_s = None;
            for (row, (_, seconds, pct)) in r.tables.top_event.iter_mut().zip(rows) {
                (row.time_s, row.share_pct) = (*seconds, Some(*pct));
                (row.time_s_low, row.time_s_high) = (seconds.map(|s| s - 0.5), seconds.map(|s| s + 0.5));
                if seconds.is_none() {
                    row.waits = None;
                    row.avg_wait_us = Some(8_000.0);
                }
            }
        })
    }

    fn diagnosed(hour: &Hour) -> Diagnosis {
        diagnose(&hour.report, &Options::default())
    }

    /// `db file sequential read ########## ########## 8 44.5` was no wait: "68 % of DB time is neither CPU nor a printed
    /// wait, waits for I/O are 4.2 %".
    #[test]
    fn a_share_without_seconds_was_left_out_of_the_account() {
        let hour = top_five(&[
            ("db file sequential read", None, 44.5),
            ("DB CPU", Some(8_120.0), 28.1),
            ("log file sync", Some(1_204.0), 4.2),
        ]);
        let diagnosis = diagnosed(&hour);
        let side = &diagnosis.response_time.foreground;
        let reads =
            side.classes.iter().flat_map(|c| &c.events).find(|e| e.event.contains("sequential")).unwrap();
        assert!((reads.time_s - 12_859.0).abs() < 1.0, "{}", reads.time_s);
        let bounds = reads.time_s_bounds;
        assert!(bounds.low < 12_825.0 && bounds.high > 12_890.0 && bounds.high < 12_950.0, "{bounds:?}");
        assert!(diagnosis.answer.contains("waits for I/O and commits are 49 %"), "{}", diagnosis.answer);
        assert!(side.remark.as_deref().unwrap().contains("`db file sequential read`"), "{:?}", side.remark);
        let texts: Vec<&str> =
            diagnosis.findings.iter().flat_map(|f| &f.evidence).map(|e| e.text.as_str()).collect();
        assert!(texts.iter().any(|t| t.contains("44.5 % printed, so about 12,859 s")), "{texts:?}");
    }

    /// A lesson prints the time model of one database and the top events of another: "67 % of DB time for blocks of other
    /// instances", though what was read first is of an eighth of that DB time.
    #[test]
    fn top_events_of_another_interval_were_waits_of_this_one() {
        let lesson = |db_time_s: f64, of: ShareOf| {
            let rows = [
                ("gc buffer busy acquire", Some(7_300.0), 65.4),
                ("enq: TX - row lock contention", Some(1_708.0), 15.3),
                ("DB CPU", Some(1_217.0), 10.9),
            ];
            let hour = top_five(&rows).with(|r| {
                r.identity.db_time_s = Some(db_time_s);
                r.tables.top_event.iter_mut().for_each(|e| e.share_of = Some(of));
            });
            diagnosed(&hour).response_time.foreground
        };
        for of in [ShareOf::DbTime, ShareOf::TotalCallTime] {
            let side = lesson(88_354.0, of);
            assert!(side.classes.is_empty() && side.cpu_s.is_none(), "{side:?}");
            let remark = side.remark.unwrap();
            assert!(remark.contains("another interval") && remark.contains("88,354 s"), "{remark}");
        }
        // Of the same interval, and of calls that a release counts a little otherwise.
        for (db_time_s, of) in [(11_163.0, ShareOf::DbTime), (9_000.0, ShareOf::TotalCallTime)] {
            let side = lesson(db_time_s, of);
            assert_eq!((side.classes.len(), side.cpu_s), (2, Some(1_217.0)), "{side:?}");
        }
    }

    /// `DB CPU 5.4 %` without seconds was no CPU, and "not explained 4.9 %" though the shares make 100.5 %.
    #[test]
    fn cpu_of_which_only_the_share_is_printed_was_no_cpu() {
        let hour = top_five(&[
            ("db file sequential read", Some(6_575.0), 77.5),
            ("DB CPU", None, 5.4),
            ("log file sync", Some(1_495.0), 17.6),
        ]);
        let side = diagnosed(&hour).response_time.foreground;
        assert!((side.cpu_s.unwrap() - 458.1).abs() < 0.5, "{:?}", side.cpu_s);
        assert!(side.unexplained_s.unwrap() < 1.0, "{:?}", side.unexplained_s);
        assert!(side.remark.unwrap().contains("CPU"));
    }

    #[test]
    fn the_column_says_how_finely_its_shares_are_printed() {
        assert_eq!(half_digit([28.0, 44.5].into_iter()), 0.05);
        assert_eq!(half_digit([28.0, 45.0].into_iter()), 0.5);
        assert_eq!(half_digit([5.38, 17.6].into_iter()), 0.005);
    }
}
