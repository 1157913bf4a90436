//! What a scenario varies: lists and ranges of keys, their grid, and the file as it reads at one point of it.
//!
//! ```text
//! [sweep]
//! "array.data.redundancy" = ["external", "normal", "high"]     a key, by its tables
//! disks = "8..32:8"                                             a value of [parameter], 8 to 32 by 8
//! op = "7 %..50 %:*1.5"                                         by a factor
//! ```

use spindle_workload::form::{Entries, Entry, Form, Node, Value};
use spindle_workload::quantity::number_and_unit;
use spindle_workload::{SweptKey, SweptValue};

/// Points of a sweep.
const MOST_POINTS: u64 = 10_000;

/// A key that is varied.
#[derive(Clone, Debug)]
struct Varied {
    key: SweptKey,
    /// Tables and key.
    path: Vec<String>,
    /// Each with the line of the sweep.
    values: Vec<Node>,
}

/// What is varied.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    keys: Vec<Varied>,
    points: usize,
}

impl Sweep {
    /// The sweep of a file, with what is asked for beside it: keys and lists or ranges, which take the place of the
    /// file's. What is wrong is noted.
    pub(super) fn of(form: &Form, asked: &[(String, String)]) -> Self {
        let mut keys: Vec<Varied> = Vec::new();
        let note = |line: usize, why: String| form.note(form.refuse_at(line, why));
        let none = Entries::default();
        let in_file = match form.root().get("sweep").map(|node| (&node.value, node.line)) {
            None => &none,
            Some((Value::Table(entries), _)) => entries,
            Some((_, line)) => {
                note(line, "`sweep` is no table. It is keys with lists or ranges".to_owned());
                &none
            }
        };
        for entry in &in_file.0 {
            if asked.iter().any(|(key, _)| *key == entry.name) {
                continue;
            }
            match values(&entry.node) {
                Ok(values) => keys.extend(varied(form, &entry.name, entry.line, values)),
                Err(why) => note(entry.line, format!("the sweep of `{}`: {why}", short(&entry.name))),
            }
        }
        for (key, text) in asked {
            match asked_values(text) {
                Ok(values) => keys.extend(varied(form, key, 0, values)),
                Err(why) => note(0, format!("the sweep of `{}`: {why}", short(key))),
            }
        }
        for n in 1..keys.len() {
            if keys[..n].iter().any(|k| k.path == keys[n].path) {
                note(0, format!("`{}` is varied twice", keys[n].key.key));
            }
        }
        let points = keys.iter().fold(1_u64, |all, key| all.saturating_mul(key.values.len() as u64));
        if points > MOST_POINTS {
            note(0, format!("the sweep has {points} points; at most {MOST_POINTS} are simulated"));
            keys.clear();
        }
        for n in 0..keys.len() {
            let own = keys[n].path.last().cloned().unwrap_or_default();
            let alone = keys.iter().filter(|k| k.path.last() == Some(&own)).count() == 1;
            keys[n].key.label = if alone { own.replace('_', " ") } else { keys[n].key.key.clone() };
        }
        Self { points: if points > MOST_POINTS { 1 } else { usize::try_from(points).unwrap_or(1) }, keys }
    }

    pub(super) fn points(&self) -> usize {
        self.points
    }

    pub(super) fn keys(&self) -> Vec<SweptKey> {
        self.keys.iter().map(|k| k.key.clone()).collect()
    }

    /// The nodes of a point, by its number; the first key is the outermost.
    fn at(&self, point: usize) -> Vec<&Node> {
        let mut left = point;
        let mut out: Vec<&Node> = Vec::with_capacity(self.keys.len());
        for varied in self.keys.iter().rev() {
            let count = varied.values.len().max(1);
            out.extend(varied.values.get(left % count));
            left /= count;
        }
        out.reverse();
        out
    }

    /// The values of a point.
    pub(super) fn values(&self, point: usize) -> Vec<SweptValue> {
        let text = |node: &&Node| SweptValue::of(&node.value.plain().unwrap_or_default());
        self.at(point).iter().map(text).collect()
    }

