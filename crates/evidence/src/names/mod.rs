//! Names that Oracle uses: the class of an event, and the full name behind a clipped one.
//!
//! `events.tsv` and `statistics.txt` list names with classes as `V$EVENT_NAME` and `V$STATNAME`
//! have them over the releases; an event that is not listed falls back on the pattern of its name.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

static EVENTS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let mut events: Vec<_> = lines(include_str!("events.tsv"))
        .filter_map(|line| {
            let (name, class) = line.split_at(memchr::memchr(b'\t', line.as_bytes())?);
            Some((name, class.get(1..)?))
        })
        .collect();
    events.sort_unstable();
    events
});
static EVENT_STARTS: LazyLock<Vec<u64>> = LazyLock::new(|| EVENTS.iter().map(|e| start_of(e.0)).collect());
static CLASS: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| EVENTS.iter().copied().collect());
/// Names and classes by the lower-case name.
static IN_ANY_CASE: LazyLock<FxHashMap<String, (&'static str, &'static str)>> =
    LazyLock::new(|| EVENTS.iter().map(|&(name, class)| (plain_letters(name), (name, class))).collect());
static STATISTICS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut names: Vec<_> = lines(include_str!("statistics.txt")).collect();
    names.sort_unstable();
    names
});
static STATISTIC_STARTS: LazyLock<Vec<u64>> =
    LazyLock::new(|| STATISTICS.iter().map(|name| start_of(name)).collect());
static LISTED_STATISTICS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| STATISTICS.iter().copied().collect());

/// The lines of a list: each ends in the mark of its end alone.
fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    let mut from = 0;
    memchr::memchr_iter(b'\n', list.as_bytes()).map(move |end| {
        let line = &list[from..end];
        from = end + 1;
        line
    })
}

/// The first eight bytes of a name, with zeros behind a shorter one: names are in the order of these, too.
fn start_of(name: &str) -> u64 {
    let bytes = name.as_bytes();
    match bytes.first_chunk() {
        Some(eight) => u64::from_be_bytes(*eight),
        None => bytes.iter().fold(0, |all, b| all << 8 | u64::from(*b)) << (64 - 8 * bytes.len()).min(63),
    }
}

/// The place of the first of these names that is not before another, by how they begin first.
fn place_of<T>(name: &str, starts: &[u64], names: &[T], name_of: impl Fn(&T) -> &'static str) -> usize {
    let start = start_of(name);
    let from = starts.partition_point(|own| *own < start);
    let same = starts[from..].partition_point(|own| *own == start);
    from + names[from..from + same].partition_point(|own| name_of(own) < name)
}

fn place_of_event(name: &str) -> usize {
    place_of(name, &EVENT_STARTS, &EVENTS, |(name, _)| name)
}

fn place_of_statistic(name: &str) -> usize {
    place_of(name, &STATISTIC_STARTS, &STATISTICS, |name| name)
}

/// Every word of the names, titles and headings that Oracle prints, in lower case.
static WORDS: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
    let heads = include_str!("tables.txt").lines().filter(|l| l.starts_with(['|', '=']));
    let texts = include_str!("headings.txt").lines().chain(include_str!("words.txt").lines()).chain(heads);
    let names = EVENTS.iter().map(|(name, _)| *name).chain(STATISTICS.iter().copied());
    texts.chain(names).flat_map(words).map(str::to_lowercase).collect()
});

/// The words of a text: letters, digits and what names in Oracle may hold.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || "_$#".contains(c)))
        .filter(|w| w.contains(char::is_alphabetic))
}

/// Are all words of this text such as Oracle prints in titles, headings and names of events and
/// statistics? `words.txt` holds those that no other list of names has.
pub(crate) fn are_oracles_words(text: &str) -> bool {
    words(text).all(|word| WORDS.contains(&word.to_lowercase()))
}

