//! What the database asked of its storage: requests, bytes and blocks a second, from every account
//! that a report keeps of them.
//!
//! Two scopes never mix. *All* counts every process, with redo, control files, archiver and
//! backup: the `physical ... total ...` statistics, `Total` of the IO Profile, IOStat by function
//! and by file type. *Database* counts data and temp files only: the statistics without `total`,
//! `Database` of the IO Profile, the load profile, the totals over segments by requests, tablespaces and files. Physical reads are blocks
//! and no requests. `redo size` leaves out wastage and further log members, so it is no account of
//! bytes written.

use crate::{InstanceStat, Interval, IoActivity, Kind, Metric, Report, SectionId};

/// A quantity of I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Read requests a second, all processes.
    ReadRequests,
    /// Write requests a second, all processes, redo included.
    WriteRequests,
    /// Bytes read a second, all processes.
    ReadBytes,
    /// Bytes written a second, all processes, redo included.
    WriteBytes,
    /// Read requests a second on data and temp files.
    DatabaseReadRequests,
    /// Write requests a second on data and temp files.
    DatabaseWriteRequests,
    /// Bytes read a second from data and temp files.
    DatabaseReadBytes,
    /// Bytes written a second to data and temp files.
    DatabaseWriteBytes,
    /// Blocks read a second (`physical reads`).
    BlocksRead,
    /// Blocks written a second (`physical writes`).
    BlocksWritten,
    /// Writes of the log writer a second, each counted once.
    RedoWrites,
    /// Requests of those writes a second: one for each log member (and more for large writes).
    RedoWriteRequests,
}

impl Quantity {
    /// Every quantity.
    pub const ALL: [Self; 12] = [
        Self::ReadRequests,
        Self::WriteRequests,
        Self::ReadBytes,
        Self::WriteBytes,
        Self::DatabaseReadRequests,
        Self::DatabaseWriteRequests,
        Self::DatabaseReadBytes,
        Self::DatabaseWriteBytes,
        Self::BlocksRead,
        Self::BlocksWritten,
        Self::RedoWrites,
        Self::RedoWriteRequests,
    ];