    /// The file as it reads at a point; what is wrong is noted.
    pub(super) fn applied(&self, form: &Form, point: usize) -> Entries {
        let mut root = form.root().clone();
        root.take("sweep");
        for (varied, node) in self.keys.iter().zip(self.at(point)) {
            set(&mut root, &varied.path, node);
        }
        let parameters = parameters(form, &root);
        root.take("parameter");
        let mut used = vec![false; parameters.len()];
        for entry in &mut root.0 {
            put_in(form, &mut entry.node, &parameters, &mut used);
        }
        for (parameter, used) in parameters.iter().zip(used) {
            if !used {
                let why =
                    format!("nothing refers to the parameter `{0}`; \"${0}\" would", short(&parameter.name));
                form.note(form.refuse_at(parameter.line, why));
            }
        }
        root
    }
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A key with its values, where it is one.
fn varied(form: &Form, key: &str, line: usize, values: Vec<Node>) -> Option<Varied> {
    let refuse = |why: String| {
        form.note(form.refuse_at(line, why));
        None
    };
    let parameter = |name: &str| match form.root().get("parameter").map(|node| &node.value) {
        Some(Value::Table(all)) => all.get(name).is_some(),
        _ => false,
    };
    let path: Vec<String> = match key {
        name if parameter(name) => vec!["parameter".to_owned(), name.to_owned()],
        path => path.split('.').map(|part| part.trim().to_owned()).collect(),
    };
    let mut at = form.root();
    for (n, part) in path.iter().enumerate() {
        let last = n + 1 == path.len();
        let found = at.get(part);
        match found.map(|node| &node.value) {
            Some(Value::Table(_)) if last && found.is_some_and(|node| !is_sourced(node)) => {
                return refuse(format!("the sweep of `{}` names a table; name one of its keys", short(key)));
            }
            _ if last && path.len() > 1 => {}
            // At the top there are words alone that can be varied.
            Some(Value::Text(_) | Value::Whole(..))
                if last && matches!(part.as_str(), "seed" | "warm_up") => {}
            Some(Value::Table(inner)) if !last => at = inner,
            _ => {
                let all = at.0.iter().map(|e| e.name.as_str());
                let tables = all.filter(|name| !matches!(*name, "figure" | "published" | "sweep")).take(20);
                return refuse(format!(
                    "the sweep of `{}`: there is no `{}`; there are {}",
                    short(key),
                    short(part),
                    tables.collect::<Vec<_>>().join(", ")
                ));
            }
        }
    }
    let values = values.into_iter().map(|node| Node { line, ..node }).collect();
    Some(Varied { key: SweptKey { key: key.to_owned(), label: String::new() }, path, values })
}

/// Is it a number with its origin?
fn is_sourced(node: &Node) -> bool {
    matches!(&node.value, Value::Table(entries) if entries.get("value").is_some())
}

/// Puts a value in its place, with an origin that says so.
fn set(root: &mut Entries, path: &[String], node: &Node) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        let part = |name: &str, value: Value| Entry {
            name: name.to_owned(),
            line: node.line,
            node: Node { line: node.line, value },
        };
        let sourced =
            Entries(vec![part("value", node.value.clone()), part("origin", Value::Text(SWEPT.to_owned()))]);
        // The seed and the like are no numbers of anything real, and have no origins.
        root.set(first, Node { line: node.line, value: Value::Table(sourced) });
    } else if let Some(entry) = root.0.iter_mut().find(|e| e.name == *first)
        && let Value::Table(inner) = &mut entry.node.value
    {
        set(inner, rest, node);
    }
}

/// Origin of what is varied.
pub(super) const SWEPT: &str = "varied by the sweep";

/// The values with names.
fn parameters(form: &Form, root: &Entries) -> Vec<Entry> {
    let Some(node) = root.get("parameter") else { return Vec::new() };
    let Value::Table(all) = &node.value else {
        form.note(form.refuse_at(node.line, "`parameter` is no table of values with names".to_owned()));
        return Vec::new();
    };
    let mut out = Vec::new();
    for entry in &all.0 {
        let value = value_of(&entry.node);
        let refers = matches!(&value.value, Value::Text(text) if text.starts_with('$'));
        if refers || value.value.plain().is_none() {
            let why = format!(
                "the parameter `{}` is no single value; it cannot be a list, or another parameter",
                short(&entry.name)
            );
            form.note(form.refuse_at(entry.line, why));
            // It is there, and what refers to it is not at fault; of two that refer to each other neither has a value.
            let other = match &value.value {
                Value::Text(text) => text.strip_prefix('$').and_then(|name| all.get(name)),
                _ => None,
            };
            let node = other
                .filter(|node| !matches!(&value_of(node).value, Value::Text(text) if text.starts_with('$')));
            out.push(Entry { node: node.unwrap_or(&entry.node).clone(), ..entry.clone() });
        } else {
            out.push(entry.clone());
        }
    }
    out
}

