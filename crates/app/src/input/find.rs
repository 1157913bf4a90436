//! From arguments to the files behind them: folders walked, patterns expanded, in a fixed order.

use super::{Unread, glob};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// Something to open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// A regular file.
    File(PathBuf),
    /// A pipe that the shell opened for us: `<(zcat report.gz)` becomes `/dev/fd/63`.
    Pipe(PathBuf),
    /// Standard input.
    Stdin,
}

impl Place {
    /// Name under which its reports are known.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::File(path) | Self::Pipe(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
        }
    }
}

/// The files behind the arguments, in the order of the arguments; the contents of folders and the
/// matches of a pattern sorted by name. A file that is reached twice is opened once, since a report
/// counted twice would be a wrong sum. Names that begin with a dot are passed over inside folders,
/// and so is `output`, which an earlier run may have left there.
pub(crate) fn find(arguments: &[PathBuf], output: Option<&Path>) -> Vec<Result<Place, Unread>> {
    search(arguments, output).found
}

/// Names of the files that the arguments reach more than once, each by the name that it is read under.
pub(crate) fn given_twice(arguments: &[PathBuf], output: Option<&Path>) -> Vec<String> {
    search(arguments, output).twice.into_iter().collect()
}

fn search(arguments: &[PathBuf], output: Option<&Path>) -> Finder {
    let mut finder = Finder { output: output.and_then(|path| path.canonicalize().ok()), ..Finder::default() };
    for argument in arguments {
        finder.argument(argument);
    }
    finder
}

#[derive(Default)]
struct Finder {
    found: Vec<Result<Place, Unread>>,
    /// What a file really is, and where it stands in `found`.
    seen: HashMap<PathBuf, usize>,
    twice: BTreeSet<String>,
    output: Option<PathBuf>,
}

impl Finder {
    fn argument(&mut self, argument: &Path) {
        if argument.as_os_str() == "-" {
            if self.found.contains(&Ok(Place::Stdin)) {
                self.twice.insert(Place::Stdin.source());
            } else {
                self.found.push(Ok(Place::Stdin));
            }
        } else if fs::symlink_metadata(argument).is_err() && glob::is_pattern(argument) {
            let matches = glob::expand(argument);
            if matches.is_empty() {
                self.unread(argument, "no file matches this pattern; nothing was read from it".to_owned());
            }
            for path in matches {
                self.path(&path);
            }
        } else {
            self.path(argument);
        }
    }

    fn path(&mut self, path: &Path) {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.unread(path, why_not_opened(&error)),
        };
        if metadata.is_dir() {
            let before = self.found.len();
            self.folder(path, &mut Vec::new());
            if self.found.len() == before {
                self.unread(path, "the folder holds no files that were not already read".to_owned());
            }
        } else if metadata.is_file() {
            let identity = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            if self.output.as_ref() == Some(&identity) {
                return;
            }
            match self.seen.get(&identity) {
                Some(first) => {
                    self.twice.extend(self.found[*first].as_ref().ok().map(Place::source));
                }
                None => {
                    self.seen.insert(identity, self.found.len());
                    self.found.push(Ok(Place::File(path.to_owned())));
                }
            }
        } else if path.starts_with("/dev/fd") || path == Path::new("/dev/stdin") {
            self.found.push(Ok(Place::Pipe(path.to_owned())));
        } else {
            let reason = "a pipe, device or socket, not a file; pipe its contents in and give `-` instead";
            self.unread(path, reason.to_owned());
        }
    }

    /// `above` are the real paths of the folders that this one is in: a link back into one of them
    /// would never end.
    fn folder(&mut self, folder: &Path, above: &mut Vec<PathBuf>) {
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        if above.contains(&real) {
            return;
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.unread(folder, why_not_opened(&error)),
        };
        let mut names: Vec<_> = entries.filter_map(|entry| entry.ok().map(|e| e.file_name())).collect();
        names.sort();
        above.push(real);
        for name in names.iter().filter(|name| !name.as_encoded_bytes().starts_with(b".")) {
            let path = folder.join(name);
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => self.folder(&path, above),
                _ => self.path(&path),
            }
        }
        above.pop();
    }

    fn unread(&mut self, path: &Path, reason: String) {
        self.found.push(Err(Unread { source: path.display().to_string(), reason }));
    }
}

/// What stands in the way of opening a file, in words.
pub(crate) fn why_not_opened(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "no such file; check the path".to_owned(),
        ErrorKind::PermissionDenied => {
            "this user may not read it; give read permission or run as its owner".to_owned()
        }
        _ => format!("cannot be opened ({})", super::lower_first(&error.to_string())),
    }
}
