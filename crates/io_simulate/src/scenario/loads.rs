//! Loads of a scenario: what is asked, of which storage.

use super::keys::{OVERWRITE, REQUESTS, SCAN};
use crate::Picoseconds;
use crate::loads::{Area, Granules, ParallelScan};
use spindle_workload::form::{Section, Unit, key};
use spindle_workload::{End, Job, Scan, Stream, form, read_stream};

/// A load.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) name: String,
    pub(super) line: usize,
    /// Storage that it asks.
    pub(super) on: String,
    pub(super) what: LoadKind,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(super) enum LoadKind {
    /// Requests as in a job.
    Requests(Box<Stream>),
    /// A full scan by parallel slaves, of volume 0.
    Scan(Box<ParallelScan>),
    /// An SSD is written over, without time.
    Overwrite { before: f64, times: f64 },
}

/// Loads of a scenario.
const MOST_LOADS: usize = 1_000;

/// A load whose kind is not known yet.
const LOAD: form::Table = form::Table::new(
    "a load",
    &[
        key("kind", "what it is: \"requests\" (the default), \"scan\" or \"overwrite\""),
        key("on", "the storage that it asks, by name"),
    ],
);

/// All loads, as far as they could be read, and all names of them; what could not be read is noted.
pub(super) fn loads(top: &Section<'_>) -> (Vec<Load>, Vec<String>) {
    let named = top.keep(top.named("load").map(Some)).unwrap_or_default();
    if named.len() > MOST_LOADS {
        top.note(top.refuse_key("load", format!("{} loads are more than {MOST_LOADS}", named.len())));
        return Default::default();
    }
    if named.is_empty() {
        top.note(top.lacks("load", "so nothing would be asked"));
    }
    let names = named.iter().map(|(name, _)| (*name).to_owned()).collect();
    let read = named.iter().enumerate().filter_map(|(number, (name, section))| load(name, section, number));
    (read.collect(), names)
}

fn load(name: &str, section: &Section<'_>, number: usize) -> Option<Load> {
    let any = section.clone().as_table(LOAD);
    let kind = any
        .keep(any.word("kind", &["requests", "scan", "overwrite"]).map(|k| Some(k.unwrap_or("requests"))))?;
    let on = any.need("on", any.text("on"), "so it asks nobody");
    let what = match kind {
        "scan" => LoadKind::Scan(Box::new(scan(section)?)),
        "overwrite" => {
            let s = section.keep(section.clone().read_as(OVERWRITE).map(Some))?;
            let before = s.keep(s.number("before", Unit::Plain, 0.0, 20.0)).unwrap_or(0.0);
            let times = s.number("times", Unit::Plain, 0.1, 20.0);
            LoadKind::Overwrite {
                before,
                times: s.need("times", times, "and how much is written is not known")?,
            }
        }
        _ => {
            let s = section.keep(section.clone().read_as(REQUESTS).map(Some))?;
            let mut stream = s.keep(read_stream(&s, number).map(Some))?;
            if stream.trace.is_some() {
                s.note(s.refuse("traces are replayed by jobs, not by scenarios yet".to_owned()));
                return None;
            }
            stream.name = name.to_owned();
            let end = End { ios: Some(1), ..End::default() };
            let alone =
                Job { name: String::new(), seed: 0, streams: vec![stream.clone()], end, warm_up_s: None };
            if let Some(why) = alone.objection() {
                s.note(s.refuse(why));
                return None;
            }
            LoadKind::Requests(Box::new(stream))
        }
    };
    Some(Load { name: name.to_owned(), line: section.line(), on: on?, what })
}

/// A table of a scan, at most.
const MOST_TABLE: u64 = 1 << 50;
/// Extents of it, at most.
const MOST_EXTENTS: u64 = 1_000_000;

fn scan(section: &Section<'_>) -> Option<ParallelScan> {
    let s = &section.keep(section.clone().read_as(SCAN).map(Some))?;
    let degree = s.need("degree", s.whole_within("degree", 1, 1_024), "and how many read is not known");
    let table = s.need("table", s.size("table", 4_096, MOST_TABLE), "so nothing is read");
    let read = s.need("read", s.bytes("read"), "and how large reads are is not known");
    let extent = s.keep(s.size("extent", 4_096, MOST_TABLE));
    let granules = s.keep(s.whole_within("granules", 1, 100_000)).unwrap_or(13);
    let under_way = s.keep(s.whole_within("under_way", 1, 64)).unwrap_or(1);
    let compute = s.keep(s.number("compute", Unit::Time, 0.0, 3_600e6)).unwrap_or(0.0);
    let (degree, table, read) = (degree?, table?, read?);
    let extent = extent.unwrap_or(table);
    if table / extent > MOST_EXTENTS {
        s.note(s.refuse_key("extent", format!("more than {MOST_EXTENTS} extents")));
        return None;
    }
    let each = table / (u64::from(granules) * u64::from(degree));
    let granule_bytes = each.div_ceil(u64::from(read)).max(1).saturating_mul(u64::from(read));
    let extents = (0..table.div_ceil(extent)).map(|n| {
        let from = n * extent;
        Area { volume: 0, from, bytes: extent.min(table - from) }
    });
    let scan = ParallelScan {
        scan: Scan { degree, multiblock_bytes: read, granule_bytes, under_way },
        extents: extents.collect(),
        granules: Granules::AsTheyCome,
        compute: Picoseconds::from_us(compute),
    };
    if let Some(why) = scan.objection() {
        s.note(s.refuse(why));
        return None;
    }
    Some(scan)
}