/// A value without its origin.
fn value_of(node: &Node) -> &Node {
    match &node.value {
        Value::Table(entries) => entries.get("value").unwrap_or(node),
        _ => node,
    }
}

/// Puts parameters where `$name` stands.
fn put_in(form: &Form, node: &mut Node, parameters: &[Entry], used: &mut [bool]) {
    match &mut node.value {
        Value::Text(text) => {
            let Some(name) = text.strip_prefix('$') else { return };
            match parameters.iter().position(|p| p.name == name) {
                Some(n) => {
                    used[n] = true;
                    node.value = parameters[n].node.value.clone();
                }
                None => {
                    let all: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).take(20).collect();
                    let there = if all.is_empty() {
                        "there is none".to_owned()
                    } else {
                        format!("there are {}", all.join(", "))
                    };
                    let why = format!("`${}` is no parameter; {there}", short(name));
                    form.note(form.refuse_at(node.line, why));
                }
            }
        }
        Value::List(parts) => {
            for part in parts {
                put_in(form, part, parameters, used);
            }
        }
        Value::Table(entries) => {
            let sourced = entries.get("value").is_some() && entries.get("origin").is_some();
            for entry in &mut entries.0 {
                put_in(form, &mut entry.node, parameters, used);
                // The origin that stands there counts, and not the parameter's.
                if sourced && entry.name == "value" {
                    entry.node = value_of(&entry.node).clone();
                }
            }
        }
        _ => {}
    }
}

/// The values of a key of `[sweep]`.
fn values(node: &Node) -> Result<Vec<Node>, String> {
    match &node.value {
        Value::List(parts) if parts.is_empty() => Err("an empty list has no values".to_owned()),
        Value::List(parts) if parts.len() as u64 > MOST_POINTS => {
            Err(format!("{} values are more than {MOST_POINTS}", parts.len()))
        }
        Value::List(parts) => match parts.iter().find(|part| part.value.plain().is_none()) {
            Some(part) => Err(format!("a value is {}; single values are varied", part.value.shown())),
            None => Ok(parts.clone()),
        },
        Value::Text(text) if text.contains("..") => range(text, node.line),
        other if other.plain().is_some() => Ok(vec![node.clone()]),
        other => Err(format!("it is {}; it should be a list or a range such as \"1..8\"", other.shown())),
    }
}

/// The values of `--sweep KEY=VALUES`: a range, or values with commas between.
fn asked_values(text: &str) -> Result<Vec<Node>, String> {
    if text.contains("..") {
        return range(text, 0);
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() as u64 > MOST_POINTS {
        return Err(format!("{} values are more than {MOST_POINTS}", parts.len()));
    }
    if parts.iter().any(|part| part.is_empty()) {
        return Err("a value between commas is empty".to_owned());
    }
    Ok(parts.into_iter().map(|part| Node { line: 0, value: bare(part) }).collect())
}

/// A value without quotes: a number, yes or no, else a text.
fn bare(text: &str) -> Value {
    match text {
        "true" => Value::Flag(true),
        "false" => Value::Flag(false),
        digits if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Value::Whole(digits.to_owned(), 10)
        }
        number if number_and_unit(number).is_some_and(|(_, unit)| unit.is_empty()) => {
            Value::Fraction(number.to_owned())
        }
        other => Value::Text(other.to_owned()),
    }
}

