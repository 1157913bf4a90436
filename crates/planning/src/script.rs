//! The SQL*Plus script that moves what was chosen, and the one that moves it back.
//!
//! Each object is one anonymous block with its name as a literal. What the object is now, where it
//! lies, and whether it may move, the block asks the dictionary when it runs: a report clips names and
//! says little about attributes. So a second run skips what is already there, and nothing is guessed.
//! What must not be scripted stands as a comment with the reason and what a person can do.
//!
//! Neither PARALLEL nor NOLOGGING is used, so degree and logging of an object stay as they are; the head of
//! the script says what they would cost.

mod beside;
mod by_partition;
mod names;
mod redo;
mod step;

use crate::latest;
use crate::plan::{Candidate, CandidateKind, Plan};
use crate::words;
use names::{comment, literal};
use spindle_facts::Collected;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use step::{Context, Step};

/// Where things go.
#[derive(Clone, Debug, Default)]
pub struct ScriptRequest {
    /// Target tablespace by tier; a tier without one gets a DEFINE at the top.
    pub tablespaces: Vec<(String, String)>,
    /// Disk group (`+FAST`) or folder for files by tier; without one a DEFINE at the top.
    pub destinations: Vec<(String, String)>,
}

/// The two scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Moves what was chosen.
    pub forward: String,
    /// Moves it back to where it was.
    pub back: String,
    /// What of the plan it leaves to a person, in a sentence; `None` where nothing.
    pub by_hand: Option<String>,
}

/// First line of every script, by which an earlier one is known.
pub const SCRIPT_HEAD: &str = "-- Written by Spindle.";

/// What a release can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Release {
    /// As `v$instance.version` begins: `19.`, `12.1.`.
    prefix: String,
    number: (u32, u32),
}

impl Release {
    pub(crate) fn of(version: &str) -> Option<Self> {
        let mut parts = version.split('.').map(|p| p.trim().parse::<u32>().ok());
        let major = parts.next()??;
        let minor = parts.next().flatten().unwrap_or(0);
        // From 18c on the first number alone is the release.
        let (prefix, minor) = match major {
            18.. => (format!("{major}."), 0),
            _ => (format!("{major}.{minor}."), minor),
        };
        Some(Self { prefix, number: (major, minor) })
    }

    /// Does it move data files while they are open?
    pub(crate) fn moves_files(&self) -> bool {
        self.number >= (12, 1)
    }

    fn has_containers(&self) -> bool {
        self.number >= (12, 1)
    }

    fn longest_name(&self) -> usize {
        if self.number >= (12, 2) { 128 } else { 30 }
    }
}

/// Writes both scripts.
#[must_use]
pub fn script(plan: &Plan, collected: &[&Collected], request: &ScriptRequest) -> Script {
    let owned: Vec<Collected> = collected.iter().map(|list| (*list).clone()).collect();
    let merged = latest::merged(&owned, &mut Vec::new());
    let collected: &[&Collected] = &merged.iter().collect::<Vec<_>>();
    // A list is of the day on which the script runs, more than the reports.
    let version =
        latest::release(collected.iter().copied()).or(plan.measured.version.as_deref()).unwrap_or_default();
    let Some(release) = Release::of(version).filter(|r| r.number >= (11, 2)) else {
        let why = if version.is_empty() { "is unknown" } else { "is older than 11.2" };
        let text = format!(
            "{SCRIPT_HEAD}\n-- No move script: the release of the database {why}.\n-- Write one by hand, or give reports of the \
             database as it is now.\n"
        );
        let by_hand = Some(format!("no script was written: the release of the database {why}"));
        return Script { forward: text.clone(), back: text, by_hand };
    };
    let plan = by_partition::by_partition(plan, collected);
    let context = Context { plan: &plan, collected, request, release: &release };
    let steps = steps(&context);
    Script {
        forward: forward(&context, &steps),
        back: back(&context, &steps),
        by_hand: by_hand(&context, &steps),
    }
}

/// Steps of all chosen candidates, in the order of the plan, which the answer and the page name too.
fn steps<'a>(context: &Context<'a>) -> Vec<Step<'a>> {
    let chosen: Vec<&Candidate> = context
        .plan
        .chosen
        .iter()
        .filter_map(|name| context.plan.candidates.iter().find(|c| c.object == *name && c.tier.is_some()))
        .collect();
    let whole: BTreeSet<(Option<&str>, &str)> = chosen
        .iter()
        // 11.2 moves no data file by script, so what lies in it moves by itself.
        .filter(|c| {
            matches!(c.kind, CandidateKind::RestOfTablespace | CandidateKind::Tablespace)
                && context.release.moves_files()
        })
        .map(|c| (c.container.as_deref(), c.tablespace.as_deref().unwrap_or(&c.name)))
        .collect();
    chosen.iter().map(|c| Step::new(context, c, &whole)).collect()
}

