//! What a reader of a RAC-global report got wrong: reports of instances against the one over all.

use crate::rac_global::{TOP, model, stat, sum, timed};
use crate::rac_late::over_all;
use crate::style::{Release, Style};
use spindle_facts::{IoActivity, Report, Scope, Side};

struct Found(Vec<String>);

impl Found {
    fn within(&mut self, what: &str, printed: Option<f64>, read: Option<f64>, by: f64) {
        let same = match (printed, read) {
            (Some(p), Some(r)) => (p - r).abs() <= by * 1.000_001 + p.abs() * 1e-9,
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.0.push(format!("{what}: printed {printed:?}, read {read:?}"));
        }
    }

    fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, printed: &T, read: &T) {
        if printed != read {
            self.0.push(format!("{what}: printed {printed:?}, read {read:?}"));
        }
    }
}

/// Two decimals.
const CENT: f64 = 0.005;

/// What differs between the reports of the instances and the report over all of them as read; empty
/// where nothing does.
#[must_use]
pub fn rac_differences(printed: &[Report], read: &Report, style: &Style) -> Vec<String> {
    let mut d = Found(Vec::new());
    let late = style.release >= Release::V12_2;
    identity(&mut d, printed, read);
    time_model(&mut d, printed, read, late);
    wait_classes(&mut d, printed, read, late);
    for side in [Side::Foreground, Side::Background] {
        top_events(&mut d, printed, read, side);
    }
    host(&mut d, printed, read);
    statistics(&mut d, printed, read);
    io(&mut d, printed, read, style, true);
    io(&mut d, printed, read, style, false);
    if late {
        histograms(&mut d, printed, read);
    } else {
        statements(&mut d, printed, read);
        segments(&mut d, printed, read);
    }
    let names = |r: &Report| {
        let values = r.tables.parameter.iter().map(|p| (p.name.clone(), p.begin_value.clone()));
        values.collect::<Vec<_>>()
    };
    d.equal("parameters", &names(&printed[0]), &names(read));
    d.0
}

/// Instances with their numbers, then all of them.
fn each(printed: &[Report]) -> impl Iterator<Item = (Option<u32>, Vec<&Report>)> {
    let all = (None, printed.iter().collect());
    printed.iter().map(|r| (r.identity.instance_number, vec![r])).chain([all])
}

fn identity(d: &mut Found, printed: &[Report], read: &Report) {
    let (p, r) = (&printed[0].identity, &read.identity);
    d.equal("scope", &Scope::Database, &r.scope);
    d.equal("db_name", &p.db_name, &r.db_name);
    d.equal("db_id", &p.db_id, &r.db_id);
    d.equal("rac", &p.rac, &r.rac);
    d.equal("cdb", &p.cdb, &r.cdb);
    d.equal("role", &p.role, &r.role);
    d.equal("version", &p.version, &r.version);
    d.equal("platform", &p.platform, &r.platform);
    d.equal("begin_snap", &p.begin_snap, &r.begin_snap);
    d.equal("end_snap", &p.end_snap, &r.end_snap);
    d.equal("begin_time", &p.begin_time, &r.begin_time);
    d.equal("end_time", &p.end_time, &r.end_time);
    d.equal("block size", &p.block_size_bytes, &r.block_size_bytes);
    d.equal("instances", &u32::try_from(printed.len()).ok(), &r.instances);
    d.equal("restart", &false, &r.spans_restart);
    let minute = 60.0 * CENT;
    d.within("elapsed", p.elapsed_s, r.elapsed_s, minute);
    let db_time_s = sum(printed.iter().map(|r| r.identity.db_time_s));
    d.within("DB time", db_time_s, r.db_time_s, minute);
}

