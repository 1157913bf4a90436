//! `spindle simulate`: scenarios on modelled storage; with `--validate`, modelled disks held against measured ones.

use super::small_text;
use crate::output::{Curve, Failure, Page};
use crate::shell::{Exit, Shell};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spindle_app::{
    HeldSignals, Limits, Request, ScenarioOrder, ScenarioProgress, Simulated, ValidatedDrive,
    ValidationDocument, ValidationOrder, curve_file, write_measured,
};
use spindle_presentation::{html, terminal};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What would storage that I do not have do with this load? Runs a scenario on modelled storage.
///
/// SCENARIO is a TOML file: devices, arrays, caches and links, loads on them, what is varied, what is looked for, and
/// what was published of it. Ready ones are in the folder scenarios of the sources. The same scenario and seed give the
/// same figures on any machine, on however many processors. Ctrl-C ends with the points that are done.
///
/// --validate instead: is the modelled disk believable? FOLDER holds drives in the files of DiskSim: NAME.diskspecs,
/// the model and seek curve that it names, and NAME.trace.gz. Each trace is replayed as it was made, and the
/// distributions of response times are compared: rms is the root of the mean square of the distance between them. No
/// number of the model is fitted to a trace.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle simulate scenarios/slob-redundancy.toml --html slob.html
  spindle simulate scenarios/short-stroke.toml --sweep 'share=10 %..100 %:10 %' --sweep depth=1,8,64
  spindle simulate scenarios/short-stroke.toml --sweep share=100% --sweep depth=1..64:*2 --curve disk.json
  spindle simulate --keys cloud_volume
  spindle simulate --catalogue
  spindle simulate --validate drives/ --bus-time hp_c2247a=0.1701,0.18686 --json")]
pub(crate) struct Simulate {
    /// The scenario, or - for standard input.
    #[arg(
        required_unless_present_any = ["validate", "keys", "catalogue"],
        conflicts_with_all = ["validate", "keys", "catalogue"]
    )]
    scenario: Option<PathBuf>,
    /// Vary a key, in the place of what the scenario says: a range, by step or factor, or values with commas
    /// between; may be given several times. A key is a value of [parameter], or tables and key with points
    /// between, such as array.data.members.
    #[arg(long, value_name = "KEY=FROM..TO[:STEP]", value_parser = sweep, conflicts_with_all = ["validate", "keys", "catalogue"])]
    sweep: Vec<(String, String)>,
    /// Seed of all that is random, in the place of the scenario's.
    #[arg(long, value_name = "N", conflicts_with_all = ["validate", "keys", "catalogue"])]
    seed: Option<u64>,
    /// Write one self-contained page: figures over the sweep, what was published, distributions, every parameter
    /// with its origin.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["validate", "keys", "catalogue"])]
    html: Option<PathBuf>,
    /// Write the device curve (JSON) that `place` and `size` take, where the load alone is varied. Nothing but an
    /// earlier curve is replaced.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["validate", "keys", "catalogue"])]
    curve: Option<PathBuf>,
    /// Folder of measured drives; those in its folder `drives` count, too.
    #[arg(long, value_name = "FOLDER")]
    validate: Option<PathBuf>,
    /// Time of a block on a drive's bus, ms to and from the host, where its files leave it out; may be given
    /// several times [default: as NAME.parv or the folder's Markdown state it].
    #[arg(long, value_name = "DRIVE=READ,WRITE", value_parser = bus_time, requires = "validate", conflicts_with_all = ["scenario", "keys", "catalogue"])]
    bus_time: Vec<(String, f64, f64)>,
    /// What can stand in a scenario: every key of a table, whether it has to be there, its unit and bounds, what it means. KIND is
    /// a table or a kind of it, such as device, ssd, array, load, database_writer, figure; without it all.
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["validate", "catalogue", "json"])]
    keys: Option<String>,
    /// Devices that scenarios name by `model`: their figures with units, and where each comes from. MODEL is one of them, or a
    /// kind of device; without it all.
    #[arg(long, value_name = "MODEL", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["validate", "json"])]
    catalogue: Option<String>,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
    /// Columns of the terminal [default: as wide as it is, or 80].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..=500))]
    width: Option<u16>,
}

