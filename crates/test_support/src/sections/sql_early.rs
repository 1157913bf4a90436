//! Statements of AWR up to 11.1: CPU and elapsed time in seconds instead of shares.

use super::sql::{Captured, Ranking, per};
use crate::block::Cell;
use crate::style::Style;
use spindle_facts::SqlStat;

const PLSQL: [&str; 2] = [
    "-> Resources reported for PL/SQL code includes the resources used by all SQL",
    "   statements called by the code.",
];

fn id(s: &SqlStat) -> Cell {
    Cell::opt(s.sql_id.as_deref())
}

const ELAPSED: Ranking = Ranking {
    ranked_by: "elapsed_time",
    title: "SQL ordered by Elapsed Time",
    summary: "",
    notes: &[
        PLSQL[0],
        PLSQL[1],
        "-> % Total DB Time is the Elapsed Time of the SQL statement divided",
        "   into the Total Database Time multiplied by 100",
    ],
    captured: Captured::Nothing,
    ruled: "  Elapsed      CPU                  Elap per  % Total\n\
            \x20 Time (s)   Time (s)  Executions   Exec (s)  DB Time    SQL Id\n\
            ---------- ---------- ------------ ---------- ------- -------------",
    columns: &[
        "Elapsed Time (s)",
        "CPU Time (s)",
        "Executions",
        "Elap per Exec (s)",
        "% Total DB Time",
        "SQL Id",
        "SQL Module",
        "SQL Text",
    ],
    cells: |s, st| {
        vec![
            st.int(s.elapsed_s),
            st.int(s.cpu_s),
            st.int(s.executions),
            st.fine(per(s.elapsed_s, s.executions), 1),
            st.fine(s.share_pct, 1),
            id(s),
        ]
    },
};

const ELAPSED_11_1: Ranking = Ranking { captured: Captured::WithPlsql("DB Time (s)"), ..ELAPSED };

const CPU_10_2: Ranking = Ranking {
    ranked_by: "cpu_time",
    title: "SQL ordered by CPU Time",
    summary: "",
    notes: &[
        PLSQL[0],
        PLSQL[1],
        "-> % Total DB Time is the Elapsed Time of the SQL statement divided",
        "   into the Total Database Time multiplied by 100",
    ],
    captured: Captured::Nothing,
    ruled: "    CPU      Elapsed                  CPU per  % Total\n\
            \x20 Time (s)   Time (s)  Executions     Exec (s) DB Time    SQL Id\n\
            ---------- ---------- ------------ ----------- ------- -------------",
    columns: &[
        "CPU Time (s)",
        "Elapsed Time (s)",
        "Executions",
        "CPU per Exec (s)",
        "% Total DB Time",
        "SQL Id",
        "SQL Module",
        "SQL Text",
    ],
    cells: |s, st| {
        vec![
            st.int(s.cpu_s),
            st.int(s.elapsed_s),
            st.int(s.executions),
            st.num(per(s.cpu_s, s.executions), 2),
            // Of elapsed time in DB time.
            st.fine(Some(3.2), 1),
            id(s),
        ]
    },
};

const CPU_11_1: Ranking = Ranking {
    captured: Captured::WithPlsql("CPU Time (s)"),
    ruled: "    CPU      Elapsed                  CPU per          % Total\n\
            \x20 Time (s)   Time (s)  Executions     Exec (s) % Total DB Time    SQL Id\n\
            ---------- ---------- ------------ ----------- ------- ------- -------------",
    columns: &[
        "CPU Time (s)",
        "Elapsed Time (s)",
        "Executions",
        "CPU per Exec (s)",
        "% Total",
        "% Total DB Time",
        "SQL Id",
        "SQL Module",
        "SQL Text",
    ],
    cells: |s, st| {
        vec![
            st.int(s.cpu_s),
            st.int(s.elapsed_s),
            st.int(s.executions),
            st.num(per(s.cpu_s, s.executions), 2),
            st.fine(s.share_pct, 1),
            // Its elapsed time in DB time: a share of another thing.
            st.fine(s.share_pct.map(|p| p * 0.7 + 1.0), 1),
            id(s),
        ]
    },
    ..CPU_10_2
};

