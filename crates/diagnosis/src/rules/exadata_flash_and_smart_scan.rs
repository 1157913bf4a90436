//! Exadata: reads that miss the flash, scans that are not offloaded or bring back too much.
//!
//! # What it detects
//! On Exadata, one of four: the cells' own devices are busy most of the time and their requests queue;
//! single-block reads go to the cells' disks, because the flash cache holds too little of what is read;
//! scans read whole blocks to the server instead of being offloaded; offloaded scans bring back most of
//! what they read.
//!
//! # Why it costs response time
//! A device that is busy makes each request wait for those before it. A read from the cells' flash takes well under a millisecond, one from their disks 2-15 ms. A
//! scan that is not offloaded sends every block over the network and filters it with the server's
//! CPU.
//!
//! # Facts needed
//! Foreground waits for `cell ...` events; the statistics `cell flash cache read hits`, `physical
//! read total IO requests`, `physical read requests optimized`, `cell physical IO bytes eligible
//! for predicate offload`, `cell physical IO interconnect bytes returned by smart scan`. For the devices
//! `Exadata OS IO Statistics - Outlier Cells` (% Disk Utilization) and `Exadata OS IO Latency - Outlier
//! Cells` (service and wait), their rows of all cells.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | devices of all cells busy | 65 % on average | ours: a single queue that is 65 % busy answers in three times its service |
//! | their wait against their service | 3 times | the same queue |
//! | mean single-block read | 1 ms (the bar of Exadata) | a flash hit takes under 1 ms |
//! | requests answered by flash (optimized requests: a storage index too) | 80 % | ours: below, one read in five goes to a disk and makes most of the mean |
//! | scanned bytes eligible for offload | 10 % of all bytes read | ours |
//! | bytes returned | half of the eligible bytes | ours: then offloading saves little |
//! | each of them | 3 % of DB time, or 1 % where half a session always waits | ours, as for every cause |
//!
//! # When it is wrong
//! The cells serve other databases too: who keeps them busy, their report alone does not say. The hits count all sizes of reads, backups included, so the share for single blocks alone is not
//! known. Scans that need all rows and all columns, or find rows chained or uncommitted, bring back
//! much for good reason. Waits for smart scans are not the latency of anything.
//!
//! # What to do
//! Busy devices: scan less and at other times, limit others (IORM), or add cells. Flash: see what else fills it (backups, scans), `CELL_FLASH_CACHE KEEP` for the tables that need
//! it, or more flash. Not offloaded: is `CELL_OFFLOAD_PROCESSING` on, are the scans direct
//! (parallel, or segments large against the cache), are the columns of types that the cells can
//! filter? Returning much: select fewer columns, put filters where the cells can use them, compress
//! by column.
//!
//! # SQL to see the evidence
//! ```sql
//! select name, value from v$sysstat where name in ('cell flash cache read hits', 'physical read requests optimized',
//!   'physical read total IO requests', 'cell physical IO bytes eligible for predicate offload',
//!   'cell physical IO interconnect bytes returned by smart scan', 'cell physical IO bytes saved by storage index');
//! ```

use super::material;
use super::proof;
use crate::{Case, Claim, DeviceClass, EventTotal, Evidence, Finding, Verdict, words};
use spindle_facts::{PrintedRow, Side};

/// Share of requests that flash answers, below which it counts as missed, percent.
const FLASH_PCT: f64 = 80.0;
/// Share of all bytes read that must be eligible, below which scans count as not offloaded, percent.
const ELIGIBLE_PCT: f64 = 10.0;
/// Share of eligible bytes that comes back, from which offloading saves little, percent.
const RETURNED_PCT: f64 = 50.0;

/// Devices of all cells busy on average, from which their requests queue, percent.
const BUSY_PCT: f64 = 65.0;
/// Wait of a request against its service, from which it does.
const QUEUED: f64 = 3.0;

