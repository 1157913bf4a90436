//! Storage of a scenario: from its tables to what makes devices, arrays, caches and links.

use super::keys::{
    ARRAY, BUCKET, CACHE, CAP, CLOUD, DEVICE, HARD_DISK, HISTOGRAM, LINK, NVME, SSD, VOLUME, ZONED,
};
use crate::arrays::{PartialWrites, Redundancy, Striping};
use crate::caches::Writes;
use crate::catalogue::models;
use crate::loads::{LatencyBucket, WriteTimes};
use crate::schedulers::SchedulerSpec;
use crate::{BlockLayerSpec, FileCacheSpec, Merging, NotAhead};
use crate::{
    BucketSpec, CloudVolumeSpec, Collection, DataSheet, FlashSpec, LatencyCapSpec, LinkSpec, NvmeSpec,
    Picoseconds, ServiceOrder, ServiceSpec, Spread, SsdSpec, ZonedDiskSpec,
};
use spindle_workload::form::{Section, Unit};

/// Storage by its name.
#[derive(Clone, Debug)]
pub(super) struct Storage {
    pub(super) name: String,
    /// Line of its table.
    pub(super) line: usize,
    pub(super) what: What,
}

/// What makes it.
#[derive(Clone, Debug)]
pub(super) enum What {
    Disk(Box<DataSheet>),
    Ssd { spec: Box<SsdSpec>, overwrites: f64, fresh: bool },
    Nvme { spec: NvmeSpec, bytes: u64 },
    Cloud { spec: CloudVolumeSpec, bytes: u64 },
    Cap { spec: LatencyCapSpec, bytes: u64 },
    Zoned(ZonedDiskSpec),
    Histogram { times: WriteTimes, bytes: u64 },
    Array(Box<ArraySpec>),
    Cache(CacheOf),
    Link { before: String, spec: LinkSpec },
    Volume { on: String, layer: Option<Box<Layer>>, cache: Option<Box<FileCacheSpec>> },
}

/// A block layer and its scheduler.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) spec: BlockLayerSpec,
    pub(super) scheduler: SchedulerSpec,
}

/// An array, of what is told by names.
#[derive(Clone, Debug)]
pub(super) struct ArraySpec {
    pub(super) kind: ArrayKind,
    /// Names, with how many of each, and failure groups of each.
    pub(super) of: Vec<(String, u32, u32)>,
    pub(super) used: Option<u64>,
    pub(super) reads: Reads,
}

/// Kinds of arrays with what they alone have.
#[derive(Clone, Copy, Debug)]
pub(super) enum ArrayKind {
    Concat,
    Stripes { copies: u32, depth: u64 },
    Mirror,
    Parity { parity: u32, depth: u64, partial: PartialWrites },
    Asm { redundancy: Redundancy, striping: Striping, au: u64 },
}

/// Which copy is read.
#[derive(Clone, Debug)]
pub(super) enum Reads {
    First,
    RoundRobin,
    Nearest,
    Preferred(String),
}

/// A cache.
#[derive(Clone, Debug)]
pub(super) struct CacheOf {
    pub(super) before: String,
    pub(super) on: String,
    pub(super) policy: Policy,
    pub(super) pages: usize,
    pub(super) page: u32,
    pub(super) writes: Writes,
}

/// What is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Policy {
    Lru,
    Arc,
    S3Fifo,
}

/// An hour, microseconds.
const HOUR_US: f64 = 3_600e6;
/// Least and most that a device holds.
const LEAST_BYTES: u64 = 1 << 20;
const MOST_BYTES: u64 = 1 << 50;
/// Rates, bytes a second.
const LEAST_RATE: f64 = 1e3;
const MOST_RATE: f64 = 1e12;
/// Tables of storage.
const MOST_STORAGE: usize = 1_000;
/// Members of an array.
const MOST_MEMBERS: u32 = 1_024;
/// Pages of a cache; they take some 100 bytes of memory each.
const MOST_CACHE_PAGES: u64 = 1 << 24;
/// Pages of a simulated SSD; they take 8 bytes of memory each.
const MOST_FLASH_PAGES: u64 = 1 << 26;

