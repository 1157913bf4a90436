//! I/O by function, file type, tablespace and file.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{IoActivity, Layout, Report, TablespaceIo};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = Vec::new();
    if style.release >= Release::V11_2_0_3 {
        out.extend([by_function(report, style), by_filetype(report, style), by_both(report, style)]);
    }
    out.push(tablespaces(report, style));
    out.push(files(report, style));
    out
}

fn data_notes(order: &str) -> Vec<String> {
    vec![
        "-> 'Data' columns suffixed with M,G,T,P are in multiples of 1024".into(),
        "    other columns suffixed with K,M,G,T,P are in multiples of 1000".into(),
        order.into(),
    ]
}

fn volume(row: &IoActivity, style: &Style) -> Vec<Cell> {
    let rate = |v| {
        if style.release >= Release::V11_2_0_4 { style.data_rate(v) } else { style.data_rate_long(v) }
    };
    vec![
        style.data(row.read_bytes),
        style.requests_per_s(row.reads_per_s),
        rate(row.read_bytes_per_s),
        style.data(row.write_bytes),
        style.requests_per_s(row.writes_per_s),
        rate(row.write_bytes_per_s),
    ]
}

fn service_time(us: Option<f64>, style: &Style) -> Cell {
    match us {
        None if style.release.times_carry_units() => Cell::Blank,
        None => Cell::Number("N/A".into()),
        us if style.release.times_carry_units() => style.wait_with_unit(us),
        us => style.fine(us.map(|us| us / 1e3), 1),
    }
}

fn waits(row: &IoActivity, style: &Style) -> Vec<Cell> {
    vec![style.kilo(row.waits), service_time(row.avg_wait_us, style)]
}

#[rustfmt::skip]
const FUNCTION_MS: [&str; 9] = ["Function Name", "Reads: Data", "Reqs per sec", "Data per sec", "Writes: Data", "Reqs per sec", "Data per sec", "Waits: Count", "Avg Tm(ms)"];
#[rustfmt::skip]
const FUNCTION_UNITS: [&str; 9] = ["Function Name", "Reads: Data", "Reqs per sec", "Data per sec", "Writes: Data", "Reqs per sec", "Data per sec", "Waits: Count", "Avg Time"];
#[rustfmt::skip]
const BOTH_MS: [&str; 9] = ["Function/File Name", "Reads: Data", "Reqs per sec", "Data per sec", "Writes: Data", "Reqs per sec", "Data per sec", "Waits: Count", "Avg Tm(ms)"];
#[rustfmt::skip]
const BOTH_UNITS: [&str; 9] = ["Function/File Name", "Reads: Data", "Reqs per sec", "Data per sec", "Writes: Data", "Reqs per sec", "Data per sec", "Waits: Count", "Avg Time"];

fn by_function(report: &Report, style: &Style) -> Block {
    Block {
        title: "IOStat by Function summary".into(),
        summary: "This table displays the IO Statistics for different functions. IO stats includes amount of reads and writes, requests per second, data per second, wait count and average wait time",
        notes: data_notes("-> ordered by (Data Read + Write) desc"),
        ruled: if style.release.times_carry_units() {
            "                 Reads:  Reqs    Data   Writes:  Reqs    Data    Waits:    Avg\n\
             Function Name      Data per sec per sec    Data per sec per sec   Count    Time\n\
             --------------- ------- ------- ------- ------- ------- ------- ------- --------"
        } else {
            "                Reads:   Reqs   Data    Writes:  Reqs   Data    Waits:    Avg\n\
             Function Name   Data    per sec per sec Data    per sec per sec Count    Tm(ms)\n\
             --------------- ------- ------- ------- ------- ------- ------- ------- -------"
        },
        columns: if style.release.times_carry_units() { &FUNCTION_UNITS } else { &FUNCTION_MS },
        rows: report
            .tables
            .io_function
            .iter()
            .map(|r| {
                let name = if r.is_total { "TOTAL:" } else { r.function.as_deref().unwrap_or("") };
                let mut cells = vec![Cell::name(name)];
                cells.extend(volume(r, style));
                cells.extend(waits(r, style));
                Row::new(cells)
            })
            .collect(),
        ..Block::default()
    }
}

