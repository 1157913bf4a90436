//! The option `--tier`.
//!
//! `NAME=CAPACITY[@PROFILE][,READ_LATENCY[,WRITE_LATENCY[,MBPS[,PRICE[,ENDURANCE]]]]][,nIOPS]`
//!
//! Fields may be empty. A value whose unit shows what it is may stand at any place after the capacity:
//! `us`, `ms` are latencies (the first one the reads' unless its place is empty), `MB/s`, `GB/s` the
//! bandwidth, `$` or a currency the price, `PBW`, `TBW`, `DWPD` the endurance, `IOPS` a cap of requests.
//! A plain number is taken where bandwidth (MB/s) or price is next; a latency without a unit is refused,
//! since half of its readers would take it for milliseconds.
//!
//! Where the read latency is left out, a profile gives it: the one after `@`, else the one called NAME.
//! What else is left out comes from that profile too; without one the writes take as long as the reads.

use super::profile::Profile;
use super::{Tier, quantity};

/// What an error suggests.
const EXAMPLE: &str = "--tier flash=400G,0.2ms,50us,2000MB/s,50000IOPS,$5000,3DWPD";

/// Places of the fields after the capacity.
const READ: usize = 0;
const WRITE: usize = 1;
const BANDWIDTH: usize = 2;
const PRICE: usize = 3;
const ENDURANCE: usize = 4;

/// What the fields are called.
const FIELDS: [&str; 5] = ["read latency", "write latency", "bandwidth", "price", "endurance"];

impl Tier {
    /// Reads the text of one `--tier` option.
    ///
    /// # Errors
    ///
    /// One sentence with the option's text, what is wrong, and an example.
    pub fn parse(text: &str, profiles: &[Profile]) -> Result<Self, String> {
        let shown: String = text.chars().flat_map(char::escape_debug).take(200).collect();
        read(text, profiles).map_err(|wrong| format!("--tier {shown}: {wrong}; write it as {EXAMPLE}"))
    }
}

fn read(text: &str, profiles: &[Profile]) -> Result<Tier, String> {
    let (name, rest) = text.split_once('=').ok_or("there is no \"=\" between name and capacity")?;
    let name = name.trim();
    if name.is_empty() {
        return Err("the tier has no name".into());
    }
    if name.chars().any(char::is_control) {
        return Err("the name holds a control character".into());
    }
    let mut fields = rest.split(',').map(str::trim);
    let first = fields.next().unwrap_or_default();
    let (capacity, asked) = match first.split_once('@') {
        Some((capacity, profile)) => (capacity.trim(), Some(profile.trim())),
        None => (first, None),
    };
    let capacity_bytes = quantity::bytes(capacity)
        .ok_or_else(|| format!("\"{capacity}\" is no capacity above zero with its unit (G, T)"))?;
    let mut given: [Option<f64>; 5] = [None; 5];
    let mut iops_cap = None;
    let mut next = READ;
    for field in fields {
        if field.is_empty() {
            next += 1;
            continue;
        }
        if let Some(iops) = quantity::iops(field) {
            if iops_cap.replace(iops).is_some() {
                return Err("a cap of requests stands twice".into());
            }
            continue;
        }
        let (at, value) = recognised(field, next, capacity_bytes)?;
        if given[at].replace(value).is_some() {
            return Err(format!("a {} stands twice", FIELDS[at]));
        }
        next = next.max(at + 1);
    }
    if next > FIELDS.len() {
        return Err(
            "there are more fields than capacity, two latencies, bandwidth, price and endurance".into()
        );
    }
    let profile = find(asked, name, given[READ].is_none(), profiles)?;
    let read_latency_us = given[READ]
        .or_else(|| profile.and_then(Profile::read_latency_us))
        .ok_or_else(|| "the read latency is missing".to_owned())?;
    Ok(Tier {
        name: name.to_owned(),
        capacity_bytes,
        read_latency_us,
        write_latency_us: given[WRITE]
            .or_else(|| profile.and_then(Profile::write_latency_us))
            .unwrap_or(read_latency_us),
        mbps: given[BANDWIDTH].or_else(|| profile?.mbps(capacity_bytes)),
        iops_cap: iops_cap.or_else(|| profile?.iops(capacity_bytes)),
        price: given[PRICE].or_else(|| profile?.price(capacity_bytes)),
        endurance_bytes: given[ENDURANCE].or_else(|| profile?.endurance_bytes(capacity_bytes)),
        profile: profile.map(|p| p.name.clone()),
    })
}

