//! Facts as printed against facts as read: equal within what the print shows.

use crate::style::{Release, Style};
use spindle_facts::{Kind, Layout, Report, Side, WaitHistogram};

/// A table that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the tables")]
pub enum Table {
    Identity,
    LoadProfile,
    TopEvent,
    WaitEvent,
    WaitClass,
    WaitHistogram,
    TimeModel,
    OsStat,
    InstanceStat,
    Io,
    TablespaceIo,
    FileIo,
    SqlStat,
    SqlText,
    SegmentStat,
    CacheAdvice,
    PgaAdvice,
    Parameter,
}

impl Table {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Identity,
        Self::LoadProfile,
        Self::TopEvent,
        Self::WaitEvent,
        Self::WaitClass,
        Self::WaitHistogram,
        Self::TimeModel,
        Self::OsStat,
        Self::InstanceStat,
        Self::Io,
        Self::TablespaceIo,
        Self::FileIo,
        Self::SqlStat,
        Self::SqlText,
        Self::SegmentStat,
        Self::CacheAdvice,
        Self::PgaAdvice,
        Self::Parameter,
    ];
}

/// Collects what differs.
struct Differences {
    found: Vec<String>,
    html: bool,
    /// Wide numbers print as `####` and are then unknown.
    hashes: bool,
    statspack: bool,
    /// Statspack of 8i: times in centiseconds, narrow columns.
    eight: bool,
}

impl Differences {
    /// A number printed with so many decimals in text, one more in HTML where `finer`.
    fn number(&mut self, what: &str, printed: Option<f64>, read: Option<f64>, decimals: i32) {
        self.within(what, printed, read, 0.5 * 10_f64.powi(-decimals));
    }

    fn finer(&mut self, what: &str, printed: Option<f64>, read: Option<f64>, decimals: i32) {
        self.number(what, printed, read, decimals + i32::from(self.html));
    }

    /// A number in a column of text that may be too narrow for it: `4.2E+06`.
    fn narrow(&mut self, what: &str, printed: Option<f64>, read: Option<f64>, decimals: i32, width: usize) {
        let whole_digits = printed.map_or(0, |v| format!("{:.0}", v.abs()).len());
        let length = whole_digits + whole_digits.saturating_sub(1) / 3 + if decimals > 0 { 2 } else { 0 };
        if self.hashes && length > width {
            // Unknown, or what the other columns of the row make of it with a rounded interval.
            return self.within(what, printed, read, printed.unwrap_or(0.0) * 0.01);
        }
        if self.html || length <= width {
            return self.number(what, printed, read, decimals);
        }
        #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation, reason = "widths of columns")]
        let by = printed.unwrap_or(0.0) * 5.0 * 10_f64.powi(-(width as i32 - 6));
        self.within(what, printed, read, by);
    }

    fn within(&mut self, what: &str, printed: Option<f64>, read: Option<f64>, by: f64) {
        let same = match (printed, read) {
            (Some(p), Some(r)) => (p - r).abs() <= by * 1.000_001 + p.abs() * 1e-9,
            (None, None) => true,
            (Some(_), None) => self.hashes,
            (None, Some(_)) => false,
        };
        if !same {
            self.found.push(format!("{what}: printed {printed:?}, read {read:?}"));
        }
    }

    fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, printed: &T, read: &T) {
        if printed != read {
            self.found.push(format!("{what}: printed {printed:?}, read {read:?}"));
        }
    }

    /// Pairs rows in printed order; complains where the numbers of rows differ.
    fn rows<'a, P, R: std::fmt::Debug>(
        &mut self,
        what: &str,
        printed: &'a [P],
        read: &'a [R],
    ) -> Vec<(&'a P, &'a R)> {
        if printed.len() != read.len() {
            self.found.push(format!("{what}: printed {} rows, read {}: {read:?}", printed.len(), read.len()));
            return Vec::new();
        }
        printed.iter().zip(read).collect()
    }
}

/// Half a unit of the last digit that `kilo` prints: `25.2K` hides 50, `1419K` 500.
fn kilo_half(value: f64, release: Release) -> f64 {
    match (value, release <= Release::V11_1) {
        (v, _) if v < 9_999.5 => 0.5,
        (v, true) if v < 1e7 => 1e3,
        (v, true) if v < 1e10 => 1e6,
        (_, true) => 1e9,
        (v, _) if v < 999_950.0 => 50.0,
        (v, _) if v < 9_999_500.0 => 500.0,
        (v, _) if v < 999_950_000.0 => 5e4,
        _ => 5e7,
    }
}

