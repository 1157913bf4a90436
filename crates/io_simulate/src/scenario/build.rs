//! From the storage of a scenario to devices, each name that is asked for made anew: storage is a kind, and every
//! member of an array is one of its own.

use super::observed::Observed;
use super::progress::Progress;
use super::storage::{ArrayKind, ArraySpec, CacheOf, Policy, Reads, Storage, What};
use crate::arrays::{
    Array, ArrayDevice, Asm, AsmSpec, Concat, Copied, Layout, Parity, ParitySpec, ReadChoice, Stripes,
};
use crate::caches::{Arc, Cache, CachedDevice, CachedDeviceSpec, Lru, S3Fifo};
use crate::{
    BlockLayer, CloudVolume, Completion, Device, FileCache, HardDisk, LatencyCap, Linked, Nvme, NvmeSpec,
    Origin, Picoseconds, Request, Ssd, ZonedDisk,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc as StdArc;

/// A device and the bytes among which requests may lie.
pub(super) struct Built {
    pub(super) device: Box<dyn Device>,
    pub(super) bytes: u64,
}

/// What storage of one name came to, all of its kind together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// How many of it there are.
    pub(super) instances: u64,
    /// What one of them holds.
    pub(super) bytes: u64,
    /// Requests done.
    pub(super) requests: u64,
    /// Time in which it had something to do, of all of them, as far as requests are done.
    pub(super) busy: Picoseconds,
    /// How many of them have something to do now, and the sum of the times since when, picoseconds.
    pub(super) working: u64,
    pub(super) working_since: u128,
    /// Pages that reads found, and all that they asked for.
    pub(super) found: u64,
    pub(super) looked_for: u64,
    /// Pages written by the host, and moved to make room.
    pub(super) host_pages: u64,
    pub(super) moved_pages: u64,
}

impl Tally {
    /// As it is at a time: what has something to do then counts up to there.
    pub(super) fn at(self, now: Picoseconds) -> Self {
        let open = (u128::from(self.working) * u128::from(now.0)).saturating_sub(self.working_since);
        Self { busy: self.busy + Picoseconds(u64::try_from(open).unwrap_or(u64::MAX)), ..self }
    }

    /// What has come since.
    pub(super) fn since(self, before: Self) -> Self {
        Self {
            requests: self.requests - before.requests,
            busy: self.busy - before.busy,
            found: self.found - before.found,
            looked_for: self.looked_for - before.looked_for,
            host_pages: self.host_pages - before.host_pages,
            moved_pages: self.moved_pages - before.moved_pages,
            ..self
        }
    }
}

/// Tallies by name, which devices that are looked at add to.
pub(super) type Tallies = Rc<RefCell<BTreeMap<String, Tally>>>;

/// Devices of a whole scenario, at most.
const MOST_DEVICES: u64 = 4_096;
/// Storage is made of storage so many times over, at most.
const DEEPEST: u32 = 32;
/// Pages of flash and of caches, at most; they take 8 and about 100 bytes each.
const MOST_PAGES: u64 = 1 << 26;
/// Bytes of memory that the extents of an ASM group may take.
const MOST_EXTENT_BYTES: u64 = 256 << 20;

/// Makes devices.
pub(super) struct Builder<'a> {
    storage: &'a [Storage],
    seed: u64,
    tallies: Tallies,
    made: u64,
    /// Storage that is being made of other storage, just now.
    depth: u32,
    /// Pages of flash and caches so far.
    pages: u64,
    progress: Option<StdArc<Progress>>,
}

/// Why a device was not made: the line of its table, and a sentence.
pub(super) type Refused = (usize, String);

impl<'a> Builder<'a> {
    /// Names that are to be tallied have a tally already.
    pub(super) fn new(
        storage: &'a [Storage],
        seed: u64,
        tallies: Tallies,
        progress: Option<StdArc<Progress>>,
    ) -> Self {
        Self { storage, seed, tallies, made: 0, depth: 0, pages: 0, progress }
    }

    /// Storage of a name.
    pub(super) fn build(&mut self, name: &str) -> Result<Built, Refused> {
        self.depth += 1;
        let built = self.make(name);
        self.depth -= 1;
        built
    }

    /// Takes note of pages that are kept in memory.
    fn keeps(&mut self, pages: u64) -> Result<(), String> {
        self.pages = self.pages.saturating_add(pages);
        match self.pages {
            pages if pages > MOST_PAGES => {
                Err(format!("flash and caches of more than {MOST_PAGES} pages in all; make them smaller"))
            }
            _ => Ok(()),
        }
    }

