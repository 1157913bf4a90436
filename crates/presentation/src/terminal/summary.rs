//! One report on one screen: which database, the answer, the bar, the findings, the I/O profile.

use super::Look;
use super::wrap::{fit, right, width, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::{Subject, head, number, palette};
use spindle_diagnosis::{Diagnosis, Finding, IoFigure, ResponseSide};

/// Findings shown at most; the page has all.
const FINDINGS: usize = 5;
/// Lines of a screen.
const LINES: usize = 40;
/// Lines of what ADDM and the samples in the report name, where the screen has room for them.
const BESIDE: usize = 3;

/// How much is said about each finding, most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Title,
    Short,
    Proof,
    Caveat,
}

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn summary(subject: Subject<'_>, look: Look) -> String {
    let fixed = [
        heading(subject, look),
        vec![String::new()],
        answer(subject, look),
        vec![String::new()],
        response_time(&subject.diagnosis.response_time.foreground, look),
        super::named::lines(subject.report, look),
    ];
    let beside = head::named_beside(subject.report)
        .map_or_else(Vec::new, |text| wrap_to(&safe(&text), look.columns(), BESIDE));
    let end = [io_profile(subject, look), pointer(subject, look)];
    let taken = fixed.iter().chain(&end).map(Vec::len).sum::<usize>();
    let shown = &subject.diagnosis.findings[..subject.diagnosis.findings.len().min(FINDINGS)];

    // The findings get what the screen has left: caveats go first, then proofs, then all but the
    // title, last finding first.
    let mut details = vec![Detail::Caveat; shown.len()];
    let mut middle = findings(subject.diagnosis, &details, look);
    'shorter: for (from, to) in
        [(Detail::Caveat, Detail::Proof), (Detail::Proof, Detail::Short), (Detail::Short, Detail::Title)]
    {
        for i in (0..details.len()).rev() {
            if taken + middle.len() <= LINES {
                break 'shorter;
            }
            if details[i] == from {
                details[i] = to;
                middle = findings(subject.diagnosis, &details, look);
            }
        }
    }
    let has_room = taken + middle.len() + beside.len() <= LINES;
    let beside = if has_room { beside } else { Vec::new() };
    let mut out = String::new();
    for line in fixed.iter().flatten().chain(&beside).chain(&middle).chain(end.iter().flatten()) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Joins parts with commas into lines, never breaking inside a part unless it alone is too long.
fn flow(parts: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let part = safe(part);
        match lines.last_mut() {
            Some(line) if width(line) + 2 + width(&part) <= columns => {
                line.push_str(", ");
                line.push_str(&part);
            }
            _ => lines.extend(wrap(&part, columns)),
        }
    }
    lines
}

fn heading(subject: Subject<'_>, look: Look) -> Vec<String> {
    let id = &subject.report.identity;
    let columns = look.columns();
    let mut lines: Vec<String> =
        wrap_to(&safe(&head::name(id)), columns, 2).iter().map(|l| look.bold(l)).collect();
    let mut parts = head::machine(id);
    parts.push(head::kind(id));
    lines.extend(flow(&parts, columns).into_iter().take(3));
    let mut parts: Vec<String> = head::interval(id).into_iter().collect();
    parts.extend(head::load(subject));
    lines.extend(flow(&parts, columns));
    let mut read = head::Ledger::of(subject.report).sentence();
    if id.excerpt {
        read.push_str("; an excerpt: what it leaves out cannot be told");
    }
    if id.spans_restart {
        read.push_str("; the instance restarted inside the interval");
    }
    lines.extend(wrap(&read, columns).iter().map(|l| look.dim(l)));
    lines
}

fn answer(subject: Subject<'_>, look: Look) -> Vec<String> {
    let mut lines: Vec<String> =
        wrap(&safe(&subject.diagnosis.answer), look.columns()).iter().map(|l| look.bold(l)).collect();
    if let Some(hidden) = head::averages_over(subject) {
        lines.extend(wrap(&hidden, look.columns()));
    }
    lines
}

/// Columns of the bar for each part: whole columns that add up, by largest remainder.
fn shares(parts: &[f64], columns: usize) -> Vec<usize> {
    let total: f64 = parts.iter().sum();
    let exact = |i: usize| parts[i] / total * columns as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most `columns`")]
    let mut out: Vec<usize> = (0..parts.len()).map(|i| exact(i).floor() as usize).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| exact(b).fract().total_cmp(&exact(a).fract()).then(a.cmp(&b)));
    let missing = columns.saturating_sub(out.iter().sum());
    for i in order.into_iter().take(missing) {
        out[i] += 1;
    }
    out
}

