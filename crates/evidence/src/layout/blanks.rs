//! Where a cell begins and ends between its blanks, many bytes at a time.

use std::num::NonZeroU64;
use wide::{CmpEq, CmpGt, i8x16};

const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);

/// Lines are longer only in reports that compare periods, and in statements.
const MOST_BYTES: usize = 256;
/// One word more than lines have, so that what spans two words needs no question.
const WORDS: usize = MOST_BYTES / 64 + 1;

/// A bit for each byte of a line, the first lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: [u64; WORDS],
}

impl Bits {
    /// Which bytes of a line are no blank; `None` where it is long, or holds more than ASCII or control
    /// characters.
    #[inline(always)]
    pub(super) fn filled(line: &[u8]) -> Option<Self> {
        Self::of(line, of_sixteen)
    }

    /// The bits of a line, sixteen bytes at a time; `None` where it is long, or any byte is odd.
    #[inline(always)]
    fn of(line: &[u8], of_sixteen: impl Fn(&[u8; 16], &mut i8x16) -> u64) -> Option<Self> {
        let mut all = Self::default();
        if line.len() > MOST_BYTES {
            return None;
        }
        let (sixteens, rest) = line.as_chunks::<16>();
        let (blocks, sixteens) = sixteens.as_chunks::<4>();
        let mut odd = i8x16::ZERO;
        let mut words = all.words.iter_mut();
        for (block, word) in blocks.iter().zip(&mut words) {
            for (at, sixteen) in block.iter().enumerate() {
                *word |= of_sixteen(sixteen, &mut odd) << (16 * at);
            }
        }
        let mut last = 0;
        for (at, sixteen) in sixteens.iter().enumerate() {
            last |= of_sixteen(sixteen, &mut odd) << (16 * at);
        }
        if !rest.is_empty() {
            let bits = match line.last_chunk::<16>() {
                Some(end) => of_sixteen(end, &mut odd) >> (16 - rest.len()),
                None => of_sixteen(&padded(rest), &mut odd),
            };
            last |= bits << (16 * sixteens.len());
        }
        if let Some(word) = words.next() {
            *word = last;
        }
        (odd.move_mask() == 0).then_some(all)
    }

    /// Adds the bytes from one place to another, as far as bits go.
    pub(super) fn add(&mut self, from: usize, to: usize) {
        for at in from..to.min(MOST_BYTES) {
            self.words[at / 64] |= 1 << (at % 64);
        }
    }

    /// Is a byte in both?
    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).fold(0, |both, (a, b)| both | a & b) != 0
    }

    /// The part where a cell stands, without the blanks around it: where that begins and ends.
    #[inline]
    pub(super) fn within(&self, cell: Cell) -> Option<(usize, usize)> {
        let bits = NonZeroU64::new(self.part(cell))?;
        let (from, end) = (bits.trailing_zeros() as usize, bits.leading_zeros() as usize);
        Some((cell.from + from, cell.from + 64 - end))
    }

    /// Are two bytes beside each other missing between two places at most 64 apart? Further apart they may be.
    pub(super) fn holds_two_blanks(&self, from: usize, to: usize) -> bool {
        let Some(cell) = Cell::new(from, to) else { return true };
        let blank = !self.part(cell) & cell.bits;
        blank & blank >> 1 != 0
    }

    /// The part where a cell stands, its first byte lowest.
    #[inline]
    fn part(&self, cell: Cell) -> u64 {
        let (word, shift) = (usize::from(cell.word) % (WORDS - 1), cell.shift % 64);
        // The part in the next word moves to the top: by 64 in two steps where nothing of it is in this one.
        (self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift)) & cell.bits
    }

    /// Calls `found` for each run of bytes with where it begins and ends.
    pub(super) fn runs(&self, mut found: impl FnMut(usize, usize)) {
        let (mut before, mut start) = (0, None);
        // The last word is empty, and ends what reaches to it.
        for (word, from) in self.words.iter().zip((0..).step_by(64)) {
            // Where a run begins, and behind its end.
            let mut edges = word ^ (word << 1 | before);
            before = word >> 63;
            while edges != 0 {
                let at = from + edges.trailing_zeros() as usize;
                edges &= edges - 1;
                match start.take() {
                    Some(start) => found(start, at),
                    None => start = Some(at),
                }
            }
        }
    }

    /// How many runs of bytes there are.
    pub(super) fn count_runs(&self) -> u32 {
        let mut before = 0;
        let mut runs = 0;
        for word in self.words {
            runs += (word & !(word << 1 | before)).count_ones();
            before = word >> 63;
        }
        runs
    }
}

/// Where a cell of at most 64 bytes stands in a line of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    from: usize,
    /// A bit for each byte of it, the first lowest.
    bits: u64,
    /// The word in which it begins, and the place in that.
    word: u8,
    shift: u8,
}

impl Cell {
    /// `None` where it is wider, or beyond the bits.
    pub(super) fn new(from: usize, to: usize) -> Option<Self> {
        let width = to.checked_sub(from)?;
        let bits = if width < 64 { !(u64::MAX << width) } else { u64::MAX };
        let word = u8::try_from(from / 64).ok()?;
        (width <= 64 && from < MOST_BYTES).then_some(Self { from, bits, word, shift: (from % 64) as u8 })
    }
}

