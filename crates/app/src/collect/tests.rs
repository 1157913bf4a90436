//! Every script that can be ordered is taken apart as SQL*Plus would, each query is parsed by a parser
//! that knows Oracle, and every name in it is looked up in the list of views and columns (`views.txt`)
//! of the oldest release that the query has to run on.
#![allow(clippy::unwrap_used)]

use super::section::Section;
use super::{Licence, Order, Release, What, catalogue, collect_script, reports};
use sqlparser::ast::{
    Expr, Ident, Query, Select, SelectItem, SetExpr, Statement, TableFactor, Visit, Visitor,
};
use sqlparser::dialect::OracleDialect;
use sqlparser::parser::Parser;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

fn order(what: What) -> Order {
    Order {
        what,
        release: None,
        licence: Licence::Diagnostics,
        days: 31,
        top: 500,
        container: None,
        text: false,
        no_cache: false,
    }
}

const LICENCES: [Licence; 3] = [Licence::Diagnostics, Licence::Free, Licence::Statspack];

/// Every combination that is not refused.
fn scripts() -> Vec<(Order, String)> {
    let mut all = Vec::new();
    for what in What::ALL {
        for release in [None].into_iter().chain(Release::ALL.map(Some)) {
            for licence in LICENCES {
                for container in [None, Some("PDB1".to_owned())] {
                    for text in [false, true] {
                        let order =
                            Order { release, licence, container: container.clone(), text, ..order(what) };
                        if let Ok(script) = collect_script(&order) {
                            all.push((order, script));
                        }
                    }
                }
            }
        }
    }
    assert!(all.len() > 200, "{}", all.len());
    all
}

/// What SQL*Plus makes of the lines of a script.
#[derive(Debug, PartialEq)]
enum Command {
    /// A command of SQL*Plus itself.
    Plus(String),
    /// A statement, without its semicolon.
    Sql(String),
    /// A PL/SQL block.
    Block(String),
}

/// Takes a script apart by the rules of SQL*Plus: a statement ends at a line's end with `;`, a block at
/// a line `/`, everything else is one line.
fn commands(script: &str) -> Vec<Command> {
    let mut all = Vec::new();
    let mut lines = script.lines();
    while let Some(line) = lines.next() {
        let word = line.split([' ', ';']).next().unwrap_or_default();
        match word {
            "" | "--" => {}
            "select" | "alter" | "rollback" => {
                let mut sql = line.to_owned();
                while !sql.ends_with(';') {
                    sql.push('\n');
                    sql.push_str(lines.next().expect("a statement ends"));
                }
                sql.pop();
                all.push(Command::Sql(sql));
            }
            "set" if line == "set transaction read only;" => all.push(Command::Sql(line.to_owned())),
            "begin" => {
                let mut block = String::new();
                let mut next = line;
                while next != "/" {
                    block.push_str(next);
                    block.push('\n');
                    next = lines.next().expect("a block ends");
                }
                all.push(Command::Block(block));
            }
            _ => all.push(Command::Plus(line.to_owned())),
        }
    }
    all
}

/// A query with the oldest release that has to understand it.
struct Asked {
    sql: String,
    since: Release,
}

