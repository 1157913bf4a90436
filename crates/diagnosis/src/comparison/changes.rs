//! What else is different: database, release, host, parameters, sizes of memory. And what that means
//! for the comparison, loudest first.

use super::databases::Databases;
use super::digest::Digest;
use super::metrics::MetricChange;
use super::names::Names;
use super::side::{SideTotal, copies_of, same_interval};
use super::uneven;
use crate::words;
use serde::Serialize;
use spindle_facts::{Identity, Kind, Scope, clash, other_host};
use std::collections::{BTreeMap, BTreeSet};

const SAME_INTERVAL: &str =
    "Both sides are the same interval of the same instance: what differs is how two reports count it.";
const SHARED_INTERVAL: &str = "An interval stands on both sides: they are not independent.";
const SAME_TIME: &str = "Both sides hold the same interval of one database, in reports that count other parts of it: what differs is what is counted, no change.";
/// What becomes of several databases of a side.
const ADDED_UP: &str = "what they did at one time is added up, as that of instances is";
/// Reports of one snapshot begin within this of each other.
const SHIFT_S: i64 = 120;

/// Half of a tenth, percent.
const TENTH_PCT: f64 = 5.0 + 1e-9;

/// Something that has one value before and another after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// What it is.
    pub name: String,
    /// Before; `None` where a report that lists such things does not list it (a parameter is then at
    /// its default).
    pub before: Option<String>,
    /// After.
    pub after: Option<String>,
}

fn values(digests: &[&Digest], of: impl Fn(&Identity) -> Option<String>) -> BTreeSet<String> {
    digests.iter().filter_map(|d| of(&d.identity)).collect()
}

fn joined(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Awr => "AWR",
        Kind::Statspack => "Statspack",
        Kind::AwrCompare => "AWR compare-period",
        Kind::AwrSql => "AWR SQL",
        Kind::Addm => "ADDM",
        Kind::Ash => "ASH",
        Kind::AwrMiner => "AWR-miner",
        Kind::History => "collected history",
        Kind::Fio
        | Kind::Orion
        | Kind::CalibrateIo
        | Kind::Iostat
        | Kind::Sar
        | Kind::Slob
        | Kind::Measure => "result of a measurement",
        Kind::Unknown => "excerpt",
    }
}

/// Identity, host and memory.
pub(crate) fn identity(before: &[&Digest], after: &[&Digest]) -> Vec<Changed> {
    let mut found = Vec::new();
    let number = |n: Option<f64>| n.map(words::significant);
    let mut of = |name: &str, get: &dyn Fn(&Identity) -> Option<String>| {
        let (b, a) = (values(before, get), values(after, get));
        // A side that does not print it in every report may have what the other side prints.
        let unsaid = |side: &[&Digest]| side.iter().any(|d| get(&d.identity).is_none());
        let within = unsaid(before) && b.is_subset(&a) || unsaid(after) && a.is_subset(&b);
        if b != a && !b.is_empty() && !a.is_empty() && !within {
            found.push(Changed { name: name.to_owned(), before: Some(joined(&b)), after: Some(joined(&a)) });
        }
    };
    of("database", &|i| i.db_name.clone());
    of("database identifier", &|i| i.db_id.map(|n| n.to_string()));
    of("container", &|i| i.container.clone());
    of("release", &|i| i.version.clone());
    of("kind of report", &|i| Some(kind(i.kind).to_owned()));
    of("instances", &|i| i.instance_number.filter(|_| i.scope == Scope::Instance).map(|n| n.to_string()));
    of("host", &|i| i.host.clone());
    of("platform", &|i| i.platform.clone());
    of("CPUs", &|i| number(i.cpus));
    of("cores", &|i| number(i.cores));
    of("memory of the host", &|i| i.memory_bytes.map(words::bytes));
    of("block size", &|i| i.block_size_bytes.map(|n| words::bytes(n as f64)));
    of("role", &|i| i.role.clone());
    let names: BTreeSet<&str> = before.iter().chain(after).flat_map(|d| d.advice.keys().copied()).collect();
    for name in names {
        let of = |digests: &[&Digest]| -> BTreeSet<String> {
            let values = digests.iter().filter_map(|d| d.advice.get(name).copied());
            values
                .map(|v| if name.ends_with("bytes") { words::bytes(v) } else { words::percent(v) })
                .collect()
        };
        let (b, a) = (of(before), of(after));
        // A factor in tenths, in text, against one in hundredths.
        let within = name.ends_with("now") && {
            let range = |digests: &[&Digest]| -> (f64, f64) {
                let values = digests.iter().filter_map(|d| d.advice.get(name).copied());
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
            };
            let ((bl, bh), (al, ah)) = (range(before), range(after));
            let layouts: BTreeSet<_> = before
                .iter()
                .chain(after)
                .map(|d| d.identity.layout == spindle_facts::Layout::Text)
                .collect();
            layouts.len() > 1 && (bl - al).abs() <= TENTH_PCT && (bh - ah).abs() <= TENTH_PCT
        };
        if b != a && !b.is_empty() && !a.is_empty() && b.len() <= 3 && a.len() <= 3 && !within {
            let name =
                name.strip_suffix(", bytes").or_else(|| name.strip_suffix(", % of now")).unwrap_or(name);
            found.push(Changed { name: name.to_owned(), before: Some(joined(&b)), after: Some(joined(&a)) });
        }
    }
    found
}

