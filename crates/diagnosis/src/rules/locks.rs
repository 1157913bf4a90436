//! Waits for locks.
//!
//! # What it detects
//! Sessions wait for locks (enqueues) that other sessions hold: rows, tables, index entries,
//! sequences, locks of the application's own; in RAC also for the locks that instances hold together (`DFS lock handle`)
//! and for branches of a distributed (XA) transaction.
//!
//! # Why it costs response time
//! The waiter stands still until the holder commits, rolls back or lets go. The wait is as long as
//! the holder's transaction, whatever the storage does, unless the holder itself waits for storage.
//!
//! # Facts needed
//! Foreground wait events `enq: ...` (9i: `enqueue`), `DFS lock handle`, `Global transaction acquire instance locks`,
//! `inactive transaction branch`, and where printed `Segments by Row Lock
//! Waits` and the enqueue activity.
//!
//! Left out, because they wait for the database writer or for files and other rules look at them:
//! `enq: KO - fast object checkpoint`, `enq: RO - fast object reuse`, `enq: CR - block range reuse
//! ckpt`, `enq: CF - contention`.
//!
//! # Thresholds
//! 3 % of DB time, or 1 % where it holds up half a session on average: our own, the same for every
//! cause.
//!
//! # When it is wrong
//! A holder that waits for a slow commit or read holds its lock longer: where storage is slow too,
//! look there first. One blocked batch session can wait all interval long and look large although
//! no user was held up. `enqueue` of 9i mixes every type; the enqueue activity tells them apart.
//!
//! # What to do
//! Find the blocker, not the waiters: `V$SESSION.BLOCKING_SESSION`, or ASH. Row locks: shorten the
//! transaction, commit after the last statement and not after the user's lunch, and do not let two
//! jobs change the same rows. TM: index the foreign keys. Index contention: hash-partition the
//! index or scale the sequence. ITL: higher INITRANS. SQ: larger sequence cache. HW: preallocate
//! extents. Distributed (XA) transactions: all branches on one instance (a service that runs on one), and none left in
//! doubt. `DFS lock handle`: P1 holds the name of the lock, for example SV (a sequence in order) or BB (an XA transaction
//! over several instances).
//!
//! # SQL to see the evidence
//! ```sql
//! select sid, event, seconds_in_wait, blocking_session, row_wait_obj#, sql_id
//!   from v$session where wait_class <> 'Idle' and event like 'enq:%' order by seconds_in_wait desc;
//! ```

use super::since::where_sessions_wait;
use super::{material, proof};
use crate::{Case, EventTotal, Evidence, Finding, Verdict, words};

/// Locks that stand for a wait for files or the database writer.
const STORAGE_LOCKS: &[&str] = &["enq: KO", "enq: RO", "enq: CR", "enq: CF"];

/// Locks by their first letters, and what to do about them.
const REMEDIES: &[(&str, &str)] = &[
    (
        "enq: TX - row lock",
        "Find who holds the rows (V$SESSION.BLOCKING_SESSION, ASH) and shorten that transaction: commit after \
         its last statement, never while a user thinks; keep two jobs from changing the same rows",
    ),
    (
        "enq: TX - index",
        "Spread the inserts over the index: hash-partition it, or use a scalable sequence with a large cache",
    ),
    (
        "enq: TX - allocate ITL",
        "Rebuild the segments with higher INITRANS: blocks have no room for one more transaction",
    ),
    (
        "enq: TM",
        "Index the foreign keys of the tables named below, and look for LOCK TABLE and direct-path inserts",
    ),
    ("enq: SQ", "Raise the CACHE of the sequences that are used most, without ORDER"),
    ("enq: HW", "Allocate extents ahead of the load (large uniform extents; for LOBs SecureFiles)"),
    (
        "enq: UL",
        "Look at the application's own locks (DBMS_LOCK): which job holds them, and must they serialise?",
    ),
    (
        "enq: TX - contention",
        "Look for transactions in doubt (DBA_2PC_PENDING) or long uncommitted ones that hold what is not a row, and for \
         branches of one XA transaction that wait for each other: V$SESSION.BLOCKING_SESSION, ASH",
    ),
    (
        "DFS lock handle",
        "See which lock it is, its name is in P1 of the waiting sessions: SV a sequence with ORDER (give it up, or raise \
         its CACHE), CI calls to all instances (truncates, drops, checkpoints: fewer of them), BB an XA transaction over \
         several instances (a service that runs on one instance)",
    ),
    ("Global transaction", BRANCHES),
    ("inactive transaction branch", BRANCHES),
    ("enq: BB", BRANCHES),
    ("enq: DX", BRANCHES),
    ("enq: TX", "Find who holds the transaction's resources: V$SESSION.BLOCKING_SESSION, ASH"),
    ("enq: US", "Keep undo segments online: a fixed-size undo tablespace, or a larger undo retention"),
    (
        "enqueue",
        "Take the types from the enqueue activity (TX rows, TM tables, SQ sequences, HW space), then the blockers",
    ),
];

