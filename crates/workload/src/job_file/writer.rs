//! A job as the text that reads as this job: what a person needs to run it again.

use crate::arrival::Arrivals;
use crate::job::{End, Flush, Job, Size, Stream};
use crate::pattern::Pattern;
use crate::region::{Extent, Region};
use crate::trace::{Beyond, Sources, Trace, USUAL_BLOCK};

/// The file that reads as this job.
#[must_use]
pub fn job_file_text(job: &Job) -> String {
    let mut lines = vec![format!("name = {}", quoted(&job.name)), format!("seed = {}", job.seed)];
    lines.extend(job.warm_up_s.map(|s| format!("warm_up = \"{s} s\"")));
    let unserved = job.end.unserved.map(|n| format!("unserved = {n}"));
    if job.end != End::default() {
        lines.push("\n[end]".to_owned());
    }
    lines.extend(job.end.seconds.map(|s| format!("time = \"{s} s\"")));
    lines.extend(job.end.ios.map(|n| format!("count = {n}")));
    lines.extend(job.end.interval_pct.map(|p| format!("interval = \"{p} %\"")));
    lines.extend(unserved);
    for stream in &job.streams {
        lines.extend(stream_lines(stream));
    }
    lines.join("\n") + "\n"
}

fn stream_lines(stream: &Stream) -> Vec<String> {
    let mut lines = vec!["\n[[stream]]".to_owned(), format!("name = {}", quoted(&stream.name))];
    match &stream.trace {
        Some(trace) => lines.extend(trace_lines(trace)),
        None => lines.extend(drawn_lines(stream)),
    }
    if stream.region != Region::default() {
        let length = match stream.region.length {
            Some(length) => format!(", length = \"{}\"", extent(length)),
            None => String::new(),
        };
        lines.push(format!("region = {{ from = \"{}\"{length} }}", extent(stream.region.from)));
    }
    lines.extend(match stream.flush {
        Flush::None => None,
        Flush::Dsync => Some("flush = \"dsync\"".to_owned()),
        Flush::Fdatasync => Some("flush = \"fdatasync\"".to_owned()),
    });
    match stream.arrivals {
        Arrivals::Closed { depth, think_us } => {
            lines.push(format!("depth = {depth}"));
            if think_us > 0.0 {
                lines.push(format!("think = \"{think_us} us\""));
            }
        }
        Arrivals::Commits { committers, think_us } => {
            lines.push(format!("committers = {committers}"));
            if think_us > 0.0 {
                lines.push(format!("think = \"{think_us} us\""));
            }
        }
        Arrivals::Open { iops, poisson } => {
            lines.push(format!("rate = \"{iops} IOPS\""));
            lines.push(format!("arrivals = \"{}\"", if poisson { "poisson" } else { "fixed" }));
        }
        Arrivals::Replay { speed } => lines.push(format!("speed = {speed:?}")),
    }
    lines
}

/// What is chosen of a trace.
fn trace_lines(trace: &Trace) -> Vec<String> {
    let mut lines = vec![format!("trace = {}", quoted(&trace.file))];
    lines.extend(trace.sha256.as_ref().map(|hash| format!("sha256 = {}", quoted(hash))));
    match &trace.sources {
        Sources::Each => {}
        Sources::Joined => lines.push("source = \"joined\"".to_owned()),
        Sources::One(name) => lines.push(format!("source = {}", quoted(name))),
    }
    lines.extend(match trace.beyond {
        Beyond::Refuse => None,
        Beyond::Wrap => Some("beyond = \"wrap\"".to_owned()),
        Beyond::Scale => Some("beyond = \"scale\"".to_owned()),
    });
    if trace.reads_only {
        lines.push("writes = \"skip\"".to_owned());
    }
    if trace.block_bytes != USUAL_BLOCK {
        lines.push(format!("lba = \"{}\"", size(u64::from(trace.block_bytes))));
    }
    lines
}

/// Shares, order and sizes of requests that are drawn.
fn drawn_lines(stream: &Stream) -> Vec<String> {
    let mut lines = vec![format!("reads = \"{} %\"", stream.read_pct)];
    match stream.pattern {
        Pattern::Random => lines.push("pattern = \"random\"".to_owned()),
        Pattern::Sequential => lines.push("pattern = \"sequential\"".to_owned()),
        Pattern::Strided { blocks } => {
            lines.push("pattern = \"strided\"".to_owned());
            lines.push(format!("stride = {blocks}"));
        }
        Pattern::HotSpot { accesses_pct, blocks_pct } => {
            lines.push("pattern = \"hotspot\"".to_owned());
            lines.push(format!("hot = {{ accesses = \"{accesses_pct} %\", blocks = \"{blocks_pct} %\" }}"));
        }
        Pattern::Zipf { theta } => {
            lines.push("pattern = \"zipf\"".to_owned());
            lines.push(format!("theta = {theta:?}"));
        }
    }
    lines.push(match stream.sizes.as_slice() {
        [Size { bytes, .. }] => format!("block = \"{}\"", size(u64::from(*bytes))),
        sizes => {
            let parts: Vec<String> = sizes
                .iter()
                .map(|s| format!("{{ size = \"{}\", weight = {:?} }}", size(u64::from(s.bytes)), s.weight))
                .collect();
            format!("block = [{}]", parts.join(", "))
        }
    });
    lines
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Bytes in the largest unit of which they are whole.
fn size(bytes: u64) -> String {
    for (power, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes > 0 && bytes.is_multiple_of(1 << power) {
            return format!("{} {unit}", bytes >> power);
        }
    }
    format!("{bytes} bytes")
}

fn extent(extent: Extent) -> String {
    match extent {
        Extent::Bytes(bytes) => size(bytes),
        Extent::Percent(pct) => format!("{pct} %"),
    }
}