/// Parameters whose values are words that Oracle reads in any case (Database Reference: those with a list of
/// values, and languages); names of files, services and instances keep their letters.
const ANY_CASE: &[&str] = &[
    "approx_for_aggregation",
    "audit_trail",
    "control_management_pack_access",
    "cursor_sharing",
    "db_block_checking",
    "db_block_checksum",
    "db_lost_write_protect",
    "db_ultra_safe",
    "filesystemio_options",
    "inmemory_query",
    "nls_comp",
    "nls_language",
    "nls_length_semantics",
    "nls_sort",
    "nls_territory",
    "optimizer_mode",
    "parallel_degree_limit",
    "parallel_degree_policy",
    "parallel_min_time_threshold",
    "plsql_code_type",
    "query_rewrite_enabled",
    "query_rewrite_integrity",
    "recyclebin",
    "remote_dependencies_mode",
    "remote_login_passwordfile",
    "result_cache_mode",
    "star_transformation_enabled",
    "statistics_level",
    "undo_management",
    "use_large_pages",
    "workarea_size_policy",
];
/// Words that are the same in any case, whatever the parameter.
const WORDS: &[&str] = &["TRUE", "FALSE", "ON", "OFF", "YES", "NO", "AUTO", "MANUAL", "NONE"];

/// A value as Oracle reads it.
fn as_read(name: &str, value: &str) -> String {
    let upper = value.to_ascii_uppercase();
    if ANY_CASE.contains(&name) || WORDS.contains(&upper.as_str()) { upper } else { value.to_owned() }
}

/// Reports of the instances that list parameters on both sides, where there are any: each has values of its own.
fn of_common_instances<'d>(before: &[&'d Digest], after: &[&'d Digest]) -> [Vec<&'d Digest>; 2] {
    let instances = |side: &[&'d Digest]| -> BTreeSet<u32> {
        let listing = side.iter().filter(|d| d.parameters.is_some());
        let of_instances = listing.filter(|d| d.identity.scope != Scope::Database);
        of_instances.filter_map(|d| d.identity.instance_number).collect()
    };
    let common: BTreeSet<u32> = instances(before).intersection(&instances(after)).copied().collect();
    [before, after].map(|side| {
        let is_common = |d: &&&Digest| {
            let number = d.identity.instance_number.filter(|_| d.identity.scope != Scope::Database);
            common.is_empty() || number.is_none_or(|n| common.contains(&n))
        };
        side.iter().filter(is_common).copied().collect()
    })
}

