//! `spindle collect reports`: a script that writes every AWR or Statspack report of a period.
//!
//! SQL*Plus has no loop, so the script works in two steps: a query prints, for each pair of
//! neighbouring snapshots, the lines that make one report (`pair`), into a second script; that one is
//! then run.

use super::frame;
use super::order::{Licence, Order, Refused};

/// The second script, which the first one writes.
const SECOND: &str = "spindle_reports_run.sql";

pub(super) fn script(order: &Order) -> Result<String, Refused> {
    if order.licence == Licence::Free {
        return Err(Refused(
            "without the Diagnostics Pack there are no AWR reports. Statspack reports need no licence: \
             `spindle collect reports --statspack`. What the free views keep of each interval (I/O by \
             segment): `spindle collect history --no-diagnostics-pack`"
                .to_owned(),
        ));
    }
    let (head, pairs) = match order.licence {
        Licence::Statspack => (STATSPACK, include_str!("sql/statspack/pairs.sql")),
        _ => (AWR, include_str!("sql/awr/pairs.sql")),
    };
    let pairs = pairs.replace("{days}", &order.days.to_string());
    let lines: Vec<String> = pair(order).iter().map(|line| concatenation(line)).collect();
    let run: Vec<String> = before(order).iter().map(|line| format!("prompt {line}\n")).collect();
    Ok(format!(
        "-- Spindle {version}: collect reports, the last {days} days.\n{head}\n{settings}{nls}\
         whenever sqlerror exit failure rollback\nset transaction read only;\n\
         -- Before anything is written: how many, and how long that takes.\n{count}\
         set termout off\n\
         -- Step 1: one piece of {SECOND} for each interval.\nspool {SECOND} replace\n{run}\
         select {lines} as line\nfrom (\n{pairs}) p\norder by p.dbid, p.instance_number, p.snap_id;\n\
         prompt exit success rollback\nspool off\nrollback;\n\
         -- Step 2: write the reports. To look at the list first, delete the next two lines and run that\n\
         -- script by hand.\nset termout on\n@{SECOND}\n",
        version = env!("CARGO_PKG_VERSION"),
        days = order.days,
        settings = frame::settings(),
        nls = frame::nls(),
        run = run.concat(),
        lines = lines.join("\n  || chr(10) || "),
        count = count(order, &pairs),
    ))
}

/// How many reports will be written, and about how long that takes, in one line on the screen.
fn count(order: &Order, pairs: &str) -> String {
    let time = match order.licence {
        Licence::Statspack => "'a few seconds each'".to_owned(),
        _ => "'5 to 60 s each, so about ' || to_char(ceil(count(*) * 5 / 60), 'TM9') || ' to '\n  || \
              to_char(count(*), 'TM9') || ' minutes, and up to ' || to_char(ceil(count(*) * 1.5), 'TM9') || ' MB'"
            .to_owned(),
    };
    format!(
        "select to_char(count(*), 'TM9') || ' reports of ' || to_char(count(distinct p.instance_number), 'TM9')\n  \
         || ' instances, the last {days} days (option days: others): '\n  || {time} as line\nfrom (\n{pairs}) p;\n\
         prompt Ctrl-C stops it; what is written till then is whole.\n",
        days = order.days,
    )
}

const AWR: &str = "\
-- Run:     NLS_LANG=AMERICAN_AMERICA.AL32UTF8 sqlplus -S USER@DATABASE @collect_reports.sql
-- Writes:  spindle_reports_run.sql, then one file a report (awrrpt_<dbid>_<instance>_<begin>_<end>), in the
--          working folder. In the database it only reads.
-- Reads:   DBA_HIST_SNAPSHOT; then DBMS_WORKLOAD_REPOSITORY for each interval and instance: of one start of
--          the instance, without errors while it was taken, not imported, not taken with the pack off.
-- Needs:   CREATE SESSION, SELECT ANY DICTIONARY (or SELECT_CATALOG_ROLE), EXECUTE ON DBMS_WORKLOAD_REPOSITORY.
-- Licence: the DIAGNOSTICS PACK (Enterprise Edition). Oracle lets anyone do it: that it works, or that
--          control_management_pack_access is set, does not prove that the pack was bought. Ask whoever
--          holds the contract. Without it: --statspack.
-- Time:    5-60 s and 0.5-1.5 MB a report, one after the other; 7 days hourly are 168 reports an instance.
--          How many they are, and how long that takes, it prints before it writes the first.
--          With many PDBs minutes each. Figures from elsewhere, not measured here.
-- RAC:     one report an instance, from whichever instance is connected to.
-- CDB:     run in the root for the whole. In a PDB (12.2+) only snapshots under the DBID of V$DATABASE are
--          listed; reports of snapshots that the PDB took itself are made by awrrpt with AWR_PDB.
-- Contents: SQL, names of hosts, users and modules. Read before sharing.
";