    /// Name with unit and scope, as a DBA reads it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadRequests => "read requests a second, all processes",
            Self::WriteRequests => "write requests a second, all processes and redo",
            Self::ReadBytes => "bytes read a second, all processes",
            Self::WriteBytes => "bytes written a second, all processes and redo",
            Self::DatabaseReadRequests => "read requests a second, data and temp files",
            Self::DatabaseWriteRequests => "write requests a second, data and temp files",
            Self::DatabaseReadBytes => "bytes read a second, data and temp files",
            Self::DatabaseWriteBytes => "bytes written a second, data and temp files",
            Self::BlocksRead => "blocks read a second",
            Self::BlocksWritten => "blocks written a second",
            Self::RedoWrites => "redo writes a second",
            Self::RedoWriteRequests => "redo write requests a second, every log member",
        }
    }

    /// Statistic of the instance activity that counts it.
    fn statistic(self) -> Option<&'static str> {
        Some(match self {
            Self::ReadRequests => "physical read total IO requests",
            Self::WriteRequests => "physical write total IO requests",
            Self::ReadBytes => "physical read total bytes",
            Self::WriteBytes => "physical write total bytes",
            Self::DatabaseReadRequests => "physical read IO requests",
            Self::DatabaseWriteRequests => "physical write IO requests",
            Self::DatabaseReadBytes => "physical read bytes",
            Self::DatabaseWriteBytes => "physical write bytes",
            Self::BlocksRead => "physical reads",
            Self::BlocksWritten => "physical writes",
            Self::RedoWrites => "redo writes",
            Self::RedoWriteRequests => return None,
        })
    }

    /// Line of the IO Profile, its column, and the factor to our unit.
    fn io_profile(self) -> Option<(&'static str, bool, f64)> {
        const MIB: f64 = 1_048_576.0;
        Some(match self {
            Self::ReadRequests => ("Total Requests", true, 1.0),
            Self::WriteRequests => ("Total Requests", false, 1.0),
            Self::ReadBytes => ("Total (MB)", true, MIB),
            Self::WriteBytes => ("Total (MB)", false, MIB),
            Self::DatabaseReadRequests => ("Database Requests", true, 1.0),
            Self::DatabaseWriteRequests => ("Database Requests", false, 1.0),
            Self::DatabaseReadBytes => ("Database (MB)", true, MIB),
            Self::DatabaseWriteBytes => ("Database (MB)", false, MIB),
            Self::BlocksRead => ("Database (blocks)", true, 1.0),
            Self::BlocksWritten => ("Database (blocks)", false, 1.0),
            Self::RedoWriteRequests => ("Redo Requests", false, 1.0),
            Self::RedoWrites => return None,
        })
    }

    fn load_profile(self) -> Option<(Metric, f64)> {
        const MIB: f64 = 1_048_576.0;
        match self {
            Self::ReadRequests => Some((Metric::TotalReadRequests, 1.0)),
            Self::WriteRequests => Some((Metric::TotalWriteRequests, 1.0)),
            Self::ReadBytes => Some((Metric::TotalReadMb, MIB)),
            Self::WriteBytes => Some((Metric::TotalWriteMb, MIB)),
            Self::DatabaseReadRequests => Some((Metric::ReadRequests, 1.0)),
            Self::DatabaseWriteRequests => Some((Metric::WriteRequests, 1.0)),
            Self::DatabaseReadBytes => Some((Metric::ReadMb, MIB)),
            Self::DatabaseWriteBytes => Some((Metric::WriteMb, MIB)),
            Self::BlocksRead => Some((Metric::PhysicalReads, 1.0)),
            Self::BlocksWritten => Some((Metric::PhysicalWrites, 1.0)),
            _ => None,
        }
    }
}

/// A quantity as one account of the report gives it.
///
/// Shape: one an account. Unit: a second. Missing: no reading where the account is not printed or
/// lacks a part. Source: `section` and `line`; `bounds` hold what rounding, and snapshot times to
/// the second, hide.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Section and row as printed.
    pub section: String,
    /// Line in the source.
    pub line: u32,
    /// Value.
    pub value: f64,
    /// Bounds.
    pub bounds: Interval,
}

impl Report {
    /// Total of an instance-activity statistic over the interval and all instances.
    ///
    /// Shape: one a statistic. Unit: that of the statistic. Missing: `None` where not printed.
    /// Source: `Instance Activity Stats`; the total as printed, else the rate times elapsed time.
    #[must_use]
    pub fn statistic_total(&self, name: &str) -> Option<f64> {
        total_of(self, self.tables.instance_stat.iter().filter(|s| same_name(&s.statistic, name)))
    }
}

/// The rows of the instance activity, by the letters that their names begin and end with: a report has a
/// thousand of them, and is asked for a hundred names.
#[derive(Clone, Debug)]
pub struct Statistics<'r> {
    report: &'r Report,
    /// Rows by [`place_of`] their names, in printed order where that is the same.
    rows: Vec<u32>,
    /// Where the rows of each place begin among them, and where the last ones end.
    begins: Vec<u32>,
}

/// Places of names: first letter and last letter, 0 for what is no letter.
const PLACES: usize = 32 * 32;

/// Which letter it is, in either case; 0 for what is none.
fn letter(byte: Option<&u8>) -> usize {
    byte.filter(|b| b.is_ascii_alphabetic()).map_or(0, |b| usize::from(b & 0x1f))
}

/// The first and the last letter of a name.
fn ends_of(name: &str) -> (usize, usize) {
    (letter(name.as_bytes().first()), letter(name.as_bytes().last()))
}

fn place_of(name: &str) -> usize {
    let (first, last) = ends_of(name);
    32 * first + last
}

