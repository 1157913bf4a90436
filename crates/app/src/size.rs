//! `spindle size`: how much storage a history of load needs.

use crate::Request;
use crate::input::{self, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use spindle_facts::Report;
use spindle_planning::Refusal;
use spindle_planning::sizing::{Measures, ReducedLoad, SizeOptions, Sizer, Sizing};
use std::io::{self, Write};

/// A report on its way: names are masked one report after the other, so a masked run reduces later.
enum Taken {
    Reduced(ReducedLoad, Option<Unread>),
    Whole(Box<Report>),
}

/// Reads every report and sizes. A year of reports takes the memory of their rows: what is not needed
/// of a report is dropped where it is read.
pub fn size(
    request: &Request,
    options: &SizeOptions,
    progress: &dyn Progress,
) -> (Result<Sizing, Refusal>, Vec<Unread>) {
    let mut masker = request.mask.then(Masker::default);
    let masked = request.mask;
    let mut sizer = Sizer::default();
    let mut all_unread = Vec::new();
    let take = |report: Report| {
        if masked {
            Taken::Whole(Box::new(report))
        } else {
            Taken::Reduced(ReducedLoad::of(&report), input::lost_rows(&report))
        }
    };
    input::read_all(request, progress, take, |result| {
        match result {
            Ok(Taken::Reduced(reduced, lost)) => {
                all_unread.extend(lost);
                sizer.add(reduced);
            }
            Ok(Taken::Whole(mut report)) => {
                if let Some(masker) = &mut masker {
                    masker.report(&mut report);
                }
                all_unread.extend(input::lost_rows(&report));
                sizer.add(ReducedLoad::of(&report));
            }
            Err(mut unread) => {
                if let Some(masker) = &mut masker {
                    masker.unread(&mut unread);
                }
                all_unread.push(unread);
            }
        }
        true
    });
    for name in input::given_twice(request) {
        sizer.given_twice(masker.as_mut().map_or(name.clone(), |m| m.source(&name)));
    }
    if sizer.is_empty() {
        return (Err(Refusal("no report was read; see above for each input".to_owned())), all_unread);
    }
    (sizer.size(options), all_unread)
}

/// Sizes for a load that somebody states.
///
/// # Errors
/// Where it does not say both reads and writes.
pub fn size_stated(load: Measures, options: &SizeOptions) -> Result<Sizing, Refusal> {
    let mut sizer = Sizer::default();
    sizer.add_stated(load);
    sizer.size(options)
}

/// Writes sizes as the document of `spindle size --json`.
///
/// # Errors
/// Those of the writer.
pub fn write_sizing(mut writer: impl Write, sizing: &Sizing) -> io::Result<()> {
    json::write(&mut writer, sizing)?;
    writer.write_all(b"\n")
}