/// The queries of a block, each with the branch that it stands in. Everything else in the block has to
/// be one of a few lines.
fn queries_of_block(block: &str, oldest: Release) -> Vec<Asked> {
    let mut all = Vec::new();
    let mut skeleton = String::new();
    let mut rest = block;
    while let Some((before, from)) = rest.split_once("q'~") {
        skeleton.push_str(before);
        let (sql, after) = from.split_once("~'").expect("a quoted query ends");
        let branch =
            skeleton.lines().rev().find(|l| l.contains("if ") || l.trim() == "else" || l.contains("old"));
        let since = match branch.map(str::trim) {
            Some("if :shape = 'old' then" | ":shape := 'old';") => Release::R11_2,
            Some("if dbms_db_version.version >= 18 then") => Release::R18,
            Some("else") => Release::R11_2,
            _ => Release::R12_1,
        };
        all.push(Asked { sql: sql.to_owned(), since: since.max(oldest) });
        skeleton.push_str("QUERY");
        rest = after;
    }
    skeleton.push_str(rest);
    for line in skeleton.lines() {
        assert!(
            matches!(
                line.trim(),
                "begin"
                    | "end;"
                    | "else"
                    | "return;"
                    | "end if;"
                    | "open :picked for QUERY;"
                    | ":shape := 'old';"
                    | ":shape := 'inside';"
                    | ":shape := 'root';"
                    | "if :shape = 'old' then"
                    | "if :shape = 'inside' then"
                    | "elsif :shape = 'inside' then"
                    | "elsif :shape = 'root' then"
                    | "if dbms_db_version.version >= 18 then"
                    | "if dbms_db_version.version < 12 then"
                    | "if sys_context('userenv', 'con_id') = '1' then"
            ),
            "{line}"
        );
    }
    assert!(!all.is_empty(), "{block}");
    all
}

/// Every query of a script, also those that it would write into a second one.
fn queries(order: &Order, script: &str) -> Vec<Asked> {
    let oldest =
        order.release.unwrap_or(if order.container.is_some() { Release::R12_1 } else { Release::R11_2 });
    let mut all = Vec::new();
    for command in commands(script) {
        match command {
            Command::Sql(sql) if sql.starts_with("select ") => all.push(Asked { sql, since: oldest }),
            Command::Block(block) => all.extend(queries_of_block(&block, oldest)),
            _ => {}
        }
    }
    if order.what == What::Reports {
        for line in reports::pair(order) {
            let line = ["dbid", "instance_number", "before_id", "snap_id"]
                .iter()
                .fold(line, |l, c| l.replace(&format!("<{c}>"), "1"));
            if let Some(sql) = line.strip_suffix(';') {
                all.push(Asked { sql: sql.to_owned(), since: oldest });
            }
        }
    }
    all
}

fn parsed(sql: &str) -> Query {
    let statements = Parser::parse_sql(&OracleDialect {}, sql).unwrap_or_else(|e| panic!("{e}\n{sql}"));
    match <[Statement; 1]>::try_from(statements) {
        Ok([Statement::Query(query)]) => *query,
        other => panic!("not one query: {other:?}\n{sql}"),
    }
}

#[test]
fn every_query_of_every_script_parses_as_oracle_sql() {
    let mut seen = BTreeSet::new();
    for (order, script) in scripts() {
        for asked in queries(&order, &script) {
            if seen.insert(asked.sql.clone()) {
                parsed(&asked.sql);
            }
        }
    }
    assert!(seen.len() > 80, "{}", seen.len());
}

