//! Headers of a tar archive: ustar, with GNU and POSIX long names.

use std::io::{self, Read};

const BLOCK: usize = 512;

/// Longest name record that is believed.
const NAME_BYTES: u64 = 1 << 16;

/// A regular file; its `bytes` and then `padding` follow in the stream.
#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) padding: u64,
}

/// Reads headers up to the next regular file; `None` at the end of the archive.
pub(super) fn next(stream: &mut dyn Read) -> io::Result<Option<Entry>> {
    let mut long_name = None;
    loop {
        let mut header = [0; BLOCK];
        match stream.read_exact(&mut header) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        if header.iter().all(|&b| b == 0) {
            return Ok(None);
        }
        if &header[257..262] != b"ustar" {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a tar header was expected"));
        }
        let bytes = number(&header[124..136])
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a tar header has no size"))?;
        let padding = bytes.next_multiple_of(BLOCK as u64) - bytes;
        match header[156] {
            b'0' | b'\0' | b'7' => {
                let name = long_name.take().unwrap_or_else(|| short_name(&header));
                return Ok(Some(Entry { name, bytes, padding }));
            }
            b'L' | b'x' if bytes <= NAME_BYTES => {
                let mut record = vec![0; (bytes + padding) as usize];
                stream.read_exact(&mut record)?;
                record.truncate(bytes as usize);
                long_name = if header[156] == b'L' { Some(text(&record)) } else { posix_path(&record) };
            }
            _ => {
                io::copy(&mut stream.take(bytes + padding), &mut io::sink())?;
            }
        }
    }
}

fn short_name(header: &[u8; BLOCK]) -> String {
    let name = text(&header[..100]);
    // Only POSIX archives have a prefix there; GNU ones keep times in its place.
    match text(&header[345..500]) {
        prefix if !prefix.is_empty() && header[262] == 0 => format!("{prefix}/{name}"),
        _ => name,
    }
}

/// `path` of a POSIX extended header: records `LENGTH path=NAME\n`.
fn posix_path(record: &[u8]) -> Option<String> {
    let record = String::from_utf8_lossy(record);
    record.lines().find_map(|line| line.split_once(' ')?.1.strip_prefix("path=").map(str::to_owned))
}

fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&b| b == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

/// Octal digits, or big-endian bytes behind a set top bit (GNU, beyond 8 GiB). `None` where neither
/// stands there or the number is beyond anything that exists.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let value = field[1..]
            .iter()
            .try_fold(u64::from(field[0] & 0x7f), |n, &b| n.checked_mul(256).map(|n| n | u64::from(b)));
        return value.filter(|&n| n < 1 << 60);
    }
    let digits = text(field);
    let digits = digits.trim();
    if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, 8).ok() }
}