/// Is what one report lists and another does not at its default there? Reports list what was set; an AWR-miner file
/// lists all there are, defaults too, and a collected history those that storage depends on.
fn list_alike(before: &[&Digest], after: &[&Digest]) -> bool {
    let listing = before.iter().chain(after).filter(|d| d.parameters.is_some());
    let selections: BTreeSet<&str> = listing
        .map(|d| match d.identity.kind {
            Kind::AwrMiner | Kind::History => kind(d.identity.kind),
            _ => "set",
        })
        .collect();
    selections.len() <= 1
}

/// Parameters that differ; `None` where a side lists none.
pub(crate) fn parameters(before: &[&Digest], after: &[&Digest]) -> Option<Vec<Changed>> {
    let listed = |side: &[&Digest]| side.iter().any(|d| d.parameters.is_some());
    if !listed(before) || !listed(after) {
        return None;
    }
    let [before, after] = of_common_instances(before, after);
    let (before, after) = (before.as_slice(), after.as_slice());
    let names: BTreeSet<&String> =
        before.iter().chain(after).filter_map(|d| d.parameters.as_ref()).flat_map(|p| p.keys()).collect();
    let absent_is_default = list_alike(before, after);
    let mut found = Vec::new();
    for name in names {
        // Sizes that Oracle itself moves about, and the time of the instance, change on their own.
        if name.starts_with("__") {
            continue;
        }
        let of = |side: &[&Digest]| -> BTreeSet<Option<String>> {
            side.iter().filter_map(|d| d.parameters.as_ref()).map(|p| p.get(name).cloned()).collect()
        };
        let (b, a) = (of(before), of(after));
        let read = |values: &BTreeSet<Option<String>>| -> BTreeSet<Option<String>> {
            values.iter().map(|v| v.as_ref().map(|v| as_read(name, v))).collect()
        };
        if !absent_is_default && b.iter().chain(&a).any(Option::is_none) {
            continue;
        }
        if read(&b) != read(&a) && !may_be_cut(before, after, name) && !name_is_cut(before, after, name) {
            let said = |values: &BTreeSet<Option<String>>| {
                let known: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
                (!known.is_empty()).then(|| known.join(" / "))
            };
            found.push(Changed { name: name.clone(), before: said(&b), after: said(&a) });
        }
    }
    Some(found)
}

/// The column of a text report leaves a name so many letters.
const NAME: usize = 29;

/// Is a name the beginning of another one that the other side has alone, with the same values? A column cut it.
fn name_is_cut(before: &[&Digest], after: &[&Digest], name: &str) -> bool {
    let values = |side: &[&Digest], name: &str| -> BTreeSet<Option<String>> {
        side.iter().filter_map(|d| d.parameters.as_ref()).map(|p| p.get(name).cloned()).collect()
    };
    let nowhere = |side: &[&Digest], name: &str| values(side, name).iter().all(Option::is_none);
    let text = |side: &[&Digest]| side.iter().any(|d| d.identity.layout == spindle_facts::Layout::Text);
    let names = |side: &[&Digest]| -> BTreeSet<String> {
        side.iter().filter_map(|d| d.parameters.as_ref()).flat_map(|p| p.keys().cloned()).collect()
    };
    let cut = |one: &[&Digest], other: &[&Digest], short: &str, long: &str| {
        text(one)
            && short.chars().count() == NAME
            && long.starts_with(short)
            && long != short
            && nowhere(other, short)
            && nowhere(one, long)
            && values(one, short) == values(other, long)
    };
    names(after).iter().any(|long| cut(before, after, name, long))
        || names(before).iter().any(|long| cut(after, before, name, long))
        || names(before).iter().any(|short| cut(before, after, short, name))
        || names(after).iter().any(|short| cut(after, before, short, name))
}