/// Of sixteen bytes, the first lowest: a bit for each that is above a blank. Those that are control characters
/// or no ASCII are marked in `odd`.
#[inline]
fn of_sixteen(bytes: &[u8; 16], odd: &mut i8x16) -> u64 {
    // Bytes count as signed: what is no ASCII is below a blank.
    let (bytes, blank) = (i8x16::new(bytes.map(u8::cast_signed)), i8x16::splat(0x20));
    *odd |= blank.cmp_gt(bytes);
    u64::from(bytes.cmp_gt(blank).move_mask().cast_unsigned())
}

/// The last bytes of a line of fewer than sixteen, with blanks behind them.
#[inline]
fn padded(rest: &[u8]) -> [u8; 16] {
    let mut end = [b' '; 16];
    end.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    end
}

/// Calls `line` with where each line of a text ends, the end of the text among them, as long as it wants more.
#[inline(always)]
pub(super) fn each_line_end(text: &[u8], mut line: impl FnMut(usize) -> bool) {
    let (blocks, rest) = text.as_chunks::<64>();
    let mut last = [b' '; 64];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    // The end of the text, behind the last byte.
    last[rest.len()] = b'\n';
    for at in 0..blocks.len() + 1 {
        let mut ends = ends_in(blocks.get(at).unwrap_or(&last));
        while ends != 0 {
            if !line(at * 64 + ends.trailing_zeros() as usize) {
                return;
            }
            ends &= ends - 1;
        }
    }
}

/// Is a line nothing but blanks and a mark?
pub(super) fn is_only(line: &[u8], mark: u8) -> bool {
    let (mark, blank) = (i8x16::splat(mark.cast_signed()), i8x16::splat(0x20));
    let odd_in = |odd: i8x16, sixteen: &[u8; 16]| {
        let bytes = i8x16::new(sixteen.map(u8::cast_signed));
        odd | !(bytes.cmp_eq(mark) | bytes.cmp_eq(blank))
    };
    let (sixteens, rest) = line.as_chunks::<16>();
    let mut odd = sixteens.iter().fold(i8x16::ZERO, odd_in);
    if !rest.is_empty() {
        odd = match line.last_chunk::<16>() {
            Some(end) => odd_in(odd, end),
            None => odd_in(odd, &padded(rest)),
        };
    }
    odd.move_mask() == 0
}

/// Of 64 bytes, the first lowest: a bit for each that ends a line.
#[inline]
fn ends_in(block: &[u8; 64]) -> u64 {
    let end = i8x16::splat(b'\n'.cast_signed());
    let (sixteens, _) = block.as_chunks::<16>();
    sixteens.iter().rev().fold(0, |bits, sixteen| {
        let ends = i8x16::new(sixteen.map(u8::cast_signed)).cmp_eq(end);
        bits << 16 | u64::from(ends.move_mask().cast_unsigned())
    })
}

/// Does any of these marks stand in a text?
#[inline]
pub(super) fn holds<const N: usize>(text: &[u8], marks: [u8; N]) -> bool {
    let marks = marks.map(|mark| i8x16::splat(mark.cast_signed()));
    let found_in = |found: i8x16, sixteen: &[u8; 16]| {
        let bytes = i8x16::new(sixteen.map(u8::cast_signed));
        marks.iter().fold(found, |found, mark| found | bytes.cmp_eq(*mark))
    };
    let (sixteens, rest) = text.as_chunks::<16>();
    let mut found = sixteens.iter().fold(i8x16::ZERO, found_in);
    if !rest.is_empty() {
        found = match text.last_chunk::<16>() {
            Some(end) => found_in(found, end),
            None => found_in(found, &padded(rest)),
        };
    }
    found.move_mask() != 0
}

/// Do two blanks stand beside each other in a text?
pub(super) fn holds_two(text: &[u8]) -> bool {
    const LOW: u64 = u64::from_le_bytes([0x7F; 8]);
    let mut at = 0;
    // Eight bytes at a time, the last of them again as the first of the next.
    while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let others = others(*eight);
        // The highest bit of each byte that is a blank.
        let blank = !(((others & LOW) + LOW) | others | LOW);
        if blank & blank >> 8 != 0 {
            return true;
        }
        at += 7;
    }
    text[at..].windows(2).any(|pair| pair == b"  ")
}

/// How many blanks a line begins with.
#[inline]
pub(super) fn indent(line: &[u8]) -> usize {
    let mut at = 0;
    while let Some(eight) = line.get(at..).and_then(<[u8]>::first_chunk) {
        let others = others(*eight);
        at += others.trailing_zeros() as usize / 8;
        if others != 0 {
            return at;
        }
    }
    at + line[at..].iter().take_while(|b| **b == b' ').count()
}

/// Which of eight bytes are no blank, the first lowest: 0 where all are.
fn others(eight: [u8; 8]) -> u64 {
    u64::from_le_bytes(eight) ^ BLANKS
}

