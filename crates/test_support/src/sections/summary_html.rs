//! The first tables of an HTML report: header and Report Summary.

use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report, Side};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let late = style.release >= Release::V11_2_0_4;
    let mut out = header(report, style);
    if !late {
        out.push(cache_sizes(report, style));
    }
    out.push(load_profile(report, style));
    out.push(efficiency(report, style));
    if !late {
        out.push(memory(report, style, true));
    }
    out.push(top_events(report, style));
    if late {
        out.push(wait_classes(report, style));
    }
    out.extend(host_cpu(report, style));
    if late {
        out.push(io_profile(report, style));
    }
    out.push(memory(report, style, false));
    if late {
        out.push(cache_sizes(report, style));
        out.push(memory(report, style, true));
    }
    out
}

pub(super) fn plain(
    heading: &str,
    summary: &'static str,
    columns: &'static [&'static str],
    rows: Vec<Vec<Cell>>,
) -> Block {
    Block {
        heading: heading.to_owned(),
        summary,
        columns,
        rows: rows.into_iter().map(Row::new).collect(),
        plain: true,
        only: Some(Layout::Html),
        ..Block::default()
    }
}

pub(super) fn number(value: Option<u64>) -> Cell {
    value.map_or(Cell::Blank, |n| Cell::Number(n.to_string()))
}

fn header(report: &Report, style: &Style) -> Vec<Block> {
    let id = &report.identity;
    let opt = |v: &Option<String>| Cell::opt(v.as_deref());
    let yes = |v: Option<bool>| Cell::opt(v.map(|v| if v { "YES" } else { "NO" }));
    let mut started = id.startup_time.clone().unwrap_or_default();
    if style.release < Release::V18
        && let Some(month) = started.get(5..7).map(str::to_owned)
        && started.len() >= 16
    {
        // Oracle's own slip: the month where the minutes should stand.
        started.replace_range(14..16, &month);
    }
    let start = Cell::name(style.date(&started).chars().take(15).collect::<String>());
    let release = Cell::name(id.version.clone().unwrap_or_else(|| style.release.number().to_owned()));
    let summary = "This table displays database instance information";
    let instance_number = number(id.instance_number.map(u64::from));
    let mut out = Vec::new();
    if style.release >= Release::V12_2 {
        out.push(plain(
            "",
            summary,
            &["DB Name", "DB Id", "Unique Name", "Role", "Edition", "Release", "RAC", "CDB"],
            vec![vec![
                opt(&id.db_name),
                number(id.db_id),
                opt(&id.db_name),
                opt(&id.role),
                Cell::name("EE"),
                release,
                yes(id.rac),
                yes(id.cdb),
            ]],
        ));
        out.push(plain(
            "",
            summary,
            &["Instance", "Inst Num", "Startup Time"],
            vec![vec![opt(&id.instance), instance_number, start]],
        ));
        if let Some(name) = &id.container {
            out.push(plain(
                "",
                "This table displays pdb instance information",
                &["Container DB Id", "Container Name", "Open Time"],
                vec![vec![
                    Cell::Number("3141592653".into()),
                    Cell::name(name.clone()),
                    Cell::name(style.date("2018-01-02T03:05").chars().take(15).collect::<String>()),
                ]],
            ));
        }
    } else {
        out.push(plain(
            "",
            summary,
            &["DB Name", "DB Id", "Instance", "Inst num", "Startup Time", "Release", "RAC"],
            vec![vec![
                opt(&id.db_name),
                number(id.db_id),
                opt(&id.instance),
                instance_number,
                start,
                release,
                yes(id.rac),
            ]],
        ));
    }
    out.push(plain(
        "",
        "This table displays host information",
        &["Host Name", "Platform", "CPUs", "Cores", "Sockets", "Memory (GB)"],
        vec![vec![
            opt(&id.host),
            opt(&id.platform),
            style.plain(id.cpus, 0),
            style.plain(id.cores, 0),
            style.plain(id.sockets, 0),
            style.plain(id.memory_bytes.map(|b| b / 1_073_741_824.0), 2),
        ]],
    ));
    let snap = |label: &str, n: Option<u64>, time: &Option<String>, sessions: Option<f64>| {
        vec![
            Cell::name(label),
            number(n),
            Cell::name(style.date(time.as_deref().unwrap_or(""))),
            style.int(sessions),
            style.plain(Some(style.cursors_per_session), 1),
        ]
    };
    let minutes = |label: &str, s: Option<f64>| {
        let text = style.num(s.map(|s| s / 60.0), 2);
        vec![
            Cell::name(label),
            Cell::Blank,
            Cell::name(format!("{:>19} (mins)", text.text())),
            Cell::Blank,
            Cell::Blank,
        ]
    };
    out.push(plain(
        "",
        "This table displays snapshot information",
        &["", "Snap Id", "Snap Time", "Sessions", "Cursors/Session"],
        vec![
            snap("Begin Snap:", id.begin_snap, &id.begin_time, id.begin_sessions),
            snap("End Snap:", id.end_snap, &id.end_time, id.end_sessions),
            minutes("Elapsed:", id.elapsed_s),
            minutes("DB Time:", id.db_time_s),
        ],
    ));
    out
}

