//! What the tests of reading share: where reports are, and whether the facts of a changed report
//! are still those of the original.

#![allow(dead_code, reason = "each test uses a part")]

use serde_json::{Map, Value};
use spindle_facts::Report;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Tables whose rows have a meaning of their own; the others are kept as printed.
const TYPED: &[&str] = &[
    "load_profile",
    "io_profile",
    "time_model",
    "os_stat",
    "top_event",
    "wait_event",
    "wait_class",
    "wait_histogram",
    "sql_stat",
    "instance_stat",
    "tablespace_io",
    "file_io",
    "io_function",
    "io_filetype",
    "io_function_filetype",
    "segment_stat",
    "db_cache_advice",
    "pga_advice",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example of the repository.
pub(crate) fn example(name: &str) -> String {
    std::fs::read_to_string(root().join("examples").join(name)).unwrap()
}

/// A report of the corpus; without the corpus this says so, past the harness's capture.
pub(crate) fn corpus(name: &str) -> Option<Vec<u8>> {
    let found = ["../shared/corpus", "../../shared/corpus"]
        .iter()
        .find_map(|p| std::fs::read(root().join(p).join(name)).ok());
    if found.is_none() {
        spindle_test_support::skipped(&format!("../shared/corpus/{name} is not there"));
    }
    found
}

/// The rows of all tables without their places.
fn rows(report: &Report) -> Vec<(String, Vec<Map<String, Value>>)> {
    let tables = serde_json::to_value(&report.tables).unwrap();
    let Value::Object(tables) = tables else { return Vec::new() };
    tables
        .into_iter()
        .map(|(name, rows)| {
            let rows = rows.as_array().unwrap().iter().map(|row| {
                let mut row = row.as_object().unwrap().clone();
                row.remove("line");
                row.remove("section");
                row
            });
            (name, rows.collect())
        })
        .collect()
}

/// What a changed report says that its original does not, and how many rows it kept of how many.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// Rows with a value that no row of the original has.
    pub wrong: Vec<String>,
    /// Rows of the original.
    pub rows: usize,
    /// Rows of the changed report.
    pub kept: usize,
}

/// The rows of several reports, by table.
fn all_rows(reports: &[Report]) -> HashMap<String, Vec<Map<String, Value>>> {
    let mut all: HashMap<String, Vec<Map<String, Value>>> = HashMap::new();
    for (table, rows) in reports.iter().flat_map(rows) {
        all.entry(table).or_default().extend(rows);
    }
    all
}

/// Every value of the changed report must be one of the original; values and rows may lack.
pub(crate) fn compare(original: &Report, changed: &Report) -> Difference {
    compare_in(&all_rows(std::slice::from_ref(original)), changed, |table| TYPED.contains(&table))
}

fn compare_in(
    originals: &HashMap<String, Vec<Map<String, Value>>>,
    changed: &Report,
    wanted: impl Fn(&str) -> bool,
) -> Difference {
    let mut difference = Difference::default();
    for (table, rows) in rows(changed) {
        if !wanted(&table) {
            continue;
        }
        let before = &originals[&table];
        difference.rows += before.len();
        difference.kept += rows.len();
        let exact: HashSet<String> = before.iter().map(|r| serde_json::to_string(r).unwrap()).collect();
        for row in rows {
            // A table of the histogram that lacks leaves its range in one bucket.
            let bucket = |o: &Map<String, Value>| {
                ["event", "side", "bucket_low_us", "bucket_high_us"].iter().all(|k| o[*k] == row[*k])
            };
            if table == "wait_histogram" && !before.iter().any(bucket) {
                continue;
            }
            if exact.contains(&serde_json::to_string(&row).unwrap()) {
                continue;
            }
            if table == "wait_histogram" {
                // The fewer tables, the wider the bounds.
                let within = |o: &Map<String, Value>| {
                    bucket(o)
                        && row["waits_low"].as_f64() <= o["waits_high"].as_f64()
                        && row["waits_high"].as_f64() >= o["waits_low"].as_f64()
                };
                if !before.iter().any(within) {
                    difference.wrong.push(format!("{table} {}", Value::Object(row)));
                }
                continue;
            }
            let misses = |o: &Map<String, Value>| -> Vec<String> {
                row.iter()
                    .filter(|(key, value)| !agree(key, value, o.get(*key).unwrap_or(&Value::Null)))
                    .filter(|(key, _)| *key != "avg_wait_us" || !means_overlap(&row, o))
                    .map(|(key, value)| format!("{key}: {value}, was {}", o.get(key).unwrap_or(&Value::Null)))
                    .collect()
            };
            let nearest = before.iter().map(misses).min_by_key(Vec::len);
            match nearest {
                Some(none) if none.is_empty() => {}
                Some(some) => difference.wrong.push(format!(
                    "{table} {}: {}",
                    serde_json::to_string(&row).unwrap(),
                    some.join("; ")
                )),
                None => difference
                    .wrong
                    .push(format!("{table} {}: no row before", serde_json::to_string(&row).unwrap())),
            }
        }
    }
    difference
}

