//! A job as a file: TOML with units in words, read and written.
//!
//! ```toml
//! name = "single-block reads"
//! seed = 13
//! warm_up = "5 s"
//!
//! [end]
//! time = "60 s"
//!
//! [[stream]]
//! name = "reads"
//! reads = "100 %"
//! pattern = "random"
//! block = "8 KiB"
//! depth = 16
//! ```
//!
//! A number that stands for something real may be a table, `{ value = "8 KiB", origin = "db_block_size" }`.
//! Whatever is not understood is refused, with its line: a key that nobody reads would change what is
//! measured without a word.

mod keys;
mod writer;

pub use keys::{BLOCK, END, HOT, REGION, STREAM};
pub use writer::job_file_text;

use crate::arrival::Arrivals;
use crate::form::{Form, FormError, Section, Unit};
use crate::job::{End, Flush, Job, Size, Stream};
use crate::pattern::Pattern;
use crate::region::{Extent, Region};
use crate::trace::{Beyond, Sources, Trace, USUAL_BLOCK};
use keys::JOB;

/// What a job file says.
///
/// Shape: one a file. Unit: as in the job. Missing: no origin where none is given. Source: a file of the
/// user's.
#[derive(Clone, Debug, PartialEq)]
pub struct JobFile {
    /// What is asked of the storage.
    pub job: Job,
    /// Where numbers come from: key and origin, in the order of the file.
    pub origins: Vec<(String, String)>,
    /// It gives a seed. Where it does not, that of the job is the same for every file: who measures draws one, since
    /// the same places twice are found in a cache.
    pub has_seed: bool,
}

/// Why a file is no job: where, what, and what to write.
pub type JobFileError = FormError;

/// Reads a job. `name` is what the file is called in messages.
///
/// # Errors
/// Where something stands in it that is not understood, or makes no sense.
pub fn read_job_file(text: &str, name: &str) -> Result<JobFile, JobFileError> {
    let reader = Form::parse(text, name)?;
    let top = reader.top(JOB)?;
    let called = top.text("name")?.unwrap_or_else(|| "job".to_owned());
    let seed = top.whole("seed")?;
    let has_seed = seed.is_some();
    let seed = seed.unwrap_or(DEFAULT_SEED);
    let warm_up_s = top.number("warm_up", Unit::Time, 0.0, MOST_SECONDS * 1e6)?.map(|us| us / 1e6);
    let mut job = Job { name: called, seed, streams: Vec::new(), end: End::default(), warm_up_s };
    let ends = top.section("end", END)?;
    if let Some(section) = &ends {
        job.end = read_end(section)?;
    }
    let streams = top.sections("stream", STREAM)?;
    // A trace ends by itself.
    if ends.is_none() && (streams.is_empty() || streams.iter().any(|s| !s.has("trace"))) {
        return Err(top.lacks("end", "so the job would never end"));
    }
    if streams.is_empty() {
        return Err(top.lacks("stream", "so the job would ask for nothing"));
    }
    for (n, section) in streams.into_iter().enumerate() {
        let stream = read_stream(&section, n)?;
        if let Some(objection) = stream.objection() {
            return Err(section.refuse(format!("stream `{}`: {objection}", stream.name)));
        }
        if job.streams.iter().any(|s| s.name == stream.name) {
            return Err(section.refuse(format!("a stream `{}` stands above; give another name", stream.name)));
        }
        job.streams.push(stream);
    }
    if let Some(objection) = job.objection() {
        return Err(reader.refuse_at(1, objection));
    }
    let origins = reader.given().into_iter().filter_map(|g| Some((g.key, g.origin?))).collect();
    Ok(JobFile { job, origins, has_seed })
}

/// Seed of a job that names none.
const DEFAULT_SEED: u64 = 13;

/// A month: longer is a slip of the pen.
const MOST_SECONDS: f64 = 31.0 * 86_400.0;

/// Reads when a run ends, from a table with the keys of [`END`].
///
/// # Errors
/// Where something stands in it that is not understood.
pub fn read_end(section: &Section<'_>) -> Result<End, JobFileError> {
    Ok(End {
        ios: section.whole("count")?,
        seconds: section.number("time", Unit::Time, 1e3, MOST_SECONDS * 1e6)?.map(|us| us / 1e6),
        interval_pct: section.number("interval", Unit::Percent, 0.01, 100.0)?,
        unserved: section.whole("unserved")?,
    })
}

