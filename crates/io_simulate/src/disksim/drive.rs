//! A measured drive from DiskSim's files: layout and mechanics (`dm_disk`), controller (`disksim_disk`), seek
//! curve.
//!
//! Every key of the format is known; keys that change nothing in this model are read past, and values that
//! would change something that is not modelled are refused or noted by name. Times are ms, sizes blocks of 512 bytes.
//!
//! Source: the DiskSim 4.0 manual (CMU-PDL-08-101) and its parameter files.

use super::syntax::{Block, FileFault, Value, blocks};
use crate::devices::hard_disk::{
    After, ArmSpec, BusSpec, CacheSpec, DiskFault, HardDiskSpec, HeadOrder, LayoutSpec, OverheadSpec,
    ReadAhead, SeekCurve, ServiceOrder, Skew, Sparing, ZoneSpec,
};
use crate::{HardDisk, Picoseconds};

/// Times of a block on the bus between disk and host, which stand in neither file; the slower of these and of
/// the drive's own bus counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BusTimes {
    /// Milliseconds a block to the host.
    pub read_ms: f64,
    /// Milliseconds a block from the host.
    pub write_ms: f64,
}

/// A drive that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredDrive {
    /// As its file names it.
    pub name: String,
    /// What makes it.
    pub spec: HardDiskSpec,
    /// The file gives the drive's own bus a time.
    pub bus_time_given: bool,
    /// What its files ask for and the model does not do, a sentence each.
    pub notes: Vec<String>,
}

/// Gives the text of another file by the name under which a file names it.
pub type Open<'a> = &'a dyn Fn(&str) -> Option<Opened>;

/// A file that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// What it is called where it was found, which may be another name than the one that was asked for.
    pub file: String,
    /// What stands in it.
    pub text: String,
}

const DISK_KEYS: &[&str] = &[
    "Model",
    "Scheduler",
    "Max queue length",
    "Bulk sector transfer time",
    "Segment size (in blks)",
    "Number of buffer segments",
    "Print stats",
    "Per-request overhead time",
    "Time scale for overheads",
    "Hold bus entire read xfer",
    "Hold bus entire write xfer",
    "Allow almost read hits",
    "Allow sneaky full read hits",
    "Allow sneaky partial read hits",
    "Allow sneaky intermediate read hits",
    "Allow read hits on write data",
    "Allow write prebuffering",
    "Preseeking level",
    "Never disconnect",
    "Avg sectors per cylinder",
    "Maximum number of write segments",
    "Use separate write segment",
    "Low (write) water mark",
    "High (read) water mark",
    "Set watermark by reqsize",
    "Calc sector by sector",
    "Enable caching in buffer",
    "Buffer continuous read",
    "Minimum read-ahead (blks)",
    "Maximum read-ahead (blks)",
    "Read-ahead over requested",
    "Read-ahead on idle hit",
    "Read any free blocks",
    "Fast write level",
    "Immediate buffer read",
    "Immediate buffer write",
    "Combine seq writes",
    "Stop prefetch in sector",
    "Disconnect write if seek",
    "Write hit stop prefetch",
    "Read directly to buffer",
    "Immed transfer partial hit",
    "Read hit over. after read",
    "Read hit over. after write",
    "Read miss over. after read",
    "Read miss over. after write",
    "Write hit over. after read",
    "Write hit over. after write",
    "Write miss over. after read",
    "Write miss over. after write",
    "Read completion overhead",
    "Write completion overhead",
    "Data preparation overhead",
    "First reselect overhead",
    "Other reselect overhead",
    "Read disconnect afterread",
    "Read disconnect afterwrite",
    "Write disconnect overhead",
    "Extra write disconnect",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Extradisc 2nd disconnect overhead",
    "Extradisc seek delta",
    "Minimum seek delay",
];

const MODEL_KEYS: &[&str] =
    &["Number of data surfaces", "Number of cylinders", "Block count", "Layout Model", "Mechanical Model"];

const LAYOUT_KEYS: &[&str] =
    &["LBN-to-PBN mapping scheme", "Sparing scheme used", "Rangesize for sparing", "Skew units", "Zones"];

const ZONE_KEYS: &[&str] = &[
    "First cylinder number",
    "Last cylinder number",
    "Blocks per track",
    "Offset of first block",
    "Skew units",
    "Empty space at zone front",
    "Skew for track switch",
    "Skew for cylinder switch",
    "Number of spares",
    "slips",
    "defects",
];

