//! The same job on several hosts at one instant, over the system's ssh client.
//!
//! On each host the process that measures is started by ssh, as it is started here for one: it opens what is
//! named through its own guard, answers on the same pipes, and ends when they close or nobody is heard of. The
//! clocks of the hosts are compared over those pipes; once all are set up, each is told when to begin by its own
//! clock. Who refuses, fails or falls silent is missing, and the others go on.

mod clock;
mod names;

pub use names::{check_host, remote_path};

use super::messages::{Ask, Going, PutBack, Say, Targets};
use super::supervise::{LAST_WORDS, LEAST_OPENING, LOOK, OPENING, Ran, Runner, SILENCE, Watcher, in_part};
use clock::Offset;
use spindle_workload::{HostRun, HostsFound, Job, JudgedBy, Measured, Scan, Slob, together};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A host is told so often that somebody listens.
const HERE: Duration = Duration::from_secs(2);
/// The clock of a host is asked so often, as long as the time lasts, and at least the first of these.
const PROBES: (usize, usize) = (4, 24);
const PROBING: Duration = Duration::from_secs(1);
/// From when all are told to when they begin, beside the ways there.
const LEAD: Duration = Duration::from_millis(150);
/// Lines of a host that are kept to say why it ended.
const KEPT_LINES: usize = 6;
/// Characters of them that are shown.
const SHOWN: usize = 300;
/// What goes to ssh beside what its command says; what that says comes first, and counts.
const OPTIONS: [&str; 9] = [
    "-T",
    "-o",
    "BatchMode=yes",
    "-o",
    "ConnectTimeout=10",
    "-o",
    "ServerAliveInterval=5",
    "-o",
    "ServerAliveCountMax=3",
];

/// Where to run, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostsOrder {
    /// Names, as ssh takes them.
    pub hosts: Vec<String>,
    /// The ssh client, and options of it.
    pub ssh: Vec<String>,
    /// Spindle there, as its shell takes it, with what makes it measure.
    pub remote: String,
}

/// What is said of a host that closes its pipe without a word.
const ENDED: &str = "the process that measures there ended";

/// What came from a host.
enum Event {
    Said(Box<Say>),
    /// A line that is none of ours.
    Noise(String),
    Closed,
}

/// Processes on hosts that measure, and the pipes to them.
pub struct Hosts<'a> {
    all: Vec<Host>,
    events: Receiver<(usize, Instant, Event)>,
    watcher: &'a mut dyn Watcher,
    give_up: Duration,
    bytes: Vec<u64>,
    origin: Instant,
    /// When somebody asked for the end.
    stopped: Option<Instant>,
    told_here: Instant,
}

impl std::fmt::Debug for Hosts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hosts").field("hosts", &self.all.len()).finish_non_exhaustive()
    }
}

/// One of them.
struct Host {
    name: String,
    child: Child,
    asks: Option<ChildStdin>,
    /// What it said that is none of ours, last.
    words: Arc<Mutex<VecDeque<String>>>,
    complains: Option<JoinHandle<()>>,
    /// Why nothing more comes from it.
    gone: Option<String>,
    /// It was told to end, when and why.
    cut: Option<(Instant, String)>,
    clock: Option<Offset>,
    last: Option<Going>,
    heard: Instant,
    moved: Instant,
}

impl Host {
    fn ask(&mut self, ask: &Ask) {
        // One that is gone is found out when nothing comes.
        if let (Some(pipe), Ok(mut line)) = (&mut self.asks, serde_json::to_vec(ask)) {
            line.push(b'\n');
            let _ = pipe.write_all(&line).and_then(|()| pipe.flush());
        }
    }

    /// It is missing from now on; what runs there ends with its input.
    fn leave(&mut self, why: String) {
        self.gone.get_or_insert(why);
        self.asks.take();
        let _ = self.child.kill();
    }

