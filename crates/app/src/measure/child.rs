//! The process that measures: opens, runs, tells; it ends when nobody asks any more.
//!
//! It is started by `supervise`, and dies of nothing but that: when its input closes, because whoever
//! started it is gone, a run under way is stopped and the process ends. On another host that is not enough: a
//! network that breaks closes nothing. There it also ends when it is not told every few seconds that somebody
//! still listens.

use super::messages::{Ask, EngineName, Going, PutBack, Say, Targets};
use spindle_io_measure::guard::{
    Permission, Reason, Refusal, WriteTarget, create, open_to_read, open_to_write_seen,
};
use spindle_io_measure::{
    Engine, How, Progress, Restored, Settings, Target, Watch, Which, fill, run, run_scan, run_slob,
    schedulers,
};
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Serves one who asks, on these pipes, until the input ends.
pub fn measure_child(input: impl BufRead + Send + 'static, output: impl Write + Send) {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, asks) = channel();
    let line = Arc::new(Line {
        stop: Arc::clone(&stop),
        asks: Mutex::new(Some(sender)),
        heard: Mutex::new(Instant::now()),
    });
    // Ends with the process: nothing waits for it.
    std::thread::spawn(move || {
        for said in input.lines() {
            let Ok(said) = said else { break };
            *line.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            match serde_json::from_str(&said) {
                Ok(Ask::Stop) => stop_flag(&line.stop),
                Ok(Ask::Here) => {}
                Ok(ask) => {
                    if ask == Ask::Hello {
                        listen_for_silence(Arc::clone(&line));
                    }
                    let asks = line.asks.lock().unwrap_or_else(PoisonError::into_inner);
                    if asks.as_ref().is_none_or(|asks| asks.send(ask).is_err()) {
                        return;
                    }
                }
                Err(_) => break,
            }
        }
        line.hang_up();
    });
    let teller = Teller(Mutex::new(output));
    serve(&asks, &stop, &teller);
}

/// A process on another host of which nobody is heard for so long ends.
const NOBODY: Duration = Duration::from_secs(30);

/// The line to whoever asks.
struct Line {
    stop: Arc<AtomicBool>,
    asks: Mutex<Option<Sender<Ask>>>,
    heard: Mutex<Instant>,
}

impl Line {
    /// Nobody asks any more: what goes on ends, and so does the process.
    fn hang_up(&self) {
        stop_flag(&self.stop);
        self.asks.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn stop_flag(stop: &AtomicBool) {
    stop.store(true, Ordering::Relaxed);
}

/// Hangs up where nothing is heard for too long.
fn listen_for_silence(line: Arc<Line>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let heard = *line.heard.lock().unwrap_or_else(PoisonError::into_inner);
            if heard.elapsed() > NOBODY {
                return line.hang_up();
            }
        }
    });
}

/// Waits until the time comes that is given, and says how much later it is then.
fn gate<W: Write>(
    asks: &Receiver<Ask>,
    stop: &AtomicBool,
    teller: &Teller<W>,
    clock: Instant,
) -> Result<u64, String> {
    teller.tell(&Say::Ready);
    let stopped = || Err("it was stopped before it began".to_owned());
    let at = loop {
        match asks.recv_timeout(Duration::from_millis(50)) {
            Ok(Ask::At { ns }) => break clock + Duration::from_nanos(ns),
            Ok(Ask::Clock) => {
                teller.tell(&shown(clock));
            }
            Ok(_) => return Err("what was asked for does not fit".to_owned()),
            Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
            Err(_) => return stopped(),
        }
    };
    loop {
        let left = at.saturating_duration_since(Instant::now());
        if stop.load(Ordering::Relaxed) {
            return stopped();
        }
        if left.is_zero() {
            return Ok(u64::try_from(at.elapsed().as_nanos()).unwrap_or(u64::MAX));
        }
        // A sleep ends up to a tenth of a millisecond late: the last half is waited out.
        match left.checked_sub(Duration::from_micros(500)) {
            Some(sleep) => std::thread::sleep(sleep.min(Duration::from_millis(50))),
            None => std::hint::spin_loop(),
        }
    }
}

