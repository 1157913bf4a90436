//! The first screen: which database, the answer, the response-time bar, the findings.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::chart::{Part, Piece, ShareBar, put};
use crate::escape::{clip, push_html, push_prose};
use crate::overview::{Overview, class_share};
use crate::{Subject, head, number, palette};
use spindle_diagnosis::{ClassTime, Diagnosis, Evidence, Finding, IoFigure, ResponseSide};

/// Findings on the first screen; the rest is folded.
const FINDINGS: usize = 5;
/// Lines of proof shown at once with a finding.
const PROOFS: usize = 3;
/// Findings shown at all.
const MOST_FINDINGS: usize = 40;
/// Events in the table under the bar.
const EVENTS: usize = 30;

/// The first screen of one report; `alone` where the page has no other.
pub(super) fn render(out: &mut String, subject: Subject<'_>, prefix: &str, alone: bool) {
    heading(out, subject, alone);
    out.push_str("<p class=answer>");
    push_prose(out, &clip(&subject.diagnosis.answer, 1000));
    out.push_str("</p>");
    if let Some(hidden) = head::averages_over(subject) {
        empty(out, &hidden);
    }
    response_time(out, subject, prefix);
    if let Some(named) = head::named_beside(subject.report) {
        empty(out, &named);
    }
    findings(out, subject.diagnosis, prefix);
    put!(
        out,
        "<nav class=nv><a href=\"#{prefix}io\">I/O profile</a> <a href=\"#{prefix}latency\">Latency</a> <a href=\"#{prefix}who\">Who</a> <a href=\"#{prefix}whatif\">What if</a> <a href=\"#{prefix}memory\">Memory</a> <a href=\"#{prefix}read\">What was read</a></nav>"
    );
}

fn heading(out: &mut String, subject: Subject<'_>, alone: bool) {
    let id = &subject.report.identity;
    let tag = if alone { "h1" } else { "h2" };
    put!(out, "<header><{tag}>");
    push_html(out, &clip(&head::name(id), 200));
    put!(out, "</{tag}><p>");
    let mut parts: Vec<String> = head::interval(id).into_iter().collect();
    parts.extend(head::load(subject));
    push_html(out, &parts.join(" · "));
    out.push_str("</p><p class=q>");
    let mut parts = head::machine(id);
    parts.push(head::kind(id));
    parts.push(id.source.clone());
    push_html(out, &clip(&parts.join(" · "), 500));
    out.push_str("</p><p class=q>");
    push_html(out, &head::Ledger::of(subject.report).sentence());
    if id.excerpt {
        out.push_str("; <b>an excerpt: what it leaves out cannot be told</b>");
    }
    if id.spans_restart {
        out.push_str("; <b>the instance restarted inside the interval</b>");
    }
    out.push_str("</p></header>");
}

/// The events of a class, as pieces of its part of the bar.
fn pieces(class: &ClassTime) -> Vec<Piece<'_>> {
    class
        .events
        .iter()
        .map(|e| {
            let place = head::place(&e.section, e.line);
            let hover = format!("{}: {} s ({place})", clip(&e.event, 80), number::measure(e.time_s));
            Piece { name: &e.event, size: e.counted_s, hover }
        })
        .collect()
}