impl<'r> Statistics<'r> {
    /// Of a report.
    #[must_use]
    pub fn of(report: &'r Report) -> Self {
        let stats = &report.tables.instance_stat;
        let mut begins = vec![0_u32; PLACES + 1];
        let places: Vec<usize> = stats.iter().map(|stat| place_of(&stat.statistic)).collect();
        places.iter().for_each(|place| begins[place + 1] += 1);
        for place in 1..=PLACES {
            begins[place] += begins[place - 1];
        }
        let mut next = begins.clone();
        let mut rows = vec![0; stats.len()];
        for (row, place) in (0_u32..).zip(&places) {
            if let Some(at) = rows.get_mut(next[*place] as usize) {
                *at = row;
            }
            next[*place] += 1;
        }
        Self { report, rows, begins }
    }

    /// The rows of a name, in printed order, as [`same_name`] tells it.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<&'r InstanceStat> {
        let stats = &self.report.tables.instance_stat;
        // What begins or ends with no letter may be any name.
        let alike = |letter: usize| {
            let same = if letter == 0 { 0..32 } else { letter..letter + 1 };
            (letter > 0).then_some(0).into_iter().chain(same)
        };
        let (first, last) = ends_of(name);
        let named = |row: &&u32| stats.get(**row as usize).is_some_and(|s| same_name(&s.statistic, name));
        let mut found: Vec<u32> = Vec::new();
        for place in alike(first).flat_map(|first| alike(last).map(move |last| 32 * first + last)) {
            let rows = self.rows.get(self.begins[place] as usize..self.begins[place + 1] as usize);
            found.extend(rows.unwrap_or_default().iter().filter(named));
        }
        found.sort_unstable();
        found.into_iter().filter_map(|row| stats.get(row as usize)).collect()
    }

    /// As [`Report::statistic_total`].
    #[must_use]
    pub fn total(&self, name: &str) -> Option<f64> {
        total_of(self.report, self.named(name).into_iter())
    }

    /// A statistic a second over all instances, as printed: where the length of the interval is not known, too.
    #[must_use]
    pub fn per_second(&self, name: &str) -> Option<f64> {
        over_instances(self.named(name).into_iter().map(|s| (s.instance_number, s.per_second)))
    }
}

/// Total of the rows of a statistic, over all instances.
fn total_of<'r>(report: &Report, rows: impl Iterator<Item = &'r InstanceStat>) -> Option<f64> {
    let elapsed_s = report.identity.elapsed_s;
    over_instances(rows.map(|s| {
        let total = s.total.or_else(|| s.per_second.zip(elapsed_s).map(|(rate, elapsed)| rate * elapsed));
        (s.instance_number, total)
    }))
}

/// Every account of a quantity, the most exact first.
#[must_use]
pub fn readings(report: &Report, quantity: Quantity) -> Vec<Reading> {
    readings_of(&Statistics::of(report), quantity)
}

