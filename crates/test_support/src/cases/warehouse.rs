//! A data warehouse that spills to temp: a database after experiment E7, four instances of 11.2.0.3.
//!
//! From the experiment: the tables and indexes, that temp and a few of them deserve the fast tier,
//! reads of 10 to 25 ms on disks, 20.2 thousand blocks read a second. All else is our invention.
//!
//! An [`Hour`] is what differs between hours of this database; `tier_zero` is another one.

use super::build::{
    Base, Event, File, Flow, SegmentValue, SqlTotals, Statement, add_files, add_segments, add_sql, add_waits,
    bell, event, n, os, printed, split, t, total,
};
use spindle_facts::{
    DbCacheAdvice, HostCpu, Identity, InstanceStat, Kind, Layout, Metric, Parameter, PgaAdvice, Report,
};

/// The four instances, in order of number.
#[must_use]
pub fn warehouse() -> Vec<Report> {
    four_instances(&Hour {
        begin_snap: 2204,
        begin_time: "2012-10-22T21:00:03",
        end_time: "2012-10-22T22:00:04",
        foreground: FOREGROUND,
        background: BACKGROUND,
        cpu_s: 5_406.0,
        queries: QUERIES
            .iter()
            .map(|(sql_id, text, executions, [cpu_pct, io_pct, reads_pct])| Query {
                sql_id,
                module: "dwh-reports",
                text,
                executions: *executions,
                runs_on: None,
                cpu_pct: *cpu_pct,
                io_pct: *io_pct,
                reads_pct: *reads_pct,
                blocks_a_request: 29.0,
            })
            .collect(),
        files: [
            ("TPCH_DATA", "+DWDATA/dwh/datafile/tpch_data.270.801110021", [27.0, 46.0, 52.0, 6.0]),
            ("TPCH_DATA", "+DWDATA/dwh/datafile/tpch_data.271.801110044", [25.0, 43.0, 47.0, 6.0]),
            ("TPCH_IDX", "+DWDATA/dwh/datafile/tpch_idx.272.801110061", [45.0, 9.0, 1.0, 4.0]),
            ("SYSAUX", "+DWDATA/dwh/datafile/sysaux.257.801108804", [1.6, 1.4, 0.0, 44.0]),
            ("SYSTEM", "+DWDATA/dwh/datafile/system.256.801108798", [1.0, 0.6, 0.0, 11.0]),
            ("UNDOTBS1", "+DWDATA/dwh/datafile/undotbs1.259.801108810", [0.4, 0.0, 0.0, 29.0]),
        ],
        segments: &[
            Ranking {
                ranked_by: "logical_reads",
                captured_pct: 88.0,
                rows: &[
                    ("TPCH_DATA", "H_LINEITEM", "TABLE", 41.0),
                    ("TPCH_IDX", "LINEITEM_IDX1", "INDEX", 12.0),
                    ("TPCH_IDX", "PARTSUPP_IDX2", "INDEX", 9.0),
                    ("TPCH_DATA", "H_SUPPLIER", "TABLE", 6.0),
                    ("TPCH_IDX", "CUSTOMER_IDX1", "INDEX", 4.0),
                ],
            },
            Ranking {
                ranked_by: "physical_reads",
                captured_pct: 34.1,
                rows: &[
                    ("TPCH_DATA", "H_LINEITEM", "TABLE", 51.0),
                    ("TPCH_DATA", "H_ORDER", "TABLE", 19.0),
                    ("TPCH_DATA", "H_PARTSUPP", "TABLE", 12.0),
                    ("TPCH_DATA", "H_CUSTOMER", "TABLE", 6.0),
                    ("TPCH_IDX", "LINEITEM_IDX2", "INDEX", 2.6),
                ],
            },
            Ranking {
                ranked_by: "direct_reads",
                captured_pct: 30.4,
                rows: &[
                    ("TPCH_DATA", "H_LINEITEM", "TABLE", 56.0),
                    ("TPCH_DATA", "H_ORDER", "TABLE", 21.0),
                    ("TPCH_DATA", "H_PARTSUPP", "TABLE", 13.0),
                    ("TPCH_DATA", "H_PART", "TABLE", 4.0),
                ],
            },
        ],
    })
}

/// Loads of the four instances against the hour's events.
pub(super) const LOADS: [f64; 4] = [1.0, 0.97, 1.06, 0.94];

pub(super) fn four_instances(hour: &Hour) -> Vec<Report> {
    LOADS.into_iter().zip(1..).map(|(load, number)| instance(hour, number, load)).collect()
}

/// An hour of the database, for an instance at load 1.
pub(super) struct Hour {
    pub(super) begin_snap: u64,
    pub(super) begin_time: &'static str,
    pub(super) end_time: &'static str,
    pub(super) foreground: &'static [Event],
    pub(super) background: &'static [Event],
    pub(super) cpu_s: f64,
    pub(super) queries: Vec<Query>,
    /// Tablespace, name, shares of single-block, multi-block and direct reads and of writes, percent.
    pub(super) files: [(&'static str, &'static str, [f64; 4]); 6],
    pub(super) segments: &'static [Ranking],
}

