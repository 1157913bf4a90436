//! What a simulated scenario found, beside its runs: figures by point, what was published, and every parameter.

use serde::{Deserialize, Serialize};

/// What a scenario found.
///
/// Shape: one a scenario. Unit: of each figure, as it says. Missing: a figure that a point does not have is `None`.
/// Source: the scenario's file, and the runs of its points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimulatedFound {
    /// What the scenario is called.
    pub name: String,
    /// What it shows.
    pub about: Option<String>,
    /// What it repeats, and where that was published.
    pub experiment: Option<String>,
    /// Likewise.
    pub source: Option<String>,
    /// What has to be known beside the figures; what is not reproduced.
    pub notes: Vec<String>,
    /// Seed of all that is random.
    pub seed: u64,
    /// What is varied, the outermost first.
    pub keys: Vec<SweptKey>,
    /// What was looked for.
    pub figures: Vec<SimulatedFigure>,
    /// The figure that is drawn first.
    pub main: usize,
    /// Points in the order of the sweep, as those of the measurement.
    pub points: Vec<SimulatedPoint>,
    /// What was published, beside what came out.
    pub published: Vec<PublishedRow>,
    /// Every parameter.
    pub parameters: Vec<GivenParameter>,
}

/// What is varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptKey {
    /// As `--sweep` takes it.
    pub key: String,
    /// What it is called in tables.
    pub label: String,
}

/// What was looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimulatedFigure {
    /// What it is called.
    pub name: String,
    /// What it counts.
    pub unit: FigureUnit,
    /// Of which load or storage.
    pub of: String,
    /// How it follows, where it is no plain result: a share of another one, a formula.
    pub how: Option<String>,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum FigureUnit {
    PerSecond,
    /// 10^6 bytes a second.
    MbPerSecond,
    Microseconds,
    Seconds,
    Percent,
    /// One number over another.
    Ratio,
    Count,
    Bytes,
}

impl FigureUnit {
    /// In words; empty where it is a number alone.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PerSecond => "a second",
            Self::MbPerSecond => "MB/s",
            Self::Microseconds => "ms",
            Self::Seconds => "s",
            Self::Percent => "%",
            Self::Ratio | Self::Count => "",
            Self::Bytes => "GiB",
        }
    }

    /// A value in the unit of [`FigureUnit::name`].
    #[must_use]
    pub fn shown(self, value: f64) -> f64 {
        match self {
            Self::Microseconds => value / 1e3,
            Self::Bytes => value / 1_073_741_824.0,
            _ => value,
        }
    }
}

/// What came of one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimulatedPoint {
    /// Values of the keys, in their order.
    pub at: Vec<SweptValue>,
    /// Figures, in their order.
    pub values: Vec<Option<f64>>,
    /// Their 95 % intervals, in their order and unit; `None` where the run tells none.
    #[serde(default)]
    pub intervals: Vec<Option<(f64, f64)>>,
}

/// Share of a figure from which on the width of its interval is told beside it.
const WIDE: f64 = 0.2;

impl SimulatedPoint {
    /// The 95 % interval of a figure, where it is wider than a fifth of it: the figure alone would promise too much.
    #[must_use]
    pub fn wide_interval(&self, figure: usize) -> Option<(f64, f64)> {
        let value = self.values.get(figure).copied().flatten()?;
        let (low, high) = self.intervals.get(figure).copied().flatten()?;
        (high - low > WIDE * value.abs()).then_some((low, high))
    }
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweptValue {
    /// As written.
    pub text: String,
    /// Its number, where it is one, in the unit in which it is written.
    pub number: Option<f64>,
    /// Unit behind the number, empty where there is none.
    pub unit: String,
}

impl SweptValue {
    /// A value as written.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        let split = crate::quantity::number_and_unit(text);
        let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let unit = if split.is_some() { text[digits..].trim().to_owned() } else { String::new() };
        Self { text: text.to_owned(), number: split.map(|(number, _)| number), unit }
    }

    /// Is it the same, however it is written?
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => {
                (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) && self.unit.eq_ignore_ascii_case(&other.unit)
            }
            _ => self.text.eq_ignore_ascii_case(&other.text),
        }
    }
}

