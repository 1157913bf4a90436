//! Loads of a scenario: what is asked, of which storage.

use super::database::{self, Database};
use super::keys::{OVERWRITE, REQUESTS};
use spindle_workload::form::{Section, Unit, key};
use spindle_workload::{End, Job, Stream, form, read_stream};

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
    /// An SSD is written over, without time.
    Overwrite { before: f64, times: f64 },
    /// What a database asks.
    Database(Box<Database>),
}

/// Loads of a scenario.
const MOST_LOADS: usize = 1_000;

/// Keys of a stream of a job that say nothing here, and why.
pub(super) const OF_JOBS: [(&str, &str); 2] = [
    ("name", "a load is called as its table, [load.NAME], and has no other `name`"),
    (
        "flush",
        "when a write is done is a matter of the storage here (`write_back`, `buffer_pages`), and `flush` would change nothing",
    ),
];

/// A load whose kind is not known yet.
const LOAD: form::Table = form::Table::new(
    "a load",
    &[
        key(
            "kind",
            "what it is: \"requests\" (the default), \"overwrite\", \"scan\", \"index_reads\", \"database_writer\", \"log\", \"temp\", \
             \"oltp\" or \"dss\"",
        ),
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
    let kinds =
        ["requests", "overwrite", "scan", "index_reads", "database_writer", "log", "temp", "oltp", "dss"];
    let kind = any.keep(any.word("kind", &kinds).map(|k| Some(k.unwrap_or("requests"))))?;
    let on = any.need("on", any.text("on"), "so it asks nobody");
    let what = match kind {
        "overwrite" => {
            let s = section.keep(section.clone().read_as(OVERWRITE).map(Some))?;
            let before = s.keep(s.number("before", Unit::Plain, 0.0, 20.0)).unwrap_or(0.0);
            let times = s.number("times", Unit::Plain, 0.1, 20.0);
            LoadKind::Overwrite {
                before,
                times: s.need("times", times, "and how much is written is not known")?,
            }
        }
        "requests" => {
            let s = section.keep(section.clone().read_as(REQUESTS).map(Some))?;
            for (key, why) in OF_JOBS {
                if s.has(key) {
                    s.note(s.refuse_key(key, why.to_owned()));
                }
            }
            let mut stream = s.keep(read_stream(&s, number).map(Some))?;
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
        kind => LoadKind::Database(Box::new(database::read(kind, section)?)),
    };
    Some(Load { name: name.to_owned(), line: section.line(), on: on?, what })
}
