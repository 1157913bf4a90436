//! `spindle simulate --validate`: modelled disks held against measured ones.

use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::{ValidatedDrive, ValidationDocument, ValidationOrder};
use std::path::PathBuf;

/// Is the modelled disk believable? Holds it against drives that were measured.
///
/// FOLDER holds drives in the files of DiskSim: NAME.diskspecs, the model and seek curve that it names, and
/// NAME.trace.gz. Each trace is replayed as it was made, and the distributions of response times are compared:
/// rms is the root of the mean square of the distance between them. No number of the model is fitted to a trace.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle simulate --validate drives/
  spindle simulate --validate drives/ --bus-time hp_c2247a=0.1701,0.18686 --json")]
pub(crate) struct Simulate {
    /// Folder of the drives; those in its folder `drives` count, too.
    #[arg(long, value_name = "FOLDER", required = true)]
    validate: PathBuf,
    /// Time of a block on a drive's bus, ms to and from the host, where its files leave it out; may be given
    /// several times [default: as NAME.parv or the folder's Markdown state it].
    #[arg(long, value_name = "DRIVE=READ,WRITE", value_parser = bus_time)]
    bus_time: Vec<(String, f64, f64)>,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
}

impl Simulate {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let order = ValidationOrder { folder: self.validate, bus_times_ms: self.bus_time };
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
