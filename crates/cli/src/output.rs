//! What a command leaves behind beside its data: the page, and the account of what was not read.

use crate::shell::{Exit, Shell};
use spindle_app::{Request, Unread};
use spindle_diagnosis::Diagnosis;
use spindle_facts::{Report, SectionStatus};
use spindle_planning::{SCRIPT_HEAD, Script};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Warnings printed one by one; the rest are counted.
const WARNINGS: usize = 20;

/// Why nothing was done.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(format!("standard output cannot be written: {error}"))
    }
}

/// What was not read and what was not answered, told at the end.
#[derive(Default)]
pub(crate) struct Omissions {
    told: Vec<String>,
    reports: usize,
}

impl Omissions {
    /// Notes the sections of a report that could not be made out.
    pub(crate) fn of_report(&mut self, report: &Report) {
        self.reports += 1;
        for (n, section) in report.sections.iter().enumerate() {
            if section.status != SectionStatus::Unreadable {
                continue;
            }
            // Titles repeat within a report, so the note must also stand within the section.
            let next = report.sections.get(n + 1).map_or(u32::MAX, |next| next.line.max(section.line + 1));
            let note = report.notes.iter().find(|note| {
                note.section.as_ref() == Some(&section.title)
                    && note.line.is_none_or(|line| (section.line..next).contains(&line))
            });
            let why = match note {
                Some(note) => format!("{} {}", sentence(&note.message), sentence(&note.effect)),
                None => "Its rows could not be made out; nothing in the answer comes from it.".to_owned(),
            };
            let source = &report.identity.source;
            self.told.push(format!(
                "`{source}`, line {}, \"{}\" was not read. {why}",
                section.line, section.title
            ));
        }
    }

    /// Notes a report that cannot say where response time went.
    pub(crate) fn of_diagnosis(&mut self, report: &Report, diagnosis: &Diagnosis) {
        let side = &diagnosis.response_time.foreground;
        // Samples of ASH have shares, which the answer gives, and neither time.
        let sampled = report.tables.top_event.iter().any(|e| e.share_pct.is_some() && e.share_of.is_none());
        if side.db_time_s.is_none() && side.classes.is_empty() && !sampled {
            let source = &report.identity.source;
            self.told.push(format!(
                "`{source}`: where response time went is not answered; it prints neither DB time nor wait events. \
                 Give the AWR or Statspack report of the same interval."
            ));
        }
    }

    /// Was any report read?
    pub(crate) fn nothing_read(&self) -> bool {
        self.reports == 0
    }

    /// Tells everything on standard error; `reports` were read.
    pub(crate) fn tell(self, unread: &[Unread], shell: &mut Shell) -> Exit {
        let inputs = unread
            .iter()
            .map(|u| format!("`{}` was not read: {}.", u.source, u.reason.trim_end_matches('.')));
        let all: Vec<String> = inputs.chain(self.told).collect();
        for warning in all.iter().take(WARNINGS) {
            shell.warning(warning);
        }
        if all.len() > WARNINGS {
            let more = all.len() - WARNINGS;
            shell.warning(&format!(
                "{more} more of these; `spindle facts --sections` lists all sections of a report"
            ));
        }
        if self.reports == 0 {
            shell.error("no report was read; see above for each input");
            Exit::NothingDone
        } else if all.is_empty() {
            Exit::Done
        } else {
            Exit::InPart
        }
    }
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.trim().chars();
    let mut out: String = chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
    if !out.ends_with('.') {
        out.push('.');
    }
    out
}

/// The file that `--html` names.
pub(crate) struct Page(Output);

impl Page {
    /// Refuses, before any work is done, what must not be overwritten.
    pub(crate) fn new(path: PathBuf, request: &Request) -> Result<Self, Failure> {
        Output::new(path, request, "the page", "a page of Spindle", is_our_page).map(Self)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn write(&self, html: &str) -> Result<(), Failure> {
        self.0.write(html)
    }
}

/// The files that `--script` names: the one given, and the one that leads back, beside it.
pub(crate) struct Scripts {
    forward: Output,
    back: Output,
}

impl Scripts {
    /// Refuses, before any work is done, what must not be overwritten.
    pub(crate) fn new(path: &Path, request: &Request) -> Result<Self, Failure> {
        let mut name = path.file_stem().unwrap_or_default().to_os_string();
        name.push("_back.");
        name.push(path.extension().unwrap_or(std::ffi::OsStr::new("sql")));
        let back = path.with_file_name(name);
        let output = |path| Output::new(path, request, "the script", "a script of Spindle", is_our_script);
        Ok(Self { forward: output(path.to_owned())?, back: output(back)? })
    }

    pub(crate) fn write(&self, script: &Script) -> Result<(), Failure> {
        // The way back first: whoever has the one must have the other.
        self.back.write(&script.back)?;
        self.forward.write(&script.forward)
    }
}

impl fmt::Display for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.forward.path.display(), self.back.path.display())
    }
}

/// A file that is written whole or not at all, and that replaces nothing of others.
struct Output {
    path: PathBuf,
    what: &'static str,
}

impl Output {
    /// Refuses inputs, folders, devices, and files that are not `ours`.
    fn new(
        path: PathBuf,
        request: &Request,
        what: &'static str,
        kind: &str,
        is_ours: fn(&Path) -> bool,
    ) -> Result<Self, Failure> {
        let shown = path.display();
        let refuse = |why: &str| Err(Failure(format!("{what} was not written to `{shown}`: {why}")));
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => refuse("it is a folder; give the name of a file"),
            Ok(metadata) if !metadata.is_file() => refuse("it is a device or pipe; give the name of a file"),
            Ok(_) if is_ours(&path) => Ok(Self { path, what }),
            Ok(_) if request.reads(&path) => refuse("it is one of the inputs; give another name"),
            Ok(_) => refuse(&format!("it exists and is not {kind}; give another name or remove it first")),
            Err(_) => {
                let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
                match folder {
                    Some(folder) if !folder.is_dir() => refuse("its folder does not exist; create it first"),
                    _ => Ok(Self { path, what }),
                }
            }
        }
    }

    /// Writes to a new file beside it, which then takes its name.
    fn write(&self, text: &str) -> Result<(), Failure> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let part = self.path.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let written = File::options().write(true).create_new(true).open(&part).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&part, &self.path)
        });
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            Failure(format!("{} was not written to `{}`: {error}", self.what, self.path.display()))
        })
    }
}

/// Is the file a script that an earlier run wrote?
fn is_our_script(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut head));
    read.is_ok() && head.starts_with(SCRIPT_HEAD.as_bytes())
}

/// Is the file a page that an earlier run wrote?
fn is_our_page(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(2048).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok() && head.starts_with("<!doctype html>") && head.contains(" - Spindle</title>")
}
