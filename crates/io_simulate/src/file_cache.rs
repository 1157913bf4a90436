//! The page cache of Linux before a device: buffered reads of files, and what is read ahead of them.
//!
//! ```text
//! read     page after page: there ─► next;  on its way ─► waits for it;  neither ─► asks for it and waits
//!          before a page that was not looked at yet: what is to be read ahead is asked for
//! write    passes through; whole pages of it are there afterwards
//! direct   goes around, reads and writes
//! ```
//!
//! *Reading ahead* is kept for each process and file. A read that goes on where the last one ended, or begins at the file's
//! first page, makes a window: of its own pages rounded up to a power of two, times four where that is at most 1/32 of the
//! most, times two where it is at most a quarter, else the most. Behind it comes a second window, twice as large (four
//! times while below 1/16 of the most), and when the reader comes into that, it becomes the first and another one is asked
//! for: so one window is on its way while the other is used. A read that goes on nowhere reads its own pages and drops both.
//! With a most of 0 nothing is read ahead, and each page that is not there is asked for by itself, or
//! ([`NotAhead::WholeRead`]) all of the read's.
//!
//! A page that was asked for is kept, least recently used first out; the reader's own copy takes time by its bytes, on a
//! processor of its own.
//!
//! Source: readahead.c and filemap.c of 2.6.12 [R]; default windows as on the reference's page of schedulers. Left out:
//! dirty pages and their writer, memory that others need, a queue that is too full to read ahead, pages found in memory
//! that end reading ahead, mapped files, the file system's own blocks.

use crate::caches::{Access, Cache, Lru};
use crate::{Completion, Device, NoSuchDevice, Operation, Origin, Picoseconds, Request};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What a page that is not there is asked for with, where nothing is read ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAhead {
    /// Alone, as Linux 2.6 does.
    OnePage,
    /// With the rest of the read: the kernels of today, and whatever reads a whole multiblock at once.
    WholeRead,
}

/// What makes a [`FileCache`], besides the device.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCacheSpec {
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Pages of memory.
    pub pages: usize,
    /// Bytes that are read ahead at most, of one window; 0 for nothing.
    pub most_ahead_bytes: u32,
    /// And at least.
    pub least_ahead_bytes: u32,
    /// What happens where nothing is read ahead.
    pub not_ahead: NotAhead,
    /// Bytes of a request, at most.
    pub request_bytes: u32,
    /// Bytes a second that are copied to the reader; `None` for no time.
    pub copy_bytes_per_s: Option<f64>,
    /// Bytes of the device at which files end, ascending. What lies behind the last is one more.
    pub file_ends: Vec<u64>,
    /// Processes that go around (`O_DIRECT`), ascending.
    pub direct: Vec<u32>,
}

impl FileCacheSpec {
    /// Linux 2.6 with so much memory for it: windows of 16 to 128 KiB [S], pages of 4 KiB, requests up to 512 KiB [S].
    #[must_use]
    pub fn linux_2_6(memory_bytes: u64) -> Self {
        Self {
            page_bytes: 4_096,
            pages: usize::try_from(memory_bytes / 4_096).unwrap_or(usize::MAX),
            most_ahead_bytes: 128 << 10,
            least_ahead_bytes: 16 << 10,
            not_ahead: NotAhead::OnePage,
            request_bytes: 512 << 10,
            copy_bytes_per_s: None,
            file_ends: Vec::new(),
            direct: Vec::new(),
        }
    }
}

/// Pages one after the other, numbered in their file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pages {
    first: u64,
    count: u64,
}

impl Pages {
    const fn end(&self) -> u64 {
        self.first + self.count
    }
}

/// What is read ahead for a process in a file; sizes in pages.
#[derive(Clone, Copy, Debug, Default)]
struct Windows {
    /// The page after the last that was looked at; the first of the file, to begin with.
    next: u64,
    current: Pages,
    ahead: Pages,
}