    /// Why its pipe closed, in its own words where it has some.
    fn ended(&mut self) -> String {
        let until = Instant::now() + Duration::from_secs(1);
        let mut status = None;
        while Instant::now() < until {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() && self.complains.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let words: String =
            words.iter().map(String::as_str).collect::<Vec<_>>().join(" | ").chars().take(SHOWN).collect();
        let code = status.and_then(|s| s.code());
        let hint = match code {
            Some(127) => "; where spindle is there says --remote-spindle",
            _ => "",
        };
        match (words.is_empty(), code) {
            (false, _) => format!("it ended: {words}{hint}"),
            (true, Some(code)) if code != 0 => format!("it ended with status {code}{hint}"),
            _ => ENDED.to_owned(),
        }
    }

    /// Takes in how far it has come.
    fn going(&mut self, going: Going) {
        let stands = self.last.as_ref().is_some_and(|before| {
            going.under_way > 0
                && (before.ios, before.errors, &before.what) == (going.ios, going.errors, &going.what)
        });
        if !stands {
            self.moved = Instant::now();
            self.last = Some(going);
        }
    }
}

/// Keeps the last lines.
fn keep(words: &Mutex<VecDeque<String>>, line: &str) {
    let line: String = line.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
    if line.trim().is_empty() {
        return;
    }
    let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
    if words.len() == KEPT_LINES {
        words.pop_front();
    }
    words.push_back(line.trim().to_owned());
}

/// Reads lines as long as there are any, none of them without end.
fn lines(from: impl Read, mut each: impl FnMut(&str) -> bool) {
    /// A result with the histograms of many streams.
    const LONGEST: u64 = 256 << 20;
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        match from.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if each(&String::from_utf8_lossy(&line)) => {}
            Ok(_) => return,
        }
    }
}

impl<'a> Hosts<'a> {
    /// Starts a process on each host and has it open the targets. Requests that take longer than `give_up` are
    /// given up. Who cannot is missing.
    ///
    /// # Errors
    /// In a sentence, where none can.
    pub fn start(
        order: &HostsOrder,
        targets: &Targets,
        give_up: Duration,
        watcher: &'a mut dyn Watcher,
    ) -> Result<Self, String> {
        let (sender, events) = channel();
        let all = order
            .hosts
            .iter()
            .enumerate()
            .map(|(n, name)| started(order, name, n, &sender))
            .collect::<Result<Vec<_>, _>>()?;
        let now = Instant::now();
        let mut new = Self {
            all,
            events,
            watcher,
            give_up,
            bytes: Vec::new(),
            origin: now,
            stopped: None,
            told_here: now,
        };
        for (n, said, _) in new.ask_all(&Ask::Hello, give_up) {
            let own = env!("CARGO_PKG_VERSION");
            match said {
                Say::Hello { version } if version == own => {}
                Say::Hello { version } => {
                    new.all[n]
                        .leave(format!("spindle there is {version}, and {own} here: both must be the same"));
                }
                _ => new.all[n].leave("it answers something else".to_owned()),
            }
        }
        for host in new.all.iter_mut().filter(|h| h.gone.as_deref() == Some(ENDED)) {
            // One that does not know the question ends.
            host.gone = Some(format!("{ENDED} before it said its release, which has to be the one here"));
        }
        let patience = (give_up * OPENING).max(LEAST_OPENING);
        for (n, said, _) in new.ask_all(&Ask::Open(targets.clone()), patience) {
            match said {
                Say::Opened { bytes } => new.bytes.extend(bytes),
                Say::Refused(why) => new.all[n].leave(why),
                _ => new.all[n].leave("it answers something else".to_owned()),
            }
        }
        new.any_left().map(|()| new)
    }

    /// Is there one left?
    fn any_left(&self) -> Result<(), String> {
        if self.all.iter().any(|h| h.gone.is_none()) {
            return Ok(());
        }
        let whys = self.all.iter().map(|h| format!("`{}`: {}", h.name, h.gone.as_deref().unwrap_or("")));
        Err(format!("no host measures: {}", whys.collect::<Vec<_>>().join("; ")))
    }

    /// Asks all that are left and waits for their answers, each with the time at which it came.
    fn ask_all(&mut self, ask: &Ask, patience: Duration) -> Vec<(usize, Say, Instant)> {
        for host in self.all.iter_mut().filter(|h| h.gone.is_none()) {
            host.ask(ask);
        }
        self.answers(patience)
    }

