//! A till system that burns CPU on one statement while its storage is innocent: a Statspack of
//! 11.2, level 7. Wholly our invention.

use super::build::{
    Base, Event, File, Flow, SqlTotals, Statement, add_files, add_segments, add_sql, add_waits, bell, event,
    n, os, printed, t,
};
use spindle_facts::{
    DbCacheAdvice, HostCpu, Identity, InstanceStat, Kind, Layout, Metric, Parameter, PgaAdvice, Report,
    ShareOf, Side, SmolStr, WaitEvent,
};

const MB: f64 = 1_048_576.0;
const ELAPSED_S: f64 = 1_803.0;
const CPU_S: f64 = 11_940.0;

const FOREGROUND: &[Event] = &[
    event("db file sequential read", "User I/O", 214_118.0, 150.3),
    event("log file sync", "Commit", 61_204.0, 49.6),
    event("latch: cache buffers chains", "Concurrency", 41_223.0, 38.4),
    event("enq: TX - row lock contention", "Application", 118.0, 6.1),
    event("db file scattered read", "User I/O", 4_011.0, 5.2),
    event("cursor: pin S", "Concurrency", 2_204.0, 2.9),
    event("SQL*Net message to client", "Network", 1_402_116.0, 1.4),
    event("SQL*Net message from client", "Idle", 1_402_120.0, 141_220.0),
];

const BACKGROUND: &[Event] = &[
    event("log file parallel write", "System I/O", 59_811.0, 31.1),
    event("db file parallel write", "System I/O", 8_114.0, 9.6),
    event("control file parallel write", "System I/O", 604.0, 0.9),
    event("control file sequential read", "System I/O", 2_204.0, 0.8),
    event("rdbms ipc message", "Idle", 71_204.0, 24_113.0),
    event("pmon timer", "Idle", 611.0, 1_799.0),
];

/// The report as facts.
#[must_use]
pub fn till() -> Report {
    let spent = |events: &[Event]| events.iter().filter(|e| e.class != "Idle").map(|e| e.time_s).sum::<f64>();
    let base = Base {
        elapsed_s: ELAPSED_S,
        transactions: 60_914.0,
        executions: 2_811_604.0,
        calls: 1_411_008.0,
        // Eight processors, all busy: a fifth of the time was spent waiting for one of them.
        db_time_s: (CPU_S + spent(FOREGROUND)) * 1.21,
        background_s: 61.2,
    };
    let mut report = Report::new(identity(&base));
    add_waits(&mut report, &base, CPU_S, FOREGROUND, BACKGROUND, 5);
    let calls_s = CPU_S + spent(FOREGROUND) + spent(BACKGROUND);
    let share = |e: &mut WaitEvent| {
        e.share_of = Some(ShareOf::TotalCallTime);
        e.share_pct = (!e.is_idle).then_some(100.0 * e.time_s.unwrap_or(0.0) / calls_s);
    };
    report.tables.wait_event.iter_mut().for_each(share);
    let mut both: Vec<WaitEvent> =
        report.tables.wait_event.iter().map(|e| WaitEvent { side: Side::All, ..e.clone() }).collect();
    both.sort_by(|a, b| {
        a.is_idle.cmp(&b.is_idle).then(b.time_s.unwrap_or(0.0).total_cmp(&a.time_s.unwrap_or(0.0)))
    });
    report.tables.wait_event.extend(both);
    for top in &mut report.tables.top_event {
        top.share_pct = Some(100.0 * top.time_s.unwrap_or(0.0) / calls_s);
        top.share_of = Some(ShareOf::TotalCallTime);
        if top.event == "DB CPU" {
            top.event = "CPU time".to_owned();
        }
    }
    for e in FOREGROUND.iter().chain(BACKGROUND) {
        report.tables.wait_histogram.push(bell(e.name, e.waits, 1e3 * e.time_s / e.waits, 0.7));
    }
    let single = 214_118.0;
    let multi = 4_011.0;
    let reads = single + multi * 14.0;
    let writes = 31_204.0;
    let gets = 1_204_118_311.0;
    let redo = 811_204_352.0;
    load_profile(&mut report, &base, gets, reads, writes, redo);
    for (statistic, time_s) in [
        ("sql execute elapsed time", base.db_time_s * 0.982),
        ("DB CPU", CPU_S),
        ("parse time elapsed", 21.3),
        ("PL/SQL execution elapsed time", 9.8),
        ("hard parse elapsed time", 4.4),
        ("DB time", base.db_time_s),
        ("background elapsed time", base.background_s),
        ("background cpu time", 19.7),
    ] {
        report.tables.time_model.push(base.time_model(statistic, time_s));
    }
    machine(&mut report);
    input_output(&mut report, single, multi, writes, redo);
    statements(&mut report, &base, gets, reads);
    activity(&mut report, &base, gets, reads, writes, redo);
    memory(&mut report, gets, reads, writes);
    let of = |total: f64, pct: f64| (total * pct / 100.0).round();
    add_segments(
        &mut report,
        "logical_reads",
        gets,
        97.0,
        &[
            ("TILL", "TILL_DATA", "VOUCHERS", None, "TABLE", of(gets, 71.3)),
            ("TILL", "TILL_IDX", "VOUCHERS_STATE_IX", None, "INDEX", of(gets, 12.8)),
            ("TILL", "TILL_DATA", "RECEIPT_LINES", None, "TABLE", of(gets, 6.1)),
            ("TILL", "TILL_IDX", "RECEIPT_LINES_PK", None, "INDEX", of(gets, 3.9)),
        ],
    );
    add_segments(
        &mut report,
        "physical_reads",
        reads,
        91.0,
        &[
            ("TILL", "TILL_DATA", "RECEIPT_LINES", None, "TABLE", of(reads, 44.2)),
            ("TILL", "TILL_DATA", "RECEIPTS", None, "TABLE", of(reads, 23.7)),
            ("TILL", "TILL_IDX", "RECEIPT_LINES_PK", None, "INDEX", of(reads, 15.0)),
        ],
    );
    for (name, value) in [
        ("compatible", "11.2.0.0.0"),
        ("cursor_sharing", "EXACT"),
        ("db_block_size", "8192"),
        ("db_name", "TILLDB"),
        ("filesystemio_options", "SETALL"),
        ("open_cursors", "500"),
        ("pga_aggregate_target", "2147483648"),
        ("processes", "400"),
        ("sga_target", "12884901888"),
        ("undo_tablespace", "UNDOTBS1"),
    ] {
        report.tables.parameter.push(Parameter {
            name: name.into(),
            begin_value: Some(value.into()),
            ..Parameter::default()
        });
    }
    report
}