fn bar(side: &ResponseSide, question: &str, unit: &str) -> Option<String> {
    let share = |s: f64, total: f64| number::percent(100.0 * s / total);
    let known = side.cpu_s.unwrap_or(0.0)
        + side.classes.iter().map(|c| c.time_s).sum::<f64>()
        + side.unexplained_s.unwrap_or(0.0)
        + head::unlisted_waits_s(side).unwrap_or(0.0);
    let total = side.db_time_s.map_or(known, |t| t.max(known));
    if known <= 0.0 || !total.is_finite() || !head::is_read(side) {
        return None;
    }
    let hover = |name: &str, s: f64| format!("{name}: {} s, {} %", number::measure(s), share(s, total));
    let mut parts = Vec::new();
    if let Some(cpu) = side.cpu_s {
        parts.push(Part {
            name: "CPU",
            css: palette::CPU.css,
            size: cpu,
            pieces: vec![],
            hover: hover("CPU", cpu),
        });
    }
    for class in side.classes.iter().take(16) {
        let css = palette::of(&class.wait_class).css;
        parts.push(Part {
            name: &class.wait_class,
            css,
            size: class.time_s,
            pieces: pieces(class),
            hover: hover(&class.wait_class, class.printed_s),
        });
    }
    if let Some(rest) = side.unexplained_s.filter(|s| *s > 0.0) {
        let hover = hover("Not explained: run queue, events not printed, rounding", rest);
        parts.push(Part {
            name: "not explained",
            css: palette::UNEXPLAINED.css,
            size: rest,
            pieces: vec![],
            hover,
        });
    }
    if let Some(rest) = head::unlisted_waits_s(side) {
        parts.push(Part {
            name: head::UNLISTED,
            css: palette::UNEXPLAINED.css,
            size: rest,
            pieces: vec![],
            hover: hover("Not listed, or of background processes", rest),
        });
    }
    Some(ShareBar { question, total, unit, parts }.render())
}

fn event_table(side: &ResponseSide, caption: &str) -> Option<Table> {
    if side.classes.is_empty() && side.cpu_s.is_none() {
        return None;
    }
    let headings =
        ["", "Event", ">Time (s)", ">Share (%)", ">Waits", ">Average (ms)", ">p50", ">p90", ">p99", "Line"];
    let mut table = Table::new(caption, &headings, EVENTS);
    let total = side.db_time_s.filter(|t| *t > 0.0);
    let pct = |s: f64| number::or_unknown(total.map(|t| 100.0 * s / t), number::percent);
    let swatch = |css: &str| Cell::Html(format!("<b class=\"sw {css}\"></b>"));
    let none = || Cell::Number(String::new());
    let plain = |css: &str, name: &'static str, s: f64| {
        [
            swatch(css),
            Cell::Text(name),
            Cell::Number(number::measure(s)),
            Cell::Number(pct(s)),
            none(),
            none(),
            none(),
            none(),
            none(),
            none(),
        ]
    };
    if let Some(cpu) = side.cpu_s {
        table.row("", &plain(palette::CPU.css, "CPU", cpu));
    }
    if let Some(rest) = side.unexplained_s.filter(|s| *s > 0.0) {
        table.row("", &plain(palette::UNEXPLAINED.css, "not explained", rest));
    }
    let mut events: Vec<(&ClassTime, &spindle_diagnosis::EventTime)> =
        side.classes.iter().flat_map(|c| c.events.iter().map(move |e| (c, e))).collect();
    events.sort_by(|a, b| b.1.time_s.total_cmp(&a.1.time_s));
    let range = |r: Option<spindle_facts::Interval>| {
        Cell::Number(r.map_or_else(|| number::UNKNOWN.to_owned(), number::range_ms))
    };
    for (class, event) in events {
        table.row(
            "",
            &[
                Cell::Html(format!(
                    "<b class=\"sw {}\" title=\"{}\"></b>",
                    palette::of(&class.wait_class).css,
                    crate::escape::html(&clip(&class.wait_class, 60))
                )),
                Cell::Text(&event.event),
                Cell::Number(number::measure(event.time_s)),
                Cell::Number(pct(event.time_s)),
                Cell::known(event.waits, number::count),
                Cell::known(event.avg_us, number::ms),
                range(event.p50_us),
                range(event.p90_us),
                range(event.p99_us),
                Cell::Place(&event.section, event.line),
            ],
        );
    }
    Some(table)
}

