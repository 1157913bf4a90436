//! Experiment E8, published in 2012: a mirror of which reads take the flash half. Prints the times and the rates that
//! were published, how many times faster either makes it, and how far they are apart.
//!
//! `cargo run -p spindle-planning --example preferred_read_mirror` writes `examples/preferred-read-mirror.txt`'s text.

use spindle_planning::mirror::{Reported, speedup};

fn main() {
    let disk = Reported { elapsed_s: 12.0 * 60.0 + 15.434, stated_iops: 16_000.0 };
    let flash = Reported { elapsed_s: 60.0 + 19.838, stated_iops: 160_000.0 };
    if let Some(found) = speedup(14e6, disk, flash) {
        print!("{found}");
    }
}
