//! What a scenario looks for, and what was published of it.

use super::keys::{FIGURE, PUBLISHED};
use super::storage::What;
use spindle_workload::form::{Section, Unit, Value, Wanted};
use spindle_workload::{Beside, FigureUnit, SweptKey, SweptValue};

/// A figure.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) of: String,
    /// Of a load with several streams, which one.
    pub(super) stream: Option<String>,
    pub(super) measure: Measure,
    /// Keys, by number, with the values of the point that it is divided by.
    pub(super) against: Option<Vec<(usize, SweptValue)>>,
    /// The figure that it is divided by, by number.
    pub(super) per: Option<usize>,
    /// The figure that is taken from it, by number.
    pub(super) less: Option<usize>,
    pub(super) unit: FigureUnit,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Load(OfLoad),
    Storage(OfStorage),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfLoad {
    Iops,
    Mbps,
    Mean,
    P50,
    P90,
    P99,
    P999,
    Longest,
    Elapsed,
    Requests,
    Unserved,
    Formula,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfStorage {
    Capacity,
    Requests,
    Iops,
    Busy,
    HitRate,
    WriteAmplification,
    Formula,
}

/// Words and units of what is measured of a load.
const OF_LOAD: [(&str, OfLoad, FigureUnit); 12] = [
    ("iops", OfLoad::Iops, FigureUnit::PerSecond),
    ("mbps", OfLoad::Mbps, FigureUnit::MbPerSecond),
    ("mean", OfLoad::Mean, FigureUnit::Microseconds),
    ("p50", OfLoad::P50, FigureUnit::Microseconds),
    ("p90", OfLoad::P90, FigureUnit::Microseconds),
    ("p99", OfLoad::P99, FigureUnit::Microseconds),
    ("p999", OfLoad::P999, FigureUnit::Microseconds),
    ("longest", OfLoad::Longest, FigureUnit::Microseconds),
    ("elapsed", OfLoad::Elapsed, FigureUnit::Seconds),
    ("requests", OfLoad::Requests, FigureUnit::Count),
    ("unserved", OfLoad::Unserved, FigureUnit::Count),
    ("formula_commit", OfLoad::Formula, FigureUnit::Microseconds),
];

impl OfLoad {
    /// It is a time that requests took.
    pub(super) fn is_latency(self) -> bool {
        matches!(self, Self::Mean | Self::P50 | Self::P90 | Self::P99 | Self::P999 | Self::Longest)
    }
}

/// Of storage.
const OF_STORAGE: [(&str, OfStorage, FigureUnit); 7] = [
    ("capacity", OfStorage::Capacity, FigureUnit::Bytes),
    ("requests", OfStorage::Requests, FigureUnit::Count),
    ("iops", OfStorage::Iops, FigureUnit::PerSecond),
    ("busy", OfStorage::Busy, FigureUnit::Percent),
    ("hit_rate", OfStorage::HitRate, FigureUnit::Percent),
    ("write_amplification", OfStorage::WriteAmplification, FigureUnit::Ratio),
    ("formula_amplification", OfStorage::Formula, FigureUnit::Ratio),
];

/// A published number.
#[derive(Clone, Debug)]
pub(super) struct Published {
    pub(super) figure: usize,
    /// Keys, by number, and their values.
    pub(super) at: Vec<(usize, SweptValue)>,
    /// In the unit of the figure.
    pub(super) value: Option<f64>,
    /// Another figure instead.
    pub(super) by: Option<usize>,
    pub(super) origin: String,
    /// What origins of fitted parameters call it.
    pub(super) result: String,
    pub(super) within_pct: Option<f64>,
    pub(super) beside: Beside,
}

/// What can be looked at.
pub(super) struct Names<'a> {
    pub(super) loads: &'a [String],
    /// Of loads with several streams, the one that tells most.
    pub(super) streams: &'a [(String, &'static str)],
    pub(super) storage: &'a [String],
    pub(super) keys: &'a [SweptKey],
}

