//! A sizing on one screen: the answer, the load, what each redundancy needs, when and who.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::number;
use spindle_planning::sizing::{
    Cause, DataCount, Drill, DrillRow, Neighbour, RedoCount, Sizing, Tenant, WriteMix, bare_of_these,
};

/// Busiest intervals, years, remarks on the time axis, databases and pairs of them shown.
const TOP: usize = 2;
const YEARS: usize = 1;
const REMARKS: usize = 4;
const TENANTS: usize = 8;
const PAIRS: usize = 2;
/// Lines of a screen, which doubts fill up.
const LINES: usize = 40;

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn size(s: &Sizing, look: Look) -> String {
    let columns = look.columns();
    let mut lines = heading(s, look);
    lines.push(String::new());
    lines.extend(wrap(&safe(&s.answer), columns).iter().map(|l| look.bold(l)));
    for text in &s.warnings[..s.first_warnings.min(s.warnings.len())] {
        lines.extend(whole_sentences(text, "! ", columns));
    }
    lines.push(String::new());
    lines.extend(time_axis(s, look));
    lines.extend(load(s, look));
    lines.extend(redundancy(s, look));
    lines.extend(others(s, look));
    lines.extend(growth(s, look));
    lines.extend(tenants(s, look));
    lines.extend(top(s, look));
    let room = LINES.saturating_sub(lines.len());
    lines.extend(doubts(s, look, room));
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn heading(s: &Sizing, look: Look) -> Vec<String> {
    let columns = look.columns();
    let name = match s.databases.as_slice() {
        [] => "Load as stated".to_owned(),
        many => many.join(", "),
    };
    let mut lines: Vec<String> = wrap_to(&safe(&name), columns, 2).iter().map(|l| look.bold(l)).collect();
    if s.reports > 0 {
        let span = match (&s.begin_time, &s.end_time) {
            (Some(begin), Some(end)) => format!("{} to {}, ", number::time(begin), number::time(end)),
            _ => String::new(),
        };
        let reports = if s.reports == 1 {
            "1 report".to_owned()
        } else {
            format!("{} reports", number::count(s.reports as f64))
        };
        let measured =
            s.measured_s.map_or_else(String::new, |m| format!(", {} counted", number::duration(m)));
        lines.extend(wrap(&format!("{span}{reports}{measured}"), columns));
    }
    let d = &s.disk;
    let name = if d.name == "disk" { String::new() } else { format!(" {}", safe(&d.name)) };
    let mut disk = match d.curve_operation.as_deref() {
        None => format!(
            "disk{name}: {} IOPS, a small read alone {} ms",
            number::plain(d.iops),
            number::ms_plain(d.read_latency_us)
        ),
        Some(operation) => format!(
            "disk{name}: {} IOPS, {}; {} at its lowest load {} ms",
            number::plain(d.iops),
            safe(&d.origin),
            of_curve(operation),
            number::ms_plain(d.read_latency_us)
        ),
    };
    if d.write_latency_us != d.read_latency_us {
        disk.push_str(&format!(", a write {} ms", number::ms_plain(d.write_latency_us)));
    }
    if let Some(mbps) = d.mbps {
        disk.push_str(&format!(", {} MB/s", number::plain(mbps)));
    }
    if let Some(bytes) = d.capacity_bytes {
        disk.push_str(&format!(", {}", number::bytes(bytes)));
    }
    let target = match s.latency_target_us {
        Some(us) => format!("; latency kept at {} ms", number::ms_plain(us)),
        None if d.curve_operation.is_some() => "; planned for 70 % of that rate".to_owned(),
        None => "; planned for twice the time of a request alone".to_owned(),
    };
    lines.extend(wrap(&format!("{disk}{target}"), columns));
    lines
}

/// What the requests of a curve are.
fn of_curve(operation: &str) -> &'static str {
    match operation {
        "read" => "a read",
        "write" => "a write",
        _ => "a request",
    }
}

/// A text that is never cut, behind a mark.
fn whole_sentences(text: &str, mark: &str, columns: usize) -> Vec<String> {
    let lines = wrap(&safe(text), columns.saturating_sub(mark.len()).max(10));
    let of = |(n, line): (usize, &String)| if n == 0 { format!("{mark}{line}") } else { format!("  {line}") };
    lines.iter().enumerate().map(of).collect()
}

