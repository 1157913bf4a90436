//! What `spindle collect` gathers, printed and read again; and what happens to files that are damaged.
#![allow(clippy::unwrap_used)]

#[path = "support/mod.rs"]
mod support;

use proptest::prelude::*;
use serde_json::Value;
use spindle_evidence::{CollectedReading, read_collected};
use spindle_facts::{
    CachedObject, Collected, CollectedFile, CollectedIndex, CollectedLob, CollectedOrigin, CollectedSegment,
    CollectedTable, CollectedTablespace, ControlFile, PlanRow, Quota, RedoGroup, SectionStatus,
    SmallSegments, StatementTotals,
};
use spindle_test_support::{SpoolSection, render_collected, render_spool};

fn read(text: &str) -> Collected {
    let reading = read_collected("spool", text.as_bytes());
    reading.collected.unwrap_or_else(|| panic!("refused: {:?}", reading.refused))
}

/// Facts without what only the reader knows.
fn bare(facts: &Collected) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for key in ["line", "source", "sections", "notes"] {
                    map.remove(key);
                }
                map.values_mut().for_each(strip);
            }
            Value::Array(rows) => rows.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(facts).unwrap();
    strip(&mut value);
    value
}

/// A name as the dictionary may hold it: with the format's own signs in it.
fn name() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_$#%|\t\r\n é\"]{0,14}[A-Z0-9|%]"
}

fn some_name() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(name())
}

fn word() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("[A-Z]{2,8}( [A-Z]{2,8})?")
}

fn count() -> impl Strategy<Value = Option<f64>> {
    proptest::option::of((0_u64..1 << 52).prop_map(|n| n as f64))
}

fn fraction() -> impl Strategy<Value = Option<f64>> {
    proptest::option::of((0_u32..1_000_000).prop_map(|n| f64::from(n) / 1024.0))
}

fn flag() -> impl Strategy<Value = Option<bool>> {
    proptest::option::of(any::<bool>())
}

fn id() -> impl Strategy<Value = Option<u64>> {
    proptest::option::of(any::<u32>().prop_map(u64::from))
}

fn small() -> impl Strategy<Value = Option<u32>> {
    proptest::option::of(any::<u32>())
}

fn rows<T: std::fmt::Debug>(row: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(row, 0..4)
}

prop_compose! {
    fn segment()(container in some_name(), owner in some_name(), segment in name(), partition in some_name(),
        segment_type in word(), segment_subtype in word(), tablespace in some_name(), bytes in count(),
        buffer_pool in word()) -> CollectedSegment {
        CollectedSegment { line: 0, container, owner, segment, partition, segment_type, segment_subtype, tablespace,
            bytes, buffer_pool }
    }
}

prop_compose! {
    fn table()(container in some_name(), (owner, table) in (name(), name()), tablespace in some_name(),
        flags in proptest::array::uniform5(flag()), iot_type in word(), cluster in some_name(), degree in word(),
        compression in word(), buffer_pool in word(), rows in count(), blocks in count()) -> CollectedTable {
        let [partitioned, temporary, nested, has_long, logging] = flags;
        CollectedTable { line: 0, container, owner, table, tablespace, partitioned, iot_type, cluster, temporary, nested,
            has_long, degree, logging, compression, buffer_pool, rows, blocks }
    }
}

prop_compose! {
    fn index()(container in some_name(), (owner, index) in (name(), name()), names in [some_name(), some_name(), some_name()],
        words in [word(), word(), word(), word()], flags in proptest::array::uniform4(flag())) -> CollectedIndex {
        let [table_owner, table, tablespace] = names;
        let [index_type, status, degree, buffer_pool] = words;
        let [unique, partitioned, join_index, logging] = flags;
        CollectedIndex { line: 0, container, owner, index, index_type, table_owner, table, unique, tablespace, status,
            partitioned, join_index, degree, logging, buffer_pool }
    }
}

prop_compose! {
    fn plan()(container in some_name(), sql_id in proptest::option::of("[0-9a-z]{13}"), ids in [id(), id()],
        smalls in [small(), small(), small()], operation in "[A-Z]{4,8}( [A-Z]{2,8})?", words in [word(), word(), word(), word()],
        names in [some_name(), some_name()],
        counts in proptest::collection::vec(count(), 9)) -> PlanRow {
        let [old_hash, plan_hash] = ids;
        let [id, parent_id, depth] = smalls;
        let [options, object_type, partition_start, partition_stop] = words;
        let [object_owner, object] = names;
        PlanRow { line: 0, container, sql_id, old_hash, plan_hash, executions: counts[0], children: counts[1], id, parent_id,
            depth, operation, options, object_owner, object, object_type, cardinality: counts[2], bytes: counts[3],
            cost: counts[4], io_cost: counts[5], temp_bytes: counts[6], partition_start, partition_stop,
            measured_reads: counts[7], measured_starts: counts[8], ..PlanRow::default() }
    }
}

