//! A result while it is being read: points, streams with their lines, sections and notes.

use super::StorageResult;
use super::idle::Listed;
use spindle_facts::{Identity, IoCalibration, IoResult, Kind, Layout, Note, Report, Section, SectionStatus};
use spindle_workload::{
    Calibration, Environment, Form, LatencyFrom, LatencyUs, LimitedBy, Matrix, Measured, Parameters, Point,
    RunResult, StreamResult,
};

/// Streams that are kept of one file: a year of iostat holds no more that anybody looks at.
const MOST_STREAMS: usize = 100_000;
/// Notes of one kind of fault that are kept.
const MOST_NOTES: usize = 50;

/// A result being read.
pub(super) struct Build {
    report: Report,
    points: Vec<Point>,
    lines: Vec<u32>,
    left_out: usize,
    pub(super) form: Form,
    pub(super) environment: Environment,
    pub(super) calibration: Option<Calibration>,
    pub(super) matrix: Option<Matrix>,
    /// What the reports of a watched machine list.
    pub(super) listed: Listed,
    pub(super) warnings: Vec<String>,
    notes_left_out: usize,
    remarks: Vec<usize>,
}

impl Build {
    pub(super) fn new(source: &str, kind: Kind, layout: Layout) -> Self {
        Self {
            report: Report::new(Identity::unknown(source, kind, layout)),
            points: Vec::new(),
            lines: Vec::new(),
            left_out: 0,
            form: Form::Series,
            environment: Environment::default(),
            calibration: None,
            matrix: None,
            listed: Listed::default(),
            warnings: Vec::new(),
            notes_left_out: 0,
            remarks: Vec::new(),
        }
    }

    pub(super) fn identity(&mut self) -> &mut Identity {
        &mut self.report.identity
    }

    /// Says what is doubtful.
    pub(super) fn note(&mut self, line: Option<u32>, message: impl Into<String>, effect: &str) {
        if self.report.notes.len() >= MOST_NOTES {
            self.notes_left_out += 1;
            return;
        }
        self.report.notes.push(Note {
            line,
            section: None,
            message: message.into(),
            effect: effect.to_owned(),
        });
    }

    /// Says what is so, and no doubt.
    pub(super) fn remark(&mut self, line: Option<u32>, message: impl Into<String>, effect: &str) {
        let at = self.report.notes.len();
        self.note(line, message, effect);
        if self.report.notes.len() > at {
            self.remarks.push(at);
        }
    }

    /// A part of the file that was read, or was not.
    pub(super) fn section(
        &mut self,
        title: impl Into<String>,
        line: u32,
        status: SectionStatus,
        rows: usize,
    ) {
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        self.report.sections.push(Section { title: title.into(), line, status, rows, lost: 0 });
    }

    pub(super) fn calibration_row(&mut self, row: IoCalibration) {
        self.report.tables.io_calibration.push(row);
    }

    pub(super) fn parameter_row(&mut self, row: spindle_facts::Parameter) {
        self.report.tables.parameter.push(row);
    }

    /// Adds a run with its streams, each with the line that it stands on.
    pub(super) fn point(&mut self, parameters: Parameters, streams: Vec<(u32, StreamResult)>) {
        let room = MOST_STREAMS.saturating_sub(self.lines.len());
        self.left_out += streams.len().saturating_sub(room);
        let mut kept = Vec::with_capacity(streams.len().min(room));
        for (line, stream) in streams.into_iter().take(room) {
            self.lines.push(line);
            kept.push(stream);
        }
        if !kept.is_empty() {
            let result = RunResult {
                job: None,
                environment: Environment::default(),
                streams: kept,
                limited_by: LimitedBy::Unknown,
                warnings: Vec::new(),
                hosts: None,
                ended_early: None,
            };
            self.points.push(Point { parameters, result });
        }
    }

    /// Changes the phase of a run.
    pub(super) fn set_phase(&mut self, point: usize, phase: &str) {
        if let Some(point) = self.points.get_mut(point) {
            point.parameters.phase = Some(phase.to_owned());
        }
    }

    /// Runs until now.
    pub(super) fn points(&self) -> usize {
        self.points.len()
    }

    /// The line of the first stream that is such a one.
    pub(super) fn line_of(&self, is_it: impl Fn(&StreamResult) -> bool) -> Option<u32> {
        let streams = self.points.iter().flat_map(|p| &p.result.streams);
        streams.zip(&self.lines).find(|(stream, _)| is_it(stream)).map(|(_, line)| *line)
    }

    /// The line of the first stream.
    pub(super) fn first_line(&self) -> Option<u32> {
        self.lines.first().copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty() && self.calibration.is_none() && self.report.tables.parameter.is_empty()
    }

