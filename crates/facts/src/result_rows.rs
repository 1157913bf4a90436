//! Results of storage measurements as rows: what fio, Orion, iostat and their kin print, and what
//! `spindle measure` found.

use serde::Serialize;

/// One operation of one stream of one run.
///
/// Shape: one row a run, stream and operation. Unit: in the names; `mbps` is 10^6 bytes a second.
/// Missing: `None` where the file does not print it. Source: a result of fio, Orion, `CALIBRATE_IO`,
/// iostat, sar, SLOB or Spindle.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct IoResult {
    /// Line in the source.
    pub line: u32,
    /// Run of the file, counted from 1.
    pub run: u32,
    /// What the run is called in its file: a phase, a time.
    pub phase: Option<String>,
    /// Requests under way.
    pub concurrency: Option<f64>,
    /// Requests a second asked for.
    pub offered_iops: Option<f64>,
    /// Small requests under way, of a matrix.
    pub small: Option<f64>,
    /// Large requests under way, of a matrix.
    pub large: Option<f64>,
    pub block_bytes: Option<f64>,
    /// Order of addresses, as the tool calls it.
    pub pattern: Option<String>,
    /// Job, stream or device.
    pub stream: String,
    pub operation: String,
    pub ios: Option<f64>,
    pub bytes: Option<f64>,
    pub elapsed_s: Option<f64>,
    pub iops: Option<f64>,
    pub mbps: Option<f64>,
    /// From when mean and maximum count: submit, intended, submitted (submission left out), queue, unknown.
    pub latency_from: String,
    pub latency_mean_us: Option<f64>,
    pub latency_max_us: Option<f64>,
    /// From when the percentiles count.
    pub percentiles_from: Option<String>,
    pub latency_p50_us: Option<f64>,
    pub latency_p90_us: Option<f64>,
    pub latency_p95_us: Option<f64>,
    pub latency_p99_us: Option<f64>,
    pub latency_p999_us: Option<f64>,
    /// Requests that failed, and why.
    pub errors: Option<String>,
}

/// What an I/O calibration found.
///
/// Shape: one row a calibration. Unit: in the names; `max_mbps` is 10^6 bytes a second, Oracle's 2^20
/// converted. Missing: `None` where not printed. Source: what a call of `CALIBRATE_IO` printed,
/// `DBA_RSRC_IO_CALIBRATE`, `spindle measure calibrate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct IoCalibration {
    /// Line in the source.
    pub line: u32,
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    pub num_disks: Option<f64>,
    pub max_iops: Option<f64>,
    pub max_mbps: Option<f64>,
    /// MB/s that one process reached.
    pub max_process_mbps: Option<f64>,
    pub latency_us: Option<f64>,
    /// Smallest and largest latency that would print like this.
    pub latency_us_low: Option<f64>,
    pub latency_us_high: Option<f64>,
}
