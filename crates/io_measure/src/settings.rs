//! Settings of a disk that a measurement may try: its scheduler and its read-ahead.
//!
//! Before the first change the old values are written to a journal and have reached the disk that holds it;
//! they are put back when the measurement ends, by whoever of its processes is left, and by [`restore`] where
//! none is. Whatever holds a mounted file system is left alone, but for loop devices over files of ours.

use crate::facts::disk;
use crate::guard::settings_refused;
use crate::target::Target;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const HEAD: &str = "spindle settings 1";
/// Its name in its folder: there is one, so that nobody takes changed values for those that were.
const NAME: &str = "settings-journal";

/// A setting that may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Scheduler of the disk's queue.
    Scheduler,
    /// Read-ahead, KiB.
    ReadAhead,
}

impl Which {
    fn file(self) -> &'static str {
        match self {
            Self::Scheduler => "queue/scheduler",
            Self::ReadAhead => "queue/read_ahead_kb",
        }
    }
}

/// What is taken down: what is changed, and what the kernel sets anew with another scheduler; that comes last.
const FILES: [&str; 4] =
    ["queue/scheduler", "queue/read_ahead_kb", "queue/nr_requests", "queue/wbt_lat_usec"];
/// And all that a scheduler can be told.
const TUNABLES: &str = "queue/iosched";

/// May this be put back? Whatever a journal says, nothing else is written to.
fn is_setting(file: &str) -> bool {
    let tunable = file.strip_prefix(TUNABLES).and_then(|rest| rest.strip_prefix('/'));
    FILES.contains(&file) || tunable.is_some_and(is_plain)
}

/// A name or value that leads nowhere else.
fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_!.".contains(c);
    !word.is_empty() && !word.contains("..") && word.chars().all(plain)
}

/// The value that a file of the kernel shows: `none [mq-deadline] kyber` has one in brackets.
fn value(text: &str) -> String {
    let chosen = text.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0));
    chosen.unwrap_or(text).trim().to_owned()
}

/// A value as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Old {
    /// Name under `/sys/block`.
    disk: String,
    /// `7:3`, and which disk of this number it is: numbers are given again.
    number: String,
    sequence: String,
    file: String,
    value: String,
}

/// Settings that are changed, until they are put back.
#[derive(Debug)]
pub struct Settings {
    journal: PathBuf,
    old: Vec<Old>,
    /// Folders that were made for the journal.
    made: Vec<PathBuf>,
}

/// What putting back came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// What was put back, and what was left as it is for a reason, in sentences.
    pub done: Vec<String>,
    /// What could not be put back, and why.
    pub failed: Vec<String>,
}

/// Schedulers that all disks of the targets offer; empty where one of them offers none.
#[must_use]
pub fn schedulers(targets: &[Target]) -> Vec<String> {
    let mut offered: Option<Vec<String>> = None;
    for folder in folders(targets).unwrap_or_default() {
        let text = fs::read_to_string(folder.join(Which::Scheduler.file())).unwrap_or_default();
        let here: Vec<String> =
            text.split_whitespace().map(|w| w.trim_matches(['[', ']']).to_owned()).collect();
        offered = Some(match offered {
            None => here,
            Some(all) => all.into_iter().filter(|s| here.contains(s)).collect(),
        });
    }
    offered.unwrap_or_default()
}

/// Folders under `/sys` of the disks of targets, each once.
fn folders(targets: &[Target]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for target in targets {
        let folder =
            disk(target).ok_or_else(|| format!("`{}` lies on no disk that the kernel shows", target.name))?;
        if !all.contains(&folder) {
            all.push(folder);
        }
    }
    Ok(all)
}