/// The same colours by name, with seconds: the bar has no room for small classes.
fn key(out: &mut String, side: &ResponseSide) {
    out.push_str("<div class=ky>");
    let total = side.db_time_s.filter(|t| *t > 0.0);
    let mut item = |css: &str, name: &str, s: f64| {
        put!(out, "<span><b class={css}></b>");
        push_html(out, &clip(name, 60));
        match total {
            Some(total) => {
                put!(out, " {} %", number::percent(100.0 * s / total));
            }
            None => {
                put!(out, " {} s", number::measure(s));
            }
        }
        out.push_str("</span>");
    };
    if let Some(cpu) = side.cpu_s {
        item(palette::CPU.css, "CPU", cpu);
    }
    for class in side.classes.iter().take(16) {
        item(palette::of(&class.wait_class).css, &class.wait_class, class.printed_s);
    }
    if let Some(rest) = side.unexplained_s.filter(|s| *s > 0.0) {
        item(palette::UNEXPLAINED.css, "not explained", rest);
    }
    out.push_str("</div>");
}

fn response_time(out: &mut String, subject: Subject<'_>, prefix: &str) {
    put!(out, "<section id=\"{prefix}time\">");
    let foreground = &subject.diagnosis.response_time.foreground;
    let (question, unit) = match foreground.db_time_s {
        Some(t) => (format!("Where did {} s of DB time go?", number::measure(t)), "seconds of DB time"),
        None if foreground.cpu_s.is_none() => {
            ("Where did the time go? (DB time and CPU are unknown: waits only)".to_owned(), "seconds")
        }
        None => ("Where did the time go? (DB time is unknown: CPU and waits only)".to_owned(), "seconds"),
    };
    match bar(foreground, &question, unit) {
        None => {
            let titles = ["wait event", "time model", "timed", "top 5", "top 10"];
            let why = head::why_missing(subject.report, &titles, "DB time or wait events");
            let why = foreground.remark.as_ref().unwrap_or(&why);
            empty(out, &format!("Response time cannot be drawn. {why}"));
        }
        Some(bar) => {
            out.push_str(&bar);
            key(out, foreground);
            if let Some(remark) = &foreground.remark {
                empty(out, &clip(remark, 600));
            }
            out.push_str("<details><summary>Every event in the bar</summary>");
            if let Some(table) = event_table(
                foreground,
                "Foreground: CPU and waits. Percentiles are bounds (ms): histograms round, and count background waits of the event, too.",
            ) {
                table.finish(out);
            }
            let background = &subject.diagnosis.response_time.background;
            match event_table(
                background,
                "Background processes: never part of DB time; shares are of background time.",
            ) {
                Some(table) => table.finish(out),
                None => empty(out, "Background waits: not printed apart in this report."),
            }
            out.push_str("</details>");
        }
    }
    out.push_str("</section>");
}

fn finding(out: &mut String, finding: &Finding) {
    out.push_str("<li><div class=ft><b>");
    push_prose(out, &clip(&finding.title, 400));
    out.push_str("</b><span class=cost>");
    if finding.impact_s > 0.0 {
        if let Some(share) = finding.impact_pct {
            put!(out, "{} % · ", head::range(finding, share, number::percent));
        }
        put!(out, "{} s</span></div>", head::range(finding, finding.impact_s, number::measure));
    } else {
        out.push_str("no time of its own</span></div>");
    }
    if finding.touches_s > finding.impact_s * 1.05 {
        put!(
            out,
            "<p class=q>Bears on {} s; what of it counts under another finding, or is no part of DB time that is told \
             apart, is not counted here.</p>",
            number::measure(finding.touches_s)
        );
    }
    out.push_str("<dl>");
    let (proofs, more) = finding.evidence.split_at(finding.evidence.len().min(PROOFS));
    if !proofs.is_empty() {
        out.push_str("<dt>Why</dt><dd>");
        proofs.iter().for_each(|p| proof(out, p));
        out.push_str("</dd>");
    }
    let (first, then) = finding.actions.split_at(finding.actions.len().min(1));
    if let Some(action) = first.first() {
        out.push_str("<dt>Do first</dt><dd>");
        push_prose(out, &clip(action, 500));
        out.push_str("</dd>");
    }
    if !finding.caveat.is_empty() {
        out.push_str("<dt>Caveat</dt><dd class=q>");
        push_prose(out, &clip(&finding.caveat, 500));
        out.push_str("</dd>");
    }
    out.push_str("</dl>");
    if !more.is_empty() || !then.is_empty() {
        let words: Vec<String> = [(then.len(), "next step"), (more.len(), "more line")]
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{n} {what}{}", if n == 1 { "" } else { "s" }))
            .collect();
        put!(
            out,
            "<details><summary>{}{}</summary><dl>",
            words.join(", "),
            if more.is_empty() { "" } else { " of proof" }
        );
        if !then.is_empty() {
            out.push_str("<dt>Then</dt><dd>");
            for action in then.iter().take(6) {
                out.push_str("<div>");
                push_prose(out, &clip(action, 500));
                out.push_str("</div>");
            }
            out.push_str("</dd>");
        }
        if !more.is_empty() {
            out.push_str("<dt>Why</dt><dd>");
            more.iter().take(12).for_each(|p| proof(out, p));
            out.push_str("</dd>");
        }
        out.push_str("</dl></details>");
    }
    out.push_str("</li>");
}

