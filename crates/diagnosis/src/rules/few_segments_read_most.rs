//! A few segments make most physical reads.
//!
//! # What it detects
//! One segment (table, index, partition) makes half of the physical reads, or at most five make
//! 80 % of them, while reads take a material part of DB time.
//!
//! # Why it costs response time
//! It does not by itself: it says where a small change has a large effect. A few segments can be
//! cached, moved to faster storage, or read less.
//!
//! # Facts needed
//! `Segments by Physical Reads` with the total of physical reads (else their rate by the load profile); foreground wait
//! events.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | segments | at most 5 for 80 % of the reads | a handful; ours |
//! | one alone | at least 50 % of the reads | ours |
//! | their share of read time | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! Read time is shared out by read requests (11.2.0.4 and later), else by blocks, which favours
//! segments that are scanned. Blocks that were read past the cache, where `Segments by Direct Physical
//! Reads` tells them, get a share of the waits for direct path reads alone: they are not behind the
//! waits for single blocks.
//!
//! # When it is wrong
//! Reads that no segment is charged with (temp, undo, what fell out of the list) are unseen; the
//! title says how much. Oracle counts segments in a sample of what was in memory at the snapshots. Segments
//! that sum to more than all reads are a share of nothing, and nothing is said of them.
//!
//! # What to do
//! For each: how large is it, against the cache? Who reads it, and by which access? Small and
//! re-read: KEEP pool. Large and read by single blocks: the fast tier. Large and scanned: change
//! the statement.
//!
//! # SQL to see the evidence
//! ```sql
//! select * from (
//!   select owner, object_name, subobject_name, object_type, value,
//!          round(100 * ratio_to_report(value) over (), 1) as pct
//!   from   v$segment_statistics where statistic_name = 'physical reads' and value > 0
//!   order  by value desc) where rownum <= 20;
//! ```

use super::material::{is_event, not_worth, of_db_time};
use super::proof::segment_name;
use super::reads::{BLOCK_LISTS, DIRECT, MULTI_BLOCK, SINGLE_BLOCK, claim_share, reads, seconds};
use crate::concentration::is_beyond;
use crate::{Case, EventTotal, Finding, Verdict, words};
use spindle_facts::Metric;
use std::collections::BTreeMap;

/// How many are a few.
pub(super) const FEW: usize = 5;
/// From this share on one of several is worth naming by itself, percent.
pub(super) const ALONE_PCT: f64 = 50.0;
/// From this part on of their blocks (0-1) it is said that they were read past the cache.
const MOSTLY_DIRECT: f64 = 0.5;
/// What is most, percent.
pub(super) const MOST_PCT: f64 = 80.0;

