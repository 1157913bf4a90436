//! A host that pages memory, or reads files through its cache.
//!
//! # What it detects
//! The host wrote memory to its paging space in the interval (`VM_OUT_BYTES`). Or it paged in far more than it ever
//! paged out: those pages are of files, so files are read through the file system's cache.
//!
//! # Why it costs response time
//! A process whose memory lies in the paging space waits for a disk where it believes to use memory, in CPU time, in
//! latches it holds, anywhere: no event of the database counts it. Reads through the file system's cache cost CPU of
//! the system and memory twice, and that cache pushes other memory out.
//!
//! # Facts needed
//! `VM_IN_BYTES`, `VM_OUT_BYTES` of the operating system statistics, the size of memory; `physical read total bytes`
//! for the second.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | paged out in an hour | 5 % of memory | ours: far above what an idle page or two makes |
//! | paged in, to be of files | 10 times what was paged out, and a tenth of what the database read | ours: memory that comes back was out before |
//!
//! # When it is wrong
//! The figures are the host's: other programs may page and the database not. Pages that were out before the interval
//! come back without being written in it. Which pages are counted differs: AIX counts those of files, Linux those of
//! the paging space alone.
//!
//! # What to do
//! Memory: SGA and PGA of all instances together below the memory of the host, large or pinned pages for the SGA
//! (`LOCK_SGA`, huge pages). Files: direct I/O (`filesystemio_options = SETALL`, mount option `cio`), once the buffer
//! cache is as large as what the other cache held.
//!
//! # SQL to see the evidence
//! ```sql
//! select stat_name, value from v$osstat where stat_name in ('VM_IN_BYTES', 'VM_OUT_BYTES', 'PHYSICAL_MEMORY_BYTES');
//! select name, value from v$parameter where name in ('filesystemio_options', 'lock_sga', 'use_large_pages');
//! ```

use super::proof;
use crate::{Case, Finding, Setting, Verdict, words};

const IN: &str = "VM_IN_BYTES";
const OUT: &str = "VM_OUT_BYTES";
/// Part of memory paged out in an hour from which the host pages.
const OUT_PART: f64 = 0.05;
/// Paged in against paged out, from which the pages are of files.
const OF_FILES: f64 = 10.0;
/// And against what the database read.
const OF_READS: f64 = 0.1;

