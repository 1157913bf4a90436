//! CPU leads the response time.
//!
//! # What it detects
//! CPU is more than half of DB time: all waits together, storage included, are less.
//!
//! # Why it costs response time
//! Response time is CPU plus waits. While a session computes it waits for nothing, so faster
//! storage leaves this part as it is. Most of it is usually spent on logical reads: blocks found in
//! the buffer cache, looked at again and again.
//!
//! # Facts needed
//! `DB CPU` and `DB time` of the time model (Statspack 9i and 10gR1: `CPU time` among the top timed
//! events, and the waits).
//!
//! # Thresholds
//! 50 % of DB time: from there on no change to the waits, storage or other, can halve response time
//! (Amdahl's law). Practitioners advise against flash where CPU leads (a case with 73 % CPU). A
//! database with hardly any load (under 0.02 average active sessions) suffers from nothing.
//!
//! 100 hard parses for each second of CPU, where no parse time is printed, are named as what to look at first:
//! each takes some tenths of a millisecond to some milliseconds of CPU.
//!
//! # When it is wrong
//! On processors with several threads a core the operating system counts a thread as busy while it
//! shares its core, so `DB CPU` looks larger than the work done. Spinning on a latch or mutex is
//! counted as CPU too: see hard parsing and the latch sections. Under a hypervisor, time that the
//! guest was denied can be counted as CPU.
//!
//! # What to do
//! Tune the statements that lead `SQL ordered by CPU Time`, then those that lead `SQL ordered by
//! Gets`, and the one that leads the report's own samples on CPU, where it prints them: fewer logical
//! reads by a better plan or index, fewer executions by asking once for many rows. Faster or more
//! CPUs come after that. Do not buy storage for it.
//!
//! # SQL to see the evidence
//! ```sql
//! select stat_name, value / 1e6 as seconds from v$sys_time_model where stat_name in ('DB time', 'DB CPU');
//! select * from (select sql_id, cpu_time / 1e6 as cpu_s, buffer_gets, executions
//!   from v$sqlstats order by cpu_time desc) where rownum <= 10;
//! ```

use super::hard_parsing::ParseTime;
use super::since::is_since;
use super::{material, proof};
use crate::{Case, Claim, Finding, Verdict, words};
use spindle_facts::Metric;

/// Share of DB time from which CPU leads, percent.
const LEADS_PCT: f64 = 50.0;
/// Hard parses for each second of CPU that may be a good part of it: at 0.5 ms each they are a twentieth.
const PARSES_A_CPU_SECOND: f64 = 100.0;

