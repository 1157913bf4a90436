//! Slow commits.
//!
//! # What it detects
//! Sessions wait a material part of DB time for their commits (`log file sync`), and the mean
//! commit takes longer than it should. The wait is split: time of the log writes, their tail, what
//! the writes can explain as a range, and any excess over it.
//!
//! # Why it costs response time
//! Users wait for the commit before they see that their work is done. Where locks are held until
//! then, others wait with them.
//!
//! # Facts needed
//! Foreground `log file sync`; to split it, the `redo synch` statistics (11.2 and later) or the
//! histogram and time of background `log file parallel write`.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean commit, disk or unknown | 10 ms | the field: 3 good, 10 warn, 20 bad |
//! | mean commit, flash, Exadata, flash or cache | 3 ms | the same |
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | 5 % is worth a look, 10 % a finding |
//! | at the bar | up to 5 % above it | ours: bars are round numbers, and a cause does not begin at one |
//! | hardly the writes | ten mean writes a commit, where nothing bounds them and their mean is within its bar | ours: a commit waits for two writes at worst, if they are alike |
//! | excess | more than a fifth of the commit wait lies above what the writes can explain | model below; bursts alone make that much |
//!
//! The averages of the two events prove nothing against each other: slow writes gather committers. Where
//! only they are printed, the writes explain at least one mean write a commit; where a commit takes
//! ten times that, it is said that only a few very slow writes, hidden in the mean, could explain it.
//! What the database measured itself comes first: the time a commit took, and the part that passed
//! after the log writer was done. What came before is not all write, so a model bounds that too: a commit that arrives while a write of
//! length X runs waits for the rest of it and then for its own; with the log writer busy a share
//! rho of the time, the mean is rho E\[X²\] / (2 E\[X\]) + E\[X\] for commits that arrive
//! independently. The histogram bounds E\[X²\], so the answer is a range and never one number.
//!
//! # When it is wrong
//! Commits in bursts, or in step with each other, wait longer than the model says with the same
//! writes: a small excess proves little. A log writer that adapts (polling) and log writer workers
//! (12.1 and later) shift the split.
//!
//! # What to do
//! If the writes explain it: the storage of the redo logs. If there is an excess: CPU (is the log
//! writer scheduled in time?), synchronous standby, RAC, the commit rate.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat
//! where  name like 'redo synch%' or name in ('redo writes', 'redo write time', 'user commits');
//! select event, total_waits, time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//! from   v$system_event where event in ('log file sync', 'log file parallel write');
//! ```

use super::material::{
    AT_THE_BAR, Against, Waits, foreground_waits, mean_against, of_db_time, spread, spread_evidence,
};
use super::since::is_since;
use super::slow_redo_writes::{
    Slowness, is_material_part, log_writes, slowness, worker_action, workers_caveat,
};
use crate::log_flush::log_flush;
use crate::{Case, EventTotal, Evidence, Finding, Verdict, words};

const SYNC: &str = "log file sync";
const WRITE: &str = "log file parallel write";

/// Do commits take long, and why?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let syncs = match foreground_waits(case, &[SYNC]) {
        Waits::Material(syncs) => syncs,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let Some(sync) = syncs.first() else { return Verdict::NotFound };
    match mean_against(sync, AT_THE_BAR * case.bars.log_sync_us) {
        Against::Above => Verdict::Found(finding(case, sync)),
        Against::Below => match case.hidden_by_class(sync.avg_us, |bars| bars.log_sync_us) {
            Some(missing) => Verdict::CannotTell(missing),
            None => Verdict::NotFound,
        },
        Against::Straddles => Verdict::CannotTell(format!(
            "a mean of {SYNC} printed finely enough to tell it from the bar of {}",
            words::latency(case.bars.log_sync_us)
        )),
        Against::Unknown => Verdict::CannotTell(format!("the number of waits for {SYNC}")),
    }
}

/// Less than this share above the model's upper bound proves nothing: commits come in bursts.
const EXCESS_MATTERS: f64 = 0.2;
/// Share of the commit wait beyond the writes from where on the writes are not the main cause.
const MAINLY: f64 = 0.5;

