//! The seven measured drives of `../shared/validation`, read in place: response times request by request, as
//! DiskSim computed them, and how far the distributions lie from the measured ones.
//!
//! What is compared stands in the folder. Given beside the drives' own files are the times of a block on the
//! bus, which the folder's description states for three of them.

#![allow(clippy::unwrap_used)]

use flate2::read::GzDecoder;
use spindle_io_simulate::disksim::{
    BusTimes, MeasuredDrive, MeasuredRequest, Opened, read_drive, read_measured_trace, validate,
};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Name, bus times (ms a block to and from the host), DiskSim's distance from the measured drive (us).
const DRIVES: [(&str, f64, f64, f64); 7] = [
    ("atlas_III", 0.0, 0.0, 378.0),
    ("barracuda", 0.0, 0.0, 348.0),
    ("cheetah4LP", 0.0, 0.0, 318.0),
    ("ibm18es", 0.0, 0.0, 136.0),
    ("hp_c2247a", 0.17010, 0.18686, 89.0),
    ("hp_c2490a", 0.14841, 0.14841, 254.0),
    ("dec_rz26", 0.07069, 0.07069, 341.0),
];

/// The folder of the drives, or word that the running test is skipped.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = ["../shared/validation/drives", "../../shared/validation/drives"];
    let found = places.iter().map(|place| root.join(place)).find(|place| place.is_dir());
    if found.is_none() {
        // Past the harness, which keeps the output of tests that pass to itself.
        let _ = writeln!(std::io::stderr(), "skipped: there is no ../shared/validation");
    }
    found
}

fn drive(folder: &Path, name: &str, bus: BusTimes) -> (MeasuredDrive, Vec<MeasuredRequest>) {
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
    // The files name each other as they were called where they come from.
    let open = |file: &str| {
        let names = [file.to_owned(), file.replace("_validate", "")];
        names.into_iter().find_map(|file| Some(Opened { text: text(&file)?, file }))
    };
    let specs = format!("{name}.diskspecs");
    let drive = read_drive(&specs, &text(&specs).unwrap(), &open, bus).unwrap();
    let mut trace = String::new();
    let packed = std::fs::File::open(folder.join(format!("{name}.trace.gz"))).unwrap();
    GzDecoder::new(packed).read_to_string(&mut trace).unwrap();
    (drive, read_measured_trace(name, &trace).unwrap())
}

#[test]
fn no_drive_lies_further_from_what_was_measured_than_with_disksim() {
    let Some(folder) = folder() else { return };
    for (name, read_ms, write_ms, disksim_us) in DRIVES {
        let (drive, trace) = drive(&folder, name, BusTimes { read_ms, write_ms });
        let found = validate(&drive.spec, &trace).unwrap();
        assert_eq!(found.simulated_us.len(), trace.len());
        let more_us = found.rms_ms * 1e3 - disksim_us;
        assert!(more_us <= 1.0, "{name}: {more_us} us more than DiskSim's {disksim_us}");
        // Far closer, something else would be compared.
        assert!(more_us >= -2.0, "{name}: {more_us} us more than DiskSim's {disksim_us}");
        assert_eq!(drive.notes, Vec::<String>::new());
    }
}

#[test]
fn each_request_takes_as_long_as_with_disksim() {
    let Some(folder) = folder() else { return };
    for (name, read_ms, write_ms, _) in DRIVES {
        let (drive, trace) = drive(&folder, name, BusTimes { read_ms, write_ms });
        let found = validate(&drive.spec, &trace).unwrap();
        let table = std::fs::read_to_string(folder.join(format!("{name}.disksim-breakdown.csv"))).unwrap();
        let mut lines = table.lines();
        let column = lines.next().unwrap().split(',').position(|c| c == "response_ms").unwrap();
        let mut compared = 0;
        for (number, line) in lines.enumerate() {
            let by_disksim: f64 = line.split(',').nth(column).unwrap().parse().unwrap();
            let ours = found.simulated_us[number] / 1e3;
            assert!((ours - by_disksim).abs() < 0.002, "{name}, request {number}: {ours}; {line}");
            compared += 1;
        }
        assert_eq!(compared, 200, "{name}");
    }
}
