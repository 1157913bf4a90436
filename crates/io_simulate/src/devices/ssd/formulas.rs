//! Write amplification of flash by formula: uniform random writes, page map, steady state.
//!
//! With `a = 1 + OP`, physical over logical capacity, `Np` pages a block and `W` the principal branch of
//! Lambert's function:
//!
//! ```text
//! FIFO    WA = a / (a + W(-a e^-a))
//! greedy  k  = 1 + 1 / (2 Np)
//!         X0 = 1/2 - (Np / a) W(-k a e^(-k a))        pages of the victim that are still wanted
//!         WA = Np / (Np - X0 + 1)
//! ```
//!
//! Source: Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage 10(2), 2014, for
//! many blocks. FIFO does not depend on the size of a block. The rule of thumb `(1 + OP) / (2 OP)` is 12 % low
//! at 50 % and is not used.

/// `w` of `w e^w = x` with `w >= -1`, for `x` from `-1/e` to 0.
///
/// Halley's method from the series at the branch point (Corless and others, "On the Lambert W function", 1996).
fn lambert_w0(x: f64) -> f64 {
    let p = (2.0 * (std::f64::consts::E * x + 1.0)).max(0.0).sqrt();
    let mut w = -1.0 + p - p * p / 3.0 + 11.0 / 72.0 * p * p * p;
    for _ in 0..32 {
        let e = libm::exp(w);
        let f = w * e - x;
        let slope = e * (w + 1.0) - (w + 2.0) * f / (2.0 * w + 2.0);
        if f == 0.0 || slope == 0.0 || !slope.is_finite() {
            break;
        }
        let next = w - f / slope;
        if (next - w).abs() <= 1e-15 {
            return next;
        }
        w = next;
    }
    w
}

/// Pages written to flash for each page written by the host, with the oldest block collected first.
///
/// Shape: one a drive. Unit: ratio, from 1. Missing: `None` unless the over-provisioning is above 0 and finite.
/// Source: head of this file; uniform random writes over all logical pages, no trim, many blocks.
#[must_use]
pub fn fifo_write_amplification(over_provisioning: f64) -> Option<f64> {
    let a = 1.0 + over_provisioning;
    if !(over_provisioning > 0.0 && a.is_finite()) {
        return None;
    }
    Some(a / (a + lambert_w0(-a * libm::exp(-a))))
}

/// The same with the block collected first that has the fewest pages still wanted.
///
/// Shape: one a drive. Unit: ratio, from 1. Missing: `None` unless the over-provisioning is above 0 and finite
/// and a block has pages. Source: head of this file. Above an over-provisioning of about 1 victims are nearly
/// empty and the continuous model fails: the ratio would fall below 1 and is held there.
#[must_use]
pub fn greedy_write_amplification(over_provisioning: f64, pages_per_block: u32) -> Option<f64> {
    let a = 1.0 + over_provisioning;
    if !(over_provisioning > 0.0 && a.is_finite()) || pages_per_block == 0 {
        return None;
    }
    let pages = f64::from(pages_per_block);
    let k = 1.0 + 1.0 / (2.0 * pages);
    let wanted = 0.5 - pages / a * lambert_w0(-k * a * libm::exp(-k * a));
    Some((pages / (pages - wanted + 1.0)).max(1.0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lambert_is_the_inverse_of_w_times_e_to_the_w() {
        for i in 0..=1_000 {
            let w = -1.0 + f64::from(i) / 1_000.0;
            let found = lambert_w0(w * libm::exp(w));
            // At the branch point the inverse has no slope: half of the digits are left.
            let digits = if w < -0.999 { 1e-7 } else { 1e-10 };
            assert!((found - w).abs() < digits, "{w} {found}");
        }
    }

    #[test]
    fn the_oldest_block_holds_what_nobody_wrote_again() {
        // The share of wanted pages in the oldest block, worked out without Lambert: with `x` of its pages moved,
        // a page is hit with the chance of one in all logical pages while the others are filled.
        for op in [0.01, 0.07, 0.15, 0.28, 0.5, 1.0, 3.0] {
            let mut x = 0.0;
            for _ in 0..20_000 {
                x = libm::exp(-(1.0 + op) * (1.0 - x));
            }
            let found = fifo_write_amplification(op).unwrap();
            assert!((found * (1.0 - x) - 1.0).abs() < 1e-9, "{op}: {found}");
        }
    }

    #[test]
    fn figures_that_others_simulated() {
        // Over-provisioning, greedy with 64 and with 256 pages a block, FIFO. Small drives, 0.8 % above the formulas
        // at most.
        for (op, g64, g256, fifo) in [
            (0.07, 7.05, 7.65, 7.87),
            (0.15, 3.81, 3.97, 4.03),
            (0.28, 2.41, 2.47, 2.49),
            (0.5, 1.683, 1.708, 1.718),
        ] {
            let close = |found: Option<f64>, given: f64| {
                assert!((given / found.unwrap() - 1.004).abs() < 0.0045, "{op}: {found:?} {given}");
            };
            close(greedy_write_amplification(op, 64), g64);
            close(greedy_write_amplification(op, 256), g256);
            close(fifo_write_amplification(op), fifo);
        }
    }

    #[test]
    fn what_has_no_answer_has_none() {
        for op in [0.0, -0.1, f64::NAN, f64::INFINITY] {
            assert_eq!((fifo_write_amplification(op), greedy_write_amplification(op, 64)), (None, None));
        }
        assert_eq!(greedy_write_amplification(0.1, 0), None);
    }
}
