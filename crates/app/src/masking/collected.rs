//! Masking what was collected beside the reports, with the pseudonyms of their names, so that both still
//! join.

use super::Masker;
use super::pseudonyms::Sort;
use spindle_facts::Collected;
use spindle_planning::PlaceOptions;

impl Masker {
    /// Masks a collected file in place.
    pub(crate) fn collected(&mut self, file: &mut Collected) {
        file.source = self.source(&file.source);
        let origin = &mut file.origin;
        // The identifier names the database as surely as its name.
        origin.db_id = None;
        self.optional(Sort::Database, &mut origin.db_name);
        self.optional(Sort::Container, &mut origin.container);
        self.host(&mut origin.host);
        for note in &mut file.notes {
            self.text(&mut note.message);
            self.text(&mut note.effect);
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
        for row in &mut file.plan_rows {
            self.optional(Sort::Container, &mut row.container);
            self.optional(Sort::User, &mut row.object_owner);
            self.optional(Sort::Object, &mut row.object);
        }
        for row in &mut file.statements {
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

    /// Masks the names that the user gave, with the pseudonyms learnt from reports and files.
    pub(crate) fn place_options(&self, options: &mut PlaceOptions) {
        let named = options.sizes.iter_mut().map(|s| &mut s.0);
        let pinned = options.pinned.iter_mut().map(|p| &mut p.0);
        for name in named.chain(pinned).chain(&mut options.banned) {
            self.text(name);
        }
        if let Some(name) = &mut options.database {
            self.text(name);
        }
    }
}