fn identity(base: &Base) -> Identity {
    let mut id = Identity::unknown("", Kind::Statspack, Layout::Text);
    id.db_name = Some("TILLDB".into());
    id.db_id = Some(1_732_050_807);
    id.instance = Some("tilldb".into());
    id.instance_number = Some(1);
    id.version = Some("11.2.0.3.0".into());
    id.platform = Some("Linux x86 64-bit".into());
    id.host = Some("plover-db1".into());
    id.rac = Some(false);
    id.startup_time = Some("2014-05-02T04:10".into());
    id.block_size_bytes = Some(8192);
    id.cpus = Some(8.0);
    id.cores = Some(8.0);
    id.sockets = Some(2.0);
    id.memory_bytes = Some(31.4 * 1_073_741_824.0);
    id.begin_snap = Some(9_011);
    id.end_snap = Some(9_012);
    id.begin_time = Some("2014-06-14T11:30:02".into());
    id.end_time = Some("2014-06-14T12:00:05".into());
    id.elapsed_s = Some(base.elapsed_s);
    id.db_time_s = Some(base.db_time_s);
    id.begin_sessions = Some(161.0);
    id.end_sessions = Some(164.0);
    id
}

fn load_profile(report: &mut Report, base: &Base, gets: f64, reads: f64, writes: f64, redo: f64) {
    report.tables.load_profile = vec![
        base.load("DB time(s)", Metric::DbTime, base.db_time_s),
        base.load("DB CPU(s)", Metric::DbCpu, CPU_S),
        base.load("Redo size", Metric::RedoSize, redo),
        base.load("Logical reads", Metric::LogicalReads, gets),
        base.load("Block changes", Metric::BlockChanges, redo / 160.0),
        base.load("Physical reads", Metric::PhysicalReads, reads),
        base.load("Physical writes", Metric::PhysicalWrites, writes),
        base.load("User calls", Metric::UserCalls, base.calls),
        base.load("Parses", Metric::Parses, 71_204.0),
        base.load("Hard parses", Metric::HardParses, 91.0),
        base.load("W/A MB processed", Metric::WorkAreaMb, 3_204.0),
        base.load("Logons", Metric::Logons, 214.0),
        base.load("Executes", Metric::Executes, base.executions),
        base.load("Rollbacks", Metric::Rollbacks, 12.0),
        base.load("Transactions", Metric::Transactions, base.transactions),
    ];
}

