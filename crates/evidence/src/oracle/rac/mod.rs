//! The report of a whole RAC database (`awrgrpt`): one row an instance, `*` or `Sum` for all.
//!
//! Its sections are not those of an instance: what is a row there is often a column here, so most
//! readers turn columns back into rows. A row for all instances has no instance number; rows that
//! are a statistic over instances (`Avg`, `Std`, `Min`, `Max`) are no facts of their own.

mod cluster;
mod identity;
mod io;
mod segments;
mod statements;
mod statistics;
mod time;
mod waits;

use super::context::Context;
use super::sections::{Entry, Read, look_up};
use crate::grid::Grid;
use spindle_facts::Report;

static SECTIONS: &[Entry] = &[
    (&["databasesummary"], identity::read_database),
    (&["databaseinstancesincludedinreport"], identity::read_instances),
    (&["timemodel"], time::read_model),
    (&["timemodel%ofdbtime"], time::read_model_shares),
    (&["foregroundwaitclasses"], time::read_classes),
    (&["foregroundwaitclasses%ofdbtime", "foregroundwaitclasses%oftotaldbtime"], time::read_class_shares),
    (&["osstatisticsbyinstance"], time::read_os),
    (&["toptimedforegroundevents", "foregroundwaiteventsglobal"], waits::read_foreground),
    (&["toptimedbackgroundevents", "backgroundwaiteventsglobal"], waits::read_background),
    (&["toptimedevents"], waits::read_both),
    (&["systemstatistics"], statistics::read_totals),
    (&["systemstatisticspersecond"], statistics::read_per_second),
    (&["systemstatisticspertransaction"], statistics::read_per_transaction),
    (&["systemstatisticsglobal"], statistics::read_global),
    (&["systemstatisticsabsolutevalues"], statistics::read_absolute),
    (&["ioprofileglobal"], io::read_profile),
    (&["iostatbyfunction"], io::read_function),
    (&["iostatbyfiletype"], io::read_filetype),
    (&["iostatbyfunctionpersecond"], io::read_function_per_second),
    (&["iostatbyfiletypepersecond"], io::read_filetype_per_second),
    (&["sqlorderedby*"], statements::read),
    (&["segmentstatisticsglobal"], segments::read),
    (&["cachesizes"], cluster::read_cache_sizes),
    (&["pgaaggregatetargetstatistics"], cluster::read_pga),
    (
        &[
            "sysstatandglobalmessaging*",
            "globalcache*",
            "globallatency*",
            "globalmessaging*",
            "globalcr*",
            "globalcurrent*",
            "dynamicremastering*",
        ],
        cluster::read_cache,
    ),
    (&["clusterinterconnect", "pingstatistics", "interconnect*"], cluster::read_interconnect),
];

pub(crate) use identity::read_instances;

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    look_up(SECTIONS, folded)
}

/// Whom a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Instance(u32),
    All,
}

impl Who {
    fn number(self) -> Option<u32> {
        match self {
            Self::Instance(number) => Some(number),
            Self::All => None,
        }
    }
}

/// Whom a row is of; `None` for a statistic over instances.
fn who(grid: &Grid<'_>, row: usize) -> Option<Who> {
    let Some(column) = grid.column(&["i#", "inst#", "instance#"]) else {
        return Some(Who::All);
    };
    match grid.cell(row, Some(column)) {
        Some("*" | "Sum" | "Total") => Some(Who::All),
        Some(text) => text.parse().ok().map(Who::Instance),
        None => None,
    }
}

/// Heading without its unit in brackets and without blanks: `SQL Exec Ela (s)` is `sqlexecela`.
fn stem(key: &str) -> &str {
    key.strip_suffix('s').filter(|k| UNITLESS.contains(k)).unwrap_or(key)
}

/// Folded headings that carry `(s)` in some sections and not in others.
const UNITLESS: &[&str] = &[
    "dbtime",
    "dbcpu",
    "sqlexecela",
    "parseela",
    "hardparseela",
    "pl/sqlela",
    "javaela",
    "bgtime",
    "bgcpu",
    "useri/o",
    "sysi/o",
    "other",
    "applic",
    "commit",
    "network",
    "concurcy",
    "config",
    "cluster",
    "admin",
    "scheduler",
    "queueing",
];

/// What needs the whole report: one row an event for all, and read requests that cannot be.
pub(crate) fn finish(report: &mut Report) {
    waits::finish(report);
    statistics::finish(report);
    io::finish(report);
}

/// Keeps a table's rows as printed.
fn keep(grid: &Grid<'_>, context: &mut Context<'_>) -> Vec<spindle_facts::PrintedRow> {
    super::printed::rows(grid, context)
}
