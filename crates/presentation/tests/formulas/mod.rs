//! A small calculator for the formulas of our workbooks: what Excel would show, from the cells alone.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Text(String),
    Empty,
}

impl Value {
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Self::Empty) || *self == Self::Text(String::new())
    }

    fn number(&self) -> f64 {
        match self {
            Self::Number(n) => *n,
            Self::Empty => 0.0,
            Self::Text(t) => panic!("`{t}` is no number"),
        }
    }

    fn text(&self) -> String {
        match self {
            // Fifteen digits, as Excel makes a text of a number.
            Self::Number(n) => {
                let text = format!("{:.14e}", n).parse::<f64>().unwrap();
                format!("{text}")
            }
            Self::Text(t) => t.clone(),
            Self::Empty => String::new(),
        }
    }
}

type Place = (u32, u32);

#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    cells: BTreeMap<(String, Place), Value>,
    formulas: BTreeMap<(String, Place), String>,
    // What was computed already: formulas look at thousands of others.
    known: std::cell::RefCell<BTreeMap<(String, Place), Value>>,
}

impl Book {
    pub(crate) fn put(&mut self, sheet: &str, place: Place, value: Value) {
        self.known.borrow_mut().clear();
        self.cells.insert((sheet.to_owned(), place), value);
    }

    pub(crate) fn put_formula(&mut self, sheet: &str, place: Place, formula: &str) {
        self.formulas.insert((sheet.to_owned(), place), formula.trim_start_matches('=').to_owned());
    }

    /// Somebody types over a formula.
    pub(crate) fn forget_formula(&mut self, sheet: &str, place: Place) {
        self.known.borrow_mut().clear();
        self.formulas.remove(&(sheet.to_owned(), place));
    }

    pub(crate) fn formulas(&self) -> Vec<(String, Place)> {
        self.formulas.keys().cloned().collect()
    }

    /// What the file says.
    pub(crate) fn stored(&self, sheet: &str, place: Place) -> Value {
        self.cells.get(&(sheet.to_owned(), place)).cloned().unwrap_or(Value::Empty)
    }

    /// What its formula gives, or what it holds.
    pub(crate) fn value(&self, sheet: &str, place: Place) -> Value {
        let key = (sheet.to_owned(), place);
        let Some(formula) = self.formulas.get(&key) else { return self.stored(sheet, place) };
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let mut parser = Parser { book: self, sheet, text: formula, at: 0 };
        let value = parser.comparison();
        assert_eq!(parser.at, formula.len(), "{formula}: not understood from {}", &formula[parser.at..]);
        self.known.borrow_mut().insert(key, value.clone());
        value
    }
}

struct Parser<'a> {
    book: &'a Book,
    sheet: &'a str,
    text: &'a str,
    at: usize,
}

/// An argument: a value, or the cells of a range.
enum Argument {
    One(Value),
    Range(String, Place, Place),
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn comparison(&mut self) -> Value {
        let left = self.joined();
        for token in ["<=", ">=", "<>", "=", "<", ">"] {
            if self.take(token) {
                let right = self.joined();
                let truth = match token {
                    "=" => left == right || left.is_blank() && right.is_blank(),
                    "<>" => left != right,
                    "<=" => left.number() <= right.number(),
                    ">=" => left.number() >= right.number(),
                    "<" => left.number() < right.number(),
                    _ => left.number() > right.number(),
                };
                return Value::Number(f64::from(u8::from(truth)));
            }
        }
        left
    }

    fn joined(&mut self) -> Value {
        let mut left = self.sum();
        while self.take("&") {
            left = Value::Text(left.text() + &self.sum().text());
        }
        left
    }

    fn sum(&mut self) -> Value {
        let mut left = self.product();
        loop {
            if self.take("+") {
                left = Value::Number(left.number() + self.product().number());
            } else if self.take("-") {
                left = Value::Number(left.number() - self.product().number());
            } else {
                return left;
            }
        }
    }

