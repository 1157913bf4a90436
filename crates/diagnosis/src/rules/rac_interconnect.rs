//! Waits for blocks of other RAC instances.
//!
//! # What it detects
//! Sessions wait for the global cache (`gc ...`, 9i `global cache ...`), and which kind leads:
//! transfers that are slow, transfers that another instance holds back (`busy`: it changes the
//! block or first writes its redo), sessions that queue behind a session of their own instance that
//! asked for the block first (`gc buffer busy acquire`), lost blocks and requests that fail and are sent
//! again, or global cache processes without CPU (`congested`); and the statements that wait most.
//! `gc buffer busy` of 10g and `global cache busy` of 9i are both at once, queues within the instance and
//! blocks that another holds back: from 11g on they are two events.
//!
//! # Why it costs response time
//! A block that another instance holds has to be asked for, and shipped, before the session can go
//! on: two or three messages, a tenth of a millisecond to one, each time.
//!
//! # Facts needed
//! Foreground wait events of class Cluster, and `cr request retry`; `gc blocks lost` of the instance activity; `SQL ordered
//! by Cluster Wait Time` for the statements.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours, as for every cause |
//! | mean of a 2-way transfer | 1 ms | a disk read of 5-10 ms is what the transfer saves; on a local network without queueing 0.1-0.7 ms are usual in the reports seen |
//! | a kind leads | half of the waits | arithmetic |
//! | one statement leads | half of the cluster wait | arithmetic |
//! | lost blocks | 1 % of these waits, 1 in 1,000 blocks received, or one a second | a lost block costs its time-out, about half a second: none should be lost; one a second: ours |
//!
//! # When it is wrong
//! `busy` waits often wait for the log writer of the other instance: where `gcs log flush sync` or
//! `log file parallel write` are slow, the redo storage is the cause. `gc cr disk read` and the
//! grants (`gc cr grant 2-way`, `gc current grant busy`) ship no block: the session may read it from disk,
//! so they follow physical reads and are left out, although they are waits of class Cluster. `gc cr
//! multi block request` may end in either and is kept. A report of one instance shows half of the
//! story: take the RAC-global report, or that of the instance that ships.
//!
//! # What to do
//! Slow transfers or lost blocks: check the interconnect (private network, jumbo frames, drops and
//! errors of `netstat -s` and the switch ports) and CPU for the LMS processes. Busy: redo writes of
//! the holder; keep jobs that change the same blocks on one instance (services), hash-partition hot
//! indexes, larger sequence caches. Queues within the instance: the statement whose sessions want
//! the same blocks at once, run fewer at a time. Multi-block: full scans of data that another instance holds;
//! partition-wise or on one instance.
//!
//! # SQL to see the evidence
//! ```sql
//! select inst_id, event, total_waits, time_waited_micro / 1e6 as time_s,
//!        time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//!   from gv$system_event where wait_class = 'Cluster' order by 4 desc;
//! select inst_id, name, value from gv$sysstat where name in ('gc blocks lost', 'gc cr blocks received');
//! ```

use super::{material, proof};
use crate::{Case, EventTotal, Evidence, Finding, Verdict, words};
use spindle_facts::Scope;

/// Mean transfer between two instances from which the interconnect is slow, microseconds.
const SLOW_TRANSFER_US: f64 = 1_000.0;
/// Share of the waits that are for lost blocks from which these matter.
const LOST_WAITS: f64 = 0.01;
/// Share of the cluster wait from which one statement is named first, percent.
const ONE_STATEMENT_PCT: f64 = 50.0;
/// Lost blocks among those received from which they matter.
const LOST_SHARE: f64 = 0.001;
/// Lost blocks a second from which they matter among however many.
const LOST_A_SECOND: f64 = 1.0;

/// What makes the waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    Transfers,
    Busy,
    Queue,
    /// `Busy` or `Queue`: one event up to 10g.
    BusyOrQueue,
    MultiBlock,
    Congested,
    Mixed,
}

