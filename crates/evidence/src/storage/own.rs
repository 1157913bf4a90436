//! Documents of `spindle measure --json`.

use super::StorageReading;
use super::build;
use serde_json::Value;
use spindle_facts::{Identity, Kind, Layout, Report, Section, SectionStatus};
use spindle_workload::{Form, Measured, Parameters, Point, RunResult};

/// Does a text begin as such a document does?
pub(super) fn is_it(start: &str) -> bool {
    let head = start.get(..64).unwrap_or(start);
    head.starts_with('{') && head.contains("\"form\":\"") && start.contains("\"command\":\"")
}

/// Reads the document.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    match measured(text).and_then(|measured| possible(&measured).map(|()| measured)) {
        Ok(measured) => {
            let mut report = Report::new(Identity::unknown(source, Kind::Measure, Layout::Text));
            let rows: usize = measured.points.iter().map(|p| p.result.streams.len()).sum();
            report.sections.push(Section {
                title: format!("measure {}", measured.form.name()),
                line: 1,
                status: SectionStatus::Read,
                rows: u32::try_from(rows).unwrap_or(u32::MAX),
                lost: 0,
            });
            if let Some(found) = &measured.calibration {
                report.tables.io_calibration.push(spindle_facts::IoCalibration {
                    line: 1,
                    num_disks: found.num_disks.map(f64::from),
                    max_iops: found.max_iops,
                    max_mbps: found.max_mbps,
                    latency_us: found.actual_latency_us,
                    ..spindle_facts::IoCalibration::default()
                });
            }
            StorageReading { results: vec![build::finished(report, measured, &[])], refused: None }
        }
        Err(why) => StorageReading { results: Vec::new(), refused: Some(why) },
    }
}

fn measured(text: &str) -> Result<Measured, String> {
    let refuse = |error: serde_json::Error| {
        format!(
            "line {}: it looks like a document of `spindle measure --json` and is none of this release, or was cut: {error}",
            error.line()
        )
    };
    let value: Value = serde_json::from_str(text.trim()).map_err(refuse)?;
    if value.get("points").is_some() {
        return serde_json::from_value(value).map_err(refuse);
    }
    // A form with one run is the result itself.
    let text_of = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let form: Form =
        serde_json::from_value(value.get("form").cloned().unwrap_or_default()).map_err(refuse)?;
    let (command, incomplete, verdict) = (text_of("command"), text_of("incomplete"), text_of("verdict"));
    let began_s = value.get("began_s").and_then(Value::as_u64);
    let result: RunResult = serde_json::from_value(value).map_err(refuse)?;
    Ok(Measured {
        form,
        command: command.unwrap_or_default(),
        began_s,
        incomplete,
        points: vec![Point { parameters: Parameters::default(), result }],
        knee: None,
        verdict: verdict.unwrap_or_default(),
        curve: None,
        calibration: None,
        matrix: None,
        log: None,
        zones: None,
        slob: None,
        scan: None,
        rates: None,
        simulated: None,
        seed: None,
        idle: std::collections::BTreeMap::new(),
        warnings: Vec::new(),
    })
}

/// Refuses what no run can have measured: such a file was changed after it was written.
fn possible(measured: &Measured) -> Result<(), String> {
    let streams = measured.points.iter().flat_map(|p| &p.result.streams);
    for stream in streams.flat_map(|s| std::iter::once(s).chain(&s.parts)) {
        let latency = &stream.latency_us;
        let figures = [
            ("elapsed_s", stream.elapsed_s),
            ("iops", stream.iops),
            ("mbps", stream.mbps),
            ("latency_us.mean", latency.mean),
            ("latency_us.p50", latency.p50),
            ("latency_us.p90", latency.p90),
            ("latency_us.p99", latency.p99),
            ("latency_us.p999", latency.p999),
            ("latency_us.max", latency.max),
        ];
        for (key, value) in figures {
            if let Some(value) = value.filter(|value| *value < 0.0) {
                return Err(format!(
                    "stream `{}` has {value} as `{key}`, which nothing can measure: the document was changed after it \
                     was written, and nothing of it is used",
                    stream.name
                ));
            }
        }
    }
    Ok(())
}
