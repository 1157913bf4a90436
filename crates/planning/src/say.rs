//! The plan in sentences.

use crate::candidates::{BuiltCandidate, largest_component};
use crate::demand::IntervalDemand;
use crate::doubts::NOT_MODELLED;
use crate::memory::{CLIFF_DOUBT, MORE_CACHE, MORE_PGA};
use crate::plan::{Candidate, CandidateKind, Plan, TierUse};
use crate::plans;
use crate::sizes::Sizes;
use crate::tier::Tier;
use crate::words;

/// Why a candidate was chosen, or not.
pub(crate) fn why(built: &mut BuiltCandidate, tiers: &[Tier]) {
    let waits = built.candidate.waits_s;
    let kind = largest_component(built).map_or("I/O", words::component);
    let c = &mut built.candidate;
    if let Some(because) = &c.excluded_because {
        c.why = because.clone();
        return;
    }
    let saves = c.saves_s.unwrap_or_default();
    let size = c.size_bytes.map_or_else(|| "unknown size".to_owned(), words::bytes);
    c.why = match &c.tier {
        // Its parts lie in the files of tablespaces that move, and it stays together.
        Some(tier) if built.stays_because.is_some() => format!(
            "it goes to {tier} with the tablespaces that its parts lie in, which is counted for nothing: {}",
            built.stays_because.as_deref().unwrap_or_default()
        ),
        Some(tier) => {
            c.price_per_s = tiers
                .iter()
                .find(|t| t.name == *tier)
                .and_then(|t| Some(t.price? * c.size_bytes? / t.capacity_bytes / saves.mid))
                .filter(|p| p.is_finite());
            format!(
                "{} of DB time wait for it, mostly {kind}; {} of that go with {size} on {tier}",
                words::seconds(waits.mid),
                words::seconds(saves.mid)
            )
        }
        None => match c.size_bytes.filter(|bytes| tiers.iter().all(|t| *bytes > t.capacity_bytes)) {
            Some(bytes) => format!("its {} fit no tier", words::bytes(bytes)),
            None if saves.mid <= 0.0 => "no tier would save anything".to_owned(),
            None => {
                built.held_back.take().unwrap_or_else(|| "what is chosen saves more in that room".to_owned())
            }
        },
    };
}

/// Share of the blocks read that no object accounts for, and what that means.
pub(crate) fn unseen(
    intervals: &[IntervalDemand],
    candidates: &[BuiltCandidate],
    sizes: &Sizes<'_>,
) -> (Option<f64>, String) {
    let mut all = 0.0;
    for interval in intervals {
        let Some(blocks) = interval.totals.read_blocks else {
            return (
                None,
                "The reports do not print how many blocks were read in all, so the share that no object accounts for \
                 is not known."
                    .to_owned(),
            );
        };
        all += blocks;
    }
    if all <= 0.0 {
        return (None, "Nothing was read from storage.".to_owned());
    }
    let seen: f64 = candidates
        .iter()
        .filter(|c| {
            !c.segments.is_empty() || matches!(c.candidate.kind, CandidateKind::Temp | CandidateKind::Undo)
        })
        .filter_map(|c| c.candidate.read_blocks)
        .sum();
    let pct = (100.0 * (1.0 - seen / all)).clamp(0.0, 100.0);
    let listed = candidates.iter().filter(|c| !c.segments.is_empty()).count();
    let by_space = candidates
        .iter()
        .any(|c| matches!(c.candidate.kind, CandidateKind::RestOfTablespace | CandidateKind::Tablespace));
    let mut text = if listed == 0 {
        format!(
            "The reports list no segment, so {} of the blocks read belong to no object that could be named.",
            words::percent(pct)
        )
    } else {
        format!(
            "{} of the blocks read belong to none of the {listed} objects that the reports name{}.",
            words::percent(pct),
            if pct >= 1.0 { " (they print the first few of each interval)" } else { "" }
        )
    };
    if by_space {
        text.push_str(" Their tablespaces are printed, and stand as `rest of tablespace` or `tablespace`.");
    }
    if pct >= 20.0 {
        text.push_str(
            " More reports of busy hours, plans (`spindle collect plans`) or a history (`spindle collect history`) \
             would show more of them.",
        );
    }
    if !sizes.has_segments && listed > 0 {
        text.push_str(" No list of segments with their sizes was given: `spindle collect segments` prints the script that gathers them.");
    }
    (Some(pct), text)
}