prop_compose! {
    fn statement()(container in some_name(), sql_id in "[0-9a-z]{13}", ids in [id(), id()],
        counts in proptest::collection::vec(count(), 6), us in proptest::collection::vec(proptest::option::of(0_u32..u32::MAX), 3),
        text in some_name()) -> StatementTotals {
        let s = |n: Option<u32>| n.map(|us| f64::from(us) / 1e6);
        StatementTotals { line: 0, container, sql_id: Some(sql_id), old_hash: ids[0], plan_hash: ids[1], executions: counts[0],
            disk_reads: counts[1], read_requests: counts[2], read_bytes: counts[3], direct_writes: counts[4],
            buffer_gets: counts[5], elapsed_s: s(us[0]), cpu_s: s(us[1]), user_io_wait_s: s(us[2]), text }
    }
}

prop_compose! {
    fn file()(container in some_name(), file_id in id(), (tablespace, file) in (name(), name()), bytes in count(),
        max_bytes in count(), autoextensible in flag(), is_temp in any::<bool>()) -> CollectedFile {
        CollectedFile { line: 0, container, file_id, tablespace, file, bytes, max_bytes, autoextensible, is_temp }
    }
}

prop_compose! {
    fn tablespace()(container in some_name(), tablespace in name(), block_size_bytes in id(), contents in word(),
        flags in proptest::array::uniform4(flag()), segment_space_management in word()) -> CollectedTablespace {
        let [bigfile, encrypted, logging, force_logging] = flags;
        CollectedTablespace { line: 0, container, tablespace, block_size_bytes, contents, bigfile, segment_space_management,
            encrypted, logging, force_logging }
    }
}

prop_compose! {
    fn cached()(container in some_name(), instance_number in small(), owner in some_name(), object in name(),
        subobject in some_name(), object_type in word(), buffers in count(), dirty_buffers in count(),
        flash_buffers in count()) -> CachedObject {
        CachedObject { line: 0, container, instance_number, owner, object, subobject, object_type, buffers, dirty_buffers,
            copy_buffers: None, flash_buffers }
    }
}

prop_compose! {
    fn lob()(container in some_name(), names in [name(), name(), name(), name()], index in some_name(),
        tablespace in some_name(), securefile in flag(), partitioned in flag()) -> CollectedLob {
        let [owner, table, column, segment] = names;
        CollectedLob { line: 0, container, owner, table, column, segment, index, tablespace, securefile, partitioned }
    }
}

