//! Parameters.
//!
//! Printed as `init.ora Parameters` and `init.ora Multi-Valued Parameters` (up to 18c), `Modified
//! Parameters` and `Modified Multi-Valued Parameters` (19c), `Parameters modified by this container`,
//! `Parameters modified by other containers` and their multi-valued kin (19c, container database). Columns: name,
//! begin value, end value where it differs, container. Traps: a parameter with several values has one row each, the
//! name blank or repeated; text clips values (AWR) or wraps them (Statspack); a parameter that is not listed is at
//! its default; values of other pluggable databases are not this one's, but those of the root hold here, too.

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{Parameter, SmolStr};

pub(crate) const TITLES: &[&str] = &[
    "initoraparameters",
    "initoramultivaluedparameters",
    "modifiedparameters",
    "modifiedmultivaluedparameters",
    "parametersmodifiedbythiscontainer",
    "multivaluedparametersmodifiedbythiscontainer",
    "parametersmodifiedbyothercontainers",
    "multivaluedparametersmodifiedbyothercontainers",
];

/// The container whose values hold in every other one that sets none of its own.
const ROOT: &str = "CDB$ROOT";

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["parametername", "parameter", "name"]);
    let begin = grid.column(&["beginvalue"]);
    let end = grid.column_starting(&["endvalue"]);
    let container = grid.column(&["pdbname", "containername"]);
    if begin.is_none() {
        return 0;
    }
    let several = context.title.contains("multivalued");
    // The root has no line with the name of a pluggable database below its values.
    let unnamed = context.title.ends_with("othercontainers").then(|| SmolStr::new_static(ROOT));
    let mut rows = 0;
    context.tables().parameter.reserve(grid.len());
    let mut current: Option<(SmolStr, u32)> = None;
    for row in 0..grid.len() {
        // A line of a wrapped value is no parameter.
        let of_value = |b: u8| matches!(b, b'/' | b'\\' | b'(' | b'+' | b' ' | b'=' | b'"');
        if grid.cell(row, name).is_some_and(|n| n.bytes().any(of_value)) {
            current = None;
            continue;
        }
        let begin_value = context.name(grid, row, begin);
        let end_value = context.name(grid, row, end);
        current = match (context.name(grid, row, name), current) {
            (Some(n), Some((last, ordinal))) if several && n == last => Some((last, ordinal + 1)),
            (Some(n), _) => Some((n, 1)),
            (None, Some((last, ordinal))) => Some((last, ordinal + 1)),
            (None, None) => None,
        };
        let Some((name, ordinal)) = &current else {
            continue;
        };
        let line = Parameter {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            name: name.clone(),
            begin_value,
            end_value,
            ordinal: (several || *ordinal > 1).then_some(*ordinal),
            container: context.name(grid, row, container).or_else(|| unnamed.clone()),
        };
        context.tables().parameter.push(line);
        rows += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("init.ora Parameters  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20                                                               End value\n\
             Parameter Name                Begin value                       (if different)\n\
             ----------------------------- --------------------------------- --------------\n";
    const NORMAL: &str = "db_block_size                 8192\n";
    const WIDE: &str = "control_files                 +DATA/TILL/control01.ctl, +RECO/T\n\
                                      \x20                             ILL/control02.ctl\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.parameter.as_slice() else { panic!("{:?}", report.tables.parameter) };
        assert_eq!((row.name.as_str(), row.begin_value.as_deref()), ("db_block_size", Some("8192")));
        assert_eq!((row.end_value.as_deref(), row.ordinal), (None, None));
    }

    #[test]
    fn a_value_wider_than_its_column_goes_on_below() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.parameter.as_slice() else { panic!("{:?}", report.tables.parameter) };
        let whole = "+DATA/TILL/control01.ctl, +RECO/TILL/control02.ctl";
        assert_eq!((row.name.as_str(), row.begin_value.as_deref()), ("control_files", Some(whole)));
    }

    /// A parameter that is set in the root counted as one at its default in the reports of pluggable databases.
    #[test]
    fn values_of_the_root_stand_among_those_of_other_containers() {
        let own = "Parameters modified by this container      DB/Inst: TILL/till  Snaps: 10-11\n\n";
        let others = "Parameters modified by other containers    DB/Inst: TILL/till  Snaps: 10-11\n\n";
        let report = section(
            "19.0.0.0.0",
            &format!(
                "{own}{HEADING}open_cursors                  900\n   PDB: SHOP1\n\n\
                 {others}{HEADING}filesystemio_options          setall\n\
                 open_cursors                  300\n   PDB: SHOP2\n"
            ),
        );
        let read: Vec<_> = (report.tables.parameter.iter())
            .map(|p| (p.name.as_str(), p.begin_value.as_deref(), p.container.as_deref()))
            .collect();
        let of = |name, value, container| (name, Some(value), Some(container));
        assert_eq!(
            read,
            [
                of("open_cursors", "900", "SHOP1"),
                of("filesystemio_options", "setall", "CDB$ROOT"),
                of("open_cursors", "300", "SHOP2"),
            ]
        );
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("Begin value", "First value"));
        assert!(report.tables.parameter.is_empty(), "{:?}", report.tables.parameter);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
