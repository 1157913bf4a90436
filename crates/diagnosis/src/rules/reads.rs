//! The wait events that are reads, by kind, and claims on a share of them.

use super::material::{is_event, is_material, may_be_material, waits_not_worth};
use crate::{Case, Claim, EventTotal, Verdict};
use spindle_facts::Side;

/// One block into the cache.
pub(super) const SINGLE_BLOCK: &[&str] = &[
    "db file sequential read",
    "cell single block physical read",
    "db flash cache single block physical read",
];
/// Adjacent blocks into the cache: scans.
pub(super) const MULTI_BLOCK: &[&str] =
    &["db file scattered read", "cell multiblock physical read", "db flash cache multiblock physical read"];
/// Many separate blocks into the cache at once.
pub(super) const BLOCK_LISTS: &[&str] = &["db file parallel read", "cell list of blocks physical read"];
/// Past the cache: scans and large objects, without temp.
pub(super) const DIRECT: &[&str] =
    &["direct path read", "direct path read (lob)", "cell smart table scan", "cell smart index scan"];
/// Waiting for the read of another session.
pub(super) const OTHERS_READ: &[&str] = &["read by other session"];

/// Foreground events of these kinds, largest first.
pub(super) fn reads<'c>(case: &'c Case<'_>, kinds: &[&[&str]]) -> Vec<&'c EventTotal> {
    let is_read = |e: &EventTotal| kinds.iter().flat_map(|k| k.iter()).any(|name| is_event(&e.event, name));
    case.events.iter().filter(|e| e.side == Side::Foreground && is_read(e)).collect()
}

/// Seconds of these events, as the response time counts them.
pub(super) fn seconds(case: &Case<'_>, events: &[&EventTotal]) -> f64 {
    events.iter().map(|e| case.event_time_s(&e.event)).sum()
}

/// Seconds that sessions waited for single-block reads.
pub(crate) fn single_block_s(case: &Case<'_>) -> f64 {
    seconds(case, &reads(case, &[SINGLE_BLOCK]))
}

/// What keeps a rule about all reads from its answer: reads that cost as much as those that were read, or may
/// make them material, and whose rows were lost. In a DBA's words.
pub(super) fn unread(case: &Case<'_>, read_s: f64) -> Option<String> {
    let kinds = [SINGLE_BLOCK, MULTI_BLOCK, BLOCK_LISTS, DIRECT, OTHERS_READ];
    let is_read = |event: &str| kinds.iter().flat_map(|k| k.iter()).any(|name| is_event(event, name));
    let (missing, most_s) = case.unread_waits("the waits for reads", is_read)?;
    // Where all classes were read, only what user I/O lacks can be reads.
    let of_reads_s = case.response_time.foreground.without_events_s(|class| class == "User I/O");
    let of_reads_s = (of_reads_s + case.response_time.foreground.of_no_class_s()).min(most_s);
    let of_reads_s = if case.unreadable_events.iter().any(|e| is_read(e)) { most_s } else { of_reads_s };
    (may_be_material(case, of_reads_s + read_s) && (of_reads_s >= read_s || !is_material(case, read_s)))
        .then_some(missing)
}

/// What a rule about reads says where those of these events are not worth a line, or nobody knows; `None` where
/// they are.
pub(super) fn not_worth(case: &Case<'_>, events: &[&EventTotal], read_s: f64) -> Option<Verdict> {
    let kinds = [SINGLE_BLOCK, MULTI_BLOCK, BLOCK_LISTS, DIRECT, OTHERS_READ];
    let kinds = kinds.iter().map(|k| k.len()).sum::<usize>().saturating_sub(events.len());
    waits_not_worth(case, "the waits for reads", kinds, read_s)
}

/// Claims on this share (0-1) of the time of each event.
pub(super) fn claim_share(case: &Case<'_>, events: &[&EventTotal], share: f64) -> Vec<Claim> {
    events
        .iter()
        .map(|e| Claim { of: e.event.clone(), seconds: share * case.event_time_s(&e.event) })
        .filter(|c| c.seconds > 0.0)
        .collect()
}
