//! Events that another release counts under another name.
//!
//! A name is only mapped where one side prints the old one and the other side does not: two reports of
//! one release keep the names they print. Sources: the event lists of Oracle's references, 9.2 to 19c.

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
    /// What was mapped, in words.
    pub(crate) said: Vec<String>,
}

impl Names {
    /// Decides by the names that the two sides print.
    pub(crate) fn between(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Self {
        let mut names = Self::default();
        let begins = |side: &BTreeSet<String>, with: &str| side.iter().any(|e| e.starts_with(with));
        // `latch free` goes on beside its parts; these two names ended with 9.2.
        let old_side = |side: &BTreeSet<String>| {
            (side.contains("enqueue") && !begins(side, "enq: "))
                || (begins(side, "global cache ") && !begins(side, "gc "))
        };
        for &(old, new, both) in SPLIT {
            let sides = [(before, after), (after, before)];
            if sides.iter().any(|(o, n)| {
                (old != "latch free" || old_side(o)) && begins(o, old) && !begins(o, new) && begins(n, new)
            }) {
                names.folded.push((old, both));
                names.folded.push((new, both));
                names
                    .said
                    .push(format!("`{old}` of the older release is held against all `{}`", new.trim_end()));
            }
        }
        // 10.1 took `read by other session` out of `buffer busy waits`.
        let other = "read by other session";
        if (old_side(before) && after.contains(other)) || (old_side(after) && before.contains(other)) {
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
