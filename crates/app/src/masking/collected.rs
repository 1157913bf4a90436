//! Masking what was collected beside the reports, with the pseudonyms of their names, so that both still
//! join.

use super::plan_words::plan_words;
use super::pseudonyms::Sort;
use super::{Masker, without_quotation};
use spindle_facts::Collected;
use spindle_planning::PlaceOptions;

impl Masker {
    /// Masks a collected file in place.
    pub(crate) fn collected(&mut self, file: &mut Collected) {
        file.source = self.source(&file.source);
        let origin = &mut file.origin;
        // The identifier names the database as surely as its name. A container has one of its own, which
        // does not tell its database from another.
        let id = origin.db_id.take().filter(|_| origin.container.is_none());
        self.database_name(&mut origin.db_name, id);
        self.optional(Sort::Container, &mut origin.container);
        self.host(&mut origin.host);
        for note in &mut file.notes {
            note.message = self.names.in_sentence(&without_quotation(&note.message));
            note.effect = self.names.in_sentence(&without_quotation(&note.effect));
            self.text_if_any(&mut note.section);
        }
        for section in &mut file.sections {
            self.text(&mut section.title);
        }
        for row in &mut file.segments {
            self.optional(Sort::Container, &mut row.container);
            self.optional(Sort::User, &mut row.owner);
            row.segment = self.names.of(Sort::Object, &row.segment);
            self.optional(Sort::Object, &mut row.partition);
            self.optional(Sort::Tablespace, &mut row.tablespace);
        }
        for row in &mut file.small_segments {
            self.optional(Sort::Container, &mut row.container);
            row.tablespace = self.names.of(Sort::Tablespace, &row.tablespace);
        }
        for row in &mut file.tables {
            self.optional(Sort::Container, &mut row.container);
            row.owner = self.names.of(Sort::User, &row.owner);
            row.table = self.names.of(Sort::Object, &row.table);
            self.optional(Sort::Object, &mut row.cluster);
            self.optional(Sort::Tablespace, &mut row.tablespace);
        }
        for row in &mut file.indexes {
            self.optional(Sort::Container, &mut row.container);
            row.owner = self.names.of(Sort::User, &row.owner);
            row.index = self.names.of(Sort::Object, &row.index);
            self.optional(Sort::User, &mut row.table_owner);
            self.optional(Sort::Object, &mut row.table);
            self.optional(Sort::Tablespace, &mut row.tablespace);
        }
        for row in &mut file.lobs {
            self.optional(Sort::Container, &mut row.container);
            row.owner = self.names.of(Sort::User, &row.owner);
            row.table = self.names.of(Sort::Object, &row.table);
            row.column = self.names.of(Sort::Object, &row.column);
            row.segment = self.names.of(Sort::Object, &row.segment);
            self.optional(Sort::Object, &mut row.index);
            self.optional(Sort::Tablespace, &mut row.tablespace);
        }
        for row in &mut file.files {
            self.optional(Sort::Container, &mut row.container);
            row.tablespace = self.names.of(Sort::Tablespace, &row.tablespace);
            row.file = self.path(&row.file);
        }
        for row in &mut file.tablespaces {
            self.optional(Sort::Container, &mut row.container);
            row.tablespace = self.names.of(Sort::Tablespace, &row.tablespace);
        }
        for row in &mut file.redo_groups {
            for member in &mut row.members {
                *member = self.path(member);
            }
        }
        for row in &mut file.control_files {
            row.file = self.path(&row.file);
        }
        for row in &mut file.quotas {
            row.user = self.names.of(Sort::User, &row.user);
            self.optional(Sort::Tablespace, &mut row.tablespace);
        }
        for row in file.plan_rows.iter_mut().chain(&mut file.history_plan_rows) {
            plan_words(&mut row.operation);
            row.options.iter_mut().for_each(plan_words);
            self.optional(Sort::Container, &mut row.container);
            self.optional(Sort::User, &mut row.object_owner);
            self.optional(Sort::Object, &mut row.object);
        }
        for row in file.statements.iter_mut().chain(&mut file.history_statements) {
            self.optional(Sort::Container, &mut row.container);
            row.text = row.text.take().map(|text| super::statement(&text));
        }
        for row in &mut file.cached {
            self.optional(Sort::Container, &mut row.container);
            self.optional(Sort::User, &mut row.owner);
            row.object = self.names.of(Sort::Object, &row.object);
            self.optional(Sort::Object, &mut row.subobject);
        }
    }

    /// Masks the names that the user gave, with the pseudonyms learnt from reports and files; what those
    /// do not hold gets one of its own.
    pub(crate) fn place_options(&mut self, options: &mut PlaceOptions) {
        let named = options.sizes.iter_mut().map(|s| &mut s.0);
        let pinned = options.pinned.iter_mut().map(|p| &mut p.0);
        for name in named.chain(pinned).chain(&mut options.banned) {
            *name = self.asked(name);
        }
        if let Some(name) = &mut options.database {
            let known = self.names.known(&[Sort::Database, Sort::Container], name);
            *name = known.unwrap_or_else(|| self.names.of(Sort::Name, name));
        }
    }

    /// `NAME`, `OWNER.NAME`, `OWNER.NAME.PARTITION`, or words of ours with one: `tablespace NAME`.
    fn asked(&mut self, name: &str) -> String {
        const OURS: &[&str] = &["temp", "redo", "redo logs", "control", "control files"];
        if OURS.iter().any(|word| name.eq_ignore_ascii_case(word)) {
            return name.to_owned();
        }
        for words in ["rest of tablespace ", "undo tablespace ", "tablespace ", "file "] {
            let begins = name.get(..words.len()).is_some_and(|head| head.eq_ignore_ascii_case(words));
            if let (true, Some(rest)) = (begins, name.get(words.len()..)) {
                let known = self.names.known(&[Sort::Tablespace, Sort::File], rest);
                return words.to_owned() + &known.unwrap_or_else(|| self.names.of(Sort::Name, rest));
            }
        }
        const ALONE: &[Sort] = &[Sort::Object, Sort::Tablespace, Sort::File];
        if let Some(known) = self.names.known(ALONE, name) {
            return known;
        }
        let mut parts: Vec<String> = Vec::new();
        for (at, part) in name.split('.').enumerate() {
            let sorts: &[Sort] = if at == 0 { &[Sort::User, Sort::Object] } else { &[Sort::Object] };
            let known = self.names.known(sorts, part);
            parts.push(known.unwrap_or_else(|| self.names.of(Sort::Name, part)));
        }
        parts.join(".")
    }
}
