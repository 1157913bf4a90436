//! Makes impacts exclusive: what two findings claim is counted once, for the one that stands first.
//!
//! A finding claims seconds of events, of classes that are printed without events, or of CPU. Of an event no more is
//! given out than the response time holds of it, and of all events together no more than DB time; what a finding
//! wanted beyond that is in `touches_s` only.

use crate::finding::Finding;
use crate::outcome::ResponseTime;
use crate::words;
use std::collections::BTreeMap;

/// Fills `impact_s`, `impact_pct` and `touches_s`, in the order of the findings.
pub(crate) fn resolve(findings: &mut [Finding], response_time: &ResponseTime) {
    let side = &response_time.foreground;
    let mut left: BTreeMap<&str, f64> = BTreeMap::new();
    for event in side.classes.iter().flat_map(|c| &c.events) {
        *left.entry(event.event.as_str()).or_default() += event.counted_s;
    }
    for class in side.classes.iter().filter(|c| c.events.is_empty()) {
        *left.entry(class.wait_class.as_str()).or_default() += class.time_s;
    }
    left.insert("cpu", side.cpu_s.unwrap_or(0.0));
    left.insert("unexplained", side.unexplained_s.unwrap_or(0.0));
    let mut db_time_left = side.db_time_s.unwrap_or(f64::INFINITY);

    for finding in findings {
        let (mut touched, mut given) = (0.0, 0.0);
        for claim in &finding.claims {
            let wanted = if claim.seconds.is_finite() { claim.seconds.max(0.0) } else { 0.0 };
            touched += wanted;
            let available = left.get(claim.of.as_str()).copied().unwrap_or(0.0);
            let part = wanted.min(available).min(db_time_left).max(0.0);
            if let Some(rest) = left.get_mut(claim.of.as_str()) {
                *rest -= part;
            }
            db_time_left -= part;
            given += part;
        }
        finding.touches_s = finding.touches_s.max(touched);
        if let Some(db_time_s) = side.db_time_s {
            finding.touches_s = finding.touches_s.min(db_time_s);
        }
        finding.impact_s = given;
        // What other findings hold of the claim may be the part that is sure.
        let taken = touched - given;
        let low_s = finding.impact_low_s.map(|low| (low - taken).max(0.0));
        finding.impact_low_s = low_s.filter(|low| words::differ(*low, given));
        finding.impact_pct = side.db_time_s.filter(|t| *t > 0.0).map(|t| 100.0 * given / t);
    }
}

/// Seconds that a finding would account for if no other claimed them.
pub(crate) fn alone_s(finding: &Finding, response_time: &ResponseTime) -> f64 {
    let side = &response_time.foreground;
    let whole = |of: &str| match of {
        "cpu" => side.cpu_s.unwrap_or(0.0),
        "unexplained" => side.unexplained_s.unwrap_or(0.0),
        of => {
            let events = side.classes.iter().flat_map(|c| &c.events).filter(|e| e.event == of);
            let classes = side.classes.iter().filter(|c| c.events.is_empty() && c.wait_class == of);
            events.map(|e| e.counted_s).sum::<f64>() + classes.map(|c| c.time_s).sum::<f64>()
        }
    };
    finding.claims.iter().map(|c| c.seconds.max(0.0).min(whole(&c.of))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Claim;
    use crate::outcome::{ClassTime, EventTime, ResponseSide};
    use spindle_facts::Interval;

    fn response_time(db_time_s: f64, event_s: f64) -> ResponseTime {
        let event = EventTime {
            event: "log file sync".into(),
            waits: None,
            time_s: event_s,
            counted_s: event_s,
            time_s_bounds: Interval::exact(event_s),
            avg_us: None,
            avg_us_bounds: None,
            p50_us: None,
            p90_us: None,
            p99_us: None,
            line: 1,
            section: String::new(),
        };
        let class = ClassTime {
            wait_class: "Commit".into(),
            time_s: event_s,
            printed_s: event_s,
            share_pct: None,
            events: vec![event],
        };
        ResponseTime {
            foreground: ResponseSide {
                db_time_s: Some(db_time_s),
                cpu_s: Some(db_time_s - event_s),
                classes: vec![class],
                ..ResponseSide::default()
            },
            ..ResponseTime::default()
        }
    }

    fn claiming(claims: &[(&str, f64)]) -> Finding {
        let claims = claims.iter().map(|&(of, seconds)| Claim { of: of.into(), seconds }).collect();
        Finding { claims, ..Finding::default() }
    }

    /// What is sure of a range is less by what another finding has of it.
    #[test]
    fn the_least_of_a_range_is_no_more_than_what_is_left_of_it() {
        let range = |low| Finding { impact_low_s: Some(low), ..claiming(&[("log file sync", 30.0)]) };
        let mut findings = [claiming(&[("log file sync", 20.0)]), range(15.0)];
        resolve(&mut findings, &response_time(100.0, 40.0));
        assert_eq!((findings[1].impact_s, findings[1].impact_low_s), (20.0, Some(5.0)));
        let mut findings = [range(15.0), range(29.0)];
        resolve(&mut findings, &response_time(100.0, 40.0));
        assert_eq!(findings.each_ref().map(|f| f.impact_low_s), [Some(15.0), Some(9.0)]);
        let mut whole = [range(29.0)];
        resolve(&mut whole, &response_time(100.0, 40.0));
        assert_eq!(whole[0].impact_low_s, None, "nobody tells the two ends apart");
    }

    #[test]
    fn the_first_finding_keeps_what_both_claim() {
        let mut findings = [
            claiming(&[("log file sync", 30.0)]),
            claiming(&[("log file sync", 25.0), ("cpu", 10.0)]),
            claiming(&[("cpu", 1000.0)]),
        ];
        resolve(&mut findings, &response_time(100.0, 40.0));
        let impacts: Vec<f64> = findings.iter().map(|f| f.impact_s).collect();
        assert_eq!(impacts, [30.0, 20.0, 50.0]);
        assert_eq!(findings[1].touches_s, 35.0);
        assert_eq!(findings[2].touches_s, 100.0, "no finding bears on more than DB time");
        assert_eq!(findings[0].impact_pct, Some(30.0));
        let alone: Vec<f64> = findings.iter().map(|f| alone_s(f, &response_time(100.0, 40.0))).collect();
        assert_eq!(alone, [30.0, 35.0, 60.0]);
    }

    /// Waits by class alone were found in 704 of 710 intervals, each time with 0 s.
    #[test]
    fn a_class_without_events_had_no_seconds_to_claim() {
        let mut time = response_time(100.0, 40.0);
        time.foreground.classes[0].events.clear();
        let mut findings = [claiming(&[("Commit", 50.0)]), claiming(&[("Commit", 5.0)])];
        resolve(&mut findings, &time);
        assert_eq!((findings[0].impact_s, findings[1].impact_s), (40.0, 0.0));
        assert_eq!(alone_s(&findings[0], &time), 40.0);
        // Of a class with events, the events are claimed.
        let mut findings = [claiming(&[("Commit", 50.0)])];
        resolve(&mut findings, &response_time(100.0, 40.0));
        assert_eq!(findings[0].impact_s, 0.0);
    }

    #[test]
    fn a_claim_on_an_event_that_is_not_there_gets_nothing() {
        let mut findings = [claiming(&[("db file sequential read", 5.0)]), claiming(&[("cpu", f64::NAN)])];
        resolve(&mut findings, &response_time(100.0, 40.0));
        assert_eq!((findings[0].impact_s, findings[1].impact_s), (0.0, 0.0));
    }
}
