//! Sides whose lengths nobody knows: seconds of one hour and of one day look alike, so totals say nothing. What is
//! printed a second, what is a share of DB time and what one wait takes are said all the same.

use super::amount::Amount;
use super::says::{Known, NAMED_PCT, Same, change_of};
use super::side::SideTotal;
use crate::words;
use spindle_facts::Side;
use std::collections::BTreeSet;

/// Rates that are named.
const RATES: usize = 5;
/// Shares of DB time that are named.
const SHARES: usize = 3;

impl Known<'_> {
    /// What can be said of sides whose lengths nobody knows: rates as printed, and shares of DB time. Totals say nothing.
    pub(super) fn of_times_unknown(&self) -> (String, Vec<String>) {
        if self.same == Same::Report {
            return ("Nothing changed: both sides are the same report.".to_owned(), Vec::new());
        }
        let unknown = match (self.before.elapsed_s, self.after.elapsed_s) {
            (None, None) => "How long the sides were is not printed",
            (None, Some(_)) => "How long the side before was is not printed",
            _ => "How long the side after was is not printed",
        };
        let total = |s: &SideTotal| s.db_time_s.map_or("not known".to_owned(), |t| words::seconds(t.value));
        let mut answer = format!("{unknown}, so totals do not compare");
        if self.before.db_time_s.is_some() || self.after.db_time_s.is_some() {
            answer.push_str(&format!(
                ": a DB time of {} before and of {} after says neither that it changed nor that it did not",
                total(self.before),
                total(self.after)
            ));
        }
        answer.push('.');
        let shares = self.shares();
        if !shares.is_empty() {
            answer.push_str(&format!(" Of DB time, {}.", shares.join("; ")));
        }
        let mut says = Vec::new();
        let rates: Vec<String> = self
            .metrics
            .iter()
            .filter(|m| m.per == "second")
            .filter_map(|m| Some((m, m.before?, m.after?)))
            .take(RATES)
            .map(|(m, b, a)| {
                let change = if m.differs(0.5) { format!(" ({})", change_of(m)) } else { String::new() };
                let name = m.name.trim_end_matches(" a second");
                format!("{name} {} before, {} after{change}", words::significant(b), words::significant(a))
            })
            .collect();
        if !rates.is_empty() {
            says.push(format!("A second, as printed: {}.", rates.join("; ")));
        }
        if !self.two_databases {
            says.extend(self.commits());
        }
        (answer, says)
    }

    /// Shares of DB time that CPU and the events have on either side, those that differ most first.
    fn shares(&self) -> Vec<String> {
        let of = |time: Option<Amount>, side: &SideTotal| Some(time?.per(side.db_time_s?)?.value * 100.0);
        let event = |side: &SideTotal, name: &str| of(side.event(name, Side::Foreground)?.time_s, side);
        let names: BTreeSet<&str> = [self.before, self.after]
            .into_iter()
            .flat_map(|s| s.events.keys())
            .filter(|(_, side)| *side == Side::Foreground)
            .map(|(name, _)| name.as_str())
            .collect();
        let mut found: Vec<(&str, Option<f64>, Option<f64>)> =
            names.into_iter().map(|name| (name, event(self.before, name), event(self.after, name))).collect();
        found.push(("CPU", of(self.before.cpu_s, self.before), of(self.after.cpu_s, self.after)));
        found.retain(|(_, b, a)| b.unwrap_or(0.0).max(a.unwrap_or(0.0)) >= NAMED_PCT);
        let gap = |f: &(&str, Option<f64>, Option<f64>)| (f.1.unwrap_or(0.0) - f.2.unwrap_or(0.0)).abs();
        found.sort_by(|x, y| gap(y).total_cmp(&gap(x)).then_with(|| x.0.cmp(y.0)));
        let said = |pct: Option<f64>| pct.map_or("not printed".to_owned(), words::percent);
        let named = found.into_iter().take(SHARES);
        named.map(|(name, b, a)| format!("{name} {} before, {} after", said(b), said(a))).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::{CompareOptions, Comparison, Digest, compare};
    use crate::rules::testing::Hour;
    use spindle_facts::{LoadProfileRow, Metric, Report};

    fn rate(metric: Metric, per_second: f64) -> LoadProfileRow {
        LoadProfileRow {
            line: 1,
            section: 0,
            instance_number: None,
            metric: format!("{metric:?}"),
            known: Some(metric),
            per_second: Some(per_second),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.05,
            per_second_diff_pct: None,
        }
    }

    /// A load profile and top events, as tests of instance caging were published: no length, no DB time.
    fn pasted(source: &str, cpu: (f64, f64, f64), logical_reads: f64, wait: (&str, f64, f64)) -> Report {
        let hour = Hour::new(1.0).top("DB CPU", None, cpu.1).top(wait.0, Some(16_005.0), wait.1);
        hour.with(|r| {
            r.identity.source = source.to_owned();
            r.identity.excerpt = true;
            (r.identity.elapsed_s, r.identity.db_time_s) = (None, None);
            r.tables.time_model.clear();
            for (row, pct) in r.tables.top_event.iter_mut().zip([cpu.2, wait.2]) {
                row.share_pct = Some(pct);
                row.share_of = Some(spindle_facts::ShareOf::DbTime);
                (row.time_s_low, row.time_s_high) =
                    (row.time_s.map(|s| s - 0.05), row.time_s.map(|s| s + 0.05));
            }
            r.tables.load_profile = vec![
                rate(Metric::DbTime, 8.9),
                rate(Metric::DbCpu, cpu.0),
                rate(Metric::LogicalReads, logical_reads),
            ];
        })
        .report
    }

    fn caged(change: impl Fn(&mut Report)) -> Comparison {
        let wait = ("resmgr:cpu quantum", 1_065.4, 39.4);
        let mut before = pasted("t2", (5.4, 1_638.6, 60.6), 3_495_618.2, wait);
        let mut after = pasted("t3", (5.9, 1_775.1, 65.6), 5_786_023.5, ("latch free", 1.0, 0.0));
        change(&mut before);
        change(&mut after);
        compare(&[Digest::of(&before)], &[Digest::of(&after)], &CompareOptions::default()).unwrap()
    }

    /// "DB time is much the same: 2,704 s before, 2,706 s after (+0.1 %)", with steps of CPU and volume.
    #[test]
    fn totals_of_times_unknown_were_much_the_same() {
        let c = caged(|_| {});
        assert!(!c.answer.contains("the same") && c.answer.contains("totals do not compare"), "{}", c.answer);
        assert!(c.answer.contains("CPU 61 % before, 66 % after"), "{}", c.answer);
        assert!(c.answer.contains("resmgr:cpu quantum 39 % before, not printed after"), "{}", c.answer);
        assert!(c.waterfall.is_empty() && c.unexplained_s.is_none(), "{:?}", c.waterfall);
        assert_eq!((c.db_time_delta_s, c.before_normalised_s), (None, None));
        let said = c.says.join(" ");
        assert!(said.contains("A second, as printed: DB time 8.9 before, 8.9 after;"), "{said}");
        assert!(said.contains("logical reads 3,495,618 before, 5,786,024 after (+66 %)"), "{said}");
        // Once they are known they compare.
        let c = caged(|r| r.identity.elapsed_s = Some(300.0));
        assert!(c.db_time_delta_s.is_some() && !c.waterfall.is_empty(), "{}", c.answer);
    }

    /// 1,638.6 s are 60.6 % of 2,701.7 to 2,706.2 s, and the difference of two such was "+1.98 (+1.98 to +1.98)".
    #[test]
    fn db_time_by_a_share_was_exact() {
        let c = caged(|r| {
            r.identity.elapsed_s = Some(300.0);
            r.tables.load_profile.clear();
        });
        let before = (c.before.identity.db_time_s_low.unwrap(), c.before.identity.db_time_s_high.unwrap());
        assert!((before.0 - 2_701.65).abs() < 0.01 && (before.1 - 2_706.28).abs() < 0.01, "{before:?}");
        let delta = c.db_time_delta_s.unwrap();
        assert!(delta.low < -2.0 && delta.high > 6.0, "{delta:?}");
        assert!(c.answer.contains("(-0.1 to +0.2 %)"), "{}", c.answer);
    }

    #[test]
    fn one_report_on_both_sides_is_no_change_however_long_it_was() {
        let one = pasted("t2", (5.4, 1_638.6, 60.6), 3e6, ("resmgr:cpu quantum", 1_065.4, 39.4));
        let side = [Digest::of(&one)];
        let c = compare(&side, &side, &CompareOptions::default()).unwrap();
        assert_eq!(c.answer, "Nothing changed: both sides are the same report.");
    }
}
