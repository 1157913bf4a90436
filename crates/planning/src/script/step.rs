//! One step: one chosen object, forth and back.

use super::beside::{LOB_OFFLINE, PARTITION_OFFLINE, TABLE_OFFLINE, followers, lobs_that_stay};
use super::names::{check, comment, literal};
use super::{Release, ScriptRequest, redo};
use crate::immovable::Attributes;
use crate::plan::{Candidate, CandidateKind, Plan};
use spindle_facts::{Collected, CollectedFile, CollectedLob, CollectedSegment};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What steps are written from.
pub(super) struct Context<'a> {
    pub(super) plan: &'a Plan,
    pub(super) collected: &'a [&'a Collected],
    pub(super) request: &'a ScriptRequest,
    pub(super) release: &'a Release,
}

impl<'a> Context<'a> {
    pub(super) fn container(&self, candidate: &'a Candidate) -> Option<&'a str> {
        let own = candidate.container.as_deref().or(self.plan.measured.container.as_deref());
        // What belongs to all containers is changed from the root.
        own.or_else(|| self.is_of_containers().then_some("CDB$ROOT"))
    }

    /// Is the plan of a database with containers, and not of one of them?
    pub(super) fn is_of_containers(&self) -> bool {
        self.release.has_containers()
            && self.plan.measured.container.is_none()
            && self.plan.candidates.iter().any(|c| c.container.is_some())
    }

    pub(super) fn tablespace(&self, tier: &str) -> Option<&'a str> {
        self.request.tablespaces.iter().find(|(t, _)| t == tier).map(|(_, name)| name.as_str())
    }

    /// Places for files, in the order given: members of redo logs are spread over them, the rest goes
    /// to the first.
    pub(super) fn destinations(&self, tier: &str) -> Vec<&'a str> {
        self.request.destinations.iter().filter(|(t, _)| t == tier).map(|(_, place)| place.as_str()).collect()
    }

    /// Bind variables of the places of a tier: `:dest2`, `:dest2_2`.
    fn destination_binds(&self, tier: &str) -> Vec<String> {
        let first = self.bind("dest", tier);
        let more = (2..=self.destinations(tier).len()).map(|n| format!("{first}_{n}"));
        std::iter::once(first.clone()).chain(more).collect()
    }

    /// Bind variable of a tier: `:ts1`, `:dest2`.
    pub(super) fn bind(&self, kind: &str, tier: &str) -> String {
        let number = self.plan.tiers.iter().position(|t| t.name == tier).unwrap_or(0);
        format!(":{kind}{}", number + 1)
    }

    /// Is it the same container, as far as the list says?
    fn is_here(&self, listed: Option<&String>, candidate: &Candidate) -> bool {
        let own = candidate.container.as_ref().or(self.plan.measured.container.as_ref());
        listed.is_none_or(|name| own == Some(name))
    }

    /// LOB columns of a table that a list has.
    pub(super) fn lobs(&self, table: &'a Candidate) -> Vec<&'a CollectedLob> {
        let mut lobs: Vec<&CollectedLob> = self
            .collected
            .iter()
            .flat_map(|c| &c.lobs)
            .filter(|l| Some(&l.owner) == table.owner.as_ref() && l.table == table.name)
            .filter(|l| self.is_here(l.container.as_ref(), table))
            .collect();
        lobs.sort_by(|a, b| (&a.column, &a.segment).cmp(&(&b.column, &b.segment)));
        lobs.dedup_by(|a, b| a.segment == b.segment);
        lobs
    }

    /// Tier that the plan moves an object of its own to: a LOB or an index beside its table.
    pub(super) fn tier_of(
        &self,
        kind: CandidateKind,
        owner: &str,
        name: &str,
        beside: &Candidate,
    ) -> Option<&'a str> {
        let c = self.plan.candidates.iter().find(|c| {
            c.kind == kind
                && c.partition.is_none()
                && c.owner.as_deref() == Some(owner)
                && c.name == name
                && c.container == beside.container
        })?;
        c.tier.as_deref().filter(|_| self.plan.chosen.contains(&c.object))
    }

    fn files(&self, tablespace: &str, container: Option<&str>) -> Vec<&'a CollectedFile> {
        let of_container = |f: &CollectedFile| f.container.is_none() || f.container.as_deref() == container;
        self.collected
            .iter()
            .flat_map(|c| &c.files)
            .filter(|f| !f.is_temp && f.tablespace == tablespace && of_container(f))
            .collect()
    }
}

