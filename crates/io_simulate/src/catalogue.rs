//! The catalogue of devices: `catalogue/*.toml`, in the form of the devices of a scenario.
//!
//! Every figure carries its unit and where it comes from; a figure in another unit than its key has is refused,
//! so that no number is taken for what it is not.

use crate::devices::hard_disk::{DataSheet, DiskFault, HardDiskSpec};
use crate::scenario::{HARD_DISK, data_sheet};
use spindle_workload::ListedModel;
use spindle_workload::form::{Entries, Entry, Form, Section, Table, Value, key};
use std::sync::OnceLock;

/// The catalogues that come with the program.
const SHIPPED: [(&str, &str); 2] = [
    ("disks.toml", include_str!("../catalogue/disks.toml")),
    ("flash.toml", include_str!("../catalogue/flash.toml")),
];

/// A catalogue.
const CATALOGUE: Table =
    Table::new("a catalogue", &[key("device", "devices: one table [device.NAME] for each")]);

/// A device of the catalogue as it stands there.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) entries: Entries,
}

/// Every device that comes with the program.
pub(crate) fn models() -> &'static [Model] {
    static MODELS: OnceLock<Vec<Model>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let forms = SHIPPED.iter().filter_map(|(name, text)| Form::parse(text, name).ok());
        forms.flat_map(|form| devices_of(form.root())).collect()
    })
}

fn devices_of(root: &Entries) -> Vec<Model> {
    let Some(Value::Table(devices)) = root.get("device").map(|node| &node.value) else { return Vec::new() };
    let model = |name: &str, value: &Value| {
        let Value::Table(entries) = value else { return None };
        let Some(Value::Text(kind)) = entries.get("kind").map(|node| &node.value) else { return None };
        Some(Model { name: name.to_owned(), kind: kind.clone(), entries: entries.clone() })
    };
    devices.0.iter().filter_map(|e| model(&e.name, &e.node.value)).collect()
}

/// Every device that comes with the program, with its figures and where each comes from.
#[must_use]
pub fn listed_models() -> Vec<ListedModel> {
    models().iter().map(Model::listed).collect()
}

impl Model {
    fn listed(&self) -> ListedModel {
        let plain = |entries: &Entries, name: &str| entries.get(name).and_then(|node| node.value.plain());
        let figure = |entry: &Entry| {
            let (value, origin) = match &entry.node.value {
                Value::Table(sourced) => {
                    (plain(sourced, "value")?, plain(sourced, "origin").unwrap_or_default())
                }
                other => (other.plain()?, String::new()),
            };
            Some((entry.name.clone(), value, origin))
        };
        let figures = self.entries.0.iter().filter(|e| !matches!(e.name.as_str(), "kind" | "about"));
        ListedModel {
            name: self.name.clone(),
            kind: self.kind.clone(),
            about: plain(&self.entries, "about").unwrap_or_default(),
            figures: figures.filter_map(figure).collect(),
        }
    }
}

/// A disk of the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueDisk {
    /// What it is called in scenarios.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Its figures.
    pub sheet: DataSheet,
}

/// Reads the disks of a catalogue. `name` is what the file is called in messages.
///
/// # Errors
/// With line and key, where it is no catalogue, or a figure is missing, has another unit than its key or no origin.
pub fn read_catalogue(text: &str, name: &str) -> Result<Vec<CatalogueDisk>, String> {
    let form = Form::parse(text, name).map_err(|fault| fault.to_string())?.that_collects();
    let top = form.top(CATALOGUE).map_err(|fault| fault.to_string())?;
    let mut disks = Vec::new();
    for (name, section) in top.keep(top.named("device").map(Some)).unwrap_or_default() {
        if section
            .own_keys()
            .any(|(key, node)| key == "kind" && node.value.plain().as_deref() != Some("hard_disk"))
        {
            continue;
        }
        disks.extend(disk(name, section));
    }
    for given in form.given() {
        if given.origin.is_none() && !matches!(given.key.as_str(), "kind" | "about") {
            form.note(
                form.refuse_at(given.line, format!("`{}` does not say where it comes from", given.path)),
            );
        }
    }
    let errors: Vec<String> = form.errors().0.iter().map(ToString::to_string).collect();
    if errors.is_empty() { Ok(disks) } else { Err(errors.join("\n")) }
}

