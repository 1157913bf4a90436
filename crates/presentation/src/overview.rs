//! Several reports at a glance: names, span, busiest interval, what recurs.

use crate::{Subject, head};
use spindle_diagnosis::Diagnosis;
use spindle_facts::{Identity, Scope};
use std::collections::{BTreeMap, BTreeSet};

/// A rule that found something in one or more reports.
#[derive(Clone, Copy, Debug)]
pub struct Recurring<'a> {
    /// Title of the costliest one.
    pub title: &'a str,
    /// Seconds over all reports.
    pub impact_s: f64,
    /// Are ranges among them, of which the top is counted?
    pub up_to: bool,
    /// Reports in which it was found.
    pub reports: usize,
    /// Report in which it cost most.
    pub worst: usize,
    /// Seconds of `impact_s` that are that report's, where the title speaks of more: what is beyond DB time, or
    /// counts under another finding, is in no sum.
    pub worst_s: Option<f64>,
}

/// What tells which report was busier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Average active sessions.
    Sessions,
    /// Requests a second: no report prints DB time.
    Requests,
    /// Neither is printed: as given.
    Given,
}

/// What several reports have in common.
#[derive(Clone, Debug)]
pub struct Overview<'a> {
    /// `ORCL: 24 reports, 2 instances`.
    pub title: String,
    /// From when to when, with how many unread sections.
    pub span: String,
    /// How the reports are counted: `23 reports`, `922 intervals of one file`.
    pub count: String,
    /// Report with the highest load; `None` where none prints DB time.
    pub peak: Option<usize>,
    /// Report with the highest load of each database, highest first.
    pub peaks: Vec<usize>,
    /// Reports by load, highest first; those without DB time last, by their requests.
    pub by_load: Vec<usize>,
    /// What the reports are ordered by.
    pub order: Order,
    /// Reports by begin time, then instance; those without time last.
    pub in_time: Vec<usize>,
    /// Reports without those that repeat the interval of another.
    pub intervals: usize,
    /// Findings over all reports that cost DB time, costliest first.
    pub recurring: Vec<Recurring<'a>>,
}

