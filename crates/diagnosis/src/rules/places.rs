//! Tablespaces and files side by side, and whether what they print can be believed.
//!
//! Several rules compare the reads of one place with those of others. Reads of one block are only
//! compared with reads of one block: a scan's read takes longer on any device.

use super::material;
use crate::{Bars, Case, Claim, Evidence, Verdict, words};
use spindle_facts::TablespaceIo;

/// Reads below which a mean says nothing about a device.
pub(crate) const ENOUGH_READS: f64 = 1_000.0;
/// How far the files' read time may exceed that of the waits before it is not believed: background
/// reads and asynchronous ones are in the first only.
const BELIEVED_RATIO: f64 = 3.0;
/// Half of the last digit printed: 0.1 ms.
pub(crate) const HALF_DIGIT_US: f64 = 50.0;

/// Waits that reads of data files cause.
pub(crate) const READ_EVENTS: &[&str] = &[
    "db file sequential read",
    "db file scattered read",
    "db file parallel read",
    "cell single block physical read",
    "cell list of blocks physical read",
    "cell multiblock physical read",
    "direct path read",
    "read by other session",
];

/// Where blocks are read from.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// `tablespace USERS` or `file /u01/users01.dbf`.
    pub(crate) name: String,
    /// Tablespace.
    pub(crate) tablespace: String,
    /// Read requests, of one block where those are printed apart.
    pub(crate) reads: f64,
    /// Their mean, microseconds.
    pub(crate) mean_us: f64,
    /// Blocks a read.
    pub(crate) blocks: f64,
    /// Write requests.
    pub(crate) writes: Option<f64>,
    table: &'static str,
    row: usize,
    line: u32,
    section: spindle_facts::SectionId,
}

impl Place {
    /// Seconds that its reads took.
    pub(crate) fn read_s(&self) -> f64 {
        self.reads * self.mean_us / 1e6
    }

    /// Are its reads of about as many blocks as those of another?
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.blocks <= 1.5 * other.blocks && other.blocks <= 1.5 * self.blocks
    }

    /// The bar that its reads are held against.
    pub(crate) fn bar_us(&self, bars: &Bars) -> f64 {
        if self.blocks <= 1.5 { bars.single_block_read_us } else { bars.multi_block_read_us }
    }

    /// The row as proof.
    pub(crate) fn evidence(&self, case: &Case<'_>) -> Evidence {
        let writes = self.writes.map_or(String::new(), |w| format!(", {} writes", words::count(w)));
        let text = format!(
            "{}: {} reads, mean {}{writes}",
            self.name,
            words::count(self.reads),
            words::latency(self.mean_us)
        );
        case.evidence(self.table, self.row, self.line, self.section, text)
    }
}

/// Tablespaces with their reads; none where the section lacks or prints no read times.
pub(crate) fn tablespaces(case: &Case<'_>) -> Vec<Place> {
    let rows = case.report.tables.tablespace_io.iter().enumerate();
    rows.filter_map(|(row, io)| {
        place(case, "tablespace_io", row, io, format!("tablespace {}", io.tablespace))
    })
    .collect()
}

/// Files with their reads.
pub(crate) fn files(case: &Case<'_>) -> Vec<Place> {
    let rows = case.report.tables.file_io.iter().enumerate();
    rows.filter_map(|(row, f)| place(case, "file_io", row, &f.io, format!("file {}", f.file))).collect()
}

fn place(case: &Case<'_>, table: &'static str, row: usize, io: &TablespaceIo, name: String) -> Option<Place> {
    let one_block_reads = io.one_block_reads_per_s.zip(case.elapsed_s()).map(|(rate, s)| rate * s);
    let apart = one_block_reads.zip(io.one_block_avg_us).filter(|(reads, _)| *reads >= ENOUGH_READS);
    let (reads, mean_us, blocks) = match apart {
        Some((reads, mean_us)) => (reads, mean_us, 1.0),
        None => {
            let reads = io.reads.or_else(|| Some(io.reads_per_s? * case.elapsed_s()?))?;
            (reads, io.avg_read_us?, io.blocks_per_read?)
        }
    };
    (reads > 0.0 && mean_us >= 0.0 && blocks > 0.0).then(|| Place {
        name,
        tablespace: io.tablespace.clone(),
        reads,
        mean_us,
        blocks,
        writes: io.writes.or_else(|| Some(io.writes_per_s? * case.elapsed_s()?)),
        table,
        row,
        line: io.line,
        section: io.section,
    })
}

/// What the rows of tablespaces or files lack for any of them to be compared, `blocks a read (Tablespace IO Stats)`;
/// `None` where no row was read.
pub(crate) fn lacks<'t>(
    case: &Case<'_>,
    title: &str,
    rows: impl Iterator<Item = &'t TablespaceIo> + Clone,
) -> Option<String> {
    rows.clone().next()?;
    let any = |has: &dyn Fn(&TablespaceIo) -> bool| rows.clone().any(has);
    let mut lacking = Vec::new();
    if !any(&|io| io.reads.is_some() || io.reads_per_s.is_some() && case.elapsed_s().is_some()) {
        lacking.push("reads");
    }
    if !any(&|io| io.avg_read_us.is_some()) {
        lacking.push("the mean read");
    }
    if !any(&|io| io.blocks_per_read.is_some()) {
        lacking.push("blocks a read, without which scans cannot be told from reads of single blocks");
    }
    let what =
        if lacking.is_empty() { "reads with their mean in one row".to_owned() } else { lacking.join(", ") };
    Some(format!("{what} ({title})"))
}

