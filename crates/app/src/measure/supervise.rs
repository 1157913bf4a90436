//! The process that watches: it asks another one to measure, and never touches a device itself.
//!
//! A device that hangs takes every process with it that waits for it: not even `kill` ends those. So this
//! one only reads a pipe. What the other one told last is what was measured, if nothing more comes.

use super::messages::{Ask, Going, PutBack, Say, Targets};
use spindle_workload::{
    Environment, Job, LatencyFrom, LatencyUs, LimitedBy, RunResult, Scan, Slob, StreamResult,
};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often is looked who wants what.
pub(super) const LOOK: Duration = Duration::from_millis(100);
/// A run that was told to stop says its result within this.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(10);
/// A process that measures tells something four times a second; after this silence it tells nothing more.
pub(super) const SILENCE: Duration = Duration::from_secs(20);
/// Opening takes longer than a request: up to so many times the patience for one. Who looks at what is on a device
/// tells of each answer.
pub(super) const OPENING: u32 = 2;
/// Opening is not waited for less than this: the processes of a busy machine are looked through as well.
pub(super) const LEAST_OPENING: Duration = Duration::from_secs(10);
/// So long is waited for the end of a process that waits for a device that hangs, or was killed.
const ENDED: Duration = Duration::from_secs(1);
/// The same of one whose device answered nothing from when it was told to stop: who asked is not to wait for it twice.
const ENDED_HANGING: Duration = Duration::from_millis(400);
/// A device that answered nothing for so long when its run was told to stop hangs.
const HANGS: Duration = Duration::from_secs(1);

/// Who looks at a measurement while it goes on.
pub trait Watcher {
    /// It has come so far.
    fn going(&mut self, going: &Going);

    /// How often somebody asked it to end.
    fn asked_to_stop(&mut self) -> u32;
}

/// A run, and why it ended before its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// What it found.
    pub result: RunResult,
    /// In words that go on from "it ended early: "; `None` where it ended by itself.
    pub cut: Option<String>,
}

/// What runs jobs.
pub trait Runner {
    /// Runs a job on all targets.
    ///
    /// # Errors
    /// In a sentence, where it cannot be run.
    fn run(&mut self, job: &Job) -> Result<Ran, String>;

    /// Runs SLOB's load on the only target.
    ///
    /// # Errors
    /// In a sentence, where it cannot be run.
    fn slob(&mut self, load: &Slob) -> Result<Ran, String>;

    /// Scans all targets.
    ///
    /// # Errors
    /// In a sentence, where they cannot be scanned.
    fn scan(&mut self, scan: &Scan) -> Result<Ran, String>;

    /// Schedulers that all disks of the targets offer.
    ///
    /// # Errors
    /// Where there are none.
    fn schedulers(&mut self) -> Result<Vec<String>, String>;

    /// Sets the disks of the targets; how they were is kept in a journal in this folder until they are put back.
    ///
    /// # Errors
    /// In a sentence, where they must not or cannot be set so.
    fn set(
        &mut self,
        journals: &Path,
        scheduler: Option<&str>,
        read_ahead: Option<u64>,
    ) -> Result<(), String>;

    /// Puts all settings back.
    ///
    /// # Errors
    /// Where nothing is heard of it.
    fn put_back(&mut self) -> Result<PutBack, String>;

    /// Bytes of each target.
    fn bytes(&self) -> &[u64];
}

/// A measuring process and the pipes to it.
pub struct Supervised<'a> {
    child: Child,
    asks: Option<ChildStdin>,
    said: Receiver<Say>,
    watcher: &'a mut dyn Watcher,
    give_up: Duration,
    bytes: Vec<u64>,
    /// The targets are open.
    open: bool,
    /// Nothing is expected of the process any more.
    lost: bool,
    /// It has said all, and its device hangs: it may not end.
    hangs: bool,
}

impl std::fmt::Debug for Supervised<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Supervised").field("process", &self.child.id()).finish_non_exhaustive()
    }
}

/// What came of waiting for an answer.
enum Answer {
    Came(Say),
    /// It will not come, and why.
    Never(String),
}

