//! What every rule may look at.

use crate::accounts::accounts;
use crate::bars::{Bars, DeviceClass};
use crate::by_histogram::is_estimated;
use crate::commit::commit;
use crate::concentration::concentration;
use crate::device_class::{device_class, stricter};
use crate::events::{
    EventTotal, UNKNOWN_CLASS, event_totals, is_cpu, lists_all_events, lists_leaders_of_both,
    top_events_mix_sides, unreadable_events,
};
use crate::finding::{Claim, Evidence, Verdict};
use crate::io_profile::io_profile;
use crate::latency::latency;
use crate::log_flush::log_flush;
use crate::lost_rows::{self, LooksAt};
use crate::outcome::{
    Account, ClassTime, Commit, Concentration, DeviceGuess, EventTime, IoProfile, Latency, ResponseTime,
};
use crate::response_time::{histograms_over_instances, response_time, time_model_s};
use crate::words;
pub(crate) use spindle_facts::same_name;
use spindle_facts::{
    InstanceStat, Metric, Parameter, PrintedRow, Report, Scope, Section, SectionId, SectionStatus, Side,
    Statistics, WaitClassRow, WaitHistogram,
};
use std::collections::BTreeSet;

/// What the caller may set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Device class given by the caller instead of guessed.
    pub device_class: Option<DeviceClass>,
    /// Bars given by the caller instead of those of the device class.
    pub bars: Option<Bars>,
}

/// A report with everything derived from it once.
///
/// Totals over all instances; the rows of one instance are in `report.tables`.
#[derive(Debug)]
pub struct Case<'a> {
    /// The report.
    pub report: &'a Report,
    /// Waits by event and side, idle ones included, largest time first.
    pub events: Vec<EventTotal>,
    /// Wait histograms, over all instances.
    pub histograms: Vec<WaitHistogram>,
    /// Response-time tree.
    pub response_time: ResponseTime,
    /// I/O profile with accounts.
    pub io: IoProfile,
    /// Accounts.
    pub accounts: Vec<Account>,
    /// Device class.
    pub device: DeviceGuess,
    /// Bars of that class.
    pub bars: Bars,
    /// Bars that may hold instead, as the class of the storage is guessed and what would tell was not read: with what
    /// that is, in a DBA's words.
    pub(crate) stricter: Option<(Bars, String)>,
    /// Is a database judged that does next to nothing? What is not there at any load is not found.
    pub(crate) any_load: bool,
    /// Commit path.
    pub commit: Commit,
    /// Concentration.
    pub concentration: Concentration,
    /// Distributions.
    pub latency: Vec<Latency>,
    /// Foreground events of which a row is printed and no time can be read.
    pub unreadable_events: Vec<&'a str>,
    statistics: Statistics<'a>,
}

/// Events of the classes that storage answers, in `V$EVENT_NAME` of all releases together; sessions wait for no more
/// in an interval, whatever the class.
const EVENTS: f64 = 125.0;
/// Part by which sums of all waits and of their classes differ, counted at different moments.
const SUMS_DIFFER: f64 = 0.01;

/// What a report says of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting<'a> {
    /// It is listed.
    Set(&'a Parameter),
    /// The report lists parameters, and not this one: it is at its default.
    Default,
    /// The report lists no parameters, or those that were read are not all.
    NotPrinted,
}

/// Foreground waits that are not listed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unlisted {
    /// What is missing, in a DBA's words.
    pub(crate) why: String,
    /// All of them together at most, seconds; infinite where nothing bounds them.
    pub(crate) most_s: f64,
    /// One event of them at most, seconds.
    pub(crate) each_s: f64,
}

/// What bounds the foreground waits for storage that were not read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// The report prints all foreground waits by class or in sum.
    Sum,
    /// The events stand in order of time: each that is not listed is no more than the least, printed with these seconds.
    Order(f64),
}

impl<'a> Setting<'a> {
    /// The value in force at the end of the interval, where it is listed.
    #[must_use]
    pub fn value(self) -> Option<&'a str> {
        match self {
            Self::Set(p) => p.end_value.as_deref().or(p.begin_value.as_deref()),
            Self::Default | Self::NotPrinted => None,
        }
    }
}

impl<'a> Case<'a> {
    /// Derives everything that rules look at from a report, once.
    #[must_use]
    pub fn new(report: &'a Report, options: &Options) -> Self {
        let statistics = Statistics::of(report);
        let events = event_totals(report);
        let histograms = histograms_over_instances(report);
        let accounts = accounts(&statistics, report, &events, &histograms);
        let device = device_class(report, options.device_class, &events, &histograms);
        let bars = options.bars.unwrap_or_else(|| Bars::of(device.value));
        let lists_all = lists_all_events(report, &events);
        let stricter = stricter(report, options.device_class, device.value, lists_all, &histograms);
        Self {
            stricter: stricter.filter(|_| options.bars.is_none()),
            any_load: false,
            report,
            response_time: response_time(report, &events, &histograms),
            io: io_profile(&statistics, report, &accounts, &events),
            concentration: concentration(report, &accounts),
            accounts,
            device,
            bars,
            commit: commit(&statistics, report, &events, &histograms),
            latency: latency(&events, &histograms, &bars),
            unreadable_events: unreadable_events(report, &events),
            events,
            histograms,
            statistics,
        }
    }