/// Global cache waits as a material part of DB time, and their kind.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    if case.report.identity.rac == Some(false) && !case.events.iter().any(|e| is_transfer(&e.event)) {
        return Verdict::NotFound;
    }
    let (events, seconds) = match proof::group(case, "waits for the global cache", is_transfer) {
        proof::Group::Material(events, seconds) => (events, seconds),
        proof::Group::Trivial => return Verdict::NotFound,
        proof::Group::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let leads = what_leads(case, &events, seconds);
    let transfer = mean_transfer(&events);
    let slow = transfer.is_some_and(|us| us >= SLOW_TRANSFER_US);
    let lost = lost_blocks(case, &events, seconds);
    let statements = statements(case);
    let mut what = match leads {
        _ if let Some(first) = statements.first().filter(|s| s.share_pct >= ONE_STATEMENT_PCT) => {
            format!("{} of it in statement {}", words::percent(first.share_pct), first.name)
        }
        Leads::Busy => "most of it held back by another instance".to_owned(),
        Leads::Queue => "most of it queued behind sessions of the same instance".to_owned(),
        Leads::BusyOrQueue => {
            "most of it for busy blocks, held by this instance or another: their event does not tell"
                .to_owned()
        }
        Leads::MultiBlock => "most of it for many blocks at once".to_owned(),
        Leads::Congested => "most of it as the servers had no CPU".to_owned(),
        Leads::Transfers | Leads::Mixed => String::new(),
    };
    if let Some(us) = transfer.filter(|_| what.is_empty()) {
        what = format!("a transfer takes {} on average", words::latency(us));
    }
    let mut what = if what.is_empty() { String::new() } else { format!(", {what}") };
    if let Some(lost) = &lost {
        what.push_str(&lost.said());
    }
    let mut evidence = proof::largest(case, &events);
    let mut actions = actions(leads, slow, lost.is_some());
    actions.extend(first_statements(&statements));
    // Where one statement leads, it is the first thing to look at.
    if statements.first().is_some_and(|s| s.share_pct >= ONE_STATEMENT_PCT) {
        actions.rotate_right(1);
    }
    evidence.extend(statements.into_iter().map(|s| s.evidence));
    if let Some(us) = transfer.filter(|_| slow) {
        let first = events.iter().find(|e| e.event.contains("block 2-way"));
        evidence.extend(first.map(|e| {
            let text = format!("2-way transfers: mean {}", words::latency(us));
            case.evidence(e.table, e.row, e.line, e.section, text)
        }));
    }
    if let Some(lost) = &lost {
        evidence.extend(lost.evidence(case));
    }
    evidence.extend(case.background_event("gcs log flush sync").map(|e| case.event_evidence(e)));
    // Its own redo: instances of a cluster mostly share storage.
    if leads == Leads::Busy {
        evidence.extend(case.flush_evidence());
    }
    Verdict::Found(Finding {
        title: format!(
            "Sessions waited {} for blocks of other instances{}{what}",
            words::seconds(seconds),
            material::of_db_time(case, seconds)
        ),
        touches_s: seconds,
        claims: proof::claims(case, &events),
        evidence,
        actions,
        caveat: match leads {
            _ if case.report.identity.scope == Scope::Database && !matches!(leads, Leads::Queue | Leads::Busy | Leads::BusyOrQueue) => {
                "All instances are added up: which of them waits for which is in their own reports"
            }
            Leads::Queue => {
                "`gc buffer busy acquire` waits for a session of the same instance that already asked for the block: \
                 what that one waits for is the cause, and is in the other `gc` events"
            }
            Leads::Busy => {
                "Busy blocks often wait for the other instance's log writer: where its log writes are slow, that is \
                 the cause, and an instance's own report shows only the side that waits"
            }
            Leads::BusyOrQueue => {
                "`gc buffer busy` (9i `global cache busy`) waits for a session of the same instance that already asked for \
                 the block, or for another instance that holds it: which, only later releases tell"
            }
            _ => "One instance's report shows only the side that waits",
        }
        .to_owned(),
        ..Finding::default()
    })
}

/// Is it a wait for a block of another instance? A grant ships none: the session may read it from disk.
fn is_transfer(event: &str) -> bool {
    (event.starts_with("gc ") || event.starts_with("global cache") || event == "cr request retry")
        && !event.contains("disk read")
        && !event.contains("disk request")
        && !event.contains("grant")
}

