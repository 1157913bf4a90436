//! Words of execution plans: operations and their options are Oracle's own, anything else in their place
//! may be a name.

use super::MASKED;

/// Words of operations and options in `V$SQL_PLAN`. Source: Oracle Database SQL Tuning Guide, "Reading
/// Execution Plans"; words of parallel, Exadata and in-memory plans as printed by 11.2 to 23ai.
const WORDS: &str = "ABAC ACCESS ADAPTIVE AGGREGATE ALL AND ANTI APPLY APPROXIMATE ARRAY AS BATCHED BITMAP BLOOM \
    BROADCAST BUFFER BUFFERED BUILD BY CACHE CARTESIAN CLUSTER COLLECTION COLLECTOR COLUMN COMBINE CONCATENATION \
    CONNECT CONSISTENT CONSTRUCTOR CONVERSION COORDINATOR COUNT CREATE CUBE CYCLE DDL DEDUPLICATION DEFAULT DELETE \
    DEPTH DESCENDING DIRECT DISTINCT DISTRIBUTION DOMAIN DUPLICATE DYNAMIC EMPTY EXACT EXCEPT EXISTS EXPANSION \
    EXPRESSION EXTENDED EXTERNAL FAST FETCH FILTER FIRST FIXED FOR FREQUENCY FROM FULL GENERATION GROUP GROUPBY \
    GROUPING HASH HYBRID ID IN INDEX INDEXES INLIST INMEMORY INSERT INSTEAD INTERNAL INTERSECTION INTO INVALID IS \
    ITERATOR JOIN JSON JSONTABLE KEY KEYS LAST LATERAL LEFT LEVEL LIST LOAD LOCAL LOOKUP LOOPS MAT MATCH MATERIALIZE \
    MATERIALIZED MAX MERGE MIN MINUS MODEL MONITOR MULTI MULTIPLE MV NA NESTED NESTEDLOOP NO NOSORT NULL OBJECT OF \
    OFFSET ON OPTIMIZED OPTIMIZER OR ORDER ORDERED OUTER OVERFLOW PARALLEL PARTIAL PARTITION PARTITIONED PATH PICKLER \
    PIVOT PLAN PLSQL PREDICATE PROCESSING PROJECTION PUSHDOWN PUSHED PX QC QUERY RANDOM RANGE RECEIVE RECURSIVE REF \
    REFERENCE REMOTE RESULT REWRITE RIGHT ROLLUP ROUND-ROBIN ROW ROWID ROWIDS ROWS SAMPLE SCAN SELECT SELECTOR SEMI \
    SEND SEQUENCE SERIAL SET SHARDED SINGLE SKIP SLAVE SLICE SMART SNA SNAPSHOT SORT SQL SQUARE STATEMENT STATISTICS \
    STATS STOPKEY STORAGE STORE SUBPARTITION SUBQUERY SYSTEM TABLE TABLES TEMP TO TRANSFORMATION TRANSPOSE TREE UNION \
    UNION-ALL UNIQUE UNKNOWN UNPIVOT UPDATE UPSERT USE USER USING VALUE VALUES VECTOR VIEW VIEWS VIRTUAL WINDOW WITH \
    WITHOUT WORK XML XMLTABLE XPATH XTABLE ZONEMAP";

/// Operation or options of a plan line without anything that is not Oracle's.
pub(super) fn plan_words(text: &mut String) {
    let is_known = |word: &str| {
        word.is_empty()
            || word.bytes().all(|b| b.is_ascii_digit())
            || WORDS.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(word))
    };
    let words = text.split(|c: char| !(c.is_alphanumeric() || "-_$#\"".contains(c)));
    if !words.into_iter().all(|word| is_known(word.trim_matches('-'))) {
        MASKED.clone_into(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_stay_and_names_in_their_place_go() {
        for (text, after) in [
            ("TABLE ACCESS", "TABLE ACCESS"),
            ("BY LOCAL INDEX ROWID BATCHED", "BY LOCAL INDEX ROWID BATCHED"),
            ("FULL SCAN (MIN/MAX)", "FULL SCAN (MIN/MAX)"),
            ("PX SEND QC (RANDOM)", "PX SEND QC (RANDOM)"),
            ("LOAD AS SELECT", "LOAD AS SELECT"),
            ("FULL ACME_ORDERS", MASKED),
            ("\"full\"", MASKED),
        ] {
            let mut masked = text.to_owned();
            plan_words(&mut masked);
            assert_eq!(masked, after);
        }
    }
}
