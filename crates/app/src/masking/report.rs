//! Masking the facts of a report: every cell that can hold a name of the site.

use super::{MASKED, Masker, Pseudonyms, Sort, is_figure, statement, unquoted};
use spindle_facts::{Identity, Parameter, PrintedRow, Report, Tables, TablespaceIo, Value};

impl Masker {
    /// Masks a report in place. Rows, numbers and lines stay as they are.
    pub(crate) fn report(&mut self, report: &mut Report) {
        self.identity(&mut report.identity);
        self.tables(&mut report.tables);
        for section in &mut report.sections {
            self.title(&mut section.title);
        }
        for note in &mut report.notes {
            note.message = self.names.in_sentence(&unquoted(&note.message));
            note.effect = self.names.in_sentence(&unquoted(&note.effect));
            if let Some(section) = &mut note.section {
                self.title(section);
            }
        }
        for table in &mut report.raw_tables {
            self.title(&mut table.title);
            for heading in &mut table.headings {
                self.title(heading);
            }
            table.rows = table.rows.map(|cell| if is_figure(cell) { cell } else { MASKED });
        }
    }

    fn identity(&mut self, identity: &mut Identity) {
        self.database(identity);
        self.optional(Sort::Instance, &mut identity.instance);
        self.host(&mut identity.host);
        self.optional(Sort::Container, &mut identity.container);
        keep_if(&mut identity.role, |role| ROLES.contains(&role));
        identity.source = self.source(&identity.source);
    }

    /// A title or heading: without names, and gone where a word is left that Oracle does not print.
    fn title(&self, title: &mut String) {
        let without_names = self.names.in_sentence(title);
        let word = |word: &str| {
            is_sql_id(word) || Pseudonyms::is_pseudonym(word) || spindle_evidence::are_oracles_words(word)
        };
        let known = without_names.split(|c: char| c.is_whitespace() || "()[]:;,./".contains(c)).all(word);
        *title = if known { without_names } else { MASKED.to_owned() };
    }

    fn tables(&mut self, tables: &mut Tables) {
        for row in &mut tables.segment_stat {
            self.optional(Sort::User, &mut row.owner);
            self.optional(Sort::Tablespace, &mut row.tablespace);
            self.optional(Sort::Object, &mut row.object);
            self.optional(Sort::Object, &mut row.subobject);
            self.optional(Sort::Container, &mut row.container);
            keep_if(&mut row.object_type, is_type_of_object);
            row.object_number = None;
        }
        for row in &mut tables.tablespace_io {
            self.tablespace(row);
        }
        for row in &mut tables.file_io {
            self.tablespace(&mut row.io);
            row.file = self.path(&row.file);
        }
        for row in &mut tables.sql_stat {
            keep_if(&mut row.sql_id, is_sql_id);
            self.optional(Sort::Module, &mut row.module);
            self.optional(Sort::Container, &mut row.container);
        }
        for row in &mut tables.parameter {
            self.parameter(row);
        }
        for rows in [
            &mut tables.file_read_histogram,
            &mut tables.service,
            &mut tables.rac_interconnect,
            &mut tables.undo,
            &mut tables.exadata_cell,
            &mut tables.exadata_flash_cache,
            &mut tables.exadata_smart_scan,
            &mut tables.resource_limit,
            &mut tables.shared_server,
            &mut tables.queue,
            &mut tables.ash_activity,
            &mut tables.sql_summary,
            &mut tables.database_size,
        ] {
            for row in rows {
                self.printed(row);
            }
        }
        for rows in [
            &mut tables.io_object_type,
            &mut tables.buffer_pool,
            &mut tables.buffer_wait,
            &mut tables.sga_advice,
            &mut tables.memory_advice,
            &mut tables.pga_aggregate,
            &mut tables.efficiency,
            &mut tables.cache_size,
            &mut tables.memory_stat,
            &mut tables.instance_recovery,
            &mut tables.enqueue,
            &mut tables.latch,
            &mut tables.mutex_sleep,
            &mut tables.channel_wait,
            &mut tables.process_activity,
            &mut tables.rac_cache,
            &mut tables.log_switch,
        ] {
            for row in rows {
                self.printed_of_oracle(row);
            }
        }
        for row in &mut tables.process_memory {
            self.optional(Sort::Container, &mut row.container);
        }
        for row in &mut tables.io_result {
            self.io_result(row);
        }
        for row in &mut tables.addm_finding {
            self.text(&mut row.finding);
            for words in [&mut row.description, &mut row.recommendation].into_iter().flatten() {
                MASKED.clone_into(words);
            }
        }
        for row in &mut tables.plan_row {
            super::plan_words::plan_words(&mut row.operation);
            row.options.iter_mut().for_each(super::plan_words::plan_words);
            self.optional(Sort::User, &mut row.object_owner);
            self.optional(Sort::Object, &mut row.object);
            self.optional(Sort::Container, &mut row.container);
        }
        for row in &mut tables.sql_text {
            keep_if(&mut row.sql_id, is_sql_id);
            row.text = statement(&row.text);
        }
    }