/// What is done with an object.
#[derive(Clone, Debug)]
enum Action {
    Table {
        with_indexes: bool,
    },
    Partition,
    Index,
    Lob,
    Files {
        tablespace: String,
        file: Option<String>,
    },
    Temp,
    Redo,
    /// It goes along with the files of its tablespace.
    Along,
    /// Nothing: why not, and what a person can do.
    Refused(String),
}

/// A chosen object and what is done with it.
pub(super) struct Step<'a> {
    pub(super) candidate: &'a Candidate,
    action: Action,
}

/// Schemas that belong to the database itself.
const OWN_SCHEMAS: [&str; 14] = [
    "SYS",
    "SYSTEM",
    "SYSAUX",
    "XDB",
    "MDSYS",
    "CTXSYS",
    "ORDSYS",
    "ORDDATA",
    "OUTLN",
    "DBSNMP",
    "WMSYS",
    "AUDSYS",
    "GSMADMIN_INTERNAL",
    "LBACSYS",
];

impl<'a> Step<'a> {
    pub(super) fn new(
        context: &Context<'a>,
        candidate: &'a Candidate,
        whole: &BTreeSet<(Option<&str>, &str)>,
    ) -> Self {
        let action = action(context, candidate, whole).unwrap_or_else(Action::Refused);
        Self { candidate, action }
    }

    pub(super) fn tier(&self) -> &str {
        self.candidate.tier.as_deref().unwrap_or_default()
    }

    pub(super) fn needs_tablespace(&self) -> bool {
        matches!(self.action, Action::Table { .. } | Action::Partition | Action::Index | Action::Lob)
    }

    /// Is there anything that the script does for it?
    pub(super) fn does_something(&self) -> bool {
        self.needs_tablespace() || self.needs_destination()
    }

    pub(super) fn needs_destination(&self) -> bool {
        matches!(self.action, Action::Files { .. } | Action::Temp | Action::Redo)
    }

    pub(super) fn title(&self) -> String {
        match self.action {
            Action::Refused(_) => format!("{} (not scripted)", self.candidate.object),
            _ => format!("{} (tier {})", self.candidate.object, self.tier()),
        }
    }

    pub(super) fn gain(&self, plan: &Plan) -> String {
        match self.candidate.saves_s {
            Some(s) => {
                let share = if plan.db_time_s.now > 0.0 {
                    format!(", {:.1} % of it", 100.0 * s.mid / plan.db_time_s.now)
                } else {
                    String::new()
                };
                format!(
                    "expected gain{}: {:.0} s of DB time ({:.0} to {:.0}) over what was measured{share}",
                    match self.candidate.partitions.len() {
                        0 => String::new(),
                        n => format!(" with all {n} partitions"),
                    },
                    s.mid,
                    s.low,
                    s.high
                )
            }
            None => "expected gain: not known".to_owned(),
        }
    }

    pub(super) fn forward(&self, context: &Context<'_>) -> String {
        let tier = self.tier();
        self.text(context, &context.bind("ts", tier), &context.bind("dest", tier), true)
    }

    pub(super) fn back(&self, context: &Context<'_>) -> String {
        let own = || self.candidate.tablespace.as_deref().or_else(|| self.listed_place(context));
        let old = own().filter(|t| check(t, 30).is_ok());
        match &self.action {
            Action::Table { .. } | Action::Partition | Action::Index | Action::Lob => match old {
                Some(old) => self.text(context, &literal(old), "", false) + &self.indexes_back(context),
                None => remark("Where it was is not known here: the log of the first script says so."),
            },
            Action::Files { tablespace, file } => {
                files_back(context, self.candidate, tablespace, file.as_deref())
            }
            Action::Temp => fill(
                include_str!("temp_back.sql"),
                &[("@TABLESPACE@", literal(&self.candidate.name)), ("@NEW@", new_temp(self.candidate))],
            ),
            Action::Redo => redo::back(context),
            Action::Along | Action::Refused(_) => remark("Nothing was done to it by itself."),
        }
    }

