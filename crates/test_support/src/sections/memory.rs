//! Buffer pools, their advice, PGA.

use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::numbers::scientific;
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    vec![
        pools(report, style),
        cache_advice(report, style),
        pga_summary(report, style),
        pga_stats(report, style),
        pga_advice(report, style),
    ]
}

fn pools(report: &Report, style: &Style) -> Block {
    use Format::{Int, Name};
    Block {
        title: "Buffer Pool Statistics".into(),
        summary: "This table displays buffer pool statistics for different types of buffers, such as default, keep, and recycle. Statistics include number of buffers, % Pool hit, buffer gets, physical reads, physical writes, free buffer wait, etc.",
        notes: vec![
            "-> Standard block size Pools  D: default,  K: keep,  R: recycle".into(),
            "-> Default Pools for other block sizes: 2k, 4k, 8k, 16k, 32k".into(),
        ],
        ruled: "                                                            Free   Writ   Buffer\n\
                \x20    Number of Pool       Buffer     Physical    Physical   Buff   Comp     Busy\n\
                P      Buffers Hit%         Gets        Reads      Writes   Wait   Wait    Waits\n\
                --- ---------- ---- ------------ ------------ ----------- ------ ------ --------",
        columns: &[
            "P",
            "Number of Buffers",
            "Pool Hit%",
            "Buffer Gets",
            "Physical Reads",
            "Physical Writes",
            "Free Buff Wait",
            "Writ Comp Wait",
            "Buffer Busy Waits",
        ],
        rows: report
            .tables
            .buffer_pool
            .iter()
            .map(|r| {
                let mut cells = printed(r, &[Name, Int, Int, Int, Int, Int, Int, Int, Int], style);
                cells[3] = style.wide(r.cells.get(3).and_then(|_| r.number("buffer_gets")), 12);
                Row::new(cells)
            })
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

impl Style {
    fn wide(&self, value: Option<f64>, width: usize) -> Cell {
        match value {
            Some(v) if self.grouped(v, 0).len() > width && !self.hashes => {
                Cell::Number(self.localised(scientific(v, width - 6)))
            }
            v => self.int(v),
        }
    }
}

pub(super) fn cache_advice(report: &Report, style: &Style) -> Block {
    if style.release < Release::V11_2_0_3 {
        return early_cache_advice(report, style);
    }
    Block {
        title: "Buffer Pool Advisory".into(),
        summary: "This table displays MTTR advisory. It displays size for estimate, dirty limit, estimated cache writes, estimated cache write factor, estimated total write, estimated total IO per second, etc.",
        notes: vec![
            "-> Only rows with estimated physical reads >0 are displayed".into(),
            "-> ordered by Block Size, Buffers For Estimate".into(),
        ],
        ruled: "                                    Est\n\
                \x20                                  Phys      Estimated                  Est\n\
                \x20   Size for   Size      Buffers   Read     Phys Reads     Est Phys %DBtime\n\
                P    Est (M) Factor  (thousands) Factor    (thousands)    Read Time for Rds\n\
                --- -------- ------ ------------ ------ -------------- ------------ -------",
        columns: &[
            "P",
            "Size for Est (M)",
            "Size Factor",
            "Buffers (thousands)",
            "Est Phys Read Factor",
            "Estimated Phys Reads (thousands)",
            "Est Phys Read Time",
            "Est %DBtime for Rds",
        ],
        rows: report
            .tables
            .db_cache_advice
            .iter()
            .map(|r| {
                Row::new(vec![
                    Cell::opt(r.pool.as_deref()),
                    style.int(r.size_bytes.map(|b| b / 1_048_576.0)),
                    style.short(r.size_factor, 1),
                    style.int(r.buffers.map(|b| b / 1e3)),
                    style.fine(r.read_factor, 1),
                    style.int(r.estimated_reads.map(|b| b / 1e3)),
                    style.int(r.estimated_read_time_s),
                    style.fine(r.estimated_db_time_pct, 1),
                ])
            })
            .collect(),
        one_snap: true,
        ..Block::default()
    }
}

/// Up to 11.1: whole numbers of buffers and reads, no read time.
fn early_cache_advice(report: &Report, style: &Style) -> Block {
    let rows = report.tables.db_cache_advice.iter().map(|r| {
        Row::new(vec![
            Cell::opt(r.pool.as_deref()),
            style.int(r.size_bytes.map(|b| b / 1_048_576.0)),
            style.short(r.size_factor, 1),
            style.int(r.buffers),
            style.fine(r.read_factor, 1),
            style.int(r.estimated_reads),
        ])
    });
    Block {
        title: "Buffer Pool Advisory".into(),
        notes: vec![
            "-> Only rows with estimated physical reads >0 are displayed".into(),
            "-> ordered by Block Size, Buffers For Estimate".into(),
        ],
        ruled: "                                       Est\n\
                \x20                                     Phys\n\
                \x20   Size for   Size      Buffers for  Read          Estimated\n\
                P    Est (M) Factor         Estimate Factor     Physical Reads\n\
                --- -------- ------ ---------------- ------ ------------------",
        columns: &[
            "P",
            "Size for Est (M)",
            "Size Factor",
            "Buffers for Estimate",
            "Est Phys Read Factor",
            "Estimated Physical Reads",
        ],
        rows: rows.collect(),
        one_snap: true,
        ..Block::default()
    }
}

pub(super) fn pga_summary(report: &Report, style: &Style) -> Block {
    let rows = report.tables.pga_aggregate.iter().filter(|r| r.number("pga_cache_hit_pct").is_some());
    Block {
        title: "PGA Aggr Summary".into(),
        summary: "This table displays PGA aggregate summary. It includes PGA cache hits, total wait time, average time for each class of buffer wait and WorkArea data processed.",
        notes: vec!["-> PGA cache hit % - percentage of W/A (WorkArea) data processed only in-memory".into()],
        ruled: "PGA Cache Hit %   W/A MB Processed  Extra W/A MB Read/Written\n\
                --------------- ------------------ --------------------------",
        columns: &["PGA Cache Hit %", "W/A MB Processed", "Extra W/A MB Read/Written"],
        rows: rows
            .map(|r| Row::new(printed(r, &[Format::Fine(1), Format::Int, Format::Int], style)))
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

pub(super) fn pga_stats(report: &Report, style: &Style) -> Block {
    use Format::{Fine, Int, Name, Short};
    let rows = report.tables.pga_aggregate.iter().filter(|r| r.number("pga_cache_hit_pct").is_none());
    Block {
        title: "PGA Aggr Target Stats".into(),
        summary: "This table displays PGA aggregate target statistics for begin and end snapshot. Statistics include PGA aggregate target, auto PGA target, PGA memory allocation, etc.",
        notes: vec![
            "-> B: Begin Snap   E: End Snap (rows dentified with B or E contain data".into(),
            "   which is absolute i.e. not diffed over the interval)".into(),
            "-> Auto PGA Target - actual workarea memory target".into(),
            "-> W/A PGA Used    - amount of memory used for all Workareas (manual + auto)".into(),
            "-> %PGA W/A Mem    - percentage of PGA memory allocated to workareas".into(),
            "-> %Auto W/A Mem   - percentage of workarea memory controlled by Auto Mem Mgmt".into(),
            "-> %Man W/A Mem    - percentage of workarea memory under manual control".into(),
        ],
        ruled: "                                                %PGA  %Auto   %Man\n\
                \x20   PGA Aggr   Auto PGA   PGA Mem    W/A PGA     W/A    W/A    W/A Global Mem\n\
                \x20  Target(M)  Target(M)  Alloc(M)    Used(M)     Mem    Mem    Mem   Bound(K)\n\
                - ---------- ---------- ---------- ---------- ------ ------ ------ ----------",
        columns: &[
            "",
            "PGA Aggr Target(M)",
            "Auto PGA Target(M)",
            "PGA Mem Alloc(M)",
            "W/A PGA Used(M)",
            "%PGA W/A Mem",
            "%Auto W/A Mem",
            "%Man W/A Mem",
            "Global Mem Bound(K)",
        ],
        rows: rows
            .map(|r| {
                Row::new(printed(
                    r,
                    &[Name, Int, Int, Fine(1), Fine(1), Short(1), Short(1), Short(1), Int],
                    style,
                ))
            })
            .collect(),
        ..Block::default()
    }
}

pub(super) fn pga_advice(report: &Report, style: &Style) -> Block {
    Block {
        title: "PGA Memory Advisory".into(),
        summary: "This table displays PGA memory advisory for different estimated PGA target sizes. It displays size factor, Workarea MB processed, estimated PGA cache hit, estimated extra Workarea MB read written to disk, etc., for each target size.",
        notes: vec![
            "-> When using Auto Memory Mgmt, minimally choose a pga_aggregate_target value".into(),
            "   where Estd PGA Overalloc Count is 0".into(),
        ],
        ruled: "                                       Estd Extra    Estd P Estd PGA\n\
                PGA Target    Size           W/A MB   W/A MB Read/    Cache Overallo    Estd\n\
                \x20 Est (MB)   Factr        Processed Written to Disk   Hit %    Count    Time\n\
                ---------- ------- ---------------- ---------------- ------ -------- -------",
        columns: &[
            "PGA Target Est (MB)",
            "Size Factr",
            "W/A MB Processed",
            "Estd Extra W/A MB Read/ Written to Disk",
            "Estd PGA Cache Hit %",
            "Estd PGA Overalloc Count",
            "Estd Time",
        ],
        rows: report
            .tables
            .pga_advice
            .iter()
            .map(|r| {
                let mb = |b: Option<f64>| b.map(|b| b / 1_048_576.0);
                let time = r.estimated_time_s.map_or(Cell::Blank, |seconds| {
                    let t = seconds * 1e6;
                    if t >= 1e6 && style.layout == Layout::Text {
                        Cell::Number(style.localised(scientific(t, 1)))
                    } else {
                        style.int(Some(t))
                    }
                });
                Row::new(vec![
                    style.int(mb(r.target_bytes)),
                    style.fine(r.size_factor, 1),
                    style.fine(mb(r.processed_bytes), 1),
                    style.fine(mb(r.extra_rw_bytes), 1),
                    style.fine(r.cache_hit_pct, 1),
                    style.int(r.over_allocations),
                    time,
                ])
            })
            .collect(),
        one_snap: true,
        ..Block::default()
    }
}