    /// The result.
    pub(super) fn finish(mut self) -> StorageResult {
        if self.left_out > 0 {
            let message = format!("the file holds {} more rows than are kept", self.left_out);
            self.note(None, message, "they are left out of every answer: cut the file into pieces");
        }
        if self.notes_left_out > 0 {
            let message = format!("{} more doubts like these", self.notes_left_out);
            self.report.notes.push(Note {
                line: None,
                section: None,
                message,
                effect: "what they are about is taken as unknown".to_owned(),
            });
        }
        for point in &mut self.points {
            point.result.environment = self.environment.clone();
        }
        let form = match (self.form, self.points.len()) {
            (Form::Series, 1) => Form::Run,
            (form, _) => form,
        };
        let measured = Measured {
            form,
            command: String::new(),
            began_s: None,
            incomplete: None,
            points: self.points,
            knee: None,
            verdict: String::new(),
            curve: None,
            calibration: self.calibration,
            matrix: self.matrix,
            log: None,
            zones: None,
            slob: None,
            scan: None,
            rates: None,
            simulated: None,
            seed: None,
            idle: self.listed.idle,
            warnings: self.warnings,
        };
        StorageResult { remarks: self.remarks, ..finished(self.report, measured, &self.lines) }
    }
}

/// Makes the rows of a measurement; `lines` of its streams, in their order, where they are known.
pub(super) fn finished(mut report: Report, measured: Measured, lines: &[u32]) -> StorageResult {
    let mut lines = lines.iter().copied();
    for (run, point) in (1..).zip(&measured.points) {
        for stream in &point.result.streams {
            let line = lines.next().unwrap_or(1);
            report.tables.io_result.push(row(line, run, &point.parameters, stream));
        }
    }
    report.identity.version = report
        .identity
        .version
        .take()
        .or_else(|| measured.points.iter().find_map(|p| p.result.environment.program.clone()));
    report.identity.host = report
        .identity
        .host
        .take()
        .or_else(|| measured.points.iter().find_map(|p| p.result.environment.host.clone()));
    StorageResult { report, measured, remarks: Vec::new() }
}

fn row(line: u32, run: u32, p: &Parameters, s: &StreamResult) -> IoResult {
    let l = &s.latency_us;
    IoResult {
        line,
        run,
        phase: p.phase.clone(),
        concurrency: p.concurrency,
        offered_iops: p.offered_iops,
        small: p.small.map(f64::from),
        large: p.large.map(f64::from),
        block_bytes: p.block_bytes.map(|b| b as f64),
        pattern: p.pattern.clone(),
        stream: s.name.clone(),
        operation: s.operation.clone(),
        ios: s.ios.map(|n| n as f64),
        bytes: s.bytes.map(|n| n as f64),
        elapsed_s: s.elapsed_s,
        iops: s.iops,
        mbps: s.mbps,
        latency_from: s.latency_from.name().to_owned(),
        latency_mean_us: l.mean,
        latency_max_us: l.max,
        percentiles_from: l
            .p50
            .or(l.p90)
            .or(l.p99)
            .or(l.p999)
            .or(l.other_percentiles.values().next().copied())
            .map(|_| s.percentiles_from.unwrap_or(s.latency_from).name().to_owned()),
        latency_p50_us: l.p50,
        latency_p90_us: l.p90,
        latency_p95_us: l.other_percentiles.get("95").copied(),
        latency_p99_us: l.p99,
        latency_p999_us: l.p999,
        errors: (!s.errors.is_empty()).then(|| s.errors.join("; ")),
    }
}

/// A stream of which nothing is known yet.
pub(super) fn stream(name: impl Into<String>, operation: &str) -> StreamResult {
    StreamResult {
        name: name.into(),
        operation: operation.to_owned(),
        ios: None,
        bytes: None,
        elapsed_s: None,
        iops: None,
        mbps: None,
        latency_from: LatencyFrom::Unknown,
        latency_us: LatencyUs::default(),
        percentiles_from: None,
        interval: None,
        histogram: None,
        errors: Vec::new(),
        unserved: None,
        course: None,
        parts: Vec::new(),
    }
}

/// Sets a percentile by its number; `None` leaves it unknown.
pub(super) fn percentile(latency: &mut LatencyUs, pct: f64, us: f64) {
    let slot = [(50.0, 0), (90.0, 1), (99.0, 2), (99.9, 3)].into_iter().find(|(p, _)| (pct - p).abs() < 1e-9);
    match slot {
        Some((_, 0)) => latency.p50 = Some(us),
        Some((_, 1)) => latency.p90 = Some(us),
        Some((_, 2)) => latency.p99 = Some(us),
        Some(_) => latency.p999 = Some(us),
        None => {
            latency.other_percentiles.insert(number(pct), us);
        }
    }
}

/// `95`, `99.95`.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A count as whole number; `None` where it is none.
pub(super) fn count(value: Option<f64>) -> Option<u64> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    value.filter(|v| (0.0..=9_007_199_254_740_992.0).contains(v) && v.fract() == 0.0).map(|v| v as u64)
}