/// Which field a text is, with its value.
fn recognised(field: &str, next: usize, capacity_bytes: f64) -> Result<(usize, f64), String> {
    if let Some(us) = quantity::microseconds(field) {
        // An empty first place leaves the reads to a profile.
        return Ok((if next == READ { READ } else { WRITE }, us));
    }
    if let Some(mbps) = quantity::mbps(field) {
        return Ok((BANDWIDTH, mbps));
    }
    if let Some(price) = quantity::price(field) {
        return Ok((PRICE, price));
    }
    if let Some(bytes) = quantity::endurance(field, capacity_bytes) {
        return Ok((ENDURANCE, bytes));
    }
    match (quantity::plain(field), next) {
        (Some(value), BANDWIDTH | PRICE) => Ok((next, value)),
        (Some(_), READ | WRITE) => Err(format!("the {} \"{field}\" has no unit (us, ms)", FIELDS[next])),
        (Some(_), ENDURANCE) => Err(format!("the endurance \"{field}\" has no unit (PBW, TBW, DWPD)")),
        (Some(_), _) => Err(format!("\"{field}\" is one field too many")),
        (None, _) => Err(why_none(field, next, capacity_bytes)),
    }
}

/// Why a text is no field: what it counts, its range, its unit, or that it is no number at all.
fn why_none(field: &str, next: usize, capacity_bytes: f64) -> String {
    if let Some(bits) = quantity::bits(field) {
        return bits;
    }
    let name = FIELDS.get(next).copied().unwrap_or("value");
    let Some((number, one)) = quantity::with_one(field) else {
        return format!("\"{field}\" is no {name} above zero with a unit that is known");
    };
    let latency = if next == READ { FIELDS[READ] } else { FIELDS[WRITE] };
    let known = [
        ("cap of requests", quantity::iops(&one)),
        (latency, quantity::microseconds(&one)),
        (FIELDS[BANDWIDTH], quantity::mbps(&one)),
        (FIELDS[PRICE], quantity::price(&one)),
        (FIELDS[ENDURANCE], quantity::endurance(&one, capacity_bytes)),
        (name, quantity::plain(&one)),
    ];
    match known.iter().find(|(_, value)| value.is_some()) {
        Some((what, _)) if number <= 0.0 => format!("\"{field}\" is no {what} above zero"),
        Some((what, _)) => format!("\"{field}\" is more than a {what} can be"),
        None => format!(
            "\"{field}\" has no unit that is known (us and ms are latencies, MB/s and GB/s the bandwidth, IOPS a cap of \
             requests, $ or EUR the price, PBW, TBW and DWPD the endurance)"
        ),
    }
}

