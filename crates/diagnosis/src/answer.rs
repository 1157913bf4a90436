//! The answer: one or two sentences with numbers, and whether storage is to blame.

use crate::accounts::MEAN_READ;
use crate::awaited_writes::{Undecided, may_be_a_read, undecided, writer_of};
use crate::bars::DeviceClass;
use crate::beside::beside;
use crate::by_histogram::is_estimated;
use crate::case::{Bound, Case};
use crate::concentration::{statements_pct, totals_of_reads_differ};
use crate::events::is_cpu;
use crate::finding::Finding;
use crate::latency::bar_us;
use crate::log_flush::log_flush;
use crate::lost_rows::{lost_waits, lost_waits_of};
use crate::outcome::EventTime;
use crate::response_time::{db_cpu_s, is_read_in_part, no_db_time, rate_of_cpu_s, shares_alone};
use crate::rules::{
    AT_THE_BAR, SHARE_PCT, above_its_bar, cpu_waited_s, fast_by_histogram, io_wait_s_of_row, log_writes,
    may_be_slow, printing_io_wait, single_block_s,
};
use crate::told::sampled_cpu;
use crate::words;
use spindle_facts::{Kind, Metric, SAMPLES_MISSING, SqlStat};
use std::collections::{BTreeMap, BTreeSet};

/// Storage is to blame from this share of DB time on, percent: a tenth of DB time is a finding by
/// the field's rule of thumb.
const TO_BLAME_PCT: f64 = 10.0;
/// From this share on it is to blame whatever else is there.
const SURELY_PCT: f64 = 25.0;
/// Fewer average active sessions are no load: 72 seconds of DB time an hour, and no cause is worth a line.
const LEAST_SESSIONS: f64 = crate::rules::SESSIONS;
/// Waits of one kind beyond this share of DB time contradict it: a call counts when it ends, its waits
/// when they happen.
const WHOLE_PCT: f64 = 102.0;
/// Storage that is slow and costs less than this is not worth a word, percent of DB time.
const A_LITTLE_PCT: f64 = 5.0;
const SYNC: &str = "log file sync";
/// Wait classes that storage answers.
const IO_CLASSES: [&str; 3] = ["User I/O", "System I/O", "Commit"];
/// Waits for I/O from this share on are worth a sentence even where storage answers fast.
const NOTICED_PCT: f64 = 30.0;

/// DB time that is neither CPU nor a printed wait is said from this share on, percent, and acquits
/// nobody who could lead with it.
const UNEXPLAINED_PCT: f64 = 25.0;
/// Part of the gap that waits for a CPU, as the operating system counts them, have to be, to explain it.
const MAY_EXPLAIN: f64 = 0.5;
/// Hosts less busy than this have no queue for the CPU, percent: four threads a core, all in one.
const NO_QUEUE_BUSY_PCT: f64 = 25.0;

/// Answer, and is storage the problem?
pub(crate) fn answer(case: &Case<'_>, findings: &[Finding]) -> (String, Option<bool>) {
    let (text, verdict) = judged(case, findings);
    // Of much that was not read no other sentence speaks.
    let unread_s = case.response_time.foreground.unread_s.unwrap_or(0.0);
    let much_unread = case.share_pct(unread_s).is_some_and(|pct| pct > TO_BLAME_PCT);
    let rewrite = verdict == Some(false) || verdict.is_none() && much_unread;
    let (text, verdict) = match not_acquitted(case, findings).filter(|_| rewrite) {
        Some(text) => (text, None),
        None => match redo_unknown(case, findings).filter(|_| verdict == Some(false)) {
            Some(why) => (not_told(&text, &why), None),
            None => (text, verdict),
        },
    };
    let (text, verdict) = match samples_missing(case) {
        Some(why) => (not_told(&text, &why), verdict.filter(|blamed| *blamed)),
        None => (text, verdict),
    };
    let mut text = with_largest(case, findings, text);
    if let Some(beside) = beside(case.report, &case.response_time) {
        text = format!("{text} {}", beside.said());
    }
    if verdict.is_none() && says_no_findings(case) {
        text.push_str(" ADDM says of it that there are no findings to report.");
    }
    if let Some(said) = addm_on_throughput(case).filter(|_| verdict.is_none()) {
        text.push_str(&said);
    }
    (text, verdict)
}

/// That samples of the interval are missing, which the report says of itself: what was not sampled acquits nobody.
fn samples_missing(case: &Case<'_>) -> Option<String> {
    let note = case.report.notes.iter().find(|n| n.message.starts_with(SAMPLES_MISSING))?;
    let mut letters = note.message.chars();
    let first = letters.next()?.to_uppercase();
    Some(format!("{first}{}: {}.", letters.as_str(), note.effect))
}

/// Does a report hold ADDM's own word that it found nothing?
fn says_no_findings(case: &Case<'_>) -> bool {
    let said = |s: &spindle_facts::Section| {
        s.status == spindle_facts::SectionStatus::Absent && s.title == spindle_facts::ADDM_FINDINGS
    };
    case.report.tables.addm_finding.is_empty() && case.report.sections.iter().any(said)
}

/// ` By ADDM in this report (line 67) the throughput ...`: its word on storage, where the report itself carries no answer
/// and all analyses in it say the same.
fn addm_on_throughput(case: &Case<'_>) -> Option<String> {
    const OF: &str = "throughput of the I/O subsystem was ";
    const LOWER: &str = "significantly lower than expected";
    if case.report.identity.kind != Kind::Awr {
        return None;
    }
    let findings = case.report.tables.addm_finding.iter();
    let said = findings.filter_map(|f| {
        let rest = f.description.as_deref()?.split_once(OF)?.1;
        let is_lower = rest.starts_with(LOWER);
        (is_lower || rest.strip_prefix("not ")?.starts_with(LOWER)).then_some((is_lower, f.line))
    });
    let said: Vec<(bool, u32)> = said.collect();
    let (is_lower, line) = *said.first()?;
    let not = if is_lower { "" } else { "not " };
    said.iter().all(|s| s.0 == is_lower).then(|| {
        format!(
            " By ADDM in this report (line {line}) the throughput of the I/O subsystem was {not}significantly lower than \
             expected."
        )
    })
}

/// Why reads within their bar acquit no storage, where commits wait and how long a log write takes was not read.
fn redo_unknown(case: &Case<'_>, findings: &[Finding]) -> Option<String> {
    // A rule that calls it slow knows.
    if findings.iter().any(|f| f.rule == "slow_redo_writes") {
        return None;
    }
    let write = "log file parallel write";
    if case.background_event(write).is_some_and(|e| !is_estimated(e)) || fast_by_histogram(case) {
        return None;
    }
    // What is beyond log writes at any rate is not their storage.
    let commits_s = case.event_time_s(SYNC);
    let by_writes_s = commits_s * case.commit.most_of_writes().unwrap_or(1.0);
    case.share_pct(by_writes_s).filter(|pct| *pct >= A_LITTLE_PCT)?;
    let read = if case.histogram(write).is_some() {
        "of how long log writes take only a histogram was read"
    } else {
        "how long log writes take was not read"
    };
    Some(format!(
        "Whether the redo's storage is fast cannot be told: {} of DB time waits for commits, and {read}.",
        words::percent(case.share_pct(commits_s)?)
    ))
}

/// An answer that acquitted storage, with why it may not.
fn not_told(text: &str, why: &str) -> String {
    let acquitted = ["Storage is not the problem: ", "Storage is not the main problem: "];
    match acquitted.iter().find_map(|start| text.strip_prefix(start)) {
        Some(rest) => {
            let mut letters = rest.chars();
            let rest: String =
                letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            format!("{why} {rest}")
        }
        None => format!("{text} {why}"),
    }
}

/// Why nothing acquits storage, where more of DB time than storage needs to be blamed is no wait or CPU that
/// was read: it may be waits for it.
fn not_acquitted(case: &Case<'_>, findings: &[Finding]) -> Option<String> {
    let db_time_s = case.db_time_s()?;
    let side = &case.response_time.foreground;
    let idle = case.average_active_sessions().is_some_and(|sessions| sessions < LEAST_SESSIONS);
    let by_one_statement = side.classes.is_empty() && side.cpu_s.is_none();
    if idle || by_one_statement || case.reads_all_waits() {
        return None;
    }
    let pct = |seconds: f64| 100.0 * seconds / db_time_s;
    // What the queue for the CPU explains is no wait for storage.
    let queued = findings.iter().filter(|f| f.rule == "cpu_saturated").flat_map(|f| &f.claims);
    let queued_s: f64 = queued.filter(|c| c.of == "unexplained").map(|c| c.seconds).sum();
    let unexplained_s = (side.unexplained_s.unwrap_or(0.0) - queued_s).max(0.0);
    let may_be_io_s = most_io_of(case, unexplained_s);
    // Of a class without its events nobody knows how slow storage was at it.
    let may_be_io = |class: &str| IO_CLASSES.contains(&class) || class == "Configuration";
    let without_events_s = if side.unread_s.is_some() { side.without_events_s(may_be_io) } else { 0.0 };
    let for_writers_s = for_writers_s(case);
    let without_events_s = without_events_s.max(for_writers_s);
    if pct(may_be_io_s + without_events_s) <= TO_BLAME_PCT {
        return None;
    }
    let mut why = Vec::new();
    if unexplained_s > 0.0 && pct(unexplained_s) >= 1.0 {
        why.push(unexplained_sentence(case, pct(unexplained_s)).trim_start().to_owned());
    }
    if let Some(event) = case.unreadable_events.first() {
        let more = match case.unreadable_events.len() - 1 {
            0 => String::new(),
            n => format!(" (and of {n} more)"),
        };
        why.push(format!("The row of `{event}`{more} is printed and cannot be read."));
    }
    if let Some(unread_s) = side.unread_s {
        let of_io = if without_events_s > 0.0 {
            format!(", {} of them waits for I/O", words::seconds(without_events_s))
        } else {
            String::new()
        };
        why.push(format!(
            "{} of foreground waits ({}) are printed by class or in sum, and in no event that was read{of_io}.",
            words::seconds(unread_s),
            words::percent(pct(unread_s))
        ));
    }
    if for_writers_s > 0.0 {
        why.push(format!(
            "{} of DB time is Configuration waits, of which no event is printed: those for log buffer space, free buffers \
             and checkpoints are for writes.",
            words::percent(pct(for_writers_s))
        ));
    }
    let slow = findings.iter().filter(|f| f.storage && f.impact_pct.is_some_and(|p| p >= A_LITTLE_PCT));
    let slow = slow
        .max_by(|a, b| a.impact_s.total_cmp(&b.impact_s))
        .map_or(String::new(), |f| format!(" {}", sentence(&f.title)));
    Some(format!(
        "Whether storage is the problem cannot be told: {} {}.{slow}{}",
        why.join(" "),
        known_parts(case),
        other_cause(findings)
    ))
}

/// Seconds of waits for log buffer space, free buffers and checkpoints that AWR-miner prints by class alone, where their
/// writes are not known to be fast.
fn for_writers_s(case: &Case<'_>) -> f64 {
    if case.report.identity.kind != spindle_facts::Kind::AwrMiner || fast_by_histogram(case) {
        return 0.0;
    }
    case.response_time.foreground.without_events_s(|class| class == "Configuration")
}

/// `CPU is 28 %, waits for I/O are 4.2 %`, or what is known of them: rows that were not read are no waits of nothing.
fn known_parts(case: &Case<'_>) -> String {
    let share = |seconds| case.share_in_words(seconds).unwrap_or_default();
    let cpu = match case.response_time.foreground.cpu_s {
        Some(cpu_s) => share(cpu_s),
        None if is_read_in_part(case.report) => "not known".to_owned(),
        None => "not printed".to_owned(),
    };
    let lost = lost_waits(case.report).is_some() || !case.unreadable_events.is_empty();
    let io_s = io_s(case);
    match (lost, io_s > 0.0) {
        (false, false) if case.prints_wait_events() => format!("CPU is {cpu}, waits for I/O are 0 %"),
        (_, false) => format!("CPU is {cpu}, and no wait for I/O is among those that were read"),
        (true, true) => {
            format!("CPU is {cpu}, the waits for {} that were read are {}", io_and_commits(case), share(io_s))
        }
        (false, true) => format!("CPU is {cpu}, waits for {} are {}", io_and_commits(case), share(io_s)),
    }
}

/// The finding that costs most belongs into the headline, where it is not what that speaks of.
fn with_largest(case: &Case<'_>, findings: &[Finding], text: String) -> String {
    let idle = case.average_active_sessions().is_some_and(|sessions| sessions < LEAST_SESSIONS);
    let largest = findings.iter().filter(|f| f.impact_pct.is_some_and(|p| p >= SURELY_PCT));
    let Some(largest) = largest.max_by(|a, b| a.impact_s.total_cmp(&b.impact_s)).filter(|_| !idle) else {
        return text;
    };
    let said = text.to_lowercase();
    let claimed = largest.claims.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let is_said = said.contains(&largest.title.trim_end_matches('.').to_lowercase())
        || match largest.rule {
            "cpu_bound" => said.contains("cpu"),
            "locks" => said.starts_with("locks lead"),
            "rac_interconnect" => said.starts_with("other instances lead"),
            "few_statements_read_most" => said.contains("of the physical reads"),
            "slow_commits" | "too_many_commits" => said.contains("of db time is commits"),
            rule if rule.starts_with("slow_") => {
                claimed.is_some_and(|c| said.contains(&format!("is {} at ", plainly(&c.of).to_lowercase())))
            }
            _ => false,
        };
    if is_said { text } else { format!("{text} {}", sentence(&largest.title)) }
}

