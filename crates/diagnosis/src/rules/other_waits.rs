//! Waits that no other finding explains.
//!
//! # What it detects
//! An event, or a class of which no event was read, takes a share of DB time that nobody passes over, and no rule
//! claims it: latches, busy buffers, messages between processes; reads and commits within their bar, of which there
//! are just many.
//!
//! # Why it costs response time
//! Sessions stand still as long as the wait lasts, whatever its name. A report that shows 25 % of DB time in one event
//! and lists smaller causes leads to the wrong one.
//!
//! # Facts needed
//! Foreground wait events and DB time.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | one event | 5 % of DB time | practitioners notice a wait from there on |
//! | a class of which no event was read | 10 % of DB time | ours |
//! | claimed by other findings | less than half of it | ours |
//!
//! # When it is wrong
//! It names no cause: another rule may have lacked the facts to name one. Waits within their bar may be the work that
//! the database is there for.
//!
//! # What to do
//! See where sessions wait: ASH by event, SQL and object. What each event is for is in the actions.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, sql_id, current_obj#, count(*) as samples from v$active_session_history
//!  where sample_time > sysdate - 1 / 24 and event is not null
//!  group by event, sql_id, current_obj# order by 4 desc; -- needs the Diagnostics Pack
//! ```

use super::since::where_sessions_wait;
use super::{material, proof};
use crate::told::scan_that_leads;
use crate::{Case, Claim, EventTotal, Evidence, Finding, Verdict, words};
use spindle_facts::Side;

/// Share of DB time of one event, percent.
const EVENT_PCT: f64 = 5.0;
/// Share of DB time of a class of which no event was read, percent.
const CLASS_PCT: f64 = 10.0;
/// Part of an event that other findings claim, from which they explain it.
const EXPLAINED: f64 = 0.5;
/// Events and classes listed.
const MOST: usize = 3;

/// Where to look, by how the name of an event begins; a class's own where none fits.
const PLACES: &[(&str, &str)] = &[
    (
        "buffer busy waits",
        "Find the blocks that sessions change at once: Segments by Buffer Busy Waits, Buffer Wait Statistics by class of \
         block. Data blocks: hash-partition hot indexes, fewer rows a block; undo headers: more undo segments; segment \
         headers: automatic segment space management",
    ),
    (
        "latch: cache buffers chains",
        "Many sessions read the same few blocks: find them (Segments by Logical Reads; V$LATCH_CHILDREN by sleeps, X$BH \
         by touch count) and the statements that read them (SQL ordered by Gets). Fewer reads of them help: a plan \
         with fewer rows a loop, hot indexes partitioned by hash; storage has no part in it",
    ),
    (
        "latch: cache buffers lru chain",
        "Sessions look for free buffers: find what fills the cache (SQL ordered by Reads, full scans through it) and \
         whether the database writer keeps up",
    ),
    (
        "latch",
        "Find which latch: Latch Sleep Breakdown, V$LATCH by sleeps; P2 of `latch free` is its number in V$LATCHNAME. \
         Cache buffers chains are hot blocks, shared pool and library cache are parsing",
    ),
    ("mutex", "Find the mutex and who holds it: V$MUTEX_SLEEP_HISTORY"),
    (
        "log file sync",
        "Ask why there are so many commits: commits a second, rows changed by each, and who commits (ASH by module)",
    ),
    ("db file", READS_HINT),
    ("cell ", READS_HINT),
    ("direct path", READS_HINT),
    (
        "enq: KO",
        "Find the direct reads of segments with changed blocks in the cache, which wait for their checkpoint: SQL by \
         ASH, and what the database writer does then",
    ),
    ("enq: RO", "Find who drops or truncates segments: each one waits until its blocks are out of the cache"),
    ("enq: ", "Find the holders: V$SESSION.BLOCKING_SESSION, ASH"),
    (
        "External Procedure",
        "See how long the agents of external procedures take to start and to answer (listener, extproc), and which \
         sessions call them",
    ),
    (
        "Failed Logon Delay",
        "Find who logs on with a wrong password (audit trail, return code 1017; the listener's log names the client): \
         each further attempt is held back for seconds, and no statement waits",
    ),
    ("local write wait", "Find who truncates or drops segments: their blocks are written first"),
    (
        "virtual circuit",
        "It is the shared server architecture: see how busy the dispatchers (V$DISPATCHER) and shared servers \
         (V$SHARED_SERVER) are and how long requests queue for them (V$QUEUE), raise DISPATCHERS, SHARED_SERVERS and \
         MAX_SHARED_SERVERS, and give long work dedicated servers",
    ),
    (
        "PX ",
        "Find the parallel statements (SQL Monitor): skew between their processes, or too many of them at once",
    ),
    ("resmgr:", "Check the active resource plan and CPU_COUNT: sessions are held back on purpose"),
    (
        "gc ",
        "Find the blocks that instances want at once: Segments by Global Cache Buffer Busy, SQL by Cluster Wait",
    ),
    (
        "SQL*Net",
        "See how many round trips the statements make (array size, rows a fetch) and how far the client is",
    ),
    ("reliable message", "Find the channel (V$CHANNEL_WAITS): a background process answers late"),
    (
        "row cache",
        "Find the cache of the dictionary (V$ROWCACHE by gets and misses): sequences without cache, DDL, logons",
    ),
    (
        "undo segment",
        "See how transactions come and go (V$UNDOSTAT): undo segments are brought online again and again",
    ),
];
const READS_HINT: &str = "How many and how large these requests are decides: SQL ordered by Reads, Segments by Physical \
                          Reads; fewer of them help on any storage";