#[test]
fn the_parser_refuses_what_oracle_would() {
    for wrong in ["select x.a, from dual x", "select a from (select 1 as a from dual", "selec 1 from dual"] {
        assert!(Parser::parse_sql(&OracleDialect {}, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_script_does_nothing_but_read() {
    for (order, script) in scripts() {
        for command in commands(&script) {
            match command {
                Command::Sql(sql) => {
                    let reads = sql.starts_with("select ")
                        || sql.starts_with("alter session set nls_")
                        || sql == "alter session set container = PDB1"
                        || sql == "set transaction read only;"
                        || (order.what == What::Reports && sql == "rollback");
                    assert!(reads, "{sql}");
                }
                Command::Block(_) => {}
                Command::Plus(line) => {
                    let word = line.split(' ').next().unwrap_or_default();
                    let known = ["set", "prompt", "spool", "whenever", "variable", "print", "exit"]
                        .contains(&word)
                        || (order.what == What::Reports && line == "@spindle_reports_run.sql");
                    assert!(known, "{line}");
                }
            }
        }
        if order.what != What::Reports {
            assert_eq!(script.matches("\nset transaction read only;\n").count(), 1);
        }
        for asked in queries(&order, &script) {
            assert!(!asked.sql.to_lowercase().contains("for update"), "{}", asked.sql);
        }
    }
}

#[test]
fn no_line_is_one_that_sqlplus_reads_otherwise() {
    for (_, script) in scripts() {
        let mut in_query = false;
        for line in script.lines() {
            // SP2-0027 in older clients.
            assert!(line.len() < 2499, "{line}");
            assert!(line.is_ascii(), "{line}");
            assert!(!line.contains('&'), "asks for a value: {line}");
            assert!(!line.contains('\t'), "{line}");
            assert!(!line.ends_with('-'), "goes on in the next line: {line}");
            assert!(!line.ends_with(' '), "{line}");
            assert!(line.trim() != ".", "ends the buffer");
            assert!(!line.starts_with('#'), "runs at once: {line}");
            assert!(!line.trim_start().starts_with("/*"), "{line}");
            assert!(line != "/" || !in_query, "runs the statement again");
            if line.starts_with("--") {
                // The client looks for an end in comments too.
                assert!(!line.ends_with(';') && !line.contains('\''), "{line}");
            } else {
                assert!(!line.contains("--"), "a comment inside a statement: {line}");
            }
            assert!(!(in_query && line.is_empty()), "a blank line inside a statement");
            in_query = match line {
                "begin" => true,
                _ if line.starts_with("select ") || line.starts_with("alter ") => !line.ends_with(';'),
                "end;" => false,
                _ if in_query && line.ends_with(';') && !line.ends_with("~';") => line.starts_with(' '),
                _ => in_query,
            };
        }
        assert!(!in_query);
    }
}

#[test]
fn define_is_off_before_anything_else() {
    for (_, script) in scripts() {
        let first = commands(&script).into_iter().next();
        assert_eq!(first, Some(Command::Plus("set define off".to_owned())));
    }
}

#[test]
fn a_literal_of_a_block_fits_into_plsql() {
    for (order, script) in scripts() {
        for asked in queries(&order, &script) {
            assert!(asked.sql.len() < 32_000, "{}", asked.sql.len());
        }
    }
}

/// What the list says of a view: licence, columns with the release that brought them.
struct View {
    licence: &'static str,
    columns: BTreeMap<String, Release>,
}

fn views() -> BTreeMap<String, View> {
    let mut all = BTreeMap::new();
    for line in include_str!("views.txt").lines().filter(|l| !l.starts_with('#')) {
        let mut words = line.split(' ');
        let (name, licence) = (words.next().unwrap().to_owned(), words.next().unwrap());
        let mut since = Release::R11_2;
        let mut columns = BTreeMap::new();
        for word in words {
            match word.strip_suffix(':') {
                Some(release) => since = Release::named(release).unwrap(),
                None => drop(columns.insert(word.to_owned(), since)),
            }
        }
        if let Some(rest) = name.strip_prefix("dba_").filter(|r| !r.starts_with("hist_")) {
            let mut cdb: BTreeMap<_, _> =
                columns.iter().map(|(c, &r)| (c.clone(), r.max(Release::R12_1))).collect();
            cdb.insert("con_id".to_owned(), Release::R12_1);
            all.insert(format!("cdb_{rest}"), View { licence, columns: cdb });
        }
        all.insert(name, View { licence, columns });
    }
    all
}

/// What an alias stands for: the columns that it has.
type Scope = BTreeMap<String, Option<BTreeSet<String>>>;

/// Looks every name of a query up.
struct Names<'a> {
    views: &'a BTreeMap<String, View>,
    since: Release,
    licence: Licence,
    scopes: Vec<Scope>,
    wrong: Vec<String>,
    used: BTreeSet<String>,
}

impl Names<'_> {
    fn table(&mut self, factor: &TableFactor, scope: &mut Scope) {
        match factor {
            TableFactor::Table { name, alias, args, .. } => {
                let name = name.to_string().to_lowercase();
                if args.is_some() {
                    return;
                }
                if name != "dual" && alias.is_none() {
                    self.wrong.push(format!("{name} has no alias"));
                }
                if alias.as_ref().is_some_and(|a| a.explicit) {
                    self.wrong.push(format!("AS before the alias of {name}: ORA-00933"));
                }
                let Some(view) = self.views.get(&name) else {
                    self.wrong.push(format!("{name} is not on the list"));
                    return;
                };
                let allowed = match self.licence {
                    Licence::Diagnostics => ["free", "pack"].contains(&view.licence),
                    Licence::Free => view.licence == "free",
                    Licence::Statspack => ["free", "statspack"].contains(&view.licence),
                };
                if !allowed {
                    self.wrong.push(format!("{name} needs {}", view.licence));
                }
                let there = view.columns.iter().filter(|(_, since)| **since <= self.since);
                let there: BTreeSet<String> = there.map(|(c, _)| c.clone()).collect();
                if there.is_empty() && name != "dual" {
                    self.wrong.push(format!("{name} is not in {}", self.since.name()));
                }
                self.used.insert(name.clone());
                let key = alias.as_ref().map_or(name, |a| a.name.value.to_lowercase());
                scope.insert(key, Some(there));
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let Some(alias) = alias else {
                    self.wrong.push("a derived table without alias".to_owned());
                    return;
                };
                if alias.explicit {
                    self.wrong.push("AS before the alias of a derived table: ORA-00933".to_owned());
                }
                scope.insert(alias.name.value.to_lowercase(), Some(projected(&subquery.body)));
            }
            // The function that prints a report.
            TableFactor::TableFunction { alias: Some(alias), .. } => {
                scope.insert(alias.name.value.to_lowercase(), None);
            }
            other => self.wrong.push(format!("{other}")),
        }
    }
}

/// Names of the columns of a derived table.
fn projected(body: &SetExpr) -> BTreeSet<String> {
    match body {
        SetExpr::Select(select) => select
            .projection
            .iter()
            .filter_map(|item| match item {
                SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
                _ => None,
            })
            .collect(),
        SetExpr::SetOperation { left, right, .. } => {
            assert_eq!(projected(left), projected(right));
            projected(left)
        }
        SetExpr::Query(query) => projected(&query.body),
        other => panic!("{other}"),
    }
}

impl Visitor for Names<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut scope = Scope::new();
        for table in &select.from {
            self.table(&table.relation, &mut scope);
            for join in &table.joins {
                self.table(&join.relation, &mut scope);
            }
        }
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        // ORDER BY is outside of its SELECT: it sees the same aliases.
        let mut scope = Scope::new();
        if let SetExpr::Select(select) = query.body.as_ref() {
            let (wrong, used) = (self.wrong.len(), self.used.clone());
            for table in &select.from {
                self.table(&table.relation, &mut scope);
                for join in &table.joins {
                    self.table(&join.relation, &mut scope);
                }
            }
            self.wrong.truncate(wrong);
            self.used = used;
        }
        if query.limit_clause.is_some() || query.fetch.is_some() {
            self.wrong.push("row limits: not before 12.1".to_owned());
        }
        if query.with.is_some() {
            self.wrong.push("WITH: may be written to the temporary tablespace".to_owned());
        }
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::CompoundIdentifier(parts) => {
                let [alias, column] = parts.as_slice() else {
                    self.wrong.push(format!("{expr}"));
                    return ControlFlow::Continue(());
                };
                let (alias, column) = (alias.value.to_lowercase(), column.value.to_lowercase());
                match self.scopes.iter().rev().find_map(|scope| scope.get(&alias)) {
                    None => self.wrong.push(format!("no {alias} for {alias}.{column}")),
                    Some(Some(columns)) if !columns.contains(&column) => {
                        self.wrong.push(format!("{alias}.{column} is not in {}", self.since.name()));
                    }
                    Some(_) => {}
                }
            }
            // Bare names: only Oracle's own.
            Expr::Identifier(Ident { value, .. })
                if !["sysdate", "systimestamp", "rownum", "null"]
                    .contains(&value.to_lowercase().as_str()) =>
            {
                self.wrong.push(format!("{value} has no alias before it"));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn names<'a>(views: &'a BTreeMap<String, View>, asked: &Asked, licence: Licence) -> Names<'a> {
    let mut names = Names {
        views,
        since: asked.since,
        licence,
        scopes: Vec::new(),
        wrong: Vec::new(),
        used: BTreeSet::new(),
    };
    let _ = parsed(&asked.sql).visit(&mut names);
    names
}

#[test]
fn every_view_and_column_is_there_in_the_release_and_under_the_licence() {
    let views = views();
    let mut used = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (order, script) in scripts() {
        for asked in queries(&order, &script) {
            if !seen.insert((asked.sql.clone(), asked.since, order.licence)) {
                continue;
            }
            let names = names(&views, &asked, order.licence);
            assert_eq!(names.wrong, Vec::<String>::new(), "{order:?}\n{}", asked.sql);
            used.extend(names.used);
        }
    }
    let unused: Vec<&String> =
        views.keys().filter(|v| !used.contains(*v) && !used.contains(&v.replace("cdb_", "dba_"))).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn a_name_that_is_not_there_is_found() {
    let views = views();
    let wrong = |sql: &str, since, licence| {
        names(&views, &Asked { sql: sql.to_owned(), since }, licence).wrong.join("; ")
    };
    let (old, new) = (Release::R11_2, Release::R12_1);
    let free = Licence::Free;
    assert_eq!(wrong("select s.con_id as c from dba_segments s", new, free), "s.con_id is not in 12.1");
    assert_eq!(wrong("select s.con_id as c from v$bh s", old, free), "s.con_id is not in 11.2");
    assert_eq!(wrong("select s.con_id as c from v$bh s", new, free), "");
    assert!(
        wrong("select c.owner as c from cdb_tables c", old, free).starts_with("cdb_tables is not in 11.2")
    );
    assert_eq!(
        wrong("select x.value as v from dba_hist_sysstat x", old, free),
        "dba_hist_sysstat needs pack"
    );
    assert_eq!(
        wrong("select x.value as v from perfstat.stats$sysstat x", old, Licence::Diagnostics),
        "perfstat.stats$sysstat needs statspack"
    );
    assert_eq!(
        wrong("select d.b as c from (select s.bytes as a from dba_segments s) d", old, free),
        "d.b is not in 11.2"
    );
    assert_eq!(wrong("select bytes as b from dba_segments s", old, free), "bytes has no alias before it");
}

/// `docs/collected-files.md`: section -> columns.
fn contract() -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for line in include_str!("../../../../docs/collected-files.md").lines() {
        let Some((names, columns)) = line.strip_prefix("| `").and_then(|l| l.split_once("` | ")) else {
            continue;
        };
        // Without what stands in brackets.
        let mut plain = String::new();
        let mut depth = 0;
        for c in columns.trim_end_matches(" |").chars() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                c if depth == 0 => plain.push(c),
                _ => {}
            }
        }
        let plain = plain.split(". ").next().unwrap_or_default();
        let columns: Vec<String> = plain.split(", ").map(|c| c.trim().to_owned()).collect();
        for name in names.split("`, `") {
            all.insert(name.to_owned(), columns.clone());
        }
    }
    for (history, now) in [("statements_history", "statements"), ("plans_history", "plans")] {
        let columns = all[now].clone();
        all.insert(history.to_owned(), columns);
    }
    all
}

