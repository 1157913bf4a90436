//! From one file to the texts in it: gzip, Zstandard, zip and tar, one inside another, known by
//! their first bytes. Memory and time are bounded whatever an archive claims about itself.

use super::tar::{self, Entry};
use super::{Limits, Opened, Unread, lower_first, printable};
use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek};
use std::ops::ControlFlow;

/// Where the results go; `Break` when nobody wants more.
type Emit<'a> = &'a mut dyn FnMut(Opened) -> ControlFlow<()>;

/// What the first bytes show.
enum Wrapping {
    Gzip,
    Zstd,
    Zip,
    Tar,
    /// A format that is not opened: what it is and what to do.
    Foreign(&'static str),
    None,
}

/// Bytes that are enough to know a wrapping: a tar names itself at offset 257.
const MAGIC_BYTES: usize = 512;

fn wrapping(head: &[u8]) -> Wrapping {
    let is = |magic: &[u8]| head.starts_with(magic);
    if is(b"\x1f\x8b") {
        Wrapping::Gzip
    } else if is(b"\x28\xb5\x2f\xfd") {
        Wrapping::Zstd
    } else if is(b"PK\x03\x04") || is(b"PK\x05\x06") {
        Wrapping::Zip
    } else if head.get(257..262) == Some(b"ustar") {
        Wrapping::Tar
    } else if is(b"BZh") {
        Wrapping::Foreign("a bzip2 file; unpack it with `bunzip2` and give the result")
    } else if is(b"\xfd7zXZ\0") {
        Wrapping::Foreign("an xz file; unpack it with `unxz` and give the result")
    } else if is(b"7z\xbc\xaf\x27\x1c") {
        Wrapping::Foreign("a 7-Zip archive; unpack it and give the folder")
    } else if is(b"Rar!") {
        Wrapping::Foreign("a RAR archive; unpack it and give the folder")
    } else if is(b"\x1f\x9d") {
        Wrapping::Foreign("a `compress` file; unpack it with `uncompress` and give the result")
    } else if is(b"%PDF-") {
        Wrapping::Foreign("a PDF, which keeps no tables; give the report as Oracle wrote it, HTML or text")
    } else if is(b"\xd0\xcf\x11\xe0") {
        Wrapping::Foreign("an old Office document; save it as plain text or HTML and give that")
    } else {
        Wrapping::None
    }
}

thread_local! {
    /// Memory of the text that this thread read last, for the next one: freed, it would be split up
    /// among the facts, and the next text would grow the process.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The most memory that a thread keeps for the next text: nearly every report fits.
const SPARE_BYTES: usize = 4 << 20;

/// Takes the memory of a text that nobody reads any more.
pub(super) fn give_back(mut bytes: Vec<u8>) {
    if bytes.capacity() <= SPARE_BYTES {
        bytes.clear();
        SPARE.set(bytes);
    }
}

/// Opens everything inside a file.
pub(super) fn unpack(
    source: &str,
    mut file: impl Read + Seek,
    limits: &Limits,
    emit: Emit<'_>,
) -> ControlFlow<()> {
    match size_and_head(&mut file) {
        Err(error) => emit(unread(source, not_read(&error))),
        Ok((size, head)) => {
            let mut unpacker = Unpacker::new(limits, size.saturating_mul(limits.ratio));
            unpacker.plain_bytes = size.min(limits.text_bytes);
            match wrapping(&head) {
                Wrapping::Zip => unpacker.zip(source, file, 1, emit),
                _ => unpacker.stream(source, &mut file, 0, emit),
            }
        }
    }
}

/// Opens everything inside a stream that cannot be rewound, such as standard input.
pub(super) fn unpack_stream(
    source: &str,
    stream: &mut dyn Read,
    limits: &Limits,
    emit: Emit<'_>,
) -> ControlFlow<()> {
    Unpacker::new(limits, limits.stream_bytes).stream(source, stream, 0, emit)
}

/// Size and first bytes of a file, which is left at its start.
fn size_and_head(file: &mut (impl Read + Seek)) -> io::Result<(u64, Vec<u8>)> {
    let size = file.seek(io::SeekFrom::End(0))?;
    file.rewind()?;
    let mut head = Vec::with_capacity(MAGIC_BYTES);
    file.take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
    file.rewind()?;
    Ok((size, head))
}

struct Unpacker<'a> {
    limits: &'a Limits,
    /// Bytes that may still come out of all wrappings of this file together: bounds the time that
    /// an archive with overlapping members can take.
    allowance: Cell<u64>,
    /// Size of the file, where it is one: what a text takes that is wrapped in nothing.
    plain_bytes: u64,
}

impl<'a> Unpacker<'a> {
    fn new(limits: &'a Limits, allowance: u64) -> Self {
        let allowance = Cell::new(allowance.saturating_add(limits.small_bytes));
        Self { limits, allowance, plain_bytes: 0 }
    }

