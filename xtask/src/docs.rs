//! Pages made from the code: one for each rule, from the documentation at its head.

use crate::{files, text};
use std::fmt::Write as _;
use std::path::Path;

/// Headings that the documentation of every rule has.
pub(crate) const HEADINGS: &[&str] = &[
    "What it detects",
    "Why it costs response time",
    "Facts needed",
    "Thresholds",
    "When it is wrong",
    "What to do",
    "SQL to see the evidence",
];

/// Identifier and page of every rule, sorted.
pub(crate) fn rule_pages(root: &Path) -> Result<Vec<(String, String)>, String> {
    let folder = root.join("crates/diagnosis/src/rules");
    let list = text(&folder.join("mod.rs"))?;
    let mut pages = Vec::new();
    for file in files(&folder, &[".rs"]) {
        let id = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Only rules: files that the list runs.
        if !list.contains(&format!(" {id}::run")) {
            continue;
        }
        let mut page = String::new();
        for line in text(&file)?.lines() {
            let Some(rest) = line.strip_prefix("//!") else {
                break;
            };
            let _ = writeln!(page, "{}", rest.strip_prefix(' ').unwrap_or(rest));
        }
        pages.push((id, page));
    }
    Ok(pages)
}

/// What the generated folder should hold.
fn wanted(root: &Path) -> Result<Vec<(String, String)>, String> {
    let rules = rule_pages(root)?;
    let mut index = String::from(
        "# Rules\n\nThe database suffers from ... Made from the head of each file in `crates/diagnosis/src/rules` by `cargo xtask docs`.\n\n",
    );
    for (id, page) in &rules {
        let first = page.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let _ = writeln!(index, "- [{}]({id}.md): {}", id.replace('_', " "), first.trim());
    }
    let mut pages = vec![("README.md".to_owned(), index)];
    for (id, page) in rules {
        // The headings of the source are one level below the page's title.
        let body = page.lines().map(|l| if l.starts_with("# ") { format!("#{l}") } else { l.to_owned() });
        let body = body.collect::<Vec<_>>().join("\n");
        pages.push((format!("{id}.md"), format!("# {}\n\n{}\n", id.replace('_', " "), body.trim_end())));
    }
    Ok(pages)
}

/// Writes `docs/rules`.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let folder = root.join("docs/rules");
    let pages = wanted(root)?;
    std::fs::create_dir_all(&folder).map_err(|e| format!("docs/rules could not be made: {e}"))?;
    for old in files(&folder, &[".md"]) {
        let name = old.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !pages.iter().any(|(n, _)| *n == name) {
            std::fs::remove_file(&old).map_err(|e| format!("{} could not be removed: {e}", old.display()))?;
        }
    }
    for (name, page) in pages {
        std::fs::write(folder.join(&name), page)
            .map_err(|e| format!("docs/rules/{name} could not be written: {e}"))?;
    }
    Ok(())
}

/// Are the pages those that the code would make?
pub(crate) fn check(root: &Path) -> Result<(), String> {
    println!("$ cargo xtask docs (check)");
    for (name, page) in wanted(root)? {
        let path = root.join("docs/rules").join(&name);
        if std::fs::read_to_string(&path).unwrap_or_default() != page {
            return Err(format!("docs/rules/{name} is not what the code says: run `cargo xtask docs`"));
        }
    }
    Ok(())
}

/// The test command as the README gives it.
pub(crate) fn readme_test_command(root: &Path) -> Result<String, String> {
    let readme = text(&root.join("README.md"))?;
    readme
        .lines()
        .map(str::trim)
        .find(|l| l.starts_with("cargo test"))
        .map(str::to_owned)
        .ok_or_else(|| "README.md gives no `cargo test` command".to_owned())
}