    fn tablespace(&mut self, row: &mut TablespaceIo) {
        row.tablespace = self.names.of(Sort::Tablespace, &row.tablespace);
        self.optional(Sort::Container, &mut row.container);
    }

    /// A row whose cells name something of the site, unless they are known to be Oracle's.
    fn printed(&mut self, row: &mut PrintedRow) {
        self.cells(row, |key, text| ORACLES_WORDS.contains(&key) && is_oracles(key, text));
    }

    /// A row in which Oracle names its own: latches, pools, ratios. What stands elsewhere in it may be
    /// anybody's.
    fn printed_of_oracle(&mut self, row: &mut PrintedRow) {
        self.cells(row, |key, text| {
            ORACLES_NAMES.contains(&key) || spindle_evidence::are_oracles_words(text)
        });
    }

    fn cells(&mut self, row: &mut PrintedRow, keeps: impl Fn(&str, &str) -> bool) {
        if row.cells.iter().any(|(key, _)| !is_key(key)) {
            let renamed = |key: &str| if is_key(key) { key.to_owned() } else { "masked".to_owned() };
            row.cells = row.cells.iter().map(|(key, value)| (renamed(key), value.clone())).collect();
        }
        for (key, value) in row.cells.iter_mut() {
            if let Value::Text(text) = value
                && !is_figure(text)
                && !keeps(key, text)
            {
                let masked = if key.contains("tablespace") {
                    self.names.of(Sort::Tablespace, text)
                } else if key.contains("file") {
                    self.path(text)
                } else if key.contains("service") {
                    self.names.of(Sort::Service, text)
                } else if key.contains("cell") || key.contains("host") {
                    self.names.of(Sort::Host, text)
                } else if key.contains("pdb") || key.starts_with("con") {
                    self.names.of(Sort::Container, text)
                } else {
                    self.names.of(Sort::Name, text)
                };
                *text = masked.into();
            }
        }
    }

    fn parameter(&mut self, row: &mut Parameter) {
        self.optional(Sort::Container, &mut row.container);
        if ["compatible", "optimizer_features_enable"].contains(&row.name.as_str()) {
            return;
        }
        for value in [&mut row.begin_value, &mut row.end_value].into_iter().flatten() {
            if names_nobody(value) {
                continue;
            }
            *value = match row.name.as_str() {
                "db_name" | "db_unique_name" => self.names.of(Sort::Database, value).into(),
                "instance_name" => self.names.of(Sort::Instance, value).into(),
                "service_names" => self.names.of(Sort::Service, value).into(),
                _ if value.contains(['/', '\\']) && !value.contains(['(', '=', ',']) => {
                    self.path(value).into()
                }
                _ => self.names.of(Sort::Value, value).into(),
            };
        }
    }
}

/// Keys of printed rows under which stand titles of sections and words of Oracle's own.
const ORACLES_WORDS: &[&str] = &[
    "section",
    "group",
    "event",
    "event_class",
    "top_row_source",
    "row_source",
    "sql_command_type",
    "phase_of_execution",
    "top_event",
    "event_caused",
    "event_name",
    "wait_event",
    "call_type",
    "session_type",
    "slot_time_duration",
    "parameter_1",
    "parameter_2",
    "parameter_3",
    "sql_id",
    "object_type",
    "command_name",
];

/// Keys of rows about Oracle's own parts, under which it names them.
const ORACLES_NAMES: &[&str] = &[
    "latch_name",
    "latch",
    "object_type",
    "group",
    "where",
    "statistic",
    "enqueue_type_request_reason",
    "block_class",
    "mutex_type",
    "location",
    "description",
    "ratio",
    "section",
    "metric",
    "process_type",
    "wait_class_type",
    "name",
    "class",
    "channel",
    "i_number",
];

