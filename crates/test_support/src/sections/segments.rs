//! Segments by each ranking.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report};

/// What differs from ranking to ranking: key, title, what the total is called, column heading.
struct Ranking {
    ranked_by: &'static str,
    title: &'static str,
    summary: &'static str,
    /// `-> Total ...:`; rankings without one print the share of what was captured.
    total: Option<&'static str>,
    ruled: &'static str,
    html: &'static [&'static str],
    /// First release that prints it.
    since: Release,
    /// The same from 12.1, with object numbers.
    ruled_numbered: &'static str,
    html_numbered: &'static [&'static str],
}

macro_rules! ranking {
    ($since:ident, $by:literal, $title:literal, $words:literal, $value:literal, $total:expr, $over:literal, $one:literal, $two:literal, $html:literal, $pct:literal, $pct_one:literal, $pct_two:literal) => {
        Ranking {
            ranked_by: $by,
            title: concat!("Segments by ", $title),
            summary: concat!("This table displays top segments by ", $words, ". Owner, tablespace name, object type, ", $value, ", etc. are displayed for each segment"),
            total: $total,
            since: Release::$since,
            ruled: concat!(
                $over,
                "           Tablespace                      Subobject  Obj.  ",
                $one,
                $pct_one,
                "\nOwner         Name    Object Name            Name     Type  ",
                $two,
                $pct_two,
                "\n---------- ---------- -------------------- ---------- ----- ------------ -------"
            ),
            html: &["Owner", "Tablespace Name", "Object Name", "Subobject Name", "Obj. Type", $html, $pct],
            ruled_numbered: concat!(
                "                     Tablespace\nOwner                   Name\n-------------------- ----------\n",
                $over,
                "                     Subobject  Obj.                        ",
                $one,
                $pct_one,
                "\nObject Name            Name     Type        Obj#   Dataobj# ",
                $two,
                $pct_two,
                "\n-------------------- ---------- ----- ---------- ---------- ------------ -------"
            ),
            html_numbered: &[
                "Owner",
                "Tablespace Name",
                "Object Name",
                "Subobject Name",
                "Obj. Type",
                "Obj#",
                "Dataobj#",
                $html,
                $pct,
            ],
        }
    };
}

const RANKINGS: &[Ranking] = &[
    ranking!(
        V10_2,
        "logical_reads",
        "Logical Reads",
        "logical reads",
        "logical read",
        Some("Logical Reads"),
        "",
        "     Logical",
        "       Reads",
        "Logical Reads",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V10_2,
        "physical_reads",
        "Physical Reads",
        "physical reads",
        "physical reads",
        Some("Physical Reads"),
        "",
        "    Physical",
        "       Reads",
        "Physical Reads",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_2_0_3,
        "physical_read_requests",
        "Physical Read Requests",
        "physical read requests",
        "physical read requests",
        Some("Physical Read Requests"),
        "",
        "   Phys Read",
        "    Requests",
        "Phys Read Requests",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_2_0_3,
        "unoptimized_reads",
        "UnOptimized Reads",
        "unoptimized reads",
        "unoptimized reads",
        Some("UnOptimized Read Requests"),
        "",
        " UnOptimized",
        "       Reads",
        "UnOptimized Reads",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_2_0_3,
        "optimized_reads",
        "Optimized Reads",
        "optimized reads",
        "optimized reads",
        Some("Optimized Read Requests"),
        "",
        "   Optimized",
        "       Reads",
        "Optimized Reads",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_1,
        "direct_reads",
        "Direct Physical Reads",
        "direct physical reads",
        "direct reads",
        Some("Direct Physical Reads"),
        "",
        "      Direct",
        "       Reads",
        "Direct Reads",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_1,
        "physical_writes",
        "Physical Writes",
        "physical writes",
        "physical writes",
        Some("Physical Writes"),
        "",
        "    Physical",
        "      Writes",
        "Physical Writes",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_2_0_3,
        "physical_write_requests",
        "Physical Write Requests",
        "physical write requests",
        "physical write requests",
        Some("Physical Write Requestss"),
        "",
        "  Phys Write",
        "    Requests",
        "Phys Write Requests",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_1,
        "direct_writes",
        "Direct Physical Writes",
        "direct physical writes",
        "direct writes",
        Some("Direct Physical Writes"),
        "",
        "      Direct",
        "      Writes",
        "Direct Writes",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_1,
        "table_scans",
        "Table Scans",
        "table scans",
        "table scans",
        Some("Table Scans"),
        "",
        "       Table",
        "       Scans",
        "Table Scans",
        "%Total",
        "",
        "  %Total"
    ),
    ranking!(
        V11_1,
        "block_changes",
        "DB Blocks Changes",
        "DB blocks changes",
        "db block changes",
        None,
        "",
        "    DB Block",
        "     Changes",
        "DB Block Changes",
        "% of Capture",
        "    % of",
        " Capture"
    ),
    ranking!(
        V10_2,
        "row_lock_waits",
        "Row Lock Waits",
        "row lock waits",
        "row lock waits",
        None,
        "                                                                     Row\n",
        "        Lock",
        "       Waits",
        "Row Lock Waits",
        "% of Capture",
        "    % of",
        " Capture"
    ),
    ranking!(
        V10_2,
        "itl_waits",
        "ITL Waits",
        "ITL waits",
        "ITL waits",
        None,
        "",
        "         ITL",
        "       Waits",
        "ITL Waits",
        "% of Capture",
        "    % of",
        " Capture"
    ),
    ranking!(
        V10_2,
        "buffer_busy_waits",
        "Buffer Busy Waits",
        "buffer busy waits",
        "buffer busy waits",
        None,
        "                                                                  Buffer\n",
        "        Busy",
        "       Waits",
        "Buffer Busy Waits",
        "% of Capture",
        "    % of",
        " Capture"
    ),
];

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let printed = RANKINGS.iter().filter(|r| style.release >= r.since);
    printed.enumerate().map(|(i, ranking)| block(report, style, ranking, i == 0)).collect()
}