fn proof(out: &mut String, proof: &Evidence) {
    out.push_str("<div>");
    push_prose(out, &clip(&proof.text, 300));
    out.push_str(" <cite>");
    push_html(out, &clip(&head::place_of(proof), 120));
    out.push_str("</cite></div>");
}

/// A rule's title for a person.
fn rule_title(id: &str) -> String {
    spindle_diagnosis::rules::ALL
        .iter()
        .find(|r| r.id == id)
        .map_or_else(|| id.replace('_', " "), |r| r.title.to_owned())
}

fn findings(out: &mut String, diagnosis: &Diagnosis, prefix: &str) {
    out.push_str(&section(prefix, "findings", "Findings, by seconds of DB time"));
    let all = &diagnosis.findings;
    if all.is_empty() {
        let looked = diagnosis.not_found.len();
        empty(out, &format!("No finding: {}.", head::looked_for(looked)));
    }
    let (first, rest) = all.split_at(all.len().min(FINDINGS));
    out.push_str("<ol class=fs>");
    first.iter().for_each(|f| finding(out, f));
    out.push_str("</ol>");
    if !rest.is_empty() {
        put!(
            out,
            "<details><summary>{} more finding{}</summary><ol class=fs start={}>",
            rest.len(),
            if rest.len() == 1 { "" } else { "s" },
            FINDINGS + 1
        );
        rest.iter().take(MOST_FINDINGS).for_each(|f| finding(out, f));
        out.push_str("</ol></details>");
    }
    if !diagnosis.cannot_tell.is_empty() || !diagnosis.not_found.is_empty() {
        put!(
            out,
            "<details><summary>{} causes not found, {} that this report cannot decide</summary>",
            diagnosis.not_found.len(),
            diagnosis.cannot_tell.len()
        );
        if !diagnosis.cannot_tell.is_empty() {
            let mut table = Table::new("", &["Cannot be decided", "What is missing"], 60);
            for rule in &diagnosis.cannot_tell {
                table.row("", &[Cell::Text(&rule_title(rule.rule)), Cell::Text(&rule.missing)]);
            }
            table.finish(out);
        }
        if !diagnosis.not_found.is_empty() {
            out.push_str("<p class=q>Looked for and not found: ");
            let names: Vec<String> = diagnosis.not_found.iter().take(80).map(|r| rule_title(r)).collect();
            push_html(out, &names.join("; "));
            out.push_str(".</p>");
        }
        out.push_str("</details>");
    }
    out.push_str("</section>");
}

/// Reports in the table of several.
const REPORTS: usize = 120;

/// Databases that get an answer of their own on the first screen; the others have theirs below.
const ANSWERS: usize = 6;

