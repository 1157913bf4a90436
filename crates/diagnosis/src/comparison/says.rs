//! The comparison in sentences: what changed by how much, what explains it, what was work and what was
//! speed, and how sure that is. Every sentence is made from the figures beside it, for any pair.

use super::amount::Amount;
use super::basis::{Basis, Per};
use super::latency::{LatencyChange, Move, most_moved, share};
use super::metrics::{MetricChange, of};
use super::side::SideTotal;
use super::significance::{Outcome, Test, p_said};
use super::statements::StatementChange;
use super::waterfall::{StepKind, Waterfall};
use crate::words;
use spindle_facts::{Interval, Side, expected_commit_wait};

/// A part of the change that is named, percent of it.
pub(super) const NAMED_PCT: f64 = 5.0;
/// Work that changed by less than this is not worth a word, percent.
const WORK_PCT: f64 = 5.0;
/// Calls and parses that changed by less are not worth a word, percent.
const CALLS_PCT: f64 = 20.0;
/// Fewer blocks, requests or executions a second than this on both sides are no work worth a word.
const LEAST_RATE: f64 = 1.0;
/// DB time that changed by less is much the same, percent.
const MUCH_THE_SAME_PCT: f64 = 1.0;
/// A part of the change worth a figure, share of it.
const LEAST_SHARE: f64 = 0.001;
/// From this share on, what is not explained is said first.
const LARGE_SHARE: f64 = 0.5;
/// Least share of the mean square of the writes at which a tail is called the cause, percent.
const CAUSE_PCT: f64 = 50.0;
/// Where the log writer writes less of the time than this, most commits wait for their own write alone, and
/// the squares of the writes say little of them.
const LEAST_WROTE_PCT: f64 = 30.0;
/// Share of the change of commits that log writes explain for certain, below which it is nothing and they are
/// no cause.
const LEAST_EXPLAINED_PCT: f64 = 1.0;
/// Share of a gain that is faster storage for certain, below which none of it is called that.
const SHOWN: f64 = 0.05;
/// A part of the change up to this much of it is said as such, percent.
const HALF_PCT: f64 = 50.0;
/// Fewer waits for commits than this are no sample.
const LEAST_COMMITS: f64 = 100.0;
/// Fewer transactions than this say nothing of what one does.
const LEAST_TRANSACTIONS: f64 = 1000.0;
/// Below this, a ratio is said as what is left.
const SMALL_PART: f64 = 0.1;
/// Beyond this many times the transactions, one is not the other's like.
const ANOTHER_LOAD: f64 = 10.0;

/// What both sides have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Same {
    No,
    /// The same intervals, in other files: what is not used of them may differ.
    Interval,
    /// The same files.
    Report,
}

/// What sentences are made of.
pub(crate) struct Known<'a> {
    pub(crate) before: &'a SideTotal,
    pub(crate) after: &'a SideTotal,
    pub(crate) basis: &'a Basis,
    pub(crate) per: Per,
    pub(crate) waterfall: &'a Waterfall,
    pub(crate) metrics: &'a [MetricChange],
    pub(crate) latency: &'a [LatencyChange],
    pub(crate) statements: &'a [StatementChange],
    pub(crate) tests: &'a [Test],
    pub(crate) same: Same,
    /// The sides are of two databases, or sums of other ones: nothing changed, they differ.
    pub(crate) two_databases: bool,
}

/// The interval of a change, without its sign.
fn bounds(test: &Test, said: impl Fn(f64) -> String) -> String {
    let (low, high) = (test.interval.low.abs(), test.interval.high.abs());
    let confidence = test.confidence_pct.map_or(String::new(), |c| format!(" at {c:.0} % confidence"));
    format!(" ({} to {}{confidence})", said(low.min(high)), said(low.max(high)))
}

/// What a test rests on: its probability, the intervals and as how many independent ones they count.
fn basis_of(test: &Test) -> String {
    let (n, m) = test.intervals;
    let p = test.p_value.unwrap_or(f64::NAN);
    format!(
        "{}{}, over {n} and {m} intervals, {}",
        p_said(p),
        if test.is_least_p() { ", the least that so many can show" } else { "" },
        match test.independent {
            None => "taken as independent: too few to see how alike they are".to_owned(),
            Some(count) if count < (n + m) as f64 => {
                format!("which count as at least {}", words::significant(count))
            }
            Some(_) => "whose neighbours are not alike".to_owned(),
        }
    )
}

fn fell(delta: f64) -> &'static str {
    if delta < 0.0 { "fell" } else { "rose" }
}

/// A change in percent, or in times where it is large: `26 % more`, `14 times as many`.
fn more(ratio: f64) -> String {
    if ratio >= 3.0 {
        format!("{} times as many", words::significant(ratio))
    } else if ratio >= 1.0 {
        format!("{} more", words::percent(100.0 * (ratio - 1.0)))
    } else if ratio > 0.0 && ratio < SMALL_PART {
        format!("{} as many", words::percent(100.0 * ratio))
    } else {
        format!("{} fewer", words::percent(100.0 * (1.0 - ratio)))
    }
}

/// A change with its sign: `+26 %`, `14 times`, `0.3 % of before`; -100 % is nothing left at all.
fn change(ratio: f64) -> String {
    if ratio >= 3.0 {
        format!("{} times", words::significant(ratio))
    } else if ratio > 0.0 && ratio < SMALL_PART {
        format!("{} of before", words::percent(100.0 * ratio))
    } else {
        format!("{:+.0} %", 100.0 * (ratio - 1.0))
    }
}

/// ` (0.00555 before, 0.368 after)`, where a change is said in times or as a small part: of what, it does not say.
fn from_to(m: &MetricChange) -> String {
    let far = m.ratio.is_none_or(|ratio| !(SMALL_PART..3.0).contains(&ratio));
    m.before.zip(m.after).filter(|_| far).map_or(String::new(), |(before, after)| {
        format!(" ({} before, {} after)", words::significant(before), words::significant(after))
    })
}

/// Ratios whose bounds are further apart than this part are said by both ends.
const WIDE: f64 = 1.1;

