//! `spindle collect`: which SQL gathers what the reports leave out?

use crate::output::Failure;
use crate::shell::{Exit, Shell};
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use spindle_app::{CollectDocument, Licence, Order, Release, What};

/// Which SQL gathers what the reports leave out?
///
/// Prints a SQL*Plus script, for 11.2.0.4 to 23ai, that reads and changes nothing. What it writes is
/// read by `spindle place` and, for a history, like any report.
///
/// reports: writes every AWR (or Statspack) report of a period. segments: sizes and attributes of
/// segments, tables, indexes, files. plans: statements with most blocks read, and their plans. cache:
/// blocks in the buffer cache and the flash cache, by object. history: what AWR (or Statspack) kept of
/// each interval. all: everything but reports, in one script; the walk over the buffer cache comes last.
///
/// Each script says what it reads, which privileges and licence that needs, and how long it takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle collect all --no-diagnostics-pack > collect_all.sql
  sqlplus -S system@orcl @collect_all.sql
  spindle collect reports --statspack --days 8 > collect_reports.sql")]
pub(crate) struct Collect {
    /// What to gather.
    #[arg(value_parser = what())]
    what: What,
    /// The database is not licensed for the Diagnostics Pack: read only what needs no licence. Of a
    /// history that leaves the I/O by segment; of reports nothing.
    #[arg(long, conflicts_with = "statspack")]
    no_diagnostics_pack: bool,
    /// Take the history from Statspack, which needs no licence.
    #[arg(long)]
    statspack: bool,
    /// Write the script for this release only [default: one that asks the database].
    #[arg(long, value_parser = release())]
    release: Option<Release>,
    /// Days of history [default: 7 of reports, else 31].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=3660))]
    days: Option<u16>,
    /// Statements to list.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    top: u16,
    /// Look into this pluggable database: the script goes there first.
    #[arg(long, value_name = "NAME")]
    container: Option<String>,
    /// Of all: leave out the walk over the buffer cache, which takes minutes where that is large.
    #[arg(long)]
    no_cache: bool,
    /// Write reports as text instead of HTML.
    #[arg(long)]
    text: bool,
    /// Write one JSON document to standard output.
    #[arg(long)]
    json: bool,
}

fn what() -> impl TypedValueParser<Value = What> {
    PossibleValuesParser::new(What::ALL.map(What::name))
        .try_map(|name| What::named(&name).ok_or("there is no such script"))
}

fn release() -> impl TypedValueParser<Value = Release> {
    PossibleValuesParser::new(Release::ALL.map(Release::name))
        .try_map(|name| Release::named(&name).ok_or("there is no such release"))
}

impl Collect {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let licence = match (self.statspack, self.no_diagnostics_pack) {
            (true, _) => Licence::Statspack,
            (false, true) => Licence::Free,
            (false, false) => Licence::Diagnostics,
        };
        let order = Order {
            what: self.what,
            release: self.release,
            licence,
            days: self.days.unwrap_or_else(|| self.what.usual_days()),
            top: self.top,
            container: self.container,
            text: self.text,
            no_cache: self.no_cache,
        };
        let script = spindle_app::collect_script(&order).map_err(|refused| Failure(refused.to_string()))?;
        if order.needs_pack() {
            shell.note(
                "this script reads views that need the Diagnostics Pack (Enterprise Edition); that they \
                 can be read does not prove that it was bought. Without it: --no-diagnostics-pack or \
                 --statspack",
            );
        }
        let what = order.what.name();
        if self.json {
            shell.print(&CollectDocument { what, script: &script }.to_json())?;
        } else {
            shell.print(&script)?;
        }
        shell.flush()?;
        Ok(Exit::Done)
    }
}