/// See the module.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let Some(cpu_s) = case.response_time.foreground.cpu_s else {
        return Verdict::CannotTell("CPU time of the sessions (DB CPU, CPU time)".to_owned());
    };
    let Some(share_pct) = material::share_pct(case, cpu_s) else {
        return Verdict::CannotTell("DB time, or the waits that make it up".to_owned());
    };
    if share_pct < LEADS_PCT {
        // Beside waits of the background it may lead DB time all the same.
        if case.whole_holds_background() {
            return Verdict::CannotTell(material::unweighed(case));
        }
        return Verdict::NotFound;
    }
    // Statspack intervals of days count sessions as if of one; what is hardly any load stays that.
    if case.average_active_sessions().is_some_and(|s| material::is_below_load(case, s)) {
        return Verdict::CannotTell(material::below_load(case, "CPU of the sessions", cpu_s));
    }
    if let Some(verdict) = material::not_worth(case, "CPU of the sessions", cpu_s) {
        return verdict;
    }
    let statements = proof::statements(case, "cpu_time", 3, |s| s.cpu_s);
    let mut evidence: Vec<_> = proof::cpu(case).into_iter().collect();
    evidence.extend(proof::time_model(case, "DB time"));
    evidence.extend(proof::load_profile(case, Metric::LogicalReads));
    let mut actions = Vec::new();
    if let Some(per_second) = hard_parses(case, cpu_s) {
        evidence.extend(proof::load_profile(case, Metric::HardParses));
        actions.push(format!(
            "See first what the {} hard parses a second cost, which is not printed (time model: hard parse elapsed \
             time): literals in place of bind variables make them",
            words::significant(per_second)
        ));
    }
    let sampled = proof::leads_on_cpu(case);
    if let Some((id, pct, _)) = &sampled {
        actions.push(format!(
            "Look at the plan of {id} first: by the report's own samples {} of all activity is this statement on CPU, or \
             waiting for one",
            words::percent(*pct)
        ));
    }
    if statements.is_empty() && sampled.is_some() {
        // The samples name one.
    } else if statements.is_empty() {
        let look = match () {
            () if !is_since(case, (10, 1)) => "SQL ordered by Gets, V$SQLAREA by CPU_TIME",
            () if !is_since(case, (10, 2)) => "SQL ordered by CPU Time, V$SQLAREA",
            () => "SQL ordered by CPU Time, V$SQLSTATS",
        };
        actions.push(format!("Find the statements that use the CPU: {look}"));
    } else {
        let names: Vec<&str> = statements.iter().map(|(name, _)| name.as_str()).collect();
        actions.push(format!("Tune the statements that lead by CPU: {}", names.join(", ")));
    }
    actions.push("Cut logical reads (plans, indexes, rows fetched one by one) before adding CPUs".to_owned());
    if share_pct < 99.5 {
        actions.push(format!(
            "Expect at most {} of DB time from faster storage and from anything else that is waited for",
            words::percent(100.0 - share_pct)
        ));
    }
    evidence.extend(sampled.map(|(_, _, e)| e));
    evidence.extend(statements.into_iter().map(|(_, e)| e));
    Verdict::Found(Finding {
        title: format!(
            "CPU makes {}{}, more than all waits together",
            words::seconds(cpu_s),
            material::of_db_time(case, cpu_s)
        ),
        touches_s: cpu_s,
        claims: vec![Claim { of: "cpu".to_owned(), seconds: cpu_s }],
        evidence,
        actions,
        caveat: "Processor threads that share a core, spinning on latches and time stolen by a hypervisor \
                 are counted as CPU time too"
            .to_owned(),
        ..Finding::default()
    })
}

