//! One disk, flash device or volume: what it can do, and how busy it may be for a latency target.
//!
//! A disk is a queue with one server (M/M/1): a request takes its positioning, and what it moves
//! beyond 8 KiB at the disk's bandwidth. A flash device or volume with a cap of requests is a queue of
//! as many servers as make that cap at its latency (M/M/c). A measured curve stands in for both.

use super::redundancy::whole;
use crate::tier::{Profile, field_bits, field_bytes, field_iops, field_mbps, field_us};
use serde::Serialize;
use spindle_workload::{DeviceCurve, ForArrivals, Queue};

/// Busy share that no plan goes beyond where no latency target is given; ours, and the bar from which
/// a placement warns of a tier.
pub const USUAL_UTILISATION: f64 = 0.7;
/// Busy share that no plan goes beyond in any case: the queue is a model, bursts are not.
pub const MOST_UTILISATION: f64 = 0.95;
/// Requests that a device is taken to work on at once, at most.
pub const MOST_SERVERS: f64 = 4_096.0;
/// Request that a profile's latency stands for.
pub(super) const SMALL_BYTES: f64 = 8_192.0;
/// Mean request from which a rating of small ones says nothing: ours, four times a small one.
pub(super) const LARGE_BYTES: f64 = 4.0 * SMALL_BYTES;
const MB: f64 = 1e6;

/// A device that can be bought any number of times.
///
/// Shape: one a device. Unit: requests a second, bare, small ones; microseconds of one request alone;
/// MB (10^6 bytes) a second; bytes. Missing: `None` where neither profile nor user says. Source: the
/// option `--disk` and the library of tiers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Disk {
    pub name: String,
    pub iops: f64,
    pub read_latency_us: f64,
    pub write_latency_us: f64,
    /// Requests that it works on at once: 1 for a disk.
    pub servers: u32,
    /// They are as many as make its rate at its latency; else they are known.
    #[serde(skip)]
    pub servers_by_rate: bool,
    pub mbps: Option<f64>,
    pub capacity_bytes: Option<f64>,
    /// Profile that filled what was not given.
    pub profile: Option<String>,
    /// Where its rate comes from.
    pub origin: String,
    /// The profile is one volume of a cloud: its provider keeps the copies.
    pub is_volume: bool,
    /// Latency by load, measured or simulated, of one such device.
    #[serde(skip)]
    pub curve: Option<DeviceCurve>,
    /// The curve was made with so many requests under way, and that of arrivals follows from it.
    #[serde(skip)]
    pub by_depth: Option<ForArrivals>,
    /// Operation that the curve is of: `read`, `write` or `mix`; `None` without a curve.
    pub curve_operation: Option<String>,
    /// Which of its figures stands for another that nobody gave.
    #[serde(skip)]
    pub derived: Derived,
}

/// A rate or a latency that follows from the other: one request after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Derived {
    /// Both are known, or neither follows.
    #[default]
    Nothing,
    /// A rate is given, and a request takes as long as that leaves it.
    Latency,
    /// A latency is given, and the rate is what it leaves.
    Rate,
}

/// What a device is called of which only a curve is known.
const OF_CURVE: &str = "device of the curve";

const EXAMPLE: &str = "--disk disk_15k,600GB or --disk sas=180IOPS,160MB/s,600GB";

impl Disk {
    /// Reads one `--disk` option: `[NAME=]FIELD,...`, a field being a profile or a number with its
    /// unit (`180IOPS`, `5.3ms`, `160MB/s`, `600GB`); a second latency is that of writes.
    ///
    /// # Errors
    /// In a sentence with an example.
    pub fn parse(text: &str, profiles: &[Profile]) -> Result<Self, String> {
        let shown: String = text.chars().flat_map(char::escape_debug).take(200).collect();
        read(text, profiles).map_err(|wrong| match wrong {
            Wrong::Unsized => format!(
                "--disk {shown}: its rate goes by its size; give the capacity too; write it as --disk {shown},600GB"
            ),
            Wrong::Said(wrong) => format!("--disk {shown}: {wrong}; write it as {EXAMPLE}"),
        })
    }

