//! Stable pseudonyms: the same name is the same pseudonym in everything that one run writes.

use std::collections::HashMap;

/// What a name names; the word becomes the pseudonym's first part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Database,
    Instance,
    Host,
    User,
    Container,
    Service,
    Module,
    Tablespace,
    Object,
    Folder,
    File,
    Value,
    Report,
    Name,
}

impl Sort {
    const ALL: &[Self] = &[
        Self::Database,
        Self::Instance,
        Self::Host,
        Self::User,
        Self::Container,
        Self::Service,
        Self::Module,
        Self::Tablespace,
        Self::Object,
        Self::Folder,
        Self::File,
        Self::Value,
        Self::Report,
        Self::Name,
    ];

    /// What makes two names the same: names in quotes keep the case of their letters, and `Orders` is
    /// not `ORDERS`.
    fn key(self, name: &str) -> String {
        match self {
            Self::Object | Self::User | Self::Tablespace => name.to_owned(),
            _ => name.to_lowercase(),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Database => "db",
            Self::Instance => "instance",
            Self::Host => "host",
            Self::User => "user",
            Self::Container => "pdb",
            Self::Service => "service",
            Self::Module => "module",
            Self::Tablespace => "tablespace",
            Self::Object => "object",
            Self::Folder => "folder",
            Self::File => "file",
            Self::Value => "value",
            Self::Report => "report",
            Self::Name => "name",
        }
    }
}

/// Names that Oracle gave itself: they tell nothing about a site, and the reader needs them.
const ORACLES_OWN: &[&str] = &[
    "SYS",
    "SYSTEM",
    "SYSAUX",
    "TEMP",
    "UNDO",
    "USERS",
    "PUBLIC",
    "DBSNMP",
    "SYSMAN",
    "CDB$ROOT",
    "PDB$SEED",
    "SYS$USERS",
    "SYS$BACKGROUND",
    "ROLLBACK",
    "** MISSING **",
    "** UNAVAILABLE **",
    "** NOT FOUND **",
    "*",
    "-",
    "UNKNOWN",
    "OTHER",
    "TOTAL",
    "OTHERS",
];

/// Is it a name that Oracle gave itself? Names of events and statistics of several words are: whatever
/// cell they stand in, sentences need them.
pub(super) fn is_oracles_own(name: &str) -> bool {
    let name = name.trim();
    let upper = name.to_ascii_uppercase();
    let numbered = |stem: &str| {
        upper.strip_prefix(stem).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '_'))
    };
    name.is_empty()
        || spindle_evidence::is_oracles_name(name)
        || ORACLES_OWN.contains(&upper.as_str())
        || ["UNDOTBS", "UNDO_", "TEMP", "UNDO"].iter().any(|stem| numbered(stem))
}

/// Words of Oracle's own names of events and statistics: a database called `LOG` is replaced in
/// sentences where it stands in capitals, but `log file sync` stays what it is.
const EVERYDAY: &[&str] = &[
    "a",
    "all",
    "and",
    "application",
    "archive",
    "array",
    "average",
    "background",
    "backup",
    "batch",
    "block",
    "blocks",
    "buffer",
    "busy",
    "by",
    "cache",
    "cell",
    "change",
    "checkpoint",
    "cluster",
    "commit",
    "concurrency",
    "contention",
    "control",
    "cpu",
    "current",
    "data",
    "database",
    "db",
    "direct",
    "disk",
    "event",
    "file",
    "files",
    "flash",
    "for",
    "foreground",
    "free",
    "full",
    "gc",
    "host",
    "i",
    "idle",
    "in",
    "index",
    "instance",
    "io",
    "is",
    "latch",
    "library",
    "line",
    "list",
    "load",
    "local",
    "lock",
    "log",
    "mean",
    "memory",
    "missing",
    "multi",
    "name",
    "network",
    "no",
    "not",
    "object",
    "of",
    "on",
    "or",
    "oracle",
    "other",
    "parallel",
    "path",
    "pga",
    "physical",
    "pool",
    "process",
    "query",
    "read",
    "reads",
    "recovery",
    "redo",
    "remote",
    "report",
    "request",
    "requests",
    "row",
    "scattered",
    "section",
    "segment",
    "segments",
    "sequential",
    "server",
    "service",
    "session",
    "sessions",
    "sga",
    "shared",
    "single",
    "size",
    "space",
    "sql",
    "statement",
    "statements",
    "statistics",
    "storage",
    "switch",
    "sync",
    "system",
    "table",
    "tables",
    "tablespace",
    "temp",
    "the",
    "time",
    "to",
    "transaction",
    "transactions",
    "undo",
    "user",
    "users",
    "wait",
    "waits",
    "with",
    "work",
    "write",
    "writer",
    "writes",
];

