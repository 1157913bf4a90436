//! Reads in disguise.
//!
//! # What it detects
//! Sessions wait a material part of DB time for a block that another session is just reading:
//! `read by other session`, before 10g `buffer busy waits`, in RAC also `gc buffer busy`.
//!
//! # Why it costs response time
//! The wait is as long as what is left of the other session's read. Faster storage, or a cached
//! block, ends it; nothing that is done against contention will.
//!
//! # Facts needed
//! Foreground wait events with waits and time, of these events and of the reads behind them.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//! | `gc buffer busy` and, before 10g, `buffer busy waits` count as reads | the reads themselves are material, and the mean wait is between half of and four times the mean read | ours |
//!
//! # When it is wrong
//! From 10g on `buffer busy waits` is true contention and is left out. `gc buffer busy` can wait
//! for the interconnect, or for a log flush on the other side, instead of a read; it is shown as
//! touched and not claimed. Where no read is printed beside it, the answer says that storage cannot be told.
//!
//! # What to do
//! Treat the reads: their latency, or the statements that read the same blocks at the same time
//! (several sessions scanning one table, hot index ranges that do not stay cached). Where the report's own samples name
//! the statement that waits most and its plan scans a whole object, it is that scan.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / nullif(total_waits, 0) / 1e3 as avg_ms
//! from   v$system_event
//! where  event in ('read by other session', 'db file sequential read', 'db file scattered read',
//!                  'buffer busy waits', 'gc buffer busy acquire', 'gc buffer busy release');
//! select * from (
//!   select object_name, value from v$segment_statistics
//!   where  statistic_name = 'buffer busy waits' order by value desc) where rownum <= 10;
//! ```

use super::material::{Waits, foreground_waits, is_material, is_slow, of_db_time};
use crate::told::scan_that_leads;
use crate::{Case, EventTotal, Finding, Verdict, words};

const DISGUISED: &[&str] = &["read by other session"];
/// Events that can wait for a read of another session, or for something else.
pub(crate) const MAYBE: &[&str] = &["gc buffer busy", "gc buffer busy acquire", "gc buffer busy release"];
/// Reads into the buffer cache.
pub(crate) const READS: &[&str] = &[
    "db file sequential read",
    "db file scattered read",
    "db file parallel read",
    "cell single block physical read",
    "cell multiblock physical read",
    "cell list of blocks physical read",
];

/// A wait for someone's read lasts between these multiples of a read.
const LEAST_OF_READ: f64 = 0.5;
const MOST_OF_READ: f64 = 4.0;

/// Does a mean wait last about as long as a read of that mean?
pub(crate) fn is_like_a_read(wait_us: f64, read_us: f64) -> bool {
    (LEAST_OF_READ * read_us..=MOST_OF_READ * read_us).contains(&wait_us)
}

/// Do sessions wait for reads of other sessions?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let reads = match foreground_waits(case, READS) {
        Waits::Material(reads) => reads,
        _ => Vec::new(),
    };
    let read_us = reads.first().and_then(|r| r.avg_us);
    let like_a_read = |e: &EventTotal| match (e.avg_us, read_us) {
        (Some(wait_us), Some(read_us)) => is_like_a_read(wait_us, read_us),
        _ => false,
    };
    let mut disguised: Vec<&EventTotal> = events(case, DISGUISED).collect();
    let old = case.report.identity.release().is_some_and(|(major, _)| major < 10);
    if old {
        disguised.extend(events(case, &["buffer busy waits"]).filter(|e| like_a_read(e)));
    }
    let seconds: f64 = disguised.iter().map(|e| case.event_time_s(&e.event)).sum();
    if !is_material(case, seconds) {
        // `buffer busy waits` of 9i that may be reads.
        let maybe = old && read_us.is_none() && case.foreground_event("buffer busy waits").is_some();
        return match foreground_waits(case, DISGUISED) {
            Waits::Unknown(missing) => Verdict::CannotTell(missing),
            _ if maybe => Verdict::CannotTell(
                "the mean wait for reads, to tell reads in `buffer busy waits`".to_owned(),
            ),
            _ => Verdict::NotFound,
        };
    }
    let Some(worst) = disguised.first() else { return Verdict::NotFound };
    let touched: Vec<&EventTotal> = events(case, MAYBE).filter(|e| like_a_read(e)).collect();
    let touched_s: f64 = touched.iter().map(|e| case.event_time_s(&e.event)).sum();
    let scan = scan_that_leads(case.report, &worst.event);
    let at_once = match scan {
        Some((_, id, step)) => format!(
            "Look at the plan of {id}, which leads the report's samples of `{}` at `{step}`: sessions scan one object at \
             the same time, each for itself. An index, or partitions that leave most of it out, ends the scan; fewer at \
             a time, or the object kept in the cache (KEEP pool), ends the wait.",
            worst.event
        ),
        None => "Find the blocks that several sessions want at once (`Segments by Buffer Busy Waits`, P1 and P2 of the \
                 event in ASH): concurrent scans of one table, or a hot range that does not stay in the cache."
            .to_owned(),
    };
    let scan = scan.and_then(|(row, id, step)| {
        let pct = words::percent(row.number("pct_event")?);
        let text = format!("statement {id}: {pct} of all samples in `{}` at `{step}`", worst.event);
        Some(case.printed_evidence("ash_activity", &case.report.tables.ash_activity, row, text))
    });
    let behind = reads.first().map_or(String::new(), |r| format!(", behind it {}", r.event));
    Verdict::Found(Finding {
        title: format!(
            "Sessions wait for reads of other sessions ({}{behind}): {}{}",
            worst.event,
            words::seconds(seconds),
            of_db_time(case, seconds)
        ),
        storage: reads.first().is_some_and(|r| is_slow(r, bar_us(case, r))),
        touches_s: seconds + touched_s,
        claims: disguised.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence: disguised
            .iter()
            .chain(&touched)
            .copied()
            .chain(reads.first().copied())
            .map(|e| case.event_evidence(e))
            .chain(scan)
            .collect(),
        actions: vec![
            "Count this time with the reads: what shortens or avoids them shortens this. It is not contention.".to_owned(),
            at_once,
        ],
        caveat: "gc buffer busy can also wait for the interconnect or a log flush; it is shown here and not counted."
            .to_owned(),
        ..Finding::default()
    })
}

