//! What the rules for slow reads share: time spent, mean against the bar, distribution, proof.

use super::material::{
    AT_THE_BAR, Against, Waits, foreground_waits, may_be_material, mean_against, of_db_time, share_pct,
    spread_evidence,
};
use super::since::is_since;
use super::without_waits;
use crate::{Bars, Case, DeviceClass, EventTotal, Finding, Verdict, words};

/// A kind of reads.
pub(super) struct ReadKind {
    /// Its wait events, most usual first.
    pub(super) events: &'static [&'static str],
    /// Its name in sentences.
    pub(super) what: &'static str,
    /// Mean of this event from where on it is slow.
    pub(super) bar_us: fn(&Case<'_>, &Bars, &str) -> f64,
    /// When the finding would be wrong.
    pub(super) caveat: &'static str,
}

/// Finds the events of this kind that are both slow and, together, material.
pub(super) fn judge(case: &Case<'_>, kind: &ReadKind) -> Verdict {
    let events = match foreground_waits(case, kind.events) {
        Waits::Material(events) => events,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return by_places(case, kind).unwrap_or(Verdict::CannotTell(missing)),
    };
    let bar_us = |e: &EventTotal| (kind.bar_us)(case, &case.bars, &e.event);
    let of =
        |against| events.iter().copied().filter(move |e| mean_against(e, AT_THE_BAR * bar_us(e)) == against);
    let slow: Vec<&EventTotal> = of(Against::Above).collect();
    let seconds: f64 = slow.iter().map(|e| case.event_time_s(&e.event)).sum();
    if !super::material::is_material(case, seconds) {
        let hidden =
            |e: &&EventTotal| case.hidden_by_class(e.avg_us, |bars| (kind.bar_us)(case, bars, &e.event));
        let hidden =
            events.iter().filter(|e| may_be_material(case, case.event_time_s(&e.event))).find_map(hidden);
        if let Some(missing) = hidden {
            return Verdict::CannotTell(missing);
        }
        if let Some(e) = of(Against::Straddles).next() {
            return Verdict::CannotTell(format!(
                "a mean of {} printed finely enough to tell it from the bar of {}",
                e.event,
                words::latency(bar_us(e))
            ));
        }
        if let Some(e) = of(Against::Unknown).next() {
            return Verdict::CannotTell(format!("the number of waits for {}", e.event));
        }
        return Verdict::NotFound;
    }
    let Some(worst) = slow.first() else { return Verdict::NotFound };
    Verdict::Found(Finding {
        title: title(case, kind, worst, seconds, bar_us(worst))
            + &saved_at_the_bar(case, kind, &slow, seconds),
        storage: true,
        claims: slow.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence: slow
            .iter()
            .map(|e| case.event_evidence(e))
            .chain(slow.iter().filter_map(|e| spread_evidence(case, &e.event)))
            .chain(slowest_tablespace(case))
            .collect(),
        actions: actions(case, kind, worst, bar_us(worst)),
        caveat: caveat(case, kind),
        ..Finding::default()
    })
}

/// What tablespaces, files or functions say where no waits were read.
fn by_places(case: &Case<'_>, kind: &ReadKind) -> Option<Verdict> {
    let found = match kind.events.first() {
        Some(&"db file sequential read") => without_waits::slow_reads(case, true),
        Some(&"db file scattered read") => without_waits::slow_reads(case, false),
        _ => None,
    };
    found.map(Verdict::Found)
}

fn title(case: &Case<'_>, kind: &ReadKind, worst: &EventTotal, seconds: f64, bar_us: f64) -> String {
    let mean = worst.avg_us.map_or(String::new(), |us| format!(" take {} on average", words::latency(us)));
    let what = if worst.event.starts_with("cell ") || kind.events.first() != Some(&worst.event.as_str()) {
        format!("{} ({})", sentence_case(kind.what), worst.event)
    } else {
        sentence_case(kind.what)
    };
    format!(
        "{what}{mean}, {}: {}{}",
        expected(case.device.value, bar_us),
        words::seconds(seconds),
        of_db_time(case, seconds)
    )
}