pub(super) fn cache_sizes(report: &Report, style: &Style) -> Block {
    let size = |name: &str, key: &str| {
        report.tables.cache_size.iter().find(|r| r.text("name") == Some(name)).and_then(|r| r.number(key))
    };
    let kilo = |b: Option<f64>| b.map_or(Cell::Blank, |b| Cell::Number(style.grouped(b / 1024.0, 0) + "K"));
    let rows = report
        .tables
        .cache_size
        .iter()
        .filter(|r| r.text("name") != Some("Log Buffer"))
        .map(|r| {
            let name = r.text("name").unwrap_or("");
            let (label, value) = match name {
                "Buffer Cache" => {
                    (Cell::name("Std Block Size:"), kilo(report.identity.block_size_bytes.map(|b| b as f64)))
                }
                "Shared Pool Size" => (Cell::name("Log Buffer:"), kilo(size("Log Buffer", "begin_bytes"))),
                _ => (Cell::Blank, Cell::Blank),
            };
            vec![
                Cell::name(format!("{name}:")),
                style.megabytes(r.number("begin_bytes")),
                style.megabytes(r.number("end_bytes")),
                label,
                value,
            ]
        })
        .collect();
    plain(
        "Cache Sizes",
        "This table displays cache sizes and other statistics for\n                    different types of cache",
        &["", "Begin", "End", "", ""],
        rows,
    )
}

fn load_profile(report: &Report, style: &Style) -> Block {
    let rows = report
        .tables
        .load_profile
        .iter()
        .map(|r| {
            vec![
                Cell::name(format!("{}:", r.metric)),
                style.num(r.per_second, 1),
                style.num(r.per_transaction, 1),
                style.num(r.per_exec, 2),
                style.num(r.per_call, 2),
            ]
        })
        .collect();
    plain(
        "Load Profile",
        "This table displays load profile",
        &["", "Per Second", "Per Transaction", "Per Exec", "Per Call"],
        rows,
    )
}

pub(super) fn efficiency(report: &Report, style: &Style) -> Block {
    let cells: Vec<Vec<Cell>> = report
        .tables
        .efficiency
        .iter()
        .map(|r| {
            let cells = printed(r, &[Format::Name, Format::Fixed(2)], style);
            vec![Cell::name(format!("{}:", cells[0].text())), cells[1].clone()]
        })
        .collect();
    plain(
        "Instance Efficiency Percentages (Target 100%)",
        "This table displays instance efficiency percentages",
        &[],
        cells.chunks(2).map(|c| c.concat()).collect(),
    )
}

pub(super) fn memory(report: &Report, style: &Style, shared_pool: bool) -> Block {
    let rows = report
        .tables
        .memory_stat
        .iter()
        .filter(|r| r.text("statistic").is_some_and(super::summary::is_shared_pool) == shared_pool)
        .map(|r| {
            let name = r.text("statistic").unwrap_or("");
            let decimals = if shared_pool || name.starts_with('%') { 2 } else { 1 };
            let mut cells =
                printed(r, &[Format::Name, Format::Fixed(decimals), Format::Fixed(decimals)], style);
            cells[0] = Cell::name(format!("{name}:"));
            cells
        })
        .collect();
    if shared_pool {
        plain(
            "Shared Pool Statistics",
            "This table displays shared pool statistics",
            &["", "Begin", "End"],
            rows,
        )
    } else {
        plain("Memory Statistics", "This table displays memory statistics", &["", "Begin", "End"], rows)
    }
}

