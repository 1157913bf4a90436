//! Sizes in sentences.

use super::disk::{Disk, LARGE_BYTES};
use super::load::{Measures, RedoCount};
use super::need::Sized;
use super::outcome::{
    Apart, BusiestInterval, InstancesMissing, NeverKept, RedundancyNeed, Sizing, Tenant, Unmeasured,
};
use super::timeline::{NOT_NAMED, Slice, Timeline, words};
use crate::words as placed;
use spindle_workload::{ENDS_BELOW_KNEE, ForArrivals};

/// Intervals beyond the percentile below which it rests on too little.
const ENOUGH_BEYOND: usize = 10;

/// Whole digits, thousands separated.
pub(super) fn n(value: f64) -> String {
    let text = format!("{:.0}", value.abs());
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `99th`, `99.9th`, `95.1st`.
#[must_use]
pub fn ordinal(percentile: f64) -> String {
    let text = percentile.to_string();
    let teen = ["11", "12", "13"].iter().any(|t| text == *t || text.ends_with(&format!(".{t}")));
    let ending = match text.chars().last() {
        Some('1') if !teen => "st",
        Some('2') if !teen => "nd",
        Some('3') if !teen => "rd",
        _ => "th",
    };
    format!("{text}{ending}")
}

/// `1 cell`, `2 cells`.
fn many(count: f64, one: &str) -> String {
    format!("{} {one}{}", n(count), if count == 1.0 { "" } else { "s" })
}

/// Disks of a name in a sentence: `disks`, `disk_15k`.
fn several(disk: &Disk) -> &str {
    if disk.name == "disk" { "disks" } else { &disk.name }
}

/// The answer, a few sentences with numbers.
pub(super) fn answer(s: &Sizing) -> String {
    let Some(need) = s.redundancy.iter().find(|r| r.name == s.sized_for) else { return String::new() };
    let (Some(read), Some(write), Some(hardware)) = (need.read_iops, need.write_iops, need.hardware_iops)
    else {
        return "No interval prints both read and write requests.".to_owned();
    };
    let who = match s.databases.as_slice() {
        [] => "The load".to_owned(),
        [one] if one == NOT_NAMED => "The database".to_owned(),
        [one] => one.clone(),
        many => format!("{} databases together", many.len()),
    };
    // Where an instance is missing from some intervals, what they say is the least; from all of them, it is of
    // the others.
    let some_are_whole = s.intervals.iter().any(|i| i.counted && i.complete);
    let of_others = s.apart.is_none() && s.databases.len() == 1 && !some_are_whole;
    let missing: Vec<&InstancesMissing> = s.instances_missing.iter().filter(|m| m.is_sized).collect();
    let (who, asks) = match (&s.apart, missing.as_slice()) {
        (Some(apart), _) if apart.together > 1 => (format!("{}, measured together,", apart.largest), "ask"),
        (Some(apart), _) => (format!("{} alone", apart.largest), "asks"),
        (None, [one]) if of_others => (
            format!("{} of the {} instances of {who}", one.measured, one.running),
            if one.measured == 1 { "asks" } else { "ask" },
        ),
        (None, _) => (who, if s.databases.len() > 1 { "ask" } else { "asks" }),
    };
    let least = if missing.is_empty() || of_others { "" } else { "at least " };
    let when = if s.intervals_counted > 1 {
        let beyond = match s.intervals_beyond_percentile {
            0 => "none".to_owned(),
            some => n(some as f64),
        };
        format!(
            " at the {} percentile of {}, {beyond} beyond it",
            ordinal(s.percentile),
            many(s.intervals_counted as f64, "interval")
        )
    } else {
        String::new()
    };
    let redo = s.write_mix.redo_write_iops.map_or_else(String::new, |r| {
        let in_writes = s.write_mix.redo_counted_as == Some(RedoCount::RedoWrites);
        let least = if in_writes && r > 0.0 { "at least " } else { "" };
        format!(", {least}{} of them redo", n(r))
    });
    let parts = format!("{} reads, {} writes{redo}", rate(read), rate(write));
    let together = s.apart.as_ref().map_or_else(String::new, |a| together(s, a));
    // What is asked and what the disks do need not stand at their percentiles in one interval.
    let asked = s.workload.total_iops_at_percentile.unwrap_or(read + write);
    let one = n(asked) == n(read + write);
    let (of_asked, of_disks) = if one {
        (format!(" ({parts})"), String::new())
    } else {
        (String::new(), format!(" at theirs (an interval of {parts})"))
    };
    let mut out = format!(
        "{together}{who} {asks} {least}{} IOPS{when}{of_asked}. With {} redundancy (a write is {} write{}) the disks must do {least}{} IOPS{of_disks}",
        rate(asked),
        need.name,
        need.write_penalty,
        if need.write_penalty == 1.0 { "" } else { "s" },
        rate(hardware)
    );
    // Volumes of a cloud are in no cells.
    let in_cells = |cells: Option<f64>| {
        let cells = cells.filter(|_| !s.disk.is_volume);
        cells.map_or_else(String::new, |c| format!(", {} of {}", many(c, "cell"), n(s.disks_per_cell)))
    };
    if let Some(bare) = need.disks_for_iops_bare {
        let of_these = bare_of_these(s, need).map_or_else(String::new, |(one, disks)| {
            format!(
                " by {} IOPS of small requests (of these one does {}: {})",
                n(s.disk.iops),
                n(one),
                n(disks)
            )
        });
        out.push_str(&format!(
            ": {} x {}{} by bare division{of_these}, without room for queueing",
            n(bare),
            s.disk.name,
            in_cells(need.cells_bare)
        ));
    }
    match need.disks {
        Some(disks) => {
            let limit = match need.decided_by {
                Some("capacity") => " (for capacity)",
                Some("mbps") => " (for MB/s)",
                _ => "",
            };
            // A capacity that nothing is known to hold may need more.
            let least = if need.disks_are_least { "at least " } else { "" };
            let kept = match s.latency_target_us {
                Some(target) => format!("to keep {} ms", ms(target)),
                None => "with it".to_owned(),
            };
            out.push_str(&format!(
                "; {kept} {least}{} x {}{limit}{}",
                n(disks),
                s.disk.name,
                in_cells(need.cells)
            ));
            if let (Some(busy), Some(us)) = (need.utilisation, need.latency_us) {
                let busy = if busy < 0.005 { "under 1".to_owned() } else { format!("{:.0}", 100.0 * busy) };
                out.push_str(&format!(", {busy} % busy at {} ms", ms(us)));
                let over = over_the_target(need).map(|more| {
                    format!("more than planned for, in an interval for which that takes {}", n(more))
                });
                let alone = need.request_us.map(|us| format!("one such request alone {} ms", ms(us)));
                let never = (s.latency_target_us.is_some() && need.utilisation_limit.is_none())
                    .then(|| "in that interval no number of them keeps the target".to_owned());
                let more: Vec<String> = over.into_iter().chain(never).chain(alone).collect();
                if !more.is_empty() {
                    out.push_str(&format!(" ({})", more.join("; ")));
                }
            }
        }
        None => out.push_str(&format!(
            "; no number of {} keeps the latency target{}",
            s.disk.name,
            s.latency_target_us.map_or_else(String::new, |t| format!(" of {} ms", ms(t)))
        )),
    }
    out.push('.');
    if let Some(flash) = from_flash(s) {
        out.push_str(&format!(" {flash}"));
    }
    if let Some(minute) = minute_above(s, hardware).filter(|m| m.more_than_planned) {
        out.push_str(&format!(" But t{}", minute.said));
    }
    if let Some(busiest) = s.workload.busiest.as_ref().filter(|b| n(b.hardware_iops) != n(hardware)) {
        out.push_str(&format!(" {}", highest(busiest)));
    }
    out
}

/// The interval that asked most, and for how long the load was as high.
fn highest(busiest: &BusiestInterval) -> String {
    let when = busiest.begin_time.as_ref().map_or_else(String::new, |t| format!(" from {}", time(t)));
    let near = if busiest.near_s > 1.5 * busiest.seconds {
        format!("; {} in all were within 5 % of that", words(busiest.near_s.round() as i64))
    } else {
        String::new()
    };
    format!(
        "The busiest interval, {}{when}, asked the disks for {} IOPS{near}.",
        words(busiest.seconds.round() as i64),
        n(busiest.hardware_iops)
    )
}

/// Disks that keep the latency in the interval whose busy share is shown, where those of the percentile do
/// not: another interval needs no more than those, and asks for fewer but larger requests, or for none so long.
fn over_the_target(need: &RedundancyNeed) -> Option<f64> {
    let (busy, limit) = need.utilisation.zip(need.utilisation_limit)?;
    let (all, itself) = need.disks.zip(need.disks_at_percentile)?;
    (busy > limit * (1.0 + 1e-9) && itself > all).then_some(itself)
}

/// What one disk does of requests that keep it clearly longer than those of its rating, and the bare
/// division by that.
#[must_use]
pub fn bare_of_these(s: &Sizing, need: &RedundancyNeed) -> Option<(f64, f64)> {
    /// Share of its rating below which the difference is told.
    const CLEARLY: f64 = 0.9;
    let one = need.iops_of_one.filter(|one| *one > 0.0 && *one < CLEARLY * s.disk.iops)?;
    Some((one, (need.hardware_iops? / one - 1e-9).ceil()))
}

/// Reads that never reached a disk, and writes that flash took, where storage cells print them.
fn from_flash(s: &Sizing) -> Option<String> {
    let flash = s.flash.as_ref()?;
    let asked = format!(
        "That is what the database asks: {} of the cells answered {} of {} reads ({:.0} %, {})",
        flash.by,
        n(flash.flash_read_iops),
        n(flash.read_iops),
        flash.flash_share_pct,
        flash.account
    );
    let disks = |iops: Option<f64>, disks: Option<f64>| {
        let disks = disks.map_or_else(String::new, |d| format!(": {} x {}", n(d), s.disk.name));
        iops.map(|iops| format!("{} IOPS of the disks{disks}", n(iops)))
    };
    let left = disks(flash.hardware_iops, flash.disks);
    let written = flash.flash_write_iops.zip(flash.write_iops).zip(flash.disk_write_iops);
    let Some(((taken, all), direct)) = written else {
        let left = left.filter(|_| flash.disks.is_some());
        let left = left.map_or_else(String::new, |left| format!(", which with the writes are {left}"));
        return Some(format!(
            "{asked}. Behind as much of them {} reads are left for disks{left}.",
            n(flash.disk_read_iops)
        ));
    };
    let pct = flash.flash_write_share_pct.map_or_else(String::new, |pct| format!("{pct:.0} %, "));
    let most = disks(flash.hardware_iops_all_destaged, flash.disks_all_destaged)
        .map_or_else(String::new, |most| format!(", at most {most} if each came alone"));
    let over =
        flash.cell_overwrite_iops.zip(flash.cell_write_iops).map_or_else(String::new, |(over, all)| {
            format!(" Of {} writes/s into flash {} overwrote what was there.", n(all), n(over))
        });
    Some(format!(
        "{asked} and took {} of {} writes ({pct}physical write requests optimized). Behind as much of it {} reads and {} writes are left for disks, {}, and what flash destages of the writes that it took{most}.{over}",
        n(taken),
        n(all),
        n(flash.disk_read_iops),
        n(direct),
        left.unwrap_or_default()
    ))
}

/// A name that stands for several databases.
pub(super) fn told_apart(name: &str) -> String {
    format!(
        "Files without an identifier (DBID) name a database {name} and contradict each other in release, host, platform or instances: each that says otherwise is taken for a database of its own, and in doubt each file."
    )
}

/// Growth as it was understood, where it is cut short or so little that a share may have been meant.
pub(super) fn growth(s: &Sizing, options: &super::SizeOptions) -> Option<String> {
    let pct = options.growth_pct?;
    let last = s.growth.last().map_or(0, |year| year.year);
    if last < options.years {
        return Some(format!(
            "Growth of {pct} % a year is shown to year {last} of {}: beyond that it is more than any number of disks.",
            options.years
        ));
    }
    let little = pct > 0.0 && pct < 1.0;
    little.then(|| {
        format!("Growth is taken as {pct} % a year, as given; a share of {pct} would be {} %.", 100.0 * pct)
    })
}

/// Databases that share an identifier, and ran at the same time.
pub(super) fn one_identifier(name: &str, copies: &[String]) -> String {
    format!(
        "Reports of {name} carry one identifier (DBID), and at the same time one instance number has two hosts or two starts: they are {} databases ({}), as a copy of the storage or a standby keeps the identifier, and are added up.",
        copies.len(),
        copies.join("; ")
    )
}

/// Intervals in which no number of disks keeps the latency, and which those are.
fn never(s: &Sizing, need: &RedundancyNeed, never: &NeverKept) -> String {
    let target = s.latency_target_us.map_or_else(|| "the target".to_owned(), |t| format!("{} ms", ms(t)));
    let alone = never.request_us.map_or_else(String::new, |us| format!(" {} ms", ms(us)));
    let size = never.request_bytes.map_or_else(String::new, |b| format!(", of {} KB each", n(b / 1e3)));
    let rate =
        never.hardware_iops.map_or_else(String::new, |iops| format!(", {} IOPS of the disks", n(iops)));
    let when = never.begin_time.as_ref().map_or_else(String::new, |t| format!(", from {}", time(t)));
    let which = match never.intervals {
        1 => "In 1 interval".to_owned(),
        many => format!("In {} intervals", n(many as f64)),
    };
    let share = if s.intervals_counted > 1 {
        format!(", {} % of the time,", significant(never.share_pct))
    } else {
        String::new()
    };
    let longest = if never.intervals == 1 { "it takes" } else { "longest" };
    let verdict = if need.disks.is_some() {
        format!("the {} percentile leaves that time out.", ordinal(s.percentile))
    } else if s.intervals_counted > 1 {
        format!(
            "the {} percentile leaves out {} %, so no number of them keeps it there.",
            ordinal(s.percentile),
            significant(100.0 - s.percentile)
        )
    } else {
        "no number of them keeps that.".to_owned()
    };
    format!(
        "{which}{share} one request alone takes {} longer than {target}, as large and mixed as they are with {} redundancy ({longest}{alone}{size}{rate}{when}); {verdict}",
        s.disk.name, need.name
    )
}

/// Two digits that count.
fn significant(pct: f64) -> String {
    if pct >= 9.95 {
        format!("{pct:.0}")
    } else if pct >= 0.995 {
        format!("{pct:.1}")
    } else {
        format!("{pct:.2}")
    }
}

/// Bytes that no rating of a disk holds, and bytes that are known in part.
fn bytes(s: &Sizing, needed: Option<&RedundancyNeed>, line: &Timeline, counted: &[&Slice]) -> Vec<String> {
    let mut out = Vec::new();
    let Some(need) = needed else { return out };
    let stated = s.reports == 0;
    let disks = std::iter::once(&s.disk).chain(s.other_disks.iter().map(|d| &d.disk));
    let unrated: Vec<&Disk> = disks.filter(|d| d.mbps.is_none()).collect();
    let large = need.request_bytes.filter(|b| *b > LARGE_BYTES);
    if let Some(mbps) = need.hardware_mbps.filter(|_| stated || large.is_some())
        && let Some(first) = unrated.first()
    {
        let each = need
            .disks
            .filter(|d| *d > 0.0 && s.disk.mbps.is_none())
            .map_or_else(String::new, |d| format!(", {} MB/s for each of {}", n(mbps / d), n(d)));
        let size = large.map_or_else(String::new, |b| {
            format!(" A request is of {} KB on average, where a rate of IOPS is of small ones.", n(b / 1e3))
        });
        out.push(format!(
            "MB/s of {} are not known, so nothing holds the bytes against it: the disks move {}{} MB/s{each}.{size} Give them, for example --disk {}.",
            unrated.iter().map(|d| d.name.as_str()).collect::<Vec<_>>().join(", "),
            least(need),
            n(mbps),
            with_mbps(first)
        ));
    }
    if let Some((bytes, need_mbps)) = large.zip(need.hardware_mbps)
        && s.racks.iter().any(|r| r.redundancy == s.sized_for && r.enough.is_none())
    {
        out.push(format!(
            "The figures of racks are of small requests and these are of {} KB on average: whether one moves {}{} MB/s they do not say.",
            n(bytes / 1e3),
            least(need),
            n(need_mbps)
        ));
    }
    if need.hardware_mbps_is_least && need.hardware_mbps.is_some() {
        let w = &s.workload.max;
        let lacking = match (w.read_mbps, w.write_mbps) {
            (Some(_), None) => "writes",
            (None, Some(_)) => "reads",
            _ => "reads or of writes",
        };
        // Of several databases those whose bytes they are.
        let lacks = |d: &usize| {
            let mut rows = counted.iter().flat_map(|x| &x.rows).filter(|r| line.streams[**r].database == *d);
            let known = |m: &Measures| m.read_mbps.is_some() && m.write_mbps.is_some();
            line.databases.len() > 1 && rows.any(|r| !known(&line.rows[*r].measures))
        };
        let of: Vec<usize> = (0..line.databases.len()).filter(lacks).collect();
        let of = if of.is_empty() {
            String::new()
        } else {
            format!(" of {}", super::consolidation::name_of(line, &of))
        };
        out.push(format!(
            "Bytes of {lacking}{of} are not known{}: MB/s count those that are, so that the disks move at least as many, and more of them may be needed.",
            if stated { "" } else { " in every interval" }
        ));
    }
    out
}

/// Bytes known in part are a lower bound.
fn least(need: &RedundancyNeed) -> &'static str {
    if need.hardware_mbps_is_least { "at least " } else { "" }
}