/// Half a unit of the last digit of a size in M, G or T.
fn data_half(bytes: f64) -> f64 {
    let mb = 1_048_576.0;
    match bytes / mb {
        v if v < 1_023.5 => 0.5 * mb,
        v if v < 1_048_524.0 => 0.05 * 1024.0 * mb,
        _ => 0.05 * 1024.0 * 1024.0 * mb,
    }
}

/// Half a unit of the last digit of a mean wait.
fn wait_half_us(us: f64, style: &Style) -> f64 {
    if style.release.times_carry_units() {
        match us {
            us if us < 1.0 => 0.005e-3,
            us if us < 1e3 => 0.005,
            us if us < 1e6 => 5.0,
            _ => 5e3,
        }
    } else if style.release == Release::V12_1 && style.layout == Layout::Html {
        5.0
    } else {
        500.0
    }
}

/// A name as read: whole, or what of it the column shows.
fn same_name(printed: &str, read: &str) -> bool {
    printed == read || (read.len() >= 8 && printed.starts_with(read))
}

/// What a reader of the print got wrong, by table and row; empty where nothing is.
#[must_use]
pub fn differences(printed: &Report, read: &Report, style: &Style, tables: &[Table]) -> Vec<String> {
    let mut d = Differences {
        found: Vec::new(),
        html: style.layout == Layout::Html,
        hashes: style.hashes,
        statspack: printed.identity.kind == Kind::Statspack,
        eight: style.release == Release::V8_1,
    };
    // Statspack kept its columns from 11g on.
    let kept = Style { release: style.release.min(Release::V11_2_0_3), ..style.clone() };
    let style = if d.statspack { &kept } else { style };
    for table in tables {
        match table {
            Table::SqlStat if printed.identity.kind == Kind::Statspack => by_old_hash(&mut d, printed, read),
            Table::SqlText if printed.identity.kind == Kind::Statspack => {}
            Table::Io if printed.identity.kind == Kind::Statspack => {}
            Table::Identity => identity(&mut d, printed, read),
            Table::LoadProfile => load_profile(&mut d, printed, read),
            Table::TopEvent => top_events(&mut d, printed, read, style),
            Table::WaitEvent => wait_events(&mut d, printed, read),
            Table::WaitClass => wait_classes(&mut d, printed, read, style),
            Table::WaitHistogram => histograms(&mut d, printed, read, style),
            Table::TimeModel => time_model(&mut d, printed, read),
            Table::OsStat => os_stats(&mut d, printed, read),
            Table::InstanceStat => instance_stats(&mut d, printed, read),
            Table::Io => io(&mut d, printed, read, style),
            Table::TablespaceIo => tablespaces(&mut d, printed, read, style),
            Table::FileIo => files(&mut d, printed, read, style),
            Table::SqlStat => statements(&mut d, printed, read, style),
            Table::SqlText => texts(&mut d, printed, read, style),
            Table::SegmentStat => segments(&mut d, printed, read),
            Table::CacheAdvice => cache_advice(&mut d, printed, read),
            Table::PgaAdvice => pga_advice(&mut d, printed, read),
            Table::Parameter => parameters(&mut d, printed, read),
        }
    }
    d.found
}

