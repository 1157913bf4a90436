//! Databases that share an identifier: a copy made below the database, or a standby, keeps it.
//!
//! One instance runs on one host and has started once. Reports of one instance number that hold the same time
//! and name two hosts, or two times of its start, are of two databases.

use crate::{Span, clash};
use std::collections::BTreeMap;

/// Times of a start that are less apart are one: text prints them to the minute, HTML before 18c with the month
/// for the minutes, and so does what a browser made text of.
const STARTED_APART_S: i64 = 3600;

/// Where one report saw an instance.
///
/// Shape: one a report of an instance. Unit: seconds since 1970 as the host counts. Missing: `None` where not
/// printed. Source: the head of the report.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'r> {
    /// What is known as one database so far, by a number.
    pub database: usize,
    /// Instance, and the container whose counters they are.
    pub instance: (u32, Option<&'r str>),
    /// Host.
    pub host: Option<&'r str>,
    /// When the instance was started.
    pub started_s: Option<i64>,
    /// When it was seen; what has no time proves nothing.
    pub span: Option<Span>,
    /// File: what stands in one is of one database.
    pub source: &'r str,
}

/// Characters of the narrowest column that cuts the name of a host: that of RAC reports in text.
const NARROWEST_HOST: usize = 10;

/// Do two names of a host contradict each other? Some print it with its domain, or cut. `node1` is no cut `node12`.
#[must_use]
pub fn other_host(a: Option<&str>, b: Option<&str>) -> bool {
    let Some((a, b)) = a.zip(b) else { return false };
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let rest = long.strip_prefix(&short);
    !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || short.len() >= NARROWEST_HOST)
}

/// Do two reports of one instance number, at one time, speak of two instances?
#[must_use]
pub fn other_instance(a: &Seen<'_>, b: &Seen<'_>) -> bool {
    let started = a.started_s.zip(b.started_s).is_some_and(|(a, b)| (a - b).abs() >= STARTED_APART_S);
    other_host(a.host, b.host) || started
}

/// Which of the databases of one identifier each report is of: 0 of all where nothing says that there are
/// several. The order of the reports decides nothing.
#[must_use]
pub fn copies(seen: &[Seen<'_>]) -> Vec<usize> {
    type Node<'r> = (usize, (u32, Option<&'r str>), Option<String>, Option<i64>);
    let mut nodes: BTreeMap<Node<'_>, Vec<usize>> = BTreeMap::new();
    for (at, one) in seen.iter().enumerate() {
        let node = (one.database, one.instance, one.host.map(str::to_lowercase), one.started_s);
        nodes.entry(node).or_default().push(at);
    }
    let mut of = vec![0; seen.len()];
    let nodes: Vec<Vec<usize>> = nodes.into_values().collect();
    for same in nodes.chunk_by(|a, b| seen[a[0]].database == seen[b[0]].database) {
        // Most have one host and a few starts: nothing to look at.
        let clashes = |a: &[usize], b: &[usize]| {
            let (one, other) = (&seen[a[0]], &seen[b[0]]);
            one.instance == other.instance && other_instance(one, other) && meet(seen, a, b)
        };
        let any = (0..same.len()).any(|i| (0..i).any(|j| clashes(&same[i], &same[j])));
        if !any {
            continue;
        }
        let mut homes: Vec<Vec<&Vec<usize>>> = Vec::new();
        for node in same {
            let fits = |home: &&Vec<&Vec<usize>>| !home.iter().any(|other| clashes(node, other));
            let share = |home: &[&Vec<usize>], is: fn(&Seen<'_>, &Seen<'_>) -> bool| {
                home.iter().any(|other| is(&seen[node[0]], &seen[other[0]]))
            };
            let one_file = |home: &[&Vec<usize>]| {
                home.iter().any(|o| o.iter().any(|b| node.iter().any(|a| seen[*a].source == seen[*b].source)))
            };
            let place =
                |is: &dyn Fn(&[&Vec<usize>]) -> bool| homes.iter().position(|home| fits(&home) && is(home));
            let found = place(&one_file)
                .or_else(|| place(&|home| share(home, |a, b| a.host.is_some() && a.host == b.host)))
                .or_else(|| place(&|_| true));
            match found {
                Some(home) => homes[home].push(node),
                None => homes.push(vec![node]),
            }
        }
        for (copy, home) in homes.iter().enumerate() {
            home.iter().flat_map(|node| node.iter()).for_each(|at| of[*at] = copy);
        }
    }
    of
}

/// Do any of these hold the same time?
fn meet(seen: &[Seen<'_>], a: &[usize], b: &[usize]) -> bool {
    let spans = |of: &[usize]| {
        let mut spans: Vec<Span> = of.iter().filter_map(|at| seen[*at].span).collect();
        spans.sort_unstable();
        spans
    };
    let (a, b) = (spans(a), spans(b));
    let longest = b.iter().map(|s| s.1 - s.0).max().unwrap_or(0);
    a.iter().any(|one| {
        let from = b.partition_point(|other| other.0 < one.0.saturating_sub(longest));
        b[from..].iter().take_while(|other| other.0 < one.1).any(|other| clash(*one, *other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(host: &'static str, started_s: i64, hour: i64, source: &'static str) -> Seen<'static> {
        let span = Some((3600 * hour, 3600 * (hour + 1)));
        Seen { database: 0, instance: (1, None), host: Some(host), started_s: Some(started_s), span, source }
    }

    #[test]
    fn an_instance_is_on_one_host_at_a_time() {
        let both = [seen("prod", 0, 1, "a"), seen("test", 0, 1, "b"), seen("prod", 0, 2, "c")];
        assert_eq!(copies(&both), [0, 1, 0]);
        // One after the other it moved; with its domain it is the same.
        assert_eq!(copies(&[seen("prod", 0, 1, "a"), seen("test", 0, 2, "b")]), [0, 0]);
        assert_eq!(copies(&[seen("prod", 0, 1, "a"), seen("PROD.example", 0, 1, "b")]), [0, 0]);
        // A name that no column is narrow enough to cut is whole.
        assert_eq!(copies(&[seen("node1", 0, 1, "a"), seen("node12", 0, 1, "b")]), [0, 1]);
    }

    #[test]
    fn an_instance_started_once() {
        let twins = [seen("h", 100, 1, "a"), seen("h", 9_100, 1, "b"), seen("h", 9_100, 2, "c")];
        assert_eq!(copies(&twins), [0, 1, 1]);
        // Printed to the minute, with the month for the minutes, or started anew between them.
        assert_eq!(copies(&[seen("h", 100, 1, "a"), seen("h", 60, 1, "b")]), [0, 0]);
        assert_eq!(copies(&[seen("h", 33 * 60, 1, "text"), seen("h", 4 * 60, 1, "html")]), [0, 0]);
        assert_eq!(copies(&[seen("h", 100, 1, "a"), seen("h", 9_100, 3, "b")]), [0, 0]);
    }
}
