//! Caches of the shared pool: dictionary and library.

use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// One cache of the data dictionary.
///
/// Shape: one row a cache. Unit: counts over the interval, percent; usage at the end snapshot.
/// Missing: `None` where blank or `N/A` (no request). Source: `Dictionary Cache Stats`,
/// `Dictionary Cache Statistics`; the global ones from `Dictionary Cache Stats (RAC)`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DictionaryCache {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Cache as printed.
    pub cache: SmolStr,
    /// Requests.
    pub get_requests: Option<f64>,
    /// Requests that missed, percent.
    pub get_miss_pct: Option<f64>,
    /// Scans.
    pub scan_requests: Option<f64>,
    /// Scans that missed, percent.
    pub scan_miss_pct: Option<f64>,
    /// Changes.
    pub modifications: Option<f64>,
    /// Entries in use at the end.
    pub final_usage: Option<f64>,
    /// RAC: requests to the global enqueue service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_requests: Option<f64>,
    /// RAC: conflicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_conflicts: Option<f64>,
    /// RAC: releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_releases: Option<f64>,
}

/// One namespace of the library cache.
///
/// Shape: one row a namespace. Unit: counts over the interval, percent. Missing: `None` where blank or
/// `N/A` (no request). Source: `Library Cache Activity`; the global ones from `Library Cache Activity
/// (RAC)` or, over a whole database, from the same table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LibraryCache {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Namespace as printed.
    pub namespace: SmolStr,
    /// Requests for a handle (parses).
    pub get_requests: Option<f64>,
    /// Requests that missed, percent.
    pub get_miss_pct: Option<f64>,
    /// Pins (executions).
    pub pin_requests: Option<f64>,
    /// Pins that missed, percent.
    pub pin_miss_pct: Option<f64>,
    /// Objects loaded again.
    pub reloads: Option<f64>,
    /// Objects made invalid.
    pub invalidations: Option<f64>,
    /// RAC: global lock requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_lock_requests: Option<f64>,
    /// RAC: global pin requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_pin_requests: Option<f64>,
    /// RAC: global pin releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_pin_releases: Option<f64>,
    /// RAC: global requests to invalidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_invalidation_requests: Option<f64>,
    /// RAC: global invalidations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ges_invalidations: Option<f64>,
}
