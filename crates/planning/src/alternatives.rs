//! What else could be done, in the same table as the plan.

use crate::candidates::BuiltCandidate;
use crate::demand::{IntervalDemand, WaitDemand};
use crate::entries::{ByComponent, place_of, sum};
use crate::load::{self, Demand, Load, Queued};
use crate::memory::{more_buffer_cache, more_pga};
use crate::plan::{Alternative, CandidateKind, Component, Measured};
use crate::range::Range;
use crate::sizes::Sizes;
use crate::tier::Tier;
use crate::value::{commit_saved_s, follows_s, log_space_saved_s, net_saved_s};
use crate::words;

/// Kinds of wait that a mirror's fast half serves: all reads.
const READS: [Component; 6] = [
    Component::SingleBlockRead,
    Component::MultiBlockRead,
    Component::DirectRead,
    Component::TempRead,
    Component::ControlFile,
    Component::ReadByOther,
];
/// Kinds of wait that a cache of blocks serves: reads into the buffer cache.
pub(crate) const CACHED_READS: [Component; 3] =
    [Component::SingleBlockRead, Component::MultiBlockRead, Component::ReadByOther];
/// Storage that answers this share of its reads from flash has a flash cache already, percent.
const MOSTLY_FLASH_PCT: f64 = 90.0;
/// A tier that takes this share of today's latency or more is no faster.
const NO_FASTER: f64 = 0.7;

pub(crate) fn alternatives(
    intervals: &[IntervalDemand],
    candidates: &[BuiltCandidate],
    tiers: &[Tier],
    totals: &ByComponent,
    (saved, lost): (&ByComponent, &ByComponent),
    sizes: &Sizes<'_>,
    measured: &Measured,
) -> (Vec<Alternative>, f64, f64) {
    let mut found = Vec::new();
    let (mut all_reads_s, mut uncapped_s) = (0.0, 0.0);
    if let Some(tier) = tiers.first() {
        let reads = all_reads(intervals, tier, totals, measured);
        all_reads_s = reads.0.mid.max(0.0);
        uncapped_s = limited(all_on(intervals, &READS, tier), &READS, totals).mid;
        found.push(preferred_read_mirror(intervals, tier, reads, sizes));
        found.push(flash_cache(intervals, candidates, tier, totals, measured));
    }
    found.push(more_buffer_cache(intervals, totals));
    found.push(more_pga(intervals, totals));
    let is_uncounted =
        measured.uncounted_s[0] > 0.0 && READS.iter().all(|k| totals[place_of(*k)].high <= 0.0);
    // Most of what sessions wait for reads is in no event that was read.
    let known_s: f64 = READS.iter().map(|k| totals[place_of(*k)].high).sum();
    let is_unread = measured.unread_s[0] > known_s;
    if measured.without_events == measured.intervals || is_uncounted || is_unread {
        for unknown in &mut found {
            unknown.saves_s = None;
            unknown.because = match measured.class_waits_s {
                _ if is_uncounted => format!(
                    "the reports print how long sessions waited for events and not how often: at most the {} of reads \
                     and the {} of commits",
                    words::seconds(measured.uncounted_s[0]),
                    words::seconds(measured.uncounted_s[1])
                ),
                _ if is_unread => format!(
                    "no event was read of {} of User I/O and {} of commits, which the reports print by class: at most \
                     that",
                    words::seconds(measured.unread_s[0]),
                    words::seconds(measured.unread_s[1])
                ),
                Some([user_io, commit]) => format!(
                    "the reports print waits by class alone: at most the {} of User I/O and the {} of commits",
                    words::seconds(user_io),
                    words::seconds(commit)
                ),
                None => {
                    "the reports print no waits by event, so what waits for storage is not known".to_owned()
                }
            };
        }
    }
    // After the plan, what likely saves most; what is not known goes after what is.
    let likely = |a: &Alternative| a.saves_s.map_or(-1.0, |s| s.mid);
    found.sort_by(|a, b| likely(b).total_cmp(&likely(a)));
    found.insert(0, this_plan(candidates, tiers, sum(saved), sum(lost)));
    found.push(Alternative {
        name: "nothing".to_owned(),
        saves_s: Some(Range::ZERO),
        cost: "nothing".to_owned(),
        because: "response time stays as it is".to_owned(),
    });
    (found, all_reads_s, uncapped_s)
}

