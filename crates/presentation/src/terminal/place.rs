//! A placement on one screen: the answer, what moves in which order, what else could be done.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::number;
use spindle_planning::{Alternative, Candidate, CandidateKind, Plan, Profile, Range, ResponsePart};

/// Lines of a screen.
const LINES: usize = 40;
/// What would save less than this share of DB time is only counted, percent.
const WORTH_NAMING_PCT: f64 = 1.0;
/// A part of the response time below this share of DB time is counted into "all else", unless as much
/// of it goes, percent.
const SMALL_PCT: f64 = 2.0;

/// A part of the response time with this share of all that changes has a row.
const MOST_OF_CHANGE: f64 = 0.25;

/// How many rows each table gets; `relief` and `spaced` are none or one.
#[derive(Clone, Copy)]
struct Room {
    parts: usize,
    chosen: usize,
    left_out: usize,
    statements: usize,
    alternatives: usize,
    doubts: usize,
    relief: usize,
    spaced: usize,
}

const MOST: Room = Room {
    parts: 8,
    chosen: 10,
    left_out: 4,
    statements: 3,
    alternatives: 9,
    doubts: 3,
    relief: 1,
    spaced: 1,
};

type Part = fn(&mut Room) -> &mut usize;

/// What gives way, in this order, and down to how many rows.
const GIVES: [(Part, usize); 21] = [
    (|r| &mut r.doubts, 2),
    (|r| &mut r.left_out, 2),
    (|r| &mut r.alternatives, 5),
    (|r| &mut r.statements, 2),
    (|r| &mut r.parts, 5),
    (|r| &mut r.left_out, 1),
    (|r| &mut r.alternatives, 4),
    (|r| &mut r.relief, 0),
    (|r| &mut r.parts, 4),
    (|r| &mut r.statements, 1),
    (|r| &mut r.chosen, 7),
    (|r| &mut r.alternatives, 3),
    (|r| &mut r.chosen, 5),
    (|r| &mut r.parts, 3),
    (|r| &mut r.spaced, 0),
    (|r| &mut r.statements, 0),
    (|r| &mut r.chosen, 3),
    (|r| &mut r.left_out, 0),
    (|r| &mut r.parts, 2),
    (|r| &mut r.alternatives, 0),
    (|r| &mut r.doubts, 1),
];

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn place(plan: &Plan, look: Look) -> String {
    let mut room = MOST;
    let mut lines = screen(plan, look, room);
    for (part, least) in GIVES {
        while lines.len() > LINES && *part(&mut room) > least {
            *part(&mut room) -= 1;
            lines = screen(plan, look, room);
        }
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The answer first, then what it rests on.
fn screen(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    let mut lines = name(plan, look);
    lines.extend(wrap(&safe(&plan.answer), look.columns()).iter().map(|l| look.bold(l)));
    lines.push(String::new());
    lines.extend(measured(plan, look));
    lines.push(String::new());
    let parts = [
        db_time(plan, look, room),
        chosen(plan, look, room),
        left_out(plan, look, room),
        statements(plan, look, room),
        alternatives(plan, look, room),
        doubts(plan, look, room),
    ];
    let last = parts.len() - 1;
    for (n, part) in parts.into_iter().enumerate() {
        let ends = !part.is_empty() && n < last && (room.spaced > 0 || n < 2);
        lines.extend(part);
        if ends {
            lines.push(String::new());
        }
    }
    lines
}

/// As much of a text as fits into some lines: all of it, else its first sentences, else its first
/// clauses; never a part of one.
fn said(text: &str, columns: usize, lines: usize) -> Option<String> {
    let fits = |text: &str| !text.is_empty() && wrap(text, columns).len() <= lines;
    if fits(text) {
        return Some(text.to_owned());
    }
    for ends in [&[". "][..], &["; ", ": ", ", "]] {
        let mut cuts: Vec<usize> =
            ends.iter().flat_map(|end| text.match_indices(end)).map(|(at, _)| at).collect();
        cuts.sort_unstable_by(|a, b| b.cmp(a));
        for at in cuts {
            let stop = if ends == [". "] { "." } else { "" };
            let part = format!("{}{stop}", &text[..at]);
            // A bracket that is opened is closed.
            if part.matches('(').count() == part.matches(')').count() && fits(&part) {
                return Some(part);
            }
        }
    }
    None
}

/// The first sentences of a text that fit into two lines; where the first one is longer, all of it over some lines: a
/// part of one may say the opposite. Of what is far longer, its first clauses.
fn said_whole(text: &str, columns: usize) -> Option<String> {
    const MOST: usize = 5;
    let fits = |text: &str, lines: usize| wrap(text, columns).len() <= lines;
    if fits(text, 2) {
        return Some(text.to_owned()).filter(|text| !text.is_empty());
    }
    let cuts: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 1).collect();
    let sentences = cuts.iter().rev().map(|at| &text[..*at]).find(|part| fits(part, 2));
    let first = cuts.first().map_or(text, |at| &text[..*at]);
    match sentences.or_else(|| Some(first).filter(|first| fits(first, MOST))) {
        Some(whole) => Some(whole.to_owned()),
        None => said(text, columns, 2),
    }
}

fn range(range: Range) -> String {
    number::open_range(range.low, range.high)
}

fn name(plan: &Plan, look: Look) -> Vec<String> {
    let m = &plan.measured;
    let name = m.db_name.as_deref().unwrap_or("database of unknown name");
    let container = m.container.as_ref().map(|c| format!(", container {c}")).unwrap_or_default();
    let version = m.version.as_ref().map(|v| format!(", release {v}")).unwrap_or_default();
    wrap_to(&safe(&format!("{name}{container}{version}")), look.columns(), 2)
}

/// What was measured, and the tiers offered.
fn measured(plan: &Plan, look: Look) -> Vec<String> {
    let m = &plan.measured;
    let columns = look.columns();
    let span = match (&m.begin_time, &m.end_time) {
        (Some(begin), Some(end)) => format!("{} to {}, ", number::time(begin), number::time(end)),
        _ => String::new(),
    };
    let reports = if m.intervals == 1 { "1 report".to_owned() } else { format!("{} reports", m.intervals) };
    let mut lines =
        wrap(&format!("{span}{reports} counted, {} measured", number::duration(m.elapsed_s)), columns);
    for tier in &plan.tiers {
        let mut bandwidth = tier.mbps.map(|m| format!(", {} MB/s", number::plain(m))).unwrap_or_default();
        if let Some(iops) = tier.iops_cap {
            bandwidth.push_str(&format!(", at most {} IOPS", number::plain(iops)));
        }
        let line = format!(
            "tier {}: {}, reads {} ms, writes {} ms{bandwidth}",
            safe(&tier.name),
            number::bytes(tier.capacity_bytes),
            number::ms_plain(tier.read_latency_us),
            number::ms_plain(tier.write_latency_us)
        );
        lines.extend(wrap(&format!("{line}{}", worth(plan, &tier.name)), columns));
    }
    lines.iter().map(|l| look.dim(l)).collect()
}

/// What a second saved on a tier costs, and how long the tier lasts, where given.
fn worth(plan: &Plan, tier: &str) -> String {
    let Some(used) = plan.tier_use.iter().find(|t| t.name == tier) else { return String::new() };
    let price = used.price_per_s.map(|p| format!(", {} in money a second saved", number::measure(p)));
    let years = used
        .years_of_life
        .map(|y| format!(", worn out in {} years of this load at most", number::measure(y)));
    [price, years].into_iter().flatten().collect()
}

/// Title of a table and the headings of its columns, in one line.
fn title(look: Look, title: &str, widest: usize, headings: &str) -> String {
    let filled = fit(title, widest + 2);
    let headings = fit(headings, look.columns().saturating_sub(widest + 2));
    // Only the title is bold.
    let (words, space) = filled.split_at(filled.trim_end().len());
    format!("{}{space}{}", look.bold(words), look.dim(headings.trim_end()))
}

fn db_time(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    let t = &plan.db_time_s;
    let widest = look.columns().saturating_sub(48).clamp(16, 40);
    let headings = format!("  {}  {}", right("now (s)", 9), right("then (s)", 9));
    let mut lines = vec![title(look, "DB time now and then", widest, &headings)];
    let row = |part: &str, now: f64, then: f64, bounds: &str| {
        let text = format!(
            "  {}  {}  {}  {bounds}",
            fit(&safe(part), widest),
            right(&number::measure(now), 9),
            right(&number::measure(then), 9)
        );
        fit(text.trim_end(), look.columns())
    };
    let changes = |p: &ResponsePart| (p.now_s - p.then_s.mid).abs();
    let all_changes: f64 = plan.response_time.iter().map(changes).sum();
    let is_changed = |p: &ResponsePart| all_changes > 0.0 && changes(p) >= MOST_OF_CHANGE * all_changes;
    let matters = |p: &&ResponsePart| {
        100.0 * p.now_s >= SMALL_PCT * t.now
            || 100.0 * (p.now_s - p.then_s.low) >= SMALL_PCT * t.now
            || is_changed(p)
    };
    // What changes and what is largest have a line each, in their order; the rest is summed, what storage may change
    // apart from what it cannot, so that the column still adds up and hides no change.
    let mut ranked: Vec<&ResponsePart> = plan.response_time.iter().filter(matters).collect();
    ranked.sort_by(|a, b| is_changed(b).cmp(&is_changed(a)).then(b.now_s.total_cmp(&a.now_s)));
    ranked.truncate(room.parts);
    let (large, small): (Vec<&ResponsePart>, Vec<&ResponsePart>) =
        plan.response_time.iter().partition(|p| ranked.iter().any(|r| std::ptr::eq(*r, *p)));
    for part in large {
        let doubt = if part.then_s.low < part.then_s.high {
            format!("({})", range(part.then_s))
        } else {
            String::new()
        };
        lines.push(row(&part.part, part.now_s, part.then_s.mid, &doubt));
    }
    let (waits, fixed): (Vec<&ResponsePart>, Vec<&ResponsePart>) =
        small.into_iter().partition(|p| p.component.is_some());
    for (several, name) in [(waits, "other waits for storage"), (fixed, "all else")] {
        let now: f64 = several.iter().map(|p| p.now_s).sum();
        let then: Range = several.iter().map(|p| p.then_s).sum();
        let doubt = if then.low < then.high { format!("({})", range(then)) } else { String::new() };
        match several.as_slice() {
            [] => {}
            [one] => lines.push(row(&one.part, now, then.mid, &doubt)),
            _ => lines.push(row(name, now, then.mid, &doubt)),
        }
    }
    let then = Range { low: t.then_low, mid: t.then, high: t.then_high };
    lines.push(row("DB time", t.now, t.then, &format!("({})", range(then))));
    if let (Some(relief), Some(bounds), true) = (plan.relief_s, plan.relief_range_s, room.relief > 0) {
        let text = format!(
            "Beside that, what stays behind may get {} s faster ({}), by a model.",
            number::measure(relief),
            range(bounds)
        );
        lines.extend(
            wrap(&text, look.columns().saturating_sub(2)).iter().map(|l| look.dim(&format!("  {l}"))),
        );
    }
    lines
}

/// Width of the column of objects.
fn objects_width(look: Look) -> usize {
    look.columns().saturating_sub(52).clamp(12, 60)
}

fn object(c: &Candidate, number: Option<usize>, mark: &str, look: Look) -> String {
    let name = safe(&c.object);
    let named = match number {
        Some(n) => format!("{} {}", right(&n.to_string(), 3), fit(&name, objects_width(look) - 2)),
        None => format!("  {}", fit(&name, objects_width(look))),
    };
    let text = format!(
        "{named}  {}  {}  {}  {}",
        right(&c.size_bytes.map_or_else(|| "-".to_owned(), number::bytes), 9),
        right(&c.saves_s.map_or_else(|| "-".to_owned(), |s| number::measure(s.mid)), 9),
        // A bound is never cut off: a long range pushes what follows it.
        format_args!("{:<15}", c.saves_s.map_or_else(String::new, |s| format!("({})", range(s)))),
        safe(mark)
    );
    fit(text.trim_end(), look.columns())
}

fn objects_title(what: &str, look: Look) -> String {
    title(look, what, objects_width(look), &format!("  {}  {}", right("size", 9), right("saves (s)", 9)))
}

/// A dim line below a table, whole.
fn below(text: &str, look: Look) -> Vec<String> {
    wrap(&safe(text), look.columns().saturating_sub(2)).iter().map(|l| look.dim(&format!("  {l}"))).collect()
}

fn chosen(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    let mut lines = Vec::new();
    if plan.chosen.is_empty() {
        return lines;
    }
    let saves = |c: &Candidate| c.saves_s.map_or(0.0, |s| s.mid);
    // What saves most is shown, with its place in the order.
    let mut ranked: Vec<(usize, &Candidate)> = plan.steps();
    let along = ranked.iter().any(|(_, c)| c.moves_with.is_some());
    ranked.sort_by(|a, b| saves(b.1).total_cmp(&saves(a.1)));
    let rest = ranked.split_off(ranked.len().min(room.chosen));
    let what = counted("Move, by gain", ranked.len(), plan.chosen.len());
    lines.push(objects_title(&what, look));
    for (number, c) in &ranked {
        lines.push(object(c, Some(*number), c.tier.as_deref().unwrap_or(""), look));
    }
    if plan.chosen.len() > 1 {
        let more = match rest.len() {
            0 => String::new(),
            n => format!(
                " The {} left out here {} {} s.",
                if n == 1 { "one".to_owned() } else { n.to_string() },
                if n == 1 { "saves" } else { "save" },
                number::measure(rest.iter().map(|(_, c)| saves(c)).sum())
            ),
        };
        let one = if along { " What has one number moves in one step." } else { "" };
        lines.extend(below(&format!("Numbers: in which order to move.{one}{more}"), look));
    }
    lines
}

/// A title with how many of how many rows follow, where some are left out.
fn counted(what: &str, shown: usize, all: usize) -> String {
    if shown < all { format!("{what} ({shown} of {all})") } else { what.to_owned() }
}

fn left_out(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    let mut lines = Vec::new();
    let stay: Vec<&Candidate> = plan.left_to_gain().collect();
    if stay.is_empty() || room.left_out == 0 {
        return lines;
    }
    let named =
        |c: &&&Candidate| c.saves_s.is_some_and(|s| 100.0 * s.mid >= WORTH_NAMING_PCT * plan.db_time_s.now);
    let (first, rest) = stay.split_at(stay.iter().take_while(named).take(room.left_out).count().max(1));
    let mut shown = first.to_vec();
    // Whether redo moves is asked of every plan: it is no object among many.
    shown.extend(rest.iter().filter(named).find(|c| c.kind == CandidateKind::Redo));
    let columns = look.columns().saturating_sub(4);
    lines.push(objects_title(&counted("Left where they are", shown.len(), stay.len()), look));
    for (n, c) in shown.iter().enumerate() {
        lines.push(object(c, None, "", look));
        // A reason that the next one shares is said below that.
        if shown.get(n + 1).is_none_or(|next| next.why != c.why) {
            let why = said(&safe(&c.why), columns, 2).unwrap_or_default();
            lines.extend(wrap(&why, columns).iter().map(|l| look.dim(&format!("    {l}"))));
        }
    }
    lines
}

fn statements(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    let gaining: Vec<_> = plan.statements.iter().filter(|s| s.gain.mid > 1.005).collect();
    if gaining.is_empty() || room.statements == 0 {
        return Vec::new();
    }
    let headings =
        format!("  {}  {}  {}", right("now (s)", 9), right("then (s)", 9), right("gain (times)", 20));
    let shown = &gaining[..gaining.len().min(room.statements)];
    let mut lines = vec![title(look, &counted("Statements", shown.len(), gaining.len()), 20, &headings)];
    for s in shown {
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string())).unwrap_or_default();
        let alone = if s.from_temp_alone { "  temp alone" } else { "" };
        let line = format!(
            "  {}  {}  {}  {}{alone}",
            fit(&safe(&name), 20),
            right(&number::measure(s.now_s), 9),
            right(&number::measure(s.then_s.mid), 9),
            right(&format!("{} ({})", number::measure(s.gain.mid), range(s.gain)), 20),
        );
        lines.push(fit(line.trim_end(), look.columns()));
    }
    // A reason of all is said once, whole or not at all; each its own has no room here.
    if gaining.iter().all(|s| s.because == gaining[0].because) {
        let because = safe(&format!("because: {}", gaining[0].because));
        if wrap(&because, look.columns().saturating_sub(2)).len() <= 2 {
            lines.extend(below(&because, look));
        }
    }
    lines
}

