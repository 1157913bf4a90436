//! Small helpers that put facts together so that their sums hold.

use spindle_facts::{
    FileIo, HistogramBucket, InstanceStat, IoActivity, LoadProfileRow, Metric, OsStat, PrintedRow, Report,
    SegmentStat, ShareOf, Side, SqlStat, SqlText, TablespaceIo, TimeModelRow, TopEvent, Value, WaitClassRow,
    WaitEvent, WaitHistogram,
};

/// Whole parts of `total` in proportion to the weights; they add up exactly.
pub(crate) fn split(total: f64, weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let mut done = 0.0;
    let mut weight_done = 0.0;
    weights
        .iter()
        .map(|w| {
            weight_done += w;
            let until = (total * weight_done / sum).round();
            let part = until - done;
            done = until;
            part
        })
        .collect()
}

/// Everything that rates and shares are relative to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    pub(crate) elapsed_s: f64,
    pub(crate) transactions: f64,
    pub(crate) executions: f64,
    pub(crate) calls: f64,
    pub(crate) db_time_s: f64,
    pub(crate) background_s: f64,
}

impl Base {
    pub(crate) fn load(&self, metric: &str, known: Metric, total: f64) -> LoadProfileRow {
        let time = matches!(known, Metric::DbTime | Metric::DbCpu);
        let transactions = known == Metric::Transactions;
        LoadProfileRow {
            line: 0,
            section: 0,
            instance_number: None,
            metric: metric.to_owned(),
            known: Some(known),
            per_second: Some(total / self.elapsed_s),
            per_transaction: (!transactions).then_some(total / self.transactions),
            per_exec: time.then_some(total / self.executions),
            per_call: time.then_some(total / self.calls),
            per_second_half_unit: 0.05,
            per_second_diff_pct: None,
        }
    }

    pub(crate) fn stat(&self, statistic: &str, total: f64) -> InstanceStat {
        let total = total.round();
        InstanceStat {
            line: 0,
            section: 0,
            instance_number: None,
            statistic: statistic.into(),
            printed_as: None,
            total: Some(total),
            per_second: Some(total / self.elapsed_s),
            per_transaction: Some(total / self.transactions),
            begin_value: None,
            end_value: None,
        }
    }

    pub(crate) fn event(&self, side: Side, event: &Event) -> WaitEvent {
        let of = if side == Side::Foreground { self.db_time_s } else { self.background_s };
        let idle = event.class == "Idle";
        WaitEvent {
            line: 0,
            section: 0,
            instance_number: None,
            event: event.name.into(),
            printed_as: None,
            side,
            wait_class: Some(event.class.into()),
            is_idle: idle,
            waits: Some(event.waits),
            waits_low: None,
            waits_high: None,
            timeouts: None,
            timeouts_pct: Some(event.timeouts_pct),
            time_s: Some(event.time_s),
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: Some(1e6 * event.time_s / event.waits),
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            waits_per_txn: Some(event.waits / self.transactions),
            share_pct: (!idle).then_some(100.0 * event.time_s / of),
            share_of: Some(if side == Side::Foreground { ShareOf::DbTime } else { ShareOf::BackgroundTime }),
        }
    }

    pub(crate) fn time_model(&self, statistic: &str, time_s: f64) -> TimeModelRow {
        let share = !matches!(statistic, "DB time") && !statistic.starts_with("background");
        TimeModelRow {
            line: 0,
            section: 0,
            instance_number: None,
            statistic: statistic.into(),
            time_s: Some(time_s),
            time_s_low: None,
            time_s_high: None,
            share_db_time_pct: share.then_some(100.0 * time_s / self.db_time_s),
        }
    }
}

/// Waits for one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) class: &'static str,
    pub(crate) waits: f64,
    pub(crate) time_s: f64,
    pub(crate) timeouts_pct: f64,
}

pub(crate) const fn event(name: &'static str, class: &'static str, waits: f64, time_s: f64) -> Event {
    Event { name, class, waits, time_s, timeouts_pct: 0.0 }
}