/// What reads at the bar would save, where a mean just above it leaves most of their time: `, at the bar 172 s (3 %)
/// less`. Titles are read in two lines of a screen.
fn saved_at_the_bar(case: &Case<'_>, kind: &ReadKind, slow: &[&EventTotal], seconds: f64) -> String {
    /// Part of the time from which on it is what storage can give.
    const MOST: f64 = 0.5;
    let of_event = |e: &&EventTotal| {
        let bar_us = (kind.bar_us)(case, &case.bars, &e.event);
        let saved = 1.0 - bar_us / e.avg_us.filter(|us| *us > 0.0)?;
        Some(saved.max(0.0) * case.event_time_s(&e.event))
    };
    let saved_s: Option<f64> = slow.iter().map(of_event).sum();
    saved_s.filter(|saved| *saved < MOST * seconds).map_or(String::new(), |saved| {
        format!(
            ", at the bar {}{} less",
            words::seconds(saved),
            share_pct(case, saved).map_or(String::new(), |p| format!(" ({})", words::percent(p)))
        )
    })
}

fn actions(case: &Case<'_>, kind: &ReadKind, worst: &EventTotal, bar_us: f64) -> Vec<String> {
    let mut actions = Vec::new();
    if let Some(mean_us) = worst.avg_us {
        actions.push(format!(
            "Compare with what the operating system measured on the data devices in this interval \
             (`iostat -x`, read wait): about {} there too means slow or overloaded storage; clearly less means \
             time lost above it (CPU queue, multipathing, queue depth).",
            words::latency(mean_us)
        ));
        if let Some(waits) = worst.waits {
            let saved = waits * (mean_us - bar_us).max(0.0) / 1e6;
            actions.push(format!(
                "What is at stake: at {} a read the same {} would cost {}{} less.",
                words::latency(bar_us),
                kind.what,
                words::seconds(saved),
                share_pct(case, saved)
                    .map_or(String::new(), |p| format!(" ({} of DB time)", words::percent(p)))
            ));
        }
    }
    let by_segment = if is_since(case, (9, 2)) { " and `Segments by Physical Reads`" } else { "" };
    actions.push(format!(
        "Find who reads: `SQL ordered by Reads`{by_segment}; a read that is not done is faster than any storage."
    ));
    actions
}

/// Host CPU from where on the run queue lengthens waits, percent.
const BUSY_CPU_PCT: f64 = 90.0;

fn caveat(case: &Case<'_>, kind: &ReadKind) -> String {
    let mut caveat = kind.caveat.to_owned();
    if let Some(busy) = case.host_cpu_busy_pct().filter(|b| *b >= BUSY_CPU_PCT) {
        caveat.push_str(&format!(
            " Here the host's CPUs were {} busy: part of these waits is the queue for a CPU.",
            words::percent(busy)
        ));
    }
    if matches!(case.device.value, DeviceClass::Unknown | DeviceClass::FlashOrCache) {
        caveat.push_str(" The class of the storage was guessed; `--device-class` sets it.");
    }
    caveat
}

/// What the bar says, and of what storage: `where disks should need at most 10 ms`.
pub(super) fn expected(class: DeviceClass, bar_us: f64) -> String {
    let bar = words::latency(bar_us);
    match class {
        DeviceClass::Disk => format!("where disks should need at most {bar}"),
        DeviceClass::Flash => format!("where flash should need at most {bar}"),
        DeviceClass::Exadata => format!("where Exadata cells should need at most {bar}"),
        DeviceClass::FlashOrCache => {
            format!("above the bar of {bar} (reads are answered by flash or a cache)")
        }
        DeviceClass::Unknown => format!("where even disks should need at most {bar}"),
    }
}

/// The tablespace with the most read time among those of which a mean is printed.
fn slowest_tablespace(case: &Case<'_>) -> Option<crate::Evidence> {
    let (row, tablespace, _) = case
        .report
        .tables
        .tablespace_io
        .iter()
        .enumerate()
        .filter_map(|(row, t)| Some((row, t, t.reads? * t.avg_read_us?)))
        .max_by(|a, b| a.2.total_cmp(&b.2))?;
    let text = format!(
        "most read time is in tablespace {}: {} reads, mean {}",
        tablespace.tablespace,
        words::count(tablespace.reads?),
        words::latency(tablespace.avg_read_us?)
    );
    Some(case.evidence("tablespace_io", row, tablespace.line, tablespace.section, text))
}

fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}
