//! Sizes in sentences.

use super::need::Sized;
use super::outcome::Sizing;
use super::timeline::{NOT_NAMED, Slice, Timeline, words};
use crate::words as placed;

/// Intervals beyond the percentile below which it rests on too little.
const ENOUGH_BEYOND: usize = 10;

/// Whole digits, thousands separated.
fn n(value: f64) -> String {
    let text = format!("{:.0}", value.abs());
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `99th`, `99.9th`.
fn ordinal(percentile: f64) -> String {
    let whole = percentile.fract() == 0.0;
    let last = (percentile % 10.0) as u32;
    let teen = (11.0..14.0).contains(&(percentile % 100.0));
    let ending = match last {
        1 if whole && !teen => "st",
        2 if whole && !teen => "nd",
        3 if whole && !teen => "rd",
        _ => "th",
    };
    format!("{percentile}{ending}")
}

/// The answer, two or three sentences with numbers.
pub(super) fn answer(s: &Sizing) -> String {
    let Some(need) = s.redundancy.iter().find(|r| r.name == s.sized_for) else { return String::new() };
    let (Some(read), Some(write), Some(hardware)) = (need.read_iops, need.write_iops, need.hardware_iops)
    else {
        return "No interval prints both read and write requests.".to_owned();
    };
    let who = match s.databases.as_slice() {
        [] => "The load".to_owned(),
        [one] if one == NOT_NAMED => "The database".to_owned(),
        [one] => one.clone(),
        many => format!("{} databases together", many.len()),
    };
    let asks = if s.databases.len() > 1 { "ask" } else { "asks" };
    let when = if s.intervals_counted > 1 {
        format!(" at the {} percentile of {} intervals", ordinal(s.percentile), n(s.intervals_counted as f64))
    } else {
        String::new()
    };
    let redo = s.write_mix.redo_write_iops.map_or_else(String::new, |r| format!(", {} of them redo", n(r)));
    let mut out = format!(
        "{who} {asks} {} IOPS{when} ({} reads, {} writes{redo}). With {} redundancy (a write is {} writes) the disks must do {} IOPS",
        n(read + write),
        n(read),
        n(write),
        need.name,
        need.write_penalty,
        n(hardware)
    );
    match need.disks {
        Some(disks) => {
            let limit = match need.decided_by {
                Some("capacity") => " (for capacity)",
                Some("mbps") => " (for MB/s)",
                _ => "",
            };
            out.push_str(&format!(
                ": {} x {}{limit}, {} cells of {}",
                n(disks),
                s.disk.name,
                n(need.cells.unwrap_or(0.0)),
                n(s.disks_per_cell)
            ));
            if let (Some(busy), Some(us)) = (need.utilisation, need.latency_us) {
                out.push_str(&format!(", {:.0} % busy at {} ms", 100.0 * busy, ms(us)));
            }
            if let Some(bare) = need.disks_for_iops_bare {
                out.push_str(&format!("; {} by bare division, without room for queueing", n(bare)));
            }
        }
        None => out.push_str(&format!(
            "; no number of {} keeps the latency target{}",
            s.disk.name,
            s.latency_target_us.map_or_else(String::new, |t| format!(" of {} ms", ms(t)))
        )),
    }
    out.push('.');
    out
}

fn ms(us: f64) -> String {
    let v = us / 1000.0;
    if v >= 10.0 { format!("{v:.1}") } else { format!("{v:.2}") }
}

/// What a reader must know before buying.
pub(super) fn warnings(s: &Sizing, line: &Timeline, counted: &[&Slice], sized: &Sized<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let stated = s.reports == 0;
    if line.never_together {
        out.push("The databases were never measured at the same time: what they need together is more than what is shown, and at most the sum of what each needs. Give reports of the same days.".to_owned());
    } else {
        let lacking: Vec<&Slice> = line.slices.iter().filter(|x| !x.complete).collect();
        if !lacking.is_empty() {
            let seconds: f64 = lacking.iter().map(|x| x.seconds).sum();
            let most = lacking
                .iter()
                .filter_map(|x| sized.redundancy.hardware_iops(&x.measures))
                .fold(0.0, f64::max);
            let louder = match sized.iops.max() {
                Some(max) if most > max => format!(
                    " One of them asked {} IOPS of the disks already without the missing ones, more than any that is counted.",
                    n(most)
                ),
                _ => String::new(),
            };
            out.push(format!(
                "{} of the time lack a database or an instance and are not counted ({} intervals).{louder}",
                words(seconds as i64),
                lacking.len()
            ));
        }
    }
    let unknown = line
        .slices
        .iter()
        .filter(|x| x.complete && (x.measures.read_iops.is_none() || x.measures.write_iops.is_none()))
        .count();
    if unknown > 0 {
        out.push(format!(
            "{unknown} intervals do not print both read and write requests and are not counted."
        ));
    }
    if !stated && s.intervals_counted == 1 {
        out.push("One interval only: what it was is known, not what the load is at other times. A percentile needs weeks of reports.".to_owned());
    } else if !stated && s.intervals_beyond_percentile < ENOUGH_BEYOND {
        let most = 100.0 * (1.0 - ENOUGH_BEYOND as f64 / counted.len().max(1) as f64);
        let instead = if counted.len() > 2 * ENOUGH_BEYOND {
            format!(
                " With {} intervals the {:.1}th percentile is the highest that leaves {ENOUGH_BEYOND} beyond.",
                counted.len(),
                (most * 10.0).floor() / 10.0
            )
        } else {
            " More history makes it firmer.".to_owned()
        };
        out.push(format!(
            "Only {} interval{} beyond the {} percentile, which rests on {}.{instead}",
            s.intervals_beyond_percentile,
            if s.intervals_beyond_percentile == 1 { " lies" } else { "s lie" },
            ordinal(s.percentile),
            if s.intervals_beyond_percentile == 0 { "the highest interval alone" } else { "few" }
        ));
    }
    let data_only = counted.iter().filter(|x| x.rows.iter().any(|r| line.rows[*r].data_only)).count();
    if data_only > 0 && !stated {
        let mixed = if data_only < counted.len() {
            "; the other intervals count every process, so the two do not compare"
        } else {
            ""
        };
        out.push(format!(
            "{data_only} intervals print only requests on data and temp files: control files, archiver and backup are not in them{mixed}."
        ));
    }
    if !stated {
        let peak = &s.workload.hidden_peak;
        let minute = &s.workload.peak_minute;
        match (peak.low.zip(peak.high), minute.hardware_low.zip(minute.hardware_high)) {
            (_, Some((low, high))) => out.push(format!(
                "The highest minute asked the disks for {} to {} IOPS ({}).",
                n(low),
                n(high),
                minute.because
            )),
            (Some((low, high)), None) => out.push(format!(
                "Within the busiest hour lies a peak of {} to {} IOPS: {}.",
                n(low),
                n(high),
                peak.because
            )),
            (None, None) => out.push(format!("Peaks within an interval are not known: {}.", peak.because)),
        }
    }
    if s.redundancy.iter().any(|r| r.disks.is_none() && r.hardware_iops.is_some()) {
        out.push(format!(
            "{} takes {} ms for one request alone, so no number of them keeps {}.",
            s.disk.name,
            ms(s.disk.read_latency_us),
            s.latency_target_us.map_or_else(|| "the target".to_owned(), |t| format!("{} ms", ms(t)))
        ));
    }
    if s.disk.mbps.is_some() && s.redundancy.iter().any(|r| r.hardware_mbps.is_none()) && !stated {
        out.push("Bytes are not known in every interval, so MB/s decide nothing.".to_owned());
    }
    match (s.capacity_bytes, s.disk.capacity_bytes) {
        (None, _) => {
            out.push("Capacity is not considered; give --capacity and the size of a disk.".to_owned())
        }
        (Some(c), None) => out.push(format!(
            "How many {} hold {} is not known; give their size, for example --disk {},600G.",
            s.disk.name,
            placed::bytes(c),
            s.disk.profile.as_deref().unwrap_or("180IOPS")
        )),
        _ => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{n, ordinal};

    #[test]
    fn numbers_and_ordinals() {
        assert_eq!((n(1_234_567.4).as_str(), n(0.0).as_str()), ("1,234,567", "0"));
        let all: Vec<String> = [99.0, 99.9, 91.0, 11.0, 92.0, 93.0, 50.0].map(ordinal).to_vec();
        assert_eq!(all, ["99th", "99.9th", "91st", "11th", "92nd", "93rd", "50th"]);
    }
}