fn by_filetype(report: &Report, style: &Style) -> Block {
    let mut notes = data_notes(if style.release.times_carry_units() {
        "-> Small Read and Large Read are average service times"
    } else {
        "-> Small Read and Large Read are average service times, in milliseconds"
    });
    notes.push("-> Ordered by (Data Read + Write) desc".into());
    Block {
        title: "IOStat by Filetype summary".into(),
        summary: "This table displays IO Statistics for different file types, such as data files, control files, log files and temp files. IO Statistics include amount of reads and writes, requests per second, data per second, wait count and average wait time",
        notes,
        ruled: if style.release.times_carry_units() {
            "                Reads:  Reqs    Data   Writes:  Reqs    Data      Small    Large\n\
             Filetype Name     Data per sec per sec    Data per sec per sec     Read     Read\n\
             -------------- ------- ------- ------- ------- ------- ------- -------- --------"
        } else {
            "                Reads:   Reqs   Data    Writes:  Reqs   Data      Small   Large\n\
                Filetype Name   Data    per sec per sec Data    per sec per sec    Read    Read\n\
                --------------- ------- ------- ------- ------- ------- ------- ------- -------"
        },
        columns: &[
            "Filetype Name",
            "Reads: Data",
            "Reqs per sec",
            "Data per sec",
            "Writes: Data",
            "Reqs per sec",
            "Data per sec",
            "Small Read",
            "Large Read",
        ],
        rows: report
            .tables
            .io_filetype
            .iter()
            .map(|r| {
                let name = if r.is_total { "TOTAL:" } else { r.filetype.as_deref().unwrap_or("") };
                let mut cells = vec![Cell::name(name)];
                cells.extend(volume(r, style));
                cells.push(service_time(r.small_read_us, style));
                cells.push(service_time(r.large_read_us, style));
                Row::new(cells)
            })
            .collect(),
        ..Block::default()
    }
}

fn by_both(report: &Report, style: &Style) -> Block {
    Block {
        title: "IOStat by Function/Filetype summary".into(),
        summary: "IOStat by Function/Filetype summary. . 'Data' columns suffixed with M,G,T,P are in multiples of 1024 other columns suffixed with K,M,G,T,P are in multiples of 1000. Ordered by (Data Read + Write) desc for each function",
        notes: data_notes("-> Ordered by (Data Read + Write) desc for each function"),
        ruled: if style.release.times_carry_units() {
            "  Reads:  Reqs    Data   Writes:  Reqs    Data    Waits:      Avg\n\
             \x20   Data per sec per sec    Data per sec per sec   Count     Time\n\
             \x20------- ------- ------- ------- ------- ------- ------- ----------"
        } else {
            " Reads:   Reqs   Data    Writes:  Reqs   Data    Waits:    Avg\n\
             \x20Data    per sec per sec Data    per sec per sec Count    Tm(ms)\n\
             \x20------- ------- ------- ------- ------- ------- ------- -------"
        },
        columns: if style.release.times_carry_units() { &BOTH_UNITS } else { &BOTH_MS },
        rows: report
            .tables
            .io_function_filetype
            .iter()
            .map(|r| {
                let function = r.function.as_deref().unwrap_or("");
                let lead = match (&r.filetype, r.is_total) {
                    (_, true) => "TOTAL:".to_owned(),
                    (Some(file), _) => format!(" {function} ({file})"),
                    (None, _) => function.to_owned(),
                };
                let mut cells = volume(r, style);
                cells.extend(waits(r, style));
                Row { lead: Some(lead), ..Row::new(cells) }
            })
            .collect(),
        ..Block::default()
    }
}

