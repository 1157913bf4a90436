//! Reads, writes and redo, each with the account that it was read from.

use crate::events::EventTotal;
use crate::outcome::{Account, IoFigure, IoProfile};
use spindle_facts::{
    Interval, IoActivity, Kind, Metric, Quantity, Report, Scope, Side, Statistics, TablespaceIo, same_name,
};

/// Single-block reads: the best gauge of storage, since a session waits for each of them.
pub(crate) const SINGLE_BLOCK_READS: &[&str] =
    &["db file sequential read", "cell single block physical read"];
/// Multi-block reads into the cache.
pub(crate) const MULTI_BLOCK_READS: &[&str] = &["db file scattered read", "cell multiblock physical read"];

/// Is this a single-block read, whole or in the parts that Exadata prints (by where the block was)?
#[must_use]
pub fn is_single_block_read(event: &str) -> bool {
    is_one_of(SINGLE_BLOCK_READS, event)
}

/// Is this a multi-block read into the cache?
#[must_use]
pub fn is_multi_block_read(event: &str) -> bool {
    is_one_of(MULTI_BLOCK_READS, event)
}

/// On Exadata one read event is printed in parts: `cell single block physical read: flash cache`.
fn is_one_of(names: &[&str], event: &str) -> bool {
    names.iter().any(|name| crate::rules::is_event(event, name))
}

/// MB are 10^6 bytes.
const MB: f64 = 1e6;

pub(crate) fn io_profile(
    statistics: &Statistics<'_>,
    report: &Report,
    accounts: &[Account],
    events: &[EventTotal],
) -> IoProfile {
    let redo = used(accounts, Quantity::RedoWrites);
    let block_bytes = report.identity.block_size_bytes.map(|b| b as f64);
    let data_writes = used(accounts, Quantity::DatabaseWriteRequests);
    let redo_requests = used(accounts, Quantity::RedoWriteRequests);
    let redo_once = redo.clone().or_else(|| redo_requests.clone().map(|f| of_members(report, f)));
    let from_blocks = |quantity| {
        let blocks = used(accounts, quantity)?;
        let mut figure = scaled(blocks, block_bytes? / MB);
        figure.account.push_str(" times block size");
        Some(only_data(figure))
    };
    let of_data = |quantity| used(accounts, quantity).map(|f| only_data(scaled(f, 1.0 / MB)));
    // Sessions' own waits come first; where none were read, the files say how long reads took.
    let no_waits = !events.iter().any(|e| e.side == Side::Foreground);
    let of_files = |wanted: &dyn Fn(f64) -> bool| mean_of_places(report, wanted).filter(|_| no_waits);
    let elapsed_is_unknown = report.identity.elapsed_s.is_none();
    let rates = |rate: fn(&TablespaceIo) -> Option<f64>| Some(only_data(of_places(report, rate)?));
    IoProfile {
        read_iops: used(accounts, Quantity::ReadRequests)
            .or_else(|| Some(only_data(used(accounts, Quantity::DatabaseReadRequests)?)))
            .or_else(|| rates(|io| io.reads_per_s)),
        write_iops: used(accounts, Quantity::WriteRequests)
            .or_else(|| added(data_writes.clone()?, redo_requests.or(redo.clone())?))
            .or_else(|| data_writes.map(only_data))
            .or_else(|| rates(|io| io.writes_per_s).filter(|_| elapsed_is_unknown)),
        redo_write_iops: redo_once,
        read_mbps: used(accounts, Quantity::ReadBytes)
            .map(|f| scaled(f, 1.0 / MB))
            .or_else(|| from_blocks(Quantity::BlocksRead))
            .or_else(|| of_data(Quantity::DatabaseReadBytes)),
        write_mbps: used(accounts, Quantity::WriteBytes)
            .map(|f| scaled(f, 1.0 / MB))
            .or_else(|| from_blocks(Quantity::BlocksWritten))
            .or_else(|| of_data(Quantity::DatabaseWriteBytes)),
        redo_write_mbps: redo_mbps(statistics, report),
        single_block_read_us: mean(report, events, Side::Foreground, SINGLE_BLOCK_READS)
            .or_else(|| of_files(&|blocks| blocks <= ABOUT_ONE_BLOCK))
            .or_else(|| of_metrics(report)),
        multi_block_read_us: mean(report, events, Side::Foreground, MULTI_BLOCK_READS)
            .or_else(|| of_files(&|blocks| blocks >= MANY_BLOCKS)),
        log_write_us: mean(report, events, Side::Background, &["log file parallel write"]),
        small_read_share_pct: small_reads(statistics, report),
    }
}