fn time_model(d: &mut Found, printed: &[Report], read: &Report, late: bool) {
    let mut rows = 0;
    for (number, reports) in each(printed) {
        for name in [
            "DB time",
            "DB CPU",
            "sql execute elapsed time",
            "background elapsed time",
            "background cpu time",
        ] {
            let of = |r: &&spindle_facts::TimeModelRow| r.instance_number == number && r.statistic == name;
            let found: Vec<_> = read.tables.time_model.iter().filter(of).collect();
            if number.is_none() && !late {
                d.equal(&format!("{name} of all"), &0, &found.len());
                continue;
            }
            rows += found.len();
            d.equal(&format!("rows of {name} of {number:?}"), &1, &found.len());
            let Some(row) = found.first() else { continue };
            let expected = sum(reports.iter().map(|r| model(r, name).or(Some(0.0))));
            d.within(&format!("{name} of {number:?}"), expected, row.time_s, CENT);
        }
    }
    d.equal("rows of the time model", &(read.tables.time_model.len() * 5 / 9), &rows);
}

fn wait_classes(d: &mut Found, printed: &[Report], read: &Report, late: bool) {
    for (number, reports) in each(printed).filter(|(n, _)| late || n.is_some()) {
        for name in ["User I/O", "System I/O", "Commit", "Cluster", "Administrative", "DB CPU"] {
            let time = |r: &Report| {
                let mut rows = r.tables.wait_class.iter();
                rows.find(|c| c.side == Side::Foreground && c.wait_class == name).and_then(|c| c.time_s)
            };
            let expected = sum(reports.iter().map(|r| time(r)));
            let expected = expected.filter(|_| late || name != "Administrative");
            let mut rows = read.tables.wait_class.iter();
            let row = rows.find(|c| c.instance_number == number && c.wait_class == name);
            d.within(&format!("class {name} of {number:?}"), expected, row.and_then(|c| c.time_s), CENT);
        }
    }
    let known = |n: Option<u32>| n.is_none_or(|n| (1..=printed.len() as u32).contains(&n));
    d.equal("all wait classes", &true, &read.tables.wait_class.iter().all(|c| known(c.instance_number)));
}

fn top_events(d: &mut Found, printed: &[Report], read: &Report, side: Side) {
    for report in printed {
        let number = report.identity.instance_number;
        for event in timed(report, side).iter().take(TOP) {
            if matches!(event.event.as_str(), "DB CPU" | "background cpu time") {
                continue;
            }
            one_event(d, (side, number, &event.event), (event.waits, Some(event.time_s)), read);
        }
    }
    let all: Vec<_> = printed.iter().flat_map(|r| timed(r, side)).collect();
    let of_all = |r: &&spindle_facts::WaitEvent| r.side == side && r.instance_number.is_none() && !r.is_idle;
    for event in read.tables.wait_event.iter().filter(of_all) {
        let same: Vec<_> = all.iter().filter(|t| t.event == event.event.as_str()).collect();
        let waits = sum(same.iter().map(|t| t.waits)).filter(|_| !same.is_empty());
        let time_s = (!same.is_empty()).then(|| same.iter().map(|t| t.time_s).sum());
        one_event(d, (side, None, &event.event), (waits, time_s), read);
    }
}

fn one_event(
    d: &mut Found,
    (side, number, name): (Side, Option<u32>, &str),
    (waits, time_s): (Option<f64>, Option<f64>),
    read: &Report,
) {
    let what = format!("{side:?} {name} of {number:?}");
    let same =
        |e: &&spindle_facts::WaitEvent| e.side == side && e.instance_number == number && e.event == name;
    let rows: Vec<_> = read.tables.wait_event.iter().filter(same).collect();
    d.equal(&format!("rows of {what}"), &1, &rows.len());
    let Some(row) = rows.first() else { return };
    d.within(&format!("{what} waits"), waits, row.waits, 0.5);
    d.within(&format!("{what} time"), time_s, row.time_s, CENT);
    let mean = time_s.zip(waits.filter(|w| *w > 0.0)).map(|(t, w)| 1e6 * t / w);
    if let (Some(mean), Some(low), Some(high)) = (mean, row.avg_wait_us_low, row.avg_wait_us_high)
        && !(low <= mean * 1.000_001 && mean <= high * 1.000_001)
    {
        d.0.push(format!("{what}: mean {mean} outside {low}..{high}"));
    }
}