/// What the clock shows.
fn shown(clock: Instant) -> Say {
    Say::Clock { ns: u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX) }
}

/// Where lines are written.
struct Teller<W>(Mutex<W>);

impl<W: Write> Teller<W> {
    /// `false` where nobody reads any more.
    fn tell(&self, say: &Say) -> bool {
        let Ok(mut line) = serde_json::to_vec(say) else { return false };
        line.push(b'\n');
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&line).and_then(|()| out.flush()).is_ok()
    }
}

fn serve<W: Write>(asks: &Receiver<Ask>, stop: &AtomicBool, teller: &Teller<W>) {
    let mut opened: Option<(Vec<Target>, How)> = None;
    // Put back when this ends, however it does.
    let mut settings: Option<Settings> = None;
    let clock = Instant::now();
    while let Ok(ask) = asks.recv() {
        let answer = match (ask, &opened) {
            (Ask::Open(order), None) => match open(&order, stop, teller) {
                Ok(targets) => {
                    let bytes = targets.iter().map(Target::bytes).collect();
                    opened = Some((targets, How::by(engine(order.engine))));
                    Say::Opened { bytes }
                }
                Err(why) => Say::Refused(why),
            },
            (Ask::Run { job }, Some((targets, how))) => {
                let name = job.name.clone();
                let mut see = |progress: &Progress| {
                    teller.tell(&Say::Going(going(&name, progress)));
                };
                match run(&job, targets, how, &mut Watch::seeing(stop, &mut see)) {
                    Ok(result) => Say::Ran(Box::new(result)),
                    Err(why) => Say::Refused(why.to_string()),
                }
            }
            (Ask::Hello, _) => Say::Hello { version: env!("CARGO_PKG_VERSION").to_owned() },
            (Ask::Clock, _) => shown(clock),
            (Ask::RunTogether { job }, Some((targets, how))) => {
                let name = job.name.clone();
                let mut see = |progress: &Progress| {
                    teller.tell(&Say::Going(going(&name, progress)));
                };
                let mut late = 0;
                let mut gate = || gate(asks, stop, teller, clock).map(|ns| late = ns);
                let mut watch = Watch { gate: Some(&mut gate), ..Watch::seeing(stop, &mut see) };
                let ran = run(&job, targets, how, &mut watch);
                match ran {
                    Ok(result) => Say::RanTogether { result: Box::new(result), late_ns: late },
                    Err(why) => Say::Refused(why.to_string()),
                }
            }
            (Ask::Slob(load), Some((targets, how))) => {
                let name = format!("{} threads", load.threads);
                let mut see = |progress: &Progress| {
                    teller.tell(&Say::Going(going(&name, progress)));
                };
                match targets.as_slice() {
                    [one] => match run_slob(&load, one, how, &mut Watch::seeing(stop, &mut see)) {
                        Ok(result) => Say::Ran(Box::new(result)),
                        Err(why) => Say::Refused(why.to_string()),
                    },
                    _ => Say::Refused("SLOB's data lie in one file or device".to_owned()),
                }
            }
            (Ask::Scan(scan), Some((targets, how))) => {
                let name = format!("degree {}", scan.degree);
                let mut see = |progress: &Progress| {
                    teller.tell(&Say::Going(going(&name, progress)));
                };
                match run_scan(&scan, targets, how, &mut Watch::seeing(stop, &mut see)) {
                    Ok(result) => Say::Ran(Box::new(result)),
                    Err(why) => Say::Refused(why.to_string()),
                }
            }
            (Ask::Schedulers, Some((targets, _))) => match schedulers(targets) {
                none if none.is_empty() => Say::Refused("the disks offer no scheduler".to_owned()),
                some => Say::Schedulers(some),
            },
            (Ask::Set { journals, scheduler, read_ahead_bytes }, Some((targets, _))) => {
                let kib = read_ahead_bytes.map(|bytes| (bytes / 1024).to_string());
                let values = [(Which::Scheduler, scheduler), (Which::ReadAhead, kib)];
                match set(&mut settings, targets, &journals, values) {
                    Ok(()) => Say::Set,
                    Err(why) => Say::Refused(why),
                }
            }
            (Ask::PutBack, _) => {
                let Restored { done, failed } = settings.take().map(Settings::put_back).unwrap_or_default();
                Say::PutBack(PutBack { done, failed })
            }
            _ => Say::Refused("what was asked for does not fit".to_owned()),
        };
        if !teller.tell(&answer) {
            return;
        }
    }
}

