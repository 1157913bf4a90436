//! `spindle`: says where the response time of an Oracle database went, from the reports that the
//! database wrote, and proves each number.

mod commands;
mod output;
mod shell;
mod usage;

use clap::{Parser, Subcommand};
use shell::{Exit, Shell};
use std::io::Write;
use std::process::ExitCode;

/// Reads Oracle performance reports (AWR, Statspack, ASH, ADDM and their kin) and says where the
/// response time went.
///
/// Nothing is sent anywhere. Exit status: 0 done; 1 done, but some input was not read or some
/// question not answered (said on stderr); 2 nothing done.
#[derive(Parser)]
#[command(name = "spindle", version, max_term_width = 100)]
#[command(after_help = "Example:\n  spindle diagnose awrrpt_1_812_813.html --html answer.html")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Collect(commands::collect::Collect),
    Compare(commands::compare::Compare),
    Diagnose(commands::diagnose::Diagnose),
    Emulate(Box<commands::emulate::Emulate>),
    #[command(name = commands::emulate::WATCH, hide = true)]
    EmulateWatch(commands::emulate::EmulateWatch),
    Facts(commands::facts::Facts),
    Measure(Box<commands::measure::Measure>),
    #[command(name = commands::measure::CHILD, hide = true)]
    MeasureChild(commands::measure::MeasureChild),
    Place(Box<commands::place::Place>),
    Simulate(Box<commands::simulate::Simulate>),
    Size(Box<commands::size::Size>),
}

/// Facts are many small pieces of memory: `docs/decisions/0008-an-allocator-of-its-own.md`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A fault of ours in one report is caught where reports are read and told as a line of its own.
    // This line adds the place in our code, and nothing of the report.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "spindle: fault in the program{place}");
    }));
    // Otherwise a limit on the size of files (`ulimit -f`) ends this process, and leaves half of a file.
    #[cfg(target_os = "linux")]
    spindle_app::file_limit_is_an_error();
    let mut shell = Shell::new();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let words: Vec<String> = std::env::args_os().map(|w| w.to_string_lossy().into_owned()).collect();
            let Some(why) = usage::below_zero(&error, &words) else { error.exit() };
            shell.error(&why);
            return Exit::NothingDone.into();
        }
    };
    let result = match arguments.command {
        Command::Collect(command) => command.run(&mut shell),
        Command::Compare(command) => command.run(&mut shell),
        Command::Diagnose(command) => command.run(&mut shell),
        Command::Emulate(command) => command.run(&mut shell),
        Command::EmulateWatch(command) => Ok(command.run()),
        Command::Facts(command) => command.run(&mut shell),
        Command::Measure(command) => command.run(&mut shell),
        Command::MeasureChild(command) => Ok(command.run()),
        Command::Place(command) => command.run(&mut shell),
        Command::Simulate(command) => command.run(&mut shell),
        Command::Size(command) => command.run(&mut shell),
    };
    let exit = result.unwrap_or_else(|failure| {
        shell.error(&failure.to_string());
        Exit::NothingDone
    });
    exit.into()
}
