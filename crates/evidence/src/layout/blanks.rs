//! Which bytes of a line are blank, as bits: whether a line fits a ruler is one comparison then, and
//! the ends of each cell are two more.

/// Widest line that is looked at in this way; reports are 80 wide, their widest tables 132.
const WIDEST: usize = 128;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A bit for every byte that is not blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filled(u128);

impl Filled {
    /// Of an ASCII text; `None` where it is too wide, or holds tabs and the like, which are trimmed
    /// from cells though they are no blanks.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        if text.len() > WIDEST {
            return None;
        }
        let mut words = [0_u64; 2];
        let mut plain = HIGH;
        for (word, piece) in words.iter_mut().zip(text.as_bytes().chunks(64)) {
            let (eights, rest) = piece.as_chunks::<8>();
            let mut shift = 0;
            for eight in eights {
                let (bits, no_control) = of_eight(*eight);
                *word |= bits << shift;
                plain &= no_control;
                shift += 8;
            }
            if !rest.is_empty() {
                let mut last = [b' '; 8];
                last[..rest.len()].copy_from_slice(rest);
                let (bits, no_control) = of_eight(last);
                *word |= bits << shift;
                plain &= no_control;
            }
        }
        (plain == HIGH).then_some(Self(u128::from(words[1]) << 64 | u128::from(words[0])))
    }

    /// All bytes of a range, as far as a line that is looked at in this way reaches.
    pub(super) fn of_range(from: usize, to: usize) -> Self {
        let below = |end: usize| if end < WIDEST { (1_u128 << end) - 1 } else { !0 };
        Self(below(to) & !below(from))
    }

    /// What is filled in either.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Is a byte filled in both?
    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Where the first byte filled in both stands, and where the last one ends; the same place twice
    /// where there is none.
    pub(super) fn ends_in(self, range: Self) -> (usize, usize) {
        let bits = self.0 & range.0;
        if bits == 0 {
            return (0, 0);
        }
        (bits.trailing_zeros() as usize, WIDEST - bits.leading_zeros() as usize)
    }
}

/// Of eight ASCII bytes: a bit for each that is above a blank, lowest first; and the high bit of each that is
/// no control character.
fn of_eight(bytes: [u8; 8]) -> (u64, u64) {
    let bytes = u64::from_le_bytes(bytes);
    // The high bit of a byte is free: adding what is missing to 128 sets it, and carries no further.
    let above = |below: u8| bytes.wrapping_add(ONES * u64::from(128 - below)) & HIGH;
    // The multiplication brings the eight high bits together at the top.
    (above(b' ' + 1).wrapping_mul(0x0002_0408_1020_4081) >> 56, above(b' '))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tabs_and_wide_lines_are_left_to_others() {
        assert_eq!(Filled::of_text("a\tb"), None);
        assert_eq!(Filled::of_text(&"a".repeat(129)), None);
    }

    proptest! {
        #[test]
        fn cells_are_those_of_slicing_and_trimming(
            text in "[ -~]{0,20}( {1,30}[!-~]{0,20}){0,12}",
            from in 0_usize..140,
            length in 0_usize..120,
        ) {
            let text = &text[..text.len().min(128)];
            let filled = Filled::of_text(text).unwrap();
            let range = Filled::of_range(from, from + length);
            let (start, end) = filled.ends_in(range);
            let cut = text.get(from.min(text.len())..(from + length).min(text.len())).unwrap();
            prop_assert_eq!(&text[start..end], cut.trim_ascii());
            prop_assert_eq!(filled.meets(range), !cut.trim_ascii().is_empty());
        }
    }
}