/// A plan that saves less than this share of DB time is said to help hardly, percent.
const HARDLY_PCT: f64 = 2.0;

/// A few sentences with numbers.
pub(crate) fn answer(plan: &Plan) -> String {
    let mut answer = if plan.chosen.is_empty() { nothing_chosen(plan) } else { moving(plan) };
    if !plan.chosen.is_empty() {
        answer.push_str(&not_read(plan));
    }
    if let Some(surer) = &plan.surer {
        answer.push_str(&format!(" {surer}"));
    }
    answer.push_str(&redo_saves_more(plan));
    answer.push_str(&memory_saves_more(plan));
    if let Some(from) = &plan.measured.db_time_from {
        let which = match (plan.measured.db_time_derived, plan.measured.intervals) {
            (_, 1) => "the report".to_owned(),
            (some, all) if some == all => "the reports".to_owned(),
            (some, all) => format!("{some} of the {all} reports"),
        };
        answer.push_str(&format!(" DB time is not printed in {which}: {from} stand for it."));
    }
    answer
}

/// `12 s of DB time in 2 intervals`.
fn span(plan: &Plan) -> String {
    format!(
        "{} of DB time in {}",
        words::seconds(plan.db_time_s.now),
        if plan.measured.intervals == 1 {
            "one interval".to_owned()
        } else {
            format!("{} intervals", plan.measured.intervals)
        }
    )
}

fn share(plan: &Plan, s: f64) -> String {
    let now = plan.db_time_s.now;
    words::percent(if now > 0.0 { 100.0 * s / now } else { 0.0 })
}

/// Share of its caps above which a tier queues, percent.
const QUEUES_PCT: f64 = 100.0 * crate::load::HOLDS_TO;

/// What pins to tiers cost that are slower than today's storage, or asked for more than they can do.
fn pins_lose(plan: &Plan) -> String {
    let Some(loses) = plan.loses_s else { return String::new() };
    let asked = |t: &TierUse| t.bandwidth_used_pct.unwrap_or(0.0).max(t.iops_used_pct.unwrap_or(0.0));
    let queued: Vec<&TierUse> = plan.tier_use.iter().filter(|t| asked(t) > QUEUES_PCT).collect();
    let shares: Vec<String> = queued
        .iter()
        .map(|t| format!("{} is asked {} of what it can do", t.name, words::percent(asked(t))))
        .collect();
    if loses.high.is_infinite() {
        return format!(
            " {}, and cannot keep up with what is pinned there: sessions wait {} longer, with no upper end, and DB time goes \
             from {} to at least {}.",
            shares.join(", "),
            if loses.low > 0.0 {
                format!("at least {}", words::seconds(loses.low))
            } else {
                "nobody knows how much".to_owned()
            },
            words::seconds(plan.db_time_s.now),
            words::seconds(plan.db_time_s.then_low)
        );
    }
    format!(
        " What is pinned {} makes sessions wait {} longer ({} to {}): DB time goes from {} to {}.",
        if queued.is_empty() {
            "to a tier slower than today's storage".to_owned()
        } else {
            format!("waits in a queue or on slower storage ({}) and", shares.join(", "))
        },
        words::seconds(loses.mid),
        words::seconds(loses.low),
        words::seconds(loses.high),
        words::seconds(plan.db_time_s.now),
        words::seconds(plan.db_time_s.then)
    )
}