fn response_time(side: &ResponseSide, look: Look) -> Vec<String> {
    let columns = look.columns();
    // Name, colour, seconds drawn, seconds quoted: a class is quoted as printed.
    let mut parts: Vec<(String, palette::Hue, f64, f64)> = Vec::new();
    if let Some(cpu) = side.cpu_s {
        parts.push(("CPU".to_owned(), palette::CPU, cpu, cpu));
    }
    for class in &side.classes {
        let hue = palette::of(&class.wait_class);
        parts.push((safe(&class.wait_class), hue, class.time_s, class.printed_s));
    }
    if let Some(rest) = side.unexplained_s {
        parts.push(("not explained".to_owned(), palette::UNEXPLAINED, rest, rest));
    }
    if let Some(rest) = head::unlisted_waits_s(side) {
        parts.push((head::UNLISTED.to_owned(), palette::UNEXPLAINED, rest, rest));
    }
    parts.retain(|p| p.3 > 0.0);
    if parts.iter().all(|p| p.1 == palette::UNEXPLAINED) && side.db_time_s.is_some() && !head::is_read(side) {
        return wrap("Response time: cannot be drawn, neither CPU nor wait events were read", columns);
    }
    if let Some(cpu) = side.cpu_s.filter(|_| !head::is_read(side)) {
        let text = format!(
            "Response time: cannot be drawn, CPU alone was read ({} s), and neither DB time nor waits",
            number::measure(cpu)
        );
        return wrap(&text, columns);
    }
    let drawn: f64 = parts.iter().map(|p| p.2).sum();
    if drawn <= 0.0 {
        let why = side.remark.as_deref().unwrap_or("neither DB time nor foreground wait events were read");
        return wrap(&format!("Response time: cannot be drawn, {}", safe(why)), columns);
    }
    let total = side.db_time_s.map_or(drawn, |t| t.max(drawn));
    let title = match side.db_time_s {
        Some(t) => format!("Where did {} s of DB time go?", number::measure(t)),
        None => {
            let what = if side.cpu_s.is_some() { "CPU and waits" } else { "waits" };
            format!("Where did {} s of {what} go? (DB time is unknown)", number::measure(drawn))
        }
    };
    let mut lines = wrap(&title, columns);
    if let Some(first) = lines.first_mut() {
        *first = look.bold(first);
    }
    let mut seconds: Vec<f64> = parts.iter().map(|p| p.2).collect();
    // What no part claims stays blank.
    seconds.push(total - drawn);
    let letters = parts.iter().map(|p| p.1).chain([palette::Hue { letter: ' ', ..palette::UNEXPLAINED }]);
    let mut bar = String::from("|");
    for (hue, n) in letters.zip(shares(&seconds, columns - 2)) {
        let run: String = std::iter::repeat_n(hue.letter, n).collect();
        bar.push_str(&look.styled(&format!("38;5;{}", hue.ansi), &run));
    }
    bar.push('|');
    lines.push(bar);
    let mut legend: Vec<String> = Vec::new();
    let mut small = (0, 0.0);
    for (name, hue, _, s) in &parts {
        let share = 100.0 * s / total;
        if share < 0.5 && legend.len() > 3 {
            small = (small.0 + 1, small.1 + share);
            continue;
        }
        let mut item = format!("{} {name} {} %", hue.letter, number::percent(share));
        let top = side.classes.iter().find(|c| safe(&c.wait_class) == *name).and_then(|c| c.events.first());
        if let Some(event) = top.filter(|_| share >= 10.0) {
            let average = event.avg_us.map_or_else(String::new, |us| format!(" {} ms", number::ms(us)));
            item.push_str(&format!(" ({}{average})", safe(&event.event)));
        }
        legend.push(item);
    }
    if small.0 > 0 {
        legend.push(format!("{} more {} %", small.0, number::percent(small.1)));
    }
    lines.extend(flow(&legend, columns));
    if let Some(remark) = &side.remark {
        lines.extend(wrap_to(&safe(remark), columns, 2).iter().map(|l| look.dim(l)));
    }
    lines
}

