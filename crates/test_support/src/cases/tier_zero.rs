//! What belongs on tier zero: another hour of the warehouse, in which the 22 queries run, after
//! experiment E7. Four reports, sizes and plans.
//!
//! From the experiment: the names of tables and indexes, which queries spill so that temp alone makes
//! them gain, reads of 10 to 25 ms, 20.2 thousand blocks a second. Sizes, plans, times and the share of
//! each query's time that is I/O are our inventions, made to agree with one another: every line of a
//! plan reads so many blocks, a query's reads and I/O time are the sums of its lines, and the events,
//! the functions and the segments account for all of them.

use super::build::{Event, event};
use super::warehouse::{
    BLOCKS_PER_S, ELAPSED_OF_CPU_AND_IO, ELAPSED_S, Hour, LOADS, QUERIES, Query, Ranking, SCATTERED_BLOCKS,
    TEMP_BLOCKS, four_instances,
};
use spindle_facts::{
    Collected, CollectedFile, CollectedIndex, CollectedOrigin, CollectedSegment, CollectedTable,
    CollectedTablespace, ControlFile, PlanRow, RedoGroup, Report,
};

/// Waits and seconds of one instance at load 1.
const FOREGROUND: &[Event] = &[
    event("db file sequential read", "User I/O", 402_118.0, 4_986.3),
    event("direct path read temp", "User I/O", 195_004.0, 2_847.1),
    event("direct path read", "User I/O", 92_204.0, 1_936.3),
    event("direct path write temp", "User I/O", 100_207.0, 1_102.3),
    event("db file scattered read", "User I/O", 30_116.0, 536.1),
    event("gc cr multi block request", "Cluster", 121_880.0, 97.5),
    event("gc cr grant 2-way", "Cluster", 190_233.0, 76.1),
    event("read by other session", "User I/O", 2_120.0, 27.6),
    event("PX qref latch", "Other", 88_012.0, 9.7),
    event("reliable message", "Other", 4_211.0, 3.4),
    event("control file sequential read", "System I/O", 3_911.0, 0.9),
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
    event("control file sequential read", "System I/O", 30_114.0, 6.9),
    event("db file sequential read", "User I/O", 1_204.0, 14.9),
    event("os thread startup", "Concurrency", 61.0, 3.2),
    event("rdbms ipc message", "Idle", 61_208.0, 38_114.0),
    event("gcs remote message", "Idle", 812_440.0, 7_004.0),
];

const DATA: &str = "TPCH_DATA";
const INDEX: &str = "TPCH_IDX";

/// Segments as the reports rank them: percent of what segments read that way.
const SEGMENTS: &[Ranking] = &[
    Ranking {
        ranked_by: "logical_reads",
        captured_pct: 88.0,
        rows: &[
            (DATA, "H_LINEITEM", "TABLE", 47.0),
            (INDEX, "LINEITEM_IDX2", "INDEX", 13.0),
            (INDEX, "LINEITEM_IDX1", "INDEX", 9.0),
            (DATA, "H_SUPPLIER", "TABLE", 6.0),
            (INDEX, "PARTSUPP_IDX2", "INDEX", 4.0),
        ],
    },
    Ranking {
        ranked_by: "physical_reads",
        captured_pct: 60.2,
        rows: &[
            (DATA, "H_LINEITEM", "TABLE", 69.7),
            (DATA, "H_ORDER", "TABLE", 14.5),
            (DATA, "H_PARTSUPP", "TABLE", 2.45),
            (DATA, "H_CUSTOMER", "TABLE", 1.08),
            (INDEX, "LINEITEM_IDX2", "INDEX", 0.83),
        ],
    },
    Ranking {
        ranked_by: "direct_reads",
        captured_pct: 59.4,
        rows: &[
            (DATA, "H_LINEITEM", "TABLE", 75.0),
            (DATA, "H_ORDER", "TABLE", 14.6),
            (DATA, "H_PARTSUPP", "TABLE", 1.82),
            (DATA, "H_CUSTOMER", "TABLE", 0.16),
        ],
    },
];

/// A segment: name, tablespace, table that it indexes, MiB, rows, bytes that a query takes of a row.
struct Object {
    name: &'static str,
    space: &'static str,
    indexes: Option<&'static str>,
    mib: f64,
    rows: f64,
    row_bytes: f64,
}

const fn table(name: &'static str, mib: f64, rows: f64, row_bytes: f64) -> Object {
    Object { name, space: DATA, indexes: None, mib, rows, row_bytes }
}

const fn index(name: &'static str, of: &'static str, mib: f64, rows: f64, row_bytes: f64) -> Object {
    Object { name, space: INDEX, indexes: Some(of), mib, rows, row_bytes }
}