/// Where the times or the means lack, the other of the two gives the mean, within wider bounds.
fn means_overlap(now: &Map<String, Value>, before: &Map<String, Value>) -> bool {
    let bound = |of: &Map<String, Value>, key: &str| of.get(key).and_then(Value::as_f64);
    let bounds = |of| bound(of, "avg_wait_us_low").zip(bound(of, "avg_wait_us_high"));
    bounds(now).zip(bounds(before)).is_some_and(|(now, before)| now.0 <= before.1 && before.0 <= now.1)
}

/// Values of damaged copies: how many the original has, how many are left, and rows that are wrong.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub all: usize,
    pub kept: usize,
    pub wrong: Vec<String>,
    /// Kept and all, by table.
    pub tables: std::collections::BTreeMap<String, (usize, usize)>,
}

/// Every value of every table, in whatever reports the copy fell into, must be one of the original.
pub(crate) fn values(originals: &[Report], changed: &[Report]) -> Values {
    let original = &originals[0];
    let count = |rows: &[Map<String, Value>]| -> usize {
        rows.iter().map(|row| row.values().filter(|v| !v.is_null()).count()).sum()
    };
    let mut found = Values::default();
    let before = all_rows(originals);
    for (table, rows) in &before {
        let count = count(rows);
        found.all += count;
        if count > 0 {
            found.tables.insert(table.clone(), (0, count));
        }
    }
    for report in changed {
        let difference = compare_in(&before, report, |_| true);
        found.wrong.extend(difference.wrong);
        for (table, rows) in rows(report) {
            let count = count(&rows);
            found.kept += count;
            if count > 0 {
                found.tables.entry(table).or_default().0 += count;
            }
        }
        let (before, now) = (identity(original), identity(report));
        for (key, now) in now {
            let known = before.get(&key).unwrap_or(&Value::Null);
            // Where the more precise place is lost, the coarser one counts, within its bounds.
            let about = key.starts_with("db_time_s") && {
                let at = |key: &str| {
                    [&report.identity.db_time_s_low, &report.identity.db_time_s_high]
                        [usize::from(key == "high")]
                    .unwrap_or(f64::NAN)
                };
                original
                    .identity
                    .db_time_s
                    .is_some_and(|was| at("low") - 1e-6 <= was && was <= at("high") + 1e-6)
            };
            // One place clips the host's name where another does not.
            let clipped = key == "host"
                && known.as_str().zip(now.as_str()).is_some_and(|(known, now)| known.starts_with(now));
            // Pieces may not tell their kind.
            let open = key == "kind" && now == "unknown";
            if !agree(&key, &now, known) && !known.is_null() && !about && !clipped && !open {
                found.wrong.push(format!("identity {key}: {now}, was {known}"));
            }
        }
    }
    found
}

fn identity(report: &Report) -> Map<String, Value> {
    let Value::Object(mut identity) = serde_json::to_value(&report.identity).unwrap() else {
        return Map::new();
    };
    identity.retain(|k, _| !matches!(k.as_str(), "source" | "excerpt" | "layout" | "spans_restart"));
    identity
}

/// Nothing, the same, or, for a bound, a wider one.
fn agree(key: &str, now: &Value, before: &Value) -> bool {
    // The tablespace of a file is a text: empty where unknown.
    if now == before || now.is_null() || now == "" {
        return true;
    }
    if let (Some(now), Some(before)) = (now.as_str(), before.as_str()) {
        // Statements and names may have lost blanks, or their end.
        let bare = |t: &str| t.split_whitespace().collect::<String>();
        // Where no release is left, a clipped name may stand for several.
        if key == "event" && now.len() >= 20 && before.starts_with(now) {
            return true;
        }
        let (now, before) = (bare(now), bare(before));
        return now == before || now.strip_suffix("...").is_some_and(|n| before.starts_with(n));
    }
    match (now.as_f64(), before.as_f64()) {
        // Where rates lack they follow from the totals, with the interval as it is printed.
        (Some(now), Some(before)) if matches!(key, "per_second" | "per_transaction") => {
            (now - before).abs() <= 0.051 + 0.01 * before.abs()
        }
        // Sums of thousands stand in one table, those of single ones in another.
        (Some(now), Some(before)) if key == "total" => (now - before).abs() <= 1e-9 * before.abs(),
        (Some(now), Some(before)) if key.ends_with("_low") => now <= before,
        (Some(now), Some(before)) if key.ends_with("_high") => now >= before,
        _ => {
            now.is_array()
                && now
                    .as_array()
                    .zip(before.as_array())
                    .is_some_and(|(n, b)| n.iter().zip(b).all(|(n, b)| agree("", n, b)))
        }
    }
}
