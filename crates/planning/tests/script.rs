//! The move scripts, as SQL*Plus would cut them into commands.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use spindle_facts::{
    Collected, CollectedFile, CollectedIndex, CollectedLob, CollectedSegment, CollectedTable, RedoGroup,
};
use spindle_planning::{
    Candidate, CandidateKind, DbTime, Measured, Plan, Range, Script, ScriptRequest, Tier, script,
};
use spindle_test_support::{MoveScript, check_move_script};

fn candidate(kind: CandidateKind, owner: &str, name: &str, partition: Option<&str>) -> Candidate {
    let mut object = if owner.is_empty() { format!("tablespace {name}") } else { format!("{owner}.{name}") };
    if let Some(p) = partition {
        object = format!("{object}.{p}");
    }
    Candidate {
        object,
        kind,
        owner: (!owner.is_empty()).then(|| owner.to_owned()),
        name: name.to_owned(),
        partition: partition.map(str::to_owned),
        tablespace: Some("USERS".to_owned()),
        container: None,
        members: Vec::new(),
        partitions: vec![],
        size_bytes: Some(1e9),
        size_from: None,
        read_blocks: None,
        read_requests: None,
        write_blocks: None,
        reread_times: None,
        io_share_pct: None,
        waits_s: Range::ZERO,
        waits_by_component: Vec::new(),
        saves_s: Some(Range { low: 80.0, mid: 120.0, high: 150.0 }),
        tier: Some("fast".to_owned()),
        moves_with: None,
        why: String::new(),
        excluded_because: None,
        price_per_s: None,
        sources: Vec::new(),
    }
}

fn plan(version: &str, candidates: Vec<Candidate>) -> Plan {
    Plan {
        answer: String::new(),
        measured: Measured {
            db_name: Some("SHOP".to_owned()),
            version: Some(version.to_owned()),
            ..Measured::default()
        },
        tiers: vec![Tier {
            name: "fast".to_owned(),
            capacity_bytes: 1e12,
            read_latency_us: 200.0,
            write_latency_us: 200.0,
            mbps: None,
            iops_cap: None,
            price: None,
            endurance_bytes: None,
            profile: None,
        }],
        chosen: candidates.iter().map(|c| c.object.clone()).collect(),
        candidates,
        tier_use: Vec::new(),
        frontier: Vec::new(),
        knee: None,
        next_100_gb: None,
        db_time_s: DbTime { now: 1000.0, ..DbTime::default() },
        saves_s: Range::ZERO,
        response_time: Vec::new(),
        relief_s: None,
        relief_range_s: None,
        relief_because: String::new(),
        statements: Vec::new(),
        alternatives: Vec::new(),
        unseen_io_pct: None,
        unseen: String::new(),
        plan_volumes: Vec::new(),
        surer: None,
        loses_s: None,
        all_reads_s: 0.0,
        all_reads_uncapped_s: 0.0,
        warnings: Vec::new(),
        script: None,
    }
}

/// Cuts a script as SQL*Plus does: a PL/SQL block ends at a line that is a slash, everything else at the
/// end of its line. Checks that quotes close inside each line of a block.
fn commands(script: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut block: Option<String> = None;
    for line in script.lines() {
        match &mut block {
            Some(text) if line.trim() == "/" => {
                out.push(std::mem::take(text));
                block = None;
            }
            Some(text) => {
                assert_ne!(line.trim(), ".", "a lone dot ends a block");
                text.push_str(line);
                text.push('\n');
            }
            None if line == "declare" => block = Some(format!("{line}\n")),
            None if line.starts_with("begin") => block = Some(format!("{line}\n")),
            None if line.trim().is_empty() => {}
            None => {
                let first = line.split_whitespace().next().unwrap();
                assert!(
                    ["--", "set", "whenever", "variable", "define", "spool", "prompt", "alter"]
                        .contains(&first),
                    "SQL*Plus does not know {line}"
                );
                assert!(!line.ends_with('-'), "continued: {line}");
                assert_eq!(first == "alter", line.ends_with(';'), "{line}");
                out.push(line.to_owned());
            }
        }
    }
    assert!(block.is_none(), "a block has no end");
    for command in out.iter().filter(|c| c.starts_with("declare") || c.starts_with("begin")) {
        for line in command.lines() {
            let code = if line.trim_start().starts_with("--") { "" } else { line };
            assert_eq!(code.matches('\'').count() % 2, 0, "a quote stays open: {line}");
        }
        assert!(!command.contains('@'), "a place was not filled: {command}");
        nests(command);
    }
    out
}