fn host(d: &mut Found, printed: &[Report], read: &Report) {
    for report in printed {
        let (number, id) = (report.identity.instance_number, &report.identity);
        let mut value = |name: &str, expected: Option<f64>, by: f64| {
            let mut rows = read.tables.os_stat.iter();
            let row = rows.find(|s| s.instance_number == number && s.statistic == name);
            d.within(&format!("{name} of {number:?}"), expected, row.and_then(|r| r.value), by);
        };
        let os =
            |name: &str| report.tables.os_stat.iter().find(|s| s.statistic == name).and_then(|s| s.value);
        value("NUM_CPUS", id.cpus, 0.5);
        value("NUM_CPU_CORES", id.cores, 0.5);
        value("NUM_CPU_SOCKETS", id.sockets, 0.5);
        value("BUSY_TIME", os("BUSY_TIME"), 100.0 * CENT);
        value("IDLE_TIME", os("IDLE_TIME"), 100.0 * CENT);
        value("PHYSICAL_MEMORY_BYTES", id.memory_bytes, 1_048_576.0 * CENT);
    }
}

fn statistics(d: &mut Found, printed: &[Report], read: &Report) {
    const BY_INSTANCE: [(&str, f64); 5] = [
        ("session logical reads", 1.0),
        ("physical reads", 1.0),
        ("physical writes", 1.0),
        ("redo size", 1_024.0),
        ("execute count", 1.0),
    ];
    let transactions = |r: &Report| sum([stat(r, "user commits"), stat(r, "user rollbacks")]);
    let row = |number: Option<u32>, name: &str| {
        let mut rows = read.tables.instance_stat.iter();
        rows.find(|s| s.instance_number == number && s.statistic == name)
    };
    for report in printed {
        let number = report.identity.instance_number;
        for (name, unit) in BY_INSTANCE {
            let expected = stat(report, name);
            let (what, read) = (format!("{name} of {number:?}"), row(number, name));
            d.within(&what, expected, read.and_then(|r| r.total), 0.5 * unit);
            let by = |v: Option<f64>| expected.zip(v).map(|(e, v)| e / v);
            let second = by(report.identity.elapsed_s);
            d.within(&format!("{what} a second"), second, read.and_then(|r| r.per_second), CENT * unit);
            let each = by(transactions(report));
            d.within(
                &format!("{what} a transaction"),
                each,
                read.and_then(|r| r.per_transaction),
                CENT * unit,
            );
        }
        let read = row(number, "transactions").and_then(|r| r.total);
        d.within(&format!("transactions of {number:?}"), transactions(report), read, 0.5);
    }
    // The table over all lists what the first instance has.
    for s in &printed[0].tables.instance_stat {
        if s.total.is_none() || s.statistic.ends_with("(derived)") {
            continue;
        }
        let total: f64 = printed.iter().filter_map(|r| stat(r, &s.statistic)).sum();
        let read = row(None, &s.statistic);
        d.within(&format!("{} of all", s.statistic), Some(total), read.and_then(|r| r.total), 0.5);
        let second = printed[0].identity.elapsed_s.map(|e| total / e);
        d.within(&format!("{} of all a second", s.statistic), second, read.and_then(|r| r.per_second), CENT);
    }
    let whose = |n: Option<u32>| read.tables.instance_stat.iter().filter(|s| s.instance_number == n).count();
    d.equal("statistics of nobody", &0, &whose(Some(printed.len() as u32 + 1)));
}