fn all_sections() -> Vec<Section> {
    LICENCES.iter().flat_map(|&licence| catalogue::sections(&Order { licence, ..order(What::All) })).collect()
}

#[test]
fn every_section_prints_the_columns_of_the_contract() {
    let contract = contract();
    let mut printed = BTreeSet::new();
    for section in all_sections() {
        let columns: Vec<String> = section.columns().map(str::to_uppercase).collect();
        assert_eq!(Some(&columns), contract.get(section.name), "{}", section.name);
        printed.insert(section.name);
    }
    for promised in contract.keys().filter(|k| !k.contains("\\|")) {
        assert!(printed.contains(promised.as_str()), "no script prints {promised}");
    }
}

#[test]
fn a_query_selects_its_columns_in_their_order() {
    let release = Some(Release::R19);
    for section in all_sections() {
        let query =
            parsed(&section.query(&Order { release, ..order(What::All) }, super::section::Shape::Root));
        let mut body = query.body.as_ref();
        while let SetExpr::SetOperation { left, .. } = body {
            body = left;
        }
        let SetExpr::Select(select) = body else { panic!("{}", section.name) };
        let names: Vec<String> = (select.projection.iter())
            .map(|item| match item {
                SelectItem::ExprWithAlias { alias, .. } => alias.value.clone(),
                other => panic!("{other} has no name"),
            })
            .collect();
        assert_eq!(names, section.columns().collect::<Vec<_>>(), "{}", section.name);
    }
}

