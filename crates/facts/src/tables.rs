//! A report: identity, ledger, tables.

use crate::{
    AddmFinding, DbCacheAdvice, DictionaryCache, FileIo, HostCpu, Identity, InstanceCpu, InstanceStat,
    IoActivity, IoCalibration, IoProfileRow, IoResult, LibraryCache, LoadProfileRow, MemoryComponent,
    MttrAdvice, Note, OsSnapshot, OsStat, Parameter, PgaAdvice, PlanRow, PoolAdvice, PrintedRow,
    ProcessMemory, RawTable, Section, SegmentStat, SgaComponent, SgaRegion, SqlStat, SqlText,
    StreamsPoolAdvice, SysMetric, TablespaceIo, TimeModelRow, TopEvent, WaitClassRow, WaitEvent,
    WaitHistogram,
};
use serde::{Serialize, Serializer};

/// One report, read.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Which database, instance, interval.
    #[serde(flatten)]
    pub identity: Identity,
    /// Every section met, in printed order.
    pub sections: Vec<Section>,
    /// Doubts and corrections.
    pub notes: Vec<Note>,
    /// Rows by table.
    pub tables: Tables,
    /// Tables that nothing reads yet, and those that say more than the rows which were read of them.
    pub raw_tables: Vec<RawTable>,
    /// What other reports of the same file and snapshot say. No row of this report: whoever adds reports up would
    /// count it twice.
    #[serde(skip)]
    pub beside: Beside,
}

/// What the reports of an AWR-miner file say of a snapshot beside each other: some blocks are by instance, others of
/// the whole database.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Beside the report of an instance that has no waits of its own: those of the whole database by class, `DB CPU`
    /// among them, in printed order.
    pub database_classes: Vec<ClassSessions>,
    /// Average active sessions of the instances that are printed, together; `None` where one of them is unreadable.
    pub instances_sessions: Option<f64>,
    /// Beside the report of the whole database: DB time of its instances together, seconds; `None` where one of them
    /// lacks.
    pub instances_db_time_s: Option<f64>,
}

/// Sessions of a wait class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassSessions {
    /// Wait class, or `DB CPU`.
    pub wait_class: String,
    /// Sessions on average, rounded to hundredths.
    pub sessions: f64,
}

impl Report {
    /// An empty report.
    #[must_use]
    pub fn new(identity: Identity) -> Self {
        Self {
            identity,
            sections: Vec::new(),
            notes: Vec::new(),
            tables: Tables::default(),
            raw_tables: Vec::new(),
            beside: Beside::default(),
        }
    }

    /// Title of a section as printed.
    #[must_use]
    pub fn section_title(&self, id: crate::SectionId) -> &str {
        self.sections.get(usize::from(id)).map_or("", |s| s.title.as_str())
    }
}

