//! Sessions queue for cursors and other objects of the library cache, though little is parsed.
//!
//! # What it detects
//! Waits for mutexes, locks and latches of the library cache, row cache and shared pool that parse
//! time does not explain.
//!
//! # Why it costs response time
//! Each execution pins its cursor for an instant under a mutex. Very many sessions that execute one
//! cursor at once, a cursor with hundreds of children that each execution searches, an object
//! locked by DDL, or logons that fail: all queue for one place in memory, and spin on the CPU
//! meanwhile.
//!
//! # Facts needed
//! Foreground wait events; `parse time elapsed` (time model or statistic) to tell it from parsing.
//!
//! # Thresholds
//! 3 % of DB time, or 1 % where it holds up half a session on average: our own, the same for every
//! cause. Where parse time is half of these waits or more they belong to parsing, and the rule on
//! hard parsing reports them.
//!
//! # When it is wrong
//! With saturated CPUs the holder of a mutex may be off the CPU: then CPU is the cause. Where the
//! report prints no parse time, the waits may come from parsing after all.
//!
//! # What to do
//! Look at `SQL ordered by Version Count` (why so many children: `V$SQL_SHARED_CURSOR`) and at the
//! statements executed most. Keep DDL, grants and statistics out of busy hours. Stop logons that
//! fail. Then search for known defects of the release with the name of the event.
//!
//! # SQL to see the evidence
//! ```sql
//! select * from (select sql_id, version_count, executions from v$sqlarea order by version_count desc)
//!  where rownum <= 10;
//! select mutex_type, location, sum(sleeps) as sleeps from v$mutex_sleep group by mutex_type, location order by 3 desc;
//! ```

use super::hard_parsing::{ParseTime, library_cache_waits};
use super::proof::Group;
use super::{material, proof};
use crate::{Case, EventTotal, Finding, Verdict, words};

/// Waits for the library cache that parsing does not explain, as a material part of DB time.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let (events, seconds) = match library_cache_waits(case) {
        Group::Material(events, seconds) => (events, seconds),
        Group::Trivial => return Verdict::NotFound,
        Group::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let parse = ParseTime::of(case);
    if parse.as_ref().is_some_and(|p| p.explains(seconds)) {
        return Verdict::NotFound;
    }
    let versions = proof::most_versions(case);
    let beside = match &parse {
        Some(parse) => format!(", while parsing took {}", words::seconds(parse.seconds)),
        None => String::new(),
    };
    let mut evidence = proof::largest(case, &events);
    evidence.extend(proof::time_model(case, "parse time elapsed"));
    let actions = actions(&events, versions.as_ref().map(|v| v.0.as_str()));
    evidence.extend(versions.map(|v| v.1));
    let first = events.first().map_or(String::new(), |e| {
        let part = if case.event_time_s(&e.event) >= 0.5 * seconds { "most" } else { "the largest" };
        format!(", {part} of it `{}`", e.event)
    });
    let of_rows =
        events.iter().filter(|e| e.event.contains("row cache")).map(|e| case.event_time_s(&e.event));
    let cache = match of_rows.sum::<f64>() / seconds {
        all if all > 0.99 => "the row cache of the dictionary",
        part if part > 0.01 => "the library cache and the row cache of the dictionary",
        _ => "the library cache",
    };
    Verdict::Found(Finding {
        title: format!(
            "Sessions waited {} for {cache}{}{first}{beside}",
            words::seconds(seconds),
            material::of_db_time(case, seconds)
        ),
        touches_s: seconds,
        claims: proof::claims(case, &events),
        evidence,
        actions,
        caveat: if parse.is_some() {
            "With saturated CPUs the holder of a mutex may be off the CPU: then CPU is the cause".to_owned()
        } else {
            "Parse time is not printed: these waits may come from hard parses".to_owned()
        },
        ..Finding::default()
    })
}

