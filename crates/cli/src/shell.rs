//! Standard output and error: data to the one, progress and warnings to the other. A reader that
//! closes its end is no error, and nothing a report holds can steer the terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spindle_app::Progress;
use spindle_presentation::escape;
use spindle_presentation::terminal::Look;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Reading that takes less than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything done.
    Done,
    /// Done, but some input was not read or some question not answered.
    InPart,
    /// Bad use, or nothing readable.
    NothingDone,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::InPart => 1,
            Exit::NothingDone => 2,
        })
    }
}

/// Where a command writes.
pub(crate) struct Shell {
    out: BufWriter<Stdout>,
    /// The reader of standard output went away.
    closed: bool,
}

impl Shell {
    pub(crate) fn new() -> Self {
        Self { out: BufWriter::new(io::stdout()), closed: false }
    }

    /// How text for standard output looks; `width` is what the user asked for. Without it the terminal
    /// says how wide it is, in a pipe the variable `COLUMNS`.
    pub(crate) fn look(width: Option<usize>) -> Look {
        let terminal = io::stdout().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let measured = || terminal.then(|| usize::from(console::Term::stdout().size().1)).filter(|&w| w > 0);
        let told = || std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|&w: &usize| w > 0);
        Look { width: width.or_else(measured).or_else(told).unwrap_or(80), colour: terminal && !plain }
    }

    /// Writes text to standard output. `false` where nobody reads it any more.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<bool> {
        let written = self.out.write_all(text.as_bytes());
        self.unless_closed(written)
    }

    /// Ends output. `false` where nobody reads it any more.
    pub(crate) fn flush(&mut self) -> io::Result<bool> {
        let flushed = self.out.flush();
        self.unless_closed(flushed)
    }

    /// Turns a closed pipe into `false`.
    pub(crate) fn unless_closed(&mut self, result: io::Result<()>) -> io::Result<bool> {
        match result {
            Ok(()) => Ok(!self.closed),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The writer of standard output, for documents that are written piece by piece.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Says what could not be read or answered.
    pub(crate) fn warning(&mut self, text: &str) {
        self.say("warning: ", text);
    }

    /// Says why nothing was done.
    pub(crate) fn error(&mut self, text: &str) {
        self.say("error: ", text);
    }

    /// Says what was done beside the data.
    pub(crate) fn note(&mut self, text: &str) {
        self.say("", text);
    }

    fn say(&mut self, what: &str, text: &str) {
        let said = format!("{what}{}", escape::terminal(text));
        let said = Self::columns_of_errors().map_or(said.clone(), |columns| wrapped(&said, columns));
        // With nobody there to read a warning, there is nobody to tell.
        let _ = writeln!(io::stderr(), "{said}");
    }

    /// Columns of standard error: those of its terminal, in a pipe what `COLUMNS` says. Who searches a log for a message
    /// finds it on one line: without either nothing is wrapped.
    fn columns_of_errors() -> Option<usize> {
        let terminal = io::stderr().is_terminal();
        let measured = terminal.then(|| usize::from(console::Term::stderr().size().1)).filter(|&w| w > 0);
        let told = || std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|&w: &usize| w > 0);
        measured.or_else(told)
    }

    /// A bar on standard error, where that is a terminal and reading takes its time. `writing`
    /// says that standard output is written meanwhile.
    pub(crate) fn progress(&self, writing: bool) -> Bar {
        let shown = io::stderr().is_terminal() && !(writing && io::stdout().is_terminal());
        Bar { shown, begun: Instant::now(), bar: OnceLock::new() }
    }
}

/// A sentence on lines of at most so many columns; those after the first are set in. What is one word (a path) stays
/// whole, whoever copies it.
fn wrapped(text: &str, columns: usize) -> String {
    const SET_IN: &str = "  ";
    /// Narrower than this, lines of single words are no easier to read.
    const LEAST: usize = 40;
    let columns = columns.max(LEAST);
    let mut out = String::with_capacity(text.len() + text.len() / 20);
    let mut used = 0;
    for (n, word) in text.split(' ').enumerate() {
        let width = console::measure_text_width(word);
        if n > 0 && used + 1 + width > columns {
            out.push('\n');
            out.push_str(SET_IN);
            used = SET_IN.len();
        } else if n > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += width;
    }
    out
}

/// Progress of reading.
pub(crate) struct Bar {
    shown: bool,
    begun: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress for Bar {
    fn files(&self, done: usize, files: usize) {
        if self.shown && files > 1 && self.begun.elapsed() > PATIENCE {
            let bar = self.bar.get_or_init(|| {
                let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
                let style =
                    ProgressStyle::with_template("reading {wide_bar} {pos} of {len} files, {eta} left");
                bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(done as u64);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    /// A doubt of `place` was one line of 380 characters on standard error.
    #[test]
    fn warnings_were_single_long_lines() {
        let text =
            format!("warning: `{}.txt` was not read: {}", "a".repeat(90), "it is no report ".repeat(20));
        let said = wrapped(&text, 80);
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.len() > 4, "{said}");
        assert!(lines.iter().all(|line| line.len() <= 80 || line.contains("aaa.txt`")), "{said}");
        assert!(lines[1..].iter().all(|line| line.starts_with("  ")), "{said}");
        assert_eq!(said.replace("\n  ", " "), text, "nothing is lost");
        assert_eq!(wrapped("warning: short", 80), "warning: short");
    }
}