/// Waits of distributed (XA) transactions.
const BRANCHES: &str = "Keep all branches of an XA transaction on one instance (a service that runs on one, tightly coupled \
                        branches as few as can be), and look for transactions in doubt or left by a transaction manager \
                        that died (DBA_2PC_PENDING, V$GLOBAL_TRANSACTION)";

/// Waits for locks that are not named as such, by how they begin: between instances, and of distributed transactions.
const OTHER_NAMES: &[&str] =
    &["DFS lock handle", "Global transaction acquire instance locks", "inactive transaction branch"];

/// See the module.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let (events, seconds) = match proof::group(case, "waits for locks (enqueues)", is_lock) {
        proof::Group::Material(events, seconds) => (events, seconds),
        proof::Group::Trivial => return Verdict::NotFound,
        proof::Group::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let mut evidence = proof::largest(case, &events);
    let leads = |start: &str| {
        events.iter().any(|e| e.event.starts_with(start) && case.event_time_s(&e.event) >= 0.1 * seconds)
    };
    if leads("enq: TX - row lock") || leads("enqueue") {
        evidence.extend(proof::segments(case, "row_lock_waits", 3));
    }
    if leads("enq: TX - allocate ITL") {
        evidence.extend(proof::segments(case, "itl_waits", 3));
    }
    // Later releases print an event a type, which says the same.
    if leads("enqueue") {
        evidence.extend(enqueue_activity(case));
    }
    Verdict::Found(Finding {
        title: title(case, &events, seconds),
        touches_s: seconds,
        claims: proof::claims(case, &events),
        evidence,
        actions: actions(case, &events, seconds),
        caveat:
            "Seconds of waiters, not of the holder: one long transaction can block many sessions. Where the \
                 holder itself waits for a commit or a read, that is the cause"
                .to_owned(),
        ..Finding::default()
    })
}

/// Is it a wait for a lock, and not for files or the database writer in a lock's clothes?
fn is_lock(event: &str) -> bool {
    let is_other = || OTHER_NAMES.iter().any(|name| event.eq_ignore_ascii_case(name));
    (event.starts_with("enq: ") || event == "enqueue" || is_other())
        && !STORAGE_LOCKS.iter().any(|storage| event.starts_with(storage))
}

fn title(case: &Case<'_>, events: &[&EventTotal], seconds: f64) -> String {
    let share = material::of_db_time(case, seconds);
    let first = events.first().map_or("", |e| e.event.as_str());
    let of = events.first().map_or(0.0, |e| case.event_time_s(&e.event));
    if of >= 0.95 * seconds {
        format!("Sessions waited {} for locks{share}: {first}", words::seconds(seconds))
    } else {
        format!(
            "Sessions waited {} for locks{share}, {} of it {first}",
            words::seconds(seconds),
            words::seconds(of)
        )
    }
}

/// What to do about each lock that makes a tenth of the waits, largest first.
fn actions(case: &Case<'_>, events: &[&EventTotal], seconds: f64) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    for event in events.iter().filter(|e| case.event_time_s(&e.event) >= 0.1 * seconds) {
        let begins = |start: &str| {
            event.event.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
        };
        let remedy = REMEDIES.iter().find(|(start, _)| begins(start)).map_or_else(
            || format!("Find the blockers of `{}`: V$SESSION.BLOCKING_SESSION, ASH", event.event),
            |(_, remedy)| (*remedy).to_owned(),
        );
        let remedy = where_sessions_wait(case, &remedy);
        if !actions.contains(&remedy) {
            actions.push(remedy);
        }
    }
    actions
}

/// The enqueue types that were waited for longest, as printed.
fn enqueue_activity(case: &Case<'_>) -> Vec<Evidence> {
    let rows = &case.report.tables.enqueue;
    let time = |row: &spindle_facts::PrintedRow| {
        row.cells.iter().find(|(key, _)| is_total_wait(key)).and_then(|(key, value)| match value {
            spindle_facts::Value::Number(n) if key.ends_with("_ms") => Some(n / 1e3),
            spindle_facts::Value::Number(n) => Some(*n),
            _ => None,
        })
    };
    let name = |row: &spindle_facts::PrintedRow| {
        row.cells.iter().find_map(|(_, value)| match value {
            spindle_facts::Value::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        })
    };
    let mut timed: Vec<_> =
        rows.iter().filter_map(|r| Some((time(r).filter(|t| *t > 0.0)?, name(r)?, r))).collect();
    timed.sort_by(|a, b| b.0.total_cmp(&a.0));
    timed
        .into_iter()
        .take(3)
        .map(|(seconds, name, row)| {
            case.printed_evidence("enqueue", rows, row, format!("{name}: waited {}", words::seconds(seconds)))
        })
        .collect()
}