    /// Where the lists say that a table lies: with its indexes it may lie in several tablespaces.
    fn listed_place<'c>(&self, context: &Context<'c>) -> Option<&'c str> {
        let c = self.candidate;
        if !matches!(self.action, Action::Table { with_indexes: true }) {
            return None;
        }
        let is = |s: &&CollectedSegment| {
            s.segment == c.name
                && s.owner == c.owner
                && s.partition.as_deref().is_none_or(str::is_empty)
                && s.segment_type.as_deref().is_none_or(|t| t.starts_with("TABLE"))
                && context.is_here(s.container.as_ref(), c)
        };
        let mut places =
            context.collected.iter().flat_map(|f| &f.segments).filter(is).map(|s| s.tablespace.as_deref());
        let first = places.next()??;
        places.all(|other| other == Some(first)).then_some(first)
    }

    /// Does the way back know where it was?
    pub(super) fn knows_its_place(&self, context: &Context<'_>) -> bool {
        match &self.action {
            Action::Table { .. } | Action::Partition | Action::Index | Action::Lob => {
                self.candidate.tablespace.is_some() || self.listed_place(context).is_some()
            }
            Action::Files { tablespace, .. } => {
                let own = self.candidate.container.as_ref().or(context.plan.measured.container.as_ref());
                !context.files(tablespace, own.map(String::as_str)).is_empty()
            }
            _ => true,
        }
    }

    /// What a default temporary tablespace on this tier needs before it is made.
    fn temp_cautions(&self, context: &Context<'_>) -> String {
        let tier = self.tier();
        let places = context.destinations(tier);
        let in_asm = !places.is_empty() && places.iter().all(|p| p.trim_start().starts_with('+'));
        let mut text = String::new();
        let instances = context.plan.measured.instances.len();
        if instances > 1 && !in_asm {
            text.push_str(&remark(&format!(
                "The reports are of {instances} instances: the place must be one that every node sees (ASM or a cluster \
                 file system). A folder of one node ends sessions of the others with ORA-01157 and ORA-01110."
            )));
            text.push_str(&remark(
                "Temp on disks of each node takes local temporary tablespaces (12.2: create local temporary tablespace \
                 for all), which this script does not make.",
            ));
        }
        if context.plan.tiers.iter().any(|t| t.name == tier && t.is_memory()) {
            text.push_str(&remark(
                "The tier is memory: after a restart of the host the folder and its temp files are gone. Make the folder \
                 before the database opens; it makes missing temp files again.",
            ));
        }
        text
    }

    /// Indexes that went along with their table, each to where a list says that it was.
    fn indexes_back(&self, context: &Context<'_>) -> String {
        if !matches!(self.action, Action::Table { with_indexes: true }) {
            return String::new();
        }
        let c = self.candidate;
        let mut out = String::new();
        for index in context.collected.iter().flat_map(|f| &f.indexes) {
            let of_table = index.table_owner.as_ref().or(Some(&index.owner)) == c.owner.as_ref()
                && index.table.as_ref() == Some(&c.name)
                && (index.container.is_none() || index.container == c.container);
            let Some(old) = index.tablespace.as_deref().filter(|t| of_table && check(t, 30).is_ok()) else {
                continue;
            };
            out.push_str(&fill(
                include_str!("index.sql"),
                &[
                    ("@OWNER@", literal(&index.owner)),
                    ("@NAME@", literal(&index.index)),
                    ("@PART@", "null".to_owned()),
                    ("@TARGET@", literal(old)),
                ],
            ));
        }
        if out.is_empty() {
            return remark("Where its indexes were is not known here: the log of the first script says so.");
        }
        out
    }

    fn text(&self, context: &Context<'_>, target: &str, destination: &str, forth: bool) -> String {
        let c = self.candidate;
        let release = context.release.number;
        let owner = c.owner.as_deref().map_or_else(|| "null".to_owned(), literal);
        let part = c.partition.as_deref().map_or_else(|| "null".to_owned(), literal);
        let names = [
            ("@OWNER@", owner),
            ("@NAME@", literal(&c.name)),
            ("@PART@", part),
            ("@TARGET@", target.to_owned()),
        ];
        let with = |template: &str, more: &[(&str, String)]| fill(&fill(template, more), &names);
        match &self.action {
            Action::Table { with_indexes } => {
                let online = release >= (12, 2);
                let text = if online { "" } else { TABLE_OFFLINE }.to_owned() + &lobs_that_stay(context, c);
                text + &with(
                    include_str!("table.sql"),
                    &[
                        ("@SHARED@", include_str!("shared.sql").to_owned()),
                        ("@FOLLOWERS@", if forth { followers(context, c) } else { String::new() }),
                        ("@ONLINE@", if online { "online " } else { "" }.to_owned()),
                        ("@NEEDS_ONLINE@", online.to_string()),
                        // Back each index goes where it was only by its own step.
                        ("@INDEXES_TOO@", (*with_indexes && forth).to_string()),
                    ],
                )
            }
            Action::Partition => {
                let online = release >= (12, 1);
                let text =
                    if online { "" } else { PARTITION_OFFLINE }.to_owned() + &lobs_that_stay(context, c);
                text + &with(
                    include_str!("partition.sql"),
                    &[
                        ("@SHARED@", include_str!("shared.sql").to_owned()),
                        ("@PARTITION_ONLINE@", if online { " online" } else { "" }.to_owned()),
                        ("@NEEDS_ONLINE@", online.to_string()),
                    ],
                )
            }
            Action::Index => with(include_str!("index.sql"), &[]),
            Action::Lob => {
                LOB_OFFLINE.to_owned()
                    + &with(include_str!("lob.sql"), &[("@SHARED@", include_str!("shared.sql").to_owned())])
            }
            Action::Files { tablespace, file } => fill(
                include_str!("files.sql"),
                &[
                    ("@TABLESPACE@", literal(tablespace)),
                    ("@FILE@", file.as_deref().map_or_else(|| "null".to_owned(), literal)),
                    ("@DESTINATION@", destination.to_owned()),
                ],
            ),
            Action::Temp => {
                self.temp_cautions(context)
                    + &fill(
                        include_str!("temp.sql"),
                        &[
                            ("@TABLESPACE@", literal(&c.name)),
                            ("@NEW@", new_temp(c)),
                            ("@DESTINATION@", destination.to_owned()),
                        ],
                    )
            }
            Action::Redo => {
                let binds = context.destination_binds(self.tier());
                let places: Vec<(String, bool)> = binds.into_iter().map(|bind| (bind, false)).collect();
                redo::today(context) + &redo::forward(&places)
            }
            Action::Along => remark("It goes along with the data files of its tablespace."),
            Action::Refused(why) => remark(&format!("Not scripted: {why}")),
        }
    }
}

