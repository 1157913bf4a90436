//! A cache answers, or direct or asynchronous I/O is off.
//!
//! # What it detects
//! One of two things. Reads come back faster than the device could answer: a file-system or array
//! cache answers them. Or `disk_asynch_io` is FALSE, so every process does one I/O at a time.
//!
//! # Why it costs response time
//! A block read from the operating system's cache costs a call, a copy and the memory twice; in the
//! buffer cache it would cost a few microseconds. A cache that other work can take away makes read
//! times unpredictable: in a published case a database got slow the day its neighbour stopped
//! filling the shared cache. Without asynchronous I/O the database writer falls behind.
//!
//! # Facts needed
//! Foreground single-block reads; file names or parameters that show where files lie; the
//! parameters `filesystemio_options` and `disk_asynch_io`.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean single-block read no disk reaches | under 2 ms | a 15k disk needs about 5 ms |
//! | mean single-block read no flash behind a file system reaches | under 100 us | flash answers in 0.2 ms, the fastest NVMe in about 0.08 ms; memory in 0.01-0.03 ms |
//! | effect | reads take 3 % of DB time (1 % where half a session always waits), or 1,000 a second | ours |
//! | effect, for asynchronous I/O off | user I/O or waits for the database writer are as material | ours |
//!
//! # When it is wrong
//! Direct I/O can also come from a mount option (`forcedirectio`, `cio`), from ODM or direct NFS,
//! which reports do not print. Persistent memory answers like a cache. A mean under 2 ms on disks
//! may be right for a small database on large arrays: it is then a statement about the cache.
//!
//! # What to do
//! Give the memory to the buffer cache, then switch on direct I/O (`filesystemio_options =
//! SETALL`); never the second without the first. Judge new storage by the reads that miss the
//! cache, not by the mean.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value, isdefault from v$parameter
//! where  name in ('filesystemio_options', 'disk_asynch_io', 'db_cache_size', 'sga_target');
//! select f.name, i.asynch_io from v$iostat_file i join v$datafile f on f.file# = i.file_no
//! where  i.filetype_name = 'Data File';
//! ```

use super::material::{is_material, may_be_material, not_worth, of_db_time, spread_evidence};
use super::reads::{SINGLE_BLOCK, reads};
use crate::{Case, Claim, DeviceClass, EventTotal, Evidence, Finding, Setting, Verdict, words};

/// No disk answers a random read faster, on average.
const FASTER_THAN_DISK_US: f64 = 2_000.0;
/// No flash behind a file system does.
const FASTER_THAN_FLASH_US: f64 = 100.0;
/// So many reads a second matter even where they take little time.
const MANY_READS_PER_S: f64 = 1_000.0;

/// Does a cache answer for the device, or is asynchronous I/O off?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let reads: Vec<&EventTotal> =
        reads(case, &[SINGLE_BLOCK]).into_iter().filter(|e| !e.event.starts_with("cell ")).collect();
    match (async_off(case), cache_answers(case, &reads)) {
        (Some(mut off), Verdict::Found(cache)) => {
            off.title = format!("{}; {}", off.title, cache.title);
            off.claims = cache.claims;
            off.evidence.extend(cache.evidence);
            off.actions.extend(cache.actions);
            Verdict::Found(off)
        }
        (Some(off), _) => Verdict::Found(off),
        (None, Verdict::NotFound)
            if case.parameter("disk_asynch_io") == Setting::NotPrinted
                && may_be_material(case, io_waits_s(case)) =>
        {
            Verdict::CannotTell("the parameter disk_asynch_io (init.ora Parameters)".to_owned())
        }
        (None, verdict) => verdict,
    }
}

fn async_off(case: &Case<'_>) -> Option<Finding> {
    let Setting::Set(parameter) = case.parameter("disk_asynch_io") else { return None };
    let off = Setting::Set(parameter).value()?.trim().eq_ignore_ascii_case("false");
    let waits_s = io_waits_s(case);
    if !off || !is_material(case, waits_s) {
        return None;
    }
    let mut evidence = vec![case.parameter_evidence(parameter)];
    if let Setting::Set(slaves) = case.parameter("dbwr_io_slaves") {
        evidence.push(case.parameter_evidence(slaves));
    }
    evidence.extend(case.background_event("db file parallel write").map(|e| case.event_evidence(e)));
    Some(Finding {
        title: format!(
            "Asynchronous I/O is off (disk_asynch_io = FALSE) while sessions wait {}{} for I/O",
            words::seconds(waits_s),
            of_db_time(case, waits_s)
        ),
        storage: false,
        touches_s: waits_s,
        evidence,
        actions: vec![
            "Set disk_asynch_io = TRUE (restart needed), unless the platform's file system is known to serve \
             asynchronous requests badly; dbwr_io_slaves is only a substitute."
                .to_owned(),
        ],
        caveat: "How much of the wait asynchronous I/O would save is not in the report, so none is claimed for it."
            .to_owned(),
        ..Finding::default()
    })
}