const REQUESTS: &str = "physical read total IO requests";
const READ_BYTES: &str = "physical read total bytes";
const HITS: &str = "cell flash cache read hits";
/// Reads that the cells' memory answered, before their flash (X8M and later).
const MEMORY_HITS: &[&str] = &["cell RDMA reads", "cell pmem cache read hits", "cell xrmem cache read hits"];
const OPTIMIZED: &str = "physical read requests optimized";
const ELIGIBLE: &str = "cell physical IO bytes eligible for predicate offload";
const RETURNED: &str = "cell physical IO interconnect bytes returned by smart scan";
const SAVED: &str = "cell physical IO bytes saved by storage index";

/// What one of the four checks says.
struct Part {
    title: String,
    claims: Vec<Claim>,
    evidence: Vec<Evidence>,
    action: &'static str,
    storage: bool,
}

/// Does the flash cache miss, or do scans bring too much?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    if !is_exadata(case) {
        // There was none before.
        if case.report.identity.release().is_some_and(|r| r < (11, 1)) {
            return Verdict::NotFound;
        }
        return match case.unlisted_waits() {
            // Its waits may be those that are not listed.
            Some(rest)
                if case.device.value != DeviceClass::Disk && material::may_be_material(case, rest.most_s) =>
            {
                Verdict::CannotTell(format!("waits for cells, which tell Exadata: {}", rest.why))
            }
            _ => Verdict::NotFound,
        };
    }
    let checks = [Ok(cells_busy(case)), flash_missed(case), not_offloaded(case), returns_too_much(case)];
    let mut parts = Vec::new();
    let mut missing = Vec::new();
    for check in checks {
        match check {
            Ok(part) => parts.extend(part),
            Err(what) => missing.push(what),
        }
    }
    if parts.is_empty() {
        return if missing.is_empty() { Verdict::NotFound } else { Verdict::CannotTell(missing.join("; ")) };
    }
    let titles: Vec<String> = parts.iter().map(|p| p.title.clone()).collect();
    let claims: Vec<Claim> = parts.iter().flat_map(|p| p.claims.clone()).collect();
    Verdict::Found(Finding {
        title: titles.join("; "),
        storage: parts.iter().any(|p| p.storage),
        touches_s: claims.iter().map(|c| c.seconds).sum(),
        claims,
        actions: parts.iter().map(|p| p.action.to_owned()).collect(),
        evidence: parts.into_iter().flat_map(|p| p.evidence).collect(),
        caveat: "Cells serve other databases too. Flash hits count reads of all sizes, backups too; scans that need all rows bring back much for good \
                 reason"
            .to_owned(),
        ..Finding::default()
    })
}

/// Waits for cells are printed by Exadata alone; parameters and statistics named `cell` everywhere.
fn is_exadata(case: &Case<'_>) -> bool {
    case.device.value == DeviceClass::Exadata
        || case.events.iter().any(|e| {
            e.side == Side::Foreground
                && e.time_s > 0.0
                && (e.event.starts_with("cell s") || e.event.starts_with("cell m"))
        })
}

/// What a check says of seconds that are not worth a line: nothing, or what is missing.
fn unless_trivial(verdict: Verdict) -> Result<Option<Part>, String> {
    match verdict {
        Verdict::CannotTell(missing) => Err(missing),
        _ => Ok(None),
    }
}

fn waits<'c>(case: &'c Case<'_>, names: &[&str]) -> Vec<&'c EventTotal> {
    case.events
        .iter()
        .filter(|e| e.side == Side::Foreground && names.iter().any(|n| material::is_event(&e.event, n)))
        .collect()
}

fn seconds(case: &Case<'_>, events: &[&EventTotal]) -> f64 {
    events.iter().map(|e| case.event_time_s(&e.event)).sum()
}

fn stats(case: &Case<'_>, names: &[&str]) -> Vec<Evidence> {
    names.iter().filter_map(|name| case.stat(name)).map(|s| case.stat_evidence(s)).collect()
}

