//! Runs a block of PL/SQL over a dictionary that answers anything, hostile names among it, and collects
//! the statements that it would execute.

use super::lexer::clip;
use super::plsql::{Block, Expr, Routine, Source, Statement, Target};
use super::shapes;
use std::collections::BTreeMap;

/// A name or file as a database may hold it, and a script must survive.
pub(super) const HOSTILE: &str = "a'b;--c /*&d @e";

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Null,
    Text(String),
    Number(f64),
    Bool(bool),
    /// Anything: conditions on it go either way.
    Any,
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(n) => format!("{n:.0}"),
            Self::Bool(b) => b.to_string(),
            Self::Any => HOSTILE.to_owned(),
        }
    }

    /// An empty text is null.
    fn of(text: String) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(text) }
    }
}

/// Why a statement did not end.
enum Left {
    Raised(String),
    Returned(Value),
    Wrong(String),
}

type Ended = Result<(), Left>;

#[derive(Default)]
struct Frame {
    variables: BTreeMap<String, Value>,
    tables: BTreeMap<String, BTreeMap<String, Value>>,
}

/// One run; `seed` decides what the dictionary answers.
pub(super) struct Run<'a> {
    seed: u64,
    /// How often a condition on what may be anything holds, in sixteenths: with few, a block gets past
    /// its many reasons to refuse.
    bias: u64,
    steps: usize,
    frames: Vec<Frame>,
    routines: Vec<&'a Routine>,
    binds: BTreeMap<String, Value>,
    /// Statements executed, with their shape.
    pub(super) executed: Vec<(String, &'static str)>,
}