const GETS: Ranking = Ranking {
    ranked_by: "buffer_gets",
    title: "SQL ordered by Gets",
    summary: "",
    notes: &PLSQL,
    captured: Captured::TwoLines("Buffer Gets"),
    ruled: "                                Gets              CPU     Elapsed\n\
            \x20 Buffer Gets   Executions    per Exec   %Total Time (s)  Time (s)    SQL Id\n\
            -------------- ------------ ------------ ------ -------- --------- -------------",
    columns: &[
        "Buffer Gets",
        "Executions",
        "Gets per Exec",
        "%Total",
        "CPU Time (s)",
        "Elapsed Time (s)",
        "SQL Id",
        "SQL Module",
        "SQL Text",
    ],
    cells: |s, st| cost(s, st, s.buffer_gets, 14),
};

const READS: Ranking = Ranking {
    ranked_by: "physical_reads",
    title: "SQL ordered by Reads",
    summary: "",
    notes: &[],
    captured: Captured::TwoLines("Disk Reads"),
    ruled: "                               Reads              CPU     Elapsed\n\
            Physical Reads  Executions    per Exec   %Total Time (s)  Time (s)    SQL Id\n\
            -------------- ----------- ------------- ------ -------- --------- -------------",
    columns: &[
        "Physical Reads",
        "Executions",
        "Reads per Exec",
        "%Total",
        "CPU Time (s)",
        "Elapsed Time (s)",
        "SQL Id",
        "SQL Module",
        "SQL Text",
    ],
    cells: |s, st| cost(s, st, s.physical_reads, 14),
};

fn cost(s: &SqlStat, style: &Style, value: Option<f64>, width: usize) -> Vec<Cell> {
    vec![
        style.wide_int(value, width),
        style.int(s.executions),
        style.fine(per(value, s.executions), 1),
        style.fine(s.share_pct, 1),
        style.plain(s.cpu_s, 2),
        style.plain(s.elapsed_s, 2),
        id(s),
    ]
}

const EXECUTIONS: Ranking = Ranking {
    ranked_by: "executions",
    title: "SQL ordered by Executions",
    summary: "",
    notes: &[],
    captured: Captured::TwoLines("Executions"),
    ruled: "                                              CPU per    Elap per\n\
            \x20Executions   Rows Processed  Rows per Exec   Exec (s)   Exec (s)     SQL Id\n\
            ------------ --------------- -------------- ---------- ----------- -------------",
    columns: &[
        "Executions",
        "Rows Processed",
        "Rows per Exec",
        "CPU per Exec (s)",
        "Elap per Exec (s)",
        "SQL Id",
        "SQL Module",
        "SQL Text",
    ],
    cells: |s, st| {
        vec![
            st.int(s.executions),
            st.int(s.rows_processed),
            st.fine(per(s.rows_processed, s.executions), 1),
            st.num(per(s.cpu_s, s.executions), 2),
            st.num(per(s.elapsed_s, s.executions), 2),
            id(s),
        ]
    },
};

const PARSE_CALLS: Ranking = Ranking {
    ranked_by: "parse_calls",
    title: "SQL ordered by Parse Calls",
    summary: "",
    notes: &[],
    captured: Captured::TwoLines("Parse Calls"),
    ruled: "                            % Total\n\
            \x20Parse Calls  Executions     Parses    SQL Id\n\
            ------------ ------------ --------- -------------",
    columns: &["Parse Calls", "Executions", "% Total Parses", "SQL Id", "SQL Module", "SQL Text"],
    cells: |s, st| vec![st.int(s.parse_calls), st.int(s.executions), st.num(s.share_pct, 2), id(s)],
};

pub(super) const RANKINGS_10_2: &[Ranking] = &[ELAPSED, CPU_10_2, GETS, READS, EXECUTIONS, PARSE_CALLS];
pub(super) const RANKINGS_11_1: &[Ranking] = &[ELAPSED_11_1, CPU_11_1, GETS, READS, EXECUTIONS, PARSE_CALLS];
