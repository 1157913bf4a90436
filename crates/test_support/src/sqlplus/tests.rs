//! The reader refuses what Oracle would.
#![allow(clippy::unwrap_used)]

use super::check_move_script;

fn block(body: &str) -> String {
    format!(
        "variable ts1 varchar2(128)\ndeclare\n  c_name constant varchar2(128) := 'T';\n  l_text varchar2(99);\nbegin\n  {body}\nend;\n/\n"
    )
}

#[test]
fn what_is_well_formed_passes() {
    let script = block(
        "for i in (select owner, index_name from dba_indexes where table_name = c_name) loop\n\
         execute immediate 'alter index \"' || i.owner || '\".\"' || i.index_name || '\" rebuild tablespace \"' || :ts1 || '\"';\n\
         end loop;",
    );
    let found = check_move_script(&script).unwrap();
    assert_eq!(found.queries, 1);
    assert!(found.shapes.iter().any(|s| s.starts_with("alter index")), "{found:?}");
    assert!(found.quoted.contains(super::run::HOSTILE), "{found:?}");
}

#[test]
fn what_is_malformed_does_not_pass() {
    for (body, why) in [
        ("execute immediate 'alter index \"' || c_name || ' rebuild';", "a name has no end"),
        ("execute immediate 'alter index \"A\".\"B\" rebuld';", "no known statement"),
        ("execute immediate 'alter database move datafile 1 to ''' || :ts1 || '''';", ""),
        ("execute immediate 'drop table \"A\".\"B\"';", "no known statement"),
        ("l_text := 'open;", "has no end"),
        ("l_text := nowhere;", "nowhere is not declared"),
        ("l_text := c_name", "`;` is missing"),
        ("if c_name = 'T' then null; end;", "`if` is missing"),
        ("null; end loop;", ""),
        ("select tablespace_name into l_text from dba_tables where owner = = c_name;", ""),
        ("select tablespace_name, owner into l_text from dba_tables where owner = c_name;", "as many"),
        (
            "select tablespace_name into l_text from dba_tables where owner = l_gone;",
            "l_gone is not declared",
        ),
        ("for i in (select owner from dba_users) loop l_text := i.name; end loop;", "name is not selected"),
        ("l_text := :ts2;", ":ts2 is not declared"),
        ("/* left open", "a comment"),
    ] {
        let refused = check_move_script(&block(body)).expect_err(body);
        assert!(refused.contains(why), "{body}: {refused}");
    }
    for script in [
        "prompt goes on -\n",
        "drop table t;\n",
        "set define on\nprompt a & b\n",
        "alter session set container = \"A\n",
        "alter session set container = \"A\"\n",
        "declare\nbegin null; end;\n",
        "define X = \n",
        "host rm\n",
    ] {
        assert!(check_move_script(script).is_err(), "{script}");
    }
}