/// Is a key made of a heading that Oracle prints? Of words and of bounds (`1ms`, `8k`).
fn is_key(key: &str) -> bool {
    const SHORT: &[&str] = &[
        "added",
        "available",
        "beginfree",
        "beginsize",
        "cs",
        "curr",
        "dif",
        "endfree",
        "endsize",
        "filesize",
        "freebuf",
        "fullplanhash",
        "hitratio",
        "line",
        "members",
        "metric",
        "pctfail",
        "phy",
        "phyreads",
        "phywrites",
        "planhash",
        "plus",
        "rank",
        "ratio",
        "rwsrc",
        "siz",
        "srl",
        "successful",
        "under",
    ];
    key.split('_').all(|word| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.len() <= 6
            || SHORT.contains(&word)
            || spindle_evidence::are_oracles_words(word)
    })
}

/// Is a text under a key of [`ORACLES_WORDS`] what Oracle prints there?
fn is_oracles(key: &str, text: &str) -> bool {
    match key {
        "sql_id" => is_sql_id(text),
        "object_type" => is_type_of_object(text),
        "top_row_source" | "row_source" => {
            let mut words = text.to_owned();
            super::plan_words::plan_words(&mut words);
            words == text || spindle_evidence::are_oracles_words(text)
        }
        // What an event says of itself: `file#`, `name|mode`.
        "parameter_1" | "parameter_2" | "parameter_3" => {
            spindle_evidence::are_oracles_words(&text.replace('#', " "))
        }
        _ => spindle_evidence::are_oracles_words(text),
    }
}

/// Roles of a database.
const ROLES: &[&str] = &["PRIMARY", "PHYSICAL STANDBY", "LOGICAL STANDBY", "SNAPSHOT STANDBY", "FAR SYNC"];

/// Types of objects, as `DBA_OBJECTS` and the segment sections print them. Source: Oracle Database
/// Reference, 19c, and what reports of 10.2 to 23ai print.
const TYPES: &[&str] = &[
    "CACHE",
    "CLUSTER",
    "INDEX",
    "INDEX PARTITION",
    "INDEX SUBPARTITION",
    "LOB",
    "LOB INDEX",
    "LOB PARTITION",
    "LOB SUBPARTITION",
    "LOBINDEX",
    "LOBSEGMENT",
    "MATERIALIZED VIEW",
    "NESTED TABLE",
    "QUEUE",
    "ROLLBACK",
    "SEQUENCE",
    "SYSTEM STATISTICS",
    "TABLE",
    "TABLE PARTITION",
    "TABLE SUBPARTITION",
    "TEMPORARY",
    "TYPE2 UNDO",
    "UNDEFINED",
    "UNDO",
    "VIEW",
];

/// Is it a type of object, in full or as a clipped column leaves it (`INDEX PART`, `TABLE SUBP`)?
fn is_type_of_object(text: &str) -> bool {
    let text = text.trim().to_ascii_uppercase();
    text.is_empty()
        || TYPES.contains(&text.as_str())
        || (text.len() >= 5 && TYPES.iter().any(|known| known.starts_with(&text)))
        || ["** UNAVAI", "** MISSIN", "** UNAVAILABLE **", "** MISSING **"].contains(&text.as_str())
}

/// Thirteen digits and small letters name a statement by its hash.
fn is_sql_id(text: &str) -> bool {
    text.len() == 13
        && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        && text.contains(|c: char| c.is_ascii_digit())
}

/// A cell that may only hold certain words.
fn keep_if<T: AsRef<str> + for<'s> From<&'s str>>(cell: &mut Option<T>, known: impl Fn(&str) -> bool) {
    if cell.as_ref().is_some_and(|text| !known(text.as_ref().trim())) {
        *cell = Some(MASKED.into());
    }
}

