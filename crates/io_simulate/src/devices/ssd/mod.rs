//! A solid-state drive: flash behind channels, a translation layer, a write buffer and a link.
//!
//! ```text
//! read     command ─► die: read ─► channel: page ─► link: all bytes ─► done
//! write    command ─► link: all bytes ─► a place in the buffer for each page ─► done
//!                                        └► channel: page ─► die: program ─► the place is free
//! collect  before the program, on its plane: read, channel, channel, program a page; then erase the block
//! ```
//!
//! - A *die* does one command at a time, from the beginning of a read to the end of its transfer, and from the
//!   beginning of a transfer to the end of the program. Planes of one die whose next command is of the same kind
//!   do it together.
//! - *Order*: on a plane reads of the host among themselves, and all else among itself, in the order in which
//!   they came. Reads of the host go before all else (`reads_first`), or everything in the order of its coming.
//!   A program or erase under way is waited for, or suspended once for the reads that come (`suspend`).
//! - *Buffer*: a page has its place until it is programmed. A page that is written again before its program
//!   begins changes in its place; a read of a page in the buffer costs no flash. Without a place for all its
//!   pages a write waits, in the order of arrival; this is how collection is felt. With a buffer of 0 pages a
//!   write is done when its pages are programmed.
//! - *Parts of a page*: what is written of a page without the rest costs a read of that page before, if it was
//!   ever written.
//! - A page that was never written, or was trimmed, is read without flash.
//!
//! Sources: Agrawal and others, "Design Tradeoffs for SSD Performance", USENIX 2008 (interleaving, planes);
//! Tavakkol and others, "MQSim", FAST 2018 (order of work, allocation); Wu and He, "Reducing SSD Read Latency
//! via NAND Flash Program and Erase Suspension", FAST 2012.
//!
//! Left out: registers that load the next page while one is programmed, retries of reads and differences
//! between the pages of a cell, the map's own reads and writes, power, heat, fast cells used as a cache.
//! Unvalidated against a measured drive.

pub(crate) mod formulas;
pub(crate) mod translation;

use super::latency_cap::NoSuchDevice;
use crate::{Completion, Device, Operation, Picoseconds, Request};
use rustc_hash::FxHashMap;
use spindle_workload::Seeded;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use translation::{FlashSpec, TranslationLayer, Wear};

/// What makes an [`Ssd`]: every number is given by who asks for the drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SsdSpec {
    /// Its flash.
    pub flash: FlashSpec,
    /// Reading a page from the cells.
    pub read: Picoseconds,
    /// Programming a page.
    pub program: Picoseconds,
    /// Erasing a block.
    pub erase: Picoseconds,
    /// Bytes a second of a channel.
    pub channel_bytes_per_s: f64,
    /// What any command costs before it does anything, any number side by side.
    pub command: Picoseconds,
    /// Bytes a second of the link to the host, each way.
    pub link_bytes_per_s: f64,
    /// Pages of the write buffer; 0 for none.
    pub buffer_pages: u32,
    /// Whether reads of the host go before all else that waits for a die.
    pub reads_first: bool,
    /// What suspending a program or erase costs, where the drive does.
    pub suspend: Option<Picoseconds>,
}

/// What a die does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Program,
    Erase,
}

/// A command for a die.
#[derive(Clone, Copy, Debug)]
struct Command {
    kind: Kind,
    /// Its place in the order in which commands came.
    number: u64,
    /// The request that waits for it.
    waits: Option<usize>,
    /// The logical page of the buffer that it programs.
    page: Option<u64>,
}

/// Commands that wait for a plane.
#[derive(Debug, Default)]
struct Plane {
    reads: VecDeque<Command>,
    others: VecDeque<Command>,
}

/// What a die is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// In the cells, until then.
    Cells(Picoseconds),
    /// Waits for the channel, or uses it.
    Channel,
    /// On the way to suspend.
    Suspending,
}

#[derive(Debug)]
struct Die {
    phase: Phase,
    /// Commands under way, one a plane, all of one kind.
    commands: Vec<Command>,
    /// Counts the ends that were announced; only the last one holds.
    announced: u64,
    /// Suspended commands and what they have left.
    suspended: Option<(Vec<Command>, Picoseconds)>,
    /// Whether what is under way was suspended before.
    resumed: bool,
}