/// Waits for storage that are printed by class alone while other events are read; nothing where they are few.
fn not_read(plan: &Plan) -> String {
    let [reads_s, commits_s] = plan.measured.unread_s;
    if 100.0 * (reads_s + commits_s) < HARDLY_PCT * plan.db_time_s.now {
        return String::new();
    }
    format!(
        " No event was read of {} ({}) of User I/O and {} ({}) of commits, which the reports print by class alone: what a \
         tier would save of these is not known.",
        words::seconds(reads_s),
        share(plan, reads_s),
        words::seconds(commits_s),
        share(plan, commits_s)
    )
}

/// Is most of what waits for storage known by class or in sum alone, so that the question has no answer?
pub(crate) fn lacks_waits(plan: &Plan) -> bool {
    let m = &plan.measured;
    let few = |s: f64| 100.0 * s < HARDLY_PCT * plan.db_time_s.now;
    let known_s: f64 = plan.response_time.iter().filter(|p| p.component.is_some()).map(|p| p.now_s).sum();
    let unread_s = m.unread_s[0] + m.unread_s[1];
    let uncounted_s = m.uncounted_s[0] + m.uncounted_s[1];
    m.without_events == m.intervals
        || unread_s > known_s && !few(unread_s)
        || plan.chosen.is_empty() && plan.saves_s.mid <= 0.0 && uncounted_s > known_s && !few(uncounted_s)
}

/// Share of the plan's saving from which on redo that stays is named.
const REDO_IS_NAMED: f64 = 0.5;

/// Redo that stays for the little that commits wait for, though it would save much of what the plan does.
fn redo_saves_more(plan: &Plan) -> String {
    let redo = plan.candidates.iter().find(|c| {
        c.kind == CandidateKind::Redo
            && c.tier.is_none()
            && c.excluded_because.as_deref().is_some_and(|why| why.contains(crate::candidates::REDO_BAR))
    });
    let Some((redo, saves)) = redo.and_then(|c| Some((c, c.saves_s?))) else { return String::new() };
    // A tier that loses already is no place for it.
    if plan.chosen.is_empty()
        || plan.loses_s.is_some()
        || saves.mid <= 0.0
        || saves.mid < REDO_IS_NAMED * plan.saves_s.mid
    {
        return String::new();
    }
    format!(
        " Redo logs stay, since commits wait for little of DB time, and would save {} ({} to {}){}: --pin redo moves them.",
        words::seconds(saves.mid),
        words::seconds(saves.low),
        words::seconds(saves.high),
        redo.size_bytes.map_or_else(String::new, |bytes| format!(" for {}", words::bytes(bytes)))
    )
}

/// Memory costs no tier: where it saves more than the plan, that is said first of all.
fn memory_saves_more(plan: &Plan) -> String {
    // What lacks its size alone is no reason to call the plan the smaller one.
    let unsized_s: f64 = plan
        .candidates
        .iter()
        .filter(|c| c.lacks_its_size())
        .filter_map(|c| c.saves_s)
        .map(|s| s.mid.max(0.0))
        .sum();
    let is_memory = |name: &str| name == MORE_CACHE || name == MORE_PGA;
    let more = plan
        .alternatives
        .iter()
        .filter(|a| is_memory(&a.name))
        .filter_map(|a| Some((a, a.saves_s?)))
        .filter(|(_, s)| {
            s.mid > plan.saves_s.mid + unsized_s && 100.0 * s.mid >= HARDLY_PCT * plan.db_time_s.now
        })
        .max_by(|a, b| a.1.mid.total_cmp(&b.1.mid));
    let Some((a, s)) = more else { return String::new() };
    format!(
        " By the advice of the database, {} would save more without a tier: {} ({} to {}) for {}{}.",
        a.name,
        words::seconds(s.mid),
        words::seconds(s.low),
        words::seconds(s.high),
        a.cost,
        if a.because.contains(CLIFF_DOUBT) { format!("; {CLIFF_DOUBT}") } else { String::new() }
    )
}

