//! Work areas that spill to the temporary tablespace.
//!
//! # What it detects
//! Sessions wait a material part of DB time for `direct path read temp` and `direct path write
//! temp`: sorts, hash joins and aggregations that did not fit their work area. The PGA advice tells
//! whether the PGA target is the cause.
//!
//! # Why it costs response time
//! What spills is written to disk and read back, once (one pass) or several times (multi-pass),
//! where memory would have done it at once.
//!
//! # Facts needed
//! Foreground wait events; the PGA advice for the cause; `workarea executions`, the parameter
//! `pga_aggregate_target`.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | materiality | 3 % of DB time, or 1 % where half a session always waits | ours |
//! | no spill is shown | all work areas ran in memory and nothing was read back | ours: temporary tables and large objects are written to temp, too |
//! | the PGA target is the cause | a larger target cuts the estimated extra I/O by half or more | ours, on Oracle's advice |
//! | slow temp, so storage has a part in it | mean wait above 20 ms | as for multi-block reads from disk |
//! | the advice does not see the spills | its extra I/O since the start is under half of what this interval read from and wrote to temp | ours: it sees serial work areas, and a single statement has a limit of its own |
//! | it is not | no larger target cuts it by a fifth | ours |
//!
//! # When it is wrong
//! The advice looks back to the start of the instance, not only to this interval. Global temporary
//! tables and temporary large objects use the same tablespace without any spill. On 9i the waits
//! for temp are hidden in `direct path read` and `direct path write`, so this rule does not see
//! them. With `workarea_size_policy = MANUAL` the advice does not apply.
//!
//! # What to do
//! If the PGA target is the cause, raise it to the size that the advice names, if the host has that
//! memory. If not, single statements are too large for any work area: find them, and give them
//! less to sort, or put temp on the fastest storage there is: in one published case four queries
//! gained from that alone.
//!
//! # SQL to see the evidence
//! ```sql
//! select round(pga_target_for_estimate / 1048576) as target_mb, pga_target_factor,
//!        round(estd_extra_bytes_rw / 1048576) as extra_mb, estd_overalloc_count
//! from   v$pga_target_advice order by 1;
//!
//! select sql_id, operation_type, number_passes, tempseg_size / 1048576 as temp_mb
//! from   v$sql_workarea_active where tempseg_size is not null order by tempseg_size desc;
//! ```

use super::material::{Against, Waits, foreground_waits, mean_against, of_db_time};
use super::since::is_since;
use crate::{Case, Evidence, Finding, Verdict, words};
use spindle_facts::PgaAdvice;

const STORAGE: &str =
    "Put the temporary tablespace on the fastest storage; it needs no protection of its contents.";

const EVENTS: &[&str] = &["direct path read temp", "direct path write temp"];

/// Slow even for disks; temp is often not on the tier that serves single blocks fast.
const SLOW_TEMP_US: f64 = 20_000.0;
/// A PGA advice that counts less than this share of the interval's temp I/O does not see the spills.
pub const PGA_ADVICE_SEES: f64 = 0.5;
/// A larger target that leaves at most this share of the extra I/O shows that the target is to blame.
const CAUSE_LEAVES: f64 = 0.5;
/// Where every larger target leaves more than this share, it is not.
const NO_CAUSE_LEAVES: f64 = 0.8;

/// Do work areas spill, and is the PGA target to blame?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = match foreground_waits(case, EVENTS) {
        Waits::Material(events) => events,
        Waits::Trivial => return Verdict::NotFound,
        Waits::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let spills = !all_in_memory(case);
    let cause = spills.then(|| pga_as_cause(case));
    let mut evidence: Vec<Evidence> = events.iter().map(|e| case.event_evidence(e)).collect();
    for name in [
        "workarea executions - optimal",
        "workarea executions - onepass",
        "workarea executions - multipass",
        "physical writes direct temporary tablespace",
        "physical reads direct temporary tablespace",
    ] {
        evidence.extend(case.stat(name).map(|s| case.stat_evidence(s)));
    }
    evidence.extend(cause.iter().flat_map(|cause| cause.evidence(case)));
    if let crate::Setting::Set(target) = case.parameter("pga_aggregate_target") {
        evidence.push(case.parameter_evidence(target));
    }
    Verdict::Found(Finding {
        title: match &cause {
            Some(cause) => format!(
                "Sorts and hash joins spill to temp: {}{}; {}",
                words::seconds(seconds),
                of_db_time(case, seconds),
                cause.in_title()
            ),
            None => format!(
                "Sessions wait {}{} for writes to temp; that sorts or hash joins spill is not shown, since all work \
                 areas ran in memory",
                words::seconds(seconds),
                of_db_time(case, seconds)
            ),
        },
        // Slow temp is a matter of storage, spilling as such of memory and statements.
        storage: events.iter().any(|e| mean_against(e, SLOW_TEMP_US) == Against::Above),
        claims: events.iter().map(|e| case.claim_event(&e.event)).collect(),
        evidence,
        actions: match &cause {
            Some(cause) => cause.actions(case),
            None => vec![
                "Find who writes to temp, and what: V$TEMPSEG_USAGE by SEGTYPE (DATA and INDEX are global temporary \
                 tables, LOB_DATA temporary large objects)."
                    .to_owned(),
                STORAGE.to_owned(),
            ],
        },
        caveat: match &cause {
            Some(_) => {
                "The PGA advice counts since the instance started. Global temporary tables and temporary large objects \
                 use temp without spilling."
            }
            None => "A sort or hash join that had not ended at the second snapshot is not counted among the work areas.",
        }
        .to_owned(),
        ..Finding::default()
    })
}

