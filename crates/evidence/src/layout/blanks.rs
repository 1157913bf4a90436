//! Which bytes of a line are blank, as bits: whether a line fits a ruler is one comparison then, and
//! the ends of each cell are two more.

/// Widest line that is looked at in this way.
const WIDEST: usize = 256;
const WORDS: usize = WIDEST / 64;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A bit for every byte that is not blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filled([u64; WORDS]);

impl Filled {
    /// Of an ASCII text; `None` where it is too wide, or holds tabs and the like, which are trimmed
    /// from cells though they are no blanks.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        if text.len() > WIDEST {
            return None;
        }
        let mut words = [0; WORDS];
        let mut control = 0;
        for (word, piece) in words.iter_mut().zip(text.as_bytes().chunks(64)) {
            let (eights, rest) = piece.as_chunks::<8>();
            let mut shift = 0;
            for eight in eights {
                let (bits, odd) = of_eight(*eight);
                *word |= bits << shift;
                control |= odd;
                shift += 8;
            }
            if !rest.is_empty() {
                let mut last = [b' '; 8];
                last[..rest.len()].copy_from_slice(rest);
                let (bits, odd) = of_eight(last);
                *word |= bits << shift;
                control |= odd;
            }
        }
        (control == 0).then_some(Self(words))
    }

    /// All bytes in some ranges; `None` where one is too wide.
    pub(super) fn of_ranges(ranges: impl Iterator<Item = (usize, usize)>) -> Option<Self> {
        let mut words = [0; WORDS];
        for (from, to) in ranges {
            if to > WIDEST {
                return None;
            }
            for at in from..to {
                words[at / 64] |= 1 << (at % 64);
            }
        }
        Some(Self(words))
    }

    /// Is a byte filled in both?
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Where the first filled byte of a range stands, and where the last one ends; the same place
    /// twice where all is blank.
    pub(super) fn ends_in(&self, from: usize, to: usize) -> (usize, usize) {
        let to = to.min(WIDEST);
        if from >= to {
            return (0, 0);
        }
        let (low, high) = (from / 64, (to - 1) / 64);
        let head = !0_u64 << (from % 64);
        let tail = !0_u64 >> (63 - (to - 1) % 64);
        if low == high {
            let bits = self.0[low] & head & tail;
            return if bits == 0 { (0, 0) } else { (low * 64 + first(bits), low * 64 + end(bits)) };
        }
        let masked = |word: usize| {
            let bits = self.0[word];
            let bits = if word == low { bits & head } else { bits };
            if word == high { bits & tail } else { bits }
        };
        let mut filled = (low..=high).filter(|word| masked(*word) != 0);
        let Some(least) = filled.next() else {
            return (0, 0);
        };
        let most = filled.next_back().unwrap_or(least);
        (least * 64 + first(masked(least)), most * 64 + end(masked(most)))
    }
}

fn first(bits: u64) -> usize {
    bits.trailing_zeros() as usize
}

fn end(bits: u64) -> usize {
    64 - bits.leading_zeros() as usize
}

/// A bit for each of eight bytes that is not blank, lowest first; and something else than 0 where one is
/// a control character.
fn of_eight(bytes: [u8; 8]) -> (u64, u64) {
    let bytes = u64::from_le_bytes(bytes);
    // The high bit of each byte that is not zero.
    let not_zero = |x: u64| (((x & !HIGH) + !HIGH) | x) & HIGH;
    let filled = not_zero(bytes ^ (ONES * u64::from(b' ')));
    let control = !not_zero(bytes & (ONES * 0xE0)) & HIGH;
    // The multiplication brings the eight high bits together at the top.
    (((filled >> 7).wrapping_mul(0x0102_0408_1020_4080)) >> 56, control)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tabs_and_wide_lines_are_left_to_others() {
        assert_eq!(Filled::of_text("a\tb"), None);
        assert_eq!(Filled::of_text(&"a".repeat(257)), None);
        assert_eq!(Filled::of_ranges([(250, 257)].into_iter()), None);
    }

    proptest! {
        #[test]
        fn cells_are_those_of_slicing_and_trimming(
            text in "[ -~]{0,20}( {1,30}[!-~]{0,20}){0,12}",
            from in 0_usize..270,
            length in 0_usize..120,
        ) {
            let text = &text[..text.len().min(256)];
            let filled = Filled::of_text(text).unwrap();
            let (start, end) = filled.ends_in(from, from + length);
            let cut = text.get(from.min(text.len())..(from + length).min(text.len())).unwrap();
            prop_assert_eq!(&text[start..end], cut.trim_ascii());
            let gap = Filled::of_ranges([(from.min(256), (from + length).min(256))].into_iter()).unwrap();
            prop_assert_eq!(filled.meets(&gap), !cut.trim_ascii().is_empty());
        }
    }
}