fn finding(case: &Case<'_>, sync: &EventTotal) -> Finding {
    let seconds = case.event_time_s(SYNC);
    let write = case.background_event(WRITE);
    let bounded = case.commit.most_of_writes();
    let split = bounded.is_some();
    let excess = 1.0 - bounded.unwrap_or(1.0);
    let why = if split { why(case) } else { unsplit(case) };
    let mean = sync.avg_us.map_or(String::new(), |us| format!(" take {}", words::latency(us)));
    let mut evidence = vec![case.event_evidence(sync)];
    // What the database measured stands among its statistics, where it did.
    let measured = case.commit.measured_overhead_us.and(case.commit.measured_sync_us);
    let statistic =
        ["redo synch time overhead (usec)", "redo synch time overhead (usec", "redo synch time (usec)"];
    evidence.push(match measured.and_then(|_| statistic.iter().find_map(|name| case.stat(name))) {
        Some(stat) => Evidence { text: why, ..case.stat_evidence(stat) },
        None => case.evidence(sync.table, sync.row, sync.line, sync.section, why),
    });
    evidence.extend(write.map(|w| case.event_evidence(w)));
    if write.is_none() {
        evidence.extend(case.flush_evidence());
    }
    evidence.extend([SYNC, WRITE].iter().filter_map(|e| spread_evidence(case, e)));
    for name in [
        "redo synch writes",
        "redo synch time (usec)",
        "redo synch time",
        "redo synch time overhead (usec)",
        "redo write broadcast ack time",
        "redo write time",
        "user commits",
    ] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    Finding {
        title: format!(
            "Commits{mean}: {}{}; {}",
            words::seconds(seconds),
            of_db_time(case, seconds),
            if split { in_short(case) } else { unsplit(case) }
        ),
        // What lies beyond the writes is none of it; slow writes are a finding of their own.
        storage: split
            && excess < MAINLY
            && !is_beyond_writes(case)
            && write.is_some_and(|w| is_slow(case, w)),
        claims: vec![case.claim_event(SYNC)],
        evidence,
        actions: actions(case, write, split, excess),
        caveat: {
            let caveat = "Commits that come in bursts wait longer than the range says with the same writes; the means \
                          of the two events do not compare, since slow writes gather committers.";
            workers_caveat(case).map_or(caveat.to_owned(), |workers| format!("{caveat} {workers}"))
        },
        ..Finding::default()
    }
}

/// What the means alone say, where nothing bounds the writes.
fn unsplit(case: &Case<'_>) -> String {
    let commit = &case.commit;
    match commit.write_us {
        Some(write) if is_hardly_the_writes(case) => format!(
            "log writes average {}, so storage is hardly the cause, unless a few very slow writes hide in that mean",
            words::latency(write)
        ),
        Some(write) if commit.sync_us.is_some_and(|sync| write < sync) => format!(
            "at least {} of each is the write, and how much more it explains cannot be told",
            words::latency(write)
        ),
        _ => slow_flush(case).unwrap_or_else(|| "what the writes explain cannot be told".to_owned()),
    }
}

/// Are the log writes hardly the cause of the commit wait, as far as means tell? Not where their mean is slow itself: then
/// a few very slow ones among them are likely.
#[must_use]
pub fn is_hardly_the_writes(case: &Case<'_>) -> bool {
    case.commit.hardly_writes() && !case.background_event(WRITE).is_some_and(|write| is_slow(case, write))
}

/// What flushes of redo before a block is sent to another instance say of the log writer, where they are slow.
fn slow_flush(case: &Case<'_>) -> Option<String> {
    let flush = log_flush(case.report).filter(|flush| flush.us >= AT_THE_BAR * case.bars.log_sync_us)?;
    Some(format!(
        "the log writer is slow, since its flushes for blocks of other instances take {}, and what of that is the write \
         cannot be told",
        words::latency(flush.us)
    ))
}