fn identity(d: &mut Differences, printed: &Report, read: &Report) {
    let (p, r) = (&printed.identity, &read.identity);
    d.equal("db_name", &p.db_name, &r.db_name);
    d.equal("db_id", &p.db_id, &r.db_id);
    d.equal("instance", &p.instance, &r.instance);
    d.equal("instance_number", &p.instance_number, &r.instance_number);
    d.equal("version", &p.version, &r.version);
    d.equal("platform", &p.platform, &r.platform);
    d.equal("host", &p.host, &r.host);
    d.equal("rac", &p.rac, &r.rac);
    d.equal("scope", &p.scope, &r.scope);
    d.equal("cdb", &p.cdb, &r.cdb);
    d.equal("container", &p.container, &r.container);
    d.equal("restart", &p.spans_restart, &r.spans_restart);
    d.equal("begin_snap", &p.begin_snap, &r.begin_snap);
    d.equal("end_snap", &p.end_snap, &r.end_snap);
    d.number("cpus", p.cpus, r.cpus, 0);
    if p.cores.is_none() {
        d.number("cores", None, r.cores, 0);
    }
    d.number("sessions", p.begin_sessions, r.begin_sessions, 0);
    d.number("sockets", p.sockets, r.sockets, 0);
    d.within("memory", p.memory_bytes, r.memory_bytes, 0.005 * 1_073_741_824.0);
    d.within("elapsed", p.elapsed_s, r.elapsed_s, 0.3);
    d.within("DB time", p.db_time_s, r.db_time_s, 0.3);
    d.equal("block size", &p.block_size_bytes, &r.block_size_bytes);
    d.equal("begin_time", &p.begin_time, &r.begin_time);
    d.equal("end_time", &p.end_time, &r.end_time);
}

fn load_profile(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("load profile", &printed.tables.load_profile, &read.tables.load_profile) {
        d.equal("load profile label", &p.metric, &r.metric);
        d.equal("load profile meaning", &p.known, &r.known);
        d.number(&format!("{} a second", p.metric), p.per_second, r.per_second, 1);
        d.number(&format!("{} a transaction", p.metric), p.per_transaction, r.per_transaction, 1);
        d.number(&format!("{} an execution", p.metric), p.per_exec, r.per_exec, 2);
        d.number(&format!("{} a call", p.metric), p.per_call, r.per_call, 2);
    }
}

fn top_events(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    let late = style.release >= Release::V11_2_0_4;
    let one_decimal = late || style.layout == Layout::Text || style.release < Release::V11_1;
    for (p, r) in d.rows("top events", &printed.tables.top_event, &read.tables.top_event) {
        let what = &p.event;
        if !same_name(&p.event, &r.event) {
            d.equal("top event", &p.event, &r.event);
        }
        d.number(&format!("top {what} waits"), p.waits, r.waits, 0);
        let cut = late && style.layout == Layout::Text && !style.release.times_carry_units();
        let half = match p.time_s {
            Some(t) if late && style.layout == Layout::Text && t >= 9_999.95 => kilo_half(t, style.release),
            // Cut after the point.
            Some(t) if cut && t >= 99.95 => 1.0,
            _ if late => 0.05,
            _ if d.eight => 0.005,
            _ => 0.5,
        };
        // A cut time may have lost its suffix: a reader does well to leave it out.
        if !(cut && (r.time_s.is_none() || p.time_s.is_some_and(|t| t >= 9_999.95))) {
            d.within(&format!("top {what} time"), p.time_s, r.time_s, half);
        }
        let decimals = if one_decimal && !d.eight { 1 } else { 2 };
        d.equal(&format!("what the share of {what} is of"), &p.share_of, &r.share_of);
        d.number(&format!("top {what} share"), p.share_pct, r.share_pct, decimals);
    }
}

fn wait_events(d: &mut Differences, printed: &Report, read: &Report) {
    for side in [Side::Foreground, Side::Background, Side::All] {
        if side == Side::All && !printed.tables.wait_event.iter().any(|e| e.side == side) {
            continue;
        }
        let of = |report: &Report| -> Vec<_> {
            report.tables.wait_event.iter().filter(|e| e.side == side).cloned().collect()
        };
        let (all_printed, all_read) = (of(printed), of(read));
        for (p, r) in d.rows(&format!("{side:?} events"), &all_printed, &all_read) {
            let what = format!("{side:?} {}", p.event);
            if !same_name(&p.event, &r.event) {
                d.equal(&what, &p.event, &r.event);
            }
            d.number(&format!("{what} waits"), p.waits, r.waits, 0);
            d.number(&format!("{what} time"), p.time_s, r.time_s, if d.eight { 2 } else { 0 });
            if p.timeouts.is_some() {
                d.number(&format!("{what} counted time-outs"), p.timeouts, r.timeouts, 0);
            }
            d.number(&format!("{what} time-outs"), p.timeouts_pct, r.timeouts_pct, 0);
            d.finer(&format!("{what} waits a transaction"), p.waits_per_txn, r.waits_per_txn, 1);
            d.finer(&format!("{what} share"), p.share_pct, r.share_pct, 1);
            let inside = |low: Option<f64>, value: Option<f64>, high: Option<f64>| {
                low.zip(value).zip(high).is_none_or(|((l, v), h)| l <= v * 1.000_001 && v <= h * 1.000_001)
            };
            if !inside(r.avg_wait_us_low, p.avg_wait_us, r.avg_wait_us_high) {
                d.found.push(format!(
                    "{what}: mean {:?} outside {:?}..{:?}",
                    p.avg_wait_us, r.avg_wait_us_low, r.avg_wait_us_high
                ));
            }
            if !inside(r.time_s_low, p.time_s, r.time_s_high) {
                d.found.push(format!(
                    "{what}: time {:?} outside {:?}..{:?}",
                    p.time_s, r.time_s_low, r.time_s_high
                ));
            }
        }
    }
}

