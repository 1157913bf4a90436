//! Loads of a database in a scenario: scans, index reads, a database writer, a log, temp, and the mixes of them.

use super::keys::{DATABASE_WRITER, DSS, INDEX_READS, LOG, OLTP, SCAN, TEMP};
use crate::loads::{
    Area, Changes, ChangesSoFar, CommitBursts, CommitKind, Committers, DbWriter, Dss, Granules, IndexReads,
    LogWriter, Oltp, ParallelScan, Redo, SpillKind, TempSpill,
};
use crate::processes::Simulation;
use crate::{Device, Picoseconds};
use spindle_workload::form::{Section, Unit};
use spindle_workload::{Pattern, Region, Scan, read_pattern, read_region};

/// A load, whose places are known when its storage is built.
#[derive(Clone, Debug)]
pub(super) enum Database {
    Scan {
        table: u64,
        scan: Scan,
        extent: u64,
        granules: Granules,
        compute: Picoseconds,
    },
    IndexReads {
        index: Region,
        table: Region,
        rest: IndexReads,
    },
    Writer {
        region: Region,
        rest: DbWriter,
        changes: Changes,
    },
    Log {
        region: Region,
        members: u32,
        rest: LogWriter,
        committers: Option<Committers>,
        bursts: Option<CommitBursts>,
    },
    Temp {
        region: Region,
        rest: TempSpill,
    },
    Oltp {
        data: Region,
        log: Region,
        log_on: Option<String>,
        rest: Box<Oltp>,
    },
    Dss {
        tables: Region,
        temp: Region,
        rest: Dss,
    },
}

/// An hour, microseconds.
const HOUR_US: f64 = 3_600e6;
/// Extents of a scan, at most.
const MOST_EXTENTS: u64 = 1_000_000;
/// An area that is not known yet.
const NOWHERE: Area = Area { volume: 0, from: 0, bytes: u64::MAX / 2 };

fn time(s: &Section<'_>, key: &'static str) -> Picoseconds {
    let us = s.keep(s.number(key, Unit::Time, 0.0, HOUR_US));
    s.usual(key, "0 us", "the default: none");
    us.map_or(Picoseconds::ZERO, Picoseconds::from_us)
}

/// Where a default comes from.
const USUAL: &str = "estimate: the default";
/// Where a number comes from that no key sets.
const FIXED: &str = "estimate: no key sets it";

/// A value as it was read, or its default, which is told among the parameters.
fn or_usual<T: Copy + std::fmt::Display>(
    s: &Section<'_>,
    key: &'static str,
    read: Option<T>,
    usual: T,
    unit: &str,
) -> T {
    read.unwrap_or_else(|| {
        s.usual(key, &format!("{usual}{unit}"), USUAL);
        usual
    })
}

fn region(s: &Section<'_>, key: &'static str) -> Region {
    s.keep(read_region(s, key).map(Some)).unwrap_or_default()
}

fn count(s: &Section<'_>, key: &'static str, most: u32) -> Option<u32> {
    s.need(key, s.whole_within(key, 1, most), "and how many there are is not known")
}

fn redo(s: &Section<'_>) -> Option<Redo> {
    let bytes = s.need("redo", s.size("redo", 1, 64 << 20), "and what a commit writes is not known")?;
    let varies = or_usual(s, "varies", s.keep(s.flag("varies")), false, "");
    Some(Redo { bytes: u32::try_from(bytes).ok()?, varies })
}

fn percent(s: &Section<'_>, key: &'static str, usual: f64) -> f64 {
    or_usual(s, key, s.keep(s.number(key, Unit::Percent, 0.0, 100.0)), 100.0 * usual, " %") / 100.0
}

/// Reads a load of a kind; what is wrong is noted.
pub(super) fn read(kind: &str, section: &Section<'_>) -> Option<Database> {
    let table = match kind {
        "scan" => SCAN,
        "index_reads" => INDEX_READS,
        "database_writer" => DATABASE_WRITER,
        "log" => LOG,
        "temp" => TEMP,
        "oltp" => OLTP,
        _ => DSS,
    };
    let s = &section.keep(section.clone().read_as(table).map(Some))?;
    let (database, objection) = match kind {
        "scan" => scan(s)?,
        "index_reads" => index_reads(s)?,
        "database_writer" => database_writer(s)?,
        "log" => log(s)?,
        "temp" => temp(s)?,
        "oltp" => oltp(s)?,
        _ => dss(s)?,
    };
    if let Some(why) = objection {
        s.note(s.refuse(why));
        return None;
    }
    Some(database)
}

