//! The table of rates that were asked for: what was served, and what it took.

use super::{Listing, figure, half, headings, known};
use crate::number;
use spindle_workload::{RateStep, RatesFound};

pub(super) fn listings(found: &RatesFound) -> Vec<Listing> {
    let row = |s: &RateStep| {
        let came = match (s.kept, s.stalled) {
            (true, _) => "",
            (false, false) => ": piled up",
            (false, true) => ": stood still",
        };
        let name = format!("{} a second{came}", number::measure(s.asked_per_s));
        let cells = vec![
            figure(s.served_per_s, number::measure),
            half(s.served_per_s),
            figure(s.latency_us.mean, number::ms),
            figure(s.latency_us.p50, number::ms),
            figure(s.latency_us.p99, number::ms),
            known(s.latency_us.max, number::ms),
            known(s.unserved.map(|n| n as f64), number::count),
        ];
        (name, cells)
    };
    let how = if found.poisson { "at random times (Poisson)" } else { "at fixed times" };
    vec![Listing {
        title: format!("Requests that arrive {how}, and what is served"),
        what: "Arrive",
        columns: headings(&["served/s", "+/- %", "mean ms", "p50 ms", "p99 ms", "max ms", "left"]),
        rows: found.steps.iter().map(row).collect(),
        marked: found.steps.iter().rposition(|s| s.kept),
        notes: vec![
            "Latency counts from when a request was to start. `left` had arrived and were not answered at the end; a rate at \
             which they pile up is no point of the curve, and its latencies only grow."
                .to_owned(),
        ],
    }]
}