const MECHANICS_KEYS: &[&str] = &[
    "Access time type",
    "Constant access time",
    "Seek type",
    "Average seek time",
    "Constant seek time",
    "Single cylinder seek time",
    "Full strobe seek time",
    "Full seek curve",
    "Add. write settling delay",
    "Head switch time",
    "Rotation speed (in rpms)",
    "Percent error in rpms",
    "First ten seek times",
    "HPL seek equation values",
];

/// Blocks of 512 bytes on a track: ten times what the densest disks have.
const MOST_BLOCKS_OF_TRACK: u64 = 50_000;

/// Reads a drive: the file with its `disksim_disk` block, and those that it names.
///
/// # Errors
/// With file, line and key, where one cannot be read or asks for what is not modelled.
pub fn read_drive(file: &str, text: &str, open: Open<'_>, bus: BusTimes) -> Result<MeasuredDrive, FileFault> {
    let all = blocks(file, text)?;
    let Some(disk) = all.iter().find(|b| b.kind == "disksim_disk") else {
        let what = "it holds no `disksim_disk NAME {`".to_owned();
        return Err(FileFault { file: file.to_owned(), line: None, what });
    };
    disk.known(DISK_KEYS)?;
    let model = model(disk, &all, open)?;
    model.known(MODEL_KEYS)?;
    let layout_item = model.need("Layout Model")?;
    let layout = layout(&model, model.child("Layout Model", layout_item)?)?;
    let mechanics = model.child("Mechanical Model", model.need("Mechanical Model")?)?;
    let (turn, arm) = mechanics_of(mechanics, &layout, open)?;
    let bulk = disk.amount("Bulk sector transfer time")?;
    let spec = HardDiskSpec {
        block_bytes: 512,
        turn,
        layout,
        arm,
        cache: cache(disk)?,
        bus: BusSpec {
            read_block: ms(bulk.max(bus.read_ms)),
            write_block: ms(bulk.max(bus.write_ms)),
            never_disconnects: disk.flag("Never disconnect")?,
            held_by_reads: disk.flag("Hold bus entire read xfer")?,
            read_water_mark: disk.amount("High (read) water mark")?,
            water_mark_of_request: disk.flag("Set watermark by reqsize")?,
            write_waits_for_ten: disk.flag("Extra write disconnect")?,
        },
        overheads: overheads(disk)?,
        order: order(disk)?,
        queue_depth: usize::try_from(disk.whole("Max queue length")?.max(1)).unwrap_or(usize::MAX),
    };
    let mut notes = Vec::new();
    for (key, only) in [
        ("Allow sneaky full read hits", 0),
        ("Allow sneaky partial read hits", 0),
        ("Allow sneaky intermediate read hits", 0),
        ("Allow write prebuffering", 0),
        ("Preseeking level", 0),
        ("Disconnect write if seek", 0),
        ("Minimum read-ahead (blks)", 0),
        ("Immed transfer partial hit", 1),
    ] {
        // What is not said is as the model has it.
        if let Some(item) = disk.find(key)
            && disk.whole(key)? != only
        {
            let what = format!("`{key}` is modelled as {only}");
            notes.push(disk.fault(Some(item.line), what).to_string());
        }
    }
    let moved: usize = moved_blocks(&model)?;
    if moved > 0 {
        notes.push(format!(
            "`{}`: {moved} blocks that `defects` move elsewhere are taken where they were",
            model.file
        ));
    }
    // What no disk can be is a fault of the files, too.
    HardDisk::new(&spec).map_err(|DiskFault(why)| disk.fault(None, why))?;
    Ok(MeasuredDrive { name: disk.name.clone(), spec, bus_time_given: bulk > 0.0, notes })
}

/// Milliseconds, to the picosecond.
fn ms(ms: f64) -> Picoseconds {
    Picoseconds::from_us(ms * 1e3)
}

/// The `dm_disk` block: in place, in a file of its own, or named and before the disk in the same file.
fn model(disk: &Block, all: &[Block], open: Open<'_>) -> Result<Block, FileFault> {
    let item = disk.need("Model")?;
    match &item.value {
        Value::Block(block) => Ok(block.clone()),
        Value::Source(file) => {
            let no = |what: String| disk.fault(Some(item.line), what);
            let opened =
                open(file).ok_or_else(|| no(format!("`Model` stands in `{file}`, which is not there")))?;
            let found = blocks(&opened.file, &opened.text)?.into_iter().find(|b| b.kind == "dm_disk");
            found.ok_or_else(|| no(format!("`Model` stands in `{file}`, which holds no `dm_disk NAME {{`")))
        }
        Value::Word(name) => {
            let found = all.iter().find(|b| b.kind == "dm_disk" && b.name == *name).cloned();
            found.ok_or_else(|| {
                disk.fault(
                    Some(item.line),
                    format!("`Model` is `{name}`, which is no `dm_disk` of this file"),
                )
            })
        }
        Value::List(_) => {
            Err(disk.fault(Some(item.line), "`Model` is a list; it should be a block".to_owned()))
        }
    }
}