/// A load, and why it makes no sense.
type Read = Option<(Database, Option<String>)>;

fn scan(s: &Section<'_>) -> Read {
    let degree = count(s, "degree", 1_024);
    let table = s.need("table", s.size("table", 512, 1 << 50), "and how much is read is not known");
    let read = s.need("read", s.bytes("read"), "and what is read at once is not known");
    let granules = or_usual(s, "granules", s.keep(s.whole_within("granules", 1, 100_000)), 13, "");
    let under_way = or_usual(s, "under_way", s.keep(s.whole_within("under_way", 1, 64)), 1, "");
    let extent = s.keep(s.size("extent", 1 << 16, 1 << 50));
    let by_turns = or_usual(s, "by_turns", s.keep(s.flag("by_turns")), false, "");
    let compute = time(s, "compute");
    let (degree, table, read) = (degree?, table?, read?);
    // As many as each slave is to get, in whole reads.
    let granule = table / (u64::from(granules) * u64::from(degree));
    let granule_bytes = granule.div_ceil(u64::from(read)).max(1) * u64::from(read);
    let scan = Scan { degree, multiblock_bytes: read, granule_bytes, under_way };
    let granules = if by_turns { Granules::ByTurns } else { Granules::AsTheyCome };
    let extent = extent.unwrap_or(table);
    Some((Database::Scan { table, scan, extent, granules, compute }, scan.objection()))
}

fn index_reads(s: &Section<'_>) -> Read {
    let (index, table) = (region(s, "index"), region(s, "table"));
    let block = s.need("block", s.bytes("block"), "and what is read at once is not known");
    let fan_out =
        s.need("fan_out", s.whole_within("fan_out", 2, 65_536), "and how high the tree is is not known");
    let cached =
        s.need("cached_levels", s.whole_within("cached_levels", 0, 32), "and what is in memory is not known");
    let blocks = s.number("table_blocks", Unit::Plain, 0.0, 1e6);
    let blocks = s.need("table_blocks", blocks, "and what a look-up reads is not known");
    let sessions = count(s, "sessions", 65_536);
    let look_ups = s.keep(s.whole("count"));
    let rest = IndexReads {
        index: NOWHERE,
        table: NOWHERE,
        block_bytes: block?,
        fan_out: fan_out?,
        cached_levels: cached?,
        leaves: Pattern::Random,
        table_blocks: blocks?,
        sessions: sessions?,
        look_ups,
        think: time(s, "think"),
        compute: time(s, "compute"),
    };
    Some((Database::IndexReads { index, table, rest }, None))
}

/// Changed blocks that memory holds, where nobody says.
const USUAL_DIRTY: u32 = 65_536;
/// Time-out of the database writer, microseconds.
const USUAL_LOOK_US: f64 = 3e6;

fn database_writer(s: &Section<'_>) -> Read {
    const MOST: u32 = 1 << 24;
    let region = region(s, "region");
    let block = s.need("block", s.bytes("block"), "and what is written at once is not known");
    let per_s = s.number("changes", Unit::Rate, 1e-6, 1e9);
    let per_s = s.need("changes", per_s, "and how much there is to write is not known");
    let blocks = s.keep(read_pattern(s).map(Some));
    let changes = s.keep(s.whole("count"));
    let most_dirty =
        or_usual(s, "most_dirty", s.keep(s.whole_within("most_dirty", 1, MOST)), USUAL_DIRTY, "");
    let begin_at = s.keep(s.whole_within("begin_at", 1, MOST));
    let begin_at = or_usual(s, "begin_at", begin_at, (most_dirty / 4).max(1), "");
    let batch = or_usual(s, "batch", s.keep(s.whole_within("batch", 1, MOST)), 256, "");
    let under_way = or_usual(s, "under_way", s.keep(s.whole_within("under_way", 1, 65_536)), 64, "");
    let later = |key: &'static str| s.keep(s.number(key, Unit::Time, 1.0, HOUR_US)).map(Picoseconds::from_us);
    let (every, oldest, checkpoint_every) = (later("every"), later("oldest"), later("checkpoint_every"));
    // Who says how long a block waits does not want all written at every look.
    let says = oldest.is_some() || checkpoint_every.is_some();
    let every = every.or_else(|| {
        (!says).then(|| {
            s.usual("every", "3 s", "the default: the time-out of the database writer");
            Picoseconds::from_us(USUAL_LOOK_US)
        })
    });
    let by_address = or_usual(s, "by_address", s.keep(s.flag("by_address")), false, "");
    let rest = DbWriter {
        area: NOWHERE,
        block_bytes: block?,
        batch,
        under_way,
        begin_at: u64::from(begin_at),
        every,
        most_dirty: u64::from(most_dirty),
        oldest,
        checkpoint_every,
        by_address,
    };
    let changes = Changes { per_s: per_s?, blocks: blocks?, count: changes };
    let objection = rest.objection().or_else(|| changes.objection());
    Some((Database::Writer { region, rest, changes }, objection))
}

