//! `--mask`: names of databases, hosts, users, services, objects, files and the text of SQL leave
//! nothing behind in what is written; the numbers, and Oracle's own names, stay.
//!
//! Every name-bearing cell of the facts is replaced by its sort (`db-1`, `host-1`, `user-1`), the
//! same over all reports of a run. Sentences (findings, notes, titles) lose the names that the
//! cells of their report hold. What cannot be told apart from a name is masked too.

mod collected;
mod measured;
mod plan_words;
mod pseudonyms;
mod report;
mod said;

use crate::input::Unread;
use pseudonyms::{Pseudonyms, Sort};
use spindle_facts::{Identity, other_host};
use std::collections::HashMap;
use std::ops::Deref;

/// Written where nothing of the original may stay.
const MASKED: &str = "<masked>";

/// Replaces names, with one memory for a whole run.
#[derive(Debug, Default)]
pub(crate) struct Masker {
    names: Pseudonyms,
    /// Databases by name, with the identifier first seen with it.
    databases: HashMap<String, Option<u64>>,
    /// Hosts as first seen, with their pseudonyms.
    hosts: Vec<(String, String)>,
}

impl Masker {
    /// A file name (and member): `report-1`. A file name often holds the names of database and host.
    pub(crate) fn source(&mut self, source: &str) -> String {
        self.names.of(Sort::Report, source)
    }

    /// An input that was not read; the reason is ours, and what it quotes may name somebody.
    pub(crate) fn unread(&mut self, unread: &mut Unread) {
        unread.source = self.source(&unread.source);
        unread.reason = self.names.in_sentence(&without_quotation(&unread.reason));
    }

    fn optional<T: Deref<Target = str> + From<String>>(&mut self, sort: Sort, name: &mut Option<T>) {
        if let Some(name) = name {
            *name = self.names.of(sort, name).into();
        }
    }

    /// A database, by its name; the identifier, which names it as surely, goes. Another database of
    /// the same name gets a pseudonym of its own, or their reports would become one series.
    fn database(&mut self, identity: &mut Identity) {
        let id = identity.db_id.take();
        if let Some(id) = id {
            self.names.forget_number(id);
        }
        self.database_name(&mut identity.db_name, id);
    }

    fn database_name(&mut self, name: &mut Option<String>, id: Option<u64>) {
        if let Some(name) = name {
            let first = *self.databases.entry(name.to_lowercase()).or_insert(id);
            let another = first.zip(id).filter(|(first, id)| first != id);
            *name = match another {
                Some((_, id)) => self.names.of(Sort::Database, &format!("{name} {id}")),
                None => self.names.of(Sort::Database, name),
            };
        }
    }

    /// A host name, which also goes by its part before the first dot, and as text cuts it: what else would be two hosts
    /// of one instance.
    fn host(&mut self, name: &mut Option<String>) {
        if let Some(name) = name {
            let known = self.hosts.iter().find(|(known, _)| !other_host(Some(known), Some(name)));
            let pseudonym = match known {
                Some((known, pseudonym)) => {
                    if known != name {
                        self.names.remember(name, pseudonym);
                    }
                    pseudonym.clone()
                }
                None => {
                    let pseudonym = self.names.of(Sort::Host, name);
                    self.hosts.push((name.clone(), pseudonym.clone()));
                    pseudonym
                }
            };
            if let Some((short, domain)) = name.split_once('.') {
                self.names.remember(short, &pseudonym);
                self.names.remember(domain, "domain");
            }
            *name = pseudonym;
        }
    }

    /// A file name: its folder and itself, so that files of one folder stay recognisable as such.
    fn path(&mut self, path: &str) -> String {
        let Some(at) = path.rfind(['/', '\\']) else { return self.names.of(Sort::File, path) };
        let (folder, file) = (&path[..at], &path[at + 1..]);
        let disk_group = if folder.starts_with('+') { "+" } else { "" };
        format!("{disk_group}{}/{}", self.names.of(Sort::Folder, folder), self.names.of(Sort::File, file))
    }

    /// A sentence or title without names.
    fn text(&self, text: &mut String) {
        *text = self.names.in_sentence(text);
    }

    fn text_if_any(&self, text: &mut Option<String>) {
        if let Some(text) = text {
            self.text(text);
        }
    }
}

/// A sentence whose quotations in backticks, which show what stands in a report, are masked unless
/// they hold no letters.
fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (n, part) in text.split('`').enumerate() {
        let quotation = n % 2 == 1;
        if n > 0 {
            out.push('`');
        }
        out.push_str(if quotation && part.contains(char::is_alphabetic) { MASKED } else { part });
    }
    out
}

