//! Writes pages of hand-made reports into a folder, to be looked at:
//! `cargo run -p spindle-presentation --example page -- FOLDER`.

#[path = "../tests/sample/mod.rs"]
mod sample;

use spindle_presentation::Subject;
use spindle_presentation::html::{PageInput, page};

fn main() -> std::io::Result<()> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let (report, diagnosis) = (sample::report(9, 1.0), sample::diagnosis(1.0));
    let one = [Subject { report: &report, diagnosis: &diagnosis }];
    std::fs::write(
        folder.join("one.html"),
        page(&PageInput { subjects: &one, unread: &[], in_full: usize::MAX }),
    )?;
    let (report, diagnosis) = sample::empty();
    let excerpt = [Subject { report: &report, diagnosis: &diagnosis }];
    std::fs::write(
        folder.join("empty.html"),
        page(&PageInput { subjects: &excerpt, unread: &[], in_full: usize::MAX }),
    )?;
    let load = |hour: u32| 0.5 + f64::from(hour % 9) / 4.0;
    let hours: Vec<_> = (0..23)
        .filter(|h| *h != 11)
        .map(|h| (sample::report(h, load(h)), sample::diagnosis(load(h))))
        .collect();
    let many: Vec<Subject<'_>> =
        hours.iter().map(|(report, diagnosis)| Subject { report, diagnosis }).collect();
    let unread = [("notes.pdf".to_owned(), "not a report: PDF".to_owned())];
    std::fs::write(
        folder.join("many.html"),
        page(&PageInput { subjects: &many, unread: &unread, in_full: usize::MAX }),
    )
}
