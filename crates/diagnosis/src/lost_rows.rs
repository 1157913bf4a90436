//! Rows that a report prints and that could not be read: what they hold is unknown, so a cause that would
//! show in them is not ruled out.
//!
//! Blanks that a mail squeezed, cells that moved, headings that lack: reading leaves such rows out and counts
//! them by section. A rule that finds nothing is believed where the rows that it looks at were read.

use crate::case::Case;
use crate::words;
use spindle_facts::{ROWS_LEFT_OUT, Report, Section, SectionStatus, same_name};

/// What a rule looks at, so that it finds nothing where rows of it are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooksAt {
    /// Foreground waits by event.
    Waits,
    /// Background waits by event.
    BackgroundWaits,
    /// Histograms of waits.
    Histograms,
    /// These statistics of the time model.
    TimeModel(&'static [&'static str]),
    /// These statistics of the instance activity.
    Statistics(&'static [&'static str]),
    /// These statistics of the operating system.
    OperatingSystem(&'static [&'static str]),
    /// These parameters.
    Parameters(&'static [&'static str]),
    /// I/O by function.
    IoByFunction,
    /// I/O by tablespace and file.
    Files,
    /// Statements by reads.
    Statements,
    /// Segments by reads.
    Segments,
    /// Advice on the size of the buffer cache.
    CacheAdvice,
}

/// What is missing, in a DBA's words, where a rule looked at these and rows of one are lost that could hold its
/// cause; `None` where all that it needs was read.
pub(crate) fn hiding(case: &Case<'_>, looks_at: &[LooksAt]) -> Option<String> {
    looks_at.iter().find_map(|part| {
        let lost = lost_in(case.report, *part)?;
        matters(case, *part).then(|| lost.said())
    })
}

/// Rows of foreground waits that are printed and could not be read, in words; `None` where there are none.
pub(crate) fn lost_waits(report: &Report) -> Option<String> {
    lost_in(report, LooksAt::Waits).map(|lost| lost.said())
}

/// Rows of foreground waits that are printed and could not be read, where they may hold much of so much of DB time
/// (percent): a row behind the last of a list in order is no more than that one, and what stands further down belongs
/// to something else.
pub(crate) fn lost_waits_of(case: &Case<'_>, pct: f64) -> Option<String> {
    /// Lines that a row may take, wrapped.
    const LINES: u32 = 3;
    /// Part of what nothing explains that lost rows must be able to hold to be named for it.
    const EXPLAINS: f64 = 0.5;
    let report = case.report;
    let lost = lost_in(report, LooksAt::Waits)?;
    let section = lost.section;
    let of_section = |id: spindle_facts::SectionId| {
        report.sections.get(usize::from(id)).is_some_and(|s| std::ptr::eq(s, section))
    };
    let rows = report.tables.top_event.iter().filter(|e| of_section(e.section));
    let last = rows.filter_map(|e| Some((e.line, e.time_s?))).max_by_key(|(line, _)| *line);
    let lost_at = report
        .notes
        .iter()
        .filter(|n| n.section.as_deref() == Some(section.title.as_str()))
        .filter_map(|n| n.line)
        .min();
    if let (Some((last_line, least_s)), Some(lost_at)) = (last, lost_at)
        && lost_at > last_line
    {
        let rows = section.lost.max(1);
        let far = lost_at > last_line + LINES * rows;
        let most = if lost.at.is_some() { f64::INFINITY } else { f64::from(rows) };
        let most_pct = case.share_pct(most * least_s).unwrap_or(f64::INFINITY);
        if far || most_pct < EXPLAINS * pct {
            return None;
        }
    }
    Some(lost.said())
}

/// Are rows of this kind printed that could not be read?
pub(crate) fn are_lost(report: &Report, part: LooksAt) -> bool {
    lost_in(report, part).is_some()
}

/// A section that lacks rows.
#[derive(Clone, Copy)]
struct Lost<'r> {
    section: &'r Section,
    /// Line where dots stand for rows that somebody left out, however many.
    at: Option<u32>,
}

impl Lost<'_> {
    /// `36 rows of "Foreground Wait Events" (line 238), which are printed and could not be read`.
    fn said(&self) -> String {
        let Section { title, line, lost, .. } = self.section;
        if let Some(at) = self.at {
            return format!("rows of \"{title}\" (line {line}), which were left out at line {at}");
        }
        let rows = match lost {
            0 => "the rows".to_owned(),
            1 => "1 row".to_owned(),
            lost => format!("{} rows", words::count(f64::from(*lost))),
        };
        let are = if *lost == 1 { "is" } else { "are" };
        format!("{rows} of \"{title}\" (line {line}), which {are} printed and could not be read")
    }
}

