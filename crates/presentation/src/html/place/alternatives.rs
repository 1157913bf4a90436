//! What else could be done with the money, beside the plan and beside nothing; how the tiers are used.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::{REST, range};
use crate::number;
use spindle_planning::Plan;

/// Rows of each table.
const ROWS: usize = 30;

pub(super) fn render(plan: &Plan) -> String {
    let mut out = section("", "else", "What else could be done?");
    if plan.alternatives.is_empty() {
        empty(&mut out, "No alternative was computed.");
    } else {
        let headings =
            ["", ">Saves (s)", ">At least to at most (s)", ">Of DB time (%)", "What it takes", "Because"];
        let mut table = Table::new("", &headings, ROWS);
        let now = plan.db_time_s.now;
        for (n, a) in plan.alternatives.iter().enumerate() {
            let unknown = || number::UNKNOWN.to_owned();
            table.row(
                // The first one is the plan itself.
                if n == 0 { "now" } else { "" },
                &[
                    Cell::Text(&a.name),
                    Cell::Number(a.saves_s.map_or_else(unknown, |s| number::measure(s.mid))),
                    Cell::Number(a.saves_s.map_or_else(unknown, range)),
                    Cell::known(
                        a.saves_s.filter(|_| now > 0.0).map(|s| 100.0 * s.mid / now),
                        number::percent,
                    ),
                    Cell::Prose(&a.cost),
                    Cell::Prose(&a.because),
                ],
            );
        }
        table.finish_with(&mut out, REST);
    }
    tier_use(&mut out, plan);
    out.push_str("</section>");
    out
}

fn tier_use(out: &mut String, plan: &Plan) {
    out.push_str("<h3>How full and how busy are the tiers?</h3>");
    if plan.tier_use.is_empty() {
        empty(out, "No tier was offered.");
        return;
    }
    let headings = [
        "Tier",
        ">Capacity (GiB)",
        ">Used (GiB)",
        ">Used (%)",
        ">Saves (s)",
        ">At least to at most (s)",
        ">Reads (MB/s)",
        ">Of bandwidth (%)",
        ">Of IOPS (%)",
        ">Price",
        ">Price a second saved",
        ">Written a day (GiB)",
        ">Life (years)",
    ];
    let caption = "Means over the intervals measured: peaks within them are higher. \"-\": the tier was given without that figure, or the reports do not print it. Life: endurance over what the plan writes, if every day were like these.";
    let mut table = Table::new(caption, &headings, ROWS);
    for t in &plan.tier_use {
        let full = (t.capacity_bytes > 0.0).then(|| 100.0 * t.used_bytes / t.capacity_bytes);
        table.row(
            "",
            &[
                Cell::Text(&t.name),
                Cell::Number(number::gib(t.capacity_bytes)),
                Cell::Number(number::gib(t.used_bytes)),
                Cell::known(full, number::percent),
                Cell::Number(number::measure(t.saves_s.mid)),
                Cell::Number(range(t.saves_s)),
                Cell::Number(number::measure(t.read_mbps)),
                Cell::known(t.bandwidth_used_pct, number::percent),
                Cell::known(t.iops_used_pct, number::percent),
                Cell::known(t.price, number::measure),
                Cell::known(t.price_per_s, number::measure),
                Cell::known(t.written_bytes_per_day, number::gib),
                Cell::known(t.years_of_life, number::measure),
            ],
        );
    }
    table.finish_with(out, REST);
}
