//! The tables of SLOB's load: waits and load profile, as an AWR prints them.

use super::{Listing, Shown, figure, half, headings, known, text};
use crate::number;
use spindle_workload::{Figure, SlobFound};

pub(super) fn listings(found: &SlobFound) -> Vec<Listing> {
    let rows = found.events.iter().map(|e| {
        let cells = vec![
            text(number::count(e.waits as f64)),
            known(Some(e.time_s), number::measure),
            figure(e.wait_us.mean, number::ms),
            half(e.wait_us.mean),
            figure(e.waits_per_s, number::measure),
            figure(e.wait_us.p50, number::ms),
            figure(e.wait_us.p99, number::ms),
            known(e.wait_us.max, number::ms),
        ];
        (e.event.clone(), cells)
    });
    let load = &found.load;
    let hot = load.hot.map_or_else(
        || "no hot spot".to_owned(),
        |h| format!("every {}. statement in {} of it", h.every, number::bytes(h.bytes as f64)),
    );
    let think = load.think.map_or_else(
        || "no think time".to_owned(),
        |t| {
            format!(
                "{} to {} ms of think time after every {}. statement",
                number::ms_plain(t.min_us),
                number::ms_plain(t.max_us),
                t.every
            )
        },
    );
    let waits = Listing {
        title: "Waits, as an AWR of SLOB prints them".to_owned(),
        what: "Event",
        columns: headings(&["waits", "time s", "avg ms", "+/- %", "waits/s", "p50 ms", "p99 ms", "max ms"]),
        rows: rows.collect(),
        marked: None,
        notes: vec![
            format!(
                "UPDATE_PCT {}, SCALE {}, {} threads, WORK_UNIT {} blocks of {}, {} bytes of redo a changed block; {hot}; {think}.",
                number::plain(load.update_pct),
                number::bytes(load.scale_bytes as f64),
                load.threads,
                load.work_unit,
                number::bytes(f64::from(load.block_bytes)),
                load.redo_bytes
            ),
            "To be held against an AWR of SLOB whose buffer cache holds next to nothing (logical reads are physical \
             reads there). No CPU of a database is in it, so sessions come to more here."
                .to_owned(),
        ],
    };
    let row = |name: &str, value: Option<Figure>| {
        let cells: Vec<Shown> = vec![figure(value, number::measure), half(value)];
        (name.to_owned(), cells)
    };
    let mut rows = vec![
        row("Physical reads (blocks)", found.physical_reads_per_s),
        row("SQL statements", found.statements_per_s),
    ];
    if load.update_pct > 0.0 {
        rows.extend([
            row("Physical writes (blocks)", found.physical_writes_per_s),
            row("Redo size (bytes)", found.redo_bytes_per_s),
            row("Redo writes", found.redo_writes_per_s),
            row("Transactions", found.transactions_per_s),
        ]);
    }
    let profile = Listing {
        title: "Load profile".to_owned(),
        what: "What",
        columns: headings(&["per second", "+/- %"]),
        rows,
        marked: None,
        notes: Vec::new(),
    };
    vec![waits, profile]
}