/// Do a handful of segments make most physical reads?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let events = reads(case, &[SINGLE_BLOCK, MULTI_BLOCK, BLOCK_LISTS, DIRECT]);
    let read_s = seconds(case, &events);
    if let Some(missing) = super::reads::unread(case, read_s) {
        return Verdict::CannotTell(missing);
    }
    if let Some(verdict) = super::reads::not_worth(case, &events, read_s) {
        return verdict;
    }
    let segments = by_reads(case);
    let Some(total) = total_reads(case) else {
        return Verdict::CannotTell("Segments by Physical Reads with the total of physical reads".to_owned());
    };
    if let Some(missing) = crate::concentration::totals_of_reads_differ(&case.accounts) {
        return Verdict::CannotTell(missing);
    }
    if segments.is_empty() {
        return Verdict::CannotTell("Segments by Physical Reads".to_owned());
    }
    let seen: f64 = segments.iter().map(|s| s.blocks).sum();
    if is_beyond(seen, total) {
        return Verdict::CannotTell(format!(
            "one total of physical reads: the segments listed sum to {} blocks, all reads to {}",
            words::count(seen),
            words::count(total)
        ));
    }
    let unseen_pct = (100.0 * (1.0 - seen / total)).max(0.0);
    let blocks_of = |n: usize| segments.iter().take(n).map(|s| s.blocks).sum::<f64>();
    let makes = |n: usize, pct: f64| 100.0 * blocks_of(n) >= pct * total;
    let enough = (1..=FEW.min(segments.len())).find(|&n| makes(n, MOST_PCT));
    let Some(n) = enough.or_else(|| makes(1, ALONE_PCT).then_some(1)) else {
        // What is not listed is smaller each than what is; a shorter list proves nothing.
        return if segments.len() < FEW && unseen_pct > 100.0 - MOST_PCT {
            Verdict::CannotTell(format!(
                "more of Segments by Physical Reads: {} are unseen",
                words::percent(unseen_pct)
            ))
        } else {
            Verdict::NotFound
        };
    };
    let few: Vec<_> = segments.iter().take(n).collect();
    let blocks = blocks_of(n);
    let share = (blocks / total).min(1.0);
    let of_requests = share_of_requests(case, &few);
    let direct = direct_part(case, &few, total);
    let (claims, waited_s) = match (of_requests, &direct) {
        (None, Some(direct)) => {
            let (past, cached): (Vec<&EventTotal>, Vec<&EventTotal>) =
                events.iter().partition(|e| DIRECT.iter().any(|name| is_event(&e.event, name)));
            let mut claims = claim_share(case, &past, direct.share);
            claims.extend(claim_share(case, &cached, direct.share_of_cached));
            let waited_s = claims.iter().map(|c| c.seconds).sum();
            (claims, waited_s)
        }
        _ => {
            let waited_s = of_requests.unwrap_or(share) * read_s;
            (claim_share(case, &events, waited_s / read_s), waited_s)
        }
    };
    if let Some(verdict) = not_worth(case, "the waits for reads of these segments", waited_s) {
        return match verdict {
            Verdict::NotFound if of_requests.is_none() => {
                Verdict::CannotTell("Segments by Physical Read Requests".to_owned())
            }
            verdict => verdict,
        };
    }
    let first_alone = match few.as_slice() {
        [first, _, ..] if 100.0 * first.blocks >= ALONE_PCT * total => {
            format!(", the first alone {}", words::percent(100.0 * first.blocks / total))
        }
        _ => String::new(),
    };
    let names: Vec<&str> = few.iter().map(|s| s.name.as_str()).collect();
    Verdict::Found(Finding {
        title: format!(
            "{} {} of the physical reads ({}){first_alone}{}; {} of the reads belong to no listed segment",
            if few.len() == 1 { "One segment makes".to_owned() } else { format!("{} segments make", few.len()) },
            words::percent(100.0 * share),
            names.join(", "),
            direct.filter(|d| d.of_blocks >= MOSTLY_DIRECT).map_or(String::new(), |d| format!(
                ", {} of these past the cache (direct path)",
                words::percent(100.0 * d.of_blocks)
            )),
            words::percent(unseen_pct)
        ),
        // The number of reads costs, not the storage that answers them.
        storage: false,
        claims,
        evidence: few
            .iter()
            .map(|s| {
                let text = format!(
                    "{}: {} blocks read, {} of all",
                    s.name,
                    words::count(s.blocks),
                    words::percent(100.0 * s.blocks / total)
                );
                case.evidence("segment_stat", s.row, s.line, s.section, text)
            })
            .collect(),
        actions: [
            Some(format!(
                "Look at {} first: its size against the buffer cache, and who reads it how. Small and re-read belongs in \
                 the KEEP pool, large and read by single blocks on the fast tier, large and scanned in a better \
                 statement.",
                names[0]
            )),
            Some(format!(
                "By {}, their reads are {}{} of the read time.",
                if of_requests.is_some() { "requests" } else { "blocks" },
                words::seconds(waited_s),
                of_db_time(case, waited_s)
            )),
            leads_by_requests(case, &few),
        ]
        .into_iter()
        .flatten()
        .collect(),
        caveat: if of_requests.is_some() {
            "Read time is shared out by read requests, as if all took the same time; reads of temp and undo belong to no \
             segment in the list."
        } else {
            "Read time is shared out by blocks, which favours scanned segments; reads of temp and undo belong to no \
             segment in the list."
        }
        .to_owned(),
        ..Finding::default()
    })
}

