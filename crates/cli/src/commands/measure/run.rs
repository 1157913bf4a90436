//! `spindle measure run`: a job from a file.

use super::common::Common;
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use std::path::PathBuf;

/// A job of any streams, from a file.
///
/// Streams of reads, writes or a mix; random, sequential, strided, hot-spot or Zipf; of one size or several;
/// in a part of the device; at a depth with or without a pause, or at a rate whatever the device does. A
/// complete example is examples/jobs/oltp.toml.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure run oltp.toml --on test.dat --create 16G
  spindle measure run reads.toml --on /dev/mapper/data1 /dev/mapper/data2 --html reads.html")]
pub(crate) struct Run {
    /// The job (TOML).
    #[arg(value_name = "JOB.toml")]
    job: PathBuf,
    /// Files or devices that it runs on: each stream on each of them.
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    on: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Run {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let name = self.job.display().to_string();
        let nothing = |why: String| Failure(format!("nothing was measured: {why}"));
        let text = std::fs::read_to_string(&self.job)
            .map_err(|error| nothing(format!("the job `{name}` was not read: {error}")))?;
        let file = spindle_workload::read_job_file(&text, &name).map_err(|why| nothing(why.to_string()))?;
        let writes = file.job.writes();
        self.common.measure(&self.on, writes, shell, |runner| spindle_app::run_job(runner, &file), None)
    }
}