impl<'a> Overview<'a> {
    /// Looks at all reports once.
    #[must_use]
    pub fn of(subjects: &[Subject<'a>]) -> Self {
        let ids = || subjects.iter().map(|s| &s.report.identity);
        let named = Databases::of(subjects);
        let instances: BTreeSet<_> =
            ids().map(|i| (named.one(i), i.instance.as_deref())).filter(|(_, i)| i.is_some()).collect();
        let mut title = named.title();
        let mut sources = ids().map(|i| &i.source);
        let first = sources.next();
        let one_file = subjects.len() > 1 && sources.all(|s| Some(s) == first);
        let count =
            format!("{} {}", subjects.len(), if one_file { "intervals of one file" } else { "reports" });
        title.push_str(&format!(": {count}"));
        if instances.len() > 1 {
            title.push_str(&format!(", {} instances", instances.len()));
        }
        let begin = ids().filter_map(|i| i.begin_time.as_deref()).min();
        let end = ids().filter_map(|i| i.end_time.as_deref()).max();
        let mut span = match (begin, end) {
            (Some(b), Some(e)) => format!("{} to {}", crate::number::time(b), crate::number::time(e)),
            _ => "the reports print no times".to_owned(),
        };
        let unnamed = ids().filter(|id| id.db_name.is_none() && id.db_id.is_none()).count();
        if unnamed > 1 {
            let which = match unnamed == subjects.len() {
                true => "they".to_owned(),
                false => format!("the {unnamed} that name none"),
            };
            span.push_str(&format!("; whether {which} are of one database is not known"));
        }
        let unreadable: usize = subjects.iter().map(|s| head::Ledger::of(s.report).unreadable).sum();
        if unreadable > 0 {
            span.push_str(&format!("; {unreadable} sections unreadable"));
        }
        let twins = twins(subjects);
        if !twins.is_empty() {
            let many = twins.len() > 1;
            span.push_str(&format!(
                "; {} report{} the interval of another and count{} once",
                twins.len(),
                if many { "s repeat" } else { " repeats" },
                if many { "" } else { "s" }
            ));
        }
        let loads: Vec<_> = subjects.iter().map(|s| spindle_diagnosis::load(s.report, s.diagnosis)).collect();
        let load = |i: usize| loads[i].0;
        // A report on all of an interval before one on a statement of it.
        let order_of = |i: usize| (spindle_diagnosis::is_of_a_part(&subjects[i].report.identity), i);
        let mut by_load: Vec<usize> = (0..subjects.len()).collect();
        by_load.sort_by(|&a, &b| {
            spindle_diagnosis::by_load(loads[b], loads[a]).then(order_of(a).cmp(&order_of(b)))
        });
        let order = match loads.iter().map(|l| (l.0.is_some(), l.1.is_some())).max() {
            Some((true, _)) => Order::Sessions,
            Some((_, true)) => Order::Requests,
            _ => Order::Given,
        };
        let mut in_time: Vec<usize> = (0..subjects.len()).collect();
        in_time.sort_by_key(|&i| {
            let id = &subjects[i].report.identity;
            (id.begin_time.is_none(), id.begin_time.as_deref(), id.instance_number, id.instance.as_deref(), i)
        });
        let mut seen = Vec::new();
        let mut peaks = Vec::new();
        // A report of an interval that another one tells of counts as that one.
        let counts = |i: usize| load(i).is_some() && twins.get(&i).is_none_or(|first| load(*first).is_none());
        for &i in by_load.iter().filter(|&&i| counts(i)) {
            let database = named.one(&subjects[i].report.identity);
            if !seen.contains(&database) {
                seen.push(database);
                peaks.push(i);
            }
        }
        Self {
            title,
            span,
            count,
            peaks,
            peak: by_load.iter().copied().find(|&i| counts(i)),
            by_load,
            order,
            in_time,
            intervals: subjects.len() - twins.len(),
            recurring: recurring(subjects, &twins),
        }
    }
}

/// The databases of some reports: several may have one name, and a report need not print the number that tells them
/// apart.
struct Databases<'a>(BTreeMap<&'a str, BTreeSet<u64>>);