/// The first screen of several reports: names, the busiest one, its answer and bar, what recurs.
pub(super) fn render_several(out: &mut String, subjects: &[Subject<'_>], overview: &Overview<'_>) {
    out.push_str("<header><h1>");
    push_html(out, &clip(&overview.title, 300));
    out.push_str("</h1><p>");
    push_html(out, &overview.span);
    out.push_str("</p></header>");
    // Each database has an answer of its own.
    for &peak in overview.peaks.iter().take(ANSWERS) {
        let id = &subjects[peak].report.identity;
        let when = head::when(subjects[peak], subjects);
        out.push_str("<p class=q>");
        let load = head::load(subjects[peak]).join(", ");
        push_html(
            out,
            &clip(
                &format!("{}: {when}, {}, {load}", head::busiest(subjects[peak], subjects), head::name(id)),
                400,
            ),
        );
        out.push_str("</p><p class=answer>");
        push_prose(out, &clip(&subjects[peak].diagnosis.answer, 1000));
        out.push_str("</p>");
        if let Some(hidden) = head::averages_over(subjects[peak]) {
            empty(out, &hidden);
        }
        let side = &subjects[peak].diagnosis.response_time.foreground;
        let question = format!(
            "Where did {} s of DB time go in the busiest interval?",
            number::or_unknown(side.db_time_s, number::measure)
        );
        if let Some(bar) = bar(side, &question, "seconds of DB time") {
            out.push_str(&bar);
            key(out, side);
        }
    }
    if overview.recurring.is_empty() {
        empty(out, "No finding costs DB time in any of the reports.");
    } else {
        let mut table = Table::new(
            "Findings over all reports, by seconds of DB time",
            &["Finding (worst case)", ">Time (s)", ">Reports", "Worst in"],
            12,
        );
        for finding in &overview.recurring {
            let id = &subjects[finding.worst].report.identity;
            let when = head::when(subjects[finding.worst], subjects);
            let when = format!("{when}, {}", head::name(id));
            table.row(
                "",
                &[
                    Cell::Prose(finding.title),
                    Cell::Number(format!(
                        "{}{}",
                        if finding.up_to { "up to " } else { "" },
                        number::measure(finding.impact_s)
                    )),
                    Cell::Number(format!("{} of {}", finding.reports, overview.intervals)),
                    Cell::Text(&when),
                ],
            );
        }
        table.finish_with(out, "in the reports below");
    }
    out.push_str("<details open><summary>Every report, in time</summary>");
    let headings = [
        "Report",
        "Instance",
        ">Active sessions",
        ">CPU (%)",
        ">Wait class User I/O (%)",
        ">Reads/s",
        ">Writes/s",
        ">Single-block read (ms)",
        ">Log write (ms)",
    ];
    let caption = if subjects.iter().any(|subject| head::reads_are_of_places(*subject)) {
        "~: the mean read of tablespaces or files, told apart by blocks a read, as no waits were read."
    } else {
        ""
    };
    let mut table = Table::new(caption, &headings, REPORTS);
    for &i in &overview.in_time {
        let (id, d) = (&subjects[i].report.identity, subjects[i].diagnosis);
        let figure = |f: &Option<IoFigure>, how| Cell::Number(head::figure(f.as_ref(), how));
        let when = head::when(subjects[i], subjects);
        let when =
            if head::interval(id).is_some() { &when } else { when.rsplit('/').next().unwrap_or_default() };
        let link = format!(
            "<a href=\"#r{}\" title=\"{}\">{}</a>",
            i + 1,
            crate::escape::html(&clip(&id.source, 160)),
            crate::escape::html(&clip(when, 60))
        );
        let class = if Some(i) == overview.peak { "peak" } else { "" };
        table.row(
            class,
            &[
                Cell::Html(link),
                Cell::Text(&head::name(id)),
                Cell::known(head::average_active_sessions(subjects[i]), number::measure),
                Cell::known(class_share(d, None), number::percent),
                Cell::known(class_share(d, Some("User I/O")), number::percent),
                figure(&d.io_profile.read_iops, number::measure),
                figure(&d.io_profile.write_iops, number::measure),
                figure(&d.io_profile.single_block_read_us, number::ms),
                figure(&d.io_profile.log_write_us, number::ms),
            ],
        );
    }
    table.finish_with(out, "with <code>spindle diagnose --json</code>");
    out.push_str("</details>");
}