/// What of the wait is what: as the database measured it, with what the writes explain of the part
/// before the log writer was done; else as the model says.
fn why(case: &Case<'_>) -> String {
    let commit = &case.commit;
    let (Some(total), Some(overhead), Some(explained)) =
        (commit.measured_sync_us, commit.measured_overhead_us, commit.explained_us)
    else {
        return commit.because.clone();
    };
    let range = if explained.high.is_finite() {
        format!("{} to {}", words::latency(explained.low), words::latency(explained.high))
    } else {
        format!("{} and more", words::latency(explained.low))
    };
    let rest = total - overhead - explained.high;
    let beyond = if rest > EXCESS_MATTERS * (total - overhead) {
        format!("; at least {} is the log writer doing or awaiting something else", words::latency(rest))
    } else {
        String::new()
    };
    format!(
        "the database measured {}, of which {} passed after the log writer was done; its writes explain {range}{beyond}",
        words::latency(total),
        words::latency(overhead)
    )
}

/// Is more of the commit wait than chance not the writes, as the title says then?
fn is_beyond_writes(case: &Case<'_>) -> bool {
    let commit = &case.commit;
    match (commit.measured_sync_us, commit.measured_overhead_us, commit.explained_us) {
        (Some(total), Some(overhead), Some(explained)) => {
            total - overhead - explained.high > EXCESS_MATTERS * (total - overhead)
        }
        _ => commit.outcome == "excess",
    }
}

/// The same in a few words.
fn in_short(case: &Case<'_>) -> String {
    let commit = &case.commit;
    match (commit.measured_sync_us, commit.measured_overhead_us, commit.explained_us) {
        (Some(total), Some(overhead), Some(explained)) => {
            let rest = total - overhead - explained.high;
            if is_beyond_writes(case) {
                format!(
                    "at least {} of each is not the writes, {} of it after they were done",
                    words::latency(total - explained.high),
                    words::latency(overhead)
                )
            } else if overhead > MAINLY * total {
                format!("{} of each passed after the write", words::latency(overhead))
            } else if rest > 0.0 {
                format!(
                    "log writes explain {} to {} of each",
                    words::latency(explained.low),
                    words::latency(explained.high)
                )
            } else {
                "log writes can explain it".to_owned()
            }
        }
        (Some(total), Some(overhead), None) if overhead > EXCESS_MATTERS * total => {
            format!(
                "{} of each passed after the write, which explains at most {}",
                words::latency(overhead),
                words::latency(total - overhead)
            )
        }
        (Some(_), Some(overhead), None) => {
            format!("only {} of each passed after the write", words::latency(overhead))
        }
        _ => match commit.outcome {
            "excess" => "more than log writes explain".to_owned(),
            // Commits avoid a tail of the writes: without how the writes are spread this reads as an error.
            "below_model" => match spread(case, WRITE) {
                Some(spread) => format!("less than log writes suggest (of the writes, {spread})"),
                None => "less than log writes suggest".to_owned(),
            },
            "writes_explain_it" => "log writes explain it".to_owned(),
            _ => "what the writes explain cannot be told".to_owned(),
        },
    }
}

fn is_slow(case: &Case<'_>, write: &EventTotal) -> bool {
    matches!(slowness(case, write), Slowness::Mean | Slowness::Tail { .. })
}

/// Do the writes explain all that the database measured, and more?
fn writes_explain_all(case: &Case<'_>) -> bool {
    let commit = &case.commit;
    let observed = commit.measured_sync_us.or(commit.sync_us);
    // Where what was measured refutes the model, the mean write tells.
    let least = commit.explained_us.map(|explained| explained.low).or(commit.write_us);
    commit.outcome != "excess" && observed.zip(least).is_some_and(|(us, least)| least >= us)
}

