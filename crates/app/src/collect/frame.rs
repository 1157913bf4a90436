//! What stands around the sections of a script: settings of SQL*Plus, the header of the spool file,
//! its last line, and the words for whoever is asked to run it.

use super::catalogue;
use super::order::{Licence, Order, Release, What};
use super::section::{Needs, Section, Shape, escaped, shapes};

/// A whole script.
pub(super) fn script(order: &Order, sections: &[Section]) -> String {
    let what = order.what.name();
    let reads_awr = catalogue::reads_awr(sections);
    let reads_statspack = sections.iter().any(|s| s.needs == Needs::Statspack);
    let licence = match (reads_awr, reads_statspack) {
        (true, _) => "diagnostics",
        (_, true) => "statspack",
        _ => "none",
    };
    let file = order.spool_file();
    let mut out = introduction(order, sections, licence);
    out.push_str(&settings());
    out.push_str(&session(order));
    out.push_str(&format!("prompt Spindle reads the dictionary and writes {file}\n"));
    if order.what == What::All && catalogue::walks_cache(sections) {
        out.push_str(
            "prompt Its last section walks the whole buffer cache: minutes with a large one (option no-cache leaves it out)\n",
        );
    }
    out.push_str(&format!("set termout off\nspool {file} replace\nprompt SPINDLE|1|{what}\n"));
    out.push_str(&header(order, licence));
    out.push('\n');
    for section in sections {
        out.push_str(&section.script(order));
    }
    out.push_str(&format!(
        "prompt Z|{what}\nspool off\nset termout on\nprompt Spindle has written {file}\n\
         exit success rollback\n"
    ));
    out
}

/// What to know before running it.
fn introduction(order: &Order, sections: &[Section], licence: &str) -> String {
    let what = order.what.name();
    let file = order.spool_file();
    let release = order.release.map_or("11.2.0.4 to 23ai", Release::name);
    let names: Vec<&str> = sections.iter().map(|s| s.name).collect();
    let mut lines = vec![
        format!("Spindle {}: collect {what}, for Oracle {release}.", env!("CARGO_PKG_VERSION")),
        format!("Run:     NLS_LANG=AMERICAN_AMERICA.AL32UTF8 sqlplus -S USER@DATABASE @collect_{what}.sql"),
        format!("Writes:  {file} in the working folder, over a file of that name. Nothing else, nowhere:"),
        "         it only reads, in a transaction that is read only.".to_owned(),
    ];
    lines.extend(wrapped("Reads:   ", &names.join(", ")));
    if catalogue::walks_cache(sections) {
        lines.extend(
            [
                "WARNING: the last section, cache, walks every buffer header (V$BH): seconds for 10 GiB of blocks of",
                "         8 KiB, minutes for 500 GiB, and it weighs on the instance. With a cache over 100 GiB ask",
                "         whoever runs the database first. To leave it out:",
            ]
            .map(str::to_owned),
        );
        lines.push(match order.what {
            What::All => {
                "         spindle collect all --no-cache. Broken off there (Ctrl-C), all before it is kept."
                    .to_owned()
            }
            _ => "         do not run this script; spindle collect segments and plans do without.".to_owned(),
        });
    }
    lines.extend(
        [
            "Needs:   CREATE SESSION and SELECT ANY DICTIONARY; or SELECT_CATALOG_ROLE. A section that may not",
            "         be read prints its error and no end line; the others are not touched.",
        ]
        .map(str::to_owned),
    );
    let text: &[&str] = match licence {
        "diagnostics" => &[
            "Licence: some sections read DBA_HIST views, which need the DIAGNOSTICS PACK (Enterprise Edition).",
            "         Oracle lets anyone read them: that it works, or that control_management_pack_access is",
            "         set, does not prove that the pack was bought. Ask whoever holds the contract. Without:",
            "         --no-diagnostics-pack, or --statspack. Each section says its own licence.",
        ],
        "statspack" => &[
            "Licence: none needed. Reads the tables of Statspack: as PERFSTAT, or with SELECT on them, which no",
            "         role carries. From 12.1 on Statspack is installed in each PDB: connect to that PDB.",
        ],
        _ => &["Licence: none needed."],
    };
    lines.extend(text.iter().map(|&l| l.to_owned()));
    lines.extend(
        [
            "Time:    each section says what is usual and prints when it began and ended. Rows are sorted, for a",
            "         long history in the temporary tablespace of whoever runs it. The figures are",
            "         experience from elsewhere, not measured here.",
            "CDB:     connected to the root as a common user with container_data=all it shows every open",
            "         container; connected to a PDB, that PDB only. Redo and control files belong to the root.",
        ]
        .map(str::to_owned),
    );
    if matches!(order.what, What::Plans | What::Cache | What::All) {
        lines.push("RAC:     plans and cached blocks are those of the instance connected to.".to_owned());
    }
    lines.push(
        "Contents: names of schemas, objects, files; plans hold text of SQL. Read before sharing.".to_owned(),
    );
    let mut out: String = lines.iter().map(|l| format!("-- {l}\n")).collect();
    out.push('\n');
    out
}

/// A list over several lines of at most 100 characters.
fn wrapped(label: &str, text: &str) -> Vec<String> {
    let mut lines = vec![label.to_owned()];
    for word in text.split(' ') {
        let full = lines.last().is_some_and(|l| l.len() + word.len() > 98);
        if full {
            lines.push(" ".repeat(label.len()));
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
            line.push(' ');
        }
    }
    lines.iter().map(|l| l.trim_end().to_owned()).collect()
}