const OBJECTS: [Object; 13] = [
    table("H_LINEITEM", 26_172.0, 209_997_000.0, 38.0),
    table("H_ORDER", 5_976.0, 52_500_000.0, 29.0),
    table("H_PARTSUPP", 4_258.0, 28_000_000.0, 21.0),
    table("H_CUSTOMER", 891.0, 5_250_000.0, 33.0),
    table("H_PART", 961.0, 7_000_000.0, 41.0),
    table("H_SUPPLIER", 50.0, 350_000.0, 30.0),
    table("H_NATION", 0.0625, 25.0, 22.0),
    table("H_REGION", 0.0625, 5.0, 20.0),
    index("LINEITEM_IDX1", "H_LINEITEM", 4_300.0, 209_997_000.0, 12.0),
    index("LINEITEM_IDX2", "H_LINEITEM", 5_220.0, 209_997_000.0, 16.0),
    index("PARTSUPP_IDX2", "H_PARTSUPP", 1_024.0, 28_000_000.0, 22.0),
    index("CUSTOMER_IDX1", "H_CUSTOMER", 676.0, 5_250_000.0, 34.0),
    index("SUPPLIER_IDX1", "H_SUPPLIER", 8.0, 350_000.0, 9.0),
];

/// A line of a plan: depth, operation and options, object, thousands of blocks that it reads itself over
/// the four instances; of temp, where it has no object.
type Line = (u32, &'static str, &'static str, f64);

/// One of the 22 queries.
struct TpchQuery {
    number: u32,
    sql_id: &'static str,
    text: &'static str,
    /// Share of its elapsed time that waits for I/O, percent.
    io_pct: f64,
    plan: &'static [Line],
}

const FULL: &str = "TABLE ACCESS|FULL";
const ROWID: &str = "TABLE ACCESS|BY INDEX ROWID";
const RANGE: &str = "INDEX|RANGE SCAN";
const UNIQUE: &str = "INDEX|UNIQUE SCAN";
const JOIN: &str = "HASH JOIN|";
const LOOP: &str = "NESTED LOOPS|";
const GROUP: &str = "HASH|GROUP BY";
const SORT: &str = "SORT|ORDER BY";

/// A line without an object.
const fn op(depth: u32, operation: &'static str, temp_k: f64) -> Line {
    (depth, operation, "", temp_k)
}

/// A line that reads an object.
const fn on(depth: u32, operation: &'static str, object: &'static str, read_k: f64) -> Line {
    (depth, operation, object, read_k)
}