fn layout(model: &Block, block: &Block) -> Result<LayoutSpec, FileFault> {
    let line = Some(block.line);
    if block.kind != "dm_layout_g1" {
        let what = format!("the layout `{}` is not modelled; `dm_layout_g1` is", block.kind);
        return Err(block.fault(line, what));
    }
    block.known(LAYOUT_KEYS)?;
    let line_of = |key: &str| block.find(key).map(|item| item.line);
    let heads = match block.whole("LBN-to-PBN mapping scheme")? {
        0 => HeadOrder::Ascending,
        1 => HeadOrder::TurnsInZone,
        2 => HeadOrder::TurnsOnOdd,
        other => {
            let what = format!("`LBN-to-PBN mapping scheme` is {other}; 0, 1 and 2 are modelled");
            return Err(block.fault(line_of("LBN-to-PBN mapping scheme"), what));
        }
    };
    let each_cylinder = |at_front, slip_on| Sparing::EachCylinder { at_front, slip_on };
    let sparing = match block.whole("Sparing scheme used")? {
        0 => Sparing::None,
        1 => Sparing::Tracks,
        2 => each_cylinder(false, false),
        3 => Sparing::EachTrack,
        4 => each_cylinder(false, true),
        5 => each_cylinder(true, false),
        6 => each_cylinder(true, true),
        7 => Sparing::ZoneSlips,
        8 => Sparing::EachRange { cylinders: block.whole("Rangesize for sparing")? },
        9 => Sparing::EachZone { slip_on: false },
        10 => Sparing::EachZone { slip_on: true },
        other => {
            let what = format!("`Sparing scheme used` is {other}; 0 to 10 are modelled");
            return Err(block.fault(line_of("Sparing scheme used"), what));
        }
    };
    let turns = in_turns(block)?.unwrap_or(false);
    // Zones alone say where blocks lie; the number is held against them where it stands.
    let cylinders = match model.find("Number of cylinders") {
        Some(_) => Some(model.whole("Number of cylinders")?),
        None => None,
    };
    let mut zones: Vec<ZoneSpec> = Vec::new();
    for item in block.list("Zones")? {
        let here = block.child("Zones", item)?;
        let zone = zone(here, turns)?;
        let (first, last) = (zone.first_cylinder, zone.last_cylinder);
        let fault = |key: &str, what: String| Err(here.fault(here.find(key).map(|item| item.line), what));
        // A file of a measured drive counts its last cylinder from 1.
        if let Some(cylinders) = cylinders.filter(|cylinders| last > *cylinders) {
            return fault(
                "Last cylinder number",
                format!("`Last cylinder number` is {last}, and the drive has {cylinders} cylinders"),
            );
        }
        if let Some(other) = zones.iter().find(|z| first <= z.last_cylinder && z.first_cylinder <= last) {
            return fault(
                "First cylinder number",
                format!(
                    "the zone of cylinders {first} to {last} lies over that of {} to {}",
                    other.first_cylinder, other.last_cylinder
                ),
            );
        }
        if !(1..=MOST_BLOCKS_OF_TRACK).contains(&zone.sectors_per_track) {
            return fault(
                "Blocks per track",
                format!(
                    "`Blocks per track` is {}; it should be 1 to {MOST_BLOCKS_OF_TRACK}",
                    zone.sectors_per_track
                ),
            );
        }
        zones.push(zone);
    }
    Ok(LayoutSpec { surfaces: model.whole("Number of data surfaces")?, sparing, heads, zones })
}

/// Skews are in turns instead of sectors; `None` where the block does not say.
fn in_turns(block: &Block) -> Result<Option<bool>, FileFault> {
    if block.find("Skew units").is_none() {
        return Ok(None);
    }
    match block.word("Skew units")? {
        ("sectors", _) => Ok(Some(false)),
        ("revolutions", _) => Ok(Some(true)),
        (other, line) => {
            let what = format!("`Skew units` is `{other}`; `sectors` and `revolutions` are modelled");
            Err(block.fault(Some(line), what))
        }
    }
}