/// Which columns the tablespace and file tables of a release have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    /// Up to 11.2.0.3.
    Plain,
    /// 11.2.0.4: single-block reads.
    SingleBlock,
    /// 12.1 and later HTML: share of optimised reads.
    Optimised,
    /// 12.2 and later HTML, tablespaces only: mean write.
    WriteTime,
}

impl Width {
    fn of(style: &Style, tablespaces: bool) -> Self {
        let html = style.layout == Layout::Html;
        match style.release {
            r if r < Release::V11_2_0_4 => Self::Plain,
            r if r >= Release::V12_2 && html && tablespaces => Self::WriteTime,
            r if r >= Release::V12_1 && html => Self::Optimised,
            _ => Self::SingleBlock,
        }
    }
}

fn measures(io: &TablespaceIo, style: &Style, tablespaces: bool) -> Vec<Cell> {
    let width = Width::of(style, tablespaces);
    let ms = |us: Option<f64>| style.fine(us.map(|us| us / 1e3), 1);
    let mut cells = vec![
        style.int(io.reads),
        style.int(io.reads_per_s),
        ms(io.avg_read_us),
        style.fine(io.blocks_per_read, 1),
    ];
    // 11.2.0.4 prints these three of a tablespace under each other's headings.
    if style.release == Release::V11_2_0_4 && tablespaces {
        cells.extend([style.int(io.writes), style.fine(io.one_block_reads_per_s, 1)]);
        cells.push(style.int(io.one_block_avg_us.map(|us| us / 1e3)));
    } else {
        if width >= Width::SingleBlock {
            cells.extend([style.int(io.one_block_reads_per_s), ms(io.one_block_avg_us)]);
        }
        if width >= Width::Optimised {
            cells.push(style.fine(io.optimized_reads_pct, 1));
        }
        cells.push(style.int(io.writes));
    }
    cells.push(style.int(io.writes_per_s));
    if width == Width::WriteTime {
        cells.push(ms(io.avg_write_us));
    }
    cells.extend([style.int(io.buffer_waits), ms(io.avg_buffer_wait_us)]);
    cells
}

#[rustfmt::skip]
fn columns(width: Width, file: bool) -> &'static [&'static str] {
    match (width, file) {
        (Width::Plain, false) => &["Tablespace", "Reads", "Av Reads/s", "Av Rd(ms)", "Av Blks/Rd", "Writes", "Av Writes/s", "Buffer Waits", "Av Buf Wt(ms)"],
        (Width::Plain, true) => &["Tablespace", "Filename", "Reads", "Av Reads/s", "Av Rd(ms)", "Av Blks/Rd", "Writes", "Av Writes/s", "Buffer Waits", "Av Buf Wt(ms)"],
        (Width::SingleBlock, false) => &["Tablespace", "Reads", "Av Rds/s", "Av Rd(ms)", "Av Blks/Rd", "1-bk Rds/s", "Av 1-bk Rd(ms)", "Writes", "Writes avg/s", "Buffer Waits", "Av Buf Wt(ms)"],
        (Width::SingleBlock, true) => &["Tablespace", "Filename", "Reads", "Av Rds/s", "Av Rd(ms)", "Av Blks/Rd", "1-bk Rds/s", "Av 1-bk Rd(ms)", "Writes", "Writes avg/s", "Buffer Waits", "Av Buf Wt(ms)"],
        (Width::Optimised, false) => &["Tablespace", "Reads", "Av Rds/s", "Av Rd(ms)", "Av Blks/Rd", "1-bk Rds/s", "Av 1-bk Rd(ms)", "% Opt Reads", "Writes", "Writes avg/s", "Buffer Waits", "Av Buf Wt(ms)"],
        (Width::Optimised | Width::WriteTime, true) => &["Tablespace", "Filename", "Reads", "Av Rds/s", "Av Rd(ms)", "Av Blks/Rd", "1-bk Rds/s", "Av 1-bk Rd(ms)", "% Opt Reads", "Writes", "Writes avg/s", "Buffer Waits", "Av Buf Wt(ms)"],
        (Width::WriteTime, false) => &["Tablespace", "Reads", "Av Rds/s", "Av Rd(ms)", "Av Blks/Rd", "1-bk Rds/s", "Av 1-bk Rd(ms)", "% Opt Reads", "Writes", "Writes avg/s", "Av Writes(ms)", "Buffer Waits", "Av Buf Wt(ms)"],
    }
}

