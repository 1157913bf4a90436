//! What every form of `spindle measure` takes, and how each of them runs and ends.

use super::live::Live;
use super::over::Over;
use super::seed;
use super::typed::{pause, time, whole};
use crate::output::{Failure, Page};
use crate::shell::{Exit, Shell};
use spindle_app::{
    Create, Each, EngineName, Hosts, Limits, Request, Runner, Supervised, Targets, say_hosts, write_measured,
};
use spindle_planning::parse_bytes;
use spindle_presentation::{html, terminal};
use spindle_workload::{Measured, Volume};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// New files are cut to whole blocks of this.
const BLOCK_BYTES: u64 = 1 << 20;

/// Where it is measured, how, and where the answer goes.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Make the file first, of this size, such as 16G, and write it once. Nothing may be there. It goes at
    /// the end; a twentieth of its file system stays free.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    create: Option<f64>,
    /// Leave the file that was made.
    #[arg(long, requires = "create")]
    keep: bool,
    /// What is on this path may be lost, if it is written to. Once for each path.
    #[arg(long, value_name = "PATH")]
    overwrite: Vec<PathBuf>,
    /// Through the page cache: memory may answer, and not the device.
    #[arg(long)]
    buffered: bool,
    /// What makes the requests.
    #[arg(long, value_enum, default_value = "auto")]
    engine: Engine,
    /// End when no request was answered for so long.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    give_up: f64,
    /// Write one self-contained page: distributions, the course over time, all that is needed to repeat it.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
    /// Columns of the terminal [default: as wide as it is, or 80].
    #[arg(long, value_name = "N", value_parser = whole::<u16>(40, 500))]
    width: Option<u16>,
}

/// What makes the requests.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Engine {
    /// The one that costs least here.
    Auto,
    /// The kernel's io_uring.
    IoUring,
    /// One thread a request, pread and pwrite.
    Sync,
    /// Nothing: no request is made, and the figures are this program's own cost.
    Null,
}

/// How each run of several is made.
#[derive(clap::Args)]
pub(crate) struct Sweep {
    /// Length of each run.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    time: f64,
    /// How long requests are made before they count.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = pause)]
    warm_up: f64,
    /// Seed of all that is random; without it one is drawn and told.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
}

impl Sweep {
    pub(crate) fn each(&self) -> Each {
        Each { seconds: self.time / 1e6, warm_up_s: self.warm_up / 1e6, seed: seed::or_drawn(self.seed) }
    }
}

/// Where it is measured, beside the paths.
#[derive(Default)]
pub(crate) struct Where<'a> {
    /// On several hosts.
    pub(crate) over: Option<&'a Over>,
    /// All paths as one.
    pub(crate) volume: Option<Volume>,
}

/// A file that a form writes beside the page, once all is measured.
pub(crate) type Beside<'a> = &'a dyn Fn(&Measured, &mut Shell) -> Result<(), Failure>;

impl Common {
    /// Measures with a form and shows what it found.
    pub(crate) fn measure(
        &self,
        paths: &[PathBuf],
        writes: bool,
        shell: &mut Shell,
        form: impl FnOnce(&mut dyn Runner) -> Result<Measured, String>,
        beside: Option<Beside<'_>>,
    ) -> Result<Exit, Failure> {
        self.measure_where(&Where::default(), paths, writes, shell, form, beside)
    }