/// The file, else tablespace, above the bar of its reads that took most time, where it makes a tenth of all reads: name,
/// reads and mean. Of reads whose blocks are not printed the bar is that of single blocks.
pub(crate) fn above_its_bar(case: &Case<'_>) -> Option<(String, f64, f64)> {
    const MUCH: f64 = 0.1;
    let tables = &case.report.tables;
    let (kind, rows): (&str, Vec<(&str, &TablespaceIo)>) = if tables.file_io.is_empty() {
        ("tablespace", tables.tablespace_io.iter().map(|io| (io.tablespace.as_str(), io)).collect())
    } else {
        ("file", tables.file_io.iter().map(|f| (f.file.as_str(), &f.io)).collect())
    };
    let reads = |io: &TablespaceIo| io.reads.or_else(|| Some(io.reads_per_s? * case.elapsed_s()?));
    let all: f64 = rows.iter().filter_map(|(_, io)| reads(io)).sum();
    let bar_us = |io: &TablespaceIo| match io.blocks_per_read {
        Some(blocks) if blocks > 1.5 => case.bars.multi_block_read_us,
        _ => case.bars.single_block_read_us,
    };
    let slow = rows.into_iter().filter_map(|(name, io)| {
        let (reads, us) = (reads(io)?, io.avg_read_us?);
        let is_slow = reads >= ENOUGH_READS.max(MUCH * all) && us > material::AT_THE_BAR * bar_us(io);
        (is_slow && !is_temporary(&io.tablespace)).then_some((name, reads, us))
    });
    slow.max_by(|a, b| (a.1 * a.2).total_cmp(&(b.1 * b.2)))
        .map(|(name, reads, us)| (format!("{kind} {name}"), reads, us))
}

/// Mean over some places, weighted by reads, and their reads.
pub(crate) fn mean_us<'p>(places: impl Iterator<Item = &'p Place>) -> (f64, f64) {
    let (time, reads) = places.fold((0.0, 0.0), |sum, p| (sum.0 + p.reads * p.mean_us, sum.1 + p.reads));
    (if reads > 0.0 { time / reads } else { 0.0 }, reads)
}

/// Is it a tablespace for sorts and hash joins? Its reads are judged elsewhere.
pub(crate) fn is_temporary(tablespace: &str) -> bool {
    tablespace.to_ascii_uppercase().contains("TEMP")
}

/// Why the read times of these places cannot be believed: they add up to much more than all waits
/// for reads (some releases print read times of many seconds on AIX).
pub(crate) fn contradiction(case: &Case<'_>, places: &[Place]) -> Option<String> {
    let printed_s: f64 = places.iter().map(Place::read_s).sum();
    let waited_s: f64 = case
        .events
        .iter()
        .filter(|e| READ_EVENTS.iter().any(|name| material::is_event(&e.event, name)))
        .map(|e| e.time_s)
        .sum();
    // Where no waits were read nothing contradicts.
    let compared = waited_s > 0.0 || case.prints_wait_events();
    (compared && printed_s > BELIEVED_RATIO * waited_s).then(|| {
        format!(
            "read times by tablespace and file that agree with the wait events: these sections add up to {}, all \
             waits for reads to {}",
            words::seconds(printed_s),
            words::seconds(waited_s)
        )
    })
}

/// Claims of some seconds of reads, on the waits that such reads cause, the most likely first.
pub(crate) fn claims(case: &Case<'_>, seconds: f64) -> Vec<Claim> {
    let mut left = seconds;
    let mut claims = Vec::new();
    for event in READ_EVENTS {
        let part = case.event_time_s(event).min(left);
        if part > 0.0 {
            claims.push(Claim { of: (*event).to_owned(), seconds: part });
            left -= part;
        }
    }
    claims
}

/// What a rule about reads of data files says where sessions hardly waited for any, or where nobody knows; `None`
/// where they waited long enough.
pub(crate) fn not_worth(case: &Case<'_>) -> Option<Verdict> {
    let listed = READ_EVENTS.iter().filter(|event| case.event_time_s(event) > 0.0).count();
    material::waits_not_worth(case, "the waits for reads", READ_EVENTS.len() - listed, waited_s(case))
}

/// Seconds of the foreground waits that data file reads cause.
pub(crate) fn waited_s(case: &Case<'_>) -> f64 {
    READ_EVENTS.iter().map(|event| case.event_time_s(event)).sum()
}

#[cfg(test)]
pub(crate) mod testing {
    //! Hand-made tablespaces for the tests of the rules that compare places.

    use crate::rules::testing::Hour;
    use spindle_facts::{FileIo, TablespaceIo};

    /// Reads and writes of one place.
    pub(crate) fn io(tablespace: &str, reads: f64, mean_ms: f64, writes: f64) -> TablespaceIo {
        TablespaceIo {
            line: 300,
            tablespace: tablespace.to_owned(),
            reads: Some(reads),
            avg_read_us: Some(mean_ms * 1e3),
            blocks_per_read: Some(1.0),
            writes: Some(writes),
            ..TablespaceIo::default()
        }
    }

    /// Adds a tablespace.
    pub(crate) fn tablespace(hour: Hour, io: TablespaceIo) -> Hour {
        hour.with(|r| r.tables.tablespace_io.push(io))
    }

    /// Adds a file.
    pub(crate) fn file(hour: Hour, name: &str, io: TablespaceIo) -> Hour {
        hour.with(|r| r.tables.file_io.push(FileIo { file: name.to_owned(), io }))
    }
}
