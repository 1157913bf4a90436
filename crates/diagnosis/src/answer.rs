//! The answer: one or two sentences with numbers, and whether storage is to blame.

use crate::bars::DeviceClass;
use crate::case::Case;
use crate::finding::Finding;
use crate::latency::bar_us;
use crate::outcome::EventTime;
use crate::words;
use spindle_facts::Kind;

/// Storage is to blame from this share of DB time on, percent: a tenth of DB time is a finding by
/// the field's rule of thumb.
const TO_BLAME_PCT: f64 = 10.0;
/// From this share on it is to blame whatever else is there.
const SURELY_PCT: f64 = 25.0;
/// Fewer average active sessions are no load: 36 seconds of DB time an hour.
const LEAST_SESSIONS: f64 = 0.01;
/// Wait classes that storage answers.
const IO_CLASSES: [&str; 3] = ["User I/O", "System I/O", "Commit"];
/// Waits for I/O from this share on are worth a sentence even where storage answers fast.
const NOTICED_PCT: f64 = 30.0;

/// DB time that is neither CPU nor a printed wait is said from this share on, percent, and acquits
/// nobody who could lead with it.
const UNEXPLAINED_PCT: f64 = 25.0;
/// Hosts less busy than this have no queue for the CPU, percent: four threads a core, all in one.
const NO_QUEUE_BUSY_PCT: f64 = 25.0;

/// Answer, and is storage the problem?
pub(crate) fn answer(case: &Case<'_>, findings: &[Finding]) -> (String, Option<bool>) {
    if let Some(sampled) = sampled(case) {
        return sampled;
    }
    let Some(db_time_s) = case.db_time_s() else {
        let missing = if case.events.is_empty() {
            "neither DB time nor wait events are printed"
        } else {
            "DB time is not printed"
        };
        return (format!("This cannot tell where response time went: {missing}."), None);
    };
    let side = &case.response_time.foreground;
    if side.classes.is_empty() && side.cpu_s.is_none() {
        let text = format!(
            "This cannot tell where {} of DB time went: neither CPU nor wait events are printed.",
            words::seconds(db_time_s)
        );
        return (text, None);
    }
    let pct = |seconds: f64| 100.0 * seconds / db_time_s;
    if let (Some(sessions), Some(elapsed_s)) = (case.average_active_sessions(), case.elapsed_s())
        && sessions < LEAST_SESSIONS
    {
        let mut text = format!(
            "There is hardly any load to judge: {} of DB time in {} minutes.",
            words::seconds(db_time_s),
            words::significant(elapsed_s / 60.0),
        );
        // What is not printed is not said to be none.
        let io_s = side.wait_s.map(|_| IO_CLASSES.iter().map(|class| case.class_time_s(class)).sum::<f64>());
        let cpu = side.cpu_s.map(|s| format!("{} of it is CPU", words::percent(pct(s))));
        let io = io_s.map(|s| format!("{} waits for I/O", words::percent(pct(s))));
        let known: Vec<String> = cpu.into_iter().chain(io).collect();
        if !known.is_empty() {
            text.push_str(&format!(" {}.", known.join(", ")));
        }
        return (text, Some(false));
    }
    let storage_s: f64 = findings.iter().filter(|f| f.storage).map(|f| f.impact_s).sum();
    let io_s: f64 = IO_CLASSES.iter().map(|class| case.class_time_s(class)).sum();
    // The queue for the CPU is where the rest went, and leads where no cause is larger.
    let queued = findings.iter().find(|f| f.rule == "cpu_saturated");
    let starved = queued.filter(|q| {
        q.impact_pct.is_some_and(|p| p >= UNEXPLAINED_PCT)
            && q.impact_s > storage_s
            && findings.iter().all(|f| f.impact_s <= q.impact_s)
    });
    if let Some(starved) = starved {
        let text = format!(
            "CPU starvation leads, not storage: {} Waits for I/O are {} of DB time, and end in the same queue.",
            uncapitalised(&sentence(&starved.title)),
            words::percent(pct(io_s))
        );
        return (text, Some(false));
    }

    let unexplained_s = side.unexplained_s.unwrap_or(0.0);
    let unexplained = queued.is_none() && pct(unexplained_s) > UNEXPLAINED_PCT;
    let said = if unexplained { unexplained_sentence(case, pct(unexplained_s)) } else { String::new() };
    let largest = findings.iter().filter(|f| f.storage).max_by(|a, b| a.impact_s.total_cmp(&b.impact_s));
    if let Some(finding) = largest.filter(|_| pct(storage_s) >= TO_BLAME_PCT) {
        if pct(storage_s) >= SURELY_PCT || storage_s.max(io_s) >= leader_s(case) {
            return (format!("{}{said}", blamed(case, finding, findings, pct)), Some(true));
        }
        if !unexplained {
            let text = format!(
                "Storage is not the main problem: {}. {}",
                leader(case, pct),
                sentence(&finding.title)
            );
            return (text, Some(false));
        }
    }
    // What nobody counted could be I/O: no acquittal unless I/O could not lead even with all of it.
    if unexplained && io_s + unexplained_s >= leader_s(case) {
        let text = format!(
            "Whether storage is the problem cannot be told: {} CPU is {}, waits for I/O are {}.{}",
            said.trim_start(),
            side.cpu_s.map_or("not printed".to_owned(), |cpu| words::percent(pct(cpu))),
            words::percent(pct(io_s)),
            other_cause(findings)
        );
        return (text, None);
    }
    if pct(io_s) >= NOTICED_PCT {
        return io_without_slow_storage(case, findings, pct(io_s));
    }
    let leader = leader(case, pct);
    if let Some(slow) = slow_behind_locks(case, findings, pct(io_s)) {
        return (format!("Locks lead: {leader}{slow}.{said}{}", other_cause(findings)), None);
    }
    let text = format!(
        "Storage is not the problem: {leader}{}.{said}{}",
        read_speed(case, pct(io_s)),
        other_cause(findings)
    );
    (text, Some(false))
}

