//! A log writer with group commit, those who commit, and others who want the log written.
//!
//! Who commits hands over redo and waits. The log writer writes all redo that waits, up to a most; what is handed over
//! while a write is under way goes with the next one. Where nothing is under way, who comes first does not wait for those who come with it,
//! unless the log writer has something to compute before. A write goes to all members of the log side by side and is done when the
//! last of them is; then all whose redo it carried go on. The members hold several files one behind the other. A write that does not fit
//! into what is left of a file goes to the next file, after a switch.
//!
//! Streams: the writes of the members; `log file parallel write`, the whole write; `log file sync`, the commits; and
//! `log flush`, others who waited. Commits and writes are recorded apart, since their averages do not compare: a commit waits for the
//! rest of a write and then for its own.
//!
//! What follows for commits that come at any time, write time `X`, and a log writer that is busy a share `rho` of the time:
//! a commit takes `rho E[X^2] / (2 E[X]) + E[X]` on average (residual life; that the sizes of groups do not matter to `X` is
//! assumed). For `N` committers without pause and a constant `X`, two groups take turns: `N / (2 X)` commits a second.
//!
//! Left out: waiting for a processor unless processors are counted, log buffer space, archiving, a checkpoint that a switch has
//! to wait for, redo that is written before anybody asks (at 1 MiB or after 3 s).

use super::{Area, NoSuchLoad, check, processes_objection};
use crate::processes::{Ask, Host, Simulation, StreamId, Then, Told};
use crate::{Device, Operation, Picoseconds, Request, Seeded};
use std::collections::VecDeque;

/// The log writer and its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogWriter {
    /// Members of the log, which all hold the same.
    pub members: Vec<Area>,
    /// Log files that lie one behind the other on each member.
    pub files: u32,
    /// Writes are whole blocks of so many bytes.
    pub block_bytes: u32,
    /// Redo that one write carries at most.
    pub most_write_bytes: u32,
    /// What the log writer computes before each write.
    pub compute: Picoseconds,
    /// What a switch to the next file takes.
    pub switch: Picoseconds,
}

/// Who wants the log written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitKind {
    /// A commit, which the log writer tells when it is done.
    Commit,
    /// A commit of which only the time is taken: nobody has to be told.
    Untold,
    /// Another who wants it written, of whom only the time is taken: blocks that are shipped to other instances, a database
    /// writer whose blocks' redo has to be written first.
    Flush,
}

/// What is told to the log writer, as one number.
impl CommitKind {
    /// Redo of so many bytes.
    #[must_use]
    pub fn letter(self, redo_bytes: u32) -> u64 {
        let kind = match self {
            Self::Commit => 0,
            Self::Untold => 1,
            Self::Flush => 2,
        };
        u64::from(redo_bytes) | kind << 32
    }

    fn of(letter: u64) -> (Self, u32) {
        let kind = match letter >> 32 {
            0 => Self::Commit,
            1 => Self::Untold,
            _ => Self::Flush,
        };
        // The lower half.
        (kind, letter as u32)
    }
}

/// Sizes of redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redo {
    /// Bytes of a commit, on average.
    pub bytes: u32,
    /// Exponential around that, rather than always the same.
    pub varies: bool,
}

impl Redo {
    pub(super) fn draw(self, random: &mut Seeded) -> u32 {
        if self.varies { (random.exponential(f64::from(self.bytes)) as u32).max(1) } else { self.bytes }
    }

    fn objection(self) -> Option<String> {
        (self.bytes == 0).then(|| "a commit of 0 bytes of redo is none".to_owned())
    }
}

/// Sessions that commit, wait, pause, and commit again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committers {
    /// How many.
    pub committers: u32,
    /// Pause between a commit and the next one of a session, on average (exponential).
    pub think: Picoseconds,
    /// Redo of a commit.
    pub redo: Redo,
    /// Commits of each; `None` until the simulation ends.
    pub commits: Option<u64>,
}

/// Commits, or other wishes to have the log written, that come at a rate, whatever the log writer does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommitBursts {
    /// Bursts a second, at random times (Poisson).
    pub per_s: f64,
    /// Commits of a burst.
    pub commits: u32,
    /// Time between two commits of a burst.
    pub apart: Picoseconds,
    /// Redo of a commit.
    pub redo: Redo,
    /// Whether their time is that of commits or of others.
    pub kind: CommitKind,
}

