//! Hand-made facts for the tests of rules: a report of one hour, written in the words of a DBA.
//!
//! ```text
//! Hour::new(7200.0).cpu(1800.0).foreground("db file sequential read", 500_000.0, 4000.0)
//!     .device(DeviceClass::Disk).run(super::run)
//! ```

use crate::{Case, DeviceClass, Finding, Options, Verdict};
use spindle_facts::{
    DbCacheAdvice, HistogramBucket, Identity, InstanceStat, Kind, Layout, Parameter, PrintedRow, Report,
    Section, SectionStatus, ShareOf, Side, TimeModelRow, TopEvent, Value, WaitEvent, WaitHistogram,
};

/// A report under construction, one hour long.
#[derive(Debug)]
pub(crate) struct Hour {
    /// The report, for what has no method of its own.
    pub(crate) report: Report,
    pub(crate) device: Option<DeviceClass>,
}

impl Hour {
    /// An instance that spent this much DB time in one hour.
    pub(crate) fn new(db_time_s: f64) -> Self {
        let mut identity = Identity::unknown("hour.txt", Kind::Awr, Layout::Text);
        identity.version = Some("11.2.0.4.0".to_owned());
        identity.elapsed_s = Some(3600.0);
        identity.db_time_s = Some(db_time_s);
        identity.cpus = Some(16.0);
        let mut report = Report::new(identity);
        report.sections.push(Section {
            title: "Hand-made".to_owned(),
            line: 1,
            status: SectionStatus::Read,
            rows: 1,
            lost: 0,
        });
        let hour = Self { report, device: None };
        hour.time_model("DB time", db_time_s)
    }

    /// CPU of foreground sessions.
    pub(crate) fn cpu(self, seconds: f64) -> Self {
        self.time_model("DB CPU", seconds)
    }

    /// A statistic of the time model.
    pub(crate) fn time_model(mut self, statistic: &str, seconds: f64) -> Self {
        let line = self.line();
        self.report.tables.time_model.push(TimeModelRow {
            line,
            section: 0,
            instance_number: None,
            statistic: statistic.to_owned(),
            time_s: Some(seconds),
            time_s_low: Some(seconds),
            time_s_high: Some(seconds),
            share_db_time_pct: None,
        });
        self
    }

    /// Foreground waits.
    pub(crate) fn foreground(self, event: &str, waits: f64, seconds: f64) -> Self {
        self.event(event, Side::Foreground, waits, seconds, (seconds, seconds))
    }

    /// Background waits.
    pub(crate) fn background(self, event: &str, waits: f64, seconds: f64) -> Self {
        self.event(event, Side::Background, waits, seconds, (seconds, seconds))
    }

    /// Waits whose printed time was rounded.
    pub(crate) fn event(
        mut self,
        event: &str,
        side: Side,
        waits: f64,
        seconds: f64,
        (low, high): (f64, f64),
    ) -> Self {
        let line = self.line();
        self.report.tables.wait_event.push(WaitEvent {
            line,
            section: 0,
            instance_number: None,
            event: event.into(),
            printed_as: None,
            side,
            wait_class: Some(class_of(event).into()),
            is_idle: false,
            waits: Some(waits),
            waits_low: Some(waits),
            waits_high: Some(waits),
            timeouts: None,
            timeouts_pct: None,
            time_s: Some(seconds),
            time_s_low: Some(low),
            time_s_high: Some(high),
            avg_wait_us: Some(seconds * 1e6 / waits),
            avg_wait_us_low: Some(low * 1e6 / waits),
            avg_wait_us_high: Some(high * 1e6 / waits),
            waits_per_txn: None,
            share_pct: None,
            share_of: None,
        });
        self
    }

    /// A row of the top events, as an excerpt has them.
    pub(crate) fn top(mut self, event: &str, waits: Option<f64>, seconds: f64) -> Self {
        let line = self.line();
        self.report.tables.top_event.push(TopEvent {
            line,
            section: 0,
            instance_number: None,
            event: event.into(),
            waits,
            time_s: Some(seconds),
            time_s_low: Some(seconds),
            time_s_high: Some(seconds),
            avg_wait_us: None,
            share_pct: None,
            share_of: Some(ShareOf::DbTime),
            wait_class: Some(class_of(event).into()),
        });
        self
    }

    /// Distribution of an event's waits: upper bounds in microseconds (`None` open) and counts.
    pub(crate) fn histogram(mut self, event: &str, buckets: &[(Option<f64>, f64)]) -> Self {
        let line = self.line();
        let mut low_us = 0.0;
        let rows = buckets.iter().map(|&(high_us, waits)| {
            let bucket = HistogramBucket {
                low_us,
                high_us,
                waits,
                waits_low: waits,
                waits_high: waits,
                share_pct: None,
                share_bounds_pct: None,
                line,
            };
            low_us = high_us.unwrap_or(low_us);
            bucket
        });
        let buckets: Vec<HistogramBucket> = rows.collect();
        self.report.tables.wait_histogram.push(WaitHistogram {
            line,
            section: 0,
            instance_number: None,
            event: event.into(),
            side: Side::All,
            waits: Some(buckets.iter().map(|b| b.waits).sum()),
            buckets,
        });
        self
    }