fn machine(report: &mut Report) {
    let total_cs = 8.0 * ELAPSED_S * 100.0;
    let busy_cs = total_cs * 0.962;
    let sys_cs = (busy_cs * 0.08).round();
    report.tables.host_cpu.push(HostCpu {
        load_begin: Some(17.42),
        load_end: Some(19.06),
        user_pct: Some(100.0 * (busy_cs - sys_cs) / total_cs),
        system_pct: Some(100.0 * sys_cs / total_cs),
        io_wait_pct: Some(0.31),
        idle_pct: Some(3.8),
        ..HostCpu::default()
    });
    report.tables.os_stat = vec![
        os("BUSY_TIME", busy_cs.round(), None),
        os("IDLE_TIME", (total_cs - busy_cs).round(), None),
        os("IOWAIT_TIME", (total_cs * 0.0031).round(), None),
        os("SYS_TIME", sys_cs, None),
        os("USER_TIME", (busy_cs - sys_cs).round(), None),
        os("PHYSICAL_MEMORY_BYTES", (31.4_f64 * 1_073_741_824.0).round(), None),
        os("NUM_CPUS", 8.0, None),
        os("NUM_CPU_CORES", 8.0, None),
        os("NUM_CPU_SOCKETS", 2.0, None),
    ];
}

fn input_output(report: &mut Report, single: f64, multi: f64, writes: f64, redo: f64) {
    let block = 8192.0;
    for (function, flow) in [
        (
            "Buffer Cache Reads",
            Flow {
                reads: single + multi,
                read_bytes: (single + multi * 14.0) * block,
                waits: single + multi,
                ..Flow::default()
            },
        ),
        ("LGWR", Flow { writes: 59_811.0, write_bytes: redo * 1.07, waits: 59_811.0, ..Flow::default() }),
        ("DBWR", Flow { writes: writes / 1.2, write_bytes: writes * block, ..Flow::default() }),
        (
            "Others",
            Flow {
                reads: 2_204.0,
                read_bytes: 2_204.0 * 16_384.0,
                writes: 604.0,
                write_bytes: 604.0 * 16_384.0,
                waits: 2_204.0,
                ..Flow::default()
            },
        ),
    ] {
        // Statspack prints no time here that was measured.
        let mut row = flow.row(Some(function), None, false, ELAPSED_S);
        row.avg_wait_us = Some(0.0);
        report.tables.io_function.push(row);
    }
    let file = |tablespace, name, single: f64, multi: f64, writes: f64| File {
        tablespace,
        name,
        reads: single + multi,
        blocks_per_read: (single + multi * 14.0) / (single + multi),
        read_ms: (single * 0.7 + multi * 1.3) / (single + multi),
        writes,
        buffer_waits: 0.0,
        buffer_wait_ms: 0.0,
    };
    let dbwr = (writes / 1.2).round();
    add_files(
        report,
        ELAPSED_S,
        &[
            file("TILL_DATA", "/u02/oradata/tilldb/till_data01.dbf", 151_204.0, 3_611.0, dbwr - 12_000.0),
            file("TILL_IDX", "/u02/oradata/tilldb/till_idx01.dbf", 61_114.0, 211.0, 9_000.0),
            file("UNDOTBS1", "/u02/oradata/tilldb/undotbs01.dbf", 600.0, 0.0, 2_000.0),
            file("SYSAUX", "/u02/oradata/tilldb/sysaux01.dbf", 800.0, 120.0, 800.0),
            file("SYSTEM", "/u02/oradata/tilldb/system01.dbf", 400.0, 69.0, 200.0),
        ],
    );
}