/// Reads one stream of requests, from a table with the keys of [`STREAM`]; `number` from 0.
///
/// # Errors
/// Where something stands in it that is not understood, or makes no sense.
pub fn read_stream(section: &Section<'_>, number: usize) -> Result<Stream, JobFileError> {
    let name = section.text("name")?.unwrap_or_else(|| format!("stream {}", number + 1));
    if let Some(file) = section.long_text("trace")? {
        return replayed(section, name, &file);
    }
    for key in ["sha256", "speed", "source", "beyond", "writes", "lba"] {
        if section.has(key) {
            return Err(
                section.refuse_key(key, format!("`{key}` goes with `trace`, and this stream has none"))
            );
        }
    }
    let read_pct = section.number("reads", Unit::Percent, 0.0, 100.0)?;
    let Some(read_pct) = read_pct else {
        return Err(section.lacks("reads", "and what is not said is not written"));
    };
    let sizes = sizes(section)?;
    let pattern = pattern(section)?;
    let (region, flush) = (region(section)?, flush(section)?);
    if flush != Flush::None && read_pct >= 100.0 {
        return Err(section.refuse_key("flush", "`flush` is of writes, and this stream reads".to_owned()));
    }
    Ok(Stream { name, read_pct, pattern, sizes, region, arrivals: arrivals(section)?, flush, trace: None })
}

fn region(section: &Section<'_>) -> Result<Region, JobFileError> {
    read_region(section, "region")
}

/// Reads a part of a device from a table of a key; all of it where there is none.
///
/// # Errors
/// Where something stands in it that is not understood.
pub fn read_region(section: &Section<'_>, key: &'static str) -> Result<Region, JobFileError> {
    Ok(match section.section(key, REGION)? {
        None => Region::default(),
        Some(part) => {
            Region { from: part.extent("from")?.unwrap_or(Extent::Bytes(0)), length: part.extent("length")? }
        }
    })
}

fn flush(section: &Section<'_>) -> Result<Flush, JobFileError> {
    Ok(match section.word("flush", &["none", "dsync", "fdatasync"])? {
        Some("dsync") => Flush::Dsync,
        Some("fdatasync") => Flush::Fdatasync,
        _ => Flush::None,
    })
}

/// A stream that replays a trace, before the trace was read.
fn replayed(section: &Section<'_>, name: String, file: &str) -> Result<Stream, JobFileError> {
    for key in
        ["reads", "pattern", "stride", "theta", "hot", "block", "rate", "arrivals", "committers", "think"]
    {
        if section.has(key) {
            return Err(section.refuse_key(
                key,
                format!("`{key}` does not go with `trace`, which says what is asked for, and when"),
            ));
        }
    }
    let speed = section.number("speed", Unit::Plain, 1e-6, 1e6)?;
    let arrivals = match (section.whole("depth")?, speed) {
        (Some(_), Some(_)) => {
            return Err(section.refuse_key(
                "depth",
                "`depth` waits for answers and `speed` does not; a trace is replayed by one of them"
                    .to_owned(),
            ));
        }
        (Some(depth), None) => match u32::try_from(depth) {
            Ok(depth) => Arrivals::Closed { depth, think_us: 0.0 },
            Err(_) => return Err(section.refuse_key("depth", format!("a depth of {depth} is too much"))),
        },
        (None, speed) => Arrivals::Replay { speed: speed.unwrap_or(1.0) },
    };
    let sha256 = section.text("sha256")?;
    if sha256.as_ref().is_some_and(|s| s.len() != 64 || !s.bytes().all(|b| b.is_ascii_hexdigit())) {
        return Err(section.refuse_key("sha256", "a SHA-256 has 64 hexadecimal digits".to_owned()));
    }
    let sources = match section.long_text("source")?.as_deref() {
        None | Some("each") => Sources::Each,
        Some("joined") => Sources::Joined,
        Some(name) => Sources::One(name.to_owned()),
    };
    let beyond = match section.word("beyond", &["refuse", "wrap", "scale"])? {
        Some("wrap") => Beyond::Wrap,
        Some("scale") => Beyond::Scale,
        _ => Beyond::Refuse,
    };
    let reads_only = section.word("writes", &["replay", "skip"])? == Some("skip");
    let block_bytes = section.bytes("lba")?.unwrap_or(USUAL_BLOCK);
    let trace =
        Trace { file: file.to_owned(), sha256, sources, beyond, reads_only, block_bytes, found: None };
    Ok(Stream {
        name,
        read_pct: if reads_only { 100.0 } else { 0.0 },
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: USUAL_BLOCK, weight: 1.0 }],
        region: region(section)?,
        arrivals,
        flush: flush(section)?,
        trace: Some(Box::new(trace)),
    })
}

/// One size, or a mix of them with weights.
fn sizes(section: &Section<'_>) -> Result<Vec<Size>, JobFileError> {
    if let Some(parts) = section.mix("block", BLOCK)? {
        let mut sizes = Vec::new();
        for part in parts {
            let Some(bytes) = part.bytes("size")? else {
                return Err(part.lacks("size", "so this part of the mix is none"));
            };
            let weight = part.number("weight", Unit::Plain, 1e-6, 1e9)?.unwrap_or(1.0);
            sizes.push(Size { bytes, weight });
        }
        return Ok(sizes);
    }
    match section.bytes("block")? {
        Some(bytes) => Ok(vec![Size { bytes, weight: 1.0 }]),
        None => Err(section.lacks("block", "so the size of requests is not known")),
    }
}

