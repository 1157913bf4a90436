//! Slow redo writes.
//!
//! # What it detects
//! The log writer's writes (`log file parallel write`, background) take longer than storage of this
//! class should need, on average or in a long tail, and sessions wait a material part of DB time
//! for commits.
//!
//! # Why it costs response time
//! A commit returns when its redo is on disk. A commit that arrives while a write runs waits for
//! the rest of that write and then for its own, so a slow write costs all sessions that commit
//! meanwhile, twice at worst. With mirrored members the write ends with the slowest one.
//!
//! # Facts needed
//! Background `log file parallel write` with waits, time and histogram; foreground `log file sync`;
//! `redo synch` statistics where the release has them. Where the row of the writes was not read, their
//! histogram alone can show them within their bar, and never above it. An excerpt without waits of sessions is judged by
//! the writes, or by the log writer in `IOStat by Function`, and claims no time.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | mean write, disk or unknown | 10 ms | field: good under 1-2 ms; 10 ms and more is slow |
//! | mean write, flash, Exadata, flash or cache | 2 ms | the same |
//! | a write larger than 64 KiB | the bar, and what is beyond 64 KiB at 100 MB/s (disk, unknown) or 250 MB/s | as for multi-block reads; ours |
//! | at the bar | up to 5 % above it | ours: bars are round numbers, and a cause does not begin at one |
//! | tail | at least 30 % of the write time in writes longer than three times the bar | as for reads; ours |
//! | other writes are slow, too | two kinds of the database writer's, the control file's (three times their bars), direct-path and temp writes (300 ms) | ours: far beyond what a batch needs |
//! | effect: `log file sync` | 3 % of DB time, or 1 % where half a session always waits; with `log buffer space` together where each is 1 % | 5 % is worth a look, 10 % a finding, by the field |
//!
//! What commits wait for slow writes is a range where the histogram or the database's own
//! measurement bounds it. Without either only the least is known, one mean write a commit, and
//! called the least.
//!
//! # When it is wrong
//! From 12c on the log writer may hand its writes to worker processes that run side by side: their
//! times may add up to more than the clock's and include waits for each other, so a mean may not be that
//! of one write alone; from twice the bar on these waits do not explain it. With all CPUs busy the log writer waits for a CPU and its writes look slow. On shared devices
//! the redo may be slowed by other files: then isolation helps as much as faster storage. Moving
//! redo to flash is no cure by itself: flash has write peaks of its own.
//!
//! # What to do
//! See whether redo shares its devices with data, archive or other systems; whether a write cache
//! is off (battery, protection mode); whether members are on unequal devices; whether a
//! synchronous standby or replication is in the path. Then faster or isolated devices.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, wait_time_milli, wait_count from v$event_histogram
//! where  event in ('log file parallel write', 'log file sync') order by event, wait_time_milli;
//! select name, value from v$sysstat where name like 'redo synch%' or name like 'redo write%';
//! select group#, type, member from v$logfile order by group#;
//! ```

use super::material::{
    AT_THE_BAR, Against, Waits, counts_others, foreground_waits, has_effect, is_material, mean_against,
    of_db_time, slow_end, spread_evidence, unlisted,
};
use crate::by_histogram::is_estimated;
use crate::commit::mean_of_spread;
use crate::{Case, Claim, DeviceClass, EventTotal, Finding, Verdict, words};
use spindle_facts::{Interval, WaitHistogram};

const WRITE: &str = "log file parallel write";
const SYNC: &str = "log file sync";
const BUFFER: &str = "log buffer space";

/// Share of the redo writes by workers from which their times are not those of one writer.
const BY_WORKERS: f64 = 0.5;
/// The tail begins at so many times the bar.
const TAIL_FACTOR: f64 = 3.0;
/// Least share of the write time in the tail, percent.
const TAIL_SHARE_PCT: f64 = 30.0;