fn what_leads(case: &Case<'_>, events: &[&EventTotal], seconds: f64) -> Leads {
    let time_of = |belongs: fn(&str) -> bool| -> f64 {
        events.iter().filter(|e| belongs(&e.event)).map(|e| case.event_time_s(&e.event)).sum()
    };
    let kinds = [
        (Leads::Queue, time_of(|e| e == "gc buffer busy acquire")),
        (Leads::Busy, time_of(|e| is_busy(e) && !is_busy_or_queue(e))),
        (Leads::BusyOrQueue, time_of(is_busy)),
        (Leads::MultiBlock, time_of(|e| e.contains("multi block"))),
        (Leads::Congested, time_of(|e| e.contains("congested"))),
        (Leads::Transfers, time_of(|e| e.contains("-way"))),
    ];
    match kinds.into_iter().find(|(_, s)| *s >= 0.5 * seconds) {
        // Busy in name: it takes hardly longer than a block that nobody holds back.
        Some((Leads::Busy | Leads::BusyOrQueue, _)) if !held_back(events) => Leads::Transfers,
        Some((kind, _)) => kind,
        None => Leads::Mixed,
    }
}

/// Is a block busy, or was it, in a wait that is no queue within the instance alone?
fn is_busy(event: &str) -> bool {
    event.contains("busy") && event != "gc buffer busy acquire"
}

/// Up to 10g: a queue within the instance, or a block that another holds back.
fn is_busy_or_queue(event: &str) -> bool {
    ["gc buffer busy", "global cache busy"].contains(&event)
}

/// Do busy blocks take longer than a transfer does, where both are known?
fn held_back(events: &[&EventTotal]) -> bool {
    /// A transfer and the same again.
    const TIMES: f64 = 2.0;
    let busy = mean_of(events, is_busy);
    busy.zip(mean_transfer(events)).is_none_or(|(busy, transfer)| busy >= TIMES * transfer)
}

/// Mean of the 2-way transfers, weighted by waits.
fn mean_transfer(events: &[&EventTotal]) -> Option<f64> {
    mean_of(events, |e| e.contains("block 2-way"))
}

fn mean_of(events: &[&EventTotal], belongs: fn(&str) -> bool) -> Option<f64> {
    let (time_s, waits) = events
        .iter()
        .filter(|e| belongs(&e.event))
        .filter_map(|e| Some((e.time_s, e.waits?)))
        .fold((0.0, 0.0), |sum, (time_s, waits)| (sum.0 + time_s, sum.1 + waits));
    // A hundred transfers say little about a network.
    (waits >= 100.0).then(|| time_s * 1e6 / waits)
}

/// A statement that leads the ranking by cluster wait.
struct Waiting {
    name: String,
    share_pct: f64,
    wait_s: f64,
    evidence: Evidence,
}

/// The statements that wait most for the cluster, at most three.
fn statements(case: &Case<'_>) -> Vec<Waiting> {
    let rows = case.report.tables.sql_stat.iter().enumerate();
    let mut found: Vec<Waiting> = Vec::new();
    for (row, s) in rows.filter(|(_, s)| s.ranked_by == "cluster_wait_time") {
        let (Some(wait_s), Some(share_pct)) = (s.cluster_wait_s, s.share_pct) else { continue };
        let Some(name) = s.name() else { continue };
        // Several instances print a statement for each; a hundredth is not worth a line.
        if found.len() == 3 || share_pct < 1.0 || found.iter().any(|f| f.name == name) {
            continue;
        }
        let text = format!(
            "statement {name}: {} of cluster wait ({} of all), {} executions",
            words::seconds(wait_s),
            words::percent(share_pct),
            s.executions.map_or("unknown".to_owned(), words::count)
        );
        let evidence = case.evidence("sql_stat", row, s.line, s.section, text);
        found.push(Waiting { name, share_pct, wait_s, evidence });
    }
    found
}

/// What to do about the statements that wait most.
fn first_statements(statements: &[Waiting]) -> Option<String> {
    let listed: Vec<String> =
        statements.iter().map(|s| format!("{} ({})", s.name, words::seconds(s.wait_s))).collect();
    (!listed.is_empty()).then(|| {
        format!(
            "Start with the statements that wait most: {}. Read fewer blocks in each, run fewer at once, keep them on \
             one instance",
            listed.join(", ")
        )
    })
}