    /// Waits for an answer of all that are left; who gives none in time is missing.
    fn answers(&mut self, patience: Duration) -> Vec<(usize, Say, Instant)> {
        let begun = Instant::now();
        for host in &mut self.all {
            (host.heard, host.moved) = (begun, begun);
        }
        let mut waiting: Vec<usize> = (0..self.all.len()).filter(|n| self.all[*n].gone.is_none()).collect();
        let mut out = Vec::new();
        while !waiting.is_empty() {
            if let Ok((n, when, event)) = self.events.recv_timeout(LOOK) {
                let host = &mut self.all[n];
                host.heard = when;
                match event {
                    Event::Said(say) => match *say {
                        Say::Going(going) => {
                            host.going(going);
                            let sum = sum(&self.all);
                            self.watcher.going(&sum);
                        }
                        say if waiting.contains(&n) => {
                            waiting.retain(|w| *w != n);
                            out.push((n, say, when));
                        }
                        _ => {}
                    },
                    // Shells greet, and do not measure.
                    Event::Noise(line) => keep(&host.words, &line),
                    Event::Closed if host.gone.is_none() => {
                        let why = host.ended();
                        host.leave(why);
                    }
                    Event::Closed => {}
                }
            }
            self.look(&waiting, patience);
            waiting.retain(|n| self.all[*n].gone.is_none());
        }
        out
    }

    /// Who wants the end, who is silent, and whose device stands still?
    fn look(&mut self, waiting: &[usize], patience: Duration) {
        if self.told_here.elapsed() > HERE {
            self.told_here = Instant::now();
            for host in &mut self.all {
                host.ask(&Ask::Here);
            }
        }
        let asked = self.watcher.asked_to_stop();
        if asked > 0 && self.stopped.is_none() {
            self.stopped = Some(Instant::now());
            for host in &mut self.all {
                host.ask(&Ask::Stop);
            }
        }
        let stopped_long = asked > 1 || self.stopped.is_some_and(|when| when.elapsed() > LAST_WORDS);
        for n in waiting {
            let host = &mut self.all[*n];
            if stopped_long {
                host.leave("it was stopped, and did not say what it had measured".to_owned());
            } else if let Some((when, why)) = &host.cut {
                if when.elapsed() > LAST_WORDS {
                    host.leave(why.clone());
                }
            } else if host.last.is_some() && host.moved.elapsed() > self.give_up {
                let why = format!("for {} s no request was answered there", host.moved.elapsed().as_secs());
                host.cut = Some((Instant::now(), why));
                host.ask(&Ask::Stop);
            } else if host.heard.elapsed() > patience {
                host.leave(format!("nothing was heard of it for {} s", host.heard.elapsed().as_secs()));
            }
        }
    }

    /// Compares the clocks of all that are left with the one here.
    fn compare_clocks(&mut self) {
        let begun = Instant::now();
        for host in &mut self.all {
            host.clock = None;
        }
        let since = |origin: Instant, when: Instant| when.saturating_duration_since(origin).as_nanos() as f64;
        let mut probe = 0;
        while probe < PROBES.0 || (probe < PROBES.1 && begun.elapsed() < PROBING) {
            probe += 1;
            let mut sent = vec![0.0; self.all.len()];
            for (host, sent) in self.all.iter_mut().zip(&mut sent) {
                *sent = since(self.origin, Instant::now());
                if host.gone.is_none() {
                    host.ask(&Ask::Clock);
                }
            }
            let answers = self.answers(self.give_up);
            if answers.is_empty() {
                return;
            }
            for (n, said, when) in answers {
                let host = &mut self.all[n];
                match said {
                    Say::Clock { ns } => {
                        let new = Offset::of(sent[n], ns as f64, since(self.origin, when));
                        if host.clock.is_none_or(|old| new.round_trip_ns < old.round_trip_ns) {
                            host.clock = Some(new);
                        }
                    }
                    Say::Refused(why) => host.leave(why),
                    _ => host.leave("it answers something else".to_owned()),
                }
            }
        }
    }

