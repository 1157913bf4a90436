//! Prints what `spindle collect` gathers as the spool file that its scripts would write: the inverse
//! of reading one. The format is `docs/collected-files.md`.

use spindle_facts::{Collected, CollectedFile};

/// A cell: `None` is a null.
pub type Cell = Option<String>;

/// One section of a spool file: its name, its columns, its rows.
#[derive(Clone, Debug)]
pub struct SpoolSection {
    /// As in `docs/collected-files.md`.
    pub name: &'static str,
    /// Names in the order of the cells.
    pub columns: &'static [&'static str],
    /// Cells, unescaped.
    pub rows: Vec<Vec<Cell>>,
}

/// A whole spool file: first line, header, sections, last line.
#[must_use]
pub fn render_spool(what: &str, header: &[(&str, Cell)], sections: &[SpoolSection]) -> String {
    let mut out = format!("SPINDLE|1|{what}\n");
    for (key, value) in header {
        line(&mut out, &["H", key], std::slice::from_ref(value));
    }
    for section in sections {
        // As the scripts print it: a line that the reader passes over, then the section.
        out.push_str(&format!("-- {}: begins 2026-01-31 12:00:00\n", section.name));
        let columns: Vec<Cell> = section.columns.iter().map(|c| Some((*c).to_owned())).collect();
        line(&mut out, &["B", section.name], &columns);
        for row in &section.rows {
            line(&mut out, &["D"], row);
        }
        out.push_str(&format!("E|{}|{}\n", section.name, section.rows.len()));
    }
    out.push_str(&format!("Z|{what}\n"));
    out
}

/// The spool file of `collect all` that holds these facts.
///
/// Every section is there, an empty one with no rows. What the format has no column for
/// (`source`, `sections`, `notes`, `line`) is not printed. Tables print their `compression` as
/// `COMPRESSION` and leave `COMPRESS_FOR` empty. Seconds become whole microseconds.
#[must_use]
pub fn render_collected(facts: &Collected) -> String {
    render_spool("all", &header(facts), &sections(facts))
}

/// The same as the spool file of one script, `segments` or `plans`: sections without rows are left out.
#[must_use]
pub fn render_collected_part(what: &str, facts: &Collected) -> String {
    let mut sections = sections(facts);
    sections.retain(|s| !s.rows.is_empty());
    render_spool(what, &header(facts), &sections)
}

fn header(facts: &Collected) -> Vec<(&'static str, Cell)> {
    let origin = &facts.origin;
    vec![
        ("db_name", origin.db_name.clone()),
        ("db_id", whole(origin.db_id)),
        ("container", origin.container.clone()),
        ("version", origin.version.clone()),
        ("platform", origin.platform.clone()),
        ("host", origin.host.clone()),
        ("block_size", whole(origin.block_size_bytes)),
        ("now_local", origin.collected_at.as_ref().map(|t| t.replace('T', " "))),
    ]
}

fn sections(facts: &Collected) -> Vec<SpoolSection> {
    vec![
        segments(facts),
        small_segments(facts),
        tables(facts),
        indexes(facts),
        lobs(facts),
        files(facts, "data_files", false),
        files(facts, "temp_files", true),
        tablespaces(facts),
        redo(facts),
        control_files(facts),
        quotas(facts),
        statements(facts),
        plans(facts),
        cache(facts),
    ]
}

fn line(out: &mut String, tags: &[&str], cells: &[Cell]) {
    out.push_str(&tags.join("|"));
    for cell in cells {
        out.push('|');
        for c in cell.as_deref().unwrap_or_default().chars() {
            match c {
                '%' => out.push_str("%25"),
                '|' => out.push_str("%7C"),
                '\n' => out.push_str("%0A"),
                '\r' => out.push_str("%0D"),
                '\t' => out.push_str("%09"),
                other => out.push(other),
            }
        }
    }
    out.push('\n');
}

fn whole<N: Into<u64>>(n: Option<N>) -> Cell {
    n.map(|n| n.into().to_string())
}

/// As `to_char(x, 'TM9')` prints it: all digits, no exponent, no zero before the point.
fn number(n: Option<f64>) -> Cell {
    n.map(|n| {
        let digits = n.to_string();
        match digits.strip_prefix("0.") {
            Some(rest) => format!(".{rest}"),
            None => digits,
        }
    })
}