/// Where to look, by class.
const CLASSES: &[(&str, &str)] = &[
    ("Application", "Find the holders: V$SESSION.BLOCKING_SESSION, ASH"),
    ("Concurrency", "Find what sessions want at once: ASH by event, P1 and object"),
    ("Cluster", "See SQL by Cluster Wait, Segments by Global Cache Buffer Busy, and the private network"),
    ("Configuration", "See which limit holds sessions back: size of logs, log buffer, writers, undo"),
    ("Commit", "See commits a second and the log writer's writes"),
    ("Network", "See round trips and bytes a statement, and how far the other end is"),
    ("Scheduler", "Check the active resource plan and CPU_COUNT: sessions are held back on purpose"),
    ("User I/O", READS_HINT),
];
const ANY: &str = "See which statements and objects wait for it: ASH by event, SQL and object";

/// As if no other finding were there.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    beside(case, &[])
}

/// Waits that these findings do not explain.
pub(crate) fn beside(case: &Case<'_>, findings: &[Finding]) -> Verdict {
    let pct = |seconds: f64| material::share_pct(case, seconds).unwrap_or(0.0);
    if material::share_pct(case, 1.0).is_none() {
        return Verdict::CannotTell(material::unweighed(case));
    }
    let claimed_s = |event: &str| -> f64 {
        findings.iter().flat_map(|f| &f.claims).filter(|c| c.of == event).map(|c| c.seconds).sum()
    };
    let mut events: Vec<&EventTotal> = case
        .events
        .iter()
        .filter(|e| e.side == Side::Foreground && !e.is_idle)
        // Of very many rows, as a damaged report may hold them, few are sought by name.
        .filter(|e| pct(e.time_s) >= EVENT_PCT && pct(case.event_time_s(&e.event)) >= EVENT_PCT)
        .filter(|e| claimed_s(&e.event) < EXPLAINED * case.event_time_s(&e.event))
        .collect();
    let below: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    events.retain(|e| material::is_material(case, case.event_time_s(&e.event)));
    events.truncate(MOST);
    let side = &case.response_time.foreground;
    let without = |c: &&crate::ClassTime| c.events.is_empty() && pct(c.printed_s) >= CLASS_PCT;
    let classes: Vec<&crate::ClassTime> = side.classes.iter().filter(without).take(MOST).collect();
    if events.is_empty() && classes.is_empty() {
        if below > 0.0 && material::weight(case, below) != material::Weight::Trivial {
            return Verdict::CannotTell(material::below_load(case, "waits for single events", below));
        }
        let rest = case.unlisted_waits().filter(|rest| pct(rest.each_s.min(rest.most_s)) >= EVENT_PCT);
        return rest.map_or(Verdict::NotFound, |rest| Verdict::CannotTell(rest.why));
    }
    Verdict::Found(finding(case, &events, &classes))
}

