//! Who is on the storage, whose peaks they are, and what was behind the busiest intervals.

use super::super::section;
use super::super::table::{Cell, Table};
use super::{REST, at_least, digits, whole};
use crate::chart::put;
use crate::escape::{clip, push_html};
use crate::number;
use spindle_planning::sizing::{Drill, DrillRow, Sizing};

/// Intervals shown in full.
const SHOWN: usize = 10;

pub(super) fn tenants(s: &Sizing) -> String {
    let mut out = section("", "tenants", "Who is on the storage");
    if s.consolidation.is_empty() {
        super::empty(
            &mut out,
            "One database: nobody to share with. Give the reports of several to see what they need together.",
        );
        out.push_str("</section>");
        return out;
    }
    let sum: Option<f64> = s.consolidation.iter().map(|t| t.own_percentile_iops).sum();
    let together = s.redundancy.iter().find(|r| r.name == s.sized_for).and_then(|r| r.hardware_iops);
    if let Some(apart) = &s.apart {
        put!(
            out,
            "<p>They were {}: together they need between {} and {} hardware IOPS{}{}. Shares are not known.</p>",
            apart.met(),
            number::fixed(apart.hardware_low, 0),
            number::fixed(apart.hardware_high, 0),
            match apart.mbps_low.zip(apart.mbps_high) {
                Some((low, high)) =>
                    format!(", and {} to {} MB/s", number::measure(low), number::measure(high)),
                None => String::new(),
            },
            apart.without(apart.mbps_high.is_some())
        );
    } else if let (Some(sum), Some(together)) = (sum, together) {
        put!(
            out,
            "<p>Each for itself they would need {}{} hardware IOPS; together, at the same time, {}{}.</p>",
            if s.consolidation.iter().any(|t| t.own_is_least) { "at least " } else { "" },
            number::fixed(sum, 0),
            number::fixed(together, 0),
            if together > sum {
                ", since what each exceeds its own percentile by falls into different times"
            } else {
                ""
            }
        );
    }
    let mut table = Table::new(
        "Shares are of the hardware IOPS: in the intervals at and beyond the percentile, and on average.",
        &[
            "Database",
            ">at the peaks (%)",
            ">on average (%)",
            ">peaks it leads",
            ">its own percentile",
            ">MB/s of it",
            ">Disks for it",
            ">its own highest",
            ">Single-block read (ms)",
        ],
        40,
    );
    for t in &s.consolidation {
        table.row(
            "",
            &[
                Cell::Text(&t.database),
                Cell::known(t.share_at_peak, number::percent),
                Cell::known(t.share_of_mean, number::percent),
                Cell::Number(t.loudest_at_peaks.to_string()),
                at_least(t.own_percentile_iops, t.own_is_least, digits),
                at_least(t.own_percentile_mbps, t.own_is_least || t.own_mbps_is_least, number::measure),
                at_least(t.own_disks, t.own_disks_are_least, digits),
                Cell::Number(whole(t.own_max_iops)),
                Cell::known(t.single_block_read_us, number::ms),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    if s.neighbours_tested == 0 {
        let known = s.consolidation.iter().any(|t| t.single_block_read_us.is_some());
        super::empty(
            &mut out,
            if known {
                "Whether the reads of one get slower with the load of another is not known: fewer than 20 intervals have two of them together, with a read latency of one."
            } else {
                "Whether the reads of one get slower with the load of another is not known: no report prints their read latency."
            },
        );
    } else if s.neighbours.is_empty() {
        put!(
            out,
            "<p class=empty>No database's reads got slower with the load of another by more than chance explains, in the {} pair{} that at least 20 intervals together and a read latency show.</p>",
            s.neighbours_tested,
            if s.neighbours_tested == 1 { "" } else { "s" }
        );
    } else {
        let mut table = Table::new(
            "Whose reads get slower while another is busy: mean single-block read in the busiest tenth and the quieter half of the other. A correlation (p: of any such in all pairs tried where there is none), its own load and that of the others named held constant; that they share a device it does not prove. Or: busy at the same times, so that nothing tells them apart.",
            &["Suffers", "from", "or", ">busy (ms)", ">quiet (ms)", ">Rank correlation", ">p", ">Intervals"],
            20,
        );
        for n in &s.neighbours {
            table.row(
                "",
                &[
                    Cell::Text(&n.suffers),
                    Cell::Text(&n.from),
                    Cell::Text(&n.or.join(", ")),
                    Cell::Number(number::ms(n.busy_us)),
                    Cell::Number(number::ms(n.quiet_us)),
                    Cell::Number(number::fixed(n.correlation, 2)),
                    Cell::Number(if n.p_value < 0.001 {
                        "< 0.001".to_owned()
                    } else {
                        number::fixed(n.p_value, 3)
                    }),
                    Cell::Number(number::count(n.intervals as f64)),
                ],
            );
        }
        table.finish_with(&mut out, REST);
    }
    out.push_str("</section>");
    out
}

pub(super) fn drill(s: &Sizing) -> String {
    let mut out = section("", "busiest", "The busiest intervals, and who was behind them");
    let several = s.databases.len() > 1;
    let by_bytes = s.redundancy.iter().any(|r| r.name == s.sized_for && r.decided_by == Some("mbps"));
    for (n, d) in s.drill.iter().take(SHOWN).enumerate() {
        one(&mut out, d, n == 0, several, by_bytes);
    }
    if s.drill.len() > SHOWN {
        put!(out, "<p class=empty>{} more {REST}.</p>", s.drill.len() - SHOWN);
    }
    out.push_str("</section>");
    out
}

fn one(out: &mut String, d: &Drill, open: bool, several: bool, by_bytes: bool) {
    // Bytes decide how many disks there are: they rank the intervals, too.
    let least = if d.interval.mbps_is_least { "at least " } else { "" };
    let bytes = if by_bytes {
        format!("{least}{} hardware MB/s, ", whole(d.interval.hardware_mbps))
    } else {
        String::new()
    };
    let when = match (&d.interval.begin_time, &d.interval.end_time) {
        (Some(begin), Some(end)) => format!("{} to {}", number::time(begin), number::time(end)),
        _ => "without times".to_owned(),
    };
    put!(
        out,
        "<details{}><summary>{when}: {bytes}{} hardware IOPS, {} disks</summary>",
        if open { " open" } else { "" },
        whole(d.interval.hardware_iops),
        whole(d.interval.disks)
    );
    if d.databases.len() > 1 {
        let mut parts = Vec::new();
        for share in d.databases.iter().take(8) {
            let instance = share.instance_number.map_or_else(String::new, |n| format!(", instance {n}"));
            parts.push(format!(
                "{}{instance} {} %",
                clip(&share.database, 60),
                number::or_unknown(share.share_pct, number::percent)
            ));
        }
        out.push_str("<p>");
        push_html(out, &parts.join(" · "));
        out.push_str("</p>");
    }
    causes(out, d);
    list(out, "Statements by reads", &d.sql, several);
    let segments = if d.writes_decide {
        "Segments by writes, and those that read most"
    } else {
        "Segments by reads, and those that write most"
    };
    list(out, segments, &d.segments, several);
    if d.sql.is_empty() && d.segments.is_empty() {
        super::empty(
            out,
            if d.listed {
                "No statement or segment that the reports of this interval list read anything by itself."
            } else {
                "The reports of this interval list neither statements nor segments."
            },
        );
    }
    out.push_str("</details>");
}

/// Who made the requests.
fn causes(out: &mut String, d: &Drill) {
    if d.causes.is_empty() {
        return;
    }
    let mut table = Table::new(
        "Who made the requests, by function",
        &[
            "",
            ">Reads/s",
            ">Writes/s",
            ">Read MB/s",
            ">Write MB/s",
            ">Hardware IOPS",
            ">of what the disks do (%)",
        ],
        12,
    );
    for c in &d.causes {
        let cell = |v: Option<f64>| Cell::known(v, number::measure);
        table.row(
            "",
            &[
                Cell::Text(c.name),
                cell(c.load.read_iops),
                cell(c.load.write_iops),
                cell(c.load.read_mbps),
                cell(c.load.write_mbps),
                Cell::Number(whole(c.hardware_iops)),
                Cell::known(c.share_pct, number::percent),
            ],
        );
    }
    table.finish_with(out, REST);
}

fn list(out: &mut String, caption: &str, rows: &[DrillRow], several: bool) {
    let Some(first) = rows.first() else { return };
    // Reports of several kinds count in several units.
    let alike = rows.iter().all(|r| r.unit == first.unit);
    let reads = if alike { format!(">Reads/s ({})", first.unit) } else { ">Reads/s".to_owned() };
    let share = if alike {
        format!(">of all {} read there (%)", first.unit)
    } else {
        ">of all in its unit read there (%)".to_owned()
    };
    let write_share = rows.iter().any(|r| r.write_share_pct.is_some());
    let rate = |value: Option<f64>, unit: &str| match value {
        Some(v) if !alike => Cell::Number(format!("{} {unit}", number::measure(v))),
        value => Cell::known(value, number::measure),
    };
    let waits = rows.iter().any(|r| r.io_wait_s.is_some());
    let writes = rows.iter().any(|r| r.writes_per_s.is_some());
    let mut headings = vec!["", reads.as_str()];
    headings.extend(writes.then_some(">Writes/s"));
    headings.push(&share);
    headings.extend(write_share.then_some(">of all write requests (%)"));
    headings.extend(waits.then_some(">Waited for I/O (s)"));
    headings.push("");
    if several {
        headings.push("Database");
    }
    let mut table = Table::new(caption, &headings, 12);
    for r in rows {
        let mut cells = vec![Cell::Text(&r.name), rate(r.reads_per_s, r.unit)];
        cells.extend(writes.then(|| rate(r.writes_per_s, r.unit)));
        cells.push(Cell::known(r.share_pct, number::percent));
        cells.extend(write_share.then(|| Cell::known(r.write_share_pct, number::percent)));
        cells.extend(waits.then(|| Cell::known(r.io_wait_s, number::measure)));
        cells.push(Cell::Text(r.detail.as_deref().unwrap_or("")));
        if several {
            cells.push(Cell::Text(&r.database));
        }
        table.row("", &cells);
    }
    table.finish_with(out, REST);
}