/// Kinds of devices.
const KINDS: [&str; 7] =
    ["hard_disk", "ssd", "nvme", "cloud_volume", "latency_cap", "histogram", "zoned_disk"];

/// All storage of a scenario, as far as it could be read, and all names of it; what could not be read is noted.
pub(super) fn storage(top: &Section<'_>) -> (Vec<Storage>, Vec<String>) {
    type Read = fn(&Section<'_>) -> Option<What>;
    let kinds: [(&'static str, Read); 5] =
        [("device", device), ("array", array), ("cache", cache), ("link", link), ("volume", volume)];
    let mut all: Vec<Storage> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (key, read) in kinds {
        for (name, section) in top.keep(top.named(key).map(Some)).unwrap_or_default() {
            if names.iter().any(|other| other == name) {
                section.note(
                    section.refuse(format!("`{name}` is the name of other storage above; give another")),
                );
            }
            names.push(name.to_owned());
            if names.len() > MOST_STORAGE {
                section.note(section.refuse(format!("more than {MOST_STORAGE} tables of storage")));
                return (all, names);
            }
            if let Some(what) = read(&section) {
                all.push(Storage { name: name.to_owned(), line: section.line(), what });
            }
        }
    }
    (all, names)
}

/// A device; figures that it does not give are those of its model.
pub(super) fn device(section: &Section<'_>) -> Option<What> {
    let any = section.clone();
    // Whatever it is: only its kind and model are looked for here.
    let loose = any.as_table(DEVICE);
    let model = match loose.keep(loose.text("model")) {
        None => None,
        Some(name) => match models().iter().find(|m| m.name == name) {
            Some(model) => Some(model),
            None => {
                let names: Vec<&str> = models().iter().map(|m| m.name.as_str()).collect();
                loose.note(loose.refuse_key(
                    "model",
                    format!("the catalogue has no `{name}`; it has {}", names.join(", ")),
                ));
                return None;
            }
        },
    };
    let loose = match model {
        Some(model) => loose.over(&model.entries),
        None => loose,
    };
    let kind = loose.need("kind", loose.word("kind", &KINDS), "so what it is is not known")?;
    let table = match kind {
        "hard_disk" => HARD_DISK,
        "ssd" => SSD,
        "nvme" => NVME,
        "cloud_volume" => CLOUD,
        "latency_cap" => CAP,
        "histogram" => HISTOGRAM,
        _ => ZONED,
    };
    if let Some(model) = model.filter(|m| m.kind != kind) {
        loose.note(loose.refuse_key(
            "kind",
            format!("the model `{}` is of kind \"{}\", and here stands \"{kind}\"", model.name, model.kind),
        ));
        return None;
    }
    let s = loose.keep(loose.clone().read_as(table).map(Some))?;
    s.keep(s.text("about"));
    match kind {
        "hard_disk" => disk(&s),
        "ssd" => ssd(&s),
        "nvme" => nvme(&s),
        "cloud_volume" => cloud(&s),
        "latency_cap" => cap(&s),
        "histogram" => histogram(&s),
        _ => zoned(&s),
    }
}

/// A time that may be nothing.
fn time(s: &Section<'_>, key: &'static str, most_us: f64) -> Option<Picoseconds> {
    let us = s.need(key, s.number(key, Unit::Time, 0.0, most_us), "and what it takes is not known");
    us.map(Picoseconds::from_us)
}

/// A rate, bytes a second.
fn rate(s: &Section<'_>, key: &'static str) -> Option<f64> {
    let read = s.number(key, Unit::Throughput, LEAST_RATE, MOST_RATE);
    s.need(key, read, "and how fast it is is not known")
}

fn capacity(s: &Section<'_>) -> Option<u64> {
    let read = s.size("capacity", LEAST_BYTES, MOST_BYTES);
    s.need("capacity", read, "and where requests may lie is not known")
}

fn count(s: &Section<'_>, key: &'static str, least: u32, most: u32) -> Option<u32> {
    s.need(key, s.whole_within(key, least, most), "and how many there are is not known")
}

fn disk(s: &Section<'_>) -> Option<What> {
    let sheet = data_sheet(s)?;
    if let Err(fault) = sheet.spec() {
        s.note(s.refuse(format!("{}: {fault}", s.path())));
        return None;
    }
    Some(What::Disk(Box::new(sheet)))
}

/// The figures of a data sheet, each of which has to be there.
pub(crate) fn data_sheet(s: &Section<'_>) -> Option<DataSheet> {
    let ms = |key: &'static str| time(s, key, 1e6).map(|t| t.as_us() / 1e3);
    let mbps = |key: &'static str, most: f64| {
        let read = s.number(key, Unit::Throughput, 1e5, most);
        s.need(key, read, "and how fast it is is not known").map(|rate| rate / 1e6)
    };
    // All are looked at before one that is not there ends it: every error is wanted.
    let capacity = s.need(
        "capacity",
        s.size("capacity", 1_000_000, 1_000_000_000_000_000),
        "and that decides its tracks",
    );
    let rpm = s.need("rpm", s.number("rpm", Unit::Turns, 1e3, 1e5), "and a turn is not known");
    let surfaces = count(s, "surfaces", 1, 100);
    let zones = count(s, "zones", 1, 1_000);
    let rates = (mbps("outer_rate", 1e10), mbps("inner_rate", 1e10), mbps("bus_rate", 1e12));
    let seeks = (ms("track_seek"), ms("average_seek"), ms("full_seek"));
    let others = (ms("write_settle"), ms("head_switch"), ms("overhead"));
    let cache = s.need("cache", s.size("cache", 512, 1 << 40), "and what is kept is not known");
    let segments = count(s, "segments", 1, 100_000);
    let write_back = s.need("write_back", s.flag("write_back"), "and when a write is done is not known");
    let queue_depth = count(s, "queue_depth", 1, 65_536);
    let order = s.word("order", &["fcfs", "sstf", "look", "c_look", "sptf"]);
    let order = s.need("order", order, "and which command is next is not known");
    Some(DataSheet {
        capacity_bytes: capacity? as f64,
        rpm: rpm?,
        surfaces: u64::from(surfaces?),
        zones: u64::from(zones?),
        outer_mbps: rates.0?,
        inner_mbps: rates.1?,
        track_seek_ms: seeks.0?,
        average_seek_ms: seeks.1?,
        full_seek_ms: seeks.2?,
        write_settle_ms: others.0?,
        head_switch_ms: others.1?,
        overhead_ms: others.2?,
        bus_mbps: rates.2?,
        cache_bytes: cache? as f64,
        segments: u64::from(segments?),
        write_back: write_back?,
        queue_depth: u64::from(queue_depth?),
        order: match order? {
            "fcfs" => ServiceOrder::Fcfs,
            "sstf" => ServiceOrder::Sstf,
            "look" => ServiceOrder::Look,
            "c_look" => ServiceOrder::CLook,
            _ => ServiceOrder::Sptf,
        },
    })
}

fn ssd(s: &Section<'_>) -> Option<What> {
    const MOST: u32 = 1 << 20;
    let parts = (count(s, "channels", 1, MOST), count(s, "chips", 1, MOST), count(s, "dies", 1, MOST));
    let (planes, blocks, pages) =
        (count(s, "planes", 1, MOST), count(s, "blocks", 3, MOST), count(s, "pages", 1, MOST));
    let page = s.need("page", s.size("page", 512, 1 << 20), "and what is written at once is not known");
    let spare = s.number("over_provisioning", Unit::Percent, 0.1, 10_000.0);
    let spare = s.need("over_provisioning", spare, "and how much room there is is not known");
    let collection = s.word("collection", &["greedy", "fifo"]);
    let collection = s.need("collection", collection, "and what is collected is not known");
    let times =
        (time(s, "read", 1e6), time(s, "program", 1e6), time(s, "erase", HOUR_US), time(s, "command", 1e6));
    let rates = (rate(s, "channel_rate"), rate(s, "link_rate"));
    let buffer = s.need(
        "buffer_pages",
        s.whole_within("buffer_pages", 0, MOST),
        "and when a write is done is not known",
    );
    let reads_first = s.need("reads_first", s.flag("reads_first"), "and what waits for what is not known");
    let suspend = s.keep(s.number("suspend", Unit::Time, 0.0, 1e6));
    let overwrites = s.keep(s.number("overwrites", Unit::Plain, 0.0, 20.0)).unwrap_or(0.0);
    let fresh = s.keep(s.flag("fresh")).unwrap_or(false);
    if !fresh {
        s.usual("overwrites", "0", "the default: written once, in order");
    }
    if fresh && overwrites > 0.0 {
        s.note(s.refuse_key(
            "fresh",
            "a fresh drive was not written over; `overwrites` says that it was".to_owned(),
        ));
    }
    let flash = FlashSpec {
        channels: parts.0?,
        chips: parts.1?,
        dies: parts.2?,
        planes: planes?,
        blocks: blocks?,
        pages: pages?,
        page_bytes: u32::try_from(page?).ok()?,
        over_provisioning: spare? / 100.0,
        collection: if collection? == "fifo" { Collection::Fifo } else { Collection::Greedy },
    };
    let all = flash.pages_in_all();
    if all > MOST_FLASH_PAGES {
        s.note(s.refuse(format!(
            "{}: flash of {all} pages is more than {MOST_FLASH_PAGES}; take fewer planes, with as many blocks \
             each: each plane collects for itself",
            s.path()
        )));
        return None;
    }
    let spec = SsdSpec {
        flash,
        read: times.0?,
        program: times.1?,
        erase: times.2?,
        command: times.3?,
        channel_bytes_per_s: rates.0?,
        link_bytes_per_s: rates.1?,
        buffer_pages: buffer?,
        reads_first: reads_first?,
        suspend: suspend.map(Picoseconds::from_us),
    };
    Some(What::Ssd { spec: Box::new(spec), overwrites, fresh })
}

fn nvme(s: &Section<'_>) -> Option<What> {
    let bytes = capacity(s);
    let units = count(s, "units", 1, 65_536);
    let read = (time(s, "read", HOUR_US), rate(s, "read_rate"));
    let write = (time(s, "write", HOUR_US), rate(s, "write_rate"));
    let piece = s.need("piece", s.bytes("piece"), "and what one unit serves is not known");
    let link = s.keep(s.number("link_rate", Unit::Throughput, LEAST_RATE, MOST_RATE));
    let spread = match s.word("spread", &["exponential"]) {
        Ok(Some(_)) => Some(Spread::Exponential),
        Ok(None) => Some(Spread::Constant),
        Err(_) => s.keep(s.number("spread", Unit::Plain, 0.0, 10.0)).map(|variation| match variation {
            0.0 => Spread::Constant,
            variation => Spread::LogNormal { variation },
        }),
    };
    let spread = spread?;
    let service = |(latency, rate): (Option<Picoseconds>, Option<f64>)| {
        Some(ServiceSpec { latency: latency?, bytes_per_s: rate?, spread })
    };
    let spec = NvmeSpec {
        units: units?,
        read: service(read)?,
        write: service(write)?,
        piece_bytes: piece?,
        link_bytes_per_s: link,
        // That of the scenario is put in when it is built.
        seed: 0,
    };
    Some(What::Nvme { spec, bytes: bytes? })
}

fn cloud(s: &Section<'_>) -> Option<What> {
    let bytes = capacity(s);
    let latencies = (time(s, "read", HOUR_US), time(s, "write", HOUR_US));
    let (mut operations, mut throughput) = (None, None);
    for (bucket, unit, base, burst, credits) in [
        (&mut operations, Unit::Rate, "iops", "burst_iops", "credits"),
        (&mut throughput, Unit::Throughput, "rate", "burst_rate", "byte_credits"),
    ] {
        let base_per_s = s.keep(s.number(base, unit, 1.0, MOST_RATE));
        let burst_per_s = s.keep(s.number(burst, unit, 1.0, MOST_RATE));
        let held = match unit {
            Unit::Rate => s.keep(s.number(credits, Unit::Plain, 0.0, 1e15)),
            _ => s.keep(s.size(credits, 0, MOST_BYTES)).map(|bytes| bytes as f64),
        };
        let Some(base_per_s) = base_per_s else {
            for key in [burst, credits].into_iter().filter(|key| s.has(key)) {
                s.note(s.refuse_key(key, format!("`{key}` goes with `{base}`, and there is none")));
            }
            continue;
        };
        let burst_per_s = burst_per_s.unwrap_or(base_per_s);
        let credits = held.unwrap_or(0.0);
        let spec =
            BucketSpec { base_per_s, burst_per_s, credits, full: if credits > 0.0 { 1.0 } else { 0.0 } };
        *bucket = Some(spec);
    }
    let unit = s.need("unit", s.bytes("unit"), "and what counts as one operation is not known");
    let merges = s.need("merges", s.flag("merges"), "and what counts as one operation is not known");
    let spec = CloudVolumeSpec {
        read_latency: latencies.0?,
        write_latency: latencies.1?,
        operations,
        bytes: throughput,
        unit_bytes: unit?,
        merges: merges?,
    };
    Some(What::Cloud { spec, bytes: bytes? })
}

fn cap(s: &Section<'_>) -> Option<What> {
    let bytes = capacity(s);
    let latency = time(s, "latency", HOUR_US);
    let iops = s.keep(s.number("iops", Unit::Rate, 1e-3, 1e12));
    let bytes_per_s = s.keep(s.number("rate", Unit::Throughput, LEAST_RATE, MOST_RATE));
    Some(What::Cap { spec: LatencyCapSpec { latency: latency?, iops, bytes_per_s }, bytes: bytes? })
}

fn histogram(s: &Section<'_>) -> Option<What> {
    let bytes = capacity(s);
    let mean =
        s.need("mean", s.number("mean", Unit::Time, 0.001, HOUR_US), "and buckets alone leave it open");
    let fastest =
        s.need("fastest", s.number("fastest", Unit::Time, 0.001, HOUR_US), "and no request takes no time");
    let tail =
        s.need("tail", s.number("tail", Unit::Percent, 0.0, 100.0), "and buckets and mean leave it open");
    let sections = s.keep(s.sections("bucket", BUCKET).map(Some)).unwrap_or_default();
    let read = |one: &Section<'_>| {
        let to =
            one.need("to", one.number("to", Unit::Time, 0.001, HOUR_US), "and where it ends is not known");
        let share = one.number("share", Unit::Percent, 0.0, 100.0);
        Some((to?, one.need("share", share, "and how many it holds is not known")?))
    };
    let read: Vec<Option<(f64, f64)>> = sections.iter().map(read).collect();
    let mut low_us = fastest?;
    let mut buckets = Vec::new();
    for (to_us, weight) in read.into_iter().collect::<Option<Vec<_>>>()? {
        buckets.push(LatencyBucket { low_us, high_us: Some(to_us), weight });
        low_us = to_us;
    }
    let (mean, tail) = (mean?, tail? / 100.0);
    let times = WriteTimes::least_spread(&buckets, mean)
        .and_then(|least| least.mixed(&WriteTimes::most_spread(&buckets, mean)?, tail));
    match times {
        Ok(times) => Some(What::Histogram { times, bytes: bytes? }),
        Err(why) => {
            s.note(s.refuse(format!("{}: {why}", s.path())));
            None
        }
    }
}

fn zoned(s: &Section<'_>) -> Option<What> {
    let bytes = capacity(s);
    let latency = time(s, "latency", HOUR_US);
    let rates = (rate(s, "outer_rate"), rate(s, "inner_rate"));
    let seeks = (time(s, "track_seek", HOUR_US), time(s, "full_seek", HOUR_US));
    Some(What::Zoned(ZonedDiskSpec {
        latency: latency?,
        outer_bytes_per_s: rates.0?,
        inner_bytes_per_s: rates.1?,
        track_seek: seeks.0?,
        full_seek: seeks.1?,
        bytes: bytes?,
    }))
}

/// Numbers that go with the names of a list: one for all, or one for each.
fn for_each(s: &Section<'_>, key: &'static str, names: usize, most: u32) -> Option<Vec<u32>> {
    let texts = s.keep(s.numbers(key, most))?;
    match texts.len() {
        1 => Some(vec![texts[0]; names]),
        n if n == names => Some(texts),
        n => {
            let why =
                format!("`{key}` has {n} numbers, and `of` has {names} names; give one number, or as many");
            s.note(s.refuse_key(key, why));
            None
        }
    }
}

fn array(section: &Section<'_>) -> Option<What> {
    let s = &section.keep(section.clone().read_as(ARRAY).map(Some))?;
    let kinds = ["concat", "stripe", "mirror", "raid10", "raid5", "raid6", "asm"];
    let kind = s.need("kind", s.word("kind", &kinds), "so what it is is not known");
    let of = s.need("of", s.texts("of", 64), "so it has no members");
    let used = s.keep(s.size("used", LEAST_BYTES, MOST_BYTES));
    let stripe = s.size("stripe", 512, 1 << 30);
    let copies = s.keep(s.whole_within("copies", 2, 16));
    let read_from = s.keep(s.word("read_from", &["first", "round_robin", "nearest", "preferred"]));
    let preferred = s.keep(s.text("preferred"));
    let partial = s.keep(s.word("partial", &["modify", "reconstruct", "fewer"]));
    let redundancy = s.word("redundancy", &["external", "normal", "high"]);
    let striping = s.keep(s.word("striping", &["coarse", "fine"]));
    let au = s.size("au", 128 << 10, 64 << 20);
    let (kind, of) = (kind?, of?);
    let members =
        if s.has("members") { for_each(s, "members", of.len(), MOST_MEMBERS)? } else { vec![1; of.len()] };
    let all: u64 = members.iter().map(|n| u64::from(*n)).sum();
    if all > u64::from(MOST_MEMBERS) {
        s.note(s.refuse_key("members", format!("{all} members are more than {MOST_MEMBERS}")));
        return None;
    }
    let groups = match s.has("groups") {
        true => for_each(s, "groups", of.len(), MOST_MEMBERS)?,
        false if of.len() > 1 => vec![1; of.len()],
        false => members.clone(),
    };
    if let Some((groups, members)) = groups.iter().zip(&members).find(|(groups, members)| groups > members) {
        s.note(s.refuse_key("groups", format!("{members} members do not lie in {groups} failure groups")));
        return None;
    }
    if let Ok(Some(odd)) = stripe.as_ref().map(|bytes| bytes.filter(|b| b % 512 != 0)) {
        s.note(s.refuse_key("stripe", format!("{odd} bytes are no whole sectors of 512 bytes")));
        return None;
    }
    let depth = |why: &str| s.need("stripe", stripe.clone(), why);
    let needed = "and how much lies on one member is not known";
    // Controllers and md read from all copies; ASM reads the first, and spreads the first copies over all disks.
    let shares_reads = matches!(kind, "raid10" | "mirror");
    match kind {
        "raid5" | "raid6" => s.usual("partial", "fewer", "estimate: the default"),
        "asm" => {
            s.usual("striping", "coarse", "the default, as of a disk group's data files");
            if redundancy.as_ref().is_ok_and(|r| *r != Some("external")) {
                s.usual("read_from", "first", "the default, as ASM without preference");
            }
        }
        _ => {}
    }
    let kind = match kind {
        "concat" => ArrayKind::Concat,
        "stripe" => ArrayKind::Stripes { copies: 1, depth: depth(needed)? },
        "raid10" => {
            s.usual("copies", "2", "the default");
            ArrayKind::Stripes { copies: copies.unwrap_or(2), depth: depth(needed)? }
        }
        "mirror" => ArrayKind::Mirror,
        "raid5" | "raid6" => ArrayKind::Parity {
            parity: if kind == "raid5" { 1 } else { 2 },
            depth: depth(needed)?,
            partial: match partial {
                Some("modify") => PartialWrites::Modify,
                Some("reconstruct") => PartialWrites::Reconstruct,
                _ => PartialWrites::Fewer,
            },
        },
        _ => ArrayKind::Asm {
            redundancy: match s.need("redundancy", redundancy, "so how many copies there are is not known")? {
                "external" => Redundancy::External,
                "normal" => Redundancy::Normal,
                _ => Redundancy::High,
            },
            striping: if striping == Some("fine") { Striping::Fine } else { Striping::Coarse },
            au: s.need("au", au, "and how large an extent is is not known")?,
        },
    };
    let reads = match read_from {
        Some("round_robin") => Reads::RoundRobin,
        Some("nearest") => Reads::Nearest,
        Some("preferred") => {
            let name = s.need("preferred", Ok(preferred), "and what is preferred is not known")?;
            if !of.contains(&name) {
                let why = format!("`preferred` is \"{name}\", and `of` has {}", of.join(", "));
                s.note(s.refuse_key("preferred", why));
                return None;
            }
            Reads::Preferred(name)
        }
        Some(_) => Reads::First,
        None if shares_reads => {
            s.usual(
                "read_from",
                "round_robin",
                "estimate: the default; arrays of copies read from all of them",
            );
            Reads::RoundRobin
        }
        None => Reads::First,
    };
    let of = of.into_iter().zip(members).zip(groups).map(|((name, n), groups)| (name, n, groups)).collect();
    Some(What::Array(Box::new(ArraySpec { kind, of, used, reads })))
}

fn cache(section: &Section<'_>) -> Option<What> {
    let s = &section.keep(section.clone().read_as(CACHE).map(Some))?;
    let before = s.need("before", s.text("before"), "so it stands before nothing");
    let on = s.need("on", s.text("on"), "so it lies on nothing");
    let capacity = s.need("capacity", s.size("capacity", 512, MOST_BYTES), "and what it holds is not known");
    let page = s.need("page", s.bytes("page"), "and what is kept at once is not known");
    let policy =
        s.need("policy", s.word("policy", &["lru", "arc", "s3_fifo"]), "and what is kept is not known");
    let writes =
        s.need("writes", s.word("writes", &["around", "through", "back"]), "and what writes do is not known");
    let (capacity, page) = (capacity?, page?);
    let pages = capacity / u64::from(page);
    if !(1..=MOST_CACHE_PAGES).contains(&pages) {
        s.note(s.refuse_key(
            "capacity",
            format!("{capacity} bytes are {pages} pages of {page} bytes; between 1 and {MOST_CACHE_PAGES} make a cache"),
        ));
        return None;
    }
    Some(What::Cache(CacheOf {
        before: before?,
        on: on?,
        pages: usize::try_from(pages).ok()?,
        page,
        policy: match policy? {
            "lru" => Policy::Lru,
            "arc" => Policy::Arc,
            _ => Policy::S3Fifo,
        },
        writes: match writes? {
            "around" => Writes::Around,
            "through" => Writes::Through,
            _ => Writes::Back,
        },
    }))
}

fn link(section: &Section<'_>) -> Option<What> {
    let s = &section.keep(section.clone().read_as(LINK).map(Some))?;
    let before = s.need("before", s.text("before"), "so nothing is behind it");
    let bytes_per_s = rate(s, "rate");
    let (delay, overhead) = (time(s, "delay", HOUR_US), time(s, "overhead", HOUR_US));
    let duplex =
        s.need("duplex", s.word("duplex", &["full", "half"]), "and what the ways share is not known");
    let depth = s.keep(s.whole_within("depth", 1, 65_536));
    let spec = LinkSpec {
        bytes_per_s: bytes_per_s?,
        delay: delay?,
        overhead: overhead?,
        full_duplex: duplex? == "full",
        depth,
    };
    Some(What::Link { before: before?, spec })
}

fn volume(section: &Section<'_>) -> Option<What> {
    let s = &section.keep(section.clone().read_as(VOLUME).map(Some))?;
    let on = s.need("on", s.text("on"), "so it is made of nothing");
    let schedulers = [
        "noop",
        "deadline",
        "anticipatory",
        "cfq_2_6_12",
        "cfq_2_6_18",
        "none",
        "mq_deadline",
        "kyber",
        "bfq",
    ];
    let scheduler = s.keep(s.word("scheduler", &schedulers));
    let depth = s.keep(s.whole_within("driver_depth", 1, 65_536));
    let plug = s.keep(s.flag("plug")).unwrap_or(true);
    let merging = s.keep(s.word("merging", &["off", "back", "back_and_front"]));
    if scheduler.is_none() {
        for key in ["driver_depth", "plug", "merging"].into_iter().filter(|key| s.has_own(key)) {
            s.note(s.refuse_key(key, format!("`{key}` goes with `scheduler`, and there is none")));
        }
    }
    if scheduler.is_some() && !s.has("driver_depth") {
        s.note(s.lacks("driver_depth", "and how many requests leave the scheduler is not known"));
    }
    let layer = scheduler.zip(depth).map(|(name, depth)| {
        let (scheduler, of_2_6) = match name {
            "noop" => (SchedulerSpec::Noop, true),
            "deadline" => (SchedulerSpec::Deadline(Default::default()), true),
            "anticipatory" => (SchedulerSpec::Anticipatory(Default::default()), true),
            "cfq_2_6_12" => (SchedulerSpec::CfqRounds(Default::default()), true),
            "cfq_2_6_18" => (SchedulerSpec::CfqSlices(Default::default()), true),
            "none" => (SchedulerSpec::Noop, false),
            "mq_deadline" => (SchedulerSpec::MqDeadline(Default::default()), false),
            "kyber" => (SchedulerSpec::Kyber(Default::default()), false),
            _ => (SchedulerSpec::Bfq(Default::default()), false),
        };
        let mut spec = if of_2_6 { BlockLayerSpec::linux_2_6(depth) } else { BlockLayerSpec::today(depth) };
        if !plug {
            spec.plug = None;
        }
        match merging {
            Some("off") => spec.merging = Merging::Off,
            Some("back") => spec.merging = Merging::Back,
            _ => {}
        }
        Box::new(Layer { spec, scheduler })
    });
    let memory = s.keep(s.size("memory", 64 << 10, 64 << 30));
    let ahead = s.keep(s.size("read_ahead", 0, 64 << 20));
    let whole_reads = s.keep(s.flag("whole_reads")).unwrap_or(false);
    let copy = s.keep(s.number("copy_rate", Unit::Throughput, LEAST_RATE, MOST_RATE));
    if memory.is_none() {
        for key in ["read_ahead", "whole_reads", "copy_rate"].into_iter().filter(|key| s.has_own(key)) {
            s.note(s.refuse_key(key, format!("`{key}` goes with `memory`, and there is none")));
        }
    }
    let cache = memory.map(|memory| {
        let mut spec = FileCacheSpec::linux_2_6(memory);
        if let Some(ahead) = ahead.and_then(|bytes| u32::try_from(bytes).ok()) {
            spec.most_ahead_bytes = ahead;
        }
        if whole_reads {
            spec.not_ahead = NotAhead::WholeRead;
        }
        spec.copy_bytes_per_s = copy;
        Box::new(spec)
    });
    Some(What::Volume { on: on?, layer, cache })
}
