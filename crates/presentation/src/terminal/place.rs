//! A placement on one screen: the answer, what moves in which order, what else could be done.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::number;
use spindle_planning::{Candidate, Plan, Profile, Range, ResponsePart};

/// Candidates shown as chosen, and as left out.
const CHOSEN: usize = 10;
const LEFT_OUT: usize = 4;
/// Statements shown.
const STATEMENTS: usize = 3;
/// What would save less than this share of DB time is only counted, percent.
const WORTH_NAMING_PCT: f64 = 1.0;
/// Doubts shown, and lines of each.
const DOUBTS: (usize, usize) = (3, 2);
/// A part of the response time below this share of DB time is counted into "all else", unless as much
/// of it goes, percent.
const SMALL_PCT: f64 = 2.0;

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

fn range(range: Range) -> String {
    number::range(range.low, range.high)
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

/// Title of a table and the headings of its columns, in one line.
fn title(look: Look, title: &str, widest: usize, headings: &str) -> String {
    let filled = fit(title, widest + 2);
    let headings = fit(headings, look.columns().saturating_sub(widest + 2));
    // Only the title is bold.
    let (words, space) = filled.split_at(filled.trim_end().len());
    format!("{}{space}{}", look.bold(words), look.dim(headings.trim_end()))
}

fn db_time(plan: &Plan, look: Look) -> Vec<String> {
    let t = &plan.db_time_s;
    let widest = look.columns().saturating_sub(44).clamp(16, 40);
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
    let matters = |p: &&ResponsePart| {
        100.0 * p.now_s >= SMALL_PCT * t.now && (p.component.is_some() || p.part == "CPU")
            || 100.0 * (p.now_s - p.then_s.low) >= SMALL_PCT * t.now
    };
    let (large, small): (Vec<_>, Vec<_>) = plan.response_time.iter().partition(matters);
    for part in large {
        let doubt = if part.then_s.low < part.then_s.high {
            format!("({})", range(part.then_s))
        } else {
            String::new()
        };
        lines.push(row(&part.part, part.now_s, part.then_s.mid, &doubt));
    }
    match small.as_slice() {
        [] => {}
        [one] => lines.push(row(&one.part, one.now_s, one.then_s.mid, "")),
        several => {
            let now = several.iter().map(|p| p.now_s).sum();
            let then = several.iter().map(|p| p.then_s.mid).sum();
            lines.push(row("all else", now, then, ""));
        }
    }
    let then = Range { low: t.then_low, mid: t.then, high: t.then_high };
    lines.push(row("DB time", t.now, t.then, &format!("({})", range(then))));
    if let (Some(relief), Some(bounds)) = (plan.relief_s, plan.relief_range_s) {
        let text = format!(
            "Beside that, what stays behind may get {} s faster ({}), by a model.",
            number::measure(relief),
            range(bounds)
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
    let widest = look.columns().saturating_sub(52).clamp(12, 60);
    let row = |c: &Candidate, mark: &str| {
        let text = format!(
            "  {}  {}  {}  {}  {}",
            fit(&safe(&c.object), widest),
            right(&c.size_bytes.map_or_else(|| "-".to_owned(), number::bytes), 9),
            right(&c.saves_s.map_or_else(|| "-".to_owned(), |s| number::measure(s.mid)), 9),
            fit(&c.saves_s.map_or_else(String::new, |s| format!("({})", range(s))), 15),
            safe(mark)
        );
        fit(text.trim_end(), look.columns())
    };
    let head =
        |what: &str| title(look, what, widest, &format!("  {}  {}", right("size", 9), right("saves (s)", 9)));
    if !plan.chosen.is_empty() {
        lines.push(head("Move, in this order"));
        let by_name = |name: &String| plan.candidates.iter().find(|c| c.object == *name);
        for c in plan.chosen.iter().take(CHOSEN).filter_map(by_name) {
            lines.push(row(c, c.tier.as_deref().unwrap_or("")));
        }
        let more = plan.chosen.len().saturating_sub(CHOSEN);
        if more > 0 {
            let words = fit(&format!("  and {more} more (--html and --json list all)"), look.columns());
            lines.push(look.dim(words.trim_end()));
        }
        lines.push(String::new());
    }
    let stay: Vec<&Candidate> = plan
        .candidates
        .iter()
        .filter(|c| c.tier.is_none() && c.saves_s.is_some_and(|s| s.mid > 0.0))
        .collect();
    if !stay.is_empty() {
        lines.push(head("Left where they are"));
        let named = |c: &&&Candidate| {
            c.saves_s.is_some_and(|s| 100.0 * s.mid >= WORTH_NAMING_PCT * plan.db_time_s.now)
        };
        let shown = &stay[..stay.iter().take_while(named).take(LEFT_OUT).count().max(1)];
        for (n, c) in shown.iter().enumerate() {
            lines.push(row(c, ""));
            // A reason that the next one shares is said below that.
            if shown.get(n + 1).is_none_or(|next| next.why != c.why) {
                for line in wrap_to(&safe(&c.why), look.columns().saturating_sub(6), 2) {
                    lines.push(look.dim(&format!("      {line}")));
                }
            }
        }
        let more = stay.len() - shown.len();
        if more > 0 {
            let words = fit(&format!("  and {more} more that would save less"), look.columns());
            lines.push(look.dim(words.trim_end()));
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
    let headings =
        format!("  {}  {}  {}", right("now (s)", 9), right("then (s)", 9), right("gain (times)", 20));
    let mut lines = vec![title(look, "Statements", 14, &headings)];
    let shown = &gaining[..gaining.len().min(STATEMENTS)];
    let alike = shown.iter().all(|s| s.because == shown[0].because);
    for s in shown {
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string())).unwrap_or_default();
        let alone = if s.from_temp_alone { "temp alone; " } else { "" };
        let line = format!(
            "  {}  {}  {}  {}  {alone}{}",
            fit(&safe(&name), 14),
            right(&number::measure(s.now_s), 9),
            right(&number::measure(s.then_s.mid), 9),
            right(&format!("{} ({})", number::measure(s.gain.mid), range(s.gain)), 20),
            if alike { String::new() } else { safe(&s.because) }
        );
        lines.push(fit(line.trim_end(), look.columns()));
    }
    let more = gaining.len().saturating_sub(STATEMENTS);
    let more = if more > 0 { format!("and {more} more; ") } else { String::new() };
    let because = if alike { format!("because: {}", shown[0].because) } else { String::new() };
    let rest = format!("{more}{because}");
    for line in wrap_to(&safe(rest.trim_end_matches("; ")), look.columns().saturating_sub(2), 2) {
        lines.push(look.dim(&format!("  {line}")));
    }
    lines.push(String::new());
    lines
}

fn alternatives(plan: &Plan, look: Look) -> Vec<String> {
    let widest = look.columns().saturating_sub(32).clamp(10, 110);
    let mut lines = vec![title(
        look,
        "What else could be done, and what it takes",
        widest,
        &format!("  {}", right("saves (s)", 9)),
    )];
    for a in &plan.alternatives {
        let saves = match a.saves_s {
            Some(s) if s.high > 0.0 => {
                format!("{}  ({})", right(&number::measure(s.mid), 9), range(s))
            }
            Some(_) => right("0", 9),
            None => format!("{}  not known", right("-", 9)),
        };
        let what = if a.name == a.cost { a.name.clone() } else { format!("{}: {}", a.name, a.cost) };
        let line = format!("  {}  {saves}", fit(&safe(&what), widest));
        lines.push(fit(line.trim_end(), look.columns()));
    }
    lines.push(String::new());
    lines
}

fn doubts(plan: &Plan, look: Look) -> Vec<String> {
    let mut lines = vec![look.bold("What cannot be seen")];
    let columns = look.columns().saturating_sub(4);
    let all: Vec<&String> =
        std::iter::once(&plan.unseen).chain(&plan.warnings).chain(&plan.measured.left_out).collect();
    for text in all.iter().take(DOUBTS.0) {
        for (n, line) in wrap_to(&safe(text), columns, DOUBTS.1).iter().enumerate() {
            lines.push(format!("{}{line}", if n == 0 { "  " } else { "    " }));
        }
    }
    let more = all.len().saturating_sub(DOUBTS.0);
    let rest = if more > 0 {
        format!("{more} more doubts and all figures: --html FILE, --json")
    } else {
        "All figures, with the lines they come from: --html FILE, --json".to_owned()
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