fn finding(case: &Case<'_>, events: &[&EventTotal], classes: &[&crate::ClassTime]) -> Finding {
    let of_events: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let of_classes: f64 = classes.iter().map(|c| c.printed_s).sum();
    let of_event = |e: &&EventTotal| {
        let seconds = case.event_time_s(&e.event);
        let mean = e.avg_us.map_or(String::new(), |us| format!(", mean {}", words::latency(us)));
        format!("`{}` {}{}{mean}", e.event, words::seconds(seconds), material::of_db_time(case, seconds))
    };
    let of_class = |c: &&crate::ClassTime| {
        let share = material::of_db_time(case, c.printed_s);
        format!("{} waits {}{share}, by class alone", c.wait_class, words::seconds(c.printed_s))
    };
    let listed: Vec<String> = events.iter().map(of_event).chain(classes.iter().map(of_class)).collect();
    let mut actions: Vec<String> = Vec::new();
    for event in events {
        let by_name = PLACES.iter().find(|(start, _)| event.event.starts_with(start)).map(|(_, look)| *look);
        let scan = scan_that_leads(case.report, &event.event).filter(|_| event.event == "buffer busy waits");
        if let Some((_, id, step)) = scan {
            actions.push(format!(
                "`{}`: Look at the plan of {id}, which leads the report's samples of it at `{step}`: what scans a whole \
                 object asks for the blocks that others change; an index, or a scan at another time, ends that",
                event.event
            ));
            continue;
        }
        let look = by_name.or_else(|| of_class_named(&event.wait_class)).unwrap_or(ANY);
        let action = where_sessions_wait(case, &format!("`{}`: {look}", event.event));
        actions.push(action);
    }
    for class in classes {
        let look = of_class_named(&class.wait_class).unwrap_or(ANY);
        actions.push(where_sessions_wait(case, &format!("{}: {look}", class.wait_class)));
    }
    let mut evidence = proof::largest(case, events);
    evidence.extend(classes.iter().filter_map(|class| class_evidence(case, &class.wait_class)));
    let by_class = classes.iter().map(|c| (&c.wait_class, c.printed_s));
    Finding {
        title: format!("Waits that no other finding explains: {}", listed.join("; ")),
        touches_s: of_events + of_classes,
        claims: events.iter().map(|e| (&e.event, case.event_time_s(&e.event))).chain(by_class)
            .map(|(of, seconds)| Claim { of: of.clone(), seconds })
            .collect(),
        evidence,
        actions,
        caveat: "What it is, not why: another rule may have lacked the facts to name the cause. Many waits that are \
                 short each may be the work that the database is there for"
            .to_owned(),
        ..Finding::default()
    }
}

fn of_class_named(wait_class: &str) -> Option<&'static str> {
    CLASSES.iter().find(|(name, _)| *name == wait_class).map(|(_, look)| *look)
}

fn class_evidence(case: &Case<'_>, wait_class: &str) -> Option<Evidence> {
    let rows = &case.report.tables.wait_class;
    let row = rows.iter().position(|r| r.wait_class == wait_class && r.side != Side::Background)?;
    let printed = &rows[row];
    let text = format!("{wait_class}: {}", words::seconds(printed.time_s?));
    Some(case.evidence("wait_class", row, printed.line, printed.section, text))
}

#[cfg(test)]
mod tests {
    use super::{beside, run};
    use crate::rules::testing::Hour;
    use crate::{Case, Options, Verdict, diagnose};

