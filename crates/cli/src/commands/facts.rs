//! `spindle facts`: what exactly was read?

use super::Reading;
use crate::output::{Failure, Omissions};
use crate::shell::{Exit, Shell};
use spindle_app::{CsvFolder, FactsDocument, Part};
use spindle_presentation::terminal;
use std::path::PathBuf;

/// What exactly was read?
///
/// Every table that a report prints, as read: nothing is rounded, ranked or left out. Results of fio, Orion,
/// CALIBRATE_IO, iostat, sar and SLOB, and those of `spindle measure --json`, become rows of io_result.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle facts awrrpt_1_812_813.html --table wait_event --table wait_histogram
  spindle facts sp_4711.lst --sections
  spindle facts reports/ --csv tables/")]
pub(crate) struct Facts {
    #[command(flatten)]
    reading: Reading,
    /// Write one CSV file a table to this folder, each row with the report that it comes from. Text that
    /// a spreadsheet would take for a formula has an apostrophe before it; --json has it as read.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "sections"])]
    csv: Option<PathBuf>,
    /// Let --csv overwrite files that Spindle did not write.
    #[arg(long, requires = "csv", conflicts_with_all = ["json", "sections"])]
    force: bool,
    /// List every section: read, absent, unreadable (why, line) or unknown.
    #[arg(long, conflicts_with = "table")]
    sections: bool,
    /// Only this table; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = table_name)]
    table: Vec<String>,
}

fn table_name(name: &str) -> Result<String, String> {
    let names = spindle_app::table_names();
    if names.iter().any(|known| known == name) {
        Ok(name.to_owned())
    } else {
        Err(format!("there is no such table; there are {}", names.join(", ")))
    }
}

impl Facts {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let request = self.reading.request();
        let part = match (self.sections, self.table.is_empty()) {
            (true, _) => Part::Sections,
            (false, true) => Part::All,
            (false, false) => Part::Tables(self.table),
        };
        let mut omissions = Omissions::default();
        let progress = shell.progress(self.csv.is_none());
        let unread = if let Some(folder) = &self.csv {
            if folder.as_os_str() == "-" {
                return Err(Failure(
                    "the tables go to a folder and not to standard output; name one".to_owned(),
                ));
            }
            let failed =
                |error| Failure(format!("the tables were not written to `{}`: {error}", folder.display()));
            let mut tables = CsvFolder::new(folder, part, self.force).map_err(failed)?;
            let mut written = Ok(());
            let unread = spindle_app::facts(&request, &progress, |fact| {
                omissions.of_fact(&fact);
                written = tables.report(&fact.report);
                written.is_ok()
            });
            written.map_err(failed)?;
            if !omissions.nothing_read() {
                let files = tables.finish().map_err(failed)?;
                shell.note(&format!("{files} tables written to {}", folder.display()));
            }
            unread
        } else if self.reading.json {
            let mut document = FactsDocument::new(shell.out(), part)?;
            let mut written = Ok(());
            let unread = spindle_app::facts(&request, &progress, |fact| {
                omissions.of_fact(&fact);
                written = document.report(&fact);
                written.is_ok()
            });
            let written = written.and_then(|()| document.end(&unread));
            if !shell.unless_closed(written)? {
                return Ok(Exit::Done);
            }
            unread
        } else {
            let look = self.reading.look();
            let mut open = Ok(true);
            let unread = spindle_app::facts(&request, &progress, |fact| {
                let report = &fact.report;
                omissions.of_fact(&fact);
                let text = match &part {
                    Part::Sections => terminal::sections(report, look),
                    Part::All => terminal::facts_tables(report, &[], look),
                    Part::Tables(names) => {
                        let names: Vec<&str> = names.iter().map(String::as_str).collect();
                        terminal::facts_tables(report, &names, look)
                    }
                };
                open = shell.print(&format!("{}\n{text}\n", report.identity.source));
                matches!(open, Ok(true))
            });
            if !open? {
                return Ok(Exit::Done);
            }
            unread
        };
        drop(progress);
        if !shell.flush()? {
            return Ok(Exit::Done);
        }
        Ok(omissions.tell(&unread, shell))
    }
}
