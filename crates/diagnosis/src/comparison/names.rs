//! Events that another release counts under another name.
//!
//! A name is only mapped where reports of before and of from 10.1 on are held against each other: two
//! reports of one release keep the names they print. The release stands in the header; where it does
//! not, names tell it that ended with 9.2. Sources: the event lists of Oracle's references, 9.2 to 19c.

use super::digest::Digest;
use spindle_facts::Side;
use std::collections::BTreeSet;

/// Old name, what the new names begin with, the name of both together.
const SPLIT: &[(&str, &str, &str)] = &[
    // 10.1 split it by the type of enqueue.
    ("enqueue", "enq: ", "enqueues (enq: ...)"),
    // 10.1 split it by latch.
    ("latch free", "latch: ", "latches"),
    // 10.1 renamed the events of the global cache.
    ("global cache ", "gc ", "global cache (gc ...)"),
];

/// Maps the names of both sides to names that both have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Beginning of a name, and what all names of that beginning are called.
    folded: Vec<(&'static str, &'static str)>,
    /// Parts of one read event, `cell single block physical read: flash cache`.
    fold_parts: bool,
    /// Events that some report prints for sessions and background together: held against the sum of both.
    of_both: BTreeSet<String>,
    /// What was mapped, in words.
    pub(crate) said: Vec<String>,
}

/// Are reports of before 10.1 held against such of from 10.1 on? `None` where a release is not printed.
fn across(before: &[&Digest], after: &[&Digest]) -> Option<bool> {
    let release = |d: &&Digest| d.identity.release();
    let all: Vec<(u32, u32)> = before.iter().chain(after).map(release).collect::<Option<_>>()?;
    let older = all.iter().filter(|(major, _)| *major < 10).count();
    Some(older > 0 && older < all.len())
}

impl Names {
    /// Decides by the releases of the two sides and the names that they print.
    pub(crate) fn between(before: &[&Digest], after: &[&Digest]) -> Self {
        let across = across(before, after);
        let together: BTreeSet<String> = before
            .iter()
            .chain(after)
            .flat_map(|d| &d.events)
            .filter(|e| e.of_both && e.side == Side::Foreground)
            .map(|e| e.event.to_string())
            .collect();
        let event_names = |side: &[&Digest]| -> BTreeSet<String> {
            let names: BTreeSet<&str> =
                side.iter().flat_map(|d| &d.events).map(|e| e.event.as_str()).collect();
            names.into_iter().map(str::to_owned).collect()
        };
        let (before, after) = (&event_names(before), &event_names(after));
        let mut names = Self { of_both: together, ..Self::default() };
        let begins = |side: &BTreeSet<String>, with: &str| side.iter().any(|e| e.starts_with(with));
        // These two names ended with 9.2.
        let old_side = |side: &BTreeSet<String>| {
            (side.contains("enqueue") && !begins(side, "enq: "))
                || (begins(side, "global cache ") && !begins(side, "gc "))
        };
        let either = |with: &str| begins(before, with) || begins(after, with);
        for &(old, new, both) in SPLIT {
            let sides = [(before, after), (after, before)];
            // `latch free` goes on beside its parts.
            let by_names = || {
                sides.iter().any(|(o, n)| {
                    (old != "latch free" || old_side(o))
                        && begins(o, old)
                        && !begins(o, new)
                        && begins(n, new)
                })
            };
            if across.map_or_else(by_names, |across| across && either(old) && either(new)) {
                names.folded.push((old, both));
                names.folded.push((new, both));
                names
                    .said
                    .push(format!("`{old}` of the older release is held against all `{}`", new.trim_end()));
            }
        }
        // 10.1 took `read by other session` out of `buffer busy waits`.
        let other = "read by other session";
        let by_names =
            || (old_side(before) && after.contains(other)) || (old_side(after) && before.contains(other));
        if across.map_or_else(by_names, |across| across && either("buffer busy waits") && either(other)) {
            names.folded.push(("buffer busy waits", "buffer busy waits and read by other session"));
            names.folded.push((other, "buffer busy waits and read by other session"));
            names.said.push(
                "`buffer busy waits` of the older release is held against itself and `read by other session`"
                    .to_owned(),
            );
        }
        let parts = |side: &BTreeSet<String>| side.iter().any(|e| e.starts_with("cell ") && e.contains(": "));
        if parts(before) != parts(after) {
            names.fold_parts = true;
            names.said.push("the parts of cell reads (`: flash cache` and others) are added up, since only one side prints them".to_owned());
        }
        names
    }

    /// Is a name of one release held against another name of the other?
    pub(crate) fn renames(&self) -> bool {
        !self.folded.is_empty()
    }

    /// The side that its waits stand with.
    pub(crate) fn side(&self, event: &str, side: Side) -> Side {
        if self.of_both.contains(event) { Side::Foreground } else { side }
    }

    /// The name that both sides have.
    pub(crate) fn of(&self, event: &str) -> String {
        if let Some((_, both)) = self.folded.iter().find(|(old, _)| event.starts_with(old)) {
            return (*both).to_owned();
        }
        if self.fold_parts && event.starts_with("cell ") {
            return event.split(": ").next().unwrap_or(event).to_owned();
        }
        event.to_owned()
    }
}
