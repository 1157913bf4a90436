//! Rows of the sections of a spool file, and of lists with the same columns, to facts.

use super::table::Row;
use spindle_facts::{
    CachedObject, Collected, CollectedFile, CollectedIndex, CollectedLob, CollectedSegment, CollectedTable,
    CollectedTablespace, ControlFile, PlanRow, Quota, RedoGroup, SmallSegments, StatementTotals,
};

const US_PER_S: f64 = 1e6;

/// Makes a fact of a row; `None` where the row does not say what it is about.
pub(super) type Read = fn(&mut Row<'_>, &mut Collected) -> Option<()>;

/// Sections with the reader of their rows.
const SECTIONS: &[(&str, Read)] = &[
    ("segments", segment),
    ("small_segments", small_segments),
    ("tables", table),
    ("indexes", index),
    ("lobs", lob),
    ("data_files", data_file),
    ("temp_files", temp_file),
    ("tablespaces", tablespace),
    ("redo", redo),
    ("control_files", control_file),
    ("quotas", quota),
    ("statements", statement),
    ("statements_history", statement_of_history),
    ("plans", plan),
    ("plans_history", plan_of_history),
    ("cache", cached),
];

/// The reader of a section; `None` where nothing reads it.
pub(super) fn reader(section: &str) -> Option<Read> {
    SECTIONS.iter().find(|(name, _)| *name == section).map(|(_, read)| *read)
}

/// What is missing where a section could not be read.
pub(super) fn effect(section: &str) -> &'static str {
    match section {
        "segments" | "small_segments" => "sizes of segments are unknown: no object can be placed by its size",
        "tables" | "indexes" | "lobs" => {
            "how objects move is unknown: statements that move them are not written without it"
        }
        "data_files" | "temp_files" | "tablespaces" => "sizes and places of files are unknown",
        "redo" | "control_files" => "sizes of redo logs and control files are unknown",
        "quotas" => "whether owners may use a new tablespace is unknown",
        "plans" | "plans_history" => "which objects a statement reads is unknown",
        "statements" | "statements_history" => "what statements read in total is unknown",
        "cache" => "how much of each object is cached is unknown",
        _ => "nothing: no answer uses it",
    }
}

fn segment(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let segment = CollectedSegment {
        line: row.line,
        container: row.text("CON"),
        owner: row.text("OWNER"),
        segment: row.text("SEGMENT_NAME")?,
        partition: row.text("PARTITION_NAME"),
        segment_type: row.word("SEGMENT_TYPE"),
        segment_subtype: row.word("SEGMENT_SUBTYPE"),
        tablespace: row.text("TABLESPACE_NAME"),
        bytes: row.number("BYTES"),
        buffer_pool: row.word("BUFFER_POOL"),
    };
    facts.segments.push(segment);
    Some(())
}

fn small_segments(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let small = SmallSegments {
        line: row.line,
        container: row.text("CON"),
        tablespace: row.text("TABLESPACE_NAME")?,
        segments: row.number("SEGMENTS"),
        bytes: row.number("BYTES"),
    };
    facts.small_segments.push(small);
    Some(())
}

fn table(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let table = CollectedTable {
        line: row.line,
        container: row.text("CON"),
        owner: row.text("OWNER")?,
        table: row.text("TABLE_NAME")?,
        tablespace: row.text("TABLESPACE_NAME"),
        partitioned: row.yes("PARTITIONED"),
        iot_type: row.word("IOT_TYPE"),
        cluster: row.text("CLUSTER_NAME"),
        temporary: row.yes("TEMPORARY"),
        nested: row.yes("NESTED"),
        has_long: row.yes("HAS_LONG"),
        degree: row.word("DEGREE"),
        logging: row.yes("LOGGING"),
        compression: row.word("COMPRESS_FOR").or_else(|| row.word("COMPRESSION")),
        buffer_pool: row.word("BUFFER_POOL"),
        rows: row.number("NUM_ROWS"),
        blocks: row.number("BLOCKS"),
    };
    facts.tables.push(table);
    Some(())
}