impl LogWriter {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        let block = self.block_bytes;
        if self.members.is_empty() || self.files == 0 {
            return Some("a log has a member and a file at least".to_owned());
        }
        if let Some(objection) = self.members.iter().find_map(|area| area.objection(block)) {
            return Some(objection);
        }
        if self.most_write_bytes < block || self.most_write_bytes > 64 << 20 {
            return Some(format!(
                "a write of the log of {} bytes is not between a block and 64 MiB",
                self.most_write_bytes
            ));
        }
        let most = self.most_write_bytes.next_multiple_of(block);
        (self.file_bytes() < u64::from(most))
            .then(|| format!("a log file of {} bytes does not hold a write of {most}", self.file_bytes()))
    }

    /// Bytes of a log file: whole blocks of the smallest member.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        let least = self.members.iter().map(|area| area.bytes).min().unwrap_or(0);
        let block = u64::from(self.block_bytes.max(1));
        least / u64::from(self.files.max(1)) / block * block
    }

    /// Adds the log writer, which serves until the simulation ends; its number, to which redo is told
    /// ([`CommitKind::letter`]).
    ///
    /// # Errors
    /// Where it makes no sense.
    pub fn add<D: Device>(&self, simulation: &mut Simulation<D>) -> Result<u32, NoSuchLoad> {
        check(self.objection())?;
        let mut writer = Writer {
            spec: self.clone(),
            file_bytes: self.file_bytes(),
            member: simulation.stream("log members"),
            write: simulation.waits("log file parallel write"),
            sync: simulation.commits("log file sync"),
            flush: simulation.waits("log flush"),
            queue: VecDeque::new(),
            writing: Vec::new(),
            bytes: 0,
            begun: Picoseconds::ZERO,
            file: 0,
            at: 0,
            stage: Stage::Idle,
            waited: true,
        };
        Ok(simulation.add_service("log writer", move |host: &mut Host| writer.go_on(host)))
    }
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Idle,
    Computed,
    Switched,
    Writing,
}

struct Writer {
    spec: LogWriter,
    file_bytes: u64,
    member: StreamId,
    write: StreamId,
    sync: StreamId,
    flush: StreamId,
    queue: VecDeque<Told>,
    writing: Vec<Told>,
    /// Of the write, whole blocks.
    bytes: u32,
    begun: Picoseconds,
    file: u32,
    /// Place within the file.
    at: u64,
    stage: Stage,
    /// It waited for somebody to come.
    waited: bool,
}

impl Writer {
    fn go_on(&mut self, host: &mut Host) -> Then {
        loop {
            match self.stage {
                Stage::Idle => {
                    self.listen(host);
                    if self.queue.is_empty() {
                        self.waited = true;
                        return Then::Told;
                    }
                    self.stage = Stage::Computed;
                    if self.spec.compute > Picoseconds::ZERO {
                        self.waited = false;
                        return Then::Compute(self.spec.compute);
                    }
                }
                Stage::Computed => {
                    // What came while it computed goes with the write.
                    self.listen(host);
                    self.gather();
                    self.stage = Stage::Switched;
                    if self.at + u64::from(self.bytes) > self.file_bytes {
                        self.at = 0;
                        self.file = (self.file + 1) % self.spec.files;
                        if self.spec.switch > Picoseconds::ZERO {
                            return Then::Until(host.now() + self.spec.switch);
                        }
                    }
                }
                Stage::Switched => {
                    self.begun = host.now();
                    for area in &self.spec.members {
                        let offset = area.from + u64::from(self.file) * self.file_bytes + self.at;
                        let request = Request { operation: Operation::Write, offset, bytes: self.bytes };
                        host.ask(Ask::new(area.volume, self.member, request));
                    }
                    self.at += u64::from(self.bytes);
                    self.stage = Stage::Writing;
                    return Then::ALL_DONE;
                }
                Stage::Writing => {
                    host.record(self.write, self.begun, self.bytes);
                    for told in self.writing.drain(..) {
                        let (kind, bytes) = CommitKind::of(told.value);
                        let stream = if kind == CommitKind::Flush { self.flush } else { self.sync };
                        host.record(stream, told.at, bytes);
                        if kind == CommitKind::Commit {
                            host.tell(told.from, 0);
                        }
                    }
                    self.stage = Stage::Idle;
                }
            }
        }
    }