/// Wait class of an event; by its pattern where the name is not listed. Letters of another case name the
/// same event, and a name clipped to the letters of several is idle where one of them is.
pub(crate) fn wait_class(event: &str) -> Option<&'static str> {
    if let Some(class) = CLASS.get(event) {
        return Some(class);
    }
    if let Some((_, class)) = IN_ANY_CASE.get(&plain_letters(event)) {
        return Some(class);
    }
    if may_be_idle(event) {
        return Some("Idle");
    }
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| event.starts_with(p));
    Some(if starts(&["cell smart incremental", "cell smart restore", "cell manager "]) {
        "System I/O"
    } else if starts(&[
        "db file ",
        "direct path ",
        "cell ",
        "db flash cache ",
        "external table ",
        "securefile ",
        "Disk file ",
        "Datapump ",
        "BFILE ",
    ]) {
        "User I/O"
    } else if starts(&["control file backup"]) {
        "Administrative"
    } else if starts(&[
        "log file parallel",
        "log file single",
        "Log archive",
        "control file ",
        "RMAN ",
        "RFS ",
        "kfk: ",
    ]) || event.ends_with(" slave I/O")
    {
        "System I/O"
    } else if starts(&["log file switch", "write complete waits"]) {
        "Configuration"
    } else if starts(&["gc ", "global cache "]) {
        "Cluster"
    } else if starts(&["cursor: ", "library cache"]) {
        "Concurrency"
    } else if starts(&["SQL*Net message from client"])
        || event.ends_with(" idle wait")
        || event.ends_with(" idle")
    {
        "Idle"
    } else if starts(&["SQL*Net "]) {
        "Network"
    } else if starts(&["Backup: "]) {
        "Administrative"
    } else if starts(&["latch", "enq: "]) {
        "Other"
    } else {
        return None;
    })
}

/// A name in lower case, with the dash of the keyboard where a blog or a mail put one of its own: `enq: TX – index
/// contention`.
fn plain_letters(name: &str) -> String {
    // No dash of their own: these are no ASCII.
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.to_lowercase().replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
}

/// The name of a listed event, which costs no memory; in whatever case its letters are, and whatever its dashes.
pub(crate) fn listed_event(event: &str) -> Option<&'static str> {
    listed_with_class(event).map(|(name, _)| name)
}

/// The same with its class.
pub(crate) fn listed_with_class(event: &str) -> Option<(&'static str, &'static str)> {
    let exact = CLASS.get_key_value(event).map(|(name, class)| (*name, *class));
    // Few names are looked up that are not listed: those are clipped, or new.
    exact.or_else(|| IN_ANY_CASE.get(&plain_letters(event)).copied())
}

/// Is this the start of several names, one of them a wait for work? Sessions hardly ever wait for the
/// others: `Streams AQ: qmn coordinator` (26 to 28 letters) is `... idle wait`, hour after hour.
fn may_be_idle(clipped: &str) -> bool {
    let from = place_of_event(clipped);
    clipped.len() >= SHORTEST_CLIPPED
        && EVENTS[from..]
            .iter()
            .take_while(|(name, _)| name.starts_with(clipped))
            .any(|(_, class)| *class == "Idle")
}

/// The name of a listed statistic, which costs no memory.
pub(crate) fn listed_statistic(statistic: &str) -> Option<&'static str> {
    LISTED_STATISTICS.get(statistic).copied()
}

/// A name of fewer characters is not taken for a clipped one: columns of events are wider.
pub(crate) const SHORTEST_CLIPPED: usize = 20;

/// The one event that a name clipped at `width` characters can stand for.
pub(crate) fn complete_event(printed: &str) -> Option<&'static str> {
    if CLASS.contains_key(printed) {
        return None;
    }
    let from = place_of_event(printed);
    unique(EVENTS[from..].iter().map(|(name, _)| *name), printed)
}

/// A release, `(0, 0)` where it is unknown.
pub(crate) type Release = (u32, u32);

/// The one event of a release that a clipped name can stand for.
pub(crate) fn complete_event_of(printed: &str, release: Release) -> Option<&'static str> {
    if CLASS.contains_key(printed) {
        return None;
    }
    let mut names = events_beginning(printed).filter(|name| exists_in(name, release));
    let first = names.next()?;
    names.next().is_none().then_some(first)
}

/// Can it be the beginning of a longer name?
pub(crate) fn may_be_clipped(printed: &str) -> bool {
    printed.len() >= SHORTEST_CLIPPED
        && !CLASS.contains_key(printed)
        && events_beginning(printed).next().is_some()
}

/// Listed events whose names begin so.
fn events_beginning(printed: &str) -> impl Iterator<Item = &'static str> {
    let from = place_of_event(printed);
    EVENTS[from..].iter().map(|(name, _)| *name).take_while(move |name| name.starts_with(printed))
}