fn index(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let index = CollectedIndex {
        line: row.line,
        container: row.text("CON"),
        owner: row.text("OWNER")?,
        index: row.text("INDEX_NAME")?,
        index_type: row.word("INDEX_TYPE"),
        table_owner: row.text("TABLE_OWNER"),
        table: row.text("TABLE_NAME"),
        unique: row.yes("UNIQUENESS"),
        tablespace: row.text("TABLESPACE_NAME"),
        status: row.word("STATUS"),
        partitioned: row.yes("PARTITIONED"),
        join_index: row.yes("JOIN_INDEX"),
        degree: row.word("DEGREE"),
        logging: row.yes("LOGGING"),
        buffer_pool: row.word("BUFFER_POOL"),
    };
    facts.indexes.push(index);
    Some(())
}

fn lob(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let lob = CollectedLob {
        line: row.line,
        container: row.text("CON"),
        owner: row.text("OWNER")?,
        table: row.text("TABLE_NAME")?,
        column: row.text("COLUMN_NAME")?,
        segment: row.text("SEGMENT_NAME")?,
        index: row.text("INDEX_NAME"),
        tablespace: row.text("TABLESPACE_NAME"),
        securefile: row.yes("SECUREFILE"),
        partitioned: row.yes("PARTITIONED"),
    };
    facts.lobs.push(lob);
    Some(())
}

fn data_file(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    file(row, facts, false)
}

fn temp_file(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    file(row, facts, true)
}

fn file(row: &mut Row<'_>, facts: &mut Collected, is_temp: bool) -> Option<()> {
    let file = CollectedFile {
        line: row.line,
        container: row.text("CON"),
        file_id: row.id("FILE_ID"),
        tablespace: row.text("TABLESPACE_NAME")?,
        file: row.text("FILE_NAME")?,
        bytes: row.number("BYTES"),
        max_bytes: row.number("MAXBYTES"),
        autoextensible: row.yes("AUTOEXTENSIBLE"),
        is_temp,
    };
    facts.files.push(file);
    Some(())
}

fn tablespace(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let tablespace = CollectedTablespace {
        line: row.line,
        container: row.text("CON"),
        tablespace: row.text("TABLESPACE_NAME")?,
        block_size_bytes: row.id("BLOCK_SIZE"),
        contents: row.word("CONTENTS"),
        bigfile: row.yes("BIGFILE"),
        segment_space_management: row.word("SEGMENT_SPACE_MANAGEMENT"),
        encrypted: row.yes("ENCRYPTED"),
        logging: row.yes("LOGGING"),
        force_logging: row.yes("FORCE_LOGGING"),
    };
    facts.tablespaces.push(tablespace);
    Some(())
}

/// One row a member; the rows of a group stand together.
fn redo(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let group = row.small("GROUP_NO")?;
    let thread = row.small("THREAD");
    let is_standby = row.cell("TYPE").is_some_and(|t| t.trim().eq_ignore_ascii_case("STANDBY"));
    let member = row.text("MEMBER");
    match facts.redo_groups.last_mut() {
        Some(last) if (last.group, last.thread, last.is_standby) == (group, thread, is_standby) => {
            last.members.extend(member);
        }
        _ => {
            let group = RedoGroup {
                line: row.line,
                thread,
                group,
                bytes: row.number("BYTES"),
                block_size_bytes: row.id("BLOCKSIZE"),
                status: row.word("STATUS"),
                is_standby,
                members: member.into_iter().collect(),
            };
            facts.redo_groups.push(group);
        }
    }
    Some(())
}

fn control_file(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let file = ControlFile { line: row.line, file: row.text("NAME")?, bytes: row.number("BYTES") };
    facts.control_files.push(file);
    Some(())
}

