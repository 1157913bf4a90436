//! Log switches and checkpoints that sessions wait for.
//!
//! # What it detects
//! Sessions wait for `log file switch ...`: for the switch itself, for a checkpoint that has not
//! finished with the log to be used next, for the archiver, or for strands to be flushed. Or the
//! logs are switched more often than they should be and sessions begin to feel it.
//!
//! # Why it costs response time
//! During a switch nobody can write redo, so everybody who changes data stops. Each switch starts
//! a checkpoint, and frequent checkpoints write the same blocks again and again.
//!
//! # Facts needed
//! Foreground wait events; `log switches (derived)` for the rate; `redo size` for the size that the
//! logs should have.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality of the waits | 3 % of DB time, or 1 % where half a session always waits | ours |
//! | log switches | more than 4 an hour an instance, at least 3 in the interval | Johansson's rule of thumb |
//! | felt by users, for the rate alone | 1 % of DB time | ours |
//!
//! # When it is wrong
//! `archive_lag_target` switches on purpose. A load for an hour a night may well switch more often
//! than the logs of a day should.
//!
//! # What to do
//! Size the logs for three or four switches an hour at peak. `checkpoint incomplete`: more or
//! larger logs, and a database writer that keeps up. `archiving needed`: a full or slow archive
//! destination, too few archiver processes.
//!
//! # SQL to see the evidence
//! ```sql
//! select trunc(first_time, 'hh24') as hour, thread#, count(*) as switches
//! from   v$log_history where first_time > sysdate - 2
//! group  by trunc(first_time, 'hh24'), thread# order by 1, 2;
//! select thread#, group#, bytes / 1048576 as mb, members, status from v$log order by 1, 2;
//! ```

use super::material::{has_effect, is_material, is_slow, of_db_time};
use super::proof::{Group, group};
use crate::{Case, EventTotal, Finding, Setting, Verdict, words};

/// Log switches an hour and instance that are still usual.
const SWITCHES_PER_HOUR: f64 = 4.0;
/// Reads of a redo log, to archive or to mine it.
const READ: &str = "log file sequential read";
/// Fewer switches in the interval make no rate.
const FEWEST_SWITCHES: f64 = 3.0;
/// Switches an hour that the proposed size gives.
const WANTED_PER_HOUR: f64 = 3.0;

/// Do sessions wait for log switches and checkpoints?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events: Vec<&EventTotal> = case.foreground_events("log file switch").collect();
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let rate = switches_per_hour(case);
    let too_often = rate.is_some_and(|r| r.per_hour > SWITCHES_PER_HOUR && r.switches >= FEWEST_SWITCHES);
    if !(is_material(case, seconds) || too_often && has_effect(case, seconds)) {
        return match group(case, "waits for log switches", |event| event.starts_with("log file switch")) {
            Group::Unknown(missing) => Verdict::CannotTell(missing),
            _ if rate.is_none() && has_effect(case, seconds) => {
                Verdict::CannotTell("how often the logs switched (log switches (derived))".to_owned())
            }
            _ => Verdict::NotFound,
        };
    }
    let Some(worst) = events.first() else { return Verdict::NotFound };
    let switches = case.stat("log switches (derived)");
    let mut evidence: Vec<_> = events.iter().map(|e| case.event_evidence(e)).collect();
    evidence.extend(switches.map(|s| case.stat_evidence(s)));
    evidence.extend(case.stat("redo size").map(|s| case.stat_evidence(s)));
    evidence.extend(archiver_reads(case).map(|read| case.event_evidence(read)));
    let lag = case.parameter("archive_lag_target");
    if let Setting::Set(parameter) = lag {
        evidence.push(case.parameter_evidence(parameter));
    }
    let rate_text = rate.map_or(String::new(), |r| {
        let instances = if r.instances > 1.0 { " an instance" } else { "" };
        format!(" ({} an hour{instances})", words::significant(r.per_hour))
    });
    Verdict::Found(Finding {
        title: format!(
            "Sessions wait for log switches{rate_text}, most for `{}`: {}{}",
            worst.event.trim_start_matches("log file switch").trim_matches(['(', ')', ' ']),
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        // Size and number of the logs are configuration; slow log writes are storage.
        storage: case
            .background_event("log file parallel write")
            .is_some_and(|w| is_slow(w, super::slow_redo_writes::write_bar_us(case))),
        claims: events.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence,
        actions: actions(case, &worst.event, rate),
        caveat: match lag.value() {
            Some(v) if v.trim() != "0" => format!("archive_lag_target = {v} forces switches on purpose."),
            _ => "One load in the interval may switch more often than the logs of a usual day.".to_owned(),
        },
        ..Finding::default()
    })
}

