//! Statements parsed again and again.
//!
//! # What it detects
//! Sessions spend their time on parsing: on CPU, and waiting for the library cache and shared pool
//! that parsing needs to itself (`library cache: mutex X`, `cursor: pin S wait on X`, `latch:
//! shared pool`, `library cache lock`).
//!
//! # Why it costs response time
//! A hard parse makes a plan: it uses CPU and memory of the shared pool, and what it changes there
//! is locked against everyone else. A few hundred a second can stop a machine whose storage is
//! idle.
//!
//! # Facts needed
//! The time model (`parse time elapsed`, `hard parse elapsed time`), or the statistic `parse time
//! elapsed`; foreground wait events; `Hard parses` of the load profile.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | `hard parse elapsed time` | 5 % of DB time | ours: the first share at which halving it can be felt |
//! | `parse time elapsed` | 10 % of DB time | ours: soft parses are part of it |
//! | waits for the library cache | 3 % of DB time, or 1 % where half a session always waits | ours, as for every cause |
//! | parses that fail come first | half of the hard parses fail; where that is not counted, half of the parse time | ours: fewer wait behind the others |
//! | cursors that could not be shared | `hard parse (sharing criteria) elapsed time` is half of hard parse time | arithmetic: more of it than of anything else, literals among them |
//! | such waits come from parsing | parse time is half of them or more | the time model counts a wait within a parse as parse time; else see contention for the library cache |
//!
//! # When it is wrong
//! DDL and statistics gathering invalidate cursors, so that statements with bind variables are
//! parsed again. With saturated CPUs parses take long because they wait for a CPU. Waits inside the
//! parse are counted once.
//!
//! # What to do
//! Where hard parses are for literals, use bind variables (`CURSOR_SHARING=FORCE` until the program is mended), keep cursors open
//! (`SESSION_CACHED_CURSORS`, statement cache of the driver), mend statements that fail to parse.
//! Where existing cursors could not be shared, `V$SQL_SHARED_CURSOR` tells why. Else
//! give the shared pool enough memory, keep DDL and statistics out of busy hours.
//!
//! # SQL to see the evidence
//! ```sql
//! select stat_name, value / 1e6 as seconds from v$sys_time_model where stat_name like '%parse%';
//! -- From 10.2 on; before that group V$SQLAREA by substr(sql_text, 1, 60).
//! select force_matching_signature, count(*) as texts, min(sql_id) as example
//!   from v$sqlstats where force_matching_signature > 0
//!  group by force_matching_signature having count(*) > 20 order by 2 desc;
//! ```

use super::proof::Group;
use super::since::is_since;
use super::{material, proof};
use crate::{Case, Claim, Evidence, Finding, Verdict, words};
use spindle_facts::Metric;

/// Share of DB time from which hard parses matter, percent.
const HARD_PARSE_PCT: f64 = 5.0;
/// Share of DB time from which all parses matter, percent.
const PARSE_PCT: f64 = 10.0;
/// Part of the waits for the library cache that parse time has to be, to be their cause.
const FROM_PARSING: f64 = 0.5;

/// Time-model row of hard parses for want of a cursor that could be shared.
const UNSHARED: &str = "hard parse (sharing criteria) elapsed time";
/// Part of hard parse time from which that is their cause, and not literals.
const MAINLY_UNSHARED: f64 = 0.5;
/// Busy share of the host from which what is neither CPU nor a wait is its queue, percent: see saturated CPUs.
const QUEUE_BUSY_PCT: f64 = 75.0;

