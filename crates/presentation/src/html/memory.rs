//! Memory: what a larger or smaller cache or PGA would do to the I/O, as the database estimates.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::chart::put;
use crate::{Subject, head, number};

/// Sizes listed.
const SIZES: usize = 24;

pub(super) fn render(subject: Subject<'_>, prefix: &str) -> String {
    let mut out = section(prefix, "memory", "Memory");
    let report = subject.report;
    let gib = |bytes: Option<f64>| Cell::known(bytes.map(|b| b / f64::from(1u32 << 30)), number::measure);
    let now = |factor: Option<f64>| if factor.is_some_and(|f| (f - 1.0).abs() < 0.005) { "now" } else { "" };
    put!(out, "<h3>Would another buffer cache change the reads?</h3>");
    let cache = &report.tables.db_cache_advice;
    if let Some(first) = cache.first() {
        let title = report.section_title(first.section);
        let headings = [
            "Pool",
            ">Size (GiB)",
            ">Size factor",
            ">Reads, factor",
            ">Reads since start",
            ">Read time (s)",
            "Line",
        ];
        let mut table =
            Table::new(&format!("From \"{title}\"; the present size has factor 1."), &headings, SIZES);
        for row in cache {
            let pool = row.pool.as_deref().unwrap_or("");
            let pool =
                row.instance_number.map_or_else(|| pool.to_owned(), |n| format!("{pool}, instance {n}"));
            table.row(
                now(row.size_factor),
                &[
                    Cell::Text(&pool),
                    gib(row.size_bytes),
                    Cell::known(row.size_factor, number::plain),
                    Cell::known(row.read_factor, number::plain),
                    Cell::known(row.estimated_reads, number::count),
                    Cell::known(row.estimated_read_time_s, number::plain),
                    Cell::Place(title, row.line),
                ],
            );
        }
        table.finish(&mut out);
    } else {
        empty(
            &mut out,
            &head::why_missing(
                report,
                &["buffer pool advisory", "buffer cache advisory"],
                "buffer cache advice",
            ),
        );
    }
    put!(out, "<h3>Would another PGA target change the temp I/O?</h3>");
    let pga = &report.tables.pga_advice;
    if let Some(first) = pga.first() {
        let title = report.section_title(first.section);
        let headings = [
            ">Target (GiB)",
            ">Size factor",
            ">Extra read and written (GiB)",
            ">Cache hit (%)",
            ">Over-allocations",
            "Line",
        ];
        let mut table =
            Table::new(&format!("From \"{title}\"; the present target has factor 1."), &headings, SIZES);
        for row in pga {
            table.row(
                now(row.size_factor),
                &[
                    gib(row.target_bytes),
                    Cell::known(row.size_factor, number::plain),
                    gib(row.extra_rw_bytes),
                    Cell::known(row.cache_hit_pct, number::percent),
                    Cell::known(row.over_allocations, number::count),
                    Cell::Place(title, row.line),
                ],
            );
        }
        table.finish(&mut out);
    } else {
        empty(
            &mut out,
            &head::why_missing(
                report,
                &["pga memory advisory", "pga target advisory", "pga memory advice"],
                "PGA advice",
            ),
        );
    }
    out.push_str("</section>");
    out
}