    /// Elapsed time, seconds.
    #[must_use]
    pub fn elapsed_s(&self) -> Option<f64> {
        self.report.identity.elapsed_s.filter(|s| *s > 0.0)
    }

    /// DB time, seconds, as the response time counts it.
    #[must_use]
    pub fn db_time_s(&self) -> Option<f64> {
        self.response_time.foreground.db_time_s.filter(|s| *s > 0.0)
    }

    /// Average active sessions: DB time over elapsed time.
    #[must_use]
    pub fn average_active_sessions(&self) -> Option<f64> {
        Some(self.db_time_s()? / self.elapsed_s()?)
    }

    /// Are the waits that were read of both sides, not to be told apart?
    pub(crate) fn mixes_sides(&self) -> bool {
        top_events_mix_sides(self.report)
    }

    /// Is what shares are of unknown but for waits of both sides, so that a share of DB time may be larger?
    pub(crate) fn whole_holds_background(&self) -> bool {
        self.db_time_s().is_none() && self.mixes_sides()
    }

    /// Were foreground waits read, by event or by class? Where all of them round to nothing, too.
    #[must_use]
    pub fn has_waits(&self) -> bool {
        lists_all_events(self.report, &self.events) || !self.response_time.foreground.classes.is_empty()
    }

    /// DB time that is neither CPU nor wait, seconds; `None` unless both are printed: what was not
    /// counted is no gap.
    #[must_use]
    pub fn gap_s(&self) -> Option<f64> {
        let side = &self.response_time.foreground;
        let unexplained_s = side.unexplained_s.filter(|_| side.cpu_s.is_some() && self.has_waits())?;
        // Waits that the report prints in sum were counted, only not read.
        Some((unexplained_s - side.of_no_class_s()).max(0.0))
    }

    /// Do the events that were read make up what the report itself prints of all foreground waits, by class or in
    /// sum? What is not explained then is no wait.
    #[must_use]
    pub fn reads_all_waits(&self) -> bool {
        let report = self.report;
        let in_sum = report.identity.foreground_wait_s.is_some() && report.identity.scope != Scope::Database;
        let by_class = report.tables.wait_class.iter().any(|c| c.side == Side::Foreground);
        (in_sum || by_class && self.classes_are_whole())
            && self.response_time.foreground.unread_s.is_none()
            && self.unreadable_events.is_empty()
            && lists_all_events(report, &self.events)
    }