/// I/O leads, and no rule finds storage slow: a finding that says why so much is asked of it,
/// else requests that it answers within its bar, else bulk transfers that no bar fits.
fn io_without_slow_storage(case: &Case<'_>, findings: &[Finding], io_pct: f64) -> (String, Option<bool>) {
    let leading = leading_io(case);
    let what = leading.map_or("I/O".to_owned(), |e| plainly(&e.event));
    let mean = leading.and_then(|e| e.avg_us);
    let bar = leading.and_then(|e| bar_us(&e.event, &case.bars));
    let within_bar = mean.zip(bar).is_some_and(|(mean, bar)| mean <= bar)
        || leading.is_some_and(|e| e.event == "log file sync") && case.commit.outcome == "excess";
    let explains = |f: &&Finding| {
        f.impact_pct.is_some_and(|p| p >= TO_BLAME_PCT)
            && f.claims.iter().any(|c| leading.is_some_and(|e| e.event == c.of))
    };
    if let Some(finding) = findings.iter().find(explains) {
        let text = format!(
            "{} of DB time waits for I/O, mostly {what}. {}",
            words::percent(io_pct),
            sentence(&finding.title)
        );
        return (text, within_bar.then_some(false));
    }
    let share = words::percent(io_pct);
    match (mean, bar) {
        (Some(mean), Some(bar)) if mean <= bar => {
            let text = format!(
                "{share} of DB time waits for I/O, mostly {what}, yet storage answers within its bar ({}, bar {}): the \
                 number of requests is what costs.{}",
                words::latency(mean),
                words::latency(bar),
                concentrated(case)
            );
            (text, Some(false))
        }
        (Some(mean), Some(_)) if leading.is_some_and(|e| e.event == "log file sync") => {
            let text =
                format!("{share} of DB time is {what} at {}: {}.", words::latency(mean), case.commit.because);
            (text, None)
        }
        (Some(mean), _) => {
            let text = format!(
                "{share} of DB time waits for I/O, mostly {what} ({} each): how much is moved decides, and whether \
                 storage is slow at it cannot be told.{}",
                words::latency(mean),
                concentrated(case)
            );
            (text, None)
        }
        (None, _) => (
            format!("{share} of DB time waits for I/O, mostly {what}; how slow each is, is not printed."),
            None,
        ),
    }
}

