//! The reports of a file, by snapshot and instance.

use super::blocks::Block;
use spindle_facts::{Identity, Kind, Layout, Report, Scope, Section, SectionId, SectionStatus};
use std::collections::BTreeMap;

/// Reports in order of snapshot, the whole database before its instances.
pub(super) struct Intervals {
    base: Identity,
    reports: BTreeMap<(u64, Option<u32>), Report>,
    instances: Vec<u32>,
    /// Length of the interval that ends with a snapshot, seconds.
    lengths: BTreeMap<u64, f64>,
}

impl Intervals {
    pub(super) fn new(source: &str, blocks: &[Block<'_>]) -> Self {
        let mut base = Identity::unknown(source, Kind::AwrMiner, Layout::Text);
        if let Some(block) = blocks.iter().find(|b| b.name == super::SYSTEM) {
            identify(block, &mut base);
        }
        let mut instances: Vec<u32> = Vec::new();
        for block in blocks {
            for row in &block.rows {
                let number = block.id(row, "inst").or_else(|| block.id(row, "INSTANCE_NUMBER"));
                if let Some(number) = number.and_then(|n| u32::try_from(n).ok())
                    && !instances.contains(&number)
                {
                    instances.push(number);
                }
            }
        }
        Self { base, reports: BTreeMap::new(), instances, lengths: BTreeMap::new() }
    }

    /// The report of a snapshot: of an instance, or of all.
    pub(super) fn report(&mut self, snap: u64, instance: Option<u32>) -> &mut Report {
        // The only instance is the database.
        let only = match (instance, self.instances.as_slice()) {
            (None, [only]) if self.base.instances.is_none_or(|n| n <= 1) => Some(*only),
            _ => instance,
        };
        let base = &self.base;
        self.reports.entry((snap, only)).or_insert_with(|| {
            let mut identity = base.clone();
            identity.end_snap = Some(snap);
            identity.instance_number = only;
            identity.scope = if only.is_some() { Scope::Instance } else { Scope::Database };
            Report::new(identity)
        })
    }

    /// Length of the interval that ends with a snapshot, over all instances.
    pub(super) fn lengths(&mut self) -> &mut BTreeMap<u64, f64> {
        &mut self.lengths
    }

    /// Reports in order; the database's take their times from those of its instances.
    pub(super) fn finish(mut self) -> Vec<Report> {
        let mut times: BTreeMap<u64, Identity> = BTreeMap::new();
        for ((snap, instance), report) in &self.reports {
            if instance.is_some() && report.identity.end_time.is_some() {
                times.entry(*snap).or_insert_with(|| report.identity.clone());
            }
        }
        for ((snap, instance), report) in &mut self.reports {
            if instance.is_none()
                && let Some(of_instance) = times.remove(snap)
            {
                let identity = &mut report.identity;
                identity.begin_snap = of_instance.begin_snap;
                identity.begin_time = of_instance.begin_time;
                identity.end_time = of_instance.end_time;
                identity.elapsed_s = of_instance.elapsed_s;
            }
        }
        self.reports.into_values().collect()
    }
}

/// The section of a block in a report, begun on first use.
pub(super) fn section(report: &mut Report, block: &Block<'_>) -> SectionId {
    let known = report.sections.iter().rposition(|s| s.line == block.line);
    let index = known.unwrap_or_else(|| {
        report.sections.push(Section {
            title: block.name.to_owned(),
            line: block.line,
            status: SectionStatus::Read,
            rows: 0,
            lost: 0,
        });
        report.sections.len() - 1
    });
    SectionId::try_from(index).unwrap_or(SectionId::MAX)
}

/// As [`section`], and counts a row.
pub(super) fn count_row(report: &mut Report, block: &Block<'_>) -> SectionId {
    let id = section(report, block);
    if let Some(section) = report.sections.get_mut(usize::from(id)) {
        section.rows += 1;
    }
    id
}

fn identify(block: &Block<'_>, identity: &mut Identity) {
    let mut of_container = None;
    for row in &block.rows {
        let (Some(name), Some(value)) = (block.text(row, "STAT_NAME"), block.text(row, "STAT_VALUE")) else {
            continue;
        };
        let number = block.number(row, "STAT_VALUE");
        match name {
            "NUM_CPUS" => identity.cpus = number,
            "NUM_CPU_CORES" => identity.cores = number,
            "NUM_CPU_SOCKETS" => identity.sockets = number,
            "PHYSICAL_MEMORY_GB" => {
                identity.memory_bytes = number.filter(|n| *n > 0.0).map(|n| n * 1_073_741_824.0);
            }
            // Blanks print as underscores; old versions know no platform.
            "PLATFORM_NAME" | "!PLATFORM_NAME" if value != "None" => {
                identity.platform = Some(value.replace('_', " "));
            }
            "VERSION" => identity.version = Some(value.to_owned()),
            "DB_NAME" => identity.db_name = Some(value.to_owned()),
            "CDB_NAME" => of_container = Some(value.to_owned()),
            "DBID" => identity.db_id = value.parse().ok(),
            "INSTANCES" => {
                identity.instances = value.parse().ok();
                identity.rac = identity.instances.map(|n| n > 1);
            }
            // Which host is which instance's is not said.
            "HOSTS" if !value.contains(',') => identity.host = Some(value.to_owned()),
            _ => {}
        }
    }
    // Beside the name of the database, `DB_NAME` is that of the container: the root, a pluggable database,
    // or the database itself where it has none.
    if let Some(database) = of_container {
        let container = identity.db_name.replace(database);
        identity.container = container.filter(|c| c != "CDB$ROOT" && Some(c) != identity.db_name.as_ref());
    }
}