/// Foreground and background events, their classes and the top rows, into the report.
pub(crate) fn add_waits(
    report: &mut Report,
    base: &Base,
    cpu_s: f64,
    foreground: &[Event],
    background: &[Event],
    top: usize,
) {
    let order = |events: &[Event]| {
        let mut sorted = events.to_vec();
        sorted.sort_by(|a, b| {
            (a.class == "Idle").cmp(&(b.class == "Idle")).then(b.time_s.total_cmp(&a.time_s))
        });
        sorted
    };
    let (foreground, background) = (order(foreground), order(background));
    let tables = &mut report.tables;
    tables.wait_event.extend(foreground.iter().map(|e| base.event(Side::Foreground, e)));
    tables.wait_event.extend(background.iter().map(|e| base.event(Side::Background, e)));

    let class_row = |name: &str, side: Side, waits: Option<f64>, time_s: f64| WaitClassRow {
        line: 0,
        section: 0,
        instance_number: None,
        wait_class: name.to_owned(),
        side,
        waits,
        time_s: Some(time_s),
        time_s_low: None,
        time_s_high: None,
        avg_wait_us: waits.filter(|w| *w > 0.0).map(|w| 1e6 * time_s / w),
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        share_pct: Some(100.0 * time_s / base.db_time_s),
    };
    for (side, events) in [
        (Side::Foreground, foreground.clone()),
        (Side::All, foreground.iter().chain(&background).copied().collect()),
    ] {
        let mut rows: Vec<WaitClassRow> = Vec::new();
        for e in events.iter().filter(|e| e.class != "Idle") {
            if let Some(row) = rows.iter_mut().find(|r| r.wait_class == e.class) {
                let (waits, time_s) =
                    (row.waits.unwrap_or(0.0) + e.waits, row.time_s.unwrap_or(0.0) + e.time_s);
                *row = class_row(e.class, side, Some(waits), time_s);
            } else {
                rows.push(class_row(e.class, side, Some(e.waits), e.time_s));
            }
        }
        rows.push(class_row("DB CPU", side, None, cpu_s));
        rows.sort_by(|a, b| b.time_s.unwrap_or(0.0).total_cmp(&a.time_s.unwrap_or(0.0)));
        tables.wait_class.extend(rows);
    }

    let mut tops: Vec<TopEvent> = foreground
        .iter()
        .filter(|e| e.class != "Idle")
        .map(|e| TopEvent {
            line: 0,
            section: 0,
            instance_number: None,
            event: e.name.to_owned(),
            waits: Some(e.waits),
            time_s: Some(e.time_s),
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: Some(1e6 * e.time_s / e.waits),
            share_pct: Some(100.0 * e.time_s / base.db_time_s),
            share_of: Some(ShareOf::DbTime),
            wait_class: Some(e.class.to_owned()),
        })
        .collect();
    tops.push(TopEvent {
        line: 0,
        section: 0,
        instance_number: None,
        event: "DB CPU".to_owned(),
        waits: None,
        time_s: Some(cpu_s),
        time_s_low: None,
        time_s_high: None,
        avg_wait_us: None,
        share_pct: Some(100.0 * cpu_s / base.db_time_s),
        share_of: Some(ShareOf::DbTime),
        wait_class: None,
    });
    tops.sort_by(|a, b| b.time_s.unwrap_or(0.0).total_cmp(&a.time_s.unwrap_or(0.0)));
    tops.truncate(top);
    tables.top_event.extend(tops);
}

/// Histogram in milliseconds: share in percent of each bucket that ends at the given bound.
pub(crate) fn histogram(event: &str, waits: f64, shares: &[(f64, f64)]) -> WaitHistogram {
    let mut low = 0.0;
    let parts = split(waits, &shares.iter().map(|(_, share)| *share).collect::<Vec<_>>());
    let buckets = shares
        .iter()
        .zip(parts)
        .map(|((high_ms, _), bucket_waits)| {
            let bucket = HistogramBucket {
                low_us: low,
                high_us: high_ms.is_finite().then_some(high_ms * 1e3),
                waits: bucket_waits,
                waits_low: bucket_waits,
                waits_high: bucket_waits,
                share_pct: None,
                share_bounds_pct: None,
                line: 0,
            };
            low = high_ms * 1e3;
            bucket
        })
        .collect();
    WaitHistogram {
        line: 0,
        section: 0,
        instance_number: None,
        event: event.into(),
        side: Side::All,
        waits: Some(waits),
        buckets,
    }
}

/// A log-normal-like histogram around a mean, for events whose shape nobody published.
pub(crate) fn bell(event: &str, waits: f64, mean_ms: f64, width: f64) -> WaitHistogram {
    let bounds = [
        1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0,
        32768.0,
    ];
    let centre = mean_ms.max(0.05).ln() - width * width / 2.0;
    let below = |x: f64| {
        let z = (x.ln() - centre) / width;
        1.0 / (1.0 + (-1.702 * z).exp())
    };
    let mut last = 0.0;
    let mut shares: Vec<(f64, f64)> = bounds
        .iter()
        .map(|b| {
            let share = below(*b) - last;
            last = below(*b);
            (*b, if share * waits < 0.6 { 0.0 } else { 100.0 * share })
        })
        .collect();
    shares.push((f64::INFINITY, 0.0));
    histogram(event, waits, &shares)
}