/// A finding about storage: its event with share, mean and class where the rule is about how slow an
/// event is, else what the rule says.
fn blamed(case: &Case<'_>, finding: &Finding, findings: &[Finding], pct: impl Fn(f64) -> f64) -> String {
    let claimed = finding.claims.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let event =
        claimed.filter(|_| finding.rule.starts_with("slow_")).and_then(|c| case.foreground_event(&c.of));
    let reads = claimed.is_some_and(|c| c.of.contains(" read"));
    let event = event.filter(|_| reads);
    match event.and_then(|e| Some((e, e.avg_us?))) {
        Some((event, avg_us)) => format!(
            "{} of DB time is {} at {}{}.{}",
            words::percent(pct(case.event_time_s(&event.event))),
            plainly(&event.event),
            words::latency(avg_us),
            from_class(case.device.value),
            concentrated(case)
        ),
        None if reads => format!("{}{}", sentence(&finding.title), concentrated(case)),
        // What leads is said first, also where it is not what is wrong.
        None => match leading(case, &pct, finding, findings) {
            Some(first) => format!("{first} {}", sentence(&finding.title)),
            None => sentence(&finding.title),
        },
    }
}

/// Where a wait for I/O that no finding blames is larger than the one that is: what a finding says
/// of it, or `Single-block reads, 55 % of DB time, are within their bar (4 ms, bar 10 ms).`
fn leading(
    case: &Case<'_>,
    pct: impl Fn(f64) -> f64,
    finding: &Finding,
    findings: &[Finding],
) -> Option<String> {
    let leading = leading_io(case).filter(|e| e.time_s > finding.impact_s)?;
    let says = findings.iter().find(|f| {
        !f.storage
            && f.impact_s > finding.impact_s
            && f.claims
                .iter()
                .max_by(|a, b| a.seconds.total_cmp(&b.seconds))
                .is_some_and(|c| c.of == leading.event)
    });
    match (leading.avg_us, bar_us(&leading.event, &case.bars)) {
        (Some(mean), Some(bar)) if mean <= bar => {
            let what = plainly(&leading.event);
            let mut letters = what.chars();
            let what: String =
                letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            Some(format!(
                "{what}, {} of DB time, are within their bar ({}, bar {}).",
                words::percent(pct(leading.time_s)),
                words::latency(mean),
                words::latency(bar)
            ))
        }
        _ => says.map(|f| sentence(&f.title)),
    }
}

/// The largest foreground wait for I/O.
fn leading_io<'c>(case: &'c Case<'_>) -> Option<&'c EventTime> {
    let classes = case.response_time.foreground.classes.iter();
    let events = classes.filter(|c| IO_CLASSES.contains(&c.wait_class.as_str())).flat_map(|c| &c.events);
    events.max_by(|a, b| a.time_s.total_cmp(&b.time_s))
}

fn sentence(title: &str) -> String {
    format!("{}.", title.trim_end_matches('.'))
}

fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// ` 59 % of DB time is neither CPU nor a printed wait (...).`
fn unexplained_sentence(case: &Case<'_>, pct: f64) -> String {
    let why = match case.host_cpu_busy_pct() {
        Some(busy) if busy < NO_QUEUE_BUSY_PCT => format!(
            " (no queue for the CPU, the host was {} busy: calls counted from an earlier start, or waits not printed)",
            words::percent(busy)
        ),
        Some(busy) => format!(" (the host's CPUs were {} busy)", words::percent(busy)),
        None => String::new(),
    };
    format!(" {} of DB time is neither CPU nor a printed wait{why}.", words::percent(pct))
}