    fn listen(&mut self, host: &mut Host) {
        while let Some(told) = host.told() {
            // Who comes at a rate comes whatever is written, and may never be served.
            match CommitKind::of(told.value).0 {
                CommitKind::Commit => {}
                CommitKind::Untold => host.comes(self.sync),
                CommitKind::Flush => host.comes(self.flush),
            }
            self.queue.push_back(told);
        }
    }

    /// What the next write carries: the first that waits, and those behind it as far as they fit.
    fn gather(&mut self) {
        let most = u64::from(self.spec.most_write_bytes);
        let mut sum = 0;
        while let Some(told) = self.queue.front() {
            let bytes = u64::from(CommitKind::of(told.value).1).clamp(1, most);
            if sum + bytes > most {
                break;
            }
            sum += bytes;
            self.writing.extend(self.queue.pop_front());
            if std::mem::take(&mut self.waited) {
                break;
            }
        }
        // At most what a write may have, in whole blocks, which is bounded.
        let whole = sum.max(1).next_multiple_of(u64::from(self.spec.block_bytes));
        self.bytes = u32::try_from(whole).unwrap_or(self.spec.most_write_bytes);
    }
}

impl Committers {
    /// Why they make no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        processes_objection(self.committers, "committers").or_else(|| self.redo.objection())
    }

    /// Adds them before a log writer.
    ///
    /// # Errors
    /// Where they make no sense.
    pub fn add<D: Device>(
        &self,
        simulation: &mut Simulation<D>,
        log_writer: u32,
        seed: u64,
    ) -> Result<(), NoSuchLoad> {
        check(self.objection())?;
        let spec = *self;
        for number in 0..u64::from(self.committers) {
            let mut random = Seeded::new(seed, number);
            let mut left = spec.commits;
            let mut waits = false;
            let mut pauses = spec.think > Picoseconds::ZERO;
            simulation.add(&format!("committer {}", number + 1), move |host: &mut Host| {
                if std::mem::take(&mut waits) {
                    host.told();
                    pauses = spec.think > Picoseconds::ZERO;
                }
                if left == Some(0) {
                    return Then::Ended;
                }
                if std::mem::take(&mut pauses) {
                    let pause = random.exponential(spec.think.as_us());
                    return Then::Until(host.now() + Picoseconds::from_us(pause));
                }
                left = left.map(|left| left - 1);
                host.tell(log_writer, CommitKind::Commit.letter(spec.redo.draw(&mut random)));
                waits = true;
                Then::Told
            });
        }
        Ok(())
    }
}

impl CommitBursts {
    /// Why they make no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if !(1e-9..=1e9).contains(&self.per_s) || self.commits == 0 {
            return Some(format!("{} bursts of {} commits a second are none", self.per_s, self.commits));
        }
        if self.kind == CommitKind::Commit {
            return Some("commits at a rate wait for nobody: their time alone is taken".to_owned());
        }
        self.redo.objection()
    }

    /// Adds their source, which goes on until the simulation ends.
    ///
    /// # Errors
    /// Where they make no sense.
    pub fn add<D: Device>(
        &self,
        simulation: &mut Simulation<D>,
        log_writer: u32,
        seed: u64,
    ) -> Result<(), NoSuchLoad> {
        check(self.objection())?;
        let spec = *self;
        let mut random = Seeded::new(seed, 0);
        // Bursts may overlap, where they are long: what is still to come of each that has begun.
        let mut going: VecDeque<(Picoseconds, u32)> = VecDeque::new();
        let mut next = Picoseconds::ZERO;
        let mut begun = false;
        simulation.add_service("commits at a rate", move |host: &mut Host| {
            let now = host.now();
            if begun {
                while next <= now {
                    going.push_back((next, spec.commits));
                    next = next + Picoseconds::from_us(random.exponential(1e6 / spec.per_s));
                }
            } else {
                begun = true;
                next = Picoseconds::from_us(random.exponential(1e6 / spec.per_s));
            }
            for (due, left) in &mut going {
                while *left > 0 && *due <= now {
                    host.tell(log_writer, spec.kind.letter(spec.redo.draw(&mut random)));
                    *due = *due + spec.apart;
                    *left -= 1;
                }
            }
            going.retain(|(_, left)| *left > 0);
            let due = going.iter().map(|(due, _)| *due).min().unwrap_or(next);
            Then::Until(due.min(next))
        });
        Ok(())
    }
}