/// A query, with its shares of an instance's CPU, user I/O and blocks read, percent.
pub(super) struct Query {
    pub(super) sql_id: &'static str,
    pub(super) module: &'static str,
    pub(super) text: &'static str,
    pub(super) executions: f64,
    /// Instance that its sessions are connected to; its parallel processes run on all. `None`: it is
    /// run on each.
    pub(super) runs_on: Option<u32>,
    pub(super) cpu_pct: f64,
    pub(super) io_pct: f64,
    pub(super) reads_pct: f64,
    pub(super) blocks_a_request: f64,
}

/// A ranking of segments: tablespace, name, type, percent of what segments read that way.
pub(super) struct Ranking {
    pub(super) ranked_by: &'static str,
    pub(super) captured_pct: f64,
    pub(super) rows: &'static [(&'static str, &'static str, &'static str, f64)],
}

const MB: f64 = 1_048_576.0;
pub(super) const ELAPSED_S: f64 = 3_601.2;
/// Blocks read a second over the four instances. Source: E7.
pub(super) const BLOCKS_PER_S: f64 = 20_200.0;
/// Blocks of a read by `db file scattered read`, and of one of temp.
pub(super) const SCATTERED_BLOCKS: f64 = 22.0;
pub(super) const TEMP_BLOCKS: f64 = 31.0;

/// Waits and seconds of one instance at load 1.
const FOREGROUND: &[Event] = &[
    event("direct path read temp", "User I/O", 380_412.0, 5_554.0),
    event("db file sequential read", "User I/O", 402_118.0, 4_986.3),
    event("direct path read", "User I/O", 92_204.0, 1_936.3),
    event("direct path write temp", "User I/O", 150_311.0, 1_653.4),
    event("db file scattered read", "User I/O", 30_116.0, 536.1),
    event("gc cr multi block request", "Cluster", 241_880.0, 193.5),
    event("gc cr grant 2-way", "Cluster", 190_233.0, 76.1),
    event("read by other session", "User I/O", 5_120.0, 66.6),
    event("PX qref latch", "Other", 88_012.0, 9.7),
    event("reliable message", "Other", 4_211.0, 3.4),
    event("control file sequential read", "System I/O", 3_911.0, 3.1),
    event("log file sync", "Commit", 402.0, 2.8),
    event("latch free", "Other", 1_322.0, 1.1),
    event("SQL*Net message to client", "Network", 21_402.0, 0.1),
    event("PX Deq: Execution Msg", "Idle", 61_204.0, 41_207.0),
    event("SQL*Net message from client", "Idle", 21_405.0, 88_114.0),
];

const BACKGROUND: &[Event] = &[
    event("db file parallel write", "System I/O", 4_212.0, 61.0),
    event("log file parallel write", "System I/O", 5_118.0, 33.2),
    event("control file parallel write", "System I/O", 2_411.0, 24.1),
    event("control file sequential read", "System I/O", 30_114.0, 21.4),
    event("db file sequential read", "User I/O", 1_204.0, 14.9),
    event("os thread startup", "Concurrency", 61.0, 3.2),
    event("rdbms ipc message", "Idle", 61_208.0, 38_114.0),
    event("gcs remote message", "Idle", 812_440.0, 7_004.0),
];

fn instance(hour: &Hour, number: u32, load: f64) -> Report {
    let scaled = |events: &[Event]| -> Vec<Event> {
        let by = |e: &Event| Event { waits: (e.waits * load).round(), time_s: e.time_s * load, ..*e };
        events.iter().map(by).collect()
    };
    let (foreground, background) = (scaled(hour.foreground), scaled(hour.background));
    let cpu_s = hour.cpu_s * load;
    let spent: f64 = foreground.iter().filter(|e| e.class != "Idle").map(|e| e.time_s).sum();
    let base = Base {
        elapsed_s: ELAPSED_S,
        transactions: (1_204.0 * load).round(),
        executions: (41_220.0 * load).round(),
        calls: (21_840.0 * load).round(),
        db_time_s: (cpu_s + spent) * 1.018,
        background_s: 311.0 * load,
    };
    let mut report = Report::new(identity(hour, number, &base));
    add_waits(&mut report, &base, cpu_s, &foreground, &background, 5);
    for e in foreground.iter().chain(&background) {
        if !report.tables.wait_histogram.iter().any(|h| h.event == e.name) {
            let same: Vec<&Event> =
                foreground.iter().chain(&background).filter(|o| o.name == e.name).collect();
            let waits: f64 = same.iter().map(|o| o.waits).sum();
            let mean_ms = 1e3 * same.iter().map(|o| o.time_s).sum::<f64>() / waits;
            report.tables.wait_histogram.push(bell(e.name, waits, mean_ms, 0.8));
        }
    }
    let io = input_output(&mut report, hour, &foreground, &background, load);
    let user_io_s: f64 = foreground.iter().filter(|e| e.class == "User I/O").map(|e| e.time_s).sum();
    let cluster_s: f64 = foreground.iter().filter(|e| e.class == "Cluster").map(|e| e.time_s).sum();
    let gets = (io.reads * 1.31).round();
    statements(&mut report, hour, number, &base, cpu_s, user_io_s, &io, gets);
    let executed: f64 = report
        .tables
        .sql_stat
        .iter()
        .filter(|s| s.ranked_by == "elapsed_time")
        .filter_map(|s| s.elapsed_s)
        .sum();
    for (statistic, time_s) in [
        ("sql execute elapsed time", executed.max(base.db_time_s * 0.985)),
        ("DB CPU", cpu_s),
        ("parse time elapsed", 14.2),
        ("hard parse elapsed time", 11.7),
        ("PL/SQL execution elapsed time", 3.4),
        ("DB time", base.db_time_s),
        ("background elapsed time", base.background_s),
        ("background cpu time", 102.0 * load),
    ] {
        report.tables.time_model.push(base.time_model(statistic, time_s));
    }
    machine(&mut report, cpu_s + 102.0 * load);
    activity(&mut report, &base, &foreground, &io, cpu_s, gets, cluster_s, user_io_s);
    load_profile(&mut report, &base, cpu_s, &io, gets, load);
    segments(&mut report, hour, &io, gets);
    memory(&mut report, &io, gets, load);
    parameters(&mut report);
    report
}

