//! CPUs so busy that sessions queue for them.
//!
//! # What it detects
//! The host's CPUs are so busy that sessions queue for them, or Resource Manager makes them queue.
//!
//! # Why it costs response time
//! A session that is ready to run and finds no CPU free waits in the run queue. That time is in DB
//! time, but neither in `DB CPU` nor in any wait event: it stands in the gap between them. The
//! session that comes back from a read or a lock queues too, and while the log writer queues every
//! commit waits, so waits of all kinds look longer than the device made them.
//!
//! # Facts needed
//! `BUSY_TIME` and `IDLE_TIME` of the operating-system statistics, or the `Host CPU` line; DB time,
//! `DB CPU` and the waits for the gap; `OS_CPU_WAIT_TIME` where the platform counts it; the event `resmgr:cpu quantum`.
//!
//! # Thresholds
//! Busy 90 % over the interval. By queueing theory (Erlang C, random arrivals) a piece of work on 8
//! CPUs that are 90 % busy waits about as long as it runs (0.88 times), at 75 % a sixth of that
//! time (0.18); an average of 90 % hides seconds at 100 %. From 75 % on, if besides 10 % of DB time
//! is neither CPU nor wait (where both are printed): the queue that the average hides. `resmgr:cpu quantum`: 3 % of DB time
//! as for every wait. In reports on several instances the busiest host counts. A gap of 25 % of DB
//! time with CPUs at least 25 % busy is not passed over: with four threads a core, or in a
//! partition, a quarter busy can be all there is, and this cannot tell.
//!
//! # When it is wrong
//! On AIX and other platforms with several threads a core, and in partitions with an entitlement,
//! busy is a share of something that can grow: look at physical processor consumption. DB time is
//! counted when a call ends, so a long call that began before the interval opens a gap without any
//! queue. Load averages are not used: Linux counts processes in disk wait too. `OS_CPU_WAIT_TIME` (processes of the
//! whole host that were ready and not running, hundredths of a second) finds no queue either: AIX prints more of it
//! than of busy time on hosts that are 97 % idle. Where it is printed it is an upper bound: no more than it of what
//! is neither CPU nor wait is the queue.
//!
//! # What to do
//! Find what uses the CPUs (this database or something else on the host), take load off at that
//! time, tune the statements that lead by CPU, limit concurrency to a few sessions a CPU
//! (connection pools), or add CPUs. With Resource Manager: check `CPU_COUNT` (instance caging) and
//! the plan. Judge storage latency only from an interval without the queue.
//!
//! # SQL to see the evidence
//! ```sql
//! select stat_name, value from v$osstat where stat_name in ('BUSY_TIME', 'IDLE_TIME', 'NUM_CPUS', 'LOAD');
//! select begin_time, value from v$sysmetric_history
//!  where metric_name = 'Host CPU Utilization (%)' order by begin_time; -- needs the Diagnostics Pack
//! ```

use super::{material, proof};
use crate::{Case, Claim, Evidence, Finding, Verdict, words};
use std::collections::BTreeMap;

/// Busy share from which a queue is certain, percent.
const BUSY_PCT: f64 = 90.0;
/// Busy share from which a gap in DB time is taken for a queue, percent.
const BUSY_WITH_GAP_PCT: f64 = 75.0;
/// Share of DB time that is such a gap, percent.
const GAP_PCT: f64 = 10.0;
/// Busy share from which threads that share a core may be saturated although others look idle,
/// percent: four threads a core.
const HALF_HIDDEN_PCT: f64 = 25.0;
/// Share of DB time that is a gap too large to pass over, percent.
const LARGE_GAP_PCT: f64 = 25.0;
/// Event of sessions that Resource Manager holds back.
const QUANTUM: &str = "resmgr:cpu quantum";
/// Busy time of the host, centiseconds, as releases from 10.2 on and 10.1 name it.
const BUSY: &[&str] = &["BUSY_TIME", "BUSY_TICKS"];
/// Idle time of the host, likewise.
const IDLE: &[&str] = &["IDLE_TIME", "IDLE_TICKS"];

/// Hundredths of a second that processes of the host were ready and not running.
const CPU_WAITED: &str = "OS_CPU_WAIT_TIME";

