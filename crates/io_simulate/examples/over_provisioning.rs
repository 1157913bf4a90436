//! Write amplification by over-provisioning, simulated beside the formulas: uniform random writes, steady state.
//!
//! `cargo run --release -p spindle-io-simulate --example over_provisioning`
#![allow(clippy::print_stdout)]

use spindle_io_simulate::{
    Collection, FlashSpec, NoSuchDevice, TranslationLayer, fifo_write_amplification,
    greedy_write_amplification,
};
use spindle_workload::Seeded;

/// Fills the flash, writes three times its size at random, and measures over as much.
fn steady(flash: &FlashSpec) -> Result<Option<f64>, NoSuchDevice> {
    let mut layer = TranslationLayer::new(flash)?;
    let size = layer.logical_pages();
    let mut random = Seeded::new(13, 0);
    for page in 0..size {
        layer.write(page);
    }
    for _ in 0..3 * size {
        layer.write(random.below(size));
    }
    layer.count_anew();
    for _ in 0..3 * size {
        layer.write(random.below(size));
    }
    Ok(layer.wear().write_amplification())
}

fn main() -> Result<(), NoSuchDevice> {
    println!("{:>6}  {:6}  {:>5}  {:>9}  {:>8}  {:>7}", "OP", "", "pages", "simulated", "formula", "off");
    let mut worst = 0_f64;
    for (collection, name, pages) in [
        (Collection::Greedy, "greedy", 64),
        (Collection::Greedy, "greedy", 256),
        (Collection::Fifo, "FIFO", 64),
    ] {
        for op_pct in [7, 8, 10, 12, 15, 20, 25, 28, 33, 40, 50] {
            let over_provisioning = f64::from(op_pct) / 100.0;
            let flash = FlashSpec {
                channels: 1,
                chips: 1,
                dies: 1,
                planes: 1,
                blocks: 8_192,
                pages,
                page_bytes: 4_096,
                over_provisioning,
                collection,
            };
            let formula = match collection {
                Collection::Greedy => greedy_write_amplification(over_provisioning, pages),
                Collection::Fifo => fifo_write_amplification(over_provisioning),
            };
            if let (Some(simulated), Some(formula)) = (steady(&flash)?, formula) {
                let off = 100.0 * (simulated / formula - 1.0);
                worst = worst.max(off.abs());
                println!(
                    "{op_pct:>4} %  {name:6}  {pages:>5}  {simulated:>9.3}  {formula:>8.3}  {off:>+5.2} %"
                );
            }
        }
    }
    println!("largest difference: {worst:.2} %");
    Ok(())
}