/// What a person has to move, since the script refuses to.
fn by_hand(context: &Context<'_>, steps: &[Step<'_>]) -> Option<String> {
    let left: Vec<&Candidate> = steps.iter().filter(|s| s.is_refused()).map(|s| s.candidate).collect();
    let first = left.first()?;
    // A partition of a whole has what all of them save.
    let mut seen: BTreeSet<(Option<&str>, Option<&str>, &str)> = BTreeSet::new();
    let saves: f64 = left
        .iter()
        .filter(|c| {
            c.partitions.is_empty()
                || seen.insert((c.container.as_deref(), c.owner.as_deref(), c.name.as_str()))
        })
        .filter_map(|c| c.saves_s)
        .map(|s| s.mid)
        .sum();
    Some(format!(
        "{} of {} steps are left to a person, and with them {} of the {} that the plan likely saves: {}{}",
        left.len(),
        steps.iter().filter(|s| !s.is_along()).count(),
        words::seconds(saves),
        words::seconds(context.plan.saves_s.mid),
        first.object,
        if left.len() > 1 { format!(" and {} more", left.len() - 1) } else { String::new() }
    ))
}

fn forward(context: &Context<'_>, steps: &[Step<'_>]) -> String {
    let mut text = String::new();
    head(&mut text, context, steps, "Moves what was chosen to the fast tier", true);
    check_containers(&mut text, context, steps, true);
    let mut container = None;
    let all = steps.iter().filter(|s| !s.is_along()).count();
    let mut number = 0;
    for step in steps {
        enter(&mut text, context, step.candidate, &mut container);
        if step.is_along() {
            let _ = writeln!(text, "-- with it goes {}", comment(&step.candidate.object));
        } else {
            number += 1;
            let _ = writeln!(text, "\nprompt [{number}/{all}] {}", comment(&step.title()));
        }
        let _ = writeln!(text, "-- {}", comment(&step.gain(context.plan)));
        text.push_str(&step.forward(context));
    }
    text.push_str("\nprompt [done] what says SKIPPED or UNUSABLE above needs a person\n");
    advice(&mut text, context);
    text.push_str("\nspool off\n");
    text
}

fn back(context: &Context<'_>, steps: &[Step<'_>]) -> String {
    let mut text = String::new();
    let lost = steps.iter().filter(|s| !s.knows_its_place(context)).count();
    let what = match lost {
        0 => "Moves everything back to where it was, last first".to_owned(),
        n => format!(
            "Moves back to where it was, last first, what the lists place; of {n} of the {} steps they do not say where",
            steps.iter().filter(|s| !s.is_along()).count()
        ),
    };
    head(&mut text, context, steps, &what, false);
    check_containers(&mut text, context, steps, false);
    let mut container = None;
    let own: Vec<&Step<'_>> = steps.iter().rev().filter(|s| !s.is_along()).collect();
    for (number, step) in own.iter().enumerate() {
        enter(&mut text, context, step.candidate, &mut container);
        let _ = writeln!(text, "\nprompt [{}/{}] back: {}", number + 1, own.len(), comment(&step.title()));
        text.push_str(&step.back(context));
    }
    text.push_str("\nprompt [done] what says SKIPPED or UNUSABLE above needs a person\nspool off\n");
    text
}