fn line(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Settings {
    /// Takes down how the disks of targets are set, before anything is changed: from then on they are put back.
    ///
    /// # Errors
    /// In a sentence, where a disk must not be changed, or the journal cannot be written.
    pub fn take_down(targets: &[Target], journals: &Path) -> Result<Self, String> {
        if !is_root() {
            return Err("settings of a disk are changed by root alone".to_owned());
        }
        let mut old = Vec::new();
        for folder in folders(targets)? {
            let disk = name(&folder);
            let number = line(&folder.join("dev")).ok_or_else(|| format!("`/dev/{disk}` has no number"))?;
            let raw = raw(&number).ok_or_else(|| format!("`/dev/{disk}` has the number {number}"))?;
            if let Some(reason) = settings_refused(raw) {
                return Err(format!("the settings of `/dev/{disk}` are not changed: {reason}"));
            }
            let sequence = line(&folder.join("diskseq")).unwrap_or_default();
            let tunables = fs::read_dir(folder.join(TUNABLES)).into_iter().flatten().flatten();
            let tunables = tunables.map(|e| format!("{TUNABLES}/{}", e.file_name().to_string_lossy()));
            for file in FILES.into_iter().map(str::to_owned).chain(tunables) {
                let text = line(&folder.join(&file)).map(|text| value(&text));
                if let Some(value) = text.filter(|value| is_setting(&file) && is_plain(value)) {
                    old.push(Old {
                        disk: disk.clone(),
                        number: number.clone(),
                        sequence: sequence.clone(),
                        file,
                        value,
                    });
                }
            }
        }
        let refuse = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => format!(
                "`{}` holds the journal of a measurement that goes on, or was killed: run `spindle measure restore`",
                journals.display()
            ),
            _ => format!("the journal in `{}` cannot be written: {error}", journals.display()),
        };
        let made = make_folders(journals).map_err(refuse)?;
        let journal = write_journal(journals, &old).map_err(|error| {
            take_away(&made);
            refuse(error)
        })?;
        Ok(Self { journal, old, made })
    }

    /// Changes a setting of all disks, and sees that it holds.
    ///
    /// # Errors
    /// In a sentence, where the kernel does not take it; then some may be changed, which are put back at the end.
    pub fn change(&self, which: Which, value: &str) -> Result<(), String> {
        for old in self.old.iter().filter(|old| old.file == which.file()) {
            put(old, value)?;
        }
        if self.old.iter().any(|old| old.file == which.file()) {
            return Ok(());
        }
        Err(format!("no disk of these has `{}`", which.file()))
    }

    /// Puts all back.
    #[must_use]
    pub fn put_back(mut self) -> Restored {
        self.undo()
    }

    fn undo(&mut self) -> Restored {
        let old = std::mem::take(&mut self.old);
        if old.is_empty() {
            return Restored::default();
        }
        let restored = undo(&self.journal, &old);
        // One that holds the journal, because not all is as it was, stays.
        take_away(&self.made);
        restored
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        let _ = self.undo();
    }
}

/// Writes a value, and reads it again.
fn put(old: &Old, value: &str) -> Result<(), String> {
    let path = Path::new("/sys/block").join(&old.disk).join(&old.file);
    let refuse = |why: String| format!("`{}` does not become {value}: {why}", path.display());
    fs::write(&path, value).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => refuse("that needs root".to_owned()),
        io::ErrorKind::InvalidInput if old.file.ends_with("/scheduler") => {
            let offered = line(&path).unwrap_or_default().replace(['[', ']'], "");
            format!(
                "`/dev/{}` has no scheduler `{value}`; it offers {}",
                old.disk,
                offered.split_whitespace().collect::<Vec<_>>().join(", ")
            )
        }
        _ => refuse(error.to_string()),
    })?;
    let now = line(&path).map(|text| self::value(&text)).unwrap_or_default();
    if now == value { Ok(()) } else { Err(refuse(format!("it is {now}"))) }
}

/// Puts values back, and takes the journal away once all of them are as they were, or their disk is gone.
fn undo(journal: &Path, old: &[Old]) -> Restored {
    let mut restored = Restored::default();
    for one in old {
        let folder = Path::new("/sys/block").join(&one.disk);
        let same = line(&folder.join("dev")).as_ref() == Some(&one.number)
            && line(&folder.join("diskseq")).unwrap_or_default() == one.sequence;
        if !same {
            restored.done.push(format!("`/dev/{}` is gone, and its settings with it", one.disk));
            continue;
        }
        let now = line(&folder.join(&one.file)).map(|text| self::value(&text));
        if now.as_ref() == Some(&one.value) {
            continue;
        }
        match put(one, &one.value) {
            Ok(()) => restored.done.push(format!(
                "`/dev/{}`: {} is {} again",
                one.disk,
                one.file.trim_start_matches("queue/"),
                one.value
            )),
            Err(why) => restored.failed.push(why),
        }
    }
    if restored.failed.is_empty()
        && let Err(error) = fs::remove_file(journal)
        && error.kind() != io::ErrorKind::NotFound
    {
        restored.failed.push(format!("`{}` cannot be taken away: {error}", journal.display()));
    }
    restored
}

/// `7:3` as the kernel packs it.
fn raw(number: &str) -> Option<u64> {
    let (major, minor) = number.split_once(':')?;
    Some(rustix::fs::makedev(major.parse().ok()?, minor.parse().ok()?))
}

