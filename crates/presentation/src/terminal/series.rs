//! Several reports on one screen: when was the load highest, what recurs, one line a report.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::overview::{Order, Overview, class_share};
use crate::{Subject, head, number};
use spindle_diagnosis::{IoFigure, IoProfile};
use spindle_facts::Scope;

/// Lines of a screen.
const LINES: usize = 40;

/// How many rows each part gets; the page has all.
#[derive(Clone, Copy)]
struct Room {
    /// Databases that get an answer of their own.
    answers: usize,
    findings: usize,
    reports: usize,
}

const MOST: Room = Room { answers: 4, findings: 5, reports: 24 };

type Part = fn(&mut Room) -> &mut usize;

/// What gives way, in this order, and down to how many rows.
const GIVES: [(Part, usize); 6] = [
    (|r| &mut r.reports, 12),
    (|r| &mut r.findings, 3),
    (|r| &mut r.reports, 8),
    (|r| &mut r.findings, 1),
    (|r| &mut r.answers, 1),
    (|r| &mut r.reports, 3),
];

/// The screen for several reports: databases, the busiest interval and its answer, findings that
/// recur, and one line for each report.
#[must_use]
pub fn series_summary(subjects: &[Subject<'_>], look: Look) -> String {
    let overview = Overview::of(subjects);
    let mut room = MOST;
    let mut lines = screen(subjects, &overview, look, room);
    for (part, least) in GIVES {
        while lines.len() > LINES && *part(&mut room) > least {
            *part(&mut room) -= 1;
            lines = screen(subjects, &overview, look, room);
        }
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn screen(subjects: &[Subject<'_>], overview: &Overview<'_>, look: Look, room: Room) -> Vec<String> {
    let columns = look.columns();
    let mut lines: Vec<String> = wrap(&safe(&overview.title), columns).iter().map(|l| look.bold(l)).collect();
    lines.extend(wrap(&safe(&overview.span), columns));
    lines.push(String::new());
    // Each database has an answer of its own.
    for &peak in overview.peaks.iter().take(room.answers) {
        let id = &subjects[peak].report.identity;
        let when = head::when(subjects[peak], subjects);
        let load = head::load(subjects[peak]).join(", ");
        let busiest = head::busiest(subjects[peak], subjects);
        lines.extend(wrap(&safe(&format!("{busiest}: {when}, {}, {load}.", head::name(id))), columns));
        lines.extend(wrap(&safe(&subjects[peak].diagnosis.answer), columns).iter().map(|l| look.bold(l)));
        if let Some(hidden) = head::averages_over(subjects[peak]) {
            lines.extend(wrap(&hidden, columns));
        }
        lines.push(String::new());
    }
    if !overview.recurring.is_empty() {
        lines.push(look.bold("Findings over all reports, by seconds of DB time"));
        for finding in overview.recurring.iter().take(room.findings) {
            let worst = &subjects[finding.worst].report.identity;
            let when = head::when(subjects[finding.worst], subjects);
            let text = format!(
                "{}{} s in {} of {}; worst in {when}, {}{}: {}",
                if finding.up_to { "up to " } else { "" },
                number::measure(finding.impact_s),
                finding.reports,
                overview.intervals,
                safe(&head::name(worst)),
                finding.worst_s.map_or_else(String::new, |s| format!(" ({} s of it)", number::measure(s))),
                safe(finding.title)
            );
            for (n, line) in wrap_to(&text, columns - 2, 2).iter().enumerate() {
                lines.push(format!("{}{line}", if n == 0 { "- " } else { "  " }));
            }
        }
        lines.push(String::new());
    }
    if overview.peaks.len() > room.answers {
        let more = overview.peaks.len() - room.answers;
        lines.push(format!("{more} more databases: the page answers for each."));
        lines.push(String::new());
    }
    let mut shown: Vec<usize> = overview.by_load.iter().copied().take(room.reports).collect();
    shown.sort_by_key(|i| overview.in_time.iter().position(|t| t == i));
    if shown.len() < subjects.len() {
        let (n, count) = (shown.len(), &overview.count);
        lines.push(match overview.order {
            Order::Sessions => format!("The {n} busiest of {count}:"),
            Order::Requests => format!("The {n} of {count} with most requests (no DB time is printed):"),
            Order::Given => format!("The first {n} of {count} (neither DB time nor requests are printed):"),
        });
    }
    let legend = format!(
        "CPU and wait class User I/O: % of DB time; read: single-block, mean{}; log: mean.",
        if shown.iter().any(|i| head::reads_are_of_places(subjects[*i])) {
            " (~ of tablespaces or files)"
        } else {
            ""
        }
    );
    lines.extend(wrap(&legend, columns).iter().map(|l| look.dim(l)));
    lines.push(look.dim(&header()));
    for i in shown {
        let line = row(subjects[i], subjects);
        lines.push(if Some(i) == overview.peak { look.bold(&line) } else { line });
    }
    lines.push(String::new());
    lines.extend(
        wrap("Charts over one time axis and every finding: add --html FILE.", columns)
            .iter()
            .map(|l| look.dim(l)),
    );
    lines
}

/// One line for each report, in the order given, under a heading.
#[must_use]
pub fn line_per_report(subjects: &[Subject<'_>], look: Look) -> String {
    let mut out = look.dim(&header());
    out.push('\n');
    for subject in subjects {
        out.push_str(row(*subject, subjects).trim_end());
        out.push('\n');
    }
    out
}

fn header() -> String {
    let mut out = fit("begin", 17);
    out.push_str(&fit("instance", 9));
    for (title, columns) in [
        ("active", 7),
        ("CPU", 6),
        ("User I/O", 9),
        ("reads/s", 8),
        ("writes/s", 9),
        ("read ms", 8),
        ("log ms", 7),
    ] {
        out.push_str(&right(title, columns));
    }
    out
}

/// Requests of the whole database, which prints none itself, from its instances at the same time.
fn of_instances(
    subject: Subject<'_>,
    all: &[Subject<'_>],
    figure: fn(&IoProfile) -> &Option<IoFigure>,
) -> Option<f64> {
    let whole = &subject.report.identity;
    (whole.scope == Scope::Database && whole.end_time.is_some()).then_some(())?;
    let own = all.iter().filter(|s| {
        let id = &s.report.identity;
        id.scope == Scope::Instance
            && (id.db_id, &id.db_name, &id.source) == (whole.db_id, &whole.db_name, &whole.source)
            && (&id.begin_time, &id.end_time) == (&whole.begin_time, &whole.end_time)
    });
    let parts: Vec<f64> =
        own.map(|s| figure(&s.diagnosis.io_profile).as_ref().map(|f| f.value)).collect::<Option<_>>()?;
    let instances = whole.instances.and_then(|n| usize::try_from(n).ok())?;
    (parts.len() == instances).then(|| parts.iter().sum())
}

fn row(subject: Subject<'_>, all: &[Subject<'_>]) -> String {
    let id = &subject.report.identity;
    let d = subject.diagnosis;
    let begin = match &id.begin_time {
        Some(t) => number::time(t).chars().take(16).collect(),
        None => {
            let name = id.source.rsplit('/').next().unwrap_or_default();
            match head::first_line_among(subject, all) {
                Some(line) => format!("{}:{line}", fit(name, 10).trim_end()),
                None => name.to_owned(),
            }
        }
    };
    let numbered = || match (id.scope, id.instance_number) {
        (Scope::Database, _) => Some("all".to_owned()),
        (_, Some(n)) => Some(format!("inst {n}")),
        _ => id.db_name.clone(),
    };
    let instance = id.instance.clone().or_else(numbered).unwrap_or_else(|| number::UNKNOWN.to_owned());
    let figure = |f: &Option<IoFigure>, how| head::figure(f.as_ref(), how);
    let requests = |own: &Option<IoFigure>, of: fn(&IoProfile) -> &Option<IoFigure>| match own {
        None => number::or_unknown(of_instances(subject, all, of), number::measure),
        own => figure(own, number::measure),
    };
    let mut out = fit(&safe(&begin), 16);
    out.push(' ');
    out.push_str(&fit(&safe(&instance), 8));
    out.push(' ');
    for (text, columns) in [
        (number::or_unknown(head::average_active_sessions(subject), number::measure), 7),
        (number::or_unknown(class_share(d, None), number::percent), 6),
        (number::or_unknown(class_share(d, Some("User I/O")), number::percent), 9),
        (requests(&d.io_profile.read_iops, |io| &io.read_iops), 8),
        (requests(&d.io_profile.write_iops, |io| &io.write_iops), 9),
        (figure(&d.io_profile.single_block_read_us, number::ms), 8),
        (figure(&d.io_profile.log_write_us, number::ms), 7),
    ] {
        out.push_str(&right(&text, columns));
    }
    out
}
