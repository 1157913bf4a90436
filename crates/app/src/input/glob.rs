//! Patterns in arguments: `*`, `?`, `[a-z]` within a name and `**` over folders, for shells that do
//! not expand them and for lists too long for a command line.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Does the path hold a wildcard?
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|b| matches!(b, b'*' | b'?' | b'['))
}

/// Existing paths that match, sorted by name, folder by folder.
pub(crate) fn expand(pattern: &Path) -> Vec<PathBuf> {
    let parts: Vec<Component> = pattern.components().collect();
    let mut matches = Vec::new();
    descend(PathBuf::new(), &parts, &mut matches);
    matches
}

fn descend(base: PathBuf, parts: &[Component], matches: &mut Vec<PathBuf>) {
    let Some((part, rest)) = parts.split_first() else {
        return matches.push(base);
    };
    let name = part.as_os_str().to_string_lossy();
    if !matches!(part, Component::Normal(_)) || !is_pattern(Path::new(part.as_os_str())) {
        let next = base.join(part);
        if fs::symlink_metadata(&next).is_ok() {
            descend(next, rest, matches);
        }
        return;
    }
    let any_depth = name == "**";
    if any_depth {
        descend(base.clone(), rest, matches);
    }
    let listed = if base.as_os_str().is_empty() { Path::new(".") } else { base.as_path() };
    let Ok(entries) = fs::read_dir(listed) else { return };
    let mut names: Vec<_> = entries.filter_map(|entry| entry.ok().map(|e| e.file_name())).collect();
    names.sort();
    for entry in names {
        let text = entry.to_string_lossy();
        if text.starts_with('.') && !name.starts_with('.') {
            continue;
        }
        let path = base.join(&entry);
        if any_depth {
            // Linked folders are not entered: a link back up would never end.
            if path.is_dir() && !path.is_symlink() {
                descend(path, parts, matches);
            }
        } else if fits(&name, &text) && (rest.is_empty() || path.is_dir()) {
            descend(path, rest, matches);
        }
    }
}

/// Does a name fit a pattern of one path part?
fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where to go on if a later character does not fit: after the last star, one character further.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p + 1, n + 1));
            p += 1;
        } else if let Some(length) = one_fits(&pattern[p..], name[n]) {
            p += length;
            n += 1;
        } else if let Some((after_star, from)) = retry {
            p = after_star;
            n = from;
            retry = Some((after_star, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// Length of the pattern's first element if it fits the character.
fn one_fits(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', set @ ..] => {
            let end = set.iter().skip(1).position(|&x| x == ']').map(|i| i + 1);
            let Some(end) = end else { return (c == '[').then_some(1) };
            let (negated, members) = match &set[..end] {
                ['!' | '^', members @ ..] => (true, members),
                members => (false, members),
            };
            (in_set(members, c) != negated).then_some(end + 2)
        }
        [literal, ..] => (*literal == c).then_some(1),
        [] => None,
    }
}

fn in_set(mut members: &[char], c: char) -> bool {
    while let [first, rest @ ..] = members {
        if let ['-', last, after @ ..] = rest {
            if (*first..=*last).contains(&c) {
                return true;
            }
            members = after;
        } else {
            if *first == c {
                return true;
            }
            members = rest;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn wildcards_fit_as_in_a_shell() {
        for (pattern, name, expected) in [
            ("*.html", "awr.html", true),
            ("*.html", "awr.htm", false),
            ("awr?pt_*_[0-9]*.txt", "awrrpt_1_42.txt", true),
            ("[!a]*", "awr", false),
            ("[!a]*", "bwr", true),
            ("*a*b*c", "xxaxxbxxbc", true),
            ("*a*b*c", "xxaxxcxxb", false),
            ("[", "[", true),
            ("*", "", true),
            ("", "a", false),
            ("**x", "x", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} against {name}");
        }
    }
}