/// Everything that a login script may have set and that would change what is printed. `define off`
/// comes first: an ampersand anywhere would ask a question.
pub(super) fn settings() -> String {
    "set define off
set echo off
set feedback off
set heading off
set pagesize 0
set newpage none
set linesize 32767
set trimspool on
set trimout on
set tab off
set wrap on
set recsep off
set numwidth 40
set null ''
set long 2000000
set longchunksize 32767
set serveroutput off
set timing off
set time off
set autotrace off
set autoprint off
set verify off
set showmode off
set sqlnumber off
set sqlprompt ''
set markup html off
set errorlogging off
set arraysize 500
set sqlblanklines on
set sqlterminator ';'
set cmdsep off
set escape off
set concat '.'
whenever oserror exit 9 rollback
whenever sqlerror continue
"
    .to_owned()
}

/// Formats of the session, the container, the transaction that cannot write.
fn session(order: &Order) -> String {
    let mut out = nls();
    if let Some(container) = &order.container {
        // Elsewhere than asked for, the figures would be another database's.
        out.push_str("whenever sqlerror exit failure rollback\n");
        out.push_str(&format!("alter session set container = {container};\n"));
        out.push_str("whenever sqlerror continue\n");
    }
    out.push_str("set transaction read only;\n");
    out
}

/// Territory first: it resets the others.
pub(super) fn nls() -> String {
    "alter session set nls_territory = 'AMERICA';
alter session set nls_language = 'AMERICAN';
alter session set nls_numeric_characters = '.,';
alter session set nls_date_format = 'YYYY-MM-DD HH24:MI:SS';
alter session set nls_sort = 'BINARY';
alter session set nls_comp = 'BINARY';
"
    .to_owned()
}

/// The `H` lines, and the bind variable `shape` that the sections choose their query by.
fn header(order: &Order, licence: &str) -> String {
    let mut out = format!(
        "prompt H|script|spindle {} collect {}\nprompt H|licence|{licence}\n",
        env!("CARGO_PKG_VERSION"),
        order.what.name()
    );
    if matches!(order.what, What::History | What::All)
        || (order.what == What::Plans && order.licence != Licence::Free)
    {
        out.push_str(&format!("prompt H|days|{}\n", order.days));
    }
    let lines = |pairs: &[(&str, String)], from: &str| {
        let values: Vec<String> = pairs.iter().map(|(key, value)| format!("'H|{key}|' || {value}")).collect();
        format!("select {} as line\nfrom {from}", values.join("\n  || chr(10) || "))
    };
    out.push_str(&lines(
        &[
            ("db_name", escaped("d.name")),
            ("db_unique_name", escaped("d.db_unique_name")),
            ("db_id", "to_char(d.dbid, 'TM9')".to_owned()),
            ("platform", escaped("d.platform_name")),
        ],
        "v$database d",
    ));
    out.push_str(";\n");
    out.push_str(&lines(
        &[("host", escaped("i.host_name")), ("instance", "to_char(i.instance_number, 'TM9')".to_owned())],
        "v$instance i",
    ));
    out.push_str(";\n");
    // The full version, with the update level, is known from 18c on.
    let version = |column: &str| lines(&[("version", escaped(&format!("i.{column}")))], "v$instance i");
    match order.release {
        Some(release) if release >= Release::R18 => out.push_str(&format!("{};\n", version("version_full"))),
        Some(_) => out.push_str(&format!("{};\n", version("version"))),
        None => out.push_str(&format!(
            "variable picked refcursor\nbegin\n  if dbms_db_version.version >= 18 then\n    \
             open :picked for q'~{}~';\n  else\n    open :picked for q'~{}~';\n  end if;\nend;\n/\n\
             print picked\n",
            version("version_full"),
            version("version")
        )),
    }
    out.push_str(
        "select 'H|instances|' || to_char(count(*)) as line\nfrom v$thread t\nwhere t.status = 'OPEN';\n",
    );
    out.push_str(
        "select 'H|' || decode(p.name, 'db_block_size', 'block_size', 'pack_access') || '|' || p.value as line\n\
         from v$parameter p\n\
         where p.name in ('db_block_size', 'control_management_pack_access');\n",
    );
    out.push_str(&format!(
        "{};\n",
        lines(
            &[
                ("user", escaped("sys_context('userenv', 'session_user')")),
                ("now_local", "to_char(sysdate, 'YYYY-MM-DD HH24:MI:SS')".to_owned()),
                ("now_utc", "to_char(sys_extract_utc(systimestamp), 'YYYY-MM-DD HH24:MI:SS')".to_owned()),
            ],
            "dual"
        )
    ));
    out.push_str(&shape(order, &lines(
        &[
            (
                "container",
                escaped("decode(sys_context('userenv', 'con_id'), '0', null, sys_context('userenv', 'con_name'))"),
            ),
            ("con_id", "sys_context('userenv', 'con_id')".to_owned()),
        ],
        "dual",
    )));
    out
}

/// Finds out where the script runs, and says so.
fn shape(order: &Order, container: &str) -> String {
    let shapes = shapes(order);
    if shapes == [Shape::Old] {
        return String::new();
    }
    if shapes == [Shape::Inside] {
        return format!("{container};\n");
    }
    // 11.2 knows no con_id: the block asks for it only where the release has it.
    let old = if shapes.contains(&Shape::Old) {
        "  :shape := 'old';
  open :picked for q'~select 'H|container|' as line from dual~';
  if dbms_db_version.version < 12 then
    return;
  end if;
"
    } else {
        ""
    };
    format!(
        "variable shape varchar2(10)\nvariable picked refcursor\nbegin\n{old}  :shape := 'inside';\n  \
         open :picked for q'~{container}~';\n  if sys_context('userenv', 'con_id') = '1' then\n    \
         :shape := 'root';\n  end if;\nend;\n/\nprint picked\n"
    )
}