/// Every BEGIN, IF, LOOP, CASE and parenthesis of a block is closed by its own end.
fn nests(block: &str) {
    let mut words: Vec<String> = vec![];
    for line in block.lines() {
        // Without strings, then without a comment: quotes are known to close on their line.
        let code: String = line.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
        let code = code.split("--").next().unwrap().to_lowercase();
        let spaced: String = code
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || c == '_' || c == '#' || c == '$' {
                    c.to_string()
                } else {
                    format!(" {c} ")
                }
            })
            .collect();
        words.extend(spaced.split_whitespace().map(str::to_owned));
    }
    let mut open: Vec<&str> = vec![];
    let mut n = 0;
    while n < words.len() {
        match words[n].as_str() {
            "begin" | "if" | "loop" | "case" | "(" => open.push(&words[n]),
            ")" => assert_eq!(open.pop(), Some("("), "{block}"),
            "end" => {
                let top = open.pop().unwrap_or_else(|| panic!("an end too many: {block}"));
                let next = words.get(n + 1).map_or("", String::as_str);
                if ["if", "loop"].contains(&next) {
                    assert_eq!(top, next, "{block}");
                    n += 1;
                } else {
                    assert!(["begin", "case"].contains(&top), "{top} {block}");
                }
            }
            _ => {}
        }
        n += 1;
    }
    assert!(open.is_empty(), "{open:?} stay open: {block}");
}