fn this_plan(candidates: &[BuiltCandidate], tiers: &[Tier], saves: Range, loses: Range) -> Alternative {
    let moved = || candidates.iter().filter(|c| c.candidate.tier.is_some());
    // An empty sum of floats is minus zero.
    let bytes: f64 = moved().filter_map(|c| c.candidate.size_bytes).sum::<f64>() + 0.0;
    let prices: Option<f64> = tiers.iter().map(|t| t.price).sum();
    let price = prices.map_or(String::new(), |p| format!(", {} in money", words::significant(p)));
    Alternative {
        name: "this plan".to_owned(),
        saves_s: Some(Range {
            low: saves.low - loses.high,
            mid: saves.mid - loses.mid,
            high: saves.high - loses.low,
        }),
        cost: format!("{} of the tiers{price}", words::bytes(bytes)),
        because: match moved().count() {
            1 => "one candidate moves".to_owned(),
            n => format!("{n} candidates move"),
        },
    }
}

/// All waits of some kinds, on a tier.
fn all_on(intervals: &[IntervalDemand], kinds: &[Component], tier: &Tier) -> Range {
    let whole = Range::exact(1.0);
    let waits = || intervals.iter().flat_map(|i| &i.waits);
    // All reads go there: what some lose is taken from what others gain.
    let on = |wait: &WaitDemand| net_saved_s(wait, whole, 1.0, tier).in_order();
    let gain = |r: Range| Range { low: r.low.max(0.0), mid: r.mid.max(0.0), high: r.high.max(0.0) };
    let reads: Range = waits()
        .filter(|w| kinds.contains(&w.component) && w.component != Component::ReadByOther)
        .map(on)
        .sum();
    let reads = gain(reads);
    // Waits for another's read follow the reads.
    let time = |kinds: &[Component]| -> f64 {
        waits().filter(|w| kinds.contains(&w.component)).map(|w| w.time_s.mid).sum()
    };
    let follows: Range = intervals
        .iter()
        .flat_map(|i| i.waits.iter().map(move |w| (i, w)))
        .filter(|(_, w)| w.component == Component::ReadByOther && kinds.contains(&w.component))
        .map(|(i, w)| follows_s(w, &i.waits))
        .sum();
    let reads_s = time(&[Component::SingleBlockRead, Component::MultiBlockRead]);
    let cached: Range = waits()
        .filter(|w| matches!(w.component, Component::SingleBlockRead | Component::MultiBlockRead))
        .map(on)
        .sum();
    let cached = gain(cached);
    let share = |s: f64| if reads_s > 0.0 { (s / reads_s).min(1.0) } else { 0.0 };
    reads + Range { low: 0.0, mid: follows.mid * share(cached.mid), high: follows.high * share(cached.high) }
}

fn limited(range: Range, kinds: &[Component], totals: &ByComponent) -> Range {
    let most: Range = kinds.iter().map(|k| totals[place_of(*k)]).sum();
    Range { low: range.low.min(most.low), mid: range.mid.min(most.mid), high: range.high.min(most.high) }
}

/// What all reads would save on a tier, and what its caps leave of that in words.
fn all_reads(
    intervals: &[IntervalDemand],
    tier: &Tier,
    totals: &ByComponent,
    measured: &Measured,
) -> (Range, String) {
    let saves = limited(all_on(intervals, &READS, tier), &READS, totals);
    let (load, at_once) = all_asked(intervals, tier, measured);
    let Some(queue) = Queued::before(tier, load) else {
        return (saves + uncounted(measured), String::new());
    };
    let queued = in_words(&queue, tier);
    let seconds = measured.elapsed_s.max(1.0);
    let left = queue.leaves_of(saves, Demand { asked: load, waited_for: load, seconds }, at_once);
    // Beyond its caps a tier saves nothing, whatever else it is asked for.
    let more = if queue.asked() < 1.0 { uncounted(measured) } else { Range::ZERO };
    (left + more, queued)
}

