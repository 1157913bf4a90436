//! Which of the commands that wait is next.
//!
//! | order | next |
//! |---|---|
//! | FCFS | the one that came first |
//! | SSTF | the one on the nearest cylinder |
//! | LOOK | the nearest cylinder ahead, the arm turning back where none is |
//! | C-LOOK | the nearest cylinder at or beyond the arm's, from the lowest again where none is |
//! | SPTF | the one whose first block is under the head first: overhead, seek and rotation; what is in the cache at once |
//!
//! Of equal ones, the one that came first. None of the last four bounds how long a command waits.
//!
//! Source: the definitions of Worthington, Ganger and Patt, "Scheduling algorithms for modern disk drives",
//! SIGMETRICS 1994.

/// An order of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceOrder {
    /// First come, first served.
    Fcfs,
    /// Shortest seek first.
    Sstf,
    /// Up and down.
    Look,
    /// Up, and from the beginning again.
    CLook,
    /// Shortest positioning time first.
    Sptf,
}

/// Chooses among the cylinders of waiting commands, in the order in which they came: the rules as they read, which tests
/// hold [`super::queue`] against.
#[cfg(test)]
pub(crate) fn by_cylinder(
    order: ServiceOrder,
    arm: u64,
    upward: &mut bool,
    cylinders: impl Iterator<Item = u64> + Clone,
) -> usize {
    let nearest = |ahead: &dyn Fn(u64) -> bool| {
        let all = cylinders.clone().enumerate().filter(|(_, c)| ahead(*c));
        all.min_by_key(|(_, c)| c.abs_diff(arm)).map(|(i, _)| i)
    };
    match order {
        ServiceOrder::Fcfs | ServiceOrder::Sptf => Some(0),
        ServiceOrder::Sstf => nearest(&|_| true),
        ServiceOrder::Look => {
            let ahead = |up: bool| nearest(&|c| if up { c >= arm } else { c <= arm });
            ahead(*upward).or_else(|| {
                *upward = !*upward;
                ahead(*upward)
            })
        }
        ServiceOrder::CLook => nearest(&|c| c >= arm)
            .or_else(|| cylinders.clone().enumerate().min_by_key(|(_, c)| *c).map(|(i, _)| i)),
    }
    .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which all are served, the arm going along.
    fn served(order: ServiceOrder, arm: u64, cylinders: &[u64]) -> Vec<u64> {
        let (mut arm, mut upward, mut waiting) = (arm, true, cylinders.to_vec());
        std::iter::from_fn(|| {
            let next = by_cylinder(order, arm, &mut upward, waiting.iter().copied());
            arm = (!waiting.is_empty()).then(|| waiting.remove(next))?;
            Some(arm)
        })
        .collect()
    }

    #[test]
    fn each_order_goes_its_own_way() {
        // The textbook's queue, the arm on cylinder 53.
        let queue = [98, 183, 37, 122, 14, 124, 65, 67];
        assert_eq!(served(ServiceOrder::Fcfs, 53, &queue), queue);
        assert_eq!(served(ServiceOrder::Sstf, 53, &queue), [65, 67, 37, 14, 98, 122, 124, 183]);
        assert_eq!(served(ServiceOrder::Look, 53, &queue), [65, 67, 98, 122, 124, 183, 37, 14]);
        assert_eq!(served(ServiceOrder::CLook, 53, &queue), [65, 67, 98, 122, 124, 183, 14, 37]);
    }

    #[test]
    fn of_equal_ones_the_first_is_served() {
        for order in [ServiceOrder::Sstf, ServiceOrder::Look, ServiceOrder::CLook] {
            assert_eq!(by_cylinder(order, 10, &mut true, [12, 12, 8].into_iter()), 0);
        }
        assert_eq!(by_cylinder(ServiceOrder::Sstf, 10, &mut true, [12, 8, 12].into_iter()), 0);
    }
}