    /// A device of which nothing but a curve is known.
    #[must_use]
    pub fn of_curve(curve: DeviceCurve) -> Self {
        let nothing = Self {
            name: OF_CURVE.to_owned(),
            iops: 0.0,
            read_latency_us: 0.0,
            write_latency_us: 0.0,
            servers: 1,
            servers_by_rate: false,
            mbps: None,
            capacity_bytes: None,
            profile: None,
            origin: String::new(),
            is_volume: false,
            curve: None,
            by_depth: None,
            curve_operation: None,
            derived: Derived::Nothing,
        };
        nothing.with_curve(curve)
    }

    /// Uses a curve in place of the queue: rate and latency are its own, and none of a profile. One of requests that were sent
    /// as others were answered is turned into one of arrivals.
    #[must_use]
    pub fn with_curve(mut self, curve: DeviceCurve) -> Self {
        self.iops = curve.highest_iops();
        self.origin = format!(
            "highest rate of the curve{}{}",
            curve.source.as_ref().map_or(String::new(), |s| format!(" ({s})")),
            if curve.ends_below_knee { ", which ends below the knee: the device may do more" } else { "" }
        );
        self.by_depth = curve.for_arrivals();
        if let Some(by) = &self.by_depth {
            self.origin.push_str(&format!(
                ", made with up to {:.0} under way, its latency computed for requests that come by themselves",
                by.depth
            ));
        }
        let curve = self.by_depth.as_ref().map_or(curve, |by| by.curve.clone());
        let alone = curve.latency_us(0.0).unwrap_or(self.read_latency_us);
        (self.read_latency_us, self.write_latency_us) = (alone, alone);
        (self.derived, self.servers_by_rate) = (Derived::Nothing, false);
        self.curve_operation = Some(curve.operation.clone());
        self.curve = Some(curve);
        self
    }

    /// Time that a request takes alone, microseconds: mean over reads and hardware writes, with what it
    /// moves beyond a small request.
    #[must_use]
    pub fn service_us(&self, mix: Mix) -> f64 {
        let alone = self.read_latency_us + mix.write_share * (self.write_latency_us - self.read_latency_us);
        let beyond = (mix.request_bytes.unwrap_or(0.0) - SMALL_BYTES).max(0.0);
        // Devices with many servers move large requests within their own bandwidth.
        let transfer = self.mbps.filter(|_| self.servers == 1).map_or(0.0, |m| beyond / m);
        alone + transfer
    }

    /// Requests a second at which one device is as busy as it can be.
    pub(super) fn most_iops(&self, mix: Mix) -> f64 {
        if self.curve.is_some() || self.servers > 1 {
            return self.iops;
        }
        // The stated rate holds for small requests of the stated mix; longer ones take longer.
        let usual = self.read_latency_us;
        self.iops * (usual / self.service_us(mix)).min(f64::MAX)
    }

    /// Busy share at which the mean latency is still the target.
    #[must_use]
    pub fn utilisation_for(&self, target_us: Option<f64>, mix: Mix) -> Option<f64> {
        if let Some(curve) = &self.curve {
            let highest = curve.highest_iops();
            let Some(target) = target_us else { return Some(USUAL_UTILISATION) };
            let rate = bisect(0.0, highest, |rate| curve.latency_us(rate).is_some_and(|us| us <= target))?;
            // The curve of arrivals ends a little before all that the device does.
            return Some((rate / self.iops).min(MOST_UTILISATION));
        }
        let alone = self.service_us(mix);
        let most = if target_us.is_some() { MOST_UTILISATION } else { USUAL_UTILISATION };
        let target = target_us.unwrap_or(2.0 * alone);
        if target <= alone {
            return None;
        }
        if self.servers == 1 {
            // M/M/1: the wait is the queue's own service time over the odds of finding it idle.
            let odds = (target - alone) * self.most_iops(mix) / 1e6;
            return Some((odds / (1.0 + odds)).min(most));
        }
        let below = |busy: f64| self.latency_at(busy, mix).is_some_and(|us| us <= target);
        bisect(0.0, most, below)
    }