fn actions(case: &Case<'_>, write: Option<&EventTotal>, split: bool, excess: f64) -> Vec<String> {
    let mut actions = Vec::new();
    let beyond = || {
        let busy = case
            .host_cpu_busy_pct()
            .map_or(String::new(), |b| format!(" (CPUs were {} busy)", words::percent(b)));
        let rac = if case.report.identity.rac == Some(true) {
            " In RAC the commit also waits for the broadcast to the other instances."
        } else {
            ""
        };
        format!(
            "Look beyond the writes: is the log writer scheduled in time{busy}, is there a synchronous standby, do \
             commits come in bursts?{rac}"
        )
    };
    let storage = || {
        if let Some((mean, bar, true)) = log_writes(case) {
            return format!(
                "The storage of the redo logs answers within its bar (mean {}, bar {}): if commits have to be faster \
                 all the same, it takes faster storage than that.",
                words::latency(mean),
                words::latency(bar)
            );
        }
        let mean = write
            .and_then(|w| w.avg_us)
            .map_or(String::new(), |us| format!(" (mean {})", words::latency(us)));
        format!(
            "Look at the storage of the redo logs{mean}: devices shared with others, write cache, slowest member."
        )
    };
    if !split {
        actions.push(match case.histogram(WRITE).is_none() {
            // It counts no waits by length: a trace shows each of them.
            true if !is_since(case, (10, 1)) && write.is_some() => {
                format!("Get the split: how long each {WRITE} takes, by a trace of the log writer (event 10046, level 8).")
            }
            true if !is_since(case, (10, 1)) => format!("Get the split: the mean and the number of {WRITE}."),
            no_histogram => {
                let missing = if no_histogram { "the histogram" } else { "the mean and the number" };
                let statistic = if is_since(case, (11, 2)) {
                    ", or the `redo synch time overhead (usec)` statistic"
                } else {
                    ""
                };
                format!("Get the split: {missing} of {WRITE}{statistic}.")
            }
        });
        if is_hardly_the_writes(case) {
            actions.push(beyond());
        }
    } else if writes_explain_all(case) {
        actions.push(storage());
    } else if excess > EXCESS_MATTERS && is_material_part(case, excess) {
        actions.push(beyond());
        actions.push(storage());
    } else {
        actions.push(storage());
        actions.push(beyond());
    }
    actions.extend(worker_action(case));
    actions.push(
        "Ask whether every commit must be: batches that commit each row, and applications that commit after each \
         statement, pay this price for nothing."
            .to_owned(),
    );
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    const MS: f64 = 1000.0;

    fn hour(sync_s: f64, write_ms: f64) -> Hour {
        let (fast, slow) = if write_ms < 1.0 { (90_000.0, 10_000.0) } else { (0.0, 100_000.0) };
        Hour::new(20_000.0)
            .device(DeviceClass::Disk)
            .foreground("log file sync", 100_000.0, sync_s)
            .background("log file parallel write", 100_000.0, 100.0 * write_ms)
            .histogram(
                "log file parallel write",
                &[
                    (Some(MS), fast),
                    (Some(2.0 * MS), slow * f64::from(write_ms < 1.0)),
                    (Some(8.0 * MS), 0.0),
                    (Some(32.0 * MS), slow * f64::from(write_ms >= 1.0)),
                ],
            )
    }

    #[test]
    fn ten_milliseconds_are_slow() {
        hour(1_060.0, 12.0).found(run);
        hour(1_040.0, 12.0).not_found(run);
    }

    #[test]
    fn commits_that_the_writes_explain_are_storage() {
        let finding = hour(1_400.0, 12.0).found(run);
        assert!(finding.storage && finding.title.ends_with("log writes explain it"), "{}", finding.title);
        assert!(finding.evidence.iter().any(|e| e.text.contains("lies inside")));
        assert!(finding.actions[0].contains("storage of the redo logs (mean 12 ms)"));
    }

    /// `Avg global cache cr block flush time (ms): 266.7` was read, and of commits of 396 ms "what the writes explain cannot
    /// be told".
    #[test]
    fn slow_flushes_of_the_log_for_other_instances_said_nothing_of_commits() {
        let with = |metric: &str, value| {
            Hour::new(20_000.0)
                .device(DeviceClass::Disk)
                .foreground("log file sync", 10_000.0, 3_960.0)
                .with(|r| r.tables.rac_cache.push(crate::rules::testing::rac_row(metric, value)))
                .found(run)
        };
        let slow = with("Avg global cache cr block flush time (ms)", 266.7);
        assert!(
            slow.title.contains("the log writer is slow") && slow.title.contains("267 ms"),
            "{}",
            slow.title
        );
        assert!(slow.evidence.iter().any(|e| e.text.contains("266.7 ms") || e.text.contains("267 ms")));
        assert!(!slow.storage, "what of it is the write is not known");
        let fast = with("Avg global cache current block flush time (us)", 900.0);
        assert!(fast.title.ends_with("what the writes explain cannot be told"), "{}", fast.title);
    }

    #[test]
    fn commits_far_above_the_writes_are_something_else() {
        // The clear case of the field: 46 ms of sync with writes under a millisecond.
        let finding = hour(4_600.0, 0.5).found(run);
        assert!(
            !finding.storage && finding.title.contains("more than log writes explain"),
            "{}",
            finding.title
        );
        assert!(finding.actions[0].contains("beyond the writes"));
        assert_eq!(finding.claims[0].seconds, 4_600.0);
    }

    /// `Its writes explain 408 ms to 636 ms` of a commit of 259 ms, `log writes can explain it`.
    #[test]
    fn a_model_above_what_was_measured_explained_it() {
        let finding = hour(1_400.0, 30.0)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 1_400e6)
            .stat("redo synch time overhead (usec)", 300e6)
            .found(run);
        assert!(!finding.title.contains("can explain"), "{}", finding.title);
        assert!(
            finding.evidence.iter().any(|e| e.text.contains("log writes would explain")),
            "{:?}",
            finding.evidence
        );
    }

    /// `At least 1.53 ms of each is not the writes` left out what passed after the write.
    #[test]
    fn what_passed_after_the_write_was_left_out_of_what_is_not_the_writes() {
        let finding = hour(3_000.0, 0.5)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 3_000e6)
            .stat("redo synch time overhead (usec)", 1_000e6)
            .found(run);
        let not_writes = finding.title.split("at least ").nth(1).map(|t| t.split(' ').next());
        let ms: f64 = not_writes.flatten().and_then(|t| t.parse().ok()).unwrap_or(0.0);
        assert!(ms > 25.0, "{}", finding.title);
    }

    #[test]
    fn what_the_database_measured_comes_first() {
        let finding = hour(1_400.0, 12.0)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 1_400e6)
            .stat("redo synch time overhead (usec)", 1_000e6)
            .found(run);
        assert!(finding.title.contains("10 ms of each passed after the write"), "{}", finding.title);
        assert!(finding.evidence.iter().any(|e| e.text.contains("measured 14 ms a commit, of which 10 ms")));
        // It was cited as a line of the wait events.
        let measured = finding.evidence.iter().find(|e| e.text.contains("the database measured"));
        assert_eq!(measured.map(|e| e.table), Some("instance_stat"));
        assert!(!finding.storage);
    }

    #[test]
    fn writes_that_explain_less_than_all_do_not_explain_it() {
        let finding = hour(1_700.0, 12.0)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 1_700e6)
            .stat("redo synch time overhead (usec)", 100e6)
            .found(run);
        assert!(finding.title.contains("log writes explain 14 ms to 15.1 ms of each"), "{}", finding.title);
    }

    #[test]
    fn where_the_writes_explain_more_than_all_nothing_is_sought_beyond_them() {
        let finding = hour(1_400.0, 20.0)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 1_400e6)
            .stat("redo synch time overhead (usec)", 400e6)
            .found(run);
        assert!(finding.actions.iter().all(|a| !a.contains("beyond the writes")), "{:?}", finding.actions);
    }

    #[test]
    fn without_the_writes_it_is_not_split() {
        let finding = Hour::new(20_000.0).foreground("log file sync", 100_000.0, 1_400.0).found(run);
        assert!(finding.title.contains("cannot be told") && finding.actions[0].contains("Get the split"));
    }

    /// 29 ms a commit with writes of 0.8 ms in the same excerpt was `cannot be told` and no more.
    #[test]
    fn commits_of_many_mean_writes_hardly_wait_for_storage() {
        let means = |sync_s, write_s| {
            Hour::new(20_000.0)
                .device(DeviceClass::Disk)
                .foreground("log file sync", 100_000.0, sync_s)
                .background("log file parallel write", 95_000.0, write_s)
                .found(run)
        };
        let hardly = means(2_900.0, 76.0);
        assert!(
            hardly.title.contains("log writes average 0.8 ms, so storage is hardly the cause"),
            "{}",
            hardly.title
        );
        assert!(hardly.title.contains("unless a few very slow writes hide"), "{}", hardly.title);
        assert!(hardly.actions[1].contains("beyond the writes"), "{:?}", hardly.actions);
        let some = means(2_900.0, 1_425.0);
        assert!(some.title.contains("at least 15 ms of each is the write"), "{}", some.title);
        assert!(!hardly.storage && !some.storage, "nothing bounds the writes");
    }

    /// The database's own measurement, without a histogram, was passed over in the title.
    #[test]
    fn what_the_database_measured_needs_no_histogram() {
        let finding = Hour::new(20_000.0)
            .foreground("log file sync", 100_000.0, 2_900.0)
            .background("log file parallel write", 95_000.0, 76.0)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 2_900e6)
            .stat("redo synch time overhead (usec)", 2_810e6)
            .found(run);
        let says = "28.1 ms of each passed after the write, which explains at most 0.9 ms";
        assert!(finding.title.ends_with(says), "{}", finding.title);
        assert!(!finding.actions[0].contains("Get the split"), "{:?}", finding.actions);
    }

    #[test]
    fn nothing_printed_is_said() {
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }

    #[test]
    fn a_histogram_and_a_statistic_were_asked_of_releases_without_them() {
        let says = |version: &str| {
            Hour::new(20_000.0)
                .device(DeviceClass::Disk)
                .foreground("log file sync", 100_000.0, 2_900.0)
                .background("log file parallel write", 95_000.0, 76.0)
                .with(|r| r.identity.version = Some(version.to_owned()))
                .found(run)
                .actions
                .concat()
        };
        let old = says("9.2.0.5.0");
        assert!(old.contains("event 10046") && !old.contains("histogram"), "{old}");
        assert!(says("10.2.0.4.0").contains("the histogram") && !says("10.2.0.4.0").contains("overhead"));
        assert!(says("11.2.0.1.0").contains("or the `redo synch time overhead (usec)` statistic"));
    }

    /// "Of which not the write 0.430 ms" stood beside "at least 2.67 ms of each is not the writes".
    #[test]
    fn what_passed_after_the_write_contradicted_what_is_not_the_writes() {
        let finding = hour(3_000.0, 0.5)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 3_000e6)
            .stat("redo synch time overhead (usec)", 430e6)
            .found(run);
        assert!(
            finding.title.ends_with("not the writes, 4.3 ms of it after they were done"),
            "{}",
            finding.title
        );
        // "Storage answers within its bar", and "look at the storage of the redo logs".
        let actions = finding.actions.concat();
        assert!(!actions.contains("Look at the storage"), "{actions}");
        assert!(actions.contains("within its bar (mean 0.5 ms, bar"), "{actions}");
    }

    /// "More than log writes explain" was marked as a matter of storage, since log writes were slow besides.
    #[test]
    fn an_excess_beyond_slow_writes_was_storage() {
        let of = |sync_s| hour(sync_s, 12.0).found(run);
        let explained = of(1_400.0);
        assert!(
            explained.storage && explained.title.ends_with("log writes explain it"),
            "{}",
            explained.title
        );
        let most_us = {
            let hour = hour(1_400.0, 12.0);
            let case = crate::Case::new(&hour.report, &crate::Options::default());
            case.commit.explained_us.map_or(0.0, |range| range.high)
        };
        let beyond = of(1.3 * most_us * 100_000.0 / 1e6);
        assert!(beyond.title.ends_with("more than log writes explain"), "{}", beyond.title);
        assert!(!beyond.storage);
    }
}