fn micros(seconds: Option<f64>) -> Cell {
    number(seconds.map(|s| (s * 1e6).round()))
}

fn word(flag: Option<bool>, yes: &str, no: &str) -> Cell {
    flag.map(|f| if f { yes } else { no }.to_owned())
}

fn yes_no(flag: Option<bool>) -> Cell {
    word(flag, "YES", "NO")
}

fn text(s: &str) -> Cell {
    Some(s.to_owned())
}

fn segments(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "segments",
        columns: &[
            "CON",
            "OWNER",
            "SEGMENT_NAME",
            "PARTITION_NAME",
            "SEGMENT_TYPE",
            "SEGMENT_SUBTYPE",
            "TABLESPACE_NAME",
            "BYTES",
            "BUFFER_POOL",
        ],
        rows: (facts.segments.iter())
            .map(|s| {
                vec![
                    s.container.clone(),
                    s.owner.clone(),
                    text(&s.segment),
                    s.partition.clone(),
                    s.segment_type.clone(),
                    s.segment_subtype.clone(),
                    s.tablespace.clone(),
                    number(s.bytes),
                    s.buffer_pool.clone(),
                ]
            })
            .collect(),
    }
}

fn small_segments(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "small_segments",
        columns: &["CON", "TABLESPACE_NAME", "SEGMENTS", "BYTES"],
        rows: (facts.small_segments.iter())
            .map(|s| vec![s.container.clone(), text(&s.tablespace), number(s.segments), number(s.bytes)])
            .collect(),
    }
}

fn tables(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "tables",
        columns: &[
            "CON",
            "OWNER",
            "TABLE_NAME",
            "TABLESPACE_NAME",
            "PARTITIONED",
            "IOT_TYPE",
            "CLUSTER_NAME",
            "TEMPORARY",
            "NESTED",
            "HAS_LONG",
            "DEGREE",
            "LOGGING",
            "COMPRESSION",
            "COMPRESS_FOR",
            "BUFFER_POOL",
            "NUM_ROWS",
            "BLOCKS",
        ],
        rows: (facts.tables.iter())
            .map(|t| {
                vec![
                    t.container.clone(),
                    text(&t.owner),
                    text(&t.table),
                    t.tablespace.clone(),
                    yes_no(t.partitioned),
                    t.iot_type.clone(),
                    t.cluster.clone(),
                    word(t.temporary, "Y", "N"),
                    yes_no(t.nested),
                    yes_no(t.has_long),
                    t.degree.clone(),
                    yes_no(t.logging),
                    t.compression.clone(),
                    None,
                    t.buffer_pool.clone(),
                    number(t.rows),
                    number(t.blocks),
                ]
            })
            .collect(),
    }
}

fn indexes(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "indexes",
        columns: &[
            "CON",
            "OWNER",
            "INDEX_NAME",
            "INDEX_TYPE",
            "TABLE_OWNER",
            "TABLE_NAME",
            "UNIQUENESS",
            "TABLESPACE_NAME",
            "STATUS",
            "PARTITIONED",
            "JOIN_INDEX",
            "DEGREE",
            "LOGGING",
            "BUFFER_POOL",
        ],
        rows: (facts.indexes.iter())
            .map(|i| {
                vec![
                    i.container.clone(),
                    text(&i.owner),
                    text(&i.index),
                    i.index_type.clone(),
                    i.table_owner.clone(),
                    i.table.clone(),
                    word(i.unique, "UNIQUE", "NONUNIQUE"),
                    i.tablespace.clone(),
                    i.status.clone(),
                    yes_no(i.partitioned),
                    yes_no(i.join_index),
                    i.degree.clone(),
                    yes_no(i.logging),
                    i.buffer_pool.clone(),
                ]
            })
            .collect(),
    }
}

fn lobs(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "lobs",
        columns: &[
            "CON",
            "OWNER",
            "TABLE_NAME",
            "COLUMN_NAME",
            "SEGMENT_NAME",
            "INDEX_NAME",
            "TABLESPACE_NAME",
            "SECUREFILE",
            "PARTITIONED",
        ],
        rows: (facts.lobs.iter())
            .map(|l| {
                vec![
                    l.container.clone(),
                    text(&l.owner),
                    text(&l.table),
                    text(&l.column),
                    text(&l.segment),
                    l.index.clone(),
                    l.tablespace.clone(),
                    yes_no(l.securefile),
                    yes_no(l.partitioned),
                ]
            })
            .collect(),
    }
}