    fn make(&mut self, name: &str) -> Result<Built, Refused> {
        let Some(storage) = self.storage.iter().find(|s| s.name == name) else {
            return Err((1, format!("there is no storage `{name}`")));
        };
        let line = storage.line;
        let no = |why: String| (line, format!("`{name}`: {why}"));
        self.made += 1;
        if self.made > MOST_DEVICES {
            return Err(no(format!(
                "more than {MOST_DEVICES} devices are simulated by nobody in reasonable time"
            )));
        }
        if self.depth > DEEPEST {
            return Err(no(format!("storage is made of storage more than {DEEPEST} times over")));
        }
        let watched = self.tallies.borrow().contains_key(name);
        Ok(match &storage.what {
            What::Disk(sheet) => {
                let disk =
                    sheet.spec().and_then(|spec| HardDisk::new(&spec)).map_err(|e| no(e.to_string()))?;
                let bytes = disk.bytes();
                self.tallied(name, Built { device: Box::new(disk), bytes }, watched)
            }
            What::Ssd { spec, overwrites, fresh } => {
                let pages = spec.flash.pages_in_all();
                self.keeps(pages).map_err(no)?;
                let mut ssd = Ssd::new(spec).map_err(|e| no(e.to_string()))?;
                // A page that was never written is read without its cells: no drive that is in use answers so.
                if !fresh {
                    ssd.precondition_told(self.seed ^ self.made, *overwrites, &mut |share| {
                        if let Some(progress) = &self.progress {
                            progress.filled(share);
                        }
                    });
                }
                let bytes = ssd.bytes();
                match watched {
                    true => {
                        let of = |ssd: &Ssd, tally: &mut Tally| {
                            tally.host_pages = ssd.wear().host_pages;
                            tally.moved_pages = ssd.wear().moved_pages;
                        };
                        self.tallied(name, Built { device: self.watched(name, ssd, of), bytes }, watched)
                    }
                    false => Built { device: Box::new(ssd), bytes },
                }
            }
            What::Nvme { spec, bytes } => {
                let spec = NvmeSpec { seed: self.seed.wrapping_add(self.made), ..*spec };
                let device = Nvme::new(&spec).map_err(|e| no(e.to_string()))?;
                self.tallied(name, Built { device: Box::new(device), bytes: *bytes }, watched)
            }
            What::Cloud { spec, bytes } => {
                let device = CloudVolume::new(spec).map_err(|e| no(e.to_string()))?;
                self.tallied(name, Built { device: Box::new(device), bytes: *bytes }, watched)
            }
            What::Cap { spec, bytes } => {
                let device = LatencyCap::new(spec).map_err(|e| no(e.to_string()))?;
                self.tallied(name, Built { device: Box::new(device), bytes: *bytes }, watched)
            }
            What::Histogram { times, bytes } => {
                let device = times.volume(self.seed.wrapping_add(self.made));
                self.tallied(name, Built { device: Box::new(device), bytes: *bytes }, watched)
            }
            What::Zoned(spec) => {
                let device = ZonedDisk::new(spec).map_err(|e| no(e.to_string()))?;
                self.tallied(name, Built { device: Box::new(device), bytes: spec.bytes }, watched)
            }
            What::Array(spec) => {
                let built = self.array(spec, &no)?;
                self.tallied(name, built, watched)
            }
            What::Cache(cache) => {
                let built = self.cache(name, cache, watched, &no)?;
                self.tallied(name, built, watched)
            }
            What::Link { before, spec } => {
                let behind = self.build(before)?;
                let device = Linked::new(*spec, behind.device).map_err(|e| no(e.to_string()))?;
                self.tallied(name, Built { device: Box::new(device), bytes: behind.bytes }, watched)
            }
            What::Volume { on, layer, cache } => {
                if let Some(spec) = cache {
                    self.keeps(spec.pages as u64).map_err(no)?;
                }
                let mut built = self.build(on)?;
                if let Some(layer) = layer {
                    let below = BlockLayer::new(layer.spec, layer.scheduler.build(), built.device);
                    built.device = Box::new(below.map_err(|e| no(e.to_string()))?);
                }
                if let Some(spec) = cache {
                    let cached = FileCache::new((**spec).clone(), built.device);
                    built.device = Box::new(cached.map_err(|e| no(e.to_string()))?);
                }
                self.tallied(name, built, watched)
            }
        })
    }

    /// The device, looked at where somebody wants to know.
    fn tallied(&self, name: &str, built: Built, watched: bool) -> Built {
        if !watched {
            return built;
        }
        if let Some(tally) = self.tallies.borrow_mut().get_mut(name) {
            tally.instances += 1;
            tally.bytes = built.bytes;
        }
        let (tallies, name) = (Rc::clone(&self.tallies), name.to_owned());
        let device = Tallied { device: built.device, name, tallies, under_way: 0, since: Picoseconds::ZERO };
        Built { device: Box::new(device), bytes: built.bytes }
    }