fn io(d: &mut Found, printed: &[Report], read: &Report, style: &Style, by_function: bool) {
    let late = style.release >= Release::V12_2;
    let rows =
        |r: &Report| if by_function { r.tables.io_function.clone() } else { r.tables.io_filetype.clone() };
    let shown = |a: &IoActivity| {
        let name = if by_function { a.function.as_deref() } else { a.filetype.as_deref() };
        let known = if by_function {
            ["Buffer Cache Reads", "Direct Reads", "DBWR", "Direct Writes", "LGWR"].as_slice()
        } else {
            &["Data File", "Temp File", "Log File"]
        };
        late || a.is_total || name.is_some_and(|n| known.contains(&n))
    };
    // Columns of 11.2: what reads has no writes, and the other way round.
    let side = |a: &IoActivity| {
        if late || a.is_total {
            return (true, true);
        }
        match a.function.as_deref().or(a.filetype.as_deref()) {
            Some("Buffer Cache Reads" | "Direct Reads") => (true, false),
            Some("DBWR" | "Direct Writes" | "LGWR" | "Log File") => (false, true),
            _ => (true, true),
        }
    };
    let read_rows = rows(read);
    let mut expected: Vec<(Option<u32>, IoActivity)> = Vec::new();
    for r in printed {
        expected.extend(rows(r).into_iter().map(|a| (r.identity.instance_number, a)));
    }
    if late {
        expected.extend(over_all(printed, by_function).into_iter().map(|a| (None, a)));
    }
    expected.retain(|(_, a)| shown(a));
    d.equal("rows of I/O", &expected.len(), &read_rows.len());
    // Requests by function that those by file type prove impossible are unknown.
    let total =
        |by_function| over_all(printed, by_function).iter().find(|a| a.is_total).and_then(|a| a.reads_per_s);
    let beyond = late && by_function && total(true).zip(total(false)).is_some_and(|(f, t)| f >= 10.0 * t);
    for (number, p) in expected {
        let what = format!("I/O {:?} {:?} of {number:?}", p.function, p.filetype);
        let same = |a: &&IoActivity| {
            a.instance_number == number
                && a.is_total == p.is_total
                && a.function == p.function
                && a.filetype == p.filetype
        };
        let Some(r) = read_rows.iter().find(same) else {
            d.0.push(format!("{what}: not read"));
            continue;
        };
        let (reads, writes) = side(&p);
        let mb = 1_048_576.0 * CENT;
        let mut check = |name: &str, shown: bool, p: Option<f64>, r: Option<f64>, by: f64| {
            d.within(&format!("{what} {name}"), p.filter(|_| shown), r, by);
        };
        check("reads", reads && !beyond, p.reads_per_s, r.reads_per_s, CENT);
        check("writes", writes, p.writes_per_s, r.writes_per_s, CENT);
        check("bytes read", reads, p.read_bytes_per_s, r.read_bytes_per_s, mb);
        check("bytes written", writes, p.write_bytes_per_s, r.write_bytes_per_s, mb);
        if late && by_function {
            let half = p.avg_wait_us.map_or(0.0, |us| us * 0.005 + 0.005);
            check("mean wait", true, p.avg_wait_us, r.avg_wait_us, half);
        } else if late {
            let half = p.small_read_us.map_or(0.0, |us| us * 0.005 + 0.005);
            check("small read", true, p.small_read_us, r.small_read_us, half);
        }
    }
}

