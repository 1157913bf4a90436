//! Spool files, lists and plans: whatever stands in them, reading ends and does not panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for head in [
        "",
        "SPINDLE|1|all\nB|segments|OWNER|SEGMENT_NAME|BYTES\n",
        "SPINDLE|1|history\nB|snapshots|SNAP_ID|INSTANCE_NUMBER|STARTUP_TIME|BEGIN_TIME|END_TIME\n",
        "OWNER,SEGMENT_NAME,MB\n",
        "| Id  | Operation | Name |\n",
    ] {
        let whole = [head.as_bytes(), bytes].concat();
        let _ = spindle_evidence::read_collected("fuzz", &whole);
        let _ = spindle_evidence::read("fuzz", &whole);
    }
});
