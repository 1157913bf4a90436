//! `spindle measure run`: a job from a file, or a recorded trace.

use super::common::{Common, Where};
use super::over::Over;
use super::seed;
use super::typed::{size, time, whole};
use crate::commands::small_text;
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_workload::{
    Arrivals, Beyond, End, Flush, Job, JobFile, Pattern, Region, Size, Sources, Stream, Trace, USUAL_BLOCK,
};
use std::path::PathBuf;

/// A job of any streams, from a file, or a recorded trace.
///
/// Streams of reads, writes or a mix; random, sequential, strided, hot-spot or Zipf; of one size or several;
/// in a part of the device; at a depth with or without a pause, or at a rate whatever the device does; or the
/// requests of a trace: fio iolog 2 and 3, blkparse text, SPC, MSR Cambridge csv. A complete example is
/// examples/jobs/oltp.toml. With --hosts the same job begins on all of them at one instant, and the figures of
/// all stand beside those of each; a trace is replayed on one host.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure run oltp.toml --on test.dat --create 16G
  spindle measure run reads.toml --on /dev/mapper/data1 /dev/mapper/data2 --html reads.html
  spindle measure run --trace monday.spc --on test.dat --create 64G --source joined
  spindle measure run --trace sda.blkparse --on /dev/sdb --reads-only --speed 2 --beyond wrap
  spindle measure run oltp.toml --on /dev/mapper/data1 --hosts db1,db2,oracle@db3 --html rac.html")]
#[command(group(clap::ArgGroup::new("what").required(true).args(["job", "trace"])))]
pub(crate) struct Run {
    /// The job (TOML).
    #[arg(value_name = "JOB.toml")]
    job: Option<PathBuf>,
    /// Files or devices that it runs on: each stream on each of them.
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    on: Vec<PathBuf>,
    /// Make the requests of this trace, at its own times. Its format is told by what stands in it.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    // What goes with a trace conflicts with a job: what only requires the trace passes beside one, since that excludes it.
    /// So many times as fast as the trace was recorded [default: 1].
    #[arg(long, value_name = "FACTOR", conflicts_with_all = ["job", "depth"], value_parser = speed)]
    speed: Option<f64>,
    /// So many requests of the trace under way on each target, whatever its times.
    #[arg(long, value_name = "N", conflicts_with = "job", value_parser = whole::<u32>(1, 65536))]
    depth: Option<u32>,
    /// Which files or disks of the trace go where: each to the target of its number, all joined one behind the
    /// other on every target, or the one of this name on every target [default: each].
    #[arg(long, value_name = "each|joined|NAME", conflicts_with = "job")]
    source: Option<String>,
    /// What is done about addresses beyond the end [default: refuse].
    #[arg(long, value_enum, conflicts_with = "job")]
    beyond: Option<BeyondName>,
    /// Make the reads of the trace alone.
    #[arg(long, conflicts_with = "job")]
    reads_only: bool,
    /// Bytes of a logical block of an SPC trace [default: 512].
    #[arg(long, value_name = "SIZE", conflicts_with = "job", value_parser = size)]
    lba: Option<u32>,
    /// End after so long, if the trace does not end before.
    #[arg(long, value_name = "TIME", conflicts_with = "job", value_parser = time)]
    time: Option<f64>,
    /// Seed of all that is random, instead of the job's; without either one is drawn and told.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    over: Over,
    #[command(flatten)]
    common: Common,
}

/// What is done about addresses beyond the end.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum BeyondName {
    /// Nothing is run.
    Refuse,
    /// They begin again at the beginning.
    Wrap,
    /// All addresses are brought closer together.
    Scale,
}

impl Run {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let nothing = |why: String| Failure(format!("nothing was measured: {why}"));
        let mut file = match (&self.job, &self.trace) {
            (Some(job), _) => {
                let name = job.display().to_string();
                let text = small_text(job)
                    .map_err(|why| nothing(format!("the job `{name}` was not read: {why}")))?;
                spindle_workload::read_job_file(&text, &name).map_err(|why| nothing(why.to_string()))?
            }
            (None, Some(trace)) => self.replay(trace.display().to_string()),
            (None, None) => return Err(nothing("neither a job nor a trace is named".to_owned())),
        };
        if self.over.on_hosts() && file.job.streams.iter().any(|s| s.trace.is_some()) {
            return Err(nothing("a trace is replayed on one host, and --hosts names others".to_owned()));
        }
        if self.seed.is_some() || !file.has_seed {
            file.job.seed = seed::or_drawn(self.seed);
        }
        spindle_app::read_traces(&mut file.job, self.on.len(), self.common.new_bytes()).map_err(nothing)?;
        let writes = file.job.writes();
        self.common.measure_where(
            &Where { over: Some(&self.over), ..Where::default() },
            &self.on,
            writes,
            shell,
            |runner| spindle_app::run_job(runner, &file),
            None,
        )
    }

    /// The job that replays a trace.
    fn replay(&self, file: String) -> JobFile {
        let trace = Trace {
            sources: match self.source.as_deref() {
                None | Some("each") => Sources::Each,
                Some("joined") => Sources::Joined,
                Some(name) => Sources::One(name.to_owned()),
            },
            beyond: match self.beyond {
                None | Some(BeyondName::Refuse) => Beyond::Refuse,
                Some(BeyondName::Wrap) => Beyond::Wrap,
                Some(BeyondName::Scale) => Beyond::Scale,
            },
            reads_only: self.reads_only,
            block_bytes: self.lba.unwrap_or(USUAL_BLOCK),
            ..Trace::of(&file)
        };
        let stream = Stream {
            name: "trace".to_owned(),
            read_pct: if self.reads_only { 100.0 } else { 0.0 },
            pattern: Pattern::Random,
            sizes: vec![Size { bytes: USUAL_BLOCK, weight: 1.0 }],
            region: Region::default(),
            arrivals: match self.depth {
                Some(depth) => Arrivals::Closed { depth, think_us: 0.0 },
                None => Arrivals::Replay { speed: self.speed.unwrap_or(1.0) },
            },
            flush: Flush::None,
            trace: Some(Box::new(trace)),
        };
        let end = End { seconds: self.time.map(|us| us / 1e6), ..End::default() };
        let job = Job { name: "trace".to_owned(), seed: 0, streams: vec![stream], end, warm_up_s: None };
        JobFile { job, origins: Vec::new(), has_seed: false }
    }
}

/// A factor: `2`, `0.5`, `10x`.
fn speed(text: &str) -> Result<f64, String> {
    let bare = text.trim().trim_end_matches('x');
    let factor = bare.parse::<f64>().ok().filter(|f| (1e-6..=1e6).contains(f));
    factor.ok_or_else(|| "it is no factor from 0.000001 to 1000000; write for example 2".to_owned())
}
