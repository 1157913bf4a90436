//! Results of storage measurements, of Spindle and of other tools: as a device curve, and written where two of
//! them were compared.

use crate::json;
use crate::place::read_curve;
use spindle_workload::{DeviceCurve, Measured, ResultComparison};
use std::io::{self, Write};

/// The device curve that files hold: one file of `spindle measure ramp --curve`, or results over a rising load,
/// which may be spread over several files (Orion's rates and latencies, one run of fio each).
///
/// # Errors
/// In a sentence that names the file.
pub fn curve_of(files: &[(String, Vec<u8>)]) -> Result<DeviceCurve, String> {
    let mut results: Vec<Measured> = Vec::new();
    for (name, bytes) in files {
        let named = |why: String| if files.len() > 1 { format!("`{name}`: {why}") } else { why };
        match spindle_evidence::read_storage(name, bytes) {
            Some(reading) => {
                if let Some(why) = reading.refused {
                    return Err(named(why));
                }
                results.extend(reading.results.into_iter().map(|r| r.measured));
            }
            None if files.len() == 1 => {
                let text = std::str::from_utf8(bytes).map_err(|e| named(e.to_string()))?;
                return read_curve(text);
            }
            None => {
                return Err(named(
                    "it is no result of a measurement, and a curve stands for itself: give it alone"
                        .to_owned(),
                ));
            }
        }
    }
    DeviceCurve::of_results(&results).map_err(|why| why.to_string())
}

/// Writes the comparison of two measurements as the document of `spindle compare --json`.
///
/// # Errors
/// Those of the writer.
pub(crate) fn write_compared(writer: &mut impl Write, compared: &ResultComparison) -> io::Result<()> {
    #[derive(serde::Serialize)]
    struct Document<'a> {
        kind: &'static str,
        #[serde(flatten)]
        comparison: &'a ResultComparison,
    }
    json::write(writer, &Document { kind: "measurements", comparison: compared })
}