    /// Mean latency at a busy share, microseconds; `None` at or above saturation, and beyond a curve.
    #[must_use]
    pub fn latency_at(&self, busy: f64, mix: Mix) -> Option<f64> {
        if let Some(curve) = &self.curve {
            return curve.latency_us(busy * self.iops);
        }
        let alone = self.service_us(mix);
        // Waiting goes by the rate that the device can do, the time alone by its latency.
        let servers = f64::from(self.servers);
        let queue = Queue { servers: self.servers, service_us: servers * 1e6 / self.most_iops(mix) };
        let rate = busy * self.most_iops(mix);
        queue.latency_us(rate).map(|us| alone + (us - queue.service_us).max(0.0))
    }

    /// Disks, whole, for a rate at a busy share.
    #[must_use]
    pub fn for_iops(&self, hardware_iops: f64, utilisation: f64, mix: Mix) -> f64 {
        whole(hardware_iops / (self.most_iops(mix) * utilisation))
    }

    /// Busy share of so many disks.
    #[must_use]
    pub fn utilisation(&self, hardware_iops: f64, disks: f64, mix: Mix) -> Option<f64> {
        (disks > 0.0).then(|| hardware_iops / disks / self.most_iops(mix))
    }
}

/// What the requests to the disks are like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mix {
    /// Share of the hardware requests that are writes.
    pub write_share: f64,
    /// Mean size of a hardware request; `None` where bytes are not known: taken for a small one.
    pub request_bytes: Option<f64>,
}

impl Mix {
    /// Of what the disks do.
    #[must_use]
    pub fn of(hardware_iops: f64, read_iops: f64, hardware_mbps: Option<f64>) -> Self {
        if hardware_iops <= 0.0 {
            return Self::default();
        }
        Self {
            write_share: ((hardware_iops - read_iops) / hardware_iops).clamp(0.0, 1.0),
            request_bytes: hardware_mbps.map(|m| m * MB / hardware_iops),
        }
    }
}

/// The largest value between two for which something holds that stops holding once; `None` where it
/// does not even hold just above the lower one.
fn bisect(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut good, mut bad) = (low + (high - low) * 1e-6, high);
    if !holds(good) {
        return None;
    }
    if holds(high) {
        return Some(high);
    }
    for _ in 0..60 {
        let middle = f64::midpoint(good, bad);
        if holds(middle) { good = middle } else { bad = middle }
    }
    Some(good)
}

/// Why a `--disk` option is none.
enum Wrong {
    /// It is right but for the size, which its rate goes by.
    Unsized,
    Said(String),
}

impl From<String> for Wrong {
    fn from(said: String) -> Self {
        Self::Said(said)
    }
}

impl From<&str> for Wrong {
    fn from(said: &str) -> Self {
        Self::Said(said.to_owned())
    }
}

