//! A placement on one screen: the answer, what moves in which order, what else could be done.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::number;
use spindle_planning::{Candidate, Plan, Profile, Range};

/// Candidates shown as chosen, and as left out.
const CHOSEN: usize = 14;
const LEFT_OUT: usize = 6;
/// Statements shown.
const STATEMENTS: usize = 5;

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn place(plan: &Plan, look: Look) -> String {
    let columns = look.columns();
    let mut lines: Vec<String> = heading(plan, look);
    lines.push(String::new());
    lines.extend(wrap(&safe(&plan.answer), columns).iter().map(|l| look.bold(l)));
    lines.push(String::new());
    lines.extend(db_time(plan, look));
    lines.extend(candidates(plan, look));
    lines.extend(statements(plan, look));
    lines.extend(alternatives(plan, look));
    lines.extend(doubts(plan, look));
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// `1,200-1,500`, or one number where both print alike.
pub(crate) fn range(range: Range) -> String {
    let (low, high) = (number::measure(range.low), number::measure(range.high));
    if low == high { low } else { format!("{low}-{high}") }
}

fn heading(plan: &Plan, look: Look) -> Vec<String> {
    let m = &plan.measured;
    let columns = look.columns();
    let name = m.db_name.as_deref().unwrap_or("database of unknown name");
    let container = m.container.as_ref().map(|c| format!(", container {c}")).unwrap_or_default();
    let version = m.version.as_ref().map(|v| format!(", release {v}")).unwrap_or_default();
    let mut lines: Vec<String> = wrap_to(&safe(&format!("{name}{container}{version}")), columns, 2)
        .iter()
        .map(|l| look.bold(l))
        .collect();
    let span = match (&m.begin_time, &m.end_time) {
        (Some(begin), Some(end)) => format!("{} to {}, ", number::time(begin), number::time(end)),
        _ => String::new(),
    };
    let reports = if m.intervals == 1 { "1 report".to_owned() } else { format!("{} reports", m.intervals) };
    lines.extend(wrap(
        &format!("{span}{reports} counted, {} measured", number::duration(m.elapsed_s)),
        columns,
    ));
    for tier in &plan.tiers {
        let bandwidth = tier.mbps.map(|m| format!(", {} MB/s", number::plain(m))).unwrap_or_default();
        let line = format!(
            "tier {}: {}, reads {} ms, writes {} ms{bandwidth}",
            safe(&tier.name),
            number::bytes(tier.capacity_bytes),
            number::ms_plain(tier.read_latency_us),
            number::ms_plain(tier.write_latency_us)
        );
        lines.extend(wrap(&line, columns));
    }
    lines
}

fn db_time(plan: &Plan, look: Look) -> Vec<String> {
    let t = &plan.db_time_s;
    let mut lines = vec![look.bold("DB time now and then")];
    let widest = look.columns().saturating_sub(46).clamp(20, 40);
    lines.push(look.dim(&format!(
        "  {}  {}  {}",
        fit("", widest),
        right("now (s)", 9),
        right("then (s)", 9)
    )));
    for part in &plan.response_time {
        lines.push(format!(
            "  {}  {}  {}  {}",
            fit(&safe(&part.part), widest),
            right(&number::measure(part.now_s), 9),
            right(&number::measure(part.then_s.mid), 9),
            if part.component.is_some() { format!("({})", range(part.then_s)) } else { String::new() }
        ));
    }
    lines.push(format!(
        "  {}  {}  {}  ({})",
        fit("DB time", widest),
        right(&number::measure(t.now), 9),
        right(&number::measure(t.then), 9),
        range(Range { low: t.then_low, mid: t.then, high: t.then_high })
    ));
    if let (Some(relief), Some(bounds)) = (plan.relief_s, plan.relief_range_s) {
        let text = format!(
            "Beside that, what stays behind may get {} s faster ({}): {}.",
            number::measure(relief),
            range(bounds),
            safe(&plan.relief_because)
        );
        lines.extend(
            wrap(&text, look.columns().saturating_sub(2)).iter().map(|l| look.dim(&format!("  {l}"))),
        );
    }
    lines.push(String::new());
    lines
}

fn candidates(plan: &Plan, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    let widest = look.columns().saturating_sub(48).clamp(20, 60);
    let row = |c: &Candidate, mark: &str| {
        format!(
            "  {}  {}  {}  {}  {}",
            fit(&safe(&c.object), widest),
            right(&c.size_bytes.map_or_else(|| "-".to_owned(), number::bytes), 9),
            right(&c.saves_s.map_or_else(|| "-".to_owned(), |s| number::measure(s.mid)), 8),
            fit(&c.saves_s.map_or_else(String::new, |s| format!("({})", range(s))), 15),
            safe(mark)
        )
    };
    let head = |what: &str| {
        look.dim(&format!("  {}  {}  {}", fit(what, widest), right("size", 9), right("saves (s)", 8)))
    };
    let by_name = |name: &String| plan.candidates.iter().find(|c| c.object == *name);
    if !plan.chosen.is_empty() {
        lines.push(look.bold("Move, in this order"));
        lines.push(head(""));
        for c in plan.chosen.iter().filter_map(by_name).take(CHOSEN) {
            lines.push(row(c, c.tier.as_deref().unwrap_or("")));
        }
        let more = plan.chosen.len().saturating_sub(CHOSEN);
        if more > 0 {
            lines.push(look.dim(&format!("  and {more} more (--json and --html list all)")));
        }
        lines.push(String::new());
    }
    let out: Vec<&Candidate> = plan
        .candidates
        .iter()
        .filter(|c| c.tier.is_none() && c.saves_s.is_some_and(|s| s.mid > 0.0))
        .collect();
    if !out.is_empty() {
        lines.push(look.bold("Left where they are"));
        lines.push(head(""));
        for c in out.iter().take(LEFT_OUT) {
            lines.push(row(c, ""));
            for line in wrap(&safe(&c.why), look.columns().saturating_sub(6)) {
                lines.push(look.dim(&format!("      {line}")));
            }
        }
        let more = out.len().saturating_sub(LEFT_OUT);
        if more > 0 {
            lines.push(look.dim(&format!("  and {more} more that would save less")));
        }
        lines.push(String::new());
    }
    lines
}

fn statements(plan: &Plan, look: Look) -> Vec<String> {
    let gaining: Vec<_> = plan.statements.iter().filter(|s| s.gain.mid > 1.005).collect();
    if gaining.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![look.bold("Statements that gain")];
    lines.push(look.dim(&format!(
        "  {}  {}  {}  {}",
        fit("", 14),
        right("now (s)", 9),
        right("then (s)", 9),
        right("gain", 6)
    )));
    for s in gaining.iter().take(STATEMENTS) {
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string())).unwrap_or_default();
        let alone = if s.from_temp_alone { "from temp alone; " } else { "" };
        let line = format!(
            "  {}  {}  {}  {}  {alone}{}",
            fit(&safe(&name), 14),
            right(&number::measure(s.now_s), 9),
            right(&number::measure(s.then_s.mid), 9),
            right(&format!("{} x", number::measure(s.gain.mid)), 6),
            safe(&s.because)
        );
        lines.push(fit(&line, look.columns()));
    }
    let more = gaining.len().saturating_sub(STATEMENTS);
    if more > 0 {
        lines.push(look.dim(&format!("  and {more} more")));
    }
    lines.push(String::new());
    lines
}

fn alternatives(plan: &Plan, look: Look) -> Vec<String> {
    let mut lines = vec![look.bold("What else could be done")];
    let columns = look.columns();
    for a in &plan.alternatives {
        let saves = match a.saves_s {
            Some(s) => format!("saves {} s ({})", number::measure(s.mid), range(s)),
            None => "cannot be told".to_owned(),
        };
        let text =
            format!("{}: {saves}; takes {}. {}", safe(&a.name), safe(&a.cost), safe(&capital(&a.because)));
        for (n, line) in wrap(&text, columns.saturating_sub(4)).iter().enumerate() {
            lines.push(format!("{}{line}", if n == 0 { "  " } else { "    " }));
        }
    }
    lines.push(String::new());
    lines
}

fn doubts(plan: &Plan, look: Look) -> Vec<String> {
    let mut lines = vec![look.bold("What cannot be seen")];
    let columns = look.columns().saturating_sub(2);
    for text in std::iter::once(&plan.unseen).chain(&plan.warnings).chain(&plan.measured.left_out) {
        for (n, line) in wrap(&safe(text), columns).iter().enumerate() {
            lines.push(format!("{}{line}", if n == 0 { "  " } else { "    " }));
        }
    }
    lines
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect::<String>() + "."
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