fn passes(script: &Script) -> (MoveScript, MoveScript) {
    let check = |text: &str| check_move_script(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    (check(&script.forward), check(&script.back))
}

/// Both scripts, cut into commands; they have to pass the strict reader.
fn both(plan: &Plan, collected: &[&Collected]) -> (Vec<String>, Vec<String>) {
    let script = script(plan, collected, &ScriptRequest::default());
    passes(&script);
    (commands(&script.forward), commands(&script.back))
}

#[test]
fn every_object_is_moved_or_refused_once_and_moved_back() {
    use CandidateKind as K;
    let candidates = vec![
        candidate(K::Table, "SALES", "ORDERS", None),
        candidate(K::TablePartition, "SALES", "LINES", Some("P1")),
        candidate(K::Index, "SALES", "ORDERS_PK", None),
        candidate(K::IndexPartition, "SALES", "LINES_I", Some("P1")),
        candidate(K::Lob, "SALES", "SYS_LOB0000012345C00003$$", None),
        candidate(K::Cluster, "SALES", "CL", None),
        candidate(K::Undo, "", "UNDOTBS1", None),
        candidate(K::Temp, "", "TEMP", None),
        candidate(K::Table, "SYS", "AUD$", None),
    ];
    for version in ["11.2.0.4.0", "12.1.0.2.0", "12.2.0.1.0", "19.0.0.0.0", "23.0.0.0.0"] {
        let plan = plan(version, candidates.clone());
        let (forward, back) = both(&plan, &[]);
        for c in &candidates {
            for script in [&forward, &back] {
                let titles = script
                    .iter()
                    .filter(|l| l.starts_with("prompt [") && l.contains(&format!("{} (", c.object)));
                assert_eq!(titles.count(), 1, "{version} {}", c.object);
            }
        }
        for name in ["'ORDERS'", "'LINES'", "'ORDERS_PK'", "'LINES_I'", "'SYS_LOB0000012345C00003$$'"] {
            for script in [&forward, &back] {
                let named = script.iter().filter(|c| c.contains(&format!(":= {name};"))).count();
                assert_eq!(named, 1, "{version} {name}");
            }
        }
        assert!(!forward.iter().any(|c| c.contains("'AUD$'")));
        // Back goes to where it was.
        assert!(
            back.iter().filter(|c| c.contains("c_target constant varchar2(128) := 'USERS'")).count() >= 5
        );
    }
}

#[test]
fn tables_move_online_as_of_12_2_and_partitions_as_of_12_1() {
    let candidates = vec![
        candidate(CandidateKind::Table, "S", "T", None),
        candidate(CandidateKind::TablePartition, "S", "T2", Some("P")),
    ];
    for (version, table, partition) in [
        ("11.2.0.4.0", false, false),
        ("12.1.0.2.0", false, true),
        ("12.2.0.1.0", true, true),
        ("19.0", true, true),
    ] {
        let text = script(&plan(version, candidates.clone()), &[], &ScriptRequest::default()).forward;
        assert_eq!(text.contains("' move online tablespace \"'"), table, "{version}");
        assert_eq!(text.contains("update indexes online'"), partition, "{version}");
        assert!(text.contains("update indexes"));
    }
}

#[test]
fn checks_come_first_and_steps_keep_the_order_of_the_plan() {
    use CandidateKind as K;
    let mut rest = candidate(K::RestOfTablespace, "", "DATA", None);
    rest.tablespace = Some("DATA".to_owned());
    let plan = plan(
        "19.0.0.0.0",
        vec![
            candidate(K::Redo, "", "redo logs", None),
            candidate(K::Table, "S", "T", None),
            candidate(K::Index, "S", "I", None),
            rest,
        ],
    );
    let text = script(&plan, &[], &ScriptRequest::default()).forward;
    commands(&text);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is missing"));
    let order = [
        at("set define off\n"),
        at("whenever sqlerror exit"),
        at("prompt [checks]"),
        at("prompt [space on tier fast]"),
        at("add logfile thread"),
        at("c_name   constant varchar2(128) := 'T'"),
        at("c_name   constant varchar2(128) := 'I'"),
        at("alter database move datafile"),
    ];
    assert!(order.is_sorted(), "{order:?}");
    assert!(text.contains("c_needed constant number := 2000000000;"));
}

#[test]
fn objects_of_a_tablespace_that_moves_whole_go_along() {
    use CandidateKind as K;
    let mut rest = candidate(K::RestOfTablespace, "", "USERS", None);
    rest.object = "rest of tablespace USERS".to_owned();
    let plan = plan("19.0.0.0.0", vec![candidate(K::Table, "S", "T", None), rest]);
    let files = Collected {
        files: vec![CollectedFile {
            file_id: Some(7),
            tablespace: "USERS".to_owned(),
            file: "+DATA/SHOP/DATAFILE/users.265.1234".to_owned(),
            ..CollectedFile::default()
        }],
        ..Collected::default()
    };
    let script = script(&plan, &[&files], &ScriptRequest::default());
    commands(&script.forward);
    commands(&script.back);
    assert!(script.forward.contains("goes along with the data files"));
    assert!(script.forward.contains("c_tablespace constant varchar2(128) := 'USERS'"));
    assert!(
        script.back.contains("move datafile 7 to ''' || replace(c_to, ")
            && script.back.contains(":= '+DATA';")
    );
}

#[test]
fn files_do_not_move_online_before_12_1() {
    let plan = plan("11.2.0.4.0", vec![candidate(CandidateKind::Tablespace, "", "DATA", None)]);
    let (forward, _) = both(&plan, &[]);
    assert!(forward.iter().any(|c| c.starts_with("-- Not scripted: 11.2 moves no data file online")));
    assert!(!forward.iter().any(|c| c.contains("alter database move datafile")));
}

#[test]
fn what_the_lists_say_against_a_move_is_believed() {
    let table = CollectedTable {
        owner: "S".to_owned(),
        table: "T".to_owned(),
        has_long: Some(true),
        ..CollectedTable::default()
    };
    let collected = Collected { tables: vec![table], ..Collected::default() };
    let plan = plan("19.0.0.0.0", vec![candidate(CandidateKind::Table, "S", "T", None)]);
    let (forward, back) = both(&plan, &[&collected]);
    assert!(forward.iter().any(|c| c.starts_with("-- Not scripted: it has a LONG column")));
    assert!(!forward.iter().chain(&back).any(|c| c.contains(":= 'T'")));
}

fn redo(members: &[&str]) -> Collected {
    let members = members.iter().map(|m| (*m).to_owned()).collect();
    let group = RedoGroup { group: 1, members, ..RedoGroup::default() };
    Collected { redo_groups: vec![group], ..Collected::default() }
}

#[test]
fn the_way_back_of_redo_was_left_to_a_person() {
    let plan = plan("19.0.0.0.0", vec![candidate(CandidateKind::Redo, "", "redo logs", None)]);
    for (members, places) in [
        (&["/u01/redo/a.log", "/u01/redo/b.log"][..], &["'/u01/redo'", "'/u01/redo'"][..]),
        (&["/u01/a.log", "/u02/b.log"], &["'/u01'", "'/u02'"]),
        (&["+DATA/X/ONLINELOG/a", "+FRA/X/ONLINELOG/b"], &["'+DATA'", "'+FRA'"]),
        (&[], &[":redo_place1", ":redo_place2"]),
    ] {
        let script = script(&plan, &[&redo(members)], &ScriptRequest::default());
        let (_, back) = passes(&script);
        for place in places {
            assert!(script.back.contains(&format!("l_to(l_to.count + 1) := {place};")), "{}", script.back);
        }
        for shape in ["add logfile", "drop logfile group", "archive log current", "checkpoint global"] {
            assert!(back.shapes.iter().any(|s| s.contains(shape)), "{shape}: {:?}", back.shapes);
        }
        assert_eq!(script.back.contains("define REDO_PLACE1 = FILL_IN"), members.is_empty());
    }
}

#[test]
fn old_redo_groups_went_before_room_was_looked_for_and_new_ones_were_there() {
    let plan = plan("19.0.0.0.0", vec![candidate(CandidateKind::Redo, "", "redo logs", None)]);
    let script = script(&plan, &[], &ScriptRequest::default());
    passes(&script);
    for text in [&script.forward, &script.back] {
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is missing"));
        let order = [
            at("if l_today > l_to.count"),
            at("if l_room < l_need(l_group)"),
            at("'alter database add logfile thread '"),
            at("'alter system archive log current'"),
            at("'alter system checkpoint global'"),
            at("where status in ('INACTIVE', 'UNUSED')"),
            at("'alter database drop logfile group '"),
        ];
        assert!(order.is_sorted(), "{order:?}");
    }
}

#[test]
fn all_redo_members_went_to_one_place() {
    let plan = plan("19.0.0.0.0", vec![candidate(CandidateKind::Redo, "", "redo logs", None)]);
    let places = |places: &[&str]| ScriptRequest {
        destinations: places.iter().map(|p| ("fast".to_owned(), (*p).to_owned())).collect(),
        ..ScriptRequest::default()
    };
    let collected = redo(&["/u01/a.log", "/u02/b.log"]);
    let two = script(&plan, &[&collected], &places(&["+FAST1", "+FAST2"]));
    passes(&two);
    assert!(two.forward.contains("l_to(l_to.count + 1) := :dest1;\n"));
    assert!(two.forward.contains("l_to(l_to.count + 1) := :dest1_2;\n"));
    assert!(two.forward.contains("begin :dest1_2 := '+FAST2'; end;"));
    // One place: it says where they lie today, and stops unless told.
    let one = script(&plan, &[&collected], &places(&["+FAST1"]));
    assert!(one.forward.contains("in several places today: /u01, /u02."), "{}", one.forward);
    assert!(one.forward.contains("begin :redo_fewer_places := 'NO'; end;"));
}

fn lob(column: &str, segment: &str) -> Collected {
    Collected {
        lobs: vec![CollectedLob {
            owner: "S".to_owned(),
            table: "T".to_owned(),
            column: column.to_owned(),
            segment: segment.to_owned(),
            tablespace: Some("USERS".to_owned()),
            ..CollectedLob::default()
        }],
        segments: vec![CollectedSegment {
            owner: Some("S".to_owned()),
            segment: segment.to_owned(),
            bytes: Some(3.0 * 1_048_576.0),
            ..CollectedSegment::default()
        }],
        ..Collected::default()
    }
}

#[test]
fn lobs_of_a_moved_table_stayed_behind_in_silence() {
    let table = candidate(CandidateKind::Table, "S", "T", None);
    let collected = lob("BODY;", "SYS_LOB1$$");
    let segment = candidate(CandidateKind::Lob, "S", "SYS_LOB1$$", None);
    for version in ["11.2.0.4.0", "12.1.0.2.0", "19.0.0.0.0"] {
        let alone = script(&plan(version, vec![table.clone()]), &[&collected], &ScriptRequest::default());
        let (forward, _) = passes(&alone);
        let said = "its LOB columns stay where they are: BODY, (3 MB in USERS)";
        assert!(forward.prompts.iter().any(|p| p.contains(said)), "{version} {:?}", forward.prompts);
        assert!(!alone.forward.contains("l_lob_to('SYS_LOB1$$') :="));
        let both = vec![table.clone(), segment.clone()];
        let both = script(&plan(version, both), &[&collected], &ScriptRequest::default());
        let (forward, _) = passes(&both);
        assert!(!forward.prompts.iter().any(|p| p.contains("STAYS")), "{:?}", forward.prompts);
        // Offline the table takes its LOB along in the same statement; online it may not.
        let along = both.forward.contains("l_lob_to('SYS_LOB1$$') := :ts1;");
        assert_eq!(along, version < "12.2", "{version}");
        assert!(forward.shapes.iter().any(|s| s.contains("lob ( N ) store as")));
    }
}

#[test]
fn an_index_was_built_where_it_was_and_again_on_the_tier() {
    let index = CollectedIndex {
        owner: "S".to_owned(),
        index: "I".to_owned(),
        table_owner: Some("S".to_owned()),
        table: Some("T".to_owned()),
        ..CollectedIndex::default()
    };
    let collected = Collected { indexes: vec![index], ..Collected::default() };
    let chosen = vec![
        candidate(CandidateKind::Index, "S", "I", None),
        candidate(CandidateKind::Table, "S", "T", None),
        candidate(CandidateKind::Index, "S", "J", None),
    ];
    let text = script(&plan("12.1.0.2.0", chosen), &[&collected], &ScriptRequest::default()).forward;
    assert!(text.contains("l_index_to('S.I') := :ts1;") && !text.contains("'S.J'"));
}

#[test]
fn indexes_became_unusable_without_a_word() {
    let chosen = vec![
        candidate(CandidateKind::Table, "S", "T", None),
        candidate(CandidateKind::TableWithIndexes, "S", "U", None),
        candidate(CandidateKind::Lob, "S", "L", None),
    ];
    for (version, offline) in [("11.2.0.4.0", 3), ("12.1.0.2.0", 3), ("12.2.0.1.0", 1), ("19.0.0.0.0", 1)] {
        let script = script(&plan(version, chosen.clone()), &[], &ScriptRequest::default());
        let (forward, _) = passes(&script);
        let said = forward.prompts.iter().filter(|p| p.contains("UNUSABLE") && p.starts_with("!!!")).count();
        assert_eq!(said, offline, "{version} {:?}", forward.prompts);
        assert!(script.forward.contains(&format!("!!! {offline} of the 3 steps are OFFLINE")));
        // Each table looks for room before its MOVE and rebuilds after it, before the next one begins.
        for block in
            script.forward.split("\ndeclare\n").filter(|b| b.contains("' move @") || b.contains("' move "))
        {
            let at = |what: &str| block.find(what).unwrap_or_else(|| panic!("{what} is missing: {block}"));
            let last = |what: &str| block.rfind(what).unwrap_or_else(|| panic!("{what} is missing: {block}"));
            assert!(at("raise_application_error(-20005") < at("l_moved := true;"));
            assert!(at("l_moved := true;") < at("' move "));
            assert!(last("' move ") < at("rebuild(i.owner"));
            assert!(last("rebuild(i.owner") < last("tell_unusable("));
        }
    }
}

#[test]
fn statistics_were_said_to_stay() {
    for version in ["11.2.0.4.0", "12.1.0.2.0", "19.0.0.0.0"] {
        let plan = plan(version, vec![candidate(CandidateKind::Table, "S", "T", None)]);
        let text = script(&plan, &[], &ScriptRequest::default()).forward;
        assert!(text.contains("Statistics of tables stay. An index that is rebuilt gets new"), "{text}");
        assert_eq!(
            text.contains("indexes stay usable; whether those keep their statistics"),
            version >= "12.2"
        );
        assert!(text.contains("Serial and logged, on purpose."));
    }
}

#[test]
fn tablespaces_are_defined_at_the_top_unless_given() {
    let plan = plan("19.0.0.0.0", vec![candidate(CandidateKind::Table, "S", "T", None)]);
    let asked = script(&plan, &[], &ScriptRequest::default()).forward;
    assert!(asked.contains("define FAST_TS = FAST_TS\nset define on\n"));
    let request =
        ScriptRequest { tablespaces: vec![("fast".into(), "A&B".into())], ..ScriptRequest::default() };
    let given = script(&plan, &[], &request).forward;
    assert!(!given.contains("define on") && given.contains("begin :ts1 := 'A&B'; end;"));
}

/// A temporary tablespace of one big file became a small one, which stops at 4,194,303 blocks, could not grow, and a
/// second run made a third of it the default.
#[test]
fn temp_was_made_anew_without_what_it_was() {
    let candidates = vec![candidate(CandidateKind::Temp, "", "TEMP", None)];
    let text = script(&plan("19.0.0.0.0", candidates), &[], &ScriptRequest::default()).forward;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("select max(bigfile) into l_big") < at("'create bigfile temporary"));
    at("' autoextend on next ' || f.more_bytes || ' maxsize ' || f.most_bytes");
    assert!(at("from dba_temp_files where tablespace_name = c_new") < at("if f.n > l_done then"));
    assert!(
        at("usable_file_mb") < at("'create bigfile temporary"),
        "room is looked for before anything is made"
    );
    assert!(at("dba_tablespace_groups") < at("'create bigfile temporary"));
}