impl<'a> Run<'a> {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            bias: [8, 2, 4, 14][(seed % 4) as usize],
            steps: 0,
            frames: Vec::new(),
            routines: Vec::new(),
            binds: BTreeMap::new(),
            executed: Vec::new(),
        }
    }

    /// Runs a block; an error that the script itself raises is an end like any other.
    pub(super) fn whole(&mut self, block: &'a Block) -> Result<(), String> {
        match self.block(block) {
            Err(Left::Wrong(why)) => Err(why),
            _ => Ok(()),
        }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) % below
    }

    fn either(&mut self) -> bool {
        self.random(16) < self.bias
    }

    fn block(&mut self, block: &'a Block) -> Ended {
        let outside = self.routines.len();
        self.frames.push(Frame::default());
        let ended = self.inside(block);
        let ended = match ended {
            Err(Left::Raised(name)) => {
                let handler = block.handlers.iter().find(|(n, _)| *n == name || n == "others");
                match handler {
                    Some((_, statements)) => self.all(statements),
                    None => Err(Left::Raised(name)),
                }
            }
            other => other,
        };
        self.frames.pop();
        self.routines.truncate(outside);
        ended
    }

    fn inside(&mut self, block: &'a Block) -> Ended {
        self.routines.extend(&block.routines);
        for (name, begin) in &block.variables {
            let value = begin.as_ref().map_or(Ok(Value::Null), |e| self.value(e))?;
            self.frame().variables.insert(name.clone(), value);
        }
        self.all(&block.statements)
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn all(&mut self, statements: &'a [Statement]) -> Ended {
        statements.iter().try_for_each(|s| self.one(s))
    }

    fn one(&mut self, statement: &'a Statement) -> Ended {
        self.steps += 1;
        if self.steps > 20_000 {
            return Err(Left::Wrong("a loop does not end".to_owned()));
        }
        match statement {
            Statement::Block(block) => self.block(block),
            Statement::If(branches, otherwise) => {
                for (condition, statements) in branches {
                    if self.holds(condition)? {
                        return self.all(statements);
                    }
                }
                self.all(otherwise)
            }
            Statement::For(variable, source, body) => self.for_each(variable, source, body),
            Statement::While(condition, body) => {
                while self.holds(condition)? {
                    self.all(body)?;
                    self.steps += 1;
                    if self.steps > 20_000 {
                        return Err(Left::Wrong("a loop does not end".to_owned()));
                    }
                }
                Ok(())
            }
            Statement::Immediate(text) => {
                let text = self.value(text)?.text();
                match shapes::shape(&text) {
                    Ok(shape) => self.executed.push((text, shape)),
                    Err(why) => return Err(Left::Wrong(why)),
                }
                // Oracle may refuse any of them.
                if self.random(12) == 0 { Err(Left::Raised("others".to_owned())) } else { Ok(()) }
            }
            Statement::Raise(name) => Err(Left::Raised(name.clone().unwrap_or_default())),
            Statement::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::Null), |e| self.value(e))?;
                Err(Left::Returned(value))
            }
            Statement::Null => Ok(()),
            Statement::Select(selected, targets, always) => {
                if !always && self.random(6) == 0 {
                    return Err(Left::Raised("no_data_found".to_owned()));
                }
                for (expression, target) in selected.iter().zip(targets) {
                    let value = self.value(expression)?;
                    self.assign(target, value)?;
                }
                Ok(())
            }
            Statement::Assign(target, expression) => {
                let value = self.value(expression)?;
                self.assign(target, value)
            }
            Statement::Call(call) => self.value(call).map(drop),
        }
    }

    fn for_each(&mut self, variable: &str, source: &'a Source, body: &'a [Statement]) -> Ended {
        let rows: Vec<BTreeMap<String, Value>> = match source {
            Source::Query(columns) | Source::Cursor(columns) => self.rows(columns),
            Source::Range(first, last) => {
                let number = |v: Value| if let Value::Number(n) = v { n as i64 } else { 2 };
                let (first, last) = (number(self.value(first)?), number(self.value(last)?));
                (first..=last.min(first + 4))
                    .map(|n| BTreeMap::from([(String::new(), Value::Number(n as f64))]))
                    .collect()
            }
        };
        for row in rows {
            let mut frame = Frame::default();
            for (field, value) in row {
                let name = if field.is_empty() { variable.to_owned() } else { format!("{variable}.{field}") };
                frame.variables.insert(name, value);
            }
            self.frames.push(frame);
            let ended = self.all(body);
            self.frames.pop();
            ended?;
        }
        Ok(())
    }

    /// Some rows, none at times.
    fn rows(&mut self, columns: &[String]) -> Vec<BTreeMap<String, Value>> {
        let count = self.random(4);
        (0..count).map(|_| columns.iter().map(|c| (c.clone(), self.answer(c))).collect()).collect()
    }

    /// What the dictionary says in a column.
    fn answer(&mut self, column: &str) -> Value {
        let numbers =
            ["bytes", "blocksize", "file_id", "n", "members", "uniqueness", "more_bytes", "most_bytes"];
        match column {
            "depth" => Value::Number(self.random(3) as f64),
            _ if column.ends_with('#') || numbers.contains(&column) => {
                Value::Number(1.0 + self.random(3) as f64)
            }
            "member" | "file_name" => {
                let all = ["+DATA/SHOP/ONLINELOG/g.1.2", "+FAST/x/y", "/u01/it's/redo.log", "/u02/redo;.log"];
                Value::Text(all[self.random(4) as usize].to_owned())
            }
            "last_analyzed" if self.random(3) == 0 => Value::Null,
            "status" | "partitioned" | "join_index" | "securefile" | "last_analyzed" => Value::Any,
            _ => Value::Text(if self.random(2) == 0 { HOSTILE.to_owned() } else { "PLAIN".to_owned() }),
        }
    }

    fn assign(&mut self, target: &'a Target, value: Value) -> Ended {
        match target {
            Target::Bind(name) => drop(self.binds.insert(name.clone(), value)),
            Target::Variable(name) => {
                let frame = self.frames.iter_mut().rev().find(|f| f.variables.contains_key(name));
                if let Some(slot) = frame.and_then(|f| f.variables.get_mut(name)) {
                    *slot = value;
                }
            }
            Target::Element(name, key) => {
                let key = self.value(key)?.text();
                let at = self.frames.iter().rposition(|f| f.variables.contains_key(name)).unwrap_or(0);
                self.frames[at].tables.entry(name.clone()).or_default().insert(key, value);
            }
        }
        Ok(())
    }

    fn holds(&mut self, condition: &'a Expr) -> Result<bool, Left> {
        Ok(match self.value(condition)? {
            Value::Bool(known) => known,
            Value::Null => false,
            _ => self.either(),
        })
    }

    fn value(&mut self, expression: &'a Expr) -> Result<Value, Left> {
        match expression {
            Expr::Text(text) => Ok(Value::of(text.clone())),
            Expr::Number(n) => Ok(Value::Number(*n)),
            Expr::Query => Ok(Value::Any),
            Expr::Bind(name) => Ok(match (self.binds.get(name).cloned(), name.as_str()) {
                (Some(value), _) => value,
                (None, "ee" | "redo_fewer_places") => Value::Any,
                (None, name) if name.starts_with("dest") && self.random(2) == 0 => {
                    Value::Text("+FAST".to_owned())
                }
                (None, name) if name.starts_with("dest") => Value::Text("/fast/it's".to_owned()),
                (None, _) => Value::Text(HOSTILE.to_owned()),
            }),
            Expr::Case(selector, branches, otherwise) => {
                let selector = selector.as_ref().map(|s| self.value(s)).transpose()?;
                for (when, then) in branches {
                    let taken = match &selector {
                        None => self.holds(when)?,
                        Some(value) => {
                            let other = self.value(when)?;
                            match self.same(value, &other) {
                                Value::Bool(known) => known,
                                _ => false,
                            }
                        }
                    };
                    if taken {
                        return self.value(then);
                    }
                }
                otherwise.as_ref().map_or(Ok(Value::Null), |e| self.value(e))
            }
            Expr::Op(op, parts) => self.operation(op, parts),
            Expr::Name(name, arguments) => self.named(name, arguments.as_deref()),
        }
    }

    /// Are two values the same? What may be anything is, or is not.
    fn same(&mut self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Null, _) | (_, Value::Null) => Value::Null,
            (Value::Any, _) | (_, Value::Any) => Value::Bool(self.either()),
            (a, b) => Value::Bool(a.text() == b.text()),
        }
    }

    fn operation(&mut self, op: &'static str, parts: &'a [Expr]) -> Result<Value, Left> {
        match op {
            "and" | "or" => {
                let first = self.holds(&parts[0])?;
                if first == (op == "or") {
                    return Ok(Value::Bool(first));
                }
                return Ok(Value::Bool(self.holds(&parts[1])?));
            }
            "not" => return Ok(Value::Bool(!self.holds(&parts[0])?)),
            _ => {}
        }
        let values = parts.iter().map(|p| self.value(p)).collect::<Result<Vec<_>, _>>()?;
        let numbers = match values.as_slice() {
            [Value::Number(a), Value::Number(b)] => Some((*a, *b)),
            _ => None,
        };
        Ok(match op {
            "||" => Value::of(values[0].text() + &values[1].text()),
            "is null" => self.null(&values[0], true),
            "is not null" => self.null(&values[0], false),
            "=" => self.same(&values[0], &values[1]),
            "<>" => match self.same(&values[0], &values[1]) {
                Value::Bool(same) => Value::Bool(!same),
                other => other,
            },
            "in" | "not in" => {
                let mut found = false;
                for other in &values[1..] {
                    found |= self.same(&values[0], other) == Value::Bool(true);
                }
                Value::Bool(found == (op == "in"))
            }
            "like" => Value::Any,
            _ => match (op, numbers) {
                ("<", Some((a, b))) => Value::Bool(a < b),
                (">", Some((a, b))) => Value::Bool(a > b),
                ("<=", Some((a, b))) => Value::Bool(a <= b),
                (">=", Some((a, b))) => Value::Bool(a >= b),
                ("+", Some((a, b))) => Value::Number(a + b),
                ("-", Some((a, b))) => Value::Number(a - b),
                ("*", Some((a, b))) => Value::Number(a * b),
                ("/", Some((a, b))) => Value::Number(a / b),
                ("<" | ">" | "<=" | ">=", None) if values.contains(&Value::Null) => Value::Null,
                _ => Value::Any,
            },
        })
    }

    fn null(&mut self, value: &Value, wanted: bool) -> Value {
        match value {
            Value::Any => Value::Bool(self.either()),
            value => Value::Bool((*value == Value::Null) == wanted),
        }
    }

    fn named(&mut self, name: &[String], arguments: Option<&'a [Expr]>) -> Result<Value, Left> {
        let whole = name.join(".");
        if let Some(value) = self.frames.iter().rev().find_map(|f| f.variables.get(&whole)) {
            // `x(i)`: an element of a table.
            let Some(key) = arguments else { return Ok(value.clone()) };
            let key = key.first().map_or(Ok(Value::Null), |k| self.value(k))?.text();
            let table = self.frames.iter().rev().find_map(|f| f.tables.get(&whole));
            return match table.and_then(|t| t.get(&key)) {
                Some(value) => Ok(value.clone()),
                // ORA-01403: what is not in the table raises.
                None => Err(Left::Wrong(format!("{whole} has no element {}", clip(&key)))),
            };
        }
        let values =
            arguments.unwrap_or_default().iter().map(|a| self.value(a)).collect::<Result<Vec<_>, _>>()?;
        let first = values.first().cloned().unwrap_or(Value::Null);
        if let [table, method] = name {
            let is_table = self.frames.iter().any(|f| f.variables.contains_key(table));
            if is_table {
                return Ok(self.method(table, method, &first.text()));
            }
        }
        if let Some(routine) = self.routines.iter().rev().find(|r| r.name == whole).copied() {
            let mut frame = Frame::default();
            for (parameter, value) in routine.parameters.iter().zip(&values) {
                frame.variables.insert(parameter.clone(), value.clone());
            }
            self.frames.push(frame);
            let ended = self.block(&routine.body);
            self.frames.pop();
            return match ended {
                Ok(()) => Ok(Value::Null),
                Err(Left::Returned(value)) => Ok(value),
                Err(other) => Err(other),
            };
        }
        let text = |n: usize| values.get(n).map(Value::text).unwrap_or_default();
        Ok(match whole.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "replace" => Value::of(text(0).replace(&text(1), &text(2))),
            "chr" => Value::of(match first {
                Value::Number(n) => char::from_u32(n as u32).map(String::from).unwrap_or_default(),
                _ => String::new(),
            }),
            // The root of a database with containers.
            "sys_context" => Value::of("1".to_owned()),
            "rtrim" => Value::of(text(0).trim_end_matches(|c| text(1).contains(c)).to_owned()),
            "lower" => Value::of(text(0).to_lowercase()),
            "upper" => Value::of(text(0).to_uppercase()),
            "to_char" => first,
            "unistr" => Value::of(text(0)),
            "substr" if text(1) == "1" && text(2) == "1" => Value::of(text(0).chars().take(1).collect()),
            "nvl" if first == Value::Null => values.get(1).cloned().unwrap_or(Value::Null),
            "nvl" => first,
            "instr" => {
                let at = text(0).find(&text(1)).map_or(0, |at| at + 1);
                Value::Number(at as f64)
            }
            "mod" => match values.as_slice() {
                [Value::Number(a), Value::Number(b)] if *b != 0.0 => Value::Number(a % b),
                _ => return Err(Left::Wrong("mod of no number".to_owned())),
            },
            "raise_application_error" => {
                return Err(Left::Raised("an error of the script".to_owned()));
            }
            "dbms_output.put_line" => {
                // Longer lines than these raise ORA-20000.
                if text(0).len() > 30_000 {
                    return Err(Left::Wrong("a line that is too long".to_owned()));
                }
                Value::Null
            }
            "count" | "sum" | "max" if name.len() == 1 => Value::Any,
            "regexp_substr" | "regexp_replace" if self.random(4) > 0 => {
                Value::Text(format!("part of {HOSTILE}"))
            }
            _ => Value::Any,
        })
    }

    fn method(&mut self, table: &str, method: &str, key: &str) -> Value {
        let mut frames = self.frames.iter_mut().rev();
        let Some(entries) = frames.find_map(|f| f.tables.get_mut(table)) else {
            return match method {
                "count" => Value::Number(0.0),
                "exists" => Value::Bool(false),
                _ => Value::Null,
            };
        };
        match method {
            "count" => Value::Number(entries.len() as f64),
            "exists" => Value::Bool(entries.contains_key(key)),
            "delete" => {
                entries.remove(key);
                Value::Null
            }
            "first" => entries.keys().next().cloned().map_or(Value::Null, Value::Text),
            "next" => {
                let after = entries.keys().find(|k| k.as_str() > key);
                after.cloned().map_or(Value::Null, Value::Text)
            }
            _ => Value::Any,
        }
    }
}