fn judged(case: &Case<'_>, findings: &[Finding]) -> (String, Option<bool>) {
    if let Some(sampled) = sampled(case) {
        return sampled;
    }
    let Some(db_time_s) = case.db_time_s() else {
        return (without_db_time(case, findings), None);
    };
    let side = &case.response_time.foreground;
    let pct = |seconds: f64| 100.0 * seconds / db_time_s;
    if side.classes.is_empty() && side.cpu_s.is_none() {
        let nothing = || {
            format!(
                "This cannot tell where {} of DB time went: neither CPU of the sessions nor wait events were read.{}",
                words::seconds(db_time_s),
                of_statements(case)
            )
        };
        return (of_one_statement(case, pct).or_else(|| by_addm(case)).unwrap_or_else(nothing), None);
    }
    if let (Some(sessions), Some(elapsed_s)) = (case.average_active_sessions(), case.elapsed_s())
        && sessions < LEAST_SESSIONS
    {
        let mut text = format!(
            "There is hardly any load to judge: {} of DB time in {} minutes.",
            words::seconds(db_time_s),
            words::significant(elapsed_s / 60.0),
        );
        // What is not printed is not said to be none.
        let io_s = (!side.classes.is_empty()).then(|| io_s(case)).filter(|s| pct(*s) <= WHOLE_PCT);
        // What most of it was is said also of little, as a lock that one session waited for.
        let most = io_s.unwrap_or(0.0).max(side.cpu_s.unwrap_or(0.0));
        let other = largest_other(case)
            .filter(|c| c.seconds > most && (TO_BLAME_PCT..=WHOLE_PCT).contains(&pct(c.seconds)));
        let of_waits = other.map(|c| {
            format!("{} {} waits{}", words::percent(pct(c.seconds)), c.wait_class, largest_of(case, &c))
        });
        let cpu = side.cpu_s.map(|s| format!("{} CPU", words::percent(pct(s))));
        let io = io_s.map(|s| format!("{} waits for {}", words::percent(pct(s)), io_and_commits(case)));
        let known: Vec<String> = of_waits.into_iter().chain(cpu).chain(io).collect();
        // `0.8 % of it is CPU`, of whatever stands first.
        if let Some((first, rest)) = known.split_first() {
            let first = first.replacen(" % ", " % of it is ", 1);
            let rest: String = rest.iter().map(|part| format!(", {part}")).collect();
            text.push_str(&format!(" {first}{rest}."));
        }
        return (text, Some(false));
    }
    let storage_s: f64 = findings.iter().filter(|f| f.storage).map(|f| f.impact_s).sum();
    let io_s = io_s(case);
    // The queue for the CPU is where the rest went, and leads where no cause is larger.
    let queued = findings.iter().find(|f| f.rule == "cpu_saturated");
    let starved = queued.filter(|q| {
        q.impact_pct.is_some_and(|p| p >= UNEXPLAINED_PCT)
            && q.impact_s > storage_s
            && findings.iter().all(|f| f.impact_s <= q.impact_s)
    });
    if let Some(starved) = starved {
        let text = format!(
            "CPU starvation leads, not storage: {} Waits for {} are {} of DB time, and end in the same queue.",
            uncapitalised(&sentence(&starved.title)),
            io_and_commits(case),
            words::percent(pct(io_s))
        );
        return (text, Some(false));
    }
    if !case.has_waits() {
        return without_waits(case, pct, findings);
    }

    let unexplained_s = side.unexplained_s.unwrap_or(0.0);
    let unexplained = queued.is_none_or(|q| q.claims.is_empty()) && pct(unexplained_s) > UNEXPLAINED_PCT;
    let said = if unexplained { unexplained_sentence(case, pct(unexplained_s)) } else { String::new() };
    let largest = findings.iter().filter(|f| f.storage).max_by(|a, b| a.impact_s.total_cmp(&b.impact_s));
    if let Some(finding) = largest.filter(|_| pct(storage_s) >= TO_BLAME_PCT) {
        if pct(storage_s) >= SURELY_PCT || storage_s.max(io_s) >= leader_s(case) {
            // Of workers that wait for each other nobody knows how long one write takes.
            let maybe = finding.rule == "slow_redo_writes" && may_be_slow(case);
            return (format!("{}{said}", blamed(case, finding, findings, pct)), (!maybe).then_some(true));
        }
        if let Some(slow) = slow_behind_locks(case, findings, pct(io_s)) {
            let text = format!(
                "{}: {}{slow}.{said} {}",
                who_leads(findings),
                leader(case, pct),
                sentence(&finding.title)
            );
            return (text, None);
        }
        if let Some(text) = waits_for_writers(case, findings, pct) {
            return (text, None);
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
    // No share of DB time is said where its parts are more than it.
    if let Some(text) = more_than_db_time(case, db_time_s) {
        return (text, None);
    }
    if let Some(text) = waits_for_writers(case, findings, pct) {
        return (text, None);
    }
    // What nobody counted could be I/O: no acquittal unless I/O could not lead even with all of it.
    if unexplained && io_s + most_io_of(case, unexplained_s) >= leader_s(case) {
        let text = format!(
            "Whether storage is the problem cannot be told: {} {}.{}",
            said.trim_start(),
            known_parts(case),
            other_cause(findings)
        );
        return (text, None);
    }
    if pct(io_s) >= NOTICED_PCT {
        return io_without_slow_storage(case, findings, pct);
    }
    let leader = leader(case, pct);
    if let Some(slow) = slow_behind_locks(case, findings, pct(io_s)) {
        return (format!("{}: {leader}{slow}.{said}{}", who_leads(findings), other_cause(findings)), None);
    }
    // Slow storage that costs little is not the problem, and yet one.
    let little = largest.filter(|_| pct(storage_s) >= SHARE_PCT);
    let main = if little.is_some() { "main " } else { "" };
    let little = little.map_or(String::new(), |f| format!(" {}", sentence(&f.title)));
    let waiting = undecided_waits(case);
    let (main, writers) = if pct(waiting.seconds) < A_LITTLE_PCT {
        (main, String::new())
    } else {
        let writers = format!(
            " {} more waits for {} ({}), and what of it is storage cannot be told.",
            words::percent(pct(waiting.seconds)),
            waiting.what(),
            listed(&waiting, pct)
        );
        ("main ", writers)
    };
    let text = format!(
        "Storage is not the {main}problem: {leader}{}.{said}{}{little}{writers}",
        read_speed(case, pct(io_s)),
        // How long commits take beyond their writes is said already, where it leads.
        other_cause_but(findings, if commits_lead(case) { "slow_commits" } else { "" })
    );
    (text, Some(false))
}

/// Waits for writes of others that nothing printed says to be fast.
fn undecided_waits<'c>(case: &'c Case<'_>) -> Undecided<'c> {
    undecided(case, &IO_CLASSES)
}

/// `` `log buffer space` 33 % at 491 ms, `free buffer waits` 17 % at 10.7 ms ``
fn listed(waiting: &Undecided<'_>, pct: impl Fn(f64) -> f64) -> String {
    let events = waiting.events.iter().take(2).map(|(_, e, _)| {
        let mean = e.avg_us.map_or(String::new(), |us| format!(" at {}", words::latency(us)));
        format!("`{}` {}{mean}", e.event, words::percent(pct(e.time_s)))
    });
    events.collect::<Vec<_>>().join(", ")
}

/// Sessions wait for the log writer, the database writer or another whose writes may be slow, or for what
/// nobody knows: nothing acquits storage, and nothing printed blames it.
fn waits_for_writers(
    case: &Case<'_>,
    findings: &[Finding],
    pct: impl Fn(f64) -> f64 + Copy,
) -> Option<String> {
    let waiting = undecided_waits(case);
    let share = pct(waiting.seconds);
    let leads = share >= TO_BLAME_PCT && waiting.seconds + io_s(case) >= leader_s(case);
    (leads || share >= SURELY_PCT).then_some(())?;
    let for_what = waiting.what();
    let io = pct(io_s(case));
    let io = if io >= TO_BLAME_PCT {
        format!(" Waits for {} are {}.", io_and_commits(case), words::percent(io))
    } else {
        String::new()
    };
    // Whoever commits waits for the log writer, too.
    let slow_commits = match case.commit.sync_us {
        Some(us) if us > 2.0 * case.bars.log_sync_us && pct(case.event_time_s(SYNC)) >= 1.0 => {
            let flush = log_flush(case.report).filter(|flush| flush.us > 2.0 * case.bars.log_sync_us);
            let flush = flush.map_or(String::new(), |flush| {
                format!(" and log flushes for other instances {}", words::latency(flush.us))
            });
            format!(
                " Commits take {}{flush} (bar {}), which speaks against the redo's storage.",
                words::latency(us),
                words::latency(case.bars.log_sync_us)
            )
        }
        _ => String::new(),
    };
    let slow = findings.iter().filter(|f| f.storage && f.impact_pct.is_some_and(|p| p >= A_LITTLE_PCT));
    let slow = slow
        .max_by(|a, b| a.impact_s.total_cmp(&b.impact_s))
        .map_or(String::new(), |f| format!(" {}", sentence(&f.title)));
    let known = match slow_reads_behind(case, &waiting) {
        Some(reads) => reads,
        None => format!("nothing printed says that storage is fast at it: see {}", waiting.told_by()),
    };
    Some(format!(
        "Whether storage is the problem cannot be told: {} of DB time waits for {for_what} ({}), and {known}.{io}{slow_commits}{slow}",
        words::percent(share),
        listed(&waiting, pct)
    ))
}

/// How slow the reads are that sessions may be waiting for in another's place; `None` where they wait for something
/// else, too, or the reads that were read are not slow.
fn slow_reads_behind(case: &Case<'_>, waiting: &Undecided<'_>) -> Option<String> {
    let longest = waiting.slow_reads(case)?;
    let (mean, bar) = longest.avg_us.zip(bar_us(&longest.event, &case.bars))?;
    Some(format!(
        "the reads that are printed are slow: {} at {} (bar {})",
        plainly(&longest.event),
        words::latency(mean),
        words::latency(bar)
    ))
}

/// Waits of one kind that are more than all of DB time: one of the two is not what it seems.
fn more_than_db_time(case: &Case<'_>, db_time_s: f64) -> Option<String> {
    let other = largest_other(case);
    let other = other.map(|c| (c.seconds, format!("{} waits", c.wait_class)));
    let io = (io_s(case), format!("waits for {}", io_and_commits(case)));
    let most = other.into_iter().chain([io]).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (100.0 * most.0 > WHOLE_PCT * db_time_s).then(|| {
        format!(
            "This cannot tell where {} of DB time went: {} of {} are printed beside it, more than it can hold.",
            words::seconds(db_time_s),
            words::seconds(most.0),
            most.1
        )
    })
}

/// A report of ADDM alone: what it found, said to be its word.
fn by_addm(case: &Case<'_>) -> Option<String> {
    let rows = case.report.tables.addm_finding.iter();
    let mut found: Vec<(f64, &str)> =
        rows.filter_map(|f| Some((f.impact_pct?, f.finding.trim_end_matches('.')))).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let list: Vec<String> =
        found.iter().take(3).map(|(pct, name)| format!("{name} ({})", words::percent(*pct))).collect();
    (!list.is_empty()).then(|| {
        let largest = found.first().map_or("", |f| f.1).to_lowercase();
        let storage = if largest.contains("i/o throughput") || largest.contains("slow i/o") {
            " By ADDM, storage is slow; the AWR report of this time tells how slow."
        } else {
            ""
        };
        format!(
            "No CPU and no waits are printed; ADDM finds, by share of all activity: {}.{storage}",
            list.join(", ")
        )
    })
}

/// Seconds of waits that storage answers, as printed; of commits only what log writes can explain.
fn io_s(case: &Case<'_>) -> f64 {
    IO_CLASSES.iter().map(|class| case.class_printed_s(class)).sum::<f64>() - beyond_writes_s(case)
}

/// What [`io_s`] is of: where nothing bounds what log writes explain of commits, all of these are in it, and not all of
/// that need be I/O.
fn io_and_commits(case: &Case<'_>) -> &'static str {
    /// Less of it does not matter.
    const PART: f64 = 0.05;
    let unbounded = case.commit.most_of_writes().is_none();
    if unbounded && case.event_time_s(SYNC) >= PART * io_s(case) && case.event_time_s(SYNC) > 0.0 {
        "I/O and commits"
    } else {
        "I/O"
    }
}

/// Seconds of commits that log writes do not explain; 0 where nothing bounds them.
fn beyond_writes_s(case: &Case<'_>) -> f64 {
    case.commit.most_of_writes().map_or(0.0, |most| (1.0 - most) * case.event_time_s(SYNC))
}

/// DB time is not printed: what is said all the same.
fn without_db_time(case: &Case<'_>, findings: &[Finding]) -> String {
    let rate = |metric| case.load_per_second(metric).filter(|rate: &f64| *rate > 0.0);
    let side = &case.response_time.foreground;
    if !case.events.is_empty() {
        return of_waits(case, findings);
    }
    if let Some(text) = by_shares(case) {
        return text;
    }
    if let Some(text) = by_addm(case) {
        return text;
    }
    if !side.classes.is_empty() {
        let of = |what: &str, seconds: f64| format!("{} {what}", words::seconds(seconds));
        let waits =
            side.classes.iter().take(3).map(|c| of(&format!("of {} waits", c.wait_class), c.printed_s));
        let parts: Vec<String> = side.cpu_s.map(|s| of("of CPU", s)).into_iter().chain(waits).collect();
        return format!(
            "This cannot tell where response time went: {}. There were {}.",
            no_db_time(case.report),
            parts.join(", ")
        );
    }
    match rate(Metric::DbTime) {
        Some(sessions) => {
            let cpu = rate(Metric::DbCpu).map_or(String::new(), |cpu| {
                format!(
                    ", {} of them ({}) on CPU",
                    words::significant(cpu),
                    words::percent(100.0 * cpu / sessions)
                )
            });
            format!(
                "This cannot tell where response time went: no wait events are printed. {} sessions were active on \
                 average{cpu}.",
                words::significant(sessions)
            )
        }
        None => match lost_waits(case.report) {
            Some(lost) => {
                format!("This cannot tell where response time went: DB time lacks, and so do {lost}.")
            }
            None => format!(
                "This cannot tell where response time went: neither DB time nor seconds of foreground waits were read.{}",
                of_statements(case)
            ),
        },
    }
}

/// Shares of DB time alone: what they say by class, the largest first, each with its largest event. Events that are not
/// listed belong to classes, too.
fn by_shares(case: &Case<'_>) -> Option<String> {
    /// Classes that are named.
    const TOLD: usize = 4;
    /// Events with their shares, percent.
    type Shares<'r> = Vec<(&'r str, f64)>;
    let mut classes: BTreeMap<String, Shares<'_>> = BTreeMap::new();
    for (event, class, pct) in shares_alone(case.report) {
        classes.entry(class).or_default().push((event, pct));
    }
    let mut classes: Vec<(f64, String, Shares<'_>)> = classes
        .into_iter()
        .map(|(class, events)| (events.iter().map(|e| e.1).sum(), class, events))
        .collect();
    classes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let share = |pct: f64| {
        let text = format!("{pct:.1}");
        format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
    };
    let part = |(all, class, events): &(f64, String, Shares<'_>)| {
        let (event, pct) = events.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(match (class.as_str(), events.len()) {
            ("CPU", 1) => format!("{} CPU", share(*all)),
            (_, 1) => format!("at least {} {class} (`{event}`)", share(*all)),
            _ => format!("at least {} {class} (`{event}` {})", share(*all), share(*pct)),
        })
    };
    let parts: Vec<String> = classes.iter().take(TOLD).filter_map(part).collect();
    (!parts.is_empty()).then(|| {
        format!(
            "Of DB time {}, by the shares that are printed; seconds were not read, so how slow each wait was, and \
             whether storage is, cannot be told.",
            parts.join(", ")
        )
    })
}

/// Waits are printed, DB time is not: what leads among them, and the finding that costs most.
fn of_waits(case: &Case<'_>, findings: &[Finding]) -> String {
    let side = &case.response_time.foreground;
    let lack = no_db_time(case.report);
    let nothing = format!("This cannot tell where response time went: {lack}.");
    let waits_s: f64 = side.classes.iter().map(|c| c.printed_s).sum();
    // Where the top events alone are printed, their shares tell of how much.
    let all_waits_s = side.wait_s.unwrap_or(waits_s).max(waits_s);
    let whole_s = all_waits_s + side.cpu_s.unwrap_or(0.0);
    let leading = side.classes.iter().flat_map(|c| &c.events).max_by(|a, b| a.time_s.total_cmp(&b.time_s));
    let Some(leading) = leading.filter(|_| whole_s > 0.0) else { return nothing };
    let pct = |seconds: f64| words::percent(100.0 * seconds / whole_s);
    let mean = leading.avg_us.map_or(String::new(), |us| format!(" at {}", words::latency(us)));
    let whole = if side.cpu_s.is_some() { "CPU and waits" } else { "waits, CPU left out" };
    // An idle database has its slowest event, too.
    let sessions = case.elapsed_s().filter(|elapsed_s| *elapsed_s > 0.0).map(|elapsed_s| whole_s / elapsed_s);
    let idle = sessions.filter(|sessions| *sessions < LEAST_SESSIONS).map_or(String::new(), |sessions| {
        let unless = if side.cpu_s.is_some() { "" } else { ", unless CPU is far more" };
        format!(" That is {} sessions on average: hardly any load{unless}.", words::significant(sessions))
    });
    let mut parts = vec![format!("waits for {} are {}", io_and_commits(case), pct(io_s(case)))];
    if 100.0 * (all_waits_s - waits_s) >= whole_s {
        parts.push(format!("those not listed or of background processes {}", pct(all_waits_s - waits_s)));
    }
    let waiting = undecided_waits(case);
    if 100.0 * waiting.seconds >= TO_BLAME_PCT * whole_s {
        parts.push(format!("waits for {} {}", waiting.what(), pct(waiting.seconds)));
    }
    let largest = findings.iter().filter(|f| 100.0 * f.impact_s >= A_LITTLE_PCT * whole_s);
    let largest = largest
        .max_by(|a, b| a.impact_s.total_cmp(&b.impact_s))
        .map_or(String::new(), |f| format!(" {}", sentence(&f.title)));
    format!(
        "{lack}, so shares are of {} of {whole}: {}; {} lead with {}{mean}.{idle}{largest}",
        words::seconds(whole_s),
        parts.join(", "),
        plainly(&leading.event),
        pct(leading.time_s)
    )
}

/// CPU is printed and no wait was read: what is not CPU may be waits for I/O, all of it.
fn without_waits(case: &Case<'_>, pct: impl Fn(f64) -> f64, findings: &[Finding]) -> (String, Option<bool>) {
    let Some(cpu_s) = case.response_time.foreground.cpu_s else {
        return ("This cannot tell where response time went: no waits were read.".to_owned(), None);
    };
    let rest_pct = (100.0 - pct(cpu_s)).max(0.0);
    // CPU of all sessions may be that of the background, and sessions may wait instead.
    if let Some(text) = by_classes_of_database(case) {
        return text;
    }
    let of_all = rate_of_cpu_s(case.report).is_some_and(|rate| db_cpu_s(case.report) == Some(rate));
    if of_all {
        let text = format!(
            "Whether storage is the problem cannot be told: no waits were read, and CPU, {} of DB time, is that of all \
             sessions, the background among them.",
            words::percent(pct(cpu_s))
        );
        return (text, None);
    }
    if rest_pct >= TO_BLAME_PCT {
        let text = format!(
            "Whether storage is the problem cannot be told: {} of DB time is CPU, and no waits were read; the other {} \
             may be waits for I/O.{}",
            words::percent(pct(cpu_s)),
            words::percent(rest_pct),
            other_cause(findings)
        );
        return (text, None);
    }
    let text = format!(
        "Storage is not the problem: {} of DB time is CPU.{}",
        words::percent(pct(cpu_s)),
        other_cause(findings)
    );
    (text, Some(false))
}

/// An instance of which no wait is printed, and the classes of its whole database are: what those are, and whether
/// all waits for storage that they hold could be much of this instance.
fn by_classes_of_database(case: &Case<'_>) -> Option<(String, Option<bool>)> {
    /// Classes that are named.
    const TOLD: usize = 4;
    let mut classes: Vec<_> = case
        .report
        .beside
        .database_classes
        .iter()
        .filter(|c| c.sessions > 0.0 && c.wait_class != "Idle")
        .collect();
    classes.sort_by(|a, b| b.sessions.total_cmp(&a.sessions));
    let all: f64 = classes.iter().map(|c| c.sessions).sum();
    if classes.is_empty() {
        return None;
    }
    // What leads, and the reads in any case.
    let told = classes.iter().enumerate().filter(|(at, c)| *at < TOLD || c.wait_class == "User I/O");
    let told: Vec<String> = told
        .map(|(_, c)| {
            let name = if c.wait_class == "DB CPU" { "CPU" } else { &c.wait_class };
            format!("{name} {}", words::significant(c.sessions))
        })
        .collect();
    let active = case.report.beside.instances_sessions.filter(|active| all < COUNTED * active);
    let of = match active {
        Some(active) => {
            format!(
                "the classes hold {} of the {} average active sessions",
                words::significant(all),
                words::significant(active)
            )
        }
        None => format!("of the {} average active sessions of the database", words::significant(all)),
    };
    let printed =
        format!("waits are printed of all instances together, not of this one: {of}, {}", told.join(", "));
    let most_pct = most_io_of_database_s(case).and_then(|seconds| case.share_pct(seconds));
    Some(match most_pct.filter(|pct| *pct < TO_BLAME_PCT) {
        Some(pct) => (
            format!(
                "Storage is not the problem: waits for I/O of all instances together would be {} of this one's DB time; \
                 {printed}.",
                words::percent(pct)
            ),
            Some(false),
        ),
        None => (format!("Whether storage is the problem of this instance cannot be told: {printed}."), None),
    })
}

/// Sessions as sampled and by waits differ by as much.
const COUNTED: f64 = 0.9;

/// Seconds that sessions of this instance waited for storage at most, by the classes of its whole database: no instance
/// waited for more than all together. `None` where the classes are not of all that was active.
fn most_io_of_database_s(case: &Case<'_>) -> Option<f64> {
    /// Half of the last digit of sessions.
    const ROUNDED: f64 = 0.005;
    let beside = &case.report.beside;
    let classes = || beside.database_classes.iter().filter(|c| c.wait_class != "Idle");
    let all: f64 = classes().map(|c| c.sessions).sum();
    beside.instances_sessions.filter(|active| all > 0.0 && all >= COUNTED * active)?;
    let is_io = |class: &str| IO_CLASSES.contains(&class) || class == "Configuration";
    let of_io: f64 = classes().filter(|c| is_io(&c.wait_class)).map(|c| c.sessions + ROUNDED).sum();
    Some(of_io * case.elapsed_s()?)
}

/// A SQL report: what its statement took, by its own CPU and waits for I/O.
fn of_one_statement(case: &Case<'_>, pct: impl Fn(f64) -> f64) -> Option<String> {
    let report = case.report;
    (report.identity.kind == Kind::AwrSql).then_some(())?;
    let rows = || report.tables.sql_stat.iter().filter(|s| s.ranked_by == "elapsed_time");
    let row = rows().max_by(|a, b| a.elapsed_s.unwrap_or(0.0).total_cmp(&b.elapsed_s.unwrap_or(0.0)))?;
    let id = row.sql_id.as_deref()?;
    // One row a plan.
    let mut known = BTreeSet::new();
    let of_id = rows().filter(|s| s.sql_id.as_deref() == Some(id));
    let plans: Vec<&SqlStat> = of_id.filter(|s| known.insert(s.plan_hash)).collect();
    // What a plan without an elapsed time used belongs to no time that is known.
    let timed: Vec<&SqlStat> = plans.iter().copied().filter(|s| s.elapsed_s.is_some()).collect();
    let sum = |of: fn(&SqlStat) -> Option<f64>| timed.iter().map(|s| of(s)).sum::<Option<f64>>();
    let elapsed_s = sum(|s| s.elapsed_s).filter(|s| *s > 0.0)?;
    let of = |seconds: Option<f64>, what: &str| {
        seconds.map(|s| format!("{} {what}", words::percent(100.0 * s / elapsed_s)))
    };
    let parts: Vec<String> =
        of(sum(|s| s.cpu_s), "is CPU").into_iter().chain(of(sum(|s| s.io_wait_s), "waits for I/O")).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(", of which {}", parts.join(" and ")) };
    let with = match (plans.len(), timed.len()) {
        (1, _) => String::new(),
        (all, with_time) if with_time < all => format!(" with those of its {all} plans that print a time"),
        (all, _) => format!(" with {all} plans"),
    };
    let least = if timed.len() < plans.len() { "at least " } else { "" };
    Some(format!(
        "Statement {id} took {least}{} ({} of DB time){with}{parts}. Whether storage is slow, a report on one statement does not \
         tell.",
        words::seconds(elapsed_s),
        words::percent(pct(elapsed_s))
    ))
}

/// What the statements that took longest say where nothing else was read: ` Of the statements listed 4h2c took 4,733 s
/// (55.8 % of DB time; of that 99.1 % waits for I/O, 0.9 % CPU).` Nothing where none has a time.
fn of_statements(case: &Case<'_>) -> String {
    /// Statements that are named, and the part of DB time (or of the first) that makes one worth it.
    const NAMED: usize = 2;
    const WORTH: f64 = 0.1;
    let mut rows: Vec<(&SqlStat, f64)> = case
        .report
        .tables
        .sql_stat
        .iter()
        .filter(|s| s.ranked_by == "elapsed_time")
        .filter_map(|s| Some((s, s.elapsed_s.filter(|seconds| *seconds > 0.0)?)))
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut known = BTreeSet::new();
    rows.retain(|(s, _)| known.insert((s.sql_id.clone(), s.old_hash)));
    let Some((_, longest_s)) = rows.first().copied() else { return String::new() };
    let whole_s = case.db_time_s().unwrap_or(longest_s);
    let named = |(row, elapsed_s): &(&SqlStat, f64)| {
        let id = match (&row.sql_id, row.old_hash) {
            (Some(id), _) => id.to_string(),
            (None, Some(hash)) => format!("hash {hash}"),
            (None, None) => return None,
        };
        let of_it = |seconds: Option<f64>| seconds.map(|s| 100.0 * s / elapsed_s).filter(|pct| *pct <= 100.0);
        let part = |pct: Option<f64>, what: &str| pct.map(|pct| format!("{} {what}", words::percent(pct)));
        let io = part(row.io_pct.or_else(|| of_it(row.io_wait_s)), "waits for I/O");
        let parts: Vec<String> =
            io.into_iter().chain(part(row.cpu_pct.or_else(|| of_it(row.cpu_s)), "CPU")).collect();
        let share =
            case.db_time_s().map(|all| format!("{} of DB time", words::percent(100.0 * elapsed_s / all)));
        let parts = (!parts.is_empty()).then(|| format!("of that {}", parts.join(", ")));
        let said: Vec<String> = share.into_iter().chain(parts).collect();
        let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join("; ")) };
        Some(format!("{id} took {}{said}", words::seconds(*elapsed_s)))
    };
    let worth = rows.iter().filter(|(_, elapsed_s)| *elapsed_s >= WORTH * whole_s);
    let told: Vec<String> = worth.filter_map(named).take(NAMED).collect();
    if told.is_empty() { String::new() } else { format!(" Of the statements listed {}.", told.join(", ")) }
}

