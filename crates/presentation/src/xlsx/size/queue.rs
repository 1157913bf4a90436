//! How long requests wait before a device that works on many at once, by its busy share: a table that
//! *Needs* reads backwards, from the wait that the latency leaves to the busy share that keeps it.
//!
//! M/M/c: a request waits `C / (1 - busy)` times the time between two answers of a device that is never
//! idle, `C` being Erlang's probability that every server is busy. That has no inverse in a formula, so
//! the logarithm of the busy share is interpolated over the logarithm of the wait, by cubics that meet
//! the queue in value and slope (Hermite): to a ten-millionth of the share, better where it matters.

use super::super::sheet::{Formats, Sheet};
use super::{IOPS, MOST_BUSY, SERVERS};
use rust_xlsxwriter::{Workbook, XlsxError};
use spindle_planning::sizing::{MOST_UTILISATION, Sizing, USUAL_UTILISATION};

/// Steps from nothing to the busy share that is never exceeded.
const STEPS: u32 = 1_000;
/// Below the first step the line goes on straight, so far in the logarithm of the wait.
const BELOW: f64 = 1_000.0;
/// Row of what lies below the first step, from 0.
const FIRST: u32 = 1;

/// The busy share, never above the most, at which a request waits as long as a cell says (ms).
pub(super) fn busy_share(wait: &str) -> String {
    let column = |name: &str| format!("Queue!${name}${}:${name}${}", FIRST + 1, FIRST + STEPS + 1);
    let at = format!("LN({wait})");
    let found = |name: &str| format!("LOOKUP({at},{},{})", column("C"), column(name));
    let beyond = format!("({at}-{})", found("C"));
    format!(
        "IF({at}>=Queue!$C${},Size!$B${},EXP({}+{beyond}*({}+{beyond}*({}+{beyond}*{}))))",
        FIRST + STEPS + 1,
        MOST_BUSY + 1,
        found("D"),
        found("E"),
        found("F"),
        found("G")
    )
}

/// Logarithm of Erlang B, by its recurrence, which stays finite for any number of servers.
fn erlang_b(servers: u32, offered: f64) -> f64 {
    let mut inverse = 0.0_f64;
    for n in 1..=servers {
        let step = f64::from(n) / offered;
        inverse += step.ln() + ((-inverse).exp() / step).ln_1p();
    }
    -inverse
}

/// A row: busy share, logarithm of Erlang B, of the wait (ms), of the busy share, and the slope of the
/// last over the one before.
fn point(servers: u32, iops: f64, busy: f64) -> [f64; 5] {
    let c = f64::from(servers);
    let blocked = erlang_b(servers, c * busy);
    let b = blocked.exp();
    let free = 1.0 - busy * (1.0 - b);
    let wait = blocked - free.ln() - (1.0 - busy).ln() + (1_000.0 / iops).ln();
    let steep = c * (1.0 / busy - 1.0 + b);
    let slope = steep - (b - 1.0 + busy * b * steep) / free + 1.0 / (1.0 - busy);
    [busy, blocked, wait, busy.ln(), 1.0 / (busy * slope)]
}

