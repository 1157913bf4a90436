//! The part of PL/SQL that the move scripts are written in, parsed strictly. Queries inside are parsed
//! by a parser that knows Oracle.

use super::lexer::{Placed, Token, clip, tokens};
use sqlparser::dialect::OracleDialect;
use sqlparser::parser::Parser as Sql;

#[derive(Clone, Debug)]
pub(super) enum Expr {
    Text(String),
    Number(f64),
    Bind(String),
    /// A variable, `record.field`, a call or an element: `a.b(x)`.
    Name(Vec<String>, Option<Vec<Expr>>),
    Case(Option<Box<Expr>>, Vec<(Expr, Expr)>, Option<Box<Expr>>),
    /// An operator and what it stands between; `is null`, `in`, `not` too.
    Op(&'static str, Vec<Expr>),
    /// A query in brackets.
    Query,
}

#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Names of the columns.
    Query(Vec<String>),
    Cursor(Vec<String>),
    Range(Expr, Expr),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Block(Block),
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    For(String, Source, Vec<Statement>),
    While(Expr, Vec<Statement>),
    Immediate(Expr),
    Raise(Option<String>),
    Return(Option<Expr>),
    Null,
    /// What is selected, where it goes; does it always give one row?
    Select(Vec<Expr>, Vec<Target>, bool),
    Assign(Target, Expr),
    Call(Expr),
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    Variable(String),
    Element(String, Expr),
    Bind(String),
}

#[derive(Clone, Debug)]
pub(super) struct Routine {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) body: Block,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// With what they begin as.
    pub(super) variables: Vec<(String, Option<Expr>)>,
    pub(super) exceptions: Vec<String>,
    pub(super) routines: Vec<Routine>,
    pub(super) statements: Vec<Statement>,
    pub(super) handlers: Vec<(String, Vec<Statement>)>,
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    at: usize,
    /// Names that may be used here, innermost last; of a record its fields.
    scope: Vec<(String, Option<Vec<String>>)>,
    /// Queries parsed.
    pub(super) queries: usize,
}

type Parsed<T> = Result<T, String>;