/// `s_blk_r_lat` of AWR-miner, which prints no mean of any event: `Average Synchronous Single-Block Read Latency` in
/// tenths of a millisecond. What rounds to nothing, or was missing and stands as 0, is unknown.
fn of_metrics(report: &Report) -> Option<IoFigure> {
    if report.identity.kind != Kind::AwrMiner {
        return None;
    }
    let row = report.tables.load_profile.iter().find(|r| r.metric.eq_ignore_ascii_case("s_blk_r_lat"))?;
    let ms = row.per_second.filter(|ms| *ms > 0.0)?;
    let half = row.per_second_half_unit.max(0.05);
    Some(IoFigure {
        value: 1e3 * ms,
        bounds: Some(Interval { low: 1e3 * (ms - half).max(0.0), high: 1e3 * (ms + half) }),
        account: format!("{}, {}", report.section_title(row.section), row.metric),
        line: row.line,
    })
}

/// Reads of up to so many blocks on average are nearly all of single blocks.
const ABOUT_ONE_BLOCK: f64 = 1.5;
/// From so many on most are of several; between the two they are of either kind.
const MANY_BLOCKS: f64 = 4.0;
/// Part of all reads that places must have whose mean stands for the reads of the database.
const TELLING_PART: f64 = 0.1;

/// What tablespaces, else files, print of their I/O, with the section's title.
fn places(report: &Report) -> Vec<&TablespaceIo> {
    let tables = &report.tables;
    if tables.tablespace_io.is_empty() {
        tables.file_io.iter().map(|f| &f.io).collect()
    } else {
        tables.tablespace_io.iter().collect()
    }
}

/// A rate of requests over all tablespaces, else files, where each row prints it.
fn of_places(report: &Report, rate: fn(&TablespaceIo) -> Option<f64>) -> Option<IoFigure> {
    /// Half of the last digit printed.
    const HALF: f64 = 0.5;
    let rows = places(report);
    let first = rows.first()?;
    let value = rows.iter().map(|io| rate(io)).sum::<Option<f64>>()?;
    #[allow(clippy::cast_precision_loss, reason = "a report has few tablespaces")]
    let unit = HALF * rows.len() as f64;
    Some(IoFigure {
        value,
        bounds: Some(Interval { low: (value - unit).max(0.0), high: value + unit }),
        account: format!("{}, requests a second", report.section_title(first.section)),
        line: first.line,
    })
}

/// Mean read over the tablespaces, else files, whose reads are of so many blocks, weighted by reads; `None` where
/// what the cells round away is too much of it, or where hardly any read is of theirs. Reads of the other kind are
/// among them: how far the mean is from that of one kind, nothing bounds.
fn mean_of_places(report: &Report, wanted: &dyn Fn(f64) -> bool) -> Option<IoFigure> {
    let all = places(report);
    let half_us = half_digit_us(&all);
    let reads = |io: &TablespaceIo| io.reads.or(io.reads_per_s);
    let of_all: f64 = all.iter().filter_map(|io| reads(io)).sum();
    let rows: Vec<_> = all.into_iter().filter(|io| io.blocks_per_read.is_some_and(wanted)).collect();
    let of_rows: f64 = rows.iter().filter_map(|io| reads(io)).sum();
    if of_rows < TELLING_PART * of_all {
        return None;
    }
    let mean = MeanOfPlaces::of(rows.into_iter().map(|io| (io, reads(io))), half_us);
    let mean = mean.filter(MeanOfPlaces::told_by_its_cells)?;
    Some(IoFigure {
        value: mean.us,
        bounds: None,
        account: format!("{}{OF_EVERY_PROCESS}", report.section_title(mean.first.section)),
        line: mean.first.line,
    })
}