impl<'a> Supervised<'a> {
    /// Starts the process and has it open the targets. Requests that take longer than `give_up` are given
    /// up.
    ///
    /// # Errors
    /// In a sentence, where they are not opened.
    pub fn start(
        mut command: Command,
        targets: &Targets,
        give_up: Duration,
        watcher: &'a mut dyn Watcher,
    ) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the one who watches; he tells.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child =
            command.spawn().map_err(|error| format!("the process that measures does not start: {error}"))?;
        let (sender, said) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines() {
                    let said = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                    if said.is_none_or(|say| sender.send(say).is_err()) {
                        return;
                    }
                }
            });
        }
        // Were it ours, who reads our errors would wait for as long as the device hangs.
        if let Some(mut errors) = child.stderr.take() {
            std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::stderr()));
        }
        let asks = child.stdin.take();
        let mut new = Self {
            child,
            asks,
            said,
            watcher,
            give_up,
            bytes: Vec::new(),
            open: false,
            lost: false,
            hangs: false,
        };
        let patience = (give_up * OPENING).max(LEAST_OPENING);
        new.ask(&Ask::Open(targets.clone()));
        match new.wait(patience, &mut None) {
            (Answer::Came(Say::Opened { bytes }), _) => {
                new.bytes = bytes;
                new.open = true;
                Ok(new)
            }
            (Answer::Came(Say::Refused(why)), _) => Err(why),
            (Answer::Came(_), _) => Err("the process that measures answers something else".to_owned()),
            (Answer::Never(why), _) => Err(format!("{why}, while it was opened and looked at")),
        }
    }

    fn ask(&mut self, ask: &Ask) {
        // A process that is gone is found out when nothing comes.
        let Ok(mut line) = serde_json::to_vec(ask) else { return drop(self.asks.take()) };
        line.push(b'\n');
        if let Some(pipe) = &mut self.asks {
            let _ = pipe.write_all(&line).and_then(|()| pipe.flush());
        }
    }

    /// Waits for an answer; `last` is how far it has come. The second is why it was told to stop.
    fn wait(&mut self, silence: Duration, last: &mut Option<Going>) -> (Answer, Option<String>) {
        let mut heard = Instant::now();
        let mut moved = Instant::now();
        let mut stopped: Option<(Instant, String)> = None;
        loop {
            let came = self.said.recv_timeout(LOOK);
            let why = || stopped.as_ref().map(|(_, why)| why.clone());
            match came {
                Ok(Say::Going(going)) => {
                    heard = Instant::now();
                    let stands = last.as_ref().is_some_and(|before| {
                        going.under_way > 0
                            && (before.ios, before.errors, &before.what)
                                == (going.ios, going.errors, &going.what)
                    });
                    self.watcher.going(&going);
                    // Of a device that does not answer, the last that it did is what was measured.
                    if !stands {
                        moved = heard;
                        *last = Some(going);
                    }
                }
                Ok(answer) => {
                    self.hangs = stopped.is_some() && last.is_some() && moved.elapsed() > HANGS;
                    return (Answer::Came(answer), why());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let why = why().unwrap_or_else(|| "the process that measures ended".to_owned());
                    return (Answer::Never(why.clone()), Some(why));
                }
            }
            let asked = self.watcher.asked_to_stop();
            let lost = &mut self.lost;
            let mut never = |why: String| {
                *lost = true;
                (Answer::Never(why.clone()), Some(why))
            };
            if let Some((when, why)) = &stopped {
                let last_words = if self.open { LAST_WORDS } else { ENDED };
                if asked > 1 || when.elapsed() > last_words {
                    return never(why.clone());
                }
            } else if asked > 0 {
                stopped = Some((Instant::now(), "it was stopped".to_owned()));
                self.ask(&Ask::Stop);
            } else if last.is_some() && moved.elapsed() > self.give_up {
                let seconds = moved.elapsed().as_secs();
                stopped = Some((Instant::now(), format!("for {seconds} s no request was answered")));
                self.ask(&Ask::Stop);
            } else if heard.elapsed() > silence {
                return never(format!(
                    "nothing was heard of the process that measures for {} s: the device does not answer",
                    heard.elapsed().as_secs()
                ));
            }
        }
    }

    /// Ends the process, as far as it can be ended.
    fn end(&mut self) {
        // Its input ends, so it does.
        drop(self.asks.take());
        let begun = Instant::now();
        let ended = if self.hangs { ENDED_HANGING } else { ENDED };
        let mut killed: Option<Instant> = None;
        loop {
            match self.child.try_wait() {
                Ok(None) => {}
                _ => return,
            }
            match killed {
                // Not even a kill ends what waits for a device that hangs: then nobody waits for it.
                Some(when) if when.elapsed() > ended => return,
                Some(_) => {}
                None => {
                    let patience = if self.lost || self.hangs { ended } else { LAST_WORDS };
                    if begun.elapsed() > patience || self.watcher.asked_to_stop() > 1 {
                        let _ = self.child.kill();
                        killed = Some(Instant::now());
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Supervised<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

impl Supervised<'_> {
    /// Asks for something that takes no time and waits for the answer.
    fn said(&mut self, ask: &Ask) -> Result<Say, String> {
        self.ask(ask);
        loop {
            match self.wait(SILENCE, &mut None) {
                // The end of a run that nobody waited for any more.
                (Answer::Came(Say::Ran(_)), _) => {}
                (Answer::Came(say), _) => return Ok(say),
                (Answer::Never(why), _) => return Err(why),
            }
        }
    }

    /// Asks for a run and waits for what it finds; `job` where it is one.
    fn answer(&mut self, ask: &Ask, job: Option<&Job>) -> Result<Ran, String> {
        self.ask(ask);
        let mut last = None;
        match self.wait(SILENCE.max(self.give_up), &mut last) {
            (Answer::Came(Say::Ran(result)), cut) => Ok(Ran { result: *result, cut }),
            (Answer::Came(Say::Refused(why)), _) => Err(why),
            (Answer::Came(_), _) => Err("the process that measures answers something else".to_owned()),
            (Answer::Never(why), _) => match last.filter(|going| going.counts && going.ios > 0) {
                Some(going) => Ok(Ran { result: in_part(job, &going), cut: Some(why) }),
                None => Err(why),
            },
        }
    }
}

/// What an answer says that is not the one asked for.
fn unfit(said: Say) -> String {
    match said {
        Say::Refused(why) => why,
        _ => "the process that measures answers something else".to_owned(),
    }
}

impl Runner for Supervised<'_> {
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        self.answer(&Ask::Run { job: job.clone() }, Some(job))
    }

    fn slob(&mut self, load: &Slob) -> Result<Ran, String> {
        self.answer(&Ask::Slob(*load), None)
    }

    fn scan(&mut self, scan: &Scan) -> Result<Ran, String> {
        self.answer(&Ask::Scan(*scan), None)
    }

    fn schedulers(&mut self) -> Result<Vec<String>, String> {
        match self.said(&Ask::Schedulers)? {
            Say::Schedulers(all) => Ok(all),
            other => Err(unfit(other)),
        }
    }

    fn set(
        &mut self,
        journals: &Path,
        scheduler: Option<&str>,
        read_ahead: Option<u64>,
    ) -> Result<(), String> {
        let ask = Ask::Set {
            journals: journals.to_owned(),
            scheduler: scheduler.map(str::to_owned),
            read_ahead_bytes: read_ahead,
        };
        match self.said(&ask)? {
            Say::Set => Ok(()),
            other => Err(unfit(other)),
        }
    }

    fn put_back(&mut self) -> Result<PutBack, String> {
        match self.said(&Ask::PutBack)? {
            Say::PutBack(done) => Ok(done),
            other => Err(unfit(other)),
        }
    }

    fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}

/// What is known of a run whose end was never told: counts and rates, and no latencies.
pub(super) fn in_part(job: Option<&Job>, going: &Going) -> RunResult {
    let rate = |of: f64| (going.elapsed_s > 0.0).then(|| of / going.elapsed_s);
    let stream = StreamResult {
        name: "all streams".to_owned(),
        operation: if job.is_none_or(Job::writes) { "mix" } else { "read" }.to_owned(),
        ios: Some(going.ios),
        bytes: Some(going.bytes),
        elapsed_s: Some(going.elapsed_s),
        iops: rate(going.ios as f64),
        mbps: rate(going.bytes as f64 / 1e6),
        latency_from: LatencyFrom::Submit,
        latency_us: LatencyUs::default(),
        percentiles_from: None,
        interval: None,
        histogram: None,
        errors: Vec::new(),
        unserved: None,
        course: None,
        parts: Vec::new(),
    };
    RunResult {
        job: job.cloned(),
        environment: Environment::default(),
        streams: vec![stream],
        limited_by: LimitedBy::Unknown,
        warnings: vec![format!(
            "the run never said what it found: its counts are those of {:.1} s, and latencies are not known",
            going.elapsed_s
        )],
        hosts: None,
        ended_early: None,
    }
}