/// I/O leads or is much, and no rule finds storage slow: a finding that says why so much is asked of
/// it, beside requests that it answers within its bar, else bulk transfers that no bar fits.
fn io_without_slow_storage(
    case: &Case<'_>,
    findings: &[Finding],
    pct: impl Fn(f64) -> f64,
) -> (String, Option<bool>) {
    /// Part of the leading wait that a finding claims, to be why it leads.
    const EXPLAINS: f64 = 0.5;
    let leading = leading_io(case);
    // What a rule calls slow is said, however little of DB time it is.
    let slow = findings.iter().filter(|f| f.storage && f.impact_pct.is_some_and(|p| p >= SHARE_PCT));
    let slow = slow.max_by(|a, b| a.impact_s.total_cmp(&b.impact_s));
    let also = |said: Option<&Finding>| match slow.filter(|s| said.is_none_or(|f| f.rule != s.rule)) {
        Some(slow) => format!(" {}", sentence(&slow.title)),
        None => String::new(),
    };
    let main = if slow.is_some() { "main " } else { "" };
    let what = leading.map(|e| plainly(&e.event));
    // Half of the waits for I/O is most of them; less only leads.
    let most = leading.is_some_and(|e| 2.0 * e.time_s >= io_s(case));
    let mostly = what.as_ref().map_or(String::new(), |what| {
        let read = match leading {
            Some(e) if !case.is_largest_of(e, |class| IO_CLASSES.contains(&class)) => " that was read",
            _ => "",
        };
        if most { format!(", mostly {what}") } else { format!(", the largest of them{read} {what}") }
    });
    // `Commits` wait for more than storage: what answers is the log write.
    let of_commits = leading.is_some_and(|e| e.event == SYNC);
    let answer = if of_commits {
        log_writes(case).map(|(mean, bar, within)| ("log writes ", mean, bar, within))
    } else {
        leading.and_then(|e| {
            let (mean, bar) = (e.avg_us?, bar_us(&e.event, &case.bars)?);
            Some(("", mean, bar, mean <= AT_THE_BAR * bar))
        })
    };
    let yet = answer.filter(|a| a.3).map(|(of, mean, bar, _)| {
        let (mean, bar, at) =
            (words::latency(mean), words::latency(bar), if mean > bar { "at" } else { "within" });
        // Where other requests are slow, this is no word on all storage.
        match slow.and(leading).filter(|_| !of_commits) {
            Some(e) => format!(", yet {} are {at} their bar ({mean}, bar {bar})", plainly(&e.event)),
            None => format!(", yet storage answers {at} its bar ({of}{mean}, bar {bar})"),
        }
    });
    // What the mean over all waits hides.
    let believed = case.accounts.iter().all(|a| a.quantity != MEAN_READ || a.agree);
    let place = above_its_bar(case).filter(|_| yet.is_some() && believed && !of_commits);
    let place = place.map_or(String::new(), |(name, reads, us)| {
        format!(
            " Yet {}{name} has {} reads at {}.",
            slower_by_places(case).unwrap_or_default(),
            words::count(reads),
            words::latency(us)
        )
    });
    // What is more than I/O is said first.
    let other_leads = leader_s(case) > io_s(case);
    // A mean that nothing bounds may hide the writes that commits waited for.
    let innocent = yet.is_some() && (!of_commits || case.commit.most_of_writes().is_some());
    let verdict = innocent.then_some(false);
    let share = {
        let (io, what_io) = (words::percent(pct(io_s(case))), io_and_commits(case));
        if other_leads {
            let first = if innocent { format!("Storage is not the {main}problem: ") } else { String::new() };
            format!("{first}{}, {io} waits for {what_io}", leader(case, &pct))
        } else {
            format!("{io} of DB time waits for {what_io}")
        }
    };
    let beyond = pct(beyond_writes_s(case));
    // Where commits are what is spoken of, the share must add up to what is drawn.
    let beyond = if beyond >= if of_commits { 1.0 } else { TO_BLAME_PCT } {
        format!(" Another {} are waits for commits that log writes do not explain.", words::percent(beyond))
    } else {
        String::new()
    };
    let explains = |f: &&Finding| {
        let claimed = |event: &EventTime| {
            f.claims.iter().filter(|c| c.of == event.event).map(|c| c.seconds).sum::<f64>()
                >= EXPLAINS * event.time_s
        };
        f.impact_pct.is_some_and(|p| p >= TO_BLAME_PCT) && leading.is_some_and(claimed)
    };
    if let Some(finding) = findings.iter().find(explains) {
        let yet = yet.unwrap_or_default();
        let also = also(Some(finding));
        return (format!("{share}{mostly}{yet}.{place} {}{also}{beyond}", sentence(&finding.title)), verdict);
    }
    if let Some(yet) = yet {
        let costs = if other_leads { "" } else { ": the number of requests is what costs" };
        let text = format!("{share}{mostly}{yet}{costs}.{place}{}{}{beyond}", concentrated(case), also(None));
        return (text, verdict);
    }
    match (leading, leading.and_then(|e| e.avg_us)) {
        (Some(leading), Some(mean)) if of_commits => {
            let text = format!(
                "{} of DB time is {} at {}: {}{}.",
                words::percent(pct(leading.time_s)),
                plainly(&leading.event),
                words::latency(mean),
                case.commit.because,
                if case.commit.outcome == "cannot_tell" {
                    ", so what of it is storage cannot be told"
                } else {
                    ""
                }
            );
            (text, None)
        }
        (Some(_), Some(mean)) => (
            format!(
                "{share}{mostly} ({} each): how much is moved decides, and whether storage is slow at it cannot be \
                 told.{}{beyond}",
                words::latency(mean),
                concentrated(case)
            ),
            None,
        ),
        (Some(leading), None) => {
            let bar = bar_us(&leading.event, &case.bars);
            let bar = bar.map_or(String::new(), |us| format!(" (bar {})", words::latency(us)));
            let each = match leading.avg_us_bounds {
                Some(us) => format!(
                    "by their histogram each takes {}{bar}, so whether storage is slow cannot be told",
                    words::between(us)
                ),
                None => "how slow each is, is not printed".to_owned(),
            };
            (format!("{share}{mostly}; {each}."), None)
        }
        (None, _) => {
            let lack = match lost_waits(case.report) {
                Some(lost) => format!("waits by event lack ({lost})"),
                None => "waits by event are not printed".to_owned(),
            };
            (format!("{share}, by wait class; {lack}, so whether storage is slow cannot be told."), None)
        }
    }
}

