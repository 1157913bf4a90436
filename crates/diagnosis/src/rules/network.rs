//! Waits for the network to clients, or for other databases over links.
//!
//! # What it detects
//! Sessions wait to send rows to a client or to take data from it (`SQL*Net more data to client`,
//! `SQL*Net more data from client`), for an answer over a database link (`SQL*Net message from
//! dblink`), or for a service that they call over TCP.
//!
//! # Why it costs response time
//! A result that does not fit the session data unit is sent in pieces, and the session waits until
//! the network and the client take them. Over a link the session waits for the remote database to
//! do all of its work, and for a round trip a fetch.
//!
//! # Facts needed
//! Foreground wait events of class Network.
//!
//! # Thresholds
//! 3 % of DB time, or 1 % where it holds up half a session on average: our own, the same for every
//! cause. `SQL*Net message from client` is idle time and never counted.
//!
//! # When it is wrong
//! A client that is slow to take rows looks like a slow network. A wait over a link is mostly the
//! remote database at work: its own report says on what.
//!
//! # What to do
//! To a client: fetch more rows at once (array size), select only the columns needed, look at the
//! client and at the path to it. From a client: large binds or LOBs arrive, send them in larger
//! pieces (session data unit). Over links: take the remote database's report of the same time; run
//! the join where most of the data is; replicate what is asked for again and again.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, total_waits, time_waited_micro / 1e6 as time_s
//!   from v$system_event where wait_class = 'Network' order by 3 desc;
//! ```

use super::{material, proof};
use crate::{Case, Finding, Verdict, words};

/// Events that wait for a client, a link or a called service.
const STARTS: &[&str] = &[
    "SQL*Net more data",
    "SQL*Net message to",
    "SQL*Net message from dblink",
    "SQL*Net vector",
    "SQL*Net break/reset",
    "TCP Socket",
];

/// Waits for the network as a material part of DB time.
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let belongs = |event: &str| STARTS.iter().any(|start| event.starts_with(start));
    let (events, seconds) = match proof::group(case, "waits for the network", belongs) {
        proof::Group::Material(events, seconds) => (events, seconds),
        proof::Group::Trivial => return Verdict::NotFound,
        proof::Group::Unknown(missing) => return Verdict::CannotTell(missing),
    };
    let time_of = |part: &str| -> f64 {
        events.iter().filter(|e| e.event.contains(part)).map(|e| case.event_time_s(&e.event)).sum()
    };
    let (link, to_client, from_client, reset) =
        (time_of("dblink"), time_of("to client"), time_of("from client"), time_of("break/reset to client"));
    let to_client = to_client - reset;
    let mut actions = Vec::new();
    if link >= 0.1 * seconds {
        actions.push(
            "Take the report of the remote database for the same time: the wait over the link is its work; run \
             joins where most of the data is"
                .to_owned(),
        );
    }
    if to_client >= 0.1 * seconds {
        actions.push(
            "Fetch more rows at once, select fewer columns, and look at the client and at the path to it"
                .to_owned(),
        );
    }
    if from_client >= 0.1 * seconds {
        actions.push(
            "Look at what clients send (large binds, LOBs, batch inserts): larger session data unit (SDU), and the \
             bandwidth of the path"
                .to_owned(),
        );
    }
    if reset >= 0.1 * seconds {
        actions.push(
            "Find the statements that end in an error: each one resets the connection (SQL*Net break/reset)"
                .to_owned(),
        );
    }
    if actions.is_empty() {
        actions.push(
            "Find the service that sessions call over TCP (UTL_HTTP, UTL_TCP) and why it is slow".to_owned(),
        );
    }
    let share = material::of_db_time(case, seconds);
    let title = if link >= 0.5 * seconds {
        // Clients have their part of it, which is no other database's.
        let others_s = seconds - link;
        let of = if others_s >= 0.005 * seconds {
            format!(
                " {} for other databases over links and {} for clients or called services{share}",
                words::seconds(link),
                words::seconds(others_s)
            )
        } else {
            format!(" {} for other databases over links{share}", words::seconds(seconds))
        };
        format!("Sessions waited{of}")
    } else {
        format!("Sessions waited {} for the network{share}", words::seconds(seconds))
    };
    Verdict::Found(Finding {
        title,
        touches_s: seconds,
        claims: proof::claims(case, &events),
        evidence: proof::largest(case, &events),
        actions,
        caveat: "A slow client looks like a slow network, and a wait over a link is mostly the remote database at \
                 work"
            .to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    #[test]
    fn rows_to_a_client() {
        let hour =
            |seconds| Hour::new(7200.0).cpu(1000.0).foreground("SQL*Net more data to client", 1e6, seconds);
        let found = hour(2_000.0).found(run);
        assert!(found.title.contains("for the network (28 % of DB time)"), "{}", found.title);
        assert!(found.actions[0].contains("Fetch more rows"), "{:?}", found.actions);
        assert!(!found.storage);
        hour(217.0).found(run);
        hour(215.0).not_found(run);
    }

    #[test]
    fn a_link_is_the_other_database_at_work() {
        let found = Hour::new(7200.0).foreground("SQL*Net message from dblink", 1e5, 3_000.0).found(run);
        assert!(found.title.contains("other databases"), "{}", found.title);
        assert!(found.actions[0].contains("remote database"), "{:?}", found.actions);
        assert_eq!(found.actions.len(), 1);
    }

    /// 20,275 s "for other databases over links", 521 s of which were waits for clients.
    #[test]
    fn waits_for_clients_were_waits_for_links() {
        let hour = |client_s| {
            Hour::new(7200.0)
                .foreground("SQL*Net message from dblink", 1e5, 2_000.0)
                .foreground("SQL*Net more data from dblink", 1e5, 1_000.0)
                .foreground("SQL*Net more data to client", 1e5, client_s)
        };
        let title = |client_s| hour(client_s).found(run).title;
        assert_eq!(
            title(120.0),
            "Sessions waited 3,000 s for other databases over links and 120 s for clients or called services (43 % of DB time)"
        );
        assert!(title(1.0).contains("3,001 s for other databases over links (42 %"), "{}", title(1.0));
    }

    #[test]
    fn errors_that_reset_the_connection_are_no_slow_client() {
        let found = Hour::new(7200.0).foreground("SQL*Net break/reset to client", 1e5, 3_000.0).found(run);
        assert_eq!(found.actions.len(), 1);
        assert!(found.actions[0].contains("error"), "{:?}", found.actions);
    }

    #[test]
    fn without_wait_events_it_cannot_tell() {
        assert!(Hour::new(7200.0).cpu(3000.0).missing(run).contains("network"));
    }
}