/// `V$RESERVED_WORDS` with RESERVED = Y, the words among them.
const RESERVED: &str = "access add all alter and any as asc audit between by char check cluster column \
    comment compress connect create current date decimal default delete desc distinct drop else exclusive \
    exists file float for from grant group having identified immediate in increment index initial insert \
    integer intersect into is level like lock long maxextents minus mlslabel mode modify noaudit nocompress \
    not nowait null number of offline on online option or order pctfree prior public raw rename resource \
    revoke row rowid rownum rows select session set share size smallint start successful synonym sysdate \
    table then to trigger uid union unique update user validate values varchar varchar2 view whenever where \
    with";

#[test]
fn no_alias_is_a_word_that_oracle_keeps_for_itself() {
    struct Aliases(Vec<String>);
    impl Visitor for Aliases {
        type Break = ();
        fn pre_visit_ident(&mut self, ident: &Ident) -> ControlFlow<()> {
            self.0.push(ident.value.to_lowercase());
            ControlFlow::Continue(())
        }
    }
    let reserved: BTreeSet<&str> = RESERVED.split_whitespace().collect();
    let mut seen = BTreeSet::new();
    for (order, script) in scripts() {
        for asked in queries(&order, &script) {
            if !seen.insert(asked.sql.clone()) {
                continue;
            }
            let mut aliases = Aliases(Vec::new());
            let _ = parsed(&asked.sql).visit(&mut aliases);
            for name in aliases
                .0
                .iter()
                .filter(|n| !["rownum", "sysdate", "varchar2", "number"].contains(&n.as_str()))
            {
                assert!(!reserved.contains(name.as_str()), "{name}\n{}", asked.sql);
            }
        }
    }
}

