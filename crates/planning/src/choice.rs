//! Which items go to which tier: most seconds saved under the capacities.
//!
//! A knapsack with several bins, bundles (`needs`) and pins, solved exactly at fixed values:
//!
//! 1. `prepare` brings the items into an order that depends on neither their order nor their names,
//!    joins items that need each other, and sends pinned items where they must go;
//! 2. `multipliers` finds the price of a byte on each tier at which the relaxed problem (`relax`) is
//!    tightest: no assignment saves more than that bound;
//! 3. `greedy` gives a first assignment; what differs from the relaxed answer by more than the gap
//!    between the two is settled, and drops out (`instance`);
//! 4. `search` goes through what is left, keeping only partial assignments that may still win.
//!
//! The search counts partial assignments, never time; where it has to drop some that might have won,
//! the choice says so (`exact: false`) and carries the bound of what was dropped.

mod by_tier;
mod frontier;
mod greedy;
mod instance;
mod multipliers;
mod prepare;
mod relax;
mod search;
mod solve;

pub use frontier::{frontier, knee};
use prepare::Prepared;
use std::fmt;

/// One thing to place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// Bytes it takes.
    pub size: u64,
    /// Seconds saved on each tier; `None` where it may not go.
    pub value: Vec<Option<f64>>,
    /// Items that must go to the same tier as this one (the rest of a tablespace needs the objects in it).
    pub needs: Vec<usize>,
    /// Tier it has to go to, whatever it saves.
    pub pinned: Option<usize>,
    /// Decides between items that are alike in everything else: the smallest is taken first. It never
    /// changes what is saved.
    pub key: String,
}

/// Items and tiers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// Items.
    pub items: Vec<Item>,
    /// Bytes of each tier.
    pub capacities: Vec<u64>,
}

/// An assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Tier of each item; `None` where it stays.
    pub tier_of: Vec<Option<usize>>,
    /// Seconds saved.
    pub value: f64,
    /// No assignment saves more than this.
    pub bound: f64,
    /// Is it proven that none is better (to a billionth)?
    pub exact: bool,
}

/// Why there is no assignment at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotChoose {
    /// What is pinned to a tier, with what it needs, is larger than the tier.
    PinsDoNotFit {
        /// The tier.
        tier: usize,
        /// Bytes of what is pinned to it.
        pinned_bytes: u128,
        /// Bytes that it has.
        capacity_bytes: u64,
    },
    /// Pins send one item to two tiers.
    PinsContradict {
        /// The item.
        item: usize,
        /// The two tiers.
        tiers: (usize, usize),
    },
    /// A pinned item needs one that may not go to its tier.
    NeededMayNotGo {
        /// The item needed.
        item: usize,
        /// The tier.
        tier: usize,
    },
    /// More tiers than the search handles.
    TooManyTiers {
        /// Tiers given.
        tiers: usize,
    },
}

/// Tiers that the search handles.
pub const MOST_TIERS: usize = 16;

impl fmt::Display for CannotChoose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PinsDoNotFit { tier, pinned_bytes, capacity_bytes } => write!(
                f,
                "what is pinned to tier {} takes {pinned_bytes} bytes, {} more than the {capacity_bytes} it has",
                tier + 1,
                pinned_bytes.saturating_sub(u128::from(*capacity_bytes))
            ),
            Self::PinsContradict { item, tiers } => {
                write!(f, "item {} is pinned to tier {} and to tier {}", item + 1, tiers.0 + 1, tiers.1 + 1)
            }
            Self::NeededMayNotGo { item, tier } => {
                write!(f, "item {} is needed on tier {}, where it may not go", item + 1, tier + 1)
            }
            Self::TooManyTiers { tiers } => write!(f, "{tiers} tiers; at most {MOST_TIERS} can be planned"),
        }
    }
}

impl std::error::Error for CannotChoose {}

/// The assignment that saves most.
///
/// An item goes to at most one tier, no tier holds more than its capacity, an item is on a tier only
/// with all that it needs, and pinned items are where they have to be (with what they need; a pin
/// counts even where `value` is `None`, as no saving). Nothing that saves nothing is taken unless it
/// is pinned or needed. Among items that save the same the smaller go first, then those with the
/// smaller key. Neither the order of the items nor their keys change what is saved.
///
/// # Errors
///
/// Where the pins leave no assignment.
///
/// # Panics
///
/// Where `needs` or `pinned` point outside of the problem.
pub fn choose(problem: &Problem) -> Result<Choice, CannotChoose> {
    let prepared = Prepared::new(problem)?;
    let residual = prepared.residual(&problem.capacities)?;
    let solved = solve::solve(&prepared, &residual, None, &solve::EFFORTS);
    Ok(prepared.choice(problem, &solved))
}

/// An assignment near to the best, and a bound of all, without a search.
///
/// # Errors
///
/// As [`choose`].
///
/// # Panics
///
/// As [`choose`].
pub(crate) fn rough(problem: &Problem) -> Result<Choice, CannotChoose> {
    let prepared = Prepared::new(problem)?;
    let residual = prepared.residual(&problem.capacities)?;
    Ok(prepared.choice(problem, &solve::rough(&prepared, &residual)))
}