/// Hard parses a second, where they may be a good part of the CPU time and nothing printed says how much.
fn hard_parses(case: &Case<'_>, cpu_s: f64) -> Option<f64> {
    if ParseTime::of(case).is_some() {
        return None;
    }
    let per_second = case.load_per_second(Metric::HardParses)?;
    let elapsed_s = case.report.identity.elapsed_s?;
    (per_second * elapsed_s >= PARSES_A_CPU_SECOND * cpu_s).then_some(per_second)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{LoadProfileRow, Metric, SqlStat};

    #[test]
    fn cpu_leads_from_half_of_db_time_on() {
        let found =
            Hour::new(7200.0).cpu(3_650.0).foreground("db file sequential read", 1e6, 3_000.0).found(run);
        assert!(found.title.contains("3,650 s (51 % of DB time)"), "{}", found.title);
        assert!(!found.storage);
        assert_eq!(found.claims[0].seconds, 3_650.0);
        Hour::new(7200.0).cpu(3_550.0).foreground("db file sequential read", 1e6, 3_000.0).not_found(run);
    }

    #[test]
    fn an_idle_database_does_not_suffer_from_cpu() {
        // 0.02 sessions on average are 72 s an hour.
        Hour::new(80.0).cpu(73.0).found(run);
        let missing = Hour::new(80.0).cpu(71.0).missing(run);
        assert!(missing.starts_with("enough load to judge (CPU of the sessions: 71 s"), "{missing}");
    }

    /// `Hardly any load to judge`, and below it the finding that CPU makes all of it: weeks at 0.007 sessions.
    #[test]
    fn cpu_of_hardly_any_load_was_a_finding() {
        let weeks = |cpu| Hour::new(cpu).cpu(cpu).with(|r| r.identity.elapsed_s = Some(166_000.0));
        assert!(weeks(1_187.0).missing(run).starts_with("enough load to judge"));
        weeks(3_400.0).found(run);
    }

    /// 98 % of the parses of a Statspack report without a time model were hard, and nothing said so.
    #[test]
    fn many_hard_parses_of_unknown_cost_are_named() {
        let parses = |per_second| {
            Hour::new(3_600.0).cpu(3_000.0).with(|r| {
                r.tables.load_profile.push(LoadProfileRow {
                    line: 20,
                    section: 0,
                    instance_number: None,
                    metric: "Hard parses".to_owned(),
                    known: Some(Metric::HardParses),
                    per_second: Some(per_second),
                    per_transaction: None,
                    per_exec: None,
                    per_call: None,
                    per_second_half_unit: 0.05,
                    per_second_diff_pct: None,
                });
            })
        };
        let first = |hour: Hour| hour.found(run).actions[0].clone();
        assert!(first(parses(1_796.9)).contains("the 1,797 hard parses a second"));
        assert!(!first(parses(80.0)).contains("hard parses"));
        // Where their time is printed, it tells.
        assert!(!first(parses(1_796.9).time_model("parse time elapsed", 20.0)).contains("hard parses"));
    }

    #[test]
    fn the_statements_that_lead_are_named() {
        let found = Hour::new(7200.0)
            .cpu(6000.0)
            .with(|r| {
                r.tables.sql_stat.push(SqlStat {
                    ranked_by: "cpu_time",
                    sql_id: Some("7zb3m1y9fq0k2".into()),
                    cpu_s: Some(4000.0),
                    line: 7,
                    ..SqlStat::default()
                });
            })
            .found(run);
        assert!(found.actions[0].contains("7zb3m1y9fq0k2"), "{:?}", found.actions);
        assert!(found.evidence.iter().any(|e| e.table == "sql_stat" && e.line == 7));
    }

    /// The statement with 68 % of all samples on CPU was no part of the finding about CPU.
    #[test]
    fn the_statement_that_leads_the_samples_was_not_named() {
        let with = |pct| {
            Hour::new(7200.0).cpu(6000.0).with(|r| {
                r.tables.ash_activity.push(spindle_facts::PrintedRow {
                    line: 21_642,
                    section: 0,
                    instance_number: None,
                    cells: vec![
                        ("group", spindle_facts::Value::Text("Top SQL with Top Events".into())),
                        ("sql_id", spindle_facts::Value::Text("19ss2pafw6ck9".into())),
                        ("event", spindle_facts::Value::Text("CPU + Wait for CPU".into())),
                        ("pct_event", spindle_facts::Value::Number(pct)),
                    ]
                    .into(),
                });
            })
        };
        let found = with(68.28).found(run);
        assert!(found.actions[0].contains("19ss2pafw6ck9") && found.actions[0].contains("68 %"));
        assert!(found.evidence.iter().any(|e| e.table == "ash_activity" && e.line == 21_642));
        let found = with(3.0).found(run);
        assert!(found.actions.iter().all(|a| !a.contains("19ss2pafw6ck9")), "{:?}", found.actions);
    }

    #[test]
    fn an_excerpt_with_top_events_is_enough_and_without_cpu_is_not() {
        let excerpt = |hour: Hour| hour.with(|r| r.tables.time_model.retain(|t| t.statistic == "DB time"));
        let found = excerpt(Hour::new(7200.0).top("DB CPU", None, 5000.0)).found(run);
        assert_eq!(found.evidence[0].table, "top_event");
        let missing = Hour::new(7200.0).foreground("db file sequential read", 1e6, 3_000.0).missing(run);
        assert!(missing.contains("CPU"), "{missing}");
    }

    #[test]
    fn views_were_advised_to_releases_without_them() {
        let says = |version: &str| {
            let hour = Hour::new(7200.0).cpu(7_000.0).foreground("db file sequential read", 1e3, 3.0);
            hour.with(|r| r.identity.version = Some(version.to_owned())).found(run).actions.concat()
        };
        assert!(
            says("9.0.1.0.0").contains("SQL ordered by Gets") && !says("9.0.1.0.0").contains("V$SQLSTATS")
        );
        assert!(
            says("10.1.0.3.0").contains("SQL ordered by CPU Time")
                && !says("10.1.0.3.0").contains("V$SQLSTATS")
        );
        assert!(says("10.2.0.4.0").contains("V$SQLSTATS"));
    }
}
