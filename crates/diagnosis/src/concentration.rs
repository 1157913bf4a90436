//! How few statements and segments make most of the physical reads, and how much nobody can see.
//!
//! A PL/SQL block counts the reads of the statements that it runs, so blocks are left out where
//! other statements are printed. What is printed can still add up to more than everything (a
//! statement that calls a function, or that began before the interval): what part it makes is not known then.

use crate::outcome::{Account, Concentration};
use crate::words;
use spindle_facts::{Quantity, Report, SqlStat};
use std::collections::BTreeMap;

/// Share that the counts are of.
const MOST: f64 = 0.8;
/// Parts may sum to a little more than the whole: snapshots take seconds, and segments are counted in samples.
const WHOLE: f64 = 1.05;

/// Are parts more than the whole that they are of?
pub(crate) fn is_beyond(parts: f64, whole: f64) -> bool {
    parts > WHOLE * whole
}

/// What the segments printed sum to and all physical reads, blocks, where the first is more: a block that is read
/// belongs to one segment, so that one of the two is not what it seems.
pub(crate) fn segments_beyond_all(report: &Report) -> Option<(f64, f64)> {
    let all_reads = report.statistic_total("physical reads").filter(|t| *t > 0.0);
    let (reads, total) = segments(report, all_reads)?;
    let sum: f64 = reads.iter().sum();
    is_beyond(sum, total).then_some((sum, total))
}

pub(crate) fn concentration(report: &Report, accounts: &[Account]) -> Concentration {
    let mut result = Concentration::default();
    if totals_of_reads_differ(accounts).is_some() {
        return result;
    }
    let all_reads = report.statistic_total("physical reads").filter(|t| *t > 0.0);
    if let Some((reads, total)) = statements(report, all_reads) {
        (result.statements_for_80_pct, result.unseen_sql_pct) = how_few(reads, total);
    }
    if let Some((reads, total)) = segments(report, all_reads)
        && segments_beyond_all(report).is_none()
    {
        (result.segments_for_80_pct, result.unseen_segment_pct) = how_few(reads, total);
    }
    result
}

/// What is missing, in a DBA's words, where two places print totals of the physical reads that are several times apart:
/// nobody knows which of them statements and segments are a share of.
pub(crate) fn totals_of_reads_differ(accounts: &[Account]) -> Option<String> {
    /// Totals of other instances or intervals are further apart; snapshots that take seconds are not.
    const TIMES: f64 = 3.0;
    let account = accounts.iter().find(|a| a.quantity == Quantity::BlocksRead.name())?;
    let by = || account.by.iter().filter(|v| v.value > 0.0);
    let least = by().min_by(|a, b| a.value.total_cmp(&b.value))?;
    let most = by().max_by(|a, b| a.value.total_cmp(&b.value))?;
    (most.bounds.low > TIMES * least.bounds.high).then(|| {
        format!(
            "one total of physical reads: \"{}\" makes {} blocks a second, \"{}\" {}",
            least.section,
            words::significant(least.value),
            most.section,
            words::significant(most.value)
        )
    })
}

/// Does this row repeat the reads of other statements: a PL/SQL block or a call?
#[must_use]
pub fn counts_its_statements(report: &Report, row: &SqlStat) -> bool {
    let same = |t: &&spindle_facts::SqlText| {
        row.sql_id.is_some() && t.sql_id == row.sql_id || row.old_hash.is_some() && t.old_hash == row.old_hash
    };
    let by_command = |c: &str| c.starts_with("PL/SQL") || c.starts_with("CALL");
    row.command.as_deref().is_some_and(by_command)
        || report.tables.sql_text.iter().find(same).is_some_and(|t| is_plsql(&t.text))
}