#[derive(Debug, Default)]
struct Channel {
    busy: bool,
    waiting: VecDeque<usize>,
}

/// What happens at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A request has been understood.
    Begun(usize),
    /// What is written has come over the link.
    Received(usize),
    /// A die ends what it is at, if nothing was announced since.
    Die(usize, u64),
    /// A channel ends the transfer for a die.
    Channel(usize, usize),
    Done(usize),
}

/// A request that is under way.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    tag: u64,
    request: Request,
    /// Pages that it waits for.
    waiting: u32,
    /// The next page that needs a place in the buffer.
    next_page: u64,
}

/// A page in the buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Buffered {
    /// Programs of it that are not done.
    programs: u32,
    /// Whether the last of them has not begun.
    can_change: bool,
}

/// The drive.
#[derive(Debug)]
pub struct Ssd {
    spec: SsdSpec,
    layer: TranslationLayer,
    planes: Vec<Plane>,
    dies: Vec<Die>,
    channels: Vec<Channel>,
    transfer: Picoseconds,
    link_in_free: Picoseconds,
    link_out_free: Picoseconds,
    /// By time; what the drive does itself comes before what arrives then, each in its order.
    events: BinaryHeap<Reverse<(Picoseconds, bool, u64, Event)>>,
    numbered: u64,
    arrived: u64,
    under_way: Vec<UnderWay>,
    vacant: Vec<usize>,
    /// Only looked up by page: its order decides nothing.
    buffer: FxHashMap<u64, Buffered>,
    places: u32,
    /// Writes without a place for all their pages.
    admission: VecDeque<usize>,
    commands: u64,
    /// Dies that may have something to begin or to suspend for: whether for a read of the host.
    woken: Vec<(usize, bool)>,
    now: Picoseconds,
}

/// What so many bytes take, rounded up.
fn pace(bytes: f64, per_s: f64) -> Picoseconds {
    Picoseconds((bytes * 1e12 / per_s).ceil() as u64)
}

impl Ssd {
    /// The drive of a specification, all of it unwritten.
    ///
    /// # Errors
    /// Where there is no such flash, a rate is not between 1 and 10^15 bytes a second, or a time is above an hour.
    pub fn new(spec: &SsdSpec) -> Result<Self, NoSuchDevice> {
        for (rate, what) in [(spec.channel_bytes_per_s, "channel"), (spec.link_bytes_per_s, "link")] {
            if !(1.0..=1e15).contains(&rate) {
                return Err(NoSuchDevice(format!(
                    "a {what} of {rate} bytes a second is none; it has at least 1 and at most 10^15"
                )));
            }
        }
        let times = [spec.read, spec.program, spec.erase, spec.command, spec.suspend.unwrap_or_default()];
        if let Some(time) = times.iter().find(|t| t.as_s() > 3_600.0) {
            return Err(NoSuchDevice(format!("a flash time of {time} is above an hour")));
        }
        let layer = TranslationLayer::new(&spec.flash)?;
        let dies = spec.flash.all_dies() as usize;
        let idle = || Die {
            phase: Phase::Idle,
            commands: Vec::new(),
            announced: 0,
            suspended: None,
            resumed: false,
        };
        Ok(Self {
            spec: *spec,
            layer,
            planes: (0..dies * spec.flash.planes as usize).map(|_| Plane::default()).collect(),
            dies: (0..dies).map(|_| idle()).collect(),
            channels: (0..spec.flash.channels).map(|_| Channel::default()).collect(),
            transfer: pace(f64::from(spec.flash.page_bytes), spec.channel_bytes_per_s),
            link_in_free: Picoseconds::ZERO,
            link_out_free: Picoseconds::ZERO,
            events: BinaryHeap::new(),
            numbered: 0,
            arrived: 0,
            under_way: Vec::new(),
            vacant: Vec::new(),
            buffer: FxHashMap::default(),
            places: 0,
            admission: VecDeque::new(),
            commands: 0,
            woken: Vec::new(),
            now: Picoseconds::ZERO,
        })
    }