/// The option that gives a disk its bandwidth.
fn with_mbps(disk: &Disk) -> String {
    match &disk.profile {
        Some(profile) => format!("{profile},160MB/s"),
        None => format!("{}IOPS,160MB/s", disk.iops.round()),
    }
}

/// What runs and is in no report.
pub(super) fn missing(one: &InstancesMissing, line: &Timeline, counted: &[&Slice]) -> String {
    let lacks = |x: &&&Slice| x.lacking.iter().any(|l| line.databases[l.database] == one.database);
    let lacking: Vec<&&Slice> = counted.iter().filter(lacks).collect();
    if lacking.len() < counted.len() {
        let seconds: f64 = lacking.iter().map(|x| x.seconds).sum();
        let whole = |x: &&Slice| x.complete || !one.is_sized && !lacks(&x);
        let more = if counted.iter().any(whole) {
            " All the same they ask more than the whole ones do."
        } else {
            ""
        };
        return format!(
            "{} has {} instances, and {} of the {} intervals that count{} ({}) lack{} some (down to {}).{more} What the missing instances asked is in no figure, so all of them are the least.",
            one.database,
            one.running,
            n(lacking.len() as f64),
            n(counted.len() as f64),
            if one.is_sized { "" } else { " for it alone" },
            words(seconds as i64),
            if lacking.len() == 1 { "s" } else { "" },
            one.measured
        );
    }
    format!(
        "{} ran {} instances, and the reports are of {} at a time: what the {} asks is in no figure here, so all of them are too low for the whole. Give reports of every instance for the same times, or of the whole database (awrgrpt.sql).",
        one.database,
        one.running,
        one.measured,
        if one.running - one.measured == 1 {
            "other".to_owned()
        } else {
            format!("other {}", one.running - one.measured)
        }
    )
}