    /// `layer` counts the wrappings already opened around the stream.
    fn stream(&self, source: &str, stream: &mut dyn Read, layer: u32, emit: Emit<'_>) -> ControlFlow<()> {
        let mut head = Vec::with_capacity(MAGIC_BYTES);
        if let Err(error) = stream.take(MAGIC_BYTES as u64).read_to_end(&mut head) {
            return emit(unread(source, not_read(&error)));
        }
        let kind = wrapping(&head);
        if layer >= self.limits.layers && !matches!(kind, Wrapping::Foreign(_) | Wrapping::None) {
            let reason = format!("packed {layer} times over; unpack it and give the result");
            return emit(unread(source, reason));
        }
        let packed_bytes = Cell::new(0);
        match kind {
            Wrapping::None => {
                // One byte more, so that its end is seen without growing.
                let size = if layer == 0 { self.plain_bytes + 1 } else { 0 };
                let mut bytes = SPARE.take();
                bytes.reserve_exact(usize::try_from(size).unwrap_or(0).max(head.len()));
                bytes.append(&mut head);
                self.content(source, bytes, stream, emit)
            }
            Wrapping::Foreign(what) => emit(unread(source, what.to_owned())),
            Wrapping::Tar => self.tar(source, &mut Cursor::new(head).chain(stream), layer + 1, emit),
            Wrapping::Zip => match self.whole(head, stream) {
                Ok(bytes) => self.zip(source, Cursor::new(bytes), layer + 1, emit),
                Err(reason) => emit(unread(source, reason)),
            },
            Wrapping::Gzip => {
                let packed = Counted { from: Cursor::new(head).chain(stream), bytes: &packed_bytes };
                let plain = flate2::read::MultiGzDecoder::new(packed);
                self.stream(source, &mut self.guarded(plain, &packed_bytes), layer + 1, emit)
            }
            Wrapping::Zstd => {
                let packed = Counted { from: Cursor::new(head).chain(stream), bytes: &packed_bytes };
                match ruzstd::decoding::StreamingDecoder::new(packed) {
                    Ok(plain) => {
                        self.stream(source, &mut self.guarded(plain, &packed_bytes), layer + 1, emit)
                    }
                    Err(error) => emit(unread(source, format!("a damaged Zstandard file ({error})"))),
                }
            }
        }
    }

    /// A text, unless its beginning shows that it is none of ours.
    fn content(&self, source: &str, head: Vec<u8>, rest: &mut dyn Read, emit: Emit<'_>) -> ControlFlow<()> {
        let mut bytes = head;
        let sniffed = read_up_to(&mut bytes, rest, self.limits.sniff_bytes);
        if sniffed.is_ok()
            && bytes.len() as u64 == self.limits.sniff_bytes
            && !(self.limits.looks_like_report)(&bytes)
        {
            let reason = format!(
                "no Oracle report: its first {} hold nothing that such a report prints",
                in_mib(self.limits.sniff_bytes)
            );
            return emit(unread(source, reason));
        }
        let read = sniffed.and_then(|()| read_up_to(&mut bytes, rest, self.limits.text_bytes + 1));
        if bytes.len() as u64 > self.limits.text_bytes {
            let reason = format!(
                "larger than {}, far more than a report takes; if it holds many reports, split it",
                in_mib(self.limits.text_bytes)
            );
            return emit(unread(source, reason));
        }
        let damage = match read {
            Ok(()) => None,
            Err(error) if is_limit(&error) || bytes.is_empty() => {
                return emit(unread(source, not_read(&error)));
            }
            Err(error) => Some(format!("cut or damaged after {} bytes: {}", bytes.len(), not_read(&error))),
        };
        if bytes.is_empty() {
            return emit(unread(source, "empty".to_owned()));
        }
        emit(Opened::Text { source: source.to_owned(), bytes, damage })
    }

    fn zip(&self, source: &str, file: impl Read + Seek, layer: u32, emit: Emit<'_>) -> ControlFlow<()> {
        let mut archive = match zip::ZipArchive::new(file) {
            Ok(archive) => archive,
            Err(error) => {
                let reason = format!("a damaged zip archive ({error}); pack it again or give its files");
                return emit(unread(source, reason));
            }
        };
        let mut names: Vec<(String, usize)> = (0..archive.len())
            .map(|index| match archive.name_for_index(index) {
                Some(Ok(name)) => (name.into_owned(), index),
                _ => (format!("member {}", index + 1), index),
            })
            .collect();
        names.retain(|(name, _)| !name.ends_with('/') && !is_hidden(name));
        names.sort();
        if names.is_empty() {
            return emit(unread(source, "a zip archive without files".to_owned()));
        }
        for (name, index) in names {
            let member = member_source(source, &name);
            match archive.by_index(index) {
                Ok(packed) => {
                    let packed_bytes = Cell::new(packed.compressed_size());
                    self.stream(&member, &mut self.guarded(packed, &packed_bytes), layer, emit)?;
                }
                Err(error) => emit(unread(&member, why_no_member(&error)))?,
            }
        }
        ControlFlow::Continue(())
    }

