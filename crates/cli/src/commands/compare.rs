//! `spindle compare`: what changed between two periods, and does it explain the change of DB time?

use crate::output::{Failure, Page};
use crate::shell::{Exit, Shell};
use spindle_app::{Compared, Request, Sides};
use spindle_diagnosis::comparison::{CompareOptions, Comparison, Per, SideHead};
use spindle_presentation::{html, terminal};
use std::path::PathBuf;

/// What changed between two periods, and does it explain the change of DB time?
///
/// Each side may hold any number of reports of AWR, Statspack and AWR-miner and of collected histories;
/// intervals of one side are added up, and tested against those of the other. A compare-period report alone
/// holds both sides. A list of twelve intervals and more is a series: where did it change, and what else
/// changed there?
///
/// Two results of storage measurements (`spindle measure --json`, fio, Orion, CALIBRATE_IO, iostat, sar,
/// SLOB's awr_info) are compared run by run, where both had the same load.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle compare --before awr_monday.html --after awr_tuesday.html
  spindle compare --before june/ --after july/ --per transaction --html change.html
  spindle compare awrdiff_1_812_813_1_836_837.html
  spindle compare march/ --html changes.html
  spindle compare --before fio_old.json --after fio_new.json --html storage.html")]
pub(crate) struct Compare {
    /// A compare-period report, two reports, the earlier one first, or a series of twelve intervals and more.
    #[arg(value_name = "PATH", conflicts_with_all = ["before", "after"], required_unless_present_any = ["before", "after"])]
    paths: Vec<PathBuf>,
    /// Reports before the change: files, folders (walked), patterns, archives, or - for standard input.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    before: Vec<PathBuf>,
    /// Reports after the change.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    after: Vec<PathBuf>,
    /// What seconds are divided by [default: nothing where the sides are of one length, else time].
    #[arg(long, value_name = "WHAT")]
    per: Option<PerWhat>,
    /// Replace names of databases, hosts, users, objects and files, and the text of SQL, in everything
    /// that is written.
    #[arg(long)]
    mask: bool,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
    /// Columns of the terminal [default: as wide as it is, else COLUMNS, else 80].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..=500))]
    width: Option<u16>,
    /// Also write one self-contained page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// What seconds are divided by.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PerWhat {
    /// A second of elapsed time.
    Time,
    /// A transaction.
    Transaction,
}

impl Compare {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        if self.paths.is_empty() {
            let lacks = match (self.before.is_empty(), self.after.is_empty()) {
                (false, true) => Some(("--after", "after")),
                (true, false) => Some(("--before", "before")),
                _ => None,
            };
            if let Some((option, which)) = lacks {
                return Err(Failure(format!(
                    "nothing was compared: {option} PATH... is missing, the reports {which} the change"
                )));
            }
        }
        let inputs = [self.paths.clone(), self.before.clone(), self.after.clone()].concat();
        let mut request =
            Request { inputs, mask: self.mask, limits: spindle_app::Limits::default(), output: None };
        let page = self.html.map(|path| Page::new(path, &request)).transpose()?;
        request.output = page.as_ref().map(|page| page.path().to_owned());
        let per = match self.per {
            None => Per::Auto,
            Some(PerWhat::Time) => Per::Time,
            Some(PerWhat::Transaction) => Per::Transaction,
        };
        let sides =
            if self.paths.is_empty() { Sides::Two(self.before, self.after) } else { Sides::One(self.paths) };
        let progress = shell.progress(true);
        let (compared, unread) = spindle_app::compare(&request, sides, &CompareOptions { per }, &progress);
        drop(progress);
        for one in &unread {
            shell.warning(&one.said());
        }
        let compared = compared.map_err(|why| Failure(format!("nothing was compared: {why}")))?;
        if matches!(compared, Compared::Results(_)) && self.per.is_some() {
            return Err(Failure(
                "nothing was compared: --per is for reports of databases, and these are results of storage \
                 measurements; leave it out"
                    .to_owned(),
            ));
        }
        if self.json {
            let written = spindle_app::write_compared(shell.out(), &compared);
            if !shell.unless_closed(written)? {
                return Ok(Exit::Done);
            }
        } else {
            let look = Shell::look(self.width.map(usize::from));
            let text = match &compared {
                Compared::Two(comparison) => terminal::compare(comparison, look),
                Compared::Series(trend) => terminal::trend(trend, look),
                Compared::Results(comparison) => terminal::compare_results(comparison, look),
            };
            shell.print(&text)?;
        }
        shell.flush()?;
        if let Some(page) = page {
            let text = match &compared {
                Compared::Two(comparison) => html::compare(comparison),
                Compared::Series(trend) => html::trend(trend),
                Compared::Results(comparison) => html::compare_results(comparison),
            };
            page.write(&text)?;
            shell.note(&format!("page written to {}", page.path().display()));
        }
        let unanswered = match &compared {
            Compared::Two(comparison) => why_unanswered(comparison),
            Compared::Series(_) => None,
            Compared::Results(comparison) => {
                comparison.warnings.iter().for_each(|warning| shell.warning(warning));
                None
            }
        };
        if let Some(why) = unanswered {
            shell.warning(&format!("by how much DB time changed is not answered: {why}"));
        }
        let answered = unanswered.is_none();
        Ok(if unread.is_empty() && answered { Exit::Done } else { Exit::InPart })
    }
}

/// What lacks for the change of DB time, and what to give.
fn why_unanswered(comparison: &Comparison) -> Option<&'static str> {
    // One report on both sides is no question.
    if comparison.db_time_delta_s.is_some() || comparison.answer.starts_with("Nothing changed") {
        return None;
    }
    let printed = |side: &SideHead| side.identity.db_time_s.is_some();
    Some(if printed(&comparison.before) && printed(&comparison.after) {
        "how long a side was is not printed. Give whole reports, or excerpts with their heads."
    } else {
        "the reports of at least one side do not print it. Give AWR reports, or Statspack from 10.1 on."
    })
}
