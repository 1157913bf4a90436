//! How figures of two measurements are named and shown, on the screen and on the page.

use crate::number;
use spindle_workload::{ComparedFigure, ResultSide};

/// Name of a figure with its unit, and how its values are shown.
pub(crate) fn shown(figure: &ComparedFigure) -> (&'static str, fn(f64) -> String) {
    match figure.name.as_str() {
        "iops" => ("IOPS", number::measure),
        "mbps" => ("MB/s", number::measure),
        "mean_us" => ("mean ms", number::ms),
        "max_us" => ("max ms", number::ms),
        "p50_us" => ("p50 ms", number::ms),
        "p90_us" => ("p90 ms", number::ms),
        "p99_us" => ("p99 ms", number::ms),
        _ => ("p99.9 ms", number::ms),
    }
}

/// Is the difference more than chance explains?
pub(crate) fn sure(figure: &ComparedFigure) -> &'static str {
    match figure.differs {
        Some(true) => "differs",
        Some(false) => "perhaps not",
        None => "",
    }
}

/// What the words of [`sure`] mean.
pub(crate) const SURE: &str =
    "\"differs\": more than the intervals of both at 95 % explain; \"perhaps not\": they explain it.";

/// Files, tools, hosts and devices of a side.
pub(crate) fn side(side: &ResultSide) -> String {
    let mut parts = vec![side.sources.join(", ")];
    for list in [&side.programs, &side.hosts, &side.devices] {
        if !list.is_empty() {
            parts.push(list.join(", "));
        }
    }
    parts.join("; ")
}
