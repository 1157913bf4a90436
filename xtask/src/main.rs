//! Housekeeping of the workspace: `cargo xtask ci | explore | tidy | docs | bench-io | bench-many |
//! bench-year | new-section NAME | new-rule NAME`.
//!
//! `ci` is exactly what `.ci/run` runs.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench_io;
mod bench_many;
mod bench_year;
mod docs;
mod scaffold;
mod tidy;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["ci"] => ci(),
        ["explore"] => explore(&root(), 10),
        ["explore", rounds] => rounds
            .parse()
            .map_err(|_| format!("`{rounds}` is no number of rounds"))
            .and_then(|n| explore(&root(), n)),
        ["tidy"] => tidy::check(&root()),
        ["docs"] => docs::write(&root()),
        ["bench-io", rest @ ..] => {
            bench_io::arguments(rest).and_then(|order| bench_io::bench(&root(), &order))
        }
        ["bench-many"] => bench_many::bench(&root(), None),
        ["bench-many", folder] => bench_many::bench(&root(), Some(folder)),
        ["bench-year", rest @ ..] => bench_year::arguments(rest)
            .and_then(|(folder, reports)| bench_year::bench(&root(), folder, reports)),
        ["new-section", name] => scaffold::section(&root(), name),
        ["new-rule", name] => scaffold::rule(&root(), name),
        _ => Err("usage: cargo xtask ci | explore [ROUNDS] | tidy | docs | \
             bench-io [--seconds N] [--rounds N] [cpu | emulated] | bench-many [FOLDER] | bench-year [FOLDER] [--reports N] | new-section NAME | new-rule NAME"
            .to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Formatting, lints, house rules, generated pages, fuzz targets, then the README's test command.
fn ci() -> Result<(), String> {
    let root = root();
    run(&root, "cargo fmt --all --check")?;
    run(&root, "cargo clippy --quiet --workspace --all-targets -- -D warnings")?;
    tidy::check(&root)?;
    docs::check(&root)?;
    run(&root, "cargo check --quiet --manifest-path fuzz/Cargo.toml")?;
    let test = docs::readme_test_command(&root)?;
    run(&root, &test)
}

/// The tests again and again, each round with cases that no run has drawn before.
///
/// The seed of a round is printed: `PROPTEST_RNG_SEED=SEED cargo test` draws its cases again.
fn explore(root: &Path, rounds: u32) -> Result<(), String> {
    for round in 1..=rounds {
        let seed = RandomState::new().hash_one(round);
        println!("round {round} of {rounds}: PROPTEST_RNG_SEED={seed}");
        let status = Command::new("cargo")
            .args(["test", "--quiet", "--workspace", "--tests"])
            .env("PROPTEST_RNG_SEED", seed.to_string())
            .current_dir(root)
            .status()
            .map_err(|e| format!("cargo could not be started: {e}"))?;
        if !status.success() {
            return Err(format!(
                "round {round} failed; its cases again: PROPTEST_RNG_SEED={seed} cargo test --workspace"
            ));
        }
    }
    Ok(())
}

fn run(root: &Path, command: &str) -> Result<(), String> {
    println!("$ {command}");
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program)
        .args(words)
        .current_dir(root)
        .status()
        .map_err(|e| format!("`{command}` could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{command}` failed")) }
}

/// Every file below a folder with one of these endings, sorted; build output is passed over.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if path.is_dir() {
                if name != "target" && name != ".git" && name != "corpus" {
                    open.push(path);
                }
            } else if endings.iter().any(|e| name.ends_with(e)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A file's text, or a message that names it.
fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{} could not be read: {e}", path.display()))
}