/// Seconds that processes of the host waited for a CPU, as the host counts them; `None` where it does not.
pub(crate) fn cpu_waited_s(case: &Case<'_>) -> Option<f64> {
    case.os_stat(CPU_WAITED).map(|centi| centi / 100.0).filter(|s| *s > 0.0)
}

/// See the module.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let busy = busiest_host(case);
    let gap_s = case.gap_s().filter(|s| *s > 0.0);
    let gap_pct = gap_s.and_then(|s| material::share_pct(case, s));
    let quantum_s = case.event_time_s(QUANTUM);
    let throttled = material::is_material(case, quantum_s);
    let queued = busy.as_ref().is_some_and(|b| {
        b.pct >= BUSY_PCT || b.pct >= BUSY_WITH_GAP_PCT && gap_pct.is_some_and(|p| p >= GAP_PCT)
    });
    if !throttled && queued {
        let idle = match case.db_time_s() {
            Some(db_time_s) => material::not_worth(case, "DB time", db_time_s),
            None => Some(Verdict::CannotTell(material::unweighed(case))),
        };
        if let Some(verdict) = idle {
            return verdict;
        }
    }
    match busy {
        Some(busy) if queued => Verdict::Found(saturated(case, &busy, gap_s, throttled.then_some(quantum_s))),
        _ if throttled => Verdict::Found(held_back(case, quantum_s)),
        Some(busy) if busy.pct >= HALF_HIDDEN_PCT && gap_pct.is_some_and(|p| p >= LARGE_GAP_PCT) => {
            let waited = cpu_waited_s(case).map_or(String::new(), |s| {
                format!(
                    " and {} waited for by all processes of the host (OS_CPU_WAIT_TIME)",
                    words::seconds(s)
                )
            });
            Verdict::CannotTell(format!(
                "where {} of DB time went that is neither CPU nor wait, with the CPUs {} busy on average{waited}: physical \
                 CPU consumption of the partition or virtual machine, run queue and paging by the minute (vmstat)",
                words::percent(gap_pct.unwrap_or(0.0)),
                words::percent(busy.pct)
            ))
        }
        // A queue on a host that is half busy shows in what is neither CPU nor wait.
        Some(busy) if may_hide_a_queue(case, busy.pct) => Verdict::CannotTell(
            "how much of DB time is neither CPU nor wait (DB time, DB CPU and the foreground waits)"
                .to_owned(),
        ),
        Some(_) => match material::foreground_waits(case, &[QUANTUM]) {
            material::Waits::Unknown(missing) => Verdict::CannotTell(missing),
            _ => Verdict::NotFound,
        },
        None => Verdict::CannotTell(
            "how busy the host's CPUs were (Operating System Statistics, Host CPU; 9i prints none)"
                .to_owned(),
        ),
    }
}

/// May what is neither CPU nor wait be large enough for a queue, where nobody knows how much it is?
fn may_hide_a_queue(case: &Case<'_>, busy_pct: f64) -> bool {
    if busy_pct < HALF_HIDDEN_PCT || case.gap_s().is_some() {
        return false;
    }
    let side = &case.response_time.foreground;
    let most_s = side.unexplained_s.filter(|_| side.cpu_s.is_some()).or(case.db_time_s());
    let least_pct = if busy_pct >= BUSY_WITH_GAP_PCT { GAP_PCT } else { LARGE_GAP_PCT };
    most_s.and_then(|s| material::share_pct(case, s)).is_none_or(|pct| pct >= least_pct)
}