/// Are log writes slow, and do commits wait for it?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let syncs = match foreground_waits(case, &[SYNC]) {
        Waits::Material(syncs) => syncs,
        Waits::Trivial => match with_buffer_space(case) {
            Some(sync) => vec![sync],
            None => {
                let (both, seconds) = ("waits for commits and log buffer space", case.event_time_s(SYNC));
                return match unlisted(case, both, 1, seconds).filter(|_| has_effect(case, seconds)) {
                    Some(missing) => Verdict::CannotTell(missing),
                    None => Verdict::NotFound,
                };
            }
        },
        Waits::Unknown(missing) => {
            let alone = super::without_waits::slow_log_writes(case, write_bar_us(case));
            return alone.map_or(Verdict::CannotTell(missing), Verdict::Found);
        }
    };
    // What a histogram estimates is slow where even its lower bound is.
    let told =
        |write: &&EventTotal| !is_estimated(write) || super::material::is_slow(write, write_bar_us(case));
    let (Some(sync), Some(write)) = (syncs.first(), case.background_event(WRITE).filter(told)) else {
        return by_histogram(case);
    };
    match slowness(case, write) {
        Slowness::Unknown(missing) => Verdict::CannotTell(missing),
        Slowness::No if tail_matters(case, sync) && is_without_spread(case) => Verdict::CannotTell(format!(
            "the wait histogram of {WRITE}: their mean is within its bar, and a tail of slow ones is not ruled out"
        )),
        Slowness::No => match case.hidden_by_class(write.avg_us, |bars| bars.log_write_us) {
            Some(missing) => Verdict::CannotTell(missing),
            None => Verdict::NotFound,
        },
        Slowness::Mean | Slowness::Tail { .. } => Verdict::Found(finding(case, sync, write)),
    }
}

/// The histogram of the log writes with the bounds of their mean, where it is all that was read of them.
fn spread_alone<'c>(case: &'c Case<'_>) -> Option<(&'c WaitHistogram, Interval)> {
    let alone = case.background_event(WRITE).is_none_or(is_estimated) && workers(case).is_none();
    let spread = case.histogram(WRITE).filter(|_| alone)?;
    Some((spread, mean_of_spread(spread)?))
}

/// Is all that was read of the log writes their histogram, and are they within their bar by it: even by the longest
/// mean that it allows, and without a slow end that could carry much of their time?
pub(crate) fn fast_by_histogram(case: &Case<'_>) -> bool {
    let Some((spread, mean)) = spread_alone(case) else { return false };
    let bar_us = write_bar_us(case);
    let slow = spread.buckets.iter().filter(|b| b.waits_high > 0.0 && b.low_us >= TAIL_FACTOR * bar_us);
    let tail_us = slow.map(|b| b.waits_high * b.high_or_infinite_us()).sum::<f64>() / spread.counted_waits();
    mean.high <= AT_THE_BAR * bar_us && 100.0 * tail_us < TAIL_SHARE_PCT * mean.low
}

/// What the histogram of the log writes says where their row was not read.
fn by_histogram(case: &Case<'_>) -> Verdict {
    let row = format!("{WRITE} (section Background Wait Events)");
    match spread_alone(case) {
        Some((_, mean)) if fast_by_histogram(case) => {
            match case.hidden_by_class(Some(mean.high), |bars| bars.log_write_us) {
                Some(missing) => Verdict::CannotTell(missing),
                None => Verdict::NotFound,
            }
        }
        Some((_, mean)) => Verdict::CannotTell(format!(
            "{row}: by their histogram alone they take {} on average (bar {})",
            words::between(mean),
            words::latency(write_bar_us(case))
        )),
        None => Verdict::CannotTell(row),
    }
}

/// Is there no histogram of the log writes to see a tail in?
fn is_without_spread(case: &Case<'_>) -> bool {
    case.histogram(WRITE).is_none() || counts_others(case, WRITE)
}

/// Could a tail of log writes be why commits wait? Not where commits are fast on average all the same.
fn tail_matters(case: &Case<'_>, sync: &EventTotal) -> bool {
    mean_against(sync, case.bars.log_sync_us) != Against::Below
}

/// Commits that are worth a line only together with the waits for log buffer space, which slow log
/// writes cause too (that rule claims its own seconds).
fn with_buffer_space<'c>(case: &'c Case<'_>) -> Option<&'c EventTotal> {
    let (sync_s, buffer_s) = (case.event_time_s(SYNC), case.event_time_s(BUFFER));
    (has_effect(case, sync_s) && has_effect(case, buffer_s) && is_material(case, sync_s + buffer_s))
        .then(|| case.foreground_event(SYNC))
        .flatten()
}

/// What is known of the log writes as an answer of storage: their mean, its bar, and whether they
/// are within it. `None` where they are not printed, rounded too far, or are those of workers that
/// wait for each other.
pub(crate) fn log_writes(case: &Case<'_>) -> Option<(f64, f64, bool)> {
    let write = case.background_event(WRITE).filter(|_| workers(case).is_none())?;
    let within = match slowness(case, write) {
        Slowness::No => true,
        Slowness::Mean | Slowness::Tail { .. } => false,
        Slowness::Unknown(_) => return None,
    };
    Some((write.avg_us?, write_bar_us(case), within))
}

