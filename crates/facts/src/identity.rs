//! Which database, which instance, which interval.

use serde::Serialize;

/// What sort of report the content shows it to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Automatic Workload Repository report of an instance, a container or a whole RAC database.
    Awr,
    /// Statspack report, 8i to 23ai.
    Statspack,
    /// AWR compare-period report; each of its two periods is a report of its own.
    AwrCompare,
    /// AWR SQL report.
    AwrSql,
    /// ADDM report.
    Addm,
    /// Active Session History report.
    Ash,
    /// Output of the AWR-miner scripts; each snapshot interval is a report of its own.
    AwrMiner,
    /// History that `spindle collect history` spools; each snapshot interval of each instance is a
    /// report of its own.
    History,
    /// Result of fio: JSON, or what it prints.
    Fio,
    /// Files of Orion.
    Orion,
    /// What `CALIBRATE_IO` found.
    CalibrateIo,
    /// Output of iostat.
    Iostat,
    /// Output of `sar -d`.
    Sar,
    /// Files of SLOB.
    Slob,
    /// Document of `spindle measure --json`.
    Measure,
    /// Pieces without a head, of which nothing tells whether AWR or Statspack printed them.
    Unknown,
}

impl Kind {
    /// Is it a result of a storage measurement, and no report of a database?
    #[must_use]
    pub fn is_storage(self) -> bool {
        matches!(
            self,
            Self::Fio
                | Self::Orion
                | Self::CalibrateIo
                | Self::Iostat
                | Self::Sar
                | Self::Slob
                | Self::Measure
        )
    }
}

/// How the report is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Ruler text, text made from HTML, JSON.
    Text,
    /// HTML tables.
    Html,
}

/// What the numbers cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One instance.
    Instance,
    /// All instances of a RAC database (RAC-global report, AWR-miner).
    Database,
    /// One pluggable database.
    Container,
}

/// Which period of a compare-period report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// Printed as First, 1st.
    First,
    /// Printed as Second, 2nd.
    Second,
}

/// Identity of a report, as its header prints it.
///
/// Shape: one a report. Missing: `None` where the header is absent, blank or cut.
/// Source: header tables; 12.2 and later move instance data to a table of their own, Statspack
/// from 11g prints the database name in section titles only.
#[derive(Clone, Debug, Serialize)]
pub struct Identity {
    /// File (and member, as `file!member`) that the report was read from.
    pub source: String,
    /// Sort of report.
    pub kind: Kind,
    /// Text or HTML.
    pub layout: Layout,
    /// What the numbers cover.
    pub scope: Scope,
    /// Which period, for compare-period reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// Database name.
    pub db_name: Option<String>,
    /// Database identifier.
    pub db_id: Option<u64>,
    /// Instance name.
    pub instance: Option<String>,
    /// Instance number.
    pub instance_number: Option<u32>,
    /// Release as printed, such as `12.2.0.1.0`.
    pub version: Option<String>,
    /// Platform as printed, such as `Linux x86 64-bit`.
    pub platform: Option<String>,
    /// Host name.
    pub host: Option<String>,
    /// Is it a RAC database?
    pub rac: Option<bool>,
    /// Is it a container database?
    pub cdb: Option<bool>,
    /// Container name, for reports of a pluggable database.
    pub container: Option<String>,
    /// Database role, such as `PRIMARY`.
    pub role: Option<String>,
    /// Instance start, ISO 8601 without zone; without minutes where the report prints the month for them, as HTML
    /// before 18c does.
    pub startup_time: Option<String>,
    /// Standard block size.
    pub block_size_bytes: Option<u64>,
    /// CPUs (threads) of the host.
    pub cpus: Option<f64>,
    /// CPU cores of the host.
    pub cores: Option<f64>,
    /// CPU sockets of the host.
    pub sockets: Option<f64>,
    /// Memory of the host.
    pub memory_bytes: Option<f64>,
    /// Number of instances that a database-wide report covers.
    pub instances: Option<u32>,
    /// Instances of the database that ran, the more of both snapshots, as a report of one of them prints it.
    pub running_instances: Option<u32>,
    /// First snapshot.
    pub begin_snap: Option<u64>,
    /// Last snapshot.
    pub end_snap: Option<u64>,
    /// Time of the first snapshot, ISO 8601 without zone.
    pub begin_time: Option<String>,
    /// Time of the last snapshot, ISO 8601 without zone.
    pub end_time: Option<String>,
    /// Length of the interval: from snapshot times where printed with seconds, since the printed
    /// minutes are coarse; else the printed elapsed time.
    pub elapsed_s: Option<f64>,
    /// DB time over the interval, from the most precise place that prints it.
    pub db_time_s: Option<f64>,
    /// Smallest DB time that would print like this.
    pub db_time_s_low: Option<f64>,
    /// Largest DB time that would print like this.
    pub db_time_s_high: Option<f64>,
    /// Foreground waits of all events together, `Total FG Wait Time` over the wait classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreground_wait_s: Option<f64>,
    /// Average active sessions of the samples of an ASH report, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled_sessions: Option<f64>,
    /// Sessions at the begin and end snapshot.
    pub begin_sessions: Option<f64>,
    /// Sessions at the end snapshot.
    pub end_sessions: Option<f64>,
    /// The report says, or its times show, that the instance restarted inside the interval.
    pub spans_restart: bool,
    /// Seconds that the clock of the host is ahead of UTC, when a history was collected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utc_offset_s: Option<i64>,
    /// Only parts of a report: pasted, cut or customised so that the header or most sections lack.
    pub excerpt: bool,
}