fn nothing_chosen(plan: &Plan) -> String {
    let span = span(plan);
    let m = &plan.measured;
    if let Some([user_io, commit]) = m.class_waits_s {
        return format!(
            "What a faster tier would save by object cannot be told, only the most that any storage could: the reports \
             print waits by class alone, and of {span} sessions waited at most {} ({}) for User I/O and {} ({}) for commits. \
             Give AWR or Statspack reports of the busy hours.",
            words::seconds(user_io),
            share(plan, user_io),
            words::seconds(commit),
            share(plan, commit)
        );
    }
    if m.without_events == m.intervals {
        return format!(
            "What a faster tier would save cannot be told: the reports print no waits by event, so of {span} nobody knows \
             what waits for storage. Give AWR or Statspack reports of the busy hours."
        );
    }
    let likely = |c: &Candidate| c.saves_s.map_or(0.0, |s| s.mid);
    let unread_s = m.unread_s[0] + m.unread_s[1];
    let most_s = plan.candidates.iter().map(likely).fold(plan.all_reads_s, f64::max);
    if 100.0 * unread_s >= HARDLY_PCT * plan.db_time_s.now && unread_s > most_s {
        return format!(
            "What a faster tier would save of {span} cannot be told.{} Give whole reports.",
            not_read(plan)
        );
    }
    let best = |of: &dyn Fn(&&Candidate) -> bool| {
        let saving = plan.candidates.iter().filter(|c| likely(c) > 0.0).filter(of);
        saving.max_by(|a, b| likely(a).total_cmp(&likely(b)))
    };
    let best_of_all = best(&|_| true);
    let Some(unsized_best) = best(&|c| c.lacks_its_size()) else {
        return match best_of_all.filter(|c| 1000.0 * likely(c) >= plan.db_time_s.now) {
            Some(c) => format!(
                "Nothing is worth moving, or may be moved. Most would be saved by {}: {} ({} of {span}), but {}.{}",
                c.object,
                words::seconds(likely(c)),
                share(plan, likely(c)),
                c.excluded_because.as_deref().unwrap_or(&c.why),
                all_reads(plan, likely(c))
            ),
            None => nothing_named(plan, &span),
        };
    };
    let first = best_of_all.unwrap_or(unsized_best);
    let mut answer = format!(
        "Nothing can be chosen yet: the sizes of the objects are not known. Most would be saved by {}: {} ({} of \
         {span})",
        first.object,
        words::seconds(likely(first)),
        share(plan, likely(first))
    );
    if first.object != unsized_best.object {
        answer.push_str(&format!(
            ", which stays for another reason; of what lacks its size, by {}: {}",
            unsized_best.object,
            words::seconds(likely(unsized_best))
        ));
    }
    answer.push('.');
    if plan.all_reads_s > MOSTLY_UNLISTED * likely(first) {
        answer.push_str(&all_reads(plan, likely(first)));
    }
    answer.push_str(" Give the file of `spindle collect segments` with --segments.");
    answer
}

/// What all reads would save where that is worth telling, since what is named would save less.
fn all_reads(plan: &Plan, named_s: f64) -> String {
    let all = plan.all_reads_s;
    if all <= named_s || 100.0 * all < HARDLY_PCT * plan.db_time_s.now {
        return String::new();
    }
    format!(
        " All reads together would save {} ({}), of objects that the reports do not list, or that are left out.",
        words::seconds(all),
        share(plan, all)
    )
}

