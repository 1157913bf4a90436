//! Bytes behind the beginning of a ruled text report: read and diagnosed without panic, every impact within DB time.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut input = b"WORKLOAD REPOSITORY report for\n\n".to_vec();
    input.extend_from_slice(bytes);
    for report in spindle_evidence::read("fuzz", &input).reports {
        let diagnosis = spindle_diagnosis::diagnose(&report, &spindle_diagnosis::Options::default());
        if let Some(db_time_s) = report.identity.db_time_s {
            let sum: f64 = diagnosis.findings.iter().map(|f| f.impact_s).sum();
            assert!(sum <= db_time_s * (1.0 + 1e-9) + 1e-9);
        }
    }
});