/// A kind of device over all cells, as the report's own sections of the cells print it.
struct Devices<'c> {
    kind: &'c str,
    busy_pct: f64,
    mb_per_s: Option<f64>,
    /// Row of the statistics, and the one of the latencies.
    rows: [usize; 2],
    service_us: f64,
    wait_us: f64,
}

/// The kinds of devices of the cells with utilisation, service and wait.
fn devices<'c>(case: &'c Case<'_>) -> Vec<Devices<'c>> {
    let table = &case.report.tables.exadata_cell;
    let of_all = |title: &'static str| {
        table.iter().enumerate().filter(move |(_, r)| {
            let section = case.report.section_title(r.section);
            section.starts_with(title) && section.ends_with("Cells") && r.text("cell_name") == Some("All")
        })
    };
    let us = |r: &PrintedRow, what: &str| {
        let ms = r.number(&format!("avg_{what}_time_ms_mean")).map(|ms| ms * 1e3);
        ms.or_else(|| r.number(&format!("avg_{what}_time_mean_us")))
    };
    of_all("Exadata OS IO Statistics")
        .filter_map(|(row, stat)| {
            let kind = stat.text("disk_type")?;
            let mut latencies = of_all("Exadata OS IO Latency");
            let (latency, of_kind) = latencies.find(|(_, r)| r.text("disk_type") == Some(kind))?;
            Some(Devices {
                kind,
                busy_pct: stat.number("pct_disk_utilization")?,
                mb_per_s: stat.number("io_mb_per_s_total"),
                rows: [row, latency],
                service_us: us(of_kind, "service")?,
                wait_us: us(of_kind, "wait")?,
            })
        })
        .collect()
}

/// Devices of the cells that are so busy that their requests queue.
fn cells_busy(case: &Case<'_>) -> Option<Part> {
    let waited: Vec<&EventTotal> = case
        .events
        .iter()
        .filter(|e| e.side == Side::Foreground && e.event.starts_with("cell ") && !e.is_idle)
        .collect();
    let waited_s = seconds(case, &waited);
    if !material::is_material(case, waited_s) {
        return None;
    }
    let busy: Vec<Devices<'_>> = devices(case)
        .into_iter()
        .filter(|d| d.busy_pct >= BUSY_PCT && d.service_us > 0.0 && d.wait_us >= QUEUED * d.service_us)
        .collect();
    if busy.is_empty() {
        return None;
    }
    let said: Vec<String> = busy
        .iter()
        .map(|d| {
            let kind = match d.kind.split('/').next() {
                Some("F") => format!("flash ({})", d.kind),
                Some("H") => format!("hard disks ({})", d.kind),
                _ => d.kind.to_owned(),
            };
            format!(
                "{kind} {} busy, {} a request for {} of service",
                words::percent(d.busy_pct),
                words::latency(d.wait_us),
                words::latency(d.service_us)
            )
        })
        .collect();
    let table = &case.report.tables.exadata_cell;
    let mut evidence = Vec::new();
    for device in &busy {
        let [stat, latency] = device.rows;
        let moved = device.mb_per_s.map_or(String::new(), |mb| format!(", {} MB/s", words::significant(mb)));
        let text = format!("{}: {} busy{moved}, all cells", device.kind, words::percent(device.busy_pct));
        let row = &table[stat];
        evidence.push(case.evidence("exadata_cell", stat, row.line, row.section, text));
        let text = format!(
            "{}: wait {}, service {}, all cells",
            device.kind,
            words::latency(device.wait_us),
            words::latency(device.service_us)
        );
        let row = &table[latency];
        evidence.push(case.evidence("exadata_cell", latency, row.line, row.section, text));
    }
    evidence.extend(proof::largest(case, &waited));
    // However few they are, they show what one block costs there.
    let singles = waited.iter().find(|e| e.event == "cell single block physical read");
    let text =
        singles.and_then(|e| Some((e, e.avg_us?))).filter(|(_, us)| *us > case.bars.single_block_read_us);
    evidence.extend(text.map(|(e, us)| {
        let text = format!(
            "{}: mean {} (bar {})",
            e.event,
            words::latency(us),
            words::latency(case.bars.single_block_read_us)
        );
        case.evidence(e.table, e.row, e.line, e.section, text)
    }));
    Some(Part {
        title: format!(
            "Requests queue at the cells' devices ({}), and sessions waited {}{} for the cells",
            said.join("; "),
            words::seconds(waited_s),
            material::of_db_time(case, waited_s)
        ),
        claims: proof::claims(case, &waited),
        evidence,
        action: "See who keeps the cells busy (V$CELL_DB, IORM metrics): scan less and at other times, limit others with \
                 IORM, or add cells",
        storage: true,
    })
}