fn zone(block: &Block, turns: bool) -> Result<ZoneSpec, FileFault> {
    block.known(ZONE_KEYS)?;
    let turns = in_turns(block)?.unwrap_or(turns);
    let skew = |key: &str| -> Result<Skew, FileFault> {
        if block.find(key).is_none() {
            return Ok(Skew::Sectors(0));
        }
        let amount = block.amount(key)?;
        // Sectors are cut to whole ones.
        Ok(if turns { Skew::Turns(amount) } else { Skew::Sectors(amount as u64) })
    };
    Ok(ZoneSpec {
        first_cylinder: block.whole("First cylinder number")?,
        last_cylinder: block.whole("Last cylinder number")?,
        sectors_per_track: block.whole("Blocks per track")?,
        offset: skew("Offset of first block")?,
        unused_blocks: block.whole("Empty space at zone front")?,
        track_skew: skew("Skew for track switch")?,
        cylinder_skew: skew("Skew for cylinder switch")?,
        spares: block.whole("Number of spares")?,
        slips: if block.find("slips").is_some() { block.wholes("slips")? } else { Vec::new() },
    })
}

/// Blocks that defects move elsewhere; one that is moved to where it is stays there.
fn moved_blocks(model: &Block) -> Result<usize, FileFault> {
    let layout = model.child("Layout Model", model.need("Layout Model")?)?;
    let mut moved = 0;
    for item in layout.list("Zones")? {
        let zone = layout.child("Zones", item)?;
        let pairs = if zone.find("defects").is_some() { zone.wholes("defects")? } else { Vec::new() };
        moved += pairs.chunks(2).filter(|pair| pair.first() != pair.last()).count();
    }
    Ok(moved)
}

fn mechanics_of(
    block: &Block,
    layout: &LayoutSpec,
    open: Open<'_>,
) -> Result<(Picoseconds, ArmSpec), FileFault> {
    if block.kind != "dm_mech_g1" {
        let what = format!("the mechanics `{}` are not modelled; `dm_mech_g1` are", block.kind);
        return Err(block.fault(None, what));
    }
    block.known(MECHANICS_KEYS)?;
    let (access, line) = block.word("Access time type")?;
    if access != "trackSwitchPlusRotation" {
        let what = format!("`Access time type` is `{access}`; `trackSwitchPlusRotation` is modelled");
        return Err(block.fault(Some(line), what));
    }
    let rpm = block.amount("Rotation speed (in rpms)")?;
    if !(60.0..=600_000.0).contains(&rpm) {
        let what = format!("`Rotation speed (in rpms)` is {rpm}; it should be 60 to 600000");
        return Err(block.fault(block.find("Rotation speed (in rpms)").map(|item| item.line), what));
    }
    let cylinders = layout.zones.iter().map(|z| z.last_cylinder.saturating_add(1)).max().unwrap_or(1);
    let settle = block.number("Add. write settling delay")?;
    // What was measured may be below 0: writes of some drives settle sooner than reads.
    if !(-5.0..=100.0).contains(&settle) {
        let what = format!("`Add. write settling delay` is {settle}; it should be -5 to 100 ms");
        return Err(block.fault(block.find("Add. write settling delay").map(|item| item.line), what));
    }
    let arm = ArmSpec {
        curve: curve(block, cylinders, open)?,
        head_switch: ms(block.amount("Head switch time")?),
        write_settle_ps: (settle * 1e9).round() as i64,
    };
    Ok((Picoseconds::from_us(60e6 / rpm), arm))
}

fn curve(block: &Block, cylinders: u64, open: Open<'_>) -> Result<SeekCurve, FileFault> {
    let (kind, line) = block.word("Seek type")?;
    let no = |what: String| block.fault(Some(line), what);
    let from_fault = |DiskFault(why): DiskFault| no(why);
    let mut points = Vec::new();
    match kind {
        "extracted" => {
            let (file, line) = block.word("Full seek curve")?;
            let Some(opened) = open(file) else {
                let what = format!("`Full seek curve` stands in `{file}`, which is not there");
                return Err(block.fault(Some(line), what));
            };
            return read_seek_curve(&opened.file, &opened.text);
        }
        "constant" => {
            return SeekCurve::constant(ms(block.amount("Constant seek time")?)).map_err(from_fault);
        }
        "linear" => {
            // Three points: one cylinder, a third of the way, all of it.
            points.push((1, block.amount("Single cylinder seek time")?));
            if cylinders > 6 {
                points.push((cylinders / 3, block.amount("Average seek time")?));
            }
            points.push((cylinders.max(2), block.amount("Full strobe seek time")?));
        }
        "hpl" | "hplplus10" => {
            let v = block.numbers("HPL seek equation values")?;
            let [division, root_base, root, line_base, slope, one] = v[..] else {
                return Err(no(format!("`HPL seek equation values` are {}; they should be 6", v.len())));
            };
            let short = match kind {
                "hplplus10" => block.numbers("First ten seek times")?,
                _ if one >= 0.0 => vec![one],
                _ => Vec::new(),
            };
            if kind == "hplplus10" && short.len() != 10 {
                return Err(no(format!("`First ten seek times` are {}; they should be 10", short.len())));
            }
            // Up to where the line begins each distance is a point; a line needs two.
            let division = division.clamp(0.0, cylinders as f64).ceil() as u64;
            for d in 1..=division.max(short.len() as u64 + 1) + 1 {
                let time = match short.get(usize::try_from(d - 1).unwrap_or(usize::MAX)) {
                    Some(time) => *time,
                    None if d < division => root_base + root * libm::sqrt(d as f64),
                    None => line_base + slope * d as f64,
                };
                points.push((d, time));
            }
        }
        other => {
            let what = format!(
                "`Seek type` is `{other}`; `extracted`, `hplplus10`, `hpl`, `linear` and `constant` are modelled"
            );
            return Err(no(what));
        }
    }
    let points = points.into_iter().map(|(d, time)| (d, ms(time))).collect();
    SeekCurve::new(points).map_err(from_fault)
}