impl Apart {
    /// `never measured at the same time`, or for how long they were.
    #[must_use]
    pub fn met(&self) -> String {
        let several = self.together > 1;
        if self.measured_together_s > 0.0 {
            return format!(
                "measured together for only {}, when all needed fewer disks than {}{}",
                words(self.measured_together_s.round() as i64),
                self.largest,
                if several { " at other times" } else { " alone at other times" }
            );
        }
        let all = if several || self.databases > 2 { "all " } else { "" };
        format!("never {all}measured at the same time")
    }

    /// What the upper bounds are without; `of_bytes` where some of them follow from bytes.
    #[must_use]
    pub fn without(&self, of_bytes: bool) -> &'static str {
        match (self.high_is_least, of_bytes && self.bytes_high_is_least) {
            (true, true) => ", at most without what instances and bytes missing from the reports add",
            (true, false) => ", at most without what instances missing from the reports ask",
            (false, true) => ", in MB/s and disks at most without bytes missing from the reports",
            (false, false) => "",
        }
    }
}

/// Databases of different days: each alone is known, their sum is not.
fn together(s: &Sizing, apart: &Apart) -> String {
    /// Databases named one by one.
    const NAMED: usize = 3;
    let bytes = bytes_matter(s);
    let one = |t: &Tenant| {
        let least = if t.own_is_least { "at least " } else { "" };
        let requests = format!("{} {least}{}", t.database, n(t.own_percentile_iops?));
        let least = if t.own_mbps_is_least { "at least " } else { least };
        Some(match t.own_percentile_mbps.filter(|_| bytes) {
            Some(mbps) => format!("{requests} IOPS and {least}{} MB/s", n(mbps)),
            None => requests,
        })
    };
    let each: Vec<String> = s.consolidation.iter().take(NAMED).filter_map(one).collect();
    let rest = match s.consolidation.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more that need no more disks"),
    };
    let disks = apart
        .disks_low
        .zip(apart.disks_high)
        .map_or_else(String::new, |(low, high)| format!(", {} to {} x {}", n(low), n(high), s.disk.name));
    format!(
        "{} databases were {}; of the disks each alone asks with {} redundancy: {}{}{rest}. Together is not known: {}{disks}{}. ",
        s.databases.len(),
        apart.met(),
        s.sized_for,
        each.join(", "),
        if bytes { "" } else { " IOPS" },
        bounds(apart, bytes),
        apart.without(bytes || !disks.is_empty() && s.disk.mbps.is_some())
    )
}