/// `a..b`, `a..b:step`, `a..b:*factor`, with one unit.
fn range(text: &str, line: usize) -> Result<Vec<Node>, String> {
    let wrong = |why: &str| {
        Err(format!(
            "\"{}\" is no range: {why}; write for example \"1..8\", \"10 %..50 %:10 %\" or \"4..64:*2\"",
            short(text)
        ))
    };
    let Some((from, rest)) = text.split_once("..") else { return wrong("it has no `..`") };
    let (to, step) = match rest.split_once(':') {
        Some((to, step)) => (to, Some(step.trim())),
        None => (rest, None),
    };
    let unit_of = |text: &str| SweptValue::of(text).unit;
    let (Some((low, _)), Some((high, _))) = (number_and_unit(from), number_and_unit(to)) else {
        return wrong("its ends are no numbers");
    };
    let (unit_from, unit_to) = (unit_of(from), unit_of(to));
    if !unit_from.is_empty() && !unit_from.eq_ignore_ascii_case(&unit_to) {
        return wrong("its ends have two units");
    }
    if low > high {
        return wrong("it ends before it begins");
    }
    let factor = step.and_then(|s| s.strip_prefix('*'));
    let numbers: Vec<f64> = match (factor, step) {
        (Some(factor), _) => {
            let factor = number_and_unit(factor).filter(|(f, unit)| *f > 1.000_1 && unit.is_empty());
            let Some((factor, _)) = factor else { return wrong("its factor is not above 1") };
            if low <= 0.0 {
                return wrong("nothing grows from 0 by a factor");
            }
            let mut all = Vec::new();
            let mut at = low;
            while at <= high * (1.0 + 1e-9) {
                if all.len() as u64 >= MOST_POINTS {
                    return Err(format!("the range \"{}\" has more than {MOST_POINTS} values", short(text)));
                }
                all.push(at);
                at *= factor;
            }
            all
        }
        (None, step) => {
            let step = match step {
                Some(step) => {
                    let Some((number, _)) = number_and_unit(step) else {
                        return wrong("its step is no number");
                    };
                    let unit = unit_of(step);
                    if !unit.is_empty() && !unit.eq_ignore_ascii_case(&unit_to) {
                        return wrong("its step has another unit");
                    }
                    number
                }
                None if unit_to.is_empty() && low.fract() == 0.0 && high.fract() == 0.0 => 1.0,
                None => return wrong("it has no step"),
            };
            if step <= 0.0 {
                return wrong("its step is nothing");
            }
            let count = ((high - low) / step + 1e-9).floor() + 1.0;
            if count > MOST_POINTS as f64 {
                return Err(format!(
                    "the range \"{}\" has {count} values; at most {MOST_POINTS} are simulated",
                    short(text)
                ));
            }
            (0..count as usize).map(|n| low + n as f64 * step).collect()
        }
    };
    let node = |number: f64| {
        // As a person would write it.
        let number = (number * 1e9).round() / 1e9;
        let value = match (unit_to.as_str(), number.fract() == 0.0) {
            ("", true) => Value::Whole(format!("{number}"), 10),
            ("", false) => Value::Fraction(format!("{number}")),
            (unit, _) => Value::Text(format!("{number} {unit}")),
        };
        Node { line, value }
    };
    Ok(numbers.into_iter().map(node).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Result<Vec<String>, String> {
        asked_values(text).map(|nodes| nodes.iter().map(|n| n.value.plain().unwrap()).collect())
    }

    #[test]
    fn ranges_and_lists_are_the_values_that_one_expects() {
        assert_eq!(texts("1..4").unwrap(), ["1", "2", "3", "4"]);
        assert_eq!(texts("0..1:0.25").unwrap(), ["0", "0.25", "0.5", "0.75", "1"]);
        assert_eq!(texts("10 %..30%:10 %").unwrap(), ["10 %", "20 %", "30 %"]);
        assert_eq!(texts("64KiB..512KiB:*2").unwrap(), ["64 KiB", "128 KiB", "256 KiB", "512 KiB"]);
        assert_eq!(texts("7..7").unwrap(), ["7"]);
        assert_eq!(texts("external, normal,high").unwrap(), ["external", "normal", "high"]);
        assert_eq!(texts("0.1..0.3:0.1").unwrap(), ["0.1", "0.2", "0.3"]);
    }

    #[test]
    fn what_is_no_range_is_refused_in_a_sentence() {
        for (text, says) in [
            ("1..1000000000", "has 1000000000 values"),
            ("4..1", "ends before it begins"),
            ("1 ms..8 ms", "has no step"),
            ("1 ms..8 s:1", "two units"),
            ("1..8:0", "step is nothing"),
            ("1..8:*1", "factor is not above 1"),
            ("0..8:*2", "nothing grows"),
            ("1e-300..1e300", "two units"),
            ("0.000000001..99999999999999999:*1.001", "more than 10000"),
            ("..", "no numbers"),
            ("a,,b", "empty"),
            ("-5..5", "no numbers"),
        ] {
            let said = texts(text).unwrap_err();
            assert!(said.contains(says), "{text}: {said}");
        }
    }
}