fn alternatives(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    // Largest first, as the plan has them; a plan that moves nothing is no row.
    let all: Vec<&Alternative> =
        (plan.alternatives.iter()).filter(|a| !plan.chosen.is_empty() || a.name != "this plan").collect();
    let shown = &all[..all.len().min(room.alternatives)];
    let bounds = |a: &Alternative| match a.saves_s {
        Some(s) if s.high > 0.0 || s.low < 0.0 => format!("({})", range(s)),
        _ => String::new(),
    };
    // A bound is never cut off: long ranges take room from the words.
    let widest = shown.iter().map(|a| bounds(a).chars().count()).max().unwrap_or(0).max(16);
    let numbers = 15 + widest;
    let columns = look.columns().saturating_sub(numbers);
    let heading = if shown.len() < all.len() {
        format!("What else could be done ({} of {}; the rest on the page, --html)", shown.len(), all.len())
    } else {
        "What else could be done: what it saves, and what it takes".to_owned()
    };
    let mut lines = vec![look.bold(fit(&heading, look.columns()).trim_end())];
    for a in shown {
        let saves = match a.saves_s {
            Some(s) if s.high > 0.0 || s.low < 0.0 => format!("{} s", number::measure(s.mid)),
            Some(_) => "0 s".to_owned(),
            None => "not known".to_owned(),
        };
        // What is not known says why.
        let (takes, most) = if a.saves_s.is_some() { (&a.cost, 3) } else { (&a.because, 2) };
        let both = safe(&format!("{}: {takes}", a.name));
        let name = safe(&a.name);
        let what = if a.name == *takes { Some(name.clone()) } else { said(&both, columns, most) };
        // The name alone says what is meant; a part of it would not.
        let what = what.filter(|w| w.len() >= name.len()).unwrap_or(name);
        for (n, line) in wrap(&what, columns.max(10)).iter().enumerate() {
            let head = if n == 0 {
                format!("{}  {}", right(&saves, 11), fit(&bounds(a), widest))
            } else {
                String::new()
            };
            lines.push(fit(format!("{}{line}", fit(&head, numbers)).trim_end(), look.columns()));
        }
    }
    lines
}

