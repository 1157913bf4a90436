//! `spindle measure scan`: parallel full scans.

use super::common::Common;
use super::typed::{size, whole};
use crate::output::Failure;
use crate::shell::{Exit, Shell};
use spindle_app::{Change, ScanOrder};
use spindle_planning::parse_bytes;
use std::path::PathBuf;

/// A full scan by 1 to N slaves: what does more parallelism bring, and under which scheduler and read-ahead?
///
/// Slaves take granules of all files by turns and read them in multiblock reads; each scan reads all once. With
/// --change-settings (root) scheduler and read-ahead of the disks are tried: the old ones are written to a
/// journal first and put back at any end; after a kill `spindle measure restore` does it. A disk with a mounted
/// file system is never changed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle measure scan /dev/mapper/data1 /dev/mapper/data2 --degrees 1,2,4,8
  spindle measure scan /dev/sdb --buffered --change-settings --schedulers all --read-ahead 0,128K,2M")]
pub(crate) struct ScanForm {
    /// Files or devices.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Slaves; each number is a scan.
    #[arg(long, value_name = "N,...", default_value = "1,2,4,8", value_delimiter = ',',
        value_parser = whole::<u32>(1, 1024))]
    degrees: Vec<u32>,
    /// Size of a read: multiblock count times block, such as 512K; several are tried in turn.
    #[arg(long, value_name = "SIZE,...", default_value = "512K", value_delimiter = ',', value_parser = size)]
    multiblock: Vec<u32>,
    /// What a slave takes at a time: a multiple of each read.
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = parse_bytes)]
    granule: f64,
    /// Reads that a slave keeps under way: more than one as a database with asynchronous I/O does, by io_uring.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1, 64))]
    under_way: u32,
    /// Change settings of the disks, and put them back.
    #[arg(long)]
    change_settings: bool,
    /// Schedulers to try, such as none,mq-deadline, or all that the disks offer.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "change_settings", value_parser = scheduler)]
    schedulers: Vec<String>,
    /// Read-ahead to try, such as 0,128K,2M; it matters with --buffered alone.
    #[arg(long, value_name = "SIZE,...", value_delimiter = ',', requires = "change_settings", value_parser = read_ahead)]
    read_ahead: Vec<u64>,
    /// Folder for the journal of the old settings.
    #[arg(long, value_name = "FOLDER", default_value = spindle_app::JOURNALS, requires = "change_settings")]
    journal: PathBuf,
    #[command(flatten)]
    common: Common,
}

impl ScanForm {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        if self.change_settings && self.schedulers.is_empty() && self.read_ahead.is_empty() {
            return Err(Failure(
                "nothing was measured: --change-settings goes with --schedulers or --read-ahead".to_owned(),
            ));
        }
        let change = self.change_settings.then(|| Change {
            schedulers: self.schedulers.clone(),
            read_aheads: self.read_ahead.clone(),
            journals: self.journal.clone(),
        });
        let order = ScanOrder {
            degrees: self.degrees.clone(),
            multiblocks: self.multiblock.clone(),
            granule_bytes: self.granule as u64,
            under_way: self.under_way,
            change,
        };
        let measured =
            self.common.measure(&self.files, false, shell, |runner| spindle_app::scan(runner, &order), None);
        if self.change_settings {
            // The process that measured has put them back; where it came to no end, it is done here.
            super::restore::put_back(&self.journal, shell);
        }
        measured
    }
}

/// A name as the kernel has it.
fn scheduler(text: &str) -> Result<String, String> {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if plain {
        Ok(text.to_owned())
    } else {
        Err("it is no name of a scheduler; write for example mq-deadline".to_owned())
    }
}

/// Bytes, in whole KiB: `0`, `128K`.
fn read_ahead(text: &str) -> Result<u64, String> {
    if text.trim() == "0" {
        return Ok(0);
    }
    let bytes = parse_bytes(text)? as u64;
    if bytes.is_multiple_of(4096) && bytes <= 1 << 30 {
        Ok(bytes)
    } else {
        Err("read-ahead has whole pages of 4 KiB, up to 1 GiB; write for example 128K".to_owned())
    }
}