fn wait_classes(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    for side in [Side::Foreground, Side::All] {
        if side == Side::All && (Release::V11_1..Release::V11_2_0_4).contains(&style.release) {
            continue;
        }
        let of = |report: &Report| -> Vec<_> {
            report.tables.wait_class.iter().filter(|c| c.side == side).cloned().collect()
        };
        let (all_printed, all_read) = (of(printed), of(read));
        for (p, r) in d.rows(&format!("{side:?} wait classes"), &all_printed, &all_read) {
            d.equal("wait class", &p.wait_class, &r.wait_class);
            d.number(&format!("{} waits", p.wait_class), p.waits, r.waits, 0);
            d.number(&format!("{} time", p.wait_class), p.time_s, r.time_s, 0);
            let half = p.avg_wait_us.map_or(0.0, |us| wait_half_us(us, style));
            d.within(&format!("{} mean", p.wait_class), p.avg_wait_us, r.avg_wait_us, half);
        }
    }
}

/// Every bucket as read holds the waits of the printed buckets inside it, within the rounded share.
fn histograms(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    for h in &printed.tables.wait_histogram {
        let named = |same: fn(&str, &str) -> bool| {
            read.tables.wait_histogram.iter().find(|r| same(&h.event, &r.event))
        };
        let clipped = |p: &str, r: &str| r.len() > 20 && same_name(p, r);
        let Some(r) = named(|p, r| p == r).or_else(|| named(clipped)) else {
            // Without its total a histogram holds no counts.
            if !d.hashes {
                d.found.push(format!("histogram of {} not read", h.event));
            }
            continue;
        };
        one_histogram(d, h, r, style);
    }
    if !d.hashes {
        d.equal(
            "number of histograms",
            &printed.tables.wait_histogram.len(),
            &read.tables.wait_histogram.len(),
        );
    }
}

fn one_histogram(d: &mut Differences, printed: &WaitHistogram, read: &WaitHistogram, style: &Style) {
    let total: f64 = printed.buckets.iter().map(|b| b.waits).sum();
    // Statspack cuts its counts, as AWR did.
    let habits = if d.statspack { Release::V11_1 } else { style.release };
    d.within(
        &format!("{}: histogram waits", printed.event),
        Some(total),
        read.waits,
        kilo_half(total, habits),
    );
    let mut at = 0.0;
    for b in &read.buckets {
        if (b.low_us - at).abs() > 1e-6 {
            d.found.push(format!("{}: bucket starts at {} after {at}", printed.event, b.low_us));
        }
        at = b.high_us.unwrap_or(f64::INFINITY);
        let inside: f64 = printed
            .buckets
            .iter()
            .filter(|p| p.low_us >= b.low_us && p.high_us.unwrap_or(f64::INFINITY) <= at)
            .map(|p| p.waits)
            .sum();
        let slack = total * 1e-6 + 1e-6;
        if inside < b.waits_low - slack || inside > b.waits_high + slack {
            d.found.push(format!(
                "{}: bucket {}..{:?} holds {inside} of {total} waits, read {}..{}",
                printed.event, b.low_us, b.high_us, b.waits_low, b.waits_high
            ));
        }
    }
}

fn time_model(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("time model", &printed.tables.time_model, &read.tables.time_model) {
        d.equal("time model", &p.statistic, &r.statistic);
        d.finer(&p.statistic, p.time_s, r.time_s, 1);
        d.finer(&format!("{} share", p.statistic), p.share_db_time_pct, r.share_db_time_pct, 1);
    }
}