/// Sets disks; the first time it takes down how they were.
fn set(
    settings: &mut Option<Settings>,
    targets: &[Target],
    journals: &Path,
    values: [(Which, Option<String>); 2],
) -> Result<(), String> {
    let taken = match settings.take() {
        Some(taken) => taken,
        None => Settings::take_down(targets, journals)?,
    };
    let taken = settings.insert(taken);
    values.iter().try_for_each(|(which, value)| match value {
        Some(value) => taken.change(*which, value),
        None => Ok(()),
    })
}

/// A sentence for what is not written to, with the way to overrule it where there is one.
fn cannot_write(refusal: &Refusal) -> String {
    if refusal.reason.can_be_overruled() { refusal.to_string() } else { refused(refusal, "written to") }
}

/// A sentence for what was refused; `what` was not done.
fn refused(refusal: &Refusal, what: &str) -> String {
    match &refusal.reason {
        Reason::System(error)
            if error.kind() == std::io::ErrorKind::NotFound
                && refusal.path.parent().is_some_and(|folder| {
                    !folder.as_os_str().is_empty() && std::fs::symlink_metadata(folder).is_err()
                }) =>
        {
            format!("`{}` is not there, nor is its folder: make that first.", refusal.path.display())
        }
        Reason::System(error) if error.kind() == std::io::ErrorKind::NotFound => format!(
            "`{}` is not there. Name a file or device that is, or have a file made: --create 16G.",
            refusal.path.display()
        ),
        reason => format!("`{}` is not {what}: {reason}", refusal.path.display()),
    }
}

fn engine(name: EngineName) -> Engine {
    match name {
        EngineName::Auto => Engine::Auto,
        EngineName::IoUring => Engine::IoUring,
        EngineName::Sync => Engine::Sync,
        EngineName::Null => Engine::Null,
    }
}

fn going(name: &str, progress: &Progress) -> Going {
    Going {
        what: if progress.warming_up { "warming up".to_owned() } else { name.to_owned() },
        elapsed_s: progress.elapsed_s,
        share: progress.share,
        ios: progress.ios,
        bytes: progress.bytes,
        errors: progress.errors,
        under_way: progress.under_way,
        iops: progress.iops,
        mbps: progress.mbps,
        p99_us: progress.p99_us,
        counts: !progress.warming_up,
    }
}