/// Kinds of wait for writes, which a mirror's slower half decides.
const WRITES: [Component; 3] = [Component::TempWrite, Component::DirectWrite, Component::DatabaseWriter];

/// What waits for writes lose where each takes as long as a tier takes, if that is longer; nothing else.
fn writes_lose(intervals: &[IntervalDemand], tier: &Tier) -> Range {
    let loss = |r: Range| Range { low: r.low.min(0.0), mid: r.mid.min(0.0), high: r.high.min(0.0) };
    let waits = intervals.iter().flat_map(|i| &i.waits).filter(|w| WRITES.contains(&w.component));
    let of_waits: Range = waits.map(|w| loss(net_saved_s(w, Range::exact(1.0), 1.0, tier).in_order())).sum();
    let of_redo: Range = intervals
        .iter()
        .filter_map(|i| Some((i.commit.as_ref()?, i.elapsed_s.unwrap_or(f64::INFINITY))))
        .map(|(commit, elapsed_s)| {
            loss(commit_saved_s(commit, elapsed_s, tier)) + loss(log_space_saved_s(commit, tier))
        })
        .sum();
    let lost = of_waits + of_redo;
    // Where no write is likely longer there, the doubt about its bandwidth is none about a mirror.
    if lost.mid < 0.0 { lost } else { Range::ZERO }
}

/// Reads from the fast half of a mirror; writes wait for the slower half (E8).
fn preferred_read_mirror(
    intervals: &[IntervalDemand],
    tier: &Tier,
    (reads, queued): (Range, String),
    sizes: &Sizes<'_>,
) -> Alternative {
    let lost = writes_lose(intervals, tier);
    let saves = reads + lost;
    let writes = if lost.mid < 0.0 {
        format!(
            "every write waits for the slower half, and {} takes {} for one: reads {} {}, commits and writes lose {} \
             ({} to {})",
            tier.name,
            words::latency(tier.write_latency_us),
            if reads.mid < 0.0 { "lose" } else { "save" },
            words::seconds(reads.mid.abs()),
            words::seconds(0.0 - lost.mid),
            words::seconds(0.0 - lost.high),
            words::seconds(0.0 - lost.low)
        )
    } else {
        "every write waits for the slower half, so commits and writes gain nothing".to_owned()
    };
    let (cost, because) = match sizes.database_bytes() {
        Some(bytes) if bytes > tier.capacity_bytes => (
            format!(
                "it does not fit: {} of {}, which holds {}",
                words::bytes(bytes),
                tier.name,
                words::bytes(tier.capacity_bytes)
            ),
            format!(
                "it does not fit: {} holds {}. Every read would come from the fast half, {writes}",
                tier.name,
                words::bytes(tier.capacity_bytes)
            ),
        ),
        Some(bytes) => (
            format!("{} of {}: all files, temp and undo too", words::bytes(bytes), tier.name),
            format!("every read comes from the fast half, {writes}"),
        ),
        None => (
            format!("as much of {} as the database is large, which is not known", tier.name),
            format!(
                "every read comes from the fast half, {writes}; the size of the database is not collected"
            ),
        ),
    };
    Alternative {
        name: format!("preferred-read mirror on {}", tier.name),
        saves_s: Some(saves),
        cost: if queued.is_empty() { cost } else { format!("{cost}; {queued}") },
        because: if queued.is_empty() { because } else { format!("{because}; {queued}") },
    }
}

/// Reads of which nobody says how many there were: at most all that was waited for them.
fn uncounted(measured: &Measured) -> Range {
    Range { low: 0.0, mid: 0.0, high: measured.uncounted_s[0] }
}

fn in_words(queue: &Queued<'_>, tier: &Tier) -> String {
    format!(
        "all reads ask {} of what {} can do ({}){}",
        words::percent(100.0 * queue.asked()),
        tier.name,
        load::caps(tier),
        if queue.is_open() { ": how long sessions would wait has no upper end" } else { "" }
    )
}