#[derive(Clone, Copy)]
struct Rate {
    switches: f64,
    instances: f64,
    per_hour: f64,
}

fn switches_per_hour(case: &Case<'_>) -> Option<Rate> {
    let total = case.stat_total("log switches (derived)")?;
    let instances = f64::from(case.report.identity.instances.unwrap_or(1).max(1));
    let switches = total / instances;
    Some(Rate { switches, instances, per_hour: switches * 3600.0 / case.elapsed_s()? })
}

/// Reads of redo logs by background processes, where they take a tenth as long as the waits for switches, or more.
fn archiver_reads<'c>(case: &'c Case<'_>) -> Option<&'c EventTotal> {
    const MUCH: f64 = 0.1;
    let waited_s: f64 = case.foreground_events("log file switch").map(|e| e.time_s).sum();
    case.background_event(READ).filter(|read| read.time_s >= MUCH * waited_s)
}

fn actions(case: &Case<'_>, worst: &str, rate: Option<Rate>) -> Vec<String> {
    let mut actions = Vec::new();
    if worst.contains("archiving needed") {
        actions.push(
            "The archiver is behind: look for a full or slow archive destination first, then at \
             log_archive_max_processes."
                .to_owned(),
        );
    } else if worst.contains("checkpoint incomplete") {
        actions.push(
            "The next log still protects blocks that are not written: add log groups, enlarge the logs, and see \
             whether the database writer keeps up (asynchronous I/O, write latency)."
                .to_owned(),
        );
    }
    if let Some(read) = archiver_reads(case)
        && let Some(mean_us) = read.avg_us
    {
        actions.push(format!(
            "See how fast logs are archived: reads of them take {} each (`{READ}`, in all likelihood the archiver's), and a \
             log is written again once it is archived.",
            words::latency(mean_us)
        ));
    }
    let redo_per_hour = case.stat_per_second("redo size").map(|b| b * 3600.0);
    match (redo_per_hour, rate) {
        (Some(redo), Some(r)) if r.per_hour > SWITCHES_PER_HOUR => actions.push(format!(
            "Make each redo log at least {}: {} of redo an hour an instance in {} logs instead of {}.",
            words::bytes(redo / r.instances / WANTED_PER_HOUR),
            words::bytes(redo / r.instances),
            words::significant(WANTED_PER_HOUR),
            words::significant(r.per_hour)
        )),
        _ => actions
            .push("Compare size and number of the redo logs with the redo of the busiest hour.".to_owned()),
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    const GIB: f64 = 1_073_741_824.0;

    #[test]
    fn waits_for_an_incomplete_checkpoint() {
        let hour = Hour::new(10_000.0)
            .foreground("log file switch (checkpoint incomplete)", 900.0, 350.0)
            .foreground("log file switch completion", 300.0, 50.0)
            .stat("log switches (derived)", 30.0)
            .stat("redo size", 6.0 * GIB);
        let finding = hour.found(run);
        assert!(finding.title.contains("(30 an hour)"), "{}", finding.title);
        assert!(finding.actions[0].contains("add log groups"));
        assert!(finding.actions[1].contains("at least 2 GiB"), "{}", finding.actions[1]);
        assert_eq!(finding.claims.len(), 2);
    }

    #[test]
    fn more_than_four_switches_an_hour_count_once_users_feel_them() {
        let hour = |switches, seconds| {
            Hour::new(10_000.0)
                .foreground("log file switch completion", 300.0, seconds)
                .stat("log switches (derived)", switches)
        };
        hour(5.0, 110.0).found(run);
        hour(5.0, 90.0).not_found(run);
        hour(4.0, 110.0).not_found(run);
        hour(4.0, 310.0).found(run);
    }

    #[test]
    fn the_archiver_behind_is_named() {
        let finding =
            Hour::new(10_000.0).foreground("log file switch (archiving needed)", 90.0, 800.0).found(run);
        assert!(finding.actions[0].contains("archive destination"));
    }

    #[test]
    fn nothing_printed_is_said() {
        assert!(Hour::new(10_000.0).missing(run).contains("wait events"));
        // The smallest top event is trivial, so what is not printed is too.
        Hour::new(10_000.0).top("log file sync", Some(100.0), 50.0).not_found(run);
        Hour::new(10_000.0).foreground("db file sequential read", 10.0, 1.0).not_found(run);
    }
}