/// The table lay in one tablespace and its indexes in another, so that nothing was moved back.
#[test]
fn a_table_with_its_indexes_had_no_way_back() {
    let moved = Candidate { tablespace: None, ..candidate(CandidateKind::TableWithIndexes, "S", "T", None) };
    let segment = |name: &str, kind: &str, tablespace: &str| CollectedSegment {
        owner: Some("S".into()),
        segment: name.into(),
        segment_type: Some(kind.into()),
        tablespace: Some(tablespace.into()),
        ..CollectedSegment::default()
    };
    let lists = Collected {
        segments: vec![segment("T", "TABLE", "OLD_DATA"), segment("T_IX", "INDEX", "OLD_IDX")],
        indexes: vec![CollectedIndex {
            owner: "S".into(),
            index: "T_IX".into(),
            table_owner: Some("S".into()),
            table: Some("T".into()),
            tablespace: Some("OLD_IDX".into()),
            ..CollectedIndex::default()
        }],
        ..Collected::default()
    };
    let scripts = script(&plan("19.0.0.0.0", vec![moved.clone()]), &[&lists], &ScriptRequest::default());
    assert!(scripts.back.contains("'OLD_DATA'") && scripts.back.contains("'OLD_IDX'"), "{}", scripts.back);
    assert!(scripts.back.contains("Moves everything back") && !scripts.back.contains("is not known here"));
    // Without a list the head does not promise what the steps do not do.
    let back = script(&plan("19.0.0.0.0", vec![moved]), &[], &ScriptRequest::default()).back;
    assert!(!back.contains("Moves everything back") && back.contains("of 1 of the 1 steps"), "{back}");
}