/// A comment, one line.
pub(super) fn remark(text: &str) -> String {
    format!("-- {}\n", comment(text))
}

/// Fills a template; a value is never looked at again.
pub(super) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    'text: while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        for (name, value) in values {
            if let Some(after) = rest.strip_prefix(name) {
                out.push_str(value);
                rest = after;
                continue 'text;
            }
        }
        out.push('@');
        rest = &rest[1..];
    }
    out.push_str(rest);
    out
}

/// Name of the temporary tablespace to be made: the old one's with `_F`, within 30 bytes.
fn new_temp(candidate: &Candidate) -> String {
    let mut end = candidate.name.len().min(28);
    while !candidate.name.is_char_boundary(end) {
        end -= 1;
    }
    literal(&format!("{}_F", &candidate.name[..end]))
}

fn action(
    context: &Context<'_>,
    c: &Candidate,
    whole: &BTreeSet<(Option<&str>, &str)>,
) -> Result<Action, String> {
    let tablespace = c.tablespace.as_deref();
    let container = c.container.as_deref();
    let is_segment = matches!(
        c.kind,
        CandidateKind::Table
            | CandidateKind::TablePartition
            | CandidateKind::Index
            | CandidateKind::IndexPartition
            | CandidateKind::Lob
            | CandidateKind::TableWithIndexes
            | CandidateKind::Cluster
            | CandidateKind::Segment
    );
    if is_segment && tablespace.is_some_and(|t| whole.contains(&(container, t))) {
        return Ok(Action::Along);
    }
    let longest = context.release.longest_name();
    if is_segment {
        check(&c.name, longest)?;
        let owner =
            c.owner.as_deref().ok_or("its owner is not known: give a list of segments (--segments)")?;
        check(owner, longest)?;
        c.partition.as_deref().map_or(Ok(()), |p| check(p, longest))?;
        if OWN_SCHEMAS.contains(&owner) || owner.starts_with("APEX_") {
            return Err("it belongs to the database itself: only its data files may move".into());
        }
        if matches!(tablespace, Some("SYSTEM" | "SYSAUX")) {
            return Err(
                "it lies in SYSTEM or SYSAUX: v$sysaux_occupants.move_procedure says how occupants move"
                    .into(),
            );
        }
        known_table(context, c, owner)?;
    }
    match c.kind {
        CandidateKind::Table if c.partition.is_some() => Ok(Action::Partition),
        CandidateKind::Table => Ok(Action::Table { with_indexes: false }),
        CandidateKind::TableWithIndexes => Ok(Action::Table { with_indexes: true }),
        CandidateKind::TablePartition if c.partition.is_some() => Ok(Action::Partition),
        CandidateKind::IndexPartition if c.partition.is_some() => Ok(Action::Index),
        CandidateKind::TablePartition | CandidateKind::IndexPartition => {
            Err("its partition is not named: move it by hand, partition by partition".into())
        }
        CandidateKind::Index => Ok(Action::Index),
        CandidateKind::Lob => Ok(Action::Lob),
        CandidateKind::Cluster => Err("a cluster cannot move (ORA-14512): move its data files, or copy it".into()),
        CandidateKind::Segment => Err("what it is the reports do not say: give a list of segments (--segments)".into()),
        CandidateKind::RestOfTablespace | CandidateKind::Tablespace | CandidateKind::DataFile => {
            let name = tablespace.unwrap_or(&c.name);
            check(name, 30)?;
            if matches!(name, "SYSTEM" | "SYSAUX") {
                return Err(format!("{name} is left where it is"));
            }
            if !context.release.moves_files() {
                return Err(format!(
                    "11.2 moves no data file online. With RMAN, file by file of {name}: backup as copy datafile n \
                     format '...' , alter database datafile n offline , switch datafile n to copy , recover \
                     datafile n , alter database datafile n online (ARCHIVELOG only)"
                ));
            }
            let file = (c.kind == CandidateKind::DataFile).then(|| c.name.clone());
            Ok(Action::Files { tablespace: name.to_owned(), file })
        }
        CandidateKind::Temp if c.container.is_none() && context.is_of_containers() => Err(
            "each container has temp of its own, and in which of them sessions spill the reports do not say: see \
             v$tempseg_usage by con_id, and plan with the reports of that container"
                .into(),
        ),
        CandidateKind::Temp if c.tablespace.is_none() => Err(
            "which temporary tablespace sessions spill to the reports do not say: make a new one on the tier, make it \
             the default (alter database default temporary tablespace), and give it to the users that have another by \
             name"
                .into(),
        ),
        CandidateKind::Temp => check(&c.name, 30).map(|()| Action::Temp),
        CandidateKind::Redo => {
            if context.release.has_containers() && context.container(c).is_some_and(|n| n != "CDB$ROOT") {
                return Err("redo logs belong to the root: run their step there".into());
            }
            Ok(Action::Redo)
        }
        CandidateKind::Undo => Err(
            "make a new undo tablespace there, alter system set undo_tablespace for each instance, and drop the \
             old one once its segments are no longer PENDING OFFLINE and the retention has passed"
                .into(),
        ),
        CandidateKind::ControlFiles => Err(
            "control files move with the database down: alter system set control_files = ... scope = spfile, \
             shutdown, copy, startup"
                .into(),
        ),
    }
}