/// Waits that asynchronous I/O may shorten, seconds.
fn io_waits_s(case: &Case<'_>) -> f64 {
    case.class_time_s("User I/O")
        + ["free buffer waits", "write complete waits"].iter().map(|e| case.event_time_s(e)).sum::<f64>()
}

fn cache_answers(case: &Case<'_>, reads: &[&EventTotal]) -> Verdict {
    let Some(read) = reads.first() else {
        return if case.prints_wait_events() {
            Verdict::NotFound
        } else {
            Verdict::CannotTell("the wait events (db file sequential read)".to_owned())
        };
    };
    let seconds = case.event_time_s(&read.event);
    let per_s = read.waits.zip(case.elapsed_s()).map(|(n, s)| n / s);
    if per_s.is_none_or(|r| r < MANY_READS_PER_S)
        && let Some(verdict) = not_worth(case, "the waits for single-block reads", seconds)
    {
        return match verdict {
            Verdict::NotFound if per_s.is_none() => {
                Verdict::CannotTell("how many single-block reads there were a second".to_owned())
            }
            verdict => verdict,
        };
    }
    let Some(mean_us) = read.avg_us else {
        return Verdict::CannotTell("the number of single-block reads".to_owned());
    };
    let place = place(case);
    let direct = direct_io(case);
    let who = match (case.device.value, place.as_ref().map(|p| p.kind)) {
        (DeviceClass::Exadata, _) => return Verdict::NotFound,
        // Disks, said by the user or shown by their slow peak: fast on average means a cache before them.
        (DeviceClass::Disk, kind) if mean_us < FASTER_THAN_DISK_US => match (kind, direct) {
            (Some(Kind::FileSystem), Some(false)) => "the cache of the file system, or of the array,",
            _ => "a cache before the disks",
        },
        (DeviceClass::Disk, _) => return Verdict::NotFound,
        (_, Some(Kind::FileSystem)) if mean_us < FASTER_THAN_FLASH_US => match direct {
            Some(false) => "the cache of the file system",
            Some(true) => return Verdict::NotFound,
            None => return Verdict::CannotTell("the parameter filesystemio_options".to_owned()),
        },
        (_, None) if mean_us < FASTER_THAN_FLASH_US => {
            return Verdict::CannotTell(
                "where the data files lie (File IO Stats, control_files or db_create_file_dest)".to_owned(),
            );
        }
        // Two peaks would tell disks behind a cache.
        _ if mean_us < FASTER_THAN_DISK_US && case.histogram(&read.event).is_none() => {
            return Verdict::CannotTell(format!("the wait histogram of {}", read.event));
        }
        _ => return Verdict::NotFound,
    };
    let mut evidence = vec![case.event_evidence(read)];
    evidence.extend(spread_evidence(case, &read.event));
    evidence.extend(place.map(|p| p.evidence));
    if let Setting::Set(parameter) = case.parameter("filesystemio_options") {
        evidence.push(case.parameter_evidence(parameter));
    }
    let direct_text = match direct {
        Some(false) => " Direct I/O is not asked for.",
        _ => "",
    };
    Verdict::Found(Finding {
        title: format!(
            "Single-block reads take {} on average, faster than the device can answer: {who} answers ({} of read \
             time{}).{direct_text}",
            words::latency(mean_us),
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        storage: false,
        claims: vec![Claim { of: read.event.clone(), seconds }],
        evidence,
        actions: vec![
            "Enlarge the buffer cache by what the other cache holds of this database; a block found there needs no \
             read at all."
                .to_owned(),
            "Only then switch on direct I/O (filesystemio_options = SETALL, or the mount option): without the larger \
             cache every such read goes to the device."
                .to_owned(),
            "Do not judge or size storage by this mean: look at the reads that missed the cache.".to_owned(),
        ],
        caveat: "A mount option, ODM or direct NFS can make I/O direct without a trace in the report; persistent memory \
                 answers like a cache."
            .to_owned(),
        ..Finding::default()
    })
}

/// Does `filesystemio_options` ask for direct I/O? Its default does on no platform with a choice.
fn direct_io(case: &Case<'_>) -> Option<bool> {
    match case.parameter("filesystemio_options") {
        Setting::NotPrinted => None,
        Setting::Default => Some(false),
        set @ Setting::Set(_) => {
            let value = set.value()?.trim().to_ascii_lowercase();
            Some(value == "setall" || value == "directio")
        }
    }
}

/// Where data files lie.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    FileSystem,
    /// ASM, raw devices, Windows: no file-system cache.
    Direct,
}