    fn product(&mut self) -> Value {
        let mut left = self.power();
        loop {
            if self.take("*") {
                left = Value::Number(left.number() * self.power().number());
            } else if self.take("/") {
                left = Value::Number(left.number() / self.power().number());
            } else {
                return left;
            }
        }
    }

    fn power(&mut self) -> Value {
        let mut left = self.one();
        while self.take("^") {
            left = Value::Number(left.number().powf(self.one().number()));
        }
        left
    }

    fn one(&mut self) -> Value {
        match self.argument() {
            Argument::One(value) => value,
            Argument::Range(..) => panic!("{}: a range stands where a value belongs", self.text),
        }
    }

    fn argument(&mut self) -> Argument {
        if self.take("(") {
            let value = self.comparison();
            assert!(self.take(")"), "{}", self.text);
            return Argument::One(value);
        }
        if self.take("\"") {
            let end = self.rest().find('"').unwrap();
            let text = self.rest()[..end].to_owned();
            self.at += end + 1;
            return Argument::One(Value::Text(text));
        }
        let digits = self.rest().find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest().len());
        if digits > 0 {
            let number = self.rest()[..digits].parse().unwrap();
            self.at += digits;
            return Argument::One(Value::Number(number));
        }
        let word = self
            .rest()
            .find(|c: char| !(c.is_ascii_alphanumeric() || "$._".contains(c)))
            .unwrap_or(self.rest().len());
        let name = self.rest()[..word].to_owned();
        self.at += word;
        if self.take("(") {
            return Argument::One(self.function(name.trim_start_matches("_xlfn.")));
        }
        let (sheet, from) =
            if self.take("!") { (name, self.place_here()) } else { (self.sheet.to_owned(), place(&name)) };
        if self.take(":") {
            let to = self.place_here();
            return Argument::Range(sheet, from, to);
        }
        Argument::One(self.book.value(&sheet, from))
    }

    fn place_here(&mut self) -> Place {
        let end =
            self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || c == '$')).unwrap_or(self.rest().len());
        let found = place(&self.rest()[..end]);
        self.at += end;
        found
    }

    fn function(&mut self, name: &str) -> Value {
        let mut arguments: Vec<Argument> = Vec::new();
        // IF computes only the branch that it takes.
        let mut depth_values: Vec<(usize, usize)> = Vec::new();
        loop {
            let from = self.at;
            if name == "IF" {
                self.skip();
            } else {
                // A range stands alone; anything else may be computed with.
                let before = self.at;
                match self.argument() {
                    range @ Argument::Range(..) => arguments.push(range),
                    Argument::One(_) => {
                        self.at = before;
                        let value = self.comparison();
                        arguments.push(Argument::One(value));
                    }
                }
            }
            depth_values.push((from, self.at));
            if self.take(")") {
                break;
            }
            assert!(self.take(","), "{}: {}", self.text, self.rest());
        }
        if name == "IF" {
            let end = self.at;
            let mut compute = |n: usize| {
                self.at = depth_values[n].0;
                self.comparison()
            };
            let value = if compute(0).number() != 0.0 { compute(1) } else { compute(2) };
            self.at = end;
            return value;
        }
        let list = |n: usize| self.values(&arguments[n]);
        let numbers = || {
            let all = arguments.iter().flat_map(|a| self.values(a));
            all.filter_map(|v| if let Value::Number(n) = v { Some(n) } else { None }).collect::<Vec<f64>>()
        };
        let number = |n: usize| list(n)[0].number();
        Value::Number(match name {
            "SUM" => numbers().iter().sum(),
            "COUNT" => numbers().len() as f64,
            "MAX" => numbers().into_iter().fold(f64::NEG_INFINITY, f64::max),
            "MIN" => numbers().into_iter().fold(f64::INFINITY, f64::min),
            "NOT" => f64::from(u8::from(number(0) == 0.0)),
            "ISNUMBER" => f64::from(u8::from(matches!(list(0)[0], Value::Number(_)))),
            "OR" => f64::from(u8::from(numbers().iter().any(|n| *n != 0.0))),
            "ROUND" => {
                let step = 10f64.powf(number(1));
                (number(0) * step).round() / step
            }
            "ROUNDUP" => {
                let step = 10f64.powf(number(1));
                let scaled = number(0) * step;
                (if scaled < 0.0 { scaled.floor() } else { scaled.ceil() }) / step
            }
            "LN" => number(0).ln(),
            "EXP" => number(0).exp(),
            // Of whole numbers: factorials.
            "GAMMALN" => (1..number(0) as u32).map(|n| f64::from(n).ln()).sum(),
            "POISSON" => {
                assert!(number(2) != 0.0, "only the sum is known");
                let mean = number(1);
                let mut term = -mean;
                let mut sum = term.exp();
                for n in 1..=number(0) as u32 {
                    term += (mean / f64::from(n)).ln();
                    sum += term.exp();
                }
                sum
            }
            "LOOKUP" => {
                let wanted = number(0);
                let place = list(1).partition_point(|v| v.number() <= wanted);
                return list(2)[place - 1].clone();
            }
            "INDEX" => return list(0)[number(1) as usize - 1].clone(),
            "MATCH" => {
                let wanted = &list(0)[0];
                (list(1).iter().position(|v| v == wanted).unwrap() + 1) as f64
            }
            "SUMIF" => self.matching(&list(2), &[(list(0), list(1)[0].text())]).iter().sum(),
            "SUMIFS" => {
                let pairs: Vec<_> =
                    (1..arguments.len()).step_by(2).map(|n| (list(n), list(n + 1)[0].text())).collect();
                self.matching(&list(0), &pairs).iter().sum()
            }
            "MINIFS" => {
                let found = self.matching(&list(0), &[(list(1), list(2)[0].text())]);
                found.into_iter().fold(f64::INFINITY, f64::min)
            }
            other => panic!("{other} is not known"),
        })
    }

    /// Passes over an argument.
    fn skip(&mut self) {
        let (mut depth, mut quoted) = (0, false);
        for (n, c) in self.rest().char_indices() {
            match c {
                '"' => quoted = !quoted,
                '(' if !quoted => depth += 1,
                ')' | ',' if !quoted && depth == 0 => {
                    self.at += n;
                    return;
                }
                ')' if !quoted => depth -= 1,
                _ => {}
            }
        }
        panic!("{}: not closed", self.text);
    }

    fn values(&self, argument: &Argument) -> Vec<Value> {
        match argument {
            Argument::One(value) => vec![value.clone()],
            Argument::Range(sheet, from, to) => {
                let rows = from.0..=to.0;
                rows.flat_map(|r| (from.1..=to.1).map(move |c| (r, c)))
                    .map(|p| self.book.value(sheet, p))
                    .collect()
            }
        }
    }

    /// Numbers of a list where every condition holds.
    fn matching(&self, of: &[Value], conditions: &[(Vec<Value>, String)]) -> Vec<f64> {
        let holds = |value: &Value, condition: &str| {
            let Value::Number(n) = value else { return false };
            let (token, bound) = ["<=", ">=", "<", ">"]
                .iter()
                .find_map(|t| Some((*t, condition.strip_prefix(t)?.parse::<f64>().ok()?)))
                .unwrap();
            match token {
                "<=" => *n <= bound,
                ">=" => *n >= bound,
                "<" => *n < bound,
                _ => *n > bound,
            }
        };
        of.iter()
            .enumerate()
            .filter(|(i, _)| conditions.iter().all(|(list, c)| holds(&list[*i], c)))
            .filter_map(|(_, v)| if let Value::Number(n) = v { Some(*n) } else { None })
            .collect()
    }
}

/// `$B$7` as row and column from 0.
fn place(name: &str) -> Place {
    let plain = name.replace('$', "");
    let digits = plain.find(|c: char| c.is_ascii_digit()).unwrap_or_else(|| panic!("`{name}` is no cell"));
    let column = plain[..digits].bytes().fold(0, |c, b| c * 26 + u32::from(b - b'A') + 1) - 1;
    (plain[digits..].parse::<u32>().unwrap() - 1, column)
}