/// Do bytes decide how many disks there are, or how many requests one does?
fn bytes_matter(s: &Sizing) -> bool {
    let large = |r: &RedundancyNeed| r.request_bytes.is_some_and(|bytes| bytes > LARGE_BYTES);
    s.redundancy
        .iter()
        .any(|r| r.name == s.sized_for && (r.decided_by == Some("mbps") || s.disk.mbps.is_some() && large(r)))
}

/// What all need together, between bounds.
fn bounds(apart: &Apart, bytes: bool) -> String {
    let mut out = format!("{} to {}", n(apart.hardware_low), n(apart.hardware_high));
    if let Some((low, high)) = apart.mbps_low.zip(apart.mbps_high).filter(|_| bytes) {
        out.push_str(&format!(" IOPS, {} to {} MB/s", n(low), n(high)));
    }
    out
}

/// The highest minute where it is above what was sized for.
struct Minute {
    /// From the second letter on.
    said: String,
    /// By bare division it takes more disks than were planned.
    more_than_planned: bool,
}

/// The highest minute, by bytes where these take more disks than requests do, against the disks that are
/// planned: these have room to spare.
fn minute_above(s: &Sizing, hardware: f64) -> Option<Minute> {
    let minute = &s.workload.peak_minute;
    let range = |a: String, b: Option<String>| match b {
        None => format!("at least {a}"),
        Some(b) if a == b => a,
        Some(b) => format!("{a} to {b}"),
    };
    let times_of = |v: f64, of: f64| {
        let ratio = v / of;
        if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }
    };
    let need = s.redundancy.iter().find(|r| r.name == s.sized_for);
    let planned = need.and_then(|r| r.disks);
    let said = |what: String, low: f64, high: Option<f64>, sized: f64, one: f64, alone: &str| {
        let disks = |v: f64| (v / one).ceil();
        let more_than_planned = planned.is_none_or(|planned| disks(high.unwrap_or(low)) > planned);
        let against = match planned {
            None => String::new(),
            Some(planned) if more_than_planned => format!(", more than the {} planned", n(planned)),
            Some(planned) if high.is_none() => format!(", and the {} planned do that much", n(planned)),
            Some(planned) => format!(", which the {} planned do", n(planned)),
        };
        Minute {
            said: format!(
                "he highest minute {what}, {} times that: {} x {} by bare division{alone}{against}.",
                range(times_of(low, sized), high.map(|high| times_of(high, sized))),
                range(n(disks(low)), high.map(|high| n(disks(high)))),
                s.disk.name
            ),
            more_than_planned,
        }
    };
    let requests = minute.hardware_low.map(|low| (low, minute.hardware_high));
    let bytes = minute.hardware_mbps_low.map(|low| (low, minute.hardware_mbps_high));
    // Where bytes take more disks than requests do, they are what is bought for.
    if let (Some((low, high)), Some(one), Some(sized)) =
        (bytes, s.disk.mbps, need.and_then(|r| r.hardware_mbps).filter(|m| *m > 0.0))
        && low > sized
        && requests.is_none_or(|(least, most)| low / one >= most.unwrap_or(least) / s.disk.iops)
    {
        let what = format!("moved {} MB/s on the disks", range(n(low), high.map(n)));
        return Some(said(what, low, high, sized, one, ", for MB/s alone"));
    }
    let (low, high) = requests?;
    if low <= hardware || hardware <= 0.0 {
        return None;
    }
    let what = format!("asked the disks for {} IOPS", range(n(low), high.map(n)));
    Some(said(what, low, high, hardware, s.disk.iops, ""))
}