    /// A statistic, total over the hour.
    pub(crate) fn stat(mut self, statistic: &str, total: f64) -> Self {
        let line = self.line();
        self.report.tables.instance_stat.push(InstanceStat {
            line,
            section: 0,
            instance_number: None,
            statistic: statistic.into(),
            printed_as: None,
            total: Some(total),
            per_second: Some(total / 3600.0),
            per_transaction: None,
            begin_value: None,
            end_value: None,
        });
        self
    }

    /// A parameter.
    pub(crate) fn parameter(mut self, name: &str, value: &str) -> Self {
        let line = self.line();
        self.report.tables.parameter.push(Parameter {
            line,
            name: name.into(),
            begin_value: Some(value.into()),
            ..Parameter::default()
        });
        self
    }

    /// A size of the buffer cache advice, default pool: factor of the size, factor of the reads.
    pub(crate) fn cache_advice(mut self, size_bytes: f64, size_factor: f64, read_factor: f64) -> Self {
        let line = self.line();
        self.report.tables.db_cache_advice.push(DbCacheAdvice {
            line,
            pool: Some("D".to_owned()),
            size_bytes: Some(size_bytes),
            size_factor: Some(size_factor),
            read_factor: Some(read_factor),
            ..DbCacheAdvice::default()
        });
        self
    }

    /// Changes the report in ways that have no method here.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Report)) -> Self {
        change(&mut self.report);
        self
    }

    /// The storage is known to be of this class.
    pub(crate) fn device(mut self, class: DeviceClass) -> Self {
        self.device = Some(class);
        self
    }

    /// What a rule says of it.
    pub(crate) fn run(self, rule: fn(&Case<'_>) -> Verdict) -> Verdict {
        let options = Options { device_class: self.device, ..Options::default() };
        rule(&Case::new(&self.report, &options))
    }

    /// What a rule finds in it.
    #[track_caller]
    pub(crate) fn found(self, rule: fn(&Case<'_>) -> Verdict) -> Finding {
        match self.run(rule) {
            Verdict::Found(finding) => {
                assert!(!finding.title.is_empty() && !finding.actions.is_empty(), "{finding:?}");
                assert!(!finding.evidence.is_empty() && !finding.caveat.is_empty(), "{finding:?}");
                finding
            }
            other => panic!("expected a finding, got {other:?}"),
        }
    }

    /// The rule finds nothing in it.
    #[track_caller]
    pub(crate) fn not_found(self, rule: fn(&Case<'_>) -> Verdict) {
        let verdict = self.run(rule);
        assert!(matches!(verdict, Verdict::NotFound), "expected nothing, got {verdict:?}");
    }

    /// The rule cannot tell; what it misses.
    #[track_caller]
    pub(crate) fn missing(self, rule: fn(&Case<'_>) -> Verdict) -> String {
        match self.run(rule) {
            Verdict::CannotTell(missing) => missing,
            other => panic!("expected that it cannot tell, got {other:?}"),
        }
    }

    fn line(&self) -> u32 {
        let tables = &self.report.tables;
        let rows = tables.wait_event.len()
            + tables.top_event.len()
            + tables.wait_histogram.len()
            + tables.instance_stat.len()
            + tables.parameter.len()
            + tables.time_model.len()
            + tables.db_cache_advice.len();
        u32::try_from(100 + rows).unwrap_or(u32::MAX)
    }
}

/// Wait class of the events that the tests use.
fn class_of(event: &str) -> &'static str {
    match event {
        "log file sync" => "Commit",
        "log file parallel write" | "db file parallel write" | "db file async I/O submit" => "System I/O",
        e if e.starts_with("log file switch") || e == "log buffer space" => "Configuration",
        "free buffer waits" | "write complete waits" => "Configuration",
        "buffer busy waits" => "Concurrency",
        e if e.starts_with("gc ") => "Cluster",
        e if e.starts_with("gcs ") => "Other",
        e if e.starts_with("enq: TX") => "Application",
        _ => "User I/O",
    }
}

/// A row of the global cache, as an instance prints it.
pub(crate) fn rac_row(metric: &str, value: f64) -> PrintedRow {
    PrintedRow {
        line: 1,
        section: 0,
        instance_number: None,
        cells: vec![("metric", Value::Text(metric.into())), ("value", Value::Number(value))].into(),
    }
}
