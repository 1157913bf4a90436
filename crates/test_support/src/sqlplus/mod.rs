//! A strict reader of the SQL*Plus scripts that move storage: a script passes only where every line is a
//! known command, every block parses as PL/SQL with all names declared, every query in it parses as
//! Oracle's SQL, and every statement that it would execute, whatever the dictionary answers, has a known
//! shape. No database is at hand; this stands in for what one would refuse.

mod lexer;
mod plsql;
mod run;
mod shapes;

use std::collections::BTreeSet;

/// Runs of each block, each with other answers of the dictionary.
const RUNS: u64 = 1024;

/// What a script that passed holds.
#[derive(Clone, Debug, Default)]
pub struct MoveScript {
    /// Queries parsed by a parser that knows Oracle.
    pub queries: usize,
    /// Shapes of the statements that were executed.
    pub shapes: BTreeSet<&'static str>,
    /// Names and texts in them.
    pub quoted: BTreeSet<String>,
    /// What SQL*Plus prints by `prompt`, in order.
    pub prompts: Vec<String>,
}

/// Reads a move script.
///
/// # Errors
/// In a sentence, what in it no SQL*Plus, PL/SQL or SQL would take.
pub fn check_move_script(script: &str) -> Result<MoveScript, String> {
    let mut found = MoveScript::default();
    let mut lines = script.lines();
    let mut defined: BTreeSet<String> = BTreeSet::new();
    // As SQL*Plus begins.
    let mut define_is_on = true;
    let mut was_set_on = false;
    while let Some(line) = lines.next() {
        let wrong = |why: &str| Err(format!("{why}: {}", lexer::clip(line)));
        if line.contains('\r') || line.contains('\0') || line.len() > 2_499 {
            return wrong("a line that SQL*Plus reads otherwise");
        }
        let is_block = line == "declare" || line.starts_with("begin");
        if !is_block {
            if line.ends_with('-') {
                return wrong("goes on in the next line");
            }
            if define_is_on && line.contains('&') {
                return wrong("asks for a value");
            }
        }
        let mut words = line.split(' ');
        match words.next().unwrap_or_default() {
            "" | "--" => {}
            "prompt" => found.prompts.push(line["prompt".len()..].trim().to_owned()),
            "set" if line.starts_with("set define") => match line {
                "set define on" => (define_is_on, was_set_on) = (true, true),
                "set define off" => define_is_on = false,
                _ => return wrong("no setting"),
            },
            "set" => setting(line)?,
            "whenever" if line == "whenever sqlerror exit failure rollback" => {}
            "variable" => match line.split(' ').collect::<Vec<_>>().as_slice() {
                [_, name, kind] if is_name(name) && is_varchar(kind) => {
                    defined.insert((*name).to_owned());
                }
                _ => return wrong("no variable"),
            },
            "define" => match line.splitn(4, ' ').collect::<Vec<_>>().as_slice() {
                [_, name, "=", value]
                    if is_name(name) && !value.is_empty() && !value.contains(['\'', '"', ' ']) =>
                {
                    defined.insert((*name).to_owned());
                }
                _ => return wrong("no definition"),
            },
            "spool" if line == "spool spindle_place.log append" || line == "spool off" => {}
            "alter" => {
                let statement = line.strip_suffix(';').ok_or_else(|| format!("no end: {line}"))?;
                found.shapes.insert(shapes::shape(statement)?);
                found.quoted.extend(shapes::quoted(statement));
            }
            _ if is_block => {
                let mut text = String::new();
                let mut next = Some(line);
                loop {
                    let Some(line) = next else { return wrong("a block has no end") };
                    if line.trim_end() == "/" {
                        break;
                    }
                    if line.trim() == "." || line.len() > 2_499 {
                        return Err(format!("ends the block: {}", lexer::clip(line)));
                    }
                    text.push_str(line);
                    text.push('\n');
                    next = lines.next();
                }
                let text = if define_is_on { substituted(&text, &defined)? } else { text };
                block(&text, &defined, &mut found)?;
            }
            _ => return wrong("SQL*Plus does not know"),
        }
    }
    if define_is_on && was_set_on {
        return Err("define stays on".to_owned());
    }
    Ok(found)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.len() <= 30
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_varchar(kind: &str) -> bool {
    let size = kind.strip_prefix("varchar2(").and_then(|k| k.strip_suffix(')'));
    size.is_some_and(|s| s.parse::<u32>().is_ok_and(|n| (1..=4000).contains(&n)))
}

/// `set name value name value`.
fn setting(line: &str) -> Result<(), String> {
    const KNOWN: [&str; 3] = [
        "set serveroutput on size unlimited format wrapped",
        "set verify off feedback off linesize 200 trimspool on sqlblanklines on",
        "set transaction read only;",
    ];
    if KNOWN.contains(&line) { Ok(()) } else { Err(format!("no known setting: {line}")) }
}

/// Puts values in the place of `&NAME`.
fn substituted(text: &str, defined: &BTreeSet<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        if !defined.contains(&after[..end]) {
            return Err(format!("asks for a value: &{}", &after[..end]));
        }
        out.push_str(before);
        out.push_str("+FAST");
        rest = &after[end..];
    }
    out.push_str(rest);
    Ok(out)
}

fn block(text: &str, defined: &BTreeSet<String>, found: &mut MoveScript) -> Result<(), String> {
    if text.contains('&') && text.contains("set define on") {
        return Err("define inside a block".to_owned());
    }
    let mut parser = plsql::Parser::new(text)?;
    for bind in parser.binds() {
        if !defined.contains(&bind) {
            return Err(format!("the bind variable :{bind} is not declared"));
        }
    }
    let block = parser.block_alone()?;
    found.queries += parser.queries;
    for seed in 0..RUNS {
        let mut run = run::Run::new(seed + 1);
        run.whole(&block)?;
        for (statement, shape) in run.executed {
            found.shapes.insert(shape);
            found.quoted.extend(shapes::quoted(&statement));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