impl Windows {
    /// A read of so many pages from a page on: what to ask for, and the page before which to look again.
    fn look(&mut self, page: u64, wanted: u64, least: u64, most: u64) -> ([Pages; 2], u64) {
        let nothing = Pages::default();
        // The last page once more: a read that is smaller than a page.
        let (page, wanted) = if page + 1 == self.next { (page + 1, wanted - 1) } else { (page, wanted) };
        let goes_on = page == self.next;
        let size = wanted.min(most);
        self.next = page + size.max(1);
        if size == 0 {
            self.next = page + u64::from(wanted > 0);
            return ([nothing; 2], self.next);
        }
        if !goes_on {
            (self.current, self.ahead) = (nothing, nothing);
            return ([Pages { first: page, count: size }, nothing], self.next);
        }
        let mut asked = [nothing; 2];
        if self.current.count == 0 {
            self.current = Pages { first: page, count: first_window(size, most).max(least).min(most) };
            asked[0] = self.current;
            if wanted >= most {
                asked[1] = self.second_window(least, most);
            }
            return (asked, self.next);
        }
        if self.ahead.count == 0 {
            asked[0] = self.second_window(least, most);
        }
        if self.next > self.ahead.first {
            self.current = self.ahead;
            asked[1] = self.second_window(least, most);
            self.next = self.next.min(self.ahead.end());
        }
        (asked, self.next)
    }

    fn second_window(&mut self, least: u64, most: u64) -> Pages {
        let size = self.current.count;
        let grown = if size < most / 16 { 4 * size } else { 2 * size };
        self.ahead = Pages { first: self.current.end(), count: grown.max(least).min(most) };
        self.ahead
    }
}

/// Pages of the first window of a read.
fn first_window(size: u64, most: u64) -> u64 {
    match size.next_power_of_two() {
        size if size <= most / 32 => 4 * size,
        size if size <= most / 4 => 2 * size,
        _ => most,
    }
}

/// A page that is there, or on its way with a request of this number.
const THERE: u32 = u32::MAX;

/// A read under way, in pages of the device.
#[derive(Clone, Copy, Debug)]
struct Reader {
    tag: u64,
    from: Origin,
    bytes: u32,
    /// The page that it is at.
    at: u64,
    end: u64,
    /// Before this page it looks what to read ahead.
    look: u64,
    file: usize,
}

/// A request to the device.
#[derive(Clone, Debug, Default)]
struct Transfer {
    /// Pages of the device that it brings.
    pages: Pages,
    /// Readers that wait for one of them.
    readers: Vec<usize>,
    /// What passes through or goes around: its tag.
    passes: Option<u64>,
}

/// A device behind a page cache.
#[derive(Debug)]
pub struct FileCache<D> {
    spec: FileCacheSpec,
    /// In pages.
    least: u64,
    most: u64,
    largest: u64,
    device: D,
    policy: Lru,
    /// Where each page of the policy is. Only looked up by page: its order decides nothing.
    pages: FxHashMap<u64, u32>,
    /// By process and file. Only looked up, and cleared of a process: its order decides nothing.
    windows: FxHashMap<(u32, usize), Windows>,
    readers: Vec<Reader>,
    vacant_readers: Vec<usize>,
    transfers: Vec<Transfer>,
    vacant_transfers: Vec<usize>,
    hits: u64,
    misses: u64,
    /// Reads whose bytes are being copied, by the time at which they are.
    copying: BinaryHeap<Reverse<(Picoseconds, u64, u64)>>,
    copies: u64,
    answered: Vec<Completion>,
    done: VecDeque<Completion>,
    now: Picoseconds,
}

