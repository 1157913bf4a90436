//! Backup, archiving or other functions compete with the sessions for storage.
//!
//! # What it detects
//! RMAN, the archiver, Data Pump, recovery or in-memory population move a large part of all bytes
//! while the sessions' own reads or the log writes are slow.
//!
//! # Why it costs response time
//! They read and write in pieces of a megabyte, many at once. A block that a session needs queues
//! behind them on the same disks, controllers and links.
//!
//! # Facts needed
//! `IOStat by Function summary`; else the statistics `physical read total bytes` (everything) and
//! `physical read bytes` (the sessions' part), whose difference is redo, backup and control file
//! reading. Wait events for the reads and log writes.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | share of all bytes read and written | 25 % | ours: from a quarter on an hourly mean hides times of a half |
//! | rate | 10 MB a second | ours: a tenth of what one disk streams |
//! | the sessions' single-block reads, or the log writes | over the bar of the device class, and material | see slow single-block reads and slow redo writes |
//!
//! # When it is wrong
//! That both happen in one interval is no proof: the reads may be as slow without the backup.
//! Backups from a standby or from a snapshot of the array are not seen here, although they load the
//! same disks. Other databases on the same storage are never seen.
//!
//! # What to do
//! Compare with an interval without the job. Move it to quieter hours, limit it (`RATE` of an RMAN
//! channel, fewer channels), back up incrementally with block change tracking, or from the standby.
//! Put archived logs and backups on devices of their own.
//!
//! # SQL to see the evidence
//! ```sql
//! select function_name, small_read_megabytes + large_read_megabytes as mb_read,
//!        small_write_megabytes + large_write_megabytes as mb_written
//!   from v$iostat_function order by mb_read + mb_written desc;
//! select session_key, input_type, start_time, end_time, output_device_type from v$rman_backup_job_details
//!  order by start_time desc;
//! ```

use super::material::{self, Against, Waits};
use crate::{Case, Evidence, Finding, Verdict, words};

/// Functions that are not the sessions' work nor what follows from it.
const COMPETING: &[&str] = &["rman", "arch", "data pump", "recovery", "inmemory populate"];
/// Share of all bytes from which they compete, percent.
const SHARE_PCT: f64 = 25.0;
/// Bytes a second from which they can be felt.
const BYTES_PER_S: f64 = 10e6;

/// Do other functions move much of the bytes while reads or log writes are slow?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let by_function = by_function(case);
    let (known, load) = (by_function.is_some(), by_function.or_else(|| by_statistics(case)));
    let competes = |load: &Load| {
        load.share_pct >= SHARE_PCT && case.elapsed_s().is_none_or(|s| load.bytes / s >= BYTES_PER_S)
    };
    // The statistics count reads alone: a backup's or an archiver's writes are in none of them.
    if known && load.as_ref().is_some_and(|load| !competes(load)) {
        return Verdict::NotFound;
    }
    let suffering = match suffering(case) {
        Ok(Some(suffering)) => suffering,
        Ok(None) => return Verdict::NotFound,
        Err(missing) => return Verdict::CannotTell(missing),
    };
    let Some(load) = load.filter(competes) else {
        return Verdict::CannotTell("I/O by function (IOStat by Function)".to_owned());
    };
    let rate = case
        .elapsed_s()
        .map_or(String::new(), |s| format!(", {} MB a second", words::significant(load.bytes / s / 1e6)));
    let mut evidence = load.evidence;
    evidence.push(suffering.evidence);
    Verdict::Found(Finding {
        title: format!(
            "{} moved {} of all bytes{rate}, while {} took {}",
            load.who,
            words::percent(load.share_pct),
            suffering.what,
            words::latency(suffering.mean_us)
        ),
        storage: true,
        touches_s: suffering.touches_s,
        evidence,
        actions: vec![
            "Compare with an interval without the job: are reads and log writes faster then?".to_owned(),
            "Move it to quieter hours, limit its rate (RATE of the RMAN channel, fewer channels), or take backups from \
             the standby"
                .to_owned(),
            "Keep archived logs and backups on devices of their own".to_owned(),
        ],
        caveat: "Both happened in one interval; that one slowed the other is likely, not shown".to_owned(),
        ..Finding::default()
    })
}