fn saturated(case: &Case<'_>, busy: &Busy, gap_s: Option<f64>, quantum_s: Option<f64>) -> Finding {
    let mut claims = Vec::new();
    // No more waited for a CPU than all processes of the host did.
    let queued_s = gap_s.map(|gap_s| cpu_waited_s(case).map_or(gap_s, |most_s| gap_s.min(most_s)));
    if let Some(queued_s) = queued_s {
        claims.push(Claim { of: "unexplained".to_owned(), seconds: queued_s });
    }
    if let Some(quantum) = quantum_s {
        claims.push(Claim { of: QUANTUM.to_owned(), seconds: quantum });
    }
    let mut evidence = busy.evidence.clone();
    evidence.extend(proof::os_stat(case, "NUM_CPUS").into_iter().take(1));
    if cpu_waited_s(case).is_some() {
        let waited = proof::os_stat(case, CPU_WAITED).into_iter();
        evidence.extend(
            waited.map(|e| Evidence { text: format!("{}, of all processes of the host", e.text), ..e }),
        );
    }
    evidence.extend(proof::cpu(case));
    evidence.extend(proof::time_model(case, "DB time"));
    evidence.extend(proof::leads_on_cpu(case).map(|(_, _, e)| e));
    let cpu_s = case.response_time.foreground.cpu_s.unwrap_or(0.0);
    // What the host counts is of all its processes: it bounds the queue and does not measure it.
    let queue = match (gap_s.zip(queued_s), cpu_waited_s(case)) {
        (Some((s, queued_s)), waited_s) => {
            let bound = match waited_s {
                Some(_) if queued_s < s => format!(
                    ", at most {} of it a queue for them ({CPU_WAITED} of the whole host)",
                    words::seconds(queued_s)
                ),
                Some(waited_s) => format!(
                    ", and the queue of the whole host is {} ({CPU_WAITED})",
                    words::seconds(waited_s)
                ),
                None => String::new(),
            };
            format!("; {}{} is neither CPU nor wait{bound}", words::seconds(s), material::of_db_time(case, s))
        }
        (None, Some(waited_s)) => {
            format!("; the queue of the whole host is {} ({CPU_WAITED})", words::seconds(waited_s))
        }
        (None, None) => String::new(),
    };
    Finding {
        title: format!("The CPUs of the host were {} busy on average{queue}", words::percent(busy.pct)),
        touches_s: cpu_s + queued_s.unwrap_or(0.0) + quantum_s.unwrap_or(0.0),
        claims,
        evidence,
        actions: vec![
            whose_load(case),
            "Tune the statements that lead by CPU, and cap concurrency at a few active sessions a CPU".to_owned(),
            "Judge storage latency from an interval when the CPUs are free: every wait ends in the run queue now"
                .to_owned(),
        ],
        caveat: "Threads that share a core, partitions with an entitlement (AIX) and hypervisors make busy \
                 shares inexact; a long call that began earlier can open the same gap in DB time"
            .to_owned(),
        ..Finding::default()
    }
}

fn held_back(case: &Case<'_>, quantum_s: f64) -> Finding {
    Finding {
        title: format!(
            "Resource Manager held sessions back from the CPU for {}{}",
            words::seconds(quantum_s),
            material::of_db_time(case, quantum_s)
        ),
        touches_s: quantum_s,
        claims: vec![Claim { of: QUANTUM.to_owned(), seconds: quantum_s }],
        evidence: case.foreground_event(QUANTUM).map(|e| case.event_evidence(e)).into_iter().collect(),
        actions: vec![
            "Check CPU_COUNT (instance caging) and the limits of the active resource plan: are they meant?"
                .to_owned(),
            "Tune the statements that lead by CPU in the consumer group that was held back".to_owned(),
        ],
        caveat: "Held back by a limit that someone set: the host may have CPUs to spare".to_owned(),
        ..Finding::default()
    }
}

/// Whether this instance or something else keeps the CPUs busy, where the report tells.
fn whose_load(case: &Case<'_>) -> String {
    let busy_s = BUSY.iter().find_map(|name| case.os_stat(name)).map(|cs| cs / 100.0).filter(|s| *s > 0.0);
    let used_s =
        case.time_model_s("DB CPU").map(|fg| fg + case.time_model_s("background cpu time").unwrap_or(0.0));
    match busy_s.zip(used_s) {
        Some((busy, used)) if used >= 0.7 * busy => format!(
            "This database uses {} of the busy CPU time: take load off it, or add CPUs",
            words::percent((100.0 * used / busy).min(100.0))
        ),
        Some((busy, used)) => format!(
            "This database uses only {} of the busy CPU time: find what else runs on the host",
            words::percent(100.0 * used / busy)
        ),
        None => "Find what uses the CPUs: this database or something else on the host".to_owned(),
    }
}

/// The busiest host of the report.
struct Busy {
    pct: f64,
    evidence: Vec<Evidence>,
}