fn files(facts: &Collected, name: &'static str, temp: bool) -> SpoolSection {
    let row = |f: &CollectedFile| {
        vec![
            f.container.clone(),
            whole(f.file_id),
            text(&f.tablespace),
            text(&f.file),
            number(f.bytes),
            number(f.max_bytes),
            yes_no(f.autoextensible),
        ]
    };
    SpoolSection {
        name,
        columns: &["CON", "FILE_ID", "TABLESPACE_NAME", "FILE_NAME", "BYTES", "MAXBYTES", "AUTOEXTENSIBLE"],
        rows: facts.files.iter().filter(|f| f.is_temp == temp).map(row).collect(),
    }
}

fn tablespaces(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "tablespaces",
        columns: &[
            "CON",
            "TABLESPACE_NAME",
            "BLOCK_SIZE",
            "CONTENTS",
            "BIGFILE",
            "SEGMENT_SPACE_MANAGEMENT",
            "ENCRYPTED",
            "LOGGING",
            "FORCE_LOGGING",
        ],
        rows: (facts.tablespaces.iter())
            .map(|t| {
                vec![
                    t.container.clone(),
                    text(&t.tablespace),
                    whole(t.block_size_bytes),
                    t.contents.clone(),
                    yes_no(t.bigfile),
                    t.segment_space_management.clone(),
                    yes_no(t.encrypted),
                    word(t.logging, "LOGGING", "NOLOGGING"),
                    yes_no(t.force_logging),
                ]
            })
            .collect(),
    }
}

fn redo(facts: &Collected) -> SpoolSection {
    let mut rows = Vec::new();
    for group in &facts.redo_groups {
        let mut row = |member: Cell| {
            rows.push(vec![
                whole(group.thread),
                whole(Some(group.group)),
                text(if group.is_standby { "STANDBY" } else { "ONLINE" }),
                number(group.bytes),
                whole(group.block_size_bytes),
                group.status.clone(),
                member,
            ]);
        };
        group.members.iter().for_each(|m| row(text(m)));
        if group.members.is_empty() {
            row(None);
        }
    }
    SpoolSection {
        name: "redo",
        columns: &["THREAD", "GROUP_NO", "TYPE", "BYTES", "BLOCKSIZE", "STATUS", "MEMBER"],
        rows,
    }
}

fn control_files(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "control_files",
        columns: &["NAME", "BYTES"],
        rows: facts.control_files.iter().map(|c| vec![text(&c.file), number(c.bytes)]).collect(),
    }
}

fn quotas(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "quotas",
        columns: &["USERNAME", "TABLESPACE_NAME", "BYTES", "MAX_BYTES"],
        rows: (facts.quotas.iter())
            .map(|q| {
                let max = if q.unlimited { text("-1") } else { number(q.max_bytes) };
                vec![text(&q.user), q.tablespace.clone(), number(q.bytes), max]
            })
            .collect(),
    }
}

fn statements(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "statements",
        columns: &[
            "CON",
            "SQL_ID",
            "OLD_HASH_VALUE",
            "PLAN_HASH_VALUE",
            "EXECUTIONS",
            "DISK_READS",
            "READ_REQUESTS",
            "READ_BYTES",
            "DIRECT_WRITES",
            "BUFFER_GETS",
            "ELAPSED_US",
            "CPU_US",
            "USER_IO_WAIT_US",
            "SQL_TEXT",
        ],
        rows: (facts.statements.iter())
            .map(|s| {
                vec![
                    s.container.clone(),
                    s.sql_id.clone(),
                    whole(s.old_hash),
                    whole(s.plan_hash),
                    number(s.executions),
                    number(s.disk_reads),
                    number(s.read_requests),
                    number(s.read_bytes),
                    number(s.direct_writes),
                    number(s.buffer_gets),
                    micros(s.elapsed_s),
                    micros(s.cpu_s),
                    micros(s.user_io_wait_s),
                    s.text.clone(),
                ]
            })
            .collect(),
    }
}

