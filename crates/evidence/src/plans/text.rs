//! Plans as `DBMS_XPLAN` prints them (`display_cursor`, `display_awr`, `display`), anywhere in a text.
//!
//! `SQL_ID  x, child number 0`, the statement, `Plan hash value: n`, then a table with bars. AWR SQL
//! reports print `SQL ID: x` and `Plan 1(PHV: n)` instead. SQL*Plus wraps what is wider than its line: a
//! line of the table that does not end in a bar goes on in the next.

use super::{Plan, Plans};

/// Pieces that a wrapped line of a table is put together from.
const MOST_PIECES: usize = 8;

/// All plans in lines of text.
pub(crate) fn read<'a>(lines: impl Iterator<Item = (u32, &'a str)>) -> Plans {
    let mut plans = Plans::default();
    let mut plan: Option<Plan> = None;
    let (mut sql_id, mut plan_hash): (Option<String>, Option<u64>) = (None, None);
    let mut lines = lines.peekable();
    while let Some((line, text)) = lines.next() {
        let text = text.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
        // The whole of it may stand in a frame.
        let words = text.trim_matches(|c: char| c == '|' || c.is_whitespace());
        if let Some(id) = sql_id_of(words) {
            plans_end(&mut plans, &mut plan);
            (sql_id, plan_hash) = (Some(id), None);
            continue;
        }
        if let Some(hash) = plan_hash_of(words) {
            plans_end(&mut plans, &mut plan);
            plan_hash = Some(hash);
            continue;
        }
        if !text.starts_with('|') {
            if plan.is_some() && !text.bytes().all(|b| b == b'-') {
                plans_end(&mut plans, &mut plan);
                // A plan hash value stands above one plan only.
                plan_hash = None;
            }
            continue;
        }
        let mut whole = std::borrow::Cow::Borrowed(text);
        for _ in 0..MOST_PIECES {
            if whole.ends_with('|') {
                break;
            }
            let piece = lines.next_if(|(_, next)| !next.starts_with(['|', '-']) && !next.is_empty());
            let Some((_, piece)) = piece else { break };
            whole.to_mut().push_str(piece);
        }
        let cells: Vec<&str> = whole.trim_matches('|').split('|').take(64).collect();
        if !plan.as_mut().is_some_and(|open| open.row(line, &cells))
            && let Some(next) = Plan::begin(&cells, sql_id.clone(), plan_hash)
        {
            plans_end(&mut plans, &mut plan);
            plan = Some(next);
        }
    }
    plans_end(&mut plans, &mut plan);
    plans
}

fn plans_end(plans: &mut Plans, plan: &mut Option<Plan>) {
    if let Some(plan) = plan.take() {
        plans.add(plan);
    }
}

/// `SQL_ID  8fk2z0m5wbwcb, child number 0`, `SQL ID: 8fk2z0m5wbwcb`
fn sql_id_of(text: &str) -> Option<String> {
    let rest = text.strip_prefix("SQL_ID").or_else(|| text.strip_prefix("SQL ID"))?;
    // Mails and pages put tabs and blanks that do not break there.
    let rest = rest.trim_start_matches(|c: char| matches!(c, ':' | '=') || c.is_whitespace());
    let id: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    let behind = &rest[id.len()..];
    ((10..=13).contains(&id.len())
        && (behind.is_empty() || behind.starts_with(|c: char| c == ',' || c.is_whitespace())))
    .then_some(id)
}