/// In what way log writes are slow.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Slowness {
    /// Their mean is above the bar.
    Mean,
    /// Their mean is not, but a tail carries at least this share of their time.
    Tail { from_us: f64, share_pct: f64 },
    /// They are not.
    No,
    /// What is missing to tell.
    Unknown(String),
}

/// Bytes of a write that the bar of latency is of: what is beyond takes bandwidth.
const SMALL_BYTES: f64 = 65_536.0;

/// Bytes of a redo write on average, where printed.
fn write_bytes(case: &Case<'_>) -> Option<f64> {
    let (bytes, writes) = (case.stat_per_second("redo size")?, case.stat_per_second("redo writes")?);
    (writes > 0.0).then(|| bytes / writes)
}

/// Rate at which storage of this class should take large writes, bytes a microsecond (MB/s).
fn bandwidth(case: &Case<'_>) -> f64 {
    match case.device.value {
        DeviceClass::Disk | DeviceClass::Unknown => 100.0,
        DeviceClass::Flash | DeviceClass::Exadata | DeviceClass::FlashOrCache => 250.0,
    }
}

/// From where on a log write of this report's size is slow, microseconds.
pub(super) fn write_bar_us(case: &Case<'_>) -> f64 {
    let beyond = write_bytes(case).map_or(0.0, |bytes| (bytes - SMALL_BYTES).max(0.0));
    case.bars.log_write_us + beyond / bandwidth(case)
}

/// Is most of the bar of a write its transfer?
fn is_of_bandwidth(case: &Case<'_>) -> bool {
    write_bar_us(case) > 2.0 * case.bars.log_write_us
}

/// A large write that takes so many times its bar is not slow for its size.
const FAR_BEYOND: f64 = 4.0;

/// Are the writes of the log writer slow?
pub(super) fn slowness(case: &Case<'_>, write: &EventTotal) -> Slowness {
    let bar_us = write_bar_us(case);
    let against = mean_against(write, AT_THE_BAR * bar_us);
    if against == Against::Above {
        return Slowness::Mean;
    }
    if let Some(end) = slow_end(case, WRITE, TAIL_FACTOR * bar_us) {
        let share_pct = 100.0 * end.seconds / write.time_s;
        if share_pct >= TAIL_SHARE_PCT {
            return Slowness::Tail { from_us: end.from_us, share_pct: share_pct.min(100.0) };
        }
    }
    match against {
        Against::Unknown => Slowness::Unknown(format!("the number of waits for {WRITE}")),
        Against::Straddles => Slowness::Unknown(format!(
            "a mean of {WRITE} printed finely enough to tell it from the bar of {}",
            words::latency(bar_us)
        )),
        Against::Above | Against::Below => Slowness::No,
    }
}