/// A time without the `T`, and without seconds where there are none.
pub(super) fn time(iso: &str) -> String {
    let text = iso.replace('T', " ");
    text.strip_suffix(":00").unwrap_or(&text).to_owned()
}

fn ms(us: f64) -> String {
    let v = us / 1000.0;
    if v >= 10.0 {
        format!("{v:.1}")
    } else if v >= 0.01 || v <= 0.0 {
        format!("{v:.2}")
    } else {
        // No time is nought.
        significant_small(v)
    }
}

/// The first digit that is none of nought, of what is below a hundredth.
fn significant_small(value: f64) -> String {
    let text = (2..9).map(|digits| format!("{value:.digits$}"));
    let shown = |text: &String| text.bytes().any(|b| (b'1'..=b'9').contains(&b));
    text.into_iter().find(shown).unwrap_or_else(|| "0".to_owned())
}

/// Requests a second; a rate below one is no nought.
fn rate(value: f64) -> String {
    if value > 0.0 && value < 1.0 { "under 1".to_owned() } else { n(value) }
}

/// Intervals of which more waits for reads are printed than read requests, in a sentence, with the one that is furthest
/// off.
fn more_waits_than_reads(line: &Timeline, counted: &[&Slice]) -> Option<String> {
    let of = |slice: &Slice| {
        let rows = slice.rows.iter().filter_map(|row| line.rows[*row].reads_waited_for);
        rows.max_by(|a, b| (a.0 - a.1).total_cmp(&(b.0 - b.1)))
    };
    let found: Vec<(f64, f64)> = counted.iter().filter_map(|slice| of(slice)).collect();
    let (waits, requests) = found.iter().copied().max_by(|a, b| (a.0 - a.1).total_cmp(&(b.0 - b.1)))?;
    let (which, worst) = match found.len() {
        1 => ("1 interval prints".to_owned(), ""),
        many => (format!("{} intervals print", n(many as f64)), "at most "),
    };
    Some(format!(
        "{which} more waits for reads than read requests ({worst}{} and {} a second), though each of \
         these waits is for a request of its own: one of the two counts is wrong. The waits are counted, which are the larger; writes \
         may be more than printed, too.",
        n(waits),
        rate(requests)
    ))
}

/// How firm the percentile is: one interval, or few beyond.
fn firmness(s: &Sizing) -> Option<String> {
    if s.reports == 0 || s.intervals_beyond_percentile >= ENOUGH_BEYOND && s.intervals_counted > 1 {
        return None;
    }
    if s.intervals_counted == 1 {
        return Some(
            "One interval only: what it was is known, not what the load is at other times. A percentile needs weeks of reports."
                .to_owned(),
        );
    }
    let most = 100.0 * (1.0 - ENOUGH_BEYOND as f64 / s.intervals_counted.max(1) as f64);
    let instead = if s.intervals_counted > 2 * ENOUGH_BEYOND {
        format!(
            " With {} intervals the {} percentile is the highest that leaves {ENOUGH_BEYOND} beyond.",
            n(s.intervals_counted as f64),
            ordinal((most * 10.0).floor() / 10.0)
        )
    } else {
        " More history makes it firmer.".to_owned()
    };
    let rests = match s.intervals_beyond_percentile {
        0 => "No interval lies".to_owned(),
        1 => "Only 1 interval lies".to_owned(),
        some => format!("Only {some} intervals lie"),
    };
    Some(format!(
        "{rests} beyond the {} percentile, which {}.{instead}",
        ordinal(s.percentile),
        if s.intervals_beyond_percentile == 0 { "is the highest interval itself" } else { "rests on few" }
    ))
}