/// Does the host page memory, or read files through its cache?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let (paged_in, paged_out) = (case.os_stat(IN), case.os_stat(OUT));
    if paged_in.is_none() && paged_out.is_none() {
        return Verdict::CannotTell(format!("{IN} and {OUT} (Operating System Statistics)"));
    }
    let memory = case.os_stat("PHYSICAL_MEMORY_BYTES").or(case.report.identity.memory_bytes);
    let hours = case.elapsed_s().filter(|s| *s > 0.0).map(|s| s / 3600.0);
    let (Some(memory), Some(hours)) = (memory.filter(|m| *m > 0.0), hours) else {
        return Verdict::CannotTell("the size of memory and the length of the interval".to_owned());
    };
    let of_memory = |bytes: f64| bytes / hours / memory;
    let read = case.stat_total("physical read total bytes");
    let is_much = |bytes: f64| of_memory(bytes) >= OUT_PART;
    let pages = paged_out.is_some_and(is_much);
    let of_files = paged_in.zip(paged_out).is_some_and(|(paged_in, paged_out)| {
        is_much(paged_in)
            && paged_in >= OF_FILES * paged_out
            && read.is_some_and(|read| read > 0.0 && paged_in >= OF_READS * read)
    });
    if !pages && !of_files {
        return match (paged_in, paged_out) {
            (_, Some(_)) => Verdict::NotFound,
            // What never comes back was hardly ever out.
            (Some(paged_in), None) if !is_much(paged_in) => Verdict::NotFound,
            _ => Verdict::CannotTell(format!("{OUT} (Operating System Statistics)")),
        };
    }
    let (bytes_in, bytes_out) = (paged_in.unwrap_or(0.0), paged_out.unwrap_or(0.0));
    let mut parts = Vec::new();
    if pages {
        parts.push(format!(
            "The host paged {} of memory out ({} of its memory an hour)",
            words::bytes(bytes_out),
            words::percent(100.0 * of_memory(bytes_out))
        ));
    }
    if of_files {
        parts.push(format!(
            "{} {} in, far more than out ({}): files are read through the file system's cache",
            if pages { "it paged" } else { "The host paged" },
            words::bytes(bytes_in),
            words::bytes(bytes_out)
        ));
    }
    let mut evidence = proof::os_stat(case, OUT);
    evidence.extend(proof::os_stat(case, IN));
    evidence.extend(proof::os_stat(case, "PHYSICAL_MEMORY_BYTES"));
    evidence
        .extend(case.stat("physical read total bytes").filter(|_| of_files).map(|s| case.stat_evidence(s)));
    let direct = case.parameter("filesystemio_options");
    if let Setting::Set(parameter) = direct {
        evidence.push(case.parameter_evidence(parameter));
    }
    let mut actions = Vec::new();
    if of_files {
        actions.push(
            "See whether the database's files are among those read through the file system's cache: \
             filesystemio_options = SETALL or the mount option cio makes their I/O direct; enlarge the buffer cache \
             first by what that cache held of them"
                .to_owned(),
        );
    }
    if pages {
        actions.push(
            "See with the operating system (vmstat, svmon) which processes are paged out; keep SGA and PGA of all \
             instances below the memory of the host, the SGA in large or pinned pages"
                .to_owned(),
        );
    }
    Verdict::Found(Finding {
        title: parts.join("; "),
        evidence,
        actions,
        caveat: "These are the host's pages, of any program; what of DB time they cost no event counts"
            .to_owned(),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::rules::testing::Hour;

    const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

    fn hour(paged_in: Option<f64>, paged_out: Option<f64>) -> Hour {
        Hour::new(10_000.0).stat("physical read total bytes", 1_500.0 * GIB).with(|r| {
            let stat = |statistic: &str, bytes| spindle_facts::OsStat {
                line: 9,
                section: 0,
                instance_number: None,
                statistic: statistic.to_owned(),
                value: Some(bytes),
                end_value: None,
            };
            r.tables.os_stat = vec![stat("PHYSICAL_MEMORY_BYTES", 32.0 * GIB)];
            r.tables.os_stat.extend(paged_in.map(|bytes| stat("VM_IN_BYTES", bytes)));
            r.tables.os_stat.extend(paged_out.map(|bytes| stat("VM_OUT_BYTES", bytes)));
        })
    }

    /// 2 GiB were paged out and as much in within an hour, in no word of the answer.
    #[test]
    fn memory_that_the_host_paged_out_was_not_said() {
        let found = hour(Some(1.8 * GIB), Some(2.0 * GIB)).found(run);
        assert_eq!(found.title, "The host paged 2 GiB of memory out (6.2 % of its memory an hour)");
        assert!(found.claims.is_empty() && !found.storage);
        hour(Some(1.8 * GIB), Some(1.5 * GIB)).not_found(run);
    }

    /// 780 GB paged in beside 5 GB out and 1,588 GB read: the file system's cache was "not found".
    #[test]
    fn files_read_through_the_cache_of_the_host_were_not_said() {
        let found = hour(Some(730.0 * GIB), Some(1.0 * GIB)).found(run);
        assert_eq!(
            found.title,
            "The host paged 730 GiB in, far more than out (1 GiB): files are read through the file system's cache"
        );
        assert!(found.actions[0].contains("filesystemio_options"), "{:?}", found.actions);
        let both = hour(Some(730.0 * GIB), Some(5.0 * GIB)).found(run);
        assert!(
            both.title.contains("out (16 % of its memory an hour); it paged 730 GiB in"),
            "{}",
            both.title
        );
        hour(Some(100.0 * GIB), Some(1.0 * GIB)).not_found(run);
    }

    #[test]
    fn without_its_figures_it_cannot_tell() {
        assert!(hour(None, None).missing(run).contains("VM_OUT_BYTES"));
        assert!(hour(Some(10.0 * GIB), None).missing(run).contains("VM_OUT_BYTES"));
        hour(Some(0.1 * GIB), None).not_found(run);
    }
}