pub(super) fn queue(book: &mut Workbook, s: &Sizing, formats: &Formats) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Queue")?;
    sheet.set_freeze_panes(1, 0)?;
    for column in 0..7 {
        sheet.set_column_width(column, 16)?;
    }
    let mut sheet = Sheet::new(sheet, formats);
    sheet.headings(
        0,
        &[
            "Busy share",
            "Logarithm of the share refused by a device without a queue (Erlang B)",
            "Logarithm of the wait of a request (ms)",
            "Logarithm of the busy share",
            "its slope over that of the wait",
            "and what the next row adds, squared",
            "cubed",
        ],
    )?;
    let most = if s.latency_target_us.is_some() { MOST_UTILISATION } else { USUAL_UTILISATION };
    let rows: Vec<[f64; 5]> = (1..=STEPS)
        .map(|step| point(s.disk.servers, s.disk.iops, most * f64::from(step) / f64::from(STEPS)))
        .collect();
    let Some([_, _, wait, share, slope]) = rows.first().copied() else { return Ok(()) };
    let next = FIRST + 2;
    sheet.formula(FIRST, 2, &format!("=C{next}-{BELOW}"), Some(wait - BELOW))?;
    sheet.formula(FIRST, 3, &format!("=D{next}-{BELOW}*E{next}"), Some(share - BELOW * slope))?;
    sheet.formula(FIRST, 4, &format!("=E{next}"), Some(slope))?;
    for column in [5, 6] {
        sheet.number(FIRST, column, Some(0.0))?;
    }
    let (servers, iops, most) = (SERVERS + 1, IOPS + 1, MOST_BUSY + 1);
    for (n, [busy, blocked, wait, share, slope]) in rows.iter().copied().enumerate() {
        let step = u32::try_from(n + 1).unwrap_or(u32::MAX);
        let row = FIRST + step;
        let c = row + 1;
        sheet.formula(row, 0, &format!("=Size!$B${most}*{step}/{STEPS}"), Some(busy))?;
        let offered = format!("(Size!$B${servers}*A{c})");
        let formula = format!(
            "=Size!$B${servers}*LN({offered})-{offered}-GAMMALN(Size!$B${servers}+1)-LN(POISSON(Size!$B${servers},{offered},1))"
        );
        sheet.formula(row, 1, &formula, Some(blocked))?;
        let formula = format!("=B{c}-LN(1-A{c}*(1-EXP(B{c})))-LN(1-A{c})+LN(1000/Size!$B${iops})");
        sheet.formula(row, 2, &formula, Some(wait))?;
        sheet.formula(row, 3, &format!("=LN(A{c})"), Some(share))?;
        let steep = format!("(Size!$B${servers}*(1/A{c}-1+EXP(B{c})))");
        let formula = format!(
            "=1/(A{c}*({steep}-(EXP(B{c})-1+A{c}*EXP(B{c})*{steep})/(1-A{c}*(1-EXP(B{c})))+1/(1-A{c})))"
        );
        sheet.formula(row, 4, &formula, Some(slope))?;
        let Some([_, _, wait_1, share_1, slope_1]) = rows.get(n + 1).copied() else {
            sheet.number(row, 5, Some(0.0))?;
            sheet.number(row, 6, Some(0.0))?;
            continue;
        };
        let (step, rise) = (wait_1 - wait, share_1 - share);
        let d = c + 1;
        let formula = format!("=(3*(D{d}-D{c})/(C{d}-C{c})-2*E{c}-E{d})/(C{d}-C{c})");
        sheet.formula(row, 5, &formula, Some((3.0 * rise / step - 2.0 * slope - slope_1) / step))?;
        let formula = format!("=(E{c}+E{d}-2*(D{d}-D{c})/(C{d}-C{c}))/(C{d}-C{c})/(C{d}-C{c})");
        sheet.formula(row, 6, &formula, Some((slope + slope_1 - 2.0 * rise / step) / step / step))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{erlang_b, point};

    #[test]
    fn erlang_b_is_that_of_tables() {
        // Two servers and one erlang refuse a fifth; ten and seven 7.87 %.
        for (servers, offered, refused) in [(1, 1.0, 0.5), (2, 1.0, 0.2), (10, 7.0, 0.078_741)] {
            assert!((erlang_b(servers, offered).exp() - refused).abs() < 1e-6, "{servers} {offered}");
        }
    }

    #[test]
    fn the_slope_is_that_of_the_row() {
        for servers in [1, 2, 65, 4_096] {
            for busy in [0.01, 0.3, 0.7, 0.94] {
                let [low, high] = [busy * (1.0 - 1e-6), busy * (1.0 + 1e-6)].map(|b| point(servers, 1e4, b));
                let seen = (high[3] - low[3]) / (high[2] - low[2]);
                let told = point(servers, 1e4, busy)[4];
                assert!((seen / told - 1.0).abs() < 1e-4, "{servers} {busy}: {seen} {told}");
            }
        }
    }
}