/// Settings, places, and checks that stop before anything is moved.
fn head(text: &mut String, context: &Context<'_>, steps: &[Step<'_>], what: &str, forth: bool) {
    let measured = &context.plan.measured;
    let name = measured.db_name.as_deref().unwrap_or("unknown");
    let _ = writeln!(text, "{SCRIPT_HEAD}\nset define off\n-- {what}.");
    let release = context.release.prefix.trim_end_matches('.');
    let _ = writeln!(text, "-- Database {}, release {}.", comment(name), comment(release));
    text.push_str(
        "-- Run in SQL*Plus as a user with the DBA role, in a quiet hour, after reading it. It may be run again:\n\
         -- what is already there is skipped. It stops at the first error.\n\
         \n\
         -- Serial and logged, on purpose. PARALLEL n would be about as many times faster where storage keeps up,\n\
         -- and stays as the degree of the object (alter ... noparallel after it). NOLOGGING would write hardly\n\
         -- any redo, but what it writes cannot be recovered before the next backup and is missing on a standby,\n\
         -- FORCE LOGGING overrides it, and it stays too. Logged, a move writes about its size in redo, and its\n\
         -- indexes theirs: look at the room for archived logs.\n\
         \n\
         -- Moves change rowids and invalidate cursors. Statistics of tables stay. An index that is rebuilt gets new\n\
         -- ones (since 10g, unless they are locked), so plans may change; the log names those indexes. To be able\n\
         -- to go back: dbms_stats.export_table_stats(..., cascade => true) before, import_table_stats after.\n",
    );
    if context.release.number >= (12, 2) {
        text.push_str(
            "-- Tables move online and their indexes stay usable; whether those keep their statistics then, the\n\
             -- documentation does not say: the log names the ones that did not.\n",
        );
    }
    let offline = steps.iter().filter(|s| s.is_offline(context.release)).count();
    if offline > 0 {
        let _ = writeln!(
            text,
            "\n-- !!! {offline} of the {} steps are OFFLINE: the table takes no changes, and its indexes are UNUSABLE from\n\
             -- !!! its MOVE until they are rebuilt, right after it, before the next step begins. If a rebuild fails the\n\
             -- !!! script goes on to the other indexes of that table, prints what to run, and stops.",
            steps.len()
        );
    }
    if forth {
        if let Some(by_hand) = by_hand(context, steps) {
            let _ = writeln!(text, "\n-- !!! {}.", comment(&by_hand));
        }
        for tier in context.plan.tiers.iter().filter(|t| t.is_memory()) {
            let keeps = steps
                .iter()
                .any(|s| s.tier() == tier.name && s.candidate.kind != CandidateKind::Temp && !s.is_refused());
            if keeps {
                let _ = writeln!(
                    text,
                    "\n-- !!! Tier {} is called memory, and data moves there: what is in memory is LOST with a restart of the\n\
                     -- !!! host. Go on only if its place keeps what it holds.",
                    comment(&tier.name)
                );
            }
        }
    }
    text.push_str(
        "\nwhenever sqlerror exit failure rollback\n\
         set serveroutput on size unlimited format wrapped\n\
         set verify off feedback off linesize 200 trimspool on sqlblanklines on\n\
         variable ee varchar2(10)\n",
    );
    if steps.iter().any(Step::is_redo) {
        text.push_str(
            "-- YES lets all members of a redo group lie in fewer places than today:\n\
             variable redo_fewer_places varchar2(3)\nbegin :redo_fewer_places := 'NO'; end;\n/\n",
        );
    }
    // What is given stands behind `set define off`: it may hold an ampersand.
    let (mut given, mut asked, mut defines) = (String::new(), String::new(), String::new());
    for (number, tier) in context.plan.tiers.iter().enumerate() {
        let on_tier = || steps.iter().filter(|s| s.tier() == tier.name.as_str());
        let suffix = if number == 0 { String::new() } else { (number + 1).to_string() };
        let tablespace = forth && on_tier().any(|s| s.needs_tablespace());
        let destination = forth && on_tier().any(|s| s.needs_destination());
        let places = [
            (
                tablespace,
                "ts",
                context.tablespace(&tier.name).into_iter().collect(),
                "tablespace",
                "FAST_TS",
                "FAST_TS",
            ),
            (
                destination,
                "dest",
                context.destinations(&tier.name),
                "disk group or folder",
                "FAST_DEST",
                "+FAST",
            ),
        ];
        for (used, kind, values, what, name, default) in places {
            if !used {
                continue;
            }
            let bind = format!("{kind}{}", number + 1);
            if values.is_empty() {
                let tier = comment(&tier.name);
                let _ = writeln!(
                    defines,
                    "-- {what} of tier {tier}: change it here\ndefine {name}{suffix} = {default}"
                );
                ask(&mut asked, &bind, &format!("{name}{suffix}"));
            }
            for (n, value) in values.iter().enumerate() {
                let bind = if n == 0 { bind.clone() } else { format!("{bind}_{}", n + 1) };
                let _ = writeln!(
                    given,
                    "variable {bind} varchar2(1024)\nbegin :{bind} := {}; end;\n/",
                    literal(value)
                );
            }
        }
    }
    if !forth && steps.iter().any(Step::is_redo) && redo::places(context).is_empty() {
        defines.push_str(
            "-- where the members of the redo logs were: the log of the first script says so (redo was in ...); the\n\
             -- second place is NONE where they were in one\n\
             define REDO_PLACE1 = FILL_IN\ndefine REDO_PLACE2 = NONE\n",
        );
        ask(&mut asked, "redo_place1", "REDO_PLACE1");
        ask(&mut asked, "redo_place2", "REDO_PLACE2");
    }
    if !defines.is_empty() {
        let _ = write!(text, "\n{defines}set define on\n{asked}");
    }
    text.push_str("set define off\n");
    text.push_str(&given);
    text.push_str("spool spindle_place.log append\nalter session set ddl_lock_timeout = 60;\n");
    text.push_str("\nprompt [checks]\n");
    let checks = include_str!("script/checks.sql").replace("@RELEASE@.", &context.release.prefix);
    text.push_str(&checks.replace("@RELEASE@", release));
    if context.release.has_containers() && (context.is_of_containers() || steps.iter().any(Step::is_redo)) {
        text.push_str(include_str!("script/root.sql"));
    }
}

