//! The comparison in sentences: what changed by how much, what explains it, what was work and what was
//! speed, and how sure that is. Every sentence is made from the figures beside it, for any pair.

use super::basis::{Basis, Per};
use super::latency::{LatencyChange, Move, share, tail_of_square};
use super::metrics::{MetricChange, of};
use super::side::SideTotal;
use super::significance::{Outcome, Test};
use super::statements::StatementChange;
use super::waterfall::{StepKind, Waterfall};
use crate::words;
use std::collections::BTreeMap;

/// A part of the change that is named, percent of it.
const NAMED_PCT: f64 = 5.0;
/// Work that changed by less than this is not worth a word, percent.
const WORK_PCT: f64 = 5.0;
/// DB time that changed by less is much the same, percent.
const MUCH_THE_SAME_PCT: f64 = 1.0;
/// Fewer transactions than this say nothing of what one does.
const LEAST_TRANSACTIONS: f64 = 1000.0;
/// Beyond this many times the transactions, one is not the other's like.
const ANOTHER_LOAD: f64 = 10.0;

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
    pub(crate) same_report: bool,
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
    } else {
        format!("{} fewer", words::percent(100.0 * (1.0 - ratio)))
    }
}

/// A change with its sign: `+26 %`, `14 times`.
fn change(ratio: f64) -> String {
    if ratio >= 3.0 {
        format!("{} times", words::significant(ratio))
    } else {
        format!("{:+.0} %", 100.0 * (ratio - 1.0))
    }
}

fn pct1(pct: f64) -> String {
    format!("{pct:.1} %")
}

/// Change of each event, volume and latency together.
fn by_event<'a>(waterfall: &'a Waterfall) -> Vec<(&'a str, f64)> {
    let mut sums: BTreeMap<&'a str, f64> = BTreeMap::new();
    for step in waterfall.steps.iter().filter(|s| !matches!(s.kind, StepKind::Cpu | StepKind::Plan)) {
        *sums.entry(step.of.as_str()).or_default() += step.delta_s;
    }
    let mut events: Vec<_> = sums.into_iter().collect();
    events.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(b.0)));
    events
}

