//! What a command leaves behind beside its data: the page, and the account of what was not read.

use crate::shell::{Exit, Shell};
use spindle_app::{Fact, Request, Unread};
use spindle_diagnosis::Diagnosis;
use spindle_facts::{Report, SectionStatus, ShareOf};
use spindle_planning::{SCRIPT_HEAD, Script};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

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
    /// What is so, and no omission.
    remarks: Vec<String>,
    reports: usize,
    /// Intervals of a source: those that say where response time went, and those that do not.
    intervals: BTreeMap<String, (usize, Vec<Unanswered>)>,
}

/// An interval that does not say where response time went.
struct Unanswered {
    /// When it begins, or its last snapshot.
    which: String,
    /// What is said where it is all that its source has.
    warning: String,
}

impl Omissions {
    /// Notes what could not be made out of a report, or was doubted of a result of another tool.
    pub(crate) fn of_fact(&mut self, fact: &Fact) {
        self.of_report(&fact.report);
        let (doubts, remarks) = fact.doubts();
        self.told.extend(doubts.iter().map(Unread::said));
        self.remarks.extend(remarks);
    }

    /// Notes the sections of a report of which something could not be made out.
    pub(crate) fn of_report(&mut self, report: &Report) {
        self.reports += 1;
        self.of_unknown_titles(report);
        for (n, section) in report.sections.iter().enumerate() {
            let unreadable = section.status == SectionStatus::Unreadable;
            let is_unknown = section.status == SectionStatus::Unknown;
            if !unreadable && section.lost == 0 {
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
                // Labels are taken from any line of it.
                None if is_unknown && section.title == spindle_facts::HEADER => {
                    "Of it, the answer has the names and times alone that it shows.".to_owned()
                }
                None if is_unknown => "Nothing in the answer comes from it.".to_owned(),
                None if !unreadable => "Sums over its rows are too small.".to_owned(),
                None => "Its rows could not be made out; nothing in the answer comes from it.".to_owned(),
            };
            let source = &report.identity.source;
            let lost = match section.lost {
                _ if unreadable => "was not read".to_owned(),
                1 if is_unknown => "is not interpreted, and 1 row of it is in no table".to_owned(),
                rows if is_unknown => format!("is not interpreted, and {rows} rows of it are in no table"),
                1 => "was read without 1 row".to_owned(),
                rows => format!("was read without {rows} rows"),
            };
            self.told.push(format!("`{source}`, line {}, \"{}\" {lost}. {why}", section.line, section.title));
        }
    }

    /// Notes a report most of whose sections have titles that no release prints: what they hold is kept as printed,
    /// and in no answer.
    fn of_unknown_titles(&mut self, report: &Report) {
        /// Customised reports have some of their own.
        const FEW: usize = 3;
        // The first stands under the head of the report.
        let sections = || report.sections.iter().skip(1).filter(|s| s.rows > 0);
        let count = |status| sections().filter(|s| s.status == status).count();
        let (unknown, read) = (count(SectionStatus::Unknown), count(SectionStatus::Read));
        let first = sections().find(|s| s.status == SectionStatus::Unknown);
        if let Some(first) = first.filter(|_| unknown > read && unknown > FEW) {
            self.told.push(format!(
                "`{}`: {unknown} of {} sections stand under titles that no known release prints (first: \"{}\", line \
                 {}). What they hold is kept as printed and in no answer; `spindle facts --sections` lists them.",
                report.identity.source,
                unknown + read,
                first.title,
                first.line
            ));
        }
    }