impl<D: Device> FileCache<D> {
    /// A page cache before a device.
    ///
    /// # Errors
    /// Where pages or requests have no bytes, windows are smaller than a page or above 1 GiB, the copy is not between 1 and
    /// 10^15 bytes a second, or files or processes are not in order.
    pub fn new(spec: FileCacheSpec, device: D) -> Result<Self, NoSuchDevice> {
        let no = |why: String| Err(NoSuchDevice(why));
        let page = spec.page_bytes;
        if page == 0 || spec.pages == 0 {
            return no("a page cache without pages, or with pages without bytes, is none".to_owned());
        }
        if spec.request_bytes < page {
            return no(format!("requests of {} bytes do not hold a page of {page}", spec.request_bytes));
        }
        if spec.most_ahead_bytes > 0 && spec.most_ahead_bytes < page || spec.most_ahead_bytes > 1 << 30 {
            return no(format!(
                "reading ahead {} bytes is none; it is 0, or at least a page of {page}, and at most 1 GiB",
                spec.most_ahead_bytes
            ));
        }
        if let Some(rate) = spec.copy_bytes_per_s.filter(|rate| !(1.0..=1e15).contains(rate)) {
            return no(format!("copying {rate} bytes a second is none; it is at least 1 and at most 10^15"));
        }
        if !spec.file_ends.is_sorted() || !spec.direct.is_sorted() {
            return no("ends of files, and processes that go around, are given in ascending order".to_owned());
        }
        let pages = |bytes: u32| u64::from(bytes / page);
        Ok(Self {
            least: pages(spec.least_ahead_bytes).max(1),
            most: pages(spec.most_ahead_bytes),
            largest: pages(spec.request_bytes).max(1),
            device,
            policy: Lru::new(spec.pages),
            pages: FxHashMap::default(),
            windows: FxHashMap::default(),
            readers: Vec::new(),
            vacant_readers: Vec::new(),
            transfers: Vec::new(),
            vacant_transfers: Vec::new(),
            hits: 0,
            misses: 0,
            copying: BinaryHeap::new(),
            copies: 0,
            answered: Vec::new(),
            done: VecDeque::new(),
            now: Picoseconds::ZERO,
            spec,
        })
    }

    /// The device.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// Pages that readers found, of all that they came to; one on its way counts as found. `None` where there was no read.
    #[must_use]
    pub fn hit_rate(&self) -> Option<f64> {
        let all = self.hits + self.misses;
        (all > 0).then(|| self.hits as f64 / all as f64)
    }

    fn page_of(&self, byte: u64) -> u64 {
        byte / u64::from(self.spec.page_bytes)
    }

    /// First page of a file, and the first behind it.
    fn file_pages(&self, file: usize) -> (u64, u64) {
        let ends = &self.spec.file_ends;
        let first = file.checked_sub(1).map_or(0, |before| self.page_of(ends[before]));
        let size = u64::from(self.spec.page_bytes);
        (first, ends.get(file).map_or(u64::MAX, |end| end.div_ceil(size)))
    }

    /// Sends something to the device.
    fn transfer(&mut self, transfer: Transfer, from: Origin, request: Request) -> usize {
        let number = match self.vacant_transfers.pop() {
            Some(number) => {
                self.transfers[number] = transfer;
                number
            }
            None => {
                self.transfers.push(transfer);
                self.transfers.len() - 1
            }
        };
        self.device.submit_from(self.now, number as u64, from, request);
        number
    }

    /// A page is kept from now on.
    fn keep(&mut self, page: u64, where_it_is: u32) {
        if let Access::Miss { evicted: Some(gone) } = self.policy.access(page) {
            self.pages.remove(&gone);
        }
        self.pages.insert(page, where_it_is);
    }