fn busiest_host(case: &Case<'_>) -> Option<Busy> {
    let mut hosts: BTreeMap<Option<u32>, (Option<f64>, Option<f64>)> = BTreeMap::new();
    for row in &case.report.tables.os_stat {
        let host = hosts.entry(row.instance_number).or_default();
        if is_one_of(&row.statistic, BUSY) {
            host.0 = host.0.or(row.value);
        } else if is_one_of(&row.statistic, IDLE) {
            host.1 = host.1.or(row.value);
        }
    }
    let by_times = hosts
        .into_iter()
        .filter_map(|(instance, (busy, idle))| {
            let (busy, idle) = (busy?, idle?);
            (busy >= 0.0 && idle >= 0.0 && busy + idle > 0.0)
                .then(|| (instance, 100.0 * busy / (busy + idle)))
        })
        .max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((instance, pct)) = by_times {
        let evidence = [BUSY, IDLE].iter().filter_map(|names| of_instance(case, names, instance)).collect();
        return Some(Busy { pct, evidence });
    }
    let rows = case.report.tables.host_cpu.iter().enumerate();
    rows.filter_map(|(row, host)| {
        let pct = match host.idle_pct {
            Some(idle) => 100.0 - idle,
            None => host.user_pct? + host.system_pct?,
        };
        let text = format!("host CPU: {} busy", words::percent(pct));
        Some(Busy { pct, evidence: vec![case.evidence("host_cpu", row, host.line, host.section, text)] })
    })
    .max_by(|a, b| a.pct.total_cmp(&b.pct))
}

fn of_instance(case: &Case<'_>, names: &[&str], instance: Option<u32>) -> Option<Evidence> {
    let rows = &case.report.tables.os_stat;
    let row = rows.iter().position(|r| r.instance_number == instance && is_one_of(&r.statistic, names))?;
    let printed = &rows[row];
    let who = instance.map_or(String::new(), |n| format!(" (instance {n})"));
    let text = format!("{}{who}: {} s", printed.statistic, words::count(printed.value? / 100.0));
    Some(case.evidence("os_stat", row, printed.line, printed.section, text))
}