/// Opens what is to be measured, through the guard.
fn open<W: Write>(order: &Targets, stop: &AtomicBool, teller: &Teller<W>) -> Result<Vec<Target>, String> {
    let permission = Permission::overwriting(order.overwrite.iter().cloned());
    let mut targets: Vec<Target> = Vec::new();
    for path in &order.paths {
        let name = path.display().to_string();
        let mut new = false;
        let target = if let Some(own) = order.create {
            let armed = create(path, own.bytes).and_then(WriteTarget::arm);
            new = true;
            let target = Target::writing(&name, armed.map_err(|refusal| refused(&refusal, "made"))?);
            if !own.keep {
                // Open, and without a name: gone with this process, however it ends.
                target.remove_name(path);
            }
            target
        } else if order.writes {
            let mut told = Instant::now();
            let opened_before = &targets;
            let mut see = || {
                opened_before.iter().for_each(Target::let_go);
                if told.elapsed() >= Duration::from_millis(250) {
                    told = Instant::now();
                    let what = "looking at what is on it".to_owned();
                    teller.tell(&Say::Going(Going { what, ..Going::default() }));
                }
            };
            let opened = open_to_write_seen(path, &permission, &mut see);
            let armed = opened.and_then(|target| target.arm_seen(&mut see));
            Target::writing(&name, armed.map_err(|refusal| cannot_write(&refusal))?)
        } else {
            let target = open_to_read(path).map_err(|refusal| refused(&refusal, "read"))?;
            Target::reading(&name, target)
        };
        let target = if order.buffered {
            target
        } else {
            target.direct().map_err(|why| format!("`{name}`: {why}"))?
        };
        if new {
            let begun = Instant::now();
            let mut see = |done: u64| {
                targets.iter().for_each(Target::let_go);
                let elapsed_s = begun.elapsed().as_secs_f64();
                teller.tell(&Say::Going(Going {
                    what: "filling the new file".to_owned(),
                    elapsed_s,
                    share: Some(done as f64 / target.bytes().max(1) as f64),
                    mbps: if elapsed_s > 0.0 { done as f64 / 1e6 / elapsed_s } else { 0.0 },
                    ..Going::default()
                }));
            };
            let filled = fill(&target, stop, &mut see);
            if let Err(error) = filled {
                if order.create.is_some_and(|own| own.keep) {
                    target.remove_name(path);
                }
                return Err(not_filled(&name, &error));
            }
        }
        targets.push(target);
    }
    match order.volume {
        Some(volume) => Target::volume(volume, targets).map(|target| vec![target]),
        None => Ok(targets),
    }
}

/// Why a new file has not all of its bytes, and what helps.
fn not_filled(name: &str, error: &std::io::Error) -> String {
    // There was room when it was made.
    let then = match error.kind() {
        std::io::ErrorKind::StorageFull => {
            "; something else took the room meanwhile, and the file is gone again: ask for less (--create), or name a place on \
             another file system"
        }
        std::io::ErrorKind::QuotaExceeded => {
            "; the file is gone again: ask for less (--create), or name a place where the quota allows it"
        }
        _ => "",
    };
    format!("`{name}` could not be filled: {error}{then}")
}

/// Puts back what killed measurements left changed.
///
/// # Errors
/// In a sentence, where their journals cannot be read.
pub fn restore_settings(journals: &Path) -> Result<PutBack, String> {
    let restored = spindle_io_measure::restore(journals)
        .map_err(|error| format!("the folder `{}` cannot be used: {error}", journals.display()))?;
    Ok(PutBack { done: restored.done, failed: restored.failed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_that_became_full_was_told_without_what_helps() {
        let full = std::io::Error::from_raw_os_error(28);
        let said = super::not_filled("new.dat", &full);
        assert!(said.starts_with("`new.dat` could not be filled: ") && said.contains("--create"), "{said}");
        let other = super::not_filled("new.dat", &std::io::Error::other("it was stopped"));
        assert_eq!(other, "`new.dat` could not be filled: it was stopped");
    }

    #[test]
    fn a_process_that_nobody_is_heard_of_hangs_up() {
        let (sender, asks) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let heard = Instant::now().checked_sub(NOBODY).unwrap_or_else(Instant::now);
        let asks_here = Mutex::new(Some(sender));
        listen_for_silence(Arc::new(Line {
            stop: Arc::clone(&stop),
            asks: asks_here,
            heard: Mutex::new(heard),
        }));
        // It waits for good unless the other side hangs up.
        assert!(asks.recv().is_err() && stop.load(Ordering::Relaxed));
    }
}
