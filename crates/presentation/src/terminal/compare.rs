//! A comparison on one screen: the answer, the steps that explain it, latencies, what else changed.

use super::Look;
use super::wrap::{fit, right, width, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::{head, number};
use spindle_diagnosis::comparison::{Comparison, LatencyChange, SideHead, Step, StepKind};
use spindle_facts::{Interval, Side};

/// Lines of the whole screen.
const SCREEN: usize = 40;
/// Warnings shown, and lines of each.
const WARNINGS: (usize, usize) = (3, 2);
/// Steps shown; the rest is added up.
const STEPS: usize = 7;
/// A step below this share of the change is only added up, percent.
const SMALL_PCT: f64 = 2.0;
/// Latencies shown.
const LATENCIES: usize = 4;

/// Names warnings that the screen has no room for.
pub(super) fn more_warnings(all: usize, shown: usize) -> Option<String> {
    let more = all.checked_sub(shown).filter(|more| *more > 0)?;
    Some(format!("! {more} more: --html FILE and --json have {}", if more == 1 { "it" } else { "them" }))
}

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn compare(c: &Comparison, look: Look) -> String {
    let columns = look.columns();
    let mut lines = heading(c, look);
    for warning in c.warnings.iter().take(WARNINGS.0) {
        for (n, line) in wrap_to(&safe(warning), columns.saturating_sub(2), WARNINGS.1).iter().enumerate() {
            lines.push(look.bold(&format!("{}{line}", if n == 0 { "! " } else { "  " })));
        }
    }
    lines.extend(more_warnings(c.warnings.len(), WARNINGS.0).map(|line| look.bold(&line)));
    lines.push(String::new());
    lines.extend(wrap(&safe(&c.answer), columns).iter().map(|l| look.bold(l)));
    lines.push(String::new());
    let steps = steps(c, look);
    if !steps.is_empty() {
        lines.extend(steps);
        lines.push(String::new());
    }
    // Sentences have what the tables leave, and the tables what the first sentences leave.
    let latencies = latencies(c, look);
    let last = footer(c, look);
    let room = SCREEN.saturating_sub(lines.len() + last.len());
    let mut said = Vec::new();
    let mut left_out = false;
    for sentence in &c.says {
        let more = wrap(&safe(sentence), columns.saturating_sub(2));
        if said.len() + more.len() > room.saturating_sub(if latencies.is_empty() { 0 } else { 3 }) {
            left_out = true;
            continue;
        }
        said.extend(more.iter().enumerate().map(|(n, l)| format!("{}{l}", if n == 0 { "- " } else { "  " })));
    }
    let room = room.saturating_sub(said.len() + 1);
    lines.extend(said);
    if room >= 2 && latencies.len() >= 2 {
        lines.extend(latencies.into_iter().take(room));
    }
    let room = SCREEN.saturating_sub(lines.len() + last.len());
    lines.extend(statements(c, look, room));
    if left_out {
        lines.push(look.dim("  more sentences, statements, I/O and tests: --html FILE, --json"));
    } else {
        lines.extend(last);
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn heading(c: &Comparison, look: Look) -> Vec<String> {
    let columns = look.columns();
    let name = head::both(&c.before, &c.after);
    let mut lines: Vec<String> = wrap_to(&safe(&name), columns, 2).iter().map(|l| look.bold(l)).collect();
    for (which, side) in [("before", &c.before), ("after", &c.after)] {
        let text = format!("{which:<7} {}", when(side));
        lines.push(fit(&safe(&text), columns));
    }
    // What else the sides are told by stands in their lines.
    let machine = c.changed.iter().filter(|f| !OF_SIDES.contains(&f.name.as_str()));
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let changed: Vec<String> =
        machine.map(|f| format!("{} {} -> {}", f.name, value(&f.before), value(&f.after))).collect();
    if !changed.is_empty() {
        lines.push(fit(&safe(&format!("changed {}", changed.join(", "))), columns));
    }
    lines
}

/// What is told of the sides, in their lines or warnings.
const OF_SIDES: [&str; 5] = ["database", "database identifier", "container", "release", "kind of report"];

fn when(side: &SideHead) -> String {
    let id = &side.identity;
    let mut parts = Vec::new();
    parts.push(head::interval(id).unwrap_or_else(|| "times not printed".to_owned()));
    parts.extend((side.intervals > 1).then(|| format!("{} intervals", side.intervals)));
    parts.extend((side.left_out > 0).then(|| format!("{} left out", side.left_out)));
    parts.extend(id.version.as_ref().map(|v| format!("Oracle {v}")));
    parts.join(", ")
}

/// Factor from seconds to the unit shown, and that unit.
fn unit(c: &Comparison) -> (f64, &'static str) {
    match c.normalised_by {
        "second" => (1.0, "s/s"),
        "transaction" => (1000.0, "ms a transaction"),
        _ => (1.0, "s"),
    }
}

fn signed(value: f64) -> String {
    let text = number::measure(value);
    if value > 0.0 { format!("+{text}") } else { text }
}

fn commit(step: &Step) -> bool {
    step.wait_class.as_deref() == Some("Commit")
}

fn is_wait(step: &Step) -> bool {
    matches!(step.kind, StepKind::Volume | StepKind::Latency)
}

fn steps(c: &Comparison, look: Look) -> Vec<String> {
    if c.waterfall.is_empty() {
        return Vec::new();
    }
    let columns = look.columns();
    let (factor, unit) = unit(c);
    let whole = c.db_time_delta_s.map_or(0.0, |d| d.value);
    let largest = c.waterfall.iter().map(|s| s.delta_s.abs()).fold(whole.abs(), f64::max);
    let named = |s: &&Step| 100.0 * s.delta_s.abs() >= SMALL_PCT * largest;
    let mut shown: Vec<&Step> = c.waterfall.iter().filter(named).take(STEPS).collect();
    // The other half of the first wait, where it pulls the other way: one alone shows too much.
    let first = shown.iter().find(|s| commit(s)).or_else(|| shown.iter().find(|s| is_wait(s))).copied();
    let half = |s: &&Step| first.is_some_and(|f| s.of == f.of && s.cause != f.cause);
    let against = |s: &&Step| first.is_some_and(|f| (s.delta_s < 0.0) != (f.delta_s < 0.0));
    if let Some(other) = c.waterfall.iter().skip(shown.len()).filter(named).find(|s| half(s) && against(s)) {
        shown.push(other);
    }
    let rest: f64 =
        c.waterfall.iter().map(|s| s.delta_s).sum::<f64>() - shown.iter().map(|s| s.delta_s).sum::<f64>();
    let mut rows: Vec<(String, f64, Option<Interval>)> = shown
        .iter()
        .map(|s| (s.cause.clone(), s.delta_s, Some(Interval { low: s.low_s, high: s.high_s })))
        .collect();
    if shown.len() < c.waterfall.len() {
        let n = c.waterfall.len() - shown.len();
        rows.push((format!("{n} smaller step{}", if n == 1 { "" } else { "s" }), rest, None));
    }
    if let Some(left) = c.unexplained_bounds_s {
        rows.push((
            "not explained".to_owned(),
            left.value,
            Some(Interval { low: left.low, high: left.high }),
        ));
    }
    // The bars walk from before to after.
    let (mut low, mut high, mut level) = (0.0f64, 0.0f64, 0.0);
    for (_, delta, _) in &rows {
        level += delta;
        low = low.min(level);
        high = high.max(level);
    }
    let widest = columns.saturating_sub(46).clamp(20, 46);
    let bars = columns.saturating_sub(widest + 12);
    let span = if high > low { high - low } else { 1.0 };
    let place = |v: f64| (((v - low) / span) * (bars.saturating_sub(1)) as f64).round() as usize;
    let title = match c.db_time_delta_s {
        Some(_) => format!("What explains the change of DB time ({unit})"),
        None => format!("What changed ({unit})"),
    };
    let mut lines: Vec<String> = vec![look.bold(fit(&safe(&title), columns).trim_end())];
    let mut level = 0.0;
    for (cause, delta, _) in &rows {
        let (from, to) = (place(level), place(level + delta));
        level += delta;
        let (left, right_end) = (from.min(to), from.max(to));
        let mark = if *delta < 0.0 { "-" } else { "+" };
        let still = delta.abs() < 1e-9 * span;
        let bar = format!(
            "{}{}",
            " ".repeat(left),
            if still { String::new() } else { mark.repeat((right_end - left).max(1)) }
        );
        let delta = if still { 0.0 } else { *delta };
        lines.push(format!("  {} {} {bar}", fit(&safe(cause), widest), right(&signed(delta * factor), 8)));
    }
    if let Some(delta) = c.db_time_delta_s {
        let bounds = if signed(delta.low * factor) != signed(delta.high * factor)
            && delta.high - delta.low > 0.0005 * delta.value.abs()
        {
            format!("({} to {})", signed(delta.low * factor), signed(delta.high * factor))
        } else {
            String::new()
        };
        lines.push(format!(
            "  {} {} {bounds}",
            fit("DB time", widest),
            right(&signed(delta.value * factor), 8)
        ));
    }
    lines
}

fn latencies(c: &Comparison, look: Look) -> Vec<String> {
    let columns = look.columns();
    let widest = columns.saturating_sub(56).clamp(20, 44);
    let headings = format!(
        "{} {} {}  {}",
        fit("Latency, ms", widest + 2),
        right("before", 8),
        right("after", 8),
        "median, before to after"
    );
    let mut lines = vec![look.bold(&headings)];
    // Those whose change weighs most.
    let mut moved: Vec<(f64, &LatencyChange)> = c
        .latency
        .iter()
        .filter_map(|l| {
            let (b, a) = l.before.avg_us.zip(l.after.avg_us)?;
            let waits = f64::midpoint(l.before.waits.unwrap_or(0.0), l.after.waits.unwrap_or(0.0));
            (a != b).then(|| ((a - b).abs() * waits, l))
        })
        .collect();
    moved.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut moved: Vec<&LatencyChange> = moved.into_iter().map(|m| m.1).collect();
    // Commits and the log writes that they wait for stand together.
    if let Some(commits) = moved.iter().take(LATENCIES).position(|l| l.event == "log file sync")
        && let Some(writes) = moved.iter().position(|l| l.event == "log file parallel write")
        && writes > commits
    {
        let writes = moved.remove(writes);
        // The room may be short: these two come first.
        let commits = moved.remove(commits);
        moved.splice(0..0, [commits, writes]);
    }
    // One event may stand twice: what sessions waited for it, and what background processes did.
    let name = |l: &LatencyChange| {
        let twice = c.latency.iter().filter(|other| other.event == l.event).count() > 1;
        match l.side {
            Side::Background if twice => format!("{} (background)", safe(&l.event)),
            _ => safe(&l.event),
        }
    };
    for l in moved.into_iter().take(LATENCIES) {
        let median = match (l.before.p50_us, l.after.p50_us) {
            (Some(b), Some(a)) if b == a => format!("{} both", number::range_ms(b)),
            (Some(b), Some(a)) => {
                format!("{} to {}", number::range_ms(b).trim_end_matches(" ms"), number::range_ms(a))
            }
            _ => String::new(),
        };
        let text = format!(
            "  {} {} {}  {median}",
            fit(&name(l), widest),
            right(&number::mean_ms(l.before.avg_us, l.before.avg_us_bounds), 8),
            right(&number::mean_ms(l.after.avg_us, l.after.avg_us_bounds), 8)
        );
        lines.push(fit(text.trim_end(), columns));
    }
    lines
}

/// Statements shown.
const STATEMENTS: usize = 3;

/// What changed most: who it is (identifier, module, beginning of its text) and, below, what became of it.
fn statements(c: &Comparison, look: Look, room: usize) -> Vec<String> {
    let columns = look.columns();
    let module = (columns / 5).clamp(8, 20);
    let one_line = |text: Option<&String>| {
        let text = text.map_or("", String::as_str).split_whitespace().collect::<Vec<_>>().join(" ");
        safe(&text)
    };
    let all: Vec<_> = c.statements.iter().filter(|s| s.delta_s.or(s.one_sided_s).is_some()).collect();
    let told = all.iter().take(STATEMENTS).any(|s| s.module.is_some() || s.text.is_some());
    let (factor, unit) = unit(c);
    let unit = if c.normalised_by == "transaction" { "ms/txn" } else { unit };
    let title = format!("{} {}", fit("Statements", 16), right(&format!("({unit})"), 8));
    let headings = if told { format!("  {}  text", fit("module", module)) } else { String::new() };
    let mut lines = vec![format!("{}{}", look.bold(&title), look.dim(headings.trim_end()))];
    for s in all.iter().take(STATEMENTS) {
        let mut own = Vec::new();
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string())).unwrap_or_default();
        let change = signed(s.delta_s.or(s.one_sided_s).unwrap_or(0.0) * factor);
        let head = format!("  {} {}", fit(&safe(&name), 14), right(&change, 8));
        let what = safe(&s.what);
        if told {
            let text = one_line(s.text.as_ref());
            let who = format!("{head}  {}  {text}", fit(&one_line(s.module.as_ref()), module));
            own.push(fit(who.trim_end(), columns));
        }
        // What became of it is never cut: its last words are the numbers.
        let indent = " ".repeat(width(&head));
        let first = if told { &indent } else { &head };
        for (n, part) in wrap(&what, columns.saturating_sub(width(&head) + 2)).iter().enumerate() {
            own.push(fit(&format!("{}  {part}", if n == 0 { first } else { &indent }), columns));
        }
        if lines.len() + own.len() > room {
            break;
        }
        lines.extend(own);
    }
    if lines.len() == 1 {
        return Vec::new();
    }
    lines
}

fn footer(c: &Comparison, look: Look) -> Vec<String> {
    let columns = look.columns();
    let mut parts = Vec::new();
    if !c.changed_parameters.is_empty() {
        let names: Vec<&str> = c.changed_parameters.iter().take(3).map(|p| p.name.as_str()).collect();
        let more = c.changed_parameters.len().saturating_sub(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        parts.push(format!("Parameters changed: {}{more}.", names.join(", ")));
    } else if c.parameters_compared {
        parts.push("No parameter changed.".to_owned());
    }
    parts.push("All figures: --html, --json".to_owned());
    wrap_to(&safe(&parts.join(" ")), columns.saturating_sub(2), 2)
        .iter()
        .map(|l| look.dim(&format!("  {l}")))
        .collect()
}
