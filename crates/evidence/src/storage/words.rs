//! Numbers with units as the tools print them.

/// A plain number, not below zero; `None` for anything else, `nan` and `inf` among it.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = text.parse().ok().filter(|_| digits && !text.is_empty())?;
    value.is_finite().then_some(value)
}

/// A number with a letter for thousands behind it: `10.2k`, `4286.5k`, `1.5M`; thousands are `kilo`.
pub(super) fn scaled(text: &str, kilo: f64) -> Option<f64> {
    let text = text.trim();
    let power = |letter: char| "kmgtp".find(letter.to_ascii_lowercase()).and_then(|n| i32::try_from(n).ok());
    match text.chars().last().and_then(power) {
        Some(n) => Some(number(&text[..text.len() - 1])? * kilo.powi(n + 1)),
        None => number(text),
    }
}

/// How far a printed number may be from the true one: half of its last digit.
pub(super) fn half_digit(text: &str) -> f64 {
    let digits = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '/');
    match digits.split_once('.') {
        Some((_, decimals)) => 0.5 * 0.1_f64.powi(i32::try_from(decimals.len()).unwrap_or(9)),
        None => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_numbers() {
        assert_eq!(number(" 12.5 "), Some(12.5));
        for none in ["", "-1", "nan", "inf", "1e9", "12,5", "####", "."] {
            assert_eq!(number(none), None, "{none}");
        }
    }

    #[test]
    fn letters_are_thousands() {
        assert_eq!(scaled("10.2k", 1_000.0), Some(10_200.0));
        assert_eq!(scaled("2M", 1_024.0), Some(2_097_152.0));
        assert_eq!(scaled("77", 1_000.0), Some(77.0));
        assert_eq!((scaled("k", 1_000.0), scaled("-1k", 1_000.0)), (None, None));
        assert!((half_digit("10.2k") - 0.05).abs() < 1e-12 && (half_digit("7") - 0.5).abs() < 1e-12);
    }
}
