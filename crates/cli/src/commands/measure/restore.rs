//! `spindle measure restore`: settings of disks as they were before a measurement that was killed.

use crate::output::Failure;
use crate::shell::{Exit, Shell};
use std::path::{Path, PathBuf};

/// Puts settings of disks back that a killed `measure scan --change-settings` left.
///
/// From the journal that was written before the first change. A measurement that still runs puts its own back.
#[derive(clap::Args)]
#[command(after_help = "Example:
  spindle measure restore")]
pub(crate) struct Restore {
    /// Folder of the journal, as given to the measurement.
    #[arg(long, value_name = "FOLDER", default_value = spindle_app::JOURNALS)]
    journal: PathBuf,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
}

impl Restore {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let restored = spindle_app::restore_settings(&self.journal)
            .map_err(|why| Failure(format!("nothing was put back: {why}")))?;
        if self.json {
            let written = spindle_app::write_put_back(shell.out(), &restored);
            shell.unless_closed(written)?;
        } else if restored.done.is_empty() && restored.failed.is_empty() {
            shell.print("All settings are as they were: there is no journal.\n")?;
        } else {
            let lines: String = restored.done.iter().map(|line| format!("{line}\n")).collect();
            shell.print(&lines)?;
        }
        shell.flush()?;
        for why in &restored.failed {
            shell.warning(why);
        }
        Ok(match (restored.failed.is_empty(), restored.done.is_empty()) {
            (true, _) => Exit::Done,
            (false, false) => Exit::InPart,
            (false, true) => Exit::NothingDone,
        })
    }
}

/// The same, where nobody asked for it and there is mostly nothing to do.
pub(super) fn put_back(journal: &Path, shell: &mut Shell) {
    match spindle_app::restore_settings(journal) {
        Ok(restored) => {
            for line in &restored.done {
                shell.note(line);
            }
            for why in &restored.failed {
                shell.warning(why);
            }
        }
        Err(why) => shell.warning(&format!(
            "whether a measurement that was killed left settings of disks changed cannot be seen: {why}"
        )),
    }
}