/// Gaps, restarts, doubles: which, of what, and when.
fn time_axis(s: &Sizing, look: Look) -> Vec<String> {
    if s.gaps.is_empty() {
        return Vec::new();
    }
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for remark in &s.gaps {
        match kinds.iter_mut().find(|(kind, _)| *kind == remark.kind) {
            Some((_, n)) => *n += 1,
            None => kinds.push((remark.kind, 1)),
        }
    }
    let counted: Vec<String> = kinds
        .iter()
        .map(|(kind, n)| format!("{} {}", number::count(*n as f64), in_words(kind, *n)))
        .collect();
    let mut lines: Vec<String> = wrap_to(&format!("Time axis: {}", counted.join(", ")), look.columns(), 2)
        .iter()
        .map(|l| look.bold(l))
        .collect();
    // One of each kind before more of any.
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (at, remark) in s.gaps.iter().enumerate() {
        let before = s.gaps[..at].iter().filter(|r| r.kind == remark.kind).take(REMARKS).count();
        order.push((before, at));
    }
    order.sort_unstable();
    order.truncate(REMARKS);
    order.sort_unstable_by_key(|(_, at)| *at);
    for remark in order.iter().filter_map(|(_, at)| s.gaps.get(*at)) {
        let mut parts: Vec<String> = remark.database.iter().cloned().collect();
        parts.extend(remark.instance_number.map(|n| format!("instance {n}")));
        let when = match (&remark.begin_time, &remark.end_time) {
            (Some(begin), Some(end)) => Some(format!("{} to {}", number::time(begin), number::time(end))),
            (one, other) => one.as_ref().or(other.as_ref()).map(|t| number::time(t)),
        };
        parts.extend(when);
        parts.push(remark.message.clone());
        lines.extend(whole_sentences(
            &format!("{}: {}", in_words(remark.kind, 1), parts.join(", ")),
            "  ",
            look.columns(),
        ));
    }
    let more = s.gaps.len().saturating_sub(REMARKS);
    if more > 0 {
        lines.push(
            look.dim(&format!("  {} more: --html FILE, --xlsx FILE, --json", number::count(more as f64))),
        );
    }
    lines.push(String::new());
    lines
}

/// A kind of remark as a reader calls it.
fn in_words(kind: &str, count: usize) -> String {
    let (one, many) = match kind {
        "gap" => ("gap", "gaps"),
        "overlap" => ("overlap", "overlaps"),
        "restart" => ("restart", "restarts"),
        "duplicate" => ("double", "doubles"),
        "contradiction" => ("contradiction", "contradictions"),
        "clock" => ("change of the clock", "changes of the clock"),
        _ => ("left out", "left out"),
    };
    if count == 1 { one.to_owned() } else { many.to_owned() }
}

/// Title of a table and the headings of its columns.
fn title(look: Look, words: &str, widest: usize, headings: &[&str]) -> String {
    let mut rest = String::new();
    for h in &headings[..headings.len().min(fitting(look, widest))] {
        rest.push_str(&right(h, 10));
    }
    format!("{}{}", look.bold(&fit(words, widest)), look.dim(&rest))
}

/// Columns that the screen has room for.
fn fitting(look: Look, widest: usize) -> usize {
    (look.columns().saturating_sub(widest) / 10).max(1)
}

fn row(look: Look, name: &str, widest: usize, cells: &[String]) -> String {
    let mut out = fit(name, widest);
    for cell in &cells[..cells.len().min(fitting(look, widest))] {
        // Numbers too wide for their column stay apart.
        if cell.chars().count() >= 10 {
            out.push(' ');
        }
        out.push_str(&right(cell, 10));
    }
    out
}

fn or(value: Option<f64>) -> String {
    number::or_unknown(value, number::measure)
}

fn whole(value: Option<f64>) -> String {
    number::or_unknown(value, |v| number::fixed(v, 0))
}