/// A published number, or a formula, beside what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedRow {
    /// Figure, by its number.
    pub figure: usize,
    /// At which point; empty where there is one.
    pub at: String,
    /// Where it was published, or whose figure it is.
    pub origin: String,
    /// In the unit of the figure; `None` where a figure that stands for it is not known.
    pub published: Option<f64>,
    /// Likewise; `None` where the point is not among those that were run.
    pub simulated: Option<f64>,
    /// How far apart the two are, percent of the published one.
    pub difference_pct: Option<f64>,
    /// How far apart they may be.
    pub within_pct: Option<f64>,
    /// Parameters that were fitted to it: it is no prediction.
    pub fitted: Vec<String>,
    /// What the number beside it is: what was published, or what only stands for it.
    #[serde(default)]
    pub beside: Beside,
}

/// What a simulated figure is held against. A published result alone makes it a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beside {
    /// A result that somebody published.
    #[default]
    Published,
    /// What a formula gives, or arithmetic of the scenario's author.
    Formula,
    /// What the scenario was given and has to come back.
    Input,
}

impl PublishedRow {
    /// Are the two as close as they should be? `None` where nobody asked, or one of them is not known.
    #[must_use]
    pub fn holds(&self) -> Option<bool> {
        let within = self.within_pct?;
        match self.difference_pct {
            Some(difference) => Some(difference.abs() <= within),
            // Nothing is a share of nothing: but for nothing, all is beyond it.
            None => {
                let (published, simulated) = (self.published?, self.simulated?);
                Some(published == simulated)
            }
        }
    }

    /// How far apart two numbers are, percent of the published one; `None` where that is nothing and the other is not.
    #[must_use]
    pub fn difference(published: f64, simulated: f64) -> Option<f64> {
        if published == simulated {
            return Some(0.0);
        }
        Some(100.0 * (simulated / published - 1.0)).filter(|difference| difference.is_finite())
    }

    /// Both numbers are known.
    #[must_use]
    pub fn is_compared(&self) -> bool {
        self.published.is_some() && self.simulated.is_some()
    }
}

/// A parameter of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenParameter {
    /// Tables and key, with points between.
    pub path: String,
    /// As written, with its unit; of what is varied, that of the first point.
    pub value: String,
    /// Where it comes from; `None` where the file does not say.
    pub origin: Option<String>,
    /// It is varied.
    pub is_swept: bool,
    /// It stands in the catalogue of devices.
    pub of_catalogue: bool,
}

impl GivenParameter {
    /// The result that it was fitted to, as its origin has it; `None` where it was not.
    #[must_use]
    pub fn fitted_to(&self) -> Option<&str> {
        let origin = self.origin.as_deref()?;
        let (word, to) = origin.split_at_checked("fitted".len())?;
        word.eq_ignore_ascii_case("fitted").then(|| to.trim_start_matches([':', ' ', ',']).trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_by_what_they_say() {
        let same = |a: &str, b: &str| SweptValue::of(a).is(&SweptValue::of(b));
        assert!(same("0.50 %", "0.5 %") && same("Normal", "normal") && same("128 KiB", "128 kib"));
        assert!(!same("1 MiB", "1 KiB") && !same("1", "10") && !same("normal", "high"));
    }

    #[test]
    fn a_published_nothing_lost_its_bound() {
        let row = |simulated: f64| PublishedRow {
            figure: 0,
            at: String::new(),
            origin: String::new(),
            published: Some(0.0),
            simulated: Some(simulated),
            difference_pct: PublishedRow::difference(0.0, simulated),
            within_pct: Some(1.0),
            fitted: Vec::new(),
            beside: Beside::Published,
        };
        assert_eq!((row(1_000.0).difference_pct, row(1_000.0).holds()), (None, Some(false)));
        assert_eq!((row(0.0).difference_pct, row(0.0).holds()), (Some(0.0), Some(true)));
        // What was not run is neither.
        assert_eq!(PublishedRow { published: Some(64.0), simulated: None, ..row(1.0) }.holds(), None);
    }

    #[test]
    fn what_was_fitted_says_to_what() {
        let given = |origin: &str| GivenParameter {
            path: "device.disk.outer_rate".to_owned(),
            value: "38.6 MB/s".to_owned(),
            origin: Some(origin.to_owned()),
            is_swept: false,
            of_catalogue: false,
        };
        assert_eq!(given("fitted: a scan of degree 1").fitted_to(), Some("a scan of degree 1"));
        assert_eq!(given("Fitted to a scan").fitted_to(), Some("to a scan"));
        assert_eq!(given("data sheet").fitted_to(), None);
        assert_eq!(given("é").fitted_to(), None);
    }
}