/// What is slow for the sessions.
struct Suffering {
    what: &'static str,
    mean_us: f64,
    touches_s: f64,
    evidence: Evidence,
}

/// What suffers, `None` where nothing does, and what is missing where nobody knows.
fn suffering(case: &Case<'_>) -> Result<Option<Suffering>, String> {
    let mut missing = None;
    for name in ["db file sequential read", "cell single block physical read"] {
        let events = match material::foreground_waits(case, &[name]) {
            Waits::Material(events) => events,
            Waits::Trivial => continue,
            Waits::Unknown(what) => {
                missing = missing.or(Some(what));
                continue;
            }
        };
        for event in events {
            let against = material::mean_against(event, case.bars.single_block_read_us);
            if let (Against::Above, Some(mean_us)) = (against, event.avg_us) {
                let (touches_s, evidence) = (case.event_time_s(&event.event), case.event_evidence(event));
                return Ok(Some(Suffering { what: "single-block reads", mean_us, touches_s, evidence }));
            }
            missing = missing.or_else(|| match against {
                Against::Unknown => Some(format!("the mean wait for {name}")),
                _ => case.hidden_by_class(event.avg_us, |bars| bars.single_block_read_us),
            });
        }
    }
    match material::foreground_waits(case, &["log file sync"]) {
        Waits::Trivial => {}
        Waits::Unknown(what) => missing = missing.or(Some(what)),
        Waits::Material(_) => {
            let bar_us = super::slow_redo_writes::write_bar_us(case);
            let write = case.background_event("log file parallel write");
            let against = write.map(|event| (event, material::mean_against(event, bar_us), event.avg_us));
            match against {
                Some((event, Against::Above, Some(mean_us))) => {
                    let touches_s = case.event_time_s("log file sync");
                    let evidence = case.event_evidence(event);
                    return Ok(Some(Suffering { what: "log writes", mean_us, touches_s, evidence }));
                }
                None | Some((_, Against::Unknown, _)) => {
                    let what = "log file parallel write (section Background Wait Events)".to_owned();
                    missing = missing.or(Some(what));
                }
                Some((_, _, mean_us)) => {
                    missing = missing.or_else(|| case.hidden_by_class(mean_us, |bars| bars.log_write_us));
                }
            }
        }
    }
    missing.map_or(Ok(None), Err)
}

/// What competes.
struct Load {
    who: String,
    bytes: f64,
    share_pct: f64,
    evidence: Vec<Evidence>,
}

/// From the I/O by function: bytes, since requests are nonsense in reports on all instances of Exadata.
fn by_function(case: &Case<'_>) -> Option<Load> {
    let rows = &case.report.tables.io_function;
    let for_all = rows.iter().any(|r| r.instance_number.is_none());
    let bytes = |r: &spindle_facts::IoActivity| -> Option<f64> {
        let of = |total: Option<f64>, rate: Option<f64>| total.or_else(|| Some(rate? * case.elapsed_s()?));
        match (of(r.read_bytes, r.read_bytes_per_s), of(r.write_bytes, r.write_bytes_per_s)) {
            (None, None) => None,
            (read, write) => Some(read.unwrap_or(0.0) + write.unwrap_or(0.0)),
        }
    };
    let mut all = 0.0;
    let mut competing: Vec<(f64, usize)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if row.is_total || row.instance_number.is_none() != for_all {
            continue;
        }
        let (Some(name), Some(bytes)) = (row.function.as_deref(), bytes(row)) else { continue };
        all += bytes;
        if COMPETING.iter().any(|c| name.trim().to_ascii_lowercase().starts_with(c)) && bytes > 0.0 {
            competing.push((bytes, at));
        }
    }
    if all <= 0.0 {
        return None;
    }
    competing.sort_by(|a, b| b.0.total_cmp(&a.0));
    let sum: f64 = competing.iter().map(|c| c.0).sum();
    let name = |at: usize| rows[at].function.as_deref().unwrap_or("").trim().to_owned();
    let evidence = competing.iter().take(3).map(|&(bytes, at)| {
        let text = format!("{}: {} read and written", name(at), words::bytes(bytes));
        case.evidence("io_function", at, rows[at].line, rows[at].section, text)
    });
    Some(Load {
        who: competing.first().map_or(String::new(), |c| name(c.1)),
        bytes: sum,
        share_pct: 100.0 * sum / all,
        evidence: evidence.collect(),
    })
}