/// Words that sentences of ours print in capitals; they are never taken for a name.
const ACRONYMS: &[&str] = &[
    "addm", "ash", "asm", "awr", "cpu", "db", "dba", "iops", "io", "mb", "mib", "ms", "oltp", "pga", "pl",
    "rac", "rman", "sga", "sql", "ssd", "us",
];

/// Pseudonyms given so far.
#[derive(Debug, Default)]
pub(super) struct Pseudonyms {
    given: HashMap<(Sort, String), String>,
    count: HashMap<Sort, u32>,
    /// Names to be replaced inside sentences, by their first word.
    in_sentences: HashMap<String, Vec<(String, String)>>,
}

impl Pseudonyms {
    /// Is it a word that takes the place of a name, `db-1` or `db-1_2`?
    pub(super) fn is_pseudonym(word: &str) -> bool {
        word.split_once('-').is_some_and(|(sort, number)| {
            Sort::ALL.iter().any(|s| s.word() == sort)
                && number.starts_with(|c: char| c.is_ascii_digit())
                && number.bytes().all(|b| b.is_ascii_digit() || b == b'_')
        })
    }

    /// The pseudonym of a name, which from now on is also replaced inside sentences.
    pub(super) fn of(&mut self, sort: Sort, name: &str) -> String {
        let name = name.trim();
        if is_oracles_own(name) {
            return name.to_owned();
        }
        let key = (sort, sort.key(name));
        if let Some(pseudonym) = self.given.get(&key) {
            return pseudonym.clone();
        }
        let count = self.count.entry(sort).or_default();
        *count += 1;
        let pseudonym = format!("{}-{count}", sort.word());
        self.given.insert(key, pseudonym.clone());
        self.remember(name, &pseudonym);
        pseudonym
    }

    /// The pseudonym that a name already has as one of some sorts, in any case of letters.
    pub(super) fn known(&self, sorts: &[Sort], name: &str) -> Option<String> {
        let name = name.trim();
        if is_oracles_own(name) {
            return Some(name.to_owned());
        }
        let spelled = [name.to_owned(), name.to_uppercase(), name.to_lowercase()];
        let mut keys = sorts.iter().flat_map(|sort| spelled.iter().map(move |n| (*sort, sort.key(n))));
        keys.find_map(|key| self.given.get(&key).cloned())
    }

    /// Lets `name` be replaced inside sentences. Single characters and numbers are not: they name
    /// nobody, and the sentence would lose its figures.
    pub(super) fn remember(&mut self, name: &str, pseudonym: &str) {
        if name.chars().count() < 2 || !name.contains(char::is_alphabetic) {
            return;
        }
        if ACRONYMS.contains(&name.to_lowercase().as_str()) {
            return;
        }
        let names = self.in_sentences.entry(first_word(name)).or_default();
        if !names.iter().any(|(known, _)| known == name) {
            names.push((name.to_owned(), pseudonym.to_owned()));
            // The longest name that fits must win: `PROD_DG` before `PROD`.
            names.sort_by_key(|(known, _)| std::cmp::Reverse(known.len()));
        }
    }