/// The same of a report whose statistics were put in order.
#[must_use]
pub fn readings_of(statistics: &Statistics<'_>, quantity: Quantity) -> Vec<Reading> {
    let report = statistics.report;
    let mut found = Vec::new();
    found.extend(quantity.statistic().and_then(|name| from_statistic(statistics, name)));
    found.extend(from_io_profile(report, quantity));
    found.extend(from_load_profile(report, quantity));
    let tables = &report.tables;
    let exact = found.len().min(1);
    match quantity {
        Quantity::ReadRequests | Quantity::WriteRequests | Quantity::ReadBytes | Quantity::WriteBytes => {
            found.extend(from_iostat(report, &tables.io_filetype, quantity));
            found.extend(from_iostat(report, &tables.io_function, quantity));
        }
        Quantity::DatabaseReadRequests | Quantity::DatabaseWriteRequests => {
            let write = quantity == Quantity::DatabaseWriteRequests;
            let of_requests = if write { "physical_write_requests" } else { "physical_read_requests" };
            let segments = tables.segment_stat.iter().filter(|s| s.ranked_by == of_requests);
            found.extend(from_section_total(report, segments.map(|s| (s.section, s.line, s.section_total))));
            let spaces = tables.tablespace_io.iter();
            found.extend(from_files(report, "sum of tablespaces", write, spaces));
            found.extend(from_files(report, "sum of files", write, tables.file_io.iter().map(|f| &f.io)));
        }
        Quantity::RedoWriteRequests => {
            let log_files = tables.io_filetype.iter().filter(|r| named(&r.filetype, "Log File"));
            found.extend(from_iostat_rows(report, log_files, quantity, "Log File"));
            let log_writer = tables.io_function.iter().filter(|r| named(&r.function, "LGWR"));
            found.extend(from_iostat_rows(report, log_writer, quantity, "LGWR"));
        }
        Quantity::BlocksRead => {
            let sql = tables.sql_stat.iter().filter(|s| s.ranked_by == "physical_reads");
            found.extend(from_section_total(report, sql.map(|s| (s.section, s.line, s.section_total))));
            let segments = tables.segment_stat.iter().filter(|s| s.ranked_by == "physical_reads");
            found.extend(from_section_total(report, segments.map(|s| (s.section, s.line, s.section_total))));
        }
        _ => {}
    }
    for reading in &mut found[exact..] {
        reading.bounds = with_skew(report, reading.bounds);
    }
    found
}

/// Seconds that two accounts of one interval can be apart: a snapshot takes its tables one after the
/// other.
const SKEW_S: f64 = 3.0;

/// Bounds of an account that is held against another one, which was taken seconds before or after.
///
/// Shape: one an account. Unit: as the bounds. Missing: unchanged without elapsed time. Source: ours,
/// from snapshots that took seconds to write; bursts can exceed it.
#[must_use]
pub fn with_skew(report: &Report, bounds: Interval) -> Interval {
    match report.identity.elapsed_s.filter(|s| *s > SKEW_S) {
        Some(s) => Interval { low: bounds.low * (1.0 - SKEW_S / s), high: bounds.high * (1.0 + SKEW_S / s) },
        None => bounds,
    }
}

/// Elapsed time with the second that snapshot times hide.
fn elapsed(report: &Report) -> Option<Interval> {
    report
        .identity
        .elapsed_s
        .filter(|s| *s > 0.0)
        .map(|s| Interval { low: (s - 1.0).max(s * 0.5), high: s + 1.0 })
}

/// Total over elapsed time, narrowed by the printed rate where the two agree.
fn from_statistic(statistics: &Statistics<'_>, name: &str) -> Option<Reading> {
    let (report, rows) = (statistics.report, statistics.named(name));
    let first = rows.first()?;
    let section = format!("{}, {}", report.section_title(first.section), first.statistic);
    let rate = over_instances(rows.iter().map(|s| (s.instance_number, s.per_second)));
    let printed = rate.map(|r| (r, Interval::around(r, half_unit(r))));
    let total = over_instances(rows.iter().map(|s| (s.instance_number, s.total)));
    let computed = total.zip(report.identity.elapsed_s).and_then(|(total, elapsed_s)| {
        Some((total / elapsed_s, Interval::exact(total).divided_by(elapsed(report)?)?))
    });
    // Whichever hides less: the rate of a busy statistic, the total of a rare one.
    let width = |(_, bounds): &(f64, Interval)| bounds.high - bounds.low;
    let (value, bounds) = match (printed, computed) {
        (Some(a), Some(b)) => {
            if width(&a) <= width(&b) {
                a
            } else {
                b
            }
        }
        (a, b) => a.or(b)?,
    };
    Some(Reading { section, line: first.line, value, bounds })
}

fn from_io_profile(report: &Report, quantity: Quantity) -> Option<Reading> {
    let (label, read, factor) = quantity.io_profile()?;
    let rows = || report.tables.io_profile.iter().filter(|r| same_name(&r.metric, label));
    let first = rows().next()?;
    let cell = |r: &crate::IoProfileRow| if read { r.reads_per_s } else { r.writes_per_s };
    let value = over_instances(rows().map(|r| (r.instance_number, cell(r))))?;
    Some(Reading {
        section: format!("{}, {}", report.section_title(first.section), first.metric),
        line: first.line,
        value: value * factor,
        bounds: Interval::around(value, half_unit(value)).scaled(factor),
    })
}

