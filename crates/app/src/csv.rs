//! `spindle facts --csv`: one file a table, all reports in it, each row with the report it came
//! from in its first columns.

use crate::facts::{Part, as_map, table_names};
use serde::Serialize;
use serde_json::{Map, Value};
use spindle_facts::Report;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// First columns of every file; they also tell our files from others'.
const SOURCE_COLUMNS: [&str; 6] = [
    "source",
    "report_db_name",
    "report_instance",
    "report_container",
    "report_begin_time",
    "report_end_time",
];

/// Tables beside those of the facts.
const OTHER_TABLES: [&str; 4] = ["report", "section", "note", "raw_table"];

/// A folder that receives one file a table.
///
/// A table can gain columns from report to report, so rows go to a part file first; [`finish`]
/// writes the final file with all columns in its head and every row filled up.
///
/// [`finish`]: Self::finish
pub struct CsvFolder {
    folder: PathBuf,
    part: Part,
    tables: BTreeMap<String, Table>,
}

struct Table {
    columns: Vec<String>,
    part: BufWriter<File>,
    part_path: PathBuf,
}

impl CsvFolder {
    /// Makes the folder ready; without `force`, a file in it that has the name of one of our tables
    /// but was not written by us is an error.
    ///
    /// # Errors
    /// Those of the file system, and `AlreadyExists` with the name of the foreign file.
    pub fn new(folder: &Path, part: Part, force: bool) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        if !force {
            for name in table_names().iter().map(String::as_str).chain(OTHER_TABLES) {
                let path = folder.join(format!("{name}.csv"));
                if path.exists() && !is_ours(&path)? {
                    let what = format!("{} was not written by Spindle", path.display());
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
                }
            }
        }
        Ok(Self { folder: folder.to_owned(), part, tables: BTreeMap::new() })
    }

    /// Adds the rows of a report.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn report(&mut self, report: &Report) -> io::Result<()> {
        let id = &report.identity;
        let source = [
            Some(id.source.as_str()),
            id.db_name.as_deref(),
            id.instance.as_deref(),
            id.container.as_deref(),
            id.begin_time.as_deref(),
            id.end_time.as_deref(),
        ];
        let source: Vec<String> = source.iter().map(|cell| quoted(cell.unwrap_or_default())).collect();
        let source = source.join(",");
        if self.part == Part::All {
            self.other_tables(report, &source)?;
        }
        for (name, rows) in as_map(&report.tables) {
            if let Part::Tables(names) = &self.part
                && !names.contains(&name)
            {
                continue;
            }
            for row in rows.as_array().into_iter().flatten().filter_map(Value::as_object) {
                self.row(&name, &source, row)?;
            }
        }
        Ok(())
    }

    fn other_tables(&mut self, report: &Report, source: &str) -> io::Result<()> {
        self.row("report", source, &as_object(&report.identity))?;
        for section in &report.sections {
            self.row("section", source, &as_object(section))?;
        }
        for note in &report.notes {
            self.row("note", source, &as_object(note))?;
        }
        for table in &report.raw_tables {
            for (r, row) in table.rows.iter().enumerate() {
                for (c, cell) in row.enumerate() {
                    let heading = table.headings.get(c);
                    let cell = serde_json::json!({"title": table.title, "line": table.line, "row": r + 1, "heading": heading, "cell": cell});
                    self.row("raw_table", source, &as_object(&cell))?;
                }
            }
        }
        Ok(())
    }

    fn row(&mut self, name: &str, source: &str, cells: &Map<String, Value>) -> io::Result<()> {
        if !self.tables.contains_key(name) {
            // Two runs into one folder must not write the same part.
            let part_path = self.folder.join(format!("{name}.csv.{}.part", std::process::id()));
            let part = BufWriter::new(File::create(&part_path)?);
            self.tables.insert(name.to_owned(), Table { columns: Vec::new(), part, part_path });
        }
        let Some(table) = self.tables.get_mut(name) else { return Ok(()) };
        for key in cells.keys() {
            if !table.columns.contains(key) {
                table.columns.push(key.clone());
            }
        }
        table.part.write_all(source.as_bytes())?;
        for column in &table.columns {
            write!(table.part, ",{}", cells.get(column).map(printed).unwrap_or_default())?;
        }
        table.part.write_all(b"\n")
    }

    /// Writes the final files and returns how many there are. Tables that an earlier run left in the
    /// folder and this one has no rows for are removed: they would look like part of this answer.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn finish(mut self) -> io::Result<usize> {
        let tables = std::mem::take(&mut self.tables);
        for name in table_names().iter().map(String::as_str).chain(OTHER_TABLES) {
            let path = self.path(name);
            if !tables.contains_key(name) && path.exists() && is_ours(&path).unwrap_or(false) {
                fs::remove_file(path).or_else(gone_already)?;
            }
        }
        let count = tables.len();
        for (name, mut table) in tables {
            table.part.flush()?;
            let new_path = self.folder.join(format!("{name}.csv.{}.new", std::process::id()));
            let mut whole = BufWriter::new(File::create(&new_path)?);
            let own = table.columns.iter().map(|column| quoted(column));
            let head: Vec<String> = SOURCE_COLUMNS.into_iter().map(str::to_owned).chain(own).collect();
            writeln!(whole, "{}", head.join(","))?;
            fill_up(File::open(&table.part_path)?, &mut whole, head.len())?;
            whole.flush()?;
            fs::rename(&new_path, self.path(&name))?;
        }
        Ok(count)
    }

    fn path(&self, table: &str) -> PathBuf {
        self.folder.join(format!("{table}.csv"))
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // Left behind, it would be a riddle at worst.
        let _ = fs::remove_file(&self.part_path);
    }
}

