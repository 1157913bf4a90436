//! Exadata sections, kept as printed: cells, flash cache, smart scans.
//!
//! Printed behind the AWR of a database on Exadata (12.1 and later), instance or whole database.
//! Their numbers are of the cells, for all databases that share them, unless the section says
//! otherwise: none of them is added to the database's own accounts.

use super::context::Context;
use super::printed;
use super::sections::{Entry, Read, look_up};
use crate::grid::Grid;

static SECTIONS: &[Entry] = &[
    (
        &[
            "flashcache*",
            "flashlog*",
            "columnarcache*",
            "cachesavings",
            "redowritehistogram",
            "memorycache*",
            "pmemcache*",
            "exadataflash*",
            "pmemlog*",
            "rdma*",
            "xrmem*",
        ],
        read_flash,
    ),
    (
        &[
            "smartio*",
            "smartscan*",
            "exadatasmart*",
            "writeoffload",
            "largereads*",
            "offload*",
            "passthrureasons",
        ],
        read_smart,
    ),
    (
        &[
            "exadata*",
            "asmdiskgroups",
            "iormobjective",
            "i/osummary",
            "celli/osummary",
            "i/opersecond",
            "singleblockreads*",
            "smallreadhistogram*",
            "tempioandlargewrites*",
            "tempspills*",
            "largewrites*",
            "topioreasons*",
            "internalioreasons*",
            "topdatabasesby*",
            "topdatabases*",
            "toppdb*",
            "topconsumergroup*",
            "cancelledios*",
            "databasecancelledios",
            "cellioreasons*",
            "iolatencycapping*",
            "databaseio*",
            "databasesmallio*",
        ],
        read_cell,
    ),
];

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    look_up(SECTIONS, folded)
}

fn read_cell(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    // A rule looks at how busy the devices of the cells are.
    printed::keep_always(grid, context, |tables| &mut tables.exadata_cell)
}

fn read_flash(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    printed::keep(grid, context, |tables| &mut tables.exadata_flash_cache)
}

fn read_smart(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    printed::keep(grid, context, |tables| &mut tables.exadata_smart_scan)
}