fn from_load_profile(report: &Report, quantity: Quantity) -> Option<Reading> {
    let (metric, factor) = quantity.load_profile()?;
    let rows = || report.tables.load_profile.iter().filter(|r| r.known == Some(metric));
    let first = rows().next()?;
    let value = over_instances(rows().map(|r| (r.instance_number, r.per_second)))?;
    let half_unit =
        if first.per_second_half_unit > 0.0 { first.per_second_half_unit } else { half_unit(value) };
    Some(Reading {
        section: format!("{}, {}", report.section_title(first.section), first.metric),
        line: first.line,
        value: value * factor,
        bounds: Interval::around(value, half_unit).scaled(factor),
    })
}

/// The `TOTAL` row where printed, else the sum of the rows.
fn from_iostat(report: &Report, rows: &[IoActivity], quantity: Quantity) -> Option<Reading> {
    let printed_total = rows.iter().any(|r| r.is_total);
    let what = if printed_total { "TOTAL" } else { "sum of rows" };
    from_iostat_rows(report, rows.iter().filter(|r| r.is_total == printed_total), quantity, what)
}

/// Sum of some rows: those for all instances where printed.
fn from_iostat_rows<'r>(
    report: &Report,
    rows: impl Iterator<Item = &'r IoActivity>,
    quantity: Quantity,
    what: &str,
) -> Option<Reading> {
    let rows: Vec<&IoActivity> = rows.collect();
    let for_all = rows.iter().any(|r| r.instance_number.is_none());
    let mut sum: Option<(f64, Interval)> = None;
    let mut first = None;
    for row in rows.into_iter().filter(|r| r.instance_number.is_none() == for_all) {
        let (value, bounds) = match quantity {
            Quantity::ReadRequests => requests(row.reads_per_s?),
            Quantity::WriteRequests | Quantity::RedoWriteRequests => requests(row.writes_per_s?),
            Quantity::ReadBytes => bytes(report, row.read_bytes, row.read_bytes_per_s)?,
            _ => bytes(report, row.write_bytes, row.write_bytes_per_s)?,
        };
        first.get_or_insert(row);
        let (so_far, range) = sum.unwrap_or((0.0, Interval::exact(0.0)));
        sum =
            Some((so_far + value, Interval { low: range.low + bounds.low, high: range.high + bounds.high }));
    }
    let (first, (value, bounds)) = (first?, sum?);
    Some(Reading {
        section: format!("{}, {what}", report.section_title(first.section)),
        line: first.line,
        value,
        bounds,
    })
}

fn named(cell: &Option<String>, name: &str) -> bool {
    cell.as_deref().is_some_and(|c| same_name(c, name))
}

fn requests(per_s: f64) -> (f64, Interval) {
    (per_s, Interval::around(per_s, half_unit(per_s)))
}

const MIB: f64 = 1_048_576.0;

