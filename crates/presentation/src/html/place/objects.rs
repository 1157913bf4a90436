//! Objects: what moves and in which order, what stays and why, and the volumes that plans give.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::{REST, range};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::{head, number};
use spindle_planning::{Candidate, CandidateKind, Plan, Source};
use std::collections::HashMap;

/// Rows and bytes of each table: 5,000 candidates must not fill the page.
const CHOSEN: (usize, usize) = (150, 90_000);
const LEFT_OUT: (usize, usize) = (60, 45_000);
const VOLUMES: (usize, usize) = (60, 25_000);
/// Places named of one candidate.
const SOURCES: usize = 4;

fn kind(kind: CandidateKind) -> &'static str {
    match kind {
        CandidateKind::Table => "table",
        CandidateKind::TablePartition => "table partition",
        CandidateKind::Index => "index",
        CandidateKind::IndexPartition => "index partition",
        CandidateKind::Lob => "LOB",
        CandidateKind::Cluster => "cluster",
        CandidateKind::RestOfTablespace => "all else in the tablespace",
        CandidateKind::Tablespace => "tablespace",
        CandidateKind::DataFile => "data file",
        CandidateKind::Temp => "temp",
        CandidateKind::Undo => "undo",
        CandidateKind::Redo => "redo logs",
        CandidateKind::ControlFiles => "control files",
        CandidateKind::TableWithIndexes => "table with its indexes",
        CandidateKind::Segment => "segment, type not printed",
    }
}

/// Name; beneath it where its size was read and what moves along.
fn object(c: &Candidate) -> Cell<'static> {
    let mut html = String::from("<div class=ob><b>");
    push_html(&mut html, &clip(&c.object, 160));
    html.push_str("</b>");
    if let Some(from) = &c.size_from {
        html.push_str("<div class=q>size: ");
        push_html(&mut html, &clip(from, 120));
        html.push_str("</div>");
    }
    if let Some(container) = &c.container {
        html.push_str("<div class=q>in container ");
        push_html(&mut html, &clip(container, 60));
        html.push_str("</div>");
    }
    if !c.members.is_empty() {
        html.push_str("<div class=q>with ");
        push_html(&mut html, &clip(&c.members.join(", "), 200));
        html.push_str("</div>");
    }
    html.push_str("</div>");
    Cell::Html(html)
}

/// Lines in the report; sections, and files where there are several reports, on hover and in print.
fn lines(sources: &[Source], several: bool) -> Cell<'static> {
    // What is worked out from plans stands on no line.
    let on_lines: Vec<u32> = sources.iter().map(|s| s.line).filter(|line| *line > 0).collect();
    let numbers: Vec<String> = on_lines.iter().take(2).map(u32::to_string).collect();
    let more = if on_lines.len() > 2 { ", ..." } else { "" };
    let mut places: Vec<String> = sources
        .iter()
        .take(SOURCES)
        .map(|s| {
            let place = if s.line == 0 { s.section.clone() } else { head::place(&s.section, s.line) };
            // The end of a path is what tells reports apart.
            let file = s.source.rsplit(['/', '\\']).next().unwrap_or_default();
            if several { format!("{}: {place}", clip(file, 50)) } else { place }
        })
        .collect();
    if sources.len() > SOURCES {
        places.push(format!("{} more", sources.len() - SOURCES));
    }
    match sources {
        [] => Cell::Hover("derived".to_owned(), "derived from other figures".to_owned()),
        _ if numbers.is_empty() => Cell::Hover("plans".to_owned(), places.join("; ")),
        _ => Cell::Hover(format!("{}{more}", numbers.join(", ")), places.join("; ")),
    }
}

fn why(text: &str) -> Cell<'static> {
    let mut html = String::from("<div class=why>");
    push_prose(&mut html, &clip(text, 400));
    html.push_str("</div>");
    Cell::Html(html)
}

fn saves(c: &Candidate) -> [Cell<'static>; 2] {
    [
        Cell::known(c.saves_s.map(|s| s.mid), number::measure),
        Cell::Number(c.saves_s.map_or_else(|| number::UNKNOWN.to_owned(), range)),
    ]
}

