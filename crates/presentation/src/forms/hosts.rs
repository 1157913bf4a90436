//! What each of several hosts did at one instant.

use super::{Listing, Shown, headings, known, text};
use crate::measured::ENOUGH_FOR_P99;
use crate::number;
use spindle_workload::{HostRun, HostsFound, Measured};

/// A table for each run on hosts.
pub(crate) fn listings(m: &Measured) -> Vec<Listing> {
    m.points.iter().filter_map(|p| p.result.hosts.as_deref()).map(listing).collect()
}

fn listing(found: &HostsFound) -> Listing {
    let row = |host: &HostRun| {
        let name = if host.counts() { host.host.clone() } else { format!("{} (missing)", host.host) };
        let half = host.iops.zip(host.iops_interval).filter(|(iops, _)| *iops > 0.0);
        let half = half.map(|(iops, (low, high))| 100.0 * (high - low) / 2.0 / iops);
        let made = host.result.as_ref().map(|r| r.streams.iter().filter_map(|s| s.ios).sum::<u64>());
        let enough = made.is_none_or(|ios| ios >= ENOUGH_FOR_P99);
        // At the latest: an instant is not missed by less.
        let began = host.began_us.map(|(low, high)| low.abs().max(high.abs()));
        let cells = vec![
            known(host.iops, number::measure),
            known(half, number::measure),
            known(host.mbps, number::measure),
            known(host.mean_us, number::ms),
            known(host.p99_us.filter(|_| enough), number::ms),
            began_cell(host, began),
        ];
        (name, cells)
    };
    let mut notes = Vec::new();
    if let Some(us) = found.began_within_us {
        let common = found.common_s.map_or_else(String::new, |s| {
            format!(" For {} s at least all were measured at the same time.", number::measure(s))
        });
        notes.push(format!(
            "No two hosts began further apart than {} ms: their clocks were compared over the connection, whose \
             shortest round trip says how sure that is.{common}",
            number::ms(us)
        ));
    }
    if let Some(pct) = found.spread_pct {
        notes.push(format!(
            "From the least to the most of the hosts: {} % of their mean.",
            number::measure(pct)
        ));
    }
    for slow in &found.slow {
        notes.push(format!("`{}` is slow, and not by chance.", slow.host));
    }
    for host in &found.each {
        if let Some(why) = &host.missing {
            notes.push(format!("`{}` is missing in the figures of all: {why}.", host.host));
        }
    }
    Listing {
        title: "Each host".to_owned(),
        what: "Host",
        columns: headings(&["IOPS", "+/- %", "MB/s", "mean ms", "p99 ms", "began ms"]),
        rows: found.each.iter().map(row).collect(),
        marked: found.each.iter().position(|h| found.slow.iter().any(|s| s.host == h.host)),
        notes,
    }
}

/// How far from the instant it may have begun.
fn began_cell(host: &HostRun, most_us: Option<f64>) -> Shown {
    let short = number::or_unknown(most_us, number::ms);
    match host.began_us {
        Some((low, high)) => {
            let long = format!("{} to {}", number::ms(low), number::ms(high));
            Shown { short, long }
        }
        None => text(short),
    }
}