/// No object by itself would save a thousandth of DB time.
fn nothing_named(plan: &Plan, span: &str) -> String {
    let [reads_s, commits_s] = plan.measured.uncounted_s;
    if 100.0 * (reads_s + commits_s) >= HARDLY_PCT * plan.db_time_s.now {
        return format!(
            "What a faster tier would save by object cannot be told: the reports print how long sessions waited for \
             events and not how often. Of {span} they waited {} ({}) for reads and {} ({}) for commits; no storage saves \
             more of these.{} Give AWR or Statspack reports of the busy hours.",
            words::seconds(reads_s),
            share(plan, reads_s),
            words::seconds(commits_s),
            share(plan, commits_s),
            because_of_all(plan)
        );
    }
    let is_named = |c: &&Candidate| {
        !matches!(c.kind, CandidateKind::Redo | CandidateKind::ControlFiles | CandidateKind::Temp)
    };
    // What lists no object says nothing of objects.
    if 100.0 * plan.all_reads_s >= HARDLY_PCT * plan.db_time_s.now {
        return format!(
            "Nothing can be chosen: {}. All reads together would save {} ({} of {span}). Give whole reports, with their \
             sections of segments and tablespaces, or a history (`spindle collect history`).",
            if plan.candidates.iter().any(|c| is_named(&c)) {
                "of what the reports list, nothing by itself would save a thousandth of that time, or may move"
            } else {
                "the reports list no objects, so nobody knows which of them are read"
            },
            words::seconds(plan.all_reads_s),
            share(plan, plan.all_reads_s)
        );
    }
    format!(
        "{}: no object that the reports show would save as much as a thousandth of the {span}, and all reads together \
         would save {} ({}).{}",
        if scans(plan) { "Of what is modelled nothing is worth moving" } else { "Nothing is worth moving" },
        words::seconds(plan.all_reads_s),
        share(plan, plan.all_reads_s),
        because_of_all(plan)
    )
}

/// Do smart scans take more than a tenth of DB time?
fn scans(plan: &Plan) -> bool {
    10.0 * plan.measured.smart_scan_s > plan.db_time_s.now
}

/// Why no object saves anything, where one reason holds for all.
fn because_of_all(plan: &Plan) -> String {
    let m = &plan.measured;
    if scans(plan) {
        return format!(
            " {} ({}) are waits for smart scans, {NOT_MODELLED}.",
            words::seconds(m.smart_scan_s),
            share(plan, m.smart_scan_s)
        );
    }
    let fastest = plan.tiers.iter().min_by(|a, b| a.read_latency_us.total_cmp(&b.read_latency_us));
    match (m.read_us, fastest) {
        (Some(today), Some(tier)) if tier.read_latency_us >= today => format!(
            " {} is slower than today's storage: a single-block read takes {} today, and {} from it.",
            tier.name,
            words::latency(today),
            words::latency(tier.read_latency_us)
        ),
        _ => String::new(),
    }
}

/// Where all reads save this many times what the best object does, the lists miss most of them.
const MOSTLY_UNLISTED: f64 = 10.0;

/// Waits that storage answers, and savings, under these shares of DB time leave storage no part of the
/// problem, percent: a tenth is a finding by the field's rule of thumb.
const INNOCENT_WAITS_PCT: f64 = 25.0;
const INNOCENT_SAVES_PCT: f64 = 10.0;

/// May it be said that storage is not the problem? Not where a faster one saves much, whoever is to blame.
fn storage_is_innocent(plan: &Plan) -> bool {
    let now = plan.db_time_s.now;
    let waits: f64 = plan.response_time.iter().filter(|p| p.component.is_some()).map(|p| p.now_s).sum();
    plan.measured.storage_is_innocent_pct >= 50.0
        && 100.0 * (waits + plan.measured.smart_scan_s) < INNOCENT_WAITS_PCT * now
        && 100.0 * plan.saves_s.high < INNOCENT_SAVES_PCT * now
}