fn finding(case: &Case<'_>, sync: &EventTotal, write: &EventTotal) -> Finding {
    let bar_us = write_bar_us(case);
    let sync_s = case.event_time_s(SYNC);
    let least_s = sync_s * case.commit.least_of_writes();
    let bounded = case.commit.most_of_writes();
    let part_s = bounded.map_or(least_s, |part| part * sync_s);
    let by_workers = workers(case).is_some();
    let how = match slowness(case, write) {
        _ if is_of_bandwidth(case) => format!(
            "log writes of {} take {} (bar {}: {} and the rest at {} MB/s); {}",
            write_bytes(case).map_or("unknown size".to_owned(), words::bytes),
            write.avg_us.map_or("longer".to_owned(), words::latency),
            words::latency(bar_us),
            words::latency(case.bars.log_write_us),
            words::significant(bandwidth(case)),
            match write.avg_us.filter(|avg_us| *avg_us > FAR_BEYOND * bar_us) {
                // Requests that queue, or a device that is throttled, look alike here.
                Some(avg_us) => format!(
                    "their size explains {} of it at most: what they wait for is the device",
                    words::percent(100.0 * bar_us / avg_us)
                ),
                None => "it is a question of bandwidth".to_owned(),
            }
        ),
        Slowness::Tail { from_us, share_pct } => format!(
            "a tail beyond {} carries {} of the time of log writes",
            words::latency(from_us),
            words::percent(share_pct)
        ),
        _ if by_workers => format!(
            "side by side, workers of the log writer take {} a write (bar {}), waits for each other included",
            write.avg_us.map_or("longer".to_owned(), words::latency),
            words::latency(bar_us)
        ),
        _ => format!(
            "log writes take {} (bar {})",
            write.avg_us.map_or("longer".to_owned(), words::latency),
            words::latency(bar_us)
        ),
    };
    let mut evidence = vec![case.event_evidence(write), case.event_evidence(sync)];
    evidence.extend([WRITE, SYNC].iter().filter_map(|e| spread_evidence(case, e)));
    for name in ["redo write time", "redo writes", "redo size"] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    evidence.extend(workers(case));
    let others = other_slow_writes(case);
    evidence.extend(others.iter().map(|e| case.event_evidence(e)));
    let gain = at_the_bar(case, write, least_s, part_s)
        .map(|gain| if bounded.is_none() { format!("at least {gain}") } else { gain });
    // Just above the bar most of the wait would stay: the gain belongs beside the wait.
    let little = just_above(case, write) && !is_of_bandwidth(case);
    let but = gain
        .as_ref()
        .filter(|_| little)
        .map_or(String::new(), |gain| format!(", of which writes at the bar would save {gain}"));
    let mut actions: Vec<String> = gain
        .map(|gain| {
            format!(
                "Expect {gain} from log writes at the bar of {}; the rest of what commits wait takes less, or faster, \
                 writes.",
                words::latency(bar_us)
            )
        })
        .into_iter()
        .collect();
    if !others.is_empty() {
        actions.push(
            "Look first at what all writes share: the host's path to storage, the write cache of the array (battery, \
             protection mode), replication, other systems on the same disks. Devices of its own for redo help only \
             where that is not the cause."
                .to_owned(),
        );
    }
    actions.push(whose_devices(case));
    actions.extend(worker_action(case));
    actions.extend([
            "Compare with the operating system's write times of the redo devices in this interval.".to_owned(),
            "See whether all members of a group are on equally fast devices (the slowest one decides), and whether a \
             synchronous standby or storage replication is in the path."
                .to_owned(),
            "Then move redo to faster storage, and measure it before: flash can have write \
             peaks of its own."
                .to_owned(),
    ]);
    let caveat =
        "What moves redo to other devices also isolates it; the two effects cannot be told apart afterwards.";
    // Where no CPU is short none was waited for.
    let caveat = match case.idle_cpus_busy_pct() {
        Some(_) => caveat.to_owned(),
        None => format!("A log writer that waits for a CPU also looks slow. {caveat}"),
    };
    Finding {
        title: format!(
            "Redo {} slow: {how}; commits wait {}{}{} for it{but}{}",
            // Waits for each other explain no write of twice its bar.
            if may_be_slow(case) { "may be" } else { "is" },
            if bounded.is_none() { "at least " } else { "" },
            from_to(least_s, part_s),
            of_db_time(case, part_s).replacen(
                " (",
                if words::differ(least_s, part_s) { " (up to " } else { " (" },
                1
            ),
            and_others(&others)
        ),
        storage: true,
        claims: vec![Claim { of: SYNC.to_owned(), seconds: part_s }],
        // Without bounds the least is all that is claimed.
        impact_low_s: bounded.map(|_| least_s),
        touches_s: sync_s,
        evidence,
        actions,
        caveat: workers_caveat(case).map_or(caveat.clone(), |workers| format!("{caveat} {workers}")),
        ..Finding::default()
    }
}

/// Other writes than redo that take far longer than storage should need, slowest first; none where only one is: then
/// redo is not alone for a reason of its own.
fn other_slow_writes<'c>(case: &'c Case<'_>) -> Vec<&'c EventTotal> {
    /// Fewer kinds of slow writes say nothing of all.
    const KINDS: usize = 2;
    /// Fewer waits say little.
    const LEAST_WAITS: f64 = 100.0;
    /// From so many times their bar on.
    const TIMES: f64 = 3.0;
    // A session that writes past the cache asks for many at a time, so it has no bar: this is beyond any.
    const DIRECT_US: f64 = 300_000.0;
    let bars = &case.bars;
    let writes = [
        (case.background_event("db file parallel write"), TIMES * bars.db_write_us),
        (case.background_event("control file parallel write"), TIMES * bars.log_write_us),
        (case.foreground_event("direct path write"), DIRECT_US),
        (case.foreground_event("direct path write temp"), DIRECT_US),
    ];
    let is_slow = |e: &&EventTotal, bar_us| {
        e.waits.is_some_and(|n| n >= LEAST_WAITS) && e.avg_us.is_some_and(|us| us >= bar_us)
    };
    let mut slow: Vec<&EventTotal> =
        writes.into_iter().filter_map(|(e, bar_us)| e.filter(|e| is_slow(e, bar_us))).collect();
    slow.sort_by(|a, b| b.avg_us.unwrap_or(0.0).total_cmp(&a.avg_us.unwrap_or(0.0)));
    if slow.len() < KINDS { Vec::new() } else { slow }
}