/// A sentence of ours about one place of a file, without what it quotes: from the first backtick to the
/// last, since what is quoted may hold some. The code of an error stays, `ORA-00942: <masked>`.
fn without_quotation(text: &str) -> String {
    let (Some(first), Some(last)) = (text.find('`'), text.rfind('`')) else { return text.to_owned() };
    if first == last {
        return text.get(..first).unwrap_or_default().to_owned() + MASKED;
    }
    let quoted = &text[first + 1..last];
    let code = quoted.trim_start().split(':').next().filter(|code| {
        code.len() <= 12
            && ["ORA-", "SP2-", "PLS-", "TNS-"]
                .iter()
                .any(|p| code.strip_prefix(p).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())))
    });
    let kept = match code {
        Some(code) => format!("{code}: {MASKED}"),
        None if quoted.chars().count() <= 1 || is_figure(quoted) => quoted.to_owned(),
        None => MASKED.to_owned(),
    };
    format!("{}`{kept}`{}", &text[..first], &text[last + 1..])
}

/// Is it a figure, with or without a unit, that names nobody? A network address is none.
fn is_figure(text: &str) -> bool {
    let text = text.trim();
    if text.split(|c: char| !c.is_ascii_digit() && c != '.').any(|part| part.matches('.').count() == 3) {
        return false;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    !text.chars().any(|c| !(c.is_ascii_alphanumeric() || " .,:%#+-/()[]".contains(c)))
        && (letters == 0
            || (letters <= 2 && text.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-')))
}

/// The first word of a statement, `SELECT <masked>`.
fn statement(text: &str) -> String {
    const VERBS: &[&str] = &[
        "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "BEGIN", "DECLARE", "CALL", "CREATE",
        "ALTER", "DROP", "TRUNCATE", "LOCK", "COMMIT", "ROLLBACK", "EXPLAIN", "ANALYZE", "GRANT", "REVOKE",
        "COMMENT", "AUDIT", "SET",
    ];
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix("/*").and_then(|r| r.split_once("*/")).map(|(_, after)| after) {
        rest = after.trim_start();
    }
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_uppercase();
    if VERBS.contains(&word.as_str()) { format!("{word} {MASKED}") } else { MASKED.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{Masker, is_figure, statement, unquoted, without_quotation};

    #[test]
    fn statements_keep_their_verb_only() {
        assert_eq!(statement("select secret from t"), "SELECT <masked>");
        assert_eq!(statement(" /* acme */ /*+ x */ Insert into t"), "INSERT <masked>");
        assert_eq!(statement("acme.run(1)"), "<masked>");
        assert_eq!(statement("/* never ends"), "<masked>");
    }

    #[test]
    fn files_of_one_folder_stay_together() {
        let mut masker = Masker::default();
        assert_eq!(masker.path("/u02/oradata/acme/sales01.dbf"), "folder-1/file-1");
        assert_eq!(masker.path("/u02/oradata/acme/sales02.dbf"), "folder-1/file-2");
        assert_eq!(masker.path("+ACME/prod/datafile/users.259.1"), "+folder-2/file-3");
        assert_eq!(masker.path("D:\\ORADATA\\X.DBF"), "folder-3/file-4");
    }

    #[test]
    fn figures_are_not_names() {
        for figure in ["1,234.5K", "176/360 [ 49%]", "####", "12:30", "45.2%", "10ms", "-1", "2.3 G"] {
            assert!(is_figure(figure), "{figure}");
        }
        for name in ["acme", "x1", "10.0.0.1", "10.17.2.7:10.17.2.8", "a_b", "SELECT 1"] {
            assert!(!is_figure(name), "{name}");
        }
    }

    #[test]
    fn names_in_errors_of_the_database_were_left() {
        for (text, masked) in [
            (
                "the database answered `ORA-00942: table \"ACME\" does not exist`",
                "the database answered `ORA-00942: <masked>`",
            ),
            ("BYTES holds `acme12`: no number", "BYTES holds `<masked>`: no number"),
            ("BYTES holds `500M`: no number", "BYTES holds `500M`: no number"),
            ("BYTES holds `1.024`: no number", "BYTES holds `1.024`: no number"),
            ("outside stands `a `acme` b`", "outside stands `<masked>`"),
            ("no last line (`Z`): cut", "no last line (`Z`): cut"),
        ] {
            assert_eq!(without_quotation(text), masked);
        }
    }

    #[test]
    fn quotations_go_unless_they_are_figures() {
        assert_eq!(unquoted("holds `######`, then `acme 3`"), "holds `######`, then `<masked>`");
    }
}