    /// The rows of the classes of foreground waits, of all instances.
    fn foreground_classes(&self) -> impl Iterator<Item = &'a WaitClassRow> {
        let rows = self.report.tables.wait_class.iter();
        rows.filter(|r| r.side == Side::Foreground && r.instance_number.is_none())
            .filter(|r| !matches!(r.wait_class.as_str(), "DB CPU" | "Idle"))
    }

    /// Seconds of the events of a class that were read.
    fn read_of_class_s(&self, wait_class: &str) -> f64 {
        let classes = self.response_time.foreground.classes.iter().filter(|c| c.wait_class == wait_class);
        classes.flat_map(|c| &c.events).map(|e| e.time_s).sum()
    }

    /// Do the classes of foreground waits make up what the report prints of all in sum, and is each there of which
    /// events were read, where it is more than the least? Where not, a row of them was lost, whichever: what the rest
    /// says bounds nothing.
    fn classes_are_whole(&self) -> bool {
        let classes = &self.response_time.foreground.classes;
        let most_s = |r: &WaitClassRow| r.time_s_high.or(r.time_s).unwrap_or(0.0);
        let all_s: f64 = self.foreground_classes().map(most_s).sum();
        let in_sum = self.report.identity.foreground_wait_s;
        let in_sum = in_sum.filter(|_| self.report.identity.scope != Scope::Database).unwrap_or(0.0);
        let least_s = self.foreground_classes().map(most_s).min_by(f64::total_cmp).unwrap_or(0.0);
        // Each event is rounded to a second.
        #[allow(clippy::cast_precision_loss, reason = "events of a class")]
        let is_no_more =
            |c: &ClassTime| self.read_of_class_s(&c.wait_class) <= least_s + 0.5 * c.events.len() as f64;
        let is_there = |c: &ClassTime| {
            c.wait_class == UNKNOWN_CLASS || self.foreground_classes().any(|r| r.wait_class == c.wait_class)
        };
        all_s >= (1.0 - SUMS_DIFFER) * in_sum && classes.iter().all(|c| is_there(c) || is_no_more(c))
    }

    /// Does the report print more waits, in sum or of a class, than events can hold each of which is no more than this?
    /// Then a larger one was lost, and the order of those that were read proves nothing of it.
    fn order_is_denied(&self, each_s: f64) -> bool {
        let unread_s = self.response_time.foreground.unread_s.unwrap_or(0.0);
        let most_s = EVENTS * each_s;
        let lacks = |r: &WaitClassRow| {
            let printed_s = r.time_s_low.or(r.time_s);
            printed_s.is_some_and(|s| s - self.read_of_class_s(&r.wait_class) > most_s)
        };
        // A list of all events that lacks some has lost rows.
        unread_s > if self.prints_wait_events() { 0.0 } else { most_s }
            || self.foreground_classes().any(lacks)
    }

    /// Seconds of foreground waits of the classes that `of` picks that no event holds that was read, at most: what the
    /// classes lack, and what is printed in sum alone or could not be read at all.
    pub(crate) fn unread_of_classes_s(&self, of: impl Fn(&str) -> bool) -> f64 {
        let side = &self.response_time.foreground;
        let lost = !self.unreadable_events.is_empty() || lost_rows::are_lost(self.report, LooksAt::Waits);
        let unknown_s = match lost && !self.knows_all_waits() {
            true => side.unexplained_s.unwrap_or(f64::INFINITY),
            false => side.of_no_class_s(),
        };
        side.without_events_s(of) + unknown_s
    }

    /// Is the largest event of these classes that was read the largest that there was?
    pub(crate) fn is_largest_of(&self, event: &EventTime, of: impl Fn(&str) -> bool) -> bool {
        self.unread_of_classes_s(of) < event.time_s
            || self.least_of_ordered_s().is_some_and(|(_, high_s)| high_s <= event.time_s_bounds.high)
    }

    /// Is it known how long sessions waited in all, so that what was not read of it has a bound?
    pub(crate) fn knows_all_waits(&self) -> bool {
        self.response_time.foreground.unread_s.is_some() || self.reads_all_waits()
    }

    /// What the events that `belongs` picks may have cost beyond what was read of them, where a rule that
    /// finds them trivial would be wrong for it: what is missing, in a DBA's words, and seconds at most.
    pub(crate) fn unread_waits(&self, what: &str, belongs: impl Fn(&str) -> bool) -> Option<(String, f64)> {
        let side = &self.response_time.foreground;
        let unread_s = side.unread_s.unwrap_or(0.0);
        if let Some(event) = self.unreadable_events.iter().find(|event| belongs(event)) {
            let most_s = side.unexplained_s.unwrap_or(f64::INFINITY) + side.without_events_s(|_| true);
            return Some((format!("the time of `{event}`, whose row is printed and cannot be read"), most_s));
        }
        (unread_s > 0.0).then(|| {
            let waited = words::seconds(unread_s);
            let missing = format!(
                "{what}: of the foreground waits that the report prints by class or in sum, {waited} are in no event \
                 that was read"
            );
            (missing, unread_s)
        })
    }

    /// Foreground waits beyond those that are listed; `None` where all are, or nobody can have waited more than what
    /// was read.
    pub(crate) fn unlisted_waits(&self) -> Option<Unlisted> {
        if self.prints_wait_events() {
            return None;
        }
        let side = &self.response_time.foreground;
        let counted: f64 = side.classes.iter().map(|c| c.time_s).sum();
        let printed: f64 = side.classes.iter().map(|c| c.printed_s).sum();
        // A DB time made of what is listed bounds nothing, nor does one that CPU or what is listed exceeds.
        let exceeded = printed > 1.001 * counted
            || side.cpu_s.zip(side.db_time_s).is_some_and(|(cpu_s, all_s)| cpu_s >= all_s);
        let whole = !side.db_time_from.is_some_and(|from| from.starts_with("CPU")) && !exceeded;
        let rest_s = side.unexplained_s.filter(|_| whole).map(|s| s + side.without_events_s(|_| true));
        let most_s = rest_s.unwrap_or(f64::INFINITY);
        let least = self.events.iter().filter(|e| e.side == Side::Foreground).map(|e| e.time_s);
        let least = least.min_by(f64::total_cmp).filter(|_| !lists_leaders_of_both(self.report));
        Some(match least {
            Some(each_s) if self.order_is_denied(each_s) => Unlisted {
                why: "only the top events were read, and more waits are printed in sum or by class than their order \
                      allows"
                    .to_owned(),
                most_s,
                each_s: f64::INFINITY,
            },
            // The list is in order: what it does not print is no more than the least that it does.
            Some(each_s) => Unlisted {
                why: format!("only the top events are printed, the least of them {}", words::seconds(each_s)),
                most_s,
                each_s,
            },
            None => Unlisted {
                why: "no wait events were read (section Foreground Wait Events or Wait Events)".to_owned(),
                most_s,
                each_s: f64::INFINITY,
            },
        })
    }

    /// Foreground waits that storage may answer, beyond those that were read by event or class: seconds at most, and what
    /// bounds them; `None` where nothing does.
    pub(crate) fn unread_io(&self) -> Option<(f64, Bound)> {
        if !self.unreadable_events.is_empty() {
            return None;
        }
        if self.reads_all_waits() {
            return Some((0.0, Bound::Sum));
        }
        let by_class = self.unread_io_by_class();
        let in_sum = self.report.identity.foreground_wait_s;
        let in_sum = in_sum.filter(|_| self.report.identity.scope != Scope::Database && !self.mixes_sides());
        let in_sum = in_sum.map(|all_s| {
            let counted: f64 = self.response_time.foreground.classes.iter().map(|c| c.printed_s).sum();
            (all_s - counted).max(0.0)
        });
        let by_sum = by_class.into_iter().chain(in_sum).min_by(f64::total_cmp).map(|s| (s, Bound::Sum));
        let by_order =
            self.least_of_ordered_s().map(|(least_s, high_s)| (EVENTS * high_s, Bound::Order(least_s)));
        by_sum.into_iter().chain(by_order).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What the classes that storage answers lack, where the report prints all of them, or those that it lacks are no
    /// more than the least that it prints.
    fn unread_io_by_class(&self) -> Option<f64> {
        const IO: [&str; 4] = ["User I/O", "System I/O", "Commit", "Configuration"];
        let section = self.foreground_classes().next()?.section;
        // A class whose row was lost may be the largest of them.
        let whole = |s: &Section| s.lost == 0 && s.status == SectionStatus::Read;
        self.report.sections.get(usize::from(section)).filter(|s| whole(s) && self.classes_are_whole())?;
        let rows: Vec<(&str, f64)> = self
            .foreground_classes()
            .map(|r| Some((r.wait_class.as_str(), r.time_s_high.or(r.time_s)?)))
            .collect::<Option<_>>()?;
        let is_ordered = rows.len() > 2 && rows.is_sorted_by(|a, b| a.1 >= b.1);
        let least_s = rows.last().filter(|_| is_ordered).map(|r| r.1);
        IO.iter()
            .map(|class| match rows.iter().find(|r| r.0 == *class) {
                Some((_, printed_s)) => Some((printed_s - self.class_printed_s(class)).max(0.0)),
                None => least_s.filter(|least_s| self.class_printed_s(class) <= *least_s),
            })
            .sum()
    }

    /// The least event of a list of those that lead, as printed and at most, where it stands in order and nothing of it is
    /// lost.
    fn least_of_ordered_s(&self) -> Option<(f64, f64)> {
        let report = self.report;
        if lists_leaders_of_both(report) || lost_rows::are_lost(report, LooksAt::Waits) {
            return None;
        }
        let rows = &report.tables.top_event;
        let section = rows.first()?.section;
        let of_list = || rows.iter().filter(|r| r.section == section);
        if rows.iter().any(|r| r.instance_number.is_some()) {
            return None;
        }
        // A row may stand for CPU, which many leave out; who pastes a few has chosen them.
        let title = report.section_title(section).to_ascii_lowercase();
        let behind = title.split_once("top").map_or("", |(_, behind)| behind);
        let promised = behind.split(|c: char| !c.is_ascii_digit()).find_map(|n| n.parse::<usize>().ok());
        if of_list().count() + 1 < promised.unwrap_or(5) {
            return None;
        }
        let events: Vec<(f64, f64)> = of_list()
            .filter(|r| !is_cpu(&r.event))
            .map(|r| Some((r.time_s?, r.time_s_high.or(r.time_s)?)))
            .collect::<Option<_>>()?;
        let ordered = events.is_sorted_by(|a, b| a.1 >= b.0);
        events.last().copied().filter(|(_, high_s)| ordered && !self.order_is_denied(*high_s))
    }

    /// Direct reads as `IOStat by Function` counts the waits for them, where that is far more than the events say: seconds
    /// beyond those, of all processes together, with the mean.
    pub(crate) fn uncounted_direct_reads(&self) -> Option<(f64, f64)> {
        /// Times the waits of sessions, from which the two do not count the same.
        const FAR_MORE: f64 = 2.0;
        let rows = || {
            let rows = self.report.tables.io_function.iter();
            rows.filter(|r| r.function.as_deref().is_some_and(|f| same_name(f, "Direct Reads")))
        };
        let for_all = rows().any(|r| r.instance_number.is_none());
        let (mut waits, mut time_us) = (0.0, 0.0);
        for row in rows().filter(|r| r.instance_number.is_none() == for_all) {
            let (of_row, mean_us) = (row.waits?, row.avg_wait_us?);
            waits += of_row;
            time_us += of_row * mean_us;
        }
        // What is not listed is in its class, or no more than the least that is.
        let printed_s: f64 = self.foreground_events("direct path read").map(|e| e.time_s).sum();
        let unlisted_s = if printed_s > 0.0 || self.prints_wait_events() {
            0.0
        } else {
            let side = &self.response_time.foreground;
            let of_class = side.without_events_s(|class| class == "User I/O");
            let each_s = self.unlisted_waits().map_or(0.0, |rest| rest.each_s);
            if of_class > 0.0 { of_class.min(each_s) } else { each_s }
        };
        let (time_s, waited_s) = (time_us / 1e6, printed_s + unlisted_s);
        (waits > 0.0 && time_s > FAR_MORE * waited_s).then(|| (time_s - waited_s, time_us / waits))
    }

    /// Percent of DB time.
    #[must_use]
    pub fn share_pct(&self, seconds: f64) -> Option<f64> {
        self.db_time_s().map(|db_time| 100.0 * seconds / db_time)
    }

    /// A share of DB time in words: `41 %`, or between two where DB time is that inexact.
    pub(crate) fn share_in_words(&self, seconds: f64) -> Option<String> {
        Some(match self.response_time.foreground.db_time_bounds.filter(|b| b.low > 0.0) {
            Some(all) => words::percent_between(100.0 * seconds / all.high, 100.0 * seconds / all.low),
            None => words::percent(self.share_pct(seconds)?),
        })
    }

    /// Foreground waits for an event, over all instances; `None` where the report prints none. In
    /// a report that prints its wait events this means that there were (almost) none; see
    /// [`Case::prints_wait_events`].
    #[must_use]
    pub fn foreground_event(&self, name: &str) -> Option<&EventTotal> {
        self.event(Side::Foreground, name)
    }

    /// Background waits for an event, over all instances.
    #[must_use]
    pub fn background_event(&self, name: &str) -> Option<&EventTotal> {
        self.event(Side::Background, name)
    }

    /// Foreground events whose name starts like this, largest first.
    pub fn foreground_events(&self, prefix: &'static str) -> impl Iterator<Item = &EventTotal> {
        self.events.iter().filter(move |e| e.side == Side::Foreground && e.event.starts_with(prefix))
    }

    fn event(&self, side: Side, name: &str) -> Option<&EventTotal> {
        self.events.iter().find(|e| e.side == side && e.event == name)
    }

    /// What is missing to call a mean good that is within its bar, where storage may be of a class with a lower one.
    pub(crate) fn hidden_by_class(&self, mean_us: Option<f64>, bar: impl Fn(&Bars) -> f64) -> Option<String> {
        let (bars, missing) = self.stricter.as_ref()?;
        (mean_us? > crate::rules::AT_THE_BAR * bar(bars)).then(|| missing.clone())
    }

    /// As [`Case::hidden_by_class`], as a verdict.
    pub(crate) fn below_its_bar(&self, mean_us: f64, bar: impl Fn(&Bars) -> f64) -> Option<Verdict> {
        self.hidden_by_class(Some(mean_us), bar).map(Verdict::CannotTell)
    }

    /// Does the report print the waits of the background, so that an event that it lacks was not waited for there?
    #[must_use]
    pub fn prints_background_events(&self) -> bool {
        self.events.iter().any(|e| e.side == Side::Background && e.table == "wait_event")
            && self.report.tables.wait_event.iter().any(|e| e.side == Side::Background)
    }

    /// Does the report print a whole wait-event section, so that an event that it lacks was not
    /// waited for?
    #[must_use]
    pub fn prints_wait_events(&self) -> bool {
        lists_all_events(self.report, &self.events)
    }

    /// Seconds that the report prints for a foreground event; 0 where it has none. Where CPU and waits
    /// exceed DB time less is counted; the resolver cuts claims to that.
    #[must_use]
    pub fn event_time_s(&self, name: &str) -> f64 {
        let classes = &self.response_time.foreground.classes;
        classes.iter().flat_map(|c| &c.events).find(|e| e.event == name).map_or(0.0, |e| e.time_s)
    }

    /// Seconds that the report prints for a foreground wait class; 0 where it has none.
    #[must_use]
    pub fn class_printed_s(&self, wait_class: &str) -> f64 {
        let classes = &self.response_time.foreground.classes;
        classes.iter().find(|c| c.wait_class == wait_class).map_or(0.0, |c| c.printed_s)
    }

    /// Seconds that the response time counts for a foreground wait class; 0 where it has none.
    #[must_use]
    pub fn class_time_s(&self, wait_class: &str) -> f64 {
        let classes = &self.response_time.foreground.classes;
        classes.iter().find(|c| c.wait_class == wait_class).map_or(0.0, |c| c.time_s)
    }

    /// Histogram of an event, over all instances. Histograms mix foreground and background.
    #[must_use]
    pub fn histogram(&self, event: &str) -> Option<&WaitHistogram> {
        self.histograms.iter().find(|h| h.event == event)
    }

    /// A statistic of the instance activity: of all instances where such a row is printed, else of the first (see
    /// [`Case::stat_total`]).
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<&'a InstanceStat> {
        let rows = self.statistics.named(name);
        rows.iter().find(|s| s.instance_number.is_none()).or(rows.first()).copied()
    }

    /// Total of a statistic over the interval and all instances: as printed, else the rate times
    /// elapsed time.
    #[must_use]
    pub fn stat_total(&self, name: &str) -> Option<f64> {
        self.statistics.total(name)
    }

    /// As [`Case::stat_total`], and 0 where the report prints the instance activity without this
    /// statistic: Oracle leaves out what did not change. `None` where it may have been cut away.
    #[must_use]
    pub fn stat_total_or_zero(&self, name: &str) -> Option<f64> {
        // Under fifty statistics is a key list or an excerpt, which proves nothing by absence.
        let whole = self.report.tables.instance_stat.len() >= 50
            && !self.report.identity.excerpt
            && !lost_rows::are_lost(self.report, LooksAt::Statistics(&[]));
        self.stat_total(name).or_else(|| (whole && self.stat(name).is_none()).then_some(0.0))
    }

    /// A second, from the total.
    #[must_use]
    pub fn stat_per_second(&self, name: &str) -> Option<f64> {
        Some(self.stat_total(name)? / self.elapsed_s()?)
    }

    /// A line of the load profile, a second, over all instances.
    #[must_use]
    pub fn load_per_second(&self, metric: Metric) -> Option<f64> {
        self.report.tables.load_per_second(metric)
    }

    /// Seconds of a time-model statistic, over all instances.
    #[must_use]
    pub fn time_model_s(&self, statistic: &str) -> Option<f64> {
        time_model_s(self.report, statistic).map(|t| t.seconds)
    }

    /// An operating-system statistic (`BUSY_TIME`, `NUM_CPUS`); times and counts added up over
    /// instances.
    #[must_use]
    pub fn os_stat(&self, name: &str) -> Option<f64> {
        let rows = || self.report.tables.os_stat.iter().filter(|s| same_name(&s.statistic, name));
        if let Some(for_all) = rows().find(|s| s.instance_number.is_none()) {
            return for_all.value;
        }
        let mut sum = None;
        for row in rows() {
            sum = Some(sum.unwrap_or(0.0) + row.value?);
        }
        sum
    }

    /// Busy share of the host's CPUs over the interval, percent.
    #[must_use]
    pub fn host_cpu_busy_pct(&self) -> Option<f64> {
        if let (Some(busy), Some(idle)) = (self.os_stat("BUSY_TIME"), self.os_stat("IDLE_TIME"))
            && busy + idle > 0.0
        {
            return Some(100.0 * busy / (busy + idle));
        }
        let [host] = self.report.tables.host_cpu.as_slice() else { return None };
        host.idle_pct.map(|idle| 100.0 - idle).or_else(|| Some(host.user_pct? + host.system_pct?))
    }

    /// Busy share of the host's CPUs, percent, where sessions cannot have waited for one: the host is nearly idle, and
    /// neither Resource Manager nor a limit to some of its CPUs holds sessions back. `None` where they may have, or
    /// nobody counted.
    pub(crate) fn idle_cpus_busy_pct(&self) -> Option<f64> {
        // Ours: with eight threads a core, all work on the first of each, 12 % busy is all there is.
        const NEARLY_IDLE_PCT: f64 = 10.0;
        let busy_pct = self.host_cpu_busy_pct().filter(|pct| *pct < NEARLY_IDLE_PCT)?;
        let held_back = self
            .events
            .iter()
            .any(|e| e.event.starts_with("resmgr:") && (e.time_s > 0.0 || e.time_s_bounds.high > 0.0))
            || self.unreadable_events.iter().any(|e| e.starts_with("resmgr:"));
        let cpus = self.os_stat("NUM_CPUS").or(self.report.identity.cpus);
        let set = |name| self.parameter(name).value().map(str::trim).filter(|v| !v.is_empty());
        let count = set("cpu_count").and_then(|v| v.parse::<f64>().ok());
        let caged = count.zip(cpus).is_some_and(|(count, cpus)| count < cpus)
            || set("processor_group_name").is_some();
        // AIX counts waits for a virtual processor that the partition did not get.
        let queued = self.os_stat("OS_CPU_WAIT_TIME").is_some_and(|centi| centi > 0.0);
        (!held_back && !caged && !queued).then_some(busy_pct)
    }

    /// A parameter.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Setting<'a> {
        let parameters = &self.report.tables.parameter;
        match parameter_in_force(self.report, name) {
            Some(p) => Setting::Set(p),
            None if parameters.is_empty()
                || self.report.identity.excerpt
                || lost_rows::are_lost(self.report, LooksAt::Parameters(&[])) =>
            {
                Setting::NotPrinted
            }
            None => Setting::Default,
        }
    }

    /// Share of a quantity that the statements of a ranking account for, percent; may exceed 100.
    #[must_use]
    pub fn sql_captured_pct(&self, ranked_by: &str) -> Option<f64> {
        self.report.tables.sql_stat.iter().filter(|s| s.ranked_by == ranked_by).find_map(|s| s.captured_pct)
    }

    /// Share of a quantity that the segments of a ranking account for, percent.
    #[must_use]
    pub fn segments_captured_pct(&self, ranked_by: &str) -> Option<f64> {
        let segments = &self.report.tables.segment_stat;
        segments.iter().filter(|s| s.ranked_by == ranked_by).find_map(|s| s.captured_pct)
    }

    /// Claim of all the time of a foreground event.
    #[must_use]
    pub fn claim_event(&self, event: &str) -> Claim {
        Claim { of: event.to_owned(), seconds: self.event_time_s(event) }
    }

    /// A row as proof.
    #[must_use]
    pub fn evidence(
        &self,
        table: &'static str,
        row: usize,
        line: u32,
        section: SectionId,
        text: String,
    ) -> Evidence {
        let section = self.report.section_title(section).to_owned();
        Evidence { table, row, line, more_rows: 0, section, text }
    }

    /// An event as proof: `db file sequential read: 314,903 waits, 123 s, mean 0.39 ms`.
    #[must_use]
    pub fn event_evidence(&self, event: &EventTotal) -> Evidence {
        let side = if event.side == Side::Background { " (background)" } else { "" };
        let waits = event.waits.map_or(String::new(), |w| format!("{} waits, ", words::count(w)));
        let mean = match (event.avg_us, event.avg_us_bounds) {
            (Some(us), _) => format!(", mean {}", words::latency(us)),
            (None, Some(us)) => format!(", mean {} to {}", words::latency(us.low), words::latency(us.high)),
            (None, None) => String::new(),
        };
        let from = match event.from_share_pct {
            Some(pct) => format!("{pct} % printed, so about "),
            None if is_estimated(event) => "by their histogram about ".to_owned(),
            None => String::new(),
        };
        let text = format!(
            "{}{side}: {waits}{from}{}{mean}{}",
            event.event,
            words::seconds(event.time_s),
            sum_of(event.instances)
        );
        let proof = self.evidence(event.table, event.row, event.line, event.section, text);
        Evidence { more_rows: event.more_rows, ..proof }
    }

    /// A statistic as proof, over all instances: `redo writes: 193,830`.
    #[must_use]
    pub fn stat_evidence(&self, stat: &InstanceStat) -> Evidence {
        let unit = unit_of(&stat.statistic);
        let rows = self.statistics.named(&stat.statistic);
        let instances = instances_of(rows.iter().map(|s| s.instance_number));
        let (total, per_second) = match instances {
            0 | 1 => (stat.total, stat.per_second),
            _ => (
                self.statistics.total(&stat.statistic).filter(|_| stat.total.is_some()),
                self.statistics.per_second(&stat.statistic),
            ),
        };
        let sum = sum_of(instances);
        let text = match (total, per_second) {
            (Some(total), _) => format!("{}: {}{unit}{sum}", stat.statistic, words::count(total)),
            (None, Some(rate)) => {
                format!("{}: {}{unit} a second{sum}", stat.statistic, words::significant(rate))
            }
            (None, None) => stat.statistic.to_string(),
        };
        let row = index_of(&self.report.tables.instance_stat, stat);
        let proof = self.evidence("instance_stat", row, stat.line, stat.section, text);
        Evidence { more_rows: instances.saturating_sub(1), ..proof }
    }

    /// A parameter as proof: `filesystemio_options = none`.
    #[must_use]
    pub fn parameter_evidence(&self, parameter: &Parameter) -> Evidence {
        let value = Setting::Set(parameter).value().unwrap_or("(blank)");
        let row = index_of(&self.report.tables.parameter, parameter);
        let text = format!("{} = {value}", parameter.name);
        self.evidence("parameter", row, parameter.line, parameter.section, text)
    }

    /// A row kept as printed as proof.
    #[must_use]
    pub fn printed_evidence(
        &self,
        table: &'static str,
        rows: &[PrintedRow],
        row: &PrintedRow,
        text: String,
    ) -> Evidence {
        self.evidence(table, index_of(rows, row), row.line, row.section, text)
    }

    /// Proof of how long the log writer kept blocks waiting that were asked for by other instances.
    pub(crate) fn flush_evidence(&self) -> Option<Evidence> {
        let flush = log_flush(self.report)?;
        let text = format!("{}: {}", flush.name, words::latency(flush.us));
        Some(self.printed_evidence("rac_cache", &self.report.tables.rac_cache, flush.row, text))
    }
}