/// Simulating that takes less than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Steps of the bar.
const STEPS: u64 = 1_000_000;

/// `disks=8..32:8`.
fn sweep(text: &str) -> Result<(String, String), String> {
    match text.split_once('=').map(|(key, values)| (key.trim(), values.trim())) {
        Some((key, values)) if !key.is_empty() && !values.is_empty() => {
            Ok((key.to_owned(), values.to_owned()))
        }
        _ => Err("write for example disks=8..32:8, or redundancy=normal,high".to_owned()),
    }
}

impl Simulate {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        if let Some(word) = &self.keys {
            return self.keys(word, shell);
        }
        if let Some(word) = &self.catalogue {
            return self.catalogue(word, shell);
        }
        match (&self.scenario, &self.validate) {
            (Some(scenario), _) => self.simulate(scenario, shell),
            (None, Some(_)) => self.validate(shell),
            (None, None) => {
                Err(Failure("name a scenario, or --validate a folder of measured drives".to_owned()))
            }
        }
    }

    fn keys(&self, word: &str, shell: &mut Shell) -> Result<Exit, Failure> {
        let word = word.trim().to_lowercase();
        let mut tables = spindle_app::scenario_keys();
        if !word.is_empty() {
            let all: BTreeSet<String> = tables.iter().flat_map(|t| t.words.clone()).collect();
            tables.retain(|t| t.words.contains(&word));
            if tables.is_empty() {
                let all: Vec<String> = all.into_iter().collect();
                return Err(Failure(format!("no table is called `{word}`; there are {}", all.join(", "))));
            }
        }
        shell.print(&terminal::keys(&tables, Shell::look(self.width.map(usize::from))))?;
        shell.flush()?;
        Ok(Exit::Done)
    }

    fn catalogue(&self, word: &str, shell: &mut Shell) -> Result<Exit, Failure> {
        let word = word.trim().to_lowercase();
        let mut models = spindle_app::listed_models();
        if !word.is_empty() {
            let all: Vec<String> = models.iter().map(|m| m.name.clone()).collect();
            models.retain(|m| m.name == word || m.kind == word);
            if models.is_empty() {
                return Err(Failure(format!("the catalogue has no `{word}`; it has {}", all.join(", "))));
            }
        }
        shell.print(&terminal::models(&models, Shell::look(self.width.map(usize::from))))?;
        shell.flush()?;
        Ok(Exit::Done)
    }

    fn simulate(&self, scenario: &Path, shell: &mut Shell) -> Result<Exit, Failure> {
        let nothing = |why: String| Failure(format!("nothing was simulated: {why}"));
        let name = match scenario.as_os_str() == "-" {
            true => "standard input".to_owned(),
            false => scenario.display().to_string(),
        };
        let text = small_text(scenario).map_err(|why| nothing(format!("`{name}` was not read: {why}")))?;
        let inputs: Vec<PathBuf> =
            [scenario].into_iter().filter(|path| path.as_os_str() != "-").map(Path::to_path_buf).collect();
        let request = Request { inputs, mask: false, limits: Limits::default(), output: None };
        let page = self.html.clone().map(|path| Page::new(path, &request)).transpose()?;
        let curve = self.curve.clone().map(|path| Curve::new(path, &request.inputs)).transpose()?;
        crate::output::refuse_same(("--html", self.html.as_deref()), ("--curve", self.curve.as_deref()))?;
        let order = ScenarioOrder {
            name,
            text,
            sweeps: self.sweep.clone(),
            seed: self.seed,
            command: super::measure::command_line(),
        };
        let signals = HeldSignals::hold();
        let bar = Bar::new();
        let mut asked = false;
        let simulated = spindle_app::simulate(&order, &mut |progress| {
            asked |= signals.came();
            bar.show(&progress);
            !asked
        });
        bar.clear();
        let Simulated { measured, no_curve } = match simulated {
            Ok(simulated) => simulated,
            // A line each: everything that is wrong with a file is told at once.
            Err(why) if why.lines().count() > 1 => {
                shell.error(&format!("nothing was simulated: {} errors", why.lines().count()));
                for line in why.lines() {
                    shell.error(line);
                }
                return Ok(Exit::NothingDone);
            }
            Err(why) => return Err(nothing(why)),
        };
        if measured.points.is_empty() {
            return Err(nothing("it was stopped before any point was done".to_owned()));
        }
        if let Some(page) = &page {
            page.write(&html::simulate(&measured))?;
            shell.note(&format!("page written to {}", page.path().display()));
        }
        let in_part = measured.incomplete.is_some() || measured.has_damaged_traces();
        let mut exit = if in_part { Exit::InPart } else { Exit::Done };
        if let Some(file) = &curve {
            match &measured.curve {
                Some(curve) => {
                    let bytes = curve_file(curve)
                        .map_err(|why| Failure(format!("the curve was not written: {why}")))?;
                    file.write(&bytes)?;
                    let (kept, all) = (curve.points.len(), measured.points.len());
                    let of = if kept < all {
                        format!(
                            ", {kept} of {all} points; the others brought no more, were not served or are of no one state"
                        )
                    } else {
                        String::new()
                    };
                    shell.note(&format!("curve written to {}{of}", file.path().display()));
                }
                None => {
                    let why = no_curve.as_deref().unwrap_or("the points are none");
                    shell.warning(&format!("no curve was written: {}.", why.trim_end_matches('.')));
                    exit = Exit::InPart;
                }
            }
        }
        if self.json {
            let written = write_measured(shell.out(), &measured);
            shell.unless_closed(written)?;
        } else {
            let look = Shell::look(self.width.map(usize::from));
            shell.print(&terminal::simulate(&measured, look))?;
        }
        shell.flush()?;
        for warning in measured.all_warnings() {
            shell.warning(&warning);
        }
        if let Some(why) = &measured.incomplete {
            shell.warning(&format!("it ended early: {why}."));
        }
        Ok(exit)
    }

    fn validate(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let order =
            ValidationOrder { folder: self.validate.unwrap_or_default(), bus_times_ms: self.bus_time };
        let document = spindle_app::validate_drives(&order)
            .map_err(|why| Failure(format!("nothing was validated: {why}")))?;
        for drive in &document.unread {
            shell.warning(&format!("{} was not validated: {}.", drive.drive, drive.reason));
        }
        for note in document.drives.iter().flat_map(|drive| &drive.notes) {
            shell.warning(&format!("{note}."));
        }
        if document.drives.is_empty() {
            return Err(Failure("nothing was validated: no drive could be read".to_owned()));
        }
        if self.json {
            let written = spindle_app::write_validation(shell.out(), &document);
            shell.unless_closed(written)?;
        } else {
            shell.print(&table(&document))?;
        }
        shell.flush()?;
        Ok(if document.unread.is_empty() { Exit::Done } else { Exit::InPart })
    }
}