/// Mean over reads of some tablespaces or files.
struct MeanOfPlaces<'r> {
    /// Microseconds.
    us: f64,
    /// What rounding leaves.
    bounds: Interval,
    /// Part of the reads (0-1) whose mean is printed as nothing.
    as_nothing: f64,
    /// The first of the rows.
    first: &'r TablespaceIo,
}

impl<'r> MeanOfPlaces<'r> {
    /// Of rows with their reads, printed with so many microseconds as half of the last digit.
    fn of(rows: impl Iterator<Item = (&'r TablespaceIo, Option<f64>)>, half_us: f64) -> Option<Self> {
        let (mut reads, mut nothing, mut first) = (0.0, 0.0, None);
        let mut weighted = [0.0; 3];
        for (io, of_row) in rows {
            let (Some(of_row), Some(mean_us)) = (of_row, io.avg_read_us) else { continue };
            first.get_or_insert(io);
            reads += of_row;
            if mean_us <= 0.0 {
                nothing += of_row;
            }
            for (sum, us) in
                weighted.iter_mut().zip([(mean_us - half_us).max(0.0), mean_us, mean_us + half_us])
            {
                *sum += of_row * us;
            }
        }
        let first = first.filter(|_| reads > 0.0)?;
        let [low, us, high] = weighted.map(|sum| sum / reads);
        Some(Self { us, bounds: Interval { low, high }, as_nothing: nothing / reads, first })
    }

    /// Is it more than a bound? Reads that are printed with no time are not timed (past the file cache they are
    /// waited for together), or so short that the digits hide them.
    fn told_by_its_cells(&self) -> bool {
        /// Part of the reads that may lack their time.
        const MAY_LACK: f64 = 0.1;
        /// Times the lower bound that the upper one may be.
        const APART: f64 = 1.25;
        self.as_nothing <= MAY_LACK && self.bounds.high <= APART * self.bounds.low
    }
}

/// Half of the last digit that mean reads of tablespaces and files are printed with, microseconds: hundredths of a
/// millisecond where any has them, else tenths.
fn half_digit_us(places: &[&TablespaceIo]) -> f64 {
    let is_fine = |us: f64| (us / 100.0 - (us / 100.0).round()).abs() > 1e-6;
    if places.iter().filter_map(|io| io.avg_read_us).any(is_fine) { 5.0 } else { 50.0 }
}

/// Redo written: `redo size` and what was wasted to fill blocks, over the interval or as printed a second, else the
/// load profile, which leaves the waste out: once, as `redo writes` counts the writes. Else what counts every member
/// of a log, as the IO Profile of one instance does.
fn redo_mbps(statistics: &Statistics<'_>, report: &Report) -> Option<IoFigure> {
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0);
    let bytes_per_s = |name: &str| {
        let over_interval = statistics.total(name).zip(elapsed_s).map(|(bytes, elapsed_s)| bytes / elapsed_s);
        over_interval.or_else(|| statistics.per_second(name))
    };
    let row = statistics.named("redo size").into_iter().next();
    if let (Some(row), Some(size)) = (row, bytes_per_s("redo size")) {
        let waste = bytes_per_s("redo wastage");
        let what = if waste.is_some() { "redo size and redo wastage" } else { "redo size (without wastage)" };
        return Some(IoFigure {
            value: (size + waste.unwrap_or(0.0)) / MB,
            bounds: None,
            account: format!("{}, {what}", report.section_title(row.section)),
            line: row.line,
        });
    }
    let of_report = |n: Option<u32>| n.is_none() || n == report.identity.instance_number;
    let mut load = report.tables.load_profile.iter();
    let load = load.find(|r| r.known == Some(Metric::RedoSize) && of_report(r.instance_number));
    if let Some((row, per_s)) = load.and_then(|r| Some((r, r.per_second?))) {
        return Some(IoFigure {
            value: per_s / MB,
            bounds: None,
            account: format!("{}, {} (without wastage)", report.section_title(row.section), row.metric),
            line: row.line,
        });
    }
    let profile = report.tables.io_profile.iter().find(|r| same_name(&r.metric, "Redo (MB)"));
    let Some((row, mib_per_s)) = profile.and_then(|r| Some((r, r.writes_per_s?))) else {
        return written_by_log_writer(report);
    };
    let once = report.identity.scope == Scope::Database;
    let counted = if once { " (without wastage)" } else { EVERY_MEMBER };
    Some(IoFigure {
        value: mib_per_s * 1_048_576.0 / MB,
        bounds: None,
        account: format!("{}, {}{counted}", report.section_title(row.section), row.metric),
        line: row.line,
    })
}