/// The highest minute, where it stands in no other sentence, and what hours hide where it is not known of all
/// intervals.
fn inside(s: &Sizing, minute_is_said: bool) -> Vec<String> {
    let (peak, minute) = (&s.workload.hidden_peak, &s.workload.peak_minute);
    let range = |low: f64, high: Option<f64>| match high.map(n) {
        None => format!("at least {}", n(low)),
        Some(high) if high == n(low) => high,
        Some(high) => format!("{} to {high}", n(low)),
    };
    let mut out = Vec::new();
    if let Some(low) = minute.hardware_low.filter(|_| !minute_is_said) {
        out.push(format!(
            "The highest minute asked the disks for {} IOPS ({}).",
            range(low, minute.hardware_high),
            minute.because
        ));
    }
    if minute.hardware_high.is_some() || minute_is_said && minute.hardware_low.is_none() {
        return out;
    }
    out.push(match peak.hardware_low.zip(peak.hardware_high) {
        Some((low, high)) => {
            let of =
                if peak.hardware_in_another_hour { "An hour holds" } else { "Within the busiest hour lies" };
            let disks = |v: f64| (v / s.disk.iops).ceil();
            let planned = s.redundancy.iter().find(|r| r.name == s.sized_for).and_then(|r| r.disks);
            let more = planned.filter(|planned| disks(high) > *planned);
            let more =
                more.map_or_else(String::new, |planned| format!(", more than the {} planned", n(planned)));
            format!(
                "{of} a peak of {} IOPS of the disks, {} x {} by bare division{more}: {}.",
                range(low, Some(high)),
                range(disks(low), Some(disks(high))),
                s.disk.name,
                peak.hardware_because
            )
        }
        None => format!("Peaks within an interval are not known: {}.", peak.because),
    });
    out
}

/// What a curve says nothing of: other operations, larger requests.
fn beyond_the_curve(s: &Sizing, need: Option<&RedundancyNeed>) -> Vec<String> {
    let Some(curve) = &s.disk.curve else { return Vec::new() };
    let mut out = Vec::new();
    if curve.ends_below_knee {
        out.push(format!("As far as is known {ENDS_BELOW_KNEE}, and fewer may be needed."));
    }
    let Some(need) = need else { return out };
    let (Some(hardware), Some(read)) = (need.hardware_iops.filter(|h| *h > 0.0), need.read_iops) else {
        return out;
    };
    let writes_pct = 100.0 * (1.0 - read / hardware).clamp(0.0, 1.0);
    let other = match curve.operation.as_str() {
        "read" => Some(("reads", "writes", writes_pct)),
        "write" => Some(("writes", "reads", 100.0 - writes_pct)),
        _ => None,
    };
    if let Some((of, others, pct)) = other.filter(|(.., pct)| *pct >= 0.05) {
        out.push(format!(
            "The curve is of {of}, and {pct:.0} % of the requests to the disks are {others}: how many of those a device does, and how long they take, it does not say. The disks here hold only if it does {others} as it does {of}."
        ));
    }
    if let Some(by_depth) = &s.disk.by_depth {
        out.extend(beyond_its_depth(by_depth, need.disks.filter(|d| *d > 0.0).map(|d| hardware / d)));
    }
    let (of_curve, of_load) = (curve.block_bytes, need.request_bytes);
    if let (Some(of_curve), Some(of_load)) = (of_curve, of_load)
        && of_load > 2.0 * of_curve
    {
        out.push(format!(
            "The curve is of requests of {} KB, and those to the disks are of {} KB on average: they take longer than it says.",
            n(of_curve / 1e3),
            n(of_load / 1e3)
        ));
    }
    out
}

/// Share of the time with a longer queue than a curve was made with, from which on it is said. Ours.
const BEYOND_DEPTH: f64 = 0.05;

/// What is not known of a curve that was made with so many requests under way, at what each disk is asked.
fn beyond_its_depth(by_depth: &ForArrivals, each_iops: Option<f64>) -> Option<String> {
    let beyond = by_depth.beyond(each_iops?)?;
    if beyond <= BEYOND_DEPTH && by_depth.variation.is_some() {
        return None;
    }
    let mut text = format!(
        "The curve was made with at most {} requests under way, each sent as another was answered. Requests that come by themselves \
         wait longer: that is computed",
        n(by_depth.depth)
    );
    if by_depth.variation.is_none() {
        text.push_str(
            ", for times of a request that differ as much as at random (exponentially), since the curve does not say how much they \
             differ; of a disk they differ less, and fewer would do",
        );
    }
    if beyond > BEYOND_DEPTH {
        text.push_str(&format!(
            ". In {:.0} % of the time more wait than that, where it is taken to do no more{}",
            100.0 * beyond,
            if by_depth.still_rising() {
                ", though it rose up to there: a curve with more under way may need fewer"
            } else {
                ""
            }
        ));
    }
    text.push('.');
    Some(text)
}