fn identity(hour: &Hour, number: u32, base: &Base) -> Identity {
    let mut id = Identity::unknown("", Kind::Awr, Layout::Html);
    id.db_name = Some("DWH".into());
    id.db_id = Some(1_414_213_562);
    id.instance = Some(format!("dwh{number}"));
    id.instance_number = Some(number);
    id.version = Some("11.2.0.3.0".into());
    id.platform = Some("Linux x86 64-bit".into());
    id.host = Some(format!("merlin-dw0{number}"));
    id.rac = Some(true);
    id.instances = Some(4);
    id.startup_time = Some("2012-10-04T22:31".into());
    id.block_size_bytes = Some(8192);
    id.cpus = Some(12.0);
    id.cores = Some(6.0);
    id.sockets = Some(1.0);
    id.memory_bytes = Some(47.16 * 1_073_741_824.0);
    id.begin_snap = Some(hour.begin_snap);
    id.end_snap = Some(hour.begin_snap + 1);
    id.begin_time = Some(hour.begin_time.into());
    id.end_time = Some(hour.end_time.into());
    id.elapsed_s = Some(base.elapsed_s);
    id.db_time_s = Some(base.db_time_s);
    id.begin_sessions = Some(71.0);
    id.end_sessions = Some(74.0);
    id
}

/// Blocks and requests that every account of the instance agrees on.
struct Io {
    single: f64,
    scattered: f64,
    scattered_blocks: f64,
    direct: f64,
    direct_blocks: f64,
    temp_reads: f64,
    temp_read_blocks: f64,
    temp_writes: f64,
    temp_write_blocks: f64,
    cache_writes: f64,
    reads: f64,
    total: Flow,
}

