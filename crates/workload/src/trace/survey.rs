//! The whole of a trace, read once before it is replayed: what it holds, what is wrong with it, its hash.

use super::reader::{Seen, TraceReader, is_other_event, recognise};
use super::{Sources, Trace, TraceFormat, TraceFound, TraceSource};
use crate::job::Operation;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::io::{self, BufReader, Read};

/// By so much of the beginning a format is recognised.
const HEAD: usize = 256 << 10;

/// Takes the hash of what is read.
struct Hashing<R> {
    input: R,
    hash: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        self.hash.update(&into[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Reads a trace from its beginning to its end, twice where blkparse traced no queued requests. `open` gives the
/// file anew.
///
/// # Errors
/// A sentence that names the file, where it cannot be read, is no trace, or holds nothing to replay.
pub fn survey<R: Read>(trace: &Trace, open: impl Fn() -> io::Result<R>) -> Result<TraceFound, String> {
    let refuse = |why: String| format!("the trace `{}` {why}", trace.file);
    let unread = |error: io::Error| refuse(format!("was not read: {error}"));
    let mut head = Vec::new();
    open().and_then(|file| file.take(HEAD as u64).read_to_end(&mut head)).map_err(unread)?;
    let format = recognise(&head).map_err(refuse)?;
    drop(head);
    let (mut found, other) = read(trace, format, 'Q', open().map_err(unread)?).map_err(unread)?;
    if found.reads + found.writes == 0 && other > 0 {
        found = read(trace, format, 'D', open().map_err(unread)?).map_err(unread)?.0;
    }
    if let Sources::One(name) = &trace.sources
        && !found.sources.iter().any(|s| s.name == *name)
        && !found.sources.is_empty()
    {
        // Said with the names of those that are there.
        let with = Trace { found: Some(found), ..trace.clone() };
        return Err(with.objection(1).unwrap_or_default());
    }
    if found.reads + found.writes == 0 {
        let damaged = match found.damaged_lines.first() {
            Some(first) => {
                format!("; {} lines are damaged, line {} first: {}", found.damaged, first.line, first.why)
            }
            None => String::new(),
        };
        let left_out: Vec<String> = found.left_out.iter().map(|(what, n)| format!("{n} {what}")).collect();
        let left_out =
            if left_out.is_empty() { String::new() } else { format!("; left out: {}", left_out.join(", ")) };
        return Err(refuse(format!("holds no request that could be replayed{damaged}{left_out}")));
    }
    Ok(found)
}

/// What it holds, and events of requests that another event stands for.
fn read(trace: &Trace, format: TraceFormat, event: char, file: impl Read) -> io::Result<(TraceFound, u64)> {
    let mut hashing = Hashing { input: file, hash: Sha256::new(), bytes: 0 };
    let input = BufReader::with_capacity(256 << 10, &mut hashing);
    let mut reader = TraceReader::new(input, format, event, trace.block_bytes);
    let (mut reads, mut writes, mut bytes, mut largest_bytes) = (0, 0, 0_u64, 0);
    let (mut first_ns, mut last_ns) = (None, 0);
    let (mut skipped_writes, mut elsewhere) = (0, 0);
    let mut sources: Vec<TraceSource> = Vec::new();
    while let Some(one) = reader.next_request()? {
        if trace.reads_only && one.operation == Operation::Write {
            skipped_writes += 1;
            continue;
        }
        let index = one.source as usize;
        while sources.len() <= index {
            let name = reader.names[sources.len()].clone();
            sources.push(TraceSource { name, requests: 0, end_bytes: 0, end_line: 0 });
        }
        let source = &mut sources[index];
        source.requests += 1;
        let end = one.offset + u64::from(one.bytes);
        if end > source.end_bytes {
            (source.end_bytes, source.end_line) = (end, one.line);
        }
        if let Sources::One(name) = &trace.sources
            && source.name != *name
        {
            elsewhere += 1;
            continue;
        }
        match one.operation {
            Operation::Read => reads += 1,
            Operation::Write => writes += 1,
        }
        bytes += u64::from(one.bytes);
        largest_bytes = largest_bytes.max(one.bytes);
        first_ns.get_or_insert(one.at_ns);
        last_ns = one.at_ns;
    }
    // A source all of whose requests are left out is none.
    sources.retain(|s| s.requests > 0);
    sources.sort_by(|a, b| natural(&a.name, &b.name));
    let (lines, has_times) = (reader.lines(), reader.has_times());
    let Seen { damaged, damaged_lines, left_out, out_of_order } = std::mem::take(&mut reader.seen);
    drop(reader);
    let other = left_out.iter().filter(|(what, _)| is_other_event(what)).map(|(_, n)| n).sum();
    let mut left_out: std::collections::BTreeMap<String, u64> =
        left_out.into_iter().map(|(what, n)| (what.to_owned(), n)).collect();
    for (what, n) in [("writes", skipped_writes), ("requests of other sources", elsewhere)] {
        if n > 0 {
            left_out.insert(what.to_owned(), n);
        }
    }
    let first_ns = first_ns.unwrap_or(0);
    let found = TraceFound {
        format,
        event: (format == TraceFormat::Blkparse).then_some(event),
        sha256: hashing.hash.finalize().iter().map(|b| format!("{b:02x}")).collect(),
        file_bytes: hashing.bytes,
        lines,
        reads,
        writes,
        bytes,
        largest_bytes,
        first_ns,
        seconds: has_times.then(|| (last_ns - first_ns.min(last_ns)) as f64 / 1e9),
        out_of_order,
        sources,
        damaged,
        damaged_lines,
        left_out,
    };
    Ok((found, other))
}

/// Names in the order in which people count: `disk2` before `disk10`.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (number_a, number_b) = (digits(a), digits(b));
        if number_a > 0 && number_b > 0 {
            let (x, y) = (a[..number_a].trim_start_matches('0'), b[..number_b].trim_start_matches('0'));
            let order = x.len().cmp(&y.len()).then_with(|| x.cmp(y)).then(number_a.cmp(&number_b));
            if order.is_ne() {
                return order;
            }
            (a, b) = (&a[number_a..], &b[number_b..]);
            continue;
        }
        let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
        match (rest_a.next(), rest_b.next()) {
            (Some(x), Some(y)) if x == y => (a, b) = (rest_a.as_str(), rest_b.as_str()),
            (x, y) => return x.cmp(&y),
        }
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