    /// A device whose own counts are wanted. Those of several of one name add up.
    fn watched<D: Device + 'static>(
        &self,
        name: &str,
        device: D,
        of: impl Fn(&D, &mut Tally) + 'static,
    ) -> Box<dyn Device> {
        let (tallies, name) = (Rc::clone(&self.tallies), name.to_owned());
        let mut last = Tally::default();
        Box::new(Observed::new(device, move |device: &D, _, _: &[Completion]| {
            let mut own = Tally::default();
            of(device, &mut own);
            let more = own.since(last);
            last = own;
            if let Some(tally) = tallies.borrow_mut().get_mut(&name) {
                tally.found += more.found;
                tally.looked_for += more.looked_for;
                tally.host_pages += more.host_pages;
                tally.moved_pages += more.moved_pages;
            }
        }))
    }

    fn members(&mut self, spec: &ArraySpec) -> Result<Vec<Built>, Refused> {
        let mut members = Vec::new();
        for (name, count, _) in &spec.of {
            for _ in 0..*count {
                let mut built = self.build(name)?;
                built.bytes = spec.used.map_or(built.bytes, |used| built.bytes.min(used));
                members.push(built);
            }
        }
        Ok(members)
    }

    fn array(&mut self, spec: &ArraySpec, no: &impl Fn(String) -> Refused) -> Result<Built, Refused> {
        let members = self.members(spec)?;
        let sizes: Vec<u64> = members.iter().map(|m| m.bytes).collect();
        let least = sizes.iter().copied().min().unwrap_or(0);
        let devices: Vec<Box<dyn Device>> = members.into_iter().map(|m| m.device).collect();
        let count = u32::try_from(devices.len()).unwrap_or(u32::MAX);
        let choice = match &spec.reads {
            Reads::First => ReadChoice::First,
            Reads::RoundRobin => ReadChoice::RoundRobin,
            Reads::Nearest => ReadChoice::Nearest,
            Reads::Preferred(preferred) => {
                let names = spec.of.iter().flat_map(|(name, n, _)| (0..*n).map(move |_| name));
                let of = names.enumerate().filter(|(_, name)| *name == preferred);
                ReadChoice::Preferred(of.map(|(member, _)| member).collect())
            }
        };
        let fail = |e: crate::NoSuchDevice| no(e.to_string());
        match spec.kind {
            ArrayKind::Concat => copied(Concat::new(&sizes).map_err(fail)?, choice, devices),
            ArrayKind::Stripes { copies, depth } => {
                if !count.is_multiple_of(copies) {
                    return Err(no(format!("{count} members are not whole sets of {copies} copies")));
                }
                copied(Stripes::raid10(count / copies, copies, depth, least).map_err(fail)?, choice, devices)
            }
            ArrayKind::Mirror => copied(Stripes::mirror(count, least).map_err(fail)?, choice, devices),
            ArrayKind::Parity { parity, depth, partial } => {
                let spec =
                    ParitySpec { members: count, parity, depth_bytes: depth, member_bytes: least, partial };
                in_time(Parity::new(&spec).map_err(fail)?, devices)
            }
            ArrayKind::Asm { redundancy, striping, au } => {
                let extents = (least / au).saturating_mul(u64::from(count));
                if extents.saturating_mul(16) > MOST_EXTENT_BYTES {
                    return Err(no(format!(
                        "{count} members of {} allocation units have more extents than are simulated; use less of each \
                         (`used`), or larger units (`au`)",
                        least / au
                    )));
                }
                let asm = AsmSpec {
                    failure_groups: failure_groups(spec),
                    disk_bytes: least,
                    au_bytes: au,
                    redundancy,
                    striping,
                };
                copied(Asm::new(&asm).map_err(fail)?, choice, devices)
            }
        }
        .map_err(fail)
    }

    fn cache(
        &mut self,
        name: &str,
        cache: &CacheOf,
        watched: bool,
        no: &impl Fn(String) -> Refused,
    ) -> Result<Built, Refused> {
        self.keeps(cache.pages as u64).map_err(no)?;
        let front = self.build(&cache.on)?;
        let back = self.build(&cache.before)?;
        let bytes = cache.pages as u64 * u64::from(cache.page);
        if front.bytes < bytes {
            return Err(no(format!("it holds {bytes} bytes, and `{}` has {}", cache.on, front.bytes)));
        }
        let spec = CachedDeviceSpec { page_bytes: cache.page, writes: cache.writes };
        let policy: Box<dyn Cache> = match cache.policy {
            Policy::Lru => Box::new(Lru::new(cache.pages)),
            Policy::Arc => Box::new(Arc::new(cache.pages)),
            Policy::S3Fifo => Box::new(S3Fifo::new(cache.pages)),
        };
        let device =
            CachedDevice::new(spec, policy, front.device, back.device).map_err(|e| no(e.to_string()))?;
        type Cached = CachedDevice<Box<dyn Cache>, Box<dyn Device>, Box<dyn Device>>;
        let of = |cached: &Cached, tally: &mut Tally| {
            (tally.found, tally.looked_for) = cached.found_of();
        };
        let device = if watched { self.watched(name, device, of) } else { Box::new(device) };
        Ok(Built { device, bytes: back.bytes })
    }
}