/// Reads of one segment, over all instances.
struct SegmentReads {
    name: String,
    blocks: f64,
    row: usize,
    line: u32,
    section: u16,
}

fn by_reads(case: &Case<'_>) -> Vec<SegmentReads> {
    let rows = &case.report.tables.segment_stat;
    let mut by_name: BTreeMap<String, SegmentReads> = BTreeMap::new();
    for (row, segment) in rows.iter().enumerate().filter(|(_, s)| s.ranked_by == "physical_reads") {
        let (Some(blocks), Some(name)) = (segment.value, segment_name(segment)) else { continue };
        by_name.entry(name.clone()).and_modify(|s| s.blocks += blocks).or_insert(SegmentReads {
            name,
            blocks,
            row,
            line: segment.line,
            section: segment.section,
        });
    }
    let mut segments: Vec<SegmentReads> = by_name.into_values().collect();
    segments.sort_by(|a, b| b.blocks.total_cmp(&a.blocks));
    segments
}

/// What of the reads of some segments went past the cache.
struct DirectPart {
    /// Of their own blocks (0-1).
    of_blocks: f64,
    /// Of all direct reads (0-1).
    share: f64,
    /// Their other blocks, of all that were read into the cache (0-1).
    share_of_cached: f64,
}

/// `None` where the report does not rank segments by direct reads or does not total them. A segment that
/// this ranking lacks counts as none.
fn direct_part(case: &Case<'_>, segments: &[&SegmentReads], total: f64) -> Option<DirectPart> {
    let ranked = || case.report.tables.segment_stat.iter().filter(|s| s.ranked_by == "direct_reads");
    ranked().next()?;
    let all_direct = case.stat_total("physical reads direct").filter(|t| *t > 0.0 && *t <= total)?;
    let is_one = |s: &&spindle_facts::SegmentStat| {
        segment_name(s).is_some_and(|name| segments.iter().any(|few| few.name == name))
    };
    let blocks: f64 = segments.iter().map(|s| s.blocks).sum();
    let direct = ranked().filter(is_one).filter_map(|s| s.value).sum::<f64>().min(blocks);
    (blocks > 0.0).then(|| DirectPart {
        of_blocks: direct / blocks,
        share: (direct / all_direct).min(1.0),
        share_of_cached: if total > all_direct {
            ((blocks - direct) / (total - all_direct)).min(1.0)
        } else {
            0.0
        },
    })
}

/// Share (0-1) of the read requests that these segments make, at least; `None` where the release
/// does not rank by requests. A segment that this ranking lacks counts as none.
fn share_of_requests(case: &Case<'_>, segments: &[&SegmentReads]) -> Option<f64> {
    let ranked = || ranked_by_requests(case);
    let total = total_requests(case)?;
    ranked().next()?;
    let is_one = |s: &&spindle_facts::SegmentStat| {
        segment_name(s).is_some_and(|name| segments.iter().any(|few| few.name == name))
    };
    Some((ranked().filter(is_one).filter_map(|s| s.value).sum::<f64>() / total).min(1.0))
}

/// The segment with more read requests than any of those with most blocks: it is what single-block reads wait for.
fn leads_by_requests(case: &Case<'_>, few: &[&SegmentReads]) -> Option<String> {
    let total = total_requests(case)?;
    let mut requests: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for segment in ranked_by_requests(case) {
        let (Some(value), Some(name)) = (segment.value, segment_name(segment)) else { continue };
        requests.entry(name).or_insert((0.0, segment.line)).0 += value;
    }
    let (name, (value, line)) = requests.into_iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    (few.iter().all(|s| s.name != name) && value <= total).then(|| {
        format!(
            "By requests {name} leads, with {} of them (line {line}): reads of single blocks wait for it.",
            words::percent(100.0 * value / total)
        )
    })
}

fn ranked_by_requests<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c spindle_facts::SegmentStat> + use<'c> {
    case.report.tables.segment_stat.iter().filter(|s| s.ranked_by == "physical_read_requests")
}