/// Is this the column of the time waited in total (`Wt Time (s)`, `Wait Time (s)`), not of the mean?
fn is_total_wait(key: &str) -> bool {
    (key.contains("wt_time") || key.contains("wait_time")) && !key.contains("av")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{PrintedRow, SegmentStat, Value};

    #[test]
    fn row_locks_name_the_rows_and_what_to_do() {
        let found = Hour::new(7200.0)
            .cpu(1000.0)
            .foreground("enq: TX - row lock contention", 500.0, 3_000.0)
            .with(|r| {
                r.tables.segment_stat.push(SegmentStat {
                    ranked_by: "row_lock_waits",
                    owner: Some("SHOP".into()),
                    object: Some("ORDERS".into()),
                    value: Some(480.0),
                    line: 55,
                    ..SegmentStat::default()
                });
            })
            .found(run);
        assert!(found.title.contains("3,000 s for locks (42 % of DB time)"), "{}", found.title);
        assert!(found.evidence.iter().any(|e| e.text.contains("SHOP.ORDERS") && e.line == 55));
        assert!(found.actions[0].contains("BLOCKING_SESSION"), "{:?}", found.actions);
        assert!(!found.storage);
    }

    /// Waits of XA transactions led, and stood among `waits that no other finding explains`.
    #[test]
    fn waits_for_branches_and_locks_of_other_instances_were_no_locks() {
        let hour = |event| Hour::new(7200.0).cpu(1000.0).foreground(event, 5e6, 3_000.0);
        for event in ["inactive transaction branch", "Global transaction acquire instance locks"] {
            let found = hour(event).found(run);
            assert!(found.title.contains(&format!("3,000 s for locks (42 % of DB time): {event}")));
            assert!(found.actions[0].contains("XA") && found.actions[0].contains("DBA_2PC_PENDING"));
        }
        let found = hour("DFS lock handle").found(run);
        assert!(found.actions[0].contains("SV a sequence"), "{:?}", found.actions);
        assert!(
            hour("enq: TX - contention").found(run).actions[0].contains("branches of one XA transaction")
        );
        let diagnosis = crate::diagnose(&hour("DFS lock handle").report, &crate::Options::default());
        assert!(!diagnosis.findings.iter().any(|f| f.rule == "other_waits"));
    }

    #[test]
    fn from_three_percent_on() {
        let hour = |seconds| Hour::new(7200.0).cpu(1000.0).foreground("enq: TM - contention", 50.0, seconds);
        hour(217.0).found(run);
        hour(215.0).not_found(run);
    }

    #[test]
    fn locks_that_wait_for_the_database_writer_or_files_are_left_to_others() {
        Hour::new(7200.0)
            .foreground("enq: KO - fast object checkpoint", 500.0, 2_000.0)
            .foreground("enq: CF - contention", 500.0, 2_000.0)
            .not_found(run);
    }

    #[test]
    fn nine_i_prints_one_event_and_the_types_apart() {
        let row = PrintedRow {
            line: 77,
            section: 0,
            instance_number: None,
            cells: vec![
                ("eq", Value::Text("TX".into())),
                ("avg_wt_time_ms", Value::Number(2.0)),
                ("wait_time_s", Value::Number(900.0)),
            ]
            .into(),
        };
        let found = Hour::new(7200.0)
            .foreground("enqueue", 500.0, 1_000.0)
            .with(|r| r.tables.enqueue.push(row))
            .found(run);
        assert!(found.evidence.iter().any(|e| e.text == "TX: waited 900 s"), "{:?}", found.evidence);
    }

    #[test]
    fn top_events_alone_rule_out_only_what_is_smaller_than_they_are() {
        Hour::new(7200.0)
            .top("db file sequential read", Some(1e5), 4_000.0)
            .top("log file sync", Some(1e4), 50.0)
            .not_found(run);
        let missing = Hour::new(7200.0).top("db file sequential read", Some(1e5), 4_000.0).missing(run);
        assert!(missing.contains("locks"), "{missing}");
    }

    /// The leading events of both sides explained 5 % of DB time, and 42 causes were looked for and not found.
    #[test]
    fn events_of_the_background_in_a_list_of_both_sides_acquitted_the_foreground() {
        let both = |scope| {
            Hour::new(38_000.0)
                .cpu(1_700.0)
                .event("latch: redo allocation", spindle_facts::Side::All, 180_000.0, 82.0, (82.0, 82.0))
                .with(|r| r.identity.scope = scope)
        };
        let missing = both(spindle_facts::Scope::Database).missing(run);
        assert!(missing.contains("no wait events were read"), "{missing}");
        both(spindle_facts::Scope::Instance).not_found(run);
    }

    /// 53 s of row locks were 99 % of the DB time of an idle hour, and were looked for and not found.
    #[test]
    fn locks_below_the_load_that_is_judged_were_not_there() {
        let idle =
            |seconds| Hour::new(50.0).cpu(0.5).foreground("enq: TX - row lock contention", 2.0, seconds);
        let missing = idle(49.0).missing(run);
        assert!(
            missing.starts_with("enough load to judge (waits for locks (enqueues): 49 s (98 % of DB time)"),
            "{missing}"
        );
        idle(1.0).not_found(run);
    }
}