/// Every segment of the target counted as room, whoever it was of.
#[test]
fn other_objects_of_the_target_counted_as_room() {
    let candidates = vec![candidate(CandidateKind::Table, "S", "T", None)];
    let text = script(&plan("19.0.0.0.0", candidates), &[], &ScriptRequest::default()).forward;
    assert!(text.contains("  own('S', 'T', null, 'NO');"), "{text}");
    assert!(!text.contains("from dba_segments where tablespace_name = c_target), 0)"), "{text}");
}

#[test]
fn a_container_is_entered_before_its_objects() {
    let mut pluggable = candidate(CandidateKind::Table, "S", "T", None);
    pluggable.container = Some("PDB1".to_owned());
    let text = script(&plan("19.0.0.0.0", vec![pluggable.clone()]), &[], &ScriptRequest::default()).forward;
    assert!(text.find("alter session set container = \"PDB1\";").unwrap() < text.find(":= 'T'").unwrap());
    let old = script(&plan("11.2.0.4.0", vec![pluggable]), &[], &ScriptRequest::default()).forward;
    assert!(!old.contains("set container"));
}

/// Redo was made in whatever container came before it, which stops both scripts halfway.
#[test]
fn redo_was_changed_from_a_container_of_its_own() {
    let mut pluggable = candidate(CandidateKind::Table, "S", "T", None);
    pluggable.container = Some("PDB1".to_owned());
    let redo = candidate(CandidateKind::Redo, "", "redo", None);
    for order in [vec![pluggable.clone(), redo.clone()], vec![redo.clone(), pluggable.clone()]] {
        let scripts = script(&plan("19.0.0.0.0", order), &[], &ScriptRequest::default());
        passes(&scripts);
        for text in [&scripts.forward, &scripts.back] {
            let redo_at = text.find("add logfile").unwrap();
            let entered = text[..redo_at].rfind("set container").unwrap();
            assert!(text[entered..].starts_with("set container = \"CDB$ROOT\""), "{text}");
            assert!(text.contains("connect to CDB$ROOT"), "{text}");
        }
    }
    // Of a database without containers nothing is entered.
    let text = script(&plan("19.0.0.0.0", vec![redo]), &[], &ScriptRequest::default()).forward;
    assert!(!text.contains("set container"), "{text}");
}