impl Identity {
    /// An identity about which nothing is known yet.
    #[must_use]
    pub fn unknown(source: &str, kind: Kind, layout: Layout) -> Self {
        Self {
            source: source.to_owned(),
            kind,
            layout,
            scope: Scope::Instance,
            period: None,
            db_name: None,
            db_id: None,
            instance: None,
            instance_number: None,
            version: None,
            platform: None,
            host: None,
            rac: None,
            cdb: None,
            container: None,
            role: None,
            startup_time: None,
            block_size_bytes: None,
            cpus: None,
            cores: None,
            sockets: None,
            memory_bytes: None,
            instances: None,
            running_instances: None,
            begin_snap: None,
            end_snap: None,
            begin_time: None,
            end_time: None,
            elapsed_s: None,
            db_time_s: None,
            db_time_s_low: None,
            db_time_s_high: None,
            foreground_wait_s: None,
            sampled_sessions: None,
            begin_sessions: None,
            end_sessions: None,
            spans_restart: false,
            utc_offset_s: None,
            excerpt: false,
        }
    }

    /// Release as numbers, `(12, 2)` for `12.2.0.1.0`; `None` where not printed.
    #[must_use]
    pub fn release(&self) -> Option<(u32, u32)> {
        let version = self.version.as_deref()?;
        // Asked again and again of what nearly always begins so.
        if let [a @ b'0'..=b'9', b @ b'0'..=b'9', b'.', c @ b'0'..=b'9', b'.', ..] = version.as_bytes() {
            return Some((u32::from(a - b'0') * 10 + u32::from(b - b'0'), u32::from(c - b'0')));
        }
        let mut parts = version.split('.');
        let major = parts.next()?.trim().parse().ok()?;
        let minor = parts.next().and_then(|p| p.parse().ok()).unwrap_or(0);
        Some((major, minor))
    }
}

/// Seconds since 1970 of an ISO 8601 time without zone, `2013-05-02T10:00:00` or with a blank.
///
/// Shape: one a time. Unit: seconds. Missing: `None` where there is none or it is no time; an hour without minutes
/// is where it begins. Source: snapshot times as printed, in the time zone of the database's host.
#[must_use]
pub fn epoch_s(time: Option<&str>) -> Option<i64> {
    let time = time?;
    let part = |from: usize, to: usize| time.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let hour = part(11, 13)?;
    let minute = if time.len() == 13 { 0 } else { part(14, 16)? };
    let second = part(17, 19).unwrap_or(0);
    // Days since 1970 in the proleptic Gregorian calendar, years counted from March.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}