fn input_output(
    report: &mut Report,
    hour: &Hour,
    foreground: &[Event],
    background: &[Event],
    load: f64,
) -> Io {
    let block = 8192.0;
    let find = |events: &[Event], name: &str| {
        events.iter().find(|e| e.name == name).map_or((0.0, 0.0), |e| (e.waits, e.time_s))
    };
    let (fg_single, fg_single_s) = find(foreground, "db file sequential read");
    let (bg_single, bg_single_s) = find(background, "db file sequential read");
    let (scattered, scattered_s) = find(foreground, "db file scattered read");
    let (temp_reads, temp_read_s) = find(foreground, "direct path read temp");
    let (temp_writes, _) = find(foreground, "direct path write temp");
    let (direct_waits, direct_s) = find(foreground, "direct path read");
    let single = fg_single + bg_single;
    let scattered_blocks = scattered * SCATTERED_BLOCKS;
    let temp_read_blocks = temp_reads * TEMP_BLOCKS;
    let temp_write_blocks = temp_writes * TEMP_BLOCKS;
    let reads = (BLOCKS_PER_S / 4.0 * ELAPSED_S * load).round();
    let direct_blocks = reads - single - scattered_blocks - temp_read_blocks;
    let direct = (direct_blocks / 57.6).round();
    let cache_writes = (18_220.0 * load).round();
    let (log_writes, log_s) = find(background, "log file parallel write");
    let flow = |reads: f64, blocks: f64, waits: f64, wait_s: f64| Flow {
        reads,
        read_bytes: blocks * block,
        waits,
        wait_s,
        ..Flow::default()
    };
    let functions: Vec<(&str, Vec<(&str, Flow)>)> = vec![
        (
            "Direct Reads",
            vec![
                ("Temp File", flow(temp_reads, temp_read_blocks, temp_reads, temp_read_s)),
                ("Data File", flow(direct, direct_blocks, direct_waits, direct_s)),
            ],
        ),
        (
            "Direct Writes",
            vec![(
                "Temp File",
                Flow { writes: temp_writes, write_bytes: temp_write_blocks * block, ..Flow::default() },
            )],
        ),
        (
            "Buffer Cache Reads",
            vec![(
                "Data File",
                flow(
                    single + scattered,
                    single + scattered_blocks,
                    single + scattered,
                    fg_single_s + bg_single_s + scattered_s,
                ),
            )],
        ),
        (
            "Others",
            vec![(
                "Control File",
                Flow {
                    writes: 2_411.0,
                    write_bytes: 2_411.0 * 16_384.0,
                    ..flow(34_025.0, 68_050.0, 34_025.0, 24.5)
                },
            )],
        ),
        (
            "DBWR",
            vec![(
                "Data File",
                Flow { writes: cache_writes, write_bytes: cache_writes * 1.3 * block, ..Flow::default() },
            )],
        ),
        (
            "LGWR",
            vec![(
                "Log File",
                Flow {
                    writes: log_writes,
                    write_bytes: 71.0 * MB * load,
                    waits: log_writes,
                    wait_s: log_s,
                    ..Flow::default()
                },
            )],
        ),
    ];
    let all = total(functions.iter().flat_map(|f| f.1.iter().map(|p| p.1)));
    for (name, parts) in &functions {
        let sum = total(parts.iter().map(|p| p.1));
        report.tables.io_function.push(sum.row(Some(name), None, false, ELAPSED_S));
        report.tables.io_function_filetype.push(sum.row(Some(name), None, false, ELAPSED_S));
        for (file, part) in parts {
            report.tables.io_function_filetype.push(part.row(Some(name), Some(file), false, ELAPSED_S));
        }
    }
    report.tables.io_function.push(all.row(None, None, true, ELAPSED_S));
    report.tables.io_function_filetype.push(all.row(None, None, true, ELAPSED_S));
    for (file, small_ms, large_ms) in [
        ("Temp File", f64::NAN, 14.6),
        ("Data File", 12.4, 20.6),
        ("Control File", 0.7, f64::NAN),
        ("Log File", f64::NAN, f64::NAN),
    ] {
        let flow = total(functions.iter().flat_map(|f| f.1.iter()).filter(|p| p.0 == file).map(|p| p.1));
        let mut row = flow.row(None, Some(file), false, ELAPSED_S);
        row.small_read_us = small_ms.is_finite().then_some(small_ms * 1e3);
        row.large_read_us = large_ms.is_finite().then_some(large_ms * 1e3);
        report.tables.io_filetype.push(row);
    }
    report.tables.io_filetype.push(all.row(None, None, true, ELAPSED_S));

    let shares = &hour.files;
    let column = |k: usize, sum: f64| split(sum, &shares.iter().map(|s| s.2[k]).collect::<Vec<_>>());
    let (singles, multis, directs, writes) =
        (column(0, single), column(1, scattered), column(2, direct), column(3, cache_writes));
    let mut files: Vec<File> = shares
        .iter()
        .enumerate()
        .map(|(k, (tablespace, name, _))| {
            let requests = singles[k] + multis[k] + directs[k];
            File {
                tablespace,
                name,
                reads: requests,
                blocks_per_read: (singles[k]
                    + multis[k] * SCATTERED_BLOCKS
                    + directs[k] * direct_blocks / direct)
                    / requests,
                read_ms: (singles[k] * 12.4 + multis[k] * 17.8 + directs[k] * 20.6) / requests,
                writes: writes[k],
                buffer_waits: 0.0,
                buffer_wait_ms: 0.0,
            }
        })
        .collect();
    files.push(File {
        tablespace: "TEMP",
        name: "+DWDATA/dwh/tempfile/temp.258.801108822",
        reads: temp_reads,
        blocks_per_read: TEMP_BLOCKS,
        read_ms: 14.6,
        writes: temp_writes,
        buffer_waits: 0.0,
        buffer_wait_ms: 0.0,
    });
    add_files(report, ELAPSED_S, &files);
    Io {
        single,
        scattered,
        scattered_blocks,
        direct,
        direct_blocks,
        temp_reads,
        temp_read_blocks,
        temp_writes,
        temp_write_blocks,
        cache_writes,
        reads,
        total: all,
    }
}

