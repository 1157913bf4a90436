//! The tables of a log: what its writes and its commits take, and what reads beside it do.

use super::{Listing, figure, half, headings, known};
use crate::number;
use spindle_workload::{Flush, LogFound};

pub(super) fn listings(found: &LogFound) -> Vec<Listing> {
    let name = |committers: u32, depth: u32| {
        let s = if committers == 1 { "" } else { "s" };
        match (committers, depth) {
            (0, n) => format!("{n} at a time, alone"),
            (c, 0) => format!("{c} committer{s}"),
            (c, n) => format!("{c} beside {n} reads"),
        }
    };
    let rows = found.steps.iter().map(|s| {
        let cells = vec![
            figure(s.commits_per_s, number::measure),
            half(s.commits_per_s),
            figure(s.commit_us.mean, number::ms),
            figure(s.writes_per_s, number::measure),
            figure(s.write_us.mean, number::ms),
            figure(s.commits_per_write, number::measure),
            figure(s.write_us.p99, number::ms),
            figure(s.commit_us.p99, number::ms),
            figure(s.redo_mbps, number::measure),
            figure(s.written_mbps, number::measure),
        ];
        (name(s.committers, s.reads_depth), cells)
    });
    let how = match found.flush {
        Flush::None => "as the device says, which a loss of power may not survive",
        Flush::Dsync => "when it would survive a loss of power (O_DSYNC)",
        Flush::Fdatasync => "with fdatasync, which its time holds",
    };
    let mix: Vec<String> = found
        .mix
        .iter()
        .map(|s| format!("{} ({})", number::count(f64::from(s.bytes)), number::plain(s.weight)))
        .collect();
    let pause = if found.think_us > 0.0 {
        format!("Committers pause {} ms on average.", number::ms_plain(found.think_us))
    } else {
        "Committers do not pause.".to_owned()
    };
    let notes = vec![
        "A write is Oracle's log file parallel write; a commit, from asking to the end of the write that carries it, \
         is the least that log file sync can take: waking a process comes on top."
            .to_owned(),
        format!(
            "One write at a time carries all who wait, up to 1 MiB; it is done {how}. The log goes round in {}. {pause}",
            number::bytes(found.log_bytes as f64)
        ),
        format!("Bytes of redo of a commit, with weights: {}; {}.", mix.join(", "), found.mix_source),
    ];
    let mut all = vec![Listing {
        title: "The log".to_owned(),
        what: "Committers",
        columns: headings(&[
            "commits/s",
            "+/- %",
            "commit ms",
            "writes/s",
            "write ms",
            "a write",
            "p99 write",
            "p99 comm.",
            "redo MB/s",
            "wr. MB/s",
        ]),
        rows: rows.collect(),
        marked: None,
        notes,
    }];
    if !found.reads.is_empty() {
        let rows = found.reads.iter().map(|r| {
            let cells = vec![
                figure(r.reads_per_s, number::measure),
                half(r.reads_per_s),
                figure(r.read_us.mean, number::ms),
                figure(r.read_us.p50, number::ms),
                figure(r.read_us.p99, number::ms),
                known(r.read_us.max, number::ms),
            ];
            let log = match r.committers {
                0 => name(0, r.depth),
                1 => "beside 1 committer".to_owned(),
                n => format!("beside {n} committers"),
            };
            (log, cells)
        });
        all.push(Listing {
            title: "Random reads of the same storage".to_owned(),
            what: "Reads",
            columns: headings(&["reads/s", "+/- %", "mean ms", "p50 ms", "p99 ms", "max ms"]),
            rows: rows.collect(),
            marked: None,
            notes: Vec::new(),
        });
    }
    all
}
