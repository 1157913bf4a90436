//! A few statements make most physical reads.
//!
//! # What it detects
//! One statement makes half of the physical reads, or at most five make 80 % of them, while reads
//! take a material part of DB time.
//!
//! # Why it costs response time
//! The reads are waited for by these statements, and everybody else queues behind them. One of
//! them with another plan can free more I/O than new storage gives: in a published case a handful
//! of statements made more than 80 % of all physical I/O, one alone 600,000 reads in two hours.
//!
//! # Facts needed
//! `SQL ordered by Reads` with the total of physical reads; foreground wait events.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | statements | at most 5 for 80 % of the reads | a handful; ours |
//! | one alone | at least 50 % of the reads | ours |
//! | their I/O waits | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! The time is that of the statements' own I/O waits, where printed; else read time is shared out
//! by blocks, which favours statements that scan.
//!
//! PL/SQL blocks are left out, since Oracle counts the reads of their statements twice: for the
//! statement and for the block.
//!
//! # When it is wrong
//! Statements that left the shared pool between two snapshots are unseen. A scan reads many blocks
//! in little time: see the waits and not only the share of the blocks.
//!
//! # What to do
//! Look at the plan of the one that waits longest for I/O, its reads an execution, and its executions: too many reads an
//! execution is a matter of the plan, too many executions one of the application.
//!
//! # SQL to see the evidence
//! ```sql
//! select * from (
//!   select sql_id, disk_reads, executions, user_io_wait_time / 1e6 as io_wait_s,
//!          round(disk_reads / nullif(executions, 0)) as reads_per_exec,
//!          round(100 * ratio_to_report(disk_reads) over (), 1) as pct
//!   from   v$sqlarea where command_type <> 47 -- 47: PL/SQL blocks
//!   order  by disk_reads desc) where rownum <= 20;
//! ```

use super::few_segments_read_most::{ALONE_PCT, FEW, MOST_PCT};
use super::material::{not_worth, of_db_time};
use super::reads::{BLOCK_LISTS, DIRECT, MULTI_BLOCK, SINGLE_BLOCK, claim_share, reads, seconds};
use super::since::is_since;
use crate::concentration::{is_beyond, totals_of_reads_differ};
use crate::{Case, Finding, Verdict, words};
use spindle_facts::SqlStat;
use std::collections::BTreeMap;