/// A query of the warehouse: identifier, text, executions, shares in percent of CPU, user I/O, reads.
#[rustfmt::skip]
pub(super) const QUERIES: [(&str, &str, f64, [f64; 3]); 9] = [
    ("9g2kz4wq7d1hm", "select nation, o_year, sum(amount) as profit from (select n.n_name as nation, extract(year from o.o_orderdate) as o_year, l.l_extendedprice * (1 - l.l_discount) - ps.ps_supplycost * l.l_quantity as amount from h_part p, h_supplier s, h_lineitem l, h_partsupp ps, h_order o, h_nation n where s.s_suppkey = l.l_suppkey and ps.ps_suppkey = l.l_suppkey and ps.ps_partkey = l.l_partkey and p.p_partkey = l.l_partkey and o.o_orderkey = l.l_orderkey and s.s_nationkey = n.n_nationkey and p.p_name like :colour) group by nation, o_year order by nation, o_year desc", 3.0, [21.0, 26.0, 27.0]),
    ("1uvt8s5xw0c6r", "select c.c_name, c.c_custkey, o.o_orderkey, o.o_orderdate, o.o_totalprice, sum(l.l_quantity) from h_customer c, h_order o, h_lineitem l where o.o_orderkey in (select l_orderkey from h_lineitem group by l_orderkey having sum(l_quantity) > :quantity) and c.c_custkey = o.o_custkey and o.o_orderkey = l.l_orderkey group by c.c_name, c.c_custkey, o.o_orderkey, o.o_orderdate, o.o_totalprice order by o.o_totalprice desc, o.o_orderdate", 4.0, [17.0, 22.0, 24.0]),
    ("7bn3fq9ymh4pa", "select c_count, count(*) as customers from (select c.c_custkey, count(o.o_orderkey) as c_count from h_customer c left outer join h_order o on c.c_custkey = o.o_custkey and o.o_comment not like :words group by c.c_custkey) group by c_count order by customers desc, c_count desc", 5.0, [12.0, 13.0, 14.0]),
    ("4dr6j0zk2vgxt", "select p.p_brand, p.p_type, p.p_size, count(distinct ps.ps_suppkey) as suppliers from h_partsupp ps, h_part p where p.p_partkey = ps.ps_partkey and p.p_brand <> :brand and p.p_size in (:s1, :s2, :s3) and ps.ps_suppkey not in (select s_suppkey from h_supplier where s_comment like :complaint) group by p.p_brand, p.p_type, p.p_size order by suppliers desc", 5.0, [9.0, 11.0, 12.0]),
    ("cs81y5uahq7wn", "select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), avg(l_discount), count(*) from h_lineitem where l_shipdate <= :day group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus", 4.0, [14.0, 6.0, 11.0]),
    ("6mx0t2rf8jk9d", "select s.s_name, count(*) as waiting from h_supplier s, h_lineitem l1, h_order o, h_nation n where s.s_suppkey = l1.l_suppkey and o.o_orderkey = l1.l_orderkey and o.o_orderstatus = 'F' and l1.l_receiptdate > l1.l_commitdate and s.s_nationkey = n.n_nationkey and n.n_name = :nation group by s.s_name order by waiting desc", 6.0, [8.0, 9.0, 3.0]),
    ("g5w7h1pzq3cvb", "select ps.ps_partkey, sum(ps.ps_supplycost * ps.ps_availqty) as value from h_partsupp ps, h_supplier s, h_nation n where ps.ps_suppkey = s.s_suppkey and s.s_nationkey = n.n_nationkey and n.n_name = :nation group by ps.ps_partkey order by value desc", 8.0, [5.0, 5.0, 4.0]),
    ("2fy9k6nd0r4su", "select o_orderpriority, count(*) from h_order o where o_orderdate >= :first and o_orderdate < :next and exists (select 1 from h_lineitem l where l.l_orderkey = o.o_orderkey and l.l_commitdate < l.l_receiptdate) group by o_orderpriority", 7.0, [4.0, 3.0, 1.5]),
    ("b8t1c4vjx9zqm", "select sum(l_extendedprice) / 7 from h_lineitem l, h_part p where p.p_partkey = l.l_partkey and p.p_brand = :brand and p.p_container = :box and l.l_quantity < (select 0.2 * avg(l_quantity) from h_lineitem where l_partkey = p.p_partkey)", 5.0, [3.0, 2.5, 0.8]),
];

#[allow(clippy::too_many_arguments, reason = "one call, everything that the statements share")]
fn statements(
    report: &mut Report,
    hour: &Hour,
    number: u32,
    base: &Base,
    cpu_s: f64,
    io_s: f64,
    io: &Io,
    gets: f64,
) {
    let totals = SqlTotals {
        elapsed_s: base.db_time_s,
        cpu_s,
        io_s,
        gets,
        reads: io.reads,
        executions: base.executions,
        parses: 3_911.0,
    };
    let list: Vec<Statement> = hour
        .queries
        .iter()
        .map(|query| {
            let (cpu_s, io_s) = (cpu_s * query.cpu_pct / 100.0, io_s * query.io_pct / 100.0);
            let blocks = (io.reads * query.reads_pct / 100.0).round();
            let here = query.runs_on.is_none_or(|on| on == number);
            let executions = if here { query.executions } else { 0.0 };
            Statement {
                sql_id: query.sql_id,
                module: query.module,
                text: query.text,
                executions,
                rows: executions * 1_250.0,
                parses: executions,
                elapsed_s: (cpu_s + io_s) * ELAPSED_OF_CPU_AND_IO,
                cpu_s,
                io_s,
                gets: (gets * query.reads_pct / 100.0).round(),
                reads: blocks,
                requests: (blocks / query.blocks_a_request).round(),
            }
        })
        .collect();
    add_sql(report, &list, totals, hour.queries.len());
}