/// Waits for the library cache and what parsing needs beside it, by their first letters.
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
    let Some(parse) = ParseTime::of(case) else {
        if most_s(case).is_some_and(|s| material::weight(case, s) == material::Weight::Trivial) {
            return Verdict::NotFound;
        }
        return Verdict::CannotTell("the time spent parsing (time model: parse time elapsed)".to_owned());
    };
    if material::share_pct(case, parse.seconds).is_none() {
        return Verdict::CannotTell(material::unweighed(case));
    }
    let waits = library_cache_waits(case);
    let (events, waited_s) = match &waits {
        Group::Material(events, seconds) if parse.explains(*seconds) => (events.as_slice(), *seconds),
        Group::Material(..) | Group::Trivial | Group::Unknown(_) => (&[][..], 0.0),
    };
    if !parse.leads(case) && events.is_empty() {
        // Half as much is enough where they are hard parses.
        let unknown = parse.hard_s.is_none() && parse.may_lead(case);
        // The waits beside it may make more of it, and the top events do not list them all.
        if !case.prints_wait_events() && material::may_be_material(case, parse.seconds) {
            return Verdict::CannotTell(
                "the waits for the library cache: only the top events were read".to_owned(),
            );
        }
        if let Group::Unknown(missing) = &waits
            && material::may_be_material(case, parse.seconds)
        {
            return Verdict::CannotTell(missing.clone());
        }
        let below = material::weight(case, parse.seconds) == material::Weight::BelowLoad;
        if below {
            return Verdict::CannotTell(material::below_load(case, "parses", parse.seconds));
        }
        return if unknown {
            Verdict::CannotTell(
                "how much of the parsing was hard (time model: hard parse elapsed time)".to_owned(),
            )
        } else {
            Verdict::NotFound
        };
    }
    // Of waits that exceed parse time, the part that fits into it.
    let part = if waited_s > parse.seconds { parse.seconds / waited_s } else { 1.0 };
    let mut claims = proof::claims(case, events);
    claims.iter_mut().for_each(|claim| claim.seconds *= part);
    let cpu_s = parse.cpu_s(case, part * waited_s);
    if cpu_s > 0.0 {
        claims.push(Claim { of: "cpu".to_owned(), seconds: cpu_s });
    }
    let gap_s = parse.in_the_gap_s(case, cpu_s);
    if gap_s > 0.0 {
        claims.push(Claim { of: "unexplained".to_owned(), seconds: gap_s });
    }
    let mut evidence = parse.evidence(case);
    evidence.extend(proof::largest(case, events));
    evidence.extend(proof::load_profile(case, Metric::HardParses));
    evidence.extend(proof::load_profile(case, Metric::Parses));
    if failures_lead(case, &parse) {
        let counts = ["parse count (hard)", "parse count (failures)"];
        evidence.extend(counts.iter().filter_map(|name| case.stat(name)).map(|s| case.stat_evidence(s)));
    }
    Verdict::Found(Finding {
        title: title(case, &parse, waited_s),
        touches_s: parse.seconds.max(waited_s),
        claims,
        evidence,
        actions: actions(case, &parse),
        caveat: "DDL and statistics gathering make statements with bind variables be parsed again, and with \
                 saturated CPUs a parse takes long because it waits for a CPU"
            .to_owned(),
        ..Finding::default()
    })
}

/// What parsing can cost at most where its time is not printed: CPU, its waits, and what is neither CPU nor wait.
fn most_s(case: &Case<'_>) -> Option<f64> {
    let cpu_s = case.response_time.foreground.cpu_s.filter(|_| case.prints_wait_events())?;
    let waits_s = match library_cache_waits(case) {
        Group::Trivial => 0.0,
        Group::Material(_, seconds) => seconds,
        Group::Unknown(_) => return None,
    };
    Some(cpu_s + waits_s + case.gap_s()?)
}

/// Foreground waits for the library cache, the row cache and the shared pool.
pub(super) fn library_cache_waits<'c>(case: &'c Case<'_>) -> Group<'c> {
    proof::group(case, "waits for the library cache", |event| {
        STARTS.iter().any(|start| event.starts_with(start))
    })
}

/// Time that sessions spent parsing, their waits within it included.
#[derive(Debug)]
pub(super) struct ParseTime {
    /// All parses, seconds.
    pub(super) seconds: f64,
    hard_s: Option<f64>,
    from_time_model: bool,
}