/// The section of this kind of which most rows are lost: of those that somebody left out nobody knows how many.
fn lost_in(report: &Report, part: LooksAt) -> Option<Lost<'_>> {
    // Rules ask hundreds of times, and hardly any section lacks rows: words are looked for last.
    let of_part = |s: &&Section| is_of(&s.title.to_ascii_lowercase(), part);
    let left_out = report.notes.iter().filter(|n| n.message == ROWS_LEFT_OUT).find_map(|note| {
        let (title, at) = (note.section.as_deref()?, note.line?);
        let above = report.sections.iter().filter(|s| s.title == title && s.line <= at).filter(of_part);
        above.max_by_key(|s| s.line).map(|section| Lost { section, at: Some(at) })
    });
    left_out.or_else(|| {
        let lacking = |s: &&Section| s.lost > 0 || s.status == SectionStatus::Unreadable;
        let lost = report.sections.iter().filter(lacking).filter(of_part);
        lost.max_by_key(|s| s.lost).map(|section| Lost { section, at: None })
    })
}

/// Does a section of this title, in lower case, print such rows?
fn is_of(title: &str, part: LooksAt) -> bool {
    let has = |word: &str| title.contains(word);
    match part {
        LooksAt::Waits => {
            (has("wait event") || has("timed event") || has("foreground event"))
                && !has("background")
                && !has("histogram")
        }
        LooksAt::BackgroundWaits => has("background wait event") || has("background event"),
        LooksAt::Histograms => has("wait event") && has("histogram"),
        LooksAt::TimeModel(_) => has("time model"),
        LooksAt::Statistics(_) => has("instance activity") || has("sysstat"),
        LooksAt::OperatingSystem(_) => {
            has("operating system statistics") && !has("detail") || has("os statistics") && !has("detail")
        }
        LooksAt::Parameters(_) => has("init.ora parameters") || has("system parameters"),
        LooksAt::IoByFunction => has("iostat by function") && !has("filetype"),
        LooksAt::Files => has("tablespace io stats") || has("file io stats"),
        LooksAt::Statements => has("sql ordered by"),
        LooksAt::Segments => has("segments by") && (has("read") || has("scan")),
        LooksAt::CacheAdvice => has("buffer pool advisory") || has("buffer cache advisory"),
    }
}

/// Could what is lost change what a rule says?
fn matters(case: &Case<'_>, part: LooksAt) -> bool {
    let tables = &case.report.tables;
    let lacks = |names: &[&str], read: &dyn Fn(&str) -> bool| names.iter().any(|name| !read(name));
    match part {
        // What the report prints in sum bounds what is lost, and rules ask for that themselves.
        LooksAt::Waits => {
            !case.knows_all_waits() && is_much(case, case.response_time.foreground.unexplained_s)
        }
        LooksAt::TimeModel(names) => {
            lacks(names, &|name| tables.time_model.iter().any(|r| same_name(&r.statistic, name)))
        }
        LooksAt::Statistics(names) => {
            lacks(names, &|name| tables.instance_stat.iter().any(|r| same_name(&r.statistic, name)))
        }
        LooksAt::OperatingSystem(names) => {
            case.host_cpu_busy_pct().is_none()
                && lacks(names, &|name| tables.os_stat.iter().any(|r| same_name(&r.statistic, name)))
        }
        LooksAt::Parameters(names) => {
            lacks(names, &|name| tables.parameter.iter().any(|p| p.name.eq_ignore_ascii_case(name)))
        }
        LooksAt::BackgroundWaits
        | LooksAt::Histograms
        | LooksAt::IoByFunction
        | LooksAt::Files
        | LooksAt::Statements
        | LooksAt::Segments
        | LooksAt::CacheAdvice => true,
    }
}

