//! The keys of a scenario as a list for people. It is made by reading: small files are read table by table, and what the reader
//! looks for, with the bounds that it checks and what it cannot do without, is what the list says.

use super::keys::{
    ARRAY, BUCKET, CACHE, CAP, CLOUD, DATABASE_WRITER, DSS, FIGURE, HARD_DISK, HISTOGRAM, HOST, INDEX_READS,
    LINK, LOG, NVME, OLTP, OVERWRITE, PUBLISHED, REQUESTS, SCAN, SCENARIO, SSD, TEMP, VOLUME, ZONED,
};
use super::loads::OF_JOBS;
use super::point;
use spindle_workload::form::{Asked, Entries, Form, Node, Table, Value};
use spindle_workload::{BLOCK, END, HOT, ListedKey, ListedTable, Needed, REGION};
use std::collections::BTreeSet;

/// A table and the files by which its keys are found out.
struct Listing {
    heading: &'static str,
    note: &'static str,
    words: &'static [&'static str],
    table: Table,
    samples: &'static [Sample],
}

/// A file that has the table, and what sets it apart from others that have: empty where nothing does.
struct Sample {
    with: &'static str,
    text: &'static str,
    /// Tables and lists to the table.
    path: &'static [&'static str],
}

const fn sample(with: &'static str, path: &'static [&'static str], text: &'static str) -> Sample {
    Sample { with, text, path }
}

/// What a table lacks is put in and it is read again, so often at most: no table has more keys.
const ROUNDS: usize = 60;

const NO_MODEL: &str = "no model";

const DEVICE: &[&str] = &["device", "x"];
const LOAD: &[&str] = &["load", "x"];

const MODEL_GIVES: &str = "What its `model` gives need not stand here.";

/// Storage `d` and a load `l` that others name.
const AROUND: &str = "[device.d]\nkind = \"latency_cap\"\nlatency = \"1 ms\"\ncapacity = \"1 GiB\"\n\
                      [load.l]\non = \"d\"\nreads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 1\n";

const LISTINGS: &[Listing] = &[
    Listing {
        heading: "the file itself",
        note: "",
        words: &["scenario", "file"],
        table: SCENARIO,
        samples: &[sample("", &[], ""), sample("loads that do not end by themselves", &[], AROUND)],
    },
    Listing {
        heading: "[end]",
        note: "",
        words: &["end"],
        table: END,
        samples: &[sample("", &["end"], "[end]")],
    },
    Listing {
        heading: "[host]",
        note: "",
        words: &["host"],
        table: HOST,
        samples: &[sample("", &["host"], "[host]")],
    },
    Listing {
        heading: "[device.NAME], kind = \"hard_disk\"",
        note: MODEL_GIVES,
        words: &["device", "hard_disk"],
        table: HARD_DISK,
        samples: &[
            sample("", DEVICE, "[device.x]\nkind = \"hard_disk\""),
            sample(NO_MODEL, DEVICE, "[device.x]"),
        ],
    },
    Listing {
        heading: "[device.NAME], kind = \"ssd\"",
        note: MODEL_GIVES,
        words: &["device", "ssd"],
        table: SSD,
        samples: &[sample("", DEVICE, "[device.x]\nkind = \"ssd\""), sample(NO_MODEL, DEVICE, "[device.x]")],
    },
    Listing {
        heading: "[device.NAME], kind = \"nvme\"",
        note: MODEL_GIVES,
        words: &["device", "nvme"],
        table: NVME,
        samples: &[
            sample("", DEVICE, "[device.x]\nkind = \"nvme\""),
            sample(NO_MODEL, DEVICE, "[device.x]"),
            sample("", DEVICE, "[device.x]\nkind = \"nvme\"\nspread = 0.5"),
        ],
    },
    Listing {
        heading: "[device.NAME], kind = \"cloud_volume\"",
        note: MODEL_GIVES,
        words: &["device", "cloud_volume"],
        table: CLOUD,
        samples: &[
            sample("", DEVICE, "[device.x]\nkind = \"cloud_volume\""),
            sample(NO_MODEL, DEVICE, "[device.x]"),
        ],
    },
    Listing {
        heading: "[device.NAME], kind = \"latency_cap\"",
        note: MODEL_GIVES,
        words: &["device", "latency_cap"],
        table: CAP,
        samples: &[
            sample("", DEVICE, "[device.x]\nkind = \"latency_cap\""),
            sample(NO_MODEL, DEVICE, "[device.x]"),
        ],
    },
    Listing {
        heading: "[device.NAME], kind = \"histogram\"",
        note: MODEL_GIVES,
        words: &["device", "histogram"],
        table: HISTOGRAM,
        samples: &[
            sample("", DEVICE, "[device.x]\nkind = \"histogram\""),
            sample(NO_MODEL, DEVICE, "[device.x]"),
        ],
    },
    Listing {
        heading: "[[device.NAME.bucket]]",
        note: "",
        words: &["histogram", "bucket"],
        table: BUCKET,
        samples: &[sample(
            "",
            &["device", "x", "bucket"],
            "[device.x]\nkind = \"histogram\"\nmean = \"1 ms\"\nfastest = \"1 us\"\ntail = \"1 %\"\n[[device.x.bucket]]",
        )],
    },
    Listing {
        heading: "[device.NAME], kind = \"zoned_disk\"",
        note: MODEL_GIVES,
        words: &["device", "zoned_disk"],
        table: ZONED,
        samples: &[
            sample("", DEVICE, "[device.x]\nkind = \"zoned_disk\""),
            sample(NO_MODEL, DEVICE, "[device.x]"),
        ],
    },
    Listing {
        heading: "[array.NAME]",
        note: "",
        words: &["array", "concat", "stripe", "mirror", "raid10", "raid5", "raid6", "asm"],
        table: ARRAY,
        samples: &[
            sample(ANY, &["array", "x"], "[array.x]"),
            sample("concat", &["array", "x"], "[array.x]\nkind = \"concat\""),
            sample("stripe", &["array", "x"], "[array.x]\nkind = \"stripe\""),
            sample("mirror", &["array", "x"], "[array.x]\nkind = \"mirror\""),
            sample("raid10", &["array", "x"], "[array.x]\nkind = \"raid10\"\nmembers = 1\ngroups = 1"),
            sample("raid5", &["array", "x"], "[array.x]\nkind = \"raid5\""),
            sample("raid6", &["array", "x"], "[array.x]\nkind = \"raid6\""),
            sample("asm", &["array", "x"], "[array.x]\nkind = \"asm\""),
            sample(
                "\"preferred\"",
                &["array", "x"],
                "[array.x]\nkind = \"mirror\"\nread_from = \"preferred\"",
            ),
        ],
    },
    Listing {
        heading: "[cache.NAME]",
        note: "",
        words: &["cache"],
        table: CACHE,
        samples: &[sample("", &["cache", "x"], "[cache.x]")],
    },
    Listing {
        heading: "[link.NAME]",
        note: "",
        words: &["link"],
        table: LINK,
        samples: &[sample("", &["link", "x"], "[link.x]")],
    },
    Listing {
        heading: "[volume.NAME]",
        note: "",
        words: &["volume", "scheduler"],
        table: VOLUME,
        samples: &[
            sample("", &["volume", "x"], "[volume.x]"),
            sample("a scheduler", &["volume", "x"], "[volume.x]\nscheduler = \"none\""),
        ],
    },
    Listing {
        heading: "[load.NAME], kind = \"requests\", which is the default",
        note: "It has one of `depth`, `rate`, `committers` and `trace`; `depth` may stand beside a `trace`, and keys of drawn requests may not.",
        words: &["load", "requests", "trace"],
        table: REQUESTS,
        samples: &[
            sample("drawn requests", LOAD, "[load.x]\non = \"d\""),
            sample("\"strided\"", LOAD, "[load.x]\non = \"d\"\npattern = \"strided\""),
            sample("\"zipf\"", LOAD, "[load.x]\non = \"d\"\npattern = \"zipf\""),
            sample("\"hotspot\"", LOAD, "[load.x]\non = \"d\"\npattern = \"hotspot\""),
            sample("traces", LOAD, "[load.x]\non = \"d\"\ntrace = \"t\""),
        ],
    },
    Listing {
        heading: "[load.NAME], kind = \"overwrite\"",
        note: "",
        words: &["load", "overwrite"],
        table: OVERWRITE,
        samples: &[sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"overwrite\"")],
    },
    Listing {
        heading: "[load.NAME], kind = \"scan\"",
        note: "",
        words: &["load", "scan"],
        table: SCAN,
        samples: &[sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"scan\"")],
    },
    Listing {
        heading: "[load.NAME], kind = \"index_reads\"",
        note: "",
        words: &["load", "index_reads"],
        table: INDEX_READS,
        samples: &[sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"index_reads\"")],
    },
    Listing {
        heading: "[load.NAME], kind = \"database_writer\"",
        note: "",
        words: &["load", "database_writer"],
        table: DATABASE_WRITER,
        samples: &[
            sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"database_writer\"\npattern = \"random\""),
            sample(ANY, LOAD, "[load.x]\non = \"d\"\nkind = \"database_writer\""),
            sample(
                "\"strided\"",
                LOAD,
                "[load.x]\non = \"d\"\nkind = \"database_writer\"\npattern = \"strided\"",
            ),
            sample("\"zipf\"", LOAD, "[load.x]\non = \"d\"\nkind = \"database_writer\"\npattern = \"zipf\""),
            sample(
                "\"hotspot\"",
                LOAD,
                "[load.x]\non = \"d\"\nkind = \"database_writer\"\npattern = \"hotspot\"",
            ),
        ],
    },
    Listing {
        heading: "[load.NAME], kind = \"log\"",
        note: "It has one of `committers` and `rate`.",
        words: &["load", "log"],
        table: LOG,
        samples: &[sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"log\"\ncommitters = 1")],
    },
    Listing {
        heading: "[load.NAME], kind = \"temp\"",
        note: "",
        words: &["load", "temp"],
        table: TEMP,
        samples: &[
            sample("\"sort\"", LOAD, "[load.x]\non = \"d\"\nkind = \"temp\"\nspill = \"sort\""),
            sample("\"hash\"", LOAD, "[load.x]\non = \"d\"\nkind = \"temp\"\nspill = \"hash\""),
            sample(ANY, LOAD, "[load.x]\non = \"d\"\nkind = \"temp\""),
        ],
    },
    Listing {
        heading: "[load.NAME], kind = \"oltp\"",
        note: "",
        words: &["load", "oltp"],
        table: OLTP,
        samples: &[sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"oltp\"\ncompute = \"1 us\"")],
    },
    Listing {
        heading: "[load.NAME], kind = \"dss\"",
        note: "",
        words: &["load", "dss"],
        table: DSS,
        samples: &[sample("", LOAD, "[load.x]\non = \"d\"\nkind = \"dss\"\ncompute = \"1 us\"")],
    },
    Listing {
        heading: "{ ... } of region, index, table, data, log, tables and temp of a load",
        note: "",
        words: &["load", "region"],
        table: REGION,
        samples: &[sample(
            "",
            &["load", "x", "region"],
            "[load.x]\non = \"d\"\nreads = \"1 %\"\npattern = \"random\"\nblock = \"8 KiB\"\nregion = { }",
        )],
    },
    Listing {
        heading: "{ ... } of hot",
        note: "",
        words: &["load", "hot"],
        table: HOT,
        samples: &[sample(
            "",
            &["load", "x", "hot"],
            "[load.x]\non = \"d\"\nreads = \"1 %\"\npattern = \"hotspot\"\nblock = \"8 KiB\"\nhot = { }",
        )],
    },
    Listing {
        heading: "{ ... } in the list of block",
        note: "",
        words: &["load", "block"],
        table: BLOCK,
        samples: &[sample(
            "",
            &["load", "x", "block"],
            "[load.x]\non = \"d\"\nreads = \"1 %\"\npattern = \"random\"\nblock = [{ }]",
        )],
    },
    Listing {
        heading: "[[figure]]",
        note: "",
        words: &["figure"],
        table: FIGURE,
        samples: &[sample("", &["figure"], "[[figure]]")],
    },
    Listing {
        heading: "[[published]]",
        note: "It has one of `value` and `by`.",
        words: &["published"],
        table: PUBLISHED,
        samples: &[
            sample("", &["published"], "[[published]]\nby = \"f\""),
            sample("", &["published"], "[[published]]\nfigure = \"f\""),
            sample("", &["published"], "[[published]]\nfigure = \"mean\""),
        ],
    },
];