/// What a reader must know before buying, the gravest first, and how many of them no screen leaves out.
pub(super) fn warnings(
    s: &Sizing,
    line: &Timeline,
    counted: &[&Slice],
    sized: &Sized<'_>,
    beside: &[String],
) -> (Vec<String>, usize) {
    let mut out = Vec::new();
    let stated = s.reports == 0;
    let primary = s.redundancy.iter().find(|r| r.name == s.sized_for);
    let needed = primary.and_then(|r| r.hardware_iops);
    let minute = needed.and_then(|h| minute_above(s, h));
    if let Some(nothing) = needed.filter(|h| *h < 0.5) {
        out.push(format!(
            "The load is {} IOPS: what stands here is the least that can be built, and no size of anything.",
            if nothing > 0.0 { "under 1" } else { "0" }
        ));
    }
    out.extend(more_waits_than_reads(line, counted));
    out.extend(firmness(s));
    out.extend(beyond_the_curve(s, primary));
    let because = &s.workload.peak_minute.because;
    let of_minute = minute.as_ref().map(|m| format!("T{} ({because}).", m.said.trim_end_matches('.')));
    let first = out.len();
    out.extend(of_minute);
    if let Some(apart) = &s.apart {
        out.push(format!(
            "The databases were {}: everything here is of {}{}, which need{} most disks; what all need together lies between {} and {} IOPS of the disks{}{}. Give reports of the same days.",
            apart.met(),
            apart.largest,
            if apart.together > 1 { " at the same time" } else { " alone" },
            if apart.together > 1 { "" } else { "s" },
            n(apart.hardware_low),
            n(apart.hardware_high),
            match apart.mbps_low.zip(apart.mbps_high).filter(|_| bytes_matter(s)) {
                Some((low, high)) => format!(", and {} and {} MB/s", n(low), n(high)),
                None => String::new(),
            },
            apart.without(bytes_matter(s))
        ));
    }
    out.extend(lacking(line, counted, sized, bytes_matter(s)));
    out.extend(s.instances_missing.iter().map(|one| missing(one, line, counted)));
    out.extend(beside.iter().cloned());
    out.extend(s.unmeasured.iter().map(unmeasured));
    if !stated {
        out.extend(inside(s, minute.is_some()));
    }
    out.extend(super::peaks::unbelievable_means(line, counted));
    out.extend(s.workload.peak_minute.unbelievable.clone());
    out.extend(bytes(s, primary, line, counted));
    let louder = line.left_out.iter().filter_map(|(_, source, load)| {
        let asked = sized.redundancy.hardware_iops(load).filter(|v| v.is_finite())?;
        (asked > sized.iops.max()? * (1.0 + 1e-9)).then_some((asked, source))
    });
    if let Some((asked, source)) = louder.reduce(|a, b| if b.0 > a.0 { b } else { a }) {
        out.push(format!(
            "{source} is left out, since its time is counted from other reports, and asked {} IOPS of the disks on average, more than any interval that is counted.",
            n(asked)
        ));
    }
    if line.rows.iter().any(|row| row.is_container) {
        out.push(
            "Counters of a pluggable database are of its own sessions: its files are written by the database writers of the container, its redo by their log writer. Writes are the most that any account of it prints, and the least they can be; redo writes are in none unless its log files are listed."
                .to_owned(),
        );
    }
    if let Some(need) = primary
        && let (Some(more), Some(all), Some(us)) = (over_the_target(need), need.disks, need.latency_us)
    {
        out.push(format!(
            "{} x {} are enough for the {} percentile of what the intervals need. The interval at that percentile of IOPS has other requests and needs {}: on {} they take {} ms.",
            n(all),
            s.disk.name,
            ordinal(s.percentile),
            n(more),
            n(all),
            ms(us)
        ));
    }
    let groups = f64::from(sized.redundancy.failure_groups);
    if let Some(cells) = primary.and_then(|need| need.cells).filter(|cells| *cells < groups) {
        out.push(format!(
            "{} hold{} the load, but {} redundancy keeps each copy in another failure group, and a cell is one: no fewer than {} cells can be built.",
            many(cells, "cell"),
            if cells == 1.0 { "s" } else { "" },
            sized.redundancy.name,
            n(groups)
        ));
    }
    out.extend(zones(s, line));
    let unknown = line
        .slices
        .iter()
        .filter(|x| x.complete && (x.measures.read_iops.is_none() || x.measures.write_iops.is_none()))
        .count();
    if unknown > 0 {
        out.push(format!(
            "{} not print both read and write requests and {} not counted.",
            if unknown == 1 { "1 interval does".to_owned() } else { format!("{unknown} intervals do") },
            if unknown == 1 { "is" } else { "are" }
        ));
    }
    let data_only = counted.iter().filter(|x| x.rows.iter().any(|r| line.rows[*r].data_only)).count();
    if data_only > 0 && !stated {
        let mixed = if data_only < counted.len() {
            "; the other intervals count every process, so the two do not compare"
        } else {
            ""
        };
        out.push(format!(
            "{} only requests on data and temp files: control files, archiver and backup are not in them{mixed}.",
            if data_only == 1 { "1 interval prints".to_owned() } else { format!("{data_only} intervals print") }
        ));
    }
    let too_slow = s.latency_target_us.is_some_and(|target| s.disk.read_latency_us >= target);
    if let Some(none) = s.redundancy.iter().find(|r| r.disks.is_none() && r.hardware_iops.is_some()) {
        let target = s.latency_target_us.map_or_else(|| "the target".to_owned(), |t| format!("{} ms", ms(t)));
        let (disk, alone) = (&s.disk.name, ms(s.disk.read_latency_us));
        // That of the redundancy sized for, where it has none either.
        let of = primary.filter(|p| p.disks.is_none()).unwrap_or(none);
        match &of.never_kept {
            Some(kept) if !too_slow => out.push(never(s, of, kept)),
            _ => out.push(format!(
                "{disk} takes {alone} ms for one small read alone, so no number of them keeps {target}."
            )),
        }
    }
    if let Some((need, kept)) =
        primary.filter(|p| p.disks.is_some()).and_then(|p| Some((p, p.never_kept.as_ref()?)))
    {
        out.push(never(s, need, kept));
    }
    if s.disk.is_volume && primary.is_some_and(|p| p.write_penalty > 1.0) {
        out.push(format!(
            "{} is a volume of a cloud, whose provider keeps the copies: with {} redundancy, as asked, every write is made {} times on top of that. Without it: --redundancy external.",
            s.disk.name,
            s.sized_for,
            primary.map_or(1.0, |p| p.write_penalty)
        ));
    }
    if s.disk.mbps.is_some() && s.redundancy.iter().any(|r| r.hardware_mbps.is_none()) && !stated {
        out.push(
            "Bytes are not known: MB/s are held against nothing, and requests are taken for small ones (8 KiB)."
                .to_owned(),
        );
    }
    let in_writes = |x: &&&Slice| line.redo_counted_as(x) == Some(RedoCount::RedoWrites);
    let in_writes = counted.iter().filter(in_writes).count();
    if in_writes > 0 {
        out.push(format!(
            "{} only writes of LGWR, each counted once whatever the members of a log group: requests for redo are at least those.",
            if in_writes == 1 { "1 interval prints".to_owned() } else { format!("{in_writes} intervals print") }
        ));
    }
    if s.capacity_bytes.is_some()
        && let Some(r) = s.redundancy.iter().find(|r| r.copies.is_none())
    {
        out.push(format!(
            "How many raw bytes {} needs for one of data is not known, since a penalty does not say it: one is the least; give it, for example --redundancy {}={}:1.25.",
            r.name,
            r.name,
            r.write_penalty
        ));
    }
    match (s.capacity_bytes, s.disk.capacity_bytes) {
        (None, _) => {
            out.push("Capacity is not considered; give --capacity and the size of a disk.".to_owned())
        }
        (Some(c), None) => out.push(format!(
            "How many {} hold {} is not known; give their size, for example --disk {},600GB.",
            several(&s.disk),
            placed::bytes(c),
            s.disk.profile.as_deref().unwrap_or("180IOPS")
        )),
        _ => {}
    }
    if let Some(c) = s.capacity_bytes {
        for d in s.other_disks.iter().filter(|d| d.disk.capacity_bytes.is_none()) {
            out.push(format!(
                "How many {} hold {} is not known{}; give their size, for example --disk {},600GB.",
                several(&d.disk),
                placed::bytes(c),
                d.disks.map_or_else(String::new, |n_| format!(": {} are the least", n(n_))),
                d.disk.profile.as_deref().unwrap_or("180IOPS")
            ));
        }
    }
    (out, first)
}

