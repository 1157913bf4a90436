//! `spindle place`: what belongs on the fast tier.

use crate::Request;
use crate::input::{self, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use spindle_facts::{Collected, Kind, Report};
use spindle_planning::{
    Names, PlaceOptions, Plan, Planner, Reduced, Refusal, Script, ScriptRequest, Tier, script,
};
use spindle_workload::DeviceCurve;
use std::io::{self, Write};
use std::path::PathBuf;

/// What was asked for beside the reports.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Tiers offered.
    pub tiers: Vec<Tier>,
    /// Files of `spindle collect`.
    pub collected: Vec<Collected>,
    /// Where plans were asked for: AWR SQL reports among these are reports of statements too.
    pub plans: Vec<PathBuf>,
    /// Constraints and sizes.
    pub options: PlaceOptions,
    /// Write the script that moves what is chosen, and where to.
    pub script: Option<ScriptRequest>,
}

/// A plan with its scripts.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The plan.
    pub plan: Plan,
    /// The script that moves what is chosen, and the one that moves it back; where asked for.
    pub script: Option<Script>,
}

/// A report on its way: names are masked one report after the other, so a masked run reduces later.
enum Taken {
    Reduced(Reduced, Option<Unread>),
    Whole(Box<Report>),
}

/// Reads every report and plans. Returns the plan, or why there is none, and what was not read.
pub fn place(
    request: &Request,
    mut placement: Placement,
    progress: &dyn Progress,
) -> (Result<Placed, Refusal>, Vec<Unread>) {
    let mut masker = request.mask.then(Masker::default);
    let masked = request.mask;
    let mut planner = Planner::default();
    let mut all_unread = Vec::new();
    // Before names are masked: a pseudonym has no beginning that a cut-off name could be known by.
    let names = Names::of(&placement.collected);
    let take = |mut report: Report| {
        names.complete(&mut report);
        if masked {
            Taken::Whole(Box::new(report))
        } else {
            Taken::Reduced(Reduced::of(&report), input::lost_rows(&report))
        }
    };
    input::read_all(request, progress, take, |result| {
        match result {
            Ok(Taken::Reduced(reduced, lost)) => {
                all_unread.extend(lost);
                planner.add(reduced);
            }
            Ok(Taken::Whole(mut report)) => {
                if let Some(masker) = &mut masker {
                    masker.report(&mut report);
                }
                all_unread.extend(input::lost_rows(&report));
                planner.add(Reduced::of(&report));
            }
            Err(mut unread) => {
                if let Some(masker) = &mut masker {
                    masker.unread(&mut unread);
                }
                all_unread.push(unread);
            }
        }
        true
    });
    // Without an interval of its own to plan for, a report of a statement is none that was asked for.
    let of_sql = |list: &&Collected| list.plan_rows.is_empty() && !list.history_plan_rows.is_empty();
    let wanted: Vec<String> = placement.collected.iter().filter(of_sql).map(|l| l.source.clone()).collect();
    if !planner.is_empty() && !wanted.is_empty() {
        let again = Request { inputs: placement.plans.clone(), ..request.clone() };
        let mut read = 0;
        let is_of_sql = |report: Report| (report.identity.kind == Kind::AwrSql).then(|| Box::new(report));
        input::read_all(&again, progress, is_of_sql, |result| {
            // What else is there was read as a list, and what could not be was told then.
            if let Ok(Some(mut report)) = result {
                read += 1;
                names.complete(&mut report);
                if let Some(masker) = &mut masker {
                    masker.report(&mut report);
                }
                planner.add_plans(Reduced::of(&report));
            }
            true
        });
        if read < wanted.len() {
            let mut unread = Unread {
                source: wanted.join("`, `"),
                reason:
                    "an AWR SQL report among the plans could not be read again as a report; give it as a PATH"
                        .to_owned(),
            };
            if let Some(masker) = &mut masker {
                masker.unread(&mut unread);
            }
            all_unread.push(unread);
        }
    }
    if planner.is_empty() {
        return (Err(Refusal("no report was read; see above for each input".to_owned())), all_unread);
    }
    if let Some(masker) = &mut masker {
        // Joined by name, so both sides carry the same pseudonyms.
        for collected in &mut placement.collected {
            masker.collected(collected);
        }
        masker.place_options(&mut placement.options);
    }
    let plan = planner.plan(&placement.tiers, &placement.collected, &placement.options);
    let placed = plan.map(|mut plan| {
        let collected: Vec<&Collected> = placement.collected.iter().collect();
        let script = placement.script.as_ref().map(|request| script(&plan, &collected, request));
        plan.script = script.as_ref().map(|s| s.forward.clone());
        Placed { plan, script }
    });
    (placed, all_unread)
}

/// Writes a plan as the document of `spindle place --json`.
///
/// # Errors
/// Those of the writer.
pub fn write_plan(mut writer: impl Write, plan: &Plan) -> io::Result<()> {
    json::write(&mut writer, plan)?;
    writer.write_all(b"\n")
}

/// Reads a device curve.
///
/// # Errors
/// In a sentence, where the text is no curve.
pub(crate) fn read_curve(text: &str) -> Result<DeviceCurve, String> {
    let curve: DeviceCurve = serde_json::from_str(text).map_err(|e| format!("it is no device curve: {e}"))?;
    curve.checked().map_err(|e| match e.point.and_then(|point| line_of_point(text, point)) {
        Some(line) => format!("line {line}: {e}"),
        None => e.to_string(),
    })
}

/// The line on which a point of a curve begins; `text` has been read as one.
fn line_of_point(text: &str, point: usize) -> Option<usize> {
    let after = text.find("\"points\"")?;
    let (mut depth, mut seen, mut quoted, mut escaped) = (0, 0, false, false);
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < after).skip("\"points\"".len()) {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => {
                depth += 1;
                if depth == 2 {
                    if seen == point {
                        return Some(1 + text[..at].matches('\n').count());
                    }
                    seen += 1;
                }
            }
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_curve_was_refused_without_its_line() {
        let text = r#"{"kind": "curve", "operation": "read", "block_bytes": 8192,
            "points": [
                {"iops": 100, "latency_us": {"mean": 5000}},
                {"iops": 200, "latency_us": {"mean": 900}}]}"#;
        let why = read_curve(text).err().unwrap_or_default();
        assert!(why.starts_with("line 4: ") && why.contains("does not fall"), "{why}");
    }
}
