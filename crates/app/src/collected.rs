//! Opening what `spindle collect` gathers, or lists of segments and plans made otherwise, as reports
//! are opened: files, folders, patterns, archives, standard input.

use crate::Request;
use crate::input::{self, Limits, Progress, Unread};
use crate::masking::Masker;
use spindle_facts::Collected;

/// Reads every list behind the arguments, in their order; and what was not read.
#[must_use]
pub fn collected(request: &Request, progress: &dyn Progress) -> (Vec<Collected>, Vec<Unread>) {
    let limits = Limits { looks_like_report: spindle_evidence::looks_like_collected, ..request.limits };
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    let read = |source: &str, bytes: &[u8], emit: &mut dyn FnMut(Collected) -> bool| {
        let reading = spindle_evidence::read_collected(source, bytes);
        if let Some(one) = reading.collected {
            emit(one);
        }
        reading.refused
    };
    input::read_texts(
        request,
        &limits,
        progress,
        read,
        |one| one,
        |result: Result<Collected, Unread>| {
            match result {
                Ok(one) => found.push(one),
                Err(one) => unread.push(one),
            }
            true
        },
    );
    if request.mask {
        let mut masker = Masker::default();
        unread.iter_mut().for_each(|one| masker.unread(one));
    }
    (found, unread)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::collected;
    use crate::{Limits, NoProgress, Request};
    use std::io::Write;

    #[test]
    fn packed_files_and_foreign_ones_in_a_folder() {
        let folder = std::env::temp_dir().join(format!("spindle-collected-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let text = "SPINDLE|1|segments\nB|segments|SEGMENT_NAME|BYTES\nD|A|1\nE|segments|1\nZ|segments\n";
        let packed = std::fs::File::create(folder.join("a.txt.gz")).unwrap();
        let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap();
        std::fs::write(folder.join("b.txt"), "WORKLOAD REPOSITORY report for\n").unwrap();
        let request =
            Request { inputs: vec![folder.clone()], mask: false, limits: Limits::default(), output: None };
        let (found, unread) = collected(&request, &NoProgress);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].segments[0].segment, "A");
        assert_eq!(unread.len(), 1);
        assert!(unread[0].reason.starts_with("an AWR report"), "{}", unread[0].reason);
    }
}