#[test]
fn room_in_the_second_container_was_looked_for_after_the_first_had_moved() {
    let of = |container: &str| Candidate {
        object: format!("S.T in {container}"),
        container: Some(container.to_owned()),
        ..candidate(CandidateKind::Table, "S", "T", None)
    };
    let redo = candidate(CandidateKind::Redo, "", "redo", None);
    let scripts = script(
        &plan("19.0.0.0.0", vec![of("PDB1"), redo, of("PDB2"), of("PDB1B")]),
        &[],
        &ScriptRequest::default(),
    );
    passes(&scripts);
    for (text, first) in [(&scripts.forward, "[1/4]"), (&scripts.back, "[1/4]")] {
        let (checks, steps) = text.split_once(first).unwrap();
        for name in ["PDB1", "PDB2", "PDB1B"] {
            let entered = format!("alter session set container = \"{name}\";");
            let after = checks.split_once(&entered).unwrap().1;
            // A container that is not open stops both scripts before anything is done.
            assert!(after.contains("v$pdbs"), "{name}: {checks}");
            assert!(steps.contains(&entered) || text.contains(&entered), "{name}");
        }
        assert_eq!(checks.matches("v$pdbs").count(), 3);
        assert!(!checks.contains("'alter table") && !checks.contains("add logfile"), "{checks}");
    }
    assert_eq!(scripts.forward.matches("[space on tier").count(), 3);
    assert!(scripts.forward.rfind("[space on tier").unwrap() < scripts.forward.find("[1/4]").unwrap());
}