/// Do a handful of statements make most physical reads?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = reads(case, &[SINGLE_BLOCK, MULTI_BLOCK, BLOCK_LISTS, DIRECT]);
    let read_s = seconds(case, &events);
    if let Some(missing) = super::reads::unread(case, read_s) {
        return Verdict::CannotTell(missing);
    }
    if let Some(verdict) = super::reads::not_worth(case, &events, read_s) {
        return verdict;
    }
    let statements = by_reads(case);
    let Some(total) = total_reads(case).filter(|_| !statements.is_empty()) else {
        return Verdict::CannotTell("SQL ordered by Reads with the total of physical reads".to_owned());
    };
    if let Some(missing) =
        totals_of_reads_differ(&case.accounts).or_else(|| printed_otherwise(&statements, total))
    {
        return Verdict::CannotTell(missing);
    }
    let seen: f64 = statements.iter().map(|s| s.blocks).sum();
    let unseen_pct = (100.0 * (1.0 - seen / total)).max(0.0);
    let blocks_of = |n: usize| statements.iter().take(n).map(|s| s.blocks).sum::<f64>();
    let makes = |n: usize, pct: f64| 100.0 * blocks_of(n) >= pct * total;
    let enough = (1..=FEW.min(statements.len())).find(|&n| makes(n, MOST_PCT));
    let Some(n) = enough.or_else(|| makes(1, ALONE_PCT).then_some(1)) else {
        // What is not listed is smaller each than what is; a shorter list proves nothing.
        return if statements.len() < FEW && unseen_pct > 100.0 - MOST_PCT {
            Verdict::CannotTell(format!(
                "more of SQL ordered by Reads: {} are unseen",
                words::percent(unseen_pct)
            ))
        } else {
            Verdict::NotFound
        };
    };
    let mut few: Vec<_> = statements.iter().take(n).collect();
    let blocks = blocks_of(n);
    let share = (blocks / total).min(1.0);
    let beyond = is_beyond(blocks, total);
    let io_s = few.iter().map(|s| s.io_wait_s).sum::<Option<f64>>();
    let waited_s = io_s.unwrap_or(share * read_s).min(read_s);
    if let Some(verdict) = not_worth(case, "the waits for reads of these statements", waited_s) {
        return match verdict {
            // By blocks they are shared out as if each took as long: a few slow ones may be most of the time.
            Verdict::NotFound if io_s.is_none() => {
                Verdict::CannotTell("I/O waits of the statements that lead by reads".to_owned())
            }
            verdict => verdict,
        };
    }
    let first_alone = match few.as_slice() {
        [first, _, ..] if 100.0 * first.blocks >= ALONE_PCT * total => {
            format!(", the first alone {}", words::percent(100.0 * first.blocks / total))
        }
        _ => String::new(),
    };
    let names: Vec<&str> = few.iter().map(|s| s.name.as_str()).collect();
    let named = names.join(", ");
    // Blocks say what is read, time what is waited for: what waits longest is looked at first.
    if io_s.is_some() {
        few.sort_by(|a, b| b.io_wait_s.unwrap_or(0.0).total_cmp(&a.io_wait_s.unwrap_or(0.0)));
    }
    let mut actions = vec![first_action(case, few[0]), waits_of(case, io_s, waited_s, read_s)];
    actions.extend(waits_longer(case, &few, read_s));
    Verdict::Found(Finding {
        title: format!(
            "{} {} of the physical reads ({}){first_alone}",
            match (few.len(), beyond) {
                (1, false) => "One statement makes".to_owned(),
                (1, true) => "One statement counts".to_owned(),
                (n, false) => format!("{n} statements make"),
                (n, true) => format!("{n} statements count"),
            },
            // They count what they call, too, and what they read before the interval.
            if beyond { "more than all".to_owned() } else { words::percent(100.0 * share) },
            named
        ),
        // The number of reads costs, not the storage that answers them.
        storage: false,
        claims: claim_share(case, &events, waited_s / read_s),
        evidence: few.iter().map(|s| case.evidence("sql_stat", s.row, s.line, s.section, s.proof(total))).collect(),
        actions,
        caveat: "Statements that left the shared pool between the snapshots are unseen; PL/SQL blocks are left out, \
                 since their reads are counted with their statements. A scan reads many blocks in little time."
            .to_owned(),
        ..Finding::default()
    })
}

/// Statements that count what they waited for before the interval, or what they call, count more than all.
const BEYOND: f64 = 1.1;

/// How long the statements wait.
fn waits_of(case: &Case<'_>, io_s: Option<f64>, waited_s: f64, read_s: f64) -> String {
    match io_s {
        Some(io_s) if io_s > BEYOND * read_s => format!(
            "As printed they wait {} for I/O, more than all reads of the interval do ({}): from before it, or twice, for \
             a statement and for the one that calls it.",
            words::seconds(io_s),
            words::seconds(read_s)
        ),
        Some(io_s) => {
            format!("These statements wait {}{} for I/O.", words::seconds(io_s), of_db_time(case, io_s))
        }
        None => format!(
            "By blocks, their reads are {}{} of the read time; their own I/O waits are not printed.",
            words::seconds(waited_s),
            of_db_time(case, waited_s)
        ),
    }
}

/// The statement that waits longer for I/O than any of those that read most: single blocks are few, and slow.
fn waits_longer(case: &Case<'_>, few: &[&StatementReads], read_s: f64) -> Option<String> {
    let most_s =
        few.iter().map(|s| s.io_wait_s).collect::<Option<Vec<f64>>>()?.into_iter().fold(0.0, f64::max);
    let rows = &case.report.tables.sql_stat;
    let is_one = |name: &str| few.iter().any(|s| s.name == name);
    let others = rows.iter().filter(|sql| {
        sql.instance_number.is_none() && !is_block(case, sql) && sql.name().is_some_and(|name| !is_one(&name))
    });
    let (sql, waited_s) = others
        .filter_map(|sql| Some((sql, io_wait_s_of_row(sql).and_then(|_| io_wait_s(case, sql))?)))
        .filter(|(_, waited_s)| *waited_s > most_s && *waited_s <= BEYOND * read_s)
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let line = printing_io_wait(rows, sql).line;
    Some(format!(
        "By time another one leads: {} waits {}{} for I/O (line {}).",
        sql.name()?,
        words::seconds(waited_s),
        of_db_time(case, waited_s),
        line
    ))
}