/// Is the text that of a block or a call, which counts what its statements do?
pub(crate) fn is_plsql(text: &str) -> bool {
    let mut text = text.trim_start();
    // Leading comments and labels hide the first word.
    loop {
        text = if let Some(rest) = text.strip_prefix("/*") {
            rest.split_once("*/").map_or("", |(_, after)| after).trim_start()
        } else if let Some(rest) = text.strip_prefix("--") {
            rest.split_once('\n').map_or("", |(_, after)| after).trim_start()
        } else {
            break;
        };
    }
    let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    ["begin", "declare", "call"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// Physical reads by statement, blocks left out, and the total that they are a part of.
fn statements(report: &Report, all_reads: Option<f64>) -> Option<(Vec<f64>, f64)> {
    let ranked = || report.tables.sql_stat.iter().filter(|s| s.ranked_by == "physical_reads");
    let total = ranked().find_map(|s| s.section_total).or(all_reads)?;
    let mut blocks: BTreeMap<String, f64> = BTreeMap::new();
    let mut plain: BTreeMap<String, f64> = BTreeMap::new();
    let for_all = ranked().any(|s| s.instance_number.is_none());
    for (row, s) in ranked().filter(|s| s.instance_number.is_none() == for_all).enumerate() {
        let Some(reads) = s.physical_reads else { continue };
        let key = match (&s.sql_id, s.old_hash) {
            (Some(id), _) => id.to_string(),
            (None, Some(hash)) => hash.to_string(),
            (None, None) => format!("row {row}"),
        };
        let kind = if counts_its_statements(report, s) { &mut blocks } else { &mut plain };
        // Plans and containers of one statement have a row each.
        *kind.entry(key).or_default() += reads;
    }
    let chosen = if plain.is_empty() { blocks } else { plain };
    (!chosen.is_empty() && total > 0.0).then(|| (chosen.into_values().collect(), total))
}

/// Physical reads by segment, and the total that they are a part of.
fn segments(report: &Report, all_reads: Option<f64>) -> Option<(Vec<f64>, f64)> {
    let ranked = || report.tables.segment_stat.iter().filter(|s| s.ranked_by == "physical_reads");
    let total = ranked().find_map(|s| s.section_total).or(all_reads)?;
    let for_all = ranked().any(|s| s.instance_number.is_none());
    let reads: Vec<f64> =
        ranked().filter(|s| s.instance_number.is_none() == for_all).filter_map(|s| s.value).collect();
    (!reads.is_empty() && total > 0.0).then_some((reads, total))
}

/// What the few statements that reach 80 % of the physical reads make of them, percent.
pub(crate) fn statements_pct(report: &Report) -> Option<f64> {
    let (mut reads, total) =
        statements(report, report.statistic_total("physical reads").filter(|t| *t > 0.0))?;
    reads.sort_by(|a, b| b.total_cmp(a));
    let mut seen = 0.0;
    let made = reads.into_iter().find_map(|reads| {
        seen += reads;
        (seen >= MOST * total).then_some(seen)
    })?;
    (!is_beyond(made, total)).then(|| (100.0 * made / total).min(100.0))
}

/// How many of the largest reach 80 % of the total, and the percent that none of them accounts for; `None` where they
/// count more than there is.
fn how_few(mut reads: Vec<f64>, total: f64) -> (Option<u32>, Option<f64>) {
    reads.sort_by(|a, b| b.total_cmp(a));
    let mut seen = 0.0;
    let mut enough = None;
    for (i, reads) in reads.iter().enumerate() {
        seen += reads;
        if enough.is_none() && seen >= MOST * total {
            enough = Some((i + 1, seen));
        }
    }
    let enough = enough.filter(|(_, seen)| !is_beyond(*seen, total)).and_then(|(n, _)| u32::try_from(n).ok());
    let unseen_pct = (!is_beyond(seen, total)).then(|| (100.0 * (total - seen) / total).clamp(0.0, 100.0));
    (enough, unseen_pct)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use spindle_facts::{Identity, Kind, Layout, SegmentStat, SqlText};

    fn concentration_of(report: &Report) -> Concentration {
        concentration(report, &[])
    }

    fn report(statements: &[(&str, f64, &str)]) -> Report {
        let mut report = Report::new(Identity::unknown("r", Kind::Awr, Layout::Text));
        for &(id, reads, text) in statements {
            report.tables.sql_stat.push(SqlStat {
                ranked_by: "physical_reads",
                sql_id: Some(id.into()),
                physical_reads: Some(reads),
                section_total: Some(100.0),
                ..SqlStat::default()
            });
            let text = text.to_owned();
            report.tables.sql_text.push(SqlText {
                line: 1,
                section: 0,
                sql_id: Some(id.into()),
                old_hash: None,
                text,
            });
        }
        report
    }

    #[test]
    fn a_block_does_not_count_its_statements_twice() {
        let c = concentration_of(&report(&[
            ("a", 90.0, "/* batch */ BEGIN run; END;"),
            ("b", 60.0, "select 1 from t"),
            ("c", 25.0, "insert into u select 2 from t"),
        ]));
        assert_eq!(c.statements_for_80_pct, Some(2));
        assert_eq!(c.unseen_sql_pct, Some(15.0));
    }

    #[test]
    fn what_is_printed_may_not_reach_80_pct() {
        let c = concentration_of(&report(&[("b", 30.0, "select 1 from t")]));
        assert_eq!(c.statements_for_80_pct, None);
        assert_eq!(c.unseen_sql_pct, Some(70.0));
        assert_eq!(c.segments_for_80_pct, None);
        assert_eq!(c.unseen_segment_pct, None, "no section says nothing");
    }

    #[test]
    fn segments_count_against_their_own_total() {
        let mut report = report(&[]);
        for value in [10.0, 85.0] {
            report.tables.segment_stat.push(SegmentStat {
                ranked_by: "physical_reads",
                value: Some(value),
                section_total: Some(100.0),
                ..SegmentStat::default()
            });
        }
        let c = concentration_of(&report);
        assert_eq!((c.segments_for_80_pct, c.unseen_segment_pct), (Some(1), Some(5.0)));
    }

    /// Five segments of 300 % of the reads: "1 segment take 80 %, 0 % go to segments that nobody can see".
    #[test]
    fn segments_of_three_times_the_reads_were_a_share_of_them() {
        let mut report = report(&[]);
        for value in [100.0, 80.0, 60.0, 40.0, 20.0] {
            report.tables.segment_stat.push(SegmentStat {
                ranked_by: "physical_reads",
                value: Some(value),
                section_total: Some(100.0),
                ..SegmentStat::default()
            });
        }
        let c = concentration_of(&report);
        assert_eq!((c.segments_for_80_pct, c.unseen_segment_pct), (None, None));
        assert_eq!(segments_beyond_all(&report), Some((300.0, 100.0)));
    }

    /// A statement counts what it read before the interval, too: of what it leaves to others nothing is known.
    #[test]
    fn statements_of_more_than_all_reads_left_no_reads_to_others() {
        let c = concentration_of(&report(&[("a", 119.0, "select 1 from t"), ("b", 56.0, "select 2 from t")]));
        assert_eq!((c.statements_for_80_pct, c.unseen_sql_pct), (None, None));
        let c = concentration_of(&report(&[("a", 90.0, "select 1 from t"), ("b", 56.0, "select 2 from t")]));
        assert_eq!((c.statements_for_80_pct, c.unseen_sql_pct), (Some(1), None));
        let c = concentration_of(&report(&[("a", 100.0, "select 1 from t"), ("b", 2.0, "select 2 from t")]));
        assert_eq!(
            (c.statements_for_80_pct, c.unseen_sql_pct),
            (Some(1), Some(0.0)),
            "snapshots take seconds"
        );
    }
}