/// Active Session History: shares of samples. They tell what sessions did, never how slow it was.
fn sampled(case: &Case<'_>) -> Option<(String, Option<bool>)> {
    /// Less than this of all samples listed says nothing of the rest, percent.
    const LISTED_PCT: f64 = 50.0;
    if case.report.identity.kind != Kind::Ash || case.db_time_s().is_some() {
        return None;
    }
    let rows = &case.report.tables.top_event;
    let mut shares: Vec<(&str, &str, f64)> = rows
        .iter()
        .filter_map(|e| Some((e.event.as_str(), e.wait_class.as_deref().unwrap_or(""), e.share_pct?)))
        .collect();
    shares.sort_by(|a, b| b.2.total_cmp(&a.2));
    let (first, rest) = shares.split_first()?;
    let name = |event: &str| {
        if event.starts_with("CPU") { "CPU or waiting for it".to_owned() } else { format!("`{event}`") }
    };
    let others: String =
        rest.iter().take(2).map(|s| format!(", {} {}", words::percent(s.2), name(s.0))).collect();
    let text = format!("{} of sampled activity is {}{others}", words::percent(first.2), name(first.0));
    let io: f64 = shares.iter().filter(|s| IO_CLASSES.contains(&s.1)).map(|s| s.2).sum();
    let listed: f64 = shares.iter().map(|s| s.2).sum();
    if listed < LISTED_PCT {
        let text =
            format!("{text}; the other {} is not listed for user sessions.", words::percent(100.0 - listed));
        return Some((text, None));
    }
    let by_class = |class: &str| shares.iter().filter(|s| s.1 == class).map(|s| s.2).sum::<f64>();
    let leads =
        shares.iter().filter(|s| !IO_CLASSES.contains(&s.1)).map(|s| by_class(s.1)).fold(0.0, f64::max);
    Some(if io + (100.0 - listed).max(0.0) < TO_BLAME_PCT.max(leads) && io < leads {
        (format!("Storage is not the problem: {text} (shares of samples, not measured waits)."), Some(false))
    } else {
        let text = format!(
            "{text}: waits for I/O are {} in all. These are shares of samples, not measured waits: whether storage \
             is slow or asked for much, the AWR report of this time tells.",
            words::percent(io)
        );
        (text, None)
    })
}

fn from_class(class: DeviceClass) -> &'static str {
    match class {
        DeviceClass::Disk => " from disk-class storage",
        DeviceClass::Flash => " from flash-class storage",
        DeviceClass::Exadata => " from Exadata cells",
        DeviceClass::FlashOrCache => " from flash or a cache",
        DeviceClass::Unknown => "",
    }
}

fn plainly(event: &str) -> String {
    match event {
        "db file sequential read" | "cell single block physical read" => "single-block reads".to_owned(),
        "db file scattered read" | "cell multiblock physical read" => "multi-block reads".to_owned(),
        "direct path read" => "direct-path reads".to_owned(),
        "direct path read temp" => "reads of temp".to_owned(),
        "direct path write" => "direct-path writes".to_owned(),
        "direct path write temp" => "writes to temp".to_owned(),
        "log file sync" => "commits waiting for redo (`log file sync`)".to_owned(),
        other => format!("`{other}`"),
    }
}

/// ` 3 statements cause 80 % of the physical reads.`, where few do.
fn concentrated(case: &Case<'_>) -> String {
    match case.concentration.statements_for_80_pct {
        Some(1) => " One statement causes 80 % of the physical reads.".to_owned(),
        Some(n) if n <= 10 => format!(" {n} statements cause 80 % of the physical reads."),
        _ => String::new(),
    }
}

/// `, single-block reads average 0.4 ms`, or that they are slow and hardly matter.
fn read_speed(case: &Case<'_>, io_pct: f64) -> String {
    match case.io.single_block_read_us.as_ref() {
        Some(reads) if reads.value > case.bars.single_block_read_us => format!(
            ", and though single-block reads take {}, I/O waits are only {} of it",
            words::latency(reads.value),
            words::percent(io_pct)
        ),
        // Printed as 0 ms by releases that round to milliseconds.
        Some(reads) if reads.value <= 0.0 => match reads.bounds {
            Some(bounds) if bounds.high > 0.0 => {
                format!(", single-block reads average under {}", words::latency(bounds.high))
            }
            _ => String::new(),
        },
        Some(reads) => format!(", single-block reads average {}", words::latency(reads.value)),
        None => String::new(),
    }
}