/// Are the values of a parameter alike as far as the column of a text report shows them? Of two that are cut
/// at one place nobody knows whether they differ, and what is known is not that they do.
fn may_be_cut(before: &[&Digest], after: &[&Digest], name: &String) -> bool {
    let values = |side: &[&Digest]| -> Vec<(Vec<String>, bool)> {
        let listed = side.iter().filter(|d| d.parameters.is_some());
        listed
            .map(|d| match d.cut_parameters.get(name) {
                Some(parts) => (parts.clone(), true),
                None => {
                    let whole = d.parameters.as_ref().and_then(|p| p.get(name));
                    (whole.map(|v| v.split(", ").map(str::to_owned).collect()).unwrap_or_default(), false)
                }
            })
            .collect()
    };
    // The last part of a cut value is the beginning of one.
    let begins = |(cut, is_cut): &(Vec<String>, bool), (other, _): &(Vec<String>, bool)| -> bool {
        let Some((last, first)) = cut.split_last().filter(|_| *is_cut) else { return false };
        first.iter().all(|part| other.contains(part))
            && other.iter().any(|part| part.starts_with(last.as_str()))
    };
    let (b, a) = (values(before), values(after));
    let alike = |x: &(Vec<String>, bool), y: &(Vec<String>, bool)| x == y || begins(x, y) || begins(y, x);
    b.iter().chain(&a).any(|v| v.1) && b.iter().all(|x| a.iter().all(|y| alike(x, y)))
}

/// Do the sides hold the same time of one database, counted by reports of another scope?
fn one_time(before: &[&Digest], after: &[&Digest]) -> bool {
    let near = |a: Option<(i64, i64)>, b: Option<(i64, i64)>| {
        a.zip(b).is_some_and(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) <= SHIFT_S)
    };
    before.iter().map(|d| (&d.identity, d.span)).any(|(b, before)| {
        after.iter().map(|d| (&d.identity, d.span)).any(|(a, after)| {
            b.scope != a.scope
                && b.db_name == a.db_name
                && b.db_name.is_some()
                && b.db_id.zip(a.db_id).is_none_or(|(b, a)| b == a)
                && near(before, after)
        })
    })
}

/// Seconds of an instance that both sides count, beyond what its snapshots are apart.
fn shared_s(before: &[&Digest], after: &[&Digest]) -> Option<i64> {
    type Of<'d> = (Option<&'d String>, Option<&'d String>, bool, Option<u32>);
    fn of<'d>(digest: &'d Digest) -> Of<'d> {
        let id = &digest.identity;
        (id.db_name.as_ref(), id.container.as_ref(), id.scope == Scope::Database, id.instance_number)
    }
    let mut by_instance: BTreeMap<Of<'_>, Vec<(i64, i64)>> = BTreeMap::new();
    for digest in after {
        by_instance.entry(of(digest)).or_default().extend(digest.span);
    }
    for spans in by_instance.values_mut() {
        spans.sort_unstable();
    }
    let mut shared = 0;
    for digest in before {
        let (Some((begin, end)), Some(others)) = (digest.span, by_instance.get(&of(digest))) else {
            continue;
        };
        let longest = others.iter().map(|s| s.1 - s.0).max().unwrap_or(0);
        let from = others.partition_point(|s| s.0 < begin - longest);
        let near = others[from..].iter().take_while(|s| s.0 < end);
        let own = near.filter(|s| clash((begin, end), **s)).map(|s| s.1.min(end) - s.0.max(begin));
        shared += own.sum::<i64>();
    }
    (shared > 0).then_some(shared)
}