/// Did a release have this event? Exadata's reads are told apart by the cache that answers since 19c (`cell
/// single block physical read: flash cache`). Of an unknown release the name is that of the read, which is right
/// whatever answered it.
fn exists_in(event: &str, release: Release) -> bool {
    let parted = event.starts_with("cell ") && event.contains(" read: ");
    !parted || release >= (19, 0)
}

/// The one statistic that a clipped name can stand for.
pub(crate) fn complete_statistic(printed: &str) -> Option<&'static str> {
    let from = place_of_statistic(printed);
    if STATISTICS.get(from) == Some(&printed) {
        return None;
    }
    unique(STATISTICS[from..].iter().copied(), printed)
}

/// Is it the whole name of an event or of a statistic, as the dictionary lists them?
pub(crate) fn is_listed(name: &str) -> bool {
    listed_event(name).is_some() || listed_statistic(name).is_some()
}

/// Is it a statistic of the dictionary, clipped or not?
pub(crate) fn is_statistic(printed: &str) -> bool {
    STATISTICS.get(place_of_statistic(printed)).is_some_and(|n| n.starts_with(printed))
}

/// Is it a wait class, clipped or not?
pub(crate) fn is_class(printed: &str) -> bool {
    printed.len() >= 4 && CLASSES.iter().any(|c| c.starts_with(printed))
}

/// Every wait class.
pub(crate) const CLASSES: &[&str] = &[
    "Administrative",
    "Application",
    "Cluster",
    "Commit",
    "Concurrency",
    "Configuration",
    "Idle",
    "Network",
    "Other",
    "Queueing",
    "Scheduler",
    "System I/O",
    "User I/O",
];