fn disk(name: &str, section: Section<'_>) -> Option<CatalogueDisk> {
    let s = section.keep(section.clone().read_as(HARD_DISK).map(Some))?;
    let about = s.need("about", s.text("about"), "and what it is is not said")?;
    let sheet = data_sheet(&s)?;
    if let Err(DiskFault(why)) = sheet.spec() {
        s.note(s.refuse(format!("{name}: {why}")));
        return None;
    }
    Some(CatalogueDisk { name: name.to_owned(), about, sheet })
}

/// The disks that come with the program.
///
/// # Errors
/// Never, as a test holds; in a sentence, all the same.
pub fn catalogue() -> Result<Vec<CatalogueDisk>, String> {
    read_catalogue(SHIPPED[0].1, SHIPPED[0].0)
}

impl CatalogueDisk {
    /// The disk.
    ///
    /// # Errors
    /// In a sentence, where its figures are those of no disk.
    pub fn spec(&self) -> Result<HardDiskSpec, DiskFault> {
        self.sheet.spec()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{HardDisk, Operation, Request, closed_loop};

    #[test]
    fn every_disk_of_the_catalogue_is_one_and_streams_at_its_rates() {
        let disks = catalogue().unwrap();
        assert!(disks.len() >= 4);
        for disk in &disks {
            let (spec, sheet) = (disk.spec().unwrap(), &disk.sheet);
            let bytes = HardDisk::new(&spec).unwrap().bytes();
            assert!((1.0..1.001).contains(&(bytes as f64 / sheet.capacity_bytes)), "{}: {bytes}", disk.name);
            for (from, mbps) in [(0, sheet.outer_mbps), (bytes - 500_000_000, sheet.inner_mbps)] {
                let mut drive = HardDisk::new(&spec).unwrap();
                let read =
                    |i| Request { operation: Operation::Read, offset: from + i * 131_072, bytes: 131_072 };
                let run = closed_loop(&mut drive, 1, (0..3_000u64).map(read)).unwrap();
                let found = run.bytes_per_s().unwrap() / 1e6;
                // One read at a time: its overhead and the bus bound the rate, too.
                let read_us = sheet.overhead_ms * 1e3 + 131_072.0 / sheet.bus_mbps;
                let by_sheet = mbps.min(131_072.0 / read_us);
                assert!((0.9..1.02).contains(&(found / by_sheet)), "{}: {found} MB/s, {by_sheet}", disk.name);
            }
        }
    }

    #[test]
    fn a_figure_of_the_catalogue_was_not_listed() {
        for (model, listed) in models().iter().zip(listed_models()) {
            assert_eq!(listed.figures.len() + 2, model.entries.0.len(), "{}", model.name);
            assert!(
                !listed.about.is_empty()
                    && listed.figures.iter().all(|(_, v, o)| !v.is_empty() && !o.is_empty())
            );
        }
    }

    #[test]
    fn names_are_apart() {
        let mut names: Vec<&str> = models().iter().map(|d| d.name.as_str()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(all >= catalogue().unwrap().len());
    }

    #[test]
    fn a_unit_that_is_not_that_of_the_key_is_refused() {
        let why = |from: &str, to: &str| {
            let text = SHIPPED[0].1.replacen(from, to, 1);
            read_catalogue(&text, "disks.toml").unwrap_err()
        };
        let said = why("value = \"9.3 ms\"", "value = \"9.3 MB/s\"");
        assert!(said.contains("`average_seek` is \"9.3 MB/s\", no number with such a unit"), "{said}");
        let said = why("origin = \"data sheet\"", "origin = \"\"");
        assert!(said.contains("`rpm` needs both `value` and `origin`"), "{said}");
        let said = why("rpm = { value = \"7200 rpm\", origin = \"data sheet\" }", "rpm = \"7200 rpm\"");
        assert!(said.contains("rpm` does not say where it comes from"), "{said}");
        assert!(why("surfaces = { value = 6,", "surfaces = { value = 6.5,").contains("`surfaces` is 6.5"));
        assert!(why("rpm = ", "rmp = ").contains("`rmp` is no key of a hard disk; the nearest is `rpm`"));
        assert!(why("\"fcfs\"", "\"scan\"").contains("\"scan\""));
        assert!(why("average_seek = { value = \"9.3", "average_seek = { value = \"0.5").contains("no disk"));
    }
}