/// Bar of a read event.
fn bar_us(case: &Case<'_>, read: &EventTotal) -> f64 {
    let single = super::reads::SINGLE_BLOCK.iter().any(|name| super::material::is_event(&read.event, name));
    if single { case.bars.single_block_read_us } else { case.bars.multi_block_read_us }
}

fn events<'c>(case: &'c Case<'_>, names: &'static [&'static str]) -> impl Iterator<Item = &'c EventTotal> {
    names.iter().filter_map(|name| case.foreground_event(name))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    fn hour() -> Hour {
        Hour::new(10_000.0).foreground("db file sequential read", 400_000.0, 2_000.0)
    }

    #[test]
    fn read_by_other_session_is_a_read() {
        let finding = hour()
            .foreground("read by other session", 100_000.0, 400.0)
            .foreground("gc buffer busy acquire", 10_000.0, 100.0)
            .found(run);
        assert!(finding.title.contains("400 s (4 % of DB time)"), "{}", finding.title);
        assert_eq!((finding.claims[0].seconds, finding.touches_s), (400.0, 500.0));
        hour().foreground("read by other session", 100_000.0, 290.0).not_found(run);
    }

    /// A scan of the whole table led the samples, and blocks that stay hot were to be found.
    #[test]
    fn hot_blocks_were_sought_where_the_plan_scans() {
        let with = |step: &str| {
            hour().foreground("read by other session", 100_000.0, 400.0).with(|r| {
                r.tables.ash_activity.push(spindle_facts::PrintedRow {
                    line: 4_137,
                    section: 0,
                    instance_number: None,
                    cells: vec![
                        ("group", spindle_facts::Value::Text("Top SQL with Top Events".into())),
                        ("sql_id", spindle_facts::Value::Text("73zz1fz6yztw3".into())),
                        ("event", spindle_facts::Value::Text("read by other session".into())),
                        ("pct_event", spindle_facts::Value::Number(3.2)),
                        ("top_row_source", spindle_facts::Value::Text(step.into())),
                    ]
                    .into(),
                });
            })
        };
        let found = with("TABLE ACCESS - FULL").found(run);
        assert!(found.actions[1].contains("the plan of 73zz1fz6yztw3") && found.actions[1].contains("FULL"));
        assert!(found.evidence.iter().any(|e| e.table == "ash_activity" && e.line == 4_137));
        let found = with("TABLE ACCESS - BY INDEX ROWID").found(run);
        assert!(found.actions[1].starts_with("Find the blocks"), "{:?}", found.actions);
    }

    #[test]
    fn a_gc_wait_much_longer_than_a_read_is_something_else() {
        let finding = hour()
            .foreground("read by other session", 100_000.0, 400.0)
            .foreground("gc buffer busy acquire", 1_000.0, 100.0)
            .found(run);
        assert_eq!(finding.touches_s, 400.0);
    }

    #[test]
    fn buffer_busy_waits_are_reads_before_10g_only() {
        let busy = |version: &'static str| {
            hour()
                .foreground("buffer busy waits", 100_000.0, 600.0)
                .with(move |r| r.identity.version = Some(version.to_owned()))
        };
        busy("9.2.0.8.0").found(run);
        busy("10.2.0.4.0").not_found(run);
    }

    #[test]
    fn nothing_printed_is_said() {
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }
}
