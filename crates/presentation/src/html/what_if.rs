//! What if: DB time if reads, temp or commits took another latency, everything else alike.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::{Subject, number};
use spindle_diagnosis::{EventTime, is_multi_block_read, is_single_block_read};

/// Latencies that storage is bought by, microseconds.
const LATENCIES_US: [f64; 7] = [200.0, 500.0, 1_000.0, 2_000.0, 5_000.0, 10_000.0, 20_000.0];

/// Events whose latency changes together; reads as the I/O profile groups them.
type Group = (&'static str, fn(&str) -> bool);

const GROUPS: [Group; 4] = [
    ("Single-block reads", is_single_block_read),
    ("Multi-block reads", is_multi_block_read),
    ("Temp reads and writes", |e| matches!(e, "direct path read temp" | "direct path write temp")),
    ("Commits (log file sync)", |e| e == "log file sync"),
];

/// Seconds of a group that count, and its mean wait, microseconds, from what is printed; `None`
/// where an event of it prints no waits. One event keeps the mean that is shown of it elsewhere.
fn totals(events: &[&EventTime]) -> Option<(f64, f64)> {
    let counted: f64 = events.iter().map(|e| e.counted_s).sum();
    if let [only] = events {
        return Some((counted, only.avg_us?)).filter(|t| t.0 > 0.0 && t.1 > 0.0);
    }
    let waits = events.iter().map(|e| e.waits).sum::<Option<f64>>()?;
    let printed: f64 = events.iter().map(|e| e.time_s).sum();
    (waits > 0.0 && printed > 0.0).then(|| (counted, printed / waits * 1e6))
}

pub(super) fn render(subject: Subject<'_>, prefix: &str) -> String {
    let mut out = section(prefix, "whatif", "What if");
    let side = &subject.diagnosis.response_time.foreground;
    let Some(db_time) = side.db_time_s else {
        empty(&mut out, "DB time is unknown, so there is nothing to compute it anew from.");
        out.push_str("</section>");
        return out;
    };
    let mut headings = vec!["DB time (s) if the mean were".to_owned(), ">now (ms)".to_owned()];
    headings.extend(LATENCIES_US.iter().map(|us| format!(">{} ms", number::plain(us / 1000.0))));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table =
        Table::new(&format!("What would {} s of DB time become?", number::measure(db_time)), &headings, 8);
    let mut any = false;
    for (name, belongs) in GROUPS {
        let events: Vec<&EventTime> =
            side.classes.iter().flat_map(|c| &c.events).filter(|e| belongs(&e.event)).collect();
        let Some((time, now_us)) = totals(&events) else { continue };
        any = true;
        let mut cells = vec![Cell::Text(name), Cell::Number(number::ms(now_us))];
        for us in LATENCIES_US {
            let then = db_time - time + time * us / now_us;
            let change = 100.0 * (then / db_time - 1.0);
            let sign = if change >= 0.05 { "+" } else { "" };
            cells.push(Cell::Number(format!(
                "{} ({sign}{} %)",
                number::measure(then),
                number::fixed(change, 0)
            )));
        }
        table.row("", &cells);
    }
    if any {
        table.finish(&mut out);
        out.push_str("<p class=q>The same number of waits at another mean, one row at a time; CPU, other waits and the run queue as they are. A faster system may be given more work, and slower storage may queue: take this as the size of the effect. Direct-path waits overlap, so their mean is not the device's.</p>");
    } else {
        empty(
            &mut out,
            "No read, temp or commit wait with its number of waits is printed, so no other latency can be put in.",
        );
    }
    out.push_str("</section>");
    out
}
