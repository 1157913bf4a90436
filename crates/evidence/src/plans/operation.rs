//! What `DBMS_XPLAN` prints as one operation, split as `V$SQL_PLAN` keeps it: `TABLE ACCESS` and
//! `BY INDEX ROWID BATCHED`.

/// Operations that take options, and longer ones that begin with the words of a shorter one.
const OPERATIONS: &[&str] = &[
    "ALTER INDEX STATEMENT",
    "BITMAP AND",
    "BITMAP COMPACTION",
    "BITMAP CONSTRUCTION",
    "BITMAP CONVERSION",
    "BITMAP INDEX",
    "BITMAP JOIN INDEX UPDATE",
    "BITMAP KEY ITERATION",
    "BITMAP MERGE",
    "BITMAP MINUS",
    "BITMAP OR",
    "BUFFER",
    "COLLECTION ITERATOR",
    "CONNECT BY",
    "COUNT",
    "CREATE INDEX STATEMENT",
    "CREATE TABLE STATEMENT",
    "CUBE JOIN",
    "CUBE SCAN",
    "DELETE",
    "DELETE STATEMENT",
    "EXTERNAL TABLE ACCESS",
    "FIXED TABLE",
    "HASH",
    "HASH JOIN",
    "INDEX",
    "INDEX BUILD",
    "INDEX MAINTENANCE",
    "INLIST ITERATOR",
    "INSERT STATEMENT",
    "JOIN FILTER",
    "KEY VECTOR",
    "LOAD AS SELECT",
    "LOAD TABLE CONVENTIONAL",
    "MAT_VIEW ACCESS",
    "MAT_VIEW REWRITE ACCESS",
    "MERGE",
    "MERGE JOIN",
    "MERGE STATEMENT",
    "NESTED LOOPS",
    "PART JOIN FILTER",
    "PARTITION COMBINED",
    "PARTITION HASH",
    "PARTITION LIST",
    "PARTITION RANGE",
    "PARTITION REFERENCE",
    "PARTITION SYSTEM",
    "PX BLOCK",
    "PX COORDINATOR",
    "PX PARTITION COMBINED",
    "PX PARTITION HASH",
    "PX PARTITION LIST",
    "PX PARTITION RANGE",
    "PX RECEIVE",
    "PX SELECTOR",
    "PX SEND",
    "REMOTE",
    "RESULT CACHE",
    "SELECT STATEMENT",
    "SEQUENCE",
    "SORT",
    "TABLE ACCESS",
    "TABLE QUEUE",
    "TEMP TABLE TRANSFORMATION",
    "UNION ALL",
    "UNION-ALL",
    "UPDATE",
    "UPDATE STATEMENT",
    "VIEW",
    "WINDOW",
];

/// Operation and options; an operation that is not known stays whole.
pub(crate) fn split(printed: &str) -> (&str, Option<&str>) {
    let fits = |operation: &&&str| {
        printed.strip_prefix(**operation).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    match OPERATIONS.iter().filter(fits).max_by_key(|o| o.len()) {
        Some(operation) => {
            let options = printed[operation.len()..].trim();
            (operation, (!options.is_empty()).then_some(options))
        }
        None => (printed, None),
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn operations_are_split_as_the_view_keeps_them() {
        for (printed, operation, options) in [
            ("TABLE ACCESS FULL", "TABLE ACCESS", Some("FULL")),
            ("TABLE ACCESS BY INDEX ROWID BATCHED", "TABLE ACCESS", Some("BY INDEX ROWID BATCHED")),
            ("INDEX RANGE SCAN", "INDEX", Some("RANGE SCAN")),
            ("INDEX BUILD NON UNIQUE", "INDEX BUILD", Some("NON UNIQUE")),
            ("HASH JOIN RIGHT OUTER", "HASH JOIN", Some("RIGHT OUTER")),
            ("HASH GROUP BY", "HASH", Some("GROUP BY")),
            ("SORT ORDER BY", "SORT", Some("ORDER BY")),
            ("TEMP TABLE TRANSFORMATION", "TEMP TABLE TRANSFORMATION", None),
            ("LOAD AS SELECT", "LOAD AS SELECT", None),
            ("BITMAP CONVERSION TO ROWIDS", "BITMAP CONVERSION", Some("TO ROWIDS")),
            ("PARTITION RANGE ITERATOR", "PARTITION RANGE", Some("ITERATOR")),
            ("PX SEND QC (RANDOM)", "PX SEND", Some("QC (RANDOM)")),
            ("MERGE JOIN CARTESIAN", "MERGE JOIN", Some("CARTESIAN")),
            ("MERGE STATEMENT", "MERGE STATEMENT", None),
            ("VIEW", "VIEW", None),
            ("VIEWER", "VIEWER", None),
            ("SOMETHING NEW", "SOMETHING NEW", None),
        ] {
            assert_eq!(split(printed), (operation, options), "{printed}");
        }
    }
}