/// Single-block reads that are slow because the flash does not hold the blocks.
fn flash_missed(case: &Case<'_>) -> Result<Option<Part>, String> {
    // From 19c on hits have events of their own, so that the plain one holds the misses.
    let reads = waits(case, &["cell single block physical read"]);
    let bar_us = case.bars.single_block_read_us;
    let slow: Vec<&EventTotal> = reads.into_iter().filter(|e| material::is_slow(e, bar_us)).collect();
    let lost: Vec<Claim> = slow
        .iter()
        .filter_map(|e| {
            let over = e.time_s - e.waits? * bar_us / 1e6;
            Some(Claim { of: e.event.clone(), seconds: over.clamp(0.0, case.event_time_s(&e.event)) })
        })
        .collect();
    let lost_s: f64 = lost.iter().map(|c| c.seconds).sum();
    if let Some(verdict) =
        material::waits_not_worth(case, "single-block reads from the cells", 1 - slow.len().min(1), lost_s)
    {
        return unless_trivial(verdict);
    }
    let requests = case.stat_total(REQUESTS).filter(|r| *r > 0.0);
    let hits = case.stat_total_or_zero(HITS);
    let (Some(requests), Some(hits)) = (requests, hits) else {
        return Err(format!("{HITS} and {REQUESTS} (Instance Activity Stats)"));
    };
    // A storage index spares the read: such a request did not go to a disk either.
    let memory: f64 = MEMORY_HITS.iter().filter_map(|name| case.stat_total(name)).sum();
    let answered = (hits + memory).max(case.stat_total(OPTIMIZED).unwrap_or(0.0)).min(requests);
    let pct = 100.0 * answered / requests;
    if pct >= FLASH_PCT {
        return Ok(None);
    }
    let mean =
        slow.iter().find_map(|e| e.avg_us).map_or(String::new(), |us| format!(" {}", words::latency(us)));
    let mut evidence = proof::largest(case, &slow);
    evidence.extend(stats(case, &[HITS, OPTIMIZED, REQUESTS]));
    Ok(Some(Part {
        title: format!(
            "Flash answered {} of the read requests, and single-block reads took{mean}: {}{} over {}",
            words::percent(pct),
            words::seconds(lost_s),
            material::of_db_time(case, lost_s),
            words::latency(bar_us)
        ),
        claims: lost,
        evidence,
        action: "See what fills the cells' flash cache (backups, scans), keep the tables that need it (CELL_FLASH_CACHE \
                 KEEP), or add flash",
        storage: true,
    }))
}