fn total_requests(case: &Case<'_>) -> Option<f64> {
    case.stat_total("physical read IO requests")
        .or_else(|| ranked_by_requests(case).find_map(|s| s.section_total))
        .filter(|t| *t > 0.0)
}

/// Total of physical reads, blocks: the statistic, else what the section's header says, else the load profile's rate.
fn total_reads(case: &Case<'_>) -> Option<f64> {
    let header = || {
        let rows = &case.report.tables.segment_stat;
        rows.iter().find(|s| s.ranked_by == "physical_reads").and_then(|s| s.section_total)
    };
    // OSPRep prints neither, and blocks a second.
    let by_profile = || Some(case.load_per_second(Metric::PhysicalReads)? * case.elapsed_s()?);
    case.stat_total("physical reads").or_else(header).or_else(by_profile).filter(|t| *t > 0.0)
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;
    use spindle_facts::SegmentStat;

    fn segments(values: &[f64]) -> Vec<SegmentStat> {
        let segment = |(i, value): (usize, &f64)| SegmentStat {
            line: 700 + u32::try_from(i).unwrap_or(0),
            ranked_by: "physical_reads",
            owner: Some("APP".into()),
            object: Some(format!("T{i}").into()),
            value: Some(*value),
            ..SegmentStat::default()
        };
        values.iter().enumerate().map(segment).collect()
    }

    fn hour(values: &[f64]) -> Hour {
        let rows = segments(values);
        Hour::new(10_000.0)
            .foreground("db file sequential read", 400_000.0, 2_000.0)
            .stat("physical reads", 1_000_000.0)
            .with(|r| r.tables.segment_stat = rows)
    }

    /// The index with a third of all read requests was never named beside a table that scans read.
    #[test]
    fn the_segment_with_most_requests_was_not_named() {
        let finding = hour(&[900_000.0, 10_000.0])
            .stat("physical read IO requests", 400_000.0)
            .with(|r| {
                for (object, requests) in [("T0", 100_000.0), ("PK", 140_000.0)] {
                    let mut row = segments(&[requests]).remove(0);
                    (row.ranked_by, row.object) = ("physical_read_requests", Some(object.into()));
                    r.tables.segment_stat.push(row);
                }
            })
            .found(run);
        assert!(finding.actions[2].contains("APP.PK leads, with 35 %"), "{:?}", finding.actions);
    }

    #[test]
    fn five_segments_for_eighty_percent() {
        let finding = hour(&[400_000.0, 200_000.0, 100_000.0, 60_000.0, 40_000.0, 1.0]).found(run);
        assert!(finding.title.starts_with("5 segments make 80 %"), "{}", finding.title);
        assert!(finding.title.contains("20 % of the reads belong to no listed"), "{}", finding.title);
        assert!((finding.claims[0].seconds - 1600.0).abs() < 0.01);
        hour(&[400_000.0, 200_000.0, 100_000.0, 60_000.0, 39_000.0, 39_000.0]).not_found(run);
    }

    /// One segment with 97 % of what is listed, and "Segments by Physical Reads with the total" was missing: the load
    /// profile prints blocks a second.
    #[test]
    fn a_segment_that_reads_all_was_not_named_for_want_of_a_total() {
        let of = |per_second| {
            let profile = spindle_facts::LoadProfileRow {
                line: 20,
                section: 0,
                instance_number: None,
                metric: "Physical Reads".to_owned(),
                known: Some(spindle_facts::Metric::PhysicalReads),
                per_second: Some(per_second),
                per_transaction: None,
                per_exec: None,
                per_call: None,
                per_second_half_unit: 0.005,
                per_second_diff_pct: None,
            };
            hour(&[970_000.0, 10_000.0]).with(|r| {
                r.tables.instance_stat.clear();
                r.tables.load_profile.push(profile);
            })
        };
        let finding = of(1_000_000.0 / 3_600.0).found(run);
        assert!(
            finding.title.starts_with("One segment makes 97 % of the physical reads"),
            "{}",
            finding.title
        );
        // It is little of what was read.
        assert!(of(10_000_000.0 / 3_600.0).missing(run).contains("more of Segments by Physical Reads"));
        assert!(hour(&[970_000.0]).with(|r| r.tables.instance_stat.clear()).missing(run).contains("total"));
    }

    /// Segments of 8,550,000 blocks beside 2,850,000 physical reads: "One segment makes 100 % of the physical reads".
    #[test]
    fn segments_of_three_times_the_reads_were_all_of_them() {
        let three_times = || hour(&[1_000_000.0, 800_000.0, 600_000.0, 400_000.0, 200_000.0]);
        let missing = three_times().missing(run);
        assert!(missing.contains("sum to 3,000,000 blocks, all reads to 1,000,000"), "{missing}");
        let diagnosis = crate::diagnose(&three_times().report, &crate::Options::default());
        let account = diagnosis.accounts.iter().find(|a| a.quantity.contains("of segments"));
        let account = account.map(|a| (a.agree, a.gap_pct, a.because.as_str()));
        assert!(
            account.is_some_and(|(agree, gap, because)| !agree
                && gap == Some(200.0)
                && because.contains("sum of the segments (+200 %)")),
            "{account:?}"
        );
        hour(&[1_000_000.0, 20_000.0]).found(run);
    }

    #[test]
    fn requests_share_out_the_time_where_they_are_ranked() {
        let with_requests = |requests: f64| {
            hour(&[900_000.0]).stat("physical read IO requests", 400_000.0).with(move |r| {
                let by_requests = SegmentStat {
                    ranked_by: "physical_read_requests",
                    value: Some(requests),
                    ..r.tables.segment_stat[0].clone()
                };
                r.tables.segment_stat.push(by_requests);
            })
        };
        let finding = with_requests(100_000.0).found(run);
        assert!((finding.claims[0].seconds - 500.0).abs() < 0.01, "{:?}", finding.claims);
        with_requests(50_000.0).not_found(run);
    }

    /// Blocks of one parallel scan past the cache were set beside the time of single-block reads.
    #[test]
    fn blocks_read_past_the_cache_are_not_behind_single_block_reads() {
        let scanned = |direct: f64| {
            hour(&[820_000.0])
                .foreground("direct path read", 7_000.0, 400.0)
                .stat("physical reads direct", 800_000.0)
                .with(move |r| {
                    let by_direct = SegmentStat {
                        ranked_by: "direct_reads",
                        value: Some(direct),
                        ..r.tables.segment_stat[0].clone()
                    };
                    r.tables.segment_stat.push(by_direct);
                })
        };
        let finding = scanned(780_000.0).found(run);
        assert!(finding.title.contains("95 % of these past the cache"), "{}", finding.title);
        let of =
            |event: &str| finding.claims.iter().filter(|c| c.of == event).map(|c| c.seconds).sum::<f64>();
        assert!((of("direct path read") - 390.0).abs() < 0.1, "{:?}", finding.claims);
        assert!(
            (of("db file sequential read") - 400.0).abs() < 0.1,
            "a fifth of what was cached: {:?}",
            finding.claims
        );
    }

    #[test]
    fn one_that_makes_half_is_named() {
        let finding = hour(&[501_000.0, 50_000.0, 49_000.0, 48_000.0, 47_000.0, 46_000.0]).found(run);
        assert!(finding.title.starts_with("One segment makes 50 %"), "{}", finding.title);
        hour(&[499_000.0, 50_000.0, 49_000.0, 48_000.0, 47_000.0, 46_000.0]).not_found(run);
    }

    #[test]
    fn a_short_list_proves_nothing() {
        assert!(hour(&[100_000.0, 50_000.0]).missing(run).contains("85 % are unseen"));
        assert!(hour(&[]).missing(run).contains("Segments by Physical Reads"));
    }

    #[test]
    fn reads_that_take_no_time_do_not_matter() {
        let rows = segments(&[900_000.0]);
        Hour::new(10_000.0)
            .foreground("db file sequential read", 400_000.0, 290.0)
            .stat("physical reads", 1_000_000.0)
            .with(|r| r.tables.segment_stat = rows)
            .not_found(run);
    }
}