/// Did all work areas run in memory, and was nothing read back? Then what is written to temp are temporary tables and
/// large objects.
fn all_in_memory(case: &Case<'_>) -> bool {
    let none = |name: &str| case.stat_total_or_zero(name).is_some_and(|n| n <= 0.0);
    case.stat_total("workarea executions - optimal").is_some_and(|n| n > 0.0)
        && none("workarea executions - onepass")
        && none("workarea executions - multipass")
        && none("physical reads direct temporary tablespace")
        && case.event_time_s("direct path read temp") <= 0.0
}

/// What the PGA advice says of the target.
#[derive(Debug, PartialEq)]
enum PgaCause {
    /// A larger one would end most of the spilling.
    TargetTooSmall { now: Point, better: Point, more_does_nothing_from: Option<Point> },
    /// A larger one would help some.
    Partly { now: Point, best: Point },
    /// No size helps.
    NotTheTarget { now: Point },
    /// The advice counts less since the start than this interval alone moved.
    AdviceMissesIt { now: Point, moved_bytes: f64 },
    /// Work areas are sized by hand.
    Manual,
    /// No advice is printed.
    NotPrinted,
}

/// One size of the advice.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    row: usize,
    line: u32,
    section: u16,
    target_bytes: f64,
    extra_bytes: f64,
}

fn pga_as_cause(case: &Case<'_>) -> PgaCause {
    if case.parameter("workarea_size_policy").value().is_some_and(|v| v.trim().eq_ignore_ascii_case("manual"))
    {
        return PgaCause::Manual;
    }
    let advice = &case.report.tables.pga_advice;
    // One instance: the one whose present target spills most.
    let now = advice
        .iter()
        .enumerate()
        .filter(|(_, a)| a.size_factor.is_some_and(|f| (f - 1.0).abs() < 0.01))
        .filter_map(|(row, a)| Some((point(row, a)?, a.instance_number)))
        .max_by(|a, b| a.0.extra_bytes.total_cmp(&b.0.extra_bytes));
    let Some((now, instance)) = now else { return PgaCause::NotPrinted };
    let larger: Vec<Point> = advice
        .iter()
        .enumerate()
        .filter(|(_, a)| a.instance_number == instance && a.size_factor.is_some_and(|f| f > 1.01))
        .filter_map(|(row, a)| point(row, a))
        .collect();
    let Some(best) = larger.iter().copied().min_by(|a, b| a.extra_bytes.total_cmp(&b.extra_bytes)) else {
        return PgaCause::NotPrinted;
    };
    if let Some(moved_bytes) = temp_bytes(case).filter(|moved| now.extra_bytes < PGA_ADVICE_SEES * moved) {
        return PgaCause::AdviceMissesIt { now, moved_bytes };
    }
    if now.extra_bytes <= 0.0 || best.extra_bytes > NO_CAUSE_LEAVES * now.extra_bytes {
        return PgaCause::NotTheTarget { now };
    }
    let enough = larger.iter().copied().filter(|p| p.extra_bytes <= CAUSE_LEAVES * now.extra_bytes);
    match enough.min_by(|a, b| a.target_bytes.total_cmp(&b.target_bytes)) {
        Some(better) => {
            let flat = larger.iter().copied().find(|p| p.extra_bytes <= best.extra_bytes);
            PgaCause::TargetTooSmall { now, better, more_does_nothing_from: flat.filter(|p| *p != better) }
        }
        None => PgaCause::Partly { now, best },
    }
}