/// What all reads of the database ask of one tier; and by how many seconds those that follow each other take longer there
/// than today, if its cap of requests lets through all that it can.
fn all_asked(intervals: &[IntervalDemand], tier: &Tier, measured: &Measured) -> (Load, f64) {
    let seconds = measured.elapsed_s.max(1.0);
    let requests: f64 = intervals
        .iter()
        .map(|i| {
            let waits = i.waits.iter().filter(|w| READS.contains(&w.component)).map(|w| w.waits).sum();
            i.totals.read_requests.unwrap_or(waits)
        })
        .sum();
    let bytes: f64 =
        intervals.iter().filter_map(|i| Some(i.totals.read_blocks? * i.totals.block_bytes)).sum();
    let one_after_the_other =
        || intervals.iter().flat_map(|i| &i.waits).filter(|w| is_one_after_the_other(w.component));
    let waited: f64 = one_after_the_other().map(|w| w.waits).sum();
    let waited_s: f64 = one_after_the_other().map(|w| w.time_s.high).sum();
    let at_once = tier.iops_cap.map_or(0.0, |cap| (waited / cap - waited_s).max(0.0));
    (Load { requests_s: requests / seconds, bytes_s: bytes / seconds }, at_once)
}

/// Does a session ask for the next one when it has this one?
fn is_one_after_the_other(component: Component) -> bool {
    matches!(component, Component::SingleBlockRead | Component::MultiBlockRead)
}