fn log(s: &Section<'_>) -> Read {
    let region = region(s, "region");
    let members = or_usual(s, "members", s.keep(s.whole_within("members", 1, 16)), 1, "");
    let files = or_usual(s, "files", s.keep(s.whole_within("files", 1, 1_000)), 2, "");
    let block = or_usual(s, "log_block", s.keep(s.size("log_block", 512, 64 << 10)), 512, " bytes");
    let most = or_usual(s, "most_write", s.keep(s.bytes("most_write")), 1 << 20, " bytes");
    let (switch, compute) = (time(s, "switch"), time(s, "compute"));
    let committers = s.keep(s.whole_within("committers", 1, 65_536));
    let per_s = s.keep(s.number("rate", Unit::Rate, 1e-6, 1e9));
    let burst = s.keep(s.whole_within("burst", 1, 65_536)).unwrap_or(1);
    let unlisted = |key| s.keep(s.number(key, Unit::Time, 0.0, HOUR_US)).map(Picoseconds::from_us);
    let (apart, think) = (unlisted("apart").unwrap_or_default(), unlisted("think").unwrap_or_default());
    if per_s.is_some() {
        s.usual("burst", "1", USUAL);
    } else {
        s.usual("think", "0 us", "the default: none");
    }
    let redo = redo(s)?;
    if committers.is_some() == per_s.is_some() {
        s.note(s.refuse(
            "a log has either `committers`, who wait and commit again, or a `rate` of commits".to_owned(),
        ));
        return None;
    }
    let rest = LogWriter {
        members: vec![NOWHERE],
        files,
        block_bytes: u32::try_from(block).ok()?,
        most_write_bytes: most,
        compute,
        switch,
    };
    let committers = committers.map(|committers| Committers { committers, think, redo, commits: None });
    let bursts =
        per_s.map(|per_s| CommitBursts { per_s, commits: burst, apart, redo, kind: CommitKind::Untold });
    Some((Database::Log { region, members, rest, committers, bursts }, None))
}

fn temp(s: &Section<'_>) -> Read {
    let region = region(s, "region");
    let bytes = s.need("bytes", s.size("bytes", 1 << 20, 1 << 50), "and how much spills is not known");
    let spill = s.need("spill", s.word("spill", &["sort", "hash"]), "and what spills is not known");
    let memory = s.size("memory", 1 << 16, 1 << 50);
    let width = s.whole_within("width", 2, 65_536);
    let partitions = s.whole_within("partitions", 1, 65_536);
    let io = s.need("io", s.bytes("io"), "and what is written at once is not known");
    let under_way = or_usual(s, "under_way", s.keep(s.whole_within("under_way", 1, 65_536)), 1, "");
    let kind = match spill? {
        "sort" => SpillKind::Sort {
            run_bytes: s.need("memory", memory, "and how long runs are is not known")?,
            width: s.need("width", width, "and how many runs are merged is not known")?,
        },
        _ => SpillKind::Hash {
            partitions: s.need("partitions", partitions, "and where rows go is not known")?,
        },
    };
    let rest = TempSpill {
        area: NOWHERE,
        bytes: bytes?,
        kind,
        io_bytes: io?,
        under_way,
        compute: time(s, "compute"),
    };
    Some((Database::Temp { region, rest }, None))
}

