//! How much the intervals of one state differ, and how alike neighbours are: what every test of this
//! folder is held against.
//!
//! Neighbours that differ little while the series wanders far make few independent intervals of many. The
//! likeness is read from ranks, so that one odd hour does not decide it; the spread from differences of
//! neighbours, which neither a cycle nor a change of level widens by much.

/// Pairs of consecutive intervals below which their likeness cannot be measured.
pub(crate) const PAIRS: usize = 6;
/// Likeness is taken this many of its standard errors above what is seen: a short series shows too little
/// of it.
const ABOVE: f64 = 2.0;
/// Lags that are looked at.
const LAGS: usize = 48;
/// Neighbours more alike than this are taken as so much alike.
const MOST_ALIKE: f64 = 0.95;
/// Median of the square of a standard normal number.
const MEDIAN_SQUARE: f64 = 0.4549;

/// What is left in the last digits of a sum of products is no difference: ten digits count.
pub(crate) fn counted(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let magnitude = value.abs().log10().floor();
    #[allow(clippy::cast_possible_truncation, reason = "exponents of f64 are small")]
    let unit = 10f64.powi(9 - magnitude as i32);
    let rounded = (value * unit).round() / unit;
    if rounded.is_finite() { rounded } else { value }
}

/// The value in the middle; `NAN` of none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n => f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
    }
}

/// Mean square of differences, without the largest tenth of them.
pub(crate) fn trimmed_square(squares: &[f64]) -> f64 {
    let mut squares = squares.to_vec();
    squares.sort_by(f64::total_cmp);
    let kept = squares.len() - squares.len() / 10;
    squares[..kept].iter().sum::<f64>() / kept.max(1) as f64
}

/// Mean square of differences as most of them have it: changes of level and bursts are few.
pub(crate) fn usual_square(squares: &[f64]) -> f64 {
    median(squares) / MEDIAN_SQUARE
}

/// Logarithms where every value has one, since load multiplies: a step is then the same at any hour.
pub(crate) fn height(value: f64, positive: bool) -> f64 {
    if positive { value.ln() } else { value }
}

/// Differences below this part of the values, or of one in logarithms, are those of their last digits.
const GRAIN: f64 = 1e-9;

/// Heights about a level, without what is in their last digits alone: equal values are equal.
pub(crate) fn about(heights: &[f64], level: f64, positive: bool) -> Vec<f64> {
    let grain = GRAIN * if positive { 1.0 } else { heights.iter().map(|v| v.abs()).fold(0.0, f64::max) };
    let rounded = |v: &f64| if grain > 0.0 { ((v - level) / grain).round() * grain } else { 0.0 };
    heights.iter().map(rounded).collect()
}

/// How one state varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Noise {
    /// Factor by which the likeness of neighbours widens the variance of a mean; `None` where there are too
    /// few neighbours to see it.
    pub(crate) inflation: Option<f64>,
    /// Standard deviation of one interval, in the unit of the values given (heights).
    pub(crate) spread: f64,
    /// The same as most neighbours have it: bursts and changes of level are not in it.
    pub(crate) usual: f64,
}

/// Of stretches of consecutive intervals, each about the level of its side.
pub(crate) fn noise(runs: &[Vec<f64>]) -> Noise {
    let pairs = || runs.iter().flat_map(|run| run.windows(2));
    let squares: Vec<f64> = pairs().map(|p| (p[1] - p[0]) * (p[1] - p[0])).collect();
    let count = squares.len();
    if count < PAIRS {
        return Noise { inflation: None, spread: f64::NAN, usual: f64::NAN };
    }
    let mut sorted: Vec<f64> = runs.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.first() == sorted.last() {
        // What does not vary has nothing that neighbours could share.
        return Noise { inflation: Some(1.0), spread: 0.0, usual: 0.0 };
    }
    let rank = |v: f64| {
        (sorted.partition_point(|o| *o < v) + sorted.partition_point(|o| *o <= v)) as f64
            - sorted.len() as f64
    };
    let square: f64 = sorted.iter().map(|v| rank(*v).powi(2)).sum::<f64>() / sorted.len() as f64;
    let ranks: Vec<Vec<f64>> = runs.iter().map(|run| run.iter().map(|v| rank(*v)).collect()).collect();
    let likeness = |lag: usize| {
        let products =
            || ranks.iter().flat_map(|run| run.iter().zip(run.iter().skip(lag)).map(|(a, b)| a * b));
        let count = products().count();
        (count >= PAIRS).then(|| products().sum::<f64>() / count as f64 / square)
    };
    let seen = likeness(1).unwrap_or(0.0);
    // Taken about their own mean, n values show about (1 + 3 r) / n too little.
    let full = seen + (1.0 + 3.0 * seen.max(0.0)) / count as f64;
    let error = ((1.0 - seen * seen).max(0.0) / count as f64).sqrt();
    let r = (full + ABOVE * error).clamp(0.0, MOST_ALIKE);
    // Rounded values are less alike than what they round, and stay so for longer: the sum over all lags from
    // the first on that show any.
    let shown = 1.0 / (count as f64).sqrt();
    let lags = (1..=(count / 4).min(LAGS)).map_while(|lag| likeness(lag).filter(|r| *r > shown));
    let of_lags = 1.0 + 2.0 * lags.sum::<f64>();
    let trimmed = 1.3 * trimmed_square(&squares);
    let (usual, one) = (usual_square(&squares), usual_square(&squares).max(trimmed));
    // More than half of the neighbours may be equal, and the others not.
    let usual = if usual > 0.0 { usual } else { trimmed };
    let of = |square: f64| (square / (2.0 * (1.0 - r))).sqrt();
    Noise { inflation: Some(((1.0 + r) / (1.0 - r)).max(of_lags)), spread: of(one), usual: of(usual) }
}
