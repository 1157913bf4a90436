//! `spindle place`: what belongs on the fast tier, in what order, and what will it save?

use super::Reading;
use crate::output::{Failure, Page, Scripts};
use crate::shell::{Exit, Shell};
use spindle_app::{Placement, Request};
use spindle_planning::{PlaceOptions, ScriptRequest, Tier, parse_bytes, profiles};
use spindle_presentation::{html, terminal};
use std::path::{Path, PathBuf};

/// What belongs on the fast tier, in what order, and what will it save?
///
/// Objects are ranked by the DB time that a faster device saves for the capacity they take. Sizes come
/// from `spindle collect segments`, given with --segments, or from --size.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle place awr/ --tier flash=800G,0.2ms,0.05ms,2000MB/s --segments segments.txt
  spindle place awr/ --tier gp3=2T,1ms,1ms,250MB/s,3000IOPS --segments segments.txt
  spindle place awr/ --tier nvme=1.6T@nvme_mixed_use --segments segments.txt --plans plans.txt
  spindle place awr.html --tier flash=100G,0.3ms --size temp=40G --size SALES.ORDERS=12G --html plan.html
  spindle place --profiles")]
pub(crate) struct Place {
    #[command(flatten)]
    reading: Reading,
    /// A tier: NAME=CAPACITY,READ_LATENCY[,WRITE_LATENCY][,MBPS][,IOPS][,PRICE][,ENDURANCE], or
    /// NAME=CAPACITY@PROFILE, with any of these after it instead of the profile's (10T@aws_gp3,0.8ms,6000IOPS).
    /// MBPS and IOPS are caps: give those of a volume of a cloud. May be given several times.
    #[arg(long, value_name = "TIER", required = true)]
    tier: Vec<String>,
    /// Sizes of segments and files, as `spindle collect segments` gathers them, or a list with headings.
    #[arg(long, value_name = "FILE")]
    segments: Vec<PathBuf>,
    /// Execution plans, as `spindle collect plans` gathers them, or DBMS_XPLAN text.
    #[arg(long, value_name = "FILE")]
    plans: Vec<PathBuf>,
    /// Latency by load of today's storage, measured or simulated: a curve as JSON, or results over a rising
    /// load of fio, Orion, CALIBRATE_IO or `spindle measure --json`; may be given several times.
    #[arg(long, value_name = "FILE")]
    curve: Vec<PathBuf>,
    /// Size of an object that no file lists: NAME=SIZE, with temp, redo, a tablespace or OWNER.NAME.
    #[arg(long, value_name = "NAME=SIZE")]
    size: Vec<String>,
    /// An object that has to move: NAME or NAME=TIER.
    #[arg(long, value_name = "NAME")]
    pin: Vec<String>,
    /// An object that has to stay.
    #[arg(long, value_name = "NAME")]
    ban: Vec<String>,
    /// Move a table with all its indexes, or not at all.
    #[arg(long)]
    keep_indexes: bool,
    /// Plan for this database or container, where the reports are of several.
    #[arg(long, value_name = "NAME")]
    database: Option<String>,
    /// What today's storage is, where the reports do not show it.
    #[arg(long, value_name = "CLASS")]
    device_class: Option<super::Class>,
    /// Write the SQL*Plus script that moves what is chosen to FILE, and the one that moves it back
    /// beside it (move.sql, move_back.sql).
    #[arg(long, value_name = "FILE", conflicts_with = "mask")]
    script: Option<PathBuf>,
    /// Tablespace of a tier in the script: TIER=TABLESPACE.
    #[arg(long, value_name = "TIER=TABLESPACE", requires = "script", conflicts_with = "mask")]
    tier_tablespace: Vec<String>,
    /// Disk group or folder of a tier for files in the script: TIER=+DISKGROUP. Given several times for
    /// a tier, members of redo logs are spread over the places; other files go to the first.
    #[arg(long, value_name = "TIER=PLACE", requires = "script", conflicts_with = "mask")]
    tier_files: Vec<String>,
    /// Also write one self-contained page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// List the profiles of tiers, with the source of each number.
    #[arg(long, exclusive = true)]
    profiles: bool,
}