fn load(s: &Sizing, look: Look) -> Vec<String> {
    let w = &s.workload;
    let widest = 20;
    if s.intervals_counted < 2 {
        return Vec::new();
    }
    let percentile = format!("p{}", number::plain(s.percentile));
    let mut lines =
        vec![title(look, "Load", widest, &["reads/s", "writes/s", "redo w/s", "MB/s read", "MB/s wr."])];
    for (name, m) in [("mean", &w.mean), (percentile.as_str(), &w.at_percentile), ("max", &w.max)] {
        let mut cells = [m.read_iops, m.write_iops, m.redo_write_iops, m.read_mbps, m.write_mbps].map(or);
        for (cell, known, is_least) in
            [(3, m.read_mbps, w.read_mbps_is_least), (4, m.write_mbps, w.write_mbps_is_least)]
        {
            if is_least && known.is_some() {
                cells[cell].insert(0, '>');
            }
        }
        lines.push(row(look, &format!("  {name}"), widest, &cells));
    }
    lines.push(String::new());
    lines
}

fn redundancy(s: &Sizing, look: Look) -> Vec<String> {
    let widest = 20;
    let mut lines = vec![title(
        look,
        "Redundancy (penalty)",
        widest,
        &["IOPS", "bare", "cells", "planned", "cells", "MB/s", "busy %"],
    )];
    for r in &s.redundancy {
        let mark = if r.name == s.sized_for && s.redundancy.len() > 1 { "* " } else { "  " };
        let name = format!("{mark}{} ({})", safe(&r.name), number::plain(r.write_penalty));
        let cells = [
            whole(r.hardware_iops),
            whole(r.disks_for_iops_bare),
            whole(r.cells_bare),
            least(r.disks, r.disks_are_least),
            whole(r.cells),
            match r.hardware_mbps {
                Some(mbps) if r.hardware_mbps_is_least => format!(">{}", number::measure(mbps)),
                mbps => or(mbps),
            },
            number::or_unknown(r.utilisation.map(|u| 100.0 * u), |v| number::fixed(v, 0)),
        ];
        lines.push(row(look, &name, widest, &cells));
    }
    if let Some(r) = s.redundancy.iter().find(|r| r.name == s.sized_for)
        && let Some(disks) = r.disks_for_iops_bare_exact
    {
        // With decimals what the division says; without, the count of the table.
        let cells = r.cells_bare_exact.map(|exact| in_line(exact, r.cells_bare));
        let cells = cells.map_or_else(String::new, |c| format!(", {c} cells"));
        let disks = in_line(disks, r.disks_for_iops_bare);
        let mut text = format!("{} bare: {disks} disks{cells}", safe(&s.sized_for));
        if let Some((one, disks)) = bare_of_these(s, r) {
            text.push_str(&format!(
                " by {} IOPS of small requests; of these one does {}: {} disks",
                number::fixed(s.disk.iops, 0),
                number::fixed(one, 0),
                number::fixed(disks, 0)
            ));
        }
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    if let Some(r) = s.redundancy.iter().find(|r| r.name == s.sized_for)
        && let (Some(for_iops), Some(for_mbps), Some(mbps)) =
            (r.cells_for_iops, r.cells_for_mbps, s.cell_mbps)
    {
        let text = format!(
            "{}: {} for IOPS, {} for MB/s; one of {} disks does {} IOPS and {} MB/s",
            safe(&s.sized_for),
            cells(for_iops),
            number::fixed(for_mbps, 0),
            number::plain(s.disks_per_cell),
            number::fixed(s.cell_iops, 0),
            number::fixed(mbps, 0)
        );
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    // Of requests; bytes have a word of their own.
    let verdict = |enough: Option<bool>, spare_iops: f64| match enough {
        _ if spare_iops < 0.0 => "short",
        Some(true) => "spare",
        Some(false) => "spare for small requests",
        None => "more, were they small requests",
    };
    // A rack is of its own disks: its maker's figure stands with the words for them.
    for f in s.racks.iter().filter(|f| f.redundancy == s.sized_for) {
        let mut text = format!(
            "Exadata {}: {} IOPS by its maker, {} {}",
            safe(&f.rack),
            number::fixed(f.disk_iops, 0),
            number::fixed(f.spare_iops.abs(), 0),
            verdict(f.enough, f.spare_iops)
        );
        if let Some(grown) = &f.grown {
            text.push_str(&format!(
                "; in year {}: {} IOPS {}",
                grown.year,
                number::fixed(grown.spare_iops.abs(), 0),
                verdict(grown.enough, grown.spare_iops)
            ));
            if let Some(short) = grown.spare_mbps.filter(|spare| *spare < 0.0) {
                text.push_str(&format!(" and {} MB/s short", number::fixed(-short, 0)));
            }
        }
        if let Some(left) = f.hardware_iops_behind_flash {
            text.push_str(&format!(
                "; behind flash {} are left, {} {}",
                number::fixed(left, 0),
                number::fixed((f.disk_iops - left).abs(), 0),
                if f.disk_iops < left { "short" } else { "spare" }
            ));
        }
        if let Some((mbps, spare)) = f.disk_mbps.zip(f.spare_mbps) {
            text.push_str(&format!(
                "; {} disks move {} MB/s, {} {}",
                number::fixed(f.disks, 0),
                number::fixed(mbps, 0),
                number::fixed(spare.abs(), 0),
                match f.enough_mbps {
                    Some(false) => "short",
                    Some(true) => "spare",
                    None => "spare at most",
                }
            ));
        }
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    if let Some(f) = s.racks.first() {
        let text = format!("Racks sold {}: a yardstick, no offer.", safe(&f.sold));
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    if let Some(text) = write_mix(&s.write_mix) {
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    lines.push(String::new());
    lines
}

/// A quotient with its decimals; its count where it is so large that none are shown.
fn in_line(exact: f64, count: Option<f64>) -> String {
    let text = number::measure(exact);
    if text.contains('.') { text } else { whole(count) }
}

/// Who writes, and what redo on devices of its own takes off the disks.
fn write_mix(mix: &WriteMix) -> Option<String> {
    let all = mix.write_iops.filter(|w| *w > 0.0)?;
    let (least, most) = match mix.redo_counted_as {
        Some(RedoCount::RedoWrites) => ("at least ", "at most "),
        _ => ("", ""),
    };
    let mut parts = Vec::new();
    parts.extend(mix.redo_write_iops.map(|v| format!("{least}{} redo (LGWR)", number::measure(v))));
    let data = match mix.data_counted_as {
        Some(DataCount::DatabaseWriter) => "by the database writer (DBWR)",
        Some(DataCount::Functions) => "by DBWR and direct writes",
        Some(DataCount::ListedFiles) => "on the files listed",
        _ => "on data and temp files",
    };
    parts.extend(mix.data_write_iops.map(|v| format!("{} {data}", number::measure(v))));
    if parts.is_empty() {
        return None;
    }
    let sum = mix.redo_write_iops.zip(mix.data_write_iops).map(|(redo, data)| redo + data);
    let more = match mix.other_write_iops {
        Some(_) => String::new(),
        None => sum.filter(|sum| *sum > all).map_or_else(String::new, |sum| {
            format!(" ({:.1} % more than all: another account)", 100.0 * (sum - all) / all)
        }),
    };
    let without = mix.hardware_iops_without_redo.map_or_else(String::new, |without| {
        format!(
            "; redo on devices of its own leaves the disks {most}{} IOPS, flash logging takes none off them",
            number::fixed(without, 0)
        )
    });
    Some(format!("Of {} writes/s {}{more}{without}.", number::measure(all), parts.join(", ")))
}

/// A number of disks that a capacity may raise.
fn least(disks: Option<f64>, is_least: bool) -> String {
    let mark = if is_least && disks.is_some() { ">=" } else { "" };
    format!("{mark}{}", whole(disks))
}

fn cells(n: f64) -> String {
    format!("{} cell{}", number::fixed(n, 0), if n == 1.0 { "" } else { "s" })
}

fn others(s: &Sizing, look: Look) -> Vec<String> {
    if s.other_disks.is_empty() {
        return Vec::new();
    }
    let widest = 30;
    let mut lines =
        vec![title(look, "On other devices", widest, &["IOPS", "for IOPS", "for MB/s", "disks", "ms"])];
    for d in s.other_disks.iter().take(4) {
        let cells = [
            whole(d.hardware_iops),
            whole(d.disks_for_iops),
            whole(d.disks_for_mbps),
            least(d.disks, d.disks_are_least),
            number::or_unknown(d.latency_us, number::ms),
        ];
        lines.push(row(look, &format!("  {} ({})", safe(&d.disk.name), safe(&d.redundancy)), widest, &cells));
    }
    lines.push(String::new());
    lines
}

fn growth(s: &Sizing, look: Look) -> Vec<String> {
    if s.growth.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![title(look, "Growth", 20, &["times", "IOPS", "bare", "disks", "cells"])];
    // Today stands above.
    let rows = s.growth.iter().skip(1).rev().take(YEARS).rev();
    for y in rows {
        let cells = [
            number::measure(y.factor),
            whole(y.hardware_iops),
            whole(y.disks_bare),
            least(y.disks, y.disks_are_least),
            whole(y.cells),
        ];
        lines.push(row(look, &format!("  year {}", y.year), 20, &cells));
    }
    lines.push(String::new());
    lines
}

fn tenants(s: &Sizing, look: Look) -> Vec<String> {
    if s.consolidation.is_empty() {
        return Vec::new();
    }
    let widest = look.columns().saturating_sub(42).clamp(12, 40);
    let percentile = format!("own p{}", number::plain(s.percentile));
    let mut lines =
        vec![title(look, "Who, at the peaks", widest, &["at peak %", "of mean %", &percentile, "read ms"])];
    for t in s.consolidation.iter().take(TENANTS) {
        let cells = [
            number::or_unknown(t.share_at_peak, number::percent),
            number::or_unknown(t.share_of_mean, number::percent),
            least_of(t),
            number::or_unknown(t.single_block_read_us, number::ms),
        ];
        lines.push(row(look, &format!("  {}", safe(&t.database)), widest, &cells));
    }
    if let Some(text) = rest_of(s.consolidation.get(TENANTS..).unwrap_or_default()) {
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| format!("  {l}")));
    }
    for n in s.neighbours.iter().take(PAIRS) {
        let or = match n.or.as_slice() {
            [] => String::new(),
            or => format!(" (or {}, busy at the same times)", safe(&or.join(", "))),
        };
        let text = format!(
            "Reads of {} take {} ms while {}{or} is busy, {} ms while it is quiet ({}).",
            safe(&n.suffers),
            number::ms(n.busy_us),
            safe(&n.from),
            number::ms(n.quiet_us),
            by_chance(n, s.neighbours_tested)
        );
        lines.extend(wrap(&text, look.columns() - 2).iter().map(|l| format!("  {l}")));
    }
    if s.neighbours.len() > PAIRS {
        let more = s.neighbours.len() - PAIRS;
        lines.push(
            look.dim(&format!("  {more} more pair{}: --html FILE, --json", if more == 1 { "" } else { "s" })),
        );
    }
    lines.push(String::new());
    lines
}

/// Its own requests, marked where some intervals lack an instance.
fn least_of(t: &Tenant) -> String {
    let mark = if t.own_is_least && t.own_percentile_iops.is_some() { ">" } else { "" };
    format!("{mark}{}", whole(t.own_percentile_iops))
}

/// How likely a pair is named by chance.
fn by_chance(n: &Neighbour, tried: usize) -> String {
    let p = if n.p_value < 0.001 { "p < 0.001".to_owned() } else { format!("p = {:.3}", n.p_value) };
    match tried {
        0 | 1 => p,
        tried => format!("{p} over the {tried} pairs tried"),
    }
}

/// Databases that the table has no room for, by name.
fn rest_of(more: &[Tenant]) -> Option<String> {
    /// Names of those.
    const NAMED: usize = 12;
    let (first, rest) = more.split_first()?;
    let mut names: Vec<&str> =
        std::iter::once(first).chain(rest).take(NAMED).map(|t| t.database.as_str()).collect();
    let unnamed = (more.len() - names.len()).to_string();
    if more.len() > names.len() {
        names.push("and");
        names.push(&unnamed);
    }
    let share: Option<f64> = more.iter().map(|t| t.share_at_peak).sum();
    let share =
        share.map_or_else(String::new, |pct| format!(", together {} % at the peaks", number::percent(pct)));
    Some(safe(&format!(
        "{} more{share}: {} (--html FILE)",
        more.len(),
        names.join(", ").replace("and, ", "and ")
    )))
}

fn top(s: &Sizing, look: Look) -> Vec<String> {
    if s.intervals_counted < 2 {
        return Vec::new();
    }
    // By what decides how many disks there are.
    let by_bytes = s.redundancy.iter().any(|r| r.name == s.sized_for && r.decided_by == Some("mbps"));
    let what = if by_bytes { "MB/s" } else { "IOPS" };
    let mut lines = vec![title(look, "Busiest intervals", 20, &[what, "disks"])];
    for d in s.drill.iter().take(TOP) {
        let when = d.interval.begin_time.as_deref().map_or_else(|| "no time".to_owned(), number::time);
        let asked = if by_bytes { d.interval.hardware_mbps } else { d.interval.hardware_iops };
        let mark = if by_bytes && d.interval.mbps_is_least { ">" } else { "" };
        let cells = [format!("{mark}{}", whole(asked)), whole(d.interval.disks)];
        let line = format!("{}  {}", row(look, &format!("  {when}"), 20, &cells), behind(d));
        lines.push(fit(&line, look.columns()));
    }
    lines.push(String::new());
    lines
}

/// Who was behind it, in a few words.
fn behind(d: &Drill) -> String {
    let named = |r: &DrillRow| match (r.write_share_pct.filter(|_| d.writes_decide), r.share_pct) {
        (Some(pct), _) => format!("{} {} % of writes", r.name, number::percent(pct)),
        (None, Some(pct)) if r.unit == "blocks" => format!("{} {} % of blocks", r.name, number::percent(pct)),
        (None, Some(pct)) => format!("{} {} %", r.name, number::percent(pct)),
        (None, None) => r.name.clone(),
    };
    // What no statement does, where it asks most of the disks.
    let cause = d.causes.first().filter(|c| {
        use Cause::{Arch, DataPump, Dbwr, DirectWrites, Lgwr, Recovery, Rman};
        [Rman, Arch, Recovery, DataPump, Dbwr, Lgwr, DirectWrites].contains(&c.cause)
    });
    let cause = cause.map(|c| match c.share_pct {
        Some(pct) => format!("{} {} %", c.name, number::percent(pct)),
        None => c.name.to_owned(),
    });
    // Statements are ranked by reads: of an interval of writes they say nothing.
    let sql = d.sql.first().filter(|_| !d.writes_decide);
    let rows = sql.into_iter().chain(d.segments.first()).map(named);
    safe(&cause.into_iter().chain(rows).collect::<Vec<_>>().join(", "))
}

/// What else to know, each whole or not at all, as many as the screen has room for.
fn doubts(s: &Sizing, look: Look, room: usize) -> Vec<String> {
    let columns = look.columns();
    let others = s.warnings.get(s.first_warnings..).unwrap_or_default();
    let mut lines = Vec::new();
    // Title and last line are there in any case.
    let mut room = room.saturating_sub(3);
    let mut shown = 0;
    for text in others {
        let of = whole_sentences(text, "  ", columns);
        if of.len() <= room || shown == 0 {
            room = room.saturating_sub(of.len());
            lines.extend(of);
            shown += 1;
        }
    }
    if !lines.is_empty() {
        lines.insert(0, look.bold("Before you buy"));
    }
    let more = others.len() - shown;
    let rest = if more > 0 {
        format!(
            "{more} more doubt{} and all figures: --html FILE, --xlsx FILE, --json",
            if more == 1 { "" } else { "s" }
        )
    } else {
        "All intervals and figures: --html FILE, --xlsx FILE, --json".to_owned()
    };
    lines.extend(wrap(&rest, columns.saturating_sub(2)).iter().map(|l| look.dim(&format!("  {l}"))));
    lines
}