/// Failure groups of the members: those of a name lie in as many groups as it has, one after the other.
fn failure_groups(spec: &ArraySpec) -> Vec<u32> {
    let mut all = Vec::new();
    let mut before = 0;
    for (_, count, groups) in &spec.of {
        let groups = (*groups).min(*count).max(1);
        // As even as whole disks allow.
        all.extend((0..*count).map(|n| {
            before + u32::try_from(u64::from(n) * u64::from(groups) / u64::from(*count)).unwrap_or(0)
        }));
        before += groups;
    }
    all
}

fn copied<L: Layout + 'static>(
    layout: L,
    choice: ReadChoice,
    devices: Vec<Box<dyn Device>>,
) -> Result<Built, crate::NoSuchDevice> {
    in_time(Copied::new(layout, choice), devices)
}

fn in_time<A: Array + 'static>(
    array: A,
    devices: Vec<Box<dyn Device>>,
) -> Result<Built, crate::NoSuchDevice> {
    let bytes = array.bytes();
    Ok(Built { device: Box::new(ArrayDevice::new(array, devices)?), bytes })
}

/// Names that storage leads to, each once, the name itself first.
pub(super) fn leads_to<'a>(storage: &'a [Storage], name: &'a str) -> Vec<&'a str> {
    let mut all = vec![name];
    let mut at = 0;
    while let Some(name) = all.get(at).copied() {
        at += 1;
        let below = storage.iter().find(|s| s.name == name).map_or(Vec::new(), |s| s.what.names());
        for below in below {
            if !all.contains(&below) {
                all.push(below);
            }
        }
    }
    all
}

impl What {
    /// Storage that it names.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Array(spec) => spec.of.iter().map(|(name, ..)| name.as_str()).collect(),
            Self::Cache(cache) => vec![&cache.before, &cache.on],
            Self::Link { before: on, .. } | Self::Volume { on, .. } => vec![on],
            _ => Vec::new(),
        }
    }
}

/// Finds names that nothing has, and storage that is made of itself.
pub(super) fn check(storage: &[Storage], declared: &[String], mut note: impl FnMut(usize, String)) {
    for one in storage {
        for name in one.what.names() {
            if !declared.iter().any(|other| other == name) {
                note(one.line, format!("`{}` names `{name}`, and there is no such storage", one.name));
            }
        }
        let below = one.what.names();
        if let Some(name) =
            below.into_iter().find(|name| leads_to(storage, name).contains(&one.name.as_str()))
        {
            let by = if name == one.name { String::new() } else { format!(", by way of `{name}`") };
            note(one.line, format!("`{}` is made of itself{by}", one.name));
        }
    }
}

/// Counts requests, and the time with something to do.
struct Tallied {
    device: Box<dyn Device>,
    name: String,
    tallies: Tallies,
    under_way: u64,
    since: Picoseconds,
}

impl Tallied {
    fn asked(&mut self, now: Picoseconds) {
        if self.under_way == 0 {
            self.since = now;
            if let Some(tally) = self.tallies.borrow_mut().get_mut(&self.name) {
                tally.working += 1;
                tally.working_since += u128::from(now.0);
            }
        }
        self.under_way += 1;
    }
}

impl Device for Tallied {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.asked(now);
        self.device.submit(now, tag, request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        self.asked(now);
        self.device.submit_from(now, tag, from, request);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.device.ended(now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.device.next_event()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        let before = completed.len();
        self.device.advance(now, completed);
        let done = (completed.len() - before) as u64;
        if done == 0 {
            return;
        }
        self.under_way = self.under_way.saturating_sub(done);
        let idle = self.under_way == 0;
        if let Some(tally) = self.tallies.borrow_mut().get_mut(&self.name) {
            tally.requests += done;
            tally.busy = tally.busy + (now - self.since);
            tally.working_since = tally.working_since.saturating_sub(u128::from(self.since.0));
            if idle {
                tally.working = tally.working.saturating_sub(1);
            } else {
                tally.working_since += u128::from(now.0);
            }
        }
        if !idle {
            self.since = now;
        }
    }
}