fn oltp(s: &Section<'_>) -> Read {
    let (data, log) = (region(s, "data"), region(s, "log"));
    let log_on = s.keep(s.text("log_on"));
    let sessions = count(s, "sessions", 65_536)?;
    let mut rest = Oltp::tpc_c_like(NOWHERE, vec![NOWHERE], sessions);
    rest.transactions = s.keep(s.whole("count"));
    rest.reads = or_usual(s, "reads", s.keep(s.number("reads", Unit::Plain, 0.0, 1e6)), rest.reads, "");
    rest.changes =
        or_usual(s, "changes", s.keep(s.number("changes", Unit::Plain, 0.0, 1e6)), rest.changes, "");
    let redo = s.keep(s.size("redo", 1, 64 << 20));
    rest.redo.bytes =
        u32::try_from(or_usual(s, "redo", redo, u64::from(rest.redo.bytes), " bytes on average")).ok()?;
    rest.compute = time(s, "compute");
    rest.think = time(s, "think");
    let (writer, log_writer) = (&rest.db_writer, &rest.log_writer);
    for (called, value) in [
        ("blocks, size", format!("{} bytes", writer.block_bytes)),
        ("blocks, places", "at random".to_owned()),
        ("database writer, begin_at", writer.begin_at.to_string()),
        ("database writer, every", format!("{} s", writer.every.unwrap_or_default().as_s())),
        ("database writer, most_dirty", writer.most_dirty.to_string()),
        ("database writer, batch", writer.batch.to_string()),
        ("database writer, under_way", writer.under_way.to_string()),
        ("log writer, members", "1".to_owned()),
        ("log writer, files", log_writer.files.to_string()),
        ("log writer, log_block", format!("{} bytes", log_writer.block_bytes)),
        ("log writer, most_write", format!("{} bytes", log_writer.most_write_bytes)),
    ] {
        s.taken(called, &value, FIXED);
    }
    Some((Database::Oltp { data, log, log_on, rest: Box::new(rest) }, None))
}

fn dss(s: &Section<'_>) -> Read {
    let (tables, temp) = (region(s, "tables"), region(s, "temp"));
    let streams = count(s, "streams", 65_536)?;
    let mut rest = Dss::tpc_h_like(NOWHERE, NOWHERE, streams);
    rest.queries = or_usual(s, "queries", s.keep(s.whole_within("queries", 1, 1_000_000)), rest.queries, "");
    rest.scan_share = percent(s, "scan", rest.scan_share);
    rest.spills = percent(s, "spills", rest.spills);
    rest.under_way =
        or_usual(s, "under_way", s.keep(s.whole_within("under_way", 1, 65_536)), rest.under_way, "");
    let memory = s.keep(s.size("memory", 1 << 16, 1 << 50));
    rest.memory_bytes = or_usual(s, "memory", memory, rest.memory_bytes, " bytes");
    rest.compute = time(s, "compute");
    for (called, value) in [
        ("read of a scan", format!("{} bytes", rest.multiblock_bytes)),
        ("spilt of what is scanned", format!("{} %", 100.0 * rest.spill_share)),
        ("request to temp", format!("{} bytes", rest.temp_bytes)),
        ("look-ups of a query", rest.look_ups.to_string()),
        ("read of a look-up", format!("{} bytes", rest.block_bytes)),
    ] {
        s.taken(called, &value, FIXED);
    }
    Some((Database::Dss { tables, temp, rest }, None))
}

/// A volume by its name: number and bytes.
pub(super) type Volumes<'a> = dyn Fn(&str) -> Option<(usize, u64)> + 'a;

impl Database {
    /// Storage that it asks, beside what every load asks.
    pub(super) fn also_on(&self) -> Option<&str> {
        match self {
            Self::Oltp { log_on, .. } => log_on.as_deref(),
            _ => None,
        }
    }