#[test]
fn a_section_says_its_licence_where_it_is_a_history_and_how_long_it_takes() {
    for section in all_sections() {
        let comment = section.comment(&order(What::All));
        assert!(comment.contains("Takes "), "{}", section.name);
        let needs = match section.needs {
            super::section::Needs::DiagnosticsPack => "Licence: Diagnostics Pack",
            super::section::Needs::Statspack => "Licence: none",
            super::section::Needs::Nothing => "",
        };
        assert!(comment.contains(needs), "{}", section.name);
        assert!(!comment.contains('{'), "{comment}");
    }
}

#[test]
fn a_script_that_needs_no_licence_reads_no_pack_and_says_so() {
    let script = collect_script(&Order { licence: Licence::Free, ..order(What::All) }).unwrap();
    assert!(script.contains("prompt H|licence|none\n"));
    assert!(script.contains("-- Licence: none needed."));
    assert!(!script.contains("dba_hist_sysstat"));
    // Free views are read whoever asks.
    assert!(script.contains("dba_hist_seg_stat"));
    // The licence is that of what is read, not of what was allowed.
    let segments = collect_script(&order(What::Segments)).unwrap();
    assert!(segments.contains("prompt H|licence|none\n"));
    let history = collect_script(&order(What::History)).unwrap();
    assert!(history.contains("prompt H|licence|diagnostics\n"));
    assert!(history.contains("does not prove that the pack was bought"));
}