#[test]
fn files_of_two_containers_went_to_one_name_in_a_folder() {
    let of = |container: &str| Candidate {
        object: format!("tablespace USERS in {container}"),
        container: Some(container.to_owned()),
        ..candidate(CandidateKind::Tablespace, "", "USERS", None)
    };
    let scripts = script(&plan("19.0.0.0.0", vec![of("PDB1"), of("PDB2")]), &[], &ScriptRequest::default());
    passes(&scripts);
    assert_eq!(scripts.forward.matches("l_con := lower(sys_context('userenv', 'con_name'))").count(), 2);
    assert_eq!(scripts.forward.matches("|| l_con || case when l_same > 0").count(), 2);
}

#[test]
fn temp_of_whatever_container_was_set_moved() {
    let mut pluggable = candidate(CandidateKind::Table, "S", "T", None);
    pluggable.container = Some("PDB1".to_owned());
    let mut temp = candidate(CandidateKind::Temp, "", "TEMP", None);
    temp.tablespace = Some("TEMP".to_owned());
    let text =
        script(&plan("19.0.0.0.0", vec![pluggable, temp.clone()]), &[], &ScriptRequest::default()).forward;
    assert!(text.contains("Not scripted: each container has temp of its own"), "{text}");
    let mut plan = plan("19.0.0.0.0", vec![temp]);
    plan.measured.container = Some("PDB1".to_owned());
    let text = script(&plan, &[], &ScriptRequest::default()).forward;
    assert!(text.contains("container = \"PDB1\"") && !text.contains("Not scripted"), "{text}");
}

#[test]
fn without_a_release_nothing_is_scripted() {
    for version in ["", "9.2.0.8.0", "nonsense"] {
        let plan = plan(version, vec![candidate(CandidateKind::Table, "S", "T", None)]);
        let script = script(&plan, &[], &ScriptRequest::default());
        assert!(script.forward.lines().all(|l| l.starts_with("--")), "{version}");
    }
}

#[test]
fn names_that_cannot_be_are_refused() {
    for (version, name) in
        [("19.0.0.0.0", "A\"B".to_owned()), ("19.0.0.0.0", "X".repeat(129)), ("11.2.0.4.0", "X".repeat(31))]
    {
        let plan = plan(version, vec![candidate(CandidateKind::Table, "S", &name, None)]);
        let (forward, _) = both(&plan, &[]);
        assert!(forward.iter().any(|c| c.starts_with("-- Not scripted: its name")), "{name}");
    }
}

proptest! {
    #[test]
    fn hostile_names_stay_inside_their_literals(
        owner in "[A-Za-z'&;/ \n\r\t@.\\-\\[\\]é€😀]{1,12}",
        name in "(\n/\n|--|';|&x|@NAME@|[A-Za-z'&;/ \n\\-]){1,8}",
        index in any::<bool>(),
    ) {
        prop_assume!(!["SYS", "SYSTEM"].contains(&owner.as_str()));
        let kind = if index { CandidateKind::Index } else { CandidateKind::Table };
        let mut candidate = candidate(kind, &owner, &name, None);
        candidate.tablespace = Some(name.chars().filter(|c| *c != '"').take(7).collect());
        let plan = plan("19.0.0.0.0", vec![candidate]);
        let script = script(&plan, &[], &ScriptRequest::default());
        let calm = self::plan("19.0.0.0.0", vec![self::candidate(kind, "S", "T", None)]);
        let calm = spindle_planning::script(&calm, &[], &ScriptRequest::default());
        // As many lines, and as many ends of blocks, as with a harmless name.
        for (text, calm) in [(&script.forward, &calm.forward), (&script.back, &calm.back)] {
            prop_assert_eq!(text.lines().count(), calm.lines().count());
            let ends = |t: &str| t.lines().filter(|l| l.trim() == "/").count();
            prop_assert_eq!(ends(text), ends(calm));
        }
    }
}