/// Storage that answers slowly while sessions wait for each other: a holder that waits for it holds its
/// locks for longer, and no report says whether it did.
fn slow_behind_locks(case: &Case<'_>, findings: &[Finding], io_pct: f64) -> Option<String> {
    // Ours: the bar is passed twice over, since slightly slow storage hardly prolongs a transaction.
    const TWICE: f64 = 2.0;
    let locks =
        findings.iter().find(|f| f.rule == "locks" && f.impact_pct.is_some_and(|p| p >= TO_BLAME_PCT))?;
    findings.iter().all(|f| f.impact_s <= locks.impact_s).then_some(())?;
    let reads = case.io.single_block_read_us.as_ref().map(|f| f.value);
    let syncs = case.commit.sync_us;
    let mut slow = Vec::new();
    if let Some(us) = reads.filter(|us| *us > TWICE * case.bars.single_block_read_us) {
        slow.push(format!("single-block reads take {}", words::latency(us)));
    }
    if let Some(us) = syncs.filter(|us| *us > TWICE * case.bars.log_sync_us) {
        slow.push(format!("commits {}{}", if slow.is_empty() { "take " } else { "" }, words::latency(us)));
    }
    (!slow.is_empty()).then(|| {
        format!(
            ". I/O waits are only {} of it, yet {}: whether that prolongs the transactions of those who hold the locks \
             cannot be told from this report",
            words::percent(io_pct),
            slow.join(" and ")
        )
    })
}

/// Seconds of what leads, I/O left out.
fn leader_s(case: &Case<'_>) -> f64 {
    let side = &case.response_time.foreground;
    let waits =
        side.classes.iter().find(|c| !IO_CLASSES.contains(&c.wait_class.as_str())).map_or(0.0, |c| c.time_s);
    waits.max(side.cpu_s.unwrap_or(0.0))
}

/// What leads: CPU or a wait class with its largest event.
fn leader(case: &Case<'_>, pct: impl Fn(f64) -> f64) -> String {
    let side = &case.response_time.foreground;
    let cpu_s = side.cpu_s.unwrap_or(0.0);
    let class = side.classes.first();
    match class {
        Some(class) if class.time_s > cpu_s && IO_CLASSES.contains(&class.wait_class.as_str()) => {
            format!("waits for I/O are only {} of DB time", words::percent(pct(class.time_s)))
        }
        Some(class) if class.time_s > cpu_s => {
            // The event is not the whole class.
            let event = class.events.first().map_or(String::new(), |e| {
                let part = if e.time_s > 0.9 * class.time_s { "" } else { " the largest of it" };
                format!(" (`{}`{part})", e.event)
            });
            format!("{} of DB time is {} waits{event}", words::percent(pct(class.time_s)), class.wait_class)
        }
        _ if side.cpu_s.is_some() => format!("{} of DB time is CPU", words::percent(pct(cpu_s))),
        _ => "no wait for it stands out".to_owned(),
    }
}