    /// Notes a report that cannot say where response time went.
    pub(crate) fn of_diagnosis(&mut self, report: &Report, diagnosis: &Diagnosis) {
        let side = &diagnosis.response_time.foreground;
        // Samples of ASH, and excerpts that leave out the seconds, have shares, which the answer gives, and neither time.
        let told = |of: Option<ShareOf>| of.is_none_or(|of| of == ShareOf::DbTime);
        let shares = report.tables.top_event.iter().any(|e| e.share_pct.is_some() && told(e.share_of));
        // Across a restart the answer says that nothing can be told.
        let void = report.identity.spans_restart;
        if side.db_time_s.is_none() && side.classes.is_empty() && !shares && !void {
            let identity = &report.identity;
            let source = &identity.source;
            // Sessions of a miner file round to nothing in a quiet interval: that is DB time too.
            let read = match report.identity.db_time_s {
                Some(_) => "its DB time rounds to nothing, and no seconds of foreground waits were read",
                None if report.sections.iter().any(|s| s.lost > 0 && s.title.contains("Wait Event")) => {
                    "no DB time was read, and its wait events could not be"
                }
                // What it prints of either may be a rate, or a mean, or stand where nothing was read.
                None => "neither DB time of the interval nor seconds of foreground waits were read",
            };
            let warning = format!(
                "`{source}`: where response time went is not answered; {read}. Give the AWR or Statspack report of \
                 the same interval."
            );
            let snapshot = identity.end_snap.map(|snap| format!("snapshot {snap}"));
            // Pieces of reports need not say when they are of.
            let begins = report.sections.first().map_or(1, |section| section.line);
            let which = snapshot.or_else(|| identity.begin_time.clone());
            let which = which.unwrap_or_else(|| format!("the one from line {begins} on"));
            self.intervals.entry(source.clone()).or_default().1.push(Unanswered { which, warning });
        } else {
            self.intervals.entry(report.identity.source.clone()).or_default().0 += 1;
        }
    }

    /// Was any report read?
    pub(crate) fn nothing_read(&self) -> bool {
        self.reports == 0
    }

    /// Tells everything on standard error; `reports` were read.
    pub(crate) fn tell(mut self, unread: &[Unread], shell: &mut Shell) -> Exit {
        for (source, (answered, not)) in std::mem::take(&mut self.intervals) {
            let Some(first) = not.first() else { continue };
            if answered == 0 {
                self.told.extend(not.into_iter().map(|interval| interval.warning));
                continue;
            }
            // A history is answered though nobody worked in some of its intervals.
            let (count, all) = (not.len(), not.len() + answered);
            shell.note(&format!(
                "{count} of {all} intervals of `{source}` (first: {}) say nothing of response time: neither their DB \
                 time nor seconds of waits were read, as of an idle one or a piece of a report",
                first.which
            ));
        }
        let remarks = each_once(std::mem::take(&mut self.remarks).into_iter());
        for remark in remarks.iter().take(WARNINGS) {
            shell.note(remark);
        }
        let inputs = unread.iter().map(Unread::said);
        let all = each_once(inputs.chain(self.told));
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

/// Each warning once, in the order of the first; a file of many intervals repeats one.
fn each_once(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut once = Vec::new();
    for warning in all {
        let seen = times.entry(warning).or_insert_with_key(|warning| {
            once.push(warning.clone());
            0
        });
        *seen += 1;
    }
    for warning in &mut once {
        if let Some(n) = times.get(warning).filter(|n| **n > 1) {
            warning.push_str(&format!(" (The same holds for {n} intervals of it.)"));
        }
    }
    once
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
        self.0.write(html.as_bytes())
    }
}

/// The file that `--curve` of a measurement names. It replaces an earlier curve, and nothing else.
pub(crate) struct Curve(Output);

impl Curve {
    /// Refuses, before any work is done, what must not be overwritten. What is measured is not looked at:
    /// it may hang.
    pub(crate) fn new(path: PathBuf, measured: &[PathBuf]) -> Result<Self, Failure> {
        if measured.contains(&path) {
            return Err(Failure(format!(
                "the curve was not written to `{}`: it is what is measured; give another name",
                path.display()
            )));
        }
        let request =
            Request { inputs: Vec::new(), mask: false, limits: spindle_app::Limits::default(), output: None };
        Output::new(path, &request, "the curve", "a device curve", is_curve).map(Self)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write(bytes)
    }
}

/// Is the file a device curve?
fn is_curve(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut head));
    read.is_ok() && head.starts_with(b"{\"kind\":\"curve\"")
}

/// The file that `--xlsx` names. It never replaces one: people work on in theirs.
pub(crate) struct WorkbookFile(Output);