#[test]
fn a_statement_that_no_test_reached_could_not_be_wrong() {
    use CandidateKind as K;
    let mut reached = std::collections::BTreeSet::new();
    for version in ["11.2.0.4.0", "12.1.0.2.0", "12.2.0.1.0", "23.0.0.0.0"] {
        let candidates = vec![
            candidate(K::TableWithIndexes, "S", "T", None),
            candidate(K::TablePartition, "S", "P", Some("P1")),
            candidate(K::Index, "S", "I", None),
            candidate(K::IndexPartition, "S", "J", Some("P1")),
            candidate(K::Lob, "S", "SYS_LOB1$$", None),
            candidate(K::Temp, "", "TEMP", None),
            candidate(K::Redo, "", "redo logs", None),
            Candidate { tablespace: Some("DATA".to_owned()), ..candidate(K::Tablespace, "", "DATA", None) },
        ];
        let (forward, back) = passes(&script(
            &plan(version, candidates),
            &[&lob("C", "SYS_LOB1$$")],
            &ScriptRequest::default(),
        ));
        assert!(forward.queries > 60 && back.queries > 60, "{} {}", forward.queries, back.queries);
        reached.extend(forward.shapes.into_iter().chain(back.shapes));
    }
    for shape in [
        "N move [ online ] tablespace N",
        "move partition|subpartition N",
        "lob ( N ) store as",
        "alter index N . N rebuild",
        "move datafile # to T",
        "temporary tablespace N tempfile",
        "tablespace N add tempfile",
        "default temporary tablespace N",
        "alter user N temporary",
        "add logfile thread #",
        "drop logfile group #",
        "switch logfile",
        "archive log current",
        "checkpoint global",
        "ddl_lock_timeout",
    ] {
        assert!(reached.iter().any(|s| s.contains(shape)), "{shape}: {reached:?}");
    }
}

/// What a person, a report or a list may have called things.
fn hostile() -> impl Strategy<Value = String> {
    "(\n/\n|--|';|&x|@NAME@|:=|\\]'|\\*/|/\\*|[A-Za-z'\"&;/ \n\r\t@.\\-\\[\\]é€😀]){1,9}"
}

fn kinds() -> [CandidateKind; 13] {
    use CandidateKind as K;
    [
        K::Table,
        K::TablePartition,
        K::Index,
        K::IndexPartition,
        K::Lob,
        K::TableWithIndexes,
        K::Cluster,
        K::RestOfTablespace,
        K::Tablespace,
        K::DataFile,
        K::Temp,
        K::Redo,
        K::Undo,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// No malformed statement: every step kind, of every release, with whatever names.
    #[test]
    fn every_script_passes_the_strict_reader(
        names in proptest::collection::vec((0..13_usize, hostile(), hostile(), proptest::option::of(hostile())), 1..5),
        version in prop::sample::select(vec!["11.2.0.4.0", "12.1.0.2.0", "12.2.0.1.0", "18.0.0.0.0", "19.0.0.0.0", "23.0.0.0.0"]),
        other in hostile(),
        place in proptest::option::of(hostile()),
    ) {
        let candidates: Vec<Candidate> = names
            .iter()
            .map(|(kind, owner, name, part)| {
                let kind = kinds()[*kind];
                let mut c = candidate(kind, owner, name, part.as_deref());
                c.tablespace = Some(other.clone());
                c.container = place.clone();
                c
            })
            .collect();
        let first = &candidates[0];
        let mut collected = lob(&other, &first.name);
        collected.lobs[0].owner = first.owner.clone().unwrap_or_default();
        collected.lobs[0].table = first.name.clone();
        collected.indexes.push(CollectedIndex {
            owner: other.clone(),
            index: other.clone(),
            table_owner: first.owner.clone(),
            table: Some(first.name.clone()),
            tablespace: Some(other.clone()),
            ..CollectedIndex::default()
        });
        collected.files.push(CollectedFile {
            file_id: Some(7),
            tablespace: other.clone(),
            file: format!("/{other}"),
            ..CollectedFile::default()
        });
        collected.redo_groups = redo(&[&format!("/{other}/a"), "+DATA/x"]).redo_groups;
        let mut plan = plan(version, candidates);
        plan.tiers[0].name = "fast".to_owned();
        let request = ScriptRequest {
            tablespaces: place.iter().map(|p| ("fast".to_owned(), p.clone())).collect(),
            destinations: place.iter().map(|p| ("fast".to_owned(), p.clone())).collect(),
        };
        let script = script(&plan, &[&collected], &request);
        for text in [&script.forward, &script.back] {
            if let Err(why) = check_move_script(text) {
                prop_assert!(false, "{why}\n{text}");
            }
        }
    }
}