/// The largest finding that is not about storage, where it is worth a sentence.
fn other_cause(findings: &[Finding]) -> String {
    // That CPU leads is said already.
    let largest = findings
        .iter()
        .filter(|f| !f.storage && f.rule != "cpu_bound" && f.impact_pct.is_some_and(|p| p >= TO_BLAME_PCT))
        .max_by(|a, b| a.impact_s.total_cmp(&b.impact_s));
    largest.map_or(String::new(), |f| format!(" {}.", f.title.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::answer;
    use crate::finding::{Claim, Finding};
    use crate::resolve::resolve;
    use crate::rules::testing::Hour;
    use crate::{Case, Options};

    fn answered(hour: &Hour, mut findings: Vec<Finding>) -> (String, Option<bool>) {
        let case = Case::new(&hour.report, &Options::default());
        resolve(&mut findings, &case.response_time);
        answer(&case, &findings)
    }

    fn slow_reads(seconds: f64) -> Finding {
        Finding {
            rule: "slow_single_block_reads",
            title: "Single-block reads are slower than 10 ms".into(),
            storage: true,
            claims: vec![Claim { of: "db file sequential read".into(), seconds }],
            ..Finding::default()
        }
    }

    #[test]
    fn storage_to_blame_is_said_with_its_event_and_class() {
        let hour = Hour::new(1000.0).cpu(500.0).foreground("db file sequential read", 36_607.0, 410.0);
        let (text, blamed) = answered(&hour, vec![slow_reads(410.0)]);
        assert_eq!(blamed, Some(true));
        assert_eq!(text, "41 % of DB time is single-block reads at 11.2 ms from disk-class storage.");
    }

    #[test]
    fn a_tenth_beside_a_leader_is_not_the_main_problem() {
        let hour = Hour::new(1000.0).cpu(800.0).foreground("db file sequential read", 10_000.0, 120.0);
        let (text, blamed) = answered(&hour, vec![slow_reads(120.0)]);
        assert_eq!(blamed, Some(false));
        assert_eq!(
            text,
            "Storage is not the main problem: 80 % of DB time is CPU. Single-block reads are slower than 10 ms."
        );
    }

    #[test]
    fn slow_redo_is_named_beside_reads_within_their_bar() {
        let slow_redo = Finding {
            rule: "slow_redo_writes",
            title: "Redo is written slowly".into(),
            storage: true,
            claims: vec![Claim { of: "log file sync".into(), seconds: 110.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0).cpu(300.0).foreground("db file sequential read", 100_000.0, 550.0);
        let (text, blamed) = answered(&hour.foreground("log file sync", 2_000.0, 110.0), vec![slow_redo]);
        assert_eq!(blamed, Some(true));
        assert_eq!(
            text,
            "Single-block reads, 55 % of DB time, are within their bar (5.5 ms, bar 10 ms). Redo is written slowly."
        );
    }

    #[test]
    fn an_idle_database_is_said_to_be_one() {
        let (text, blamed) = answered(&Hour::new(20.0).cpu(15.0), Vec::new());
        assert_eq!(blamed, Some(false));
        assert!(
            text.starts_with("There is hardly any load to judge: 20 s of DB time in 60 minutes."),
            "{text}"
        );
    }

    #[test]
    fn cpu_that_is_not_printed_is_not_said_to_be_none() {
        let hour = Hour::new(20.0).foreground("db file sequential read", 100.0, 4.0);
        let (text, _) = answered(&hour, Vec::new());
        assert!(text.contains("hardly any load") && text.contains("waits for I/O"), "{text}");
        assert!(!text.contains("CPU"), "{text}");
    }

    #[test]
    fn innocent_storage_is_said_first() {
        let hour = Hour::new(1000.0).cpu(730.0).foreground("db file sequential read", 100_000.0, 40.0);
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, Some(false));
        assert_eq!(
            text,
            "Storage is not the problem: 73 % of DB time is CPU, single-block reads average 0.4 ms."
        );
    }

    #[test]
    fn locks_that_lead_before_slow_storage_do_not_acquit_it() {
        let locks = || Finding {
            rule: "locks",
            title: "Sessions waited 900 s for locks".into(),
            claims: vec![Claim { of: "enq: TX - row lock contention".into(), seconds: 900.0 }],
            ..Finding::default()
        };
        let hour = |read_s| {
            Hour::new(1000.0).cpu(50.0).foreground("enq: TX - row lock contention", 100.0, 900.0).foreground(
                "db file sequential read",
                1_000.0,
                read_s,
            )
        };
        let (text, blamed) = answered(&hour(41.0), vec![locks()]);
        assert_eq!(blamed, None);
        assert!(
            text.starts_with("Locks lead: ") && text.contains("cannot be told from this report"),
            "{text}"
        );
        let (text, blamed) = answered(&hour(1.0), vec![locks()]);
        assert_eq!(blamed, Some(false), "{text}");
    }

    #[test]
    fn many_fast_reads_are_no_storage_problem() {
        let hour = Hour::new(1000.0).cpu(300.0).foreground("db file sequential read", 1_500_000.0, 600.0);
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, Some(false));
        assert!(
            text.starts_with("60 % of DB time waits for I/O, mostly single-block reads, yet storage answers within its bar (0.4 ms, bar")
        );
    }

    #[test]
    fn samples_are_shares_and_never_latency() {
        let ash = |rows: &[(&str, &str, f64)]| {
            let rows: Vec<(String, String, f64)> =
                rows.iter().map(|r| (r.0.to_owned(), r.1.to_owned(), r.2)).collect();
            let mut hour = Hour::new(1.0).with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
                r.identity.kind = spindle_facts::Kind::Ash;
            });
            for (event, class, share) in rows {
                hour = hour.top(&event, None, 0.0).with(|r| {
                    let row = r.tables.top_event.last_mut().unwrap();
                    (row.time_s, row.time_s_low, row.time_s_high) = (None, None, None);
                    (row.share_pct, row.share_of, row.wait_class) = (Some(share), None, Some(class));
                });
            }
            hour
        };
        let (text, blamed) = answered(
            &ash(&[("CPU + Wait for CPU", "CPU", 21.0), ("db file sequential read", "User I/O", 73.3)]),
            Vec::new(),
        );
        assert!(
            text.starts_with(
                "73 % of sampled activity is `db file sequential read`, 21 % CPU or waiting for it"
            ) && text.contains("not measured waits"),
            "{text}"
        );
        assert_eq!(blamed, None);
        let (text, blamed) = answered(
            &ash(&[("CPU + Wait for CPU", "CPU", 91.0), ("db file sequential read", "User I/O", 4.0)]),
            Vec::new(),
        );
        assert_eq!(blamed, Some(false), "{text}");
        let (text, blamed) = answered(&ash(&[("CPU + Wait for CPU", "CPU", 1.31)]), Vec::new());
        assert!(text.contains("99 % is not listed") && blamed.is_none(), "{text}");
    }

    #[test]
    fn what_nobody_counted_acquits_nobody_who_could_lead_with_it() {
        let hour =
            |cpu_s| Hour::new(1000.0).cpu(cpu_s).foreground("db file sequential read", 100_000.0, 40.0);
        let (text, blamed) = answered(&hour(400.0), Vec::new());
        assert_eq!(blamed, None);
        assert!(text.contains("56 % of DB time is neither CPU nor a printed wait"), "{text}");
        let (text, blamed) = answered(&hour(690.0), Vec::new());
        assert_eq!(blamed, Some(false));
        assert!(text.contains("27 % of DB time is neither"), "{text}");
        let (text, _) = answered(&hour(720.0), Vec::new());
        assert!(!text.contains("neither"), "{text}");
    }

    #[test]
    fn a_queue_for_the_cpu_leads_before_storage() {
        let starved = Finding {
            rule: "cpu_saturated",
            title: "The CPUs of the host were 92 % busy on average".into(),
            claims: vec![Claim { of: "unexplained".into(), seconds: 480.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0).cpu(110.0).foreground("db file sequential read", 10_000.0, 410.0);
        let (text, blamed) = answered(&hour, vec![slow_reads(210.0), starved]);
        assert_eq!(blamed, Some(false));
        assert!(text.starts_with("CPU starvation leads, not storage: the CPUs of the host"), "{text}");
    }

    #[test]
    fn the_largest_event_is_not_the_whole_class() {
        let hour = Hour::new(1000.0)
            .cpu(100.0)
            .foreground("library cache lock", 10_000.0, 320.0)
            .foreground("library cache: mutex X", 10_000.0, 300.0)
            .with(|r| r.tables.wait_event.iter_mut().for_each(|e| e.wait_class = Some("Concurrency".into())));
        let (text, _) = answered(&hour.foreground("x", 1.0, 150.0), Vec::new());
        assert!(text.contains("(`library cache lock` the largest of it)"), "{text}");
    }

    #[test]
    fn ignorance_is_said_plainly() {
        let empty = Hour::new(0.0).with(|r| r.tables.time_model.clear());
        let (text, blamed) = answered(&empty, Vec::new());
        assert_eq!(blamed, None);
        assert!(text.starts_with("This cannot tell where response time went"), "{text}");
        let (text, blamed) =
            answered(&Hour::new(1000.0).cpu(100.0).foreground("log file sync", 1.0, 1.0), Vec::new());
        assert_eq!(blamed, None);
        assert!(
            text.contains("90 % of it") || text.contains("90 % is") || text.contains("90 % of DB time"),
            "{text}"
        );
    }
}