fn os_stats(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("OS statistics", &printed.tables.os_stat, &read.tables.os_stat) {
        d.equal("OS statistic", &p.statistic, &r.statistic);
        d.number(&p.statistic, p.value, r.value, 0);
    }
}

fn instance_stats(d: &mut Differences, printed: &Report, read: &Report) {
    for p in &printed.tables.instance_stat {
        let named = |same: fn(&str, &str) -> bool| {
            read.tables.instance_stat.iter().find(|r| same(&p.statistic, &r.statistic))
        };
        let Some(r) = named(|p, r| p == r).or_else(|| named(same_name)) else {
            d.found.push(format!("statistic {} not read", p.statistic));
            continue;
        };
        let (total, second) = if d.eight { (16, 12) } else { (18, 14) };
        d.narrow(&p.statistic, p.total, r.total, 0, total);
        // Thread activity is printed by the hour.
        if p.statistic.ends_with("(derived)") {
            continue;
        }
        let decimals = 1 + i32::from(d.html);
        d.narrow(&format!("{} a second", p.statistic), p.per_second, r.per_second, decimals, second);
        d.narrow(
            &format!("{} a transaction", p.statistic),
            p.per_transaction,
            r.per_transaction,
            decimals,
            if d.statspack { 12 } else { 13 },
        );
    }
}

fn io(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    let accounts = [
        ("function", &printed.tables.io_function, &read.tables.io_function),
        ("file type", &printed.tables.io_filetype, &read.tables.io_filetype),
        ("both", &printed.tables.io_function_filetype, &read.tables.io_function_filetype),
    ];
    for (account, printed, read) in accounts {
        for (p, r) in d.rows(&format!("I/O by {account}"), printed, read) {
            let what = format!("I/O by {account}: {:?} {:?}", p.function, p.filetype);
            d.equal(&what, &p.function, &r.function);
            d.equal(&what, &p.filetype, &r.filetype);
            d.within(
                &format!("{what} read bytes"),
                p.read_bytes,
                r.read_bytes,
                data_half(p.read_bytes.unwrap_or(0.0)),
            );
            d.within(
                &format!("{what} written bytes"),
                p.write_bytes,
                r.write_bytes,
                data_half(p.write_bytes.unwrap_or(0.0)),
            );
            if account == "file type" {
                let half = match style.release.times_carry_units() {
                    true => p.small_read_us.map_or(0.0, |us| wait_half_us(us, style)),
                    false if d.html => 5.0,
                    false => 50.0,
                };
                d.within(&format!("{what} small read"), p.small_read_us, r.small_read_us, half);
                d.within(&format!("{what} large read"), p.large_read_us, r.large_read_us, half);
            }
            for (name, p, r) in
                [("reads", p.reads_per_s, r.reads_per_s), ("writes", p.writes_per_s, r.writes_per_s)]
            {
                let half = match p {
                    Some(v) if v >= 9_999.95 && !d.html => v * 0.05,
                    _ if d.html => 0.005,
                    _ => 0.05,
                };
                d.within(&format!("{what} {name} a second"), p, r, half);
            }
            if account != "file type" {
                let waits = p.waits.unwrap_or(0.0);
                d.within(&format!("{what} waits"), p.waits, r.waits, kilo_half(waits, style.release));
                let half = match p.avg_wait_us {
                    Some(us) if style.release.times_carry_units() => wait_half_us(us, style),
                    _ if d.html => 5.0,
                    _ => 50.0,
                };
                d.within(&format!("{what} mean wait"), p.avg_wait_us, r.avg_wait_us, half);
            }
        }
    }
}

fn tablespaces(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    for (p, r) in d.rows("tablespaces", &printed.tables.tablespace_io, &read.tables.tablespace_io) {
        d.equal("tablespace", &p.tablespace, &r.tablespace);
        measures(d, p, r, style);
    }
}

fn files(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    for (p, r) in d.rows("files", &printed.tables.file_io, &read.tables.file_io) {
        d.equal("file", &p.file, &r.file);
        if !same_name(&p.io.tablespace, &r.io.tablespace) {
            d.equal("tablespace of a file", &p.io.tablespace, &r.io.tablespace);
        }
        measures(d, &p.io, &r.io, style);
    }
}

