//! Texts in which every wide blank became two: headings stood over the columns of others, and numbers under them. All
//! names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus};

const HEAD: &str = "WORKLOAD REPOSITORY report for\n\n\
    DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
    ------------ ----------- ------------ -------- --------------- ----------- ---\n\
    TILL          1234567890 till                1 01-Mar-24 08:00 11.2.0.4.0  NO\n\n";

const HOST_CPU: &str = "Host CPU\n\
    ~~~~~~~~                  Load Average\n\
    \x20CPUs Cores Sockets     Begin       End     %User   %System      %WIO     %Idle\n\
    ----- ----- ------- --------- --------- --------- --------- --------- ---------\n\
    \x20   8     4       2      0.35      2.21      35.4      12.9       3.5      48.8\n\n";

const POOLS: &str = "Buffer Pool Statistics  DB/Inst: TILL/till  Snaps: 10-11\n\n\
    \x20                                                           Free Writ     Buffer\n\
    \x20    Number of Pool         Buffer     Physical    Physical Buff Comp       Busy\n\
    P      Buffers Hit%           Gets        Reads      Writes Wait Wait      Waits\n\
    --- ---------- ---- -------------- ------------ ----------- ---- ---- ----------\n\
    D       40,102   97        154,824        4,113         767    1    2        305\n\
    K        1,002             992,114            7           3    0    0          4\n\
    \x20         -------------------------------------------------------------\n\n";

fn squeezed(text: &str) -> String {
    let mut lines = text.to_owned();
    while lines.contains("   ") {
        lines = lines.replace("   ", "  ");
    }
    lines
}

fn read(text: &str) -> Report {
    let mut reports = spindle_evidence::read("squeezed", text.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

#[test]
fn load_at_the_end_was_the_share_of_users() {
    for text in [HOST_CPU.to_owned(), squeezed(HOST_CPU)] {
        let report = read(&format!("{HEAD}{text}"));
        let host = &report.tables.host_cpu[0];
        assert_eq!((host.load_begin, host.load_end), (Some(0.35), Some(2.21)), "{text}");
        let shares = [host.user_pct, host.system_pct, host.io_wait_pct, host.idle_pct];
        assert_eq!(shares, [Some(35.4), Some(12.9), Some(3.5), Some(48.8)], "{text}");
    }
}

#[test]
fn the_hits_of_a_pool_were_its_gets() {
    let whole = read(&format!("{HEAD}{POOLS}"));
    let torn = read(&format!("{HEAD}{}", squeezed(POOLS)));
    let [row] = torn.tables.buffer_pool.as_slice() else { panic!("{:?}", torn.tables.buffer_pool) };
    assert_eq!(row.cells, whole.tables.buffer_pool[0].cells);
    // Of the other one a cell is blank: which, nothing tells.
    let section = torn.sections.iter().find(|s| s.title == "Buffer Pool Statistics").unwrap();
    assert!(section.rows == 1 && section.lost > 0, "{section:?}");
    assert!(torn.notes.iter().any(|n| n.section.as_deref() == Some("Buffer Pool Statistics")));
}

#[test]
fn headings_that_nothing_tells_apart_are_said() {
    let strange = POOLS.replace("Comp ", "Misc ");
    let report = read(&format!("{HEAD}{}", squeezed(&strange)));
    assert!(report.tables.buffer_pool.is_empty(), "{:?}", report.tables.buffer_pool);
    let section = report.sections.iter().find(|s| s.title == "Buffer Pool Statistics").unwrap();
    assert_eq!(section.status, SectionStatus::Unreadable);
    let said = |n: &&spindle_facts::Note| n.message.contains("the blanks of the headings were squeezed");
    assert!(report.notes.iter().find(said).is_some_and(|n| n.line.is_some()), "{:?}", report.notes);
}