fn quota(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let user = row.text("USERNAME")?;
    let tablespace = row.text("TABLESPACE_NAME");
    let no_bound = row.cell("MAX_BYTES").is_some_and(|m| m.trim() == "-1");
    let quota = Quota {
        line: row.line,
        container: row.text("CON"),
        user,
        // The system privilege knows no bound.
        unlimited: no_bound || tablespace.is_none(),
        tablespace,
        bytes: row.number("BYTES"),
        max_bytes: if no_bound { None } else { row.number("MAX_BYTES") },
    };
    facts.quotas.push(quota);
    Some(())
}

fn statement(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    facts.statements.push(totals(row)?);
    Some(())
}

fn statement_of_history(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    facts.history_statements.push(totals(row)?);
    Some(())
}

fn totals(row: &mut Row<'_>) -> Option<StatementTotals> {
    let (sql_id, old_hash) = (row.word("SQL_ID"), row.id("OLD_HASH_VALUE"));
    if sql_id.is_none() && old_hash.is_none() {
        return None;
    }
    Some(StatementTotals {
        line: row.line,
        container: row.text("CON"),
        sql_id,
        old_hash,
        plan_hash: row.id("PLAN_HASH_VALUE"),
        executions: row.number("EXECUTIONS"),
        disk_reads: row.number("DISK_READS"),
        read_requests: row.number("READ_REQUESTS"),
        read_bytes: row.number("READ_BYTES"),
        direct_writes: row.number("DIRECT_WRITES"),
        buffer_gets: row.number("BUFFER_GETS"),
        elapsed_s: row.number("ELAPSED_US").map(|us| us / US_PER_S),
        cpu_s: row.number("CPU_US").map(|us| us / US_PER_S),
        user_io_wait_s: row.number("USER_IO_WAIT_US").map(|us| us / US_PER_S),
        text: row.text("SQL_TEXT"),
    })
}

fn plan(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    facts.plan_rows.push(plan_row(row)?);
    Some(())
}

fn plan_of_history(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    facts.history_plan_rows.push(plan_row(row)?);
    Some(())
}

fn plan_row(row: &mut Row<'_>) -> Option<PlanRow> {
    Some(PlanRow {
        line: row.line,
        container: row.text("CON"),
        sql_id: row.word("SQL_ID"),
        old_hash: row.id("OLD_HASH_VALUE"),
        plan_hash: row.id("PLAN_HASH_VALUE"),
        executions: row.number("EXECUTIONS"),
        children: row.number("CHILDREN"),
        id: row.small("ID"),
        parent_id: row.small("PARENT_ID"),
        depth: row.small("DEPTH"),
        operation: row.word("OPERATION")?,
        options: row.word("OPTIONS"),
        object_owner: row.text("OBJECT_OWNER"),
        object: row.text("OBJECT_NAME"),
        object_type: row.word("OBJECT_TYPE"),
        cardinality: row.number("CARDINALITY"),
        bytes: row.number("BYTES"),
        cost: row.number("COST"),
        io_cost: row.number("IO_COST"),
        temp_bytes: row.number("TEMP_SPACE"),
        partition_start: row.word("PARTITION_START"),
        partition_stop: row.word("PARTITION_STOP"),
        measured_reads: row.number("DISK_READS"),
        measured_starts: row.number("STARTS"),
        ..PlanRow::default()
    })
}

fn cached(row: &mut Row<'_>, facts: &mut Collected) -> Option<()> {
    let object = CachedObject {
        line: row.line,
        container: row.text("CON"),
        instance_number: row.small("INST_ID"),
        owner: row.text("OWNER"),
        object: row.text("OBJECT_NAME")?,
        subobject: row.text("SUBOBJECT_NAME"),
        object_type: row.word("OBJECT_TYPE"),
        buffers: row.number("BUFFERS"),
        dirty_buffers: row.number("DIRTY"),
        copy_buffers: row.number("COPIES"),
        flash_buffers: row.number("FLASH_BUFFERS"),
    };
    facts.cached.push(object);
    Some(())
}