/// What a query's other waits add to its CPU and I/O.
pub(super) const ELAPSED_OF_CPU_AND_IO: f64 = 1.015;

fn machine(report: &mut Report, used_s: f64) {
    let total_cs = (12.0 * ELAPSED_S * 100.0).round();
    let busy_cs = (used_s * 100.0 / 0.94).round();
    let sys_cs = (busy_cs * 0.12).round();
    report.tables.host_cpu.push(HostCpu {
        load_begin: Some(3.12),
        load_end: Some(2.87),
        user_pct: Some(100.0 * (busy_cs - sys_cs) / total_cs),
        system_pct: Some(100.0 * sys_cs / total_cs),
        io_wait_pct: Some(24.6),
        idle_pct: Some(100.0 * (total_cs - busy_cs) / total_cs),
        ..HostCpu::default()
    });
    report.tables.os_stat = vec![
        os("BUSY_TIME", busy_cs, None),
        os("IDLE_TIME", total_cs - busy_cs, None),
        os("IOWAIT_TIME", (total_cs * 0.246).round(), None),
        os("SYS_TIME", sys_cs, None),
        os("USER_TIME", busy_cs - sys_cs, None),
        os("LOAD", 3.0, Some(3.0)),
        os("PHYSICAL_MEMORY_BYTES", (47.16_f64 * 1_073_741_824.0).round(), None),
        os("NUM_CPUS", 12.0, None),
        os("NUM_CPU_CORES", 6.0, None),
        os("NUM_CPU_SOCKETS", 1.0, None),
    ];
}

#[allow(clippy::too_many_arguments, reason = "one call, everything that the statistics must agree with")]
fn activity(
    report: &mut Report,
    base: &Base,
    foreground: &[Event],
    io: &Io,
    cpu_s: f64,
    gets: f64,
    cluster_s: f64,
    user_io_s: f64,
) {
    let block = 8192.0;
    let requests = io.single + io.scattered + io.direct + io.temp_reads;
    let writes = io.cache_writes * 1.3 + io.temp_write_blocks;
    let redo = 62.0 * MB * base.transactions / 1_204.0;
    let waits: f64 = foreground.iter().filter(|e| e.class != "Idle").map(|e| e.waits).sum();
    let s = |name: &str, value: f64| base.stat(name, value);
    let mut stats: Vec<InstanceStat> = vec![
        s("CPU used by this session", cpu_s * 99.0),
        s("DB time", base.db_time_s * 100.0),
        s("cluster wait time", cluster_s * 100.0),
        s("consistent gets", gets * 0.98),
        s("consistent gets direct", io.direct_blocks),
        s("db block changes", redo / 120.0),
        s("db block gets", gets * 0.02),
        s("execute count", base.executions),
        s("logons cumulative", 211.0),
        s("non-idle wait count", waits),
        s("parse count (hard)", 118.0),
        s("parse count (total)", 3_911.0),
        s("physical read IO requests", requests),
        s("physical read bytes", io.reads * block),
        s("physical read total IO requests", io.total.reads),
        s("physical read total bytes", io.total.read_bytes),
        s("physical read total multi block requests", io.scattered + io.direct + io.temp_reads),
        s("physical reads", io.reads),
        s("physical reads cache", io.single + io.scattered_blocks),
        s("physical reads direct", io.direct_blocks + io.temp_read_blocks),
        s("physical reads direct temporary tablespace", io.temp_read_blocks),
        s("physical write IO requests", io.cache_writes + io.temp_writes),
        s("physical write bytes", writes * block),
        s("physical write total IO requests", io.total.writes),
        s("physical write total bytes", io.total.write_bytes),
        s("physical writes", writes),
        s("physical writes direct", io.temp_write_blocks),
        s("physical writes direct temporary tablespace", io.temp_write_blocks),
        s("physical writes from cache", io.cache_writes * 1.3),
        s("redo size", redo),
        s("redo writes", 5_118.0 * base.transactions / 1_204.0),
        s("session logical reads", gets),
        s("sorts (disk)", 0.0),
        s("sorts (memory)", 6_114.0),
        s("table scan blocks gotten", io.direct_blocks + io.scattered_blocks),
        s("table scans (direct read)", 204.0),
        s("table scans (long tables)", 231.0),
        s("user I/O wait time", user_io_s * 100.0),
        s("user calls", base.calls),
        s("user commits", base.transactions),
        s("user rollbacks", 0.0),
        s("workarea executions - multipass", 44.0),
        s("workarea executions - onepass", 611.0),
        s("workarea executions - optimal", 8_204.0),
    ];
    stats.push(InstanceStat {
        total: None,
        per_second: None,
        per_transaction: None,
        begin_value: Some(71.0),
        end_value: Some(74.0),
        ..base.stat("logons current", 0.0)
    });
    stats.push(base.stat("log switches (derived)", 1.0));
    report.tables.instance_stat = stats;
}