/// Scans that read whole blocks to the server.
fn not_offloaded(case: &Case<'_>) -> Result<Option<Part>, String> {
    let scans = waits(case, &["cell multiblock physical read", "direct path read"]);
    let seconds = seconds(case, &scans);
    if let Some(verdict) =
        material::waits_not_worth(case, "scans of whole blocks", 2 - scans.len().min(2), seconds)
    {
        return unless_trivial(verdict);
    }
    let read = case.stat_total(READ_BYTES).filter(|b| *b > 0.0);
    let (Some(read), Some(eligible)) = (read, case.stat_total_or_zero(ELIGIBLE)) else {
        return Err(format!("{ELIGIBLE} and {READ_BYTES} (Instance Activity Stats)"));
    };
    let pct = 100.0 * eligible / read;
    if pct >= ELIGIBLE_PCT {
        return Ok(None);
    }
    let mut evidence = proof::largest(case, &scans);
    evidence.extend(stats(case, &[ELIGIBLE, READ_BYTES]));
    Ok(Some(Part {
        title: format!(
            "Scans waited {}{} for whole blocks: {} of the bytes read could be offloaded",
            words::seconds(seconds),
            material::of_db_time(case, seconds),
            words::percent(pct)
        ),
        claims: proof::claims(case, &scans),
        evidence,
        action: "Check why scans are not offloaded: CELL_OFFLOAD_PROCESSING, scans through the buffer cache instead of \
                 direct ones, data types and functions that the cells cannot filter",
        storage: true,
    }))
}