/// A bind variable that takes what a DEFINE holds.
fn ask(text: &mut String, bind: &str, define: &str) {
    let _ = writeln!(text, "variable {bind} varchar2(1024)\nbegin :{bind} := q'[&{define}]'; end;\n/");
}

/// Changes the container where the next step is in another.
fn enter<'a>(
    text: &mut String,
    context: &Context<'a>,
    candidate: &'a Candidate,
    container: &mut Option<Option<&'a str>>,
) {
    let next = context.container(candidate);
    if *container == Some(next) {
        return;
    }
    *container = Some(next);
    let Some(name) = next.filter(|_| context.release.has_containers()) else { return };
    match names::check(name, 128) {
        Ok(()) if name.chars().all(|c| !c.is_control()) => {
            // Packages of a session lose their state with the container.
            let _ = write!(
                text,
                "\nalter session set container = \"{name}\";\nalter session set ddl_lock_timeout = 60;\n\
                 set serveroutput on size unlimited format wrapped\n"
            );
        }
        _ => text.push_str(
            "\nbegin raise_application_error(-20007, 'the name of a container cannot be written'); end;\n/\n",
        ),
    }
}

/// What could stop the script halfway, looked at in every container before anything moves: is it open, and is there
/// room on the tiers?
fn check_containers<'a>(text: &mut String, context: &Context<'a>, steps: &[Step<'a>], with_space: bool) {
    let mut seen: Vec<Option<&str>> = Vec::new();
    let mut container = None;
    for step in steps.iter().filter(|s| s.does_something()) {
        let own = context.container(step.candidate);
        if seen.contains(&own) {
            continue;
        }
        seen.push(own);
        enter(text, context, step.candidate, &mut container);
        if own.is_some_and(|name| name != "CDB$ROOT") && context.release.has_containers() {
            text.push_str(include_str!("script/container.sql"));
        }
        if with_space {
            check_space(text, context, steps, own);
        }
    }
}

/// Room for objects in the tablespaces of the tiers, in one container.
fn check_space(text: &mut String, context: &Context<'_>, steps: &[Step<'_>], container: Option<&str>) {
    for (number, tier) in context.plan.tiers.iter().enumerate() {
        let here = || {
            steps.iter().filter(|s| {
                context.container(s.candidate) == container && s.tier() == tier.name && s.needs_tablespace()
            })
        };
        let sizes: Vec<Option<f64>> = here().map(|s| s.candidate.size_bytes).collect();
        if sizes.is_empty() {
            continue;
        }
        let known: f64 = sizes.iter().flatten().sum();
        let _ = writeln!(text, "\nprompt [space on tier {}]", comment(&tier.name));
        if sizes.contains(&None) {
            text.push_str("-- Sizes are not known of all objects; each block checks its own.\n");
        }
        let own: String = here().map(Step::own_space).collect();
        text.push_str(&step::fill(
            include_str!("script/space.sql"),
            &[("@TARGET@", format!(":ts{}", number + 1)), ("@BYTES@", format!("{known:.0}")), ("@OWN@", own)],
        ));
    }
}

/// What else a person may do, as comments.
fn advice(text: &mut String, context: &Context<'_>) {
    let keep: Vec<&Candidate> = context
        .plan
        .candidates
        .iter()
        .filter(|c| c.excluded_because.as_deref().is_some_and(|why| why.contains("KEEP")))
        .collect();
    if !keep.is_empty() {
        // A tenth more than what they take, as is said of each.
        let pool: f64 = keep.iter().filter_map(|c| c.size_bytes).map(|bytes| bytes * 1.1).sum();
        let _ = write!(
            text,
            "\n-- Small objects that belong in memory rather than on a tier. Size the pool first, for those of them that\n\
             -- are to be kept; for all of them:\n\
             --   alter system set db_keep_cache_size = {:.0}M scope = both  (it is taken out of sga_target)\n\
             -- then, for each: alter table or index ... storage (buffer_pool keep)\n",
            (pool / f64::from(1 << 20)).ceil().max(1.0)
        );
        for candidate in keep {
            let _ = writeln!(text, "--   {}", comment(&candidate.object));
        }
    }
    text.push_str(
        "\n-- Instead of moving files, an ASM mirror may read from its fast half:\n\
         --   up to 12.1, in each ASM instance:\n\
         --   alter system set asm_preferred_read_failure_groups = 'GROUP.FAILGROUP' sid = '+ASM1'\n\
         --   from 12.2: alter diskgroup ... set attribute 'preferred_read.enabled' = 'true', which goes by\n\
         --   site and not by failure group. Writes still wait for the slow half.\n",
    );
}