/// Reads a seek curve: lines of cylinders and milliseconds, perhaps under a line that says how many.
///
/// # Errors
/// With file and line, where one is none, or distances do not ascend.
pub fn read_seek_curve(file: &str, text: &str) -> Result<SeekCurve, FileFault> {
    let mut points = Vec::new();
    let fault = |line, what| FileFault { file: file.to_owned(), line, what };
    let (mut stated, mut measured) = (None, 0_u64);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix("Seek distances") {
            let count = rest.rsplit(':').next().and_then(|count| count.trim().parse::<u64>().ok());
            let Some(count) = count else {
                let what = format!("`{line}` says no number of distances");
                return Err(fault(Some(number + 1), what));
            };
            stated = Some((number + 1, count));
            continue;
        }
        measured += 1;
        let mut fields = line.split(|c: char| c == ',' || c.is_whitespace()).filter(|f| !f.is_empty());
        let cylinders = fields.next().and_then(|f| f.parse::<u64>().ok());
        let time = fields.next().and_then(|f| f.parse::<f64>().ok()).filter(|t| (0.0..1e6).contains(t));
        match cylinders.zip(time) {
            // A seek over no cylinders takes no time, whatever was measured.
            Some((0, _)) => {}
            Some((cylinders, time)) => points.push((cylinders, ms(time))),
            None => {
                let what = format!("here should stand cylinders and milliseconds, not `{line}`");
                return Err(fault(Some(number + 1), what));
            }
        }
    }
    if let Some((line, count)) = stated.filter(|(_, count)| *count != measured) {
        let what = format!("it says that {count} distances were measured, and holds {measured}");
        return Err(fault(Some(line), what));
    }
    SeekCurve::new(points).map_err(|DiskFault(why)| fault(None, why))
}

fn cache(disk: &Block) -> Result<CacheSpec, FileFault> {
    let blocks = disk.whole("Maximum read-ahead (blks)")?;
    let line_of = |key: &str| disk.find(key).map(|item| item.line);
    let read_ahead = match disk.whole("Buffer continuous read")? {
        0 => ReadAhead::None,
        1 => ReadAhead::Track { blocks },
        2 => ReadAhead::Cylinder { blocks },
        3 => ReadAhead::Blocks { blocks },
        4 => ReadAhead::TrackAndNext,
        other => {
            let what = format!("`Buffer continuous read` is {other}; 0 to 4 are modelled");
            return Err(disk.fault(line_of("Buffer continuous read"), what));
        }
    };
    let write_back = match disk.whole("Fast write level")? {
        0 => false,
        1 | 2 => true,
        other => {
            let what = format!("`Fast write level` is {other}; 0, 1 and 2 are modelled");
            return Err(disk.fault(line_of("Fast write level"), what));
        }
    };
    Ok(CacheSpec {
        segments: usize::try_from(disk.whole("Number of buffer segments")?).unwrap_or(usize::MAX),
        segment_blocks: disk.whole("Segment size (in blks)")?,
        enabled: disk.whole("Enable caching in buffer")? != 0,
        read_ahead,
        restart_on_hit: disk.flag("Read-ahead on idle hit")?,
        stops_in_sector: disk.flag("Stop prefetch in sector")?,
        // What the format calls so changed nothing in the drives that were measured.
        almost_hits: false,
        write_back,
        written_readable: disk.flag("Allow read hits on write data")?,
        joins_writes: disk.flag("Combine seq writes")?,
        gathers_writes: false,
    })
}