/// Figures that published numbers are of, in two units.
const FIGURES: &str = "[[figure]]\nname = \"f\"\nof = \"l\"\nmeasure = \"iops\"\n\
                       [[figure]]\nname = \"mean\"\nof = \"l\"\nmeasure = \"mean\"\n";

/// All tables of a scenario with their keys.
#[must_use]
pub fn scenario_keys() -> Vec<ListedTable> {
    LISTINGS.iter().map(listed).collect()
}

/// Tables whose kind is not known yet are read by other names.
fn is_of(listing: &Listing, table: &str) -> bool {
    table == listing.table.called
        || table == "a device" && listing.heading.starts_with("[device.")
        || table == "a load" && listing.heading.starts_with("[load.")
}

fn listed(listing: &Listing) -> ListedTable {
    let mut asked: Vec<Asked> = Vec::new();
    let mut lacking: Vec<Found> = Vec::new();
    for sample in listing.samples {
        let (more, lacks) = read(listing, sample);
        for one in more {
            if !asked.contains(&one) {
                asked.push(one);
            }
        }
        lacking.push(Found { with: sample.with, lacks, given: given(sample) });
    }
    let key = |key: &'static spindle_workload::form::Key| {
        let of_key = asked.iter().filter(|a| a.key == key.name);
        // The kind is looked for by one table and may stand in the list of another: the words of the kind are in the heading.
        let mut takes: Vec<String> = of_key.map(|a| a.wanted.said()).collect();
        takes.dedup();
        ListedKey {
            name: key.name.to_owned(),
            needed: needed(key.name, &lacking),
            takes: takes.join("; or "),
            means: key.means.to_owned(),
        }
    };
    let is_listed = |key: &&spindle_workload::form::Key| {
        listing.table.called != REQUESTS.called || !OF_JOBS.iter().any(|(name, _)| *name == key.name)
    };
    ListedTable {
        heading: listing.heading.to_owned(),
        note: (!listing.note.is_empty()).then(|| listing.note.to_owned()),
        called: listing.table.called.to_owned(),
        words: listing.words.iter().map(|w| (*w).to_owned()).collect(),
        keys: listing.table.all().filter(is_listed).map(key).collect(),
    }
}