    /// The same, on several hosts or on a volume of all paths where they are given.
    pub(crate) fn measure_where(
        &self,
        place: &Where<'_>,
        paths: &[PathBuf],
        writes: bool,
        shell: &mut Shell,
        form: impl FnOnce(&mut dyn Runner) -> Result<Measured, String>,
        beside: Option<Beside<'_>>,
    ) -> Result<Exit, Failure> {
        let nothing = |why: String| Failure(format!("nothing was measured: {why}"));
        // What the other forms work out of the figures would be of no device.
        if matches!(self.engine, Engine::Null) && place.over.is_none() {
            return Err(nothing(
                "--engine null makes no request: it tells this program's own cost, with `measure run` or `measure read`"
                    .to_owned(),
            ));
        }
        let targets = self.targets(paths, writes).map_err(nothing)?;
        let targets = Targets { volume: place.volume, ..targets };
        let hosts = place.over.map_or(Ok(None), Over::order).map_err(nothing)?;
        let page = self.html.clone().map(|path| self.page(path, paths)).transpose()?;
        let mut live = Live::hold();
        let began_s = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|d| d.as_secs());
        let give_up = Duration::from_micros(self.give_up as u64);
        let measured = match hosts {
            Some(order) => Hosts::start(&order, &targets, give_up, &mut live).and_then(|mut hosts| {
                let mut measured = form(&mut hosts)?;
                say_hosts(&mut measured);
                Ok(measured)
            }),
            None => measuring()
                .and_then(|command| Supervised::start(command, &targets, give_up, &mut live))
                .and_then(|mut process| form(&mut process)),
        };
        live.clear();
        let mut measured = measured.map_err(nothing)?;
        measured.began_s = began_s;
        measured.command = command_line();
        self.show(&measured, page.as_ref(), shell, beside)
    }

    /// Bytes of a file that is made first.
    pub(crate) fn new_bytes(&self) -> Option<u64> {
        self.create.map(|bytes| bytes as u64 / BLOCK_BYTES * BLOCK_BYTES)
    }

    fn targets(&self, paths: &[PathBuf], writes: bool) -> Result<Targets, String> {
        if let [_, _, ..] = paths
            && self.create.is_some()
        {
            return Err("--create makes one file, and several are named".to_owned());
        }
        if let Some(other) = self.overwrite.iter().find(|o| !paths.contains(o)) {
            return Err(format!(
                "--overwrite names `{}`, which is not among the paths as they are written here; write both alike",
                other.display()
            ));
        }
        let create = match self.create {
            None => None,
            Some(bytes) => match bytes as u64 / BLOCK_BYTES * BLOCK_BYTES {
                0 => return Err("a new file has 1 MiB at least".to_owned()),
                bytes => Some(Create { bytes, keep: self.keep }),
            },
        };
        Ok(Targets {
            paths: paths.to_vec(),
            create,
            writes,
            overwrite: self.overwrite.clone(),
            buffered: self.buffered,
            engine: match self.engine {
                Engine::Auto => EngineName::Auto,
                Engine::IoUring => EngineName::IoUring,
                Engine::Sync => EngineName::Sync,
                Engine::Null => EngineName::Null,
            },
            volume: None,
        })
    }

    /// Was the ring asked for by name?
    pub(crate) fn asks_for_io_uring(&self) -> bool {
        matches!(self.engine, Engine::IoUring)
    }

    fn page(&self, path: PathBuf, paths: &[PathBuf]) -> Result<Page, Failure> {
        if paths.contains(&path) {
            return Err(Failure(format!(
                "the page was not written to `{}`: it is what is measured; give another name",
                path.display()
            )));
        }
        // No input is looked at from here: what is measured may hang.
        let request = Request { inputs: Vec::new(), mask: false, limits: Limits::default(), output: None };
        Page::new(path, &request)
    }

    fn show(
        &self,
        measured: &Measured,
        page: Option<&Page>,
        shell: &mut Shell,
        beside: Option<Beside<'_>>,
    ) -> Result<Exit, Failure> {
        let printed = if self.json {
            let written = write_measured(shell.out(), measured);
            shell.unless_closed(written)
        } else {
            let look = Shell::look(self.width.map(usize::from));
            shell.print(&terminal::measure(measured, look))
        };
        let printed = printed.and_then(|_| shell.flush());
        // What took an hour to measure is not lost because one of its outputs cannot be written. The curve is small,
        // and may have room where the page has none.
        let mut unwritten = false;
        for written in
            [beside.map(|beside| beside(measured, shell)), page.map(|page| write_page(page, measured, shell))]
        {
            if let Some(Err(Failure(why))) = written {
                shell.error(&why);
                unwritten = true;
            }
        }
        printed?;
        for warning in measured.all_warnings() {
            shell.warning(&warning);
        }
        let done = measured.points.iter().flat_map(|p| &p.result.streams).any(|s| s.ios > Some(0));
        let failed = measured.points.iter().flat_map(|p| &p.result.streams).any(|s| !s.errors.is_empty());
        if let Some(why) = &measured.incomplete {
            shell.warning(&format!("it ended early: {why}"));
        }
        let hosts = measured.points.iter().filter_map(|p| p.result.hosts.as_deref()).flat_map(|h| &h.each);
        let missing = hosts.filter(|h| !h.counts()).count() > 0;
        let in_part =
            measured.incomplete.is_some() || measured.has_damaged_traces() || failed || missing || unwritten;
        Ok(match (done, in_part) {
            (false, _) => {
                shell.error("no request was answered");
                Exit::NothingDone
            }
            (true, true) => Exit::InPart,
            (true, false) => Exit::Done,
        })
    }
}

fn write_page(page: &Page, measured: &Measured, shell: &mut Shell) -> Result<(), Failure> {
    page.write(&html::measure(measured))?;
    shell.note(&format!("page written to {}", page.path().display()));
    Ok(())
}

/// The command that measures here.
fn measuring() -> Result<Command, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))?;
    let mut command = Command::new(program);
    command.arg(CHILD);
    Ok(command)
}

/// The command as it was typed.
pub(crate) fn command_line() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,%+@".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|w| quoted(w.to_string_lossy().into_owned()));
    let mut words: Vec<String> = std::iter::once("spindle".to_owned()).chain(words).collect();
    // So that the line asks for the same places again: behind the name of the form.
    if let Some(seed) = seed::drawn() {
        let place = words.iter().position(|word| word == "measure").map_or(words.len(), |n| n + 2);
        words.insert(place.min(words.len()), format!("--seed {seed}"));
    }
    words.join(" ")
}

/// Name of the command below.
pub(crate) const CHILD: &str = "measure-child";

/// Measures for the process that started it, and ends with it.
#[derive(clap::Args)]
pub(crate) struct MeasureChild {}

impl MeasureChild {
    #[cfg(target_os = "linux")]
    pub(crate) fn run(&self) -> Exit {
        spindle_app::measure_child(std::io::BufReader::new(std::io::stdin()), std::io::stdout());
        Exit::Done
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn run(&self) -> Exit {
        Exit::NothingDone
    }
}