/// Are so many seconds of DB time, or what is unknown, worth a cause?
fn is_much(case: &Case<'_>, seconds: Option<f64>) -> bool {
    seconds.is_none_or(|s| crate::rules::may_be_material(case, s))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::Hour;
    use crate::{Diagnosis, Options, diagnose};
    use spindle_facts::{Note, ROWS_LEFT_OUT, Section, SectionStatus};

    fn diagnosed(hour: &Hour) -> Diagnosis {
        diagnose(&hour.report, &Options::default())
    }

    fn losing(hour: Hour, title: &str, lost: u32) -> Diagnosis {
        let status = SectionStatus::Read;
        let section = Section { title: title.to_owned(), line: 145, status, rows: 1, lost };
        diagnosed(&hour.with(|r| r.sections.push(section)))
    }

    fn missing<'d>(diagnosis: &'d Diagnosis, rule: &str) -> Option<&'d str> {
        diagnosis.cannot_tell.iter().find(|c| c.rule == rule).map(|c| c.missing.as_str())
    }

    fn hour(cpu_s: f64) -> Hour {
        Hour::new(7200.0).cpu(cpu_s).foreground("log file sync", 1e4, 20.0).stat("parse time elapsed", 100.0)
    }

    /// 14 of 15 rows of the time model were left out, and parsing, 22 % of DB time in the whole report, was
    /// looked for and not found.
    #[test]
    fn a_cause_whose_rows_could_not_be_read_was_called_not_there() {
        assert!(diagnosed(&hour(7_170.0)).not_found.contains(&"hard_parsing"));
        let lost = losing(hour(7_170.0), "Time Model Statistics", 14);
        assert_eq!(
            missing(&lost, "hard_parsing"),
            Some("14 rows of \"Time Model Statistics\" (line 145), which are printed and could not be read")
        );
        let read = |hour: Hour| {
            hour.time_model("parse time elapsed", 10.0).time_model("hard parse elapsed time", 1.0)
        };
        let lost = losing(read(hour(7_170.0)), "Time Model Statistics", 12);
        assert!(lost.not_found.contains(&"hard_parsing"), "its own rows were read");
    }

    #[test]
    fn waits_that_were_not_read_matter_as_far_as_something_is_not_explained() {
        let much = losing(hour(3_000.0), "Foreground Wait Events", 36);
        assert!(missing(&much, "slow_single_block_reads").is_some_and(|m| m.contains("36 rows")));
        assert!(much.answer.contains("nor a wait that was read (36 rows"), "{}", much.answer);
        let little = losing(hour(7_170.0), "Foreground Wait Events", 36);
        assert!(little.not_found.contains(&"slow_single_block_reads"));
        let others = losing(hour(3_000.0), "Latch Activity", 36);
        assert!(others.not_found.contains(&"slow_single_block_reads"));
    }

    /// A statement of the next table, twelve lines further down, was the lost top event that 64 % of DB time could be
    /// in.
    #[test]
    fn a_row_of_the_next_table_was_a_wait_that_could_not_be_read() {
        let answer = |lost_at: u32, least_s: f64| {
            let title = "Top 10 Foreground Events by Total Wait Time".to_owned();
            let hour = Hour::new(7200.0).cpu(800.0).top("db file sequential read", Some(1e5), 2_000.0);
            let hour = hour.top("log file sync", Some(1e4), least_s).with(|r| {
                let status = SectionStatus::Read;
                r.sections.push(Section { title: title.clone(), line: 3, status, rows: 2, lost: 1 });
                for (row, line) in r.tables.top_event.iter_mut().zip(6..) {
                    (row.section, row.line) = (1, line);
                }
                let (message, effect) = ("1 row is left out".to_owned(), "sums are too small".to_owned());
                r.notes.push(Note { line: Some(lost_at), section: Some(title), message, effect });
            });
            diagnosed(&hour).answer
        };
        let names_it = |answer: &str| answer.contains("(1 row of \"Top 10 Foreground Events");
        assert!(names_it(&answer(8, 1_900.0)), "{}", answer(8, 1_900.0));
        assert!(!names_it(&answer(19, 1_900.0)), "{}", answer(19, 1_900.0));
        // The list is in order: a row behind 100 s is no more.
        assert!(!names_it(&answer(8, 100.0)), "{}", answer(8, 100.0));
        assert!(names_it(&answer(6, 100.0)), "{}", answer(6, 100.0));
    }

    /// `...` stood for the rows of `db file sequential read`, 74 % of DB time: "41 known causes were looked for and not
    /// found", slow reads among them.
    #[test]
    fn causes_in_rows_that_somebody_left_out_were_not_there() {
        let title = "Foreground Wait Events  DB/Inst: ONE";
        let left_out = |cpu_s: f64| {
            let section =
                Section { title: title.to_owned(), line: 110, status: SectionStatus::Read, rows: 9, lost: 0 };
            diagnosed(&hour(cpu_s).with(|r| {
                r.sections.push(section);
                r.notes.push(Note {
                    line: Some(118),
                    section: Some(title.to_owned()),
                    message: ROWS_LEFT_OUT.to_owned(),
                    effect: "sums are too small".to_owned(),
                });
            }))
        };
        let much = left_out(3_000.0);
        let lacks = format!("rows of \"{title}\" (line 110), which were left out at line 118");
        for rule in ["slow_single_block_reads", "few_statements_read_most", "buffer_cache_too_small"] {
            assert_eq!(missing(&much, rule), Some(lacks.as_str()), "{rule}");
        }
        assert!(much.answer.contains(&format!("nor a wait that was read ({lacks})")), "{}", much.answer);
        assert!(left_out(7_170.0).not_found.contains(&"slow_single_block_reads"));
    }

    /// Parameters that could not be read counted as those at their defaults.
    #[test]
    fn a_lost_parameter_is_at_no_default() {
        let hour = || hour(3_000.0).parameter("db_block_size", "8192");
        let case = |report| crate::Case::new(report, &Options::default()).parameter("filesystemio_options");
        let whole = hour();
        assert_eq!(case(&whole.report), crate::Setting::Default);
        let section = Section {
            title: "init.ora Parameters".to_owned(),
            line: 3,
            status: SectionStatus::Read,
            rows: 1,
            lost: 4,
        };
        let lost = hour().with(|r| r.sections.push(section));
        assert_eq!(case(&lost.report), crate::Setting::NotPrinted);
    }
}
