//! The keys of a table, as data: what is read, what each means, and what may stand there.

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As written.
    pub name: &'static str,
    /// What it is, its unit, what may stand there, and an example.
    pub means: &'static str,
}

/// A key and what it means.
#[must_use]
pub const fn key(name: &'static str, means: &'static str) -> Key {
    Key { name, means }
}

/// A table: what it is called in messages, and its keys.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// With its article.
    pub called: &'static str,
    /// Keys.
    pub keys: &'static [Key],
    /// Further keys, which it shares with others.
    pub more: &'static [Key],
}

/// Words that others use for the same, in the order of the keys that they may mean.
const ALIASES: &[(&str, &[&str])] = &[
    ("bs", &["block", "page"]),
    ("blocksize", &["block", "page"]),
    ("block_size", &["block", "page"]),
    ("size", &["block", "capacity"]),
    ("bytes", &["capacity", "block"]),
    ("rw", &["reads"]),
    ("read", &["reads"]),
    ("rwmixread", &["reads"]),
    ("read_pct", &["reads"]),
    ("iodepth", &["depth", "queue_depth"]),
    ("queue_depth", &["depth"]),
    ("threads", &["depth"]),
    ("runtime", &["time"]),
    ("seconds", &["time"]),
    ("duration", &["time"]),
    ("ramp_time", &["warm_up"]),
    ("warmup", &["warm_up"]),
    ("ios", &["count"]),
    ("requests", &["count"]),
    ("number", &["count"]),
    ("iops", &["rate", "iops"]),
    ("thinktime", &["think"]),
    ("think_time", &["think"]),
    ("offset", &["from"]),
    ("start", &["from"]),
    ("begin", &["from"]),
    ("streams", &["stream"]),
    ("disks", &["members", "device"]),
    ("devices", &["device", "of"]),
    ("drive", &["device"]),
    ("target", &["on"]),
    ("volume", &["on"]),
    ("type", &["kind"]),
];

impl Table {
    /// A table of keys of its own.
    #[must_use]
    pub const fn new(called: &'static str, keys: &'static [Key]) -> Self {
        Self { called, keys, more: &[] }
    }

    /// All keys.
    pub fn all(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.keys.iter().chain(self.more)
    }

    /// What a key means.
    #[must_use]
    pub fn means(&self, name: &str) -> Option<&'static str> {
        self.all().find(|k| k.name == name).map(|k| k.means)
    }

    /// The key that is near to what was written, by its letters or as others call it; `None` where none is.
    #[must_use]
    pub fn near(&self, written: &str) -> Option<&'static Key> {
        let written = written.to_lowercase();
        let named = |name: &str| self.all().find(|k| k.name == name);
        let alias = ALIASES.iter().find(|(word, _)| *word == written);
        let alias = alias.and_then(|(_, keys)| keys.iter().find_map(|name| named(name)));
        let by_letters = || {
            let nearest = self.all().min_by_key(|k| distance(k.name, &written))?;
            // Two letters, as many as are turned round in `rmp`; more in long words, fewer in the shortest.
            let most = match nearest.name.len().max(written.chars().count()) {
                letters if letters > 2 => (letters * 2 / 5).max(2),
                _ => 1,
            };
            let part =
                written.len() > 2 && (nearest.name.contains(&written) || written.contains(nearest.name));
            (part || distance(nearest.name, &written) <= most).then_some(nearest)
        };
        let begins = || self.all().find(|k| written.len() > 2 && k.name.starts_with(&written));
        named(&written).or(alias).or_else(by_letters).or_else(begins)
    }
}

/// The word of several that is nearest to what was written.
pub(super) fn nearest_of<'a>(words: impl Iterator<Item = &'a str>, written: &str) -> Option<&'a str> {
    words.min_by_key(|word| distance(word, written))
}

/// Letters to change, add or take away.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_far_from_all_has_no_near_one() {
        const TABLE: Table =
            Table::new("a device", &[key("kind", ""), key("capacity", ""), key("read_rate", "")]);
        let near = |written: &str| TABLE.near(written).map(|k| k.name);
        for (written, meant) in [
            ("kinds", Some("kind")),
            ("type", Some("kind")),
            ("capcity", Some("capacity")),
            ("read_rat", Some("read_rate")),
            ("spread", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(near(written), meant, "{written}");
        }
    }

    #[test]
    fn letters_are_counted() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(nearest_of(["disk", "flash"].into_iter(), "disc"), Some("disk"));
    }
}