fn plans(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "plans",
        columns: &[
            "CON",
            "SQL_ID",
            "OLD_HASH_VALUE",
            "PLAN_HASH_VALUE",
            "CHILDREN",
            "EXECUTIONS",
            "ID",
            "PARENT_ID",
            "DEPTH",
            "OPERATION",
            "OPTIONS",
            "OBJECT_OWNER",
            "OBJECT_NAME",
            "OBJECT_TYPE",
            "CARDINALITY",
            "BYTES",
            "COST",
            "IO_COST",
            "TEMP_SPACE",
            "PARTITION_START",
            "PARTITION_STOP",
            "STARTS",
            "DISK_READS",
        ],
        rows: (facts.plan_rows.iter())
            .map(|p| {
                vec![
                    p.container.clone(),
                    p.sql_id.clone(),
                    whole(p.old_hash),
                    whole(p.plan_hash),
                    number(p.children),
                    number(p.executions),
                    whole(p.id),
                    whole(p.parent_id),
                    whole(p.depth),
                    text(&p.operation),
                    p.options.clone(),
                    p.object_owner.clone(),
                    p.object.clone(),
                    p.object_type.clone(),
                    number(p.cardinality),
                    number(p.bytes),
                    number(p.cost),
                    number(p.io_cost),
                    number(p.temp_bytes),
                    p.partition_start.clone(),
                    p.partition_stop.clone(),
                    number(p.measured_starts),
                    number(p.measured_reads),
                ]
            })
            .collect(),
    }
}

fn cache(facts: &Collected) -> SpoolSection {
    SpoolSection {
        name: "cache",
        columns: &[
            "CON",
            "INST_ID",
            "OWNER",
            "OBJECT_NAME",
            "SUBOBJECT_NAME",
            "OBJECT_TYPE",
            "BUFFERS",
            "DIRTY",
            "FLASH_BUFFERS",
        ],
        rows: (facts.cached.iter())
            .map(|c| {
                vec![
                    c.container.clone(),
                    whole(c.instance_number),
                    c.owner.clone(),
                    text(&c.object),
                    c.subobject.clone(),
                    c.object_type.clone(),
                    number(c.buffers),
                    number(c.dirty_buffers),
                    number(c.flash_buffers),
                ]
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{SpoolSection, render_collected, render_spool};
    use spindle_facts::{Collected, Quota};

    #[test]
    fn a_delimiter_in_a_name_is_written_as_its_code() {
        let rows = vec![vec![Some("a|b%c\nd\te\rf".to_owned()), None]];
        let section = SpoolSection { name: "control_files", columns: &["NAME", "BYTES"], rows };
        let text = render_spool("segments", &[("db_name", Some("ORCL".to_owned()))], &[section]);
        assert_eq!(
            text,
            "SPINDLE|1|segments\nH|db_name|ORCL\n-- control_files: begins 2026-01-31 12:00:00\n\
             B|control_files|NAME|BYTES\nD|a%7Cb%25c%0Ad%09e%0Df|\nE|control_files|1\nZ|segments\n"
        );
    }

    #[test]
    fn every_row_has_as_many_cells_as_its_section_has_columns() {
        let facts = Collected {
            segments: vec![Default::default()],
            small_segments: vec![Default::default()],
            tables: vec![Default::default()],
            indexes: vec![Default::default()],
            lobs: vec![Default::default()],
            files: vec![Default::default()],
            tablespaces: vec![Default::default()],
            redo_groups: vec![Default::default()],
            control_files: vec![Default::default()],
            quotas: vec![Quota { unlimited: true, ..Default::default() }],
            plan_rows: vec![Default::default()],
            statements: vec![Default::default()],
            cached: vec![Default::default()],
            ..Default::default()
        };
        let text = render_collected(&facts);
        let mut columns = 0;
        let mut rows = 0;
        for line in text.lines() {
            let bars = line.matches('|').count();
            match line.split('|').next() {
                Some("B") => columns = bars - 1,
                Some("D") => {
                    assert_eq!(bars, columns, "{line}");
                    rows += 1;
                }
                _ => {}
            }
        }
        assert_eq!(rows, 13);
    }
}