/// Bytes that the log writer wrote, by function or by file, where redo is printed nowhere else.
fn written_by_log_writer(report: &Report) -> Option<IoFigure> {
    let is = |cell: &Option<String>, name: &str| cell.as_deref().is_some_and(|c| same_name(c, name));
    let tables = &report.tables;
    let of_files: Vec<_> = tables.io_filetype.iter().filter(|r| is(&r.filetype, "Log File")).collect();
    let of_writer = || tables.io_function.iter().filter(|r| is(&r.function, "LGWR")).collect();
    let (rows, name) = if of_files.is_empty() { (of_writer(), "LGWR") } else { (of_files, "Log File") };
    let for_all = rows.iter().any(|r| r.instance_number.is_none());
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0);
    let rate = |r: &&IoActivity| {
        r.write_bytes_per_s
            .or_else(|| r.write_bytes.zip(elapsed_s).map(|(bytes, elapsed_s)| bytes / elapsed_s))
    };
    let rows: Vec<&IoActivity> =
        rows.into_iter().filter(|r| r.instance_number.is_none() == for_all).collect();
    let first = rows.first()?;
    Some(IoFigure {
        value: rows.iter().map(rate).sum::<Option<f64>>()? / MB,
        bounds: None,
        account: format!("{}, {name}{EVERY_MEMBER}", report.section_title(first.section)),
        line: first.line,
    })
}

/// Requests of redo as an account that counts every member of a log group; of all instances the IO Profile prints
/// `redo writes` under the name of the requests.
fn of_members(report: &Report, mut requests: IoFigure) -> IoFigure {
    if report.identity.scope != Scope::Database || !requests.account.ends_with("Redo Requests") {
        requests.account.push_str(EVERY_MEMBER);
    }
    requests
}

/// The figure of the account in use.
fn used(accounts: &[Account], quantity: Quantity) -> Option<IoFigure> {
    let account = accounts.iter().find(|a| a.quantity == quantity.name())?;
    let value = account.by.iter().find(|v| Some(&v.section) == account.used.as_ref())?;
    Some(IoFigure {
        value: value.value,
        bounds: Some(value.bounds),
        account: value.section.clone(),
        line: value.line,
    })
}

fn scaled(figure: IoFigure, factor: f64) -> IoFigure {
    IoFigure { value: figure.value * factor, bounds: figure.bounds.map(|b| b.scaled(factor)), ..figure }
}

fn only_data(mut figure: IoFigure) -> IoFigure {
    figure.account.push_str(ONLY_DATA);
    figure
}

/// Behind the account of what data and temp files alone were asked for.
const ONLY_DATA: &str = " (data and temp files only)";
/// Behind the sum of what database and log writer wrote.
const WITHOUT_OTHERS: &str = " (without control files and backup)";

/// Behind the account of a mean over places by how many blocks their reads have.
const OF_EVERY_PROCESS: &str = ", reads of every process";

/// Behind the account of redo that is written once a member of a log group.
const EVERY_MEMBER: &str = " (every log member)";

impl IoFigure {
    /// Is it of redo, counted once for each member of a log group?
    #[must_use]
    pub fn is_of_every_member(&self) -> bool {
        self.account.ends_with(EVERY_MEMBER)
    }

    /// Is it the mean read of tablespaces or files, told apart by how many blocks their reads have?
    #[must_use]
    pub fn is_of_places(&self) -> bool {
        self.account.ends_with(OF_EVERY_PROCESS)
    }

    /// Is it of data and temp files alone, without redo, control files and backups?
    #[must_use]
    pub fn is_of_data_files(&self) -> bool {
        self.account.ends_with(ONLY_DATA)
    }

    /// Does it leave out requests of some processes, since the report counts no others?
    pub(crate) fn is_of_some_processes(&self) -> bool {
        self.is_of_data_files() || self.account.ends_with(WITHOUT_OTHERS)
    }
}