fn unique(mut from: impl Iterator<Item = &'static str>, prefix: &str) -> Option<&'static str> {
    let first = from.next().filter(|name| name.starts_with(prefix))?;
    from.next().is_none_or(|second| !second.starts_with(prefix)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_names_are_completed_only_without_doubt() {
        assert_eq!(complete_event("control file sequential re"), Some("control file sequential read"));
        assert_eq!(complete_event("log file switch ("), None);
        assert_eq!(complete_event("direct path read"), None, "a full name is not a clipped one");
        assert_eq!(complete_event("no such event"), None);
        assert_eq!(complete_statistic("gc remote disk read"), None, "a statistic of its own from 12.2");
    }

    /// `enq: TX – index contention` of a blog was an event of no known name, with the advice for other locks.
    #[test]
    fn a_name_with_a_typographic_dash_was_of_no_known_event() {
        for dash in ['\u{2013}', '\u{2014}', '\u{2212}', '-'] {
            let printed = format!("enq: TX {dash} index contention");
            assert_eq!(listed_event(&printed), Some("enq: TX - index contention"));
            assert_eq!(wait_class(&printed), Some("Concurrency"));
        }
        assert_eq!(listed_event("enq: TX \u{2013} no such lock"), None);
    }

    /// 3,585 s of an idle event, clipped to the letters of two, were 391 % of DB time.
    #[test]
    fn a_clipped_name_that_an_idle_event_has_is_idle() {
        for clipped in ["Streams AQ: qmn coordinato", "Streams AQ: qmn coordinator"] {
            assert_eq!(complete_event(clipped), None);
            assert_eq!(wait_class(clipped), Some("Idle"));
        }
        assert_eq!(wait_class("Streams AQ"), None, "too few letters to be a clipped name");
        assert_eq!(wait_class("Streams AQ: qmn coordinator waiting for slave to start"), Some("Other"));
    }

    /// Since 21c several names begin as those of Exadata's reads do, clipped: none of them was completed.
    #[test]
    fn a_clipped_name_is_completed_with_those_of_its_release() {
        let of = complete_event_of;
        assert_eq!(of("cell single block physical", (11, 2)), Some("cell single block physical read"));
        assert_eq!(of("cell multiblock physical rea", (12, 1)), Some("cell multiblock physical read"));
        assert_eq!(of("cell single block physical", (21, 0)), None);
        assert_eq!(of("Streams AQ: qmn coordinato", (11, 2)), None);
    }

    /// An excerpt without its header: reads of the cells took 7 % of DB time under a name that no rule knew, and
    /// slow reads were looked for and not found.
    #[test]
    fn a_read_clipped_in_an_excerpt_of_no_known_release_was_no_read() {
        let of = |printed| complete_event_of(printed, (0, 0));
        for clipped in ["cell single block physical", "cell single block physical r"] {
            assert_eq!(of(clipped), Some("cell single block physical read"));
        }
        assert_eq!(of("cell multiblock physical r"), Some("cell multiblock physical read"));
        assert_eq!(of("cell list of blocks physic"), Some("cell list of blocks physical read"));
        assert_eq!(of("change tracking file synch"), None, "a read or a write");
    }

    /// Text clips names at these widths; what is the beginning of one name alone, or of one name and its parts, is
    /// completed whatever it is.
    #[test]
    fn every_name_that_is_clipped_without_doubt_is_completed() {
        let mut in_doubt = std::collections::BTreeSet::new();
        for (name, width) in EVENTS.iter().flat_map(|(name, _)| [26, 27, 28, 30].map(|width| (*name, width)))
        {
            let Some(clipped) = name.get(..width).map(str::trim_end).filter(|c| *c != name) else { continue };
            match complete_event_of(clipped, (11, 2)) {
                Some(full) => assert!(name == full || name.starts_with(&format!("{full}: ")), "{clipped}"),
                None if CLASS.contains_key(clipped) => {}
                None => drop(in_doubt.insert(clipped)),
            }
        }
        let in_doubt: Vec<&str> = in_doubt.into_iter().collect();
        assert_eq!(
            in_doubt,
            [
                "Streams AQ: qmn coordinato",
                "Streams AQ: qmn coordinator",
                // Of the read's parts, which its name already tells from other reads.
                "cell multiblock physical read:",
                "change tracking file synch",
                "change tracking file synchr",
                "change tracking file synchro",
                "change tracking file synchrono",
                "latch: MGA shared context",
            ]
        );
    }

    /// Readers rely on it.
    #[test]
    fn no_class_is_an_event_and_every_statistic_has_single_blanks() {
        for class in CLASSES {
            assert_eq!(wait_class(class), None);
        }
        for name in STATISTICS.iter() {
            assert_eq!(name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), *name);
            assert!(name.bytes().all(|b| matches!(b, b' '..=b'~')), "{name}");
        }
        for (name, class) in EVENTS.iter() {
            assert_eq!(plain_letters(name), name.to_lowercase());
            assert_eq!(listed_with_class(name), Some((*name, *class)));
            assert_eq!(wait_class(name), Some(*class));
        }
    }

    #[test]
    fn lists_are_read_to_their_ends() {
        for list in [include_str!("events.tsv"), include_str!("statistics.txt")] {
            assert!(lines(list).eq(list.lines()), "a last line or another end of lines");
        }
        assert_eq!(EVENTS.len(), include_str!("events.tsv").lines().filter(|l| l.contains('\t')).count());
    }

    #[test]
    fn a_name_has_the_same_place_by_how_it_begins() {
        let whole = EVENTS.iter().map(|(name, _)| *name).chain(STATISTICS.iter().copied());
        let parts = |name: &'static str| (0..=name.len()).filter_map(|to| name.get(..to));
        let odd = ["", "a", "a\0", "db file\0", "db file \u{e9}", "\u{e9}", "~~~~~~~~~", "physical"];
        for name in whole.flat_map(parts).chain(odd) {
            for name in [name.to_owned(), format!("{name} "), format!("{name}~")] {
                assert_eq!(place_of_event(&name), EVENTS.partition_point(|(own, _)| **own < *name));
                assert_eq!(place_of_statistic(&name), STATISTICS.partition_point(|own| **own < *name));
            }
        }
    }

    #[test]
    fn classes_by_name_and_by_pattern() {
        assert_eq!(wait_class("db file sequential read"), Some("User I/O"));
        assert_eq!(wait_class("db file parallel write"), Some("System I/O"));
        assert_eq!(wait_class("cell single block physical read: something new"), Some("User I/O"));
        assert_eq!(wait_class("gc something new"), Some("Cluster"));
        assert_eq!(wait_class("rdbms ipc message"), Some("Idle"));
        assert_eq!(wait_class("brand new event"), None);
        assert_eq!(wait_class("DB FILE SEQUENTIAL READ"), Some("User I/O"));
        assert_eq!(listed_event("Db File Sequential Read"), Some("db file sequential read"));
    }
}
