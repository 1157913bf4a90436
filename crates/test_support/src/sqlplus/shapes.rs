//! Statements that a move script may run, by shape. Names stand between double quotes and texts between
//! single ones, so a shape that fits says that no name has left its quotes.

use super::lexer::{Token, tokens};

/// `N` a name, `T` a text, `#` a number; `[ ]` may be left out, `{ }` may come any number of times,
/// `a|b` is one of them. Grammar: SQL Language Reference of 11.2 to 21c.
const SHAPES: [&str; 18] = [
    "alter table N . N move [ online ] tablespace N { lob ( N ) store as securefile|basicfile ( tablespace N ) }",
    "alter table N . N move partition|subpartition N tablespace N update indexes [ online ]",
    "alter table N . N move [ partition N ] lob ( N ) store as securefile|basicfile ( tablespace N ) [ update indexes ]",
    "alter index N . N rebuild [ partition|subpartition N ] [ tablespace N ] [ online ]",
    "alter database move datafile # to T",
    "create bigfile|smallfile temporary tablespace N tempfile T size # autoextend on|off [ next # maxsize # ]",
    "alter tablespace N add tempfile T size # autoextend on|off [ next # maxsize # ]",
    "alter database default temporary tablespace N",
    "alter user N temporary tablespace N",
    "alter user N quota unlimited on N",
    "alter database add logfile thread # ( T { , T } ) size # blocksize #",
    "alter database drop logfile group #",
    "alter system switch logfile",
    "alter system archive log current",
    "alter system checkpoint global",
    "alter session set container = N",
    "alter session set ddl_lock_timeout = #",
    "alter session set nls_language = T",
];

/// The shape of a statement, which carries no semicolon.
pub(super) fn shape(statement: &str) -> Result<&'static str, String> {
    let tokens: Vec<Token> = tokens(statement)?.into_iter().map(|t| t.token).collect();
    SHAPES
        .into_iter()
        .find(|shape| fits(&shape.split(' ').collect::<Vec<_>>(), &tokens))
        .ok_or_else(|| format!("no known statement: {statement}"))
}

fn fits(shape: &[&str], tokens: &[Token]) -> bool {
    match shape {
        [] => tokens.is_empty(),
        ["[" | "{", ..] => {
            let (open, close) = if shape[0] == "[" { ("[", "]") } else { ("{", "}") };
            let Some(end) = shape.iter().position(|s| *s == close) else { return false };
            let (inside, after) = (&shape[1..end], &shape[end + 1..]);
            let again = if open == "{" { shape } else { after };
            fits(after, tokens)
                || tokens.len() >= inside.len()
                    && fits(inside, &tokens[..inside.len()])
                    && fits(again, &tokens[inside.len()..])
        }
        [first, after @ ..] => {
            let Some((token, rest)) = tokens.split_first() else { return false };
            let same = match token {
                Token::Name(_) => *first == "N",
                Token::Text(_) => *first == "T",
                Token::Number(_) => *first == "#",
                Token::Word(word) => first.split('|').any(|w| w == word),
                Token::Sign(sign) => first == sign,
                Token::Bind(_) => false,
            };
            same && fits(after, rest)
        }
    }
}

/// The names and texts of a statement.
pub(super) fn quoted(statement: &str) -> Vec<String> {
    let tokens = tokens(statement).unwrap_or_default().into_iter();
    tokens
        .filter_map(|t| match t.token {
            Token::Name(text) | Token::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}