#[rustfmt::skip]
const ALL: [TpchQuery; 22] = [
    TpchQuery { number: 1, sql_id: QUERIES[4].0, text: QUERIES[4].1, io_pct: 29.2, plan: &[
        op(1, GROUP, 0.0), on(2, FULL, "H_LINEITEM", 3_350.0),
    ] },
    TpchQuery { number: 2, sql_id: "0f3hk7v2mzq8d", text: "select s.s_acctbal, s.s_name, n.n_name, p.p_partkey from h_part p, h_supplier s, h_partsupp ps, h_nation n, h_region r where p.p_partkey = ps.ps_partkey and s.s_suppkey = ps.ps_suppkey and p.p_size = :size and s.s_nationkey = n.n_nationkey and n.n_regionkey = r.r_regionkey and r.r_name = :region and ps.ps_supplycost = (select min(ps_supplycost) from h_partsupp where ps_partkey = p.p_partkey) order by s.s_acctbal desc", io_pct: 89.3, plan: &[
        op(1, SORT, 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_REGION", 0.0), op(3, JOIN, 0.0), on(4, FULL, "H_NATION", 0.002), op(4, JOIN, 0.0), on(5, FULL, "H_SUPPLIER", 1.0), op(5, LOOP, 0.0), on(6, FULL, "H_PART", 30.0), on(6, ROWID, "H_PARTSUPP", 40.0), on(7, RANGE, "PARTSUPP_IDX2", 60.0),
    ] },
    TpchQuery { number: 3, sql_id: "3rq9c1xw5ybn7", text: "select l.l_orderkey, sum(l.l_extendedprice * (1 - l.l_discount)) as revenue, o.o_orderdate from h_customer c, h_order o, h_lineitem l where c.c_mktsegment = :segment and c.c_custkey = o.o_custkey and l.l_orderkey = o.o_orderkey and o.o_orderdate < :day and l.l_shipdate > :day group by l.l_orderkey, o.o_orderdate order by revenue desc", io_pct: 70.2, plan: &[
        op(1, SORT, 0.0), op(2, GROUP, 0.0), op(3, JOIN, 500.0), op(4, JOIN, 0.0), on(5, FULL, "H_CUSTOMER", 114.0), on(5, FULL, "H_ORDER", 765.0), on(4, FULL, "H_LINEITEM", 3_350.0),
    ] },
    TpchQuery { number: 4, sql_id: QUERIES[7].0, text: QUERIES[7].1, io_pct: 90.7, plan: &[
        op(1, GROUP, 0.0), op(2, LOOP, 0.0), on(3, FULL, "H_ORDER", 765.0), on(3, RANGE, "LINEITEM_IDX1", 90.0),
    ] },
    TpchQuery { number: 5, sql_id: "8ujw2p6t9gc4s", text: "select n.n_name, sum(l.l_extendedprice * (1 - l.l_discount)) as revenue from h_customer c, h_order o, h_lineitem l, h_supplier s, h_nation n, h_region r where c.c_custkey = o.o_custkey and l.l_orderkey = o.o_orderkey and l.l_suppkey = s.s_suppkey and c.c_nationkey = s.s_nationkey and s.s_nationkey = n.n_nationkey and n.n_regionkey = r.r_regionkey and r.r_name = :region and o.o_orderdate between :first and :last group by n.n_name", io_pct: 72.9, plan: &[
        op(1, GROUP, 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_NATION", 0.002), op(3, JOIN, 1_300.0), on(4, FULL, "H_LINEITEM", 3_350.0), op(4, JOIN, 0.0), on(5, FULL, "H_CUSTOMER", 114.0), on(5, FULL, "H_ORDER", 765.0),
    ] },
    TpchQuery { number: 6, sql_id: "ak5m1f0z7r3xv", text: "select sum(l_extendedprice * l_discount) as revenue from h_lineitem where l_shipdate >= :first and l_shipdate < :next and l_discount between :low and :high and l_quantity < :quantity", io_pct: 65.6, plan: &[
        op(1, "SORT|AGGREGATE", 0.0), on(2, FULL, "H_LINEITEM", 3_350.0),
    ] },
    TpchQuery { number: 7, sql_id: "d2v8q4bk6nh1y", text: "select n1.n_name, n2.n_name, extract(year from l.l_shipdate) as l_year, sum(l.l_extendedprice) from h_supplier s, h_lineitem l, h_order o, h_customer c, h_nation n1, h_nation n2 where s.s_suppkey = l.l_suppkey and o.o_orderkey = l.l_orderkey and c.c_custkey = o.o_custkey and s.s_nationkey = n1.n_nationkey and c.c_nationkey = n2.n_nationkey and n1.n_name = :one and n2.n_name = :other group by n1.n_name, n2.n_name, extract(year from l.l_shipdate)", io_pct: 77.7, plan: &[
        op(1, GROUP, 0.0), op(2, LOOP, 0.0), op(3, JOIN, 1_000.0), on(4, FULL, "H_LINEITEM", 3_350.0), on(4, FULL, "H_ORDER", 765.0), on(3, RANGE, "CUSTOMER_IDX1", 40.0),
    ] },
    TpchQuery { number: 8, sql_id: "5znt7g3r1w9fc", text: "select extract(year from o.o_orderdate) as o_year, sum(case when n2.n_name = :nation then l.l_extendedprice else 0 end) / sum(l.l_extendedprice) as share from h_part p, h_supplier s, h_lineitem l, h_order o, h_nation n2, h_region r where p.p_partkey = l.l_partkey and s.s_suppkey = l.l_suppkey and l.l_orderkey = o.o_orderkey and s.s_nationkey = n2.n_nationkey and r.r_name = :region and p.p_type = :type group by extract(year from o.o_orderdate)", io_pct: 81.6, plan: &[
        op(1, GROUP, 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_REGION", 0.002), op(3, JOIN, 900.0), op(4, LOOP, 0.0), on(5, FULL, "H_PART", 40.0), on(5, ROWID, "H_LINEITEM", 30.0), on(6, RANGE, "LINEITEM_IDX2", 120.0), on(4, FULL, "H_ORDER", 765.0),
    ] },
    TpchQuery { number: 9, sql_id: QUERIES[0].0, text: QUERIES[0].1, io_pct: 75.2, plan: &[
        op(1, GROUP, 0.0), op(2, JOIN, 2_400.0), on(3, FULL, "H_ORDER", 0.0), op(3, JOIN, 4_200.0), on(4, FULL, "H_PARTSUPP", 0.0), op(4, JOIN, 0.0), on(5, FULL, "H_PART", 0.0), on(5, FULL, "H_LINEITEM", 0.0),
    ] },
    TpchQuery { number: 10, sql_id: "7wd6yk2n9sg0p", text: "select c.c_custkey, c.c_name, sum(l.l_extendedprice * (1 - l.l_discount)) as revenue, n.n_name from h_customer c, h_order o, h_lineitem l, h_nation n where c.c_custkey = o.o_custkey and l.l_orderkey = o.o_orderkey and o.o_orderdate >= :first and l.l_returnflag = 'R' and c.c_nationkey = n.n_nationkey group by c.c_custkey, c.c_name, n.n_name order by revenue desc", io_pct: 79.4, plan: &[
        op(1, SORT, 0.0), op(2, GROUP, 0.0), op(3, LOOP, 0.0), op(4, JOIN, 1_000.0), on(5, FULL, "H_LINEITEM", 3_350.0), on(5, FULL, "H_ORDER", 765.0), on(4, ROWID, "H_CUSTOMER", 60.0), on(5, RANGE, "CUSTOMER_IDX1", 60.0),
    ] },
    TpchQuery { number: 11, sql_id: QUERIES[6].0, text: QUERIES[6].1, io_pct: 83.5, plan: &[
        op(1, SORT, 0.0), op(2, GROUP, 0.0), op(3, JOIN, 0.0), on(4, FULL, "H_SUPPLIER", 1.0), on(4, FULL, "H_PARTSUPP", 1_090.0), on(3, RANGE, "PARTSUPP_IDX2", 60.0),
    ] },
    TpchQuery { number: 12, sql_id: "bq4x9m7c2hs8t", text: "select l.l_shipmode, sum(case when o.o_orderpriority in ('1-URGENT', '2-HIGH') then 1 else 0 end) from h_order o, h_lineitem l where o.o_orderkey = l.l_orderkey and l.l_shipmode in (:one, :other) and l.l_receiptdate >= :first group by l.l_shipmode", io_pct: 61.2, plan: &[
        op(1, GROUP, 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_LINEITEM", 3_350.0), on(3, FULL, "H_ORDER", 765.0),
    ] },
    TpchQuery { number: 13, sql_id: QUERIES[2].0, text: QUERIES[2].1, io_pct: 68.0, plan: &[
        op(1, SORT, 0.0), op(2, GROUP, 300.0), op(3, "HASH JOIN|OUTER", 2_600.0), on(4, FULL, "H_CUSTOMER", 0.0), on(4, FULL, "H_ORDER", 0.0),
    ] },
    TpchQuery { number: 14, sql_id: "fv1r8z5kd3w6j", text: "select 100 * sum(case when p.p_type like 'PROMO%' then l.l_extendedprice else 0 end) / sum(l.l_extendedprice) from h_lineitem l, h_part p where l.l_partkey = p.p_partkey and l.l_shipdate >= :first and l.l_shipdate < :next", io_pct: 51.0, plan: &[
        op(1, "SORT|AGGREGATE", 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_PART", 100.0), on(3, FULL, "H_LINEITEM", 3_350.0),
    ] },
    TpchQuery { number: 15, sql_id: "1s9g6y4q0tnb2", text: "select s.s_suppkey, s.s_name, r.total from h_supplier s, (select l_suppkey, sum(l_extendedprice) as total from h_lineitem where l_shipdate >= :first group by l_suppkey) r where s.s_suppkey = r.l_suppkey order by r.total desc", io_pct: 45.4, plan: &[
        op(1, SORT, 0.0), op(2, LOOP, 0.0), op(3, GROUP, 0.0), on(4, FULL, "H_LINEITEM", 3_350.0), on(3, UNIQUE, "SUPPLIER_IDX1", 0.5),
    ] },
    TpchQuery { number: 16, sql_id: QUERIES[3].0, text: QUERIES[3].1, io_pct: 55.7, plan: &[
        op(1, SORT, 200.0), op(2, GROUP, 900.0), op(3, JOIN, 800.0), on(4, FULL, "H_PART", 0.0), on(4, FULL, "H_PARTSUPP", 0.0),
    ] },
    TpchQuery { number: 17, sql_id: QUERIES[8].0, text: QUERIES[8].1, io_pct: 96.9, plan: &[
        op(1, "SORT|AGGREGATE", 0.0), op(2, LOOP, 0.0), on(3, FULL, "H_PART", 70.0), on(3, ROWID, "H_LINEITEM", 40.0), on(4, RANGE, "LINEITEM_IDX2", 180.0),
    ] },
    TpchQuery { number: 18, sql_id: QUERIES[1].0, text: QUERIES[1].1, io_pct: 76.5, plan: &[
        op(1, SORT, 100.0), op(2, GROUP, 1_900.0), op(3, JOIN, 3_600.0), on(4, FULL, "H_CUSTOMER", 0.0), op(4, JOIN, 0.0), on(5, FULL, "H_ORDER", 0.0), on(5, FULL, "H_LINEITEM", 0.0),
    ] },
    TpchQuery { number: 19, sql_id: "9hp3c7wt5xk0r", text: "select sum(l.l_extendedprice * (1 - l.l_discount)) as revenue from h_lineitem l, h_part p where p.p_partkey = l.l_partkey and l.l_shipinstruct = 'DELIVER IN PERSON' and (p.p_brand = :b1 and l.l_quantity between :q1 and :q2 or p.p_brand = :b2 and l.l_quantity between :q3 and :q4)", io_pct: 38.3, plan: &[
        op(1, "SORT|AGGREGATE", 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_PART", 100.0), on(3, FULL, "H_LINEITEM", 3_350.0),
    ] },
    TpchQuery { number: 20, sql_id: "4kz8d2ms6vq1g", text: "select s.s_name, s.s_address from h_supplier s where s.s_suppkey in (select ps.ps_suppkey from h_partsupp ps where ps.ps_partkey in (select p_partkey from h_part where p_name like :colour) and ps.ps_availqty > (select 0.5 * sum(l_quantity) from h_lineitem where l_partkey = ps.ps_partkey and l_suppkey = ps.ps_suppkey)) order by s.s_name", io_pct: 92.8, plan: &[
        op(1, SORT, 0.0), op(2, JOIN, 0.0), on(3, FULL, "H_SUPPLIER", 2.0), op(3, LOOP, 0.0), on(4, FULL, "H_PART", 20.0), on(4, ROWID, "H_PARTSUPP", 40.0), on(5, RANGE, "PARTSUPP_IDX2", 100.0), on(4, RANGE, "LINEITEM_IDX2", 100.0),
    ] },
    TpchQuery { number: 21, sql_id: QUERIES[5].0, text: QUERIES[5].1, io_pct: 85.0, plan: &[
        op(1, SORT, 0.0), op(2, GROUP, 0.0), op(3, LOOP, 0.0), op(4, JOIN, 1_300.0), on(5, FULL, "H_SUPPLIER", 2.0), on(5, FULL, "H_ORDER", 765.0), on(4, ROWID, "H_LINEITEM", 30.0), on(5, RANGE, "LINEITEM_IDX1", 240.0),
    ] },
    TpchQuery { number: 22, sql_id: "6yt0n3fh9bw5x", text: "select substr(c_phone, 1, 2) as country, count(*), sum(c_acctbal) from h_customer c where substr(c_phone, 1, 2) in (:c1, :c2, :c3) and c_acctbal > (select avg(c_acctbal) from h_customer where c_acctbal > 0) and not exists (select 1 from h_order o where o.o_custkey = c.c_custkey) group by substr(c_phone, 1, 2)", io_pct: 87.5, plan: &[
        op(1, GROUP, 0.0), op(2, "HASH JOIN|ANTI", 0.0), on(3, FULL, "H_CUSTOMER", 228.0), on(3, FULL, "H_ORDER", 765.0), on(2, RANGE, "CUSTOMER_IDX1", 50.0),
    ] },
];

const BLOCK: f64 = 8192.0;

/// Blocks that a query reads singly, in scans, and of temp; over the four instances.
fn blocks(query: &TpchQuery) -> [f64; 3] {
    let mut by_path = [0.0; 3];
    for (_, operation, object, thousands) in query.plan {
        let path = match () {
            () if object.is_empty() => 2,
            () if *operation == FULL => 1,
            () => 0,
        };
        by_path[path] += thousands * 1e3;
    }
    by_path
}

/// The four reports.
#[must_use]
pub fn tier_zero() -> Vec<Report> {
    let find =
        |name: &str| FOREGROUND.iter().find(|e| e.name == name).map_or((0.0, 0.0), |e| (e.waits, e.time_s));
    let (single, single_s) = find("db file sequential read");
    let (_, scattered_s) = find("db file scattered read");
    let (_, direct_s) = find("direct path read");
    let (temp, temp_s) = find("direct path read temp");
    let (_, temp_write_s) = find("direct path write temp");
    let per_instance = BLOCKS_PER_S / 4.0 * ELAPSED_S;
    let scanned = per_instance - single - temp * TEMP_BLOCKS;
    // Seconds a block, by path.
    let speeds = [
        single_s / single,
        (scattered_s + direct_s) / scanned,
        (temp_s + temp_write_s) / (temp * TEMP_BLOCKS),
    ];
    // Requests a block, by path: scans read large and small.
    let requests = [1.0, 1.0 / (2.0 * SCATTERED_BLOCKS), 1.0 / TEMP_BLOCKS];
    let load: f64 = LOADS.iter().sum();
    let user_io_s: f64 = FOREGROUND.iter().filter(|e| e.class == "User I/O").map(|e| e.time_s).sum();
    let io_s = |q: &TpchQuery| blocks(q).iter().zip(speeds).map(|(b, s)| b * s).sum::<f64>() / load;
    let cpu_s = |q: &TpchQuery| io_s(q) * (100.0 / q.io_pct / ELAPSED_OF_CPU_AND_IO - 1.0);
    // The queries take all but a little of the CPU.
    let all_cpu_s = ALL.iter().map(cpu_s).sum::<f64>() / 0.97;
    let queries = ALL
        .iter()
        .map(|q| {
            let read: f64 = blocks(q).iter().sum();
            let asked: f64 = blocks(q).iter().zip(requests).map(|(b, r)| b * r).sum();
            Query {
                sql_id: q.sql_id,
                module: MODULES[q.number as usize - 1],
                text: q.text,
                executions: 1.0,
                runs_on: Some((q.number - 1) % 4 + 1),
                cpu_pct: 100.0 * cpu_s(q) / all_cpu_s,
                io_pct: 100.0 * io_s(q) / user_io_s,
                reads_pct: 100.0 * read / load / per_instance,
                blocks_a_request: read / asked,
            }
        })
        .collect();
    let mut reports = four_instances(&Hour {
        begin_snap: 2206,
        begin_time: "2012-10-22T23:00:03",
        end_time: "2012-10-23T00:00:04",
        foreground: FOREGROUND,
        background: BACKGROUND,
        cpu_s: all_cpu_s,
        queries,
        files: [
            (DATA, FILES[0].1, [9.5, 51.0, 52.0, 6.0]),
            (DATA, FILES[1].1, [9.0, 47.0, 47.8, 6.0]),
            (INDEX, FILES[2].1, [80.6, 1.6, 0.2, 4.0]),
            ("SYSAUX", FILES[3].1, [0.4, 0.2, 0.0, 44.0]),
            ("SYSTEM", FILES[4].1, [0.3, 0.2, 0.0, 11.0]),
            ("UNDOTBS1", FILES[5].1, [0.2, 0.0, 0.0, 29.0]),
        ],
        segments: SEGMENTS,
    });
    for report in &mut reports {
        // A report prints fewer of what does not matter here.
        report.tables.wait_histogram.retain(|h| {
            h.event.starts_with("log file")
                || FOREGROUND.iter().any(|e| e.name == h.event && e.class == "User I/O")
        });
        for (ranking, rows) in [("cpu_time", 8), ("buffer_gets", 5), ("executions", 3), ("parse_calls", 0)] {
            let mut seen = 0;
            report.tables.sql_stat.retain(|s| {
                seen += usize::from(s.ranked_by == ranking);
                s.ranked_by != ranking || seen <= rows
            });
        }
    }
    reports
}

const MODULES: [&str; 22] = [
    "query 1", "query 2", "query 3", "query 4", "query 5", "query 6", "query 7", "query 8", "query 9",
    "query 10", "query 11", "query 12", "query 13", "query 14", "query 15", "query 16", "query 17",
    "query 18", "query 19", "query 20", "query 21", "query 22",
];

/// Tablespace, name, GiB.
const FILES: [(&str, &str, f64); 6] = [
    (DATA, "+DWDATA/dwh/datafile/tpch_data.270.801110021", 32.0),
    (DATA, "+DWDATA/dwh/datafile/tpch_data.271.801110044", 32.0),
    (INDEX, "+DWDATA/dwh/datafile/tpch_idx.272.801110061", 24.0),
    ("SYSAUX", "+DWDATA/dwh/datafile/sysaux.257.801108804", 4.0),
    ("SYSTEM", "+DWDATA/dwh/datafile/system.256.801108798", 2.0),
    ("UNDOTBS1", "+DWDATA/dwh/datafile/undotbs1.259.801108810", 8.0),
];

const MIB: f64 = 1_048_576.0;
const GIB: f64 = 1_024.0 * MIB;

fn origin(collected_at: &str) -> CollectedOrigin {
    CollectedOrigin {
        db_name: Some("DWH".into()),
        db_id: Some(1_414_213_562),
        version: Some("11.2.0.3.0".into()),
        host: Some("merlin-dw01".into()),
        platform: Some("Linux x86 64-bit".into()),
        collected_at: Some(collected_at.into()),
        block_size_bytes: Some(8192),
        ..CollectedOrigin::default()
    }
}

/// Sizes of segments and files, as `spindle collect segments` gathers them.
#[must_use]
pub fn tier_zero_segments() -> Collected {
    let owner = || "TPCH".to_owned();
    let mut found = Collected { origin: origin("2012-10-23T00:04:10"), ..Collected::default() };
    for o in &OBJECTS {
        found.segments.push(CollectedSegment {
            owner: Some(owner()),
            segment: o.name.to_owned(),
            segment_type: Some(if o.indexes.is_some() { "INDEX" } else { "TABLE" }.to_owned()),
            segment_subtype: Some("ASSM".into()),
            tablespace: Some(o.space.to_owned()),
            bytes: Some(o.mib * MIB),
            buffer_pool: Some("DEFAULT".into()),
            ..CollectedSegment::default()
        });
        match o.indexes {
            None => found.tables.push(CollectedTable {
                owner: owner(),
                table: o.name.to_owned(),
                tablespace: Some(o.space.to_owned()),
                partitioned: Some(false),
                temporary: Some(false),
                nested: Some(false),
                has_long: Some(false),
                degree: Some("16".into()),
                logging: Some(true),
                compression: Some("DISABLED".into()),
                buffer_pool: Some("DEFAULT".into()),
                rows: Some(o.rows),
                blocks: Some((o.mib * MIB / BLOCK).round()),
                ..CollectedTable::default()
            }),
            Some(table) => found.indexes.push(CollectedIndex {
                owner: owner(),
                index: o.name.to_owned(),
                index_type: Some("NORMAL".into()),
                table_owner: Some(owner()),
                table: Some(table.to_owned()),
                unique: Some(o.name == "SUPPLIER_IDX1"),
                tablespace: Some(o.space.to_owned()),
                status: Some("VALID".into()),
                partitioned: Some(false),
                join_index: Some(false),
                degree: Some("1".into()),
                logging: Some(true),
                buffer_pool: Some("DEFAULT".into()),
                ..CollectedIndex::default()
            }),
        }
    }
    let temp = ("TEMP", "+DWDATA/dwh/tempfile/temp.258.801108822", 32.0);
    for (number, (space, file, gib)) in FILES.iter().chain([&temp]).enumerate() {
        found.files.push(CollectedFile {
            file_id: Some(if *space == "TEMP" { 1 } else { number as u64 + 1 }),
            tablespace: (*space).to_owned(),
            file: (*file).to_owned(),
            bytes: Some(gib * GIB),
            max_bytes: Some(gib * GIB),
            autoextensible: Some(false),
            is_temp: *space == "TEMP",
            ..CollectedFile::default()
        });
    }
    for (space, contents) in [
        ("SYSTEM", "PERMANENT"),
        ("SYSAUX", "PERMANENT"),
        ("UNDOTBS1", "UNDO"),
        ("TEMP", "TEMPORARY"),
        (DATA, "PERMANENT"),
        (INDEX, "PERMANENT"),
    ] {
        found.tablespaces.push(CollectedTablespace {
            tablespace: space.to_owned(),
            block_size_bytes: Some(8192),
            contents: Some(contents.to_owned()),
            bigfile: Some(false),
            segment_space_management: Some(
                if contents == "PERMANENT" && space != "SYSTEM" { "AUTO" } else { "MANUAL" }.to_owned(),
            ),
            encrypted: Some(false),
            logging: Some(contents != "TEMPORARY"),
            force_logging: Some(false),
            ..CollectedTablespace::default()
        });
    }
    for thread in 1..=4_u32 {
        for group in [2 * thread - 1, 2 * thread] {
            found.redo_groups.push(RedoGroup {
                thread: Some(thread),
                group,
                bytes: Some(512.0 * MIB),
                block_size_bytes: Some(512),
                status: Some(if group % 2 == 1 { "CURRENT" } else { "INACTIVE" }.to_owned()),
                members: vec![format!(
                    "+DWDATA/dwh/onlinelog/group_{group}.{}.801108{:03}",
                    259 + group,
                    790 + group
                )],
                ..RedoGroup::default()
            });
        }
    }
    found.control_files.push(ControlFile {
        file: "+DWDATA/dwh/controlfile/current.260.801108782".into(),
        bytes: Some(18.0 * MIB),
        ..ControlFile::default()
    });
    found
}

/// Plans of the 22 queries with what each line was measured to read, as `spindle collect plans` gathers
/// them with `statistics_level` at ALL.
#[must_use]
pub fn tier_zero_plans() -> Collected {
    let mut found = Collected { origin: origin("2012-10-23T00:05:02"), ..Collected::default() };
    for query in &ALL {
        found.plan_rows.extend(plan_rows(query));
    }
    found
}

fn plan_rows(query: &TpchQuery) -> Vec<PlanRow> {
    // The query runs in parallel, so its rows come to the coordinator through a queue.
    let head: [Line; 3] = [
        op(0, "SELECT STATEMENT|", 0.0),
        op(1, "PX COORDINATOR|", 0.0),
        on(2, "PX SEND|QC (RANDOM)", ":TQ10001", 0.0),
    ];
    let lines: Vec<Line> = head
        .into_iter()
        .chain(
            query.plan.iter().map(|(depth, operation, object, read)| (depth + 2, *operation, *object, *read)),
        )
        .collect();
    let plan_hash =
        1_618_033_988 + 271_828_183 * u64::from(query.number % 7) + 57_721_566 * u64::from(query.number);
    let mut rows: Vec<PlanRow> = lines
        .iter()
        .enumerate()
        .map(|(id, line)| {
            let (depth, operation, name, thousands) = *line;
            let (operation, options) = operation.split_once('|').unwrap_or((operation, ""));
            let object = OBJECTS.iter().find(|o| o.name == name);
            let read = thousands * 1e3;
            let is_scan = operation == "TABLE ACCESS" && options == "FULL";
            let parent = lines[..id].iter().rposition(|l| l.0 + 1 == depth);
            // What the optimizer thought: scans take the whole, the rest some rows a block that it reads.
            let cardinality = object.map(|o| if is_scan { o.rows } else { (read * 21.0).max(1.0) });
            let cost = match object {
                Some(o) if is_scan => (o.mib * MIB / BLOCK * 0.17).ceil(),
                Some(_) => (read * 1.3).ceil(),
                None => (read * 0.11).ceil(),
            };
            PlanRow {
                sql_id: Some(query.sql_id.to_owned()),
                plan_hash: Some(plan_hash),
                executions: Some(1.0),
                children: Some(4.0),
                id: Some(id as u32),
                parent_id: parent.map(|p| p as u32),
                depth: Some(depth),
                operation: operation.to_owned(),
                options: Some(options).filter(|o| !o.is_empty()).map(str::to_owned),
                object_owner: match name {
                    "" => None,
                    ":TQ10001" => Some(":Q1001".to_owned()),
                    _ => Some("TPCH".to_owned()),
                },
                object: Some(name).filter(|n| !n.is_empty()).map(str::to_owned),
                object_type: object.map(|o| if o.indexes.is_some() { "INDEX" } else { "TABLE" }.to_owned()),
                cardinality,
                bytes: object.zip(cardinality).map(|(o, rows)| rows * o.row_bytes),
                cost: Some(cost),
                io_cost: Some(cost),
                temp_bytes: (object.is_none() && read > 0.0).then_some(read * BLOCK),
                measured_starts: Some(1.0),
                measured_reads: Some(read),
                ..PlanRow::default()
            }
        })
        .collect();
    // A line's cost and reads count those below it; a sort, join or queue passes on what comes from below.
    for id in (1..rows.len()).rev() {
        let Some(parent) = rows[id].parent_id else { continue };
        let (child, above) = (rows[id].clone(), &mut rows[parent as usize]);
        let add =
            |sum: &mut Option<f64>, part: Option<f64>| *sum = Some(sum.unwrap_or(0.0) + part.unwrap_or(0.0));
        add(&mut above.cost, child.cost);
        add(&mut above.io_cost, child.io_cost);
        add(&mut above.measured_reads, child.measured_reads);
        if above.bytes.is_none() || above.object.as_deref() == Some(":TQ10001") {
            above.bytes = above.bytes.max_of(child.bytes);
            above.cardinality = above.cardinality.max_of(child.cardinality);
        }
    }
    rows[0].bytes = None;
    rows
}

trait MaxOf {
    fn max_of(self, other: Self) -> Self;
}

impl MaxOf for Option<f64> {
    fn max_of(self, other: Self) -> Self {
        match (self, other) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_plans_read_stays_within_what_the_instances_read() {
        let reports = tier_zero();
        let stat = |name: &str| -> f64 {
            reports
                .iter()
                .flat_map(|r| &r.tables.instance_stat)
                .filter(|s| s.statistic == name)
                .filter_map(|s| s.total)
                .sum()
        };
        let by_path =
            ALL.iter().map(blocks).fold([0.0; 3], |sum, b| [sum[0] + b[0], sum[1] + b[1], sum[2] + b[2]]);
        let temp = stat("physical reads direct temporary tablespace");
        assert!(by_path[2] < temp && by_path[2] > 0.9 * temp, "{by_path:?} {temp}");
        let all = stat("physical reads");
        let read: f64 = by_path.iter().sum();
        assert!(read < all && read > 0.9 * all, "{read} of {all}");
        for report in &reports {
            for ranked_by in ["elapsed_time", "user_io_wait_time", "physical_reads"] {
                let rows = || report.tables.sql_stat.iter().filter(|s| s.ranked_by == ranked_by);
                assert_eq!(rows().count(), 22);
                assert!(rows().all(|s| s.captured_pct.is_some_and(|p| p < 100.0)), "{ranked_by}");
            }
        }
    }

    #[test]
    fn an_object_is_ranked_only_where_the_plans_read_that_much() {
        let listed: Vec<&str> = SEGMENTS[1].rows.iter().map(|r| r.1).collect();
        let read = |name: &str| -> f64 {
            ALL.iter().flat_map(|q| q.plan).filter(|l| l.2 == name).map(|l| l.3 * 1e3).sum()
        };
        let load: f64 = LOADS.iter().sum();
        let own = (BLOCKS_PER_S / 4.0 * ELAPSED_S - 195_004.0 * TEMP_BLOCKS) * load;
        for o in &OBJECTS {
            match SEGMENTS[1].rows.iter().find(|r| r.1 == o.name) {
                Some(row) => {
                    let ranked = own * row.3 / 100.0;
                    assert!(
                        (ranked / read(o.name) - 1.0).abs() < 0.05,
                        "{}: {ranked} {}",
                        o.name,
                        read(o.name)
                    );
                }
                None => assert!(listed.iter().all(|l| read(l) > read(o.name)), "{}", o.name),
            }
        }
    }
}