fn first_action(case: &Case<'_>, statement: &StatementReads) -> String {
    // What maintains an object has no plan to tune.
    if let Some(verb) = ddl(case, statement) {
        return format!(
            "{} is maintenance ({verb}), which reads the object whatever its plan: see whether it is needed, and run \
             it in quiet hours or in parallel.",
            statement.name
        );
    }
    let per_execution = statement.executions.filter(|e| *e > 0.0).map(|e| statement.blocks / e);
    match per_execution {
        Some(reads) if statement.executions == Some(1.0) => {
            format!(
                "Look at the plan of {}: {} blocks read in one execution.",
                statement.name,
                words::significant(reads)
            )
        }
        Some(reads) => format!(
            "Look at the plan of {}: {} blocks read on average in each of {} executions{}.",
            statement.name,
            words::significant(reads),
            words::count(statement.executions.unwrap_or(0.0)),
            if reads < 100.0 { ", so ask first why it runs so often" } else { "" }
        ),
        None if statement.executions == Some(0.0) => format!(
            "Look at the plan of {}, which did not end in the interval: {} shows where it is.",
            statement.name,
            if is_since(case, (11, 1)) { "SQL Monitor" } else { "V$SESSION_LONGOPS" }
        ),
        None => format!("Look at the plan of {}: its executions are not printed.", statement.name),
    }
}

/// The words that a statement begins with, where it is no query and no change of rows: `ALTER INDEX`.
fn ddl<'c>(case: &Case<'c>, statement: &StatementReads) -> Option<&'c str> {
    let sql = case.report.tables.sql_stat.get(statement.row)?;
    let text = case.report.tables.sql_text.iter().find(|t| {
        (sql.sql_id.is_some() && t.sql_id == sql.sql_id)
            || (sql.old_hash.is_some() && t.old_hash == sql.old_hash)
    })?;
    let text = text.text.trim_start();
    let verb = text.split_whitespace().next()?;
    let object = text.split_whitespace().nth(1)?;
    let known = ["alter", "analyze", "truncate"].iter().any(|v| verb.eq_ignore_ascii_case(v))
        || verb.eq_ignore_ascii_case("create") && !text.to_ascii_lowercase().contains(" as select");
    known.then(|| text.get(..text.find(object)? + object.len())).flatten()
}

/// Reads of one statement, over all instances.
struct StatementReads {
    name: String,
    blocks: f64,
    executions: Option<f64>,
    /// Its I/O waits, seconds.
    io_wait_s: Option<f64>,
    module: Option<String>,
    /// Share of the reads as printed, percent, of a statement with one row.
    share_pct: Option<f64>,
    row: usize,
    line: u32,
    section: u16,
}

impl StatementReads {
    fn proof(&self, total: f64) -> String {
        let executions = self.executions.map_or(String::new(), |e| {
            format!(", {} execution{}", words::count(e), if e == 1.0 { "" } else { "s" })
        });
        let module = self.module.as_deref().map_or(String::new(), |m| format!(", module {m}"));
        // A call counts all it read when it ends, also what it read before the first snapshot.
        let share = if self.blocks > total {
            "more than all of the interval: counted from an earlier start".to_owned()
        } else {
            format!("{} of all", words::percent(100.0 * self.blocks / total))
        };
        let running = if self.executions == Some(0.0) { " (did not end in the interval)" } else { "" };
        format!(
            "{}: {} blocks read, {share}{executions}{running}{module}",
            self.name,
            words::count(self.blocks)
        )
    }
}

fn by_reads(case: &Case<'_>) -> Vec<StatementReads> {
    let rows =
        || case.report.tables.sql_stat.iter().enumerate().filter(|(_, s)| s.ranked_by == "physical_reads");
    let for_all = rows().any(|(_, s)| s.instance_number.is_none());
    let mut by_name: BTreeMap<String, StatementReads> = BTreeMap::new();
    for (row, sql) in rows().filter(|(_, s)| s.instance_number.is_none() == for_all) {
        let (Some(blocks), Some(name)) = (sql.physical_reads, sql.name()) else { continue };
        if is_block(case, sql) {
            continue;
        }
        by_name
            .entry(name.clone())
            .and_modify(|s| {
                s.blocks += blocks;
                s.share_pct = None;
                s.executions = s.executions.zip(sql.executions).map(|(a, b)| a + b);
            })
            .or_insert(StatementReads {
                name,
                blocks,
                executions: sql.executions,
                io_wait_s: io_wait_s(case, sql),
                module: sql.module.as_ref().map(ToString::to_string),
                share_pct: sql.share_pct,
                row,
                line: sql.line,
                section: sql.section,
            });
    }
    let mut statements: Vec<StatementReads> = by_name.into_values().collect();
    statements.sort_by(|a, b| b.blocks.total_cmp(&a.blocks));
    statements
}