/// What a sample came to.
struct Found {
    with: &'static str,
    lacks: BTreeSet<String>,
    /// Keys that stand in it to begin with.
    given: BTreeSet<String>,
}

fn needed(key: &str, found: &[Found]) -> Needed {
    let lacks: Vec<&Found> = found.iter().filter(|f| f.lacks.contains(key)).collect();
    let everywhere = found.iter().all(|f| f.lacks.contains(key) || f.given.contains(key));
    match lacks.as_slice() {
        [] => Needed::Never,
        some if everywhere && some.iter().any(|f| f.with == ANY)
            || some.iter().any(|f| f.with.is_empty()) =>
        {
            Needed::Always
        }
        some if some.len() == found.len() => Needed::Always,
        some => Needed::With(some.iter().filter(|f| f.with != ANY).map(|f| f.with.to_owned()).collect()),
    }
}

/// Of a file that has nothing but what all of its kind have.
const ANY: &str = "any of it";

fn given(sample: &Sample) -> BTreeSet<String> {
    let Ok(form) = Form::parse(sample.text, "a sample") else { return BTreeSet::new() };
    let mut root = form.root().clone();
    table_at(&mut root, sample.path)
        .map(|table| table.0.iter().map(|e| e.name.clone()).collect())
        .unwrap_or_default()
}