const STATSPACK: &str = "\
-- Run:     as PERFSTAT, on the server or with a client that has ?/rdbms/admin:
--          sqlplus -S PERFSTAT@DATABASE @collect_reports.sql
-- Writes:  spindle_reports_run.sql, then one file a report (sp_<dbid>_<instance>_<begin>_<end>.lst), in the
--          working folder. In the database it only reads.
-- Reads:   STATS$SNAPSHOT; then sprepins.sql, the report of Oracle, for each interval and instance of one
--          start of the instance.
-- Licence: none needed.
-- Time:    seconds a report; how many they are it prints before it writes the first. Figure from elsewhere,
--          not measured here.
-- RAC:     all instances that take snapshots, from any.
-- CDB:     from 12.1 on Statspack is installed in each PDB: connect to that PDB.
-- Doubt:   sprepins asks for dbid, inst_num, begin_snap, end_snap and report_name; they are answered by DEFINE.
--          Should a release ask for more, answer by hand.
-- Contents: SQL, names of hosts, users and modules. Read before sharing.
";

/// What the second script begins with.
fn before(order: &Order) -> &'static [&'static str] {
    match order.licence {
        // What Oracle's own script takes for granted and the first script has changed.
        Licence::Statspack => &[
            "whenever sqlerror continue",
            "set define on",
            "set heading on",
            "set pagesize 60",
            "set newpage 1",
            "set linesize 80",
            "set numwidth 10",
        ],
        // HTML has lines of up to 8000 characters: a shorter line would break inside a tag.
        _ => &["whenever sqlerror continue", "set linesize 8000"],
    }
}

/// What makes one report. `<x>` stands for column `x` of the pair.
pub(super) fn pair(order: &Order) -> Vec<String> {
    let name = "<dbid>_<instance_number>_<before_id>_<snap_id>";
    if order.licence == Licence::Statspack {
        return vec![
            "define dbid = <dbid>".to_owned(),
            "define inst_num = <instance_number>".to_owned(),
            "define num_days = 0".to_owned(),
            "define begin_snap = <before_id>".to_owned(),
            "define end_snap = <snap_id>".to_owned(),
            format!("define report_name = sp_{name}.lst"),
            "@?/rdbms/admin/sprepins".to_owned(),
        ];
    }
    let (function, extension) = if order.text { ("text", "txt") } else { ("html", "html") };
    vec![
        "set termout on".to_owned(),
        format!("prompt awrrpt_{name}.{extension}"),
        "set termout off".to_owned(),
        format!("spool awrrpt_{name}.{extension} replace"),
        format!(
            "select r.output from table(dbms_workload_repository.awr_report_{function}(<dbid>, \
             <instance_number>, <before_id>, <snap_id>)) r;"
        ),
        "spool off".to_owned(),
    ]
}

/// `define dbid = <dbid>` as the SQL that makes it.
fn concatenation(line: &str) -> String {
    let mut parts = Vec::new();
    for piece in line.split('<') {
        let (column, text) = piece.split_once('>').map_or((None, piece), |(c, t)| (Some(c), t));
        parts.extend(column.map(|c| format!("to_char(p.{c}, 'TM9')")));
        if !text.is_empty() {
            parts.push(format!("'{text}'"));
        }
    }
    parts.join(" || ")
}