/// Bytes read from and written to temp in the interval.
fn temp_bytes(case: &Case<'_>) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "a block size is small")]
    let block_bytes = case.report.identity.block_size_bytes? as f64;
    let blocks = case.stat_total("physical reads direct temporary tablespace").unwrap_or(0.0)
        + case.stat_total("physical writes direct temporary tablespace")?;
    Some(blocks * block_bytes)
}

fn point(row: usize, a: &PgaAdvice) -> Option<Point> {
    let (target_bytes, extra_bytes) = (a.target_bytes?, a.extra_rw_bytes?);
    Some(Point { row, line: a.line, section: a.section, target_bytes, extra_bytes })
}

impl PgaCause {
    fn in_title(&self) -> String {
        match self {
            Self::TargetTooSmall { now, better, .. } => format!(
                "the PGA target of {} is the cause: {} would save {} of that I/O",
                words::bytes(now.target_bytes),
                words::bytes(better.target_bytes),
                words::percent(100.0 * (1.0 - better.extra_bytes / now.extra_bytes))
            ),
            Self::Partly { now, best } => format!(
                "the PGA target of {} is part of the cause: {} would save {} of that I/O",
                words::bytes(now.target_bytes),
                words::bytes(best.target_bytes),
                words::percent(100.0 * (1.0 - best.extra_bytes / now.extra_bytes))
            ),
            Self::NotTheTarget { .. } => "a larger PGA target would not end it".to_owned(),
            Self::AdviceMissesIt { .. } => "the PGA advice does not see that".to_owned(),
            Self::Manual => "work areas are sized by hand (workarea_size_policy = MANUAL)".to_owned(),
            Self::NotPrinted => "without the PGA advice its target cannot be told as the cause".to_owned(),
        }
    }

    fn evidence(&self, case: &Case<'_>) -> Vec<Evidence> {
        let points: Vec<&Point> = match self {
            Self::TargetTooSmall { now, better, .. } => vec![now, better],
            Self::Partly { now, best } => vec![now, best],
            Self::NotTheTarget { now } | Self::AdviceMissesIt { now, .. } => vec![now],
            Self::Manual | Self::NotPrinted => Vec::new(),
        };
        let text = |p: &Point| {
            format!(
                "PGA target {}: {} of extra temp I/O since the instance started",
                words::bytes(p.target_bytes),
                words::bytes(p.extra_bytes)
            )
        };
        let missed = match self {
            Self::AdviceMissesIt { moved_bytes, .. } => {
                format!("; this interval alone moved {}", words::bytes(*moved_bytes))
            }
            _ => String::new(),
        };
        let text = |p: &Point| format!("{}{missed}", text(p));
        points.iter().map(|p| case.evidence("pga_advice", p.row, p.line, p.section, text(p))).collect()
    }