pub(crate) fn printed(cells: Vec<(&str, Value)>) -> PrintedRow {
    PrintedRow { line: 0, section: 0, instance_number: None, cells: cells.into() }
}

pub(crate) fn n(value: f64) -> Value {
    Value::Number(value)
}

pub(crate) fn t(value: &str) -> Value {
    Value::Text(value.into())
}

pub(crate) fn os(statistic: &str, value: f64, end_value: Option<f64>) -> OsStat {
    OsStat {
        line: 0,
        section: 0,
        instance_number: None,
        statistic: statistic.into(),
        value: Some(value),
        end_value,
    }
}

/// One line of an I/O account.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) reads: f64,
    pub(crate) read_bytes: f64,
    pub(crate) writes: f64,
    pub(crate) write_bytes: f64,
    pub(crate) waits: f64,
    pub(crate) wait_s: f64,
}

impl Flow {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            reads: self.reads + other.reads,
            read_bytes: self.read_bytes + other.read_bytes,
            writes: self.writes + other.writes,
            write_bytes: self.write_bytes + other.write_bytes,
            waits: self.waits + other.waits,
            wait_s: self.wait_s + other.wait_s,
        }
    }

    pub(crate) fn row(
        self,
        function: Option<&str>,
        filetype: Option<&str>,
        is_total: bool,
        elapsed_s: f64,
    ) -> IoActivity {
        IoActivity {
            function: function.map(str::to_owned),
            filetype: filetype.map(str::to_owned),
            is_total,
            read_bytes: Some(self.read_bytes),
            write_bytes: Some(self.write_bytes),
            reads_per_s: Some(self.reads / elapsed_s),
            read_bytes_per_s: Some(self.read_bytes / elapsed_s),
            writes_per_s: Some(self.writes / elapsed_s),
            write_bytes_per_s: Some(self.write_bytes / elapsed_s),
            waits: Some(self.waits),
            avg_wait_us: (self.waits > 0.0).then(|| 1e6 * self.wait_s / self.waits),
            ..IoActivity::default()
        }
    }
}

pub(crate) fn total(flows: impl IntoIterator<Item = Flow>) -> Flow {
    flows.into_iter().fold(Flow::default(), Flow::plus)
}

/// One data file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File {
    pub(crate) tablespace: &'static str,
    pub(crate) name: &'static str,
    /// Share of reads, blocks a read, mean read, share of writes, share of buffer waits.
    pub(crate) reads: f64,
    pub(crate) blocks_per_read: f64,
    pub(crate) read_ms: f64,
    pub(crate) writes: f64,
    pub(crate) buffer_waits: f64,
    pub(crate) buffer_wait_ms: f64,
}

/// Files, and tablespaces as their sums.
pub(crate) fn add_files(report: &mut Report, elapsed_s: f64, files: &[File]) {
    let io = |f: &File| TablespaceIo {
        tablespace: f.tablespace.to_owned(),
        reads: Some(f.reads),
        reads_per_s: Some(f.reads / elapsed_s),
        avg_read_us: Some(f.read_ms * 1e3),
        blocks_per_read: Some(f.blocks_per_read),
        writes: Some(f.writes),
        writes_per_s: Some(f.writes / elapsed_s),
        buffer_waits: Some(f.buffer_waits),
        avg_buffer_wait_us: Some(if f.buffer_waits > 0.0 { f.buffer_wait_ms * 1e3 } else { 0.0 }),
        ..TablespaceIo::default()
    };
    let mut sorted = files.to_vec();
    sorted.sort_by_key(|f| (f.tablespace, f.name));
    report.tables.file_io = sorted.iter().map(|f| FileIo { file: f.name.to_owned(), io: io(f) }).collect();
    let mut sums: Vec<File> = Vec::new();
    for f in &sorted {
        match sums.iter_mut().find(|s| s.tablespace == f.tablespace) {
            None => sums.push(*f),
            Some(s) => {
                let (reads, waits) = (s.reads + f.reads, s.buffer_waits + f.buffer_waits);
                let mean = |a: f64, b: f64, wa: f64, wb: f64| {
                    if wa + wb > 0.0 { (a * wa + b * wb) / (wa + wb) } else { 0.0 }
                };
                s.read_ms = mean(s.read_ms, f.read_ms, s.reads, f.reads);
                s.blocks_per_read = mean(s.blocks_per_read, f.blocks_per_read, s.reads, f.reads);
                s.buffer_wait_ms = mean(s.buffer_wait_ms, f.buffer_wait_ms, s.buffer_waits, f.buffer_waits);
                s.reads = reads;
                s.buffer_waits = waits;
                s.writes += f.writes;
            }
        }
    }
    sums.sort_by(|a, b| (b.reads + b.writes).total_cmp(&(a.reads + a.writes)));
    report.tables.tablespace_io = sums.iter().map(io).collect();
}