fn load_profile(report: &mut Report, base: &Base, cpu_s: f64, io: &Io, gets: f64, load: f64) {
    let redo = 62.0 * MB * base.transactions / 1_204.0;
    report.tables.load_profile = vec![
        base.load("DB Time(s)", Metric::DbTime, base.db_time_s),
        base.load("DB CPU(s)", Metric::DbCpu, cpu_s),
        base.load("Redo size", Metric::RedoSize, redo),
        base.load("Logical reads", Metric::LogicalReads, gets),
        base.load("Block changes", Metric::BlockChanges, redo / 120.0),
        base.load("Physical reads", Metric::PhysicalReads, io.reads),
        base.load("Physical writes", Metric::PhysicalWrites, io.cache_writes * 1.3 + io.temp_write_blocks),
        base.load("User calls", Metric::UserCalls, base.calls),
        base.load("Parses", Metric::Parses, 3_911.0),
        base.load("Hard parses", Metric::HardParses, 118.0),
        base.load("W/A MB processed", Metric::WorkAreaMb, 148_204.0 * load),
        base.load("Logons", Metric::Logons, 211.0),
        base.load("Executes", Metric::Executes, base.executions),
        base.load("Rollbacks", Metric::Rollbacks, 0.0),
        base.load("Transactions", Metric::Transactions, base.transactions),
    ];
    for (service, share) in [("dwh_reports", 0.988), ("SYS$USERS", 0.011), ("SYS$BACKGROUND", 0.0)] {
        report.tables.service.push(printed(vec![
            ("service_name", t(service)),
            ("db_time_s", n(base.db_time_s * share)),
            ("db_cpu_s", n(cpu_s * share)),
            ("physical_reads_k", n(io.reads * share / 1e3)),
            ("logical_reads_k", n(gets * share / 1e3)),
        ]));
    }
}

/// Segments account for what is not temp, and of that for most.
fn segments(report: &mut Report, hour: &Hour, io: &Io, gets: f64) {
    let reads = io.single + io.scattered_blocks + io.direct_blocks;
    for ranking in hour.segments {
        // Segments are ranked against all that was read, temp too; their own shares leave temp out.
        let (total, own) = match ranking.ranked_by {
            "logical_reads" => (gets, gets),
            "direct_reads" => (io.direct_blocks + io.temp_read_blocks, io.direct_blocks),
            _ => (io.reads, reads),
        };
        let rows: Vec<SegmentValue> = ranking
            .rows
            .iter()
            .map(|(tablespace, object, kind, pct)| {
                ("TPCH", *tablespace, *object, None, *kind, (own * pct / 100.0).round())
            })
            .collect();
        add_segments(report, ranking.ranked_by, total, ranking.captured_pct, &rows);
    }
}