pub(super) fn chosen(plan: &Plan) -> String {
    let mut out = section("", "plan", "The plan: move these, in this order");
    if plan.chosen.is_empty() {
        let sized = plan.candidates.iter().any(|c| c.size_bytes.is_some());
        empty(
            &mut out,
            if plan.candidates.is_empty() {
                "Nothing is chosen: the reports name no object, tablespace or kind of file that is read or written."
            } else if sized {
                "Nothing is chosen: nothing of known size saves enough to be worth moving, may move, and is within the caps of a tier. What was looked at, and why it stays, stands under \"Left where they are\"."
            } else {
                "Nothing is chosen: no size is known. `spindle collect segments` prints the script that gathers sizes; give its file with --segments, or single sizes with --size NAME=SIZE."
            },
        );
        out.push_str("</section>");
        return out;
    }
    let several = plan.measured.intervals > 1;
    let headings = [
        ">",
        "Object",
        "Kind",
        "Tablespace",
        ">Size (GiB)",
        ">Of reads (%)",
        ">Waits now (s)",
        ">Saves (s)",
        ">At least to at most (s)",
        "Tier",
        "Why",
        ">Line",
    ];
    let caption = "First what is sure to save most seconds a byte (its least). A tablespace and what its data files take along have one number: they are one step. Of reads: share of the read requests of the database. Waits now: DB time that waits for the object's I/O.";
    let mut table = Table::new(caption, &headings, CHOSEN.0).within(CHOSEN.1);
    let mut total_s = 0.0;
    for (number, c) in plan.steps() {
        total_s += c.saves_s.map_or(0.0, |s| s.mid);
        if table.full() {
            table.row("", &[]);
            continue;
        }
        let [mid, bounds] = saves(c);
        table.row(
            "",
            &[
                Cell::Number(number.to_string()),
                object(c),
                Cell::Text(kind(c.kind)),
                Cell::Text(c.tablespace.as_deref().unwrap_or("")),
                Cell::known(c.size_bytes, number::gib),
                Cell::known(c.io_share_pct, number::percent),
                Cell::Number(number::measure(c.waits_s.mid)),
                mid,
                bounds,
                Cell::Text(c.tier.as_deref().unwrap_or("")),
                why(&c.why),
                lines(&c.sources, several),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    // Savings are capped where rounding would make them more than the waits there are.
    if total_s > plan.saves_s.mid * 1.005 {
        put!(
            out,
            "<p class=q>Together they save {} s, less than the sum of the rows: no more can be saved than is waited for.</p>",
            number::measure(plan.saves_s.mid)
        );
    }
    out.push_str("</section>");
    out
}

pub(super) fn left_out(plan: &Plan) -> String {
    let mut out = section("", "left", "Left where they are");
    let several = plan.measured.intervals > 1;
    let stay: Vec<&Candidate> = plan.candidates.iter().filter(|c| c.tier.is_none()).collect();
    if stay.is_empty() {
        empty(&mut out, "Nothing: everything that the reports name is in the plan.");
        out.push_str("</section>");
        return out;
    }
    // A reason that many share is said once.
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for c in &stay {
        *shared.entry(reason(c)).or_default() += 1;
    }
    let mut common: Vec<(&str, usize)> = shared.into_iter().filter(|(_, n)| *n >= 3).collect();
    common.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    common.truncate(9);
    if !common.is_empty() {
        out.push_str("<ul class=li>");
        for (n, (reason, count)) in common.iter().enumerate() {
            put!(out, "<li>({}) {count} of them: ", n + 1);
            push_prose(&mut out, &clip(reason, 200));
            out.push_str("</li>");
        }
        out.push_str("</ul>");
    }
    let headings = [
        "Object",
        "Kind",
        "Tablespace",
        ">Size (GiB)",
        ">Of reads (%)",
        ">Waits now (s)",
        ">Would save (s)",
        ">At least to at most (s)",
        "Why it stays",
        ">Line",
    ];
    let mut table = Table::new("", &headings, LEFT_OUT.0).within(LEFT_OUT.1);
    for c in stay {
        if table.full() {
            table.row("", &[]);
            continue;
        }
        let [mid, bounds] = saves(c);
        table.row(
            "",
            &[
                object(c),
                Cell::Text(kind(c.kind)),
                Cell::Text(c.tablespace.as_deref().unwrap_or("")),
                Cell::known(c.size_bytes, number::gib),
                Cell::known(c.io_share_pct, number::percent),
                Cell::Number(number::measure(c.waits_s.mid)),
                mid,
                bounds,
                match common.iter().position(|(r, _)| *r == reason(c)) {
                    Some(n) => Cell::Html(format!("({})", n + 1)),
                    None => why(reason(c)),
                },
                lines(&c.sources, several),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("<p class=q>A tablespace and the objects in it stand for the same I/O where both are listed: their seconds do not add up.</p></section>");
    out
}

fn reason(c: &Candidate) -> &str {
    c.excluded_because.as_deref().unwrap_or(&c.why)
}

pub(super) fn volumes(plan: &Plan) -> String {
    let mut out = section("", "volumes", "Volumes by execution plans");
    if plan.plan_volumes.is_empty() {
        empty(
            &mut out,
            "No execution plan with objects and bytes was given. `spindle collect plans` prints the script that gathers plans; give its file with --plans.",
        );
        out.push_str("</section>");
        return out;
    }
    out.push_str("<p>The published sum over (executions + 1) × bytes of each plan line. It is the volume read for full scans only: behind an index the optimizer's bytes are of rows, not of blocks read, so there the sum means nothing (grey). Nothing in the plan above is ranked by it; what is ranked by are the blocks that the reports measured, divided over the objects of each plan.</p>");
    let headings = [
        "Object",
        "Access path",
        ">Statements",
        ">Executions",
        ">Volume (GiB)",
        ">Blocks measured",
        "Is the volume I/O?",
    ];
    let mut table = Table::new("", &headings, VOLUMES.0).within(VOLUMES.1);
    let mut rows: Vec<_> = plan.plan_volumes.iter().collect();
    // Stable: what means something first, by volume.
    rows.sort_by(|a, b| {
        b.volume_means_io.cmp(&a.volume_means_io).then(b.volume_bytes.total_cmp(&a.volume_bytes))
    });
    for v in rows {
        if table.full() {
            table.row("", &[]);
            continue;
        }
        let name = v.owner.as_ref().map_or_else(|| v.object.clone(), |o| format!("{o}.{}", v.object));
        let path = v.options.as_ref().map_or_else(|| v.operation.clone(), |o| format!("{} {o}", v.operation));
        table.row(
            if v.volume_means_io { "" } else { "means-not" },
            &[
                Cell::Text(&name),
                Cell::Text(&path),
                Cell::Number(number::count(v.statements as f64)),
                Cell::Number(number::count(v.executions)),
                Cell::Number(number::gib(v.volume_bytes)),
                Cell::known(v.apportioned_reads, number::measure),
                Cell::Text(if v.volume_means_io { "yes, read whole" } else { "no, bytes of rows" }),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("</section>");
    out
}