/// The profile to fill from.
fn find<'p>(
    asked: Option<&str>,
    name: &str,
    by_name: bool,
    profiles: &'p [Profile],
) -> Result<Option<&'p Profile>, String> {
    let plain = |s: &str| s.trim().to_lowercase().replace(['-', ' '], "_");
    let of = |wanted: &str| profiles.iter().find(|p| plain(&p.name) == plain(wanted));
    let known = || profiles.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    match asked {
        Some(asked) => of(asked)
            .map(Some)
            .ok_or_else(|| format!("there is no profile \"{asked}\" (there are: {})", known())),
        None if by_name => of(name).map(Some).ok_or_else(|| {
            format!("the read latency is missing and \"{name}\" is none of the profiles ({})", known())
        }),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::profiles;
    use super::*;
    use proptest::prelude::*;

    const G: f64 = 1_073_741_824.0;

    fn parsed(text: &str) -> Tier {
        Tier::parse(text, &profiles()).unwrap_or_else(|e| panic!("{e}"))
    }

    fn refused(text: &str) -> String {
        let error = Tier::parse(text, &profiles()).err().unwrap_or_else(|| panic!("{text} is taken"));
        assert!(error.starts_with("--tier ") && error.contains(EXAMPLE), "{error}");
        assert!(!error.contains('\n'), "{error}");
        error
    }

    #[test]
    fn all_places_are_read() {
        let tier = parsed("fast=400G,0.2ms,15us,2000,5000,3.5PBW");
        assert_eq!(tier.name, "fast");
        assert_eq!(tier.capacity_bytes, 400.0 * G);
        assert_eq!((tier.read_latency_us, tier.write_latency_us), (200.0, 15.0));
        assert_eq!((tier.mbps, tier.price, tier.endurance_bytes), (Some(2000.0), Some(5000.0), Some(3.5e15)));
        assert_eq!((tier.iops_cap, tier.profile), (None, None));
    }

    #[test]
    fn capacities_count_as_databases_do_and_those_in_bytes_as_devices_are_sold() {
        for (text, bytes) in
            [("400G", 400.0 * G), ("1.5T", 1536.0 * G), ("300GB", 300e9), ("2TiB", 2048.0 * G), ("2TB", 2e12)]
        {
            assert_eq!(parsed(&format!("x={text},1ms")).capacity_bytes, bytes, "{text}");
        }
    }

    #[test]
    fn units_skip_places_and_empty_fields_keep_them() {
        let tier = parsed("fast=1T,0.2ms,2GB/s,1200EUR,3DWPD");
        assert_eq!((tier.write_latency_us, tier.mbps, tier.price), (200.0, Some(2000.0), Some(1200.0)));
        assert_eq!(tier.endurance_bytes, Some(3.0 * 1024.0 * G * 1825.0));
        let tier = parsed("fast=1T,0.2ms,,,1200,1000TBW");
        assert_eq!((tier.mbps, tier.price, tier.endurance_bytes), (None, Some(1200.0), Some(1e15)));
        let tier = parsed("fast=1T,0.2ms,16000IOPS,$7");
        assert_eq!((tier.iops_cap, tier.price), (Some(16_000.0), Some(7.0)));
    }

    #[test]
    fn a_profile_fills_what_is_left_out() {
        let tier = parsed("nvme_read_intensive=400G");
        assert_eq!((tier.read_latency_us, tier.write_latency_us), (115.0, 20.0));
        assert_eq!(tier.profile.as_deref(), Some("nvme_read_intensive"));
        let tier = parsed("fast=400G@NVMe-Read-Intensive,,30us");
        assert_eq!((tier.read_latency_us, tier.write_latency_us), (115.0, 30.0));
        // A name alone does not fill where the latency is given.
        assert_eq!(parsed("ssd_sata=400G,1ms").mbps, None);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, says) in [
            ("fast", "no \"=\""),
            ("=400G,1ms", "no name"),
            ("fast=400,1ms", "\"400\" is no capacity"),
            ("fast=0G,1ms", "is no capacity"),
            ("fast=-4G,1ms", "is no capacity"),
            ("fast=NaNG,1ms", "is no capacity"),
            ("fast=infG,1ms", "is no capacity"),
            ("fast=1e300T,1ms", "is no capacity"),
            ("fast=400G", "none of the profiles"),
            ("fast=400G@floppy", "no profile \"floppy\""),
            ("fast=400G,0.2", "has no unit"),
            ("fast=400G,0,2ms", "\"0\" is no read latency above zero"),
            ("fast=400G,0ms", "above zero"),
            ("fast=400G,-1ms", "above zero"),
            ("fast=400G,NaN", "above zero"),
            ("fast=400G,1ms,2ms,3ms", "stands twice"),
            ("fast=400G,1ms,,,,7", "endurance \"7\" has no unit"),
            ("fast=400G,1ms,1ms,2,3,4PBW,5", "one field too many"),
            ("fast=400G,1ms,,,,,,", "more fields"),
            ("fast=400G,1parsec", "unit that is known"),
            ("fa\nst=400G,1ms", "control character"),
            // What was out of range, or in bits, was told as an unknown unit or as no write latency.
            ("fast=400G,1ms,0IOPS", "\"0IOPS\" is no cap of requests above zero"),
            ("fast=400G,1ms,$-5", "\"$-5\" is no price above zero"),
            ("fast=400G,1ms,0EUR", "\"0EUR\" is no price above zero"),
            ("fast=400G,1ms,-2ms", "\"-2ms\" is no write latency above zero"),
            ("fast=400G,-1ms", "\"-1ms\" is no read latency above zero"),
            ("fast=400G,1ms,0MB/s", "\"0MB/s\" is no bandwidth above zero"),
            ("fast=400G,1ms,-3DWPD", "\"-3DWPD\" is no endurance above zero"),
            ("fast=400G,1ms,3000IOPSs", "\"3000IOPSs\" has no unit that is known"),
            ("fast=400G,1ms,50kIOPS", "\"50kIOPS\" has no unit that is known"),
            ("fast=200G,0.2ms,0.2ms,4Gb/s", "counts bits, eight to a byte: write 500 MB/s"),
            ("fast=200G,0.2ms,4000Mbps", "counts bits, eight to a byte: write 500 MB/s"),
        ] {
            let error = refused(text);
            assert!(error.contains(says), "{error} does not say {says}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics_and_what_is_taken_is_positive(text in "[a-z]{0,4}=?[0-9.GTMBimsu,@$/DWP€ -]{0,40}") {
            if let Ok(tier) = Tier::parse(&text, &profiles()) {
                for v in [Some(tier.capacity_bytes), Some(tier.read_latency_us), Some(tier.write_latency_us), tier.mbps, tier.price, tier.endurance_bytes].into_iter().flatten() {
                    prop_assert!(v.is_finite() && v > 0.0);
                }
            }
        }
    }
}
