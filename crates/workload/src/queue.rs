//! A queue before several servers: how latency falls as load leaves.

/// An M/M/c queue: Poisson arrivals, exponential service, `servers` in parallel.
///
/// Shape: one a device or array. Unit: microseconds; requests a second. Missing: the answers are
/// `None` at or above saturation. Source: Erlang C (any textbook of queueing; Allen 1990, 5.2.4);
/// storage is neither Poisson nor exponential, so its answers are a model and are shown as such.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// Servers in parallel: arms of an array, channels of a flash device.
    pub servers: u32,
    /// Mean service time of one request.
    pub service_us: f64,
}

impl Queue {
    /// The queue whose latency at a known rate is the one that was seen.
    ///
    /// `None` where the latency is below the service time, or no number of servers up to 4,096 keeps
    /// up with the rate.
    #[must_use]
    pub fn seen(service_us: f64, latency_us: f64, iops: f64) -> Option<Self> {
        let valid = |x: f64| x.is_finite() && x > 0.0;
        if !(valid(service_us) && valid(latency_us) && valid(iops)) || latency_us < service_us {
            return None;
        }
        // More servers, less latency: the fewest that are not slower than what was seen.
        let fast_enough =
            |servers: u32| Self { servers, service_us }.latency_us(iops).is_some_and(|us| us <= latency_us);
        let (mut too_few, mut enough) = (0, 4096);
        if !fast_enough(enough) {
            return None;
        }
        while enough - too_few > 1 {
            let middle = (too_few + enough) / 2;
            if fast_enough(middle) { enough = middle } else { too_few = middle }
        }
        Some(Self { servers: enough, service_us })
    }

    /// Share of the time that a server is busy.
    #[must_use]
    pub fn utilisation(&self, iops: f64) -> f64 {
        iops * self.service_us / 1e6 / f64::from(self.servers)
    }

    /// Mean latency at a rate: waiting and service. `None` at or above saturation.
    #[must_use]
    pub fn latency_us(&self, iops: f64) -> Option<f64> {
        let busy = self.utilisation(iops);
        if !(0.0..1.0).contains(&busy) {
            return None;
        }
        let servers = f64::from(self.servers);
        let waiting = self.waits(busy) * self.service_us / (servers * (1.0 - busy));
        Some(self.service_us + waiting)
    }

    /// Erlang C: probability that a request finds every server busy.
    fn waits(&self, busy: f64) -> f64 {
        let offered = busy * f64::from(self.servers);
        // Erlang B by its recurrence, which stays between 0 and 1 for any number of servers.
        let mut blocked = 1.0;
        for n in 1..=self.servers {
            blocked = offered * blocked / (f64::from(n) + offered * blocked);
        }
        blocked / (1.0 - busy * (1.0 - blocked))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Queue;

    #[test]
    fn one_server_is_service_over_idle_share() {
        let disk = Queue { servers: 1, service_us: 5_000.0 };
        assert!((disk.latency_us(100.0).unwrap() - 10_000.0).abs() < 1e-6);
        assert_eq!(disk.latency_us(200.0), None, "saturated");
    }

    #[test]
    fn two_servers_as_in_the_textbook() {
        // Service 1 s, 1.5 arrivals a second over two servers: W = 1 / (1 - 0.75^2) = 2.2857 s.
        let queue = Queue { servers: 2, service_us: 1e6 };
        assert!((queue.latency_us(1.5).unwrap() / 1e6 - 1.0 / (1.0 - 0.5625)).abs() < 1e-9);
    }

    #[test]
    fn the_queue_that_was_seen_is_not_slower_than_seen() {
        let queue = Queue::seen(5_000.0, 9_000.0, 2_000.0).unwrap();
        assert!(queue.latency_us(2_000.0).unwrap() <= 9_000.0);
        let fewer = Queue { servers: queue.servers - 1, ..queue };
        assert!(fewer.latency_us(2_000.0).is_none_or(|us| us > 9_000.0));
        assert!(Queue::seen(5_000.0, 4_000.0, 100.0).is_none());
    }

    #[test]
    fn less_load_is_never_slower() {
        let queue = Queue::seen(6_000.0, 15_000.0, 3_500.0).unwrap();
        let mut last = 0.0;
        for share in 1..=10 {
            let us = queue.latency_us(350.0 * f64::from(share)).unwrap();
            assert!(us >= last && us >= 6_000.0);
            last = us;
        }
    }
}