/// Reads a sample as long as its table lacks something; what was looked for in it, and what it lacked.
fn read(listing: &Listing, sample: &Sample) -> (Vec<Asked>, BTreeSet<String>) {
    let around = match listing.heading {
        "the file itself" => String::new(),
        "[[figure]]" => AROUND.to_owned(),
        _ => format!("name = \"n\"\n{AROUND}{FIGURES}[end]\ntime = \"1 s\"\n"),
    };
    let text = match sample.text {
        "[end]" => sample.text.to_owned(),
        own => format!("{around}{own}"),
    };
    let Ok(form) = Form::parse(&text, "a sample") else { return Default::default() };
    let mut root = form.root().clone();
    let mut lacked: BTreeSet<String> = BTreeSet::new();
    let mut asked: Vec<Asked> = Vec::new();
    for _ in 0..ROUNDS {
        let form = Form::of("a sample", root.clone()).that_collects().that_notes_keys();
        if let Ok(top) = form.top(SCENARIO) {
            point(&top, None, &[]);
        }
        for one in form.asked().into_iter().filter(|a| is_of(listing, a.table)) {
            if !asked.contains(&one) {
                asked.push(one);
            }
        }
        let lacks: Vec<String> = form
            .lacking()
            .into_iter()
            .filter(|(table, _)| is_of(listing, table))
            .map(|(_, key)| key)
            .filter(|key| !lacked.contains(key))
            .collect();
        if lacks.is_empty() {
            break;
        }
        for key in lacks {
            let least = asked.iter().filter(|a| a.key == key).find_map(|a| a.wanted.least());
            if let Some((table, value)) = table_at(&mut root, sample.path).zip(least) {
                table.set(&key, Node { line: 1, value });
            }
            lacked.insert(key);
        }
    }
    (asked, lacked)
}