struct Place {
    kind: Kind,
    evidence: Evidence,
}

fn place(case: &Case<'_>) -> Option<Place> {
    let tables = &case.report.tables;
    if let Some((row, file)) = tables.file_io.iter().enumerate().next() {
        let text = format!("data file {}", file.file);
        let evidence = case.evidence("file_io", row, file.io.line, file.io.section, text);
        return Some(Place { kind: kind_of(&file.file)?, evidence });
    }
    for name in ["db_create_file_dest", "control_files"] {
        let setting = case.parameter(name);
        if let (Setting::Set(parameter), Some(value)) = (setting, setting.value()) {
            return Some(Place { kind: kind_of(value)?, evidence: case.parameter_evidence(parameter) });
        }
    }
    None
}

fn kind_of(name: &str) -> Option<Kind> {
    let name = name.trim();
    if name.starts_with('+') || name.starts_with("/dev/") || name.get(1..3) == Some(":\\") {
        Some(Kind::Direct)
    } else {
        name.starts_with('/').then_some(Kind::FileSystem)
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;
    use spindle_facts::FileIo;

    fn hour(reads_s: f64) -> Hour {
        Hour::new(7200.0).foreground("db file sequential read", 10_000_000.0, reads_s)
    }

    fn on(hour: Hour, file: &str) -> Hour {
        let file = FileIo { file: file.to_owned(), ..FileIo::default() };
        hour.with(|r| r.tables.file_io = vec![file])
    }

    #[test]
    fn a_file_system_cache_answers() {
        let cached =
            |seconds| on(hour(seconds), "/u01/oradata/users01.dbf").parameter("filesystemio_options", "NONE");
        let finding = cached(990.0).found(run);
        assert!(
            finding.title.contains("99 us") && finding.title.contains("not asked for"),
            "{}",
            finding.title
        );
        let flash = |hour: Hour| hour.histogram("db file sequential read", &[(Some(1_000.0), 10_000_000.0)]);
        flash(cached(1_010.0)).not_found(run);
        // Two peaks would tell disks behind a cache.
        assert!(cached(1_010.0).missing(run).contains("wait histogram of db file sequential read"));
    }

    #[test]
    fn direct_io_and_asm_have_no_such_cache() {
        let flash = || hour(500.0).histogram("db file sequential read", &[(Some(1_000.0), 10_000_000.0)]);
        on(flash(), "/u01/oradata/users01.dbf").parameter("filesystemio_options", "SETALL").not_found(run);
        on(flash(), "+DATA/orcl/users.259.1").parameter("filesystemio_options", "NONE").not_found(run);
    }

    #[test]
    fn disks_do_not_answer_within_two_milliseconds() {
        let disk =
            |seconds| on(hour(seconds), "+DATA/orcl/users.259.1").device(DeviceClass::Disk).found(run).title;
        assert!(disk(6_000.0).contains("a cache before the disks"));
        let slow = Hour::new(72_000.0).foreground("db file sequential read", 10_000_000.0, 20_100.0);
        let slow = on(slow, "+DATA/orcl/users.259.1").device(DeviceClass::Disk);
        slow.parameter("disk_asynch_io", "TRUE").not_found(run);
    }

    #[test]
    fn unknown_places_and_parameters_are_said() {
        assert!(hour(500.0).missing(run).contains("where the data files lie"));
        assert!(on(hour(500.0), "/u01/x.dbf").missing(run).contains("filesystemio_options"));
    }

    #[test]
    fn asynchronous_io_off() {
        let off = |seconds| {
            Hour::new(7200.0)
                .foreground("db file sequential read", 100_000.0, seconds)
                .parameter("disk_asynch_io", "FALSE")
                .device(DeviceClass::Disk)
        };
        assert!(off(1_000.0).found(run).title.contains("Asynchronous I/O is off"));
        off(200.0).not_found(run);
    }

    #[test]
    fn few_reads_do_not_matter() {
        let small = Hour::new(7200.0).foreground("db file sequential read", 10_000.0, 0.5);
        on(small, "/u01/x.dbf").parameter("filesystemio_options", "NONE").not_found(run);
    }
}
