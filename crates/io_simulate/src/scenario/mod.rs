//! Scenarios: storage, a host and loads as a TOML file, what is varied, what is looked for, and what was published.
//!
//! A file is read at every point of its sweep before anything runs, and all that is wrong is told at once. A point runs by
//! itself ([`Scenario::run`]): who has several processors runs several points at a time, and the results are the same.
//!
//! Storage is told by kinds: `[device.disk]` is a disk of which an array may have eight, each with an arm of its own.
//! What a load names is made once for all loads that name it.

mod build;
mod database;
mod figures;
mod key_list;
mod keys;
mod loads;
mod observed;
mod progress;
mod run;
mod steady;
mod storage;
mod sweep;
#[cfg(test)]
mod tests;
mod traces;

pub(crate) use keys::HARD_DISK;
pub(crate) use storage::data_sheet;

use figures::{Figure, Names, Published};
use keys::{HOST, SCENARIO};
use loads::Load;
use spindle_workload::form::{Entries, Form, FormError, Given, Section, Unit, Wanted};
use spindle_workload::{END, End, GivenParameter, SweptKey, SweptValue, read_end};
use std::fmt;
use storage::Storage;
use sweep::{SWEPT, Sweep};

pub use key_list::scenario_keys;
pub use progress::{Progress, Stage};
pub use run::PointRun;
pub use traces::Traces;

/// A scenario that was read and can be run.
///
/// Shape: one a file. Source: a file of the user's, or one of `scenarios/`.
#[derive(Debug)]
pub struct Scenario {
    /// The file: what it is called, and what stands in it.
    file: String,
    root: Entries,
    sweep: Sweep,
    seed: Option<u64>,
    head: Head,
    figures: Vec<Figure>,
    published: Vec<Published>,
    parameters: Vec<GivenParameter>,
}

/// What a file says of itself.
#[derive(Clone, Debug, Default)]
struct Head {
    name: String,
    about: Option<String>,
    experiment: Option<String>,
    source: Option<String>,
    notes: Vec<String>,
    main: usize,
    seed: u64,
}

/// All that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioErrors {
    /// Each with its place.
    pub errors: Vec<FormError>,
    /// Further ones, which were not kept.
    pub more: usize,
}

impl fmt::Display for ScenarioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, error) in self.errors.iter().enumerate() {
            if n > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} errors more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioErrors {}

/// Bytes of a file: larger ones are none.
const MOST_BYTES: usize = 1 << 20;
/// Errors after which no further points are looked at.
const ENOUGH_ERRORS: usize = 20;
/// Seed of a scenario that names none.
const DEFAULT_SEED: u64 = 13;
/// A month: longer is a slip of the pen.
const MOST_SECONDS: f64 = 31.0 * 86_400.0;

/// A scenario as it reads at one point.
#[derive(Debug)]
struct Point {
    head: Head,
    warm_up_s: f64,
    end: End,
    processors: Option<u32>,
    storage: Vec<Storage>,
    loads: Vec<Load>,
    figures: Vec<Figure>,
    published: Vec<Published>,
}