fn doubts(plan: &Plan, look: Look, room: Room) -> Vec<String> {
    let mut lines = vec![look.bold("What cannot be seen")];
    let columns = look.columns().saturating_sub(4);
    // What an option did not find, or a list does not hold, changes the plan: it goes first.
    let all: Vec<&String> =
        plan.warnings.iter().chain([&plan.unseen]).chain(&plan.measured.left_out).collect();
    let told: Vec<String> =
        all.iter().filter_map(|text| said_whole(&safe(text), columns)).take(room.doubts).collect();
    for text in &told {
        for (n, line) in wrap(text, columns).iter().enumerate() {
            lines.push(format!("{}{line}", if n == 0 { "  " } else { "    " }));
        }
    }
    let more = all.iter().filter(|text| !text.is_empty()).count().saturating_sub(told.len());
    let rest = match more {
        0 => "All figures, with the lines they come from: --html FILE, --json".to_owned(),
        1 => "1 more doubt and all figures: --html FILE, --json".to_owned(),
        more => format!("{more} more doubts and all figures: --html FILE, --json"),
    };
    lines.extend(wrap(&rest, columns).iter().map(|l| look.dim(&format!("  {l}"))));
    lines
}

/// The library of tier profiles, each number with its source.
#[must_use]
pub fn profiles(all: &[Profile], look: Look) -> String {
    let mut out = String::from("Profiles for --tier NAME=CAPACITY@PROFILE\n");
    for p in all {
        out.push('\n');
        out.push_str(&look.bold(&p.name));
        out.push_str(&format!(": {}\n", p.what));
        let numbers = [
            ("reads", Some(&p.read_latency)),
            ("writes", p.write_latency.as_ref()),
            ("bandwidth", p.bandwidth.as_ref()),
            ("bandwidth a GB", p.bandwidth_per_gb.as_ref()),
            ("IOPS", p.iops_cap.as_ref()),
            ("IOPS a GB", p.iops_per_gb.as_ref()),
            ("price a GB", p.price_per_gb.as_ref()),
            ("endurance", p.endurance.as_ref()),
        ];
        for (what, number) in numbers {
            let Some(number) = number else { continue };
            let origin = wrap(&number.origin, look.columns().saturating_sub(31).max(20));
            for (n, line) in origin.iter().enumerate() {
                let (what, value) = if n == 0 { (what, number.value.as_str()) } else { ("", "") };
                out.push_str(&format!("  {} {}  {line}\n", fit(what, 14), fit(value, 12)));
            }
        }
    }
    out
}