impl WorkbookFile {
    /// Refuses, before any work is done, what exists.
    pub(crate) fn new(path: PathBuf, request: &Request) -> Result<Self, Failure> {
        Output::new(path, request, "the workbook", "replaced, since somebody may have worked in it", |_| {
            false
        })
        .map(Self)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write(bytes)
    }
}

/// Refuses two options that name one file: the later one would overwrite the earlier one.
pub(crate) fn refuse_same(one: (&str, Option<&Path>), other: (&str, Option<&Path>)) -> Result<(), Failure> {
    match (one.1, other.1) {
        (Some(a), Some(b)) if same_file(a, b) => Err(Failure(format!(
            "nothing was written: {} and {} name one file, `{}`; give two names",
            one.0,
            other.0,
            b.display()
        ))),
        _ => Ok(()),
    }
}

/// The files that `--script` names: the one given, and the one that leads back, beside it.
///
/// They never replace a pair that is there: its way forth may have been run, and then its way back is all
/// that leads back.
pub(crate) struct Scripts {
    forward: Output,
    back: Output,
}

impl Scripts {
    /// Refuses, before any work is done, what must not be overwritten: whatever is not a script of
    /// Spindle, and whatever the command line names (reports, lists, the page), script or not. A name of a
    /// way back would take that of another pair, and behind a link the pair would not lie together.
    pub(crate) fn new(path: &Path, request: &Request, named: &[&Path]) -> Result<Self, Failure> {
        let stem = path.file_stem().unwrap_or_default();
        if stem.to_string_lossy().to_lowercase().ends_with("_back") {
            return Err(Failure(format!(
                "the script was not written to `{}`: names that end in `_back` are for ways back; give another name",
                path.display()
            )));
        }
        let mut name = stem.to_os_string();
        name.push("_back.");
        name.push(path.extension().unwrap_or(std::ffi::OsStr::new("sql")));
        let back = path.with_file_name(name);
        for script in [path, &back] {
            if let Some(same) = named.iter().find(|other| same_file(script, other)) {
                return Err(Failure(format!(
                    "the script was not written to `{}`: it is `{}`, which is given too; give another name",
                    script.display(),
                    same.display()
                )));
            }
        }
        let output = |path: PathBuf| {
            if path.is_symlink() {
                return Err(Failure(format!(
                    "the script was not written to `{}`: it is a link; give the name of a file",
                    path.display()
                )));
            }
            let output = Output::new(path, request, "the script", "a script of Spindle", is_our_script)?;
            // What is there is compared, and never replaced.
            Ok(Output { is_ours: |_| false, ..output })
        };
        Ok(Self { forward: output(path.to_owned())?, back: output(back)? })
    }

    /// Writes both or neither: a way forth without its way back is worse than none. A pair that is there
    /// already, byte by byte, stays as it is.
    pub(crate) fn write(&self, script: &Script) -> Result<(), Failure> {
        let forward = self.forward.holds(script.forward.as_bytes())?;
        let back = self.back.holds(script.back.as_bytes())?;
        match (forward, back) {
            (Some(true), Some(true)) => return Ok(()),
            (None, None) => {}
            _ => {
                let there = if forward.is_some() { &self.forward } else { &self.back };
                return Err(there.failed(
                    &"it is there from an earlier run, and may have been run or edited; give another name, or \
                      remove the script and its way back first",
                ));
            }
        }
        let back = self.back.stage(script.back.as_bytes())?;
        let forward = self.forward.stage(script.forward.as_bytes())?;
        let undo = back.publish()?;
        match forward.publish() {
            Ok(done) => {
                done.forget();
                undo.forget();
                Ok(())
            }
            Err(error) => {
                undo.undo();
                Err(error)
            }
        }
    }
}

impl fmt::Display for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.forward.path.display(), self.back.path.display())
    }
}

/// Do two names lead to the same file? Also through links, and where neither is there yet.
fn same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (fs::metadata(one), fs::metadata(other)) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    let real = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(path.file_name()?))
        })
    };
    real(one).is_some_and(|path| real(other) == Some(path))
}