/// Values of parameters that are Oracle's words or plain figures, and so name nobody.
fn names_nobody(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "TRUE",
        "FALSE",
        "AUTO",
        "MANUAL",
        "ENABLE",
        "ENABLED",
        "DISABLE",
        "DISABLED",
        "ON",
        "OFF",
        "NONE",
        "NO",
        "YES",
        "ALL",
        "TYPICAL",
        "BASIC",
        "FULL",
        "CHOOSE",
        "ALL_ROWS",
        "FIRST_ROWS",
        "RULE",
        "EXACT",
        "FORCE",
        "SIMILAR",
        "DIRECTIO",
        "ASYNCH",
        "SETALL",
        "DB",
        "OS",
        "XML",
        "EXTENDED",
        "EXCLUSIVE",
        "SHARED",
        "LEGACY",
        "ADAPTIVE",
        "LIMITED",
        "UNLIMITED",
        "PARTIAL",
        "SIGNATURE",
        "AMERICAN",
        "AMERICA",
        "BINARY",
        "BYTE",
        "CHAR",
        "DIAGNOSTIC+TUNING",
        "DIAGNOSTIC",
        "TUNING",
        "STANDARD",
        "OFFLINE",
        "ONLINE",
        "IMMEDIATE",
        "WAIT",
        "NOWAIT",
        "COMMIT",
        "CRITICAL",
        "LOW",
        "HIGH",
        "DEFAULT",
        "METADATA",
        "NEVER",
        "ALWAYS",
        "DBFIPS_140",
    ];
    let value = value.trim();
    value.is_empty() || is_figure(value) || WORDS.contains(&value.to_ascii_uppercase().as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use spindle_facts::{FileIo, Kind, Layout, Note, RawTable, Section, SectionStatus, SegmentStat, SqlText};

    /// A report in which every name begins with `acme`.
    fn report() -> Report {
        let mut identity = Identity::unknown("/in/acme_prod.html", Kind::Awr, Layout::Html);
        identity.db_name = Some("ACMEPROD".into());
        identity.db_id = Some(77);
        identity.instance = Some("acmeprod1".into());
        identity.host = Some("acme07.corp.acme.example".into());
        let mut report = Report::new(identity);
        report.sections.push(Section {
            title: "Snapshots of ACMEPROD on acme07".into(),
            line: 1,
            status: SectionStatus::Unknown,
            rows: 1,
            lost: 0,
        });
        report.notes.push(Note {
            line: Some(3),
            section: Some("SQL of ACMEPROD".into()),
            message: "the cell holds `acme_customers`".into(),
            effect: "acmeprod1 is counted alone".into(),
        });
        let tables = &mut report.tables;
        tables.segment_stat.push(SegmentStat {
            owner: Some("ACME".into()),
            object: Some("ACME_ORDERS".into()),
            ..SegmentStat::default()
        });
        tables.file_io.push(FileIo {
            file: "/u02/acme/acme01.dbf".into(),
            io: TablespaceIo { tablespace: "ACME_DATA".into(), ..TablespaceIo::default() },
        });
        tables.sql_text.push(SqlText {
            line: 9,
            section: 0,
            sql_id: Some("7ws837zynp1zv".into()),
            old_hash: None,
            text: "select * from acme_orders".into(),
        });
        for (name, value) in [
            ("db_unique_name", "acmeprod_dg"),
            ("control_files", "/u02/acme/c1.ctl, /u03/acme/c2.ctl"),
            ("local_listener", "(ADDRESS=(HOST=acme07)(PORT=1521))"),
            ("cluster_interconnects", "10.17.2.7:10.17.2.8"),
            ("compatible", "11.2.0.3"),
            ("db_block_size", "8192"),
            ("filesystemio_options", "SETALL"),
        ] {
            tables.parameter.push(Parameter {
                name: name.into(),
                begin_value: Some(value.into()),
                ..Parameter::default()
            });
        }
        let cells = vec![("service_name", Value::Text("acme_web".into()))].into();
        tables.service.push(PrintedRow { line: 1, section: 0, instance_number: None, cells });
        report.raw_tables.push(RawTable {
            title: "Something of ACMEPROD".into(),
            rows: [[Some("acme"), Some("1,234"), None]].into_iter().collect(),
            ..RawTable::default()
        });
        report
    }

    #[test]
    fn no_name_is_left_in_any_cell_and_the_figures_stay() {
        let mut report = report();
        Masker::default().report(&mut report);
        let written = serde_json::to_string(&report).unwrap();
        assert!(!written.to_lowercase().contains("acme"), "{written}");
        assert!(!written.contains("77") && !written.contains("10.17"), "{written}");
        for kept in ["\"8192\"", "\"11.2.0.3\"", "\"SETALL\"", "1,234", "7ws837zynp1zv", "SELECT <masked>"] {
            assert!(written.contains(kept), "{kept} is gone from {written}");
        }
    }

    #[test]
    fn names_in_titles_and_headings_that_oracle_never_printed_were_left() {
        let mut report = report();
        for title in [
            "Tills of Acmeshop",
            "SQL ID: 7ws837zynp1zv",
            "Buffered Queue Subscribers",
            "of ACMEPROD/acmeprod1",
        ] {
            report.raw_tables.push(RawTable {
                title: title.into(),
                headings: vec!["Acmeshop Till".into(), "Reads".into(), "acme_id".into()],
                ..RawTable::default()
            });
            let status = SectionStatus::Unknown;
            report.sections.push(Section { title: title.into(), line: 1, status, rows: 1, lost: 0 });
        }
        report.identity.role = Some("of Acme".into());
        report
            .tables
            .segment_stat
            .push(SegmentStat { object_type: Some("ACME".into()), ..SegmentStat::default() });
        report.tables.sql_text.push(SqlText {
            line: 9,
            section: 0,
            sql_id: Some("acme".into()),
            old_hash: None,
            text: String::new(),
        });
        Masker::default().report(&mut report);
        let written = serde_json::to_string(&report).unwrap();
        assert!(!written.to_lowercase().contains("acme"), "{written}");
        let titles: Vec<&str> = report.raw_tables[1..].iter().map(|t| t.title.as_str()).collect();
        assert_eq!(
            titles,
            [MASKED, "SQL ID: 7ws837zynp1zv", "Buffered Queue Subscribers", "of db-1/instance-1"]
        );
        assert_eq!(report.raw_tables[1].headings, [MASKED, "Reads", MASKED]);
    }

    #[test]
    fn a_host_that_text_cuts_was_another_one_once_masked() {
        let mut masker = Masker::default();
        let mut masked = |name: &str| {
            let mut report = report();
            report.identity.host = Some(name.into());
            masker.report(&mut report);
            report.identity.host.unwrap()
        };
        let names = ["Delta3.fbu.lab.example", "Delta3.fbu.lab.e", "delta3", "delta31"];
        let found = names.map(&mut masked);
        assert_eq!(found, ["host-1", "host-1", "host-1", "host-2"]);
    }

    #[test]
    fn the_number_of_a_database_was_left_in_titles() {
        let mut report = report();
        report.identity.db_id = Some(1_431_238_624);
        let title = "ADDM Report for Task 'ADDM:1431238624_1_173497'";
        report.raw_tables.push(RawTable { title: title.into(), ..RawTable::default() });
        Masker::default().report(&mut report);
        assert!(!serde_json::to_string(&report).unwrap().contains("1431238624"));
        assert!(report.raw_tables[1].title.contains("ADDM:0_1_173497"), "{}", report.raw_tables[1].title);
    }

    #[test]
    fn names_under_headings_of_the_site_were_left_in_rows_of_latches() {
        let mut report = report();
        let cells = [
            ("latch_name", "shared pool"),
            ("acme", "ACME_PDB"),
            ("wait_time_s", "0 acme"),
            ("pdb_name", "ACME2"),
        ];
        let cells = cells.map(|(key, text)| (key, Value::Text(text.into()))).to_vec();
        report.tables.latch.push(PrintedRow {
            line: 1,
            section: 0,
            instance_number: None,
            cells: cells.into(),
        });
        Masker::default().report(&mut report);
        let written = serde_json::to_string(&report).unwrap();
        assert!(!written.to_lowercase().contains("acme"), "{written}");
        assert!(written.contains("shared pool") && written.contains("wait_time_s"), "{written}");
        for key in ["pct_nowait_miss", "1ms", "enqueue_type_request_reason", "estd_lc_time_saved_s"] {
            assert!(is_key(key), "{key}");
        }
        assert!(!is_key("kunde"));
    }

    #[test]
    fn types_of_objects_stay_in_full_and_clipped() {
        for known in ["TABLE", "INDEX PART", "TABLE SUBP", "LOB", "** UNAVAI"] {
            assert!(is_type_of_object(known), "{known}");
        }
        assert!(!is_type_of_object("ACME"));
        assert!(is_sql_id("7ws837zynp1zv") && !is_sql_id("acmewarehouse") && !is_sql_id("7WS837ZYNP1ZV"));
    }

    #[test]
    fn the_same_name_is_the_same_pseudonym_in_all_reports() {
        let mut masker = Masker::default();
        let (mut first, mut second) = (report(), report());
        masker.report(&mut first);
        masker.report(&mut second);
        assert_eq!(first.identity.db_name.as_deref(), Some("db-1"));
        assert_eq!(serde_json::to_string(&first).unwrap(), serde_json::to_string(&second).unwrap());
    }
}