fn measures(
    d: &mut Differences,
    p: &spindle_facts::TablespaceIo,
    r: &spindle_facts::TablespaceIo,
    style: &Style,
) {
    let what = &p.tablespace;
    if d.html {
        d.equal(what, &p.container, &r.container);
    }
    let late = style.release >= Release::V11_2_0_4;
    d.narrow(&format!("{what} reads"), p.reads, r.reads, 0, if late { 7 } else { 14 });
    d.number(&format!("{what} reads a second"), p.reads_per_s, r.reads_per_s, 0);
    // Printed in milliseconds.
    let half = if d.html { 5.0 } else { 50.0 };
    d.within(&format!("{what} mean read"), p.avg_read_us, r.avg_read_us, half);
    d.finer(&format!("{what} blocks a read"), p.blocks_per_read, r.blocks_per_read, 1);
    d.within(&format!("{what} mean buffer wait"), p.avg_buffer_wait_us, r.avg_buffer_wait_us, half);
    d.narrow(&format!("{what} writes"), p.writes, r.writes, 0, if late { 7 } else { 12 });
    d.number(&format!("{what} buffer waits"), p.buffer_waits, r.buffer_waits, 0);
}

fn statements(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    // Up to 11.1 seconds are whole where they rank, and stand beside what ranks.
    let early = style.release < Release::V11_2_0_3;
    for (p, r) in d.rows("statements", &printed.tables.sql_stat, &read.tables.sql_stat) {
        let what = format!("{} by {}", p.sql_id.as_deref().unwrap_or("?"), p.ranked_by);
        d.equal(&what, &p.ranked_by, &r.ranked_by);
        d.equal(&what, &p.sql_id, &r.sql_id);
        d.equal(&what, &p.module, &r.module);
        if d.html {
            d.equal(&what, &p.container, &r.container);
        }
        d.number(&format!("{what} executions"), p.executions, r.executions, 0);
        let printed_by = p.ranked_by;
        let shown = |name: &str| match (p.ranked_by, name) {
            ("parse_calls", _) => false,
            ("executions", "elapsed") if early => false,
            ("elapsed_time" | "buffer_gets" | "physical_reads", "cpu") if early => true,
            (
                "elapsed_time" | "cpu_time" | "user_io_wait_time" | "buffer_gets" | "physical_reads"
                | "executions",
                "elapsed",
            ) => true,
            (by, "cpu") => by == "cpu_time",
            (by, "io") => by == "user_io_wait_time",
            (by, "gets") => by == "buffer_gets",
            (by, "reads") => by == "physical_reads",
            _ => false,
        };
        for (name, p, r) in [
            ("elapsed", p.elapsed_s, r.elapsed_s),
            ("cpu", p.cpu_s, r.cpu_s),
            ("io", p.io_wait_s, r.io_wait_s),
        ] {
            let whole = matches!(printed_by, "elapsed_time" | "cpu_time");
            if shown(name) && early {
                d.number(&format!("{what} {name}"), p, r, if whole { 0 } else { 2 });
            } else if shown(name) {
                d.finer(&format!("{what} {name}"), p, r, 1);
            }
        }
        for (name, p, r) in
            [("gets", p.buffer_gets, r.buffer_gets), ("reads", p.physical_reads, r.physical_reads)]
        {
            if shown(name) {
                let wide = p.is_some_and(|v| v >= 999_999_999.5) && !d.html;
                d.within(&format!("{what} {name}"), p, r, if wide { p.unwrap_or(0.0) * 5e-6 } else { 0.5 });
            }
        }
        if p.ranked_by != "executions" {
            let decimals = if p.ranked_by == "parse_calls" { 2 } else { 1 };
            d.number(&format!("{what} share"), p.share_pct, r.share_pct, decimals);
        }
        // AWR of 10.2 says of times neither; text of 11.2 cuts the line.
        if !(style.release < Release::V11_1 && matches!(p.ranked_by, "elapsed_time" | "cpu_time")) {
            d.number(&format!("{what} captured"), p.captured_pct, r.captured_pct, 1);
            if r.section_total.is_some() || p.ranked_by != "user_io_wait_time" || style.layout == Layout::Html
            {
                d.number(&format!("{what} total"), p.section_total, r.section_total, 0);
            }
        }
    }
}