#[rustfmt::skip]
const STATEMENTS: [(u64, &str, &str, f64, [f64; 4]); 5] = [
    (3_141_592_653, "till-server", "select v.voucher_id, v.amount from vouchers v where upper(v.code) = :code and v.state in ('OPEN', 'PART') and v.valid_to >= :today", 14.0, [74.0, 12.0, 82.0, 4.0]),
    (2_236_067_977, "till-server", "select l.line_no, l.article_id, l.quantity, l.price from receipt_lines l where l.receipt_id = :receipt order by l.line_no", 31.0, [7.0, 48.0, 7.0, 51.0]),
    (2_645_751_311, "till-server", "insert into receipt_lines (receipt_id, line_no, article_id, quantity, price) values (:receipt, :line_no, :article, :quantity, :price)", 22.0, [5.0, 9.0, 3.0, 8.0]),
    (1_259_921_049, "till-server", "update receipts set state = :state, closed_on = :now where receipt_id = :receipt", 2.2, [3.0, 14.0, 2.0, 19.0]),
    (1_442_249_570, "back-office", "select article_id, sum(quantity) from receipt_lines where sold_on >= :since group by article_id", 0.001, [4.0, 6.0, 2.0, 11.0]),
];

fn statements(report: &mut Report, base: &Base, gets: f64, reads: f64) {
    let io_s = 155.5;
    let totals = SqlTotals {
        elapsed_s: base.db_time_s,
        cpu_s: CPU_S,
        io_s,
        gets,
        reads,
        executions: base.executions,
        parses: 71_204.0,
    };
    let ids = ["a", "b", "c", "d", "e"];
    let list: Vec<Statement> = STATEMENTS
        .iter()
        .zip(ids)
        .map(|((_, module, text, executions, [cpu, io, gets, reads]), sql_id)| {
            let executions = (base.executions * executions / 100.0).round().max(1.0);
            let cpu_s = CPU_S * cpu / 100.0;
            Statement {
                sql_id,
                module,
                text,
                executions,
                rows: executions * 2.0,
                parses: executions.min(900.0),
                elapsed_s: cpu_s * 1.2 + io_s * io / 100.0,
                cpu_s,
                io_s: io_s * io / 100.0,
                gets: (totals.gets * gets / 100.0).round(),
                reads: (totals.reads * reads / 100.0).round(),
                requests: (totals.reads * reads / 120.0).round(),
            }
        })
        .collect();
    add_sql(report, &list, totals, 5);
    // Statspack names statements by their old hash value.
    let hash =
        |id: &Option<SmolStr>| ids.iter().position(|i| id.as_deref() == Some(*i)).map(|k| STATEMENTS[k].0);
    for s in &mut report.tables.sql_stat {
        s.old_hash = hash(&s.sql_id);
        s.sql_id = None;
    }
    for s in &mut report.tables.sql_text {
        s.old_hash = hash(&s.sql_id);
        s.sql_id = None;
    }
}

fn activity(report: &mut Report, base: &Base, gets: f64, reads: f64, writes: f64, redo: f64) {
    let block = 8192.0;
    let s = |name: &str, value: f64| base.stat(name, value);
    let mut stats: Vec<InstanceStat> = vec![
        s("CPU used by this session", CPU_S * 99.1),
        s("DB time", base.db_time_s * 100.0),
        s("consistent gets", gets * 0.985),
        s("db block changes", redo / 160.0),
        s("db block gets", gets * 0.015),
        s("execute count", base.executions),
        s("logons cumulative", 214.0),
        s("parse count (hard)", 91.0),
        s("parse count (total)", 71_204.0),
        s("physical read IO requests", 218_129.0),
        s("physical read bytes", reads * block),
        s("physical read total IO requests", 220_333.0),
        s("physical read total bytes", reads * block + 2_204.0 * 16_384.0),
        s("physical read total multi block requests", 4_011.0),
        s("physical reads", reads),
        s("physical reads direct", 0.0),
        s("physical write IO requests", writes / 1.2),
        s("physical write bytes", writes * block),
        s("physical write total IO requests", writes / 1.2 + 59_811.0 + 604.0),
        s("physical write total bytes", writes * block + redo * 1.07 + 604.0 * 16_384.0),
        s("physical writes", writes),
        s("physical writes direct", 0.0),
        s("redo size", redo),
        s("redo synch time", 4_960.0),
        s("redo synch writes", 61_204.0),
        s("redo write time", 3_110.0),
        s("redo writes", 59_811.0),
        s("session logical reads", gets),
        s("sorts (memory)", 61_119.0),
        s("table scans (long tables)", 2.0),
        s("table scans (short tables)", 411_208.0),
        s("user I/O wait time", 15_550.0),
        s("user calls", base.calls),
        s("user commits", base.transactions - 12.0),
        s("user rollbacks", 12.0),
    ];
    stats.push(InstanceStat {
        total: None,
        per_second: None,
        per_transaction: None,
        begin_value: Some(161.0),
        end_value: Some(164.0),
        ..base.stat("logons current", 0.0)
    });
    stats.push(base.stat("log switches (derived)", 2.0));
    report.tables.instance_stat = stats;
}