pub(super) fn tablespaces(report: &Report, style: &Style) -> Block {
    let containers = super::names_containers(report, style);
    Block {
        title: "Tablespace IO Stats".into(),
        summary: "This table displays IO Statistics for different tablespaces. IO Statistics include amount of reads and writes, average read/write per second, average blocks per read, buffer waits",
        notes: vec!["-> ordered by IOs (Reads + Writes) desc".into()],
        ruled: if Width::of(style, true) == Width::Plain {
            "Tablespace\n\
             ------------------------------\n\
             \x20                Av       Av     Av                       Av     Buffer  Av Buf\n\
             \x20        Reads Reads/s  Rd(ms) Blks/Rd       Writes Writes/s      Waits  Wt(ms)\n\
             -------------- ------- ------- ------- ------------ -------- ---------- -------"
        } else {
            "Tablespace\n\
             ------------------------------\n\
             \x20         Av       Av     Av      1-bk  Av 1-bk          Writes   Buffer  Av Buf\n\
             \x20 Reads   Rds/s  Rd(ms) Blks/Rd   Rds/s  Rd(ms)  Writes   avg/s    Waits  Wt(ms)\n\
             ------- ------- ------- ------- ------- ------- ------- ------- -------- -------"
        },
        columns: columns(Width::of(style, true), false),
        own_columns: if containers {
            super::and_container(columns(Width::of(style, true), false))
        } else {
            None
        },
        rows: report
            .tables
            .tablespace_io
            .iter()
            .map(|r| {
                let mut cells = vec![Cell::name(r.tablespace.clone())];
                cells.extend(measures(r, style, true));
                cells.extend(containers.then(|| Cell::opt(r.container.as_deref())));
                Row::new(cells)
            })
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

pub(super) fn files(report: &Report, style: &Style) -> Block {
    let containers = super::names_containers(report, style);
    Block {
        title: "File IO Stats".into(),
        summary: "This table displays IO Statistics for different physical files. IO Statistics include amount of reads and writes, average read/write per second, average blocks per read, buffer waits",
        notes: vec!["-> ordered by Tablespace, File".into()],
        ruled: if Width::of(style, false) == Width::Plain {
            "Tablespace               Filename\n\
             ------------------------ ----------------------------------------------------\n\
             \x20                Av       Av     Av                       Av     Buffer  Av Buf\n\
             \x20        Reads Reads/s  Rd(ms) Blks/Rd       Writes Writes/s      Waits  Wt(ms)\n\
             -------------- ------- ------- ------- ------------ -------- ---------- -------"
        } else {
            "Tablespace               Filename\n\
             ------------------------ ----------------------------------------------------\n\
             \x20         Av       Av     Av      1-bk  Av 1-bk          Writes   Buffer  Av Buf\n\
             \x20 Reads   Rds/s  Rd(ms) Blks/Rd   Rds/s  Rd(ms)  Writes   avg/s    Waits  Wt(ms)\n\
             ------- ------- ------- ------- ------- ------- ------- ------- -------- -------"
        },
        columns: columns(Width::of(style, false), true),
        own_columns: if containers {
            super::and_container(columns(Width::of(style, false), true))
        } else {
            None
        },
        rows: report
            .tables
            .file_io
            .iter()
            .map(|r| {
                let mut cells = vec![Cell::name(r.io.tablespace.clone()), Cell::name(r.file.clone())];
                cells.extend(measures(&r.io, style, false));
                cells.extend(containers.then(|| Cell::opt(r.io.container.as_deref())));
                Row::new(cells)
            })
            .collect(),
        new_page: true,
        ..Block::default()
    }
}