fn actions(events: &[&EventTotal], most_versions: Option<&str>) -> Vec<String> {
    let any = |start: &str| events.iter().any(|e| e.event.starts_with(start));
    let mut actions = Vec::new();
    if any("cursor:") || any("library cache") || any("kksfbc") {
        actions.push(match most_versions {
            Some(sql_id) => format!(
                "Find out why {sql_id} has so many child cursors (V$SQL_SHARED_CURSOR), and execute the hottest \
                 statements less often"
            ),
            None => "Look at SQL ordered by Version Count (V$SQL_SHARED_CURSOR says why) and at the statements \
                     executed most"
                .to_owned(),
        });
    }
    if any("library cache lock") || any("row cache") {
        actions.push(
            "Keep DDL, grants and statistics gathering out of busy hours, and stop logons that fail"
                .to_owned(),
        );
    }
    if any("row cache") || any("latch: row cache") {
        actions.push("Give sequences that are used much a larger CACHE".to_owned());
    }
    if any("latch: shared pool") {
        actions.push(
            "Give the shared pool a minimum (SHARED_POOL_SIZE), so that it does not shrink and reload"
                .to_owned(),
        );
    }
    if actions.is_empty() {
        actions.push(
            "Find the objects that sessions queue for: V$MUTEX_SLEEP, ASH (P1 is the object's hash value)"
                .to_owned(),
        );
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::SqlStat;

    #[test]
    fn waits_for_the_row_cache_were_for_the_library_cache() {
        let hour = || Hour::new(7200.0).cpu(3_000.0).foreground("latch: row cache objects", 1e5, 1_000.0);
        let title = |hour: Hour| hour.found(run).title;
        let rows = title(hour());
        assert!(rows.contains("1,000 s for the row cache of the dictionary (14 % of DB time)"), "{rows}");
        let both = title(hour().foreground("library cache lock", 1e5, 1_000.0));
        assert!(both.contains("2,000 s for the library cache and the row cache of the dictionary"), "{both}");
    }

    #[test]
    fn waits_without_parsing() {
        let hour = |waited| {
            Hour::new(7200.0).cpu(1000.0).time_model("parse time elapsed", 100.0).foreground(
                "cursor: mutex X",
                1e6,
                waited,
            )
        };
        let found = hour(217.0).found(run);
        assert!(found.title.contains("217 s for the library cache (3 % of DB time)"), "{}", found.title);
        assert!(found.title.contains("while parsing took 100 s"), "{}", found.title);
        assert!(!found.storage);
        hour(199.0).not_found(run);
        hour(201.0).not_found(run);
    }

    #[test]
    fn most_is_more_than_half() {
        let hour = |second: f64| {
            Hour::new(7200.0)
                .foreground("library cache lock", 1e5, 1_000.0)
                .foreground("cursor: pin S wait on X", 1e5, second)
                .found(run)
        };
        assert!(hour(900.0).title.contains("most of it `library cache lock`"));
        let spread = hour(990.0);
        assert!(!spread.title.contains("the largest"), "{}", spread.title);
        let third = Hour::new(7200.0)
            .foreground("library cache lock", 1e5, 1_000.0)
            .foreground("cursor: pin S wait on X", 1e5, 900.0)
            .foreground("library cache: mutex X", 1e5, 800.0)
            .found(run);
        assert!(third.title.contains("the largest of it `library cache lock`"), "{}", third.title);
    }

    #[test]
    fn waits_that_parsing_explains_are_reported_there() {
        Hour::new(7200.0)
            .time_model("parse time elapsed", 1_100.0)
            .foreground("library cache: mutex X", 1e6, 2_000.0)
            .not_found(run);
    }

    #[test]
    fn the_cursor_with_most_children_is_named() {
        let found = Hour::new(7200.0)
            .foreground("cursor: mutex S", 1e6, 2_000.0)
            .with(|r| {
                r.tables.sql_stat.push(SqlStat {
                    ranked_by: "version_count",
                    sql_id: Some("8f2k5t0vdnq1w".into()),
                    version_count: Some(900.0),
                    line: 66,
                    ..SqlStat::default()
                });
            })
            .found(run);
        assert!(found.actions[0].contains("8f2k5t0vdnq1w"), "{:?}", found.actions);
        assert!(found.caveat.contains("Parse time is not printed"));
        assert!(found.evidence.iter().any(|e| e.line == 66));
    }

    #[test]
    fn without_wait_events_it_cannot_tell() {
        assert!(Hour::new(7200.0).cpu(3000.0).missing(run).contains("library cache"));
    }
}