fn memory(report: &mut Report, io: &Io, gets: f64, load: f64) {
    let cache_mb = 12_288.0;
    for (name, bytes) in [
        ("Buffer Cache", cache_mb * MB),
        ("Shared Pool Size", 2_048.0 * MB),
        ("Log Buffer", 15_324.0 * 1024.0),
    ] {
        report.tables.cache_size.push(printed(vec![
            ("name", t(name)),
            ("begin_bytes", n(bytes)),
            ("end_bytes", n(bytes)),
        ]));
    }
    for (name, begin, end) in [
        ("Host Mem (MB)", 48_291.8, 48_291.8),
        ("SGA use (MB)", 16_384.0, 16_384.0),
        ("PGA use (MB)", 1_402.2, 1_466.9),
        ("% Host Mem used for SGA+PGA", 36.83, 36.96),
        ("Memory Usage %", 71.20, 71.44),
        ("% SQL with executions>1", 77.04, 77.31),
        ("% Memory for SQL w/exec>1", 69.92, 70.13),
    ] {
        report.tables.memory_stat.push(printed(vec![
            ("statistic", t(name)),
            ("begin", n(begin)),
            ("end", n(end)),
        ]));
    }
    let cache_reads = io.single + io.scattered_blocks;
    let hit = 100.0 * (1.0 - cache_reads / (gets - io.direct_blocks));
    for (name, value) in [
        ("Buffer Nowait %", 99.99),
        ("Redo NoWait %", 100.0),
        ("Buffer  Hit   %", hit),
        ("In-memory Sort %", 100.0),
    ] {
        report.tables.efficiency.push(printed(vec![("ratio", t(name)), ("pct", n(value))]));
    }
    report.tables.buffer_pool.push(printed(vec![
        ("p", t("D")),
        ("number_of_buffers", n(1_508_352.0)),
        ("pool_hit_pct", n(hit.round())),
        ("buffer_gets", n(gets - io.direct_blocks)),
        ("physical_reads", n(cache_reads)),
        ("physical_writes", n((io.cache_writes * 1.3).round())),
        ("free_buffer_waits", n(0.0)),
        ("write_complete_waits", n(0.0)),
        ("buffer_busy_waits", n(0.0)),
    ]));
    for k in 1..=10_u32 {
        let factor = f64::from(k) / 5.0;
        let reads = 0.94 + 0.06 / factor;
        report.tables.db_cache_advice.push(DbCacheAdvice {
            pool: Some("D".into()),
            size_bytes: Some((cache_mb * factor).round() * MB),
            size_factor: Some(factor),
            buffers: Some(1_508_352.0 * factor),
            read_factor: Some(reads),
            estimated_reads: Some(cache_reads * 430.0 * reads),
            estimated_read_time_s: Some((cache_reads * 5.3 * reads).round()),
            estimated_db_time_pct: Some(26.0 * reads),
            ..DbCacheAdvice::default()
        });
    }
    let work_mb = 148_204.0 * load;
    let spilled_mb = (io.temp_read_blocks + io.temp_write_blocks) * 8192.0 / MB;
    report.tables.pga_aggregate.push(printed(vec![
        ("pga_cache_hit_pct", n(100.0 * work_mb / (work_mb + spilled_mb))),
        ("w_a_mb_processed", n(work_mb)),
        ("extra_w_a_mb_read_written", n(spilled_mb)),
    ]));
    for (snap, alloc, used) in [("B", 1_402.2, 911.4), ("E", 1_466.9, 962.8)] {
        report.tables.pga_aggregate.push(printed(vec![
            ("snap", t(snap)),
            ("pga_aggr_target_mb", n(1_024.0)),
            ("auto_pga_target_mb", n(671.0)),
            ("pga_mem_alloc_mb", n(alloc)),
            ("w_a_pga_used_mb", n(used)),
            ("pga_w_a_mem_pct", n(100.0 * used / alloc)),
            ("auto_w_a_mem_pct", n(100.0)),
            ("man_w_a_mem_pct", n(0.0)),
            ("global_mem_bound_k", n(104_850.0)),
        ]));
    }
    // What spills vanishes at eight times the target, which is too small at present.
    let processed = work_mb * 420.0;
    for (factor, spill, over) in [
        (0.125, 2.60, 14_211.0),
        (0.25, 2.31, 11_870.0),
        (0.5, 1.72, 8_214.0),
        (0.75, 1.27, 4_906.0),
        (1.0, 1.0, 3_118.0),
        (1.2, 0.81, 2_240.0),
        (1.4, 0.68, 1_602.0),
        (1.6, 0.59, 1_118.0),
        (1.8, 0.51, 702.0),
        (2.0, 0.44, 411.0),
        (3.0, 0.21, 0.0),
        (4.0, 0.11, 0.0),
        (6.0, 0.04, 0.0),
        (8.0, 0.0, 0.0),
    ] {
        let extra = spilled_mb * 420.0 * spill;
        report.tables.pga_advice.push(PgaAdvice {
            target_bytes: Some((1_024.0_f64 * factor).round() * MB),
            size_factor: Some(factor),
            processed_bytes: Some(processed * MB),
            extra_rw_bytes: Some(extra * MB),
            cache_hit_pct: Some((100.0 * processed / (processed + extra)).round()),
            over_allocations: Some(over),
            estimated_time_s: Some(((processed + extra) / 370.0).round()),
            ..PgaAdvice::default()
        });
    }
}

fn parameters(report: &mut Report) {
    for (name, value) in [
        ("cluster_database", "TRUE"),
        ("compatible", "11.2.0.0.0"),
        ("db_block_size", "8192"),
        ("db_create_file_dest", "+DWDATA"),
        ("db_file_multiblock_read_count", "128"),
        ("db_name", "DWH"),
        ("filesystemio_options", "SETALL"),
        ("parallel_degree_policy", "MANUAL"),
        ("parallel_max_servers", "96"),
        ("pga_aggregate_target", "1073741824"),
        ("processes", "500"),
        ("sga_target", "17179869184"),
        ("workarea_size_policy", "AUTO"),
    ] {
        report.tables.parameter.push(Parameter {
            name: name.into(),
            begin_value: Some(value.into()),
            ..Parameter::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_facts::Side;

    #[test]
    fn reads_of_the_four_instances_are_the_published_20_2_thousand_blocks_a_second() {
        let rate: f64 = warehouse()
            .iter()
            .flat_map(|r| &r.tables.instance_stat)
            .filter(|s| s.statistic == "physical reads")
            .filter_map(|s| s.per_second)
            .sum();
        assert!((rate / 1e3 - 20.2).abs() < 0.2, "{rate}");
    }

    #[test]
    fn waits_and_cpu_stay_within_db_time_and_files_add_up() {
        for report in warehouse() {
            let tables = &report.tables;
            let waits: f64 = tables
                .wait_class
                .iter()
                .filter(|c| c.side == Side::Foreground)
                .filter_map(|c| c.time_s)
                .sum();
            assert!(report.identity.db_time_s.is_some_and(|t| waits <= t && waits > 0.95 * t));
            let files: f64 = tables.file_io.iter().filter_map(|f| f.io.reads).sum();
            let requests = tables.instance_stat.iter().find(|s| s.statistic == "physical read IO requests");
            assert_eq!(Some(files), requests.and_then(|s| s.total));
        }
    }
}
