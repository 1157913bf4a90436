//! Another choice that likely saves about as much, and surely much more.

use crate::capped::Offered;
use crate::choice::{self, Choice, Problem};
use crate::range::Range;
use crate::words;

/// Likely savings that differ by less are alike. Ours: all ranges are wider.
const ALIKE: f64 = 0.02;
/// Times as much, and of the likely saving as much more, that it has to be sure of to be named. Ours.
const MUCH_SURER: f64 = 1.25;
const WORTH_NAMING: f64 = 0.05;
/// Weights of what is sure that are tried beside what is likely.
const WEIGHTS: [f64; 4] = [0.02, 0.05, 0.2, 0.5];
/// Items up to which it is looked for: it takes a search for each weight.
const MOST_ITEMS: usize = 500;
/// Objects named.
const NAMED: usize = 3;

/// The other choice in a sentence. `lows` are the sure seconds of each item by tier, `saves` what a choice saves in all.
pub(crate) fn choice(
    problem: &Problem,
    lows: &[Vec<f64>],
    offered: Offered<'_>,
    now: &Choice,
    saves: impl Fn(&[Option<usize>]) -> Range,
) -> Option<String> {
    if problem.items.len() > MOST_ITEMS || now.value <= 0.0 {
        return None;
    }
    let today = saves(&now.tier_of);
    let mut best: Option<(Range, Choice)> = None;
    for weight in WEIGHTS {
        let mut other = problem.clone();
        for (item, lows) in other.items.iter_mut().zip(lows) {
            for (value, low) in item.value.iter_mut().zip(lows) {
                *value = value.map(|v| if v > 0.0 { v + weight * low } else { v });
            }
        }
        let Ok(found) = choice::choose(&other) else { continue };
        if found.tier_of == now.tier_of || offered.queues(&found.tier_of) {
            continue;
        }
        let then = saves(&found.tier_of);
        let is_surer = then.low >= MUCH_SURER * today.low
            && then.low - today.low >= WORTH_NAMING * today.mid
            && then.mid >= (1.0 - ALIKE) * today.mid;
        if is_surer && best.as_ref().is_none_or(|(best, _)| then.low > best.low) {
            best = Some((then, found));
        }
    }
    let (then, found) = best?;
    let named = |of: &dyn Fn(usize) -> bool| -> Vec<&str> {
        (0..problem.items.len())
            .filter(|n| of(*n))
            .filter_map(|n| Some(problem.items.get(n)?.key.as_str()))
            .collect()
    };
    let moves = |choice: &Choice, n: usize| choice.tier_of.get(n).copied().flatten();
    let with = named(&|n| moves(&found, n).is_some() && moves(&found, n) != moves(now, n));
    let without = named(&|n| moves(now, n).is_some() && moves(&found, n).is_none());
    let list = |names: &[&str]| match names.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => {
            let first: Vec<&str> = names.iter().take(NAMED).copied().collect();
            format!("{} and {more} more", first.join(", "))
        }
    };
    let pins = if with.len() <= NAMED && !with.is_empty() {
        let pins: Vec<String> = with.iter().map(|name| format!("--pin '{name}'")).collect();
        format!(" ({})", pins.join(" "))
    } else {
        String::new()
    };
    Some(format!(
        "Another choice likely saves about as much, {}, and is sure of {} instead of {}: {}{}{pins}.",
        words::seconds(then.mid),
        words::seconds(then.low),
        words::seconds(today.low),
        if with.is_empty() { String::new() } else { format!("with {}", list(&with)) },
        match (with.is_empty(), without.is_empty()) {
            (_, true) => String::new(),
            (true, false) => format!("without {}", list(&without)),
            (false, false) => format!(", without {}", list(&without)),
        }
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::choice::Item;
    use crate::load::Demand;

    #[test]
    fn a_choice_that_likely_saves_as_much_and_surely_more_was_not_named() {
        let item = |key: &str, value: f64| Item {
            size: 10,
            value: vec![Some(value)],
            key: key.into(),
            ..Item::default()
        };
        let told = |likely: f64| {
            let problem =
                Problem { items: vec![item("DOUBTFUL", 100.0), item("temp", likely)], capacities: vec![10] };
            let lows = [vec![5.0], vec![60.0]];
            let now = choice::choose(&problem).unwrap();
            let saves = |tier_of: &[Option<usize>]| {
                let of = |n: usize| {
                    let value = problem.items[n].value[0].unwrap();
                    Range { low: lows[n][0], mid: value, high: 2.0 * value }
                };
                (0..2).filter(|n| tier_of[*n].is_some()).map(of).sum()
            };
            let demands = [Demand::default(); 2];
            super::choice(&problem, &lows, Offered { tiers: &[], demands: &demands }, &now, saves)
        };
        let said = told(99.0).unwrap();
        assert!(
            said.contains("sure of 60 s instead of 5 s: with temp, without DOUBTFUL (--pin 'temp')"),
            "{said}"
        );
        // What likely saves less is another choice, and no better one.
        assert_eq!(told(90.0), None);
    }
}