/// One statement, with its work over the interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub(crate) sql_id: &'static str,
    pub(crate) module: &'static str,
    pub(crate) text: &'static str,
    pub(crate) executions: f64,
    pub(crate) rows: f64,
    pub(crate) parses: f64,
    pub(crate) elapsed_s: f64,
    pub(crate) cpu_s: f64,
    pub(crate) io_s: f64,
    pub(crate) gets: f64,
    pub(crate) reads: f64,
    pub(crate) requests: f64,
}

/// What the database did altogether, for the shares of its statements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SqlTotals {
    pub(crate) elapsed_s: f64,
    pub(crate) cpu_s: f64,
    pub(crate) io_s: f64,
    pub(crate) gets: f64,
    pub(crate) reads: f64,
    pub(crate) executions: f64,
    pub(crate) parses: f64,
}

/// The rankings that a report prints, each with its top statements.
pub(crate) fn add_sql(report: &mut Report, statements: &[Statement], totals: SqlTotals, top: usize) {
    type Key = fn(&Statement) -> f64;
    let rankings: [(&'static str, Key, f64); 7] = [
        ("elapsed_time", |s| s.elapsed_s, totals.elapsed_s),
        ("cpu_time", |s| s.cpu_s, totals.cpu_s),
        ("user_io_wait_time", |s| s.io_s, totals.io_s),
        ("buffer_gets", |s| s.gets, totals.gets),
        ("physical_reads", |s| s.reads, totals.reads),
        ("executions", |s| s.executions, totals.executions),
        ("parse_calls", |s| s.parses, totals.parses),
    ];
    for (ranked_by, key, total) in rankings {
        let mut sorted: Vec<&Statement> = statements.iter().filter(|s| key(s) > 0.0).collect();
        sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
        let captured: f64 = statements.iter().map(key).sum();
        for s in sorted.into_iter().take(top) {
            report.tables.sql_stat.push(SqlStat {
                ranked_by,
                sql_id: Some(s.sql_id.into()),
                executions: Some(s.executions),
                elapsed_s: Some(s.elapsed_s),
                cpu_s: Some(s.cpu_s),
                io_wait_s: Some(s.io_s),
                buffer_gets: Some(s.gets),
                physical_reads: Some(s.reads),
                read_requests: Some(s.requests),
                rows_processed: Some(s.rows),
                parse_calls: Some(s.parses),
                cpu_pct: Some(100.0 * s.cpu_s / s.elapsed_s),
                io_pct: Some(100.0 * s.io_s / s.elapsed_s),
                share_pct: Some(100.0 * key(s) / total),
                captured_pct: Some(100.0 * captured / total),
                section_total: Some(total),
                module: Some(s.module).filter(|m| !m.is_empty()).map(Into::into),
                ..SqlStat::default()
            });
        }
    }
    for s in statements {
        report.tables.sql_text.push(SqlText {
            line: 0,
            section: 0,
            sql_id: Some(s.sql_id.into()),
            old_hash: None,
            text: s.text.to_owned(),
        });
    }
}

/// A ranking of segments: owner, tablespace, object, subobject, type, value.
pub(crate) type SegmentValue =
    (&'static str, &'static str, &'static str, Option<&'static str>, &'static str, f64);

pub(crate) fn add_segments(
    report: &mut Report,
    ranked_by: &'static str,
    total: f64,
    captured_pct: f64,
    segments: &[SegmentValue],
) {
    let mut sorted = segments.to_vec();
    sorted.sort_by(|a, b| b.5.total_cmp(&a.5));
    for (owner, tablespace, object, subobject, object_type, value) in sorted {
        report.tables.segment_stat.push(SegmentStat {
            ranked_by,
            owner: Some(owner.into()),
            tablespace: Some(tablespace.into()),
            object: Some(object.into()),
            subobject: subobject.map(Into::into),
            object_type: Some(object_type.into()),
            value: Some(value),
            share_pct: Some(100.0 * value / total),
            captured_pct: Some(captured_pct),
            section_total: Some(total),
            ..SegmentStat::default()
        });
    }
}