/// Reads an order of addresses from a table with its keys of [`STREAM`].
///
/// # Errors
/// Where something stands in it that is not understood, or is missing.
pub fn read_pattern(section: &Section<'_>) -> Result<Pattern, JobFileError> {
    pattern(section)
}

fn pattern(section: &Section<'_>) -> Result<Pattern, JobFileError> {
    let words = ["random", "sequential", "strided", "hotspot", "zipf"];
    let word = section.word("pattern", &words)?;
    let stride = section.whole("stride")?;
    let theta = section.number("theta", Unit::Plain, 0.0, 10.0)?;
    let hot = match section.section("hot", HOT)? {
        None => None,
        Some(part) => {
            let shares = (
                part.number("accesses", Unit::Percent, 0.01, 99.99)?,
                part.number("blocks", Unit::Percent, 0.01, 99.99)?,
            );
            let lacks = |key| part.lacks(key, "and a hot spot has both shares");
            let (accesses_pct, blocks_pct) =
                (shares.0.ok_or_else(|| lacks("accesses"))?, shares.1.ok_or_else(|| lacks("blocks"))?);
            Some((accesses_pct, blocks_pct))
        }
    };
    let Some(word) = word else {
        return Err(section.lacks("pattern", "so the order of addresses is not known"));
    };
    // Each of them belongs to one pattern; beside another it would do nothing.
    for (key, given, of) in [
        ("stride", stride.is_some(), "strided"),
        ("theta", theta.is_some(), "zipf"),
        ("hot", hot.is_some(), "hotspot"),
    ] {
        if given && word != of {
            return Err(section.refuse_key(
                key,
                format!("`{key}` goes with `pattern = \"{of}\"`, and here the pattern is `{word}`"),
            ));
        }
        if !given && word == of {
            return Err(section.lacks(key, &format!("and `pattern = \"{of}\"` cannot do without")));
        }
    }
    Ok(match (word, stride, theta, hot) {
        ("sequential", ..) => Pattern::Sequential,
        ("strided", Some(blocks), ..) => Pattern::Strided { blocks },
        ("zipf", _, Some(theta), _) => Pattern::Zipf { theta },
        ("hotspot", _, _, Some((accesses_pct, blocks_pct))) => Pattern::HotSpot { accesses_pct, blocks_pct },
        _ => Pattern::Random,
    })
}

fn arrivals(section: &Section<'_>) -> Result<Arrivals, JobFileError> {
    let depth = section.whole("depth")?;
    let think = section.number("think", Unit::Time, 0.0, 3.6e9)?;
    let rate = section.number("rate", Unit::Rate, 1e-3, 1e9)?;
    let word = section.word("arrivals", &["poisson", "fixed"])?;
    if let Some(committers) = section.whole("committers")? {
        for (key, given) in
            [("depth", depth.is_some()), ("rate", rate.is_some()), ("arrivals", word.is_some())]
        {
            if given {
                return Err(section.refuse_key(
                    key,
                    format!("`{key}` does not go with `committers`, who wait for one write at a time"),
                ));
            }
        }
        let Ok(committers) = u32::try_from(committers) else {
            return Err(section.refuse_key("committers", format!("{committers} committers are too many")));
        };
        return Ok(Arrivals::Commits { committers, think_us: think.unwrap_or(0.0) });
    }
    match (depth, rate) {
        (Some(_), Some(_)) => Err(section.refuse_key(
            "rate",
            "`depth` waits for answers and `rate` does not; a stream has one of them".to_owned(),
        )),
        (None, None) => Err(section.refuse(
            "the stream has neither `depth` (requests under way) nor `rate` (requests a second) nor `committers` (of a log)".to_owned(),
        )),
        (Some(depth), None) => {
            if word.is_some() {
                return Err(section.refuse_key("arrivals", "`arrivals` goes with `rate`".to_owned()));
            }
            let Ok(depth) = u32::try_from(depth) else {
                return Err(section.refuse_key("depth", format!("a depth of {depth} is too much")));
            };
            Ok(Arrivals::Closed { depth, think_us: think.unwrap_or(0.0) })
        }
        (None, Some(iops)) => {
            if think.is_some() {
                return Err(section.refuse_key("think", "`think` goes with `depth`".to_owned()));
            }
            Ok(Arrivals::Open { iops, poisson: word != Some("fixed") })
        }
    }
}

#[cfg(test)]
mod tests;