/// A file that is written whole or not at all, and that replaces nothing of others.
struct Output {
    path: PathBuf,
    what: &'static str,
    is_ours: fn(&Path) -> bool,
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
        if path.as_os_str() == "-" {
            return refuse("it goes to a file and not to standard output; give the name of one");
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => refuse("it is a folder; give the name of a file"),
            Ok(metadata) if !metadata.is_file() => refuse("it is a device or pipe; give the name of a file"),
            // Through a link the file behind it is replaced, and the link stays.
            Ok(_) if is_ours(&path) => match path.is_symlink().then(|| path.canonicalize()) {
                None => Ok(Self { path, what, is_ours }),
                Some(Ok(path)) => Ok(Self { path, what, is_ours }),
                Some(Err(error)) => refuse(&error.to_string()),
            },
            Ok(_) if request.reads(&path) => refuse("it is one of the inputs; give another name"),
            Ok(_) => refuse(&format!("it exists and is not {kind}; give another name or remove it first")),
            Err(_) if path.is_symlink() => refuse("it is a link that leads nowhere; remove it first"),
            Err(_) => {
                let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
                match folder {
                    Some(folder) if !folder.is_dir() => refuse("its folder does not exist; create it first"),
                    _ => Ok(Self { path, what, is_ours }),
                }
            }
        }
    }

    fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.stage(bytes)?.publish().map(Undo::forget)
    }

    /// A name beside it that is nobody's.
    fn beside(&self, end: &str) -> PathBuf {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        self.path.with_file_name(format!(".{name}.{}.{number}.{end}", std::process::id()))
    }

    /// Is it there, and is it just this?
    fn holds(&self, bytes: &[u8]) -> Result<Option<bool>, Failure> {
        match fs::read(&self.path) {
            Ok(there) => Ok(Some(there == bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn failed(&self, why: &dyn fmt::Display) -> Failure {
        Failure(format!("{} was not written to `{}`: {why}", self.what, self.path.display()))
    }

    /// Writes to a new file beside it.
    fn stage(&self, bytes: &[u8]) -> Result<Staged<'_>, Failure> {
        let staged = Staged { output: self, part: self.beside("part") };
        let written = File::options().write(true).create_new(true).open(&staged.part).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(|error| self.failed(&error))?;
        Ok(staged)
    }
}

/// A file that is written and has not got its name yet; goes unless it gets it.
struct Staged<'a> {
    output: &'a Output,
    part: PathBuf,
}

impl Staged<'_> {
    /// Gives it its name. What an earlier run left there is kept aside until all is done.
    fn publish(self) -> Result<Undo, Failure> {
        let output = self.output;
        let mut old = None;
        // Reading took its time: somebody may have put a file there meanwhile.
        if output.path.symlink_metadata().is_ok() {
            if !(output.is_ours)(&output.path) {
                return Err(output.failed(&"meanwhile another file has that name"));
            }
            let aside = output.beside("old");
            let linked =
                fs::hard_link(&output.path, &aside).or_else(|_| fs::copy(&output.path, &aside).map(drop));
            linked.map_err(|error| output.failed(&error))?;
            old = Some(aside);
        }
        // A name that was free is taken only as long as it is: another run may want it at this moment.
        let named = if old.is_some() { fs::rename(&self.part, &output.path) } else { self.take_the_name() };
        let undo = Undo { path: output.path.clone(), old };
        match named {
            Ok(()) => Ok(undo),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(output.failed(&"meanwhile another file has that name"))
            }
            Err(error) => {
                undo.forget();
                Err(output.failed(&error))
            }
        }
    }
}

impl Staged<'_> {
    /// Gives it a name that no file has; what is written stays in one piece.
    fn take_the_name(&self) -> io::Result<()> {
        match fs::hard_link(&self.part, &self.output.path) {
            // Some file systems have no links.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                fs::rename(&self.part, &self.output.path)
            }
            done => done,
        }
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}

/// How to take a written file back.
struct Undo {
    path: PathBuf,
    old: Option<PathBuf>,
}

impl Undo {
    fn undo(&self) {
        let _ = match &self.old {
            Some(old) => fs::rename(old, &self.path),
            None => fs::remove_file(&self.path),
        };
    }