    /// Asks the device for those of some pages that are not there; the first request.
    fn ask(&mut self, from: Origin, pages: Pages) -> Option<usize> {
        let mut first = None;
        let mut at = pages.first;
        while at < pages.end() {
            let most = pages.end().min(at + self.largest);
            let mut end = at;
            while end < most && !self.pages.contains_key(&end) {
                end += 1;
            }
            if end == at {
                at += 1;
                continue;
            }
            let missing = Pages { first: at, count: end - at };
            let size = u64::from(self.spec.page_bytes);
            // At most as many as a request has.
            let bytes = u32::try_from(missing.count * size).unwrap_or(u32::MAX);
            let request = Request { operation: Operation::Read, offset: at * size, bytes };
            let number = self.transfer(Transfer { pages: missing, ..Transfer::default() }, from, request);
            first = first.or(Some(number));
            for page in at..end {
                self.keep(page, u32::try_from(number).unwrap_or(THERE - 1));
            }
            at = end;
        }
        first
    }

    /// What is to be read ahead of a reader; where it looks again.
    fn look_ahead(&mut self, reader: &Reader) -> u64 {
        let (first, end) = self.file_pages(reader.file);
        let windows = self.windows.entry((reader.from.process, reader.file)).or_default();
        let wanted = reader.end - reader.at;
        let (asked, look) = windows.look(reader.at - first, wanted, self.least, self.most);
        for pages in asked {
            let from = first + pages.first;
            let count = pages.count.min(end.saturating_sub(from));
            if count > 0 {
                self.ask(reader.from, Pages { first: from, count });
            }
        }
        (first + look).max(reader.at + 1)
    }

    /// A reader goes on as far as it can.
    fn go_on(&mut self, number: usize) {
        let mut reader = self.readers[number];
        while reader.at < reader.end {
            if reader.at >= reader.look {
                reader.look = self.look_ahead(&reader);
            }
            match self.pages.get(&reader.at).copied() {
                Some(THERE) => {
                    self.hits += 1;
                    self.policy.access(reader.at);
                    reader.at += 1;
                }
                Some(transfer) => {
                    self.hits += 1;
                    self.transfers[transfer as usize].readers.push(number);
                    self.readers[number] = reader;
                    return;
                }
                None => {
                    self.misses += 1;
                    let count = match self.spec.not_ahead {
                        NotAhead::OnePage => 1,
                        NotAhead::WholeRead => reader.end - reader.at,
                    };
                    // It is missing, so it is in the first request, even where memory is too small to keep it.
                    if let Some(transfer) = self.ask(reader.from, Pages { first: reader.at, count }) {
                        self.transfers[transfer].readers.push(number);
                        self.readers[number] = reader;
                        return;
                    }
                    reader.at += 1;
                }
            }
        }
        self.vacant_readers.push(number);
        match self.spec.copy_bytes_per_s {
            None => self.done.push_back(Completion { tag: reader.tag, at: self.now }),
            Some(rate) => {
                let takes = Picoseconds((f64::from(reader.bytes) * 1e12 / rate).ceil() as u64);
                self.copies += 1;
                self.copying.push(Reverse((self.now + takes, self.copies, reader.tag)));
            }
        }
    }

    /// The device is done with something.
    fn answer(&mut self, number: usize) {
        let transfer = std::mem::take(&mut self.transfers[number]);
        if let Some(tag) = transfer.passes {
            self.done.push_back(Completion { tag, at: self.now });
        }
        for page in transfer.pages.first..transfer.pages.end() {
            if let Some(where_it_is) = self.pages.get_mut(&page).filter(|w| **w as usize == number) {
                *where_it_is = THERE;
            }
        }
        self.vacant_transfers.push(number);
        for reader in transfer.readers {
            // What it waited for it has, even if the page had to go again meanwhile.
            self.readers[reader].at += 1;
            self.go_on(reader);
        }
    }

    fn read(&mut self, tag: u64, from: Origin, request: Request) {
        let size = u64::from(self.spec.page_bytes);
        // Beyond lies no device.
        let offset = request.offset.min(1 << 62);
        let at = offset / size;
        let end = (offset + u64::from(request.bytes)).div_ceil(size).max(at + 1);
        let file = self.spec.file_ends.partition_point(|file_end| *file_end <= offset);
        let reader = Reader { tag, from, bytes: request.bytes, at, end, look: at, file };
        let number = match self.vacant_readers.pop() {
            Some(number) => {
                self.readers[number] = reader;
                number
            }
            None => {
                self.readers.push(reader);
                self.readers.len() - 1
            }
        };
        self.go_on(number);
    }

