//! Waits for the control file.
//!
//! # What it detects
//! Sessions wait to read or write the control file, or for its lock.
//!
//! # Why it costs response time
//! The control file is read block by block without a cache, and written to every copy one change at
//! a time. Views on files, archived logs and backups read it whole; every unlogged direct write by
//! default marks the file as unrecoverable in it.
//!
//! # Facts needed
//! Foreground wait events `control file ...` and `enq: CF - contention`.
//!
//! # Thresholds
//! 3 % of DB time, or 1 % where it holds up half a session on average: our own, the same for every
//! cause.
//!
//! # When it is wrong
//! Monitoring that asks such views every few seconds is the usual cause, on storage that is fine.
//! In a database that does little else, the snapshot itself reads the control file.
//!
//! # What to do
//! Find who asks (`ASH`, `SQL ordered by Elapsed Time`: `V$ARCHIVED_LOG`, `V$BACKUP...`,
//! `DBA_DATA_FILES`, RMAN) and ask less often. Lower `CONTROL_FILE_RECORD_KEEP_TIME` if the control
//! file has grown large. For unlogged loads `DB_UNRECOVERABLE_SCN_TRACKING = FALSE` where no
//! standby needs it. Keep the copies on fast devices, apart from backups.
//!
//! # SQL to see the evidence
//! ```sql
//! select type, record_size * records_total / 1024 as kb, records_used from v$controlfile_record_section order by 2 desc;
//! select sql_id, module, count(*) from v$active_session_history
//!  where event like 'control file%' group by sql_id, module order by 3 desc; -- needs the Diagnostics Pack
//! ```

use super::material::{self, is_slow};
use super::proof;
use crate::{Case, Finding, Verdict, words};

/// Waits for the control file as a material part of DB time.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let belongs = |event: &str| event.starts_with("control file ") || event.starts_with("enq: CF");
    let (events, seconds) = match proof::group(case, "waits for the control file", belongs) {
        proof::Group::Material(events, seconds) => (events, seconds),
        proof::Group::Trivial => return Verdict::NotFound,
        proof::Group::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let reads_lead = case.event_time_s("control file sequential read") >= 0.5 * seconds;
    let mut actions = Vec::new();
    if reads_lead {
        actions.push(
            "Find who reads it (monitoring, RMAN, queries on V$ARCHIVED_LOG, V$BACKUP..., DBA_DATA_FILES) and ask less \
             often"
                .to_owned(),
        );
        actions.push("Lower CONTROL_FILE_RECORD_KEEP_TIME if the control file has grown large".to_owned());
    } else {
        actions.push(
            "Find what writes it: frequent log switches, unlogged loads (DB_UNRECOVERABLE_SCN_TRACKING), file resizing"
                .to_owned(),
        );
    }
    actions.push("Keep its copies on fast devices, apart from backups and archived logs".to_owned());
    let mut evidence = proof::largest(case, &events);
    evidence.extend(case.background_event("control file parallel write").map(|e| case.event_evidence(e)));
    Verdict::Found(Finding {
        title: format!(
            "Sessions waited {} for the control file{}",
            words::seconds(seconds),
            material::of_db_time(case, seconds)
        ),
        // Asked too often it is the askers' doing; slow answers are the storage's.
        storage: events
            .iter()
            .any(|e| !e.event.starts_with("enq") && is_slow(e, case.bars.single_block_read_us)),
        touches_s: seconds,
        claims: proof::claims(case, &events),
        evidence,
        actions,
        caveat: "Monitoring that asks too often is the usual cause, on storage that is fine".to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    #[test]
    fn asked_too_often() {
        let hour = |s| {
            Hour::new(7200.0).device(DeviceClass::Disk).cpu(1000.0).foreground(
                "control file sequential read",
                1e6,
                s,
            )
        };
        let found = hour(217.0).found(run);
        assert!(found.title.contains("217 s for the control file (3 % of DB time)"), "{}", found.title);
        assert!(found.actions[0].contains("who reads it"), "{:?}", found.actions);
        assert!(!found.storage, "0.2 ms a read: asked too often");
        hour(215.0).not_found(run);
    }

    #[test]
    fn slow_answers_are_the_storage() {
        let found = Hour::new(7200.0)
            .device(DeviceClass::Disk)
            .foreground("control file parallel write", 10_000.0, 300.0)
            .found(run);
        assert!(found.storage);
        assert!(found.actions[0].contains("what writes it"), "{:?}", found.actions);
    }

    #[test]
    fn the_lock_is_part_of_it() {
        let found = Hour::new(7200.0).foreground("enq: CF - contention", 100.0, 500.0).found(run);
        assert_eq!(found.claims[0].of, "enq: CF - contention");
        assert!(!found.storage);
    }

    #[test]
    fn without_wait_events_it_cannot_tell() {
        assert!(Hour::new(7200.0).cpu(3000.0).missing(run).contains("control file"));
    }
}