/// Figures, published numbers and notes, at most.
const MOST: usize = 1_000;

/// Figures of a file, as far as they could be read, and all names of them; without any, rate and mean of each load.
pub(super) fn figures(top: &Section<'_>, names: &Names<'_>) -> (Vec<Figure>, Vec<String>) {
    let sections = top.keep(top.sections("figure", FIGURE).map(Some)).unwrap_or_default();
    if sections.len() > MOST {
        top.note(top.refuse_key("figure", format!("{} figures are more than {MOST}", sections.len())));
        return Default::default();
    }
    let mut all: Vec<Figure> = Vec::new();
    let mut declared: Vec<String> = Vec::new();
    for section in &sections {
        declared.extend(section.text("name").ok().flatten());
        if let Some(figure) = figure(section, names, &all) {
            if all.iter().any(|f| f.name == figure.name) {
                section.note(
                    section.refuse(format!("a figure `{}` stands above; give another name", figure.name)),
                );
            }
            all.push(figure);
        }
    }
    if sections.is_empty() {
        for load in names.loads {
            let stream = names.streams.iter().find(|(name, _)| name == load).map(|(_, stream)| *stream);
            let called = stream.map_or(load.clone(), |stream| format!("{load}, {stream}"));
            for (word, what, unit) in [OF_LOAD[0], OF_LOAD[2]] {
                all.push(Figure {
                    name: format!("{called}, {}", if word == "iops" { "IOPS" } else { "mean" }),
                    of: load.clone(),
                    stream: stream.map(str::to_owned),
                    measure: Measure::Load(what),
                    against: None,
                    per: None,
                    less: None,
                    unit,
                });
            }
        }
    }
    declared.extend(all.iter().map(|f| f.name.clone()));
    (all, declared)
}

fn figure(s: &Section<'_>, names: &Names<'_>, before: &[Figure]) -> Option<Figure> {
    let name = s.need("name", s.text("name"), "so it cannot be spoken of");
    let of = s.need("of", s.text("of"), "and of what it is is not known");
    s.asks("measure", || Wanted::Word(OF_LOAD.iter().map(|(word, ..)| *word).collect()));
    s.asks("measure", || Wanted::Word(OF_STORAGE.iter().map(|(word, ..)| *word).collect()));
    let word = s.need("measure", s.text("measure"), "and what is looked for is not known");
    let against = against(s, names);
    let per = s.keep(s.text("per"));
    let stream = s.keep(s.text("stream"));
    let less = s.keep(s.text("less"));
    let (name, of, word) = (name?, of?, word?);
    let word = word.to_lowercase();
    let is_load = names.loads.contains(&of);
    if !is_load && !names.storage.contains(&of) {
        let all: Vec<&str> = names.loads.iter().chain(names.storage).map(String::as_str).collect();
        s.note(s.refuse_key(
            "of",
            format!("there is no load and no storage `{of}`; there are {}", all.join(", ")),
        ));
        return None;
    }
    let found = if is_load {
        OF_LOAD.iter().find(|(w, ..)| *w == word).map(|(_, what, unit)| (Measure::Load(*what), *unit))
    } else {
        OF_STORAGE.iter().find(|(w, ..)| *w == word).map(|(_, what, unit)| (Measure::Storage(*what), *unit))
    };
    let Some((measure, unit)) = found else {
        let words: Vec<&str> = match is_load {
            true => OF_LOAD.iter().map(|(w, ..)| *w).collect(),
            false => OF_STORAGE.iter().map(|(w, ..)| *w).collect(),
        };
        let what = if is_load { "a load" } else { "storage" };
        s.note(s.refuse_key(
            "measure",
            format!("`measure` is \"{word}\", and of {what} like `{of}` there are {}", words.join(", ")),
        ));
        return None;
    };
    let above = |key: &'static str, name: Option<String>| match name {
        None => Some(None),
        Some(name) => match before.iter().position(|f| f.name == name) {
            Some(n) => Some(Some(n)),
            None => {
                s.note(s.refuse_key(key, format!("no figure `{name}` stands above this one")));
                None
            }
        },
    };
    let (per, less) = (above("per", per)?, above("less", less)?);
    if let Some(other) = less.and_then(|n| before.get(n)).filter(|other| other.unit != unit) {
        s.note(s.refuse_key("less", format!("`{}` counts something else than this figure", other.name)));
        return None;
    }
    let unit = if per.is_some() || against.is_some() { FigureUnit::Ratio } else { unit };
    Some(Figure { name, of, stream, measure, against, per, less, unit })
}