/// `; other writes are slow, too: ...`
fn and_others(others: &[&EventTotal]) -> String {
    let named: Vec<String> =
        others.iter().map(|e| format!("`{}` {}", e.event, words::latency(e.avg_us.unwrap_or(0.0)))).collect();
    if named.is_empty() {
        String::new()
    } else {
        format!("; other writes are slow, too: {}", named.join(", "))
    }
}

/// What would be gained at the bar, `436 s (1.5 % of DB time)`: less than all that commits wait for.
fn at_the_bar(case: &Case<'_>, write: &EventTotal, least_s: f64, part_s: f64) -> Option<String> {
    let bar_us = write_bar_us(case);
    let mean_us = write.avg_us.filter(|us| *us > bar_us)?;
    let saved = 1.0 - bar_us / mean_us;
    let saved_s = part_s * saved;
    Some(format!(
        "{}{}",
        from_to(least_s * saved, saved_s),
        of_db_time(case, saved_s).replacen(
            " (",
            if words::differ(least_s, part_s) { " (up to " } else { " (" },
            1
        )
    ))
}

/// `8,926 s to 12,327 s`, or one number.
fn from_to(least_s: f64, most_s: f64) -> String {
    if words::differ(least_s, most_s) {
        format!("{} to {}", words::seconds(least_s), words::seconds(most_s))
    } else {
        words::seconds(most_s)
    }
}

/// The first thing to do: redo on devices of its own, with what it asks of them.
fn whose_devices(case: &Case<'_>) -> String {
    let writes = case.stat_per_second("redo writes");
    let size = case.stat_per_second("redo size").zip(writes).map(|(bytes, n)| bytes / n);
    let asks = writes.zip(size).filter(|(n, _)| *n > 0.0).map_or(String::new(), |(n, bytes)| {
        format!(" ({} writes a second of {})", words::significant(n), words::bytes(bytes))
    });
    format!(
        "Give the online redo logs{asks} devices of their own with a write-back cache; see that data, archives and \
         other systems do not share them."
    )
}

/// Where workers of the log writer wrote, what that means for the mean write.
pub(super) fn workers_caveat(case: &Case<'_>) -> Option<String> {
    workers(case)?;
    let clock_s = case.elapsed_s().map(|elapsed| elapsed * crate::commit::instances(case.report));
    let more =
        case.background_event(WRITE).zip(clock_s).is_some_and(|(write, clock_s)| write.time_s > clock_s);
    let (adds_up, holds, is) = if more {
        (" add up to more than the clock's and", "hold", "is not")
    } else {
        ("", "may hold", "may not be")
    };
    Some(format!(
        "Log writer workers wrote side by side: their times{adds_up} {holds} waits for each other, so the mean {is} that \
         of one write."
    ))
}

/// Are the log writes those of workers, and above the bar by no more than their waits for each other may
/// explain? Then nobody knows how slow one write is.
pub(crate) fn may_be_slow(case: &Case<'_>) -> bool {
    workers(case).is_some() && case.background_event(WRITE).is_some_and(|w| just_above(case, w))
}

/// Is the mean write less than twice its bar?
fn just_above(case: &Case<'_>, write: &EventTotal) -> bool {
    write.avg_us.is_some_and(|us| us < 2.0 * write_bar_us(case))
}

/// Proof that workers of the log writer made most redo writes.
pub(super) fn workers(case: &Case<'_>) -> Option<crate::Evidence> {
    let stat = case.stat("redo writes adaptive worker")?;
    let by_workers = case.stat_total("redo writes adaptive worker")?;
    let all = case.stat_total("redo writes").filter(|n| *n > 0.0)?;
    (by_workers >= BY_WORKERS * all).then(|| case.stat_evidence(stat))
}

/// Did workers of the log writer make most redo writes?
pub(crate) fn log_writer_workers(case: &Case<'_>) -> bool {
    workers(case).is_some()
}