fn top_events(report: &Report, style: &Style) -> Block {
    let late = style.release >= Release::V11_2_0_4;
    let rows = report
        .tables
        .top_event
        .iter()
        .map(|e| {
            vec![
                Cell::name(e.event.clone()),
                style.int(e.waits),
                if late { style.bare(e.time_s, 1) } else { style.int(e.time_s) },
                style.avg_wait(e.avg_wait_us),
                if late { style.bare(e.share_pct, 1) } else { style.num(e.share_pct, 2) },
                Cell::opt(e.wait_class.as_deref()),
            ]
        })
        .collect();
    if style.release.times_carry_units() {
        plain(
            "Top 10 Foreground Events by Total Wait Time",
            "This table displays top 10 wait events by total wait time",
            &["Event", "Waits", "Total Wait Time (sec)", "Avg Wait", "% DB time", "Wait Class"],
            rows,
        )
    } else if late {
        plain(
            "Top 10 Foreground Events by Total Wait Time",
            "This table displays top 10 wait events by total wait time",
            &["Event", "Waits", "Total Wait Time (sec)", "Wait Avg(ms)", "% DB time", "Wait Class"],
            rows,
        )
    } else {
        plain(
            "Top 5 Timed Foreground Events",
            "Top 5 Timed Foreground Events",
            &["Event", "Waits", "Time(s)", "Avg wait (ms)", "% DB time", "Wait Class"],
            rows,
        )
    }
}

fn wait_classes(report: &Report, style: &Style) -> Block {
    let rows = report
        .tables
        .wait_class
        .iter()
        .filter(|c| c.side == Side::All)
        .map(|c| {
            let sessions = c.time_s.zip(report.identity.elapsed_s).map(|(t, e)| t / e);
            vec![
                Cell::name(c.wait_class.clone()),
                style.int(c.waits),
                style.int(c.time_s),
                style.avg_wait(c.avg_wait_us),
                style.bare(c.share_pct, 1),
                style.num(sessions, 1),
            ]
        })
        .collect();
    plain(
        "Wait Classes by Total Wait Time",
        "This table displays wait class statistics ordered by total wait time",
        if style.release.times_carry_units() {
            &[
                "Wait Class",
                "Waits",
                "Total Wait Time (sec)",
                "Avg Wait Time",
                "% DB time",
                "Avg Active Sessions",
            ]
        } else {
            &[
                "Wait Class",
                "Waits",
                "Total Wait Time (sec)",
                "Avg Wait (ms)",
                "% DB time",
                "Avg Active Sessions",
            ]
        },
        rows,
    )
}

fn host_cpu(report: &Report, style: &Style) -> Vec<Block> {
    let Some(host) = report.tables.host_cpu.first() else { return Vec::new() };
    let id = &report.identity;
    let whole = |v: Option<f64>| style.plain(v, 0);
    let measures = vec![
        style.num(host.load_begin, 2),
        style.num(host.load_end, 2),
        style.num(host.user_pct, 1),
        style.num(host.system_pct, 1),
        style.num(host.io_wait_pct, 1),
        style.num(host.idle_pct, 1),
    ];
    let summary = "This table displays system load statistics";
    let block = if style.release >= Release::V11_2_0_4 {
        let mut row = vec![whole(id.cpus), whole(id.cores), whole(id.sockets)];
        row.extend(measures);
        plain(
            "Host CPU",
            summary,
            &[
                "CPUs",
                "Cores",
                "Sockets",
                "Load Average Begin",
                "Load Average End",
                "%User",
                "%System",
                "%WIO",
                "%Idle",
            ],
            vec![row],
        )
    } else {
        let heading = format!(
            "Host CPU (CPUs: {:>4} Cores: {:>4} Sockets: {:>4})",
            whole(id.cpus).text(),
            whole(id.cores).text(),
            whole(id.sockets).text()
        );
        plain(
            &heading,
            summary,
            &["Load Average Begin", "Load Average End", "%User", "%System", "%WIO", "%Idle"],
            vec![measures],
        )
    };
    let (total, busy) = super::summary::instance_cpu(report);
    vec![
        block,
        plain(
            "Instance CPU",
            "This table displays CPU usage and wait statistics",
            &["%Total CPU", "%Busy CPU", "%DB time waiting for CPU (Resource Manager)"],
            vec![vec![style.num(total, 1), style.num(busy, 1), style.num(Some(0.0), 1)]],
        ),
    ]
}

fn io_profile(report: &Report, style: &Style) -> Block {
    let rows = report
        .tables
        .io_profile
        .iter()
        .map(|r| {
            vec![
                Cell::name(format!("{}:", r.metric)),
                style.num(r.read_write_per_s, 1),
                style.num(r.reads_per_s, 1),
                style.num(r.writes_per_s, 1),
            ]
        })
        .collect();
    plain(
        "IO Profile",
        "This table displays IO profile",
        &["", "Read+Write Per Second", "Read per Second", "Write Per Second"],
        rows,
    )
}
