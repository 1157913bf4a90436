//! New files in the shape that the others have.

use crate::text;
use std::path::Path;

/// A reader for a section of Oracle's reports, with its line in the registry.
pub(crate) fn section(root: &Path, name: &str) -> Result<(), String> {
    let name = checked(name)?;
    let folder = root.join("crates/evidence/src/oracle/sections");
    let title = name.replace('_', "");
    let code = format!(
        "//! {name}: what the section says.\n//!\n//! Printed as `...` (releases). Columns: ... with units. Traps: ...\n\n\
         use crate::grid::Grid;\nuse crate::oracle::context::Context;\n\n\
         /// Folded titles.\npub(crate) const TITLES: &[&str] = &[\"{title}\"];\n\n\
         /// Reads the section's tables; returns rows read.\n\
         pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {{\n    \
         let name = grid.column(&[\"name\"]);\n    let mut rows = 0;\n    for row in 0..grid.len() {{\n        \
         if context.text(grid, row, name).is_some() {{\n            rows += 1;\n        }}\n    }}\n    rows\n}}\n"
    );
    create(&folder.join(format!("{name}.rs")), &code)?;
    let list = folder.join("mod.rs");
    insert(&list, "static SECTIONS: &[Entry] = &[\n", &format!("    ({name}::TITLES, {name}::read),\n"))?;
    insert(&list, "\nmod ", &format!("{name};\nmod "))
}

/// A diagnosis rule, with its line in the list.
pub(crate) fn rule(root: &Path, name: &str) -> Result<(), String> {
    let name = checked(name)?;
    let folder = root.join("crates/diagnosis/src/rules");
    let mut code = format!("//! {}: one sentence that says what holds.\n", name.replace('_', " "));
    for heading in crate::docs::HEADINGS {
        code.push_str(&format!("//!\n//! # {heading}\n//!\n//! ...\n"));
    }
    code.push_str(
        "\nuse crate::case::Case;\nuse crate::finding::Verdict;\n\n/// The rule.\n\
         pub(crate) fn run(case: &Case<'_>) -> Verdict {\n    if case.report.tables.wait_event.is_empty() {\n        \
         return Verdict::CannotTell(\"the wait events\".to_owned());\n    }\n    Verdict::NotFound\n}\n",
    );
    create(&folder.join(format!("{name}.rs")), &code)?;
    let list = folder.join("mod.rs");
    let title = name.replace('_', " ");
    let entry =
        format!("    RuleInfo {{ id: \"{name}\", title: \"{title}\", run: {name}::run, looks_at: &[] }},\n");
    insert(&list, "pub static ALL: &[RuleInfo] = &[\n", &entry)?;
    insert(&list, "\nmod ", &format!("{name};\nmod "))
}

fn checked(name: &str) -> Result<&str, String> {
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if fits { Ok(name) } else { Err(format!("`{name}` is no snake_case name")) }
}

fn create(path: &Path, code: &str) -> Result<(), String> {
    if path.exists() {
        return Err(format!("{} is there already", path.display()));
    }
    std::fs::write(path, code).map_err(|e| format!("{} could not be written: {e}", path.display()))?;
    println!("made {}", path.display());
    Ok(())
}

/// Puts a line behind the first place where the marker stands.
fn insert(path: &Path, marker: &str, line: &str) -> Result<(), String> {
    let code = text(path)?;
    let at = code.find(marker).ok_or_else(|| format!("{} has no `{}`", path.display(), marker.trim()))?;
    let (before, after) = code.split_at(at + marker.len());
    std::fs::write(path, format!("{before}{line}{after}"))
        .map_err(|e| format!("{} could not be written: {e}", path.display()))
}
