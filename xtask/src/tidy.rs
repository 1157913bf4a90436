//! House rules that a compiler does not know: which crate may need which, who may look at a clock,
//! what must not stand in the repository.

use crate::{files, text};
use std::path::Path;

/// Arrows between crates: everything a crate may need of ours, outside tests.
const ARROWS: &[(&str, &[&str])] = &[
    ("facts", &[]),
    ("evidence", &["facts", "workload"]),
    ("diagnosis", &["facts"]),
    ("workload", &["facts"]),
    ("mount_table", &[]),
    ("io_measure", &["workload", "mount_table"]),
    ("io_simulate", &["workload"]),
    ("io_emulate", &["io_simulate", "mount_table"]),
    ("planning", &["facts", "workload", "diagnosis"]),
    ("presentation", &["facts", "diagnosis", "planning", "workload"]),
    (
        "app",
        &[
            "facts",
            "evidence",
            "diagnosis",
            "planning",
            "workload",
            "io_simulate",
            "io_emulate",
            "io_measure",
        ],
    ),
    ("cli", &["facts", "evidence", "diagnosis", "planning", "workload", "presentation", "app"]),
    ("test_support", &["facts", "evidence", "diagnosis", "planning", "workload", "presentation", "app"]),
];

/// Crates that read no clock and no file: the same input gives the same bytes.
const PURE: &[&str] =
    &["facts", "evidence", "diagnosis", "workload", "io_simulate", "mount_table", "planning", "presentation"];

/// What pure crates must not call, with what to use instead.
const BANNED: &[(&str, &str)] = &[
    ("SystemTime::now", "take the time from the report"),
    ("Instant::now", "measure in a bench"),
    ("Timestamp::now", "take the time from the report"),
    ("std::fs::", "let `app` open files and hand over bytes"),
    ("std::env::", "let `cli` read options and hand over values"),
];

/// Runs every house rule; the message lists each breach with its place.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    println!("$ cargo xtask tidy");
    let mut breaches = Vec::new();
    arrows(root, &mut breaches)?;
    purity(root, &mut breaches)?;
    rules(root, &mut breaches)?;
    places(root, &mut breaches)?;
    if breaches.is_empty() { Ok(()) } else { Err(breaches.join("\n")) }
}

fn arrows(root: &Path, breaches: &mut Vec<String>) -> Result<(), String> {
    for manifest in files(&root.join("crates"), &["Cargo.toml"]) {
        let folder =
            manifest.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == folder) else {
            breaches.push(format!(
                "crates/{folder}: not in the table of crates (xtask/src/tidy.rs, ARCHITECTURE.md)"
            ));
            continue;
        };
        let mut in_dependencies = false;
        for line in text(&manifest)?.lines() {
            if line.starts_with('[') {
                in_dependencies = line == "[dependencies]";
            }
            let needed = line.strip_prefix("spindle-").and_then(|l| l.split(['.', ' ', '=']).next());
            if let Some(needed) = needed.filter(|_| in_dependencies)
                && !allowed.contains(&needed.replace('-', "_").as_str())
            {
                breaches.push(format!("crates/{folder} must not need spindle-{needed}"));
            }
        }
    }
    Ok(())
}

fn purity(root: &Path, breaches: &mut Vec<String>) -> Result<(), String> {
    for name in PURE {
        for file in files(&root.join("crates").join(name).join("src"), &[".rs"]) {
            for (number, line) in text(&file)?.lines().enumerate() {
                for (banned, instead) in BANNED.iter().filter(|(b, _)| line.contains(b)) {
                    breaches.push(format!("{}:{}: `{banned}`: {instead}", file.display(), number + 1));
                }
            }
        }
    }
    Ok(())
}

/// Every rule documents itself under the same headings; every reader of a section says what it reads.
fn rules(root: &Path, breaches: &mut Vec<String>) -> Result<(), String> {
    for (id, page) in crate::docs::rule_pages(root)? {
        for heading in crate::docs::HEADINGS {
            if !page.contains(&format!("# {heading}")) {
                breaches.push(format!("crates/diagnosis/src/rules/{id}.rs: no heading `# {heading}`"));
            }
        }
    }
    for file in files(&root.join("crates"), &[".rs"]) {
        let code = text(&file)?;
        if file.components().any(|c| c.as_os_str() == "src") && !code.starts_with("//!") {
            breaches.push(format!("{}: its first lines do not say what it is for", file.display()));
        }
    }
    Ok(())
}

/// Machine paths that belong to nobody else's machine.
fn places(root: &Path, breaches: &mut Vec<String>) -> Result<(), String> {
    let home = ["/ho", "me/"].concat();
    let other = ["/wo", "rk/"].concat();
    for file in files(root, &[".rs", ".md", ".toml", ".txt", ".html", ".sh", "run"]) {
        // Reports name the paths of the machine that they are of.
        if file.starts_with(root.join("examples")) {
            continue;
        }
        let Ok(content) = text(&file) else {
            continue;
        };
        for (number, line) in content.lines().enumerate() {
            if line.contains(&home) || line.contains(&other) {
                breaches.push(format!("{}:{}: names a path of one machine", file.display(), number + 1));
            }
        }
    }
    Ok(())
}
