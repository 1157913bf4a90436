//! fio's logs: `time, value, direction, block size`, of a bandwidth, a rate or a latency.
//!
//! Nothing in such a file says which of them it holds, nor its unit, which release 3 changed for latencies. The name
//! of the file does, and a name is no content; so it is known for what it is, and refused.

use super::StorageReading;

/// Lines that are looked at.
const LOOKED_AT: usize = 50;

/// Is it a log of fio?
pub(super) fn is_it(head: &str) -> bool {
    let mut last = 0;
    let mut lines = 0;
    // The last line of what is looked at may be cut.
    let whole = head.rfind('\n').map_or("", |end| &head[..end]);
    for row in whole.lines().take(LOOKED_AT) {
        let mut cells = row.trim_end().split(", ");
        let mut whole =
            || cells.next().filter(|c| c.bytes().all(|b| b.is_ascii_digit())).and_then(|c| c.parse().ok());
        let (Some(time), Some(_), Some(direction), Some(_)) = (whole(), whole(), whole(), whole()) else {
            return false;
        };
        // Several jobs in one file begin anew; one alone never goes back.
        if direction > 2_u64 || (time < last && time > last / 2) {
            return false;
        }
        // An offset, a priority.
        if cells.any(|cell| cell.is_empty() || !cell.bytes().all(|b| b.is_ascii_hexdigit() || b == b'x')) {
            return false;
        }
        last = time;
        lines += 1;
    }
    lines >= 3
}

/// Refuses it.
pub(super) fn read() -> StorageReading {
    let why = "it is a log of fio, and does not say whether of a bandwidth, a rate or a latency, nor in which unit: give the \
               result of the same run as JSON (--output-format=json)";
    StorageReading { results: Vec::new(), refused: Some(why.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::is_it;

    #[test]
    fn lines_of_a_log_are_known_and_other_numbers_are_not() {
        assert!(is_it("250, 339794, 1, 0\n500, 332624, 1, 0\n750, 340164, 1, 0\n10"));
        assert!(is_it("1, 11, 0, 4096, 8192, 0x4004\n1, 12, 1, 4096, 0, 0\n2, 9, 0, 4096, 4096, 0\n"));
        for not in [
            "1, 2, 3, 4\n2, 2, 3, 4\n3, 2, 3, 4\n",
            "1,2,0,4\n2,2,0,4\n3,2,0,4\n",
            "1, 2, 0, 4\n2, 2, 0, 4\n",
            "a, 2, 0, 4\n2, 2, 0, 4\n3, 2, 0, 4\n",
            "",
        ] {
            assert!(!is_it(not), "{not}");
        }
    }
}