    /// Has all that are left set the job up, begin it at one instant, and says what each did.
    fn run_together(&mut self, job: &Job) -> Vec<HostRun> {
        let patience = SILENCE.max(self.give_up);
        for host in &mut self.all {
            (host.last, host.cut) = (None, None);
        }
        for (n, said, _) in self.ask_all(&Ask::RunTogether { job: job.clone() }, patience) {
            match said {
                Say::Ready => {}
                Say::Refused(why) => self.all[n].leave(why),
                _ => self.all[n].leave("it answers something else".to_owned()),
            }
        }
        self.compare_clocks();
        let longest = self.all.iter().filter_map(|h| h.clock).map(|c| c.round_trip_ns).fold(0.0, f64::max);
        let now_ns = self.origin.elapsed().as_nanos() as f64;
        let begin_ns = now_ns + LEAD.as_nanos() as f64 + 4.0 * longest;
        let mut runs: Vec<Option<HostRun>> = self.all.iter().map(|_| None).collect();
        for host in self.all.iter_mut().filter(|h| h.gone.is_none()) {
            if let Some(clock) = host.clock {
                host.ask(&Ask::At { ns: clock.there(begin_ns) as u64 });
            }
        }
        for (n, said, _) in self.answers(patience) {
            let host = &mut self.all[n];
            match said {
                Say::RanTogether { result, late_ns } => {
                    let late_us = late_ns as f64 / 1e3;
                    let missing = host.cut.take().map(|(_, why)| why);
                    let unsure_us = host.clock.map(|c| c.unsure_ns(begin_ns) / 1e3);
                    runs[n] = Some(HostRun {
                        missing,
                        late_us: Some(late_us),
                        began_us: unsure_us.map(|unsure| (late_us - unsure, late_us + unsure)),
                        ..HostRun::of(&host.name, *result)
                    });
                }
                Say::Refused(why) => host.leave(why),
                _ => host.leave("it answers something else".to_owned()),
            }
        }
        let all = self.all.iter().zip(runs);
        let run = |(host, run): (&Host, Option<HostRun>)| {
            let run = run.unwrap_or_else(|| {
                let why = host.gone.clone().unwrap_or_else(|| "nothing came".to_owned());
                let told = host.last.as_ref().filter(|going| going.counts && going.ios > 0);
                match told {
                    // Its counts are those that it told last.
                    Some(going) => {
                        let part = HostRun::of(&host.name, in_part(Some(job), going));
                        HostRun { missing: Some(why), ..part }
                    }
                    None => HostRun::missing(&host.name, why),
                }
            });
            HostRun { round_trip_us: host.clock.map(|c| c.round_trip_ns / 1e3), ..run }
        };
        all.map(run).collect()
    }
}

/// How far all have come.
fn sum(hosts: &[Host]) -> Going {
    let all: Vec<&Going> =
        hosts.iter().filter(|h| h.gone.is_none()).filter_map(|h| h.last.as_ref()).collect();
    let Some(first) = all.first() else { return Going::default() };
    let least = |of: fn(&Going) -> f64| all.iter().map(|g| of(g)).fold(f64::INFINITY, f64::min);
    let shares: Option<Vec<f64>> = all.iter().map(|g| g.share).collect();
    Going {
        what: format!("{} hosts, {}", all.len(), first.what),
        elapsed_s: least(|g| g.elapsed_s),
        share: shares.map(|s| s.into_iter().fold(f64::INFINITY, f64::min)),
        ios: all.iter().map(|g| g.ios).sum(),
        bytes: all.iter().map(|g| g.bytes).sum(),
        errors: all.iter().map(|g| g.errors).sum(),
        under_way: all.iter().map(|g| g.under_way).sum(),
        iops: all.iter().map(|g| g.iops).sum(),
        mbps: all.iter().map(|g| g.mbps).sum(),
        p99_us: None,
        counts: all.iter().all(|g| g.counts),
    }
}

fn started(
    order: &HostsOrder,
    name: &str,
    number: usize,
    sender: &Sender<(usize, Instant, Event)>,
) -> Result<Host, String> {
    let [program, own @ ..] = order.ssh.as_slice() else { return Err("no ssh client is named".to_owned()) };
    let mut command = Command::new(program);
    command.args(own).args(OPTIONS).arg(name).arg(&order.remote);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C is for the one who watches; he tells.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| format!("`{program}` does not start: {error}"))?;
    let words = Arc::new(Mutex::new(VecDeque::new()));
    if let Some(output) = child.stdout.take() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let tell = |event| sender.send((number, Instant::now(), event)).is_ok();
            lines(output, |line| match serde_json::from_str(line) {
                Ok(say) => tell(Event::Said(Box::new(say))),
                Err(_) => tell(Event::Noise(line.to_owned())),
            });
            tell(Event::Closed);
        });
    }
    let complains = child.stderr.take().map(|output| {
        let words = Arc::clone(&words);
        std::thread::spawn(move || {
            lines(output, |line| {
                keep(&words, line);
                true
            });
        })
    });
    let asks = child.stdin.take();
    let now = Instant::now();
    Ok(Host {
        name: name.to_owned(),
        child,
        asks,
        words,
        complains,
        gone: None,
        cut: None,
        clock: None,
        last: None,
        heard: now,
        moved: now,
    })
}

