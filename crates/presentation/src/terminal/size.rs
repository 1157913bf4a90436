//! A sizing on one screen: the answer, the load, what each redundancy needs, when and who.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::number;
use spindle_planning::sizing::{Drill, RedoCount, Sizing, bare_of_these};

/// Busiest intervals, years and warnings shown; lines of a warning.
const TOP: usize = 2;
const YEARS: usize = 1;
const DOUBTS: (usize, usize) = (2, 2);
const TENANTS: usize = 3;

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn size(s: &Sizing, look: Look) -> String {
    let columns = look.columns();
    let mut lines = heading(s, look);
    lines.push(String::new());
    lines.extend(wrap(&safe(&s.answer), columns).iter().map(|l| look.bold(l)));
    lines.push(String::new());
    lines.extend(load(s, look));
    lines.extend(redundancy(s, look));
    lines.extend(others(s, look));
    lines.extend(growth(s, look));
    lines.extend(tenants(s, look));
    lines.extend(top(s, look));
    lines.extend(doubts(s, look));
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
        let remarks = match s.gaps.len() {
            0 => String::new(),
            1 => ", 1 remark on the time axis".to_owned(),
            n => format!(", {n} remarks on the time axis (gaps, overlaps, doubles)"),
        };
        lines.extend(wrap(&format!("{span}{reports}{measured}{remarks}"), columns));
    }
    let d = &s.disk;
    let name = if d.name == "disk" { String::new() } else { format!(" {}", safe(&d.name)) };
    let mut disk = format!(
        "disk{name}: {} IOPS, a small read alone {} ms",
        number::plain(d.iops),
        number::ms_plain(d.read_latency_us)
    );
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
        None => "; planned for twice the time of a request alone".to_owned(),
    };
    lines.extend(wrap(&format!("{disk}{target}"), columns));
    lines
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
        let cells = [m.read_iops, m.write_iops, m.redo_write_iops, m.read_mbps, m.write_mbps].map(or);
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
        &["IOPS", "bare", "disks", "cells", "MB/s", "busy %"],
    )];
    for r in &s.redundancy {
        let mark = if r.name == s.sized_for && s.redundancy.len() > 1 { "* " } else { "  " };
        let name = format!("{mark}{} ({})", safe(&r.name), number::plain(r.write_penalty));
        let cells = [
            whole(r.hardware_iops),
            whole(r.disks_for_iops_bare),
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
        let cells =
            r.cells_bare_exact.map_or_else(String::new, |c| format!(", {} cells", number::measure(c)));
        let mut text = format!("{} bare: {} disks{cells}", safe(&s.sized_for), number::measure(disks));
        if let Some((one, disks)) = bare_of_these(s, r) {
            text.push_str(&format!(
                " by {} IOPS of small requests; of these one does {}: {} disks",
                number::fixed(s.disk.iops, 0),
                number::fixed(one, 0),
                number::fixed(disks, 0)
            ));
        }
        lines.extend(wrap_to(&text, look.columns() - 2, 2).iter().map(|l| look.dim(&format!("  {l}"))));
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
        lines.extend(wrap_to(&text, look.columns() - 2, 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    // A rack is of its own disks: its maker's figure stands with the words for them.
    for f in s.racks.iter().filter(|f| f.redundancy == s.sized_for) {
        // Of requests; bytes have a word of their own.
        let verdict = match f.enough {
            _ if f.spare_iops < 0.0 => "short",
            Some(true) => "spare",
            Some(false) => "spare for small requests",
            None => "more, were they small requests",
        };
        let mut text = format!(
            "Exadata {}: {} IOPS by its maker, {} {verdict}",
            safe(&f.rack),
            number::fixed(f.disk_iops, 0),
            number::fixed(f.spare_iops.abs(), 0)
        );
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
        lines.extend(wrap_to(&text, look.columns() - 2, 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    if let Some(f) = s.racks.first() {
        lines.push(look.dim(&format!("  Racks sold {}: a yardstick, no offer.", safe(&f.sold))));
    }
    let mix = &s.write_mix;
    if let (Some(redo), Some(write), Some(without)) =
        (mix.redo_write_iops, mix.write_iops, mix.hardware_iops_without_redo)
    {
        let (least, most) = match mix.redo_counted_as {
            Some(RedoCount::RedoWrites) => ("at least ", "at most "),
            _ => ("", ""),
        };
        let text = format!(
            "Of {} writes/s {least}{} are redo: on devices of its own the disks do {most}{} IOPS; flash logging takes none off them.",
            number::measure(write),
            number::measure(redo),
            number::fixed(without, 0)
        );
        lines.extend(wrap_to(&text, look.columns() - 2, 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    lines.push(String::new());
    lines
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
            whole(y.disks),
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
            whole(t.own_percentile_iops),
            number::or_unknown(t.single_block_read_us, number::ms),
        ];
        lines.push(row(look, &format!("  {}", safe(&t.database)), widest, &cells));
    }
    if let Some(n) = s.neighbours.first() {
        let text = format!(
            "Reads of {} take {} ms while {} is busy, {} ms while it is quiet.",
            safe(&n.suffers),
            number::ms(n.busy_us),
            safe(&n.from),
            number::ms(n.quiet_us)
        );
        lines.extend(wrap_to(&text, look.columns() - 2, 2).iter().map(|l| format!("  {l}")));
    }
    lines.push(String::new());
    lines
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
        let cells = [whole(asked), whole(d.interval.disks)];
        let line = format!("{}  {}", row(look, &format!("  {when}"), 20, &cells), behind(d));
        lines.push(fit(&line, look.columns()));
    }
    lines.push(String::new());
    lines
}

/// Who was behind it, in a few words.
fn behind(d: &Drill) -> String {
    let mut parts: Vec<String> = d.sql.first().map(|r| r.name.clone()).into_iter().collect();
    parts.extend(d.segments.first().map(|r| r.name.clone()));
    safe(&parts.join(", "))
}

fn doubts(s: &Sizing, look: Look) -> Vec<String> {
    let columns = look.columns().saturating_sub(4);
    let mut lines = Vec::new();
    if !s.warnings.is_empty() {
        lines.push(look.bold("Before you buy"));
    }
    for text in s.warnings.iter().take(DOUBTS.0) {
        for (n, line) in wrap_to(&safe(text), columns, DOUBTS.1).iter().enumerate() {
            lines.push(format!("{}{line}", if n == 0 { "  " } else { "    " }));
        }
    }
    let more = s.warnings.len().saturating_sub(DOUBTS.0);
    let rest = if more > 0 {
        format!(
            "{more} more doubt{} and all figures: --html FILE, --xlsx FILE, --json",
            if more == 1 { "" } else { "s" }
        )
    } else {
        "All intervals and figures: --html FILE, --xlsx FILE, --json".to_owned()
    };
    lines.extend(wrap(&rest, columns).iter().map(|l| look.dim(&format!("  {l}"))));
    lines
}