/// Databases that are added by what their clocks show, of whatever zones.
fn zones(s: &Sizing, line: &Timeline) -> Option<String> {
    /// Those named one by one.
    const NAMED: usize = 3;
    if s.databases.len() < 2 || line.databases.len() < 2 || line.zones_unknown.is_empty() {
        return None;
    }
    let all = &line.zones_unknown;
    let mut names = all.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if all.len() > NAMED {
        names.push_str(&format!(" and {} more", all.len() - NAMED));
    }
    Some(format!(
        "Nothing says which time zone the hosts of {names} keep: loads are added by what their clocks show, which is the same moment only in one zone. Histories of `spindle collect history` say it."
    ))
}

/// Time that lacks a database or an instance and is not counted, and whether one of its intervals is higher than
/// any that is, or would be with what the missing ones ask on average.
fn lacking(line: &Timeline, counted: &[&Slice], sized: &Sized<'_>, bytes_matter: bool) -> Option<String> {
    // Those that are counted stand in the order of all.
    let mut of_counted = counted.iter().peekable();
    let mut is_counted = |x: &Slice| of_counted.next_if(|c| std::ptr::eq(**c, x)).is_some();
    let lacking: Vec<&Slice> = line.slices.iter().filter(|x| !is_counted(x) && !x.complete).collect();
    if lacking.is_empty() {
        return None;
    }
    let seconds: f64 = lacking.iter().map(|x| x.seconds).sum();
    let louder = |of: &dyn Fn(&Measures) -> Option<f64>, did: &str, unit: &str| {
        let max = counted.iter().filter_map(|x| of(&x.measures)).reduce(f64::max)?;
        let most = lacking.iter().filter_map(|x| of(&x.measures)).fold(0.0, f64::max);
        if most > max {
            return Some(format!(
                " One of them {did} {} {unit} already without the missing ones, more than any that is counted.",
                n(most)
            ));
        }
        let usual = line.usual(of);
        let with_usual = lacking.iter().filter_map(|x| {
            let asked = of(&x.measures)?;
            Some((asked, asked + line.usually_missing(x, &usual)?))
        });
        let (without, with) = with_usual.reduce(|most, one| if one.1 > most.1 { one } else { most })?;
        (with > max).then(|| {
            format!(
                " One of them {did} {} {unit} without the missing ones, and about {} with what these ask on average: it may be higher than any that is counted.",
                n(without),
                n(with)
            )
        })
    };
    let requests = louder(&|m| sized.redundancy.hardware_iops(m), "asked", "IOPS of the disks");
    let bytes = louder(&|m| sized.redundancy.hardware_mbps(m), "moved", "MB/s on the disks");
    // Bytes that take no more disks than all that is counted decide nothing.
    let disks = |of: &[&Slice]| of.iter().filter_map(|x| sized.exact_disks(&x.measures)).reduce(f64::max);
    let decide = bytes_matter || disks(&lacking) > disks(counted);
    Some(format!(
        "{} of the time lack a database or an instance and are not counted ({}).{}{}",
        words(seconds as i64),
        many(lacking.len() as f64, "interval"),
        requests.unwrap_or_default(),
        bytes.filter(|_| decide).unwrap_or_default()
    ))
}

/// A database whose load is in no figure.
fn unmeasured(one: &Unmeasured) -> String {
    let more = match one.reports {
        0 | 1 => String::new(),
        reports => format!(", the first of {reports} reports"),
    };
    format!("{}: nothing measured; its load is in no figure ({}{more}).", one.database, one.because)
}

#[cfg(test)]
mod tests {
    use super::{n, ordinal};

    #[test]
    fn numbers_and_ordinals() {
        assert_eq!((n(1_234_567.4).as_str(), n(0.0).as_str()), ("1,234,567", "0"));
        let all: Vec<String> = [99.0, 99.9, 91.0, 11.0, 92.0, 93.0, 50.0, 95.1, 99.11].map(ordinal).to_vec();
        assert_eq!(all, ["99th", "99.9th", "91st", "11th", "92nd", "93rd", "50th", "95.1st", "99.11th"]);
    }
}