fn memory(report: &mut Report, gets: f64, reads: f64, writes: f64) {
    for (name, bytes) in [
        ("Buffer Cache", 9_216.0 * MB),
        ("Shared Pool Size", 2_304.0 * MB),
        ("Log Buffer", 15_324.0 * 1024.0),
    ] {
        report.tables.cache_size.push(printed(vec![
            ("name", t(name)),
            ("begin_bytes", n(bytes)),
            ("end_bytes", n(bytes)),
        ]));
    }
    for (name, value) in [("Host Mem (MB)", 32_153.6), ("SGA use (MB)", 12_288.0), ("PGA use (MB)", 611.2)] {
        report.tables.memory_stat.push(printed(vec![
            ("statistic", t(name)),
            ("begin", n(value)),
            ("end", n(value)),
        ]));
    }
    for (name, value) in [
        ("Buffer Nowait %", 100.0),
        ("Redo NoWait %", 100.0),
        ("Buffer  Hit   %", 100.0 * (1.0 - reads / gets)),
        ("Optimal W/A Exec %", 100.0),
        ("Library Hit   %", 99.98),
        ("Soft Parse %", 99.87),
        ("Execute to Parse %", 97.47),
        ("Latch Hit %", 98.31),
    ] {
        report.tables.efficiency.push(printed(vec![("ratio", t(name)), ("pct", n(value))]));
    }
    report.tables.buffer_pool.push(printed(vec![
        ("p", t("D")),
        ("number_of_buffers", n(1_131_264.0)),
        ("pool_hit_pct", n(100.0)),
        ("buffer_gets", n(gets)),
        ("physical_reads", n(reads)),
        ("physical_writes", n(writes)),
        ("free_buffer_waits", n(0.0)),
        ("write_complete_waits", n(0.0)),
        ("buffer_busy_waits", n(0.0)),
    ]));
    for k in 1..=10_u32 {
        let factor = f64::from(k) / 5.0;
        let of_reads = 0.97 + 0.03 / factor;
        report.tables.db_cache_advice.push(DbCacheAdvice {
            pool: Some("D".into()),
            size_bytes: Some((9_216.0 * factor).round() * MB),
            size_factor: Some(factor),
            buffers: Some(1_131_264.0 * factor),
            read_factor: Some(of_reads),
            estimated_reads: Some(reads * 900.0 * of_reads),
            estimated_read_time_s: Some((reads * 0.7 * of_reads).round()),
            estimated_db_time_pct: Some(1.1 * of_reads),
            ..DbCacheAdvice::default()
        });
    }
    report.tables.pga_aggregate.push(printed(vec![
        ("pga_cache_hit_pct", n(100.0)),
        ("w_a_mb_processed", n(3_204.0)),
        ("extra_w_a_mb_read_written", n(0.0)),
    ]));
    for factor in [0.5, 1.0, 2.0, 4.0] {
        report.tables.pga_advice.push(PgaAdvice {
            target_bytes: Some(2_048.0 * factor * MB),
            size_factor: Some(factor),
            processed_bytes: Some(2_811_204.0 * MB),
            extra_rw_bytes: Some(0.0),
            cache_hit_pct: Some(100.0),
            over_allocations: Some(0.0),
            estimated_time_s: Some(4_118.0),
            ..PgaAdvice::default()
        });
    }
    for (name, requests, miss, sleeps, wait) in [
        ("cache buffers chains", gets * 2.02, 1.7, 0.0, 38.0),
        ("redo allocation", 412_204.0, 0.1, 0.0, 0.0),
        ("shared pool", 811_204.0, 0.0, 0.1, 0.0),
    ] {
        report.tables.latch.push(printed(vec![
            ("latch_name", t(name)),
            ("get_requests", n(requests)),
            ("pct_get_miss", n(miss)),
            ("avg_sleeps_per_miss", n(sleeps)),
            ("wait_time_s", n(wait)),
            ("nowait_requests", n(0.0)),
            ("pct_nowait_miss", spindle_facts::Value::Null),
        ]));
    }
}