/// What PL/SQL brings along.
const OWN: [&str; 28] = [
    "sys_context",
    "nvl",
    "replace",
    "round",
    "upper",
    "lower",
    "rtrim",
    "substr",
    "regexp_substr",
    "regexp_replace",
    "instr",
    "mod",
    "greatest",
    "to_char",
    "chr",
    "unistr",
    "sysdate",
    "sqlerrm",
    "true",
    "false",
    "null",
    "dbms_output",
    "raise_application_error",
    "trim",
    "no_data_found",
    "others",
    "max",
    "count",
];

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parsed<Self> {
        Ok(Self { text, tokens: tokens(text)?, at: 0, scope: Vec::new(), queries: 0 })
    }

    /// Bind variables used.
    pub(super) fn binds(&self) -> Vec<String> {
        let binds = self.tokens.iter().filter_map(|t| match &t.token {
            Token::Bind(name) => Some(name.clone()),
            _ => None,
        });
        binds.collect()
    }

    /// One anonymous block, and nothing after it.
    pub(super) fn block_alone(&mut self) -> Parsed<Block> {
        let declares = self.take_word("declare");
        let block = self.block(declares)?;
        self.sign(";")?;
        if self.at < self.tokens.len() {
            return self.wrong("something stands after the end");
        }
        Ok(block)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    fn wrong<T>(&self, why: &str) -> Parsed<T> {
        let at = self.tokens.get(self.at).map_or(self.text.len(), |t| t.at.start);
        Err(format!("{why}, at: {}", clip(&self.text[at..])))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += usize::from(there);
        there
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.wrong(&format!("`{word}` is missing")) }
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let there = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(there);
        there
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { self.wrong(&format!("`{sign}` is missing")) }
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Token::Word(w)) => {
                let name = w.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.wrong("a name is missing"),
        }
    }

    fn declare(&mut self, name: &str) {
        self.scope.push((name.to_owned(), None));
    }

    fn known(&self, name: &str) -> bool {
        OWN.contains(&name) || self.scope.iter().any(|(n, _)| n == name)
    }

    fn block(&mut self, declares: bool) -> Parsed<Block> {
        let outside = self.scope.len();
        let mut block = Block::default();
        if declares {
            while !self.is_word("begin") {
                self.declaration(&mut block)?;
            }
        }
        self.word("begin")?;
        block.statements = self.statements(&["exception", "end"])?;
        if self.take_word("exception") {
            while self.take_word("when") {
                let name = self.name()?;
                if !self.known(&name) {
                    return self.wrong(&format!("no exception {name}"));
                }
                self.word("then")?;
                block.handlers.push((name, self.statements(&["when", "end"])?));
            }
        }
        self.word("end")?;
        self.scope.truncate(outside);
        Ok(block)
    }

    fn declaration(&mut self, block: &mut Block) -> Parsed<()> {
        if self.take_word("pragma") {
            self.word("exception_init")?;
            self.sign("(")?;
            let name = self.name()?;
            if !block.exceptions.contains(&name) {
                return self.wrong("an exception that is not declared");
            }
            self.sign(",")?;
            self.take_sign("-");
            self.expression()?;
            self.sign(")")?;
            return self.sign(";");
        }
        if self.take_word("type") {
            let name = self.name()?;
            for word in ["is", "table", "of"] {
                self.word(word)?;
            }
            self.kind()?;
            self.word("index")?;
            self.word("by")?;
            self.kind()?;
            self.declare(&name);
            return self.sign(";");
        }
        if self.take_word("cursor") {
            let name = self.name()?;
            let inside = self.scope.len();
            self.parameters()?;
            self.word("is")?;
            let columns = self.query()?;
            self.scope.truncate(inside);
            self.scope.push((name, Some(columns)));
            return self.sign(";");
        }
        let is_function = self.is_word("function");
        if is_function || self.is_word("procedure") {
            self.at += 1;
            let name = self.name()?;
            self.declare(&name);
            let inside = self.scope.len();
            let parameters = self.parameters()?;
            if is_function {
                self.word("return")?;
                self.kind()?;
            }
            self.word("is")?;
            let body = self.block(true)?;
            self.scope.truncate(inside);
            block.routines.push(Routine { name, parameters, body });
            return self.sign(";");
        }
        if !block.routines.is_empty() {
            return self.wrong("a variable after a routine");
        }
        let name = self.name()?;
        if self.take_word("exception") {
            block.exceptions.push(name.clone());
            self.declare(&name);
            return self.sign(";");
        }
        let constant = self.take_word("constant");
        self.kind()?;
        let begin = if self.take_sign(":=") { Some(self.expression()?) } else { None };
        if constant && begin.is_none() {
            return self.wrong("a constant without a value");
        }
        self.declare(&name);
        block.variables.push((name, begin));
        self.sign(";")
    }

    fn parameters(&mut self) -> Parsed<Vec<String>> {
        let mut all = Vec::new();
        if self.take_sign("(") {
            loop {
                let name = self.name()?;
                self.kind()?;
                self.declare(&name);
                all.push(name);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        Ok(all)
    }

    fn kind(&mut self) -> Parsed<()> {
        let name = self.name()?;
        let own = ["varchar2", "number", "boolean", "date", "pls_integer"].contains(&name.as_str());
        if !own && !self.known(&name) {
            return self.wrong(&format!("no type {name}"));
        }
        if self.take_sign("(") {
            self.expression()?;
            self.sign(")")?;
        }
        Ok(())
    }

    fn statements(&mut self, ends: &[&str]) -> Parsed<Vec<Statement>> {
        let mut all = Vec::new();
        while !ends.iter().any(|end| self.is_word(end)) {
            all.push(self.statement()?);
        }
        if all.is_empty() { self.wrong("no statement") } else { Ok(all) }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let statement = if self.is_word("begin") || self.is_word("declare") {
            let declares = self.take_word("declare");
            Statement::Block(self.block(declares)?)
        } else if self.take_word("if") {
            self.if_statement()?
        } else if self.take_word("for") {
            self.for_statement()?
        } else if self.take_word("while") {
            let condition = self.expression()?;
            Statement::While(condition, self.looped()?)
        } else if self.take_word("execute") {
            self.word("immediate")?;
            Statement::Immediate(self.expression()?)
        } else if self.take_word("raise") {
            let name = if matches!(self.peek(), Some(Token::Word(_))) { Some(self.name()?) } else { None };
            if name.as_ref().is_some_and(|n| !self.known(n)) {
                return self.wrong("an exception that is not declared");
            }
            Statement::Raise(name)
        } else if self.take_word("return") {
            let alone = matches!(self.peek(), Some(Token::Sign(";")));
            Statement::Return(if alone { None } else { Some(self.expression()?) })
        } else if self.take_word("null") {
            Statement::Null
        } else if self.is_word("select") {
            self.select_into()?
        } else if let Some(Token::Bind(name)) = self.peek().cloned() {
            self.at += 1;
            self.sign(":=")?;
            Statement::Assign(Target::Bind(name), self.expression()?)
        } else {
            let left = self.primary()?;
            if self.take_sign(":=") {
                let target = match left {
                    Expr::Name(name, None) if name.len() == 1 => Target::Variable(name[0].clone()),
                    Expr::Name(name, Some(key)) if name.len() == 1 && key.len() == 1 => {
                        Target::Element(name[0].clone(), key[0].clone())
                    }
                    _ => return self.wrong("nothing can be assigned to this"),
                };
                Statement::Assign(target, self.expression()?)
            } else if matches!(left, Expr::Name(_, Some(_))) {
                Statement::Call(left)
            } else {
                return self.wrong("no statement");
            }
        };
        self.sign(";")?;
        Ok(statement)
    }

    fn if_statement(&mut self) -> Parsed<Statement> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let condition = self.expression()?;
            self.word("then")?;
            branches.push((condition, self.statements(&["elsif", "else", "end"])?));
            if !self.take_word("elsif") {
                break;
            }
        }
        if self.take_word("else") {
            otherwise = self.statements(&["end"])?;
        }
        self.word("end")?;
        self.word("if")?;
        Ok(Statement::If(branches, otherwise))
    }

    fn looped(&mut self) -> Parsed<Vec<Statement>> {
        self.word("loop")?;
        let body = self.statements(&["end"])?;
        self.word("end")?;
        self.word("loop")?;
        Ok(body)
    }

    fn for_statement(&mut self) -> Parsed<Statement> {
        let variable = self.name()?;
        self.word("in")?;
        let mut columns = None;
        let is_query = matches!(self.peek(), Some(Token::Sign("(")))
            && matches!(self.tokens.get(self.at + 1).map(|t| &t.token), Some(Token::Word(w)) if w == "select");
        let source = if is_query {
            self.sign("(")?;
            let found = self.query()?;
            self.sign(")")?;
            columns = Some(found.clone());
            Source::Query(found)
        } else {
            let first = self.expression()?;
            match first {
                Expr::Name(name, _) if !matches!(self.peek(), Some(Token::Sign(".."))) => {
                    let cursor = self.scope.iter().rev().find(|(n, _)| *n == name[0]);
                    let Some((_, Some(found))) = cursor.cloned() else { return self.wrong("no such cursor") };
                    columns = Some(found.clone());
                    Source::Cursor(found)
                }
                first => {
                    self.sign("..")?;
                    Source::Range(first, self.expression()?)
                }
            }
        };
        let outside = self.scope.len();
        self.scope.push((variable.clone(), columns));
        let body = self.looped()?;
        self.scope.truncate(outside);
        Ok(Statement::For(variable, source, body))
    }

    /// Where the query that begins here ends, and where its INTO stands.
    fn extent(&self) -> (usize, Option<(usize, usize)>) {
        let (mut at, mut depth, mut into, mut from) = (self.at, 0_i32, None, None);
        while let Some(placed) = self.tokens.get(at) {
            match &placed.token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") if depth == 0 => break,
                Token::Sign(")") => depth -= 1,
                Token::Sign(";") if depth == 0 => break,
                Token::Word(w) if w == "into" && depth == 0 && into.is_none() => into = Some(at),
                Token::Word(w) if w == "from" && depth == 0 && from.is_none() => from = Some(at),
                _ => {}
            }
            at += 1;
        }
        (at, into.zip(from))
    }

    /// Parses the query from here to its end; returns the names of its columns.
    fn query(&mut self) -> Parsed<Vec<String>> {
        let (end, into) = self.extent();
        let place = |n: usize| self.tokens.get(n).map_or(self.text.len(), |t| t.at.start);
        let (begin, stop) = (place(self.at), place(end));
        let sql = match into {
            Some((into, from)) => {
                format!("{} {}", &self.text[begin..place(into)], &self.text[place(from)..stop])
            }
            None => self.text[begin..stop].to_owned(),
        };
        // What the block brings into the query has to be declared.
        for placed in &self.tokens[self.at..end] {
            if let Token::Word(w) = &placed.token
                && ["c_", "l_", "p_"].iter().any(|p| w.starts_with(p))
                && !self.known(w)
            {
                return Err(format!("{w} is not declared, in: {sql}"));
            }
        }
        self.at = end;
        self.queries += 1;
        let statements =
            Sql::parse_sql(&OracleDialect {}, &sql).map_err(|error| format!("{error}, in: {sql}"))?;
        let [sqlparser::ast::Statement::Query(query)] = statements.as_slice() else {
            return Err(format!("not one query: {sql}"));
        };
        let mut body = query.body.as_ref();
        while let sqlparser::ast::SetExpr::SetOperation { left, .. } = body {
            body = left;
        }
        let sqlparser::ast::SetExpr::Select(select) = body else {
            return Err(format!("no select: {sql}"));
        };
        Ok(select
            .projection
            .iter()
            .map(|item| match item {
                sqlparser::ast::SelectItem::ExprWithAlias { alias, .. } => alias.value.to_lowercase(),
                other => other.to_string().to_lowercase().rsplit('.').next().unwrap_or_default().to_owned(),
            })
            .collect())
    }

    fn select_into(&mut self) -> Parsed<Statement> {
        let (end, into) = self.extent();
        let Some((into, from)) = into.filter(|(into, from)| into < from) else {
            return self.wrong("a select without into");
        };
        let begin = self.at;
        let columns = self.query()?.len();
        // What is selected, as expressions of their own: texts and cases give what they say.
        let outside = self.scope.len();
        for placed in &self.tokens[begin..end] {
            if let Token::Word(w) = &placed.token {
                self.scope.push((w.clone(), None));
            }
        }
        self.at = begin + 1;
        let mut selected = vec![self.expression()?];
        while self.take_sign(",") {
            selected.push(self.expression()?);
        }
        self.scope.truncate(outside);
        if self.at != into {
            return self.wrong("what is selected was not understood");
        }
        self.at += 1;
        let mut targets = Vec::new();
        loop {
            if let Some(Token::Bind(name)) = self.peek().cloned() {
                self.at += 1;
                targets.push(Target::Bind(name));
            } else {
                let name = self.name()?;
                if !self.known(&name) {
                    return self.wrong(&format!("{name} is not declared"));
                }
                targets.push(Target::Variable(name));
            }
            if !self.take_sign(",") {
                break;
            }
        }
        if self.at != from || targets.len() != columns || selected.len() != columns {
            return self.wrong("as many must be selected as go into variables");
        }
        let aggregates = |e: &Expr| match e {
            Expr::Name(name, Some(_)) => ["max", "sum", "count", "nvl"].contains(&name[0].as_str()),
            _ => false,
        };
        let from_dual = matches!(&self.tokens[from + 1].token, Token::Word(w) if w == "dual");
        self.at = end;
        let always = from_dual || selected.iter().any(aggregates);
        Ok(Statement::Select(selected, targets, always))
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            left = Expr::Op("or", vec![left, self.conjunction()?]);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Expr> {
        let mut left = self.comparison()?;
        while self.take_word("and") {
            left = Expr::Op("and", vec![left, self.comparison()?]);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        if self.take_word("not") {
            return Ok(Expr::Op("not", vec![self.comparison()?]));
        }
        let left = self.sum()?;
        if self.take_word("is") {
            let negated = self.take_word("not");
            self.word("null")?;
            return Ok(Expr::Op(if negated { "is not null" } else { "is null" }, vec![left]));
        }
        let negated = self.take_word("not");
        if self.take_word("in") {
            self.sign("(")?;
            let mut all = vec![left, self.expression()?];
            while self.take_sign(",") {
                all.push(self.expression()?);
            }
            self.sign(")")?;
            return Ok(Expr::Op(if negated { "not in" } else { "in" }, all));
        }
        if self.take_word("like") {
            return Ok(Expr::Op("like", vec![left, self.sum()?]));
        }
        if negated {
            return self.wrong("`not` before nothing");
        }
        for sign in ["=", "<>", "<=", ">=", "<", ">"] {
            if self.take_sign(sign) {
                return Ok(Expr::Op(sign, vec![left, self.sum()?]));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        loop {
            let Some(sign) = ["||", "+", "-"].into_iter().find(|s| self.take_sign(s)) else {
                return Ok(left);
            };
            left = Expr::Op(sign, vec![left, self.product()?]);
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.primary()?;
        loop {
            let Some(sign) = ["*", "/"].into_iter().find(|s| self.take_sign(s)) else { return Ok(left) };
            left = Expr::Op(sign, vec![left, self.primary()?]);
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let Some(token) = self.peek().cloned() else { return self.wrong("an expression is missing") };
        match token {
            Token::Text(text) => {
                self.at += 1;
                Ok(Expr::Text(text))
            }
            Token::Number(number) => {
                self.at += 1;
                number.parse().map(Expr::Number).map_err(|e| format!("{number}: {e}"))
            }
            Token::Bind(name) => {
                self.at += 1;
                Ok(Expr::Bind(name))
            }
            Token::Sign("-") => {
                self.at += 1;
                Ok(Expr::Op("-", vec![Expr::Number(0.0), self.primary()?]))
            }
            Token::Sign("(") => {
                self.at += 1;
                if self.is_word("select") {
                    self.query()?;
                    self.sign(")")?;
                    return Ok(Expr::Query);
                }
                let inside = self.expression()?;
                self.sign(")")?;
                Ok(inside)
            }
            Token::Word(word) if word == "case" => {
                self.at += 1;
                self.case()
            }
            Token::Word(_) => self.named(),
            _ => self.wrong("no expression begins so"),
        }
    }

    fn case(&mut self) -> Parsed<Expr> {
        let selector = if self.is_word("when") { None } else { Some(Box::new(self.expression()?)) };
        let mut branches = Vec::new();
        while self.take_word("when") {
            let when = self.expression()?;
            self.word("then")?;
            branches.push((when, self.expression()?));
        }
        if branches.is_empty() {
            return self.wrong("a case without branches");
        }
        let otherwise = if self.take_word("else") { Some(Box::new(self.expression()?)) } else { None };
        self.word("end")?;
        Ok(Expr::Case(selector, branches, otherwise))
    }

    fn named(&mut self) -> Parsed<Expr> {
        let mut name = vec![self.name()?];
        if !self.known(&name[0]) {
            return self.wrong(&format!("{} is not declared", name[0]));
        }
        while self.take_sign(".") {
            name.push(self.name()?);
        }
        let fields = self.scope.iter().rev().find(|(n, _)| *n == name[0]).and_then(|(_, f)| f.as_ref());
        if let ([_, field], Some(fields)) = (name.as_slice(), fields)
            && !fields.contains(field)
        {
            return self.wrong(&format!("{field} is not selected"));
        }
        if !self.take_sign("(") {
            return Ok(Expr::Name(name, None));
        }
        let mut arguments = Vec::new();
        if !self.take_sign(")") {
            loop {
                // `count(*)` of a query.
                if self.take_sign("*") {
                    arguments.push(Expr::Number(1.0));
                } else {
                    arguments.push(self.expression()?);
                }
                if !self.take_sign(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        Ok(Expr::Name(name, Some(arguments)))
    }
}