/// How much a finding costs, as far as its title does not say it: `41.0 %, 2,951 s`.
fn cost(finding: &Finding) -> String {
    if finding.impact_s <= 0.0 {
        return "no time of its own".to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    if let Some(share) = finding.impact_pct {
        parts.push(format!("{} %", head::range(finding, share, number::percent)));
    }
    // A title that says a range need not be read to the end.
    let seconds = format!("{} s", head::range(finding, finding.impact_s, number::measure));
    if parts.is_empty() || finding.impact_low_s.is_some() || !finding.title.contains(&seconds) {
        parts.push(seconds);
    }
    let mut out = parts.join(", ");
    let touches = format!("{} s", number::measure(finding.touches_s));
    if finding.touches_s > finding.impact_s * 1.05 && !finding.title.contains(&touches) {
        // Two numbers a thousand times apart read as an error unless one is said to be of others.
        const NEXT_TO_NONE: f64 = 0.01;
        if finding.impact_s < NEXT_TO_NONE * finding.touches_s {
            return format!("concerns {touches}, next to none of it alone");
        }
        out.push_str(&format!(" (concerns {touches})"));
    }
    out
}

fn findings(diagnosis: &Diagnosis, details: &[Detail], look: Look) -> Vec<String> {
    let columns = look.columns();
    let mut lines = vec![String::new()];
    if diagnosis.findings.is_empty() {
        let rest = match diagnosis.cannot_tell.len() {
            0 => String::new(),
            n => format!("; {n} could not be decided because facts or load are missing (see --html)"),
        };
        lines.extend(wrap(
            &format!("No finding: {}{rest}.", head::looked_for(diagnosis.not_found.len())),
            columns,
        ));
        return lines;
    }
    let mut title = "Findings, by seconds of DB time".to_owned();
    if diagnosis.findings.len() > details.len() {
        title.push_str(&format!(" ({} of {})", details.len(), diagnosis.findings.len()));
    }
    lines.push(look.bold(&title));
    for (i, (finding, detail)) in diagnosis.findings.iter().zip(details).enumerate() {
        let text = format!("{}: {}", cost(finding), safe(&finding.title));
        for (n, line) in wrap_to(&text, columns - 3, 2).iter().enumerate() {
            let mark = if n == 0 { format!("{}. ", i + 1) } else { "   ".to_owned() };
            lines.push(format!("{mark}{line}"));
        }
        if *detail == Detail::Title {
            continue;
        }
        let mut part = |label: &str, text: &str, max: usize| {
            for (n, line) in wrap_to(text, columns - 10, max).iter().enumerate() {
                let label = if n == 0 { look.dim(&fit(label, 6)) } else { fit("", 6) };
                lines.push(format!("   {label} {line}"));
            }
        };
        if let Some(proof) = finding.evidence.first() {
            let place = head::place_of(proof);
            if *detail >= Detail::Proof {
                part("why", &safe(&format!("{} ({place})", proof.text)), 2);
            } else {
                // The figures are the proof; the page has the section.
                let more = head::and_more(proof);
                part("why", &safe(&format!("line {}{more}: {}", proof.line, proof.text)), 1);
            }
        }
        if let Some(action) = finding.actions.first() {
            part("do", &safe(action), if *detail >= Detail::Proof { 2 } else { 1 });
        }
        if *detail >= Detail::Caveat && !finding.caveat.is_empty() {
            part("caveat", &safe(&finding.caveat), 1);
        }
    }
    lines
}

fn io_profile(subject: Subject<'_>, look: Look) -> Vec<String> {
    let diagnosis = subject.diagnosis;
    let io = &diagnosis.io_profile;
    let show = |figure: &Option<IoFigure>, how| head::figure(figure.as_ref(), how);
    let known = [
        &io.read_iops,
        &io.write_iops,
        &io.redo_write_iops,
        &io.read_mbps,
        &io.write_mbps,
        &io.redo_write_mbps,
        &io.single_block_read_us,
        &io.multi_block_read_us,
        &io.log_write_us,
    ]
    .iter()
    .any(|f| f.is_some());
    let mut lines = vec![String::new()];
    if !known {
        let why = head::no_profile(subject.report);
        lines.extend(wrap(&format!("I/O profile: {why}."), look.columns()));
        return lines;
    }
    let rate_row = |name: &str, iops: &str, mbps: &str| {
        format!("{}{}{}", fit(name, 12), right(iops, 10), right(mbps, 10))
    };
    let latency_row = |name: &str, ms: &str| format!("{}{}", fit(name, 22), right(ms, 8));
    let mut rates = vec![look.bold(&rate_row("I/O profile", "IOPS", "MB/s"))];
    for (name, iops, mbps) in [
        ("reads", &io.read_iops, &io.read_mbps),
        ("writes", &io.write_iops, &io.write_mbps),
        ("redo writes", &io.redo_write_iops, &io.redo_write_mbps),
    ] {
        rates.push(rate_row(name, &show(iops, number::measure), &show(mbps, number::measure)));
    }
    let mut latencies = vec![look.bold(&latency_row("latency, mean", "ms"))];
    for (name, us) in [
        ("single-block read", &io.single_block_read_us),
        ("multi-block read", &io.multi_block_read_us),
        ("log write", &io.log_write_us),
    ] {
        latencies.push(latency_row(name, &show(us, number::ms)));
    }
    if look.columns() < 70 {
        lines.extend(rates);
        lines.extend(latencies);
    } else {
        lines.extend(rates.iter().zip(latencies).map(|(rate, latency)| format!("{rate}    {latency}")));
    }
    let coarse: Vec<String> = [
        ("single-block read", &io.single_block_read_us),
        ("multi-block read", &io.multi_block_read_us),
        ("log write", &io.log_write_us),
    ]
    .into_iter()
    .filter_map(|(name, us)| Some(format!("{name} {} ms", head::coarse(us.as_ref()?, number::ms)?)))
    .collect();
    if !coarse.is_empty() {
        let text = format!("As the report rounds its times: {}.", coarse.join(", "));
        lines.extend(wrap(&text, look.columns()));
    }
    // Whose requests they are, where not all processes'.
    let of_data = |figure: &Option<IoFigure>| figure.as_ref().is_some_and(IoFigure::is_of_data_files);
    let partial: Vec<&str> = [
        ("reads", of_data(&io.read_iops)),
        ("writes", of_data(&io.write_iops)),
        ("MB read", of_data(&io.read_mbps)),
        ("MB written", of_data(&io.write_mbps)),
    ]
    .into_iter()
    .filter_map(|(name, partial)| partial.then_some(name))
    .collect();
    if !partial.is_empty() {
        let text = format!(
            "Of data and temp files alone, without redo, control files and backups: {}.",
            partial.join(", ")
        );
        lines.extend(wrap(&text, look.columns()));
    }
    if subject.report.identity.scope == spindle_facts::Scope::Container {
        let text =
            "Of a pluggable database alone: writes and redo of the container's processes are in none of it.";
        lines.extend(wrap(text, look.columns()));
    }
    let of_places = |figure: &Option<IoFigure>| figure.as_ref().is_some_and(IoFigure::is_of_places);
    if of_places(&io.single_block_read_us) || of_places(&io.multi_block_read_us) {
        let text =
            "~: the mean read of tablespaces or files, told apart by blocks a read, as no waits were read.";
        lines.extend(wrap(text, look.columns()));
    }
    // Which of the two counts a write once for each member of a log group.
    let of_members = |figure: &Option<IoFigure>| figure.as_ref().map(IoFigure::is_of_every_member);
    let said = match (of_members(&io.redo_write_iops), of_members(&io.redo_write_mbps)) {
        (Some(true), Some(false)) => "Redo writes: to every member of the log, MB counted once.",
        (Some(true), _) => "Redo writes: to every member of the log.",
        (Some(false), Some(true)) => "MB of redo: to every member of the log, writes counted once.",
        (None, Some(true)) => "MB of redo: to every member of the log.",
        _ => "",
    };
    lines.extend(wrap(said, look.columns()).into_iter().filter(|line| !line.is_empty()));
    let apart = |a: &&spindle_diagnosis::Account| {
        !a.agree && a.gap_pct.is_none_or(|gap| gap > head::WORTH_SAYING_PCT)
    };
    let differ: Vec<&str> = diagnosis.accounts.iter().filter(apart).map(|a| a.quantity.as_str()).collect();
    if !differ.is_empty() {
        let text = format!(
            "Accounts more than {} % apart: {} (--html shows which was used and why).",
            head::WORTH_SAYING_PCT,
            differ.join("; ")
        );
        lines.extend(wrap_to(&safe(&text), look.columns(), 1).iter().map(|l| look.dim(l)));
    }
    lines
}

fn pointer(subject: Subject<'_>, look: Look) -> Vec<String> {
    let more = subject.diagnosis.findings.len().saturating_sub(FINDINGS);
    let mut text = String::new();
    if more > 0 {
        text.push_str(&format!("{more} more finding{}. ", if more == 1 { "" } else { "s" }));
    }
    text.push_str("Histograms, statements, objects and every line read: add --html FILE.");
    let mut lines = vec![String::new()];
    lines.extend(wrap(&text, look.columns()).iter().map(|l| look.dim(l)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_exactly_as_wide_as_its_parts() {
        assert_eq!(shares(&[1.0, 1.0, 1.0], 10), [4, 3, 3]);
        assert_eq!(shares(&[0.4, 99.6], 10), [0, 10]);
    }
}
