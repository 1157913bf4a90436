//! What the process that measures and the one that watches it tell each other, a line of JSON each.
//!
//! The one that watches never touches a device: not even its size. It asks, and what does not come back in
//! time is told as such. See `supervise`.

use serde::{Deserialize, Serialize};
use spindle_workload::{Job, RunResult, Scan, Slob, Volume};
use std::path::PathBuf;

/// What is to be measured, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Targets {
    /// Files and devices.
    #[serde(with = "any_paths")]
    pub paths: Vec<PathBuf>,
    /// Make the file first, of so many bytes. It goes at the end unless it is kept.
    pub create: Option<Create>,
    /// Any job writes, so all are opened for writing.
    pub writes: bool,
    /// Paths whose content may be lost, as the command line names them.
    #[serde(with = "any_paths")]
    pub overwrite: Vec<PathBuf>,
    /// Through the page cache.
    pub buffered: bool,
    /// What makes the requests.
    pub engine: EngineName,
    /// All of them as one.
    #[serde(default)]
    pub volume: Option<Volume>,
}

/// Paths need not be text: such a one is written as its bytes.
mod any_path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    pub(super) enum Written {
        Text(String),
        Bytes(Vec<u8>),
    }

    impl Written {
        pub(super) fn of(path: &Path) -> Self {
            match path.to_str() {
                Some(text) => Self::Text(text.to_owned()),
                None => Self::Bytes(path.as_os_str().as_bytes().to_vec()),
            }
        }

        pub(super) fn path(self) -> PathBuf {
            match self {
                Self::Text(text) => PathBuf::from(text),
                Self::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes)),
            }
        }
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        Written::of(path).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Written::deserialize(deserializer).map(Written::path)
    }
}

/// Several of them.
mod any_paths {
    use super::any_path::Written;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::PathBuf;

    pub(super) fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| Written::of(path)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        let written: Vec<Written> = Deserialize::deserialize(deserializer)?;
        Ok(written.into_iter().map(Written::path).collect())
    }
}

/// A file of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Create {
    /// Bytes.
    pub bytes: u64,
    /// Leave it there at the end.
    pub keep: bool,
}

/// What makes the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum EngineName {
    #[default]
    Auto,
    IoUring,
    Sync,
    Null,
}

/// What the measuring process is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ask {
    /// Open these; once, first.
    Open(Targets),
    /// Run this; a number of targets, the first ones, or all.
    Run {
        /// What is asked of them.
        job: Job,
    },
    /// Run SLOB's load on the only target.
    Slob(Slob),
    /// Scan all targets.
    Scan(Scan),
    /// Which schedulers do the disks offer?
    Schedulers,
    /// Set the disks so; `None` leaves a setting.
    Set {
        /// Where the old values are kept.
        #[serde(with = "any_path")]
        journals: PathBuf,
        /// By name.
        scheduler: Option<String>,
        /// Bytes.
        read_ahead_bytes: Option<u64>,
    },
    /// Put settings back.
    PutBack,
    /// End the run that goes on, with what was measured.
    Stop,
    /// Which release is there? From now on whoever asks is gone where he is not heard for a while.
    Hello,
    /// He is still there.
    Here,
    /// What does the clock show?
    Clock,
    /// Set this up, say so, and wait for the time to begin.
    RunTogether {
        /// What is asked of the targets.
        job: Job,
    },
    /// Begin at this time of the clock there.
    At {
        /// Nanoseconds.
        ns: u64,
    },
}

/// What the measuring process says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Say {
    /// All are open.
    Opened {
        /// Bytes of each.
        bytes: Vec<u64>,
    },
    /// How far it has come.
    Going(Going),
    /// A run is over.
    Ran(Box<RunResult>),
    /// They offer these.
    Schedulers(Vec<String>),
    /// They are set so.
    Set,
    /// They are as they were, as far as it is said.
    PutBack(PutBack),
    /// It is not done, and why.
    Refused(String),
    /// Who answers.
    Hello {
        /// Release.
        version: String,
    },
    /// What the clock shows; it has an origin of its own.
    Clock {
        /// Nanoseconds.
        ns: u64,
    },
    /// All is set up.
    Ready,
    /// A run that began at a time that was given is over.
    RanTogether {
        /// What it found.
        result: Box<RunResult>,
        /// How much later it began, nanoseconds.
        late_ns: u64,
    },
}

/// How far a run has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Going {
    /// What is being done: `filling`, `warming up`, or the name of the job.
    pub what: String,
    /// Seconds of it.
    pub elapsed_s: f64,
    /// From 0 to 1, where known.
    pub share: Option<f64>,
    /// Requests done.
    pub ios: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Requests that failed.
    pub errors: u64,
    /// Requests under way.
    pub under_way: u64,
    /// Requests a second of late.
    pub iops: f64,
    /// MB (10^6 bytes) a second of late.
    pub mbps: f64,
    /// Of late, microseconds.
    pub p99_us: Option<f64>,
    /// These figures count.
    pub counts: bool,
}

/// What putting settings back came to, in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBack {
    /// What was put back, and what needed not to be.
    pub done: Vec<String>,
    /// What was not, and why.
    pub failed: Vec<String>,
}