impl Scenario {
    /// Reads a scenario. `name` is what the file is called in messages; `sweeps` are keys with lists or ranges that take the
    /// place of those of the file; so is `seed`.
    ///
    /// # Errors
    /// With all that is wrong with it, at every point of the sweep.
    pub fn read(
        text: &str,
        name: &str,
        sweeps: &[(String, String)],
        seed: Option<u64>,
    ) -> Result<Self, ScenarioErrors> {
        let fail = |error: FormError| ScenarioErrors { errors: vec![error], more: 0 };
        if text.len() > MOST_BYTES {
            let why = format!("it has {} bytes, and no scenario has more than {MOST_BYTES}", text.len());
            return Err(fail(FormError { file: name.to_owned(), line: 1, why }));
        }
        let form = Form::parse(text, name).map_err(fail)?.that_collects();
        let sweep = Sweep::of(&form, sweeps);
        let keys = sweep.keys();
        let all = |form: &Form| {
            let (errors, more) = form.errors();
            ScenarioErrors { errors, more }
        };
        if !form.is_sound() {
            return Err(all(&form));
        }
        let mut first: Option<(Point, Vec<GivenParameter>)> = None;
        for number in 0..sweep.points() {
            let (point, given) = read_point(&form, &sweep, number, seed, &keys);
            if form.errors().0.len() >= ENOUGH_ERRORS {
                break;
            }
            let parameters = parameters(given);
            match &mut first {
                None => first = Some((point, parameters)),
                // What another point alone was fitted by is to be known, too.
                Some((_, known)) => {
                    let fitted = parameters.into_iter().filter(|p| p.fitted_to().is_some());
                    for one in fitted {
                        if !known.contains(&one) {
                            known.push(one);
                        }
                    }
                }
            }
        }
        let sound = form.is_sound();
        match first {
            Some((point, parameters)) if sound => Ok(Self {
                file: name.to_owned(),
                root: form.root().clone(),
                sweep,
                seed,
                head: point.head,
                figures: point.figures,
                published: point.published,
                parameters,
            }),
            _ => Err(all(&form)),
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.head.name
    }

    /// Points of the sweep; one where nothing is varied.
    #[must_use]
    pub fn points(&self) -> usize {
        self.sweep.points()
    }

    /// What is varied.
    #[must_use]
    pub fn keys(&self) -> Vec<SweptKey> {
        self.sweep.keys()
    }

    /// The values of a point.
    #[must_use]
    pub fn values(&self, point: usize) -> Vec<SweptValue> {
        self.sweep.values(point)
    }

    /// A point in words: `redundancy normal, disks 8`; empty where nothing is varied.
    #[must_use]
    pub fn point_name(&self, point: usize) -> String {
        let (keys, values) = (self.keys(), self.values(point));
        let words = keys.iter().zip(&values).map(|(key, value)| format!("{} {}", key.label, value.text));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The parameters of values that were read: those that are words about the scenario are left out.
fn parameters(given: Vec<Given>) -> Vec<GivenParameter> {
    const WORDS: [&str; 8] = ["name", "about", "experiment", "source", "notes", "main", "seed", "model"];
    let is_word = |g: &Given| {
        (!g.path.contains('.') && WORDS.contains(&g.key.as_str()))
            || g.path.starts_with("figure.")
            || g.path.starts_with("published.")
            || matches!(g.key.as_str(), "about" | "kind")
    };
    let given = given.into_iter().filter(|g| !is_word(g));
    let parameter = |g: Given| GivenParameter {
        is_swept: g.origin.as_deref() == Some(SWEPT),
        path: g.path,
        value: g.value,
        origin: g.origin,
        of_catalogue: g.beneath,
    };
    given.map(parameter).collect()
}

/// Reads the file at a point; what is wrong is noted in the form of the file.
fn read_point(
    form: &Form,
    sweep: &Sweep,
    number: usize,
    seed: Option<u64>,
    keys: &[SweptKey],
) -> (Point, Vec<Given>) {
    let here = form.with(sweep.applied(form, number));
    let point = match here.top(SCENARIO) {
        Ok(top) => point(&top, seed, keys),
        Err(error) => {
            form.note(error);
            Point::default()
        }
    };
    for error in here.errors().0 {
        form.note(error);
    }
    (point, here.given())
}

/// Requests of a run; a million of them take a second or more.
const MOST_REQUESTS: u64 = 10_000_000_000;

impl Default for Point {
    fn default() -> Self {
        Self {
            head: Head::default(),
            warm_up_s: 0.0,
            end: End::default(),
            processors: None,
            storage: Vec::new(),
            loads: Vec::new(),
            figures: Vec::new(),
            published: Vec::new(),
        }
    }
}

fn point(top: &Section<'_>, seed: Option<u64>, keys: &[SweptKey]) -> Point {
    top.asks("parameter", || Wanted::Table);
    top.asks("sweep", || Wanted::Table);
    let (storage, declared) = storage::storage(top);
    build::check(&storage, &declared, |line, why| top.note(top.refuse_at(line, why)));
    let (loads, load_names) = loads::loads(top);
    for load in &loads {
        // Storage that could not be read is told of already.
        if !declared.contains(&load.on) {
            let all: Vec<&str> = declared.iter().map(String::as_str).take(20).collect();
            let there = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
            let why = format!(
                "the load `{}` asks `{}`, and the storage of the file is {there}",
                load.name, load.on
            );
            top.note(top.refuse_at(load.line, why));
        }
        if let loads::LoadKind::Database(database) = &load.what
            && let Some(also) = database.also_on().filter(|name| !declared.iter().any(|d| d == name))
        {
            top.note(top.refuse_at(
                load.line,
                format!("the load `{}` has its log on `{also}`, which is no storage", load.name),
            ));
        }
        if storage.iter().any(|s| s.name == load.name) {
            top.note(top.refuse_at(
                load.line,
                format!("`{}` is storage as well; give the load another name", load.name),
            ));
        }
    }
    let streams: Vec<(String, &'static str)> = loads
        .iter()
        .filter_map(|load| match &load.what {
            loads::LoadKind::Database(database) => Some((load.name.clone(), database.main_stream()?)),
            loads::LoadKind::Requests(stream) if stream.commits() => {
                Some((load.name.clone(), spindle_workload::COMMIT))
            }
            _ => None,
        })
        .collect();
    let names = Names { loads: &load_names, streams: &streams, storage: &declared, keys };
    let (figures, figure_names) = figures::figures(top, &names);
    for figure in &figures {
        let of = storage.iter().find(|s| s.name == figure.of).map(|s| &s.what);
        if let Some(why) = of.and_then(|what| figure.unknown_of(what)) {
            top.note(top.refuse_key("figure", format!("`{}`: {why}", figure.name)));
        }
    }
    for figure in figures.iter().filter(|figure| figure.is_formula_of_commits()) {
        if !run::has_formula_of_commits(figure, &loads, &storage) {
            let why = format!(
                "`{}`: the formula is of a load of kind \"log\" whose writes go one at a time to a device of kind \"nvme\" with one unit",
                figure.name
            );
            top.note(top.refuse_key("figure", why));
        }
    }
    let published = figures::published(top, &figures, &figure_names, keys);
    let end = match top.section("end", END) {
        Ok(Some(section)) => top.keep(read_end(&section).map(Some)).unwrap_or_default(),
        Ok(None) => {
            let ends = |load: &Load| match &load.what {
                loads::LoadKind::Overwrite { .. } => true,
                loads::LoadKind::Database(database) => database.ends(),
                loads::LoadKind::Requests(stream) => stream.trace.is_some(),
            };
            if !loads.iter().all(ends) {
                top.note(top.lacks("end", "so it would never end"));
            }
            End::default()
        }
        Err(error) => {
            top.note(error);
            End::default()
        }
    };
    if let Some(count) = end.ios.filter(|count| *count > MOST_REQUESTS) {
        let why = format!(
            "{count} requests take {:.0} days at a million a second; at most {MOST_REQUESTS} are simulated",
            count as f64 / 86_400e6
        );
        top.note(top.refuse_key("end", why));
    }
    let processors = match top.keep(top.section("host", HOST)) {
        Some(host) => host.keep(host.whole_within("processors", 1, 65_536)),
        None => None,
    };
    let warm_up = top.keep(top.number("warm_up", Unit::Time, 0.0, MOST_SECONDS * 1e6));
    let own_seed = top.keep(top.whole("seed"));
    let main = top.keep(top.text("main"));
    let main = match main {
        None => 0,
        Some(name) => figures.iter().position(|f| f.name == name).unwrap_or_else(|| {
            if !figure_names.contains(&name) {
                top.note(top.refuse_key("main", format!("there is no figure `{name}`")));
            }
            0
        }),
    };
    let head = Head {
        name: top.need("name", top.text("name"), "so nobody knows what it is").unwrap_or_default(),
        about: top.keep(top.long_text("about")),
        experiment: top.keep(top.long_text("experiment")),
        source: top.keep(top.long_text("source")),
        notes: top.keep(top.long_texts("notes", 100)).unwrap_or_default(),
        main,
        seed: seed.or(own_seed).unwrap_or(DEFAULT_SEED),
    };
    Point {
        head,
        warm_up_s: warm_up.unwrap_or(0.0) / 1e6,
        end,
        processors,
        storage,
        loads,
        figures,
        published,
    }
}