fn statements(d: &mut Found, printed: &[Report], read: &Report) {
    let ranked = ["elapsed_time", "cpu_time", "user_io_wait_time", "buffer_gets", "physical_reads"];
    let mut count = 0;
    for by in ranked {
        let mut all: Vec<(&str, Vec<&spindle_facts::SqlStat>)> = Vec::new();
        for s in printed.iter().flat_map(|r| &r.tables.sql_stat).filter(|s| s.ranked_by == by) {
            let id = s.sql_id.as_deref().unwrap_or_default();
            match all.iter_mut().find(|(other, _)| *other == id) {
                Some((_, same)) => same.push(s),
                None => all.push((id, vec![s])),
            }
        }
        for (id, same) in all {
            count += 1;
            let what = format!("{id} by {by}");
            let mut rows = read.tables.sql_stat.iter();
            let Some(r) = rows.find(|r| r.ranked_by == by && r.sql_id.as_deref() == Some(id)) else {
                d.0.push(format!("{what}: not read"));
                continue;
            };
            let of = |f: fn(&spindle_facts::SqlStat) -> Option<f64>| sum(same.iter().map(|s| f(s)));
            d.within(&format!("{what} elapsed"), of(|s| s.elapsed_s), r.elapsed_s, CENT);
            d.within(&format!("{what} cpu"), of(|s| s.cpu_s), r.cpu_s, CENT);
            d.within(&format!("{what} io"), of(|s| s.io_wait_s), r.io_wait_s, CENT);
            d.within(&format!("{what} cluster"), of(|s| s.cluster_wait_s), r.cluster_wait_s, CENT);
            d.within(&format!("{what} gets"), of(|s| s.buffer_gets), r.buffer_gets, 0.5);
            d.within(&format!("{what} reads"), of(|s| s.physical_reads), r.physical_reads, 0.5);
            d.within(&format!("{what} rows"), of(|s| s.rows_processed), r.rows_processed, 0.5);
            d.within(&format!("{what} executions"), of(|s| s.executions), r.executions, 0.5);
            if by == "elapsed_time" {
                let db_time_s = sum(printed.iter().map(|r| r.identity.db_time_s));
                let share = of(|s| s.elapsed_s).zip(db_time_s).map(|(e, t)| 100.0 * e / t);
                d.within(&format!("{what} share"), share, r.share_pct, CENT);
            }
        }
    }
    d.equal("statements", &count, &read.tables.sql_stat.len());
}

fn segments(d: &mut Found, printed: &[Report], read: &Report) {
    for by in ["logical_reads", "physical_reads", "physical_writes"] {
        let mut names: Vec<(Option<&str>, Option<&str>)> = Vec::new();
        let all = || printed.iter().flat_map(|r| &r.tables.segment_stat).filter(|s| s.ranked_by == by);
        for s in all() {
            let name = (s.object.as_deref(), s.subobject.as_deref());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let rows = read.tables.segment_stat.iter().filter(|s| s.ranked_by == by);
        d.equal(&format!("segments by {by}"), &names.len(), &rows.clone().count());
        for name in names {
            let same =
                |s: &&spindle_facts::SegmentStat| (s.object.as_deref(), s.subobject.as_deref()) == name;
            let expected = sum(all().filter(same).map(|s| s.value));
            let r = rows.clone().find(same);
            d.within(&format!("{name:?} by {by}"), expected, r.and_then(|r| r.value), 0.5);
            d.equal(
                &format!("tablespace of {name:?}"),
                &Some("USERS"),
                &r.and_then(|r| r.tablespace.as_deref()),
            );
        }
    }
}

/// Every bucket as read holds the waits of the printed buckets inside it.
fn histograms(d: &mut Found, printed: &[Report], read: &Report) {
    for r in &read.tables.wait_histogram {
        let of = || {
            let all = printed.iter().flat_map(|p| &p.tables.wait_histogram).filter(|h| h.event == r.event);
            all.flat_map(|h| &h.buckets)
        };
        let total: f64 = of().map(|b| b.waits).sum();
        d.within(&format!("{}: waits", r.event), Some(total), r.waits, 0.5);
        for b in &r.buckets {
            let high = b.high_us.unwrap_or(f64::INFINITY);
            let inside = of().filter(|p| p.low_us >= b.low_us && p.high_us.unwrap_or(f64::INFINITY) <= high);
            let waits: f64 = inside.map(|p| p.waits).sum();
            let slack = total * 1e-6 + 1e-6;
            if waits < b.waits_low - slack || waits > b.waits_high + slack {
                d.0.push(format!(
                    "{}: bucket {}..{:?} holds {waits} of {total} waits, read {}..{}",
                    r.event, b.low_us, b.high_us, b.waits_low, b.waits_high
                ));
            }
        }
    }
    let mut names: Vec<_> = printed.iter().flat_map(|p| &p.tables.wait_histogram).map(|h| &h.event).collect();
    names.sort_unstable();
    names.dedup();
    d.equal("histograms", &names.len(), &read.tables.wait_histogram.len());
}