    fn next_below(&self) -> Option<Picoseconds> {
        let copied = self.copying.peek().map(|Reverse((at, ..))| *at);
        match (copied, self.device.next_event()) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Lets everything happen by then; at one time what the device does comes first.
    fn run(&mut self, until: Picoseconds) {
        while let Some(next) = self.next_below().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            let mut answered = std::mem::take(&mut self.answered);
            self.device.advance(self.now, &mut answered);
            for answer in answered.drain(..) {
                // Numbers are ours.
                if let Ok(number) = usize::try_from(answer.tag) {
                    self.answer(number);
                }
            }
            self.answered = answered;
            while let Some(Reverse((at, _, tag))) = self.copying.peek().copied()
                && at <= self.now
            {
                self.copying.pop();
                self.done.push_back(Completion { tag, at });
            }
        }
        self.now = self.now.max(until);
    }
}

impl<D: Device> Device for FileCache<D> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.submit_from(now, tag, Origin::default(), request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        // What happens until now comes first, whether somebody has looked or not.
        self.run(now);
        let direct = self.spec.direct.binary_search(&from.process).is_ok();
        if request.operation == Operation::Read && !direct {
            return self.read(tag, from, request);
        }
        if !direct {
            let size = u64::from(self.spec.page_bytes);
            let end = request.offset.saturating_add(u64::from(request.bytes)) / size;
            for page in request.offset.div_ceil(size)..end {
                self.keep(page, THERE);
            }
        }
        self.transfer(Transfer { passes: Some(tag), ..Transfer::default() }, from, request);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.run(now);
        self.windows.retain(|(of, _), _| *of != process);
        self.device.ended(self.now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.done.front().map(|d| d.at).or_else(|| self.next_below())
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.run(now);
        completed.extend(self.done.drain(..));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{LatencyCap, LatencyCapSpec};
    use proptest::prelude::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// What reached the device: write or read, KiB from, KiB.
    type Log = Rc<RefCell<Vec<(char, u64, u32)>>>;

    /// Each request takes 1 ms.
    #[derive(Debug)]
    struct Below(LatencyCap, Log);

    impl Device for Below {
        fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
            let what = if request.operation == Operation::Read { 'r' } else { 'w' };
            self.1.borrow_mut().push((what, request.offset / 1_024, request.bytes / 1_024));
            self.0.submit(now, tag, request);
        }

        fn next_event(&self) -> Option<Picoseconds> {
            self.0.next_event()
        }

        fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
            self.0.advance(now, completed);
        }
    }

    fn spec() -> FileCacheSpec {
        FileCacheSpec::linux_2_6(64 << 20)
    }

    fn cache(change: impl Fn(&mut FileCacheSpec)) -> (FileCache<Below>, Log) {
        let mut spec = spec();
        change(&mut spec);
        let latency = Picoseconds::from_us(1_000.0);
        let device = LatencyCap::new(&LatencyCapSpec { latency, iops: None, bytes_per_s: None }).unwrap();
        let log = Log::default();
        (FileCache::new(spec, Below(device, Rc::clone(&log))).unwrap(), log)
    }

    const A: Origin = Origin { process: 1, waits: true };
    const B: Origin = Origin { process: 2, waits: true };

    /// Reads one after the other, KiB from and KiB; what each takes, us.
    fn reads(cache: &mut FileCache<Below>, asked: &[(Origin, u64, u32)]) -> Vec<f64> {
        let (mut done, mut now) = (Vec::new(), cache.now);
        let mut took = Vec::new();
        for (from, offset, kib) in asked {
            let request = Request { operation: Operation::Read, offset: offset * 1_024, bytes: kib * 1_024 };
            cache.submit_from(now, 0, *from, request);
            let begun = now;
            while done.is_empty() {
                now = cache.next_event().unwrap();
                cache.advance(now, &mut done);
            }
            done.clear();
            took.push((now - begun).as_us());
        }
        took
    }

    /// A file from its beginning, in reads of so many KiB: what the device is asked for.
    fn asked_for(change: impl Fn(&mut FileCacheSpec), kib: u32, count: u64) -> Vec<(u64, u32)> {
        let (mut cache, log) = cache(change);
        let all: Vec<(Origin, u64, u32)> = (0..count).map(|i| (A, i * u64::from(kib), kib)).collect();
        reads(&mut cache, &all);
        let log = log.borrow();
        log.iter().map(|(_, from, kib)| (*from, *kib)).collect()
    }

    #[test]
    fn windows_double_from_16_to_128_kib_and_one_is_on_its_way() {
        // Two windows with the second read, and each further one when the reader comes into the one before.
        let asked = asked_for(|_| {}, 4, 60);
        assert_eq!(asked, [(0, 16), (16, 32), (48, 64), (112, 128), (240, 128)]);
        assert_eq!(asked_for(|_| {}, 4, 1), [(0, 16)]);
        assert_eq!(asked_for(|_| {}, 4, 4), [(0, 16), (16, 32)]);
        assert_eq!(asked_for(|_| {}, 4, 5), [(0, 16), (16, 32), (48, 64)]);
        // Of 64 KiB at most it would begin with 8.
        let smaller =
            |least| asked_for(move |s| (s.most_ahead_bytes, s.least_ahead_bytes) = (64 << 10, least), 4, 1);
        assert_eq!(smaller(16 << 10), [(0, 16)]);
        assert_eq!(smaller(4 << 10), [(0, 8)]);
    }

    #[test]
    fn a_read_as_large_as_a_window_has_two_on_their_way_at_once() {
        let asked = asked_for(|_| {}, 128, 3);
        assert_eq!(asked, [(0, 128), (128, 128), (256, 128), (384, 128)]);
    }

    #[test]
    fn windows_of_2_mib_come_in_requests_of_512_kib() {
        let asked = asked_for(|s| s.most_ahead_bytes = 2 << 20, 128, 2);
        // 128, doubled as a quarter of the most; then 512.
        assert_eq!(asked, [(0, 256), (256, 512)]);
        // The seventh read comes into the third window, of 1 MiB; the fourth is one of 2 MiB.
        let asked = asked_for(|s| s.most_ahead_bytes = 2 << 20, 128, 7);
        assert_eq!(asked[..4], [(0, 256), (256, 512), (768, 512), (1_280, 512)]);
        assert_eq!(asked[4..], [(1_792, 512), (2_304, 512), (2_816, 512), (3_328, 512)]);
    }

    #[test]
    fn reading_ahead_hides_the_device_from_a_reader_that_thinks() {
        let (mut with, _) = cache(|_| {});
        let took = reads(&mut with, &[(A, 0, 128), (A, 128, 128), (A, 256, 128)]);
        assert_eq!(took, [1_000.0, 0.0, 1_000.0]);
        let (mut without, _) = cache(|s| (s.most_ahead_bytes, s.not_ahead) = (0, NotAhead::WholeRead));
        assert_eq!(reads(&mut without, &[(A, 0, 128), (A, 128, 128)]), [1_000.0, 1_000.0]);
    }

    #[test]
    fn without_reading_ahead_each_page_is_asked_for_by_itself_or_all_of_the_read() {
        assert_eq!(asked_for(|s| s.most_ahead_bytes = 0, 16, 1), [(0, 4), (4, 4), (8, 4), (12, 4)]);
        let whole = |s: &mut FileCacheSpec| (s.most_ahead_bytes, s.not_ahead) = (0, NotAhead::WholeRead);
        assert_eq!(asked_for(whole, 16, 2), [(0, 16), (16, 16)]);
    }

    #[test]
    fn a_read_that_goes_on_nowhere_drops_the_windows() {
        let (mut cache, log) = cache(|_| {});
        reads(&mut cache, &[(A, 0, 4), (A, 4, 4), (A, 40_000, 4), (A, 40_004, 4)]);
        let log = log.borrow();
        // What follows a stray read begins anew.
        assert_eq!(log[2..], [('r', 40_000, 4), ('r', 40_004, 16)]);
    }

    #[test]
    fn each_process_and_each_file_has_windows_of_its_own() {
        // Two readers of one file, by turns, far apart: neither disturbs the other.
        let by_turns = |second: Origin| {
            let (mut cache, log) = cache(|s| s.file_ends = vec![1 << 20]);
            let both = (0..8).flat_map(|i| [(A, i * 4, 4), (second, 512 + i * 4, 4)]);
            reads(&mut cache, &both.collect::<Vec<_>>());
            log.take().len()
        };
        assert!(by_turns(B) < by_turns(A), "{} {}", by_turns(B), by_turns(A));
        // And the same process in two files.
        let (mut cache, log) = cache(|s| s.file_ends = vec![1 << 20]);
        let both = (0..8).flat_map(|i| [(A, i * 4, 4), (A, 1_024 + i * 4, 4)]);
        reads(&mut cache, &both.collect::<Vec<_>>());
        assert_eq!(log.borrow()[..2], [('r', 0, 16), ('r', 1_024, 16)]);
    }

    #[test]
    fn nothing_is_read_ahead_past_the_end_of_a_file() {
        let asked = asked_for(|s| s.file_ends = vec![24 << 10], 4, 6);
        assert_eq!(asked, [(0, 16), (16, 8)]);
    }

    #[test]
    fn what_is_in_memory_takes_its_copy_alone() {
        let (mut cache, log) = cache(|s| s.copy_bytes_per_s = Some(4_096e6));
        assert_eq!(reads(&mut cache, &[(A, 0, 4), (A, 0, 4), (B, 0, 4)]), [1_001.0, 1.0, 1.0]);
        assert_eq!(log.borrow().len(), 1);
        assert!(cache.hit_rate().unwrap() > 0.6);
    }

    #[test]
    fn memory_is_bounded() {
        let (mut cache, log) = cache(|s| {
            s.pages = 8;
            s.most_ahead_bytes = 0;
        });
        let all: Vec<(Origin, u64, u32)> = (0..20).chain(0..20).map(|i| (A, i * 4, 4)).collect();
        reads(&mut cache, &all);
        assert_eq!(log.borrow().len(), 40);
        assert_eq!((cache.pages.len(), cache.policy.len()), (8, 8));
    }

    #[test]
    fn a_read_larger_than_memory_waits_for_all_of_its_pages() {
        let (mut cache, _) = cache(|s| s.pages = 2);
        let took = reads(&mut cache, &[(A, 0, 1_024)])[0];
        assert!(took >= 1_000.0, "{took}");
        let (mut page_by_page, _) = super::tests::cache(|s| (s.pages, s.most_ahead_bytes) = (2, 0));
        assert_eq!(reads(&mut page_by_page, &[(A, 0, 16)]), [4_000.0]);
    }

    #[test]
    fn who_reads_directly_goes_around() {
        let (mut cache, log) = cache(|s| s.direct = vec![B.process]);
        assert_eq!(reads(&mut cache, &[(B, 0, 64), (B, 0, 64), (A, 0, 4)]), [1_000.0, 1_000.0, 1_000.0]);
        assert_eq!(*log.borrow(), [('r', 0, 64), ('r', 0, 64), ('r', 0, 16)]);
    }

    #[test]
    fn writes_pass_through_and_whole_pages_of_them_are_there() {
        let (mut cache, log) = cache(|s| s.most_ahead_bytes = 0);
        let write = Request { operation: Operation::Write, offset: 2_048, bytes: 8_192 };
        cache.submit_from(Picoseconds::ZERO, 9, A, write);
        let mut done = Vec::new();
        cache.advance(Picoseconds::SECOND, &mut done);
        assert_eq!(done, [Completion { tag: 9, at: Picoseconds::from_us(1_000.0) }]);
        // Pages 0 and 2 were written in part.
        assert_eq!(reads(&mut cache, &[(A, 4, 4), (A, 0, 4), (A, 8, 4)]), [0.0, 1_000.0, 1_000.0]);
        assert_eq!(log.borrow().len(), 3);
    }

    #[test]
    fn what_is_no_page_cache_says_why() {
        let refused = |change: &dyn Fn(&mut FileCacheSpec)| {
            let mut spec = spec();
            change(&mut spec);
            let device = LatencyCap::new(&LatencyCapSpec {
                latency: Picoseconds::ZERO,
                iops: None,
                bytes_per_s: None,
            });
            FileCache::new(spec, device.unwrap()).unwrap_err().0
        };
        assert!(refused(&|s| s.pages = 0).contains("without pages"));
        assert!(refused(&|s| s.request_bytes = 512).contains("do not hold a page"));
        assert!(refused(&|s| s.most_ahead_bytes = 100).contains("reading ahead 100 bytes"));
        assert!(refused(&|s| s.copy_bytes_per_s = Some(f64::NAN)).contains("copying NaN"));
        assert!(refused(&|s| s.file_ends = vec![5, 3]).contains("ascending"));
    }

    proptest! {
        #[test]
        fn every_request_is_done_once_however_often_one_looks(
            asks in prop::collection::vec(
                (prop_oneof![Just(0), 0..3_000_u64], 0..4_u32, 0..6_u8, 0..200_u64, 0..80_u32), 1..80),
            looks in prop::collection::vec(0..100_000_u64, 0..20),
            (pages, most, whole) in (1..200_usize, prop_oneof![Just(0), 1..64_u32], any::<bool>()),
        ) {
            let mut looks = looks;
            looks.sort_unstable();
            let log = |looks: &[u64]| {
                let (mut cache, sent) = cache(|s| {
                    s.pages = pages;
                    s.most_ahead_bytes = most * 4_096;
                    s.not_ahead = if whole { NotAhead::WholeRead } else { NotAhead::OnePage };
                    s.direct = vec![3];
                    s.file_ends = vec![100 << 12];
                    s.copy_bytes_per_s = Some(1e9);
                });
                let (mut completed, mut now) = (Vec::new(), 0);
                for (tag, (gap, process, what, page, blocks)) in (0..).zip(&asks) {
                    let next = now + gap;
                    for look in looks.iter().filter(|t| (now..=next).contains(*t)) {
                        cache.advance(Picoseconds::from_us(*look as f64), &mut completed);
                    }
                    now = next;
                    let at = Picoseconds::from_us(now as f64);
                    let operation = if *what == 0 { Operation::Write } else { Operation::Read };
                    let request = Request { operation, offset: page * 3_000, bytes: blocks * 2_000 };
                    cache.submit_from(at, tag, Origin { process: *process, waits: true }, request);
                    if *what == 1 {
                        cache.ended(at, *process);
                    }
                }
                while let Some(next) = cache.next_event() {
                    cache.advance(next, &mut completed);
                }
                let sent = sent.borrow().clone();
                (completed, sent)
            };
            let alone = log(&[]);
            let mut tags: Vec<u64> = alone.0.iter().map(|c| c.tag).collect();
            tags.sort_unstable();
            prop_assert_eq!(tags, (0..asks.len() as u64).collect::<Vec<_>>());
            prop_assert!(alone.0.is_sorted_by_key(|c| c.at));
            prop_assert_eq!(alone, log(&looks));
        }
    }
}