fn against(s: &Section<'_>, names: &Names<'_>) -> Option<Vec<(usize, SweptValue)>> {
    s.asks("against", || Wanted::Values);
    s.has("against").then(|| place(s, "against", names.keys))
}

/// Values of swept keys: `{ redundancy = "normal", disks = 8 }`.
fn place(s: &Section<'_>, key: &'static str, keys: &[SweptKey]) -> Vec<(usize, SweptValue)> {
    let Some((_, node)) = s.own_keys().find(|(name, _)| *name == key) else { return Vec::new() };
    let Value::Table(values) = &node.value else {
        s.note(s.refuse_key(key, format!("`{key}` is no table of keys of the sweep and their values")));
        return Vec::new();
    };
    let mut out = Vec::new();
    for entry in &values.0 {
        let named = |k: &SweptKey| {
            k.key == entry.name || k.label == entry.name.replace('_', " ") || k.label == entry.name
        };
        match (keys.iter().position(named), entry.node.value.plain()) {
            (Some(n), Some(text)) => out.push((n, SweptValue::of(&text))),
            (None, _) => {
                let all: Vec<&str> = keys.iter().map(|k| k.key.as_str()).collect();
                let there = if all.is_empty() { "nothing".to_owned() } else { all.join(", ") };
                let name: String = entry.name.chars().take(60).collect();
                s.note(s.refuse_key(key, format!("`{name}` is not varied; the sweep varies {there}")));
            }
            (_, None) => s.note(s.refuse_key(key, format!("`{}` is given no single value", entry.name))),
        }
    }
    out
}

/// Published numbers of a file.
pub(super) fn published(
    top: &Section<'_>,
    figures: &[Figure],
    declared: &[String],
    keys: &[SweptKey],
) -> Vec<Published> {
    let sections = top.keep(top.sections("published", PUBLISHED).map(Some)).unwrap_or_default();
    if sections.len() > MOST {
        top.note(top.refuse_key("published", format!("{} numbers are more than {MOST}", sections.len())));
        return Vec::new();
    }
    sections.iter().filter_map(|section| one_published(section, figures, declared, keys)).collect()
}

fn one_published(
    s: &Section<'_>,
    figures: &[Figure],
    declared: &[String],
    keys: &[SweptKey],
) -> Option<Published> {
    let named = |key: &'static str, name: String| {
        let found = figures.iter().position(|f| f.name == name);
        if found.is_none() && !declared.contains(&name) {
            let all: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
            s.note(s.refuse_key(key, format!("there is no figure `{name}`; there are {}", all.join(", "))));
        }
        found
    };
    let figure = s.need("figure", s.text("figure"), "and of what it is is not known");
    let by = s.keep(s.text("by"));
    let within_pct = s.keep(s.number("within", Unit::Percent, 1e-3, 1e3));
    let result = s.keep(s.text("result"));
    let beside = s.keep(s.word("is", &["published", "formula", "input"]));
    s.asks("at", || Wanted::Values);
    let at = if s.has("at") { place(s, "at", keys) } else { Vec::new() };
    let figure = named("figure", figure?)?;
    let by = match by {
        Some(name) => Some(named("by", name)?),
        None => None,
    };
    let unit = figures[figure].unit;
    let (value, origin) = match by {
        Some(other) => {
            if s.has("value") {
                s.note(s.refuse_key(
                    "value",
                    "it is compared with a number, or with another figure (`by`)".to_owned(),
                ));
            }
            (None, format!("the figure `{}`", figures[other].name))
        }
        None => {
            let value = s.need("value", number(s, unit), "and there is no figure to compare with (`by`)")?;
            let Some(origin) = s.origin("value") else {
                s.note(s.refuse_key(
                    "value",
                    "a published number says where: value = { value = \"2400 IOPS\", origin = \"where it was published\" }"
                        .to_owned(),
                ));
                return None;
            };
            (Some(value), origin)
        }
    };
    let result = result.unwrap_or_else(|| figures[figure].name.clone());
    let beside = match beside {
        Some("formula") => Beside::Formula,
        Some("input") => Beside::Input,
        Some(_) => Beside::Published,
        None if by.is_some() => Beside::Formula,
        None => Beside::Published,
    };
    Some(Published { figure, at, value, by, origin, result, within_pct, beside })
}