    fn tar(&self, source: &str, stream: &mut dyn Read, layer: u32, emit: Emit<'_>) -> ControlFlow<()> {
        let mut any = false;
        loop {
            match tar::next(stream) {
                Ok(Some(Entry { name, bytes, padding })) => {
                    let mut body = stream.take(bytes);
                    if !is_hidden(&name) {
                        any = true;
                        self.stream(&member_source(source, &name), &mut body, layer, emit)?;
                    }
                    let left = body.limit() + padding;
                    if let Err(error) = io::copy(&mut stream.take(left), &mut io::sink()) {
                        return emit(unread(source, not_read(&error)));
                    }
                }
                Ok(None) if any => return ControlFlow::Continue(()),
                Ok(None) => return emit(unread(source, "a tar archive without files".to_owned())),
                Err(error) => return emit(unread(source, not_read(&error))),
            }
        }
    }

    /// All of a stream, for formats that have their table of contents at the end.
    fn whole(&self, head: Vec<u8>, rest: &mut dyn Read) -> Result<Vec<u8>, String> {
        let mut bytes = head;
        read_up_to(&mut bytes, rest, self.limits.text_bytes + 1).map_err(|error| not_read(&error))?;
        if bytes.len() as u64 > self.limits.text_bytes {
            return Err(format!(
                "a zip archive larger than {} inside another input; give it by itself",
                in_mib(self.limits.text_bytes)
            ));
        }
        Ok(bytes)
    }

    fn guarded<'r, R: Read>(&'r self, plain: R, packed_bytes: &'r Cell<u64>) -> Guarded<'r, R> {
        Guarded { plain, out: 0, packed_bytes, allowance: &self.allowance, limits: self.limits }
    }
}

/// Counts the packed bytes that a decoder has taken.
struct Counted<'a, R> {
    from: R,
    bytes: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(buffer)?;
        self.bytes.set(self.bytes.get() + n as u64);
        Ok(n)
    }
}

/// Ends a decoder whose output is out of all proportion to its input.
struct Guarded<'a, R> {
    plain: R,
    out: u64,
    packed_bytes: &'a Cell<u64>,
    allowance: &'a Cell<u64>,
    limits: &'a Limits,
}

impl<R: Read> Read for Guarded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.plain.read(buffer)?;
        self.out += n as u64;
        let of_packed = self.packed_bytes.get().saturating_mul(self.limits.ratio);
        let left = self.allowance.get().checked_sub(n as u64);
        match left {
            Some(left) if self.out <= self.limits.small_bytes.max(of_packed) => self.allowance.set(left),
            _ => return Err(io::Error::other(OutOfProportion(self.limits.ratio))),
        }
        Ok(n)
    }
}

/// The input unpacks to far more than reports do.
#[derive(Debug)]
struct OutOfProportion(u64);

impl std::fmt::Display for OutOfProportion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "it unpacks to over {} times its size, which no report does; reading stopped there", self.0)
    }
}

impl std::error::Error for OutOfProportion {}

fn is_limit(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<OutOfProportion>())
}

/// Appends from `stream` until `bytes` is `length` long or the stream ends.
fn read_up_to(bytes: &mut Vec<u8>, stream: &mut dyn Read, length: u64) -> io::Result<()> {
    let more = length.saturating_sub(bytes.len() as u64);
    stream.take(more).read_to_end(bytes).map(|_| ())
}

fn unread(source: &str, reason: String) -> Opened {
    Opened::Unread(Unread { source: source.to_owned(), reason })
}

fn not_read(error: &io::Error) -> String {
    match error.kind() {
        _ if is_limit(error) => error.to_string(),
        io::ErrorKind::UnexpectedEof => "the archive ends before its contents do".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            format!("the archive is damaged ({})", lower_first(&error.to_string()))
        }
        _ => format!("reading it failed ({})", lower_first(&error.to_string())),
    }
}

fn why_no_member(error: &zip::result::ZipError) -> String {
    use zip::result::ZipError;
    match error {
        ZipError::UnsupportedArchive(what) if *what == ZipError::PASSWORD_REQUIRED => {
            "protected by a password; unpack it and give the files".to_owned()
        }
        ZipError::UnsupportedArchive(_) => {
            "packed with a method other than deflate; unpack it and give the files".to_owned()
        }
        other => format!("damaged in the zip archive ({other})"),
    }
}

fn member_source(archive: &str, member: &str) -> String {
    format!("{archive}!{}", printable(member))
}

/// Hidden files and the resource forks that macOS adds to archives.
fn is_hidden(member: &str) -> bool {
    member.split('/').any(|part| part == "__MACOSX" || (part.starts_with('.') && part != "." && part != ".."))
}

fn in_mib(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes >> 10),
        mib => format!("{mib} MiB"),
    }
}