/// Instances whose rows have to be added up: 0 where one row is of all of them.
pub(crate) fn instances_of(rows: impl Iterator<Item = Option<u32>>) -> usize {
    let numbers: Option<BTreeSet<u32>> = rows.collect();
    numbers.map_or(0, |numbers| numbers.len())
}

/// `, sum of 4 instances`, or nothing.
pub(crate) fn sum_of(instances: usize) -> String {
    if instances > 1 { format!(", sum of {instances} instances") } else { String::new() }
}

/// How near the value of a parameter is to the database that a report is of, nearest first; `None` for a value of a
/// container that is neither it nor the root: reports of pluggable databases print those of all beside each other.
pub(crate) fn rank_of_container(report: &Report, parameter: &Parameter) -> Option<u8> {
    let own = report.identity.container.as_deref().unwrap_or("CDB$ROOT");
    match parameter.container.as_deref() {
        Some(container) if container == own => Some(0),
        None => Some(1),
        Some("CDB$ROOT") => Some(2),
        Some(_) => None,
    }
}

/// The row of a parameter that holds for the database that the report is of.
pub(crate) fn parameter_in_force<'r>(report: &'r Report, name: &str) -> Option<&'r Parameter> {
    let named = report.tables.parameter.iter().filter(|p| p.name.trim().eq_ignore_ascii_case(name));
    let ranked = named.filter_map(|p| Some((rank_of_container(report, p)?, p)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, p)| p)
}