fn block(report: &Report, style: &Style, ranking: &Ranking, new_page: bool) -> Block {
    let rows: Vec<_> =
        report.tables.segment_stat.iter().filter(|s| s.ranked_by == ranking.ranked_by).collect();
    let numbered = style.release >= Release::V12_1;
    let containers = super::names_containers(report, style);
    let mut notes = Vec::new();
    if let Some(first) = rows.first() {
        if let Some(total) = ranking.total {
            notes.push(format!("-> Total {total}: {:>15}", style.int(first.section_total).text()));
            notes.push(format!(
                "-> Captured Segments account for {:>6}% of Total",
                style.num(first.captured_pct, 1).text()
            ));
        } else {
            let what = ranking.title.trim_start_matches("Segments by ");
            notes.push(format!(
                "-> % of Capture shows % of {} for each top segment compared",
                what.to_lowercase()
            ));
            notes.push(format!(
                "-> with total {} for all segments captured by the Snapshot",
                what.to_lowercase()
            ));
        }
    }
    Block {
        title: ranking.title.into(),
        summary: ranking.summary,
        notes,
        ruled: if numbered { ranking.ruled_numbered } else { ranking.ruled },
        columns: if numbered { ranking.html_numbered } else { ranking.html },
        own_columns: if containers { super::and_container(ranking.html_numbered) } else { None },
        rows: rows
            .iter()
            .map(|s| {
                let mut cells = vec![
                    Cell::opt(s.owner.as_deref()),
                    Cell::opt(s.tablespace.as_deref()),
                    Cell::opt(s.object.as_deref()),
                    Cell::opt(s.subobject.as_deref()),
                    Cell::opt(s.object_type.as_deref()),
                ];
                if numbered {
                    let object = s.object_number.map_or(Cell::Blank, |n| Cell::Number(n.to_string()));
                    cells.extend([object.clone(), object]);
                }
                cells.push(style.int(s.value));
                cells.push(match style.layout {
                    Layout::Text => style.bare(s.share_pct, 2),
                    Layout::Html => style.num(s.share_pct, 2),
                });
                cells.extend(containers.then(|| Cell::opt(s.container.as_deref())));
                let mut row = Row::new(cells);
                row.trail.extend(super::container_line(report, style, s.container.as_deref()));
                row
            })
            .collect(),
        new_page,
        ..Block::default()
    }
}
