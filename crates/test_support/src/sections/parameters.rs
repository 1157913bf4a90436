//! Initialisation parameters.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Parameter, Report};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let row = |p: &Parameter| {
        Row::new(vec![
            if p.ordinal.is_some_and(|o| o > 1) { Cell::Blank } else { Cell::name(p.name.clone()) },
            Cell::opt(p.begin_value.as_deref()),
            Cell::opt(p.end_value.as_deref()),
        ])
    };
    let all = &report.tables.parameter;
    let ruled = "                                                                End value\n\
                 Parameter Name                Begin value                       (if different)\n\
                 ----------------------------- --------------------------------- --------------";
    let modified = style.release >= Release::V19;
    let mut out = vec![
        Block {
            title: if modified { "Modified Parameters".into() } else { "init.ora Parameters".into() },
            summary: if modified {
                "This table displays name and value of the modified initialization parameters"
            } else {
                "This table displays name and value of init.ora parameters"
            },
            ruled,
            columns: &["Parameter Name", "Begin value", "End value (if different)"],
            rows: all.iter().filter(|p| p.ordinal.is_none()).map(row).collect(),
            new_page: true,
            ..Block::default()
        },
        Block {
            title: if modified {
                "Modified Multi-Valued Parameters".into()
            } else {
                "init.ora Multi-Valued Parameters".into()
            },
            summary: if modified {
                "This table displays name and value of multi-valued parameters"
            } else {
                "This table displays name and value of multi-valued init.ora parameters"
            },
            notes: vec![
                "-> This section only displays parameters that have more one value".into(),
                "->'(NULL)' indicates a missing parameter value".into(),
                "-> A blank in the End Snapshot indicates the same value as the BeginSnapshot".into(),
            ],
            ruled,
            columns: &["Parameter Name", "Begin value", "End value (if different)"],
            rows: all.iter().filter(|p| p.ordinal.is_some()).map(row).collect(),
            new_page: true,
            ..Block::default()
        },
    ];
    if style.release < Release::V11_2_0_3 {
        out.pop();
    }
    out
}