fn is_one_of(statistic: &str, names: &[&str]) -> bool {
    names.iter().any(|name| crate::case::same_name(statistic, name))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{HostCpu, OsStat};

    /// One hour on a host of ten CPUs, this busy.
    fn host(hour: Hour, instance_number: Option<u32>, busy_pct: f64) -> Hour {
        let times = [("BUSY_TIME", 36_000.0 * busy_pct), ("IDLE_TIME", 36_000.0 * (100.0 - busy_pct))];
        hour.with(|r| {
            for (statistic, value) in times {
                r.tables.os_stat.push(OsStat {
                    line: 9,
                    section: 0,
                    instance_number,
                    statistic: statistic.to_owned(),
                    value: Some(value),
                    end_value: None,
                });
            }
        })
    }

    #[test]
    fn busy_from_ninety_percent_on() {
        let hour = || Hour::new(36_000.0).cpu(30_000.0).foreground("db file sequential read", 1e6, 6_000.0);
        let found = host(hour(), None, 91.0).found(run);
        assert!(found.title.contains("91 % busy"), "{}", found.title);
        assert!(found.claims.is_empty(), "CPU and waits explain DB time: nothing queued that is seen");
        assert!(found.actions[0].contains("92 %"), "{:?}", found.actions);
        host(hour(), None, 89.0).not_found(run);
    }

    #[test]
    fn a_gap_in_db_time_shows_the_queue_that_an_average_hides() {
        let hour = |cpu| Hour::new(36_000.0).cpu(cpu).foreground("db file sequential read", 1e6, 6_000.0);
        let found = host(hour(26_000.0), None, 76.0).found(run);
        assert_eq!((found.claims[0].of.as_str(), found.claims[0].seconds), ("unexplained", 4_000.0));
        host(hour(27_000.0), None, 76.0).not_found(run);
        host(hour(26_000.0), None, 74.0).not_found(run);
    }

    /// `OS_CPU_WAIT_TIME` was not read: a gap was a queue, all of it, where the host had counted less.
    #[test]
    fn more_queued_than_the_host_counted() {
        let hour = |waited_s: f64, busy_pct| {
            let hour = Hour::new(36_000.0).cpu(20_000.0).foreground("db file sequential read", 1e6, 6_000.0);
            host(hour, None, busy_pct).with(|r| {
                let row = r.tables.os_stat[0].clone();
                let (statistic, value) = ("OS_CPU_WAIT_TIME".to_owned(), Some(100.0 * waited_s));
                r.tables.os_stat.push(OsStat { statistic, value, ..row });
            })
        };
        let found = hour(3_000.0, 92.0).found(run);
        assert_eq!(found.claims[0].seconds, 3_000.0);
        assert!(
            found.title.contains("10,000 s (28 % of DB time) is neither CPU nor wait, at most 3,000 s of it")
        );
        assert!(
            found
                .evidence
                .iter()
                .any(|e| e.text == "OS_CPU_WAIT_TIME: 3,000 s, of all processes of the host")
        );
        // `OS_CPU_WAIT_TIME` of 51,873 s stood in no sentence where it was more than the gap.
        let found = hour(50_000.0, 92.0).found(run);
        assert_eq!(found.claims[0].seconds, 10_000.0);
        assert!(!found.title.contains("at most"), "{}", found.title);
        assert!(
            found.title.ends_with(
                "is neither CPU nor wait, and the queue of the whole host is 50,000 s (OS_CPU_WAIT_TIME)"
            ),
            "{}",
            found.title
        );
        assert_eq!(hour(0.0, 92.0).found(run).claims[0].seconds, 10_000.0, "not counted");
        assert!(
            hour(50_000.0, 42.0).missing(run).contains("50,000 s waited for by all processes of the host")
        );
    }

    #[test]
    fn a_large_gap_on_half_busy_threads_is_not_passed_over() {
        let hour = |cpu| Hour::new(36_000.0).cpu(cpu).foreground("db file sequential read", 1e6, 6_000.0);
        let missing = host(hour(20_000.0), None, 42.0).missing(run);
        assert!(missing.contains("28 % of DB time") && missing.contains("42 % busy"), "{missing}");
        host(hour(21_500.0), None, 42.0).not_found(run);
        host(hour(20_000.0), None, 24.0).not_found(run);
    }

    #[test]
    fn the_busiest_host_of_several_counts() {
        let hour = || Hour::new(36_000.0).cpu(30_000.0).foreground("db file sequential read", 1e6, 6_000.0);
        let found = host(host(hour(), Some(1), 10.0), Some(2), 95.0).found(run);
        assert!(found.evidence[0].text.contains("(instance 2)"), "{:?}", found.evidence);
        host(host(hour(), Some(1), 10.0), Some(2), 60.0).not_found(run);
    }

    #[test]
    fn the_host_cpu_line_will_do() {
        let line = |idle| HostCpu { idle_pct: Some(idle), ..HostCpu::default() };
        Hour::new(36_000.0).cpu(30_000.0).with(|r| r.tables.host_cpu.push(line(5.0))).found(run);
        let half = |hour: Hour| hour.with(|r| r.tables.host_cpu.push(line(50.0)));
        let waits = |hour: Hour| hour.foreground("db file sequential read", 1e6, 2_000.0);
        half(waits(Hour::new(36_000.0).cpu(34_000.0))).not_found(run);
        // Without waits the rest may be a queue where it is large, and Resource Manager where it is small.
        assert!(half(Hour::new(36_000.0).cpu(26_000.0)).missing(run).contains("neither CPU nor wait"));
        assert!(half(Hour::new(36_000.0).cpu(34_000.0)).missing(run).contains("no wait events"));
        half(Hour::new(36_000.0).cpu(35_500.0)).not_found(run);
    }

    #[test]
    fn resource_manager_holds_sessions_back_on_an_idle_host() {
        let hour = |seconds| Hour::new(7200.0).cpu(1000.0).foreground("resmgr:cpu quantum", 1e4, seconds);
        let found = host(hour(700.0), None, 20.0).found(run);
        assert!(found.title.starts_with("Resource Manager"), "{}", found.title);
        host(hour(50.0), None, 20.0).not_found(run);
    }

    #[test]
    fn without_statistics_of_the_system_it_cannot_tell() {
        assert!(Hour::new(7200.0).cpu(6000.0).missing(run).contains("CPUs"));
    }

    #[test]
    fn a_database_that_does_nothing_is_not_held_up() {
        let missing = host(Hour::new(30.0).cpu(20.0), None, 99.0).missing(run);
        assert!(missing.starts_with("enough load to judge (DB time: 30 s,"), "{missing}");
    }
}
