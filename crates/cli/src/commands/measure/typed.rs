//! What is typed behind the options of `spindle measure`, made into values. What is no such value is answered with
//! what may stand there; the option and what was typed are named before that.

use spindle_planning::{parse_bytes, parse_latency};

/// A whole number between two others, both of them allowed.
pub(super) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse::<u64>().ok().filter(|n| (least..=most).contains(n));
        number.and_then(|n| T::try_from(n).ok()).ok_or_else(|| match text.trim() {
            "" => "no number stands there: leave out a comma too many, or give one".to_owned(),
            _ => format!("it is no whole number from {least} to {most}"),
        })
    }
}

/// A length of time above zero, microseconds.
pub(super) fn time(text: &str) -> Result<f64, String> {
    parse_latency(text).map_err(|_| {
        "it is no time above zero in ns, us, ms, s, min or h; write for example 30s or 500ms".to_owned()
    })
}

/// The same, or none at all: `0`, `0s`.
pub(super) fn pause(text: &str) -> Result<f64, String> {
    let unit = text.trim().trim_start_matches('0');
    if text.trim().starts_with('0') && ["", "ns", "us", "ms", "s", "min", "h"].contains(&unit) {
        return Ok(0.0);
    }
    parse_latency(text).map_err(|_| {
        "it is no time in ns, us, ms, s, min or h; write for example 5s or 10ms, or 0 for none".to_owned()
    })
}

/// Size of a request: bytes, or such as `8K`.
pub(super) fn size(text: &str) -> Result<u32, String> {
    bytes_of(text, 512, 64 << 20)
        .ok_or_else(|| "it is no size from 512 bytes to 64 MiB; write for example 8192 or 8K".to_owned())
}

/// Redo of a commit: `500`, `8K`.
pub(super) fn redo(text: &str) -> Result<u32, String> {
    bytes_of(text, 1, 1 << 20).ok_or_else(|| {
        "it is no size from 1 byte to 1 MiB, which a commit may have; write for example 500 or 8K".to_owned()
    })
}

/// Whole bytes between two bounds, with a unit or without.
fn bytes_of(text: &str, least: u32, most: u32) -> Option<u32> {
    let bytes = text.trim().parse::<f64>().ok().or_else(|| parse_bytes(text).ok())?;
    let fits = (f64::from(least)..=f64::from(most)).contains(&bytes) && bytes.fract() == 0.0;
    fits.then_some(bytes as u32)
}

/// Where something begins: `0`, bytes, or such as `100G`.
pub(super) fn offset(text: &str) -> Result<f64, String> {
    let bare = text.trim().parse::<u64>().ok().map(|bytes| bytes as f64);
    bare.or_else(|| parse_bytes(text).ok())
        .ok_or_else(|| "it is no place in bytes; write for example 0, 8192 or 100G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_numbers_spoke_of_digits_and_types() {
        let few = whole::<u32>(1, 64);
        assert_eq!((few("1"), few(" 64 ")), (Ok(1), Ok(64)));
        for text in ["0", "65", "x", "-5", "1e3", "99999999999999999999"] {
            assert_eq!(few(text), Err("it is no whole number from 1 to 64".to_owned()), "{text}");
        }
        assert!(few("").is_err_and(|why| why.contains("comma")));
    }

    #[test]
    fn no_warm_up_and_a_place_at_the_beginning_were_refused() {
        assert_eq!((pause("0s"), pause("0"), pause("5ms")), (Ok(0.0), Ok(0.0), Ok(5_000.0)));
        assert_eq!((pause("0min"), time("2min")), (Ok(0.0), Ok(120e6)));
        assert_eq!((offset("0"), offset("8192"), offset("1M")), (Ok(0.0), Ok(8_192.0), Ok(1_048_576.0)));
        assert!(time("0s").is_err() && time("10").is_err() && pause("10").is_err());
        assert!(offset("-1").is_err() && offset("x").is_err());
    }

    #[test]
    fn sizes_have_a_unit_or_are_bytes() {
        assert_eq!((size("8192"), size("8K"), size("64M")), (Ok(8_192), Ok(8_192), Ok(64 << 20)));
        assert_eq!((redo("500"), redo("1M")), (Ok(500), Ok(1 << 20)));
        for text in ["0", "3", "512.5", "-8K", "65M", "x", "NaN", ""] {
            assert!(size(text).is_err_and(|why| why.contains("64 MiB")), "{text}");
        }
    }
}
