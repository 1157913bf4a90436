//! Latency: how the waits for each I/O event are distributed.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::chart::{Band, Bucket, Histogram, put};
use crate::escape::{clip, push_html, push_prose};
use crate::{Subject, head, number, palette};
use spindle_diagnosis::{DeviceClass, Latency};
use spindle_facts::Interval;

/// Pictures shown at once; a few more are folded, the rest is counted.
const OPEN: usize = 6;
const MOST: usize = 15;

/// Name of a device class in a sentence.
fn device(class: DeviceClass) -> &'static str {
    match class {
        DeviceClass::Disk => "disks",
        DeviceClass::Flash => "flash",
        DeviceClass::Exadata => "Exadata cells",
        DeviceClass::FlashOrCache => "flash or a cache",
        DeviceClass::Unknown => "unknown storage",
    }
}

/// Wait class of an event: as the response-time tree or the wait events have it, else as the
/// first words of Oracle's event names tell.
fn class_of<'a>(subject: Subject<'a>, event: &str) -> &'a str {
    let time = &subject.diagnosis.response_time;
    let mut classes = time.foreground.classes.iter().chain(&time.background.classes);
    if let Some(class) = classes.find(|c| c.events.iter().any(|e| e.event == event)) {
        return &class.wait_class;
    }
    let rows = &subject.report.tables.wait_event;
    if let Some(class) = rows.iter().filter(|r| r.event == event).find_map(|r| r.wait_class.as_deref()) {
        return class;
    }
    let begins = |words: &[&str]| words.iter().any(|w| event.starts_with(w));
    if event == "log file sync" {
        "Commit"
    } else if begins(&[
        "db file parallel write",
        "db file async",
        "log file",
        "control file",
        "cell smart incremental",
    ]) {
        "System I/O"
    } else if begins(&[
        "db file",
        "direct path",
        "cell ",
        "read by other session",
        "Disk file",
        "local write",
    ]) {
        "User I/O"
    } else {
        "Other"
    }
}

pub(super) fn render(subject: Subject<'_>, prefix: &str) -> String {
    let mut out = section(prefix, "latency", "Latency");
    let diagnosis = subject.diagnosis;
    let guess = &diagnosis.device_class;
    out.push_str("<p>Bars of <b>");
    out.push_str(device(guess.value));
    out.push_str("</b> were applied: ");
    push_prose(&mut out, &clip(&guess.because, 500));
    out.push_str(".</p>");
    if diagnosis.latency.is_empty() {
        let why = head::why_missing(
            subject.report,
            &["event histogram", "wait event histogram"],
            "a histogram of an I/O event",
        );
        empty(&mut out, &format!("{why} Only averages are known, no percentiles."));
        out.push_str("</section>");
        return out;
    }
    out.push_str("<p class=q>Bands show between which bounds a percentile lies. <u class=\"lk av\"></u> average as printed, <u class=\"lk br\"></u> bar applied.</p><div class=cards>");
    for (i, latency) in diagnosis.latency.iter().take(MOST).enumerate() {
        if i == OPEN {
            put!(
                out,
                "</div><details><summary>{} more events</summary><div class=cards>",
                diagnosis.latency.len().min(MOST) - OPEN
            );
        }
        card(&mut out, subject, latency);
    }
    out.push_str(if diagnosis.latency.len() > OPEN { "</div></details>" } else { "</div>" });
    if diagnosis.latency.len() > MOST {
        empty(
            &mut out,
            &format!("{} more histograms in spindle facts (wait_histogram).", diagnosis.latency.len() - MOST),
        );
    }
    out.push_str("</section>");
    out
}

/// Waits of a bucket: a range where the rounding of a share leaves so much open that one number would be made up.
fn counted(waits: f64, bounds: Option<(f64, f64)>) -> String {
    /// Part of the number that may be open.
    const OPEN: f64 = 0.25;
    match bounds.filter(|(low, high)| high.is_finite() && high - low > OPEN * waits.max(1.0)) {
        Some((low, high)) => format!("{}-{}", number::count(low.floor()), number::count(high.ceil())),
        None => number::count(waits),
    }
}

fn card(out: &mut String, subject: Subject<'_>, latency: &Latency) {
    let buckets: Vec<Bucket> = latency
        .buckets
        .iter()
        .map(|(low, high, waits)| Bucket {
            low_ms: low / 1000.0,
            high_ms: high.map(|h| h / 1000.0),
            waits: *waits,
        })
        .collect();
    let band = |name, range: Option<Interval>| {
        range.map(|r| Band {
            name,
            low_ms: r.low / 1000.0,
            high_ms: r.high / 1000.0,
            text: number::range_ms(r),
        })
    };
    let bands: Vec<Band> = [("p50", latency.p50_us), ("p90", latency.p90_us), ("p99", latency.p99_us)]
        .into_iter()
        .filter_map(|(name, range)| band(name, range))
        .collect();
    let question = format!("How long is {}?", clip(&latency.event, 80));
    let picture = Histogram {
        question: &question,
        css: palette::of(class_of(subject, &latency.event)).css,
        buckets: &buckets,
        bands: &bands,
        average_ms: latency.avg_us.map(|us| us / 1000.0),
        bar_ms: latency.bar_us.map(|us| us / 1000.0),
        of: "waits",
        x_unit: "wait, ms (logarithmic)",
    }
    .render();
    let Some(picture) = picture else { return };
    out.push_str("<div class=card>");
    out.push_str(&picture);
    let total: f64 = buckets.iter().map(|b| b.waits).sum();
    put!(
        out,
        "<p class=q>{} waits, {}; average {} ms",
        number::count(total),
        head::side(latency.side),
        number::or_unknown(latency.avg_us, number::ms)
    );
    match latency.bar_us {
        Some(bar) => {
            put!(out, ", bar {} ms", number::plain(bar / 1000.0));
        }
        None => out.push_str(", no bar for this event"),
    }
    put!(out, "; line {}", latency.line);
    if let Some(shape) = &latency.shape {
        out.push_str(". Shape: ");
        push_html(out, &clip(shape, 300));
    }
    out.push_str("</p><details><summary>Buckets</summary>");
    let mut table = Table::new("", &["Wait (ms)", ">Waits", ">Share (%)", ">Running (%)"], 48);
    let mut running = 0.0;
    for (at, bucket) in buckets.iter().enumerate() {
        running += bucket.waits;
        let share = |waits: f64| number::percent(100.0 * waits / total);
        table.row(
            "",
            &[
                Cell::Text(&crate::chart::bucket_range(bucket)),
                Cell::Number(counted(bucket.waits, latency.bucket_waits.get(at).copied())),
                Cell::Number(share(bucket.waits)),
                Cell::Number(share(running)),
            ],
        );
    }
    table.finish(out);
    out.push_str("</details></div>");
}

#[cfg(test)]
mod tests {
    use super::counted;

    /// `.0` in five buckets, 2,215 waits to share: each was "443 waits".
    #[test]
    fn waits_that_a_share_does_not_tell_were_a_number() {
        assert_eq!(counted(443.0, Some((0.0, 1_825.0))), "0-1,825");
        assert_eq!(counted(61_000.0, Some((60_500.0, 61_500.0))), "61,000");
        assert_eq!(counted(7.0, None), "7");
        assert_eq!(counted(0.0, Some((0.0, 0.0))), "0");
    }
}