/// HTML prints the whole text, text its first four lines.
fn texts(d: &mut Differences, printed: &Report, read: &Report, style: &Style) {
    for p in &printed.tables.sql_text {
        let whole = p.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(r) = read.tables.sql_text.iter().find(|r| r.sql_id == p.sql_id) else {
            d.found.push(format!("text of {:?} not read", p.sql_id));
            continue;
        };
        let text = r.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let squeezed = |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let shown: String = match style.layout {
            Layout::Html => whole.clone(),
            Layout::Text => p.text.chars().take(320).collect(),
        };
        d.equal("statement", &squeezed(&shown), &squeezed(&text));
    }
}

/// Statements of Statspack: what their ranking is about, and who they are.
fn by_old_hash(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("statements", &printed.tables.sql_stat, &read.tables.sql_stat) {
        let what = format!("{:?} by {}", p.old_hash, p.ranked_by);
        d.equal(&what, &p.ranked_by, &r.ranked_by);
        d.equal(&what, &p.old_hash, &r.old_hash);
        d.equal(&what, &p.module, &r.module);
        d.narrow(&format!("{what} executions"), p.executions, r.executions, 0, 12);
        match p.ranked_by {
            "buffer_gets" => d.narrow(&what, p.buffer_gets, r.buffer_gets, 0, 15),
            "physical_reads" => d.narrow(&what, p.physical_reads, r.physical_reads, 0, 15),
            "cpu_time" => d.narrow(&what, p.cpu_s, r.cpu_s, 2, 10),
            "elapsed_time" => d.narrow(&what, p.elapsed_s, r.elapsed_s, 2, 10),
            _ => {}
        }
    }
}

fn segments(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("segments", &printed.tables.segment_stat, &read.tables.segment_stat) {
        let what = format!("{:?} by {}", p.object, p.ranked_by);
        d.equal(&what, &p.ranked_by, &r.ranked_by);
        d.equal(&what, &p.owner, &r.owner);
        d.equal(&what, &p.tablespace, &r.tablespace);
        if !p.object.as_deref().zip(r.object.as_deref()).is_some_and(|(p, r)| same_name(p, r)) {
            d.equal(&what, &p.object, &r.object);
        }
        d.equal(&what, &p.subobject, &r.subobject);
        d.equal(&what, &p.object_type, &r.object_type);
        d.equal(&what, &p.object_number, &r.object_number);
        if d.html {
            d.equal(&what, &p.container, &r.container);
        }
        d.number(&what, p.value, r.value, 0);
        let decimals = if d.statspack { 1 } else { 2 };
        d.number(&format!("{what} share"), p.share_pct, r.share_pct, decimals);
    }
}

fn cache_advice(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("cache advice", &printed.tables.db_cache_advice, &read.tables.db_cache_advice) {
        d.equal("pool", &p.pool, &r.pool);
        d.number("cache size", p.size_bytes, r.size_bytes, 0);
        d.finer("size factor", p.size_factor, r.size_factor, 1);
        d.within("buffers", p.buffers, r.buffers, 500.0);
        d.finer("read factor", p.read_factor, r.read_factor, 1);
        d.number("estimated read time", p.estimated_read_time_s, r.estimated_read_time_s, 0);
        d.within("estimated reads", p.estimated_reads, r.estimated_reads, 500.0);
    }
}

fn pga_advice(d: &mut Differences, printed: &Report, read: &Report) {
    let mb = 1_048_576.0;
    for (p, r) in d.rows("PGA advice", &printed.tables.pga_advice, &read.tables.pga_advice) {
        d.number("PGA target", p.target_bytes, r.target_bytes, 0);
        d.finer("size factor", p.size_factor, r.size_factor, 1);
        let half = if d.statspack { 0.5 } else { 0.05 };
        d.within("processed", p.processed_bytes, r.processed_bytes, half * mb);
        d.within("extra", p.extra_rw_bytes, r.extra_rw_bytes, half * mb);
        d.finer("hit percentage", p.cache_hit_pct, r.cache_hit_pct, 1);
        d.number("over-allocations", p.over_allocations, r.over_allocations, 0);
    }
}

fn parameters(d: &mut Differences, printed: &Report, read: &Report) {
    for (p, r) in d.rows("parameters", &printed.tables.parameter, &read.tables.parameter) {
        d.equal("parameter", &p.name, &r.name);
        d.equal(&p.name, &p.begin_value, &r.begin_value);
    }
}