/// `by "Tablespace IO Stats" reads take 8.07 ms, and `, where that is far more than sessions waited for one.
fn slower_by_places(case: &Case<'_>) -> Option<String> {
    /// Reads of background processes and of scans make less of a difference.
    const TIMES: f64 = 1.5;
    let account = case.accounts.iter().find(|a| a.quantity == MEAN_READ)?;
    let (seen, places) = (account.by.first()?, account.by.get(1)?);
    let title = places.section.split(", ").next()?;
    (places.value > TIMES * seen.value)
        .then(|| format!("by \"{title}\" reads take {}, and ", words::latency(places.value)))
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
    let of_writes = case.commit.most_of_writes().unwrap_or(1.0);
    let by_storage_s = |e: &EventTime| if e.event == SYNC { of_writes * e.time_s } else { e.time_s };
    events.max_by(|a, b| by_storage_s(a).total_cmp(&by_storage_s(b)))
}

fn sentence(title: &str) -> String {
    format!("{}.", title.trim_end_matches('.'))
}

fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// Could a host that is hardly busy have had a queue for the CPU all the same?
fn may_have_queued(busy_pct: f64, waited_s: Option<f64>) -> bool {
    busy_pct < NO_QUEUE_BUSY_PCT && waited_s.is_some()
}

/// How much of what neither CPU nor a printed wait explains storage may have answered, seconds.
fn most_io_of(case: &Case<'_>, unexplained_s: f64) -> f64 {
    let waited_s = case.unread_io().map_or(f64::INFINITY, |(most_s, _)| most_s);
    // Reads that no event counts, and that are not fast.
    let slow = |(_, mean_us): &(f64, f64)| *mean_us > AT_THE_BAR * case.bars.multi_block_read_us;
    let uncounted_s = case.uncounted_direct_reads().filter(slow).map_or(0.0, |(seconds, _)| seconds);
    let of_database_s = most_io_of_database_s(case).unwrap_or(f64::INFINITY);
    unexplained_s.min(waited_s + uncounted_s).min(of_database_s)
}

/// What nothing explains in words: what explains the rest is known where DB time has a range.
fn unexplained_share(case: &Case<'_>, gap_s: f64, pct: f64) -> String {
    let side = &case.response_time.foreground;
    match (side.db_time_bounds.filter(|b| b.low > 0.0), side.db_time_s) {
        (Some(all), Some(db_time_s)) => {
            let of = |all_s: f64| 100.0 * (1.0 - (db_time_s - gap_s) / all_s).max(0.0);
            words::percent_between(of(all.low), of(all.high))
        }
        _ => words::percent(pct),
    }
}

/// What bounds the waits for storage in what nothing explains; `None` where they may be much of it.
fn bound_of_io(case: &Case<'_>, gap_s: f64) -> Option<String> {
    /// Part of the gap that waits for storage have to be, to matter in it.
    const MATTERS: f64 = 0.5;
    let (most_s, bound) = case.unread_io().filter(|(most_s, _)| *most_s < MATTERS * gap_s)?;
    Some(match bound {
        Bound::Sum => {
            let earlier = waits_of_earlier_start(case).unwrap_or_default();
            format!(
                " It is no wait counted in this interval, since those are printed in sum or by class.{earlier}"
            )
        }
        Bound::Order(least_s) => format!(
            " Waits for storage that are not printed are {} of DB time at most, since the events stand in order and the \
             last is {}.",
            words::percent(case.share_pct(most_s)?),
            words::seconds(least_s)
        ),
    })
}

/// ` Statement 7h35uxf5uhmm1 waited 4,625 s for I/O by its end (line 9), more than all of the interval: ...`.
fn waits_of_earlier_start(case: &Case<'_>) -> Option<String> {
    /// What a statement counts may be printed a little more or less than the waits are.
    const BEYOND: f64 = 1.1;
    let all_s = case.class_printed_s("User I/O");
    let rows = case.report.tables.sql_stat.iter().filter(|sql| sql.instance_number.is_none());
    // A share that is rounded up may pass for more than the seconds that are printed.
    let waited = rows.filter_map(|sql| {
        let sql = printing_io_wait(&case.report.tables.sql_stat, sql);
        Some((sql, io_wait_s_of_row(sql)?))
    });
    let (sql, waited_s) = waited.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, s)| *s > BEYOND * all_s)?;
    let (name, waited, line) = (sql.name()?, words::seconds(waited_s), sql.line);
    Some(if sql.executions == Some(0.0) {
        format!(
            " Statement {name}, which did not end in the interval, has waited {waited} for I/O (line {line}), more than all \
             did in it: it began earlier, and what it waited then was counted then."
        )
    } else {
        format!(
            " Statement {name} waited {waited} for I/O by its end (line {line}), more than all did in the interval: what it \
             waited before was counted then."
        )
    })
}

/// Reads that no event counts, as what may be part of what nothing explains.
fn candidate(case: &Case<'_>) -> String {
    let worth = |(seconds, _): &(f64, f64)| case.share_pct(*seconds).is_some_and(|pct| pct >= A_LITTLE_PCT);
    case.uncounted_direct_reads().filter(worth).map_or(String::new(), |(seconds, mean_us)| {
        format!(
            " A candidate: `IOStat by Function` counts {} of waits for direct reads ({} each) that are in no wait event, \
             of whichever processes.",
            words::about_seconds(seconds),
            words::latency(mean_us)
        )
    })
}

/// ` Its own samples hold 8.12 sessions ...`: sessions on CPU or waiting for one by the samples that the report prints
/// beside, where they are far more than CPU as counted, and as much of what nothing explains.
fn by_samples(case: &Case<'_>, gap_s: f64) -> Option<String> {
    let sampled = sampled_cpu(case.report).filter(|_| case.report.identity.kind == Kind::Awr)?;
    let elapsed_s = case.elapsed_s().filter(|s| *s > 0.0)?;
    let counted = case.response_time.foreground.cpu_s? / elapsed_s;
    let beyond = sampled.sessions - counted;
    (beyond * elapsed_s >= MAY_EXPLAIN * gap_s).then(|| {
        let statement = sampled.statement.map(|(id, pct)| {
            format!("statement {id} has {} of all samples there", words::percent(pct))
        });
        let slot = sampled.slot.map(|(slot, cpu, all)| {
            format!("their largest slot is {slot}, {} of {} samples", words::count(cpu), words::count(all))
        });
        let more: Vec<String> = statement.into_iter().chain(slot).collect();
        let more = if more.is_empty() { String::new() } else { format!("; {}", more.join("; ")) };
        let others = match case.idle_cpus_busy_pct() {
            Some(busy) => format!(
                "the others were in calls that no event counts, since no CPU was short on a host that was {} busy",
                words::percent(busy)
            ),
            None => "the others waited for a CPU, or were in calls that no event counts".to_owned(),
        };
        format!(
            " The report's own samples (line {}) hold {} sessions in `CPU + Wait for CPU` on average, CPU as counted makes \
             {}: {others}{more}.",
            sampled.line,
            words::significant(sampled.sessions),
            words::significant(counted)
        )
    })
}

/// ` 59 % of DB time is neither CPU nor a printed wait (...).`
fn unexplained_sentence(case: &Case<'_>, pct: f64) -> String {
    // Threads and virtual processors of a partition hide its queue, and where sessions waited for a CPU as long
    // as the gap is, nobody may say that none did.
    let waited_s = cpu_waited_s(case);
    let gap_s = pct / 100.0 * case.db_time_s().unwrap_or(0.0);
    let may_queue = waited_s.filter(|s| *s >= MAY_EXPLAIN * gap_s && gap_s > 0.0);
    let bound = bound_of_io(case, gap_s);
    let why = match case.host_cpu_busy_pct() {
        Some(busy) if may_have_queued(busy, may_queue) => format!(
            " (the host was {} busy, and `OS_CPU_WAIT_TIME` is {}: whether sessions queued for a CPU cannot be told \
             here)",
            words::percent(busy),
            words::seconds(may_queue.unwrap_or_default())
        ),
        Some(busy) if busy < NO_QUEUE_BUSY_PCT => format!(
            " (no queue for the CPU, the host was {} busy: calls counted from an earlier start, or {})",
            words::percent(busy),
            if bound.is_some() { "time that no event counts" } else { "waits not printed" }
        ),
        // A queue as the host counts it bounds what of the gap is one.
        Some(busy) => match waited_s.filter(|_| gap_s > 0.0) {
            Some(waited_s) => format!(
                " (the host's CPUs were {} busy, and `OS_CPU_WAIT_TIME`, of all processes of the host, is {}: a queue for \
                 the CPU may be {})",
                words::percent(busy),
                words::seconds(waited_s),
                if waited_s >= gap_s {
                    "all of it".to_owned()
                } else {
                    format!("{} of it at most", words::seconds(waited_s))
                }
            ),
            None => format!(" (the host's CPUs were {} busy)", words::percent(busy)),
        },
        None if bound.is_some() => {
            " (a queue for the CPU, CPU that is counted otherwise, or time that no event counts)".to_owned()
        }
        None => String::new(),
    };
    let lost = lost_waits_of(case, pct).filter(|_| !case.knows_all_waits());
    let in_sum_s = case.response_time.foreground.of_no_class_s();
    let (wait, why) = match lost {
        Some(lost) => ("wait that was read", format!(" ({lost})")),
        // What the report prints in sum needs no other explanation.
        None if in_sum_s >= MAY_EXPLAIN * gap_s && gap_s > 0.0 => ("wait that was read", String::new()),
        None => ("printed wait", why),
    };
    format!(
        " {} of DB time is neither CPU nor a {wait}{why}.{}{}{}",
        unexplained_share(case, gap_s, pct),
        bound.unwrap_or_default(),
        candidate(case),
        by_samples(case, gap_s).unwrap_or_default()
    )
}

/// Active Session History: shares of samples. They tell what sessions did, never how slow it was.
fn sampled(case: &Case<'_>) -> Option<(String, Option<bool>)> {
    /// Half of the last digit of sessions.
    const ROUNDED: f64 = 0.005;
    let (text, verdict) = by_shares_of_samples(case)?;
    let sessions = case.report.identity.sampled_sessions;
    if sessions.is_none_or(|sessions| sessions >= LEAST_SESSIONS + ROUNDED) {
        return Some((text, verdict));
    }
    let text = text.strip_prefix("Storage is not the problem: ").unwrap_or(&text);
    Some((format!("There is hardly any load to judge: {text}"), Some(false)))
}

/// What the samples say, whatever their number.
fn by_shares_of_samples(case: &Case<'_>) -> Option<(String, Option<bool>)> {
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
    let sessions = case.report.identity.sampled_sessions.map_or(String::new(), |sessions| {
        format!(" ({} active sessions on average)", words::significant(sessions))
    });
    let text =
        format!("{} of sampled activity{sessions} is {}{others}", words::percent(first.2), name(first.0));
    // Waits for writes of others, and for what nobody knows, may be waits for storage.
    let may_be_io = |s: &(&str, &str, f64)| {
        IO_CLASSES.contains(&s.1)
            || writer_of(s.0).is_some()
            || may_be_a_read(s.0, case.report)
            || s.1.is_empty() && !is_cpu(s.0)
    };
    let io: f64 = shares.iter().filter(|s| may_be_io(s)).map(|s| s.2).sum();
    let listed: f64 = shares.iter().map(|s| s.2).sum();
    if listed < LISTED_PCT {
        let of_background = background_samples(case);
        let background: f64 = of_background.iter().map(|b| b.0).sum();
        let rest = (100.0 - listed - background).max(0.0);
        if of_background.is_empty() {
            let text = format!("{text}; the other {} is not listed for user sessions.", words::percent(rest));
            return Some((text, None));
        }
        let theirs: Vec<String> = of_background
            .iter()
            .take(2)
            .map(|(share, event)| format!("{} {}", words::percent(*share), name(event)))
            .collect();
        let text = format!(
            "{text} in sessions of users; background processes: {}; {} is not listed.",
            theirs.join(", "),
            words::percent(rest)
        );
        return Some((text, None));
    }
    let by_class = |class: &str| shares.iter().filter(|s| s.1 == class).map(|s| s.2).sum::<f64>();
    let leads = shares.iter().filter(|s| !may_be_io(s)).map(|s| by_class(s.1)).fold(0.0, f64::max);
    Some(if io + (100.0 - listed).max(0.0) < TO_BLAME_PCT.max(leads) && io < leads {
        (format!("Storage is not the problem: {text} (shares of samples, not measured waits)."), Some(false))
    } else {
        let text = format!(
            "{text}: waits for I/O{} are {} in all. These are shares of samples, not measured waits: whether storage \
             is slow or asked for much, the AWR report of this time tells.",
            if shares.iter().any(|s| may_be_io(s) && !IO_CLASSES.contains(&s.1)) {
                ", and what may be such,"
            } else {
                ""
            },
            words::percent(io)
        );
        (text, None)
    })
}