/// What the reader must know before any number, loudest first.
pub(crate) fn warnings(
    before: &[&Digest],
    after: &[&Digest],
    sums: (&SideTotal, &SideTotal),
    names: &Names,
    databases: &Databases,
) -> Vec<String> {
    let mut loud = Vec::new();
    let name = |i: &Identity| i.db_name.as_ref().map(|n| n.to_ascii_uppercase());
    let (b, a) = (values(before, name), values(after, name));
    let id = |i: &Identity| i.db_id.map(|n| n.to_string());
    let (ib, ia) = (values(before, id), values(after, id));
    let different_names = !b.is_empty() && !a.is_empty() && b.is_disjoint(&a);
    let different_ids = !ib.is_empty() && !ia.is_empty() && ib.is_disjoint(&ia);
    // Copies of one identifier, numbered over both sides.
    let all: Vec<&Digest> = before.iter().chain(after).copied().collect();
    let copies = copies_of(&all);
    let (cb, ca) = copies.split_at(before.len());
    let several = copies.iter().any(|copy| *copy > 0);
    let disjoint =
        |b: &[usize], a: &[usize]| b.iter().collect::<BTreeSet<_>>().is_disjoint(&a.iter().collect());
    let (hb, ha) = (values(before, |i| i.host.clone()), values(after, |i| i.host.clone()));
    // Text cuts a long name: what one layout cuts is no other host.
    let other = |b: &String| ha.iter().all(|a| other_host(Some(b), Some(a)));
    let of_hosts = !hb.is_empty() && !ha.is_empty() && hb.iter().all(other);
    let copied = several && !different_names && !different_ids && disjoint(cb, ca);
    if copied {
        // HTML before 18c prints no minutes of it.
        let of = |i: &Identity| i.startup_time.clone().map(|t| if t.len() == 13 { t + " h" } else { t });
        let started = |d: &[&Digest]| joined(&values(d, of)).replace('T', " ");
        loud.push(if of_hosts {
            format!(
                "DIFFERENT DATABASES of one identifier: they ran at the same time, on {} before, on {} after (a copy of the storage, or a standby).",
                joined(&hb),
                joined(&ha)
            )
        } else {
            format!(
                "DIFFERENT DATABASES of one identifier: they ran at the same time, started {} before, {} after (a copy of the storage, or a standby).",
                started(before),
                started(after)
            )
        });
    }
    for (which, of) in [("before", cb), ("after", ca)] {
        let of_side = of.iter().collect::<BTreeSet<_>>().len();
        if of_side > 1 {
            loud.push(format!(
                "{of_side} databases {which} of one identifier: at the same time one instance number has two hosts or two starts (a copy of the storage, or a standby); {ADDED_UP}."
            ));
        }
    }
    let mixed = databases.said().filter(|_| !(different_names || different_ids || copied));
    if let Some(mixed) = &mixed {
        // Before what a side holds: nobody may read the sums without it.
        loud.insert(0, mixed.clone());
    } else if different_names {
        loud.push(format!(
            "DIFFERENT DATABASES: {} before, {} after. What differs may be the databases and no change.",
            joined(&b),
            joined(&a)
        ));
    } else if different_ids {
        loud.push(format!(
            "DIFFERENT DATABASES of one name: identifiers {} before, {} after (a copy, or made anew).",
            joined(&ib),
            joined(&ia)
        ));
    } else if (b.is_empty() || a.is_empty()) && (ib.is_empty() || ia.is_empty()) {
        loud.push(
            "Nothing tells whether both sides are of one database: a report prints neither its name nor its identifier."
                .to_owned(),
        );
    }
    // Nor are totals of the same time where a side lacks reports of an instance.
    loud.extend(uneven::said("before", before).chain(uneven::said("after", after)));
    for (which, all, side) in [("before", &b, before), ("after", &a, after)] {
        let of_one_name: BTreeSet<(Option<String>, u64)> =
            side.iter().filter_map(|d| Some((name(&d.identity), d.identity.db_id?))).collect();
        if of_one_name.len() > all.len().max(1) {
            let ids: Vec<String> = of_one_name
                .iter()
                .map(|(name, id)| format!("{} {id}", name.as_deref().unwrap_or("unnamed")))
                .collect();
            loud.push(format!(
                "{} databases {which} ({}), told apart by their identifiers (a copy, or made anew): {ADDED_UP}.",
                ids.len(),
                ids.join(", ")
            ));
        } else if all.len() > 1 {
            loud.push(format!("{} databases {which} ({}): {ADDED_UP}.", all.len(), joined(all)));
        }
        let scopes: BTreeSet<&str> = side.iter().map(|d| scope(d.identity.scope)).collect();
        if scopes.len() > 1 {
            loud.push(format!(
                "The side {which} mixes reports of {}: what one counts the other may count too.",
                scopes.into_iter().collect::<Vec<_>>().join(" and of ")
            ));
        }
    }
    loud.extend(databases.lacking());
    let containers = |d: &[&Digest]| values(d, |i| i.container.clone());
    let (cb, ca) = (containers(before), containers(after));
    if cb != ca && !(different_names || different_ids) {
        let said =
            |c: &BTreeSet<String>| if c.is_empty() { "the whole database".to_owned() } else { joined(c) };
        loud.push(format!("Different containers: {} before, {} after.", said(&cb), said(&ca)));
    }
    let scopes = |d: &[&Digest]| d.iter().map(|d| scope(d.identity.scope)).collect::<BTreeSet<_>>();
    let (sb, sa) = (scopes(before), scopes(after));
    if sb.len() == 1 && sa.len() == 1 && sb != sa {
        let said = |d: &[&Digest], scopes: BTreeSet<&str>| {
            let instances = values(d, |i| i.instance_number.map(|n| n.to_string())).len();
            let of_instances = d.iter().all(|d| d.identity.scope == Scope::Instance);
            if of_instances && instances > 1 {
                (format!("{instances} instances, added up"), true)
            } else {
                (scopes.into_iter().collect::<String>(), false)
            }
        };
        let ((b, many_before), (a, many_after)) = (said(before, sb), said(after, sa));
        let whole = |d: &[&Digest]| d.iter().all(|d| d.identity.scope == Scope::Database);
        let so = if (many_before && whole(after)) || (many_after && whole(before)) {
            "the totals compare if these are all its instances"
        } else {
            "the totals do not compare"
        };
        loud.push(format!("Before is of {b}, after of {a}: {so}."));
    }
    let begin = |d: &[&Digest]| d.iter().filter_map(|d| d.begin_s()).min();
    let same = |one: &&Digest, all: &[&Digest]| all.iter().any(|other| same_interval(one, other));
    let one_interval = before.iter().any(|b| same(b, after)) || one_time(before, after);
    let later = begin(before).zip(begin(after)).is_some_and(|(b, a)| b > a);
    // Two reports of one interval round its begin in their own ways.
    if later && !different_names && mixed.is_none() && !one_interval {
        loud.push("BEFORE IS LATER THAN AFTER: what is said to rise here fell in time. Swap the sides unless you mean it.".to_owned());
    }
    if one_time(before, after) && !different_names && !different_ids {
        loud.push(SAME_TIME.to_owned());
    } else if before.iter().any(|b| same(b, after)) {
        loud.push(if before.len() == 1 && after.len() == 1 {
            SAME_INTERVAL.to_owned()
        } else {
            SHARED_INTERVAL.to_owned()
        });
    } else if let Some(shared) =
        shared_s(before, after).filter(|_| !different_names && !different_ids && !copied)
    {
        let said = if shared >= 7_200 {
            format!("{} h", words::significant(shared as f64 / 3600.0))
        } else {
            format!("{} min", shared / 60)
        };
        loud.push(format!(
            "The sides overlap in time: {said} of one instance stand on both of them, so that they are not independent, and its change is in neither."
        ));
    }
    let instances = |d: &[&Digest]| {
        values(d, |i| i.instance_number.filter(|_| i.scope == Scope::Instance).map(|n| n.to_string()))
    };
    let (nb, na) = (instances(before), instances(after));
    if nb != na && !nb.is_empty() && !na.is_empty() && !different_names {
        loud.push(format!(
            "Different instances: {} before, {} after; each does its own share of the work.",
            joined(&nb),
            joined(&na)
        ));
    }
    let kinds = |d: &[&Digest]| d.iter().map(|d| kind(d.identity.kind)).collect::<BTreeSet<_>>();
    let (kb, ka) = (kinds(before), kinds(after));
    if kb != ka {
        let of_metrics = kb.contains(kind(Kind::AwrMiner)) || ka.contains(kind(Kind::AwrMiner));
        let how = if of_metrics {
            "AWR-miner prints means of metrics in tenths, and of the waits only those that lead a snapshot"
        } else {
            "statements carry other identifiers, and each rounds in its own way; times and counts are of the same views"
        };
        loud.push(format!(
            "{} against {}: {how}.",
            kb.into_iter().collect::<Vec<_>>().join(" and "),
            ka.into_iter().collect::<Vec<_>>().join(" and ")
        ));
    }
    let (sb, sa) = sums;
    if let Some(name) = ["read requests", "write requests"].iter().find(|name| sb.counts_other(sa, name)) {
        let (some, all) = if sb.partial.contains(name) { ("before", "after") } else { ("after", "before") };
        loud.push(format!(
            "Requests {some} are those of data and temp files and of redo, since the report counts no others; {all} they are of all processes: the two are not held against each other."
        ));
    }
    let release = |i: &Identity| i.release().map(|(major, minor)| format!("{major}.{minor}"));
    let (rb, ra) = (values(before, release), values(after, release));
    if rb != ra && !rb.is_empty() && !ra.is_empty() {
        let renamed = if names.renames() {
            "events that were renamed are mapped, others may count differently"
        } else {
            "no event is mapped, so one that was renamed between them stands as gone and as new, and others may count differently"
        };
        loud.push(format!("Release {} before, {} after: {renamed}.", joined(&rb), joined(&ra)));
    }
    for (which, side, sum) in [("before", before, sums.0), ("after", after, sums.1)] {
        if side.iter().any(|d| d.identity.excerpt) {
            loud.push(format!(
                "The side {which} holds an excerpt: what it does not print is unknown, not zero."
            ));
        }
        if let Some(from) = side.iter().find_map(|d| d.db_time_from) {
            loud.push(format!("DB time {which} is not printed; {from} stand for it."));
        }
        if sum.db_time_s.is_none() {
            loud.push(format!(
                "DB time {which} is not known, so its change cannot be explained; events are still compared."
            ));
        }
    }
    loud
}