/// What to try where workers write.
pub(super) fn worker_action(case: &Case<'_>) -> Option<String> {
    workers(case)?;
    let waited = case
        .background_event("LGWR any worker group")
        .map_or(String::new(), |e| format!(" (it waited {} for them)", words::seconds(e.time_s)));
    Some(format!(
        "The log writer left its writes to workers{waited}: with Oracle Support, test one log writer \
         (`_use_single_log_writer` = true), and compare commit times."
    ))
}

/// Would seconds of this share of `log file sync` matter?
pub(super) fn is_material_part(case: &Case<'_>, share: f64) -> bool {
    is_material(case, share * case.event_time_s(SYNC))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    const MS: f64 = 1000.0;

    /// The published redo case: 7,200 s of DB time an hour, writes of `write_s` seconds in all.
    fn hour(sync_s: f64, write_s: f64) -> Hour {
        Hour::new(29_000.0)
            .device(DeviceClass::Disk)
            .foreground("log file sync", 43_605.0, sync_s)
            .background("log file parallel write", 193_830.0, write_s)
    }

    /// The database writer took 521 ms, the control file 1,107 ms, temp 1,669 ms: redo alone was called slow.
    #[test]
    fn redo_was_slow_alone_where_every_write_is() {
        let hour = || hour(7_200.0, 193_830.0 * 0.313);
        let found = hour()
            .background("control file parallel write", 600.0, 664.0)
            .background("db file parallel write", 4_000.0, 2_084.0)
            .foreground("direct path write temp", 6_033.0, 10_068.0)
            .found(run);
        assert!(
            found.title.ends_with(
                "; other writes are slow, too: `direct path write temp` 1.67 s, `control file parallel write` 1.11 s, `db \
                 file parallel write` 521 ms"
            ),
            "{}",
            found.title
        );
        assert!(found.actions.iter().any(|a| a.starts_with("Look first at what all writes share")));
        let one = hour().background("db file parallel write", 4_000.0, 2_084.0).found(run);
        assert!(!one.title.contains("other writes"), "{}", one.title);
    }

    /// All writes about as long as their mean.
    fn even(hour: Hour) -> Hour {
        hour.histogram("log file parallel write", &[(Some(16.0 * MS), 193_830.0)])
    }

    fn histogram(hour: Hour) -> Hour {
        let shares = [0.0, 1.2, 44.1, 25.2, 15.1, 7.7, 6.7];
        let bounds = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 1024.0];
        let buckets: Vec<(Option<f64>, f64)> =
            bounds.iter().zip(shares).map(|(b, s)| (Some(b * MS), s * 1938.3)).collect();
        hour.histogram("log file parallel write", &buckets)
    }

    #[test]
    fn redo_on_disks_above_ten_milliseconds() {
        let finding = histogram(hour(2_963.0, 2_067.0)).found(run);
        assert!(finding.title.contains("10.7 ms") && finding.title.contains("10 %"), "{}", finding.title);
        assert_eq!(finding.claims[0].seconds, 2_963.0, "the writes can explain all of it");
        for (sync_s, write_s) in [(2_963.0, 1_930.0), (2_963.0, 2_020.0)] {
            // Commits take 68 ms, and nobody sees how long the slowest writes took.
            let missing = hour(sync_s, write_s).missing(run);
            assert!(missing.contains("the wait histogram of log file parallel write"), "{missing}");
            even(hour(sync_s, write_s)).not_found(run);
        }
        // Commits take 9.9 ms.
        Hour::new(7_200.0)
            .device(DeviceClass::Disk)
            .foreground("log file sync", 43_605.0, 430.0)
            .background("log file parallel write", 193_830.0, 1_930.0)
            .not_found(run);
    }

    #[test]
    fn what_the_bar_would_save_is_less_than_what_commits_wait() {
        let finding = hour(2_963.0, 3_876.6).found(run);
        assert!(
            finding.actions[0].starts_with("Expect at least 436 s (1.5 % of DB time)"),
            "{:?}",
            finding.actions
        );
    }

    /// One mean write a commit, the least that slow writes cost, was printed as what they cost.
    #[test]
    fn a_lower_bound_was_printed_as_the_value() {
        let finding = hour(2_963.0, 3_876.6).found(run);
        assert!(finding.title.contains("commits wait at least 872 s (3 % of DB time)"), "{}", finding.title);
        assert!((finding.claims[0].seconds - 872.1).abs() < 0.1, "{:?}", finding.claims);
    }

    /// Writes of 2.65 ms against a bar of 2 ms were headed by all that commits wait.
    #[test]
    fn just_above_the_bar_the_gain_stands_beside_the_wait() {
        let finding = histogram(hour(2_963.0, 2_067.0)).found(run);
        assert!(
            finding.title.contains("of which writes at the bar would save 43.5 s to 184 s"),
            "{}",
            finding.title
        );
        let far = hour(2_963.0, 3_880.0).found(run);
        assert!(!far.title.contains("would save"), "{}", far.title);
    }

    /// Commits of 2.99 % beside 4.6 % for the log buffer, both behind writes of 33 ms, were no finding.
    #[test]
    fn slow_redo_that_fills_the_log_buffer_is_weighed_with_it() {
        let both = |sync_s, buffer_s| {
            Hour::new(29_000.0)
                .device(DeviceClass::Disk)
                .foreground("log file sync", 25_000.0, sync_s)
                .foreground("log buffer space", 5_000.0, buffer_s)
                .background("log file parallel write", 30_000.0, 1_000.0)
        };
        let finding = both(860.0, 1_300.0).found(run);
        assert!(finding.claims.iter().all(|c| c.of == "log file sync"), "{:?}", finding.claims);
        both(280.0, 1_300.0).not_found(run);
        both(860.0, 0.0).not_found(run);
    }

    #[test]
    fn workers_of_the_log_writer_are_named() {
        let by = |workers| {
            hour(2_963.0, 2_067.0)
                .stat("redo writes", 193_830.0)
                .stat("redo writes adaptive worker", workers)
                .background("LGWR any worker group", 90_000.0, 126.0)
                .found(run)
        };
        let found = by(193_000.0);
        assert!(found.caveat.contains("side by side"), "{}", found.caveat);
        assert!(found.actions.iter().any(|a| a.contains("waited 126 s") && a.contains("single_log_writer")));
        assert!(!by(0.0).caveat.contains("side by side"));
    }

    #[test]
    fn an_excess_over_the_writes_is_not_claimed() {
        let finding = histogram(hour(14_000.0, 2_067.0)).found(run);
        assert!(finding.claims[0].seconds < 0.5 * 14_000.0, "{:?}", finding.claims);
        assert_eq!(finding.touches_s, 14_000.0);
    }

    #[test]
    fn measured_overhead_is_not_the_writes() {
        let finding = hour(2_963.0, 2_067.0)
            .stat("redo synch writes", 43_605.0)
            .stat("redo synch time (usec)", 2_963e6)
            .stat("redo synch time overhead (usec)", 963e6)
            .found(run);
        assert!((finding.claims[0].seconds - 2_000.0).abs() < 0.1, "{:?}", finding.claims);
    }

    #[test]
    fn a_tail_behind_a_good_mean() {
        // 4 % of 193,830 writes at 32 ms and more are 248 s.
        let tail = |write_s, pct: f64| {
            hour(2_963.0, write_s).histogram(
                "log file parallel write",
                &[
                    (Some(4.0 * MS), 1938.3 * (100.0 - pct)),
                    (Some(32.0 * MS), 0.0),
                    (Some(1024.0 * MS), 1938.3 * pct),
                ],
            )
        };
        assert!(tail(800.0, 4.0).found(run).title.contains("a tail beyond 32 ms"));
        tail(830.0, 4.0).not_found(run);
    }

    #[test]
    fn what_commits_wait_for_redo_is_a_range_and_not_its_top() {
        // The writes explain less than all: neither end stands alone.
        let finding = histogram(hour(14_000.0, 2_067.0)).found(run);
        let (title, expected) = (&finding.title, &finding.actions[0]);
        assert!(title.contains(" s to ") && title.contains("(up to "), "{title}");
        assert!(expected.contains(" s to "), "{expected}");
    }

    /// `1,485 s` headed a finding of which 673 to 1,485 s were known.
    #[test]
    fn the_seconds_of_a_range_are_given_with_their_least() {
        let hour = histogram(hour(14_000.0, 2_067.0)).cpu(1_000.0);
        let options = crate::Options { device_class: hour.device, ..crate::Options::default() };
        let diagnosis = crate::diagnose(&hour.report, &options);
        let finding = diagnosis.findings.iter().find(|f| f.rule == "slow_redo_writes").unwrap();
        let low_s = finding.impact_low_s.unwrap();
        let range =
            format!("{} to {}", crate::words::seconds(low_s), crate::words::seconds(finding.impact_s));
        assert!(low_s < finding.impact_s && finding.title.contains(&range), "{range}: {}", finding.title);
        // Where nothing bounds it the least is all that is claimed.
        assert_eq!(self::hour(2_963.0, 3_876.6).found(run).impact_low_s, None);
    }

    #[test]
    fn large_writes_are_held_against_a_bandwidth() {
        // 49 MB a write take half a second at 100 MB/s.
        let large = |write_s: f64| {
            Hour::new(29_000.0)
                .device(DeviceClass::Disk)
                .foreground("log file sync", 8_000.0, 2_963.0)
                .background("log file parallel write", 671.0, write_s)
                .stat("redo size", 671.0 * 49e6)
                .stat("redo writes", 671.0)
        };
        let finding = large(671.0).found(run);
        assert!(finding.title.contains("a question of bandwidth"), "{}", finding.title);
        assert!(finding.title.contains("100 MB/s"), "{}", finding.title);
        // Writes of 838 KiB in 216 ms, 4 MB/s, were called the same.
        let far = large(671.0 * 5.0).found(run);
        assert!(far.title.contains("explains 10 % of it at most"), "{}", far.title);
        assert!(large(671.0 * 0.44).missing(run).contains("wait histogram"));
        large(671.0 * 0.44).histogram("log file parallel write", &[(Some(512.0 * MS), 671.0)]).not_found(run);
    }

    #[test]
    fn the_mean_of_workers_does_not_accuse_the_storage() {
        let found = hour(2_963.0, 2_067.0)
            .stat("redo writes", 193_830.0)
            .stat("redo writes adaptive worker", 193_830.0)
            .found(run);
        assert!(found.title.starts_with("Redo may be slow: side by side"), "{}", found.title);
    }

    /// 42 times the bar `may be slow`, and times within the clock's `add up to more than the clock's`.
    #[test]
    fn workers_explain_no_write_of_many_times_its_bar() {
        let by_workers = |write_s: f64| {
            hour(2_963.0, write_s)
                .stat("redo writes", 193_830.0)
                .stat("redo writes adaptive worker", 193_830.0)
                .found(run)
        };
        let within = by_workers(3_500.0);
        assert!(within.title.starts_with("Redo may be slow"), "{}", within.title);
        assert!(within.caveat.contains("may hold waits for each other"), "{}", within.caveat);
        assert!(!within.caveat.contains("clock"), "{}", within.caveat);
        let beyond = by_workers(30_000.0);
        assert!(beyond.title.starts_with("Redo is slow"), "{}", beyond.title);
        assert!(beyond.caveat.contains("add up to more than the clock's"), "{}", beyond.caveat);
    }

    /// Log writes of 22 ms over 25 days were `looked for and not found`: no cause holds up 0.02 sessions for a month.
    #[test]
    fn an_average_over_a_month_does_not_hide_slow_redo() {
        let month = |sync_s| hour(sync_s, 2_067.0).with(|r| r.identity.elapsed_s = Some(25.0 * 86_400.0));
        month(2_963.0).found(run);
        month(500.0).not_found(run);
    }

    /// Where the row of the log writes lacks, their histogram was held against no row at all, and never used.
    #[test]
    fn a_histogram_without_its_row_counted_others() {
        let hour = |slow: f64, open: f64| {
            Hour::new(20_000.0)
                .device(DeviceClass::Disk)
                .foreground("log file sync", 100_000.0, 1_400.0)
                .histogram(
                    "log file parallel write",
                    &[
                        (Some(1_024.0), 90_000.0),
                        (Some(32_768.0), 10_000.0),
                        (Some(65_536.0), slow),
                        (None, open),
                    ],
                )
        };
        hour(0.0, 0.0).not_found(run);
        // 2 % beyond 33 ms make no slow mean, and may carry most of the time of the writes.
        let missing = hour(2_000.0, 0.0).missing(run);
        assert!(missing.contains("by their histogram alone they take"), "{missing}");
        let missing = hour(0.0, 1.0).missing(run);
        assert!(missing.contains("and more on average (bar 10 ms)"), "{missing}");
    }

    #[test]
    fn slow_writes_that_nobody_waits_for_are_no_finding() {
        hour(200.0, 2_067.0).not_found(run);
    }

    #[test]
    fn without_background_waits_it_cannot_tell() {
        let missing = Hour::new(7200.0).foreground("log file sync", 1_000.0, 500.0).missing(run);
        assert!(missing.contains("Background Wait Events"));
    }
}
