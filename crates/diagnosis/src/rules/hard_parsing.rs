//! Statements parsed again and again.
//!
//! # What it detects
//! Sessions spend their time on parsing: on CPU, and waiting for the library cache and shared pool
//! that parsing needs to itself (`library cache: mutex X`, `cursor: pin S wait on X`, `latch: shared
//! pool`, `library cache lock`).
//!
//! # Why it costs response time
//! A hard parse makes a plan: it uses CPU and memory of the shared pool, and what it changes there is
//! locked against everyone else. A few hundred a second can stop a machine whose storage is idle.
//!
//! # Facts needed
//! Foreground wait events; time model (`parse time elapsed`, `hard parse elapsed time`), or the
//! statistics `parse time elapsed` and `parse time cpu`; `Hard parses` of the load profile.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | waits for the library cache | 3 % of DB time, or 1 % where half a session always waits | ours, as for every cause |
//! | `hard parse elapsed time` | 5 % of DB time | ours: the first share at which halving it can be felt |
//! | `parse time elapsed`, where hard parses have no line of their own | 10 % of DB time | ours: soft parses are part of it |
//!
//! # When it is wrong
//! The library cache is also locked by DDL, by gathering statistics, by compiling packages, and by one
//! cursor with many versions or executed by very many sessions at once: look at `SQL ordered by Version Count`. Failed
//! logons wait for `library cache lock` too. With saturated CPUs a holder that is off the CPU makes
//! mutex waits long: then CPU is the cause. Waits inside the parse are counted once.
//!
//! # What to do
//! Use bind variables (`CURSOR_SHARING=FORCE` until the program is mended), keep cursors open
//! (`SESSION_CACHED_CURSORS`, statement cache of the driver), give the shared pool enough memory, keep DDL and statistics out of busy hours.
//!
//! # SQL to see the evidence
//! ```sql
//! select stat_name, value / 1e6 as seconds from v$sys_time_model where stat_name like '%parse%';
//! select force_matching_signature, count(*) as texts, min(sql_id) as example
//!   from v$sqlstats where force_matching_signature > 0
//!  group by force_matching_signature having count(*) > 20 order by 2 desc;
//! ```

use super::{material, proof};
use crate::{Case, Claim, EventTotal, Finding, Verdict, words};
use spindle_facts::Metric;

/// Share of DB time from which hard parses matter, percent.
const HARD_PARSE_PCT: f64 = 5.0;
/// Share of DB time from which all parses matter where hard ones are not told apart, percent.
const PARSE_PCT: f64 = 10.0;

/// Waits that parsing causes, by their first letters.
const STARTS: &[&str] = &[
    "library cache",
    "cursor:",
    "latch: library cache",
    "latch: shared pool",
    "latch: row cache objects",
    "row cache",
    "kksfbc child completion",
];

/// Parsing, on CPU or waiting for the library cache, as a material part of DB time.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let belongs = |event: &str| STARTS.iter().any(|start| event.starts_with(start));
    let parse = parse_time(case);
    let parse_leads = parse.as_ref().is_some_and(|p| {
        material::share_pct(case, p.seconds).is_some_and(|pct| pct >= p.bar_pct)
            && material::is_material(case, p.seconds)
    });
    let (events, waited_s) = match proof::group(case, "waits for the library cache", belongs) {
        proof::Group::Material(events, seconds) => (events, seconds),
        proof::Group::Trivial(seconds) if parse_leads => (Vec::new(), seconds),
        proof::Group::Trivial(_) => return Verdict::NotFound,
        proof::Group::Unknown(_) if parse_leads => (Vec::new(), 0.0),
        proof::Group::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let cpu_s = parse.as_ref().filter(|_| parse_leads).map_or(0.0, |p| p.cpu_beside(case, waited_s));
    let mut evidence = proof::largest(case, &events);
    if let Some(parse) = parse.as_ref().filter(|_| parse_leads) {
        evidence.extend(parse.evidence(case));
    }
    evidence.extend(proof::load_profile(case, Metric::HardParses));
    evidence.extend(proof::load_profile(case, Metric::Parses));
    let mut claims = proof::claims(case, &events);
    if cpu_s > 0.0 {
        claims.push(Claim { of: "cpu".to_owned(), seconds: cpu_s });
    }
    let seconds = claims.iter().map(|c| c.seconds).sum::<f64>();
    Verdict::Found(Finding {
        title: title(case, parse.as_ref().filter(|_| parse_leads), &events, waited_s),
        touches_s: seconds.max(if parse_leads { parse.as_ref().map_or(0.0, |p| p.seconds) } else { 0.0 }),
        claims,
        evidence,
        actions: actions(case, &events),
        caveat: "DDL, statistics gathering, failed logons and one cursor with many versions lock the library cache \
                 too; with saturated CPUs such waits are long because the holder is off the CPU"
            .to_owned(),
        ..Finding::default()
    })
}

/// Time spent parsing.
struct ParseTime {
    seconds: f64,
    statistic: &'static str,
    bar_pct: f64,
    from_time_model: bool,
}

impl ParseTime {
    /// CPU of the parsing: as measured where printed, else what its waits leave.
    fn cpu_beside(&self, case: &Case<'_>, waited_s: f64) -> f64 {
        let measured = case.stat_total("parse time cpu").map(|cs| cs / 100.0);
        let rest = (self.seconds - waited_s).max(0.0);
        measured.map_or(rest, |cpu| cpu.min(self.seconds))
    }

    fn evidence(&self, case: &Case<'_>) -> Option<crate::Evidence> {
        if self.from_time_model {
            proof::time_model(case, self.statistic)
        } else {
            case.stat(self.statistic).map(|s| case.stat_evidence(s))
        }
    }
}