/// `Plan hash value: 2586167546`, `Plan 1(PHV: 2586167546)`
pub(super) fn plan_hash_of(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("Plan hash value:").or_else(|| {
        let (plan, hash) = text.split_once("(PHV:")?;
        plan.starts_with("Plan ").then_some(hash)
    })?;
    rest.trim().trim_end_matches(')').trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::read;
    use spindle_facts::PlanRow;

    fn rows(text: &str) -> Vec<PlanRow> {
        read((1..).zip(text.lines())).rows
    }

    const CURSOR: &str = "\
SQL_ID  4hq7z8k2m0xva, child number 0
-------------------------------------
select /*+ x | y */ * from orders

Plan hash value: 1234567890

---------------------------------------------------------------------------------------------------
| Id  | Operation                            | Name      | Rows  | Bytes |TempSpc| Cost (%CPU)| Time     |
---------------------------------------------------------------------------------------------------
|   0 | SELECT STATEMENT                     |           |       |       |       |   302K(100)|          |
|*  1 |  HASH JOIN RIGHT OUTER               |           |   468M|    38G|  1395M|   302K  (1)| 01:00:26 |
|   2 |   TABLE ACCESS BY INDEX ROWID BATCHED| CUSTOMERS |  2048 |   64K |       |  73349  (1)| 00:14:41 |
|*  3 |    INDEX RANGE SCAN                  | CUST_IX   |   10K |       |       |     3   (0)| 00:00:01 |
|   4 |   TABLE ACCESS FULL                  | ORDERS    |   468M|    21G|       |      1     | 00:14:41 |
---------------------------------------------------------------------------------------------------

Predicate Information (identified by operation id):
---------------------------------------------------

   1 - access(\"A\"=\"B\")
";

    #[test]
    fn indents_tell_parents_and_suffixes_their_base() {
        let found = rows(CURSOR);
        let shape: Vec<_> = found.iter().map(|r| (r.id, r.parent_id, r.depth)).collect();
        assert_eq!(
            shape,
            [
                (Some(0), None, Some(0)),
                (Some(1), Some(0), Some(1)),
                (Some(2), Some(1), Some(2)),
                (Some(3), Some(2), Some(3)),
                (Some(4), Some(1), Some(2)),
            ]
        );
        let join = &found[1];
        assert_eq!((join.operation.as_str(), join.options.as_deref()), ("HASH JOIN", Some("RIGHT OUTER")));
        assert_eq!((join.sql_id.as_deref(), join.plan_hash), (Some("4hq7z8k2m0xva"), Some(1_234_567_890)));
        assert_eq!(join.cardinality, Some(468e6));
        assert_eq!(join.bytes, Some(38.0 * 1_073_741_824.0));
        assert_eq!(join.temp_bytes, Some(1395.0 * 1_048_576.0));
        assert_eq!(join.cost, Some(302_000.0));
        assert_eq!((found[2].object.as_deref(), found[2].bytes), (Some("CUSTOMERS"), Some(65_536.0)));
        assert_eq!(found[0].executions, None);
        assert_eq!((found[1].measured_reads, found[1].measured_starts), (None, None));
    }

    /// The plan was taken, but belonged to no statement.
    #[test]
    fn a_plan_belongs_to_its_statement_whatever_parts_the_words_before_it() {
        let framed: String = CURSOR.lines().map(|line| format!("| {line:<110} |\n")).collect();
        let unbroken = CURSOR.replace("SQL_ID  4hq", "SQL_ID\u{a0} 4hq").replace("value: ", "value:\u{a0}");
        let quoted: String = framed.lines().map(|line| format!("> {line}\n")).collect();
        for text in [CURSOR.replace("SQL_ID  ", "SQL_ID\t"), unbroken, framed, quoted] {
            let found = rows(&text);
            assert_eq!(found.len(), 5, "{text}");
            for row in found {
                assert_eq!(row.sql_id.as_deref(), Some("4hq7z8k2m0xva"), "{text}");
                assert_eq!(row.plan_hash, Some(1_234_567_890), "{text}");
            }
        }
    }

    #[test]
    fn children_with_the_same_plan_count_once() {
        let found = rows(&format!("{CURSOR}\n{}", CURSOR.replace("number 0", "number 1")));
        assert_eq!(found.len(), 5);
        assert_eq!(found[0].children, Some(2.0));
    }

    #[test]
    fn measured_rows_tell_executions_and_blank_reads_are_none() {
        let found = rows(
            "Plan hash value: 1\n\
             | Id  | Operation          | Name | Starts | E-Rows | A-Rows |   A-Time   | Buffers | Reads  |\n\
             |   1 |  SORT AGGREGATE    |      |      3 |      1 |      3 |00:00:01.50 |    3000 |   12K  |\n\
             |   2 |   TABLE ACCESS FULL| T    |      3 |  1000  |   3000 |00:00:01.40 |    3000 |   12K  |\n\
             |   3 |   INDEX FULL SCAN  | I    |      3 |  1000  |   3000 |00:00:01.40 |    3000 |        |\n",
        );
        assert_eq!(found[0].executions, Some(3.0));
        assert_eq!((found[0].parent_id, found[0].depth), (Some(0), Some(1)));
        assert_eq!(found[1].measured_reads, Some(12_000.0));
        assert_eq!(found[2].measured_reads, Some(0.0));
        assert_eq!(found[1].cardinality, Some(1000.0));
    }

    #[test]
    fn rows_that_the_line_size_wrapped_are_joined() {
        let wrapped: Vec<String> = CURSOR
            .lines()
            .map(|l| match l.char_indices().nth(80) {
                Some((at, _)) => format!("{}\n{}", &l[..at], &l[at..]),
                None => l.to_owned(),
            })
            .collect();
        let mut found = rows(&wrapped.join("\n"));
        let mut whole = rows(CURSOR);
        found.iter_mut().chain(&mut whole).for_each(|r| r.line = 0);
        assert_eq!(found, whole);
    }

    #[test]
    fn parts_of_adaptive_plans_that_were_not_used_are_left_out() {
        let found = rows(
            "|   Id  | Operation                     | Name |\n\
             |     0 | SELECT STATEMENT              |      |\n\
             |  *  1 |  HASH JOIN                    |      |\n\
             |-    2 |   NESTED LOOPS                |      |\n\
             |-    3 |    STATISTICS COLLECTOR       |      |\n\
             |     4 |     TABLE ACCESS FULL         | A    |\n\
             |- *  5 |    INDEX RANGE SCAN           | B_IX |\n\
             |     6 |   TABLE ACCESS FULL           | B    |\n",
        );
        let shape: Vec<_> = found.iter().map(|r| (r.id.unwrap(), r.parent_id, r.object.as_deref())).collect();
        assert_eq!(
            shape,
            [(0, None, None), (1, Some(0), None), (4, Some(1), Some("A")), (6, Some(1), Some("B"))]
        );
    }
}