/// Bytes a second: the printed rate or the total over elapsed time, whichever hides less.
fn bytes(report: &Report, total: Option<f64>, per_s: Option<f64>) -> Option<(f64, Interval)> {
    // Statspack prints tenths of a megabyte a second, AWR thousandths; totals are whole megabytes.
    let tenths = matches!(report.identity.kind, Kind::Statspack | Kind::Unknown);
    let finest = if tenths { MIB / 20.0 } else { MIB / 2000.0 };
    let rate = per_s.map(|r| (r, Interval::around(r, half_unit_bytes(r).max(finest))));
    let computed =
        total.zip(report.identity.elapsed_s).zip(elapsed(report)).and_then(|((total, s), over)| {
            let bounds = Interval::around(total, half_unit_bytes(total).max(MIB / 2.0)).divided_by(over)?;
            Some((total / s, bounds))
        });
    let width = |(_, bounds): &(f64, Interval)| bounds.high - bounds.low;
    match (rate, computed) {
        (Some(a), Some(b)) => Some(if width(&a) <= width(&b) { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// Sum over tablespaces or files.
fn from_files<'r>(
    report: &Report,
    what: &str,
    write: bool,
    rows: impl Iterator<Item = &'r crate::TablespaceIo>,
) -> Option<Reading> {
    let elapsed_s = report.identity.elapsed_s.filter(|s| *s > 0.0)?;
    let over = elapsed(report)?;
    let mut first = None;
    let (mut sum, mut bounds) = (0.0, Interval::exact(0.0));
    for row in rows {
        let (count, rate) = if write { (row.writes, row.writes_per_s) } else { (row.reads, row.reads_per_s) };
        first.get_or_insert(row);
        if let Some(count) = count {
            sum += count / elapsed_s;
            let rate = Interval::exact(count).divided_by(over)?;
            bounds.low += rate.low;
            bounds.high += rate.high;
        } else {
            let rate = rate?;
            sum += rate;
            // Rates of files are printed without decimals in most releases.
            bounds.low += (rate - 0.5).max(0.0);
            bounds.high += rate + 0.5;
        }
    }
    let first = first?;
    Some(Reading {
        section: format!("{}, {what}", report.section_title(first.section)),
        line: first.line,
        value: sum,
        bounds,
    })
}

/// The total that a ranking's header names.
fn from_section_total(
    report: &Report,
    mut rows: impl Iterator<Item = (SectionId, u32, Option<f64>)>,
) -> Option<Reading> {
    let (section, line, total) = rows.find(|(_, _, total)| total.is_some())?;
    let total = total?;
    Some(Reading {
        section: format!("{}, total", report.section_title(section)),
        line,
        value: total / report.identity.elapsed_s.filter(|s| *s > 0.0)?,
        bounds: Interval::exact(total).divided_by(elapsed(report)?)?,
    })
}

/// The row for all instances where printed, else the sum; a second row of an instance repeats it.
fn over_instances(rows: impl Iterator<Item = (Option<u32>, Option<f64>)>) -> Option<f64> {
    let mut by_instance: Vec<(Option<u32>, Option<f64>)> = Vec::new();
    for row in rows {
        match by_instance.iter_mut().find(|(instance, _)| *instance == row.0) {
            Some(seen) => seen.1 = seen.1.or(row.1),
            None => by_instance.push(row),
        }
    }
    if let Some((_, value)) = by_instance.iter().find(|(instance, _)| instance.is_none()) {
        return *value;
    }
    if by_instance.is_empty() { None } else { by_instance.iter().map(|(_, v)| *v).sum() }
}

/// Half of the last printed digit of a rate: one or two decimals, or one decimal before `K`, `M`, `G`.
fn half_unit(value: f64) -> f64 {
    if value.fract() != 0.0 {
        let tenths = value * 10.0;
        return if (tenths - tenths.round()).abs() < 1e-6 { 0.05 } else { 0.005 };
    }
    for unit in [1e9, 1e6, 1e3] {
        if value >= unit && (value / (unit / 10.0)).fract() == 0.0 {
            return unit / 20.0;
        }
    }
    if value >= 100.0 { 0.5 } else { 0.05 }
}

/// Half of the last printed digit of bytes: whole, tenths or thousandths of `M`, `G`, `T`.
fn half_unit_bytes(value: f64) -> f64 {
    let near_whole = |x: f64| (x - x.round()).abs() < 1e-6 * x.max(1.0);
    for unit in [MIB * MIB, MIB * 1024.0, MIB] {
        let n = value / unit;
        if n >= 1.0 && near_whole(n) {
            return unit / 2.0;
        }
        if n >= 1.0 && near_whole(n * 10.0) {
            return unit / 20.0;
        }
        if near_whole(n * 1000.0) && n >= 0.001 {
            return unit / 2000.0;
        }
    }
    MIB / 2000.0
}

/// Same name, whatever the case, the blanks between its words and a colon behind.
#[must_use]
#[inline]
pub fn same_name(a: &str, b: &str) -> bool {
    // Names are looked for among a thousand others: most of those differ at the first letter or the last.
    !differ(a.as_bytes().first(), b.as_bytes().first())
        && !differ(a.as_bytes().last(), b.as_bytes().last())
        && same_words(a, b)
}

/// Are these letters, and not the same one?
#[inline]
fn differ(x: Option<&u8>, y: Option<&u8>) -> bool {
    x.zip(y).is_some_and(|(x, y)| x.is_ascii_alphabetic() && y.is_ascii_alphabetic() && (x ^ y) & 0x1f != 0)
}

fn same_words(a: &str, b: &str) -> bool {
    // Nearly all of the rest differ within a word.
    let (x, y) = (a.as_bytes(), b.as_bytes());
    // Many begin alike for long: `physical read total ...`.
    let eights = x.as_chunks::<8>().0.iter().zip(y.as_chunks::<8>().0);
    let same = 8 * eights.take_while(|(x, y)| x == y).count();
    let rest = x.iter().zip(y).skip(same);
    let alike = same + rest.take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let of_a_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_graphic() && *b != b':');
    match (x.get(alike), y.get(alike)) {
        (None, None) => return true,
        (x, y) if of_a_word(x) && (y.is_none() || of_a_word(y)) || of_a_word(y) && x.is_none() => {
            return false;
        }
        _ => {}
    }
    let (mut a, mut b) =
        (a.trim_end_matches(':').split_whitespace(), b.trim_end_matches(':').split_whitespace());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(b) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Identity, InstanceStat, IoProfileRow, Kind, Layout, TablespaceIo};

    #[test]
    fn statistics_in_order_are_those_looked_at_one_by_one() {
        let names =
            ["redo size", "Redo  Size:", "redo size ", " redo size", "redo writes", "(x)", "9 y", "", "redo"];
        let mut report = Report::new(Identity::unknown("x", Kind::Awr, Layout::Text));
        for (n, name) in (1_u32..).zip(names.iter().chain(&names)) {
            report.tables.instance_stat.push(InstanceStat {
                line: n,
                section: 0,
                instance_number: Some(n),
                statistic: (*name).into(),
                printed_as: None,
                total: Some(f64::from(n)),
                per_second: None,
                per_transaction: None,
                begin_value: None,
                end_value: None,
            });
        }
        let statistics = Statistics::of(&report);
        for name in names.iter().chain(&["size", "redo size:", "REDO SIZE", "y", "x)"]) {
            let lines = |s: &InstanceStat| s.line;
            let one_by_one = report.tables.instance_stat.iter().filter(|s| same_name(&s.statistic, name));
            let one_by_one: Vec<u32> = one_by_one.map(lines).collect();
            assert_eq!(
                statistics.named(name).into_iter().map(lines).collect::<Vec<_>>(),
                one_by_one,
                "{name:?}"
            );
            assert_eq!(statistics.total(name), report.statistic_total(name));
        }
    }

    #[test]
    fn names_are_the_same_whatever_blanks_case_and_colon() {
        for (a, b, same) in [
            ("redo size", "Redo  Size:", true),
            ("redo size", " redo size ", true),
            ("redo size::", "redo size", true),
            ("redo: size", "redo: size:", true),
            ("redo size", "redo sizes", false),
            ("redo size", "redosize", false),
            ("redo size", "redo", false),
            ("redo ", "redo", true),
            ("redo :", "redo", true),
            ("redo:", "redo: size", false),
            ("redo\u{a0}size", "redo size", true),
            ("r\u{e9}do", "r\u{e8}do", false),
            ("", ":", true),
            ("", "x", false),
        ] {
            assert_eq!(same_name(a, b), same, "{a:?} {b:?}");
            assert_eq!(same_name(b, a), same, "{b:?} {a:?}");
        }
    }

    fn report() -> Report {
        let mut report = Report::new(Identity::unknown("r", Kind::Awr, Layout::Text));
        report.identity.elapsed_s = Some(1000.0);
        report
    }

    fn stat(name: &str, instance: Option<u32>, total: f64, rate: Option<f64>) -> InstanceStat {
        InstanceStat {
            line: 7,
            section: 0,
            instance_number: instance,
            statistic: name.into(),
            printed_as: None,
            total: Some(total),
            per_second: rate,
            per_transaction: None,
            begin_value: None,
            end_value: None,
        }
    }

    #[test]
    fn scopes_do_not_mix() {
        let mut report = report();
        report.tables.instance_stat = vec![
            stat("physical read total IO requests", None, 10_839.0, Some(10.8)),
            stat("physical read IO requests", None, 1_401.0, Some(1.4)),
        ];
        let all = readings(&report, Quantity::ReadRequests);
        assert_eq!(all.len(), 1);
        assert!(all[0].bounds.contains(10.839));
        assert!((readings(&report, Quantity::DatabaseReadRequests)[0].value - 1.401).abs() < 1e-9);
        assert_eq!(report.statistic_total("Physical read  IO requests"), Some(1401.0));
    }

    #[test]
    fn instances_add_up_unless_a_row_for_all_is_printed() {
        let mut report = report();
        report.tables.instance_stat =
            vec![stat("redo writes", Some(1), 10.0, None), stat("redo writes", Some(2), 30.0, None)];
        assert_eq!(report.statistic_total("redo writes"), Some(40.0));
        report.tables.instance_stat.push(stat("redo writes", None, 41.0, None));
        assert_eq!(report.statistic_total("redo writes"), Some(41.0));
    }

    #[test]
    fn an_account_that_rounds_agrees_with_the_exact_one() {
        let mut report = report();
        report.tables.instance_stat =
            vec![stat("physical write total IO requests", None, 1_240.0, Some(1.2))];
        report.tables.io_profile = vec![IoProfileRow {
            line: 9,
            section: 0,
            instance_number: None,
            metric: "Total Requests".into(),
            read_write_per_s: None,
            reads_per_s: None,
            writes_per_s: Some(1.2),
        }];
        let accounts = readings(&report, Quantity::WriteRequests);
        assert_eq!(accounts.len(), 2);
        assert!(accounts[0].bounds.overlaps(accounts[1].bounds));
    }

    #[test]
    fn a_tablespace_without_a_count_leaves_no_sum() {
        let mut report = report();
        let space = |reads| TablespaceIo { reads, ..TablespaceIo::default() };
        report.tables.tablespace_io = vec![space(Some(100.0)), space(Some(300.0))];
        assert_eq!(readings(&report, Quantity::DatabaseReadRequests)[0].value, 0.4);
        report.tables.tablespace_io.push(space(None));
        assert!(readings(&report, Quantity::DatabaseReadRequests).is_empty());
    }

    #[test]
    fn rates_of_statspack_hide_tenths_of_a_megabyte() {
        let mut report = report();
        report.identity.elapsed_s = None;
        let half = |report: &Report| bytes(report, None, Some(0.5 * MIB)).unwrap().1.high - 0.5 * MIB;
        assert!((half(&report) - MIB / 2000.0).abs() < 1e-6);
        report.identity.kind = Kind::Statspack;
        assert!((half(&report) - MIB / 20.0).abs() < 1e-6);
    }

    #[test]
    fn half_units_follow_the_printed_digits() {
        assert_eq!(half_unit(2.6), 0.05);
        assert_eq!(half_unit(2.61), 0.005);
        assert_eq!(half_unit(71_500.0), 50.0);
        assert_eq!(half_unit_bytes(148.0 * 1_048_576.0), 524_288.0);
        assert_eq!(half_unit_bytes(0.041 * 1_048_576.0), 524.288);
    }
}