fn parse_time(case: &Case<'_>) -> Option<ParseTime> {
    let of_model = |statistic, bar_pct| {
        let seconds = case.time_model_s(statistic)?;
        Some(ParseTime { seconds, statistic, bar_pct, from_time_model: true })
    };
    of_model("hard parse elapsed time", HARD_PARSE_PCT)
        .or_else(|| of_model("parse time elapsed", PARSE_PCT))
        .or_else(|| {
            let seconds = case.stat_total("parse time elapsed")? / 100.0;
            Some(ParseTime {
                seconds,
                statistic: "parse time elapsed",
                bar_pct: PARSE_PCT,
                from_time_model: false,
            })
        })
}

fn title(case: &Case<'_>, parse: Option<&ParseTime>, events: &[&EventTotal], waited_s: f64) -> String {
    let rate = case
        .load_per_second(Metric::HardParses)
        .map_or(String::new(), |n| format!("; {} hard parses a second", words::significant(n)));
    match (parse, events.first()) {
        (None, first) => {
            let first = first.map_or(String::new(), |e| format!(", most of it `{}`", e.event));
            format!(
                "Sessions waited {} for the library cache{}{first}{rate}",
                words::seconds(waited_s),
                material::of_db_time(case, waited_s)
            )
        }
        (Some(parse), None) => format!(
            "Parsing took {}{}{rate}",
            words::seconds(parse.seconds),
            material::of_db_time(case, parse.seconds)
        ),
        (Some(parse), Some(_)) => format!(
            "Parsing took {}{}, with {} of waits for the library cache{rate}",
            words::seconds(parse.seconds),
            material::of_db_time(case, parse.seconds),
            words::seconds(waited_s)
        ),
    }
}

fn actions(case: &Case<'_>, events: &[&EventTotal]) -> Vec<String> {
    let mut actions = Vec::new();
    // From 100 a second on hard parses alone keep a shared pool busy.
    let many = case.load_per_second(Metric::HardParses).is_some_and(|n| n >= 100.0);
    if many || events.is_empty() {
        actions.push(
            "Use bind variables; until the programs are mended CURSOR_SHARING=FORCE. Find statements that differ \
             only in literals by FORCE_MATCHING_SIGNATURE in V$SQLSTATS"
                .to_owned(),
        );
    }
    if events.iter().any(|e| e.event.starts_with("cursor:") || e.event.starts_with("library cache")) {
        actions.push(
            "Look at SQL ordered by Version Count and by Parse Calls for the cursors that sessions queue for; keep \
             cursors open (SESSION_CACHED_CURSORS, the driver's statement cache)"
                .to_owned(),
        );
    }
    if events.iter().any(|e| e.event.starts_with("library cache lock") || e.event.starts_with("row cache")) {
        actions.push("Keep DDL, statistics gathering and failing logons out of busy hours".to_owned());
    }
    if events.iter().any(|e| e.event.starts_with("latch: shared pool")) {
        actions.push(
            "Give the shared pool a minimum (SHARED_POOL_SIZE) so that it does not shrink and reload"
                .to_owned(),
        );
    }
    if actions.is_empty() {
        actions.push("Find the statements that are parsed most: SQL ordered by Parse Calls".to_owned());
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{LoadProfileRow, Metric};

    fn hard_parses(hour: Hour, per_second: f64) -> Hour {
        hour.with(|r| {
            r.tables.load_profile.push(LoadProfileRow {
                line: 20,
                section: 0,
                instance_number: None,
                metric: "Hard parses".to_owned(),
                known: Some(Metric::HardParses),
                per_second: Some(per_second),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: 0.05,
            });
        })
    }

    #[test]
    fn hard_parses_from_five_percent_on() {
        let hour = |s| {
            Hour::new(7200.0).cpu(5000.0).time_model("hard parse elapsed time", s).foreground(
                "log file sync",
                1e4,
                20.0,
            )
        };
        let found = hard_parses(hour(365.0), 140.0).found(run);
        assert!(found.title.contains("365 s (5.1 % of DB time); 140 hard parses"), "{}", found.title);
        assert_eq!((found.claims[0].of.as_str(), found.claims[0].seconds), ("cpu", 365.0));
        assert!(found.actions[0].contains("bind variables"), "{:?}", found.actions);
        hour(355.0).not_found(run);
    }

    #[test]
    fn soft_parses_need_twice_as_much() {
        let hour = |s| {
            Hour::new(7200.0).cpu(5000.0).stat("parse time elapsed", 100.0 * s).foreground(
                "log file sync",
                1e4,
                20.0,
            )
        };
        hour(725.0).found(run);
        hour(715.0).not_found(run);
    }

    #[test]
    fn waits_for_the_library_cache_are_counted_once() {
        let found = Hour::new(7200.0)
            .cpu(3000.0)
            .time_model("hard parse elapsed time", 2_500.0)
            .foreground("library cache: mutex X", 1e5, 1_500.0)
            .foreground("cursor: pin S wait on X", 1e4, 400.0)
            .found(run);
        let claimed: f64 = found.claims.iter().map(|c| c.seconds).sum();
        assert_eq!(claimed, 2_500.0);
        assert!(found.title.contains("with 1,900 s of waits"), "{}", found.title);
    }

    #[test]
    fn waits_alone_are_enough() {
        let hour = |s| Hour::new(7200.0).cpu(3000.0).foreground("latch: shared pool", 1e5, s);
        let found = hour(217.0).found(run);
        assert!(found.title.contains("most of it `latch: shared pool`"), "{}", found.title);
        assert!(!found.storage);
        hour(215.0).not_found(run);
    }

    #[test]
    fn without_time_model_and_waits_it_cannot_tell() {
        assert!(Hour::new(7200.0).cpu(3000.0).missing(run).contains("library cache"));
    }
}