/// From the statistics that count everything and those that count the sessions' part.
fn by_statistics(case: &Case<'_>) -> Option<Load> {
    let everything = case.stat("physical read total bytes")?;
    let sessions = case.stat("physical read bytes")?;
    let all = case.stat_total("physical read total bytes").filter(|b| *b > 0.0)?;
    let beside = (all - case.stat_total("physical read bytes")?).max(0.0);
    Some(Load {
        who: "Reading for redo, backup and control files".to_owned(),
        bytes: beside,
        share_pct: 100.0 * beside / all,
        evidence: vec![case.stat_evidence(everything), case.stat_evidence(sessions)],
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;
    use spindle_facts::IoActivity;

    const GB: f64 = 1e9;

    fn function(hour: Hour, name: &str, bytes: f64) -> Hour {
        hour.with(|r| {
            r.tables.io_function.push(IoActivity {
                line: 40,
                function: Some(name.to_owned()),
                read_bytes: Some(bytes),
                ..IoActivity::default()
            });
        })
    }

    fn slow_reads() -> Hour {
        Hour::new(7200.0).device(DeviceClass::Disk).foreground("db file sequential read", 200_000.0, 4_000.0)
    }

    #[test]
    fn a_backup_beside_slow_reads() {
        let with = |rman| function(function(slow_reads(), "Buffer Cache Reads", 150.0 * GB), "RMAN", rman);
        let found = with(51.0 * GB).found(run);
        assert!(found.title.contains("RMAN moved 25 % of all bytes, 14.2 MB a second"), "{}", found.title);
        assert!(found.claims.is_empty(), "likely, not shown: it claims nothing");
        assert_eq!(found.touches_s, 4_000.0);
        with(49.0 * GB).not_found(run);
    }

    #[test]
    fn a_trickle_harms_nobody() {
        let with = |rman| function(function(slow_reads(), "Buffer Cache Reads", GB), "RMAN", rman);
        with(37.0 * GB).found(run);
        with(35.0 * GB).not_found(run);
    }

    #[test]
    fn fast_reads_are_not_held_up() {
        let fast =
            Hour::new(7200.0).device(DeviceClass::Disk).foreground("db file sequential read", 1e6, 4_000.0);
        function(fast, "RMAN", 500.0 * GB).not_found(run);
    }

    #[test]
    fn slow_log_writes_count_too() {
        let hour = Hour::new(7200.0)
            .device(DeviceClass::Disk)
            .foreground("log file sync", 1e5, 2_000.0)
            .background("log file parallel write", 1e5, 1_500.0);
        let found = function(hour, "ARCH", 200.0 * GB).found(run);
        assert!(found.title.contains("while log writes took 15 ms"), "{}", found.title);
    }

    #[test]
    fn totals_of_the_statistics_will_do() {
        let found = slow_reads()
            .stat("physical read total bytes", 200.0 * GB)
            .stat("physical read bytes", 120.0 * GB)
            .found(run);
        assert!(found.title.contains("40 %"), "{}", found.title);
        assert!(slow_reads().missing(run).contains("IOStat by Function"));
    }
}
