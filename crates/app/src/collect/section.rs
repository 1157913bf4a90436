//! One section of a spool file: a query of `sql/`, made into tagged lines.
//!
//! A query names its columns and their kinds in its first line (`-- columns: con #bytes @end_time`:
//! text, `#` number, `@` time); the comment lines after it go into the script. In the query:
//!
//! | written | becomes |
//! |---|---|
//! | `{d}_segments` | `dba_segments`; `cdb_segments` in the root of a container database |
//! | `{con:s}` | name of the container of row `s` |
//! | `{old:...}`, `{new:...}`, `{root:...}` | the text in 11.2 only, from 12.1 on, in the root only |
//! | `{days}`, `{top}` | bounds of the order |
//! | any other | a piece of SQL that several queries share (`catalogue`) |

use super::order::Release;
use super::{Order, catalogue};

/// What a section may be read under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    DiagnosticsPack,
    Statspack,
}

/// A section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) needs: Needs,
    /// The file of `sql/`.
    pub(super) template: &'static str,
}

/// Where a query runs: which views and columns there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// 11.2: no containers.
    Old,
    /// 12.1 and later, inside one container or without any.
    Inside,
    /// 12.1 and later, in the root of a container database.
    Root,
}

impl Shape {
    /// As the bind variable `shape` of the scripts has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::Inside => "inside",
            Self::Root => "root",
        }
    }
}

/// The shapes that a script has to serve.
pub(super) fn shapes(order: &Order) -> &'static [Shape] {
    match (order.release, &order.container) {
        (Some(Release::R11_2), _) => &[Shape::Old],
        (_, Some(_)) => &[Shape::Inside],
        (Some(_), None) => &[Shape::Inside, Shape::Root],
        (None, None) => &[Shape::Old, Shape::Inside, Shape::Root],
    }
}

/// Kind of a column, which decides how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Text,
    Number,
    Time,
}

impl Section {
    /// Names of the columns, in order.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.kinds().map(|(name, _)| name)
    }

    fn kinds(&self) -> impl Iterator<Item = (&'static str, Column)> {
        let list = self.template.strip_prefix("-- columns: ").and_then(|t| t.lines().next());
        list.unwrap_or_default().split(' ').map(|word| {
            if let Some(name) = word.strip_prefix('#') {
                (name, Column::Number)
            } else if let Some(name) = word.strip_prefix('@') {
                (name, Column::Time)
            } else {
                (word, Column::Text)
            }
        })
    }

    /// What the script says of the section.
    pub(super) fn comment(&self, order: &Order) -> String {
        let lines = self.template.lines().skip(1).take_while(|line| line.starts_with("--"));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        bounds(&text, order)
    }

    /// The query as written in `sql/`, for one shape.
    pub(super) fn query(&self, order: &Order, shape: Shape) -> String {
        let body: String = (self.template.lines())
            .filter(|line| !line.starts_with("--"))
            .flat_map(|line| [line, "\n"])
            .collect();
        bounds(&filled(&catalogue::spliced(&body, self.needs), shape), order).trim_end().to_owned()
    }

    /// The statements that print the section.
    pub(super) fn script(&self, order: &Order) -> String {
        let name = self.name;
        let columns: String = self.columns().flat_map(|c| ["|".to_owned(), c.to_uppercase()]).collect();
        let queries: Vec<(Shape, String)> =
            shapes(order).iter().map(|&shape| (shape, self.lines(order, shape))).collect();
        let all_same = queries.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let statement = match queries.as_slice() {
            [(_, first), ..] if all_same => format!("{first};\n"),
            _ => chosen(&queries),
        };
        format!(
            "-- {name}\n{}{}prompt B|{name}{columns}\n{statement}{}\n",
            self.comment(order),
            clock(name, "begins"),
            clock(name, "ends"),
        )
    }

    /// The query whose rows are the section's lines: `D` for each row, then `E` with their count.
    fn lines(&self, order: &Order, shape: Shape) -> String {
        let name = self.name;
        let mut line = String::new();
        for (column, kind) in self.kinds() {
            let printed = match kind {
                Column::Text => escaped(&format!("q.{column}")),
                Column::Number => format!("to_char(q.{column}, 'TM9', 'nls_numeric_characters=''.,''')"),
                Column::Time => format!("to_char(q.{column}, 'YYYY-MM-DD HH24:MI:SS')"),
            };
            line.push_str(&format!("    || '|' || {printed}\n"));
        }
        // The last row brings the end line along, so that it is printed only when all rows were, with
        // the count of the very rows printed. A query without rows prints the end line alone.
        format!(
            "select case when r.total is null then 'E|{name}|0'
  when r.place = r.total then r.line || chr(10) || 'E|{name}|' || to_char(r.total)
  else r.line end as line
from dual d
left join (
  select 'X' as dummy, rownum as place, count(*) over () as total, 'D'
{line}    as line
  from (
{}
  ) q
) r on r.dummy = d.dummy
order by r.place",
            self.query(order, shape)
        )
    }
}