fn added(data: IoFigure, redo: IoFigure) -> Option<IoFigure> {
    let (a, b) = (data.bounds?, redo.bounds?);
    Some(IoFigure {
        value: data.value + redo.value,
        bounds: Some(Interval { low: a.low + b.low, high: a.high + b.high }),
        account: format!("{} plus {}{WITHOUT_OTHERS}", data.account, redo.account),
        line: data.line,
    })
}

/// Mean over the events, weighted by waits; of one event as printed, whether its waits are or not.
fn mean(report: &Report, events: &[EventTotal], side: Side, names: &[&str]) -> Option<IoFigure> {
    // Reports that compare periods print no waits.
    let waited = |e: &EventTotal| e.waits.map_or(e.avg_us.is_some() && e.time_s > 0.0, |w| w > 0.0);
    let parts: Vec<&EventTotal> =
        events.iter().filter(|e| e.side == side && is_one_of(names, &e.event) && waited(e)).collect();
    let first = parts.first()?;
    let section = report.section_title(first.section);
    if let [only] = parts.as_slice() {
        return Some(IoFigure {
            value: only.avg_us?,
            bounds: only.avg_us_bounds,
            account: format!("{section}, {}", only.event),
            line: only.line,
        });
    }
    let waits = parts.iter().map(|e| e.waits).sum::<Option<f64>>()?;
    let time = parts.iter().fold((0.0, 0.0, 0.0), |(mid, low, high), e| {
        (mid + e.time_s, low + e.time_s_bounds.low, high + e.time_s_bounds.high)
    });
    let events: Vec<&str> = parts.iter().map(|e| e.event.as_str()).collect();
    Some(IoFigure {
        value: time.0 * 1e6 / waits,
        bounds: Some(Interval { low: time.1, high: time.2 }.scaled(1e6 / waits)),
        account: format!("{section}, {} weighted by waits", events.join(" and ")),
        line: first.line,
    })
}