/// Another run may have removed the file first.
fn gone_already(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Copies rows, adding the empty cells that a row written before a column appeared lacks.
fn fill_up(rows: impl Read, whole: &mut impl Write, columns: usize) -> io::Result<()> {
    let (mut cells, mut in_quotes) = (1, false);
    for byte in BufReader::new(rows).bytes() {
        let byte = byte?;
        match byte {
            b'"' => in_quotes = !in_quotes,
            b',' if !in_quotes => cells += 1,
            b'\n' if !in_quotes => {
                whole.write_all(&vec![b','; columns - cells])?;
                cells = 1;
            }
            _ => {}
        }
        whole.write_all(&[byte])?;
    }
    Ok(())
}

fn is_ours(path: &Path) -> io::Result<bool> {
    let mut head = String::new();
    // A first line of ours is short; whatever else stands there need not be read whole.
    BufReader::new(File::open(path)?.take(4096))
        .read_line(&mut head)
        .or_else(|error| if error.kind() == io::ErrorKind::InvalidData { Ok(0) } else { Err(error) })?;
    Ok(head.starts_with(&SOURCE_COLUMNS.join(",")))
}

fn as_object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// A cell as CSV; null is empty.
fn printed(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        other => {
            let mut out = Vec::new();
            match crate::json::write(&mut out, other) {
                Ok(()) => quoted(&String::from_utf8_lossy(&out)),
                Err(_) => String::new(),
            }
        }
    }
}

/// A cell of text. A spreadsheet takes what begins with `=`, `+`, `-` or `@` for a formula, which could
/// run what a report holds: an apostrophe goes before it, but not before a number.
fn quoted(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(cell);
    if formula { escaped(&format!("'{cell}")) } else { escaped(cell) }
}

/// A number as reports print it, `-1,234.5` or `-12.3%`, or signs alone, which are no formula.
fn is_number(cell: &str) -> bool {
    let cell = cell.trim_end_matches('%');
    cell.bytes().all(|b| b"+-.".contains(&b)) || cell.replace(',', "").parse::<f64>().is_ok()
}

fn escaped(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{fill_up, quoted};

    #[test]
    fn rows_that_a_later_column_left_short_are_filled_up() {
        let mut whole = Vec::new();
        fill_up("a,\"b,\n\"\"\"\n1,2,3\n".as_bytes(), &mut whole, 4).unwrap();
        assert_eq!(String::from_utf8(whole).unwrap(), "a,\"b,\n\"\"\",,\n1,2,3,\n");
    }

    #[test]
    fn cells_ran_as_formulas_in_a_spreadsheet() {
        for (cell, written) in [
            ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
            ("@SUM(1,2)", "\"'@SUM(1,2)\""),
            ("-2+cmd|x!A0", "'-2+cmd|x!A0"),
            ("+DISK/one.dbf", "'+DISK/one.dbf"),
            ("-5", "-5"),
            ("-1,234.5", "\"-1,234.5\""),
            ("+3.1%", "+3.1%"),
            ("-", "-"),
            ("a=b", "a=b"),
        ] {
            assert_eq!(quoted(cell), written);
        }
    }

    #[test]
    fn cells_are_quoted_where_they_must() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