fn own_user() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|meta| meta.uid())
}

fn is_root() -> bool {
    own_user() == Some(0)
}

fn boot() -> String {
    line(Path::new("/proc/sys/kernel/random/boot_id")).unwrap_or_default()
}

/// When a process began, in ticks; `None` where there is none. Numbers of processes are given again.
fn began(process: &str) -> Option<String> {
    let text = fs::read_to_string(Path::new("/proc").join(process).join("stat")).ok()?;
    // The name stands in brackets and may hold anything; the 20th field behind it is the time.
    let (_, rest) = text.rsplit_once(") ")?;
    // One that has ended and waits for its parent changes nothing any more.
    (!rest.starts_with('Z')).then(|| rest.split_ascii_whitespace().nth(19).map(str::to_owned))?
}

/// Makes a folder and those that lead to it; says which were not there, the innermost first.
fn make_folders(journals: &Path) -> io::Result<Vec<PathBuf>> {
    let missing = journals.ancestors().take_while(|f| !f.as_os_str().is_empty() && !f.exists());
    let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    if !missing.is_empty() {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(journals);
        made.inspect_err(|_| take_away(&missing))?;
    }
    Ok(missing)
}

/// Takes folders away that were made, the innermost first, up to one in which something stands.
fn take_away(made: &[PathBuf]) {
    let _all = made.iter().try_for_each(fs::remove_dir);
}

/// Writes the journal of this process, and has it on the disk.
fn write_journal(journals: &Path, old: &[Old]) -> io::Result<PathBuf> {
    let folder = fs::metadata(journals)?;
    if !folder.is_dir() || !is_ours(&folder) {
        // What stands in a journal is written to the kernel by root.
        return Err(io::Error::other("it is no folder, or others may write to it"));
    }
    let process = std::process::id().to_string();
    let path = journals.join(NAME);
    let mut text =
        format!("{HEAD}\nboot {}\nprocess {process} {}\n", boot(), began(&process).unwrap_or_default());
    for one in old {
        text += &format!("{} {} {} {} {}\n", one.disk, one.number, one.sequence, one.file, one.value);
    }
    // Under its name it is whole, or not there at all.
    let draft = journals.join(format!("{NAME}-{process}"));
    let _ = fs::remove_file(&draft);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&draft)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let named = written.and_then(|()| fs::hard_link(&draft, &path));
    let _ = fs::remove_file(&draft);
    named?;
    File::open(journals)?.sync_all()?;
    Ok(path)
}

/// Is it this user's, and nobody else's to write to?
fn is_ours(folder: &fs::Metadata) -> bool {
    folder.mode() & 0o022 == 0 && Some(folder.uid()) == own_user()
}

/// A journal that was read.
struct Journal {
    boot: String,
    process: String,
    began: String,
    old: Vec<Old>,
}

/// `None` where it is none of ours, or not whole: of a cut value what is left may be another one. Whatever stands in it,
/// only settings of disks come of it.
fn read_journal(text: &str) -> Option<Journal> {
    let mut lines = text.strip_suffix('\n')?.split('\n');
    if lines.next() != Some(HEAD) {
        return None;
    }
    let boot = lines.next()?.strip_prefix("boot ")?.to_owned();
    let (process, began) = lines.next()?.strip_prefix("process ")?.split_once(' ')?;
    let mut old = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [disk, number, sequence, file, value] = words[..] else { return None };
        if !is_plain(disk) || !is_setting(file) || !is_plain(value) {
            return None;
        }
        let [disk, number, sequence, file, value] = [disk, number, sequence, file, value].map(str::to_owned);
        old.push(Old { disk, number, sequence, file, value });
    }
    Some(Journal { boot, process: process.to_owned(), began: began.to_owned(), old })
}