/// Points that are done, on standard error where that is a terminal and simulating takes its time.
struct Bar {
    shown: bool,
    begun: Instant,
    bar: std::cell::OnceCell<ProgressBar>,
}

impl Bar {
    fn new() -> Self {
        let shown = std::io::stderr().is_terminal();
        Self { shown, begun: Instant::now(), bar: std::cell::OnceCell::new() }
    }

    fn show(&self, progress: &ScenarioProgress) {
        if !self.shown || self.begun.elapsed() <= PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("simulating {wide_bar} {msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_message(said(progress, self.begun.elapsed()));
        // Within its bounds, as the share is.
        bar.set_position((progress.share.clamp(0.0, 1.0) * STEPS as f64) as u64);
        bar.tick();
    }

    fn clear(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// How far it is and how long it takes, in words.
fn said(progress: &ScenarioProgress, elapsed: Duration) -> String {
    let so_far =
        format!("{} of {} points, {}", progress.done, progress.points, spoken(elapsed.as_secs_f64()));
    let share = progress.share;
    match progress.filling {
        Some(filled) => format!("{so_far}, drives are filled first: {:.0} %", 100.0 * filled),
        None if progress.is_open => format!("{so_far}, until figures are sure: how long is not known"),
        None if share > 0.0 => {
            let more = elapsed.as_secs_f64() * (1.0 - share.min(1.0)) / share;
            format!("{so_far}, about {} more", spoken(more))
        }
        None => format!("{so_far}, how long is not known yet"),
    }
}

/// A time in its largest unit.
fn spoken(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(365.25 * 86_400.0, "years"), (86_400.0, "days"), (3_600.0, "h"), (60.0, "min")];
    match UNITS.iter().find(|(size, _)| seconds >= 2.0 * size) {
        Some((size, name)) => format!("{:.0} {name}", seconds / size),
        None => format!("{seconds:.0} s"),
    }
}

/// `hp_c2247a=0.1701,0.18686`.
fn bus_time(text: &str) -> Result<(String, f64, f64), String> {
    let (drive, times) = text.split_once('=').ok_or("write for example hp_c2247a=0.1701,0.18686")?;
    let (read, write) = times.split_once(',').unwrap_or((times, times));
    let ms = |text: &str| {
        let ms = text.parse::<f64>().ok().filter(|ms| (0.0..=100.0).contains(ms));
        ms.ok_or_else(|| format!("`{text}` is no time of a block; it lies between 0 and 100 ms"))
    };
    Ok((drive.to_owned(), ms(read)?, ms(write)?))
}

/// One line a drive, and what was given beside its files.
fn table(document: &ValidationDocument) -> String {
    let width = document.drives.iter().map(|d| d.drive.len()).max().unwrap_or(0).max(5);
    let line = |cells: [&str; 7]| {
        let [drive, requests, measured, simulated, rms, share, disksim] = cells;
        format!(
            "{drive:<width$}  {requests:>8}  {measured:>11}  {simulated:>12}  {rms:>6}  {share:>9}  {disksim:>11}\n"
        )
    };
    let mut text =
        line(["drive", "requests", "measured ms", "simulated ms", "rms ms", "% of mean", "DiskSim's"]);
    let shown = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |v| format!("{v:.digits$}"));
    for drive in &document.drives {
        text += &line([
            &drive.drive,
            &drive.requests.to_string(),
            &shown(Some(drive.measured_mean_ms), 3),
            &shown(Some(drive.simulated_mean_ms), 3),
            &shown(Some(drive.rms_ms), 3),
            &shown(drive.rms_of_mean_pct, 1),
            &shown(drive.disksim_rms_ms, 3),
        ]);
    }
    text +=
        "Means over all requests of the trace; rms: distance between the distributions of response times.\n";
    let given: Vec<String> = document.drives.iter().filter_map(given).collect();
    if !given.is_empty() {
        text += &format!("Given beside the drives' files, ms a block on the bus: {}.\n", given.join("; "));
    }
    text
}

/// What was given for a drive, and by whom.
fn given(drive: &ValidatedDrive) -> Option<String> {
    let (read, write) = drive.bus_read_ms.zip(drive.bus_write_ms)?;
    let times = if read == write { read.to_string() } else { format!("{read} to and {write} from the host") };
    Some(format!("{} {times} ({})", drive.drive, drive.bus_given_by.as_deref()?))
}