    fn forget(self) {
        if let Some(old) = self.old {
            let _ = fs::remove_file(old);
        }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use spindle_facts::{Identity, Kind, Layout, Section};

    /// "Was read without 8 rows", said of a section that nothing reads.
    #[test]
    fn a_section_that_is_not_interpreted_was_read_without_rows() {
        let told = |status: SectionStatus, lost: u32| {
            let mut report = Report::new(Identity::unknown("till", Kind::Awr, Layout::Text));
            report.sections =
                vec![Section { title: "Till Rolls".to_owned(), line: 7, status, rows: 3, lost }];
            let mut omissions = Omissions::default();
            omissions.of_report(&report);
            omissions.told.join(" ")
        };
        let unknown = told(SectionStatus::Unknown, 8);
        assert!(unknown.contains("not interpreted, and 8 rows of it are in no table. Nothing"), "{unknown}");
        let read = told(SectionStatus::Read, 8);
        assert!(read.contains("was read without 8 rows. Sums"), "{read}");
        assert_eq!(told(SectionStatus::Unknown, 0), "");
    }

    #[test]
    fn two_runs_at_one_name_left_a_way_forth_without_its_way_back() {
        let folder = std::env::temp_dir().join(format!("spindle-two-runs-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let forward = folder.join("m.sql");
        let request =
            Request { inputs: Vec::new(), mask: false, limits: spindle_app::Limits::default(), output: None };
        for _ in 0..50 {
            let start = std::sync::Barrier::new(4);
            let written: Vec<usize> = std::thread::scope(|scope| {
                let run = |n: usize| {
                    let scripts = Scripts::new(&forward, &request, &[]).unwrap();
                    let script = Script {
                        forward: format!("{SCRIPT_HEAD} {n}"),
                        back: format!("{SCRIPT_HEAD} back {n}"),
                        by_hand: None,
                    };
                    start.wait();
                    scripts.write(&script).is_ok().then_some(n)
                };
                let runs: Vec<_> = (0..4).map(|n| scope.spawn(move || run(n))).collect();
                runs.into_iter().filter_map(|r| r.join().unwrap()).collect()
            });
            let [one] = written[..] else { panic!("{written:?} wrote") };
            let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
            assert_eq!(read("m.sql"), format!("{SCRIPT_HEAD} {one}"));
            assert_eq!(read("m_back.sql"), format!("{SCRIPT_HEAD} back {one}"));
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside");
            for name in ["m.sql", "m_back.sql"] {
                fs::remove_file(folder.join(name)).unwrap();
            }
        }
        fs::remove_dir(&folder).unwrap();
    }

    #[test]
    fn a_new_way_back_stayed_when_the_way_forth_could_not_be_written() {
        let folder = std::env::temp_dir().join(format!("spindle-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (forward, back) = (folder.join("m.sql"), folder.join("m_back.sql"));
        let request =
            Request { inputs: Vec::new(), mask: false, limits: spindle_app::Limits::default(), output: None };
        let scripts = Scripts::new(&forward, &request, &[]).unwrap();
        let text = |n: u8| Script {
            forward: format!("{SCRIPT_HEAD} {n}\n"),
            back: format!("{SCRIPT_HEAD} back {n}\n"),
            by_hand: None,
        };
        // Somebody puts a file of his own there while the reports are read.
        fs::write(&forward, "drop table precious;\n").unwrap();
        assert!(scripts.write(&text(1)).is_err());
        assert!(!back.exists(), "a way back alone");
        fs::remove_file(&forward).unwrap();
        scripts.write(&text(2)).unwrap();
        // A second time: the earlier way back stays.
        scripts.write(&text(2)).unwrap();
        assert!(scripts.write(&text(3)).is_err());
        assert_eq!(fs::read_to_string(&forward).unwrap(), text(2).forward);
        fs::write(&forward, "drop table precious;\n").unwrap();
        assert!(scripts.write(&text(3)).is_err());
        assert_eq!(fs::read_to_string(&back).unwrap(), text(2).back);
        assert_eq!(fs::read_to_string(&forward).unwrap(), "drop table precious;\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside");
        fs::remove_dir_all(&folder).unwrap();
    }
}