/// Loads that differ by more than this many times do not compare.
const ANOTHER_LOAD: f64 = 10.0;
/// A total below this says nothing by its ratio alone: five logons against fifty.
const LEAST_RATE: f64 = 0.1;

/// Says where the sides carry loads that cannot be held against each other.
pub(crate) fn loads(metrics: &[MetricChange]) -> Option<String> {
    let names =
        ["transactions a second", "user calls a second", "executions a second", "logical reads a second"];
    let mut found: Vec<(f64, String)> = Vec::new();
    for name in names {
        let Some(m) = metrics.iter().find(|m| m.name == name) else { continue };
        let Some((b, a)) = m.before.zip(m.after) else { continue };
        let (least, most) = (b.min(a), b.max(a));
        // Rounded rates may lie nearer.
        let at_least = if a > b { m.ratio_low } else { m.ratio_high.filter(|r| *r > 0.0).map(f64::recip) };
        if most < LEAST_RATE || most <= ANOTHER_LOAD * least || at_least.is_some_and(|r| r <= ANOTHER_LOAD) {
            continue;
        }
        let said = |v: f64| words::significant(v);
        let factor = most / least;
        let times = if factor.is_finite() { format!(", {} times", said(factor)) } else { String::new() };
        found.push((factor, format!("{name} {} before, {} after{times}", said(b), said(a))));
    }
    if found.is_empty() {
        return None;
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<String> = found.into_iter().take(2).map(|f| f.1).collect();
    Some(format!("THE LOADS DO NOT COMPARE: {}.", named.join("; ")))
}

/// Is it a warning that an interval stands on both sides?
pub(crate) fn is_of_equal_intervals(warning: &str) -> bool {
    [SAME_INTERVAL, SHARED_INTERVAL, SAME_TIME].contains(&warning)
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Instance => "an instance",
        Scope::Database => "the whole database",
        Scope::Container => "a container",
    }
}