/// Offloaded scans that filter little.
fn returns_too_much(case: &Case<'_>) -> Result<Option<Part>, String> {
    let scans = waits(case, &["cell smart table scan", "cell smart index scan"]);
    let seconds = seconds(case, &scans);
    if let Some(verdict) = material::waits_not_worth(case, "smart scans", 2 - scans.len().min(2), seconds) {
        return unless_trivial(verdict);
    }
    let eligible = case.stat_total(ELIGIBLE).filter(|b| *b > 0.0);
    let (Some(eligible), Some(returned)) = (eligible, case.stat_total(RETURNED)) else {
        return Err(format!("{ELIGIBLE} and {RETURNED} (Instance Activity Stats)"));
    };
    let pct = 100.0 * returned / eligible;
    if pct < RETURNED_PCT {
        return Ok(None);
    }
    let mut evidence = proof::largest(case, &scans);
    evidence.extend(stats(case, &[ELIGIBLE, RETURNED, SAVED]));
    Ok(Some(Part {
        title: format!(
            "Smart scans waited {}{} and brought back {} of the eligible bytes",
            words::seconds(seconds),
            material::of_db_time(case, seconds),
            words::percent(pct)
        ),
        claims: proof::claims(case, &scans),
        evidence,
        action: "Select fewer columns, filter where the cells can (no functions around columns), compress by column; \
                 partition so that less is scanned",
        storage: false,
    }))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    fn hour() -> Hour {
        Hour::new(7200.0).cpu(1000.0).device(DeviceClass::Exadata)
    }

    #[test]
    fn reads_that_miss_the_flash() {
        let with = |hits| {
            hour()
                .foreground("cell single block physical read", 400_000.0, 2_000.0)
                .stat("physical read total IO requests", 1e6)
                .stat("cell flash cache read hits", hits)
        };
        let found = with(0.79e6).found(run);
        assert!(found.title.starts_with("Flash answered 79 % of the read requests"), "{}", found.title);
        assert_eq!(found.claims[0].seconds, 1_600.0, "what is over 1 ms a read");
        assert!(found.storage);
        with(0.81e6).not_found(run);
        with(0.6e6).stat("cell xrmem cache read hits", 0.3e6).not_found(run);
        let spared = with(0.5e6).stat("physical read requests optimized", 0.9e6);
        spared.not_found(run);
    }

    /// Flash of all cells 75 % busy, 2.44 ms a request for 0.15 ms of service, and 93 % of DB time in smart scans:
    /// nothing of it was said.
    #[test]
    fn busy_cells_were_not_looked_at() {
        use spindle_facts::{PrintedRow, Section, SectionStatus, Value};
        let with = |busy: f64, wait: f64| {
            let hour = hour().foreground("cell smart table scan", 4e5, 5_000.0).foreground(
                "cell single block physical read",
                1_866.0,
                40.2,
            );
            hour.with(|r| {
                let base = r.sections.len();
                for title in
                    ["Exadata OS IO Statistics - Outlier Cells", "Exadata OS IO Latency - Outlier Cells"]
                {
                    r.sections.push(Section {
                        title: title.to_owned(),
                        line: 1,
                        status: SectionStatus::Read,
                        rows: 1,
                        lost: 0,
                    });
                }
                let section = |n: usize| (base + n).try_into().unwrap_or_default();
                let text = |t: &str| Value::Text(t.into());
                let of_all = || vec![("disk_type", text("F/373G")), ("cell_name", text("All"))];
                let mut stat = of_all();
                stat.push(("io_mb_per_s_total", Value::Number(36_191.83)));
                stat.push(("pct_disk_utilization", Value::Number(busy)));
                let mut latency = of_all();
                latency.push(("avg_service_time_ms_mean", Value::Number(0.15)));
                latency.push(("avg_wait_time_ms_mean", Value::Number(wait)));
                r.tables.exadata_cell = vec![
                    PrintedRow { line: 5970, section: section(0), instance_number: None, cells: stat.into() },
                    PrintedRow {
                        line: 6154,
                        section: section(1),
                        instance_number: None,
                        cells: latency.into(),
                    },
                ];
            })
        };
        let found = with(74.91, 2.44).found(run);
        assert!(
            found.title.starts_with(
                "Requests queue at the cells' devices (flash (F/373G) 75 % busy, 2.44 ms a request for 0.15 ms of \
                 service), and sessions waited 5,040 s (70 % of DB time) for the cells"
            ),
            "{}",
            found.title
        );
        assert!(found.storage);
        assert!(
            found
                .evidence
                .iter()
                .any(|e| e.text == "F/373G: 75 % busy, 36,192 MB/s, all cells" && e.line == 5970)
        );
        let single = "cell single block physical read: mean 21.5 ms (bar 1 ms)";
        assert!(found.evidence.iter().any(|e| e.text == single));
        assert!(!format!("{:?}", with(20.0, 2.44).run(run)).contains("queue at"));
        assert!(!format!("{:?}", with(74.91, 0.4).run(run)).contains("queue at"));
    }

    #[test]
    fn fast_reads_need_no_hits() {
        hour()
            .foreground("cell single block physical read", 4e6, 3_900.0)
            .stat("physical read total IO requests", 1e6)
            .stat("cell flash cache read hits", 0.0)
            .not_found(run);
    }

    #[test]
    fn scans_that_are_not_offloaded() {
        let with = |eligible| {
            hour()
                .foreground("cell multiblock physical read", 1e5, 3_000.0)
                .stat("physical read total bytes", 1e12)
                .stat("cell physical IO bytes eligible for predicate offload", eligible)
        };
        assert!(with(0.09e12).found(run).title.contains("9 % of the bytes read could be offloaded"));
        with(0.11e12).not_found(run);
    }

    #[test]
    fn smart_scans_that_bring_back_most() {
        let with = |returned| {
            hour()
                .foreground("cell smart table scan", 1e5, 3_000.0)
                .stat("cell physical IO bytes eligible for predicate offload", 1e12)
                .stat("cell physical IO interconnect bytes returned by smart scan", returned)
        };
        let found = with(0.51e12).found(run);
        assert!(found.title.contains("brought back 51 %"), "{}", found.title);
        assert!(!found.storage, "the statement asks for it");
        with(0.49e12).not_found(run);
    }

    #[test]
    fn without_statistics_it_cannot_tell_and_elsewhere_it_does_not_apply() {
        let reads = hour().foreground("cell single block physical read", 400_000.0, 2_000.0);
        assert!(reads.missing(run).contains("cell flash cache read hits"));
        Hour::new(7200.0)
            .device(DeviceClass::Disk)
            .foreground("direct path read", 1e5, 3_000.0)
            .not_found(run);
    }
}
