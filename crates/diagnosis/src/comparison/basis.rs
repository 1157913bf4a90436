//! What both sides are divided by before they are held against each other.

use super::amount::Amount;
use super::side::SideTotal;
use crate::words;
use serde::Serialize;

/// Lengths that differ by less than this are compared as they are, percent.
const ALIKE_PCT: f64 = 3.0;
/// With so many times fewer transactions a second, a side is idle.
const IDLE_TIMES: f64 = 100.0;
/// Snapshot times hide up to a second.
const SECOND: f64 = 1.0;

/// What to divide by, as the user asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// Seconds as measured where the sides are of one length, else a second.
    #[default]
    Auto,
    /// A second of elapsed time.
    Time,
    /// A transaction.
    Transaction,
}

/// The divisors of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Basis {
    /// `interval`, `second` or `transaction`.
    pub(crate) name: &'static str,
    /// Unit of what is divided.
    pub(crate) unit: &'static str,
    pub(crate) because: String,
    /// Are seconds of one side held against those of the other? Not where nobody knows how long a side was.
    pub(crate) comparable: bool,
    pub(crate) before: Amount,
    pub(crate) after: Amount,
}

impl Basis {
    /// Chooses the divisors.
    ///
    /// # Errors
    /// A sentence, where a divisor that is needed is not printed.
    pub(crate) fn choose(per: Per, before: &SideTotal, after: &SideTotal) -> Result<Self, String> {
        let lengths = before.elapsed_s.zip(after.elapsed_s);
        let difference_pct = lengths.map(|(b, a)| 100.0 * (b - a).abs() / b.max(a));
        let a_second = |because: String| {
            let Some((b, a)) = lengths else {
                return Err(
                    "the length of an interval is not printed, so seconds cannot be compared per second"
                        .to_owned(),
                );
            };
            let around = |s: f64, reports: usize| {
                let slack = SECOND * reports.max(1) as f64;
                Amount { value: s, low: (s - slack).max(s * 0.5), high: s + slack }
            };
            Ok(Self {
                name: "second",
                unit: "s/s",
                because,
                comparable: true,
                before: around(b, before.intervals),
                after: around(a, after.intervals),
            })
        };
        match per {
            Per::Auto => match difference_pct {
                Some(pct) if pct > ALIKE_PCT => {
                    a_second(format!("the sides differ in length by {}", words::percent(pct)))
                }
                Some(pct) => Ok(Self::as_measured(if pct < 0.05 {
                    "the sides are of one length".to_owned()
                } else {
                    format!("the sides differ in length by {} only", words::percent(pct))
                })),
                None => Ok(Self {
                    comparable: false,
                    ..Self::as_measured(
                        "the length of a side is not printed: seconds are of times unknown, and none are held against each other"
                            .to_owned(),
                    )
                }),
            },
            Per::Time => a_second("asked for".to_owned()),
            Per::Transaction => {
                let of = |side: &SideTotal| {
                    side.totals.get("transactions").copied().flatten().filter(|n| *n > 0.0)
                };
                match (of(before), of(after)) {
                    (Some(b), Some(a)) if idle(b, before, a, after) => Err(format!(
                        "the side {} is idle beside the other ({} transactions against {}): seconds a transaction would be those of hardly any; leave --per out, or give --per time",
                        if b < a { "before" } else { "after" },
                        words::count(b.min(a)),
                        words::count(b.max(a))
                    )),
                    (Some(b), Some(a)) => Ok(Self {
                        name: "transaction",
                        unit: "s a transaction",
                        because: "asked for".to_owned(),
                        comparable: true,
                        before: Amount::exact(b),
                        after: Amount::exact(a),
                    }),
                    _ => Err("transactions are not printed on both sides, so nothing can be compared per transaction".to_owned()),
                }
            }
        }
    }

    fn as_measured(because: String) -> Self {
        let one = Amount::exact(1.0);
        Self { name: "interval", unit: "s", because, comparable: true, before: one, after: one }
    }

    /// Seconds of one side, divided by the mean divisor: for bounds that belong to neither side.
    pub(crate) fn one(&self, seconds: f64) -> f64 {
        seconds / f64::midpoint(self.before.value, self.after.value)
    }

    /// Normalised seconds in words, without their sign.
    pub(crate) fn say(&self, normalised_s: f64) -> String {
        said(self.name, normalised_s.abs())
    }
}

/// Does one side run less than a hundredth of the transactions of the other, in equal time? Of times unknown nobody
/// can say.
fn idle(b: f64, before: &SideTotal, a: f64, after: &SideTotal) -> bool {
    let Some((lb, la)) = before.elapsed_s.zip(after.elapsed_s) else { return false };
    let (b, a) = (b / lb, a / la);
    b.min(a) * IDLE_TIMES < b.max(a)
}

/// Seconds on a basis, in words.
#[must_use]
pub fn said(normalised_by: &str, seconds: f64) -> String {
    match normalised_by {
        "second" => format!("{} s/s", words::significant(seconds)),
        "transaction" => format!("{} a transaction", words::latency(seconds * 1e6)),
        _ => words::seconds(seconds),
    }
}

/// How the sides were made comparable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Normalised {
    /// `interval`, `second` or `transaction`.
    pub by: &'static str,
    /// Unit of every `delta_s`.
    pub unit: &'static str,
    /// Why so.
    pub because: String,
}