/// All rows of a report, by table.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "each row type says what it is")]
pub struct Tables {
    pub load_profile: Vec<LoadProfileRow>,
    pub io_profile: Vec<IoProfileRow>,
    pub time_model: Vec<TimeModelRow>,
    pub os_stat: Vec<OsStat>,
    pub host_cpu: Vec<HostCpu>,
    pub os_snapshot: Vec<OsSnapshot>,
    pub instance_cpu: Vec<InstanceCpu>,
    pub top_event: Vec<TopEvent>,
    pub wait_event: Vec<WaitEvent>,
    pub wait_class: Vec<WaitClassRow>,
    #[serde(serialize_with = "histogram_rows")]
    pub wait_histogram: Vec<WaitHistogram>,
    pub sql_stat: Vec<SqlStat>,
    pub sql_text: Vec<SqlText>,
    pub sql_summary: Vec<PrintedRow>,
    pub instance_stat: Vec<InstanceStat>,
    pub tablespace_io: Vec<TablespaceIo>,
    pub file_io: Vec<FileIo>,
    pub file_read_histogram: Vec<PrintedRow>,
    pub io_function: Vec<IoActivity>,
    pub io_filetype: Vec<IoActivity>,
    pub io_function_filetype: Vec<IoActivity>,
    pub io_object_type: Vec<PrintedRow>,
    pub database_size: Vec<PrintedRow>,
    pub segment_stat: Vec<SegmentStat>,
    pub buffer_pool: Vec<PrintedRow>,
    pub buffer_wait: Vec<PrintedRow>,
    pub db_cache_advice: Vec<DbCacheAdvice>,
    pub pga_advice: Vec<PgaAdvice>,
    pub sga_advice: Vec<PrintedRow>,
    pub shared_pool_advice: Vec<PoolAdvice>,
    pub java_pool_advice: Vec<PoolAdvice>,
    pub streams_pool_advice: Vec<StreamsPoolAdvice>,
    pub mttr_advice: Vec<MttrAdvice>,
    pub memory_advice: Vec<PrintedRow>,
    pub dictionary_cache: Vec<DictionaryCache>,
    pub library_cache: Vec<LibraryCache>,
    pub sga_region: Vec<SgaRegion>,
    pub sga_component: Vec<SgaComponent>,
    pub memory_component: Vec<MemoryComponent>,
    pub process_memory: Vec<ProcessMemory>,
    pub pga_aggregate: Vec<PrintedRow>,
    pub efficiency: Vec<PrintedRow>,
    pub cache_size: Vec<PrintedRow>,
    pub memory_stat: Vec<PrintedRow>,
    pub instance_recovery: Vec<PrintedRow>,
    pub enqueue: Vec<PrintedRow>,
    pub undo: Vec<PrintedRow>,
    pub latch: Vec<PrintedRow>,
    pub mutex_sleep: Vec<PrintedRow>,
    pub resource_limit: Vec<PrintedRow>,
    pub shared_server: Vec<PrintedRow>,
    pub queue: Vec<PrintedRow>,
    pub channel_wait: Vec<PrintedRow>,
    pub process_activity: Vec<PrintedRow>,
    pub ash_activity: Vec<PrintedRow>,
    pub rac_cache: Vec<PrintedRow>,
    pub rac_interconnect: Vec<PrintedRow>,
    pub service: Vec<PrintedRow>,
    pub parameter: Vec<Parameter>,
    pub log_switch: Vec<PrintedRow>,
    pub exadata_cell: Vec<PrintedRow>,
    pub exadata_flash_cache: Vec<PrintedRow>,
    pub exadata_smart_scan: Vec<PrintedRow>,
    pub addm_finding: Vec<AddmFinding>,
    /// Rows of execution plans.
    #[serde(rename = "plan")]
    pub plan_row: Vec<PlanRow>,
    pub sysmetric: Vec<SysMetric>,
    pub io_result: Vec<IoResult>,
    pub io_calibration: Vec<IoCalibration>,
}

/// Writes one row a bucket, as the contract with users says.
fn histogram_rows<S: Serializer>(histograms: &[WaitHistogram], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Row<'a> {
        line: u32,
        instance_number: Option<u32>,
        event: &'a str,
        side: crate::Side,
        bucket_low_us: f64,
        bucket_high_us: Option<f64>,
        waits: f64,
        waits_low: f64,
        waits_high: f64,
        share_pct: Option<f64>,
    }
    serializer.collect_seq(histograms.iter().flat_map(|h| {
        let total: f64 = h.buckets.iter().map(|b| b.waits).sum();
        h.buckets.iter().map(move |b| Row {
            line: b.line,
            instance_number: h.instance_number,
            event: &h.event,
            side: h.side,
            bucket_low_us: b.low_us,
            bucket_high_us: b.high_us,
            waits: b.waits,
            waits_low: b.waits_low,
            waits_high: b.waits_high,
            share_pct: b.share_pct.or_else(|| (total > 0.0).then(|| 100.0 * b.waits / total)),
        })
    }))
}

impl Tables {
    /// A line of the load profile, a second, over all instances.
    ///
    /// Shape: one a metric. Unit: that of the metric; of DB time and CPU seconds a second, which are sessions. Missing:
    /// `None` where it is not printed. Source: the load profile.
    #[must_use]
    pub fn load_per_second(&self, metric: crate::Metric) -> Option<f64> {
        let rows = || self.load_profile.iter().filter(|row| row.known == Some(metric));
        if let Some(for_all) = rows().find(|row| row.instance_number.is_none()) {
            return for_all.per_second;
        }
        let mut sum = None;
        for row in rows() {
            sum = Some(sum.unwrap_or(0.0) + row.per_second?);
        }
        sum
    }
}