/// What background processes did, by share of the samples, largest first.
fn background_samples<'c>(case: &'c Case<'_>) -> Vec<(f64, &'c str)> {
    let rows = case.report.tables.ash_activity.iter();
    let rows = rows.filter(|r| r.text("group") == Some("Top Background Events"));
    let mut found: Vec<(f64, &str)> =
        rows.filter_map(|r| Some((r.number("pct_activity")?, r.text("event")?))).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
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

/// ` 3 statements cause 85 % of the physical reads.`, where few do.
fn concentrated(case: &Case<'_>) -> String {
    /// Part of the blocks read past the cache (0-1) from where on shares of blocks are those of scans.
    const MOSTLY: f64 = 0.5;
    // Blocks of scans past the cache are not behind waits for single blocks.
    let direct = case.stat_total("physical reads direct").zip(case.stat_total("physical reads"));
    let scans = direct.is_some_and(|(direct, all)| direct >= MOSTLY * all);
    let cached =
        leading_io(case).is_some_and(|e| !e.event.starts_with("direct path") && !e.event.contains("scan"));
    // Of two totals far apart nobody knows what the statements are a share of.
    let undecided = totals_of_reads_differ(&case.accounts).is_some();
    let pct = statements_pct(case.report).filter(|_| !(undecided || scans && cached));
    let Some(pct) = pct else { return String::new() };
    match case.concentration.statements_for_80_pct {
        Some(1) => format!(" One statement causes {} of the physical reads.", words::percent(pct)),
        Some(n) if n <= 10 => format!(" {n} statements cause {} of the physical reads.", words::percent(pct)),
        _ => String::new(),
    }
}

/// `, single-block reads average 0.4 ms`, or that they are slow and hardly matter.
fn read_speed(case: &Case<'_>, io_pct: f64) -> String {
    match case.io.single_block_read_us.as_ref() {
        Some(reads) if reads.value > case.bars.single_block_read_us => {
            // Commits wait for I/O, too: what is said of reads is theirs.
            let waited_s = single_block_s(case);
            let (what, pct) = match case.share_pct(waited_s).filter(|_| waited_s > 0.0) {
                Some(pct) => ("waits for them", pct),
                None => ("I/O waits", io_pct),
            };
            format!(
                ", and though single-block reads take {}, {what} are only {} of it",
                words::latency(reads.value),
                words::percent(pct)
            )
        }
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

/// Who leads, where `slow_behind_locks` says something.
fn who_leads(findings: &[Finding]) -> &'static str {
    let of_blocks = findings.iter().max_by(|a, b| a.impact_s.total_cmp(&b.impact_s));
    if of_blocks.is_some_and(|f| f.rule == "rac_interconnect") {
        "Other instances lead"
    } else {
        "Locks lead"
    }
}

/// Storage that answers slowly while sessions wait for each other: a holder that waits for it holds its
/// locks for longer, and no report says whether it did.
fn slow_behind_locks(case: &Case<'_>, findings: &[Finding], io_pct: f64) -> Option<String> {
    // Ours: the bar is passed twice over, since slightly slow storage hardly prolongs a transaction.
    const TWICE: f64 = 2.0;
    let locks = findings.iter().find(|f| {
        ["locks", "rac_interconnect"].contains(&f.rule) && f.impact_pct.is_some_and(|p| p >= TO_BLAME_PCT)
    })?;
    let of_blocks = locks.rule == "rac_interconnect";
    findings.iter().all(|f| f.impact_s <= locks.impact_s).then_some(())?;
    let reads = case.io.single_block_read_us.as_ref().map(|f| f.value);
    let syncs = case.commit.sync_us;
    let mut slow = Vec::new();
    // A block is sent to another instance once its redo is written; reads do not hold it up.
    if let Some(us) = reads.filter(|us| !of_blocks && *us > TWICE * case.bars.single_block_read_us) {
        slow.push(format!("single-block reads take {}", words::latency(us)));
    }
    if let Some(us) = syncs.filter(|us| *us > TWICE * case.bars.log_sync_us) {
        slow.push(format!("commits {}{}", if slow.is_empty() { "take " } else { "" }, words::latency(us)));
    }
    (!slow.is_empty()).then(|| {
        format!(
            ". I/O waits are {} of it, yet {}: whether that {} cannot be told from this report",
            words::percent(io_pct),
            slow.join(" and "),
            if of_blocks {
                "holds up the blocks that other instances wait for, whose redo is written first,"
            } else {
                "prolongs the transactions of those who hold the locks"
            }
        )
    })
}

/// Seconds of what leads, I/O left out; commits beyond what log writes explain are no I/O.
fn leader_s(case: &Case<'_>) -> f64 {
    let side = &case.response_time.foreground;
    largest_other(case).map_or(0.0, |c| c.seconds).max(side.cpu_s.unwrap_or(0.0)).max(beyond_writes_s(case))
}

/// A wait class that storage does not answer, without waits for writes that may be slow.
struct Other<'c> {
    wait_class: &'c str,
    /// Time as printed, seconds.
    seconds: f64,
    /// Its largest event.
    first: Option<&'c EventTime>,
}

/// The largest wait class that storage does not answer.
fn largest_other<'c>(case: &'c Case<'_>) -> Option<Other<'c>> {
    let waiting = undecided_waits(case);
    let classes = case.response_time.foreground.classes.iter();
    classes
        .filter(|c| !IO_CLASSES.contains(&c.wait_class.as_str()))
        .map(|c| Other {
            wait_class: &c.wait_class,
            seconds: c.printed_s - waiting.of_class_s(&c.wait_class),
            first: c.events.iter().find(|e| !waiting.holds(&e.event)),
        })
        .max_by(|a, b| a.seconds.total_cmp(&b.seconds))
}

/// `` (`enq: TX - row lock contention`)``, `` (`latch free` the largest of it)``: the event is not the whole class.
fn largest_of(case: &Case<'_>, class: &Other<'_>) -> String {
    class.first.map_or(String::new(), |e| {
        let part = match e.time_s > 0.9 * class.seconds {
            true => "",
            false if case.is_largest_of(e, |of| of == class.wait_class) => " the largest of it",
            false => " the largest of it that was read",
        };
        format!(" (`{}`{part})", e.event)
    })
}

/// What leads: CPU, a wait class with its largest event, or commits that storage does not explain.
fn leader(case: &Case<'_>, pct: impl Fn(f64) -> f64) -> String {
    let side = &case.response_time.foreground;
    let cpu_s = side.cpu_s.unwrap_or(0.0);
    let (io_s, beyond_s) = (io_s(case), beyond_writes_s(case));
    let other = largest_other(case).filter(|c| c.seconds > cpu_s.max(beyond_s).max(io_s));
    if let Some(class) = other {
        return format!(
            "{} of DB time is {} waits{}",
            words::percent(pct(class.seconds)),
            class.wait_class,
            largest_of(case, &class)
        );
    }
    if commits_lead(case) {
        return commits_beyond_writes(case, pct);
    }
    if io_s > cpu_s {
        return format!(
            "waits for {} are only {} of DB time",
            io_and_commits(case),
            words::percent(pct(io_s))
        );
    }
    match side.cpu_s {
        Some(_) => format!("{} of DB time is CPU", words::percent(pct(cpu_s))),
        None => "no wait for it stands out".to_owned(),
    }
}

/// Do commits take more than anything else, a third of it or more beyond what log writes explain?
fn commits_lead(case: &Case<'_>) -> bool {
    let (sync_s, beyond_s) = (case.event_time_s(SYNC), beyond_writes_s(case));
    let others_s = largest_other(case).map_or(0.0, |c| c.seconds);
    let other_io_s = io_s(case) - (sync_s - beyond_s);
    let most_s = others_s.max(other_io_s).max(case.response_time.foreground.cpu_s.unwrap_or(0.0));
    sync_s > most_s && 3.0 * beyond_s >= sync_s
}

/// `48 % of DB time is commits at 5.28 ms, of which log writes explain at most 2.8 ms`.
fn commits_beyond_writes(case: &Case<'_>, pct: impl Fn(f64) -> f64) -> String {
    let share = words::percent(pct(case.event_time_s(SYNC)));
    let explained = case.commit.sync_us.zip(case.commit.most_of_writes());
    match explained {
        Some((sync, most)) => format!(
            "{share} of DB time is commits at {}, of which log writes explain at most {}",
            words::latency(sync),
            words::latency(most * sync)
        ),
        None => format!("{share} of DB time is commits, and log writes explain little of it"),
    }
}

/// The largest finding that is not about storage, where it is worth a sentence, and the next one where it costs half as
/// much; but for the one of the rule `said`.
fn other_cause_but(findings: &[Finding], said: &str) -> String {
    // That CPU leads is said already.
    let mut causes: Vec<&Finding> = findings
        .iter()
        .filter(|f| {
            !f.storage
                && !["cpu_bound", said].contains(&f.rule)
                && f.impact_pct.is_some_and(|p| p >= TO_BLAME_PCT)
        })
        .collect();
    causes.sort_by(|a, b| b.impact_s.total_cmp(&a.impact_s));
    let least_s = causes.first().map_or(0.0, |first| 0.5 * first.impact_s);
    let worth_it = causes.iter().take(2).filter(|f| f.impact_s >= least_s);
    worth_it.map(|f| format!(" {}.", f.title.trim_end_matches('.'))).collect()
}

/// The largest findings that are not about storage, where they are worth a sentence.
fn other_cause(findings: &[Finding]) -> String {
    other_cause_but(findings, "")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::answer;
    use crate::finding::{Claim, Finding};
    use crate::resolve::resolve;
    use crate::rules::testing::Hour;
    use crate::{Case, Options};

    /// `There are no findings to report.` was not said beside an answer that cannot tell.
    #[test]
    fn that_addm_found_nothing_is_said_where_nothing_else_can_be() {
        let section = |title: &str, status| spindle_facts::Section {
            title: title.to_owned(),
            line: 1,
            status,
            rows: 0,
            lost: 0,
        };
        let mut identity = spindle_facts::Identity::unknown(
            "addm.txt",
            spindle_facts::Kind::Addm,
            spindle_facts::Layout::Text,
        );
        (identity.db_time_s, identity.elapsed_s) = (Some(2_310.0), Some(3_600.0));
        let mut report = spindle_facts::Report::new(identity);
        report.sections.push(section("ADDM Report for Task 'TASK_30'", spindle_facts::SectionStatus::Read));
        let said = |report: &spindle_facts::Report| answer(&Case::new(report, &Options::default()), &[]).0;
        assert!(!said(&report).contains("ADDM says"), "{}", said(&report));
        report.sections.push(section(spindle_facts::ADDM_FINDINGS, spindle_facts::SectionStatus::Absent));
        let text = said(&report);
        assert!(
            text.starts_with("This cannot tell") && text.ends_with("there are no findings to report."),
            "{text}"
        );
    }

    /// The report carried no answer on storage, and what its own ADDM says of it stood in no sentence.
    #[test]
    fn the_word_of_addm_on_storage_was_left_out() {
        let finding = |not: &str| spindle_facts::AddmFinding {
            line: 67,
            section: 0,
            finding: "\"User I/O\" wait Class".to_owned(),
            impact_pct: Some(15.8),
            impact_s: None,
            impact_sessions: None,
            recommendation: None,
            description: Some(format!(
                "Wait class \"User I/O\" was consuming significant database time. The throughput of the I/O subsystem \
                 was {not}significantly lower than expected."
            )),
        };
        let said = |findings: Vec<spindle_facts::AddmFinding>, cpu_s| {
            let hour = Hour::new(1000.0).cpu(cpu_s).foreground("db file sequential read", 1e5, 40.0);
            answered(&hour.with(|r| r.tables.addm_finding = findings), vec![]).0
        };
        let sentence = "By ADDM in this report (line 67) the throughput of the I/O subsystem was not significantly lower";
        assert!(said(vec![finding("not ")], 100.0).contains(sentence));
        assert!(said(vec![finding("")], 100.0).contains("subsystem was significantly lower than expected"));
        assert!(!said(vec![finding("not "), finding("")], 100.0).contains("By ADDM"), "they differ");
        assert!(!said(vec![finding("not ")], 930.0).contains("By ADDM"), "the report tells");
    }

    /// A report cut off before its background waits acquitted storage by its reads, while a tenth of DB time waited
    /// for commits; the whole report finds redo slow.
    #[test]
    fn reads_within_their_bar_acquitted_redo_that_was_not_read() {
        let hour = |sync_s| {
            Hour::new(10_000.0).cpu(8_900.0 - sync_s).foreground("log file sync", 1e5, sync_s).foreground(
                "db file sequential read",
                1e6,
                1_000.0,
            )
        };
        let (text, verdict) = answered(&hour(900.0), vec![]);
        assert_eq!(verdict, None, "{text}");
        assert!(text.contains("how long log writes take was not read"), "{text}");
        let (text, verdict) = answered(&hour(900.0).background("log file parallel write", 1e5, 80.0), vec![]);
        assert_eq!(verdict, Some(false), "{text}");
        assert_eq!(answered(&hour(300.0), vec![]).1, Some(false));
    }

    /// A histogram alone made log writes known, however slow they may be by it, and storage was acquitted.
    #[test]
    fn a_histogram_that_bounds_no_log_write_acquitted_redo() {
        let hour = |slow| {
            let hour = Hour::new(10_000.0).device(crate::DeviceClass::Disk).cpu(8_000.0);
            let hour = hour.foreground("log file sync", 1e5, 900.0);
            let hour = hour.foreground("db file sequential read", 1e6, 1_000.0);
            hour.histogram("log file parallel write", &[(Some(1_024.0), 90_000.0), (Some(65_536.0), slow)])
        };
        let (text, verdict) = answered(&hour(10_000.0), vec![]);
        assert_eq!(verdict, Some(false), "at most 7.5 ms, {text}");
        let (text, verdict) = answered(&hour(60_000.0), vec![]);
        assert_eq!(verdict, None, "{text}");
        assert!(text.contains("of how long log writes take only a histogram was read"), "{text}");
    }

    fn answered(hour: &Hour, mut findings: Vec<Finding>) -> (String, Option<bool>) {
        let case = Case::new(&hour.report, &Options { device_class: hour.device, ..Options::default() });
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

    /// A row lock of 52.9 s was 99 % of DB time, and the answer spoke of the other 1 % alone.
    #[test]
    fn what_little_load_waited_for_was_left_out() {
        let hour = Hour::new(53.4).cpu(0.44).foreground("enq: TX - row lock contention", 1.0, 52.86);
        let (text, blamed) = answered(&hour.foreground("db file sequential read", 13.0, 0.042), Vec::new());
        assert_eq!(blamed, Some(false));
        assert_eq!(
            text,
            "There is hardly any load to judge: 53.4 s of DB time in 60 minutes. 99 % of it is Application waits \
             (`enq: TX - row lock contention`), 0.8 % CPU, 0.1 % waits for I/O."
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
        let hour = Hour::new(1000.0).cpu(930.0).foreground("db file sequential read", 100_000.0, 40.0);
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, Some(false));
        assert_eq!(
            text,
            "Storage is not the problem: 93 % of DB time is CPU, single-block reads average 0.4 ms."
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

    /// 0.02 active sessions on average were shares of activity like any other.
    #[test]
    fn samples_of_an_idle_database_were_a_load() {
        let report = |sessions| {
            let mut report = Hour::new(1.0).top("CPU + Wait for CPU", None, 0.0).report;
            report.identity.kind = spindle_facts::Kind::Ash;
            (report.identity.db_time_s, report.identity.sampled_sessions) = (None, Some(sessions));
            report.tables.time_model.clear();
            let row = &mut report.tables.top_event[0];
            (row.time_s, row.time_s_low, row.time_s_high) = (None, None, None);
            (row.share_pct, row.share_of, row.wait_class) = (Some(97.0), None, Some("CPU".into()));
            crate::diagnose(&report, &Options::default())
        };
        let idle = report(0.02);
        assert!(
            idle.answer.starts_with(
                "There is hardly any load to judge: 97 % of sampled activity (0.02 active sessions on average) is CPU"
            ),
            "{}",
            idle.answer
        );
        assert_eq!(idle.storage_is_the_problem, Some(false));
        assert!(!report(0.03).answer.contains("hardly any load"));
    }

    /// The samples that a report prints told of 8 sessions on CPU or waiting for one, CPU was 1.8 of them, and 56 % of DB
    /// time had no explanation.
    #[test]
    fn samples_beside_a_gap_were_not_looked_at() {
        use spindle_facts::{PrintedRow, Value};
        let row = |group: &str, cells: Vec<(&'static str, Value)>| {
            let cells: Vec<_> = std::iter::once(("group", Value::Text(group.into()))).chain(cells).collect();
            PrintedRow { line: 4260, section: 0, instance_number: None, cells: cells.into() }
        };
        let text = |t: &str| Value::Text(t.into());
        let cpu = || ("event", text("CPU + Wait for CPU"));
        let hour = |sessions| {
            let hour = Hour::new(36_000.0).cpu(6_000.0).foreground("db file sequential read", 1e6, 8_000.0);
            hour.with(|r| {
                r.tables.ash_activity = vec![
                    row(
                        "Top SQL with Top Events",
                        vec![("sql_id", text("0kg3s5m4uzp32")), cpu(), ("pct_event", Value::Number(44.37))],
                    ),
                    row(
                        "Top Events",
                        vec![
                            cpu(),
                            ("session_type", text("FOREGROUND")),
                            ("avg_active_sessions", Value::Number(sessions)),
                        ],
                    ),
                    row(
                        "Activity Over Time",
                        vec![
                            ("slot_time_duration", text("10:50:00   (5.0 min)")),
                            cpu(),
                            ("event_count", Value::Number(1_276.0)),
                            ("slot_count", Value::Number(1_448.0)),
                        ],
                    ),
                ];
            })
        };
        let (said, _) = answered(&hour(8.12), Vec::new());
        assert!(
            said.contains(
                "The report's own samples (line 4260) hold 8.12 sessions in `CPU + Wait for CPU` on average, CPU as \
                 counted makes 1.67: the others waited for a CPU, or were in calls that no event counts; statement \
                 0kg3s5m4uzp32 has 44 % of all samples there; their largest slot is 10:50:00 (5.0 min), 1,276 of 1,448 \
                 samples."
            ),
            "{said}"
        );
        assert!(!answered(&hour(3.0), Vec::new()).0.contains("own samples"));
        // On a host that was 0.4 % busy "the others waited for a CPU", unless Resource Manager or a cage kept them waiting.
        let idle = || on_a_host(hour(8.12), [("BUSY_TIME", 0.4), ("IDLE_TIME", 99.6), ("NUM_CPUS", 96.0)]);
        let (said, _) = answered(&idle(), Vec::new());
        assert!(said.contains("makes 1.67: the others were in calls that no event counts"), "{said}");
        assert!(!said.contains("waited for a CPU"), "{said}");
        let held_back = idle().foreground("resmgr:cpu quantum", 10.0, 1.0);
        let caged = idle().parameter("cpu_count", "2");
        for hour in [held_back, caged] {
            let (said, _) = answered(&hour, Vec::new());
            assert!(said.contains("the others waited for a CPU, or were in calls"), "{said}");
        }
    }

    /// "Missing 1,337.0 mins (45%) of activity", and no word of it.
    #[test]
    fn samples_that_a_report_lacks_were_not_said() {
        let report = |lacks: bool| {
            let mut report = Hour::new(1.0).top("CPU + Wait for CPU", None, 0.0).report;
            report.identity.kind = spindle_facts::Kind::Ash;
            report.identity.db_time_s = None;
            report.tables.time_model.clear();
            let row = &mut report.tables.top_event[0];
            (row.time_s, row.time_s_low, row.time_s_high) = (None, None, None);
            (row.share_pct, row.share_of, row.wait_class) = (Some(97.0), None, Some("CPU".into()));
            if lacks {
                report.notes.push(spindle_facts::Note {
                    line: Some(40),
                    section: None,
                    message: format!(
                        "{} for 27 minutes of the interval, 45 % of it",
                        spindle_facts::SAMPLES_MISSING
                    ),
                    effect: "what sessions did then is in no share of this report".to_owned(),
                });
            }
            crate::diagnose(&report, &Options::default())
        };
        assert_eq!(report(false).storage_is_the_problem, Some(false));
        let lacking = report(true);
        assert_eq!(lacking.storage_is_the_problem, None, "{}", lacking.answer);
        assert!(
            lacking.answer.contains(
                "Samples are missing for 27 minutes of the interval, 45 % of it: what sessions did then is in no share"
            ),
            "{}",
            lacking.answer
        );
        assert!(!lacking.answer.contains("not the problem"), "{}", lacking.answer);
    }

    #[test]
    fn what_nobody_counted_acquits_nobody_who_could_lead_with_it() {
        let hour =
            |cpu_s| Hour::new(1000.0).cpu(cpu_s).foreground("db file sequential read", 100_000.0, 40.0);
        let (text, blamed) = answered(&hour(400.0), Vec::new());
        assert_eq!(blamed, None);
        assert!(text.contains("56 % of DB time is neither CPU nor a printed wait"), "{text}");
        let (text, blamed) = answered(&hour(690.0), Vec::new());
        assert_eq!(blamed, None);
        assert!(text.contains("27 % of DB time is neither"), "{text}");
        let (text, blamed) = answered(&hour(880.0), Vec::new());
        assert_eq!(blamed, Some(false));
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
            .cpu(200.0)
            .foreground("library cache lock", 10_000.0, 320.0)
            .foreground("library cache: mutex X", 10_000.0, 300.0)
            .with(|r| r.tables.wait_event.iter_mut().for_each(|e| e.wait_class = Some("Concurrency".into())));
        let (text, _) = answered(&hour.foreground("x", 1.0, 150.0), Vec::new());
        assert!(text.contains("(`library cache lock` the largest of it)"), "{text}");
    }

    /// A row of the log writer beside commits, with its histogram or without.
    fn commits(sync_s: f64, write_s: f64) -> Hour {
        Hour::new(1000.0).cpu(400.0).foreground("log file sync", 100_000.0, sync_s).background(
            "log file parallel write",
            95_000.0,
            write_s,
        )
    }

    fn slow_commits(seconds: f64) -> Finding {
        Finding {
            rule: "slow_commits",
            title: "Commits take long".into(),
            claims: vec![Claim { of: "log file sync".into(), seconds }],
            ..Finding::default()
        }
    }

    /// Commits that storage does not explain were `waits for I/O` in the first line.
    #[test]
    fn commits_beyond_what_log_writes_explain_are_no_io() {
        let bounded = commits(550.0, 50.0)
            .histogram("log file parallel write", &[(Some(1000.0), 95_000.0), (Some(2000.0), 0.0)]);
        let (text, blamed) = answered(&bounded, vec![slow_commits(550.0)]);
        assert_eq!(blamed, Some(false), "{text}");
        let start = "Storage is not the problem: 55 % of DB time is commits at 5.5 ms, of which log writes explain at most";
        assert!(text.starts_with(start), "{text}");
        assert!(!text.contains("waits for I/O") && !text.contains("Commits take long"), "{text}");
    }

    /// Commits of 97 ms of which nothing bounds what the writes explain: `98 % of DB time waits for I/O`.
    #[test]
    fn commits_of_which_writes_explain_nobody_knows_what_were_io() {
        let alone = |sync_s| {
            Hour::new(10_000.0).cpu(200.0).foreground("log file sync", 100_000.0, sync_s).foreground(
                "db file sequential read",
                10_000.0,
                9_750.0 - sync_s,
            )
        };
        let (text, blamed) = answered(&alone(9_700.0), vec![slow_commits(9_700.0)]);
        assert_eq!(blamed, None, "{text}");
        assert!(text.starts_with("98 % of DB time waits for I/O and commits, mostly commits"), "{text}");
        // A little of commits changes nothing.
        let (text, _) = answered(&alone(300.0), Vec::new());
        assert!(text.starts_with("98 % of DB time waits for I/O, mostly single-block reads"), "{text}");
    }

    /// 5.28 ms of `log file sync`, against the bar of commits, was an answer of storage within its bar.
    #[test]
    fn a_commit_is_no_answer_of_storage() {
        let alone = Hour::new(1000.0).cpu(300.0).foreground("log file sync", 100_000.0, 530.0);
        let (text, blamed) = answered(&alone, Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("so what of it is storage cannot be told"), "{text}");
        assert!(!text.contains("within its bar"), "{text}");
    }

    /// Means alone bound nothing: the mean write is within its bar, and yet storage is not acquitted.
    #[test]
    fn a_mean_write_that_nothing_bounds_does_not_acquit() {
        let (text, blamed) = answered(&commits(750.0, 76.0), vec![slow_commits(750.0)]);
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("(log writes 0.8 ms, bar"), "{text}");
    }

    /// Locks of 76 % acquitted storage that wrote its redo in 313 ms, since a finding blamed it for a tenth.
    #[test]
    fn slow_storage_that_a_finding_blames_is_not_acquitted_by_locks() {
        let locks = Finding {
            rule: "locks",
            title: "Sessions waited 760 s for locks".into(),
            claims: vec![Claim { of: "enq: TX - row lock contention".into(), seconds: 760.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0)
            .cpu(50.0)
            .foreground("enq: TX - row lock contention", 100.0, 760.0)
            .foreground("db file sequential read", 1_000.0, 41.0)
            .foreground("log file sync", 60.0, 118.0);
        let slow_redo = Finding {
            rule: "slow_redo_writes",
            title: "Redo is slow".into(),
            storage: true,
            claims: vec![Claim { of: "log file sync".into(), seconds: 118.0 }],
            ..Finding::default()
        };
        let (text, blamed) = answered(&hour, vec![slow_redo, locks]);
        assert_eq!(blamed, None, "{text}");
        assert!(text.starts_with("Locks lead: 76 % of DB time") && text.ends_with("Redo is slow."), "{text}");
    }

    /// A time model of 60 % CPU, and no wait read at all, acquitted storage.
    #[test]
    fn waits_that_were_not_read_acquit_nobody() {
        let (text, blamed) = answered(&Hour::new(1000.0).cpu(600.0), Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("no waits were read; the other 40 % may be waits for I/O"), "{text}");
        let (text, blamed) = answered(&Hour::new(1000.0).cpu(950.0), Vec::new());
        assert_eq!(blamed, Some(false), "{text}");
        // Read, and all of them round to nothing.
        let rounded = Hour::new(1000.0).cpu(800.0).foreground("db file sequential read", 10.0, 0.0);
        let (text, _) = answered(&rounded, Vec::new());
        assert!(!text.contains("no waits were read"), "{text}");
    }

    /// Waits were cut to what CPU leaves of DB time, CPU was not, and the bars below showed both whole.
    #[test]
    fn shares_in_the_answer_are_those_printed() {
        let hour = Hour::new(1000.0).cpu(400.0).foreground("db file sequential read", 1_500_000.0, 870.0);
        let (text, blamed) = answered(&hour, Vec::new());
        assert!(text.starts_with("87 % of DB time waits for I/O"), "{text}");
        assert_eq!(blamed, Some(false));
    }

    /// Reads within their bar were found innocent, which only the JSON said.
    #[test]
    fn innocent_storage_is_said_beside_the_finding() {
        let few = Finding {
            rule: "few_statements_read_most",
            title: "2 statements make 90 % of the physical reads".into(),
            claims: vec![Claim { of: "db file sequential read".into(), seconds: 540.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0).cpu(300.0).foreground("db file sequential read", 1_500_000.0, 600.0);
        let (text, blamed) = answered(&hour, vec![few]);
        assert_eq!(blamed, Some(false));
        assert!(text.contains("yet storage answers within its bar (0.4 ms, bar"), "{text}");
        assert!(text.ends_with("2 statements make 90 % of the physical reads."), "{text}");
    }

    /// A finding that claims little of the leading wait is not why it leads.
    #[test]
    fn a_part_of_the_leading_wait_does_not_explain_it() {
        let one = Finding {
            rule: "few_segments_read_most",
            title: "One segment makes 82 % of the physical reads".into(),
            claims: vec![Claim { of: "db file sequential read".into(), seconds: 150.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0).cpu(300.0).foreground("db file sequential read", 1_500_000.0, 600.0);
        let (text, _) = answered(&hour, vec![one]);
        assert!(!text.contains("One segment"), "{text}");
    }

    /// CPU of 62 % was left out of `36 % of DB time waits for I/O`.
    #[test]
    fn cpu_that_is_more_than_io_is_said_first() {
        let hour = Hour::new(1000.0).cpu(620.0).foreground("direct path read temp", 10_000.0, 360.0);
        let (text, _) = answered(&hour, Vec::new());
        let start = "62 % of DB time is CPU, 36 % waits for I/O, mostly reads of temp";
        assert!(text.starts_with(start), "{text}");
    }

    /// Storage that is slow for a few percent is not the main problem, which is not none.
    #[test]
    fn slow_storage_that_costs_little_is_named() {
        let hour = Hour::new(1000.0).cpu(880.0).foreground("db file sequential read", 2_000.0, 60.0);
        let (text, blamed) = answered(&hour, vec![slow_reads(60.0)]);
        assert_eq!(blamed, Some(false));
        assert!(text.starts_with("Storage is not the main problem: 88 % of DB time is CPU"), "{text}");
        assert!(text.ends_with("Single-block reads are slower than 10 ms."), "{text}");
    }

    /// Writes of workers just above the bar may be slow, and JSON said that storage is the problem.
    #[test]
    fn redo_that_may_be_slow_is_no_verdict() {
        let slow_redo = |seconds| Finding {
            rule: "slow_redo_writes",
            title: "Redo may be slow".into(),
            storage: true,
            claims: vec![Claim { of: "log file sync".into(), seconds }],
            ..Finding::default()
        };
        let by_workers = |write_s| {
            commits(450.0, write_s)
                .stat("redo writes", 95_000.0)
                .stat("redo writes adaptive worker", 95_000.0)
        };
        assert_eq!(answered(&by_workers(1_330.0), vec![slow_redo(450.0)]).1, None);
        assert_eq!(answered(&by_workers(13_300.0), vec![slow_redo(450.0)]).1, Some(true));
    }

    /// A load profile alone prints rates of DB time and CPU: neither was said to be printed.
    #[test]
    fn rates_of_a_load_profile_are_said() {
        use spindle_facts::{LoadProfileRow, Metric};
        let row = |known, per_second| LoadProfileRow {
            line: 20,
            section: 0,
            instance_number: None,
            metric: String::new(),
            known: Some(known),
            per_second: Some(per_second),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.05,
            per_second_diff_pct: None,
        };
        let hour = Hour::new(0.0).with(|r| {
            r.tables.time_model.clear();
            (r.identity.db_time_s, r.identity.elapsed_s) = (None, None);
            r.tables.load_profile = vec![row(Metric::DbTime, 1.2), row(Metric::DbCpu, 0.3)];
        });
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None);
        assert!(text.contains("1.2 sessions were active on average, 0.3 of them (25 %) on CPU"), "{text}");
    }

    /// A SQL report prints CPU and I/O of its statement, and the answer was that neither is printed.
    #[test]
    fn a_sql_report_tells_of_its_statement() {
        let hour = Hour::new(1000.0).with(|r| {
            r.identity.kind = spindle_facts::Kind::AwrSql;
            r.tables.sql_stat.push(spindle_facts::SqlStat {
                ranked_by: "elapsed_time",
                sql_id: Some("abc".into()),
                elapsed_s: Some(960.0),
                cpu_s: Some(480.0),
                io_wait_s: Some(240.0),
                ..spindle_facts::SqlStat::default()
            });
        });
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None);
        let start =
            "Statement abc took 960 s (96 % of DB time), of which 50 % is CPU and 25 % waits for I/O.";
        assert!(text.starts_with(start), "{text}");
    }

    /// Of a statement with two plans the dearer one was said to be all that it took.
    #[test]
    fn a_statement_with_two_plans_took_the_time_of_one() {
        let plan = |hash, elapsed_s, cpu_s| spindle_facts::SqlStat {
            ranked_by: "elapsed_time",
            sql_id: Some("abc".into()),
            plan_hash: Some(hash),
            elapsed_s: Some(elapsed_s),
            cpu_s,
            ..spindle_facts::SqlStat::default()
        };
        let of = |cpu_s| {
            let hour = Hour::new(1000.0).with(|r| {
                r.identity.kind = spindle_facts::Kind::AwrSql;
                r.tables.sql_stat = vec![plan(1, 600.0, Some(300.0)), plan(2, 200.0, cpu_s)];
            });
            answered(&hour, Vec::new()).0
        };
        let took = "Statement abc took 800 s (80 % of DB time) with 2 plans";
        assert!(
            of(Some(100.0)).starts_with(&format!("{took}, of which 50 % is CPU.")),
            "{}",
            of(Some(100.0))
        );
        assert!(of(None).starts_with(&format!("{took}. ")), "{}", of(None));
    }

    /// CPU of both plans was set against the time of the one that printed it.
    #[test]
    fn cpu_of_a_plan_without_a_time_was_part_of_the_time_of_another() {
        let plan = |hash, elapsed_s| spindle_facts::SqlStat {
            ranked_by: "elapsed_time",
            sql_id: Some("abc".into()),
            plan_hash: Some(hash),
            elapsed_s,
            cpu_s: Some(300.0),
            ..spindle_facts::SqlStat::default()
        };
        let hour = Hour::new(1000.0).with(|r| {
            r.identity.kind = spindle_facts::Kind::AwrSql;
            r.tables.sql_stat = vec![plan(1, Some(600.0)), plan(2, None)];
        });
        let (text, _) = answered(&hour, Vec::new());
        let start = "Statement abc took at least 600 s (60 % of DB time) with those of its 2 plans that print a time, \
                     of which 50 % is CPU.";
        assert!(text.starts_with(start), "{text}");
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

    /// Sets the class of the last foreground event.
    fn of_class(hour: Hour, class: &str) -> Hour {
        hour.with(|r| r.tables.wait_event.last_mut().unwrap().wait_class = Some(class.into()))
    }

    /// Storage was acquitted wherever sessions waited for the writers: their class is Configuration or Other.
    #[test]
    fn waits_for_writes_of_others_do_not_acquit_storage() {
        for (event, class, see) in [
            ("log buffer space", "Configuration", "`log file parallel write`"),
            ("log file switch completion", "Configuration", "`log file parallel write`"),
            ("log file switch (checkpoint incomplete)", "Configuration", "`db file parallel write`"),
            ("log file switch (archiving needed)", "Configuration", "the archive destinations"),
            ("free buffer waits", "Configuration", "`db file parallel write`"),
            ("write complete waits", "Configuration", "`db file parallel write`"),
            ("flashback buf free by RVWR", "Configuration", "`flashback log file write`"),
            ("enq: CF - contention", "Other", "`control file parallel write`"),
        ] {
            let hour =
                |waited_s| {
                    of_class(Hour::new(1000.0).cpu(200.0).foreground(event, 2_000.0, waited_s), class)
                        .foreground("db file sequential read", 100_000.0, 100.0)
                };
            let (text, blamed) = answered(&hour(600.0), Vec::new());
            assert_eq!(blamed, None, "{text}");
            assert!(
                text.starts_with("Whether storage is the problem cannot be told: 60 % of DB time waits"),
                "{text}"
            );
            assert!(text.contains(event) && text.contains(see), "{text}");
            let (text, blamed) = answered(&hour(60.0).cpu(0.0), Vec::new());
            assert_ne!(blamed, Some(true), "{text}");
        }
    }

    #[test]
    fn writers_known_to_be_fast_leave_storage_innocent() {
        let hour = Hour::new(1000.0).cpu(350.0).foreground("free buffer waits", 2_000.0, 600.0).background(
            "db file parallel write",
            10_000.0,
            20.0,
        );
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, Some(false), "{text}");
        assert!(
            text.starts_with("Storage is not the problem: 60 % of DB time is Configuration waits"),
            "{text}"
        );
    }

    /// 12 % of waits for the writers beside CPU of 70 % were not worth a word.
    #[test]
    fn a_little_wait_for_writers_is_said_beside_the_leader() {
        let hour = Hour::new(1000.0).cpu(800.0).foreground("log buffer space", 2_000.0, 120.0);
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, Some(false), "{text}");
        assert!(text.starts_with("Storage is not the main problem: 80 % of DB time is CPU"), "{text}");
        assert!(
            text.contains("12 % more waits for writes of other processes (`log buffer space` 12 % at 60 ms)"),
            "{text}"
        );
    }

    /// `DB FILE SEQUENTIAL READ`, and whatever else no dictionary lists, was of class Other and acquitted.
    #[test]
    fn an_event_that_nothing_knows_does_not_acquit_storage() {
        let hour = Hour::new(1000.0).cpu(200.0).foreground("brand new wait", 2_000.0, 770.0);
        let hour = hour.with(|r| r.tables.wait_event[0].wait_class = None);
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("77 % of DB time waits for events that are not known"), "{text}");
    }

    /// `Storage is not the problem: 391 % of DB time is Other waits`.
    #[test]
    fn waits_beyond_db_time_stop_the_sentence() {
        let hour =
            of_class(Hour::new(920.0).cpu(900.0).foreground("reliable message", 256.0, 3_585.0), "Other");
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(
            text.contains("3,585 s of Other waits are printed beside it, more than it can hold"),
            "{text}"
        );
    }

    /// Log writes of 2.01 ms were `within` their bar of 2 ms.
    #[test]
    fn a_mean_just_above_its_bar_is_at_it() {
        let reads =
            |seconds| Hour::new(1000.0).cpu(250.0).foreground("db file sequential read", 70_000.0, seconds);
        let (text, _) = answered(&reads(707.0).device(crate::DeviceClass::Disk), Vec::new());
        assert!(text.contains("yet storage answers at its bar (10.1 ms, bar 10 ms)"), "{text}");
        let (text, _) = answered(&reads(690.0).device(crate::DeviceClass::Disk), Vec::new());
        assert!(text.contains("yet storage answers within its bar (9.86 ms, bar 10 ms)"), "{text}");
    }

    /// Direct-path reads of 15 % beside single-block reads of 14 % were `mostly direct-path reads`.
    #[test]
    fn what_is_less_than_half_is_not_mostly() {
        let hour = Hour::new(1000.0)
            .cpu(550.0)
            .foreground("direct path read", 10_000.0, 150.0)
            .foreground("db file sequential read", 100_000.0, 140.0)
            .foreground("db file scattered read", 10_000.0, 130.0);
        let (text, _) = answered(&hour, Vec::new());
        assert!(text.contains("the largest of them direct-path reads") && !text.contains("mostly"), "{text}");
    }

    /// Parsing took 44 %, the first finding, and the headline spoke of scans of 21 % alone.
    #[test]
    fn the_finding_that_costs_most_is_in_the_headline() {
        let parsing = Finding {
            rule: "hard_parsing",
            title: "Parsing took 440 s (44 % of DB time)".into(),
            claims: vec![Claim { of: "cpu".into(), seconds: 440.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0).cpu(450.0).foreground("db file sequential read", 1_500_000.0, 460.0);
        let (text, _) = answered(&hour, vec![parsing]);
        assert!(text.ends_with("Parsing took 440 s (44 % of DB time)."), "{text}");
        // What it says already is not said twice.
        let slow = Hour::new(1000.0).cpu(500.0).foreground("db file sequential read", 36_607.0, 410.0);
        let (text, _) = answered(&slow, vec![slow_reads(410.0)]);
        assert_eq!(text.matches("ingle-block reads").count(), 1, "{text}");
    }

    /// CPU of all sessions, the background among them, was DB CPU, and `Storage is not the problem: 100 %`.
    #[test]
    fn cpu_of_all_sessions_acquits_nobody() {
        let rate = spindle_facts::LoadProfileRow {
            line: 8,
            section: 0,
            instance_number: Some(1),
            metric: "cpu_per_s".to_owned(),
            known: None,
            per_second: Some(0.99),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.0005,
            per_second_diff_pct: None,
        };
        let hour = Hour::new(3600.0).with(|r| {
            r.identity.kind = spindle_facts::Kind::AwrMiner;
            r.tables.load_profile = vec![rate];
        });
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("that of all sessions"), "{text}");
    }

    /// A tenth of all waits were commits of 23 ms, and the answer was that DB time is not printed.
    #[test]
    fn without_db_time_the_waits_are_told() {
        let hour = Hour::new(0.0)
            .foreground("write complete waits", 400.0, 400.0)
            .foreground("db file sequential read", 10_000.0, 300.0)
            .with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
            });
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None);
        let start = "DB time is not printed, so shares are of 700 s of waits, CPU left out: waits for I/O are 43 %, waits \
                     for writes of other processes 57 %; `write complete waits` lead with 57 % at 1 s.";
        assert!(text.starts_with(start), "{text}");
    }

    /// Two seconds of commits in an hour were the finding of a database that nobody used.
    #[test]
    fn an_idle_database_without_db_time_was_judged_by_its_few_waits() {
        let of = |seconds: f64| {
            let hour = Hour::new(0.0)
                .foreground("log file sync", 600.0, 4.0)
                .foreground("db file sequential read", 10.0, seconds)
                .with(|r| {
                    r.tables.time_model.clear();
                    r.identity.db_time_s = None;
                });
            answered(&hour, Vec::new()).0
        };
        let idle = "hardly any load, unless CPU is far more.";
        assert!(of(1.0).contains(&format!("That is 0.00139 sessions on average: {idle}")), "{}", of(1.0));
        assert!(!of(100.0).contains(idle), "{}", of(100.0));
    }

    /// Shares of the top five were sold as shares of all waits: 58 % where the report prints 46 %.
    #[test]
    fn shares_of_the_top_five_were_called_shares_of_all_waits() {
        let hour = Hour::new(0.0)
            .top("db file sequential read", Some(1e6), 463.0)
            .top("db file scattered read", Some(1e5), 337.0)
            .with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
                for (row, pct) in r.tables.top_event.iter_mut().zip([46.3, 33.7]) {
                    row.share_pct = Some(pct);
                    row.share_of = Some(spindle_facts::ShareOf::TotalWaitTime);
                }
            });
        let (text, _) = answered(&hour, Vec::new());
        assert!(
            text.contains(
                "1,000 s of waits, CPU left out: waits for I/O are 80 %, those not listed or of background processes 20 %"
            ),
            "{text}"
        );
        assert!(text.contains("lead with 46 %"), "{text}");
    }

    /// `Neither CPU nor wait events are printed` stood above what ADDM had found.
    #[test]
    fn a_report_of_addm_alone_repeats_what_it_found() {
        let finding = |name: &str, pct| spindle_facts::AddmFinding {
            line: 9,
            section: 0,
            finding: name.to_owned(),
            impact_pct: Some(pct),
            impact_sessions: None,
            impact_s: None,
            description: None,
            recommendation: None,
        };
        let hour = Hour::new(36_000.0).with(|r| {
            r.tables.addm_finding = vec![finding("Top SQL Statements", 30.0), finding("I/O Throughput", 65.0)]
        });
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None);
        assert!(
            text.contains("I/O Throughput (65 %), Top SQL Statements (30 %). By ADDM, storage is slow"),
            "{text}"
        );
    }

    /// The rows of reads and commits were lost, `Total FG Wait Time` stood in the report, and CPU of 55 % acquitted
    /// storage.
    #[test]
    fn waits_printed_in_sum_and_not_read_acquitted_storage() {
        let hour = |sum| {
            Hour::new(1000.0)
                .cpu(550.0)
                .foreground("enq: TX - row lock contention", 100.0, 40.0)
                .with(|r| r.identity.foreground_wait_s = sum)
        };
        let (text, blamed) = answered(&hour(Some(430.0)), Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("390 s of foreground waits (39 %) are printed by class or in sum"), "{text}");
        // Without the sum, what is not explained is enough.
        assert_eq!(answered(&hour(None), Vec::new()).1, None);
        let diagnosis = crate::diagnose(&hour(Some(430.0)).report, &Options::default());
        let cannot: Vec<&str> = diagnosis.cannot_tell.iter().map(|c| c.rule).collect();
        assert!(cannot.contains(&"slow_single_block_reads"), "{cannot:?} {:?}", diagnosis.not_found);
    }

    /// `####` in every cell of `db file sequential read` was taken for no such wait.
    #[test]
    fn a_row_overprinted_throughout_acquitted_storage() {
        let hour = Hour::new(1000.0)
            .cpu(550.0)
            .foreground("db file sequential read", 1.0, 1.0)
            .foreground("direct path read", 1e4, 140.0)
            .with(|r| {
                let row = &mut r.tables.wait_event[0];
                (row.waits, row.time_s, row.time_s_low, row.time_s_high) = (None, None, None, None);
                (row.avg_wait_us, row.avg_wait_us_low, row.avg_wait_us_high) = (None, None, None);
            });
        let diagnosis = crate::diagnose(&hour.report, &Options::default());
        assert_eq!(diagnosis.storage_is_the_problem, None, "{}", diagnosis.answer);
        assert!(diagnosis.answer.contains("The row of `db file sequential read`"), "{}", diagnosis.answer);
        for rule in ["slow_single_block_reads", "full_scans_lead"] {
            let told = diagnosis.cannot_tell.iter().find(|c| c.rule == rule);
            assert!(told.is_some_and(|c| c.missing.contains("cannot be read")), "{rule}");
        }
    }

    /// DB time of 36 % that nothing explains was acquitted, as CPU of 62 % was more.
    #[test]
    fn a_gap_beyond_a_tenth_was_acquitted_beside_cpu() {
        let hour = |cpu| Hour::new(1000.0).cpu(cpu).foreground("latch free", 100.0, 20.0);
        let (text, blamed) = answered(&hour(620.0), Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(text.contains("36 % of DB time is neither CPU nor a printed wait"), "{text}");
        assert_eq!(answered(&hour(890.0), Vec::new()).1, Some(false));
        // Where the rows that were read make up the sum that is printed, the gap is no wait.
        let whole = hour(620.0).with(|r| r.identity.foreground_wait_s = Some(20.0));
        assert_eq!(answered(&whole, Vec::new()).1, Some(false));
    }

    /// A list as an excerpt has it, in order, without anything else.
    fn list(cpu_s: f64, events: &[(&str, f64)]) -> Hour {
        let hour = Hour::new(46_460.0).top("DB CPU", None, cpu_s);
        let hour = events.iter().fold(hour, |hour, (event, seconds)| hour.top(event, Some(1e5), *seconds));
        hour.with(|r| {
            r.sections[0].title = "Top 10 Foreground Wait Events".to_owned();
            r.identity.elapsed_s = None;
        })
    }

    const TEN: [(&str, f64); 8] = [
        ("direct path read", 269.9),
        ("log file sync", 144.3),
        ("db file sequential read", 123.0),
        ("latch: cache buffers chains", 103.8),
        ("latch: shared pool", 65.3),
        ("enq: TX - row lock contention", 52.7),
        ("cursor: pin S", 31.8),
        ("db file scattered read", 26.7),
    ];

    /// Ten events in order down to 26.7 s, and 76 % of DB time in none: "whether storage is the problem cannot be told".
    #[test]
    fn waits_that_an_order_bounds_could_have_been_all_of_the_gap() {
        let (text, verdict) = answered(&list(10_500.0, &TEN), Vec::new());
        assert_eq!(verdict, Some(false), "{text}");
        assert!(text.contains("not printed are 7.2 % of DB time at most"), "{text}");
        assert!(
            text.contains("CPU that is counted otherwise") && !text.contains("waits not printed"),
            "{text}"
        );
        // The last of them tells, where it is large, and where the list has an order.
        assert_eq!(answered(&list(10_500.0, &TEN[..3]), Vec::new()).1, None, "rows are left out");
        let mut turned = TEN;
        turned.swap(0, 7);
        assert_eq!(answered(&list(10_500.0, &turned), Vec::new()).1, None);
        let large = TEN.map(|(event, seconds)| (event, 10.0 * seconds));
        assert_eq!(answered(&list(10_500.0, &large), Vec::new()).1, None);
    }

    fn class_row(wait_class: &str, time_s: f64) -> spindle_facts::WaitClassRow {
        spindle_facts::WaitClassRow {
            line: 7,
            section: 0,
            instance_number: None,
            wait_class: wait_class.to_owned(),
            side: spindle_facts::Side::Foreground,
            waits: None,
            time_s: Some(time_s),
            time_s_low: Some(time_s - 0.5),
            time_s_high: Some(time_s + 0.5),
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            share_pct: None,
        }
    }

    /// "30 % of DB time is neither CPU nor a printed wait (..., or waits not printed)" beside classes that leave 0.6 %.
    #[test]
    fn waits_printed_by_class_left_room_for_a_gap() {
        let hour = |classes: &[(&str, f64)]| {
            let large: Vec<_> = TEN.iter().map(|(event, seconds)| (*event, 20.0 * seconds)).collect();
            let classes: Vec<_> = classes.iter().map(|(class, s)| class_row(class, 20.0 * s)).collect();
            list(17_000.0, &large).with(|r| {
                r.tables.wait_class = classes;
                let others = |event: &str| event.starts_with("latch") || event.starts_with("cursor");
                for row in r.tables.top_event.iter_mut().filter(|row| others(&row.event)) {
                    row.wait_class = Some("Concurrency".into());
                }
            })
        };
        let all = [
            ("User I/O", 430.0),
            ("Concurrency", 210.0),
            ("Commit", 145.0),
            ("Application", 53.0),
            ("Configuration", 5.0),
            ("System I/O", 5.0),
        ];
        let (text, verdict) = answered(&hour(&all), Vec::new());
        assert!(
            text.contains("no wait counted in this interval") && !text.contains("waits not printed"),
            "{text}"
        );
        assert!(!text.contains("cannot be told: 27 %"), "{text} {verdict:?}");
        assert!(!text.contains("by its end"), "{text}");
        let (text, _) = answered(&hour(&all[1..3]), Vec::new());
        assert!(!text.contains("no wait counted in this interval"), "{text}");
        // A gap of 59 % was "no wait that the database counts", and a statement that began earlier had counted 4,625 s of
        // reads where all of the interval's were 1,719 s.
        let earlier = |io_wait_s| {
            hour(&all).with(|r| {
                r.tables.sql_stat.push(spindle_facts::SqlStat {
                    line: 9,
                    ranked_by: "elapsed_time",
                    sql_id: Some("db7f9rmwydc9p".into()),
                    elapsed_s: Some(io_wait_s / 0.95),
                    io_pct: Some(95.0),
                    ..spindle_facts::SqlStat::default()
                });
            })
        };
        let (text, _) = answered(&earlier(9_500.0), Vec::new());
        assert!(
            text.contains("Statement db7f9rmwydc9p waited 9,500 s for I/O by its end (line 9)"),
            "{text}"
        );
        // 4,626 s by a share of 95.4 % (line 1015) where another ranking prints 4,625.41 (line 952).
        let exact = earlier(9_500.0).with(|r| {
            let sql = r.tables.sql_stat[0].clone();
            r.tables.sql_stat[0].io_pct = Some(95.04);
            r.tables.sql_stat.push(spindle_facts::SqlStat {
                line: 7,
                ranked_by: "user_io_wait_time",
                io_wait_s: Some(9_500.4),
                ..sql
            });
        });
        let (text, _) = answered(&exact, Vec::new());
        assert!(text.contains("waited 9,500 s for I/O by its end (line 7)"), "{text}");
        // `by its end`, of one that ran on.
        let runs_on = earlier(9_500.0).with(|r| {
            for sql in &mut r.tables.sql_stat {
                sql.executions = Some(0.0);
            }
        });
        let (text, _) = answered(&runs_on, Vec::new());
        assert!(!text.contains("by its end"), "{text}");
        assert!(
            text.contains("which did not end in the interval, has waited 9,500 s for I/O (line 9)"),
            "{text}"
        );
        let (text, _) = answered(&earlier(8_500.0), Vec::new());
        assert!(!text.contains("by its end"), "{text}");
    }

    /// The row of the largest event and the class that it is of were cut out, the sum of all waits was not: "75 % of DB
    /// time is neither CPU nor a printed wait. It is no wait that the database counts: those are printed in sum or by
    /// class", and storage was not the problem.
    #[test]
    fn waits_printed_in_sum_were_no_waits_where_a_class_was_lost() {
        let hour = |sum, classes: &[(&str, f64)]| {
            Hour::new(1000.0)
                .cpu(20.0)
                .foreground("gc cr multi block mixed", 8e3, 210.0)
                .foreground("db file sequential read", 1e5, 5.0)
                .with(|r| {
                    r.identity.foreground_wait_s = sum;
                    r.tables.wait_class = classes.iter().map(|(c, s)| class_row(c, *s)).collect();
                })
        };
        let classes = [("User I/O", 5.0), ("Commit", 0.0), ("Configuration", 0.0), ("System I/O", 0.0)];
        let (text, verdict) = answered(&hour(Some(970.0), &classes), Vec::new());
        assert_eq!(verdict, None, "{text}");
        assert!(text.contains("755 s of foreground waits (76 %) are printed by class or in sum"), "{text}");
        assert!(!text.contains("no wait counted in this interval"), "{text}");
        assert!(!text.contains("printed wait"), "they are printed, {text}");
        // Without the sum, the class of events that were read is missing among the classes.
        let (text, verdict) = answered(&hour(None, &classes), Vec::new());
        assert_eq!(verdict, None, "{text}");
        // With all classes there, the gap is no wait.
        let whole: Vec<_> = classes.into_iter().chain([("Cluster", 210.0)]).collect();
        for sum in [None, Some(215.0)] {
            let (text, verdict) = answered(&hour(sum, &whole), Vec::new());
            assert_eq!(verdict, Some(false), "{text}");
            assert!(text.contains("no wait counted in this interval"), "{text}");
        }
    }

    /// The rows of single-block reads were cut out, 74 % of DB time: "waits for storage that are not printed are 12 % of
    /// DB time at most, since the events stand in order and the last is 12 s".
    #[test]
    fn an_order_with_a_row_cut_out_bounded_what_was_lost() {
        let hour = |sum| list(10_500.0, &TEN).with(|r| r.identity.foreground_wait_s = sum);
        let printed_s: f64 = TEN.iter().map(|e| e.1).sum();
        let (text, verdict) = answered(&hour(Some(printed_s + 35_000.0)), Vec::new());
        assert_eq!(verdict, None, "{text}");
        assert!(!text.contains("stand in order"), "{text}");
        // What each may hold in its order is no proof against it.
        let (text, verdict) = answered(&hour(Some(printed_s + 2_000.0)), Vec::new());
        assert_eq!(verdict, Some(false), "{text}");
        let case =
            |hour: &Hour| Case::new(&hour.report, &Options::default()).unlisted_waits().unwrap().each_s;
        assert_eq!(case(&hour(Some(printed_s + 2_000.0))), 26.7);
        assert_eq!(case(&hour(Some(printed_s + 35_000.0))), f64::INFINITY);
        // So is what one class lacks.
        let class =
            list(10_500.0, &TEN).with(|r| r.tables.wait_class = vec![class_row("User I/O", 30_000.0)]);
        assert!(!answered(&class, Vec::new()).0.contains("stand in order"));
        // A list of all events lacks none: any gap is a row that was lost.
        let all = hour(Some(printed_s + 2_000.0)).foreground("direct path read", 1e5, 269.9);
        assert!(!answered(&all, Vec::new()).0.contains("stand in order"));
    }

    /// `gc cr disk read`, 4,049 s, was the largest of 1,221,656 s of its class, of which the rest was not read.
    #[test]
    fn the_largest_that_was_read_was_the_largest() {
        let hour = |class_s: f64| {
            Hour::new(1000.0)
                .cpu(20.0)
                .foreground("gc cr disk read", 4e3, 40.0)
                .foreground("gc cr failure", 4e3, 30.0)
                .with(|r| {
                    r.tables.wait_event.iter_mut().for_each(|e| e.wait_class = Some("Cluster".into()));
                    r.tables.wait_class = vec![class_row("Cluster", class_s), class_row("User I/O", 1.0)];
                })
        };
        let said = |hour: &Hour| answered(hour, Vec::new()).0;
        let much = said(&hour(960.0));
        assert!(
            much.contains(
                "96 % of DB time is Cluster waits (`gc cr disk read` the largest of it that was read)"
            ),
            "{much}"
        );
        let little = said(
            &hour(100.0)
                .with(|r| r.identity.db_time_s = None)
                .with(|r| r.tables.time_model[0].time_s = Some(125.0)),
        );
        assert!(little.contains("(`gc cr disk read` the largest of it)"), "{little}");
    }

    /// Direct reads of `IOStat by Function` took 6,204 s, half of what nothing explained, and no word of them.
    #[test]
    fn direct_reads_that_no_event_counts_were_no_candidate() {
        let hour = |waits, mean_us| {
            list(10_500.0, &TEN).with(|r| {
                r.tables.io_function.push(spindle_facts::IoActivity {
                    function: Some("Direct Reads".to_owned()),
                    waits: Some(waits),
                    avg_wait_us: Some(mean_us),
                    ..spindle_facts::IoActivity::default()
                });
            })
        };
        let (text, verdict) = answered(&hour(13.2e6, 470.0), Vec::new());
        assert!(text.contains("A candidate: `IOStat by Function` counts about 5,900 s"), "{text}");
        assert_eq!(verdict, Some(false), "they are fast, {text}");
        let (text, verdict) = answered(&hour(0.6e6, 40_000.0), Vec::new());
        assert_eq!(verdict, None, "they are slow, {text}");
        assert!(!answered(&hour(1.2e6, 250.0), Vec::new()).0.contains("candidate"), "the events count them");
    }

    /// DB time of 967 s as the difference of 33,817 s and 32,850 s of idle waits: "52 % of DB time".
    #[test]
    fn a_difference_of_rounded_figures_had_one_share() {
        let hour = Hour::new(0.0)
            .top("LGWR worker group idle", Some(6.0), 22_049.0)
            .top("AQPC idle", Some(120.0), 10_801.0)
            .top("direct path read", Some(31_221.0), 466.0)
            .with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
                for (row, pct) in r.tables.top_event.iter_mut().zip([65.2, 31.9, 1.4]) {
                    (row.share_pct, row.share_of) = (Some(pct), Some(spindle_facts::ShareOf::TotalCallTime));
                    if pct > 2.0 {
                        row.wait_class = Some("Idle".into());
                    }
                }
            });
        let (text, _) = answered(&hour, Vec::new());
        assert!(text.contains("51 to 53 % of DB time is neither CPU nor a printed wait"), "{text}");
        assert!(text.contains("waits for I/O are 47 to 49 %"), "{text}");
    }

    /// Log writes of 39.7 ms were a finding, and the headline `storage answers within its bar`.
    #[test]
    fn slow_redo_stood_below_storage_answers_within_its_bar() {
        let slow_redo = Finding {
            rule: "slow_redo_writes",
            title: "Redo is slow: log writes take 39.7 ms (bar 10 ms)".into(),
            storage: true,
            claims: vec![Claim { of: "log file sync".into(), seconds: 70.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0)
            .cpu(550.0)
            .device(crate::DeviceClass::Disk)
            .foreground("db file sequential read", 100_000.0, 300.0)
            .foreground("log file sync", 1_500.0, 70.0);
        let (text, _) = answered(&hour, vec![slow_redo]);
        assert!(text.starts_with("Storage is not the main problem: 55 % of DB time is CPU"), "{text}");
        assert!(!text.contains("storage answers within"), "{text}");
        assert!(text.contains("single-block reads are within their bar (3 ms, bar 10 ms)"), "{text}");
        assert!(text.contains("Redo is slow: log writes take 39.7 ms"), "{text}");
    }

    /// The hour on a host with these statistics.
    fn on_a_host(hour: Hour, stats: [(&str, f64); 3]) -> Hour {
        hour.with(|r| {
            r.tables.os_stat.clear();
            r.tables.os_stat.extend(stats.map(|(statistic, value)| spindle_facts::OsStat {
                line: 9,
                section: 0,
                instance_number: None,
                statistic: statistic.to_owned(),
                value: Some(value),
                end_value: None,
            }));
        })
    }

    /// A gap of 2,641 s beside `OS_CPU_WAIT_TIME` of 4,577 s, and `no queue for the CPU` was a fact.
    #[test]
    fn a_queue_that_the_host_counted_was_denied() {
        let hour = |waited| {
            let hour = Hour::new(1000.0).cpu(300.0).foreground("latch free", 100.0, 20.0);
            on_a_host(hour, [("BUSY_TIME", 29.0), ("IDLE_TIME", 971.0), ("OS_CPU_WAIT_TIME", waited)])
        };
        let (text, _) = answered(&hour(110_000.0), Vec::new());
        assert!(!text.contains("no queue") && text.contains("cannot be told here"), "{text}");
        let (text, _) = answered(&hour(1_000.0), Vec::new());
        assert!(text.contains("no queue for the CPU"), "{text}");
    }

    /// 56 % of DB time unexplained on a host that was 42 % busy, and what the host counts of its queue was not said.
    #[test]
    fn a_queue_that_the_host_counted_was_not_held_against_the_gap() {
        let hour = |waited| {
            let hour = Hour::new(1000.0).cpu(200.0).foreground("latch free", 100.0, 200.0);
            on_a_host(hour, [("BUSY_TIME", 42.0), ("IDLE_TIME", 58.0), ("OS_CPU_WAIT_TIME", waited)])
        };
        let (text, _) = answered(&hour(90_000.0), Vec::new());
        assert!(text.contains("`OS_CPU_WAIT_TIME`, of all processes of the host, is 900 s"), "{text}");
        assert!(text.contains("a queue for the CPU may be all of it"), "{text}");
        let (text, _) = answered(&hour(5_000.0), Vec::new());
        assert!(text.contains("a queue for the CPU may be 50 s of it at most"), "{text}");
        // A platform that does not count it prints nothing, or zero.
        let (text, _) = answered(&hour(0.0), Vec::new());
        assert!(text.contains("(the host's CPUs were 42 % busy)"), "{text}");
    }

    /// Reads of 82 ms and log flushes of 267 ms were printed: "nothing printed says that storage is fast at it".
    #[test]
    fn slow_reads_and_slow_log_flushes_were_not_held_against_storage() {
        let hour = Hour::new(1000.0)
            .cpu(200.0)
            .device(crate::DeviceClass::Disk)
            .foreground("gc buffer busy acquire", 4_000.0, 500.0)
            .foreground("log file sync", 500.0, 200.0)
            .foreground("db file sequential read", 600.0, 50.0)
            .with(|r| {
                let metric = "Avg global cache cr block flush time (ms)";
                r.tables.rac_cache.push(crate::rules::testing::rac_row(metric, 266.7));
            });
        let (text, blamed) = answered(&hour, Vec::new());
        assert_eq!(blamed, None, "{text}");
        assert!(
            text.contains("the reads that are printed are slow: single-block reads at 83.3 ms (bar 10 ms)"),
            "{text}"
        );
        assert!(
            text.contains("Commits take 400 ms and log flushes for other instances 267 ms (bar 10 ms)"),
            "{text}"
        );
        assert!(!text.contains("nothing printed"), "{text}");
    }

    /// Commits of 40 ms beside `gc buffer busy` acquitted storage: a block is sent once its redo is written.
    #[test]
    fn blocks_of_other_instances_do_not_acquit_slow_commits() {
        let blocks = Finding {
            rule: "rac_interconnect",
            title: "Sessions waited 500 s for blocks of other instances".into(),
            claims: vec![Claim { of: "gc buffer busy acquire".into(), seconds: 500.0 }],
            ..Finding::default()
        };
        let hour = Hour::new(1000.0)
            .cpu(200.0)
            .foreground("gc buffer busy acquire", 20_000.0, 500.0)
            .foreground("log file sync", 5_000.0, 200.0);
        let (text, blamed) = answered(&hour, vec![blocks]);
        assert_eq!(blamed, None, "{text}");
        assert!(text.starts_with("Other instances lead: 50 % of DB time is Cluster waits"), "{text}");
        assert!(text.contains("commits take 40 ms"), "{text}");
    }

    /// The row of `db file sequential read` was left out for one bad cell, and "waits for I/O are 0 %".
    #[test]
    fn a_wait_that_was_not_read_was_none() {
        let hour = |io_s| {
            let hour = Hour::new(28_882.0)
                .top("DB CPU", None, 8_120.0)
                .top("enq: TX - row lock contention", Some(412.0), 3_901.0)
                .top("log file sync", Some(1e4), io_s);
            hour.with(|r| {
                r.tables.top_event.retain(|e| e.time_s != Some(0.0));
                r.sections.push(spindle_facts::Section {
                    title: "Top 5 Timed Foreground Events".to_owned(),
                    line: 16,
                    status: spindle_facts::SectionStatus::Read,
                    rows: 2,
                    lost: 3,
                });
            })
        };
        let (text, verdict) = answered(&hour(0.0), Vec::new());
        assert_eq!(verdict, None);
        assert!(text.contains("no wait for I/O is among those that were read"), "{text}");
        assert!(!text.contains(" 0 %"), "{text}");
        let (text, _) = answered(&hour(1_204.0), Vec::new());
        assert!(text.contains("the waits for I/O and commits that were read are 4.2 %"), "{text}");
    }

    /// Shares of DB time alone: "neither DB time nor seconds of foreground waits were read", and nothing of the 59.5 % of User I/O.
    #[test]
    fn shares_alone_said_nothing() {
        let hour = Hour::new(0.0)
            .top("direct path read temp", None, 1.0)
            .top("db file sequential read", None, 1.0)
            .top("log file sync", None, 1.0)
            .with(|r| {
                r.tables.time_model.clear();
                (r.identity.db_time_s, r.identity.elapsed_s) = (None, None);
                for (row, pct) in r.tables.top_event.iter_mut().zip([38.1, 21.4, 10.7]) {
                    (row.time_s, row.share_pct) = (None, Some(pct));
                }
            });
        let (text, verdict) = answered(&hour, Vec::new());
        assert_eq!(verdict, None);
        let start = "Of DB time at least 59.5 % User I/O (`direct path read temp` 38.1 %), at least 10.7 % Commit (`log file sync`)";
        assert!(text.starts_with(start) && text.contains("seconds were not read"), "{text}");
    }

    /// An excerpt whose line of DB time could not be read: "DB time is not printed".
    #[test]
    fn what_an_excerpt_leaves_out_was_not_printed() {
        let hour = Hour::new(0.0).top("db file sequential read", Some(1e4), 300.0).with(|r| {
            r.tables.time_model.clear();
            (r.identity.db_time_s, r.identity.excerpt) = (None, true);
        });
        let (text, _) = answered(&hour, Vec::new());
        assert!(text.starts_with("DB time was not read, so"), "{text}");
    }
}
