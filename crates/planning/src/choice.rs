//! Which items go to which tier: most seconds saved under the capacities.

/// One thing to place.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Bytes it takes.
    pub size: u64,
    /// Seconds saved on each tier; `None` where it may not go.
    pub value: Vec<Option<f64>>,
    /// Items that must go to the same tier as this one (the rest of a tablespace needs the objects in it).
    pub needs: Vec<usize>,
    /// Tier it has to go to, whatever it saves.
    pub pinned: Option<usize>,
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