/// Unit of a statistic whose name does not say it, with a blank before: Oracle counts most times in
/// centiseconds.
fn unit_of(statistic: &str) -> &'static str {
    const CENTISECONDS: &[&str] = &[
        "CPU used by this session",
        "CPU used when call started",
        "DB time",
        "parse time cpu",
        "parse time elapsed",
        "recursive cpu usage",
        "redo log space wait time",
        "redo synch time",
        "redo write time",
    ];
    const BYTES: &[&str] = &["redo size", "redo wastage"];
    let is_one_of = |names: &[&str]| names.iter().any(|n| same_name(n, statistic));
    match () {
        () if is_one_of(CENTISECONDS) => " cs",
        () if is_one_of(BYTES) => " bytes",
        () => "",
    }
}

/// Position of a row in the table that holds it; 0 for a row of another table.
pub(crate) fn index_of<T>(rows: &[T], row: &T) -> usize {
    rows.iter().position(|r| std::ptr::eq(r, row)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rules::testing::Hour;

    /// Statistics, times and waits of two instances were added up, and cited as the row of the first; a statistic was
    /// quoted with the value of that one.
    #[test]
    fn a_sum_of_instances_stood_on_the_line_of_the_first() {
        let of_both = |hour: Hour| {
            hour.with(|r| {
                let tables = &mut r.tables;
                tables.time_model.iter_mut().for_each(|row| row.instance_number = Some(1));
                tables.instance_stat.iter_mut().for_each(|row| row.instance_number = Some(1));
                tables.wait_event.iter_mut().for_each(|row| row.instance_number = Some(1));
                for n in 0..tables.time_model.len() {
                    let mut second = tables.time_model[n].clone();
                    (second.instance_number, second.line) = (Some(2), 900);
                    tables.time_model.push(second);
                }
                let mut second = tables.instance_stat[0].clone();
                (second.instance_number, second.line) = (Some(2), 901);
                tables.instance_stat.push(second);
                let mut second = tables.wait_event[0].clone();
                (second.instance_number, second.line) = (Some(2), 902);
                tables.wait_event.push(second);
            })
        };
        let hour = || Hour::new(1000.0).cpu(400.0).stat("redo writes", 50.0);
        let hour = of_both(hour().foreground("db file sequential read", 1e4, 30.0));
        let case = Case::new(&hour.report, &Options::default());
        let proofs = [
            crate::rules::time_model_evidence(&case, "DB CPU").unwrap(),
            case.stat_evidence(case.stat("redo writes").unwrap()),
            case.event_evidence(case.foreground_event("db file sequential read").unwrap()),
        ];
        let said: Vec<&str> = proofs.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(
            said,
            [
                "DB CPU: 800 s, sum of 2 instances",
                "redo writes: 100, sum of 2 instances",
                "db file sequential read: 20,000 waits, 60 s, mean 3 ms, sum of 2 instances",
            ]
        );
        assert!(proofs.iter().all(|p| p.more_rows == 1 && p.line < 900), "{proofs:?}");
        // A row of all instances is cited itself.
        let whole = hour.with(|r| {
            let mut all = r.tables.time_model[0].clone();
            (all.instance_number, all.line, all.statistic) = (None, 950, "DB CPU".to_owned());
            all.time_s = Some(800.0);
            r.tables.time_model.push(all);
            let mut all = r.tables.instance_stat[0].clone();
            (all.instance_number, all.line, all.total) = (None, 951, Some(100.0));
            r.tables.instance_stat.push(all);
        });
        let case = Case::new(&whole.report, &Options::default());
        let cpu = crate::rules::time_model_evidence(&case, "DB CPU").unwrap();
        assert_eq!((cpu.text.as_str(), cpu.line, cpu.more_rows), ("DB CPU: 800 s", 950, 0));
        let writes = case.stat_evidence(case.stat("redo writes").unwrap());
        assert_eq!((writes.text.as_str(), writes.line, writes.more_rows), ("redo writes: 100", 951, 0));
    }

    #[test]
    fn a_statistic_is_quoted_with_its_unit() {
        let hour = Hour::new(10.0)
            .stat("redo write time", 169_571.0)
            .stat("redo size", 10.0)
            .stat("redo writes", 5.0);
        let case = Case::new(&hour.report, &Options::default());
        let said: Vec<String> =
            hour.report.tables.instance_stat.iter().map(|s| case.stat_evidence(s).text).collect();
        assert_eq!(said, ["redo write time: 169,571 cs", "redo size: 10 bytes", "redo writes: 5"]);
    }
}