fn moving(plan: &Plan) -> String {
    let now = plan.db_time_s.now;
    let span = span(plan);
    let saves = plan.saves_s;
    let bytes: f64 = plan.tier_use.iter().map(|t| t.used_bytes).sum();
    let objects = plan.chosen.len();
    let steps: Vec<&str> =
        plan.steps().iter().filter(|(_, c)| c.moves_with.is_none()).map(|(_, c)| c.object.as_str()).collect();
    let unsized_saves: Vec<f64> =
        plan.candidates.iter().filter(|c| c.lacks_its_size()).filter_map(|c| Some(c.saves_s?.mid)).collect();
    let unsized_saves: Vec<f64> = unsized_saves.into_iter().filter(|s| *s > 0.0).collect();
    let all_reads = plan.all_reads_s;
    // Of a tier, not of what fits one, has a size, or is listed.
    let larger = plan.frontier.iter().map(|p| p.saves_s.mid).fold(saves.high, f64::max);
    // What caps take is no word on a tier with wider ones.
    let most_of_all = larger.max(plan.all_reads_uncapped_s).max(unsized_saves.iter().sum());
    // A tier slower than today's storage says nothing of faster ones.
    let is_faster = plan
        .tiers
        .first()
        .is_some_and(|t| plan.measured.read_us.is_none_or(|today| t.read_latency_us < today));
    let hardly =
        is_faster && plan.loses_s.is_none() && 100.0 * most_of_all < HARDLY_PCT * now && !scans(plan);
    let saved = if saves.high > 0.0 {
        format!(
            "saves {} to {} of {span}, most likely {} ({})",
            words::seconds(saves.low),
            words::seconds(saves.high),
            words::seconds(saves.mid),
            share(plan, saves.mid)
        )
    } else {
        format!("saves nothing of {span}")
    };
    let mut answer = format!(
        "{}{}Moving {objects} {} ({}) {saved}.",
        if storage_is_innocent(plan) {
            "Storage is not the problem of most of this time; `spindle diagnose` says what is. "
        } else {
            ""
        },
        if hardly { "A faster tier would hardly help. " } else { "" },
        if objects == 1 { "object" } else { "objects" },
        words::bytes(bytes)
    );
    answer.push_str(&pins_lose(plan));
    // Who is sent to where nothing is likely saved has nothing to begin with.
    if saves.mid > 0.0 || plan.loses_s.is_none() {
        let first: Vec<&str> = steps.iter().take(3).copied().collect();
        answer.push_str(&format!(
            " Begin with {}{}.",
            first.join(", "),
            if steps.len() > 3 { format!(", then {} more", steps.len() - 3) } else { String::new() }
        ));
        answer.push_str(&from_zero(plan));
    }
    let most = unsized_saves.iter().copied().fold(0.0, f64::max);
    if most > 0.05 * saves.mid {
        answer.push_str(&format!(
            " {} could not be considered, since {} not known; {} would save {}.",
            if unsized_saves.len() == 1 {
                "One more candidate".to_owned()
            } else {
                format!("{} more candidates", unsized_saves.len())
            },
            if unsized_saves.len() == 1 { "its size is" } else { "their sizes are" },
            if unsized_saves.len() == 1 { "it" } else { "the best of them" },
            words::seconds(most)
        ));
    }
    if all_reads > MOSTLY_UNLISTED * saves.mid.max(most) && 100.0 * all_reads >= HARDLY_PCT * now {
        answer.push_str(&format!(
            " All reads together would save {}: most of them are of objects that the reports do not list, or that are \
             left out.",
            words::seconds(all_reads)
        ));
    }
    answer
}

/// Said in words where ranges of chosen objects begin at 0, and why.
fn from_zero(plan: &Plan) -> String {
    let chosen = || plan.candidates.iter().filter(|c| c.tier.is_some() && plan.chosen.contains(&c.object));
    let zero: Vec<_> = chosen().filter(|c| c.saves_s.is_some_and(|s| s.low <= 0.0)).collect();
    let by_plans = zero
        .iter()
        .filter(|c| !c.sources.is_empty() && c.sources.iter().all(|s| s.section == plans::SECTION))
        .count();
    if zero.is_empty() {
        return String::new();
    }
    let all = if plan.chosen.len() == 1 { "It".to_owned() } else { format!("{} of them", zero.len()) };
    let why = match by_plans {
        0 => String::new(),
        n if n == zero.len() && n == 1 => ": only execution plans show that it is read".to_owned(),
        n if n == zero.len() => ": only execution plans show that they are read".to_owned(),
        1 => ": 1 is known from execution plans alone".to_owned(),
        n => format!(": {n} are known from execution plans alone"),
    };
    format!(" {all} may save nothing (ranges from 0){why}.")
}
