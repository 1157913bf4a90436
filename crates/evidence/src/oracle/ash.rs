//! Active Session History reports: who, when, and the events that sessions were sampled in.
//!
//! Printed as `ASH Report For DB/instance` with the analysis period, then `Top ...` sections by every
//! dimension. Their shares are of sampled activity, neither waits nor seconds: only the share is
//! taken, and of `Top User Events` alone, as foreground events. The other sections are kept raw.

use super::context::Context;
use super::sections::{Entry, Read, as_printed, look_up, sampled_headings};
use super::{header, time};
use crate::grid::{Grid, fold};
use spindle_facts::{RawTable, SAMPLES_MISSING, TopEvent};

/// The title of the one section that no other report has a reader for, folded.
pub(super) const EVENTS: &str = "topuserevents";

static SECTIONS: &[Entry] = &[
    (&["ashreportfor*", "ashreport*"], read_header),
    (&[EVENTS], read_events),
    (&["completelistofsqltext"], read_texts),
];

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    look_up(SECTIONS, folded)
}

/// `Analysis Begin Time:   23-Apr-14 18:45:00`, in a table or as loose lines.
fn read_header(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    let cpus = grid.column(&["cpus"]);
    // How many samples there are, where they are from and how large memory is, no field holds.
    if cpus.is_some() || (0..grid.len()).any(|row| grid.cell(row, Some(0)).is_some_and(is_untyped)) {
        context.keep_as_printed();
    }
    let mut others: Vec<[Option<&str>; 2]> = Vec::new();
    for row in 0..grid.len() {
        if let Some(count) = context.count(grid, row, cpus) {
            context.report.identity.cpus = Some(count);
            rows += 1;
        }
        if let Some(label) = grid.cell(row, Some(0)) {
            rows += labelled(label, grid.cell(row, Some(1)).unwrap_or(""), context);
        }
        if let Some(lack) = grid.row(row).iter().find_map(|cell| Lack::of(cell)) {
            lack.note(grid.row_line(row), context);
        }
    }
    for (line, remark) in &grid.remarks {
        if let Some((label, value)) = remark.split_once(": ") {
            rows += labelled(label, value.trim(), context);
            if is_untyped(label) {
                others.push([Some(label.trim()), Some(value.trim())]);
            }
        }
        if let Some(lack) = Lack::of(remark) {
            lack.note(*line, context);
        }
    }
    if !others.is_empty() {
        let raw = RawTable {
            title: grid.title.to_string(),
            line: grid.remarks.first().map_or(grid.line, |(line, _)| *line),
            headings: vec![String::new(); 2],
            rows: others.into_iter().collect(),
        };
        context.report.raw_tables.push(raw);
    }
    rows
}

/// Samples that the report says it lacks.
#[derive(Debug, PartialEq)]
struct Lack {
    minutes: f64,
    /// Part of the interval, percent.
    pct: Option<f64>,
}

impl Lack {
    /// `Missing 1,337.0 mins (45%) of activity`, behind the length of the interval.
    fn of(text: &str) -> Option<Self> {
        let (_, behind) = text.split_once("Missing ")?;
        let (lack, _) = behind.split_once(" of activity")?;
        let (minutes, pct) = lack.split_once('(').unwrap_or((lack, ""));
        let (minutes, unit) = minutes.trim().split_once(' ')?;
        let minutes =
            header::minutes(minutes).map(|m| m.0).filter(|m| *m > 0.0 && unit.starts_with("min"))?;
        let pct = pct.split_once('%').and_then(|(pct, _)| pct.trim().parse().ok());
        Some(Self { minutes, pct })
    }

    /// As a person says it.
    fn how_long(&self) -> String {
        match self.minutes {
            minutes if minutes < 120.0 => format!("{minutes} minutes"),
            minutes => format!("{:.1} hours", minutes / 60.0),
        }
    }

    fn note(&self, line: u32, context: &mut Context<'_>) {
        let part = self.pct.map_or(String::new(), |pct| format!(", {pct} % of it"));
        let message = format!("{SAMPLES_MISSING} for {} of the interval{part}", self.how_long());
        context.note(Some(line), message, "what sessions did then is in no share of this report");
    }
}

/// Does a label stand before something that no field of the report holds?
fn is_untyped(label: &str) -> bool {
    matches!(
        fold(label).as_str(),
        "samplecount" | "avgactivesessionpercpu" | "reporttarget" | "begindatasource" | "enddatasource"
    )
}

fn labelled(label: &str, value: &str, context: &mut Context<'_>) -> u32 {
    let when = time::parse(value).map(|t| t.to_string());
    let identity = &mut context.report.identity;
    match fold(label).as_str() {
        "analysisbegintime" => identity.begin_time = when,
        "analysisendtime" => identity.end_time = when,
        "elapsedtime" => {
            let minutes = value.split_whitespace().next().and_then(header::minutes);
            identity.elapsed_s = minutes.map(|m| m.0 * 60.0);
        }
        "averageactivesessions" => {
            let printed = value.split_whitespace().next().and_then(header::minutes);
            identity.sampled_sessions = printed.map(|p| p.0);
        }
        _ => return u32::from(is_untyped(label)),
    }
    1
}

fn read_events(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let Some(grid) = sampled_headings::in_place(grid) else {
        return 0;
    };
    let grid: &Grid<'_> = &grid;
    let event = grid.column(&["event"]);
    let class = grid.column(&["eventclass"]);
    let share = grid.column(&["%event", "%activity"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), true) = (context.text(grid, row, event), share.is_some()) else { continue };
        let printed = context.count(grid, row, share);
        let share_pct = printed.filter(|s| (0.0..=as_printed::WHOLE_PCT).contains(s));
        let line = TopEvent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: None,
            event: name,
            waits: None,
            time_s: None,
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: None,
            share_pct,
            share_of: None,
            wait_class: context.text(grid, row, class),
        };
        context.tables().top_event.push(line);
        rows += 1;
    }
    if rows > 0 {
        // Sessions stand beside the shares, as in the other lists; of a share over the whole it says so.
        as_printed::keep_shares(grid, context);
    }
    rows
}

fn read_texts(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    super::sections::ordinary("completelistofsqltext").map_or(0, |read| read(grid, context))
}

#[cfg(test)]
mod tests {
    use super::Lack;

    #[test]
    fn what_a_report_says_it_lacks() {
        let lack = Lack::of("Elapsed Time:   90.0 (mins)   Missing 1,027.5 mins (35%) of activity");
        assert_eq!(lack, Some(Lack { minutes: 1_027.5, pct: Some(35.0) }));
        assert_eq!(lack.map(|lack| lack.how_long()).as_deref(), Some("17.1 hours"));
        assert_eq!(Lack::of("Missing 0.0 mins (0%) of activity"), None);
        assert_eq!(Lack::of("Missing rows of activity"), None);
    }
}