prop_compose! {
    fn collected()(segments in rows(segment()), tables in rows(table()), indexes in rows(index()), lobs in rows(lob()),
        mut files in rows(file()), tablespaces in rows(tablespace()), plan_rows in rows(plan()), statements in rows(statement()),
        cached in rows(cached()), small in rows((some_name(), name(), fraction(), count())),
        members in rows(name()), (group, thread, bytes, status) in (any::<u32>(), small(), count(), word()),
        control in rows((name(), count())), quotas in rows((name(), some_name(), count(), count())),
        (db_name, db_id, container, host) in (word(), id(), word(), word())) -> Collected {
        // As the sections of the format: data files first.
        files.sort_by_key(|f| f.is_temp);
        let group = RedoGroup { group, thread, bytes, status, block_size_bytes: Some(512), members, ..RedoGroup::default() };
        Collected {
            origin: CollectedOrigin { db_name, db_id, container, host, collected_at: Some("2026-01-31T12:00:00".into()),
                ..CollectedOrigin::default() },
            segments, tables, indexes, lobs, files, tablespaces, plan_rows, statements, cached,
            small_segments: small.into_iter().map(|(container, tablespace, segments, bytes)|
                SmallSegments { line: 0, container, tablespace, segments, bytes }).collect(),
            redo_groups: vec![group],
            control_files: control.into_iter().map(|(file, bytes)| ControlFile { line: 0, file, bytes }).collect(),
            quotas: quotas.into_iter().map(|(user, tablespace, bytes, max)| {
                let unlimited = max.is_none() || tablespace.is_none();
                Quota { line: 0, container: None, user, tablespace, bytes, max_bytes: max.filter(|_| !unlimited), unlimited }
            }).collect(),
            ..Collected::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_printed_and_read_again_are_the_same(facts in collected()) {
        let text = render_collected(&facts);
        let found = read(&text);
        prop_assert_eq!(bare(&found), bare(&facts));
        prop_assert_eq!(&found.notes, &[]);
        // Line ends, prompts and encodings change nothing.
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(bare(&read(&crlf)), bare(&facts));
        let piped = format!("SQL*Plus: Release 19.0\n\nSQL> SQL>   2    3  {text}SQL> exit\n");
        prop_assert_eq!(bare(&read(&piped)), bare(&facts));
        let utf16: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        prop_assert_eq!(bare(&read_collected("utf16", &utf16).collected.unwrap()), bare(&facts));
    }

    /// SQL*Plus wraps what is longer than its line.
    #[test]
    fn wrapped_lines_are_put_together(facts in collected(), width in 90_usize..200) {
        let text = render_collected(&facts);
        let mut wrapped = String::new();
        for line in text.lines() {
            let chars: Vec<char> = line.chars().collect();
            for piece in chars.chunks(width) {
                wrapped.extend(piece);
                wrapped.push('\n');
            }
        }
        // Where a piece ends in a blank, or looks like a line of its own, it cannot be put together: then
        // rows lack, and a note says so. None is ever wrong.
        let found = read(&wrapped);
        let (found, printed) = (bare(&found), bare(&facts));
        if found != printed {
            let notes = read(&wrapped).notes;
            prop_assert!(!notes.is_empty() || wrapped.lines().any(|l| l.ends_with(' ')), "{wrapped}");
        }
    }

    /// However it is cut, what is read is part of what was printed.
    #[test]
    fn cut_anywhere_no_row_is_changed(facts in collected(), at in 0.0..1.0_f64) {
        let text = render_collected(&facts);
        let cut = (text.len() as f64 * at) as usize;
        let CollectedReading { collected, refused } = read_collected("cut", &text.as_bytes()[..cut]);
        prop_assert!(collected.is_some() != refused.is_some());
        let Some(found) = collected else { return Ok(()) };
        let (found, printed) = (bare(&found), bare(&facts));
        for (table, rows) in found.as_object().unwrap().iter().filter(|(name, _)| *name != "origin" && *name != "files") {
            prop_assert!(rows.as_array().unwrap().is_empty() || *rows == printed[table], "{table}");
        }
    }

    #[test]
    fn flipped_bytes_do_no_harm(facts in collected(), flips in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..50)) {
        let mut bytes = render_collected(&facts).into_bytes();
        for (at, byte) in flips {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let _ = read_collected("flipped", &bytes);
    }
}

fn segments(rows: &[[&str; 3]]) -> SpoolSection {
    SpoolSection {
        name: "segments",
        columns: &["BYTES", "SEGMENT_NAME", "NEW_COLUMN"],
        rows: rows.iter().map(|r| r.iter().map(|c| Some((*c).to_owned())).collect()).collect(),
    }
}

#[test]
fn columns_are_found_by_name_and_unknown_or_missing_ones_do_no_harm() {
    let found = read(&render_spool("segments", &[], &[segments(&[["8192", "ORDERS", "x"]])]));
    assert_eq!(found.segments[0].segment, "ORDERS");
    assert_eq!(found.segments[0].bytes, Some(8192.0));
    assert_eq!(found.segments[0].owner, None);
    assert_eq!(found.notes, []);
}

#[test]
fn sizes_that_are_none_are_unknown_and_said() {
    let rows = [
        ["-1", "A", ""],
        ["####", "B", ""],
        ["1e30", "C", ""],
        ["99999999999999999999", "D", ""],
        ["7", "E", ""],
    ];
    let found = read(&render_spool("segments", &[], &[segments(&rows)]));
    let bytes: Vec<_> = found.segments.iter().map(|s| s.bytes).collect();
    assert_eq!(bytes, [None, None, None, None, Some(7.0)]);
    let said: Vec<_> = found.notes.iter().map(|n| n.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "BYTES holds `-1`: less than nothing",
            "BYTES holds `####`: no number (2 rows)",
            "BYTES holds `99999999999999999999`: more than any database holds",
        ]
    );
}

#[test]
fn a_section_that_broke_off_gives_no_rows() {
    let text = "SPINDLE|1|segments\nB|segments|SEGMENT_NAME|BYTES\nD|A|1\nD|B|2\n";
    let found = read(text);
    assert_eq!(found.segments, []);
    assert_eq!(found.sections[0].status, SectionStatus::Unreadable);
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
}

#[test]
fn errors_of_the_database_name_their_section() {
    let text = "SPINDLE|1|segments\n-- segments: begins 2026-01-31 12:00:00\nERROR at line 1:\n\
                ORA-00942: table or view does not exist\nB|redo|GROUP_NO|BYTES\nD|1|5\nORA-01555: snapshot too old\nZ|segments\n";
    let found = read(text);
    assert_eq!(found.redo_groups, []);
    let said: Vec<_> =
        found.notes.iter().map(|n| (n.line, n.section.as_deref(), n.message.as_str())).collect();
    assert_eq!(
        said,
        [
            (
                Some(4),
                Some("segments"),
                "the database or SQL*Plus answered `ORA-00942: table or view does not exist`"
            ),
            (
                Some(7),
                Some("redo"),
                "it broke off after 1 rows with `ORA-01555: snapshot too old`, and nothing of it is used"
            ),
        ]
    );
}

#[test]
fn a_count_that_does_not_match_is_said() {
    let found = read("SPINDLE|1|segments\nB|segments|SEGMENT_NAME|BYTES\nD|A|1\nE|segments|2\nZ|segments\n");
    assert_eq!(found.segments.len(), 1);
    assert_eq!(found.notes[0].message, "its end says 2 rows, and there are 1");
}

#[test]
fn a_script_that_ran_twice_counts_once() {
    let run = render_spool("segments", &[], &[segments(&[["1", "A", ""]])]);
    let found = read(&format!("{run}{run}"));
    assert_eq!(found.segments.len(), 1);
    assert_eq!(found.notes.len(), 1);
}

#[test]
fn spool_files_of_two_databases_are_refused() {
    let run = |id: &str| render_spool("segments", &[("db_id", Some(id.into()))], &[segments(&[])]);
    let reading = read_collected("both", format!("{}{}", run("1"), run("2")).as_bytes());
    assert!(reading.collected.is_none());
    assert!(reading.refused.unwrap().starts_with("spool files of 2 databases in one"));
}

#[test]
fn what_is_something_else_is_named() {
    let reading = read_collected("awr", b"WORKLOAD REPOSITORY report for\n\nDB Name\n");
    assert_eq!(
        reading.refused.unwrap(),
        "an AWR report, not what `spindle collect` gathers; give it as a PATH"
    );
    let text =
        render_spool("history", &[], &[SpoolSection { name: "sysstat", columns: &["A"], rows: vec![] }]);
    assert!(
        read_collected("history", text.as_bytes()).refused.unwrap().starts_with("a history of snapshots")
    );
    assert!(read_collected("empty", b"").refused.is_some());
}

#[test]
fn a_page_that_holds_a_spool_file_is_read() {
    let text = render_spool("segments", &[], &[segments(&[["1", "A&B", ""]])]);
    let escaped = text.replace('&', "&amp;");
    let page = format!("<html><body><pre>\n{escaped}</pre></body></html>");
    assert_eq!(read(&page).segments[0].segment, "A&B");
    assert_eq!(read(&escaped).segments[0].segment, "A&B");
}

#[test]
fn plans_of_awr_sql_reports() {
    for name in ["1_910_911", "2_1043_1044", "2_912_913", "3_1047_1048", "4_1045_1046", "4_914_915"] {
        let file = format!("awr-sql/11.1.0.7.0__unk__structureddata__awrsqlrpt_{name}.html");
        let Some(bytes) = support::corpus(&file) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let report = &spindle_evidence::read("report", &bytes).reports[0];
        let rows = &report.tables.plan_row;
        // Every plan table has a line 0 without parent, and every other line a parent above it.
        assert_eq!(
            rows.iter().filter(|r| r.id == Some(0)).count(),
            text.matches("<h2 class=\"awr\">\nPlan ").count(),
            "{name}"
        );
        for row in rows.iter().filter(|r| r.id != Some(0)) {
            let parent = rows.iter().find(|p| p.plan_hash == row.plan_hash && p.id == row.parent_id).unwrap();
            assert!(parent.id < row.id && parent.depth.map(|d| d + 1) == row.depth, "{row:?}");
        }
        assert!(rows.iter().all(|r| r.sql_id.is_some() && r.executions.is_some()), "{name}");
    }
}

fn sizes(text: &str) -> Vec<(String, Option<f64>)> {
    read(text).segments.into_iter().map(|s| (s.segment, s.bytes)).collect()
}

fn refusal(text: &str) -> String {
    read_collected("list", text.as_bytes()).refused.unwrap()
}

const MIB: f64 = 1_048_576.0;

#[test]
fn lists_with_delimiters_in_any_order_and_unit() {
    for text in [
        "owner,segment_name,partition_name,segment_type,tablespace_name,bytes\nS,A,,TABLE,U,1048576\nS,B,,INDEX,U,2097152\n",
        "\"BYTES\",\"SEGMENT_NAME\",\"OWNER\"\r\n1048576,\"A\",\"S\"\r\n\"2,097,152\",\"B\",\"S\"\r\n",
        "OWNER;SEGMENT_NAME;SIZE_MB\nS;A;1\nS;B;2\n",
        "OWNER;SEGMENT_NAME;SIZE_MB\nS;A;1,0\nS;B;2,00\n",
        "OWNER\tSEGMENT_NAME\tBYTES/1024/1024\nS\tA\t1\nS\tB\t2.0\n",
        "OWNER |SEGMENT_NAME |SIZE_GB\n------|-------------|-------\nS     |A            | .0009765625\nS     |B            | .001953125\n",
        "OWNER,SEGMENT_NAME,BYTES,MB\nS,A,1048576,1\nS,B,2097152,2\n",
    ] {
        assert_eq!(sizes(text), [("A".into(), Some(MIB)), ("B".into(), Some(2.0 * MIB))], "{text}");
        assert_eq!(read(text).segments[0].owner.as_deref(), Some("S"), "{text}");
    }
}

#[test]
fn what_sql_plus_prints_page_after_page() {
    let page = |rows: &str| {
        format!(
            "\nOWNER  SEGMENT_NA SEGMENT_TYPE            BYTES\n------ ---------- ------------------ ----------\n{rows}"
        )
    };
    let row = |name: &str, bytes: &str| format!("SHOP   {name:10} TABLE PARTITION    {bytes:>10}\n");
    let text = format!(
        "SQL> select owner, segment_name, segment_type, bytes\n  2  from dba_segments;\n{}{}\n2 rows selected.\n\nSQL> exit\n",
        page(&row("A", "65536")),
        page(&row("B", "####"))
    );
    let found = read(&text);
    assert_eq!(sizes(&text), [("A".into(), Some(65_536.0)), ("B".into(), None)]);
    assert_eq!(found.segments[0].segment_type.as_deref(), Some("TABLE PARTITION"));
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    let short = text.replace("2 rows selected", "3 rows selected");
    assert_eq!(read(&short).notes[0].message, "it says 3 rows, and 2 could be read");
}

#[test]
fn a_size_without_a_certain_unit_is_refused() {
    assert!(refusal("OWNER,SEGMENT_NAME,SIZE\nS,A,12\n").starts_with("the column `SIZE` holds sizes"));
    assert!(
        refusal("OWNER;SEGMENT_NAME;SIZE_MB\nS;A;1,234\n")
            .starts_with("line 2, column `SIZE_MB`: `1,234` can mean two things")
    );
    assert!(
        refusal("OWNER;SEGMENT_NAME;SIZE_MB\nS;A;1,5\nS;B;1.5\n")
            .starts_with("its sizes are written in two ways")
    );
    // Columns that are no size of the segment are no size.
    assert_eq!(sizes("OWNER,SEGMENT_NAME,FREE_MB,BLOCKS\nS,A,1,2\n"), [("A".into(), None)]);
}

#[test]
fn a_point_that_groups_thousands_was_read_as_a_decimal_point() {
    let mb = |cells: &[&str]| {
        let rows: Vec<String> =
            cells.iter().enumerate().map(|(n, cell)| format!("S;T{n};{cell}\n")).collect();
        format!("OWNER;SEGMENT_NAME;SIZE_MB\n{}", rows.concat())
    };
    let read =
        |cells: &[&str]| sizes(&mb(cells)).into_iter().map(|(_, b)| b.map(|b| b / MIB)).collect::<Vec<_>>();
    // Another cell of the column tells it: decimals, two groups, both signs.
    for other in ["2,5", "1.234.567", "4.096,25"] {
        assert_eq!(read(&["1.024", other])[0], Some(1_024.0), "{other}");
    }
    for other in ["2.5", "1,234,567", "4,096.25", "0.125", ".5", "2048"] {
        assert_eq!(read(&["1.024", other])[0], Some(1.024), "{other}");
    }
    // Small whole numbers tell nothing, nor do more of the same.
    for others in [&["512"][..], &["20.480", "3"], &[]] {
        let said = refusal(&mb(&[&["1.024"], others].concat()));
        assert!(said.starts_with("line 2, column `SIZE_MB`: `1.024` can mean two things"), "{said}");
    }
    assert!(refusal(&mb(&["1.024", "1,024"])).contains("two ways"));
    assert!(refusal(&mb(&["1.024", "2.5", "2,5"])).contains("two ways"));
    // Bytes have no fraction.
    assert_eq!(sizes("SEGMENT_NAME;BYTES\nA;65.536\nB;1.024\n")[1], ("B".into(), Some(1_024.0)));
}

#[test]
fn a_part_of_a_byte_was_a_size() {
    let text = "SEGMENT_NAME,BYTES\nA,1.5\nB,8192\n";
    assert_eq!(sizes(text), [("A".into(), None), ("B".into(), Some(8_192.0))]);
    assert!(
        read(text).notes[0].message.starts_with("BYTES holds `1.5`: a part of a byte"),
        "{:?}",
        read(text).notes
    );
    let spool = "SPINDLE|1|segments\nB|segments|SEGMENT_NAME|BYTES\nD|A|1.024\nE|segments|1\nZ|segments\n";
    assert_eq!(read(spool).segments[0].bytes, None);
}

#[test]
fn a_size_with_a_unit_of_its_own_was_no_number_without_a_word_why() {
    let found = read("SEGMENT_NAME,BYTES\nA,500M\nB,8192\n");
    assert_eq!(found.segments[0].bytes, None);
    assert_eq!(found.notes[0].line, Some(2));
    assert_eq!(
        found.notes[0].message,
        "BYTES holds `500M`: a unit behind a number is not read; print whole bytes"
    );
}

#[test]
fn sizes_that_no_segment_has_are_unknown_row_by_row() {
    let text = "SEGMENT_NAME,MB\nA,-1\nB,99999999999999\nC,12M\nD,1\n";
    assert_eq!(
        sizes(text),
        [("A".into(), None), ("B".into(), None), ("C".into(), None), ("D".into(), Some(MIB))]
    );
    assert_eq!(read(text).notes.len(), 3);
}

#[test]
fn rows_that_cannot_be_told_apart_are_left_out() {
    let text = "SEGMENT_NAME,MB\nA,1\nB,1,5\nC\n";
    assert_eq!(sizes(text), [("A".into(), Some(MIB))]);
    assert!(read(text).notes[0].message.starts_with("2 rows are left out"));
    let wrapped = "OWNER SEGMENT BYTES\n----- ------- ----------\nS     LONGNAM          1\n      E\nS     B                2\n";
    assert_eq!(sizes(wrapped), [("B".into(), Some(2.0))]);
    let folded = "OWNER\n------------------------------\nSEGMENT_NAME\n-----------------\n     BYTES\n----------\nS\nA\n     65536\n";
    let reading = read_collected("folded", folded.as_bytes());
    assert!(
        reading.collected.is_none_or(|c| c.segments.is_empty()),
        "rows of folded lines must not be guessed"
    );
}

#[test]
fn lists_of_files_cached_objects_and_plan_rows() {
    let files =
        read("select * from dba_temp_files;\nTABLESPACE_NAME,FILE_NAME,MB,MAX_MB\nTEMP,/u01/t1.dbf,1,2\n");
    assert!(files.files[0].is_temp && files.files[0].max_bytes == Some(2.0 * MIB), "{files:?}");
    let cached = read("OWNER,OBJECT_NAME,COUNT(*)\nS,A,77\n");
    assert_eq!((cached.cached[0].object.as_str(), cached.cached[0].buffers), ("A", Some(77.0)));
    let plan = read(
        "SQL_ID,PLAN_HASH_VALUE,CHILD_NUMBER,ID,PARENT_ID,OPERATION,OPTIONS,OBJECT_NAME,BYTES\n\
        abc,1,0,0,,SELECT STATEMENT,,,\nabc,1,0,1,0,TABLE ACCESS,FULL,T,500\nabc,1,1,0,,SELECT STATEMENT,,,\n\
        abc,1,1,1,0,TABLE ACCESS,FULL,T,500\n",
    );
    assert_eq!(plan.plan_rows.len(), 2);
    assert_eq!((plan.plan_rows[1].options.as_deref(), plan.plan_rows[1].bytes), (Some("FULL"), Some(500.0)));
}
