//! The reports of a file, by snapshot and instance.

use super::blocks::Block;
use spindle_facts::{
    Beside, ClassSessions, Identity, Kind, Layout, Report, Scope, Section, SectionId, SectionStatus,
};
use std::collections::BTreeMap;

/// Reports in order of snapshot, the whole database before its instances.
pub(super) struct Intervals {
    base: Identity,
    reports: BTreeMap<(u64, Option<u32>), Report>,
    instances: Vec<u32>,
    lengths: BTreeMap<u64, Lengths>,
    /// Sessions of the whole database by class, by snapshot.
    classes: BTreeMap<u64, Vec<ClassSessions>>,
}

/// Lengths of the intervals of all instances that end with a snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Seconds of the shortest.
    pub(super) shortest_s: f64,
    /// Seconds of the longest.
    pub(super) longest_s: f64,
    weighted_s: f64,
    weight: f64,
}

impl Lengths {
    /// Length for what all instances did together, seconds: that of an instance counts by its active sessions. An
    /// instance that waits for 2 minutes beside idle ones of 1 minute waited for 2.
    pub(super) fn mean_s(self) -> f64 {
        if self.shortest_s < self.longest_s && self.weight > 0.0 {
            self.weighted_s / self.weight
        } else {
            self.longest_s
        }
    }
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
        Self { base, reports: BTreeMap::new(), instances, lengths: BTreeMap::new(), classes: BTreeMap::new() }
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

    /// Lengths of the intervals that end with a snapshot.
    pub(super) fn lengths(&self, snap: u64) -> Option<Lengths> {
        self.lengths.get(&snap).copied()
    }

    /// An instance's interval that ends with a snapshot, and its active sessions.
    pub(super) fn add_length(&mut self, snap: u64, seconds: f64, sessions: f64) {
        let of_snap = self.lengths.entry(snap).or_insert(Lengths {
            shortest_s: seconds,
            longest_s: seconds,
            weighted_s: 0.0,
            weight: 0.0,
        });
        of_snap.shortest_s = of_snap.shortest_s.min(seconds);
        of_snap.longest_s = of_snap.longest_s.max(seconds);
        of_snap.weighted_s += seconds * sessions;
        of_snap.weight += sessions;
    }

    /// Sessions of a class, of all instances, at a snapshot.
    pub(super) fn add_class(&mut self, snap: u64, wait_class: &str, sessions: f64) {
        let class = ClassSessions { wait_class: wait_class.to_owned(), sessions };
        self.classes.entry(snap).or_default().push(class);
    }

    /// Reports in order; the database's take their times from the longest of its instances.
    pub(super) fn finish(mut self) -> Vec<Report> {
        let mut of_instances: BTreeMap<u64, Vec<Identity>> = BTreeMap::new();
        for ((snap, instance), report) in &self.reports {
            if instance.is_some() {
                of_instances.entry(*snap).or_default().push(report.identity.clone());
            }
        }
        let known = self.base.instances.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let all = known.max(self.instances.len());
        for ((snap, instance), report) in &mut self.reports {
            let identities = of_instances.get(snap).map_or(&[][..], Vec::as_slice);
            if instance.is_some() {
                if report.tables.wait_class.is_empty() && report.tables.wait_event.is_empty() {
                    report.beside = Beside {
                        database_classes: self.classes.get(snap).cloned().unwrap_or_default(),
                        instances_sessions: identities.iter().map(sessions).sum(),
                        instances_db_time_s: None,
                    };
                }
                continue;
            }
            let timed = identities.iter().filter(|id| id.end_time.is_some());
            // Of equal ones the first.
            let longest = timed.rev().max_by(|a, b| {
                let seconds = |id: &Identity| id.elapsed_s.unwrap_or(0.0);
                seconds(a).total_cmp(&seconds(b))
            });
            if let Some(longest) = longest {
                let identity = &mut report.identity;
                identity.begin_snap = longest.begin_snap;
                identity.begin_time.clone_from(&longest.begin_time);
                identity.end_time.clone_from(&longest.end_time);
                identity.elapsed_s = longest.elapsed_s;
            }
            if identities.len() == all {
                report.beside.instances_db_time_s = db_time_s(identities);
            }
        }
        self.reports.into_values().collect()
    }
}

fn sessions(id: &Identity) -> Option<f64> {
    Some(id.db_time_s? / id.elapsed_s.filter(|s| *s > 0.0)?)
}

/// DB time of these instances together; `None` where one of them does not print it.
fn db_time_s(instances: &[Identity]) -> Option<f64> {
    instances.iter().map(|id| id.db_time_s).sum()
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