/// A block that opens the query of the shape found at run time, so that no release parses the
/// columns of another.
fn chosen(queries: &[(Shape, String)]) -> String {
    let mut block = "variable picked refcursor\nbegin\n".to_owned();
    for (n, (shape, query)) in queries.iter().enumerate() {
        let word = if n == 0 { "if" } else { "elsif" };
        block.push_str(&format!(
            "  {word} :shape = '{}' then\n    open :picked for q'~{query}~';\n",
            shape.name()
        ));
    }
    block.push_str("  end if;\nend;\n/\nprint picked\n");
    block
}

/// A line with the time, which readers pass over and people look at. Its two dashes are put together
/// at run time, as a client may take them for a comment inside the statement too.
fn clock(name: &str, word: &str) -> String {
    format!(
        "select '-' || '- {name}: {word} ' || to_char(sysdate, 'YYYY-MM-DD HH24:MI:SS') as line from dual;\n"
    )
}

/// Text with the delimiter and all that would break a line written as codes.
pub(super) fn escaped(text: &str) -> String {
    format!(
        "replace(replace(replace(replace(replace({text}, '%', '%25'), '|', '%7C'), chr(10), '%0A'), \
         chr(13), '%0D'), chr(9), '%09')"
    )
}

fn bounds(text: &str, order: &Order) -> String {
    text.replace("{days}", &order.days.to_string()).replace("{top}", &order.top.to_string())
}

/// Fills the places that depend on the shape. Others (`{days}`) stay.
fn filled(template: &str, shape: Shape) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, from)) = rest.split_once('{') {
        out.push_str(before);
        let Some((place, after)) = from.split_once('}') else {
            out.push('{');
            rest = from;
            continue;
        };
        match place.split_once(':') {
            Some(("con", row)) => out.push_str(&container(row, shape)),
            Some(("old", text)) if shape == Shape::Old => out.push_str(text),
            Some(("new", text)) if shape != Shape::Old => out.push_str(text),
            Some(("root", text)) if shape == Shape::Root => out.push_str(text),
            Some(_) => {}
            None if place == "d" => out.push_str(if shape == Shape::Root { "cdb" } else { "dba" }),
            None => out.push_str(&format!("{{{place}}}")),
        }
        rest = after;
    }
    out.push_str(rest);
    let kept: Vec<&str> = out.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    kept.join("\n")
}

/// The container's name: none before 12.1 and in a database without containers, where `con_id` is 0.
fn container(row: &str, shape: Shape) -> String {
    match shape {
        Shape::Old => "cast(null as varchar2(30))".to_owned(),
        Shape::Inside => {
            "decode(sys_context('userenv', 'con_id'), '0', null, sys_context('userenv', 'con_name'))"
                .to_owned()
        }
        Shape::Root => format!("(select k.name from v$containers k where k.con_id = {row}.con_id)"),
    }
}