    /// Bytes that the host sees; what lies beyond begins again at the first.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.layer.logical_pages() * u64::from(self.spec.flash.page_bytes)
    }

    /// What was written, moved and erased since the count began.
    #[must_use]
    pub fn wear(&self) -> Wear {
        self.layer.wear()
    }

    /// Brings the drive into use without taking time: all pages written in order, then random ones
    /// `overwrites` times its size. The count of what was written begins anew.
    pub fn precondition(&mut self, seed: u64, overwrites: f64) {
        self.precondition_told(seed, overwrites, &mut |_| {});
    }

    /// The same, told now and then how far it has come, as share.
    pub fn precondition_told(&mut self, seed: u64, overwrites: f64, told: &mut dyn FnMut(f64)) {
        const EACH: u64 = 1 << 16;
        let pages = self.layer.logical_pages();
        let mut random = Seeded::new(seed, 0);
        // A cast stays within the bounds of the integer.
        let over = (pages as f64 * overwrites) as u64;
        for write in 0..pages + over {
            if write % EACH == 0 {
                told(write as f64 / (pages + over) as f64);
            }
            self.layer.write(if write < pages { write } else { random.below(pages) });
        }
        self.layer.count_anew();
    }

    /// Says that these bytes are wanted no more; the whole pages among them are free at once. Takes no time.
    pub fn trim(&mut self, offset: u64, bytes: u64) {
        let size = u64::from(self.spec.flash.page_bytes);
        let end = offset.saturating_add(bytes) / size;
        for page in offset.div_ceil(size)..end.min(self.layer.logical_pages()) {
            // What is still in the buffer is written and then wanted no more: as good as never trimmed.
            if !self.buffer.contains_key(&page) {
                self.layer.trim(page);
            }
        }
    }

    fn at(&mut self, time: Picoseconds, event: Event) {
        self.numbered += 1;
        self.events.push(Reverse((time, false, self.numbered, event)));
    }

    /// First page of a request and the one after its last.
    fn pages_of(&self, request: Request) -> (u64, u64) {
        let size = u64::from(self.spec.flash.page_bytes);
        let first = request.offset / size;
        let end = request.offset.saturating_add(u64::from(request.bytes)).div_ceil(size);
        (first, end.max(first + 1))
    }

    /// The page of a drive that begins again behind its end.
    fn folded(&self, page: u64) -> u64 {
        page % self.layer.logical_pages()
    }

    fn command(&mut self, kind: Kind, waits: Option<usize>, page: Option<u64>) -> Command {
        self.commands += 1;
        Command { kind, number: self.commands, waits, page }
    }

    fn happen(&mut self, event: Event, completed: &mut Vec<Completion>) {
        match event {
            Event::Begun(slot) => match self.under_way[slot].request.operation {
                Operation::Read => self.read(slot),
                Operation::Write => {
                    let bytes = f64::from(self.under_way[slot].request.bytes);
                    let end = self.now.max(self.link_in_free) + pace(bytes, self.spec.link_bytes_per_s);
                    self.link_in_free = end;
                    self.at(end, Event::Received(slot));
                }
            },
            Event::Received(slot) => {
                let (first, end) = self.pages_of(self.under_way[slot].request);
                self.under_way[slot].next_page = first;
                self.under_way[slot].waiting = u32::try_from(end - first).unwrap_or(u32::MAX);
                self.admission.push_back(slot);
                self.admit();
            }
            Event::Die(die, announced) if announced == self.dies[die].announced => self.die_ends(die),
            Event::Die(..) => {}
            Event::Channel(channel, die) => self.transferred(channel, die),
            Event::Done(slot) => {
                completed.push(Completion { tag: self.under_way[slot].tag, at: self.now });
                self.vacant.push(slot);
            }
        }
        // Only now, so that what comes at one time for the planes of one die goes together.
        let mut woken = std::mem::take(&mut self.woken);
        for (die, is_read) in woken.drain(..) {
            self.wake(die, is_read);
        }
        self.woken = woken;
    }

    fn read(&mut self, slot: usize) {
        let (first, end) = self.pages_of(self.under_way[slot].request);
        for page in first..end {
            let page = self.folded(page);
            if self.layer.is_written(page) && !self.buffer.contains_key(&page) {
                let plane = self.layer.plane_of(page);
                let command = self.command(Kind::Read, Some(slot), None);
                self.planes[plane].reads.push_back(command);
                self.under_way[slot].waiting += 1;
                self.woken.push((plane % self.dies.len(), true));
            }
        }
        if self.under_way[slot].waiting == 0 {
            self.send(slot);
        }
    }

    /// Everything was read: over the link with it.
    fn send(&mut self, slot: usize) {
        let bytes = f64::from(self.under_way[slot].request.bytes);
        self.link_out_free = self.now.max(self.link_out_free) + pace(bytes, self.spec.link_bytes_per_s);
        self.at(self.link_out_free, Event::Done(slot));
    }

    /// Gives places in the buffer to those who wait, as far as there are any.
    fn admit(&mut self) {
        while let Some(&slot) = self.admission.front() {
            let (_, end) = self.pages_of(self.under_way[slot].request);
            while self.under_way[slot].next_page < end {
                if !self.take_in(slot, self.under_way[slot].next_page) {
                    return;
                }
                self.under_way[slot].next_page += 1;
            }
            self.admission.pop_front();
            if self.spec.buffer_pages > 0 {
                self.at(self.now, Event::Done(slot));
            }
        }
    }

    /// Takes one page of a write; false where the buffer is full.
    fn take_in(&mut self, slot: usize, page: u64) -> bool {
        let buffered = self.spec.buffer_pages > 0;
        let request = self.under_way[slot].request;
        let size = u64::from(self.spec.flash.page_bytes);
        let whole = request.offset <= page.saturating_mul(size)
            && request.offset.saturating_add(u64::from(request.bytes)) >= (page + 1).saturating_mul(size);
        let page = self.folded(page);
        let there = self.buffer.get(&page).copied();
        if buffered && there.is_some_and(|b| b.can_change) {
            return true;
        }
        if buffered && self.places == self.spec.buffer_pages {
            return false;
        }
        self.places += 1;
        let plane = self.layer.plane_of(page);
        let amends = !whole && there.is_none() && self.layer.is_written(page);
        if amends {
            let command = self.command(Kind::Read, None, None);
            self.planes[plane].others.push_back(command);
        }
        let work = self.layer.write(page);
        for _ in 0..work.moved {
            for kind in [Kind::Read, Kind::Program] {
                let command = self.command(kind, None, None);
                self.planes[plane].others.push_back(command);
            }
        }
        for _ in 0..work.erased {
            let command = self.command(Kind::Erase, None, None);
            self.planes[plane].others.push_back(command);
        }
        let command = self.command(Kind::Program, (!buffered).then_some(slot), Some(page));
        self.planes[plane].others.push_back(command);
        let entry = self.buffer.entry(page).or_default();
        entry.programs += 1;
        entry.can_change = true;
        self.woken.push((plane % self.dies.len(), false));
        true
    }

    /// Something waits for a die, or it is idle.
    fn wake(&mut self, die: usize, is_read: bool) {
        match self.dies[die].phase {
            Phase::Idle => self.begin(die),
            Phase::Cells(until) if is_read => {
                let Some(cost) = self.spec.suspend else { return };
                let it = &mut self.dies[die];
                let is_long = it.commands.first().is_some_and(|c| c.kind != Kind::Read);
                // Once only, or a stream of reads would put off a program for ever.
                if is_long && !it.resumed && until - self.now > cost {
                    it.suspended = Some((std::mem::take(&mut it.commands), until - self.now));
                    it.phase = Phase::Suspending;
                    it.announced += 1;
                    let announced = it.announced;
                    self.at(self.now + cost, Event::Die(die, announced));
                }
            }
            _ => {}
        }
    }

    /// A die that is idle begins what is next, if anything is.
    fn begin(&mut self, die: usize) {
        self.dies[die].phase = Phase::Idle;
        let dies = self.dies.len();
        let suspended = self.dies[die].suspended.is_some();
        let reads_first = self.spec.reads_first || suspended;
        // The next command of a plane, and whether it is a read of the host.
        let next = |plane: &Plane| match (plane.reads.front(), plane.others.front()) {
            (Some(read), Some(other)) if !reads_first && other.number < read.number => Some((*other, false)),
            (Some(read), _) => Some((*read, true)),
            (None, Some(other)) if !suspended => Some((*other, false)),
            _ => None,
        };
        let planes = (die..self.planes.len()).step_by(dies);
        let first = planes
            .clone()
            .filter_map(|p| next(&self.planes[p]))
            .min_by_key(|(command, is_read)| (reads_first && !is_read, command.number));
        let Some((first, _)) = first else {
            if let Some((commands, left)) = self.dies[die].suspended.take() {
                self.dies[die].commands = commands;
                self.dies[die].resumed = true;
                self.in_cells(die, left);
            }
            return;
        };
        for plane in planes {
            if let Some((command, is_read)) = next(&self.planes[plane]).filter(|(c, _)| c.kind == first.kind)
            {
                let plane = &mut self.planes[plane];
                if is_read {
                    plane.reads.pop_front()
                } else {
                    plane.others.pop_front()
                };
                self.dies[die].commands.push(command);
                if let Some(entry) = command.page.and_then(|page| self.buffer.get_mut(&page)) {
                    entry.can_change = false;
                }
            }
        }
        match first.kind {
            Kind::Read => self.in_cells(die, self.spec.read),
            Kind::Erase => self.in_cells(die, self.spec.erase),
            Kind::Program => self.ask_channel(die),
        }
    }

    fn in_cells(&mut self, die: usize, time: Picoseconds) {
        let until = self.now + time;
        let it = &mut self.dies[die];
        it.phase = Phase::Cells(until);
        it.announced += 1;
        let announced = it.announced;
        self.at(until, Event::Die(die, announced));
    }

    fn ask_channel(&mut self, die: usize) {
        self.dies[die].phase = Phase::Channel;
        let channel = die % self.channels.len();
        if self.channels[channel].busy {
            self.channels[channel].waiting.push_back(die);
        } else {
            self.on_channel(channel, die);
        }
    }

    fn on_channel(&mut self, channel: usize, die: usize) {
        self.channels[channel].busy = true;
        let pages = self.dies[die].commands.len() as u64;
        let end = self.now + Picoseconds(self.transfer.0.saturating_mul(pages));
        self.at(end, Event::Channel(channel, die));
    }

    fn transferred(&mut self, channel: usize, die: usize) {
        match self.channels[channel].waiting.pop_front() {
            Some(next) => self.on_channel(channel, next),
            None => self.channels[channel].busy = false,
        }
        match self.dies[die].commands.first().map(|c| c.kind) {
            Some(Kind::Program) => self.in_cells(die, self.spec.program),
            _ => self.ended(die),
        }
    }

    fn die_ends(&mut self, die: usize) {
        match self.dies[die].phase {
            Phase::Suspending => self.begin(die),
            _ if self.dies[die].commands.first().is_some_and(|c| c.kind == Kind::Read) => {
                self.ask_channel(die);
            }
            _ => self.ended(die),
        }
    }

    /// The commands of a die are done.
    fn ended(&mut self, die: usize) {
        let mut commands = std::mem::take(&mut self.dies[die].commands);
        self.dies[die].phase = Phase::Idle;
        if commands.first().is_some_and(|c| c.kind != Kind::Read) {
            self.dies[die].resumed = false;
        }
        for command in commands.drain(..) {
            if let Some(page) = command.page {
                self.places -= 1;
                if let Some(entry) = self.buffer.get_mut(&page) {
                    entry.programs -= 1;
                    if entry.programs == 0 {
                        self.buffer.remove(&page);
                    }
                }
            }
            if let Some(slot) = command.waits {
                self.under_way[slot].waiting -= 1;
                if self.under_way[slot].waiting == 0 {
                    match self.under_way[slot].request.operation {
                        Operation::Read => self.send(slot),
                        Operation::Write => self.at(self.now, Event::Done(slot)),
                    }
                }
            }
        }
        // Its memory is used again.
        self.dies[die].commands = commands;
        self.admit();
        self.woken.push((die, false));
    }
}

impl Device for Ssd {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        let it = UnderWay { tag, request, waiting: 0, next_page: 0 };
        let slot = match self.vacant.pop() {
            Some(slot) => {
                self.under_way[slot] = it;
                slot
            }
            None => {
                self.under_way.push(it);
                self.under_way.len() - 1
            }
        };
        self.arrived += 1;
        let at = now.max(self.now) + self.spec.command;
        self.events.push(Reverse((at, true, self.arrived, Event::Begun(slot))));
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.events.peek().map(|Reverse((at, ..))| *at)
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        while let Some(Reverse((at, _, _, event))) =
            self.events.peek().copied().filter(|Reverse((at, ..))| *at <= now)
        {
            self.events.pop();
            self.now = self.now.max(at);
            self.happen(event, completed);
        }
        self.now = self.now.max(now);
    }
}

#[cfg(test)]
mod tests;
