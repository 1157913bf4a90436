//! Enqueues, undo, latches.

use super::{Format, printed};
use crate::block::{Block, Row};
use crate::style::Style;
use spindle_facts::Report;

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    vec![enqueues(report, style), undo(report, style), latches(report, style)]
}

fn enqueues(report: &Report, style: &Style) -> Block {
    use Format::{Fixed, Int, Name};
    Block {
        title: "Enqueue Activity".into(),
        summary: "This table displays enqueue activity statistics. Requests, success gets, failed gets, waits, wait time and average wait time are displayed for each enqueue type.",
        notes: vec![
            "-> only enqueues with waits are shown".into(),
            "-> Enqueue stats gathered prior to 10g should not be compared with 10g data".into(),
            "-> ordered by Wait Time desc, Waits desc".into(),
        ],
        ruled: "Enqueue Type (Request Reason)\n\
                ------------------------------------------------------------------------------\n\
                \x20   Requests    Succ Gets Failed Gets       Waits  Wt Time (s) Av Wt Time(ms)\n\
                ------------ ------------ ----------- ----------- ------------ --------------",
        columns: &[
            "Enqueue Type (Request Reason)",
            "Requests",
            "Succ Gets",
            "Failed Gets",
            "Waits",
            "Wt Time (s)",
            "Av Wt Time(ms)",
        ],
        rows: report
            .tables
            .enqueue
            .iter()
            .map(|r| Row::new(printed(r, &[Name, Int, Int, Int, Int, Int, Fixed(2)], style)))
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

fn undo(report: &Report, style: &Style) -> Block {
    use Format::{Fine, Int, Name};
    Block {
        title: "Undo Segment Summary".into(),
        summary: "This table displays undo segment summary. It displays undo tablespace number, number of undo blocks, number of transactions, max query length, etc.",
        notes: vec![
            "-> Min/Max TR (mins) - Min and Max Tuned Retention (minutes)".into(),
            "-> STO - Snapshot Too Old count,  OOS - Out of Space count".into(),
            "-> Undo segment block stats:".into(),
            "-> uS - unexpired Stolen,   uR - unexpired Released,   uU - unexpired reUsed".into(),
            "-> eS - expired   Stolen,   eR - expired   Released,   eU - expired   reUsed".into(),
        ],
        ruled: "Undo   Num Undo       Number of  Max Qry   Max Tx Min/Max   STO/     uS/uR/uU/\n\
                \x20TS# Blocks (K)    Transactions  Len (s) Concurcy TR (mins) OOS      eS/eR/eU\n\
                ---- ---------- --------------- -------- -------- --------- ----- --------------",
        columns: &[
            "Undo TS#",
            "Num Undo Blocks (K)",
            "Number of Transactions",
            "Max Qry Len (s)",
            "Max Tx Concurcy",
            "Min/Max TR (mins)",
            "STO/ OOS",
            "uS/uR/uU/ eS/eR/eU",
        ],
        rows: report
            .tables
            .undo
            .iter()
            .map(|r| Row::new(printed(r, &[Int, Fine(1), Int, Int, Int, Name, Name, Name], style)))
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

fn latches(report: &Report, style: &Style) -> Block {
    use Format::{Fine, FixedOrNa, Int, Name};
    Block {
        title: "Latch Activity".into(),
        summary: "This table displays latch statistics. Get requests, % get miss, wait time, noWait requests are displayed for each latch",
        notes: vec![
            "-> \"Get Requests\", \"Pct Get Miss\" and \"Avg Slps/Miss\" are statistics for".into(),
            "   willing-to-wait latch get requests".into(),
            "-> \"NoWait Requests\", \"Pct NoWait Miss\" are for no-wait latch get requests".into(),
            "-> \"Pct Misses\" for both should be very close to 0.0".into(),
        ],
        ruled: "                                           Pct    Avg   Wait                 Pct\n\
                \x20                                   Get    Get   Slps   Time       NoWait NoWait\n\
                Latch Name                     Requests   Miss  /Miss    (s)     Requests   Miss\n\
                ------------------------ -------------- ------ ------ ------ ------------ ------",
        columns: &[
            "Latch Name",
            "Get Requests",
            "Pct Get Miss",
            "Avg Slps /Miss",
            "Wait Time (s)",
            "NoWait Requests",
            "Pct NoWait Miss",
        ],
        rows: report
            .tables
            .latch
            .iter()
            .map(|r| Row::new(printed(r, &[Name, Int, Fine(1), Fine(1), Int, Int, FixedOrNa(1)], style)))
            .collect(),
        new_page: true,
        ..Block::default()
    }
}