/// Blocks that did not arrive, and requests that failed or were sent again.
struct Lost<'c> {
    /// `gc blocks lost` over the interval, where printed.
    blocks: Option<f64>,
    /// Waits for what failed, largest first.
    failed: Vec<&'c EventTotal>,
    /// Their seconds.
    failed_s: f64,
}

impl Lost<'_> {
    /// `; 42,379 blocks were lost on the way, and requests that failed or were sent again waited 8,541 s`
    fn said(&self) -> String {
        let blocks = self.blocks.filter(|n| *n > 0.0).map(|n| match words::count(n).as_str() {
            "1" => "one block was lost on the way".to_owned(),
            n => format!("{n} blocks were lost on the way"),
        });
        let failed = (self.failed_s > 0.0).then(|| {
            let seconds = words::seconds(self.failed_s);
            format!("requests that were lost, failed or sent again waited {seconds}")
        });
        match (blocks, failed) {
            (Some(blocks), Some(failed)) => format!("; {blocks}, and {failed}"),
            (Some(one), None) | (None, Some(one)) => format!("; {one}"),
            (None, None) => String::new(),
        }
    }

    fn evidence(&self, case: &Case<'_>) -> Vec<Evidence> {
        let stat = case.stat("gc blocks lost").map(|s| case.stat_evidence(s));
        let failed = self.failed.iter().take(3).map(|e| case.event_evidence(e));
        stat.into_iter().chain(failed).chain(received(case)).collect()
    }
}

/// How much the interconnect carried to this instance, as proof.
fn received(case: &Case<'_>) -> Option<Evidence> {
    let stat = case.stat("gc cr blocks received")?;
    let rate = |name| case.stat_per_second(name);
    let a_second = rate("gc cr blocks received")? + rate("gc current blocks received")?;
    let bytes = case.report.identity.block_size_bytes.map_or(String::new(), |block| {
        let mb = a_second * f64::from(u32::try_from(block).unwrap_or_default()) / 1e6;
        format!(", {} MB/s in blocks of {}", words::significant(mb), words::bytes(block as f64))
    });
    let text = format!("gc cr and current blocks received: {} a second{bytes}", words::significant(a_second));
    Some(Evidence { text, ..case.stat_evidence(stat) })
}

/// What was lost, where it matters.
fn lost_blocks<'c>(case: &'c Case<'_>, events: &[&'c EventTotal], seconds: f64) -> Option<Lost<'c>> {
    let waited = |is: fn(&str) -> bool| -> Vec<&'c EventTotal> {
        events.iter().copied().filter(|e| is(&e.event)).collect()
    };
    let sum = |events: &[&EventTotal]| events.iter().map(|e| case.event_time_s(&e.event)).sum::<f64>();
    let lost_s = sum(&waited(|e| e.contains("lost")));
    let failed = waited(|e| ["lost", "failure", "retry"].iter().any(|what| e.contains(what)));
    let received = case.stat_total("gc cr blocks received").unwrap_or(0.0)
        + case.stat_total("gc current blocks received").unwrap_or(0.0);
    let blocks = case.stat_total("gc blocks lost");
    let lost = blocks.unwrap_or(0.0);
    let a_second = case.elapsed_s().filter(|s| *s > 0.0).map_or(0.0, |elapsed_s| lost / elapsed_s);
    let matters = lost_s >= LOST_WAITS * seconds
        || received > 0.0 && lost / received >= LOST_SHARE
        || a_second >= LOST_A_SECOND;
    let failed_s = sum(&failed);
    matters.then_some(Lost { blocks, failed, failed_s })
}

