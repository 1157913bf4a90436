//! Pages made from the code: one for each rule, from the documentation at its head, and the keys of scenarios, from their reader.

use crate::{files, text};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

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

/// The page of the keys of scenarios.
const KEYS: &str = "docs/scenario-keys.md";

/// What it should hold: what the command prints, as Markdown.
fn scenario_keys(root: &Path) -> Result<String, String> {
    let ran = Command::new("cargo")
        .args(["run", "--quiet", "--package", "spindle-cli", "--", "simulate", "--keys", "--width", "160"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    if !ran.status.success() {
        return Err(format!(
            "`spindle simulate --keys` could not be run: {}",
            String::from_utf8_lossy(&ran.stderr).trim()
        ));
    }
    Ok(keys_page(&String::from_utf8_lossy(&ran.stdout)))
}

/// Headings stand behind an empty line or first, keys two columns in, and what goes on four.
fn keys_page(printed: &str) -> String {
    let mut page = String::from(
        "# Keys of a scenario\n\nWhat can stand in a file for `spindle simulate`, by table: whether a key has to be there, what may stand \
         there, what it means. Made by `cargo xtask docs` from `spindle simulate --keys`, which reads small files and lists what the \
         reader looks for, with the bounds that it checks. A number that stands for something real may be a table, `{ value = \"5.2 ms\", \
         origin = \"data sheet\" }`. Under `[parameter]` stand names with values, under `[sweep]` keys with lists or ranges.\n",
    );
    let mut is_first = true;
    for line in printed.lines() {
        match line.strip_prefix("  ") {
            _ if line.is_empty() => is_first = true,
            None if is_first => {
                let _ = write!(page, "\n## `{line}`\n\n");
                is_first = false;
            }
            None => {
                let _ = write!(page, "{line}\n\n");
            }
            Some(rest) => match (rest.strip_prefix("  "), rest.split_once(' ')) {
                (Some(more), _) => {
                    let _ = writeln!(page, "  {more}");
                }
                (None, Some((key, rest))) => {
                    let _ = writeln!(page, "- `{key}` {rest}");
                }
                (None, None) => {}
            },
        }
    }
    page
}

/// Writes `docs/rules` and the keys of scenarios.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    std::fs::write(root.join(KEYS), scenario_keys(root)?)
        .map_err(|e| format!("{KEYS} could not be written: {e}"))?;
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
    if std::fs::read_to_string(root.join(KEYS)).unwrap_or_default() != scenario_keys(root)? {
        return Err(format!("{KEYS} is not what the code says: run `cargo xtask docs`"));
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

#[cfg(test)]
mod tests {
    use super::keys_page;

    #[test]
    fn a_list_of_keys_becomes_a_page() {
        let page = keys_page(
            "[a]\n  x (required; 1 to 2): what\n    goes on\n\n[b]\nA note.\n  y_z (optional; text): b\n",
        );
        let end = "## `[a]`\n\n- `x` (required; 1 to 2): what\n  goes on\n\n## `[b]`\n\nA note.\n\n- `y_z` (optional; text): b\n";
        assert!(page.ends_with(end), "{page}");
    }
}