impl ParseTime {
    /// Time model, else statistic; `None` where neither is printed.
    pub(super) fn of(case: &Case<'_>) -> Option<Self> {
        let hard_s = case.time_model_s("hard parse elapsed time");
        if let Some(seconds) = case.time_model_s("parse time elapsed") {
            return Some(Self { seconds: seconds.max(hard_s.unwrap_or(0.0)), hard_s, from_time_model: true });
        }
        let seconds = case.stat_total("parse time elapsed")? / 100.0;
        Some(Self { seconds, hard_s, from_time_model: false })
    }

    /// Can parsing be where these waits happened?
    pub(super) fn explains(&self, waited_s: f64) -> bool {
        self.seconds >= FROM_PARSING * waited_s
    }

    /// Is it much of DB time by itself?
    fn leads(&self, case: &Case<'_>) -> bool {
        let at_least = |seconds: f64, bar_pct: f64| {
            material::share_pct(case, seconds).is_some_and(|pct| pct >= bar_pct)
                && material::is_material(case, seconds)
        };
        at_least(self.seconds, PARSE_PCT) || self.hard_s.is_some_and(|s| at_least(s, HARD_PARSE_PCT))
    }

    /// Would it be much if all of it were hard parses?
    fn may_lead(&self, case: &Case<'_>) -> bool {
        material::share_pct(case, self.seconds).is_some_and(|pct| pct >= HARD_PARSE_PCT)
            && material::is_material(case, self.seconds)
    }

    /// CPU of the parsing, no more than its waits leave: as measured where printed, else in
    /// proportion to CPU's share of DB time.
    fn cpu_s(&self, case: &Case<'_>, waited_s: f64) -> f64 {
        let rest = (self.seconds - waited_s).max(0.0);
        if let Some(centiseconds) = case.stat_total("parse time cpu") {
            return (centiseconds / 100.0).clamp(0.0, rest);
        }
        let cpu_pct = case.response_time.foreground.cpu_s.and_then(|s| material::share_pct(case, s));
        rest * cpu_pct.unwrap_or(0.0).min(100.0) / 100.0
    }

    /// What of the parsing is DB time that is neither CPU nor a wait, whatever other waits were part of it. On
    /// a busy host that is the queue for the CPU, which another rule counts.
    fn in_the_gap_s(&self, case: &Case<'_>, cpu_s: f64) -> f64 {
        let idle = case.host_cpu_busy_pct().is_some_and(|busy| busy < QUEUE_BUSY_PCT);
        let gap_s = case.gap_s().filter(|_| self.from_time_model && idle).unwrap_or(0.0);
        let waits_s = case.response_time.foreground.wait_s.unwrap_or(0.0);
        (self.seconds - cpu_s - waits_s).min(gap_s).max(0.0)
    }

    fn evidence(&self, case: &Case<'_>) -> Vec<Evidence> {
        if !self.from_time_model {
            return case.stat("parse time elapsed").map(|s| case.stat_evidence(s)).into_iter().collect();
        }
        let names = ["parse time elapsed", "hard parse elapsed time", UNSHARED, "failed parse elapsed time"];
        names.iter().filter_map(|name| proof::time_model(case, name)).collect()
    }
}

fn title(case: &Case<'_>, parse: &ParseTime, waited_s: f64) -> String {
    let hard = parse.hard_s.map_or(String::new(), |s| format!(", {} of it hard parses", words::seconds(s)));
    let rate = case
        .load_per_second(Metric::HardParses)
        .map_or(String::new(), |n| format!(" ({} a second)", words::significant(n)));
    let waits = if waited_s > 0.0 {
        format!(", with {} of waits for the library cache", words::seconds(waited_s))
    } else {
        String::new()
    };
    let share = material::of_db_time(case, parse.seconds);
    format!("Parsing took {}{share}{hard}{rate}{waits}", words::seconds(parse.seconds))
}