/// What the lists already say against moving a table or an index.
fn known_table(context: &Context<'_>, c: &Candidate, owner: &str) -> Result<(), String> {
    let attributes = Attributes::of(context.collected.iter().copied());
    if let Some(why) = attributes.against(c) {
        return Err(why.to_owned());
    }
    // An index may have the name of a table.
    if !matches!(
        c.kind,
        CandidateKind::Table
            | CandidateKind::TablePartition
            | CandidateKind::TableWithIndexes
            | CandidateKind::Segment
    ) {
        return Ok(());
    }
    let partitioned = || {
        Err("it is partitioned (ORA-14511) and its partitions are not known here: give a list of segments with \
             PARTITION_NAME (--segments)"
            .to_owned())
    };
    let is_partition = |o: &Candidate| {
        o.kind == CandidateKind::TablePartition
            && o.owner == c.owner
            && o.name == c.name
            && o.container == c.container
    };
    if c.partition.is_none() && context.plan.candidates.iter().any(is_partition) {
        return partitioned();
    }
    let is_partitioned = attributes.table(c, owner).is_some_and(|t| t.partitioned == Some(true));
    if is_partitioned && c.partition.is_none() {
        return partitioned();
    }
    Ok(())
}

/// Data files back to their old names, as far as a list has them.
fn files_back(context: &Context<'_>, c: &Candidate, tablespace: &str, file: Option<&str>) -> String {
    let mut out = String::new();
    let files = context.files(tablespace, context.container(c));
    for f in files.iter().filter(|f| file.is_none_or(|wanted| f.file == wanted)) {
        let Some(id) = f.file_id else { continue };
        // A name that Oracle made cannot be given again: the disk group makes a new one.
        let to = match f.file.strip_prefix('+').and_then(|rest| rest.split('/').next()) {
            Some(group) => format!("+{group}"),
            None => f.file.clone(),
        };
        let _ = write!(
            out,
            "{}",
            fill(
                include_str!("file_back.sql"),
                &[
                    ("@FILE_ID@", id.to_string()),
                    ("@FILE@", literal(&f.file)),
                    ("@DESTINATION@", literal(&to))
                ],
            )
        );
    }
    if out.is_empty() {
        return remark(
            "Where the files were is not known here: the log of the first script says so. For each: \
             alter database move datafile n to 'old name'",
        );
    }
    out
}