/// A number in the unit of a figure.
fn number(s: &Section<'_>, unit: FigureUnit) -> Result<Option<f64>, spindle_workload::form::FormError> {
    let read = |as_unit: Unit, factor: f64| {
        s.number("value", as_unit, 0.0, 1e18).map(|value| value.map(|value| value * factor))
    };
    match unit {
        FigureUnit::PerSecond => read(Unit::Rate, 1.0),
        FigureUnit::MbPerSecond => read(Unit::Throughput, 1e-6),
        FigureUnit::Microseconds => read(Unit::Time, 1.0),
        FigureUnit::Seconds => read(Unit::Time, 1e-6),
        FigureUnit::Percent => read(Unit::Percent, 1.0),
        FigureUnit::Ratio => read(Unit::Percent, 0.01).or_else(|_| read(Unit::Plain, 1.0)),
        FigureUnit::Count => read(Unit::Plain, 1.0),
        FigureUnit::Bytes => s.size("value", 0, 1 << 60).map(|value| value.map(|bytes| bytes as f64)),
    }
}

impl Figure {
    /// What a commit takes by formula.
    pub(super) fn is_formula_of_commits(&self) -> bool {
        self.measure == Measure::Load(OfLoad::Formula)
    }

    /// Why storage of a kind does not have it.
    pub(super) fn unknown_of(&self, what: &What) -> Option<&'static str> {
        match (self.measure, what) {
            (Measure::Storage(OfStorage::HitRate), What::Cache(_)) => None,
            (Measure::Storage(OfStorage::HitRate), What::Volume { .. }) => {
                Some("hits in a host's memory are not counted; a [cache.NAME] counts them")
            }
            (Measure::Storage(OfStorage::HitRate), _) => Some("nothing but a [cache.NAME] has a hit rate"),
            (Measure::Storage(OfStorage::WriteAmplification | OfStorage::Formula), What::Ssd { .. }) => None,
            (Measure::Storage(OfStorage::WriteAmplification | OfStorage::Formula), _) => {
                Some("nothing but a device of kind \"ssd\" amplifies writes")
            }
            _ => None,
        }
    }

    /// How it follows, where it is no plain result.
    pub(super) fn how(&self, figures: &[Self], keys: &[SweptKey]) -> Option<String> {
        let mut parts = Vec::new();
        if self.measure == Measure::Load(OfLoad::Formula) {
            parts.push(
                "by formula: writes one at a time, in the mean and spread that are given (residual life)"
                    .to_owned(),
            );
        }
        if self.measure == Measure::Storage(OfStorage::Formula) {
            parts.push("by formula: uniform random writes, many blocks (Desnoyers, 2014)".to_owned());
        }
        if let Some(against) = &self.against {
            let at: Vec<String> =
                against.iter().map(|(key, value)| format!("{} {}", keys[*key].label, value.text)).collect();
            parts.push(format!("over that at {}", at.join(", ")));
        }
        if let Some(other) = self.per.and_then(|n| figures.get(n)) {
            parts.push(format!("over \"{}\"", other.name));
        }
        if let Some(other) = self.less.and_then(|n| figures.get(n)) {
            parts.push(format!("less \"{}\"", other.name));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