impl Place {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        if self.profiles {
            shell.print(&terminal::profiles(&profiles(), self.reading.look()))?;
            shell.flush()?;
            return Ok(Exit::Done);
        }
        let mut request = self.reading.request();
        let page = self.html.as_ref().map(|path| Page::new(path.clone(), &request)).transpose()?;
        request.output = page.as_ref().map(|page| page.path().to_owned());
        let profiles = profiles();
        let tiers = self
            .tier
            .iter()
            .map(|text| Tier::parse(text, &profiles))
            .collect::<Result<Vec<_>, _>>()
            .map_err(Failure)?;
        let named: Vec<&Path> =
            (self.segments.iter().chain(&self.plans).chain(&self.curve).chain(&self.html))
                .chain(&request.inputs)
                .map(PathBuf::as_path)
                .collect();
        let scripts = self.script.as_deref().map(|path| Scripts::new(path, &request, &named)).transpose()?;
        let options = self.options()?;
        let script = scripts.as_ref().map(|_| self.script_request(&tiers)).transpose()?;
        let json = self.reading.json;
        let progress = shell.progress(true);
        let plans = self.plans.clone();
        let lists = Request { inputs: [self.segments, self.plans].concat(), ..request.clone() };
        let (collected, mut unread) = if lists.inputs.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            spindle_app::collected(&lists, &progress)
        };
        // A list that cannot be read would silently change what is chosen.
        if let Some(list) = unread.first() {
            return Err(Failure(format!("`{}` was not read: {}", list.source, list.reason)));
        }
        let lists_in_part = collected.iter().any(|list| !list.notes.is_empty());
        let (placed, unread_reports) =
            spindle_app::place(&request, Placement { tiers, collected, plans, options, script }, &progress);
        drop(progress);
        unread.extend(unread_reports);
        for one in &unread {
            shell.warning(&one.said());
        }
        let placed = placed.map_err(|refusal| Failure(format!("no plan was made: {refusal}")))?;
        let plan = &placed.plan;
        // What was typed and not used is told at once: on the screen it could be one doubt of many.
        for warning in plan.warnings.iter().filter(|w| w.contains("(--size)") || w.contains("(--ban)")) {
            // Masked, what was given is not repeated.
            shell.warning(match self.reading.mask {
                true => "a --size or --ban was not used as given; without --mask the reason is shown",
                false => warning,
            });
        }
        // What a list lacks stands in its first doubt.
        if lists_in_part && let Some(first) = plan.warnings.iter().find(|w| is_of_a_list(w)) {
            shell.warning(first);
        }
        // Files first: whoever reads standard output may stop at any time, and still gets them.
        let mut notes = Vec::new();
        if let (Some(scripts), Some(script)) = (&scripts, &placed.script) {
            scripts.write(script)?;
            notes.push(format!("{scripts} written; read them before you run them"));
            if let Some(by_hand) = &script.by_hand {
                shell.warning(&format!("{scripts}: {by_hand}"));
            }
        }
        if let Some(page) = &page {
            page.write(&html::place(plan))?;
            notes.push(format!("page written to {}", page.path().display()));
        }
        let printed = if json {
            let written = spindle_app::write_plan(shell.out(), plan);
            shell.unless_closed(written)
        } else {
            shell.print(&terminal::place(plan, self.reading.look()))
        };
        let printed = printed.and_then(|_| shell.flush());
        for note in notes {
            shell.note(&note);
        }
        printed?;
        let gaining = plan.left_to_gain().count();
        let unsized_objects = plan.left_to_gain().filter(|c| c.lacks_its_size()).count();
        let sized = !plan.chosen.is_empty() || unsized_objects == 0;
        let answered = sized && !plan.lacks_waits() && plan.measured.broken.is_empty();
        for section in &plan.measured.broken {
            shell.warning(section);
        }
        if plan.lacks_waits() {
            shell.warning(
                "the reports do not print by event what sessions waited for most of their I/O: what a tier would save of \
                 it is not known. Give whole AWR or Statspack reports of the busy hours.",
            );
        } else if !sized {
            shell.warning(&format!(
                "nothing was chosen: of {gaining} objects that would gain, {unsized_objects} lack nothing but a size. Give \
                 --segments with the file of `spindle collect segments`, or --size."
            ));
        }
        Ok(if unread.is_empty() && answered && !lists_in_part { Exit::Done } else { Exit::InPart })
    }

    fn script_request(&self, tiers: &[Tier]) -> Result<ScriptRequest, Failure> {
        let pairs = |option: &str, given: &[String]| {
            let pair = |text: &String| {
                let (tier, place) = text.split_once('=').ok_or_else(|| {
                    Failure(format!("`{option} {text}` is no TIER=NAME; give for example flash=FAST"))
                })?;
                let known = tiers.iter().find(|t| t.name.eq_ignore_ascii_case(tier.trim()));
                let known = known.ok_or_else(|| {
                    Failure(format!("`{option} {text}`: `{}` is none of the tiers given", tier.trim()))
                })?;
                Ok((known.name.clone(), place.trim().to_owned()))
            };
            given.iter().map(pair).collect::<Result<Vec<_>, Failure>>()
        };
        let tablespaces = pairs("--tier-tablespace", &self.tier_tablespace)?;
        if let Some((_, name)) =
            tablespaces.iter().find(|(_, n)| n.is_empty() || n.len() > 30 || n.contains('"'))
        {
            return Err(Failure(format!("`--tier-tablespace`: `{name}` is no name of a tablespace")));
        }
        Ok(ScriptRequest { tablespaces, destinations: pairs("--tier-files", &self.tier_files)? })
    }

    fn options(&self) -> Result<PlaceOptions, Failure> {
        let sizes: Vec<(String, f64)> = self
            .size
            .iter()
            .map(|text| {
                // Masked, what was given is not repeated.
                let shown = if self.reading.mask { "..." } else { text };
                let (name, size) = text.rsplit_once('=').ok_or_else(|| {
                    Failure(format!("`--size {shown}` is no NAME=SIZE; give for example --size temp=40G"))
                })?;
                let bytes = parse_bytes(size).map_err(|why| match self.reading.mask {
                    true => {
                        Failure("`--size ...`: its size is none; write for example 40G or 1.5T".to_owned())
                    }
                    false => Failure(format!("`--size {text}`: {why}")),
                })?;
                Ok((name.trim().to_owned(), bytes))
            })
            .collect::<Result<_, Failure>>()?;
        for (n, (name, bytes)) in sizes.iter().enumerate() {
            if sizes[..n].iter().any(|(other, size)| same_object(other, name) && size != bytes) {
                let shown = if self.reading.mask { "..." } else { name };
                return Err(Failure(format!(
                    "--size {shown} stands twice with different sizes; give one of them"
                )));
            }
        }
        let pinned = self
            .pin
            .iter()
            .map(|text| match text.rsplit_once('=') {
                Some((name, tier)) => (name.trim().to_owned(), Some(tier.trim().to_owned())),
                None => (text.clone(), None),
            })
            .collect();
        Ok(PlaceOptions {
            database: self.database.clone(),
            sizes,
            pinned,
            banned: self.ban.clone(),
            keep_indexes: self.keep_indexes,
            curve: super::curve(&self.curve, self.reading.mask)?,
            device_class: self.device_class.map(Into::into),
            ..PlaceOptions::default()
        })
    }
}

/// Does a doubt tell what a list lacks?
fn is_of_a_list(warning: &str) -> bool {
    warning.starts_with('`') && !warning.contains("does not say which database")
}

/// Do two names of `--size` mean one object? In any case of letters, as they are looked up.
fn same_object(one: &str, other: &str) -> bool {
    let key = |name: &str| match name.to_lowercase().as_str() {
        "redo logs" => "redo".to_owned(),
        "control files" => "control".to_owned(),
        name => name.strip_prefix("tablespace ").unwrap_or(name).to_owned(),
    };
    key(one) == key(other)
}