impl Known<'_> {
    fn cpu(&self) -> Option<f64> {
        let (b, a) = (self.before.cpu_s?, self.after.cpu_s?);
        Some(a.value / self.basis.after.value - b.value / self.basis.before.value)
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
        by_event(self.waterfall)
            .into_iter()
            .filter(|(_, d)| 100.0 * d.abs() >= NAMED_PCT * delta.abs())
            .max_by(|a, b| weight(a).total_cmp(&weight(b)))
    }

    /// The answer, and what stands behind it.
    pub(crate) fn sentences(&self) -> (String, Vec<String>) {
        let mut says = Vec::new();
        let Some(db_time) = self.waterfall.db_time else {
            let events = by_event(self.waterfall);
            let mut answer =
                "DB time is not known on both sides, so its change cannot be explained.".to_owned();
            if let Some((event, delta)) = events.first() {
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
            let why = if self.same_report {
                "both sides are the same report"
            } else {
                "both sides print the same figures"
            };
            return (format!("Nothing changed: {why}."), Vec::new());
        }
        let answer = self.headline(db_time);
        says.extend(self.commits());
        says.extend(self.tail());
        says.extend(self.speed_and_work());
        says.extend(self.work());
        says.extend(self.plans());
        says.extend(self.length());
        says.extend(self.certainty());
        (answer, says)
    }

    fn headline(&self, db_time: super::amount::Amount) -> String {
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
                "DB time is much the same: {} before, {} after ({:+.1} %).",
                self.basis.say(b),
                self.basis.say(a),
                100.0 * delta / b
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
        let mut rest = delta;
        if let Some((event, d)) = focus {
            rest -= d;
            answer.push_str(&if (d < 0.0) == (delta < 0.0) {
                format!(" {event} makes {} of that ({}).", self.basis.say(d), pct1(100.0 * d / delta))
            } else {
                format!(" Against that, {event} {} by {}.", fell(d), self.basis.say(d))
            });
        }
        if let Some(cpu) = cpu {
            rest -= cpu;
            answer.push_str(&format!(" CPU {} by {}, ", fell(cpu), self.basis.say(cpu)));
        } else {
            answer.push_str(" CPU is not printed on both sides; ");
        }
        let others: Vec<_> = by_event(self.waterfall)
            .into_iter()
            .filter(|(event, d)| Some(*event) != focus.map(|f| f.0) && (*d < 0.0) == (rest < 0.0))
            .collect();
        let printed: f64 = by_event(self.waterfall)
            .iter()
            .filter(|(e, _)| Some(*e) != focus.map(|f| f.0))
            .map(|e| e.1)
            .sum();
        let what = if focus.is_some() { "other waits" } else { "waits" };
        // Mostly seen, or mostly inferred from what DB time leaves?
        let seen = printed.abs() >= 0.5 * rest.abs() && (printed < 0.0) == (rest < 0.0);
        let joint = if cpu.is_some() { "so " } else { "" };
        if seen {
            let names: Vec<String> =
                others.iter().take(2).map(|(e, d)| format!("{e} {}", self.basis.say(*d))).collect();
            answer.push_str(&format!(
                "{joint}{what} {} by {} ({}).",
                fell(rest),
                self.basis.say(rest),
                names.join(", ")
            ));
        } else if self.before.whole_foreground && self.after.whole_foreground {
            answer.push_str(&format!(
                "{joint}what is left {} by {}, most of it explained by no printed wait.",
                fell(rest),
                self.basis.say(rest)
            ));
        } else {
            answer.push_str(&format!(
                "{joint}{what}, not printed here, {} by {}.",
                fell(rest),
                self.basis.say(rest)
            ));
        }
        answer
    }

    fn commits(&self) -> Option<String> {
        let l = self.latency.iter().find(|l| l.event == "log file sync")?;
        let (b, a) = (l.before.avg_us?, l.after.avg_us?);
        let moved = l.shift.mean?;
        if moved == Move::NotShown {
            return None;
        }
        let better = moved == Move::Faster;
        let how = if better { "improved" } else { "got worse" };
        let lengths = self.lengths();
        let count = l.before.waits.zip(l.after.waits).filter(|(b, _)| *b > 0.0);
        let count = match count.map(|(b, a)| a / lengths.1 / (b / lengths.0)) {
            Some(ratio) if 100.0 * (ratio - 1.0).abs() >= WORK_PCT => {
                let against = (ratio > 1.0) == better;
                format!(", {} {}", if against { "though there were" } else { "with" }, more(ratio))
            }
            _ => String::new(),
        };
        Some(format!(
            "Commits {how}: log file sync took {} before, {} after{count}.",
            words::latency(b),
            words::latency(a)
        ))
    }

    /// Lengths to set counts against each other; equal where unknown.
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
        let least = tail_of_square(worse, bar)?;
        let cause = if least >= 30.0 {
            format!(
                "its tail is the cause, since a commit waits for the write under way, so long writes count by their square, and those made at least {least:.0} % of it {when}"
            )
        } else {
            "its tail moved with the commits".to_owned()
        };
        Some(format!(
            "log file parallel write over {}: {} before, {} after; {cause}.",
            words::latency(bar),
            share(b),
            share(a)
        ))
    }

    /// Faster or slower answers of storage against more or less asked of it.
    fn speed_and_work(&self) -> Option<String> {
        let storage = |class: Option<&str>| matches!(class, Some("User I/O" | "System I/O" | "Commit"));
        let sum = |kind: StepKind| -> f64 {
            self.waterfall
                .steps
                .iter()
                .filter(|s| s.kind == kind && storage(s.wait_class.as_deref()))
                .map(|s| s.delta_s)
                .sum()
        };
        let (speed, work) = (sum(StepKind::Latency), sum(StepKind::Volume));
        let delta = self.waterfall.db_time?.value;
        if 100.0 * speed.abs().max(work.abs()) < NAMED_PCT * delta.abs() {
            return None;
        }
        let commits: f64 = self
            .waterfall
            .steps
            .iter()
            .filter(|s| s.kind == StepKind::Latency && s.wait_class.as_deref() == Some("Commit"))
            .map(|s| s.delta_s)
            .sum();
        let of_commits = if 100.0 * commits.abs() >= NAMED_PCT * speed.abs()
            && (commits < 0.0) == (speed < 0.0)
        {
            format!(" (commits {}, the rest {})", self.basis.say(commits), self.basis.say(speed - commits))
        } else {
            String::new()
        };
        let answers = |d: f64| if d < 0.0 { "faster answers" } else { "slower answers" };
        let waits = |d: f64| if d < 0.0 { "fewer waits" } else { "more waits" };
        let reads = of(self.metrics, "physical reads a second").and_then(|m| m.ratio);
        let reads = match reads {
            Some(ratio) if 100.0 * (ratio - 1.0).abs() >= WORK_PCT && ((ratio < 1.0) == (work < 0.0)) => {
                let how = if ratio < 1.0 { "fell" } else { "rose" };
                let by = if ratio >= 3.0 {
                    format!("to {} times", words::significant(ratio))
                } else {
                    words::percent(100.0 * (ratio - 1.0).abs())
                };
                format!(": physical reads {how} {by}, which storage does not do")
            }
            _ => String::new(),
        };
        let together = speed + work;
        Some(if (speed < 0.0) == (work < 0.0) {
            let (gain, better) = if together < 0.0 { ("gain", "faster") } else { ("loss", "slower") };
            format!(
                "Not all of the {gain} is {better} storage. Of {} of I/O and commit waits, {} is {}{of_commits} and {} {}{reads}.",
                self.basis.say(together),
                self.basis.say(speed),
                answers(speed),
                self.basis.say(work),
                waits(work)
            )
        } else {
            format!(
                "I/O and commits: {} {} {}{of_commits}, {} {} {}{reads}.",
                answers(speed),
                if speed < 0.0 { "took off" } else { "added" },
                self.basis.say(speed),
                waits(work),
                if work < 0.0 { "took off" } else { "added" },
                self.basis.say(work)
            )
        })
    }

    fn work(&self) -> Option<String> {
        let names = ["redo bytes", "block changes", "physical reads", "logical reads"];
        let enough = |s: &SideTotal| s.total("transactions").is_some_and(|n| n >= LEAST_TRANSACTIONS);
        if !enough(self.before) || !enough(self.after) {
            return None;
        }
        let of_one: Vec<(&str, f64)> = names
            .iter()
            .filter_map(|n| Some((*n, of(self.metrics, &format!("{n} a transaction"))?.ratio?)))
            .filter(|(_, ratio)| 100.0 * (ratio - 1.0).abs() >= WORK_PCT)
            .collect();
        let rate = of(self.metrics, "transactions a second").and_then(|m| m.ratio);
        let begin = match rate.filter(|r| 100.0 * (r - 1.0).abs() >= WORK_PCT) {
            Some(ratio) => format!("Transactions a second {}", change(ratio)),
            None => "Transactions a second are much the same".to_owned(),
        };
        if rate.is_some_and(|r| !(1.0 / ANOTHER_LOAD..=ANOTHER_LOAD).contains(&r)) {
            return Some(format!("{begin}: another load altogether."));
        }
        if of_one.is_empty() {
            return rate.map(|_| format!("{begin}; what one does is much the same."));
        }
        let what = if of_one.iter().all(|p| p.1 < 1.0) {
            "one does less"
        } else if of_one.iter().all(|p| p.1 > 1.0) {
            "one does more"
        } else {
            "one does other work"
        };
        let said: Vec<String> = of_one.iter().map(|(n, ratio)| format!("{n} {}", change(*ratio))).collect();
        Some(format!("{begin}, and {what} than before: {}.", said.join(", ")))
    }

    fn plans(&self) -> Option<String> {
        let changed: Vec<&StatementChange> =
            self.statements.iter().filter(|s| s.plan_changed == Some(true)).collect();
        let first = changed.first()?;
        let name = first.sql_id.clone().or_else(|| first.old_hash.map(|h| h.to_string()))?;
        let ratio = first.elapsed_s_per_execution.ratio().map_or(String::new(), |r| {
            format!(" (one execution takes {} of before)", words::percent(100.0 * r))
        });
        Some(format!(
            "{} statement{} another plan, first {name}{ratio}.",
            changed.len(),
            if changed.len() == 1 { " has" } else { "s have" }
        ))
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
            "Seconds are as measured: after is {} {} ({}), which alone {} about {} of DB time.",
            words::seconds(longer.abs()),
            if longer > 0.0 { "longer" } else { "shorter" },
            words::percent(100.0 * longer.abs() / b),
            if longer > 0.0 { "adds" } else { "takes" },
            words::seconds(rate * longer.abs())
        ))
    }

    fn certainty(&self) -> Option<String> {
        let wanted = if self.per == Per::Transaction { "DB time a transaction" } else { "DB time a second" };
        let test = self.tests.iter().find(|t| t.metric == wanted)?;
        let (n, m) = test.intervals;
        Some(match test.verdict {
            Outcome::OneEach => {
                "One interval each: the change is beyond rounding, but how much such intervals vary among themselves is not known; give several a side.".to_owned()
            }
            Outcome::NotShown if n == 1 && m == 1 => {
                "One interval each: a change so small is within rounding.".to_owned()
            }
            Outcome::Rose | Outcome::Fell => format!(
                "It is real: over {n} and {m} intervals {wanted} {} by {} ({} to {}), p = {}.",
                fell(test.effect),
                words::significant(test.effect.abs()),
                words::significant(test.interval.low),
                words::significant(test.interval.high),
                words::significant(test.p_value.unwrap_or(f64::NAN))
            ),
            Outcome::TooFew => format!("Whether it is real cannot be told: {}.", test.because),
            Outcome::NotShown => format!("It is not shown to be real: {}.", test.because),
        })
    }
}