/// The table at a path; of a list the last.
fn table_at<'a>(root: &'a mut Entries, path: &[&str]) -> Option<&'a mut Entries> {
    let Some((first, rest)) = path.split_first() else { return Some(root) };
    let entry = root.0.iter_mut().find(|e| e.name == *first)?;
    let inner = match &mut entry.node.value {
        Value::List(parts) => match &mut parts.last_mut()?.value {
            Value::Table(inner) => inner,
            _ => return None,
        },
        Value::Table(inner) => inner,
        _ => return None,
    };
    table_at(inner, rest)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn table(word: &str) -> ListedTable {
        scenario_keys().into_iter().find(|t| t.words.last().is_some_and(|w| w == word)).unwrap()
    }

    fn key(table: &ListedTable, name: &str) -> ListedKey {
        table.keys.iter().find(|k| k.name == name).unwrap().clone()
    }

    #[test]
    fn every_key_that_is_listed_is_looked_for_by_the_reader() {
        for table in scenario_keys() {
            assert!(!table.keys.is_empty());
            for key in &table.keys {
                assert!(!key.takes.is_empty(), "{}: nobody looks for `{}`", table.heading, key.name);
                assert!(!key.means.is_empty(), "{}: `{}`", table.heading, key.name);
            }
        }
    }

    #[test]
    fn a_key_is_needed_where_the_reader_cannot_do_without() {
        let of = |table: &ListedTable, name: &str| key(table, name).needed.to_string();
        let disk = table("hard_disk");
        assert_eq!((of(&disk, "rpm").as_str(), of(&disk, "about").as_str()), ("required", "optional"));
        assert_eq!(
            (of(&disk, "kind").as_str(), of(&disk, "model").as_str()),
            ("required with no model", "optional")
        );
        assert_eq!(key(&disk, "rpm").takes, "1,000 rpm to 100,000 rpm");
        let array = table("asm");
        assert_eq!(of(&array, "stripe"), "required with stripe, raid10, raid5, raid6");
        assert_eq!((of(&array, "kind").as_str(), of(&array, "of").as_str()), ("required", "required"));
        let temp = table("temp");
        assert_eq!(
            (of(&temp, "width"), of(&temp, "io")),
            ("required with \"sort\"".into(), "required".into())
        );
        let requests = table("trace");
        assert_eq!(of(&requests, "block").split(' ').next(), Some("required"));
        assert!(requests.keys.iter().all(|k| k.name != "flush" && k.name != "name"));
        assert_eq!(of(&table("cloud_volume"), "burst_iops"), "optional");
    }
}