/// The part of an ASCII line from one place to another, without the white space around it: where that begins
/// and ends.
#[inline]
pub(super) fn filled(line: &[u8], from: usize, to: usize) -> (usize, usize) {
    let to = to.min(line.len());
    let Some([first, rest @ ..]) = line.get(from..to) else {
        return (to, to);
    };
    let mut start = from;
    if *first <= b' ' {
        while let Some(eight) = line.get(start..).and_then(<[u8]>::first_chunk) {
            let others = others(*eight);
            start += others.trailing_zeros() as usize / 8;
            if others != 0 || start >= to {
                break;
            }
        }
        while start < to && line[start] == b' ' {
            start += 1;
        }
        if start >= to {
            return (to, to);
        }
        if line[start] < b' ' {
            return trimmed(line, start, to);
        }
    }
    let mut end = to;
    if rest.last().is_some_and(|last| *last <= b' ') {
        // A byte that is no blank stands before the end.
        while let Some(eight) = line.get(..end).and_then(<[u8]>::last_chunk) {
            let others = others(*eight);
            end -= others.leading_zeros() as usize / 8;
            if others != 0 {
                break;
            }
        }
        while line[end - 1] == b' ' {
            end -= 1;
        }
        if line[end - 1] < b' ' {
            return trimmed(line, start, end);
        }
    }
    (start, end)
}

/// The same byte by byte, for tabs and the like.
#[cold]
fn trimmed(line: &[u8], from: usize, to: usize) -> (usize, usize) {
    let kept = line[from..to].trim_ascii_start();
    let start = to - kept.len();
    (start, start + kept.trim_ascii_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_are_those_of_slicing_and_trimming(
            text in "[ -~]{0,20}( {1,30}[\\t!-~]{0,20}){0,12}",
            from in 0_usize..140,
            length in 0_usize..120,
        ) {
            let (start, end) = filled(text.as_bytes(), from, from + length);
            let cut = text.get(from.min(text.len())..(from + length).min(text.len())).unwrap_or("");
            prop_assert_eq!(text.get(start..end), Some(cut.trim_ascii()));
            let bits = Bits::filled(text.as_bytes());
            let plain = text.len() <= MOST_BYTES && !text.contains('\t');
            prop_assert_eq!(bits.is_some(), plain);
            if let (Some(bits), Some(cell)) = (bits, Cell::new(from, from + length)) {
                let (start, end) = bits.within(cell).unwrap_or_default();
                prop_assert_eq!(text.get(start..end), Some(cut.trim_ascii()));
                let mut gap = Bits::default();
                gap.add(from, from + length);
                prop_assert_eq!(bits.meets(&gap), !cut.trim_ascii().is_empty());
                prop_assert_eq!(bits.holds_two_blanks(start, end), cut.trim_ascii().contains("  "));
            }
        }

        #[test]
        fn runs_of_bits_are_those_of_splitting(text in "-{0,70}( {1,40}[-~]{1,70}){0,4} {0,3}") {
            let Some(bits) = Bits::filled(text.as_bytes()) else {
                prop_assert!(text.len() > MOST_BYTES);
                return Ok(());
            };
            let words: Vec<&str> = text.split(' ').filter(|w| !w.is_empty()).collect();
            let mut runs: Vec<&str> = Vec::new();
            bits.runs(|from, to| runs.push(&text[from..to]));
            prop_assert_eq!(bits.count_runs() as usize, words.len());
            prop_assert_eq!(runs, words);
        }

        #[test]
        fn a_line_is_of_one_mark_or_not(text in "[-, .~=]{0,12}| {0,30}-{0,30}[-,\\t.M\r]? {0,9}-{0,9}") {
            for mark in [b'-', b'~', b'='] {
                let only = text.bytes().all(|b| b == b' ' || b == mark);
                prop_assert_eq!(is_only(text.as_bytes(), mark), only);
            }
        }

        #[test]
        fn marks_are_found_where_they_stand(text in "[ -~]{0,40}[:|]?[ -~]{0,20}", blanks in 0_usize..40) {
            let text = format!("{}{text}", " ".repeat(blanks));
            prop_assert_eq!(holds(text.as_bytes(), [b':']), text.contains(':'));
            prop_assert_eq!(holds(text.as_bytes(), [b':', b'|']), text.contains([':', '|']));
            prop_assert_eq!(holds_two(text.as_bytes()), text.contains("  "));
            prop_assert_eq!(holds_two(text.trim_start().as_bytes()), text.trim_start().contains("  "));
            prop_assert_eq!(indent(text.as_bytes()), text.len() - text.trim_start_matches(' ').len());
        }

        #[test]
        fn lines_end_where_splitting_ends_them(text in "([a-z]{0,90}\\n){0,9}[a-z]{0,70}(\\n{0,70})?") {
            let mut end = 0;
            let split = text.split('\n').map(|line| {
                end += line.len() + 1;
                end - 1
            });
            let split: Vec<usize> = split.collect();
            let mut ends = Vec::new();
            each_line_end(text.as_bytes(), |end| {
                ends.push(end);
                true
            });
            prop_assert_eq!(ends, split);
        }
    }
}
