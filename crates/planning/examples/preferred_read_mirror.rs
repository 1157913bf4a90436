//! Experiment E8, published in 2012: a mirror of which reads take the flash half. Prints the times and the rates that
//! were published, how many times faster either makes it, and how far they are apart.
//!
//! `cargo run -p spindle-planning --example preferred_read_mirror` prints what `examples/preferred-read-mirror.txt` holds.

use spindle_planning::mirror::{Reported, speedup};
use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    let disk = Reported { elapsed_s: 12.0 * 60.0 + 15.434, stated_iops: 16_000.0 };
    let flash = Reported { elapsed_s: 60.0 + 19.838, stated_iops: 160_000.0 };
    match speedup(14e6, disk, flash) {
        Some(found) => write!(io::stdout(), "{found}"),
        None => Ok(()),
    }
}