/// The change of a figure with its sign, from the least to the most that rounding leaves where these are far apart.
pub(super) fn change_of(m: &MetricChange) -> String {
    let Some(ratio) = m.ratio else { return String::new() };
    match m.ratio_low.zip(m.ratio_high) {
        Some((low, high)) if !high.is_finite() => format!("{} or more", change(low)),
        Some((low, high)) if high > WIDE * low => format!("{} to {}", change(low), change(high)),
        _ => change(ratio),
    }
}

/// A difference with its sign.
fn signed(basis: &Basis, delta: f64) -> String {
    format!("{}{}", if delta < 0.0 { "-" } else { "+" }, basis.say(delta))
}

/// The first three names, and how many more there are; `None` of none.
fn first_three(all: Vec<String>) -> Option<String> {
    let more = all.len().saturating_sub(3);
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    (!all.is_empty()).then(|| format!("{}{more}", all[..all.len().min(3)].join(", ")))
}

fn pct1(pct: f64) -> String {
    format!("{pct:.1} %")
}

impl Known<'_> {
    /// Change of each event as printed, whatever of it a step of a plan takes.
    fn by_event(&self) -> Vec<(&str, f64)> {
        let mut events: Vec<(&str, f64)> =
            self.waterfall.events.iter().map(|(event, change)| (event.as_str(), change.value)).collect();
        events.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(b.0)));
        events
    }

    /// Did an event change beyond what rounding could make?
    fn is_shown(&self, event: &str) -> bool {
        self.waterfall.events.iter().any(|(name, change)| name == event && !change.may_be_nothing())
    }

    /// Figures a second that both sides print and that are not the same, the first three by name.
    fn other_figures(&self) -> Option<String> {
        // What is said to the percent has to differ by one.
        let differs = |m: &&MetricChange| {
            let shown = m.ratio.is_none() || m.differs(0.5);
            m.per == "second" && m.before.is_some() && m.after.is_some() && m.before != m.after && shown
        };
        let named =
            |m: &MetricChange| m.ratio.map_or(m.name.clone(), |_| format!("{} {}", m.name, change_of(m)));
        first_three(self.metrics.iter().filter(differs).map(named).collect())
    }

    /// Figures a second that one side alone prints: those are unknown, and no others.
    fn one_sided_figures(&self) -> Vec<String> {
        let of = |which: &str, is: fn(&MetricChange) -> bool| {
            let names = self
                .metrics
                .iter()
                .filter(|m| m.per == "second" && is(m))
                .map(|m| m.name.strip_suffix(" a second").unwrap_or(&m.name).to_owned());
            let named = first_three(names.collect())?;
            Some(format!(" Not printed {which}, so unknown there: {named}."))
        };
        let lacking = [
            of("before", |m| m.before.is_none() && m.after.is_some()),
            of("after", |m| m.before.is_some() && m.after.is_none()),
        ];
        lacking.into_iter().flatten().collect()
    }

    fn cpu(&self) -> Option<f64> {
        let (b, a) = (self.before.cpu_s?, self.after.cpu_s?);
        Some(a.value / self.basis.after.value - b.value / self.basis.before.value)
    }

    /// Is a change of CPU next to nothing, both of CPU and of the change of DB time? The last digits of a counter,
    /// divided by another, are no change.
    fn is_nothing(&self, cpu: f64, delta: f64) -> bool {
        let side = |s: &SideTotal, by: f64| s.cpu_s.map_or(0.0, |t| t.value / by);
        let of = side(self.before, self.basis.before.value).max(side(self.after, self.basis.after.value));
        cpu.abs() < LEAST_SHARE * of && cpu.abs() < LEAST_SHARE * delta.abs()
    }

    /// The wait whose mean changed most among those that matter for the change.
    fn focus(&self, delta: f64) -> Option<(&str, f64)> {
        let ratio = |event: &str| -> f64 {
            let side =
                |s: &SideTotal| s.event(event, spindle_facts::Side::Foreground).and_then(|e| e.mean_us());
            match (side(self.before), side(self.after)) {
                (Some(b), Some(a)) if b > 0.0 && a > 0.0 => (a / b).ln().abs().min(2.0),
                _ => 2.0,
            }
        };
        // How much, times how differently: what merely comes more often weighs little.
        let weight = |(event, d): &(&str, f64)| d.abs() * (ratio(event) + 0.1);
        self.by_event()
            .into_iter()
            .filter(|(event, d)| 100.0 * d.abs() >= NAMED_PCT * delta.abs() && self.is_shown(event))
            .max_by(|a, b| weight(a).total_cmp(&weight(b)))
    }

    /// The answer, and what stands behind it.
    pub(crate) fn sentences(&self) -> (String, Vec<String>) {
        let mut says = Vec::new();
        if !self.basis.comparable {
            return self.of_times_unknown();
        }
        let Some(db_time) = self.waterfall.db_time else {
            let events = self.by_event();
            let mut answer =
                "DB time is not known on both sides, so its change cannot be explained.".to_owned();
            if self.two_databases {
                return (answer, self.work().into_iter().collect());
            }
            if let Some((event, delta)) = events.iter().find(|(event, _)| self.is_shown(event)) {
                answer.push_str(&format!(
                    " The largest change of a wait is that of {event}, which {} by {}.",
                    fell(*delta),
                    self.basis.say(*delta)
                ));
            }
            says.extend(self.commits());
            says.extend(self.work());
            return (answer, says);
        };
        let quiet = self.waterfall.steps.is_empty() && db_time.value == 0.0;
        if quiet {
            let lacking = self.one_sided_figures().concat();
            // CPU that a side does not print is a part of DB time that is not known to be the same.
            let parts = if self.before.cpu_s.is_some() == self.after.cpu_s.is_some() {
                "its parts are"
            } else {
                "the parts of it that both sides print are"
            };
            if let Some(differ) = self.other_figures() {
                let same = format!("DB time and {parts} the same on both sides");
                return (format!("{same}, but other figures are not: {differ}.{lacking}"), Vec::new());
            }
            if !lacking.is_empty() {
                return (format!("DB time and {parts} the same on both sides.{lacking}"), Vec::new());
            }
            let why = match self.same {
                Same::Report => "both sides are the same report",
                Same::Interval => "both sides are the same interval, and the figures used are the same",
                Same::No => "both sides print the same figures",
            };
            let nothing = if self.two_databases { "Nothing differs" } else { "Nothing changed" };
            return (format!("{nothing}: {why}."), Vec::new());
        }
        if self.two_databases {
            return (self.difference(db_time.value), self.work().into_iter().collect());
        }
        let answer = self.headline(db_time);
        says.extend(self.unexplained(db_time.value));
        // Commits that are next to nothing of the change come after what is more of it.
        let sync = self.by_event().into_iter().find(|(event, _)| *event == "log file sync");
        let little = sync.is_none_or(|(_, d)| 100.0 * d.abs() < NAMED_PCT * db_time.value.abs());
        let commits: Vec<String> = self.commits().into_iter().chain(self.tail()).collect();
        if little {
            says.extend(self.work());
        } else {
            says.extend(commits.iter().cloned());
        }
        says.extend(self.speed_and_work());
        if little {
            says.extend(commits);
        } else {
            says.extend(self.work());
        }
        says.extend(self.plans());
        says.extend(self.length());
        // What many intervals show stands first: it says what the rest is worth.
        let several = self.tests.iter().any(|t| t.intervals != (1, 1));
        let at = if several { 0 } else { says.len() };
        says.splice(at..at, self.certainty().into_iter().chain(self.certain_others()));
        says.splice(0..0, self.certain_latencies());
        (answer, says)
    }

    fn headline(&self, db_time: Amount) -> String {
        let delta = db_time.value;
        let side = |s: &SideTotal, by: f64| s.db_time_s.map_or(0.0, |t| t.value / by);
        let (b, a) = (side(self.before, self.basis.before.value), side(self.after, self.basis.after.value));
        let of_before = match a / b {
            times if b <= 0.0 || !times.is_finite() => String::new(),
            times if times >= 3.0 => format!(" ({} times as much)", words::significant(times)),
            _ => format!(" ({})", pct1(100.0 * delta.abs() / b)),
        };
        if b > 0.0 && 100.0 * delta.abs() < MUCH_THE_SAME_PCT * b {
            return format!(
                "DB time is much the same: {} before, {} after ({}).",
                self.basis.say(b),
                self.basis.say(a),
                self.small_change(db_time, b)
            );
        }
        if db_time.low <= 0.0 && db_time.high >= 0.0 {
            return format!(
                "DB time did not change beyond rounding: {} before, {} after.",
                self.basis.say(b),
                self.basis.say(a)
            );
        }
        let mut answer = format!(
            "DB time {} by {}{of_before}, from {} to {}",
            fell(delta),
            self.basis.say(delta),
            self.basis.say(b),
            self.basis.say(a)
        );
        if self.basis.name == "second" {
            answer.push_str(" (seconds a second: average active sessions)");
        }
        answer.push('.');
        let cpu = self.cpu();
        let focus = self.focus(delta);
        let whole = [self.before, self.after].map(|s| s.whole_foreground);
        // What is most of it comes first: a wait of a twentieth does not lead.
        let nothing = self.waterfall.unexplained.map(|u| u.value).filter(|_| whole == [true, true]);
        let leads = |d: f64| {
            (d < 0.0) == (delta < 0.0)
                && d.abs() >= LARGE_SHARE * delta.abs()
                && d.abs() > focus.map_or(0.0, |f| f.1.abs())
        };
        let first = cpu
            .filter(|d| leads(*d))
            .map(|d| ("CPU", "makes", d))
            .into_iter()
            .chain(
                nothing
                    .filter(|d| cpu.is_some() && leads(*d))
                    .map(|d| ("What neither CPU nor a printed wait explains", "is", d)),
            )
            .max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
        if let Some((what, verb, d)) = first {
            answer.push_str(&if d.abs() > delta.abs() {
                format!(
                    " {what} {} by {}, more than that: other parts made up for it.",
                    fell(d),
                    self.basis.say(d)
                )
            } else {
                format!(" {what} {verb} {} of that ({}).", self.basis.say(d), pct1(100.0 * d / delta))
            });
        }
        if let Some(sentence) = self.leading_plan(delta) {
            answer.push_str(&sentence);
        }
        if let Some((event, d)) = focus {
            answer.push_str(&if (d < 0.0) == (delta < 0.0) && d.abs() > delta.abs() {
                format!(
                    " {event} {} by {}, more than that: other parts made up for it.",
                    fell(d),
                    self.basis.say(d)
                )
            } else if (d < 0.0) == (delta < 0.0) {
                format!(" {event} makes {} of that ({}).", self.basis.say(d), pct1(100.0 * d / delta))
            } else {
                format!(" Against that, {event} {} by {}.", fell(d), self.basis.say(d))
            });
        }
        let others: Vec<(&str, f64)> =
            self.by_event().into_iter().filter(|(event, _)| Some(*event) != focus.map(|f| f.0)).collect();
        let printed: f64 = others.iter().map(|e| e.1).sum();
        // What neither CPU nor a printed wait makes is a figure of its own.
        let left = delta - cpu.unwrap_or(0.0) - focus.map_or(0.0, |f| f.1) - printed;
        let waits = if focus.is_some() { "other waits" } else { "waits" };
        let mut clauses = String::new();
        match cpu {
            Some(_) if first.is_some_and(|f| f.0 == "CPU") => {}
            Some(0.0) => clauses.push_str("CPU is the same on both sides"),
            Some(d) if self.is_nothing(d, delta) => clauses.push_str("CPU is much the same on both sides"),
            Some(cpu) => clauses.push_str(&format!("CPU {} by {}", fell(cpu), self.basis.say(cpu))),
            None => clauses.push_str("CPU is not printed on both sides"),
        }
        let said_printed = printed.abs() >= LEAST_SHARE * delta.abs();
        if said_printed {
            let names: Vec<String> = others
                .iter()
                .filter(|(event, d)| (*d < 0.0) == (printed < 0.0) && self.is_shown(event))
                .take(2)
                .map(|(e, d)| format!("{e} {}", self.basis.say(*d)))
                .collect();
            let what = match (whole == [true, true], focus.is_some()) {
                (true, _) => waits,
                (false, true) => "other printed waits",
                (false, false) => "printed waits",
            };
            clauses.push_str(&format!(
                "{}{what} {} by {} ({})",
                if clauses.is_empty() { "" } else { ", " },
                fell(printed),
                self.basis.say(printed),
                names.join(", ")
            ));
        }
        let said_first = first.is_some_and(|f| f.0 != "CPU");
        if left.abs() >= LEAST_SHARE * delta.abs() && !said_first {
            let what = match (whole, cpu.is_some()) {
                ([true, true], true) => "what neither explains".to_owned(),
                ([true, true], false) => "what is left, CPU among it,".to_owned(),
                ([false, false], true) => format!("so {waits}, not printed here,"),
                (_, true) => format!("so {waits}, not printed on both sides,"),
                (_, false) => format!("so what is not printed, CPU and {waits}, together"),
            };
            clauses.push_str(&format!(
                "{}{what} {} by {}",
                match what.starts_with("so") {
                    _ if clauses.is_empty() => "",
                    true => ", ",
                    false => "; ",
                },
                fell(left),
                self.basis.say(left)
            ));
        }
        // Names of events keep their letters: only our own words begin a sentence.
        let mut letters = clauses.chars();
        if let Some(first) = letters.next() {
            answer.push_str(&format!(" {}{}.", first.to_ascii_uppercase(), letters.as_str()));
        }
        answer
    }

    /// A change of DB time in percent, from the least to the most that rounding leaves; of two periods of one report
    /// by the difference that it prints.
    fn small_change(&self, db_time: Amount, before: f64) -> String {
        let (mut low, mut high) = (100.0 * db_time.low / before, 100.0 * db_time.high / before);
        let lengths = self.before.elapsed_s.zip(self.after.elapsed_s);
        let by_time = self.basis.name == "second" || lengths.is_some_and(|(b, a)| b == a);
        if self.per != Per::Transaction
            && by_time
            && let Some(printed) = self.before.printed_ratios(self.after).and_then(|of| of.get("DB time"))
        {
            let (least, most) = (100.0 * (printed.low - 1.0), 100.0 * (printed.high - 1.0));
            let within = (low.max(least), high.min(most));
            if within.0 <= within.1 {
                // Both ends of a tenth read like two of them.
                let value = (100.0 * (printed.value - 1.0)).clamp(within.0, within.1);
                (low, high) = (value, value);
            }
        }
        let (least, most) = (format!("{low:+.1}"), format!("{high:+.1}"));
        if least == most { format!("{most} %") } else { format!("{least} to {most} %") }
    }

    /// Two databases held side by side: what differs, and no word of better or worse.
    fn difference(&self, delta: f64) -> String {
        let side = |s: &SideTotal, by: f64| s.db_time_s.map_or(0.0, |t| t.value / by);
        let (b, a) = (side(self.before, self.basis.before.value), side(self.after, self.basis.after.value));
        let mut parts: Vec<(&str, f64)> = self.by_event();
        parts.retain(|(event, _)| self.is_shown(event));
        parts.extend(self.cpu().map(|cpu| ("CPU", cpu)));
        parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(b.0)));
        let named: Vec<String> =
            parts.iter().take(3).map(|(name, d)| format!("{name} {}", signed(self.basis, *d))).collect();
        let mut said = format!(
            "DB time differs by {}: {} before, {} after.",
            self.basis.say(delta),
            self.basis.say(b),
            self.basis.say(a)
        );
        if !named.is_empty() {
            said.push_str(&format!(" Largest differences: {}.", named.join(", ")));
        }
        said
    }

    /// What neither CPU nor a wait explains, where that is most of the change: how much on either side, and
    /// what makes such time.
    fn unexplained(&self, delta: f64) -> Option<String> {
        let left = self.waterfall.unexplained?.value;
        let whole = self.before.whole_foreground && self.after.whole_foreground;
        // Of a change that rounding may have made nothing is the cause.
        let rounding = self.waterfall.db_time.is_some_and(|d| d.low <= 0.0 && d.high >= 0.0);
        if !whole || rounding || left.abs() < LARGE_SHARE * delta.abs() || self.cpu().is_none() {
            return None;
        }
        let longer: Vec<String> = [("before", self.before), ("after", self.after)]
            .into_iter()
            .filter_map(|(which, side)| {
                let longest = side.overlong.as_ref()?;
                Some(format!(
                    "{} {which} took {} in an interval of {}",
                    longest.name,
                    words::seconds(longest.elapsed_s),
                    words::seconds(longest.interval_s)
                ))
            })
            .collect();
        let statements = match longer.as_slice() {
            [] => String::new(),
            some => {
                format!(": {}, so it was counted from an earlier start, or ran in parallel", some.join(", "))
            }
        };
        Some(format!(
            "Most of the change is neither CPU nor a printed wait ({}): calls counted from an earlier start, a queue for \
             the CPU, or waits not printed{statements}.{}",
            signed(self.basis, left),
            self.host().unwrap_or_default()
        ))
    }

    /// How busy the host was, and what waited for its CPUs: by the second, since lengths may differ.
    fn host(&self) -> Option<String> {
        let (b, a) = self.before.host_busy_pct.zip(self.after.host_busy_pct)?;
        // Databases of one host count its processes each.
        let waited = |s: &SideTotal| {
            let waited_s = s.total("CPU waited for").filter(|_| s.databases < 2)?;
            Some(waited_s / s.elapsed_s.filter(|s| *s > 0.0)?)
        };
        let queue = waited(self.before).zip(waited(self.after)).map_or(String::new(), |(b, a)| {
            format!(
                ", and processes waited for a CPU {} s a second before, {} after (OS_CPU_WAIT_TIME)",
                words::significant(b),
                words::significant(a)
            )
        });
        Some(format!(" The host was busy {} before, {} after{queue}.", words::percent(b), words::percent(a)))
    }

    pub(super) fn commits(&self) -> Option<String> {
        let l = self.latency.iter().find(|l| l.event == "log file sync")?;
        let (b, a) = (l.before.avg_us?, l.after.avg_us?);
        let moved = l.shift.mean?;
        if moved == Move::NotShown {
            return None;
        }
        // What holds for all commits together need not hold for the intervals: those decide.
        let test = self.tests.iter().find(|t| t.metric == "commit wait" && t.intervals != (1, 1));
        if let Some(test) =
            test.filter(|t| matches!(t.verdict, Outcome::NotShown | Outcome::TooFew | Outcome::OtherDays))
        {
            let p = test.p_value.map_or(String::new(), |p| format!(" ({})", p_said(p)));
            return Some(format!(
                "Commits: log file sync took {} before, {} after over all commits; over the intervals a change is not shown{p}.",
                words::latency(b),
                words::latency(a)
            ));
        }
        // A mean of a handful is that of its slowest.
        let fewest = l.before.waits.zip(l.after.waits).map(|(b, a)| b.min(a));
        if let Some(few) = fewest.filter(|few| *few < LEAST_COMMITS) {
            return Some(format!(
                "Commits: log file sync took {} before, {} after, of {} waits on one side: too few to say more.",
                words::latency(b),
                words::latency(a),
                words::count(few)
            ));
        }
        let better = moved == Move::Faster;
        let how = if better { "improved" } else { "got worse" };
        let (lengths, each) = match self.per {
            Per::Transaction => ((self.basis.before.value, self.basis.after.value), " a transaction"),
            _ => (self.lengths(), ""),
        };
        let count = l.before.waits.zip(l.after.waits).filter(|(b, _)| *b > 0.0);
        let known = self.basis.comparable;
        let count = match count.filter(|_| known).map(|(b, a)| a / lengths.1 / (b / lengths.0)) {
            Some(ratio) if 100.0 * (ratio - 1.0).abs() >= WORK_PCT => {
                let against = (ratio > 1.0) == better;
                format!(", {} {}{each}", if against { "though there were" } else { "with" }, more(ratio))
            }
            _ => String::new(),
        };
        Some(format!(
            "Commits {how}: log file sync took {} before, {} after{count}.",
            words::latency(b),
            words::latency(a)
        ))
    }

    /// Lengths to set counts against each other.
    fn lengths(&self) -> (f64, f64) {
        self.before.elapsed_s.zip(self.after.elapsed_s).unwrap_or((1.0, 1.0))
    }

    fn tail(&self) -> Option<String> {
        let sync = self.latency.iter().find(|l| l.event == "log file sync").and_then(|l| l.shift.mean);
        let l = self.latency.iter().find(|l| l.event == "log file parallel write")?;
        let (bar, b, a) = (l.tail_us?, l.before.beyond_tail_pct?, l.after.beyond_tail_pct?);
        let moved = l.shift.tail?;
        if moved == Move::NotShown || sync != Some(moved) {
            return None;
        }
        let (worse, when) = if moved == Move::Faster { (&l.before, "before") } else { (&l.after, "after") };
        let least = worse.tail_of_square_pct?;
        // Whether the writes explain the change of the commits at all decides first.
        let effect =
            self.waterfall.steps.iter().find(|s| s.kind == StepKind::Latency && s.of == "log file sync");
        let explained = effect.and_then(|step| {
            let bounds = self.by_log_writes(step.delta_s)?;
            let (one, other) = (bounds.low.abs(), bounds.high.abs());
            Some((100.0 * one.min(other) / step.delta_s.abs(), 100.0 * one.max(other) / step.delta_s.abs()))
        });
        let least_explained = explained.map(|e| e.0);
        let side = if moved == Move::Faster { self.before } else { self.after };
        let wrote = worse.waits.zip(worse.avg_us).zip(side.instance_s.filter(|s| *s > 0.0));
        let wrote_pct = wrote.map(|((waits, us), seconds)| 100.0 * waits * us / 1e6 / seconds);
        let cause = if explained.is_some_and(|(_, most)| most < LEAST_EXPLAINED_PCT) {
            "the commits do not follow it: log writes explain none of their change".to_owned()
        } else if let Some(pct) = wrote_pct.filter(|pct| *pct < LEAST_WROTE_PCT) {
            format!(
                "its tail may contribute: the log writer wrote {} of the time {when}, so few commits met a write under way",
                words::percent(pct)
            )
        } else if let Some(pct) = least_explained.filter(|pct| *pct < LEAST_EXPLAINED_PCT) {
            format!(
                "whether its tail is behind the commits is not shown: log writes explain at least {} of their change",
                words::percent(pct)
            )
        } else if let Some((sure, most)) = explained.filter(|e| least >= CAUSE_PCT && e.0 < CAUSE_PCT) {
            let most = if most > 99.0 { "all".to_owned() } else { words::percent(most) };
            format!(
                "its tail is the cause of what log writes explain of the commits, {} to {most} of their change: writes count by their square, and those made at least {least:.0} % of it {when}",
                words::percent(sure)
            )
        } else if least >= CAUSE_PCT {
            format!(
                "its tail is the cause: a commit waits for the write under way, so writes count by their square, and those made at least {least:.0} % of it {when}"
            )
        } else {
            let bucket = most_moved(l, moved).map_or(String::new(), |b| format!("; most moved {b}"));
            format!(
                "its tail may contribute (at least {least:.0} % of the squares, by which commits wait){bucket}"
            )
        };
        Some(format!(
            "log file parallel write over {}: {} before, {} after; {cause}.",
            words::latency(bar),
            share(b),
            share(a)
        ))
    }

    /// Seconds of the change of `log file sync` that faster or slower log writes can explain, as bounds:
    /// mean commits times the change of the wait that the writes alone would make. `None` where a side
    /// lacks their histogram.
    fn by_log_writes(&self, effect: f64) -> Option<Interval> {
        let model = |s: &SideTotal| {
            let write = s.event("log file parallel write", Side::Background)?;
            let histogram = s.histograms.get("log file parallel write")?;
            let (time_s, writes) = (write.time_s?.value, write.waits?.value);
            Some(expected_commit_wait(histogram, time_s, writes, s.instance_s?)?.commit_wait_us)
        };
        let waits = |s: &SideTotal| Some(s.event("log file sync", Side::Foreground)?.waits?.value);
        let (b, a) = (model(self.before)?, model(self.after)?);
        let mean = f64::midpoint(
            waits(self.before)? / self.basis.before.value,
            waits(self.after)? / self.basis.after.value,
        );
        let (low, high) = ((a.low - b.high) * mean / 1e6, (a.high - b.low) * mean / 1e6);
        // No more than all of it, and nothing where they went the other way.
        let within = |v: f64| if effect < 0.0 { v.clamp(effect, 0.0) } else { v.clamp(0.0, effect) };
        (!low.is_nan() && !high.is_nan()).then(|| Interval::between(within(low), within(high)))
    }

    /// Another plan of one statement, where that is most of the change.
    fn leading_plan(&self, delta: f64) -> Option<String> {
        let largest = self.waterfall.steps.first().filter(|s| s.kind == StepKind::Plan)?;
        let d = largest.delta_s;
        if (d < 0.0) != (delta < 0.0) || d.abs() < LARGE_SHARE * delta.abs() {
            return None;
        }
        let of = &largest.of;
        Some(if d.abs() > delta.abs() {
            format!(
                " With another plan {of} alone takes {} {}: other parts made up for it.",
                self.basis.say(d),
                if d < 0.0 { "less" } else { "more" }
            )
        } else {
            format!(
                " Another plan of {of} is {} of that ({}), in CPU and waits for I/O.",
                self.basis.say(d),
                pct1(100.0 * d / delta)
            )
        })
    }

    /// Faster or slower answers against more or less asked of storage. A commit waits for more than its
    /// log write, so commits stand apart, with what the writes can explain of them.
    fn speed_and_work(&self) -> Option<String> {
        let sum = |kinds: &[StepKind], classes: &[&str]| -> f64 {
            let steps = self.waterfall.steps.iter().filter(|s| kinds.contains(&s.kind));
            steps
                .filter(|s| s.wait_class.as_deref().is_some_and(|c| classes.contains(&c)))
                .map(|s| s.delta_s)
                .sum()
        };
        let io = sum(&[StepKind::Latency], &["User I/O", "System I/O"]);
        let commits = sum(&[StepKind::Latency], &["Commit"]);
        let asked = [StepKind::Volume, StepKind::New, StepKind::Vanished];
        let work = sum(&asked, &["User I/O", "System I/O"]);
        let more_commits = sum(&asked, &["Commit"]);
        let delta = self.waterfall.db_time?.value;
        let largest = [io, commits, work, more_commits].into_iter().map(f64::abs).fold(0.0, f64::max);
        if 100.0 * largest < NAMED_PCT * delta.abs() {
            return None;
        }
        let writes = || match self.by_log_writes(commits) {
            None => String::new(),
            Some(s) if s.low.abs().max(s.high.abs()) < 0.01 * commits.abs() => {
                " (none of it by log writes: load, queues or CPU)".to_owned()
            }
            Some(s) if s.low.abs().min(s.high.abs()) > 0.95 * commits.abs() => {
                " (log writes explain it)".to_owned()
            }
            Some(s)
                if s.low.abs().max(s.high.abs()) > 0.99 * commits.abs()
                    && s.low.abs().min(s.high.abs()) < 0.01 * commits.abs() =>
            {
                " (log writes may explain all of it or none)".to_owned()
            }
            Some(s) => {
                let (least, most) = (s.low.abs().min(s.high.abs()), s.low.abs().max(s.high.abs()));
                let most = self.basis.say(most);
                if s.low.abs().max(s.high.abs()) > 0.99 * commits.abs() {
                    format!(" (log writes explain at least {})", self.basis.say(least))
                } else if least < 0.01 * commits.abs() {
                    format!(" (log writes explain at most {most}; the rest is load, queues or CPU)")
                } else {
                    format!(
                        " (log writes explain {} to {most}; the rest is load, queues or CPU)",
                        self.basis.say(least)
                    )
                }
            }
        };
        let reads = || {
            // Of what the step is divided by: a longer interval reads no more a transaction.
            let (name, each) = match self.per {
                Per::Transaction => ("physical reads a transaction", " a transaction"),
                _ => ("physical reads a second", ""),
            };
            let ratio = of(self.metrics, name).filter(|m| m.differs(WORK_PCT)).and_then(|m| m.ratio);
            match ratio {
                Some(ratio) if 100.0 * (ratio - 1.0).abs() >= WORK_PCT && ((ratio < 1.0) == (work < 0.0)) => {
                    let how = if ratio < 1.0 { "fell" } else { "rose" };
                    let by = if ratio >= 3.0 {
                        format!("to {} times", words::significant(ratio))
                    } else {
                        words::percent(100.0 * (ratio - 1.0).abs())
                    };
                    format!(" (physical reads{each} {how} {by}, which storage does not do)")
                }
                _ => String::new(),
            }
        };
        let pick = |d: f64, less: &'static str, more: &'static str| if d < 0.0 { less } else { more };
        let planned = self.waterfall.steps.iter().any(|s| s.kind == StepKind::Plan);
        let mut parts: Vec<(f64, &str, String)> = vec![
            (io, pick(io, "faster I/O", "slower I/O"), String::new()),
            (commits, pick(commits, "faster commits", "slower commits"), String::new()),
            match planned {
                // What other plans ask more or less is a step of its own.
                true => (work, pick(work, "fewer other I/O waits", "more other I/O waits"), String::new()),
                false => (work, pick(work, "fewer I/O waits", "more I/O waits"), String::new()),
            },
            (more_commits, pick(more_commits, "fewer commit waits", "more commit waits"), String::new()),
        ];
        parts[1].2 = writes();
        parts[2].2 = reads();
        parts.retain(|p| 100.0 * p.0.abs() >= largest);
        let together: f64 = parts.iter().map(|p| p.0).sum();
        let (main, against): (Vec<_>, Vec<_>) = parts.iter().partition(|p| (p.0 < 0.0) == (together < 0.0));
        let sum = |parts: &[&(f64, &str, String)]| parts.iter().map(|p| p.0).sum::<f64>();
        // What goes the other way is a remark, unless it is much of it.
        let one_way = 4.0 * sum(&against).abs() < sum(&main).abs();
        let join = |said: Vec<String>| -> String {
            match said.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, first)) => format!("{} and {last}", first.join(", ")),
                None => String::new(),
            }
        };
        // Only where some of it is storage, and some is not.
        let asked = main.iter().any(|p| p.1.ends_with("waits"));
        Some(if one_way && asked && main.len() > 1 {
            let (gain, better, back) = if together < 0.0 {
                ("gain", "faster", "took back")
            } else {
                ("loss", "slower", "made up for")
            };
            let said = main.iter().map(|(d, what, more)| format!("{} is {what}{more}", self.basis.say(*d)));
            let rest = against.iter().map(|(d, what, _)| format!("; {what} {back} {}", self.basis.say(*d)));
            // What storage did for certain: faster I/O, and commits as far as log writes explain them.
            let this_way = |d: f64| (d < 0.0) == (together < 0.0);
            let explained = self.by_log_writes(commits).map_or(0.0, |s| s.low.abs().min(s.high.abs()));
            let shown =
                if this_way(io) { io.abs() } else { 0.0 } + if this_way(commits) { explained } else { 0.0 };
            let of_commits = self.by_log_writes(commits).map(|s| s.low.abs().max(s.high.abs()));
            let most = if this_way(io) { io.abs() } else { 0.0 }
                + if this_way(commits) { of_commits.unwrap_or(commits.abs()) } else { 0.0 };
            let whole = self.before.whole_foreground && self.after.whole_foreground;
            let most_pct = 100.0 * most / delta.abs();
            let how_much = if shown <= LEAST_SHARE * sum(&main).abs() {
                format!("It is not shown that {better} storage is any of the {gain}.")
            } else if whole && this_way(delta) && most_pct <= HALF_PCT {
                // Beside what nothing explains, a part of the waits is little of DB time.
                let change = if delta < 0.0 { "gain" } else { "rise" };
                format!(
                    "At most {} of the {change} of DB time is {better} storage.",
                    words::percent(most_pct)
                )
            } else if shown < SHOWN * sum(&main).abs() {
                format!("Little of the {gain} is shown to be {better} storage.")
            } else {
                format!("Not all of the {gain} is {better} storage.")
            };
            format!(
                "{how_much} Of {} of I/O and commit waits, {}{}.",
                self.basis.say(sum(&main)),
                join(said.collect()),
                rest.collect::<String>()
            )
        } else {
            let said = parts.iter().map(|(d, what, more)| {
                format!("{what} {} {}{more}", if *d < 0.0 { "took off" } else { "added" }, self.basis.say(*d))
            });
            format!("I/O and commits: {}.", join(said.collect()))
        })
    }

    fn work(&self) -> Option<String> {
        let names = [
            "redo bytes",
            "block changes",
            "physical reads",
            "logical reads",
            "physical writes",
            "executions",
            "DB CPU",
        ];
        let enough = |s: &SideTotal| s.total("transactions").is_some_and(|n| n >= LEAST_TRANSACTIONS);
        if !enough(self.before) || !enough(self.after) {
            return None;
        }
        let hardly_any = |n: &str| {
            let rate = of(self.metrics, &format!("{n} a second"));
            n != "DB CPU" && rate.and_then(MetricChange::most).is_some_and(|most| most < LEAST_RATE)
        };
        let of_one: Vec<(&str, f64, String)> = names
            .iter()
            .filter(|n| !hardly_any(n))
            .filter_map(|n| {
                let m = of(self.metrics, &format!("{n} a transaction")).filter(|m| m.differs(WORK_PCT))?;
                Some((*n, m.ratio?, change_of(m)))
            })
            .collect();
        let of_rate = of(self.metrics, "transactions a second");
        let rate = of_rate.and_then(|m| m.ratio);
        let begin = match of_rate.filter(|m| m.differs(WORK_PCT)) {
            Some(m) => format!("Transactions a second {}", change_of(m)),
            None => "Transactions a second are much the same".to_owned(),
        };
        // A database whose transactions go on may do a quarter of its work.
        let calls: Vec<String> = ["user calls", "parses", "hard parses"]
            .iter()
            .filter_map(|n| Some((*n, of(self.metrics, &format!("{n} a second"))?)))
            .filter(|(_, m)| m.differs(CALLS_PCT))
            .map(|(n, m)| format!("{n} {}{}", change_of(m), from_to(m)))
            .collect();
        let calls =
            if calls.is_empty() { String::new() } else { format!(" A second, {}.", calls.join(", ")) };
        if rate.is_some_and(|r| !(1.0 / ANOTHER_LOAD..=ANOTHER_LOAD).contains(&r)) {
            // Said first of all, with the other loads.
            return None;
        }
        if of_one.is_empty() {
            return rate.map(|_| format!("{begin}; what one does is much the same.{calls}"));
        }
        let what = if of_one.iter().all(|p| p.1 < 1.0) {
            "one does less"
        } else if of_one.iter().all(|p| p.1 > 1.0) {
            "one does more"
        } else {
            "one does other work"
        };
        let said: Vec<String> = of_one.iter().map(|(n, _, change)| format!("{n} {change}")).collect();
        let than = if self.two_databases { "there" } else { "than before" };
        Some(format!("{begin}, and {what} {than}: {}.{calls}", said.join(", ")))
    }

    fn plans(&self) -> Option<String> {
        let changed: Vec<&StatementChange> =
            self.statements.iter().filter(|s| s.plan_changed == Some(true)).collect();
        let first = changed.first()?;
        let name = first.sql_id.clone().or_else(|| first.old_hash.map(|h| h.to_string()))?;
        let ratio = first
            .each()
            .map(|r| format!("one execution takes {} of before", words::percent(100.0 * r.value)));
        let in_part = changed.iter().any(|s| s.partly().is_some());
        let how: Vec<String> = first.partly().into_iter().chain(ratio).collect();
        let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join("; ")) };
        let verb = match (in_part, changed.len()) {
            (true, 1) => " ran by another plan oftener",
            (true, _) => "s ran by other plans, wholly or oftener",
            (false, 1) => " has another plan",
            (false, _) => "s have another plan",
        };
        Some(format!("{} statement{verb}, first {name}{how}.", changed.len()))
    }

    /// What a difference in length alone does to seconds.
    fn length(&self) -> Option<String> {
        let (b, a) = self.before.elapsed_s.zip(self.after.elapsed_s)?;
        let longer = a - b;
        if self.basis.name != "interval" || longer.abs() < 2.0 {
            return None;
        }
        let rate = f64::midpoint(self.before.db_time_s?.value / b, self.after.db_time_s?.value / a);
        Some(format!(
            "Seconds are as measured: after is {} {} ({}), about {} of DB time.",
            words::seconds(longer.abs()),
            if longer > 0.0 { "longer" } else { "shorter" },
            words::percent(100.0 * longer.abs() / b),
            words::seconds(rate * longer.abs())
        ))
    }

    /// Latencies whose own test is decisive, or is not: what is asked of new storage before all.
    fn certain_latencies(&self) -> Vec<String> {
        let named = [
            ("single-block read", "single-block reads"),
            ("log write", "log writes"),
            ("commit wait", "commits"),
        ];
        let of = |(metric, subject): (&str, &str)| -> Option<String> {
            let test = self.tests.iter().find(|t| t.metric == metric && t.intervals != (1, 1))?;
            if test.verdict == Outcome::OtherDays {
                return Some(format!(
                    "The latency of {subject} differs (median of the intervals {} before, {} after), not told apart from the days of the week.",
                    words::latency(test.before),
                    words::latency(test.after)
                ));
            }
            // Apart in every pair and yet not shown: the reader sees the two, and why it cannot be told.
            if test.verdict == Outcome::TooFew
                && test.superiority.is_some_and(|share| share <= 0.0 || share >= 1.0)
            {
                return Some(format!(
                    "Whether the latency of {subject} changed cannot be told: median of the intervals {} before, {} after; {}.",
                    words::latency(test.before),
                    words::latency(test.after),
                    test.because
                ));
            }
            if !matches!(test.verdict, Outcome::Rose | Outcome::Fell) {
                return None;
            }
            let what = if self.two_databases { "differs" } else { "changed" };
            Some(format!(
                "The latency of {subject} {what}: median of the intervals {} before, {} after, {} {}{}; {}.",
                words::latency(test.before),
                words::latency(test.after),
                words::latency(test.effect.abs()),
                if test.effect > 0.0 { "more" } else { "less" },
                bounds(test, words::latency),
                basis_of(test)
            ))
        };
        named.into_iter().filter_map(of).collect()
    }

    /// A level of DB time, by what it is asked for.
    fn level(&self, value: f64) -> String {
        if self.per == Per::Transaction {
            format!("{} a transaction", words::latency(value * 1e6))
        } else {
            words::significant(value)
        }
    }

    /// What is shown of other measures where DB time itself shows nothing.
    fn certain_others(&self) -> Option<String> {
        let shown = |t: &&Test| matches!(t.verdict, Outcome::Rose | Outcome::Fell) && t.intervals != (1, 1);
        if self.two_databases
            || self.tests.iter().find(|t| t.metric == "DB time a second").is_none_or(|t| shown(&t))
        {
            return None;
        }
        let of = |name: &str| self.tests.iter().filter(shown).find(|t| t.metric == name);
        let said: Vec<String> = ["DB CPU a second", "DB time a transaction"]
            .into_iter()
            .filter_map(of)
            .map(|t| {
                let value = |v: f64| {
                    if t.metric == "DB time a transaction" {
                        words::latency(v * 1e6)
                    } else {
                        words::seconds(v)
                    }
                };
                format!(
                    "{} {} from {} to {} (medians, {})",
                    t.metric,
                    if t.verdict == Outcome::Rose { "rose" } else { "fell" },
                    value(t.before),
                    value(t.after),
                    t.p_value.map_or(String::new(), p_said)
                )
            })
            .collect();
        (!said.is_empty()).then(|| format!("Shown all the same: {}.", said.join("; ")))
    }

    fn certainty(&self) -> Option<String> {
        let wanted = if self.per == Per::Transaction { "DB time a transaction" } else { "DB time a second" };
        let test = self.tests.iter().find(|t| t.metric == wanted)?;
        let (n, m) = test.intervals;
        Some(match test.verdict {
            Outcome::OneEach => {
                "One interval each: how such intervals vary is not known; give several a side.".to_owned()
            }
            Outcome::NotShown if n == 1 && m == 1 => {
                // Beyond the rounding of DB time itself, and within that of the lengths.
                let of_lengths = self.per != Per::Transaction
                    && self.waterfall.db_time.is_some_and(|change| !change.may_be_nothing());
                if of_lengths {
                    "One interval each: DB time a second did not change beyond what the lengths leave open, which are known to the second.".to_owned()
                } else {
                    "One interval each: a change so small is within rounding.".to_owned()
                }
            }
            Outcome::Rose | Outcome::Fell => {
                let value = |v: f64| {
                    if self.per == Per::Transaction {
                        words::latency(v.abs() * 1e6)
                    } else {
                        words::significant(v.abs())
                    }
                };
                let p = test.p_value.unwrap_or(f64::NAN);
                format!(
                    "The change of DB time is real{}: over {n} and {m} intervals{} DB time {} by {}{}{}, {}{}.",
                    if test.likeness_measured {
                        ", with the likeness of consecutive intervals allowed for"
                    } else {
                        " if intervals are independent (too few to see how alike they are)"
                    },
                    match test.independent {
                        Some(count) if count < (n + m) as f64 =>
                            format!(" (which count as at least {})", words::significant(count)),
                        _ => String::new(),
                    },
                    fell(test.effect),
                    value(test.effect),
                    if self.per == Per::Transaction { " a transaction" } else { " s a second" },
                    bounds(test, value),
                    p_said(p),
                    if test.is_least_p() {
                        format!(", the least that {n} against {m} can show")
                    } else {
                        String::new()
                    }
                )
            }
            Outcome::TooFew => {
                format!("Whether the change of DB time is real cannot be told: {}.", test.because)
            }
            Outcome::OtherDays => format!(
                "Whether DB time changed is not told apart from the days of the week: {}.",
                test.because
            ),
            // Sums and medians may go apart: the reader has both.
            Outcome::NotShown => format!(
                "The change of DB time is not shown to be real: {}; medians of the intervals {} before, {} after{}.",
                test.because,
                self.level(test.before),
                self.level(test.after),
                if self.per == Per::Transaction { "" } else { " s a second" }
            ),
        })
    }
}