impl Step<'_> {
    /// Does it go along with the data files of its tablespace?
    pub(super) fn is_along(&self) -> bool {
        matches!(self.action, Action::Along)
    }

    /// Is it left to a person?
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.action, Action::Refused(_))
    }

    pub(super) fn is_redo(&self) -> bool {
        matches!(self.action, Action::Redo)
    }

    /// What of it lies in the target already, for the check of its room.
    pub(super) fn own_space(&self) -> String {
        let c = self.candidate;
        format!(
            "  own({}, {}, {}, '{}');\n",
            c.owner.as_deref().map_or_else(|| "null".to_owned(), literal),
            literal(&c.name),
            c.partition.as_deref().map_or_else(|| "null".to_owned(), literal),
            if matches!(self.action, Action::Table { with_indexes: true }) { "YES" } else { "NO" }
        )
    }

    /// Does the object take no changes while it moves, and are its indexes out of use?
    pub(super) fn is_offline(&self, release: &Release) -> bool {
        match self.action {
            Action::Table { .. } => release.number < (12, 2),
            Action::Lob => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_looks_like_a_place_is_not_filled_again() {
        let filled = fill("x @A@ y @B@", &[("@A@", "'@B@'".into()), ("@B@", "2".into())]);
        assert_eq!(filled, "x '@B@' y 2");
    }
}