/// I/O waits of a statement, seconds, summed over its rows as its blocks are: a ranking has a row for each plan,
/// container or instance. By the ranking that counts most, since one may list only some of them; of two that count as
/// much, by the one that prints them.
fn io_wait_s(case: &Case<'_>, sql: &SqlStat) -> Option<f64> {
    /// Seconds, whether all of them are printed, and what the rounding of shares leaves open.
    #[derive(Clone, Copy)]
    struct Sum {
        seconds: f64,
        printed: bool,
        open: f64,
    }
    let same = |s: &&SqlStat| {
        s.instance_number.is_none() == sql.instance_number.is_none()
            && (sql.sql_id.is_some() && s.sql_id == sql.sql_id
                || sql.old_hash.is_some() && s.old_hash == sql.old_hash)
    };
    let mut by_ranking: BTreeMap<&str, Option<Sum>> = BTreeMap::new();
    for row in case.report.tables.sql_stat.iter().filter(same) {
        let sum =
            by_ranking.entry(row.ranked_by).or_insert(Some(Sum { seconds: 0.0, printed: true, open: 0.0 }));
        *sum = sum.zip(io_wait_s_of_row(row)).map(|(sum, row_s)| Sum {
            seconds: sum.seconds + row_s,
            printed: sum.printed && row.io_wait_s.is_some(),
            open: sum.open + open_by_share(row),
        });
    }
    let sums: Vec<Sum> = by_ranking.into_values().flatten().collect();
    let most = sums.iter().copied().max_by(|a, b| a.seconds.total_cmp(&b.seconds))?;
    let printed = sums.iter().filter(|sum| sum.printed && sum.seconds + most.open >= most.seconds);
    Some(printed.map(|sum| sum.seconds).max_by(f64::total_cmp).unwrap_or(most.seconds))
}

/// Seconds by which I/O waits that follow from a share may be off: it is printed to a tenth of a percent.
fn open_by_share(sql: &SqlStat) -> f64 {
    const ROUNDED_PCT: f64 = 0.05;
    match (sql.io_wait_s, sql.elapsed_s) {
        (None, Some(elapsed_s)) => ROUNDED_PCT / 100.0 * elapsed_s + 0.5,
        _ => 0.0,
    }
}

/// The row that prints the I/O waits of a statement, where this one holds them as a rounded share alone and that one
/// says the same.
pub(crate) fn printing_io_wait<'r>(rows: &'r [SqlStat], sql: &'r SqlStat) -> &'r SqlStat {
    let Some(waited_s) = io_wait_s_of_row(sql).filter(|_| sql.io_wait_s.is_none()) else { return sql };
    let same = |s: &&SqlStat| {
        s.instance_number == sql.instance_number && s.plan_hash == sql.plan_hash && s.name() == sql.name()
    };
    let says_so = |s: &&SqlStat| s.io_wait_s.is_some_and(|s| (s - waited_s).abs() <= open_by_share(sql));
    rows.iter().filter(same).find(says_so).unwrap_or(sql)
}

/// I/O waits of a row, seconds: as printed, else the share of its elapsed time.
pub(crate) fn io_wait_s_of_row(sql: &SqlStat) -> Option<f64> {
    sql.io_wait_s.or_else(|| sql.elapsed_s.zip(sql.io_pct).map(|(elapsed, pct)| elapsed * pct / 100.0))
}

/// Is it a PL/SQL block or a call, whose statements are listed by themselves?
fn is_block(case: &Case<'_>, sql: &SqlStat) -> bool {
    let texts = &case.report.tables.sql_text;
    let same = |t: &&spindle_facts::SqlText| {
        (sql.sql_id.is_some() && t.sql_id == sql.sql_id)
            || (sql.old_hash.is_some() && t.old_hash == sql.old_hash)
    };
    texts.iter().find(same).is_some_and(|t| crate::concentration::is_plsql(&t.text))
}