    /// A number that names a database as surely as its name does, as in `ADDM:1431238624_1_22`: 0 stands for it.
    pub(super) fn forget_number(&mut self, number: u64) {
        let digits = number.to_string();
        // A short one is no identifier of a database, and stands for something else in many places.
        if digits.len() < 6 {
            return;
        }
        let names = self.in_sentences.entry(first_word(&digits)).or_default();
        if !names.iter().any(|(known, _)| *known == digits) {
            names.push((digits, "0".to_owned()));
            names.sort_by_key(|(known, _)| std::cmp::Reverse(known.len()));
        }
    }

    /// A sentence without the names known so far: whole words, or words that only digits follow
    /// (`prod` in `prod2`), in any case of letters.
    pub(super) fn in_sentence(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut in_word = false;
        while let Some(c) = rest.chars().next() {
            let found = (!in_word).then(|| self.known_at(rest)).flatten();
            if let Some((name, pseudonym)) = found {
                out.push_str(pseudonym);
                rest = &rest[name.len()..];
                if rest.starts_with(|c: char| c.is_numeric()) {
                    out.push('_');
                }
                in_word = true;
            } else {
                out.push(c);
                rest = &rest[c.len_utf8()..];
                in_word = c.is_alphanumeric();
            }
        }
        out
    }

    fn known_at(&self, text: &str) -> Option<&(String, String)> {
        self.in_sentences.get(&first_word(text))?.iter().find(|(name, _)| stands_at_start(text, name))
    }
}

/// First letters of a text in lower case, without digits at the end; a sign stands for itself.
fn first_word(text: &str) -> String {
    let letters = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match letters.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "" => text.chars().take(1).collect(),
        word => word.to_lowercase(),
    }
}

fn stands_at_start(text: &str, name: &str) -> bool {
    let Some(head) = text.get(..name.len()) else { return false };
    let same = if EVERYDAY.contains(&name.to_lowercase().as_str()) {
        head == name && name.contains(char::is_uppercase)
    } else {
        head.eq_ignore_ascii_case(name)
    };
    let ends_in_letter = name.ends_with(char::is_alphabetic);
    let next = text[name.len()..].chars().next();
    same && !next.is_some_and(|c| c.is_alphabetic() || (c.is_numeric() && !ends_in_letter))
}

#[cfg(test)]
mod tests {
    use super::{Pseudonyms, Sort};

    #[test]
    fn one_name_has_one_pseudonym_in_any_case() {
        let mut names = Pseudonyms::default();
        assert_eq!(names.of(Sort::Database, "PROD"), "db-1");
        assert_eq!(names.of(Sort::Database, "prod "), "db-1");
        assert_eq!(names.of(Sort::Database, "TEST"), "db-2");
        assert_eq!(names.of(Sort::User, "SYS"), "SYS");
        assert_eq!(names.of(Sort::Object, "ORDERS"), "object-1");
        assert_eq!(names.of(Sort::Object, "Orders"), "object-2", "in quotes");
        assert_eq!(names.known(&[Sort::Object], "orders").as_deref(), Some("object-1"));
        assert_eq!(names.of(Sort::Tablespace, "UNDOTBS2"), "UNDOTBS2");
        assert_eq!(names.of(Sort::Module, "gc buffer busy acquire"), "gc buffer busy acquire");
        assert_eq!(names.of(Sort::Module, "gc buffer busy acme"), "module-1");
    }

    #[test]
    fn names_go_from_sentences_and_words_stay() {
        let mut names = Pseudonyms::default();
        names.of(Sort::Database, "PROD");
        names.of(Sort::Database, "LOG");
        names.of(Sort::Host, "node7.acme.example");
        names.of(Sort::Value, "PROD_DG");
        let text = "prod2 on node7.acme.example: log file sync of LOG, PROD_DG, product, PROD's 7 reads";
        assert_eq!(
            names.in_sentence(text),
            "db-1_2 on host-1: log file sync of db-2, value-1, product, db-1's 7 reads"
        );
    }
}