/// Requests that are not multi-block, of all read requests.
fn small_reads(statistics: &Statistics<'_>, report: &Report) -> Option<IoFigure> {
    let total = statistics.total("physical read total IO requests").filter(|t| *t > 0.0)?;
    let multi = statistics.total("physical read total multi block requests")?;
    let stats = &report.tables.instance_stat;
    let row = stats.iter().find(|s| s.statistic.starts_with("physical read total multi block requests"))?;
    (multi <= total).then(|| IoFigure {
        value: 100.0 * (total - multi) / total,
        bounds: None,
        account: format!("{}, total requests less multi-block requests", report.section_title(row.section)),
        line: row.line,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::rules::testing::Hour;
    use crate::{Case, IoProfile, Options};

    fn profile(hour: &Hour) -> IoProfile {
        Case::new(&hour.report, &Options::default()).io
    }

    #[test]
    fn totals_of_all_processes_come_first() {
        let io = profile(
            &Hour::new(100.0)
                .stat("physical read total IO requests", 36_000.0)
                .stat("physical read total multi block requests", 9_000.0)
                .stat("physical read IO requests", 3_600.0)
                .stat("physical write total bytes", 3.6e9)
                .stat("redo writes", 7_200.0),
        );
        assert!((io.read_iops.unwrap().value - 10.0).abs() < 1e-9);
        assert!((io.redo_write_iops.unwrap().value - 2.0).abs() < 1e-9);
        assert!((io.write_mbps.unwrap().value - 1.0).abs() < 1e-9, "MB are 10^6 bytes");
        assert!((io.small_read_share_pct.unwrap().value - 75.0).abs() < 1e-9);
        assert_eq!(io.write_iops, None);
    }

    #[test]
    fn old_releases_fall_back_and_say_so() {
        let hour =
            Hour::new(100.0).stat("physical reads", 3_600_000.0).stat("redo writes", 3_600.0).with(|r| {
                r.identity.block_size_bytes = Some(8192);
                let row = spindle_facts::TablespaceIo {
                    reads: Some(360_000.0),
                    writes: Some(36_000.0),
                    ..spindle_facts::TablespaceIo::default()
                };
                r.tables.tablespace_io.push(row);
            });
        let io = profile(&hour);
        let (reads, writes, mbps) = (io.read_iops.unwrap(), io.write_iops.unwrap(), io.read_mbps.unwrap());
        assert!((reads.value - 100.0).abs() < 1e-9 && reads.account.ends_with("(data and temp files only)"));
        assert!((writes.value - 11.0).abs() < 1e-9 && writes.account.contains("plus"));
        assert!((mbps.value - 8.192).abs() < 1e-9);
    }

    /// "Read IO (MB)", "Write IO (MB)" and "Write IO requests" of the Load Profile were read, and the profile showed a dash.
    #[test]
    fn what_the_load_profile_prints_of_data_files_was_in_no_section() {
        let row = |known, per_second| spindle_facts::LoadProfileRow {
            line: 8,
            section: 0,
            instance_number: None,
            metric: "as printed".to_owned(),
            known: Some(known),
            per_second: Some(per_second),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.05,
            per_second_diff_pct: None,
        };
        use spindle_facts::Metric;
        let io = profile(&Hour::new(100.0).with(|r| {
            r.tables.load_profile =
                vec![row(Metric::WriteRequests, 458.0), row(Metric::ReadMb, 5.0), row(Metric::WriteMb, 5.3)];
        }));
        let (writes, read, written) = (io.write_iops.unwrap(), io.read_mbps.unwrap(), io.write_mbps.unwrap());
        assert!((writes.value - 458.0).abs() < 1e-9 && writes.is_of_data_files());
        assert!((read.value - 5.24288).abs() < 1e-9 && read.is_of_data_files(), "MB of the report are MiB");
        assert!((written.value - 5.557_452_8).abs() < 1e-6 && written.is_of_data_files());
    }

    #[test]
    fn redo_is_what_was_generated_and_wasted() {
        let hour = Hour::new(100.0).stat("redo size", 7.2e9);
        let figure = profile(&hour).redo_write_mbps.unwrap();
        assert!((figure.value - 2.0).abs() < 1e-9 && figure.account.ends_with("(without wastage)"));
        let figure = profile(&hour.stat("redo wastage", 3.6e9)).redo_write_mbps.unwrap();
        assert!((figure.value - 3.0).abs() < 1e-9 && figure.account.ends_with("and redo wastage"));
        assert_eq!(profile(&Hour::new(100.0)).redo_write_mbps, None);
    }

    #[test]
    fn parts_of_one_event_are_weighted_by_waits() {
        let io = profile(
            &Hour::new(1000.0).foreground("cell single block physical read", 1000.0, 10.0).foreground(
                "cell single block physical read: flash cache",
                9000.0,
                2.0,
            ),
        );
        assert!((io.single_block_read_us.unwrap().value - 1200.0).abs() < 1e-9);
    }

    /// AWR-miner prints the mean of an interval's reads, and the series showed a dash.
    #[test]
    fn the_read_latency_of_a_miner_file_was_unknown() {
        let of = |ms: f64| {
            let hour = Hour::new(100.0).with(|r| {
                r.identity.kind = spindle_facts::Kind::AwrMiner;
                r.tables.load_profile.push(spindle_facts::LoadProfileRow {
                    line: 12,
                    section: 0,
                    instance_number: Some(1),
                    metric: "s_blk_r_lat".to_owned(),
                    known: None,
                    per_second: Some(ms),
                    per_transaction: None,
                    per_exec: None,
                    per_call: None,
                    per_second_half_unit: 0.05,
                    per_second_diff_pct: None,
                });
            });
            profile(&hour).single_block_read_us
        };
        let figure = of(2.7).unwrap();
        assert!((figure.value - 2_700.0).abs() < 1e-9 && figure.line == 12);
        assert!(
            figure.bounds.is_some_and(|b| (b.low - 2_650.0).abs() < 1e-9 && (b.high - 2_750.0).abs() < 1e-9)
        );
        assert_eq!(of(0.0), None);
    }

    /// Three tablespaces with rates and mean reads, no header and no waits: "no section prints requests or latencies".
    #[test]
    fn tablespaces_alone_were_no_io() {
        let hour = Hour::new(100.0).with(|r| {
            r.identity.elapsed_s = None;
            for (reads, rate, ms, blocks) in
                [(9_000.0, 30.0, 200.0, 8.0), (1_000.0, 3.0, 100.0, 8.0), (6_000.0, 2.0, 6.0, 1.0)]
            {
                r.tables.tablespace_io.push(spindle_facts::TablespaceIo {
                    reads: Some(reads),
                    reads_per_s: Some(rate),
                    writes_per_s: Some(1.0),
                    avg_read_us: Some(1000.0 * ms),
                    blocks_per_read: Some(blocks),
                    ..spindle_facts::TablespaceIo::default()
                });
            }
        });
        let io = profile(&hour);
        let value = |figure: Option<crate::IoFigure>| figure.map(|f| f.value.round());
        assert_eq!((value(io.read_iops), value(io.write_iops)), (Some(35.0), Some(3.0)));
        assert_eq!(value(io.multi_block_read_us.clone()), Some(190_000.0));
        assert_eq!(value(io.single_block_read_us), Some(6_000.0));
        let waits = profile(&hour.foreground("db file scattered read", 100.0, 1.0));
        assert_eq!(value(waits.multi_block_read_us), Some(10_000.0), "what sessions waited comes first");
    }

    /// IOStat by Function alone: LGWR wrote 11.9 times and 1.66 MiB a second, and redo writes showed a dash.
    #[test]
    fn redo_that_only_the_log_writers_row_prints_was_none() {
        let hour = || {
            Hour::new(100.0).with(|r| {
                r.tables.io_function.push(spindle_facts::IoActivity {
                    line: 17,
                    function: Some("LGWR".to_owned()),
                    writes_per_s: Some(11.9),
                    write_bytes_per_s: Some(1_736_883.0),
                    avg_wait_us: Some(1_000.0),
                    ..spindle_facts::IoActivity::default()
                });
            })
        };
        let io = profile(&hour());
        let (requests, mbps) = (io.redo_write_iops.unwrap(), io.redo_write_mbps.unwrap());
        assert!((requests.value - 11.9).abs() < 1e-9 && requests.is_of_every_member(), "{requests:?}");
        assert!((mbps.value - 1.736_883).abs() < 1e-9 && mbps.is_of_every_member(), "{mbps:?}");
        assert_eq!((mbps.line, io.log_write_us), (17, None), "a wait of some function is no log write");
        let counted = profile(&hour().stat("redo writes", 36_000.0).stat("redo size", 3.6e9));
        assert!((counted.redo_write_iops.unwrap().value - 10.0).abs() < 1e-9, "counted once comes first");
        assert!(!counted.redo_write_mbps.unwrap().is_of_every_member());
    }

    /// Activity and I/O sections without the head: `redo writes` 38.4 a second, each counted once, beside the 1.09 MB/s of
    /// the log writer to both members of the log.
    #[test]
    fn redo_without_elapsed_time_was_that_of_every_log_member() {
        let hour = || {
            let hour = Hour::new(100.0).stat("redo writes", 138_240.0).with(|r| {
                r.identity.elapsed_s = None;
                r.tables.io_function.push(spindle_facts::IoActivity {
                    function: Some("LGWR".to_owned()),
                    writes_per_s: Some(78.94),
                    write_bytes_per_s: Some(1.04 * 1_048_576.0),
                    ..spindle_facts::IoActivity::default()
                });
            });
            hour.stat("redo size", 516_290.81 * 3_600.0).stat("redo wastage", 11_109.88 * 3_600.0)
        };
        let io = profile(&hour());
        let (writes, mbps) = (io.redo_write_iops.unwrap(), io.redo_write_mbps.unwrap());
        assert!((writes.value - 38.4).abs() < 1e-6, "{writes:?}");
        assert!((mbps.value - 0.5274).abs() < 1e-4 && !mbps.is_of_every_member(), "{mbps:?}");
        // Without them the line of the log writer is what it is, and says so.
        let alone = profile(&hour().with(|r| r.tables.instance_stat.truncate(1)));
        assert!(alone.redo_write_mbps.unwrap().is_of_every_member());
        assert!(!alone.redo_write_iops.unwrap().is_of_every_member());
    }

    /// `Redo (MB)` of the IO Profile, 7.0 a second to two members, stood for the redo size of 3.58 MB/s.
    #[test]
    fn redo_of_the_io_profile_was_counted_once() {
        let hour = Hour::new(100.0).with(|r| {
            r.tables.io_profile.push(spindle_facts::IoProfileRow {
                line: 8,
                section: 0,
                instance_number: None,
                metric: "Redo (MB)".to_owned(),
                read_write_per_s: Some(10.9),
                reads_per_s: Some(3.9),
                writes_per_s: Some(7.0),
            });
        });
        let figure = profile(&hour).redo_write_mbps.unwrap();
        assert!(figure.is_of_every_member(), "{figure:?}");
        let figure = profile(&hour.with(|r| r.identity.scope = spindle_facts::Scope::Database));
        assert!(!figure.redo_write_mbps.unwrap().is_of_every_member());
    }

    /// Files of which `Av Rd(ms)` is 0.00 for nearly all reads made multi-block reads of 0.0123 ms: 1 MB in 12 us.
    #[test]
    fn cells_rounded_to_nothing_made_a_mean() {
        let of = |rows: &[(f64, f64)]| {
            let hour = Hour::new(100.0).with(|r| {
                for (reads, ms) in rows {
                    r.tables.tablespace_io.push(spindle_facts::TablespaceIo {
                        reads: Some(*reads),
                        avg_read_us: Some(1000.0 * ms),
                        blocks_per_read: Some(8.0),
                        ..spindle_facts::TablespaceIo::default()
                    });
                }
            });
            profile(&hour).multi_block_read_us
        };
        assert_eq!(of(&[(7_870_583.0, 0.0), (478_612.0, 0.15), (273_354.0, 0.33)]), None);
        assert_eq!(of(&[(1e6, 0.0), (1e6, 20.0)]), None, "half of the reads lack their time");
        assert_eq!(of(&[(1e6, 0.1), (1e6, 0.2)]), None, "tenths hide a third of it");
        let mean = of(&[(1e6, 0.41), (1e6, 0.33), (10.0, 0.0)]).unwrap();
        assert!((mean.value - 370.0).abs() < 0.1 && mean.bounds.is_none() && mean.is_of_places(), "{mean:?}");
    }

    /// 694 of 37,829 reads, 3.0 blocks each, made the multi-block read 115,700 us, between 115,650 and 115,750; files
    /// of the same report print 202,900 for it.
    #[test]
    fn the_reads_of_one_small_tablespace_were_those_of_the_database() {
        let of = |small: (f64, f64)| {
            let hour = Hour::new(100.0).with(|r| {
                for (reads, ms, blocks) in [(37_134.0, 177.6, 1.2), (small.0, 115.7, small.1)] {
                    r.tables.tablespace_io.push(spindle_facts::TablespaceIo {
                        reads: Some(reads),
                        avg_read_us: Some(1000.0 * ms),
                        blocks_per_read: Some(blocks),
                        ..spindle_facts::TablespaceIo::default()
                    });
                }
            });
            let io = profile(&hour);
            assert!(
                io.single_block_read_us.unwrap().bounds.is_none(),
                "nothing bounds what else is among them"
            );
            io.multi_block_read_us.is_some()
        };
        assert!(!of((694.0, 3.0)) && !of((694.0, 12.0)) && !of((9_000.0, 3.0)));
        assert!(of((9_000.0, 12.0)));
    }

    /// A comparison of periods prints the mean of an event and no waits: the mean was left out.
    #[test]
    fn a_mean_without_waits_was_no_mean() {
        let without = |hour: Hour| {
            let hour = hour.with(|r| {
                for event in &mut r.tables.wait_event {
                    event.avg_wait_us = Some(1200.0);
                    event.waits = None;
                }
            });
            profile(&hour).single_block_read_us.map(|f| f.value)
        };
        let one = Hour::new(100.0).foreground("db file sequential read", 1000.0, 1.2);
        assert_eq!(without(one), Some(1200.0));
        let two = Hour::new(100.0).foreground("db file sequential read", 1000.0, 1.2).foreground(
            "cell single block physical read",
            1000.0,
            1.2,
        );
        assert_eq!(without(two), None, "what each weighs is not known");
    }
}
