//! The redo step: new groups before the old ones go, forth and back, with members kept apart.

use super::names::literal;
use super::step::{Context, fill, remark};
use std::collections::BTreeSet;

/// Places of the members of one redo group as a list has it: the group with the most members stands for
/// all. Empty where no list has one.
pub(super) fn places(context: &Context<'_>) -> Vec<String> {
    let groups = context.collected.iter().flat_map(|c| &c.redo_groups).filter(|g| !g.is_standby);
    let members = groups.map(|g| &g.members).max_by_key(|m| (m.len(), std::cmp::Reverse(*m)));
    members
        .into_iter()
        .flatten()
        .map(|m| match m.strip_prefix('+') {
            Some(rest) => format!("+{}", rest.split('/').next().unwrap_or_default()),
            None => m.rsplit_once(['/', '\\']).map_or(String::new(), |(folder, _)| folder.to_owned()),
        })
        .filter(|place| !place.is_empty())
        .collect()
}

/// Said before the redo step: where members lie today, and what one place for all of them means.
pub(super) fn today(context: &Context<'_>) -> String {
    let places = places(context);
    let distinct: BTreeSet<&String> = places.iter().collect();
    let today = match (places.len(), distinct.len()) {
        (0, _) => {
            "Where the members lie today no list says; the step looks before it does anything.".to_owned()
        }
        (1, _) => format!("Each group has one member today, in {}.", places[0]),
        (n, 1) => format!("The {n} members of a group lie in one place today, {}.", places[0]),
        (n, _) => format!("The {n} members of a group lie in several places today: {}.", places.join(", ")),
    };
    remark(&today)
        + "-- Members are spread over the places given, in turn. If they would lie in fewer places than today, the\n\
           -- step stops before it adds anything: the loss of one place would lose the redo. Name as many places\n\
           -- (--tier-files, once each), or set redo_fewer_places to YES at the top where the place is mirrored\n\
           -- below. A commit waits for the slowest member: one that stays on slow storage saves nothing.\n\
           -- Standby redo logs, here and on standbys, are not touched: with standby_file_management = manual and\n\
           -- recovery stopped, add groups there (as many as here, and one, a thread), then drop the old.\n"
}

/// The redo step; each place is an expression, and whether it may be left at NONE.
pub(super) fn forward(places: &[(String, bool)]) -> String {
    let mut lines = String::new();
    for (place, optional) in places {
        let line = if *optional {
            format!("  if {place} <> 'NONE' then l_to(l_to.count + 1) := {place}; end if;\n")
        } else {
            format!("  l_to(l_to.count + 1) := {place};\n")
        };
        lines.push_str(&line);
    }
    fill(include_str!("redo.sql"), &[("@PLACES@", lines)])
}

/// New groups where the old ones were, with the same care: added before those on the tier go. Where no list
/// says where that was, two lines at the top of the script ask for it.
pub(super) fn back(context: &Context<'_>) -> String {
    let known = places(context);
    let places: Vec<(String, bool)> = if known.is_empty() {
        vec![(":redo_place1".to_owned(), false), (":redo_place2".to_owned(), true)]
    } else {
        known.iter().map(|place| (literal(place), false)).collect()
    };
    "-- New groups are added in the old places before those on the tier are dropped, which takes log switches and\n\
     -- a checkpoint; only INACTIVE groups go. File names are new, so that nothing left on disk is overwritten.\n"
        .to_owned()
        + &forward(&places)
}