fn read(text: &str, profiles: &[Profile]) -> Result<Disk, Wrong> {
    let (name, fields) = match text.split_once('=') {
        Some((name, fields)) => (Some(name.trim()), fields),
        None => (None, text),
    };
    if name.is_some_and(|n| n.is_empty() || n.chars().any(char::is_control)) {
        return Err("it has no name before the =".into());
    }
    let mut profile: Option<&Profile> = None;
    let (mut iops, mut mbps, mut capacity) = (None, None, None);
    let mut latencies: Vec<f64> = Vec::new();
    let once = |cell: &mut Option<f64>, value: f64, what: &str| match cell.replace(value) {
        Some(_) => Err(format!("{what} stands twice")),
        None => Ok(()),
    };
    for field in fields.split(',').map(str::trim).filter(|f| !f.is_empty()) {
        let plain = |s: &str| s.to_lowercase().replace(['-', ' '], "_");
        if let Some(found) = profiles.iter().find(|p| plain(&p.name) == plain(field)) {
            if profile.replace(found).is_some() {
                return Err("two profiles are named".into());
            }
        } else if let Some(value) = field_iops(field) {
            once(&mut iops, value, "a rate")?;
        } else if let Some(value) = field_us(field) {
            latencies.push(value);
        } else if let Some(value) = field_mbps(field) {
            once(&mut mbps, value, "a bandwidth")?;
        } else if let Some(value) = field_bytes(field) {
            once(&mut capacity, value, "a capacity")?;
        } else if let Some(bits) = field_bits(field) {
            return Err(bits.into());
        } else {
            let field: String = field.chars().flat_map(char::escape_debug).take(80).collect();
            let known = profiles.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Wrong::Said(format!(
                "`{field}` is neither a profile ({known}) nor a number above zero with its unit (IOPS, ms, MB/s, G)"
            )));
        }
    }
    if latencies.len() > 2 {
        return Err("there are more than two latencies".into());
    }
    // Limits by GB need the capacity; without one they are not known.
    let size = capacity.unwrap_or(f64::NAN);
    let known = |v: Option<f64>| v.filter(|v| v.is_finite());
    let arms = profile.and_then(Profile::arms);
    let unsized_limit = |by_gb: bool| by_gb && capacity.is_none();
    let cap = profile.filter(|p| !unsized_limit(p.iops_per_gb.is_some())).and_then(|p| known(p.iops(size)));
    let bandwidth =
        profile.filter(|p| !unsized_limit(p.bandwidth_per_gb.is_some())).and_then(|p| known(p.mbps(size)));
    let read_us = latencies.first().copied().or_else(|| profile.and_then(Profile::read_latency_us));
    let write_us = latencies.get(1).copied().or_else(|| {
        // Beside a latency that was given, the profile's writes would be those of another device.
        profile.filter(|_| latencies.is_empty()).and_then(Profile::write_latency_us)
    });
    let (rate, origin) = match (iops, cap, read_us) {
        (Some(given), ..) => (given, "as given".to_owned()),
        (None, Some(cap), _) => (
            cap,
            profile
                .and_then(|p| p.iops_cap.as_ref().or(p.iops_per_gb.as_ref()))
                .map_or_else(String::new, |s| s.origin.clone()),
        ),
        (None, None, Some(us)) if arms.is_some() || profile.is_none() => {
            (arms.unwrap_or(1.0) * 1e6 / us, "one request after the other".to_owned())
        }
        (None, None, _) if profile.is_some_and(|p| p.iops_per_gb.is_some()) => {
            return Err(Wrong::Unsized);
        }
        _ => return Err("nothing says how many requests a second one can do; give IOPS".into()),
    };
    // One server where requests follow each other; a rate alone says no more than that.
    let (servers, servers_by_rate) = match (arms, read_us) {
        (Some(_), _) | (None, None) => (1.0, false),
        (None, Some(us)) => ((rate * us / 1e6).round().max(1.0), true),
    };
    let alone = 1e6 * servers / rate;
    // A rate that was given for a disk says what a request takes.
    let given_rate = iops.is_some() && latencies.is_empty() && servers <= 1.0;
    let by_latency = iops.is_none() && cap.is_none() && servers <= 1.0;
    let read_latency_us = if given_rate { alone } else { read_us.unwrap_or(alone) };
    let write_latency_us = if given_rate { alone } else { write_us.unwrap_or(read_latency_us) };
    let fallback = profile.map_or_else(|| "disk".to_owned(), |p| p.name.clone());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let servers = servers.clamp(1.0, MOST_SERVERS) as u32;
    Ok(Disk {
        name: name.map_or(fallback, str::to_owned),
        iops: rate,
        read_latency_us,
        write_latency_us,
        servers,
        servers_by_rate,
        mbps: mbps.or(bandwidth),
        capacity_bytes: capacity,
        profile: profile.map(|p| p.name.clone()),
        origin,
        is_volume: profile.is_some_and(Profile::is_volume),
        curve: None,
        by_depth: None,
        curve_operation: None,
        derived: match (given_rate, by_latency) {
            (true, _) => Derived::Latency,
            (false, true) => Derived::Rate,
            (false, false) => Derived::Nothing,
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::tier::profiles;
    use proptest::prelude::*;

    fn disk(text: &str) -> Disk {
        Disk::parse(text, &profiles()).unwrap()
    }

    #[test]
    fn a_rate_alone_is_a_disk_of_that_rate() {
        let disk = disk("180IOPS");
        assert_eq!((disk.iops, disk.servers, disk.mbps), (180.0, 1, None));
        let mix = Mix::default();
        // One server: half busy at twice its own time.
        let target = 2.0 * 1e6 / 180.0;
        assert!((disk.utilisation_for(Some(target), mix).unwrap() - 0.5).abs() < 1e-9);
        assert!((disk.latency_at(0.5, mix).unwrap() - target).abs() < 1e-6);
        assert_eq!(disk.utilisation_for(Some(5_000.0), mix), None, "faster than one request alone");
    }

    #[test]
    fn profiles_of_placement_serve_here() {
        let sas = disk("disk_15k,600G");
        assert!((sas.iops - 1e6 / 5_300.0).abs() < 1e-9 && sas.mbps == Some(160.0));
        let flash = disk("nvme_read_intensive");
        assert!(flash.iops == 645_000.0 && flash.servers > 50);
        assert!(disk("aws_gp3").is_volume);
        assert!(Disk::parse("array_midrange", &profiles()).unwrap_err().contains("give IOPS"));
        assert!(Disk::parse("gcp_pd_ssd", &profiles()).unwrap_err().contains("capacity"));
        assert_eq!(disk("gcp_pd_ssd,100G").iops, 3_000.0);
    }

    #[test]
    fn what_cannot_be_is_refused_in_one_line() {
        for wrong in [
            "",
            "floppy",
            "0IOPS",
            "-1IOPS",
            "NaNIOPS",
            "x=",
            "=180IOPS",
            "180IOPS,170IOPS",
            "1ms,1ms,1ms,9IOPS",
            "600G",
            "a\nb",
        ] {
            let error = Disk::parse(wrong, &profiles()).unwrap_err();
            assert!(error.contains(EXAMPLE) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn large_requests_keep_a_disk_longer() {
        let sas = disk("disk_15k");
        let large = Mix { write_share: 0.0, request_bytes: Some(1_048_576.0) };
        let beyond_us = (1_048_576.0 - 8_192.0) / 160.0;
        assert!((sas.service_us(large) - 5_300.0 - beyond_us).abs() < 1e-6);
        assert!(sas.for_iops(1_000.0, 0.5, large) > sas.for_iops(1_000.0, 0.5, Mix::default()));
    }

    /// Of one request at a time 5 ms, never more than 200 a second: the points of a queue that is always full.
    fn closed(deviation: Option<f64>) -> DeviceCurve {
        serde_json::from_value(serde_json::json!({
            "kind": "curve", "operation": "read", "block_bytes": 8192,
            "points": [
                {"concurrency": 1, "iops": 199.0, "latency_us": {"mean": 5_025.0, "deviation": deviation}},
                {"concurrency": 2, "iops": 200.0, "latency_us": {"mean": 10_000.0}},
            ],
        }))
        .unwrap()
    }

    #[test]
    fn a_curve_by_requests_under_way_sized_too_few_disks() {
        let mix = Mix::default();
        let queue = Disk::of_curve(closed(None));
        // 10 ms of 5 alone are half busy, by any book; the line between the points said 99.7 %.
        let busy = queue.utilisation_for(Some(10_000.0), mix).unwrap();
        assert!((busy - 0.5).abs() < 0.01, "{busy}");
        assert!((queue.latency_at(0.8, mix).unwrap() / 25_000.0 - 1.0).abs() < 0.02);
        assert_eq!((queue.iops, queue.read_latency_us.round()), (200.0, 5_025.0));
        assert!(queue.origin.contains("made with up to 2 under way"), "{}", queue.origin);
        // Times that hardly differ wait half as long.
        let even = Disk::of_curve(closed(Some(1.0)));
        assert!((even.latency_at(0.5, mix).unwrap() / 7_500.0 - 1.0).abs() < 0.02);
        assert!(even.by_depth.is_some_and(|by| by.variation.is_some_and(|c| c < 1e-6)));
    }

    proptest! {
        #[test]
        fn the_busy_share_keeps_the_target(target in 100.0..50_000.0_f64, write_share in 0.0..1.0_f64) {
            let mix = Mix { write_share, request_bytes: None };
            for text in ["180IOPS", "disk_15k", "ssd_sata", "nvme_mixed_use", "aws_gp3"] {
                let disk = disk(text);
                if let Some(busy) = disk.utilisation_for(Some(target), mix) {
                    let us = disk.latency_at(busy, mix).unwrap();
                    prop_assert!(us <= target * (1.0 + 1e-9), "{text}: {us} at {busy}, wanted {target}");
                    prop_assert!(busy > 0.0 && busy <= MOST_UTILISATION);
                }
            }
        }
    }
}
