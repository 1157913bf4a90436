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

/// Is it a log of histograms (`write_hist_log`): `time, direction, block size` and the counts of all buckets?
pub(super) fn is_of_histograms(head: &str) -> bool {
    // The last line of what is looked at may be cut.
    let whole = head.rfind('\n').map_or("", |end| &head[..end]);
    let mut rows = whole.lines().take(LOOKED_AT).peekable();
    rows.peek().is_some()
        && rows.all(|row| {
            let mut cells = row.trim_end().split(", ");
            let mut number = || cells.next().and_then(|c| c.parse::<u64>().ok());
            let begins = matches!((number(), number(), number()), (Some(_), Some(0..=2), Some(_)));
            begins && cells.clone().count() >= FEWEST_BUCKETS && cells.all(|c| c.parse::<u64>().is_ok())
        })
}

/// Buckets are coarsened by halves from 1,216 (2.x) or 1,856 on, six times at most.
const FEWEST_BUCKETS: usize = 19;

/// Refuses it.
pub(super) fn read(head: &str) -> StorageReading {
    if is_of_histograms(head) {
        let why = "it is a log of fio's histograms (write_hist_log), whose buckets have no bounds in it: give the result of \
                   the same run as JSON with its buckets (--output-format=json+)";
        return StorageReading { results: Vec::new(), refused: Some(why.to_owned()) };
    }
    let why = "it is a log of fio, and does not say whether of a bandwidth, a rate or a latency, nor in which unit: give the \
               result of the same run as JSON (--output-format=json)";
    StorageReading { results: Vec::new(), refused: Some(why.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::{is_it, is_of_histograms};

    #[test]
    fn a_log_of_histograms_was_not_known_for_what_it_is() {
        let row = |time: u32, buckets: usize| format!("{time}, 0, 4096, {}\n", vec!["3"; buckets].join(", "));
        let log = row(1_000, 1_856) + &row(2_000, 1_856);
        assert!(is_of_histograms(&log) && !is_it(&log));
        // Of coarse ones, and the last one cut.
        assert!(is_of_histograms(&(row(1_000, 29) + "2000, 1, 40")));
        for not in ["1, 11, 0, 4096\n", "", "a, 0, 4096, 1\n", &row(1, 10)] {
            assert!(!is_of_histograms(not), "{not}");
        }
    }

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