#[test]
fn reports_without_any_licence_are_refused_with_what_is_possible() {
    let refused = collect_script(&Order { licence: Licence::Free, ..order(What::Reports) }).unwrap_err();
    assert!(refused.to_string().contains("--statspack"), "{refused}");
}

#[test]
fn a_container_is_a_plain_name_or_refused() {
    for wrong in ["", "1PDB", "a b", "x;drop", "p\"q", "p'q", "P\u{e4}"] {
        let order = Order { container: Some(wrong.to_owned()), ..order(What::Segments) };
        assert!(collect_script(&order).is_err(), "{wrong}");
    }
    let old =
        Order { container: Some("PDB1".to_owned()), release: Some(Release::R11_2), ..order(What::Segments) };
    assert!(collect_script(&old).is_err());
}

#[test]
fn a_release_without_containers_is_asked_plainly() {
    let script = collect_script(&Order { release: Some(Release::R11_2), ..order(What::All) }).unwrap();
    for absent in ["begin\n", "con_id", "cdb_", "refcursor"] {
        assert!(!script.contains(absent), "{absent}");
    }
}

#[test]
fn a_query_is_opened_before_each_print() {
    // A cursor left over from the section before would print that section's rows again.
    for (_, script) in scripts() {
        let mut fresh = false;
        for command in commands(&script) {
            match command {
                Command::Plus(line) if line == "variable picked refcursor" => fresh = true,
                Command::Plus(line) if line == "print picked" => {
                    assert!(fresh);
                    fresh = false;
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_header_is_not_announced_as_a_section() {
    // A reader would list it as a section that broke off: it has no end line.
    let script = collect_script(&order(What::All)).unwrap();
    assert_eq!(script.matches(": begins ").count(), script.matches("\nprompt B|").count());
}

#[test]
fn all_walked_the_buffer_cache_without_a_warning() {
    for licence in LICENCES {
        let script = collect_script(&Order { licence, ..order(What::All) }).unwrap();
        let header: Vec<&str> = script.lines().take_while(|l| l.starts_with("--")).collect();
        assert!(header.iter().any(|l| l.contains("WARNING") && l.contains("V$BH")), "{header:?}");
        assert!(header.iter().any(|l| l.contains("--no-cache")), "{header:?}");
        // It comes last, so that whoever breaks it off keeps all the rest.
        let sections: Vec<&str> = script.lines().filter(|l| l.starts_with("prompt B|")).collect();
        assert!(
            sections.len() > 10 && sections.last().unwrap().starts_with("prompt B|cache|"),
            "{sections:?}"
        );
        let without = collect_script(&Order { licence, no_cache: true, ..order(What::All) }).unwrap();
        assert!(!without.to_lowercase().contains("v$bh") && without.contains("prompt B|segments|"));
    }
}

#[test]
fn reports_were_begun_without_saying_how_many() {
    for licence in [Licence::Diagnostics, Licence::Statspack] {
        let days = What::Reports.usual_days();
        let script = collect_script(&Order { licence, days, ..order(What::Reports) }).unwrap();
        let at = |what: &str| script.find(what).unwrap_or_else(|| panic!("{what} is missing: {script}"));
        let counted = at("select to_char(count(*), 'TM9') || ' reports of '");
        // On the screen, before the first file.
        assert!(counted < at("\nset termout off\n") && counted < at("\nspool "));
        assert!(script.contains("the last 7 days") && script.matches("sysdate - 7\n").count() == 2);
    }
    assert_eq!(What::History.usual_days(), 31);
}