fn overheads(disk: &Block) -> Result<OverheadSpec, FileFault> {
    let scale = disk.amount("Time scale for overheads")?;
    let time = |key: &str| disk.amount(key).map(|time| ms(time * scale));
    let after = |read: &str, write: &str| -> Result<After, FileFault> {
        Ok(After { read: time(read)?, write: time(write)? })
    };
    Ok(OverheadSpec {
        request: time("Per-request overhead time")?,
        read_hit: after("Read hit over. after read", "Read hit over. after write")?,
        read_miss: after("Read miss over. after read", "Read miss over. after write")?,
        write_hit: after("Write hit over. after read", "Write hit over. after write")?,
        write_miss: after("Write miss over. after read", "Write miss over. after write")?,
        read_completion: time("Read completion overhead")?,
        write_completion: time("Write completion overhead")?,
        data_preparation: time("Data preparation overhead")?,
        reselect: time("First reselect overhead")?,
        read_disconnect: after("Read disconnect afterread", "Read disconnect afterwrite")?,
        write_disconnect: time("Write disconnect overhead")?,
        least_write_seek: time("Minimum seek delay")?,
        overlaps_waiting: false,
    })
}

/// The orders that DiskSim numbers; with one command at a time, which the drives have, none decides.
fn order(disk: &Block) -> Result<ServiceOrder, FileFault> {
    let Some(item) = disk.find("Scheduler") else { return Ok(ServiceOrder::Fcfs) };
    let scheduler = disk.child("Scheduler", item)?;
    Ok(match scheduler.whole("Scheduling policy")? {
        1 => ServiceOrder::Fcfs,
        // By block, and by cylinder.
        2 | 5 => ServiceOrder::Look,
        3 | 6 => ServiceOrder::CLook,
        4 | 7 => ServiceOrder::Sstf,
        8 => ServiceOrder::Sptf,
        _ if disk.whole("Max queue length")? <= 1 => ServiceOrder::Fcfs,
        other => {
            let line = scheduler.find("Scheduling policy").map(|item| item.line);
            let what = format!("`Scheduling policy` is {other}; 1 to 8 are modelled");
            return Err(scheduler.fault(line, what));
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A drive that nobody built: other schemes than those that were measured.
    const MODEL: &str = "dm_disk M {
  Number of data surfaces = 4,
  Number of cylinders = 100,
  Block count = 1,
  Layout Model = dm_layout_g1 {
    LBN-to-PBN mapping scheme = 1,
    Sparing scheme used = 2,
    Rangesize for sparing = 1,
    Skew units = revolutions,
    Zones = [
      dm_layout_g1_zone {
        First cylinder number = 0, Last cylinder number = 99, Blocks per track = 50,
        Offset of first block = 0.5, Empty space at zone front = 0,
        Skew for track switch = 0.125, Skew for cylinder switch = 0.25,
        Number of spares = 10, slips = [ 7 ], defects = [ 9, 9, 11, 190 ]
      },
    ]
  },
  Mechanical Model = dm_mech_g1 {
    Access time type = trackSwitchPlusRotation,
    Seek type = extracted,
    Full seek curve = D.seek,
    Add. write settling delay = -0.25,
    Head switch time = 0.75,
    Rotation speed (in rpms) = 6000,
    Percent error in rpms = 0
  }
}
";

    fn disk() -> String {
        let mut text = "disksim_disk D {\n Model = source D_validate.model,\n".to_owned();
        for key in DISK_KEYS.iter().filter(|k| !["Model", "Scheduler"].contains(k)) {
            let value = match *key {
                "Bulk sector transfer time" => "0.05",
                "Number of buffer segments" => "2",
                "Segment size (in blks)" => "64",
                "Maximum read-ahead (blks)" => "32",
                "Buffer continuous read" => "2",
                "Time scale for overheads" => "2.0",
                "Read miss over. after read" => "0.5",
                "Immed transfer partial hit" | "Enable caching in buffer" | "Max queue length" => "1",
                _ => "0",
            };
            text += &format!(" {key} = {value},\n");
        }
        text + " Scheduler = disksim_ioqueue { Scheduling policy = 1 }\n}\n"
    }

    fn read(disk: &str, model: &str, seek: &str) -> Result<MeasuredDrive, FileFault> {
        let open = |file: &str| {
            let text = match file {
                "D_validate.model" => model.to_owned(),
                "D.seek" => seek.to_owned(),
                _ => return None,
            };
            Some(Opened { file: file.to_owned(), text })
        };
        read_drive("D.diskspecs", disk, &open, BusTimes { read_ms: 0.07, write_ms: 0.02 })
    }

    #[test]
    fn a_drive_of_other_schemes_is_read() {
        let drive = read(&disk(), MODEL, "1, 1.0, 0.02\n 50\t2.5\n").unwrap();
        let spec = &drive.spec;
        assert_eq!((drive.name.as_str(), drive.bus_time_given), ("D", true));
        assert_eq!(spec.turn, ms(10.0));
        assert_eq!(spec.layout.heads, HeadOrder::TurnsInZone);
        assert_eq!(spec.layout.sparing, Sparing::EachCylinder { at_front: false, slip_on: false });
        let zone = &spec.layout.zones[0];
        assert_eq!((zone.track_skew, zone.cylinder_skew), (Skew::Turns(0.125), Skew::Turns(0.25)));
        // The slower of the two buses, either way.
        assert_eq!((spec.bus.read_block, spec.bus.write_block), (ms(0.07), ms(0.05)));
        assert_eq!(spec.overheads.read_miss.read, ms(1.0));
        assert_eq!(spec.arm.write_settle_ps, -250_000_000);
        assert_eq!(spec.arm.curve.points(), [(1, ms(1.0)), (50, ms(2.5))]);
        assert_eq!(spec.cache.read_ahead, ReadAhead::Cylinder { blocks: 32 });
        assert_eq!(HardDisk::new(spec).unwrap().blocks(), 100 * (4 * 50 - 10));
        assert_eq!(drive.notes.len(), 1);
        assert!(drive.notes[0].contains("1 blocks that `defects` move"), "{:?}", drive.notes);
    }

    #[test]
    fn damaged_files_of_a_drive_passed_for_good() {
        let why = |model: &str, seek: &str| read(&disk(), model, seek).unwrap_err().to_string();
        let curve = "Seek distances measured: 2\n1, 1.0\n50, 2.5\n";
        assert!(read(&disk(), MODEL, curve).is_ok());
        // Cut short.
        let short = curve.replace("50, 2.5\n", "");
        let said = why(MODEL, &short);
        assert!(said.contains("line 1: it says that 2 distances were measured, and holds 1"), "{said}");
        // Told by the name under which it was found, and not by that of a file that is not there.
        let open = |file: &str| {
            let text = if file == "D.seek" { short.clone() } else { MODEL.to_owned() };
            Some(Opened { file: format!("other {file}"), text })
        };
        let said = read_drive("D.diskspecs", &disk(), &open, BusTimes::default()).unwrap_err().to_string();
        assert!(said.starts_with("`other D.seek`, line 1"), "{said}");
        assert!(why(MODEL, &curve.replace(": 2", "")).contains("says no number of distances"));
        for (key, value, says) in [
            ("Add. write settling delay", "-50", "should be -5 to 100 ms"),
            ("Blocks per track", "1000000000", "should be 1 to 50000"),
        ] {
            let line = MODEL.lines().find(|line| line.contains(key)).unwrap();
            let at = line.find(key).unwrap();
            let rest = &line[at..];
            let end = rest.find(',').unwrap_or(rest.len());
            let damaged = MODEL.replacen(&rest[..end], &format!("{key} = {value}"), 1);
            let said = why(&damaged, curve);
            assert!(said.contains(says), "{said}");
        }
        let twice = MODEL.replacen(
            "Add. write settling delay",
            "Add. write settling delay = 1,\nAdd. write settling delay",
            1,
        );
        assert!(why(&twice, curve).contains("already; one of the two is to go"));
    }

    #[test]
    fn what_the_model_lacks_is_noted_and_what_it_cannot_read_is_refused_by_name() {
        let seek = "1, 1.0\n";
        let drive =
            read(&disk().replace("Preseeking level = 0", "Preseeking level = 2"), MODEL, seek).unwrap();
        assert!(drive.notes[0].starts_with("`D.diskspecs`, line ") && drive.notes[0].contains("Preseeking"));
        let why = |disk: &str, model: &str, seek: &str| read(disk, model, seek).unwrap_err().to_string();
        let (good, model) = (disk(), MODEL);
        for (disk, model, seek, because) in [
            (
                good.replace("Segment size (in blks) = 64", "Segment size (in blks) = x"),
                model.to_owned(),
                seek,
                "`D.diskspecs`, line 5: `Segment size (in blks)` is `x`; it should be a number",
            ),
            (
                good.replace("Segment size", "Segmnt size"),
                model.to_owned(),
                seek,
                "the nearest is `Segment size",
            ),
            (
                good.replace("Fast write level = 0", "Fast write level = 3"),
                model.to_owned(),
                seek,
                "0, 1 and 2",
            ),
            (good.replace("D_validate", "E"), model.to_owned(), seek, "`E.model`, which is not there"),
            ("x y { }".to_owned(), model.to_owned(), seek, "`D.diskspecs`: it holds no `disksim_disk"),
            (
                good.clone(),
                model.replace("dm_layout_g1 {", "dm_layout_g4 {"),
                seek,
                "`dm_layout_g4` is not modelled",
            ),
            (
                good.clone(),
                model.replace("used = 2", "used = 11"),
                seek,
                "`D_validate.model`, line 7: `Sparing scheme used` is 11; 0 to 10",
            ),
            (
                good.clone(),
                model.replace("rpms) = 6000", "rpms) = 0"),
                seek,
                "`D_validate.model`, line 25: `Rotation speed (in rpms)` is 0; it should be 60",
            ),
            (
                good.clone(),
                model.replace("Blocks per track = 50", "Blocks per track = 0"),
                seek,
                "`D_validate.model`, line 12: `Blocks per track` is 0",
            ),
            (good.clone(), model.replace("revolutions", "furlongs"), seek, "`Skew units` is `furlongs`"),
            (good.clone(), model.replace("D.seek", "E.seek"), seek, "`E.seek`, which is not there"),
            (
                good.clone(),
                model.to_owned(),
                "1, 1.0\n2 x\n",
                "`D.seek`, line 2: here should stand cylinders",
            ),
            (good.clone(), model.to_owned(), "2, 1.0\n2, 1.1\n", "`D.seek`: a seek of 2 cylinders follows"),
        ] {
            let told = why(&disk, &model, seek);
            assert!(told.contains(because), "{told}; not {because}");
        }
    }

    #[test]
    fn zones_beyond_the_drive_and_over_each_other_were_believed() {
        let with = |from: &str, to: &str| {
            let why = read(&disk(), &MODEL.replacen(from, to, 1), "1, 1.0\n").unwrap_err();
            why.to_string()
        };
        let beyond = with("Last cylinder number = 99", "Last cylinder number = 2000000000");
        assert!(beyond.contains("line 12: `Last cylinder number` is 2000000000"), "{beyond}");
        assert!(beyond.ends_with("the drive has 100 cylinders"), "{beyond}");
        let fewer = with("Number of cylinders = 100", "Number of cylinders = 10");
        assert!(fewer.contains("is 99, and the drive has 10 cylinders"), "{fewer}");
        let (begin, end) = (MODEL.find("dm_layout_g1_zone").unwrap(), MODEL.find("    ]\n").unwrap());
        let zone = &MODEL[begin..end];
        let over = with(zone, &(zone.to_owned() + &zone.replace("number = 0", "number = 50")));
        assert!(over.contains("cylinders 50 to 99 lies over that of 0 to 99"), "{over}");
    }

    #[test]
    fn formulas_of_seeks_become_tables() {
        let seek = |values: &str| {
            let model = MODEL.replace("Seek type = extracted,", values);
            read(&disk(), &model, "").unwrap().spec.arm.curve
        };
        let ms_of = |curve: &SeekCurve, d| curve.time(d).as_us() / 1e3;
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        let hpl = seek("Seek type = hpl, HPL seek equation values = [ 30, 2.0, 0.5, 4.0, 0.01, 1.5 ],");
        for (d, time) in
            [(1, 1.5), (4, 3.0), (25, 4.5), (29, 2.0 + 0.5 * f64::sqrt(29.0)), (30, 4.3), (90, 4.9)]
        {
            near(ms_of(&hpl, d), time);
        }
        let ten = "[ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.5 ]";
        let plus = seek(&format!(
            "Seek type = hplplus10, HPL seek equation values = [ 30, 2.0, 0.5, 4.0, 0.01, -1 ], First ten seek times = {ten},"
        ));
        for (d, time) in [(1, 1.0), (10, 10.5), (11, 2.0 + 0.5 * f64::sqrt(11.0)), (50, 4.5)] {
            near(ms_of(&plus, d), time);
        }
        let linear = seek(
            "Seek type = linear, Single cylinder seek time = 1, Average seek time = 5, Full strobe seek time = 11,",
        );
        for (d, time) in [(1, 1.0), (17, 3.0), (33, 5.0), (100, 11.0)] {
            near(ms_of(&linear, d), time);
        }
        near(ms_of(&seek("Seek type = constant, Constant seek time = 3,"), 42), 3.0);
    }
}