/// Puts back what measurements changed that did not come to do it: those of processes that are gone.
///
/// # Errors
/// Where the folder cannot be read.
pub fn restore(journals: &Path) -> io::Result<Restored> {
    let path = journals.join(NAME);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Restored::default()),
        other => other?,
    };
    if !is_ours(&fs::metadata(journals)?) {
        return Err(io::Error::other("others may write to it, so what stands in it is not believed"));
    }
    let failed = |why: String| Ok(Restored { failed: vec![why], ..Restored::default() });
    let Some(journal) = read_journal(&text) else {
        return failed(format!("`{}` is no whole journal: look at it, and at the disks", path.display()));
    };
    if journal.boot != boot() {
        fs::remove_file(&path)?;
        let done =
            format!("`{}` is of before the last start of this machine, which undid it", path.display());
        return Ok(Restored { done: vec![done], ..Restored::default() });
    }
    if began(&journal.process).is_some_and(|began| began == journal.began) {
        return failed(format!(
            "process {} still measures with settings of its own, and puts them back itself",
            journal.process
        ));
    }
    Ok(undo(&path, &journal.old))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_chosen_scheduler_stands_in_brackets() {
        assert_eq!(value("none [mq-deadline] kyber\n"), "mq-deadline");
        assert_eq!(value("[none]"), "none");
        assert_eq!(value("128\n"), "128");
    }

    #[test]
    fn a_journal_holds_settings_of_disks_and_nothing_else() {
        let head = format!("{HEAD}\nboot b\nprocess 1 2\n");
        let good =
            format!("{head}loop3 7:3 12 queue/scheduler none\nloop3 7:3 12 queue/iosched/front_merges 1\n");
        assert_eq!(read_journal(&good).unwrap().old.len(), 2);
        // A cut value may be another one.
        let whole = format!("{head}loop3 7:3 12 queue/read_ahead_kb 128\n");
        assert!((1..=3).all(|n| read_journal(&whole[..whole.len() - n]).is_none()));
        for wrong in [
            "loop3 7:3 12 queue/../../../etc/passwd x",
            "../sda 8:0 1 queue/scheduler none",
            ".. 8:0 1 queue/scheduler none",
            "sda 8:0 1 queue/scheduler a/b",
            "sda 8:0 1 queue/scheduler",
            "sda 8:0 1 queue/iosched/../../x 7",
            "sda 8:0 1 queue/iosched/ 7",
            "sda 8:0 1 device/delete 1",
        ] {
            assert!(read_journal(&format!("{head}{wrong}\n")).is_none(), "{wrong}");
        }
        assert!(read_journal("something else").is_none());
    }

    #[test]
    fn a_folder_that_others_write_to_is_not_believed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(restore(&folder.path().join("none")).unwrap(), Restored::default());
        write_journal(folder.path(), &[]).unwrap();
        let twice = write_journal(folder.path(), &[]).unwrap_err();
        assert_eq!(twice.kind(), io::ErrorKind::AlreadyExists);
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert!(restore(folder.path()).is_err());
        assert!(write_journal(folder.path(), &[]).is_err());
    }

    #[test]
    fn folders_that_were_made_for_a_journal_stayed() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        let made = make_folders(&deep).unwrap();
        assert_eq!(made, ["a/b/c", "a/b", "a"].map(|name| folder.path().join(name)));
        assert_eq!(
            make_folders(&deep).unwrap(),
            Vec::<PathBuf>::new(),
            "those that stand are nobody's to take away"
        );
        // While something stands in one of them it stays, with those that lead to it.
        fs::write(folder.path().join("a/b/else"), "").unwrap();
        take_away(&made);
        assert!(!deep.exists() && folder.path().join("a/b/else").exists());
        fs::remove_file(folder.path().join("a/b/else")).unwrap();
        take_away(&made[1..]);
        assert!(folder.path().exists() && !folder.path().join("a").exists());
        // A file in the way: what was made before it is gone again.
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(make_folders(&folder.path().join("file/x")).is_err());
        assert!(folder.path().join("file").exists());
    }

    #[test]
    fn journals_of_those_who_live_and_of_before_a_start_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let own = write_journal(folder.path(), &[]).unwrap();
        let told = restore(folder.path()).unwrap();
        assert!(told.failed[0].contains("still measures") && own.exists(), "{told:?}");
        fs::write(&own, fs::read_to_string(&own).unwrap().replace(&boot(), "before")).unwrap();
        let told = restore(folder.path()).unwrap();
        assert!(told.failed.is_empty() && told.done[0].contains("before the last start"), "{told:?}");
        assert!(!own.exists());
        fs::write(&own, "half of a").unwrap();
        assert!(restore(folder.path()).unwrap().failed[0].contains("no whole journal"));
        assert!(own.exists());
        // A disk that is gone took its settings with it.
        let gone =
            format!("{HEAD}\nboot {}\nprocess 4194305 7\nloop99999 7:99999 1 queue/scheduler none\n", boot());
        fs::write(&own, gone).unwrap();
        let told = restore(folder.path()).unwrap();
        assert!(told.done[0].contains("is gone") && told.failed.is_empty() && !own.exists(), "{told:?}");
    }
}