/// Are the parses that fail the cause, or do they wait behind the others? By their number; where it is
/// not printed, by their time.
fn failures_lead(case: &Case<'_>, parse: &ParseTime) -> bool {
    let counts = case.stat_total("parse count (failures)").zip(case.stat_total("parse count (hard)"));
    match counts.filter(|(_, hard)| *hard > 0.0) {
        Some((failures, hard)) => failures >= 0.5 * hard,
        None => case.time_model_s("failed parse elapsed time").is_some_and(|s| s >= 0.5 * parse.seconds),
    }
}

/// Hard parses of statements whose cursor was there and could not be shared, seconds.
fn unshared_s(case: &Case<'_>) -> Option<f64> {
    case.time_model_s(UNSHARED)
}

fn actions(case: &Case<'_>, parse: &ParseTime) -> Vec<String> {
    let mut actions = Vec::new();
    let lead = failures_lead(case, parse);
    let much = case.time_model_s("failed parse elapsed time").is_some_and(|s| s >= 0.1 * parse.seconds);
    let failing = (lead || much).then_some(
        "Find the statements that fail to parse (event 10035, V$SQL does not hold them) and mend them",
    );
    let (first, later) = if lead { (failing, None) } else { (None, failing) };
    actions.extend(first.map(str::to_owned));
    let mut later = later
        .map(|remedy| format!("{remedy}: few fail, and they wait for the library cache as the others do"));
    let unshared = unshared_s(case).zip(parse.hard_s).filter(|(s, hard)| *s >= MAINLY_UNSHARED * hard);
    if let Some((unshared_s, _)) = unshared.filter(|(_, hard)| *hard >= 0.3 * parse.seconds) {
        actions.push(format!(
            "Find why cursors that exist could not be shared, {} of these parses: V$SQL_SHARED_CURSOR names the reason \
             for each child (bind types and lengths, optimizer settings, NLS), V$SQLAREA.VERSION_COUNT the statements",
            words::seconds(unshared_s)
        ));
        actions.extend(later.take());
        actions
            .push("Keep DDL and statistics gathering out of busy hours: they invalidate cursors".to_owned());
    } else if parse.hard_s.is_none_or(|hard| hard >= 0.3 * parse.seconds) {
        let by = if is_since(case, (10, 2)) {
            "FORCE_MATCHING_SIGNATURE in V$SQLSTATS"
        } else {
            "how their texts begin (SQL_TEXT in V$SQLAREA)"
        };
        actions.push(format!(
            "Use bind variables; until the programs are mended CURSOR_SHARING=FORCE. Find statements that differ only \
             in literals by {by}"
        ));
        actions.extend(later.take());
        actions
            .push("Keep DDL and statistics gathering out of busy hours: they invalidate cursors".to_owned());
    }
    actions.extend(later);
    actions.push(
        "Keep cursors open instead of parsing for each call: SESSION_CACHED_CURSORS, the driver's statement cache; SQL \
         ordered by Parse Calls names the statements"
            .to_owned(),
    );
    actions
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::{HostCpu, LoadProfileRow, Metric};

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
                per_second_diff_pct: None,
            });
        })
    }

    /// `Parsing took 49,348 s (153 % of DB time)`: a statistic of all sessions beside CPU and waits of some.
    #[test]
    fn no_part_is_more_than_the_whole() {
        let found = Hour::new(32_223.0)
            .cpu(4_000.0)
            .foreground("latch: library cache", 1e4, 25_888.0)
            .stat("parse time elapsed", 4_934_825.0)
            .found(run);
        assert!(found.title.starts_with("Parsing took 49,348 s (more than DB time)"), "{}", found.title);
    }

    /// Three quarters of hard parse time for want of a cursor that could be shared, and `use bind variables`.
    #[test]
    fn parses_that_could_not_share_got_the_advice_for_literals() {
        let of = |unshared_s| {
            parsing(900.0, 776.7)
                .time_model("hard parse (sharing criteria) elapsed time", unshared_s)
                .found(run)
        };
        let found = of(587.8);
        assert!(found.actions[0].contains("V$SQL_SHARED_CURSOR"), "{:?}", found.actions);
        assert!(!found.actions.iter().any(|a| a.contains("CURSOR_SHARING")), "{:?}", found.actions);
        assert!(found.evidence.iter().any(|e| e.text.contains("sharing criteria")));
        assert!(of(100.0).actions[0].contains("bind variables"));
    }

    /// An hour with half of DB time on CPU.
    fn parsing(all_s: f64, hard_s: f64) -> Hour {
        Hour::new(7200.0)
            .cpu(3600.0)
            .time_model("parse time elapsed", all_s)
            .time_model("hard parse elapsed time", hard_s)
            .foreground("log file sync", 1e4, 20.0)
    }

    #[test]
    fn hard_parses_from_five_percent_on() {
        let found = hard_parses(parsing(400.0, 365.0), 140.0).found(run);
        assert_eq!(
            found.title,
            "Parsing took 400 s (5.6 % of DB time), 365 s of it hard parses (140 a second)"
        );
        assert_eq!((found.claims[0].of.as_str(), found.claims[0].seconds), ("cpu", 200.0));
        assert_eq!(found.touches_s, 400.0);
        assert!(found.actions[0].contains("bind variables"), "{:?}", found.actions);
        parsing(400.0, 355.0).not_found(run);
    }

    /// `Parsing took 862 s (22 % of DB time)`, and 2.2 % beside it: of the parsing only its CPU was counted.
    #[test]
    fn parsing_in_the_gap_was_counted_by_its_cpu_alone() {
        let hour = |busy| {
            parsing(900.0, 800.0).stat("parse time cpu", 9_000.0).with(|r| {
                r.tables.host_cpu.push(HostCpu { idle_pct: Some(100.0 - busy), ..HostCpu::default() });
            })
        };
        let gap_s = |busy| {
            let found = hour(busy).found(run);
            found.claims.iter().filter(|c| c.of == "unexplained").map(|c| c.seconds).sum::<f64>()
        };
        // Whatever waits there were, some of the 20 s may have been in it.
        assert_eq!((gap_s(3.0), gap_s(85.0)), (900.0 - 90.0 - 20.0, 0.0));
    }

    #[test]
    fn soft_parses_need_twice_as_much() {
        let found = parsing(725.0, 20.0).found(run);
        assert!(found.actions[0].contains("cursors open"), "{:?}", found.actions);
        parsing(715.0, 20.0).not_found(run);
    }

    #[test]
    fn the_statistic_will_do_and_its_cpu_is_measured() {
        let hour = Hour::new(7200.0)
            .cpu(5000.0)
            .foreground("log file sync", 1e4, 20.0)
            .stat("parse time elapsed", 100_000.0)
            .stat("parse time cpu", 60_000.0);
        assert_eq!(hour.found(run).claims[0].seconds, 600.0);
    }

    #[test]
    fn waits_for_the_library_cache_are_counted_once() {
        let found = parsing(2_500.0, 2_400.0)
            .foreground("library cache: mutex X", 1e5, 1_500.0)
            .foreground("cursor: pin S wait on X", 1e4, 400.0)
            .found(run);
        let claimed: f64 = found.claims.iter().map(|c| c.seconds).sum();
        assert_eq!(claimed, 1_900.0 + 300.0, "the waits, and half of the rest as CPU");
        assert!(found.title.contains("with 1,900 s of waits"), "{}", found.title);
        assert!(!found.storage);
    }

    #[test]
    fn waits_belong_to_parsing_if_parse_time_is_half_of_them() {
        let hour = |s| parsing(301.0, 100.0).foreground("latch: shared pool", 1e5, s);
        let found = hour(600.0).found(run);
        assert!(
            found.claims.iter().any(|c| c.of == "latch: shared pool" && c.seconds == 301.0),
            "{:?}",
            found.claims
        );
        assert_eq!((found.claims.len(), found.touches_s), (1, 600.0), "no more than parse time");
        hour(604.0).not_found(run);
        hour(100.0).not_found(run);
    }

    #[test]
    fn failing_statements_come_first() {
        let found = parsing(2_500.0, 2_000.0).time_model("failed parse elapsed time", 1_300.0).found(run);
        assert!(found.actions[0].contains("fail to parse"), "{:?}", found.actions);
    }

    /// 2 % of the hard parses failed, and the first advice was to find them: they queued behind the rest.
    #[test]
    fn a_few_failures_that_wait_behind_the_others_are_not_the_cause() {
        let failing = |count| {
            parsing(2_500.0, 2_000.0)
                .time_model("failed parse elapsed time", 500.0)
                .stat("parse count (hard)", 100_000.0)
                .stat("parse count (failures)", count)
                .found(run)
        };
        let few = failing(2_000.0);
        assert!(few.actions[0].contains("bind variables"), "{:?}", few.actions);
        assert!(few.actions[1].contains("few fail"), "{:?}", few.actions);
        assert!(failing(99_000.0).actions[0].contains("fail to parse"));
        // Nearly all failed in two hours that were alike, and one was told to keep its cursors open: 8.5 % of the time.
        let all = parsing(2_500.0, 2_000.0)
            .time_model("failed parse elapsed time", 212.0)
            .stat("parse count (hard)", 202_716.0)
            .stat("parse count (failures)", 202_648.0)
            .found(run);
        assert!(all.actions[0].contains("fail to parse"), "{:?}", all.actions);
        assert!(all.evidence.iter().any(|e| e.text.contains("202,648")), "{:?}", all.evidence);
    }

    /// Without the time model 7 % of DB time was no parsing to speak of, 5 % of it hard parses in the whole report.
    #[test]
    fn parsing_of_which_nobody_knows_how_much_was_hard_was_not_found() {
        let hour = |centiseconds| {
            Hour::new(7200.0)
                .cpu(5000.0)
                .foreground("log file sync", 1e4, 20.0)
                .stat("parse time elapsed", centiseconds)
        };
        assert!(hour(50_000.0).missing(run).contains("hard parse elapsed time"));
        hour(30_000.0).not_found(run);
        parsing(500.0, 20.0).not_found(run);
    }

    #[test]
    fn without_parse_time_it_cannot_tell_unless_neither_cpu_nor_waits_leave_room() {
        let hour = |cpu, s| Hour::new(7200.0).cpu(cpu).foreground("latch: shared pool", 1e5, s);
        assert!(hour(3_000.0, 3_000.0).missing(run).contains("parse time elapsed"));
        // Parsing is CPU where nothing waits for it.
        assert!(hour(3_000.0, 20.0).missing(run).contains("parse time elapsed"));
        // 2.6 % of DB time: without the length of the interval it may be much, and so may the waits.
        let alone = Hour::new(38_600.0).time_model("parse time elapsed", 1_000.0);
        let alone = alone.with(|r| r.identity.elapsed_s = None).missing(run);
        assert!(alone.contains("waits for the library cache"), "{alone}");
        hour(30.0, 5.0).foreground("db file sequential read", 1e6, 7_150.0).not_found(run);
    }

    #[test]
    fn a_signature_was_advised_to_a_release_without_it() {
        let says = |version: &str| {
            let hour = parsing(900.0, 776.7).with(|r| r.identity.version = Some(version.to_owned()));
            hour.found(run).actions.concat()
        };
        assert!(says("10.1.0.3.0").contains("SQL_TEXT in V$SQLAREA"), "{}", says("10.1.0.3.0"));
        assert!(!says("10.1.0.3.0").contains("SIGNATURE") && says("10.2.0.1.0").contains("SIGNATURE"));
    }
}