impl Drop for Hosts<'_> {
    /// Ends them all: their inputs end, so they do; who does not is left.
    fn drop(&mut self) {
        for host in &mut self.all {
            drop(host.asks.take());
        }
        let begun = Instant::now();
        for host in &mut self.all {
            while matches!(host.child.try_wait(), Ok(None)) {
                if begun.elapsed() > LAST_WORDS || self.watcher.asked_to_stop() > 1 {
                    let _ = host.child.kill();
                    let _ = host.child.wait();
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

impl Runner for Hosts<'_> {
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        let each = self.run_together(job);
        let result = together(each).map_err(|why| format!("no host measured: {why}"))?;
        let cut = self.stopped.map(|_| "it was stopped".to_owned());
        Ok(Ran { result, cut })
    }

    fn slob(&mut self, _: &Slob) -> Result<Ran, String> {
        Err("SLOB's load runs on one host".to_owned())
    }

    fn scan(&mut self, _: &Scan) -> Result<Ran, String> {
        Err("a scan runs on one host".to_owned())
    }

    fn schedulers(&mut self) -> Result<Vec<String>, String> {
        Err("settings are changed on one host".to_owned())
    }

    fn set(&mut self, _: &Path, _: Option<&str>, _: Option<u64>) -> Result<(), String> {
        Err("settings are changed on one host".to_owned())
    }

    fn put_back(&mut self) -> Result<PutBack, String> {
        Ok(PutBack::default())
    }

    fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}

/// Adds to what was found what follows from the hosts.
pub fn say_hosts(measured: &mut Measured) {
    let Some(found) = measured.points.first().and_then(|p| p.result.hosts.as_deref()) else { return };
    let sentence = sentence(found);
    measured.verdict.push_str(&sentence);
}

fn sentence(found: &HostsFound) -> String {
    use super::sweep::{ms, number};
    let counted: Vec<&HostRun> = found.each.iter().filter(|h| h.counts()).collect();
    let missing: Vec<String> =
        found.each.iter().filter(|h| !h.counts()).map(|h| format!("`{}`", h.host)).collect();
    let mut text = match (counted.as_slice(), missing.as_slice()) {
        (all, []) => {
            format!(" That is the sum over {} host{}", all.len(), if all.len() == 1 { "" } else { "s" })
        }
        (all, missing) => format!(
            " That is the sum over {} of {} hosts: {} {} missing. Those that ran",
            all.len(),
            found.each.len(),
            missing.join(", "),
            if missing.len() == 1 { "is" } else { "are" }
        ),
    };
    if counted.len() < 2 {
        return text.trim_end_matches(" Those that ran").to_owned()
            + if missing.is_empty() { "." } else { "" };
    }
    if missing.is_empty() {
        text.push_str(", which");
    }
    if let Some(us) = found.began_within_us {
        text.push_str(&format!(" began within {} of each other", ms(us)));
    }
    let figure = |h: &&HostRun| match found.judged_by {
        Some(JudgedBy::Iops) => h.iops,
        _ => h.mean_us,
    };
    let by_figure = || counted.iter().filter_map(|h| Some((figure(h)?, h.host.as_str())));
    let least = by_figure().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = by_figure().max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((least, most)) = least.zip(most) {
        text.push_str(&match found.judged_by {
            Some(JudgedBy::Iops) => {
                format!(
                    " and did {} (`{}`) to {} (`{}`) requests a second.",
                    number(least.0),
                    least.1,
                    number(most.0),
                    most.1
                )
            }
            _ => format!(
                " and took {} (`{}`) to {} (`{}`) a request on average.",
                ms(least.0),
                least.1,
                ms(most.0),
                most.1
            ),
        });
    } else {
        text.push('.');
    }
    for slow in &found.slow {
        text.push_str(&match found.judged_by {
            Some(JudgedBy::Iops) => format!(
                " `{}` is slow: {} a second, where the others do {} in the middle.",
                slow.host,
                number(slow.own),
                number(slow.others)
            ),
            _ => format!(
                " `{}` is slow: {} a request, where the others take {} in the middle.",
                slow.host,
                ms(slow.own),
                ms(slow.others)
            ),
        });
    }
    text
}