/// A cache of blocks before today's storage: what is re-read after its first read can be hit.
fn flash_cache(
    intervals: &[IntervalDemand],
    candidates: &[BuiltCandidate],
    tier: &Tier,
    totals: &ByComponent,
    measured: &Measured,
) -> Alternative {
    let name = format!("{} as a flash cache before today's storage", tier.name);
    let cost = format!("{} of {}, and memory for its headers", words::bytes(tier.capacity_bytes), tier.name);
    let all = limited(all_on(intervals, &CACHED_READS, tier), &CACHED_READS, totals);
    let now: f64 = CACHED_READS.iter().map(|k| totals[place_of(*k)].mid).sum();
    let waits: f64 = intervals
        .iter()
        .flat_map(|i| &i.waits)
        .filter(|w| w.component == Component::SingleBlockRead)
        .map(|w| w.waits)
        .sum();
    let single_s = totals[place_of(Component::SingleBlockRead)].mid;
    let today_us = if waits > 0.0 { single_s * 1e6 / waits } else { 0.0 };
    let flash_pct = measured.flash_answers_pct.unwrap_or(0.0);
    if now > 0.0
        && (all.mid <= (1.0 - NO_FASTER) * now
            || flash_pct >= MOSTLY_FLASH_PCT
            || today_us > 0.0 && tier.read_latency_us >= NO_FASTER * today_us)
    {
        let is_flash = flash_pct >= MOSTLY_FLASH_PCT;
        // Were all its reads hits, that is no more than what the tier is faster.
        let most_s = if is_flash || tier.read_latency_us >= today_us { 0.0 } else { all.mid.max(0.0) };
        return Alternative {
            name,
            saves_s: Some(Range { low: 0.0, mid: 0.0, high: most_s }),
            cost,
            because: format!(
                "{}: {}a read takes {} today and {} from {}; flash before flash, only the name of the wait would \
                 change",
                if most_s > 0.0 {
                    format!("no gain likely, and at most {} were every read a hit", words::seconds(most_s))
                } else {
                    "no gain".to_owned()
                },
                if is_flash {
                    format!("flash in today's storage answers {} of the reads, ", words::percent(flash_pct))
                } else {
                    String::new()
                },
                words::latency(today_us),
                words::latency(tier.read_latency_us),
                tier.name
            ),
        };
    }
    let cached =
        |c: &BuiltCandidate| -> Range { CACHED_READS.iter().map(|k| c.saves[0][place_of(*k)]).sum() };
    let data: Vec<(&BuiltCandidate, f64)> = apart(candidates)
        .filter(|c| cached(c).high > 0.0)
        .filter_map(|c| Some((c, c.candidate.size_bytes.filter(|b| *b > 0.0)?)))
        .collect();
    let bytes: f64 = data.iter().map(|(_, size)| size).sum();
    if data.is_empty() {
        return Alternative {
            name,
            saves_s: None,
            cost,
            because: "how much is re-read cannot be told without the sizes of the objects; give them with --segments"
                .to_owned(),
        };
    }
    // Cold: the first read fills the cache; what an object is read beyond its own size can be hit.
    let mut objects: Vec<(&BuiltCandidate, f64, f64)> = candidates
        .iter()
        .filter(|c| !c.segments.is_empty())
        .filter_map(|c| Some((c, c.candidate.size_bytes?.max(1.0), c.candidate.reread_times?)))
        .collect();
    objects.sort_by(|a, b| (cached(b.0).mid / b.1).total_cmp(&(cached(a.0).mid / a.1)));
    let (mut left, mut cold) = (tier.capacity_bytes, Range::ZERO);
    for (built, size, reread) in objects {
        let fits = (left / size).min(1.0);
        left = (left - size).max(0.0);
        let hit_share = if reread > 1.0 { 1.0 - 1.0 / reread } else { 0.0 };
        cold += cached(built).scaled(fits * hit_share);
    }
    let cold = limited(cold, &CACHED_READS, totals);
    // Warm: it was filled before, and holds as much of the data as it is large.
    let holds = (tier.capacity_bytes / bytes).min(1.0);
    let warm: Range = data.iter().map(|(c, _)| cached(c)).sum();
    let warm = limited(warm.scaled(holds), &CACHED_READS, totals);
    let mid = cold.mid.max(warm.mid).max(0.5 * cold.low);
    let saves = Range { low: 0.5 * cold.low, mid, high: cold.high.max(all.high).max(mid) };
    // Which reads it would answer is not known: likely the share that it saves of, at worst all of them.
    let (load, _) = all_asked(intervals, tier, measured);
    let (saves, queued) = match Queued::before(tier, load) {
        None => (saves, String::new()),
        Some(queue) => {
            let seconds = measured.elapsed_s.max(1.0);
            let hits = if all.mid > 0.0 { (mid / all.mid).min(1.0) } else { 1.0 };
            let of_hits = Load { requests_s: hits * load.requests_s, bytes_s: hits * load.bytes_s };
            let asks = |asked: Load| Demand { asked, waited_for: of_hits, seconds };
            let worst = queue.leaves_of(saves, asks(load), 0.0);
            let likely =
                Queued::before(tier, of_hits).map_or(saves, |q| q.leaves_of(saves, asks(of_hits), 0.0));
            // Where it answers no more than its likely hits it may keep up.
            let high = if queue.asked() >= 1.0 { saves.high / queue.asked() } else { saves.high };
            let left = Range { low: worst.low, mid: likely.mid, high: high.min(likely.high.max(likely.mid)) };
            (left.in_order(), format!(". Were all reads its own, {}", in_words(&queue, tier)))
        }
    };
    Alternative {
        name,
        saves_s: Some(saves),
        cost,
        because: format!(
            "likely: filled before, it holds {} of the {} whose sizes are known, and answers that share of their reads \
             or what is re-read, whichever is more; at least: half of what each object is read beyond its own size over \
             the {} measured, since a cache begins empty. Direct-path reads, temp and redo pass it by, blocks that \
             nobody lists may hit too{queued}",
            if holds < 1.0 { words::percent(100.0 * holds) } else { "all".to_owned() },
            words::bytes(bytes),
            words::seconds(measured.elapsed_s)
        ),
    }
}

/// Candidates none of which is a part of another: what is left out by itself is part of the rest of its
/// tablespace, where that is one.
fn apart(candidates: &[BuiltCandidate]) -> impl Iterator<Item = &BuiltCandidate> {
    let rest_of = |c: &BuiltCandidate| {
        let own = &c.candidate;
        candidates.iter().map(|b| &b.candidate).any(|rest| {
            matches!(rest.kind, CandidateKind::RestOfTablespace | CandidateKind::Tablespace)
                && rest.tablespace == own.tablespace
                && rest.container == own.container
        })
    };
    candidates.iter().filter(move |c| {
        let is_part = !c.segments.is_empty() && c.candidate.excluded_because.is_some() && c.along.is_none();
        !(is_part && rest_of(c))
    })
}
