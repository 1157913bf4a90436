//! Sessions wait for I/O while CPUs are idle.
//!
//! # What it detects
//! Waits for reads are at least half of DB time, and the host's CPUs are at least half idle.
//!
//! # Why it costs response time
//! The work that could be done waits for blocks: every read that is avoided or made faster turns
//! into work done, since CPUs are there to do it. It is the picture in which faster storage pays;
//! with busy CPUs the sessions would only queue there instead.
//!
//! # Facts needed
//! Foreground waits, DB time, and how busy the host was (`Operating System Statistics` or `Host
//! CPU`).
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | reads (user I/O, writes left out) | 50 % of DB time | practitioners' last bar (10 notice, 30, 50) |
//! | CPUs idle | 50 % | ours |
//! | average active sessions | 1 | ours: one session alone leaves most CPUs idle whatever it waits for |
//!
//! # When it is wrong
//! It is a hint, not proof: idle CPUs (and the share that the system calls waiting for I/O) say
//! that nobody could use them, not why. Storage may be fast and asked too often. So the finding
//! claims no time of its own: the rules on reads do.
//!
//! # What to do
//! First avoid reads: statements that lead by physical reads, a buffer cache that holds more (see
//! its advice). Then make the remaining ones faster; the mean read time says whether there is
//! anything to gain.
//!
//! # SQL to see the evidence
//! ```sql
//! select wait_class, time_waited / 100 as time_s from v$system_wait_class order by 2 desc;
//! select stat_name, value from v$osstat where stat_name in ('BUSY_TIME', 'IDLE_TIME', 'IOWAIT_TIME', 'NUM_CPUS');
//! ```

use super::{material, proof};
use crate::{Case, Finding, Verdict, words};
use spindle_facts::Side;

/// Share of DB time that is user I/O, percent.
const USER_IO_PCT: f64 = 50.0;
/// Share of the CPUs that is idle, percent.
const IDLE_PCT: f64 = 50.0;
/// Average active sessions.
const SESSIONS: f64 = 1.0;

/// Is user I/O most of DB time while CPUs are idle?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events: Vec<_> = case.events.iter().filter(|e| is_read(case, e)).collect();
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let Some(share_pct) = material::share_pct(case, seconds) else {
        return Verdict::CannotTell(material::unweighed(case));
    };
    // Where neither was read, nothing was looked at.
    if !case.has_waits() && case.host_cpu_busy_pct().is_none() {
        return Verdict::CannotTell(
            "the waits for reads, and how busy the host's CPUs were (Operating System Statistics, Host CPU)"
                .to_owned(),
        );
    }
    // One session at a time leaves CPUs idle whatever it does.
    if case.average_active_sessions().is_some_and(|s| s < SESSIONS) {
        return Verdict::NotFound;
    }
    // Average active sessions, from CPU and waits where no DB time is printed.
    let sessions = case.elapsed_s().map(|s| seconds / (share_pct / 100.0).max(1e-9) / s);
    if share_pct < USER_IO_PCT {
        // What is not listed may be reads.
        let rest = case.unlisted_waits();
        let rest_pct = rest.as_ref().and_then(|rest| material::share_pct(case, rest.most_s)).unwrap_or(0.0);
        return match rest.filter(|_| share_pct + rest_pct >= USER_IO_PCT) {
            Some(rest) => Verdict::CannotTell(format!("the waits for reads: {}", rest.why)),
            None => Verdict::NotFound,
        };
    }
    if sessions.is_some_and(|s| s < SESSIONS) {
        return Verdict::NotFound;
    }
    let Some(busy_pct) = case.host_cpu_busy_pct() else {
        return Verdict::CannotTell(
            "how busy the host's CPUs were (Operating System Statistics, Host CPU)".to_owned(),
        );
    };
    let idle_pct = 100.0 - busy_pct;
    if idle_pct < IDLE_PCT {
        return Verdict::NotFound;
    }
    let mut evidence: Vec<_> = events.iter().take(3).map(|e| case.event_evidence(e)).collect();
    for name in ["IDLE_TIME", "BUSY_TIME", "IOWAIT_TIME", "NUM_CPUS"] {
        evidence.extend(proof::os_stat(case, name).into_iter().take(1));
    }
    evidence.extend(host_cpu(case));
    Verdict::Found(Finding {
        title: format!(
            "Sessions waited for reads {} while the CPUs were {} idle: there is CPU for faster or fewer reads",
            material::of_db_time(case, seconds).trim().trim_matches(['(', ')']),
            words::percent(idle_pct)
        ),
        storage: true,
        touches_s: seconds,
        evidence,
        actions: vec![
            "Avoid reads first: the statements that lead by physical reads, and the advice on the buffer cache".to_owned(),
            "Then compare the mean read time with what faster storage would give: CPUs are free to use it".to_owned(),
        ],
        caveat: "A hint, not proof: idle CPUs do not say why nobody used them, and storage may be fast but asked too \
                 often"
            .to_owned(),
        ..Finding::default()
    })
}

/// Is it a foreground wait for reads? Writes are not avoided by what avoids reads.
fn is_read(case: &Case<'_>, e: &crate::EventTotal) -> bool {
    e.side == Side::Foreground
        && e.wait_class == "User I/O"
        && !e.event.contains("write")
        && case.event_time_s(&e.event) > 0.0
}

/// The `Host CPU` line as proof, where no operating-system statistics are printed.
fn host_cpu(case: &Case<'_>) -> Option<crate::Evidence> {
    let host = case.report.tables.host_cpu.first().filter(|_| case.os_stat("IDLE_TIME").is_none())?;
    let text = format!("host CPU: {} idle", words::percent(host.idle_pct?));
    Some(case.evidence("host_cpu", 0, host.line, host.section, text))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::HostCpu;

    fn host(hour: Hour, idle: f64) -> Hour {
        hour.with(|r| {
            r.tables.host_cpu.push(HostCpu { line: 30, idle_pct: Some(idle), ..HostCpu::default() })
        })
    }

    #[test]
    fn user_io_half_of_db_time_and_half_idle() {
        let hour = |s| Hour::new(7200.0).cpu(2_000.0).foreground("db file sequential read", 1e6, s);
        let found = host(hour(3_650.0), 51.0).found(run);
        assert!(found.title.contains("51 % of DB time while the CPUs were 51 % idle"), "{}", found.title);
        assert!(found.claims.is_empty(), "a hint claims no time");
        assert_eq!(found.touches_s, 3_650.0);
        host(hour(3_550.0), 51.0).not_found(run);
        host(hour(3_650.0), 49.0).not_found(run);
        assert!(hour(3_650.0).missing(run).contains("CPUs"));
    }

    #[test]
    fn writes_are_no_reads_to_avoid() {
        let hour = Hour::new(7200.0).foreground("db file sequential read", 1e6, 2_000.0);
        host(hour.foreground("direct path write", 1e5, 2_000.0), 80.0).not_found(run);
    }

    /// A report of ADDM alone, without waits and CPU: "not found".
    #[test]
    fn without_waits_and_cpu_it_was_not_found() {
        assert!(Hour::new(385.0).missing(run).contains("how busy"));
    }

    #[test]
    fn one_session_alone_leaves_cpus_idle_whatever_it_does() {
        let hour = |db| Hour::new(db).foreground("db file sequential read", 1e6, 0.9 * db);
        host(hour(3_700.0), 95.0).found(run);
        host(hour(3_500.0), 95.0).not_found(run);
    }
}