    fn actions(&self, case: &Case<'_>) -> Vec<String> {
        let in_ash = if is_since(case, (11, 2)) { ", TEMP_SPACE_ALLOCATED in ASH" } else { "" };
        let statements = format!(
            "Find the statements that spill (V$SQL_WORKAREA_ACTIVE{in_ash}): read and sort fewer rows and columns, or \
             give them more work area by parallel execution."
        );
        let mut actions = match self {
            Self::TargetTooSmall { better, more_does_nothing_from, .. } => vec![format!(
                "Raise pga_aggregate_target to {} if the host has that memory{}.",
                words::bytes(better.target_bytes),
                more_does_nothing_from.map_or(String::new(), |p| format!(
                    "; beyond {} the advice sees no further gain",
                    words::bytes(p.target_bytes)
                ))
            )],
            Self::Partly { best, .. } => {
                vec![format!("Raise pga_aggregate_target towards {}.", words::bytes(best.target_bytes))]
            }
            Self::NotTheTarget { .. } | Self::AdviceMissesIt { .. } => Vec::new(),
            Self::Manual => {
                vec!["Set workarea_size_policy = AUTO and a pga_aggregate_target; sort_area_size and hash_area_size \
                      hold for every session alike."
                    .to_owned()]
            }
            Self::NotPrinted => {
                vec!["Look at V$PGA_TARGET_ADVICE: does a larger target cut the extra I/O?".to_owned()]
            }
        };
        actions.push(statements);
        actions.push(STORAGE.to_owned());
        actions
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::PgaAdvice;

    const GIB: f64 = 1_073_741_824.0;

    fn advice(factor: f64, extra_gib: f64) -> PgaAdvice {
        PgaAdvice {
            line: 900,
            target_bytes: Some(4.0 * GIB * factor),
            size_factor: Some(factor),
            extra_rw_bytes: Some(extra_gib * GIB),
            ..PgaAdvice::default()
        }
    }

    fn hour(read_s: f64, rows: Vec<PgaAdvice>) -> Hour {
        Hour::new(10_000.0)
            .foreground("direct path read temp", 100_000.0, read_s)
            .foreground("direct path write temp", 50_000.0, 100.0)
            .with(|r| r.tables.pga_advice = rows)
    }

    #[test]
    fn a_larger_target_that_halves_the_spills_is_named() {
        let rows = vec![advice(0.5, 900.0), advice(1.0, 800.0), advice(1.2, 400.0), advice(2.0, 100.0)];
        let finding = hour(1000.0, rows).found(run);
        assert!(finding.title.contains("4.8 GiB would save 50 %"), "{}", finding.title);
        assert!(finding.actions[0].contains("4.8 GiB") && finding.actions[0].contains("8 GiB"));
        assert_eq!(finding.claims.iter().map(|c| c.seconds).sum::<f64>(), 1100.0);
    }

    #[test]
    fn just_less_than_half_is_part_of_the_cause() {
        let finding = hour(1000.0, vec![advice(1.0, 800.0), advice(2.0, 408.0)]).found(run);
        assert!(finding.title.contains("part of the cause"), "{}", finding.title);
    }

    #[test]
    fn a_target_that_changes_nothing_is_not_the_cause() {
        let finding = hour(1000.0, vec![advice(1.0, 800.0), advice(8.0, 648.0)]).found(run);
        assert!(finding.title.contains("would not end it"), "{}", finding.title);
        assert!(!finding.actions[0].contains("Raise"));
    }

    #[test]
    fn an_advice_that_misses_the_spills_blames_nothing() {
        let rows = || vec![advice(1.0, 0.5), advice(1.2, 0.0)];
        let moved = |gib: f64| {
            hour(1000.0, rows())
                .stat("physical writes direct temporary tablespace", gib * GIB / 8192.0)
                .with(|r| r.identity.block_size_bytes = Some(8192))
                .found(run)
        };
        let missed = moved(44.0);
        assert!(
            missed
                .evidence
                .iter()
                .any(|e| e.text.contains("512 MiB") && e.text.contains("alone moved 44 GiB")),
            "{:?}",
            missed.evidence
        );
        assert!(moved(0.9).title.contains("would save 100 %"));
        assert!(moved(1.1).title.contains("does not see that"));
    }

    #[test]
    fn without_advice_the_cause_stays_open() {
        assert!(hour(1000.0, Vec::new()).found(run).title.contains("cannot be told"));
        let manual = hour(1000.0, Vec::new()).parameter("workarea_size_policy", "MANUAL").found(run);
        assert!(manual.title.contains("by hand"));
    }

    #[test]
    fn little_time_is_no_finding() {
        hour(220.0, Vec::new()).found(run);
        hour(180.0, Vec::new()).not_found(run);
        assert!(Hour::new(7200.0).missing(run).contains("wait events"));
    }

    /// "Sorts and hash joins spill to temp: 10,068 s", where all work areas were optimal and nothing was read back.
    #[test]
    fn writes_to_temp_without_a_work_area_on_disk_were_called_a_spill() {
        let of = |one_pass, blocks_read| {
            Hour::new(10_000.0)
                .foreground("direct path write temp", 6_000.0, 1_000.0)
                .stat("workarea executions - optimal", 63_860.0)
                .stat("workarea executions - onepass", one_pass)
                .stat("workarea executions - multipass", 0.0)
                .stat("physical reads direct temporary tablespace", blocks_read)
                .found(run)
        };
        let written = of(0.0, 0.0);
        assert!(written.title.starts_with("Sessions wait 1,000 s (10 % of DB time) for writes to temp"));
        assert!(written.title.contains("is not shown"), "{}", written.title);
        assert!(written.actions[0].contains("V$TEMPSEG_USAGE"), "{:?}", written.actions);
        assert!(written.storage, "they take 167 ms each");
        for spilled in [of(1.0, 0.0), of(0.0, 10.0)] {
            assert!(spilled.title.starts_with("Sorts and hash joins spill"), "{}", spilled.title);
        }
    }

    #[test]
    fn a_column_of_ash_was_advised_to_a_release_without_it() {
        let says = |version: &str| {
            let hour = hour(1000.0, Vec::new()).with(|r| r.identity.version = Some(version.to_owned()));
            hour.found(run).actions.concat()
        };
        assert!(!says("11.1.0.7.0").contains("TEMP_SPACE_ALLOCATED"));
        assert!(says("11.2.0.1.0").contains("TEMP_SPACE_ALLOCATED"));
    }
}
