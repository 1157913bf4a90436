//! Where a cell begins and ends between its blanks, eight bytes at a time.

const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);

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

/// Is the part of a line from one place to another blank, as far as the line goes?
pub(super) fn is_blank(line: &[u8], from: usize, to: usize) -> bool {
    let to = to.min(line.len());
    from >= to || line[from..to].iter().all(|b| *b == b' ')
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
            prop_assert_eq!(is_blank(text.as_bytes(), from, from + length), cut.bytes().all(|b| b == b' '));
        }
    }
}