    /// Of several streams, the one that its sessions wait for.
    pub(super) fn main_stream(&self) -> Option<&'static str> {
        Some(match self {
            Self::Scan { .. } => return None,
            Self::IndexReads { .. } => "look-up",
            Self::Writer { .. } | Self::Temp { .. } => "writes",
            Self::Log { .. } => "log file sync",
            Self::Oltp { .. } => "transactions",
            Self::Dss { .. } => "queries",
        })
    }

    /// It writes.
    pub(super) fn writes(&self) -> bool {
        !matches!(self, Self::Scan { .. } | Self::IndexReads { .. })
    }

    /// It is a log alone.
    pub(super) fn is_log(&self) -> bool {
        matches!(self, Self::Log { .. })
    }

    /// Does it come to an end by itself?
    pub(super) fn ends(&self) -> bool {
        match self {
            Self::Scan { .. } | Self::Temp { .. } | Self::Dss { .. } => true,
            Self::IndexReads { rest, .. } => rest.look_ups.is_some(),
            Self::Oltp { rest, .. } => rest.transactions.is_some(),
            Self::Writer { changes, .. } => changes.count.is_some(),
            Self::Log { .. } => false,
        }
    }

    /// Adds it to a simulation; of changes at a rate, how far they come is seen there.
    pub(super) fn add(
        &self,
        simulation: &mut Simulation<Box<dyn Device>>,
        name: &str,
        on: &str,
        volumes: &Volumes<'_>,
        seed: u64,
    ) -> Result<Option<(f64, ChangesSoFar)>, String> {
        let area = |on: &str, region: &Region, block: u64| -> Result<Area, String> {
            let (volume, bytes) = volumes(on).ok_or_else(|| format!("there is no storage `{on}`"))?;
            let range = region.on(bytes, block)?;
            Ok(Area { volume, from: range.start, bytes: range.end - range.start })
        };
        let added = match self {
            Self::Scan { table, scan, extent, granules, compute } => {
                let (volume, bytes) = volumes(on).ok_or_else(|| format!("there is no storage `{on}`"))?;
                if *table > bytes {
                    return Err(format!("its table of {table} bytes is larger than `{on}` with {bytes}"));
                }
                let extents = cut(Area { volume, from: 0, bytes: *table }, *extent)?;
                let scan = ParallelScan { scan: *scan, extents, granules: *granules, compute: *compute };
                scan.add(simulation, name).map(|_| ())
            }
            Self::IndexReads { index, table, rest } => {
                let block = u64::from(rest.block_bytes);
                let rest =
                    IndexReads { index: area(on, index, block)?, table: area(on, table, block)?, ..*rest };
                rest.add(simulation, name, seed)
            }
            Self::Writer { region, rest, changes } => {
                let rest = DbWriter { area: area(on, region, u64::from(rest.block_bytes))?, ..*rest };
                let writer =
                    rest.add(simulation, &format!("{name}, writes")).map_err(|why| why.to_string())?;
                let so_far = changes.add(simulation, (writer, rest), seed).map_err(|why| why.to_string())?;
                return Ok(Some((changes.per_s, so_far)));
            }
            Self::Log { region, members, rest, committers, bursts } => {
                let whole = area(on, region, u64::from(rest.block_bytes))?;
                let each = whole.bytes / u64::from(*members) / u64::from(rest.block_bytes)
                    * u64::from(rest.block_bytes);
                let members = (0..u64::from(*members))
                    .map(|n| Area { from: whole.from + n * each, bytes: each, ..whole })
                    .collect();
                let rest = LogWriter { members, ..rest.clone() };
                let writer = rest.add(simulation).map_err(|why| why.to_string())?;
                match (committers, bursts) {
                    (Some(committers), _) => committers.add(simulation, writer, seed),
                    (None, Some(bursts)) => bursts.add(simulation, writer, seed),
                    (None, None) => Ok(()),
                }
            }
            Self::Temp { region, rest } => {
                let rest = TempSpill { area: area(on, region, u64::from(rest.io_bytes))?, ..*rest };
                rest.add(simulation, name).map(|_| ())
            }
            Self::Oltp { data, log, log_on, rest } => {
                let mut rest = (**rest).clone();
                rest.db_writer.area = area(on, data, u64::from(rest.db_writer.block_bytes))?;
                let log = area(log_on.as_deref().unwrap_or(on), log, u64::from(rest.log_writer.block_bytes))?;
                rest.log_writer.members = vec![log];
                rest.add(simulation, name, seed)
            }
            Self::Dss { tables, temp, rest } => {
                let tables = area(on, tables, u64::from(rest.multiblock_bytes))?;
                let temp = area(on, temp, u64::from(rest.temp_bytes))?;
                Dss { tables, temp, ..*rest }.add(simulation, name, seed)
            }
        };
        added.map(|()| None).map_err(|why| why.to_string())
    }
}

/// An area in extents.
fn cut(whole: Area, extent: u64) -> Result<Vec<Area>, String> {
    let count = whole.bytes.div_ceil(extent.max(1));
    if count > MOST_EXTENTS {
        return Err(format!("{count} extents are more than {MOST_EXTENTS}; make them larger (`extent`)"));
    }
    let one =
        |n: u64| Area { from: whole.from + n * extent, bytes: extent.min(whole.bytes - n * extent), ..whole };
    Ok((0..count).map(one).collect())
}