/// What is missing where a statement's printed share of the reads is far from its part of their total.
fn printed_otherwise(statements: &[StatementReads], total: f64) -> Option<String> {
    /// What the report itself divides by is counted a little earlier or later.
    const TIMES: f64 = 2.0;
    let first = statements.first()?;
    let (pct, part) = (first.share_pct.filter(|pct| *pct >= 1.0)?, 100.0 * first.blocks / total);
    (part > TIMES * pct || pct > TIMES * part).then(|| {
        format!(
            "one total of physical reads: {} makes {} of them as printed, and {} by the total that was read",
            first.name,
            words::percent(pct),
            words::percent(part)
        )
    })
}

fn total_reads(case: &Case<'_>) -> Option<f64> {
    let header = || {
        let rows = &case.report.tables.sql_stat;
        rows.iter().find(|s| s.ranked_by == "physical_reads").and_then(|s| s.section_total)
    };
    case.stat_total("physical reads").or_else(header).filter(|t| *t > 0.0)
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{SqlStat, SqlText};

    fn hour(values: &[f64]) -> Hour {
        let row = |(i, blocks): (usize, &f64)| SqlStat {
            line: 800 + u32::try_from(i).unwrap_or(0),
            ranked_by: "physical_reads",
            sql_id: Some(format!("sql{i}").into()),
            executions: Some(10.0),
            physical_reads: Some(*blocks),
            ..SqlStat::default()
        };
        let rows: Vec<SqlStat> = values.iter().enumerate().map(row).collect();
        Hour::new(10_000.0)
            .foreground("db file scattered read", 40_000.0, 2_000.0)
            .stat("physical reads", 1_000_000.0)
            .with(|r| r.tables.sql_stat = rows)
    }

    #[test]
    fn five_statements_for_eighty_percent() {
        let finding = hour(&[490_000.0, 110_000.0, 100_000.0, 60_000.0, 40_000.0, 1.0]).found(run);
        assert!(finding.title.starts_with("5 statements make 80 %"), "{}", finding.title);
        assert!(finding.actions[0].contains("49,000 blocks read on average in each of 10 executions"));
        hour(&[490_000.0, 110_000.0, 100_000.0, 60_000.0, 39_000.0, 39_000.0]).not_found(run);
    }

    /// "One statement makes 100 % of the physical reads", by a total 3,300 times less than that of the Load Profile.
    #[test]
    fn totals_thousands_of_times_apart_made_a_statement_all_reads() {
        let beside = |rate| {
            hour(&[900_000.0]).with(|r| {
                r.tables.load_profile.push(spindle_facts::LoadProfileRow {
                    line: 8,
                    section: 0,
                    instance_number: None,
                    metric: "Physical read (blocks)".to_owned(),
                    known: Some(spindle_facts::Metric::PhysicalReads),
                    per_second: Some(rate),
                    per_transaction: None,
                    per_exec: None,
                    per_call: None,
                    per_second_half_unit: 0.05,
                    per_second_diff_pct: None,
                });
            })
        };
        let missing = beside(900_000.0).missing(run);
        assert!(missing.contains("one total of physical reads") && missing.contains("900,000"), "{missing}");
        let diagnosis = crate::diagnose(&beside(900_000.0).report, &crate::Options::default());
        assert!(!diagnosis.answer.contains("of the physical reads"), "{}", diagnosis.answer);
        beside(277.8).found(run);
        // The share that the report prints of the statement contradicts the total, too.
        let printed = |pct| hour(&[900_000.0]).with(|r| r.tables.sql_stat[0].share_pct = Some(pct));
        assert!(printed(30.0).missing(run).contains("30 % of them as printed"));
        printed(88.0).found(run);
    }

    #[test]
    fn a_block_does_not_count_beside_its_statements() {
        let text = |sql_id: &str, text: &str| SqlText {
            line: 990,
            section: 0,
            sql_id: Some(sql_id.into()),
            old_hash: None,
            text: text.to_owned(),
        };
        let hour = hour(&[900_000.0, 850_000.0]).with(|r| {
            r.tables.sql_text = vec![text("sql0", "BEGIN load_all; END;"), text("sql1", "select 1")]
        });
        let finding = hour.found(run);
        assert!(finding.title.contains("(sql1)"), "{}", finding.title);
    }

    #[test]
    fn what_the_statements_waited_counts_and_not_their_blocks() {
        let with_io = |io_wait_s| {
            hour(&[900_000.0]).with(move |r| {
                let by_time =
                    SqlStat { ranked_by: "user_io_wait_time", io_wait_s, ..r.tables.sql_stat[0].clone() };
                r.tables.sql_stat.push(by_time);
            })
        };
        let finding = with_io(Some(400.0)).found(run);
        assert!((finding.claims[0].seconds - 400.0).abs() < 0.01, "{:?}", finding.claims);
        assert!(finding.actions[1].contains("wait 400 s (4 % of DB time)"), "{}", finding.actions[1]);
        with_io(Some(200.0)).not_found(run);
        assert!(with_io(None).found(run).actions[1].starts_with("By blocks"));
    }

    /// A statement of three containers made 97 % of the blocks and waited "59,180 s (31 %)", those of its first row.
    #[test]
    fn blocks_of_three_containers_stood_beside_the_waits_of_one() {
        let rows = |instances: [Option<u32>; 3]| {
            hour(&[500_000.0, 250_000.0, 220_000.0]).with(move |r| {
                for (row, instance) in r.tables.sql_stat.iter_mut().zip(instances) {
                    row.sql_id = Some("sql0".into());
                    row.instance_number = instance;
                    row.io_wait_s = Some(600.0);
                }
                // Another ranking lists one of the rows alone.
                let by_time = SqlStat { ranked_by: "elapsed_time", ..r.tables.sql_stat[0].clone() };
                r.tables.sql_stat.push(by_time);
            })
        };
        for finding in [rows([None; 3]).found(run), rows([Some(1), Some(2), Some(3)]).found(run)] {
            assert!(finding.title.starts_with("One statement makes 97 %"), "{}", finding.title);
            assert!(finding.actions[1].contains("wait 1,800 s (18 % of DB time)"), "{:?}", finding.actions);
        }
    }

    /// The first of three by blocks, with a tenth of the time of the second one, was to be looked at first, and what
    /// waited longest of all was not named.
    #[test]
    fn blocks_named_the_statement_to_look_at_though_others_wait_longer() {
        let with = |waits: &'static [f64]| {
            hour(&[640_000.0, 100_000.0, 70_000.0, 10.0]).with(move |r| {
                for (row, io_wait_s) in r.tables.sql_stat.iter_mut().zip(waits) {
                    row.io_wait_s = Some(*io_wait_s);
                }
            })
        };
        let finding = with(&[100.0, 600.0, 500.0, 700.0]).found(run);
        assert!(finding.title.contains("(sql0, sql1, sql2), the first alone 64 %"), "{}", finding.title);
        assert!(finding.actions[0].contains("plan of sql1"), "{:?}", finding.actions);
        assert!(finding.actions[2].contains("sql3 waits 700 s"), "{:?}", finding.actions);
        // "These statements wait 4,626 s (68 % of DB time)", of 1,723 s of waits for I/O.
        let beyond = with(&[1_500.0, 1_500.0, 1_600.0, 10.0]).found(run);
        assert!(beyond.actions[1].contains("more than all reads of the interval"), "{:?}", beyond.actions);
        assert_eq!(beyond.actions.len(), 2);
    }

    #[test]
    fn a_call_that_began_earlier_and_maintenance_are_said_to_be_that() {
        let finding = hour(&[1_190_000.0])
            .with(|r| {
                r.tables.sql_stat[0].executions = Some(0.0);
                r.tables.sql_text.push(SqlText {
                    line: 990,
                    section: 0,
                    sql_id: Some("sql0".into()),
                    old_hash: None,
                    text: "ALTER INDEX app.events_pk COALESCE".to_owned(),
                });
            })
            .found(run);
        assert!(
            finding.evidence[0].text.contains("counted from an earlier start, 0 executions (did not end")
        );
        // "One statement makes 100 % of the physical reads" is not known of it.
        assert!(finding.title.starts_with("One statement counts more than all of the physical reads"));
        assert!(finding.actions[0].contains("maintenance (ALTER INDEX)"), "{:?}", finding.actions);
    }

    #[test]
    fn one_that_makes_half_is_named() {
        let finding = hour(&[501_000.0, 50_000.0, 49_000.0, 48_000.0, 47_000.0, 46_000.0]).found(run);
        assert!(finding.title.starts_with("One statement makes 50 %"), "{}", finding.title);
        hour(&[499_000.0, 50_000.0, 49_000.0, 48_000.0, 47_000.0, 46_000.0]).not_found(run);
    }

    #[test]
    fn a_short_list_proves_nothing() {
        assert!(hour(&[100_000.0]).missing(run).contains("90 % are unseen"));
        assert!(hour(&[]).missing(run).contains("SQL ordered by Reads"));
    }
}