    /// `latch free`, the second event with a quarter of DB time, was a bar in the chart, while 8 % of a database link
    /// was a finding.
    #[test]
    fn a_quarter_of_db_time_in_one_event_was_no_finding() {
        let found = Hour::new(7200.0).cpu(3_000.0).foreground("latch free", 110_000.0, 1_800.0).found(run);
        assert!(
            found.title.contains("`latch free` 1,800 s (25 % of DB time), mean 16.4 ms"),
            "{}",
            found.title
        );
        assert!(found.actions[0].contains("V$LATCHNAME"), "{:?}", found.actions);
        Hour::new(7200.0).cpu(6_800.0).foreground("latch free", 110_000.0, 350.0).not_found(run);
    }

    /// Its class is that of locks: for agents that took 20 s to start, holders of locks were to be found.
    #[test]
    fn holders_of_locks_were_sought_for_external_procedures() {
        let hour =
            Hour::new(7200.0).cpu(3_000.0).foreground("External Procedure initial connection", 32.0, 639.0);
        let found = hour.found(run);
        assert!(
            found.actions[0].contains("extproc") && !found.actions[0].contains("BLOCKING"),
            "{:?}",
            found.actions
        );
    }

    /// Which latch it is was to be found out, of an event that names it.
    #[test]
    fn a_latch_was_sought_that_the_event_names() {
        let action = |event: &str| {
            let hour = Hour::new(7200.0).cpu(3_000.0).foreground(event, 110_000.0, 1_800.0);
            hour.found(run).actions.remove(0)
        };
        let chains = action("latch: cache buffers chains");
        assert!(chains.contains("SQL ordered by Gets") && !chains.contains("Find which latch"), "{chains}");
        assert!(action("latch free").contains("Find which latch"));
    }

    #[test]
    fn what_another_finding_claims_is_no_second_one() {
        let hour = Hour::new(7200.0)
            .cpu(3_000.0)
            .foreground("enq: TX - row lock contention", 10.0, 2_000.0)
            .foreground("buffer busy waits", 900_000.0, 900.0);
        let diagnosis = diagnose(&hour.report, &Options::default());
        let of = |rule: &str| diagnosis.findings.iter().find(|f| f.rule == rule).map(|f| f.title.clone());
        assert!(of("locks").is_some());
        let other = of("other_waits").unwrap_or_default();
        assert!(other.contains("buffer busy waits") && !other.contains("row lock"), "{other}");
        assert!(diagnosis.findings.iter().map(|f| f.impact_s).sum::<f64>() <= 7200.0);
    }

    #[test]
    fn without_waits_or_load_it_cannot_tell() {
        assert!(Hour::new(7200.0).cpu(3_000.0).missing(run).contains("no wait events"));
        let idle = Hour::new(50.0).cpu(10.0).foreground("latch free", 10.0, 30.0).missing(run);
        assert!(idle.starts_with("enough load to judge"), "{idle}");
        let hour = Hour::new(7200.0).cpu(7_000.0).foreground("latch free", 10.0, 30.0);
        assert!(matches!(beside(&Case::new(&hour.report, &Options::default()), &[]), Verdict::NotFound));
    }

    /// "See round trips and bytes a statement, and how far the other end is", of a wait for a shared server.
    #[test]
    fn a_shared_server_was_taken_for_a_distant_network() {
        let found =
            Hour::new(7200.0).cpu(3_000.0).foreground("virtual circuit wait", 1e4, 1_800.0).found(run);
        assert!(found.actions[0].contains("V$DISPATCHER") && found.actions[0].contains("V$QUEUE"));
        assert!(!found.actions[0].contains("other end"), "{:?}", found.actions);
    }

    #[test]
    fn session_history_was_advised_to_a_release_without_it() {
        let found = Hour::new(7200.0)
            .cpu(3_000.0)
            .foreground("enq: XX - contention", 1e4, 1_800.0)
            .with(|r| r.identity.version = Some("9.2.0.5.0".to_owned()))
            .found(run);
        assert!(
            found.actions[0].contains("V$LOCK") && !found.actions[0].contains("ASH"),
            "{:?}",
            found.actions
        );
    }
}