fn actions(leads: Leads, slow: bool, lost: bool) -> Vec<String> {
    let mut actions = Vec::new();
    if lost {
        actions.push(
            "Blocks get lost: check drops and errors of the private network (netstat -s, switch ports), \
                      MTU and socket buffers"
                .to_owned(),
        );
    }
    if slow {
        actions.push(
            "Check the private network's latency and load, and that the LMS processes get CPU at once"
                .to_owned(),
        );
    }
    match leads {
        Leads::Busy => {
            actions.push("Look at the log writes of the instance that ships the blocks (gcs log flush sync): slow \
                          redo holds blocks back".to_owned());
            actions.push("Keep sessions that change the same blocks on one instance (services), spread hot indexes \
                          (hash partitions), raise sequence caches".to_owned());
        }
        Leads::BusyOrQueue => actions.push(
            "See which blocks they are (Segments by Global Cache Buffer Busy, the block numbers in ASH): spread hot ones (hash \
             partitions, fewer rows a block) and keep sessions that change them on one instance (services). Where the \
             log writes of an instance that ships blocks are slow (gcs log flush sync), these hold them back"
                .to_owned(),
        ),
        Leads::Queue => actions.push(
            "Sessions of this instance want the same blocks at once: have fewer of them run at a time, spread hot \
             blocks (hash partitions, fewer rows a block), and see what the first to ask waits for"
                .to_owned(),
        ),
        Leads::MultiBlock => actions.push(
            "Find the full scans of data that another instance holds: run them there, or tune them (SQL ordered by \
             Cluster Wait Time)"
                .to_owned(),
        ),
        Leads::Congested => {
            actions.push("Free CPU for the LMS processes on the instances that ship: real-time priority, less load".to_owned());
        }
        Leads::Transfers | Leads::Mixed => actions.push(
            "Send less: tune the statements that lead SQL ordered by Cluster Wait Time, keep related work on one \
             instance (services)"
                .to_owned(),
        ),
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    #[test]
    fn slow_transfers() {
        let hour = |seconds| Hour::new(7200.0).foreground("gc cr block 2-way", 1e6, seconds);
        let slow = hour(1_010.0).found(run);
        assert!(slow.title.contains("a transfer takes 1.01 ms"), "{}", slow.title);
        assert!(slow.actions[0].contains("private network"), "{:?}", slow.actions);
        // Held back, said the answer, for 0.05 ms more than a transfer takes.
        let with_busy = |busy_s| {
            Hour::new(7200.0)
                .foreground("gc cr block 2-way", 1e6, 240.0)
                .foreground("gc current block busy", 1e7, busy_s)
                .found(run)
        };
        assert!(with_busy(2_730.0).title.contains("a transfer takes"));
        assert!(with_busy(5_000.0).title.contains("held back"));
        let fast = hour(990.0).found(run);
        assert!(fast.actions[0].contains("Send less"), "{:?}", fast.actions);
        hour(215.0).not_found(run);
        assert!(!slow.storage);
    }

    #[test]
    fn busy_blocks_point_at_the_other_instance() {
        let found = Hour::new(7200.0)
            .foreground("gc current block busy", 1e5, 3_000.0)
            .foreground("gc cr block 2-way", 1e6, 300.0)
            .background("gcs log flush sync", 1e4, 400.0)
            .found(run);
        assert!(found.title.contains("held back"), "{}", found.title);
        assert!(found.actions[0].contains("log writes"), "{:?}", found.actions);
        assert!(found.evidence.iter().any(|e| e.text.contains("gcs log flush sync (background)")));
    }

    /// `gc buffer busy` of 10g was "held back by another instance", and its queues within the instance were not told
    /// from it before 11g.
    #[test]
    fn busy_buffers_of_10g_were_held_back_by_another_instance() {
        for event in ["gc buffer busy", "global cache busy"] {
            let found = Hour::new(7200.0)
                .foreground(event, 1e5, 3_000.0)
                .foreground("gc current block busy", 1e4, 800.0)
                .found(run);
            assert!(!found.title.contains("held back"), "{}", found.title);
            assert!(found.title.contains("held by this instance or another"), "{}", found.title);
            assert!(found.caveat.contains("only later releases tell"), "{}", found.caveat);
        }
    }

    /// 42,379 blocks lost in an hour, among 250 million received, were no word of the finding.
    #[test]
    fn lost_blocks_were_hidden_by_those_received() {
        let hour = |lost| {
            Hour::new(1_000_000.0)
                .foreground("gc buffer busy acquire", 7e6, 900_000.0)
                .foreground("gc cr failure", 5e5, 3_800.0)
                .foreground("cr request retry", 4e5, 4_100.0)
                .stat("gc blocks lost", lost)
                .stat("gc cr blocks received", 2.5e8)
                .stat("gc current blocks received", 9e5)
                .found(run)
        };
        let found = hour(42_379.0);
        assert!(
            found.title.ends_with(
                "; 42,379 blocks were lost on the way, and requests that were lost, failed or sent again waited 7,900 s"
            ),
            "{}",
            found.title
        );
        assert!(found.actions[0].starts_with("Blocks get lost"), "{:?}", found.actions);
        assert!(
            found
                .evidence
                .iter()
                .any(|e| e.text.starts_with("gc cr and current blocks received: 69,694 a second"))
        );
        assert!(!hour(3_500.0).title.contains("lost"), "less than one a second");
    }

    #[test]
    fn a_queue_within_the_instance_is_not_blamed_on_others_and_its_statement_is_named() {
        let hour = || Hour::new(7200.0).foreground("gc buffer busy acquire", 1e5, 3_000.0);
        let found = hour().found(run);
        assert!(found.title.contains("queued behind sessions of the same instance"), "{}", found.title);
        assert!(!found.caveat.contains("log writer"), "{}", found.caveat);
        let found = hour()
            .with(|r| {
                r.tables.sql_stat.push(spindle_facts::SqlStat {
                    ranked_by: "cluster_wait_time",
                    sql_id: Some("7hot4blocks00".into()),
                    share_pct: Some(95.0),
                    cluster_wait_s: Some(2_850.0),
                    line: 77,
                    ..spindle_facts::SqlStat::default()
                });
            })
            .found(run);
        assert!(found.title.ends_with("95 % of it in statement 7hot4blocks00"), "{}", found.title);
        assert!(found.actions[0].contains("7hot4blocks00 (2,850 s)"), "{:?}", found.actions);
        assert!(found.evidence.iter().any(|e| e.line == 77));
    }

    #[test]
    fn a_few_lost_blocks_among_very_many_do_not_matter() {
        let found = Hour::new(7200.0)
            .foreground("gc cr block 2-way", 1e6, 5_000.0)
            .foreground("gc cr block lost", 20.0, 10.0)
            .stat("gc blocks lost", 20.0)
            .stat("gc cr blocks received", 1e6)
            .found(run);
        assert!(!found.actions[0].starts_with("Blocks get lost"), "{:?}", found.actions);
    }

    #[test]
    fn lost_blocks_come_first() {
        let found = Hour::new(7200.0)
            .foreground("gc cr block 2-way", 1e6, 500.0)
            .foreground("gc cr block lost", 20.0, 10.0)
            .stat("gc blocks lost", 20.0)
            .found(run);
        assert!(found.actions[0].starts_with("Blocks get lost"), "{:?}", found.actions);
        assert!(found.evidence.iter().any(|e| e.text == "gc blocks lost: 20"), "{:?}", found.evidence);
    }

    #[test]
    fn grants_that_lead_to_a_disk_read_are_left_to_the_reads() {
        Hour::new(7200.0).foreground("gc cr disk read", 1e5, 2_000.0).not_found(run);
    }

    /// Grants of 5,137 s were "waits for blocks of other instances"; no instance holds the block then.
    #[test]
    fn grants_were_counted_as_blocks_of_other_instances() {
        let grants = || {
            Hour::new(7200.0)
                .foreground("gc cr grant 2-way", 1e6, 400.0)
                .foreground("gc cr multi block grant", 1e5, 100.0)
                .foreground("gc current grant busy", 1e5, 100.0)
        };
        grants().not_found(run);
        let found = grants().foreground("gc cr block 2-way", 1e6, 500.0).found(run);
        assert!(found.title.contains("waited 500 s"), "{}", found.title);
    }

    #[test]
    fn one_instance_has_no_interconnect_and_an_excerpt_does_not_say() {
        Hour::new(7200.0).cpu(3000.0).with(|r| r.identity.rac = Some(false)).not_found(run);
        assert!(Hour::new(7200.0).cpu(3000.0).missing(run).contains("global cache"));
    }
}
