//! `spindle measure slob`: SLOB without a database.

use super::common::Common;
use super::ramp::percent;
use super::seed;
use super::typed::{offset, pause, size, time, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::SlobOrder;
use spindle_planning::parse_bytes;
use spindle_workload::{Hot, Slob, Think};
use std::path::PathBuf;

/// SLOB's load without a database: random single-block reads, updates, commits.
///
/// Each thread runs statements over --work-unit random blocks, read one at a time; a share of them changes
/// what it reads and commits, and waits for the log. Changed blocks are written by others. Told as an AWR tells
/// it, to be held against one of SLOB. It writes: to a new file (--create), or to a device that holds nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure slob slob.dat --create 16G --threads 32
  spindle measure slob slob.dat --create 16G --update-pct 50 --redo-stress heavy --think 100ms,500ms --think-every 7
  spindle measure slob /dev/mapper/data1 --update-pct 0 --threads 128 --html slob.html")]
pub(crate) struct SlobForm {
    /// A file or device.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// UPDATE_PCT: share of the statements that change what they read.
    #[arg(long, value_name = "PCT", default_value = "25", value_parser = percent)]
    update_pct: f64,
    /// THREADS_PER_SCHEMA times schemas: sessions.
    #[arg(long, value_name = "N", default_value = "8", value_parser = whole::<u32>(1, 4096))]
    threads: u32,
    /// SCALE: size of the data [default: all of the file but the log].
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    scale: Option<f64>,
    /// WORK_UNIT: blocks of a statement.
    #[arg(long, value_name = "BLOCKS", default_value = "64", value_parser = whole::<u32>(1, 65_536))]
    work_unit: u32,
    /// Block of the database.
    #[arg(long, value_name = "SIZE", default_value = "8192", value_parser = size)]
    size: u32,
    /// THINK_TM_MIN and THINK_TM_MAX: a pause between them, such as 100ms,500ms.
    #[arg(long, value_name = "MIN,MAX", value_parser = think)]
    think: Option<(f64, f64)>,
    /// THINK_TM_FREQUENCY: a pause after every so many statements.
    #[arg(long, value_name = "N", default_value = "1", requires = "think", value_parser = whole::<u32>(1, u32::MAX.into()))]
    think_every: u32,
    /// HOTSPOT_MB: a part of the data that is wanted more, such as 8M.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    hot: Option<f64>,
    /// HOTSPOT_OFFSET_MB: where it begins, such as 16M [default: at the first block].
    #[arg(long, value_name = "SIZE", requires = "hot", value_parser = offset)]
    hot_offset: Option<f64>,
    /// HOTSPOT_FREQUENCY: every so many statements go there.
    #[arg(long, value_name = "N", default_value = "3", requires = "hot", value_parser = whole::<u32>(1, u32::MAX.into()))]
    hot_every: u32,
    /// REDO_STRESS: how much redo a changed block has.
    #[arg(long, value_enum, default_value = "lite")]
    redo_stress: RedoStress,
    /// The same in bytes, from an AWR: redo size over db block changes.
    #[arg(long, value_name = "BYTES", conflicts_with = "redo_stress", value_parser = whole::<u32>(1, 1_048_576))]
    redo_bytes: Option<u32>,
    /// RUN_TIME.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    time: f64,
    /// How long it runs before it counts.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = pause)]
    warm_up: f64,
    /// Seed of all that is random; without it one is drawn and told.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// How much redo a changed block has: assumed, as releases and tables differ.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum RedoStress {
    /// A column of a row: 600 bytes, its undo within (assumed).
    Lite,
    /// All columns of a row of 2.4 KB: 5,600 bytes, its undo within (assumed).
    Heavy,
}

impl RedoStress {
    fn bytes(self) -> u32 {
        match self {
            Self::Lite => 600,
            Self::Heavy => 5_600,
        }
    }
}

impl SlobForm {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let slob = Slob {
            update_pct: self.update_pct,
            threads: self.threads,
            scale_bytes: 0,
            log_bytes: 0,
            work_unit: self.work_unit,
            block_bytes: self.size,
            think: self.think.map(|(min_us, max_us)| Think { every: self.think_every, min_us, max_us }),
            hot: self.hot.map(|bytes| Hot {
                every: self.hot_every,
                bytes: bytes as u64,
                offset_bytes: self.hot_offset.map_or(0, |bytes| bytes as u64),
            }),
            redo_bytes: self.redo_bytes.unwrap_or(self.redo_stress.bytes()),
            seed: seed::or_drawn(self.seed),
            seconds: self.time / 1e6,
            warm_up_s: self.warm_up / 1e6,
        };
        let order = SlobOrder { slob, scale_bytes: self.scale.map(|bytes| bytes as u64) };
        let writes = self.update_pct > 0.0;
        self.common.measure(&[self.file], writes, shell, |runner| spindle_app::slob(runner, &order), None)
    }
}

/// `100ms,500ms`.
fn think(text: &str) -> Result<(f64, f64), String> {
    let (min, max) = text.split_once(',').ok_or("it is not two times; write for example 100ms,500ms")?;
    let (min, max) = (pause(min)?, time(max)?);
    if min <= max {
        Ok((min, max))
    } else {
        Err("its least is above its most; write for example 100ms,500ms".to_owned())
    }
}