impl<'a> Databases<'a> {
    fn of(subjects: &[Subject<'a>]) -> Self {
        let mut named: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for subject in subjects {
            let id = &subject.report.identity;
            named.entry(Self::name(id)).or_default().extend(id.db_id);
        }
        Self(named)
    }

    fn name(id: &Identity) -> &str {
        id.db_name.as_deref().unwrap_or("database not named")
    }

    /// Which of them a report is of.
    fn one(&self, id: &'a Identity) -> (&'a str, Option<u64>) {
        let name = Self::name(id);
        let several = self.0.get(name).is_some_and(|ids| ids.len() > 1);
        (name, id.db_id.filter(|_| several))
    }

    /// `ORCL, XYDB (4 databases of that name)`.
    fn title(&self) -> String {
        let named = self.0.iter().map(|(name, ids)| match ids.len() {
            0 | 1 => (*name).to_owned(),
            several => format!("{name} ({several} databases of that name)"),
        });
        let mut title = named.take(4).collect::<Vec<_>>().join(", ");
        if self.0.len() > 4 {
            title.push_str(&format!(" and {} more", self.0.len() - 4));
        }
        title
    }
}

/// Reports that repeat another's interval, in another format or from another source, each with the first of
/// them.
fn twins(subjects: &[Subject<'_>]) -> BTreeMap<usize, usize> {
    let begin = |i: &usize| subjects[*i].report.identity.begin_time.as_deref();
    let mut in_time: Vec<usize> = (0..subjects.len()).filter(|i| begin(i).is_some()).collect();
    let of_a_part = |i: &usize| spindle_diagnosis::is_of_a_part(&subjects[*i].report.identity);
    in_time.sort_by(|a, b| (begin(a), of_a_part(a), a).cmp(&(begin(b), of_a_part(b), b)));
    let mut twins = BTreeMap::new();
    for (n, &later) in in_time.iter().enumerate() {
        // Those that begin at almost the same time stand beside each other.
        let near = in_time[..n].iter().rev().take(MOST_AT_A_TIME);
        let same = |i: &&usize| {
            spindle_diagnosis::is_same_interval(
                &subjects[**i].report.identity,
                &subjects[later].report.identity,
            )
        };
        if let Some(&first) = near.filter(|i| !twins.contains_key(*i)).find(same) {
            twins.insert(later, first);
        }
    }
    twins
}

/// Reports of one time that are compared with each other.
const MOST_AT_A_TIME: usize = 32;

/// What recurs. A finding of an interval counts once, whatever number of reports of it there is. Where a file
/// holds a database and its instances at one time, the database's row
/// repeats theirs: it counts for a rule only where no instance found it.
fn recurring<'a>(subjects: &[Subject<'a>], twins: &BTreeMap<usize, usize>) -> Vec<Recurring<'a>> {
    /// What a finding bears on and what it counts are the same up to here.
    const COUNTED_WHOLE: f64 = 1.05;
    // By snapshot where it is known: the instances of a database begin a minute apart.
    let time_of = |s: &Subject<'a>| {
        let id = &s.report.identity;
        let minute = id.begin_time.as_deref().map(|t| t.get(..16).unwrap_or(t));
        (id.db_id, id.db_name.as_deref(), id.end_snap, minute.filter(|_| id.end_snap.is_none()))
    };
    let is_whole = |s: &Subject<'a>| s.report.identity.scope == Scope::Database;
    let by_instance: BTreeSet<_> = subjects
        .iter()
        .filter(|s| !is_whole(s))
        .flat_map(|s| s.diagnosis.findings.iter().map(move |f| (f.rule, time_of(s))))
        .collect();
    let mut by_rule: BTreeMap<&str, (Recurring<'a>, f64)> = BTreeMap::new();
    // What a rule found in an interval of which there are several reports: the most of it.
    let mut repeated: BTreeMap<(&str, usize), f64> = BTreeMap::new();
    for (i, subject) in subjects.iter().enumerate() {
        for finding in &subject.diagnosis.findings {
            if is_whole(subject) && by_instance.contains(&(finding.rule, time_of(subject))) {
                continue;
            }
            let fresh = Recurring {
                title: &finding.title,
                impact_s: 0.0,
                up_to: false,
                reports: 0,
                worst: i,
                worst_s: None,
            };
            let (sum, most) = by_rule.entry(finding.rule).or_insert((fresh, -1.0));
            sum.up_to |= finding.impact_low_s.is_some();
            let first = twins.get(&i).copied().unwrap_or(i);
            let before = repeated.insert((finding.rule, first), finding.impact_s);
            if let Some(before) = before {
                let most = before.max(finding.impact_s);
                sum.impact_s += most - before;
                repeated.insert((finding.rule, first), most);
            } else {
                sum.impact_s += finding.impact_s;
                sum.reports += 1;
            }
            if finding.impact_s > *most {
                (*most, sum.title, sum.worst) = (finding.impact_s, &finding.title, i);
                let is_part = finding.touches_s > COUNTED_WHOLE * finding.impact_s;
                sum.worst_s = is_part.then_some(finding.impact_s);
            }
        }
    }
    let mut out: Vec<Recurring<'a>> =
        by_rule.into_values().map(|(r, _)| r).filter(|r| r.impact_s > 0.0).collect();
    out.sort_by(|a, b| b.impact_s.total_cmp(&a.impact_s).then(a.title.cmp(b.title)));
    out
}

/// Share of DB time, from the seconds as printed, as the answer to one report has it: of a wait class, or of CPU for `None`.
#[must_use]
pub fn class_share(diagnosis: &Diagnosis, class: Option<&str>) -> Option<f64> {
    let side = &diagnosis.response_time.foreground;
    let total = side.db_time_s.filter(|t| *t > 0.0)?;
    let of_class = |name| side.classes.iter().find(|c| c.wait_class == name).map(|c| c.printed_s);
    // Without any class read, or with a few events that lead, a missing class is unknown, not zero.
    let is_whole = !side.classes.is_empty() && !side.leaders_alone;
    let seconds = match class {
        None => side.cpu_s?,
        Some(name) => of_class(name).or(is_whole.then_some(0.0))?,
    };
    Some(100.0 * seconds / total)
}
