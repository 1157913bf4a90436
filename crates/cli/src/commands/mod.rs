//! The subcommands, one a file: options to validated values, one call of `spindle_app`, output.

pub(crate) mod collect;
pub(crate) mod compare;
pub(crate) mod diagnose;
pub(crate) mod emulate;
pub(crate) mod facts;
pub(crate) mod measure;
pub(crate) mod place;
pub(crate) mod simulate;
pub(crate) mod size;

use crate::output::Failure;
use spindle_diagnosis::DeviceClass;
use spindle_workload::DeviceCurve;
use std::path::{Path, PathBuf};

/// The text of a file that a person wrote, which holds 1 MiB at most.
fn small_text(path: &Path) -> Result<String, String> {
    use std::io::Read;
    const MOST: u64 = 1 << 20;
    let file: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(path).map_err(|error| error.to_string())?),
    };
    let mut text = String::new();
    file.take(MOST + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    match text.len() as u64 > MOST {
        true => Err("it holds more than 1 MiB".to_owned()),
        false => Ok(text),
    }
}

/// Options that every command reading reports has.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// Reports: files, folders (walked), patterns, .gz, .zip, .zst or .tar archives, or - for
    /// standard input. What a file is shows in its content; its name does not matter.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Replace names of databases, hosts, users, objects and files, and the text of SQL, in
    /// everything that is written.
    #[arg(long)]
    mask: bool,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
    /// Columns of the terminal [default: as wide as it is, else COLUMNS, else 80].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..=500))]
    width: Option<u16>,
}

impl Reading {
    fn request(&self) -> spindle_app::Request {
        spindle_app::Request {
            inputs: self.paths.clone(),
            mask: self.mask,
            limits: spindle_app::Limits::default(),
            output: None,
        }
    }

    fn look(&self) -> spindle_presentation::terminal::Look {
        crate::shell::Shell::look(self.width.map(usize::from))
    }
}

/// What the storage is, as the user says it.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Class {
    Disk,
    Flash,
    Exadata,
}

impl From<Class> for DeviceClass {
    fn from(class: Class) -> Self {
        match class {
            Class::Disk => Self::Disk,
            Class::Flash => Self::Flash,
            Class::Exadata => Self::Exadata,
        }
    }
}

/// Bytes of a file of a curve, which has a point for each load that was tried.
const LARGEST_CURVE: u64 = 16_000_000;

/// The curve that `--curve` names: a curve, or results over a rising load. Masked, neither names nor what
/// stands in the files is repeated.
fn curve(paths: &[PathBuf], masked: bool) -> Result<Option<DeviceCurve>, Failure> {
    let shown = |path: &Path| path.display().to_string();
    let refuse = |name: String, why: String| match masked {
        true => Failure("the curve given was not read; without --mask the reason is shown".to_owned()),
        false => Failure(format!("the curve `{name}` was not read: {why}")),
    };
    let mut files = Vec::new();
    for path in paths {
        // A pipe may never end, and no curve is that large.
        let metadata = std::fs::metadata(path).map_err(|e| refuse(shown(path), e.to_string()))?;
        if !metadata.is_file() {
            return Err(refuse(shown(path), "it is no file".to_owned()));
        }
        if metadata.len() > LARGEST_CURVE {
            return Err(refuse(shown(path), format!("it is larger than {} MB", LARGEST_CURVE / 1_000_000)));
        }
        let bytes = std::fs::read(path).map_err(|e| refuse(shown(path), e.to_string()))?;
        files.push((shown(path), bytes));
    }
    if files.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = paths.iter().map(|p| shown(p)).collect();
    spindle_app::curve_of(&files).map(Some).map_err(|why| refuse(names.join("`, `"), why))
}
